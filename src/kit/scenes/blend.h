/* blend.h: solids that flow into one another: as a mesh, for bodies of scenes, and as a field,
 * negative inside, near the surface metres. */
#ifndef WEFT_SCENES_BLEND_H
#define WEFT_SCENES_BLEND_H

#include "mesh_internal.h"
#include "vec3d.h"

/* A round solid that tapers: the hull of two balls. */
typedef struct weft_blend_solid {
  weft_vec3 a, b;           /* metres: the middles of the balls; equal ones are a ball */
  float radius_a, radius_b; /* metres */
  float blend;              /* metres: where it is nearer than this to a surface of those before it
                               in its limb, the two flow into one another. Default 0: a crease */
  float flatness;           /* the balls are as much narrower along `flat`: 0.1 to 1. Default 1 */
  weft_vec3 flat;           /* a direction */
  uint32_t limb; /* limbs from 1 on flow into the trunk, 0, by the blend of their first solid; two
                    limbs meet in a crease */
} weft_blend_solid;

/* One closed surface around solids that flow into one another: manifold, its triangles turned
 * outwards and nearly equilateral. It depends on nothing but the descriptor. */
typedef struct weft_blend_desc {
  const weft_blend_solid *solids; /* [solid_count] */
  uint32_t solid_count;           /* 1 to 4096 */
  float edge;                     /* metres: the mean length of edges. What is thinner than twice
                                     as much may be lost */
} weft_blend_desc;
weft_result weft_mesh_blend(const weft_blend_desc *desc, weft_mesh *mesh, weft_error *err);

/* A row of weft_blend_solid, made ready. Space is stretched along `flat` until its sections are
 * round. */
typedef struct weft_field_part {
  weft_vec3d a, axis; /* stretched; unit */
  double length, radius, slope, lean;
  weft_vec3d flat;
  double stretch; /* 1/flatness - 1 */
  double blend;
  weft_vec3d low, high; /* outside of this box it changes nothing that is seen */
} weft_field_part;

/* Parts that flow into one another: the trunk or a limb. */
typedef struct weft_field_limb {
  uint32_t first, end;
  double blend;         /* into the trunk */
  weft_vec3d low, high; /* around the boxes of its parts */
} weft_field_limb;

typedef struct weft_field {
  uint32_t part_count, limb_count;
  weft_field_part *parts; /* limb by limb, in the order of the list */
  weft_field_limb *limbs; /* the trunk first, which may be empty */
} weft_field;

/* It is right where it is below `seen`, m. Freed with weft_field_free. */
void weft_field_make(const weft_blend_solid *solids, uint32_t count, double seen,
                     weft_field *field);
void weft_field_free(weft_field *field);

/* Distance to one solid, exact on its surface, and its gradient there. */
double weft_field_part_at(const weft_field_part *part, weft_vec3d p, weft_vec3d *gradient);

/* What becomes of the distance to all rows before where a row follows; of gradients too unless
 * NULL. The cubic polynomial minimum (Quilez 2013, "Smooth minimum"): second derivatives agree. */
static inline double weft_field_join(double before, double row, double blend,
                                     weft_vec3d *before_gradient, const weft_vec3d *row_gradient) {
  double gap = fabs(before - row), less = before < row ? before : row;
  double h = gap < blend ? (blend - gap) / blend : 0;
  double of_row = row < before ? 1 - h * h / 2 : h * h / 2;
  if (before_gradient) {
    *before_gradient =
        weft_v3d_add_scaled(weft_v3d_scale(*before_gradient, 1 - of_row), of_row, *row_gradient);
  }
  return less - h * h * h * blend / 6;
}

#define WEFT_FIELD_FAR 1e30 /* where no solid is near */
double weft_field_at(const weft_field *field, weft_vec3d p, weft_vec3d *gradient);

/* A closed surface while it is worked on: half-edge h runs from corner[h] to the next corner of its
 * triangle, and twin[h] is the one that runs back. */
typedef struct weft_surface {
  uint32_t vertex_count, triangle_count;
  size_t vertex_capacity, triangle_capacity;
  weft_vec3d *positions; /* [vertex_count] */
  uint32_t *corners;     /* [3*triangle_count]; the first is WEFT_SURFACE_NONE of one that went */
  uint32_t *twins;       /* [3*triangle_count] */
} weft_surface;
#define WEFT_SURFACE_NONE UINT32_MAX

/* Finds twins; false where the surface is not closed, or two triangles run along an edge the same
 * way. */
bool weft_surface_join(weft_surface *surface);

/* Even triangles with edges of about this length, on the surface of the field. */
void weft_surface_even(weft_surface *surface, const weft_field *field, double edge);

#endif
