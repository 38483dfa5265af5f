/* How different two PNGs look: picture_difference A.png B.png MEAN P99. Prints the mean and the
 * 99th percentile of CIEDE2000 over the pixels; status 1 when one is above what is allowed, 2 when
 * they cannot be compared.
 *
 * The mean sees what is a little wrong everywhere (light, colour), the percentile what is very
 * wrong in a few places (a shadow, an edge); the one pixel in a hundred above it is what other
 * rounding of the same edges may cost. */
#include "../render/delta_e.h"
#include "read_png.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int compare(const uint8_t *a, const uint8_t *b, size_t count, double max_mean,
                   double max_p99) {
  double *differences = malloc(count * sizeof *differences), sum = 0;
  if (!differences) return 2;
  for (size_t i = 0; i < count; ++i) {
    differences[i] = delta_e_2000(lab_of(a + 3 * i), lab_of(b + 3 * i));
    sum += differences[i];
  }
  qsort(differences, count, sizeof *differences, ascending);
  double mean = sum / (double)count, p99 = differences[(count - 1) * 99 / 100];
  printf("mean %.3f p99 %.3f max %.3f\n", mean, p99, differences[count - 1]);
  free(differences);
  return mean > max_mean || p99 > max_p99;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: picture_difference A.png B.png MEAN P99\n");
    return 2;
  }
  png_image first, second;
  int status = 2;
  uint8_t *a = read_png(argv[1], &first);
  uint8_t *b = a ? read_png(argv[2], &second) : NULL;
  if (b && (first.width != second.width || first.height != second.height)) {
    fprintf(stderr, "%u x %u pixels beside %u x %u\n", first.width, first.height, second.width,
            second.height);
  } else if (b) {
    size_t count = (size_t)first.width * first.height;
    status = compare(a, b, count, atof(argv[3]), atof(argv[4]));
  }
  free(a);
  free(b);
  return status;
}
