/* read_png.h: a PNG as rows of 8-bit red, green, blue. */
#ifndef WEFT_TESTS_READ_PNG_H
#define WEFT_TESTS_READ_PNG_H

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* [3*width*height], to be freed with free; NULL with a sentence on stderr where it cannot be read.
 */
static inline uint8_t *read_png(const char *path, png_image *image) {
  *image = (png_image){.version = PNG_IMAGE_VERSION};
  uint8_t *pixels = NULL;
  if (png_image_begin_read_from_file(image, path)) {
    image->format = PNG_FORMAT_RGB;
    pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (pixels && png_image_finish_read(image, NULL, pixels, 0, NULL)) return pixels;
  }
  fprintf(stderr, "%s: %s\n", path, image->message);
  free(pixels);
  return NULL;
}

#endif
