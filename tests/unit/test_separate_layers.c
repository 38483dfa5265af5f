/* Layers that lie in one place are put over each other: by how much, on which side, in which order,
 * and what is left alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft_kit/import.h>
#include <weft_kit/layers.h>

#include "cmocka_all.h"
#include "intersections.h"
#include "mesh_internal.h"
#include "vec3d.h"

/* ---- meshes made by hand: pieces one after the other, no vertex shared ---- */

enum { SIDE = 4, MOST = 400 };

typedef struct pieces {
  weft_mesh mesh;
  weft_vec3 positions[MOST], before[MOST];
  uint32_t triangles[3 * 2 * MOST];
} pieces;

static void open_pieces(pieces *p) {
  *p = (pieces){0};
  p->mesh.positions = p->positions;
  p->mesh.triangles = p->triangles;
}

static void add_triangle(pieces *p, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *t = p->triangles + 3 * (size_t)p->mesh.triangle_count++;
  t[0] = a, t[1] = b, t[2] = c;
}

/* A level sheet of SIDE x SIDE from `corner` on, seen from above, or with `under` from below. */
static uint32_t add_sheet(pieces *p, weft_vec3 corner, bool under) {
  const uint32_t first = p->mesh.vertex_count;
  for (uint32_t k = 0; k < SIDE * SIDE; ++k) {
    p->positions[first + k] = weft_v3_add(corner, weft_v3((float)(k % SIDE), 0, (float)(k / SIDE)));
  }
  p->mesh.vertex_count += SIDE * SIDE;
  for (uint32_t r = 0; r + 1 < SIDE; ++r) {
    for (uint32_t c = 0; c + 1 < SIDE; ++c) {
      const uint32_t a = first + r * SIDE + c, b = a + 1, d = a + SIDE, e = d + 1;
      add_triangle(p, a, under ? b : d, under ? d : b);
      add_triangle(p, b, under ? e : d, under ? d : e);
    }
  }
  return first;
}

enum { AROUND = 12, ROWS = 4 };

/* A tube around y, seen from outside. */
static uint32_t add_tube(pieces *p) {
  const uint32_t first = p->mesh.vertex_count;
  for (uint32_t k = 0; k < AROUND * ROWS; ++k) {
    const double angle = 6.283185307179586 * (k % AROUND) / AROUND;
    p->positions[first + k] =
        weft_v3((float)cos(angle), 0.4f * (float)(k / AROUND), (float)sin(angle));
  }
  p->mesh.vertex_count += AROUND * ROWS;
  for (uint32_t r = 0; r + 1 < ROWS; ++r) {
    for (uint32_t c = 0; c < AROUND; ++c) {
      const uint32_t a = first + r * AROUND + c, b = first + r * AROUND + (c + 1) % AROUND;
      add_triangle(p, a, a + AROUND, b);
      add_triangle(p, b, a + AROUND, b + AROUND);
    }
  }
  return first;
}

