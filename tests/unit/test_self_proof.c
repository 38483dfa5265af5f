/* The proof of self-collision, step by step (docs/method.md): a plane that is certified parts its
 * pair; a pair that is dropped, or never listed, stays parted wherever it may end; so does a pair
 * whose motions are cut, whatever other pairs cut. Pairs and motions are random; signs are taken in
 * integers. WEFT_MANY=1 tries ten times as many. */
#include "rig.h"
/* after it */
#include <kernels/lang_c.h>
/* in that language */
#include <kernels/pin.h>
#include <kernels/self_cull_bound.h>
#include <kernels/self_repel.h>
#include <kernels/self_truncate.h>
/* and out of it */
#include <kernels/lang_c_end.h>

#include "base.h"
#include "inspect.h"
#include "self_pairs.h"

enum { PAIRS = 1000000 };

static uint32_t pair_count(void) { return getenv("WEFT_MANY") ? 10 * PAIRS : PAIRS; }

/* ---- what the kernels make of a pair ---- */

/* As SELF_CORNERS_AT of shaders/passes/self.h. */
static self_corners corners_of(const weft_vec3 x[4]) {
  return (self_corners){weft_v3(0, 0, 0), exact_flush3(weft_v3_sub(x[1], x[0])),
                        exact_flush3(weft_v3_sub(x[2], x[0])),
                        exact_flush3(weft_v3_sub(x[3], x[0]))};
}

static self_closest closest_of(const feature_pair *pair, self_corners at) {
  return pair->edges ? self_edge_edge(at) : self_vertex_triangle(at);
}

/* What self_separate uses: the first normal where it is certified, or the best. */
static self_normal normal_of(const feature_pair *pair, bool *certified) {
  self_corners at = corners_of(pair->x);
  self_closest closest = closest_of(pair, at);
  self_normal n = self_first_normal(at, pair->edges, closest);
  if (!self_certified(at, n.gap, pair->least)) n = self_best_normal(at, pair->edges, closest);
  *certified = self_certified(at, n.gap, pair->least);
  return n;
}

/* ---- certificates ---- */

static void check_certificate(const feature_pair *pair, self_normal n) {
  if (is_parted(pair->edges, pair->x, n.n)) return;
  fail_msg("kind %d, %s: certified with a gap of %g m, and not parted", pair->kind,
           pair->edges ? "edges" : "vertex and triangle", (double)n.gap);
}

static void certified_planes_part_their_pairs(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(71);
  uint32_t certain[KINDS] = {0}, all[KINDS] = {0};
  for (uint32_t k = 0; k < pair_count(); ++k) {
    feature_pair pair = any_pair_of_features(&rng);
    self_corners at = corners_of(pair.x);
    self_closest closest = closest_of(&pair, at);
    self_normal first = self_first_normal(at, pair.edges, closest);
    self_normal best = self_best_normal(at, pair.edges, closest);
    assert_true(best.gap >= first.gap);
    if (self_certified(at, first.gap, pair.least)) check_certificate(&pair, first);
    bool certified = self_certified(at, best.gap, pair.least);
    if (certified) check_certificate(&pair, best);
    certain[pair.kind] += certified;
    all[pair.kind]++;
  }
  for (int k = 0; k < KINDS; ++k)
    print_message("kind %d: %u of %u certified\n", k, certain[k], all[k]);
  /* Pairs that are apart are certified: else nothing would ever move. */
  assert_true(certain[GENERIC] > all[GENERIC] - all[GENERIC] / 50);
  assert_true(certain[NEAR] > all[NEAR] / 2 && certain[NEAR] < all[NEAR]);
  assert_true(certain[NEAR_PARALLEL] > all[NEAR_PARALLEL] / 2);
}

/* ---- pairs that are dropped ---- */

