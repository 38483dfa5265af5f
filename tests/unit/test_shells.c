/* What is inside of a closed surface: beside the formulas of a ball and a ring, and beside the
 * solid angle that the triangles fill, summed in doubles. */
#include "shells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "cmocka_all.h"
#include "vec3.h"

static const double pi = 3.14159265358979323846;

/* ---- surfaces ---- */

/* A sheet of columns by rows of quads, both ways closed or pinched; at() places its points. */
typedef weft_vec3 place(double u, double v, void *user);

static weft_mesh wrapped(uint32_t columns, uint32_t rows, place *at, void *user) {
  weft_mesh mesh = {.vertex_count = (columns + 1) * (rows + 1),
                    .triangle_count = 2 * columns * rows};
  mesh.positions = weft_alloc(mesh.vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(3 * (size_t)mesh.triangle_count, sizeof *mesh.triangles);
  uint32_t *t = mesh.triangles;
  for (uint32_t r = 0; r <= rows; ++r) {
    for (uint32_t c = 0; c <= columns; ++c) { /* the last of a row lies where its first does */
      mesh.positions[r * (columns + 1) + c] =
          at((double)(c % columns) / columns, (double)r / rows, user);
    }
  }
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t c = 0; c < columns; ++c) {
      uint32_t a = r * (columns + 1) + c, b = a + columns + 1;
      *t++ = a, *t++ = b, *t++ = a + 1;
      *t++ = a + 1, *t++ = b, *t++ = b + 1;
    }
  }
  return mesh;
}

typedef struct ring {
  double across, thick; /* radii: of the circle in the middle, and around it; across 0 is a ball */
  weft_vec3 centre;
} ring;

static weft_vec3 on_ball(double u, double v, void *user) {
  const ring *b = user;
  double down = v == 0 || v == 1 ? 0 : sin(pi * v), y = v == 0 ? 1 : v == 1 ? -1 : cos(pi * v);
  return weft_v3(b->centre.x + (float)(b->thick * down * cos(2 * pi * u)),
                 b->centre.y + (float)(b->thick * y),
                 b->centre.z - (float)(b->thick * down * sin(2 * pi * u)));
}

static weft_vec3 on_ring(double u, double v, void *user) {
  const ring *b = user;
  double w = v == 1 ? 0 : 2 * pi * v, out = b->across + b->thick * cos(w);
  return weft_v3(b->centre.x + (float)(out * cos(2 * pi * u)),
                 b->centre.y - (float)(b->thick * sin(w)),
                 b->centre.z - (float)(out * sin(2 * pi * u)));
}

static weft_mesh ball(uint32_t n, double radius, weft_vec3 centre) {
  return wrapped(2 * n, n, on_ball, &(ring){0, radius, centre});
}

/* Distance to the surface that it was made from, below 0 inside. */
static double off(const ring *b, weft_vec3 p) {
  double x = (double)p.x - (double)b->centre.x, y = (double)p.y - (double)b->centre.y,
         z = (double)p.z - (double)b->centre.z;
  double level = hypot(x, z) - b->across;
  return (b->across > 0 ? hypot(level, y) : sqrt(x * x + y * y + z * z)) - b->thick;
}

static weft_mesh both(weft_mesh a, weft_mesh b) {
  weft_mesh all = {.vertex_count = a.vertex_count + b.vertex_count,
                   .triangle_count = a.triangle_count + b.triangle_count};
  all.positions = weft_alloc(all.vertex_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  memcpy(all.positions, a.positions, a.vertex_count * sizeof *a.positions);
  memcpy(all.positions + a.vertex_count, b.positions, b.vertex_count * sizeof *b.positions);
  memcpy(all.triangles, a.triangles, 3 * (size_t)a.triangle_count * sizeof *a.triangles);
  for (size_t c = 0; c < 3 * (size_t)b.triangle_count; ++c) {
    all.triangles[3 * (size_t)a.triangle_count + c] = b.triangles[c] + a.vertex_count;
  }
  weft_mesh_free(&a);
  weft_mesh_free(&b);
  return all;
}

static void turn_inside_out(weft_mesh *mesh) {
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    uint32_t *c = mesh->triangles + 3 * t, swap = c[1];
    c[1] = c[2], c[2] = swap;
  }
}

/* ---- points ---- */

enum { POINTS = 4000 };

static weft_vec3 *points_in(weft_vec3 low, weft_vec3 high) {
  weft_vec3 *points = weft_alloc(POINTS, sizeof *points);
  weft_rng rng = weft_rng_seed(7);
  for (uint32_t i = 0; i < POINTS; ++i) {
    points[i].x = weft_rng_float(&rng, low.x, high.x);
    points[i].y = weft_rng_float(&rng, low.y, high.y);
    points[i].z = weft_rng_float(&rng, low.z, high.z);
  }
  return points;
}

