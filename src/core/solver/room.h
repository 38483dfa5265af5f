/* room.h: capacities of the lists of self-collision. */
#ifndef WEFT_SOLVER_ROOM_H
#define WEFT_SOLVER_ROOM_H

#include "pass.h"

enum {
  WEFT_SELF_MOST_ROOM = 256,           /* pairs a particle, at most */
  WEFT_SELF_MOST_PAIRS = (1 << 26) - 1 /* so that their feature pairs are counted in 32 bits */
};

/* Capacities of each instance of a joined model. */
typedef struct weft_self_room {
  uint64_t meets, close, candidates, pairs, kept; /* see buffers.def */
  uint32_t parts;
} weft_self_room;

/* Of a model that is not joined, or of one instance: for params->self_room pairs a particle. */
weft_self_room weft_self_room_of(const weft_model *model, const weft_params *params,
                                 uint32_t patches);
uint64_t weft_self_meets(uint32_t patches, uint32_t self_room);
/* The total capacity of a list; 0 for other buffers. */
uint64_t weft_self_room_count(const weft_self_room *room, weft_buffer_id id);
static inline void weft_room_tell(const weft_self_room *room, weft_uniforms *u) {
  u->self_meets = (uint32_t)room->meets;
  u->self_close = (uint32_t)room->close;
  u->self_candidates = (uint32_t)room->candidates;
  u->self_pairs = (uint32_t)room->pairs;
}
/* Writes capacities into uniforms, of floats or of doubles. */
void weft_self_set_room(void *uniforms, const weft_self_room *room);
void weft_f64_self_set_room(void *uniforms, const weft_self_room *room);

#endif
