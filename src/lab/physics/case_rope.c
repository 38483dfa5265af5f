/* case_rope.c: pairs, ropes that act only when stretched, struts that act only when compressed, and
 * chains between two points. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "orders.h"

/* ---- a pair ---- */

static void pair(weft_physics_run *run) {
  static const weft_vec3 positions[] = {{2, 2, 0}, {-2, -2, 0}};
  static const float masses[] = {1, 1}, unequal[] = {4, 1};
  static const weft_link link = {.a = 0, .b = 1, .rest_length = 1};
  bool wide = weft_physics_is_double(run);
  double allowed = wide ? 1e-14 : 4 * weft_half_ulp(2);
  for (int k = 0; k < 4; ++k) {
    weft_model *model =
        weft_physics_particles(run, &(weft_particles_desc){.particle_count = 2,
                                                           .positions = positions,
                                                           .masses = k == 3 ? unequal : masses,
                                                           .links = &link,
                                                           .link_count = 1});
    weft_params params = {.no_gravity = true, .substeps = 1, .mode = (weft_mode)(k % 3)};
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    static const char why[] = "rounding: two ulps of a coordinate of 2 m";
    if (k < 3) {
      static const char source[] = "+-1/(2 sqrt(2)) = +-0.35355: half the rest length each way";
      weft_physics_expect(run,
                          weft_physics_text("first particle, x, %s", weft_mode_name((weft_mode)k)),
                          "m", rig.x[0], sqrt(0.125), allowed, source, why);
      weft_physics_expect(run,
                          weft_physics_text("second particle, y, %s", weft_mode_name((weft_mode)k)),
                          "m", rig.x[4], -sqrt(0.125), allowed, source, why);
    } else {
      /* The centre of mass of 4 kg and 1 kg stays at (1.2, 1.2). */
      static const char source[] = "about the centre of mass (1.2, 1.2), a fifth and four fifths";
      weft_physics_expect(run, "4 kg, x", "m", rig.x[0], 1.2 + 0.2 * sqrt(0.5), allowed, source,
                          why);
      weft_physics_expect(run, "1 kg, x", "m", rig.x[3], 1.2 - 0.8 * sqrt(0.5), allowed, source,
                          why);
    }
    weft_rig_close(&rig);
    weft_model_destroy(model);
  }
}

const weft_physics_case weft_case_pair = {
    "pair", "Two particles at (2,2,0) and (-2,-2,0) end at +-(0.3536, 0.3536, 0)",
    "One projection of a hard link of 1 m, in each mode; and the same with masses of 4 and 1 kg.",
    pair};

/* ---- inequalities ---- */

/* 0 and 1: a rope of 1 m, its end let go 0.25 m below the pin. 2 and 3: the same taut, at 1 rad.
 * 4 and 5: a strut under a particle that falls on it. 6 and 7: a slack strut. 8 and 9: a slack rope
 * beside them. */
enum { PARTICLES = 10, LINKS = 5, FRAMES = 90 };
static const double frame_dt = (double)(1.0f / 60.0f);

static weft_model *senses(weft_physics_run *run) {
  const weft_vec3 positions[PARTICLES] = {
      {0, 0, 0}, {0, -0.25f, 0}, {0, 0, 1}, {(float)sin(1.0), (float)-cos(1.0), 1},
      {0, 0, 2}, {0, 1.5f, 2},   {0, 0, 3}, {0.7f, 0, 3},
      {0, 0, 4}, {0.7f, 0, 4}};
  static const float masses[PARTICLES] = {0, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  static const weft_sense kinds[LINKS] = {WEFT_SENSE_AT_MOST, WEFT_SENSE_AT_MOST,
                                          WEFT_SENSE_AT_LEAST, WEFT_SENSE_AT_LEAST,
                                          WEFT_SENSE_AT_MOST};
  weft_link links[LINKS] = {{0}};
  for (uint32_t k = 0; k < LINKS; ++k) {
    links[k] = (weft_link){.a = 2 * k, .b = 2 * k + 1, .rest_length = 1, .sense = kinds[k]};
  }
  links[3].rest_length = 0.5f;
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = PARTICLES,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = LINKS});
}

