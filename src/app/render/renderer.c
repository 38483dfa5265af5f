/* A picture, pass by pass: normals, and values for a view mode; then for every sample shadow maps
 * of sun and sky, backdrop, floor, solids, cloth and strands; the samples added up; the sum brought
 * to the screen's range. */
#include <math.h>

#include "render_internal.h"

typedef struct programs {
  GLuint cloth, cloth_shadow, cloth_wire, solid, solid_shadow, strand, strand_shadow, floor,
      backdrop, accumulate, present, soften, floor_map;
  GLuint body, body_shadow;
  GLuint cloth_depth, solid_depth, body_depth; /* quick pictures */
  GLuint cloth_view, strand_view;              /* made when first wanted */
} programs;

struct weft_renderer {
  weft_gl *gl;
  uint32_t samples;
  weft_render_targets targets;
  weft_render_cloth cloth;
  weft_render_bodies bodies;
  weft_render_solids solids;
  weft_render_figure figure;
  weft_render_strands strands;
  weft_render_views views;
  weft_render_segments segments;
  weft_render_legend legend;
  weft_render_pins pins;
  weft_render_corners edges; /* made when wires are first wanted */
  weft_render_corners uvs;
  GLuint print;
  programs programs;
  GLuint nothing; /* vertex array without attributes */
  GLuint frame_buffer, cloth_material, solid_material, figure_material, strand_material;
};

static const weft_fabric_look matte = {
    .front = {0.40f, 0.38f, 0.355f}, .back = {0.40f, 0.38f, 0.355f}, .sheen_roughness = 0.5f};

/* The linen of a dress form. */
static const weft_fabric_look linen = {.front = {0.60f, 0.565f, 0.51f},
                                       .back = {0.60f, 0.565f, 0.51f},
                                       .sheen = {0.05f, 0.05f, 0.045f},
                                       .sheen_roughness = 0.45f};

/* ---- life ---- */

static uint32_t or_default(uint32_t value, uint32_t otherwise) { return value ? value : otherwise; }

static weft_result check_size(const weft_renderer_desc *d, weft_error *err) {
  GLint texture = 0, renderbuffer = 0, viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  int64_t max = WEFT_MAX_PICTURE_SIDE;
  const GLint limits[] = {texture, renderbuffer, viewport[0], viewport[1]};
  for (int i = 0; i < 4; ++i) max = limits[i] < max ? limits[i] : max;
  if (d->width > max || d->height > max) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a picture of %u x %u pixels is too large: at most %lld on a side", d->width,
                     d->height, (long long)max);
  }
  if ((uint64_t)d->width * d->height > WEFT_MAX_PICTURE_PIXELS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a picture of %u x %u pixels is too large: at most %d in all", d->width,
                     d->height, WEFT_MAX_PICTURE_PIXELS);
  }
  if (d->shadow_size > max) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a shadow map of %u texels: at most %lld",
                     d->shadow_size, (long long)max);
  }
  return WEFT_OK;
}

static weft_result check_desc(const weft_renderer_desc *d, weft_error *err) {
  uint32_t m = d->multisamples;
  if (d->samples > WEFT_MAX_RENDER_SAMPLES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u pictures to average: at most %d", d->samples,
                     WEFT_MAX_RENDER_SAMPLES);
  }
  if (m != 1 && m != 2 && m != 4 && m != 8) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u samples a pixel: must be 1, 2, 4 or 8", m);
  }
  return check_size(d, err);
}

