/* damp_rigid: twin of shaders/solver/damp_rigid.comp. */
#include "ref.h"

static weft_vec3 yzx(weft_vec3 v) { return weft_v3(v.y, v.z, v.x); }
static weft_vec3 zxy(weft_vec3 v) { return weft_v3(v.z, v.x, v.y); }

static weft_vec3 solve(weft_vec3 d, weft_vec3 o, weft_vec3 l) {
  uint32_t turns = 0;
  for (uint32_t k = 0; k < 2; ++k) {
    bool turn = d.x < d.y || d.x < d.z;
    d = turn ? yzx(d) : d;
    l = turn ? yzx(l) : l;
    o = turn ? zxy(o) : o;
    turns = turns + (turn ? 1 : 0);
  }
  float inv_0 = exact_rcp(d.x);
  float part_1 = o.x * inv_0;
  part_1 = exact_flush(part_1);
  float part_2 = o.y * inv_0;
  part_2 = exact_flush(part_2);
  float t = part_1 * o.x;
  float e_1 = d.y - t;
  t = part_2 * o.y;
  float e_2 = d.z - t;
  t = part_2 * o.x;
  float e_12 = o.z - t;
  e_12 = exact_flush(e_12);
  t = part_1 * l.x;
  float y_1 = l.y - t;
  t = part_2 * l.x;
  float y_2 = l.z - t;
  bool swapped = e_2 > e_1;
  float pivot = swapped ? e_2 : e_1;
  float other = swapped ? e_1 : e_2;
  float y_first = swapped ? y_2 : y_1;
  float y_second = swapped ? y_1 : y_2;
  y_first = exact_flush(y_first);
  float inv_1 = exact_rcp(pivot);
  float part_12 = e_12 * inv_1;
  part_12 = exact_flush(part_12);
  t = part_12 * e_12;
  float last = other - t;
  t = part_12 * y_first;
  float y_last = y_second - t;
  y_last = exact_flush(y_last);
  float inv_2 = exact_rcp(last);
  bool two = pivot > (float)WEFT_MIN_INERTIA;
  bool three = two && last > (float)WEFT_MIN_INERTIA;
  float w_second = y_last * inv_2;
  w_second = three ? w_second : 0.0f;
  float w_first = y_first * inv_1;
  t = part_12 * w_second;
  w_first = w_first - t;
  w_first = two ? w_first : 0.0f;
  w_first = exact_flush(w_first);
  w_second = exact_flush(w_second);
  float w_1 = swapped ? w_second : w_first;
  float w_2 = swapped ? w_first : w_second;
  float w_0 = l.x * inv_0;
  t = part_1 * w_1;
  w_0 = w_0 - t;
  t = part_2 * w_2;
  w_0 = w_0 - t;
  weft_vec3 w = weft_v3(w_0, w_1, w_2);
  w = turns == 1 ? zxy(w) : w;
  w = turns == 2 ? yzx(w) : w;
  return w;
}

void weft_pass_damp_rigid(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    uint32_t row = d->pass.first + g;
    weft_motion linear = ref->motion[d->pass.tree_rows - 1 + g];
    weft_motion angular = ref->motion[2 * d->pass.tree_rows - 1 + g];
    weft_vec3 centre = weft_v3_scale(exact_xyz(linear.a), u->inv_total_mass);
    weft_vec3 drift = weft_v3_scale(exact_xyz(linear.b), u->inv_total_mass);
    float trace = angular.b.x + angular.b.y;
    trace = trace + angular.b.z;
    float scale = exact_rcp(trace);
    weft_vec3 diagonal = weft_v3_scale(exact_xyz(angular.b), scale);
    weft_vec3 products = weft_v3_scale(exact_xyz(angular.c), scale);
    weft_vec3 l = weft_v3_scale(exact_xyz(angular.a), scale);
    weft_vec3 spin = solve(exact_flush3(diagonal), exact_flush3(products), exact_flush3(l));
    bool turns = trace > (float)WEFT_TRIM;
    spin = turns ? spin : weft_v3(0, 0, 0);
    ref->motion[row].a = exact_vec4(exact_flush3(centre), 0.0f);
    ref->motion[row].b = exact_vec4(exact_flush3(drift), 0.0f);
    ref->motion[row].c = exact_vec4(exact_flush3(spin), 0.0f);
  }
}
