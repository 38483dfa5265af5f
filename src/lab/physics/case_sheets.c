/* case_sheets.c: friction of cloth on cloth: a patch on a sheet that is fixed on a slope. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "stack.h"

enum { SUBSTEPS = 20, SETTLES = 8, HOLDS = 12, SLIDES = 9, STILL = 12, BESIDE = 3 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double degree = 3.14159265358979323846 / 180;
static const double thickness = 0.003, edge = 0.020;

/* A patch of 8 cm that is let go above a sheet. */
typedef struct patch {
  double angle, hold, rub; /* rad, mu_s, mu_k */
  double start;            /* m above the sheet */
  double rest;             /* m above it in the rest pose. Default: start */
  double room;             /* m that it may slide */
  uint32_t side, substeps; /* particles a side; default 5, 20 */
  uint32_t frames;         /* after it lies and is first looked at */
} patch;

typedef struct slid {
  double way, acceleration; /* down the slope, since the first look */
} slid;

/* Frames until it has fallen and lies. */
static uint32_t falls(double start) {
  double drop = fmax(0, start - thickness);
  return SETTLES + (uint32_t)ceil(sqrt(2 * drop / WEFT_PHYSICS_G) / frame_dt);
}

static slid let_go(weft_physics_run *run, const patch *p) {
  uint32_t side = p->side ? p->side : 5, rows = side + BESIDE;
  uint32_t columns = rows + (uint32_t)ceil(p->room / edge);
  weft_stack stack = {
      .count = 2,
      .sheets = {{.rows = rows,
                  .columns = columns,
                  .edge = edge,
                  .x = 0.5 * edge * (columns - rows),
                  .pinned = true},
                 {.rows = side, .columns = side, .edge = edge, .height = p->start, .askew = 0.3}},
      .tilt = p->angle};
  weft_vec3 *start = weft_stack_places(&stack);
  const weft_params params = {.self_collision = true,
                              .self_thickness = (float)thickness,
                              .self_static = (float)p->hold,
                              .self_dynamic = (float)p->rub,
                              .substeps = p->substeps ? p->substeps : SUBSTEPS,
                              .start = start};
  if (p->rest > 0) stack.sheets[1].height = p->rest;
  weft_model *model = weft_stack_model(run, &stack);
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_step(&rig, falls(p->start));
  weft_rig_read(&rig);
  weft_sheet_mean before = weft_stack_mean(&rig, &stack, 1);
  weft_rig_step(&rig, p->frames);
  weft_rig_read(&rig);
  weft_sheet_mean after = weft_stack_mean(&rig, &stack, 1);
  weft_rig_close(&rig);
  weft_model_destroy(model);
  weft_free(start);
  return (slid){after.down - before.down,
                (after.down_speed - before.down_speed) / (p->frames * frame_dt)};
}

/* ---- the angle of friction ---- */

/* It falls straight down and lands: mu times what stops its fall is more than what it brings along
 * the slope, if the slope is not steeper than mu. */
static void claim_angle(weft_physics_run *run, double mu, double start) {
  patch p = {.hold = mu, .rub = mu, .start = start, .room = 0.06, .frames = HOLDS};
  p.angle = atan(0.95 * mu);
  weft_physics_expect(
      run, weft_physics_text("mu %g, from %.0f mm: holds at 0.95 mu", mu, 1e3 * start), "m",
      let_go(run, &p).way, 0, 5e-4, "Coulomb: stays for tan(angle) <= mu_s",
      "looked at for a fifth of a second once it lies, it may creep by a part of its thickness");
  p.angle = atan(1.05 * mu);
  double pull = WEFT_PHYSICS_G * (sin(p.angle) - mu * cos(p.angle));
  weft_physics_expect(run,
                      weft_physics_text("mu %g, from %.0f mm: slides at 1.05 mu", mu, 1e3 * start),
                      "m/s^2", let_go(run, &p).acceleration, pull, 0.2 * pull,
                      "Coulomb: slides for tan(angle) > mu_s, by g(sin - mu cos)",
                      "20 %: a mu that is wrong by 1 %");
}

/* ---- sliding ---- */

static void claim_slide(weft_physics_run *run, double angle, double mu, double start) {
  const double drop = WEFT_PHYSICS_G * sin(angle), press = WEFT_PHYSICS_G * cos(angle);
  const double pull = fmax(0, drop - mu * press), time = (falls(start) + SLIDES) * frame_dt;
  const patch p = {.angle = angle,
                   .hold = mu,
                   .rub = mu,
                   .start = start,
                   .room = 0.06 + 0.5 * pull * time * time,
                   .frames = SLIDES};
  weft_physics_expect(
      run,
      weft_physics_text("%.0f deg, mu %g, from %.0f mm: acceleration", angle / degree, mu,
                        1e3 * start),
      "m/s^2", let_go(run, &p).acceleration, pull, fmax(0.03 * pull, 0.01 * mu * press),
      "Coulomb: g(sin - mu cos), 0 for tan(angle) <= mu",
      "3 %: a patch touches with some pairs at a time; or 1 % of mu where it hardly slides");
}

/* ---- many substeps ---- */

/* It is laid down touching: one that falls and lands slides, since that is more than mu_k stops. In
 * the rest pose it is far away. */
static void claim_still(weft_physics_run *run, uint32_t substeps) {
  const patch p = {.angle = 26.6 * degree,
                   .hold = 0.6,
                   .rub = 0.2,
                   .start = thickness,
                   .rest = 0.060,
                   .room = 0.06,
                   .side = 4,
                   .substeps = substeps,
                   .frames = STILL};
  weft_physics_expect(run, weft_physics_text("26.6 deg, mu 0.6/0.2, %u substeps: way", substeps),
                      "m", let_go(run, &p).way, 0, 0.0002,
                      "Coulomb: stays for tan(angle) <= mu_s, however short a substep is",
                      "a millimetre a second, for a fifth of one");
}

static void sheets(weft_physics_run *run) {
  static const double low[] = {0.003, 0.010, 0.060}, high[] = {0.006, 0.020, 0.030};
  static const double angles[] = {5, 17, 30}, mus[] = {0, 0.3, 0.6};
  claim_angle(run, 0.3, low[0]);
  claim_slide(run, 30 * degree, 0.3, 0.006);
  claim_still(run, 20);
  if (run->place == WEFT_PHYSICS_GL) return; /* these are enough there */
  for (uint32_t substeps = 40; substeps <= 160; substeps *= 2) claim_still(run, substeps);
  for (int k = 1; k < 3; ++k) claim_angle(run, 0.3, low[k]);
  for (int k = 0; k < 3; ++k) claim_angle(run, 0.6, high[k]);
  for (int a = 0; a < 3; ++a) {
    for (int m = 0; m < 3; ++m) {
      const double angle = angles[a] * degree;
      bool slides = tan(angle) > mus[m], told = a == 2 && m == 1;
      claim_slide(run, angle, mus[m], 0.030);
      if (slides && !told) claim_slide(run, angle, mus[m], 0.006);
    }
  }
}

const weft_physics_case weft_case_sheets = {
    "sheets", "Friction of cloth on cloth is that of a block on a slope",
    "A patch of cloth, 8 cm, is let go 3 to 60 mm above a sheet that is fixed on a slope, both "
    "pieces of one mesh with edges of 20 mm. It lands, and stays or slides as a block does on a "
    "plane, with as many substeps as one likes.",
    sheets};
