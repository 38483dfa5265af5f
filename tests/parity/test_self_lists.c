/* What a detection of self-collision lists, against brute force over all pairs of features: those
 * that its four corners alone do not part, but for pairs that a patch or a star certifies; in a
 * further detection all that have a corner whose motion was cut, certified or not. On every
 * backend. */
#include "../physics/rig.h"
/* after rig.h */
#include <kernels/lang_c.h>
/* in that language */
#include <kernels/self_monotone.h>
/* and out of it */
#include <kernels/lang_c_end.h>

#include "cpu.h"

enum { SIDE = 32 };

/* ---- scenes ---- */

typedef enum fold { FLAT, WAVES, CRUMPLED, CLOUD, BOWL } fold;

/* Sheets of SIDE x SIDE over each other, and maybe a body among them. */
typedef struct scene {
  const char *name;
  uint32_t side, sheets;
  fold rest, now;
  float apart, speed; /* m; m/s */
  bool body, cuts, no_hulls;
} scene;

static const scene scenes[] = {
    {"a flat sheet", SIDE, 1, FLAT, FLAT, 0, 0.1f, false, false, false},
    {"waves", SIDE, 1, FLAT, WAVES, 0, 0.3f, false, false, false},
    {"a crumpled sheet", SIDE, 1, FLAT, CRUMPLED, 0, 0.3f, false, false, false},
    {"a fast one", SIDE, 1, FLAT, WAVES, 0, 8, false, true, false},
    {"two sheets", 20, 2, FLAT, WAVES, 0.004f, 0.5f, false, false, false},
    {"two sheets and a body", 16, 2, WAVES, WAVES, 0.004f, 3, true, true, false},
    {"a bowl", 24, 1, BOWL, BOWL, 0, 0.3f, false, false, false},
    {"made without order", 14, 1, CLOUD, CLOUD, 0, 0.3f, false, false, true},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static weft_vec3 fold_point(fold how, float u, float v, weft_rng *rng) {
  const float edge = 0.01f;
  if (how == CLOUD) {
    return weft_v3(weft_rng_float(rng, 0, 0.1f), weft_rng_float(rng, 0.3f, 0.4f),
                   weft_rng_float(rng, 0, 0.1f));
  }
  if (how == FLAT) return weft_v3(u * edge, 0.3f, v * edge);
  if (how == BOWL) { /* patches of it are turned against each other, and bent */
    float away = 20 * edge, a = (u - 12) * edge / away, b = (v - 12) * edge / away;
    return weft_v3(away * sinf(a), 0.3f - away * cosf(a) * cosf(b), away * cosf(a) * sinf(b));
  }
  if (how == WAVES) {
    /* A strip that turns more and more, until it folds back over itself. */
    float x = 0, y = 0;
    for (int k = 0; k < (int)u; ++k) {
      float at = (float)k + 0.5f, most = 0.1f * at * (1 + 0.05f * sinf(0.3f * v));
      x += edge * cosf(most * sinf(0.6f * at));
      y += edge * sinf(most * sinf(0.6f * at));
    }
    return weft_v3(x, 0.3f + y, v * edge);
  }
  return weft_v3(0.4f * u * edge + weft_rng_float(rng, -0.008f, 0.008f),
                 0.3f + weft_rng_float(rng, -0.02f, 0.02f),
                 0.4f * v * edge + weft_rng_float(rng, -0.008f, 0.008f));
}

static void fill_sheets(const scene *s, fold how, weft_vec3 *x) {
  weft_rng rng = weft_rng_seed(7);
  for (uint32_t i = 0; i < s->sheets * s->side * s->side; ++i) {
    uint32_t own = i % (s->side * s->side), sheet = i / (s->side * s->side);
    x[i] = fold_point(how, (float)(own % s->side), (float)(own / s->side), &rng);
    x[i].y += s->apart * (float)sheet;
  }
}

static weft_mesh sheets_mesh(const scene *s) {
  weft_mesh one = rig_grid(&(weft_grid_desc){
      .rows = s->side, .columns = s->side, .width = 0.3f, .height = 0.3f, .plane = WEFT_PLANE_XZ});
  weft_mesh all = {.vertex_count = s->sheets * one.vertex_count,
                   .triangle_count = s->sheets * one.triangle_count};
  all.positions = calloc(all.vertex_count, sizeof *all.positions);
  all.triangles = calloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  fill_sheets(s, s->rest, all.positions);
  for (uint32_t k = 0; k < 3 * all.triangle_count; ++k) {
    uint32_t sheet = k / (3 * one.triangle_count);
    all.triangles[k] = one.triangles[k % (3 * one.triangle_count)] + sheet * one.vertex_count;
  }
  weft_mesh_free(&one);
  return all;
}

static weft_model *model_of(const scene *s) {
  weft_mesh mesh = sheets_mesh(s);
  weft_model *model = rig_preprocess(&(weft_model_desc){.mesh = &mesh});
  free(mesh.positions);
  free(mesh.triangles);
  return model;
}

static weft_vec3 body_corners[4] = {
    {0.02f, 0.3f, 0.02f}, {0.08f, 0.301f, 0.02f}, {0.02f, 0.302f, 0.09f}, {0.05f, 0.27f, 0.05f}};
static uint32_t body_triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
static const weft_mesh body_mesh = {
    .vertex_count = 4, .triangle_count = 4, .positions = body_corners, .triangles = body_triangles};

/* ---- a solver in its first substep ---- */

typedef struct listing {
  uvec4 *items;
  uint32_t count, room;
} listing;

typedef struct detection {
  uint32_t number; /* of the detection */
  uint32_t particles, patches, triangles, pairs_beside, asked;
  vec4 *x, *x_prev;
  weft_self_part *part;
  weft_self_triangle *t;
  weft_self_patch *patch;
  weft_self_adjacent *beside;
  weft_self_hull *hulls;
  uint32_t *shared, *fans, *marks;
  weft_self_star *stars;
  weft_self_certificate *shapes;
  listing listed;
} detection;

static void *read_all(weft_solver *solver, weft_buffer_id id, uint32_t *count) {
  uint64_t n = weft_solver_buffer_count(solver, id);
  void *data = calloc((size_t)n, weft_buffer_infos[id].stride);
  weft_solver_read_buffer(solver, id, 0, n, data);
  if (count) *count = (uint32_t)n;
  return data;
}

static void read_look(weft_solver *solver, uint32_t number, detection *l) {
  *l = (detection){.number = number};
  l->x = read_all(solver, WEFT_BUFFER_X, &l->particles);
  l->x_prev = read_all(solver, WEFT_BUFFER_X_PREV, NULL);
  l->part = read_all(solver, WEFT_BUFFER_SELF_PARTS, NULL);
  l->t = read_all(solver, WEFT_BUFFER_SELF_TRIANGLES, &l->triangles);
  l->patch = read_all(solver, WEFT_BUFFER_SELF_PATCHES, &l->patches);
  l->beside = read_all(solver, WEFT_BUFFER_SELF_ADJACENT, &l->pairs_beside);
  l->hulls = read_all(solver, WEFT_BUFFER_SELF_HULLS, NULL);
  l->shared = read_all(solver, WEFT_BUFFER_SELF_SHARED, NULL);
  l->fans = read_all(solver, WEFT_BUFFER_SELF_FANS, NULL);
  l->marks = read_all(solver, WEFT_BUFFER_SELF_DIRTY, NULL);
  l->stars = read_all(solver, WEFT_BUFFER_SELF_STARS, NULL);
  l->shapes = read_all(solver, WEFT_BUFFER_SELF_CERTIFICATES, NULL);
  uint32_t *counts = read_all(solver, WEFT_BUFFER_SELF_COUNTS, NULL);
  assert_int_equal(counts[WEFT_SELF_AT_FLAGS], 0);
  l->listed.count = counts[WEFT_SELF_AT_CANDIDATES + number];
  l->asked = counts[WEFT_SELF_AT_UNCERTIFIED];
  free(counts);
  l->listed.items = calloc(l->listed.count + 1, sizeof(uvec4));
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CANDIDATES, 0, l->listed.count, l->listed.items);
}

