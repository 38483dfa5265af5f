/* legend.c: what the colours of a view mean, drawn into the picture: a title, a bar with numbers or
 * swatches with words. Everything is a list of rectangles; the numbers under a bar are filled in on
 * the GPU, where the range is computed. */
#include <string.h>

#include "render_internal.h"
#include "text.h"

enum { LINE = WEFT_GLYPH_ROWS + 3, MARGIN = 6, LETTERS = '~' - ' ' + 1 };
enum { SWATCH = 9, CELL = 24, CELLS_A_ROW = 8 };

/* Where the next mark goes; past the last, marks are left out. */
typedef struct pen {
  weft_render_mark *marks;
  uint32_t count;
  float width, y; /* of what has been written */
} pen;

static void put(pen *p, float x, float y, float w, float h, uint32_t kind, uint32_t value) {
  if (p->count == WEFT_LEGEND_MARKS) return;
  p->marks[p->count++] = (weft_render_mark){{x, y, w, h}, {kind, value, 0, 0}};
  if (x + w > p->width) p->width = x + w;
}

static void text(pen *p, float x, float y, const char *words) {
  for (; *words; ++words, x += WEFT_TEXT_ADVANCE) {
    if (*words == ' ') continue;
    put(p, x, y, WEFT_GLYPH_COLUMNS, WEFT_GLYPH_ROWS, WEFT_MARK_GLYPH, (uint32_t)(*words - ' '));
  }
}

static void lines(pen *p, const char *words) {
  while (*words) {
    char line[64];
    size_t length = strcspn(words, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, words);
    text(p, MARGIN, p->y, line);
    p->y += LINE;
    words += length + (words[length] == '\n');
  }
}

static void swatch_line(pen *p, uint32_t rgb, const char *words) {
  put(p, MARGIN, p->y - 1, SWATCH, SWATCH, WEFT_MARK_FLAT, rgb);
  text(p, MARGIN + SWATCH + 5, p->y, words);
  p->y += LINE;
}

/* ---- the modes ---- */

static void bar(pen *p, weft_render_legend *legend, const weft_view_style *style) {
  const float left = MARGIN + 8, wide = 160, high = 10;
  put(p, left, p->y, wide, high, WEFT_MARK_BAR, 0);
  for (uint32_t k = 0; k < WEFT_LEGEND_LABELS; ++k) {
    float x = left + wide * (float)k / (WEFT_LEGEND_LABELS - 1);
    put(p, x - 0.5f, p->y + high, 1, 3, WEFT_MARK_FLAT, 0xf5f5f5);
  }
  p->y += high + 5;
  legend->label_first = p->count;
  legend->labels[0] = left;
  legend->labels[1] = p->y;
  legend->labels[2] = wide;
  legend->labels[3] = left + wide + MARGIN + 8;
  for (uint32_t k = 0; k < WEFT_LEGEND_LABELS * WEFT_LEGEND_LABEL_SIZE; ++k) {
    put(p, 0, 0, 0, 0, WEFT_MARK_NONE, 0);
  }
  if (legend->labels[3] - MARGIN > p->width) p->width = legend->labels[3] - MARGIN;
  p->y += LINE;
  if (style->note) lines(p, style->note);
}

static void contact_swatches(pen *p, const weft_solver *solver) {
  bool pairs = weft_contact_active(weft_solver_model(solver), weft_solver_params(solver));
  bool bodies = weft_solver_params(solver)->body_count > 0;
  swatch_line(p, WEFT_RGB_COLLIDER, bodies ? "touches a body or collider" : "touches a collider");
  if (pairs) swatch_line(p, WEFT_RGB_PARTICLE, "touches a particle");
  if (pairs) swatch_line(p, WEFT_RGB_BOTH, "touches both");
  swatch_line(p, WEFT_RGB_PLAIN, "touches nothing");
}

static void gap_lines(pen *p, weft_render_legend *legend, const weft_solver *solver) {
  const weft_view_style *style = weft_view_style_of(WEFT_VIEW_GAPS);
  bar(p, legend, style);
  if (!weft_self_active(weft_solver_model(solver), weft_solver_params(solver))) {
    lines(p, "Self-collision is off");
    return;
  }
  swatch_line(p, WEFT_RGB_CUT, "motion cut short");
  swatch_line(p, WEFT_RGB_PLAIN, "no gap below 1");
}

static void tangled_swatches(pen *p, const weft_solver *solver) {
  if (!weft_self_active(weft_solver_model(solver), weft_solver_params(solver))) {
    lines(p, "Self-collision is off");
    return;
  }
  swatch_line(p, WEFT_RGB_CUT, "not kept apart");
  swatch_line(p, WEFT_RGB_PLAIN, "kept apart");
}

