/* Positions, those before and velocities that stay split from substep to substep: which chains of
 * passes leave them so, and that nobody who looks or writes in between can tell. */
#include "cpu.h"
#include "lanes_wide.h"
#include "plan.h"
#include "rig_scene.h"

static const weft_buffer_id kept[] = {WEFT_BUFFER_X, WEFT_BUFFER_X_PREV, WEFT_BUFFER_V};
enum { KEPT = 3 };

/* ---- looking and writing ---- */

/* The same solver twice, on the reference and on cpu. */
typedef struct twins {
  weft_solver *solvers[2];
  vec4 *rows[2];
  uint32_t particles;
  weft_rng rng;
  bool leads; /* pins */
} twins;

static void open_twins(twins *t, const weft_scene_instance *s, const weft_params *params,
                       const weft_backend *cpu) {
  *t = (twins){.particles = s->model->particle_count, .rng = weft_rng_seed(29)};
  t->solvers[0] = rig_guarded(s->model, params, weft_backend_ref(), 256);
  t->solvers[1] = rig_guarded(s->model, params, cpu, 256);
  for (int k = 0; k < 2; ++k) t->rows[k] = weft_alloc(t->particles, sizeof(vec4));
}

static void close_twins(twins *t) {
  for (int k = 0; k < 2; ++k) {
    const weft_backend *backend = t->solvers[k]->backend;
    assert_int_equal(backend->broken_guard(t->solvers[k]->instance), WEFT_BUFFER_COUNT);
    weft_solver_destroy(t->solvers[k]);
    weft_free(t->rows[k]);
  }
}

/* Multipliers of lines, and nodes of levels. */
static void compare_scratch(twins *t, weft_buffer_id id, size_t stride, const char *what) {
  uint64_t count = weft_solver_buffer_count(t->solvers[0], id);
  char *bytes[2];
  for (int k = 0; k < 2; ++k) {
    bytes[k] = weft_alloc(count + 1, stride);
    if (count) weft_solver_read_buffer(t->solvers[k], id, 0, count, bytes[k]);
  }
  for (uint64_t i = 0; i < count; ++i) {
    if (memcmp(bytes[0] + i * stride, bytes[1] + i * stride, stride) == 0) continue;
    fail_msg("%s: element %llu of buffer %u differs", what, (unsigned long long)i, id);
  }
  for (int k = 0; k < 2; ++k) weft_free(bytes[k]);
}

/* All four numbers of a row. */
static void compare(twins *t, weft_buffer_id id, const char *what) {
  for (int k = 0; k < 2; ++k) {
    weft_solver_read_buffer(t->solvers[k], id, 0, t->particles, t->rows[k]);
  }
  for (uint32_t i = 0; i < t->particles; ++i) {
    const vec4 *a = &t->rows[0][i], *b = &t->rows[1][i];
    if (memcmp(a, b, sizeof *a) == 0) continue;
    fail_msg("%s: row %u of buffer %u is %a %a %a %a, the reference's %a %a %a %a", what, i, id,
             (double)b->x, (double)b->y, (double)b->z, (double)b->w, (double)a->x, (double)a->y,
             (double)a->z, (double)a->w);
  }
}

/* Some rows in the middle get other numbers, the fourth among them: of a position that is an
 * inverse mass, which is 0 at times. */
static void change(twins *t, weft_buffer_id id) {
  uint32_t first = weft_rng_u32(&t->rng) % (t->particles - 40);
  vec4 rows[40];
  weft_solver_read_buffer(t->solvers[0], id, first, 40, rows);
  for (int k = 0; k < 40; ++k) {
    rows[k].x += weft_rng_float(&t->rng, -1e-3f, 1e-3f);
    if (id != WEFT_BUFFER_X) rows[k].w = weft_rng_float(&t->rng, -1, 1);
    if (id == WEFT_BUFFER_X && k % 20 == 3) rows[k].w = rows[k].w > 0 ? 0 : 100;
  }
  for (int k = 0; k < 2; ++k) weft_solver_write_buffer(t->solvers[k], id, first, 40, rows);
}

