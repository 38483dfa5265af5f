/* reader_solids.c: names of the solids of an STL file of text. A name is the rest of its line; the
 * importer library takes the first word of it. */
#include "reader_internal.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/* The next line, without blanks at its ends; false behind the last. */
static bool next_line(weft_reader_solids *s, const char **line, size_t *length) {
  if (s->at == s->end) return false;
  const char *begin = s->at, *stop = begin;
  while (stop < s->end && *stop != '\n' && *stop != '\r') ++stop;
  s->at = stop < s->end ? stop + 1 : stop;
  while (begin < stop && is_blank(*begin)) ++begin;
  while (stop > begin && is_blank(stop[-1])) --stop;
  *line = begin;
  *length = (size_t)(stop - begin);
  return true;
}

/* "solid NAME" becomes NAME. */
static bool is_solid(const char **line, size_t *length) {
  enum { WORD = 5 };
  if (*length <= WORD || memcmp(*line, "solid", WORD) != 0 || !is_blank((*line)[WORD])) {
    return false;
  }
  const char *end = *line + *length;
  *line += WORD;
  while (is_blank(**line)) ++*line;
  *length = (size_t)(end - *line);
  return true;
}

static bool begins_with(const char *name, size_t length, const char *word, size_t word_length) {
  return length >= word_length && memcmp(name, word, word_length) == 0 &&
         (length == word_length || is_blank(name[word_length]));
}

bool weft_reader_next_solid(weft_reader_solids *solids, const char *word, size_t word_length,
                            const char **name, size_t *length) {
  weft_reader_solids look = *solids;
  while (next_line(&look, name, length)) {
    if (!is_solid(name, length) || !begins_with(*name, *length, word, word_length)) continue;
    *solids = look;
    return true;
  }
  return false;
}
