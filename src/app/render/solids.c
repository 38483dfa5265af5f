/* solids.c: colliders as meshes. One set of unit normals serves every sphere and capsule, whatever
 * its size: the upper half of the ball rides on end b of the axis, the lower half on end a. Boxes
 * follow it in the same buffers. */
#include <math.h>

#include "inspect.h"
#include "matrix.h"
#include "render_internal.h"

/* The finest; quick pictures choose among more. Rings are even. */
static const struct {
  uint32_t segments, rings;
} meshes[WEFT_DETAIL_LEVELS] = {{128, 48}, {64, 32}, {40, 20}, {24, 12}, {16, 8}, {10, 6}};

void weft_collider_at(const weft_collider *collider, double time, weft_vec3 *a, weft_vec3 *b) {
  weft_collider_pose pose = weft_collider_pose_at(collider, time, time, 0);
  *a = weft_v3(pose.a.x, pose.a.y, pose.a.z);
  *b = weft_v3(pose.b.x, pose.b.y, pose.b.z);
}

typedef struct solid_vertex {
  vec4 shape, corner; /* as solid.vert has them */
} solid_vertex;

enum { BOX_VERTICES = 24, BOX_INDICES = 36 };

static uint32_t ball_vertices(uint32_t level) { /* the equator is there twice */
  return (meshes[level].rings + 2) * (meshes[level].segments + 1);
}

static uint32_t ball_indices(uint32_t level) {
  return (meshes[level].rings + 1) * meshes[level].segments * 6;
}

static void fill_ball(uint32_t level, solid_vertex *vertices) {
  const double pi = 3.14159265358979;
  const int rings = (int)meshes[level].rings, segments = (int)meshes[level].segments;
  for (int row = 0; row < rings + 2; ++row) {
    int upper = row > rings / 2;
    double latitude = pi * ((row - upper) / (double)rings - 0.5);
    for (int s = 0; s <= segments; ++s) {
      double longitude = 2 * pi * s / segments;
      vertices[row * (segments + 1) + s].shape =
          (vec4){(float)(cos(latitude) * cos(longitude)), (float)sin(latitude),
                 (float)(cos(latitude) * sin(longitude)), (float)upper};
    }
  }
}

