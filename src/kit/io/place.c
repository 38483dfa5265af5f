/* place.c: axes and places of meshes from files. */
#include "place.h"

#include <math.h>

/* Sine and cosine; radians come as floats, which are no quarter of a circle exactly. */
static void sine_cosine(float radians, double *s, double *c) {
  const double near = 5e-7;
  *s = sin((double)radians);
  *c = cos((double)radians);
  if (fabs(*s) < near) *s = 0, *c = *c < 0 ? -1 : 1;
  if (fabs(*c) < near) *c = 0, *s = *s < 0 ? -1 : 1;
}

weft_turn weft_turn_of(weft_vec3 radians) {
  double sx, cx, sy, cy, sz, cz;
  sine_cosine(radians.x, &sx, &cx);
  sine_cosine(radians.y, &sy, &cy);
  sine_cosine(radians.z, &sz, &cz);
  return (weft_turn){{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
                     {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
                     {-sy, cy * sx, cy * cx}};
}

weft_vec3d weft_turn_apply(const weft_turn *turn, weft_vec3d p) {
  return (weft_vec3d){weft_v3d_dot(turn->x, p), weft_v3d_dot(turn->y, p), weft_v3d_dot(turn->z, p)};
}

/* 0 - v, so that no 0 becomes -0. */
weft_vec3d weft_lifted(weft_up up, weft_vec3d p) {
  return up == WEFT_UP_Z ? (weft_vec3d){p.x, p.z, 0 - p.y} : p;
}

weft_vec3d weft_lowered(weft_up up, weft_vec3d p) {
  return up == WEFT_UP_Z ? (weft_vec3d){p.x, 0 - p.z, p.y} : p;
}

void weft_lift(weft_up up, weft_vec3 *positions, uint32_t count) {
  for (uint32_t v = 0; v < count && up != WEFT_UP_Y; ++v) {
    positions[v] = weft_v3d_round(weft_lifted(up, weft_v3d_from(positions[v])));
  }
}

static bool is_zero(weft_vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

void weft_place(const weft_import_desc *desc, weft_vec3 *positions, uint32_t count) {
  weft_lift(desc->up, positions, count);
  if (is_zero(desc->turn) && is_zero(desc->move)) return;
  const weft_turn turn = weft_turn_of(desc->turn);
  const weft_vec3d move = weft_v3d_from(desc->move);
  for (uint32_t v = 0; v < count; ++v) {
    const weft_vec3d p = weft_turn_apply(&turn, weft_v3d_from(positions[v]));
    positions[v] = weft_v3d_round(weft_v3d_add(p, move));
  }
}
