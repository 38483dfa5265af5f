/* No two triangles meet on their way through a substep: continuous collision detection in integers
 * of any length (exact_ways.h) over 100,000 moves of small systems of triangles at random, by
 * passes that were made without it. */
#include "rig.h"
/* after rig.h */
#include "base.h"
#include "exact_ways.h"
#include "intersections.h"

static weft_vec3 any_point(weft_rng *rng, float side) {
  return weft_v3(weft_rng_float(rng, -side, side), weft_rng_float(rng, -side, side),
                 weft_rng_float(rng, -side, side));
}

/* ---- the detection itself ---- */

/* Corners that are in place at a fifteenth of their ways: whole numbers, so floats are exact. */
static void ways_through(weft_rng *rng, weft_vec3 at[4], const weft_vec3 v[4], weft_vec3 from[4],
                         weft_vec3 to[4]) {
  float part = (float)(1 + weft_rng_u32(rng) % 14);
  for (int k = 0; k < 4; ++k) {
    from[k] = weft_v3_sub(at[k], weft_v3_scale(v[k], part));
    to[k] = weft_v3_add(at[k], weft_v3_scale(v[k], 15 - part));
  }
}

static weft_vec3 any_whole(weft_rng *rng, int most) {
  int span = 2 * most + 1;
  return weft_v3((float)((int)(weft_rng_u32(rng) % (uint32_t)span) - most),
                 (float)((int)(weft_rng_u32(rng) % (uint32_t)span) - most),
                 (float)((int)(weft_rng_u32(rng) % (uint32_t)span) - most));
}

/* A vertex at these 1024ths of a triangle's corners, or an edge that passes another at these
 * 1024ths of both. */
static void place_parts(weft_rng *rng, bool edges, int u, int v, weft_vec3 at[4]) {
  for (int k = 0; k < 4; ++k) at[k] = weft_v3_scale(any_whole(rng, 100), 1024);
  weft_vec3 a = weft_v3_scale(any_whole(rng, 100), 1), b = weft_v3_scale(any_whole(rng, 100), 1);
  if (edges) { /* the first edge goes along a, the second along b */
    weft_vec3 here = at[0];
    at[0] = weft_v3_sub(here, weft_v3_scale(a, (float)u));
    at[1] = weft_v3_add(here, weft_v3_scale(a, (float)(1024 - u)));
    at[2] = weft_v3_sub(here, weft_v3_scale(b, (float)v));
    at[3] = weft_v3_add(here, weft_v3_scale(b, (float)(1024 - v)));
  } else {
    at[2] = weft_v3_add(at[1], weft_v3_scale(a, 1024));
    at[3] = weft_v3_add(at[1], weft_v3_scale(b, 1024));
    at[0] = weft_v3_add(at[1], weft_v3_add(weft_v3_scale(a, (float)u), weft_v3_scale(b, (float)v)));
  }
}

/* Both features rigid, so that the plane is crossed once. */
static void rigid_velocities(weft_rng *rng, bool edges, weft_vec3 v[4]) {
  v[0] = any_whole(rng, 500);
  v[3] = any_whole(rng, 500);
  v[1] = edges ? v[0] : v[3];
  v[2] = v[3];
}

/* Hits by a 1024th, misses by one, and what touches an edge or an end. */
static void hits_and_misses_by_little_are_told_apart(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(81);
  for (uint32_t k = 0; k < 3000; ++k) {
    bool edges = k % 2;
    weft_vec3 at[4], velocities[4], from[4], to[4];
    int u = 1 + (int)(weft_rng_u32(&rng) % 1022), v = 1 + (int)(weft_rng_u32(&rng) % 1022);
    if (!edges) v = 1 + (int)(weft_rng_u32(&rng) % (uint32_t)(1023 - u));
    int off = (int)(k % 3) - 1; /* how far outside */
    if (off >= 0 && weft_rng_u32(&rng) % 2)
      u = -off;
    else if (off >= 0 && edges)
      v = 1024 + off;
    else if (off >= 0)
      v = 1024 - u + off;
    place_parts(&rng, edges, u, v, at);
    rigid_velocities(&rng, edges, velocities);
    if (off < 0 && k % 4 < 2) {
      for (int c = 0; c < 4; ++c) velocities[c] = any_whole(&rng, 500);
    }
    ways_through(&rng, at, velocities, from, to);
    meeting found = features_meet(edges, from, to);
    if (off < 0) assert_int_equal(found, HIT);
    if (off == 0) assert_int_not_equal(found, MISS);
    if (off > 0) assert_int_equal(found, MISS);
  }
}

