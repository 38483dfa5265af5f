/* job_pace.h: whether a job that is run again and again is faster with other threads or by its
 * caller alone, as it may be where other programs take processors.
 *
 * It is measured in windows of some milliseconds. After a window together in which the caller
 * waited for a quarter of the time, one alone is tried; while alone, one together is tried now and
 * then. The faster way is kept, for twice as many windows each time that the trial loses. */
#ifndef WEFT_CPU_JOB_PACE_H
#define WEFT_CPU_JOB_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Begins as zeros. Times are nanoseconds of the clock. */
typedef struct weft_job_pace {
  bool alone; /* how to run next */
  bool trial; /* this window is one */
  uint32_t runs;
  uint64_t spent, waited;      /* in this window: by the caller, and of it for others */
  uint64_t each[2];            /* a run, in the last window [together, alone] */
  uint32_t windows_left, stay; /* before the next trial, and how many after it */
} weft_job_pace;

/* After a run that took `spent`, of which the caller waited `waited` for parts of others. */
void weft_job_pace_add(weft_job_pace *pace, uint64_t spent, uint64_t waited);

#endif
