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

typedef enum round_kind { BALL, ROD, TUBE } round_kind; /* a tube has no ends */
typedef struct round_mesh {
  uint32_t rings, segments; /* rings must be even; the equator is there twice */
  round_kind kind;
} round_mesh;

/* The finest is made to the budget, quick pictures choose among these too, by size. Hair is thinner
 * than a pixel: a tube of four sides. */
enum { COARSER = WEFT_DETAIL_LEVELS - 1 };
static const round_mesh coarser_balls[COARSER] = {
    {12, 24, BALL}, {8, 16, BALL}, {6, 10, BALL}, {4, 8, BALL}, {4, 6, BALL}};
static const round_mesh coarser_rods[COARSER] = {
    {8, 24, ROD}, {4, 16, ROD}, {4, 10, ROD}, {2, 6, ROD}, {2, 4, TUBE}};

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

static void fill_indices(uint32_t first, const round_mesh *m, uint32_t *out) {
  for (uint32_t row = 0; row < m->rings + 1; ++row) {
    bool equator = row == m->rings / 2;
    if (m->kind == BALL ? equator : m->kind == TUBE && !equator) continue;
    for (uint32_t s = 0; s < m->segments; ++s) {
      uint32_t a = first + row * (m->segments + 1) + s, b = a + m->segments + 1;
      const uint32_t quad[] = {a, b, a + 1, a + 1, b, b + 1};
      for (int k = 0; k < 6; ++k) *out++ = quad[k];
    }
  }
}

static uint32_t vertices_of(const round_mesh *m) { return (m->rings + 2) * (m->segments + 1); }

static uint32_t indices_of(const round_mesh *m) {
  const uint32_t rows[] = {m->rings, m->rings + 1, 1};
  return rows[m->kind] * m->segments * 6;
}

static weft_result make_meshes(weft_gl *gl, round_mesh finest, const round_mesh coarser[COARSER],
                               weft_render_round *round, weft_error *err) {
  round_mesh meshes[WEFT_DETAIL_LEVELS] = {finest};
  uint32_t count = 1;
  for (uint32_t k = 0; k < COARSER; ++k) {
    if (coarser[k].segments < finest.segments) meshes[count++] = coarser[k];
  }
  size_t vertex_count = 0, index_count = 0;
  for (uint32_t k = 0; k < count; ++k) {
    vertex_count += vertices_of(&meshes[k]);
    index_count += indices_of(&meshes[k]);
  }
  vec4 *vertices = weft_alloc(vertex_count, sizeof *vertices);
  uint32_t *indices = weft_alloc(index_count, sizeof *indices), vertex = 0, index = 0;
  round->levels.count = count;
  for (uint32_t k = 0; k < count; ++k) {
    round->levels.level[k].segments = meshes[k].segments;
    round->levels.level[k].first = index;
    round->levels.level[k].indices = indices_of(&meshes[k]);
    fill_vertices(meshes[k].rings, meshes[k].segments, vertices + vertex);
    fill_indices(vertex, &meshes[k], indices + index);
    vertex += vertices_of(&meshes[k]);
    index += indices_of(&meshes[k]);
  }
  weft_result result =
      weft_render_upload(gl, "render strand vertices", vertex_count * sizeof *vertices, vertices,
                         &round->vertices, err);
  if (!result) {
    result = weft_render_upload(gl, "render strand indices", index_count * sizeof *indices, indices,
                                &round->indices, err);
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
    bool is_ball = desc->strands[i].a == desc->strands[i].b;
    s->ball_count += is_ball;
    s->largest = fmaxf(s->largest, desc->strands[i].radius);
    float *own = is_ball ? &s->largest_ball : &s->largest_rod;
    *own = fmaxf(*own, desc->strands[i].radius);
  }
  for (uint32_t i = 0; i < desc->prop_count; ++i) {
    s->largest_prop = fmaxf(s->largest_prop, desc->props[i].radius);
  }
  s->rod_count = desc->strand_count - s->ball_count + desc->prop_count;
  if (s->ball_count + s->rod_count == 0) return WEFT_OK;
  uint32_t ball_segments = segments_for(s->ball_count, 1);
  uint32_t rod_segments = segments_for(s->rod_count, 0.7);
  const round_mesh ball = {ball_segments / 2, ball_segments, BALL};
  const round_mesh rod = {rod_segments > 16 ? 8 : 4, rod_segments, ROD};
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result = upload_instances(gl, desc, s, err);
  if (!result) result = make_meshes(gl, ball, coarser_balls, &s->ball, err);
  if (!result) result = make_meshes(gl, rod, coarser_rods, &s->rod, err);
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
  for (int i = 0; i < 3; ++i) glDeleteProgram(s->gather_values[i]);
  weft_gl_buffer_destroy(&s->values);
  weft_gl_buffer_destroy(&s->rows);
  weft_gl_buffer_destroy(&s->ends);
  *s = (weft_render_strands){0};
}

