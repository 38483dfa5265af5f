/* checkpoint.c: a state as bytes. What is read is checked before anything of it is used. */
#include <weft/change.h>

#include "owner.h"
#include "solver.h"
#include "state.h"

enum { VERSION = 1 };
static const char name_of_record[] = "weft-sol", what[] = "the saved state";

/* ---- the state ---- */

/* Its shape is the solver's, which the owner says. */
static void record_collider(weft_record *r, const weft_collider *own, weft_collider *c) {
  c->shape = own->shape;
  weft_record_floats(r, &c->a, 3);
  weft_record_floats(r, &c->b, 3);
  weft_record_floats(r, &c->rotation, 3);
  weft_record_floats(r, &c->radius, 1);
  weft_record_floats(r, &c->half_size, 3);
  weft_record_floats(r, &c->friction_static, 1);
  weft_record_floats(r, &c->friction_dynamic, 1);
  weft_record_floats(r, &c->offset, 3);
}

static void record_shape(weft_record *r, weft_shape_state *shape) {
  weft_record_floats(r, &shape->fit.core, 4);
  weft_record_floats(r, &shape->fit.size, 1);
  weft_record_floats(r, &shape->fit.most, 1);
  weft_record_doubles(r, &shape->fit.reach, 1);
  weft_record_words(r, &shape->awake, 1);
}

static void record_paths(weft_record *r, const weft_solver *solver, weft_state *s) {
  weft_kept_state *k = &s->kept;
  weft_record_flag(r, &k->pins_moving);
  weft_record_doubles(r, k->pin_from, 3 * (size_t)s->pins);
  weft_record_doubles(r, k->pin_to, 3 * (size_t)s->pins);
  weft_record_doubles(r, k->body_ways, 6 * (size_t)s->body_particles);
  weft_record_words(r, k->body_awake, s->bodies);
  for (uint32_t b = 0; b < s->bodies; ++b) weft_record_flag(r, &s->moved[b]);
  for (uint32_t i = 0; i < s->shapes; ++i) record_shape(r, &k->shapes[i]);
  for (uint32_t c = 0; c < s->colliders; ++c) {
    record_collider(r, &solver->colliders[c], &k->colliders_from[c]);
    record_collider(r, &solver->colliders[c], &k->colliders_to[c]);
  }
}

static void record_grab(weft_record *r, const weft_solver *solver, weft_grab_state *g) {
  weft_record_words(r, &g->count, 1);
  r->odd = r->odd || g->count > (solver->params.grab ? WEFT_GRAB_ELEMENTS : 0);
  if (r->odd) return;
  weft_record_words(r, g->particles, g->count);
  weft_record_floats(r, g->offsets, (size_t)3 * g->count);
  weft_record_floats(r, &g->from, 3);
  weft_record_floats(r, &g->to, 3);
  for (uint32_t i = 0; i < g->count; ++i) {
    const uint32_t p = g->particles[i];
    const bool free = p < solver->model->particle_count && solver->model->inverse_masses[p] > 0;
    r->odd = r->odd || !free;
  }
}

static void record_softs(weft_record *r, const weft_state *s, weft_softs *soft) {
  uint32_t count = soft->count;
  weft_record_words(r, &count, 1);
  r->odd = r->odd || count > s->particles || !weft_record_has(r, count, 7 * sizeof(double));
  if (r->odd) return;
  if (r->from) *soft = (weft_softs){weft_alloc(count, sizeof *soft->items), count, count};
  for (uint32_t k = 0; k < count; ++k) {
    weft_soft *item = &soft->items[k];
    weft_record_words(r, &item->particle, 1);
    weft_record_floats(r, &item->weight, 1);
    weft_record_doubles(r, &item->from, 3);
    weft_record_doubles(r, &item->to, 3);
    r->odd = r->odd || item->particle >= s->particles || !(item->weight > 0 && item->weight < 1);
    r->odd = r->odd || (k > 0 && item->particle <= item[-1].particle);
  }
}

/* Pairs of particles that are not there would be elements past the end of a buffer. */
static void check_pairs(weft_record *r, const weft_solver *solver, const weft_self_cached *pairs,
                        uint64_t count) {
  const uint64_t all = solver->buffer_counts[WEFT_BUFFER_X];
  for (uint64_t i = 0; i < count; ++i) {
    const uvec4 p = weft_self_particles(pairs[i].pair);
    r->odd = r->odd || p.x >= all || p.y >= all || p.z >= all || p.w >= all;
  }
}

