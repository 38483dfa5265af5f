/* moved.h: twin of shaders/lib/moved.glsl. */
#ifndef WEFT_REF_MOVED_H
#define WEFT_REF_MOVED_H

#include "ref.h"

static inline weft_vec3 moved_back(weft_vec3 p, weft_vec3 delta) {
  return exact_flush3(weft_v3_sub(p, delta));
}

static inline weft_vec3 moved_on(weft_vec3 p, weft_vec3 delta) {
  return exact_flush3(weft_v3_add(p, delta));
}

#endif
