/* ref.h: the reference backend: the buffers as typed arrays, and one function a pass.
 *
 * Each pass_NAME.c is the twin of shaders/solver/NAME.comp: the same statements in the same order,
 * the invocations run one after the other. All of it is compiled twice: src/solver_f64/double.h has
 * `float` mean double for the backend f64. */
#ifndef WEFT_REF_H
#define WEFT_REF_H

#include "backend.h"
#include "exact.h"

#define WEFT_CONST_STATE
#define WEFT_CONST_SCRATCH
#define WEFT_CONST_TABLE const
#define WEFT_CONST_FRAME const
#define WEFT_CONST_HOST const

typedef struct weft_ref {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, row, quantity, instead) \
  WEFT_CONST_##use element *name;
#include "buffers.def"
#undef WEFT_BUFFER
} weft_ref;

/* A pass in a substep; the permutation as it is asked for. */
typedef struct weft_dispatch {
  weft_pass pass;
  uint32_t substep;
  bool jacobi, lambda;
} weft_dispatch;

typedef void weft_pass_function(const weft_ref *ref, const weft_dispatch *d);

weft_pass_function weft_pass_aero_force, weft_pass_aero_gather, weft_pass_damp_linear,
    weft_pass_damp_sum, weft_pass_damp_angular, weft_pass_damp_rigid, weft_pass_damp_velocity,
    weft_pass_predict, weft_pass_move_pins, weft_pass_project_distance, weft_pass_project_isometric,
    weft_pass_project_dihedral, weft_pass_patch, weft_pass_project_lines, weft_pass_jacobi_apply,
    weft_pass_tether, weft_pass_grid_clear, weft_pass_grid_count, weft_pass_grid_sum,
    weft_pass_grid_scan, weft_pass_grid_fill, weft_pass_grid_sort, weft_pass_contact_find,
    weft_pass_contact_count, weft_pass_contact_project, weft_pass_contact_apply,
    weft_pass_contact_keep, weft_pass_collide, weft_pass_update_velocity, weft_pass_level_gather,
    weft_pass_level_restrict, weft_pass_level_small, weft_pass_level_project,
    weft_pass_level_prolong, weft_pass_level_spread, weft_pass_grab, weft_pass_pick_near,
    weft_pass_pick_best;

/* Runs a pass over buffers, one address for each weft_buffer_id. */
void weft_ref_run(unsigned char *const *payload, const weft_pass *pass, uint32_t substep);

static inline void weft_put_delta(weft_delta *delta, uint32_t slot, weft_vec3 d) {
  delta[slot] = (weft_delta){exact_flush(d.x), exact_flush(d.y), exact_flush(d.z)};
}

#endif
