/* pass.h: what passes work on: buffers, the tables they start from, and the passes themselves.
 *
 * weft_tables says which buffers exist and what is in them, weft_pass says what to run. So the
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
typedef struct weft_distance weft_distance;
typedef struct weft_xpbd weft_xpbd;
typedef struct weft_isometric weft_isometric;
typedef struct weft_dihedral weft_dihedral;
typedef struct weft_patch_distance weft_patch_distance;
typedef struct weft_patch_quad weft_patch_quad;
typedef struct weft_collider_pose weft_collider_pose;
typedef struct weft_pin_path weft_pin_path;
typedef struct weft_motion weft_motion;
typedef struct weft_tether weft_tether;
typedef struct weft_level_child weft_level_child;
typedef struct weft_level_parents weft_level_parents;
typedef struct weft_level_step weft_level_step;
typedef struct weft_pass weft_pass;
typedef struct weft_whole_run_args weft_whole_run_args;
typedef struct weft_line_edge weft_line_edge;
typedef struct weft_line_bundle weft_line_bundle;
typedef struct weft_grab weft_grab;
typedef struct weft_pick_ray weft_pick_ray;
typedef struct weft_pick weft_pick;
typedef struct weft_neighbour weft_neighbour;

typedef enum weft_buffer_id {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, row, quantity, instead) WEFT_BUFFER_##ID,
#include "buffers.def"
#undef WEFT_BUFFER
  WEFT_BUFFER_COUNT
} weft_buffer_id;

typedef enum weft_buffer_use {
  WEFT_USE_STATE = 0,
  WEFT_USE_SCRATCH,
  WEFT_USE_TABLE,
  WEFT_USE_FRAME,
  WEFT_USE_HOST,
} weft_buffer_use;

typedef enum weft_buffer_row {
  WEFT_ROW_OTHER = 0,
  WEFT_ROW_PARTICLE,
  WEFT_ROW_CONSTRAINT,
  WEFT_ROW_SLOT,
  WEFT_ROW_TRIANGLE,
} weft_buffer_row;

/* A row of buffers.def. */
typedef struct weft_buffer_info {
  const char *name, *element;
  uint32_t stride; /* bytes of a row of floats */
  uint32_t each;
  const char *scalars;
  weft_buffer_use use;
  weft_buffer_row row;
  const char *quantity, *instead;
} weft_buffer_info;

extern const weft_buffer_info weft_buffer_infos[WEFT_BUFFER_COUNT];

/* Whether a row holds floats alone. */
bool weft_buffer_is_float(weft_buffer_id id);

/* One buffer: its element size, its length and what it starts with (zeros when data is NULL). */
typedef struct weft_table {
  const char *name;
  uint32_t stride; /* bytes of an element */
  uint64_t count;  /* elements */
  void *data;      /* owned by weft_tables, or NULL */
} weft_table;

typedef struct weft_tables {
  weft_table buffers[WEFT_BUFFER_COUNT];
  uint32_t parts; /* of a joined model: every pass has the same elements of each; else 0 */
} weft_tables;

/* Filled by atomic additions: the same elements on every backend, not at the same places. */
static inline bool weft_buffer_unordered(weft_buffer_id id) { return id == WEFT_BUFFER_GRID_LOOSE; }

/* Names and strides filled in, counts 0. */
void weft_tables_init(weft_tables *tables);
/* Gives a buffer `count` zero elements and returns them. */
void *weft_tables_set(weft_tables *tables, weft_buffer_id id, uint64_t count);
void weft_tables_free(weft_tables *tables);

