/* program_text.h: the part of a program's text that follows from the registries: what is bound
 * where, how an element is read, and the choices among constraints and among shapes. The rest is in
 * shaders/. */
#ifndef WEFT_SOLVER_GL_PROGRAM_TEXT_H
#define WEFT_SOLVER_GL_PROGRAM_TEXT_H

#include "base.h"
#include "inspect.h"

/* Where a program finds a buffer. */
typedef struct weft_gl_place {
  bool block;    /* a storage block at `slot` */
  bool textured; /* read through the buffer texture at `unit` */
  bool shared; /* in the work group's own memory while the dispatch lasts; the block is NAME_outside
                */
  bool unbound; /* named by the text, but this permutation never touches it */
  bool reads, writes;
  bool coherent; /* other invocations see what one wrote */
  uint32_t slot, unit;
  uint64_t packed; /* elements in the block of packed buffers; 0: it is not there */
} weft_gl_place;

typedef struct weft_gl_places {
  weft_gl_place of[WEFT_BUFFER_COUNT];
  uint32_t units; /* buffer textures */
  uint32_t packed_slot;
  uint32_t shared_elements; /* room for what is shared */
} weft_gl_places;

/* Bits of constraint types and shapes that a program has the text of. */
enum { WEFT_ALL_TYPES = (1 << WEFT_CONSTRAINT_TYPE_COUNT) - 1 };
uint32_t weft_gl_all_shapes(void);

/* Whether elements begin at multiples of 16 bytes. Packed buffers: those that do, then the others,
 * by their ids. */
bool weft_gl_element_has_vectors(weft_buffer_id id);

/* ---- parts ---- */
void weft_gl_text_places(weft_string *text, const weft_gl_places *places);
/* At the place of a constraint's buffers; `types` of none: nothing. */
void weft_gl_text_constraints(weft_string *text, const weft_gl_places *places, uint32_t types);
void weft_gl_text_shapes(weft_string *text, uint32_t shapes);
/* The include of a pass, and the call that runs it on element `i`. */
void weft_gl_text_include(weft_string *text, weft_pass_kind kind);
void weft_gl_text_call(weft_string *text, weft_pass_kind kind, uint32_t variant, const char *pass,
                       const char *substep);

/* ---- a pass by itself ---- */

/* Where the buffers of a kind of pass are bound, in the order of its list: of so many storage
 * bindings and texture units, those that a buffer has in all passes as far as there are enough. */
typedef struct weft_gl_numbers {
  uint32_t slot[WEFT_MAX_BINDINGS], unit[WEFT_MAX_BINDINGS];
} weft_gl_numbers;
weft_gl_numbers weft_gl_numbers_of(weft_pass_kind kind, uint32_t slots, uint32_t units);

typedef struct weft_gl_pass_desc {
  weft_pass_kind kind;
  uint32_t variant;
  uint32_t group;         /* invocations, unless the pass has its own number */
  bool textured;          /* the driver is quicker at buffer textures than at storage blocks */
  uint32_t types, shapes; /* of patch and collide */
  uint32_t slots, units;  /* that may be used; 0: as many as OpenGL promises */
} weft_gl_pass_desc;

/* Invocations of a work group, `group` where a pass has no number of its own. */
uint32_t weft_gl_pass_group(weft_pass_kind kind, uint32_t group);
/* For solver/pass.comp; to be freed by weft_free. */
char *weft_gl_pass_text(const weft_gl_pass_desc *desc);
/* "WEFT_PASS=predict", "WEFT_PASS=patch WEFT_LAMBDA=1": names the permutation in messages. */
void weft_gl_pass_defines(const weft_gl_pass_desc *desc, char *text, size_t size);

/* ---- all passes at once ---- */

/* Passes and permutations of a list, and their buffers. */
typedef struct weft_gl_kinds {
  bool used[WEFT_PASS_KIND_COUNT][WEFT_VARIANT_COUNT];
  bool repeated[WEFT_PASS_KIND_COUNT][WEFT_VARIANT_COUNT]; /* somewhere one after the other */
  bool buffers[WEFT_BUFFER_COUNT];                         /* bound, */
  bool named[WEFT_BUFFER_COUNT]; /* or named by a text that never touches it */
  bool written[WEFT_BUFFER_COUNT];
} weft_gl_kinds;
void weft_gl_use(weft_gl_kinds *used, weft_pass_kind kind, uint32_t variant);

/* A table, made once; and what no pass writes, though the host may between frames: it may be read
 * through texels. */
bool weft_gl_is_fixed(weft_buffer_id id);
bool weft_gl_is_read_only(weft_buffer_id id);

/* The kind of a step of single.comp: that of its pass, and above it the variant. */
uint32_t weft_gl_step_number(uint32_t kind, uint32_t variant);
uint32_t weft_gl_step_kind(uint32_t number);

typedef struct weft_gl_single_desc {
  const weft_gl_kinds *used;
  const uint64_t *counts; /* [buffers] elements */
  uint32_t group;         /* invocations */
  uint32_t teams;         /* parts of the group, where a pass is for those */
  uint32_t team_room;     /* elements of what the invocations of one share */
  uint32_t shapes;
  uint32_t shared_elements; /* of positions in shared memory; 0: they are in their buffer */
  bool uniform_steps;       /* else the steps are storage block 0 */
  bool packed;              /* constant buffers are one storage block */
  bool textured;            /* what is read-only is read through textures */
} weft_gl_single_desc;

/* For solver/single.comp; to be freed by weft_free. Blocks and textures are numbered in the order
 * of buffers.def. */
char *weft_gl_single_text(const weft_gl_single_desc *desc, weft_gl_places *places);

#endif
