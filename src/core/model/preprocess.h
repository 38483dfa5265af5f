/* preprocess.h: the stages of preprocessing, inside the model room. */
#ifndef WEFT_MODEL_PREPROCESS_H
#define WEFT_MODEL_PREPROCESS_H

#include "adjacency.h"
#include "intersections.h"
#include "model.h"

/* Most edges at a vertex of a cloth: each of them takes a colour, and each colour is a batch. */
enum { WEFT_MAX_VALENCE = 4096 };

/* Range of particle masses, kg, in which squares of masses and inverse masses are floats. */
#define WEFT_MIN_MASS 1e-18f
#define WEFT_MAX_MASS 1e18f

/* Constraints while they are collected, in natural order. */
typedef struct weft_raw_group {
  weft_constraint_group group; /* arrays of `capacity` constraints; colour fields unset */
  uint32_t capacity;
  uint8_t *keys; /* [capacity] visit classes on grids, else NULL */
  bool simple_graph;
} weft_raw_group;

/* Which hinges a bending group contains: those that lie flat at rest, those that do not, or
 * both. */
typedef enum weft_hinges { WEFT_HINGES_ALL = 0, WEFT_HINGES_FLAT, WEFT_HINGES_FOLDED } weft_hinges;

/* The groups that resist bending: none, one, or two for mixed bending. */
typedef struct weft_bending_part {
  weft_bending bending; /* not mixed */
  weft_hinges hinges;
} weft_bending_part;
uint32_t weft_bending_parts(weft_bending bending, weft_bending_part parts[2]);

/* Input of the collecting functions. */
typedef struct weft_preprocess_input {
  const weft_mesh *mesh;
  const weft_material *material;
  const weft_edges *edges;
  const double *areas;  /* [triangle_count] m^2 */
  weft_bending bending; /* of the group being collected, so not mixed */
  weft_hinges hinges;
} weft_preprocess_input;

/* Each fills a group, empty if the material has no such stiffness. */
weft_result weft_collect_stretch(const weft_preprocess_input *in, bool shear_follows,
                                 weft_raw_group *raw, weft_error *err);
weft_result weft_collect_shear(const weft_preprocess_input *in, weft_raw_group *raw,
                               weft_error *err);
weft_result weft_collect_bending(const weft_preprocess_input *in, weft_raw_group *raw,
                                 weft_error *err);

/* Colours a group, sorts it by colour and adds it to the model; drops an empty one. */
void weft_group_finish(weft_raw_group *raw, float damping_time, weft_model *model);
void weft_group_free(weft_constraint_group *group);

/* Sets pinned[v] for every vertex that a rule selects. `rides`: which of the others ride; NULL:
 * none. */
weft_result weft_pins_select(const weft_mesh *mesh, const weft_pin *pins, uint32_t pin_count,
                             const bool *rides, bool *pinned, weft_error *err);

/* Attached pieces: validates them and moves their triangles to the end; fastens them to the rest
 * pose of the others; the mass that each particle carries of them, kg, [particle_count], to be
 * freed. */
weft_result weft_attach_begin(const bool *attached, weft_model *model, weft_error *err);
weft_result weft_attach(weft_model *model, weft_error *err);
double *weft_attach_masses(const weft_model *model, double area_density, const double *areas);
/* Whether a box is nearly flat along that axis. */
bool weft_lies_flat(weft_vec3 low, weft_vec3 high, weft_vec3 towards);
/* Pins at this end of a mesh without a grid. */
void weft_pin_end(const weft_mesh *mesh, weft_vec3 towards, bool *pinned);

/* An empty one, to be destroyed by weft_model_destroy. */
weft_model *weft_model_alloc(void);
/* A deep copy of `from`. */
weft_model *weft_model_copy(const weft_model *from);
weft_tangles *weft_tangles_copy(const weft_model *from);
/* Which triangles of the model intersect each other; to be freed. */
char *weft_tangles_sentence(const weft_model *model, const weft_intersections *found);
void weft_tangles_free(weft_tangles *tangles);

#endif
