/* change.c: what changes in a solver between two frames. A few numbers are written at once. For all
 * else a second solver is made, inherits the state, and takes the place of the first: what the
 * caller holds stays the same solver. */
#include <weft/change.h>

#include <math.h>
#include <string.h>

#include "exact.h"
#include "left.h"
#include "param.h"
#include "refill.h"
#include "solver.h"

/* ---- new tables ----
 *
 * Functions here guard memory as those do that only look: what they make is another solver, and
 * where memory runs out for that, this one is as before. */

typedef struct change {
  const weft_model *model;
  weft_model *own_model; /* the solver's from now on; NULL: the model is the caller's */
  weft_params params;
  weft_heritage of;
  bool as_it_lies; /* what intersects in the state now, and not at the start, is not kept apart */
} change;

weft_heritage weft_heritage_of(const weft_solver *solver) {
  weft_heritage of = weft_heritage_of_none();
  for (uint32_t b = 0; b < solver->params.body_count; ++b) of.bodies[b] = b;
  for (uint32_t k = 0; k < solver->params.collider_count; ++k) of.colliders[k] = k;
  of.places = true;
  return of;
}

static change nothing_of(const weft_solver *solver) {
  return (change){.model = solver->model, .params = solver->params, .of = weft_heritage_of(solver)};
}

/* All but the lists of memory, which stand where they are. */
static void swap(weft_solver *a, weft_solver *b) {
  const weft_solver was = *a;
  const weft_owned of_b = b->owned;
  *a = *b;
  a->owned = was.owned;
  *b = was;
  b->owned = of_b;
}

/* Where the bodies are now, as meshes that begin there; NULL for those that are new. */
typedef struct places {
  weft_vec3 *cloth;
  weft_mesh meshes[WEFT_MAX_BODIES];
  weft_body bodies[WEFT_MAX_BODIES];
} places;

static weft_result find_places(weft_solver *solver, const change *c, places *p, weft_error *err) {
  *p = (places){.cloth = weft_alloc(solver->model->particle_count, sizeof *p->cloth)};
  weft_result result = weft_solver_read(solver, p->cloth, NULL, err);
  for (uint32_t b = 0; b < c->params.body_count && result == WEFT_OK; ++b) {
    const uint32_t was = c->of.bodies[b];
    p->bodies[b] = c->params.bodies[b];
    if (was == WEFT_NEW) continue;
    p->meshes[b] = *c->params.bodies[b].mesh;
    p->meshes[b].positions = weft_alloc(p->meshes[b].vertex_count, sizeof(weft_vec3));
    p->bodies[b].mesh = &p->meshes[b];
    result = weft_solver_read_body(solver, was, p->meshes[b].positions, err);
  }
  return result;
}

static void free_places(places *p) {
  weft_free(p->cloth);
  for (uint32_t b = 0; b < WEFT_MAX_BODIES; ++b) {
    if (p->bodies[b].mesh == &p->meshes[b]) weft_free(p->meshes[b].positions);
  }
}

/* A reset goes to the start that was given, not to where everything was meanwhile. */
static void give_back_start(weft_solver *made, const change *c) {
  const size_t count = made->model->particle_count;
  if (!c->params.start) {
    weft_free(made->start);
    made->start = NULL;
  } else {
    memcpy(made->start, c->params.start, count * sizeof *made->start);
  }
  made->params.start = made->start;
  for (uint32_t b = 0; b < made->params.body_count; ++b) {
    const weft_mesh *home = c->params.bodies[b].mesh;
    memcpy(made->body_meshes[b].positions, home->positions,
           home->vertex_count * sizeof *home->positions);
  }
}

/* One that has changed may change again. Models are const to solvers, but for what is left. */
static void want_tables_kept(const weft_model *model) {
  if (model->part_count == 0) weft_left_want(&((weft_model *)(uintptr_t)model)->left);
}

/* In a scope of its own, whose memory becomes that of the solver. */
static weft_result create(const weft_solver *solver, const weft_model *model,
                          const weft_params *params, weft_solver **made, weft_error *err) {
  WEFT_GUARD(err);
  return weft_solver_create_guarded(model, params, solver->backend, solver->guard, made, err);
}

