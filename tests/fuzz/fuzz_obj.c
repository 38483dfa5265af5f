/* OBJ files: whatever the bytes, a mesh that keeps its promises or one sentence. The first byte
 * chooses what is asked for, the rest is the file. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/model.h>
#include <weft_kit/export.h>
#include <weft_kit/source.h>

#include "base.h"
#include "fuzz.h"

/* Where the bytes lie for the importer: a file of this process's own, removed at its end. */
static char path[64];

static void remove_file(void) { unlink(path); }

static void write_file(const uint8_t *bytes, size_t size) {
  if (!path[0]) {
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* in memory */
    snprintf(path, sizeof path, "%s/weft-fuzz-%ld.obj", folder, (long)getpid());
    atexit(remove_file);
  }
  FILE *file = fopen(path, "wb");
  EXPECT(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* One line that a terminal can show: shown once more nothing changes. */
static void expect_sentence(const weft_error *err) {
  char shown[2 * sizeof err->message];
  EXPECT(err->code != WEFT_OK && err->message[0]);
  weft_printable(err->message, strlen(err->message), shown, sizeof shown);
  EXPECT(strcmp(shown, err->message) == 0);
}

static void expect_sound(const weft_mesh *mesh) {
  EXPECT(mesh->vertex_count > 0 && mesh->triangle_count > 0);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    EXPECT(mesh->triangles[c] < mesh->vertex_count);
  }
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 p = mesh->positions[v];
    EXPECT(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
  }
  weft_mesh_report report;
  weft_mesh_inspect(mesh, &report);
  EXPECT(report.triangle_count == mesh->triangle_count && report.area >= 0);
}

/* Nothing is left to mend, and what is written reads back as it is. */
static void expect_mended(weft_mesh *mesh) {
  weft_mesh again = {0};
  weft_mesh_report changes;
  EXPECT(weft_mesh_export_obj(path, mesh, NULL, NULL) == WEFT_OK);
  const weft_import_desc as_it_is = {.keep_defects = true};
  EXPECT(weft_mesh_import(path, &as_it_is, &again, NULL) == WEFT_OK);
  EXPECT(again.vertex_count == mesh->vertex_count);
  EXPECT(again.triangle_count == mesh->triangle_count);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const weft_vec3 *p = &mesh->positions[v], *q = &again.positions[v];
    EXPECT(p->x == q->x && p->y == q->y && p->z == q->z);
  }
  weft_mesh_free(&again);
  EXPECT(weft_mesh_repair(mesh, &changes, NULL) == WEFT_OK);
  EXPECT(changes.unused_vertices == 0 && changes.duplicate_triangles == 0);
}

/* Coordinates are up to 1e9; a welded vertex is found by a difference in doubles. */
static void expect_near(weft_vec3 p, weft_vec3 q) {
  EXPECT(fabsf(p.x - q.x) <= 1e-6f * (1 + fabsf(q.x)));
  EXPECT(fabsf(p.y - q.y) <= 1e-6f * (1 + fabsf(q.y)));
  EXPECT(fabsf(p.z - q.z) <= 1e-6f * (1 + fabsf(q.z)));
}

/* The next line that names a library, or does not. */
static uint32_t next_line(const weft_source *s, uint32_t at, bool library) {
  while (at < s->line_count && (s->lines[at].word == WEFT_SOURCE_LIBRARY) != library) ++at;
  return at;
}

/* Lines are kept in their order and before their face; libraries are written first. */
static void expect_same_lines(const weft_source *a, const weft_source *b, bool library) {
  uint32_t i = next_line(a, 0, library), k = next_line(b, 0, library);
  while (i < a->line_count && k < b->line_count) {
    const weft_source_line *x = &a->lines[i], *y = &b->lines[k];
    EXPECT(x->word == y->word && strcmp(x->text, y->text) == 0);
    EXPECT(x->face <= a->face_count && (library || x->face == y->face));
    i = next_line(a, i + 1, library);
    k = next_line(b, k + 1, library);
  }
  EXPECT(i == a->line_count && k == b->line_count);
}

/* Everything of the file but where its vertices are. */
static void expect_same_but_places(const weft_source *a, const weft_source *b) {
  EXPECT(a->vertex_count == b->vertex_count && a->face_count == b->face_count);
  EXPECT(a->corner_count == b->corner_count && a->uv_count == b->uv_count);
  EXPECT(a->line_count == b->line_count);
  EXPECT(memcmp(a->corners, b->corners, a->corner_count * sizeof *a->corners) == 0);
  EXPECT(memcmp(a->corner_uvs, b->corner_uvs, a->corner_count * sizeof *a->corner_uvs) == 0);
  EXPECT(memcmp(a->face_first, b->face_first,
                ((size_t)a->face_count + 1) * sizeof *a->face_first) == 0);
  expect_same_lines(a, b, true);
  expect_same_lines(a, b, false);
}

