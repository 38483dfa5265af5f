/* weft/model.h: the model of a cloth or of particles: constraints, masses and pins, built once and
 * never changed after, so that any number of solvers on any backend can share it. */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include <weft/mesh.h>
#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measured properties of a fabric. A stiffness of 0 makes no such constraints, INFINITY hard ones
 * (compliance 0); negative and NaN are refused. A stiffness too small to be felt in float
 * (compliance/dt^2 past 1e25) has no effect. */
typedef struct weft_material {
  const char *name;   /* for messages; may be NULL */
  float area_density; /* kg/m^2, above 0; a particle's mass must lie within 1e-18 to 1e18 kg */
  float stretch_warp; /* C11, N/m: membrane stiffness along grid columns */
  float stretch_weft; /* C22, N/m: along grid rows. Meshes without a grid use the mean of both */
  float shear;        /* G, N/m */
  float bending;      /* B, N m: bending rigidity, the mean of 0, 45 and 90 degrees */
  float damping_time; /* seconds: ratio of damping to stiffness. The damping of a constraint of
                         compliance a is beta = damping_time/a (XPBD: Macklin et al. 2016, eq. 26).
                         Default 0: none */
} weft_material;

/* A preset by its name, or NULL: denim, trousers, tablecloth, tshirt, ribknit, ponte, jacket as
 * measured by Wang, O'Brien and Ramamoorthi 2011 ("Data-driven elastic models for cloth"), and
 * inextensible. */
WEFT_API const weft_material *weft_material_find(const char *name);
/* The index-th preset, NULL past the last one. */
WEFT_API const weft_material *weft_material_at(uint32_t index);

/* Which constraint resists bending. */
typedef enum weft_bending {
  /* Quadratic in the positions (Bergou et al. 2006, "A quadratic bending model for inextensible
   * surfaces"). Takes the rest shape for flat. */
  WEFT_BENDING_ISOMETRIC = 0,
  /* The angle between neighbouring triangles against that at rest (Mueller et al. 2007, 4.2). */
  WEFT_BENDING_DIHEDRAL,
  /* The distance between the vertices opposite an edge. No resistance near flat. */
  WEFT_BENDING_ACROSS,
  WEFT_BENDING_NONE,
  /* Dihedral where the rest shape is creased, by more than 20 degrees at an edge, isometric
   * elsewhere: pleats keep their creases, and what is round like a sleeve, cut from flat cloth, may
   * become flat. */
  WEFT_BENDING_MIXED,
} weft_bending;

/* Which vertices are pinned: inverse mass 0. */
typedef enum weft_pin_rule {
  WEFT_PIN_NONE = 0,
  /* Grids: first and last vertex of row 0. Other meshes: the vertices nearest to the upper two
   * corners of the bounding box (largest y, then smallest and largest x). A grid that
   * weft_mesh_find_grid found is pinned by this and the next two rules as other meshes are, since
   * its row 0 may lie anywhere; where it lies flat, smallest z is its top. */
  WEFT_PIN_CORNERS,
  /* Grids: row 0. Other meshes, each separate piece for itself: the hem that reaches highest, where
   * all of it lies in the highest quarter (a waist, a neck hole, row 0 of a tube); else what is
   * level with the highest vertex to within 1e-3 of the height (the edge of a sheet), or the
   * highest 2 % where that is fewer than half the root of the vertices. What lies flat, all
   * of it or a piece, is seen from above: smallest z is its top. */
  WEFT_PIN_TOP,
  /* Grids: column 0. Other meshes: the same with smallest x for highest y. */
  WEFT_PIN_LEFT,
  /* All vertices inside [box_min, box_max]. */
  WEFT_PIN_BOX,
  /* The vertices named. */
  WEFT_PIN_LIST,
} weft_pin_rule;

/* A rule; a model takes several, which add up. One that pins no vertex is refused. */
typedef struct weft_pin {
  weft_pin_rule rule;         /* default none */
  weft_vec3 box_min, box_max; /* metres, for WEFT_PIN_BOX */
  const uint32_t *list;       /* [list_count] vertices, for WEFT_PIN_LIST */
  uint32_t list_count;
} weft_pin;

/* Zero-initialise, set the mesh and what differs. All of it is copied. */
typedef struct weft_model_desc {
  const weft_mesh *mesh;         /* required */
  const weft_material *material; /* default: the preset "tablecloth" */
  weft_bending bending;          /* default isometric */
  bool no_shear;                 /* grids: leave out the second diagonal of each quad. Default
                                    false */
  const weft_pin *pins;          /* [pin_count]. Default: nothing is pinned */
  uint32_t pin_count;
  const bool *attached; /* [mesh->vertex_count] vertices of loose pieces (buttons, zips, patches)
                           that ride on the rest of the cloth: weft_mesh_find_attached. Default:
                           none */
} weft_model_desc;