static void normal_swatches(pen *p) {
  static const struct {
    uint32_t rgb;
    const char *words;
  } rows[] = {{0xff8080, "+x"}, {0x80ff80, "+y"}, {0x8080ff, "+z"},
              {0x008080, "-x"}, {0x800080, "-y"}, {0x808000, "-z"}};
  for (int k = 0; k < 6; ++k) {
    float x = MARGIN + 44.0f * (float)(k % 3);
    put(p, x, p->y - 1, 2 * SWATCH, SWATCH, WEFT_MARK_FLAT, rows[k].rgb);
    text(p, x + 2 * SWATCH + 4, p->y, rows[k].words);
    if (k % 3 == 2) p->y += LINE;
  }
}

static void batch_swatches(pen *p, const weft_render_segments *s, const weft_picture *picture) {
  uint32_t in_row = 0;
  for (uint32_t k = 0; k < s->batch_count; ++k) {
    const weft_render_batch *batch = &s->batches[k];
    char words[96];
    if (!weft_segments_shown(s, picture, k)) continue;
    if (picture->one_batch) {
      snprintf(words, sizeof words, "batch %u of 0 - %u: %s, %u constraints", k, s->batch_count - 1,
               batch->group, batch->constraints);
      swatch_line(p, batch->rgb, words);
      continue;
    }
    if (batch->colour == 0 || in_row == CELLS_A_ROW) {
      if (in_row > 0) p->y += LINE;
      if (batch->colour == 0) lines(p, batch->group);
      in_row = 0;
    }
    float x = MARGIN + 6 + (float)(CELL + 8) * (float)in_row++;
    snprintf(words, sizeof words, "%u", k);
    put(p, x, p->y - 1, SWATCH, SWATCH, WEFT_MARK_FLAT, batch->rgb);
    text(p, x + SWATCH + 3, p->y, words);
  }
  if (in_row > 0) p->y += LINE;
  if (s->batch_count == 0) lines(p, "There are no constraints");
}

/* Solid beside clear. */
static void ghost_lines(pen *p, const weft_picture *picture) {
  double mm = 1000 * picture->ghost_distance;
  char words[64];
  lines(p, "Solid: weft");
  lines(p, "Transparent: theory");
  if (!(mm >= 0)) return;
  snprintf(words, sizeof words, "Deviation: %.*f mm", mm < 10 ? 3 : mm < 100 ? 2 : 0, mm);
  lines(p, words);
}

bool weft_legend_wanted(const weft_picture *picture) {
  return weft_view_style_of(picture->mode) != NULL || picture->ghost != NULL;
}

static void compose_view(pen *p, weft_render_legend *legend, const weft_picture *picture,
                         const weft_render_segments *segments) {
  const weft_view_style *style = weft_view_style_of(picture->mode);
  bool bare = picture->solver && weft_solver_model(picture->solver)->triangle_count == 0;
  lines(p, bare && picture->mode == WEFT_VIEW_BENDING ? "Bending energy (mJ)" : style->title);
  p->y += 1;
  if (picture->solver && !weft_view_measures(weft_solver_model(picture->solver), picture->mode)) {
    lines(p, picture->mode != WEFT_VIEW_BENDING && picture->mode != WEFT_VIEW_BEND_ANGLE
                 ? "There are no edges or links"
                 : "Nothing resists bending");
  } else if (picture->mode == WEFT_VIEW_GAPS) {
    gap_lines(p, legend, picture->solver);
  } else if (style->has_range) {
    bar(p, legend, style);
  } else if (picture->mode == WEFT_VIEW_CONTACTS) {
    contact_swatches(p, picture->solver);
  } else if (picture->mode == WEFT_VIEW_TANGLED) {
    tangled_swatches(p, picture->solver);
  } else if (picture->mode == WEFT_VIEW_NORMALS) {
    normal_swatches(p);
    lines(p, style->note);
  } else {
    batch_swatches(p, segments, picture);
    lines(p, style->note);
  }
}

static void compose(pen *p, weft_render_legend *legend, const weft_picture *picture,
                    const weft_render_segments *segments) {
  put(p, 0, 0, 0, 0, WEFT_MARK_PANEL, 0); /* its size comes last */
  if (weft_view_style_of(picture->mode)) compose_view(p, legend, picture, segments);
  if (picture->ghost) ghost_lines(p, picture);
  legend->width = p->width + MARGIN;
  legend->height = p->y + MARGIN - 3;
  p->marks[0].box = (vec4){0, 0, legend->width, legend->height};
  legend->count = p->count;
}

