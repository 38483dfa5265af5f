/* Triangulates polygons: a fan where that covers them, ear clipping (Meisters 1975) in the plane
 * of Newell's normal where they are concave or have collinear corners. */
#include "polygon.h"

#include "vec3d.h"

void weft_cutter_start(weft_cutter *cutter) {
  *cutter = (weft_cutter){.budget = UINT64_C(200000000)};
}

void weft_cutter_free(weft_cutter *cutter) {
  weft_free(cutter->plane);
  weft_free(cutter->next);
  weft_free(cutter->prior);
  *cutter = (weft_cutter){0};
}

static void reserve(weft_cutter *cutter, uint32_t count) {
  if (count <= cutter->space) return;
  size_t space = 2 * (size_t)count;
  cutter->plane = weft_realloc(cutter->plane, 2 * space, sizeof *cutter->plane);
  cutter->next = weft_realloc(cutter->next, space, sizeof *cutter->next);
  cutter->prior = weft_realloc(cutter->prior, space, sizeof *cutter->prior);
  cutter->space = space;
}

static weft_vec3d from_first(const weft_vec3 *positions, const uint32_t *corners, uint32_t i) {
  return weft_v3d_sub(weft_v3d_from(positions[corners[i]]), weft_v3d_from(positions[corners[0]]));
}

weft_vec3d weft_polygon_normal(const weft_vec3 *positions, const uint32_t *corners,
                               uint32_t count) {
  weft_vec3d sum = {0, 0, 0};
  for (uint32_t i = 1; i + 1 < count; ++i) {
    weft_vec3d u = from_first(positions, corners, i), v = from_first(positions, corners, i + 1);
    sum = weft_v3d_add(sum, weft_v3d_cross(u, v));
  }
  return sum;
}

/* Corners in two axes of the plane, so that the polygon turns counter-clockwise; the longest
 * component of the normal says which coordinate to leave out. Returns twice the area. */
static double project(weft_cutter *cutter, const weft_vec3 *positions, const uint32_t *corners,
                      uint32_t count) {
  weft_vec3d normal = weft_polygon_normal(positions, corners, count);
  const double n[3] = {normal.x, normal.y, normal.z};
  int out = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) >= fabs(n[out])) out = 2;
  bool mirrored = n[out] < 0;
  for (uint32_t i = 0; i < count; ++i) {
    weft_vec3d at = from_first(positions, corners, i);
    const double c[3] = {at.x, at.y, at.z};
    double u = c[(out + 1) % 3], v = c[(out + 2) % 3];
    cutter->plane[2 * (size_t)i] = mirrored ? v : u;
    cutter->plane[2 * (size_t)i + 1] = mirrored ? u : v;
  }
  return fabs(n[out]);
}

/* Twice the signed area of three corners. */
static double turn(const weft_cutter *cutter, uint32_t a, uint32_t b, uint32_t c) {
  const double *p = cutter->plane + 2 * (size_t)a, *q = cutter->plane + 2 * (size_t)b,
               *r = cutter->plane + 2 * (size_t)c;
  return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static bool fan_covers(const weft_cutter *cutter, uint32_t count, double min) {
  for (uint32_t i = 1; i + 1 < count; ++i) {
    if (!(turn(cutter, 0, i, i + 1) > min)) return false;
  }
  return true;
}

static uint32_t *put(uint32_t *out, const uint32_t *corners, uint32_t a, uint32_t b, uint32_t c) {
  out[0] = corners[a], out[1] = corners[b], out[2] = corners[c];
  return out + 3;
}

static void cut_fan(const uint32_t *corners, uint32_t count, uint32_t *out) {
  for (uint32_t i = 1; i + 1 < count; ++i) out = put(out, corners, 0, i, i + 1);
}

/* A corner is an ear if its triangle turns left and contains no other corner. Corners that
 * coincide with one of the three (a hole joined by a bridge) do not count. */
static bool is_ear(weft_cutter *cutter, const uint32_t *corners, uint32_t tip, double min) {
  uint32_t a = cutter->prior[tip], c = cutter->next[tip];
  if (!(turn(cutter, a, tip, c) > min)) return false;
  for (uint32_t i = cutter->next[c]; i != a && cutter->budget > 0; i = cutter->next[i]) {
    --cutter->budget;
    if (corners[i] == corners[a] || corners[i] == corners[tip] || corners[i] == corners[c])
      continue;
    if (turn(cutter, a, tip, i) >= 0 && turn(cutter, tip, c, i) >= 0 &&
        turn(cutter, c, a, i) >= 0) {
      return false;
    }
  }
  return true;
}

/* Searches the ring once for an ear with area, else takes the current corner. */
static uint32_t find_ear(weft_cutter *cutter, const uint32_t *corners, uint32_t from, uint32_t left,
                         double min) {
  uint32_t tip = from;
  for (uint32_t i = 0; i < left && cutter->budget > 0; ++i, tip = cutter->next[tip]) {
    --cutter->budget;
    if (is_ear(cutter, corners, tip, min)) return tip;
  }
  return from;
}

static void clip_ears(weft_cutter *cutter, const uint32_t *corners, uint32_t count, double min,
                      uint32_t *out) {
  for (uint32_t i = 0; i < count; ++i) {
    cutter->next[i] = i + 1 == count ? 0 : i + 1;
    cutter->prior[i] = i == 0 ? count - 1 : i - 1;
  }
  uint32_t at = 1;
  for (uint32_t left = count; left >= 3; --left) {
    uint32_t tip = find_ear(cutter, corners, at, left, min);
    uint32_t a = cutter->prior[tip], c = cutter->next[tip];
    out = put(out, corners, a, tip, c);
    cutter->next[a] = c;
    cutter->prior[c] = a;
    at = cutter->next[c]; /* skips a corner between ears: fewer slivers than a fan */
  }
}

void weft_polygon_cut(weft_cutter *cutter, const weft_vec3 *positions, const uint32_t *corners,
                      uint32_t count, uint32_t *out) {
  if (count == 3) {
    put(out, corners, 0, 1, 2);
    return;
  }
  reserve(cutter, count);
  double area = project(cutter, positions, corners, count);
  double min = 1e-9 * area;
  if (!(area > 0) || cutter->budget == 0 || fan_covers(cutter, count, min)) {
    cut_fan(corners, count, out);
  } else {
    clip_ears(cutter, corners, count, min, out);
  }
}
