// project_dihedral: the signed angle between the triangles (x0 x2 x3) and (x1 x3 x2) about the edge
// x2 x3 = rest_angle. The arithmetic is in lib/dihedral.glsl.
// permutations: WEFT_JACOBI=1; WEFT_LAMBDA=1; WEFT_JACOBI=1 WEFT_LAMBDA=1
// permutations: WEFT_TEXELS=1; WEFT_TEXELS=1 WEFT_LAMBDA=1
#define WEFT_ROWS_AT_REST
#include "lib/pass.glsl"
#include "lib/dihedral.glsl"
#include "lib/moved.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_CONSTRAINTS) restrict readonly buffer Constraints {
  weft_dihedral dihedrals[];
};
#ifdef WEFT_LAMBDA
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_LAMBDA) restrict buffer Lambda { float lambda[]; };
#endif
#ifdef WEFT_JACOBI
#include "lib/delta.glsl"
#endif

void main() {
  if (gl_GlobalInvocationID.x >= u_pass.count) return;
  uint i = u_pass.first + gl_GlobalInvocationID.x;
  weft_dihedral c = dihedral_at(i);
  uvec4 q = c.particles;
  vec4 p0 = x_at(q.x);
  vec4 p1 = x_at(q.y);
  vec4 p2 = x_at(q.z);
  vec4 p3 = x_at(q.w);
  precise vec3 g0;
  precise vec3 g1;
  precise vec3 g2;
  precise vec3 g3;
  precise float violation;
  precise float weight;
  bool defined;
  dihedral_measure(p0, p1, p2, p3, c.rest_angle, g0, g1, g2, g3, violation, weight, defined);
#ifdef WEFT_LAMBDA
  float multiplier = u_pass.first_iteration == 1u ? 0.0 : lambda_at(i);
  precise vec4 turned = vec4(dihedral_turned(g0, p0.xyz, x_prev_at(q.x).xyz),
                             dihedral_turned(g1, p1.xyz, x_prev_at(q.y).xyz),
                             dihedral_turned(g2, p2.xyz, x_prev_at(q.z).xyz),
                             dihedral_turned(g3, p3.xyz, x_prev_at(q.w).xyz));
  precise float step = dihedral_step_lambda(violation, weight, defined, turned, c.compliance, c.gamma,
                                            c.relaxation, multiplier);
  lambda[i] = multiplier;
#else
  precise float step = dihedral_step(violation, weight, defined, c.compliance, c.relaxation);
#endif
  // As in project_distance: undefined gradients must not reach the positions.
  if (step == 0.0) {
#ifdef WEFT_JACOBI
    uint still = u_pass.delta_first + 4u * gl_GlobalInvocationID.x;
    put_delta(still, vec3(0.0));
    put_delta(still + 1u, vec3(0.0));
    put_delta(still + 2u, vec3(0.0));
    put_delta(still + 3u, vec3(0.0));
#endif
    return;
  }
  precise vec3 delta_0 = dihedral_delta(g0, step, p0.w);
  precise vec3 delta_1 = dihedral_delta(g1, step, p1.w);
  precise vec3 delta_2 = dihedral_delta(g2, step, p2.w);
  precise vec3 delta_3 = dihedral_delta(g3, step, p3.w);
#ifdef WEFT_JACOBI
  uint slot = u_pass.delta_first + 4u * gl_GlobalInvocationID.x;
  put_delta(slot, -delta_0);
  put_delta(slot + 1u, -delta_1);
  put_delta(slot + 2u, -delta_2);
  put_delta(slot + 3u, -delta_3);
#else
  x[q.x] = vec4(moved_back(p0.xyz, delta_0), p0.w);
  x[q.y] = vec4(moved_back(p1.xyz, delta_1), p1.w);
  x[q.z] = vec4(moved_back(p2.xyz, delta_2), p2.w);
  x[q.w] = vec4(moved_back(p3.xyz, delta_3), p3.w);
#endif
}
