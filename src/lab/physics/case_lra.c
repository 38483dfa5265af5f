/* case_lra.c: long-range attachments: an inequality, and lengths along the cloth.
 *
 * An attachment alone is a pendulum on a string. To give the particle a length to its pin there is
 * a link between them, so soft (1e9 m/N) that it pulls with less than a nanonewton. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "orders.h"

static const double frame_dt = (double)(1.0f / 60.0f);

static double walk(const weft_physics_run *run, double size, double substeps) {
  if (weft_physics_is_double(run)) return 0;
  return 3 * 2 * weft_half_ulp(size) / sqrt(12) * sqrt(substeps * substeps * substeps / 3);
}

/* ---- strings of 1 m: one that swings, one that is thrown up, one that falls and is caught ---- */

enum { STRINGS = 3, FRAMES = 54, SWING = 0, THROWN, DROPPED };
static const double start_angle = 1.2, dropped_at = 0.6;

typedef struct track {
  double x[FRAMES + 1], y[FRAMES + 1];
} track;

/* The equation that substeps of dt solve to first order, as for beads; dt 0: the exact one. */
static void string_slope(const void *user, double t, const double *y, double *dy) {
  double dt = *(const double *)user;
  (void)t;
  dy[0] = y[1];
  dy[1] = -WEFT_PHYSICS_G * sin(y[0]) - dt * y[1] * (y[1] * y[1] + WEFT_PHYSICS_G * cos(y[0]));
}

static void put(track *t, int f, double angle) {
  t->x[f] = sin(angle);
  t->y[f] = -cos(angle);
}

static void theory_swing(double dt, track *t) {
  double y[2] = {start_angle, -0.5 * dt * WEFT_PHYSICS_G * sin(start_angle)};
  for (int f = 0; f <= FRAMES; ++f) {
    put(t, f, y[0]);
    weft_ode_solve(string_slope, &dt, 2, 0, frame_dt, 1e-12, y);
  }
}

/* From the lowest point with v^2 = 3.5 g R: the string goes slack where v^2 + g R cos(theta) = 0,
 * at cos(theta) = -1/2, and a parabola follows. */
static void theory_thrown(track *t) {
  const double leaves = 2 * 3.14159265358979323846 / 3, exact = 0;
  double y[2] = {0, sqrt(3.5 * WEFT_PHYSICS_G)}, low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    double z[2] = {y[0], y[1]}, middle = 0.5 * (low + high);
    weft_ode_solve(string_slope, &exact, 2, 0, middle, 1e-13, z);
    if (z[0] < leaves && z[1] > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  double x = sin(leaves), h = -cos(leaves), v = sqrt(0.5 * WEFT_PHYSICS_G);
  double vx = v * cos(leaves), vy = v * sin(leaves);
  for (int f = 0; f <= FRAMES; ++f) {
    double time = f * frame_dt, since = time - low, z[2] = {y[0], y[1]};
    if (since < 0) {
      weft_ode_solve(string_slope, &exact, 2, 0, time, 1e-13, z);
      put(t, f, z[0]);
    } else {
      t->x[f] = x + vx * since;
      t->y[f] = h + vy * since - 0.5 * WEFT_PHYSICS_G * since * since;
    }
  }
}

/* Falls from the height of its pin to the circle, where it keeps what is along it. */
static void theory_dropped(track *t) {
  const double depth = sqrt(1 - dropped_at * dropped_at), exact = 0;
  double caught = sqrt(2 * depth / WEFT_PHYSICS_G), angle = asin(dropped_at);
  for (int f = 0; f <= FRAMES; ++f) {
    double time = f * frame_dt, y[2] = {angle, -WEFT_PHYSICS_G * caught * dropped_at};
    if (time <= caught) {
      t->x[f] = dropped_at;
      t->y[f] = -0.5 * WEFT_PHYSICS_G * time * time;
    } else {
      weft_ode_solve(string_slope, &exact, 2, 0, time - caught, 1e-12, y);
      put(t, f, y[0]);
    }
  }
}

static weft_model *strings(weft_physics_run *run, weft_vec3 *v) {
  weft_vec3 x[2 * STRINGS] = {{0}};
  float masses[2 * STRINGS] = {0};
  weft_link links[STRINGS];
  for (uint32_t s = 0; s < STRINGS; ++s) {
    x[2 * s].z = x[2 * s + 1].z = (float)s;
    masses[2 * s + 1] = 1;
    v[2 * s] = v[2 * s + 1] = weft_v3(0, 0, 0);
    links[s] = (weft_link){.a = 2 * s, .b = 2 * s + 1, .rest_length = 1, .compliance = 1e9f};
  }
  x[2 * SWING + 1].x = (float)sin(start_angle);
  x[2 * SWING + 1].y = (float)-cos(start_angle);
  x[2 * THROWN + 1].y = -1;
  v[2 * THROWN + 1].x = (float)sqrt(3.5 * WEFT_PHYSICS_G);
  x[2 * DROPPED + 1].x = (float)dropped_at;
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = 2 * STRINGS,
                                                            .positions = x,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = STRINGS});
}