static weft_result make(weft_solver *solver, const change *c, weft_solver **made, weft_error *err) {
  want_tables_kept(c->model);
  if (!c->as_it_lies) return create(solver, c->model, &c->params, made, err);
  places *now = weft_alloc(1, sizeof *now);
  weft_params params = c->params;
  weft_result result = find_places(solver, c, now, err);
  params.start = now->cloth;
  params.bodies = now->bodies;
  if (result == WEFT_OK) result = create(solver, c->model, &params, made, err);
  if (result == WEFT_OK) give_back_start(*made, c);
  free_places(now);
  weft_free(now);
  return result;
}

/* Where memory runs out on the way, `to` is lost. */
static weft_result hand_over(weft_solver *to, weft_solver *from, const weft_heritage *of,
                             weft_error *err) {
  WEFT_GUARD_CHANGE(&to->owned, err);
  return weft_solver_inherit(to, from, of, err);
}

weft_result weft_solver_exchange(weft_solver *solver, weft_solver *other, const weft_heritage *of,
                                 weft_error *err) {
  const weft_result result = hand_over(other, solver, of, err);
  if (result != WEFT_OK) return result;
  other->still_count = solver->still_count;
  other->still_all = solver->still_all;
  other->still_since = solver->still_since;
  other->tables_held = solver->tables_held;
  other->budget = solver->budget;
  solver->budget = NULL;
  if (other->model == solver->model) {
    other->own_model = solver->own_model;
    solver->own_model = NULL;
  }
  swap(solver, other);
  weft_owned_join(&solver->owned, &other->owned);
  return WEFT_OK;
}

static weft_result remake(weft_solver *solver, const change *c, weft_error *err) {
  if (solver->tables_held) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "the change takes new tables, and these are held");
  }
  weft_solver *made = NULL;
  weft_result result = make(solver, c, &made, err);
  if (result == WEFT_OK) result = weft_solver_exchange(solver, made, &c->of, err);
  if (result == WEFT_OK) {
    if (c->own_model) solver->own_model = c->own_model;
    weft_budget_outdate(solver);
  }
  weft_solver_destroy(made);
  return result;
}

void weft_solver_hold_tables(weft_solver *solver, bool hold) {
  if (solver) solver->tables_held = hold;
}

weft_result weft_solver_with_substeps(weft_solver *solver, uint32_t substeps, weft_solver **made,
                                      weft_error *err) {
  change c = nothing_of(solver);
  c.params.substeps = substeps;
  return make(solver, &c, made, err);
}

/* ---- parameters ---- */

/* Whether a row whose value differs needs no new tables in this solver. */
static bool is_at_once(const weft_solver *solver, const weft_params *wanted, uint32_t row) {
  const weft_params *now = &solver->params;
  if (!weft_param_infos[row].at_once) return false;
  switch (row) {
    case WEFT_PARAM_gravity: /* of which levels take their slack */
      return now->multilevel == 0 || now->multilevel_slack > 0;
    case WEFT_PARAM_air_density:
      return (now->air_density > 0) == (wanted->air_density > 0);
    case WEFT_PARAM_global_damping:
      return (now->global_damping > 0) == (wanted->global_damping > 0);
    case WEFT_PARAM_thickness: /* on which the bodies inside shapes depend */
      return solver->shapes.count == 0;
    default:
      return true;
  }
}

void weft_solver_write_uniforms(weft_solver *solver) {
  if (solver->backend->change) {
    solver->backend->change(solver->instance, &solver->params);
    return;
  }
  weft_uniforms_change(&solver->params, &solver->uniforms);
  weft_solver_write_buffer(solver, WEFT_BUFFER_UNIFORMS, 0, 1, &solver->uniforms);
}

/* WEFT_REFILL_ tables of a row whose value differs; 0: it takes others. */
static uint32_t refills(const weft_params *wanted, uint32_t row) {
  const bool parts = row == WEFT_PARAM_iterations && wanted->method == WEFT_METHOD_PBD;
  return weft_param_infos[row].refills | (parts ? WEFT_REFILL_CONSTRAINTS : 0);
}

static weft_result make_tables(weft_solver *solver, const weft_params *wanted, weft_error *err) {
  change c = nothing_of(solver);
  const bool active = weft_self_active(solver->model, &solver->params);
  c.params = *wanted;
  c.as_it_lies = !active && weft_self_active(solver->model, wanted);
  return remake(solver, &c, err);
}

