// isometric.glsl: the arithmetic of K0 x0 + K1 x1 + K2 x2 + K3 x3 = 0 on values (Bergou et al. 2006, "A
// quadratic bending model for inextensible surfaces"). K3 = -(K0+K1+K2), so the sum is taken over
// differences to x3. Twin of src/solver_ref/isometric.h.

vec3 isometric_sum(vec3 p0, vec3 p1, vec3 p2, vec3 p3, vec4 k) {
  precise vec3 d0 = p0 - p3;
  precise vec3 d1 = p1 - p3;
  precise vec3 d2 = p2 - p3;
  d0 = d0 * k.x;
  d1 = d1 * k.y;
  d2 = d2 * k.z;
  precise vec3 s = d0 + d1;
  s = s + d2;
  s = exact_flush3(s);
  return s;
}

float isometric_last_weight(vec4 k) {
  precise float k3 = k.x + k.y;
  k3 = k3 + k.z;
  k3 = -k3;
  return k3;
}

vec3 isometric_step(vec3 violation, float inv_denominator) {
  precise vec3 step = violation * inv_denominator;
  step = exact_trim3(step);
  return step;
}

// With the multiplier so far, and damping; `then` is the sum at the start of the substep.
vec3 isometric_step_lambda(vec3 sum, vec3 then, float inv_denominator, weft_xpbd xpbd, inout vec3 lambda) {
  vec3 before = lambda;
  precise vec3 violation = sum;
  precise vec3 held = before * xpbd.compliance;
  precise vec3 damped = violation - then;
  damped = exact_flush3(damped);
  damped = damped * xpbd.gamma;
  violation = violation + held;
  violation = violation + damped;
  precise vec3 step = isometric_step(violation, inv_denominator);
  precise vec3 after = before - step;
  after = exact_trim3(after);
  lambda = after;
  return step;
}

// What a particle of inverse mass w and weight k moves back by.
vec3 isometric_delta(vec3 step, float w, float k) {
  precise float scaled = w * k;
  precise vec3 delta = step * scaled;
  return delta;
}
