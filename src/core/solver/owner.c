/* owner.c: whose a saved state is: all that tables and passes are made of, as hashes that are the
 * same on every machine. */
#include "owner.h"

#include <string.h>

#include "solver.h"

static const char what[] = "the saved state";

/* FNV-1a over words, the same in either byte order. NULL: none. */
static uint64_t hash(uint64_t h, const void *words, size_t count) {
  const unsigned char *at = words;
  for (size_t k = 0; words && k < count; ++k) {
    uint32_t word;
    memcpy(&word, at + k * sizeof word, sizeof word);
    h = (h ^ word) * UINT64_C(1099511628211);
  }
  return h;
}

static uint64_t hash_name(uint64_t h, const char *name) {
  return weft_hash_bytes(h, name, strlen(name) + 1);
}

static uint64_t hash_registry(void) {
  uint64_t h = WEFT_HASH_SEED;
  for (int k = 0; k < WEFT_PARAM_COUNT; ++k) h = hash_name(h, weft_param_infos[k].name);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (weft_buffer_infos[id].use == WEFT_USE_STATE) h = hash_name(h, weft_buffer_infos[id].name);
  }
  return h;
}

static uint64_t hash_group(uint64_t h, const weft_constraint_group *g) {
  const uint32_t kinds[] = {g->type, g->role, g->sense, g->arity, g->count, g->colour_count};
  h = hash(h, kinds, sizeof kinds / sizeof *kinds);
  h = hash(h, g->particles, (size_t)g->count * g->arity);
  h = hash(h, g->colour_first, g->colour_count + (size_t)1);
  h = hash(h, g->rest, g->count);
  h = hash(h, g->weights, (size_t)g->count * g->arity);
  h = hash(h, g->compliance, g->count);
  return hash(h, g->damping, g->count);
}

static uint64_t hash_riders(uint64_t h, const weft_model *m) {
  for (uint32_t k = 0; k < m->rider_count; ++k) {
    const weft_model_rider *r = &m->riders[k];
    const weft_vec3 offset = weft_v3d_round(r->offset);
    const float weights[] = {(float)r->weights[0], (float)r->weights[1], (float)r->weights[2]};
    h = hash(hash(h, &r->particle, 1), r->corners, 3);
    h = hash(hash(h, weights, 3), &offset, 3);
  }
  return h;
}

static void add_model(weft_owner *o, const weft_model *m) {
  const size_t n = m->particle_count;
  o->rest =
      hash(hash(o->rest, m->rest_positions, 3 * n), m->triangles, 3 * (size_t)m->triangle_count);
  o->rest = hash_riders(hash(o->rest, &m->radius, 1), m);
  o->masses = hash(hash(o->masses, m->inverse_masses, n), m->masses, n);
  for (uint32_t g = 0; g < m->group_count; ++g) {
    o->constraints = hash_group(o->constraints, &m->groups[g]);
  }
  for (uint32_t p = 0; p < m->part_count; ++p) add_model(o, m->parts[p]);
}

/* Where it is, and how wide without self-collision, is the state's. */
static uint64_t hash_collider(const weft_solver *solver, const weft_collider *c) {
  const uint32_t kinds[] = {c->shape, c->key_count};
  const float sizes[] = {c->radius,      c->half_size.x,     c->half_size.y,
                         c->half_size.z, c->friction_static, c->friction_dynamic};
  uint64_t h = hash(WEFT_HASH_SEED, kinds, 2);
  h = hash(h, c->keys, c->key_count * sizeof *c->keys / sizeof(float));
  return weft_self_active(solver->model, &solver->params) ? hash(h, sizes, 6) : h;
}

static uint64_t hash_body(const weft_body *b) {
  const float numbers[] = {b->friction_static, b->friction_dynamic, b->thickness};
  uint64_t h = hash(WEFT_HASH_SEED, numbers, 3);
  h = hash(h, b->mesh->positions, 3 * (size_t)b->mesh->vertex_count);
  return hash(h, b->mesh->triangles, 3 * (size_t)b->mesh->triangle_count);
}

