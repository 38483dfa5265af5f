/* self_cook_planes.c: the plane of each patch, and the weights of deformation gradients in it. */
#include "self_cook_internal.h"

#include <math.h>

#include "exact.h"
#include "ranges.h"

/* Rounding of the matrices M: a pass multiplies two edges, each off by 2^-24 of itself, by
 * entries of an inverse of at most 1 / h, h the least height of the triangle at rest, and
 * projects on unit axes. Edges are at most phi L long, L the longest at rest and phi its
 * stretch, at most 4. So an entry of M is off by some 8 * 2^-24 phi L / h, and the least
 * eigenvalue by 2.5 times that: below 2^-10 for L / h up to 200. L is at most the extent of the
 * patch. */
static const double most_extent = 120;

/* The mean normal, the coordinate axis farthest from it, and the third, orthonormal. */
static void orient(const weft_cook *cook, uint32_t patch, weft_cook_plane *plane) {
  weft_vec3d n = {0}, axis = {0};
  for (uint32_t i = WEFT_SELF_PATCH * patch; i < WEFT_SELF_PATCH * (patch + 1); ++i) {
    uint32_t t = cook->out->order[i];
    if (t == WEFT_COOK_NONE) continue;
    weft_vec3d a = weft_cook_corner(cook, t, 0);
    weft_vec3d b = weft_v3d_sub(weft_cook_corner(cook, t, 1), a);
    n = weft_v3d_add(n, weft_v3d_cross(b, weft_v3d_sub(weft_cook_corner(cook, t, 2), a)));
  }
  double length = weft_v3d_length(n);
  plane->sound = length > 0;
  n = plane->sound ? weft_v3d_scale(n, 1 / length) : weft_v3d(0, 0, 1);
  if (fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z)) {
    axis.x = 1;
  } else if (fabs(n.y) <= fabs(n.z)) {
    axis.y = 1;
  } else {
    axis.z = 1;
  }
  axis = weft_v3d_add_scaled(axis, -weft_v3d_dot(axis, n), n);
  plane->u = weft_v3d_scale(axis, 1 / weft_v3d_length(axis));
  plane->v = weft_v3d_cross(n, plane->u);
}

static double length_of(weft_cook_vec2 a) { return sqrt(a.x * a.x + a.y * a.y); }

static void measure(const weft_cook *cook, uint32_t patch, weft_cook_plane *plane) {
  const uint32_t *member = cook->members + cook->members_first[patch];
  const uint32_t count = cook->members_first[patch + 1] - cook->members_first[patch];
  const weft_vec3d *x = cook->surface->positions;
  plane->origin = plane->low = plane->high = x[member[0]];
  weft_cook_vec2 low = {0, 0}, high = {0, 0};
  for (uint32_t i = 0; i < count; ++i) {
    weft_vec3d p = x[member[i]];
    plane->low =
        weft_v3d(fmin(plane->low.x, p.x), fmin(plane->low.y, p.y), fmin(plane->low.z, p.z));
    plane->high =
        weft_v3d(fmax(plane->high.x, p.x), fmax(plane->high.y, p.y), fmax(plane->high.z, p.z));
    weft_cook_vec2 q = weft_cook_project(plane, p);
    low = (weft_cook_vec2){fmin(low.x, q.x), fmin(low.y, q.y)};
    high = (weft_cook_vec2){fmax(high.x, q.x), fmax(high.y, q.y)};
  }
  plane->extent = length_of(weft_cook_minus(high, low));
}

/* ---- inverses ---- */

/* False if the triangle is too thin or faces backwards. */
static bool invert(const weft_cook *cook, uint32_t triangle, const weft_cook_plane *plane,
                   vec4 *inverse) {
  weft_cook_vec2 a = weft_cook_project(plane, weft_cook_corner(cook, triangle, 0));
  weft_cook_vec2 d =
      weft_cook_minus(weft_cook_project(plane, weft_cook_corner(cook, triangle, 1)), a);
  weft_cook_vec2 e =
      weft_cook_minus(weft_cook_project(plane, weft_cook_corner(cook, triangle, 2)), a);
  weft_cook_vec2 f = weft_cook_minus(e, d);
  double area2 = weft_cook_cross(d, e);
  double longest = fmax(length_of(d), fmax(length_of(e), length_of(f)));
  if (!(area2 > 0 && plane->extent * longest <= most_extent * area2)) return false;
  inverse->x = exact_flush((float)(e.y / area2));
  inverse->y = exact_flush((float)(-d.y / area2));
  inverse->z = exact_flush((float)(-e.x / area2));
  inverse->w = exact_flush((float)(d.x / area2));
  return true;
}

static void fill_inverses(weft_cook *cook, uint32_t patch, weft_cook_plane *plane) {
  uint32_t first = WEFT_SELF_PATCH * patch;
  weft_self_triangle *triangles = cook->out->triangles + first;
  for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
    uint32_t t = cook->out->order[first + i];
    if (t == WEFT_COOK_NONE) {
      triangles[i].inverse = triangles[0].inverse;
    } else if (!invert(cook, t, plane, &triangles[i].inverse)) {
      plane->sound = false;
    }
  }
}

