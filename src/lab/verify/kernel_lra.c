/* kernel_lra.c: contents for the attachment pass. Anchors are pinned particles behind the
 * range the pass works on; lengths lie around the distances there are. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

enum { ANCHORS = 64 };

static float place(weft_rng *rng) {
  switch (weft_rng_u32(rng) % 16) {
    case 0:
      return 0;
    case 1:
      return (float)WEFT_SNAP * weft_rng_float(rng, 1, 8);
    case 2:
      return weft_rng_float(rng, -1e5f, 1e5f);
    default:
      return weft_rng_float(rng, -1, 1);
  }
}

static vec4 particle(weft_rng *rng, float w) {
  weft_vec3 p;
  p.x = place(rng);
  p.y = place(rng);
  p.z = place(rng);
  return exact_vec4(p, w);
}

static float awkward_length(weft_rng *rng, float distance) {
  switch (weft_rng_u32(rng) % 8) {
    case 0:
      return 0; /* welded to its attachment */
    case 1:
      return distance; /* just not taut */
    case 2:
      return nextafterf(distance, 0); /* just taut */
    case 3:
      return distance * 2;
    case 4:
      return 2 * (float)WEFT_SNAP;
    default:
      return distance * weft_rng_float(rng, 0.5f, 1.5f);
  }
}

void weft_kernel_fill_lra(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_contents_set(contents, WEFT_BUFFER_UNIFORMS, 1);
  weft_contents_set(contents, WEFT_BUFFER_SUBSTEPS, 3);
  uint32_t n = WEFT_KERNEL_FIRST + c->pass.count + WEFT_KERNEL_PAD;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, (uint64_t)n + ANCHORS);
  for (uint32_t i = 0; i < n + ANCHORS; ++i) {
    bool pinned = i >= n || weft_rng_u32(rng) % 8 == 0;
    x[i] = particle(rng, pinned ? 0 : weft_rng_float(rng, 0.1f, 1000));
  }
  weft_lra *elements = weft_contents_set(contents, WEFT_BUFFER_LRA, n);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t anchors[4];
    float lengths[4];
    uint32_t used = weft_rng_u32(rng) % 5;
    for (uint32_t k = 0; k < 4; ++k) {
      anchors[k] = k < used ? n + weft_rng_u32(rng) % ANCHORS : WEFT_NO_ANCHOR;
      lengths[k] = k < used ? awkward_length(rng, weft_kernel_distance(x[i], x[anchors[k]])) : 0;
      if (k < used && lengths[k] < (float)WEFT_FLUSH) lengths[k] = 0;
    }
    if (used > 0 && i % 16 == 0)
      memcpy(&x[i], &x[anchors[0]], 3 * sizeof(float)); /* in one place */
    elements[i].anchors = (uvec4){anchors[0], anchors[1], anchors[2], anchors[3]};
    elements[i].lengths = (vec4){lengths[0], lengths[1], lengths[2], lengths[3]};
  }
}
