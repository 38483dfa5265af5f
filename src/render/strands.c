/* Balls and rods between particles: beads, chains, hair, sand. One mesh of unit normals that opens
 * up between two ends, as for the colliders, is drawn once an instance; where the ends are is
 * gathered from the solver's positions for every picture. Vertex shaders need not have storage
 * blocks in GL 4.3, so a compute shader gathers. */
#include <math.h>

#include "render_internal.h"

/* Triangles of all balls, or of all rods, that a picture is about to have. */
static const double budget = 300000;

enum { MIN_SEGMENTS = 8, MAX_SEGMENTS = 48 };

typedef struct weft_strand_row {
  uint32_t a, b;
  float radius;
  uint32_t colour; /* 0x1RRGGBB, or 0 for the dye */
} weft_strand_row;

/* ---- the meshes ---- */

/* rings must be even; the equator is there twice. */
static void fill_vertices(uint32_t rings, uint32_t segments, vec4 *out) {
  const double pi = 3.14159265358979;
  for (uint32_t row = 0; row < rings + 2; ++row) {
    uint32_t upper = row > rings / 2;
    double latitude = pi * ((double)(row - upper) / rings - 0.5);
    for (uint32_t s = 0; s <= segments; ++s) {
      double longitude = 2 * pi * s / segments;
      *out++ = (vec4){(float)(cos(latitude) * cos(longitude)), (float)sin(latitude),
                      (float)(cos(latitude) * sin(longitude)), (float)upper};
    }
  }
}

static void fill_indices(uint32_t rings, uint32_t segments, uint32_t *out) {
  for (uint32_t row = 0; row < rings + 1; ++row) {
    for (uint32_t s = 0; s < segments; ++s) {
      uint32_t a = row * (segments + 1) + s, b = a + segments + 1;
      const uint32_t quad[] = {a, b, a + 1, a + 1, b, b + 1};
      for (int k = 0; k < 6; ++k) *out++ = quad[k];
    }
  }
}

static weft_result make_mesh(weft_gl *gl, uint32_t rings, uint32_t segments,
                             weft_render_round *round, weft_error *err) {
  size_t vertex_count = (size_t)(rings + 2) * (segments + 1);
  round->index_count = (rings + 1) * segments * 6;
  vec4 *vertices = weft_alloc(vertex_count, sizeof *vertices);
  uint32_t *indices = weft_alloc(round->index_count, sizeof *indices);
  fill_vertices(rings, segments, vertices);
  fill_indices(rings, segments, indices);
  weft_result result =
      weft_render_upload(gl, "render strand vertices", vertex_count * sizeof *vertices, vertices,
                         &round->vertices, err);
  if (!result) {
    result = weft_render_upload(gl, "render strand indices", round->index_count * sizeof *indices,
                                indices, &round->indices, err);
  }
  weft_free(vertices);
  weft_free(indices);
  return result;
}

/* So many segments that all instances together keep to the budget. */
static uint32_t segments_for(uint32_t instances, double triangles_per_segment2) {
  double each = budget / fmax(instances, 1);
  double segments = sqrt(each / triangles_per_segment2);
  segments = fmin(fmax(segments, MIN_SEGMENTS), MAX_SEGMENTS);
  return (uint32_t)segments / 4 * 4;
}

