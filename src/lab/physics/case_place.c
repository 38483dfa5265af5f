/* case_place.c: cloth far from the world's zero: what slides, is carried along or hangs does so as
 * it does there. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"

enum { SIDE = 9, FRAMES = 60, RESTS = 180 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double degree = 3.14159265358979323846 / 180;
static const float width = 0.2f, mu = 0.3f;
static const double places[] = {0, 5, 20, 100, 1000, 10000}; /* m */
enum { PLACES = sizeof places / sizeof *places };

/* A sheet that begins somewhere, and what is under it. */
typedef struct scene {
  weft_model *model;
  weft_rig rig;
} scene;

/* Along x, tilted about z; in doubles, so that it lies on a plane at any distance. */
static void open_scene(weft_physics_run *run, scene *s, double at, const weft_vec3 *normal,
                       weft_pin_rule pins, const weft_params *params) {
  const weft_grid_desc grid = {
      .rows = SIDE, .columns = SIDE, .width = width, .height = width, .plane = WEFT_PLANE_XZ};
  s->model = weft_physics_sheet(run, &grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, pins);
  weft_rig_open(run, s->model, params, &s->rig);
  const weft_vec3d n = weft_v3d_from(*normal);
  const double size = weft_v3d_length(n);
  double *x = weft_alloc(3 * (size_t)s->rig.count, sizeof *x);
  for (uint32_t i = 0; i < s->rig.count; ++i) {
    const weft_vec3d p = weft_rig_at(&s->rig, i);
    const double along = p.x + at, above = (double)params->thickness;
    x[3 * i] = (along * n.y + above * n.x) / size;
    x[3 * i + 1] = (above * n.y - along * n.x) / size;
    x[3 * i + 2] = p.z;
  }
  weft_rig_write_f64(&s->rig, x, NULL);
  weft_free(x);
}

static void close_scene(scene *s) {
  weft_rig_close(&s->rig);
  weft_model_destroy(s->model);
}

/* The mean velocity down a slope. */
static double speed_of(weft_rig *rig, const weft_vec3 *normal) {
  double sum = 0;
  weft_rig_read(rig);
  for (uint32_t i = 0; i < rig->count; ++i) {
    sum += rig->v[3 * i] * (double)normal->y - rig->v[3 * i + 1] * (double)normal->x;
  }
  return sum / rig->count;
}

/* ---- a slope ---- */

static double slide(weft_physics_run *run, double at, bool self, uint32_t substeps) {
  const double angle = 20 * degree;
  const weft_collider slope = {.shape = WEFT_COLLIDER_PLANE,
                               .b = {(float)sin(angle), (float)cos(angle), 0},
                               .friction_static = mu,
                               .friction_dynamic = mu};
  const weft_params params = {.substeps = substeps,
                              .self_collision = self,
                              .thickness = 0.002f,
                              .colliders = &slope,
                              .collider_count = 1};
  scene s;
  open_scene(run, &s, at, &slope.b, WEFT_PIN_NONE, &params);
  weft_rig_step(&s.rig, FRAMES / 6);
  const double before = speed_of(&s.rig, &slope.b);
  weft_rig_step(&s.rig, FRAMES - FRAMES / 6);
  const double after = speed_of(&s.rig, &slope.b);
  close_scene(&s);
  return (after - before) / ((FRAMES - FRAMES / 6) * frame_dt);
}

static void claim_slope(weft_physics_run *run, double at, bool self, uint32_t substeps) {
  const double angle = 20 * degree;
  const double expected = WEFT_PHYSICS_G * (sin(angle) - (double)mu * cos(angle));
  weft_physics_expect(
      run,
      weft_physics_text("slope, %g m out%s, %u substeps", at, self ? ", self-collision" : "",
                        substeps),
      "m/s^2", slide(run, at, self, substeps), expected, 0.03 * expected,
      "Coulomb: g(sin - mu cos), wherever the slope is",
      "3 %: a float 10 cm from the origin is one of 7e-9 m, and 40 substeps add 1e-7 m to a way");
}

