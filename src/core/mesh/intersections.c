/* intersections.c: every two triangles whose boxes overlap, each edge of one against the other. */
#include "intersections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjacency.h"
#include "base.h"
#include "mesh_internal.h"
#include "ranges.h"

enum { LEAF = 4, MAX_LEVELS = 40 };

typedef struct box {
  float low[3], high[3];
} box;

/* Triangles along a space-filling curve, and a tree of boxes over them: level 0 has a box for
 * every LEAF triangles, each further level one for every two below. */
typedef struct box_tree {
  uint32_t count;                             /* triangles in the tree */
  uint32_t all;                               /* triangles */
  uint32_t *order;                            /* [count] the triangle at each position of the
                                                 curve */
  box *boxes;                                 /* [count] of triangles, in that order */
  box *nodes;                                 /* of all levels */
  size_t first[MAX_LEVELS], size[MAX_LEVELS]; /* of levels, in nodes */
  int levels;
} box_tree;

/* Results of one range of triangles. */
typedef struct finding {
  weft_intersections sums[2]; /* of cloth and cloth, of cloth and bodies */
  uint8_t *marks;             /* [triangles] bits of these */
  weft_crossing *crossings;   /* [room] if they are asked for */
  size_t count, room;
} finding;

typedef struct search {
  const weft_vec3 *positions;
  const uint32_t *triangles;
  uint32_t bodies_from;
  uint8_t *owned; /* [triangles] bit k: no earlier triangle has the edge that begins at corner k */
  bool lists;     /* crossings are asked for */
  box_tree tree;
  finding parts[WEFT_RANGES_MAX];
} search;

/* ---- the tree ---- */

static box box_of_triangle(const search *s, uint32_t t) {
  box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int c = 0; c < 3; ++c) {
    weft_vec3 x = s->positions[s->triangles[3 * (size_t)t + (size_t)c]];
    const float p[] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; ++k) {
      if (p[k] < b.low[k]) b.low[k] = p[k];
      if (p[k] > b.high[k]) b.high[k] = p[k];
    }
  }
  return b;
}

static box around(box a, const box *b) {
  for (int k = 0; k < 3; ++k) {
    if (b->low[k] < a.low[k]) a.low[k] = b->low[k];
    if (b->high[k] > a.high[k]) a.high[k] = b->high[k];
  }
  return a;
}

static bool overlap(const box *a, const box *b) {
  for (int k = 0; k < 3; ++k) {
    if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
  }
  return true;
}

typedef struct place {
  uint64_t along; /* the curve */
  uint32_t triangle;
} place;

static int by_place(const void *left, const void *right) {
  const place *a = left, *b = right;
  if (a->along != b->along) return a->along < b->along ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Interleaves the bits of three coordinates (Morton 1966), so that neighbours along the curve
 * are near in space. */
static uint64_t along_curve(const box *b, const box *all) {
  enum { BITS = 20 };
  uint32_t cell[3];
  uint64_t along = 0;
  for (int k = 0; k < 3; ++k) {
    double low = (double)all->low[k], extent = (double)all->high[k] - low;
    double middle = ((double)b->low[k] + (double)b->high[k]) / 2 - low;
    cell[k] = extent > 0 ? (uint32_t)(middle / extent * ((1 << BITS) - 1)) : 0;
  }
  for (int bit = BITS - 1; bit >= 0; --bit) {
    for (int k = 0; k < 3; ++k) along = along << 1 | (cell[k] >> bit & 1);
  }
  return along;
}

/* Triangles that name a vertex twice are left out. */
static void order_triangles(const search *s, uint32_t triangle_count, box_tree *tree) {
  box *boxes = weft_alloc(triangle_count, sizeof *boxes);
  place *places = weft_alloc(triangle_count, sizeof *places);
  box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t t = 0; t < triangle_count; ++t) {
    if (weft_triangle_repeats(s->triangles + 3 * (size_t)t)) continue;
    boxes[t] = box_of_triangle(s, t);
    all = around(all, &boxes[t]);
    places[tree->count++].triangle = t;
  }
  for (uint32_t i = 0; i < tree->count; ++i) {
    places[i].along = along_curve(&boxes[places[i].triangle], &all);
  }
  qsort(places, tree->count, sizeof *places, by_place);
  tree->order = weft_alloc(tree->count, sizeof *tree->order);
  tree->boxes = weft_alloc(tree->count, sizeof *tree->boxes);
  for (uint32_t i = 0; i < tree->count; ++i) {
    tree->order[i] = places[i].triangle;
    tree->boxes[i] = boxes[places[i].triangle];
  }
  weft_free(places);
  weft_free(boxes);
}

