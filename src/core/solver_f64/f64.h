/* f64.h: the doubles as the backend's own code sees them, which itself has floats. */
#ifndef WEFT_F64_H
#define WEFT_F64_H

#include "backend.h"
#include "model.h"

/* From the sources that are compiled a second time, see double.h. */
void weft_f64_run(unsigned char *const *payload, const weft_pass *pass, uint32_t substep);
void weft_f64_contents_init(weft_contents *contents);
void *weft_f64_contents_set(weft_contents *contents, weft_buffer_id id, uint64_t count);
void weft_f64_contents_free(weft_contents *contents);
weft_result weft_f64_solver_contents(const weft_model *model, const weft_params *params,
                                     weft_contents *contents, weft_error *err);

/* What an element of a buffer consists of, a letter for each scalar: 'f' is a float here and a
 * double there, 'u' a uint in both. */
enum { WEFT_F64_SCALARS = 128 };
void weft_f64_format(weft_buffer_id id, char format[WEFT_F64_SCALARS]);
void weft_f64_uniforms_change(const weft_params *params, void *uniforms);

/* Bytes of an element of doubles, packed as C packs it. */
uint32_t weft_f64_stride(const char *format);
/* Elements of floats into elements of doubles, and back (rounding). */
void weft_f64_widen(const char *format, const void *floats, void *doubles, uint64_t count);
void weft_f64_narrow(const char *format, const void *doubles, void *floats, uint64_t count);

/* Doubles of an instance of the backend, in place. */
void *weft_f64_elements(void *instance, weft_buffer_id id, uint64_t first, uint64_t count);

#endif
