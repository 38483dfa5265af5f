/* What self-collision knows of cloth at rest: patches, owners, fans, neighbours and their hulls. */
#define _GNU_SOURCE
#include "cmocka_all.h"
#include "one_processor.h"
#include "self_rest.h"

static const double flat_at[1] = {0};

/* ---- what holds for every mesh ---- */

static void check_places(const weft_self_surface *s, const weft_self_cooked *c) {
  uint32_t *times = weft_alloc(s->triangles, sizeof *times);
  bool bodies = false;
  for (uint32_t i = 0; i < WEFT_SELF_PATCH * c->patches; ++i) {
    uint32_t t = c->order[i], first = c->order[i / WEFT_SELF_PATCH * WEFT_SELF_PATCH];
    const weft_self_triangle *at = &c->triangles[i];
    assert_int_not_equal(first, UINT32_MAX);
    assert_int_equal(!!(at->flags & WEFT_SELF_EMPTY), t == UINT32_MAX);
    if (t == UINT32_MAX) {
      assert_int_equal(at->flags & 63, 0);
      assert_memory_equal(&at->inverse, &c->triangles[i / 64 * 64].inverse, sizeof at->inverse);
    } else {
      ++times[t];
    }
    const uint32_t *corners = &s->corners[3 * (t == UINT32_MAX ? first : t)];
    assert_memory_equal(&at->corners, corners, 3 * sizeof *corners);
    bool body = first >= s->cloth_triangles;
    assert_int_equal(!!(at->flags & WEFT_SELF_BODY), body);
    assert_int_equal(c->patch[i / WEFT_SELF_PATCH].body, body);
    assert_true(body || !bodies); /* those of bodies come last */
    bodies = body;
  }
  for (uint32_t t = 0; t < s->triangles; ++t) assert_int_equal(times[t], 1);
  weft_free(times);
}

/* The first place that has these two particles; without a second one: that has this one. */
static uint32_t first_with(const weft_self_cooked *c, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < WEFT_SELF_PATCH * c->patches; ++i) {
    const weft_uvec3 t = c->triangles[i].corners;
    bool has_a = t.x == a || t.y == a || t.z == a, has_b = t.x == b || t.y == b || t.z == b;
    if (!(c->triangles[i].flags & WEFT_SELF_EMPTY) && has_a && (b == UINT32_MAX || has_b)) return i;
  }
  return UINT32_MAX;
}

static void check_owners(const weft_self_cooked *c) {
  for (uint32_t i = 0; i < WEFT_SELF_PATCH * c->patches; ++i) {
    const weft_uvec3 t = c->triangles[i].corners;
    const uint32_t corners[3] = {t.x, t.y, t.z}, flags = c->triangles[i].flags;
    if (flags & WEFT_SELF_EMPTY) continue;
    for (uint32_t k = 0; k < 3; ++k) {
      bool vertex = first_with(c, corners[k], UINT32_MAX) == i;
      bool edge = first_with(c, corners[k], corners[(k + 1) % 3]) == i;
      assert_int_equal(flags >> k & 1, vertex);
      assert_int_equal(flags >> (3 + k) & 1, edge);
    }
  }
}

static uint32_t corner_at(const weft_self_cooked *c, uint32_t at, uint32_t after) {
  const weft_uvec3 t = c->triangles[at / 4].corners;
  const uint32_t corners[3] = {t.x, t.y, t.z};
  return corners[(at % 4 + after) % 3];
}

static uint32_t triangles_with(const weft_self_surface *s, uint32_t a, uint32_t b) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->cloth_triangles; ++t) {
    const uint32_t *c = &s->corners[3 * (size_t)t];
    bool has_a = c[0] == a || c[1] == a || c[2] == a, has_b = c[0] == b || c[1] == b || c[2] == b;
    count += has_a && has_b;
  }
  return count;
}

