#define _GNU_SOURCE /* sched_getaffinity */
/* team.c: see team.h. */
#include "team.h"

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
  weft_team *team;
  uint32_t member;
  pthread_t thread;
} seat;

struct weft_team {
  gate start, barrier;
  _Alignas(64) atomic_uint arrived;
  uint32_t size;
  bool closing;
  weft_team_work *work;
  void *context;
  seat seats[WEFT_TEAM_MAX];
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

void weft_team_barrier(weft_team *team) {
  if (team->size == 1) return;
  unsigned seen = gate_turn(&team->barrier);
  if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == team->size) {
    atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
    gate_open(&team->barrier);
  } else {
    gate_wait(&team->barrier, seen);
  }
}

static void *serve(void *argument) {
  seat *own = argument;
  weft_team *team = own->team;
  for (unsigned seen = 0;; ++seen) {
    gate_wait(&team->start, seen);
    if (team->closing) return NULL;
    team->work(team->context, own->member);
    weft_team_barrier(team);
  }
}

void weft_team_run(weft_team *team, weft_team_work *work, void *context) {
  if (team->size == 1) {
    work(context, 0);
    return;
  }
  team->work = work;
  team->context = context;
  gate_open(&team->start);
  work(context, 0);
  weft_team_barrier(team);
}

weft_team *weft_team_create(uint32_t size) {
  size = size < WEFT_TEAM_MAX ? size : WEFT_TEAM_MAX;
  weft_team *team = weft_alloc(1, sizeof *team);
  gate_init(&team->start);
  gate_init(&team->barrier);
  atomic_init(&team->arrived, 0);
  team->size = size; /* threads wait at the start until it is final */
  for (uint32_t k = 1; k < size; ++k) {
    team->seats[k] = (seat){.team = team, .member = k};
    int failed = pthread_create(&team->seats[k].thread, NULL, serve, &team->seats[k]);
    if (!failed) continue;
    weft_log(WEFT_LOG_WARNING, "the system gives no more than %u of %u threads: %s", k, size,
             strerror(failed));
    team->size = k;
    break;
  }
  return team;
}

void weft_team_destroy(weft_team *team) {
  if (team->size > 1) {
    team->closing = true;
    gate_open(&team->start);
    for (uint32_t k = 1; k < team->size; ++k) pthread_join(team->seats[k].thread, NULL);
  }
  gate_destroy(&team->start);
  gate_destroy(&team->barrier);
  weft_free(team);
}

uint32_t weft_team_size(const weft_team *team) { return team->size; }

uint32_t weft_team_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : count < WEFT_TEAM_MAX ? (uint32_t)count : WEFT_TEAM_MAX;
}
