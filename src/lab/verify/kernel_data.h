/* kernel_data.h: made-up inputs for one pass alone: seeded random values, and the degenerate
 * ones that a cloth meets once in a million substeps. */
#ifndef WEFT_VERIFY_KERNEL_DATA_H
#define WEFT_VERIFY_KERNEL_DATA_H

#include "inspect.h"

/* What an output holds before a pass that must overwrite it: a NaN no arithmetic makes. */
#define WEFT_KERNEL_UNWRITTEN 0x7FC0DEADu

/* The pass works on elements [FIRST, FIRST + count); PAD more follow, which it must leave alone. */
enum { WEFT_KERNEL_FIRST = 3, WEFT_KERNEL_PAD = 5 };

typedef struct weft_kernel_case {
  weft_pass pass;
  uint32_t substep;
  /* Constraints of a batch use particles of their own. With very many, only some move anything and
   * the rest share a few particles, or the positions would exceed a storage block. */
  bool sparse;
} weft_kernel_case;

/* NULL where a kind has no inputs: then that pass has no test. */
typedef void weft_kernel_fill(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents);
extern weft_kernel_fill *const weft_kernel_fills[WEFT_PASS_KIND_COUNT];

typedef struct weft_kernel_particles {
  uint32_t count;
  vec4 *x, *v, *x_prev;
} weft_kernel_particles;

/* ---- kernel_values.c ---- */
void weft_kernel_frame(weft_rng *rng, weft_contents *contents); /* uniforms and substeps */
uint32_t weft_kernel_elements(const weft_kernel_case *c);       /* elements with first and pad */
float weft_kernel_component(weft_rng *rng);      /* a garment's size, and awkward ones */
vec4 weft_kernel_vector(weft_rng *rng, float w); /* of such components */
vec4 weft_kernel_small_vector(weft_rng *rng, float size, float w);
float weft_kernel_inverse_mass(weft_rng *rng);
vec4 weft_kernel_nearby(weft_rng *rng, vec4 x); /* a substep earlier */
float weft_kernel_distance(vec4 a, vec4 b);     /* as passes will see it, or nearly */
/* Of a constraint that is no pair. */
vec4 weft_kernel_numbers(const weft_constraint_info *info, uint32_t i, weft_rng *rng);
vec4 weft_kernel_unwritten(void); /* WEFT_KERNEL_UNWRITTEN four times */
void weft_kernel_fill_unwritten(void *elements, uint64_t bytes);
/* The frame, and as many particles as elements, at zero. */
weft_kernel_particles weft_kernel_fill_particles(const weft_kernel_case *c, weft_rng *rng,
                                                 weft_contents *contents);

/* ---- data of passes that have a file of their own ---- */
weft_kernel_fill weft_kernel_fill_lra;
weft_kernel_fill weft_kernel_lines, weft_kernel_bends;
weft_kernel_fill weft_kernel_move_shapes;
weft_kernel_fill weft_kernel_collide; /* kernel_contact.c */
weft_kernel_fill weft_kernel_damp;
void weft_kernel_damp_case(weft_kernel_case *c); /* where its trees lie; other kinds untouched */
weft_kernel_fill weft_kernel_level_mean, weft_kernel_level_follow, weft_kernel_level_project,
    weft_kernel_level_small;
void weft_kernel_lines_case(weft_kernel_case *c); /* and to passes of lines */
void weft_kernel_level_case(weft_kernel_case *c); /* what a count means to level_small */
weft_kernel_fill weft_kernel_patch;
void weft_kernel_patch_case(weft_kernel_case *c); /* its multipliers, and a count that is whole */
weft_kernel_fill weft_kernel_soft_pins, weft_kernel_grab, weft_kernel_pick_near,
    weft_kernel_pick_best;
weft_kernel_fill weft_kernel_bound, weft_kernel_bound_join, weft_kernel_shift;
weft_kernel_fill weft_kernel_grid, weft_kernel_grid_clear, weft_kernel_grid_tree,
    weft_kernel_contact_find, weft_kernel_contact_list, weft_kernel_contact_apply;
weft_kernel_fill weft_kernel_self;
void weft_kernel_self_case(weft_kernel_case *c); /* which detection, round and level */

/* ---- kernel_self_lone.c ---- */
typedef struct weft_kernel_lone {
  uint32_t scenes;
  uint32_t cloth_first, body_first; /* particles from there to the end of the cloth, and of all */
  uint32_t body_triangle_first;     /* one each; those of cloth are the first triangles of all */
  const uint32_t *places;           /* of triangles, in self_triangles */
} weft_kernel_lone;
/* How many scenes so many particles of cloth and of bodies have room for: half of them are theirs
 * at most. */
weft_kernel_lone weft_kernel_lone_of(uint32_t cloth, uint32_t bodies);
void weft_kernel_self_lone(const weft_kernel_lone *lone, weft_rng *rng, weft_contents *contents);

/* ---- kernel_self_tables.c ---- */
typedef struct weft_kernel_tables {
  uint32_t parts, particles, patches; /* particles and patches of a part */
  uint32_t cloth_particles, cloth_patches;
  uint32_t certified_each; /* two of so many patches have gradients that certify them */
  uint32_t elements;       /* pairs of neighbours, at least: what there are too many are nothing */
} weft_kernel_tables;
/* Of triangles that are there, of which places without one are to be filled in. */
void weft_kernel_self_tables(const weft_kernel_tables *tables, weft_rng *rng,
                             weft_contents *contents);

#endif
