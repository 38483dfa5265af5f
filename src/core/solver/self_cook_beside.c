/* self_cook_beside.c: pairs of patches that are tested by certificate. */
#include "self_cook_hulls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranges.h"

/* Patches that share particles with each patch, itself included, ascending. */
typedef struct rings {
  uint32_t *first; /* [cloth_patches + 1] */
  uint32_t *patch;
} rings;

static int by_number(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static rings find_rings(const weft_cook *cook) {
  rings r = {weft_alloc((size_t)cook->cloth_patches + 1, sizeof(uint32_t)), NULL};
  uint32_t *stamp = weft_alloc(cook->cloth_patches, sizeof *stamp);
  size_t count = 0, room = 0;
  for (uint32_t p = 0; p < cook->cloth_patches; ++p) {
    for (uint32_t i = cook->members_first[p]; i < cook->members_first[p + 1]; ++i) {
      uint32_t particle = cook->members[i];
      for (uint32_t k = cook->corner_first[particle]; k < cook->corner_first[particle + 1]; ++k) {
        uint32_t other = cook->corners_at[k] / (4 * WEFT_SELF_PATCH);
        if (stamp[other] == p + 1) continue;
        stamp[other] = p + 1;
        weft_grow((void **)&r.patch, &room, count + 1, sizeof *r.patch);
        r.patch[count++] = other;
      }
    }
    qsort(r.patch + r.first[p], count - r.first[p], sizeof *r.patch, by_number);
    r.first[p + 1] = (uint32_t)count;
  }
  weft_free(stamp);
  return r;
}

/* ---- near patches that share no particle ---- */

static double outside(double x, double low, double high) {
  return fmax(0, fmax(low - x, x - high));
}

static bool is_near_box(weft_vec3d p, const weft_cook_plane *plane, double reach) {
  weft_vec3d d =
      weft_v3d(outside(p.x, plane->low.x, plane->high.x), outside(p.y, plane->low.y, plane->high.y),
               outside(p.z, plane->low.z, plane->high.z));
  return weft_v3d_dot(d, d) <= reach * reach;
}

/* Whether particles are nearer than a quarter of a patch. */
static bool are_near(const weft_cook *cook, uint32_t a, uint32_t b) {
  const weft_vec3d *x = cook->surface->positions;
  double reach = 0.25 * fmin(cook->planes[a].extent, cook->planes[b].extent);
  for (uint32_t i = cook->members_first[a]; i < cook->members_first[a + 1]; ++i) {
    weft_vec3d p = x[cook->members[i]];
    if (!is_near_box(p, &cook->planes[b], reach)) continue;
    for (uint32_t k = cook->members_first[b]; k < cook->members_first[b + 1]; ++k) {
      if (weft_v3d_distance(p, x[cook->members[k]]) <= reach) return true;
    }
  }
  return false;
}

/* ---- the list of a range of patches ---- */

typedef struct list {
  weft_self_adjacent *pairs;
  weft_self_hull *hulls;
  uint32_t *shared;
  uint32_t pair_count, hull_count, shared_count;
  size_t pair_room, hull_room, shared_room;
} list;

static void add_hull(list *l, const weft_self_hull *entries, uint32_t count) {
  weft_grow((void **)&l->hulls, &l->hull_room, (size_t)l->hull_count + count, sizeof *l->hulls);
  if (count > 0) memcpy(l->hulls + l->hull_count, entries, count * sizeof *entries);
  l->hull_count += count;
}

static void add_shared(list *l, const weft_cook *cook, uint32_t a, uint32_t b) {
  uint32_t i = cook->members_first[a], k = cook->members_first[b];
  weft_grow((void **)&l->shared, &l->shared_room, (size_t)l->shared_count + 3 * WEFT_SELF_PATCH,
            sizeof *l->shared);
  while (i < cook->members_first[a + 1] && k < cook->members_first[b + 1]) {
    if (cook->members[i] == cook->members[k]) l->shared[l->shared_count++] = cook->members[i];
    bool up = cook->members[i] <= cook->members[k], other = cook->members[i] >= cook->members[k];
    i += up;
    k += other;
  }
}

/* A pair with shared particles is always listed. */
static void add_pair(list *l, weft_cook_viewer *v, uint32_t a, uint32_t b, bool always) {
  weft_self_hull from[WEFT_COOK_HULL_PATCHES], back[WEFT_COOK_HULL_PATCHES];
  uint32_t from_first = weft_cook_hull(v, a, b, from);
  uint32_t from_second = a == b ? 0 : weft_cook_hull(v, b, a, back);
  if (!always && from_first + from_second == 0) return;
  weft_self_adjacent pair = {.first = a,
                             .second = b,
                             .hulls = l->hull_count,
                             .from_first = from_first,
                             .from_second = from_second,
                             .particles = l->shared_count};
  add_hull(l, from, from_first);
  add_hull(l, back, from_second);
  if (always) add_shared(l, v->cook, a, b);
  pair.particle_count = l->shared_count - pair.particles;
  weft_grow((void **)&l->pairs, &l->pair_room, (size_t)l->pair_count + 1, sizeof *l->pairs);
  l->pairs[l->pair_count++] = pair;
}

typedef struct listing {
  const weft_cook *cook;
  const double *area2;
  rings rings;
  list lists[WEFT_RANGES_MAX];
} listing;

typedef struct beside {
  uint32_t patch;
  bool shares;
} beside;

static int by_patch(const void *a, const void *b) {
  const beside *x = a, *y = b;
  return x->patch < y->patch ? -1 : x->patch > y->patch;
}

static void add_beside(beside **found, uint32_t *count, size_t *room, beside item) {
  weft_grow((void **)found, room, (size_t)*count + 1, sizeof **found);
  (*found)[(*count)++] = item;
}

/* Neighbours, and neighbours of these that are near; only those not before it. */
static uint32_t find_beside(const listing *g, uint32_t patch, uint32_t *stamp, beside **found,
                            size_t *room) {
  const rings *r = &g->rings;
  uint32_t count = 0;
  for (uint32_t i = r->first[patch]; i < r->first[patch + 1]; ++i) {
    stamp[r->patch[i]] = patch + 1;
    if (r->patch[i] >= patch) add_beside(found, &count, room, (beside){r->patch[i], true});
  }
  for (uint32_t i = r->first[patch]; i < r->first[patch + 1]; ++i) {
    for (uint32_t k = r->first[r->patch[i]]; k < r->first[r->patch[i] + 1]; ++k) {
      uint32_t other = r->patch[k];
      if (other <= patch || stamp[other] == patch + 1) continue;
      stamp[other] = patch + 1;
      if (!g->cook->planes[other].sound || !are_near(g->cook, patch, other)) continue;
      add_beside(found, &count, room, (beside){other, false});
    }
  }
  qsort(*found, count, sizeof **found, by_patch);
  return count;
}

static void list_range(void *context, uint32_t part, size_t first, size_t end) {
  listing *g = context;
  weft_cook_viewer *v = weft_cook_viewer_create(g->cook, g->area2);
  uint32_t *stamp = weft_alloc(g->cook->cloth_patches, sizeof *stamp);
  beside *found = NULL;
  size_t room = 0;
  for (uint32_t patch = (uint32_t)first; patch < end; ++patch) {
    uint32_t count = find_beside(g, patch, stamp, &found, &room);
    weft_self_patch *out = &g->cook->out->patch[patch];
    for (uint32_t i = 0; i < count; ++i) {
      if (!found[i].shares && !g->cook->planes[patch].sound) continue;
      uint32_t before = g->lists[part].pair_count;
      add_pair(&g->lists[part], v, patch, found[i].patch, found[i].shares);
      out->beside_count += g->lists[part].pair_count - before;
    }
  }
  weft_free(found);
  weft_free(stamp);
  weft_cook_viewer_free(v);
}

/* ---- concatenation ---- */

static void join_lists(weft_self_cooked *out, list *lists, uint32_t parts) {
  for (uint32_t k = 0; k < parts; ++k) {
    out->beside_count += lists[k].pair_count;
    out->hull_count += lists[k].hull_count;
    out->shared_count += lists[k].shared_count;
  }
  out->beside = weft_alloc(out->beside_count, sizeof *out->beside);
  out->hulls = weft_alloc(out->hull_count, sizeof *out->hulls);
  out->shared = weft_alloc(out->shared_count, sizeof *out->shared);
  uint32_t pairs = 0, hulls = 0, shared = 0;
  for (uint32_t k = 0; k < parts; ++k) {
    list *l = &lists[k];
    for (uint32_t i = 0; i < l->pair_count; ++i) {
      weft_self_adjacent pair = l->pairs[i];
      pair.hulls += hulls;
      pair.particles += shared;
      out->beside[pairs++] = pair;
    }
    for (uint32_t i = 0; i < l->hull_count; ++i) out->hulls[hulls++] = l->hulls[i];
    for (uint32_t i = 0; i < l->shared_count; ++i) out->shared[shared++] = l->shared[i];
    weft_free(l->pairs);
    weft_free(l->hulls);
    weft_free(l->shared);
  }
}

void weft_cook_beside(weft_cook *cook) {
  double *area2 = weft_alloc(cook->surface->cloth_triangles, sizeof *area2);
  for (uint32_t t = 0; t < cook->surface->cloth_triangles; ++t) area2[t] = weft_cook_area2(cook, t);
  listing g = {.cook = cook, .area2 = area2, .rings = find_rings(cook)};
  uint32_t parts = weft_ranges_worth(cook->surface->cloth_triangles);
  weft_ranges_run(cook->cloth_patches, parts, list_range, &g);
  join_lists(cook->out, g.lists, parts);
  uint32_t first = 0;
  for (uint32_t r = 0; r < cook->out->patches; ++r) {
    cook->out->patch[r].beside_first = first;
    first += cook->out->patch[r].beside_count;
  }
  weft_free(g.rings.first);
  weft_free(g.rings.patch);
  weft_free(area2);
}
