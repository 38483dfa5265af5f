/* case_energy.c: the energy of a double pendulum over a minute.
 *
 * The method takes energy out of a swing, less with shorter substeps. Rounding puts it in and takes
 * it out at random, more with shorter substeps. */
#include <math.h>

#include "cases.h"
#include "hung.h"
#include "orders.h"

enum { FRAMES = 3600, EVERY = 30, POINTS = FRAMES / EVERY + 1, SYSTEM = 2 };
static const uint32_t few = 200, many = 1000; /* substeps per frame */
static const double frame_dt = (double)(1.0f / 60.0f);

typedef struct drift {
  double time[POINTS], gained[POINTS]; /* every half second, part of the energy above hanging */
  double max;                          /* of what is gained or lost at the end of any frame */
} drift;

static double energy_of(const weft_rig *rig, const weft_hung *system) {
  double energy = 0;
  for (uint32_t i = 0; i < system->links; ++i) {
    weft_vec3d x = weft_rig_at(rig, i + 1), v = weft_v3d_at(&rig->v[3 * (i + 1)]);
    energy += system->mass[i] * (WEFT_PHYSICS_G * x.y + 0.5 * weft_v3d_dot(v, v));
  }
  return energy;
}

static double energy_at_rest(const weft_hung *system) {
  double energy = 0, depth = 0;
  for (uint32_t i = 0; i < system->links; ++i) {
    depth += system->length[i];
    energy -= system->mass[i] * WEFT_PHYSICS_G * depth;
  }
  return energy;
}

static void swing(weft_physics_run *run, uint32_t substeps, bool pairs, drift *d) {
  const weft_hung *system = &weft_hung_systems[SYSTEM];
  weft_params params = {.substeps = substeps, .compensated = pairs};
  if (run->place == WEFT_PHYSICS_GL) params.schedule = WEFT_SCHEDULE_SINGLE; /* the same bits */
  weft_model *model = weft_hung_model(run, system, 1);
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  double first = model ? energy_of(&rig, system) : 0, room = first - energy_at_rest(system);
  d->max = 0;
  for (int f = 0; f <= FRAMES && weft_physics_ok(run); ++f) {
    if (f) weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    double gained = (energy_of(&rig, system) - first) / room;
    d->max = fmax(d->max, fabs(gained));
    if (f % EVERY) continue;
    d->time[f / EVERY] = f * frame_dt;
    d->gained[f / EVERY] = gained;
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void plot(weft_physics_run *run, const char *name, const drift *d) {
  uint32_t at = weft_physics_plot(
      run, &(weft_physics_axes){"Energy of a double pendulum that is gained", "time (s)",
                                "part of the energy above hanging", false, false, false});
  weft_physics_curve(run, at, name, POINTS, d->time, d->gained);
}

static void claim(weft_physics_run *run, uint32_t substeps) {
  static drift here, doubles;
  bool wide = weft_physics_is_double(run);
  weft_physics_run f64 = weft_order_in_doubles(run);
  swing(&f64, substeps, false, &doubles);
  weft_order_join(run, &f64);
  here = doubles;
  if (!wide) swing(run, substeps, true, &here);
  plot(run, weft_physics_text("%u substeps", substeps), &here);
  weft_physics_expect(run, weft_physics_text("most gained or lost in 60 s, %u substeps", substeps),
                      "", here.max, doubles.max, doubles.max,
                      "the same substeps in double precision",
                      "as much again, so twice that of doubles: chaos parts the two after seconds, "
                      "and what a substep costs depends on how fast a link turns");
}

static void energy(weft_physics_run *run) {
  claim(run, few);
  if (run->place == WEFT_PHYSICS_GL) return; /* 3.6 million substeps are too long there */
  claim(run, many);
  if (run->place != WEFT_PHYSICS_REF) return;
  static drift single;
  swing(run, many, false, &single);
  plot(run, weft_physics_text("%u substeps, single floats", many), &single);
  weft_physics_note(run, weft_physics_text("most gained or lost, %u substeps, single floats", many),
                    "", single.max, "no claim: many times that of doubles, what pairs are for");
}

const weft_physics_case weft_case_energy = {
    "energy", "A double pendulum keeps its energy for a minute as well as in doubles",
    "A frictionless pendulum of two links, let go from above its pivot, turns over for 60 s; "
    "measured is "
    "the sum of its kinetic and potential energy. A substep costs energy in proportion to its "
    "length. Pairs of floats lose what doubles lose. Single floats gain and lose it at random: "
    "half an ulp of a position over dt kicks the velocity in every substep.",
    energy};
