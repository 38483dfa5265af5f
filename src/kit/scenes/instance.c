/* instance.c: a scene while it is there: its frames and its end. */
#include "scenes_internal.h"

void weft_scene_free(weft_scene_instance *instance) {
  if (!instance) return;
  weft_model_destroy(instance->model);
  weft_model_destroy(instance->single);
  weft_mesh_free(&instance->mesh);
  weft_free(instance->colliders);
  weft_scene_free_bonds(instance->bonds);
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

weft_vec3 *weft_scene_start_room(weft_scene_instance *scene) {
  return weft_scene_keep(scene, weft_model_particle_count(scene->model), sizeof(weft_vec3));
}

weft_collider_key *weft_scene_key_room(weft_scene_instance *scene, uint32_t count) {
  return weft_scene_keep(scene, count, sizeof(weft_collider_key));
}

weft_result weft_scene_hold(const weft_scene_instance *scene, const weft_model *model,
                            double target, unsigned kept, weft_params *params,
                            weft_strain_choice *choice, weft_error *err) {
  weft_result result = weft_params_choose_for_strain(model, target, kept, params, choice, err);
  if (result != WEFT_OK || !(choice->target > 0) || (kept & WEFT_KEEP_SUBSTEPS)) return result;
  if (params->substeps >= scene->least_substeps) return WEFT_OK;
  params->substeps = scene->least_substeps;
  /* Of which all else is chosen anew. */
  result =
      weft_params_choose_for_strain(model, target, kept | WEFT_KEEP_SUBSTEPS, params, choice, err);
  choice->kept = kept;
  return result;
}

weft_result weft_scene_hold_own(weft_scene_instance *s, bool plain, weft_error *err) {
  s->params.plain = plain;
  if (plain) return WEFT_OK;
  return weft_scene_hold(s, s->model, 0, 0, &s->params, &s->held, err);
}

weft_result weft_scene_lead(weft_scene_instance *scene, weft_solver *solver, weft_error *err) {
  weft_result result = scene->animate ? scene->animate(scene, solver, err) : WEFT_OK;
  if (result == WEFT_OK) result = weft_scene_move_bodies(scene, solver, err);
  return result == WEFT_OK ? weft_scene_lead_timeline(scene, solver, err) : result;
}

weft_result weft_scene_step(weft_scene_instance *scene, weft_solver *solver, weft_error *err) {
  weft_result result = weft_scene_lead(scene, solver, err);
  return result == WEFT_OK ? weft_solver_step(solver, err) : result;
}
