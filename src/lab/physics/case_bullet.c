/* case_bullet.c: nothing gets through a thin plate, however fast it comes. */
#include <math.h>

#include "base.h"
#include "cases.h"

enum { BULLETS = 300, FRAMES = 12 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const float half_thickness = 0.0005f; /* m: a plate of 1 mm */

/* Speeds spread evenly over their logarithm, 1 to 300 m/s; up to 60 degrees off the normal. Each
 * starts 0.03 to 0.1 s before the plate, where that will then be. */
static void aim(double plate_speed, weft_vec3 *x, weft_vec3 *v) {
  weft_rng rng = weft_rng_seed(17);
  for (int i = 0; i < BULLETS; ++i) {
    double speed = pow(300, (i + 0.5) / BULLETS);
    double tilt = (double)weft_rng_float(&rng, 0, 1), turn = (double)weft_rng_float(&rng, 0, 6);
    double to_go = (double)weft_rng_float(&rng, 0.03f, 0.1f);
    double vx = speed * sin(tilt) * cos(turn), vz = speed * sin(tilt) * sin(turn);
    double vy = -speed * cos(tilt), side = i % 2 ? -1 : 1; /* from above and from below */
    if (side * plate_speed < 0 && -vy < 2 * fabs(plate_speed)) side = -side; /* else never there */
    double hit_x = (double)weft_rng_float(&rng, -0.3f, 0.3f);
    double hit_z = (double)weft_rng_float(&rng, -0.3f, 0.3f);
    v[i] = weft_v3((float)vx, (float)(side * vy), (float)vz);
    x[i] = weft_v3((float)(hit_x - vx * to_go), (float)(plate_speed * to_go - side * vy * to_go),
                   (float)(hit_z - vz * to_go));
  }
}

/* How many end on the other side; `past` how many would if nothing were there. */
static uint32_t shoot(weft_physics_run *run, double plate_speed, uint32_t *past) {
  weft_vec3 x[BULLETS], v[BULLETS];
  float masses[BULLETS];
  for (int i = 0; i < BULLETS; ++i) masses[i] = 0.01f;
  aim(plate_speed, x, v);
  float end = (float)plate_speed;
  weft_collider_key keys[] = {{0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                              {1, {0, end, 0}, {0, 0, 0}, {0, 0, 0}}};
  weft_collider plate = {.shape = WEFT_COLLIDER_BOX,
                         .half_size = {60, half_thickness, 60},
                         .keys = keys,
                         .key_count = 2};
  weft_params params = {.no_gravity = true, .colliders = &plate, .collider_count = 1};
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = BULLETS, .positions = x, .masses = masses});
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, x, v);
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  uint32_t through = 0;
  double time = FRAMES * frame_dt, height = plate_speed * time;
  *past = 0;
  for (int i = 0; i < BULLETS && weft_physics_ok(run); ++i) {
    bool above = x[i].y > 0;
    double free_end = (double)x[i].y + (double)v[i].y * time;
    through += above != (rig.x[3 * i + 1] > height);
    *past += above != (free_end > height);
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return through;
}

static void bullet(weft_physics_run *run) {
  static const double speeds[] = {0, 10, -10};
  static const char *const names[] = {"still", "moving up at 10 m/s", "moving down at 10 m/s"};
  for (int k = 0; k < 3; ++k) {
    uint32_t past, through = shoot(run, speeds[k], &past);
    weft_physics_expect(run, weft_physics_text("through a plate %s", names[k]), "", through, 0, 0,
                        "0 of 300: a body does not pass through another", "none may");
    weft_physics_expect(run, weft_physics_text("would be through, %s", names[k]), "", past, BULLETS,
                        0, "all 300: every bullet was aimed at the plate",
                        "the row above would show nothing without");
  }
}

const weft_physics_case weft_case_bullet = {
    "bullet", "No bullet of 1 to 300 m/s gets through a plate of 1 mm",
    "300 particles are shot at a plate of 1 mm from both sides, up to 60 degrees off its normal, "
    "at 1 to 300 m/s and 20 substeps a frame: up to a quarter of a metre a substep. The plate "
    "stands still, or moves towards some of them and away from others.",
    bullet};
