/* pass.h: what passes work on: buffers, their initial contents, and the passes themselves.
 *
 * weft_contents says which buffers exist and what is in them, weft_pass says what to run. So
 * backends can differ in nothing but the arithmetic of a pass, and a test can run any pass over
 * any data. */
#ifndef WEFT_SOLVER_PASS_H
#define WEFT_SOLVER_PASS_H

#include <shared/weft_shared.h>
#include <weft/solver.h>

#include "base.h"

typedef struct weft_uniforms weft_uniforms;
typedef struct weft_substep weft_substep;
typedef struct weft_triangle weft_triangle;
typedef struct weft_delta weft_delta;
typedef struct weft_pair_element weft_pair_element;
typedef struct weft_quad_element weft_quad_element;
typedef struct weft_xpbd weft_xpbd;
typedef struct weft_patch_pair weft_patch_pair;
typedef struct weft_patch_quad weft_patch_quad;
typedef struct weft_collider_pose weft_collider_pose;
typedef struct weft_pin_path weft_pin_path;
typedef struct weft_body_path weft_body_path;
typedef struct weft_rider weft_rider;
typedef struct weft_shape_path weft_shape_path;
typedef struct weft_motion weft_motion;
typedef struct weft_lra weft_lra;
typedef struct weft_level_edge weft_level_edge;
typedef struct weft_level_child weft_level_child;
typedef struct weft_level_parents weft_level_parents;
typedef struct weft_level_step weft_level_step;
typedef struct weft_pass weft_pass;
typedef struct weft_single_run_args weft_single_run_args;
typedef struct weft_line_edge weft_line_edge;
typedef struct weft_line_bundle weft_line_bundle;
typedef struct weft_line_colour weft_line_colour;
typedef struct weft_soft_pin weft_soft_pin;
typedef struct weft_grab weft_grab;
typedef struct weft_pick_ray weft_pick_ray;
typedef struct weft_pick weft_pick;
typedef struct weft_bounds weft_bounds;
typedef struct weft_neighbour weft_neighbour;
typedef struct weft_self_triangle weft_self_triangle;
typedef struct weft_self_vertex weft_self_vertex;
typedef struct weft_self_friction weft_self_friction;
typedef struct weft_self_part weft_self_part;
typedef struct weft_self_patch weft_self_patch;
typedef struct weft_self_adjacent weft_self_adjacent;
typedef struct weft_self_hull weft_self_hull;
typedef struct weft_self_star weft_self_star;
typedef struct weft_self_certificate weft_self_certificate;
typedef struct weft_self_two weft_self_two;
typedef struct weft_self_node weft_self_node;
typedef struct weft_self_plane weft_self_plane;
typedef struct weft_self_cached weft_self_cached;

typedef enum weft_buffer_id {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, owner, quantity, instead) \
  WEFT_BUFFER_##ID,
#include "buffers.def"
#undef WEFT_BUFFER
  WEFT_BUFFER_COUNT
} weft_buffer_id;

typedef enum weft_buffer_use {
  WEFT_USE_STATE = 0,
  WEFT_USE_SCRATCH,
  WEFT_USE_CONSTANT,
  WEFT_USE_FRAME,
  WEFT_USE_HOST,
} weft_buffer_use;

typedef enum weft_buffer_owner {
  WEFT_OWNER_OTHER = 0,
  WEFT_OWNER_PARTICLE,
  WEFT_OWNER_CONSTRAINT,
  WEFT_OWNER_SLOT,
  WEFT_OWNER_TRIANGLE,
} weft_buffer_owner;

/* A row of buffers.def. */
typedef struct weft_buffer_info {
  const char *name, *id, *element; /* id: in pass texts */
  uint32_t stride;                 /* bytes of an element of floats */
  uint32_t each;
  const char *scalars;
  weft_buffer_use use;
  weft_buffer_owner owner;
  const char *quantity, *instead;
} weft_buffer_info;

extern const weft_buffer_info weft_buffer_infos[WEFT_BUFFER_COUNT];

/* Whether an element holds floats alone. */
bool weft_buffer_is_float(weft_buffer_id id);

/* For a letter of weft_buffer_info.scalars: its number of words, and whether these are floats. */
uint32_t weft_scalar_words(char letter);
bool weft_scalar_is_float(char letter);

