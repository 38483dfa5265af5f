/* state.h: all state of an OpenGL 4.3 context that can be asked for, as text, a line a value; and
 * unusual values for most of it. */
#ifndef WEFT_TESTS_STATE_H
#define WEFT_TESTS_STATE_H

#include "base.h"
#include "cmocka_all.h"
#include "gl.h"

enum { COMPUTE_BINDINGS = 16, IMAGES = 8 };

/* ---- as text ---- */

#define ONE(name) \
  { name, #name, 1 }
#define MANY(name, count) \
  { name, #name, count }
static const struct {
  GLenum name;
  const char *text;
  int count;
} state_integers[] = {
    ONE(GL_CURRENT_PROGRAM),
    ONE(GL_PROGRAM_PIPELINE_BINDING),
    ONE(GL_ACTIVE_TEXTURE),
    ONE(GL_ARRAY_BUFFER_BINDING),
    ONE(GL_ELEMENT_ARRAY_BUFFER_BINDING),
    ONE(GL_ATOMIC_COUNTER_BUFFER_BINDING),
    ONE(GL_COPY_READ_BUFFER_BINDING),
    ONE(GL_COPY_WRITE_BUFFER_BINDING),
    ONE(GL_DRAW_INDIRECT_BUFFER_BINDING),
    ONE(GL_DISPATCH_INDIRECT_BUFFER_BINDING),
    ONE(GL_PIXEL_PACK_BUFFER_BINDING),
    ONE(GL_PIXEL_UNPACK_BUFFER_BINDING),
    ONE(GL_SHADER_STORAGE_BUFFER_BINDING),
    ONE(GL_TEXTURE_BUFFER), /* the buffer bound to it */
    ONE(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING),
    ONE(GL_UNIFORM_BUFFER_BINDING),
    ONE(GL_VERTEX_ARRAY_BINDING),
    ONE(GL_DRAW_FRAMEBUFFER_BINDING),
    ONE(GL_READ_FRAMEBUFFER_BINDING),
    ONE(GL_RENDERBUFFER_BINDING),
    ONE(GL_TRANSFORM_FEEDBACK_BINDING),
    ONE(GL_TRANSFORM_FEEDBACK_ACTIVE),
    ONE(GL_TRANSFORM_FEEDBACK_PAUSED),
    ONE(GL_UNPACK_SWAP_BYTES),
    ONE(GL_UNPACK_LSB_FIRST),
    ONE(GL_UNPACK_ROW_LENGTH),
    ONE(GL_UNPACK_SKIP_ROWS),
    ONE(GL_UNPACK_SKIP_PIXELS),
    ONE(GL_UNPACK_ALIGNMENT),
    ONE(GL_UNPACK_IMAGE_HEIGHT),
    ONE(GL_UNPACK_SKIP_IMAGES),
    ONE(GL_UNPACK_COMPRESSED_BLOCK_WIDTH),
    ONE(GL_PACK_SWAP_BYTES),
    ONE(GL_PACK_LSB_FIRST),
    ONE(GL_PACK_ROW_LENGTH),
    ONE(GL_PACK_SKIP_ROWS),
    ONE(GL_PACK_SKIP_PIXELS),
    ONE(GL_PACK_ALIGNMENT),
    ONE(GL_PACK_IMAGE_HEIGHT),
    ONE(GL_PACK_SKIP_IMAGES),
    ONE(GL_DEPTH_WRITEMASK),
    ONE(GL_DEPTH_FUNC),
    ONE(GL_STENCIL_FUNC),
    ONE(GL_STENCIL_REF),
    ONE(GL_STENCIL_VALUE_MASK),
    ONE(GL_STENCIL_WRITEMASK),
    ONE(GL_STENCIL_FAIL),
    ONE(GL_STENCIL_PASS_DEPTH_FAIL),
    ONE(GL_STENCIL_PASS_DEPTH_PASS),
    ONE(GL_STENCIL_BACK_FUNC),
    ONE(GL_STENCIL_BACK_REF),
    ONE(GL_STENCIL_BACK_VALUE_MASK),
    ONE(GL_STENCIL_BACK_WRITEMASK),
    ONE(GL_STENCIL_BACK_FAIL),
    ONE(GL_STENCIL_BACK_PASS_DEPTH_FAIL),
    ONE(GL_STENCIL_BACK_PASS_DEPTH_PASS),
    ONE(GL_STENCIL_CLEAR_VALUE),
    ONE(GL_CULL_FACE_MODE),
    ONE(GL_FRONT_FACE),
    MANY(GL_POLYGON_MODE, 2),
    ONE(GL_POINT_SPRITE_COORD_ORIGIN),
    ONE(GL_PRIMITIVE_RESTART_INDEX),
    ONE(GL_PROVOKING_VERTEX),
    ONE(GL_LOGIC_OP_MODE),
    ONE(GL_SAMPLE_COVERAGE_INVERT),
    ONE(GL_LINE_SMOOTH_HINT),
    ONE(GL_POLYGON_SMOOTH_HINT),
    ONE(GL_TEXTURE_COMPRESSION_HINT),
    ONE(GL_FRAGMENT_SHADER_DERIVATIVE_HINT),
    ONE(GL_PATCH_VERTICES),
    ONE(GL_CLAMP_READ_COLOR),
    ONE(GL_READ_BUFFER),
    ONE(GL_DEBUG_GROUP_STACK_DEPTH),
    ONE(GL_DEBUG_LOGGED_MESSAGES),
};
static const struct {
  GLenum name;
  const char *text;
  int count;
} state_floats[] = {
    MANY(GL_BLEND_COLOR, 4),
    MANY(GL_COLOR_CLEAR_VALUE, 4),
    ONE(GL_DEPTH_CLEAR_VALUE),
    ONE(GL_LINE_WIDTH),
    ONE(GL_POINT_SIZE),
    ONE(GL_POINT_FADE_THRESHOLD_SIZE),
    ONE(GL_POLYGON_OFFSET_FACTOR),
    ONE(GL_POLYGON_OFFSET_UNITS),
    ONE(GL_SAMPLE_COVERAGE_VALUE),
    ONE(GL_MIN_SAMPLE_SHADING_VALUE),
    MANY(GL_PATCH_DEFAULT_OUTER_LEVEL, 4),
    MANY(GL_PATCH_DEFAULT_INNER_LEVEL, 2),
};
#undef ONE
#undef MANY

static const GLenum state_enables[] = {
    GL_CLIP_DISTANCE0,
    GL_CLIP_DISTANCE0 + 1,
    GL_CLIP_DISTANCE0 + 7,
    GL_COLOR_LOGIC_OP,
    GL_CULL_FACE,
    GL_DEPTH_CLAMP,
    GL_DEPTH_TEST,
    GL_DITHER,
    GL_FRAMEBUFFER_SRGB,
    GL_LINE_SMOOTH,
    GL_MULTISAMPLE,
    GL_POLYGON_OFFSET_FILL,
    GL_POLYGON_OFFSET_LINE,
    GL_POLYGON_OFFSET_POINT,
    GL_POLYGON_SMOOTH,
    GL_PRIMITIVE_RESTART,
    GL_PRIMITIVE_RESTART_FIXED_INDEX,
    GL_PROGRAM_POINT_SIZE,
    GL_RASTERIZER_DISCARD,
    GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_SAMPLE_ALPHA_TO_ONE,
    GL_SAMPLE_COVERAGE,
    GL_SAMPLE_MASK,
    GL_SAMPLE_SHADING,
    GL_STENCIL_TEST,
    GL_TEXTURE_CUBE_MAP_SEAMLESS,
    GL_DEBUG_OUTPUT,
    GL_DEBUG_OUTPUT_SYNCHRONOUS,
};

static const struct {
  GLenum target, binding;
} state_textures[] = {
    {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D},
    {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
    {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE},
    {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP},
    {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY},
    {GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER},
    {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY},
};
enum { STATE_TEXTURES = sizeof state_textures / sizeof *state_textures };

static const struct {
  const char *text;
  GLenum target, most, binding, start, size;
} state_indexed[] = {
    {"uniform", GL_UNIFORM_BUFFER, GL_MAX_UNIFORM_BUFFER_BINDINGS, GL_UNIFORM_BUFFER_BINDING,
     GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE},
    {"storage", GL_SHADER_STORAGE_BUFFER, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS,
     GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
     GL_SHADER_STORAGE_BUFFER_SIZE},
    {"atomic counter", GL_ATOMIC_COUNTER_BUFFER, GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
     GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_ATOMIC_COUNTER_BUFFER_START,
     GL_ATOMIC_COUNTER_BUFFER_SIZE},
    {"transform feedback", GL_TRANSFORM_FEEDBACK_BUFFER, GL_MAX_TRANSFORM_FEEDBACK_BUFFERS,
     GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
     GL_TRANSFORM_FEEDBACK_BUFFER_SIZE},
};
enum { STATE_INDEXED = sizeof state_indexed / sizeof *state_indexed };

static const GLenum state_queries[] = {GL_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED,
                                       GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, GL_TIME_ELAPSED};
enum { STATE_QUERIES = sizeof state_queries / sizeof *state_queries };

static inline GLint state_integer(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

static inline void describe_indexed(weft_string *text) {
  for (int t = 0; t < STATE_INDEXED; ++t) {
    const GLint most = state_integer(state_indexed[t].most);
    for (GLint k = 0; k < most; ++k) {
      GLint buffer = 0;
      GLint64 start = 0, size = 0;
      glGetIntegeri_v(state_indexed[t].binding, (GLuint)k, &buffer);
      glGetInteger64i_v(state_indexed[t].start, (GLuint)k, &start);
      glGetInteger64i_v(state_indexed[t].size, (GLuint)k, &size);
      weft_string_add(text, "%s buffer %d: %d, %lld, %lld\n", state_indexed[t].text, k, buffer,
                      (long long)start, (long long)size);
    }
  }
}

static inline void describe_textures(weft_string *text) {
  const GLint active = state_integer(GL_ACTIVE_TEXTURE);
  const GLint units = state_integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
  for (GLint u = 0; u < units; ++u) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)u);
    weft_string_add(text, "unit %d: sampler %d, textures", u, state_integer(GL_SAMPLER_BINDING));
    for (int t = 0; t < STATE_TEXTURES; ++t)
      weft_string_add(text, " %d", state_integer(state_textures[t].binding));
    weft_string_add(text, "\n");
  }
  glActiveTexture((GLenum)active);
  const GLint images = state_integer(GL_MAX_IMAGE_UNITS);
  for (GLint k = 0; k < images; ++k) {
    static const GLenum names[] = {GL_IMAGE_BINDING_NAME,   GL_IMAGE_BINDING_LEVEL,
                                   GL_IMAGE_BINDING_LAYER,  GL_IMAGE_BINDING_LAYERED,
                                   GL_IMAGE_BINDING_ACCESS, GL_IMAGE_BINDING_FORMAT};
    weft_string_add(text, "image %d:", k);
    for (int n = 0; n < 6; ++n) {
      GLint value = 0;
      glGetIntegeri_v(names[n], (GLuint)k, &value);
      weft_string_add(text, " %d", value);
    }
    weft_string_add(text, "\n");
  }
}

static inline void describe_targets(weft_string *text) {
  for (GLuint k = 0; k < (GLuint)state_integer(GL_MAX_DRAW_BUFFERS); ++k) {
    static const GLenum names[] = {GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA,
                                   GL_BLEND_SRC_RGB,      GL_BLEND_DST_RGB,
                                   GL_BLEND_SRC_ALPHA,    GL_BLEND_DST_ALPHA};
    GLboolean mask[4];
    glGetBooleani_v(GL_COLOR_WRITEMASK, k, mask);
    weft_string_add(text, "target %u: %d, blend %d, mask %d%d%d%d", k,
                    state_integer(GL_DRAW_BUFFER0 + k), glIsEnabledi(GL_BLEND, k), mask[0], mask[1],
                    mask[2], mask[3]);
    for (int n = 0; n < 6; ++n) {
      GLint value = 0;
      glGetIntegeri_v(names[n], k, &value);
      weft_string_add(text, " %d", value);
    }
    weft_string_add(text, "\n");
  }
  for (GLuint k = 0; k < (GLuint)state_integer(GL_MAX_VIEWPORTS); ++k) {
    GLfloat viewport[4];
    GLdouble depth[2];
    GLint scissor[4];
    glGetFloati_v(GL_VIEWPORT, k, viewport);
    glGetDoublei_v(GL_DEPTH_RANGE, k, depth);
    glGetIntegeri_v(GL_SCISSOR_BOX, k, scissor);
    weft_string_add(text, "viewport %u: %g %g %g %g, %g %g, scissor %d: %d %d %d %d\n", k,
                    (double)viewport[0], (double)viewport[1], (double)viewport[2],
                    (double)viewport[3], depth[0], depth[1], glIsEnabledi(GL_SCISSOR_TEST, k),
                    scissor[0], scissor[1], scissor[2], scissor[3]);
  }
}

static inline void describe_vertices(weft_string *text) {
  for (GLuint k = 0; k < (GLuint)state_integer(GL_MAX_VERTEX_ATTRIBS); ++k) {
    GLint enabled, size, stride, type, buffer, divisor;
    GLfloat now[4] = {0, 0, 0, 0};
    void *pointer;
    glGetVertexAttribiv(k, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
    glGetVertexAttribiv(k, GL_VERTEX_ATTRIB_ARRAY_SIZE, &size);
    glGetVertexAttribiv(k, GL_VERTEX_ATTRIB_ARRAY_STRIDE, &stride);
    glGetVertexAttribiv(k, GL_VERTEX_ATTRIB_ARRAY_TYPE, &type);
    glGetVertexAttribiv(k, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
    glGetVertexAttribiv(k, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &divisor);
    glGetVertexAttribPointerv(k, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    glGetVertexAttribfv(k, GL_CURRENT_VERTEX_ATTRIB, now);
    weft_string_add(text, "attribute %u: %d %d %d %d %d %d %p %g %g %g %g\n", k, enabled, size,
                    stride, type, buffer, divisor, pointer, (double)now[0], (double)now[1],
                    (double)now[2], (double)now[3]);
  }
}

static inline void describe_rest(weft_string *text) {
  for (int q = 0; q < STATE_QUERIES; ++q) {
    GLint now = 0;
    glGetQueryiv(state_queries[q], GL_CURRENT_QUERY, &now);
    weft_string_add(text, "query 0x%x: %d\n", state_queries[q], now);
  }
  void *callback = NULL, *user = NULL;
  glGetPointerv(GL_DEBUG_CALLBACK_FUNCTION, &callback);
  glGetPointerv(GL_DEBUG_CALLBACK_USER_PARAM, &user);
  weft_string_add(text, "debug: %p %p\n", callback, user);
  if (GLAD_GL_KHR_parallel_shader_compile)
    weft_string_add(text, "threads: %d\n", state_integer(GL_MAX_SHADER_COMPILER_THREADS_KHR));
  GLint program = state_integer(GL_CURRENT_PROGRAM), count = 0;
  if (!program) return;
  glGetProgramStageiv((GLuint)program, GL_VERTEX_SHADER, GL_ACTIVE_SUBROUTINE_UNIFORM_LOCATIONS,
                      &count);
  for (GLint k = 0; k < count; ++k) {
    GLuint index = 0;
    glGetUniformSubroutineuiv(GL_VERTEX_SHADER, k, &index);
    weft_string_add(text, "subroutine %d: %u\n", k, index);
  }
}

/* To be freed with weft_free. */
static inline char *state_describe(void) {
  weft_string text = {0};
  for (size_t k = 0; k < sizeof state_integers / sizeof *state_integers; ++k) {
    GLint v[4] = {0, 0, 0, 0};
    glGetIntegerv(state_integers[k].name, v);
    weft_string_add(&text, "%s: %d %d\n", state_integers[k].text, v[0], v[1]);
  }
  for (size_t k = 0; k < sizeof state_floats / sizeof *state_floats; ++k) {
    GLfloat v[4] = {0, 0, 0, 0};
    glGetFloatv(state_floats[k].name, v);
    weft_string_add(&text, "%s: %g %g %g %g\n", state_floats[k].text, (double)v[0], (double)v[1],
                    (double)v[2], (double)v[3]);
  }
  for (size_t k = 0; k < sizeof state_enables / sizeof *state_enables; ++k)
    weft_string_add(&text, "enabled 0x%x: %d\n", state_enables[k], glIsEnabled(state_enables[k]));
  GLint mask = 0;
  glGetIntegeri_v(GL_SAMPLE_MASK_VALUE, 0, &mask);
  weft_string_add(&text, "sample mask: %d\n", mask);
  describe_indexed(&text);
  describe_textures(&text);
  describe_targets(&text);
  describe_vertices(&text);
  describe_rest(&text);
  while (glGetError()) continue; /* of what this driver does not know */
  return text.bytes;
}

/* ---- unusual values ---- */

static inline GLuint state_buffer(GLsizeiptr bytes) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, bytes, NULL, GL_STATIC_DRAW);
  return buffer;
}

static inline void disturb_buffers(void) {
  static const GLenum targets[] = {GL_COPY_READ_BUFFER,      GL_COPY_WRITE_BUFFER,
                                   GL_DRAW_INDIRECT_BUFFER,  GL_PIXEL_PACK_BUFFER,
                                   GL_PIXEL_UNPACK_BUFFER,   GL_DISPATCH_INDIRECT_BUFFER,
                                   GL_SHADER_STORAGE_BUFFER, GL_TEXTURE_BUFFER,
                                   GL_UNIFORM_BUFFER,        GL_ATOMIC_COUNTER_BUFFER};
  for (int t = 0; t < STATE_INDEXED; ++t) {
    const GLint most = state_integer(state_indexed[t].most);
    for (GLint k = 0; k < most; ++k) {
      const GLuint buffer = state_buffer(4096);
      if (k % 3 == 2) {
        glBindBufferBase(state_indexed[t].target, (GLuint)k, buffer);
      } else if (k % 7 != 6) {
        glBindBufferRange(state_indexed[t].target, (GLuint)k, buffer, 256 * (k % 4),
                          128 + 4 * (k % 32));
      }
    }
  }
  for (size_t k = 0; k < sizeof targets / sizeof *targets; ++k)
    glBindBuffer(targets[k], state_buffer(512));
}

static inline void disturb_textures(void) {
  const GLint units = state_integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
  for (GLint u = 0; u < units; ++u) {
    GLuint textures[STATE_TEXTURES], sampler;
    glActiveTexture(GL_TEXTURE0 + (GLenum)u);
    glGenTextures(STATE_TEXTURES, textures);
    for (int t = 0; t < STATE_TEXTURES; ++t) glBindTexture(state_textures[t].target, textures[t]);
    glGenSamplers(1, &sampler);
    glBindSampler((GLuint)u, sampler);
  }
  GLuint image;
  glActiveTexture(GL_TEXTURE0 + 5);
  glGenTextures(1, &image);
  glBindTexture(GL_TEXTURE_2D, image);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
  for (GLuint k = 0; k < (GLuint)state_integer(GL_MAX_IMAGE_UNITS); ++k)
    glBindImageTexture(k, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
  glActiveTexture(GL_TEXTURE0 + 7);
}

static inline void disturb_pixels(void) {
  static const GLenum stores[] = {
      GL_UNPACK_ROW_LENGTH,  GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_IMAGE_HEIGHT,
      GL_UNPACK_SKIP_IMAGES, GL_PACK_ROW_LENGTH,  GL_PACK_SKIP_ROWS,     GL_PACK_SKIP_PIXELS,
      GL_PACK_IMAGE_HEIGHT,  GL_PACK_SKIP_IMAGES};
  for (size_t k = 0; k < sizeof stores / sizeof *stores; ++k)
    glPixelStorei(stores[k], 100003 + (GLint)k);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
  glPixelStorei(GL_PACK_ALIGNMENT, 2);
  glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
  glPixelStorei(GL_PACK_LSB_FIRST, GL_TRUE);
}

static inline void disturb_drawing(void) {
  for (size_t k = 0; k < sizeof state_enables / sizeof *state_enables; ++k) {
    if (glIsEnabled(state_enables[k])) {
      glDisable(state_enables[k]);
    } else {
      glEnable(state_enables[k]);
    }
  }
  while (glGetError()) continue;
  for (GLuint k = 0; k < 8; ++k) {
    (k % 2 ? glEnablei : glDisablei)(GL_BLEND, k);
    glColorMaski(k, k % 2, k % 3 == 0, GL_TRUE, k == 5);
    glBlendEquationSeparatei(k, GL_FUNC_SUBTRACT, GL_MAX);
    glBlendFuncSeparatei(k, GL_DST_COLOR, GL_SRC_ALPHA, GL_ZERO, GL_ONE_MINUS_DST_ALPHA);
  }
  for (GLuint k = 0; k < 16; ++k) {
    glViewportIndexedf(k, 1.5f * (float)k, 3, 17 + (float)k, 9);
    glScissorIndexed(k, (GLint)k, 2, 11, 13);
    glDepthRangeIndexed(k, 0.1 * k / 16, 0.75);
    (k % 2 ? glEnablei : glDisablei)(GL_SCISSOR_TEST, k);
  }
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_GEQUAL);
  glStencilFuncSeparate(GL_FRONT, GL_NOTEQUAL, 3, 0x5a);
  glStencilFuncSeparate(GL_BACK, GL_GREATER, 5, 0xa5);
  glStencilOpSeparate(GL_FRONT, GL_INVERT, GL_INCR, GL_DECR_WRAP);
  glStencilOpSeparate(GL_BACK, GL_ZERO, GL_REPLACE, GL_INCR_WRAP);
  glStencilMaskSeparate(GL_FRONT, 0x33);
  glStencilMaskSeparate(GL_BACK, 0xcc);
  glClearColor(0.1f, 0.2f, 0.3f, 0.4f);
  glClearDepth(0.25);
  glClearStencil(9);
  glBlendColor(0.5f, 0.6f, 0.7f, 0.8f);
  glCullFace(GL_FRONT_AND_BACK);
  glFrontFace(GL_CW);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glPolygonOffset(2.5f, -3);
  glPointSize(7);
  glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, 3);
  glPrimitiveRestartIndex(12345);
  glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
  glLogicOp(GL_XOR);
  glSampleCoverage(0.375f, GL_TRUE);
  glSampleMaski(0, 0x6);
  glHint(GL_POLYGON_SMOOTH_HINT, GL_NICEST);
  glPatchParameteri(GL_PATCH_VERTICES, 5);
  glMinSampleShading(0.5f);
  glVertexAttrib4f(3, 4, 3, 2, 1);
}

static inline void disturb_targets(void) {
  GLuint frames[2], images[3], vertices;
  glGenFramebuffers(2, frames);
  glGenRenderbuffers(3, images);
  for (int k = 0; k < 2; ++k) {
    glBindRenderbuffer(GL_RENDERBUFFER, images[k]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 32, 32);
    glBindFramebuffer(GL_FRAMEBUFFER, frames[k]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, images[k]);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, frames[0]);
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  glDrawBuffers(2, (const GLenum[]){GL_NONE, GL_COLOR_ATTACHMENT1});
  glBindRenderbuffer(GL_RENDERBUFFER, images[2]);
  glGenVertexArrays(1, &vertices);
  glBindVertexArray(vertices);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, state_buffer(64));
  glBindBuffer(GL_ARRAY_BUFFER, state_buffer(256));
  glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, 20, (void *)8);
  glVertexAttribDivisor(2, 3);
  glEnableVertexAttribArray(2);
  glBindBuffer(GL_ARRAY_BUFFER, state_buffer(128));
}

