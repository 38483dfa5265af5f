/* show.h: a solver on the GPU and a renderer of its cloth, for tests of what views show. */
#ifndef WEFT_TESTS_RENDER_SHOW_H
#define WEFT_TESTS_RENDER_SHOW_H

#include "cmocka_all.h"
/* after cmocka */
#include <weft_gl/gl.h>

#include "../rig.h"
#include "render_internal.h"
#include "render_test.h"

typedef struct show {
  weft_model *model;
  weft_solver *solver;
  weft_renderer *renderer;
  weft_picture picture;
  weft_image image;
  uint32_t count;
  weft_vec3 *places; /* as the solver has them, after take */
} show;

static inline void open_show(show *s, weft_model *model, weft_params params,
                             const weft_strand *strands, uint32_t strand_count) {
  weft_error err = {0};
  *s = (show){.model = model, .count = weft_model_particle_count(model)};
  s->solver = rig_solver(model, &params, rig_backend_on(test_gl));
  const weft_renderer_desc desc = {.width = 320,
                                   .height = 240,
                                   .samples = 1,
                                   .shadow_size = 64,
                                   .particle_count = s->count,
                                   .triangle_count = weft_model_triangle_count(model),
                                   .triangles = weft_model_triangles(model),
                                   .rest_positions = weft_model_rest_positions(model),
                                   .strands = strands,
                                   .strand_count = strand_count};
  if (weft_renderer_create(test_gl, &desc, &s->renderer, &err)) fail_msg("%s", err.message);
  assert_true(weft_solver_gl_view(s->solver, WEFT_BUFFER_X, &s->picture.positions));
  s->picture.solver = s->solver;
  s->picture.radius = 1;
  s->picture.look = weft_fabric_look_of(NULL);
  s->picture.camera = (weft_camera){.distance = 40, .fov = 0.04f}; /* nearly parallel */
  s->places = weft_alloc(s->count, sizeof *s->places);
  memcpy(s->places, weft_model_rest_positions(model), s->count * sizeof *s->places);
}

static inline void close_show(show *s) {
  weft_free(s->image.pixels);
  weft_free(s->places);
  weft_renderer_destroy(s->renderer);
  weft_solver_destroy(s->solver);
  weft_model_destroy(s->model);
}

static inline weft_model *sheet_model(uint32_t side, weft_bending bending) {
  const weft_grid_desc grid = {.rows = side, .columns = side};
  return rig_grid_model(&grid, (weft_model_desc){.bending = bending});
}

static inline void open_sheet(show *s, uint32_t side, weft_bending bending) {
  open_show(s, sheet_model(side, bending), (weft_params){.no_gravity = true}, NULL, 0);
}

static inline void put_state(show *s, const weft_vec3 *velocities) {
  weft_error err = {0};
  if (weft_solver_write(s->solver, s->places, velocities, &err)) fail_msg("%s", err.message);
}

static inline void draw(show *s, weft_view_mode mode) {
  weft_error err = {0};
  weft_free(s->image.pixels);
  s->image.pixels = NULL;
  s->picture.mode = mode;
  if (weft_renderer_draw(s->renderer, &s->picture, &err) ||
      weft_renderer_read(s->renderer, &s->image, &err)) {
    fail_msg("%s", err.message);
  }
}

/* x and y of the values of all particles, in turn. */
static inline float *values_of(show *s, weft_view_mode mode) {
  const weft_gl_buffer *buffer = weft_renderer_values(s->renderer);
  draw(s, mode);
  buffer = weft_renderer_values(s->renderer);
  float *values = weft_alloc(2 * (size_t)s->count, sizeof *values);
  weft_gl_buffer_read(buffer, 0, 2 * (uint64_t)s->count * sizeof *values, values);
  return values;
}

#endif
