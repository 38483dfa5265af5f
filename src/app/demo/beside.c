/* beside.c: the second solver, and both pictures with their captions. */
#include "beside.h"

#include <string.h>
#include <weft/change.h>

#include "session.h"

/* ---- where ---- */

weft_demo_view weft_demo_view_of(const weft_demo_session *s, int width, int height) {
  const weft_pair *pair = &s->beside.pair;
  if (!s->beside.solver) return (weft_demo_view){0, width, height};
  int left = s->beside.pointed ? 0 : (int)pair->right;
  return (weft_demo_view){left, (int)pair->half, (int)pair->above};
}

void weft_demo_beside_point(weft_demo_session *s, double x) {
  s->beside.pointed = s->beside.solver && x < s->beside.pair.right;
}

weft_solver *weft_demo_beside_pointed(const weft_demo_session *s) {
  return s->beside.pointed ? s->beside.solver : s->solver;
}

/* ---- the solver ---- */

weft_result weft_demo_beside_make(const weft_demo_session *s, const weft_params *params,
                                  weft_solver **solver, weft_error *err) {
  *solver = NULL;
  if (s->scene.beside == WEFT_BESIDE_NOTHING) return WEFT_OK;
  weft_params plain = *params;
  weft_params_plain(&plain);
  return weft_demo_session_make(s, &plain, s->beside.solver, solver, err);
}

weft_result weft_demo_beside_retune(weft_demo_session *s, const weft_params *params,
                                    weft_error *err) {
  if (!s->beside.solver) return WEFT_OK;
  weft_params plain = *params;
  weft_params_plain(&plain);
  return weft_solver_set_params(s->beside.solver, &plain, err);
}

weft_result weft_demo_beside_pin(weft_demo_session *s, uint32_t particle, bool pinned,
                                 weft_error *err) {
  if (!s->beside.solver) return WEFT_OK;
  return weft_solver_set_pins(s->beside.solver, &particle, 1, pinned, err);
}

static void delete_targets(weft_demo_beside *b) {
  glDeleteFramebuffers(1, &b->halves_to);
  glDeleteTextures(1, &b->halves);
  glDeleteFramebuffers(1, &b->strip_to);
  glDeleteTextures(1, &b->strip);
}

void weft_demo_beside_close(weft_demo_session *s) {
  weft_demo_beside *b = &s->beside;
  if (b->halves) delete_targets(b);
  if (b->timer_made) weft_gl_timer_destroy(&b->timer);
  weft_solver_destroy(b->solver);
  *b = (weft_demo_beside){0};
}

/* A timer that the GPU has not come to yet is waited for by nobody: those frames go untimed. */
static void collect(weft_demo_beside *b) {
  if (b->pending == 0 || !weft_gl_timer_ready(&b->timer)) return;
  b->seconds += weft_gl_timer_seconds(&b->timer);
  b->frames += b->pending;
  b->pending = 0;
}

static weft_result run(weft_demo_session *s, uint64_t end, weft_error *err) {
  weft_solver *solver = s->beside.solver;
  weft_result result = WEFT_OK;
  while (weft_solver_frame(solver) < end && result == WEFT_OK) {
    const weft_demo_input *input = weft_demo_replay_input(&s->replay, weft_solver_frame(solver));
    result = weft_demo_input_give(input, &s->scene, solver, err);
    if (result == WEFT_OK) result = weft_scene_step(&s->scene, solver, err);
  }
  return result;
}

weft_result weft_demo_beside_follow(weft_demo_session *s, weft_error *err) {
  weft_demo_beside *b = &s->beside;
  uint64_t end = weft_solver_frame(s->solver);
  uint32_t ahead = b->solver ? (uint32_t)(end - weft_solver_frame(b->solver)) : 0;
  if (ahead == 0) return WEFT_OK;
  bool by_clock = strcmp(weft_backend_name(s->backend), "gl") != 0;
  double began = weft_clock_seconds();
  if (!b->timer_made) weft_gl_timer_create(&b->timer);
  b->timer_made = true;
  collect(b);
  bool timing = !by_clock && b->pending == 0;
  if (timing) weft_gl_timer_begin(&b->timer);
  weft_result result = run(s, end, err);
  if (timing) {
    weft_gl_timer_end(&b->timer);
    b->pending = ahead;
  }
  if (!by_clock) return result;
  weft_solver_finish(b->solver);
  b->seconds += weft_clock_seconds() - began;
  b->frames += ahead;
  return result;
}

/* ---- words ---- */

