/* little_gl.h: what the two examples that draw have in common: a few functions of OpenGL, loaded by
 * whoever made the context, a program from two texts, and matrices. C and C++. */
#ifndef LITTLE_GL_H
#define LITTLE_GL_H

#include <GL/glcorearb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LITTLE_GL(X)                                  \
  X(ActiveTexture, ACTIVETEXTURE)                     \
  X(AttachShader, ATTACHSHADER)                       \
  X(BindBuffer, BINDBUFFER)                           \
  X(BindBufferBase, BINDBUFFERBASE)                   \
  X(BindFramebuffer, BINDFRAMEBUFFER)                 \
  X(BindRenderbuffer, BINDRENDERBUFFER)               \
  X(BindVertexArray, BINDVERTEXARRAY)                 \
  X(BufferData, BUFFERDATA)                           \
  X(Clear, CLEAR)                                     \
  X(ClearColor, CLEARCOLOR)                           \
  X(CompileShader, COMPILESHADER)                     \
  X(CreateProgram, CREATEPROGRAM)                     \
  X(CreateShader, CREATESHADER)                       \
  X(DeleteProgram, DELETEPROGRAM)                     \
  X(DispatchCompute, DISPATCHCOMPUTE)                 \
  X(DrawElements, DRAWELEMENTS)                       \
  X(Enable, ENABLE)                                   \
  X(EnableVertexAttribArray, ENABLEVERTEXATTRIBARRAY) \
  X(FramebufferRenderbuffer, FRAMEBUFFERRENDERBUFFER) \
  X(GenBuffers, GENBUFFERS)                           \
  X(GenFramebuffers, GENFRAMEBUFFERS)                 \
  X(GenRenderbuffers, GENRENDERBUFFERS)               \
  X(GenVertexArrays, GENVERTEXARRAYS)                 \
  X(GetError, GETERROR)                               \
  X(GetProgramInfoLog, GETPROGRAMINFOLOG)             \
  X(GetProgramiv, GETPROGRAMIV)                       \
  X(LinkProgram, LINKPROGRAM)                         \
  X(MemoryBarrier, MEMORYBARRIER)                     \
  X(ReadPixels, READPIXELS)                           \
  X(RenderbufferStorage, RENDERBUFFERSTORAGE)         \
  X(ShaderSource, SHADERSOURCE)                       \
  X(Uniform1f, UNIFORM1F)                             \
  X(Uniform4f, UNIFORM4F)                             \
  X(UniformMatrix4fv, UNIFORMMATRIX4FV)               \
  X(UseProgram, USEPROGRAM)                           \
  X(VertexAttribPointer, VERTEXATTRIBPOINTER)         \
  X(Viewport, VIEWPORT)

#define LITTLE_MEMBER(name, NAME) PFNGL##NAME##PROC name;
static struct { LITTLE_GL(LITTLE_MEMBER) } gl;
#undef LITTLE_MEMBER

typedef void (*little_function)(void);
static inline void little_load(little_function (*find)(const char *name)) {
#define LITTLE_LOAD(name, NAME) gl.name = (PFNGL##NAME##PROC)find("gl" #name);
  LITTLE_GL(LITTLE_LOAD)
#undef LITTLE_LOAD
}

static inline void little_attach(GLuint program, GLenum type, const char *text) {
  const GLuint shader = gl.CreateShader(type);
  gl.ShaderSource(shader, 1, &text, NULL);
  gl.CompileShader(shader);
  gl.AttachShader(program, shader);
}

static inline GLuint little_link(GLuint program) {
  GLint linked = 0;
  char log[1000] = "";
  gl.LinkProgram(program);
  gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked) return program;
  gl.GetProgramInfoLog(program, sizeof log, NULL, log);
  fprintf(stderr, "%s\n", log);
  exit(EXIT_FAILURE);
}

static inline GLuint little_buffer(GLenum target, GLsizeiptr bytes, const void *data) {
  GLuint buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(target, buffer);
  gl.BufferData(target, bytes, data, GL_STATIC_DRAW);
  return buffer;
}

/* An attribute of floats in a buffer, for the vertex array that is bound. */
static inline void little_attribute(GLuint place, GLint floats, GLuint buffer, uint32_t stride,
                                    uint64_t offset) {
  gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
  gl.VertexAttribPointer(place, floats, GL_FLOAT, GL_FALSE, (GLsizei)stride,
                         (const void *)(uintptr_t)offset);
  gl.EnableVertexAttribArray(place);
}

