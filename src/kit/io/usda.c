/* usda.c: text of Universal Scene Description: one mesh, or the points of particles, which have a
 * sample a frame.
 *
 * Points are written as frames come. The last time code, known at the end, has room in the header;
 * extents, a box a frame, wait in memory, since they stand behind all points. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <jansson.h>

#include "export_internal.h"
#include "parts.h"
#include "put_number.h"

typedef struct extent {
  weft_vec3 min, max;
} extent;

typedef struct usda {
  off_t end_at; /* byte of the last time code */
  extent *extents;
  size_t room;
} usda;

static const char samples[] = "    point3f[] points.timeSamples = {\n";

/* ---- pieces of text ---- */

static void put_point(FILE *file, weft_vec3 p) {
  char text[3 * WEFT_LONGEST_NUMBER + 8], *at = text;
  *at++ = '(';
  at = weft_put_float(at, p.x);
  *at++ = ',';
  *at++ = ' ';
  at = weft_put_float(at, p.y);
  *at++ = ',';
  *at++ = ' ';
  at = weft_put_float(at, p.z);
  *at++ = ')';
  fwrite(text, 1, (size_t)(at - text), file);
}

static void put_separator(FILE *file, bool first) {
  if (!first) fputs(", ", file);
}

static void put_index(FILE *file, bool first, uint32_t value) {
  char text[WEFT_LONGEST_NUMBER];
  put_separator(file, first);
  fwrite(text, 1, (size_t)(weft_put_uint(text, value) - text), file);
}

static void put_float(FILE *file, float value) {
  char text[WEFT_LONGEST_NUMBER];
  fwrite(text, 1, (size_t)(weft_put_float(text, value) - text), file);
}

/* Seven digits, which is what a float has of what was typed; whatever the locale. */
static void put_setting(FILE *file, const char *name, double value) {
  json_t *number = json_real(value);
  fprintf(file, "    %s = ", name);
  json_dumpf(number, file, JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
  fputc('\n', file);
  json_decref(number);
}

/* ---- names ---- */

/* Letters of ASCII, digits and underscores, no digit first. */
static void make_name(const char *from, const char *before, char *name, size_t size) {
  size_t used = (size_t)snprintf(name, size, "%s", before);
  if (isdigit((unsigned char)*from) && used == 0) name[used++] = '_';
  for (; *from && used + 1 < size; ++from) {
    const bool keeps = (*from & 0x80) == 0 && isalnum((unsigned char)*from);
    name[used++] = keeps ? *from : '_';
  }
  if (used == 0) name[used++] = '_';
  name[used] = 0;
}

/* Words of a file as they were, where they are no name; what could end the string is left out. */
static void put_words(FILE *file, const char *words) {
  fputs(" (\n        customData = {\n            string name = \"", file);
  for (; *words; ++words) {
    const bool plain = *words >= ' ' && *words <= '~' && *words != '"' && *words != '\\';
    fputc(plain ? *words : '?', file);
  }
  fputs("\"\n        }\n    )", file);
}

/* ---- what stays ---- */

static void put_header(const weft_export *c, usda *u) {
  FILE *file = weft_export_file(c);
  const double rate = 1 / c->desc.frame_seconds;
  fputs("#usda 1.0\n(\n    defaultPrim = \"cloth\"\n    endTimeCode = ", file);
  u->end_at = ftello(file);
  fprintf(file, "%-10u\n", c->desc.first_frame + c->desc.frame_count - 1);
  put_setting(file, "framesPerSecond", rate);
  put_setting(file, "metersPerUnit", (double)c->desc.source->scale);
  fprintf(file, "    startTimeCode = %u\n", c->desc.first_frame);
  put_setting(file, "timeCodesPerSecond", rate);
  fprintf(file, "    upAxis = \"%s\"\n)\n\ndef %s \"cloth\"\n{\n", c->desc.z_up ? "Z" : "Y",
          c->desc.source->face_count > 0 ? "Mesh" : "Points");
}

static void put_faces(FILE *file, const weft_source *s) {
  fputs("    uniform bool doubleSided = 1\n    int[] faceVertexCounts = [", file);
  for (uint32_t f = 0; f < s->face_count; ++f) {
    put_index(file, f == 0, s->face_first[f + 1] - s->face_first[f]);
  }
  fputs("]\n    int[] faceVertexIndices = [", file);
  for (uint32_t k = 0; k < s->corner_count; ++k) put_index(file, k == 0, s->corners[k]);
  fputs("]\n    uniform token orientation = \"rightHanded\"\n", file);
  fputs("    uniform token subdivisionScheme = \"none\"\n", file);
}

/* Points are half a centimetre wide: without a width they are drawn a unit wide. Lines between them
 * have no place in such points and stand beside them. */
static void put_particles(FILE *file, const weft_export_desc *d) {
  fputs("    float[] widths = [", file);
  put_float(file, (float)(0.005 / (double)d->source->scale));
  fputs("] (\n        interpolation = \"constant\"\n    )\n", file);
  if (d->link_count == 0) return;
  fputs("    custom int2[] lines = [", file);
  for (size_t k = 0; k < d->link_count; ++k) {
    fprintf(file, "%s(%u, %u)", k == 0 ? "" : ", ", d->links[2 * k], d->links[2 * k + 1]);
  }
  fputs("]\n", file);
}

/* White where a vertex has none. */
static void put_colours(FILE *file, const weft_source *s) {
  if (!s->colours) return;
  fputs("    color3f[] primvars:displayColor = [", file);
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    const float *c = s->colours[v];
    put_separator(file, v == 0);
    put_point(file, isnan(c[0]) ? weft_v3(1, 1, 1) : weft_v3(c[0], c[1], c[2]));
  }
  fputs("] (\n        interpolation = \"vertex\"\n    )\n", file);
}

