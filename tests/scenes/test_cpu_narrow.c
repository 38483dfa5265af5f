/* Narrow strips: numbers of constraints as 16 bits that are added to those of the least. */
#include <string.h>

#include "cpu.h"
#include "plan.h"
#include "rig_scene.h"
#include "solver.h"

/* What a test does with the numbers of a pair before cloth moves. */
typedef uint32_t change_bits(uint32_t row, uint32_t bits);

static uint32_t unchanged(uint32_t row, uint32_t bits) {
  (void)row;
  return bits;
}
/* As far as 16 bits reach, one further, and further still, in places a vector, a strip and many
 * strips apart. */
static uint32_t at_the_limit(uint32_t row, uint32_t bits) {
  return row % 7 == 3 ? bits / 0x10000 * 0x10000 + 0xffff : bits / 0x10000 * 0x10000;
}
static uint32_t past_the_limit(uint32_t row, uint32_t bits) {
  return bits / 0x10000 * 0x10000 + (row / 500 % 3 == 1 && row % 7 == 3 ? 0x10000 : 0);
}
static uint32_t anywhere(uint32_t row, uint32_t bits) {
  return row % 97 == 5 ? bits + 0x800000 : row % 1001 == 7 ? bits - 0x54321 : bits;
}
static change_bits *const changes[] = {unchanged, at_the_limit, past_the_limit, anywhere};
enum { CHANGES = sizeof changes / sizeof changes[0] };

static void change_rests(weft_solver *solver, change_bits *change) {
  uint64_t count = weft_solver_buffer_count(solver, WEFT_BUFFER_DISTANCE);
  weft_pair_element *rows = weft_alloc((size_t)count, sizeof *rows);
  weft_solver_read_buffer(solver, WEFT_BUFFER_DISTANCE, 0, count, rows);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t bits;
    memcpy(&bits, &rows[i].rest, sizeof bits);
    bits = change(i, bits);
    memcpy(&rows[i].rest, &bits, sizeof bits);
  }
  weft_solver_write_buffer(solver, WEFT_BUFFER_DISTANCE, 0, count, rows);
  weft_free(rows);
}

static uint64_t hash_after(weft_scene_instance *s, const weft_backend *backend,
                           change_bits *change) {
  weft_solver *solver = rig_guarded(s->model, &s->params, backend, 256);
  change_rests(solver, change);
  for (int f = 0; f < 2; ++f) assert_int_equal(weft_scene_step(s, solver, NULL), WEFT_OK);
  uint64_t hash = rig_hash(solver);
  weft_solver_destroy(solver);
  return hash;
}

static void check_scene(const char *name, change_bits *change) {
  weft_scene_instance s = rig_scene(name, 150);
  s.params.substeps = 4;
  s.params.self_collision = false;
  uint64_t expected = hash_after(&s, weft_backend_ref(), change);
  for (uint32_t lanes = 4; lanes <= 16; lanes *= 2) {
    weft_cpu_desc desc = {.threads = lanes == 8 ? 1 : 2,
                          .lanes = weft_lanes_usable(lanes),
                          .tile = lanes == 4 ? 0 : 5000,
                          .exactly = true,
                          .narrow = true};
    if (!desc.lanes) continue;
    weft_backend cpu = weft_cpu_backend_of(&desc);
    if (hash_after(&s, &cpu, change) != expected) {
      fail_msg("%s: narrow strips of %u lanes differ from ref", name, lanes);
    }
  }
  weft_scene_free(&s);
}

static void narrow_strips_have_the_reference_s_bits(void **state) {
  (void)state;
  for (uint32_t k = 0; k < CHANGES; ++k) check_scene("hanging", changes[k]);
  check_scene("drape", unchanged);
}

/* ---- what is narrow ---- */

typedef struct packed {
  uint64_t narrow, all; /* constraints in strips */
  size_t words;
} packed;

static void count_strips(const weft_cpu_plan *plan, const weft_cpu_part *part,
                         const weft_cpu_item *item, uint32_t lanes, packed *sum) {
  const uint32_t *strip = part->words + item->at;
  uint32_t values = plan->passes[item->pass].kind == WEFT_PASS_PROJECT_DISTANCE ? 2 : 4;
  for (uint32_t s = 0; s < item->count; ++s) {
    bool narrow = strip[WEFT_STRIP_NARROW];
    uint32_t constraints = (strip[WEFT_STRIP_VECTORS] - 1) * lanes + strip[WEFT_STRIP_LAST];
    sum->all += constraints;
    if (narrow) sum->narrow += constraints;
    strip +=
        weft_strip_head(values) + strip[WEFT_STRIP_VECTORS] * values * lanes / (narrow ? 2 : 1);
  }
}

static packed packed_of(const weft_cpu_plan *plan, uint32_t lanes) {
  packed sum = {0};
  for (size_t p = 0; p < plan->part_count; ++p) {
    const weft_cpu_part *part = &plan->parts[p];
    sum.words += part->word_count;
    assert_int_equal(part->word_capacity, part->word_count);
    for (size_t i = part->first; i < part->first + part->count; ++i) {
      const weft_cpu_item *item = &plan->items[i];
      if (item->kind != WEFT_CPU_PROJECT || item->layout != WEFT_UNIT) continue;
      count_strips(plan, part, item, lanes, &sum);
    }
  }
  return sum;
}

/* The plan of a substep of a sheet. */
static packed plan_sheet(const weft_scene_instance *s, bool narrow) {
  weft_params params;
  weft_contents contents;
  weft_memory memory;
  weft_pass_list list = {0};
  assert_int_equal(weft_params_resolve(&s->params, &params, NULL), WEFT_OK);
  assert_int_equal(weft_solver_contents(s->model, &params, &contents, NULL), WEFT_OK);
  weft_memory_create(&memory, &contents, 0);
  weft_solver_pass_list(s->model, &params, &contents, &list);
  weft_halves halves = {.x = NULL, .half = 40000, .component = 100000};
  weft_plan_desc desc = {.memory = &memory,
                         .lanes = weft_lanes_4(),
                         .halves = &halves,
                         .members = 2,
                         .exactly = true,
                         .narrow = narrow,
                         .tile = 5000};
  weft_cpu_plan plan;
  weft_plan_build(&desc, list.items, (uint32_t)list.count, &plan);
  packed sum = packed_of(&plan, 4);
  weft_plan_free(&plan);
  weft_free(list.items);
  weft_memory_destroy(&memory);
  weft_contents_free(&contents);
  return sum;
}

/* Of a sheet in one piece all but what is near its border. */
static void nearly_all_of_a_sheet_is_narrow(void **state) {
  (void)state;
  weft_scene_instance s = rig_scene("hanging", 250);
  packed wide = plan_sheet(&s, false), narrow = plan_sheet(&s, true);
  assert_int_equal(wide.narrow, 0);
  assert_int_equal(wide.all, narrow.all);
  assert_true((double)narrow.narrow > 0.9 * (double)narrow.all);
  assert_true((double)narrow.words < 0.62 * (double)wide.words);
  weft_scene_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(narrow_strips_have_the_reference_s_bits),
      cmocka_unit_test(nearly_all_of_a_sheet_is_narrow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
