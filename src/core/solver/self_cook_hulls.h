/* self_cook_hulls.h: the triangles over the convex hull of two patches, projected onto the plane
 * of one of them. */
#ifndef WEFT_SELF_COOK_HULLS_H
#define WEFT_SELF_COOK_HULLS_H

#include "self_cook_internal.h"

enum {
  WEFT_COOK_HULL_PATCHES = 24,
  WEFT_COOK_HULL_TRIANGLES = WEFT_COOK_HULL_PATCHES * WEFT_SELF_PATCH,
  WEFT_COOK_HULL_SIDES = 64,
};

/* A convex polygon; of each side its first point, its inward unit normal and its offset. */
typedef struct weft_cook_polygon {
  uint32_t count;
  weft_cook_vec2 corner[WEFT_COOK_HULL_SIDES], normal[WEFT_COOK_HULL_SIDES];
  double offset[WEFT_COOK_HULL_SIDES];
  weft_cook_vec2 middle;
  double inner2;    /* m^2: squared radius of a disc about the middle that is inside */
  double tolerance; /* m: points inside by less count as outside */
} weft_cook_polygon;

/* A projected particle, and the sides that it is outside of. */
typedef struct weft_cook_spot {
  weft_cook_vec2 at;
  uint64_t outside;
  weft_cook_vec2 round; /* at a border: angle of its triangles over the hull */
  uint32_t turns;       /* elsewhere: winding number */
  uint32_t stamp;
} weft_cook_spot;

typedef struct weft_cook_over {
  uint32_t triangle, entry;
} weft_cook_over;

/* Working memory of one thread. */
typedef struct weft_cook_viewer {
  const weft_cook *cook;
  const double *area2; /* [cloth triangles] at rest */
  uint32_t stamp;
  weft_cook_spot *spots; /* [cloth particles] */
  uint32_t *seen;        /* [cloth triangles] */
  weft_cook_polygon hull;
  double off; /* largest deviation of a path from its direction, because of borders inside the
                 hull */
  weft_cook_over over[WEFT_COOK_HULL_TRIANGLES];
  uint32_t over_count;
  uint32_t patches[WEFT_COOK_HULL_PATCHES]; /* of entries; the reference comes first */
  uint32_t patch_count;
  uint32_t waiting[3 * WEFT_COOK_HULL_TRIANGLES + WEFT_SELF_PATCH];
  uint32_t waiting_count;
  uint32_t rims[3 * WEFT_COOK_HULL_TRIANGLES]; /* border particles inside the hull */
  uint32_t rim_count;
} weft_cook_viewer;

weft_cook_viewer *weft_cook_viewer_create(const weft_cook *cook, const double *area2);
void weft_cook_viewer_free(weft_cook_viewer *viewer);

/* Writes entries of the patches over the hull of `reference` and `other`, the reference first
 * and the others ascending; returns how many, 0 if nothing can be certified. */
uint32_t weft_cook_hull(weft_cook_viewer *viewer, uint32_t reference, uint32_t other,
                        weft_self_hull entries[WEFT_COOK_HULL_PATCHES]);

/* False if the polygon has fewer than three sides, or too many. */
bool weft_cook_polygon_around(weft_cook_vec2 *points, uint32_t count, double extent,
                              weft_cook_polygon *polygon);

#endif
