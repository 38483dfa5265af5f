#define _GNU_SOURCE /* sched_getaffinity, sched_getcpu */
/* thread_pool.c: see thread_pool.h.
 *
 * Phases are numbered through all jobs of a process. Each part has a line of memory that says in
 * which phase it was claimed last and one that says in which it was done, so that threads which
 * keep up with each other wait for one line to come over and no more.
 *
 * What is known of a job is read in one piece: `turn` is odd while it changes, and other when it
 * has changed. A thread that comes late finds every part claimed, whatever it missed. Only who has
 * claimed a part uses what the caller lent: that stays until the part is done. */
#include "thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base.h"

/* Nanoseconds of looking before going to sleep: about what it costs to be woken. Looks between two
 * at the clock; and phases of a job that are given to the threads in one piece. */
enum { LOOK_FOR = 20000, LOOKS = 16, MAX_PHASES = 512 };

typedef struct mark {
  _Alignas(WEFT_CACHE_LINE) atomic_uint_fast64_t phase; /* a number; the last of its kind */
} mark;

static struct {
  _Alignas(WEFT_CACHE_LINE) atomic_uint_fast64_t turn;
  _Alignas(WEFT_CACHE_LINE) const weft_job *job; /* of the caller */
  uint32_t skipped;                              /* phases of the job before those given */
  atomic_uint_fast64_t first;                    /* number of the first phase given */
  atomic_uint phases, members;                   /* given; threads that have anything to do */
  atomic_uchar parts[MAX_PHASES];
  atomic_ushort after[MAX_PHASES];            /* of a job's phases, of those given */
  _Alignas(WEFT_CACHE_LINE) atomic_flag busy; /* with somebody's job */
  atomic_bool closing;
  atomic_uint sleepers;
  pthread_mutex_t mutex; /* of those who sleep */
  pthread_cond_t changed;
  mark claimed[WEFT_THREAD_POOL_MAX], done[WEFT_THREAD_POOL_MAX];
  atomic_int processors[WEFT_THREAD_POOL_MAX]; /* where each thread was seen last, plus 1 */
} pool = {.busy = ATOMIC_FLAG_INIT,
          .first = 1,
          .mutex = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

/* One phase as a thread knows it, and the part of it that it wants to run. */
typedef struct view {
  uint64_t turn, number;     /* of the phase */
  uint32_t phase, parts;     /* among those given; behind the last one is one without parts */
  uint32_t after, all, part; /* parts of the phase that it comes after, which is counted from 1 */
} view;

static void pause_processor(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- waiting ---- */

typedef bool condition(const view *seen);

static bool is_other_turn(const view *seen) {
  uint64_t turn = atomic_load(&pool.turn);
  return (turn != seen->turn && turn % 2 == 0) || atomic_load(&pool.closing);
}

/* Whether its part may begin. */
static bool is_ready(const view *seen) {
  uint64_t last = seen->number - seen->phase + seen->after;
  for (uint32_t part = 0; part < seen->all; ++part) {
    if (atomic_load(&pool.done[part].phase) + 1 < last) return false;
  }
  bool waits = seen->after < seen->phase && seen->part < seen->parts;
  return !waits || atomic_load(&pool.done[seen->part].phase) + 1 >= seen->number;
}

static bool looks_until(condition *holds, const view *seen, uint32_t looks) {
  for (; looks > 0; --looks) {
    if (holds(seen)) return true;
    pause_processor();
  }
  return false;
}

static void sleep_until(condition *holds, const view *seen) {
  pthread_mutex_lock(&pool.mutex);
  atomic_fetch_add(&pool.sleepers, 1);
  while (!holds(seen)) pthread_cond_wait(&pool.changed, &pool.mutex);
  atomic_fetch_sub(&pool.sleepers, 1);
  pthread_mutex_unlock(&pool.mutex);
}

static void wait_until(condition *holds, const view *seen) {
  for (uint64_t end = now() + LOOK_FOR; now() < end;) {
    if (looks_until(holds, seen, LOOKS)) return;
  }
  sleep_until(holds, seen);
}

/* After a change. Who goes to sleep says so before it looks a last time. */
static void wake_sleepers(void) {
  if (atomic_load(&pool.sleepers) == 0) return;
  pthread_mutex_lock(&pool.mutex);
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

/* ---- processors ---- */

/* Says where this thread runs. False where another was seen there. */
static bool is_by_itself(uint32_t member, uint32_t threads) {
  int here = sched_getcpu() + 1;
  atomic_store_explicit(&pool.processors[member], here, memory_order_relaxed);
  for (uint32_t k = 0; k < threads; ++k) {
    int there = atomic_load_explicit(&pool.processors[k], memory_order_relaxed);
    if (k != member && there == here) return false;
  }
  return true;
}

/* A busy system wakes a thread where its waker runs, and leaves both there for long. So it goes
 * where none of the others is, and is free to be moved again. */
static void move_apart(uint32_t threads) {
  cpu_set_t allowed, empty;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  empty = allowed;
  for (uint32_t k = 0; k < threads; ++k) {
    int there = atomic_load_explicit(&pool.processors[k], memory_order_relaxed);
    if (there > 0) CPU_CLR((size_t)there - 1, &empty);
  }
  if (CPU_COUNT(&empty) == 0 || sched_setaffinity(0, sizeof empty, &empty) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
}

/* ---- jobs ---- */

static bool try_to_run(const view *seen, uint32_t part) {
  uint_fast64_t last = atomic_load_explicit(&pool.claimed[part].phase, memory_order_relaxed);
  if (last >= seen->number) return false;
  if (!atomic_compare_exchange_strong(&pool.claimed[part].phase, &last, seen->number)) return false;
  pool.job->run(pool.job->context, pool.skipped + seen->phase, part);
  atomic_store(&pool.done[part].phase, seen->number);
  wake_sleepers();
  return true;
}

/* False when the job is over. */
static bool look_at_phase(view *seen, uint32_t phase) {
  uint32_t given = atomic_load_explicit(&pool.phases, memory_order_relaxed);
  bool ends = phase >= given;
  seen->phase = phase;
  seen->number = atomic_load_explicit(&pool.first, memory_order_relaxed) + phase;
  seen->parts = ends ? 0 : atomic_load_explicit(&pool.parts[phase], memory_order_relaxed);
  seen->after = ends ? given : atomic_load_explicit(&pool.after[phase], memory_order_relaxed);
  seen->all = 0;
  if (seen->after) {
    seen->all = atomic_load_explicit(&pool.parts[seen->after - 1], memory_order_relaxed);
  }
  atomic_thread_fence(memory_order_acquire);
  return phase <= given && atomic_load(&pool.turn) == seen->turn;
}

/* What a part has to do next, if that is before a phase and not begun. Who waits for the phase has
 * waited for all that comes before what it finds. */
static bool find_next(const view *seen, uint32_t part, view *next) {
  uint64_t first = seen->number - seen->phase, done = atomic_load(&pool.done[part].phase);
  *next = (view){.turn = seen->turn, .part = part};
  for (uint64_t k = done < first ? 0 : done - first + 1; k < seen->phase; ++k) {
    if (!look_at_phase(next, (uint32_t)k)) return false;
    if (part < next->parts) {
      return atomic_load(&pool.claimed[part].phase) < next->number;
    }
  }
  return false;
}

/* Runs what others have not begun since it looked last. */
static bool help(const view *seen, uint64_t idle[WEFT_THREAD_POOL_MAX]) {
  bool helped = false;
  for (uint32_t part = 0; part < seen->all; ++part) {
    view next;
    if (!find_next(seen, part, &next)) continue;
    bool runs = idle[part] == next.number && try_to_run(&next, part);
    idle[part] = next.number + runs;
    helped = helped || runs;
  }
  return helped;
}

static bool can_go_on(const view *seen) {
  view next;
  bool found = is_ready(seen);
  for (uint32_t part = 0; part < seen->all && !found; ++part) found = find_next(seen, part, &next);
  return found || atomic_load(&pool.turn) != seen->turn;
}

/* Looks for a moment whether the others keep up, and takes what they have not begun. Returns the
 * nanoseconds that it waited after that. */
static uint64_t wait_for_phase(const view *seen, uint64_t idle[WEFT_THREAD_POOL_MAX]) {
  if (looks_until(is_ready, seen, LOOKS)) return 0;
  for (uint64_t begin = now();;) {
    if (help(seen, idle)) begin = now();
    if (looks_until(is_ready, seen, LOOKS)) return now() - begin;
    if (now() - begin > LOOK_FOR) sleep_until(can_go_on, seen);
  }
}

/* Each thread its own part, as what that touches is near. Returns the nanoseconds that it waited
 * for others. */
static uint64_t run_phases(uint64_t turn, uint32_t member) {
  view seen = {.turn = turn, .part = member};
  uint64_t waited = 0, idle[WEFT_THREAD_POOL_MAX] = {0};
  for (uint32_t k = 0; k <= MAX_PHASES && look_at_phase(&seen, k); ++k) {
    waited += wait_for_phase(&seen, idle);
    if (member < seen.parts) try_to_run(&seen, member);
  }
  return waited;
}

/* Gives phases [skipped, end) of a job to the threads. Returns the turn. */
static uint64_t give(const weft_job *job, uint32_t skipped, uint32_t end) {
  uint64_t turn = atomic_load_explicit(&pool.turn, memory_order_relaxed);
  uint64_t first = atomic_load_explicit(&pool.first, memory_order_relaxed);
  first += atomic_load_explicit(&pool.phases, memory_order_relaxed);
  atomic_store_explicit(&pool.turn, turn + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  uint32_t members = 0;
  for (uint32_t k = skipped; k < end; ++k) {
    uint32_t parts = job->parts(job->context, k);
    if (parts > members) members = parts;
    atomic_store_explicit(&pool.parts[k - skipped], (unsigned char)parts, memory_order_relaxed);
    uint32_t after = job->after ? job->after(job->context, k) : k;
    after = after > skipped ? after - skipped : 0;
    atomic_store_explicit(&pool.after[k - skipped], (unsigned short)after, memory_order_relaxed);
  }
  atomic_store_explicit(&pool.first, first, memory_order_relaxed);
  atomic_store_explicit(&pool.phases, end - skipped, memory_order_relaxed);
  atomic_store_explicit(&pool.members, members, memory_order_relaxed);
  is_by_itself(0, 0);
  pool.job = job;
  pool.skipped = skipped;
  atomic_store(&pool.turn, turn + 2);
  wake_sleepers();
  return turn + 2;
}

static void run_alone(const weft_job *job) {
  for (uint32_t phase = 0; phase < job->phases; ++phase) {
    uint32_t parts = job->parts(job->context, phase);
    for (uint32_t part = 0; part < parts; ++part) job->run(job->context, phase, part);
  }
}

/* Returns the nanoseconds that the caller waited for others. */
static uint64_t run_together(const weft_job *job) {
  uint64_t waited = 0;
  for (uint32_t k = 0; k < job->phases; k += MAX_PHASES) {
    uint32_t end = job->phases - k < MAX_PHASES ? job->phases : k + MAX_PHASES;
    waited += run_phases(give(job, k, end), 0);
  }
  return waited;
}

void weft_thread_pool_run(const weft_job *job, weft_job_pace *pace) {
  uint64_t begin = pace ? now() : 0, waited = 0;
  bool taken = (pace && pace->alone) || atomic_flag_test_and_set(&pool.busy);
  if (taken) {
    run_alone(job);
  } else {
    waited = run_together(job);
    atomic_flag_clear(&pool.busy);
  }
  bool as_planned = pace && (pace->alone || !taken);
  if (as_planned) weft_job_pace_add(pace, now() - begin, waited);
}

/* ---- threads ---- */

/* Of everybody who has acquired the pool. */
static struct {
  pthread_mutex_t mutex;
  uint32_t users, count; /* threads[1 .. count) are there */
  pthread_t threads[WEFT_THREAD_POOL_MAX];
} members = {.mutex = PTHREAD_MUTEX_INITIALIZER, .count = 1};

static void *serve(void *argument) {
  uint32_t member = (uint32_t)(uintptr_t)argument;
  for (view seen = {0};;) {
    wait_until(is_other_turn, &seen);
    if (atomic_load(&pool.closing)) return NULL;
    seen.turn = atomic_load(&pool.turn);
    uint32_t threads = atomic_load(&pool.members);
    if (seen.turn % 2 || member >= threads) continue;
    if (!is_by_itself(member, threads)) move_apart(threads);
    run_phases(seen.turn, member);
  }
}

static void start_threads(uint32_t size) {
  for (uint32_t k = members.count; k < size; ++k) {
    int failed = pthread_create(&members.threads[k], NULL, serve, (void *)(uintptr_t)k);
    if (failed) {
      weft_log(WEFT_LOG_WARNING, "the system gives no more than %u of %u threads: %s", k, size,
               strerror(failed));
      return;
    }
    members.count = k + 1;
  }
}

static void end_threads(void) {
  atomic_store(&pool.closing, true);
  wake_sleepers();
  for (uint32_t k = 1; k < members.count; ++k) pthread_join(members.threads[k], NULL);
  members.count = 1;
  atomic_store(&pool.closing, false);
}

void weft_thread_pool_acquire(uint32_t size) {
  pthread_mutex_lock(&members.mutex);
  start_threads(size < WEFT_THREAD_POOL_MAX ? size : WEFT_THREAD_POOL_MAX);
  ++members.users;
  pthread_mutex_unlock(&members.mutex);
}

void weft_thread_pool_release(void) {
  pthread_mutex_lock(&members.mutex);
  if (--members.users == 0) end_threads();
  pthread_mutex_unlock(&members.mutex);
}

uint32_t weft_thread_pool_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : count < WEFT_THREAD_POOL_MAX ? (uint32_t)count : WEFT_THREAD_POOL_MAX;
}
