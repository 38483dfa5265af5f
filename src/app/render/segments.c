/* segments.c: constraints as ribbons, each batch of the graph colouring in a colour of its own.
 * Where they are comes from the solver's positions, gathered on the GPU. */
#include <math.h>

#include "render_internal.h"

uint32_t weft_view_batch_count(const weft_model *model) {
  uint32_t count = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) count += model->groups[g].colour_count;
  return count;
}

/* ---- colours of batches ---- */

typedef struct rgb {
  double r, g, b;
} rgb;

/* Ottosson 2020, as in map.glsl. */
static rgb linear_of_oklab(double lightness, double chroma, double hue) {
  double a = chroma * cos(hue), b = chroma * sin(hue);
  double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return (rgb){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
               -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
               -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

static bool shown(rgb c) {
  return fmin(c.r, fmin(c.g, c.b)) >= 0 && fmax(c.r, fmax(c.g, c.b)) <= 1;
}

static uint32_t byte_of(double x) {
  double s = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
  return (uint32_t)(255 * s + 0.5);
}

/* Hues a golden angle apart, in three lightnesses: neighbours in number are far apart in colour. */
static uint32_t batch_rgb(uint32_t batch) {
  static const double lightness[] = {0.70, 0.52, 0.84};
  double chroma = 0.20, hue = 0.7 + 2.39996323 * batch;
  rgb c = linear_of_oklab(lightness[batch % 3], chroma, hue);
  while (!shown(c)) {
    chroma -= 0.005;
    c = linear_of_oklab(lightness[batch % 3], chroma, hue);
  }
  return byte_of(c.r) << 16 | byte_of(c.g) << 8 | byte_of(c.b);
}

/* ---- rows ---- */

/* A pair is one line, a triangle three; a hinge two: its edge, and from wing to wing. */
static uint32_t lines_of(const weft_constraint_group *g) {
  static const uint32_t lines[] = {0, 0, 1, 3, 2};
  return lines[g->arity];
}

static weft_render_segment line_of(const uint32_t *particles, uint32_t arity, uint32_t line,
                                   uint32_t colour) {
  if (arity == 3)
    return (weft_render_segment){particles[line], particles[(line + 1) % 3], 0, colour};
  return (weft_render_segment){particles[2 * line], particles[2 * line + 1], 0, colour};
}

static void fill_rows(const weft_model *model, const weft_render_segments *s,
                      weft_render_segment *rows) {
  const weft_render_batch *batch = s->batches;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t c = 0; c < g->colour_count; ++c, ++batch) {
      for (uint32_t i = g->colour_first[c]; i < g->colour_first[c + 1]; ++i) {
        const uint32_t *particles = &g->particles[(size_t)i * g->arity];
        for (uint32_t line = 0; line < lines_of(g); ++line) {
          *rows++ = line_of(particles, g->arity, line, batch->rgb);
        }
      }
    }
  }
}

static void list_batches(const weft_model *model, weft_render_segments *s) {
  s->batch_count = weft_view_batch_count(model);
  s->batches = weft_alloc(s->batch_count, sizeof *s->batches);
  weft_render_batch *batch = s->batches;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t c = 0; c < g->colour_count; ++c, ++batch) {
      uint32_t count = g->colour_sizes[c];
      *batch = (weft_render_batch){g->name,
                                   g->role,
                                   c,
                                   s->count,
                                   count * lines_of(g),
                                   count,
                                   batch_rgb((uint32_t)(batch - s->batches))};
      s->count += batch->count;
    }
  }
}

static float mean_edge(const weft_model *model) {
  double sum = 0, count = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    if (g->type != WEFT_CONSTRAINT_DISTANCE) continue;
    for (uint32_t i = 0; i < g->count; ++i) sum += (double)g->rest[i];
    count += g->count;
  }
  return count > 0 ? (float)(sum / count) : 0.01f;
}

/* ---- life ---- */

