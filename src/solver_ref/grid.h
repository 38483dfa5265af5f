/* grid.h: twin of shaders/lib/grid.glsl. */
#ifndef WEFT_REF_GRID_H
#define WEFT_REF_GRID_H

#include "ref.h"

typedef struct weft_cell {
  int32_t x, y, z;
} weft_cell;

static inline int32_t grid_coordinate(const weft_uniforms *u, float x) {
  float scaled = x * u->inverse_cell;
  if (!(fabsf(scaled) < (float)WEFT_GRID_REACH)) {
    return scaled < 0.0f ? -WEFT_GRID_LIMIT : WEFT_GRID_LIMIT;
  }
  int32_t cell = (int32_t)scaled;
  float back = (float)cell;
  return back > scaled ? cell - 1 : cell;
}

static inline weft_cell grid_cell(const weft_uniforms *u, vec4 p) {
  return (weft_cell){grid_coordinate(u, p.x), grid_coordinate(u, p.y), grid_coordinate(u, p.z)};
}

static inline bool grid_same(weft_cell a, weft_cell b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline uint32_t grid_bucket(const weft_uniforms *u, weft_cell cell) {
  uint32_t x = (uint32_t)cell.x * 73856093u;
  uint32_t y = (uint32_t)cell.y * 19349663u;
  uint32_t z = (uint32_t)cell.z * 83492791u;
  return (x ^ y ^ z) & u->grid_mask;
}

#endif