/* ---- matrices, by columns: a camera that looks at the origin's neighbourhood ---- */

static inline void little_camera(float out[16], const float eye[3], const float at[3],
                                 float aspect) {
  float f[3], s[3], u[3], view[16], length = 0;
  const float near = 0.05f, far = 50, scale = 1 / tanf(0.4f);
  for (int k = 0; k < 3; ++k) f[k] = at[k] - eye[k];
  length = sqrtf(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  for (int k = 0; k < 3; ++k) f[k] /= length;
  length = sqrtf(f[0] * f[0] + f[2] * f[2]);
  s[0] = -f[2] / length, s[1] = 0, s[2] = f[0] / length;
  u[0] = s[1] * f[2] - s[2] * f[1], u[1] = s[2] * f[0] - s[0] * f[2],
  u[2] = s[0] * f[1] - s[1] * f[0];
  for (int k = 0; k < 3; ++k) {
    view[4 * k] = s[k], view[4 * k + 1] = u[k], view[4 * k + 2] = -f[k], view[4 * k + 3] = 0;
  }
  view[12] = -(s[0] * eye[0] + s[1] * eye[1] + s[2] * eye[2]);
  view[13] = -(u[0] * eye[0] + u[1] * eye[1] + u[2] * eye[2]);
  view[14] = f[0] * eye[0] + f[1] * eye[1] + f[2] * eye[2];
  view[15] = 1;
  for (int c = 0; c < 4; ++c) {
    out[4 * c] = scale / aspect * view[4 * c];
    out[4 * c + 1] = scale * view[4 * c + 1];
    out[4 * c + 2] =
        ((far + near) * view[4 * c + 2] + 2 * far * near * view[4 * c + 3]) / (near - far);
    out[4 * c + 3] = -view[4 * c + 2];
  }
}

/* Moved by a solver's origin. */
static inline void little_move(float m[16], const double by[3]) {
  for (int r = 0; r < 4; ++r) {
    m[12 + r] += m[r] * (float)by[0] + m[4 + r] * (float)by[1] + m[8 + r] * (float)by[2];
  }
}

/* ---- a ball: a sphere of radius 1, rows by columns ---- */

enum { LITTLE_ROWS = 16, LITTLE_COLUMNS = 32 };
enum {
  LITTLE_POINTS = LITTLE_COLUMNS * (LITTLE_ROWS - 1) + 2,
  LITTLE_TRIANGLES = 2 * LITTLE_COLUMNS * (LITTLE_ROWS - 1)
};
static inline void little_ball(float *points, uint32_t *triangles) {
  const uint32_t columns = LITTLE_COLUMNS, rows = LITTLE_ROWS, last = LITTLE_POINTS - 1;
  float *p = points;
  *p++ = 0, *p++ = 1, *p++ = 0;
  for (uint32_t r = 1; r < rows; ++r) {
    for (uint32_t c = 0; c < columns; ++c) {
      const float down = 3.14159265f * (float)r / (float)rows;
      const float around = 6.2831853f * (float)c / (float)columns;
      *p++ = sinf(down) * sinf(around), *p++ = cosf(down), *p++ = sinf(down) * cosf(around);
    }
  }
  *p++ = 0, *p++ = -1, *p++ = 0;
  for (uint32_t c = 0; c < columns; ++c) {
    const uint32_t d = (c + 1) % columns, low = 1 + columns * (rows - 2);
    *triangles++ = 0, *triangles++ = 1 + c, *triangles++ = 1 + d;
    *triangles++ = last, *triangles++ = low + d, *triangles++ = low + c;
    for (uint32_t r = 0; r + 2 < rows; ++r) {
      const uint32_t a = 1 + columns * r;
      *triangles++ = a + c, *triangles++ = a + columns + c, *triangles++ = a + d;
      *triangles++ = a + d, *triangles++ = a + columns + c, *triangles++ = a + columns + d;
    }
  }
}

/* ---- a picture: PPM, the first row on top ---- */

static inline void little_write(const char *path, const unsigned char *rgba, int width,
                                int height) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  fprintf(file, "P6\n%d %d\n255\n", width, height);
  for (int y = height - 1; y >= 0; --y) {
    for (int x = 0; x < width; ++x)
      fwrite(rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), 1, 3, file);
  }
  fclose(file);
}

#endif
