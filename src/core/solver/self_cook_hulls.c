/* self_cook_hulls.c: the triangles over the convex hull of two patches, projected onto the plane
 * of one of them, the reference.
 *
 * Suppose that the triangles connected by edges inside the hull all face forward, and wind once
 * around each particle. Then a shortest path within them is straight except at border particles
 * where the cloth spans more than half a turn. No segment of it deviates from the line between
 * its ends by more than the sum of these excess angles, so bounds on deformation gradients bound
 * the distance of the ends. */
#include "self_cook_hulls.h"

#include <math.h>

#include "exact.h"

/* Of a triangle over a hull: the least fraction of its area after projection; the largest ratio
 * of longest edge to height; 6 epsilon as a fraction of the gap at a gradient of 0.15, on a path
 * no longer than 1.1 times the line. Of a hull: the largest j, at which cloth at rest is still
 * certified, and the largest deviation of paths, which is charged to j. */
static const double least_seen = 0.3, most_aspect = 256, least_gap = 6 * 1.1 / 0.15,
                    most_bend = 0.45, most_off = 0.4;

weft_cook_viewer *weft_cook_viewer_create(const weft_cook *cook, const double *area2) {
  weft_cook_viewer *v = weft_alloc(1, sizeof *v);
  v->cook = cook;
  v->area2 = area2;
  v->spots = weft_alloc(cook->surface->cloth_particles, sizeof *v->spots);
  v->seen = weft_alloc(cook->surface->cloth_triangles, sizeof *v->seen);
  return v;
}

void weft_cook_viewer_free(weft_cook_viewer *viewer) {
  weft_free(viewer->spots);
  weft_free(viewer->seen);
  weft_free(viewer);
}

/* ---- the hull ---- */

static bool find_hull(weft_cook_viewer *v, uint32_t reference, uint32_t other) {
  const weft_cook *cook = v->cook;
  weft_cook_vec2 points[6 * WEFT_SELF_PATCH];
  uint32_t count = 0;
  double extent = 0;
  for (int second = 0; second < (reference == other ? 1 : 2); ++second) {
    uint32_t patch = second ? other : reference;
    for (uint32_t i = cook->members_first[patch]; i < cook->members_first[patch + 1]; ++i) {
      weft_cook_vec2 p =
          weft_cook_project(&cook->planes[reference], cook->surface->positions[cook->members[i]]);
      extent = fmax(extent, fmax(fabs(p.x), fabs(p.y)));
      points[count++] = p;
    }
  }
  return weft_cook_polygon_around(points, count, extent, &v->hull);
}

static double length2(weft_cook_vec2 a) { return a.x * a.x + a.y * a.y; }

static uint64_t outside_of(const weft_cook_polygon *hull, weft_cook_vec2 at) {
  uint64_t outside = 0;
  if (length2(weft_cook_minus(at, hull->middle)) < hull->inner2) return outside;
  for (uint32_t k = 0; k < hull->count; ++k) {
    double depth = hull->normal[k].x * at.x + hull->normal[k].y * at.y;
    if (!(depth - hull->offset[k] > hull->tolerance)) outside |= UINT64_C(1) << k;
  }
  return outside;
}

static weft_cook_spot *spot_of(weft_cook_viewer *v, const weft_cook_plane *plane,
                               uint32_t particle) {
  weft_cook_spot *spot = &v->spots[particle];
  if (spot->stamp == v->stamp) return spot;
  spot->stamp = v->stamp;
  spot->at = weft_cook_project(plane, v->cook->surface->positions[particle]);
  spot->outside = outside_of(&v->hull, spot->at);
  spot->round = (weft_cook_vec2){1, 0};
  spot->turns = 0;
  return spot;
}

/* ---- triangles over it ---- */

typedef struct shape {
  weft_cook_spot *spots[3];
  weft_cook_vec2 at[3];
  double area2, longest2;
} shape;

