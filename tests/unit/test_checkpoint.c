/* A state as bytes: all that is hidden in it comes back, in any solver of the same kind; what is
 * no such state, or another solver's, is refused in a sentence, and then nothing has changed. */
#include <weft/change.h>

#include "rig.h"
/* and */
#include "record.h"

#define MUST(call)                                                      \
  do {                                                                  \
    weft_error sentence = {0}, *E = &sentence;                          \
    if ((call) != WEFT_OK) fail_msg("%s: %s", #call, sentence.message); \
  } while (0)

typedef struct saved {
  unsigned char *bytes;
  size_t size;
} saved;

static saved save(weft_solver *solver) {
  saved s;
  void *bytes;
  MUST(weft_solver_save(solver, &bytes, &s.size, E));
  s.bytes = bytes;
  return s;
}

static void refuse(weft_solver *solver, const void *bytes, size_t size, weft_result code,
                   const char *words) {
  weft_error err = {0};
  const uint64_t before = rig_hash(solver), frame = weft_solver_frame(solver);
  assert_int_equal(weft_solver_load(solver, bytes, size, &err), code);
  if (!strstr(err.message, words)) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
  assert_int_equal(weft_solver_load(solver, bytes, size, NULL), code);
  assert_true(rig_hash(solver) == before && weft_solver_frame(solver) == frame);
}

static weft_model *sheet(uint32_t side, const char *fabric, weft_pin_rule pins) {
  return rig_sheet(&(weft_grid_desc){.rows = side, .columns = side}, fabric, WEFT_BENDING_ISOMETRIC,
                   false, pins);
}

/* ---- bytes ---- */

/* Puts the right hash behind bytes that were changed. */
static void seal(saved s) {
  uint64_t hash = weft_hash_bytes(WEFT_HASH_SEED, s.bytes, s.size - 8);
  for (int k = 0; k < 8; ++k) s.bytes[s.size - 8 + (size_t)k] = (unsigned char)(hash >> 8 * k);
}

static void the_layout_is_the_same_on_every_machine(void **state) {
  (void)state;
  static const unsigned char expected[] = {
      'w', 'e', 'f', 't', '-', 't', 's', 't', 4, 3, 2, 1, 7, 0, 0, 0, 48, 0, 0,    0,
      0,   0,   0,   0,   5,   0,   0,   0,   2, 1, 0, 0, 0, 0, 0, 0, 0,  0, 0x80, 0xbf};
  uint32_t word = 5, words[1];
  uint64_t wide = 258, longs[1];
  float number = -1, floats[1];
  weft_record r = weft_record_begin("weft-tst", 7);
  weft_record_words(&r, &word, 1);
  weft_record_longs(&r, &wide, 1);
  weft_record_floats(&r, &number, 1);
  void *bytes;
  size_t size;
  weft_record_end(&r, &bytes, &size);
  assert_int_equal(size, 48);
  assert_memory_equal(bytes, expected, sizeof expected);
  assert_int_equal(weft_record_open(&r, "weft-tst", 7, bytes, size, "it", NULL), WEFT_OK);
  weft_record_words(&r, words, 1);
  weft_record_longs(&r, longs, 1);
  assert_int_equal(weft_record_close(&r, "it", NULL), WEFT_ERROR_FORMAT); /* there is more */
  weft_record_floats(&r, floats, 1);
  assert_int_equal(weft_record_close(&r, "it", NULL), WEFT_OK);
  assert_true(words[0] == 5 && longs[0] == 258 && floats[0] == -1 && !r.odd);
  weft_record_floats(&r, floats, 1);
  assert_true(floats[0] == 0 && r.short_of);
  assert_int_equal(weft_record_close(&r, "it", NULL), WEFT_ERROR_FORMAT);
  weft_free(bytes);
}

static void broken_bytes_are_refused(void **state) {
  (void)state;
  weft_model *model = sheet(5, "tshirt", WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 2, .self_collision = true};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  rig_step(solver, 3);
  const saved s = save(solver);
  rig_step(solver, 2);
  for (size_t size = 0; size < s.size; ++size) {
    weft_error err = {0};
    assert_int_equal(weft_solver_load(solver, s.bytes, size, &err), WEFT_ERROR_FORMAT);
  }
  refuse(solver, s.bytes, s.size - 1, WEFT_ERROR_FORMAT, "bytes of");
  refuse(solver, s.bytes, 12, WEFT_ERROR_FORMAT, "do not begin");
  for (size_t k = 0; k < s.size; ++k) {
    s.bytes[k] ^= 0x10;
    assert_int_equal(weft_solver_load(solver, s.bytes, s.size, NULL), WEFT_ERROR_FORMAT);
    s.bytes[k] ^= 0x10;
  }
  s.bytes[s.size / 2] ^= 1;
  refuse(solver, s.bytes, s.size, WEFT_ERROR_FORMAT, "damaged");
  s.bytes[s.size / 2] ^= 1;
  unsigned char *mark = s.bytes + 8, *version = s.bytes + 12;
  mark[0] = 1, mark[1] = 2, mark[2] = 3, mark[3] = 4;
  refuse(solver, s.bytes, s.size, WEFT_ERROR_FORMAT, "another order");
  mark[0] = 4, mark[1] = 3, mark[2] = 2, mark[3] = 1;
  ++*version;
  refuse(solver, s.bytes, s.size, WEFT_ERROR_FORMAT, "version 2, and this weft reads version 1");
  --*version;
  MUST(weft_solver_load(solver, s.bytes, s.size, E));
  assert_int_equal(weft_solver_frame(solver), 3);
  weft_free(s.bytes);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* Numbers that would lead past the end of a buffer, under a hash that is right. */
static void numbers_that_no_state_has_are_refused(void **state) {
  (void)state;
  weft_model *model = sheet(5, "tshirt", WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 2, .self_collision = true, .grab = true};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  rig_step(solver, 3);
  const saved whole = save(solver);
  uint32_t refused = 0, taken = 0;
  for (size_t at = 24; at + 12 <= whole.size; at += 4) {
    static const uint32_t odd[] = {0xffffffff, 0x7f800000, 0x7fffffff, 26, 0x10000};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; ++k) {
      saved s = {malloc(whole.size), whole.size};
      memcpy(s.bytes, whole.bytes, s.size);
      for (int b = 0; b < 4; ++b) s.bytes[at + (size_t)b] = (unsigned char)(odd[k] >> 8 * b);
      seal(s);
      weft_error err = {0};
      const weft_result result = weft_solver_load(solver, s.bytes, s.size, &err);
      if (result == WEFT_OK) ++taken;
      if (result != WEFT_OK) ++refused;
      assert_true(result == WEFT_OK || result == WEFT_ERROR_FORMAT ||
                  result == WEFT_ERROR_ARGUMENT);
      if (result == WEFT_OK) assert_int_equal(weft_solver_step(solver, NULL), WEFT_OK);
      free(s.bytes);
    }
  }
  assert_true(refused > 1000 && taken > 1000);
  MUST(weft_solver_load(solver, whole.bytes, whole.size, E));
  weft_free(whole.bytes);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* A pair of the contact cache that names a particle past the last one, of the cloth or of a body.
 */
static void pairs_of_particles_that_are_not_there_are_refused(void **state) {
  (void)state;
  weft_model *model = sheet(5, "tshirt", WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 2, .self_collision = true, .self_static = 0.5f};
  weft_solver *solver = rig_solver(model, &p, weft_backend_ref());
  const weft_self_cached pair = {.pair = {1, 7, 13, 20}, .slide = {123.25f, 0, 0}};
  const uint32_t one = 1;
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_CACHE, 0, 1, &pair);
  weft_solver_write_buffer(solver, WEFT_BUFFER_SELF_CACHE_COUNT, 0, 1, &one);
  const saved s = save(solver);
  size_t row = 0;
  while (memcmp(s.bytes + row, "\x01\0\0\0\x07\0\0\0\x0d\0\0\0\x14\0\0\0\0\x80\xf6\x42", 20) != 0) {
    ++row;
    assert_true(row + 20 < s.size);
  }
  MUST(weft_solver_load(solver, s.bytes, s.size, E));
  for (int k = 0; k < 4; ++k) {
    s.bytes[row + 4 * (size_t)k] += 25;
    seal(s);
    refuse(solver, s.bytes, s.size, WEFT_ERROR_FORMAT, "numbers that no state has");
    s.bytes[row + 4 * (size_t)k] -= 25;
  }
  s.bytes[row - 2] = 1; /* of 65,537 pairs */
  seal(s);
  refuse(solver, s.bytes, s.size, WEFT_ERROR_FORMAT, "numbers that no state has");
  weft_free(s.bytes);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- whose it is ---- */

static void states_of_other_solvers_are_refused(void **state) {
  (void)state;
  weft_model *own = sheet(6, "tshirt", WEFT_PIN_CORNERS),
             *larger = sheet(7, "tshirt", WEFT_PIN_CORNERS),
             *denim = sheet(6, "denim", WEFT_PIN_CORNERS), *edge = sheet(6, "tshirt", WEFT_PIN_TOP),
             *free_corner = NULL;
  MUST(weft_model_with_pins(own, &(uint32_t){0}, 1, false, &free_corner, E));
  const weft_model *const two[] = {own, own};
  weft_model *joined = NULL;
  MUST(weft_model_join(two, 2, &joined, E));
  const weft_collider_key keys[] = {{.time = 0}, {.time = 1, .a = {0, 0.1f, 0}}};
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.1f, .a = {0, -2, 0}},
                      wide = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.2f, .a = {0, -2, 0}},
                      moving = {.shape = WEFT_COLLIDER_SPHERE,
                                .radius = 0.1f,
                                .a = {0, -2, 0},
                                .keys = keys,
                                .key_count = 2};
  weft_mesh board = rig_grid(&(weft_grid_desc){.rows = 3, .columns = 3, .centre = {0, -1, 3}}),
            lower = rig_grid(&(weft_grid_desc){.rows = 3, .columns = 3, .centre = {0, -2, 3}});
  const weft_body body = {.mesh = &board}, other = {.mesh = &lower};
  weft_vec3 start[36];
  memcpy(start, weft_model_rest_positions(own), sizeof start);
  start[20].z += 0.01f;
  const weft_params p = {.substeps = 4,
                         .self_collision = true,
                         .colliders = &ball,
                         .collider_count = 1,
                         .bodies = &body,
                         .body_count = 1};
  weft_params params[9];
  for (int k = 0; k < 9; ++k) params[k] = p;
  params[1].substeps = 5;
  params[2].gravity = weft_v3(0, -5, 0);
  params[3].colliders = &wide;
  params[4].colliders = &moving;
  params[5].bodies = &other;
  params[6].start = start;
  params[7].collider_count = 0;
  params[8].tangled = WEFT_TANGLED_REFUSE;
  weft_params alone = p;
  alone.body_count = 0;
  weft_material stiffer = *weft_material_find("tshirt");
  stiffer.bending *= 2;
  weft_model *stiff = rig_grid_model(
      &(weft_grid_desc){.rows = 6, .columns = 6},
      (weft_model_desc){
          .material = &stiffer, .pins = &(weft_pin){.rule = WEFT_PIN_CORNERS}, .pin_count = 1});
  const struct {
    const weft_model *model;
    const weft_params *params;
    const char *words;
  } others[] = {
      {stiff, &p, "constraints other than here"},
      {larger, &p, "49 particles, and here are 36"},
      {edge, &p, "6 pins, and here are 2"},
      {free_corner, &p, "1 pins, and here are 2"},
      {denim, &p, "masses or pins other than here"},
      {joined, &alone, "72 particles"},
      {own, &params[1], "substeps 5, and here it is 4"},
      {own, &params[2], "gravity (0, -5, 0), and here it is (0, -9.8"},
      {own, &params[3], "collider 0"},
      {own, &params[4], "collider 0"},
      {own, &params[5], "body 0"},
      {own, &params[6], "start other than here"},
      {own, &params[7], "0 colliders, and here are 1"},
      {own, &params[8], "tangled refuse, and here it is keep"},
  };
  weft_solver *solver = rig_solver(own, &p, weft_backend_ref());
  rig_step(solver, 2);
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
    weft_solver *of = rig_solver(others[k].model, others[k].params, weft_backend_ref());
    const saved s = save(of);
    refuse(solver, s.bytes, s.size, WEFT_ERROR_ARGUMENT, others[k].words);
    weft_free(s.bytes);
    weft_solver_destroy(of);
  }
  weft_solver_destroy(solver);
  weft_mesh_free(&board);
  weft_mesh_free(&lower);
  weft_model *all[] = {joined, larger, denim, edge, free_corner, stiff, own};
  for (int k = 0; k < 7; ++k) weft_model_destroy(all[k]);
}

