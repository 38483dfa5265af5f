/* source_names.c: vertices of a file by the names and colours that it gives them. */
#include <weft_kit/source.h>

#include "mesh_internal.h"
#include "obj.h"

/* ---- names ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* The next of the names on a line; an object and a material have the whole line. False at its end.
 */
static bool next_name(const weft_source_line *line, const char **at, size_t *length) {
  const char *name = *at;
  while (is_blank(*name)) ++name;
  *at = name;
  while (**at && !(line->word == WEFT_SOURCE_GROUP && is_blank(**at))) ++*at;
  *length = (size_t)(*at - name);
  *at -= *length;
  return *length > 0;
}

static bool has_name(const weft_source_line *line, const char *wanted) {
  size_t length;
  for (const char *at = line->text; next_name(line, &at, &length); at += length) {
    if (weft_obj_is_named(at, length, wanted, strlen(wanted))) return true;
  }
  return false;
}

/* Groups and objects are looked up together. */
static bool is_of(weft_source_word asked, weft_source_word word) {
  const bool groups = asked == WEFT_SOURCE_GROUP || asked == WEFT_SOURCE_OBJECT;
  return groups ? word == WEFT_SOURCE_GROUP || word == WEFT_SOURCE_OBJECT : word == asked;
}

enum { LONGEST_LIST = 400 };

/* The names of all earlier lines have this one. */
static bool is_known(const weft_source *s, uint32_t lines, weft_source_word word,
                     const char *name) {
  for (uint32_t k = 0; k < lines; ++k) {
    if (is_of(word, s->lines[k].word) && has_name(s->lines + k, name)) return true;
  }
  return false;
}

/* What there is, each once. */
static weft_string list_names(const weft_source *s, weft_source_word word) {
  weft_string list = {0}, name = {0};
  size_t length;
  for (uint32_t k = 0; k < s->line_count && list.count < LONGEST_LIST; ++k) {
    if (!is_of(word, s->lines[k].word)) continue;
    for (const char *at = s->lines[k].text; next_name(s->lines + k, &at, &length); at += length) {
      name.count = 0;
      weft_string_add_bytes(&name, at, length);
      if (is_known(s, k, word, name.bytes)) continue;
      weft_string_add(&list, "%s%.100s", list.count ? ", " : "", name.bytes);
    }
  }
  weft_string_free(&name);
  if (list.count == 0) weft_string_add(&list, "none");
  return list;
}

static weft_result no_such_name(const weft_source *s, weft_source_word word, const char *name,
                                weft_error *err) {
  weft_string list = list_names(s, word);
  weft_result result = weft_fail(err, WEFT_ERROR_ARGUMENT, "no %s '%.80s'; the file has %.600s%s",
                                 word == WEFT_SOURCE_MATERIAL ? "material" : "group or object",
                                 name, list.bytes, list.count < LONGEST_LIST ? "" : " and more");
  weft_string_free(&list);
  return result;
}

static void mark_faces(const weft_source *s, uint32_t first, uint32_t end, bool *marked) {
  for (uint32_t c = s->face_first[first]; c < s->face_first[end]; ++c) marked[s->corners[c]] = true;
}

weft_result weft_source_select(const weft_source *source, weft_source_word word, const char *name,
                               bool *marked, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(source);
  WEFT_NEED(name);
  WEFT_NEED(marked);
  if (word != WEFT_SOURCE_GROUP && word != WEFT_SOURCE_OBJECT && word != WEFT_SOURCE_MATERIAL) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "word %d names no faces", (int)word);
  }
  bool found = false;
  for (uint32_t k = 0; k < source->line_count; ++k) {
    const weft_source_line *line = source->lines + k;
    if (!is_of(word, line->word) || !has_name(line, name)) continue;
    found = true;
    uint32_t next = k + 1; /* until a line of the same word says otherwise */
    while (next < source->line_count && source->lines[next].word != line->word) ++next;
    const uint32_t end = next < source->line_count ? source->lines[next].face : source->face_count;
    mark_faces(source, line->face, end, marked);
  }
  return found ? WEFT_OK : no_such_name(source, word, name, err);
}

/* ---- colours ---- */

static bool is_near(const float a[3], const float b[3], float within) {
  return fabsf(a[0] - b[0]) <= within && fabsf(a[1] - b[1]) <= within &&
         fabsf(a[2] - b[2]) <= within; /* false for NAN */
}

/* What a colour of 1 is in the file's numbers. */
static float whole_of(const weft_source *s) { return s->colour_one > 0 ? s->colour_one : 1; }

enum { MAX_COLOURS = 6 };

static weft_string list_colours(const weft_source *s) {
  const float *kinds[MAX_COLOURS];
  uint32_t count = 0;
  bool more = false;
  weft_string list = {0};
  for (uint32_t v = 0; s->colours && v < s->vertex_count; ++v) {
    const float *c = s->colours[v], one = whole_of(s);
    uint32_t k = 0;
    while (k < count && !is_near(kinds[k], c, 0)) ++k;
    if (k < count || isnan(c[0])) continue;
    more = more || count == MAX_COLOURS;
    if (count == MAX_COLOURS) continue;
    weft_string_add(&list, "%s%g,%g,%g", count ? "; " : "", (double)(c[0] * one),
                    (double)(c[1] * one), (double)(c[2] * one));
    kinds[count++] = c;
  }
  if (more) weft_string_add(&list, " and more");
  return list;
}

static weft_result no_such_colour(const weft_source *s, const float rgb[3], float within,
                                  weft_error *err) {
  weft_string list = list_colours(s);
  weft_result result =
      list.count == 0
          ? weft_fail(err, WEFT_ERROR_ARGUMENT, "no vertex of the file has a colour")
          : weft_fail(err, WEFT_ERROR_ARGUMENT,
                      "no vertex has a colour within %g of %g,%g,%g; the file has %s",
                      (double)within, (double)rgb[0], (double)rgb[1], (double)rgb[2], list.bytes);
  weft_string_free(&list);
  return result;
}

weft_result weft_source_select_coloured(const weft_source *source, const float *rgb, float within,
                                        bool *marked, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(source);
  WEFT_NEED(rgb);
  WEFT_NEED(marked);
  const bool above = rgb[0] > 1 || rgb[1] > 1 || rgb[2] > 1;
  const float one = above ? whole_of(source) : 1;
  const float sought[3] = {rgb[0] / one, rgb[1] / one, rgb[2] / one};
  const float apart = within < 0 ? 0.25f * one : within;
  bool found = false;
  for (uint32_t v = 0; source->colours && v < source->vertex_count; ++v) {
    if (!is_near(source->colours[v], sought, apart / one)) continue;
    found = marked[v] = true;
  }
  return found ? WEFT_OK : no_such_colour(source, rgb, apart, err);
}
