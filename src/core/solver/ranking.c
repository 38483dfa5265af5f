/* ranking.c: the value at a rank, in two rounds. */
#include "ranking.h"

#include <string.h>

#include "base.h"

static uint32_t bucket_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint32_t)(bits >> 48) % WEFT_RANKING_BUCKETS;
}

void weft_ranking_count(weft_ranking *ranking, double value) {
  ranking->counts[bucket_of(value)]++;
  ranking->count++;
}

void weft_ranking_seek(weft_ranking *ranking, double part) {
  if (ranking->count == 0) return;
  ranking->rank = (size_t)(part * (double)(ranking->count - 1) + 0.5);
  while (ranking->rank >= ranking->counts[ranking->bucket]) {
    ranking->rank -= ranking->counts[ranking->bucket++];
  }
  ranking->kept = weft_alloc(ranking->counts[ranking->bucket], sizeof *ranking->kept);
}

void weft_ranking_keep(weft_ranking *ranking, double value) {
  if (bucket_of(value) == ranking->bucket) ranking->kept[ranking->kept_count++] = value;
}

/* The value at `rank` in ascending order (Hoare 1961); permutes the values. */
static double ranked(double *values, size_t count, size_t rank) {
  size_t low = 0, high = count - 1;
  while (low < high) {
    double middle = values[low + (high - low) / 2];
    size_t i = low, j = high + 1;
    for (--i;;) {
      do ++i;
      while (values[i] < middle);
      do --j;
      while (values[j] > middle);
      if (i >= j) break;
      double swap = values[i];
      values[i] = values[j];
      values[j] = swap;
    }
    if (rank <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
  return values[rank];
}

double weft_ranking_end(weft_ranking *ranking) {
  if (ranking->count == 0) return 0;
  double value = ranked(ranking->kept, ranking->kept_count, ranking->rank);
  weft_free(ranking->kept);
  return value;
}