static void make_vertex_array(weft_render_strands *s, weft_render_round *round) {
  glGenVertexArrays(1, &round->vertex_array);
  glBindVertexArray(round->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, round->vertex_array, -1, "render strands");
  for (GLuint i = 0; i < 4; ++i) glEnableVertexAttribArray(i);
  glVertexAttribFormat(0, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribBinding(0, 0);
  glVertexAttribFormat(1, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribBinding(1, 1);
  glVertexAttribFormat(2, 4, GL_FLOAT, GL_FALSE, sizeof(vec4));
  glVertexAttribBinding(2, 1);
  glVertexAttribIFormat(3, 4, GL_UNSIGNED_INT, 0);
  glVertexAttribBinding(3, 2);
  glVertexAttribFormat(4, 4, GL_FLOAT, GL_FALSE, 0); /* enabled where there are values */
  glVertexAttribBinding(4, 3);
  glVertexBindingDivisor(3, 1);
  glVertexBindingDivisor(1, 1);
  glVertexBindingDivisor(2, 1);
  glBindVertexBuffer(0, round->vertices.name, 0, sizeof(vec4));
  glBindVertexBuffer(1, s->ends.name, 0, 2 * sizeof(vec4));
  glBindVertexBuffer(2, s->rows.name, 0, sizeof(weft_strand_row));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, round->indices.name);
  glBindVertexArray(0);
}

/* ---- the instances: balls, then rods, then what stands still ---- */

static uint32_t colour_of(uint32_t colour) {
  return colour == WEFT_STRAND_DYE ? 0 : 0x1000000u | (colour & 0xffffffu);
}

static void fill_instances(const weft_renderer_desc *d, weft_render_strands *s,
                           weft_strand_row *rows, vec4 *ends) {
  uint32_t ball = 0, rod = s->ball_count;
  for (uint32_t i = 0; i < d->strand_count; ++i) {
    const weft_strand *from = &d->strands[i];
    WEFT_CHECK(from->a < d->particle_count && from->b < d->particle_count,
               "a strand joins particles of the renderer's");
    rows[from->a == from->b ? ball++ : rod++] =
        (weft_strand_row){from->a, from->b, from->radius, colour_of(from->colour)};
  }
  for (uint32_t i = 0; i < d->prop_count; ++i, ++rod) {
    const weft_prop *p = &d->props[i];
    rows[rod] = (weft_strand_row){0, 0, p->radius, colour_of(p->colour)};
    ends[2 * (size_t)rod] = (vec4){p->a.x, p->a.y, p->a.z, p->radius};
    ends[2 * (size_t)rod + 1] = (vec4){p->b.x, p->b.y, p->b.z, 0};
  }
}

static weft_result upload_instances(weft_gl *gl, const weft_renderer_desc *d,
                                    weft_render_strands *s, weft_error *err) {
  uint32_t all = s->ball_count + s->rod_count;
  weft_strand_row *rows = weft_alloc(all, sizeof *rows);
  vec4 *ends = weft_alloc(2 * (size_t)all, sizeof *ends);
  fill_instances(d, s, rows, ends);
  weft_result result =
      weft_render_upload(gl, "render strands", (uint64_t)all * sizeof *rows, rows, &s->rows, err);
  if (!result) {
    result = weft_render_upload(gl, "render strand ends", 2 * (uint64_t)all * sizeof *ends, ends,
                                &s->ends, err);
  }
  weft_free(rows);
  weft_free(ends);
  return result;
}

/* ---- life ---- */

weft_result weft_strands_create(weft_gl *gl, const weft_renderer_desc *desc, weft_render_strands *s,
                                weft_error *err) {
  s->moving_count = desc->strand_count;
  for (uint32_t i = 0; i < desc->strand_count; ++i) {
    s->ball_count += desc->strands[i].a == desc->strands[i].b;
    s->largest = fmaxf(s->largest, desc->strands[i].radius);
  }
  s->rod_count = desc->strand_count - s->ball_count + desc->prop_count;
  if (s->ball_count + s->rod_count == 0) return WEFT_OK;
  uint32_t ball_segments = segments_for(s->ball_count, 1);
  uint32_t rod_segments = segments_for(s->rod_count, 0.7);
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result = upload_instances(gl, desc, s, err);
  if (!result) result = make_mesh(gl, ball_segments / 2, ball_segments, &s->ball, err);
  if (!result) result = make_mesh(gl, rod_segments > 16 ? 8 : 4, rod_segments, &s->rod, err);
  if (!result) {
    result = weft_gl_compute_program(gl, "render/strands.comp", group_size, NULL, &s->gather, err);
  }
  if (result) return result;
  make_vertex_array(s, &s->ball);
  make_vertex_array(s, &s->rod);
  return WEFT_OK;
}

static void destroy_round(weft_render_round *round) {
  glDeleteVertexArrays(1, &round->vertex_array);
  weft_gl_buffer_destroy(&round->vertices);
  weft_gl_buffer_destroy(&round->indices);
}

void weft_strands_destroy(weft_render_strands *s) {
  destroy_round(&s->ball);
  destroy_round(&s->rod);
  glDeleteProgram(s->gather);
  for (int i = 0; i < 2; ++i) glDeleteProgram(s->gather_values[i]);
  weft_gl_buffer_destroy(&s->values);
  weft_gl_buffer_destroy(&s->rows);
  weft_gl_buffer_destroy(&s->ends);
  *s = (weft_render_strands){0};
}

/* ---- drawing ---- */

void weft_strands_gather(weft_gl *gl, const weft_render_strands *s, const weft_gl_view *positions) {
  if (s->moving_count == 0) return;
  glUseProgram(s->gather);
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, WEFT_RENDER_SLOT_X, positions->buffer,
                    (GLintptr)positions->offset, (GLsizeiptr)positions->size);
  weft_render_bind(WEFT_RENDER_SLOT_STRANDS, &s->rows);
  weft_render_bind(WEFT_RENDER_SLOT_ENDS, &s->ends);
  weft_render_dispatch(gl, s->moving_count);
}

