/* Meshes for the tests of the model room, built here so that they do not lean on the code that
 * builds meshes for users. */
#ifndef TEST_MODEL_MESHES_H
#define TEST_MODEL_MESHES_H

#include <stdlib.h>
#include <string.h>
#include <weft/model.h>

#include "base.h"

static inline void put_triangle(weft_mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *v = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
  v[0] = a;
  v[1] = b;
  v[2] = c;
}

/* A sheet in the XY plane, row 0 on top, cells dx by dy; rows sqrt(3)/2*dx apart when
 * equilateral. */
static inline weft_mesh test_grid(uint32_t rows, uint32_t columns, weft_grid_pattern pattern,
                                  float dx, float dy) {
  weft_mesh m = {.vertex_count = rows * columns, .grid_rows = rows, .grid_columns = columns};
  m.grid_pattern = pattern;
  m.positions = weft_alloc(m.vertex_count, sizeof *m.positions);
  m.triangles = weft_alloc((size_t)6 * (rows - 1) * (columns - 1), sizeof *m.triangles);
  bool skew = pattern == WEFT_GRID_EQUILATERAL;
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t c = 0; c < columns; ++c) {
      float x = (float)c * dx + (skew && r % 2 ? dx / 2 : 0);
      float y = -(float)r * (skew ? dx * 0.8660254f : dy);
      m.positions[r * columns + c] = weft_v3(x, y, 0);
      if (r + 1 == rows || c + 1 == columns) continue;
      uint32_t a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
      bool falling = pattern == WEFT_GRID_SAME_DIAGONAL
                         ? true
                         : (pattern == WEFT_GRID_EQUILATERAL ? r % 2 == 1 : (r + c) % 2 == 0);
      put_triangle(&m, a, d, falling ? e : b);
      put_triangle(&m, falling ? a : d, e, b);
    }
  }
  return m;
}

static inline void test_mesh_free(weft_mesh *m) {
  weft_free(m->positions);
  weft_free(m->triangles);
  *m = (weft_mesh){0};
}

/* ---- an irregular sheet: a jittered grid whose edges were flipped at random ---- */
typedef struct flip_side {
  uint64_t key;  /* the edge: smaller vertex << 32 | larger */
  uint32_t side; /* 3*triangle + k, the edge from corner k to the next */
} flip_side;

static inline int flip_compare(const void *a, const void *b) {
  const flip_side *x = a, *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* across[3*t + k]: the side of the neighbour on the other side, UINT32_MAX at the border. */
static inline uint32_t *flip_across(const weft_mesh *m) {
  size_t n = 3 * (size_t)m->triangle_count;
  flip_side *sides = weft_alloc(n, sizeof *sides);
  uint32_t *across = weft_alloc(n, sizeof *across);
  for (size_t i = 0; i < n; ++i) {
    uint32_t a = m->triangles[i], b = m->triangles[i % 3 == 2 ? i - 2 : i + 1];
    sides[i].key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    sides[i].side = (uint32_t)i;
  }
  qsort(sides, n, sizeof *sides, flip_compare);
  memset(across, 0xff, n * sizeof *across);
  for (size_t i = 1; i < n; ++i) {
    if (sides[i].key != sides[i - 1].key) continue;
    across[sides[i].side] = sides[i - 1].side;
    across[sides[i - 1].side] = sides[i].side;
  }
  weft_free(sides);
  return across;
}

static inline bool flip_turns_left(const weft_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  weft_vec3 u = weft_v3_sub(m->positions[b], m->positions[a]);
  weft_vec3 v = weft_v3_sub(m->positions[c], m->positions[a]);
  return weft_v3_cross(u, v).z > 0.02f * (weft_v3_dot(u, u) + weft_v3_dot(v, v));
}

static inline uint32_t flip_next(uint32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }

static inline void flip_join(uint32_t *across, uint32_t side, uint32_t other) {
  across[side] = other;
  if (other != UINT32_MAX) across[other] = side;
}

/* Joins the opposite vertices c, d instead of a, b where the quad is convex: the sheet stays a
 * planar triangulation, in which no edge occurs twice. */
static inline void flip_try(weft_mesh *m, uint32_t *across, uint32_t side) {
  uint32_t other = across[side];
  if (other == UINT32_MAX) return;
  uint32_t *v = m->triangles;
  uint32_t s1 = flip_next(side), s2 = flip_next(s1), o1 = flip_next(other), o2 = flip_next(o1);
  uint32_t a = v[side], b = v[s1], c = v[s2], d = v[o2];
  if (!flip_turns_left(m, d, c, a) || !flip_turns_left(m, c, d, b)) return;
  uint32_t bc = across[s1], ca = across[s2], ad = across[o1], db = across[o2];
  v[side] = d; /* triangle d c a */
  v[s1] = c;
  v[s2] = a;
  v[other] = c; /* triangle c d b */
  v[o1] = d;
  v[o2] = b;
  flip_join(across, s1, ca);
  flip_join(across, s2, ad);
  flip_join(across, o1, db);
  flip_join(across, o2, bc);
}

static inline weft_mesh test_irregular_flips(uint32_t n, uint64_t seed, uint32_t flips) {
  weft_rng rng = weft_rng_seed(seed);
  weft_mesh m = test_grid(n, n, WEFT_GRID_SAME_DIAGONAL, 1, 1);
  m.grid_rows = m.grid_columns = 0;
  for (uint32_t i = 0; i < m.vertex_count; ++i) {
    m.positions[i].x += weft_rng_float(&rng, -0.2f, 0.2f);
    m.positions[i].y += weft_rng_float(&rng, -0.2f, 0.2f);
  }
  uint32_t *across = flip_across(&m);
  for (uint32_t i = 0; i < flips; ++i) {
    flip_try(&m, across, weft_rng_u32(&rng) % (3 * m.triangle_count));
  }
  weft_free(across);
  return m;
}

static inline weft_mesh test_irregular(uint32_t n, uint64_t seed) {
  return test_irregular_flips(n, seed, 10 * n * n);
}

#endif
