/* staying.h: positions, those before and velocities of a regular cloth that stay split from one
 * chain of passes to the next. Rows are made from them only where somebody looks. */
#ifndef WEFT_CPU_STAYING_H
#define WEFT_CPU_STAYING_H

#include "crowd.h"
#include "lanes.h"
#include "memory.h"

/* Begins as zeros but for what it is of. */
typedef struct weft_staying {
  const weft_memory *memory;
  const weft_lanes *lanes;
  const weft_crowd *crowd; /* whose blocks these are; NULL: one cloth. Set before it is created */
  weft_halves halves;      /* of the first block; x is NULL where nothing is ever split */
  float *room;             /* that they lie in */
  uint32_t particles;      /* of the cloth; those behind it are always rows */
  uint32_t members;
  uint32_t shares;               /* that lie apart: of threads that are worth having */
  bool split;                    /* the split ones are the state */
  bool stale[WEFT_BUFFER_COUNT]; /* rows that are older than the split ones */
} weft_staying;

/* Whether rows of this buffer may stay split. */
bool weft_staying_keeps(weft_buffer_id id);
/* Those of a block of the crowd. */
weft_halves weft_staying_block(const weft_staying *s, const weft_halves *halves, uint32_t block);
/* Makes room for the split ones. */
void weft_staying_create(weft_staying *s);
void weft_staying_free(weft_staying *s);
/* Before passes that work on the split ones, the first of which is predict unless they are the
 * state already: what was before is then written anew, and velocities have no fourth part. */
void weft_staying_enter(weft_staying *s);
/* Then, where predict is the first of them: positions become those before, where they are. */
void weft_staying_begin(weft_staying *s);
/* After them. */
void weft_staying_moved(weft_staying *s);
/* Before rows of a buffer are read. */
void weft_staying_show(weft_staying *s, weft_buffer_id id);
/* Before rows are written, or passes work on them. */
void weft_staying_leave(weft_staying *s);

#endif
