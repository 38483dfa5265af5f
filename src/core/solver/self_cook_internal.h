/* self_cook_internal.h: what the files of self_cook share. */
#ifndef WEFT_SELF_COOK_INTERNAL_H
#define WEFT_SELF_COOK_INTERNAL_H

#include <shared/weft_shared.h>

#include "base.h"
#include "self_cook.h"

#define WEFT_COOK_NONE UINT32_MAX

typedef struct weft_cook_vec2 {
  double x, y;
} weft_cook_vec2;

/* The plane of a patch of cloth. */
typedef struct weft_cook_plane {
  weft_vec3d origin, u, v;
  weft_vec3d low, high; /* box at rest */
  double extent;        /* m: diagonal of its box in the plane */
  bool sound;           /* may be a reference and be part of hulls */
} weft_cook_plane;

typedef struct weft_cook {
  const weft_self_surface *surface;
  weft_self_cooked *out;
  uint32_t *across; /* [3 triangles] 3 * triangle + edge on the other side; NONE at a border */
  bool *border;     /* [particles] at a border edge */
  uint32_t *place;  /* [triangles] */
  uint32_t cloth_patches;
  weft_cook_plane *planes; /* [cloth_patches] */
  uint32_t *corner_first;  /* [particles + 1] */
  uint32_t *corners_at;    /* 4 * slot + corner, ascending, of each particle */
  uint32_t *members_first; /* [cloth_patches + 1] */
  uint32_t *members;       /* particles of a patch, ascending */
} weft_cook;

/* Items to be ordered by recursive halving of their boxes. */
typedef struct weft_cook_item {
  double at[6]; /* position; then normal, times a length */
  uint32_t id;
} weft_cook_item;

/* Sorts items so that every aligned run of 8, 64, 512 is compact in space. */
void weft_cook_halve(weft_cook_item *items, size_t count);

/* Fills patches and order of `out`, slots and cloth_patches. */
void weft_cook_patches(weft_cook *cook);
/* Fills planes, patches, and inverses of triangles whose corners are set. */
void weft_cook_planes(weft_cook *cook);
void weft_cook_stars(weft_cook *cook);
/* Fills beside, hulls, shared. */
void weft_cook_beside(weft_cook *cook);

static inline const uint32_t *weft_cook_corners(const weft_cook *cook, uint32_t triangle) {
  return &cook->surface->corners[3 * (size_t)triangle];
}

static inline weft_vec3d weft_cook_corner(const weft_cook *cook, uint32_t triangle, uint32_t k) {
  return cook->surface->positions[weft_cook_corners(cook, triangle)[k]];
}

static inline weft_cook_vec2 weft_cook_project(const weft_cook_plane *plane, weft_vec3d p) {
  weft_vec3d d = weft_v3d_sub(p, plane->origin);
  return (weft_cook_vec2){weft_v3d_dot(plane->u, d), weft_v3d_dot(plane->v, d)};
}

static inline double weft_cook_cross(weft_cook_vec2 a, weft_cook_vec2 b) {
  return a.x * b.y - a.y * b.x;
}

static inline weft_cook_vec2 weft_cook_minus(weft_cook_vec2 a, weft_cook_vec2 b) {
  return (weft_cook_vec2){a.x - b.x, a.y - b.y};
}

/* Twice the area of a triangle at rest. */
static inline double weft_cook_area2(const weft_cook *cook, uint32_t triangle) {
  weft_vec3d a = weft_cook_corner(cook, triangle, 0);
  return weft_v3d_length(weft_v3d_cross(weft_v3d_sub(weft_cook_corner(cook, triangle, 1), a),
                                        weft_v3d_sub(weft_cook_corner(cook, triangle, 2), a)));
}

#endif
