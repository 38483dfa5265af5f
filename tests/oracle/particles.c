/* particles.c: particles with a radius keep apart, with friction.
 *
 * As in "Unified particle physics" (Macklin et al. 2014): overlapping pairs are parted by inverse
 * mass, all from the same positions, and friction takes back what slides (eq. 24). That it
 * remembers how far two have slid since they touched, as a spring that lets go at Coulomb's limit,
 * is Cundall and Strack 1979: without it a heap creeps. Neighbours are found by looking at every
 * pair. */
#include <string.h>

#include "deviations.h"
#include "oracle.h"

/* ---- neighbours ---- */

typedef struct cell {
  int x, y, z;
} cell;

static cell cell_of(const oracle *o, uint32_t i) {
  double side = NEIGHBOUR_REACH * 2 * o->s->contact_radius;
  vec p = o->x[i];
  return (cell){(int)floor(p.x / side), (int)floor(p.y / side), (int)floor(p.z / side)};
}

/* In which order weft's lists come; it matters only where one is full. */
static int rank_of(const oracle *o, uint32_t i, uint32_t j) {
  cell a = cell_of(o, i), b = cell_of(o, j);
  return 9 * (b.z - a.z) + 3 * (b.y - a.y) + (b.x - a.x);
}

static vec remembered_slide(const oracle *o, uint32_t i, uint32_t j) {
  const oracle_contact *list = o->memory + MAX_NEIGHBOURS * (size_t)i;
  for (uint32_t k = 0; k < o->memory_count[i]; ++k) {
    if (list[k].other == j) return list[k].slide;
  }
  return (vec){0, 0, 0};
}

/* Into the list in order; the last one falls out where there is no room. Particles come ascending.
 */
static void insert(oracle *o, uint32_t i, uint32_t j) {
  oracle_contact *list = o->near + MAX_NEIGHBOURS * (size_t)i;
  uint32_t at = o->near_count[i];
  while (at > 0 && rank_of(o, i, list[at - 1].other) > rank_of(o, i, j)) --at;
  if (at == MAX_NEIGHBOURS) return;
  uint32_t kept = o->near_count[i] < MAX_NEIGHBOURS ? o->near_count[i] : MAX_NEIGHBOURS - 1;
  memmove(list + at + 1, list + at, (kept - at) * sizeof *list);
  list[at] = (oracle_contact){j, remembered_slide(o, i, j)};
  o->near_count[i] = kept + 1;
}

void oracle_find_neighbours(oracle *o) {
  double reach = NEIGHBOUR_REACH * 2 * o->s->contact_radius;
  for (uint32_t i = 0; i < o->s->particle_count; ++i) {
    uint32_t found = 0;
    o->near_count[i] = 0;
    for (uint32_t j = 0; j < o->s->particle_count; ++j) {
      vec d = sub(o->x[i], o->x[j]);
      if (j == i || fabs(d.x) > reach || length(d) > reach) continue;
      insert(o, i, j);
      ++found;
    }
    o->counts.neighbours_cut += found > MAX_NEIGHBOURS;
  }
}

/* ---- one pair ---- */

typedef struct overlap {
  double depth; /* m */
  vec normal;   /* from the other one to this one */
  vec slide;    /* of this past the other, across the normal, the remembered part included */
} overlap;

static bool overlap_of(const oracle *o, uint32_t i, const oracle_contact *c, overlap *out) {
  uint32_t j = c->other;
  vec separation = sub(o->x[i], o->x[j]);
  out->depth = 2 * o->s->contact_radius - length(separation);
  if (!(out->depth > 0)) return false;
  out->normal = length(separation) > 0 ? unit(separation) : (vec){i < j ? -1 : 1, 0, 0};
  vec moved = sub(sub(o->x[i], o->before[i]), sub(o->x[j], o->before[j]));
  out->slide = tangential(add(moved, c->slide), out->normal);
  return true;
}

static oracle_friction_state friction(const oracle *o, const overlap *at, vec *taken) {
  return oracle_friction(at->slide, at->depth, (double)o->p->contact_static,
                         (double)o->p->contact_dynamic, taken);
}

static uint32_t overlaps_at(const oracle *o, uint32_t i) {
  uint32_t count = 0;
  overlap unused;
  for (uint32_t k = 0; k < o->near_count[i] && !oracle_pinned(o, i); ++k) {
    count += overlap_of(o, i, &o->near[MAX_NEIGHBOURS * (size_t)i + k], &unused);
  }
  return count;
}

/* ---- all of them ---- */

static vec correction_of(oracle *o, uint32_t i) {
  vec sum = {0, 0, 0};
  for (uint32_t k = 0; k < o->near_count[i]; ++k) {
    const oracle_contact *c = &o->near[MAX_NEIGHBOURS * (size_t)i + k];
    overlap at;
    vec taken;
    if (!overlap_of(o, i, c, &at)) continue;
    oracle_friction_state state = friction(o, &at, &taken);
    double wi = o->s->inverse_masses[i], wj = o->s->inverse_masses[c->other];
    uint32_t mine = o->loads[i], others = o->loads[c->other];
    double part = wi / (wi + wj) * (double)o->p->relaxation / (mine > others ? mine : others);
    sum = along(sum, part, sub(scale(at.depth, at.normal), taken));
    ++o->counts.overlaps;
    o->counts.remembered += length(c->slide) > 0;
    o->counts.grains_stuck += state == ORACLE_STUCK;
    o->counts.grains_slid += state == ORACLE_SLID;
  }
  return sum;
}

void oracle_part_particles(oracle *o) {
  uint32_t n = o->s->particle_count;
  for (uint32_t i = 0; i < n; ++i) o->loads[i] = overlaps_at(o, i);
  for (uint32_t i = 0; i < n; ++i) {
    o->corrections[i] = oracle_pinned(o, i) ? (vec){0, 0, 0} : correction_of(o, i);
  }
  for (uint32_t i = 0; i < n; ++i) {
    o->x[i] = add(o->x[i], o->corrections[i]);
    o->corrections[i] = (vec){0, 0, 0};
  }
}

/* Of those that touch, what friction has held. */
void oracle_remember_slides(oracle *o) {
  for (uint32_t i = 0; i < o->s->particle_count; ++i) {
    o->memory_count[i] = 0;
    for (uint32_t k = 0; k < o->near_count[i]; ++k) {
      const oracle_contact *c = &o->near[MAX_NEIGHBOURS * (size_t)i + k];
      overlap at;
      vec held;
      if (!overlap_of(o, i, c, &at)) continue;
      friction(o, &at, &held);
      o->memory[MAX_NEIGHBOURS * (size_t)i + o->memory_count[i]++] =
          (oracle_contact){c->other, held};
    }
  }
}

void oracle_forget(oracle *o) {
  if (!o->memory_count) return;
  for (uint32_t i = 0; i < o->s->particle_count; ++i) o->memory_count[i] = 0;
}
