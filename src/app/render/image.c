/* PNG files through libpng: pictures out, textures in. */
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "output.h"
#include "render.h"

/* libpng leaves by longjmp; what it said is kept here. */
typedef struct writer {
  char message[200];
} writer;

static void on_error(png_structp png, png_const_charp message) {
  writer *w = png_get_error_ptr(png);
  snprintf(w->message, sizeof w->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  weft_log(WEFT_LOG_WARNING, "libpng: %s", message);
}

/* False when libpng gave up. Nothing in here changes after setjmp but through pointers. */
static bool write_rows(png_structp png, png_infop info, const weft_image *image, FILE *file) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_init_io(png, file);
  png_set_user_limits(png, WEFT_MAX_PICTURE_SIDE, WEFT_MAX_PICTURE_SIDE);
  png_set_IHDR(png, info, image->width, image->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  /* Differences along a row, packed quickly: a tenth larger than with the best of libpng's filters
   * and zlib's best level, in a tenth of the time. */
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_set_compression_level(png, 6);
  png_write_info(png, info);
  for (uint32_t y = 0; y < image->height; ++y) {
    png_write_row(png, image->pixels + (size_t)3 * image->width * y);
  }
  png_write_end(png, info);
  return true;
}

weft_result weft_image_write_png(const weft_image *image, const char *path, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result) return result;
  writer w = {"out of memory"};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  bool written = info && write_rows(png, info, image, weft_output_file(out));
  png_destroy_write_struct(png ? &png : NULL, info ? &info : NULL);
  if (written) return weft_output_close(out, err);
  weft_output_abandon(out);
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: %s", path, w.message);
}

weft_result weft_texture_read_png(const char *path, weft_texture *texture, weft_error *err) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  *texture = (weft_texture){0};
  FILE *file = fopen(path, "rb");
  if (!file) return weft_fail(err, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
  bool read = png_image_begin_read_from_stdio(&image, file) != 0;
  if (read && (image.width > WEFT_MAX_PICTURE_SIDE || image.height > WEFT_MAX_PICTURE_SIDE)) {
    snprintf(image.message, sizeof image.message, "%u x %u pixels, at most %d on a side",
             image.width, image.height, WEFT_MAX_PICTURE_SIDE);
    read = false;
  }
  if (read) {
    image.format = PNG_FORMAT_RGBA;
    *texture = (weft_texture){image.width, image.height,
                              weft_alloc((size_t)image.width * image.height, 4)};
    read = png_image_finish_read(&image, NULL, texture->pixels, 0, NULL) != 0;
  }
  fclose(file);
  if (read) return WEFT_OK;
  weft_free(texture->pixels);
  *texture = (weft_texture){0};
  weft_fail(err, WEFT_ERROR_FORMAT, "%s: cannot be read as PNG: %s", path, image.message);
  png_image_free(&image);
  return WEFT_ERROR_FORMAT;
}
