/* The passes of self-collision count each other's elements on the device: work groups enough for
 * all of them and no more, within what GL promises, none for a detection that is idle, and no more
 * elements than a list has room for. A list of more groups than one row has is worked through
 * whole. */
#include "../physics/rig.h"
/* after rig.h */
#include <stdlib.h>

#include "pass.h"

enum { PROMISED_GROUPS = 65535, GROUP = 64, ENTRIES = WEFT_SELF_SIZES };

/* ---- what is written ---- */

typedef struct counted {
  const char *what;
  uint32_t detection, listed, pairs, redetected, flags;
  uint64_t candidates_left, pairs_left; /* what passes must do of them */
  bool idle;
} counted;

/* Room for candidates, pairs, pairs of patches and of triangles; pairs kept; patches, of a tree of
 * 10,000, 1,250, 157, 20, 3 and 1. */
#define CANDIDATES 3000000000u
enum { PAIRS = 750000000, KEPT = 4100000, PARTICLES = 5100, PATCHES = 10000 };
enum { MEETS = 5000000, NEAR_BY = 100000000, ASKED = 4097 };
enum { ROW = WEFT_SELF_ROW * GROUP, LONGEST = PROMISED_GROUPS * GROUP };

static const counted rows[] = {
    {"nothing", 0, 0, 0, 0, 0, 0, 0, false},
    {"one of each", 0, 1, 1, 0, 0, 1, 1, false},
    {"whole groups", 0, 128, 64, 0, 0, 128, 64, false},
    {"one past whole groups", 0, 129, 65, 0, 0, 129, 65, false},
    {"a row of groups", 0, ROW, ROW, 0, 0, ROW, ROW, false},
    {"one past a row", 0, ROW + 1, ROW + 1, 0, 0, ROW + 1, ROW + 1, false},
    {"all groups of a dimension", 0, LONGEST, LONGEST, 0, 0, LONGEST, LONGEST, false},
    {"one past these", 0, LONGEST + 1, LONGEST + 1, 0, 0, LONGEST + 1, LONGEST + 1, false},
    {"full lists", 0, CANDIDATES, PAIRS, 0, 0, CANDIDATES, PAIRS, false},
    {"lists that ran over", 0, 4000000000u, PAIRS + 1, 0, 1, CANDIDATES, PAIRS, false},
    {"a redetection", 1, 700, 90, 3, 0, 700, 90, false},
    {"the last detection", 2, 700, 90, 3, 0, 700, 90, false},
    {"a redetection for nobody", 1, 700, 90, 0, 0, 0, 90, true},
    {"a redetection without room", 2, 700, PAIRS + 5, 3, 1, 0, PAIRS, true},
};

/* Where `each` elements are a work group. */
static void expect_groups(const counted *r, const uvec4 *size, uint64_t first, uint64_t count,
                          uint64_t each) {
  uint64_t groups = (uint64_t)size->x * size->y * size->z;
  bool enough = groups * each >= count;
  bool spare = count ? (uint64_t)size->x * (size->y - 1) * each >= count : groups > 0;
  bool promised = size->x <= PROMISED_GROUPS && size->y <= PROMISED_GROUPS && size->z <= 1;
  bool full_rows = size->y <= 1 || size->x == WEFT_SELF_ROW;
  if (!enough || spare || !promised || !full_rows || size->w != first + count) {
    fail_msg("%s: %llu elements are %u x %u x %u groups, and end at %u", r->what,
             (unsigned long long)count, size->x, size->y, size->z, size->w);
  }
}