static uint32_t mark(const weft_mesh *mesh, const weft_vec3 *points, uint32_t count,
                     uint8_t *marks) {
  weft_shells *shells = weft_shells_make(mesh);
  memset(marks, 0, count);
  weft_shells_mark_inside(shells, mesh->positions, points, count, marks);
  weft_shells_free(shells);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += marks[i];
  return sum;
}

/* How often the surface winds around a point, by the solid angle of each triangle (van Oosterom and
 * Strackee 1983). */
static double winding(const weft_mesh *mesh, weft_vec3 p) {
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    double c[3][3], length[3];
    for (int k = 0; k < 3; ++k) {
      weft_vec3 q = mesh->positions[mesh->triangles[3 * t + (size_t)k]];
      c[k][0] = (double)q.x - (double)p.x, c[k][1] = (double)q.y - (double)p.y,
      c[k][2] = (double)q.z - (double)p.z;
      length[k] = sqrt(c[k][0] * c[k][0] + c[k][1] * c[k][1] + c[k][2] * c[k][2]);
    }
    double det = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                 c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                 c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    double below = length[0] * length[1] * length[2];
    for (int k = 0; k < 3; ++k) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      below += (c[i][0] * c[j][0] + c[i][1] * c[j][1] + c[i][2] * c[j][2]) * length[k];
    }
    sum += 2 * atan2(det, below);
  }
  return sum / (4 * pi);
}

/* ---- tests ---- */

/* The mesh lies between the surface and that less the chord's height. */
static void beside_its_formula(const weft_mesh *mesh, const ring *shape, double chord) {
  float r = (float)(1.1 * (shape->across + shape->thick));
  weft_vec3 reach = {r, r, r}, c = shape->centre;
  weft_vec3 *points = points_in(weft_v3_sub(c, reach), weft_v3_add(c, reach));
  uint8_t marks[POINTS];
  uint32_t inside = mark(mesh, points, POINTS, marks), near = 0;
  for (uint32_t i = 0; i < POINTS; ++i) {
    double d = off(shape, points[i]);
    if (d < 1e-6 && d > -chord - 1e-6) {
      near++;
    } else if (marks[i] != (d < 0)) {
      fail_msg("point %u, %g m off, is %s", i, d, marks[i] ? "inside" : "outside");
    }
  }
  assert_true(inside > POINTS / 20);
  assert_true(near < POINTS / 20);
  weft_free(points);
}

static void a_ball_and_a_ring_have_the_inside_of_their_formulas(void **state) {
  (void)state;
  const ring round = {0, 0.7, {3, -2, 0.3f}}, torus = {0.6, 0.2, {-0.1f, 5, 0.2f}};
  weft_mesh mesh = ball(40, round.thick, round.centre);
  beside_its_formula(&mesh, &round, round.thick * (1 - cos(pi / 40) * cos(pi / 80)));
  weft_mesh_free(&mesh);
  mesh = wrapped(96, 48, on_ring, (void *)&torus);
  beside_its_formula(&mesh, &torus, 0.8 * (1 - cos(pi / 96)) + 0.2 * (1 - cos(pi / 48)));
  weft_mesh_free(&mesh);
}

static void check_angles(const weft_mesh *mesh, const char *what, uint32_t expected_at_least) {
  weft_vec3 low, high;
  weft_v3_bounds(mesh->positions, mesh->vertex_count, &low, &high);
  weft_vec3 *points = points_in(low, high);
  uint8_t marks[POINTS];
  uint32_t inside = mark(mesh, points, POINTS, marks);
  for (uint32_t i = 0; i < POINTS; i += 5) {
    double w = winding(mesh, points[i]);
    assert_true(fabs(w - round(w)) < 1e-6);
    if (marks[i] != (round(w) != 0)) fail_msg("%s, point %u: wound %g times", what, i, w);
  }
  assert_true(inside >= expected_at_least);
  weft_free(points);
}

static void surfaces_that_cross_or_face_inwards_have_an_inside(void **state) {
  (void)state;
  weft_mesh crossing = both(ball(12, 0.5, weft_v3(0, 0, 0)), ball(9, 0.4, weft_v3(0.4f, 0.1f, 0)));
  check_angles(&crossing, "two that cross", POINTS / 4);
  turn_inside_out(&crossing);
  check_angles(&crossing, "inside out", POINTS / 4);
  weft_mesh_free(&crossing);
  /* A bubble in a ball: the inner surface takes away. */
  weft_mesh bubble = ball(8, 0.3, weft_v3(0.05f, 0, 0));
  turn_inside_out(&bubble);
  weft_mesh hollow = both(ball(12, 0.5, weft_v3(0, 0, 0)), bubble);
  check_angles(&hollow, "hollow", POINTS / 4);
  weft_vec3 middle = {0.05f, 0, 0};
  uint8_t inside;
  assert_int_equal(mark(&hollow, &middle, 1, &inside), 0);
  weft_mesh_free(&hollow);
}

