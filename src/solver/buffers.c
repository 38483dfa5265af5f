/* buffers.c: what buffers.def says of each buffer. */
#include <string.h>

#include "backend.h"

/* What to do where a buffer is too large for one storage block of a driver. */
#define FEWER "fewer particles or the ref backend"
#define MODE_GS "mode gs"
#define NO_WIND "no wind, fewer particles or the ref backend"
#define FEWER_CONTACTS "no contact between particles, fewer of them or the ref backend"
#define COLOURS "schedule colours, fewer particles or the ref backend"

const weft_buffer_info weft_buffer_infos[WEFT_BUFFER_COUNT] = {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, row, quantity, instead)              \
  {#name,    #element, (each) * sizeof(element), each, scalars, WEFT_USE_##use, WEFT_ROW_##row, \
   quantity, instead},
#include "buffers.def"
#undef WEFT_BUFFER
};

bool weft_buffer_is_float(weft_buffer_id id) {
  return !strpbrk(weft_buffer_infos[id].scalars, "uU");
}