static void a_state_that_is_not_finite_is_not_saved(void **state) {
  (void)state;
  weft_model *model = sheet(4, "tshirt", WEFT_PIN_CORNERS);
  weft_solver *solver = rig_solver(model, NULL, weft_backend_ref());
  const vec4 nowhere = {NAN, 0, 0, 1};
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, 5, 1, &nowhere);
  void *bytes = solver;
  size_t size = 1;
  weft_error err = {0};
  assert_int_equal(weft_solver_save(solver, &bytes, &size, &err), WEFT_ERROR_NOT_FINITE);
  assert_true(bytes == NULL && size == 0 && strstr(err.message, "infinite or NaN"));
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* ---- what is hidden in it ---- */

typedef struct hidden {
  const char *name;
  weft_params params;
  weft_model *model;
} hidden;

static weft_vec3 at(float x, float y, float z) { return (weft_vec3){x, y, z}; }

/* All that a caller can have on its way at once, as far as the solver has it. */
static void lead(weft_solver *solver, const weft_mesh *board, uint32_t frame) {
  const float t = (float)frame / 30;
  if (solver->pinned_count > 0 && frame % 3 != 2) {
    const uint32_t pin = solver->pin_particles[0];
    const weft_vec3 to = at(-0.4f + 0.2f * t, 0.05f * t, 0.5f);
    MUST(weft_solver_move_pins(solver, &pin, &to, 1, E));
  }
  if (solver->soft.count > 0) {
    const weft_vec3 to = at(0.1f * t, 0.2f, 0.1f);
    MUST(weft_solver_move_pins(solver, &solver->soft.items[0].particle, &to, 1, E));
  }
  if (solver->grab.count > 0) MUST(weft_solver_move_grab(solver, at(0.3f, 0.3f + t, 0.2f), E));
  if (solver->params.collider_count > 0) {
    weft_collider c = solver->colliders[0];
    c.a.y = -0.5f + 0.3f * t;
    MUST(weft_solver_place_collider(solver, 0, &c, E));
  }
  if (solver->params.body_count > 0) {
    weft_vec3 *to = malloc(board->vertex_count * sizeof *to);
    for (uint32_t v = 0; v < board->vertex_count; ++v) {
      to[v] = board->positions[v];
      to[v].z += 2.5f * t;
    }
    MUST(weft_solver_move_body(solver, 0, to, E));
    free(to);
  }
}