/* In use, with a subroutine that is not the first, and fed back from. */
static inline GLuint disturb_program(void) {
  static const char *const text =
      "#version 430\n"
      "subroutine float choice(float x);\n"
      "subroutine uniform choice u_choice;\n"
      "subroutine(choice) float once(float x) { return x; }\n"
      "subroutine(choice) float twice(float x) { return x + x; }\n"
      "out float o_value;\n"
      "void main() { o_value = u_choice(float(gl_VertexID)); gl_Position = vec4(o_value); }\n";
  static const char *const name = "o_value";
  GLuint program = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
  GLint linked = 0;
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glTransformFeedbackVaryings(program, 1, &name, GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  assert_true(linked);
  glUseProgram(program);
  const GLuint twice = glGetSubroutineIndex(program, GL_VERTEX_SHADER, "twice");
  glUniformSubroutinesuiv(GL_VERTEX_SHADER, 1, &twice);
  return program;
}

static inline void GLAD_API_PTR state_heard(GLenum source, GLenum type, GLuint id, GLenum severity,
                                            GLsizei length, const GLchar *message,
                                            const void *user) {
  (void)source, (void)type, (void)id, (void)severity, (void)length, (void)message, (void)user;
}

/* Transform feedback and queries are left open. */
static inline void state_disturb(void) {
  static int user;
  disturb_drawing();
  disturb_targets();
  disturb_textures();
  disturb_buffers();
  disturb_pixels();
  disturb_program();
  glDebugMessageCallback(state_heard, &user);
  glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 77, -1, "the caller's");
  GLuint queries[STATE_QUERIES];
  glGenQueries(STATE_QUERIES, queries);
  for (int q = 0; q < STATE_QUERIES; ++q) glBeginQuery(state_queries[q], queries[q]);
  glBeginTransformFeedback(GL_POINTS);
  while (glGetError()) continue; /* of what this driver does not know */
}

/* The first line that differs fails the test. */
static inline void state_compare(const char *what, const char *before) {
  char *now = state_describe();
  const char *a = before, *b = now;
  while (*a && *b) {
    const size_t m = strcspn(a, "\n"), n = strcspn(b, "\n");
    if (m != n || memcmp(a, b, m))
      fail_msg("%s: \"%.*s\" became \"%.*s\"", what, (int)m, a, (int)n, b);
    a += m + 1;
    b += n + 1;
  }
  assert_int_equal(strlen(before), strlen(now));
  weft_free(now);
}

#endif
