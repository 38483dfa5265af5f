/* svg.c: line plots as SVG text. */
#include "svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 400, LEFT = 78, TOP = 34, PLOT_WIDTH = 450, PLOT_HEIGHT = 304 };

/* Each stands out by 3:1 or more against white and against #15171a. */
static const char *const palette[] = {"#2a7fd4", "#d55e00", "#00916a", "#b5539c",
                                      "#9a7b00", "#d1383d", "#5f73c9", "#4b8b8f"};
enum { COLOURS = sizeof palette / sizeof *palette };

typedef struct axis {
  double low, high; /* of the logarithm on a log axis */
  bool log;
  double from, to; /* on the page */
} axis;

void weft_svg_text(FILE *file, const char *text) {
  for (; *text; ++text) {
    switch (*text) {
      case '&':
        fputs("&amp;", file);
        break;
      case '<':
        fputs("&lt;", file);
        break;
      case '>':
        fputs("&gt;", file);
        break;
      case '"':
        fputs("&quot;", file);
        break;
      default:
        fputc(*text, file);
    }
  }
}

/* ---- scales ---- */

static bool usable(double value, bool log) { return isfinite(value) && (!log || value > 0); }

static double scaled(const axis *a, double value) { return a->log ? log10(value) : value; }

static double place(const axis *a, double value) {
  double part = (scaled(a, value) - a->low) / (a->high - a->low);
  return a->from + part * (a->to - a->from);
}

static void find_ranges(const weft_svg_plot *plot, axis *x, axis *y) {
  x->low = y->low = INFINITY;
  x->high = y->high = -INFINITY;
  for (size_t s = 0; s < plot->series_count; ++s) {
    const weft_svg_series *series = &plot->series[s];
    for (size_t k = 0; k < series->count; ++k) {
      if (!usable(series->x[k], x->log) || !usable(series->y[k], y->log)) continue;
      double u = scaled(x, series->x[k]), v = scaled(y, series->y[k]);
      x->low = fmin(x->low, u);
      x->high = fmax(x->high, u);
      y->low = fmin(y->low, v);
      y->high = fmax(y->high, v);
    }
  }
}

/* Some air around the curves; a range of no width gets one. */
static void widen(axis *a) {
  if (!(a->high >= a->low)) {
    a->low = 0;
    a->high = 1;
  }
  double span = a->high - a->low;
  double air = span > 1e-12 * fmax(fabs(a->low), fabs(a->high)) ? 0.05 * span
                                                                : fmax(0.1 * fabs(a->low), 1e-12);
  a->low -= air;
  a->high += air;
}

static void stretch(axis *a, double span) {
  double middle = 0.5 * (a->low + a->high);
  a->low = middle - 0.5 * span;
  a->high = middle + 0.5 * span;
}

static void equalise(axis *x, axis *y) {
  double scale = fmax((x->high - x->low) / PLOT_WIDTH, (y->high - y->low) / PLOT_HEIGHT);
  stretch(x, scale * PLOT_WIDTH);
  stretch(y, scale * PLOT_HEIGHT);
}

/* ---- ticks ---- */

enum { MOST_TICKS = 40 };

/* 1, 2 or 5 times a power of ten, so that there are some six steps. */
static size_t linear_ticks(const axis *a, double *ticks) {
  double rough = (a->high - a->low) / 6, power = pow(10, floor(log10(rough)));
  double digit = rough / power, step = power * (digit < 1.5   ? 1
                                                : digit < 3.5 ? 2
                                                : digit < 7.5 ? 5
                                                              : 10);
  size_t count = 0;
  for (double k = ceil(a->low / step); k * step <= a->high && count < MOST_TICKS; ++k) {
    ticks[count++] = k == 0 ? 0 : k * step;
  }
  return count;
}

/* Powers of ten; every so many when there are many, 2 and 5 between when there are few. */
static size_t log_ticks(const axis *a, double *ticks) {
  static const double between[] = {1, 2, 5};
  double decades = a->high - a->low;
  int every = (int)ceil(decades / 9), parts = decades < 2.6 ? 3 : 1;
  size_t count = 0;
  for (int e = (int)floor(a->low); e <= (int)ceil(a->high); ++e) {
    if (e % every != 0) continue;
    for (int p = 0; p < parts && count < MOST_TICKS; ++p) {
      double tick = between[p] * pow(10, e);
      if (log10(tick) >= a->low && log10(tick) <= a->high) ticks[count++] = tick;
    }
  }
  return count;
}

static size_t find_ticks(const axis *a, double *ticks) {
  return a->log ? log_ticks(a, ticks) : linear_ticks(a, ticks);
}

/* A power of ten outside 0.001..1000 as 10 with its exponent raised, all else as %g. */
static void write_tick_label(FILE *file, const axis *a, double value) {
  double exponent = value > 0 ? round(log10(value)) : 0;
  if (a->log && fabs(exponent) > 3 && fabs(log10(value) - exponent) < 1e-9) {
    fprintf(file, "10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan>", exponent);
  } else {
    fprintf(file, "%.6g", value);
  }
}

