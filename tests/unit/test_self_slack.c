/* How long the look of the backend cpu may leave two features alone: their corners may move against
 * each other by all of the slack, in the worst ways there are, and a line of the kernels still
 * parts them. Features and motions are random. */
#include "cmocka_all.h"
/* after cmocka */
#include <math.h>

#define WEFT_LANES 4
#define WEFT_LANES_NAME "4 lanes"
#include "lanes_kernels.h"

enum { ROUNDS = 60000, TRIES = 24 };

typedef struct case_of_four {
  self_corner c[4];
  vf reach;
} case_of_four;

static vf any_number(weft_rng *rng, float size) {
  vf x;
  for (int l = 0; l < WEFT_LANES; ++l) x[l] = weft_rng_float(rng, -size, size);
  return x;
}

static v3 any_vector(weft_rng *rng, float size) {
  return (v3){any_number(rng, size), any_number(rng, size), any_number(rng, size)};
}

/* Anywhere, flat, edges side by side, and long ones. */
static case_of_four any_features(weft_rng *rng) {
  case_of_four f;
  v3 at[4], none = {all(0), all(0), all(0)};
  for (int k = 0; k < 4; ++k) at[k] = any_vector(rng, 1);
  uint32_t kind = weft_rng_u32(rng) % 4;
  v3 aside = {all(0), all(0), all(0.8f)};
  for (int k = 0; k < 4 && kind == 1; ++k) at[k].z = at[k].z * all(0.1f);
  for (int k = 2; k < 4 && kind == 2; ++k)
    at[k] = add(add(at[k - 2], aside), any_vector(rng, 0.2f));
  if (kind == 3) at[1] = add(at[0], any_vector(rng, 4));
  for (int k = 0; k < 4; ++k) f.c[k] = self_corner_of(at[k], none, (vi){0});
  f.reach = absolute(any_number(rng, 0.2f));
  return f;
}

/* Corners go to and fro along three axes: the line between the features, the first edge, and square
 * to both; or anywhere. */
static void any_motion(weft_rng *rng, const case_of_four *f, v3 by[4]) {
  v3 axes[3];
  axes[0] =
      sub(self_middle2(f->c[0], f->c[1], f->c[2].at), self_middle2(f->c[2], f->c[3], f->c[2].at));
  axes[1] = sub(f->c[1].at, f->c[0].at);
  axes[2] = exact_cross(axes[0], axes[1]);
  bool anywhere = weft_rng_u32(rng) % 4 == 0;
  for (int k = 0; k < 4; ++k) {
    by[k] = any_vector(rng, anywhere ? 1 : 0.1f);
    for (int a = 0; a < 3 && !anywhere; ++a) {
      float to = (float)(int)(weft_rng_u32(rng) % 3) - 1;
      by[k] = add(by[k], scale(axes[a], all(to) / (length_of(axes[a]) + all(1e-6f))));
    }
  }
}

/* Moves corners so that two of them move against each other by as much as is allowed. */
static void move_by(const case_of_four *f, v3 by[4], vf allowed, self_corner to[4]) {
  vf most = all(1e-9f);
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < i; ++k) most = self_more(most, length_of(sub(by[i], by[k])));
  }
  for (int k = 0; k < 4; ++k) {
    to[k] = f->c[k];
    to[k].at = add(to[k].at, scale(by[k], allowed / most));
  }
}

static uint32_t parted(const self_corner c[4], vf reach, bool edges) {
  return signs(edges ? self_edges_parted(c[0], c[1], c[2], c[3], reach)
                     : self_vertex_parted(c[0], c[1], c[2], c[3], reach));
}

static void features_stay_parted_for_their_slack(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(26);
  uint32_t tried[2] = {0, 0};
  for (int round = 0; round < ROUNDS; ++round) {
    case_of_four f = any_features(&rng);
    bool edges = weft_rng_u32(&rng) % 2;
    vf slack = edges ? edges_slack(f.c, f.reach) : vertex_slack(f.c, f.reach);
    uint32_t known = signs(slack > all(1e-3f));
    tried[edges] += (uint32_t)__builtin_popcount(known);
    vf allowed = choose(lanes_of(known), slack * all(0.999f), all(0));
    for (int k = 0; k < TRIES; ++k) {
      v3 by[4];
      self_corner to[4];
      any_motion(&rng, &f, by);
      move_by(&f, by, allowed, to);
      assert_int_equal(known & ~parted(to, f.reach, edges), 0);
    }
  }
  print_message("%u vertices and triangles, %u pairs of edges\n", tried[0], tried[1]);
  assert_true(tried[0] > ROUNDS / 8 && tried[1] > ROUNDS / 8);
}

int main(void) {
  (void)&lanes_table;
  const struct CMUnitTest tests[] = {cmocka_unit_test(features_stay_parted_for_their_slack)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
