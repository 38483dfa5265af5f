#define _POSIX_C_SOURCE 200809L
/* The file that went in comes out: everything it holds, with its vertices where the cloth has
 * them. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft_kit/source.h>

#include "base.h"
#include "cmocka_all.h"
#include "text_of.h"

static char in_path[] = "/tmp/weft-test-source-in-XXXXXX",
            out_path[] = "/tmp/weft-test-source-out-XXXXXX";

static int make_files(void **state) {
  (void)state;
  int in = mkstemp(in_path), out = mkstemp(out_path);
  close(in);
  close(out);
  return in < 0 || out < 0;
}

static int remove_files(void **state) {
  (void)state;
  return unlink(in_path) || unlink(out_path);
}

static void write_text(const char *text) {
  FILE *file = fopen(in_path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static weft_source source_of(const char *path, const weft_import_desc *desc) {
  weft_source source;
  weft_error err = {0};
  if (weft_source_read(path, desc, &source, &err) != WEFT_OK) fail_msg("%s", err.message);
  return source;
}

static weft_mesh mesh_of(const char *path, const weft_import_desc *desc) {
  weft_mesh mesh;
  weft_error err = {0};
  if (weft_mesh_import(path, desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

#define SAME(a, b, what, count)                                             \
  if ((count) > 0) {                                                        \
    assert_memory_equal((a)->what, (b)->what, (count) * sizeof *(a)->what); \
  }

/* Everything but normals, which are computed anew. */
static void assert_same(const weft_source *a, const weft_source *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->uv_count, b->uv_count);
  assert_int_equal(a->face_count, b->face_count);
  assert_int_equal(a->corner_count, b->corner_count);
  assert_int_equal(a->line_count, b->line_count);
  SAME(a, b, positions, a->vertex_count);
  SAME(a, b, uvs, a->uv_count);
  SAME(a, b, face_first, a->face_count + 1u);
  SAME(a, b, corners, a->corner_count);
  SAME(a, b, corner_uvs, a->corner_count);
  assert_true(!a->colours == !b->colours);
  if (a->colours) SAME(a, b, colours, a->vertex_count);
  for (uint32_t c = 0; c < a->corner_count; ++c) {
    assert_true((a->corner_normals[c] == WEFT_SOURCE_NONE) ==
                (b->corner_normals[c] == WEFT_SOURCE_NONE));
  }
}

/* Libraries come first in what is written. */
static void assert_same_lines(const weft_source *a, const weft_source *b, bool library) {
  uint32_t k = 0, m = 0;
  for (;; ++k, ++m) {
    while (k < a->line_count && (a->lines[k].word == WEFT_SOURCE_LIBRARY) != library) ++k;
    while (m < b->line_count && (b->lines[m].word == WEFT_SOURCE_LIBRARY) != library) ++m;
    if (k == a->line_count || m == b->line_count) break;
    assert_int_equal(a->lines[k].word, b->lines[m].word);
    assert_string_equal(a->lines[k].text, b->lines[m].text);
    if (!library) assert_int_equal(a->lines[k].face, b->lines[m].face);
  }
  assert_true(k == a->line_count && m == b->line_count);
}

/* In, through welding, mending and ordering, and out again while nothing moves: vertex for vertex,
 * to the last bit where the unit is the metre. */
static void assert_comes_back(const char *path, const weft_import_desc *desc, double allowed) {
  weft_source in = source_of(path, desc), out;
  weft_mesh mesh = mesh_of(path, desc);
  weft_mesh_order(&mesh);
  weft_vec3 *placed = weft_alloc(in.vertex_count, sizeof *placed);
  weft_error err = {0};
  if (weft_source_place(&in, &mesh.map, mesh.positions, placed, &err)) fail_msg("%s", err.message);
  for (uint32_t v = 0; v < in.vertex_count; ++v) {
    double far = (double)weft_v3_length(weft_v3_sub(placed[v], in.positions[v]));
    if (!(far <= allowed)) fail_msg("%s: vertex %u is %g off", path, v, far);
  }
  if (weft_source_write_obj(out_path, &in, &mesh.map, allowed > 0 ? NULL : placed, &err)) {
    fail_msg("%s", err.message);
  }
  out = source_of(out_path, desc);
  assert_same(&in, &out);
  assert_same_lines(&in, &out, true);
  assert_same_lines(&in, &out, false);
  weft_free(placed);
  weft_mesh_free(&mesh);
  weft_source_free(&in);
  weft_source_free(&out);
}

/* Two objects with two materials; a quad, a pentagon, a triangle; a seam (2 and 3 again as 6 and
 * 7); a face twice; vertices of no face. */
