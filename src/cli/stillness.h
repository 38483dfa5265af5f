/* stillness.h: cloth that did not move although something acts on it. */
#ifndef WEFT_CLI_STILLNESS_H
#define WEFT_CLI_STILLNESS_H

#include "cli.h"

typedef struct weft_cli_stillness {
  vec4 *start;       /* [particles] as they were before the first frame */
  weft_vec3d origin; /* that these count from */
} weft_cli_stillness;

void weft_cli_still_begin(weft_cli_stillness *still, const weft_model *model,
                          const weft_kept_state *state);
void weft_cli_still_end(weft_cli_stillness *still);
/* A warning with the reason where self-collision paused, nothing is seen to have moved, and gravity
 * or wind acts. State and metrics are of the last frame. */
void weft_cli_warn_still(const weft_cli_stillness *still, const weft_model *model,
                         const weft_params *p, const weft_metrics *m, const weft_kept_state *state);

#endif
