/* When a state becomes infinite or NaN, the search names exactly the pass that did it. A backend
 * around each backend spoils one value after one pass of one substep, and the search, which knows
 * nothing of that, has to come back with the same place. */
#include "rig.h"
/* after cmocka */
#include "find_nonfinite.h"
#include "scenes.h"

/* ---- a backend that spoils ---- */

typedef struct spoiler {
  weft_backend backend;
  const weft_backend *inner;
  uint64_t frame; /* when: counted in runs of predict of substep 0 */
  uint32_t substep;
  size_t pass; /* which of the substep's passes */
  weft_buffer_id buffer;
  uint64_t row;
  uint32_t component;
  float value;
  /* Where it is. */
  const weft_solver *solver;
} spoiler;

typedef struct spoiled_instance {
  spoiler *owner;
  void *inner;
} spoiled_instance;

static weft_result spoiler_create(const weft_backend *backend, weft_contents *contents,
                                  uint32_t guard, void **instance, weft_error *err) {
  spoiled_instance *self = calloc(1, sizeof *self);
  self->owner = backend->context;
  *instance = self;
  const weft_backend *inner = self->owner->inner;
  return inner->create(inner, contents, guard, &self->inner, err);
}
static void spoiler_destroy(void *instance) {
  spoiled_instance *self = instance;
  self->owner->inner->destroy(self->inner);
  free(self);
}
static void spoiler_run(void *instance, const weft_pass *pass, uint32_t substep) {
  spoiled_instance *self = instance;
  const spoiler *s = self->owner;
  s->inner->run(self->inner, pass, substep);
  if (!s->solver || s->solver->frame != s->frame || substep != s->substep ||
      pass != &s->solver->passes.items[s->pass]) {
    return;
  }
  float row[4];
  s->inner->read(self->inner, s->buffer, s->row, 1, row);
  row[s->component] = s->value;
  s->inner->write(self->inner, s->buffer, s->row, 1, row);
}
static void spoiler_finish(void *instance) {
  spoiled_instance *self = instance;
  self->owner->inner->finish(self->inner);
}
static weft_result spoiler_check(void *instance, const char *what, weft_error *err) {
  spoiled_instance *self = instance;
  return self->owner->inner->check(self->inner, what, err);
}
static void spoiler_read(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                         void *data) {
  spoiled_instance *self = instance;
  self->owner->inner->read(self->inner, id, first, count, data);
}
static void spoiler_write(void *instance, weft_buffer_id id, uint64_t first, uint64_t count,
                          const void *data) {
  spoiled_instance *self = instance;
  self->owner->inner->write(self->inner, id, first, count, data);
}

static void spoiler_open(spoiler *s, const weft_backend *inner) {
  *s = (spoiler){.inner = inner};
  s->backend = (weft_backend){.name = inner->name,
                              .context = s,
                              .create = spoiler_create,
                              .destroy = spoiler_destroy,
                              .run = spoiler_run,
                              .finish = spoiler_finish,
                              .check = spoiler_check,
                              .read = spoiler_read,
                              .write = spoiler_write};
}

/* ---- a cloth with every kind of pass: wind, pins that move, a sphere that moves, a Jacobi tail,
 * multipliers ---- */

typedef struct cloth {
  spoiler spoiler;
  weft_model *model;
  weft_solver *solver;
  weft_kept_state start;
} cloth;

static const weft_collider_key path[] = {{0, {0, 0, -0.5f}, {0, 0, 0}, {0, 0, 0}},
                                         {1, {0, 0, 0.5f}, {0, 0, 0}, {0, 0, 0}}};
static const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                                   .radius = 0.2f,
                                   .friction_static = 0.3f,
                                   .friction_dynamic = 0.2f,
                                   .keys = path,
                                   .key_count = 2};

