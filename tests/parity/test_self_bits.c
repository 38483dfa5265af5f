/* Self-collision has the same bits on the reference, on cpu with any number of threads and any
 * width of vectors, and on the GPU: in folds, in a towel that is wrung, with the limit alone, and
 * where the lists are too short. */
#include "../physics/rig.h"
/* after rig.h */
#include "../rig_scene.h"
#include "cpu.h"

typedef struct row {
  const char *scene;
  uint32_t size, skip, frames; /* the reference alone goes the first so many frames */
  weft_mode mode;
  uint32_t iterations, room;
} row;

static void change(const row *r, weft_params *p) {
  assert_int_equal(weft_params_resolve(p, p, NULL), WEFT_OK);
  p->complete = true;
  p->mode = r->mode;
  p->self_iterations = r->iterations;
  p->self_room = r->room;
}

/* The state after `skip` frames, which every backend goes on from. */
typedef struct start {
  weft_vec3 *x, *v;
} start;

static weft_metrics frames_on(const row *r, const weft_backend *backend, const start *from,
                              uint64_t *hash) {
  weft_scene_instance s = rig_scene(r->scene, r->size);
  weft_params params = s.params;
  change(r, &params);
  weft_solver *solver = rig_solver(s.model, &params, backend);
  weft_error err = {0};
  if (from->x) rig_write(solver, from->x, from->v);
  rig_scene_step(&s, solver, r->frames);
  weft_metrics m;
  assert_int_equal(weft_solver_metrics(solver, &m, &err), WEFT_OK);
  *hash = rig_hash(solver);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
  return m;
}

static start go_to(const row *r) {
  weft_scene_instance s = rig_scene(r->scene, r->size);
  weft_params params = s.params;
  change(r, &params);
  if (r->room < 16) params.self_room = 16;
  weft_solver *solver = rig_solver(s.model, &params, weft_backend_cpu(0));
  rig_scene_step(&s, solver, r->skip);
  uint32_t n = s.model->particle_count;
  start state = {calloc(n, sizeof *state.x), calloc(n, sizeof *state.v)};
  weft_error err = {0};
  assert_int_equal(weft_solver_read(solver, state.x, state.v, &err), WEFT_OK);
  weft_solver_destroy(solver);
  weft_scene_free(&s);
  return state;
}

/* Looks keep work for each other on cpu: sheets that swing, fold, are wrung and lie on each other.
 * In the last row pins are turned back in one frame, and cloth holds them. */
static const row rows[] = {
    {"hanging", 24, 20, 8, WEFT_MODE_GS, 4, 16},   {"wring", 16, 200, 6, WEFT_MODE_GS, 4, 16},
    {"heap", 20, 40, 6, WEFT_MODE_GS, 4, 16},      {"heap", 16, 40, 6, WEFT_MODE_JACOBI, 4, 16},
    {"heap", 16, 30, 10, WEFT_MODE_GS, 0, 16},     {"stack", 12, 45, 3, WEFT_MODE_GS, 4, 1},
    {"drape", 20, 50, 4, WEFT_MODE_HYBRID, 4, 16}, {"wring", 16, 330, 1, WEFT_MODE_GS, 4, 16},
};

static void every_backend_has_the_same_bits(void **state) {
  const weft_cpu_desc descs[] = {{.threads = 1, .tile = 200},
                                 {.threads = 3, .exactly = true, .tile = 200},
                                 {.threads = 2, .exactly = true, .lanes = weft_lanes_usable(4)},
                                 {.threads = 2, .exactly = true, .plain = true}};
  enum { ON_CPU = sizeof descs / sizeof *descs };
  weft_backend on_cpu[ON_CPU];
  const weft_backend *backends[ON_CPU + 1];
  for (size_t b = 0; b < ON_CPU; ++b) {
    on_cpu[b] = weft_cpu_backend_of(&descs[b]);
    backends[b] = &on_cpu[b];
  }
  backends[ON_CPU] = rig_gl_context ? rig_backend(state) : NULL;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const row *r = &rows[k];
    start from = go_to(r);
    uint64_t expected, hash;
    weft_metrics m = frames_on(r, weft_backend_ref(), &from, &expected);
    if (strcmp(r->scene, "heap") == 0) assert_true(m.self_pairs + m.self_overflows > 0);
    if (r->frames == 1) assert_true(m.self_driven > 0);
    if (r->room == 1) assert_true(m.self_overflows > 0);
    for (size_t b = 0; b <= ON_CPU && backends[b]; ++b) {
      weft_metrics other = frames_on(r, backends[b], &from, &hash);
      if (hash != expected) {
        fail_msg("%s %u on %s: other bits", r->scene, r->size, weft_backend_name(backends[b]));
      }
      assert_int_equal(m.self_candidates, other.self_candidates);
      assert_int_equal(m.self_pairs, other.self_pairs);
      assert_int_equal(m.self_limited, other.self_limited);
      assert_int_equal(m.self_pauses, other.self_pauses);
      assert_int_equal(m.self_driven, other.self_driven);
    }
    free(from.x);
    free(from.v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      {"every_backend_has_the_same_bits", every_backend_has_the_same_bits, NULL, NULL,
       &rig_places[1]},
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
