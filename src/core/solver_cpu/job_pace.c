/* job_pace.c: see job_pace.h. */
#include "job_pace.h"

/* A window has so many nanoseconds and runs at least; trials are so many windows apart at most. */
static const uint64_t window = 4000000;
enum { MIN_RUNS = 8, MAX_STAY = 64 };

static void end_trial(weft_job_pace *pace) {
  bool won = pace->each[pace->alone] < pace->each[!pace->alone];
  if (won && !pace->alone) pace->stay = 0; /* the others have their processors back */
  if (!won) pace->alone = !pace->alone;
  pace->trial = false;
  pace->windows_left = pace->stay;
  pace->stay = pace->stay < MAX_STAY / 2 ? 2 * pace->stay + 1 : MAX_STAY;
}

static void end_window(weft_job_pace *pace) {
  bool late = 4 * pace->waited > pace->spent;
  pace->each[pace->alone] = pace->spent / pace->runs;
  pace->runs = 0;
  pace->spent = pace->waited = 0;
  if (pace->trial) {
    end_trial(pace);
  } else if (pace->windows_left > 0) {
    --pace->windows_left;
  } else if (pace->alone || late) {
    pace->alone = !pace->alone;
    pace->trial = true;
  }
}

void weft_job_pace_add(weft_job_pace *pace, uint64_t spent, uint64_t waited) {
  ++pace->runs;
  pace->spent += spent;
  pace->waited += waited;
  if (pace->runs >= MIN_RUNS && pace->spent >= window) end_window(pace);
}
