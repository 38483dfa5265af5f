/* PNG files through libpng. */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>

#include "base.h"
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
