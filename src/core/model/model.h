/* model.h: the inside of a preprocessed model. Everything is an array indexed by particle, triangle
 * or constraint; constraints of a group are sorted by colour, so that a colour is a range (a
 * batch).
 */
#ifndef WEFT_MODEL_INSIDE_H
#define WEFT_MODEL_INSIDE_H

#include <weft/body.h>
#include <weft/model.h>

#include "base.h"
#include "vec3d.h"

/* The projection that a group needs: a row of constraints.def. Its kernel says what its
 * particles are. */
typedef enum weft_constraint_type {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) WEFT_CONSTRAINT_##ID,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  WEFT_CONSTRAINT_TYPE_COUNT
} weft_constraint_type;

/* Columns of constraints.def. */
typedef enum weft_rest { WEFT_REST_POSITIVE, WEFT_REST_ANGLE, WEFT_REST_WEIGHTS } weft_rest;
typedef enum weft_seen {
  WEFT_SEEN_LENGTH,
  WEFT_SEEN_SUM,
  WEFT_SEEN_ANGLE,
  WEFT_SEEN_UNSEEN
} weft_seen;

/* A row of constraints.def. */
typedef struct weft_constraint_info {
  const char *name;
  uint32_t arity;       /* particles */
  bool pair;            /* its row is a weft_pair_element, else a weft_quad_element */
  uint32_t multipliers; /* numbers of a multiplier */
  bool terms;           /* compliance and damping are in a table of their own */
  weft_rest rest;
  weft_seen seen;
} weft_constraint_info;
extern const weft_constraint_info weft_constraint_infos[WEFT_CONSTRAINT_TYPE_COUNT];

enum { WEFT_MAX_GROUPS = 8, WEFT_MAX_ARITY = 4 };

/* The purpose of a group: strain is measured over the first kind, PBD's stiffness differs. */
typedef enum weft_role { WEFT_ROLE_STRETCH = 0, WEFT_ROLE_SHEAR, WEFT_ROLE_BENDING } weft_role;

typedef struct weft_constraint_group {
  const char *name;
  weft_constraint_type type;
  weft_role role;
  weft_sense sense; /* distance; the same for all of a group */
  uint32_t arity;   /* particles per constraint: 2 to 4 */
  uint32_t count;
  uint32_t *particles; /* [count*arity] */
  float *rest; /* [count] rest length (m), angle (rad) or area (m^2); NULL for WEFT_REST_WEIGHTS */
  float *weights;    /* [count*4] of WEFT_REST_WEIGHTS: K of Bergou 2006; otherwise NULL */
  float *compliance; /* [count] unit of C over its force: m/N, rad/(N m), (A0+A1)/B */
  float *damping;    /* [count] beta of XPBD eq. 26, 0 for none */
  uint32_t *source;  /* [count] links of a particle model: which link it is; otherwise NULL */
  uint32_t colour_count;
  uint32_t *colour_first; /* [colour_count+1]: colour c is [colour_first[c], colour_first[c+1]);
                             sizes never grow from one colour to the next */
  uint32_t *colour_sizes; /* [colour_count] */
  uint32_t lower_bound;
} weft_constraint_group;

/* Self-intersections of the rest pose: found when a solver first asks. */
typedef struct weft_tangles {
  uint8_t *marks;         /* [triangle_count] 1: it intersects another. NULL: not asked yet */
  uint32_t triangles;     /* that are marked */
  char *sentence;         /* a message about them; NULL: there are none */
  bool told;              /* as a warning */
  uint32_t part, part_of; /* of a joined model: which instance, of how many; else 0 */
} weft_tangles;

/* A particle of an attached piece, and the triangle it is fastened to. */
typedef struct weft_model_rider {
  uint32_t particle, corners[3];
  double weights[3]; /* barycentric coordinates of its foot, sum 1 */
  weft_vec3d offset; /* m, from the foot: along the first edge, perpendicular to it, along the
                        normal */
} weft_model_rider;

