/* rig.h: what tests of the solver share on every backend, without GL: models and solvers that fail
 * the test where they cannot be made, and what is asked of them. */
#ifndef WEFT_TESTS_RIG_H
#define WEFT_TESTS_RIG_H

#include "cmocka_all.h"
/* after cmocka */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/solver.h>

#include "model.h"
#include "solver.h"
#include "vec3d.h"

/* Whether the test is asked for its long form, of every setting with every other: scripts/test.sh
 * --long. */
static inline bool rig_long_form(void) { return getenv("WEFT_TEST_LONG") != NULL; }

/* ---- models ---- */

static inline weft_mesh rig_grid(const weft_grid_desc *grid) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (weft_mesh_grid(grid, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  return mesh;
}

static inline weft_model *rig_preprocess(const weft_model_desc *desc) {
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create(desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

/* A sheet; of `desc` all but the mesh counts. */
static inline weft_model *rig_grid_model(const weft_grid_desc *grid, weft_model_desc desc) {
  weft_mesh mesh = rig_grid(grid);
  desc.mesh = &mesh;
  weft_model *model = rig_preprocess(&desc);
  weft_mesh_free(&mesh);
  return model;
}

static inline weft_model *rig_sheet(const weft_grid_desc *grid, const char *fabric,
                                    weft_bending bending, bool no_shear, weft_pin_rule pins) {
  const weft_pin pin = {.rule = pins};
  return rig_grid_model(grid, (weft_model_desc){.material = weft_material_find(fabric),
                                                .bending = bending,
                                                .no_shear = no_shear,
                                                .pins = &pin,
                                                .pin_count = 1});
}

static inline weft_model *rig_particles(const weft_particles_desc *desc) {
  weft_model *model = NULL;
  weft_error err = {0};
  if (weft_model_create_particles(desc, &model, &err) != WEFT_OK) fail_msg("%s", err.message);
  return model;
}

/* ---- solvers ---- */

/* With guard bytes about every buffer. */
static inline weft_solver *rig_guarded(const weft_model *model, const weft_params *params,
                                       const weft_backend *backend, uint32_t guard) {
  weft_solver *solver = NULL;
  weft_error err = {0};
  if (weft_solver_create_guarded(model, params, backend, guard, &solver, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  return solver;
}

static inline weft_solver *rig_solver(const weft_model *model, const weft_params *params,
                                      const weft_backend *backend) {
  return rig_guarded(model, params, backend, 0);
}

static inline void rig_step(weft_solver *solver, uint32_t frames) {
  weft_error err = {0};
  for (uint32_t f = 0; f < frames; ++f) {
    if (weft_solver_step(solver, &err) != WEFT_OK) fail_msg("%s", err.message);
  }
}

/* Frames in which lists of self-collision stay as long as they are. */
static inline void rig_step_without_room(weft_solver *solver, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) {
    weft_solver_begin_frame(solver);
    weft_solver_run_substeps(solver, 0, weft_solver_params(solver)->substeps);
    weft_solver_end_frame(solver);
  }
}

static inline void rig_write(weft_solver *solver, const weft_vec3 *positions,
                             const weft_vec3 *velocities) {
  weft_error err = {0};
  if (weft_solver_write(solver, positions, velocities, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
}

static inline uint64_t rig_hash(weft_solver *solver) {
  uint64_t hash = 0;
  weft_error err = {0};
  if (weft_solver_hash(solver, &hash, &err) != WEFT_OK) fail_msg("%s", err.message);
  return hash;
}

static inline uint64_t rig_hash_after(const weft_model *model, const weft_params *params,
                                      const weft_backend *backend, uint32_t frames) {
  weft_solver *solver = rig_solver(model, params, backend);
  rig_step(solver, frames);
  uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

static inline weft_vec3 rig_row(weft_solver *solver, weft_buffer_id id, uint32_t particle) {
  vec4 row;
  weft_solver_read_buffer(solver, id, particle, 1, &row);
  return (weft_vec3){row.x, row.y, row.z};
}
static inline weft_vec3 rig_position(weft_solver *solver, uint32_t particle) {
  weft_vec3 x = rig_row(solver, WEFT_BUFFER_X, particle);
  return weft_solver_placed(solver, (vec4){x.x, x.y, x.z, 0});
}
static inline weft_vec3 rig_velocity(weft_solver *solver, uint32_t particle) {
  return rig_row(solver, WEFT_BUFFER_V, particle);
}

/* ---- judging ---- */

static inline void rig_near(double value, double expected, double tolerance, const char *what) {
  if (fabs(value - expected) <= tolerance) return;
  fail_msg("%s is %.9g, expected %.9g within %.3g", what, value, expected, tolerance);
}

/* Each component. */
static inline void rig_near3(weft_vec3d value, weft_vec3d expected, double tolerance,
                             const char *what) {
  rig_near(value.x, expected.x, tolerance, what);
  rig_near(value.y, expected.y, tolerance, what);
  rig_near(value.z, expected.z, tolerance, what);
}

#endif
