/* Self-collision of cloth in motion: it adds no energy, and what flies, turns or swings as a whole
 * is not held and costs no more than at rest. */
#include "rig.h"
/* after rig.h */
#include "base.h"

enum { SIDE = 40, SMALL = 12 };
static const double side = 0.6, small_side = 0.2;

static weft_metrics metrics_of(weft_solver *solver) {
  weft_metrics m;
  weft_error err = {0};
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  return m;
}

/* ---- energy ---- */

/* Two sheets a hand apart, which is not near in the rest pose. */
static weft_model *two_sheets(void) {
  weft_grid_desc grid = {.rows = SMALL,
                         .columns = SMALL,
                         .width = (float)small_side,
                         .height = (float)small_side,
                         .plane = WEFT_PLANE_XZ};
  weft_mesh one = rig_grid(&grid), both = {0};
  uint32_t n = one.vertex_count, corners = 3 * one.triangle_count;
  both.vertex_count = 2 * n;
  both.triangle_count = 2 * one.triangle_count;
  both.positions = weft_alloc(both.vertex_count, sizeof *both.positions);
  both.triangles = weft_alloc(2 * (size_t)corners, sizeof *both.triangles);
  for (uint32_t i = 0; i < 2 * n; ++i) {
    both.positions[i] = one.positions[i % n];
    if (i >= n) both.positions[i].y += 0.1f;
  }
  for (uint32_t k = 0; k < 2 * corners; ++k) {
    both.triangles[k] = one.triangles[k % corners] + (k < corners ? 0 : n);
  }
  weft_model *model = rig_preprocess(
      &(weft_model_desc){.mesh = &both, .material = weft_material_find("tablecloth")});
  weft_mesh_free(&one);
  weft_mesh_free(&both);
  return model;
}

/* About an axis (Rodrigues). */
static weft_vec3d turned(weft_vec3d p, weft_vec3d axis, double angle) {
  weft_vec3d cross = weft_v3d_cross(axis, p);
  double along = weft_v3d_dot(axis, p), c = cos(angle);
  return weft_v3d_add(weft_v3d_add(weft_v3d_scale(p, c), weft_v3d_scale(cross, sin(angle))),
                      weft_v3d_scale(axis, along * (1 - c)));
}

static weft_vec3d any_vector(weft_rng *rng, float most) {
  return weft_v3d((double)weft_rng_float(rng, -most, most),
                  (double)weft_rng_float(rng, -most, most),
                  (double)weft_rng_float(rng, -most, most));
}

/* The second sheet, turned any way about its centre, comes down at 1 to 4 m/s and spins. */
static void throw_at_random(weft_solver *solver, const weft_model *model, uint64_t seed) {
  weft_rng rng = weft_rng_seed(seed);
  uint32_t n = model->particle_count / 2;
  weft_vec3 *x = calloc(2 * (size_t)n, sizeof *x), *v = calloc(2 * (size_t)n, sizeof *v);
  weft_vec3d axis = any_vector(&rng, 1), spin = any_vector(&rng, 4);
  axis = weft_v3d_scale(axis, 1 / sqrt(weft_v3d_dot(axis, axis)));
  double angle = (double)weft_rng_float(&rng, 0, 3);
  weft_vec3d way = any_vector(&rng, 0.7f);
  way.y = -(double)weft_rng_float(&rng, 1, 4);
  weft_vec3d centre = {0.3 * way.x / 4, 0.16, 0.3 * way.z / 4};
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 rest = model->rest_positions[i];
    x[i] = rest;
    weft_vec3d arm = turned(weft_v3d((double)rest.x, (double)rest.y, (double)rest.z), axis, angle);
    weft_vec3d place = weft_v3d_add(centre, arm);
    weft_vec3d speed = weft_v3d_add(way, weft_v3d_cross(spin, arm));
    x[n + i] = weft_v3((float)place.x, (float)place.y, (float)place.z);
    v[n + i] = weft_v3((float)speed.x, (float)speed.y, (float)speed.z);
  }
  rig_write(solver, x, v);
  free(x);
  free(v);
}

/* The sheets are thrown unstrained, so all energy is that of their motion, and never is there more.
 * (What constraints seem to hold between two substeps is not energy: they have not converged.) */
static void collisions_add_no_energy(void **state) {
  (void)state;
  weft_model *model = two_sheets();
  const weft_params params = {.self_collision = true, .no_gravity = true};
  double grown = 0, left = 0;
  uint32_t met = 0;
  enum { STARTS = 40, FRAMES = 16 };
  for (uint64_t seed = 1; seed <= STARTS; ++seed) {
    weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
    throw_at_random(solver, model, seed);
    weft_metrics m = metrics_of(solver);
    double thrown = m.kinetic_energy;
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < FRAMES; ++f) {
      rig_step(solver, 1);
      m = metrics_of(solver);
      grown = fmax(grown, m.kinetic_energy / thrown - 1);
      pairs += m.self_pairs;
    }
    left += m.kinetic_energy / thrown / STARTS;
    if (pairs > 1000) ++met;
    weft_solver_destroy(solver);
  }
  print_message("%u of %u starts met: energy grows by %.2g at most, %.2g is left on average\n", met,
                STARTS, grown, left);
  assert_true(met > STARTS * 3 / 4 && left > 0.5);
  assert_true(grown <= 1e-3);
  weft_model_destroy(model);
}

