/* case_sand.c: grains: spheres that keep apart, rub and do not turn. */
#include <math.h>
#include <string.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "scenes.h"

static const double degree = 3.14159265358979323846 / 180;
static const double frame_dt = (double)(1.0f / 60.0f);
static const float radius = 0.05f;

static weft_model *grains(weft_physics_run *run, uint32_t count, const weft_vec3 *x,
                          const float *masses) {
  return weft_physics_particles(
      run, &(weft_particles_desc){
               .particle_count = count, .positions = x, .masses = masses, .radius = radius});
}

/* ---- two that collide ---- */

static void claim_collision(weft_physics_run *run, double mu) {
  enum { SUBSTEPS = 200, FRAMES = 10 };
  const weft_vec3 x[] = {{-0.08f, 0.02f, 0}, {0.08f, -0.02f, 0}};
  const weft_vec3 v[] = {{1, 0.25f, 0}, {-0.5f, 0, 0}};
  const float masses[] = {0.5f, 2};
  /* They touch at two radii; the line between their centres is then (nx, ny). */
  double rx = (double)x[0].x - (double)x[1].x, ry = (double)x[0].y - (double)x[1].y;
  double ux = 1.5, uy = 0.25, u2 = ux * ux + uy * uy, b = (rx * ux + ry * uy) / u2;
  double far = 2 * (double)radius;
  double time = -b - sqrt(b * b - (rx * rx + ry * ry - far * far) / u2);
  double nx = (rx + time * ux) / far, ny = (ry + time * uy) / far;
  double normal = ux * nx + uy * ny, across = uy * nx - ux * ny;
  weft_model *model = grains(run, 2, x, masses);
  weft_params params = {.particle_contact = true,
                        .no_gravity = true,
                        .substeps = SUBSTEPS,
                        .contact_static = (float)mu,
                        .contact_dynamic = (float)mu};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, NULL, v);
  weft_rig_step(&rig, FRAMES);
  weft_rig_read(&rig);
  const double *w = rig.v;
  double end_x = model ? w[0] - w[3] : NAN, end_y = model ? w[1] - w[4] : NAN;
  double rounding = weft_physics_is_double(run) ? 1e-12 : 2e-4;
  weft_physics_expect(run, weft_physics_text("collision, mu %g: momentum along x", mu), "kg m/s",
                      model ? 0.5 * w[0] + 2 * w[3] : NAN, -0.5, rounding, "that before",
                      "half an ulp of a position of 0.1 m over dt, for 2.5 kg");
  weft_physics_expect(run, weft_physics_text("collision, mu %g: momentum along y", mu), "kg m/s",
                      model ? 0.5 * w[1] + 2 * w[4] : NAN, 0.125, rounding, "that before",
                      "half an ulp of a position of 0.1 m over dt, for 2.5 kg");
  static const char why[] =
      "first order: they meet at the end of a substep, up to 1.5 m/s dt "
      "deep, which turns the line between their centres by 1e-3";
  weft_physics_expect(run, weft_physics_text("collision, mu %g: closing speed", mu), "m/s",
                      end_x * nx + end_y * ny, 0, 3e-3,
                      "0: nothing bounces, the common part of speed is left", why);
  weft_physics_expect(run, weft_physics_text("collision, mu %g: speed across", mu), "m/s",
                      end_y * nx - end_x * ny, across - copysign(mu * fabs(normal), across), 3e-3,
                      "Coulomb: the impulse across is mu times that along the line of centres",
                      why);
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- one in the hollow between two that are fixed ---- */

/* Over the lower of both, the angle from the vertical: two radii from centre to centre. */
static void slider_slope(const void *user, double t, const double *y, double *dy) {
  double mu = *(const double *)user;
  double r = 2 * (double)radius, load = WEFT_PHYSICS_G * cos(y[0]) - r * y[1] * y[1];
  (void)t;
  dy[0] = y[1];
  dy[1] = (WEFT_PHYSICS_G * sin(y[0]) - mu * load) / r;
}

/* Gravity is tilted rather than the grains. Angle of the free one about the lower, from the
 * vertical. */
static double roll(weft_physics_run *run, bool alone, double hold, double rub, double tilt,
                   uint32_t substeps, uint32_t frames) {
  const float r = radius;
  const weft_vec3 x[] = {{alone ? -9 : -r, 0, 0}, {r, 0, 0}, {0, (float)(sqrt(3) * (double)r), 0}};
  const float masses[] = {0, 0, 0.5f};
  weft_model *model = grains(run, 3, x, masses);
  weft_params params = {
      .particle_contact = true,
      .gravity = {(float)(WEFT_PHYSICS_G * sin(tilt)), (float)(-WEFT_PHYSICS_G * cos(tilt)), 0},
      .substeps = substeps,
      .contact_static = (float)hold,
      .contact_dynamic = (float)rub};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_step(&rig, frames);
  weft_rig_read(&rig);
  double angle = model ? atan2(rig.x[6] - rig.x[3], rig.x[7] - rig.x[4]) + tilt : NAN;
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return angle;
}

