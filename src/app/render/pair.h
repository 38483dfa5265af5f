/* pair.h: two pictures of one size side by side, with a caption under each. */
#ifndef WEFT_RENDER_PAIR_H
#define WEFT_RENDER_PAIR_H

#include "render.h"

enum { WEFT_CAPTION_LINES = 2, WEFT_CAPTION_SIZE = 120 };
typedef struct weft_caption {
  char lines[WEFT_CAPTION_LINES][WEFT_CAPTION_SIZE];
} weft_caption;

/* What runs and how far it stretches along threads: "plain sweep: strain 82 % (p99), 7.2 ms", and
 * under which settings. ms: of a frame; 0: not told. */
void weft_caption_write(const char *name, const weft_params *params, const weft_metrics *metrics,
                        double ms, weft_caption *caption);

/* Pixels. */
typedef struct weft_pair {
  uint32_t width, height; /* of all of it */
  uint32_t half, above;   /* width and height of either picture */
  uint32_t right;         /* where the right one begins */
  uint32_t scale;         /* of letters */
} weft_pair;

/* Captions take no more than a third of the height. */
weft_pair weft_pair_of(uint32_t width, uint32_t height);

/* The strip under the pictures: width * (height - above); freed with weft_free. */
weft_image weft_pair_captions(const weft_pair *pair, const weft_caption captions[2]);

/* All of it; the pictures are half * above. Freed with weft_free. */
weft_image weft_pair_join(const weft_pair *pair, const weft_image pictures[2],
                          const weft_caption captions[2]);

#endif