/* Thrown far enough that positions count from another origin, and begun elsewhere in time. */
static void throw_it(weft_solver *solver) {
  weft_params p = *weft_solver_params(solver);
  p.frame_dt = 0.02f;
  weft_solver *slower = rig_solver(solver->model, &p, solver->backend);
  weft_vec3 v[100];
  for (int i = 0; i < 100; ++i) v[i] = at(15, 0.1f * (float)(i % 7), 0);
  rig_write(slower, NULL, v);
  rig_step(slower, 3);
  MUST(weft_solver_copy_state_from(solver, slower, E));
  assert_true(solver->began != 0);
  weft_solver_destroy(slower);
}

static void prepare(weft_solver *solver) {
  const uint32_t soft[] = {40, 41, 55};
  if (solver->pinned_count == 0) {
    throw_it(solver);
    return;
  }
  if (weft_model_part_count(solver->model) > 1 || solver->params.compensated) return;
  MUST(weft_solver_set_pins(solver, soft, 3, 0.4f, E));
  if (solver->params.grab) MUST(weft_solver_grab(solver, 60, at(0.3f, 0.3f, 0.3f), E));
}

/* What is not in positions and velocities, and can be asked for. */
static void expect_same(weft_solver *a, weft_solver *b) {
  weft_metrics m[2];
  MUST(weft_solver_metrics(a, &m[0], E));
  MUST(weft_solver_metrics(b, &m[1], E));
  assert_int_equal(m[0].body_held, m[1].body_held);
  assert_int_equal(m[0].self_pairs, m[1].self_pairs);
  assert_true(m[0].strain_max == m[1].strain_max);
  assert_true(weft_solver_time(a) == weft_solver_time(b));
  assert_int_equal(a->params.self_room, b->params.self_room);
  assert_memory_equal(&a->origin, &b->origin, sizeof a->origin);
  assert_int_equal(a->still_count, b->still_count);
  assert_int_equal(a->still_since, b->still_since);
  assert_int_equal(a->still_all, b->still_all);
  assert_int_equal(weft_solver_grabbed(a), weft_solver_grabbed(b));
  assert_int_equal(a->soft.count, b->soft.count);
  assert_int_equal(a->shapes.count, b->shapes.count);
  for (uint32_t k = 0; k < a->shapes.count; ++k) {
    assert_int_equal(a->shapes.states[k].awake, b->shapes.states[k].awake);
    assert_true(a->shapes.states[k].fit.size == b->shapes.states[k].fit.size);
    assert_true(a->shapes.states[k].fit.most == b->shapes.states[k].fit.most);
  }
  const uint64_t links = a->buffer_counts[WEFT_BUFFER_DISTANCE];
  float *forces[] = {weft_solver_read_multipliers(a), weft_solver_read_multipliers(b)};
  assert_memory_equal(forces[0], forces[1], links * sizeof(float));
  weft_free(forces[0]);
  weft_free(forces[1]);
}

