/* corners.c: on a triangle a coordinate is linear in the rest position. So two rows of four numbers
 * tell it for all of the triangle, and vertices need not be split where coordinates part at a seam.
 */
#include <string.h>

#include "render_internal.h"

/* The gradient that takes values a, b, c at three corners, in their plane; w: the rest. */
static vec4 row_of(const weft_vec3 *p, const float *value) {
  weft_vec3 e = weft_v3_sub(p[1], p[0]), f = weft_v3_sub(p[2], p[0]), n = weft_v3_cross(e, f);
  float square = weft_v3_dot(n, n);
  if (!(square > 0)) return (vec4){0, 0, 0, value[0]};
  weft_vec3 along = weft_v3_scale(weft_v3_cross(f, n), (value[1] - value[0]) / square);
  weft_vec3 across = weft_v3_scale(weft_v3_cross(n, e), (value[2] - value[0]) / square);
  weft_vec3 g = weft_v3_add(along, across);
  return (vec4){g.x, g.y, g.z, value[0] - weft_v3_dot(g, p[0])};
}

static void fill_rows(const vec4 *rest, const uint32_t *triangles, uint32_t count,
                      const float *coordinates, vec4 *rows) {
  static const float parts[6] = {1, 0, 0, 1, 0, 0};
  for (uint32_t t = 0; t < count; ++t) {
    const float *at = coordinates ? coordinates + 6 * (size_t)t : parts;
    weft_vec3 p[3];
    for (int k = 0; k < 3; ++k) {
      vec4 r = rest[triangles[3 * (size_t)t + (size_t)k]];
      p[k] = weft_v3(r.x, r.y, r.z);
    }
    for (int c = 0; c < 2; ++c) {
      const float value[3] = {at[c], at[2 + c], at[4 + c]};
      rows[2 * (size_t)t + (size_t)c] = row_of(p, value);
    }
  }
}

static weft_result check_limit(uint32_t triangles, weft_error *err) {
  GLint max = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &max);
  if (2 * (uint64_t)triangles <= (uint64_t)max) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_LIMIT,
                   "wires and textures are drawn of %d triangles at most with this driver, not %u",
                   max / 2, triangles);
}

weft_result weft_corners_create(weft_gl *gl, const weft_render_cloth *cloth,
                                const float *coordinates, weft_render_corners *corners,
                                weft_error *err) {
  uint32_t count = cloth->triangle_count;
  weft_result result = check_limit(count, err);
  if (result || count == 0) return result;
  vec4 *rest = weft_alloc(cloth->particle_count, sizeof *rest);
  vec4 *rows = weft_alloc(2 * (size_t)count, sizeof *rows);
  uint32_t *triangles = weft_alloc(3 * (size_t)count, sizeof *triangles);
  weft_gl_buffer_read(&cloth->rest, 0, cloth->particle_count * sizeof *rest, rest);
  weft_gl_buffer_read(&cloth->all.triangles, 0, 3 * (uint64_t)count * sizeof *triangles, triangles);
  fill_rows(rest, triangles, count, coordinates, rows);
  result = weft_gl_buffer_create(gl, "render corners", 2 * (uint64_t)count * sizeof *rows, 0,
                                 GL_STATIC_DRAW, rows, &corners->rows, err);
  weft_free(rest);
  weft_free(rows);
  weft_free(triangles);
  if (result) return result;
  glGenTextures(1, &corners->texture);
  glBindTexture(GL_TEXTURE_BUFFER, corners->texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, corners->rows.name);
  glBindTexture(GL_TEXTURE_BUFFER, 0);
  return WEFT_OK;
}

void weft_corners_destroy(weft_render_corners *corners) {
  glDeleteTextures(1, &corners->texture);
  weft_gl_buffer_destroy(&corners->rows);
  *corners = (weft_render_corners){0};
}

weft_result weft_texture_upload(weft_gl *gl, const weft_texture *texture, GLuint *name,
                                weft_error *err) {
  GLint max = 0;
  (void)gl;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max);
  uint32_t side = texture->width > texture->height ? texture->width : texture->height;
  if (side > (uint32_t)max) {
    return weft_fail(err, WEFT_ERROR_LIMIT, "a texture of %u x %u pixels: at most %d on a side",
                     texture->width, texture->height, max);
  }
  GLsizei levels = 1;
  for (uint32_t s = side; s > 1; s /= 2) levels++;
  glGenTextures(1, name);
  glBindTexture(GL_TEXTURE_2D, *name);
  glTexStorage2D(GL_TEXTURE_2D, levels, GL_SRGB8_ALPHA8, (GLsizei)texture->width,
                 (GLsizei)texture->height);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)texture->width, (GLsizei)texture->height,
                  GL_RGBA, GL_UNSIGNED_BYTE, texture->pixels);
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glObjectLabel(GL_TEXTURE, *name, -1, "render print");
  glBindTexture(GL_TEXTURE_2D, 0);
  return weft_gl_check("making the texture", err);
}