static shape shape_of(weft_cook_viewer *v, const weft_cook_plane *plane, uint32_t triangle) {
  const uint32_t *c = weft_cook_corners(v->cook, triangle);
  shape s;
  for (uint32_t k = 0; k < 3; ++k) {
    s.spots[k] = spot_of(v, plane, c[k]);
    s.at[k] = s.spots[k]->at;
  }
  weft_cook_vec2 d = weft_cook_minus(s.at[1], s.at[0]), e = weft_cook_minus(s.at[2], s.at[0]);
  s.area2 = weft_cook_cross(d, e);
  double a = length2(d), b = length2(e), c2 = length2(weft_cook_minus(e, d));
  s.longest2 = a > b ? a : b;
  s.longest2 = c2 > s.longest2 ? c2 : s.longest2;
  return s;
}

/* The signed distance inside a side. */
static double depth_of(const weft_cook_polygon *hull, uint32_t side, weft_cook_vec2 p) {
  return hull->normal[side].x * p.x + hull->normal[side].y * p.y - hull->offset[side] -
         hull->tolerance;
}

/* Whether an edge intersects the hull. */
static bool enters(const weft_cook_polygon *hull, const weft_cook_spot *a,
                   const weft_cook_spot *b) {
  uint64_t sides = a->outside | b->outside;
  if (sides == 0) return true;
  if (a->outside & b->outside) return false;
  double first = 0, last = 1;
  for (uint32_t k = 0; sides >> k; ++k) {
    if (!(sides >> k & 1)) continue;
    double from = depth_of(hull, k, a->at), to = depth_of(hull, k, b->at);
    double part = from / (from - to);
    first = from > 0 || part < first ? first : part;
    last = from > 0 && part < last ? part : last;
    if (k == WEFT_COOK_HULL_SIDES - 1) break;
  }
  return first < last;
}

static bool is_fit(const weft_cook_viewer *v, uint32_t triangle, const shape *s) {
  double gap = least_gap * v->cook->surface->floor;
  return s->area2 > 0 && s->area2 >= least_seen * v->area2[triangle] &&
         s->longest2 <= most_aspect * s->area2 && s->area2 * s->area2 >= gap * gap * s->longest2;
}

/* The index of a patch's entry; NONE if it may have none. */
static uint32_t entry_of(weft_cook_viewer *v, uint32_t patch) {
  for (uint32_t k = 0; k < v->patch_count; ++k) {
    if (v->patches[k] == patch) return k;
  }
  if (!v->cook->planes[patch].sound || v->patch_count == WEFT_COOK_HULL_PATCHES) {
    return WEFT_COOK_NONE;
  }
  v->patches[v->patch_count] = patch;
  return v->patch_count++;
}

static void wait_for(weft_cook_viewer *v, uint32_t triangle) {
  if (v->seen[triangle] == v->stamp) return;
  v->seen[triangle] = v->stamp;
  v->waiting[v->waiting_count++] = triangle;
}

/* Adds an angle below half a turn; false if the sum exceeds a whole turn. */
static bool turn_by(weft_cook_spot *spot, weft_cook_vec2 d, weft_cook_vec2 e) {
  weft_cook_vec2 a = {d.x * e.x + d.y * e.y, weft_cook_cross(d, e)}, b = spot->round;
  double part = 1 / sqrt(length2(a));
  spot->round = (weft_cook_vec2){(a.x * b.x - a.y * b.y) * part, (a.x * b.y + a.y * b.x) * part};
  return !(b.y < 0 && spot->round.y >= 0);
}

/* Adds a triangle's angles at its corners inside the hull; false if triangles overlap there. */
static bool go_round(weft_cook_viewer *v, uint32_t triangle, const shape *s) {
  const uint32_t *c = weft_cook_corners(v->cook, triangle);
  for (uint32_t k = 0; k < 3; ++k) {
    weft_cook_spot *spot = s->spots[k];
    if (spot->outside) continue;
    weft_cook_vec2 d = weft_cook_minus(s->at[(k + 1) % 3], spot->at);
    weft_cook_vec2 e = weft_cook_minus(s->at[(k + 2) % 3], spot->at);
    if (v->cook->border[c[k]]) {
      if (spot->turns++ == 0) v->rims[v->rim_count++] = c[k];
      if (!turn_by(spot, d, e)) return false;
    } else if (d.y < 0 && e.y >= 0 && ++spot->turns > 1) {
      return false;
    }
  }
  return true;
}

