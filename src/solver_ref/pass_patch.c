/* patch: twin of shaders/solver/patch.comp. What shared memory is there are arrays of the patch's
 * particles here. */
#include "dihedral.h"
#include "distance.h"
#include "isometric.h"
#include "moved.h"

typedef struct held {
  const weft_ref *ref;
  const weft_dispatch *d;
  vec4 *x;
  weft_vec3 *previous; /* where there are multipliers */
} held;

static inline void sweep_distance(const held *s, uint32_t i, uint32_t sense, bool with_lambda) {
  weft_patch_distance c = s->ref->patch_distances[i];
  uint32_t a = c.ab & 0xffffu, b = c.ab >> 16;
  vec4 pa = s->x[a], pb = s->x[b];
  weft_vec3 n;
  float violation, step;
  bool defined;
  distance_measure(exact_xyz(pa), exact_xyz(pb), c.rest_length, &n, &violation, &defined);
  if (with_lambda) {
    float *kept = &s->ref->patch_lambda[i];
    float lambda = s->d->pass.first_iteration == 1 ? 0.0f : *kept;
    float parted = distance_parted(n, exact_xyz(pa), exact_xyz(pb), s->previous[a], s->previous[b]);
    step = distance_step_lambda(violation, parted, defined, c.inv_denominator,
                                s->ref->patch_xpbd[i], sense, &lambda);
    *kept = lambda;
  } else {
    step = distance_step(violation, defined, c.inv_denominator, sense);
  }
  if (step == 0.0f) return;
  weft_vec3 delta_a = distance_delta(n, step, pa.w);
  weft_vec3 delta_b = distance_delta(n, step, pb.w);
  s->x[a] = exact_vec4(moved_back(exact_xyz(pa), delta_a), pa.w);
  s->x[b] = exact_vec4(moved_on(exact_xyz(pb), delta_b), pb.w);
}

static inline void sweep_isometric(const held *s, uint32_t i, bool with_lambda) {
  weft_patch_quad c = s->ref->patch_quads[i];
  uvec4 q = {c.p01 & 0xffffu, c.p01 >> 16, c.p23 & 0xffffu, c.p23 >> 16};
  vec4 k = s->ref->patch_weights[i];
  vec4 p0 = s->x[q.x], p1 = s->x[q.y], p2 = s->x[q.z], p3 = s->x[q.w];
  float k3 = isometric_last_weight(k);
  weft_vec3 violation =
      isometric_sum(exact_xyz(p0), exact_xyz(p1), exact_xyz(p2), exact_xyz(p3), k);
  weft_vec3 step;
  if (with_lambda) {
    float *kept = &s->ref->patch_lambda[s->d->pass.quad_first + 3 * (size_t)i];
    weft_vec3 lambda = weft_v3(0, 0, 0);
    if (s->d->pass.first_iteration != 1) lambda = weft_v3(kept[0], kept[1], kept[2]);
    weft_vec3 then =
        isometric_sum(s->previous[q.x], s->previous[q.y], s->previous[q.z], s->previous[q.w], k);
    step = isometric_step_lambda(violation, then, k.w,
                                 s->ref->patch_xpbd[s->d->pass.quad_first + (size_t)i], &lambda);
    kept[0] = lambda.x;
    kept[1] = lambda.y;
    kept[2] = lambda.z;
  } else {
    step = isometric_step(violation, k.w);
  }
  weft_vec3 delta_0 = isometric_delta(step, p0.w, k.x);
  weft_vec3 delta_1 = isometric_delta(step, p1.w, k.y);
  weft_vec3 delta_2 = isometric_delta(step, p2.w, k.z);
  weft_vec3 delta_3 = isometric_delta(step, p3.w, k3);
  s->x[q.x] = exact_vec4(moved_back(exact_xyz(p0), delta_0), p0.w);
  s->x[q.y] = exact_vec4(moved_back(exact_xyz(p1), delta_1), p1.w);
  s->x[q.z] = exact_vec4(moved_back(exact_xyz(p2), delta_2), p2.w);
  s->x[q.w] = exact_vec4(moved_back(exact_xyz(p3), delta_3), p3.w);
}