static void swing_strings(weft_physics_run *run, const weft_params *params, track *tracks) {
  weft_vec3 v[2 * STRINGS];
  weft_model *model = strings(run, v);
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  weft_rig_write(&rig, NULL, v);
  for (int f = 0; f <= FRAMES; ++f) {
    if (f) weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    for (int s = 0; s < STRINGS; ++s) {
      tracks[s].x[f] = rig.x[3 * (2 * s + 1)];
      tracks[s].y[f] = rig.x[3 * (2 * s + 1) + 1];
    }
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static double apart(const track *a, const track *b, int frames) {
  double max = 0;
  for (int f = 0; f <= frames; ++f) max = fmax(max, hypot(a->x[f] - b->x[f], a->y[f] - b->y[f]));
  return max;
}

static void plot_strings(weft_physics_run *run, const track *measured, const track *exact) {
  uint32_t plot = weft_physics_plot(
      run, &(weft_physics_axes){"On strings of 1 m: swung, thrown up, dropped; 40 substeps",
                                "horizontal position (m)", "height (m)", false, false, true});
  static const char *const names[] = {"swung", "thrown up", "dropped"};
  for (int s = 0; s < STRINGS; ++s) {
    weft_physics_theory(run, plot, weft_physics_text("%s, theory", names[s]), FRAMES + 1,
                        exact[s].x, exact[s].y);
    if (run->place == WEFT_PHYSICS_REF) {
      weft_physics_curve(run, plot, names[s], FRAMES + 1, measured[s].x, measured[s].y);
    }
  }
}

static double off_swing(weft_physics_run *run, const weft_params *params, const void *user) {
  static track tracks[STRINGS];
  swing_strings(run, params, tracks);
  return apart(&tracks[SWING], user, FRAMES);
}

static void claim_order(weft_physics_run *run) {
  static track exact;
  theory_swing(0, &exact);
  weft_order_run(run,
                 &(weft_order){.name = "taut",
                               .measure = off_swing,
                               .user = &exact,
                               .params = {.lra = 1},
                               .title = "Max distance of a taut string from the pendulum in 0.9 s",
                               .axis = "distance (m)",
                               .doubles_only = true});
}

static void claim_strings(weft_physics_run *run) {
  enum { COARSE = 20, FINE = 40, FALLS = 24, CAUGHT = 45 };
  static track coarse[STRINGS], fine[STRINGS], exact[STRINGS], modified;
  const double dt = frame_dt / COARSE;
  swing_strings(run, &(weft_params){.substeps = COARSE, .lra = 1}, coarse);
  swing_strings(run, &(weft_params){.substeps = FINE, .lra = 1}, fine);
  theory_swing(0, &exact[SWING]);
  theory_thrown(&exact[THROWN]);
  theory_dropped(&exact[DROPPED]);
  theory_swing(dt, &modified);
  double rounding = walk(run, 1, FRAMES * FINE);
  weft_physics_expect(run, "taut: from the pendulum, 20 substeps", "m",
                      apart(&coarse[SWING], &modified, FRAMES), 0, 5e-6 + rounding,
                      "theta'' = -(g/R) sin(theta) - dt theta'(theta'^2 + (g/R) cos(theta)), what "
                      "substeps solve to first order (see bead); max distance in 0.9 s",
                      "second order, g^1.5 dt^2/2; in floats a walk of an ulp/sqrt(12) "
                      "sqrt(n^3/3), three times");
  weft_physics_expect(run, "taut: lag behind the exact pendulum", "m",
                      apart(&coarse[SWING], &exact[SWING], FRAMES),
                      apart(&modified, &exact[SWING], FRAMES), 5e-6 + rounding,
                      "the same equation beside theta'' = -(g/R) sin(theta)", "the same");
  track left;
  for (int f = 0; f <= FRAMES; ++f) {
    left.x[f] = 2 * fine[THROWN].x[f] - coarse[THROWN].x[f];
    left.y[f] = 2 * fine[THROWN].y[f] - coarse[THROWN].y[f];
  }
  weft_physics_expect(run, "thrown up: leaves the circle at 120 degrees", "m",
                      apart(&left, &exact[THROWN], FRAMES), 0, 5e-4 + 2 * rounding,
                      "a pendulum of v^2 = 3.5 g R until v^2 + g R cos(theta) = 0, a parabola "
                      "after; 2 x(dt/2) - x(dt), max distance in 0.9 s",
                      "second order in dt; in floats that walk of two runs");
  double off = 0;
  for (int f = 0; f <= FALLS; ++f) {
    double n = f * COARSE;
    off = fmax(off, hypot(coarse[DROPPED].x[f] - (double)(float)dropped_at,
                          coarse[DROPPED].y[f] + 0.5 * WEFT_PHYSICS_G * dt * dt * n * (n + 1)));
  }
  weft_physics_expect(run, "slack: from free fall", "m", off, 0,
                      1e-9 + walk(run, 0.8, FALLS * COARSE),
                      "0 from -g dt^2 n(n+1)/2 until the string is taut",
                      "the soft link, a nanonewton; in floats that walk");
  weft_physics_expect(run, "caught: from the pendulum, 40 substeps", "m",
                      apart(&fine[DROPPED], &exact[DROPPED], CAUGHT), 0, 4 * dt / 2 + rounding,
                      "free fall to the circle, there the speed along it, then theta'' = -(g/R) "
                      "sin(theta); max distance in 0.75 s",
                      "caught at the end of a substep: up to 4 m/s times dt of distance");
  plot_strings(run, fine, exact);
}

/* ---- how long attachments are ---- */

typedef enum cut { WHOLE, CORNER, SLIT } cut;

typedef struct piece {
  weft_mesh mesh;
  bool *below; /* [vertices] on the lower lip of the slit */
  uint32_t pin;
} piece;

/* The unit square of n cells a side; without its lower right quarter; or cut open from the right
 * side to the middle. */
static piece cut_out(uint32_t n, cut kind) {
  uint32_t side = n + 1, half = n / 2, all = 2 * side * side;
  piece p = {0};
  uint32_t *index = weft_alloc(all, sizeof *index);
  p.mesh.positions = weft_alloc(all, sizeof *p.mesh.positions);
  p.mesh.triangles = weft_alloc(6 * (size_t)n * n, sizeof *p.mesh.triangles);
  p.below = weft_alloc(all, sizeof *p.below);
  for (uint32_t q = 0; q < n * n; ++q) {
    uint32_t r = q / n, c = q % n, corner[4];
    if (kind == CORNER && r >= half && c >= half) continue;
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t row = r + k / 2, column = c + k % 2;
      bool lip = kind == SLIT && r >= half && row == half && column > half;
      uint32_t *known = &index[(lip ? side * side : 0) + row * side + column];
      if (*known == 0) {
        uint32_t v = p.mesh.vertex_count++;
        p.mesh.positions[v] = weft_v3((float)column / (float)n, -(float)row / (float)n, 0);
        p.below[v] = lip;
        if (row == n / 4 && column == n) p.pin = v;
        *known = v + 1;
      }
      corner[k] = *known - 1;
    }
    bool other = (r + c) % 2;
    const uint32_t cuts[2][6] = {{0, 2, 3, 0, 3, 1}, {0, 2, 1, 1, 2, 3}};
    for (int k = 0; k < 6; ++k) {
      p.mesh.triangles[3 * p.mesh.triangle_count + (uint32_t)k] = corner[cuts[other][k]];
    }
    p.mesh.triangle_count += 2;
  }
  weft_free(index);
  return p;
}

/* Straight, or by way of the middle of the square for who is hidden behind it. */
static double shortest(const piece *p, uint32_t vertex) {
  weft_vec3 a = p->mesh.positions[p->pin], b = p->mesh.positions[vertex];
  double ax = (double)a.x - 0.5, ay = (double)a.y + 0.5;
  double bx = (double)b.x - 0.5, by = (double)b.y + 0.5;
  bool hidden = p->below[vertex] || (by < 0 && ax * by - ay * bx < -1e-9);
  return hidden ? hypot(ax, ay) + hypot(bx, by) : hypot(ax - bx, ay - by);
}

/* All particles are put in one place 10 m away, and one substep is made: what comes back comes to
 * the length of its attachment. Cloth in one place has no direction to pull, and this pulls with
 * 1e-6 N/m anyway. Returns the largest and smallest of length - shortest way. */
static void measure_lengths(weft_physics_run *run, cut kind, uint32_t n, double *longest,
                            double *min) {
  const weft_material loose = {.name = "loose",
                               .area_density = 1,
                               .stretch_warp = 1e-6f,
                               .stretch_weft = 1e-6f,
                               .shear = 1e-6f};
  piece p = cut_out(n, kind);
  weft_pin pin = {.rule = WEFT_PIN_LIST, .list = &p.pin, .list_count = 1};
  weft_model *model = NULL;
  weft_model_desc desc = {.mesh = &p.mesh,
                          .material = &loose,
                          .bending = WEFT_BENDING_NONE,
                          .pins = &pin,
                          .pin_count = 1};
  if (weft_physics_ok(run)) weft_model_create(&desc, &model, &run->err);
  weft_rig rig;
  weft_params params = {.no_gravity = true, .substeps = 1, .lra = 1};
  weft_rig_open(run, model, &params, &rig);
  weft_vec3 *far = weft_alloc(rig.count, sizeof *far);
  for (uint32_t i = 0; i < rig.count; ++i) far[i] = weft_v3(6, 0, 8);
  if (model) far[p.pin] = p.mesh.positions[p.pin];
  weft_rig_write(&rig, far, NULL);
  weft_rig_step(&rig, 1);
  weft_rig_read(&rig);
  *longest = -INFINITY;
  *min = INFINITY;
  for (uint32_t i = 0; model && i < rig.count; ++i) {
    bool flat = kind == WHOLE;
    weft_vec3 at = p.mesh.positions[i], from = p.mesh.positions[p.pin];
    double way = flat ? hypot((double)at.x - (double)from.x, (double)at.y - (double)from.y)
                      : shortest(&p, i);
    double excess = weft_v3d_distance(weft_rig_at(&rig, i), weft_rig_at(&rig, p.pin)) - way;
    *longest = fmax(*longest, excess);
    *min = fmin(*min, excess);
  }
  weft_free(far);
  weft_rig_close(&rig);
  weft_model_destroy(model);
  weft_mesh_free(&p.mesh);
  weft_free(p.below);
}

static void claim_lengths(weft_physics_run *run) {
  static const double cells[] = {16, 32, 64};
  static const char *const names[] = {"square", "L", "square with a slit"};
  double longest[3], min[3];
  static const char why[] =
      "an attachment is 5e-7 of itself longer than the path, and a position of 1 m is "
      "rounded to float";
  measure_lengths(run, WHOLE, 16, &longest[0], &min[0]);
  weft_physics_expect(run, "square: attachment over path, max", "m", longest[0], 0, 1e-6,
                      "0 beside the straight line to every vertex", why);
  weft_physics_expect(run, "square: attachment over path, min", "m", min[0], 0, 1e-6,
                      "0 beside the straight line to every vertex", why);
  for (cut kind = CORNER; kind <= SLIT; ++kind) {
    for (int k = 0; k < 3; ++k) {
      measure_lengths(run, kind, (uint32_t)cells[k], &longest[k], &min[k]);
      weft_physics_expect(
          run, weft_physics_text("%s of %.0f cells: too short by", names[kind], cells[k]), "m",
          fmax(-min[k], 0), 0, 1e-6,
          "0: none is shorter than the path: straight, or in two straight lines round the "
          "corner",
          "rounding of a position of 1 m");
      weft_physics_expect(run,
                          weft_physics_text("%s of %.0f cells: too long by", names[kind], cells[k]),
                          "m", longest[k], 0, 0.022 / sqrt(cells[k]),
                          "0: straight, or in two straight lines round the corner",
                          "0.022 m times the root of an edge: just behind the corner's shadow "
                          "line, where the front "
                          "takes a path round a vertex beside the corner");
    }
  }
}

/* ---- a sheet hung by two corners ---- */

enum { SIDE = 17, HANGS = 30 };

typedef struct hung {
  double past[2]; /* largest of distance/length to either corner, nearer and other */
  double mean_strain, max_strain;
} hung;

static hung hang(weft_physics_run *run, uint32_t lra) {
  weft_grid_desc grid = {.rows = SIDE, .columns = SIDE, .width = 1, .height = 1};
  weft_model *model =
      weft_physics_sheet(run, &grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  hung h = {{0}, 0, 0};
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.lra = lra}, &rig);
  for (int f = 0; f < HANGS && model; ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    for (uint32_t i = 0; i < rig.count; ++i) {
      double ratio[2] = {0}, row = i / SIDE, column = i % SIDE;
      for (uint32_t c = 0; c < 2; ++c) {
        weft_vec3d corner = weft_rig_at(&rig, c * (SIDE - 1));
        double way = hypot(row, column - (c ? SIDE - 1 : 0)) / (SIDE - 1);
        if (way > 0) ratio[c] = weft_v3d_distance(weft_rig_at(&rig, i), corner) / way;
      }
      uint32_t near = column > SIDE / 2; /* in the middle column both are */
      bool both = column == SIDE / 2;
      h.past[0] = fmax(h.past[0], both ? fmax(ratio[0], ratio[1]) : ratio[near]);
      if (!both) h.past[1] = fmax(h.past[1], ratio[1 - near]);
    }
  }
  weft_metrics m = {0};
  if (weft_physics_ok(run)) weft_solver_metrics(rig.solver, &m, &run->err);
  h.mean_strain = m.strain_mean;
  h.max_strain = m.strain_max;
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return h;
}

