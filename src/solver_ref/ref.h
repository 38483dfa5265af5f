/* ref.h: the reference backend: the buffers as typed arrays, and one function a pass.
 *
 * Each pass_NAME.c is the twin of shaders/solver/NAME.comp: the same statements in the same order,
 * the invocations run one after the other. All of it is compiled twice: src/solver_f64/double.h has
 * `float` mean double for the backend f64. */
#ifndef WEFT_REF_H
#define WEFT_REF_H

#include "backend.h"
#include "exact.h"

typedef struct weft_ref {
  const weft_uniforms *u;
  vec4 *x, *x_prev, *v;
  const weft_distance *distance;
  const weft_xpbd *distance_xpbd;
  float *distance_lambda;
  const weft_isometric *isometric;
  const weft_xpbd *isometric_xpbd;
  vec4 *isometric_lambda;
  const weft_dihedral *dihedral;
  float *dihedral_lambda;
  float *delta;
  const uint32_t *gather_offsets, *gather_slots;
  const uint32_t *triangles;
  vec4 *forces;
  const uint32_t *corner_offsets, *corner_items;
  const weft_substep *substeps;
  const weft_collider_pose *colliders;
  const weft_pin_path *pins;
  weft_motion *motion;
  const weft_tether *tethers;
  vec4 *level_x, *level_base;
  const weft_distance *level_edges;
  const uint32_t *level_offsets;
  const weft_level_child *level_children;
  const weft_level_parents *level_parents, *level_node_parents;
  const weft_level_step *level_steps;
  const weft_line_edge *line_edges;
  const weft_line_bundle *line_bundles;
  float *line_lambda;
  uint32_t *grid, *grid_loose, *grid_items;
  weft_neighbour *contacts, *contacts_kept;
  uint32_t *contact_found, *contact_load;
  float *contact_delta;
  const weft_grab *grab;
  const uint32_t *patch_words;
  const weft_patch_distance *patch_distance;
  const weft_patch_quad *patch_quad;
  const vec4 *patch_weights;
  const weft_xpbd *patch_xpbd;
  float *patch_lambda;
  const weft_pick_ray *pick_ray;
  weft_pick *pick;
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

static inline void weft_put_delta(float *delta, uint32_t slot, weft_vec3 d) {
  delta[3 * (size_t)slot] = exact_flush(d.x);
  delta[3 * (size_t)slot + 1] = exact_flush(d.y);
  delta[3 * (size_t)slot + 2] = exact_flush(d.z);
}

#endif
