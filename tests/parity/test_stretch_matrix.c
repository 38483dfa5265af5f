/* What keeps cloth from stretching (lines, levels, attachments) in every mode and schedule, on a
 * grid and on a mesh that is none, alone and joined: the reference, the vectors of cpu and the GPU
 * have the same bits, parts those of one alone, and what does not go together is refused in words.
 */
#include "../physics/rig.h"
/* after rig.h */
#include "solver_gl.h"

enum { PARTS = 3, FRAMES = 2 };

typedef struct setting {
  weft_mode mode;
  weft_schedule schedule;
  bool joined, lines, levels, attachments;
} setting;

enum { SETTINGS = 3 * 3 * 2 * 2 * 2 * 2 };

/* Setting k of all there are. */
static setting setting_at(uint32_t k) {
  static const weft_schedule schedules[] = {WEFT_SCHEDULE_COLOURS, WEFT_SCHEDULE_PATCHES,
                                            WEFT_SCHEDULE_SINGLE};
  return (setting){.attachments = k % 2,
                   .levels = k / 2 % 2,
                   .lines = k / 4 % 2,
                   .joined = k / 8 % 2,
                   .schedule = schedules[k / 16 % 3],
                   .mode = (weft_mode)(k / 48)};
}

static void describe(const setting *s, char *text, size_t size) {
  static const char *const modes[] = {"gs", "jacobi", "hybrid"};
  static const char *const schedules[] = {"auto", "colours", "patches", "single"};
  snprintf(text, size, "%s, %s%s%s%s%s", modes[s->mode], schedules[s->schedule],
           s->joined ? ", joined" : "", s->lines ? ", lines" : "", s->levels ? ", levels" : "",
           s->attachments ? ", attachments" : "");
}

/* How a setting is refused on every backend; NULL: it is not. */
static const char *refusal_of(const setting *s) {
  if (s->mode != WEFT_MODE_GS && s->schedule == WEFT_SCHEDULE_PATCHES)
    return "modes jacobi and hybrid";
  if (!s->joined) return NULL;
  if (s->mode != WEFT_MODE_GS) return "a mode other than gs is not for joined models";
  return s->schedule == WEFT_SCHEDULE_PATCHES ? "schedule patches is not for joined models" : NULL;
}

/* And by the GPU alone. */
static const char *refusal_on_gl(const setting *s) {
  bool tail = s->mode != WEFT_MODE_GS;
  return tail && s->schedule == WEFT_SCHEDULE_SINGLE ? "it has no pass" : NULL;
}

static weft_params params_of(const setting *s) {
  return (weft_params){.plain = true,
                       .mode = s->mode,
                       .hybrid_min = 100,
                       .schedule = s->schedule,
                       .substeps = 2,
                       .line_sweeps = s->lines ? 2 : 0,
                       .multilevel = s->levels ? WEFT_ALL_LEVELS : 0,
                       .lra = s->attachments ? 2 : 0};
}

/* ---- the cloths ---- */

static weft_model *tube(void) {
  weft_mesh mesh = {0};
  const weft_tube_desc desc = {.rings = 9, .segments = 14};
  assert_int_equal(weft_mesh_tube(&desc, &mesh, NULL), WEFT_OK);
  const weft_pin list = {.rule = WEFT_PIN_LIST, .list = (uint32_t[]){0, 1, 5, 9}, 4};
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .material = weft_material_find("tablecloth"), .pins = &list, .pin_count = 1});
  weft_mesh_free(&mesh);
  return model;
}

static weft_model *sheet(void) {
  const weft_grid_desc grid = {.rows = 19, .columns = 16};
  return rig_sheet(&grid, "tablecloth", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
}

/* ---- a run ---- */

/* Thrown down and apart, so that it is drawn long. */
static void throw(weft_solver * solver, const weft_model *model) {
  weft_vec3 *v = weft_alloc(model->particle_count, sizeof *v);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    const weft_vec3 x = model->rest_positions[i];
    if (model->inverse_masses[i] > 0) v[i] = weft_v3(4 * x.x, -3, 4 * x.z);
  }
  assert_int_equal(weft_solver_write(solver, NULL, v, NULL), WEFT_OK);
  weft_free(v);
}

/* State after some frames, of [count] positions and velocities, or the refusal that is expected. */
static bool run(const weft_model *model, const setting *s, const weft_backend *backend,
                const char *refusal, weft_vec3 *state) {
  const weft_params params = params_of(s);
  weft_solver *solver = NULL;
  weft_error err = {0};
  char name[96];
  describe(s, name, sizeof name);
  weft_result result = weft_solver_create(model, &params, backend, &solver, &err);
  if (refusal && (result == WEFT_OK || !strstr(err.message, refusal))) {
    fail_msg("%s: \"%s\", not \"%s\"", name, err.message, refusal);
  }
  if (refusal) return false;
  if (result != WEFT_OK) fail_msg("%s: %s", name, err.message);
  throw(solver, model);
  rig_step(solver, FRAMES);
  uint32_t n = model->particle_count;
  assert_int_equal(weft_solver_read(solver, state, state + n, &err), WEFT_OK);
  weft_solver_destroy(solver);
  return true;
}

