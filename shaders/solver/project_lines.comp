// project_lines: all stretch constraints of a line at once. Their projections, linearised where the
// particles are, make a tridiagonal system, which a work group solves by cyclic reduction (Hockney 1965):
// every second equation is eliminated, then every second of the rest, and so on, and back again. Lines of
// a bundle stand side by side in one system, with no coupling between them.
#define WEFT_PASS_GROUP WEFT_LINE_GROUP
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_LINE_EDGES) restrict readonly buffer LineEdges {
  weft_line_edge edges[];
};
layout(std430, binding = WEFT_SLOT_LINE_BUNDLES) restrict readonly buffer LineBundles {
  weft_line_bundle bundles[];
};
layout(std430, binding = WEFT_SLOT_LINE_LAMBDA) restrict buffer LineLambda { float line_lambda[]; };

// Of equation k: its diagonal, or the reciprocal of that once it is eliminated; what couples it to the
// next that is left and, once it is eliminated, to the one before; its right side, and then its
// multiplier; its direction.
shared float s_diagonal[WEFT_LINE_ROOM];
shared float s_next[WEFT_LINE_ROOM];
shared float s_before[WEFT_LINE_ROOM];
shared float s_right[WEFT_LINE_ROOM];
shared float s_nx[WEFT_LINE_ROOM];
shared float s_ny[WEFT_LINE_ROOM];
shared float s_nz[WEFT_LINE_ROOM];

vec3 direction(uint k) { return vec3(s_nx[k], s_ny[k], s_nz[k]); }

// Masses are counted in units of a power of two near the lightest, so that couplings are at most 1 and
// multipliers have the size of lengths.
float weight(float inverse_mass) {
  precise float w = inverse_mass * u.line_scale;
  return exact_flush(w);
}

float pivot(float diagonal) { return diagonal > WEFT_FLUSH ? exact_rcp(diagonal) : 0.0; }

void set_up(uint k, uint first) {
  weft_line_edge e = edges[first + k];
  vec4 pa = x[e.a];
  vec4 pb = x[e.b];
  precise vec3 d = pb.xyz - pa.xyz;
  d = exact_flush3(d);
  precise float length2 = exact_dot(d, d);
  precise float shortest2 = e.rest_length * e.rest_length;
  shortest2 = shortest2 * WEFT_MIN_LENGTH_RATIO2;
  precise float inverse = exact_rsqrt(length2);
  precise float len = length2 * inverse;
  precise vec3 n = d * inverse;
  precise float right = len - e.rest_length;
  float before = u_pass.first_iteration == 1u ? 0.0 : line_lambda[first + k];
  precise float held = e.compliance * before;
  right = right + held;
  bool defined = length2 > shortest2;
  n = exact_flush3(n);
  s_right[k] = defined ? exact_flush(right) : 0.0;
  s_nx[k] = defined ? n.x : 0.0;
  s_ny[k] = defined ? n.y : 0.0;
  s_nz[k] = defined ? n.z : 0.0;
  precise float sum = weight(pa.w) + weight(pb.w);
  sum = sum * WEFT_LINE_FIRM;
  precise float diagonal = sum + e.compliance;
  s_diagonal[k] = diagonal;
}

bool goes_on(uint k, uint first, uint count) {
  return k + 1u < count && edges[first + k + 1u].a == edges[first + k].b;
}

void couple(uint k, weft_line_bundle bundle) {
  float next = 0.0;
  if (goes_on(k, bundle.first, bundle.count)) {
    precise float cosine = exact_dot(direction(k), direction(k + 1u));
    cosine = exact_flush(cosine);
    precise float coupling = weight(x[edges[bundle.first + k].b].w) * cosine;
    next = -exact_flush(coupling);
  }
  s_next[k] = next;
  s_before[k] = 0.0;
  if (bundle.steps == 0u || (k & 1u) == 0u) s_diagonal[k] = pivot(s_diagonal[k]);
}

