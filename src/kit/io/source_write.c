/* source_write.c: a file as it came in, with its vertices elsewhere. */
#include <weft_kit/source.h>

#include "files.h"
#include "library.h"
#include "mesh_internal.h"
#include "output.h"
#include "polygon.h"
#include "put_number.h"
#include "vec3d.h"

/* ---- normals ---- */

/* Which normal a corner gets: one for each vertex of the mesh and each normal that its corners had
 * in the file, equal ones being one. */
typedef struct normals {
  uint32_t *of_corner; /* [corner_count] or WEFT_SOURCE_NONE */
  weft_vec3d *sums;    /* [count] */
  uint32_t count;
} normals;

typedef struct key_table {
  uint64_t *keys;   /* vertex << 32 | normal */
  uint32_t *values; /* value + 1, 0 for free */
  size_t slots;
} key_table;

static uint32_t *slot_of(const key_table *table, uint64_t key) {
  uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
  size_t slot = (size_t)(hash ^ hash >> 29) & (table->slots - 1);
  while (table->values[slot] != 0 && table->keys[slot] != key)
    slot = (slot + 1) & (table->slots - 1);
  return table->values + slot;
}

/* Vertices that the map makes one are one; those of no face of the cloth stand behind them. */
static uint64_t vertex_key(const weft_mesh_map *map, uint32_t vertex) {
  if (!map || !map->vertices) return vertex;
  const uint32_t v = map->vertices[vertex];
  return v == WEFT_NO_VERTEX ? UINT64_C(0x80000000) + vertex : v;
}

static void group_corners(const weft_source *s, const weft_mesh_map *map, normals *n) {
  key_table table = {.slots = 16};
  while (table.slots < 2 * (size_t)s->corner_count) table.slots *= 2;
  table.keys = weft_alloc(table.slots, sizeof *table.keys);
  table.values = weft_alloc(table.slots, sizeof *table.values);
  uint32_t *same = weft_alloc(s->normal_count, sizeof *same);
  weft_weld_map(s->normals, s->normal_count, 0, same);
  for (uint32_t c = 0; c < s->corner_count; ++c) {
    n->of_corner[c] = WEFT_SOURCE_NONE;
    if (s->corner_normals[c] == WEFT_SOURCE_NONE) continue;
    uint64_t key = vertex_key(map, s->corners[c]) << 32 | same[s->corner_normals[c]];
    uint32_t *value = slot_of(&table, key);
    if (*value == 0) {
      table.keys[value - table.values] = key;
      *value = ++n->count;
    }
    n->of_corner[c] = *value - 1;
  }
  weft_free(same);
  weft_free(table.keys);
  weft_free(table.values);
}

static normals make_normals(const weft_source *s, const weft_mesh_map *map,
                            const weft_vec3 *placed) {
  normals n = {.of_corner = weft_alloc(s->corner_count, sizeof *n.of_corner)};
  group_corners(s, map, &n);
  n.sums = weft_alloc(n.count, sizeof *n.sums);
  for (uint32_t f = 0; f < s->face_count; ++f) {
    const uint32_t first = s->face_first[f], size = s->face_first[f + 1] - first;
    const weft_vec3d area = weft_polygon_normal(placed, s->corners + first, size);
    for (uint32_t c = s->face_first[f]; c < s->face_first[f + 1]; ++c) {
      weft_vec3d *sum = n.sums + n.of_corner[c];
      if (n.of_corner[c] != WEFT_SOURCE_NONE) *sum = weft_v3d_add(*sum, area);
    }
  }
  return n;
}

/* ---- text ---- */

enum { CHUNK = 1 << 16, LONGEST_PIECE = 8 * WEFT_LONGEST_NUMBER };

typedef struct writer {
  FILE *file;
  char *chunk, *at;
} writer;

/* Room for a piece; weft_output_close gives the verdict. */
static void flush(writer *w, bool all) {
  if (!all && w->at - w->chunk < CHUNK) return;
  fwrite(w->chunk, 1, (size_t)(w->at - w->chunk), w->file);
  w->at = w->chunk;
}

static void put_text(writer *w, const char *text) {
  flush(w, true);
  fputs(text, w->file);
}

static void put_floats(writer *w, const char *word, const float *values, int count) {
  while (*word) *w->at++ = *word++;
  for (int k = 0; k < count; ++k) {
    *w->at++ = ' ';
    w->at = weft_put_float(w->at, values[k]);
  }
  *w->at++ = '\n';
  flush(w, false);
}

static void put_vertices(writer *w, const weft_source *s, const weft_vec3 *placed) {
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    float values[6] = {placed[v].x, placed[v].y, placed[v].z};
    bool coloured = s->colours && !isnan(s->colours[v][0]);
    if (coloured) memcpy(values + 3, s->colours[v], sizeof s->colours[v]);
    put_floats(w, "v", values, coloured ? 6 : 3);
  }
}

