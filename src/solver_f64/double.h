/* double.h: read before the first line of every source that is compiled a second time with `float`
 * meaning double (cmake/weft_doubles.cmake names them): the passes of src/solver_ref, their list,
 * and the tables. So both backends run the same statements because they are the same text.
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

typedef float weft_f64_single;
#define float double

/* ---- vectors ---- */

typedef struct weft_f64_vec3 {
  double x, y, z;
} weft_f64_vec3;

#define weft_vec3 weft_f64_vec3
#define weft_v3 weft_f64_v3
#define weft_v3_add weft_f64_v3_add
#define weft_v3_sub weft_f64_v3_sub
#define weft_v3_scale weft_f64_v3_scale
#define weft_v3_dot weft_f64_v3_dot
#define weft_v3_cross weft_f64_v3_cross
#include "vec3.h"

/* ---- numbers: the part of exact.h that belongs to the format of float ---- */

#define WEFT_EXACT_NUMBERS
#define EXACT_PI 3.14159265358979323846
#define EXACT_TWO_PI 6.28318530717958647693

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

/* ---- functions that exist once a precision; those of passes are renamed by the build ---- */

#define weft_ref_run weft_f64_run
#define weft_tables_init weft_f64_tables_init
#define weft_tables_set weft_f64_tables_set
#define weft_tables_free weft_f64_tables_free
#define weft_solver_tables weft_f64_solver_tables
#define weft_part_tables weft_f64_part_tables
#define weft_tethers_fill weft_f64_tethers_fill
#define weft_levels_fill weft_f64_levels_fill
#define weft_lines_fill weft_f64_lines_fill
#define weft_contact_fill weft_f64_contact_fill
#define weft_patches_fill weft_f64_patches_fill

#endif
