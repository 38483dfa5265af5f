/* text_of.h: what is in a file. */
#ifndef WEFT_TESTS_TEXT_OF_H
#define WEFT_TESTS_TEXT_OF_H

#include <stdio.h>

#include "base.h"
#include "cmocka_all.h"

/* To be freed by weft_free; ends with a 0. */
static inline char *text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  long size = ftell(file);
  rewind(file);
  char *text = weft_alloc((size_t)size + 1, 1);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

#endif
