/* The passes of contact between particles of the backend cpu against the reference's: clouds, piles
 * and crowds of counts about the width of vectors, lists that are full, buckets that are shared,
 * overfull or the last, what friction remembers, and awkward numbers; after every pass, with every
 * kind of vector, in one part and in several. */
#include "cpu.h"
#include "lanes_wide.h"
#include "made_up.h"
#include "rig.h"
/* after rig.h */
#include "exact.h"

enum { GRAINS_MAX = 2600, FRAMES = 3 };

typedef struct world {
  uint32_t count;
  weft_params params;
  weft_vec3 x[GRAINS_MAX], v[GRAINS_MAX];
  float masses[GRAINS_MAX];
} world;

static const float radius = 0.05f;

/* ---- grains ---- */

static void fill_params(weft_rng *rng, world *w) {
  w->params = (weft_params){.particle_contact = true,
                            .no_gravity = one_in(rng, 2),
                            .substeps = 2,
                            .contact_iterations = 1 + weft_rng_u32(rng) % 4,
                            .contact_static = PICK(rng, 0, 0.3f, 1.5f),
                            .contact_dynamic = PICK(rng, 0, 0.2f, 1)};
}

/* Anywhere in a cube that gives each so much room, in radii: at 2 and less lists run over. */
static void place_cloud(weft_rng *rng, world *w, float room) {
  float side = 0.5f * radius * room * cbrtf((float)w->count);
  weft_vec3 centre = anywhere(rng, PICK(rng, 0, 1, 30));
  for (uint32_t i = 0; i < w->count; ++i) w->x[i] = weft_v3_add(centre, anywhere(rng, side));
}

/* Cells that are one radius apart, so that grains are on their borders to a rounding. */
static void place_lattice(world *w, float spacing) {
  uint32_t across = (uint32_t)cbrtf((float)w->count) + 1;
  for (uint32_t i = 0; i < w->count; ++i) {
    uint32_t x = i % across, y = i / across % across, z = i / across / across;
    w->x[i] = weft_v3(spacing * ((float)x - 2), spacing * ((float)y - 2), spacing * ((float)z - 2));
  }
}

static void move_and_weigh(weft_rng *rng, world *w) {
  float speed = PICK(rng, 0, 0.1f, 3);
  for (uint32_t i = 0; i < w->count; ++i) {
    w->v[i] = anywhere(rng, speed);
    w->masses[i] = one_in(rng, 8) ? 0 : weft_rng_float(rng, 0.1f, 2);
    if (i && one_in(rng, 30)) w->x[i] = w->x[i - 1];
  }
}

static void make_awkward(weft_rng *rng, world *w) {
  for (uint32_t i = 0; i < w->count; ++i) {
    if (!one_in(rng, 12)) continue;
    float *component = &w->x[i].x + weft_rng_u32(rng) % 3;
    *component = PICK(rng, 0, 1e-30f, (float)WEFT_SNAP, 1e-40f, 3e6f, 1e30f, INFINITY, NAN);
  }
}

static void make_world(weft_rng *rng, uint32_t count, world *w) {
  *w = (world){.count = count};
  fill_params(rng, w);
  if (one_in(rng, 4)) {
    place_lattice(w, PICK(rng, 2 * radius, 2.2f * radius, 1.1f * radius));
  } else {
    place_cloud(rng, w, PICK(rng, 0.8f, 1.2f, 1.6f, 2, 3));
  }
  move_and_weigh(rng, w);
}

/* ---- passes ---- */

typedef struct table {
  weft_buffer_id id;
  uint32_t floats; /* of an element; 0: it is one integer */
} table;

static const table compared[] = {
    {WEFT_BUFFER_X, 4},
    {WEFT_BUFFER_CONTACT_FOUND, 0},
    {WEFT_BUFFER_CONTACT_LOAD, 0},
    {WEFT_BUFFER_CONTACT_DELTA, 3},
    {WEFT_BUFFER_CONTACTS, 4 * WEFT_CONTACT_SLOTS},
    {WEFT_BUFFER_CONTACTS_KEPT, 4 * WEFT_CONTACT_SLOTS},
};
enum { COMPARED = sizeof compared / sizeof *compared };

static bool same_words(const uint32_t *a, const uint32_t *b, size_t count, bool floats) {
  for (size_t k = 0; k < count; ++k) {
    float x, y;
    memcpy(&x, &a[k], sizeof x);
    memcpy(&y, &b[k], sizeof y);
    if (a[k] != b[k] && !(floats && isnan(x) && isnan(y))) return false;
  }
  return true;
}

/* Of all particles, from the first that differs. */
static void check_rows(weft_solver *ref, weft_solver *cpu, const weft_pass *pass,
                       const char *vectors) {
  static uint32_t a[GRAINS_MAX * 4 * WEFT_CONTACT_SLOTS], b[GRAINS_MAX * 4 * WEFT_CONTACT_SLOTS];
  uint32_t n = ref->model->particle_count;
  for (uint32_t k = 0; k < COMPARED; ++k) {
    uint32_t words = compared[k].floats ? compared[k].floats : 1;
    weft_solver_read_buffer(ref, compared[k].id, 0, n, a);
    weft_solver_read_buffer(cpu, compared[k].id, 0, n, b);
    for (uint32_t i = 0; i < n; ++i) {
      size_t at = (size_t)i * words;
      if (same_words(a + at, b + at, words, compared[k].floats != 0)) continue;
      fail_msg("after %s, %s: %s of particle %u of %u is not the reference's",
               weft_pass_infos[pass->kind].name, vectors, weft_buffer_infos[compared[k].id].name, i,
               n);
    }
  }
}