/* All in one plane all the way: the cubic is 0. */
static void what_stays_in_a_plane_is_told_too(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(82);
  for (uint32_t k = 0; k < 400; ++k) {
    bool edges = k % 2, hits = k % 4 < 2;
    weft_vec3 at[4], velocities[4], from[4], to[4];
    place_parts(&rng, edges, 300, hits ? 400 : 1025, at);
    for (int c = 0; c < 4; ++c) at[c].z = 0;
    /* The vertex, or the first edge, alone moves: along a side of the triangle, or itself. */
    weft_vec3 along = edges ? weft_v3_sub(at[1], at[0]) : weft_v3_sub(at[2], at[1]);
    for (int c = 0; c < 4; ++c) velocities[c] = weft_v3(0, 0, 0);
    velocities[0] = weft_v3_scale(along, 1.0f / 1024);
    if (edges) velocities[1] = velocities[0];
    ways_through(&rng, at, velocities, from, to);
    weft_vec3 n = weft_v3((at[1].x - at[0].x), (at[1].y - at[0].y), 0);
    weft_vec3 m = weft_v3((at[3].x - at[2].x), (at[3].y - at[2].y), 0);
    if (edges && n.x * m.y == n.y * m.x) continue;
    meeting found = features_meet(edges, from, to);
    if (hits) assert_int_not_equal(found, MISS);
    if (!hits) assert_int_equal(found, MISS);
  }
}

/* ---- against doubles ---- */

static weft_vec3d at_part(const weft_vec3 *from, const weft_vec3 *to, double s) {
  return weft_v3d((double)from->x + s * ((double)to->x - (double)from->x),
                  (double)from->y + s * ((double)to->y - (double)from->y),
                  (double)from->z + s * ((double)to->z - (double)from->z));
}

/* The volume of the four corners; the least of the weights of the point in their plane. */
static double volume_at(bool edges, const weft_vec3 from[4], const weft_vec3 to[4], double s,
                        double *inside) {
  weft_vec3d x[4];
  for (int k = 0; k < 4; ++k) x[k] = at_part(&from[k], &to[k], s);
  weft_vec3d a = weft_v3d_sub(edges ? x[1] : x[2], edges ? x[0] : x[1]);
  weft_vec3d b = weft_v3d_sub(x[3], edges ? x[2] : x[1]);
  weft_vec3d r = weft_v3d_sub(edges ? x[2] : x[0], edges ? x[0] : x[1]);
  weft_vec3d n = exact_crossed(a, b);
  double nn = weft_v3d_dot(n, n), u = weft_v3d_dot(exact_crossed(r, b), n) / nn;
  double v = weft_v3d_dot(exact_crossed(edges ? r : a, edges ? a : r), n) / nn;
  double rest = edges ? fmin(1 - u, 1 - v) : 1 - u - v;
  *inside = fmin(fmin(u, v), rest);
  return weft_v3d_dot(r, n);
}

/* What doubles are sure of: roots between 512 samples. */
static meeting sampled(bool edges, const weft_vec3 from[4], const weft_vec3 to[4]) {
  meeting found = MISS;
  double inside, before = volume_at(edges, from, to, 0, &inside), most = 0, least = INFINITY;
  for (int k = 1; k <= 512; ++k) {
    double now = volume_at(edges, from, to, k / 512.0, &inside);
    most = fmax(most, fabs(now));
    if ((before > 0) == (now > 0)) {
      least = fmin(least, fabs(now));
    } else {
      double low = (k - 1) / 512.0, high = k / 512.0;
      for (int halves = 0; halves < 40; ++halves) {
        double middle = 0.5 * (low + high);
        bool same = (volume_at(edges, from, to, middle, &inside) > 0) == (before > 0);
        *(same ? &low : &high) = middle;
      }
      if (fabs(inside) < 1e-6) return UNSURE;
      if (inside > 0) found = HIT;
    }
    before = now;
  }
  return found == MISS && least < 1e-4 * most ? UNSURE : found;
}

static void doubles_agree_where_they_are_sure(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(83);
  uint32_t hits = 0, misses = 0;
  for (uint32_t k = 0; k < 4000; ++k) {
    weft_vec3 from[4], to[4];
    for (int c = 0; c < 4; ++c) from[c] = any_point(&rng, 1), to[c] = any_point(&rng, 1);
    meeting known = sampled(k % 2, from, to);
    if (known == UNSURE) continue;
    assert_int_equal(features_meet(k % 2, from, to), known);
    hits += known == HIT;
    misses += known == MISS;
  }
  print_message("%u hits and %u misses as doubles have them\n", hits, misses);
  assert_true(hits > 200 && misses > 1000);
}

/* ---- triangles ---- */

