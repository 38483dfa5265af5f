/* exact.h: arithmetic whose bits every driver must agree on, for the host: shaders/kernels/exact.h
 * in C, compiled without contraction. Passes get every constant that float rounds by name or
 * through K(): the run in doubles has it unrounded. */
#ifndef WEFT_EXACT_H
#define WEFT_EXACT_H

#include <float.h>
#include <math.h>

#ifndef WEFT_EXACT_NUMBERS
#if FLT_EVAL_METHOD != 0
#error "float arithmetic must round to float after each operation (on x86: use SSE, not x87)"
#endif
#ifdef __FAST_MATH__
#error "fast-math changes the bits that the GPU is compared with"
#endif
#endif

#include <kernels/lang_c.h>
/* literals in the language of kernels */
#include <kernels/exact.h>
#include <kernels/lang_c_end.h>

#endif