/* Adds a triangle and queues it; false if the hull cannot be certified because of it. */
static bool take(weft_cook_viewer *v, const weft_cook_plane *plane, uint32_t triangle) {
  const shape s = shape_of(v, plane, triangle);
  if (!is_fit(v, triangle, &s) || !go_round(v, triangle, &s)) return false;
  uint32_t entry = entry_of(v, v->cook->place[triangle] / WEFT_SELF_PATCH);
  if (entry == WEFT_COOK_NONE) return false;
  v->over[v->over_count++] = (weft_cook_over){triangle, entry};
  for (uint32_t k = 0; k < 3; ++k) {
    uint32_t half = v->cook->across[3 * (size_t)triangle + k];
    if (half == WEFT_COOK_NONE || v->seen[half / 3] == v->stamp) continue;
    if (enters(&v->hull, s.spots[k], s.spots[(k + 1) % 3])) wait_for(v, half / 3);
  }
  return true;
}

/* The tangent of the summed excess over half a turn at border particles; INFINITY if it is
 * large. */
static double off_of(const weft_cook_viewer *v) {
  weft_cook_vec2 sum = {1, 0};
  for (uint32_t i = 0; i < v->rim_count; ++i) {
    weft_cook_vec2 a = v->spots[v->rims[i]].round;
    if (a.y >= 0) continue; /* no more than half a turn */
    sum = (weft_cook_vec2){-a.x * sum.x + a.y * sum.y, -a.x * sum.y - a.y * sum.x};
    if (!(a.x < 0 && sum.x > 0 && sum.y <= most_off * sum.x)) return INFINITY;
  }
  return sum.y / sum.x;
}

/* Flood fill from a triangle of the reference across edges that intersect the hull. */
static bool cover(weft_cook_viewer *v, uint32_t reference) {
  const uint32_t *order = v->cook->out->order + WEFT_SELF_PATCH * (size_t)reference;
  v->over_count = v->patch_count = v->waiting_count = v->rim_count = 0;
  wait_for(v, order[0]);
  for (uint32_t i = 0; i < v->waiting_count; ++i) {
    if (!take(v, &v->cook->planes[reference], v->waiting[i])) return false;
  }
  v->off = off_of(v);
  return v->off <= most_off;
}

/* False if a patch may overlap triangles that the flood did not reach. */
static bool has_all(const weft_cook_viewer *v, uint32_t patch) {
  const uint32_t *order = v->cook->out->order + WEFT_SELF_PATCH * (size_t)patch;
  for (uint32_t i = 0; i < WEFT_SELF_PATCH; ++i) {
    if (order[i] != WEFT_COOK_NONE && v->seen[order[i]] != v->stamp) return false;
  }
  return true;
}

/* ---- rotations ---- */

/* The linear map of a triangle's edges from the reference's plane to the plane of its own patch. */
typedef struct change {
  double xx, xy, yx, yy;
} change;

/* The inverse of the rest edges times the projected edges, inverted. */
static change change_of(const weft_cook_viewer *v, uint32_t triangle) {
  const uint32_t *c = weft_cook_corners(v->cook, triangle);
  const vec4 g = v->cook->out->triangles[v->cook->place[triangle]].inverse;
  weft_cook_vec2 d = weft_cook_minus(v->spots[c[1]].at, v->spots[c[0]].at);
  weft_cook_vec2 e = weft_cook_minus(v->spots[c[2]].at, v->spots[c[0]].at);
  double xx = d.x * (double)g.x + e.x * (double)g.y, xy = d.x * (double)g.z + e.x * (double)g.w;
  double yx = d.y * (double)g.x + e.y * (double)g.y, yy = d.y * (double)g.z + e.y * (double)g.w;
  double inverse = 1 / (xx * yy - xy * yx);
  return (change){yy * inverse, -xy * inverse, -yx * inverse, xx * inverse};
}

