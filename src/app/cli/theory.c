/* theory.c: swing.h beside a solver, drawn by the renderer's trails and ghost. */
#include "theory.h"

#include "drawing.h"
#include "solver_gl.h"

enum { POINTS = 90, MAX_TRAILS = 256 }; /* frames a trail goes back */

struct weft_cli_theory {
  weft_swing *swing; /* NULL: theory has nothing to say of this state */
  weft_ghost *ghost;
  weft_trails *trails;
  weft_vec3 *positions, *velocities; /* [particle_count], scratch */
  double distance;                   /* m; negative: not measured */
};

/* ---- trails: of particles at the free end of a chain ---- */

static uint32_t links_at(const weft_model *model, uint32_t particle) {
  const weft_link *links = weft_model_links(model);
  uint32_t count = 0;
  for (uint32_t k = 0; k < weft_model_link_count(model); ++k) {
    count += links[k].a == particle || links[k].b == particle;
  }
  return count;
}

static weft_result make_trails(const weft_scene_instance *scene, weft_gl *gl, weft_trails **trails,
                               weft_error *err) {
  const weft_scene_drawing *how = &scene->drawing;
  const float *w = weft_model_inverse_masses(scene->model);
  uint32_t count = 0;
  weft_trail *rows = weft_alloc(MAX_TRAILS, sizeof *rows);
  for (uint32_t i = 0; i < weft_model_particle_count(scene->model) && count < MAX_TRAILS; ++i) {
    if (w[i] == 0 || links_at(scene->model, i) != 1) continue;
    float radius = how->radii ? how->radii[i] : weft_model_radius(scene->model);
    rows[count++] = (weft_trail){i, 0.4f * radius, how->colours ? how->colours[i] : 0x808080, 0};
  }
  weft_result result = count ? weft_trails_create(gl, rows, count, POINTS, trails, err) : WEFT_OK;
  weft_free(rows);
  return result;
}

static void record(weft_cli_theory *t, const weft_solver *solver) {
  weft_gl_view view;
  if (t->trails && weft_solver_gl_view(solver, WEFT_BUFFER_X, &view)) {
    weft_trails_record(t->trails, &view, weft_v3d_round(weft_solver_origin(solver)));
  }
}

/* ---- life ---- */

static weft_result make_ghost(const weft_scene_instance *scene, weft_gl *gl, weft_ghost **ghost,
                              weft_error *err) {
  weft_renderer_desc desc = {0};
  weft_cli_drawing drawing;
  weft_cli_drawing_of(scene, &desc, &drawing);
  weft_result result = weft_ghost_create(gl, &desc, ghost, err);
  weft_cli_drawing_free(&drawing);
  return result;
}

weft_result weft_cli_theory_open(const weft_scene_instance *scene, weft_solver *solver, weft_gl *gl,
                                 weft_cli_theory **theory, weft_error *err) {
  *theory = NULL;
  if (!scene->swings) return WEFT_OK;
  uint32_t n = weft_model_particle_count(scene->model);
  weft_cli_theory *t = weft_alloc(1, sizeof *t);
  t->positions = weft_alloc(n, sizeof *t->positions);
  t->velocities = weft_alloc(n, sizeof *t->velocities);
  weft_result result = make_trails(scene, gl, &t->trails, err);
  if (result == WEFT_OK) result = make_ghost(scene, gl, &t->ghost, err);
  if (result != WEFT_OK) {
    weft_cli_theory_close(t);
    return result;
  }
  weft_cli_theory_restart(t, solver, true);
  *theory = t;
  return WEFT_OK;
}

void weft_cli_theory_close(weft_cli_theory *t) {
  if (!t) return;
  weft_swing_destroy(t->swing);
  weft_ghost_destroy(t->ghost);
  weft_trails_destroy(t->trails);
  weft_free(t->positions);
  weft_free(t->velocities);
  weft_free(t);
}

/* ---- running ---- */

static void place(weft_cli_theory *t) {
  if (!t->swing) return;
  weft_swing_positions(t->swing, t->positions);
  weft_ghost_place(t->ghost, t->positions);
}

void weft_cli_theory_step(weft_cli_theory *t, weft_solver *solver) {
  if (!t) return;
  record(t, solver);
  if (t->swing) weft_swing_advance(t->swing, (double)weft_solver_params(solver)->frame_dt);
  place(t);
}

void weft_cli_theory_restart(weft_cli_theory *t, weft_solver *solver, bool forget_trails) {
  if (!t) return;
  weft_error err = {0};
  weft_swing_destroy(t->swing);
  t->swing = NULL;
  t->distance = -1;
  weft_result result = weft_solver_read(solver, t->positions, t->velocities, &err);
  if (result == WEFT_OK) {
    result = weft_swing_create(weft_solver_model(solver), weft_solver_params(solver), t->positions,
                               t->velocities, &t->swing, &err);
  }
  if (result != WEFT_OK) weft_log(WEFT_LOG_INFO, "no theory beside it: %s", err.message);
  if (forget_trails && t->trails) {
    weft_trails_forget(t->trails);
    record(t, solver);
  }
  place(t);
}

double weft_cli_theory_measure(weft_cli_theory *t, weft_solver *solver) {
  if (!t) return -1;
  t->distance = -1;
  if (t->swing && weft_solver_read(solver, t->positions, NULL, NULL) == WEFT_OK) {
    t->distance = weft_swing_distance(t->swing, t->positions);
  }
  return t->distance;
}

void weft_cli_theory_show(const weft_cli_theory *t, bool trails, bool analytic,
                          weft_picture *picture) {
  if (!t) return;
  if (trails) picture->trails = t->trails;
  if (!analytic || !t->swing) return;
  picture->ghost = t->ghost;
  picture->ghost_distance = t->distance;
}
