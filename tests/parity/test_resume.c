/* A state that was saved goes on in another solver, on any backend, with the bits of the run that
 * was not interrupted. */
#include <weft/change.h>

#include "rig_gl.h"
#include "rig_scene.h"

enum { MOST_FRAMES = 40 };

typedef struct run {
  const char *scene;
  uint32_t size, frames, saves[3];
} run;

/* Cloth that is hung, driven, wound, heaped and worn; moving pins, colliders, bodies and shapes;
 * grains and chains. */
static const run runs[] = {
    {"skirt", 16, 24, {1, 7, 20}},    {"wring", 16, 40, {3, 17, 39}},
    {"heap", 10, 40, {9, 26, 33}},    {"walk", 8, 18, {2, 9, 16}},
    {"curtain", 16, 30, {5, 16, 29}}, {"flag", 16, 30, {1, 15, 22}},
    {"tumble", 10, 30, {4, 13, 25}},  {"sand", 8, 30, {2, 14, 21}},
    {"rope", 24, 30, {6, 15, 28}},    {"threads", 12, 24, {3, 8, 19}},
    {"pendulum", 4, 24, {1, 9, 23}},
};

typedef struct saved {
  void *bytes;
  size_t size;
} saved;

static saved save(weft_solver *solver) {
  saved s = {0};
  weft_error err = {0};
  if (weft_solver_save(solver, &s.bytes, &s.size, &err) != WEFT_OK) fail_msg("%s", err.message);
  return s;
}

static void load(weft_solver *solver, saved s) {
  weft_error err = {0};
  if (weft_solver_load(solver, s.bytes, s.size, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static weft_metrics metrics_of(weft_solver *solver) {
  weft_metrics m = {0};
  weft_error err = {0};
  if (weft_solver_metrics(solver, &m, &err) != WEFT_OK) fail_msg("%s", err.message);
  return m;
}

static void compare_metrics(const weft_metrics *a, const weft_metrics *b) {
  assert_true(a->strain_max == b->strain_max && a->kinetic_energy == b->kinetic_energy);
  assert_int_equal(a->contacts_missed, b->contacts_missed);
  assert_int_equal(a->self_candidates, b->self_candidates);
  assert_int_equal(a->self_pairs, b->self_pairs);
  assert_int_equal(a->body_held, b->body_held);
}

typedef struct played {
  uint64_t hashes[MOST_FRAMES + 1];
  saved at[3];
  weft_metrics last;
} played;

static void play(weft_scene_instance *scene, const run *r, const weft_backend *backend, played *p) {
  weft_solver *solver = rig_solver(scene->model, &scene->params, backend);
  uint32_t k = 0;
  for (uint32_t f = 1; f <= r->frames; ++f) {
    rig_scene_step(scene, solver, 1);
    p->hashes[f] = rig_hash(solver);
    if (k < 3 && r->saves[k] == f) p->at[k++] = save(solver);
  }
  p->last = metrics_of(solver);
  weft_solver_destroy(solver);
}

/* In a fresh solver, and in one that is somewhere else; metrics are those of before at once. */
static void go_on(weft_scene_instance *scene, const run *r, const played *p, uint32_t k,
                  const weft_backend *backend, bool fresh) {
  weft_solver *solver = rig_solver(scene->model, &scene->params, backend);
  if (!fresh) rig_scene_step(scene, solver, 2);
  load(solver, p->at[k]);
  assert_int_equal(weft_solver_frame(solver), r->saves[k]);
  assert_true(rig_hash(solver) == p->hashes[r->saves[k]]);
  for (uint32_t f = r->saves[k] + 1; f <= r->frames; ++f) {
    rig_scene_step(scene, solver, 1);
    if (rig_hash(solver) != p->hashes[f]) {
      fail_msg("%s saved after frame %u differs on %s in frame %u", r->scene, r->saves[k],
               weft_backend_name(backend), f);
    }
  }
  const weft_metrics last = metrics_of(solver);
  compare_metrics(&last, &p->last);
  const saved again = save(solver);
  load(solver, again);
  const weft_metrics same = metrics_of(solver);
  compare_metrics(&same, &p->last);
  weft_free(again.bytes);
  weft_solver_destroy(solver);
}

static void free_saved(played *p) {
  for (uint32_t k = 0; k < 3; ++k) weft_free(p->at[k].bytes);
}

static void resumed_runs_have_the_bits_of_uninterrupted_ones(void **state) {
  (void)state;
  const weft_backend *gl = rig_backend_on(test_gl);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const run *r = &runs[i];
    weft_scene_instance scene = rig_scene(r->scene, r->size);
    const weft_backend *on[] = {weft_backend_ref(), weft_backend_cpu(2), gl};
    played p[3];
    for (int b = 0; b < 3; ++b) {
      memset(&p[b], 0, sizeof p[b]);
      play(&scene, r, on[b], &p[b]);
      assert_memory_equal(p[b].hashes, p[0].hashes, sizeof p[0].hashes);
    }
    for (uint32_t k = 0; k < 3; ++k) { /* each goes on on two */
      go_on(&scene, r, &p[0], k, on[k], true);
      go_on(&scene, r, &p[1], k, on[(k + 2) % 3], k != 1);
      go_on(&scene, r, &p[2], k, on[(k + 1) % 3], true);
    }
    for (int b = 0; b < 3; ++b) free_saved(&p[b]);
    weft_scene_free(&scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resumed_runs_have_the_bits_of_uninterrupted_ones),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
