/* weft/model.h: the cooked cloth. Built once from a mesh, a material and pins; never changed
 * after, so any number of solvers on any backend can share it. */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include <weft/mesh.h>
#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measured properties of a fabric. Zero stiffness means "no such constraint"; INFINITY means
 * inextensible (compliance 0); negative or NaN is refused. A stiffness too small to be felt in
 * float (compliance/dt^2 past 1e25) has no effect. */
typedef struct weft_material {
  const char *name;
  float area_density; /* kg/m^2, above 0; a particle's mass must lie within 1e-18 to 1e18 kg */
  float stretch_warp; /* C11, N/m: membrane stiffness along grid columns */
  float stretch_weft; /* C22, N/m: along grid rows. Meshes without a grid use the mean */
  float shear;        /* G, N/m */
  float bending;      /* B, N*m: bending rigidity (mean of 0/45/90 degrees) */
  float damping_time; /* seconds; XPBD damping (Macklin 2016, eq. 26) of a constraint with
                         compliance a is beta = damping_time / a, so that this is the ratio of
                         damping to stiffness. Default 0: none */
} weft_material;

/* The presets measured by Wang, O'Brien and Ramamoorthi 2011 ("Data-driven elastic models for
 * cloth"), and "inextensible". Returns NULL for an unknown name. Names: denim, trousers,
 * tablecloth, tshirt, ribknit, ponte, jacket, inextensible. */
const weft_material *weft_material_find(const char *name);
/* The index-th preset, NULL past the last: for listings. */
const weft_material *weft_material_at(uint32_t index);

/* Which constraint resists bending. */
typedef enum weft_bending {
  WEFT_BENDING_ISOMETRIC = 0, /* quadratic, Bergou 2006: default; flat rest shape only */
  WEFT_BENDING_DIHEDRAL,      /* angle between neighbouring triangles, keeps folded rest angles */
  WEFT_BENDING_ACROSS,        /* distance between the opposite vertices (no resistance near flat) */
  WEFT_BENDING_NONE,
  WEFT_BENDING_MIXED, /* isometric where the rest shape is flat to within a degree, dihedral where
                         it is folded: pleats keep their creases, and the panels between bend evenly
                       */
} weft_bending;

/* Which particles are pinned (inverse mass 0). Rules add up. */
typedef enum weft_pin_rule {
  WEFT_PIN_NONE = 0,
  WEFT_PIN_CORNERS, /* grid: first and last vertex of row 0; other meshes: the vertices nearest to
                       the upper two corners of the bounding box (largest y, then -x and +x) */
  WEFT_PIN_TOP,     /* grid and tube: row 0; other meshes: all within 1e-3 of the height from the
                       highest vertex */
  WEFT_PIN_LEFT,    /* grid: column 0; other meshes: within 1e-3 of the width from the smallest x */
  WEFT_PIN_BOX,     /* all vertices inside [box_min, box_max] */
  WEFT_PIN_LIST,    /* the vertices named */
} weft_pin_rule;

typedef struct weft_pin {
  weft_pin_rule rule;
  weft_vec3 box_min, box_max; /* metres, for WEFT_PIN_BOX */
  const uint32_t *list;       /* vertex indices, for WEFT_PIN_LIST */
  uint32_t list_count;
} weft_pin;

/* Zero-initialise and set what differs. */
typedef struct weft_model_desc {
  const weft_mesh *mesh;         /* required; copied, may be freed afterwards */
  const weft_material *material; /* default: the "tablecloth" preset */
  weft_bending bending;          /* default isometric */
  bool no_shear;                 /* grids: leave out the second diagonal of each quad */
  const weft_pin *pins;
  uint32_t pin_count;
} weft_model_desc;

typedef struct weft_model weft_model;

/* ---- systems of particles: beads, pendulums, ropes, hair, sand ---- */

/* When a distance constraint acts. */
typedef enum weft_sense {
  WEFT_SENSE_EQUAL = 0, /* always: |x_a - x_b| = rest length */
  WEFT_SENSE_AT_MOST,   /* only when stretched: |x_a - x_b| <= rest length (a rope) */
  WEFT_SENSE_AT_LEAST,  /* only when compressed: |x_a - x_b| >= rest length (a strut that lifts off)
                         */
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
  bool bending; /* stands for bending: not counted as strain, and PBD uses its bending stiffness.
                   Default false */
} weft_link;

/* A dihedral angle to be kept (Mueller et al. 2007, section 4.2, in the signed form). */
typedef struct weft_hinge {
  uint32_t particles[4]; /* four different ones: x0, x1 opposite; x2, x3 the edge between */
  float rest_angle;      /* rad in [-pi, pi]; 0 is flat */
  float compliance;      /* rad/(N m), default 0: hard */
  float damping;         /* N m s, beta of XPBD eq. 26. Default 0 */
} weft_hinge;

