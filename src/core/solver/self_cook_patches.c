/* self_cook_patches.c: clusters triangles into patches.
 *
 * Triangles connected by edges are halved along the longest side of their box, preferably
 * between two rows, until a patch can hold them. Fragments that a cut separates go to a
 * neighbouring patch with free slots. Tiny pieces share patches. */
#include "self_cook_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranges.h"

/* ---- halving ---- */

static bool is_before(const weft_cook_item *a, const weft_cook_item *b, int axis) {
  if (a->at[axis] != b->at[axis]) return a->at[axis] < b->at[axis];
  return a->id < b->id;
}

static void swap_items(weft_cook_item *a, weft_cook_item *b) {
  weft_cook_item kept = *a;
  *a = *b;
  *b = kept;
}

/* The median of the first, the middle and the last. */
static weft_cook_item pivot_of(const weft_cook_item *items, size_t count, int axis) {
  const weft_cook_item *a = items, *b = items + count / 2, *c = items + count - 1;
  if (is_before(b, a, axis)) {
    const weft_cook_item *d = a;
    a = b;
    b = d;
  }
  if (is_before(c, b, axis)) b = is_before(c, a, axis) ? a : c;
  return *b;
}

/* Moves the `nth` smallest items to the front (Hoare 1961, "Algorithm 65: Find"). */
static void part_items(weft_cook_item *items, size_t count, size_t nth, int axis) {
  while (count > 1 && nth > 0 && nth < count) {
    weft_cook_item pivot = pivot_of(items, count, axis);
    ptrdiff_t i = 0, j = (ptrdiff_t)count - 1;
    while (i <= j) {
      while (is_before(&items[i], &pivot, axis)) ++i;
      while (is_before(&pivot, &items[j], axis)) --j;
      if (i <= j) swap_items(&items[i++], &items[j--]);
    }
    if ((ptrdiff_t)nth <= j) {
      count = (size_t)j + 1;
    } else if ((ptrdiff_t)nth >= i) {
      items += i;
      count -= (size_t)i;
      nth -= (size_t)i;
    } else {
      return;
    }
  }
}

/* Axis along which these items extend most. */
static int longest_of(const weft_cook_item *items, size_t count, int axes) {
  double low[6], high[6];
  int longest = 0;
  for (int k = 0; k < axes; ++k) low[k] = high[k] = items[0].at[k];
  for (size_t i = 1; i < count; ++i) {
    for (int k = 0; k < axes; ++k) {
      double x = items[i].at[k];
      low[k] = x < low[k] ? x : low[k];
      high[k] = x > high[k] ? x : high[k];
    }
  }
  for (int k = 1; k < axes; ++k) {
    if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
  }
  return longest;
}

void weft_cook_halve(weft_cook_item *items, size_t count) {
  while (count > WEFT_SELF_FAN) {
    size_t block = WEFT_SELF_FAN;
    while (block * WEFT_SELF_FAN < count) block *= WEFT_SELF_FAN;
    size_t left = (count + block) / (2 * block) * block;
    if (left == 0) left = block;
    part_items(items, count, left, longest_of(items, count, 3));
    weft_cook_halve(items, left);
    items += left;
    count -= left;
  }
}

/* ---- cutting between rows ---- */

#define BY_AXIS(name, axis) \
  static int name(const void *a, const void *b) { return is_before(a, b, axis) ? -1 : 1; }
BY_AXIS(by_x, 0)
BY_AXIS(by_y, 1)
BY_AXIS(by_z, 2)
BY_AXIS(by_look_x, 3)
BY_AXIS(by_look_y, 4)
BY_AXIS(by_look_z, 5)
static int (*const by_axis[6])(const void *, const void *) = {by_x,      by_y,      by_z,
                                                              by_look_x, by_look_y, by_look_z};

/* The widest gap that leaves between low and high items on the left, weighted towards the
 * middle. */
static size_t cut_of(weft_cook_item *items, size_t count, size_t low, size_t high, int axis) {
  if (low >= high) {
    part_items(items, count, low, axis);
    return low;
  }
  part_items(items, count, low - 1, axis);
  part_items(items + low - 1, count - low + 1, high - low + 2, axis);
  qsort(items + low - 1, high - low + 2, sizeof *items, by_axis[axis]);
  size_t best = (low + high) / 2;
  double widest = -1, middle = 0.5 * (double)(low + high), half = 0.5 * (double)(high - low);
  for (size_t m = low; m <= high; ++m) {
    double gap = items[m].at[axis] - items[m - 1].at[axis];
    gap *= 1 - 0.5 * fabs((double)m - middle) / half;
    if (gap > widest) best = m;
    widest = gap > widest ? gap : widest;
  }
  return best;
}