/* One buffer: its element size, its length and its initial contents (zeros when data is NULL). */
typedef struct weft_buffer_contents {
  const char *name;
  uint32_t stride; /* bytes of an element */
  uint64_t count;  /* elements */
  void *data;      /* aligned to a cache line, or NULL; owned by weft_contents */
  bool kept;       /* a backend owns it now: readable until that runs a pass */
  bool filled;     /* with `again`: it was set */
} weft_buffer_contents;

typedef struct weft_contents {
  weft_buffer_contents buffers[WEFT_BUFFER_COUNT];
  uint32_t parts;    /* instances of a joined model, each with the same elements in every pass; else
                        0 */
  bool given;        /* a backend may take ownership of arrays instead of copying them */
  weft_owned *again; /* whose memory it is, where tables are set more than once; then what passes
                        write has no data. Else NULL */
} weft_contents;

/* Filled through atomic counters: the same elements on every backend, in any order. */
static inline bool weft_buffer_unordered(weft_buffer_id id) {
  return id == WEFT_BUFFER_GRID_LOOSE || id == WEFT_BUFFER_SELF_CANDIDATES ||
         id == WEFT_BUFFER_SELF_PAIRS || id == WEFT_BUFFER_SELF_PLANES ||
         id == WEFT_BUFFER_SELF_PATCH_PAIRS || id == WEFT_BUFFER_SELF_TRIANGLE_PAIRS ||
         id == WEFT_BUFFER_SELF_CACHE;
}

/* Buffers whose contents outlive a frame: weft_backend.save saves them. Of the counters only the
 * rejected steps in a row do. */
static inline bool weft_buffer_saved(weft_buffer_id id) {
  return weft_buffer_infos[id].use == WEFT_USE_STATE || id == WEFT_BUFFER_SELF_COUNTS;
}

/* Sets names and strides; counts are 0. */
void weft_contents_init(weft_contents *contents);
/* Gives a buffer `count` zero elements and returns them. */
void *weft_contents_set(weft_contents *contents, weft_buffer_id id, uint64_t count);
void weft_contents_free(weft_contents *contents);

/* ---- passes ---- */
typedef enum weft_pass_kind {
#define WEFT_PASS(ID, name, ...) WEFT_PASS_##ID,
#include "passes.def"
#undef WEFT_PASS
  WEFT_PASS_KIND_COUNT,
  /* Only as a key of times: all passes at once, see weft_backend.run_single. */
  WEFT_PASS_SINGLE = WEFT_PASS_KIND_COUNT,
  WEFT_TIMED_KINDS
} weft_pass_kind;

/* The name of a kind of pass, or "single". */
const char *weft_timed_name(int kind);

/* Permutations of the project passes. */
enum {
  WEFT_VARIANT_JACOBI = 1, /* corrections go to delta slots instead of positions */
  WEFT_VARIANT_LAMBDA = 2, /* multipliers are kept over iterations; damping */
  WEFT_VARIANT_PAIRS = 4,  /* positions and velocities are pairs of floats (kernels/pair.h) */
  WEFT_VARIANT_COUNT = 8
};

/* Which elements of a buffer a pass touches. */
typedef enum weft_reach {
  WEFT_REACH_OWN = 0,   /* as many as it has elements */
  WEFT_REACH_SOMETIMES, /* as many; data decide which of them are written: not counted */
  WEFT_REACH_TOUCHED,   /* the particles of its constraints, each once */
  WEFT_REACH_ROLES,     /* a slot for each particle of each constraint */
  WEFT_REACH_TWICE,     /* two for each element; data decide which are written: not counted */
  WEFT_REACH_LINES,     /* the edges of its bundles, which have more particles */
  WEFT_REACH_CHILDREN,  /* of its nodes */
  WEFT_REACH_BLOCK,     /* a block of the grid for each element */
  WEFT_REACH_ROOT,      /* as many, written; one is read */
  WEFT_REACH_BLOCK_IN,  /* the same, read; one is written */
  WEFT_REACH_ALL,
  WEFT_REACH_ONE,
  WEFT_REACH_SUBSTEP, /* those of one substep */
  WEFT_REACH_UNKNOWN, /* data decide: not counted */
} weft_reach;

/* A buffer that a pass binds, at the slot of its index in the list. A streamed buffer is read or
 * written at the pass's own elements [first, first+count) only, so it can be bound piece by piece.
 */
