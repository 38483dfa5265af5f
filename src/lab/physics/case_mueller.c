/* case_mueller.c: the full algorithm of Mueller et al. 2007 (--mueller2007): ten iterations of PBD
 * in one step a frame, with global damping of k = 0.1 a step.
 *
 * Of two particles a step can be written down. The length over rest e follows
 *   e'' = (1 - s)(e' + (1 - k)(e' - e)),  s the stiffness (a step closes the part s of an error).
 * One that spins and is kept at its length turns by phi a step: its end moves by the chord, of
 * which global damping takes the part k along the line between both, so that
 *   tan(phi') = sin(phi)/(1 + (1 - k)(1 - cos(phi))), angular momentum as sin(phi)/dt. */
#include <math.h>

#include "base.h"
#include "cases.h"

enum { STEPS = 100, CLOUD = 30, SIDE = 10 };
static const double part = 0.1; /* k of weft_params_mueller2007 */
static const double dt = (double)(1.0f / 60.0f);

static weft_params muellers(void) {
  weft_params params = {.no_gravity = true};
  weft_params_mueller2007(&params);
  return params;
}

static weft_model *pair(weft_physics_run *run, double apart) {
  const weft_vec3 x[] = {{(float)(-0.75 * apart), 0, 0}, {(float)(0.25 * apart), 0, 0}};
  const float masses[] = {1, 3};
  const weft_link link = {.a = 0, .b = 1, .rest_length = 1};
  return weft_physics_particles(
      run,
      &(weft_particles_desc){
          .particle_count = 2, .positions = x, .masses = masses, .links = &link, .link_count = 1});
}

/* ---- a pair that breathes ---- */

static void claim_breathing(weft_physics_run *run) {
  const double stiffness = (double)0.02f;
  double time[STEPS + 1], exact[STEPS + 1], stretch[STEPS + 1], before = 0.25, max = 0;
  weft_params params = muellers();
  params.pbd_stretch = (float)stiffness;
  weft_model *model = pair(run, 1.25);
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  exact[0] = stretch[0] = before;
  time[0] = 0;
  for (int n = 1; n <= STEPS; ++n) {
    exact[n] = (1 - stiffness) * (exact[n - 1] + (1 - part) * (exact[n - 1] - before));
    before = exact[n - 1];
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    stretch[n] = model ? rig.x[3] - rig.x[0] - 1 : NAN;
    time[n] = n * dt;
    max = fmax(max, fabs(stretch[n] - exact[n]));
  }
  weft_physics_expect(
      run, "breathing pair, max error", "m", max, 0, weft_physics_is_double(run) ? 2e-8 : 5e-6,
      "0 from e'' = (1 - s)(e' + (1 - k)(e' - e)), s = 0.02, k = 0.1, over 100 steps",
      "1 - (1-s)^(1/10) and k are floats, 2e-8; in floats rounding of a position of 1 m a "
      "correction, "
      "carried on over the time of damping: 5e-6");
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"A pair that breathes, damped by 0.1 a step", "time (s)",
                                "length over rest (m)", false, false, false});
  weft_physics_theory(run, plot, "(1 - s)(e' + (1 - k)(e' - e))", STEPS + 1, time, exact);
  weft_physics_curve(run, plot, "pair", STEPS + 1, time, stretch);
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- a pair that spins ---- */

/* The sine of the turn of each step, from the tangential speed it starts with. */
static double spun_down(double speed, int steps, double k) {
  double sine = sin(atan(speed * dt));
  for (int n = 1; n < steps; ++n) {
    double cosine = sqrt(1 - sine * sine);
    sine = sin(atan(sine / (1 + (1 - k) * (1 - cosine))));
  }
  return sine / dt / speed;
}

static void claim_spin(weft_physics_run *run) {
  static const double omegas[] = {1, 4};
  for (int w = 0; w < 2; ++w) {
    double omega = omegas[w];
    weft_params params = muellers();
    weft_model *model = pair(run, 1);
    const weft_vec3 v[] = {{0.25f, (float)(-0.75 * omega), 0}, {0.25f, (float)(0.25 * omega), 0}};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_write(&rig, NULL, v);
    weft_rig_step(&rig, STEPS);
    weft_rig_read(&rig);
    double d[4] = {0}, drift = 0;
    for (int i = 0; i < 2 && model; ++i) {
      drift += (rig.v[3 * i] - (double)v[i].x) / (double)model->inverse_masses[i];
    }
    for (int a = 0; a < 2 && model; ++a) {
      d[a] = rig.x[3 + a] - rig.x[a];
      d[2 + a] = rig.v[3 + a] - rig.v[a];
    }
    weft_physics_expect(
        run, weft_physics_text("spinning pair, %g rad/s: angular", omega), "",
        (d[0] * d[3] - d[1] * d[2]) / omega, spun_down(omega, STEPS, part),
        weft_physics_is_double(run) ? 1e-7 : 5e-5,
        "part kept over 100 steps: tan(phi') = sin(phi)/(1 + (1-k)(1 - cos(phi))): nothing but "
        "the step is lost, and none of it to global damping",
        "k is a float, 1e-7; in floats half an ulp of a position of 1 m over dt, a walk of 100 "
        "steps");
    weft_physics_expect(run, weft_physics_text("spinning pair, %g rad/s: linear", omega), "kg m/s",
                        drift, 0, weft_physics_is_double(run) ? 1e-12 : 2e-4,
                        "0 of 1 kg m/s is lost or won over 100 steps",
                        "half an ulp of a position of 1 m over dt, a walk of 100 steps, for 4 kg");
    weft_rig_close(&rig);
    weft_model_destroy(model);
  }
}

/* ---- a cloud with nothing between that swells while it drifts ---- */

