/* pins.c: marks at pinned particles and around the picked one, over whatever a view shows. Where
 * they are is gathered on the GPU from the solver's positions; the host gives only which they are,
 * and only when that changes. */
#include <math.h>
#include <string.h>

#include "render_internal.h"

/* Beyond so many pins marks say nothing any more. */
enum { MAX_PINS = 65536 };

/* ---- which ---- */

static uint32_t list_pins(const weft_picture *picture, uint32_t *rows) {
  const weft_pins_view pins = weft_solver_pins(picture->solver);
  uint32_t count = 0;
  if (picture->pins) {
    count = pins.count < MAX_PINS ? pins.count : MAX_PINS;
    if (count) memcpy(rows, pins.particles, count * sizeof *rows);
  }
  if (picture->one_particle) rows[count++] = picture->particle | WEFT_PIN_PICKED;
  return count;
}

static void reserve(weft_render_pins *p, uint32_t count) {
  if (count <= p->capacity) return;
  weft_free(p->rows);
  weft_free(p->wanted);
  p->capacity = count;
  p->rows = weft_alloc(count, sizeof *p->rows);
  p->wanted = weft_alloc(count, sizeof *p->wanted);
  p->count = 0;
  weft_gl_buffer_destroy(&p->list);
  weft_gl_buffer_destroy(&p->places);
}

/* ---- life ---- */

static weft_result make_programs(weft_gl *gl, weft_render_pins *p, weft_error *err) {
  if (p->program) return WEFT_OK;
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result =
      weft_gl_compute_program(gl, "render/pins.comp", group_size, NULL, &p->gather, err);
  if (result) return result;
  glGenVertexArrays(1, &p->vertex_array);
  glBindVertexArray(p->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, p->vertex_array, -1, "render pins");
  glEnableVertexAttribArray(0);
  glVertexAttribFormat(0, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribBinding(0, 0);
  glVertexBindingDivisor(0, 1);
  glBindVertexArray(0);
  return weft_gl_render_program(gl, "render/pin.vert", "render/pin.frag", NULL, &p->program, err);
}

static weft_result make_buffers(weft_gl *gl, weft_render_pins *p, weft_error *err) {
  if (p->places.name) return WEFT_OK;
  weft_result result =
      weft_render_upload(gl, "render pins", p->capacity * sizeof *p->rows, NULL, &p->list, err);
  if (result) return result;
  return weft_render_upload(gl, "render pin places", p->capacity * sizeof(vec4), NULL, &p->places,
                            err);
}

void weft_pins_destroy(weft_render_pins *p) {
  glDeleteVertexArrays(1, &p->vertex_array);
  glDeleteProgram(p->gather);
  glDeleteProgram(p->program);
  weft_gl_buffer_destroy(&p->list);
  weft_gl_buffer_destroy(&p->places);
  weft_free(p->rows);
  weft_free(p->wanted);
  *p = (weft_render_pins){0};
}

/* ---- a picture ---- */

/* A pin is no larger than leaves its neighbours visible. */
static float room_between(const weft_picture *picture) {
  const weft_model *model = weft_solver_model(picture->solver);
  if (model->triangle_count == 0 && model->radius > 0) return 1.3f * model->radius;
  double sum = 0, count = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    if (g->type != WEFT_CONSTRAINT_DISTANCE || g->role == WEFT_ROLE_BENDING) continue;
    for (uint32_t i = 0; i < g->count; ++i) sum += (double)g->rest[i];
    count += g->count;
  }
  return count > 0 ? (float)(0.45 * sum / count) : 1;
}

weft_result weft_pins_update(weft_gl *gl, weft_render_pins *p, const weft_picture *picture,
                             weft_error *err) {
  p->shown = 0;
  if (!picture->pins && !picture->one_particle) return WEFT_OK;
  WEFT_CHECK(picture->solver, "marks at particles need the solver");
  uint32_t pinned = weft_solver_pins(picture->solver).count;
  reserve(p, (pinned < MAX_PINS ? pinned : MAX_PINS) + 1);
  uint32_t count = list_pins(picture, p->wanted);
  if (count == 0) return WEFT_OK;
  weft_result result = make_programs(gl, p, err);
  if (!result) result = make_buffers(gl, p, err);
  if (result) return result;
  if (count != p->count || memcmp(p->rows, p->wanted, count * sizeof *p->rows) != 0) {
    weft_gl_buffer_write(&p->list, 0, count * sizeof *p->rows, p->wanted);
    memcpy(p->rows, p->wanted, count * sizeof *p->rows);
    p->count = count;
  }
  if (weft_solver_model(picture->solver) != p->model) {
    p->room = room_between(picture);
    p->model = weft_solver_model(picture->solver);
  }
  p->shown = count;
  glUseProgram(p->gather);
  weft_render_bind_positions(&picture->positions, picture->origin);
  weft_render_bind(WEFT_RENDER_SLOT_PINS, &p->list);
  weft_render_bind(WEFT_RENDER_SLOT_ENDS, &p->places);
  weft_render_dispatch(gl, count);
  return WEFT_OK;
}

static void draw(const weft_render_pins *p, uint32_t height, float strength, uint32_t first) {
  float pin = fmaxf(2, (float)height / 240), ring = fmaxf(5.5f, (float)height / 72);
  glUniform4f(WEFT_RENDER_LOCATION_PIN, pin, ring, p->room, strength);
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)(p->shown - first), first);
}

void weft_pins_draw(const weft_render_pins *p, const weft_picture *picture, uint32_t height) {
  if (p->shown == 0) return;
  glBindVertexArray(p->vertex_array);
  glBindVertexBuffer(0, p->places.name, 0, sizeof(vec4));
  glUseProgram(p->program);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  draw(p, height, 1, 0);
  if (picture->one_particle) { /* the ring is seen through what hides the particle */
    glDepthFunc(GL_GEQUAL);
    draw(p, height, 0.35f, p->shown - 1);
    glDepthFunc(GL_LESS);
  }
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}