typedef struct cloth {
  weft_model *one, *joined;
  weft_vec3 *ref, *other, *alone;
} cloth;

static cloth cloth_of(weft_model *one) {
  cloth c = {.one = one};
  const weft_model *parts[PARTS] = {one, one, one};
  assert_int_equal(weft_model_join(parts, PARTS, &c.joined, NULL), WEFT_OK);
  size_t vectors = 2 * (size_t)c.joined->particle_count;
  c.ref = weft_alloc(vectors, sizeof *c.ref);
  c.other = weft_alloc(vectors, sizeof *c.other);
  c.alone = weft_alloc(vectors, sizeof *c.alone);
  return c;
}

static void free_cloth(cloth *c) {
  weft_model_destroy(c->joined);
  weft_model_destroy(c->one);
  weft_free(c->ref);
  weft_free(c->other);
  weft_free(c->alone);
}

static void expect_parts(const cloth *c, const setting *s) {
  uint32_t n = c->one->particle_count;
  run(c->one, s, weft_backend_ref(), NULL, c->alone);
  for (uint32_t half = 0; half < 2; ++half) {
    for (uint32_t p = 0; p < PARTS; ++p) {
      const weft_vec3 *part = c->ref + ((size_t)half * PARTS + p) * n;
      assert_memory_equal(part, c->alone + (size_t)half * n, n * sizeof *part);
    }
  }
}

/* Returns whether all backends ran it. */
static bool expect_equal(const cloth *c, const setting *s, const weft_backend *gl) {
  const weft_backend *const others[] = {weft_backend_cpu(2), gl};
  const weft_model *model = s->joined ? c->joined : c->one;
  const char *refusal = refusal_of(s);
  bool ran = run(model, s, weft_backend_ref(), refusal, c->ref), all = ran;
  if (ran && s->joined) expect_parts(c, s);
  size_t bytes = 2 * (size_t)model->particle_count * sizeof *c->ref;
  for (int k = 0; k < 2 && others[k]; ++k) {
    const char *own = !refusal && k == 1 ? refusal_on_gl(s) : refusal;
    if (!run(model, s, others[k], own, c->other)) {
      all = false;
    } else if (memcmp(c->ref, c->other, bytes) != 0) {
      char name[96];
      describe(s, name, sizeof name);
      fail_msg("%s: %s differs from ref", name, weft_backend_name(others[k]));
    }
  }
  return all;
}

/* ---- tests ---- */

static void expect_matrix(weft_model *one) {
  weft_gl *gl = NULL;
  const weft_backend *backend = NULL;
  if (weft_gl_create_headless(&(weft_gl_desc){.debug = true}, &gl, NULL) == WEFT_OK) {
    backend = rig_backend_on(gl);
  } else {
    print_message("no GL, its third is skipped\n");
  }
  cloth c = cloth_of(one);
  uint32_t ran = 0;
  for (uint32_t k = 0; k < SETTINGS; ++k) {
    const setting s = setting_at(k);
    ran += expect_equal(&c, &s, backend);
  }
  /* gs: three schedules alone and two joined; the other modes by colours, and on processors, where
   * single means nothing, by single. */
  assert_int_equal(ran, 8 * (5 + 2 * (backend ? 1 : 2)));
  free_cloth(&c);
  if (!gl) return;
  assert_int_equal(weft_gl_message_count(gl), 0);
  weft_gl_destroy(gl);
}

static void a_grid_has_the_same_bits_everywhere(void **state) {
  (void)state;
  expect_matrix(sheet());
}

static void a_tube_has_the_same_bits_everywhere(void **state) {
  (void)state;
  expect_matrix(tube());
}

/* Each of them changes what comes out, alone and beside the others; levels on a grid alone. */
static void each_of_them_acts(void **state) {
  (void)state;
  weft_model *models[] = {sheet(), tube()};
  for (int m = 0; m < 2; ++m) {
    uint64_t hashes[8];
    for (uint32_t k = 0; k < 8; ++k) {
      const setting s = setting_at(k);
      const weft_params params = params_of(&s);
      weft_solver *solver = rig_solver(models[m], &params, weft_backend_ref());
      throw(solver, models[m]);
      rig_step(solver, 10 * FRAMES);
      hashes[k] = rig_hash(solver);
      weft_solver_destroy(solver);
      for (uint32_t before = 0; before < k; ++before) {
        const setting other = setting_at(before);
        bool alike = m == 1 && s.lines == other.lines && s.attachments == other.attachments;
        if ((hashes[k] == hashes[before]) != alike) {
          fail_msg("cloth %d: settings %u and %u are %s", m, before, k,
                   alike ? "not equal" : "equal");
        }
      }
    }
    weft_model_destroy(models[m]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_of_them_acts),
      cmocka_unit_test(a_grid_has_the_same_bits_everywhere),
      cmocka_unit_test(a_tube_has_the_same_bits_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