static void free_look(detection *l) {
  void *const all[] = {l->x,      l->x_prev, l->part,        l->t,    l->patch,
                       l->beside, l->hulls,  l->shared,      l->fans, l->marks,
                       l->stars,  l->shapes, l->listed.items};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) free(all[k]);
}

static weft_solver *solver_of(const scene *s, const weft_model *model, const weft_body *body,
                              const weft_backend *backend) {
  const weft_params params = {.substeps = 4,
                              .self_collision = true,
                              .self_room = 64,
                              .bodies = body,
                              .body_count = s->body ? 1 : 0};
  weft_solver *solver = rig_solver(model, &params, backend);
  uint32_t n = s->sheets * s->side * s->side;
  weft_vec3 *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v);
  weft_rng rng = weft_rng_seed(5);
  fill_sheets(s, s->now, x);
  for (uint32_t i = 0; i < n; ++i) {
    float wave = s->speed * sinf(0.7f * (float)(i % s->side) + 0.3f * (float)(i / s->side));
    v[i] = weft_v3(0.2f * s->speed * weft_rng_float(&rng, -1, 1), wave, 0.1f * wave);
  }
  rig_write(solver, x, v);
  free(x);
  free(v);
  return solver;
}

/* Up to where a detection of the first substep has its candidates; whether there is such a
 * detection. */
