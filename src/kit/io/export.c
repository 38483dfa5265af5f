/* Wavefront OBJ output. */
#include <string.h>
#include <weft_kit/export.h>

#include "files.h"
#include "mesh_internal.h"
#include "output.h"
#include "put_number.h"

enum { CHUNK = 1 << 16, LONGEST_LINE = 128 };

static char *put_vertex(char *out, weft_vec3 p) {
  *out++ = 'v';
  const float coordinates[3] = {p.x, p.y, p.z};
  for (int i = 0; i < 3; ++i) {
    *out++ = ' ';
    out = weft_put_float(out, coordinates[i]);
  }
  *out++ = '\n';
  return out;
}

static char *put_indices(char *out, char what, const uint32_t *indices, int count) {
  *out++ = what;
  for (int k = 0; k < count; ++k) {
    *out++ = ' ';
    out = weft_put_uint(out, (uint64_t)indices[k] + 1);
  }
  *out++ = '\n';
  return out;
}

/* What stands in a file, in this order. */
typedef struct contents {
  uint32_t vertex_count;
  const weft_vec3 *positions;
  char what; /* 'f' of three indices, or 'l' of two */
  uint32_t element_count;
  const uint32_t *elements;
  uint32_t point_count;
  const uint32_t *points;
} contents;

static char *put_line(const contents *c, uint64_t line, char *out) {
  if (line < c->vertex_count) return put_vertex(out, c->positions[line]);
  line -= c->vertex_count;
  int arity = c->what == 'f' ? 3 : 2;
  if (line < c->element_count) {
    return put_indices(out, c->what, c->elements + (size_t)arity * (size_t)line, arity);
  }
  return put_indices(out, 'p', c->points + (line - c->element_count), 1);
}

static void write_lines(FILE *file, const contents *c) {
  char *chunk = weft_alloc(CHUNK + LONGEST_LINE, 1), *at = chunk;
  uint64_t lines = (uint64_t)c->vertex_count + c->element_count + c->point_count;
  for (uint64_t line = 0; line < lines; ++line) {
    at = put_line(c, line, at);
    if (at - chunk < CHUNK && line + 1 < lines) continue;
    fwrite(chunk, 1, (size_t)(at - chunk), file); /* weft_output_close gives the verdict */
    at = chunk;
  }
  weft_free(chunk);
}

static weft_result write_file(const char *path, const contents *c, const char *elements,
                              weft_error *err) {
  for (uint32_t v = 0; v < c->vertex_count; ++v) {
    if (weft_v3_finite(c->positions[v])) continue;
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s: not written: vertex %u is not finite",
                     weft_shown_path(path), v);
  }
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  fprintf(weft_output_file(out), "# weft: %u vertices, %u %s, metres\n", c->vertex_count,
          c->element_count, elements);
  write_lines(weft_output_file(out), c);
  return weft_output_close(out, err);
}

/* The place of each when they are sorted by number, below `end`; equal ones stay as they are. */
static uint32_t *places(const uint32_t *numbers, uint32_t count, uint32_t end) {
  uint32_t *place = weft_alloc(count, sizeof *place);
  uint32_t *next = weft_alloc((size_t)end + 1, sizeof *next);
  for (uint32_t k = 0; k < count; ++k) ++next[numbers[k] + 1];
  for (uint32_t n = 0; n < end; ++n) next[n + 1] += next[n];
  for (uint32_t k = 0; k < count; ++k) place[k] = next[numbers[k]]++;
  weft_free(next);
  return place;
}

weft_result weft_mesh_export_obj(const char *path, const weft_mesh *mesh,
                                 const weft_vec3 *positions, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(path);
  WEFT_NEED_MESH(mesh);
  weft_result result = weft_check_indices(mesh, err);
  if (result != WEFT_OK) return result;
  contents c = {.vertex_count = mesh->vertex_count,
                .positions = positions ? positions : mesh->positions,
                .what = 'f',
                .element_count = mesh->triangle_count,
                .elements = mesh->triangles};
  if (!mesh->map.numbers) return write_file(path, &c, "triangles", err);
  uint32_t *vertices = places(mesh->map.numbers, mesh->vertex_count, mesh->map.source_vertex_count);
  uint32_t *faces = places(mesh->map.faces, mesh->triangle_count, mesh->map.source_face_count);
  weft_vec3 *old_positions = weft_alloc(mesh->vertex_count, sizeof *old_positions);
  uint32_t *old_triangles = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *old_triangles);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) old_positions[vertices[v]] = c.positions[v];
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
    old_triangles[3 * (size_t)faces[i / 3] + i % 3] = vertices[mesh->triangles[i]];
  }
  c.positions = old_positions;
  c.elements = old_triangles;
  result = write_file(path, &c, "triangles", err);
  weft_free(vertices);
  weft_free(faces);
  weft_free(old_positions);
  weft_free(old_triangles);
  return result;
}

weft_result weft_mesh_export_lines(const char *path, const weft_vec3 *positions, uint32_t count,
                                   const uint32_t *pairs, uint32_t pair_count, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(path);
  WEFT_NEED_ITEMS(positions, count);
  WEFT_NEED_ITEMS(pairs, pair_count);
  for (size_t k = 0; k < 2 * (size_t)pair_count; ++k) {
    if (pairs[k] < count) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "line %zu names vertex %u, and there are %u", k / 2,
                     pairs[k], count);
  }
  bool *joined = weft_alloc(count, sizeof *joined);
  uint32_t *points = weft_alloc(count, sizeof *points);
  contents c = {.vertex_count = count,
                .positions = positions,
                .what = 'l',
                .element_count = pair_count,
                .elements = pairs,
                .points = points};
  for (uint32_t k = 0; k < pair_count; ++k) {
    joined[pairs[2 * (size_t)k]] = joined[pairs[2 * (size_t)k + 1]] = true;
  }
  for (uint32_t v = 0; v < count; ++v) {
    if (!joined[v]) points[c.point_count++] = v;
  }
  weft_result result = write_file(path, &c, "lines", err);
  weft_free(joined);
  weft_free(points);
  return result;
}