typedef struct weft_model weft_model;

/* Edges at which a mesh is bent at rest by more than 20 degrees: pressed, and not the roundness of
 * a sleeve, so that isometric bending would iron out what it is. *sharpest, which may be NULL: of
 * all edges, radians. 0 for NULL, and for triangles of vertices that there are not. */
WEFT_API uint32_t weft_mesh_creases(const weft_mesh *mesh, double *sharpest);

/* ---- systems of particles: beads, pendulums, ropes, hair, sand ---- */

/* When a distance constraint acts. */
typedef enum weft_sense {
  WEFT_SENSE_EQUAL = 0, /* always: |x_a - x_b| = rest length */
  WEFT_SENSE_AT_MOST,   /* only when stretched: |x_a - x_b| <= rest length (a rope) */
  WEFT_SENSE_AT_LEAST,  /* only when compressed: |x_a - x_b| >= rest length (a strut) */
} weft_sense;

/* A distance constraint (Mueller et al. 2007, section 3.3; XPBD: Macklin et al. 2016). A force that
 * an inequality exerts never changes its sign: over the iterations of a substep its multiplier is
 * clamped, not its corrections. */
typedef struct weft_link {
  uint32_t a, b;     /* two different particles; several links may join the same two */
  float rest_length; /* m, 1e-9 to 1e6 */
  float compliance;  /* m/N, default 0: hard */
  float damping;     /* N s/m, beta of XPBD eq. 26; has no effect on a hard link. Default 0 */
  weft_sense sense;  /* default equal */
  bool bending;      /* stands for bending: not counted as strain, and PBD uses its stiffness of
                        bending. Default false */
} weft_link;

/* A dihedral angle to be kept (Mueller et al. 2007, section 4.2, in the signed form). */
typedef struct weft_hinge {
  uint32_t particles[4]; /* four different ones: x0, x1 opposite; x2, x3 the edge between */
  float rest_angle;      /* rad in [-pi, pi]; 0 is flat */
  float compliance;      /* rad/(N m), default 0: hard */
  float damping;         /* N m s, beta of XPBD eq. 26. Default 0 */
} weft_hinge;

/* Zero-initialise, set the particles and what differs. All of it is copied. */
typedef struct weft_particles_desc {
  uint32_t particle_count;    /* at least 1 */
  const weft_vec3 *positions; /* [particle_count] metres, finite, at most 1e6 from the origin */
  const float *masses;        /* [particle_count] kg, 1e-18 to 1e18; 0 pins the particle */
  const weft_link *links;     /* [link_count]. Default: none */
  uint32_t link_count;
  const weft_hinge *hinges; /* [hinge_count]. Default: none */
  uint32_t hinge_count;
  float radius; /* m, of every particle, for drawing and for contact between particles: 1e-9 to
                   1000. Default 0: none */
} weft_particles_desc;

/* Builds a model of particles, links and hinges without any triangle; graph-coloured and validated
 * as a cloth is. WEFT_ERROR_ARGUMENT, with the first offending particle, link or hinge, for a count
 * of 0, a position or mass that is not finite or out of range, a negative mass, compliance, damping
 * or radius, a rest length of 0, an index out of range, a particle twice in one constraint. */
WEFT_API weft_result weft_model_create_particles(const weft_particles_desc *desc,
                                                 weft_model **model, weft_error *err);
/* m, of every particle; 0 for a cloth. */
WEFT_API float weft_model_radius(const weft_model *model);
/* The links as they were given, in that order, [weft_model_link_count]; none for a cloth. */
WEFT_API uint32_t weft_model_link_count(const weft_model *model);
WEFT_API const weft_link *weft_model_links(const weft_model *model);

/* Builds the model of a cloth: masses by area, constraints of every kind with rest values and
 * compliances, their graph colouring, pins; then validates it. A triangle without area and one
 * given twice are cloth without weight or stiffness of their own (weft_mesh_repair removes both);
 * hinges at triangles without area do not bend. All particles may be pinned: a warning is logged.
 *
 * A piece that is attached goes where the cloth beneath it goes, which carries its mass. It stays
 * at its rest offset from the triangle that was nearest at rest, in that triangle's own directions:
 * all of it from the one under its middle where it is smaller than two of that triangle's edges, so
 * that it keeps its shape; else each particle from its own. It has no constraints, feels no air, is
 * not pinned, and neither collides nor counts as intersecting. Its particles are particles of the
 * model with inverse mass 0, and every output has them.
 *
 * WEFT_ERROR_MESH for a mesh no cloth can be made of: no triangle, a position that is not finite or
 * further than 1e6 m from the origin, an edge shorter than 1e-9 m, as between coincident vertices,
 * a particle without mass, a triangle with a vertex twice or one that does not exist.
 * WEFT_ERROR_ARGUMENT for a material or pins out of range, for a listed pin that is attached, and
 * for attached vertices that share a triangle with others or are all there are. */
