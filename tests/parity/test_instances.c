/* Instances of a joined model that are put back to the start move as those of a fresh solver; the
 * others move as if nothing had happened. */
#include <weft/change.h>

#include "refuses.h"
#include "rig_gl.h"
/* and */
#include "rig.h"

enum { PARTS = 4, SIDE = 12, EACH = SIDE * SIDE, BEFORE = 24, AFTER = 24 };

#define MUST(call)                                                      \
  do {                                                                  \
    weft_error sentence = {0}, *E = &sentence;                          \
    if ((call) != WEFT_OK) fail_msg("%s: %s", #call, sentence.message); \
  } while (0)

typedef struct cloth {
  weft_vec3 x[EACH], v[EACH];
} cloth;

static cloth cloth_of(weft_solver *solver, uint32_t instance) {
  cloth c;
  MUST(weft_solver_read_instance(solver, instance, c.x, c.v, E));
  return c;
}

static void expect_same(weft_solver *a, weft_solver *b, uint32_t instance, const char *what) {
  const cloth one = cloth_of(a, instance), other = cloth_of(b, instance);
  if (memcmp(&one, &other, sizeof one) != 0) {
    fail_msg("instance %u %s on %s, frame %llu", instance, what, weft_backend_name(a->backend),
             (unsigned long long)weft_solver_frame(a));
  }
}

/* Four fabrics, held at two corners, that swing down onto a ball and fold there. */
static weft_model *four(void) {
  static const char *const fabrics[PARTS] = {"ribknit", "tshirt", "denim", "tshirt"};
  weft_model *parts[PARTS], *joined = NULL;
  const weft_model *list[PARTS];
  for (int p = 0; p < PARTS; ++p) {
    parts[p] = rig_sheet(&(weft_grid_desc){.rows = SIDE, .columns = SIDE, .plane = WEFT_PLANE_XZ},
                         fabrics[p], WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
    list[p] = parts[p];
  }
  MUST(weft_model_join(list, PARTS, &joined, E));
  for (int p = 0; p < PARTS; ++p) weft_model_destroy(parts[p]);
  return joined;
}

/* What friction remembers of pairs of an instance. */
static uint32_t remembered(weft_solver *solver, uint32_t instance) {
  uint32_t count = 0, own = 0;
  if (solver->buffer_counts[WEFT_BUFFER_SELF_CACHE_COUNT] == 0) return 0;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &count);
  weft_self_cached *pairs = malloc((count + 1) * sizeof *pairs);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, count, pairs);
  for (uint32_t k = 0; k < count; ++k) own += weft_self_first(pairs[k].pair) / EACH == instance;
  free(pairs);
  return own;
}

/* Pins of all are on their way, at first. */
static void pull(weft_solver *solver) {
  weft_vec3 to[2 * PARTS];
  for (uint32_t k = 0; k < solver->pinned_count; ++k) {
    to[k] = weft_v3_add(weft_v3d_round(solver->pin_from[k]), weft_v3(0.01f, 0.02f, 0));
  }
  MUST(weft_solver_move_pins(solver, solver->pin_particles, to, solver->pinned_count, E));
}

static void run(const weft_params *p, const weft_backend *backend) {
  weft_model *model = four();
  weft_solver *solver = rig_solver(model, p, backend), *undisturbed = rig_solver(model, p, backend),
              *fresh = rig_solver(model, p, backend);
  weft_solver *both[] = {solver, undisturbed};
  for (int s = 0; s < 2; ++s) {
    rig_step(both[s], 2);
    pull(both[s]);
    rig_step(both[s], BEFORE - 2);
  }
  const bool marked[PARTS] = {false, true, false, true}, none[PARTS] = {false};
  const uint32_t others = remembered(solver, 0) + remembered(solver, 2);
  assert_true(!p->self_collision || (remembered(solver, 1) > 0 && others > 0));
  MUST(weft_solver_reset_instances(solver, none, E));
  expect_same(solver, undisturbed, 1, "that is not marked");
  MUST(weft_solver_reset_instances(solver, marked, E));
  assert_int_equal(weft_solver_frame(solver), BEFORE);
  assert_int_equal(remembered(solver, 1) + remembered(solver, 3), 0);
  assert_int_equal(remembered(solver, 0) + remembered(solver, 2), others);
  for (uint32_t k = 0; k < solver->shapes.count; ++k) {
    const bool anew = marked[k / solver->shapes.each];
    const float size = solver->shapes.states[k].fit.size, first = fresh->shapes.states[k].fit.size;
    assert_true(anew ? size == first : size > first);
  }
  for (uint32_t f = 0; f <= AFTER; ++f) {
    for (uint32_t i = 0; i < PARTS; ++i) {
      expect_same(solver, marked[i] ? fresh : undisturbed, i,
                  marked[i] ? "begins anew" : "goes on");
    }
    rig_step(solver, 1);
    rig_step(undisturbed, 1);
    rig_step(fresh, 1);
  }
  /* One that is written has what it was given, and forgets. */
  const cloth given = cloth_of(fresh, 3);
  MUST(weft_solver_write_instance(solver, 0, given.x, given.v, E));
  const cloth found = cloth_of(solver, 0);
  assert_memory_equal(&found, &given, sizeof found);
  expect_same(solver, undisturbed, 2, "beside one that was written");
  rig_step(solver, 3);
  rig_step(undisturbed, 3);
  expect_same(solver, undisturbed, 2, "beside one that was written");
  weft_solver *all[] = {solver, undisturbed, fresh};
  for (int s = 0; s < 3; ++s) weft_solver_destroy(all[s]);
  weft_model_destroy(model);
}

