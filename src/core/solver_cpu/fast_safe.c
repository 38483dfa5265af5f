/* fast_safe.c: constraints whose bits do not depend on flushing small numbers, where the fast path
 * (lanes_fast.h) holds. */
#include <math.h>
#include <string.h>

#include "plan.h"

static bool fast_safe_weight(double weight, double factor) {
  return weight >= -0x1p40 && weight <= 0x1p40 && fabs(weight * factor) <= 0x1p7;
}

static bool pair_is_fast_safe(const vec4 *x, const uint32_t *particles) {
  return fast_safe_weight((double)x[particles[0]].w, 0) &&
         fast_safe_weight((double)x[particles[1]].w, 0);
}

/* k: three weights, the factor. */
static bool quad_is_fast_safe(const vec4 *x, const uint32_t *particles, const float k[4]) {
  double weights[4] = {(double)k[0], (double)k[1], (double)k[2],
                       -((double)k[0] + (double)k[1] + (double)k[2])};
  for (uint32_t r = 0; r < 4; ++r) {
    if (!fast_safe_weight((double)x[particles[r]].w * weights[r], (double)k[3])) return false;
  }
  return true;
}

bool weft_plan_fast_safe(int type, const vec4 *x, const uint32_t *particles,
                         const uint32_t *values) {
  if (type == WEFT_CONSTRAINT_DISTANCE) return pair_is_fast_safe(x, particles);
  if (type == WEFT_CONSTRAINT_DIHEDRAL) return true; /* it takes nothing for granted */
  float k[4];
  memcpy(k, values, sizeof k);
  return type == WEFT_CONSTRAINT_ISOMETRIC && quad_is_fast_safe(x, particles, k);
}

bool weft_plan_are_fast_safe(const weft_memory *memory, const weft_pass *pass,
                             const uint32_t *elements, uint32_t count) {
  const vec4 *x = (const void *)memory->payload[WEFT_BUFFER_X];
  int type = weft_pass_constraint(pass->kind);
  uint32_t particles = weft_constraint_infos[type].pair ? 2 : 4;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t one[WEFT_PACKED_MAX];
    weft_plan_pack(memory, pass, elements[k], one);
    if (!weft_plan_fast_safe(type, x, one, one + particles)) return false;
  }
  return true;
}
