/* Whether one PNG is part of another: picture_part WHOLE.png PART.png LEFT TOP. Prints the largest
 * difference of a byte where PART lies; status 1 when there is one, 2 when it does not fit. */
#include "read_png.h"

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: picture_part WHOLE.png PART.png LEFT TOP\n");
    return 2;
  }
  png_image first, second;
  size_t left = (size_t)atoi(argv[3]), top = (size_t)atoi(argv[4]);
  uint8_t *whole = read_png(argv[1], &first), *part = whole ? read_png(argv[2], &second) : NULL;
  int largest = 0;
  if (!part || left + second.width > first.width || top + second.height > first.height) {
    fprintf(stderr, "%s does not fit into %s\n", argv[2], argv[1]);
    largest = -1;
  }
  for (size_t y = 0; largest >= 0 && y < second.height; ++y) {
    for (size_t x = 0; x < 3 * (size_t)second.width; ++x) {
      int a = whole[3 * ((top + y) * first.width + left) + x], b = part[3 * y * second.width + x];
      largest = abs(a - b) > largest ? abs(a - b) : largest;
    }
  }
  printf("largest difference %d\n", largest);
  free(whole);
  free(part);
  return largest < 0 ? 2 : largest > 0;
}
