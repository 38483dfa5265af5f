#define _POSIX_C_SOURCE 200809L
/* OBJ import: what exporters really write, what must be refused and in which words, under any
 * locale; and a seeded fuzz of the reader. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/mesh.h>
#include <weft_kit/export.h>
#include <weft_kit/import.h>

#include "base.h"
#include "cmocka_all.h"
#include "obj.h"
#include "uvs.h"

static char path[64];

static void write_file(const char *bytes, size_t length) {
  strcpy(path, "/tmp/weft-test-mesh-XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, length), (ssize_t)length);
  close(fd);
}

static weft_result import_bytes(const char *bytes, size_t length, const weft_import_desc *desc,
                                weft_mesh *mesh, weft_error *err) {
  write_file(bytes, length);
  weft_result result = weft_mesh_import(path, desc, mesh, err);
  unlink(path);
  return result;
}

static weft_mesh loaded(const char *text, const weft_import_desc *desc) {
  weft_mesh mesh;
  weft_error err = {0};
  if (import_bytes(text, strlen(text), desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

static void assert_loads(const char *text, const weft_import_desc *desc, uint32_t vertices,
                         uint32_t triangles) {
  weft_mesh mesh = loaded(text, desc);
  assert_int_equal(mesh.vertex_count, vertices);
  assert_int_equal(mesh.triangle_count, triangles);
  weft_mesh_free(&mesh);
}

/* The sentence names the file and ends in `expected`, e.g. ":3: 'x' is not a number". */
static void assert_refused_bytes(const char *bytes, size_t length, const weft_import_desc *desc,
                                 const char *expected) {
  weft_mesh mesh;
  weft_error err = {0};
  assert_int_not_equal(import_bytes(bytes, length, desc, &mesh, &err), WEFT_OK);
  assert_null(mesh.positions);
  char whole[600];
  snprintf(whole, sizeof whole, "%s%s", path, expected);
  assert_string_equal(err.message, whole);
}

