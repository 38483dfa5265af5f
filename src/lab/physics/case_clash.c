/* case_clash.c: sheets that are thrown at each other, and substeps in which nothing may move. */
#include <math.h>

#include "base.h"
#include "cases.h"
#include "stack.h"

enum { SIDE = 8, MEETS = 3, FRAMES = 7 }; /* they meet in about the third frame */
static const double frame_dt = (double)(1.0f / 60.0f);
static const double thickness = 0.003, edge = 0.020;

/* Two equal sheets, one over the other. */
static weft_stack two_sheets(double apart) {
  const weft_sheet low = {.rows = SIDE, .columns = SIDE, .edge = edge};
  weft_stack stack = {.count = 2, .sheets = {low, low}};
  stack.sheets[1].height = apart;
  stack.sheets[1].x = 0.3 * edge;
  stack.sheets[1].askew = 0.3;
  return stack;
}

static const weft_params free_flight = {
    .self_collision = true, .self_thickness = 0.003f, .no_gravity = true};

/* ---- collisions ---- */

typedef struct clash {
  const char *name;
  double lower, upper; /* speeds upwards, of the speed at which they come together */
} clash;

static void claim_clash(weft_physics_run *run, const clash *c, double speed, uint32_t substeps) {
  weft_stack stack = two_sheets(thickness + speed * MEETS * frame_dt);
  weft_model *model = weft_stack_model(run, &stack);
  weft_params params = free_flight;
  params.substeps = substeps;
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_stack_throw(&rig, &stack, (const double[]){c->lower * speed, c->upper * speed});
  weft_stack_motion before = weft_stack_move(&rig, &stack), now = before;
  double grown = 0;
  for (int f = 0; f < FRAMES; ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    now = weft_stack_move(&rig, &stack);
    grown = fmax(grown, now.energy / before.energy - 1);
  }
  double parting = (weft_stack_mean(&rig, &stack, 1).height_speed -
                    weft_stack_mean(&rig, &stack, 0).height_speed) /
                   speed;
  const char *what = weft_physics_text("%s, %g m/s, %u substeps", c->name, speed, substeps);
  weft_physics_expect(run, weft_physics_text("%s: momentum", what), "",
                      now.momentum / before.momentum, 1, 0.005,
                      "what two sheets do to each other cancels: of that before",
                      "0.5 %: moves are cut for each side on its own");
  weft_physics_expect(run, weft_physics_text("%s: energy gained", what), "", grown, 0, 0.01,
                      "0: a collision takes kinetic energy and makes none; the most in any frame",
                      "1 %: cloth that is cut short moves on at once when it is free");
  weft_physics_expect(run, weft_physics_text("%s: speed apart", what), "", parting, 0.125, 0.125,
                      "0 to a quarter of the speed at which they met", "cloth hardly rebounds");
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void clashes(weft_physics_run *run) {
  static const clash kinds[] = {{"both fly", 1.5, 0.5}, {"one at rest", 1, 0}};
  static const double speeds[] = {0.1, 1, 3};
  static const uint32_t substeps[] = {5, 20, 80};
  for (int k = 0; k < 2; ++k) {
    for (int v = 0; v < 3; ++v) {
      for (int s = 0; s < 3; ++s) {
        bool often = substeps[s] == 80 || k == 1;
        if (often && run->place == WEFT_PHYSICS_GL) continue; /* the others are enough there */
        claim_clash(run, &kinds[k], speeds[v], substeps[s]);
      }
    }
  }
}

/* Two sheets at rest, nearer to each other than the thickness. */
static void claim_parting(weft_physics_run *run, double apart, uint32_t substeps) {
  weft_stack stack = two_sheets(apart);
  weft_model *model = weft_stack_model(run, &stack);
  weft_params params = free_flight;
  params.substeps = substeps;
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  weft_sheet_mean low = weft_stack_mean(&rig, &stack, 0), high = weft_stack_mean(&rig, &stack, 1);
  const double most = sqrt(0.125 * 0.125 + 2 * 16 * (thickness - apart));
  const char *what = weft_physics_text("%g mm apart, %u substeps", 1000 * apart, substeps);
  weft_physics_expect(run, weft_physics_text("%s: speed apart", what), "m/s",
                      high.height_speed - low.height_speed, 0.5 * most, 0.5 * most,
                      "0 to v: v^2 = v0^2 + 2 a s, v0 1/8 m/s, a 16 m/s^2 over what lacks",
                      "cloth parts, and is not thrown");
  double lacks = thickness - (high.height - low.height);
  weft_physics_expect(run, weft_physics_text("%s: what lacks at the end", what), "m",
                      fmax(lacks, 0), 0, 0.05 * thickness, "0: the thickness",
                      "5 %: what is nearly there takes its time");
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void clashes_and_partings(weft_physics_run *run) {
  clashes(run);
  static const double apart[] = {0.001, 0.002};
  static const uint32_t substeps[] = {5, 20, 80};
  for (int k = 0; k < 2; ++k) {
    for (int s = 0; s < 3; ++s) claim_parting(run, apart[k], substeps[s]);
  }
}

const weft_physics_case weft_case_clash = {
    "clash", "Sheets that are thrown at each other keep their momentum and gain no energy",
    "Two equal sheets of cloth fly towards each other, without gravity or air, at 0.1, 1 and 3 m/s "
    "and with 5, 20 and 80 substeps a frame: both in motion, or one of them at rest. What they "
    "have of momentum and kinetic energy is compared with what they had. Sheets that start nearer "
    "than the thickness are not thrown apart.",
    clashes_and_partings};

/* ---- a pause ---- */

/* Two sheets on their way to each other come from 30 to 10 mm in a frame of one substep: they could
 * meet, so their pairs are listed, and do not. With little room for pairs, which does not grow,
 * nothing moves in that frame; then a solver with room goes on from there. */
static void pauses(weft_physics_run *run) {
  const double drift = 1, speed = 1.2, speeds[] = {drift + 0.5 * speed, drift - 0.5 * speed};
  weft_stack stack = two_sheets(0.030);
  weft_model *model = weft_stack_model(run, &stack);
  weft_params little = free_flight, roomy = free_flight;
  little.substeps = roomy.substeps = 1;
  little.self_room = 1;
  weft_rig rig, next;
  weft_rig_open(run, model, &little, &rig);
  weft_rig_open(run, model, &roomy, &next);
  weft_stack_throw(&rig, &stack, speeds);
  weft_stack_motion thrown = weft_stack_move(&rig, &stack);
  double from = weft_stack_mean(&rig, &stack, 1).height;
  weft_rig_step_without_room(&rig);
  weft_rig_read(&rig);
  weft_physics_expect(run, "way in a pause", "m", weft_stack_mean(&rig, &stack, 1).height - from, 0,
                      1e-9, "0: there is too little room, and nothing moves", "rounding of a mean");
  static const char source[] = "1: in free flight velocities stay, of those before";
  static const char why[] = "rounding of a position over a substep";
  weft_stack_motion paused = weft_stack_move(&rig, &stack);
  weft_physics_expect(run, "energy after a pause", "", paused.energy / thrown.energy, 1, 1e-4,
                      source, why);
  weft_physics_expect(run, "momentum after a pause", "", paused.momentum / thrown.momentum, 1, 1e-4,
                      source, why);
  if (weft_physics_ok(run)) weft_solver_copy_state_from(next.solver, rig.solver, &run->err);
  weft_rig_step(&next, 1);
  weft_rig_read(&next);
  weft_physics_expect(run, "energy a frame later", "",
                      weft_stack_move(&next, &stack).energy / thrown.energy, 1, 1e-4, source, why);
  weft_physics_expect(run, "way in a frame after it", "m",
                      weft_stack_mean(&next, &stack, 1).height - from, speeds[1] * frame_dt, 1e-5,
                      "the way of free flight in a frame", why);
  weft_rig_close(&rig);
  weft_rig_close(&next);
  weft_model_destroy(model);
}

const weft_physics_case weft_case_pause = {
    "pause", "A substep in which nothing may move leaves velocities as they are",
    "Two sheets fly towards each other, and there is too little room for their pairs "
    "(self_room 1, and no more): for a frame nothing moves. Then a solver with room goes on.",
    pauses};