static inline void sweep_dihedral(const held *s, uint32_t i, bool with_lambda) {
  weft_patch_quad c = s->ref->patch_quads[i];
  uvec4 q = {c.p01 & 0xffffu, c.p01 >> 16, c.p23 & 0xffffu, c.p23 >> 16};
  vec4 rest = s->ref->patch_weights[i];
  vec4 p0 = s->x[q.x], p1 = s->x[q.y], p2 = s->x[q.z], p3 = s->x[q.w];
  weft_vec3 gradients[4];
  float violation, weight, step;
  bool defined;
  dihedral_measure(p0, p1, p2, p3, rest.x, gradients, &violation, &weight, &defined);
  if (with_lambda) {
    float *kept = &s->ref->patch_lambda[s->d->pass.quad_first + 3 * (size_t)i];
    float lambda = s->d->pass.first_iteration == 1 ? 0.0f : *kept;
    vec4 turned = {dihedral_turned(gradients[0], exact_xyz(p0), s->previous[q.x]),
                   dihedral_turned(gradients[1], exact_xyz(p1), s->previous[q.y]),
                   dihedral_turned(gradients[2], exact_xyz(p2), s->previous[q.z]),
                   dihedral_turned(gradients[3], exact_xyz(p3), s->previous[q.w])};
    step =
        dihedral_step_lambda(violation, weight, defined, turned, rest.y, rest.z, rest.w, &lambda);
    *kept = lambda;
  } else {
    step = dihedral_step(violation, weight, defined, rest.y, rest.w);
  }
  if (step == 0.0f) return;
  weft_vec3 delta_0 = dihedral_delta(gradients[0], step, p0.w);
  weft_vec3 delta_1 = dihedral_delta(gradients[1], step, p1.w);
  weft_vec3 delta_2 = dihedral_delta(gradients[2], step, p2.w);
  weft_vec3 delta_3 = dihedral_delta(gradients[3], step, p3.w);
  s->x[q.x] = exact_vec4(moved_back(exact_xyz(p0), delta_0), p0.w);
  s->x[q.y] = exact_vec4(moved_back(exact_xyz(p1), delta_1), p1.w);
  s->x[q.z] = exact_vec4(moved_back(exact_xyz(p2), delta_2), p2.w);
  s->x[q.w] = exact_vec4(moved_back(exact_xyz(p3), delta_3), p3.w);
}

/* The permutation is a constant in each caller, as in the shader. */
static inline void sweep_ranges(const held *s, const uint32_t *ranges, uint32_t range_count,
                                bool with_lambda) {
  for (uint32_t r = 0; r < range_count; ++r) {
    uint32_t first = ranges[2 * r], what = ranges[2 * r + 1];
    uint32_t count = what & 0xffffu, kind = (what >> 16) & 15u;
    for (uint32_t k = 0; k < count; ++k) {
      if (kind == WEFT_PATCH_DISTANCE) {
        sweep_distance(s, first + k, what >> 20, with_lambda);
      } else if (kind == WEFT_PATCH_ISOMETRIC) {
        sweep_isometric(s, first + k, with_lambda);
      } else {
        sweep_dihedral(s, first + k, with_lambda);
      }
    }
  }
}

void weft_pass_patch(const weft_ref *ref, const weft_dispatch *d) {
  vec4 x[WEFT_PATCH_PARTICLES];
  weft_vec3 previous[WEFT_PATCH_PARTICLES];
  held s = {ref, d, x, previous};
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    const uint32_t *row = ref->patch_words + WEFT_PATCH_ROW * (size_t)(d->pass.first + g);
    const uint32_t *particles = ref->patch_words + row[0], *ranges = ref->patch_words + row[2];
    uint32_t particle_count = row[1], range_count = row[3];
    for (uint32_t k = 0; k < particle_count; ++k) x[k] = ref->x[particles[k]];
    if (d->lambda) {
      for (uint32_t k = 0; k < particle_count; ++k) {
        previous[k] = exact_xyz(ref->x_prev[particles[k]]);
      }
      sweep_ranges(&s, ranges, range_count, true);
    } else {
      sweep_ranges(&s, ranges, range_count, false);
    }
    for (uint32_t k = 0; k < particle_count; ++k) ref->x[particles[k]] = x[k];
  }
}