static bool is_dropped(const feature_pair *pair, const trial *t, self_normal n) {
  self_corners moves = {t->moves[0], t->moves[1], t->moves[2], t->moves[3]};
  self_marks anywhere = {t->anywhere[0], t->anywhere[1], t->anywhere[2], t->anywhere[3]};
  float least = self_floor_at(pair->x[0], pair->least);
  return self_detect_ahead(moves, n, anywhere, pair->edges, 0, 1, least).safe;
}

static void dropped_pairs_stay_parted(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(72);
  uint32_t dropped = 0, marked = 0;
  for (uint32_t k = 0; k < pair_count(); ++k) {
    feature_pair pair = any_pair_of_features(&rng);
    /* Most far ones have gaps that floats cannot tell there, and are not dropped. */
    while (k % 2 && pair.kind != FAR) pair = any_pair_of_features(&rng);
    bool certified;
    self_normal n = normal_of(&pair, &certified);
    if (!certified) continue;
    trial t = any_trial(&rng, &pair, n);
    if (!is_dropped(&pair, &t, n)) continue;
    dropped++;
    marked += is_marked(&t);
    for (int again = 0; again < 4; ++again) {
      weft_vec3 ends[4];
      any_held(&rng, &pair, &t, again == 0, ends);
      if (!is_parted(pair.edges, ends, n.n)) {
        fail_msg("kind %d, gap %g m: dropped, and not parted at the end", pair.kind, (double)n.gap);
      }
    }
  }
  print_message("%u pairs dropped, %u with corners anywhere on their ways\n", dropped, marked);
  assert_true(dropped > pair_count() / 16 && marked > pair_count() / 64);
}

/* ---- pairs that are not listed ---- */

/* The lines that self_find_features tries; whether one does. */
static bool features_parted(const feature_pair *pair, const trial *t, float reach, weft_vec3 n[2]) {
  self_corner c[4];
  for (int k = 0; k < 4; ++k) c[k] = self_corner_of(pair->x[k], t->moves[k], t->anywhere[k]);
  if (!pair->edges) {
    n[0] = n[1] = exact_flush3(
        weft_v3_sub(weft_v3_sub(c[0].at, c[1].at), self_middle3(c[1], c[2], c[3], c[1].at)));
    return self_vertex_parted(c[0], c[1], c[2], c[3], reach);
  }
  n[0] = exact_flush3(
      weft_v3_sub(self_middle2(c[0], c[1], c[2].at), self_middle2(c[2], c[3], c[2].at)));
  weft_vec3 along = exact_flush3(weft_v3_sub(c[1].at, c[0].at));
  float length2 = exact_dot(along, along);
  float part = exact_flush(exact_dot(n[0], along)) * exact_rcp(length2);
  part = length2 > 1.0e-20f ? part : 0;
  n[1] = exact_flush3(weft_v3_sub(n[0], weft_v3_scale(along, part)));
  return self_edges_parted(c[0], c[1], c[2], c[3], reach);
}

static void features_that_are_not_listed_stay_parted(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(77);
  uint32_t parted = 0, marked = 0;
  for (uint32_t k = 0; k < pair_count(); ++k) {
    feature_pair pair = any_pair_of_features(&rng);
    if (pair.kind == FAR) continue; /* the margin is of the scene's size */
    bool certified;
    self_normal normal = normal_of(&pair, &certified);
    if (!certified) continue;
    trial t = any_trial(&rng, &pair, normal);
    weft_vec3 n[2], ends[4];
    if (!features_parted(&pair, &t, 2 * pair.least, n)) continue;
    parted++;
    marked += is_marked(&t);
    for (int again = 0; again < 4; ++again) {
      any_held(&rng, &pair, &t, again == 0, ends);
      bool first = is_parted(pair.edges, pair.x, n[0]) && is_parted(pair.edges, ends, n[0]);
      bool second = is_parted(pair.edges, pair.x, n[1]) && is_parted(pair.edges, ends, n[1]);
      if (!first && !second) fail_msg("kind %d: not listed, and not parted at the end", pair.kind);
    }
  }
  print_message("%u pairs not listed, %u with corners anywhere on their ways\n", parted, marked);
  assert_true(parted > pair_count() / 50 && marked > pair_count() / 100);
}