static void what_is_hidden_comes_back(void **state) {
  (void)state;
  weft_model *model = sheet(10, "tshirt", WEFT_PIN_CORNERS);
  const weft_model *const three[] = {model, model, model};
  weft_model *joined = NULL, *loose = sheet(10, "tshirt", WEFT_PIN_NONE);
  MUST(weft_model_join(three, 3, &joined, E));
  weft_mesh board =
      rig_grid(&(weft_grid_desc){.rows = 4, .columns = 4, .centre = {0, -0.1f, -0.2f}});
  const weft_body body = {.mesh = &board, .friction_static = 0.5f, .friction_dynamic = 0.4f};
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE,
                              .radius = 0.2f,
                              .a = {0, -0.5f, 0},
                              .friction_static = 0.5f,
                              .friction_dynamic = 0.4f};
  const weft_params plain = {.substeps = 6,
                             .keep_multipliers = true,
                             .grab = true,
                             .grab_patch = 6,
                             .colliders = &ball,
                             .collider_count = 1,
                             .wind = {2, 0, 1},
                             .gust = 0.5f,
                             .air_density = 1.2f};
  weft_params patches = plain, both = plain, pairs = plain, parts = plain, thrown = plain;
  patches.schedule = WEFT_SCHEDULE_PATCHES;
  both.self_collision = true;
  both.self_static = 0.5f;
  both.bodies = &body;
  both.body_count = 1;
  both.self_room = 1;
  thrown.collider_count = 0;
  thrown.air_density = 0;
  pairs.compensated = true;
  parts.grab = false;
  parts.self_collision = true;
  const hidden all[] = {{"plain", plain, model},
                        {"patches", patches, model},
                        {"self-collision and a body", both, model},
                        {"compensated", pairs, model},
                        {"joined", parts, joined},
                        {"thrown", thrown, loose}};
  const weft_backend *on[] = {weft_backend_ref(), weft_backend_cpu(1), weft_backend_cpu(2)};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    for (int b = 0; b < 3; ++b) {
      weft_solver *solver = rig_solver(all[i].model, &all[i].params, on[b]);
      prepare(solver);
      for (uint32_t f = 0; f < 20; ++f) {
        lead(solver, &board, f);
        rig_step(solver, 1);
      }
      lead(solver, &board, 20);
      solver->still_count = 3, solver->still_since = 7, solver->still_all = true;
      const saved s = save(solver);
      weft_metrics seen;
      MUST(weft_solver_metrics(solver, &seen, E));
      assert_true(all[i].model != loose || solver->origin.x > 1);
      assert_true(!all[i].params.bodies || (seen.body_held > 0 && solver->params.self_room > 1));
      weft_solver *other = rig_solver(all[i].model, &all[i].params, on[(b + 1) % 3]);
      MUST(weft_solver_load(other, s.bytes, s.size, E));
      expect_same(solver, other);
      const saved again = save(other);
      if (!all[i].params.self_collision) { /* whose list comes in any order */
        assert_int_equal(again.size, s.size);
        assert_memory_equal(again.bytes, s.bytes, s.size);
      }
      for (uint32_t f = 20; f < 40; ++f) {
        if (f > 20) lead(solver, &board, f);
        if (f > 20) lead(other, &board, f);
        rig_step(solver, 1);
        rig_step(other, 1);
        if (rig_hash(solver) != rig_hash(other)) fail_msg("%s, frame %u", all[i].name, f);
      }
      expect_same(solver, other);
      weft_free(s.bytes);
      weft_free(again.bytes);
      weft_solver_destroy(other);
      weft_solver_destroy(solver);
    }
  }
  weft_mesh_free(&board);
  weft_model_destroy(loose);
  weft_model_destroy(joined);
  weft_model_destroy(model);
}