struct weft_model {
  weft_owned owned; /* but for tangles; of a joined model also its parts */
  uint32_t particle_count, triangle_count;
  uint32_t grid_rows, grid_columns; /* of a mesh of rectangles, see weft/mesh.h; 0 for others */
  weft_mesh_map map;                /* of the mesh it was made of, to that mesh's source */
  weft_vec3 *rest_positions;        /* [particle_count] */
  float *inverse_masses;            /* [particle_count] 0: pinned, or rides */
  float *masses;                    /* [particle_count] before pinning, for energy */
  float
      *free_inverse_masses; /* [particle_count] of a with_pins model: without any pin; else NULL */
  uint32_t *triangles;      /* [3*triangle_count] those of attached pieces last */
  /* Attached pieces. Their particles have neither mass nor constraints, and collide with nothing.
   * All zero where there are none. */
  uint32_t rider_count, rider_triangles;
  weft_model_rider *riders; /* [rider_count] by particle */
  bool *rides;              /* [particle_count] or NULL */
  /* Triangles at each particle in ascending order (CSR). An item is 3*triangle + corner. */
  uint32_t *corner_offsets;         /* [particle_count+1] */
  uint32_t *corner_items;           /* [3*triangle_count] */
  weft_tangles *tangles;            /* of a cloth that is not joined; else NULL */
  struct weft_left *left;           /* left.h; NULL where none is wanted */
  struct weft_geodesics *geodesics; /* weft_model_geodesics; NULL for a joined model */
  uint32_t pinned_count;
  float radius;     /* m, of every particle */
  weft_link *links; /* [link_count] as given */
  uint32_t link_count;
  uint32_t part_count; /* of a joined model; 0 otherwise */
  weft_model **parts;  /* [part_count] copies of the instances */
  uint32_t group_count;
  weft_constraint_group groups[WEFT_MAX_GROUPS];
};

/* Triangles that collide: all but those of attached pieces. Not of a joined model. */
static inline uint32_t weft_cloth_triangles(const weft_model *model) {
  return model->triangle_count - model->rider_triangles;
}
static inline bool weft_rides(const weft_model *model, uint32_t particle) {
  return model->rides && model->rides[particle];
}
static inline bool weft_is_pin(const weft_model *model, uint32_t particle) {
  return model->inverse_masses[particle] == 0 && !weft_rides(model, particle);
}
/* Free particles. */
static inline uint32_t weft_free_count(const weft_model *model) {
  return model->particle_count - model->pinned_count - model->rider_count;
}
/* Whether the pins of these particles can be changed; a sentence if not. */
weft_result weft_model_check_pins(const weft_model *model, const uint32_t *particles,
                                  uint32_t count, weft_error *err);
/* Places the particles of attached pieces according to the others, [particle_count]. */
void weft_model_place_riders(const weft_model *model, weft_vec3 *positions);

/* Ways to resist bending: names as users write them, and their values. */
extern const char *const weft_bending_names[];
extern const char weft_bending_help[];

/* The type of constraint of a particle model's hinges. */
extern const weft_constraint_type weft_hinge_type;

/* Of a cloth that is not joined, but may be an instance. The first call counts, and warns with
 * the first pairs if triangles intersect. */
const weft_tangles *weft_model_tangles(const weft_model *model);

/* Bodies beside a cloth: their vertices and triangles follow those of the cloth. */
typedef struct weft_bodies {
  const weft_body *items; /* [count] */
  uint32_t count, particles, triangles;
} weft_bodies;
/* Which triangles of cloth and bodies intersect in the first state: [the cloth's, then the
 * bodies'] 1 for those that form no pairs among each other. Bodies among themselves do not
 * count. `start`: particle positions, NULL for the rest pose. To be freed. Warns with the first
 * pairs, and of particles inside bodies. */
uint8_t *weft_model_marks_with(const weft_model *model, const weft_bodies *bodies,
                               const weft_vec3 *start);

/* WEFT_ERROR_MESH where triangles intersect, with the first pairs, or particles are inside. */
weft_result weft_model_refuse_tangled(const weft_model *model, const weft_bodies *bodies,
                                      const weft_vec3 *start, weft_error *err);

/* What a model will have. WEFT_ERROR_ARGUMENT for corners that do not exist, and as for pins. */
typedef struct weft_desc_counts {
  uint64_t particles, triangles;
  uint64_t edges, hinges; /* hinges: edges with two triangles */
  uint64_t pins;
  bool grid;
} weft_desc_counts;
weft_result weft_count_desc(const weft_model_desc *desc, weft_desc_counts *counts, weft_error *err);

/* False for the diagonals of a grid of rectangles. */
bool weft_along_thread(const weft_model *model, uint32_t a, uint32_t b);

#endif
