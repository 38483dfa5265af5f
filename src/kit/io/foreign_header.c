/* foreign_header.c: headers that count more than their file can hold are refused before anybody
 * makes room for it. */
#include <ctype.h>

#include "files.h"
#include "foreign.h"

/* ---- text ---- */

typedef struct text {
  const char *at, *end;
  uint32_t line;
} text;

static bool next_line(text *t, const char **begin, size_t *length) {
  if (t->at == t->end) return false;
  const char *stop = t->at;
  while (stop < t->end && *stop != '\n' && *stop != '\r') ++stop;
  *begin = t->at;
  *length = (size_t)(stop - t->at);
  if (stop < t->end && *stop == '\r' && stop + 1 < t->end && stop[1] == '\n') ++stop;
  t->at = stop < t->end ? stop + 1 : stop;
  ++t->line;
  return true;
}

/* The words of a line, cut off where they are long. */
enum { WORDS = 5, WORD = 24 };
typedef struct words {
  char word[WORDS][WORD];
  uint32_t count;
} words;

static words split(const char *line, size_t length) {
  words w = {.count = 0};
  for (size_t at = 0; at < length && w.count < WORDS; ++w.count) {
    while (at < length && isspace((unsigned char)line[at])) ++at;
    size_t end = at;
    while (end < length && !isspace((unsigned char)line[end])) ++end;
    if (end == at) break;
    snprintf(w.word[w.count], WORD, "%.*s", (int)(end - at < WORD ? end - at : WORD - 1),
             line + at);
    at = end;
  }
  return w;
}

static bool is(const char *word, const char *other) { return strcmp(word, other) == 0; }

/* A whole number as far as doubles go; -1 for anything else. */
static double count_of(const char *word) {
  double value = -1;
  const char *end = word + strlen(word);
  return weft_parse_double(word, end, &value) == end && end > word && value >= 0 ? value : -1;
}

static weft_result refuse_count(const char *path, const char *what, double count, double bytes,
                                double left, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FORMAT,
                   "%s: its header counts %.0f %s, which take %.0f bytes at least, and %.0f are "
                   "there",
                   weft_shown_path(path), count, what, bytes, left);
}

/* ---- PLY ---- */

static double ply_size(const char *type) {
  if (strstr(type, "64") || is(type, "double")) return 8;
  if (strstr(type, "16") || strstr(type, "short")) return 2;
  return strstr(type, "int8") || strstr(type, "char") ? 1 : 4;
}

typedef struct ply_element {
  char name[WORD];
  double count, bytes; /* of one, at least */
} ply_element;

enum { PLY_ELEMENTS = 16, PLY_LONGEST = 1 << 20 };

typedef struct ply_header {
  ply_element elements[PLY_ELEMENTS];
  uint32_t count;
  bool binary, ends;
} ply_header;

static weft_result read_ply_line(const char *path, uint32_t line, const words *w, ply_header *h,
                                 weft_error *err) {
  ply_element *last = h->count ? &h->elements[h->count - 1] : NULL;
  if (is(w->word[0], "format")) h->binary = !is(w->word[1], "ascii");
  if (is(w->word[0], "end_header")) h->ends = true;
  if (is(w->word[0], "property") && last) {
    last->bytes += h->binary ? ply_size(is(w->word[1], "list") ? w->word[2] : w->word[1]) : 2;
  }
  if (!is(w->word[0], "element")) return WEFT_OK;
  if (h->count == PLY_ELEMENTS || count_of(w->word[2]) < 0) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s:%u: '%s' is no number of elements",
                     weft_shown_path(path), line, w->word[2]);
  }
  ply_element *element = &h->elements[h->count++];
  *element = (ply_element){.count = count_of(w->word[2])};
  memcpy(element->name, w->word[1], WORD);
  return WEFT_OK;
}

