/* Slots: constraints off the grid that leave particles where they were computed (slots.h). */
#include <math.h>
#include <string.h>

#include "cpu.h"
#include "lanes_wide.h"
#include "plan.h"
#include "rig_scene.h"
#include "slots.h"
#include "solver.h"

enum { WIDTHS = 3, NOBODY = 0xffffffff };

static const weft_lanes *lanes_at(uint32_t k) {
  const weft_lanes *of[WIDTHS] = {weft_lanes_usable(8), weft_lanes_usable(16), lanes_wide()};
  return of[k];
}

/* ---- bits ---- */

/* Off the plane and off rest; here and there a number so small that care is needed, two particles
 * in one place, and one that is none. */
static void crumple(weft_solver *solver) {
  uint32_t n = solver->model->particle_count;
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  weft_rng rng = weft_rng_seed(5);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 noise =
        weft_v3(weft_rng_float(&rng, -2e-3f, 2e-3f), weft_rng_float(&rng, -2e-3f, 2e-3f),
                weft_rng_float(&rng, -2e-3f, 2e-3f));
    x[i] = weft_v3_add(solver->model->rest_positions[i], noise);
    if (i % 41 == 7) x[i].y = 1e-14f;
    if (i % 97 == 3) x[i] = x[i - 1];
  }
  assert_int_equal(weft_solver_write(solver, x, NULL, NULL), WEFT_OK);
  weft_free(x);
}

static void check_scene(weft_scene_instance *s, bool crumpled) {
  static const uint32_t tiles[] = {60, 700, WEFT_CPU_TILE};
  s->params.substeps = 4;
  s->params.self_collision = false;
  uint64_t expected =
      rig_scene_hash(s, &s->params, weft_backend_ref(), 2, crumpled ? crumple : NULL);
  for (uint32_t k = 0; k < WIDTHS * 3; ++k) {
    weft_cpu_desc desc = {.threads = 1,
                          .lanes = lanes_at(k % WIDTHS),
                          .no_split = true,
                          .tile = tiles[k / WIDTHS],
                          .exactly = true};
    if (!desc.lanes) continue;
    weft_backend cpu = weft_cpu_backend_of(&desc);
    if (rig_scene_hash(s, &s->params, &cpu, 2, crumpled ? crumple : NULL) != expected) {
      fail_msg("%s, crumpled %d: %s in tiles of %u differ from ref", s->name, crumpled,
               desc.lanes->name, desc.tile);
    }
  }
}

/* A sheet that is flat in a coordinate plane takes the careful path everywhere. */
static void constraints_in_slots_have_the_reference_s_bits(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t size;
  } cloths[] = {{"poncho", 31}, {"poncho", 90}, {"hanging", 37}, {"tumble", 20}, {"pleats", 24}};
  for (size_t k = 0; k < sizeof cloths / sizeof *cloths; ++k) {
    weft_scene_instance s = rig_scene(cloths[k].name, cloths[k].size);
    for (int crumpled = 0; crumpled < 2; ++crumpled) {
      for (s.params.iterations = 1; s.params.iterations <= 2; ++s.params.iterations) {
        check_scene(&s, crumpled);
      }
    }
    weft_scene_free(&s);
  }
}

/* Numbers of all sizes below those that need no care, with either sign, and zeros; a flat sheet has
 * hardly any others. */
static void make_small(vec4 *x, uint32_t count, uint32_t rarity, bool flat) {
  weft_rng rng = weft_rng_seed(rarity);
  for (uint32_t i = 1; i < count; ++i) {
    int exponent = -20 - (int)(weft_rng_u32(&rng) % 110);
    float small = ldexpf(weft_rng_float(&rng, -1, 1), exponent);
    if (flat) x[i].y = small;
    if (weft_rng_u32(&rng) % rarity) continue;
    uint32_t kind = weft_rng_u32(&rng) % 4;
    if (kind == 0) x[i].x = small;
    if (kind == 1) x[i].y = x[i - 1].y = small;
    if (kind == 2) x[i].z = small < 0 ? -0.0f : 0.0f;
    if (kind == 3) x[i] = (vec4){small, x[i - 1].x, ldexpf(small, -20), x[i].w};
  }
}

