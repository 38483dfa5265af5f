/* ranking.h: the value at a rank among millions that are computed on the way and not kept. They are
 * gone through twice: first all are counted, in buckets of values of about one size; then those of
 * the bucket that has the rank are kept. */
#ifndef WEFT_SOLVER_RANKING_H
#define WEFT_SOLVER_RANKING_H

#include <stddef.h>
#include <stdint.h>

/* Of doubles from 0 up: exponent and four digits. */
enum { WEFT_RANKING_BUCKETS = 1 << 15 };

typedef struct weft_ranking {
  uint32_t counts[WEFT_RANKING_BUCKETS];
  size_t count;    /* of all */
  uint32_t bucket; /* that has the rank */
  size_t rank;     /* among those in it */
  double *kept;
  size_t kept_count;
} weft_ranking;

/* Begins one with 0s. A value from 0 up, infinite at most. */
void weft_ranking_count(weft_ranking *ranking, double value);
/* The rank is this part of the way from the least to the greatest. */
void weft_ranking_seek(weft_ranking *ranking, double part);
/* The same values again, in any order. */
void weft_ranking_keep(weft_ranking *ranking, double value);
/* What stands at the rank; 0 where nothing was counted. Frees what was kept. */
double weft_ranking_end(weft_ranking *ranking);

#endif