/* Whether boxes over the whole way are apart, in floats: then nothing meets. */
static bool boxes_apart(const weft_vec3 *a, const weft_vec3 *a_to, int a_count, const weft_vec3 *b,
                        const weft_vec3 *b_to, int b_count) {
  weft_vec3 low[2], high[2];
  for (int side = 0; side < 2; ++side) {
    low[side] = weft_v3(INFINITY, INFINITY, INFINITY);
    high[side] = weft_v3(-INFINITY, -INFINITY, -INFINITY);
    for (int k = 0; k < 2 * (side ? b_count : a_count); ++k) {
      weft_vec3 p = side ? (k % 2 ? b_to : b)[k / 2] : (k % 2 ? a_to : a)[k / 2];
      low[side] =
          weft_v3(fminf(low[side].x, p.x), fminf(low[side].y, p.y), fminf(low[side].z, p.z));
      high[side] =
          weft_v3(fmaxf(high[side].x, p.x), fmaxf(high[side].y, p.y), fmaxf(high[side].z, p.z));
    }
  }
  return low[0].x > high[1].x || low[1].x > high[0].x || low[0].y > high[1].y ||
         low[1].y > high[0].y || low[0].z > high[1].z || low[1].z > high[0].z;
}

/* Six corners: a vertex of either and the other, and edges and edges. */
static bool two_meet(const weft_vec3 a[3], const weft_vec3 a_to[3], const weft_vec3 b[3],
                     const weft_vec3 b_to[3], uint64_t *decided) {
  if (boxes_apart(a, a_to, 3, b, b_to, 3)) return false;
  for (int k = 0; k < 3; ++k) {
    const weft_vec3 pa[4] = {a[k], b[0], b[1], b[2]},
                    pa_to[4] = {a_to[k], b_to[0], b_to[1], b_to[2]};
    const weft_vec3 pb[4] = {b[k], a[0], a[1], a[2]},
                    pb_to[4] = {b_to[k], a_to[0], a_to[1], a_to[2]};
    *decided += 5;
    if (features_meet(false, pa, pa_to) != MISS || features_meet(false, pb, pb_to) != MISS)
      return true;
    for (int l = 0; l < 3; ++l) {
      int n = (k + 1) % 3, m = (l + 1) % 3;
      const weft_vec3 e[4] = {a[k], a[n], b[l], b[m]},
                      e_to[4] = {a_to[k], a_to[n], b_to[l], b_to[m]};
      if (boxes_apart(e, e_to, 2, e + 2, e_to + 2, 2)) continue;
      if (features_meet(true, e, e_to) != MISS) return true;
    }
  }
  return false;
}

static bool any_two_meet(const weft_vec3 *from, const weft_vec3 *to, uint32_t triangles,
                         uint64_t *decided) {
  for (uint32_t a = 0; a < triangles; ++a) {
    for (uint32_t b = a + 1; b < triangles; ++b) {
      if (two_meet(&from[3 * a], &to[3 * a], &from[3 * b], &to[3 * b], decided)) return true;
    }
  }
  return false;
}

/* ---- systems of triangles ---- */

typedef struct systems {
  uint32_t count, triangles; /* of each */
  weft_mesh mesh;
  weft_vec3 *v, *from, *to;
  vec4 *rows;
} systems;

/* Any, a sliver, one over the other with parallel edges, in one plane or half a millimetre beside,
 * nearly touching. */
static void shape_system(weft_rng *rng, uint32_t kind, uint32_t triangles, weft_vec3 *p) {
  for (uint32_t k = 0; k < 3 * triangles; ++k) p[k] = any_point(rng, 0.02f);
  weft_vec3 up = any_point(rng, kind % 5 == 4 ? 1e-4f : 0.002f);
  for (uint32_t t = 0; t < triangles; ++t) {
    weft_vec3 *own = &p[3 * t];
    switch (kind % 5) {
      case 1:
        own[2] = weft_v3_add(own[0], weft_v3_scale(weft_v3_sub(own[1], own[0]), 0.37f));
        break;
      case 2:
      case 4:
        for (int k = 0; k < 3; ++k) own[k] = weft_v3_add(p[k], weft_v3_scale(up, (float)t));
        break;
      case 3:
        for (int k = 0; k < 3; ++k) own[k].z = p[0].z + 0.0005f * (float)t;
        break;
      default:
        break;
    }
  }
}

/* Whether an edge goes through a triangle: such ones would be left to go through each other. */
static bool tangled(const weft_vec3 *p, uint32_t triangles) {
  uint32_t corners[3 * 8];
  assert_true(triangles <= 8);
  for (uint32_t k = 0; k < 3 * triangles; ++k) corners[k] = k;
  weft_intersections found;
  assert_int_equal(
      weft_count_intersections(p, 3 * triangles, corners, triangles, NULL, &found, NULL), WEFT_OK);
  return found.triangle_pairs > 0;
}