/* What the batches of a kind of constraint, or of all, make of such positions. */
static vec4 *small_rows(const weft_backend *backend, weft_scene_instance *s, uint32_t rarity,
                        bool flat, uint32_t kind) {
  weft_solver *solver = rig_guarded(s->model, &s->params, backend, 256);
  uint32_t n = s->model->particle_count;
  vec4 *rows = weft_alloc(n, sizeof *rows);
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  make_small(rows, n, rarity, flat);
  weft_solver_write_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  for (size_t p = 0; p < solver->passes.count; ++p) {
    const weft_pass *pass = &solver->passes.items[p];
    bool chosen = kind == WEFT_PASS_KIND_COUNT || pass->kind == kind;
    if (chosen && weft_cpu_role_of(pass) == WEFT_CPU_BATCH) backend->run(solver->instance, pass, 0);
  }
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, rows);
  weft_solver_destroy(solver);
  return rows;
}

static void check_small(weft_scene_instance *s, uint32_t rarity, bool flat, uint32_t kind) {
  vec4 *expected = small_rows(weft_backend_ref(), s, rarity, flat, kind);
  for (uint32_t k = 0; k < WIDTHS; ++k) {
    weft_cpu_desc desc = {
        .threads = 1, .lanes = lanes_at(k), .no_split = true, .tile = WEFT_CPU_TILE};
    if (!desc.lanes) continue;
    weft_backend cpu = weft_cpu_backend_of(&desc);
    vec4 *rows = small_rows(&cpu, s, rarity, flat, kind);
    for (uint32_t i = 0; i < s->model->particle_count; ++i) {
      if (memcmp(&rows[i], &expected[i], sizeof *rows) == 0) continue;
      fail_msg("%s, pass %u, one in %u: row %u is %a %a %a, the reference's %a %a %a",
               desc.lanes->name, kind, rarity, i, (double)rows[i].x, (double)rows[i].y,
               (double)rows[i].z, (double)expected[i].x, (double)expected[i].y,
               (double)expected[i].z);
    }
    weft_free(rows);
  }
  weft_free(expected);
}

static void small_numbers_are_taken_care_of_in_slots(void **state) {
  (void)state;
  static const uint32_t rarities[] = {2, 7, 60, 500};
  static const uint32_t kinds[] = {WEFT_PASS_PROJECT_DISTANCE, WEFT_PASS_PROJECT_ISOMETRIC,
                                   WEFT_PASS_KIND_COUNT};
  weft_scene_instance s = rig_scene("poncho", 40);
  for (uint32_t k = 0; k < 4 * 2 * 3; ++k) {
    check_small(&s, rarities[k % 4], k / 4 % 2, kinds[k / 8]);
  }
  weft_scene_free(&s);
}

/* ---- plans ---- */

typedef struct rig {
  weft_scene_instance scene;
  weft_memory memory;
  weft_pass_list list;
  weft_plan_desc desc;
  weft_cpu_plan plan;
} rig;

static void rig_open(rig *r, const char *name, uint32_t size, uint32_t guard) {
  weft_params params;
  weft_contents contents;
  *r = (rig){.scene = rig_scene(name, size)};
  r->scene.params.self_collision = false;
  assert_int_equal(weft_params_resolve(&r->scene.params, &params, NULL), WEFT_OK);
  assert_int_equal(weft_solver_contents(r->scene.model, &params, &contents, NULL), WEFT_OK);
  weft_memory_create(&r->memory, &contents, guard);
  weft_solver_pass_list(r->scene.model, &params, &contents, &r->list);
  weft_contents_free(&contents);
  r->desc = (weft_plan_desc){.memory = &r->memory, .members = 1, .exactly = true, .tile = 500};
}

static void rig_close(rig *r) {
  weft_free(r->list.items);
  weft_memory_destroy(&r->memory);
  weft_scene_free(&r->scene);
}