/* Zero-initialise and set what differs. */
typedef struct weft_particles_desc {
  uint32_t particle_count;    /* at least 1 */
  const weft_vec3 *positions; /* [particle_count] metres, finite, at most 1e6 from the origin */
  const float *masses;        /* [particle_count] kg, within 1e-18 to 1e18; 0 pins the particle
                                 (infinite mass) */
  const weft_link *links;     /* [link_count], may be NULL when there are none */
  uint32_t link_count;
  const weft_hinge *hinges; /* [hinge_count], may be NULL when there are none */
  uint32_t hinge_count;
  float radius; /* m, of every particle: for drawing and for contact between particles: 0 (the
                   default) or 1e-9 to 1000 */
} weft_particles_desc;

/* Cooks a model of particles, links and hinges without any triangle; graph-coloured and validated
 * as a cloth is. WEFT_ERROR_ARGUMENT, with the first offending particle, link or hinge, for a count
 * of 0, a position or mass that is not finite or out of range, a negative mass, compliance, damping
 * or radius, a rest length of 0, an index out of range, a particle named twice by one constraint.
 */
weft_result weft_model_create_particles(const weft_particles_desc *desc, weft_model **model,
                                        weft_error *err);
float weft_model_radius(const weft_model *model); /* 0 for a cloth */
/* The links as they were given, in that order; none for a cloth. */
uint32_t weft_model_link_count(const weft_model *model);
const weft_link *weft_model_links(const weft_model *model);

/* Cooks a model: masses by area, constraints of every kind with rest values and compliances, graph
 * colouring, pins; then validates it. Fails with a sentence on a mesh no cloth can be made of
 * (no triangle, a position that is not finite or further than 1e6 m from the origin, an edge
 * shorter than 1e-9 m, as between coincident vertices, a particle without mass, a triangle with a
 * vertex twice, index out of range). A triangle without area and one given twice are cloth without
 * weight or stiffness of their own (weft_mesh_repair removes both); hinges at triangles without
 * area do not bend. All particles may be pinned: a warning is logged. */
weft_result weft_model_create(const weft_model_desc *desc, weft_model **model, weft_error *err);
void weft_model_destroy(weft_model *model); /* NULL is allowed */

/* A copy with these particles pinned, or free again; all others stay as they are. Shares nothing
 * with `model` and may outlive it. Costs a copy, no cooking. A particle freed has the mass that it
 * had before, one that a system of particles gave as pinned (mass 0) the mean of those with a mass.
 * Solvers of the copy continue where others are by weft_solver_take_state. WEFT_ERROR_ARGUMENT for
 * a particle that does not exist. */
weft_result weft_model_repinned(const weft_model *model, const uint32_t *particles, uint32_t count,
                                bool pinned, weft_model **out, weft_error *err);

/* Models of one structure (the same particles, constraints and pins; masses, lengths, compliances
 * and places may differ) as one model, to solve all of them in the same passes. They do not touch:
 * each goes the way it would go alone, bit for bit. Particle i of model m is particle
 * m*particle_count + i. Copies what it is given; the same model may be given several times. Pins
 * of a joined model cannot be changed, and what couples all particles (global damping, contact
 * between them, a grab), the modes jacobi and hybrid, sweeps over lines and the schedule patches
 * are refused when a solver is made. WEFT_ERROR_ARGUMENT for models that do not fit together. */
weft_result weft_model_join(const weft_model *const *models, uint32_t count, weft_model **model,
                            weft_error *err);
/* Models that it was joined of, 1 for others; and those models themselves. */
uint32_t weft_model_part_count(const weft_model *model);
const weft_model *weft_model_part(const weft_model *model, uint32_t index);

uint32_t weft_model_particle_count(const weft_model *model);
/* What a particle is called in messages, and which one is called so: the same, unless its mesh was
 * ordered (weft_mesh_order). A number that does not exist comes back as it is. */
uint32_t weft_model_number(const weft_model *model, uint32_t particle);
uint32_t weft_model_numbered(const weft_model *model, uint32_t number);
uint32_t weft_model_triangle_count(const weft_model *model);
const uint32_t *weft_model_triangles(const weft_model *model);       /* [3*triangle_count] */
const weft_vec3 *weft_model_rest_positions(const weft_model *model); /* [particle_count] */
const float *weft_model_inverse_masses(const weft_model *model);     /* [particle_count], 1/kg */
uint32_t weft_model_pinned_count(const weft_model *model);

/* One group of like constraints, as seen from outside. */
typedef struct weft_group_info {
  const char *name; /* "stretch", "shear", "bend isometric", "bend dihedral", "bend across"; of a
                       particle model "links", "links at most", "links at least", the same with
                       "bend" before, "hinges" */
  uint32_t constraint_count;
  uint32_t colour_count;
  uint32_t lower_bound;         /* most constraints at one particle: no colouring needs fewer */
  const uint32_t *colour_sizes; /* [colour_count] */
} weft_group_info;
uint32_t weft_model_group_count(const weft_model *model);
weft_group_info weft_model_group(const weft_model *model, uint32_t index);
/* Over all groups. */
uint64_t weft_model_constraint_count(const weft_model *model);
uint32_t weft_model_colour_count(const weft_model *model);

/* Checks everything the solvers rely on: indices in range, no two constraints of a colour sharing a
 * particle, finite and positive rest values, masses, adjacency. Run by weft_model_create. */
weft_result weft_model_validate(const weft_model *model, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