static void expect_size(const counted *r, const uvec4 *size, uint64_t first, uint64_t count) {
  expect_groups(r, size, first, count, GROUP);
}

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void expect_all(const counted *r, const uvec4 *sizes) {
  const uint32_t levels[] = {10000, 1250, 157, 20, 3, 1};
  expect_size(r, &sizes[WEFT_SELF_SIZE_PAIRS], 0, r->pairs_left);
  expect_size(r, &sizes[WEFT_SELF_SIZE_LIMITED], 0, r->idle ? 0 : r->pairs_left);
  expect_size(r, &sizes[WEFT_SELF_SIZE_CACHE], 0, KEPT);
  expect_size(r, &sizes[WEFT_SELF_SIZE_CANDIDATES], 0, r->candidates_left);
  uint64_t near_by = lesser(r->listed, NEAR_BY), meets = lesser(r->listed, MEETS);
  expect_size(r, &sizes[WEFT_SELF_SIZE_TRIANGLE_PAIRS], 0,
              r->idle ? 0 : near_by * WEFT_SELF_FEATURES);
  expect_groups(r, &sizes[WEFT_SELF_SIZE_PATCH_PAIRS], 0, r->idle ? 0 : meets, 1);
  expect_size(r, &sizes[WEFT_SELF_SIZE_UNCERTIFIED], 0, r->idle ? 0 : ASKED);
  expect_groups(r, &sizes[WEFT_SELF_SIZE_PATCHES], 0, r->idle ? 0 : PATCHES, 1);
  expect_size(r, &sizes[WEFT_SELF_SIZE_ENTRIES], 0, r->idle ? 0 : ENTRIES);
  expect_size(r, &sizes[WEFT_SELF_SIZE_PARTICLES], 0, r->idle ? 0 : PARTICLES);
  uint64_t first = 0;
  for (uint32_t level = 0; level < 6; ++level) {
    uint64_t count = levels[level];
    expect_size(r, &sizes[WEFT_SELF_SIZE_LEVELS + level], first, r->idle ? 0 : count);
    first += count;
  }
}

static void groups_are_enough_and_no_more(void **state) {
  const weft_backend *backend = rig_backend(state);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const counted *r = &rows[k];
    weft_contents contents;
    weft_contents_init(&contents);
    weft_uniforms *u = weft_contents_set(&contents, WEFT_BUFFER_UNIFORMS, 1);
    uint32_t *counts = weft_contents_set(&contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
    weft_contents_set(&contents, WEFT_BUFFER_SELF_DISPATCH_ARGS, ENTRIES);
    uint32_t *kept = weft_contents_set(&contents, WEFT_BUFFER_SELF_CACHE_COUNT, 1);
    *kept = KEPT;
    u->self_candidates = CANDIDATES;
    u->self_pairs = PAIRS;
    u->self_patches = PATCHES;
    u->self_meets = MEETS;
    u->self_close = NEAR_BY;
    u->self_particles = u->self_cloth = PARTICLES;
    u->self_parts = 1;
    counts[WEFT_SELF_AT_CANDIDATES + r->detection] = r->listed;
    counts[WEFT_SELF_AT_PATCH_PAIRS + r->detection] =
        counts[WEFT_SELF_AT_TRIANGLE_PAIRS + r->detection] = r->listed;
    counts[WEFT_SELF_AT_UNCERTIFIED] = ASKED;
    counts[WEFT_SELF_AT_PAIRS] = r->pairs;
    if (r->detection) counts[WEFT_SELF_AT_REDETECT + r->detection - 1] = r->redetected;
    counts[WEFT_SELF_AT_FLAGS] = r->flags;
    weft_instance *instance = NULL;
    assert_int_equal(weft_instance_create(backend, &contents, 256, &instance, NULL), WEFT_OK);
    const weft_pass pass = {
        .kind = WEFT_PASS_SELF_DISPATCH_ARGS, .detection = r->detection, .count = ENTRIES};
    weft_instance_run(instance, &pass, 0);
    uvec4 sizes[ENTRIES];
    weft_instance_read(instance, WEFT_BUFFER_SELF_DISPATCH_ARGS, ENTRIES, sizes);
    expect_all(r, sizes);
    assert_int_equal(weft_instance_broken_guard(instance), WEFT_BUFFER_COUNT);
    weft_instance_destroy(instance);
    weft_contents_free(&contents);
  }
}

/* ---- a list longer than a row of groups ---- */

/* Of so many candidates some are a vertex a millimetre above a triangle, with corners of its own.
 * The others are pinned all around and come to nothing. */
enum { LISTED = LONGEST + 3 * GROUP + 5, EVERY = 99991, CLOSE = LISTED / EVERY + 2, SPARE = 7 };

static uint32_t close_at(uint32_t k) { return k + 1 < CLOSE ? k * EVERY : LISTED - 1; }

