/* case_bend.c: hinges: pushed from six poses, and swinging freely about flat. */
#include <complex.h>
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"
#include "orders.h"
#include "vec3d.h"

/* ---- geometry, in double: x0, x1 opposite, x2 x3 the edge ---- */

/* The turn, seen along the edge, from one height to the opposite of the other. Heights instead of
 * normals: not the solver's formula. */
static double hinge_angle(const double *p) {
  weft_vec3d from = weft_v3d_at(p + 6), e = weft_v3d_sub(weft_v3d_at(p + 9), from), h[2];
  for (int k = 0; k < 2; ++k) {
    weft_vec3d d = weft_v3d_sub(weft_v3d_at(p + 3 * k), from);
    h[k] = weft_v3d_add_scaled(d, -weft_v3d_dot(d, e) / weft_v3d_dot(e, e), e);
  }
  weft_vec3d out = weft_v3d_scale(h[1], -1);
  double sine = weft_v3d_dot(weft_v3d_cross(h[0], out), e) / weft_v3d_length(e);
  return atan2(sine, weft_v3d_dot(h[0], out));
}

/* ---- six poses ---- */

enum { POSES = 6, RESTS = 3 };
static const double poses[POSES] = {0, 3.14159, -3.14159, 1.5707, -1.5707, 2.9};
static const double rests[RESTS] = {0, 0.6, -1.2};

/* Edge along x; x0 to one side, x1 turned by `angle` out of the plane of the other. */
static void open_hinge(double angle, double away, weft_vec3 *x) {
  const float s = 0.05f, z = (float)away;
  x[2] = weft_v3(0, 0, z);
  x[3] = weft_v3(s, 0, z);
  x[0] = weft_v3(0.4f * s, s, z);
  x[1] = weft_v3(0.6f * s, -s * (float)cos(angle), z + s * (float)sin(angle));
}

static void push_hinges(weft_physics_run *run, double *error) {
  enum { HINGES = POSES * RESTS };
  static const float four_masses[] = {1, 2, 1.5f, 1};
  weft_vec3 rest[4 * HINGES], pushed[4 * HINGES];
  float masses[4 * HINGES];
  weft_hinge hinges[HINGES] = {{{0}, 0, 0, 0}};
  for (uint32_t k = 0; k < HINGES; ++k) {
    open_hinge(rests[k / POSES], 0, &rest[4 * k]);
    open_hinge(poses[k % POSES], 0, &pushed[4 * k]);
    hinges[k].rest_angle = (float)rests[k / POSES];
    for (uint32_t i = 0; i < 4; ++i) {
      masses[4 * k + i] = four_masses[i];
      hinges[k].particles[i] = 4 * k + i;
    }
  }
  weft_model *model =
      weft_physics_particles(run, &(weft_particles_desc){.particle_count = 4 * HINGES,
                                                         .positions = rest,
                                                         .masses = masses,
                                                         .hinges = hinges,
                                                         .hinge_count = HINGES});
  /* Damping this strong stops all motion: only positions are projected. */
  weft_params params = {.no_gravity = true, .substeps = 1, .damping = 10000};
  weft_rig rig;
  weft_rig_open(run, model, &params, &rig);
  weft_rig_write(&rig, pushed, NULL);
  weft_rig_step(&rig, 60);
  weft_rig_read(&rig);
  for (uint32_t k = 0; k < HINGES && weft_physics_ok(run); ++k) {
    double off = hinge_angle(&rig.x[12 * k]) - (double)hinges[k].rest_angle;
    error[k] = remainder(off, 2 * acos(-1));
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
}

static void claim_poses(weft_physics_run *run) {
  double error[POSES * RESTS] = {0};
  push_hinges(run, error);
  for (int r = 0; r < RESTS; ++r) {
    for (int p = 0; p < POSES; ++p) {
      weft_physics_expect(
          run, weft_physics_text("from %g to %g", poses[p], rests[r]), "rad", error[r * POSES + p],
          0, 1e-6,
          "back at its rest angle after 60 projections, from flat, folded and nearly "
          "folded, and no NaN",
          "rounding of an angle of up to 3 rad, as the last projections leave it");
    }
  }
}

/* ---- a hinge swinging about flat ---- */

enum { FRAMES = 60, SUBSTEPS = 20 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double start = 1e-3; /* rad */

static const weft_vec3 flat[4] = {{0.04f, 0.09f, 0}, {0.07f, -0.06f, 0}, {0, 0, 0}, {0.1f, 0, 0}};

/* How the angle grows as each particle leaves the plane: 1/h for the opposite ones, and for the
 * edge's ends minus their shares of those. The edge runs along x. */
static void flat_gradient(double *g) {
  double length = (double)flat[3].x, h0 = (double)flat[0].y, h1 = -(double)flat[1].y;
  double t0 = (double)flat[0].x / length, t1 = (double)flat[1].x / length;
  g[0] = 1 / h0;
  g[1] = 1 / h1;
  g[2] = -((1 - t0) / h0 + (1 - t1) / h1);
  g[3] = -(t0 / h0 + t1 / h1);
}

static double area_of_both(void) {
  return 0.5 * (double)flat[3].x * ((double)flat[0].y - (double)flat[1].y);
}

static const float rigidity = 1e-3f; /* N m, a thousand times cloth: it must swing in a second */

static weft_model *preprocessed(weft_physics_run *run, weft_bending bending) {
  weft_vec3 positions[4];
  uint32_t triangles[] = {0, 2, 3, 1, 3, 2};
  for (int i = 0; i < 4; ++i) positions[i] = flat[i];
  weft_mesh mesh = {
      .vertex_count = 4, .triangle_count = 2, .positions = positions, .triangles = triangles};
  weft_material material = {.name = "only bending", .area_density = 0.2f, .bending = rigidity};
  weft_model_desc desc = {.mesh = &mesh, .material = &material, .bending = bending};
  weft_model *model = NULL;
  if (weft_physics_ok(run)) weft_model_create(&desc, &model, &run->err);
  return model;
}

static weft_model *jointed(weft_physics_run *run, double compliance) {
  static const float masses[] = {0.25f, 0.5f, 1, 2};
  const weft_hinge hinge = {.particles = {0, 1, 2, 3}, .compliance = (float)compliance};
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = 4,
                                                            .positions = flat,
                                                            .masses = masses,
                                                            .hinges = &hinge,
                                                            .hinge_count = 1});
}

