/* collider_depth.h: how deep a point is inside of a collider, by the kernels of collision. */
#ifndef WEFT_REF_COLLIDER_DEPTH_H
#define WEFT_REF_COLLIDER_DEPTH_H

#include "backend.h"

/* Metres below what is `thickness` above the surface at a time, s; negative outside. */
float weft_collider_depth(const weft_collider *collider, double time, float thickness,
                          weft_vec3 point);

#endif
