/* self_cook_hulls.h: what lies over the convex hull of two patches, seen from one of them. */
#ifndef WEFT_SELF_COOK_HULLS_H
#define WEFT_SELF_COOK_HULLS_H

#include "self_cook_internal.h"

enum {
  WEFT_COOK_HULL_PATCHES = 24,
  WEFT_COOK_HULL_TRIANGLES = WEFT_COOK_HULL_PATCHES * WEFT_SELF_PATCH,
  WEFT_COOK_HULL_SIDES = 64,
};

/* A convex polygon; of each side where it begins, its inward normal of length 1 and its offset. */
typedef struct weft_cook_polygon {
  uint32_t count;
  weft_cook_vec2 corner[WEFT_COOK_HULL_SIDES], normal[WEFT_COOK_HULL_SIDES];
  double offset[WEFT_COOK_HULL_SIDES];
  weft_cook_vec2 middle;
  double inner2;    /* m^2: nearer to the middle by the root of this is inside */
  double tolerance; /* m: what is inside by less is outside */
} weft_cook_polygon;

/* A particle in the reference's plane, and the sides that it is not inside of. */
typedef struct weft_cook_spot {
  weft_cook_vec2 at;
  uint64_t outside;
  weft_cook_vec2 round; /* how far its triangles over the hull go round, at a border */
  uint32_t turns;       /* how often, elsewhere */
  uint32_t stamp;
} weft_cook_spot;

typedef struct weft_cook_over {
  uint32_t triangle, entry;
} weft_cook_over;

/* What one thread looks with. */
typedef struct weft_cook_viewer {
  const weft_cook *cook;
  const double *area2; /* [cloth triangles] at rest */
  uint32_t stamp;
  weft_cook_spot *spots; /* [cloth particles] */
  uint32_t *seen;        /* [cloth triangles] */
  weft_cook_polygon hull;
  double off; /* the most that a way may run off its direction, for borders inside the hull */
  weft_cook_over over[WEFT_COOK_HULL_TRIANGLES];
  uint32_t over_count;
  uint32_t patches[WEFT_COOK_HULL_PATCHES]; /* of entries: the reference comes first */
  uint32_t patch_count;
  uint32_t waiting[3 * WEFT_COOK_HULL_TRIANGLES + WEFT_SELF_PATCH];
  uint32_t waiting_count;
  uint32_t rims[3 * WEFT_COOK_HULL_TRIANGLES]; /* particles at borders, inside the hull */
  uint32_t rim_count;
} weft_cook_viewer;

weft_cook_viewer *weft_cook_viewer_create(const weft_cook *cook, const double *area2);
void weft_cook_viewer_free(weft_cook_viewer *viewer);

/* Writes entries of patches over the hull of `reference` and `other`, the reference first and the
 * others ascending; returns how many, 0 where they prove nothing. */
uint32_t weft_cook_hull(weft_cook_viewer *viewer, uint32_t reference, uint32_t other,
                        weft_self_hull entries[WEFT_COOK_HULL_PATCHES]);

/* False where there are fewer than three sides, or too many. */
bool weft_cook_polygon_around(weft_cook_vec2 *points, uint32_t count, double extent,
                              weft_cook_polygon *polygon);

#endif