typedef struct weft_binding {
  weft_buffer_id buffer;
  bool streamed, reads, writes;
  weft_reach reach;
  uint32_t needs; /* WEFT_VARIANT_ bits that the shader needs to declare this block */
} weft_binding;

enum { WEFT_MAX_BINDINGS = 8 };

/* How the backend cpu may split a pass: see passes.def. */
typedef enum weft_cpu_role {
  WEFT_CPU_SERIAL = 0,
  WEFT_CPU_RANGES,
  WEFT_CPU_PARTICLES,
  WEFT_CPU_BATCH,
} weft_cpu_role;

/* Whether a single dispatch of all passes can run it. */
typedef enum weft_single_role {
  WEFT_SINGLE_NOT = 0,
  WEFT_SINGLE_ITSELF,
  WEFT_SINGLE_STEPS, /* its steps are passes that can run */
  WEFT_SINGLE_TEAMS, /* it can, with a team of the work group for each element */
} weft_single_role;

/* A row of passes.def. */
typedef struct weft_pass_info {
  const char *name;
  uint32_t variants; /* WEFT_VARIANT_ bits that it has */
  uint32_t group;    /* invocations that work on one element; 0: one */
  weft_cpu_role cpu;
  weft_single_role single;
  uint32_t iterations;          /* of loops for one element, */
  weft_buffer_id iterations_of; /* times the longest range in this table of offsets */
  bool counted;                 /* it has work groups of WEFT_SELF_GROUP: see weft_pass.counted */
  bool textured;
  uint32_t binding_count;
  weft_binding bindings[WEFT_MAX_BINDINGS];
} weft_pass_info;

extern const weft_pass_info weft_pass_infos[WEFT_PASS_KIND_COUNT];

/* Wind and drag: the first passes of a substep, skipped in some. */
static inline bool weft_pass_is_air(uint32_t kind) {
  return kind == WEFT_PASS_AERO_FORCE || kind == WEFT_PASS_AERO_GATHER;
}

/* Passes of self-collision. */
static inline bool weft_pass_is_self(uint32_t kind) {
  return kind >= WEFT_PASS_SELF_EXTRAPOLATE && kind <= WEFT_PASS_SELF_ADVANCE;
}

/* The type of constraint that a pass projects, or -1; and the particles of one, else 0. */
int weft_pass_constraint(uint32_t kind);
uint32_t weft_pass_arity(uint32_t kind);

/* Whether a variant of a pass binds this block. */
static inline bool weft_binding_used(const weft_binding *binding, uint32_t variant) {
  return (binding->needs & ~variant) == 0;
}

/* How many longer steps are complete after so many substeps; the steps divide the frame as
 * evenly as substeps allow. */
static inline uint32_t weft_long_steps_after(const weft_pass *pass, uint32_t substeps) {
  return (uint32_t)((uint64_t)substeps * pass->long_steps / pass->substeps);
}

static inline bool weft_pass_runs(const weft_pass *pass, uint32_t substep) {
  if (pass->when == WEFT_WHEN_ALWAYS) return true;
  if (pass->when == WEFT_WHEN_FRAME_BEGINS) return substep == 0;
  uint32_t before = weft_long_steps_after(pass, substep);
  if (pass->when == WEFT_WHEN_STEP_BEGINS) {
    return substep == 0 || weft_long_steps_after(pass, substep - 1) < before;
  }
  bool ends = before < weft_long_steps_after(pass, substep + 1);
  return ends == (pass->when == WEFT_WHEN_STEP_ENDS);
}

/* "project_distance", "project_distance (jacobi, lambda)" ... into text. */
void weft_pass_describe(const weft_pass *pass, char *text, size_t size);

/* The scale of the body inside a shape, at which it contains no cloth. */
typedef struct weft_shape_fit {
  vec4 core;    /* centre of scaling, as in weft_shape_path */
  float size;   /* scale, 0 to 1 */
  float most;   /* largest scale, at which pins that begin inside the shape stay outside the body */
  double reach; /* m: distance of its farthest point from the centre, at full size */
} weft_shape_fit;
typedef struct weft_shape_state {
  weft_shape_fit fit;
  uint32_t awake; /* frames for which it goes on moving; 0: it is at rest */
} weft_shape_state;

#endif