static void part(pieces *p, float distance) {
  weft_error err = {0};
  memcpy(p->before, p->positions, sizeof p->before);
  if (weft_mesh_separate_layers(&p->mesh, distance, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static void expect_moved(const pieces *p, uint32_t first, uint32_t count, float up) {
  for (uint32_t v = first; v < first + count; ++v) {
    const weft_vec3 way = weft_v3_sub(p->positions[v], p->before[v]);
    if (fabsf(way.x) + fabsf(way.z) > 1e-6f || fabsf(way.y - up) > 1e-6f) {
      fail_msg("vertex %u moved by (%g, %g, %g), wanted %g up", v, (double)way.x, (double)way.y,
               (double)way.z, (double)up);
    }
  }
}

static void expect_apart(const weft_mesh *mesh) {
  weft_intersections found;
  weft_error err = {0};
  assert_int_equal(weft_count_intersections(mesh->positions, mesh->vertex_count, mesh->triangles,
                                            mesh->triangle_count, NULL, &found, &err),
                   WEFT_OK);
  assert_int_equal(found.triangle_pairs, 0);
}

/* ---- the claims ---- */

static void each_lies_over_those_before_it(void **state) {
  enum { N = SIDE * SIDE };
  (void)state;
  pieces p;
  open_pieces(&p);
  for (int k = 0; k < 3; ++k) add_sheet(&p, weft_v3(0, 0, 0), false);
  const uint32_t lining = add_sheet(&p, weft_v3(0, 0, 0), true);
  part(&p, 0.01f);
  for (uint32_t k = 0; k < 3; ++k) expect_moved(&p, k * N, N, 0.01f * (float)k);
  expect_moved(&p, lining, N, -0.03f); /* to the side that it faces */
  assert_int_equal(p.mesh.map.mending.vertices_parted, 3 * N);
  expect_apart(&p.mesh);
}

/* Sheets that overlap like steps, and triangles in another order than pieces: what moves off one
 * moves off what that one has moved to. */
static void what_lies_on_what_has_moved_moves_further(void **state) {
  enum { N = SIDE * SIDE, T = 2 * (SIDE - 1) * (SIDE - 1) };
  (void)state;
  for (int backwards = 0; backwards < 2; ++backwards) {
    pieces p;
    open_pieces(&p);
    for (int k = 0; k < 3; ++k) add_sheet(&p, weft_v3(2.0f * (float)k, 0, 0), false);
    for (size_t t = 0; backwards && t < 3 * T / 2; ++t) {
      for (size_t c = 0; c < 3; ++c) {
        const uint32_t kept = p.triangles[3 * t + c];
        p.triangles[3 * t + c] = p.triangles[3 * (3 * T - 1 - t) + c];
        p.triangles[3 * (3 * T - 1 - t) + c] = kept;
      }
    }
    part(&p, 0.01f);
    for (uint32_t k = 0; k < 3; ++k) expect_moved(&p, k * N, N, 0.01f * (float)k);
    expect_apart(&p.mesh);
  }
}

/* Of a tube faces are `distance` apart, not only vertices. */
static void faces_are_as_far_apart_as_asked(void **state) {
  (void)state;
  pieces p;
  open_pieces(&p);
  add_tube(&p);
  const uint32_t outer = add_tube(&p);
  part(&p, 0.02f);
  const double half = 3.141592653589793 / AROUND;
  for (uint32_t v = outer; v < p.mesh.vertex_count; ++v) {
    const double r = hypot((double)p.positions[v].x, (double)p.positions[v].z);
    const uint32_t row = (v - outer) / AROUND;
    const double apart = (r - 1) * cos(half);
    assert_true(apart > 0.0199 && apart < (row == 0 || row == ROWS - 1 ? 0.0206 : 0.0201));
    assert_true(fabs((double)p.positions[v].y - (double)p.before[v].y) < 1e-6);
  }
  expect_apart(&p.mesh);
}

/* 3 mm at most, and half the mean edge where that is less. */
static void by_default_it_is_what_self_collision_keeps(void **state) {
  (void)state;
  for (int small = 0; small < 2; ++small) {
    pieces p;
    open_pieces(&p);
    add_sheet(&p, weft_v3(0, 0, 0), false);
    add_sheet(&p, weft_v3(0, 0, 0), false);
    const float scale = small ? 0.001f : 1;
    for (uint32_t v = 0; v < p.mesh.vertex_count; ++v) {
      p.positions[v] = weft_v3_scale(p.positions[v], scale);
    }
    part(&p, 0);
    const float mean = (2 + sqrtf(2)) / 3;
    expect_moved(&p, SIDE * SIDE, SIDE * SIDE, small ? 0.5f * mean * scale : 0.003f);
  }
}

static void what_does_not_lie_on_another_stays(void **state) {
  (void)state;
  const weft_vec3 places[] = {{SIDE - 1, 0, 0}, {0, 0, SIDE - 1}, {SIDE - 1, 0, SIDE - 1},
                              {0, 0.001f, 0},   {0.5f, 0, 0},     {20, 0, 0}};
  for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
    pieces p;
    open_pieces(&p);
    add_sheet(&p, weft_v3(0, 0, 0), false);
    add_sheet(&p, places[k], false);
    part(&p, 0.01f);
    assert_memory_equal(p.positions, p.before, sizeof p.before);
    assert_int_equal(p.mesh.map.mending.vertices_parted, 0);
  }
}

/* Neither time nor distance grows without bound. */
static void a_hundred_in_one_place_are_not_cloth(void **state) {
  (void)state;
  pieces p;
  open_pieces(&p);
  for (uint32_t k = 0; k < 100; ++k) {
    const uint32_t first = p.mesh.vertex_count;
    p.positions[first] = weft_v3(0, 0, 0);
    p.positions[first + 1] = weft_v3(0, 0, 1);
    p.positions[first + 2] = weft_v3(1, 0, 0);
    p.mesh.vertex_count += 3;
    add_triangle(&p, first, first + 1, first + 2);
  }
  part(&p, 0.01f);
  expect_moved(&p, 3 * 15, 3, 0.15f);
  for (uint32_t v = 0; v < p.mesh.vertex_count; ++v) assert_true(p.positions[v].y < 0.1601f);
  open_pieces(&p);
  for (int k = 0; k < 20; ++k) add_sheet(&p, weft_v3(2.0f * (float)k, 0, 0), false);
  part(&p, 0.01f);
  for (uint32_t v = 0; v < p.mesh.vertex_count; ++v) assert_true(p.positions[v].y < 0.1601f);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  pieces p;
  weft_error err = {0};
  open_pieces(&p);
  add_sheet(&p, weft_v3(0, 0, 0), false);
  assert_int_equal(weft_mesh_separate_layers(NULL, 0, &err), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_mesh_separate_layers(&p.mesh, -1, &err), WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message, "distance of layers is -1 m, allowed is 0 to 1");
  assert_int_equal(weft_mesh_separate_layers(&p.mesh, NAN, &err), WEFT_ERROR_ARGUMENT);
  p.triangles[1] = 77;
  assert_int_equal(weft_mesh_separate_layers(&p.mesh, 0, &err), WEFT_ERROR_MESH);
  assert_int_equal(weft_mesh_separate_layers(&(weft_mesh){0}, 0, &err), WEFT_OK);
}

/* A garment twice, and 0.1 m for a unit of the file. */
static void a_shirt_over_itself(void **state) {
  (void)state;
  const char *folder = getenv("WEFT_MESH_DIR");
  char path[1000];
  weft_mesh shirt;
  weft_error err = {0};
  snprintf(path, sizeof path, "%s/garments/diffcloth_tshirt1900.obj", folder ? folder : "");
  if (weft_mesh_import(path, &(weft_import_desc){.scale = 0.1f}, &shirt, &err) != WEFT_OK) {
    print_message("%s\n", err.message);
    skip();
  }
  const uint32_t n = shirt.vertex_count, t = shirt.triangle_count;
  weft_mesh twice = {.vertex_count = 2 * n,
                     .triangle_count = 2 * t,
                     .positions = weft_alloc(2 * (size_t)n, sizeof(weft_vec3)),
                     .triangles = weft_alloc(6 * (size_t)t, sizeof(uint32_t))};
  for (uint32_t v = 0; v < 2 * n; ++v) twice.positions[v] = shirt.positions[v % n];
  for (size_t c = 0; c < 6 * (size_t)t; ++c) {
    const size_t own = c % (3 * (size_t)t);
    twice.triangles[c] = shirt.triangles[own] + (c == own ? 0 : n);
  }
  assert_int_equal(weft_mesh_separate_layers(&twice, 0.003f, &err), WEFT_OK);
  assert_memory_equal(twice.positions, shirt.positions, n * sizeof(weft_vec3));
  for (uint32_t v = 0; v < n; ++v) {
    const double way = weft_v3_distance(twice.positions[v], twice.positions[n + v]);
    assert_true(way > 0.00299 && way < 0.00601);
  }
  expect_apart(&twice);
  weft_mesh_free(&shirt);
  weft_mesh_free(&twice);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_lies_over_those_before_it),
      cmocka_unit_test(what_lies_on_what_has_moved_moves_further),
      cmocka_unit_test(faces_are_as_far_apart_as_asked),
      cmocka_unit_test(by_default_it_is_what_self_collision_keeps),
      cmocka_unit_test(what_does_not_lie_on_another_stays),
      cmocka_unit_test(a_hundred_in_one_place_are_not_cloth),
      cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(a_shirt_over_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