/* The most and the least triangles for so many patches. */
static size_t most_of(size_t patches) { return patches == 1 ? WEFT_SELF_PATCH : patches * 63; }

static size_t least_of(size_t patches) { return patches * (patches == 1 ? 48 : 54); }

/* Large pieces get more patches than needed, so that these have free slots. */
static size_t patches_for(size_t count) {
  size_t spare = count < 512 ? 0 : count < 2048 ? 2 : 6;
  return (count + WEFT_SELF_PATCH - spare - 1) / (WEFT_SELF_PATCH - spare);
}

typedef struct cutting {
  uint32_t *part; /* [triangles] */
  uint32_t parts;
} cutting;

/* The size of the left side such that both sides are within bounds, up to a row more or less. */
static size_t cut_rows(weft_cook_item *items, size_t count, size_t patches, int axis) {
  size_t a = patches / 2, b = patches - a;
  size_t ideal = (count * a + patches / 2) / patches, slack = (size_t)(3 * sqrt((double)count));
  size_t low = least_of(a), high = most_of(a);
  if (count > most_of(b) && count - most_of(b) > low) low = count - most_of(b);
  if (count < least_of(b) + high) high = count > least_of(b) ? count - least_of(b) : 0;
  if (low + slack < ideal) low = ideal - slack;
  if (high > ideal + slack) high = ideal + slack;
  if (low > ideal || high < ideal || low == 0 || high >= count) low = high = ideal;
  return cut_of(items, count, low, high, axis);
}

/* Cuts in two; *of_left and *of_right: patches of both sides. Returns the size of the left one.
 * Cut along a direction of the normals, patches may be less full. */
static size_t cut_once(weft_cook_item *items, size_t count, size_t patches, size_t *of_left,
                       size_t *of_right) {
  int axis = longest_of(items, count, 6);
  size_t left = axis < 3 ? cut_rows(items, count, patches, axis)
                         : cut_of(items, count, count / 4, count - count / 4, axis);
  *of_left = axis < 3 ? patches / 2 : patches_for(left);
  *of_right = axis < 3 ? patches - *of_left : patches_for(count - left);
  return left;
}

static void cut(cutting *c, weft_cook_item *items, size_t count, size_t patches) {
  while (patches > 1) {
    size_t of_left, of_right, left = cut_once(items, count, patches, &of_left, &of_right);
    cut(c, items, left, of_left);
    items += left;
    count -= left;
    patches = of_right;
  }
  for (size_t i = 0; i < count; ++i) c->part[items[i].id] = c->parts;
  ++c->parts;
}

/* One of two sides cut in parallel, its parts counted from 0. */
typedef struct sides {
  cutting of[2];
  weft_cook_item *items[2];
  size_t count[2], patches[2];
  uint32_t threads;
} sides;

static void cut_widely(cutting *c, weft_cook_item *items, size_t count, size_t patches,
                       uint32_t threads);

static void cut_side(void *context, uint32_t k, size_t first, size_t end) {
  sides *s = context;
  (void)first, (void)end;
  cut_widely(&s->of[k], s->items[k], s->count[k], s->patches[k], s->threads);
}

/* The same as cut, with so many threads. */
static void cut_widely(cutting *c, weft_cook_item *items, size_t count, size_t patches,
                       uint32_t threads) {
  if (threads < 2 || patches < 2) {
    cut(c, items, count, patches);
    return;
  }
  sides s = {.of = {{c->part, 0}, {c->part, 0}}, .items[0] = items, .threads = (threads + 1) / 2};
  s.count[0] = cut_once(items, count, patches, &s.patches[0], &s.patches[1]);
  s.count[1] = count - s.count[0];
  s.items[1] = items + s.count[0];
  weft_ranges_run(2, 2, cut_side, &s);
  for (size_t i = 0; i < count; ++i) {
    c->part[items[i].id] += c->parts + (i < s.count[0] ? 0 : s.of[0].parts);
  }
  c->parts += s.of[0].parts + s.of[1].parts;
}

