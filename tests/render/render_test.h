/* What the tests of the renderer share: a context, a cloth in a plain buffer, its picture. */
#ifndef WEFT_TESTS_RENDER_TEST_H
#define WEFT_TESTS_RENDER_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mesh.h>

#include <shared/weft_shared.h>
#include "base.h"
#include "render.h"
#include "rig_gl.h"

typedef struct stage {
  weft_mesh mesh;
  weft_gl_buffer positions;
  weft_renderer *renderer;
  weft_picture picture;
  weft_image image;
} stage;

/* Takes the mesh over. `desc` may name size, samples and so on. */
static inline void stage_open(stage *s, weft_mesh mesh, weft_renderer_desc desc) {
  weft_error err = {0};
  *s = (stage){.mesh = mesh};
  vec4 *rows = weft_alloc(mesh.vertex_count, sizeof *rows);
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    rows[i] = (vec4){mesh.positions[i].x, mesh.positions[i].y, mesh.positions[i].z, 1};
  }
  uint64_t bytes = mesh.vertex_count * sizeof *rows;
  weft_result result = weft_gl_buffer_create(test_gl, "test positions", bytes, 256, GL_DYNAMIC_DRAW,
                                             rows, &s->positions, &err);
  weft_free(rows);
  desc.particle_count = mesh.vertex_count;
  desc.triangle_count = mesh.triangle_count;
  desc.triangles = mesh.triangles;
  desc.rest_positions = mesh.positions;
  if (!result) result = weft_renderer_create(test_gl, &desc, &s->renderer, &err);
  if (result) fail_msg("%s", err.message);
  s->picture.positions =
      (weft_gl_view){.buffer = s->positions.name, .offset = s->positions.guard, .size = bytes};
  s->picture.look = weft_fabric_look_of(NULL);
  s->picture.radius = 1;
  s->picture.camera = (weft_camera){.distance = 4, .fov = 0.5f};
}

static inline void stage_draw(stage *s) {
  weft_error err = {0};
  weft_free(s->image.pixels);
  s->image.pixels = NULL;
  if (weft_renderer_draw(s->renderer, &s->picture, &err) ||
      weft_renderer_read(s->renderer, &s->image, &err)) {
    fail_msg("%s", err.message);
  }
}

static inline void stage_close(stage *s) {
  weft_free(s->image.pixels);
  weft_renderer_destroy(s->renderer);
  weft_gl_buffer_destroy(&s->positions);
  weft_mesh_free(&s->mesh);
}

/* Particles without triangles. */
static inline weft_mesh test_particles(const weft_vec3 *places, uint32_t count) {
  weft_mesh mesh = {.vertex_count = count,
                    .positions = weft_alloc(count, sizeof *places),
                    .triangles = weft_alloc(0, sizeof(uint32_t))};
  memcpy(mesh.positions, places, count * sizeof *places);
  return mesh;
}

static inline weft_mesh test_sheet(uint32_t rows, float side, weft_plane plane, weft_vec3 centre) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  const weft_grid_desc grid = {rows, rows, side, side, WEFT_GRID_SAME_DIAGONAL, plane, centre};
  if (weft_mesh_grid(&grid, &mesh, &err)) fail_msg("%s", err.message);
  return mesh;
}

/* Columns and rows from the lower left corner, 0..1, to a pixel. */
static inline const uint8_t *pixel_at(const weft_image *image, double x, double y) {
  uint32_t column = (uint32_t)(x * image->width), row = (uint32_t)((1 - y) * image->height);
  if (column >= image->width) column = image->width - 1;
  if (row >= image->height) row = image->height - 1;
  return image->pixels + 3 * ((size_t)row * image->width + column);
}

static inline bool is_red(const uint8_t *p) {
  return p[0] > 2 * p[1] && p[0] > 2 * p[2] && p[0] > 40;
}
static inline bool is_blue(const uint8_t *p) {
  return p[2] > 2 * p[1] && p[2] > 2 * p[0] && p[2] > 40;
}
static inline uint32_t count_pixels(const weft_image *image, bool (*is)(const uint8_t *)) {
  uint32_t count = 0;
  for (size_t i = 0; i < (size_t)image->width * image->height; ++i) {
    count += is(image->pixels + 3 * i);
  }
  return count;
}

static inline int grey(const uint8_t *pixel) { return (pixel[0] + pixel[1] + pixel[2]) / 3; }

/* Where the picture's camera sees a point, 0..1 from the lower left corner. Computed from the
 * definition of yaw and pitch, with no matrix of the renderer's. */
static inline void seen_at(const stage *s, weft_vec3 p, double *x, double *y) {
  const weft_camera *c = &s->picture.camera;
  double sy = sin(c->yaw), cy = cos(c->yaw), sp = sin(c->pitch), cp = cos(c->pitch);
  double dx = p.x - c->target.x, dy = p.y - c->target.y, dz = p.z - c->target.z;
  double right = dx * cy - dz * sy;
  double away = dx * sy + dz * cy; /* towards the camera, along the ground */
  double up = dy * cp - away * sp;
  double depth = c->distance - (away * cp + dy * sp);
  double t = depth * tan(c->fov / 2);
  *x = 0.5 + 0.5 * right / t * s->image.height / s->image.width;
  *y = 0.5 + 0.5 * up / t;
}

#endif