static weft_result make_programs(weft_gl *gl, bool quick, programs *p, weft_error *err) {
  const struct {
    GLuint *program;
    const char *vertex, *fragment, *defines;
  } rows[] = {
      {&p->cloth, "render/cloth.vert", "render/surface.frag", quick ? "CLOTH QUICK" : "CLOTH"},
      {&p->cloth_wire, "render/cloth.vert", "render/surface.frag", "CLOTH WIRE"},
      {&p->cloth_shadow, "render/cloth.vert", "render/shadow.frag", "SHADOW"},
      {&p->solid, "render/solid.vert", "render/surface.frag", quick ? "QUICK" : NULL},
      {&p->body, "render/cloth.vert", "render/surface.frag", quick ? "BODY QUICK" : "BODY"},
      {&p->body_shadow, "render/cloth.vert", "render/shadow.frag", "BODY SHADOW"},
      {&p->body_depth, "render/cloth.vert", "render/shadow.frag", "BODY QUICK"},
      {&p->solid_shadow, "render/solid.vert", "render/shadow.frag", "SHADOW"},
      {&p->strand, "render/strand.vert", "render/surface.frag", quick ? "TINT QUICK" : "TINT"},
      {&p->strand_shadow, "render/strand.vert", "render/shadow.frag", "SHADOW"},
      {&p->floor, "render/floor.vert", "render/floor.frag", quick ? "QUICK" : NULL},
      {&p->floor_map, "render/screen.vert", "render/floor_map.frag", NULL},
      {&p->backdrop, "render/screen.vert", "render/backdrop.frag", NULL},
      {&p->accumulate, "render/screen.vert", "render/accumulate.frag", NULL},
      {&p->present, "render/screen.vert", "render/present.frag", NULL},
      {&p->soften, "render/screen.vert", "render/soften.frag", NULL},
      {&p->cloth_depth, "render/cloth.vert", "render/shadow.frag", "QUICK"},
      {&p->solid_depth, "render/solid.vert", "render/shadow.frag", "QUICK"},
  };
  weft_result result = WEFT_OK;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !result; ++i) {
    result = weft_gl_render_program(gl, rows[i].vertex, rows[i].fragment, rows[i].defines,
                                    rows[i].program, err);
  }
  return result;
}

static GLuint uniform_buffer(const char *label, GLsizeiptr size) {
  GLuint name;
  glGenBuffers(1, &name);
  glBindBuffer(GL_UNIFORM_BUFFER, name);
  glBufferData(GL_UNIFORM_BUFFER, size, NULL, GL_DYNAMIC_DRAW);
  glObjectLabel(GL_BUFFER, name, -1, label);
  glBindBuffer(GL_UNIFORM_BUFFER, 0);
  return name;
}