static void ask_for_substeps(weft_solver *solver) {
  if (!solver->budget) return;
  solver->budget->asked = solver->params.substeps;
  solver->budget->level = 0;
}

static weft_result take_params(weft_solver *solver, const weft_params *wanted, weft_error *err) {
  bool differ = false, at_once = true, refill = true, done = false;
  uint32_t what = 0;
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    if (weft_param_same(&solver->params, wanted, row)) continue;
    differ = true;
    if (is_at_once(solver, wanted, row)) continue;
    at_once = false;
    refill = refill && refills(wanted, row);
    what |= refills(wanted, row);
  }
  if (!differ) return WEFT_OK;
  if (!at_once) {
    const bool other_substeps = wanted->substeps != solver->params.substeps;
    weft_result result =
        refill ? weft_solver_refill(solver, solver->model, wanted, what, &done, err) : WEFT_OK;
    if (result == WEFT_OK && !done) result = make_tables(solver, wanted, err);
    if (result == WEFT_OK && other_substeps) ask_for_substeps(solver);
    return result;
  }
  for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
    weft_param_copy(&solver->params, wanted, row);
  }
  weft_solver_write_uniforms(solver);
  if (solver->grab.count > 0) weft_grab_strength(solver);
  return WEFT_OK;
}

weft_result weft_solver_set_params(weft_solver *solver, const weft_params *params,
                                   weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  const weft_params *now = &solver->params;
  weft_params wanted = params ? *params : (weft_params){0};
  wanted.colliders = now->colliders;
  wanted.collider_count = now->collider_count;
  wanted.bodies = now->bodies;
  wanted.body_count = now->body_count;
  wanted.start = now->start;
  wanted.soft_pins = now->soft_pins;
  weft_result result = weft_params_choose(solver->model, &wanted, err);
  if (result == WEFT_OK) result = weft_params_resolve(&wanted, &wanted, err);
  if (result != WEFT_OK) return result;
  if (wanted.substeps == weft_budget_asked(solver)) wanted.substeps = now->substeps;
  if (wanted.self_room < now->self_room) wanted.self_room = now->self_room;
  return take_params(solver, &wanted, err);
}

/* ---- models ---- */

/* own: the model is the solver's from now on. */
static weft_result take_model(weft_solver *solver, const weft_model *model, weft_model *own,
                              weft_error *err) {
  const uint32_t what = weft_refill_of_models(solver, model);
  const weft_params as_before = solver->params;
  bool done = false;
  weft_result result =
      what ? weft_solver_refill(solver, model, &as_before, what, &done, err) : WEFT_OK;
  if (result != WEFT_OK) return result;
  if (done) {
    weft_model_destroy(solver->own_model);
    solver->own_model = own;
    return WEFT_OK;
  }
  change c = nothing_of(solver);
  c.model = model;
  c.own_model = own;
  return remake(solver, &c, err);
}

static bool same_triangles(const weft_model *a, const weft_model *b) {
  return a->particle_count == b->particle_count && a->triangle_count == b->triangle_count &&
         a->part_count == b->part_count &&
         (a->triangle_count == 0 || memcmp(a->triangles, b->triangles,
                                           3 * (size_t)a->triangle_count * sizeof(uint32_t)) == 0);
}

weft_result weft_solver_set_model(weft_solver *solver, const weft_model *model, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(model);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  if (model == solver->model) return WEFT_OK;
  if (!same_triangles(model, solver->model)) {
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "a solver of %u particles and %u triangles cannot go on with a model of %u and "
        "%u, or with other triangles",
        solver->model->particle_count, solver->model->triangle_count, model->particle_count,
        model->triangle_count);
  }
  return take_model(solver, model, NULL, err);
}

static weft_result copy_model(weft_solver *solver, const uint32_t *particles, uint32_t count,
                              bool pinned, weft_model **copy, weft_error *err) {
  WEFT_OWN_MEMORY(&solver->owned);
  return weft_model_with_pins(solver->model, particles, count, pinned, copy, err);
}

