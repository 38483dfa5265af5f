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
    [WEFT_PASS_PROJECT_DISTANCE] = weft_pass_project_distance,
    [WEFT_PASS_PROJECT_ISOMETRIC] = weft_pass_project_isometric,
    [WEFT_PASS_PROJECT_DIHEDRAL] = weft_pass_project_dihedral,
    [WEFT_PASS_JACOBI_APPLY] = weft_pass_jacobi_apply,
    [WEFT_PASS_TETHER] = weft_pass_tether,
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
};

static weft_ref point_at(unsigned char *const *p) {
  return (weft_ref){
      .u = (const void *)p[WEFT_BUFFER_UNIFORMS],
      .x = (void *)p[WEFT_BUFFER_X],
      .x_prev = (void *)p[WEFT_BUFFER_X_PREV],
      .v = (void *)p[WEFT_BUFFER_V],
      .distance = (const void *)p[WEFT_BUFFER_DISTANCE],
      .distance_xpbd = (const void *)p[WEFT_BUFFER_DISTANCE_XPBD],
      .distance_lambda = (void *)p[WEFT_BUFFER_DISTANCE_LAMBDA],
      .isometric = (const void *)p[WEFT_BUFFER_ISOMETRIC],
      .isometric_xpbd = (const void *)p[WEFT_BUFFER_ISOMETRIC_XPBD],
      .isometric_lambda = (void *)p[WEFT_BUFFER_ISOMETRIC_LAMBDA],
      .dihedral = (const void *)p[WEFT_BUFFER_DIHEDRAL],
      .dihedral_lambda = (void *)p[WEFT_BUFFER_DIHEDRAL_LAMBDA],
      .delta = (void *)p[WEFT_BUFFER_DELTA],
      .gather_offsets = (const void *)p[WEFT_BUFFER_GATHER_OFFSETS],
      .gather_slots = (const void *)p[WEFT_BUFFER_GATHER_SLOTS],
      .triangles = (const void *)p[WEFT_BUFFER_TRIANGLES],
      .forces = (void *)p[WEFT_BUFFER_FORCES],
      .corner_offsets = (const void *)p[WEFT_BUFFER_CORNER_OFFSETS],
      .corner_items = (const void *)p[WEFT_BUFFER_CORNER_ITEMS],
      .substeps = (const void *)p[WEFT_BUFFER_SUBSTEPS],
      .colliders = (const void *)p[WEFT_BUFFER_COLLIDERS],
      .pins = (const void *)p[WEFT_BUFFER_PINS],
      .motion = (void *)p[WEFT_BUFFER_MOTION],
      .tethers = (const void *)p[WEFT_BUFFER_TETHERS],
      .grid = (void *)p[WEFT_BUFFER_GRID],
      .grid_loose = (void *)p[WEFT_BUFFER_GRID_LOOSE],
      .grid_items = (void *)p[WEFT_BUFFER_GRID_ITEMS],
      .contacts = (void *)p[WEFT_BUFFER_CONTACTS],
      .contacts_kept = (void *)p[WEFT_BUFFER_CONTACTS_KEPT],
      .contact_found = (void *)p[WEFT_BUFFER_CONTACT_FOUND],
      .contact_load = (void *)p[WEFT_BUFFER_CONTACT_LOAD],
      .contact_delta = (void *)p[WEFT_BUFFER_CONTACT_DELTA],
  };
}

void weft_ref_run(unsigned char *const *payload, const weft_pass *pass, uint32_t substep) {
  weft_ref ref = point_at(payload);
  weft_dispatch d = {
      .first = pass->first,
      .count = pass->count,
      .substep = substep,
      .offset = pass->offset,
      .reset = pass->reset,
      .sense = pass->sense,
      .jacobi = (pass->variant & WEFT_VARIANT_JACOBI) != 0,
      .lambda = (pass->variant & WEFT_VARIANT_LAMBDA) != 0,
  };
  functions[pass->kind](&ref, &d);
}