static void put_normals(writer *w, const normals *n) {
  for (uint32_t k = 0; k < n->count; ++k) {
    const weft_vec3d sum = n->sums[k];
    const double length = sqrt(weft_v3d_dot(sum, sum)), by = length > 0 ? 1 / length : 0;
    const float unit[3] = {(float)(sum.x * by), (float)(sum.y * by),
                           length > 0 ? (float)(sum.z * by) : 1};
    put_floats(w, "vn", unit, 3);
  }
}

static void put_corner(writer *w, const weft_source *s, const normals *n, uint32_t c) {
  const uint32_t uv = s->corner_uvs[c], normal = n->of_corner[c];
  *w->at++ = ' ';
  w->at = weft_put_uint(w->at, (uint64_t)s->corners[c] + 1);
  if (uv != WEFT_SOURCE_NONE || normal != WEFT_SOURCE_NONE) *w->at++ = '/';
  if (uv != WEFT_SOURCE_NONE) w->at = weft_put_uint(w->at, (uint64_t)uv + 1);
  if (normal != WEFT_SOURCE_NONE) {
    *w->at++ = '/';
    w->at = weft_put_uint(w->at, (uint64_t)normal + 1);
  }
  flush(w, false);
}

static const char *const words[] = {"g", "o", "usemtl", "mtllib", "s"}; /* by weft_source_word */

static void put_line(writer *w, const weft_source_line *line) {
  put_text(w, words[line->word]);
  if (line->text[0]) put_text(w, " ");
  put_text(w, line->text);
  const size_t length = strlen(line->text);
  const bool would_go_on = length > 0 && line->text[length - 1] == '\\';
  put_text(w, would_go_on ? " \n" : "\n");
}

/* Libraries come first: some programs look them up when a material is named. */
static void put_libraries(writer *w, const char *path, const weft_source *s) {
  for (uint32_t k = 0; k < s->line_count; ++k) {
    if (s->lines[k].word != WEFT_SOURCE_LIBRARY) continue;
    weft_source_line line = s->lines[k];
    line.text = weft_library_from(path, s->path, line.text);
    put_line(w, &line);
    weft_free(line.text);
  }
}

static void put_uvs(writer *w, const weft_source *s) {
  for (uint32_t t = 0; t < s->uv_count; ++t) {
    const bool deep = s->uv_depths && !isnan(s->uv_depths[t]);
    const float values[3] = {s->uvs[t][0], s->uvs[t][1], deep ? s->uv_depths[t] : 0};
    put_floats(w, "vt", values, deep ? 3 : 2);
  }
}

static void put_faces(writer *w, const weft_source *s, const normals *n) {
  uint32_t line = 0;
  for (uint32_t f = 0; f <= s->face_count; ++f) {
    for (; line < s->line_count && s->lines[line].face <= f; ++line) {
      if (s->lines[line].word != WEFT_SOURCE_LIBRARY) put_line(w, s->lines + line);
    }
    if (f == s->face_count) return;
    *w->at++ = 'f';
    for (uint32_t c = s->face_first[f]; c < s->face_first[f + 1]; ++c) put_corner(w, s, n, c);
    *w->at++ = '\n';
  }
}

static void put_source(FILE *file, const char *path, const weft_source *s, const normals *n,
                       const weft_vec3 *placed) {
  writer w = {.file = file, .chunk = weft_alloc(CHUNK + LONGEST_PIECE, 1)};
  w.at = w.chunk;
  fprintf(file, "# weft: %u vertices, %u faces\n", s->vertex_count, s->face_count);
  put_libraries(&w, path, s);
  put_vertices(&w, s, placed);
  put_uvs(&w, s);
  put_normals(&w, n);
  put_faces(&w, s, n);
  flush(&w, true);
  weft_free(w.chunk);
}

weft_result weft_source_write_obj(const char *path, const weft_source *source,
                                  const weft_mesh_map *map, const weft_vec3 *placed,
                                  weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(path);
  WEFT_NEED(source);
  if (map && map->vertices && map->source_vertex_count != source->vertex_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "the map is of %u vertices, and the source has %u: of another file",
                     map->source_vertex_count, source->vertex_count);
  }
  const weft_vec3 *at = placed ? placed : source->positions;
  for (uint32_t v = 0; v < source->vertex_count; ++v) {
    if (weft_v3_finite(at[v])) continue;
    return weft_fail(err, WEFT_ERROR_NOT_FINITE, "%s: not written: vertex %u is not finite",
                     weft_shown_path(path), v);
  }
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  normals n = make_normals(source, map, at);
  put_source(weft_output_file(out), path, source, &n, at);
  weft_free(n.of_corner);
  weft_free(n.sums);
  return weft_output_close(out, err);
}
