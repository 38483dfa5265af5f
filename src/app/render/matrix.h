/* matrix.h: the few 4 x 4 matrices a camera and a light need, by columns, for column vectors. */
#ifndef WEFT_RENDER_MATRIX_H
#define WEFT_RENDER_MATRIX_H

#include <render/frame.h>
#include <weft/types.h>

mat4 weft_mat4_multiply(mat4 a, mat4 b); /* a after b */
/* From the world to a frame at `eye` that looks at `target` along -z. */
mat4 weft_mat4_look_at(weft_vec3 eye, weft_vec3 target);
/* Depth near..far becomes -1..1. */
mat4 weft_mat4_perspective(float fov, float aspect, float near, float far);
mat4 weft_mat4_orthographic(float half_side, float near, float far);
/* Moves what lies in clip space by (x, y) of its half side. */
mat4 weft_mat4_shift(float x, float y);
/* Clip coordinates -1..1 to texture coordinates 0..1. */
mat4 weft_mat4_to_texture(void);

/* Two unit vectors square to a unit vector and to each other. */
void weft_square_to(weft_vec3 axis, weft_vec3 *u, weft_vec3 *v);
weft_vec3 weft_v3_unit(weft_vec3 a); /* (0, 1, 0) for a vector without length */

#endif
