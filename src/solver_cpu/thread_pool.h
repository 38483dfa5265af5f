/* thread_pool.h: threads that wait for work between calls, and barriers between its parts.
 *
 * Passes of a small cloth last microseconds, so who waits looks for a while before it goes to
 * sleep; a program that does something else between frames has no thread spinning. */
#ifndef WEFT_CPU_THREAD_POOL_H
#define WEFT_CPU_THREAD_POOL_H

#include <stdint.h>

typedef struct weft_thread_pool weft_thread_pool;

/* Called on every member, 0 being the caller's own thread. */
typedef void weft_thread_pool_work(void *context, uint32_t member);

enum { WEFT_THREAD_POOL_MAX = 64 };

/* Processors this process may run on, at most WEFT_THREAD_POOL_MAX. */
uint32_t weft_thread_pool_processors(void);
/* `size` members. Where the system gives no more threads the pool is smaller, with a warning. */
weft_thread_pool *weft_thread_pool_create(uint32_t size);
void weft_thread_pool_destroy(weft_thread_pool *pool);
uint32_t weft_thread_pool_size(const weft_thread_pool *pool);
/* Returns when all members have returned. */
void weft_thread_pool_run(weft_thread_pool *pool, weft_thread_pool_work *work, void *context);
/* For members, inside work: nobody goes on before all have come here. */
void weft_thread_pool_barrier(weft_thread_pool *pool);

#endif
