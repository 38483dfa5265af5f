/* figure_shape.c: the shape of the figure. Lengths are those of a woman of 1.70 m (Drillis and
 * Contini 1966, "Body segment parameters"): knees at 0.285 of the stature, hip joints at 0.52,
 * shoulders at 0.81, chin at 0.87; girths those of a dress form of size 38. */
#include <math.h>

#include "base.h"
#include "blend.h"
#include "figure_internal.h"

/* A tapered capsule of the body. One that begins where the row before it ends goes on from there in
 * a smooth curve. */
typedef struct segment {
  weft_bone bone;
  bool paired; /* there is a right one too, mirrored */
  weft_vec3 a, b;
  float radius_a, radius_b;
  float blend;    /* of the first of a curve */
  float flatness; /* 0: round */
  weft_vec3 flat;
} segment;

#define DEEP \
  { 0, 0, 1 }
#define WIDE \
  { 1, 0, 0 }
#define HIGH \
  { 0, 1, 0 }

/* clang-format off */
static const segment segments[] = {
    /* trunk */
    {WEFT_BONE_CHEST, false, {0, 1.085f, 0.002f}, {0, 1.230f, -0.004f}, 0.108f, 0.128f, 0, 0.76f, DEEP}, /* ribs */
    {WEFT_BONE_PELVIS, false, {0, 1.075f, 0.002f}, {0, 0.960f, 0.004f}, 0.108f, 0.132f, 0.02f, 0.74f, DEEP}, /* belly */
    {WEFT_BONE_PELVIS, false, {-0.070f, 0.885f, -0.004f}, {0.070f, 0.885f, -0.004f}, 0.093f, 0.093f, 0.09f, 0.96f, DEEP}, /* hips */
    {WEFT_BONE_PELVIS, true, {0.066f, 0.890f, -0.048f}, {0.066f, 0.865f, -0.046f}, 0.078f, 0.074f, 0.05f, 0, DEEP}, /* seat */
    {WEFT_BONE_PELVIS, false, {0, 0.860f, -0.010f}, {0, 0.842f, -0.006f}, 0.050f, 0.034f, 0.02f, 0, DEEP}, /* crotch */
    {WEFT_BONE_CHEST, false, {-0.068f, 1.310f, -0.014f}, {0.068f, 1.310f, -0.014f}, 0.085f, 0.085f, 0.08f, 0.96f, DEEP}, /* chest */
    {WEFT_BONE_CHEST, true, {0.058f, 1.310f, 0.022f}, {0.069f, 1.240f, 0.056f}, 0.050f, 0.059f, 0.035f, 0, DEEP}, /* bust */
    {WEFT_BONE_CHEST, true, {0.045f, 1.388f, -0.021f}, {0.152f, 1.372f, -0.024f}, 0.049f, 0.046f, 0.06f, 0, DEEP}, /* shoulder */
    {WEFT_BONE_CHEST, true, {0, 1.462f, -0.016f}, {0.110f, 1.402f, -0.026f}, 0.036f, 0.032f, 0.05f, 0, DEEP}, /* nape */
    {WEFT_BONE_CHEST, false, {0, 1.390f, -0.020f}, {0, 1.510f, 0.004f}, 0.050f, 0.044f, 0.04f, 0, DEEP}, /* neck */
    {WEFT_BONE_CHEST, false, {0, 1.608f, -0.016f}, {0, 1.605f, 0.016f}, 0.089f, 0.086f, 0.03f, 0.82f, WIDE}, /* skull */
    {WEFT_BONE_CHEST, false, {0, 1.590f, 0.038f}, {0, 1.510f, 0.052f}, 0.064f, 0.032f, 0.05f, 0.86f, WIDE}, /* face */
    /* legs */
    {WEFT_BONE_THIGH, true, {0.084f, 0.865f, 0}, {0.083f, 0.750f, 0.006f}, 0.082f, 0.077f, 0.06f, 0, DEEP},
    {WEFT_BONE_THIGH, true, {0.083f, 0.750f, 0.006f}, {0.080f, 0.600f, 0.009f}, 0.077f, 0.060f, 0, 0, DEEP},
    {WEFT_BONE_THIGH, true, {0.080f, 0.600f, 0.009f}, {0.079f, 0.490f, 0.006f}, 0.060f, 0.048f, 0, 0, DEEP},
    {WEFT_BONE_SHIN, true, {0.079f, 0.490f, 0.006f}, {0.078f, 0.435f, 0}, 0.048f, 0.0445f, 0, 0, DEEP}, /* knee */
    {WEFT_BONE_SHIN, true, {0.078f, 0.435f, 0}, {0.078f, 0.350f, -0.014f}, 0.0445f, 0.048f, 0, 0, DEEP}, /* calf */
    {WEFT_BONE_SHIN, true, {0.078f, 0.350f, -0.014f}, {0.077f, 0.210f, -0.021f}, 0.048f, 0.033f, 0, 0, DEEP},
    {WEFT_BONE_SHIN, true, {0.077f, 0.210f, -0.021f}, {0.077f, 0.105f, -0.024f}, 0.033f, 0.027f, 0, 0, DEEP},
    {WEFT_BONE_FOOT, true, {0.077f, 0.105f, -0.024f}, {0.077f, 0.045f, -0.031f}, 0.027f, 0.034f, 0, 0, DEEP}, /* heel */
    {WEFT_BONE_FOOT, true, {0.077f, 0.092f, -0.014f}, {0.087f, 0.038f, 0.085f}, 0.028f, 0.026f, 0.03f, 0, DEEP}, /* instep */
    {WEFT_BONE_FOOT, true, {0.077f, 0.023f, -0.036f}, {0.089f, 0.023f, 0.085f}, 0.026f, 0.0345f, 0.02f, 0.55f, HIGH}, /* sole */
    {WEFT_BONE_FOOT, true, {0.089f, 0.023f, 0.085f}, {0.090f, 0.017f, 0.145f}, 0.0345f, 0.023f, 0, 0.55f, HIGH}, /* toes */
    /* arms */
    {WEFT_BONE_ARM, true, {0.164f, 1.366f, -0.024f}, {0.193f, 1.305f, -0.024f}, 0.047f, 0.044f, 0.04f, 0, DEEP},
    {WEFT_BONE_ARM, true, {0.193f, 1.305f, -0.024f}, {0.240f, 1.205f, -0.024f}, 0.044f, 0.038f, 0, 0, DEEP},
    {WEFT_BONE_ARM, true, {0.240f, 1.205f, -0.024f}, {0.290f, 1.100f, -0.022f}, 0.038f, 0.033f, 0, 0, DEEP},
    {WEFT_BONE_FOREARM, true, {0.290f, 1.100f, -0.022f}, {0.314f, 1.045f, -0.014f}, 0.033f, 0.034f, 0, 0, DEEP},
    {WEFT_BONE_FOREARM, true, {0.314f, 1.045f, -0.014f}, {0.378f, 0.885f, 0.022f}, 0.034f, 0.0225f, 0, 0, DEEP},
    {WEFT_BONE_FOREARM, true, {0.381f, 0.878f, 0.024f}, {0.405f, 0.800f, 0.042f}, 0.025f, 0.0365f, 0.02f, 0.50f, {0.93f, 0.3f, 0}}, /* palm */
    {WEFT_BONE_FOREARM, true, {0.405f, 0.800f, 0.042f}, {0.411f, 0.735f, 0.058f}, 0.0365f, 0.029f, 0, 0.44f, {0.98f, 0.12f, 0}}, /* fingers */
    {WEFT_BONE_FOREARM, true, {0.411f, 0.735f, 0.058f}, {0.406f, 0.711f, 0.064f}, 0.029f, 0.0165f, 0, 0.44f, {0.98f, -0.12f, 0}},
    {WEFT_BONE_FOREARM, true, {0.388f, 0.855f, 0.036f}, {0.392f, 0.805f, 0.078f}, 0.016f, 0.013f, 0.015f, 0, DEEP}, /* thumb */
    {WEFT_BONE_FOREARM, true, {0.392f, 0.805f, 0.078f}, {0.392f, 0.772f, 0.088f}, 0.013f, 0.010f, 0, 0, DEEP},
};

