/* Stars of self-collision: triangles around a particle that pass_self_certify_stars certifies do
 * not meet on their way. Fans are random: closed and open, flat and steep, cones that wind twice,
 * borders that overlap. WEFT_MANY=1 tries ten times as many. */
#include "rig.h"
/* after it */
#include <math.h>

#include "base.h"
#include "inspect.h"
#include "self_distances.h"

enum { BATCH = 2000, BATCHES = 12, MOST = WEFT_SELF_FAN_MOST, POINTS = MOST + 2, TIMES = 17 };

typedef enum fan_kind { CLOSED, TWICE, OPEN, OVERLAPPING, KINDS } fan_kind;
static const char *const kind_names[KINDS] = {"closed", "closed, winding twice", "open",
                                              "open, borders overlap"};

/* Particle 0 is in the middle, ray k goes to 1 + k; of a closed one the last is the first. */
typedef struct fan {
  fan_kind kind;
  uint32_t count;
  float floor;
  uint32_t turned[MOST]; /* which corner of its triangle the middle is */
  weft_vec3 p[POINTS], x[POINTS];
  uint32_t listed; /* pairs of triangles */
} fan;

static bool is_closed(const fan *f) { return f->kind == CLOSED || f->kind == TWICE; }
static uint32_t rim_of(const fan *f, uint32_t ray) {
  return 1 + (is_closed(f) && ray == f->count ? 0 : ray);
}

/* ---- fans ---- */

static double any(weft_rng *rng, double low, double high) {
  return low + (high - low) * (double)weft_rng_float(rng, 0, 1);
}

static double angle_of(fan_kind kind, weft_rng *rng) {
  const double whole = 6.283185307179586;
  switch (kind) {
    case CLOSED:
      return whole;
    case TWICE:
      return 2 * whole;
    case OPEN:
      return whole * any(rng, 0.1, 0.95);
    default:
      return whole * any(rng, 0.9, 1.6);
  }
}

static void put_rays(fan *f, weft_rng *rng, weft_vec3d *at) {
  double parts[MOST + 1], sum = 0, edge = 0.01, whole = angle_of(f->kind, rng);
  double uneven = any(rng, 0, 0.9), rough = any(rng, 0, 0.8), steep = any(rng, -1.5, 1.5);
  for (uint32_t k = 0; k < f->count; ++k) sum += parts[k] = 1 + any(rng, -uneven, uneven);
  double angle = any(rng, 0, 6);
  at[0] = weft_v3d(0, 0, 0);
  for (uint32_t k = 0; k <= f->count; ++k) {
    double r = edge * any(rng, 1 - rough, 1 + rough);
    double up = r * (steep + any(rng, -0.5, 0.5) * rough);
    at[1 + k] = weft_v3d(r * cos(angle), r * sin(angle), up);
    if (k < f->count) angle += whole * parts[k] / sum;
  }
}

static weft_vec3d any_vector(weft_rng *rng, double side) {
  return weft_v3d(any(rng, -side, side), any(rng, -side, side), any(rng, -side, side));
}

static weft_vec3 rounded(weft_vec3d v) { return weft_v3((float)v.x, (float)v.y, (float)v.z); }

static weft_vec3d unit_of(weft_vec3d v) {
  return weft_v3d_scale(v, 1 / (sqrt(weft_v3d_dot(v, v)) + 1e-30));
}

static fan any_fan(weft_rng *rng) {
  static const float floors[] = {0x1p-17f, 0x1p-15f, 0x1p-13f};
  fan f = {.kind = (fan_kind)(weft_rng_u32(rng) % KINDS), .floor = floors[weft_rng_u32(rng) % 3]};
  f.count = (is_closed(&f) ? 3 : 1) + weft_rng_u32(rng) % (is_closed(&f) ? MOST - 2 : MOST);
  weft_vec3d at[POINTS];
  put_rays(&f, rng, at);
  weft_vec3d axis = unit_of(any_vector(rng, 1)), place = any_vector(rng, 0.4);
  weft_vec3d way = any_vector(rng, weft_rng_u32(rng) % 2 ? 0.1 : 0);
  double turn = any(rng, -3, 3), own = 0.01 * pow(10, any(rng, -3, 0.3));
  double further = weft_rng_u32(rng) % 3 ? 0 : any(rng, -2, 2);
  if (weft_rng_u32(rng) % 8 == 0) own = 0;
  for (uint32_t k = 0; k < POINTS; ++k) {
    if (k > f.count + 1) at[k] = at[0];
    weft_vec3d moved = weft_v3d_rotate(at[k], weft_v3d_scale(axis, turn + further));
    moved = weft_v3d_add(moved, any_vector(rng, own));
    f.p[k] = rounded(weft_v3d_add(weft_v3d_rotate(at[k], weft_v3d_scale(axis, turn)), place));
    f.x[k] = rounded(weft_v3d_add(weft_v3d_add(moved, place), way));
  }
  for (uint32_t k = 0; k < MOST; ++k) f.turned[k] = weft_rng_u32(rng) % 3;
  return f;
}

