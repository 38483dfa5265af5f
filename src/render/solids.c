/* Colliders as meshes. One set of unit normals serves every sphere and capsule, whatever its size:
 * the upper half of the ball rides on end b of the axis, the lower half on end a. */
#include <math.h>

#include "inside.h"
#include "matrix.h"

enum { RINGS = 48, SEGMENTS = 128, ROWS = RINGS + 2 }; /* the equator is there twice */

void weft_collider_at(const weft_collider *collider, double time, weft_vec3 *a, weft_vec3 *b) {
  *a = collider->a;
  *b = collider->b;
  const weft_collider_key *keys = collider->keys;
  uint32_t count = collider->key_count;
  if (!keys || count == 0) return;
  uint32_t next = 0;
  while (next < count && (double)keys[next].time <= time) ++next;
  const weft_collider_key *to = &keys[next < count ? next : count - 1];
  const weft_collider_key *from = &keys[next > 0 ? next - 1 : 0];
  double span = (double)to->time - (double)from->time;
  float t = span > 0 ? (float)((time - (double)from->time) / span) : 0;
  *a = weft_v3_add(from->a, weft_v3_scale(weft_v3_sub(to->a, from->a), t));
  *b = weft_v3_add(from->b, weft_v3_scale(weft_v3_sub(to->b, from->b), t));
}

static void fill_vertices(vec4 *vertices) {
  const double pi = 3.14159265358979;
  for (int row = 0; row < ROWS; ++row) {
    int upper = row > RINGS / 2;
    double latitude = pi * ((row - upper) / (double)RINGS - 0.5);
    for (int s = 0; s <= SEGMENTS; ++s) {
      double longitude = 2 * pi * s / SEGMENTS;
      vertices[row * (SEGMENTS + 1) + s] =
          (vec4){(float)(cos(latitude) * cos(longitude)), (float)sin(latitude),
                 (float)(cos(latitude) * sin(longitude)), (float)upper};
    }
  }
}

static void fill_indices(uint32_t *indices) {
  for (uint32_t row = 0; row + 1 < ROWS; ++row) {
    for (uint32_t s = 0; s < SEGMENTS; ++s) {
      uint32_t a = row * (SEGMENTS + 1) + s, b = a + SEGMENTS + 1;
      const uint32_t quad[] = {a, b, a + 1, a + 1, b, b + 1};
      for (int k = 0; k < 6; ++k) *indices++ = quad[k];
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
  glBindVertexBuffer(0, solids->vertices.name, 0, sizeof(vec4));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, solids->indices.name);
  glBindVertexArray(0);
}

weft_result weft_solids_create(weft_gl *gl, weft_render_solids *solids, weft_error *err) {
  size_t vertex_count = (size_t)ROWS * (SEGMENTS + 1);
  solids->index_count = (ROWS - 1) * SEGMENTS * 6;
  vec4 *vertices = weft_alloc(vertex_count, sizeof *vertices);
  uint32_t *indices = weft_alloc(solids->index_count, sizeof *indices);
  fill_vertices(vertices);
  fill_indices(indices);
  weft_result result =
      weft_gl_buffer_create(gl, "render solid vertices", vertex_count * sizeof *vertices, 0,
                            GL_STATIC_DRAW, vertices, &solids->vertices, err);
  if (!result) {
    result =
        weft_gl_buffer_create(gl, "render solid indices", solids->index_count * sizeof *indices, 0,
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

static void draw(const weft_render_solids *solids, weft_vec3 a, weft_vec3 b, weft_vec3 axis,
                 float radius, float flattening) {
  weft_vec3 u, v, y = weft_v3_unit(axis);
  weft_square_to(y, &u, &v);
  const GLfloat basis[] = {u.x, u.y, u.z, y.x, y.y, y.z, -v.x, -v.y, -v.z};
  glUniform4f(WEFT_RENDER_LOCATION_A, a.x, a.y, a.z, radius);
  glUniform4f(WEFT_RENDER_LOCATION_B, b.x, b.y, b.z, flattening);
  glUniformMatrix3fv(WEFT_RENDER_LOCATION_BASIS, 1, GL_FALSE, basis);
  glDrawElements(GL_TRIANGLES, (GLsizei)solids->index_count, GL_UNSIGNED_INT, NULL);
}

/* A disc under the middle of the picture, its face in the plane; floors are drawn by others. */
static void draw_plane(const weft_render_solids *solids, const weft_picture *picture,
                       weft_vec3 point, weft_vec3 normal) {
  const float flattening = 0.004f;
  float radius = 1.2f * picture->radius;
  if (normal.y > 0.999f) return;
  float height = weft_v3_dot(weft_v3_sub(picture->centre, point), normal) + radius * flattening;
  weft_vec3 middle = weft_v3_sub(picture->centre, weft_v3_scale(normal, height));
  draw(solids, middle, middle, normal, radius, flattening);
}

void weft_solids_draw(const weft_render_solids *solids, const weft_picture *picture) {
  glBindVertexArray(solids->vertex_array);
  for (uint32_t i = 0; i < picture->collider_count; ++i) {
    const weft_collider *c = &picture->colliders[i];
    weft_vec3 a, b;
    weft_collider_at(c, picture->time, &a, &b);
    if (c->shape == WEFT_COLLIDER_PLANE) {
      draw_plane(solids, picture, a, b);
    } else if (c->shape == WEFT_COLLIDER_SPHERE) {
      draw(solids, a, a, weft_v3(0, 1, 0), c->radius, 1);
    } else {
      draw(solids, a, b, weft_v3_sub(b, a), c->radius, 1);
    }
  }
}
