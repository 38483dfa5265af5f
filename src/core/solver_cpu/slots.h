/* slots.h: where rows of particles lie while constraints off the grid are projected.
 *
 * To bring rows together from all over takes loads; to bring them apart again takes as many stores,
 * and each must first be cut out of its vector. So while passes of constraints follow each other,
 * rows are not brought back: a vector of them is stored as it is, side by side in a line of slots,
 * and who touches a particle next reads it there. A plan knows which slot that is. A line is free
 * again when all that lie in it have been read. Slots lie behind the positions, so that a place is
 * bytes from the first particle wherever it is; who was not touched yet is read from its row. */
#ifndef WEFT_CPU_SLOTS_H
#define WEFT_CPU_SLOTS_H

#include "plan.h"

/* While a plan is built. */
typedef struct weft_slots {
  uint32_t *at;   /* [particles] where they lie: bytes from the first particle */
  uint32_t begin; /* of the first slot, the same */
  uint8_t *taken; /* [lines] slots of a line that somebody lies in */
  uint32_t *free; /* [free_count] lines, the one that was read last at the end */
  uint32_t side;  /* slots of a line: particles of a vector */
  uint32_t free_count, line_count;
  size_t taken_capacity, free_capacity;
} weft_slots;

/* Passes [*begin, *end) among passes [first, last) whose constraints pay in slots: batches that
 * follow each other and need no care, enough of them for the way back, and few enough
 * to stay in the cache. False where there are none. */
bool weft_slots_find(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                     uint32_t last, uint32_t *begin, uint32_t *end);
weft_slots *weft_slots_create(const weft_plan_desc *desc);
void weft_slots_free(weft_slots *s);
/* How many slots there are. */
uint32_t weft_slots_count(const weft_slots *s);
/* Makes room for so many behind the positions, which then lie elsewhere. */
void weft_slots_make_room(weft_memory *memory, uint32_t count);

/* Where the first slot lies. */
uint64_t weft_slots_begin(const weft_memory *memory);

/* Adds items for ascending particles that come back from slots. */
void weft_slots_add_leave(weft_cpu_plan *plan, weft_slots *s, uint32_t pass,
                          const uint32_t *particles, uint32_t count);
/* As weft_plan_add_elements, for constraints of particles in slots. */
void weft_slots_add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, weft_slots *s,
                             uint32_t pass, const uint32_t *elements, uint32_t count);

#endif
