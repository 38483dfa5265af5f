/* inside.c: names that stand in a file, which may not lead out of that file's folder. */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "named_file.h"

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

/* ---- the file of a name ---- */

static char *join_folder(const char *file, const char *name) {
  const char *slash = strrchr(file, '/');
  weft_string path = {0};
  if (slash) weft_string_add_bytes(&path, file, (size_t)(slash + 1 - file));
  weft_string_add_bytes(&path, name, strlen(name));
  return path.bytes;
}

/* Of places without links. */
static bool is_below(const char *path, const char *folder) {
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (folder[length - 1] == '/' || path[length] == '/');
}

/* Links are followed first, so that none of them leads out. */
static weft_named look_beside(const char *file, const char *name, char **path) {
  weft_free(*path);
  *path = join_folder(file, name);
  char *dot = join_folder(file, ".");
  char places[2][PATH_MAX];
  const char *folder = realpath(dot, places[0]),
             *place = folder ? realpath(*path, places[1]) : NULL;
  weft_named found = WEFT_NAMED_MISSING;
  if (place) found = is_below(place, folder) ? WEFT_NAMED_FOUND : WEFT_NAMED_OUTSIDE;
  weft_free(dot);
  return found;
}

weft_named weft_find_beside(const char *file, const char *name, char **path) {
  char *decoded = weft_uri_decode(name);
  weft_named found = WEFT_NAMED_OUTSIDE;
  *path = NULL;
  if (weft_name_stays(name) && weft_name_stays(decoded)) {
    found = look_beside(file, decoded, path);
    if (found == WEFT_NAMED_MISSING) found = look_beside(file, name, path);
  }
  weft_free(decoded);
  return found;
}