static bool run_to_detection(weft_solver *solver, uint32_t number) {
  weft_solver_begin_frame(solver);
  for (size_t k = 0; k < weft_solver_pass_count(solver); ++k) {
    const weft_pass *pass = weft_solver_pass(solver, k);
    weft_solver_run_pass(solver, pass, 0);
    bool there = pass->kind == WEFT_PASS_SELF_FIND_FEATURES &&
                 pass->when != WEFT_WHEN_FRAME_BEGINS && pass->detection == number;
    if (there) return true;
  }
  return false;
}

/* ---- brute force ---- */

static weft_vec3 place(const vec4 *x, uint32_t i) { return weft_v3(x[i].x, x[i].y, x[i].z); }

static self_corner corner_at(const detection *l, uint32_t i) {
  weft_vec3 from = place(l->x_prev, i);
  return self_corner_of(from, exact_flush3(weft_v3_sub(place(l->x, i), from)), l->marks[i] != 0);
}

static bool are_near(const detection *l, bool edges, const uint32_t p[4]) {
  float reach = l->part->reach;
  self_corner c[4];
  for (int k = 0; k < 4; ++k) c[k] = corner_at(l, p[k]);
  if (!edges) {
    return self_vertex_is_near(c[0], c[1], c[2], c[3], reach) &&
           !self_vertex_parted(c[0], c[1], c[2], c[3], reach);
  }
  self_box first = self_box_join(self_box_of(c[0]), self_box_of(c[1]));
  self_box second = self_box_join(self_box_of(c[2]), self_box_of(c[3]));
  return self_boxes_meet(first, second, reach) && !self_edges_parted(c[0], c[1], c[2], c[3], reach);
}

static void list_pair(listing *to, uvec4 pair) {
  if (to->count == to->room) {
    to->room = 2 * to->room + 1024;
    to->items = realloc(to->items, to->room * sizeof *to->items);
  }
  to->items[to->count++] = pair;
}

static void list_vertices(const detection *l, const weft_self_triangle *t, weft_uvec3 to, bool same,
                          listing *found) {
  const uint32_t three[3] = {t->corners.x, t->corners.y, t->corners.z};
  for (uint32_t k = 0; k < 3; ++k) {
    const uint32_t p[4] = {three[k], to.x, to.y, to.z};
    if (!(t->flags >> k & 1) || p[0] == to.x || p[0] == to.y || p[0] == to.z) continue;
    if (are_near(l, false, p)) {
      list_pair(found, weft_self_listed((uvec4){p[0], p[1], p[2], p[3]}, false, same));
    }
  }
}

static void list_features(const detection *l, uint32_t first, uint32_t second, listing *found) {
  const weft_self_triangle *one = &l->t[first], *other = &l->t[second];
  const weft_uvec3 a = one->corners, b = other->corners;
  const bool same = one->flags >> WEFT_SELF_PIECE == other->flags >> WEFT_SELF_PIECE;
  list_vertices(l, one, b, same, found);
  list_vertices(l, other, a, same, found);
  const uint32_t i[4] = {a.x, a.y, a.z, a.x}, j[4] = {b.x, b.y, b.z, b.x};
  for (uint32_t k = 0; k < 9; ++k) {
    uint32_t e = k / 3, f = k % 3;
    const uint32_t p[4] = {i[e], i[e + 1], j[f], j[f + 1]};
    if (!(one->flags >> (3 + e) & 1) || !(other->flags >> (3 + f) & 1)) continue;
    if (p[0] == p[2] || p[0] == p[3] || p[1] == p[2] || p[1] == p[3]) continue;
    if (are_near(l, true, p)) {
      list_pair(found, weft_self_listed((uvec4){p[0], p[1], p[2], p[3]}, true, same));
    }
  }
}

