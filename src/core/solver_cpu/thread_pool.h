/* thread_pool.h: the threads of this process that work on jobs beside the caller.
 *
 * A job is phases one after the other, a phase is parts that may run at the same time. A phase may
 * say that it need not wait for all before it, so that a part is not held up by those that it has
 * nothing to do with. Threads
 * claim parts, so a thread that the system does not run holds nobody up unless it has begun one.
 * Passes of a small cloth last microseconds, so who waits looks for a while before it goes to
 * sleep; a program that does something else between frames has no thread spinning. */
#ifndef WEFT_CPU_THREAD_POOL_H
#define WEFT_CPU_THREAD_POOL_H

#include <stdint.h>

#include "job_pace.h"

/* Threads with the caller's own, and so parts of a phase, at most. */
enum { WEFT_THREAD_POOL_MAX = 64 };

typedef struct weft_job {
  void *context;
  uint32_t phases;
  /* How many parts a phase has, at most WEFT_THREAD_POOL_MAX; 0 is fine. */
  uint32_t (*parts)(void *context, uint32_t phase);
  void (*run)(void *context, uint32_t phase, uint32_t part);
  /* How many phases must be done before any part of this one begins, at most those before it, and
   * all of these where NULL. The part itself comes after the same part of the phase before;
   * phases that are not waited for have as many parts as this one. */
  uint32_t (*after)(void *context, uint32_t phase);
} weft_job;

/* Processors this process may run on, at most WEFT_THREAD_POOL_MAX. */
uint32_t weft_thread_pool_processors(void);
/* Sees to it that there are `size` threads at least, the caller's own among them. Everybody who
 * acquires the pool shares them. Where the system gives no more there are fewer, with a warning;
 * every job runs all the same. */
void weft_thread_pool_acquire(uint32_t size);
/* Ends the threads when nobody else has acquired them. */
void weft_thread_pool_release(void);
/* Returns when all parts have run, each once. Several threads may call it at the same time: who
 * comes while the pool is busy does its job alone. `pace` belongs to the job; NULL: never alone
 * by choice. */
void weft_thread_pool_run(const weft_job *job, weft_job_pace *pace);

#endif