static void check_stars(const weft_self_surface *s, const weft_self_cooked *c) {
  for (uint32_t i = 0; i < s->cloth_particles; ++i) {
    const weft_self_star star = c->stars[i];
    const uint32_t *fan = c->fans + star.first;
    assert_int_equal(star.count, triangles_with(s, i, i));
    for (uint32_t k = 0; k < star.count; ++k) {
      assert_int_equal(corner_at(c, fan[k], 0), i);
      for (uint32_t m = 0; m < k; ++m) assert_int_not_equal(fan[k], fan[m]);
      uint32_t next = k + 1 < star.count ? fan[k + 1] : fan[0];
      bool last = k + 1 == star.count && star.kind == WEFT_SELF_FAN_OPEN;
      if (star.kind == WEFT_SELF_FAN_NONE || last) continue;
      assert_int_equal(corner_at(c, fan[k], 2), corner_at(c, next, 1));
    }
    if (star.kind == WEFT_SELF_FAN_NONE) continue;
    assert_in_range(star.count, 1, WEFT_SELF_FAN_MOST);
    if (star.kind != WEFT_SELF_FAN_OPEN) continue;
    assert_int_equal(triangles_with(s, i, corner_at(c, fan[0], 1)), 1);
    assert_int_equal(triangles_with(s, i, corner_at(c, fan[star.count - 1], 2)), 1);
    assert_int_equal(star.middle, (star.count + 1) / 2);
  }
}

static bool has_particle(const weft_self_cooked *c, uint32_t patch, uint32_t particle) {
  for (uint32_t i = WEFT_SELF_PATCH * patch; i < WEFT_SELF_PATCH * (patch + 1); ++i) {
    const weft_uvec3 t = c->triangles[i].corners;
    if (t.x == particle || t.y == particle || t.z == particle) return true;
  }
  return false;
}

static uint32_t particles_of_both(const weft_self_surface *s, const weft_self_cooked *c, uint32_t a,
                                  uint32_t b) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->cloth_particles; ++i) {
    count += has_particle(c, a, i) && has_particle(c, b, i);
  }
  return count;
}

static uint32_t piece_of(const weft_self_cooked *c, uint32_t patch) {
  return c->piece[c->triangles[WEFT_SELF_PATCH * patch].corners.x];
}

/* All pairs that share particles, and no others without a certificate. */
static void check_beside(const weft_self_surface *s, const weft_self_cooked *c) {
  uint32_t k = 0, hulls = 0;
  for (uint32_t a = 0; a < c->patches; ++a) {
    assert_int_equal(c->patch[a].beside_first, k);
    uint32_t before = k;
    for (uint32_t b = a; b < c->patches && !c->patch[a].body; ++b) {
      uint32_t both = c->patch[b].body ? 0 : particles_of_both(s, c, a, b);
      const weft_self_adjacent *pair = &c->beside[k];
      bool listed = k < c->beside_count && pair->first == a && pair->second == b;
      if (both > 0) assert_true(listed);
      if (!listed) continue;
      assert_int_equal(pair->particle_count, both);
      for (uint32_t i = 0; i < both; ++i) {
        uint32_t particle = c->shared[pair->particles + i];
        assert_true(has_particle(c, a, particle) && has_particle(c, b, particle));
      }
      assert_int_equal(piece_of(c, a), piece_of(c, b));
      assert_true(both > 0 || pair->from_first + pair->from_second > 0);
      assert_int_equal(pair->hulls, hulls);
      hulls += pair->from_first + pair->from_second;
      ++k;
    }
    assert_int_equal(c->patch[a].beside_count, k - before);
  }
  assert_int_equal(k, c->beside_count);
  assert_int_equal(hulls, c->hull_count);
}

/* ---- planes, from what is cooked ---- */