static void write_uniforms(GLuint buffer, GLsizeiptr size, const void *data) {
  glBindBuffer(GL_UNIFORM_BUFFER, buffer);
  glBufferSubData(GL_UNIFORM_BUFFER, 0, size, data);
  glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

static weft_result build(weft_renderer *r, const weft_renderer_desc *desc, weft_error *err) {
  weft_gl_settle(r->gl, "before the renderer was made", NULL);
  weft_result result = weft_targets_create(&r->targets, err);
  if (!result) result = weft_cloth_create(r->gl, desc, &r->cloth, err);
  if (!result) result = weft_bodies_create(r->gl, desc, &r->bodies, err);
  if (!result) result = weft_solids_create(r->gl, &r->solids, err);
  if (!result) result = weft_render_figure_create(r->gl, desc->figure, &r->figure, err);
  if (!result) result = weft_strands_create(r->gl, desc, &r->strands, err);
  if (!result) result = make_programs(r->gl, r->targets.quick, &r->programs, err);
  if (!result && desc->texture && desc->triangle_count > 0) {
    result = weft_corners_create(r->gl, &r->cloth, desc->corner_uvs, &r->uvs, err);
    if (!result) result = weft_texture_upload(r->gl, desc->texture, &r->print, err);
  }
  if (result) return result;
  glGenVertexArrays(1, &r->nothing);
  r->frame_buffer = uniform_buffer("render frame", sizeof(weft_render_frame));
  r->cloth_material = uniform_buffer("render cloth material", sizeof(weft_render_material));
  r->solid_material = uniform_buffer("render solid material", sizeof(weft_render_material));
  r->figure_material = uniform_buffer("render figure material", sizeof(weft_render_material));
  r->strand_material = uniform_buffer("render strand material", sizeof(weft_render_material));
  weft_render_material material;
  weft_material_of(&matte, 0, &material);
  write_uniforms(r->solid_material, sizeof material, &material);
  weft_material_of(&linen, 0, &material);
  write_uniforms(r->figure_material, sizeof material, &material);
  return weft_gl_check("making the renderer", err);
}

/* A quick picture's map from above is to be blurred. */
static uint32_t sky_size(const weft_renderer_desc *d) {
  uint32_t part = d->quick ? 16 : 4;
  return (d->shadow_size + part - 1) / part;
}

weft_result weft_renderer_create(weft_gl *gl, const weft_renderer_desc *desc,
                                 weft_renderer **renderer, weft_error *err) {
  WEFT_CHECK(desc->triangle_count == 0 || (desc->triangles && desc->rest_positions),
             "a renderer needs the cloth's triangles and rest pose");
  WEFT_CHECK(!desc->texture || desc->corner_uvs, "a texture needs coordinates of corners");
  weft_renderer_desc d = *desc;
  d.width = or_default(d.width, 1280);
  d.height = or_default(d.height, 720);
  d.samples = or_default(d.samples, 64);
  d.multisamples = or_default(d.multisamples, 4);
  d.quick = d.quick && d.samples == 1;
  d.shadow_size = or_default(d.shadow_size, d.quick ? 1024 : 2048);
  *renderer = NULL;
  weft_gl_make_current(gl);
  weft_result result = check_desc(&d, err);
  if (result) return result;
  weft_renderer *r = weft_alloc(1, sizeof *r);
  r->gl = gl;
  r->samples = d.samples;
  r->targets = (weft_render_targets){.width = d.width,
                                     .height = d.height,
                                     .multisamples = d.multisamples,
                                     .quick = d.quick,
                                     .soft_edges = d.soft_edges,
                                     .shadow_size = {d.shadow_size, sky_size(&d)}};
  r->targets.patches = weft_frame_patches(&r->targets, d.samples);
  result = build(r, &d, err);
  if (result) {
    weft_renderer_destroy(r);
    return result;
  }
  *renderer = r;
  return WEFT_OK;
}

weft_result weft_renderer_resize(weft_renderer *r, const weft_renderer_desc *desc,
                                 weft_error *err) {
  weft_renderer_desc d = *desc;
  weft_render_targets next = {
      .width = or_default(d.width, 1280),
      .height = or_default(d.height, 720),
      .multisamples = or_default(d.multisamples, 4),
      .quick = r->targets.quick,
      .soft_edges = d.soft_edges,
      .patches = r->targets.patches,
      .shadow_size = {r->targets.shadow_size[0], r->targets.shadow_size[1]}};
  d.width = next.width;
  d.height = next.height;
  d.multisamples = next.multisamples;
  d.samples = r->samples;
  d.shadow_size = next.shadow_size[0];
  weft_gl_make_current(r->gl);
  weft_result result = check_desc(&d, err);
  if (!result) result = weft_targets_create(&next, err);
  if (result) return result;
  weft_targets_destroy(&r->targets);
  r->targets = next;
  r->cloth.thin = d.thin;
  return WEFT_OK;
}

void weft_renderer_destroy(weft_renderer *r) {
  if (!r) return;
  weft_gl_make_current(r->gl);
  const programs *p = &r->programs;
  const GLuint all[] = {p->cloth,        p->cloth_wire, p->cloth_shadow,  p->solid,
                        p->solid_shadow, p->strand,     p->strand_shadow, p->floor,
                        p->backdrop,     p->accumulate, p->present,       p->cloth_view,
                        p->strand_view,  p->soften,     p->floor_map,     p->cloth_depth,
                        p->solid_depth,  p->body,       p->body_shadow,   p->body_depth};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) glDeleteProgram(all[i]);
  const GLuint buffers[] = {r->frame_buffer, r->cloth_material, r->solid_material,
                            r->figure_material, r->strand_material};
  glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
  glDeleteVertexArrays(1, &r->nothing);
  weft_pins_destroy(&r->pins);
  weft_legend_destroy(&r->legend);
  weft_segments_destroy(&r->segments);
  weft_views_destroy(&r->views);
  weft_strands_destroy(&r->strands);
  weft_render_figure_destroy(&r->figure);
  weft_solids_destroy(&r->solids);
  weft_corners_destroy(&r->edges);
  weft_corners_destroy(&r->uvs);
  glDeleteTextures(1, &r->print);
  weft_cloth_destroy(&r->cloth);
  weft_cloth_destroy(&r->bodies.cloth);
  weft_targets_destroy(&r->targets);
  weft_free(r);
}

/* ---- drawing ---- */

static void use_material(GLuint buffer) {
  glBindBufferBase(GL_UNIFORM_BUFFER, WEFT_RENDER_MATERIAL_BINDING, buffer);
}