static void claim_cloud(weft_physics_run *run) {
  const double rate = 2, drift = 0.25;
  weft_vec3 x[CLOUD], v[CLOUD];
  float masses[CLOUD];
  weft_rng rng = weft_rng_seed(3);
  for (int i = 0; i < CLOUD; i += 2) { /* pairs about the middle, which is that of mass */
    x[i] = weft_v3(weft_rng_float(&rng, -1, 1), weft_rng_float(&rng, -1, 1),
                   weft_rng_float(&rng, -1, 1));
    x[i + 1] = weft_v3_scale(x[i], -1);
    masses[i] = masses[i + 1] = ldexpf(1, i % 5);
    for (int k = 0; k < 2; ++k) {
      v[i + k] = weft_v3_scale(x[i + k], (float)rate);
      v[i + k].x += (float)drift;
    }
  }
  weft_model *model = weft_physics_particles(
      run, &(weft_particles_desc){.particle_count = CLOUD, .positions = x, .masses = masses});
  weft_params params = muellers();
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, x, v);
  weft_rig_step(&rig, STEPS);
  weft_rig_read(&rig);
  double left = pow(1 - part, STEPS), size = 1 + rate * dt * (1 - part) * (1 - left) / part;
  double off = 0, speed = 0, fastest = 0;
  for (int i = 0; i < CLOUD && model; ++i) {
    const double start[] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
    for (int a = 0; a < 3; ++a) {
      double moved = a ? 0 : drift * dt * STEPS;
      off = fmax(off, fabs(rig.x[3 * i + a] - moved - size * start[a]));
      speed = fmax(speed, fabs(rig.v[3 * i + a] - (a ? 0 : drift) - rate * left * start[a]));
      fastest = fmax(fastest, fabs(rig.v[3 * i + a] - (a ? 0 : drift)));
    }
  }
  bool wide = weft_physics_is_double(run);
  weft_physics_expect(run, "swelling cloud, max error", "m", off, 0, wide ? 1e-6 : 1e-5,
                      "0 from x0 (1 + c dt sum (1-k)^n) and the drift, 100 steps, c = 2/s",
                      "k as a float, 1e-7 of 0.3 m; in floats half an ulp of a position of 1 m in "
                      "each of 100 steps");
  weft_physics_expect(run, "swelling cloud, speed left", "m/s", speed, 0, wide ? 1e-8 : 1e-6,
                      "0 from c x0 exp(-rate t) = c x0 (1-k)^100, of 2.7e-5 c",
                      "rounding of a speed of 0.25 m/s to float, taken back in each step");
  weft_physics_note(run, "swelling cloud, max speed left", "m/s", fastest,
                    "no claim: beside 2 m/s at the start");
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

/* ---- a sheet that spins in its plane and drifts ---- */

static void claim_sheet(weft_physics_run *run) {
  const double omega = 1, drift = 0.25;
  weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .width = 0.5f, .height = 0.5f};
  weft_model *model =
      weft_physics_sheet(run, &grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_params params = muellers();
  weft_vec3 v[SIDE * SIDE] = {{0}};
  double mass = 0, first = 0, last = 0, momentum = 0, middle[2] = {0};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  for (uint32_t i = 0; model && i < rig.count; ++i) {
    weft_vec3 p = model->rest_positions[i];
    v[i] = weft_v3((float)drift - (float)omega * p.y, (float)omega * p.x, 0);
    double m = (double)model->masses[i];
    first += m * ((double)p.x * (double)v[i].y - (double)p.y * (double)v[i].x);
  }
  weft_rig_write(&rig, NULL, v);
  weft_rig_step(&rig, STEPS);
  weft_rig_read(&rig);
  for (uint32_t i = 0; model && i < rig.count; ++i) {
    double m = (double)model->masses[i];
    mass += m;
    momentum += m * rig.v[3 * i];
    for (uint32_t a = 0; a < 2; ++a) middle[a] += m * rig.x[3 * i + a];
  }
  for (uint32_t i = 0; model && i < rig.count; ++i) {
    double m = (double)model->masses[i], x = rig.x[3 * i] - middle[0] / mass;
    last += m * (x * rig.v[3 * i + 1] -
                 (rig.x[3 * i + 1] - middle[1] / mass) * (rig.v[3 * i] - momentum / mass));
  }
  bool wide = weft_physics_is_double(run);
  weft_physics_expect(run, "sheet: speed of the centre of mass", "m/s", momentum / mass, drift,
                      wide ? 1e-8 : 2e-6, "0.25: what it started with",
                      "rounding, a mean over 100 particles; the speeds given are floats, 1e-8");
  weft_physics_expect(
      run, "sheet: distance of the centre of mass", "m", middle[0] / mass, drift * dt * STEPS,
      wide ? 1e-7 : 1e-5, "drift times 100 dt",
      "rounding of a position of 0.5 m, always to the same side, in each of 100 steps");
  weft_physics_expect(
      run, "sheet: angular momentum kept", "", last / first, spun_down(omega, STEPS, part), 2e-4,
      "that of a spinning pair above: a sheet that keeps its shape turns by the same angles",
      "ten sweeps a step leave the sheet a little too wide");
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void mueller(weft_physics_run *run) {
  claim_breathing(run);
  claim_spin(run);
  claim_cloud(run);
  claim_sheet(run);
}

const weft_physics_case weft_case_mueller = {
    "mueller", "Mueller 2007 in full: damping takes what is not rigid motion, nothing else",
    "--mueller2007 over 100 steps of 1/60 s: a pair that breathes about its length, one that "
    "spins, a cloud that swells while it drifts, and a sheet that spins. Single steps of global "
    "damping are under momentum. A step turns what spins along its tangent and brings it back, "
    "which costs angular momentum at any damping: by how much can be written down.",
    mueller};