/* ---- passes ---- */
typedef enum weft_pass_kind {
  WEFT_PASS_AERO_FORCE = 0,
  WEFT_PASS_AERO_GATHER,
  WEFT_PASS_DAMP_LINEAR,
  WEFT_PASS_DAMP_SUM,
  WEFT_PASS_DAMP_ANGULAR,
  WEFT_PASS_DAMP_RIGID,
  WEFT_PASS_DAMP_VELOCITY,
  WEFT_PASS_PREDICT,
  WEFT_PASS_MOVE_PINS,
  WEFT_PASS_GRAB,
  WEFT_PASS_LEVEL_GATHER,
  WEFT_PASS_LEVEL_RESTRICT,
  WEFT_PASS_LEVEL_SMALL,
  WEFT_PASS_LEVEL_PROJECT,
  WEFT_PASS_LEVEL_PROLONG,
  WEFT_PASS_LEVEL_SPREAD,
  WEFT_PASS_PROJECT_DISTANCE,
  WEFT_PASS_PROJECT_ISOMETRIC,
  WEFT_PASS_PROJECT_DIHEDRAL,
  WEFT_PASS_PATCH,
  WEFT_PASS_PROJECT_LINES,
  WEFT_PASS_JACOBI_APPLY,
  WEFT_PASS_TETHER,
  WEFT_PASS_GRID_CLEAR,
  WEFT_PASS_GRID_COUNT,
  WEFT_PASS_GRID_SUM,
  WEFT_PASS_GRID_SCAN,
  WEFT_PASS_GRID_FILL,
  WEFT_PASS_GRID_SORT,
  WEFT_PASS_CONTACT_FIND,
  WEFT_PASS_CONTACT_COUNT,
  WEFT_PASS_CONTACT_PROJECT,
  WEFT_PASS_CONTACT_APPLY,
  WEFT_PASS_CONTACT_KEEP,
  WEFT_PASS_COLLIDE,
  WEFT_PASS_UPDATE_VELOCITY,
  WEFT_PASS_PICK_NEAR, /* not of a substep: weft_solver_pick */
  WEFT_PASS_PICK_BEST,
  WEFT_PASS_KIND_COUNT,
  /* Only where time is taken by kind: all passes at once, see weft_backend.run_whole. */
  WEFT_PASS_WHOLE = WEFT_PASS_KIND_COUNT,
  WEFT_TIMED_KINDS
} weft_pass_kind;

/* Of a kind of pass, or "whole". */
const char *weft_timed_name(int kind);

/* Permutations of the project passes. */
enum {
  WEFT_VARIANT_JACOBI = 1, /* corrections go to delta slots instead of positions */
  WEFT_VARIANT_LAMBDA = 2, /* multipliers are kept over iterations; damping */
  WEFT_VARIANT_COUNT = 4
};

/* What a pass binds: a buffer to a slot. A streamed buffer is read or written at the pass's own
 * elements [first, first+count) only (times `per` entries each), so it can be bound piece by piece.
 */
typedef struct weft_binding {
  weft_buffer_id buffer;
  uint32_t slot;
  bool streamed;
  bool written;
  uint32_t needs; /* WEFT_VARIANT_ bits without which the shader does not have this block */
} weft_binding;

enum { WEFT_MAX_BINDINGS = 8 };

typedef struct weft_pass_info {
  const char
      *name; /* "project_distance": shaders/solver/NAME.comp and src/solver_ref/pass_NAME.c */
  uint32_t variants; /* bits that mean something to it */
  uint32_t arity;    /* delta slots per element of the Jacobi variant, else 0 */
  uint32_t binding_count;
  weft_binding bindings[WEFT_MAX_BINDINGS];
} weft_pass_info;

extern const weft_pass_info weft_pass_infos[WEFT_PASS_KIND_COUNT];

/* A work group for each element, not an invocation. */
static inline bool weft_pass_by_group(weft_pass_kind kind) {
  return kind == WEFT_PASS_PATCH || kind == WEFT_PASS_PROJECT_LINES;
}

/* Whether a variant of a pass has this block at all. */
static inline bool weft_binding_used(const weft_binding *binding, uint32_t variant) {
  return (binding->needs & ~variant) == 0;
}

/* "project_distance", "project_distance (jacobi, lambda)" ... into text. */
void weft_pass_describe(const weft_pass *pass, char *text, size_t size);

#endif
