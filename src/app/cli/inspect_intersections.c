/* inspect_intersections.c: where a mesh passes through itself, by the faces of its file. */
#include <string.h>

#include "base.h"
#include "cli.h"
#include "cmd_inspect.h"
#include "inspect.h"
#include "mesh_internal.h"
#include "start_check.h"

/* Vertices at equal positions count as one, as they are in the cloth: else seams would touch. */
static weft_result count_welded(const weft_mesh *mesh, weft_intersections *found, weft_error *err) {
  size_t corners = 3 * (size_t)mesh->triangle_count;
  uint32_t *kept = weft_alloc(mesh->vertex_count, sizeof *kept);
  uint32_t *triangles = weft_alloc(corners, sizeof *triangles);
  weft_weld_map(mesh->positions, mesh->vertex_count, 0, kept);
  for (size_t c = 0; c < corners; ++c) triangles[c] = kept[mesh->triangles[c]];
  weft_result result = weft_count_intersections(mesh->positions, mesh->vertex_count, triangles,
                                                mesh->triangle_count, NULL, found, err);
  weft_free(triangles);
  weft_free(kept);
  return result;
}

/* Pairs are told as the faces of the file, from 0. */
static void name_faces(const weft_mesh *mesh, weft_intersections *found) {
  for (uint32_t k = 0; k < found->listed; ++k) {
    for (int side = 0; side < 2; ++side) {
      found->pairs[k][side] = weft_mesh_face(mesh, found->pairs[k][side]);
    }
  }
}

weft_result weft_inspect_file_intersections(const weft_mesh *mesh, weft_intersections *found,
                                            weft_error *err) {
  weft_result result = count_welded(mesh, found, err);
  if (result == WEFT_OK) name_faces(mesh, found);
  return result;
}

weft_result weft_inspect_cloth_intersections(const weft_mesh *mesh, weft_intersections *found,
                                             weft_error *err) {
  weft_result result = weft_count_intersections(
      mesh->positions, mesh->vertex_count, mesh->triangles, mesh->triangle_count, NULL, found, err);
  if (result == WEFT_OK) name_faces(mesh, found);
  return result;
}

/* Two polygons can meet with several of their triangles. */
static bool listed_before(const weft_intersections *found, uint32_t k) {
  for (uint32_t i = 0; i < k; ++i) {
    if (memcmp(found->pairs[i], found->pairs[k], sizeof found->pairs[k]) == 0) return true;
  }
  return false;
}

void weft_inspect_print_intersections(const weft_intersections *raw,
                                      const weft_intersections *cloth) {
  const weft_intersections *first = raw ? raw : cloth;
  printf("  %-22s %12s  %12s%s\n", "intersecting pairs",
         raw ? weft_cli_grouped(raw->triangle_pairs) : "", weft_cli_grouped(cloth->triangle_pairs),
         raw && raw->triangle_pairs != cloth->triangle_pairs ? "  changed" : "");
  if (first->listed == 0) return;
  printf("  %-22s ", first->listed < first->triangle_pairs ? "  first faces" : "  faces");
  for (uint32_t k = 0; k < first->listed; ++k) {
    if (listed_before(first, k)) continue;
    printf("%s%u and %u", k ? ", " : "", first->pairs[k][0], first->pairs[k][1]);
  }
  printf("\n");
}

json_t *weft_inspect_intersections_json(const weft_intersections *found) {
  json_t *o = weft_json_intersections(found), *faces = json_array();
  for (uint32_t k = 0; k < found->listed; ++k) {
    if (listed_before(found, k)) continue;
    json_array_append_new(faces,
                          json_pack("[i, i]", (int)found->pairs[k][0], (int)found->pairs[k][1]));
  }
  json_object_set_new(o, "first_faces", faces);
  return o;
}

/* ---- with bodies ---- */

static void print_bodies(const weft_scene_instance *scene, const weft_bodies *bodies,
                         const weft_start_check *look) {
  const weft_intersections *found = &look->found[1];
  char pairs[WEFT_INTERSECTIONS_LISTED * 48];
  weft_tangles_name(scene->model, bodies, found, pairs, sizeof pairs);
  printf("  %-22s %12s  %12s\n", "pairs with bodies", "", weft_cli_grouped(found->triangle_pairs));
  if (*pairs) {
    printf("  %-22s %s\n", found->listed < found->triangle_pairs ? "  first faces" : "  faces",
           pairs);
  }
  printf("  %-22s %12s  %12s\n", "particles inside", "", weft_cli_grouped(look->inside));
}

static json_t *bodies_json(const weft_scene_instance *scene, const weft_bodies *bodies,
                           const weft_start_check *look) {
  weft_face_pair pairs[WEFT_INTERSECTIONS_LISTED];
  const uint32_t count = weft_tangles_faces(scene->model, bodies, &look->found[1], pairs);
  json_t *o = weft_json_intersections(&look->found[1]), *faces = json_array();
  for (uint32_t k = 0; k < count; ++k) {
    json_array_append_new(faces, json_pack("{s:i, s:i, s:i}", "cloth", (int)pairs[k].cloth, "body",
                                           (int)pairs[k].body, "face", (int)pairs[k].other));
  }
  json_object_set_new(o, "first_faces", faces);
  json_object_set_new(o, "inside", json_integer(look->inside));
  return o;
}

weft_result weft_inspect_bodies(const weft_scene_instance *scene, json_t *json, weft_error *err) {
  const weft_bodies bodies = weft_bodies_of(&scene->params);
  weft_start_check look;
  weft_result result =
      weft_model_check_start(scene->model, &bodies, scene->params.start, NULL, &look, err);
  if (result != WEFT_OK) return result;
  print_bodies(scene, &bodies, &look);
  json_object_set_new(json, "with_bodies", bodies_json(scene, &bodies, &look));
  return WEFT_OK;
}