/* In the hollow, or on the lower of both alone. With two under it and mu_k below mu_s more than one
 * outcome is true to Coulomb: what presses on the upper decides whether it ever starts. */
static void claim_hollow(weft_physics_run *run, bool alone, double hold, double rub, double less) {
  enum { SUBSTEPS = 20, HELD = 60, LOST = 12 };
  const double critical = 30 * degree + atan(hold), more = 1 * degree, hollow = 30 * degree;
  const double gentle = critical - less * degree, steep = critical + more;
  const char *where = alone ? "on one grain" : "in the hollow";
  double held = roll(run, alone, hold, rub, gentle, SUBSTEPS, HELD);
  weft_physics_expect(
      run, weft_physics_text("%s, mu %g/%g, %g deg less: turned", where, hold, rub, less), "rad",
      held - (gentle - hollow), 0, 1e-4,
      "0 in a second: the lower grain's centre lies less than atan(mu_s) off the vertical: in a "
      "hollow up to a tilt of 30 degrees + atan(mu_s)",
      "it lies in the others by what gravity moves it in a substep, 7e-6 m at 0.1 m from their "
      "centres");
  double state[2] = {steep - hollow, 0};
  weft_ode_solve(slider_slope, &rub, 2, 0, LOST * frame_dt, 1e-10, state);
  double coarse = roll(run, alone, hold, rub, steep, SUBSTEPS, LOST);
  double fine = roll(run, alone, hold, rub, steep, 2 * SUBSTEPS, LOST);
  weft_physics_expect(
      run, weft_physics_text("%s, mu %g/%g, 1 deg more: turned", where, hold, rub), "rad",
      2 * fine - coarse - (steep - hollow), state[0] - (steep - hollow),
      weft_physics_is_double(run) ? 2e-4 : 2e-3,
      "2r theta'' = g sin(theta) - mu_k(g cos(theta) - 2r theta'^2) over the lower grain, 0.2 s; "
      "2 x(dt/2) - x(dt)",
      "second order in dt; in floats a walk of an ulp/sqrt(12) sqrt(n^3/3) over 0.1 m, 4e-4 rad, "
      "of two runs, which the fall carries on");
}

/* ---- heaps ---- */

enum { RINGS = 40, SECTORS = 12, SIZE = 16, FALLS = 110 };

/* Least squares of the surface's height against the distance from the middle, between 15 and 85 %
 * of the top: the highest grain of each piece of a ring is its surface, averaged over the ring. */
static double slope_of(const double *x, uint32_t n, double r) {
  double middle_x = 0, middle_z = 0, top = 0, height[RINGS] = {0};
  static double highest[RINGS][SECTORS];
  memset(highest, 0, sizeof highest);
  for (uint32_t i = 0; i < n; ++i) {
    middle_x += x[3 * i] / n;
    middle_z += x[3 * i + 2] / n;
  }
  for (uint32_t i = 0; i < n; ++i) {
    double a = x[3 * i] - middle_x, b = x[3 * i + 2] - middle_z;
    int ring = (int)(hypot(a, b) / (2 * r));
    int sector = (int)((atan2(b, a) / 6.283185307179586 + 0.5) * SECTORS) % SECTORS;
    if (ring < RINGS) highest[ring][sector] = fmax(highest[ring][sector], x[3 * i + 1] + r);
  }
  for (int k = 0; k < RINGS; ++k) {
    for (int s = 0; s < SECTORS; ++s) height[k] += highest[k][s] / SECTORS;
    top = fmax(top, height[k]);
  }
  double m = 0, sd = 0, sh = 0, sdd = 0, sdh = 0;
  for (int k = 1; k < RINGS; ++k) {
    if (height[k] < 0.15 * top || height[k] > 0.85 * top) continue;
    double d = (k + 0.5) * 2 * r;
    m += 1, sd += d, sh += height[k], sdd += d * d, sdh += d * height[k];
  }
  return atan(-(m * sdh - sd * sh) / (m * sdd - sd * sd)) / degree;
}

typedef struct heap {
  double angle, deepest, speed; /* degrees; overlap in radii; m/s */
} heap;

