/* instance.c: a scene while it is there: its pins, its frames and its end. */
#include "scenes_internal.h"

void weft_scene_free(weft_scene_instance *instance) {
  if (!instance) return;
  weft_model_destroy(instance->model);
  weft_model_destroy(instance->single);
  weft_mesh_free(&instance->mesh);
  weft_free(instance->colliders);
  weft_scene_free_bodies(instance);
  weft_scene_figure_free(instance->figure);
  weft_scene_store *store = instance->storage;
  if (store) {
    for (size_t k = 0; k < store->count; ++k) weft_free(store->blocks[k]);
    weft_free(store->blocks);
    weft_free(store->props);
    weft_free(store);
  }
  *instance = (weft_scene_instance){0};
}

weft_result weft_scene_hold(const weft_scene_instance *scene, const weft_model *model,
                            double target, unsigned kept, weft_params *params,
                            weft_strain_choice *choice, weft_error *err) {
  weft_result result = weft_params_hold_strain(model, target, kept, params, choice, err);
  if (result != WEFT_OK || !(choice->target > 0) || (kept & WEFT_KEEP_SUBSTEPS)) return result;
  if (params->substeps < scene->least_substeps) params->substeps = scene->least_substeps;
  return WEFT_OK;
}

weft_result weft_scene_hold_own(weft_scene_instance *s, bool plain, weft_error *err) {
  if (plain) return WEFT_OK;
  return weft_scene_hold(s, s->model, 0, 0, &s->params, &s->held, err);
}

/* ---- pins that the scene moves ---- */

void weft_scene_let_go(weft_scene_instance *scene, uint32_t particle) {
  uint32_t n = weft_model_particle_count(scene->model);
  if (!scene->let_go) scene->let_go = weft_scene_keep(scene, n, sizeof *scene->let_go);
  scene->let_go[particle] = true;
}

bool weft_scene_leads(const weft_scene_instance *scene, uint32_t particle) {
  if (!scene->animate || (scene->let_go && scene->let_go[particle])) return false;
  return weft_model_inverse_masses(scene->model)[particle] == 0;
}

/* The same in every part of a joined model. */
static weft_result move_parts(weft_solver *solver, const uint32_t *particles,
                              const weft_vec3 *targets, uint32_t count, weft_error *err) {
  const weft_model *model = weft_solver_model(solver);
  uint32_t parts = weft_model_part_count(model), n = weft_model_particle_count(model) / parts;
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < count * parts && result == WEFT_OK; ++k) {
    uint32_t particle = particles[k % count] + k / count * n;
    result = weft_solver_move_pins(solver, &particle, &targets[k % count], 1, err);
  }
  return result;
}

weft_result weft_scene_move_pins(const weft_scene_instance *scene, weft_solver *solver,
                                 const uint32_t *particles, const weft_vec3 *targets,
                                 uint32_t count, weft_error *err) {
  weft_result result = WEFT_OK;
  if (weft_model_part_count(weft_solver_model(solver)) > 1) {
    return move_parts(solver, particles, targets, count, err);
  }
  for (uint32_t k = 0, end = 0; k < count && result == WEFT_OK; k = end + 1) {
    for (end = k; end < count && weft_scene_leads(scene, particles[end]);) ++end;
    result = weft_solver_move_pins(solver, particles + k, targets + k, end - k, err);
  }
  return result;
}

weft_result weft_scene_lead(weft_scene_instance *scene, weft_solver *solver, weft_error *err) {
  weft_result result = scene->animate ? scene->animate(scene, solver, err) : WEFT_OK;
  return result == WEFT_OK ? weft_scene_move_bodies(scene, solver, err) : result;
}

weft_result weft_scene_step(weft_scene_instance *scene, weft_solver *solver, weft_error *err) {
  weft_result result = weft_scene_lead(scene, solver, err);
  return result == WEFT_OK ? weft_solver_step(solver, err) : result;
}