static void cloth_open(cloth *c, const weft_backend *inner, weft_bending bending) {
  const weft_grid_desc grid = {.rows = 7, .columns = 7, .width = 0.6f, .height = 0.6f};
  spoiler_open(&c->spoiler, inner);
  c->model = rig_sheet(&grid, "tshirt", bending, false, WEFT_PIN_TOP);
  const weft_params params = {.substeps = 5,
                              .iterations = 2,
                              .mode = WEFT_MODE_HYBRID,
                              .hybrid_min = 8,
                              .air_density = 1.2f,
                              .global_damping = 0.5f,
                              .wind = {0, 0, 2},
                              .colliders = &ball,
                              .collider_count = 1};
  c->solver = rig_solver(c->model, &params, &c->spoiler.backend);
  weft_kept_state_alloc(c->solver, &c->start);
  assert_int_equal(weft_solver_keep(c->solver, &c->start, NULL), WEFT_OK);
}

static void cloth_close(cloth *c) {
  weft_kept_state_free(&c->start);
  weft_solver_destroy(c->solver);
  weft_model_destroy(c->model);
}

/* Pins swing; where they go depends on the frame alone. */
static weft_result swing(void *user, weft_solver *solver, weft_error *err) {
  (void)user;
  uint32_t pins[7];
  weft_vec3 targets[7];
  double now = weft_solver_time(solver);
  for (uint32_t k = 0; k < 7; ++k) {
    pins[k] = k;
    targets[k] = weft_model_rest_positions(weft_solver_model(solver))[k];
    targets[k].z = (float)(0.1 * sin(6 * (now + 1.0 / 60)));
  }
  return weft_solver_move_pins(solver, pins, targets, 7, err);
}

static void run_frames(weft_solver *solver, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) {
    assert_int_equal(swing(NULL, solver, NULL), WEFT_OK);
    assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
  }
}

static bool is_finite(cloth *c) {
  weft_kept_state now;
  weft_kept_state_alloc(c->solver, &now);
  assert_int_equal(weft_solver_keep(c->solver, &now, NULL), WEFT_OK);
  bool finite = weft_kept_state_nonfinite(&now, weft_model_particle_count(c->model)) == UINT32_MAX;
  weft_kept_state_free(&now);
  return finite;
}

/* Spoils component 1 of a particle's row after the pass, and wants that place back. */
static void check_place(cloth *c, weft_buffer_id buffer, uint32_t particle, uint64_t sound_hash) {
  spoiler *s = &c->spoiler;
  weft_solver_restore(c->solver, &c->start);
  *s = (spoiler){s->backend, s->inner, s->frame, s->substep, s->pass,
                 buffer,     particle, 1,        s->value,   c->solver};
  run_frames(c->solver, 4);
  assert_false(is_finite(c));
  weft_kept_state good;
  weft_kept_state_alloc(c->solver, &good);
  weft_solver_restore(c->solver, &c->start);
  assert_int_equal(weft_solver_keep(c->solver, &good, NULL), WEFT_OK);
  weft_nonfinite place;
  assert_int_equal(weft_solver_find_nonfinite(c->solver, &good, 4, swing, NULL, &place, NULL),
                   WEFT_OK);
  char text[256];
  assert_true(place.found);
  weft_nonfinite_describe(c->solver, &place, text, sizeof text);
  const weft_pass *pass = &c->solver->passes.items[s->pass];
  if (place.frame != s->frame || place.substep != s->substep || place.pass != pass ||
      place.buffer != buffer || place.particle != particle || place.component != 1) {
    fail_msg("pass %zu spoiled particle %u, found %s", s->pass, particle, text);
  }
  assert_true(strstr(text, weft_pass_infos[pass->kind].name) != NULL);
  assert_true(strstr(text, isnan(s->value) ? "NaN" : "infinite") != NULL);
  /* The solver is back before that frame, in the very bits of a sound run. */
  assert_int_equal(weft_solver_frame(c->solver), s->frame);
  assert_true(rig_hash(c->solver) == sound_hash);
  weft_kept_state_free(&good);
}

