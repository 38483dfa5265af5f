/* verify_internal.h: what the files of this room share: comparing words, and a pair of solvers. */
#ifndef WEFT_VERIFY_INTERNAL_H
#define WEFT_VERIFY_INTERNAL_H

#include "verify.h"

/* ---- compare.c ---- */

/* Elements of so many words each in ascending order, for what has none. */
void weft_sort_elements(void *elements, uint64_t count, uint32_t width);

/* What atomic additions give a place, of a whole table: see weft_buffer_unordered. Of particles
 * that are asked only so many are listed; what stands behind these becomes 0. */
void weft_sort_table(weft_buffer_id id, void *elements, uint64_t count, uint64_t listed);

/* Whether a list of self-collision was too short: which of too many found room depends on the
 * order. */
bool weft_has_overrun(const uint32_t *self_counts, uint64_t count);

/* Adds what two arrays of elements hold differently; `elements` elements of `width` words. `first`
 * is the number of the first element. */
void weft_compare_elements(const void *ref, const void *other, uint64_t first, uint64_t elements,
                           uint32_t width, weft_difference *difference);

/* ---- pair.c: one scene on both backends, held in step ---- */

typedef struct weft_pair {
  weft_scene_instance scene;
  weft_solver *ref, *other;
  uint32_t particles;
  /* Before a substep, and after it on both. */
  weft_kept_state before, at_ref, at_other;
} weft_pair;

weft_result weft_pair_open(const weft_verify_request *request, weft_pair *pair, weft_error *err);
void weft_pair_close(weft_pair *pair);
/* Animates and begins a frame on both. */
weft_result weft_pair_begin_frame(weft_pair *pair, weft_error *err);
void weft_pair_end_frame(weft_pair *pair);
/* Writes `before` into both. */
void weft_pair_restore(weft_pair *pair);

/* ---- locate.c: where they part ---- */

/* Runs one substep from `before` on both, pass by pass, comparing after each everything
 * that it writes; stops at the first difference. Returns the number of passes compared. */
uint32_t weft_pair_locate(weft_pair *pair, uint32_t substep, weft_divergence *divergence);
/* When that found nothing though the substep differed: the pass that runs out of order. */
void weft_pair_locate_race(weft_pair *pair, uint32_t substep, weft_divergence *divergence);

#endif