/* The light: 0 the sun, from 1 on patches of sky. */
static void draw_shadow(const weft_renderer *r, const weft_picture *picture, GLuint light) {
  GLsizei size = (GLsizei)r->targets.shadow_size[light > 0];
  const weft_render_detail detail = weft_frame_light_detail(picture, &r->targets, light);
  weft_targets_shadow(&r->targets, light);
  glViewport(0, 0, size, size);
  glClear(GL_DEPTH_BUFFER_BIT);
  glUseProgram(r->programs.cloth_shadow);
  glUniform1ui(WEFT_RENDER_LOCATION_LIGHT, light);
  weft_cloth_draw(&r->cloth, &picture->positions);
  glUseProgram(r->programs.solid_shadow);
  glUniform1ui(WEFT_RENDER_LOCATION_LIGHT, light);
  weft_solids_draw(&r->solids, picture, &detail);
  weft_render_figure_draw(&r->figure, picture, &detail);
  glUseProgram(r->programs.body_shadow);
  glUniform1ui(WEFT_RENDER_LOCATION_LIGHT, light);
  weft_bodies_draw(&r->bodies, picture);
  glUseProgram(r->programs.strand_shadow);
  glUniform1ui(WEFT_RENDER_LOCATION_LIGHT, light);
  weft_strands_draw(&r->strands, picture, &detail);
}

static void draw_shadows(const weft_renderer *r, const weft_picture *picture) {
  glEnable(GL_DEPTH_CLAMP); /* casters nearer to the light than the map still cast */
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2.0f);
  for (GLuint light = 0; light <= r->targets.patches; ++light) draw_shadow(r, picture, light);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
}

static void bind_shadows(const weft_render_targets *t) {
  const GLenum units[] = {WEFT_RENDER_UNIT_SUN, WEFT_RENDER_UNIT_SKY};
  for (int k = 1; k >= 0; --k) {
    glActiveTexture(GL_TEXTURE0 + units[k]);
    glBindTexture(GL_TEXTURE_2D_ARRAY, t ? t->shadow[k] : 0);
  }
}

static void draw_floor_map(const weft_renderer *r) {
  glBindFramebuffer(GL_FRAMEBUFFER, r->targets.floor_fbo);
  glViewport(0, 0, WEFT_RENDER_FLOOR_SIZE, WEFT_RENDER_FLOOR_SIZE);
  glBindVertexArray(r->nothing);
  glUseProgram(r->programs.floor_map);
  glDisable(GL_DEPTH_TEST);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

static void bind_floor_map(GLuint name) {
  glActiveTexture(GL_TEXTURE0 + WEFT_RENDER_UNIT_FLOOR);
  glBindTexture(GL_TEXTURE_2D, name);
  glActiveTexture(GL_TEXTURE0);
}

static void draw_floor(const weft_renderer *r) {
  glEnable(GL_CULL_FACE); /* from below it is not there */
  glFrontFace(GL_CW);
  glUseProgram(r->programs.floor);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glFrontFace(GL_CCW);
  glDisable(GL_CULL_FACE);
}

/* After all that is solid, so that nothing is shaded that is hidden later. */
static void draw_surroundings(const weft_renderer *r, bool ground) {
  glBindVertexArray(r->nothing);
  if (ground) draw_floor(r);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_LEQUAL);
  glUseProgram(r->programs.backdrop);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
}

/* Whether surfaces show values instead of fabric. */
static bool shows_values(const weft_picture *picture) {
  return picture->mode > WEFT_VIEW_WIRE && picture->mode != WEFT_VIEW_COLOURS;
}

static void draw_values(const weft_renderer *r, const weft_picture *picture,
                        const weft_render_detail *detail) {
  GLuint paint = weft_view_style_of(picture->mode)->paint;
  glBindBufferBase(GL_UNIFORM_BUFFER, WEFT_RENDER_RANGE_BINDING, r->views.range.name);
  glUseProgram(r->programs.cloth_view);
  glUniform1ui(WEFT_RENDER_LOCATION_PAINT, paint);
  weft_cloth_draw_values(&r->cloth, &picture->positions, &r->views.values);
  glUseProgram(r->programs.strand_view);
  glUniform1ui(WEFT_RENDER_LOCATION_PAINT, paint);
  weft_strands_draw(&r->strands, picture, detail);
}