static weft_mesh small_mesh(const weft_vec3 *x, uint32_t vertices, const uint32_t *corners,
                            uint32_t triangles) {
  weft_mesh mesh = {.vertex_count = vertices, .triangle_count = triangles};
  mesh.positions = weft_alloc(vertices, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(3 * (size_t)triangles, sizeof *mesh.triangles);
  memcpy(mesh.positions, x, vertices * sizeof *x);
  memcpy(mesh.triangles, corners, 3 * (size_t)triangles * sizeof *corners);
  return mesh;
}

/* Below 1 inside, above 1 outside. */
typedef float measure(weft_vec3 p);

static float of_cube(weft_vec3 p) { return fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))); }
static float of_octahedron(weft_vec3 p) { return fabsf(p.x) + fabsf(p.y) + fabsf(p.z); }

static float of_pyramids(weft_vec3 p) { return fmaxf(fabsf(p.x), fabsf(p.y)) + fabsf(p.z); }

/* At points of a lattice, all together and each alone, with no others to sort it by; what is on the
 * surface may be either. */
static void check_lattice(const weft_mesh *mesh, measure *far, uint32_t inside) {
  enum { SIDE = 13, ALL = SIDE * SIDE * SIDE };
  weft_vec3 points[ALL];
  uint8_t marks[ALL];
  uint32_t within = 0;
  for (int i = 0; i < ALL; ++i) {
    int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
    points[i] = weft_v3((float)(x - 6) / 4, (float)(y - 6) / 4, (float)(z - 6) / 4);
  }
  mark(mesh, points, ALL, marks);
  for (int i = 0; i < ALL; ++i) {
    float f = far(points[i]);
    if (f == 1) continue;
    within += f < 1;
    uint8_t alone;
    mark(mesh, &points[i], 1, &alone);
    if (marks[i] != (f < 1) || alone != (f < 1)) {
      fail_msg("(%g, %g, %g) is %s", (double)points[i].x, (double)points[i].y, (double)points[i].z,
               marks[i] ? "inside" : "outside");
    }
  }
  assert_int_equal(within, inside);
}

/* Corners, edges and diagonals stand straight above points, and beside them. */
static void rays_through_edges_and_corners_count_once(void **state) {
  (void)state;
  static const weft_vec3 cube[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
  static const uint32_t squares[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                     2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  static const weft_vec3 tips[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                   {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  static const uint32_t eighths[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                     2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  weft_mesh mesh = small_mesh(cube, 8, squares, 12);
  check_lattice(&mesh, of_cube, 7 * 7 * 7);
  weft_mesh_free(&mesh);
  mesh = small_mesh(tips, 6, eighths, 8);
  check_lattice(&mesh, of_octahedron, 63);
  /* Turned by an eighth: a ray meets the corner between two others. */
  for (int k = 0; k < 4; ++k) {
    weft_vec3 p = mesh.positions[k];
    mesh.positions[k] = weft_v3(p.x - p.y, p.x + p.y, 0);
  }
  check_lattice(&mesh, of_pyramids, 49 + 2 * (25 + 9 + 1));
  weft_mesh_free(&mesh);
}

static void what_is_open_has_no_inside(void **state) {
  (void)state;
  weft_vec3 middle[] = {{0, 0, 0}, {3, 0, 0}, {NAN, 0, 0}};
  uint8_t marks[3];
  weft_mesh two = both(ball(10, 1, middle[0]), ball(6, 1, middle[1]));
  weft_shells *shells = weft_shells_make(&two);
  assert_int_equal(weft_shells_open_edges(shells), 0);
  weft_shells_free(shells);
  assert_int_equal(mark(&two, middle, 3, marks), 2);
  /* A triangle of the second is missing. */
  two.triangle_count--;
  memcpy(two.triangles + 3 * 450, two.triangles + 3 * (size_t)two.triangle_count,
         3 * sizeof *two.triangles);
  shells = weft_shells_make(&two);
  assert_int_equal(weft_shells_triangles(shells), 2 * 20 * 10);
  assert_int_equal(weft_shells_open_edges(shells), 3);
  weft_shells_free(shells);
  assert_int_equal(mark(&two, middle, 3, marks), 1);
  assert_int_equal(marks[0], 1);
  /* One that faces the other way than its neighbours. */
  uint32_t *c = two.triangles + 3 * 100, swap = c[0];
  c[0] = c[1], c[1] = swap;
  assert_int_equal(mark(&two, middle, 3, marks), 0);
  weft_mesh_free(&two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_and_a_ring_have_the_inside_of_their_formulas),
      cmocka_unit_test(surfaces_that_cross_or_face_inwards_have_an_inside),
      cmocka_unit_test(rays_through_edges_and_corners_count_once),
      cmocka_unit_test(what_is_open_has_no_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
