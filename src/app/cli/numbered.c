/* numbered.c: before the frame number, its digits, after it. */
#include "numbered.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool weft_numbered_read(const char *text, weft_numbered *pattern) {
  const char *percent = strchr(text, '%');
  *pattern = (weft_numbered){0};
  if (!percent) return true;
  bool well = percent[1] == '0' && percent[2] >= '1' && percent[2] <= '9' && percent[3] == 'd' &&
              !strchr(percent + 4, '%');
  if (!well) return false;
  *pattern = (weft_numbered){true, (int)(percent - text), percent[2] - '0', percent + 4};
  return true;
}

void weft_numbered_name(const char *text, const weft_numbered *pattern, uint64_t frame, char *name,
                        size_t size) {
  if (!pattern->numbered) {
    snprintf(name, size, "%s", text);
  } else {
    snprintf(name, size, "%.*s%0*llu%s", pattern->prefix, text, pattern->digits,
             (unsigned long long)frame, pattern->suffix);
  }
}

bool weft_name_ends(const char *path, const char *const *endings) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  bool known = !dot;
  for (; *endings && !known; ++endings) known = strcasecmp(dot, *endings) == 0;
  return known;
}
