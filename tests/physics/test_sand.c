/* Contact between particles: the grid finds every pair, a contact keeps momentum, and a heap of
 * grains has the slope that friction gives it. */
#include "rig.h"
/* after rig.h */
#include "../rig_scene.h"
#include "find_nonfinite.h"

static const float radius = 0.05f;
static const double reach = 1.1; /* over two radii: how far neighbours are looked for */

static weft_model *grains(uint32_t count, const weft_vec3 *x) {
  float *masses = calloc(count, sizeof *masses);
  for (uint32_t i = 0; i < count; ++i) masses[i] = 0.5f;
  weft_model *model = rig_model(count, x, masses);
  model->radius = radius;
  free(masses);
  return model;
}

/* ---- finding pairs ---- */

typedef struct lists {
  weft_vec3 *x; /* when the pairs were looked for */
  weft_neighbour *contacts;
  uint32_t *found;
} lists;

/* What the passes of one substep find among particles at rest. */
static lists find(const weft_model *model, const weft_backend *backend) {
  uint32_t n = model->particle_count;
  weft_params params = {.particle_contact = true, .no_gravity = true, .contact_iterations = 1};
  weft_solver *solver = rig_solver(model, &params, backend);
  weft_solver_begin_frame(solver);
  for (size_t k = 0; k < solver->passes.count; ++k) {
    const weft_pass *pass = &solver->passes.items[k];
    if (pass->kind == WEFT_PASS_CONTACT_COUNT) break;
    solver->backend->run(solver->instance, pass, 0);
  }
  lists l = {calloc(n, sizeof *l.x), calloc(n, WEFT_CONTACT_SLOTS * sizeof *l.contacts),
             calloc(n, sizeof *l.found)};
  weft_solver_read(solver, l.x, NULL, NULL);
  weft_solver_read_buffer(solver, WEFT_BUFFER_CONTACTS, 0, n, l.contacts);
  weft_solver_read_buffer(solver, WEFT_BUFFER_CONTACT_FOUND, 0, n, l.found);
  weft_solver_destroy(solver);
  return l;
}

static void free_lists(lists *l) {
  free(l->x);
  free(l->contacts);
  free(l->found);
}

static uint32_t times_listed(const lists *l, uint32_t i, uint32_t j) {
  uint32_t times = 0;
  for (uint32_t k = 0; k < l->found[i] && k < WEFT_CONTACT_SLOTS; ++k) {
    times += l->contacts[(size_t)i * WEFT_CONTACT_SLOTS + k].other == j;
  }
  return times;
}

/* Against every pair there is. Returns how many there were. */
static uint32_t check_pairs(uint32_t count, const weft_vec3 *x, const weft_backend *backend) {
  weft_model *model = grains(count, x);
  lists l = find(model, backend);
  double far = 2 * (double)radius * reach;
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t neighbours = 0;
    assert_true(l.found[i] <= WEFT_CONTACT_SLOTS);
    for (uint32_t j = 0; j < count; ++j) {
      double d = weft_v3_distance(l.x[i], l.x[j]);
      uint32_t times = times_listed(&l, i, j);
      neighbours += times;
      if (i == j) assert_int_equal(times, 0);
      if (i == j || fabs(d - far) < 1e-6 * far) continue; /* either is right to rounding */
      if (times != (d < far)) {
        fail_msg("particles %u and %u, %.9g m apart of %.9g, are listed %u times", i, j, d, far,
                 times);
      }
      pairs += times;
    }
    assert_int_equal(neighbours, l.found[i]);
  }
  free_lists(&l);
  rig_model_free(model);
  return pairs;
}

static float between(weft_rng *rng, float low, float high) {
  return weft_rng_float(rng, low, high);
}

/* Small tables, where a cell often shares its bucket with a neighbouring cell, and larger ones;
 * about the origin, so that coordinates of both signs occur. */