/* The largest singular value of A Q^T - I. */
static double bend_of(change a, double c, double s) {
  double xx = a.xx * c - a.xy * s - 1, xy = a.xx * s + a.xy * c;
  double yx = a.yx * c - a.yy * s, yy = a.yx * s + a.yy * c - 1;
  double a_part = (xx + yy) * (xx + yy) + (yx - xy) * (yx - xy);
  double b_part = (xx - yy) * (xx - yy) + (yx + xy) * (yx + xy);
  return 0.5 * (sqrt(a_part) + sqrt(b_part));
}

/* The rotation of each entry: the nearest to the maps of all its triangles. */
static void find_turns(const weft_cook_viewer *v, const change *changes, weft_self_hull *entries) {
  double c[WEFT_COOK_HULL_PATCHES] = {0}, s[WEFT_COOK_HULL_PATCHES] = {0};
  for (uint32_t i = 0; i < v->over_count; ++i) {
    c[v->over[i].entry] += changes[i].xx + changes[i].yy;
    s[v->over[i].entry] += changes[i].yx - changes[i].xy;
  }
  for (uint32_t k = 1; k < v->patch_count; ++k) {
    double length = sqrt(c[k] * c[k] + s[k] * s[k]);
    entries[k] = (weft_self_hull){v->patches[k], 1, 0, 0};
    if (!(length > 0)) continue;
    entries[k].turn_c = (float)(c[k] / length);
    entries[k].turn_s = exact_flush((float)(s[k] / length));
  }
}

/* False if an entry deviates too much from its rotation. */
static bool find_bends(const weft_cook_viewer *v, const change *changes, weft_self_hull *entries) {
  double bend[WEFT_COOK_HULL_PATCHES] = {0};
  for (uint32_t i = 0; i < v->over_count; ++i) {
    uint32_t k = v->over[i].entry;
    if (k == 0) continue;
    double own = bend_of(changes[i], (double)entries[k].turn_c, (double)entries[k].turn_s);
    bend[k] = own > bend[k] ? own : bend[k];
    if (!(own <= most_bend)) return false;
  }
  for (uint32_t k = 0; k < v->patch_count; ++k) {
    double all = bend[k] + v->off * (1 + bend[k]);
    if (!(all <= most_bend)) return false;
    entries[k].bend = exact_flush((float)(all * (1 + 1e-6)));
  }
  return true;
}

static bool turn(const weft_cook_viewer *v, weft_self_hull *entries) {
  change changes[WEFT_COOK_HULL_TRIANGLES];
  for (uint32_t i = 0; i < v->over_count; ++i) {
    changes[i] = v->over[i].entry == 0 ? (change){1, 0, 0, 1} : change_of(v, v->over[i].triangle);
  }
  entries[0] = (weft_self_hull){v->patches[0], 1, 0, 0};
  find_turns(v, changes, entries);
  if (!find_bends(v, changes, entries)) return false;
  for (uint32_t k = 2; k < v->patch_count; ++k) {
    weft_self_hull moved = entries[k];
    uint32_t i = k;
    for (; i > 1 && entries[i - 1].of > moved.of; --i) entries[i] = entries[i - 1];
    entries[i] = moved;
  }
  return true;
}

uint32_t weft_cook_hull(weft_cook_viewer *viewer, uint32_t reference, uint32_t other,
                        weft_self_hull entries[WEFT_COOK_HULL_PATCHES]) {
  const weft_cook_plane *planes = viewer->cook->planes;
  if (!planes[reference].sound || !planes[other].sound) return 0;
  if (!find_hull(viewer, reference, other)) return 0;
  ++viewer->stamp;
  if (!cover(viewer, reference)) return 0;
  if (!has_all(viewer, reference) || !has_all(viewer, other)) return 0;
  return turn(viewer, entries) ? viewer->patch_count : 0;
}
