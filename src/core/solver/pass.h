/* pass.h: what passes work on: buffers, the contents they start from, and the passes themselves.
 *
 * weft_contents says which buffers exist and what is in them, weft_pass says what to run. So the
 * reference and the GPU cannot differ in anything but the arithmetic of a pass, and a test can
 * drive any pass over any data. */
#ifndef WEFT_SOLVER_PASS_H
#define WEFT_SOLVER_PASS_H

#include <shared/weft_shared.h>
#include <weft/solver.h>

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
  const char *name, *id, *element; /* id: in the texts of passes */
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

/* Of a letter of weft_buffer_info.scalars: how many words it stands for, and whether these are
 * floats. */
uint32_t weft_scalar_words(char letter);
bool weft_scalar_is_float(char letter);

/* One buffer: its element size, its length and what it starts with (zeros when data is NULL). */
typedef struct weft_buffer_contents {
  const char *name;
  uint32_t stride; /* bytes of an element */
  uint64_t count;  /* elements */
  void *data;      /* from the beginning of a cache line, or NULL; owned by weft_contents */
  bool kept;       /* a backend has it for its own now: to be read until that runs a pass */
} weft_buffer_contents;

typedef struct weft_contents {
  weft_buffer_contents buffers[WEFT_BUFFER_COUNT];
  uint32_t parts; /* of a joined model: every pass has the same elements of each; else 0 */
  bool given;     /* a backend may keep arrays as they are instead of copying them */
} weft_contents;

/* Filled by atomic additions: the same elements on every backend, not at the same indices. */
static inline bool weft_buffer_unordered(weft_buffer_id id) {
  return id == WEFT_BUFFER_GRID_LOOSE || id == WEFT_BUFFER_SELF_CANDIDATES ||
         id == WEFT_BUFFER_SELF_PAIRS || id == WEFT_BUFFER_SELF_PLANES ||
         id == WEFT_BUFFER_SELF_PATCH_PAIRS || id == WEFT_BUFFER_SELF_TRIANGLE_PAIRS ||
         id == WEFT_BUFFER_SELF_CACHE;
}

/* What a frame begins with: weft_backend.save keeps it. Of counts how many pauses there were in a
 * row outlives a frame. */
static inline bool weft_buffer_saved(weft_buffer_id id) {
  return weft_buffer_infos[id].use == WEFT_USE_STATE || id == WEFT_BUFFER_SELF_COUNTS;
}

/* Names and strides filled in, counts 0. */
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
  /* Only where time is taken by kind: all passes at once, see weft_backend.run_single. */
  WEFT_PASS_SINGLE = WEFT_PASS_KIND_COUNT,
  WEFT_TIMED_KINDS
} weft_pass_kind;

/* Of a kind of pass, or "single". */
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
  WEFT_REACH_SOMETIMES, /* as many; the data say which of them are written: not counted */
  WEFT_REACH_TOUCHED,   /* the particles of its constraints, each once */
  WEFT_REACH_ROLES,     /* a slot for each particle of each constraint */
  WEFT_REACH_TWICE,     /* two for each element; which are written the data say: not counted */
  WEFT_REACH_LINES,     /* the edges of its bundles; their particles are more */
  WEFT_REACH_CHILDREN,  /* of its nodes */
  WEFT_REACH_BLOCK,     /* a block of the grid for each element */
  WEFT_REACH_ROOT,      /* as many, written; one is read */
  WEFT_REACH_BLOCK_IN,  /* the same, read; one is written */
  WEFT_REACH_ALL,
  WEFT_REACH_ONE,
  WEFT_REACH_SUBSTEP, /* those of one substep */
  WEFT_REACH_UNKNOWN, /* the data say: not counted */
} weft_reach;

/* A buffer that a pass binds, at the slot of its index in the list. A streamed buffer is read or
 * written at the pass's own elements [first, first+count) only, so it can be bound piece by piece.
 */
typedef struct weft_binding {
  weft_buffer_id buffer;
  bool streamed, reads, writes;
  weft_reach reach;
  uint32_t needs; /* WEFT_VARIANT_ bits without which the shader does not have this block */
} weft_binding;

enum { WEFT_MAX_BINDINGS = 8 };

/* How the backend cpu may cut a pass: see passes.def. */
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
  WEFT_SINGLE_STEPS, /* its steps are passes that it can run */
  WEFT_SINGLE_TEAMS, /* itself, a part of the work group for each element */
} weft_single_role;

/* A row of passes.def. */
typedef struct weft_pass_info {
  const char *name;
  uint32_t variants; /* bits that mean something to it */
  uint32_t group;    /* invocations that work on one element; 0: one */
  weft_cpu_role cpu;
  weft_single_role single;
  uint32_t iterations;          /* of the loops inside an element, */
  weft_buffer_id iterations_of; /* and once for each entry of the longest list of these offsets */
  bool counted;                 /* its work groups are of WEFT_SELF_GROUP: see weft_pass.counted */
  bool textured;
  uint32_t binding_count;
  weft_binding bindings[WEFT_MAX_BINDINGS];
} weft_pass_info;

extern const weft_pass_info weft_pass_infos[WEFT_PASS_KIND_COUNT];

/* Wind and drag: what is done before anything else of a substep, and not in all. */
static inline bool weft_pass_is_air(uint32_t kind) {
  return kind == WEFT_PASS_AERO_FORCE || kind == WEFT_PASS_AERO_GATHER;
}

/* Of self-collision. */
static inline bool weft_pass_is_self(uint32_t kind) {
  return kind >= WEFT_PASS_SELF_EXTRAPOLATE && kind <= WEFT_PASS_SELF_ADVANCE;
}

/* The type of constraint that a pass projects, or -1; and the particles of one, else 0. */
int weft_pass_constraint(uint32_t kind);
uint32_t weft_pass_arity(uint32_t kind);

/* Whether a variant of a pass has this block at all. */
static inline bool weft_binding_used(const weft_binding *binding, uint32_t variant) {
  return (binding->needs & ~variant) == 0;
}

/* Longer steps that are over after so many substeps: they share the frame's as evenly as these
 * allow. */
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

/* How large the body inside of a shape is, so that it has no cloth inside. */
typedef struct weft_shape_fit {
  vec4 core;    /* from where it grows, as in weft_shape_path */
  float size;   /* part of the whole */
  float most;   /* that it may grow to: pins that begin inside of it stay outside */
  double reach; /* m: how far the farthest point of the whole is from where it grows */
} weft_shape_fit;
typedef struct weft_shape_state {
  weft_shape_fit fit;
  uint32_t awake; /* frames that it goes on moving; 0: it stands still */
} weft_shape_state;

#endif