static void fill_ball_indices(uint32_t level, uint32_t first, uint32_t *indices) {
  const uint32_t segments = meshes[level].segments;
  for (uint32_t row = 0; row < meshes[level].rings + 1; ++row) {
    for (uint32_t s = 0; s < segments; ++s) {
      uint32_t a = first + row * (segments + 1) + s, b = a + segments + 1;
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
      indices[6 * face + k] = 4 * face + (face % 2 ? out[k] : in[k]);
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
  weft_render_levels *levels = &solids->levels;
  size_t vertex_count = BOX_VERTICES, index_count = BOX_INDICES;
  levels->count = WEFT_DETAIL_LEVELS;
  for (uint32_t k = 0; k < levels->count; ++k) {
    vertex_count += ball_vertices(k);
    index_count += ball_indices(k);
  }
  solid_vertex *vertices = weft_alloc(vertex_count, sizeof *vertices);
  uint32_t *indices = weft_alloc(index_count, sizeof *indices);
  fill_box(vertices, indices);
  uint32_t vertex = BOX_VERTICES, index = BOX_INDICES;
  for (uint32_t k = 0; k < levels->count; ++k) {
    levels->level[k].segments = meshes[k].segments;
    levels->level[k].first = index;
    levels->level[k].indices = ball_indices(k);
    fill_ball(k, vertices + vertex);
    fill_ball_indices(k, vertex, indices + index);
    vertex += ball_vertices(k);
    index += ball_indices(k);
  }
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

static void draw(const weft_render_solids *solids, uint32_t level, weft_vec3 a, weft_vec3 b,
                 weft_vec3 axis, float radius, float flattening) {
  weft_vec3 u, v, y = weft_v3_unit(axis);
  weft_square_to(y, &u, &v);
  const GLfloat basis[] = {u.x, u.y, u.z, y.x, y.y, y.z, -v.x, -v.y, -v.z};
  glUniform4f(WEFT_RENDER_LOCATION_A, a.x, a.y, a.z, radius);
  glUniform4f(WEFT_RENDER_LOCATION_B, b.x, b.y, b.z, flattening);
  glUniformMatrix3fv(WEFT_RENDER_LOCATION_BASIS, 1, GL_FALSE, basis);
  const uintptr_t first = solids->levels.level[level].first * sizeof(uint32_t);
  glDrawElements(GL_TRIANGLES, (GLsizei)solids->levels.level[level].indices, GL_UNSIGNED_INT,
                 (const void *)first);
}

static void draw_box(const weft_collider_pose *p) {
  const GLfloat basis[] = {p->axis_x.x, p->axis_x.y, p->axis_x.z, p->axis_y.x, p->axis_y.y,
                           p->axis_y.z, p->axis_z.x, p->axis_z.y, p->axis_z.z};
  glUniform4f(WEFT_RENDER_LOCATION_A, p->a.x, p->a.y, p->a.z, 0);
  glUniform4f(WEFT_RENDER_LOCATION_B, p->a.x, p->a.y, p->a.z, 1);
  glUniform3f(WEFT_RENDER_LOCATION_HALF, p->b.x, p->b.y, p->b.z);
  glUniformMatrix3fv(WEFT_RENDER_LOCATION_BASIS, 1, GL_FALSE, basis);
  glDrawElements(GL_TRIANGLES, BOX_INDICES, GL_UNSIGNED_INT, NULL);
}

/* A disc under the middle of the picture, its face in the plane; floors are drawn by others. */
static void draw_plane(const weft_render_solids *solids, const weft_picture *picture,
                       weft_vec3 point, weft_vec3 normal) {
  const float flattening = 0.004f;
  float radius = 1.2f * picture->radius;
  if (normal.y > 0.999f) return;
  float height = weft_v3_dot(weft_v3_sub(picture->centre, point), normal) + radius * flattening;
  weft_vec3 middle = weft_v3_sub(picture->centre, weft_v3_scale(normal, height));
  draw(solids, 0, middle, middle, normal, radius, flattening);
}

static void draw_round(const weft_render_solids *solids, const weft_render_detail *detail,
                       weft_vec3 a, weft_vec3 b, weft_vec3 axis, float radius) {
  float to_a = weft_v3_length(weft_v3_sub(a, detail->eye));
  float to_b = weft_v3_length(weft_v3_sub(b, detail->eye));
  uint32_t level = weft_detail_level(&solids->levels, detail, radius, fminf(to_a, to_b) - radius);
  draw(solids, level, a, b, axis, radius, 1);
}

void weft_solids_draw(const weft_render_solids *solids, const weft_picture *picture,
                      const weft_render_detail *detail) {
  glBindVertexArray(solids->vertex_array);
  weft_detail_begin(detail);
  for (uint32_t i = 0; i < picture->collider_count; ++i) {
    const weft_collider *c = &picture->colliders[i];
    if (picture->hidden >> i & 1) continue;
    weft_vec3 a, b;
    weft_collider_at(c, picture->time, &a, &b);
    const weft_shape_info *shape = &weft_shape_infos[c->shape];
    switch (shape->size) {
      case WEFT_SHAPE_ENDLESS:
        draw_plane(solids, picture, a, b);
        break;
      case WEFT_SHAPE_RADIUS:
        if (!shape->axis) b = a;
        draw_round(solids, detail, a, b, shape->axis ? weft_v3_sub(b, a) : weft_v3(0, 1, 0),
                   c->radius);
        break;
      case WEFT_SHAPE_HALF: {
        weft_collider_pose pose = weft_collider_pose_at(c, picture->time, picture->time, 0);
        draw_box(&pose);
        break;
      }
    }
  }
  weft_detail_end(detail);
}
