/* source.c: what a file holds, kept to be given back. */
#include <weft_kit/source.h>

#include "mesh_internal.h"
#include "obj.h"
#include "place.h"
#include "uvs.h"

/* The arrays change hands. Corners that name coordinates or normals that do not exist have none. */
static void take_obj(weft_obj *obj, weft_source *s) {
  s->vertex_count = (uint32_t)obj->position_count;
  s->uv_count = (uint32_t)obj->uv_count;
  s->normal_count = (uint32_t)obj->normal_count;
  s->face_count = (uint32_t)obj->face_count;
  s->corner_count = (uint32_t)obj->corner_count;
  s->line_count = (uint32_t)obj->line_count;
  s->positions = obj->positions;
  s->colours = obj->colours;
  s->uvs = obj->uvs;
  s->uv_depths = obj->uv_depths;
  s->colour_one = obj->ply.colour_one;
  s->alpha_lost = obj->loses_alpha;
  memcpy(s->properties_lost, obj->ply.lost, sizeof obj->ply.lost);
  s->normals = obj->normals;
  s->corners = obj->corners;
  s->corner_uvs = obj->corner_uvs;
  s->corner_normals = obj->corner_normals;
  s->lines = obj->lines;
  s->face_first = weft_alloc(obj->face_count + 1, sizeof *s->face_first);
  for (size_t f = 0; f < obj->face_count; ++f) s->face_first[f] = obj->faces[f].first;
  s->face_first[obj->face_count] = s->corner_count;
  for (size_t c = 0; c < obj->corner_count; ++c) {
    if (s->corner_uvs[c] >= s->uv_count) s->corner_uvs[c] = WEFT_SOURCE_NONE;
    if (s->corner_normals[c] >= s->normal_count) s->corner_normals[c] = WEFT_SOURCE_NONE;
  }
  obj->positions = NULL;
  obj->colours = NULL;
  obj->uvs = NULL;
  obj->uv_depths = NULL;
  obj->normals = NULL;
  obj->corners = obj->corner_uvs = obj->corner_normals = NULL;
  obj->lines = NULL;
  obj->line_count = 0;
}

static void take_mesh(weft_mesh *mesh, weft_source *s) {
  s->scale = 1;
  s->vertex_count = mesh->vertex_count;
  s->face_count = mesh->triangle_count;
  s->corner_count = 3 * mesh->triangle_count;
  s->positions = mesh->positions;
  s->corners = mesh->triangles;
  s->face_first = weft_alloc((size_t)s->face_count + 1, sizeof *s->face_first);
  s->corner_uvs = weft_alloc(s->corner_count, sizeof *s->corner_uvs);
  s->corner_normals = weft_alloc(s->corner_count, sizeof *s->corner_normals);
  for (uint32_t f = 0; f <= s->face_count; ++f) s->face_first[f] = 3 * f;
  for (uint32_t c = 0; c < s->corner_count; ++c) {
    s->corner_uvs[c] = s->corner_normals[c] = WEFT_SOURCE_NONE;
  }
  *mesh = (weft_mesh){0};
}

weft_result weft_source_read(const char *path, const weft_import_desc *desc, weft_source *source,
                             weft_error *err) {
  WEFT_NEED(source);
  *source = (weft_source){0};
  WEFT_GUARD_FILL(source, err);
  WEFT_NEED(path);
  weft_obj obj;
  weft_result result = weft_obj_load(path, 1, &obj, err);
  if (result != WEFT_OK) return result;
  take_obj(&obj, source);
  weft_obj_free(&obj);
  source->path = weft_strdup(path);
  source->scale = desc && desc->scale > 0 ? desc->scale : 1;
  source->up = desc ? desc->up : WEFT_UP_Y;
  source->turn = desc ? desc->turn : (weft_vec3){0, 0, 0};
  return WEFT_OK;
}