static void instances_begin_anew_beside_others(void **state) {
  (void)state;
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                              .radius = 0.25f,
                              .a = {0, -0.4f, 0},
                              .friction_static = 0.5f,
                              .friction_dynamic = 0.4f};
  const weft_params plain = {.substeps = 8,
                             .colliders = &ball,
                             .collider_count = 1,
                             .wind = {1, 0, 0},
                             .air_density = 1.2f};
  /* So near that the cloth is inside of it at the start: the body in it begins small. */
  weft_collider near = ball;
  near.a.y = -0.24f;
  weft_params self = plain, pairs = plain;
  self.colliders = &near;
  self.self_thickness = 0.01f;
  self.self_collision = true;
  self.self_static = 0.5f;
  pairs.compensated = true;
  const weft_params *const all[] = {&plain, &self, &pairs};
  const weft_backend *on[] = {weft_backend_ref(), weft_backend_cpu(2), rig_backend_on(test_gl)};
  for (int k = 0; k < 3; ++k) {
    for (int b = 0; b < 3; ++b) run(all[k], on[b]);
  }
}

/* Forces in links of those that begin anew are 0 until they move; a model that is not joined is one
 * instance, and all that is written of it is what weft_solver_reset writes. */
static void what_is_remembered_is_forgotten(void **state) {
  (void)state;
  const weft_vec3 positions[] = {{0, 0, 0}, {0, -1, 0}, {0, -2, 0}};
  const float masses[] = {0, 1, 1};
  const weft_link links[] = {{.a = 0, .b = 1, .rest_length = 1},
                             {.a = 1, .b = 2, .rest_length = 1}};
  weft_model *chain = rig_particles(&(weft_particles_desc){.positions = positions,
                                                           .masses = masses,
                                                           .particle_count = 3,
                                                           .links = links,
                                                           .link_count = 2});
  const weft_model *const two[] = {chain, chain};
  weft_model *joined = NULL;
  MUST(weft_model_join(two, 2, &joined, E));
  const weft_params p = {.substeps = 4, .keep_multipliers = true};
  weft_solver *solver = rig_solver(joined, &p, weft_backend_cpu(1));
  rig_step(solver, 5);
  float before[4], after[4];
  MUST(weft_solver_link_forces(solver, before, E));
  const bool second[] = {false, true};
  MUST(weft_solver_reset_instances(solver, second, E));
  MUST(weft_solver_link_forces(solver, after, E));
  uint32_t zero = 0, same = 0;
  for (int k = 0; k < 4; ++k) {
    assert_true(before[k] > 5);
    zero += after[k] == 0;
    same += after[k] == before[k];
  }
  assert_true(zero == 2 && same == 2);
  weft_solver_destroy(solver);
  weft_model_destroy(joined);
  weft_model_destroy(chain);
  weft_model *sheet = rig_sheet(&(weft_grid_desc){.rows = 8, .columns = 8}, "tshirt",
                                WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  const weft_params grabs = {.substeps = 4, .grab = true, .self_collision = true};
  solver = rig_solver(sheet, &grabs, weft_backend_ref());
  MUST(weft_solver_grab(solver, 30, weft_v3(0, 1, 0), E));
  rig_step(solver, 10);
  MUST(weft_solver_reset_instances(solver, &second[1], E));
  assert_int_equal(weft_solver_grabbed(solver), WEFT_NO_PARTICLE);
  rig_step(solver, 10);
  assert_true(rig_hash(solver) == rig_hash_after(sheet, &grabs, weft_backend_ref(), 10));
  REFUSES("instance 1 does not exist, the model has 1",
          weft_solver_read_instance(solver, 1, NULL, NULL, E));
  REFUSES("instance 7 does not exist", weft_solver_write_instance(solver, 7, NULL, NULL, E));
  weft_vec3 odd[64] = {{0, 2e6f, 0}};
  REFUSES("position of particle 0", weft_solver_write_instance(solver, 0, odd, NULL, E));
  REFUSES("velocity of particle 0", weft_solver_write_instance(solver, 0, NULL, odd, E));
  weft_solver_destroy(solver);
  weft_model_destroy(sheet);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_begin_anew_beside_others),
      cmocka_unit_test(what_is_remembered_is_forgotten),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
