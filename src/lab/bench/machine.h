/* machine.h: what the system says of itself and of this process. */
#ifndef WEFT_BENCH_MACHINE_H
#define WEFT_BENCH_MACHINE_H

#include <weft_gl/gl.h>

/* Max memory this process has had resident since the last reset, bytes; 0 where the system does
 * not say. Where it cannot be reset (it is Linux's /proc/self/clear_refs), since the start.
 */
uint64_t weft_peak_memory(void);
bool weft_reset_peak_memory(void);
/* Resident, what is free in the heap given back before; bytes. */
uint64_t weft_resident_memory(void);
/* Processes that wanted to run in the last minute, on average; NaN: the system does not say. */
double weft_machine_load(void);

/* The processor's name. */
const char *weft_processor_name(void);
/* "llvmpipe (LLVM 15.0.6, 256 bits), 4.5 (Core Profile) Mesa 22.3.6", or NULL without GL. */
const char *weft_driver_name(const weft_gl *gl, char *text, size_t size);
/* The renderer alone, as "llvmpipe"; "none" without GL. */
const char *weft_driver_short_name(const weft_gl *gl, char *text, size_t size);
/* True when this build is too slow to time: debug, or with sanitizers. */
bool weft_build_is_slow(void);

#endif
