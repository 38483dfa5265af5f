// patch: the constraints of a cluster of particles, swept by one work group in shared memory. A row of
// words for each patch: where its particles begin and how many there are, where its ranges begin and how
// many there are. A range is two words: the first constraint; how many, their kind (bits 16..19) and
// their sense (from bit 20). Constraints of a range share no particle; between ranges the group waits.
// permutations: WEFT_LAMBDA=1; WEFT_TEXELS=1; WEFT_TEXELS=1 WEFT_LAMBDA=1; WEFT_NO_DIHEDRAL=1
// permutations: WEFT_NO_DIHEDRAL=1 WEFT_LAMBDA=1
#define WEFT_ROWS_AT_REST
#include "shared/weft_shared.h"
// A driver that runs shaders on the processor works through invocations that have nothing to do.
#ifdef WEFT_TEXELS
#define WEFT_PASS_GROUP 32
#else
#define WEFT_PASS_GROUP WEFT_PATCH_GROUP
#endif
#include "lib/pass.glsl"
#include "lib/moved.glsl"
#include "lib/distance.glsl"
#include "lib/isometric.glsl"
#include "lib/dihedral.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_PATCH_WORDS) restrict readonly buffer PatchWords { uint words[]; };
layout(std430, binding = WEFT_SLOT_PATCH_DISTANCE) restrict readonly buffer PatchDistances {
  weft_patch_distance distances[];
};
layout(std430, binding = WEFT_SLOT_PATCH_QUAD) restrict readonly buffer PatchQuads {
  weft_patch_quad quads[];
};
layout(std430, binding = WEFT_SLOT_PATCH_WEIGHTS) restrict readonly buffer PatchWeights {
  vec4 weights[];
};
shared vec4 s_x[WEFT_PATCH_PARTICLES];
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_XPBD) restrict readonly buffer Xpbd { weft_xpbd xpbd[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { float lambda[]; };
shared float s_prev[3u * WEFT_PATCH_PARTICLES];

vec3 previous(uint k) { return vec3(s_prev[3u * k], s_prev[3u * k + 1u], s_prev[3u * k + 2u]); }
#endif

void sweep_distance(uint i, uint sense) {
  weft_patch_distance c = patch_distance_at(i);
  uint a = c.ab & 0xffffu;
  uint b = c.ab >> 16;
  vec4 pa = s_x[a];
  vec4 pb = s_x[b];
  precise vec3 n;
  precise float violation;
  bool defined;
  distance_measure(pa.xyz, pb.xyz, c.rest_length, n, violation, defined);
#ifdef WEFT_LAMBDA
  float multiplier = u_pass.first_iteration == 1u ? 0.0 : lambda_at(i);
  precise float parted = distance_parted(n, pa.xyz, pb.xyz, previous(a), previous(b));
  precise float step = distance_step_lambda(violation, parted, defined, c.inv_denominator, xpbd_at(i),
                                            sense, multiplier);
  lambda[i] = multiplier;
#else
  precise float step = distance_step(violation, defined, c.inv_denominator, sense);
#endif
  if (step == 0.0) return;
  precise vec3 delta_a = distance_delta(n, step, pa.w);
  precise vec3 delta_b = distance_delta(n, step, pb.w);
  s_x[a] = vec4(moved_back(pa.xyz, delta_a), pa.w);
  s_x[b] = vec4(moved_on(pb.xyz, delta_b), pb.w);
}

void sweep_isometric(uint i) {
  weft_patch_quad c = patch_quad_at(i);
  uvec4 q = uvec4(c.p01 & 0xffffu, c.p01 >> 16, c.p23 & 0xffffu, c.p23 >> 16);
  vec4 k = patch_weights_at(i);
  vec4 p0 = s_x[q.x];
  vec4 p1 = s_x[q.y];
  vec4 p2 = s_x[q.z];
  vec4 p3 = s_x[q.w];
  precise float k3 = isometric_last_weight(k);
  precise vec3 violation = isometric_sum(p0.xyz, p1.xyz, p2.xyz, p3.xyz, k);
#ifdef WEFT_LAMBDA
  uint row = u_pass.quad_first + 3u * i;
  vec3 multiplier = vec3(0.0);
  if (u_pass.first_iteration != 1u) multiplier = vec3(lambda_at(row), lambda_at(row + 1u), lambda_at(row + 2u));
  precise vec3 then =
      isometric_sum(previous(q.x), previous(q.y), previous(q.z), previous(q.w), k);
  precise vec3 step = isometric_step_lambda(violation, then, k.w, xpbd_at(u_pass.quad_first + i), multiplier);
  lambda[row] = multiplier.x;
  lambda[row + 1u] = multiplier.y;
  lambda[row + 2u] = multiplier.z;
#else
  precise vec3 step = isometric_step(violation, k.w);
#endif
  precise vec3 delta_0 = isometric_delta(step, p0.w, k.x);
  precise vec3 delta_1 = isometric_delta(step, p1.w, k.y);
  precise vec3 delta_2 = isometric_delta(step, p2.w, k.z);
  precise vec3 delta_3 = isometric_delta(step, p3.w, k3);
  s_x[q.x] = vec4(moved_back(p0.xyz, delta_0), p0.w);
  s_x[q.y] = vec4(moved_back(p1.xyz, delta_1), p1.w);
  s_x[q.z] = vec4(moved_back(p2.xyz, delta_2), p2.w);
  s_x[q.w] = vec4(moved_back(p3.xyz, delta_3), p3.w);
}

#ifndef WEFT_NO_DIHEDRAL
void sweep_dihedral(uint i) {
  weft_patch_quad c = patch_quad_at(i);
  uvec4 q = uvec4(c.p01 & 0xffffu, c.p01 >> 16, c.p23 & 0xffffu, c.p23 >> 16);
  vec4 rest = patch_weights_at(i);
  vec4 p0 = s_x[q.x];
  vec4 p1 = s_x[q.y];
  vec4 p2 = s_x[q.z];
  vec4 p3 = s_x[q.w];
  precise vec3 g0;
  precise vec3 g1;
  precise vec3 g2;
  precise vec3 g3;
  precise float violation;
  precise float weight;
  bool defined;
  dihedral_measure(p0, p1, p2, p3, rest.x, g0, g1, g2, g3, violation, weight, defined);
#ifdef WEFT_LAMBDA
  uint row = u_pass.quad_first + 3u * i;
  float multiplier = u_pass.first_iteration == 1u ? 0.0 : lambda_at(row);
  precise vec4 turned = vec4(dihedral_turned(g0, p0.xyz, previous(q.x)),
                             dihedral_turned(g1, p1.xyz, previous(q.y)),
                             dihedral_turned(g2, p2.xyz, previous(q.z)),
                             dihedral_turned(g3, p3.xyz, previous(q.w)));
  precise float step =
      dihedral_step_lambda(violation, weight, defined, turned, rest.y, rest.z, rest.w, multiplier);
  lambda[row] = multiplier;
#else
  precise float step = dihedral_step(violation, weight, defined, rest.y, rest.w);
#endif
  if (step == 0.0) return;
  precise vec3 delta_0 = dihedral_delta(g0, step, p0.w);
  precise vec3 delta_1 = dihedral_delta(g1, step, p1.w);
  precise vec3 delta_2 = dihedral_delta(g2, step, p2.w);
  precise vec3 delta_3 = dihedral_delta(g3, step, p3.w);
  s_x[q.x] = vec4(moved_back(p0.xyz, delta_0), p0.w);
  s_x[q.y] = vec4(moved_back(p1.xyz, delta_1), p1.w);
  s_x[q.z] = vec4(moved_back(p2.xyz, delta_2), p2.w);
  s_x[q.w] = vec4(moved_back(p3.xyz, delta_3), p3.w);
}
#endif

// The angle takes many more registers than all else: WEFT_NO_DIHEDRAL is set where a solver has none.
void sweep_quad(uint i, uint kind) {
#ifdef WEFT_NO_DIHEDRAL
  sweep_isometric(i);
#else
  if (kind == WEFT_PATCH_ISOMETRIC) {
    sweep_isometric(i);
  } else {
    sweep_dihedral(i);
  }
#endif
}

void main() {
  uint row = WEFT_PATCH_ROW * (u_pass.first + gl_WorkGroupID.x);
  uint particles = patch_word_at(row);
  uint particle_count = patch_word_at(row + 1u);
  uint ranges = patch_word_at(row + 2u);
  uint range_count = patch_word_at(row + 3u);
  for (uint k = gl_LocalInvocationID.x; k < particle_count; k += uint(WEFT_PASS_GROUP)) {
    uint particle = patch_word_at(particles + k);
    s_x[k] = x_at(particle);
#ifdef WEFT_LAMBDA
    vec3 prev = x_prev_at(particle).xyz;
    s_prev[3u * k] = prev.x;
    s_prev[3u * k + 1u] = prev.y;
    s_prev[3u * k + 2u] = prev.z;
#endif
  }
  barrier();
  for (uint r = 0u; r < range_count; ++r) {
    uint first = patch_word_at(ranges + 2u * r);
    uint what = patch_word_at(ranges + 2u * r + 1u);
    uint count = what & 0xffffu;
    uint kind = (what >> 16) & 15u;
    for (uint k = gl_LocalInvocationID.x; k < count; k += uint(WEFT_PASS_GROUP)) {
      if (kind == WEFT_PATCH_DISTANCE) {
        sweep_distance(first + k, what >> 20);
      } else {
        sweep_quad(first + k, kind);
      }
    }
    barrier();
  }
  for (uint k = gl_LocalInvocationID.x; k < particle_count; k += uint(WEFT_PASS_GROUP)) {
    x[patch_word_at(particles + k)] = s_x[k];
  }
}