static void the_grid_finds_exactly_the_pairs_that_trying_all_finds(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_rng rng = weft_rng_seed(3);
  static const uint32_t counts[] = {2, 3, 20, 32, 33, 300, 700};
  uint32_t pairs = 0;
  for (int k = 0; k < 7; ++k) {
    for (int cloud = 0; cloud < 8; ++cloud) {
      uint32_t n = counts[k];
      weft_vec3 *x = calloc(n, sizeof *x);
      float side = 0.08f * cbrtf((float)n), off = cloud % 2 ? 0 : -7;
      for (uint32_t i = 0; i < n; ++i) {
        x[i] = weft_v3(between(&rng, -side, side) + off, between(&rng, -side, side),
                       between(&rng, -side, side) - off);
      }
      pairs += check_pairs(n, x, backend);
      free(x);
    }
  }
  assert_true(pairs > 2000);
}

/* A lattice whose spacing is the edge of a cell: every grain lies on a border, to a rounding. */
static void grains_on_the_borders_of_cells_are_found_once(void **state) {
  const weft_backend *backend = rig_backend(state);
  float edge = (float)(2 * (double)radius * reach);
  weft_vec3 x[6 * 6 * 6];
  for (int k = 0; k < 216; ++k) {
    x[k] = weft_v3(edge * (float)(k % 6 - 3), edge * (float)(k / 6 % 6 - 3) * 0.5f,
                   edge * (float)(k / 36 - 3) * 0.999f);
  }
  assert_true(check_pairs(216, x, backend) > 700);
}

static void far_away_is_one_cell_and_still_found(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_vec3 x[] = {
      {3e6f, 0, 0}, {3e6f, 0.06f, 0}, {-3e6f, 0, 0}, {-3e6f, 0, 0.06f}, {0, 0, 0}};
  assert_int_equal(check_pairs(5, x, backend), 4);
}

/* More than fits: noticed, finite, and no particle there is moved. */
static void a_crowd_is_reported_and_left_alone(void **state) {
  const weft_backend *backend = rig_backend(state);
  enum { CROWD = 2200 };
  weft_vec3 *x = calloc(CROWD, sizeof *x);
  x[CROWD - 1].x = 1;
  weft_model *model = grains(CROWD, x);
  weft_params params = {.particle_contact = true, .no_gravity = true, .substeps = 2};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_step(solver, 1);
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  assert_int_equal(m.contacts_missed, CROWD - 1);
  assert_int_equal(m.nonfinite, 0);
  assert_true(m.max_speed == 0);
  weft_solver_destroy(solver);
  rig_model_free(model);
  free(x);
}

static void links_shorter_than_two_radii_are_refused(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_vec3 x[] = {{0, 0, 0}, {0.06f, 0, 0}};
  const uint32_t ends[] = {0, 1};
  weft_model *model = grains(2, x);
  rig_group(model, WEFT_CONSTRAINT_DISTANCE, 1, ends)->rest[0] = 0.06f;
  weft_params params = {.particle_contact = true};
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &params, backend, &solver, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "particles 0 and 1 are linked at 0.06 m"));
  model->groups[0].sense = WEFT_SENSE_AT_LEAST; /* which contact only makes more of */
  weft_solver_destroy(rig_solver(model, &params, backend));
  rig_model_free(model);
}

/* ---- two grains ---- */

static void meet(const weft_backend *backend, const weft_vec3 *x, const weft_vec3 *v, float mu,
                 weft_vec3 *end, weft_vec3 *speed) {
  const float masses[] = {0.5f, 2};
  weft_model *model = rig_model(2, x, masses);
  model->radius = radius;
  weft_params params = {
      .particle_contact = true, .no_gravity = true, .contact_static = mu, .contact_dynamic = mu};
  weft_solver *solver = rig_solver(model, &params, backend);
  rig_write(solver, x, v);
  rig_step(solver, 12);
  weft_solver_read(solver, end, speed, NULL);
  weft_solver_destroy(solver);
  rig_model_free(model);
}

/* Half an ulp of a position of 0.15 m, over a substep, for the 2.5 kg of both. */
static const double momentum_rounding = 7.5e-9 * 1200 * 2.5;

/* Without friction the part along the line of centres becomes common and the rest stays; friction
 * takes from the rest, but nothing from momentum. */