static bool writes_all(const weft_pass *pass, weft_buffer_id id) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (b->buffer == id && b->writes && weft_binding_used(b, pass->variant)) return true;
  }
  return false;
}

static void the_pass_that_spoils_a_particle_is_named(void **state) {
  const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  uint32_t tried = 0;
  for (int k = 0; k < 2; ++k) {
    cloth c;
    cloth_open(&c, rig_backend(state), bendings[k]);
    run_frames(c.solver, 2);
    uint64_t sound = rig_hash(c.solver);
    c.spoiler.frame = 2;
    for (size_t p = 0; p < c.solver->passes.count; ++p) {
      const weft_pass *pass = &c.solver->passes.items[p];
      c.spoiler.pass = p;
      c.spoiler.substep = (uint32_t)(p % 5);
      c.spoiler.value = p % 2 ? NAN : -INFINITY;
      if (writes_all(pass, WEFT_BUFFER_X)) check_place(&c, WEFT_BUFFER_X, 40, sound), ++tried;
      if (writes_all(pass, WEFT_BUFFER_V)) check_place(&c, WEFT_BUFFER_V, 17, sound), ++tried;
    }
    cloth_close(&c);
  }
  assert_true(tried > 60);
}

static void constraint_groups_and_batches_are_named(void **state) {
  cloth c;
  cloth_open(&c, rig_backend(state), WEFT_BENDING_ISOMETRIC);
  uint32_t seen = 0;
  for (size_t p = 0; p < c.solver->passes.count; ++p) {
    const weft_pass *pass = &c.solver->passes.items[p];
    bool applies = pass->kind == WEFT_PASS_JACOBI_APPLY;
    uint32_t group = applies ? pass->group : weft_pass_group(c.model, pass);
    bool projects = applies || weft_pass_arity(pass->kind) > 0;
    assert_true(projects == (group != UINT32_MAX));
    if (!projects) continue;
    weft_nonfinite place = {.found = true,
                            .frame = 6,
                            .substep = 1,
                            .pass = pass,
                            .group = group,
                            .buffer = WEFT_BUFFER_X,
                            .particle = 5,
                            .value = NAN};
    char text[256], wanted[160], name[64];
    weft_pass_describe(pass, name, sizeof name);
    const char *label = weft_model_group(c.model, group).name;
    if (pass->kind == WEFT_PASS_JACOBI_APPLY) {
      snprintf(wanted, sizeof wanted,
               "in frame 7, substep 2 of 5: pass %s of group %s, made the "
               "position of particle 5 NaN",
               name, label);
    } else {
      snprintf(wanted, sizeof wanted,
               "in frame 7, substep 2 of 5: pass %s, batch %u of group %s, "
               "made the position of particle 5 NaN",
               name, pass->batch, label);
    }
    weft_nonfinite_describe(c.solver, &place, text, sizeof text);
    assert_string_equal(text, wanted);
    ++seen;
  }
  assert_true(seen > 20);
  cloth_close(&c);
}

/* In scratch the rows are constraints, triangles and slots: their particle is named. */
static void spoiled_scratch_is_traced_to_a_particle(void **state) {
  cloth c;
  cloth_open(&c, rig_backend(state), WEFT_BENDING_ISOMETRIC);
  spoiler *s = &c.spoiler;
  for (size_t p = 0; p < c.solver->passes.count; ++p) {
    const weft_pass *pass = &c.solver->passes.items[p];
    bool slots = (pass->variant & WEFT_VARIANT_JACOBI) != 0;
    if (!slots && pass->kind != WEFT_PASS_AERO_FORCE) continue;
    weft_solver_restore(c.solver, &c.start);
    *s = (spoiler){
        s->backend, s->inner, 0,   1,       p, slots ? WEFT_BUFFER_DELTA : WEFT_BUFFER_FORCES,
        3,          0,        NAN, c.solver};
    weft_kept_state good;
    weft_kept_state_alloc(c.solver, &good);
    assert_int_equal(weft_solver_keep(c.solver, &good, NULL), WEFT_OK);
    weft_nonfinite place;
    assert_int_equal(weft_solver_find_nonfinite(c.solver, &good, 1, swing, NULL, &place, NULL),
                     WEFT_OK);
    assert_true(place.found && place.pass == pass && place.substep == 1 && place.element == 3);
    uint32_t expected = c.model->triangles[9];
    if (slots) {
      const weft_constraint_group *g = &c.model->groups[place.group];
      uint32_t first = pass->first - weft_group_base(c.model, place.group);
      expected = g->particles[(size_t)(first + 3 / g->arity) * g->arity + 3 % g->arity];
    }
    assert_int_equal(place.particle, expected);
    weft_kept_state_free(&good);
  }
  cloth_close(&c);
}

