/* room.h: how long the lists of self-collision are. */
#ifndef WEFT_SOLVER_ROOM_H
#define WEFT_SOLVER_ROOM_H

#include "pass.h"

enum {
  WEFT_SELF_MOST_ROOM = 256,           /* pairs a particle that lists grow to */
  WEFT_SELF_MOST_PAIRS = (1 << 26) - 1 /* so that features of as many triangles are counted in 32
                                          bits */
};

/* Elements of each part of a joined model. */
typedef struct weft_self_room {
  uint64_t meets, close, candidates, pairs, kept; /* see buffers.def */
  uint32_t parts;
} weft_self_room;

/* Of a model that is no joined one, or of each part: for params->self_room pairs a particle. */
weft_self_room weft_self_room_of(const weft_model *model, const weft_params *params,
                                 uint32_t patches);
uint64_t weft_self_meets(uint32_t patches, uint32_t self_room);
/* Elements of a list in all; 0 for what is none. */
uint64_t weft_self_room_count(const weft_self_room *room, weft_buffer_id id);
/* What uniforms say of it, in floats or in doubles. */
void weft_self_set_room(void *uniforms, const weft_self_room *room);
void weft_f64_self_set_room(void *uniforms, const weft_self_room *room);

#endif