static void a_collision_keeps_linear_momentum(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_vec3 x[] = {{-0.15f, 0.01f, 0}, {0.15f, -0.01f, 0.01f}};
  const weft_vec3 v[] = {{2, 0.5f, 0}, {-1, 0, 0.25f}};
  static const float friction[] = {0, 0.4f};
  for (int k = 0; k < 2; ++k) {
    weft_vec3 end[2], speed[2];
    meet(backend, x, v, friction[k], end, speed);
    rig_near(0.5 * (double)speed[0].x + 2 * (double)speed[1].x, -1, momentum_rounding,
             "momentum along x");
    rig_near(0.5 * (double)speed[0].y + 2 * (double)speed[1].y, 0.25, momentum_rounding,
             "momentum along y");
    rig_near(0.5 * (double)speed[0].z + 2 * (double)speed[1].z, 0.5, momentum_rounding,
             "momentum along z");
    assert_true(fabs((double)speed[0].x - (double)speed[1].x) < 2); /* of 3: they met */
    assert_true(weft_v3_distance(end[0], end[1]) > 2 * (double)radius * (1 - 1e-5));
  }
}

static void two_in_one_place_part_along_x_by_index(void **state) {
  const weft_backend *backend = rig_backend(state);
  const weft_vec3 x[] = {{1, 2, 3}, {1, 2, 3}}, still[2] = {{0, 0, 0}};
  weft_vec3 end[2], speed[2];
  meet(backend, x, still, 0.5f, end, speed);
  assert_true(end[0].x < 1 && end[1].x > 1);
  assert_true(end[0].y == 2 && end[0].z == 3 && end[1].y == 2 && end[1].z == 3);
  rig_near(0.5 * (double)speed[0].x + 2 * (double)speed[1].x, 0, 1e-4, "momentum");
}

/* The same grains under other indices: sums in another order, so equal to rounding, not in bits. */
static void the_order_of_particles_matters_only_to_rounding(void **state) {
  const weft_backend *backend = rig_backend(state);
  enum { N = 120 };
  weft_rng rng = weft_rng_seed(5);
  weft_vec3 x[N], backwards[N], end[N], end_backwards[N];
  for (int i = 0; i < N; ++i) {
    x[i] = weft_v3(between(&rng, -0.25f, 0.25f), between(&rng, -0.25f, 0.25f),
                   between(&rng, -0.25f, 0.25f));
    backwards[N - 1 - i] = x[i];
  }
  weft_params params = {.particle_contact = true,
                        .no_gravity = true,
                        .contact_static = 0.3f,
                        .contact_dynamic = 0.3f,
                        .substeps = 1};
  weft_model *models[] = {grains(N, x), grains(N, backwards)};
  weft_vec3 *ends[] = {end, end_backwards};
  for (int k = 0; k < 2; ++k) {
    weft_solver *solver = rig_solver(models[k], &params, backend);
    rig_step(solver, 1);
    weft_solver_read(solver, ends[k], NULL, NULL);
    weft_solver_destroy(solver);
    rig_model_free(models[k]);
  }
  double moved = 0;
  for (int i = 0; i < N; ++i) {
    assert_true(weft_v3_distance(end[i], end_backwards[N - 1 - i]) < 1e-6);
    moved = fmax(moved, weft_v3_distance(end[i], x[i]));
  }
  assert_true(moved > 0.01);
}

/* ---- a grain in a hollow ---- */

/* Of pinned grains on which it lies: three in a triangle or four in a square. Gravity turns about
 * the middle, the hollow stays, towards the saddle between two of them. */
typedef struct hollow {
  uint32_t count;
  weft_vec3 x[5];
} hollow;

static hollow make_hollow(uint32_t count) {
  hollow h = {.count = count};
  double r = (double)radius, across = r / sin(3.14159265358979 / count);
  double up = sqrt(4 * r * r - across * across);
  for (uint32_t k = 0; k < count; ++k) {
    double turn = 6.283185307179586 * (k + 0.5) / count;
    h.x[k] = weft_v3((float)(across * cos(turn)), 0, (float)(across * sin(turn)));
  }
  h.x[count] = weft_v3(0, (float)(up - 1e-4 * r), 0);
  return h;
}

/* Turns gravity, slowly, towards the saddle: a solver a frame, each in the state the last one left.
 * The angle at which the grain is on its way out, degrees. */
