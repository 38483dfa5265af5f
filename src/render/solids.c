/* solids.c: colliders as meshes. One set of unit normals serves every sphere and capsule, whatever
 * its size: the upper half of the ball rides on end b of the axis, the lower half on end a. Boxes
 * follow it in the same buffers. */
#include <math.h>

#include "inspect.h"
#include "matrix.h"
#include "render_internal.h"

enum { RINGS = 48, SEGMENTS = 128, ROWS = RINGS + 2 }; /* the equator is there twice */

void weft_collider_at(const weft_collider *collider, double time, weft_vec3 *a, weft_vec3 *b) {
  weft_collider_pose pose = weft_collider_pose_at(collider, time, time, 0);
  *a = weft_v3(pose.a.x, pose.a.y, pose.a.z);
  *b = weft_v3(pose.b.x, pose.b.y, pose.b.z);
}

typedef struct solid_vertex {
  vec4 shape, corner; /* as solid.vert has them */
} solid_vertex;

enum { BALL_VERTICES = ROWS * (SEGMENTS + 1), BALL_INDICES = (ROWS - 1) * SEGMENTS * 6 };
enum { BOX_VERTICES = 24, BOX_INDICES = 36 };

static void fill_ball(solid_vertex *vertices) {
  const double pi = 3.14159265358979;
  for (int row = 0; row < ROWS; ++row) {
    int upper = row > RINGS / 2;
    double latitude = pi * ((row - upper) / (double)RINGS - 0.5);
    for (int s = 0; s <= SEGMENTS; ++s) {
      double longitude = 2 * pi * s / SEGMENTS;
      vertices[row * (SEGMENTS + 1) + s].shape =
          (vec4){(float)(cos(latitude) * cos(longitude)), (float)sin(latitude),
                 (float)(cos(latitude) * sin(longitude)), (float)upper};
    }
  }
}

static void fill_ball_indices(uint32_t *indices) {
  for (uint32_t row = 0; row + 1 < ROWS; ++row) {
    for (uint32_t s = 0; s < SEGMENTS; ++s) {
      uint32_t a = row * (SEGMENTS + 1) + s, b = a + SEGMENTS + 1;
      const uint32_t quad[] = {a, b, a + 1, a + 1, b, b + 1};
      for (int k = 0; k < 6; ++k) *indices++ = quad[k];
    }
  }
}

/* Face by face: the axis its normal runs along, its side, and the corners round it. */
static void fill_box(solid_vertex *vertices, uint32_t *indices) {
  for (uint32_t face = 0; face < 6; ++face) {
    uint32_t axis = face / 2;
    float side = face % 2 ? 1.0f : -1.0f;
    for (uint32_t k = 0; k < 4; ++k) {
      float corner[3], normal[3] = {0, 0, 0};
      corner[axis] = normal[axis] = side;
      corner[(axis + 1) % 3] = k % 2 ? 1.0f : -1.0f;
      corner[(axis + 2) % 3] = k / 2 ? 1.0f : -1.0f;
      vertices[4 * face + k].shape = (vec4){normal[0], normal[1], normal[2], 0};
      vertices[4 * face + k].corner = (vec4){corner[0], corner[1], corner[2], 0};
    }
    const uint32_t out[] = {0, 1, 2, 2, 1, 3}, in[] = {0, 2, 1, 1, 2, 3};
    for (uint32_t k = 0; k < 6; ++k) {
      indices[6 * face + k] = BALL_VERTICES + 4 * face + (face % 2 ? out[k] : in[k]);
    }
  }
}

static void make_vertex_array(weft_render_solids *solids) {
  glGenVertexArrays(1, &solids->vertex_array);
  glBindVertexArray(solids->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, solids->vertex_array, -1, "render solids");
  glEnableVertexAttribArray(0);
  glVertexAttribFormat(0, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribBinding(0, 0);
  glEnableVertexAttribArray(1);
  glVertexAttribFormat(1, 4, GL_FLOAT, GL_FALSE, offsetof(solid_vertex, corner));
  glVertexAttribBinding(1, 0);
  glBindVertexBuffer(0, solids->vertices.name, 0, sizeof(solid_vertex));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, solids->indices.name);
  glBindVertexArray(0);
}