static void make_vertex_array(weft_render_segments *s) {
  glGenVertexArrays(1, &s->vertex_array);
  glBindVertexArray(s->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, s->vertex_array, -1, "render segments");
  for (GLuint i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
  glVertexAttribFormat(0, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribFormat(1, 4, GL_FLOAT, GL_FALSE, sizeof(vec4));
  glVertexAttribIFormat(2, 1, GL_UNSIGNED_INT, offsetof(weft_render_segment, rgb));
  glVertexAttribBinding(0, 0);
  glVertexAttribBinding(1, 0);
  glVertexAttribBinding(2, 1);
  glVertexBindingDivisor(0, 1);
  glVertexBindingDivisor(1, 1);
  glBindVertexBuffer(0, s->ends.name, 0, 2 * sizeof(vec4));
  glBindVertexBuffer(1, s->rows.name, 0, sizeof(weft_render_segment));
  glBindVertexArray(0);
}

static weft_result make(weft_gl *gl, weft_render_segments *s, const weft_model *model,
                        weft_error *err) {
  list_batches(model, s);
  s->edge = mean_edge(model);
  weft_render_segment *rows = weft_alloc(s->count, sizeof *rows);
  fill_rows(model, s, rows);
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result = weft_render_upload(gl, "render segments", (uint64_t)s->count * sizeof *rows,
                                          rows, &s->rows, err);
  weft_free(rows);
  if (!result) {
    result = weft_render_upload(gl, "render segment ends", 2 * (uint64_t)s->count * sizeof(vec4),
                                NULL, &s->ends, err);
  }
  if (!result) {
    result = weft_gl_compute_program(gl, "render/segments.comp", group_size, NULL, &s->gather, err);
  }
  if (!result) {
    result = weft_gl_render_program(gl, "render/segment.vert", "render/segment.frag", NULL,
                                    &s->program, err);
  }
  if (result) return result;
  make_vertex_array(s);
  s->model = model;
  return WEFT_OK;
}

void weft_segments_destroy(weft_render_segments *s) {
  glDeleteVertexArrays(1, &s->vertex_array);
  glDeleteProgram(s->gather);
  glDeleteProgram(s->program);
  weft_gl_buffer_destroy(&s->rows);
  weft_gl_buffer_destroy(&s->ends);
  weft_free(s->batches);
  *s = (weft_render_segments){0};
}

static weft_result check_batch(const weft_render_segments *s, const weft_picture *picture,
                               weft_error *err) {
  if (!picture->one_batch || picture->batch < s->batch_count) return WEFT_OK;
  if (s->batch_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "batch %u: this model has no constraints",
                     picture->batch);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "batch %u: this model has batches 0 to %u",
                   picture->batch, s->batch_count - 1);
}

weft_result weft_segments_update(weft_gl *gl, weft_render_segments *s, const weft_picture *picture,
                                 weft_error *err) {
  const weft_model *model = weft_solver_model(picture->solver);
  weft_result result = WEFT_OK;
  if (s->model != model) {
    weft_segments_destroy(s);
    result = make(gl, s, model, err);
  }
  if (!result) result = check_batch(s, picture, err);
  if (result) return result;
  glUseProgram(s->gather);
  weft_render_bind_positions(&picture->positions, picture->origin);
  weft_render_bind(WEFT_RENDER_SLOT_SEGMENTS, &s->rows);
  weft_render_bind(WEFT_RENDER_SLOT_ENDS, &s->ends);
  weft_render_dispatch(gl, s->count);
  return WEFT_OK;
}

/* ---- drawing ---- */

/* All that hold lengths; hinges lie over them and are shown when there is nothing else, or one by
 * one. */
bool weft_segments_shown(const weft_render_segments *s, const weft_picture *picture,
                         uint32_t batch) {
  if (picture->one_batch) return batch == picture->batch;
  bool lengths = false;
  for (uint32_t k = 0; k < s->batch_count; ++k) lengths |= s->batches[k].role != WEFT_ROLE_BENDING;
  return !lengths || s->batches[batch].role != WEFT_ROLE_BENDING;
}

/* As wide as rods are, or, on cloth, a part of an edge. */
void weft_segments_draw(const weft_render_segments *s, const weft_picture *picture, float radius) {
  float width = radius > 0 ? radius : 0.085f * s->edge;
  float lift = radius > 0 ? 0 : 0.15f * s->edge;
  glBindVertexArray(s->vertex_array);
  glUseProgram(s->program);
  glUniform3f(WEFT_RENDER_LOCATION_WIDTH, width, 0.08f, lift);
  for (uint32_t k = 0; k < s->batch_count; ++k) {
    if (!weft_segments_shown(s, picture, k)) continue;
    const weft_render_batch *batch = &s->batches[k];
    glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)batch->count, batch->first);
  }
}