weft_owner weft_owner_of(const weft_solver *solver) {
  const weft_model *m = solver->model;
  const weft_params *p = &solver->params;
  const uint64_t seed = WEFT_HASH_SEED;
  weft_owner o = {.particles = m->particle_count,
                  .triangles = m->triangle_count,
                  .links = m->link_count,
                  .pins = solver->pinned_count,
                  .parts = weft_model_part_count(m),
                  .tangled = solver->self_tangled,
                  .colliders = p->collider_count,
                  .bodies = p->body_count,
                  .registry = hash_registry(),
                  .rest = seed,
                  .masses = seed,
                  .constraints = seed,
                  .start = hash(seed, p->start, 3 * (size_t)m->particle_count)};
  add_model(&o, m);
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const uint32_t components = weft_param_infos[k].kind == WEFT_KIND_VEC3 ? 3 : 1;
    for (uint32_t c = 0; c < components; ++c) o.params[k][c] = weft_param_of(p, k, c);
  }
  for (uint32_t c = 0; c < p->collider_count; ++c) {
    o.of_colliders[c] = hash_collider(solver, &solver->colliders[c]);
  }
  for (uint32_t b = 0; b < p->body_count; ++b) o.of_bodies[b] = hash_body(&solver->bodies[b]);
  return o;
}

void weft_owner_record(weft_record *r, weft_owner *o) {
  weft_record_words(r, &o->particles, 8);
  weft_record_longs(r, &o->registry, 5);
  weft_record_longs(r, o->params, sizeof o->params / sizeof(double));
  weft_record_longs(r, o->of_colliders, WEFT_MAX_COLLIDERS);
  weft_record_longs(r, o->of_bodies, WEFT_MAX_BODIES);
}

/* A value as it is given; choices by their names. */
static const char *param_text(uint32_t row, const double value[3], char *text, size_t size) {
  const weft_param_info *p = &weft_param_infos[row];
  int choices = 0;
  while (p->kind == WEFT_KIND_CHOICE && p->choices[choices]) ++choices;
  if (value[0] >= 0 && value[0] < choices) return p->choices[(int)value[0]];
  if (p->kind == WEFT_KIND_VEC3) {
    snprintf(text, size, "(%.9g, %.9g, %.9g)", value[0], value[1], value[2]);
  } else {
    snprintf(text, size, "%.9g", value[0]);
  }
  return text;
}

/* Of lists of self-collision only room that was needed so far. */
static weft_result compare_params(const weft_owner *own, const weft_owner *was, weft_error *err) {
  char a[128], b[128];
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (k == WEFT_PARAM_self_room) continue;
    if (memcmp(own->params[k], was->params[k], sizeof own->params[k]) == 0) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: of a solver with %s %s, and here it is %s",
                     what, weft_param_infos[k].name, param_text(k, was->params[k], a, sizeof a),
                     param_text(k, own->params[k], b, sizeof b));
  }
  return WEFT_OK;
}

static weft_result differ(const char *part, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: of a solver with %s other than here", what, part);
}

weft_result weft_owner_compare(const weft_owner *own, const weft_owner *was, weft_error *err) {
  static const char *const counted[] = {"particles", "triangles", "links", "pins",
                                        "parts",     "colliders", "bodies"};
  static const char *const hashed[] = {"rest pose", "masses or pins", "constraints", "start"};
  const uint32_t *a = &own->particles, *b = &was->particles;
  if (own->registry != was->registry) {
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: another version of weft wrote it", what);
  }
  for (size_t k = 0; k < sizeof counted / sizeof *counted; ++k) {
    if (a[k] == b[k]) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: of a solver with %u %s, and here are %u", what,
                     b[k], counted[k], a[k]);
  }
  weft_result result = compare_params(own, was, err);
  for (size_t k = 0; k < sizeof hashed / sizeof *hashed && result == WEFT_OK; ++k) {
    if ((&own->rest)[k] != (&was->rest)[k]) result = differ(hashed[k], err);
  }
  for (uint32_t k = 0; k < own->colliders + own->bodies && result == WEFT_OK; ++k) {
    const bool collides = k < own->colliders;
    const uint32_t number = collides ? k : k - own->colliders;
    char name[32];
    snprintf(name, sizeof name, "%s %u", collides ? "collider" : "body", number);
    const bool same = collides ? own->of_colliders[k] == was->of_colliders[k]
                               : own->of_bodies[number] == was->of_bodies[number];
    if (!same) result = differ(name, err);
  }
  if (result != WEFT_OK || own->tangled == was->tangled) return result;
  return differ("triangles that intersect at the start", err);
}