static void write_strip(weft_demo_beside *b) {
  weft_image strip = weft_pair_captions(&b->pair, b->captions);
  glBindTexture(GL_TEXTURE_2D, b->strip);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)strip.width, (GLsizei)strip.height, GL_RGB,
                  GL_UNSIGNED_BYTE, strip.pixels);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glBindTexture(GL_TEXTURE_2D, 0);
  weft_free(strip.pixels);
}

weft_result weft_demo_beside_measure(weft_demo_session *s, const weft_metrics *own, double own_ms,
                                     weft_error *err) {
  weft_demo_beside *b = &s->beside;
  weft_metrics plain;
  if (!b->solver) return WEFT_OK;
  weft_result result = weft_solver_metrics(b->solver, &plain, err);
  if (result != WEFT_OK) return result;
  if (b->frames > 0) b->ms = 1e3 * b->seconds / (double)b->frames;
  b->frames = 0;
  b->seconds = 0;
  weft_caption_write("plain sweep", weft_solver_params(b->solver), &plain, b->ms, &b->captions[0]);
  weft_caption_write("weft", weft_solver_params(s->solver), own, own_ms, &b->captions[1]);
  write_strip(b);
  return WEFT_OK;
}

/* ---- pictures ---- */

void weft_demo_beside_halve(weft_demo_session *s, uint32_t *width, uint32_t *height) {
  if (!s->beside.solver) return;
  s->beside.pair = weft_pair_of(*width, *height);
  *width = s->beside.pair.half;
  *height = s->beside.pair.above;
}

static void make_target(const char *label, uint32_t width, uint32_t height, GLuint *texture,
                        GLuint *to) {
  glGenTextures(1, texture);
  glBindTexture(GL_TEXTURE_2D, *texture);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, (GLsizei)width, (GLsizei)(height ? height : 1));
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenFramebuffers(1, to);
  glBindFramebuffer(GL_FRAMEBUFFER, *to);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
  glObjectLabel(GL_FRAMEBUFFER, *to, -1, label);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void weft_demo_beside_resize(weft_demo_session *s) {
  weft_demo_beside *b = &s->beside;
  if (!b->solver) return;
  if (b->halves) delete_targets(b);
  make_target("demo halves", 2 * s->drawn_width, s->drawn_height, &b->halves, &b->halves_to);
  make_target("demo captions", b->pair.width, b->pair.height - b->pair.above, &b->strip,
              &b->strip_to);
  write_strip(b);
}

weft_result weft_demo_beside_compose(weft_demo_session *s, weft_error *err) {
  weft_demo_beside *b = &s->beside;
  if (!b->solver) return WEFT_OK;
  b->picture = s->picture;
  b->picture.solver = b->solver;
  b->picture.origin = weft_v3d_round(weft_solver_origin(b->solver));
  if (weft_solver_gl_view(b->solver, WEFT_BUFFER_X, &b->picture.positions)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_GL, "the solver's positions are not in a GL buffer");
}

static weft_result draw_half(weft_demo_session *s, const weft_picture *picture, GLint left,
                             weft_error *err) {
  GLint width = (GLint)s->drawn_width, height = (GLint)s->drawn_height;
  weft_result result = weft_renderer_draw(s->renderer, picture, err);
  if (result != WEFT_OK) return result;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, weft_renderer_framebuffer(s->renderer));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->beside.halves_to);
  glBlitFramebuffer(0, 0, width, height, left, 0, left + width, height, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return WEFT_OK;
}

weft_result weft_demo_beside_draw(weft_demo_session *s, weft_error *err) {
  weft_result result = draw_half(s, &s->beside.picture, 0, err);
  return result == WEFT_OK ? draw_half(s, &s->picture, (GLint)s->drawn_width, err) : result;
}

void weft_demo_beside_show(const weft_demo_session *s, int from) {
  const weft_demo_beside *b = &s->beside;
  GLint half = (GLint)b->pair.half, right = from + (GLint)b->pair.right;
  GLint width = (GLint)b->pair.width;
  GLint drawn = (GLint)s->drawn_width, high = (GLint)s->drawn_height;
  GLint top = (GLint)b->pair.height, strip = top - (GLint)b->pair.above;
  GLenum filter = drawn == half ? GL_NEAREST : GL_LINEAR;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glClearColor(1, 1, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, b->halves_to);
  glBlitFramebuffer(0, 0, drawn, high, from, strip, from + half, top, GL_COLOR_BUFFER_BIT, filter);
  glBlitFramebuffer(drawn, 0, 2 * drawn, high, right, strip, right + half, top, GL_COLOR_BUFFER_BIT,
                    filter);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, b->strip_to); /* its first row is the upper one */
  glBlitFramebuffer(0, 0, width, strip, from, strip, from + width, 0, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}
