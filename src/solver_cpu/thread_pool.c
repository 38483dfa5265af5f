#define _GNU_SOURCE /* sched_getaffinity */
/* thread_pool.c: see thread_pool.h. */
#include "thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base.h"

/* A number that only grows; to wait is to want it changed. */
typedef struct gate {
  _Alignas(64) atomic_uint turn;
  pthread_mutex_t mutex;
  pthread_cond_t opened;
} gate;

typedef struct seat {
  weft_thread_pool *pool;
  uint32_t member;
  pthread_t thread;
} seat;

struct weft_thread_pool {
  gate start, barrier;
  _Alignas(64) atomic_uint arrived;
  uint32_t size;
  bool closing;
  weft_thread_pool_work *work;
  void *context;
  seat seats[WEFT_THREAD_POOL_MAX];
};

/* Looks before going to sleep: some microseconds. */
enum { LOOKS = 4000 };

static void pause_processor(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

static void gate_init(gate *g) {
  atomic_init(&g->turn, 0);
  pthread_mutex_init(&g->mutex, NULL);
  pthread_cond_init(&g->opened, NULL);
}

static void gate_destroy(gate *g) {
  pthread_cond_destroy(&g->opened);
  pthread_mutex_destroy(&g->mutex);
}

static unsigned gate_turn(gate *g) { return atomic_load_explicit(&g->turn, memory_order_acquire); }

static void gate_open(gate *g) {
  pthread_mutex_lock(&g->mutex);
  atomic_fetch_add_explicit(&g->turn, 1, memory_order_release);
  pthread_cond_broadcast(&g->opened);
  pthread_mutex_unlock(&g->mutex);
}

static void gate_wait(gate *g, unsigned seen) {
  for (int look = 0; look < LOOKS; ++look) {
    if (gate_turn(g) != seen) return;
    pause_processor();
  }
  pthread_mutex_lock(&g->mutex);
  while (gate_turn(g) == seen) pthread_cond_wait(&g->opened, &g->mutex);
  pthread_mutex_unlock(&g->mutex);
}

void weft_thread_pool_barrier(weft_thread_pool *pool) {
  if (pool->size == 1) return;
  unsigned seen = gate_turn(&pool->barrier);
  if (atomic_fetch_add_explicit(&pool->arrived, 1, memory_order_acq_rel) + 1 == pool->size) {
    atomic_store_explicit(&pool->arrived, 0, memory_order_relaxed);
    gate_open(&pool->barrier);
  } else {
    gate_wait(&pool->barrier, seen);
  }
}

static void *serve(void *argument) {
  seat *own = argument;
  weft_thread_pool *pool = own->pool;
  for (unsigned seen = 0;; ++seen) {
    gate_wait(&pool->start, seen);
    if (pool->closing) return NULL;
    pool->work(pool->context, own->member);
    weft_thread_pool_barrier(pool);
  }
}

void weft_thread_pool_run(weft_thread_pool *pool, weft_thread_pool_work *work, void *context) {
  if (pool->size == 1) {
    work(context, 0);
    return;
  }
  pool->work = work;
  pool->context = context;
  gate_open(&pool->start);
  work(context, 0);
  weft_thread_pool_barrier(pool);
}

weft_thread_pool *weft_thread_pool_create(uint32_t size) {
  size = size < WEFT_THREAD_POOL_MAX ? size : WEFT_THREAD_POOL_MAX;
  weft_thread_pool *pool = weft_alloc(1, sizeof *pool);
  gate_init(&pool->start);
  gate_init(&pool->barrier);
  atomic_init(&pool->arrived, 0);
  pool->size = size; /* threads wait at the start until it is final */
  for (uint32_t k = 1; k < size; ++k) {
    pool->seats[k] = (seat){.pool = pool, .member = k};
    int failed = pthread_create(&pool->seats[k].thread, NULL, serve, &pool->seats[k]);
    if (!failed) continue;
    weft_log(WEFT_LOG_WARNING, "the system gives no more than %u of %u threads: %s", k, size,
             strerror(failed));
    pool->size = k;
    break;
  }
  return pool;
}

void weft_thread_pool_destroy(weft_thread_pool *pool) {
  if (pool->size > 1) {
    pool->closing = true;
    gate_open(&pool->start);
    for (uint32_t k = 1; k < pool->size; ++k) pthread_join(pool->seats[k].thread, NULL);
  }
  gate_destroy(&pool->start);
  gate_destroy(&pool->barrier);
  weft_free(pool);
}

uint32_t weft_thread_pool_size(const weft_thread_pool *pool) { return pool->size; }

uint32_t weft_thread_pool_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : count < WEFT_THREAD_POOL_MAX ? (uint32_t)count : WEFT_THREAD_POOL_MAX;
}
