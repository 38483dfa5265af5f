/* project_lines: twin of shaders/solver/project_lines.comp. */
#include "ref.h"

typedef struct line_system {
  float diagonal[WEFT_LINE_ROOM], next[WEFT_LINE_ROOM], before[WEFT_LINE_ROOM];
  float right[WEFT_LINE_ROOM], nx[WEFT_LINE_ROOM], ny[WEFT_LINE_ROOM], nz[WEFT_LINE_ROOM];
} line_system;

static inline weft_vec3 direction(const line_system *s, uint32_t k) {
  return weft_v3(s->nx[k], s->ny[k], s->nz[k]);
}

static inline float weight(const weft_ref *ref, float inverse_mass) {
  float w = inverse_mass * ref->uniforms->line_scale;
  return exact_flush(w);
}

static inline float pivot(float diagonal) {
  return diagonal > (float)WEFT_FLUSH ? exact_rcp(diagonal) : 0.0f;
}

static inline void set_up(const weft_ref *ref, const weft_dispatch *d, line_system *s, uint32_t k,
                          uint32_t first) {
  weft_line_edge e = ref->line_edges[first + k];
  vec4 pa = ref->x[e.a];
  vec4 pb = ref->x[e.b];
  weft_vec3 difference = weft_v3_sub(exact_xyz(pb), exact_xyz(pa));
  difference = exact_flush3(difference);
  float length2 = exact_dot(difference, difference);
  float shortest2 = e.rest_length * e.rest_length;
  shortest2 = shortest2 * (float)WEFT_MIN_LENGTH_RATIO2;
  float inverse = exact_rsqrt(length2);
  float len = length2 * inverse;
  weft_vec3 n = weft_v3_scale(difference, inverse);
  float right = len - e.rest_length;
  float before = d->pass.first_iteration == 1 ? 0.0f : ref->line_lambda[first + k];
  float held = e.compliance * before;
  right = right + held;
  bool defined = length2 > shortest2;
  n = exact_flush3(n);
  s->right[k] = defined ? exact_flush(right) : 0.0f;
  s->nx[k] = defined ? n.x : 0.0f;
  s->ny[k] = defined ? n.y : 0.0f;
  s->nz[k] = defined ? n.z : 0.0f;
  float sum = weight(ref, pa.w) + weight(ref, pb.w);
  sum = sum * (float)WEFT_LINE_FIRM;
  float diagonal = sum + e.compliance;
  s->diagonal[k] = diagonal;
}

static inline bool goes_on(const weft_ref *ref, uint32_t k, uint32_t first, uint32_t count) {
  return k + 1 < count && ref->line_edges[first + k + 1].a == ref->line_edges[first + k].b;
}

static inline void couple(const weft_ref *ref, line_system *s, uint32_t k,
                          weft_line_bundle bundle) {
  float next = 0.0f;
  if (goes_on(ref, k, bundle.first, bundle.count)) {
    float cosine = exact_dot(direction(s, k), direction(s, k + 1));
    cosine = exact_flush(cosine);
    float coupling = weight(ref, ref->x[ref->line_edges[bundle.first + k].b].w) * cosine;
    next = -exact_flush(coupling);
  }
  s->next[k] = next;
  s->before[k] = 0.0f;
  if (bundle.steps == 0 || (k & 1) == 0) s->diagonal[k] = pivot(s->diagonal[k]);
}

static inline void reduce(line_system *s, uint32_t k, uint32_t t, weft_line_bundle bundle) {
  uint32_t stride = 1u << t;
  uint32_t l = k - stride;
  uint32_t r = k + stride;
  float diagonal = s->diagonal[k];
  float right = s->right[k];
  float next = 0.0f;
  float part = s->next[l] * s->diagonal[l];
  part = exact_flush(part);
  float less = part * s->next[l];
  diagonal = diagonal - less;
  less = part * s->right[l];
  right = right - less;
  if (r < bundle.count) {
    float coupling = s->next[k];
    part = coupling * s->diagonal[r];
    part = exact_flush(part);
    less = part * coupling;
    diagonal = diagonal - less;
    less = part * s->right[r];
    right = right - less;
    next = part * s->next[r];
    next = -exact_flush(next);
    s->before[r] = coupling;
  }
  s->right[k] = exact_flush(right);
  s->next[k] = next;
  bool leaves = t + 1 == bundle.steps || ((k + 1) >> (t + 1) & 1) == 1;
  s->diagonal[k] = leaves ? pivot(diagonal) : diagonal;
}

static inline void substitute(line_system *s, uint32_t k, uint32_t stride, uint32_t count) {
  float value = s->right[k];
  if (k >= stride) {
    float left = s->before[k] * s->right[k - stride];
    value = value - left;
  }
  if (k + stride < count) {
    float right = s->next[k] * s->right[k + stride];
    value = value - right;
  }
  value = value * s->diagonal[k];
  s->right[k] = exact_flush(value);
}

static inline void apply(const weft_ref *ref, const weft_dispatch *d, const line_system *s,
                         uint32_t k, weft_line_bundle bundle) {
  uint32_t at = bundle.first + k;
  weft_line_edge e = ref->line_edges[at];
  float before = d->pass.first_iteration == 1 ? 0.0f : ref->line_lambda[at];
  float after = before - s->right[k];
  ref->line_lambda[at] = exact_flush(after);
  vec4 pa = ref->x[e.a];
  float step = weight(ref, pa.w) * s->right[k];
  weft_vec3 delta = weft_v3_scale(direction(s, k), step);
  weft_vec3 moved = weft_v3_add(exact_xyz(pa), delta);
  if (k > 0 && ref->line_edges[at - 1].b == e.a) {
    step = weight(ref, pa.w) * s->right[k - 1];
    delta = weft_v3_scale(direction(s, k - 1), step);
    moved = weft_v3_sub(moved, delta);
  }
  ref->x[e.a] = exact_vec4(exact_flush3(moved), pa.w);
  if (goes_on(ref, k, bundle.first, bundle.count)) return;
  vec4 pb = ref->x[e.b];
  step = weight(ref, pb.w) * s->right[k];
  delta = weft_v3_scale(direction(s, k), step);
  moved = weft_v3_sub(exact_xyz(pb), delta);
  ref->x[e.b] = exact_vec4(exact_flush3(moved), pb.w);
}

static void solve(const weft_ref *ref, const weft_dispatch *d, weft_line_bundle bundle) {
  line_system s;
  uint32_t most = bundle.count;
  for (uint32_t k = 0; k < most; ++k) set_up(ref, d, &s, k, bundle.first);
  for (uint32_t k = 0; k < most; ++k) couple(ref, &s, k, bundle);
  for (uint32_t t = 0; t < bundle.steps; ++t) {
    uint32_t stride = 1u << t;
    for (uint32_t k = 2 * stride - 1; k < most; k += 2 * stride) reduce(&s, k, t, bundle);
  }
  uint32_t apart = 1u << bundle.steps;
  for (uint32_t k = apart - 1; k < most; k += apart) {
    float value = s.right[k] * s.diagonal[k];
    s.right[k] = exact_flush(value);
  }
  for (uint32_t t = bundle.steps; t > 0; --t) {
    uint32_t stride = 1u << (t - 1);
    for (uint32_t k = stride - 1; k < most; k += 2 * stride) substitute(&s, k, stride, most);
  }
  for (uint32_t k = 0; k < most; ++k) apply(ref, d, &s, k, bundle);
}

void weft_pass_project_lines(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) solve(ref, d, ref->line_bundles[d->pass.first + g]);
}
