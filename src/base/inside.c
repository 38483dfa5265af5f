/* inside.c: whether a name that stands in a file leads out of that file's folder. */
#include <ctype.h>
#include <string.h>

#include "base.h"

/* "http:", "file:", "C:" and the like. */
static bool has_scheme(const char *name) {
  if (!isalpha((unsigned char)*name)) return false;
  while (isalnum((unsigned char)*name) || *name == '+' || *name == '-' || *name == '.') ++name;
  return *name == ':';
}

bool weft_name_stays(const char *name) {
  int depth = 0;
  if (*name == '/' || *name == '\\' || has_scheme(name)) return false;
  for (const char *at = name; *at && depth >= 0;) {
    const size_t length = strcspn(at, "/\\");
    if (length == 2 && at[0] == '.' && at[1] == '.') {
      --depth;
    } else if (length > 0 && !(length == 1 && at[0] == '.')) {
      ++depth;
    }
    at += length + (at[length] != 0);
  }
  return depth >= 0;
}

static int hex_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

char *weft_uri_decode(const char *uri) {
  char *out = weft_alloc(strlen(uri) + 1, 1), *at = out;
  for (; *uri; ++uri) {
    const bool escaped = *uri == '%' && hex_of(uri[1]) >= 0 && hex_of(uri[2]) >= 0;
    *at++ = escaped ? (char)(16 * hex_of(uri[1]) + hex_of(uri[2])) : *uri;
    if (escaped) uri += 2;
  }
  return out;
}