/* ---- connected components ---- */

static weft_vec3d normal_of(const weft_cook *cook, uint32_t t) {
  weft_vec3d a = weft_cook_corner(cook, t, 0);
  return weft_v3d_cross(weft_v3d_sub(weft_cook_corner(cook, t, 1), a),
                        weft_v3d_sub(weft_cook_corner(cook, t, 2), a));
}

/* Twice the middle of a triangle's box: the same for both halves of a square. */
static weft_cook_item item_of(const weft_cook *cook, uint32_t t, double look) {
  weft_vec3d a = weft_cook_corner(cook, t, 0), b = weft_cook_corner(cook, t, 1);
  weft_vec3d c = weft_cook_corner(cook, t, 2), n = normal_of(cook, t);
  double length = weft_v3d_length(n);
  n = weft_v3d_scale(n, length > 0 ? look / length : 0);
  return (weft_cook_item){{fmin(a.x, fmin(b.x, c.x)) + fmax(a.x, fmax(b.x, c.x)),
                           fmin(a.y, fmin(b.y, c.y)) + fmax(a.y, fmax(b.y, c.y)),
                           fmin(a.z, fmin(b.z, c.z)) + fmax(a.z, fmax(b.z, c.z)), n.x, n.y, n.z},
                          t};
}

/* Relabels what is connected to a triangle by edges within its part. */
static uint32_t flood(const weft_cook *cook, const uint32_t *part, uint32_t *number, uint32_t of,
                      uint32_t *list) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t k = 0; k < 3; ++k) {
      uint32_t half = cook->across[3 * (size_t)list[i] + k];
      if (half == WEFT_COOK_NONE || number[half / 3] != WEFT_COOK_NONE) continue;
      if (part && part[half / 3] != part[list[i]]) continue;
      number[half / 3] = of;
      list[count++] = half / 3;
    }
  }
  return count;
}

/* Labels of connected components within parts, and their sizes. */
typedef struct groups {
  uint32_t *number; /* [triangles] */
  uint32_t *list;   /* [triangles] by group */
  uint32_t *first;  /* [count + 1] */
  uint32_t count;
} groups;

static groups groups_of(const weft_cook *cook, const uint32_t *part) {
  const weft_self_surface *s = cook->surface;
  groups g = {weft_alloc(s->triangles, sizeof(uint32_t)),
              weft_alloc(s->triangles, sizeof(uint32_t)),
              weft_alloc((size_t)s->triangles + 1, sizeof(uint32_t)), 0};
  memset(g.number, 0xff, s->triangles * sizeof(uint32_t));
  uint32_t done = 0;
  for (uint32_t t = 0; t < s->triangles; ++t) {
    if (g.number[t] != WEFT_COOK_NONE) continue;
    g.number[t] = g.count;
    g.list[done] = t;
    done += flood(cook, part, g.number, g.count, g.list + done);
    g.first[++g.count] = done;
  }
  return g;
}

static void free_groups(groups *g) {
  weft_free(g->number);
  weft_free(g->list);
  weft_free(g->first);
}

enum { TINY = 8 }; /* pieces of fewer triangles share patches */

static size_t take_group(const weft_cook *cook, const groups *g, uint32_t k, double look,
                         weft_cook_item *items) {
  for (uint32_t i = g->first[k]; i < g->first[k + 1]; ++i) {
    items[i - g->first[k]] = item_of(cook, g->list[i], look);
  }
  return g->first[k + 1] - g->first[k];
}

/* The length that a change of the normal by 1 rad counts as: twice the side of a patch. */
static double look_of(const weft_cook *cook, const groups *g, uint32_t k) {
  double area = 0;
  for (uint32_t i = g->first[k]; i < g->first[k + 1]; ++i) {
    area += 0.5 * weft_v3d_length(normal_of(cook, g->list[i]));
  }
  return 2 * 2 * sqrt(WEFT_SELF_PATCH * area / (g->first[k + 1] - g->first[k]));
}

/* Cuts pieces; tiny ones together, those of cloth and those of bodies apart. Returns the number
 * of parts before those of tiny pieces. */
