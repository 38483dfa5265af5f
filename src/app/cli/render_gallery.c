/* render_gallery.c: every scene at its still frame, alone, and half as large on one sheet with its
 * name. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "interrupt.h"
#include "outputs.h"
#include "render_job.h"
#include "text.h"

enum { COLUMNS = 4, GAP = 12, CAPTION_SCALE = 2, CAPTION = 28, MAX_SCENES = 64 };

typedef struct gallery {
  const weft_cli_options *options;
  render_options own; /* with a gallery's defaults */
  weft_image pictures[MAX_SCENES];
  uint32_t count;
  bool output_failed;
} gallery;

static weft_result write(gallery *g, const weft_image *image, const char *name, weft_error *err) {
  char path[WEFT_LONGEST_PATH];
  snprintf(path, sizeof path, "%.3900s/%s.png", g->own.gallery, name);
  weft_result result = weft_image_write_png(image, path, err);
  g->output_failed = result != WEFT_OK;
  if (result == WEFT_OK) {
    weft_progress_end();
    printf("%s: %u x %u pixels\n", path, image->width, image->height);
    fflush(stdout);
  }
  return result;
}

/* The picture stays for the sheet. */
static weft_result draw_scene(gallery *g, const weft_scene *scene, weft_error *err) {
  weft_cli_options options = *g->options;
  options.setup.scene = scene->name;
  if (!options.setup.size_given) options.setup.size = scene->picture_size;
  if (!(scene->uses & WEFT_SCENE_CLOTH)) {
    options.setup.max_strain = 0;
    options.beside_given = false;
  }
  render_job job;
  weft_result result = weft_render_job_open(&options, &g->own, &job, err);
  if (result == WEFT_OK) result = weft_render_job_advance(&job, job.plan.last, err);
  if (result == WEFT_OK && !job.cut) result = weft_render_job_draw(&job, err);
  if (result == WEFT_OK && !job.cut) {
    result = write(g, &job.image, scene->name, err);
    g->pictures[g->count++] = job.image;
    job.image = (weft_image){0};
  }
  weft_render_job_close(&job);
  return result;
}

/* ---- the sheet ---- */

/* Half as large: four pixels become their mean, rounded. */
static void paste(const weft_image *from, weft_image *to, uint32_t x, uint32_t y) {
  size_t pitch = (size_t)3 * from->width;
  for (uint32_t row = 0; row < from->height / 2; ++row) {
    uint8_t *out = to->pixels + 3 * ((size_t)(y + row) * to->width + x);
    const uint8_t *in = from->pixels + 2 * row * pitch;
    for (uint32_t k = 0; k < from->width / 2 * 3; ++k) {
      size_t at = 6 * (size_t)(k / 3) + k % 3;
      out[k] = (uint8_t)((in[at] + in[at + 3] + in[at + pitch] + in[at + pitch + 3] + 2) / 4);
    }
  }
}

static void caption(weft_image *sheet, uint32_t x, uint32_t y, uint32_t width, const char *text) {
  static const uint8_t ink[3] = {52, 52, 58};
  uint32_t wide = weft_text_width(text, CAPTION_SCALE);
  int32_t left = (int32_t)x + ((int32_t)width - (int32_t)wide) / 2;
  weft_text_draw(sheet, left, (int32_t)y + 7, CAPTION_SCALE, text, ink);
}

static weft_result write_sheet(gallery *g, weft_error *err) {
  uint32_t width = g->own.width / 2, height = g->own.height / 2;
  uint32_t columns = g->count < COLUMNS ? g->count : COLUMNS;
  uint32_t rows = (g->count + columns - 1) / columns;
  weft_image sheet = {.width = GAP + columns * (width + GAP),
                      .height = GAP + rows * (height + CAPTION)};
  sheet.pixels = weft_alloc((size_t)sheet.width * sheet.height, 3);
  memset(sheet.pixels, 250, (size_t)3 * sheet.width * sheet.height);
  for (uint32_t k = 0; k < g->count; ++k) {
    uint32_t x = GAP + k % columns * (width + GAP), y = GAP + k / columns * (height + CAPTION);
    paste(&g->pictures[k], &sheet, x, y);
    caption(&sheet, x, y + height, width, weft_scene_at(k)->name);
  }
  weft_result result = write(g, &sheet, "gallery", err);
  weft_free(sheet.pixels);
  return result;
}

static weft_result make_folder(const char *path, weft_error *err) {
  struct stat info;
  if (mkdir(path, 0777) == 0) return WEFT_OK;
  bool there = errno == EEXIST && stat(path, &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot make the folder: %s", path,
                   there ? "a file has its name" : strerror(errno));
}

static weft_result check_picture(const gallery *g, const char *name, weft_error *err) {
  char path[WEFT_LONGEST_PATH];
  snprintf(path, sizeof path, "%.3900s/%s.png", g->own.gallery, name);
  return weft_cli_output_check(g->options, path, err);
}

static weft_result check_pictures(const gallery *g, weft_error *err) {
  weft_result result = check_picture(g, "gallery", err);
  for (uint32_t k = 0; weft_scene_at(k) && result == WEFT_OK; ++k) {
    result = check_picture(g, weft_scene_at(k)->name, err);
  }
  return result;
}

static int finish(gallery *g, weft_result result, const weft_error *err) {
  for (uint32_t k = 0; k < g->count; ++k) weft_free(g->pictures[k].pixels);
  if (result != WEFT_OK) return g->output_failed ? weft_cli_fail_output(err) : weft_cli_fail(err);
  if (!weft_interrupted()) return WEFT_EXIT_OK;
  char what[100];
  snprintf(what, sizeof what, "after %u scene%s; there is no sheet of them", g->count,
           weft_plural(g->count));
  return weft_interrupt_tell(what);
}

int weft_render_gallery(const weft_cli_options *options, const render_options *own) {
  gallery g = {.options = options, .own = *own};
  if (!g.own.width) g.own.width = own->draft ? 400 : 800;
  if (!g.own.height) g.own.height = own->draft ? 225 : 450;
  weft_error err = {0};
  weft_result result = make_folder(own->gallery, &err);
  if (result == WEFT_OK) result = check_pictures(&g, &err);
  g.output_failed = result != WEFT_OK;
  weft_interrupt_open(weft_render_advice); /* scenes that are drawn stay */
  for (uint32_t k = 0; weft_scene_at(k) && k < MAX_SCENES && result == WEFT_OK; ++k) {
    if (weft_interrupted()) break;
    result = draw_scene(&g, weft_scene_at(k), &err);
  }
  if (result == WEFT_OK && !weft_interrupted()) result = write_sheet(&g, &err);
  return finish(&g, result, &err);
}
