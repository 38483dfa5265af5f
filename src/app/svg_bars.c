/* svg_bars.c: bars as SVG text, one a line, each with a part of it filled. */
#include "svg.h"

enum { WIDTH = 780, LINE = 22, TOP = 34, LEFT = 170, LONGEST = 330, BAR = 14 };

static double most_of(const weft_svg_bar *bars, size_t count) {
  double most = 0;
  for (size_t k = 0; k < count; ++k) {
    if (bars[k].value > most) most = bars[k].value;
  }
  return most > 0 ? most : 1;
}

static void write_bar(FILE *file, const weft_svg_bar *bar, double y, double scale) {
  double length = bar->value > 0 ? bar->value * scale : 0;
  double filled = bar->part > 0 ? bar->part * scale : 0;
  if (filled > LONGEST) filled = LONGEST;
  fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" stroke=\"none\">", LEFT - 8,
          y + BAR - 3);
  weft_svg_text(file, bar->name);
  fprintf(file,
          "</text><rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"#2a7fd4\" "
          "fill-opacity=\"0.35\" stroke=\"none\"/>"
          "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"#2a7fd4\" "
          "stroke=\"none\"/>",
          LEFT, y, length, BAR, LEFT, y, filled, BAR);
  fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" stroke=\"none\">",
          LEFT + (length > filled ? length : filled) + 8, y + BAR - 3);
  weft_svg_text(file, bar->text);
  fputs("</text>\n", file);
}

void weft_svg_write_bars(FILE *file, const char *title, const weft_svg_bar *bars, size_t count) {
  double scale = LONGEST / most_of(bars, count);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
          "font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\" "
          "stroke=\"currentColor\">\n<title>",
          WIDTH, TOP + LINE * (int)count + 8);
  weft_svg_text(file, title);
  fputs("</title>\n<text x=\"8\" y=\"20\" font-size=\"14\" font-weight=\"bold\" stroke=\"none\">",
        file);
  weft_svg_text(file, title);
  fputs("</text>\n", file);
  for (size_t k = 0; k < count; ++k) write_bar(file, &bars[k], TOP + LINE * (double)k, scale);
  fputs("</svg>\n", file);
}