/* Positions and velocities of doubles come back as floats. */
static void doubles_come_back_as_floats(void **state) {
  (void)state;
  weft_model *model = sheet(8, "tshirt", WEFT_PIN_CORNERS);
  const weft_params p = {.substeps = 8};
  weft_solver *solver = rig_solver(model, &p, weft_backend_f64()),
              *other = rig_solver(model, &p, weft_backend_f64());
  rig_step(solver, 10);
  const saved s = save(solver);
  MUST(weft_solver_load(other, s.bytes, s.size, E));
  assert_true(rig_hash(solver) == rig_hash(other)); /* of floats */
  rig_step(solver, 10);
  rig_step(other, 10);
  double a[3 * 64], b[3 * 64], most = 0;
  MUST(weft_solver_read_f64(solver, a, NULL, E));
  MUST(weft_solver_read_f64(other, b, NULL, E));
  for (int k = 0; k < 3 * 64; ++k) most = fmax(most, fabs(a[k] - b[k]));
  assert_true(most > 0 && most < 1e-6);
  weft_free(s.bytes);
  weft_solver_destroy(solver);
  weft_solver_destroy(other);
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_layout_is_the_same_on_every_machine),
      cmocka_unit_test(broken_bytes_are_refused),
      cmocka_unit_test(numbers_that_no_state_has_are_refused),
      cmocka_unit_test(pairs_of_particles_that_are_not_there_are_refused),
      cmocka_unit_test(states_of_other_solvers_are_refused),
      cmocka_unit_test(a_state_that_is_not_finite_is_not_saved),
      cmocka_unit_test(what_is_hidden_comes_back),
      cmocka_unit_test(doubles_come_back_as_floats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