static void assert_refused(const char *text, const char *expected) {
  assert_refused_bytes(text, strlen(text), NULL, expected);
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void faces_of_every_notation_load(void **state) {
  (void)state;
  assert_loads(SQUARE "f 1 2 3\nf 1 3 4\n", NULL, 4, 2);
  assert_loads(SQUARE "f 1 2 3 4", NULL, 4, 2); /* quad, no final newline */
  assert_loads(SQUARE "f 1 2 3 4 \\", NULL, 4, 2);
  assert_loads(SQUARE "f -4 -3 -2 -1\n", NULL, 4, 2);
  assert_loads(SQUARE "f -4/1 2//9 3/-7/-7 4/1/1\n", NULL, 4, 2);
  assert_loads("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 1 1 0\n", NULL, 3, 1); /* named before given */
  assert_loads("v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 3\r\n", NULL, 3, 1);
  assert_loads("v 0 0 0\rv 1 0 0\rv 1 1 0\rf 1 2 3\r", NULL, 3, 1);
  assert_loads("\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3", NULL, 3, 1);
  assert_loads(" \tv  0\t0 0 \n\n\nv 1 0 0 1.0\nv 1 1 0 0.2 0.3 0.4\nf\t1  2   3  ", NULL, 3, 1);
  assert_loads("v 0 0 0\nv 1 \\\n0 0\nv 1 1 \\\r\n 0\nf 1 2\\\n 3\n", NULL, 3, 1);
  assert_loads(
      "# a\\\nv 0 0 0 # origin\nv 1 0 0\nv 1 1 0\nusemtl a\nvp 1\nl 1 2\np 1\ns off\n"
      "curv 0 1 \\\n 1 2\nmtllib C:\\x\\ y\nf 1 2 3 # last",
      NULL, 3, 1);
}

static void positions_are_read_and_scaled(void **state) {
  (void)state;
  weft_mesh mesh = loaded("v .5 -1.25e1 +2.\nv 1E-2 0 0\nv 0 1e+2 -0\nf 1 2 3\n",
                          &(weft_import_desc){.scale = 2});
  assert_true(mesh.positions[0].x == 1 && mesh.positions[0].y == -25 && mesh.positions[0].z == 4);
  assert_true(mesh.positions[1].x == 0.02f && mesh.positions[2].y == 200);
  weft_mesh_free(&mesh);
}

static void seams_are_welded_and_unused_vertices_dropped(void **state) {
  (void)state;
  const char *seam =
      "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv -0 0 0\nv 1 1 0\nv 0 1 0\nf 2 3 4\nf 5 6 7\n";
  weft_mesh mesh = loaded(seam, NULL);
  assert_int_equal(mesh.vertex_count, 4);
  const uint32_t expected[6] = {0, 1, 2, 0, 2, 3};
  assert_memory_equal(mesh.triangles, expected, sizeof expected);
  weft_mesh_free(&mesh);
  assert_loads(seam, &(weft_import_desc){.keep_defects = true}, 7, 2);
  const char *apart =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv .0009 0 0\nv 1 1.0005 0\nv 0 1 0\n"
      "f 1 2 3\nf 4 5 6\n";
  assert_loads(apart, NULL, 6, 2);
  assert_loads(apart, &(weft_import_desc){.weld_distance = 0.001f}, 4, 2);
  assert_loads(apart, &(weft_import_desc){.weld_distance = 0.0007f}, 5, 2);
  assert_loads(apart, &(weft_import_desc){.weld_distance = 1e-30f}, 6, 2);
}

/* Brute force over all earlier kept vertices, nearest cell border cases included. */
static void weld_distance_equals_a_plain_search(void **state) {
  (void)state;
  enum { COUNT = 400 };
  weft_rng rng = weft_rng_seed(3);
  weft_vec3 p[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    p[i] = weft_v3(weft_rng_float(&rng, -1, 1), weft_rng_float(&rng, -1, 1),
                   weft_rng_float(&rng, -1, 1));
  }
  for (float distance = 0.05f; distance < 1; distance *= 2) {
    uint32_t kept[COUNT], expected[COUNT];
    uint32_t unique = weft_weld_map(p, COUNT, distance, kept), expected_unique = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
      expected[i] = i;
      for (uint32_t k = 0; k < i; ++k) {
        double x = (double)p[i].x - p[k].x, y = (double)p[i].y - p[k].y,
               z = (double)p[i].z - p[k].z;
        bool near = x * x + y * y + z * z <= (double)distance * distance;
        if (expected[k] == k && near) {
          expected[i] = k;
          break;
        }
      }
      expected_unique += expected[i] == i;
    }
    assert_memory_equal(kept, expected, sizeof kept);
    assert_int_equal(unique, expected_unique);
  }
}

static double area_of(const weft_mesh *mesh) {
  weft_mesh_report report;
  weft_mesh_inspect(mesh, &report);
  assert_int_equal(report.flipped_edges, 0);
  return report.area;
}

/* A comb of n teeth: 2n+2 corners, concave at every second one; area by the shoelace formula. */
static void concave_polygons_are_covered_exactly(void **state) {
  (void)state;
  for (int turn = 0; turn < 2; ++turn) {
    for (int teeth = 1; teeth <= 40; teeth += 13) {
      char text[20000], *at = text;
      double x[100], y[100], shoelace = 0;
      int n = 0;
      for (int i = 0; i <= 2 * teeth; ++i) x[n] = 2.0 * teeth - i, y[n++] = i % 2 ? 1.5 : 0.25;
      x[n] = 0, y[n++] = 2;
      x[n] = 2.0 * teeth, y[n++] = 2;
      for (int i = 0; i < n; ++i) {
        int k = (i + 1) % n;
        shoelace += 0.5 * (x[i] * y[k] - x[k] * y[i]);
        /* tilted out of the axes: (x, y) -> x*(0.6, 0.8, 0) + y*(0, 0, 1) */
        at += sprintf(at, "v %.9g %.9g %.9g\n", 0.6 * x[i], 0.8 * x[i], y[i]);
      }
      at += sprintf(at, "f");
      for (int i = 0; i < n; ++i) at += sprintf(at, " %d", turn ? n - i : i + 1);
      weft_mesh mesh = loaded(text, &(weft_import_desc){.keep_defects = true});
      assert_int_equal(mesh.triangle_count, n - 2);
      assert_true(fabs(area_of(&mesh) - fabs(shoelace)) < 1e-5 * fabs(shoelace));
      weft_mesh_free(&mesh);
    }
  }
}

