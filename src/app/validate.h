/* validate.h: what the files of `weft validate` share.
 *
 * Every level compares the reference with the compute backend bit by bit; they differ in how much
 * runs between two comparisons: a layout (nothing runs), a pass alone (kernel), the passes of one
 * substep, every substep of many frames (trajectory), whole runs (repeat). Each prints what it
 * found and adds the same to the JSON report. */
#ifndef WEFT_APP_VALIDATE_H
#define WEFT_APP_VALIDATE_H

#include <jansson.h>

#include "app.h"
#include "solver.h"

typedef struct weft_validation {
  const weft_app_options *options;
  const char *pass; /* the only one of the level kernel; NULL: all */
  weft_gl *gl;      /* NULL until opened: the repeat level forks before any GL */
  const weft_backend *backend;
  weft_gl_probe probe;
  json_t *report;
  bool different;
} weft_validation;

/* Each returns an error only for what kept it from comparing; what it found different it says in
 * validation->different. */
weft_result weft_validate_layout(weft_validation *v, weft_error *err);
weft_result weft_validate_kernels(weft_validation *v, weft_error *err);
weft_result weft_validate_substep(weft_validation *v, weft_error *err);
weft_result weft_validate_trajectory(weft_validation *v, weft_error *err);
/* Needs no context and must run while there is none: it forks. */
weft_result weft_validate_repeat(weft_validation *v, weft_error *err);

/* ---- comparing words ---- */

typedef struct weft_difference {
  uint64_t compared, differing; /* 32-bit components */
  double largest;               /* in the unit of the buffer; infinite when one is not a number */
  uint64_t largest_ulps;
  /* The first that differs. */
  uint64_t row;
  uint32_t component;
  uint32_t ref_bits, gl_bits;
} weft_difference;

/* Puts the words of a buffer whose order is left to chance in ascending order. */
void weft_sort_words(void *words, uint64_t count);

/* Adds what two arrays of rows hold differently; `rows` rows of `width` words. `first` is the
 * number of the first row. */
void weft_compare_rows(const void *ref, const void *gl, uint64_t first, uint64_t rows,
                       uint32_t width, weft_difference *difference);

/* ---- a pair of solvers and where they part ---- */

typedef struct weft_pair {
  weft_scene_instance scene;
  weft_solver *ref, *gl;
  uint32_t particles;
  /* States before and after a substep, [particles] each. */
  vec4 *x_before, *v_before, *x_ref, *v_ref, *x_gl, *v_gl;
  /* What friction between particles remembered before it. */
  weft_neighbour *kept_before;
  uint64_t kept_rows;
} weft_pair;

weft_result weft_pair_open(const weft_validation *v, weft_pair *pair, weft_error *err);
void weft_pair_close(weft_pair *pair);
/* Animates and begins a frame on both. */
weft_result weft_pair_begin_frame(weft_pair *pair, weft_error *err);
void weft_pair_end_frame(weft_pair *pair);
/* Into kept_before, from the reference. */
void weft_pair_read_kept(weft_pair *pair);
/* Writes x_before, v_before and kept_before into both. */
void weft_pair_restore(weft_pair *pair);

typedef struct weft_place {
  bool found;
  /* Passes run one by one agree: only the order of passes on the device can be at fault. */
  bool race;
  uint32_t passes_compared;
  const weft_pass *pass;
  const char *group; /* of constraints; NULL for other passes */
  weft_buffer_id buffer;
  weft_difference difference;
  uint32_t particle;   /* UINT32_MAX: none */
  uint32_t constraint; /* within its type's buffer; UINT32_MAX: none */
  uint32_t arity;
  uint32_t particles[WEFT_MAX_ARITY]; /* of the constraint */
} weft_place;

/* Runs one substep from x_before, v_before on both, pass by pass, comparing after each everything
 * that it writes; stops at the first difference. */
void weft_pair_locate(weft_pair *pair, uint32_t substep, weft_place *place);
/* When that found nothing though the substep differed: the pass that runs out of order. */
void weft_pair_locate_race(weft_pair *pair, uint32_t substep, weft_place *place);
/* `other`: the name of the backend beside the reference. */
void weft_place_print(const weft_place *place, const char *other);
json_t *weft_place_json(const weft_place *place);

/* ---- reports ---- */
json_t *weft_hex_json(uint64_t value, int digits);
json_t *weft_difference_json(const weft_difference *difference);
/* "0x3f800000 (1)" into one of a few turning buffers. */
const char *weft_bits_text(uint32_t bits);

#endif