/* ---- grains ---- */

/* Friction between them remembers, so a substep run again needs what it remembered before. */
static void grains_run_again_pass_by_pass_end_in_the_same_bits(void **state) {
  const weft_backend *backend = rig_backend(state);
  weft_scene_instance scene;
  const weft_scene_options options = {.size = 6, .seed = 1};
  assert_int_equal(weft_scene_make(weft_scene_find("sand"), &options, &scene, NULL), WEFT_OK);
  weft_solver *solver = rig_solver(scene.model, &scene.params, backend);
  rig_step(solver, 30);
  uint32_t n = scene.model->particle_count;
  weft_kept_state before, once, again;
  weft_kept_state_alloc(solver, &before);
  weft_kept_state_alloc(solver, &once);
  weft_kept_state_alloc(solver, &again);
  weft_solver_begin_frame(solver);
  weft_solver_keep(solver, &before, NULL);
  weft_solver_run_substep(solver, 0);
  weft_solver_keep(solver, &once, NULL);
  weft_nonfinite place;
  weft_solver_find_nonfinite_pass(solver, 0, &before, &place);
  weft_solver_keep(solver, &again, NULL);
  assert_false(place.found);
  assert_memory_equal(once.x, again.x, n * sizeof *once.x);
  assert_memory_equal(once.v, again.v, n * sizeof *once.v);
  assert_memory_equal(once.elements[WEFT_BUFFER_CONTACTS_KEPT],
                      again.elements[WEFT_BUFFER_CONTACTS_KEPT],
                      (size_t)n * weft_buffer_infos[WEFT_BUFFER_CONTACTS_KEPT].stride);
  weft_kept_state_free(&before);
  weft_kept_state_free(&once);
  weft_kept_state_free(&again);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

static void spoiled_contact_is_traced_to_its_pass(void **state) {
  spoiler s;
  spoiler_open(&s, rig_backend(state));
  weft_scene_instance scene;
  const weft_scene_options options = {.size = 5, .seed = 1};
  assert_int_equal(weft_scene_make(weft_scene_find("sand"), &options, &scene, NULL), WEFT_OK);
  weft_solver *solver = rig_solver(scene.model, &scene.params, &s.backend);
  for (s.pass = 0; solver->passes.items[s.pass].kind != WEFT_PASS_CONTACT_PROJECT;) ++s.pass;
  s.frame = 2, s.substep = 7, s.buffer = WEFT_BUFFER_CONTACT_DELTA, s.row = 11, s.component = 2;
  s.value = NAN, s.solver = solver;
  weft_kept_state good;
  weft_kept_state_alloc(solver, &good);
  assert_int_equal(weft_solver_keep(solver, &good, NULL), WEFT_OK);
  weft_nonfinite place;
  assert_int_equal(weft_solver_find_nonfinite(solver, &good, 4, NULL, NULL, &place, NULL), WEFT_OK);
  char text[256];
  assert_true(place.found);
  weft_nonfinite_describe(solver, &place, text, sizeof text);
  assert_string_equal(text,
                      "in frame 3, substep 8 of 20: pass contact_project made the correction of "
                      "particle 11 NaN");
  weft_kept_state_free(&good);
  weft_solver_destroy(solver);
  weft_scene_free(&scene);
}

/* No spoiler, but a state near the end of float: the first substep cannot represent its own sums.
 */
static void overflow_is_found_where_it_happens(void **state) {
  cloth c;
  cloth_open(&c, rig_backend(state), WEFT_BENDING_ISOMETRIC);
  const vec4 fast = {0, -3.4e38f, 0, 0};
  weft_solver_write_buffer(c.solver, WEFT_BUFFER_V, 33, 1, &fast);
  weft_kept_state good;
  weft_kept_state_alloc(c.solver, &good);
  assert_int_equal(weft_solver_keep(c.solver, &good, NULL), WEFT_OK);
  weft_nonfinite place;
  assert_int_equal(weft_solver_find_nonfinite(c.solver, &good, 3, swing, NULL, &place, NULL),
                   WEFT_OK);
  assert_true(place.found && place.frame == 0 && place.substep == 0);
  assert_int_equal(place.pass->kind, WEFT_PASS_AERO_FORCE);
  /* A triangle of particle 33. */
  bool touches = false;
  const uint32_t *t = &c.model->triangles[3 * place.element];
  for (int k = 0; k < 3; ++k) touches = touches || t[k] == 33;
  assert_true(touches);
  weft_kept_state_free(&good);
  cloth_close(&c);
}

static void a_sound_run_has_no_place(void **state) {
  cloth c;
  cloth_open(&c, rig_backend(state), WEFT_BENDING_ISOMETRIC);
  run_frames(c.solver, 3);
  uint64_t hash = rig_hash(c.solver);
  weft_kept_state good = {0};
  weft_kept_state_alloc(c.solver, &good);
  weft_solver_restore(c.solver, &c.start);
  assert_int_equal(weft_solver_keep(c.solver, &good, NULL), WEFT_OK);
  weft_nonfinite place;
  assert_int_equal(weft_solver_find_nonfinite(c.solver, &good, 3, swing, NULL, &place, NULL),
                   WEFT_OK);
  assert_false(place.found);
  /* And the frames that ran again came out the same. */
  assert_int_equal(weft_solver_frame(c.solver), 3);
  assert_true(rig_hash(c.solver) == hash);
  weft_kept_state_free(&good);
  cloth_close(&c);
}

/* ---- what a library user is told ---- */

/* On every backend: what is read after a frame that left the finite is copied, and says so. */
static void read_tells_what_became_infinite(weft_solver *solver) {
  enum { N = 49 };
  const bool doubles = weft_solver_backend(solver) == weft_backend_f64();
  weft_vec3 x[N], v[N];
  double x64[3 * N];
  weft_error err = {0};
  weft_metrics m;
  assert_int_equal(weft_model_particle_count(weft_solver_model(solver)), N);
  assert_int_equal(weft_solver_step(solver, &err), WEFT_OK);
  assert_int_equal(weft_solver_read(solver, x, v, &err), WEFT_OK);
  assert_int_equal(weft_solver_write(solver, NULL, v, &err), WEFT_OK);
  const vec4 row = {0, NAN, 0, 1};
  weft_solver_write_buffer(solver, WEFT_BUFFER_V, 33, 1, &row);
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  assert_int_equal(weft_solver_read(solver, NULL, v, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(
      strstr(err.message, "the velocity of particle 33 is infinite or NaN after frame 1"));
  assert_int_equal(weft_solver_step(solver, &err), WEFT_OK);
  memset(x, 0, sizeof x);
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(strstr(err.message, "the position of particle "));
  assert_non_null(strstr(err.message, "after frame 2"));
  assert_true(isnan(x[33].y));
  if (doubles)
    assert_int_equal(weft_solver_read_f64(solver, x64, NULL, &err), WEFT_ERROR_NOT_FINITE);
  /* Whoever counts is given the count. */
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  assert_true(m.nonfinite > 0);
}

/* What is beyond the limits is refused, names the particle and changes nothing; what is within
 * them leaves a state that is finite, or says that it is not. */
static void entries_have_limits(weft_solver *solver) {
  enum { N = 49 };
  weft_vec3 x[N], v[N] = {{0, 0, 0}}, now[N];
  weft_error err = {0};
  uint64_t before = 0, after = 0;
  assert_int_equal(weft_solver_reset(solver, &err), WEFT_OK);
  assert_int_equal(weft_solver_read(solver, x, NULL, &err), WEFT_OK);
  assert_int_equal(weft_solver_hash(solver, &before, &err), WEFT_OK);
  const float beyond[] = {1e20f, 1e30f, -1.0001e6f};
  for (int k = 0; k < 3; ++k) {
    const uint32_t pin = 3;
    const weft_vec3 target = {0, beyond[k], 0};
    assert_int_equal(weft_solver_move_pins(solver, &pin, &target, 1, &err), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "pin target of particle 3 is (0, "));
    assert_non_null(strstr(err.message, "each component may reach 1e+06 m"));
    const float kept = x[12].z;
    x[12].z = v[12].x = beyond[k];
    assert_int_equal(weft_solver_write(solver, x, NULL, &err), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "position of particle 12"));
    assert_int_equal(weft_solver_write(solver, NULL, v, &err), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "velocity of particle 12"));
    x[12].z = kept, v[12].x = 0;
  }
  assert_int_equal(weft_solver_hash(solver, &after, &err), WEFT_OK);
  assert_true(before == after);
  const uint32_t pins[2] = {0, 6};
  const weft_vec3 far[2] = {{1e6f, -1e6f, 1e6f}, {-1e6f, 1e6f, -1e6f}};
  x[12] = far[1];
  v[30] = far[0];
  assert_int_equal(weft_solver_write(solver, x, v, &err), WEFT_OK);
  assert_int_equal(weft_solver_move_pins(solver, pins, far, 2, &err), WEFT_OK);
  for (int frame = 0; frame < 20; ++frame)
    assert_int_equal(weft_solver_step(solver, &err), WEFT_OK);
  if (weft_solver_read(solver, now, v, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_int_equal(weft_solver_reset(solver, &err), WEFT_OK);
}

static void on_each_backend(weft_gl *gl, void (*test)(weft_solver *)) {
  const weft_backend *backends[4] = {weft_backend_ref(), weft_backend_cpu(2), weft_backend_f64()};
  if (gl) backends[3] = rig_backend_on(gl);
  for (int k = 0; k < 4 && backends[k]; ++k) {
    cloth c;
    cloth_open(&c, backends[k], WEFT_BENDING_ISOMETRIC);
    weft_solver *solver = rig_solver(c.model, weft_solver_params(c.solver), backends[k]);
    test(solver);
    weft_solver_destroy(solver);
    cloth_close(&c);
  }
}

static void every_backend_tells_what_became_infinite(void **state) {
  (void)state;
  on_each_backend(rig_gl_context, read_tells_what_became_infinite);
}

static void every_entry_has_limits(void **state) {
  (void)state;
  on_each_backend(rig_gl_context, entries_have_limits);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_backend_tells_what_became_infinite),
      cmocka_unit_test(every_entry_has_limits),
      RIG_BOTH(the_pass_that_spoils_a_particle_is_named),
      RIG_BOTH(constraint_groups_and_batches_are_named),
      RIG_BOTH(spoiled_scratch_is_traced_to_a_particle),
      RIG_BOTH(grains_run_again_pass_by_pass_end_in_the_same_bits),
      RIG_BOTH(spoiled_contact_is_traced_to_its_pass),
      RIG_BOTH(overflow_is_found_where_it_happens),
      RIG_BOTH(a_sound_run_has_no_place),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
