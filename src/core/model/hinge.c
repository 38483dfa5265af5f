/* Hinges measured in double; the discrete isometric bending model of Bergou, Wardetzky, Harmon,
 * Zorin and Grinspun ("A quadratic bending model for inextensible surfaces", 2006). */
#include "hinge.h"

#include <math.h>

#include "vec3d.h"

/* A triangle with less area than this part of its longest edge squared has an angle below about
 * 0.01 degrees: its normal is noise. */
static const double min_shape = 1e-4;

double weft_hinge_angle(weft_vec3 x0, weft_vec3 x1, weft_vec3 x2, weft_vec3 x3) {
  weft_vec3d p0 = weft_v3d_from(x0), p1 = weft_v3d_from(x1), p2 = weft_v3d_from(x2),
             p3 = weft_v3d_from(x3);
  weft_vec3d e = weft_v3d_sub(p3, p2);
  weft_vec3d n0 = weft_v3d_cross(weft_v3d_sub(p2, p0), weft_v3d_sub(p3, p0));
  weft_vec3d n1 = weft_v3d_cross(weft_v3d_sub(p3, p1), weft_v3d_sub(p2, p1));
  double sine = weft_v3d_dot(weft_v3d_cross(n0, n1), e) / weft_v3d_length(e);
  return atan2(sine, weft_v3d_dot(n0, n1));
}

static double squared(weft_vec3d a) { return weft_v3d_dot(a, a); }

static bool too_thin(double area, weft_vec3d a, weft_vec3d b, weft_vec3d c) {
  double longest = fmax(squared(a), fmax(squared(b), squared(c)));
  return !(area > min_shape * longest);
}

void weft_hinge_measure(const weft_vec3 *positions, const uint32_t edge[2],
                        const uint32_t opposite[2], weft_hinge_shape *shape) {
  weft_vec3 f0 = positions[edge[0]], f1 = positions[edge[1]];
  weft_vec3 f2 = positions[opposite[0]], f3 = positions[opposite[1]];
  weft_vec3d x0 = weft_v3d_from(f0), x1 = weft_v3d_from(f1), x2 = weft_v3d_from(f2),
             x3 = weft_v3d_from(f3);
  weft_vec3d e0 = weft_v3d_sub(x1, x0);
  weft_vec3d e1 = weft_v3d_sub(x2, x0), e2 = weft_v3d_sub(x3, x0);
  weft_vec3d e3 = weft_v3d_sub(x2, x1), e4 = weft_v3d_sub(x3, x1);
  double twice0 = weft_v3d_length(weft_v3d_cross(e0, e1));
  double twice1 = weft_v3d_length(weft_v3d_cross(e0, e2));
  *shape = (weft_hinge_shape){.length = weft_v3d_length(e0), .area = {twice0 / 2, twice1 / 2}};
  shape->degenerate = opposite[0] == opposite[1] || too_thin(twice0 / 2, e0, e1, e3) ||
                      too_thin(twice1 / 2, e0, e2, e4);
  if (shape->degenerate) return;
  shape->angle = weft_hinge_angle(f2, f3, f0, f1);
  double cot01 = weft_v3d_dot(e0, e1) / twice0, cot03 = -weft_v3d_dot(e0, e3) / twice0;
  double cot02 = weft_v3d_dot(e0, e2) / twice1, cot04 = -weft_v3d_dot(e0, e4) / twice1;
  shape->weights[0] = cot03 + cot04;
  shape->weights[1] = cot01 + cot02;
  shape->weights[2] = -cot01 - cot03;
  shape->weights[3] = -cot02 - cot04;
}

/* All four are rounded to multiples of one quantum, coarse enough that the largest, which
 * absorbs the rounding of the others, still fits the 24 bits of a float. */
void weft_hinge_round_weights(const double weights[4], float rounded[4]) {
  int largest = 0, exponent = 0;
  for (int i = 1; i < 4; ++i) {
    if (fabs(weights[i]) > fabs(weights[largest])) largest = i;
  }
  frexp(weights[largest], &exponent);
  double quantum = ldexp(1.0, exponent - 23), sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (i == largest) continue;
    double multiple = nearbyint(weights[i] / quantum);
    sum += multiple;
    rounded[i] = (float)(multiple * quantum);
  }
  rounded[largest] = (float)(-sum * quantum);
}
