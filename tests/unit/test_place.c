#define _DEFAULT_SOURCE
/* Meshes from files that are in another unit, have another axis up, begin turned and moved; and the
 * way back into the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft_kit/motion.h>
#include <weft_kit/source.h>

#include "base.h"
#include "cmocka_all.h"
#include "uvs.h"

/* 5 and 6 stand 0.01 from 3 and 4 of the file; 7 is of no face. */
static const char *const text =
    "v 0.1 0.2 0.3\nv 1.1 -0 0.25\nv 1 1 -0.5\nv -0.3 0.9 0.7\n"
    "v 1.01 1 -0.5\nv -0.3 0.9 0.71\nv 5 6 7\nv 0.4 2 0.1\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    "f 1/1 2/2 3/3 4/4\nf 6 5 8\n";
enum { VERTICES = 8 };
static const float in_file[VERTICES][3] = {
    {0.1f, 0.2f, 0.3f}, {1.1f, -0.0f, 0.25f}, {1, 1, -0.5f}, {-0.3f, 0.9f, 0.7f},
    {1.01f, 1, -0.5f},  {-0.3f, 0.9f, 0.71f}, {5, 6, 7},     {0.4f, 2, 0.1f}};

static char path[64];

static void write_file(const char *ending, const char *contents) {
  snprintf(path, sizeof path, "/tmp/weft-test-place-XXXXXX%s", ending);
  int fd = mkstemps(path, (int)strlen(ending));
  assert_true(fd >= 0);
  assert_int_equal(write(fd, contents, strlen(contents)), (ssize_t)strlen(contents));
  close(fd);
}