static bool is_of_contact(const weft_pass *pass) {
  return pass->kind >= WEFT_PASS_CONTACT_FIND && pass->kind <= WEFT_PASS_CONTACT_KEEP;
}

/* Rows rather than weft_solver_write, which refuses what is awkward. */
static void write_rows(weft_solver *solver, weft_buffer_id id, const weft_vec3 *values) {
  static vec4 rows[GRAINS_MAX];
  uint32_t n = solver->model->particle_count;
  weft_solver_read_buffer(solver, id, 0, n, rows);
  for (uint32_t i = 0; i < n; ++i) rows[i] = exact_vec4(values[i], rows[i].w);
  weft_solver_write_buffer(solver, id, 0, n, rows);
}

/* With guard bytes about buffers or, for AddressSanitizer, without any. */
static weft_solver *begin(const weft_model *model, const world *w, const weft_backend *backend) {
  weft_solver *solver = rig_guarded(model, &w->params, backend, w->count % 2 ? 256 : 0);
  write_rows(solver, WEFT_BUFFER_X, w->x);
  write_rows(solver, WEFT_BUFFER_V, w->v);
  return solver;
}

/* Both from the same state; looked at after each pass of contact. */
static void check_frames(const weft_model *model, const world *w, const weft_cpu_desc *desc) {
  weft_backend backend = weft_cpu_backend_of(desc);
  weft_solver *ref = begin(model, w, weft_backend_ref()), *cpu = begin(model, w, &backend);
  for (uint32_t f = 0; f < FRAMES; ++f) {
    weft_solver_begin_frame(ref);
    weft_solver_begin_frame(cpu);
    for (uint32_t s = 0; s < w->params.substeps; ++s) {
      for (size_t k = 0; k < ref->passes.count; ++k) {
        const weft_pass *pass = &ref->passes.items[k];
        ref->backend->run(ref->instance, pass, s);
        cpu->backend->run(cpu->instance, pass, s);
        if (is_of_contact(pass)) check_rows(ref, cpu, pass, desc->lanes->name);
      }
    }
  }
  assert_int_equal(backend.broken_guard(cpu->instance), WEFT_BUFFER_COUNT);
  weft_solver_destroy(ref);
  weft_solver_destroy(cpu);
}

static weft_model *make_model(const world *w) {
  static const weft_vec3 finite[GRAINS_MAX];
  return rig_particles(&(weft_particles_desc){
      .particle_count = w->count, .positions = finite, .masses = w->masses, .radius = radius});
}

static void check_world(const world *w, uint32_t round) {
  const weft_lanes *kinds[] = {weft_lanes_usable(4), weft_lanes_usable(8), weft_lanes_usable(16),
                               lanes_wide()};
  weft_model *model = make_model(w);
  for (uint32_t k = 0; k < 4; ++k) {
    if (!kinds[k]) continue;
    const weft_cpu_desc desc = {.threads = 1 + (round + k) % 3, .lanes = kinds[k], .exactly = true};
    check_frames(model, w, &desc);
  }
  weft_model_destroy(model);
}

static world made;

static void counts_about_the_width_of_vectors_have_the_reference_s_bits(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  weft_rng rng = weft_rng_seed(1);
  for (uint32_t round = 0; round < 170; ++round) {
    make_world(&rng, counts[round % 17], &made);
    check_world(&made, round);
  }
}

static void larger_heaps_have_the_reference_s_bits(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(2);
  for (uint32_t round = 0; round < 24; ++round) {
    make_world(&rng, 100 + weft_rng_u32(&rng) % 600, &made);
    check_world(&made, round);
  }
}

static void awkward_numbers_have_the_reference_s_bits(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(3);
  for (uint32_t round = 0; round < 60; ++round) {
    make_world(&rng, 1 + weft_rng_u32(&rng) % 80, &made);
    make_awkward(&rng, &made);
    check_world(&made, round);
  }
}

/* How many particles miss neighbours. */
static uint32_t count_crowded(const world *w) {
  weft_model *model = make_model(w);
  weft_solver *solver = begin(model, w, weft_backend_ref());
  rig_step(solver, 1);
  weft_metrics metrics;
  assert_int_equal(weft_solver_metrics(solver, &metrics, NULL), WEFT_OK);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  return metrics.contacts_missed;
}

/* More in one cell than a bucket may hold, and others around it that the crowd must not find. */
static void a_crowd_has_the_reference_s_bits(void **state) {
  (void)state;
  enum { CROWD = WEFT_GRID_MAX + 20 };
  weft_rng rng = weft_rng_seed(4);
  make_world(&rng, GRAINS_MAX, &made);
  for (uint32_t i = 0; i < GRAINS_MAX; ++i) {
    made.x[i] = i < CROWD ? weft_v3(0.05f, 0.05f, 0.05f) : anywhere(&rng, 0.3f);
    made.v[i] = weft_v3(0, 0, 0);
  }
  assert_true(count_crowded(&made) > CROWD);
  check_world(&made, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_about_the_width_of_vectors_have_the_reference_s_bits),
      cmocka_unit_test(larger_heaps_have_the_reference_s_bits),
      cmocka_unit_test(awkward_numbers_have_the_reference_s_bits),
      cmocka_unit_test(a_crowd_has_the_reference_s_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