/* Props have no particles: nothing is measured there. */
static weft_result make_values(weft_gl *gl, weft_render_strands *s, weft_error *err) {
  uint32_t all = s->ball_count + s->rod_count;
  vec4 *rows = weft_alloc(all, sizeof *rows);
  const float none = (float)WEFT_NO_VALUE;
  for (uint32_t i = 0; i < all; ++i) rows[i] = (vec4){none, 0, none, 0};
  weft_result result = weft_render_upload(gl, "render strand values", (uint64_t)all * sizeof *rows,
                                          rows, &s->values, err);
  weft_free(rows);
  if (result) return result;
  const GLuint arrays[] = {s->ball.vertex_array, s->rod.vertex_array};
  for (int i = 0; i < 2; ++i) {
    glBindVertexArray(arrays[i]);
    glBindVertexBuffer(3, s->values.name, 0, sizeof(vec4));
    glEnableVertexAttribArray(4);
  }
  glBindVertexArray(0);
  return WEFT_OK;
}

static weft_result value_program(weft_gl *gl, weft_render_strands *s, bool strain,
                                 weft_error *err) {
  char defines[64];
  snprintf(defines, sizeof defines, "WEFT_GROUP_SIZE=%u%s", gl->desc.group_size,
           strain ? " STRAIN" : "");
  if (s->gather_values[strain]) return WEFT_OK;
  return weft_gl_compute_program(gl, "render/strand_values.comp", defines, NULL,
                                 &s->gather_values[strain], err);
}

weft_result weft_strands_values(weft_gl *gl, weft_render_strands *s, const weft_render_views *views,
                                const weft_picture *picture, weft_error *err) {
  bool strain = picture->mode == WEFT_VIEW_STRAIN;
  if (s->ball_count + s->rod_count == 0) return WEFT_OK;
  weft_result result = s->values.name ? WEFT_OK : make_values(gl, s, err);
  if (!result) result = value_program(gl, s, strain, err);
  if (result || s->moving_count == 0) return result;
  glUseProgram(s->gather_values[strain]);
  if (strain) result = weft_views_bind_strain(gl, views, picture, err);
  if (result) return result;
  weft_render_bind(WEFT_RENDER_SLOT_VALUES, &views->values);
  weft_render_bind(WEFT_RENDER_SLOT_INSTANCES, &s->rows);
  weft_render_bind(WEFT_RENDER_SLOT_STRAND_VALUES, &s->values);
  weft_render_dispatch(gl, s->moving_count);
  return WEFT_OK;
}

static void draw(const weft_render_round *round, uint32_t first, uint32_t count) {
  if (count == 0) return;
  glBindVertexArray(round->vertex_array);
  glDrawElementsInstancedBaseInstance(GL_TRIANGLES, (GLsizei)round->index_count, GL_UNSIGNED_INT,
                                      NULL, (GLsizei)count, first);
}

void weft_strands_draw(const weft_render_strands *s) {
  draw(&s->ball, 0, s->ball_count);
  draw(&s->rod, s->ball_count, s->rod_count);
}

void weft_strands_draw_standing(const weft_render_strands *s) {
  draw(&s->rod, s->moving_count, s->ball_count + s->rod_count - s->moving_count);
}
