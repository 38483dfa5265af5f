/* ref.c: which function runs a pass, on which arrays. */
#include "ref.h"

static weft_pass_function *const functions[WEFT_PASS_KIND_COUNT] = {
    [WEFT_PASS_AERO_FORCE] = weft_pass_aero_force,
    [WEFT_PASS_AERO_GATHER] = weft_pass_aero_gather,
    [WEFT_PASS_DAMP_LINEAR] = weft_pass_damp_linear,
    [WEFT_PASS_DAMP_SUM] = weft_pass_damp_sum,
    [WEFT_PASS_DAMP_ANGULAR] = weft_pass_damp_angular,
    [WEFT_PASS_DAMP_RIGID] = weft_pass_damp_rigid,
    [WEFT_PASS_DAMP_VELOCITY] = weft_pass_damp_velocity,
    [WEFT_PASS_PREDICT] = weft_pass_predict,
    [WEFT_PASS_MOVE_PINS] = weft_pass_move_pins,
    [WEFT_PASS_GRAB] = weft_pass_grab,
    [WEFT_PASS_PROJECT_DISTANCE] = weft_pass_project_distance,
    [WEFT_PASS_PROJECT_ISOMETRIC] = weft_pass_project_isometric,
    [WEFT_PASS_PROJECT_DIHEDRAL] = weft_pass_project_dihedral,
    [WEFT_PASS_PATCH] = weft_pass_patch,
    [WEFT_PASS_PROJECT_LINES] = weft_pass_project_lines,
    [WEFT_PASS_JACOBI_APPLY] = weft_pass_jacobi_apply,
    [WEFT_PASS_TETHER] = weft_pass_tether,
    [WEFT_PASS_LEVEL_GATHER] = weft_pass_level_gather,
    [WEFT_PASS_LEVEL_RESTRICT] = weft_pass_level_restrict,
    [WEFT_PASS_LEVEL_SMALL] = weft_pass_level_small,
    [WEFT_PASS_LEVEL_PROJECT] = weft_pass_level_project,
    [WEFT_PASS_LEVEL_PROLONG] = weft_pass_level_prolong,
    [WEFT_PASS_LEVEL_SPREAD] = weft_pass_level_spread,
    [WEFT_PASS_GRID_CLEAR] = weft_pass_grid_clear,
    [WEFT_PASS_GRID_COUNT] = weft_pass_grid_count,
    [WEFT_PASS_GRID_SUM] = weft_pass_grid_sum,
    [WEFT_PASS_GRID_SCAN] = weft_pass_grid_scan,
    [WEFT_PASS_GRID_FILL] = weft_pass_grid_fill,
    [WEFT_PASS_GRID_SORT] = weft_pass_grid_sort,
    [WEFT_PASS_CONTACT_FIND] = weft_pass_contact_find,
    [WEFT_PASS_CONTACT_COUNT] = weft_pass_contact_count,
    [WEFT_PASS_CONTACT_PROJECT] = weft_pass_contact_project,
    [WEFT_PASS_CONTACT_APPLY] = weft_pass_contact_apply,
    [WEFT_PASS_CONTACT_KEEP] = weft_pass_contact_keep,
    [WEFT_PASS_COLLIDE] = weft_pass_collide,
    [WEFT_PASS_UPDATE_VELOCITY] = weft_pass_update_velocity,
    [WEFT_PASS_PICK_NEAR] = weft_pass_pick_near,
    [WEFT_PASS_PICK_BEST] = weft_pass_pick_best,
};

static weft_ref point_at(unsigned char *const *p) {
  return (weft_ref){
#define WEFT_BUFFER(ID, name, element, each, scalars, use, row, quantity, instead) \
  .name = (void *)p[WEFT_BUFFER_##ID],
#include "buffers.def"
#undef WEFT_BUFFER
  };
}

void weft_ref_run(unsigned char *const *payload, const weft_pass *pass, uint32_t substep) {
  weft_ref ref = point_at(payload);
  const weft_dispatch d = {*pass, substep, (pass->variant & WEFT_VARIANT_JACOBI) != 0,
                           (pass->variant & WEFT_VARIANT_LAMBDA) != 0};
  functions[pass->kind](&ref, &d);
}
