/* rig.c: solvers and models for cases. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "case.h"

/* A case whose model could not be made goes on, and reads the places its particles would have. */
enum { ROOM_WITHOUT_MODEL = 1024 };

void weft_rig_open(weft_physics_run *run, const weft_model *model, const weft_params *params,
                   weft_rig *rig) {
  *rig = (weft_rig){.run = run, .model = model};
  rig->count = model ? weft_model_particle_count(model) : 1;
  size_t room = model ? rig->count : ROOM_WITHOUT_MODEL;
  rig->x = weft_alloc(3 * room, sizeof *rig->x);
  rig->v = weft_alloc(3 * room, sizeof *rig->v);
  if (!weft_physics_ok(run)) return;
  weft_params plain = params ? *params : (weft_params){0};
  plain.plain = true; /* what is measured is what a case says */
  weft_solver_create(model, &plain, run->backend, &rig->solver, &run->err);
  weft_rig_read(rig);
}

void weft_rig_close(weft_rig *rig) {
  weft_solver_destroy(rig->solver);
  weft_free(rig->x);
  weft_free(rig->v);
  *rig = (weft_rig){0};
}

void weft_rig_step(weft_rig *rig, uint32_t frames) {
  for (uint32_t f = 0; f < frames && weft_physics_ok(rig->run); ++f) {
    weft_solver_step(rig->solver, &rig->run->err);
  }
}

void weft_rig_step_without_room(weft_rig *rig) {
  if (!weft_physics_ok(rig->run)) return;
  weft_solver_begin_frame(rig->solver);
  weft_solver_run_substeps(rig->solver, 0, weft_solver_params(rig->solver)->substeps);
  weft_solver_end_frame(rig->solver);
}

static void read_state(weft_rig *rig, double *x, double *v) {
  if (!weft_physics_ok(rig->run)) return;
  weft_solver_read_f64(rig->solver, x, v, &rig->run->err);
}

void weft_rig_read(weft_rig *rig) { read_state(rig, rig->x, rig->v); }

void weft_rig_write(weft_rig *rig, const weft_vec3 *positions, const weft_vec3 *velocities) {
  if (!weft_physics_ok(rig->run)) return;
  weft_solver_write(rig->solver, positions, velocities, &rig->run->err);
  weft_rig_read(rig);
}

void weft_rig_write_f64(weft_rig *rig, const double *positions, const double *velocities) {
  if (!weft_physics_ok(rig->run)) return;
  weft_solver_write_f64(rig->solver, positions, velocities, &rig->run->err);
  weft_rig_read(rig);
}

double weft_rig_dt(const weft_rig *rig) {
  if (!rig->solver) return 1;
  const weft_params *p = weft_solver_params(rig->solver);
  return (double)p->frame_dt / p->substeps;
}

void weft_rig_step_watched(weft_rig *rig, double *v0, double *v1) {
  if (!weft_physics_ok(rig->run)) return;
  uint32_t last = weft_solver_params(rig->solver)->substeps - 1;
  weft_solver_begin_frame(rig->solver);
  for (uint32_t s = 0; s < last; ++s) weft_solver_run_substep(rig->solver, s);
  read_state(rig, NULL, v0);
  weft_solver_run_substep(rig->solver, last);
  read_state(rig, NULL, v1);
  weft_solver_end_frame(rig->solver);
}

void weft_momenta_add(weft_momenta *sums, double m, weft_vec3d x, weft_vec3d d) {
  sums->linear = weft_v3d_add_scaled(sums->linear, m, d);
  sums->angular = weft_v3d_add_scaled(sums->angular, m, weft_v3d_cross(x, d));
  sums->size += m * weft_v3d_length(d);
}

weft_momenta weft_rig_momenta(const weft_rig *rig, const double *before) {
  weft_momenta sums = {0};
  for (uint32_t i = 0; i < rig->count; ++i) {
    weft_vec3d x = weft_v3d_at(before + 3 * (size_t)i);
    weft_momenta_add(&sums, (double)rig->model->masses[i], x, weft_v3d_sub(weft_rig_at(rig, i), x));
  }
  return sums;
}

/* ---- models ---- */

weft_model *weft_physics_sheet(weft_physics_run *run, const weft_grid_desc *grid,
                               const char *fabric, weft_bending bending, bool no_shear,
                               weft_pin_rule pins) {
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  weft_pin pin = {.rule = pins};
  weft_model_desc desc = {.mesh = &mesh,
                          .material = weft_material_find(fabric),
                          .bending = bending,
                          .no_shear = no_shear,
                          .pins = &pin,
                          .pin_count = 1};
  if (weft_physics_ok(run) && weft_mesh_grid(grid, &mesh, &run->err) == WEFT_OK) {
    weft_model_create(&desc, &model, &run->err);
  }
  weft_mesh_free(&mesh);
  return model;
}

weft_model *weft_physics_particles(weft_physics_run *run, const weft_particles_desc *desc) {
  weft_model *model = NULL;
  if (weft_physics_ok(run)) weft_model_create_particles(desc, &model, &run->err);
  return model;
}

weft_model *weft_physics_chain(weft_physics_run *run, uint32_t links, const float *lengths,
                               const float *masses, float compliance, const double *direction) {
  weft_vec3 *positions = weft_alloc((size_t)links + 1, sizeof *positions);
  float *all_masses = weft_alloc((size_t)links + 1, sizeof *all_masses);
  weft_link *list = weft_alloc(links, sizeof *list);
  double along = 0;
  for (uint32_t i = 0; i < links; ++i) {
    along += (double)lengths[i];
    positions[i + 1] = weft_v3((float)(along * direction[0]), (float)(along * direction[1]),
                               (float)(along * direction[2]));
    all_masses[i + 1] = masses[i];
    list[i] = (weft_link){.a = i, .b = i + 1, .rest_length = lengths[i], .compliance = compliance};
  }
  weft_model *model =
      weft_physics_particles(run, &(weft_particles_desc){.particle_count = links + 1,
                                                         .positions = positions,
                                                         .masses = all_masses,
                                                         .links = list,
                                                         .link_count = links});
  weft_free(positions);
  weft_free(all_masses);
  weft_free(list);
  return model;
}
