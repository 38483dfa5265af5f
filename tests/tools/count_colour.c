/* count_colour.c: how many pixels of a part of a PNG have a colour.
 *
 * Usage: count_colour FILE RRGGBB TOLERANCE LEFT TOP WIDTH HEIGHT */
#include "read_png.h"

int main(int argc, char **argv) {
  png_image image;
  uint8_t *pixels = argc == 8 ? read_png(argv[1], &image) : NULL;
  if (!pixels) {
    fprintf(stderr, "usage: count_colour FILE RRGGBB TOLERANCE LEFT TOP WIDTH HEIGHT\n");
    return 2;
  }
  long rgb = strtol(argv[2], NULL, 16), tolerance = strtol(argv[3], NULL, 10);
  long box[4];
  for (int k = 0; k < 4; ++k) box[k] = strtol(argv[4 + k], NULL, 10);
  long count = 0;
  for (long y = box[1]; y < box[1] + box[3]; ++y) {
    for (long x = box[0]; x < box[0] + box[2]; ++x) {
      if (x < 0 || y < 0 || x >= (long)image.width || y >= (long)image.height) continue;
      const uint8_t *p = pixels + 3 * (y * (long)image.width + x);
      long worst = 0;
      for (int c = 0; c < 3; ++c) {
        long off = labs((long)p[c] - (rgb >> (16 - 8 * c) & 255));
        worst = off > worst ? off : worst;
      }
      count += worst <= tolerance;
    }
  }
  printf("%ld\n", count);
  free(pixels);
  return 0;
}
