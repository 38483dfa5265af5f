/* PNG files, colours and fabrics: what needs no GL. */
#define _XOPEN_SOURCE 700
#include "cmocka_all.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"
#include "render.h"
#include "text.h"

static char folder[] = "/tmp/weft-test-render-XXXXXX";

static const char *path_of(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static weft_image noise(uint32_t width, uint32_t height) {
  weft_image image = {width, height, weft_alloc((size_t)width * height, 3)};
  weft_rng rng = weft_rng_seed(7);
  for (size_t i = 0; i < (size_t)3 * width * height; ++i) {
    image.pixels[i] = (uint8_t)weft_rng_u32(&rng);
  }
  return image;
}

static void a_png_reads_back_bit_for_bit(void **state) {
  (void)state;
  const uint32_t sizes[][2] = {{1, 1}, {333, 77}, {4096, 16}, {1, 300}};
  for (int i = 0; i < 4; ++i) {
    weft_image image = noise(sizes[i][0], sizes[i][1]);
    weft_error err = {0};
    assert_int_equal(weft_image_write_png(&image, path_of("a.png"), &err), WEFT_OK);
    png_image read = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&read, path_of("a.png")));
    assert_int_equal(read.width, image.width);
    assert_int_equal(read.height, image.height);
    assert_int_equal(read.format, PNG_FORMAT_RGB);
    uint8_t *pixels = weft_alloc(PNG_IMAGE_SIZE(read), 1);
    assert_true(png_image_finish_read(&read, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, image.pixels, (size_t)3 * image.width * image.height);
    weft_free(pixels);
    weft_free(image.pixels);
  }
}

/* The backdrop of a picture: hardly anything changes from pixel to pixel. */
static void a_smooth_picture_takes_few_bytes(void **state) {
  (void)state;
  weft_image image = {640, 480, weft_alloc((size_t)640 * 480, 3)};
  weft_error err = {0};
  for (uint32_t i = 0; i < 3 * 640 * 480; ++i) {
    uint32_t x = i / 3 % 640, y = i / (3 * 640);
    image.pixels[i] = (uint8_t)((x + 2 * y) / 9 + 20 * (i % 3));
  }
  assert_int_equal(weft_image_write_png(&image, path_of("a.png"), &err), WEFT_OK);
  struct stat info;
  assert_int_equal(stat(path_of("a.png"), &info), 0);
  assert_true(info.st_size < 3 * 640 * 480 / 50);
  weft_free(image.pixels);
}

static void a_png_that_cannot_be_written_is_refused_and_leaves_nothing(void **state) {
  (void)state;
  weft_image image = noise(4, 4);
  weft_error err = {0};
  assert_int_equal(weft_image_write_png(&image, path_of("no/such/folder.png"), &err),
                   WEFT_ERROR_FILE);
  assert_non_null(strstr(err.message, "no/such/folder.png"));
  assert_int_equal(weft_image_write_png(&image, folder, &err), WEFT_ERROR_FILE);
  image.width = 0; /* what libpng refuses takes its other way out */
  assert_int_equal(weft_image_write_png(&image, path_of("b.png"), &err), WEFT_ERROR_FILE);
  assert_int_not_equal(access(path_of("b.png"), F_OK), 0);
  weft_free(image.pixels);
}

static void colours_are_six_digits_or_a_fabric(void **state) {
  (void)state;
  weft_colour c;
  assert_int_equal(weft_colour_parse("#ff0080", &c, NULL), WEFT_OK);
  assert_true(c.r == 1 && c.g == 0);
  assert_true(c.b > 0.2158f && c.b < 0.2159f); /* sRGB 128/255 (IEC 61966-2-1) */
  assert_int_equal(weft_colour_parse("FFFFFF", &c, NULL), WEFT_OK);
  assert_true(c.r == 1 && c.g == 1 && c.b == 1);
  assert_int_equal(weft_colour_parse("denim", &c, NULL), WEFT_OK);
  assert_true(c.b > c.r);
  static const char *const wrong[] = {"",       "#", "#fff", "#ff00800", "ff00g0", "no such cloth",
                                      " ff0000"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    weft_error err = {0};
    assert_int_equal(weft_colour_parse(wrong[i], &c, &err), WEFT_ERROR_ARGUMENT);
    assert_true(strlen(err.message) > 10);
  }
}

static void every_fabric_has_a_look_of_its_own(void **state) {
  (void)state;
  weft_fabric_look neutral = weft_fabric_look_of(NULL);
  const weft_material *material;
  for (uint32_t i = 0; (material = weft_material_at(i)); ++i) {
    weft_fabric_look look = weft_fabric_look_of(material->name);
    assert_true(look.front.r != neutral.front.r);
    assert_true(look.yarn > 0 && look.sheen_roughness > 0 && look.transmission < 1);
  }
}

/* ---- text ---- */

static void every_letter_has_a_glyph_of_its_own(void **state) {
  (void)state;
  for (char a = ' ' + 1; a <= '~'; ++a) {
    const uint8_t *rows = weft_glyph(a);
    uint32_t ink = 0;
    for (int y = 0; y < WEFT_GLYPH_HEIGHT; ++y) ink += rows[y];
    assert_true(ink > 0);
    for (char b = ' '; b < a; ++b) assert_memory_not_equal(rows, weft_glyph(b), WEFT_GLYPH_HEIGHT);
  }
  assert_ptr_equal(weft_glyph('\n'), weft_glyph('?'));
  assert_ptr_equal(weft_glyph((char)0xc3), weft_glyph('?'));
}

static void text_covers_its_width_and_is_cut_off_at_the_edges(void **state) {
  (void)state;
  const uint8_t white[3] = {255, 255, 255};
  weft_image image = {40, 30, weft_alloc((size_t)40 * 30, 3)};
  assert_int_equal(weft_text_width("", 2), 0);
  assert_int_equal(weft_text_width("HH", 2), 22);
  weft_text_draw(&image, 3, 4, 2, "HH", white);
  uint32_t left = 40, right = 0, top = 30, bottom = 0;
  for (uint32_t i = 0; i < 40 * 30; ++i) {
    uint32_t x = i % 40, y = i / 40;
    if (!image.pixels[3 * (size_t)i]) continue;
    left = x < left ? x : left, right = x > right ? x : right;
    top = y < top ? y : top, bottom = y > bottom ? y : bottom;
  }
  assert_true(left == 3 && right == 3 + 22 - 1 && top == 4 && bottom == 4 + 14 - 1);
  static const int32_t corners[] = {INT32_MIN, -7, 0, 25, 39, 40, INT32_MAX};
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      weft_text_draw(&image, corners[i], corners[j], 3, "edge", white); /* for the sanitizers */
    }
  }
  weft_free(image.pixels);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_png_reads_back_bit_for_bit),
      cmocka_unit_test(a_smooth_picture_takes_few_bytes),
      cmocka_unit_test(a_png_that_cannot_be_written_is_refused_and_leaves_nothing),
      cmocka_unit_test(colours_are_six_digits_or_a_fabric),
      cmocka_unit_test(every_fabric_has_a_look_of_its_own),
      cmocka_unit_test(every_letter_has_a_glyph_of_its_own),
      cmocka_unit_test(text_covers_its_width_and_is_cut_off_at_the_edges),
  };
  if (!mkdtemp(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path_of("a.png"));
  if (rmdir(folder)) ++failed; /* something was left behind */
  return failed;
}
