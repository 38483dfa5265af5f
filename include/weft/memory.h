/* weft/memory.h: where memory comes from, and what happens when it runs out.
 *
 * A function that gets no memory gives back all that it got until then and answers
 * WEFT_ERROR_MEMORY. What it was to make is not made. What it was to change is as before, but for
 * solvers, caches of frames and motions in the middle of a change: these are lost. Each later call
 * for a lost object answers WEFT_ERROR_MEMORY, and it can only be destroyed, as ever. Of a solver,
 * functions that read, measure or find leave it as it was. Memory that a driver cannot give is
 * WEFT_ERROR_LIMIT. weft_memory_estimate (weft/solver.h) says beforehand what will be taken. */
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where memory comes from. Both functions are called from any thread, also at once. */
typedef struct weft_allocator {
  /* Not cleared; NULL where it has none. Alignment is a power of two, 64 at most. */
  void *(*allocate)(size_t bytes, size_t alignment, void *user);
  /* What allocate returned, with the bytes that were asked for. */
  void (*release)(void *memory, size_t bytes, void *user);
  void *user; /* for both */
} weft_allocator;

/* All memory of weft comes from this allocator from now on, for the whole process; NULL: from the C
 * library, which is the default, and quicker where arrays grow. What drivers and other libraries
 * allocate for weft (OpenGL, EGL, jansson, stdio, threads) does not. WEFT_ERROR_ARGUMENT where a
 * function is missing, and while anything is left that weft allocated: so before the first object
 * is made, or after the last has gone. To be called while no other thread uses weft. */
WEFT_API weft_result weft_set_allocator(const weft_allocator *allocator, weft_error *err);

/* Frees what a function of weft returned "to be freed with weft_free"; NULL is allowed. */
WEFT_API void weft_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