weft_result weft_solids_create(weft_gl *gl, weft_render_solids *solids, weft_error *err) {
  const size_t vertex_count = BALL_VERTICES + BOX_VERTICES;
  const size_t index_count = BALL_INDICES + BOX_INDICES;
  solid_vertex *vertices = weft_alloc(vertex_count, sizeof *vertices);
  uint32_t *indices = weft_alloc(index_count, sizeof *indices);
  fill_ball(vertices);
  fill_ball_indices(indices);
  fill_box(vertices + BALL_VERTICES, indices + BALL_INDICES);
  weft_result result =
      weft_gl_buffer_create(gl, "render solid vertices", vertex_count * sizeof *vertices, 0,
                            GL_STATIC_DRAW, vertices, &solids->vertices, err);
  if (!result) {
    result = weft_gl_buffer_create(gl, "render solid indices", index_count * sizeof *indices, 0,
                                   GL_STATIC_DRAW, indices, &solids->indices, err);
  }
  if (!result) make_vertex_array(solids);
  weft_free(vertices);
  weft_free(indices);
  return result;
}

void weft_solids_destroy(weft_render_solids *solids) {
  glDeleteVertexArrays(1, &solids->vertex_array);
  weft_gl_buffer_destroy(&solids->vertices);
  weft_gl_buffer_destroy(&solids->indices);
  *solids = (weft_render_solids){0};
}

static void draw(weft_vec3 a, weft_vec3 b, weft_vec3 axis, float radius, float flattening) {
  weft_vec3 u, v, y = weft_v3_unit(axis);
  weft_square_to(y, &u, &v);
  const GLfloat basis[] = {u.x, u.y, u.z, y.x, y.y, y.z, -v.x, -v.y, -v.z};
  glUniform4f(WEFT_RENDER_LOCATION_A, a.x, a.y, a.z, radius);
  glUniform4f(WEFT_RENDER_LOCATION_B, b.x, b.y, b.z, flattening);
  glUniformMatrix3fv(WEFT_RENDER_LOCATION_BASIS, 1, GL_FALSE, basis);
  glDrawElements(GL_TRIANGLES, BALL_INDICES, GL_UNSIGNED_INT, NULL);
}

static void draw_box(const weft_collider_pose *p) {
  const GLfloat basis[] = {p->axis_x.x, p->axis_x.y, p->axis_x.z, p->axis_y.x, p->axis_y.y,
                           p->axis_y.z, p->axis_z.x, p->axis_z.y, p->axis_z.z};
  glUniform4f(WEFT_RENDER_LOCATION_A, p->a.x, p->a.y, p->a.z, 0);
  glUniform4f(WEFT_RENDER_LOCATION_B, p->a.x, p->a.y, p->a.z, 1);
  glUniform3f(WEFT_RENDER_LOCATION_HALF, p->b.x, p->b.y, p->b.z);
  glUniformMatrix3fv(WEFT_RENDER_LOCATION_BASIS, 1, GL_FALSE, basis);
  const uintptr_t first = BALL_INDICES * sizeof(uint32_t);
  glDrawElements(GL_TRIANGLES, BOX_INDICES, GL_UNSIGNED_INT, (const void *)first);
}

/* A disc under the middle of the picture, its face in the plane; floors are drawn by others. */
static void draw_plane(const weft_picture *picture, weft_vec3 point, weft_vec3 normal) {
  const float flattening = 0.004f;
  float radius = 1.2f * picture->radius;
  if (normal.y > 0.999f) return;
  float height = weft_v3_dot(weft_v3_sub(picture->centre, point), normal) + radius * flattening;
  weft_vec3 middle = weft_v3_sub(picture->centre, weft_v3_scale(normal, height));
  draw(middle, middle, normal, radius, flattening);
}

void weft_solids_draw(const weft_render_solids *solids, const weft_picture *picture) {
  glBindVertexArray(solids->vertex_array);
  for (uint32_t i = 0; i < picture->collider_count; ++i) {
    const weft_collider *c = &picture->colliders[i];
    weft_vec3 a, b;
    weft_collider_at(c, picture->time, &a, &b);
    const weft_shape_info *shape = &weft_shape_infos[c->shape];
    switch (shape->size) {
      case WEFT_SHAPE_ENDLESS:
        draw_plane(picture, a, b);
        break;
      case WEFT_SHAPE_RADIUS:
        if (!shape->axis) b = a;
        draw(a, b, shape->axis ? weft_v3_sub(b, a) : weft_v3(0, 1, 0), c->radius, 1);
        break;
      case WEFT_SHAPE_HALF: {
        weft_collider_pose pose = weft_collider_pose_at(c, picture->time, picture->time, 0);
        draw_box(&pose);
        break;
      }
    }
  }
}
