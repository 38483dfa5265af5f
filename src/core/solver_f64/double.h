/* double.h: read before the first line of every source that is compiled a second time with `float`
 * meaning double (cmake/weft_doubles.cmake names them): the passes of src/core/solver_ref and the
 * tables. So both backends run the same statements because they are the same text.
 *
 * System headers, public headers and the model come first and keep their floats. Whatever is read
 * after them, weft_shared.h and ref.h above all, has doubles in its structs. A source that must not
 * be compiled like this says so by itself: a pointer to the model's floats, a bit cast or a
 * function that takes weft_vec3 does not compile here (read elements by value instead), and a
 * function shared by both precisions is defined twice for the linker until it is renamed below. */
#ifndef WEFT_DOUBLE_H
#define WEFT_DOUBLE_H

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/model.h>
#include <weft/solver.h>

#include "base.h"
#include "model.h"
#include "vec3d.h"

typedef float weft_f64_single;
#define float double

/* ---- vectors ---- */

#define weft_vec3 weft_vec3d
#define weft_v3 weft_v3d
#define weft_v3_add weft_v3d_add
#define weft_v3_sub weft_v3d_sub
#define weft_v3_scale weft_v3d_scale
#define weft_v3_dot weft_v3d_dot
#define weft_v3_cross weft_v3d_cross

/* ---- numbers: the part of exact.h that belongs to the format of float ---- */

#define WEFT_EXACT_NUMBERS
#define EXACT_PI 3.14159265358979323846
#define EXACT_TWO_PI 6.28318530717958647693
#define EXACT_SPLIT 134217729.0 /* 2^27 + 1 */

static inline double exact_rcp(double x) { return 1 / x; }
static inline double exact_rsqrt(double x) { return 1 / sqrt(x); }
/* Of the float next to it: passes ask bits for sign and size only. */
static inline uint32_t exact_to_bits(double x) {
  weft_f64_single single = (weft_f64_single)x;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return bits;
}
/* Of a zero y the float version does not see the sign either. */
static inline double exact_atan2(double y, double x) { return atan2(y == 0 ? 0 : y, x); }
/* What keeps subnormal floats out of the state has nothing to do here. */
static inline double exact_snap(double x) { return x; }
static inline double exact_flush(double x) { return x; }
static inline double exact_trim(double x) { return x; }

#define fabsf fabs
#define sqrtf sqrt
#define floorf floor
#define ceilf ceil

/* ---- functions that exist once a precision ---- */

#include <rows/double_names.h> /* those of rows */
#define weft_ref_run weft_f64_run
#define weft_contents_init weft_f64_contents_init
#define weft_contents_set weft_f64_contents_set
#define weft_contents_free weft_f64_contents_free
#define weft_solver_contents weft_f64_solver_contents
#define weft_part_contents weft_f64_part_contents
#define weft_uniforms_fill weft_f64_uniforms_fill
#define weft_uniforms_change weft_f64_uniforms_change
#define weft_uniforms_take_mass weft_f64_uniforms_take_mass
#define weft_lra_fill weft_f64_lra_fill
#define weft_colliders_fill weft_f64_colliders_fill
#define weft_levels_fill weft_f64_levels_fill
#define weft_bends_fill weft_f64_bends_fill
#define weft_lines_fill weft_f64_lines_fill
#define weft_lines_fill_with weft_f64_lines_fill_with
#define weft_contact_fill weft_f64_contact_fill
#define weft_self_fill weft_f64_self_fill
#define weft_self_fill_distances weft_f64_self_fill_distances
#define weft_self_size_tree weft_f64_self_size_tree
#define weft_self_set_room weft_f64_self_set_room
#define weft_self_check weft_f64_self_check
#define weft_self_least weft_f64_self_least
#define weft_self_cook weft_f64_self_cook
#define weft_self_cooked_free weft_f64_self_cooked_free
#define weft_self_take_kept weft_f64_self_take_kept
#define weft_self_give_kept weft_f64_self_give_kept
#define weft_cook_halve weft_f64_cook_halve
#define weft_cook_patches weft_f64_cook_patches
#define weft_cook_planes weft_f64_cook_planes
#define weft_cook_stars weft_f64_cook_stars
#define weft_cook_beside weft_f64_cook_beside
#define weft_cook_viewer_create weft_f64_cook_viewer_create
#define weft_cook_viewer_free weft_f64_cook_viewer_free
#define weft_cook_hull weft_f64_cook_hull
#define weft_cook_polygon_around weft_f64_cook_polygon_around
#define weft_patches_fill weft_f64_patches_fill
#define weft_fill_see weft_f64_fill_see
#define weft_fill_theta weft_f64_fill_theta
#define weft_fill_groups weft_f64_fill_groups
#define weft_fill_group weft_f64_fill_group
#define weft_fill_valence weft_f64_fill_valence
#define weft_fill_gather weft_f64_fill_gather
#define weft_fill_check_corners weft_f64_fill_check_corners

#endif