typedef struct sense_track {
  double time[FRAMES], rope[FRAMES], swing[FRAMES][2], strut[FRAMES], apart[FRAMES], slack[FRAMES];
} sense_track;

static void record_senses(weft_physics_run *run, const weft_params *params, sense_track *t) {
  weft_model *model = senses(run);
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  for (int f = 0; f < FRAMES && weft_physics_ok(run); ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    t->time[f] = (f + 1) * frame_dt;
    t->rope[f] = rig.x[3 * 1 + 1];
    t->swing[f][0] = rig.x[3 * 3];
    t->swing[f][1] = rig.x[3 * 3 + 1];
    t->strut[f] = rig.x[3 * 5 + 1];
    t->apart[f] = rig.x[3 * 7] - rig.x[3 * 6];
    t->slack[f] = rig.x[3 * 9] - rig.x[3 * 8];
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static double fallen(double substeps, int frames) {
  double n = substeps * frames, dt = frame_dt / substeps;
  return 0.5 * WEFT_PHYSICS_G * dt * dt * n * (n + 1);
}

static void solve_swing(double (*exact)[2]) {
  weft_pendulum p = {.links = 1, .g = WEFT_PHYSICS_G, .mass = {1}, .length = {1}, .angle = {1}};
  for (int f = 0; f < FRAMES; ++f) {
    weft_pendulum_advance(&p, frame_dt, 1e-12);
    weft_pendulum_positions(&p, &exact[f][0], &exact[f][1]);
  }
}

/* Two runs, the first order taken out. */
static double swing_error(const sense_track *coarse, const sense_track *fine, double (*exact)[2]) {
  double max = 0;
  for (int f = 0; f < FRAMES / 2; ++f) {
    double x = 2 * fine->swing[f][0] - coarse->swing[f][0];
    double y = 2 * fine->swing[f][1] - coarse->swing[f][1];
    max = fmax(max, hypot(x - exact[f][0], y - exact[f][1]));
  }
  return max;
}

static double off_swing(weft_physics_run *run, const weft_params *params, const void *user) {
  static sense_track track;
  const double(*exact)[2] = user;
  double max = 0;
  record_senses(run, params, &track);
  for (int f = 0; f < FRAMES / 2; ++f) {
    max = fmax(max, hypot(track.swing[f][0] - exact[f][0], track.swing[f][1] - exact[f][1]));
  }
  return max;
}

static void claim_rope(weft_physics_run *run, const sense_track *t, double substeps) {
  bool wide = weft_physics_is_double(run);
  const int free_frames = 20, late = FRAMES - 1;
  double n = substeps * free_frames, g = WEFT_PHYSICS_G, dt = frame_dt / substeps;
  double rounding = wide ? 1e-11 : n * weft_half_ulp(1) + n * n * dt * weft_half_ulp(3) / 2;
  weft_physics_expect(run, "slack rope: fallen", "m", -0.25 - t->rope[free_frames - 1],
                      fallen(substeps, free_frames), rounding,
                      "free fall, g dt^2 n(n+1)/2: a rope that is not taut does nothing",
                      "float rounding: half an ulp of height and speed a substep; 1e-11 in double");
  weft_physics_expect(run, "slack rope: caught at", "m", t->rope[late], -1,
                      g * dt * dt + 4 * weft_half_ulp(1), "its length of 1 m, without bouncing",
                      "at most one substep's fall, g dt^2");
  weft_physics_expect(
      run, "strut: landed at", "m", t->strut[late], 1, g * dt * dt + 4 * weft_half_ulp(1),
      "the strut's length of 1 m, without bouncing", "at most one substep's fall, g dt^2");
  weft_physics_expect(run, "strut: fallen before", "m", 1.5 - t->strut[14], fallen(substeps, 15),
                      rounding, "free fall: a strut that is not pressed does nothing",
                      "float rounding: half an ulp of height and speed a substep; 1e-11 in double");
  static const char alone[] =
      "0.7 m, where they started: longer than a strut of 0.5 m, shorter "
      "than a rope of 1 m, they fall side by side";
  static const char none[] = "nothing acts between them; the float nearest 0.7";
  weft_physics_expect(run, "slack strut between two", "m", t->apart[late], 0.7, 4e-8, alone, none);
  weft_physics_expect(run, "slack rope between two", "m", t->slack[late], 0.7, 4e-8, alone, none);
}

static void rope(weft_physics_run *run) {
  static sense_track coarse, fine;
  static double exact[FRAMES][2];
  solve_swing(exact);
  record_senses(run, &(weft_params){.substeps = 10}, &coarse);
  record_senses(run, &(weft_params){.substeps = 20}, &fine);
  claim_rope(run, &fine, 20);
  weft_physics_expect(
      run, "taut rope: swing", "m", swing_error(&coarse, &fine, exact), 0, 2e-3,
      "2 x(dt/2) - x(dt) against the pendulum of 1 m from 1 rad, 0.75 s: a taut rope "
      "is a link",
      "second order in dt, as for the pendulum, and rounding: 0.2 % of the length");
  double height[FRAMES];
  for (int f = 0; f < FRAMES; ++f) {
    height[f] = fmax(-1, -0.25 - 0.5 * WEFT_PHYSICS_G * fine.time[f] * fine.time[f]);
  }
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"A slack rope of 1 m, and a strut of 1 m under a falling particle",
                                "time (s)", "height (m)", false, false, false});
  weft_physics_theory(run, plot, "free fall, then caught", FRAMES, fine.time, height);
  weft_physics_curve(run, plot, "end of the rope", FRAMES, fine.time, fine.rope);
  weft_physics_curve(run, plot, "on the strut", FRAMES, fine.time, fine.strut);
  weft_order_run(run,
                 &(weft_order){.name = "taut rope",
                               .measure = off_swing,
                               .user = exact,
                               .title = "Max distance of a taut rope from the pendulum in 0.75 s",
                               .axis = "distance (m)"});
}