/* Let go along its own mode, so that implicit Euler makes of it Re(z^n) exactly. */
static void claim_swing(weft_physics_run *run, const weft_model *model, const char *name,
                        double compliance, double *angles) {
  double g[4], weight = 0;
  weft_vec3 bent[4];
  flat_gradient(g);
  for (int i = 0; i < 4 && model; ++i) weight += (double)model->inverse_masses[i] * g[i] * g[i];
  for (int i = 0; i < 4 && model; ++i) {
    bent[i] = flat[i];
    bent[i].z = (float)(start / weight * (double)model->inverse_masses[i] * g[i]);
  }
  double turn = sqrt(weight / compliance), dt = frame_dt / SUBSTEPS, max = 0;
  weft_rig rig;
  weft_rig_open(run, model, &(weft_params){.no_gravity = true, .substeps = SUBSTEPS}, &rig);
  weft_rig_write(&rig, bent, NULL);
  for (int f = 0; f < FRAMES && weft_physics_ok(run); ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    double angle = 0, n = (f + 1) * SUBSTEPS;
    for (int i = 0; i < 4; ++i) angle += g[i] * rig.x[3 * i + 2];
    max = fmax(max, fabs(angle - start * creal(cpow(1 / (1 - I * turn * dt), n))));
    angles[f] = angle;
  }
  weft_physics_expect(
      run, name, "rad", max, 0, 2e-3 * start,
      "Re(z^n) 0.001 rad, z = 1/(1 - i w dt), w^2 = B|e|^2/(A0+A1) sum w_i g_i^2 with "
      "the heights' gradients: the swing over a second, about 5 periods",
      "0.2 % of the amplitude: rounding of angles this small, and the square of the "
      "angle; a stiffness wrong by 2 % shifts the phase by 0.3 rad");
  weft_rig_close(&rig);
}

/* Of a hinge of particles, against the exact swing. */
static double off_swing(weft_physics_run *run, const weft_params *params, const void *user) {
  const double compliance = 0.5;
  double g[4], weight = 0, max = 0;
  weft_vec3 bent[4];
  weft_model *model = jointed(run, compliance);
  (void)user;
  flat_gradient(g);
  for (int i = 0; i < 4 && model; ++i) weight += (double)model->inverse_masses[i] * g[i] * g[i];
  for (int i = 0; i < 4 && model; ++i) {
    bent[i] = flat[i];
    bent[i].z = (float)(start / weight * (double)model->inverse_masses[i] * g[i]);
  }
  weft_rig rig;
  weft_rig_open(run, model, params, &rig);
  weft_rig_write(&rig, bent, NULL);
  for (int f = 0; f < FRAMES && weft_physics_ok(run); ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    double angle = 0;
    for (int i = 0; i < 4; ++i) angle += g[i] * rig.x[3 * i + 2];
    max = fmax(max, fabs(angle - start * cos(sqrt(weight / compliance) * (f + 1) * frame_dt)));
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return max;
}

static void claim_swings(weft_physics_run *run) {
  double edge = (double)flat[3].x, angles[3][FRAMES], time[FRAMES];
  double compliance = area_of_both() / ((double)rigidity * edge * edge);
  static const char *const names[] = {"hinge of particles", "cloth, dihedral", "cloth, isometric"};
  uint32_t plot =
      weft_physics_plot(run, &(weft_physics_axes){"Two triangles swinging about flat", "time (s)",
                                                  "angle (rad)", false, false, false});
  for (int k = 0; k < 3; ++k) {
    double own = k ? compliance : 0.5;
    weft_model *model =
        k ? preprocessed(run, k == 1 ? WEFT_BENDING_DIHEDRAL : WEFT_BENDING_ISOMETRIC)
          : jointed(run, own);
    claim_swing(run, model, names[k], own, angles[k]);
    weft_model_destroy(model);
    for (int f = 0; f < FRAMES; ++f) time[f] = (f + 1) * frame_dt;
    if (!weft_physics_is_double(run)) {
      weft_physics_curve(run, plot, names[k], FRAMES, time, angles[k]);
    }
  }
}

static void bend(weft_physics_run *run) {
  claim_poses(run);
  claim_swings(run);
  weft_order_run(run, &(weft_order){.name = "swinging hinge",
                                    .measure = off_swing,
                                    .params = {.no_gravity = true},
                                    .title = "Max error of a swinging hinge's angle in 1 s",
                                    .axis = "error (rad)"});
}

const weft_physics_case weft_case_bend = {
    "bend", "Hinges return to their rest angle from any pose, and swing as their stiffness says",
    "Hinges of rest angle 0, 0.6 and -1.2 rad are pushed into six poses, flat and folded included, "
    "and projected 60 times. Two unequal triangles swing about flat on a hinge, on cloth with "
    "dihedral bending and on cloth with isometric bending: the last two must have the same "
    "stiffness.",
    bend};