#define CLOTH                                                                    \
  "# a cloth\nmtllib a.mtl\nmtllib b c.mtl\no front side\n"                      \
  "v 0 0 0\nv 1 0 0 0.5 0.25 1\nv 1 1 0\nv 0 1 0\nv 7 7 7\n"                     \
  "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5 0\nvn 0 0 1\nvn 0 0 1\nvn 0 1 0\n" \
  "g one two\nusemtl red\ns 1\nf 1/1/1 2/2/1 3/3/1 4/4/1\n"                      \
  "o back\nv 1 0 0\nv 1 1 0\nv 2 1 0\nv 2.5 0.5 0\nv 2 0 0\nv 8 8 8\n"           \
  "usemtl blue\ns off\nf 6/1/2 10/2/2 9/5/2 8/3/2 7/4/2\nf 10 9 8\n"             \
  "g\ng last \\\n one\nf 1//3 2//3 3//3\nf 4 3 2 1\nusemtl red\n"

static void everything_comes_back(void **state) {
  (void)state;
  write_text(CLOTH);
  weft_source s = source_of(in_path, NULL);
  assert_int_equal(s.vertex_count, 11);
  assert_int_equal(s.uv_count, 5);
  assert_int_equal(s.normal_count, 3);
  assert_int_equal(s.face_count, 5);
  assert_int_equal(s.line_count, 12);
  assert_string_equal(s.lines[1].text, "b c.mtl");
  assert_string_equal(s.lines[2].text, "front side");
  assert_int_equal(s.lines[6].face, 1);
  assert_int_equal(s.lines[11].face, 5);
  assert_true(s.colours && isnan(s.colours[0][0]) && s.colours[1][1] == 0.25f);
  assert_int_equal(s.corner_normals[12], 2);
  weft_source_free(&s);
  assert_comes_back(in_path, NULL, 0);
  assert_comes_back(in_path, &(weft_import_desc){.groups = "one"}, 0);
  assert_comes_back(in_path, &(weft_import_desc){.keep_defects = true}, 0);
  assert_comes_back(in_path, &(weft_import_desc){.scale = 0.0254f}, 1e-6);
}

/* A name that ends in a backslash does not swallow the line after it. */
static void a_backslash_stays_in_its_line(void **state) {
  (void)state;
  write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\ng a\\ \nf 1 2 3\ns \\ off # no\nusemtl #none\n");
  weft_source s = source_of(in_path, NULL);
  assert_string_equal(s.lines[0].text, "a\\");
  assert_string_equal(s.lines[2].text, "");
  weft_source_free(&s);
  assert_comes_back(in_path, NULL, 0);
}

static void the_text_is_as_expected(void **state) {
  (void)state;
  write_text(
      "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0.5 1\nvn 1 0 0\ng cloth\n"
      "usemtl red\nf 1/1/1 2//1 3/1 4\n");
  weft_source s = source_of(in_path, NULL);
  assert_int_equal(weft_source_write_obj(out_path, &s, NULL, NULL, NULL), WEFT_OK);
  char *text = text_of(out_path);
  assert_string_equal(text,
                      "# weft: 4 vertices, 1 faces\nmtllib a.mtl\n"
                      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0.5 1\nvn 0 0 1\nvn 0 0 1\n"
                      "g cloth\nusemtl red\nf 1/1/1 2//2 3/1 4\n");
  weft_free(text);
  weft_source_free(&s);
}

/* A seam moves as one, however its vertices are called; what is of no face stays; metres become the
 * file's unit. */
static void what_moves_goes_to_its_place(void **state) {
  (void)state;
  const weft_import_desc inches = {.scale = 0.0254f};
  write_text(CLOTH);
  weft_source s = source_of(in_path, &inches);
  weft_mesh mesh = mesh_of(in_path, &inches);
  assert_int_equal(mesh.vertex_count, 7);
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    mesh.positions[v].x += 0.0254f * (float)v;
    mesh.positions[v].y -= 0.0254f;
  }
  weft_vec3 placed[11];
  assert_int_equal(weft_source_place(&s, &mesh.map, mesh.positions, placed, NULL), WEFT_OK);
  const float by[11] = {0, 1, 2, 3, 0, 1, 2, 4, 5, 6, 0};
  for (uint32_t v = 0; v < 11; ++v) {
    bool stays = v == 4 || v == 10;
    assert_true(fabsf(placed[v].x - s.positions[v].x - by[v]) < 1e-5f);
    assert_true(fabsf(placed[v].y - s.positions[v].y + (stays ? 0 : 1)) < 1e-5f);
    assert_true(placed[v].z == s.positions[v].z);
  }
  weft_mesh_free(&mesh);
  /* Welded from a distance, the two keep it. */
  write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1.01 0 0\nv 1 1 0\nf 1 2 3\nf 4 5 3\n");
  const weft_import_desc near = {.weld_distance = 0.02f};
  weft_source_free(&s);
  s = source_of(in_path, &near);
  mesh = mesh_of(in_path, &near);
  assert_int_equal(mesh.vertex_count, 4);
  assert_int_equal(weft_source_place(&s, &mesh.map, mesh.positions, placed, NULL), WEFT_OK);
  assert_memory_equal(placed, s.positions, sizeof s.positions[0] * 5);
  weft_mesh_free(&mesh);
  weft_source_free(&s);
}