/* A box for every `each` items of the level below. */
static void fill_level(const box *items, size_t count, size_t each, box *nodes, size_t size) {
  for (size_t n = 0; n < size; ++n) {
    nodes[n] = items[n * each];
    for (size_t i = n * each + 1; i < (n + 1) * each && i < count; ++i) {
      nodes[n] = around(nodes[n], &items[i]);
    }
  }
}

static void build_tree(const search *s, uint32_t triangle_count, box_tree *tree) {
  order_triangles(s, triangle_count, tree);
  tree->all = triangle_count;
  size_t below = tree->count, each = LEAF, total = 0;
  while (tree->count > 0) {
    size_t size = (below + each - 1) / each;
    tree->first[tree->levels] = total;
    tree->size[tree->levels++] = size;
    total += size;
    if (size == 1) break;
    below = size;
    each = 2;
  }
  tree->nodes = weft_alloc(total, sizeof *tree->nodes);
  for (int l = 0; l < tree->levels; ++l) {
    if (l == 0) {
      fill_level(tree->boxes, tree->count, LEAF, tree->nodes, tree->size[0]);
    } else {
      fill_level(tree->nodes + tree->first[l - 1], tree->size[l - 1], 2,
                 tree->nodes + tree->first[l], tree->size[l]);
    }
  }
}

/* ---- edges ---- */

static void find_owned(search *s, uint32_t vertex_count, uint32_t triangle_count) {
  weft_edges edges;
  weft_edges_build(vertex_count, s->triangles, triangle_count, &edges);
  for (uint32_t e = 0; e < edges.count; ++e) {
    const weft_edge *edge = &edges.items[e];
    const uint32_t *t = s->triangles + 3 * (size_t)edge->triangle[0];
    for (int k = 0; k < 3; ++k) { /* the edge that begins at k ends before the opposite corner */
      if (t[(k + 2) % 3] == edge->opposite[0]) s->owned[edge->triangle[0]] |= (uint8_t)(1 << k);
    }
  }
  weft_edges_free(&edges);
}

/* ---- two triangles ---- */

typedef struct corners {
  const uint32_t *vertex; /* [3] */
  double at[3][3];
} corners;

static corners corners_of(const search *s, uint32_t t) {
  corners c = {.vertex = s->triangles + 3 * (size_t)t};
  for (int k = 0; k < 3; ++k) {
    weft_vec3 x = s->positions[c.vertex[k]];
    c.at[k][0] = (double)x.x, c.at[k][1] = (double)x.y, c.at[k][2] = (double)x.z;
  }
  return c;
}

static bool has_vertex(const corners *c, uint32_t vertex) {
  return c->vertex[0] == vertex || c->vertex[1] == vertex || c->vertex[2] == vertex;
}

static bool reaches(const double *p, const double *q, const box *b) {
  for (int k = 0; k < 3; ++k) {
    double low = (double)b->low[k], high = (double)b->high[k];
    if ((p[k] > high && q[k] > high) || (p[k] < low && q[k] < low)) return false;
  }
  return true;
}

static void add_crossing(finding *f, uint32_t a, uint32_t b, uint32_t triangle) {
  if (f->count == f->room) {
    f->room = 2 * f->room + 64;
    weft_crossing *more = weft_alloc(f->room, sizeof *more);
    if (f->count > 0) memcpy(more, f->crossings, f->count * sizeof *more);
    weft_free(f->crossings);
    f->crossings = more;
  }
  f->crossings[f->count++] = (weft_crossing){{a < b ? a : b, a < b ? b : a}, triangle};
}

/* Whether an edge of one meets the other, with no vertex in common; *edges grows by the number
 * of edges that the one owns, and f lists them unless that is NULL. */
static bool edges_meet(const corners *one, uint8_t owned, const corners *other, const box *b,
                       uint64_t *edges, finding *f, uint32_t triangle) {
  bool met = false;
  for (int k = 0; k < 3; ++k) {
    int next = (k + 1) % 3;
    bool own = owned >> k & 1;
    if (met && !own) continue;
    if (has_vertex(other, one->vertex[k]) || has_vertex(other, one->vertex[next])) continue;
    if (!reaches(one->at[k], one->at[next], b)) continue;
    if (!weft_segment_meets_triangle(one->at[k], one->at[next], other->at[0], other->at[1],
                                     other->at[2])) {
      continue;
    }
    met = true;
    *edges += own;
    if (f && own) add_crossing(f, one->vertex[k], one->vertex[next], triangle);
  }
  return met;
}