/* ---- a belt that carries cloth on and on ---- */

static void claim_carry(weft_physics_run *run, double at, bool self) {
  enum { SECONDS = 2 };
  static const float speed = 8;
  const weft_collider_key keys[] = {{.time = 0, .b = {0, 1, 0}},
                                    {.time = 10, .a = {10 * speed, 0, 0}, .b = {0, 1, 0}}};
  const weft_collider belt = {.shape = WEFT_COLLIDER_PLANE,
                              .friction_static = 1.5f,
                              .friction_dynamic = 1.5f,
                              .keys = keys,
                              .key_count = 2};
  const weft_params params = {.substeps = 20,
                              .self_collision = self,
                              .thickness = 0.002f,
                              .colliders = &belt,
                              .collider_count = 1};
  scene s;
  open_scene(run, &s, at, &keys[0].b, WEFT_PIN_NONE, &params);
  weft_rig_step(&s.rig, 60 * SECONDS);
  weft_rig_read(&s.rig);
  const uint32_t middle = SIDE * SIDE / 2;
  const double until = (double)speed / ((double)belt.friction_dynamic * WEFT_PHYSICS_G);
  const double expected = (double)speed * (SECONDS - 0.5 * until);
  weft_physics_expect(
      run,
      weft_physics_text("carried from %g m on%s: way in 2 s", at, self ? ", self-collision" : ""),
      "m", s.rig.x[3 * middle] - at, expected, 0.01 * expected,
      "mu g t^2/2 until V/(mu g), then V t, wherever it has come to",
      "1 %: the first substep, and what friction of a stretched sheet leaves");
  close_scene(&s);
}

/* ---- hanging ---- */

/* Of a second: a single frame has half to one and a half of it. */
static void claim_hang(weft_physics_run *run, double at, bool self) {
  const double beside = at > 0 ? 0.0123 : 0; /* m: no multiple of what the origin goes by */
  const weft_params params = {.substeps = 20, .self_collision = self, .damping = 8};
  const weft_vec3 up = {0, 1, 0};
  scene s;
  open_scene(run, &s, at + beside, &up, WEFT_PIN_CORNERS, &params);
  weft_rig_step(&s.rig, RESTS);
  double sum = 0;
  for (int f = 0; f < FRAMES; ++f) {
    weft_rig_step(&s.rig, 1);
    weft_rig_read(&s.rig);
    for (uint32_t k = 0; k < 3 * s.rig.count; ++k) sum += s.rig.v[k] * s.rig.v[k] / FRAMES;
  }
  weft_physics_expect(
      run,
      weft_physics_text("hangs still, %g m out%s: rms speed", at, self ? ", self-collision" : ""),
      "m/s", sqrt(sum / s.rig.count), 0, 1e-4, "0: it is damped and at rest",
      "rounding: half a float's spacing of 7e-9 m in a substep of 0.8 ms is 4e-6 m/s, and a "
      "damping of 8/s "
      "lets a walk of 150 such steps stand: ten times as much, twice over");
  close_scene(&s);
}

static void place(weft_physics_run *run) {
  const bool few = run->place == WEFT_PHYSICS_GL; /* these are enough there */
  for (int k = 0; k < PLACES; ++k) {
    for (uint32_t substeps = 10; substeps <= 40; substeps *= 2) {
      if (few && (substeps != 20 || k % 4)) continue;
      claim_slope(run, places[k], false, substeps);
      if (!few) claim_slope(run, places[k], true, substeps);
    }
    if (few && k % 4) continue;
    claim_carry(run, places[k], false);
    claim_hang(run, places[k], false);
    if (few) continue;
    claim_carry(run, places[k], true);
    claim_hang(run, places[k], true);
  }
}

const weft_physics_case weft_case_place = {
    "place", "Cloth does the same wherever in the world it is",
    "A sheet of 20 cm slides down a slope of 20 degrees with mu = 0.3, is carried 16 m by a belt "
    "and hangs from two corners: at the world's zero and up to 10 km from it, with and without "
    "self-collision, with 10 to 40 substeps.",
    place};