/* Now and then a buffer is read, or read and written. */
static void detection(twins *t, const char *what) {
  weft_buffer_id id = kept[weft_rng_u32(&t->rng) % KEPT];
  switch (weft_rng_u32(&t->rng) % 16) {
    case 0:
    case 1:
      compare(t, id, what);
      break;
    case 2:
      change(t, id);
      break;
    default:
      break;
  }
}

/* Flat about the floor, or at the height it has, and thrown: so fast
 * down that shapes sweep it. */
static void scatter_rows(twins *t, bool on_floor) {
  for (int b = 0; b < KEPT; ++b) {
    weft_solver_read_buffer(t->solvers[0], kept[b], 0, t->particles, t->rows[0]);
    for (uint32_t i = 0; i < t->particles; ++i) {
      vec4 *row = &t->rows[0][i];
      row->x += weft_rng_float(&t->rng, -1e-3f, 1e-3f);
      row->z += weft_rng_float(&t->rng, -1e-3f, 1e-3f);
      if (kept[b] == WEFT_BUFFER_V) row->y = weft_rng_float(&t->rng, -2, 2) - (on_floor ? 0 : 60);
      if (kept[b] == WEFT_BUFFER_X && on_floor) row->y = weft_rng_float(&t->rng, -0.01f, 0.02f);
    }
    for (int k = 0; k < 2; ++k) {
      weft_solver_write_buffer(t->solvers[k], kept[b], 0, t->particles, t->rows[0]);
    }
  }
}