/* ---- pauses ---- */

/* One sheet flies at another that stands still; the lists have no room for what they have near each
 * other, and do not grow. */
static weft_solver *meeting(const weft_model *model, const weft_backend *backend,
                            uint32_t substeps) {
  const weft_params params = {.self_collision = true,
                              .no_gravity = true,
                              .substeps = substeps,
                              .self_thickness = 0.02f,
                              .self_room = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  uint32_t n = model->particle_count;
  weft_vec3 *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = model->rest_positions[i];
    if (i < n / 2) continue;
    x[i].y -= 0.05f;
    v[i] = weft_v3(0.2f, -1, 0.1f);
  }
  rig_write(solver, x, v);
  free(x);
  free(v);
  return solver;
}

/* Where nothing moves for want of room, what flew goes on with its velocity, but for the rounding
 * of a position; after WEFT_SELF_PATIENCE pauses in a row each takes half of it. */
static void check_pause(const weft_model *model, const weft_backend *backend, uint32_t pauses) {
  weft_solver *solver = meeting(model, backend, 1);
  uint32_t n = model->particle_count, flown = 0, paused = 0;
  weft_vec3 *x = calloc(2 * (size_t)n, sizeof *x), *v = x + n;
  weft_error err = {0};
  for (; paused < pauses && flown < 60; ++flown) {
    rig_step_without_room(solver, 1);
    weft_metrics m = metrics_of(solver);
    assert_int_equal(m.self_overflows, m.self_pauses);
    assert_true(m.self_pauses || !paused);
    paused += m.self_pauses;
  }
  assert_true(paused == pauses && flown > pauses);
  assert_int_equal(weft_solver_read(solver, x, v, &err), WEFT_OK);
  double factor = pauses > WEFT_SELF_PATIENCE ? 0.5 : 1, most = 0;
  for (uint32_t i = n / 2; i < n; ++i) {
    most = fmax(most, fabs((double)v[i].y / factor + 1));
    most = fmax(most, fabs((double)v[i].x / factor - 0.2));
  }
  print_message("%u pauses: velocities are %g of what they were, to %.2g m/s\n", pauses, factor,
                most);
  rig_near(most, 0, 2e-4, "the change of a velocity, m/s");
  weft_solver_destroy(solver);
  free(x);
}

static void a_pause_keeps_velocities(void **state) {
  (void)state;
  weft_model *model = two_sheets();
  check_pause(model, weft_backend_cpu(0), 1);
  check_pause(model, weft_backend_ref(), 1);
  check_pause(model, weft_backend_cpu(0), WEFT_SELF_PATIENCE + 1);
  check_pause(model, weft_backend_ref(), WEFT_SELF_PATIENCE + 1);
  weft_model_destroy(model);
}

/* ---- momentum ---- */

/* The upper of two free sheets, lying askew over the other, 1 cm above it; each with its speed. */
static void throw_down(weft_solver *solver, const weft_model *model, double upper, double lower) {
  uint32_t n = model->particle_count;
  weft_vec3 *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v);
  double c = cos(0.3), s = sin(0.3);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 p = model->rest_positions[i];
    bool above = i >= n / 2;
    double px = (double)p.x, pz = (double)p.z;
    x[i] = above ? weft_v3((float)(c * px - s * pz + 0.013), 0.01f, (float)(s * px + c * pz)) : p;
    v[i] = weft_v3(0, (float)(above ? upper : lower), 0);
  }
  rig_write(solver, x, v);
  free(x);
  free(v);
}

typedef struct meeting_result {
  double drift, energy; /* most, of what was thrown */
  uint32_t cut;
} meeting_result;

/* As parts of the momentum, each sheet's taken as positive, and of the energy that were thrown. */
static meeting_result throw_and_watch(const weft_model *model, double speed, bool both,
                                      uint32_t substeps) {
  const weft_params params = {
      .self_collision = true, .no_gravity = true, .self_thickness = 0.003f, .substeps = substeps};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  throw_down(solver, model, both ? -speed / 2 : -speed, both ? speed / 2 : 0);
  uint32_t n = model->particle_count, frames = 15 + (uint32_t)(0.6 / speed);
  weft_vec3 *x = calloc(2 * (size_t)n, sizeof *x), *v = x + n;
  weft_error err = {0};
  double thrown = metrics_of(solver).kinetic_energy, mass = 0;
  for (uint32_t i = 0; i < n / 2; ++i) mass += (double)model->masses[i];
  meeting_result result = {0, 0, 0};
  for (uint32_t f = 0; f < frames; ++f) {
    rig_step(solver, 1);
    assert_int_equal(weft_solver_read(solver, x, v, &err), WEFT_OK);
    weft_vec3d sum = {0, both ? 0 : mass * speed, 0};
    for (uint32_t i = 0; i < n; ++i) {
      weft_vec3d here = weft_v3d((double)v[i].x, (double)v[i].y, (double)v[i].z);
      sum = weft_v3d_add_scaled(sum, (double)model->masses[i], here);
    }
    weft_metrics m = metrics_of(solver);
    result.drift = fmax(result.drift, weft_v3d_length(sum) / (mass * speed));
    result.energy = fmax(result.energy, m.kinetic_energy / thrown);
    result.cut += m.self_limited;
  }
  print_message("%s at %.1f m/s, %2u substeps: momentum %.4f %%, energy %.4f, %u motions cut\n",
                both ? "both" : "one", speed, substeps, 100 * result.drift, result.energy,
                result.cut);
  weft_solver_destroy(solver);
  free(x);
  return result;
}

