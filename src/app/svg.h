/* svg.h: line plots as SVG text: axes with ticks, linear or logarithmic, and a legend. Colours are
 * chosen to be read on light and dark pages; text and axes take the page's own colour. */
#ifndef WEFT_APP_SVG_H
#define WEFT_APP_SVG_H

#include <stdbool.h>
#include <stdio.h>

typedef struct weft_svg_series {
  const char *name;
  size_t count;
  const double *x, *y; /* points that are not finite, or not positive on a log axis, are left out */
  int colour;          /* index into the palette; negative: the colour of the text */
  bool dashed;
  bool marked; /* a mark at each point */
} weft_svg_series;

typedef struct weft_svg_plot {
  const char *title, *x_label, *y_label;
  bool x_log, y_log;
  bool equal; /* one scale for both axes (linear ones) */
  const weft_svg_series *series;
  size_t series_count;
} weft_svg_plot;

void weft_svg_write(FILE *file, const weft_svg_plot *plot);

/* Bars one below the other: of each so much is filled, and a text behind it. */
typedef struct weft_svg_bar {
  const char *name, *text;
  double value, part;
} weft_svg_bar;
void weft_svg_write_bars(FILE *file, const char *title, const weft_svg_bar *bars, size_t count);

/* The style sheet of a page with tables and plots. */
extern const char weft_page_style[];

/* Text with what XML reserves escaped. */
void weft_svg_text(FILE *file, const char *text);

#endif