static void corners_on_a_straight_side_leave_no_crack(void **state) {
  (void)state;
  /* 1 and 2 lie on the side 0-3 of a pentagon-like polygon; a fan from 0 would lose them. */
  const char *text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 1.5 2 0\nf 1 2 3 4 5\n";
  weft_mesh mesh = loaded(text, NULL);
  assert_int_equal(mesh.triangle_count, 3);
  assert_int_equal(mesh.vertex_count, 5);
  assert_true(fabs(area_of(&mesh) - 3) < 1e-6);
  weft_mesh_free(&mesh);
}

static const char grouped[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 6 1 0\n"
    "f 1 2 3\n"
    "o body\ng body skin\nf 1 2 3 4\n"
    "g cloth skin\nf 5 6 7\n"
    "o two words\ng\nf 5 7 6\n";

static void groups_and_objects_are_chosen_by_name(void **state) {
  (void)state;
  assert_loads(grouped, NULL, 7, 3); /* two triangles lie on vertices of earlier ones */
  assert_loads(grouped, &(weft_import_desc){.groups = "cloth"}, 3, 1);
  assert_loads(grouped, &(weft_import_desc){.groups = "skin"}, 7, 3);
  assert_loads(grouped, &(weft_import_desc){.groups = "body"}, 7, 3); /* object holds cloth too */
  assert_loads(grouped, &(weft_import_desc){.groups = "cloth , two words"}, 3, 1);
  assert_refused_bytes(
      grouped, strlen(grouped), &(weft_import_desc){.groups = "cloth,Body"},
      ": no group, object or material 'Body'; it has body, skin, cloth, two words");
  assert_refused_bytes(SQUARE "f 1 2 3", strlen(SQUARE "f 1 2 3"),
                       &(weft_import_desc){.groups = "a"},
                       ": no group, object or material 'a'; it has none");
  const char *hollow = SQUARE "g a\ng b\nf 1 2 3\n";
  assert_refused_bytes(hollow, strlen(hollow), &(weft_import_desc){.groups = "a"},
                       ": group 'a' has no faces");
}

/* A material is a choice as well, unless a group or object has its name; _ is said as a blank. */
static void materials_are_chosen_by_name(void **state) {
  (void)state;
  const char *text =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 0 0\n"
      "usemtl dark blue\nf 1 2 3 4\ng red left_side\nf 1 3 5\nusemtl red\nf 2 3 5\n"
      "usemtl\nf 4 1 5\n";
  assert_loads(text, &(weft_import_desc){.groups = "dark blue"}, 5, 3);
  assert_loads(text, &(weft_import_desc){.groups = "red"}, 5, 3);
  assert_loads(text, &(weft_import_desc){.groups = "left side"}, 5, 3);
  assert_refused_bytes(text, strlen(text), &(weft_import_desc){.groups = "left-side"},
                       ": no group, object or material 'left-side'; it has dark blue, red, "
                       "left_side");
  weft_mesh_group *groups;
  uint32_t count;
  write_file(text, strlen(text));
  assert_int_equal(weft_mesh_groups(path, &groups, &count, NULL), WEFT_OK);
  unlink(path);
  const uint32_t faces[] = {2, 3, 3};
  assert_int_equal(count, 3);
  for (uint32_t i = 0; i < count; ++i) assert_int_equal(groups[i].face_count, faces[i]);
  weft_mesh_groups_free(groups, count);
}

static void groups_are_listed_in_file_order(void **state) {
  (void)state;
  write_file(grouped, strlen(grouped));
  weft_mesh_group *groups;
  uint32_t count;
  assert_int_equal(weft_mesh_groups(path, &groups, &count, NULL), WEFT_OK);
  unlink(path);
  const char *names[] = {"body", "skin", "cloth", "two words"};
  const uint32_t faces[] = {2, 2, 1, 1};
  assert_int_equal(count, 4);
  for (uint32_t i = 0; i < count; ++i) {
    assert_string_equal(groups[i].name, names[i]);
    assert_int_equal(groups[i].face_count, faces[i]);
  }
  weft_mesh_groups_free(groups, count);
  weft_error err = {0};
  assert_int_equal(weft_mesh_groups("/nonexistent.obj", &groups, &count, &err), WEFT_ERROR_FILE);
  assert_non_null(strstr(err.message, "/nonexistent.obj"));
}

static void broken_text_is_refused_with_file_line_and_reason(void **state) {
  (void)state;
  assert_refused(SQUARE "f 1 2\n", ":5: a face has 2 corners; it needs 3");
  assert_refused(SQUARE "f 1 2 \\\n\n", ":5: a face has 2 corners; it needs 3");
  assert_refused(SQUARE "f 0 1 2\n", ":5: a face names vertex 0; vertices count from 1");
  assert_refused(SQUARE "\r\nf 1 2 5\n", ":6: a face names vertex 5, but there are 4");
  assert_refused(SQUARE "f 1 2 -5\n", ":5: a face names vertex -5, but only 4 came before it");
  assert_refused(SQUARE "f 1 2 99999999999999999999\n",
                 ":5: a face names vertex 9999999999999, beyond the last");
  assert_refused(SQUARE "f 1 2 x\n", ":5: 'x' is not a face corner");
  assert_refused(SQUARE "f 1 2 3.5\n", ":5: '3.5' is not a face corner");
  assert_refused(SQUARE "f 1 2 /3\n", ":5: '/3' is not a face corner");
  assert_refused("v 1 2\n", ":1: a vertex has 2 coordinates; it needs 3");
  assert_refused("\nv 1 2 3,5\n", ":2: '3,5' is not a number");
  assert_refused("v 1 2 nan\n", ":1: 'nan' is not a number");
  assert_refused("v 1 2 -inf\n", ":1: '-inf' is not a number");
  assert_refused("v 1 2 0x10\n", ":1: '0x10' is not a number");
  assert_refused("v 1 2 1e\n", ":1: '1e' is not a number");
  assert_refused("v 1 2 .\n", ":1: '.' is not a number");
  assert_refused("v 1 2 1e99999999999\n",
                 ":1: coordinate 1e99999999999 is too large; at most 1e9 m");
  assert_refused("v \x01 2 3\n", ":1: '\\x01' is not a number");
  assert_refused("", ": the file is empty");
  assert_refused(SQUARE "l 1 2\n", ": 4 vertices and no faces: there is no surface in it");
  assert_refused("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
                 ": no triangle is left; all 1 have no area");
  assert_refused_bytes("v 0\n\0", 5, NULL, ":2: a zero byte; this is not OBJ text");
}

static void binary_and_wide_text_are_refused(void **state) {
  (void)state;
  assert_refused_bytes("\xff\xfev\0 \0", 6, NULL, ":1: UTF-16 text; save it as UTF-8");
  assert_refused_bytes("v\0 \0001\0", 6, NULL, ":1: UTF-16 text; save it as UTF-8");
  assert_refused_bytes("v 0 0 0\nv\0", 10, NULL, ":2: a zero byte; this is not OBJ text");
}

static void what_is_no_file_is_refused(void **state) {
  (void)state;
  weft_mesh mesh;
  weft_error err = {0};
  assert_int_equal(weft_mesh_import("/tmp", NULL, &mesh, &err), WEFT_ERROR_FILE);
  assert_string_equal(err.message, "/tmp: cannot read: is a directory");
  assert_int_equal(weft_mesh_import("/nonexistent/a.obj", NULL, &mesh, &err), WEFT_ERROR_FILE);
  assert_non_null(strstr(err.message, "/nonexistent/a.obj: cannot read: "));
  strcpy(path, "/tmp/weft-test-mesh-XXXXXX");
  assert_non_null(mkdtemp(path));
  char pipe_path[100];
  snprintf(pipe_path, sizeof pipe_path, "%s/pipe.obj", path);
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  assert_int_equal(weft_mesh_import(pipe_path, NULL, &mesh, &err), WEFT_ERROR_FILE);
  assert_non_null(strstr(err.message, "is not a regular file"));
  unlink(pipe_path);
  rmdir(path);
  err = (weft_error){0};
  assert_int_equal(weft_mesh_import("x", &(weft_import_desc){.scale = -1}, &mesh, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_mesh_import("x", &(weft_import_desc){.weld_distance = NAN}, &mesh, &err),
                   WEFT_ERROR_ARGUMENT);
}

/* strtod in the C locale rounds correctly; every kind of decimal must agree with it bit for bit. */
static void numbers_are_rounded_as_by_strtod(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(11);
  for (int i = 0; i < 20000; ++i) {
    char text[200], *at = text;
    if (weft_rng_u32(&rng) % 2) *at++ = weft_rng_u32(&rng) % 2 ? '-' : '+';
    uint32_t digits = 1 + weft_rng_u32(&rng) % (i % 16 == 0 ? 80 : 20);
    uint32_t point = weft_rng_u32(&rng) % (digits + 1);
    for (uint32_t d = 0; d < digits; ++d) {
      if (d == point) *at++ = '.';
      *at++ = (char)('0' + weft_rng_u32(&rng) % (i % 3 ? 10 : 2));
    }
    if (i % 2) at += sprintf(at, "e%d", (int)(weft_rng_u32(&rng) % (i % 5 ? 40 : 700)) - 20);
    *at = 0;
    double value = 0, expected = strtod(text, NULL);
    assert_true(weft_text_number(text, at, &value));
    if (memcmp(&value, &expected, sizeof value) != 0)
      fail_msg("%s: %a, not %a", text, value, expected);
  }
}

/* Machines without such a locale may still have the means to make one. */
static bool make_german_locale(char *folder) {
  char command[200];
  if (!mkdtemp(folder)) return false;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
           folder, folder);
  if (system(command) != 0) return false;
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void remove_folder(const char *folder) {
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) print_message("%s stays\n", folder);
  unsetenv("LOCPATH");
}

static void decimal_comma_locales_change_nothing(void **state) {
  (void)state;
  char folder[] = "/tmp/weft-test-locale-XXXXXX";
  const char *locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE"};
  bool found = false;
  for (size_t i = 0; i < 5 && !found; ++i) found = setlocale(LC_ALL, locales[i]) != NULL;
  bool made = !found;
  if (made) found = make_german_locale(folder);
  if (!found) {
    remove_folder(folder);
    print_message("no locale with a decimal comma on this machine\n");
    skip();
  }
  weft_mesh mesh =
      loaded("v 0.5 0.12345678901234567890123 0\nv 1.5 0 0\nv 0 1e-9 2.5\nf 1 2 3", NULL);
  assert_true(mesh.positions[0].x == 0.5f && mesh.positions[0].y == 0.12345678901234567f);
  weft_mesh again;
  write_file("", 0);
  assert_int_equal(weft_mesh_export_obj(path, &mesh, NULL, NULL), WEFT_OK);
  setlocale(LC_ALL, "C");
  if (made) remove_folder(folder);
  assert_int_equal(weft_mesh_import(path, NULL, &again, NULL), WEFT_OK);
  unlink(path);
  assert_memory_equal(mesh.positions, again.positions, 3 * sizeof *mesh.positions);
  weft_mesh_free(&mesh);
  weft_mesh_free(&again);
}

static float random_float(weft_rng *rng) {
  for (;;) {
    uint32_t bits = weft_rng_u32(rng);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value) && fabsf(value) < 1e9f) return value;
  }
}

