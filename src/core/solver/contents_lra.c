/* contents_lra.c: the table of long-range attachments, made with the solver: they depend
 * on parameters, and a model is immutable and shared. A solver without attachments does not compute
 * them.
 */
#include <math.h>

#include "geodesic.h"
#include "solver.h"

/* Lengths are a few units in the last place longer, so that rounding in the pass does not pull
 * what hangs at exactly its length. A length too short to measure is 0. */
static float lra_length(double length, float slack) {
  float rounded = (float)(length * (1 + (double)slack) * (1 + 5e-7));
  return rounded < (float)WEFT_FLUSH ? 0.0f : rounded;
}

void weft_lra_fill(const weft_model *model, const weft_params *params, weft_contents *contents) {
  if (!weft_lra_active(model, params)) return;
  const weft_geodesics *g = weft_model_geodesics(model);
  weft_lra *elements = weft_contents_set(contents, WEFT_BUFFER_LRA, model->particle_count);
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    uint32_t anchors[WEFT_MAX_LRA];
    float lengths[WEFT_MAX_LRA];
    for (uint32_t k = 0; k < WEFT_MAX_LRA; ++k) {
      size_t from = WEFT_MAX_LRA * (size_t)i + k;
      bool used = k < params->lra && g->anchors[from] != WEFT_NO_ANCHOR;
      anchors[k] = used ? g->anchors[from] : WEFT_NO_ANCHOR;
      lengths[k] = used ? lra_length(g->lengths[from], params->lra_slack) : 0;
    }
    elements[i].anchors = (uvec4){anchors[0], anchors[1], anchors[2], anchors[3]};
    elements[i].lengths = (vec4){lengths[0], lengths[1], lengths[2], lengths[3]};
  }
}