static weft_mesh imported(const weft_import_desc *desc) {
  weft_mesh mesh;
  weft_error err = {0};
  if (weft_mesh_import(path, desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

/* ---- an arithmetic of its own: one axis after the other ---- */

static void turn_in_plane(double *a, double *b, double radians) {
  const double length = hypot(*a, *b), angle = atan2(*b, *a) + radians;
  *a = length * cos(angle);
  *b = length * sin(angle);
}

static void expected(const weft_import_desc *d, const float file[3], double p[3]) {
  const double scale = d->scale > 0 ? (double)d->scale : 1;
  for (int k = 0; k < 3; ++k) p[k] = scale * (double)file[k];
  if (d->up == WEFT_UP_Z) turn_in_plane(&p[1], &p[2], -1.5707963267948966);
  turn_in_plane(&p[1], &p[2], (double)d->turn.x);
  turn_in_plane(&p[2], &p[0], (double)d->turn.y);
  turn_in_plane(&p[0], &p[1], (double)d->turn.z);
  p[0] += (double)d->move.x, p[1] += (double)d->move.y, p[2] += (double)d->move.z;
}

static const weft_import_desc descs[] = {
    {0},
    {.scale = 0.01f},
    {.up = WEFT_UP_Z},
    {.up = WEFT_UP_Z, .scale = 2.54f},
    {.turn = {0.3f, 0, 0}},
    {.turn = {0, -0.7f, 0}, .up = WEFT_UP_Z},
    {.turn = {0, 0, 2}, .move = {1, 2, 3}},
    {.turn = {0.5f, 1.1f, -2.3f}, .move = {-4, 0.5f, 10}, .up = WEFT_UP_Z, .scale = 0.1f},
};
enum { DESCS = sizeof descs / sizeof *descs };

static void meshes_stand_where_arithmetic_says(void **state) {
  (void)state;
  write_file(".obj", text);
  for (size_t k = 0; k < DESCS; ++k) {
    weft_mesh mesh = imported(&descs[k]);
    assert_int_equal(mesh.vertex_count, VERTICES - 1);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
      double p[3];
      expected(&descs[k], in_file[weft_mesh_number(&mesh, v)], p);
      const weft_vec3 x = mesh.positions[v];
      assert_true(fabs((double)x.x - p[0]) < 2e-6 && fabs((double)x.y - p[1]) < 2e-6 &&
                  fabs((double)x.z - p[2]) < 2e-6);
    }
    weft_mesh_free(&mesh);
  }
  unlink(path);
}

/* Radians of a quarter are no quarter as floats; a sheet that was level is upright all the same. */
static void quarter_turns_are_exact(void **state) {
  (void)state;
  static const float quarter = 1.5707963267948966f;
  static const struct {
    weft_vec3 turn;
    float p[3];
  } cases[] = {{{quarter, 0, 0}, {1, -3, 2}},         {{0, quarter, 0}, {3, 2, -1}},
               {{0, 0, quarter}, {-2, 1, 3}},         {{2 * quarter, 0, 0}, {1, -2, -3}},
               {{-quarter, quarter, 0}, {-2, 3, -1}}, {{0, 3 * quarter, 0}, {-3, 2, 1}}};
  write_file(".obj", "v 1 2 3\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_mesh mesh = imported(&(weft_import_desc){.turn = cases[k].turn});
    assert_true(mesh.positions[0].x == cases[k].p[0]);
    assert_true(mesh.positions[0].y == cases[k].p[1]);
    assert_true(mesh.positions[0].z == cases[k].p[2]);
    weft_mesh_free(&mesh);
  }
  unlink(path);
}

/* ---- back ---- */

/* Where the mesh began goes back as what it is now: unit and axes are undone, turn and move not. */
static void results_go_back_into_the_file(void **state) {
  (void)state;
  write_file(".obj", text);
  for (size_t k = 0; k < DESCS; ++k) {
    weft_mesh mesh = imported(&descs[k]);
    weft_source source;
    weft_vec3 placed[VERTICES];
    assert_int_equal(weft_source_read(path, &descs[k], &source, NULL), WEFT_OK);
    assert_int_equal(weft_source_place(&source, &mesh.map, mesh.positions, placed, NULL), WEFT_OK);
    for (uint32_t v = 0; v < VERTICES; ++v) {
      const float now[3] = {placed[v].x, placed[v].y, placed[v].z};
      double p[3];
      expected(&descs[k], in_file[v], p);
      if (descs[k].up == WEFT_UP_Z) turn_in_plane(&p[1], &p[2], 1.5707963267948966);
      for (int c = 0; c < 3; ++c) {
        const double scale = descs[k].scale > 0 ? (double)descs[k].scale : 1;
        if (v == 6) assert_true(now[c] == in_file[v][c]); /* of no face */
        if (v != 6) assert_true(fabs((double)now[c] - p[c] / scale) < 4e-6 / scale);
        /* Nothing but the axis: every bit, and the sign of 0 where it is not turned over. */
        if (k == 0 || k == 2) assert_true(now[c] == in_file[v][c]);
        if (k == 0) assert_int_equal(signbit(now[c]), signbit(in_file[v][c]));
        if (k == 2) assert_false(now[c] == 0 && in_file[v][c] == 0 && c == 2 && signbit(now[c]));
      }
    }
    weft_source_free(&source);
    weft_mesh_free(&mesh);
  }
  unlink(path);
}

/* A vertex that was welded from a distance keeps it, turned with the cloth. */
static void what_was_welded_from_a_distance_is_turned_too(void **state) {
  (void)state;
  write_file(".obj", text);
  weft_import_desc desc = descs[DESCS - 1];
  desc.weld_distance = 0.015f * desc.scale;
  weft_mesh mesh = imported(&desc);
  assert_int_equal(mesh.vertex_count, VERTICES - 3);
  weft_source source;
  weft_vec3 placed[VERTICES];
  assert_int_equal(weft_source_read(path, &desc, &source, NULL), WEFT_OK);
  assert_int_equal(weft_source_place(&source, &mesh.map, mesh.positions, placed, NULL), WEFT_OK);
  for (uint32_t v = 4; v < 6; ++v) {
    double p[3];
    expected(&desc, in_file[v], p);
    turn_in_plane(&p[1], &p[2], 1.5707963267948966);
    assert_true(fabs((double)placed[v].x - p[0] / (double)desc.scale) < 2e-4);
    assert_true(fabs((double)placed[v].y - p[1] / (double)desc.scale) < 2e-4);
    assert_true(fabs((double)placed[v].z - p[2] / (double)desc.scale) < 2e-4);
  }
  weft_source_free(&source);
  weft_mesh_free(&mesh);
  unlink(path);
}

static void textures_find_their_triangles(void **state) {
  (void)state;
  write_file(".obj", text);
  for (size_t k = 0; k < DESCS; ++k) {
    weft_mesh mesh = imported(&descs[k]);
    float *uvs;
    weft_error err = {0};
    if (weft_obj_uvs(path, &descs[k], mesh.positions, mesh.triangles, mesh.triangle_count, &uvs,
                     &err)) {
      fail_msg("%s", err.message);
    }
    weft_free(uvs);
    weft_mesh_free(&mesh);
  }
  unlink(path);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const weft_import_desc bad[] = {{.up = (weft_up)2},
                                         {.turn = {NAN, 0, 0}},
                                         {.turn = {0, 2e5f, 0}},
                                         {.move = {0, 0, INFINITY}},
                                         {.move = {0, -2e6f, 0}}};
  write_file(".obj", text);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    weft_mesh mesh;
    weft_error err = {0};
    assert_int_equal(weft_mesh_import(path, &bad[k], &mesh, &err), WEFT_ERROR_ARGUMENT);
    assert_true(err.message[0]);
  }
  unlink(path);
}

/* ---- motions ---- */

/* A file with z up whose keys lift it along z and turn it about z. */
static void motions_are_lifted_as_a_whole(void **state) {
  (void)state;
  static const char *const keys =
      "{\"pivot\": [1, 0, 0], \"keys\": [{\"time\": 0}, {\"time\": 1, \"translation\": [0, 0, "
      "0.5], "
      "\"axis\": [0, 0, 1], \"angle\": 90}]}";
  char mesh_path[64];
  write_file(".obj", "v 1 0 0\nv 2 0 0\nv 1 3 1\nf 1 2 3\n");
  memcpy(mesh_path, path, sizeof path);
  write_file(".json", keys);
  weft_motion *motion;
  weft_error err = {0};
  const weft_motion_desc desc = {.motion = path, .mesh = mesh_path, .up = WEFT_UP_Z, .scale = 2};
  if (weft_motion_load(&desc, &motion, &err) != WEFT_OK) fail_msg("%s", err.message);
  /* In the file (1,0,0), (1,1,0), (-2,0,1), 0.5 higher; here x, z, -y of that, doubled. */
  static const float then[3][3] = {{2, 1, 0}, {2, 1, -2}, {-4, 3, 0}};
  weft_vec3 x[3];
  assert_int_equal(weft_motion_at(motion, 1, x, NULL), WEFT_OK);
  for (int v = 0; v < 3; ++v) {
    assert_true(fabsf(x[v].x - then[v][0]) < 1e-6f && fabsf(x[v].y - then[v][1]) < 1e-6f &&
                fabsf(x[v].z - then[v][2]) < 1e-6f);
  }
  assert_true(weft_motion_describe(motion).rest_distance < 1e-6);
  assert_true(weft_motion_mesh(motion)->positions[2].y == 2);
  weft_motion_free(motion);
  const weft_motion_desc bad = {.motion = path, .mesh = mesh_path, .up = (weft_up)7};
  assert_int_equal(weft_motion_load(&bad, &motion, &err), WEFT_ERROR_ARGUMENT);
  unlink(path);
  unlink(mesh_path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_stand_where_arithmetic_says),
      cmocka_unit_test(quarter_turns_are_exact),
      cmocka_unit_test(results_go_back_into_the_file),
      cmocka_unit_test(what_was_welded_from_a_distance_is_turned_too),
      cmocka_unit_test(textures_find_their_triangles),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(motions_are_lifted_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