/* ---- what the pass makes of them ---- */

static void fill_fan(const fan *f, uint32_t number, weft_contents *contents) {
  weft_self_triangle *t = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  weft_self_star *stars = contents->buffers[WEFT_BUFFER_SELF_STARS].data;
  uint32_t *fans = contents->buffers[WEFT_BUFFER_SELF_FANS].data;
  uint32_t *asked = contents->buffers[WEFT_BUFFER_SELF_UNCERTIFIED].data;
  vec4 *x = contents->buffers[WEFT_BUFFER_X].data, *p = contents->buffers[WEFT_BUFFER_X_PREV].data;
  uint32_t first = number * POINTS;
  for (uint32_t k = 0; k < POINTS; ++k) {
    x[first + k] = (vec4){f->x[k].x, f->x[k].y, f->x[k].z, 1};
    p[first + k] = (vec4){f->p[k].x, f->p[k].y, f->p[k].z, 1};
  }
  for (uint32_t k = 0; k < f->count; ++k) {
    const uint32_t three[3] = {first, first + rim_of(f, k), first + rim_of(f, k + 1)};
    uint32_t own = number * MOST + k, c = f->turned[k];
    t[own].corners = (weft_uvec3){three[(3 - c) % 3], three[(4 - c) % 3], three[(5 - c) % 3]};
    t[own].flags = 63;
    fans[own] = 4 * own + c;
  }
  uint32_t kind = is_closed(f) ? WEFT_SELF_FAN_CLOSED : WEFT_SELF_FAN_OPEN;
  stars[first] = (weft_self_star){.first = number * MOST,
                                  .count = f->count,
                                  .kind = kind,
                                  .middle = is_closed(f) ? 0 : (f->count + 1) / 2,
                                  .floor = f->floor};
  asked[2 * first] = 1;
  asked[2 * number + 1] = first;
}

static void ask_all(fan *fans) {
  enum { N = BATCH * POINTS, ROOM = BATCH * MOST * MOST };
  weft_contents contents;
  weft_contents_init(&contents);
  weft_contents_set(&contents, WEFT_BUFFER_X, N);
  weft_contents_set(&contents, WEFT_BUFFER_X_PREV, N);
  weft_contents_set(&contents, WEFT_BUFFER_SELF_TRIANGLES, BATCH * MOST);
  weft_contents_set(&contents, WEFT_BUFFER_SELF_STARS, N);
  weft_contents_set(&contents, WEFT_BUFFER_SELF_FANS, BATCH * MOST);
  weft_contents_set(&contents, WEFT_BUFFER_SELF_UNCERTIFIED, N);
  weft_contents_set(&contents, WEFT_BUFFER_SELF_TRIANGLE_PAIRS, ROOM);
  weft_uniforms *u = weft_contents_set(&contents, WEFT_BUFFER_UNIFORMS, 1);
  u->self_close = ROOM;
  u->self_parts = 1;
  u->self_particles = u->self_cloth = N;
  uint32_t *counts = weft_contents_set(&contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  counts[WEFT_SELF_AT_UNCERTIFIED] = BATCH;
  for (uint32_t k = 0; k < BATCH; ++k) fill_fan(&fans[k], k, &contents);
  weft_instance *instance = NULL;
  assert_int_equal(weft_instance_create(weft_backend_ref(), &contents, 0, &instance, NULL),
                   WEFT_OK);
  const weft_pass pass = {.kind = WEFT_PASS_SELF_CERTIFY_STARS, .count = BATCH};
  weft_instance_run(instance, &pass, 0);
  weft_self_two *close = calloc(ROOM, sizeof *close);
  weft_instance_read(instance, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS, counts);
  weft_instance_read(instance, WEFT_BUFFER_SELF_TRIANGLE_PAIRS, ROOM, close);
  assert_int_equal(counts[WEFT_SELF_AT_FLAGS], 0);
  for (uint32_t k = 0; k < counts[WEFT_SELF_AT_TRIANGLE_PAIRS]; ++k)
    fans[close[k].first / MOST].listed++;
  free(close);
  weft_instance_destroy(instance);
  weft_contents_free(&contents);
}

/* ---- what is true of them ---- */

static void corners_of(const fan *f, uint32_t k, uint32_t corners[3]) {
  corners[0] = 0;
  corners[1] = rim_of(f, k);
  corners[2] = rim_of(f, k + 1);
}

static bool has(const uint32_t *corners, uint32_t count, uint32_t particle) {
  bool found = false;
  for (uint32_t k = 0; k < count; ++k) found = found || corners[k] == particle;
  return found;
}

/* The least distance of features of two triangles that share no particle. */
static double apart(const uint32_t a[3], const uint32_t b[3], const weft_vec3d *x) {
  double least = INFINITY;
  for (uint32_t k = 0; k < 3; ++k) {
    const features first = {{a[k], b[0], b[1], b[2]}, false};
    const features second = {{b[k], a[0], a[1], a[2]}, false};
    if (!has(b, 3, a[k])) least = fmin(least, distance_of(&first, x));
    if (!has(a, 3, b[k])) least = fmin(least, distance_of(&second, x));
    for (uint32_t l = 0; l < 3; ++l) {
      const features edges = {{a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]}, true};
      bool share = has(edges.particle + 2, 2, a[k]) || has(edges.particle + 2, 2, a[(k + 1) % 3]);
      if (!share) least = fmin(least, distance_of(&edges, x));
    }
  }
  return least;
}