const weft_physics_case weft_case_rope = {
    "rope", "Ropes act only when stretched, struts only when compressed",
    "A rope let go slack falls freely and is caught at its length; a taut one swings as a "
    "pendulum; "
    "a particle falls freely onto a strut and stays there; two particles that are too far apart "
    "for "
    "a strut and too near for a rope do not notice either.",
    rope};

/* ---- catenaries ---- */

enum { SPANS = 5, CHAIN = 32 };
static const double lengths[SPANS] = {1.05, 1.10, 1.25, 1.50, 2.00};
static const double catenary_dt = (double)(1.0f / 60.0f) / 30;

/* Five chains side by side, each laid out as a V. */
static weft_model *catenaries(weft_physics_run *run) {
  enum { EACH = CHAIN + 1 };
  weft_vec3 positions[SPANS * EACH];
  float masses[SPANS * EACH];
  weft_link links[SPANS * CHAIN] = {{0}};
  for (uint32_t c = 0; c < SPANS; ++c) {
    double depth = sqrt(lengths[c] * lengths[c] - 1);
    for (uint32_t i = 0; i < EACH; ++i) {
      double part = (double)i / CHAIN, down = part < 0.5 ? part : 1 - part;
      positions[c * EACH + i] =
          weft_v3((float)(part - 0.5), (float)(-depth * down), 0.5f * (float)c);
      masses[c * EACH + i] = i == 0 || i == CHAIN ? 0 : 0.03f;
      if (i == CHAIN) continue;
      links[c * CHAIN + i] = (weft_link){
          .a = c * EACH + i, .b = c * EACH + i + 1, .rest_length = (float)(lengths[c] / CHAIN)};
    }
  }
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = SPANS * EACH,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = SPANS * CHAIN});
}

