/* ply.c: binary PLY of one frame: vertices with their colours, polygons, lines between particles.
 *
 * Texture coordinates stand at vertices, as s and t, where no vertex has two. Else they are left
 * out: what some programs write at the corners of faces ends others. */
#include <math.h>

#include "export_internal.h"

/* The coordinate of each vertex, WEFT_SOURCE_NONE for none; NULL where a vertex has two. */
static uint32_t *uv_of_vertices(const weft_source *s) {
  uint32_t *of_vertex = weft_alloc(s->vertex_count, sizeof *of_vertex);
  for (uint32_t v = 0; v < s->vertex_count; ++v) of_vertex[v] = WEFT_SOURCE_NONE;
  for (uint32_t c = 0; c < s->corner_count; ++c) {
    uint32_t *own = &of_vertex[s->corners[c]];
    if (*own == WEFT_SOURCE_NONE) *own = s->corner_uvs[c];
    if (*own == s->corner_uvs[c]) continue;
    weft_free(of_vertex);
    return NULL;
  }
  return of_vertex;
}

static const float *uv_at(const weft_source *s, uint32_t uv) {
  static const float none[2] = {0, 0};
  return uv == WEFT_SOURCE_NONE ? none : s->uvs[uv];
}

static bool has_long_faces(const weft_source *s) {
  bool any = false;
  for (uint32_t f = 0; f < s->face_count; ++f) {
    any = any || s->face_first[f + 1] - s->face_first[f] > 255;
  }
  return any;
}

/* Corners are counted by a byte, unless a face has too many. */
static void put_header(FILE *file, const weft_export_desc *d, bool uvs, bool long_faces) {
  fputs("ply\nformat binary_little_endian 1.0\ncomment weft\n", file);
  fprintf(file, "element vertex %u\n", d->source->vertex_count);
  fputs("property float x\nproperty float y\nproperty float z\n", file);
  if (uvs) fputs("property float s\nproperty float t\n", file);
  if (d->source->colours) {
    fputs("property uchar red\nproperty uchar green\nproperty uchar blue\n", file);
  }
  if (d->source->face_count > 0) {
    fprintf(file, "element face %u\nproperty list %s int vertex_indices\n", d->source->face_count,
            long_faces ? "uint" : "uchar");
  }
  if (d->link_count > 0) {
    fprintf(file, "element edge %u\nproperty int vertex1\nproperty int vertex2\n", d->link_count);
  }
  fputs("end_header\n", file);
}

static void put_vertex(FILE *file, weft_vec3 p) {
  weft_export_put_float(file, p.x);
  weft_export_put_float(file, p.y);
  weft_export_put_float(file, p.z);
}

/* White where a vertex has none. */
static void put_colour(FILE *file, const float colour[3]) {
  for (int k = 0; k < 3; ++k) {
    const float part = isnan(colour[k]) ? 1 : fminf(fmaxf(colour[k], 0), 1);
    fputc((int)(255 * part + 0.5f), file);
  }
}

static void put_faces(FILE *file, const weft_source *s, bool long_faces) {
  for (uint32_t f = 0; f < s->face_count; ++f) {
    const uint32_t first = s->face_first[f], end = s->face_first[f + 1];
    if (long_faces) weft_export_put_uint(file, end - first);
    if (!long_faces) fputc((int)(end - first), file);
    for (uint32_t c = first; c < end; ++c) weft_export_put_uint(file, s->corners[c]);
  }
}

weft_result weft_ply_still(weft_export *cache, const weft_vec3 *placed, weft_error *err) {
  const weft_source *s = cache->desc.source;
  FILE *file = weft_export_file(cache);
  const bool long_faces = has_long_faces(s);
  uint32_t *uvs = s->uv_count > 0 ? uv_of_vertices(s) : NULL;
  (void)err;
  put_header(file, &cache->desc, uvs, long_faces);
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    put_vertex(file, placed[v]);
    for (int k = 0; k < 2 && uvs; ++k) weft_export_put_float(file, uv_at(s, uvs[v])[k]);
    if (s->colours) put_colour(file, s->colours[v]);
  }
  put_faces(file, s, long_faces);
  for (size_t k = 0; k < 2 * (size_t)cache->desc.link_count; ++k) {
    weft_export_put_uint(file, cache->desc.links[k]);
  }
  weft_free(uvs);
  return WEFT_OK;
}
