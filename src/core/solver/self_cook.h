/* self_cook.h: tables that self-collision derives from the rest pose: patches of triangles,
 * pairs of neighbouring patches, data of their certificates, and the triangles around each
 * particle. */
#ifndef WEFT_SELF_COOK_H
#define WEFT_SELF_COOK_H

#include <stdbool.h>
#include <stdint.h>

#include "pass.h"
#include "vec3d.h"

typedef struct weft_self_patch weft_self_patch;
typedef struct weft_self_adjacent weft_self_adjacent;
typedef struct weft_self_hull weft_self_hull;
typedef struct weft_self_star weft_self_star;

/* Triangles of cloth first, then those of bodies. Corners are particle indices; particles of
 * bodies follow those of the cloth. */
typedef struct weft_self_surface {
  uint32_t particles, triangles;
  uint32_t cloth_particles, cloth_triangles;
  const weft_vec3d *positions; /* m, at rest */
  const uint32_t *corners;     /* 3 a triangle */
  double floor;                /* m: epsilon, below which rounding counts */
} weft_self_surface;

typedef struct weft_self_cooked {
  uint32_t patches; /* those of bodies come last */
  uint32_t *order;  /* [WEFT_SELF_PATCH a patch] the triangle in a slot; UINT32_MAX: none */
  weft_self_triangle *triangles; /* [WEFT_SELF_PATCH a patch] corners and inverse; of the bits
                                    only EMPTY, BODY and ownership */
  weft_self_patch *patch;        /* [patches] */
  uint32_t *piece;               /* [particles] number of the connected piece of cloth or body */
  weft_self_adjacent *beside;    /* ascending by first, then second */
  weft_self_hull *hulls;
  uint32_t *shared;
  weft_self_star *stars; /* [particles] none of bodies */
  uint32_t *fans;
  uint32_t beside_count, hull_count, shared_count, fan_count;
} weft_self_cooked;

/* Deterministic: equal output for equal input, whatever the number of threads. */
weft_self_cooked weft_self_cook(const weft_self_surface *surface);
void weft_self_cooked_free(weft_self_cooked *cooked);

/* Those that are left with the model (left.h), made where they are of another surface; NULL where
 * none are wanted. To be given back. */
const weft_self_cooked *weft_self_take_kept(const weft_model *model,
                                            const weft_self_surface *surface);
void weft_self_give_kept(const weft_model *model);

#endif