WEFT_API weft_result weft_model_create(const weft_model_desc *desc, weft_model **model,
                                       weft_error *err);
/* No solver of the model may be used after it. */
WEFT_API void weft_model_destroy(weft_model *model);

/* A copy in *out with these particles, [count], pinned or free again; all others stay as they are.
 * Shares nothing with `model` and may outlive it. Costs a copy, nothing is built anew. A particle
 * freed has the mass that it had before, one that a system of particles gave as pinned (mass 0) the
 * mean of those with a mass. Solvers of the copy continue where others are by
 * weft_solver_copy_state_from. WEFT_ERROR_ARGUMENT for a particle that does not exist or is
 * attached, and for a joined model. */
WEFT_API weft_result weft_model_with_pins(const weft_model *model, const uint32_t *particles,
                                          uint32_t count, bool pinned, weft_model **out,
                                          weft_error *err);

/* Joins `count` models of one structure (masses, lengths, compliances and positions may differ) to
 * one, so that a solver runs all in the same passes. They do not touch: each moves as alone, also
 * where it collides with itself. There is one origin for all (weft_solver_read): bit for bit as
 * alone only near the world's zero, and no more exact than floats are that far from each other.
 * Particle i of model m is particle m*particle_count + i. Copies what it is given; the same model
 * may be given several times.
 *
 * What a joined model does not have: other pins (weft_model_with_pins); and a solver refuses what
 * couples all particles (global damping, contact between them, a grab), the modes jacobi and
 * hybrid, sweeps over lines and the schedule patches. WEFT_ERROR_ARGUMENT for models that do not
 * fit together, WEFT_ERROR_LIMIT where their particles or constraints are too many for 32 bits. */
WEFT_API weft_result weft_model_join(const weft_model *const *models, uint32_t count,
                                     weft_model **model, weft_error *err);
/* How many models it was joined of, 1 for one that was not; and copies of these models, which
 * belong to it. */
WEFT_API uint32_t weft_model_part_count(const weft_model *model);
WEFT_API const weft_model *weft_model_part(const weft_model *model, uint32_t index);

/* Arrays belong to the model and live as long as it. */
WEFT_API uint32_t weft_model_particle_count(const weft_model *model);
/* What a particle is called in messages, and which one is called so: numbers of the source of its
 * mesh (weft_mesh_map), or of the particles themselves where it has none. A particle that does not
 * exist comes back as it is; for a number that no particle has, something beyond the last. */
WEFT_API uint32_t weft_model_number(const weft_model *model, uint32_t particle);
WEFT_API uint32_t weft_model_numbered(const weft_model *model, uint32_t number);
WEFT_API uint32_t weft_model_triangle_count(const weft_model *model);
WEFT_API const uint32_t *weft_model_triangles(const weft_model *model); /* [3*triangle_count] */
WEFT_API const weft_vec3 *weft_model_rest_positions(
    const weft_model *model); /* [particle_count], m */
/* [particle_count], 1/kg; 0 of what is pinned or attached */
WEFT_API const float *weft_model_inverse_masses(const weft_model *model);
WEFT_API uint32_t weft_model_pinned_count(const weft_model *model);
WEFT_API bool weft_model_is_pinned(const weft_model *model, uint32_t particle);
/* Particles of attached pieces. False for one that does not exist, as the one above. */
WEFT_API uint32_t weft_model_attached_count(const weft_model *model);
WEFT_API bool weft_model_is_attached(const weft_model *model, uint32_t particle);

/* One group of like constraints. */
typedef struct weft_group_info {
  const char *name; /* "stretch", "shear", "bend isometric", "bend dihedral", "bend across"; of a
                       particle model "links", "links at most", "links at least", the same with
                       "bend" before, "hinges" */
  uint32_t constraint_count;
  uint32_t colour_count;        /* of its graph colouring; the batches of coloured Gauss-Seidel */
  uint32_t lower_bound;         /* most constraints at one particle: no colouring needs fewer */
  const uint32_t *colour_sizes; /* [colour_count] constraints */
} weft_group_info;
WEFT_API uint32_t weft_model_group_count(const weft_model *model);
/* Zeros for an index out of range. */
WEFT_API weft_group_info weft_model_group(const weft_model *model, uint32_t index);
/* Over all groups. */
WEFT_API uint64_t weft_model_constraint_count(const weft_model *model);
WEFT_API uint32_t weft_model_colour_count(const weft_model *model);

/* Checks everything the solvers rely on: indices in range, no two constraints of a colour sharing a
 * particle, finite and positive rest values, masses, adjacency. Run when a model is created.
 * WEFT_ERROR_MESH with the first thing that is wrong. */
WEFT_API weft_result weft_model_validate(const weft_model *model, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
