/* ghost.c: a second set of the balls and rods, translucent and a little larger, at positions that
 * the host says: where something else has the particles. */
#include "render_internal.h"

static const float larger = 1.3f; /* around the solid one, when both are at one place */

struct weft_ghost {
  weft_gl *gl;
  uint32_t particle_count;
  vec4 *rows;
  weft_gl_buffer positions;
  weft_render_strands strands;
  GLuint program;
};

static weft_result make_strands(weft_ghost *g, const weft_renderer_desc *desc, weft_error *err) {
  weft_strand *strands = weft_alloc(desc->strand_count, sizeof *strands);
  for (uint32_t k = 0; k < desc->strand_count; ++k) {
    strands[k] = desc->strands[k];
    strands[k].radius *= larger;
    strands[k].colour = WEFT_RGB_GHOST;
  }
  const weft_renderer_desc own = {.particle_count = desc->particle_count,
                                  .strands = strands,
                                  .strand_count = desc->strand_count};
  weft_result result = weft_strands_create(g->gl, &own, &g->strands, err);
  weft_free(strands);
  return result;
}

weft_result weft_ghost_create(weft_gl *gl, const weft_renderer_desc *desc, weft_ghost **out,
                              weft_error *err) {
  *out = NULL;
  weft_gl_make_current(gl);
  weft_ghost *g = weft_alloc(1, sizeof *g);
  g->gl = gl;
  g->particle_count = desc->particle_count;
  g->rows = weft_alloc(desc->particle_count, sizeof *g->rows);
  weft_result result = weft_gl_buffer_create(gl, "render ghost positions",
                                             (uint64_t)desc->particle_count * sizeof *g->rows, 0,
                                             GL_DYNAMIC_DRAW, NULL, &g->positions, err);
  if (!result) result = make_strands(g, desc, err);
  if (!result) {
    result = weft_gl_render_program(gl, "render/strand.vert", "render/ghost.frag", "TINT",
                                    &g->program, err);
  }
  if (result) {
    weft_ghost_destroy(g);
    return result;
  }
  *out = g;
  return WEFT_OK;
}

void weft_ghost_destroy(weft_ghost *g) {
  if (!g) return;
  weft_gl_make_current(g->gl);
  weft_strands_destroy(&g->strands);
  weft_gl_buffer_destroy(&g->positions);
  glDeleteProgram(g->program);
  weft_free(g->rows);
  weft_free(g);
}

void weft_ghost_place(weft_ghost *g, const weft_vec3 *positions) {
  for (uint32_t i = 0; i < g->particle_count; ++i) {
    g->rows[i] = (vec4){positions[i].x, positions[i].y, positions[i].z, 0};
  }
  weft_gl_make_current(g->gl);
  weft_gl_buffer_write(&g->positions, 0, g->particle_count * sizeof *g->rows, g->rows);
}

void weft_ghost_gather(const weft_ghost *g) {
  const weft_gl_view view = {.buffer = g->positions.name, .size = g->positions.size};
  weft_strands_gather(g->gl, &g->strands, &view, weft_v3(0, 0, 0));
}

void weft_ghost_draw(const weft_ghost *g, const weft_picture *picture,
                     const weft_render_detail *detail) {
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glUseProgram(g->program);
  weft_strands_draw(&g->strands, picture, detail);
  glDisable(GL_BLEND);
}