static weft_vec3d sum_of(const weft_self_surface *s, const weft_self_patch *p, bool second) {
  const uvec4 a = p->fixed_a, b = p->fixed_b;
  const uint32_t at[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  const vec4 first = second ? p->v_a : p->u_a, last = second ? p->v_b : p->u_b;
  const float weights[8] = {first.x, first.y, first.z, first.w, last.x, last.y, last.z, last.w};
  weft_vec3d sum = {0, 0, 0};
  for (int k = 0; k < 8; ++k) {
    weft_vec3d d = weft_v3d_sub(s->positions[at[k]], s->positions[at[0]]);
    sum = weft_v3d_add_scaled(sum, (double)weights[k], d);
  }
  return sum;
}

/* A patch's axes: its gradients are the identity seen along them. */
typedef struct plane {
  weft_vec3d u, v, origin;
} plane;

/* The gradient of a place: its columns. */
static void gradient_of(const weft_self_triangle *t, const weft_vec3d *x, weft_vec3d f[2]) {
  weft_vec3d d = weft_v3d_sub(x[t->corners.y], x[t->corners.x]);
  weft_vec3d e = weft_v3d_sub(x[t->corners.z], x[t->corners.x]);
  f[0] = weft_v3d_add_scaled(weft_v3d_scale(d, (double)t->inverse.x), (double)t->inverse.y, e);
  f[1] = weft_v3d_add_scaled(weft_v3d_scale(d, (double)t->inverse.z), (double)t->inverse.w, e);
}

/* Of a flat patch the gradient from eight particles is that of every triangle, and a turn. */
static void check_flat_gradients(const weft_self_surface *s, const weft_self_cooked *c) {
  for (uint32_t i = 0; i < WEFT_SELF_PATCH * c->patches; ++i) {
    const weft_self_patch *patch = &c->patch[i / WEFT_SELF_PATCH];
    weft_vec3d u = sum_of(s, patch, false), v = sum_of(s, patch, true), f[2];
    gradient_of(&c->triangles[i], s->positions, f);
    assert_true(weft_v3d_distance(f[0], u) < 1e-5 && weft_v3d_distance(f[1], v) < 1e-5);
    assert_true(fabs(weft_v3d_length(u) - 1) < 1e-5 && fabs(weft_v3d_length(v) - 1) < 1e-5);
    assert_true(fabs(weft_v3d_dot(u, v)) < 1e-5);
  }
}

static void check_all(const weft_self_surface *s, const weft_self_cooked *c) {
  check_places(s, c);
  check_owners(c);
  check_stars(s, c);
  check_beside(s, c);
}

static weft_self_cooked cooked_of(rest *r) {
  const weft_self_surface s = rest_surface(r);
  weft_self_cooked c = weft_self_cook(&s);
  check_all(&s, &c);
  return c;
}

/* Pairs that may be certified. */
static uint32_t hulled(const weft_self_cooked *c) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < c->beside_count; ++k) {
    count += c->beside[k].from_first + c->beside[k].from_second > 0;
  }
  return count;
}

static uint32_t filled(const weft_self_cooked *c, uint32_t patch) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
    count += c->order[WEFT_SELF_PATCH * patch + i] != UINT32_MAX;
  }
  return count;
}

static weft_vec3d normal_at(const weft_self_surface *s, const weft_self_cooked *c, uint32_t place) {
  const weft_uvec3 t = c->triangles[place].corners;
  const weft_vec3d *x = s->positions;
  if (c->triangles[place].flags & WEFT_SELF_EMPTY) return weft_v3d(0, 0, 0);
  return weft_v3d_cross(weft_v3d_sub(x[t.y], x[t.x]), weft_v3d_sub(x[t.z], x[t.x]));
}

/* A pair with a hull is seen from one of both, from its front and not too steeply. Whether it has
 * one. */
static bool check_seen(const weft_self_surface *s, const weft_self_cooked *c,
                       const weft_self_adjacent *b) {
  const uint32_t entries[2] = {b->from_first, b->from_second}, patches[2] = {b->first, b->second};
  for (int side = 0; side < 2; ++side) {
    weft_vec3d n = {0, 0, 0};
    for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
      n = weft_v3d_add(n, normal_at(s, c, WEFT_SELF_PATCH * patches[side] + i));
    }
    for (uint32_t i = 0; entries[side] > 0 && i < 2 * WEFT_SELF_PATCH; ++i) {
      uint32_t place = WEFT_SELF_PATCH * patches[i / WEFT_SELF_PATCH] + i % WEFT_SELF_PATCH;
      weft_vec3d own = normal_at(s, c, place);
      double whole = weft_v3d_length(own) * weft_v3d_length(n);
      assert_true(weft_v3d_dot(own, n) >= (0.3 - 1e-6) * whole);
    }
  }
  return entries[0] + entries[1] > 0;
}

/* ---- meshes ---- */