/* ---- drawing ---- */

void weft_strands_gather(weft_gl *gl, const weft_render_strands *s, const weft_gl_view *positions,
                         weft_vec3 origin) {
  if (s->moving_count == 0) return;
  glUseProgram(s->gather);
  weft_render_bind_positions(positions, origin);
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

static weft_result value_program(weft_gl *gl, weft_render_strands *s, int strain, weft_error *err) {
  static const char *const more[] = {"", " STRAIN", " STRAIN COMPRESSION"};
  char defines[64];
  snprintf(defines, sizeof defines, "WEFT_GROUP_SIZE=%u%s", gl->desc.group_size, more[strain]);
  if (s->gather_values[strain]) return WEFT_OK;
  return weft_gl_compute_program(gl, "render/strand_values.comp", defines, NULL,
                                 &s->gather_values[strain], err);
}

weft_result weft_strands_values(weft_gl *gl, weft_render_strands *s, const weft_render_views *views,
                                const weft_picture *picture, weft_error *err) {
  int strain = picture->mode == WEFT_VIEW_STRAIN        ? 1
               : picture->mode == WEFT_VIEW_COMPRESSION ? 2
                                                        : 0;
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

static void draw(const weft_render_round *round, float largest, const weft_picture *picture,
                 const weft_render_detail *detail, uint32_t first, uint32_t count) {
  if (count == 0) return;
  float away = weft_v3_length(weft_v3_sub(picture->centre, detail->eye));
  away = fmaxf(away - picture->radius, 0.2f * away);
  uint32_t level = weft_detail_level(&round->levels, detail, largest, away);
  const uintptr_t start = round->levels.level[level].first * sizeof(uint32_t);
  glBindVertexArray(round->vertex_array);
  glDrawElementsInstancedBaseInstance(GL_TRIANGLES, (GLsizei)round->levels.level[level].indices,
                                      GL_UNSIGNED_INT, (const void *)start, (GLsizei)count, first);
}

void weft_strands_draw(const weft_render_strands *s, const weft_picture *picture,
                       const weft_render_detail *detail) {
  weft_detail_begin(detail);
  uint32_t standing = s->ball_count + s->rod_count - s->moving_count;
  draw(&s->ball, s->largest_ball, picture, detail, 0, s->ball_count);
  draw(&s->rod, s->largest_rod, picture, detail, s->ball_count, s->rod_count - standing);
  draw(&s->rod, s->largest_prop, picture, detail, s->moving_count, standing);
  weft_detail_end(detail);
}

void weft_strands_draw_standing(const weft_render_strands *s, const weft_picture *picture,
                                const weft_render_detail *detail) {
  weft_detail_begin(detail);
  draw(&s->rod, s->largest_prop, picture, detail, s->moving_count,
       s->ball_count + s->rod_count - s->moving_count);
  weft_detail_end(detail);
}