static void exported_positions_read_back_bit_for_bit(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(5);
  weft_mesh mesh, again;
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 100, .columns = 60}, &mesh, NULL),
                   WEFT_OK);
  weft_vec3 *positions = calloc(mesh.vertex_count, sizeof *positions);
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    bool wild = v % 2;
    positions[v] = weft_v3(wild ? random_float(&rng) : weft_rng_float(&rng, -2, 2),
                           wild ? random_float(&rng) : weft_rng_float(&rng, -1e-3f, 1e-3f),
                           weft_rng_float(&rng, -1e8f, 1e8f));
  }
  positions[1].x = -0.0f;
  positions[3].x = 9.99999975e-5f, positions[3].y = 99999999.0f, positions[3].z = 0.999999940f;
  write_file("", 0);
  assert_int_equal(weft_mesh_export_obj(path, &mesh, positions, NULL), WEFT_OK);
  FILE *file = fopen(path, "r"); /* the text itself, against printf */
  char line[200], expected[200];
  assert_non_null(fgets(line, sizeof line, file));
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    assert_non_null(fgets(line, sizeof line, file));
    snprintf(expected, sizeof expected, "v %.9g %.9g %.9g\n", (double)positions[v].x,
             (double)positions[v].y, (double)positions[v].z);
    assert_string_equal(line, expected);
  }
  fclose(file);
  weft_import_desc keep = {.keep_defects = true};
  assert_int_equal(weft_mesh_import(path, &keep, &again, NULL), WEFT_OK);
  unlink(path);
  assert_int_equal(again.vertex_count, mesh.vertex_count);
  assert_int_equal(again.triangle_count, mesh.triangle_count);
  assert_memory_equal(again.positions, positions, mesh.vertex_count * sizeof *positions);
  assert_memory_equal(again.triangles, mesh.triangles, 12 * (size_t)mesh.triangle_count);
  positions[7].y = NAN;
  weft_error err = {0};
  assert_int_equal(weft_mesh_export_obj(path, &mesh, positions, &err), WEFT_ERROR_NOT_FINITE);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(weft_mesh_export_obj("/nonexistent/x.obj", &mesh, NULL, &err), WEFT_ERROR_FILE);
  free(positions);
  weft_mesh_free(&mesh);
  weft_mesh_free(&again);
}