static uint32_t items_of(const weft_cpu_plan *plan, weft_cpu_kind kind) {
  uint32_t count = 0;
  for (size_t k = 0; k < plan->item_count; ++k) count += plan->items[k].kind == kind;
  return count;
}

static uint32_t items_with(rig *r, const weft_plan_desc *desc, weft_cpu_kind kind) {
  weft_cpu_plan plan;
  weft_plan_build(desc, r->list.items, (uint32_t)r->list.count, &plan);
  uint32_t count = items_of(&plan, kind);
  weft_plan_free(&plan);
  return count;
}

/* What a walk through a plan knows: what lies in each place, in units of a row, and where each
 * particle lies now; the last pass that touched it; the element of a pass that has a particle. */
typedef struct walk {
  rig *r;
  uint32_t particles, places, *lies, *at, *last;
  uint32_t *element_of[WEFT_FUSED_MAX];
  uint64_t seen[WEFT_FUSED_MAX];
} walk;

static walk walk_begin(rig *r) {
  walk w = {.r = r, .particles = r->scene.model->particle_count};
  w.places = (uint32_t)(weft_slots_begin(&r->memory) / sizeof(vec4)) + r->plan.slots;
  w.lies = weft_alloc(w.places, sizeof *w.lies);
  memset(w.lies, 0xff, w.places * sizeof *w.lies);
  w.at = weft_alloc(w.particles, sizeof *w.at);
  w.last = weft_alloc(w.particles, sizeof *w.last);
  for (uint32_t i = 0; i < w.particles; ++i) w.lies[i] = w.at[i] = i;
  for (uint32_t k = 0; k < r->plan.pass_count; ++k) {
    const weft_pass *pass = &r->plan.passes[k];
    if (weft_cpu_role_of(pass) != WEFT_CPU_BATCH) continue;
    w.element_of[k] = weft_alloc(w.particles, sizeof **w.element_of);
    memset(w.element_of[k], 0xff, w.particles * sizeof **w.element_of);
    for (uint32_t e = 0; e < pass->count; ++e) {
      uint32_t q[4];
      weft_plan_particles(&r->memory, pass, e, q);
      w.element_of[k][q[0]] = e;
    }
  }
  return w;
}

static void walk_end(walk *w) {
  for (uint32_t k = 0; k < w->r->plan.pass_count; ++k) weft_free(w->element_of[k]);
  weft_free(w->lies);
  weft_free(w->at);
  weft_free(w->last);
}

static void touch(walk *w, uint32_t particle, uint32_t pass) {
  if (w->last[particle] > pass) fail_msg("pass %u comes late at %u", pass, particle);
  w->last[particle] = pass;
}

/* Who lies in a place, which must be where they were put last. */
static uint32_t read_place(const walk *w, uint32_t bytes) {
  uint32_t place = bytes / (uint32_t)sizeof(vec4);
  assert_true(bytes % sizeof(vec4) == 0 && place < w->places);
  uint32_t particle = w->lies[place];
  if (particle == NOBODY || w->at[particle] != place) fail_msg("nobody lies in place %u", place);
  return particle;
}

static void write_place(walk *w, uint32_t bytes, uint32_t particle) {
  uint32_t place = bytes / (uint32_t)sizeof(vec4);
  assert_true(place < w->places && bytes >= weft_slots_begin(&w->r->memory));
  uint32_t before = w->lies[place];
  if (before != NOBODY && w->at[before] == place) fail_msg("%u is overwritten", before);
  w->lies[place] = particle;
  if (particle != NOBODY) w->at[particle] = place;
}

/* A vector of constraints: `wide` of them, `rows` lines for each of their `arity` places, of which
 * line j has constraints j, j + rows and so on. All read before any writes. */