/* Of the left one; a right one is mirrored. */
const weft_joint weft_joints[WEFT_BONE_COUNT / 2 + 1] = {
    {WEFT_BONE_PELVIS, WEFT_BONE_PELVIS, {0, 0.95f, 0}},
    {WEFT_BONE_CHEST, WEFT_BONE_PELVIS, {0, 1.06f, -0.01f}},
    {WEFT_BONE_THIGH, WEFT_BONE_PELVIS, {0.084f, 0.885f, -0.004f}},
    {WEFT_BONE_SHIN, WEFT_BONE_THIGH, {0.079f, 0.478f, 0.004f}},
    {WEFT_BONE_FOOT, WEFT_BONE_SHIN, {0.077f, 0.085f, -0.024f}},
    {WEFT_BONE_ARM, WEFT_BONE_CHEST, {0.164f, 1.366f, -0.024f}},
    {WEFT_BONE_FOREARM, WEFT_BONE_ARM, {0.295f, 1.088f, -0.021f}},
};
/* clang-format on */

enum { SEGMENTS = sizeof segments / sizeof segments[0], PIECES = 4, MAX_SOLIDS = 8 * SEGMENTS };
static const float edge = 0.0115f; /* of a triangle, m */

/* ---- solids ---- */

static weft_vec3 mirrored(weft_vec3 p, bool right) { return right ? weft_v3(-p.x, p.y, p.z) : p; }

static uint32_t limb_of(weft_bone bone, bool right) {
  return bone < WEFT_BONE_THIGH ? 0u : (bone < WEFT_BONE_ARM ? 1u : 3u) + right;
}

typedef struct station {
  double v[4]; /* place and radius */
} station;

static station station_of(weft_vec3 p, float radius) {
  return (station){{(double)p.x, (double)p.y, (double)p.z, (double)radius}};
}

