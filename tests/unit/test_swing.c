/* Theory beside a run holds against the same motion computed otherwise: in Cartesian coordinates,
 * with the pulls of the rods as unknowns, where the solver's theory has angles and energies. */
#include <math.h>
#include <string.h>
#include <weft/model.h>

#include "cmocka_all.h"
/* after cmocka */
#include "analytic.h"
#include "base.h"
#include "swing.h"

enum { MOST = 4 };

typedef struct rods {
  int links;
  double mass[MOST], length[MOST];
  double x[MOST][2], v[MOST][2]; /* from the pivot */
} rods;

/* ---- the other way: accelerations from the pulls T of the rods, d2/dt2 |r_i - r_{i-1}|^2 = 0 ----
 */

static void pulls_to_accelerations(const rods *p, double a[MOST][2]) {
  int n = p->links;
  double d[MOST][2], m[MOST][MOST + 1];
  memset(m, 0, sizeof m);
  for (int i = 0; i < n; ++i) {
    double w[2];
    for (int k = 0; k < 2; ++k) {
      d[i][k] = p->x[i][k] - (i ? p->x[i - 1][k] : 0);
      w[k] = p->v[i][k] - (i ? p->v[i - 1][k] : 0);
    }
    m[i][MOST] = w[0] * w[0] + w[1] * w[1]; /* = sum of what the pulls do along the rod */
    if (i == 0) m[i][MOST] += -9.81 * d[i][1];
  }
  /* Mass i is pulled by -T_i d_i and T_{i+1} d_{i+1}; per length of the rod. */
  for (int i = 0; i < n; ++i) {
    for (int j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= n) continue;
      double dots = d[i][0] * d[j][0] + d[i][1] * d[j][1];
      double own =
          j == i ? 1 / p->mass[i] + (i ? 1 / p->mass[i - 1] : 0) : -1 / p->mass[j < i ? j : i];
      m[i][j] = dots * own;
    }
  }
  for (int i = 0; i < n; ++i) { /* Gauss; the matrix is positive definite */
    for (int r = i + 1; r < n; ++r) {
      double f = m[r][i] / m[i][i];
      for (int c = i; c < n; ++c) m[r][c] -= f * m[i][c];
      m[r][MOST] -= f * m[i][MOST];
    }
  }
  double pull[MOST + 1] = {0};
  for (int i = n - 1; i >= 0; --i) {
    double sum = m[i][MOST];
    for (int c = i + 1; c < n; ++c) sum -= m[i][c] * pull[c];
    pull[i] = sum / m[i][i];
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 2; ++k) {
      a[i][k] = (k ? -9.81 : 0) - pull[i] * d[i][k] / p->mass[i];
      if (i + 1 < n) a[i][k] += pull[i + 1] * d[i + 1][k] / p->mass[i];
    }
  }
}

static void add(const rods *p, double h, double v[MOST][2], double a[MOST][2], rods *out) {
  *out = *p;
  for (int i = 0; i < p->links; ++i) {
    for (int k = 0; k < 2; ++k) {
      out->x[i][k] += h * v[i][k];
      out->v[i][k] += h * a[i][k];
    }
  }
}

static void run_rods(rods *p, double seconds) {
  int steps = (int)(seconds * 20000 + 0.5);
  double h = seconds / steps;
  for (int s = 0; s < steps; ++s) {
    rods at = *p;
    double v[4][MOST][2], a[4][MOST][2];
    for (int stage = 0; stage < 4; ++stage) {
      memcpy(v[stage], at.v, sizeof at.v);
      pulls_to_accelerations(&at, a[stage]);
      if (stage < 3) add(p, stage == 2 ? h : h / 2, v[stage], a[stage], &at);
    }
    for (int i = 0; i < p->links; ++i) {
      for (int k = 0; k < 2; ++k) {
        p->x[i][k] += h / 6 * (v[0][i][k] + 2 * v[1][i][k] + 2 * v[2][i][k] + v[3][i][k]);
        p->v[i][k] += h / 6 * (a[0][i][k] + 2 * a[1][i][k] + 2 * a[2][i][k] + a[3][i][k]);
      }
    }
  }
}