static void write_x_axis(FILE *file, const axis *x, const axis *y, const char *label) {
  double ticks[MOST_TICKS];
  size_t count = find_ticks(x, ticks);
  for (size_t k = 0; k < count; ++k) {
    double at = place(x, ticks[k]);
    fprintf(file,
            "<path d=\"M%.1f %.1fV%.1f\" opacity=\"0.15\"/><text x=\"%.1f\" y=\"%.1f\" "
            "text-anchor=\"middle\" stroke=\"none\">",
            at, y->from, y->to, at, y->from + 17);
    write_tick_label(file, x, ticks[k]);
    fputs("</text>\n", file);
  }
  fprintf(file,
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" stroke=\"none\" font-size=\"13\">",
          0.5 * (x->from + x->to), y->from + 40);
  weft_svg_text(file, label);
  fputs("</text>\n", file);
}

static void write_y_axis(FILE *file, const axis *x, const axis *y, const char *label) {
  double ticks[MOST_TICKS];
  size_t count = find_ticks(y, ticks);
  for (size_t k = 0; k < count; ++k) {
    double at = place(y, ticks[k]);
    fprintf(file,
            "<path d=\"M%.1f %.1fH%.1f\" opacity=\"0.15\"/><text x=\"%.1f\" y=\"%.1f\" "
            "text-anchor=\"end\" stroke=\"none\">",
            x->from, at, x->to, x->from - 7, at + 4);
    write_tick_label(file, y, ticks[k]);
    fputs("</text>\n", file);
  }
  double middle = 0.5 * (y->from + y->to);
  fprintf(file,
          "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\" "
          "stroke=\"none\" font-size=\"13\">",
          middle);
  weft_svg_text(file, label);
  fputs("</text>\n", file);
}

/* ---- curves ---- */

static const char *colour_of(const weft_svg_series *series) {
  return series->colour < 0 ? "currentColor" : palette[series->colour % COLOURS];
}

static void write_style(FILE *file, const weft_svg_series *series) {
  fprintf(file, " fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"", colour_of(series),
          series->colour < 0 ? "1.2" : "1.8");
  if (series->dashed) fputs(" stroke-dasharray=\"6 4\"", file);
}

static void write_mark(FILE *file, const weft_svg_series *series, double x, double y) {
  fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" stroke=\"%s\" fill=\"%s\"/>", x, y,
          colour_of(series), series->dashed ? "none" : colour_of(series));
}

static void write_series(FILE *file, const weft_svg_series *series, const axis *x, const axis *y) {
  fputs("<path d=\"", file);
  bool broken = true;
  for (size_t k = 0; k < series->count; ++k) {
    if (!usable(series->x[k], x->log) || !usable(series->y[k], y->log)) {
      broken = true;
      continue;
    }
    fprintf(file, "%s%.1f %.1f", broken ? "M" : "L", place(x, series->x[k]),
            place(y, series->y[k]));
    broken = false;
  }
  fputs("\"", file);
  write_style(file, series);
  fputs(" stroke-linejoin=\"round\"/>\n", file);
  for (size_t k = 0; series->marked && k < series->count; ++k) {
    if (!usable(series->x[k], x->log) || !usable(series->y[k], y->log)) continue;
    write_mark(file, series, place(x, series->x[k]), place(y, series->y[k]));
  }
}

static void write_legend(FILE *file, const weft_svg_plot *plot) {
  double left = LEFT + PLOT_WIDTH + 16, y = TOP + 8;
  double step = fmin(20, (double)(HEIGHT - TOP - 16) / (double)(plot->series_count + 1));
  for (size_t k = 0; k < plot->series_count; ++k, y += step) {
    const weft_svg_series *series = &plot->series[k];
    fprintf(file, "<path d=\"M%.1f %.1fh26\"", left, y);
    write_style(file, series);
    fputs("/>", file);
    if (series->marked) write_mark(file, series, left + 13, y);
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" stroke=\"none\">", left + 33, y + 4);
    weft_svg_text(file, series->name);
    fputs("</text>\n", file);
  }
}

void weft_svg_write(FILE *file, const weft_svg_plot *plot) {
  axis x = {.log = plot->x_log, .from = LEFT, .to = LEFT + PLOT_WIDTH};
  axis y = {.log = plot->y_log, .from = TOP + PLOT_HEIGHT, .to = TOP};
  find_ranges(plot, &x, &y);
  widen(&x);
  widen(&y);
  if (plot->equal) equalise(&x, &y);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
          "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\" "
          "stroke=\"currentColor\">\n<title>",
          WIDTH, HEIGHT);
  weft_svg_text(file, plot->title);
  fprintf(file,
          "</title>\n<text x=\"%d\" y=\"20\" font-size=\"14\" font-weight=\"bold\" "
          "stroke=\"none\">",
          LEFT);
  weft_svg_text(file, plot->title);
  fputs("</text>\n", file);
  write_x_axis(file, &x, &y, plot->x_label);
  write_y_axis(file, &x, &y, plot->y_label);
  fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\"/>\n", LEFT, TOP,
          PLOT_WIDTH, PLOT_HEIGHT);
  for (size_t k = 0; k < plot->series_count; ++k) write_series(file, &plot->series[k], &x, &y);
  write_legend(file, plot);
  fputs("</svg>\n", file);
}