/* ---- pairs that are cut ---- */

/* So many pairs in lists of a reference instance, and twice as many others, each of four corners of
 * four of these, that cut what they like in every round. */
enum { BATCH = 20000, OTHERS = 2 * BATCH };

/* On which side of its pair a body is, and how far its frame has come. */
enum { BODY_OF_FIRST, BODY_OF_SECOND, BODY_SUBSTEPS = 6 };

typedef struct batch {
  feature_pair pairs[BATCH];
  vec4 from[4 * BATCH], to[4 * BATCH], held[4 * BATCH];
  weft_self_plane planes[BATCH + OTHERS];
} batch;

static void fill_pairs(weft_rng *rng, batch *b) {
  for (uint32_t k = 0; k < BATCH; ++k) {
    feature_pair *pair = &b->pairs[k];
    /* One instance has one floor. */
    do *pair = any_pair_of_features(rng);
    while (pair->least != 0x1p-15f);
    bool certified;
    self_normal n = normal_of(pair, &certified);
    weft_vec3 to[4];
    any_ends(rng, pair, n, to);
    for (int c = 0; c < 4; ++c) {
      bool still_pin = weft_rng_u32(rng) % 20 == 0;
      weft_vec3 x = pair->x[c], y = still_pin ? x : to[c];
      b->from[4 * k + (uint32_t)c] = (vec4){x.x, x.y, x.z, still_pin ? 0 : 1};
      b->to[4 * k + (uint32_t)c] = (vec4){y.x, y.y, y.z, still_pin ? 0 : 1};
    }
    uint32_t use = WEFT_SELF_LIMITS | (certified ? 0 : WEFT_SELF_UNCERTAIN);
    b->planes[k] = (weft_self_plane){.normal = n.n, .gap = n.gap, .use = use};
  }
}

static void fill_lists(weft_rng *rng, batch *b, weft_contents *contents) {
  uvec4 *pairs = weft_contents_set(contents, WEFT_BUFFER_SELF_PAIRS, BATCH + OTHERS);
  for (uint32_t k = 0; k < BATCH; ++k) {
    const uvec4 p = {4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3};
    pairs[k] = weft_self_listed(p, b->pairs[k].edges, false);
  }
  for (uint32_t k = BATCH; k < BATCH + OTHERS; ++k) {
    weft_vec3d n = of_length_1(any_within(rng, 1));
    float gap = 3e-5f * weft_rng_float(rng, 0.3f, 30);
    b->planes[k].normal = weft_v3((float)n.x, (float)n.y, (float)n.z);
    b->planes[k].gap = gap;
    b->planes[k].use = WEFT_SELF_LIMITS;
    uint32_t p[4];
    for (int c = 0; c < 4; ++c) p[c] = weft_rng_u32(rng) % (4 * BATCH);
    pairs[k] = weft_self_listed((uvec4){p[0], p[1], p[2], p[3]}, k % 2, false);
  }
  weft_self_plane *planes = weft_contents_set(contents, WEFT_BUFFER_SELF_PLANES, BATCH + OTHERS);
  memcpy(planes, b->planes, sizeof b->planes);
  for (uint32_t k = 0; k < BATCH + OTHERS; ++k) planes[k].floor = 0x1p-15f;
}