/* Constraints over pale cloth; of particles only the props, where there are any constraints. */
static void draw_colours(const weft_renderer *r, const weft_picture *picture,
                         const weft_render_detail *detail) {
  use_material(r->solid_material);
  glUseProgram(r->programs.cloth);
  weft_cloth_draw(&r->cloth, &picture->positions);
  use_material(r->strand_material);
  glUseProgram(r->programs.strand);
  if (r->segments.count > 0) {
    weft_strands_draw_standing(&r->strands, picture, detail);
  } else {
    weft_strands_draw(&r->strands, picture, detail);
  }
  float radius = r->cloth.triangle_count > 0 ? 0 : r->strands.largest;
  weft_segments_draw(&r->segments, picture, radius);
}

static void bind_print(GLuint picture, GLuint corners) {
  glActiveTexture(GL_TEXTURE0 + WEFT_RENDER_UNIT_PRINT);
  glBindTexture(GL_TEXTURE_2D, picture);
  glActiveTexture(GL_TEXTURE0 + WEFT_RENDER_UNIT_CORNERS);
  glBindTexture(GL_TEXTURE_BUFFER, corners);
  glActiveTexture(GL_TEXTURE0);
}

static void draw_fabric(const weft_renderer *r, const weft_picture *picture,
                        const weft_render_detail *detail) {
  bool wire = picture->mode == WEFT_VIEW_WIRE;
  use_material(r->cloth_material);
  bind_print(r->print, wire ? r->edges.texture : r->uvs.texture);
  glUseProgram(wire ? r->programs.cloth_wire : r->programs.cloth);
  weft_cloth_draw(&r->cloth, &picture->positions);
  bind_print(0, 0);
  use_material(r->strand_material);
  glUseProgram(r->programs.strand);
  weft_strands_draw(&r->strands, picture, detail);
}

/* What is seen of solids and cloth, before any of it is shaded. */
static void draw_depth(const weft_renderer *r, const weft_picture *picture,
                       const weft_render_detail *detail) {
  glUseProgram(r->programs.solid_depth);
  weft_solids_draw(&r->solids, picture, detail);
  weft_render_figure_draw(&r->figure, picture, detail);
  glUseProgram(r->programs.body_depth);
  weft_bodies_draw(&r->bodies, picture);
  glUseProgram(r->programs.cloth_depth);
  weft_cloth_draw(&r->cloth, &picture->positions);
  glDepthFunc(GL_LEQUAL);
}

static void draw_scene(const weft_renderer *r, const weft_picture *picture) {
  const weft_render_targets *t = &r->targets;
  const weft_render_detail detail = weft_frame_detail(picture, t);
  glBindFramebuffer(GL_FRAMEBUFFER, t->sample_fbo);
  glViewport(0, 0, (GLsizei)t->width, (GLsizei)t->height);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  bind_shadows(t);
  bind_floor_map(t->floor);
  if (t->quick && !shows_values(picture)) draw_depth(r, picture, &detail);
  use_material(r->solid_material);
  glUseProgram(r->programs.solid);
  weft_solids_draw(&r->solids, picture, &detail);
  use_material(r->figure_material);
  weft_render_figure_draw(&r->figure, picture, &detail);
  use_material(r->solid_material);
  glUseProgram(r->programs.body);
  weft_bodies_draw(&r->bodies, picture);
  if (picture->mode == WEFT_VIEW_COLOURS) {
    draw_colours(r, picture, &detail);
  } else if (shows_values(picture)) {
    draw_values(r, picture, &detail);
  } else {
    draw_fabric(r, picture, &detail);
  }
  glDepthFunc(GL_LESS);
  draw_surroundings(r, picture->ground);
  if (picture->trails) weft_trails_draw(picture->trails);
  if (picture->ghost) weft_ghost_draw(picture->ghost, picture, &detail);
  weft_pins_draw(&r->pins, picture, t->height);
  bind_shadows(NULL);
  bind_floor_map(0);
}

static void add_sample(const weft_renderer *r) {
  const weft_render_targets *t = &r->targets;
  GLint width = (GLint)t->width, height = (GLint)t->height;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t->sample_fbo);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->resolved_fbo);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  if (r->samples == 1) return; /* is the sum already */
  glBindFramebuffer(GL_FRAMEBUFFER, t->sum_fbo);
  glBindVertexArray(r->nothing);
  glBindTexture(GL_TEXTURE_2D, t->resolved);
  glUseProgram(r->programs.accumulate);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