/* Some of the pins go somewhere near. */
static void lead_pins(twins *t) {
  uint32_t pins = t->solvers[0]->pinned_count, count = 0, particles[64];
  weft_vec3 targets[64];
  const uint32_t *pinned = t->solvers[0]->pin_particles;
  vec4 row;
  for (uint32_t k = weft_rng_u32(&t->rng) % 3; k < pins && count < 64; k += 3) {
    weft_solver_read_buffer(t->solvers[0], WEFT_BUFFER_X, pinned[k], 1, &row);
    particles[count] = pinned[k];
    targets[count++] = (weft_vec3){row.x + weft_rng_float(&t->rng, -1e-2f, 1e-2f),
                                   row.y + weft_rng_float(&t->rng, -1e-2f, 1e-2f), row.z};
  }
  for (int k = 0; k < 2 && count; ++k) {
    weft_error err = {0};
    if (weft_solver_move_pins(t->solvers[k], particles, targets, count, &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
  }
}

static void run_looking(twins *t, uint32_t frames, const char *what) {
  for (uint32_t f = 0; f < frames; ++f) {
    if (t->leads && f % 3 != 2) lead_pins(t);
    for (int k = 0; k < 2; ++k) weft_solver_begin_frame(t->solvers[k]);
    uint32_t substeps = weft_solver_params(t->solvers[0])->substeps;
    for (uint32_t s = 0; s < substeps; ++s) {
      for (size_t p = 0; p < t->solvers[0]->passes.count; ++p) {
        for (int k = 0; k < 2; ++k) {
          weft_solver_run_pass(t->solvers[k], &t->solvers[k]->passes.items[p], s);
        }
        bool ends = p + 1 == t->solvers[0]->passes.count;
        bool lra = t->solvers[0]->passes.items[p].kind == WEFT_PASS_LRA;
        if (lra && s % 2) compare(t, WEFT_BUFFER_X, what);
        if (ends || weft_rng_u32(&t->rng) % 8 == 0) detection(t, what);
      }
    }
    for (int k = 0; k < 2; ++k) weft_solver_end_frame(t->solvers[k]);
  }
  for (int b = 0; b < KEPT; ++b) compare(t, kept[b], what);
  compare_scratch(t, WEFT_BUFFER_LINE_LAMBDA, sizeof(float), what);
  compare_scratch(t, WEFT_BUFFER_LEVEL_X, sizeof(vec4), what);
  compare_scratch(t, WEFT_BUFFER_LEVEL_BASE, sizeof(vec4), what);
}

/* Whether lines held bends. */
static bool check_looking(const char *name, uint32_t size, const weft_params *change_to,
                          uint32_t frames, uint32_t way) {
  /* So firm that hinges lose bending on any cells here. */
  static const float firm[] = {-1, -1, 10};
  bool bends = false;
  static const uint32_t lanes[] = {16, 8, 4};
  /* Whole edges, so that neighbours have anchors in a row; the last one is in the last tile. */
  uint32_t edge[256];
  for (uint32_t k = 0; k < size; ++k) edge[k] = (size - 1) * size + k;
  const weft_pin pins[] = {{.rule = WEFT_PIN_LIST, .list = edge, .list_count = size},
                           {.rule = WEFT_PIN_TOP}};
  const weft_scene_options options = {
      .size = size,
      .seed = 1,
      .pins = &pins[way / 2 % 2],
      .pin_count = way / 2 % 3 > 0,
      .compliance = change_to->line_sweeps && way % 5 < 3 ? firm : NULL};
  weft_scene_instance s = rig_scene_of(weft_scene_find(name), &options);
  weft_params params = s.params;
  params.self_collision = false;
  params.substeps = 4;
  params.iterations = change_to->iterations;
  params.line_sweeps = change_to->line_sweeps;
  params.multilevel = change_to->multilevel;
  /* Multipliers do not stay split; lines need the other method. */
  params.method = params.line_sweeps ? WEFT_METHOD_XPBD : WEFT_METHOD_PBD;
  params.collide_each_iteration = change_to->collide_each_iteration;
  params.lra = change_to->lra;
  weft_cpu_desc desc = {.threads = 1 + way % 3,
                        .lanes = way % 4 == 3 ? lanes_wide() : weft_lanes_usable(lanes[way % 4]),
                        .tile = way % 2 ? 5000 : 150,
                        .exactly = true};
  if (desc.lanes) {
    weft_backend cpu = weft_cpu_backend_of(&desc);
    twins t;
    char what[128];
    snprintf(what, sizeof what, "%s %u, %u iterations, %s, %u threads", name, size,
             params.iterations, desc.lanes->name, desc.threads);
    open_twins(&t, &s, &params, &cpu);
    t.leads = way % 4 == 1;
    scatter_rows(&t, way % 2 == 0);
    run_looking(&t, frames, what);
    bends = weft_solver_buffer_count(t.solvers[1], WEFT_BUFFER_LINE_BENDS) > 0;
    close_twins(&t);
  }
  weft_scene_free(&s);
  return bends;
}

static void who_looks_or_writes_sees_rows(void **state) {
  (void)state;
  static const char *const names[] = {"hanging", "drape"};
  static const uint32_t sizes[] = {21, 38, 64};
  for (uint32_t way = 0; way < 24; ++way) {
    weft_params params = {.iterations = 1 + way / 2 % 3,
                          .collide_each_iteration = way % 5 < 3,
                          .lra = way % 5 == 4 ? 2 : 0};
    check_looking(names[way / 12], sizes[way % 3], &params, 6, way);
  }
  /* Large enough for threads to make the rows; not a multiple of a vector. */
  check_looking("hanging", 131, &(weft_params){.iterations = 1}, 1, 1);
}

/* Lines that fill vectors side by side and along, of one line a bundle and of several, and such as
 * fill none, with bends and without; levels whose strips end within a vector. */
static void levels_lines_and_attachments_see_rows(void **state) {
  (void)state;
  uint32_t small = 0, large = 0;
  static const uint32_t sizes[] = {21, 38, 64, 67, 131, 256};
  for (uint32_t way = 0; way < 24; ++way) {
    weft_params params = {.iterations = 1,
                          .line_sweeps = way / 3 % 3,
                          .multilevel = way % 3 ? WEFT_ALL_LEVELS : 0,
                          .lra = way % 5};
    uint32_t size = sizes[way % 6];
    bool bends = check_looking(way < 18 ? "hanging" : "drape", size, &params, size > 100 ? 1 : 4,
                               way + way / 4);
    *(size < 64 ? &small : &large) += bends;
  }
  print_message("%u small and %u large\n", small, large);
  assert_true(small >= 2 && large >= 4);
  /* Pins that were led, and stand, in a tile that predict comes to after others' attachments. */
  check_looking("hanging", 131, &(weft_params){.iterations = 1, .lra = 2}, 4, 9);
}

/* A plan has work for three threads where two shares lie apart, so what one thread passes over goes
 * on from share to share. Without levels and lines attachments have to hold the cloth. */
static void check_shares(bool held_by_attachments) {
  weft_scene_instance s = rig_scene("hanging", 50);
  weft_params params = s.params;
  weft_error err = {0};
  params.self_collision = false;
  if (held_by_attachments) {
    assert_int_equal(weft_params_resolve(&params, &params, &err), WEFT_OK);
    params.complete = true;
    params.multilevel = params.line_sweeps = 0;
    params.lra = 2;
  }
  const weft_cpu_desc desc = {.threads = 3, .tile = WEFT_CPU_TILE};
  weft_backend cpu = weft_cpu_backend_of(&desc);
  twins t;
  open_twins(&t, &s, &params, &cpu);
  scatter_rows(&t, true);
  run_looking(&t, held_by_attachments ? 12 : 2, "hanging 50, more threads than shares");
  close_twins(&t);
  weft_scene_free(&s);
}

static void a_thread_goes_from_share_to_share(void **state) {
  (void)state;
  check_shares(false);
  check_shares(true);
}

/* ---- shares ---- */

static size_t distance_of(size_t a, size_t b) { return a > b ? a - b : b - a; }

/* No two particles in one place, those of two shares not in one page. */
static void shares_lie_apart(void **state) {
  (void)state;
  enum { PARTICLES = 400, PAGE = 4096 / sizeof(float) };
  const weft_halves halves = {.half = 20000, .component = 50000, .share = 96};
  for (size_t i = 0; i < PARTICLES; ++i) {
    for (size_t k = 0; k < i; ++k) {
      size_t apart = distance_of(weft_halves_place(&halves, i), weft_halves_place(&halves, k));
      assert_in_range(apart, i / 96 == k / 96 ? 1 : PAGE, halves.component);
    }
    size_t together = weft_halves_together(&halves, i, PARTICLES - i);
    assert_true(i + together == PARTICLES || (i + together) % 96 == 0);
  }
}

/* ---- what stays split ---- */

typedef void change_params(weft_params *params);

static void as_it_is(weft_params *params) { (void)params; }
static void twice(weft_params *params) { params->iterations = 2; }
static void twice_without_multipliers(weft_params *params) {
  params->iterations = 2;
  params->method = WEFT_METHOD_PBD;
}
static void with_levels(weft_params *params) { params->multilevel = WEFT_ALL_LEVELS; }
static void with_lines(weft_params *params) { params->line_sweeps = 1; }
static void with_attachments(weft_params *params) { params->lra = 2; }
static void with_all(weft_params *params) {
  with_levels(params);
  with_lines(params);
  with_attachments(params);
}
static void with_air(weft_params *params) { params->air_density = 1.2f; }
static void with_damping(weft_params *params) { params->global_damping = 0.5f; }
static void in_pairs(weft_params *params) { params->compensated = true; }
static void grabbed(weft_params *params) { params->grab = true; }

static const struct {
  const char *name;
  change_params *change;
  bool stays;
} chains[] = {
    {"hanging", as_it_is, true},
    {"drape", as_it_is, true},
    {"hanging", twice, false},
    {"hanging", with_levels, true},
    {"hanging", with_lines, true},
    {"hanging", with_attachments, true},
    {"hanging", with_all, true},
    {"hanging", with_air, false},
    {"hanging", with_damping, false},
    {"hanging", in_pairs, false},
    {"hanging", twice_without_multipliers, true},
    {"hanging", grabbed, false},
    {"skirt", as_it_is, false},
    {"sand", as_it_is, false},
};

/* How many particles the items of a kind pass over. */
static uint32_t count_items(const weft_cpu_plan *plan, weft_cpu_kind kind, weft_pass_kind pass) {
  uint32_t count = 0;
  for (size_t k = 0; k < plan->item_count; ++k) {
    const weft_cpu_item *item = &plan->items[k];
    if (item->kind == kind && plan->passes[item->pass].kind == pass) count += item->count;
  }
  return count;
}

/* Whether an item leaves rows of particles alone; nodes of levels are rows. */
static bool works_on_split(const weft_cpu_item *item, weft_pass_kind pass) {
  bool nodes = pass != WEFT_PASS_LEVEL_GATHER && pass != WEFT_PASS_LEVEL_SPREAD &&
               weft_cpu_is_of_levels(pass);
  if (item->kind == WEFT_CPU_MOVES) return nodes;
  if (item->kind < WEFT_CPU_PROJECT) {
    return item->kind == WEFT_CPU_STAYING || item->kind == WEFT_CPU_SPLIT_MOVES;
  }
  return nodes || item->layout == WEFT_UNIT || item->layout == WEFT_PLACES;
}

/* predict, and collide with update_velocity, once over all particles, and nothing in rows. */
static void check_staying(const weft_cpu_plan *plan, uint32_t particles) {
  assert_int_equal(count_items(plan, WEFT_CPU_STAYING, WEFT_PASS_PREDICT), particles);
  assert_int_equal(count_items(plan, WEFT_CPU_STAYING, WEFT_PASS_COLLIDE), particles);
  assert_int_equal(count_items(plan, WEFT_CPU_STAYING, WEFT_PASS_UPDATE_VELOCITY), 0);
  for (size_t k = 0; k < plan->item_count; ++k) {
    assert_true(works_on_split(&plan->items[k], plan->passes[plan->items[k].pass].kind));
  }
}

static void check_chain(size_t number, uint32_t members, bool pins_move) {
  weft_scene_instance s = rig_scene(chains[number].name, 0);
  weft_params params = s.params, resolved;
  params.self_collision = false;
  chains[number].change(&params);
  weft_contents contents;
  weft_memory memory;
  weft_pass_list list = {0};
  assert_int_equal(weft_params_resolve(&params, &resolved, NULL), WEFT_OK);
  assert_int_equal(weft_solver_contents(s.model, &resolved, &contents, NULL), WEFT_OK);
  weft_memory_create(&memory, &contents, 0);
  weft_solver_pass_list(s.model, &resolved, &contents, &list);
  uint32_t count = 0;
  for (size_t k = 0; k < list.count; ++k) {
    bool moves = list.items[k].kind == WEFT_PASS_MOVE_PINS;
    if (pins_move || !moves) list.items[count++] = list.items[k];
  }
  assert_true(count <= WEFT_FUSED_MAX);
  weft_halves halves = {.half = 40000, .component = 100000};
  weft_plan_desc desc = {.memory = &memory,
                         .lanes = weft_lanes_4(),
                         .halves = &halves,
                         .members = members,
                         .exactly = true,
                         .tile = 500,
                         .may_stay = true};
  weft_cpu_plan plan;
  weft_plan_build(&desc, list.items, count, &plan);
  if (plan.stays != chains[number].stays) {
    fail_msg("chain %zu, %s, stays split: %d", number, chains[number].name, plan.stays);
  }
  if (plan.stays) check_staying(&plan, s.model->particle_count);
  weft_plan_free(&plan);
  weft_free(list.items);
  weft_memory_destroy(&memory);
  weft_contents_free(&contents);
  weft_scene_free(&s);
}

static void only_chains_of_the_cloth_itself_stay_split(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof chains / sizeof *chains; ++k) {
    for (uint32_t way = 0; way < 4; ++way) check_chain(k, 1 + way / 2, way % 2);
  }
}

/* ---- parts of a joined model side by side ---- */

/* Models of one structure and of fabrics that differ, or of one fabric. */
static weft_model *join_parts(const char *name, const weft_scene_options *options, uint32_t parts,
                              bool differ) {
  weft_model *models[20] = {NULL}, *joined = NULL;
  weft_error err = {0};
  for (uint32_t p = 0; p < parts; ++p) {
    weft_scene_options own = *options;
    const float compliance[3] = {1e-6f * (float)(1 + p % 7), -1, -1};
    if (differ) own.compliance = compliance;
    weft_scene_instance s = rig_scene_of(weft_scene_find(name), &own);
    models[p] = s.model;
    s.model = NULL;
    weft_scene_free(&s);
  }
  if (weft_model_join((const weft_model *const *)models, parts, &joined, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  for (uint32_t p = 0; p < parts; ++p) weft_model_destroy(models[p]);
  return joined;
}

typedef struct crowd_case {
  const char *name;
  uint32_t size, parts;
  weft_bending bending;
  weft_params change;
} crowd_case;

/* Nobody looks before all substeps have been asked for; colliders move, and pins may. */
static void run_whole_frames(twins *t, uint32_t frames) {
  for (uint32_t f = 0; f < frames; ++f) {
    weft_vec3 offset = {0.01f * (float)f, 0.02f * (float)(f + 1), 0.01f};
    if (t->leads) lead_pins(t);
    for (int k = 0; k < 2; ++k) {
      for (uint32_t c = 0; c < weft_solver_params(t->solvers[k])->collider_count; ++c) {
        assert_int_equal(weft_solver_move_collider(t->solvers[k], c, offset, NULL), WEFT_OK);
      }
      rig_step(t->solvers[k], 1);
    }
  }
}

static void check_crowd(const crowd_case *c, uint32_t way) {
  static const uint32_t lanes[] = {16, 8, 4};
  const weft_pin top = {.rule = WEFT_PIN_TOP};
  const weft_scene_options options = {.size = c->size,
                                      .seed = 1,
                                      .bending = c->bending,
                                      .bending_set = true,
                                      .pins = &top,
                                      .pin_count = way / 2 % 2};
  weft_scene_instance s = rig_scene_of(weft_scene_find(c->name), &options);
  weft_model_destroy(s.model);
  s.model = join_parts(c->name, &options, c->parts, way % 2);
  weft_params params = s.params;
  params.self_collision = false;
  params.substeps = 4;
  params.method = c->change.method;
  params.iterations = c->change.iterations;
  params.line_sweeps = c->change.line_sweeps;
  params.multilevel = c->change.multilevel;
  params.lra = c->change.lra;
  params.air_density = c->change.air_density;
  params.wind = c->change.wind;
  weft_cpu_desc desc = {.threads = 1 + way % 3,
                        .lanes = way % 4 == 3 ? lanes_wide() : weft_lanes_usable(lanes[way % 4]),
                        .tile = 5000,
                        .exactly = true};
  if (desc.lanes) {
    weft_backend cpu = weft_cpu_backend_of(&desc);
    twins t;
    char what[128];
    snprintf(what, sizeof what, "%u times %s %u, %s, %u threads, way %u", c->parts, c->name,
             c->size, desc.lanes->name, desc.threads, way);
    open_twins(&t, &s, &params, &cpu);
    t.leads = way % 4 == 1;
    scatter_rows(&t, way % 3 == 0);
    run_looking(&t, 4, what);
    run_whole_frames(&t, 3);
    for (int b = 0; b < KEPT; ++b) compare(&t, kept[b], what);
    close_twins(&t);
  }
  weft_scene_free(&s);
}

static void parts_side_by_side_go_as_on_the_reference(void **state) {
  (void)state;
  static const weft_params plain = {.iterations = 1};
  const weft_params ways[] = {
      plain,
      {.iterations = 1, .lra = 2},
      {.iterations = 1, .line_sweeps = 2, .lra = 1},
      {.iterations = 2, .method = WEFT_METHOD_PBD},
      {.iterations = 1, .multilevel = WEFT_ALL_LEVELS},
      {.iterations = 1, .air_density = 1.2f, .wind = {1, 0, 4}},
  };
  static const uint32_t parts[] = {1, 3, 17, 2};
  static const struct {
    const char *name;
    uint32_t size;
    weft_bending bending;
  } scenes[] = {{"hanging", 9, WEFT_BENDING_ISOMETRIC},
                {"drape", 12, WEFT_BENDING_ISOMETRIC},
                {"hanging", 7, WEFT_BENDING_DIHEDRAL},
                {"skirt", 8, WEFT_BENDING_DIHEDRAL}};
  for (uint32_t way = 0; way < 48; ++way) {
    uint32_t scene = way / 6 % 4;
    const crowd_case c = {scenes[scene].name, scenes[scene].size, parts[(way + way / 4) % 4],
                          scenes[scene].bending, ways[way % 6]};
    check_crowd(&c, way + way / 12);
  }
}

/* Passes that all can, in one phase; blocks of one fabric share their words. */
static void check_crowd_plan(change_params *with, bool differ, bool crowds) {
  enum { PARTS = 9 };
  const weft_scene_options options = {.size = 8, .seed = 1};
  weft_scene_instance s = rig_scene("hanging", 8);
  weft_model *joined = join_parts("hanging", &options, PARTS, differ);
  weft_params params = s.params, resolved;
  with(&params);
  weft_contents contents;
  weft_memory memory;
  weft_pass_list list = {0};
  assert_int_equal(weft_params_resolve(&params, &resolved, NULL), WEFT_OK);
  assert_int_equal(weft_solver_contents(joined, &resolved, &contents, NULL), WEFT_OK);
  weft_memory_create(&memory, &contents, 0);
  weft_solver_pass_list(joined, &resolved, &contents, &list);
  const weft_crowd crowd = weft_crowd_of(PARTS, joined->particle_count / PARTS, 4);
  weft_plan_desc desc = {.memory = &memory,
                         .lanes = weft_lanes_4(),
                         .members = 2,
                         .tile = WEFT_CPU_TILE,
                         .may_stay = true,
                         .crowd = &crowd};
  uint32_t count = (uint32_t)list.count;
  assert_int_equal(weft_plan_can_crowd(&crowd, desc.lanes, list.items, count), crowds);
  if (crowds) {
    weft_cpu_plan plan;
    weft_plan_build(&desc, list.items, count, &plan);
    assert_true(plan.crowd && plan.stays && plan.phase_count == 1 && plan.part_count == 3);
    assert_int_equal(plan.parts[1].words == plan.parts[0].words, !differ);
    weft_plan_free(&plan);
  }
  weft_free(list.items);
  weft_memory_destroy(&memory);
  weft_contents_free(&contents);
  weft_model_destroy(joined);
  weft_scene_free(&s);
}

static void passes_that_know_parts_take_them_side_by_side(void **state) {
  (void)state;
  check_crowd_plan(as_it_is, false, true);
  check_crowd_plan(as_it_is, true, true);
  check_crowd_plan(with_attachments, false, true);
  check_crowd_plan(with_lines, false, true);
  check_crowd_plan(with_levels, false, false);
  check_crowd_plan(with_air, false, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_looks_or_writes_sees_rows),
      cmocka_unit_test(levels_lines_and_attachments_see_rows),
      cmocka_unit_test(a_thread_goes_from_share_to_share),
      cmocka_unit_test(shares_lie_apart),
      cmocka_unit_test(only_chains_of_the_cloth_itself_stay_split),
      cmocka_unit_test(parts_side_by_side_go_as_on_the_reference),
      cmocka_unit_test(passes_that_know_parts_take_them_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
