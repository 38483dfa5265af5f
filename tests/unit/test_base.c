#define _POSIX_C_SOURCE 200809L
/* Base: parsing under any locale, output files that lose nothing, hash against published values,
 * vectors. */
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"
#include "cmocka_all.h"
#include "output.h"
#include "vec3d.h"

static void parses_decimals_under_any_locale(void **state) {
  (void)state;
  const char *text = "-1.25e2 rest";
  const char *locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
  for (size_t i = 0; i < 3; ++i) {
    setlocale(LC_ALL, locales[i]); /* where absent, the locale stays and the claim still holds */
    double value = 0;
    const char *stop = weft_parse_double(text, text + strlen(text), &value);
    assert_int_equal(stop - text, 7);
    assert_true(value == -125.0);
  }
  setlocale(LC_ALL, "C");
  const char *word = "x1";
  double value = 7;
  assert_ptr_equal(weft_parse_double(word, word + 2, &value), word);
  assert_ptr_equal(weft_parse_double(word, word, &value), word);
}

static void hash_is_fnv1a(void **state) {
  (void)state;
  /* Test vectors of the FNV reference page. */
  assert_true(weft_hash_bytes(WEFT_HASH_SEED, "", 0) == UINT64_C(0xcbf29ce484222325));
  assert_true(weft_hash_bytes(WEFT_HASH_SEED, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(weft_hash_bytes(WEFT_HASH_SEED, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void abandoned_output_leaves_the_old_file(void **state) {
  (void)state;
  char path[] = "/tmp/weft-test-output-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "old", 3), 3);
  close(fd);
  weft_output *out;
  weft_error err;
  assert_int_equal(weft_output_open(path, &out, &err), WEFT_OK);
  fputs("new and longer", weft_output_file(out));
  weft_output_abandon(out);
  char text[32] = {0};
  FILE *file = fopen(path, "rb");
  assert_int_equal(fread(text, 1, sizeof text - 1, file), 3);
  fclose(file);
  assert_string_equal(text, "old");
  assert_int_equal(weft_output_open(path, &out, &err), WEFT_OK);
  fputs("new", weft_output_file(out));
  assert_int_equal(weft_output_close(out, &err), WEFT_OK);
  unlink(path);
  assert_int_equal(weft_output_open("/nonexistent/x", &out, &err), WEFT_ERROR_FILE);
  assert_non_null(strstr(err.message, "/nonexistent/x"));
}

/* Of two that are open, with one closed before: nothing stays under another name. */
static void a_process_that_ends_at_once_leaves_no_unfinished_output(void **state) {
  (void)state;
  char folder[] = "/tmp/weft-test-outputs-XXXXXX", path[3][64];
  assert_non_null(mkdtemp(folder));
  weft_output *out[3];
  weft_error err;
  for (int k = 0; k < 3; ++k) {
    snprintf(path[k], sizeof path[k], "%s/%d", folder, k);
    assert_int_equal(weft_output_open(path[k], &out[k], &err), WEFT_OK);
  }
  assert_int_equal(weft_output_close(out[1], &err), WEFT_OK);
  weft_outputs_abandon();
  assert_int_equal(unlink(path[1]), 0);
  assert_int_equal(rmdir(folder), 0); /* and that was all */
  weft_output_abandon(out[2]);
  weft_output_abandon(out[0]);
}

static void a_pipe_is_written_not_replaced(void **state) {
  (void)state;
  char path[] = "/tmp/weft-test-pipe-XXXXXX";
  assert_non_null(mkdtemp(path));
  char pipe_path[64];
  snprintf(pipe_path, sizeof pipe_path, "%s/pipe", path);
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  int reader = open(pipe_path, O_RDONLY | O_NONBLOCK);
  assert_true(reader >= 0);
  weft_output *out;
  weft_error err;
  assert_int_equal(weft_output_open(pipe_path, &out, &err), WEFT_OK);
  fputs("text", weft_output_file(out));
  assert_int_equal(weft_output_close(out, &err), WEFT_OK);
  char text[8] = {0};
  assert_int_equal(read(reader, text, sizeof text), 4);
  assert_string_equal(text, "text");
  struct stat info;
  assert_int_equal(stat(pipe_path, &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
  close(reader);
  unlink(pipe_path);
  rmdir(path);
}

/* ---- vectors of doubles ---- */

static void assert_vector(weft_vec3d v, double x, double y, double z) {
  if (v.x == x && v.y == y && v.z == z) return;
  fail_msg("(%.17g, %.17g, %.17g) instead of (%g, %g, %g)", v.x, v.y, v.z, x, y, z);
}

static void vectors_of_doubles_add_multiply_and_measure(void **state) {
  (void)state;
  weft_vec3d a = {1, 2, 3}, b = {4, -5, 6};
  assert_vector(weft_v3d_add(a, b), 5, -3, 9);
  assert_vector(weft_v3d_sub(a, b), -3, 7, -3);
  assert_vector(weft_v3d_scale(a, -2), -2, -4, -6);
  assert_vector(weft_v3d_add_scaled(a, 2, b), 9, -8, 15);
  assert_vector(weft_v3d_cross(a, b), 27, 6, -13);
  assert_true(weft_v3d_dot(a, b) == 12);
  assert_true(weft_v3d_length(weft_v3d(2, 3, 6)) == 7);
  assert_true(weft_v3d_distance(weft_v3d(1, 1, 1), weft_v3d(3, 4, 7)) == 7);
}

static void points_of_floats_are_measured_in_doubles(void **state) {
  (void)state;
  /* 1e20 squared is no float. */
  assert_true(weft_v3_distance(weft_v3(0, 3e20f, 0), weft_v3(4e20f, 0, 0)) > 4.99e20);
  assert_true(weft_v3_triangle_area(weft_v3(1, 1, 1), weft_v3(1, 4, 1), weft_v3(1, 1, 5)) == 6);
}

/* (1, 1, 1) is the axis about which a third of a turn takes x to y, y to z and z to x. */
static void a_vector_turns_about_an_axis(void **state) {
  (void)state;
  double third = 2 * acos(-1.0) / 3 / sqrt(3.0);
  weft_vec3d turned = weft_v3d_rotate(weft_v3d(1, 2, 3), weft_v3d(third, third, third));
  assert_true(weft_v3d_distance(turned, weft_v3d(3, 1, 2)) < 1e-14);
  weft_vec3d quarter = {0, 0, acos(-1.0) / 2};
  assert_true(weft_v3d_distance(weft_v3d_rotate(weft_v3d(2, 0, 7), quarter), weft_v3d(0, 2, 7)) <
              1e-14);
  assert_vector(weft_v3d_rotate(weft_v3d(2, 0, 7), weft_v3d(0, 0, 0)), 2, 0, 7);
}

static void shows(const char *text, size_t length, const char *wanted) {
  char out[64];
  assert_string_equal(weft_printable(text, length, out, sizeof out), wanted);
}

static void text_is_printable(void **state) {
  (void)state;
  shows("plain", 5, "plain");
  shows("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x91\x95", 15,
        "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x91\x95");
  shows("\x1b[31m\n\t\x7f", 8, "\\x1b[31m\\x0a\\x09\\x7f");
  shows("a\0b", 3, "a\\x00b");
  shows("\xc2\x9b", 2, "\\xc2\\x9b");                   /* CSI of Latin-1 */
  shows("\xe2\x80\xae", 3, "\\xe2\\x80\\xae");          /* from right to left */
  shows("\xff\xc0\x80", 3, "\\xff\\xc0\\x80");          /* no UTF-8: never, too long */
  shows("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");          /* a surrogate */
  shows("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* beyond the last */
  shows("\xe2\x82", 2, "\\xe2\\x82");                   /* cut off */
}

/* Whatever the room, what is written ends in it, and is cut between characters. */
static void text_is_cut(void **state) {
  (void)state;
  char out[64];
  assert_string_equal(weft_printable("0123456789", 10, out, 8), "0123...");
  assert_string_equal(weft_printable("0123456", 7, out, 8), "0123456");
  for (size_t size = 8; size < sizeof out; ++size) {
    memset(out, 'x', sizeof out);
    weft_printable("\x1b\xc3\xbc\x1b\xc3\xbc\x1b\xc3\xbc\x1b\xc3\xbc\x1b\xc3\xbc", 15, out, size);
    assert_true(strlen(out) < size);
    char again[256];
    assert_string_equal(weft_printable(out, strlen(out), again, sizeof again), out);
  }
}

static void sentences_are_printable(void **state) {
  (void)state;
  weft_error err = {0};
  weft_fail(&err, WEFT_ERROR_FILE, "%s", "a\x1b[2J\nb");
  assert_string_equal(err.message, "a\\x1b[2J\\x0ab");
  weft_fail(&err, WEFT_ERROR_FILE, "again: %s", err.message);
  assert_string_equal(err.message, "again: a\\x1b[2J\\x0ab");
}

static void names_stay_in_their_folder(void **state) {
  (void)state;
  static const char *const inside[] = {"a.bin", "a/b.bin", "./a",     "a/../b", "a/b/../../c",
                                       "..a",   "a..",     "a b:c/d", ""};
  static const char *const outside[] = {"/a",     "..",    "../a",     "a/../../b",    "http://a/b",
                                        "file:a", "C:\\a", "\\\\a\\b", "a\\..\\..\\b", "./../a"};
  for (size_t k = 0; k < sizeof inside / sizeof *inside; ++k)
    assert_true(weft_name_stays(inside[k]));
  for (size_t k = 0; k < sizeof outside / sizeof *outside; ++k)
    assert_false(weft_name_stays(outside[k]));
  char *decoded = weft_uri_decode("%2e%2E/a%20b%zz%");
  assert_string_equal(decoded, "../a b%zz%");
  weft_free(decoded);
}

static void names_end_and_bytes_begin(void **state) {
  (void)state;
  assert_true(weft_ends_with("a/b.OBJ", ".obj") && weft_ends_with("x.tar.pc2", ".pc2"));
  assert_false(weft_ends_with(".obj", ".obj") || weft_ends_with("bj", ".obj") ||
               weft_ends_with("a.obj.gz", ".obj") || weft_ends_with("aobj", ".obj"));
  assert_true(weft_begins_with("plyx", 3, "ply") && weft_begins_with("", 0, ""));
  assert_false(weft_begins_with("plyx", 2, "ply") || weft_begins_with("xply", 4, "ply"));
}

/* As code that keeps what it has written does. Compilers that make vectors of it may lose the
 * rounding. */
static void __attribute__((noinline)) round_in_place(weft_vec3 *rounded, weft_vec3d *x, int count) {
  for (int i = 0; i < count; ++i) {
    rounded[i] = weft_v3d_round(x[i]);
    x[i] = weft_v3d_from(rounded[i]);
  }
}

static void doubles_that_were_rounded_stay_so(void **state) {
  (void)state;
  enum { MOST = 17 };
  for (int count = 1; count <= MOST; ++count) {
    weft_vec3 rounded[MOST];
    weft_vec3d x[MOST];
    for (int i = 0; i < count; ++i) x[i] = weft_v3d(0.1 + i, 0.2 + i, 0.3 + i);
    round_in_place(rounded, x, count);
    for (int i = 0; i < count; ++i) {
      const volatile float kept[3] = {rounded[i].x, rounded[i].y, rounded[i].z};
      assert_true(kept[0] == (float)(0.1 + i) && x[i].x == (double)kept[0]);
      assert_true(kept[1] == (float)(0.2 + i) && x[i].y == (double)kept[1]);
      assert_true(kept[2] == (float)(0.3 + i) && x[i].z == (double)kept[2]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_printable),
      cmocka_unit_test(text_is_cut),
      cmocka_unit_test(sentences_are_printable),
      cmocka_unit_test(names_stay_in_their_folder),
      cmocka_unit_test(parses_decimals_under_any_locale),
      cmocka_unit_test(hash_is_fnv1a),
      cmocka_unit_test(abandoned_output_leaves_the_old_file),
      cmocka_unit_test(a_process_that_ends_at_once_leaves_no_unfinished_output),
      cmocka_unit_test(a_pipe_is_written_not_replaced),
      cmocka_unit_test(vectors_of_doubles_add_multiply_and_measure),
      cmocka_unit_test(points_of_floats_are_measured_in_doubles),
      cmocka_unit_test(a_vector_turns_about_an_axis),
      cmocka_unit_test(names_end_and_bytes_begin),
      cmocka_unit_test(doubles_that_were_rounded_stay_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