/* At a part of the way. */
static double least_apart(const fan *f, double part) {
  weft_vec3d x[POINTS];
  for (uint32_t k = 0; k < POINTS; ++k) {
    weft_vec3d from = weft_v3d_from(f->p[k]), to = weft_v3d_from(f->x[k]);
    x[k] = weft_v3d_add_scaled(from, part, weft_v3d_sub(to, from));
  }
  double least = INFINITY;
  for (uint32_t k = 0; k < f->count; ++k) {
    for (uint32_t l = k + 1; l < f->count; ++l) {
      uint32_t a[3], b[3];
      corners_of(f, k, a);
      corners_of(f, l, b);
      least = fmin(least, apart(a, b, x));
    }
  }
  return least;
}

typedef struct tally {
  uint32_t all[KINDS], certified[KINDS];
  double least; /* in floors */
} tally;

static void check_fan(const fan *f, tally *t) {
  t->all[f->kind]++;
  bool certified = f->listed == 0;
  if (!certified) {
    assert_int_equal(f->listed, f->count * (f->count - 1) / 2);
    return;
  }
  if (f->count < 2) return; /* has no pairs */
  t->certified[f->kind]++;
  for (int k = 0; k < TIMES; ++k) {
    double part = (double)k / (TIMES - 1), least = least_apart(f, part) / (double)f->floor;
    t->least = fmin(t->least, least);
    if (least >= 5) continue;
    fail_msg("%s, %u triangles: certified, and %g floors apart at %g of the way",
             kind_names[f->kind], f->count, least, part);
  }
}

static void certified_stars_do_not_meet(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(79);
  fan *fans = calloc(BATCH, sizeof *fans);
  tally t = {.least = INFINITY};
  uint32_t batches = getenv("WEFT_MANY") ? 10 * BATCHES : BATCHES;
  for (uint32_t b = 0; b < batches; ++b) {
    for (uint32_t k = 0; k < BATCH; ++k) fans[k] = any_fan(&rng);
    ask_all(fans);
    for (uint32_t k = 0; k < BATCH; ++k) check_fan(&fans[k], &t);
  }
  for (int k = 0; k < KINDS; ++k) {
    print_message("%s: %u of %u certified\n", kind_names[k], t.certified[k], t.all[k]);
  }
  print_message("at least %g floors apart\n", t.least);
  assert_true(t.certified[CLOSED] > t.all[CLOSED] / 20);
  assert_true(t.certified[OPEN] > t.all[OPEN] / 20);
  /* Of a few triangles, where some are more than half a turn: these go the other way round. */
  assert_true(t.certified[TWICE] < t.all[TWICE] / 20);
  free(fans);
}

/* ---- a flat one, and what a fan can have too much of ---- */

static fan flat_fan(uint32_t count, double whole) {
  fan f = {.kind = whole > 6.28 ? CLOSED : OPEN, .count = count, .floor = 0x1p-17f};
  for (uint32_t k = 0; k <= count; ++k) {
    double angle = whole * (double)k / (double)count;
    f.p[1 + k] = rounded(weft_v3d(0.01 * cos(angle), 0, 0.01 * sin(angle)));
    f.x[1 + k] = f.p[1 + k];
  }
  return f;
}

static void flat_stars_are_certified(void **state) {
  (void)state;
  fan *fans = calloc(BATCH, sizeof *fans);
  for (uint32_t k = 0; k < BATCH; ++k) {
    uint32_t count = 3 + k % (MOST - 2);
    fans[k] = flat_fan(count, k < BATCH / 2 ? 6.283185307179586 : 1.0 + 2 * (double)k / BATCH);
  }
  ask_all(fans);
  for (uint32_t k = 0; k < BATCH; ++k) {
    if (fans[k].listed) fail_msg("a flat fan of %u is not certified", fans[k].count);
  }
  free(fans);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_stars_are_certified),
      cmocka_unit_test(certified_stars_do_not_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