/* One sweep leaves a link of tension T stretched by T dt^2/m on average, as in a hanging chain. */
static double swept_length(double length, const double *x, const double *y) {
  double stretch = 0, middle = 0.5 * (CHAIN - 1);
  for (int i = 0; i < CHAIN; ++i) {
    double across = x[i + 1] - x[i], down = y[i] - y[i + 1], pull = middle - i;
    double h = fabs(down) > 1e-12 ? fabs(pull * across / down) : 0;
    stretch += hypot(h, pull) * WEFT_PHYSICS_G * catenary_dt * catenary_dt;
  }
  return length + stretch;
}

typedef struct hung {
  double sag, chain, smooth, swept; /* measured; of 32 links, of a line; added by the sweep */
} hung;

static hung measure_span(weft_physics_run *run, const weft_rig *rig, int c, uint32_t plot) {
  double x[CHAIN + 1], y[CHAIN + 1], px[CHAIN + 1], py[CHAIN + 1];
  hung h = {.chain = weft_chain_sag(1, lengths[c], CHAIN, x, y),
            .smooth = weft_catenary_sag(1, lengths[c])};
  h.swept = weft_chain_sag(1, swept_length(lengths[c], x, y), CHAIN, NULL, NULL) - h.chain;
  for (int i = 0; i <= CHAIN; ++i) {
    const double *at = weft_physics_ok(run) ? &rig->x[3 * (c * (CHAIN + 1) + i)] : x;
    px[i] = at[0];
    py[i] = at[1];
    h.sag = fmax(h.sag, -py[i]);
    x[i] -= 0.5;
  }
  weft_physics_theory(run, plot, weft_physics_text("theory, %.2f m", lengths[c]), CHAIN + 1, x, y);
  if (!weft_physics_is_double(run)) {
    weft_physics_curve(run, plot, weft_physics_text("%.2f m", lengths[c]), CHAIN + 1, px, py);
  }
  return h;
}

static void catenary(weft_physics_run *run) {
  weft_model *model = catenaries(run);
  weft_rig rig;
  hung spans[SPANS];
  weft_rig_open(run, model, &(weft_params){.substeps = 30, .damping = 8}, &rig);
  weft_rig_step(&rig, 150);
  weft_rig_read(&rig);
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"Chains of 32 links over a span of 1 m", "horizontal position (m)",
                                "height (m)", false, false, true});
  for (int c = 0; c < SPANS; ++c) spans[c] = measure_span(run, &rig, c, plot);
  for (int c = 0; c < SPANS; ++c) {
    const hung *h = &spans[c];
    weft_physics_expect(
        run, weft_physics_text("sag, length %.2f m", lengths[c]), "m", h->sag, h->smooth,
        1.5 * h->swept + h->chain - h->smooth + 1e-4 * h->smooth,
        "catenary: sag a(cosh(s/2a) - 1), length 2a sinh(s/2a), span s = 1",
        "32 straight links hang lower than a smooth line, by their own statics; one "
        "sweep leaves links stretched by T dt^2/m, half as much again; 1e-4 for rest");
  }
  for (int c = 0; c < SPANS; ++c) {
    const hung *h = &spans[c];
    weft_physics_expect(run, weft_physics_text("of 32 links, %.2f m", lengths[c]), "m",
                        h->sag - h->swept, h->chain, 0.3 * h->swept + 1e-4 * h->chain,
                        "statics of 32 links; what the sweep leaves is taken off the measured sag",
                        "a third of what the sweep leaves: it stretches steep links more than the "
                        "mean; 1e-4 for rest");
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

const weft_physics_case weft_case_catenary = {
    "catenary", "A chain between two points hangs as a catenary",
    "Five chains of 32 hard links over a span of 1 m, laid out as a V, hang for 2.5 s with damping "
    "until they are still.",
    catenary};
