/* ranking.h: the value at a rank among millions that are computed on the fly and not stored, in
 * two rounds: first all are counted, in buckets of similar values; then those of the bucket with
 * the rank are stored. */
#ifndef WEFT_SOLVER_RANKING_H
#define WEFT_SOLVER_RANKING_H

#include <stddef.h>
#include <stdint.h>

/* Buckets of doubles from 0 up: exponent and four bits. */
enum { WEFT_RANKING_BUCKETS = 1 << 15 };

typedef struct weft_ranking {
  uint32_t counts[WEFT_RANKING_BUCKETS];
  size_t count;    /* of all */
  uint32_t bucket; /* that contains the rank */
  size_t rank;     /* rank among those in it */
  double *kept;
  size_t kept_count;
} weft_ranking;

/* Begin with a zeroed one. A value from 0 up, possibly infinite. */
void weft_ranking_count(weft_ranking *ranking, double value);
/* The rank at this fraction between the least and the greatest. */
void weft_ranking_seek(weft_ranking *ranking, double part);
/* The same values again, in any order. */
void weft_ranking_keep(weft_ranking *ranking, double value);
/* The value at the rank; 0 if nothing was counted. Frees what was stored. */
double weft_ranking_end(weft_ranking *ranking);

#endif