/* Long lines, many names and one huge concave polygon must not cost more than their length. */
static void hostile_sizes_take_no_time(void **state) {
  (void)state;
  enum { N = 20000 };
  char *text = malloc(64 * (N + 1)), *at = text;
  for (int i = 0; i < N; ++i) {
    at += sprintf(at, "v %.6f %.6f 0\n", cos(6.283185 * i / N) * (1 + i % 2),
                  sin(6.283185 * i / N) * (1 + i % 2));
  }
  at += sprintf(at, "f");
  for (int i = 0; i < N; ++i) at += sprintf(at, " %d", i + 1);
  double begin = weft_clock_seconds();
  weft_mesh mesh = loaded(text, &(weft_import_desc){.keep_defects = true});
  assert_int_equal(mesh.triangle_count, N - 2);
  weft_mesh_free(&mesh);
  at = text + sprintf(text, "v 0 0 0\nv 1 0 0\nv 1 1 0\ng");
  for (int i = 0; i < N / 2; ++i) at += sprintf(at, " n%d", i);
  *at++ = '\n';
  for (int i = 0; i < N / 2; ++i) at += sprintf(at, "o n%d\nf 1 2 3\n", i);
  assert_loads(text, &(weft_import_desc){.groups = "n77"}, 3, 1);
  double seconds = weft_clock_seconds() - begin;
  print_message("%.2f s\n", seconds);
  assert_true(seconds < 20);
  free(text);
}

