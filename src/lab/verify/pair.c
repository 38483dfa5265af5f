/* pair.c: one scene on both backends, held in step. */
#include <string.h>

#include "verify_internal.h"

weft_result weft_pair_open(const weft_verify_request *request, weft_pair *pair, weft_error *err) {
  *pair = (weft_pair){0};
  weft_result result = request->make_scene(request->user, &pair->scene, err);
  if (result == WEFT_OK) {
    result = weft_solver_create(pair->scene.model, &pair->scene.params, weft_backend_ref(),
                                &pair->ref, err);
  }
  if (result == WEFT_OK) {
    result = weft_solver_create(pair->scene.model, &pair->scene.params, request->backend,
                                &pair->other, err);
  }
  if (result != WEFT_OK) {
    weft_pair_close(pair);
    return result;
  }
  pair->particles = weft_model_particle_count(pair->scene.model);
  weft_kept_state_alloc(pair->ref, &pair->before);
  weft_kept_state_alloc(pair->ref, &pair->at_ref);
  weft_kept_state_alloc(pair->ref, &pair->at_other);
  weft_solver_keep_elements(pair->ref, &pair->before);
  return WEFT_OK;
}

void weft_pair_close(weft_pair *pair) {
  weft_solver_destroy(pair->ref);
  weft_solver_destroy(pair->other);
  weft_scene_free(&pair->scene);
  weft_kept_state_free(&pair->before);
  weft_kept_state_free(&pair->at_ref);
  weft_kept_state_free(&pair->at_other);
  *pair = (weft_pair){0};
}

weft_result weft_pair_begin_frame(weft_pair *pair, weft_error *err) {
  weft_result result = weft_scene_lead(&pair->scene, pair->ref, err);
  if (result == WEFT_OK) result = weft_scene_lead(&pair->scene, pair->other, err);
  if (result != WEFT_OK) return result;
  const weft_vec3d from = weft_solver_origin(pair->ref);
  weft_solver_begin_frame(pair->ref);
  weft_solver_begin_frame(pair->other);
  const weft_vec3d to = weft_solver_origin(pair->ref);
  bool moved = from.x != to.x || from.y != to.y || from.z != to.z;
  if (moved) weft_solver_keep_elements(pair->ref, &pair->before);
  return WEFT_OK;
}

void weft_pair_end_frame(weft_pair *pair) {
  weft_solver_end_frame(pair->ref);
  weft_solver_end_frame(pair->other);
}

/* Scratch that a pass fills only in part: what an earlier substep left in the rest must not look
 * like a difference. */
static void copy_scratch(weft_pair *pair) {
  for (int k = 0; k < WEFT_BUFFER_COUNT; ++k) {
    weft_buffer_id id = (weft_buffer_id)k;
    if (weft_buffer_infos[k].use != WEFT_USE_SCRATCH) continue;
    uint64_t count = weft_solver_buffer_count(pair->ref, id);
    void *elements = weft_alloc((size_t)count, weft_buffer_infos[k].stride);
    weft_solver_read_buffer(pair->ref, id, 0, count, elements);
    weft_solver_write_buffer(pair->other, id, 0, count, elements);
    weft_free(elements);
  }
}

void weft_pair_restore(weft_pair *pair) {
  weft_solver_restore_elements(pair->ref, &pair->before);
  weft_solver_restore_elements(pair->other, &pair->before);
  copy_scratch(pair);
}
