/* inset.h: closed bodies made smaller, until cloth that starts partly inside of them is outside and
 * none of its triangles meets one of theirs.
 *
 * A vertex goes towards the middle of its body (middle.h), by a part of the way that is its own:
 * more where cloth is inside, as little as does elsewhere. So limbs become thin and stay limbs. */
#ifndef WEFT_PREPARE_INSET_H
#define WEFT_PREPARE_INSET_H

#include <weft/body.h>

#include "adjacency.h"
#include "intersections.h"
#include "shells.h"
#include "vec3d.h"

/* One body and how it is eroded. */
typedef struct weft_eroded {
  const weft_mesh *mesh; /* its true shape */
  uint32_t *welded;      /* [vertex_count] vertices at equal positions are one: the first of them */
  uint32_t *triangles;   /* of these */
  weft_edges edges;
  weft_shells *shells;
  weft_vec3d *ways;  /* [vertex_count] m, to the middle */
  double *parts;     /* [vertex_count] of the way that it is eroded by, 0 to 0.95 */
  weft_vec3d *aside; /* [vertex_count] m, by which it is moved besides */
} weft_eroded;

/* WEFT_ERROR_MESH for a body that is not closed or has no inside, by this name. */
weft_result weft_eroded_begin(const weft_mesh *mesh, const char *name, weft_eroded *body,
                              weft_error *err);
void weft_eroded_end(weft_eroded *body);

/* Its vertices: grown 0 is eroded, 1 its true shape bit for bit. */
void weft_eroded_at(const weft_eroded *body, double grown, weft_vec3 *positions);

/* Cloth beside bodies: its triangles first, bodies' behind them. */
typedef struct weft_fit_cloth {
  const weft_vec3 *positions; /* [particle_count] */
  const uint32_t *triangles;  /* [3*triangle_count] */
  uint32_t particle_count, triangle_count;
  const bool *rides; /* [particle_count] attached ones, of whom nobody asks; NULL: none */
} weft_fit_cloth;

/* How cloth and bodies lie to each other. */
typedef struct weft_fit_look {
  weft_intersections own, with_bodies;
  uint32_t inside; /* particles inside of any body */
} weft_fit_look;
/* marks is [triangles of cloth and bodies] as in intersections.h, or NULL; inside is [count], how
 * many particles are inside of each body, or NULL. `shapes` are positions of all bodies' vertices,
 * one body after the other. */
void weft_fit_look_at(const weft_fit_cloth *cloth, const weft_eroded *bodies, uint32_t count,
                      const weft_vec3 *shapes, uint8_t *marks, uint32_t *inside,
                      weft_fit_look *look);

/* Erodes all bodies as far as the cloth needs it. False where even bodies of almost no thickness
 * meet it: *look is then what is left. */
bool weft_inset(const weft_fit_cloth *cloth, weft_eroded *bodies, uint32_t count,
                weft_fit_look *look);

#endif
