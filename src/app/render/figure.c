/* figure.c: a closed mesh that is seen in place of colliders. It moves by its vertices: normals are
 * made anew where one has moved. */
#include <string.h>

#include "fewer.h"
#include "render_internal.h"

typedef struct figure_vertex {
  vec4 normal, place; /* solid.vert: shape, corner */
} figure_vertex;

/* Edges of quick pictures, by the mean one. */
static const double coarsened = 2.2;

static void make_vertex_array(weft_render_figure *body) {
  glGenVertexArrays(1, &body->vertex_array);
  glBindVertexArray(body->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, body->vertex_array, -1, "render figure");
  for (GLuint k = 0; k < 2; ++k) {
    glEnableVertexAttribArray(k);
    glVertexAttribFormat(k, 4, GL_FLOAT, GL_FALSE, k * (GLuint)sizeof(vec4));
    glVertexAttribBinding(k, 0);
  }
  glBindVertexBuffer(0, body->vertices.name, 0, sizeof(figure_vertex));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, body->indices.name);
  glBindVertexArray(0);
}

static weft_result upload_indices(weft_gl *gl, const weft_mesh *mesh, weft_render_figure *body,
                                  weft_error *err) {
  weft_mesh_report report;
  uint32_t *few, count;
  weft_mesh_inspect(mesh, &report);
  weft_mesh_fewer(mesh, coarsened * (double)report.mean_edge, &few, &count);
  body->few_first = 3 * mesh->triangle_count;
  body->few_count = 3 * count;
  size_t all = (size_t)body->few_first + body->few_count;
  uint32_t *indices = weft_alloc(all, sizeof *indices);
  memcpy(indices, mesh->triangles, body->few_first * sizeof *indices);
  memcpy(indices + body->few_first, few, body->few_count * sizeof *indices);
  weft_result result = weft_gl_buffer_create(gl, "render figure indices", all * sizeof *indices, 0,
                                             GL_STATIC_DRAW, indices, &body->indices, err);
  weft_free(indices);
  weft_free(few);
  return result;
}

weft_result weft_render_figure_create(weft_gl *gl, const weft_mesh *mesh, weft_render_figure *body,
                                      weft_error *err) {
  if (!mesh) return WEFT_OK;
  size_t corners = 3 * (size_t)mesh->triangle_count;
  body->vertex_count = mesh->vertex_count;
  body->triangle_count = mesh->triangle_count;
  body->positions = weft_alloc(mesh->vertex_count, sizeof *body->positions);
  body->triangles = weft_alloc(corners, sizeof *body->triangles);
  memcpy(body->triangles, mesh->triangles, corners * sizeof *body->triangles);
  weft_result result = upload_indices(gl, mesh, body, err);
  if (!result) {
    result = weft_gl_buffer_create(gl, "render figure vertices",
                                   (uint64_t)mesh->vertex_count * sizeof(figure_vertex), 0,
                                   GL_DYNAMIC_DRAW, NULL, &body->vertices, err);
  }
  if (!result) make_vertex_array(body);
  return result;
}

void weft_render_figure_destroy(weft_render_figure *body) {
  glDeleteVertexArrays(1, &body->vertex_array);
  weft_gl_buffer_destroy(&body->vertices);
  weft_gl_buffer_destroy(&body->indices);
  weft_free(body->triangles);
  weft_free(body->positions);
  *body = (weft_render_figure){0};
}

/* Sums of the normals of triangles by their areas (Gouraud 1971). */
static void add_normals(const weft_render_figure *body, figure_vertex *vertices) {
  for (uint32_t t = 0; t < body->triangle_count; ++t) {
    const uint32_t *c = body->triangles + 3 * (size_t)t;
    weft_vec3 a = body->positions[c[0]];
    weft_vec3 n =
        weft_v3_cross(weft_v3_sub(body->positions[c[1]], a), weft_v3_sub(body->positions[c[2]], a));
    for (int k = 0; k < 3; ++k) {
      vec4 *sum = &vertices[c[k]].normal;
      *sum = (vec4){sum->x + n.x, sum->y + n.y, sum->z + n.z, 0};
    }
  }
}

void weft_render_figure_place(weft_render_figure *body, const weft_picture *picture) {
  size_t bytes = body->vertex_count * sizeof *body->positions;
  if (!body->vertex_array || !picture->figure_positions) return;
  if (memcmp(body->positions, picture->figure_positions, bytes) == 0) return;
  memcpy(body->positions, picture->figure_positions, bytes);
  figure_vertex *vertices = weft_alloc(body->vertex_count, sizeof *vertices);
  for (uint32_t v = 0; v < body->vertex_count; ++v) {
    weft_vec3 p = body->positions[v];
    vertices[v].place = (vec4){p.x, p.y, p.z, 0};
  }
  add_normals(body, vertices);
  glBindBuffer(GL_ARRAY_BUFFER, body->vertices.name);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(body->vertex_count * sizeof *vertices), vertices,
               GL_DYNAMIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  weft_free(vertices);
}

/* As a box of half size one whose corners are the vertices. */
void weft_render_figure_draw(const weft_render_figure *body, const weft_picture *picture,
                             const weft_render_detail *detail) {
  static const GLfloat straight[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (!body->vertex_array || !picture->figure_positions) return;
  bool few = detail->pixels > 0;
  glUniform4f(WEFT_RENDER_LOCATION_A, 0, 0, 0, 0);
  glUniform4f(WEFT_RENDER_LOCATION_B, 0, 0, 0, 1);
  glUniform3f(WEFT_RENDER_LOCATION_HALF, 1, 1, 1);
  glUniformMatrix3fv(WEFT_RENDER_LOCATION_BASIS, 1, GL_FALSE, straight);
  glBindVertexArray(body->vertex_array);
  weft_detail_begin(detail);
  const uintptr_t first = few ? body->few_first * sizeof(uint32_t) : 0;
  glDrawElements(GL_TRIANGLES, (GLsizei)(few ? body->few_count : body->few_first), GL_UNSIGNED_INT,
                 (const void *)first);
  weft_detail_end(detail);
}