/* ---- life ---- */

static void make_vertex_array(weft_render_legend *l) {
  glGenVertexArrays(1, &l->vertex_array);
  glBindVertexArray(l->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, l->vertex_array, -1, "render legend");
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  glVertexAttribFormat(0, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribIFormat(1, 4, GL_UNSIGNED_INT, offsetof(weft_render_mark, what));
  glVertexAttribBinding(0, 0);
  glVertexAttribBinding(1, 0);
  glVertexBindingDivisor(0, 1);
  glBindVertexBuffer(0, l->marks.name, 0, sizeof(weft_render_mark));
  glBindVertexArray(0);
}

static void make_font(weft_render_legend *l) {
  uint32_t width = LETTERS * WEFT_GLYPH_COLUMNS;
  uint8_t *dots = weft_alloc(width, WEFT_GLYPH_ROWS);
  for (uint32_t y = 0; y < WEFT_GLYPH_ROWS; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const uint8_t *rows = weft_glyph((char)(' ' + x / WEFT_GLYPH_COLUMNS));
      dots[y * width + x] = (rows[y] & (0x10 >> x % WEFT_GLYPH_COLUMNS)) != 0;
    }
  }
  glGenTextures(1, &l->font);
  glBindTexture(GL_TEXTURE_2D, l->font);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_R8UI, (GLsizei)width, WEFT_GLYPH_ROWS);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)width, WEFT_GLYPH_ROWS, GL_RED_INTEGER,
                  GL_UNSIGNED_BYTE, dots);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glObjectLabel(GL_TEXTURE, l->font, -1, "render font");
  glBindTexture(GL_TEXTURE_2D, 0);
  weft_free(dots);
}

static weft_result make(weft_gl *gl, weft_render_legend *l, weft_error *err) {
  weft_result result = weft_gl_render_program(gl, "render/legend.vert", "render/legend.frag", NULL,
                                              &l->program, err);
  if (!result) {
    result =
        weft_gl_buffer_create(gl, "render legend", WEFT_LEGEND_MARKS * sizeof(weft_render_mark), 0,
                              GL_DYNAMIC_DRAW, NULL, &l->marks, err);
  }
  if (result) return result;
  make_font(l);
  make_vertex_array(l);
  return WEFT_OK;
}

weft_result weft_legend_update(weft_gl *gl, weft_render_legend *l, const weft_picture *picture,
                               const weft_render_segments *segments, weft_error *err) {
  weft_result result = l->program ? WEFT_OK : make(gl, l, err);
  if (result) return result;
  weft_render_mark *marks = weft_alloc(WEFT_LEGEND_MARKS, sizeof *marks);
  pen p = {.marks = marks, .y = MARGIN};
  compose(&p, l, picture, segments);
  weft_gl_buffer_write(&l->marks, 0, l->count * sizeof *marks, marks);
  weft_free(marks);
  return WEFT_OK;
}

void weft_legend_destroy(weft_render_legend *l) {
  glDeleteVertexArrays(1, &l->vertex_array);
  glDeleteProgram(l->program);
  glDeleteTextures(1, &l->font);
  weft_gl_buffer_destroy(&l->marks);
  *l = (weft_render_legend){0};
}

/* ---- drawing ---- */

/* Pixels per dot of the font: about a 400th of the shorter side, less where it would not fit; 0 for
 * a picture too small for words. */
static float scale_for(const weft_render_legend *l, uint32_t width, uint32_t height) {
  uint32_t side = width < height ? width : height;
  float scale = (float)((side + 120) / 400);
  if (scale < 1) scale = 1;
  while (scale > 0 &&
         (l->width * scale > 0.9f * (float)width || l->height * scale > 0.5f * (float)height)) {
    scale -= 1;
  }
  return scale;
}

void weft_legend_draw(const weft_render_legend *l, uint32_t width, uint32_t height,
                      const weft_render_views *views) {
  float scale = scale_for(l, width, height);
  if (scale <= 0) return;
  glUseProgram(l->program);
  glBindBufferBase(GL_UNIFORM_BUFFER, WEFT_RENDER_RANGE_BINDING, views->range.name);
  glBindTexture(GL_TEXTURE_2D, l->font);
  glBindVertexArray(l->vertex_array);
  glUniform3f(WEFT_RENDER_LOCATION_SCREEN, 8 * scale, (float)height - (l->height + 8) * scale,
              scale);
  glUniform2f(WEFT_RENDER_LOCATION_SIZE, (float)width, (float)height);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDisable(GL_DEPTH_TEST);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)l->count);
  glDisable(GL_BLEND);
}