static const char *const samples[] = {
    SQUARE "f 1 2 3 4\n",
    grouped,
    "v 0.5 1e-3 -2\r\nv 1 0 0\r\nv 1 1 \\\r\n0\r\nvt 0 1\r\nf 1/1/1 2//2 -1\r\n",
    "# c\nv 0 0 0 1 1 1\nv 2 0 0\nv 2 2 0\nv 1 .5 0\nv 0 2 0\nv 1 1 1\nf 1 2 3 4 5\nf -1 1 2\n",
};

static void mutate(weft_rng *rng, char *bytes, size_t *length, size_t space) {
  static const char spice[] = "0123456789-+./\\\n\r\t #vfgoe,\0\xff";
  size_t at = weft_rng_u32(rng) % *length;
  char c = spice[weft_rng_u32(rng) % (sizeof spice - 1)];
  switch (weft_rng_u32(rng) % 4) {
    case 0:
      bytes[at] = (char)(bytes[at] ^ (1 << weft_rng_u32(rng) % 8));
      break;
    case 1:
      bytes[at] = c;
      break;
    case 2:
      if (*length + 1 >= space) break;
      memmove(bytes + at + 1, bytes + at, *length - at);
      bytes[at] = c;
      ++*length;
      break;
    default:
      if (*length < 2) break;
      memmove(bytes + at, bytes + at + 1, *length - at - 1);
      --*length;
  }
}