static weft_result set_hard(weft_solver *solver, const uint32_t *particles, uint32_t count,
                            bool pinned, weft_error *err) {
  weft_model *own;
  want_tables_kept(solver->model); /* which the copy shares */
  weft_result result = copy_model(solver, particles, count, pinned, &own, err);
  if (result != WEFT_OK) return result;
  result = take_model(solver, own, own, err);
  if (result != WEFT_OK) weft_model_destroy(own);
  return result;
}

static weft_result check_pins(const weft_solver *solver, const uint32_t *particles, uint32_t count,
                              float weight, weft_error *err) {
  if (!(weight >= 0 && weight <= 1)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "the weight of a pin is %g, allowed is 0 to 1",
                     (double)weight);
  }
  if (solver->params.compensated && weight > 0 && weight < 1) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "soft pins hold positions that are single floats: they do not go with "
                     "compensated");
  }
  return weft_model_check_pins(solver->model, particles, count, err);
}

/* Those that are pinned, where they are to be no longer, or the other way round. */
static uint32_t find_others(const weft_solver *solver, const uint32_t *particles, uint32_t count,
                            bool pinned, uint32_t *others) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < count; ++k) {
    if (weft_is_pin(solver->model, particles[k]) != pinned) others[found++] = particles[k];
  }
  return found;
}

/* Room for twice as many, so that it is seldom made. */
weft_result weft_soft_make_room(weft_solver *solver, uint32_t soft, weft_error *err) {
  if (soft <= solver->params.soft_pins) return WEFT_OK;
  change c = nothing_of(solver);
  c.params.soft_pins = soft <= UINT32_MAX / 2 ? 2 * soft : soft;
  if (c.params.soft_pins > solver->model->particle_count) {
    c.params.soft_pins = solver->model->particle_count;
  }
  return remake(solver, &c, err);
}

weft_result weft_solver_set_pins(weft_solver *solver, const uint32_t *particles, uint32_t count,
                                 float weight, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED_ITEMS(particles, count);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = check_pins(solver, particles, count, weight, err);
  if (result == WEFT_OK) {
    result =
        weft_soft_make_room(solver, weft_soft_count_with(solver, particles, count, weight), err);
  }
  if (result != WEFT_OK || count == 0) return result;
  uint32_t *others = weft_alloc(count, sizeof *others);
  const bool hard = weight == 1;
  const uint32_t found = find_others(solver, particles, count, hard, others);
  if (found) result = set_hard(solver, others, found, hard, err);
  weft_free(others);
  if (result != WEFT_OK) return result;
  weft_soft_set(solver, particles, count, weight);
  return solver->backend->check(solver->instance, "reading where pins are", err);
}

float weft_solver_pin_weight(const weft_solver *solver, uint32_t particle) {
  if (!solver) return 0;
  if (weft_model_is_pinned(solver->model, particle)) return 1;
  const weft_soft *soft = weft_soft_find(solver, particle);
  return soft ? soft->weight : 0;
}

/* ---- colliders ---- */

static weft_result check_collider(const weft_solver *solver, uint32_t collider, weft_error *err) {
  if (collider < solver->params.collider_count) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "collider %u does not exist, there are %u", collider,
                   solver->params.collider_count);
}

/* What parameters refuse of the way from what it is to what it shall be. */
static weft_result check_way(const weft_solver *solver, uint32_t collider, const weft_collider *to,
                             weft_error *err) {
  const weft_params *p = &solver->params;
  const weft_collider *from = &solver->colliders_from[collider];
  weft_result result = weft_collider_check(to, collider, p->frame_dt / (float)p->substeps, err);
  if (result != WEFT_OK || from->key_count > 0) return result;
  const weft_collider_key ends[2] = {
      {.time = 0, .a = from->a, .b = from->b, .rotation = from->rotation},
      {.time = p->frame_dt, .a = to->a, .b = to->b, .rotation = to->rotation}};
  weft_collider way = *to;
  way.keys = ends;
  way.key_count = 2;
  return weft_collider_check(&way, collider, p->frame_dt / (float)p->substeps, err);
}