static bool is_connected(const weft_cook *cook, uint32_t patch) {
  uint32_t list[WEFT_SELF_PATCH] = {WEFT_SELF_PATCH * patch}, count = 1, all = 0;
  bool seen[WEFT_SELF_PATCH] = {true};
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t k = 0; k < 3; ++k) {
      uint32_t half = cook->across[3 * (size_t)cook->out->order[list[i]] + k];
      if (half == WEFT_COOK_NONE) continue;
      uint32_t place = cook->place[half / 3];
      if (place / WEFT_SELF_PATCH != patch || seen[place % WEFT_SELF_PATCH]) continue;
      seen[place % WEFT_SELF_PATCH] = true;
      list[count++] = place;
    }
  }
  for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
    all += cook->out->order[WEFT_SELF_PATCH * patch + i] != WEFT_COOK_NONE;
  }
  return count == all;
}

/* ---- the mean gradient of a patch ---- */

enum { FIXED = 8 };

typedef struct fixed {
  uint32_t particle[FIXED];
  weft_cook_vec2 at[FIXED];
  double u[FIXED], v[FIXED];
  uint32_t count; /* unused slots repeat the first particle */
} fixed;

/* The extreme particles in so many directions, each taken once. */
static void choose(const weft_cook *cook, uint32_t patch, const weft_cook_plane *plane, fixed *f) {
  const uint32_t *member = cook->members + cook->members_first[patch];
  const uint32_t count = cook->members_first[patch + 1] - cook->members_first[patch];
  weft_cook_vec2 at[3 * WEFT_SELF_PATCH];
  bool taken[3 * WEFT_SELF_PATCH] = {false};
  for (uint32_t i = 0; i < count; ++i) {
    at[i] = weft_cook_project(plane, cook->surface->positions[member[i]]);
  }
  static const double way[FIXED][2] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                       {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  f->count = count < FIXED ? count : FIXED;
  for (uint32_t k = 0; k < FIXED; ++k) {
    uint32_t best = WEFT_COOK_NONE;
    double most = -INFINITY;
    for (uint32_t i = 0; k < f->count && i < count; ++i) {
      double along = way[k][0] * at[i].x + way[k][1] * at[i].y;
      if (taken[i] || along <= most) continue;
      best = i;
      most = along;
    }
    f->particle[k] = best == WEFT_COOK_NONE ? f->particle[0] : member[best];
    f->at[k] = best == WEFT_COOK_NONE ? f->at[0] : at[best];
    if (best != WEFT_COOK_NONE) taken[best] = true;
  }
}

/* Weights of the affine map from the plane that fits their positions best (least squares). False
 * if they are collinear. */
static bool weigh(fixed *f) {
  weft_cook_vec2 mean = {0, 0};
  double xx = 0, xy = 0, yy = 0;
  for (uint32_t k = 0; k < f->count; ++k) {
    mean.x += f->at[k].x / f->count;
    mean.y += f->at[k].y / f->count;
  }
  for (uint32_t k = 0; k < f->count; ++k) {
    weft_cook_vec2 d = weft_cook_minus(f->at[k], mean);
    xx += d.x * d.x;
    xy += d.x * d.y;
    yy += d.y * d.y;
  }
  double area = xx * yy - xy * xy;
  if (!(area > 1e-6 * (xx + yy) * (xx + yy))) return false;
  for (uint32_t k = 0; k < f->count; ++k) {
    weft_cook_vec2 d = weft_cook_minus(f->at[k], mean);
    f->u[k] = (yy * d.x - xy * d.y) / area;
    f->v[k] = (xx * d.y - xy * d.x) / area;
  }
  return true;
}

static uvec4 four_of(const uint32_t *from) { return (uvec4){from[0], from[1], from[2], from[3]}; }

static vec4 weights_of(const double *from) {
  return (vec4){exact_flush((float)from[0]), exact_flush((float)from[1]),
                exact_flush((float)from[2]), exact_flush((float)from[3])};
}

static void fill_patch(weft_cook *cook, uint32_t patch, weft_cook_plane *plane) {
  fixed f = {.count = 0};
  choose(cook, patch, plane, &f);
  if (!weigh(&f)) plane->sound = false;
  weft_self_patch *out = &cook->out->patch[patch];
  out->fixed_a = four_of(f.particle);
  out->fixed_b = four_of(f.particle + 4);
  out->u_a = weights_of(f.u);
  out->u_b = weights_of(f.u + 4);
  out->v_a = weights_of(f.v);
  out->v_b = weights_of(f.v + 4);
}

static void find_range(void *context, uint32_t part, size_t first, size_t end) {
  weft_cook *cook = context;
  (void)part;
  for (uint32_t r = (uint32_t)first; r < end; ++r) {
    weft_cook_plane *plane = &cook->planes[r];
    orient(cook, r, plane);
    measure(cook, r, plane);
    fill_inverses(cook, r, plane);
    fill_patch(cook, r, plane);
    if (!is_connected(cook, r)) plane->sound = false;
  }
}

void weft_cook_planes(weft_cook *cook) {
  cook->planes = weft_alloc(cook->cloth_patches, sizeof *cook->planes);
  cook->out->patch = weft_alloc(cook->out->patches, sizeof *cook->out->patch);
  weft_ranges_run(cook->cloth_patches, weft_ranges_worth(cook->surface->cloth_triangles),
                  find_range, cook);
  for (uint32_t r = cook->cloth_patches; r < cook->out->patches; ++r) cook->out->patch[r].body = 1;
}
