/* project_dihedral: twin of shaders/solver/project_dihedral.comp. */
#include "dihedral.h"
#include "moved.h"

/* One constraint. The permutation is a constant in each caller, as in the shader. */
static inline void project(const weft_ref *ref, const weft_dispatch *d, uint32_t g, bool jacobi,
                           bool with_lambda) {
  uint32_t i = d->pass.first + g;
  weft_dihedral c = ref->dihedrals[i];
  uvec4 q = c.particles;
  vec4 p0 = ref->x[q.x];
  vec4 p1 = ref->x[q.y];
  vec4 p2 = ref->x[q.z];
  vec4 p3 = ref->x[q.w];
  weft_vec3 gradients[4];
  float violation, weight, step;
  bool defined;
  dihedral_measure(p0, p1, p2, p3, c.rest_angle, gradients, &violation, &weight, &defined);
  if (with_lambda) {
    float lambda = d->pass.first_iteration == 1 ? 0.0f : ref->dihedral_lambda[i];
    vec4 turned = {dihedral_turned(gradients[0], exact_xyz(p0), exact_xyz(ref->x_prev[q.x])),
                   dihedral_turned(gradients[1], exact_xyz(p1), exact_xyz(ref->x_prev[q.y])),
                   dihedral_turned(gradients[2], exact_xyz(p2), exact_xyz(ref->x_prev[q.z])),
                   dihedral_turned(gradients[3], exact_xyz(p3), exact_xyz(ref->x_prev[q.w]))};
    step = dihedral_step_lambda(violation, weight, defined, turned, c.compliance, c.gamma,
                                c.relaxation, &lambda);
    ref->dihedral_lambda[i] = lambda;
  } else {
    step = dihedral_step(violation, weight, defined, c.compliance, c.relaxation);
  }
  uint32_t slot = d->pass.delta_first + 4 * g;
  if (step == 0.0f) {
    for (uint32_t role = 0; role < 4 && jacobi; ++role) {
      weft_put_delta(ref->delta, slot + role, weft_v3(0, 0, 0));
    }
    return;
  }
  weft_vec3 delta_0 = dihedral_delta(gradients[0], step, p0.w);
  weft_vec3 delta_1 = dihedral_delta(gradients[1], step, p1.w);
  weft_vec3 delta_2 = dihedral_delta(gradients[2], step, p2.w);
  weft_vec3 delta_3 = dihedral_delta(gradients[3], step, p3.w);
  if (jacobi) {
    weft_put_delta(ref->delta, slot, exact_neg(delta_0));
    weft_put_delta(ref->delta, slot + 1, exact_neg(delta_1));
    weft_put_delta(ref->delta, slot + 2, exact_neg(delta_2));
    weft_put_delta(ref->delta, slot + 3, exact_neg(delta_3));
  } else {
    ref->x[q.x] = exact_vec4(moved_back(exact_xyz(p0), delta_0), p0.w);
    ref->x[q.y] = exact_vec4(moved_back(exact_xyz(p1), delta_1), p1.w);
    ref->x[q.z] = exact_vec4(moved_back(exact_xyz(p2), delta_2), p2.w);
    ref->x[q.w] = exact_vec4(moved_back(exact_xyz(p3), delta_3), p3.w);
  }
}

void weft_pass_project_dihedral(const weft_ref *ref, const weft_dispatch *d) {
  for (uint32_t g = 0; g < d->pass.count; ++g) project(ref, d, g, d->jacobi, d->lambda);
}
