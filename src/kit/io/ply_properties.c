/* ply_properties.c: the header of PLY is text, a property a line, under its element. */
#include "ply_properties.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 5, WORD = 40, LONGEST_HEADER = 1 << 20 };

typedef struct line {
  char words[WORDS][WORD];
} line;

static line split(const char *at, size_t length) {
  line l = {.words = {""}};
  for (int k = 0; k < WORDS; ++k) {
    while (length > 0 && isspace((unsigned char)*at)) ++at, --length;
    size_t word = 0;
    while (word < length && !isspace((unsigned char)at[word])) ++word;
    snprintf(l.words[k], WORD, "%.*s", (int)(word < WORD ? word : WORD - 1), at);
    at += word;
    length -= word;
  }
  return l;
}

static bool is_one_of(const char *word, const char *const *list) {
  while (*list && strcmp(word, *list) != 0) ++list;
  return *list != NULL;
}

/* Normals are computed, not kept; of alpha the colours themselves say whether it is any. */
static const char *const kept[] = {"x",
                                   "y",
                                   "z",
                                   "nx",
                                   "ny",
                                   "nz",
                                   "s",
                                   "t",
                                   "u",
                                   "v",
                                   "tx",
                                   "ty",
                                   "texture_u",
                                   "texture_v",
                                   "red",
                                   "green",
                                   "blue",
                                   "alpha",
                                   "r",
                                   "g",
                                   "b",
                                   "a",
                                   "diffuse_red",
                                   "diffuse_green",
                                   "diffuse_blue",
                                   "diffuse_alpha",
                                   NULL};
static const char *const kept_of_faces[] = {"vertex_indices", "vertex_index", "texcoord", NULL};
static const char *const reds[] = {"red", "r", "diffuse_red", NULL};
static const char *const bytes_types[] = {"uchar", "uint8", "char", "int8", NULL};
static const char *const short_types[] = {"ushort", "uint16", "short", "int16", NULL};

static void lose(weft_ply_properties *p, const char *element, const char *name) {
  const size_t used = strlen(p->lost);
  snprintf(p->lost + used, sizeof p->lost - used, "%s%s%s", used ? ", " : "", element, name);
}

static void read_property(weft_ply_properties *p, const char *element, const line *l) {
  const bool list = strcmp(l->words[1], "list") == 0, face = strcmp(element, "face") == 0;
  const char *type = l->words[1], *name = l->words[list ? 4 : 2];
  if (face) {
    if (!is_one_of(name, kept_of_faces)) lose(p, "face ", name);
  } else if (strcmp(element, "vertex") == 0) {
    if (!is_one_of(name, kept)) lose(p, "", name);
    if (!is_one_of(name, reds)) return;
    p->colour_one = is_one_of(type, bytes_types) ? 255 : is_one_of(type, short_types) ? 65535 : 1;
  }
}

static void read_element(weft_ply_properties *p, const char *name) {
  static const char *const read[] = {"vertex", "face", "tristrips", NULL};
  if (!is_one_of(name, read)) lose(p, "element ", name);
}

weft_ply_properties weft_ply_read_properties(const char *bytes, size_t length) {
  weft_ply_properties p = {0};
  char element[WORD] = "";
  const char *at = bytes, *end = bytes + (length < LONGEST_HEADER ? length : LONGEST_HEADER);
  if (length < 4 || memcmp(bytes, "ply", 3) != 0) return p;
  while (at < end) {
    size_t size = 0;
    while (at + size < end && at[size] != '\n' && at[size] != '\r') ++size;
    const line l = split(at, size);
    if (strcmp(l.words[0], "end_header") == 0) break;
    if (strcmp(l.words[0], "element") == 0) {
      memcpy(element, l.words[1], WORD);
      read_element(&p, element);
    }
    if (strcmp(l.words[0], "property") == 0) read_property(&p, element, &l);
    at += size + (at + size < end);
  }
  return p;
}