static uint32_t cut_pieces(const weft_cook *cook, cutting *c, const groups *pieces) {
  const weft_self_surface *s = cook->surface;
  weft_cook_item *items = weft_alloc(s->triangles, sizeof *items);
  for (uint32_t k = 0; k < pieces->count; ++k) {
    uint32_t count = pieces->first[k + 1] - pieces->first[k];
    if (count < TINY) continue;
    take_group(cook, pieces, k, look_of(cook, pieces, k), items);
    cut_widely(c, items, count, patches_for(count), weft_ranges_worth(count));
  }
  uint32_t before = c->parts;
  for (int body = 0; body < 2; ++body) {
    size_t count = 0;
    for (uint32_t k = 0; k < pieces->count; ++k) {
      if (pieces->first[k + 1] - pieces->first[k] >= TINY) continue;
      if (body != (pieces->list[pieces->first[k]] >= s->cloth_triangles)) continue;
      count += take_group(cook, pieces, k, 0, items + count);
    }
    if (count > 0) cut(c, items, count, (count - 1) / WEFT_SELF_PATCH + 1);
  }
  weft_free(items);
  return before;
}

/* ---- fragments that cuts separated ---- */

typedef struct mending {
  const weft_cook *cook;
  uint32_t *part;               /* [triangles] */
  uint32_t *head, *tail, *next; /* triangles of parts, as lists */
  uint32_t *size;               /* [parts] 0: merged into another */
} mending;

/* The part with free slots that shares the most edges; NONE if there is none. */
static uint32_t best_beside(const mending *m, uint32_t part) {
  uint32_t beside[3 * WEFT_SELF_PATCH], count = 0;
  for (uint32_t t = m->head[part]; t != WEFT_COOK_NONE; t = m->next[t]) {
    for (uint32_t k = 0; k < 3; ++k) {
      uint32_t half = m->cook->across[3 * (size_t)t + k];
      if (half == WEFT_COOK_NONE || m->part[half / 3] == part) continue;
      uint32_t other = m->part[half / 3];
      if (m->size[other] + m->size[part] <= WEFT_SELF_PATCH) beside[count++] = other;
    }
  }
  uint32_t best = WEFT_COOK_NONE, most = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t edges = 0;
    for (uint32_t k = 0; k < count; ++k) edges += beside[k] == beside[i];
    if (edges > most || (edges == most && beside[i] < best)) best = beside[i];
    if (edges > most) most = edges;
  }
  return best;
}

static void join_parts(mending *m, uint32_t into, uint32_t from) {
  for (uint32_t t = m->head[from]; t != WEFT_COOK_NONE; t = m->next[t]) m->part[t] = into;
  m->next[m->tail[into]] = m->head[from];
  m->tail[into] = m->tail[from];
  m->size[into] += m->size[from];
  m->size[from] = 0;
}

static void list_parts(mending *m, const groups *g) {
  uint32_t n = m->cook->surface->triangles;
  m->part = g->number;
  m->head = weft_alloc(g->count, sizeof(uint32_t));
  m->tail = weft_alloc(g->count, sizeof(uint32_t));
  m->size = weft_alloc(g->count, sizeof(uint32_t));
  m->next = weft_alloc(n, sizeof(uint32_t));
  for (uint32_t k = 0; k < g->count; ++k) {
    for (uint32_t i = g->first[k]; i < g->first[k + 1]; ++i) {
      m->next[g->list[i]] = i + 1 < g->first[k + 1] ? g->list[i + 1] : WEFT_COOK_NONE;
    }
    m->head[k] = g->list[g->first[k]];
    m->tail[k] = g->list[g->first[k + 1] - 1];
    m->size[k] = g->first[k + 1] - g->first[k];
  }
}

/* Merges the smallest first, while a neighbour has free slots. */
static void mend(const weft_cook *cook, groups *g) {
  mending m = {.cook = cook};
  list_parts(&m, g);
  for (uint32_t size = 1; size <= WEFT_SELF_PATCH / 2; ++size) {
    for (uint32_t k = 0; k < g->count; ++k) {
      if (m.size[k] != size) continue;
      uint32_t best = best_beside(&m, k);
      if (best != WEFT_COOK_NONE) join_parts(&m, best, k);
    }
  }
  weft_free(m.head);
  weft_free(m.tail);
  weft_free(m.next);
  weft_free(m.size);
}

/* ---- the order of patches ---- */