/* Whatever is cut short: cuts and pauses are no impulses. */
static void collisions_keep_momentum(void **state) {
  (void)state;
  weft_model *model = two_sheets();
  static const double speeds[] = {0.1, 1, 3};
  static const uint32_t substeps[] = {5, 20, 80};
  uint32_t cut = 0;
  for (int k = 0; k < 18; ++k) {
    meeting_result r = throw_and_watch(model, speeds[k / 3 % 3], k >= 9, substeps[k % 3]);
    assert_true(r.drift <= 5e-3 && r.energy <= 1 + 1e-3);
    cut += r.cut;
  }
  assert_true(cut > 50);
  weft_model_destroy(model);
}

/* ---- what moves as a whole ---- */

static weft_model *one_sheet(uint32_t count, bool corners) {
  weft_grid_desc grid = {
      .rows = count, .columns = count, .width = (float)side, .height = (float)side};
  grid.plane = WEFT_PLANE_XZ;
  if (corners)
    return rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  return rig_grid_model(&grid, (weft_model_desc){.material = weft_material_find("tablecloth")});
}

/* Runs it, and wants nothing held. Candidates a particle and substep of the frame with most. */
static double most_candidates(weft_solver *solver, uint32_t frames, const char *what) {
  double most = 0;
  for (uint32_t f = 0; f < frames; ++f) {
    rig_step(solver, 1);
    weft_metrics m = metrics_of(solver);
    if (m.self_limited) fail_msg("%s: %u motions cut in frame %u", what, m.self_limited, f);
    double now = (double)m.self_candidates / weft_solver_params(solver)->substeps /
                 weft_solver_model(solver)->particle_count;
    if (now > most) most = now;
  }
  return most;
}

/* Turning at 10 rad/s about its middle, as a disc does. */
static weft_solver *spinning(const weft_model *model, bool self, float rate) {
  const weft_params params = {.self_collision = self, .no_gravity = true};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  weft_vec3 *v = calloc(model->particle_count, sizeof *v);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    weft_vec3 p = model->rest_positions[i];
    v[i] = weft_v3(rate * p.z, 0, -rate * p.x);
  }
  rig_write(solver, NULL, v);
  free(v);
  return solver;
}

/* Bit for bit as without self-collision, and with as few candidates as at rest. */
static void a_spinning_sheet_does_not_freeze(void **state) {
  (void)state;
  enum { FRAMES = 20 };
  weft_model *model = one_sheet(SIDE, false);
  weft_solver *still = spinning(model, true, 0), *turns = spinning(model, true, 10);
  weft_solver *free_one = spinning(model, false, 10);
  double at_rest = most_candidates(still, FRAMES, "at rest");
  double turning = most_candidates(turns, FRAMES, "spinning");
  rig_step(free_one, FRAMES);
  print_message("candidates a particle: %.2f at rest, %.2f at 10 rad/s\n", at_rest, turning);
  assert_true(turning <= 1.5 * at_rest + 1);
  assert_true(rig_hash(turns) == rig_hash(free_one));
  weft_solver_destroy(still);
  weft_solver_destroy(turns);
  weft_solver_destroy(free_one);
  weft_model_destroy(model);
}

/* Held by its corners it falls and swings through. */
static void a_swinging_sheet_does_not_freeze(void **state) {
  (void)state;
  weft_model *model = one_sheet(SIDE, true);
  const weft_params params = {.self_collision = true, .iterations = 4};
  weft_solver *solver = rig_solver(model, &params, weft_backend_cpu(0));
  uint32_t corner = model->particle_count - 1;
  float before = rig_position(solver, corner).y;
  double most = most_candidates(solver, 22, "falling");
  double fallen = (double)(before - rig_position(solver, corner).y);
  most = fmax(most, most_candidates(solver, 20, "swinging through"));
  print_message("candidates a particle: %.2f at most, fallen %.2f m\n", most, fallen);
  assert_true(most <= 1 && fallen > 0.3);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(collisions_add_no_energy),
      cmocka_unit_test(collisions_keep_momentum),
      cmocka_unit_test(a_pause_keeps_velocities),
      cmocka_unit_test(a_spinning_sheet_does_not_freeze),
      cmocka_unit_test(a_swinging_sheet_does_not_freeze),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
