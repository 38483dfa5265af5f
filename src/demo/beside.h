/* beside.h: what is shown beside scenes whose motion is known: trails, and theory as a ghost. The
 * host makes and leads it; a host without, or a scene that has none, is none. */
#ifndef WEFT_DEMO_BESIDE_H
#define WEFT_DEMO_BESIDE_H

#include "stage.h"

weft_result weft_demo_beside_open(weft_demo_stage *stage, weft_error *err);
void weft_demo_beside_close(weft_demo_stage *stage);
void weft_demo_beside_step(weft_demo_stage *stage);
/* Somebody changed state or parameters: theory goes on from what is there now. */
void weft_demo_beside_restart(weft_demo_stage *stage, bool forget_trails);
void weft_demo_beside_show(const weft_demo_stage *stage, weft_picture *picture);

#endif
