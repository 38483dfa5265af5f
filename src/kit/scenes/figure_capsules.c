/* figure_capsules.c: what stands for the figure in contact: capsules that hold its skin, as closely
 * as few can. */
#include "figure_internal.h"

typedef struct row {
  weft_bone bone;
  bool paired;
  weft_vec3 a, b;
  float radius;
} row;

/* clang-format off */
static const row rows[] = {
    {WEFT_BONE_PELVIS, false, {-0.063f, 0.886f, -0.006f}, {0.063f, 0.886f, -0.006f}, 0.1127f},
    {WEFT_BONE_PELVIS, true, {0.058f, 0.890f, -0.025f}, {0.064f, 0.864f, -0.017f}, 0.1016f},
    {WEFT_BONE_PELVIS, true, {0.0265f, 1.049f, 0.003f}, {0.0345f, 0.941f, 0.001f}, 0.1070f},
    {WEFT_BONE_CHEST, true, {0.018f, 1.160f, -0.006f}, {0.033f, 1.254f, -0.004f}, 0.1019f},
    {WEFT_BONE_CHEST, false, {-0.062f, 1.306f, -0.016f}, {0.062f, 1.306f, -0.016f}, 0.1022f},
    {WEFT_BONE_CHEST, true, {0.050f, 1.280f, 0.022f}, {0.063f, 1.242f, 0.044f}, 0.0704f},
    {WEFT_BONE_CHEST, true, {0.034f, 1.415f, -0.023f}, {0.154f, 1.363f, -0.023f}, 0.0578f},
    {WEFT_BONE_CHEST, false, {0, 1.415f, -0.017f}, {0, 1.465f, -0.006f}, 0.0614f},
    {WEFT_BONE_CHEST, false, {0, 1.606f, -0.008f}, {0, 1.592f, 0.016f}, 0.0945f},
    {WEFT_BONE_CHEST, false, {0, 1.570f, 0.047f}, {0, 1.504f, 0.050f}, 0.0380f},
    {WEFT_BONE_THIGH, true, {0.088f, 0.879f, -0.001f}, {0.082f, 0.715f, 0.007f}, 0.0837f},
    {WEFT_BONE_THIGH, true, {0.081f, 0.665f, 0.009f}, {0.082f, 0.555f, 0.010f}, 0.0664f},
    {WEFT_BONE_SHIN, true, {0.079f, 0.504f, 0.007f}, {0.077f, 0.325f, -0.015f}, 0.0482f},
    {WEFT_BONE_SHIN, true, {0.080f, 0.347f, -0.020f}, {0.075f, 0.186f, -0.015f}, 0.0422f},
    {WEFT_BONE_SHIN, true, {0.078f, 0.170f, -0.024f}, {0.077f, 0.129f, -0.022f}, 0.0258f},
    {WEFT_BONE_FOOT, true, {0.078f, 0.085f, -0.024f}, {0.075f, 0.045f, -0.024f}, 0.0443f},
    {WEFT_BONE_FOOT, true, {0.078f, 0.083f, -0.007f}, {0.085f, 0.032f, 0.081f}, 0.0309f},
    {WEFT_BONE_FOOT, true, {0.060f, 0.0252f, 0.033f}, {0.109f, 0.0252f, 0.121f}, 0.0252f},
    {WEFT_BONE_FOOT, true, {0.053f, 0.039f, 0.051f}, {0.090f, 0.021f, 0.146f}, 0.0201f},
    {WEFT_BONE_FOOT, true, {0.072f, 0.024f, -0.020f}, {0.078f, 0.024f, 0.080f}, 0.0240f},
    {WEFT_BONE_FOOT, true, {0.091f, 0.027f, -0.013f}, {0.103f, 0.021f, 0.075f}, 0.0196f},
    {WEFT_BONE_ARM, true, {0.161f, 1.371f, -0.023f}, {0.205f, 1.279f, -0.025f}, 0.0480f},
    {WEFT_BONE_ARM, true, {0.202f, 1.284f, -0.024f}, {0.285f, 1.111f, -0.024f}, 0.0392f},
    {WEFT_BONE_FOREARM, true, {0.287f, 1.107f, -0.026f}, {0.342f, 0.978f, -0.001f}, 0.0328f},
    {WEFT_BONE_FOREARM, true, {0.336f, 0.990f, -0.004f}, {0.384f, 0.875f, 0.026f}, 0.0272f},
    {WEFT_BONE_FOREARM, true, {0.392f, 0.846f, 0.047f}, {0.403f, 0.727f, 0.085f}, 0.0275f},
    {WEFT_BONE_FOREARM, true, {0.399f, 0.841f, 0.018f}, {0.409f, 0.712f, 0.052f}, 0.0244f},
};
/* clang-format on */

bool weft_figure_capsule_at(uint32_t k, weft_figure_capsule *capsule) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    const row *r = &rows[i];
    if (k > r->paired) {
      k -= 1 + r->paired;
      continue;
    }
    *capsule = (weft_figure_capsule){r->bone, r->a, r->b, r->radius};
    if (k == 0) return true;
    if (r->bone >= WEFT_BONE_THIGH) ++capsule->bone;
    capsule->a.x = -capsule->a.x;
    capsule->b.x = -capsule->b.x;
    return true;
  }
  return false;
}