static void test_flat(void **state) {
  (void)state;
  rest r = {0};
  rest_sheet(&r, 32, 32, 0.02, rest_flat, flat_at, NULL, false);
  weft_self_cooked c = cooked_of(&r);
  const weft_self_surface s = rest_surface(&r);
  check_flat_gradients(&s, &c);
  assert_int_equal(hulled(&c), c.beside_count);
  assert_true(c.patches <= 2048 / 55);
  for (uint32_t k = 0; k < c.patches; ++k) assert_in_range(filled(&c, k), 44, 64);
  for (uint32_t k = 0; k < c.hull_count; ++k) assert_true((double)c.hulls[k].bend < 1e-5);
  assert_true(c.hull_count < 5 * 2 * c.beside_count);
  weft_self_cooked_free(&c);
  rest_free(&r);
}

static void test_curved(void **state) {
  (void)state;
  rest r = {0};
  const double radius[1] = {0.2}; /* 0.1 rad an edge */
  rest_sheet(&r, 24, 24, 0.02, rest_rolled, radius, NULL, false);
  weft_self_cooked c = cooked_of(&r);
  assert_true(hulled(&c) > c.beside_count / 2);
  bool bent = false;
  for (uint32_t k = 0; k < c.hull_count; ++k) bent = bent || (double)c.hulls[k].bend > 0.02;
  assert_true(bent);
  weft_self_cooked_free(&c);
  rest_free(&r);
}

static void test_two_sheets(void **state) {
  (void)state;
  rest r = {0};
  const double above[1] = {0.001};
  rest_sheet(&r, 16, 16, 0.02, rest_flat, flat_at, NULL, false);
  rest_sheet(&r, 16, 16, 0.02, rest_flat, above, NULL, false);
  weft_self_cooked c = cooked_of(&r);
  assert_int_equal(hulled(&c), c.beside_count);
  for (uint32_t k = 0; k < c.hull_count; ++k) {
    assert_int_equal(filled(&c, c.hulls[k].of) > 0, 1);
  }
  for (uint32_t k = 0; k < c.beside_count; ++k) {
    const weft_self_adjacent *b = &c.beside[k];
    for (uint32_t i = 0; i < b->from_first + b->from_second; ++i) {
      assert_int_equal(piece_of(&c, c.hulls[b->hulls + i].of), piece_of(&c, b->first));
    }
  }
  weft_self_cooked_free(&c);
  rest_free(&r);
}

/* A slit between columns 7 and 9, from below up to the last rows. */
static bool in_slit(uint32_t column, uint32_t row) { return column == 8 && row < 13; }

static double side_of_slit(const rest *r, const weft_self_cooked *c, uint32_t patch) {
  double low = 1, high = 0;
  for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
    const weft_uvec3 t = c->triangles[WEFT_SELF_PATCH * patch + i].corners;
    if (r->x[t.x].z > 12.5 * 0.02) return 0;
    low = fmin(low, r->x[t.x].x);
    high = fmax(high, r->x[t.x].x);
  }
  return high < 8.5 * 0.02 ? -1 : low > 8.5 * 0.02 ? 1 : 0;
}

static void test_slit(void **state) {
  (void)state;
  rest r = {0};
  rest_sheet(&r, 17, 16, 0.02, rest_flat, flat_at, in_slit, false);
  weft_self_cooked c = cooked_of(&r);
  assert_in_range(hulled(&c), 1, c.beside_count - 1);
  for (uint32_t k = 0; k < c.beside_count; ++k) {
    const weft_self_adjacent *b = &c.beside[k];
    double sides = side_of_slit(&r, &c, b->first) * side_of_slit(&r, &c, b->second);
    if (sides < 0) assert_int_equal(b->from_first + b->from_second, 0);
  }
  weft_self_cooked_free(&c);
  rest_free(&r);
}

/* The inner border turns by an edge over its radius at each of its particles. */
static void test_ring(void **state) {
  (void)state;
  rest r = {0};
  const double middle[1] = {0.6};
  rest_sheet(&r, 40, 8, 0.02, rest_ring, middle, NULL, false);
  weft_self_cooked c = cooked_of(&r);
  double most = 0;
  uint32_t charged = 0;
  for (uint32_t k = 0; k < c.beside_count; ++k) {
    const weft_self_adjacent *b = &c.beside[k];
    if (b->from_first == 0) continue;
    double bend = (double)c.hulls[b->hulls].bend;
    if (bend > 1e-4) assert_true(bend > 0.99 * 0.02 / 0.6);
    charged += bend > 1e-4;
    for (uint32_t i = 1; i < b->from_first; ++i) {
      assert_true((double)c.hulls[b->hulls + i].bend >= bend);
    }
    most = fmax(most, bend);
  }
  assert_true(charged > 0 && charged < c.beside_count);
  assert_true(most > 4 * 0.02 / 0.6 && most < 0.4);
  weft_self_cooked_free(&c);
  rest_free(&r);
}

