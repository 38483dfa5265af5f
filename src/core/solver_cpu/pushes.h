/* pushes.h: what the passes of self-collision's pushes keep for each other on the backend cpu.
 *
 * Pairs that push come packed: blocks of as many as there are lanes, an array a field, made with
 * their planes. Each member of the pool has blocks of the part of the list that is its own, and
 * adds up corrections by itself: sums of integers have no order. self_apply puts them together.
 * What friction remembers is found by a table of all that it remembers.
 */
#ifndef WEFT_CPU_PUSHES_H
#define WEFT_CPU_PUSHES_H

#include "memory.h"
#include "thread_pool.h"

/* Words of a block for each lane: four particles (bytes from x), as many weights, the normal, how
 * far apart the pair is wanted, how far it has slid, how far apart it began, the thickness, its
 * friction at rest and sliding, its place in the list, the most that it parts by. */
enum {
  WEFT_PUSH_WEIGHTS = 4,
  WEFT_PUSH_NORMAL = 8,
  WEFT_PUSH_WANTED = 11,
  WEFT_PUSH_SLIDE = 12,
  WEFT_PUSH_START = 15,
  WEFT_PUSH_THICKNESS = 18,
  WEFT_PUSH_FRICTION = 19,
  WEFT_PUSH_PLACE = 21,
  WEFT_PUSH_ESCAPE = 22,
  WEFT_PUSH_WORDS = 23
};

/* Blocks of pairs [first, first+count) of the list, while known. */
typedef struct weft_push_chunk {
  uint32_t first, count, blocks;
  uint32_t *words;
  bool known;
} weft_push_chunk;

typedef struct weft_pushes {
  uint32_t members, particles;
  uint32_t *words;
  weft_push_chunk chunks[WEFT_THREAD_POOL_MAX]; /* a member each */
  uint32_t *sums[WEFT_THREAD_POOL_MAX];         /* of members but the first: as self_pushes */
  bool apart;                                   /* these are not 0 */
  /* Who remembers: above 32 bits of the pair, below 1 + its place; 0: free. */
  uint64_t *table;
  uint32_t mask; /* places of the table in use, less 1 */
  bool entered;  /* it has all that self_kept has */
} weft_pushes;

void weft_pushes_create(weft_pushes *pushes, const weft_memory *memory, uint32_t members);
void weft_pushes_free(weft_pushes *pushes);
/* Another list is being made: no block is of its pairs. */
void weft_pushes_forget(weft_pushes *pushes);
/* Blocks of pairs [first, first+count) are this member's from now on; none so far. */
weft_push_chunk *weft_pushes_begin(weft_pushes *pushes, uint32_t member, uint32_t first,
                                   uint32_t count);
/* Somebody wrote a buffer. */
void weft_pushes_wrote(weft_pushes *pushes);
/* Where self_pushes is to be whole. */
void weft_pushes_settle(weft_pushes *pushes, const weft_memory *memory);
/* The passes self_cache_load and self_cache_clear of elements [first, first+count) out of `all`.
 * False: it was not entered here. */
void weft_pushes_enter(weft_pushes *pushes, const weft_memory *memory, uint32_t first,
                       uint32_t count, uint32_t all);
bool weft_pushes_leave(weft_pushes *pushes, const weft_memory *memory, uint32_t first,
                       uint32_t count, uint32_t all);
/* What friction remembers of a pair; NULL: nothing. */
struct weft_self_run;
const weft_self_cached *weft_pushes_find(const weft_pushes *pushes, const struct weft_self_run *run,
                                         uvec4 pair);

#endif