static void draw_sample(const weft_renderer *r, const weft_picture *picture, uint32_t index) {
  weft_render_frame frame;
  weft_frame_fill(picture, &r->targets, index, r->samples, weft_cloth_mesh(&r->cloth)->edge,
                  &frame);
  write_uniforms(r->frame_buffer, sizeof frame, &frame);
  draw_shadows(r, picture);
  bind_shadows(&r->targets);
  if (r->targets.quick && picture->ground) draw_floor_map(r);
  draw_scene(r, picture);
  add_sample(r);
}

static void present(const weft_renderer *r) {
  const weft_render_targets *t = &r->targets;
  glBindFramebuffer(GL_FRAMEBUFFER, t->soft_edges ? t->hard_fbo : t->final_fbo);
  glBindVertexArray(r->nothing);
  glBindTexture(GL_TEXTURE_2D, r->samples == 1 ? t->resolved : t->sum);
  glUseProgram(r->programs.present);
  glUniform1f(WEFT_RENDER_LOCATION_SCALE, 1.0f / (float)r->samples);
  glDisable(GL_DEPTH_TEST);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  if (!t->soft_edges) return;
  glBindFramebuffer(GL_FRAMEBUFFER, t->final_fbo);
  glBindTexture(GL_TEXTURE_2D, t->hard);
  glUseProgram(r->programs.soften);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void leave_clean(void) {
  bind_shadows(NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindVertexArray(0);
  glUseProgram(0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* ---- view modes ---- */

static weft_result check_view(const weft_picture *p, weft_error *err) {
  bool reads = p->mode >= WEFT_VIEW_STRAIN && p->mode <= WEFT_VIEW_TANGLED;
  if (!(p->view_range >= 0) || !isfinite(p->view_range)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a view's range must be above 0, not %g",
                     (double)p->view_range);
  }
  WEFT_CHECK(!reads || p->solver, "a view of the solver's values needs the solver");
  return WEFT_OK;
}

static weft_result make_view_programs(weft_renderer *r, weft_error *err) {
  programs *p = &r->programs;
  if (p->strand_view) return WEFT_OK;
  weft_result result = weft_gl_render_program(r->gl, "render/cloth.vert", "render/view.frag",
                                              "VIEW", &p->cloth_view, err);
  if (result) return result;
  return weft_gl_render_program(r->gl, "render/strand.vert", "render/view.frag", "VIEW",
                                &p->strand_view, err);
}

static weft_result update_values(weft_renderer *r, const weft_picture *picture, weft_error *err) {
  weft_result result = make_view_programs(r, err);
  if (!result && picture->mode == WEFT_VIEW_COLOURS) {
    result = weft_segments_update(r->gl, &r->segments, picture, err);
  }
  if (!result) result = weft_strands_values(r->gl, &r->strands, &r->views, picture, err);
  return result;
}

static weft_result update_view(weft_renderer *r, const weft_picture *picture, weft_error *err) {
  bool values = weft_view_style_of(picture->mode) != NULL;
  if (!weft_legend_wanted(picture)) return WEFT_OK;
  WEFT_CHECK(!picture->solver || weft_model_particle_count(weft_solver_model(picture->solver)) ==
                                     r->cloth.particle_count,
             "a picture's solver is of the renderer's cloth");
  /* The legend has a range bound even where nothing has one. */
  weft_result result = weft_views_update(r->gl, &r->views, picture, r->cloth.particle_count, err);
  if (!result && values) result = update_values(r, picture, err);
  if (!result) result = weft_legend_update(r->gl, &r->legend, picture, &r->segments, err);
  if (!result && values) weft_views_range(r->gl, &r->views, picture, &r->legend);
  return result;
}

static weft_result check_picture(const weft_renderer *r, const weft_picture *p, weft_error *err) {
  if (!(p->radius > 0) || !isfinite(p->radius)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a picture needs a radius above 0 metres, not %g",
                     (double)p->radius);
  }
  if (!(p->camera.distance > 0) || !isfinite(p->camera.distance)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a camera needs a distance above 0 metres, not %g",
                     (double)p->camera.distance);
  }
  WEFT_CHECK(p->positions.size >= (uint64_t)r->cloth.particle_count * sizeof(vec4) &&
                 p->positions.size >= (uint64_t)r->bodies.cloth.particle_count * sizeof(vec4),
             "the position buffer holds fewer particles than the renderer's cloth and bodies");
  if (p->one_particle && p->particle >= r->cloth.particle_count) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "particle %u does not exist: there are 0 to %u",
                     p->particle, r->cloth.particle_count - 1);
  }
  return check_view(p, err);
}

