/* shape_fit.h: the largest scale of the body inside a shape at which it contains no cloth. */
#ifndef WEFT_SOLVER_SHAPE_FIT_H
#define WEFT_SOLVER_SHAPE_FIT_H

#include "model.h"
#include "pass.h"
#include "shape_mesh.h"

/* gap: m, distance to keep from the cloth. */
weft_shape_fit weft_shape_fit_to(const weft_shape_mesh *whole, const weft_collider_pose *pose,
                                 double gap, const weft_model *model, const weft_vec3 *positions);

#endif
