// distance.glsl: the arithmetic of |x_a - x_b| = rest_length, on values: where they come from and go to is
// the pass's business. Mueller et al. 2007 section 3.3; XPBD with damping: Macklin et al. 2016. Twin of
// src/solver_ref/distance.h.

// The unit vector from b to a, how much longer than at rest, and whether there is a direction at all.
void distance_measure(vec3 pa, vec3 pb, float rest_length, out vec3 direction, out float excess,
                      out bool defined) {
  precise vec3 d = pa - pb;
  d = exact_flush3(d);
  precise float length2 = exact_dot(d, d);
  precise float shortest2 = rest_length * rest_length;
  shortest2 = shortest2 * WEFT_MIN_LENGTH_RATIO2;
  precise float inverse = exact_rsqrt(length2);
  precise float len = length2 * inverse;
  precise vec3 n = d * inverse;
  precise float violation = len - rest_length;
  direction = n;
  excess = violation;
  defined = length2 > shortest2;
}

// Without multipliers: an inequality pulls or pushes, or does nothing.
float distance_step(float violation, bool defined, float inv_denominator, uint sense) {
  precise float step = violation * inv_denominator;
  step = defined ? step : 0.0;
  step = exact_trim(step);
  bool pushes = sense == WEFT_ACTS_STRETCHED && step < 0.0;
  bool pulls = sense == WEFT_ACTS_COMPRESSED && step > 0.0;
  step = pushes || pulls ? 0.0 : step;
  return step;
}

// How far the constraint's two have parted in this substep, along it.
float distance_parted(vec3 n, vec3 pa, vec3 pb, vec3 prev_a, vec3 prev_b) {
  precise vec3 moved_a = pa - prev_a;
  precise vec3 moved_b = pb - prev_b;
  precise vec3 moved = moved_a - moved_b;
  moved = exact_flush3(moved);
  precise float parted = exact_dot(n, moved);
  parted = exact_flush(parted);
  return parted;
}

// With the multiplier so far, and damping. As an inequality the multiplier keeps its sign: what would
// change it stops at 0.
float distance_step_lambda(float excess, float parted, bool defined, float inv_denominator, weft_xpbd xpbd,
                           uint sense, inout float lambda) {
  float before = lambda;
  precise float violation = excess;
  precise float held = xpbd.compliance * before;
  precise float damped = xpbd.gamma * parted;
  violation = violation + held;
  violation = violation + damped;
  precise float step = violation * inv_denominator;
  step = defined ? step : 0.0;
  step = exact_trim(step);
  precise float after = before - step;
  after = exact_trim(after);
  bool pushes = sense == WEFT_ACTS_STRETCHED && after > 0.0;
  bool pulls = sense == WEFT_ACTS_COMPRESSED && after < 0.0;
  step = pushes || pulls ? before : step;
  after = pushes || pulls ? 0.0 : after;
  lambda = after;
  return step;
}

// What one end of inverse mass w moves by, against n at a and along it at b.
vec3 distance_delta(vec3 n, float step, float w) {
  precise float scaled = w * step;
  precise vec3 delta = n * scaled;
  return delta;
}
