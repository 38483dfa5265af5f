/* prompt.c: lines of weft's own letters, in a texture that is copied into the window. */
#include "prompt.h"

#include <string.h>

#include "base.h"
#include "text.h"

enum { SCALE = 2, MARGIN = 8, MAX_LINES = 12 };

static void write_text(const weft_demo_ui *ui, char *text, size_t size) {
  *text = 0;
  if (ui->file) {
    snprintf(text, size, "%.200s: %s. c: as cloth, b: as a body, escape: not at all", ui->file,
             ui->facts);
  } else {
    snprintf(text, size, "%s", *ui->message ? ui->message : ui->notice);
  }
}

/* Cuts at spaces, in place; returns the number of lines. */
static int break_lines(char *text, int columns, char *lines[MAX_LINES]) {
  int count = 0;
  while (*text && count < MAX_LINES) {
    lines[count++] = text;
    int length = (int)strlen(text), cut = length;
    if (length > columns) {
      for (cut = columns; cut > 0 && text[cut] != ' ';) --cut;
      if (cut == 0) cut = columns;
    }
    text += cut;
    if (*text) *text++ = 0;
  }
  return count;
}

static void upload(weft_demo_prompt *sign, const weft_image *image) {
  sign->width = (int)image->width;
  sign->height = (int)image->height;
  glGenTextures(1, &sign->texture);
  glBindTexture(GL_TEXTURE_2D, sign->texture);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, sign->width, sign->height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, sign->width, sign->height, GL_RGB, GL_UNSIGNED_BYTE,
                  image->pixels);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenFramebuffers(1, &sign->from);
  glBindFramebuffer(GL_FRAMEBUFFER, sign->from);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, sign->texture, 0);
  glObjectLabel(GL_FRAMEBUFFER, sign->from, -1, "demo sign");
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void make(weft_demo_prompt *sign) {
  static const uint8_t white[3] = {255, 255, 255};
  char text[sizeof sign->text], *lines[MAX_LINES];
  memcpy(text, sign->text, sizeof text);
  int columns = (sign->room - 4 * MARGIN) / (SCALE * WEFT_TEXT_ADVANCE);
  int count = break_lines(text, columns > 8 ? columns : 8, lines);
  uint32_t wide = 0, high = (uint32_t)(SCALE * WEFT_TEXT_LINE * count + 2 * MARGIN);
  for (int k = 0; k < count; ++k) {
    uint32_t line = weft_text_width(lines[k], SCALE);
    if (line > wide) wide = line;
  }
  weft_image image = {.width = wide + 2 * MARGIN, .height = high};
  image.pixels = weft_alloc(3 * (size_t)image.width, image.height);
  memset(image.pixels, 28, 3 * (size_t)image.width * image.height);
  for (int k = 0; k < count; ++k) {
    weft_text_draw(&image, MARGIN, MARGIN + k * SCALE * WEFT_TEXT_LINE, SCALE, lines[k], white);
  }
  upload(sign, &image);
  weft_free(image.pixels);
}

void weft_demo_prompt_close(weft_demo_prompt *sign) {
  if (sign->texture) {
    glDeleteFramebuffers(1, &sign->from);
    glDeleteTextures(1, &sign->texture);
  }
  *sign = (weft_demo_prompt){0};
}

void weft_demo_prompt_draw(weft_demo_prompt *sign, const weft_demo_ui *ui, int width, int height) {
  char text[sizeof sign->text];
  write_text(ui, text, sizeof text);
  if (strcmp(text, sign->text) != 0 || width != sign->room) {
    weft_demo_prompt_close(sign);
    memcpy(sign->text, text, sizeof text);
    sign->room = width;
    if (*text) make(sign);
  }
  if (!sign->texture) return;
  GLint left = (width - sign->width) / 2,
        top = height - MARGIN; /* its first row is the upper one */
  glBindFramebuffer(GL_READ_FRAMEBUFFER, sign->from);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, sign->width, sign->height, left, top, left + sign->width,
                    top - sign->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