static void test_tube(void **state) {
  (void)state;
  for (uint32_t around = 3; around <= 40; around += around < 12 ? 1 : 7) {
    rest r = {0};
    const double radius[1] = {around * 0.02 / 6.283185307179586};
    rest_sheet(&r, around, 40, 0.02, rest_rolled, radius, NULL, true);
    weft_self_cooked c = cooked_of(&r);
    for (uint32_t k = 0; k < c.beside_count; ++k) {
      const weft_self_adjacent *b = &c.beside[k];
      if (b->from_first + b->from_second == 0) continue;
      weft_vec3d n[2];
      for (int i = 0; i < 2; ++i) {
        const weft_uvec3 t = c.triangles[WEFT_SELF_PATCH * (i ? b->second : b->first)].corners;
        n[i] = weft_v3d(r.x[t.x].x, r.x[t.x].y, 0);
      }
      assert_true(weft_v3d_dot(n[0], n[1]) > 0); /* not from the far side */
    }
    weft_self_cooked_free(&c);
    rest_free(&r);
  }
}

static void test_folded(void **state) {
  (void)state;
  rest r = {0};
  const double fold[1] = {12 * 0.02};
  rest_sheet(&r, 24, 12, 0.02, rest_folded, fold, NULL, false);
  weft_self_cooked c = cooked_of(&r);
  for (uint32_t k = 0; k < c.beside_count; ++k) {
    const weft_self_adjacent *b = &c.beside[k];
    if (b->from_first + b->from_second == 0) continue;
    bool far[2] = {false, false};
    for (uint32_t i = 0; i < 2 * WEFT_SELF_PATCH; ++i) {
      uint32_t patch = i < WEFT_SELF_PATCH ? b->first : b->second;
      uint32_t t = c.order[WEFT_SELF_PATCH * patch + i % WEFT_SELF_PATCH];
      if (t != UINT32_MAX) far[t / 2 % 24 >= 12] = true;
    }
    assert_false(far[0] && far[1]);
  }
  weft_self_cooked_free(&c);
  rest_free(&r);
}

/* Of cloth whose triangles are little higher than floats can tell, none is certified. */
static void test_fine(void **state) {
  (void)state;
  const double least = 6 * 1.1 / 0.15 / (1 << 17); /* of a height: docs/method.md */
  for (int above = 0; above < 2; ++above) {
    rest r = {0};
    rest_sheet(&r, 16, 16, (above ? 1.03 : 0.97) * sqrt(2) * least, rest_flat, flat_at, NULL,
               false);
    weft_self_cooked c = cooked_of(&r);
    assert_int_equal(hulled(&c), above ? c.beside_count : 0);
    weft_self_cooked_free(&c);
    rest_free(&r);
  }
}

/* Patches that go round so far that a part of them is seen from behind, or edge on. */
static void test_wrapped(void **state) {
  (void)state;
  uint32_t certified = 0;
  for (double radius = 0.02; radius < 0.1; radius *= 1.1) {
    rest r = {0};
    rest_sheet(&r, 16, 16, 0.02, rest_rolled, &radius, NULL, false);
    const weft_self_surface s = rest_surface(&r);
    weft_self_cooked c = cooked_of(&r);
    for (uint32_t k = 0; k < c.beside_count; ++k) certified += check_seen(&s, &c, &c.beside[k]);
    weft_self_cooked_free(&c);
    rest_free(&r);
  }
  assert_true(certified > 0);
}