/* Shares are whole, nothing was cut. */
static void fill_contents(weft_rng *rng, batch *b, uint32_t flags, weft_contents *contents) {
  weft_contents_init(contents);
  uint32_t n = 4 * BATCH;
  memcpy(weft_contents_set(contents, WEFT_BUFFER_X_PREV, n), b->from, sizeof b->from);
  memcpy(weft_contents_set(contents, WEFT_BUFFER_X, n), b->to, sizeof b->to);
  weft_contents_set(contents, WEFT_BUFFER_V, n); /* of pins that are cut */
  uint32_t *shares = weft_contents_set(contents, WEFT_BUFFER_SELF_FRACTIONS, n);
  for (uint32_t k = 0; k < 2 * n; ++k) shares[k] = WEFT_SELF_WHOLE;
  fill_lists(rng, b, contents);
  uint32_t *counts = weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  counts[WEFT_SELF_AT_PAIRS] = BATCH + OTHERS;
  counts[WEFT_SELF_AT_FLAGS] = flags;
  weft_uniforms *u = weft_contents_set(contents, WEFT_BUFFER_UNIFORMS, 1);
  u->self_pairs = BATCH + OTHERS;
}

/* All rounds, then the motions that are left. */
static void run_limit(weft_rng *rng, batch *b, uint32_t flags) {
  weft_contents contents;
  weft_error err = {0};
  fill_contents(rng, b, flags, &contents);
  weft_instance *instance = NULL;
  assert_int_equal(weft_instance_create(weft_backend_ref(), &contents, 0, &instance, &err),
                   WEFT_OK);
  for (uint32_t round = 0; round < WEFT_SELF_ROUNDS; ++round) {
    const weft_pass pass = {
        .kind = WEFT_PASS_SELF_TRUNCATE, .count = BATCH + OTHERS, .round = round};
    weft_instance_run(instance, &pass, 0);
  }
  const weft_pass hold = {.kind = WEFT_PASS_SELF_ADVANCE, .count = 4 * BATCH};
  weft_instance_run(instance, &hold, 0);
  weft_instance_read(instance, WEFT_BUFFER_X, 4 * BATCH, b->held);
  weft_instance_destroy(instance);
  weft_contents_free(&contents);
}

