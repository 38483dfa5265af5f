/* self_cook.c: tables that self-collision derives from the rest pose. */
#include "self_cook_internal.h"

#include <stdlib.h>
#include <string.h>

#include "sets.h"

/* ---- edges ---- */

typedef struct end {
  uint32_t high, half; /* half: 3 * triangle + edge */
} end;

static int by_high(const void *a, const void *b) {
  const end *x = a, *y = b;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->half < y->half ? -1 : x->half > y->half;
}

/* Edges by lower end, then by higher end; equal ones by triangle. */
typedef struct edges {
  uint32_t *first; /* [particles + 1] */
  end *ends;       /* [3 triangles] */
} edges;

static uint32_t low_of(const uint32_t *c, uint32_t k) {
  return c[k] < c[(k + 1) % 3] ? c[k] : c[(k + 1) % 3];
}

static uint32_t high_of(const uint32_t *c, uint32_t k) {
  return c[k] < c[(k + 1) % 3] ? c[(k + 1) % 3] : c[k];
}

static void sort_ends(end *ends, uint32_t count) {
  if (count > 32) {
    qsort(ends, count, sizeof *ends, by_high);
    return;
  }
  for (uint32_t i = 1; i < count; ++i) {
    end moved = ends[i];
    uint32_t k = i;
    for (; k > 0 && by_high(&ends[k - 1], &moved) > 0; --k) ends[k] = ends[k - 1];
    ends[k] = moved;
  }
}

static edges sorted_edges(const weft_self_surface *s) {
  edges e = {weft_alloc((size_t)s->particles + 2, sizeof(uint32_t)),
             weft_alloc(3 * (size_t)s->triangles, sizeof(end))};
  for (size_t t = 0; t < s->triangles; ++t) {
    for (uint32_t k = 0; k < 3; ++k) ++e.first[low_of(&s->corners[3 * t], k) + 2];
  }
  for (size_t i = 2; i < (size_t)s->particles + 2; ++i) e.first[i] += e.first[i - 1];
  for (size_t t = 0; t < s->triangles; ++t) {
    const uint32_t *c = &s->corners[3 * t];
    for (uint32_t k = 0; k < 3; ++k) {
      e.ends[e.first[low_of(c, k) + 1]++] = (end){high_of(c, k), (uint32_t)(3 * t) + k};
    }
  }
  for (size_t i = 0; i < s->particles; ++i) {
    sort_ends(e.ends + e.first[i], e.first[i + 1] - e.first[i]);
  }
  return e;
}

static void free_edges(edges *e) {
  weft_free(e->first);
  weft_free(e->ends);
}

/* Whether two triangles run along their common edge in opposite senses. */
static bool is_crossed(const weft_self_surface *s, uint32_t a, uint32_t b) {
  const uint32_t *c = s->corners;
  return a / 3 != b / 3 && c[a] != c[b] && c[a] != c[a / 3 * 3 + (a + 1) % 3];
}

static void join_across(weft_cook *cook, const edges *e) {
  const weft_self_surface *s = cook->surface;
  cook->across = weft_alloc(3 * (size_t)s->triangles, sizeof(uint32_t));
  memset(cook->across, 0xff, 3 * (size_t)s->triangles * sizeof(uint32_t));
  for (size_t i = 0; i < s->particles; ++i) {
    for (uint32_t k = e->first[i], next; k < e->first[i + 1]; k = next) {
      for (next = k + 1; next < e->first[i + 1] && e->ends[next].high == e->ends[k].high;) ++next;
      uint32_t a = e->ends[k].half, b = e->ends[next - 1].half;
      if (next - k != 2 || !is_crossed(s, a, b)) continue;
      cook->across[a] = b;
      cook->across[b] = a;
    }
  }
}

static void mark_borders(weft_cook *cook) {
  const weft_self_surface *s = cook->surface;
  cook->border = weft_alloc(s->particles, sizeof *cook->border);
  for (size_t t = 0; t < s->triangles; ++t) {
    for (size_t k = 0; k < 3; ++k) {
      if (cook->across[3 * t + k] != WEFT_COOK_NONE) continue;
      cook->border[s->corners[3 * t + k]] = true;
      cook->border[s->corners[3 * t + (k + 1) % 3]] = true;
    }
  }
}

/* ---- triangles in their slots ---- */

static void fill_triangles(weft_cook *cook) {
  weft_self_cooked *out = cook->out;
  size_t places = (size_t)WEFT_SELF_PATCH * out->patches;
  out->triangles = weft_alloc(places, sizeof *out->triangles);
  for (size_t i = 0; i < places; ++i) {
    uint32_t t = out->order[i], bits = 0;
    if (t == WEFT_COOK_NONE) {
      t = out->order[i / WEFT_SELF_PATCH * WEFT_SELF_PATCH];
      bits = WEFT_SELF_EMPTY;
    }
    if (t >= cook->surface->cloth_triangles) bits |= WEFT_SELF_BODY;
    const uint32_t *c = weft_cook_corners(cook, t);
    out->triangles[i].corners = (weft_uvec3){c[0], c[1], c[2]};
    out->triangles[i].flags = bits;
  }
}

