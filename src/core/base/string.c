/* string.c: text that grows as it is written, beginnings and endings. */

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base.h"

void weft_string_add_bytes(weft_string *string, const void *bytes, size_t count) {
  weft_grow((void **)&string->bytes, &string->capacity, string->count + count + 1, 1);
  memcpy(string->bytes + string->count, bytes, count);
  string->count += count;
  string->bytes[string->count] = '\0';
}

void weft_string_add(weft_string *string, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  size_t count = (size_t)vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  weft_grow((void **)&string->bytes, &string->capacity, string->count + count + 1, 1);
  vsnprintf(string->bytes + string->count, count + 1, format, again);
  va_end(again);
  string->count += count;
}

void weft_string_free(weft_string *string) {
  weft_free(string->bytes);
  *string = (weft_string){0};
}

bool weft_ends_with(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  bool same = n > m;
  for (size_t k = 0; same && k < m; ++k) {
    same = tolower((unsigned char)path[n - m + k]) == ending[k];
  }
  return same;
}

bool weft_begins_with(const char *bytes, size_t length, const char *text) {
  const size_t n = strlen(text);
  return length >= n && memcmp(bytes, text, n) == 0;
}