static bool same_place(vec4 a, vec4 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Certified pairs are parted where they end; the others have not moved. Returns the motions cut. */
static uint32_t check_batch(const batch *b) {
  uint32_t cut = 0;
  for (uint32_t k = 0; k < BATCH; ++k) {
    weft_vec3 ends[4];
    for (uint32_t c = 0; c < 4; ++c) {
      vec4 x = b->held[4 * k + c];
      ends[c] = weft_v3(x.x, x.y, x.z);
      cut += !same_place(x, b->to[4 * k + c]);
      if ((b->planes[k].use & WEFT_SELF_UNCERTAIN) != 0) {
        assert_true(same_place(x, b->from[4 * k + c]));
      }
    }
    if ((b->planes[k].use & WEFT_SELF_UNCERTAIN) != 0) continue;
    if (!is_parted(b->pairs[k].edges, ends, b->planes[k].normal)) {
      fail_msg("kind %d, gap %g m: cut, and not parted at the end", b->pairs[k].kind,
               (double)b->planes[k].gap);
    }
  }
  return cut;
}

static void pairs_that_are_cut_stay_parted(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(73);
  batch *b = calloc(1, sizeof *b);
  uint64_t cut = 0;
  for (uint32_t done = 0; done < pair_count(); done += BATCH) {
    fill_pairs(&rng, b);
    run_limit(&rng, b, 0);
    cut += check_batch(b);
  }
  print_message("%llu motions of %u cut\n", (unsigned long long)cut, 4 * pair_count());
  assert_true(cut > pair_count() && cut < 3 * (uint64_t)pair_count());
  free(b);
}

/* ---- bodies on their way ---- */

/* Of a pair with a body: all corners of that side. */
static bool is_of_body(const feature_pair *pair, uint32_t k, uint32_t corner) {
  bool first = corner == 0 || (pair->edges && corner == 1);
  return first == (k % 2 == BODY_OF_FIRST);
}

/* It comes after, but no faster than twice as fast as it is told to go, or than `most`. */
static void check_step(const weft_body_path *path, weft_vec3 x, weft_vec3 to, float most) {
  weft_vec3 way = weft_v3_sub(path->to, path->from);
  float own = weft_v3_length(way) / BODY_SUBSTEPS, step = weft_v3_length(weft_v3_sub(to, x));
  if (step > 1.001f * fmaxf(most, 2 * own) + 1e-6f) {
    fail_msg("a corner comes after by %g m, its own step is %g m", (double)step, (double)own);
  }
}

/* Corners of bodies go on along their paths from wherever they were held back, those of the cloth
 * anywhere. Each pair is looked at anew, as its corners stand. */
static void send_bodies(weft_rng *rng, batch *b, const weft_body_path *paths, uint32_t substep) {
  const float before = (float)substep / BODY_SUBSTEPS, now = (float)(substep + 1) / BODY_SUBSTEPS;
  const float most = 2.0f / 1200;
  for (uint32_t k = 0; k < BATCH; ++k) {
    feature_pair *pair = &b->pairs[k];
    bool certified;
    self_normal n = normal_of(pair, &certified);
    weft_vec3 to[4];
    any_ends(rng, pair, n, to);
    for (uint32_t c = 0; c < 4; ++c) {
      const weft_body_path *path = &paths[4 * k + c];
      weft_vec3 x = pair->x[c], y = to[c];
      bool of_body = is_of_body(pair, k, c);
      if (of_body) {
        y = pin_on_its_way(path->from, path->to, before, now, x, most);
        if (pair->kind != FAR) check_step(path, x, y, most);
      }
      b->from[4 * k + c] = (vec4){x.x, x.y, x.z, of_body ? 0 : 1};
      b->to[4 * k + c] = (vec4){y.x, y.y, y.z, of_body ? 0 : 1};
    }
    uint32_t use = WEFT_SELF_LIMITS | (certified ? 0 : WEFT_SELF_UNCERTAIN);
    b->planes[k] = (weft_self_plane){.normal = n.n, .gap = n.gap, .use = use};
  }
}

/* A body comes towards the other side of its pair and past it, in a frame. */
static void send_out(weft_rng *rng, batch *b, weft_body_path *paths) {
  fill_pairs(rng, b);
  for (uint32_t k = 0; k < BATCH; ++k) {
    feature_pair *pair = &b->pairs[k];
    bool certified;
    weft_vec3 to[4];
    any_ends(rng, pair, normal_of(pair, &certified), to);
    for (uint32_t c = 0; c < 4; ++c) {
      pair->x[c] = exact_snap3(pair->x[c]);
      to[c] = exact_snap3(to[c]);
      paths[4 * k + c] = (weft_body_path){.from = pair->x[c], .to = to[c]};
    }
  }
}

/* What was held back goes on from where it is; nothing that it does so breaks the proof, and what
 * nothing holds arrives, bit for bit. */
static void bodies_on_their_way_stay_parted(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(78);
  batch *b = calloc(1, sizeof *b);
  weft_body_path *paths = calloc(4 * BATCH, sizeof *paths);
  uint64_t cut = 0, held = 0, arrived = 0;
  for (uint32_t done = 0; done < pair_count() / BODY_SUBSTEPS; done += BATCH) {
    send_out(&rng, b, paths);
    for (uint32_t s = 0; s < BODY_SUBSTEPS; ++s) {
      send_bodies(&rng, b, paths, s);
      run_limit(&rng, b, 0);
      cut += check_batch(b);
      for (uint32_t i = 0; i < 4 * BATCH; ++i) {
        b->pairs[i / 4].x[i % 4] = weft_v3(b->held[i].x, b->held[i].y, b->held[i].z);
      }
    }
    for (uint32_t i = 0; i < 4 * BATCH; ++i) {
      if (!is_of_body(&b->pairs[i / 4], i / 4, i % 4)) continue;
      const weft_vec3 to = paths[i].to;
      bool there = same_place(b->held[i], (vec4){to.x, to.y, to.z, 0});
      arrived += there;
      held += !there;
    }
  }
  print_message("%llu motions cut; of corners of bodies %llu arrived, %llu were held back\n",
                (unsigned long long)cut, (unsigned long long)arrived, (unsigned long long)held);
  assert_true(held > pair_count() / 20 && arrived > pair_count() / 50);
  free(paths);
  free(b);
}

/* A list that was too short. */
static void in_a_pause_nothing_moves(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(74);
  batch *b = calloc(1, sizeof *b);
  fill_pairs(&rng, b);
  run_limit(&rng, b, WEFT_SELF_OVERFLOW);
  for (uint32_t i = 0; i < 4 * BATCH; ++i) assert_true(same_place(b->held[i], b->from[i]));
  free(b);
}

/* A motion that is longer than a step ends a step from where it begins, on its way. */
static void a_short_motion_is_a_step_long(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(76);
  uint32_t longer = 0;
  for (uint32_t k = 0; k < 10000; ++k) {
    weft_vec3d from = any_within(&rng, 1), by = any_within(&rng, 0.05);
    weft_vec3 before = {(float)from.x, (float)from.y, (float)from.z},
              move = {(float)by.x, (float)by.y, (float)by.z};
    weft_vec3d whole = weft_v3d((double)move.x, (double)move.y, (double)move.z);
    double length = sqrt(weft_v3d_dot(whole, whole)), step = 0.004;
    if (fabs(length - step) > 1e-6)
      assert_true(self_is_longer(move, (float)step) == (length > step));
    if (length <= step) continue;
    weft_vec3 end = self_shortened(before, move, (float)step);
    weft_vec3d made = weft_v3d((double)end.x - (double)before.x, (double)end.y - (double)before.y,
                               (double)end.z - (double)before.z);
    weft_vec3d off = weft_v3d_sub(made, weft_v3d_scale(whole, step / length));
    assert_true(sqrt(weft_v3d_dot(off, off)) < 2e-7);
    longer++;
  }
  assert_true(longer > 5000);
}

/* What a corner uses of its side, rounding added, is no more than the side: in long doubles, which
 * hold such products and sums of floats. */
static void what_is_cut_keeps_to_its_side(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(75);
  uint32_t cuts = 0;
  for (uint32_t k = 0; k < pair_count(); ++k) {
    float along = ldexpf(weft_rng_float(&rng, 0.5f, 1), -(int)(weft_rng_u32(&rng) % 20));
    float side = along * weft_rng_float(&rng, 0, 1.2f);
    float rounding = side * weft_rng_float(&rng, 0, 1.1f);
    uint32_t cut = self_cut(WEFT_SELF_WHOLE, along, rounding, side);
    if (cut == 0) continue;
    cuts += cut < WEFT_SELF_WHOLE;
    long double used = ldexpl((long double)cut * (long double)along, -24) + (long double)rounding;
    long double spare = cut < WEFT_SELF_WHOLE ? 0 : (long double)side * 0x1p-23L;
    assert_true(used <= (long double)side + spare);
  }
  assert_true(cuts > pair_count() / 2);
}

/* ---- pushes ---- */

/* One pair of free particles without friction ends at the gap it is to keep; no corner makes more
 * than `most`, and no correction is more than half a metre. */
static void a_push_goes_out_as_far_as_it_may(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(76);
  for (uint32_t k = 0; k < pair_count() / 10; ++k) {
    weft_vec3d direction = of_length_1(any_within(&rng, 1));
    weft_vec3 n = weft_v3((float)direction.x, (float)direction.y, (float)direction.z);
    float u = weft_rng_float(&rng, 0.2f, 0.5f), v = weft_rng_float(&rng, 0, 0.4f);
    vec4 weights = {1, u + v - 1, -u, -v};
    vec4 w = {weft_rng_float(&rng, 1, 9), weft_rng_float(&rng, 1, 9), weft_rng_float(&rng, 1, 9),
              weft_rng_float(&rng, 1, 9)};
    float apart = weft_rng_float(&rng, -0.002f, 0.002f), distance = 0.003f, escape = 0.0001f;
    float gap = weft_rng_float(&rng, 0, 0.003f);
    weft_vec3 before = weft_v3_scale(n, gap);
    float depth = self_depth(n, self_wanted(n, before, distance, escape), weft_v3_scale(n, apart));
    double aimed = fmax((double)gap + (double)escape, (double)distance / 4);
    rig_near((double)depth, fmin(aimed, (double)distance) - (double)apart, 1e-8, "the depth");
    float share = self_divided(w, weights, 1);
    weft_vec3 slide = weft_v3(0, 0, 0), c = self_correction(slide, n, depth, 0, 0, 0);
    double out = 0;
    for (int corner = 0; corner < 4; ++corner) {
      float part = (const float[4]){w.x, w.y, w.z, w.w}[corner];
      float weight = (const float[4]){weights.x, weights.y, weights.z, weights.w}[corner];
      weft_vec3 move = self_corner_move(c, part, weight, share, 1);
      out += (double)weight * (double)weft_v3_dot(move, n);
      float most = weft_rng_float(&rng, 0, 0.001f);
      weft_vec3 less = self_corner_move(c, part, weight, share, most);
      const float full[3] = {move.x, move.y, move.z}, kept[3] = {less.x, less.y, less.z};
      for (int axis = 0; axis < 3; ++axis) {
        assert_true(kept[axis] == fmaxf(-most, fminf(most, full[axis])));
      }
    }
    rig_near(out, (double)depth, 1e-8, "what the push adds to the gap");
    float x = ldexpf(weft_rng_float(&rng, -1, 1), (int)(weft_rng_u32(&rng) % 60) - 30);
    float most = fmaxf(-0.5f, fminf(0.5f, x));
    rig_near((double)self_unfixed(self_fixed(x)), (double)most, 0x1p-30, "a correction");
  }
}

/* What the pairs of a particle get is never more than a whole, and the deeper gets more of it. */
static void pairs_share_a_particle_by_their_depths(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(77);
  for (uint32_t k = 0; k < pair_count() / 10; ++k) {
    enum { MOST = 60 };
    float depth[MOST];
    uint32_t count = 1 + weft_rng_u32(&rng) % MOST, sum = 0;
    double whole = 0, shares = 0;
    for (uint32_t i = 0; i < count; ++i) {
      depth[i] = ldexpf(weft_rng_float(&rng, 0.5f, 1), -6 - (int)(weft_rng_u32(&rng) % 7));
      sum += self_weight_of(depth[i]);
      whole += pow((double)depth[i], 2);
    }
    for (uint32_t i = 0; i < count; ++i) {
      double share = 1 / (double)self_load(sum, self_weight_of(depth[i]));
      rig_near(share, pow((double)depth[i], 2) / whole, 0.03, "a share");
      shares += share;
    }
    rig_near(shares, 1, 1e-5, "all shares");
  }
  assert_true(self_weight_of(0x1p-40f) == 1); /* what is pushed at all is counted */
  assert_in_range(self_weight_of(100), 1 << 20, (1 << 20) + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_share_a_particle_by_their_depths),
      cmocka_unit_test(certified_planes_part_their_pairs),
      cmocka_unit_test(dropped_pairs_stay_parted),
      cmocka_unit_test(features_that_are_not_listed_stay_parted),
      cmocka_unit_test(pairs_that_are_cut_stay_parted),
      cmocka_unit_test(bodies_on_their_way_stay_parted),
      cmocka_unit_test(in_a_pause_nothing_moves),
      cmocka_unit_test(a_short_motion_is_a_step_long),
      cmocka_unit_test(what_is_cut_keeps_to_its_side),
      cmocka_unit_test(a_push_goes_out_as_far_as_it_may),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
