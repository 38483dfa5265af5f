/* pair.c: where two pictures and their captions go. */
#include "pair.h"

#include <stdio.h>
#include <string.h>

#include "inspect.h"
#include "text.h"

/* ---- words ---- */

static size_t add_count(char *text, size_t used, uint32_t count, const char *what) {
  if (count == 0 || used >= WEFT_CAPTION_SIZE) return used;
  int more = snprintf(text + used, WEFT_CAPTION_SIZE - used, "%s%u %s%s", used ? ", " : "", count,
                      what, count == 1 ? "" : "s");
  return used + (size_t)more;
}

static void write_settings(const weft_params *p, char *text) {
  size_t used = add_count(text, 0, p->substeps, "substep");
  if (p->iterations > 1) used = add_count(text, used, p->iterations, "iteration");
  used = add_count(text, used, p->line_sweeps, "line sweep");
  if (p->multilevel >= WEFT_ALL_LEVELS && used < WEFT_CAPTION_SIZE) {
    used += (size_t)snprintf(text + used, WEFT_CAPTION_SIZE - used, ", all levels");
  } else {
    used = add_count(text, used, p->multilevel, "level");
  }
  add_count(text, used, p->lra, "attachment");
}

/* After the point. */
static int digits(double value) { return value < 1 ? 2 : value < 10 ? 1 : 0; }

void weft_caption_write(const char *name, const weft_params *params, const weft_metrics *metrics,
                        double ms, weft_caption *caption) {
  char *text = caption->lines[0];
  int used = snprintf(text, WEFT_CAPTION_SIZE, "%.40s: ", name);
  if (metrics->nonfinite > 0) {
    snprintf(text + used, WEFT_CAPTION_SIZE - (size_t)used, "infinite or NaN");
  } else {
    double strain = 100 * metrics->strain_threads_p99;
    used += snprintf(text + used, WEFT_CAPTION_SIZE - (size_t)used, "strain %.*f %% (p99)",
                     digits(strain), strain);
    if (ms > 0) {
      snprintf(text + used, WEFT_CAPTION_SIZE - (size_t)used, ", %.*f ms", digits(ms), ms);
    }
  }
  write_settings(params, caption->lines[1]);
}

/* ---- places ---- */

enum { MARGIN = 4, SEAM = 2, PAPER = 250 };

static uint32_t strip_of(uint32_t scale) {
  return (WEFT_CAPTION_LINES * WEFT_TEXT_LINE + 2 * MARGIN) * scale;
}

weft_pair weft_pair_of(uint32_t width, uint32_t height) {
  weft_pair pair = {.width = width, .height = height, .above = height};
  pair.half = width > SEAM + 1 ? (width - SEAM) / 2 : 1;
  pair.right = width - pair.half;
  pair.scale = pair.half / 250 ? pair.half / 250 : 1;
  while (pair.scale > 0 && strip_of(pair.scale) > height / 3) pair.scale--;
  pair.above -= pair.scale ? strip_of(pair.scale) : 0;
  return pair;
}

/* Of both captions alike: smaller where one would be cut off. */
static uint32_t scale_of(const weft_pair *pair, const weft_caption captions[2], int line) {
  uint32_t scale = pair->scale;
  for (int side = 0; side < 2; ++side) {
    while (scale > 1 && weft_text_width(captions[side].lines[line], scale) > pair->half) scale--;
  }
  return scale;
}

/* Leaves out what is said last until the rest fits into a half. */
static void shorten(const weft_pair *pair, uint32_t scale, char *text) {
  char *which = strstr(text, " (p99)");
  if (which && weft_text_width(text, scale) > pair->half) {
    memmove(which, which + 6, strlen(which + 6) + 1);
  }
  while (weft_text_width(text, scale) > pair->half && strrchr(text, ',')) *strrchr(text, ',') = 0;
}

/* In the middle of a half. */
static void write_line(const weft_pair *pair, uint32_t left, int line, uint32_t scale,
                       const char *caption, weft_image *strip) {
  char text[WEFT_CAPTION_SIZE];
  snprintf(text, sizeof text, "%s", caption);
  shorten(pair, scale, text);
  static const uint8_t inks[WEFT_CAPTION_LINES][3] = {{32, 32, 38}, {110, 110, 118}};
  int32_t x = (int32_t)left + ((int32_t)pair->half - (int32_t)weft_text_width(text, scale)) / 2;
  uint32_t y = (MARGIN + 1 + (uint32_t)line * WEFT_TEXT_LINE) * pair->scale;
  weft_text_draw(strip, x < (int32_t)left ? (int32_t)left : x, (int32_t)y, scale, text, inks[line]);
}

weft_image weft_pair_captions(const weft_pair *pair, const weft_caption captions[2]) {
  weft_image strip = {.width = pair->width, .height = pair->height - pair->above};
  strip.pixels = weft_alloc((size_t)3 * strip.width, strip.height);
  memset(strip.pixels, PAPER, (size_t)3 * strip.width * strip.height);
  for (int line = 0; line < WEFT_CAPTION_LINES && pair->scale > 0; ++line) {
    uint32_t scale = scale_of(pair, captions, line);
    write_line(pair, 0, line, scale, captions[0].lines[line], &strip);
    write_line(pair, pair->right, line, scale, captions[1].lines[line], &strip);
  }
  return strip;
}

weft_image weft_pair_join(const weft_pair *pair, const weft_image pictures[2],
                          const weft_caption captions[2]) {
  weft_image out = {pair->width, pair->height, weft_alloc((size_t)3 * pair->width, pair->height)};
  weft_image strip = weft_pair_captions(pair, captions);
  size_t row = (size_t)3 * pair->width, half = (size_t)3 * pair->half;
  memset(out.pixels, PAPER, row * pair->above);
  for (uint32_t y = 0; y < pair->above; ++y) {
    memcpy(out.pixels + y * row, pictures[0].pixels + y * half, half);
    memcpy(out.pixels + y * row + 3 * (size_t)pair->right, pictures[1].pixels + y * half, half);
  }
  memcpy(out.pixels + pair->above * row, strip.pixels, row * strip.height);
  weft_free(strip.pixels);
  return out;
}
