/* case.h: what the author of a case writes with.
 *
 * A case is a function that builds models, simulates and reports; it is called once for each place.
 * The first thing that goes wrong is kept in the run, everything after it does nothing, and the
 * case counts as failed there: a case needs no error handling of its own. To add one, write a
 * const weft_physics_case in a case_*.c and name it in the table in cases.c. */
#ifndef WEFT_PHYSICS_CASE_H
#define WEFT_PHYSICS_CASE_H

#include "physics.h"
#include "solver.h"
#include "vec3d.h"

typedef struct weft_physics_run {
  weft_physics_place place;
  const weft_backend *backend;
  weft_error err; /* the first failure; code WEFT_OK: none */
  weft_physics_result *result;
} weft_physics_run;

static inline bool weft_physics_ok(const weft_physics_run *run) { return run->err.code == WEFT_OK; }
static inline bool weft_physics_is_double(const weft_physics_run *run) {
  return run->place == WEFT_PHYSICS_F64;
}

/* ---- reporting; texts are copied ---- */

/* One row. `what` names it within its case: rows of the same name from different places are one. */
void weft_physics_expect(weft_physics_run *run, const char *what, const char *unit, double measured,
                         double expected, double allowed, const char *source, const char *why);
/* A figure about which nothing is claimed. */
void weft_physics_note(weft_physics_run *run, const char *what, const char *unit, double measured,
                       const char *remark);
/* Text for the above: "20 substeps, from 2 m" in one of a few turning buffers. */
const char *weft_physics_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A plot of this title, new or begun before, and a curve in it. Theory is the same at every place
 * and kept once. */
uint32_t weft_physics_plot(weft_physics_run *run, const weft_physics_axes *axes);
void weft_physics_curve(weft_physics_run *run, uint32_t plot, const char *name, uint32_t count,
                        const double *x, const double *y);
void weft_physics_theory(weft_physics_run *run, uint32_t plot, const char *name, uint32_t count,
                         const double *x, const double *y);

/* ---- simulating ---- */

/* A solver of a model, and the state it was last read in, as doubles. */
typedef struct weft_rig {
  weft_physics_run *run;
  const weft_model *model;
  weft_solver *solver; /* NULL once the run has failed */
  uint32_t count;      /* particles */
  double *x, *v;       /* [3*count] */
} weft_rig;

static inline weft_vec3d weft_rig_at(const weft_rig *rig, uint32_t particle) {
  return weft_v3d_at(rig->x + 3 * (size_t)particle);
}

/* Opens a solver and reads its state. On failure the rig does nothing; x and v are zeros. */
void weft_rig_open(weft_physics_run *run, const weft_model *model, const weft_params *params,
                   weft_rig *rig);
void weft_rig_close(weft_rig *rig);
void weft_rig_step(weft_rig *rig, uint32_t frames);
/* A frame in which lists of self-collision stay as long as they are. */
void weft_rig_step_without_room(weft_rig *rig);
void weft_rig_read(weft_rig *rig);
void weft_rig_write(weft_rig *rig, const weft_vec3 *positions, const weft_vec3 *velocities);
/* The same in doubles, three each. */
void weft_rig_write_f64(weft_rig *rig, const double *positions, const double *velocities);
double weft_rig_dt(const weft_rig *rig); /* of a substep, as the solver has it */

/* One frame, read before and after its last substep: what a constraint did in that step is
 * v1 - v0 - dt g. v0 and v1 are [3*count]. */
void weft_rig_step_watched(weft_rig *rig, double *v0, double *v1);

weft_model *weft_physics_particles(weft_physics_run *run, const weft_particles_desc *desc);
weft_model *weft_physics_sheet(weft_physics_run *run, const weft_grid_desc *grid,
                               const char *fabric, weft_bending bending, bool no_shear,
                               weft_pin_rule pins);

/* A chain from `top`, straight along `direction` (unit), links + 1 particles of which the first is
 * pinned. lengths and masses of each link and the particle below it. */
weft_model *weft_physics_chain(weft_physics_run *run, uint32_t links, const float *lengths,
                               const float *masses, float compliance, const double *direction);

/* ---- judging ---- */

/* Momenta of moves or velocities, and the sums of their sizes: what could have come of them. */
typedef struct weft_momenta {
  weft_vec3d linear;  /* sum of m d */
  weft_vec3d angular; /* sum of m x cross d, about the origin */
  double size;        /* sum of m |d| */
} weft_momenta;
/* Adds what a mass m at x has by d. */
void weft_momenta_add(weft_momenta *sums, double m, weft_vec3d x, weft_vec3d d);
/* Of all that has moved in a rig since its positions were `before`, [3*count]. */
weft_momenta weft_rig_momenta(const weft_rig *rig, const double *before);

/* Least-squares slope of log y against log x: the order of convergence. */
double weft_physics_slope(uint32_t count, const double *x, const double *y);
/* Half an ulp of a float of this size. */
double weft_half_ulp(double size);

#endif
