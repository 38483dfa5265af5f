/* picked.c: the values of one particle. */
#include "picked.h"

#include <math.h>
#include <stdlib.h>

#include "collider_depth.h"

/* ---- its constraints ---- */

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void add_edge(weft_demo_partners *p, const weft_constraint_group *g, uint32_t i) {
  const uint32_t *ends = &g->particles[2 * (size_t)i];
  void *edges = p->edges;
  weft_grow(&edges, &p->capacity, p->edge_count + 1, sizeof *p->edges);
  p->edges = edges;
  p->edges[p->edge_count++] = (weft_demo_edge){
      .other = ends[ends[0] == p->particle], .rest_length = g->rest[i], .sense = g->sense};
}

typedef struct indices {
  uint32_t *items;
  size_t count, capacity;
} indices;

static void add_others(const weft_constraint_group *g, uint32_t i, uint32_t particle,
                       indices *others) {
  for (uint32_t r = 0; r < g->arity; ++r) {
    uint32_t other = g->particles[(size_t)i * g->arity + r];
    if (other == particle) continue;
    void *items = others->items;
    weft_grow(&items, &others->capacity, others->count + 1, sizeof *others->items);
    others->items = items;
    others->items[others->count++] = other;
  }
}

static bool holds(const weft_constraint_group *g, uint32_t i, uint32_t particle) {
  for (uint32_t r = 0; r < g->arity; ++r) {
    if (g->particles[(size_t)i * g->arity + r] == particle) return true;
  }
  return false;
}

static uint32_t count_distinct(indices *others) {
  uint32_t distinct = 0;
  if (others->count) qsort(others->items, others->count, sizeof *others->items, ascending);
  for (size_t k = 0; k < others->count; ++k) {
    distinct += k == 0 || others->items[k] != others->items[k - 1];
  }
  return distinct;
}

void weft_demo_partners_find(weft_demo_partners *p, const weft_model *model, uint32_t particle) {
  indices others = {0};
  p->particle = particle;
  p->edge_count = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    bool lengths = g->type == WEFT_CONSTRAINT_DISTANCE && g->role == WEFT_ROLE_STRETCH;
    for (uint32_t i = 0; i < g->count; ++i) {
      if (!holds(g, i, particle)) continue;
      if (lengths) add_edge(p, g, i);
      add_others(g, i, particle, &others);
    }
  }
  p->neighbours = count_distinct(&others);
  weft_free(others.items);
}

void weft_demo_partners_free(weft_demo_partners *p) {
  weft_free(p->edges);
  *p = (weft_demo_partners){0};
}

/* ---- its values ---- */

static weft_vec3 place_of(weft_solver *solver, uint32_t particle) {
  vec4 x;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, particle, 1, &x);
  return weft_solver_placed(solver, x);
}

static float strain_of(const weft_demo_edge *edge, weft_vec3 a, weft_vec3 b) {
  float strain = weft_v3_length(weft_v3_sub(a, b)) / edge->rest_length - 1;
  if (edge->sense == WEFT_SENSE_AT_MOST) return fmaxf(strain, 0);
  if (edge->sense == WEFT_SENSE_AT_LEAST) return fminf(strain, 0);
  return strain;
}

/* Touching is what the view of contacts means by it; that looks at bodies as well, whose pairs are
 * too many to read for one particle. */
static bool touches_collider(const weft_solver *solver, weft_vec3 at) {
  const weft_params *p = weft_solver_params(solver);
  double now = weft_solver_time(solver);
  for (uint32_t k = 0; k < p->collider_count; ++k) {
    if (weft_collider_depth(&p->colliders[k], now, p->thickness, at) >
        -(0.1f * p->thickness + 0.001f))
      return true;
  }
  return false;
}

static void read_contacts(weft_solver *solver, weft_demo_picked *picked) {
  if (!weft_contact_active(weft_solver_model(solver), weft_solver_params(solver))) return;
  weft_neighbour rows[WEFT_CONTACT_SLOTS];
  uint32_t found;
  weft_solver_read_buffer(solver, WEFT_BUFFER_CONTACT_FOUND, picked->particle, 1, &found);
  weft_solver_read_buffer(solver, WEFT_BUFFER_CONTACTS, picked->particle, 1, rows);
  found &= ~WEFT_CONTACT_CROWDED;
  if (found > WEFT_CONTACT_SLOTS) found = WEFT_CONTACT_SLOTS;
  picked->near = found;
  for (uint32_t k = 0; k < found; ++k) {
    weft_vec3 other = place_of(solver, rows[k].other);
    float apart = weft_v3_length(weft_v3_sub(picked->at, other));
    picked->touches_particle |= apart <= 2.04f * weft_model_radius(weft_solver_model(solver));
  }
}

weft_result weft_demo_picked_read(const weft_demo_partners *p, weft_solver *solver,
                                  weft_demo_picked *picked, weft_error *err) {
  vec4 x, v;
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, p->particle, 1, &x);
  weft_solver_read_buffer(solver, WEFT_BUFFER_V, p->particle, 1, &v);
  *picked =
      (weft_demo_picked){.known = true,
                         .particle = p->particle,
                         .number = weft_model_number(weft_solver_model(solver), p->particle),
                         .at = weft_solver_placed(solver, x),
                         .velocity = weft_v3(v.x, v.y, v.z),
                         .inverse_mass = x.w,
                         .attached = weft_model_is_attached(weft_solver_model(solver), p->particle),
                         .edges = (uint32_t)p->edge_count,
                         .neighbours = p->neighbours};
  for (size_t k = 0; k < p->edge_count; ++k) {
    float strain = strain_of(&p->edges[k], picked->at, place_of(solver, p->edges[k].other));
    if (k == 0 || fabsf(strain) > fabsf(picked->strain)) picked->strain = strain;
  }
  picked->touches_collider = touches_collider(solver, picked->at);
  read_contacts(solver, picked);
  return weft_solver_check(solver, "reading a particle", err);
}

void weft_demo_picked_describe(const weft_demo_picked *p, char *text, size_t size) {
  const char *what = p->touches_collider && p->touches_particle ? "a collider and a particle"
                     : p->touches_collider                      ? "a collider"
                     : p->touches_particle                      ? "a particle"
                                                                : "nothing";
  int used = snprintf(text, size,
                      "particle %u: at (%.5g, %.5g, %.5g) m, %.4g m/s, inverse mass %.4g /kg%s, ",
                      p->number, (double)p->at.x, (double)p->at.y, (double)p->at.z,
                      (double)weft_v3_length(p->velocity), (double)p->inverse_mass,
                      p->attached            ? " (attached)"
                      : p->inverse_mass == 0 ? " (pinned)"
                                             : "");
  if (used < 0 || (size_t)used >= size) return;
  text += used;
  size -= (size_t)used;
  if (p->edges) {
    used = snprintf(text, size, "strain up to %.4g %% (%u edges), ", 100 * (double)p->strain,
                    p->edges);
    if (used < 0 || (size_t)used >= size) return;
    text += used;
    size -= (size_t)used;
  }
  snprintf(text, size, "touches %s, %u neighbours", what, p->neighbours);
}