weft_result weft_renderer_draw(weft_renderer *r, const weft_picture *picture, weft_error *err) {
  weft_result result = check_picture(r, picture, err);
  if (result) return result;
  weft_gl_make_current(r->gl);
  result = weft_gl_settle(r->gl, "before a picture was drawn", err);
  if (result) return result;
  weft_render_material material;
  weft_material_of(&picture->look, weft_weave_level(picture, r->targets.height), &material);
  if (r->print) {
    material.print.z = 1;
    material.ink.w = WEFT_PRINT_NONE_ID;
  }
  write_uniforms(r->cloth_material, sizeof material, &material);
  weft_fabric_look plain = matte;
  plain.front = picture->look.front;
  weft_material_of(&plain, 0, &material);
  write_uniforms(r->strand_material, sizeof material, &material);
  r->cloth.cornered = r->print || picture->mode == WEFT_VIEW_WIRE;
  weft_cloth_normals(r->gl, &r->cloth, &picture->positions);
  weft_cloth_normals(r->gl, &r->bodies.cloth, &picture->positions);
  weft_strands_gather(r->gl, &r->strands, &picture->positions, picture->origin);
  weft_render_figure_place(&r->figure, picture);
  if (picture->trails) weft_trails_string(picture->trails);
  if (picture->ghost) weft_ghost_gather(picture->ghost);
  result = update_view(r, picture, err);
  if (!result) result = weft_pins_update(r->gl, &r->pins, picture, err);
  if (!result && picture->mode == WEFT_VIEW_WIRE && !r->edges.texture) {
    result = weft_corners_create(r->gl, &r->cloth, NULL, &r->edges, err);
  }
  if (result) return result;
  glBindBufferBase(GL_UNIFORM_BUFFER, WEFT_RENDER_FRAME_BINDING, r->frame_buffer);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDisable(GL_CULL_FACE);
  glClearColor(0, 0, 0, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, r->targets.sum_fbo);
  glClear(GL_COLOR_BUFFER_BIT);
  for (uint32_t i = 0; i < r->samples; ++i) draw_sample(r, picture, i);
  present(r);
  if (weft_legend_wanted(picture) && !picture->no_legend) {
    glBindFramebuffer(GL_FRAMEBUFFER, r->targets.final_fbo);
    weft_legend_draw(&r->legend, r->targets.width, r->targets.height, &r->views);
  }
  leave_clean();
  return weft_gl_check("drawing a picture", err);
}

void weft_renderer_draw_legend(const weft_renderer *r, const weft_picture *picture, int left,
                               int width, int height) {
  if (!weft_legend_wanted(picture)) return;
  glViewport(left, 0, width, height);
  weft_legend_draw(&r->legend, (uint32_t)width, (uint32_t)height, &r->views);
  leave_clean();
}

GLuint weft_renderer_framebuffer(const weft_renderer *r) { return r->targets.final_fbo; }

const weft_gl_buffer *weft_renderer_normals(const weft_renderer *r) { return &r->cloth.normals; }

const weft_gl_buffer *weft_renderer_values(const weft_renderer *r) { return &r->views.values; }

const weft_render_segments *weft_renderer_segments(const weft_renderer *r) { return &r->segments; }

const weft_render_legend *weft_renderer_legend(const weft_renderer *r) { return &r->legend; }

weft_result weft_renderer_read(weft_renderer *r, weft_image *image, weft_error *err) {
  const weft_render_targets *t = &r->targets;
  *image = (weft_image){0};
  weft_gl_make_current(r->gl);
  weft_result result = weft_gl_settle(r->gl, "before a picture was read", err);
  if (result) return result;
  *image = (weft_image){t->width, t->height, weft_alloc((size_t)t->width * t->height, 3)};
  size_t stride = (size_t)3 * t->width;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t->final_fbo);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  for (uint32_t y = 0; y < t->height; ++y) { /* GL's rows run upwards */
    glReadPixels(0, (GLint)(t->height - 1 - y), (GLsizei)t->width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                 image->pixels + stride * y);
  }
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  result = weft_gl_check("reading a picture back", err);
  if (result) {
    weft_free(image->pixels);
    *image = (weft_image){0};
  }
  return result;
}