/* A vertex or an edge is owned by the first slot that has it. */
static void fill_owners(weft_cook *cook, const edges *e) {
  const weft_self_surface *s = cook->surface;
  weft_self_triangle *triangles = cook->out->triangles;
  for (size_t i = 0; i < s->particles; ++i) {
    if (cook->corner_first[i] < cook->corner_first[i + 1]) {
      uint32_t at = cook->corners_at[cook->corner_first[i]];
      triangles[at / 4].flags |= 1u << at % 4;
    }
    for (uint32_t k = e->first[i], next; k < e->first[i + 1]; k = next) {
      uint32_t owner = e->ends[k].half;
      for (next = k + 1; next < e->first[i + 1] && e->ends[next].high == e->ends[k].high; ++next) {
        uint32_t other = e->ends[next].half;
        if (cook->place[other / 3] < cook->place[owner / 3]) owner = other;
      }
      triangles[cook->place[owner / 3]].flags |= 8u << owner % 3;
    }
  }
}

/* A triangle that names a particle twice counts once. */
static bool is_first(const uint32_t *c, uint32_t k) {
  for (uint32_t i = 0; i < k; ++i) {
    if (c[i] == c[k]) return false;
  }
  return true;
}

static void list_corners(weft_cook *cook) {
  const weft_self_surface *s = cook->surface;
  const weft_self_cooked *out = cook->out;
  cook->corner_first = weft_alloc((size_t)s->particles + 2, sizeof(uint32_t));
  cook->corners_at = weft_alloc(3 * (size_t)s->triangles, sizeof(uint32_t));
  for (size_t t = 0; t < s->triangles; ++t) {
    const uint32_t *c = &s->corners[3 * t];
    for (uint32_t k = 0; k < 3; ++k) cook->corner_first[c[k] + 2] += is_first(c, k);
  }
  for (size_t i = 2; i < (size_t)s->particles + 2; ++i) {
    cook->corner_first[i] += cook->corner_first[i - 1];
  }
  for (uint32_t place = 0; place < WEFT_SELF_PATCH * out->patches; ++place) {
    if (out->order[place] == WEFT_COOK_NONE) continue;
    const uint32_t *c = weft_cook_corners(cook, out->order[place]);
    for (uint32_t k = 0; k < 3; ++k) {
      if (is_first(c, k)) cook->corners_at[cook->corner_first[c[k] + 1]++] = 4 * place + k;
    }
  }
}

static void number_pieces(weft_cook *cook) {
  const weft_self_surface *s = cook->surface;
  uint32_t *sets = weft_sets(s->particles), count = 0;
  for (size_t t = 0; t < s->triangles; ++t) {
    for (uint32_t k = 1; k < 3; ++k) {
      weft_set_join(sets, s->corners[3 * t], s->corners[3 * t + k]);
    }
  }
  cook->out->piece = weft_alloc(s->particles, sizeof(uint32_t));
  for (uint32_t i = 0; i < s->particles; ++i) { /* the lowest particle of a set is its root */
    uint32_t root = weft_set_root(sets, i);
    cook->out->piece[i] = root == i ? count++ : cook->out->piece[root];
  }
  weft_free(sets);
}

/* ---- particles of patches ---- */

static int by_number(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void list_members(weft_cook *cook) {
  size_t count = 0, room = 0;
  cook->members_first = weft_alloc((size_t)cook->cloth_patches + 1, sizeof(uint32_t));
  for (uint32_t r = 0; r < cook->cloth_patches; ++r) {
    uint32_t all[3 * WEFT_SELF_PATCH], n = 0;
    for (uint32_t i = WEFT_SELF_PATCH * r; i < WEFT_SELF_PATCH * (r + 1); ++i) {
      if (cook->out->order[i] == WEFT_COOK_NONE) continue;
      memcpy(&all[n], weft_cook_corners(cook, cook->out->order[i]), 3 * sizeof *all);
      n += 3;
    }
    qsort(all, n, sizeof *all, by_number);
    weft_grow((void **)&cook->members, &room, count + n, sizeof *cook->members);
    for (uint32_t i = 0; i < n; ++i) {
      if (i == 0 || all[i] != all[i - 1]) cook->members[count++] = all[i];
    }
    cook->members_first[r + 1] = (uint32_t)count;
  }
}

weft_self_cooked weft_self_cook(const weft_self_surface *surface) {
  weft_self_cooked out = {0};
  weft_cook cook = {.surface = surface, .out = &out};
  edges e = sorted_edges(surface);
  join_across(&cook, &e);
  mark_borders(&cook);
  weft_cook_patches(&cook);
  fill_triangles(&cook);
  list_corners(&cook);
  fill_owners(&cook, &e);
  free_edges(&e);
  number_pieces(&cook);
  list_members(&cook);
  weft_cook_planes(&cook);
  weft_cook_stars(&cook);
  weft_cook_beside(&cook);
  weft_free(cook.across);
  weft_free(cook.border);
  weft_free(cook.place);
  weft_free(cook.planes);
  weft_free(cook.corner_first);
  weft_free(cook.corners_at);
  weft_free(cook.members_first);
  weft_free(cook.members);
  return out;
}

void weft_self_cooked_free(weft_self_cooked *cooked) {
  weft_free(cooked->order);
  weft_free(cooked->triangles);
  weft_free(cooked->patch);
  weft_free(cooked->piece);
  weft_free(cooked->beside);
  weft_free(cooked->hulls);
  weft_free(cooked->shared);
  weft_free(cooked->stars);
  weft_free(cooked->fans);
  *cooked = (weft_self_cooked){0};
}