static double between(const station *p, const station *q) {
  double square = 1e-12;
  for (int k = 0; k < 3; ++k) square += (q->v[k] - p->v[k]) * (q->v[k] - p->v[k]);
  return sqrt(square);
}

/* From p[1] to p[2] on the curve through all four (Overhauser 1968, for uneven distances). */
static station on_curve(const station *p, double t) {
  double before = between(&p[0], &p[1]), here = between(&p[1], &p[2]);
  double after = between(&p[2], &p[3]), t2 = t * t, t3 = t2 * t;
  station out;
  for (int k = 0; k < 4; ++k) {
    double d0 = (p[1].v[k] - p[0].v[k]) / before, d1 = (p[2].v[k] - p[1].v[k]) / here;
    double d2 = (p[3].v[k] - p[2].v[k]) / after;
    double from = (d0 * here + d1 * before) / (before + here) * here;
    double to = (d1 * after + d2 * here) / (here + after) * here;
    out.v[k] = (2 * t3 - 3 * t2 + 1) * p[1].v[k] + (t3 - 2 * t2 + t) * from +
               (3 * t2 - 2 * t3) * p[2].v[k] + (t3 - t2) * to;
  }
  return out;
}

static bool goes_on(uint32_t k) { /* the row k from the one before it */
  if (k == 0 || k >= SEGMENTS) return false;
  weft_vec3 a = segments[k].a, b = segments[k - 1].b;
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static station past(const station *p, const station *q) { /* as far beyond q as p is before it */
  station out;
  for (int k = 0; k < 4; ++k) out.v[k] = 2 * q->v[k] - p->v[k];
  return out;
}

static uint32_t add_segment(uint32_t k, bool right, weft_blend_solid *solids, uint32_t count) {
  const segment *s = &segments[k];
  bool curved = goes_on(k) || goes_on(k + 1);
  station p[4] = {{{0}}, station_of(s->a, s->radius_a), station_of(s->b, s->radius_b), {{0}}};
  p[0] = goes_on(k) ? station_of(s[-1].a, s[-1].radius_a) : past(&p[2], &p[1]);
  p[3] = goes_on(k + 1) ? station_of(s[1].b, s[1].radius_b) : past(&p[1], &p[2]);
  station last = p[1];
  for (int piece = 1, pieces = curved ? PIECES : 1; piece <= pieces; ++piece) {
    station now = on_curve(p, (double)piece / pieces);
    const double *a = last.v, *b = now.v;
    bool first = piece == 1 && !goes_on(k);
    solids[count++] = (weft_blend_solid){
        .a = mirrored(weft_v3((float)a[0], (float)a[1], (float)a[2]), right),
        .b = mirrored(weft_v3((float)b[0], (float)b[1], (float)b[2]), right),
        .radius_a = (float)a[3],
        .radius_b = (float)b[3],
        .blend = first ? s->blend : 0,
        .flatness = s->flatness,
        .flat = mirrored(s->flat, right),
        .limb = limb_of(s->bone, right),
    };
    last = now;
  }
  return count;
}

weft_result weft_figure_shape(weft_mesh *mesh, weft_error *err) {
  weft_blend_solid *solids = weft_alloc(MAX_SOLIDS, sizeof *solids);
  uint32_t count = 0;
  for (uint32_t k = 0; k < SEGMENTS; ++k) {
    for (int right = 0; right <= segments[k].paired; ++right) {
      count = add_segment(k, right, solids, count);
    }
  }
  const weft_blend_desc desc = {.solids = solids, .solid_count = count, .edge = edge};
  weft_result result = weft_mesh_blend(&desc, mesh, err);
  weft_free(solids);
  return result;
}

/* ---- distances ---- */

static double away_from(const segment *s, weft_vec3d p) {
  weft_vec3d a = weft_v3d_from(s->a), along = weft_v3d_sub(weft_v3d_from(s->b), a);
  double length = weft_v3d_dot(along, along), t = 0;
  if (length > 0) t = fmin(fmax(weft_v3d_dot(weft_v3d_sub(p, a), along) / length, 0), 1);
  double radius = (1 - t) * (double)s->radius_a + t * (double)s->radius_b;
  return weft_v3d_distance(p, weft_v3d_add_scaled(a, t, along)) - radius;
}

void weft_figure_distances(weft_vec3 vertex, double *away) {
  weft_vec3d left = weft_v3d_from(vertex), right = left;
  right.x = -right.x;
  for (int b = 0; b < WEFT_BONE_COUNT; ++b) away[b] = 1e30;
  for (uint32_t k = 0; k < SEGMENTS; ++k) {
    const segment *s = &segments[k];
    bool has_right = s->bone >= WEFT_BONE_THIGH;
    double here = away_from(s, left), there = away_from(s, right);
    if (s->paired && !has_right) here = fmin(here, there);
    away[s->bone] = fmin(away[s->bone], here);
    if (has_right) away[s->bone + 1] = fmin(away[s->bone + 1], there);
  }
}