// Step s takes the equations 2^s before and after out of equation k.
void reduce(uint k, uint s, weft_line_bundle bundle) {
  uint stride = 1u << s;
  uint l = k - stride;
  uint r = k + stride;
  precise float diagonal = s_diagonal[k];
  precise float right = s_right[k];
  precise float next = 0.0;
  precise float part = s_next[l] * s_diagonal[l];
  part = exact_flush(part);
  precise float less = part * s_next[l];
  diagonal = diagonal - less;
  less = part * s_right[l];
  right = right - less;
  if (r < bundle.count) {
    float coupling = s_next[k];
    part = coupling * s_diagonal[r];
    part = exact_flush(part);
    less = part * coupling;
    diagonal = diagonal - less;
    less = part * s_right[r];
    right = right - less;
    next = part * s_next[r];
    next = -exact_flush(next);
    s_before[r] = coupling;
  }
  s_right[k] = exact_flush(right);
  s_next[k] = next;
  bool leaves = s + 1u == bundle.steps || ((k + 1u) >> (s + 1u) & 1u) == 1u;
  s_diagonal[k] = leaves ? pivot(diagonal) : diagonal;
}

void substitute(uint k, uint stride, uint count) {
  precise float value = s_right[k];
  if (k >= stride) {
    precise float left = s_before[k] * s_right[k - stride];
    value = value - left;
  }
  if (k + stride < count) {
    precise float right = s_next[k] * s_right[k + stride];
    value = value - right;
  }
  value = value * s_diagonal[k];
  s_right[k] = exact_flush(value);
}

// An equation moves the particle it begins at; the last of a line the one at its end, too.
void apply(uint k, weft_line_bundle bundle) {
  weft_line_edge e = edges[bundle.first + k];
  uint at = bundle.first + k;
  float before = u_pass.first_iteration == 1u ? 0.0 : line_lambda[at];
  precise float after = before - s_right[k];
  line_lambda[at] = exact_flush(after);
  vec4 pa = x[e.a];
  precise float step = weight(pa.w) * s_right[k];
  precise vec3 delta = direction(k) * step;
  precise vec3 moved = pa.xyz + delta;
  if (k > 0u && edges[at - 1u].b == e.a) {
    step = weight(pa.w) * s_right[k - 1u];
    delta = direction(k - 1u) * step;
    moved = moved - delta;
  }
  moved = exact_flush3(moved);
  x[e.a] = vec4(moved, pa.w);
  if (goes_on(k, bundle.first, bundle.count)) return;
  vec4 pb = x[e.b];
  step = weight(pb.w) * s_right[k];
  delta = direction(k) * step;
  moved = pb.xyz - delta;
  moved = exact_flush3(moved);
  x[e.b] = vec4(moved, pb.w);
}

void main() {
  weft_line_bundle bundle = bundles[u_pass.first + gl_WorkGroupID.x];
  uint own = gl_LocalInvocationID.x;
  uint most = bundle.count;
  for (uint k = own; k < most; k += uint(WEFT_LINE_GROUP)) set_up(k, bundle.first);
  barrier();
  for (uint k = own; k < most; k += uint(WEFT_LINE_GROUP)) couple(k, bundle);
  barrier();
  for (uint s = 0u; s < bundle.steps; ++s) {
    uint stride = 1u << s;
    for (uint k = 2u * stride * (own + 1u) - 1u; k < most; k += 2u * stride * uint(WEFT_LINE_GROUP)) {
      reduce(k, s, bundle);
    }
    barrier();
  }
  // What is left after the last step is coupled to nothing.
  uint apart = 1u << bundle.steps;
  for (uint k = apart * (own + 1u) - 1u; k < most; k += apart * uint(WEFT_LINE_GROUP)) {
    precise float value = s_right[k] * s_diagonal[k];
    s_right[k] = exact_flush(value);
  }
  barrier();
  for (uint s = bundle.steps; s > 0u; --s) {
    uint stride = 1u << (s - 1u);
    for (uint k = stride - 1u + 2u * stride * own; k < most; k += 2u * stride * uint(WEFT_LINE_GROUP)) {
      substitute(k, stride, most);
    }
    barrier();
  }
  for (uint k = own; k < most; k += uint(WEFT_LINE_GROUP)) apply(k, bundle);
}