/* ---- models ---- */

static const weft_vec3 pivot = {0.3f, 1.5f, -0.2f};

static weft_model *model_of(const rods *p, float compliance, weft_vec3 *x) {
  weft_link links[MOST] = {{0}};
  float masses[MOST + 1] = {0};
  x[0] = pivot;
  for (int i = 0; i < p->links; ++i) {
    x[i + 1] = (weft_vec3){pivot.x + (float)p->x[i][0], pivot.y + (float)p->x[i][1], pivot.z};
    masses[i + 1] = (float)p->mass[i];
    links[i] = (weft_link){.a = (uint32_t)i + 1, /* the far end first: order must not matter */
                           .b = (uint32_t)i,
                           .rest_length = (float)p->length[i],
                           .compliance = compliance};
  }
  const weft_particles_desc desc = {.particle_count = (uint32_t)p->links + 1,
                                    .positions = x,
                                    .masses = masses,
                                    .links = links,
                                    .link_count = (uint32_t)p->links};
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create_particles(&desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

static rods released(int links, double angle) {
  static const double masses[] = {1, 0.4, 2.5, 0.7}, lengths[] = {0.3, 0.45, 0.2, 0.25};
  rods p = {.links = links};
  double x = 0, y = 0;
  for (int i = 0; i < links; ++i) {
    p.mass[i] = masses[i];
    p.length[i] = lengths[i];
    p.x[i][0] = x += lengths[i] * sin(angle + 0.2 * i);
    p.x[i][1] = y -= lengths[i] * cos(angle + 0.2 * i);
  }
  return p;
}

static const weft_params earth = {.gravity = {0, -9.81f, 0}};

static double apart(const weft_swing *swing, const rods *p) {
  weft_vec3 found[MOST + 1], wanted[MOST + 1] = {pivot};
  weft_swing_positions(swing, found);
  double max = 0;
  for (int i = 0; i < p->links; ++i) {
    wanted[i + 1] = (weft_vec3){pivot.x + (float)p->x[i][0], pivot.y + (float)p->x[i][1], pivot.z};
    max = fmax(max, hypot((double)(found[i + 1].x - wanted[i + 1].x),
                          (double)(found[i + 1].y - wanted[i + 1].y)));
    assert_true(found[i + 1].z == pivot.z);
  }
  double measured = weft_swing_distance(swing, wanted);
  if (fabs(measured - max) > 1e-6) fail_msg("distance %.9g, wanted %.9g", measured, max);
  return max;
}

/* ---- claims ---- */

/* Floats round the lengths and the start by 1e-8; what grows from that within a second is a guess
 * that the measured errors keep to. */
static void it_follows_the_same_motion_computed_by_pulls(void **state) {
  (void)state;
  for (int links = 1; links <= 4; ++links) {
    rods p = released(links, 2);
    weft_vec3 x[MOST + 1];
    weft_model *model = model_of(&p, 0, x);
    weft_swing *swing = NULL;
    weft_error err = {0};
    if (weft_swing_create(model, &earth, NULL, NULL, &swing, &err)) fail_msg("%s", err.message);
    double worst = 0;
    for (int f = 0; f < 60; ++f) {
      run_rods(&p, 1 / 60.0);
      weft_swing_advance(swing, 1 / 60.0);
      worst = fmax(worst, apart(swing, &p));
    }
    print_message("%d links: %.3g m apart within a second\n", links, worst);
    if (worst > 2e-5) fail_msg("%d links: %.3g m apart", links, worst);
    weft_swing_destroy(swing);
    weft_model_destroy(model);
  }
}

/* Exact period by the arithmetic-geometric mean: after one, the bead is back. */
static void a_bead_is_back_after_its_exact_period(void **state) {
  (void)state;
  rods p = released(1, 2);
  weft_vec3 x[MOST + 1], found[MOST + 1];
  weft_model *model = model_of(&p, 0, x);
  weft_swing *swing = NULL;
  assert_int_equal(weft_swing_create(model, &earth, NULL, NULL, &swing, NULL), WEFT_OK);
  double a = 1, b = cos(1.0); /* half the amplitude */
  for (int k = 0; k < 30; ++k) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  double period = 2 * 3.14159265358979 * sqrt(0.3 / 9.81) / a;
  for (int f = 0; f < 100; ++f) weft_swing_advance(swing, period / 200);
  weft_swing_positions(swing, found); /* half of it: on the other side */
  assert_true(fabsf(found[1].x - (2 * pivot.x - x[1].x)) < 2e-6f);
  for (int f = 0; f < 100; ++f) weft_swing_advance(swing, period / 200);
  assert_true(weft_swing_distance(swing, x) < 2e-6);
  weft_swing_destroy(swing);
  weft_model_destroy(model);
}

/* From a state in the middle it goes on as if it had come there itself. */
static void it_goes_on_from_a_state_in_motion(void **state) {
  (void)state;
  rods p = released(3, 1.2);
  weft_vec3 rest[MOST + 1], x[MOST + 1] = {pivot}, v[MOST + 1] = {{0, 0, 0}};
  weft_model *model = model_of(&p, 0, rest);
  run_rods(&p, 0.3);
  for (int i = 0; i < 3; ++i) {
    x[i + 1] = (weft_vec3){pivot.x + (float)p.x[i][0], pivot.y + (float)p.x[i][1], pivot.z};
    v[i + 1] = (weft_vec3){(float)p.v[i][0], (float)p.v[i][1], 0};
  }
  weft_swing *swing = NULL;
  assert_int_equal(weft_swing_create(model, &earth, x, v, &swing, NULL), WEFT_OK);
  assert_true(apart(swing, &p) < 1e-6);
  run_rods(&p, 0.3);
  for (int f = 0; f < 18; ++f) weft_swing_advance(swing, 1 / 60.0);
  double end = apart(swing, &p);
  if (end > 1e-5) fail_msg("%.3g m apart", end);
  weft_swing_destroy(swing);
  weft_model_destroy(model);
}

static void refuses(const weft_model *model, const weft_params *params, const weft_vec3 *x,
                    const char *why) {
  weft_swing *swing = NULL;
  weft_error err = {0};
  assert_int_equal(weft_swing_create(model, params, x, NULL, &swing, &err), WEFT_ERROR_ARGUMENT);
  assert_null(swing);
  if (!strstr(err.message, why)) fail_msg("no \"%s\" in: %s", why, err.message);
}

static void where_theory_has_nothing_to_say_it_says_so(void **state) {
  (void)state;
  rods p = released(2, 1);
  weft_vec3 x[MOST + 1];
  weft_model *soft = model_of(&p, 1e-4f, x), *hard = model_of(&p, 0, x), *pinned = NULL;
  refuses(soft, &earth, NULL, "can change its length");
  refuses(hard, &(weft_params){.gravity = {1, -9.81f, 0}}, NULL, "straight down");
  const uint32_t tip = 2;
  assert_int_equal(weft_model_with_pins(hard, &tip, 1, true, &pinned, NULL), WEFT_OK);
  refuses(pinned, &earth, NULL, "two ends");
  const uint32_t top = 0;
  weft_model *loose = NULL;
  assert_int_equal(weft_model_with_pins(hard, &top, 1, false, &loose, NULL), WEFT_OK);
  refuses(loose, &earth, NULL, "not every particle");
  x[2].z += 0.1f;
  refuses(hard, &earth, x, "plane");
  weft_model_destroy(loose);
  weft_model_destroy(pinned);
  weft_model_destroy(hard);
  weft_model_destroy(soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_follows_the_same_motion_computed_by_pulls),
      cmocka_unit_test(a_bead_is_back_after_its_exact_period),
      cmocka_unit_test(it_goes_on_from_a_state_in_motion),
      cmocka_unit_test(where_theory_has_nothing_to_say_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