static double leaves_at(const weft_backend *backend, const hollow *h, float mu,
                        weft_params params) {
  const double rate = 0.25; /* degrees a frame */
  uint32_t n = h->count;
  float masses[5] = {0};
  masses[n] = 0.5f;
  weft_model *model = rig_model(n + 1, h->x, masses);
  model->radius = radius;
  params.particle_contact = true;
  params.contact_static = params.contact_dynamic = mu;
  weft_kept_state kept = {0};
  double degrees = 0, moved = 0;
  for (; degrees < 90 && moved < 0.02 * (double)radius; degrees += rate) {
    double angle = degrees * 3.14159265358979 / 180;
    params.gravity = weft_v3((float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0);
    weft_solver *solver = rig_solver(model, &params, backend);
    if (kept.x) weft_solver_restore(solver, &kept);
    if (!kept.x) weft_kept_state_alloc(solver, &kept);
    rig_step(solver, degrees > 0 ? 1 : 20);
    weft_solver_keep(solver, &kept, NULL);
    moved = weft_v3_distance(rig_position(solver, n), h->x[n]);
    weft_solver_destroy(solver);
  }
  weft_kept_state_free(&kept);
  rig_model_free(model);
  return degrees;
}

/* Where two grains are left, the way between them leans from the middle by the first angle, and the
 * grain slides on both, each 30 degrees off its way (for four in a square as well): atan(mu/cos
 * 30).
 */
static double lets_go(uint32_t count, double mu) {
  double lean = count == 3 ? asin(1.0 / 3) : atan(sqrt(0.5));
  return (lean + atan(mu / cos(3.14159265358979 / 6))) * 180 / 3.14159265358979;
}

/* Friction with a memory holds what Coulomb's holds, and no more: a grain needs a moment to be seen
 * leaving, and with finite steps creeps a little before. */
static void a_grain_leaves_its_hollow_at_the_angle_of_statics(void **state) {
  const weft_backend *backend = weft_backend_ref();
  (void)state;
  static const float mu[] = {0, 0.2f, 0.5f, 0.8f};
  for (uint32_t count = 3; count <= 4; ++count) {
    hollow h = make_hollow(count);
    for (int k = 0; k < 4; ++k) {
      double expected = lets_go(count, (double)mu[k]);
      weft_params fine = {.substeps = 80}, coarse = {.substeps = 20};
      double seen = leaves_at(backend, &h, mu[k], fine);
      if (seen < expected - 1.5 || seen > expected + 2.5) {
        fail_msg("%u grains, mu %.1f: leaves at %.2f degrees, expected %.2f", count, (double)mu[k],
                 seen, expected);
      }
      assert_true(leaves_at(backend, &h, mu[k], coarse) < expected + 2.5);
    }
  }
}

/* ---- heaps ---- */

typedef struct heap {
  double angle;   /* degrees, of the surface */
  double deepest; /* overlap of two grains, in radii */
  double speed;   /* m/s */
} heap;

enum { RINGS = 40, SECTORS = 12 };

/* Least squares of the surface's height against the distance from the middle, between 15 and 85 %
 * of the top: the highest grain of each piece of a ring is its surface, averaged over the ring. */
static double slope_of(const weft_vec3 *x, uint32_t n, double r) {
  double middle_x = 0, middle_z = 0, top = 0, height[RINGS] = {0};
  static double highest[RINGS][SECTORS];
  memset(highest, 0, sizeof highest);
  for (uint32_t i = 0; i < n; ++i) {
    middle_x += (double)x[i].x / n;
    middle_z += (double)x[i].z / n;
  }
  for (uint32_t i = 0; i < n; ++i) {
    double a = (double)x[i].x - middle_x, b = (double)x[i].z - middle_z;
    int ring = (int)(hypot(a, b) / (2 * r));
    int sector = (int)((atan2(b, a) / 6.283185307179586 + 0.5) * SECTORS) % SECTORS;
    double up = (double)x[i].y + r;
    if (ring < RINGS) highest[ring][sector] = fmax(highest[ring][sector], up);
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
  assert_true(m >= 3);
  return -(m * sdh - sd * sh) / (m * sdd - sd * sd);
}

static double deepest_of(const weft_vec3 *x, uint32_t n, double r) {
  double min = 2 * r;
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t j = i + 1; j < n; ++j) min = fmin(min, weft_v3_distance(x[i], x[j]));
  }
  return (2 * r - min) / r;
}

