/* triangle_tree.c: a binary tree of boxes, halved along the longest side. */
#include "triangle_tree.h"

#include <stdlib.h>

#include "base.h"

enum { LEAF = 4, DEEPEST = 64 };

/* Its triangles are order[first] to order[end - 1]. The left child follows its parent. */
typedef struct node {
  double low[3], high[3];
  uint32_t first, end, right; /* right 0: a leaf */
} node;

struct weft_triangle_tree {
  const weft_vec3d *x;
  const uint32_t *corners;
  uint32_t *order;
  node *nodes;
  uint32_t node_count;
};

/* ---- distances ---- */

static void set_nearest(weft_vec3d p, weft_vec3d a, weft_vec3d b, weft_vec3d c, double wb,
                        double wc, weft_nearest *found) {
  found->weights[0] = 1 - wb - wc;
  found->weights[1] = wb;
  found->weights[2] = wc;
  found->at =
      weft_v3d_add_scaled(weft_v3d_add_scaled(a, wb, weft_v3d_sub(b, a)), wc, weft_v3d_sub(c, a));
  found->distance = weft_v3d_distance(p, found->at);
}

static double part(double of, double whole) { return whole > 0 ? of / whole : 0; }

void weft_nearest_in_triangle(weft_vec3d p, weft_vec3d a, weft_vec3d b, weft_vec3d c,
                              weft_nearest *found) {
  weft_vec3d ab = weft_v3d_sub(b, a), ac = weft_v3d_sub(c, a), ap = weft_v3d_sub(p, a);
  double d1 = weft_v3d_dot(ab, ap), d2 = weft_v3d_dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) {
    set_nearest(p, a, b, c, 0, 0, found);
    return;
  }
  weft_vec3d bp = weft_v3d_sub(p, b), cp = weft_v3d_sub(p, c);
  double d3 = weft_v3d_dot(ab, bp), d4 = weft_v3d_dot(ac, bp);
  double d5 = weft_v3d_dot(ab, cp), d6 = weft_v3d_dot(ac, cp);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d3 >= 0 && d4 <= d3) {
    set_nearest(p, a, b, c, 1, 0, found);
  } else if (d6 >= 0 && d5 <= d6) {
    set_nearest(p, a, b, c, 0, 1, found);
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    set_nearest(p, a, b, c, part(d1, d1 - d3), 0, found);
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    set_nearest(p, a, b, c, 0, part(d2, d2 - d6), found);
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    double w = part(d4 - d3, d4 - d3 + d5 - d6);
    set_nearest(p, a, b, c, 1 - w, w, found);
  } else {
    set_nearest(p, a, b, c, part(vb, va + vb + vc), part(vc, va + vb + vc), found);
  }
}

static double clamped(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

double weft_nearest_of_segments(weft_vec3d p0, weft_vec3d p1, weft_vec3d q0, weft_vec3d q1,
                                double *s, double *t) {
  weft_vec3d d = weft_v3d_sub(p1, p0), e = weft_v3d_sub(q1, q0), r = weft_v3d_sub(p0, q0);
  double a = weft_v3d_dot(d, d), b = weft_v3d_dot(d, e), c = weft_v3d_dot(d, r);
  double f = weft_v3d_dot(e, r), g = weft_v3d_dot(e, e), whole = a * g - b * b;
  *s = clamped(part(b * f - c * g, whole));
  *t = part(b * *s + f, g);
  if (*t < 0 || *t > 1) {
    *t = clamped(*t);
    *s = clamped(part(b * *t - c, a));
  }
  return weft_v3d_distance(weft_v3d_add_scaled(p0, *s, d), weft_v3d_add_scaled(q0, *t, e));
}

/* ---- the tree ---- */

static const double *numbers(const weft_vec3d *p) { return &p->x; }

static void fit(const weft_triangle_tree *tree, node *n) {
  for (int k = 0; k < 3; ++k) n->low[k] = INFINITY, n->high[k] = -INFINITY;
  for (uint32_t i = n->first; i < n->end; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const double *p = numbers(&tree->x[tree->corners[3 * (size_t)tree->order[i] + c]]);
      for (int k = 0; k < 3; ++k) n->low[k] = p[k] < n->low[k] ? p[k] : n->low[k];
      for (int k = 0; k < 3; ++k) n->high[k] = p[k] > n->high[k] ? p[k] : n->high[k];
    }
  }
}

typedef struct keyed {
  double key;
  uint32_t triangle;
} keyed;

static int by_key(const void *left, const void *right) {
  const keyed *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static void swap_items(keyed *a, keyed *b) {
  keyed t = *a;
  *a = *b;
  *b = t;
}

/* Shorter lists are sorted; so is the rest after so many rounds, which only an adversarial list
 * needs. */
enum { FEW = 16, MOST_ROUNDS = 64 };

/* Items before `middle` become those that sorting would put there, in any order (Hoare 1961,
 * "Algorithm 65: find"). */
static void select_before(keyed *items, uint32_t count, uint32_t middle) {
  for (int round = 0; count > FEW && round < MOST_ROUNDS; ++round) {
    keyed *low = items, *high = items + count - 1, *half = items + count / 2;
    if (by_key(half, low) < 0) swap_items(half, low);
    if (by_key(high, half) < 0) swap_items(high, half);
    if (by_key(half, low) < 0) swap_items(half, low);
    const keyed pivot = *half;
    while (low <= high) {
      while (by_key(low, &pivot) < 0) ++low;
      while (by_key(&pivot, high) < 0) --high;
      if (low <= high) swap_items(low++, high--);
    }
    uint32_t before = (uint32_t)(low - items), up_to = (uint32_t)(high + 1 - items);
    if (middle >= up_to && middle <= before) return;
    if (middle < up_to) {
      count = up_to;
    } else {
      items = low;
      count -= before;
      middle -= before;
    }
  }
  qsort(items, count, sizeof *items, by_key);
}

/* Halves a node's triangles by their middles along its longest side. Leaves are sorted by them. */
static void halve_along(weft_triangle_tree *tree, const node *n, uint32_t middle, keyed *room) {
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (n->high[k] - n->low[k] > n->high[axis] - n->low[axis]) axis = k;
  }
  for (uint32_t i = n->first; i < n->end; ++i) {
    const uint32_t *c = &tree->corners[3 * (size_t)tree->order[i]];
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += numbers(&tree->x[c[k]])[axis];
    room[i] = (keyed){sum, tree->order[i]};
  }
  keyed *items = room + n->first;
  uint32_t count = n->end - n->first;
  if (middle - n->first <= LEAF) {
    qsort(items, count, sizeof *items, by_key);
  } else {
    select_before(items, count, middle - n->first);
  }
  for (uint32_t i = n->first; i < n->end; ++i) tree->order[i] = room[i].triangle;
}