/* Whatever the bytes: corners in range and positions finite, or a sentence naming file. */
static void mutated_text_is_read_or_refused(void **state) {
  (void)state;
  uint32_t read = 0;
  for (uint64_t seed = 1; seed <= 6000; ++seed) {
    weft_rng rng = weft_rng_seed(seed);
    const char *sample = samples[seed % (sizeof samples / sizeof *samples)];
    size_t length = strlen(sample), space = length + 64;
    char *bytes = malloc(space);
    memcpy(bytes, sample, length);
    for (uint32_t m = 1 + weft_rng_u32(&rng) % 3; m > 0; --m) mutate(&rng, bytes, &length, space);
    char *exact = malloc(length); /* so that a sanitizer sees one byte too far */
    memcpy(exact, bytes, length);
    weft_obj obj;
    weft_error err = {0};
    if (weft_obj_read("sample", exact, length, 1, &obj, &err) == WEFT_OK) {
      ++read;
      for (size_t c = 0; c < obj.corner_count; ++c) {
        if (obj.corners[c] >= obj.position_count) fail_msg("seed %u", (unsigned)seed);
      }
      for (size_t v = 0; v < obj.position_count; ++v) assert_true(weft_v3_finite(obj.positions[v]));
      for (size_t f = 0; f < obj.face_count; ++f) assert_true(weft_obj_face_size(&obj, f) >= 3);
      weft_obj_free(&obj);
    } else if (strncmp(err.message, "sample:", 7) != 0) {
      fail_msg("seed %u: %s", (unsigned)seed, err.message);
    }
    if (seed % 16 == 0) {
      weft_mesh mesh;
      if (import_bytes(exact, length, NULL, &mesh, &err) == WEFT_OK) {
        for (uint32_t c = 0; c < 3 * mesh.triangle_count; ++c) {
          assert_true(mesh.triangles[c] < mesh.vertex_count);
        }
        weft_mesh_free(&mesh);
      }
    }
    free(bytes);
    free(exact);
  }
  print_message("%u of 6000 read\n", read);
  assert_true(read > 500 && read < 5500); /* else the mutations test one side only */
}

/* A row of three quads in another order than their vertices, welded, with a seam: left of x = 1 a
 * corner at (x, y) has (x / 4, y), right of it (1 - x / 4, -y). */
static const char *const seamed =
    "v 2 0 0\nv 2 1 0\nv 3 0 0\nv 3 1 0\nv 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 1 0 0\n"
    "vt 0 0\nvt 0 1\nvt 0.25 0\nvt 0.25 1\nvt 0.75 0\nvt 0.75 -1\nvt 0.5 0\nvt 0.5 -1\n"
    "vt 0.25 -0\nvt 0.25 -1\n"
    "f 1/7 3/9 4/10 2/8\nf 9/5/1 1/-4 2/8 8/6\nf 5/1 7/3 8/4 6/2\n";

static void uvs_of_a_file_survive_welding_and_seams(void **state) {
  (void)state;
  weft_mesh mesh = loaded(seamed, &(weft_import_desc){.scale = 0.1f});
  weft_error err = {0};
  float *uvs;
  assert_int_equal(mesh.vertex_count, 8);
  write_file(seamed, strlen(seamed));
  weft_result result = weft_obj_uvs(path, &(weft_import_desc){.scale = 0.1f}, mesh.positions,
                                    mesh.triangles, mesh.triangle_count, &uvs, &err);
  unlink(path);
  if (result != WEFT_OK) fail_msg("%s", err.message);
  for (size_t t = 0; t < mesh.triangle_count; ++t) {
    float right = 0;
    for (size_t k = 0; k < 3; ++k) {
      right = fmaxf(right, 10 * mesh.positions[mesh.triangles[3 * t + k]].x);
    }
    for (size_t k = 0; k < 3; ++k) {
      weft_vec3 p = mesh.positions[mesh.triangles[3 * t + k]];
      float u = right > 1.5f ? 1 - 10 * p.x / 4 : 10 * p.x / 4, v = right > 1.5f ? -p.y : p.y;
      assert_true(fabsf(uvs[6 * t + 2 * k] - u) < 1e-6f);
      assert_true(fabsf(uvs[6 * t + 2 * k + 1] - 10 * v) < 1e-6f);
    }
  }
  weft_free(uvs);
  weft_mesh_free(&mesh);
}