static heap fall(const weft_backend *backend, uint32_t size, float mu, uint32_t frames,
                 uint64_t *hash) {
  weft_scene_instance scene = rig_scene("sand", size);
  scene.params.contact_static = scene.params.contact_dynamic = mu;
  weft_solver *solver = rig_solver(scene.model, &scene.params, backend);
  rig_step(solver, frames);
  uint32_t n = scene.model->particle_count;
  weft_vec3 *x = calloc(n, sizeof *x);
  weft_metrics m;
  weft_solver_read(solver, x, NULL, NULL);
  weft_solver_metrics(solver, &m, NULL);
  assert_int_equal(m.contacts_missed, 0);
  if (hash) weft_solver_hash(solver, hash, NULL);
  double r = (double)scene.model->radius;
  heap h = {atan(slope_of(x, n, r)) * 180 / 3.14159265358979, deepest_of(x, n, r), m.max_speed};
  print_message("%u grains, mu %.1f: %.1f degrees, deepest overlap %.3f radii, fastest %.4f m/s\n",
                n, (double)mu, h.angle, h.deepest, h.speed);
  free(x);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
  return h;
}

/* Without friction a disordered packing of spheres still holds 5.76 degrees (Peyneau and Roux 2008,
 * Phys. Rev. E 78, 011307); its fall carries this heap below that. */
static void a_heap_is_the_steeper_the_more_friction_its_grains_have(void **state) {
  (void)state;
  static const float mu[] = {0, 0.2f, 0.5f, 0.8f};
  heap heaps[4];
  for (int k = 0; k < 4; ++k) {
    heaps[k] = fall(weft_backend_cpu(1), 31, mu[k], 140, NULL);
    /* The hollows of a heap without order are no shallower than those of a close-packed plane,
     * and few are deeper than those of a square one. */
    assert_true(heaps[k].angle < lets_go(4, (double)mu[k]));
    assert_true(heaps[k].deepest < 0.05);
    if (k > 0) assert_true(heaps[k].angle > heaps[k - 1].angle + 6);
  }
  assert_true(heaps[0].angle < 8);
  for (int k = 1; k < 4; ++k) assert_true(heaps[k].speed < 0.01); /* and it stands */
}

static void a_small_heap_has_the_same_bits_on_the_gpu(void **state) {
  if (!rig_gl_context) skip();
  (void)state;
  const weft_backend *gl = NULL;
  weft_error err = {0};
  if (weft_backend_gl(rig_gl_context, &gl, &err) != WEFT_OK) fail_msg("%s", err.message);
  uint64_t ref_hash = 0, gl_hash = 1;
  heap on_ref = fall(weft_backend_ref(), 16, 0.5f, 90, &ref_hash);
  heap on_gl = fall(gl, 16, 0.5f, 90, &gl_hash);
  assert_true(ref_hash == gl_hash);
  assert_true(on_gl.angle == on_ref.angle && on_gl.angle > 15 && on_gl.angle < lets_go(4, 0.5));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      RIG_BOTH(the_grid_finds_exactly_the_pairs_that_trying_all_finds),
      RIG_BOTH(grains_on_the_borders_of_cells_are_found_once),
      RIG_BOTH(far_away_is_one_cell_and_still_found),
      RIG_BOTH(a_crowd_is_reported_and_left_alone),
      RIG_BOTH(links_shorter_than_two_radii_are_refused),
      RIG_BOTH(a_collision_keeps_linear_momentum),
      RIG_BOTH(two_in_one_place_part_along_x_by_index),
      RIG_BOTH(the_order_of_particles_matters_only_to_rounding),
      cmocka_unit_test(a_grain_leaves_its_hollow_at_the_angle_of_statics),
      cmocka_unit_test(a_heap_is_the_steeper_the_more_friction_its_grains_have),
      cmocka_unit_test(a_small_heap_has_the_same_bits_on_the_gpu),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