static systems make_systems(uint32_t count, uint32_t triangles, uint64_t seed) {
  uint32_t corners = 3 * triangles, n = count * corners;
  systems s = {.count = count, .triangles = triangles};
  s.mesh.vertex_count = n;
  s.mesh.triangle_count = count * triangles;
  s.mesh.positions = weft_alloc(n, sizeof *s.mesh.positions);
  s.mesh.triangles = weft_alloc(n, sizeof *s.mesh.triangles);
  s.v = weft_alloc(n, sizeof *s.v);
  s.from = weft_alloc(n, sizeof *s.from);
  s.to = weft_alloc(n, sizeof *s.to);
  s.rows = weft_alloc(n, sizeof *s.rows);
  weft_rng rng = weft_rng_seed(seed);
  for (uint32_t k = 0; k < count; ++k) {
    weft_vec3 *p = &s.mesh.positions[k * corners];
    weft_vec3 place = weft_v3(0.15f * (float)(k % 25) - 1.8f, 0.15f * (float)(k / 25 % 25) - 1.8f,
                              0.15f * (float)(k / 625));
    do {
      shape_system(&rng, k, triangles, p);
      for (uint32_t i = 0; i < corners; ++i) p[i] = weft_v3_add(p[i], place);
    } while (tangled(p, triangles));
    float speed = k % 3 ? 12 : k % 2 ? 2 : 0.2f;
    for (uint32_t i = 0; i < corners; ++i) s.v[k * corners + i] = any_point(&rng, speed);
  }
  for (uint32_t i = 0; i < n; ++i) s.mesh.triangles[i] = i;
  return s;
}

static void free_systems(systems *s) {
  weft_free(s->mesh.positions);
  weft_free(s->mesh.triangles);
  weft_free(s->v);
  weft_free(s->from);
  weft_free(s->to);
  weft_free(s->rows);
}

static void read_ways(systems *s, weft_solver *solver) {
  for (int now = 0; now < 2; ++now) {
    weft_solver_read_buffer(solver, now ? WEFT_BUFFER_X : WEFT_BUFFER_X_PREV, 0,
                            s->mesh.vertex_count, s->rows);
    for (uint32_t i = 0; i < s->mesh.vertex_count; ++i) {
      (now ? s->to : s->from)[i] = weft_v3(s->rows[i].x, s->rows[i].y, s->rows[i].z);
    }
  }
}

static void check_ways(uint32_t count, uint32_t triangles, uint32_t substeps, uint64_t seed,
                       const weft_backend *backend) {
  systems s = make_systems(count, triangles, seed);
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &s.mesh, .material = weft_material_find("tablecloth"), .bending = WEFT_BENDING_NONE});
  const weft_params params = {.self_collision = true, .no_gravity = true, .substeps = substeps};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_write(solver, NULL, s.v);
  weft_solver_begin_frame(solver);
  uint64_t decided = 0;
  for (uint32_t step = 0; step < substeps; ++step) {
    weft_solver_run_substep(solver, step);
    read_ways(&s, solver);
    for (uint32_t k = 0; k < count; ++k) {
      size_t first = (size_t)k * 3 * triangles;
      if (any_two_meet(&s.from[first], &s.to[first], triangles, &decided)) {
        fail_msg("%s: triangles of system %u of %u meet in substep %u", weft_backend_name(backend),
                 k, triangles, step);
      }
    }
  }
  weft_metrics m;
  weft_error err = {0};
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  print_message(
      "%s: %u systems of %u, %u substeps: %llu pairs of features decided, %u motions cut, "
      "%u redetections, %u pauses\n",
      weft_backend_name(backend), count, triangles, substeps, (unsigned long long)decided,
      m.self_limited, m.self_detections, m.self_pauses);
  assert_true(m.self_limited > count / 8 && m.self_detections > 0 && m.self_pauses < substeps);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  free_systems(&s);
}

static void no_two_triangles_meet(void **state) {
  (void)state;
  check_ways(5000, 2, 10, 91, weft_backend_ref());
  check_ways(5000, 2, 10, 92, weft_backend_cpu(0));
}

static void no_two_of_many_triangles_meet(void **state) {
  (void)state;
  check_ways(500, 6, 10, 93, weft_backend_ref());
  check_ways(500, 6, 10, 94, weft_backend_cpu(0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hits_and_misses_by_little_are_told_apart),
      cmocka_unit_test(what_stays_in_a_plane_is_told_too),
      cmocka_unit_test(doubles_agree_where_they_are_sure),
      cmocka_unit_test(no_two_triangles_meet),
      cmocka_unit_test(no_two_of_many_triangles_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
