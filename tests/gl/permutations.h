/* Which programs a shader file makes: one without defines, and one per entry of its comment
 * "// permutations: A=1; A=1 B=2", so that the shader itself says what must compile. */
#ifndef WEFT_TESTS_PERMUTATIONS_H
#define WEFT_TESTS_PERMUTATIONS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The index-th set of defines (0 is the empty one); false past the last. */
static inline bool shader_permutation(const char *text, unsigned index, char *defines,
                                      size_t size) {
  defines[0] = '\0';
  if (index == 0) return true;
  const char *mark = "// permutations:";
  for (const char *p = strstr(text, mark); p; p = strstr(p, mark)) {
    p += strlen(mark);
    while (*p && *p != '\n') {
      p += strspn(p, " ;");
      size_t length = strcspn(p, ";\n");
      if (length && --index == 0) {
        snprintf(defines, size, "%.*s", (int)length, p);
        return true;
      }
      p += length;
    }
  }
  return false;
}

/* "comp", "vert" or "frag"; NULL for files that are only included. */
static inline const char *shader_stage(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot) return NULL;
  if (!strcmp(dot, ".comp") || !strcmp(dot, ".vert") || !strcmp(dot, ".frag")) return dot + 1;
  return NULL;
}

#endif