static bool same_vector(weft_vec3 a, weft_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Whether the body inside of it is another one. */
static bool needs_tables(const weft_solver *solver, const weft_collider *now,
                         const weft_collider *to) {
  if (solver->shapes.count == 0) return false;
  return now->radius != to->radius || !same_vector(now->half_size, to->half_size) ||
         now->friction_static != to->friction_static ||
         now->friction_dynamic != to->friction_dynamic;
}

weft_result weft_solver_place_collider(weft_solver *solver, uint32_t collider,
                                       const weft_collider *to, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(to);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = check_collider(solver, collider, err);
  if (result != WEFT_OK) return result;
  weft_collider *now = &solver->colliders[collider];
  if (to->shape != now->shape || to->key_count > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "collider %u keeps its shape and has no keys where it is placed: remove it, "
                     "and add another",
                     collider);
  }
  result = check_way(solver, collider, to, err);
  if (result != WEFT_OK) return result;
  if (!needs_tables(solver, now, to)) {
    weft_collider *from = &solver->colliders_from[collider];
    weft_collider *home = &solver->colliders_home[collider];
    *from = weft_collider_without_keys(from, weft_solver_time(solver));
    *home = weft_collider_without_keys(home, 0);
    weft_free((void *)(uintptr_t)now->keys);
    *now = *to;
    now->keys = NULL;
    return WEFT_OK;
  }
  change c = nothing_of(solver);
  weft_collider *all = weft_alloc(c.params.collider_count, sizeof *all);
  memcpy(all, solver->colliders, c.params.collider_count * sizeof *all);
  all[collider] = *to;
  c.params.colliders = all;
  result = remake(solver, &c, err);
  weft_free(all);
  return result;
}

weft_result weft_solver_add_collider(weft_solver *solver, const weft_collider *collider,
                                     uint32_t *index, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(collider);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  change c = nothing_of(solver);
  const uint32_t count = c.params.collider_count;
  weft_collider *all = weft_alloc(count + 1, sizeof *all);
  if (count) memcpy(all, solver->colliders, count * sizeof *all);
  all[count] = *collider;
  c.params.colliders = all;
  c.params.collider_count = count + 1;
  weft_result result = remake(solver, &c, err);
  weft_free(all);
  if (result == WEFT_OK && index) *index = count;
  return result;
}

weft_result weft_solver_remove_collider(weft_solver *solver, uint32_t collider, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_result result = check_collider(solver, collider, err);
  if (result != WEFT_OK) return result;
  change c = nothing_of(solver);
  const uint32_t left = c.params.collider_count - 1;
  weft_collider *all = weft_alloc(left, sizeof *all);
  for (uint32_t k = 0; k < left; ++k) {
    c.of.colliders[k] = k < collider ? k : k + 1;
    all[k] = solver->colliders[c.of.colliders[k]];
  }
  c.of.colliders[left] = WEFT_NEW;
  c.params.colliders = all;
  c.params.collider_count = left;
  result = remake(solver, &c, err);
  weft_free(all);
  return result;
}

/* ---- bodies ---- */

weft_result weft_solver_add_body(weft_solver *solver, const weft_body *body, uint32_t *index,
                                 weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(body);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  change c = nothing_of(solver);
  const uint32_t count = c.params.body_count;
  weft_body all[WEFT_MAX_BODIES + 1];
  if (count) memcpy(all, solver->bodies, count * sizeof *all);
  all[count] = *body;
  c.params.bodies = all;
  c.params.body_count = count + 1;
  c.as_it_lies = true;
  weft_params checked = c.params;
  weft_result result = weft_bodies_check(solver->model, &checked, err);
  if (result == WEFT_OK) result = remake(solver, &c, err);
  if (result == WEFT_OK && index) *index = count;
  return result;
}

weft_result weft_solver_remove_body(weft_solver *solver, uint32_t body, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  if (body >= solver->params.body_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "body %u does not exist, the solver has %u", body,
                     solver->params.body_count);
  }
  change c = nothing_of(solver);
  const uint32_t left = c.params.body_count - 1;
  weft_body all[WEFT_MAX_BODIES];
  for (uint32_t k = 0; k < left; ++k) {
    c.of.bodies[k] = k < body ? k : k + 1;
    all[k] = solver->bodies[c.of.bodies[k]];
  }
  c.of.bodies[left] = WEFT_NEW;
  c.params.bodies = all;
  c.params.body_count = left;
  return remake(solver, &c, err);
}