static void put_corners(vec4 *x, vec4 *x_prev, weft_self_vertex *vertices, uint32_t particle,
                        float w) {
  const vec4 corners[] = {
      {0.003f, 0.001f, 0.003f, w}, {0, 0, 0, w}, {0.01f, 0, 0, w}, {0, 0, 0.01f, w}};
  for (uint32_t k = 0; k < 4; ++k) {
    x[particle + k] = x_prev[particle + k] = corners[k];
    vertices[particle + k] = (weft_self_vertex){.rest = {(float)(particle + k), 0, 0},
                                                .thickness = 0.003f,
                                                .floor = 1e-5f,
                                                .reach = 0.003f};
  }
}

static void fill_long_list(weft_contents *contents) {
  weft_contents_init(contents);
  weft_uniforms *u = weft_contents_set(contents, WEFT_BUFFER_UNIFORMS, 1);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, 4 * (CLOSE + 1));
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, 4 * (CLOSE + 1));
  weft_self_vertex *vertices =
      weft_contents_set(contents, WEFT_BUFFER_SELF_VERTICES, 4 * (CLOSE + 1));
  weft_contents_set(contents, WEFT_BUFFER_SELF_DIRTY, 4 * (CLOSE + 1));
  uvec4 *candidates = weft_contents_set(contents, WEFT_BUFFER_SELF_CANDIDATES, LISTED);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PAIRS, CLOSE + SPARE);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PLANES, CLOSE + SPARE);
  uint32_t *counts = weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  weft_contents_set(contents, WEFT_BUFFER_SELF_DISPATCH_ARGS, ENTRIES);
  u->self_candidates = LISTED;
  u->self_beyond = 1;
  u->self_pairs = CLOSE + SPARE;
  u->particle_count = u->self_particles = u->self_cloth = 4 * (CLOSE + 1);
  u->self_parts = 1;
  counts[WEFT_SELF_AT_CANDIDATES] = LISTED;
  put_corners(x, x_prev, vertices, 0, 0);
  for (uint32_t i = 0; i < LISTED; ++i) candidates[i] = (uvec4){0, 1, 2, 3};
  for (uint32_t k = 0; k < CLOSE; ++k) {
    uint32_t p = 4 * (k + 1);
    put_corners(x, x_prev, vertices, p, 1);
    candidates[close_at(k)] = (uvec4){p, p + 1, p + 2, p + 3};
  }
}

static void a_list_longer_than_a_row_is_worked_through(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_contents contents;
  fill_long_list(&contents);
  weft_instance *instance = NULL;
  assert_int_equal(weft_instance_create(backend, &contents, 256, &instance, NULL), WEFT_OK);
  const weft_pass size = {.kind = WEFT_PASS_SELF_DISPATCH_ARGS, .count = ENTRIES};
  const weft_pass plane = {
      .kind = WEFT_PASS_SELF_SEPARATE, .count = LISTED, .counted = 1 + WEFT_SELF_SIZE_CANDIDATES};
  weft_instance_run(instance, &size, 0);
  weft_instance_run(instance, &plane, 0);
  uint32_t counts[WEFT_SELF_COUNTS], seen[CLOSE + 1] = {0};
  uvec4 pairs[CLOSE + SPARE];
  weft_instance_read(instance, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS, counts);
  weft_instance_read(instance, WEFT_BUFFER_SELF_PAIRS, CLOSE + SPARE, pairs);
  assert_int_equal(counts[WEFT_SELF_AT_PAIRS], CLOSE);
  assert_int_equal(counts[WEFT_SELF_AT_FLAGS], 0);
  for (uint32_t k = 0; k < CLOSE; ++k) seen[pairs[k].x / 4]++;
  for (uint32_t k = 0; k < CLOSE; ++k) {
    if (seen[k + 1] != 1)
      fail_msg("candidate %u of %u became %u pairs", close_at(k), LISTED, seen[k + 1]);
  }
  weft_instance_destroy(instance);
  weft_contents_free(&contents);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(groups_are_enough_and_no_more),
      RIG_BOTH(a_list_longer_than_a_row_is_worked_through),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