static void claim_hung(weft_physics_run *run) {
  hung with = hang(run, 2), without = hang(run, 0);
  static const char source[] =
      "1: taut, and no further than the straight line of the rest grid; "
      "max of distance over length in 30 frames";
  weft_physics_expect(run, "hung sheet: to the farther corner", "", with.past[1], 1, 3e-6, source,
                      "an attachment is 5e-7 of itself longer, and positions are rounded to float");
  weft_physics_expect(run, "hung sheet: to the nearer corner", "", with.past[0], 1, 2e-4, source,
                      "the other corner's sphere comes last and may take it out of this one");
  static const char remark[] = "no claim: what attachments bound and what strain they leave";
  weft_physics_note(run, "without attachments: to the nearer corner", "", without.past[0], remark);
  weft_physics_note(run, "without attachments: to the farther corner", "", without.past[1], remark);
  weft_physics_note(run, "mean strain, with", "", with.mean_strain, remark);
  weft_physics_note(run, "mean strain, without", "", without.mean_strain, remark);
  weft_physics_note(run, "max strain, with", "", with.max_strain, remark);
  weft_physics_note(run, "max strain, without", "", without.max_strain, remark);
}

static void lra(weft_physics_run *run) {
  claim_strings(run);
  claim_order(run);
  claim_lengths(run);
  claim_hung(run);
}

const weft_physics_case weft_case_lra = {
    "lra", "Long-range attachments are strings: slack they do nothing, taut they hold",
    "Particles on a long-range attachment alone swing, are thrown up until the string goes slack, "
    "and fall until "
    "it is taut. The lengths of attachments are those of shortest paths over flat pieces of cloth: "
    "a "
    "square, an L and a square with a slit, pinned at one vertex of the right side. A soft sheet "
    "hung "
    "by two corners with an attachment to each.",
    lra};
