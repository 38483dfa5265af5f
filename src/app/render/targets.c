/* Textures and frame buffers of a renderer. */
#include "render_internal.h"

static GLuint texture(const char *label, GLenum format, uint32_t width, uint32_t height) {
  GLuint name;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexStorage2D(GL_TEXTURE_2D, 1, format, (GLsizei)width, (GLsizei)height);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glObjectLabel(GL_TEXTURE, name, -1, label);
  return name;
}

static GLuint renderbuffer(const char *label, GLenum format, const weft_render_targets *t) {
  GLuint name;
  glGenRenderbuffers(1, &name);
  glBindRenderbuffer(GL_RENDERBUFFER, name);
  GLsizei samples = t->multisamples > 1 ? (GLsizei)t->multisamples : 0;
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, (GLsizei)t->width,
                                   (GLsizei)t->height);
  glObjectLabel(GL_RENDERBUFFER, name, -1, label);
  return name;
}

static GLuint framebuffer(const char *label) {
  GLuint name;
  glGenFramebuffers(1, &name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  glObjectLabel(GL_FRAMEBUFFER, name, -1, label);
  return name;
}

static bool complete(void) {
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool colour_target(const char *label, GLenum format, const weft_render_targets *t,
                          GLuint *fbo, GLuint *colour) {
  *colour = texture(label, format, t->width, t->height);
  *fbo = framebuffer(label);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *colour, 0);
  return complete();
}

/* A layer for each direction, compared by the shaders. */
static GLuint shadow_map(const char *label, uint32_t size, uint32_t layers) {
  GLuint name;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D_ARRAY, name);
  glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_DEPTH_COMPONENT32F, (GLsizei)size, (GLsizei)size,
                 (GLsizei)layers);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glObjectLabel(GL_TEXTURE, name, -1, label);
  glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
  return name;
}

static bool shadow_target(weft_render_targets *t) {
  t->shadow[0] = shadow_map("sun shadow", t->shadow_size[0], 1);
  t->shadow[1] = shadow_map("sky shadows", t->shadow_size[1], t->patches);
  t->shadow_fbo = framebuffer("render shadow");
  weft_targets_shadow(t, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  return complete();
}

/* The light: the sun, and from 1 on patches of sky. */
void weft_targets_shadow(const weft_render_targets *t, uint32_t light) {
  glBindFramebuffer(GL_FRAMEBUFFER, t->shadow_fbo);
  glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, t->shadow[light > 0], 0,
                            light > 0 ? (GLint)light - 1 : 0);
}

static bool floor_target(weft_render_targets *t) {
  t->floor = texture("floor sky", GL_R16F, WEFT_RENDER_FLOOR_SIZE, WEFT_RENDER_FLOOR_SIZE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  t->floor_fbo = framebuffer("floor sky");
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->floor, 0);
  return complete();
}

static bool sample_target(weft_render_targets *t) {
  t->sample_colour = renderbuffer("render sample", GL_RGBA16F, t);
  t->sample_depth = renderbuffer("render depth", GL_DEPTH_COMPONENT32F, t);
  t->sample_fbo = framebuffer("render sample");
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                            t->sample_colour);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->sample_depth);
  return complete();
}

static bool hard_target(weft_render_targets *t) {
  bool made = colour_target("render hard edges", GL_RGBA8, t, &t->hard_fbo, &t->hard);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return made;
}

/* The most samples the driver has for both formats, at most what was asked for. */
static uint32_t allowed_multisamples(uint32_t wanted) {
  GLint max = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &max);
  while (wanted > 1 && wanted > (uint32_t)max) wanted /= 2;
  return wanted;
}

weft_result weft_targets_create(weft_render_targets *t, weft_error *err) {
  t->multisamples = allowed_multisamples(t->multisamples);
  bool made = sample_target(t) &&
              colour_target("render resolved", GL_RGBA16F, t, &t->resolved_fbo, &t->resolved) &&
              colour_target("render sum", GL_RGBA32F, t, &t->sum_fbo, &t->sum) &&
              colour_target("render final", GL_RGBA8, t, &t->final_fbo, &t->final) &&
              (!t->soft_edges || hard_target(t)) && shadow_target(t) &&
              (!t->quick || floor_target(t));
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  weft_result result = weft_gl_check("making the picture's frame buffers", err);
  if (!result && !made) {
    result = weft_fail(err, WEFT_ERROR_GL,
                       "the driver cannot draw into a %u x %u picture with "
                       "%u samples a pixel",
                       t->width, t->height, t->multisamples);
  }
  if (result) weft_targets_destroy(t);
  return result;
}

void weft_targets_destroy(weft_render_targets *t) {
  const GLuint fbos[] = {t->sample_fbo, t->resolved_fbo, t->sum_fbo,  t->final_fbo,
                         t->hard_fbo,   t->shadow_fbo,   t->floor_fbo};
  const GLuint textures[] = {t->resolved,  t->sum,       t->final, t->hard,
                             t->shadow[0], t->shadow[1], t->floor};
  const GLuint renderbuffers[] = {t->sample_colour, t->sample_depth};
  glDeleteFramebuffers(7, fbos);
  glDeleteTextures(7, textures);
  glDeleteRenderbuffers(2, renderbuffers);
  *t = (weft_render_targets){0};
}
