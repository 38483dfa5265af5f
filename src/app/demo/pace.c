/* pace.c: coarser and finer. */
#include "pace.h"

#include <math.h>

static const double too_long = 50, short_enough = 30; /* ms; far apart, or it would go to and fro */
static const double patience = 0.3;                   /* seconds without motion */
/* How many times as long the next finer takes, until it is known. */
static const double guessed[] = {[WEFT_DEMO_PLAIN] = 2, [WEFT_DEMO_COARSE] = 4};

void weft_demo_pace_forget(weft_demo_pace *pace) {
  *pace = (weft_demo_pace){.moving = pace->moving};
}

weft_demo_quality weft_demo_pace_begin(weft_demo_pace *pace, bool software) {
  *pace = (weft_demo_pace){.moving = software ? WEFT_DEMO_COARSE : WEFT_DEMO_FINE};
  return pace->moving;
}

static void choose(weft_demo_pace *pace, weft_demo_quality quality) {
  pace->moving = quality;
  pace->first = 0;
}

static void judge(weft_demo_pace *pace, double ms) {
  weft_demo_quality now = pace->moving;
  if (pace->left > 0) pace->finer_by[now] = fmax(pace->left / ms, guessed[now]);
  pace->left = 0;
  if (now != WEFT_DEMO_COARSE && ms > too_long) {
    pace->left = ms;
    choose(pace, (weft_demo_quality)(now + 1));
  } else if (now != WEFT_DEMO_FINE) {
    double by = pace->finer_by[now] > 0 ? pace->finer_by[now] : guessed[now];
    if (by * ms < short_enough) choose(pace, (weft_demo_quality)(now - 1));
  }
}

weft_demo_quality weft_demo_pace_next(weft_demo_pace *pace, weft_demo_quality drawn, double ms,
                                      double rest) {
  if (rest > patience) return WEFT_DEMO_FINE;
  if (drawn != pace->moving || !(ms > 0)) return pace->moving;
  if (!(pace->first > 0)) pace->first = ms;
  if (ms != pace->first) judge(pace, ms);
  return pace->moving;
}
