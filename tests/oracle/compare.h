/* compare.h: weft in doubles and the oracle, substep by substep from the same state. */
#ifndef ORACLE_COMPARE_H
#define ORACLE_COMPARE_H

#include "cmocka_all.h"
/* after cmocka */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "oracle.h"
#include "scenes.h"
#include "solver.h"

/* m. Both round each operation to 1e-16 of what it handles, and sum up in another order: 1e-13 m at
 * the end of a substep. What float rounds would be 1e-8. */
static const double allowed = 1e-11;

typedef struct comparison {
  const char *name;
  weft_scene_instance *scene; /* NULL: none that moves pins */
  weft_solver *solver;
  weft_structure structure;
  oracle *oracle;
  double *x, *v; /* [3*particles] */
  unsigned long substeps;
  double worst_x, worst_v; /* m; m/s */
} comparison;

static oracle_counts all_counts; /* of comparisons that are over */
static double all_worst_x, all_worst_v;

static inline void comparison_open(comparison *c, const char *name, const weft_model *model,
                                   const weft_params *params) {
  weft_error err = {0};
  *c = (comparison){.name = name};
  weft_params plain = *params;
  plain.plain = true;
  if (weft_solver_create(model, &plain, weft_backend_f64(), &c->solver, &err) != WEFT_OK) {
    fail_msg("%s: %s", name, err.message);
  }
  if (weft_solver_structure(c->solver, &c->structure, &err) != WEFT_OK) {
    fail_msg("%s: %s", name, err.message);
  }
  c->oracle = oracle_create(&c->structure, weft_solver_params(c->solver));
  c->x = calloc(3 * (size_t)c->structure.particle_count, sizeof *c->x);
  c->v = calloc(3 * (size_t)c->structure.particle_count, sizeof *c->v);
}

static inline void comparison_close(comparison *c) {
#define ADD(name) all_counts.name += c->oracle->counts.name;
  ORACLE_COUNTS(ADD)
#undef ADD
  all_worst_x = fmax(all_worst_x, c->worst_x);
  all_worst_v = fmax(all_worst_v, c->worst_v);
  print_message("%s: %u particles, %lu substeps, max difference %.1e m and %.1e m/s\n", c->name,
                c->structure.particle_count, c->substeps, c->worst_x, c->worst_v);
  oracle_destroy(c->oracle);
  weft_structure_free(&c->structure);
  weft_solver_destroy(c->solver);
  free(c->x);
  free(c->v);
}

static inline void comparison_read(comparison *c) {
  assert_int_equal(weft_solver_read_f64(c->solver, c->x, c->v, NULL), WEFT_OK);
}

/* Positions and velocities behind each other; friction forgets on both sides. */
static inline void comparison_write(comparison *c, const weft_vec3 *state) {
  uint32_t n = c->structure.particle_count;
  assert_int_equal(weft_solver_write(c->solver, state, state + n, NULL), WEFT_OK);
  oracle_forget(c->oracle);
}

/* Frames of weft alone, to where something happens. Written back, so that friction has
 * nothing to remember that the oracle has not seen. */
static inline void comparison_skip(comparison *c, uint32_t frames) {
  uint32_t n = c->structure.particle_count;
  weft_vec3 *state = calloc(2 * (size_t)n, sizeof *state);
  for (uint32_t f = 0; f < frames; ++f) {
    if (c->scene && c->scene->animate) c->scene->animate(c->scene, c->solver, NULL);
    assert_int_equal(weft_solver_step(c->solver, NULL), WEFT_OK);
  }
  assert_int_equal(weft_solver_read(c->solver, state, state + n, NULL), WEFT_OK);
  comparison_write(c, state);
  free(state);
}

/* Moves everything by up to so many metres and gives it speeds up to so many metres per second. */
static inline void comparison_shake(comparison *c, uint64_t seed, float metres, float speed) {
  uint32_t n = c->structure.particle_count;
  weft_vec3 *state = calloc(2 * (size_t)n, sizeof *state);
  assert_int_equal(weft_solver_read(c->solver, state, NULL, NULL), WEFT_OK);
  weft_rng rng = weft_rng_seed(seed);
  for (uint32_t i = 0; i < n; ++i) {
    if (c->structure.inverse_masses[i] == 0) continue;
    float *p[2] = {&state[i].x, &state[n + i].x};
    for (int k = 0; k < 3; ++k) {
      p[0][k] += weft_rng_float(&rng, -metres, metres);
      p[1][k] = weft_rng_float(&rng, -speed, speed);
    }
  }
  comparison_write(c, state);
  free(state);
}

/* Not a number is too far as well. */
static inline void check_particle(comparison *c, uint32_t i) {
  vec x = c->oracle->x[i], v = c->oracle->v[i];
  const double *wx = c->x + 3 * (size_t)i, *wv = c->v + 3 * (size_t)i;
  double off = distance(from3(wx), x), speed = distance(from3(wv), v);
  c->worst_x = fmax(c->worst_x, off);
  c->worst_v = fmax(c->worst_v, speed);
  if (!(off <= allowed)) {
    fail_msg(
        "%s: substep %lu, particle %u: weft is at (%.12g, %.12g, %.12g), the oracle at (%.12g, "
        "%.12g, %.12g), a distance of %.3g m",
        c->name, c->substeps, i, wx[0], wx[1], wx[2], x.x, x.y, x.z, off);
  }
  if (!(speed <= allowed / c->oracle->dt)) {
    fail_msg(
        "%s: substep %lu, particle %u: weft goes (%.12g, %.12g, %.12g), the oracle (%.12g, "
        "%.12g, %.12g) m/s, a difference of %.3g m/s",
        c->name, c->substeps, i, wv[0], wv[1], wv[2], v.x, v.y, v.z, speed);
  }
}

static inline void comparison_substep(comparison *c, const weft_frame_input *frame,
                                      uint32_t substep) {
  uint32_t n = c->structure.particle_count;
  comparison_read(c);
  for (uint32_t i = 0; i < n; ++i) {
    c->oracle->x[i] = from3(c->x + 3 * (size_t)i);
    c->oracle->v[i] = from3(c->v + 3 * (size_t)i);
  }
  weft_solver_run_substep(c->solver, substep);
  oracle_substep(c->oracle, frame, substep);
  comparison_read(c);
  for (uint32_t i = 0; i < n; ++i) check_particle(c, i);
  ++c->substeps;
}

static inline void comparison_frames(comparison *c, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) {
    weft_frame_input frame;
    if (c->scene && c->scene->animate) c->scene->animate(c->scene, c->solver, NULL);
    weft_solver_frame_input(c->solver, &frame);
    weft_solver_begin_frame(c->solver);
    for (uint32_t s = 0; s < frame.substep_count; ++s) comparison_substep(c, &frame, s);
    weft_solver_end_frame(c->solver);
    weft_frame_input_free(&frame);
  }
}

#endif