static void files_without_uvs_are_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/9 2/0 3/-7\n",
                                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt x\nf 1//1 2/ 3/99999999999\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    weft_mesh mesh = loaded(texts[k], NULL);
    weft_error err = {0};
    float *uvs = (float *)1;
    write_file(texts[k], strlen(texts[k]));
    assert_int_equal(
        weft_obj_uvs(path, &(weft_import_desc){0}, mesh.positions, mesh.triangles, 1, &uvs, &err),
        WEFT_ERROR_MESH);
    unlink(path);
    assert_null(uvs);
    assert_non_null(strstr(err.message, "no texture coordinates"));
    weft_mesh_free(&mesh);
  }
}

/* Quads of a sheet of so many edges a side, then again the other way round. */
static char *sheet_text(uint32_t side, bool both) {
  const size_t room = 200 * (size_t)(side + 1) * (side + 1);
  char *text = weft_alloc(room, 1);
  size_t at = 0;
  for (uint32_t i = 0; i <= side; ++i) {
    for (uint32_t j = 0; j <= side; ++j) {
      at += (size_t)snprintf(text + at, room - at, "v %u 0 %u\n", j, i);
    }
  }
  for (uint32_t q = 0; q < (both ? 2 : 1) * side * side; ++q) {
    const uint32_t cell = q % (side * side), a = cell / side * (side + 1) + cell % side + 1;
    const uint32_t b = a + side + 1;
    const char *format = q < side * side ? "f %u %u %u %u\n" : "f %4$u %3$u %2$u %1$u\n";
    at += (size_t)snprintf(text + at, room - at, format, a, b, b + 1, a + 1);
  }
  return text;
}

/* Front and back are cut along different diagonals; the back goes. */
static void faces_listed_from_both_sides_are_one(void **state) {
  (void)state;
  char *once = sheet_text(10, false), *twice = sheet_text(10, true);
  weft_mesh single = loaded(once, NULL), mended = loaded(twice, NULL);
  weft_mesh raw = loaded(twice, &(weft_import_desc){.keep_defects = true});
  weft_mesh_report found;
  weft_mesh_inspect(&raw, &found);
  assert_int_equal(raw.triangle_count, 400);
  assert_int_equal(found.duplicate_triangles, 200);
  assert_int_equal(mended.map.mending.faces_dropped, 100);
  assert_int_equal(mended.triangle_count, 200);
  assert_memory_equal(mended.triangles, single.triangles, 3 * 200 * sizeof *single.triangles);
  weft_mesh_free(&single);
  weft_mesh_free(&mended);
  weft_mesh_free(&raw);
  weft_free(once);
  weft_free(twice);
  /* A pentagon; quads of which a triangle is listed again, alone or in another face. */
#define FIVE SQUARE "v -1 0.5 0\n"
  assert_loads(FIVE "f 1 2 3 4 5\nf 3 2 1 5 4\n", NULL, 5, 3);
  assert_loads(FIVE "f 1 2 3 4\nf 3 2 1\n", NULL, 4, 2);
  assert_loads(FIVE "f 1 2 3 4\nf 3 2 1 5\n", NULL, 5, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faces_of_every_notation_load),
      cmocka_unit_test(positions_are_read_and_scaled),
      cmocka_unit_test(seams_are_welded_and_unused_vertices_dropped),
      cmocka_unit_test(weld_distance_equals_a_plain_search),
      cmocka_unit_test(concave_polygons_are_covered_exactly),
      cmocka_unit_test(corners_on_a_straight_side_leave_no_crack),
      cmocka_unit_test(faces_listed_from_both_sides_are_one),
      cmocka_unit_test(groups_and_objects_are_chosen_by_name),
      cmocka_unit_test(materials_are_chosen_by_name),
      cmocka_unit_test(groups_are_listed_in_file_order),
      cmocka_unit_test(broken_text_is_refused_with_file_line_and_reason),
      cmocka_unit_test(binary_and_wide_text_are_refused),
      cmocka_unit_test(what_is_no_file_is_refused),
      cmocka_unit_test(numbers_are_rounded_as_by_strtod),
      cmocka_unit_test(decimal_comma_locales_change_nothing),
      cmocka_unit_test(exported_positions_read_back_bit_for_bit),
      cmocka_unit_test(hostile_sizes_take_no_time),
      cmocka_unit_test(mutated_text_is_read_or_refused),
      cmocka_unit_test(uvs_of_a_file_survive_welding_and_seams),
      cmocka_unit_test(files_without_uvs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
