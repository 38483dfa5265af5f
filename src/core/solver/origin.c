/* origin.c: the origin of positions in buffers. It follows the cloth, so that float resolution
 * does not depend on where in the world the cloth is.
 *
 * It moves towards the cloth, by multiples of a 64th of a metre, and never so far that a
 * particle is farther from it than before. Then positions and the shift are multiples of the
 * spacing of floats there, and so is their difference, which is no larger: nothing is rounded.
 * It stays while no part of the cloth is farther from it than three times the size of the cloth. */
#include "origin.h"

#include <math.h>

#include "exact.h"
#include "solver.h"

bool weft_vectors_given(const weft_vectors *v) { return v->single || v->wide; }

weft_vec3d weft_vectors_at(const weft_vectors *v, uint32_t i) {
  return v->wide ? weft_v3d_at(v->wide + 3 * (size_t)i) : weft_v3d_from(v->single[i]);
}

static const double step = 1.0 / 64, near = 0.25; /* m */

/* The shift along an axis: to the middle of cloth that is entirely farther than `beyond`. That
 * is at least twice its size, so the middle is less than twice as far as its near side.
 * Multiples of `step` are floats up to 2^17 m; beyond that, multiples of the spacing of floats. */
static double way(double low, double high, double beyond) {
  if (!(low <= high && high - low < beyond)) return 0; /* also for values that are not finite */
  if (high < 0) return -way(-high, -low, beyond);
  if (!(low > beyond && high <= 1e9)) return 0;
  double unit = fmax(step, exp2(floor(log2(high)) - 23));
  return unit * floor(0.5 * (low + high) / unit);
}

static double beyond_of(weft_vec3d low, weft_vec3d high) {
  weft_vec3d size = weft_v3d_sub(high, low);
  return fmax(near, 2 * fmax(size.x, fmax(size.y, size.z)));
}

/* The box around all of the cloth begins and ends no nearer to the origin's far side than its
 * parts, and is no smaller. */
bool weft_origin_stays(weft_vec3d low, weft_vec3d high) {
  const double beyond = beyond_of(low, high);
  return low.x <= beyond && low.y <= beyond && low.z <= beyond && high.x >= -beyond &&
         high.y >= -beyond && high.z >= -beyond;
}

weft_vec3d weft_origin_way(weft_vec3d low, weft_vec3d high) {
  double beyond = beyond_of(low, high);
  return weft_v3d(way(low.x, high.x, beyond), way(low.y, high.y, beyond),
                  way(low.z, high.z, beyond));
}

weft_vec3d weft_origin_at_start(const weft_model *model, const weft_params *params) {
  weft_vec3 low, high;
  weft_v3_bounds(WEFT_START(model, params), model->particle_count, &low, &high);
  return weft_origin_way(weft_v3d_from(low), weft_v3d_from(high));
}

weft_vec3 weft_origin_enter(weft_vec3d origin, weft_vec3d world) {
  return exact_snap3(weft_v3d_round(weft_v3d_sub(world, origin)));
}

weft_vec3 weft_origin_leave(weft_vec3d origin, vec4 x) {
  return weft_v3d_round(weft_origin_leave_in_double(origin, x));
}

weft_vec3d weft_origin_leave_in_double(weft_vec3d origin, vec4 x) {
  return weft_v3d_add(origin, weft_v3d((double)x.x, (double)x.y, (double)x.z));
}

weft_vec3d weft_solver_origin(const weft_solver *solver) { return solver->origin; }

weft_vec3 weft_solver_placed(const weft_solver *solver, vec4 x) {
  return weft_origin_leave(solver->origin, x);
}