/* Keeps the first pairs in order. */
static void list(weft_intersections *sums, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a, at = sums->listed;
  while (at > 0 && (sums->pairs[at - 1][0] > low ||
                    (sums->pairs[at - 1][0] == low && sums->pairs[at - 1][1] > high))) {
    --at;
  }
  if (at == WEFT_INTERSECTIONS_LISTED) return;
  if (sums->listed < WEFT_INTERSECTIONS_LISTED) sums->listed++;
  memmove(&sums->pairs[at + 1], &sums->pairs[at], (sums->listed - at - 1) * sizeof sums->pairs[0]);
  sums->pairs[at][0] = low;
  sums->pairs[at][1] = high;
}

static void test_pair(const search *s, finding *f, uint32_t i, const corners *one, uint32_t j) {
  const box_tree *tree = &s->tree;
  uint32_t a = tree->order[i], b = tree->order[j];
  corners other = corners_of(s, b);
  bool with_body = a >= s->bodies_from || b >= s->bodies_from;
  weft_intersections *sums = &f->sums[with_body];
  uint64_t *edges = &sums->edge_triangle_pairs;
  finding *lists = s->lists ? f : NULL;
  bool forth = edges_meet(one, s->owned[a], &other, &tree->boxes[j], edges, lists, b);
  bool back = edges_meet(&other, s->owned[b], one, &tree->boxes[i], edges, lists, a);
  if (!forth && !back) return;
  sums->triangle_pairs++;
  sums->sharing_pairs += has_vertex(one, other.vertex[0]) || has_vertex(one, other.vertex[1]) ||
                         has_vertex(one, other.vertex[2]);
  f->marks[a] |= (uint8_t)(1 << with_body);
  f->marks[b] |= (uint8_t)(1 << with_body);
  list(sums, a, b);
}

/* ---- all pairs ---- */

/* Triangle i of the cloth against those after it, and against all of bodies. */
static void search_from(const search *s, finding *f, uint32_t i) {
  const box_tree *tree = &s->tree;
  bool bodies = s->bodies_from < tree->all;
  if (tree->order[i] >= s->bodies_from) return;
  const box *own = &tree->boxes[i];
  corners one = corners_of(s, tree->order[i]);
  struct {
    int level;
    size_t node;
  } stack[2 * MAX_LEVELS];
  int depth = 0;
  stack[depth].level = tree->levels - 1;
  stack[depth++].node = 0;
  while (depth > 0) {
    int level = stack[--depth].level;
    size_t node = stack[depth].node;
    size_t end = ((node + 1) << level) * LEAF; /* of its triangles */
    if ((end <= i + (size_t)1 && !bodies) || !overlap(own, &tree->nodes[tree->first[level] + node]))
      continue;
    if (level > 0) {
      for (size_t below = 2 * node; below < 2 * node + 2; ++below) {
        if (below >= tree->size[level - 1]) continue;
        stack[depth].level = level - 1;
        stack[depth++].node = below;
      }
      continue;
    }
    for (size_t j = node * LEAF; j < end && j < tree->count; ++j) {
      bool wanted = j > i || tree->order[j] >= s->bodies_from;
      if (wanted && overlap(own, &tree->boxes[j])) test_pair(s, f, i, &one, (uint32_t)j);
    }
  }
}

static void search_range(void *context, uint32_t part, size_t first, size_t end) {
  search *s = context;
  for (size_t i = first; i < end; ++i) search_from(s, &s->parts[part], (uint32_t)i);
}

static void add_part(const weft_intersections *part, weft_intersections *found) {
  found->edge_triangle_pairs += part->edge_triangle_pairs;
  found->triangle_pairs += part->triangle_pairs;
  found->sharing_pairs += part->sharing_pairs;
  for (uint32_t k = 0; k < part->listed; ++k) list(found, part->pairs[k][0], part->pairs[k][1]);
}

static void search_all(search *s, uint32_t triangle_count, uint8_t *marks,
                       weft_intersections *found) {
  uint32_t parts = weft_ranges_worth(s->tree.count);
  for (uint32_t p = 0; p < parts; ++p) s->parts[p].marks = weft_alloc(triangle_count, 1);
  weft_ranges_run(s->tree.count, parts, search_range, s);
  for (uint32_t p = 0; p < parts; ++p) {
    for (int k = 0; k < 2; ++k) add_part(&s->parts[p].sums[k], &found[k]);
  }
  for (uint32_t t = 0; t < triangle_count; ++t) {
    uint8_t marked = 0;
    for (uint32_t p = 0; p < parts; ++p) marked |= s->parts[p].marks[t];
    for (int k = 0; k < 2; ++k) found[k].triangles += marked >> k & 1;
    if (marks) marks[t] = marked != 0;
  }
  for (uint32_t p = 0; p < parts; ++p) weft_free(s->parts[p].marks);
}