static void test_bodies(void **state) {
  (void)state;
  rest r = {0};
  const double below[1] = {-0.001};
  rest_sheet(&r, 10, 10, 0.02, rest_flat, flat_at, NULL, false);
  r.cloth_particles = r.particles;
  r.cloth_triangles = r.triangles;
  rest_sheet(&r, 9, 7, 0.02, rest_flat, below, NULL, false);
  weft_self_cooked c = cooked_of(&r);
  assert_int_equal(c.patch[c.patches - 1].body, 1);
  assert_int_equal(c.patch[c.patches - 1].beside_count, 0);
  assert_int_not_equal(c.piece[0], c.piece[r.particles - 1]);
  weft_self_cooked_free(&c);
  rest_free(&r);
}

static uint32_t fan_of(uint32_t valence, bool closed, double tilt) {
  rest r = {0};
  rest_particle(&r, weft_v3d(0, 0, 0));
  uint32_t rays = closed ? valence : valence + 1;
  for (uint32_t k = 0; k < rays; ++k) {
    double angle = 6.0 * k / rays;
    rest_particle(&r, weft_v3d(0.1 * cos(angle), tilt, -0.1 * sin(angle)));
  }
  for (uint32_t k = 0; k < valence; ++k) rest_triangle(&r, 1 + k, 1 + (k + 1) % rays, 0);
  weft_self_cooked c = cooked_of(&r);
  uint32_t kind = c.stars[0].kind;
  weft_self_cooked_free(&c);
  rest_free(&r);
  return kind;
}

static void test_fans(void **state) {
  (void)state;
  for (uint32_t valence = 1; valence <= 20; ++valence) {
    bool few = valence <= WEFT_SELF_FAN_MOST;
    assert_int_equal(fan_of(valence, false, 0.01), few ? WEFT_SELF_FAN_OPEN : WEFT_SELF_FAN_NONE);
    if (valence < 3) continue;
    assert_int_equal(fan_of(valence, true, 0.01), few ? WEFT_SELF_FAN_CLOSED : WEFT_SELF_FAN_NONE);
  }
}

/* So many triangles round a particle, by so much in all, seen from their front from above. */
static uint32_t wound(uint32_t triangles, double angle, bool closed) {
  rest r = {0};
  rest_particle(&r, weft_v3d(0, 0, 0));
  uint32_t rays = closed ? triangles : triangles + 1;
  for (uint32_t k = 0; k < rays; ++k) {
    double turn = angle * k / triangles;
    rest_particle(&r, weft_v3d(0.1 * cos(turn), 0.0005 * k, -0.1 * sin(turn)));
  }
  for (uint32_t k = 0; k < triangles; ++k) rest_triangle(&r, 1 + k, 1 + (k + 1) % rays, 0);
  weft_self_cooked c = cooked_of(&r);
  uint32_t certified = hulled(&c);
  weft_self_cooked_free(&c);
  rest_free(&r);
  return certified;
}

static void test_winding(void **state) {
  (void)state;
  const double round = 6.283185307179586;
  assert_int_equal(wound(10, round, true), 1);
  assert_int_equal(wound(10, 2 * round, true), 0);
  assert_int_equal(wound(10, 0.45 * round, false), 1);
  assert_int_equal(wound(10, 0.52 * round, false), 1); /* charged */
  assert_int_equal(wound(10, 0.7 * round, false), 0);
  assert_int_equal(wound(10, 1.2 * round, false), 0);
  assert_int_equal(wound(10, 1.7 * round, false), 0);
}

/* A third triangle at an edge; two that share a vertex alone; one that is turned over. */
static void test_odd(void **state) {
  (void)state;
  for (int odd = 0; odd < 4; ++odd) {
    rest r = {0};
    rest_sheet(&r, 10, 6, 0.02, rest_flat, flat_at, NULL, false);
    uint32_t a = 3 * 11 + 5;
    if (odd == 0) rest_triangle(&r, a, a + 1, rest_particle(&r, weft_v3d(0.1, 0.05, 0.06)));
    if (odd == 1) {
      uint32_t b = rest_particle(&r, weft_v3d(0.1, 0.05, 0.06));
      rest_triangle(&r, a, b, rest_particle(&r, weft_v3d(0.12, 0.05, 0.06)));
    }
    if (odd == 2) {
      uint32_t *t = r.corners + 3 * (2 * (2 * 10 + 4)), kept = t[0];
      t[0] = t[1];
      t[1] = kept;
    }
    if (odd == 3) r.x[a] = r.x[a + 1]; /* slivers */
    weft_self_cooked c = cooked_of(&r);
    const weft_self_surface s = rest_surface(&r);
    if (odd < 3) assert_int_equal(c.stars[odd == 2 ? r.corners[3 * 48] : a].kind, 0);
    for (uint32_t k = 0; k < c.hull_count; ++k) {
      uint32_t first = WEFT_SELF_PATCH * c.hulls[k].of;
      for (uint32_t i = first; i < first + WEFT_SELF_PATCH; ++i) {
        assert_true(fabsf(c.triangles[i].inverse.x) + fabsf(c.triangles[i].inverse.y) > 0);
      }
    }
    assert_true(hulled(&c) < c.beside_count);
    (void)s;
    weft_self_cooked_free(&c);
    rest_free(&r);
  }
}