static void walk_vector(walk *w, uint32_t pass, const uint32_t *words, const uint32_t *lines,
                        uint32_t arity, uint32_t wide, uint32_t rows) {
  uint32_t particles[4][WEFT_LANES_MAX];
  bool again[WEFT_LANES_MAX] = {false};
  for (uint32_t c = 0; c < wide; ++c) {
    uint32_t q[4];
    for (uint32_t a = 0; a < arity; ++a) particles[a][c] = read_place(w, words[a * wide + c]);
    uint32_t element = w->element_of[pass][particles[0][c]];
    assert_int_not_equal(element, NOBODY);
    weft_plan_particles(&w->r->memory, &w->r->plan.passes[pass], element, q);
    for (uint32_t a = 0; a < arity; ++a) assert_int_equal(q[a], particles[a][c]);
    again[c] = c > 0 && particles[0][c] == particles[0][c - 1];
    if (!again[c]) w->seen[pass]++;
    for (uint32_t a = 0; a < arity; ++a) touch(w, q[a], pass);
  }
  for (uint32_t a = 0; a < arity; ++a) { /* who was read lies nowhere */
    for (uint32_t c = 0; c < wide; ++c) w->at[particles[a][c]] = NOBODY;
  }
  for (uint32_t a = 0; a < arity; ++a) {
    for (uint32_t c = 0; c < wide; ++c) {
      uint32_t bytes = lines[a * rows + c % rows] + c / rows * (uint32_t)sizeof(vec4);
      write_place(w, bytes, again[c] ? NOBODY : particles[a][c]);
    }
  }
}

static void walk_constraints(walk *w, const weft_cpu_item *item, const uint32_t *words,
                             uint32_t lanes) {
  bool pairs = w->r->plan.passes[item->pass].kind == WEFT_PASS_PROJECT_DISTANCE;
  uint32_t arity = pairs ? 2 : 4, rows = pairs ? 4 : 1, wide = lanes / 4 * rows;
  uint32_t step = wide * (pairs ? WEFT_EDGE_WORDS : WEFT_ROW_WORDS);
  const uint32_t *lines = words + (size_t)item->count * step;
  for (uint32_t k = 0; k < item->count; ++k, words += step, lines += arity * rows) {
    walk_vector(w, item->pass, words, lines, arity, wide, rows);
  }
}

/* Passes over particles find them in their rows. */
static void walk_particles(walk *w, const weft_cpu_item *item) {
  bool particles = weft_cpu_role_of(&w->r->plan.passes[item->pass]) == WEFT_CPU_PARTICLES;
  for (uint32_t i = item->first; particles && i < item->first + item->count; ++i) {
    assert_int_equal(w->at[i], i);
    touch(w, i, item->pass);
  }
  w->seen[item->pass] += item->count;
}

static void walk_leave(walk *w, const weft_cpu_item *item, const uint32_t *words) {
  for (uint32_t k = 0; k < item->count; ++k) {
    uint32_t particle = item->first + k;
    assert_int_equal(read_place(w, words[k]), particle);
    w->lies[particle] = w->at[particle] = particle;
  }
}

static void walk_part(walk *w, const weft_cpu_part *part) {
  for (size_t k = part->first; k < part->first + part->count; ++k) {
    const weft_cpu_item *item = &w->r->plan.items[k];
    const uint32_t *words = part->words + item->at;
    if (item->kind == WEFT_CPU_SLOTS) walk_constraints(w, item, words, w->r->desc.lanes->lanes);
    if (item->kind == WEFT_CPU_LEAVE_SLOTS) walk_leave(w, item, words);
    if (item->kind == WEFT_CPU_RUN) walk_particles(w, item);
  }
}

static void check_walk(rig *r) {
  walk w = walk_begin(r);
  for (size_t k = 0; k < r->plan.part_count; ++k) walk_part(&w, &r->plan.parts[k]);
  for (uint32_t k = 0; k < r->plan.pass_count; ++k) {
    assert_int_equal(w.seen[k], r->plan.passes[k].count);
  }
  for (uint32_t i = 0; i < w.particles; ++i) assert_int_equal(w.at[i], i);
  walk_end(&w);
}