/* Every vertex of a grid has one place on it, whatever the triangle. */
static void take_grid_uvs(const weft_mesh *mesh, weft_source *s) {
  float *uvs = weft_grid_uvs(mesh);
  if (!uvs) return;
  s->uv_count = s->vertex_count;
  s->uvs = weft_alloc(s->uv_count, sizeof *s->uvs);
  for (uint32_t c = 0; c < s->corner_count; ++c) {
    s->corner_uvs[c] = s->corners[c];
    memcpy(s->uvs[s->corners[c]], uvs + 2 * (size_t)c, sizeof *s->uvs);
  }
  weft_free(uvs);
}

weft_result weft_source_from_mesh(const weft_mesh *mesh, weft_source *source, weft_error *err) {
  WEFT_NEED(source);
  *source = (weft_source){0};
  WEFT_GUARD_FILL(source, err);
  WEFT_NEED_MESH(mesh);
  weft_result result = weft_check_indices(mesh, err);
  if (result != WEFT_OK) return result;
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  weft_mesh copy = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count};
  copy.positions = weft_alloc(mesh->vertex_count, sizeof *copy.positions);
  copy.triangles = weft_alloc(corners, sizeof *copy.triangles);
  if (mesh->vertex_count) {
    memcpy(copy.positions, mesh->positions, mesh->vertex_count * sizeof *copy.positions);
  }
  if (corners) memcpy(copy.triangles, mesh->triangles, corners * sizeof *copy.triangles);
  take_mesh(&copy, source);
  take_grid_uvs(mesh, source);
  return WEFT_OK;
}

void weft_source_free(weft_source *source) {
  if (!source) return;
  for (uint32_t k = 0; k < source->line_count; ++k) weft_free(source->lines[k].text);
  weft_free(source->lines);
  weft_free(source->positions);
  weft_free(source->colours);
  weft_free(source->uvs);
  weft_free(source->uv_depths);
  weft_free(source->path);
  weft_free(source->normals);
  weft_free(source->face_first);
  weft_free(source->corners);
  weft_free(source->corner_uvs);
  weft_free(source->corner_normals);
  *source = (weft_source){0};
}

/* ---- back to where the file has its vertices ---- */

/* As far as the file has a vertex from the one that gives its number, turned with the mesh:
 * nothing, unless it was welded from a distance. */
static weft_vec3d apart(const weft_source *s, const weft_turn *turn, uint32_t vertex,
                        uint32_t number) {
  const weft_vec3d d =
      weft_v3d_sub(weft_v3d_from(s->positions[vertex]), weft_v3d_from(s->positions[number]));
  if (d.x == 0 && d.y == 0 && d.z == 0) return d;
  return weft_lowered(s->up, weft_turn_apply(turn, weft_lifted(s->up, d)));
}

static float on(double placed, double by) { return (float)(by == 0 ? placed : placed + by); }

/* From metres into the unit and axes of the file, and on by that. */
static weft_vec3 place(const weft_source *s, const weft_turn *turn, uint32_t vertex,
                       uint32_t number, weft_vec3 at) {
  const double scale = (double)s->scale;
  const weft_vec3d p = weft_lowered(s->up, weft_v3d_from(at));
  const weft_vec3d d = apart(s, turn, vertex, number);
  return weft_v3(on(p.x / scale, d.x), on(p.y / scale, d.y), on(p.z / scale, d.z));
}

weft_result weft_source_place(const weft_source *source, const weft_mesh_map *map,
                              const weft_vec3 *positions, weft_vec3 *placed, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(source);
  WEFT_NEED(map);
  WEFT_NEED(positions);
  WEFT_NEED(placed);
  if (!map->vertices || !map->numbers || map->source_vertex_count != source->vertex_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "the map is of %u vertices, and the source has %u: of another file",
                     map->source_vertex_count, source->vertex_count);
  }
  const weft_turn turn = weft_turn_of(source->turn);
  for (uint32_t s = 0; s < source->vertex_count; ++s) {
    const uint32_t v = map->vertices[s];
    placed[s] = v == WEFT_NO_VERTEX ? source->positions[s]
                                    : place(source, &turn, s, map->numbers[v], positions[v]);
  }
  return WEFT_OK;
}