/* Triangles that share nothing, and a single one. */
static void test_soup(void **state) {
  (void)state;
  for (uint32_t count = 1; count < 400; count += 133) {
    rest r = {0};
    for (uint32_t k = 0; k < count; ++k) {
      double x = 0.03 * k;
      uint32_t a = rest_particle(&r, weft_v3d(x, 0, 0));
      uint32_t b = rest_particle(&r, weft_v3d(x + 0.02, 0, 0));
      rest_triangle(&r, a, b, rest_particle(&r, weft_v3d(x, 0, -0.02)));
    }
    const weft_self_surface s = rest_surface(&r);
    weft_self_cooked c = weft_self_cook(&s);
    check_places(&s, &c);
    check_owners(&c);
    check_stars(&s, &c);
    assert_int_equal(c.patches, (count - 1) / 64 + 1);
    assert_int_equal(hulled(&c), count == 1);
    weft_self_cooked_free(&c);
    rest_free(&r);
  }
}

static void check_equal(const weft_self_cooked *a, const weft_self_cooked *b, size_t particles) {
  size_t places = (size_t)WEFT_SELF_PATCH * a->patches;
  assert_int_equal(a->patches, b->patches);
  assert_int_equal(a->beside_count, b->beside_count);
  assert_int_equal(a->hull_count, b->hull_count);
  assert_int_equal(a->shared_count, b->shared_count);
  assert_memory_equal(a->order, b->order, places * sizeof *a->order);
  assert_memory_equal(a->triangles, b->triangles, places * sizeof *a->triangles);
  assert_memory_equal(a->patch, b->patch, a->patches * sizeof *a->patch);
  assert_memory_equal(a->beside, b->beside, a->beside_count * sizeof *a->beside);
  assert_memory_equal(a->hulls, b->hulls, a->hull_count * sizeof *a->hulls);
  assert_memory_equal(a->shared, b->shared, a->shared_count * sizeof *a->shared);
  assert_memory_equal(a->stars, b->stars, particles * sizeof *a->stars);
  assert_int_equal(a->fan_count, b->fan_count);
  assert_memory_equal(a->fans, b->fans, a->fan_count * sizeof *a->fans);
}

/* Two ranges where there are two processors, of each of two sheets. */
static void test_threads(void **state) {
  (void)state;
  rest r = {0};
  const double waves[2] = {0.05, 0.7};
  const double above[1] = {1};
  rest_sheet(&r, 200, 180, 0.01, rest_wavy, waves, NULL, false);
  rest_sheet(&r, 200, 180, 0.01, rest_flat, above, NULL, false);
  const weft_self_surface s = rest_surface(&r);
  weft_self_cooked all = weft_self_cook(&s);
  cpu_set_t before;
  on_one_processor(&before);
  weft_self_cooked one = weft_self_cook(&s);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
  check_equal(&all, &one, s.particles);
  weft_self_cooked_free(&all);
  weft_self_cooked_free(&one);
  rest_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flat),       cmocka_unit_test(test_curved),
      cmocka_unit_test(test_two_sheets), cmocka_unit_test(test_slit),
      cmocka_unit_test(test_ring),       cmocka_unit_test(test_tube),
      cmocka_unit_test(test_folded),     cmocka_unit_test(test_bodies),
      cmocka_unit_test(test_fine),       cmocka_unit_test(test_wrapped),
      cmocka_unit_test(test_fans),       cmocka_unit_test(test_winding),
      cmocka_unit_test(test_odd),        cmocka_unit_test(test_soup),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