/* ---- certificates, in doubles ---- */

static weft_vec3d far_place(const vec4 *x, uint32_t i) { return weft_v3d_from(place(x, i)); }

typedef struct shape {
  weft_vec3d axes[2];
  double least, most;
} shape;

static weft_vec3d axis_of(const detection *l, const weft_self_patch *patch, bool second) {
  const uvec4 a = patch->fixed_a, b = patch->fixed_b;
  const vec4 wa = second ? patch->v_a : patch->u_a, wb = second ? patch->v_b : patch->u_b;
  const uint32_t at[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  const float weight[8] = {wa.x, wa.y, wa.z, wa.w, wb.x, wb.y, wb.z, wb.w};
  weft_vec3d sum = weft_v3d(0, 0, 0), origin = far_place(l->x_prev, at[0]);
  for (int k = 0; k < 8; ++k) {
    weft_vec3d from = weft_v3d_sub(far_place(l->x_prev, at[k]), origin);
    sum = weft_v3d_add_scaled(sum, (double)weight[k], from);
  }
  return weft_v3d_scale(sum, 1 / sqrt(weft_v3d_dot(sum, sum)));
}

/* Of two chords of the unit circle's octant, which meet at 22.5 degrees, the one that is higher
 * there. */
static double length_above(double x, double y) {
  const double pi = 3.14159265358979324;
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  double steep = (cos(3 * pi / 16) * a + sin(3 * pi / 16) * b) / cos(pi / 16);
  return fmax(a + tan(pi / 16) * b, steep);
}

static void add_gradient(const weft_self_triangle *t, const vec4 *x, shape *s) {
  weft_vec3d origin = far_place(x, t->corners.x);
  weft_vec3d e = weft_v3d_sub(far_place(x, t->corners.y), origin);
  weft_vec3d f = weft_v3d_sub(far_place(x, t->corners.z), origin);
  weft_vec3d u = weft_v3d_scale(e, (double)t->inverse.x),
             v = weft_v3d_scale(e, (double)t->inverse.z);
  u = weft_v3d_add_scaled(u, (double)t->inverse.y, f);
  v = weft_v3d_add_scaled(v, (double)t->inverse.w, f);
  double xx = weft_v3d_dot(s->axes[0], u), xy = weft_v3d_dot(s->axes[0], v);
  double yx = weft_v3d_dot(s->axes[1], u), yy = weft_v3d_dot(s->axes[1], v);
  double length = length_above(xx - yy, xy + yx), exact = hypot(xx - yy, xy + yx);
  if (length < exact * (1 - 1e-12) || length > 1.02 * exact) {
    fail_msg("%g is no length above %g", length, exact);
  }
  s->least = fmin(s->least, 0.5 * (xx + yy - length));
  s->most = fmax(s->most, sqrt(weft_v3d_dot(u, u) + weft_v3d_dot(v, v)));
}

/* The pass has the same ones, but for rounding. */
static shape shape_of(const detection *l, uint32_t patch) {
  const weft_self_patch *own = &l->patch[patch];
  shape s = {{axis_of(l, own, false), axis_of(l, own, true)}, INFINITY, 0};
  for (uint32_t k = 0; k < WEFT_SELF_PATCH; ++k) {
    const weft_self_triangle *t = &l->t[patch * WEFT_SELF_PATCH + k];
    if (t->flags & WEFT_SELF_EMPTY) continue;
    add_gradient(t, l->x_prev, &s);
    add_gradient(t, l->x, &s);
  }
  if (own->body || !(s.most < 100)) return s;
  const weft_self_certificate *made = &l->shapes[patch];
  double off = 1e-3 * (1 + s.most);
  rig_near((double)made->least, s.least, off, "the least eigenvalue of a patch");
  rig_near((double)made->most, s.most, off, "the norm of its gradients");
  weft_vec3d first = weft_v3d_sub(far_place(&made->first, 0), s.axes[0]);
  weft_vec3d second = weft_v3d_sub(far_place(&made->second, 0), s.axes[1]);
  rig_near(weft_v3d_dot(first, first) + weft_v3d_dot(second, second), 0, 1e-6, "its axes");
  return s;
}

/* With the axes of a patch as seen from those of the reference. */
static double loss_of(const shape *r, const shape *e, const weft_self_hull *h) {
  double c = (double)h->turn_c, s = (double)h->turn_s, bend = (double)h->bend;
  weft_vec3d first = weft_v3d_add(weft_v3d_scale(e->axes[0], c), weft_v3d_scale(e->axes[1], s));
  weft_vec3d second = weft_v3d_sub(weft_v3d_scale(e->axes[1], c), weft_v3d_scale(e->axes[0], s));
  first = weft_v3d_sub(first, r->axes[0]);
  second = weft_v3d_sub(second, r->axes[1]);
  double off = sqrt(weft_v3d_dot(first, first) + weft_v3d_dot(second, second));
  return (off * (1 + bend) + sqrt(2) * bend) * e->most;
}

static double proved_by(const detection *l, const shape *shapes, uint32_t reference, uint32_t first,
                        uint32_t count) {
  double least = count ? INFINITY : -1;
  for (uint32_t k = first; k < first + count; ++k) {
    const weft_self_hull *h = &l->hulls[k];
    const shape *e = &shapes[h->of];
    if (!(e->most < 4)) return -1;
    least = fmin(least, e->least - loss_of(&shapes[reference], e, h));
  }
  return least;
}

static bool is_certified(const detection *l, const shape *shapes, const weft_self_adjacent *b) {
  double proved = fmax(proved_by(l, shapes, b->first, b->hulls, b->from_first),
                       proved_by(l, shapes, b->second, b->hulls + b->from_first, b->from_second));
  const double needed = 0.15 + 1.0 / 512;
  if (fabs(proved - needed) < 1e-4) fail_msg("a pair of patches at the threshold: choose another");
  return proved > needed;
}

/* ---- stars ---- */

static weft_vec3 ray_of(const detection *l, const vec4 *x, uint32_t particle, uint32_t ray) {
  const weft_self_star *star = &l->stars[particle];
  bool last = ray == star->count;
  uint32_t fan = l->fans[star->first + ray - last];
  const weft_uvec3 c = l->t[fan >> 2].corners;
  const uint32_t three[3] = {c.x, c.y, c.z};
  uint32_t to = three[((fan & 3) + (last ? 2 : 1)) % 3];
  return exact_flush3(weft_v3_sub(place(x, to), place(x, particle)));
}

static bool is_high(const detection *l, weft_vec3 n, uint32_t particle, uint32_t a, uint32_t b) {
  return self_sector_is_high(n, ray_of(l, l->x_prev, particle, a),
                             ray_of(l, l->x_prev, particle, b), ray_of(l, l->x, particle, a),
                             ray_of(l, l->x, particle, b), l->stars[particle].floor);
}

/* Once: a ray to either side of the first where the rays behind it come up to it. */
static bool winds_once(const detection *l, weft_vec3 n, uint32_t particle) {
  uint32_t winds = 0, count = l->stars[particle].count;
  weft_vec3 first = ray_of(l, l->x_prev, particle, 0);
  for (uint32_t k = 1; k <= count; ++k) {
    float before = k > 1 ? self_area(n, first, ray_of(l, l->x_prev, particle, k - 1)) : 0;
    float side = k < count ? self_area(n, first, ray_of(l, l->x_prev, particle, k)) : 0;
    winds += before < 0 && side >= 0;
  }
  return winds == 1;
}

static bool star_is_certified(const detection *l, uint32_t particle) {
  const weft_self_star *star = &l->stars[particle];
  if (star->kind == WEFT_SELF_FAN_NONE) return false;
  bool closed = star->kind == WEFT_SELF_FAN_CLOSED;
  uint32_t last = closed ? 0 : star->count;
  weft_vec3 n = weft_v3(0, 0, 0);
  for (uint32_t k = 1; k <= star->count; ++k) {
    n = weft_v3_add(n, exact_cross(ray_of(l, l->x_prev, particle, k - 1),
                                   ray_of(l, l->x_prev, particle, k < star->count ? k : last)));
  }
  n = self_unit(n);
  bool high = true;
  for (uint32_t k = 1; k <= star->count; ++k) {
    uint32_t ray = k < star->count ? k : last;
    high = high && is_high(l, n, particle, k - 1, ray);
    if (closed) continue;
    if (k <= star->middle) high = high && is_high(l, n, particle, k - 1, star->middle);
    if (k > star->middle + 1) high = high && is_high(l, n, particle, star->middle, ray);
  }
  if (closed) return high && winds_once(l, n, particle);
  return high && self_gap_is_open(
                     n, ray_of(l, l->x_prev, particle, last), ray_of(l, l->x_prev, particle, 0),
                     ray_of(l, l->x, particle, last), ray_of(l, l->x, particle, 0), star->floor);
}

/* ---- what is to be listed ---- */

typedef struct expected {
  uint8_t *certified; /* [patches x patches] */
  uint8_t *open;      /* [particles] its star is asked and proves nothing */
  uint32_t patches_certified, stars_open, stars_asked;
} expected;

static expected expect(const detection *l) {
  expected e = {.certified = calloc((size_t)l->patches * l->patches, 1),
                .open = calloc(l->particles, 1)};
  uint8_t *asked = calloc(l->particles, 1);
  shape *shapes = calloc(l->patches, sizeof *shapes);
  for (uint32_t p = 0; p < l->patches; ++p) shapes[p] = shape_of(l, p);
  for (uint32_t k = 0; k < l->pairs_beside; ++k) {
    const weft_self_adjacent *b = &l->beside[k];
    if (is_certified(l, shapes, b)) {
      e.certified[b->first * l->patches + b->second] = 1;
      e.patches_certified++;
      continue;
    }
    for (uint32_t p = 0; p < b->particle_count; ++p) asked[l->shared[b->particles + p]] = 1;
  }
  for (uint32_t i = 0; i < l->particles; ++i) {
    e.open[i] = asked[i] && !star_is_certified(l, i);
    e.stars_asked += asked[i];
    e.stars_open += e.open[i];
  }
  free(asked);
  free(shapes);
  return e;
}

static bool has_corner(weft_uvec3 t, uint32_t i) { return t.x == i || t.y == i || t.z == i; }

/* The lowest of those that both have; UINT32_MAX: none. */
static uint32_t lowest_shared(weft_uvec3 a, weft_uvec3 b) {
  const uint32_t three[3] = {a.x, a.y, a.z};
  uint32_t least = UINT32_MAX;
  for (int k = 0; k < 3; ++k) {
    if (has_corner(b, three[k]) && three[k] < least) least = three[k];
  }
  return least;
}

static bool is_marked(const detection *l, weft_uvec3 t) {
  return l->marks[t.x] == l->number || l->marks[t.y] == l->number || l->marks[t.z] == l->number;
}

static bool is_compared(const detection *l, const expected *e, uint32_t first, uint32_t second) {
  const weft_uvec3 a = l->t[first].corners, b = l->t[second].corners;
  const uint32_t one = l->t[first].flags, other = l->t[second].flags;
  if ((one | other) & WEFT_SELF_EMPTY || one & other & WEFT_SELF_UNPARTED) return false;
  if (l->number) return is_marked(l, a) || is_marked(l, b);
  uint32_t shared = lowest_shared(a, b);
  if (shared != UINT32_MAX) return e->open[shared];
  uint32_t p = first / WEFT_SELF_PATCH, q = second / WEFT_SELF_PATCH;
  return !e->certified[p * l->patches + q];
}

static uint32_t place_in_fan(const detection *l, uint32_t particle, uint32_t triangle) {
  const weft_self_star *star = &l->stars[particle];
  uint32_t k = 0;
  while (l->fans[star->first + k] >> 2 != triangle) ++k;
  return k;
}

/* Which of two triangles comes first, on which the rounding of what parts two edges depends: in
 * order around the corner that they share; in a redetection the one that is looked for. */
static bool is_turned(const detection *l, uint32_t first, uint32_t second) {
  uint32_t p = first / WEFT_SELF_PATCH, q = second / WEFT_SELF_PATCH;
  if (l->number) return p != q && !l->shapes[p].marked && l->shapes[q].marked;
  uint32_t shared = lowest_shared(l->t[first].corners, l->t[second].corners);
  if (shared == UINT32_MAX) return false;
  return place_in_fan(l, shared, first) > place_in_fan(l, shared, second);
}

static listing brute_force(const detection *l, const expected *e) {
  listing found = {0};
  for (uint32_t a = 0; a < l->triangles; ++a) {
    for (uint32_t b = a + 1; b < l->triangles; ++b) {
      if (!is_compared(l, e, a, b)) continue;
      bool turned = is_turned(l, a, b);
      list_features(l, turned ? b : a, turned ? a : b, &found);
    }
  }
  return found;
}

static int by_particles(const void *a, const void *b) { return memcmp(a, b, sizeof(uvec4)); }

static void sort_listing(listing *l) {
  if (l->count) qsort(l->items, l->count, sizeof *l->items, by_particles);
}

/* ---- tests ---- */

static bool has_hulls(const detection *l) {
  for (uint32_t k = 0; k < l->pairs_beside; ++k) {
    if (l->beside[k].from_first || l->beside[k].from_second) return true;
  }
  return false;
}

static void compare_listings(const char *what, const listing *want, const listing *got) {
  for (uint32_t a = 0, b = 0; a < want->count || b < got->count; ++a, ++b) {
    int order = a == want->count  ? 1
                : b == got->count ? -1
                                  : by_particles(&want->items[a], &got->items[b]);
    if (order == 0) continue;
    const uvec4 listed = order < 0 ? want->items[a] : got->items[b];
    const uvec4 p = weft_self_particles(listed);
    fail_msg("%s: %u listed for %u; %s %s %u %u %u %u", what, got->count, want->count,
             order < 0 ? "missing" : "too much", weft_self_is_edges(listed) ? "edges" : "vertex",
             p.x, p.y, p.z, p.w);
  }
}

/* Of the reference: what other backends are to list. */
static listing check_reference(const scene *s, weft_solver *solver, uint32_t number) {
  detection l;
  read_look(solver, number, &l);
  assert_int_equal(has_hulls(&l), !s->no_hulls);
  expected e = expect(&l);
  listing want = brute_force(&l, &e), got = l.listed;
  sort_listing(&want);
  sort_listing(&got);
  print_message(
      "%s, detection %u: %u of %u pairs of patches certified, %u stars open of %u, %u listed\n",
      s->name, number, e.patches_certified, l.pairs_beside, e.stars_open, e.stars_asked, got.count);
  /* Stars tell which pairs of patches are certified, also where nothing is near. */
  if (number == 0) assert_int_equal(l.asked, e.stars_asked);
  compare_listings(s->name, &want, &got);
  if (s->now != FLAT && s->now != BOWL) assert_true(want.count > 0);
  free(want.items);
  free(e.certified);
  free(e.open);
  l.listed.items = NULL;
  free_look(&l);
  return got;
}

static void check_other(const scene *s, const weft_model *model, const weft_body *body,
                        const weft_backend *backend, uint32_t number, const listing *want) {
  weft_solver *solver = solver_of(s, model, body, backend);
  detection l;
  assert_true(run_to_detection(solver, number));
  read_look(solver, number, &l);
  sort_listing(&l.listed);
  char what[96];
  snprintf(what, sizeof what, "%s on %s", s->name, weft_backend_name(backend));
  compare_listings(what, want, &l.listed);
  free_look(&l);
  weft_solver_end_frame(solver);
  weft_solver_destroy(solver);
}

static void lists_are_what_brute_force_lists(void **state) {
  const weft_cpu_desc descs[] = {{.threads = 1},
                                 {.threads = 2, .exactly = true, .lanes = weft_lanes_usable(4)},
                                 {.threads = 1, .lanes = weft_lanes_usable(8)},
                                 {.threads = 2, .exactly = true, .lanes = weft_lanes_usable(16)},
                                 {.threads = 2, .exactly = true, .plain = true}};
  for (size_t k = 0; k < SCENES; ++k) {
    const scene *s = &scenes[k];
    weft_model *model = model_of(s);
    const weft_body body = {.mesh = &body_mesh, .thickness = 0.005f};
    for (uint32_t number = 0; number < (s->cuts ? 2 : 1); ++number) {
      weft_solver *solver = solver_of(s, model, &body, weft_backend_ref());
      assert_true(run_to_detection(solver, number));
      listing want = check_reference(s, solver, number);
      for (size_t b = 0; b < sizeof descs / sizeof *descs; ++b) {
        if (descs[b].lanes == NULL && b && !descs[b].plain) continue;
        weft_backend cpu = weft_cpu_backend_of(&descs[b]);
        check_other(s, model, &body, &cpu, number, &want);
      }
      if (rig_gl_context) check_other(s, model, &body, rig_backend(state), number, &want);
      free(want.items);
      weft_solver_end_frame(solver);
      weft_solver_destroy(solver);
    }
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"lists_are_what_brute_force_lists", lists_are_what_brute_force_lists, NULL, NULL,
       &rig_places[1]},
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