/* Corners that shared a normal share one again, also across a seam; a hard edge stays hard. */
static void normals_follow_the_cloth(void **state) {
  (void)state;
  write_text(
      "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1 0 0\nv 1 0 1\nv 2 0 0\nv 2 0 1\nv 0 0 2\nv 1 0 2\n"
      "vn 0 1 0\nvn 0 1 0\nvn 0 1 1\n"
      "f 1//1 4//1 3//1 2//1\nf 5//2 6//2 8//2 7//2\nf 4//3 9//3 10//3 3//3\n");
  weft_source s = source_of(in_path, NULL);
  weft_mesh mesh = mesh_of(in_path, NULL);
  weft_vec3 bent[10];
  memcpy(bent, s.positions, sizeof bent);
  bent[6].y = bent[7].y = 1; /* the second quad rises by 45 degrees */
  assert_int_equal(weft_source_write_obj(out_path, &s, &mesh.map, bent, NULL), WEFT_OK);
  weft_source out = source_of(out_path, NULL);
  /* (0, 1, 0) of area 1 and (-1, 1, 0) of area sqrt(2), in the middle; 4 + 2 outer, 4 of their own.
   */
  assert_int_equal(out.normal_count, 10);
  const weft_vec3 seam = out.normals[out.corner_normals[2]],
                  other = out.normals[out.corner_normals[5]],
                  flat = out.normals[out.corner_normals[0]],
                  rising = out.normals[out.corner_normals[6]],
                  hard = out.normals[out.corner_normals[11]];
  assert_int_equal(out.corner_normals[2], out.corner_normals[5]);
  assert_true(fabsf(seam.x + 1 / sqrtf(5)) < 1e-6f && fabsf(seam.y - 2 / sqrtf(5)) < 1e-6f);
  assert_true(other.x == seam.x && flat.y == 1 && hard.y == 1 && hard.x == 0);
  assert_true(fabsf(rising.x + sqrtf(0.5f)) < 1e-6f && fabsf(rising.y - sqrtf(0.5f)) < 1e-6f);
  assert_true(out.corner_normals[11] != out.corner_normals[2]);
  weft_source_free(&s);
  weft_source_free(&out);
  weft_mesh_free(&mesh);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  write_text(CLOTH);
  weft_source s = source_of(in_path, NULL);
  weft_mesh mesh = mesh_of(in_path, NULL), other;
  weft_vec3 placed[11];
  weft_error err = {0};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 3, .columns = 3}, &other, NULL),
                   WEFT_OK);
  assert_int_equal(weft_source_place(&s, &other.map, other.positions, placed, &err),
                   WEFT_ERROR_ARGUMENT);
  mesh.map.source_vertex_count = 10;
  assert_int_equal(weft_source_place(&s, &mesh.map, mesh.positions, placed, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message,
                      "the map is of 10 vertices, and the source has 11: of another file");
  assert_int_equal(weft_source_write_obj(out_path, &s, &mesh.map, NULL, &err), WEFT_ERROR_ARGUMENT);
  memcpy(placed, s.positions, sizeof placed);
  placed[7].z = NAN;
  assert_int_equal(weft_source_write_obj(out_path, &s, NULL, placed, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(strstr(err.message, "vertex 7 is not finite"));
  assert_int_equal(weft_source_write_obj("/nonexistent/a.obj", &s, NULL, NULL, &err),
                   WEFT_ERROR_FILE);
  weft_source_free(&s);
  assert_int_equal(weft_source_read("/nonexistent/a.obj", NULL, &s, &err), WEFT_ERROR_FILE);
  assert_null(s.positions);
  weft_mesh_free(&mesh);
  weft_mesh_free(&other);
}

static uint32_t come_back(const char *folder) {
  char path[2000];
  snprintf(path, sizeof path, "%s/%s", WEFT_MESH_DIR, folder);
  DIR *dir = opendir(path);
  uint32_t count = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
    if (!strstr(entry->d_name, ".obj")) continue;
    snprintf(path, sizeof path, "%s/%s/%s", WEFT_MESH_DIR, folder, entry->d_name);
    assert_comes_back(path, NULL, 0);
    ++count;
  }
  if (dir) closedir(dir);
  return count;
}

static void files_of_others_come_back(void **state) {
  (void)state;
  struct stat info;
  if (stat(WEFT_MESH_DIR "/garments", &info) != 0) {
    print_message("no meshes in %s\n", WEFT_MESH_DIR);
    skip();
  }
  uint32_t count = come_back("garments") + come_back("cloth") + come_back("animated");
  print_message("%u files\n", count);
  assert_true(count >= 13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_comes_back),     cmocka_unit_test(a_backslash_stays_in_its_line),
      cmocka_unit_test(the_text_is_as_expected),   cmocka_unit_test(what_moves_goes_to_its_place),
      cmocka_unit_test(normals_follow_the_cloth),  cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(files_of_others_come_back),
  };
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
