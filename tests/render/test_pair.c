/* Two pictures side by side: where they go, and what stands under them. */
#include <string.h>

#include "pair.h"
#include "render_test.h"

static void everything_has_room(void **state) {
  (void)state;
  static const uint32_t sizes[][2] = {{1280, 800}, {1281, 720}, {640, 360}, {302, 200},
                                      {62, 40},    {3, 900},    {1920, 30}, {16, 1}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    weft_pair p = weft_pair_of(sizes[k][0], sizes[k][1]);
    assert_true(p.half >= 1 && p.above >= 1);
    assert_true(2 * p.half <= p.width && p.right == p.width - p.half);
    assert_true(p.right - p.half <= 3);
    assert_true(p.height - p.above <= p.height / 3);
  }
  assert_int_equal(weft_pair_of(1280, 800).scale, 2);
  assert_int_equal(weft_pair_of(1920, 30).scale, 0); /* no room for words */
  assert_int_equal(weft_pair_of(1920, 30).above, 30);
}

static weft_image filled(uint32_t width, uint32_t height, uint8_t value) {
  weft_image image = {width, height, weft_alloc((size_t)3 * width, height)};
  memset(image.pixels, value, (size_t)3 * width * height);
  return image;
}

/* Pixels darker than paper in a part of the strip. */
static uint32_t ink(const weft_image *image, const weft_pair *p, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t y = p->above; y < image->height; ++y) {
    for (uint32_t x = from; x < to; ++x) count += image->pixels[3 * (y * image->width + x)] < 200;
  }
  return count;
}

static void pictures_and_words_are_in_their_places(void **state) {
  (void)state;
  weft_pair p = weft_pair_of(1202, 600);
  weft_image pictures[2] = {filled(p.half, p.above, 10), filled(p.half, p.above, 90)};
  weft_caption captions[2] = {{{"left: 3 %", "a"}}, {{"", ""}}};
  weft_image all = weft_pair_join(&p, pictures, captions);
  assert_int_equal(all.width, 1202);
  assert_int_equal(all.height, 600);
  for (uint32_t y = 0; y < p.above; ++y) {
    for (uint32_t x = 0; x < all.width; ++x) {
      uint8_t wanted = x < p.half ? 10 : x < p.right ? 250 : 90;
      assert_int_equal(all.pixels[3 * (y * all.width + x)], wanted);
    }
  }
  assert_true(ink(&all, &p, 0, p.half) > 40);
  assert_int_equal(ink(&all, &p, p.half, all.width), 0);
  weft_free(all.pixels);
  strcpy(captions[1].lines[0], captions[0].lines[0]);
  strcpy(captions[1].lines[1], captions[0].lines[1]);
  all = weft_pair_join(&p, pictures, captions);
  assert_int_equal(ink(&all, &p, 0, p.half), ink(&all, &p, p.right, all.width));
  /* Too long: cut off at the half's end, and in smaller letters on both sides. */
  memset(captions[0].lines[0], 'x', WEFT_CAPTION_SIZE - 1);
  captions[0].lines[0][WEFT_CAPTION_SIZE - 1] = 0;
  uint32_t before = ink(&all, &p, p.right, all.width);
  weft_free(all.pixels);
  all = weft_pair_join(&p, pictures, captions);
  assert_true(ink(&all, &p, p.right, all.width) < before);
  weft_free(all.pixels);
  weft_free(pictures[0].pixels);
  weft_free(pictures[1].pixels);
}

static void a_caption_says_what_runs(void **state) {
  (void)state;
  weft_caption c;
  weft_metrics m = {.strain_threads_p99 = 0.0123};
  weft_params p = {.substeps = 12, .iterations = 2, .line_sweeps = 1, .lra = 1};
  weft_caption_write("weft", &p, &m, 7.25, &c);
  assert_string_equal(c.lines[0], "weft: strain 1.2 % (p99), 7.2 ms");
  assert_string_equal(c.lines[1], "12 substeps, 2 iterations, 1 line sweep, 1 attachment");
  p = (weft_params){.substeps = 1, .iterations = 1, .multilevel = WEFT_ALL_LEVELS};
  m.strain_threads_p99 = 25.3;
  weft_caption_write("plain sweep", &p, &m, 0, &c);
  assert_string_equal(c.lines[0], "plain sweep: strain 2530 % (p99)");
  assert_string_equal(c.lines[1], "1 substep, all levels");
  m.nonfinite = 3;
  weft_caption_write("plain sweep", &p, &m, 4, &c);
  assert_string_equal(c.lines[0], "plain sweep: infinite or NaN");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_has_room),
      cmocka_unit_test(pictures_and_words_are_in_their_places),
      cmocka_unit_test(a_caption_says_what_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