/* Every constraint reads its particles where they were written last, and nobody is overwritten. */
static void plans_know_where_everybody_lies(void **state) {
  (void)state;
  static const char *const names[] = {"poncho", "hanging", "tumble"};
  for (uint32_t k = 0; k < 3 * WIDTHS; ++k) {
    rig r;
    rig_open(&r, names[k / WIDTHS], 61, k % 2 ? 0 : 256);
    r.desc.lanes = lanes_at(k % WIDTHS);
    r.desc.tile = k % 2 ? 300 : WEFT_CPU_TILE;
    if (r.desc.lanes) {
      weft_plan_build(&r.desc, r.list.items, (uint32_t)r.list.count, &r.plan);
      assert_true(items_of(&r.plan, WEFT_CPU_SLOTS) > 8);
      check_walk(&r);
      weft_plan_free(&r.plan);
    }
    rig_close(&r);
  }
}

/* Lines are used again: there are fewer slots than twice the particles. */
static void slots_are_used_again(void **state) {
  (void)state;
  for (int tiles = 0; tiles < 2; ++tiles) {
    rig r;
    rig_open(&r, "poncho", 90, 0);
    uint32_t particles = r.scene.model->particle_count;
    r.desc.lanes = lanes_wide();
    r.desc.tile = tiles ? 500 : particles;
    weft_plan_build(&r.desc, r.list.items, (uint32_t)r.list.count, &r.plan);
    assert_in_range(r.plan.slots, 1, 2 * particles);

    weft_plan_free(&r.plan);
    rig_close(&r);
  }
}

/* Vectors of one particle, several threads, inequalities, masses out of this world and what no
 * cache holds have none; where bends are dihedral angles, distances alone have. */
static void what_does_not_pay_has_no_slots(void **state) {
  (void)state;
  rig r;
  rig_open(&r, "poncho", 40, 0);
  r.desc.lanes = lanes_wide();
  weft_plan_desc two = r.desc, narrow = r.desc;
  two.members = 2;
  narrow.lanes = weft_lanes_4();
  assert_int_equal(items_with(&r, &two, WEFT_CPU_SLOTS), 0);
  assert_int_equal(items_with(&r, &narrow, WEFT_CPU_SLOTS), 0);
  uint32_t all = items_with(&r, &r.desc, WEFT_CPU_SLOTS);
  assert_true(all > 0);
  for (size_t k = 0; k < r.list.count; ++k) {
    weft_pass *pass = &r.list.items[k];
    if (pass->kind == WEFT_PASS_PROJECT_DISTANCE) pass->acts = WEFT_ACTS_STRETCHED;
  }
  uint32_t bends = items_with(&r, &r.desc, WEFT_CPU_SLOTS);
  assert_in_range(bends, 1, all - 1);
  ((vec4 *)(void *)r.memory.payload[WEFT_BUFFER_X])[100].w = 0x1p50f;
  assert_true(items_with(&r, &r.desc, WEFT_CPU_SLOTS) < bends);
  rig_close(&r);
  rig_open(&r, "poncho", 150, 0);
  r.desc.lanes = lanes_wide();
  assert_int_equal(items_with(&r, &r.desc, WEFT_CPU_SLOTS), 0);
  rig_close(&r);
  rig_open(&r, "skirt", 40, 0);
  r.desc.lanes = lanes_wide();
  weft_plan_build(&r.desc, r.list.items, (uint32_t)r.list.count, &r.plan);
  for (size_t k = 0; k < r.plan.item_count; ++k) {
    if (r.plan.items[k].kind != WEFT_CPU_SLOTS) continue;
    assert_int_equal(r.plan.passes[r.plan.items[k].pass].kind, WEFT_PASS_PROJECT_DISTANCE);
  }
  assert_true(items_of(&r.plan, WEFT_CPU_SLOTS) > 0);
  weft_plan_free(&r.plan);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constraints_in_slots_have_the_reference_s_bits),
      cmocka_unit_test(small_numbers_are_taken_care_of_in_slots),
      cmocka_unit_test(plans_know_where_everybody_lies),
      cmocka_unit_test(slots_are_used_again),
      cmocka_unit_test(what_does_not_pay_has_no_slots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
