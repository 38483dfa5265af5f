/* What there is to see in a PNG, for tests that cannot look:
 *   picture_detail A.png               its size, and the part of its pixels that lie at an edge
 *   picture_detail A.png on SHEET.png  where it is on the sheet, half as large, and how many
 *                                      pixels are ink in the 28 rows under it
 * A backdrop without anything before it is smooth and has no edges. Status 1: not on the sheet; 2:
 * cannot be read. */
#include <stdbool.h>
#include <string.h>

#include "read_png.h"

typedef struct picture {
  png_image png;
  uint8_t *pixels;
} picture;

static const uint8_t *at(const picture *p, uint32_t x, uint32_t y) {
  return p->pixels + 3 * ((size_t)y * p->png.width + x);
}

/* An eye sees a step of 12 in 255 between neighbours as a line. */
static bool edge(const uint8_t *a, const uint8_t *b) {
  for (int c = 0; c < 3; ++c) {
    if (abs(a[c] - b[c]) >= 12) return true;
  }
  return false;
}

static void tell_detail(const picture *p) {
  size_t edges = 0, count = 0;
  for (uint32_t y = 1; y < p->png.height; ++y) {
    for (uint32_t x = 1; x < p->png.width; ++x, ++count) {
      edges += edge(at(p, x, y), at(p, x - 1, y)) || edge(at(p, x, y), at(p, x, y - 1));
    }
  }
  printf("%u x %u edges %.3f %%\n", p->png.width, p->png.height,
         count ? 100.0 * (double)edges / (double)count : 0);
}

/* Four pixels become their mean, rounded. */
static picture halved(const picture *p) {
  picture half = {.png = {.width = p->png.width / 2, .height = p->png.height / 2}};
  half.pixels = malloc(3 * (size_t)half.png.width * half.png.height + 1);
  if (!half.pixels) exit(2);
  for (uint32_t y = 0; y < half.png.height; ++y) {
    for (uint32_t x = 0; x < half.png.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        int sum = at(p, 2 * x, 2 * y)[c] + at(p, 2 * x + 1, 2 * y)[c] + at(p, 2 * x, 2 * y + 1)[c] +
                  at(p, 2 * x + 1, 2 * y + 1)[c];
        half.pixels[3 * ((size_t)y * half.png.width + x) + (size_t)c] = (uint8_t)((sum + 2) / 4);
      }
    }
  }
  return half;
}

static bool lies_at(const picture *small, const picture *sheet, uint32_t x, uint32_t y) {
  for (uint32_t row = 0; row < small->png.height; ++row) {
    if (memcmp(at(small, 0, row), at(sheet, x, y + row), (size_t)3 * small->png.width) != 0)
      return false;
  }
  return true;
}

static size_t ink_under(const picture *small, const picture *sheet, uint32_t x, uint32_t y) {
  size_t ink = 0;
  uint32_t first = y + small->png.height, end = first + 28;
  for (uint32_t row = first; row < end && row < sheet->png.height; ++row) {
    for (uint32_t k = 0; k < small->png.width; ++k) ink += at(sheet, x + k, row)[0] < 100;
  }
  return ink;
}

static int find(const picture *p, const picture *sheet) {
  picture small = halved(p);
  int status = 1;
  for (uint32_t y = 0; status && y + small.png.height <= sheet->png.height; ++y) {
    for (uint32_t x = 0; status && x + small.png.width <= sheet->png.width; ++x) {
      if (!lies_at(&small, sheet, x, y)) continue;
      printf("at %u %u ink %zu\n", x, y, ink_under(&small, sheet, x, y));
      status = 0;
    }
  }
  free(small.pixels);
  return status;
}

int main(int argc, char **argv) {
  picture first, sheet;
  if (argc != 2 && !(argc == 4 && strcmp(argv[2], "on") == 0)) {
    fprintf(stderr, "usage: picture_detail A.png [on SHEET.png]\n");
    return 2;
  }
  first.pixels = read_png(argv[1], &first.png);
  if (!first.pixels) return 2;
  int status = 0;
  if (argc == 2) {
    tell_detail(&first);
  } else if ((sheet.pixels = read_png(argv[3], &sheet.png))) {
    status = find(&first, &sheet);
    free(sheet.pixels);
  } else {
    status = 2;
  }
  free(first.pixels);
  return status;
}
