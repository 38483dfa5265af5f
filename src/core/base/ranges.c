#define _GNU_SOURCE
#include "ranges.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "base.h"

/* Fewer items than this are done before a thread has started. */
static const size_t min_items = 1 << 15;

typedef struct range {
  weft_range_work *work;
  void *context;
  size_t first, end;
  uint32_t part;
  pthread_t thread;
  bool started, failed;
  size_t missing; /* bytes, when memory has run out in it */
  weft_owned made;
} range;

uint32_t weft_processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? (uint32_t)count : 1;
}

uint32_t weft_ranges_worth(size_t count) {
  size_t parts = count / min_items;
  if (parts <= 1) return 1;
  uint32_t max = weft_processors();
  if (max > WEFT_RANGES_MAX) max = WEFT_RANGES_MAX;
  return parts < max ? (uint32_t)parts : max;
}

size_t weft_range_first(size_t count, uint32_t parts, uint32_t part) {
  return part == parts ? count : count / parts * part;
}

static void work_on(void *context) {
  const range *r = context;
  r->work(r->context, r->part, r->first, r->end);
}

static void *serve(void *argument) {
  range *r = argument;
  r->failed = !weft_memory_try(work_on, r, &r->made, &r->missing);
  return NULL;
}

void weft_ranges_run(size_t count, uint32_t parts, weft_range_work *work, void *context) {
  range ranges[WEFT_RANGES_MAX];
  for (uint32_t k = 0; k < parts; ++k) {
    range *r = &ranges[k];
    *r = (range){.work = work,
                 .context = context,
                 .first = weft_range_first(count, parts, k),
                 .end = weft_range_first(count, parts, k + 1),
                 .part = k};
    if (k > 0) r->started = pthread_create(&r->thread, NULL, serve, r) == 0;
  }
  serve(&ranges[0]);
  for (uint32_t k = 1; k < parts; ++k) {
    if (ranges[k].started) {
      pthread_join(ranges[k].thread, NULL);
    } else {
      serve(&ranges[k]);
    }
  }
  for (uint32_t k = 0; k < parts; ++k) weft_owned_hand_over(&ranges[k].made);
  for (uint32_t k = 0; k < parts; ++k) {
    if (ranges[k].failed) weft_memory_is_out(ranges[k].missing);
  }
}
