/* buffers.c: what buffers.def says of each buffer. */
#include <string.h>

#include "solver.h"

/* Advice for a buffer that is too large for a storage block, besides another backend and fewer
 * particles. */
#define FEWER NULL
#define LESS_ROOM "less --self-room or thickness"
#define MODE_GS "--mode gs"
#define NO_WIND "no wind"
#define FEWER_CONTACTS "no contact between particles"
#define COLOURS "--schedule colours"

const weft_buffer_info weft_buffer_infos[WEFT_BUFFER_COUNT] = {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, owner, quantity, instead) \
  {#name,    #ID,     #element,       (each) * sizeof(element),                      \
   each,     scalars, WEFT_USE_##use, WEFT_OWNER_##owner,                            \
   quantity, instead},
#include "buffers.def"
#undef WEFT_BUFFER
};

#define TERMS_XPBD(ID) WEFT_BUFFER_##ID##_XPBD
#define TERMS_OWN(ID) WEFT_BUFFER_COUNT
const weft_constraint_buffers weft_constraint_buffers_of[WEFT_CONSTRAINT_TYPE_COUNT] = {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  {WEFT_BUFFER_##ID, TERMS_##terms(ID), WEFT_BUFFER_##ID##_LAMBDA},
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
};

bool weft_buffer_is_float(weft_buffer_id id) {
  return !strpbrk(weft_buffer_infos[id].scalars, "uWU");
}

uint32_t weft_scalar_words(char letter) {
  return strchr("VU", letter) ? 4 : strchr("TW", letter) ? 3 : 1;
}

bool weft_scalar_is_float(char letter) { return strchr("fTV", letter); }