/* A corner without a coordinate has one of its own behind those of the file. */
static void put_uvs(FILE *file, const weft_source *s) {
  bool all = true;
  if (s->uv_count == 0) return;
  fputs("    texCoord2f[] primvars:st = [", file);
  for (uint32_t t = 0; t < s->uv_count; ++t) {
    put_separator(file, t == 0);
    fputc('(', file);
    put_float(file, s->uvs[t][0]);
    fputs(", ", file);
    put_float(file, s->uvs[t][1]);
    fputc(')', file);
  }
  for (uint32_t k = 0; k < s->corner_count; ++k) {
    all = all && s->corner_uvs[k] != WEFT_SOURCE_NONE;
  }
  fputs(all ? "] (\n" : ", (0, 0)] (\n", file);
  fputs("        interpolation = \"faceVarying\"\n    )\n    int[] primvars:st:indices = [", file);
  for (uint32_t k = 0; k < s->corner_count; ++k) {
    put_index(file, k == 0, s->corner_uvs[k] == WEFT_SOURCE_NONE ? s->uv_count : s->corner_uvs[k]);
  }
  fputs("]\n", file);
}

static void put_subset(FILE *file, const weft_parts *parts, uint32_t part, const char *family,
                       uint32_t face_count) {
  char name[200], before[32];
  bool first = true;
  snprintf(before, sizeof before, "%s_%u_", family, part);
  make_name(parts->names[part], before, name, sizeof name);
  fprintf(file, "\n    def GeomSubset \"%s\"", name);
  put_words(file, parts->names[part]);
  fputs("\n    {\n        uniform token elementType = \"face\"\n", file);
  fprintf(file, "        uniform token familyName = \"%s\"\n        int[] indices = [", family);
  for (uint32_t f = 0; f < face_count; ++f) {
    if (parts->of_face[f] != part) continue;
    put_index(file, first, f);
    first = false;
  }
  fputs("]\n    }\n", file);
}

static void put_subsets(FILE *file, const weft_source *s, weft_source_word word,
                        const char *family) {
  enum { MAX_PARTS = 1000 }; /* each goes through all faces */
  weft_parts parts = weft_parts_of(s, word);
  for (uint32_t p = 0; p < parts.count && p < MAX_PARTS; ++p) {
    if (parts.face_counts[p] > 0) put_subset(file, &parts, p, family, s->face_count);
  }
  weft_parts_free(&parts);
}

