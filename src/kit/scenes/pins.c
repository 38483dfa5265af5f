/* pins.c: pins that the scene moves. */
#include "scenes_internal.h"

void weft_scene_let_go(weft_scene_instance *scene, uint32_t particle) {
  uint32_t n = weft_model_particle_count(scene->model);
  if (!scene->let_go) scene->let_go = weft_scene_keep(scene, n, sizeof *scene->let_go);
  scene->let_go[particle] = true;
}

static bool is_bound(const weft_scene_instance *scene, uint32_t particle) {
  return scene->bound && scene->bound[particle];
}

static bool is_timed(const weft_scene_instance *scene, uint32_t particle) {
  return scene->timed && scene->timed[particle];
}

bool weft_scene_leads(const weft_scene_instance *scene, uint32_t particle) {
  if (!scene->animate && !is_bound(scene, particle) && !is_timed(scene, particle)) return false;
  if (scene->let_go && scene->let_go[particle]) return false;
  return weft_model_is_pinned(scene->model, particle);
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

static bool is_animated(const weft_scene_instance *scene, uint32_t particle) {
  return weft_scene_leads(scene, particle) && !is_bound(scene, particle) &&
         !is_timed(scene, particle);
}

/* Those of them that are the caller's to move. */
static weft_result move(const weft_scene_instance *scene, weft_solver *solver,
                        bool (*moves)(const weft_scene_instance *scene, uint32_t particle),
                        const uint32_t *particles, const weft_vec3 *targets, uint32_t count,
                        weft_error *err) {
  weft_result result = WEFT_OK;
  if (weft_model_part_count(weft_solver_model(solver)) > 1) {
    return move_parts(solver, particles, targets, count, err);
  }
  for (uint32_t k = 0, end = 0; k < count && result == WEFT_OK; k = end + 1) {
    for (end = k; end < count && moves(scene, particles[end]);) ++end;
    result = weft_solver_move_pins(solver, particles + k, targets + k, end - k, err);
  }
  return result;
}

weft_result weft_scene_move_pins(const weft_scene_instance *scene, weft_solver *solver,
                                 const uint32_t *particles, const weft_vec3 *targets,
                                 uint32_t count, weft_error *err) {
  return move(scene, solver, is_animated, particles, targets, count, err);
}

/* Held by the solver, be it softly. */
weft_result weft_scene_move_timed(const weft_scene_instance *scene, weft_solver *solver,
                                  const uint32_t *particles, const weft_vec3 *targets,
                                  uint32_t count, weft_error *err) {
  return move(scene, solver, weft_scene_leads, particles, targets, count, err);
}
