/* Grids that are known not to meet themselves, against the exact count. */
#include "flat_grid.h"

#include <math.h>

#include "base.h"
#include "cmocka_all.h"
#include "intersections.h"

enum { ROWS = 7, COLUMNS = 9, POINTS = ROWS * COLUMNS, TRIANGLES = 2 * (ROWS - 1) * (COLUMNS - 1) };

/* Cut either way, quad by quad. */
static uint64_t intersections_of(const weft_vec3 *x, weft_rng *rng) {
  uint32_t triangles[3 * TRIANGLES], *t = triangles;
  for (uint32_t r = 0; r + 1 < ROWS; ++r) {
    for (uint32_t c = 0; c + 1 < COLUMNS; ++c) {
      uint32_t q[4] = {r * COLUMNS + c, r * COLUMNS + c + 1, (r + 1) * COLUMNS + c + 1,
                       (r + 1) * COLUMNS + c};
      uint32_t way = weft_rng_u32(rng) & 1;
      for (uint32_t half = 0; half < 2; ++half) {
        *t++ = q[way];
        *t++ = q[way + 1 + half];
        *t++ = q[(way + 2 + half) % 4];
      }
    }
  }
  weft_intersections found;
  assert_int_equal(weft_count_intersections(x, POINTS, triangles, TRIANGLES, NULL, &found, NULL),
                   WEFT_OK);
  return found.triangle_pairs;
}

/* In the plane of two axes. */
static weft_vec3 on_axes(double u, double v, double w, int axis) {
  double at[3];
  at[axis] = w;
  at[(axis + 1) % 3] = u;
  at[(axis + 2) % 3] = v;
  return weft_v3((float)at[0], (float)at[1], (float)at[2]);
}

static double random_in(weft_rng *rng, double low, double high) {
  return low + (high - low) * (weft_rng_u32(rng) / 4294967296.0);
}

static bool lies_flat(const weft_vec3 *x) { return weft_grid_lies_flat(x, ROWS, COLUMNS); }

static void even(weft_vec3 *x, int axis, double turn) {
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLUMNS; ++c) {
      x[r * COLUMNS + c] = on_axes(turn * 0.125 * c, 0.125 * r, 0.01 * ((c * r) % 3), axis);
    }
  }
}

static void sheets_lie_flat_along_every_axis_and_either_way(void **state) {
  (void)state;
  weft_rng rng = {.state = 5};
  weft_vec3 x[POINTS];
  for (int k = 0; k < 6; ++k) {
    even(x, k % 3, k < 3 ? 1 : -1);
    assert_true(lies_flat(x));
    assert_int_equal(intersections_of(x, &rng), 0);
  }
  assert_false(weft_grid_lies_flat(x, 1, COLUMNS));
}

static void what_is_moved_lies_flat_only_where_nothing_meets(void **state) {
  (void)state;
  weft_rng rng = {.state = 7};
  uint32_t flat = 0, met = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    weft_vec3 x[POINTS];
    even(x, trial % 3, trial % 2 ? 1 : -1);
    double most = random_in(&rng, 0, 0.2), step = trial % 2 ? 0.0625 : 0.0001; /* or onto lines */
    bool all = trial % 4 == 0; /* or a single one; the outline stays straight */
    for (int r = 1; r + 1 < ROWS; ++r) {
      for (int c = 1; c + 1 < COLUMNS; ++c) {
        if (!all && (r != 2 + trial % 3 || c != 2 + trial % 5)) continue;
        float *at = &x[r * COLUMNS + c].x;
        for (int k = 1; k < 3; ++k)
          at[(trial + k) % 3] += (float)(round(random_in(&rng, -most, most) / step) * step);
      }
    }
    bool is_flat = lies_flat(x), meets = intersections_of(x, &rng) > 0;
    assert_false(is_flat && meets);
    flat += is_flat;
    met += meets;
  }
  assert_true(flat > 50 && met > 100);
}

/* Every quad turns the same way, and yet the sheet lies on itself. */
static void a_ring_of_more_than_a_turn_does_not(void **state) {
  (void)state;
  weft_rng rng = {.state = 9};
  weft_vec3 x[POINTS];
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLUMNS; ++c) {
      double angle = 7.5 * c / (COLUMNS - 1), radius = 1 + 0.1 * r;
      x[r * COLUMNS + c] = on_axes(radius * cos(angle), radius * sin(angle), 0, 2);
    }
  }
  assert_true(intersections_of(x, &rng) > 0);
  assert_false(lies_flat(x));
}

static void folded_and_curved_ones_do_not(void **state) {
  (void)state;
  weft_vec3 x[POINTS];
  for (int kind = 0; kind < 3; ++kind) {
    for (int r = 0; r < ROWS; ++r) {
      for (int c = 0; c < COLUMNS; ++c) {
        double u = 0.1 * c, w = 0;
        if (kind == 0 && c > 4) u = 0.8 - u;               /* back on itself */
        if (kind == 1) u = cos(0.5 * c), w = sin(0.5 * c); /* a tube */
        if (kind == 2 && c > 4) u = 0.3;                   /* without area */
        x[r * COLUMNS + c] = on_axes(u, 0.1 * r, w, 0);
      }
    }
    assert_false(lies_flat(x));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheets_lie_flat_along_every_axis_and_either_way),
      cmocka_unit_test(what_is_moved_lies_flat_only_where_nothing_meets),
      cmocka_unit_test(a_ring_of_more_than_a_turn_does_not),
      cmocka_unit_test(folded_and_curved_ones_do_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
