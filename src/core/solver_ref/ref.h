/* ref.h: the reference backend: the buffers as typed arrays. */
#ifndef WEFT_REF_H
#define WEFT_REF_H

#include "backend.h"
#include "exact.h"

#define WEFT_CONST_STATE
#define WEFT_CONST_SCRATCH
#define WEFT_CONST_CONSTANT const
#define WEFT_CONST_FRAME const
#define WEFT_CONST_HOST const

typedef struct weft_ref {
#define WEFT_BUFFER(ID, name, element, each, scalars, use, owner, quantity, instead) \
  WEFT_CONST_##use element *ID;
#include "buffers.def"
#undef WEFT_BUFFER
} weft_ref;

/* Runs a pass over buffers, one address for each weft_buffer_id. */
void weft_ref_run(unsigned char *const *payload, const weft_pass *pass, uint32_t substep);

#endif
