/* text.h: letters in pictures, for legends and captions: one bitmap font, drawn for weft.
 *
 * A glyph is 5 pixels wide and 9 high, the last two rows below the base line. Characters without a
 * glyph are drawn as a question mark, so that nothing vanishes unseen. */
#ifndef WEFT_RENDER_TEXT_H
#define WEFT_RENDER_TEXT_H

#include "render.h"

enum {
  WEFT_GLYPH_WIDTH = 5,
  WEFT_GLYPH_HEIGHT = 9,
  WEFT_TEXT_ADVANCE = 6, /* from one letter to the next */
  WEFT_TEXT_LINE = 11,   /* from one line to the next */
};

/* WEFT_GLYPH_HEIGHT rows from the top; bit 4 is the leftmost pixel. */
const uint8_t *weft_glyph(char letter);

/* Pixels from the first column to the last, at a scale of whole pixels. */
uint32_t weft_text_width(const char *text, uint32_t scale);

/* Draws one line with its upper left corner at (x, y); what lies outside the image is cut off. */
void weft_text_draw(weft_image *image, int32_t x, int32_t y, uint32_t scale, const char *text,
                    const uint8_t colour[3]);

#endif
