/* test_thread_pool.c: parts run once and phases in order, whoever runs them, and the choice between
 * threads and none is the faster one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "one_processor.h"
#include "thread_pool.h"

enum { PHASES = 40, MANY_PHASES = 1100, ROUNDS = 300 };

/* Parts of a phase are 0 to 7, none in some; phases come round again and again. */
typedef struct counted {
  atomic_uint runs[MANY_PHASES][WEFT_THREAD_POOL_MAX];
  atomic_uint done; /* parts of all phases */
  atomic_uint early, lost;
  uint32_t max, phases; /* 0: PHASES */
  bool slow;
} counted;

static uint32_t phases_of(const counted *c) { return c->phases ? c->phases : PHASES; }

static uint32_t parts_of(void *context, uint32_t phase) {
  const counted *c = context;
  return phase * 5 % (c->max + 1);
}

static uint32_t parts_before(counted *c, uint32_t phase) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < phase; ++k) sum += parts_of(c, k);
  return sum;
}

static void sleep_us(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

static void run_part(void *context, uint32_t phase, uint32_t part) {
  counted *c = context;
  uint32_t before = parts_before(c, phase), parts = parts_of(c, phase);
  uint32_t done = atomic_load(&c->done);
  if (part >= parts) atomic_fetch_add(&c->lost, 1);
  if (done < before || done >= before + parts) atomic_fetch_add(&c->early, 1);
  if (c->slow && (phase + part) % 7 == 0) sleep_us(100); /* longer than anybody looks */
  atomic_fetch_add(&c->runs[phase][part], 1);
  atomic_fetch_add(&c->done, 1);
}

static void run_rounds(counted *c, uint32_t rounds, weft_job_pace *pace) {
  const weft_job job = {.context = c, .phases = phases_of(c), .parts = parts_of, .run = run_part};
  for (uint32_t round = 0; round < rounds; ++round) {
    weft_thread_pool_run(&job, pace);
    atomic_store(&c->done, 0);
  }
}

static void assert_each_ran(counted *c, uint32_t rounds) {
  assert_int_equal(atomic_load(&c->early), 0);
  assert_int_equal(atomic_load(&c->lost), 0);
  for (uint32_t phase = 0; phase < phases_of(c); ++phase) {
    for (uint32_t part = 0; part < WEFT_THREAD_POOL_MAX; ++part) {
      uint32_t want = part < parts_of(c, phase) ? rounds : 0;
      assert_int_equal(atomic_load(&c->runs[phase][part]), want);
    }
  }
}

static void each_part_runs_once_and_in_order(void **state) {
  (void)state;
  for (uint32_t size = 1; size <= 8; ++size) {
    counted c = {.max = 7};
    weft_thread_pool_acquire(size);
    run_rounds(&c, ROUNDS, NULL);
    weft_thread_pool_release();
    assert_each_ran(&c, ROUNDS);
  }
}

static void slow_parts_are_waited_for(void **state) {
  (void)state;
  counted c = {.max = 7, .slow = true};
  weft_thread_pool_acquire(4);
  run_rounds(&c, 5, NULL);
  weft_thread_pool_release();
  assert_each_ran(&c, 5);
}

static void one_processor_is_enough(void **state) {
  (void)state;
  cpu_set_t before;
  on_one_processor(&before);
  counted c = {.max = 3};
  weft_thread_pool_acquire(4);
  run_rounds(&c, ROUNDS, NULL);
  weft_thread_pool_release();
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
  assert_each_ran(&c, ROUNDS);
}

static void more_parts_than_threads_run(void **state) {
  (void)state;
  counted c = {.max = WEFT_THREAD_POOL_MAX};
  weft_thread_pool_acquire(2);
  run_rounds(&c, ROUNDS, NULL);
  weft_thread_pool_release();
  assert_each_ran(&c, ROUNDS);
}

static void a_long_job_runs(void **state) {
  (void)state;
  counted c = {.max = 3, .phases = MANY_PHASES};
  weft_thread_pool_acquire(2);
  run_rounds(&c, 2, NULL);
  weft_thread_pool_release();
  assert_each_ran(&c, 2);
}

static void a_job_alone_is_the_same_job(void **state) {
  (void)state;
  counted c = {.max = 7};
  weft_job_pace pace = {.alone = true};
  weft_thread_pool_acquire(4);
  run_rounds(&c, 10, &pace);
  weft_thread_pool_release();
  assert_each_ran(&c, 10);
}

/* ---- phases that do not wait for all before them ---- */

enum { LOOSE_PARTS = 5 };

/* Plain numbers, so that a sanitizer of threads sees who did not wait for whom. */
typedef struct loose {
  uint32_t marks[MANY_PHASES][LOOSE_PARTS]; /* the round in which each was run last */
  uint32_t round;
  atomic_uint early;
  bool slow;
} loose;

static uint32_t loose_parts(void *context, uint32_t phase) {
  (void)context;
  (void)phase;
  return LOOSE_PARTS;
}

/* As at borders: every second phase waits for nobody, those between for the last of their kind. Now
 * and then one waits for all. */
static uint32_t loose_after(void *context, uint32_t phase) {
  (void)context;
  if (phase % 8 == 0) return phase;
  return phase % 2 ? phase - 1 : 0;
}

static void run_loose(void *context, uint32_t phase, uint32_t part) {
  loose *c = context;
  uint32_t after = loose_after(c, phase);
  bool early = phase > 0 && c->marks[phase - 1][part] != c->round;
  for (uint32_t k = 0; k < LOOSE_PARTS && after > 0; ++k) {
    early = early || c->marks[after - 1][k] != c->round;
  }
  if (early || c->marks[phase][part] == c->round) atomic_fetch_add(&c->early, 1);
  if (c->slow && (phase * 3 + part) % 7 == 0) sleep_us(100); /* others go ahead meanwhile */
  c->marks[phase][part] = c->round;
}

static void run_loose_rounds(uint32_t threads, uint32_t rounds, uint32_t phases, bool slow) {
  static loose c;
  memset(&c, 0, sizeof c);
  c.slow = slow;
  const weft_job job = {.context = &c,
                        .phases = phases,
                        .parts = loose_parts,
                        .run = run_loose,
                        .after = loose_after};
  weft_thread_pool_acquire(threads);
  while (c.round < rounds) {
    ++c.round;
    weft_thread_pool_run(&job, NULL);
    for (uint32_t k = 0; k < phases * LOOSE_PARTS; ++k) {
      assert_int_equal(c.marks[k / LOOSE_PARTS][k % LOOSE_PARTS], c.round);
    }
  }
  weft_thread_pool_release();
  assert_int_equal(atomic_load(&c.early), 0);
}

static void phases_wait_for_what_they_come_after(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 6; ++threads) {
    run_loose_rounds(threads, ROUNDS, PHASES, false);
  }
  run_loose_rounds(4, 5, PHASES, true);
  run_loose_rounds(3, 1, MANY_PHASES, true);
  cpu_set_t before;
  on_one_processor(&before);
  run_loose_rounds(4, ROUNDS, PHASES, false);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* ---- several callers ---- */

static void *call(void *context) {
  weft_thread_pool_acquire(3);
  run_rounds(context, ROUNDS, NULL);
  weft_thread_pool_release();
  return NULL;
}

static void callers_share_the_threads(void **state) {
  (void)state;
  enum { CALLERS = 4 };
  static counted c[CALLERS];
  pthread_t callers[CALLERS];
  memset(c, 0, sizeof c);
  for (int k = 0; k < CALLERS; ++k) {
    c[k].max = 3;
    assert_int_equal(pthread_create(&callers[k], NULL, call, &c[k]), 0);
  }
  for (int k = 0; k < CALLERS; ++k) pthread_join(callers[k], NULL);
  for (int k = 0; k < CALLERS; ++k) assert_each_ran(&c[k], ROUNDS);
}

/* ---- the choice ---- */

/* Runs of a millisecond each `together`, of which `waited`, or `alone`; for so many milliseconds.
 * Returns the part of the time in which it ran alone. */
static double part_alone(weft_job_pace *pace, uint64_t together, uint64_t waited, uint64_t alone) {
  uint64_t total = 0, by_itself = 0;
  while (total < UINT64_C(4000000000)) {
    bool now_alone = pace->alone;
    uint64_t spent = now_alone ? alone : together;
    weft_job_pace_add(pace, spent, now_alone ? 0 : waited);
    total += spent;
    by_itself += now_alone ? spent : 0;
  }
  return (double)by_itself / (double)total;
}

static void the_faster_way_is_taken(void **state) {
  (void)state;
  weft_job_pace pace = {0};
  /* Nobody is waited for: nothing is tried. */
  assert_true(part_alone(&pace, 500000, 50000, 1000000) == 0);
  /* A neighbour takes the other processor: alone, but for one window in 65. */
  assert_true(part_alone(&pace, 2000000, 1500000, 1000000) > 0.9);
  /* It goes away. */
  part_alone(&pace, 500000, 50000, 1000000);
  assert_false(pace.alone);
  /* Parts of unlike size: the caller waits, and is faster all the same. */
  assert_true(part_alone(&pace, 900000, 700000, 1000000) < 0.1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_part_runs_once_and_in_order),
      cmocka_unit_test(slow_parts_are_waited_for),
      cmocka_unit_test(one_processor_is_enough),
      cmocka_unit_test(more_parts_than_threads_run),
      cmocka_unit_test(a_long_job_runs),
      cmocka_unit_test(a_job_alone_is_the_same_job),
      cmocka_unit_test(phases_wait_for_what_they_come_after),
      cmocka_unit_test(callers_share_the_threads),
      cmocka_unit_test(the_faster_way_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