static weft_result check_corners(const weft_vec3 *positions, uint32_t vertex_count,
                                 const uint32_t *triangles, uint32_t triangle_count,
                                 weft_error *err) {
  for (size_t c = 0; c < 3 * (size_t)triangle_count; ++c) {
    if (triangles[c] >= vertex_count) {
      return weft_fail(err, WEFT_ERROR_MESH, "triangle %zu names vertex %u, but there are %u",
                       c / 3, triangles[c], vertex_count);
    }
    if (!weft_v3_finite(positions[triangles[c]])) {
      return weft_fail(err, WEFT_ERROR_NOT_FINITE,
                       "vertex %u is infinite or NaN: intersections cannot be counted",
                       triangles[c]);
    }
  }
  return WEFT_OK;
}

static void free_search(search *s) {
  weft_free(s->owned);
  weft_free(s->tree.order);
  weft_free(s->tree.boxes);
  weft_free(s->tree.nodes);
}

/* Counts, and lists if s->lists is set; s holds the triangles. */
static weft_result run_search(search *s, uint32_t vertex_count, uint32_t triangle_count,
                              uint8_t *marks, weft_intersections found[2], weft_error *err) {
  weft_result result = check_corners(s->positions, vertex_count, s->triangles, triangle_count, err);
  if (result != WEFT_OK) return result;
  s->owned = weft_alloc(triangle_count, 1);
  build_tree(s, triangle_count, &s->tree);
  find_owned(s, vertex_count, triangle_count);
  if (s->tree.count > 0) search_all(s, triangle_count, marks, found);
  return WEFT_OK;
}

weft_result weft_count_intersections_with(const weft_vec3 *positions, uint32_t vertex_count,
                                          const uint32_t *triangles, uint32_t triangle_count,
                                          uint32_t bodies_from, uint8_t *marks,
                                          weft_intersections found[2], weft_error *err) {
  WEFT_NEED(found);
  found[0] = found[1] = (weft_intersections){0};
  if (marks) memset(marks, 0, triangle_count);
  WEFT_NEED_ITEMS(positions, vertex_count);
  WEFT_NEED_ITEMS(triangles, triangle_count);
  search s = {.positions = positions, .triangles = triangles, .bodies_from = bodies_from};
  weft_result result = run_search(&s, vertex_count, triangle_count, marks, found, err);
  if (result != WEFT_OK) return result;
  free_search(&s);
  return WEFT_OK;
}

static int by_edge(const void *left, const void *right) {
  const weft_crossing *a = left, *b = right;
  if (a->edge[0] != b->edge[0]) return a->edge[0] < b->edge[0] ? -1 : 1;
  if (a->edge[1] != b->edge[1]) return a->edge[1] < b->edge[1] ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Concatenates the results of all ranges. */
static weft_crossing *gather(search *s, size_t *count) {
  *count = 0;
  for (int p = 0; p < WEFT_RANGES_MAX; ++p) *count += s->parts[p].count;
  weft_crossing *all = weft_alloc(*count, sizeof *all);
  size_t at = 0;
  for (int p = 0; p < WEFT_RANGES_MAX; ++p) {
    size_t n = s->parts[p].count;
    if (n > 0) memcpy(all + at, s->parts[p].crossings, n * sizeof *all);
    weft_free(s->parts[p].crossings);
    at += n;
  }
  qsort(all, *count, sizeof *all, by_edge);
  return all;
}

weft_result weft_list_crossings(const weft_vec3 *positions, uint32_t vertex_count,
                                const uint32_t *triangles, uint32_t triangle_count,
                                uint32_t bodies_from, weft_crossing **crossings, size_t *count,
                                weft_error *err) {
  WEFT_NEED(crossings);
  WEFT_NEED(count);
  *crossings = NULL;
  *count = 0;
  WEFT_NEED_ITEMS(positions, vertex_count);
  WEFT_NEED_ITEMS(triangles, triangle_count);
  search s = {
      .positions = positions, .triangles = triangles, .bodies_from = bodies_from, .lists = true};
  weft_intersections found[2] = {0};
  weft_result result = run_search(&s, vertex_count, triangle_count, NULL, found, err);
  if (result != WEFT_OK) return result;
  *crossings = gather(&s, count);
  free_search(&s);
  return WEFT_OK;
}

weft_result weft_count_intersections(const weft_vec3 *positions, uint32_t vertex_count,
                                     const uint32_t *triangles, uint32_t triangle_count,
                                     uint8_t *marks, weft_intersections *found, weft_error *err) {
  WEFT_NEED(found);
  *found = (weft_intersections){0};
  weft_intersections both[2] = {0};
  weft_result result = weft_count_intersections_with(
      positions, vertex_count, triangles, triangle_count, triangle_count, marks, both, err);
  *found = both[0];
  return result;
}
