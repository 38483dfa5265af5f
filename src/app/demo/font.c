/* font.c: asks libfontconfig. Its few functions have been the same since version 2.0 and are
 * declared here, so that nothing but a C library is needed to build. */
#include "font.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

/* Families in the order of preference; no variable fonts, which Dear ImGui cannot read. */
static const char wanted[] =
    "DejaVu Sans,Noto Sans,Liberation Sans,sans-serif:fontformat=TrueType:variable=false";

enum { MATCH_PATTERN = 0, RESULT_MATCH = 0 };

typedef struct fontconfig {
  void *library;
  void *(*name_parse)(const unsigned char *name);
  int (*substitute)(void *config, void *pattern, int kind);
  void (*default_substitute)(void *pattern);
  void *(*match)(void *config, void *pattern, int *result);
  int (*get_string)(const void *pattern, const char *object, int n, unsigned char **text);
  void (*destroy)(void *pattern);
} fontconfig;

static bool find(const fontconfig *f, const char *name, void *function) {
  void *found = dlsym(f->library, name);
  memcpy(function, &found, sizeof found); /* ISO C has no cast between the two */
  return found != NULL;
}

static bool open_library(fontconfig *f) {
  f->library = dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL);
  return f->library && find(f, "FcNameParse", &f->name_parse) &&
         find(f, "FcConfigSubstitute", &f->substitute) &&
         find(f, "FcDefaultSubstitute", &f->default_substitute) &&
         find(f, "FcFontMatch", &f->match) && find(f, "FcPatternGetString", &f->get_string) &&
         find(f, "FcPatternDestroy", &f->destroy);
}

/* The library stays loaded: it keeps what it has read until the program ends. */
bool weft_demo_font_file(char *path, size_t size) {
  fontconfig f = {0};
  unsigned char *file = NULL;
  int result = 0;
  *path = 0;
  if (!open_library(&f)) return false;
  void *pattern = f.name_parse((const unsigned char *)wanted);
  if (!pattern) return false;
  f.substitute(NULL, pattern, MATCH_PATTERN);
  f.default_substitute(pattern);
  void *match = f.match(NULL, pattern, &result);
  if (match && f.get_string(match, "file", 0, &file) == RESULT_MATCH && file) {
    snprintf(path, size, "%s", (const char *)file);
  }
  if (match) f.destroy(match);
  f.destroy(pattern);
  return weft_ends_with(path, ".ttf") && access(path, R_OK) == 0;
}