/* The file with its vertices at `positions` of the mesh is written, and read again as it was meant.
 */
static void expect_written(const weft_source *source, const weft_mesh_map *map,
                           const weft_vec3 *positions, weft_vec3 *placed) {
  weft_source again = {0};
  EXPECT(!weft_source_place(source, map, positions, placed, NULL));
  EXPECT(weft_source_write_obj(path, source, map, placed, NULL) == WEFT_OK);
  EXPECT(weft_source_read(path, NULL, &again, NULL) == WEFT_OK);
  expect_same_but_places(&again, source);
  EXPECT(memcmp(again.positions, placed, again.vertex_count * sizeof *placed) == 0);
  weft_source_free(&again);
}

static weft_vec3 *moved(const weft_mesh *mesh) {
  weft_vec3 *positions = calloc(mesh->vertex_count, sizeof *positions);
  EXPECT(positions || mesh->vertex_count == 0);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const weft_vec3 p = mesh->positions[v];
    positions[v] = (weft_vec3){0.7f * p.x + 0.1f, 0.3f - 0.5f * p.y, p.z - 1e-3f * p.x};
  }
  return positions;
}

/* The map leads there and back, and the file is written as it came, or with its cloth elsewhere. */
static void expect_returns(const weft_mesh *mesh, const weft_import_desc *desc) {
  weft_source source = {0};
  EXPECT(weft_source_read(path, desc, &source, NULL) == WEFT_OK);
  const weft_mesh_map *map = &mesh->map;
  EXPECT(map->source_vertex_count == source.vertex_count &&
         map->source_face_count == source.face_count);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) EXPECT(map->vertices[map->numbers[v]] == v);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) EXPECT(map->faces[t] < source.face_count);
  weft_vec3 *placed = calloc(source.vertex_count, sizeof *placed), *elsewhere = moved(mesh);
  EXPECT(placed);
  expect_written(&source, map, elsewhere, placed);
  expect_written(&source, map, mesh->positions, placed);
  for (uint32_t v = 0; v < source.vertex_count; ++v) expect_near(placed[v], source.positions[v]);
  free(elsewhere);
  free(placed);
  weft_source_free(&source);
}

static void preprocess(const weft_mesh *mesh, weft_bending bending) {
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  const weft_model_desc desc = {.mesh = mesh, .bending = bending, .pins = &pin, .pin_count = 1};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create(&desc, &model, &err) != WEFT_OK) {
    EXPECT(!model);
    expect_sentence(&err);
    return;
  }
  EXPECT(weft_model_validate(model, NULL) == WEFT_OK);
  weft_model_destroy(model);
}

static void list_groups(void) {
  weft_mesh_group *groups = NULL;
  uint32_t count = 0;
  weft_error err = {0};
  if (weft_mesh_groups(path, &groups, &count, &err) != WEFT_OK) expect_sentence(&err);
  for (uint32_t k = 0; k < count; ++k) EXPECT(groups[k].name);
  weft_mesh_groups_free(groups, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size == 0) return 0;
  uint8_t how = bytes[0];
  write_file(bytes + 1, size - 1);
  weft_import_desc desc = {.groups = how & 1 ? "a, b" : NULL,
                           .weld_distance = how & 2 ? 0.1f : 0,
                           .keep_defects = how & 4};
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (how & 8) list_groups();
  weft_result result = weft_mesh_import(path, &desc, &mesh, &err);
  if (result != WEFT_OK) {
    expect_sentence(&err);
    EXPECT(!mesh.positions && !mesh.triangles);
    return 0;
  }
  expect_returns(&mesh, &desc);
  if (!desc.keep_defects) {
    expect_sound(&mesh);
    expect_mended(&mesh);
  }
  if (weft_mesh_find_grid(&mesh)) {
    EXPECT(mesh.grid_rows * mesh.grid_columns == mesh.vertex_count);
    expect_sound(&mesh);
    write_file(bytes + 1, size - 1); /* again: what was mended lies there */
    expect_returns(&mesh, &desc);
  }
  if (mesh.triangle_count < 500) preprocess(&mesh, (weft_bending)(how >> 4 & 3));
  weft_mesh_free(&mesh);
  return 0;
}
