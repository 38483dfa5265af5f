/* library.c: a relative name leads from the folder of one file to another file. */
#define _XOPEN_SOURCE 700
#include "library.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "mesh_internal.h"

/* Of the file; NULL where there is none. */
static char *real_folder(const char *file, char real[PATH_MAX]) {
  const char *slash = strrchr(file, '/');
  weft_string folder = {0};
  weft_string_add(&folder, "%.*s", slash ? (int)(slash + 1 - file) : 1, slash ? file : ".");
  char *found = realpath(folder.bytes, real);
  weft_string_free(&folder);
  return found;
}

/* "../" for each folder that has to be left, and those that have to be entered; "" for the same. */
static void add_way(weft_string *out, const char *from, const char *to) {
  size_t common = 0;
  for (size_t k = 0;; ++k) {
    const bool from_ends = !from[k] || from[k] == '/', to_ends = !to[k] || to[k] == '/';
    if (from_ends && to_ends) common = k;
    if (!from[k] || from[k] != to[k]) break;
  }
  const char *left = from + common, *entered = to + common;
  for (; *left; ++left) {
    if (*left == '/' && left[1]) weft_string_add(out, "../");
  }
  if (*entered == '/') ++entered;
  if (*entered) weft_string_add(out, "%s/", entered);
}

static bool is_there(const char *folder, const char *name, size_t length) {
  struct stat info;
  weft_string path = {0};
  weft_string_add(&path, "%s/%.*s", folder, (int)length, name);
  const bool there = stat(path.bytes, &info) == 0 && S_ISREG(info.st_mode);
  weft_string_free(&path);
  return there;
}

static void add_name(weft_string *out, const char *way, const char *folder, const char *name,
                     size_t length) {
  if (length > 0 && *name != '/' && is_there(folder, name, length)) weft_string_add(out, "%s", way);
  weft_string_add_bytes(out, name, length);
}

/* One name with blanks in it, or several names. */
static void add_names(weft_string *out, const char *way, const char *folder, const char *names) {
  const size_t length = strlen(names);
  if (is_there(folder, names, length)) {
    add_name(out, way, folder, names, length);
    return;
  }
  while (*names) {
    const size_t word = strcspn(names, " \t"), blanks = strspn(names + word, " \t");
    add_name(out, way, folder, names, word);
    weft_string_add_bytes(out, names + word, blanks);
    names += word + blanks;
  }
}

char *weft_library_from(const char *path, const char *source, const char *names) {
  const bool stays = !source || strcmp(path, "-") == 0;
  char folders[2][PATH_MAX];
  const char *from = stays ? NULL : real_folder(path, folders[0]),
             *to = from ? real_folder(source, folders[1]) : NULL;
  weft_string way = {0}, out = {0};
  weft_string_add(&way, "%s", "");
  weft_string_add(&out, "%s", "");
  if (to) add_way(&way, from, to);
  if (way.count > 0) {
    add_names(&out, way.bytes, to, names);
  } else {
    weft_string_add(&out, "%s", names);
  }
  weft_string_free(&way);
  return out.bytes;
}

char *weft_name_from(const char *path, const char *other) {
  char from[PATH_MAX], to[PATH_MAX];
  const char *slash = strrchr(path, '/');
  weft_string way = {0};
  if (path[0] == '/' || !real_folder(other, from) || !real_folder(path, to)) {
    return weft_strdup(path);
  }
  add_way(&way, from, to);
  weft_string_add(&way, "%s", slash ? slash + 1 : path);
  return way.bytes;
}