/* Parts as ranges of items. */
static uint32_t *runs_of(const weft_cook *cook, const uint32_t *part, uint32_t parts,
                         weft_cook_item *items) {
  const weft_self_surface *s = cook->surface;
  uint32_t *first = weft_alloc((size_t)parts + 2, sizeof *first);
  for (uint32_t t = 0; t < s->triangles; ++t) ++first[part[t] + 2];
  for (uint32_t k = 2; k < parts + 2; ++k) first[k] += first[k - 1];
  for (uint32_t t = 0; t < s->triangles; ++t) items[first[part[t] + 1]++] = item_of(cook, t, 0);
  return first;
}

static weft_cook_item middle_of(const weft_cook_item *items, uint32_t count, uint32_t part) {
  weft_cook_item middle = {.id = part};
  for (uint32_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) middle.at[k] += items[i].at[k] / count;
  }
  return middle;
}

/* Orders parts of cloth, then those of bodies. Returns how many there are. */
static uint32_t order_parts(weft_cook *cook, const weft_cook_item *items, const uint32_t *first,
                            uint32_t parts, weft_cook_item *order) {
  uint32_t count = 0;
  for (int body = 0; body < 2; ++body) {
    uint32_t before = count;
    for (uint32_t k = 0; k < parts; ++k) {
      if (first[k] == first[k + 1]) continue;
      if (body != (items[first[k]].id >= cook->surface->cloth_triangles)) continue;
      order[count++] = middle_of(items + first[k], first[k + 1] - first[k], k);
    }
    weft_cook_halve(order + before, count - before);
    if (body == 0) cook->cloth_patches = count;
  }
  return count;
}

typedef struct placing {
  weft_cook *cook;
  weft_cook_item *items;
  const weft_cook_item *order;
  const uint32_t *first;
} placing;

static void place_range(void *context, uint32_t part, size_t begin, size_t end) {
  const placing *of = context;
  (void)part;
  for (uint32_t p = (uint32_t)begin; p < end; ++p) {
    uint32_t first = of->first[of->order[p].id], count = of->first[of->order[p].id + 1] - first;
    weft_cook_halve(of->items + first, count);
    for (uint32_t i = 0; i < count; ++i) {
      of->cook->out->order[WEFT_SELF_PATCH * p + i] = of->items[first + i].id;
      of->cook->place[of->items[first + i].id] = WEFT_SELF_PATCH * p + i;
    }
  }
}

static void place_parts(weft_cook *cook, const uint32_t *part, uint32_t parts) {
  const weft_self_surface *s = cook->surface;
  weft_self_cooked *out = cook->out;
  weft_cook_item *items = weft_alloc(s->triangles, sizeof *items);
  weft_cook_item *order = weft_alloc(parts, sizeof *order);
  uint32_t *first = runs_of(cook, part, parts, items);
  out->patches = order_parts(cook, items, first, parts, order);
  size_t places = (size_t)WEFT_SELF_PATCH * out->patches;
  out->order = weft_alloc(places, sizeof *out->order);
  memset(out->order, 0xff, places * sizeof *out->order);
  cook->place = weft_alloc(s->triangles, sizeof *cook->place);
  placing of = {cook, items, order, first};
  weft_ranges_run(out->patches, weft_ranges_worth(s->triangles), place_range, &of);
  weft_free(first);
  weft_free(order);
  weft_free(items);
}

/* Parts of tiny pieces are not merged. */
static uint32_t number_tiny(const weft_cook *cook, const cutting *c, uint32_t tiny, groups *g) {
  for (uint32_t t = 0; t < cook->surface->triangles; ++t) {
    if (c->part[t] >= tiny) g->number[t] = g->count + c->part[t] - tiny;
  }
  return g->count + c->parts - tiny;
}

void weft_cook_patches(weft_cook *cook) {
  cutting c = {weft_alloc(cook->surface->triangles, sizeof(uint32_t)), 0};
  groups pieces = groups_of(cook, NULL);
  uint32_t tiny = cut_pieces(cook, &c, &pieces);
  free_groups(&pieces);
  groups g = groups_of(cook, c.part);
  mend(cook, &g);
  uint32_t parts = number_tiny(cook, &c, tiny, &g);
  weft_free(c.part);
  place_parts(cook, g.number, parts);
  free_groups(&g);
}
