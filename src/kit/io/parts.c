/* parts.c: lines of one word name the faces behind them. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "base.h"

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint32_t list_names(const weft_source *s, weft_source_word word, const char **names) {
  uint32_t count = 0, unique = 0;
  for (uint32_t k = 0; k < s->line_count; ++k) {
    if (s->lines[k].word == word && s->lines[k].text[0]) names[count++] = s->lines[k].text;
  }
  if (count > 0) qsort(names, count, sizeof *names, by_text);
  for (uint32_t k = 0; k < count; ++k) {
    if (unique == 0 || strcmp(names[unique - 1], names[k]) != 0) names[unique++] = names[k];
  }
  return unique;
}

static uint32_t part_named(const weft_parts *parts, const char *name) {
  const char **found = bsearch(&name, parts->names, parts->count, sizeof *parts->names, by_text);
  return (uint32_t)(found - parts->names);
}

weft_parts weft_parts_of(const weft_source *source, weft_source_word word) {
  weft_parts parts = {.names = weft_alloc(source->line_count, sizeof *parts.names),
                      .face_counts = weft_alloc(source->line_count, sizeof *parts.face_counts),
                      .of_face = weft_alloc(source->face_count, sizeof *parts.of_face)};
  parts.count = list_names(source, word, parts.names);
  uint32_t line = 0, part = WEFT_PART_NONE;
  for (uint32_t f = 0; f < source->face_count; ++f) {
    for (; line < source->line_count && source->lines[line].face <= f; ++line) {
      const char *text = source->lines[line].text;
      if (source->lines[line].word == word)
        part = text[0] ? part_named(&parts, text) : WEFT_PART_NONE;
    }
    parts.of_face[f] = part;
    if (part != WEFT_PART_NONE) parts.face_counts[part]++;
  }
  return parts;
}

void weft_parts_free(weft_parts *parts) {
  weft_free(parts->names);
  weft_free(parts->face_counts);
  weft_free(parts->of_face);
  *parts = (weft_parts){0};
}