static void build(weft_triangle_tree *tree, uint32_t first, uint32_t end, keyed *room) {
  node *n = &tree->nodes[tree->node_count++];
  *n = (node){.first = first, .end = end};
  fit(tree, n);
  if (end - first <= LEAF) return;
  uint32_t middle = first + (end - first) / 2;
  halve_along(tree, n, middle, room);
  build(tree, first, middle, room);
  n->right = tree->node_count;
  build(tree, middle, end, room);
}

weft_triangle_tree *weft_triangle_tree_create(const weft_vec3d *x, const uint32_t *corners,
                                              uint32_t first, uint32_t end) {
  uint32_t count = end - first;
  weft_triangle_tree *tree = weft_alloc(1, sizeof *tree);
  tree->x = x;
  tree->corners = corners;
  tree->order = weft_alloc(count, sizeof *tree->order);
  tree->nodes = weft_alloc(2 * (size_t)count + 1, sizeof *tree->nodes);
  for (uint32_t i = 0; i < count; ++i) tree->order[i] = first + i;
  keyed *room = weft_alloc(count, sizeof *room);
  if (count > 0) build(tree, 0, count, room);
  weft_free(room);
  return tree;
}

void weft_triangle_tree_free(weft_triangle_tree *tree) {
  if (!tree) return;
  weft_free(tree->order);
  weft_free(tree->nodes);
  weft_free(tree);
}

/* Children come after their parents. */
void weft_triangle_tree_fit(weft_triangle_tree *tree) {
  for (uint32_t i = tree->node_count; i-- > 0;) {
    node *n = &tree->nodes[i];
    if (n->right == 0) {
      fit(tree, n);
      continue;
    }
    const node *a = n + 1, *b = &tree->nodes[n->right];
    for (int k = 0; k < 3; ++k) n->low[k] = fmin(a->low[k], b->low[k]);
    for (int k = 0; k < 3; ++k) n->high[k] = fmax(a->high[k], b->high[k]);
  }
}

/* ---- queries ---- */

static double distance_to(const node *n, const double *p) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    double d = fmax(0, fmax(n->low[k] - p[k], p[k] - n->high[k]));
    sum += d * d;
  }
  return sqrt(sum);
}

static void try_leaf(const weft_triangle_tree *tree, const node *n, weft_vec3d point,
                     weft_nearest *best) {
  for (uint32_t i = n->first; i < n->end; ++i) {
    const uint32_t *c = &tree->corners[3 * (size_t)tree->order[i]];
    weft_nearest found = {.triangle = tree->order[i]};
    weft_nearest_in_triangle(point, tree->x[c[0]], tree->x[c[1]], tree->x[c[2]], &found);
    if (found.distance < best->distance) *best = found;
  }
}

bool weft_triangle_tree_nearest(const weft_triangle_tree *tree, weft_vec3d point, double within,
                                weft_nearest *found) {
  *found = (weft_nearest){.triangle = UINT32_MAX, .distance = within};
  uint32_t stack[DEEPEST], depth = 0;
  if (tree->node_count > 0) stack[depth++] = 0;
  while (depth > 0) {
    const node *n = &tree->nodes[stack[--depth]];
    if (distance_to(n, numbers(&point)) >= found->distance) continue;
    if (n->right == 0) {
      try_leaf(tree, n, point, found);
      continue;
    }
    uint32_t a = (uint32_t)(n - tree->nodes) + 1, b = n->right;
    bool swap = distance_to(&tree->nodes[b], numbers(&point)) <
                distance_to(&tree->nodes[a], numbers(&point));
    stack[depth++] = swap ? a : b; /* the nearer child is visited first */
    stack[depth++] = swap ? b : a;
  }
  return found->triangle != UINT32_MAX;
}

void weft_triangle_tree_around(const weft_triangle_tree *tree, weft_vec3d low, weft_vec3d high,
                               double reach, weft_tree_visit *visit, void *context) {
  uint32_t stack[DEEPEST], depth = 0;
  if (tree->node_count > 0) stack[depth++] = 0;
  while (depth > 0) {
    const node *n = &tree->nodes[stack[--depth]];
    bool apart = false;
    for (int k = 0; k < 3; ++k) {
      apart =
          apart || n->low[k] - reach > numbers(&high)[k] || n->high[k] + reach < numbers(&low)[k];
    }
    if (apart) continue;
    if (n->right == 0) {
      for (uint32_t i = n->first; i < n->end; ++i) visit(context, tree->order[i]);
      continue;
    }
    stack[depth++] = n->right;
    stack[depth++] = (uint32_t)(n - tree->nodes) + 1;
  }
}