static weft_result check_ply(const char *path, const char *bytes, size_t length, weft_error *err) {
  text t = {bytes, bytes + (length < PLY_LONGEST ? length : PLY_LONGEST), 0};
  ply_header h = {.count = 0};
  weft_result result = WEFT_OK;
  const char *line;
  size_t line_length;
  while (result == WEFT_OK && !h.ends && next_line(&t, &line, &line_length)) {
    const words w = split(line, line_length);
    if (w.count > 0) result = read_ply_line(path, t.line, &w, &h, err);
  }
  if (result != WEFT_OK) return result;
  if (!h.ends) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: its header has no line end_header",
                     weft_shown_path(path));
  }
  const double left = (double)(bytes + length - t.at);
  for (uint32_t k = 0; k < h.count; ++k) {
    const ply_element *e = &h.elements[k];
    const double wanted = e->count * (e->bytes > 0 ? e->bytes : 1);
    /* The last line of text may lack its end. */
    if (wanted <= left + 1) continue;
    char what[WORD + 12];
    snprintf(what, sizeof what, "%s elements", e->name);
    return refuse_count(path, what, e->count, wanted, left, err);
  }
  return WEFT_OK;
}

/* ---- STL, OFF, GLB ---- */

static uint32_t little(const char *at) {
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | (uint32_t)b[0];
}

enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

static weft_result check_stl(const char *path, const char *bytes, size_t length, weft_error *err) {
  const bool is_text = length >= 5 && memcmp(bytes, "solid", 5) == 0;
  if (is_text) return WEFT_OK;
  if (length < STL_HEADER) {
    return weft_fail(err, WEFT_ERROR_FORMAT,
                     "%s: neither \"solid\", with which STL of text begins, nor the %d bytes of a "
                     "binary header",
                     weft_shown_path(path), STL_HEADER);
  }
  const double count = little(bytes + 80), wanted = STL_HEADER + STL_TRIANGLE * count;
  if (wanted == (double)length) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT,
                   "%s: its header counts %.0f triangles, which take %.0f bytes, and it has %zu",
                   weft_shown_path(path), count, wanted, length);
}

/* Counts stand in the first line that has some, or behind OFF. */
static weft_result check_off(const char *path, const char *bytes, size_t length, weft_error *err) {
  enum { VERTEX = 6, FACE = 2 }; /* "0 0 0\n" */
  text t = {bytes, bytes + length, 0};
  const char *line;
  size_t line_length;
  while (next_line(&t, &line, &line_length) && t.line < 1000) {
    const words w = split(line, line_length);
    const uint32_t first = w.count > 0 && isalpha((unsigned char)w.word[0][0]) ? 1 : 0;
    if (w.count <= first || w.word[first][0] == '#') continue;
    const double vertices = count_of(w.word[first]);
    const double faces = w.count > first + 1 ? count_of(w.word[first + 1]) : -1;
    const double left = (double)(t.end - t.at) + 1;
    if (vertices < 0 || faces < 0) return WEFT_OK; /* the library says what is wrong */
    if (vertices * VERTEX > left) {
      return refuse_count(path, "vertices", vertices, vertices * VERTEX, left - 1, err);
    }
    if (faces * FACE > left) {
      return refuse_count(path, "faces", faces, faces * FACE, left - 1, err);
    }
    return WEFT_OK;
  }
  return WEFT_OK;
}

static weft_result check_glb(const char *path, const char *bytes, size_t length, weft_error *err) {
  enum { HEADER = 20 };
  if (length < HEADER) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %zu bytes; the header of a GLB alone has %d",
                     weft_shown_path(path), length, HEADER);
  }
  const uint32_t said = little(bytes + 8), chunk = little(bytes + 12);
  if (said <= length && chunk <= length - HEADER) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT,
                   "%s: its header says %u bytes with %u of JSON, and it has %zu: it was cut short",
                   weft_shown_path(path), said, chunk, length);
}

weft_result weft_foreign_check_header(const char *path, const char *bytes, size_t length,
                                      weft_error *err) {
  if (length == 0) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: the file is empty", weft_shown_path(path));
  }
  if (weft_begins_with(bytes, length, "ply")) return check_ply(path, bytes, length, err);
  if (weft_begins_with(bytes, length, "glTF")) return check_glb(path, bytes, length, err);
  if (weft_ends_with(path, ".stl")) return check_stl(path, bytes, length, err);
  if (weft_ends_with(path, ".off") || weft_begins_with(bytes, length, "OFF")) {
    return check_off(path, bytes, length, err);
  }
  return WEFT_OK;
}