static heap pour(weft_physics_run *run, double mu) {
  weft_scene_instance scene = {0};
  weft_scene_options options = {.size = SIZE, .seed = 1};
  heap h = {NAN, NAN, NAN};
  if (!weft_physics_ok(run) ||
      weft_scene_make(weft_scene_find("sand"), &options, &scene, &run->err) != WEFT_OK) {
    return h;
  }
  scene.params.contact_static = scene.params.contact_dynamic = (float)mu;
  weft_rig rig;
  weft_rig_open(run, scene.model, &scene.params, &rig);
  weft_rig_step(&rig, FALLS);
  weft_rig_read(&rig);
  double r = (double)weft_model_radius(scene.model), min = 2 * r, fastest = 0;
  for (uint32_t i = 0; i < rig.count; ++i) {
    fastest = fmax(fastest, weft_v3d_length(weft_v3d_at(&rig.v[3 * i])));
    for (uint32_t j = i + 1; j < rig.count; ++j) {
      min = fmin(min, weft_v3d_distance(weft_rig_at(&rig, i), weft_rig_at(&rig, j)));
    }
  }
  h = (heap){slope_of(rig.x, rig.count, r), (2 * r - min) / r, fastest};
  weft_rig_close(&rig);
  weft_scene_free(&scene);
  return h;
}

/* For the plot: one grain in the hollow of three that touch leaves it between two of them, 19.47
 * degrees from the vertical, and slides on both of these, each 30 degrees off its way. That is the
 * shallowest hollow there is; those of a heap are deeper, so that it bounds no heap's slope. */
static double leaves_three_at(double mu) {
  return (asin(1.0 / 3) + atan(mu / cos(30 * degree))) / degree;
}

static void claim_heaps(weft_physics_run *run) {
  static const double mu[] = {0, 0.2, 0.5};
  heap heaps[3];
  double angles[3], leaves[3];
  for (int k = 0; k < 3; ++k) {
    heaps[k] = pour(run, mu[k]);
    angles[k] = heaps[k].angle;
    leaves[k] = leaves_three_at(mu[k]);
    weft_physics_note(run, weft_physics_text("heap, mu %g: slope", mu[k]), "degrees", angles[k],
                      "no claim to the angle: grains that do not turn have none published");
    weft_physics_expect(run, weft_physics_text("heap, mu %g: deepest overlap", mu[k]), "radii",
                        heaps[k].deepest, 0, 0.02, "0: grains keep two radii apart",
                        "four sweeps a substep leave part of what the weight above pushes in");
  }
  weft_physics_expect(run, "heap, mu 0: slope past a frictionless packing's", "degrees",
                      fmax(angles[0] - 5.76, 0), 0, 2,
                      "5.76: Peyneau and Roux 2008, Phys. Rev. E 78, 011307; its fall carries a "
                      "heap below that",
                      "the surface is known to a grain over ten or so");
  for (int k = 1; k < 3; ++k) {
    weft_physics_expect(
        run, weft_physics_text("heap, mu %g: steeper than mu %g by, up to 5", mu[k], mu[k - 1]),
        "degrees", fmin(angles[k] - angles[k - 1], 5), 5, 0,
        "5 or more (more is counted as 5): a slope grows with friction between grains",
        "none may lack: 5 degrees is how well the slope of so small a heap is known");
    weft_physics_note(run, weft_physics_text("heap, mu %g: max speed", mu[k]), "m/s",
                      heaps[k].speed, "no claim: single grains may still settle");
  }
  uint32_t plot =
      weft_physics_plot(run, &(weft_physics_axes){"Slope of a heap of 256 grains", "friction mu",
                                                  "slope (degrees)", false, false, false});
  weft_physics_theory(run, plot, "one grain leaves three at", 3, mu, leaves);
  weft_physics_curve(run, plot, "heap", 3, mu, angles);
}

static void sand(weft_physics_run *run) {
  claim_collision(run, 0);
  claim_collision(run, 0.5);
  claim_hollow(run, false, 0, 0, 0.2);
  claim_hollow(run, false, 0.3, 0.3, 0.5);
  claim_hollow(run, true, 0.3, 0.1, 0.2);
  if (run->place != WEFT_PHYSICS_GL) claim_heaps(run); /* half a minute there */
}

const weft_physics_case weft_case_sand = {
    "sand", "Grains collide, rest in hollows and heap up as friction between them allows",
    "Two grains of 0.5 and 2 kg meet off centre. One grain lies in the hollow between two fixed "
    "ones, tilted by a little less and by a degree more than it can hold; one lies on a single "
    "fixed grain. A loose column of 256 grains falls "
    "into "
    "a heap, of which the slope is measured. Grains do not turn, so that a heap of them is steeper "
    "than sand's.",
    sand};