/* ---- frames ---- */

weft_result weft_usda_begin(weft_export *cache, weft_error *err) {
  usda *u = weft_alloc(1, sizeof *u);
  FILE *file = weft_export_file(cache);
  (void)err;
  cache->self = u;
  put_header(cache, u);
  if (cache->desc.source->face_count > 0) {
    put_faces(file, cache->desc.source);
    put_uvs(file, cache->desc.source);
  } else {
    put_particles(file, &cache->desc);
  }
  put_colours(file, cache->desc.source);
  fputs(samples, file);
  return WEFT_OK;
}

void weft_usda_frame(weft_export *cache, const weft_vec3 *placed) {
  usda *u = cache->self;
  FILE *file = weft_export_file(cache);
  const uint32_t count = cache->desc.source->vertex_count;
  fprintf(file, "        %u: [", cache->desc.first_frame + cache->frames);
  for (uint32_t v = 0; v < count; ++v) {
    put_separator(file, v == 0);
    put_point(file, placed[v]);
  }
  fputs("],\n", file);
  void *extents = u->extents;
  weft_grow(&extents, &u->room, cache->frames + (size_t)1, sizeof *u->extents);
  u->extents = extents;
  extent *own = &u->extents[cache->frames];
  weft_v3_bounds(placed, count, &own->min, &own->max);
}

weft_result weft_usda_finish(weft_export *cache, weft_error *err) {
  const usda *u = cache->self;
  FILE *file = weft_export_file(cache);
  fputs("    }\n    float3[] extent.timeSamples = {\n", file);
  for (uint32_t k = 0; k < cache->frames; ++k) {
    fprintf(file, "        %u: [", cache->desc.first_frame + k);
    put_point(file, u->extents[k].min);
    fputs(", ", file);
    put_point(file, u->extents[k].max);
    fputs("],\n", file);
  }
  fputs("    }\n", file);
  put_subsets(file, cache->desc.source, WEFT_SOURCE_MATERIAL, "material");
  put_subsets(file, cache->desc.source, WEFT_SOURCE_GROUP, "group");
  put_subsets(file, cache->desc.source, WEFT_SOURCE_OBJECT, "object");
  fputs("}\n", file);
  if (fseeko(file, u->end_at, SEEK_SET) != 0) return weft_export_failed(cache, err);
  fprintf(file, "%-10u", cache->desc.first_frame + cache->frames - 1);
  return WEFT_OK;
}

/* Lines of faces may be long; what is sought begins one, and no other line begins so far like it.
 */
bool weft_usda_find(const weft_export *cache, FILE *older) {
  (void)cache;
  size_t matched = 0;
  for (int c = getc(older); c != EOF; c = getc(older)) {
    matched = c == samples[matched] ? matched + 1 : 0;
    if (!samples[matched]) return true;
  }
  return false;
}

/* "        12: [(0, 1.5, 0), (1, ...)],": numbers end with what is none of theirs. */
bool weft_usda_take(const weft_export *cache, FILE *older, weft_vec3 *placed) {
  const size_t count = 3 * (size_t)cache->desc.source->vertex_count;
  int c = getc(older);
  while (c != EOF && c != '[' && c != '}') c = getc(older);
  for (size_t k = 0; k < count && c != EOF; ++k) {
    char text[WEFT_LONGEST_NUMBER + 1];
    size_t length = 0;
    while (c != EOF && !strchr("+-.0123456789", c)) c = getc(older);
    for (; c != EOF && strchr("+-.0123456789e", c); c = getc(older)) {
      if (length < WEFT_LONGEST_NUMBER) text[length++] = (char)c;
    }
    double value;
    if (weft_parse_double(text, text + length, &value) != text + length || length == 0)
      return false;
    (&placed[k / 3].x)[k % 3] = (float)value;
  }
  while (c != EOF && c != '\n') c = getc(older);
  return c != EOF;
}

void weft_usda_free(weft_export *cache) {
  usda *u = cache->self;
  if (u) weft_free(u->extents);
  weft_free(u);
}
