/* trails.c: where particles have been. A ring of positions on the GPU, one row a recorded state;
 * for a picture they are strung into ribbons that pass through every recorded position (Catmull and
 * Rom 1974) and fade with age. Nothing comes to the host. */
#include <math.h>

#include "render_internal.h"

enum { PIECES = 4 }; /* ribbons between two recorded positions: as in trail_string.comp */

struct weft_trails {
  weft_gl *gl;
  uint32_t count, points; /* trails, rows of the ring */
  uint64_t recorded;      /* since they were forgotten */
  weft_gl_buffer rows, ring, ribbons;
  GLuint record, string, program, vertex_array;
};

static uint32_t ribbons_of(const weft_trails *t) { return (t->points - 1) * PIECES; }

/* ---- life ---- */

static void make_vertex_array(weft_trails *t) {
  glGenVertexArrays(1, &t->vertex_array);
  glBindVertexArray(t->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, t->vertex_array, -1, "render trails");
  for (GLuint i = 0; i < 5; ++i) glEnableVertexAttribArray(i);
  for (GLuint i = 0; i < 4; ++i) {
    glVertexAttribFormat(i, 4, GL_FLOAT, GL_FALSE, i * (GLuint)sizeof(vec4));
    glVertexAttribBinding(i, 0);
  }
  glVertexAttribIFormat(4, 4, GL_UNSIGNED_INT, 0);
  glVertexAttribBinding(4, 1);
  glVertexBindingDivisor(0, 1);
  glVertexBindingDivisor(1, ribbons_of(t));
  glBindVertexBuffer(0, t->ribbons.name, 0, 4 * sizeof(vec4));
  glBindVertexBuffer(1, t->rows.name, 0, sizeof(weft_trail));
  glBindVertexArray(0);
}

static weft_result make_programs(weft_trails *t, weft_error *err) {
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", t->gl->desc.group_size);
  weft_result result =
      weft_gl_compute_program(t->gl, "render/trail_record.comp", group_size, NULL, &t->record, err);
  if (!result) {
    result = weft_gl_compute_program(t->gl, "render/trail_string.comp", group_size, NULL,
                                     &t->string, err);
  }
  if (result) return result;
  return weft_gl_render_program(t->gl, "render/trail.vert", "render/trail.frag", NULL, &t->program,
                                err);
}

weft_result weft_trails_create(weft_gl *gl, const weft_trail *trails, uint32_t count,
                               uint32_t points, weft_trails **out, weft_error *err) {
  WEFT_CHECK(count > 0 && points >= 2, "trails of at least two positions");
  *out = NULL;
  weft_gl_make_current(gl);
  weft_trails *t = weft_alloc(1, sizeof *t);
  *t = (weft_trails){.gl = gl, .count = count, .points = points};
  uint64_t rows = (uint64_t)count * points, ribbons = (uint64_t)count * ribbons_of(t);
  weft_result result =
      weft_render_upload(gl, "render trails", count * sizeof *trails, trails, &t->rows, err);
  if (!result) {
    result = weft_render_upload(gl, "render trail ring", rows * sizeof(vec4), NULL, &t->ring, err);
  }
  if (!result) {
    result = weft_render_upload(gl, "render trail ribbons", ribbons * 4 * sizeof(vec4), NULL,
                                &t->ribbons, err);
  }
  if (!result) result = make_programs(t, err);
  if (result) {
    weft_trails_destroy(t);
    return result;
  }
  make_vertex_array(t);
  *out = t;
  return WEFT_OK;
}

void weft_trails_destroy(weft_trails *t) {
  if (!t) return;
  weft_gl_make_current(t->gl);
  glDeleteVertexArrays(1, &t->vertex_array);
  glDeleteProgram(t->record);
  glDeleteProgram(t->string);
  glDeleteProgram(t->program);
  weft_gl_buffer_destroy(&t->rows);
  weft_gl_buffer_destroy(&t->ring);
  weft_gl_buffer_destroy(&t->ribbons);
  weft_free(t);
}

/* ---- recording ---- */

void weft_trails_forget(weft_trails *t) { t->recorded = 0; }

void weft_trails_record(weft_trails *t, const weft_gl_view *positions, weft_vec3 origin) {
  weft_gl_make_current(t->gl);
  glUseProgram(t->record);
  glUniform1ui(WEFT_RENDER_LOCATION_ROW, (GLuint)(t->recorded % t->points) * t->count);
  weft_render_bind_positions(positions, origin);
  weft_render_bind(WEFT_RENDER_SLOT_TRAILS, &t->rows);
  weft_render_bind(WEFT_RENDER_SLOT_RING, &t->ring);
  weft_render_dispatch(t->gl, t->count);
  glUseProgram(0);
  t->recorded++;
}

uint32_t weft_trails_read(const weft_trails *t, uint32_t trail, weft_vec3 *positions) {
  uint32_t known = (uint32_t)(t->recorded < t->points ? t->recorded : t->points);
  WEFT_CHECK(trail < t->count, "a trail that there is");
  for (uint32_t k = 0; k < known; ++k) {
    uint64_t row = (t->recorded - known + k) % t->points * t->count + trail;
    vec4 at;
    weft_gl_buffer_read(&t->ring, row * sizeof at, sizeof at, &at);
    positions[k] = weft_v3(at.x, at.y, at.z);
  }
  return known;
}

/* ---- drawing ---- */

void weft_trails_string(const weft_trails *t) {
  uint64_t known = t->recorded < t->points ? t->recorded : t->points;
  glUseProgram(t->string);
  glUniform4ui(WEFT_RENDER_LOCATION_RING, t->count, t->points,
               (GLuint)((t->recorded + t->points - 1) % t->points), (GLuint)known);
  weft_render_bind(WEFT_RENDER_SLOT_RING, &t->ring);
  weft_render_bind(WEFT_RENDER_SLOT_RIBBONS, &t->ribbons);
  weft_render_dispatch(t->gl, t->count * ribbons_of(t));
}

/* Over what is solid; they hide nothing themselves. */
void weft_trails_draw(const weft_trails *t) {
  if (t->recorded < 2) return;
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glDepthMask(GL_FALSE);
  glUseProgram(t->program);
  glBindVertexArray(t->vertex_array);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)(t->count * ribbons_of(t)));
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}
