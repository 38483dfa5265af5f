/* foreign_words.c: what the importer library says, for people who never heard of it. */
#include <ctype.h>

#include "foreign.h"

/* In the order in which they are looked for; %s is the first quoted word of what was said. */
static const struct {
  const char *said, *means;
} meanings[] = {
    {"bad_alloc",
     "it takes more memory than a file of its size may: damaged, or its counts are wrong"},
    {"orphaned", "no triangles in it"},
    {"No meshes", "no triangles in it"},
    {"could not open referenced file", "it names the file \"%s\", which cannot be read beside it"},
    {"No suitable reader",
     "it is in no format that is read: its first bytes do not say what its name does"},
    {"Unable to extract mesh data", "its data end early, or are not what its header says"},
    {"recursive reference", "one of its nodes is its own ancestor"},
    {"GLTF: No scene", "no scene in it"},
    {"empty", "it is empty, or ends before anything is in it"},
    {"too short", "it ends too early"},
    {"too small", "it ends too early"},
    {"EOF", "it ends too early"},
    {"is out of range", "one of its accessors ends behind its buffer"},
    {"exceeds size of actual data", "one of its buffers is shorter than it says"},
};

/* The first word between double quotes. */
static int find_quoted(const char *said, const char **begin) {
  const char *open = strchr(said, '"'), *close = open ? strchr(open + 1, '"') : NULL;
  *begin = close ? open + 1 : "";
  return close && close - open < 120 ? (int)(close - open - 1) : 0;
}

/* "GLTF: " and the like before a sentence, and what stands at its end. */
static void clean(const char *said, char *out, size_t size) {
  const char *colon = strstr(said, ": ");
  const bool prefix = colon && colon - said < 16 && !memchr(said, ' ', (size_t)(colon - said));
  if (prefix) said = colon + 2;
  size_t used = 0;
  for (; *said && used + 1 < size; ++said) {
    const bool blank = isspace((unsigned char)*said);
    if (blank && (used == 0 || out[used - 1] == ' ')) continue;
    out[used++] = blank ? ' ' : *said;
  }
  while (used > 0 && (out[used - 1] == ' ' || out[used - 1] == '.')) --used;
  out[used] = 0;
}

void weft_foreign_words(const char *said, char *reason, size_t size) {
  char plain[240];
  const char *quoted;
  for (size_t k = 0; k < sizeof meanings / sizeof *meanings; ++k) {
    if (!strstr(said, meanings[k].said)) continue;
    const char *place = strstr(meanings[k].means, "%s");
    const int length = find_quoted(said, &quoted);
    if (!place) {
      snprintf(reason, size, "%s", meanings[k].means);
    } else {
      snprintf(reason, size, "%.*s%.*s%s", (int)(place - meanings[k].means), meanings[k].means,
               length, quoted, place + 2);
    }
    return;
  }
  clean(said, plain, sizeof plain);
  snprintf(reason, size, "assimp could not read it: %s", plain);
}
