#define _DEFAULT_SOURCE
/* Vertices by the names and colours of a file, against what is written down for it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft_kit/source.h>

#include "base.h"
#include "cmocka_all.h"

static const char *const text =
    "v 0 0 0 1 0 0\nv 1 0 0 1 0.2 0\nv 1 1 0\nv 0 1 0 1 0.3 0\nv 2 0 0 255 0 0\nv 2 1 0 0 0 0\n"
    "f 1 2 3\n" /* before all names */
    "g left  front\nusemtl red cloth \nf 1 2 3 4\n"
    "o front panel\ng right\nf 2 5 6 3\n" /* red still */
    "usemtl\ng left\nf 1 2 5\n"           /* no material; of the object still */
    "o\ng\nusemtl blue\nf 3 4 6\n";       /* neither group nor object */
enum { VERTICES = 6 };

static weft_source source_of(const char *contents) {
  char path[] = "/tmp/weft-test-names-XXXXXX.obj";
  int fd = mkstemps(path, 4);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, contents, strlen(contents)), (ssize_t)strlen(contents));
  close(fd);
  weft_source source;
  weft_error err = {0};
  if (weft_source_read(path, NULL, &source, &err) != WEFT_OK) fail_msg("%s", err.message);
  unlink(path);
  return source;
}

static void assert_marked(const bool *marked, const char *wanted) {
  for (uint32_t v = 0; v < VERTICES; ++v) assert_int_equal(marked[v], wanted[v] == '1');
}

static void faces_under_a_name_are_marked(void **state) {
  (void)state;
  static const struct {
    weft_source_word word;
    const char *name, *marked;
  } cases[] = {
      {WEFT_SOURCE_GROUP, "left", "111110"},        {WEFT_SOURCE_GROUP, "front", "111100"},
      {WEFT_SOURCE_GROUP, "right", "011011"},       {WEFT_SOURCE_GROUP, "front panel", "111011"},
      {WEFT_SOURCE_OBJECT, "right", "011011"},      {WEFT_SOURCE_MATERIAL, "blue", "001101"},
      {WEFT_SOURCE_MATERIAL, "red cloth", "111111"}};
  weft_source source = source_of(text);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    bool marked[VERTICES] = {false};
    weft_error err = {0};
    if (weft_source_select(&source, cases[k].word, cases[k].name, marked, &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
    assert_marked(marked, cases[k].marked);
  }
  bool kept[VERTICES] = {false, false, false, false, false, true};
  assert_int_equal(weft_source_select(&source, WEFT_SOURCE_GROUP, "front", kept, NULL), WEFT_OK);
  assert_marked(kept, "111101");
  weft_source_free(&source);
}

static void names_that_are_not_there_are_told(void **state) {
  (void)state;
  weft_source source = source_of(text);
  bool marked[VERTICES] = {false};
  weft_error err = {0};
  assert_int_equal(weft_source_select(&source, WEFT_SOURCE_GROUP, "panel", marked, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message,
                      "no group or object 'panel'; the file has left, front, front "
                      "panel, right");
  assert_int_equal(weft_source_select(&source, WEFT_SOURCE_MATERIAL, "red", marked, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message, "no material 'red'; the file has red cloth, blue");
  assert_int_equal(weft_source_select(&source, WEFT_SOURCE_SMOOTHING, "1", marked, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_marked(marked, "000000");
  assert_int_equal(weft_source_select(NULL, WEFT_SOURCE_GROUP, "left", marked, &err),
                   WEFT_ERROR_ARGUMENT);
  weft_source_free(&source);
}

/* As many names as fit a sentence; the sentence says that there are more. */
static void long_lists_of_names_end(void **state) {
  (void)state;
  weft_string many = {0};
  weft_string_add(&many, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  for (int k = 0; k < 500; ++k) weft_string_add(&many, "g name%d\nf 1 2 3\n", k);
  weft_source source = source_of(many.bytes);
  bool marked[3] = {false};
  weft_error err = {0};
  assert_int_equal(weft_source_select(&source, WEFT_SOURCE_GROUP, "x", marked, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "name0, name1, "));
  assert_non_null(strstr(err.message, " and more"));
  weft_source_free(&source);
  weft_string_free(&many);
}

static void colours_are_marked(void **state) {
  (void)state;
  static const struct {
    float rgb[3], within;
    const char *marked;
  } cases[] = {{{1, 0, 0}, 0.25f, "110000"},
               {{1, 0, 0}, 0, "100000"},
               {{1, 0, 0}, 0.3f, "110100"},
               {{200, 0, 0}, 64, "000010"},
               {{0, 0, 0}, 0.5f, "000001"}};
  weft_source source = source_of(text);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    bool marked[VERTICES] = {false};
    assert_int_equal(
        weft_source_select_coloured(&source, cases[k].rgb, cases[k].within, marked, NULL), WEFT_OK);
    assert_marked(marked, cases[k].marked);
  }
  bool marked[VERTICES] = {false};
  weft_error err = {0};
  const float green[3] = {0, 1, 0};
  assert_int_equal(weft_source_select_coloured(&source, green, 0.1f, marked, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message,
                      "no vertex has a colour within 0.1 of 0,1,0; the file has 1,0,0; "
                      "1,0.2,0; 1,0.3,0; 255,0,0; 0,0,0");
  weft_source_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faces_under_a_name_are_marked),
      cmocka_unit_test(names_that_are_not_there_are_told),
      cmocka_unit_test(long_lists_of_names_end),
      cmocka_unit_test(colours_are_marked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