/* Of the contact cache what is in it. */
static void record_elements(weft_record *r, const weft_solver *solver, weft_kept_state *k) {
  const int cache = WEFT_BUFFER_SELF_CACHE;
  const size_t stride = weft_buffer_infos[cache].stride;
  const bool listed = k->counts[WEFT_BUFFER_SELF_CACHE_COUNT] > 0;
  uint32_t none = 0, *rows = listed ? k->elements[WEFT_BUFFER_SELF_CACHE_COUNT] : &none;
  weft_record_words(r, rows, 1);
  r->odd = r->odd || (!listed && none) || !weft_record_has(r, *rows, stride);
  if (r->odd) return;
  if (r->from) {
    weft_free(k->elements[cache]);
    k->elements[cache] = weft_alloc(*rows, stride);
    k->counts[cache] = *rows;
  }
  weft_record_words(r, k->elements[cache], *rows * stride / sizeof(uint32_t));
  check_pairs(r, solver, k->elements[cache], *rows);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const bool told = id == cache || id == WEFT_BUFFER_SELF_CACHE_COUNT;
    if (weft_buffer_infos[id].use != WEFT_USE_STATE || told) continue;
    const size_t words = (size_t)k->counts[id] * weft_buffer_infos[id].stride / sizeof(uint32_t);
    (weft_buffer_is_float((weft_buffer_id)id) ? weft_record_floats : weft_record_words)(
        r, k->elements[id], words);
  }
}

static void record_state(weft_record *r, const weft_solver *solver, weft_state *s) {
  weft_kept_state *k = &s->kept;
  weft_record_longs(r, &k->frame, 1);
  weft_record_doubles(r, &s->began, 1);
  weft_record_doubles(r, &k->origin, 3);
  weft_record_words(r, &s->still_count, 1);
  weft_record_flag(r, &s->still_all);
  weft_record_longs(r, &s->still_since, 1);
  weft_record_words(r, &s->self_room, 1);
  r->odd = r->odd || s->self_room > WEFT_SELF_MOST_ROOM;
  record_paths(r, solver, s);
  record_grab(r, solver, &s->grab);
  if (!r->odd) record_softs(r, s, &k->soft);
  if (!r->odd) record_elements(r, solver, k);
  if (r->odd) return;
  for (int c = 0; c < WEFT_STATE_COUNTERS; ++c) {
    weft_record_words(r, s->counters[c], (size_t)s->counts[c]);
  }
  if (s->distances && r->from) s->multipliers = weft_alloc((size_t)s->distances, sizeof(float));
  weft_record_floats(r, s->multipliers, (size_t)s->distances);
}

/* ---- there and back ---- */

weft_result weft_solver_save(weft_solver *solver, void **bytes, size_t *size, weft_error *err) {
  WEFT_NEED(bytes);
  WEFT_NEED(size);
  *bytes = NULL;
  *size = 0;
  WEFT_NEED(solver);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_state *state = NULL;
  weft_result result = weft_solver_keep_state(solver, &state, err);
  if (result != WEFT_OK) return result;
  weft_owner owner = weft_owner_of(solver);
  weft_record r = weft_record_begin(name_of_record, VERSION);
  weft_owner_record(&r, &owner);
  record_state(&r, solver, state);
  weft_state_destroy(state);
  if (!r.odd) {
    weft_record_end(&r, bytes, size);
    return WEFT_OK;
  }
  weft_string_free(&r.written);
  return weft_fail(err, WEFT_ERROR_NOT_FINITE, "not saved: the state is infinite or NaN");
}

static weft_result read_state(weft_record *r, const weft_solver *solver, weft_state *s,
                              weft_error *err) {
  const weft_owner own = weft_owner_of(solver);
  weft_owner was;
  weft_owner_record(r, &was);
  weft_result result = weft_owner_compare(&own, &was, err);
  if (result != WEFT_OK) return result;
  record_state(r, solver, s);
  if (!r->odd) return weft_record_close(r, what, err);
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: it holds numbers that no state has", what);
}

weft_result weft_solver_load(weft_solver *solver, const void *bytes, size_t size, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED_ITEMS(bytes, size);
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_record r;
  weft_result result = weft_record_open(&r, name_of_record, VERSION, bytes, size, what, err);
  if (result != WEFT_OK) return result;
  weft_state *state = weft_state_for(solver);
  result = read_state(&r, solver, state, err);
  if (result == WEFT_OK) result = weft_solver_set_state(solver, state, err);
  weft_state_destroy(state);
  return result;
}
