/* gradient_case.h: what gradients.c needs to know of a kind of constraint. */
#ifndef WEFT_PHYSICS_GRADIENT_CASE_H
#define WEFT_PHYSICS_GRADIENT_CASE_H

#include "backend.h"
#include "base.h"
#include "vec3d.h"

enum { WEFT_STENCIL_PARTICLES = 4, WEFT_STENCIL_SCALARS = 256 };

/* A constraint alone in the world, in a pose that it wants to correct. */
typedef struct weft_stencil {
  weft_vec3d x[WEFT_STENCIL_PARTICLES];
  double w[WEFT_STENCIL_PARTICLES]; /* 1/kg, all different; 0 for a particle that holds still */
  double data[8];                   /* rest values; turning does not change them */
  weft_vec3d points[4];             /* of the world: shapes */
  weft_vec3d directions[4];
} weft_stencil;

/* Elements of a buffer as numbers, one for each scalar, whatever its type. */
typedef struct weft_element {
  weft_buffer_id buffer;
  uint32_t count; /* elements */
  double scalars[WEFT_STENCIL_SCALARS];
} weft_element;

/* Where a member's scalars begin. */
#define WEFT_AT(structure, member) (offsetof(structure, member) / 4)

typedef struct weft_gradient_case {
  const char *name;
  weft_pass_kind pass;
  uint32_t count;       /* of the pass: 1 constraint, or its particles */
  uint32_t sense;       /* of the pass */
  weft_buffer_id moves; /* where the pass leaves its corrections: X itself, or a buffer of them */
  uint32_t arity;       /* particles */
  bool outside;         /* something else takes up force and torque */
  double edge;          /* m: the step of differences is a part of this */
  void (*pose)(weft_rng *rng, weft_stencil *s);
  double (*value)(const weft_stencil *s, const weft_vec3d *x); /* C */
  /* The contents of the pass besides x and x_prev; returns how many. Uniforms are set up for one
   * collider. */
  uint32_t (*contents)(const weft_stencil *s, weft_element *elements, weft_uniforms *uniforms);
} weft_gradient_case;

enum { WEFT_STENCIL_BUFFERS = 6 };

extern const weft_gradient_case weft_gradient_cases[];
extern const uint32_t weft_gradient_case_count;

#endif
