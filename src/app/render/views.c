/* Values of particles for the view modes, computed on the GPU from the solver's buffers in place:
 * each particle gathers over the constraints at it, whose lists are made once a model. The range of
 * the colours comes from the largest value, on the GPU as well: no state ever travels to the host.
 */
#include <string.h>

#include "program_text.h"
#include "render_internal.h"

static const char *const names[WEFT_VIEW_MODE_COUNT] = {
    "shaded",     "wire",     "strain",   "compression", "colours", "bending",
    "bend-angle", "velocity", "contacts", "gaps",        "tangled", "normals"};

static const float degrees_per_radian = 57.29577951f;

const char *weft_view_name(weft_view_mode mode) {
  return (unsigned)mode < WEFT_VIEW_MODE_COUNT ? names[mode] : "unknown";
}

weft_result weft_view_parse(const char *text, weft_view_mode *mode, weft_error *err) {
  for (int i = 0; i < WEFT_VIEW_MODE_COUNT; ++i) {
    if (strcmp(names[i], text) != 0) continue;
    *mode = (weft_view_mode)i;
    return WEFT_OK;
  }
  return weft_fail(
      err, WEFT_ERROR_ARGUMENT,
      "there is no view \"%.40s\": it must be shaded, wire, strain, compression, colours, "
      "bending, bend-angle, velocity, contacts, gaps, tangled or normals",
      text);
}

static const weft_view_style styles[WEFT_VIEW_MODE_COUNT] = {
    [WEFT_VIEW_STRAIN] = {"Strain (%)", "how much longer than at rest\nthe most stretched edge is",
                          WEFT_PAINT_PULLED, 100, 1, 1e9f, true, true},
    [WEFT_VIEW_COMPRESSION] = {"Compression (%)",
                               "how much shorter than at rest\nthe most compressed edge is",
                               WEFT_PAINT_PUSHED, 100, 1, 1e9f, true, true},
    [WEFT_VIEW_COLOURS] = {"Graph colours",
                           "Constraints of one colour share\nno particle: they move at once.", 0, 1,
                           1, 1, false, false},
    [WEFT_VIEW_BENDING] = {"Bending energy (mJ/m^2)", "Each step of colour is as much\nmore bent.",
                           WEFT_PAINT_ROOT, 1000, 1, 1e9f, true, true},
    [WEFT_VIEW_BEND_ANGLE] = {"Bending (degrees)", "how far hinges are away\nfrom their rest angle",
                              WEFT_PAINT_SEQUENTIAL, degrees_per_radian, 1, 90, true, true},
    [WEFT_VIEW_VELOCITY] = {"Speed (m/s)", NULL, WEFT_PAINT_SEQUENTIAL, 1, 1, 1e9f, true, false},
    [WEFT_VIEW_CONTACTS] = {"Contacts", NULL, WEFT_PAINT_CONTACTS, 1, 1, 1, false, false},
    [WEFT_VIEW_GAPS] = {"Gap / thickness", NULL, WEFT_PAINT_GAPS, 1, 1, 1, true, false},
    [WEFT_VIEW_TANGLED] = {"Tangled at the start", NULL, WEFT_PAINT_TANGLED, 1, 1, 1, false, false},
    [WEFT_VIEW_NORMALS] = {"Normals", "where the front faces", WEFT_PAINT_NORMALS, 1, 1, 1, false,
                           false},
};

const weft_view_style *weft_view_style_of(weft_view_mode mode) {
  return (unsigned)mode < WEFT_VIEW_MODE_COUNT && styles[mode].title ? &styles[mode] : NULL;
}

/* ---- binding and dispatching ---- */

void weft_render_bind(GLuint slot, const weft_gl_buffer *buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, slot, buffer->name);
}

void weft_render_bind_positions(const weft_gl_view *positions, weft_vec3 origin) {
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, WEFT_RENDER_SLOT_X, positions->buffer,
                    (GLintptr)positions->offset, (GLsizeiptr)positions->size);
  glUniform3f(WEFT_RENDER_LOCATION_ORIGIN, origin.x, origin.y, origin.z);
}

weft_result weft_render_bind_solver(weft_gl *gl, GLuint slot, const weft_solver *solver,
                                    weft_buffer_id id, weft_error *err) {
  weft_gl_view view;
  if (!weft_solver_gl_view(solver, id, &view)) {
    return weft_fail(err, WEFT_ERROR_GL, "the solver's tables are not in GL buffers");
  }
  if (view.size > gl->limits.max_storage_block) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "this view reads %.1f MiB of the solver's tables at once, and this driver "
                     "allows %.1f MiB: use fewer particles, or the view shaded",
                     (double)view.size / 1048576.0,
                     (double)gl->limits.max_storage_block / 1048576.0);
  }
  /* An empty buffer still has 16 bytes. */
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, slot, view.buffer, (GLintptr)view.offset,
                    view.size ? (GLsizeiptr)view.size : 16);
  return WEFT_OK;
}

void weft_render_dispatch(weft_gl *gl, uint32_t count) {
  uint64_t max = (uint64_t)gl->limits.max_groups[0] * gl->desc.group_size;
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  for (uint64_t first = 0; first < count; first += max) {
    uint64_t part = count - first < max ? count - first : max;
    glUniform1ui(WEFT_RENDER_LOCATION_FIRST, (GLuint)first);
    glUniform1ui(WEFT_RENDER_LOCATION_COUNT, (GLuint)part);
    glDispatchCompute((GLuint)((part + gl->desc.group_size - 1) / gl->desc.group_size), 1, 1);
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

/* ---- lists of constraints at each particle ---- */

enum { STRAIN_LIST, BENDING_LIST };

static bool in_list(const weft_constraint_group *g, int list) {
  if (list == BENDING_LIST) {
    return g->role == WEFT_ROLE_BENDING && weft_constraint_infos[g->type].seen != WEFT_SEEN_UNSEEN;
  }
  return g->type == WEFT_CONSTRAINT_DISTANCE && g->role == WEFT_ROLE_STRETCH;
}

/* -1: the mode asks for no constraints. */
static int list_of(weft_view_mode mode) {
  if (mode == WEFT_VIEW_STRAIN || mode == WEFT_VIEW_COMPRESSION) return STRAIN_LIST;
  return mode == WEFT_VIEW_BENDING || mode == WEFT_VIEW_BEND_ANGLE ? BENDING_LIST : -1;
}

bool weft_view_measures(const weft_model *model, weft_view_mode mode) {
  int list = list_of(mode);
  if (list < 0) return true;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    if (in_list(&model->groups[g], list) && model->groups[g].count > 0) return true;
  }
  return false;
}

static uint32_t item_of(const weft_model *model, uint32_t group, uint32_t i, int list) {
  const weft_constraint_group *g = &model->groups[group];
  uint32_t above =
      list == STRAIN_LIST ? (uint32_t)g->sense : (uint32_t)weft_constraint_infos[g->type].seen;
  return above << WEFT_ITEM_SHIFT | (weft_group_base(model, group) + i);
}

/* offsets[p] becomes where the list of p begins; returns the length of all. */
static uint32_t count_items(const weft_model *model, int list, uint32_t *offsets) {
  uint32_t n = model->particle_count, sum = 0;
  memset(offsets, 0, (n + 1) * sizeof *offsets);
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    size_t roles = in_list(g, list) ? (size_t)g->count * g->arity : 0;
    for (size_t r = 0; r < roles; ++r) ++offsets[g->particles[r]];
  }
  for (uint32_t p = 0; p <= n; ++p) {
    uint32_t here = offsets[p];
    offsets[p] = sum;
    sum += here;
  }
  return sum;
}

static void fill_items(const weft_model *model, int list, uint32_t *next, uint32_t *items) {
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    for (uint32_t i = 0; i < g->count && in_list(g, list); ++i) {
      uint32_t item = item_of(model, k, i, list);
      for (uint32_t r = 0; r < g->arity; ++r) {
        items[next[g->particles[(size_t)i * g->arity + r]]++] = item;
      }
    }
  }
}

static weft_result make_list(weft_gl *gl, weft_render_views *v, const weft_model *model, int list,
                             weft_error *err) {
  uint32_t n = model->particle_count;
  uint32_t *offsets = weft_alloc((size_t)n + 1, sizeof *offsets);
  uint32_t *next = weft_alloc((size_t)n + 1, sizeof *next);
  uint32_t count = count_items(model, list, offsets);
  uint32_t *items = weft_alloc(count, sizeof *items);
  memcpy(next, offsets, ((size_t)n + 1) * sizeof *next);
  fill_items(model, list, next, items);
  weft_gl_buffer_destroy(&v->offsets[list]);
  weft_gl_buffer_destroy(&v->items[list]);
  weft_result result = weft_render_upload(gl, "render view offsets", (n + 1ull) * sizeof *offsets,
                                          offsets, &v->offsets[list], err);
  if (!result) {
    result = weft_render_upload(gl, "render view items", count * sizeof *items, items,
                                &v->items[list], err);
  }
  weft_free(offsets);
  weft_free(next);
  weft_free(items);
  return result;
}

/* ---- energy ---- */

static uint32_t terms_of(const weft_model *model, weft_constraint_type type) {
  if (weft_constraint_infos[type].seen == WEFT_SEEN_UNSEEN) return 0;
  uint32_t count = 0;
  for (uint32_t k = 0; k < model->group_count; ++k) {
    if (model->groups[k].type == type) count += model->groups[k].count;
  }
  return weft_constraint_infos[type].seen == WEFT_SEEN_LENGTH ? 2 * count : count;
}

static double area_of(const weft_vec3 *x, const uint32_t *v) {
  weft_vec3 a = weft_v3_sub(x[v[1]], x[v[0]]), b = weft_v3_sub(x[v[2]], x[v[0]]);
  return 0.5 * (double)weft_v3_length(weft_v3_cross(a, b));
}

/* What a particle stands for: a third of its triangles at rest. */
static void fill_areas(const weft_model *model, float *inverse) {
  const weft_vec3 *x = model->rest_positions;
  for (uint32_t p = 0; p < model->particle_count; ++p) {
    double area = 0;
    for (uint32_t k = model->corner_offsets[p]; k < model->corner_offsets[p + 1]; ++k) {
      const uint32_t *v = &model->triangles[model->corner_items[k] / 3 * 3];
      area += area_of(x, v) / 3;
    }
    inverse[p] = area > 0 ? (float)(1 / area) : 0;
  }
}

/* Hard constraints store nothing. */
static void fill_terms(const weft_constraint_group *g, float *terms) {
  for (uint32_t i = 0; i < g->count; ++i) {
    float alpha = g->compliance[i];
    float term = alpha > 0 ? (float)(0.5 / ((double)alpha * g->arity)) : 0;
    if (weft_constraint_infos[g->type].seen != WEFT_SEEN_LENGTH) {
      terms[i] = term;
      continue;
    }
    terms[2 * (size_t)i] = g->sense == WEFT_SENSE_AT_LEAST ? 0 : term;
    terms[2 * (size_t)i + 1] = g->sense == WEFT_SENSE_AT_MOST ? 0 : term;
  }
}

static weft_result make_terms(weft_gl *gl, weft_render_views *v, const weft_model *model,
                              weft_error *err) {
  uint32_t count = model->particle_count;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    weft_seen seen = weft_constraint_infos[type].seen;
    if (seen != WEFT_SEEN_UNSEEN) v->bases[seen] = count;
    count += terms_of(model, (weft_constraint_type)type);
  }
  float *terms = weft_alloc(count, sizeof *terms);
  for (uint32_t p = 0; p < model->particle_count; ++p) terms[p] = 1;
  if (model->triangle_count > 0) fill_areas(model, terms);
  for (uint32_t k = 0; k < model->group_count; ++k) {
    const weft_constraint_group *g = &model->groups[k];
    weft_seen seen = weft_constraint_infos[g->type].seen;
    if (seen == WEFT_SEEN_UNSEEN) continue;
    uint32_t first = weft_group_base(model, k) * (seen == WEFT_SEEN_LENGTH ? 2 : 1);
    fill_terms(g, terms + v->bases[seen] + first);
  }
  weft_result result = weft_render_upload(gl, "render view terms", count * (uint64_t)sizeof *terms,
                                          terms, &v->terms, err);
  weft_free(terms);
  return result;
}

/* ---- what a mode needs, made when it is first wanted ---- */

static weft_result make_program(weft_gl *gl, const char *path, const char *more, GLuint *program,
                                weft_error *err) {
  if (*program) return WEFT_OK;
  char defines[64];
  snprintf(defines, sizeof defines, "WEFT_GROUP_SIZE=%u%s", gl->desc.group_size, more);
  weft_string shapes = {0};
  weft_gl_text_shapes(&shapes, weft_gl_all_shapes());
  weft_result result = weft_gl_compute_program(gl, path, defines, shapes.bytes, program, err);
  weft_string_free(&shapes);
  return result;
}

static weft_result make_common(weft_gl *gl, weft_render_views *v, uint32_t particles,
                               weft_error *err) {
  if (v->range_program) return WEFT_OK;
  v->particle_count = particles;
  const weft_render_range range = {0, 1, 0, 0};
  weft_result result = weft_render_upload(gl, "render view values",
                                          particles * 2ull * sizeof(float), NULL, &v->values, err);
  if (!result) {
    result = weft_gl_buffer_create(gl, "render view peak", sizeof(uint32_t), 0, GL_DYNAMIC_COPY,
                                   NULL, &v->peak, err);
  }
  if (!result) {
    result = weft_gl_buffer_create(gl, "render view range", sizeof range, 0, GL_DYNAMIC_COPY,
                                   &range, &v->range, err);
  }
  if (!result) {
    result = weft_gl_buffer_create(gl, "render view bins", (WEFT_VIEW_BINS + 1) * sizeof(uint32_t),
                                   0, GL_DYNAMIC_COPY, NULL, &v->bins, err);
  }
  if (!result) result = make_program(gl, "render/view_peak.comp", "", &v->peak_program, err);
  if (!result) result = make_program(gl, "render/view_range.comp", "", &v->range_program, err);
  return result;
}

static weft_result make_mode(weft_gl *gl, weft_render_views *v, const weft_picture *picture,
                             weft_error *err) {
  static const char *const paths[WEFT_VIEW_MODE_COUNT] = {
      [WEFT_VIEW_STRAIN] = "render/view_strain.comp",
      [WEFT_VIEW_COMPRESSION] = "render/view_strain.comp",
      [WEFT_VIEW_BENDING] = "render/view_bending.comp",
      [WEFT_VIEW_BEND_ANGLE] = "render/view_bending.comp",
      [WEFT_VIEW_VELOCITY] = "render/view_speed.comp",
      [WEFT_VIEW_CONTACTS] = "render/view_contacts.comp",
      [WEFT_VIEW_GAPS] = "render/view_gaps.comp",
      [WEFT_VIEW_TANGLED] = "render/view_tangled.comp",
  };
  weft_view_mode mode = picture->mode;
  if (!paths[mode]) return WEFT_OK;
  const char *more = mode == WEFT_VIEW_BENDING       ? " ENERGY"
                     : mode == WEFT_VIEW_COMPRESSION ? " COMPRESSION"
                                                     : "";
  weft_result result = make_program(gl, paths[mode], more, &v->programs[mode], err);
  if (!result && mode == WEFT_VIEW_GAPS) {
    result = make_program(gl, paths[mode], " PAIRS", &v->pairs_program, err);
  }
  if (!result && mode == WEFT_VIEW_CONTACTS) {
    result = make_program(gl, paths[mode], " PAIRS", &v->bodies_program, err);
  }
  if (!result && mode == WEFT_VIEW_TANGLED) {
    result = make_program(gl, paths[mode], " TRIANGLES", &v->tangled_program, err);
  }
  if (!result && mode == WEFT_VIEW_CONTACTS && !v->poses.name) {
    result = weft_gl_buffer_create(gl, "render view poses",
                                   WEFT_MAX_COLLIDERS * sizeof(weft_collider_pose), 0,
                                   GL_DYNAMIC_DRAW, NULL, &v->poses, err);
  }
  const weft_model *model = weft_solver_model(picture->solver);
  if (model != v->model) {
    for (int list = 0; list < 2; ++list) weft_gl_buffer_destroy(&v->offsets[list]);
    weft_gl_buffer_destroy(&v->terms);
    v->model = model;
  }
  int list = list_of(mode);
  if (!result && list >= 0 && !v->offsets[list].name) result = make_list(gl, v, model, list, err);
  bool energy = mode == WEFT_VIEW_BENDING;
  if (!result && energy && !v->terms.name) result = make_terms(gl, v, model, err);
  return result;
}

/* ---- values ---- */

static weft_result bind_constraints(weft_gl *gl, const weft_render_views *v, int list,
                                    const weft_solver *solver, weft_error *err) {
  weft_render_bind(WEFT_RENDER_SLOT_OFFSETS, &v->offsets[list]);
  weft_render_bind(WEFT_RENDER_SLOT_ITEMS, &v->items[list]);
  static const GLuint slots[WEFT_SEEN_UNSEEN] = {[WEFT_SEEN_LENGTH] = WEFT_RENDER_SLOT_LENGTHS,
                                                 [WEFT_SEEN_SUM] = WEFT_RENDER_SLOT_SUMS,
                                                 [WEFT_SEEN_ANGLE] = WEFT_RENDER_SLOT_ANGLES};
  weft_result result = WEFT_OK;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT && result == WEFT_OK; ++type) {
    weft_seen seen = weft_constraint_infos[type].seen;
    if (seen == WEFT_SEEN_UNSEEN || (list == STRAIN_LIST && seen != WEFT_SEEN_LENGTH)) continue;
    weft_buffer_id rows = weft_constraint_buffers_of[type].elements;
    result = weft_render_bind_solver(gl, slots[seen], solver, rows, err);
  }
  return result;
}

weft_result weft_views_bind_strain(weft_gl *gl, const weft_render_views *v,
                                   const weft_picture *picture, weft_error *err) {
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, WEFT_RENDER_SLOT_X, picture->positions.buffer,
                    (GLintptr)picture->positions.offset, (GLsizeiptr)picture->positions.size);
  return bind_constraints(gl, v, STRAIN_LIST, picture->solver, err);
}

/* Touching is within a tenth of the thickness and a millimetre, or 2 % of two radii. */
static weft_result bind_contacts(weft_gl *gl, const weft_render_views *v,
                                 const weft_picture *picture, weft_error *err) {
  const weft_model *model = weft_solver_model(picture->solver);
  const weft_params *params = weft_solver_params(picture->solver);
  weft_collider_pose poses[WEFT_MAX_COLLIDERS];
  uint32_t count = picture->collider_count;
  WEFT_CHECK(count <= WEFT_MAX_COLLIDERS, "a picture has more colliders than a solver may have");
  for (uint32_t k = 0; k < count; ++k) {
    weft_collider c = picture->colliders[k]; /* counted from where positions are */
    c.offset = weft_v3_sub(c.offset, picture->origin);
    poses[k] = weft_collider_pose_at(&c, picture->time, picture->time, params->thickness);
  }
  if (count > 0) weft_gl_buffer_write(&v->poses, 0, count * sizeof *poses, poses);
  bool pairs = weft_contact_active(model, params);
  glUniform1f(WEFT_RENDER_LOCATION_MARGIN, 0.1f * params->thickness + 0.001f);
  glUniform1f(WEFT_RENDER_LOCATION_DISTANCE, pairs ? 2.04f * model->radius : 0);
  glUniform1ui(WEFT_RENDER_LOCATION_POSES, count);
  weft_render_bind(WEFT_RENDER_SLOT_POSES, &v->poses);
  weft_result result = weft_render_bind_solver(gl, WEFT_RENDER_SLOT_CONTACTS, picture->solver,
                                               WEFT_BUFFER_CONTACTS, err);
  if (result) return result;
  return weft_render_bind_solver(gl, WEFT_RENDER_SLOT_CONTACT_FOUND, picture->solver,
                                 WEFT_BUFFER_CONTACT_FOUND, err);
}

static weft_result bind_pairs(weft_gl *gl, const weft_picture *picture, weft_error *err) {
  static const struct {
    GLuint slot;
    weft_buffer_id id;
  } tables[] = {{WEFT_RENDER_SLOT_SELF_PAIRS, WEFT_BUFFER_SELF_PAIRS},
                {WEFT_RENDER_SLOT_SELF_PLANES, WEFT_BUFFER_SELF_PLANES},
                {WEFT_RENDER_SLOT_SELF_FRACTIONS, WEFT_BUFFER_SELF_FRACTIONS},
                {WEFT_RENDER_SLOT_SELF_COUNTS, WEFT_BUFFER_SELF_COUNTS}};
  weft_result result = WEFT_OK;
  for (size_t k = 0; k < sizeof tables / sizeof *tables && result == WEFT_OK; ++k) {
    result = weft_render_bind_solver(gl, tables[k].slot, picture->solver, tables[k].id, err);
  }
  weft_gl_view uniforms;
  if (result || !weft_solver_gl_view(picture->solver, WEFT_BUFFER_UNIFORMS, &uniforms))
    return result;
  glBindBufferRange(GL_UNIFORM_BUFFER, WEFT_UNIFORM_BINDING, uniforms.buffer,
                    (GLintptr)uniforms.offset, sizeof(weft_uniforms));
  return result;
}

/* Over the pairs of the last substep, however many there are. */
static void scatter_pairs(GLuint program, const weft_picture *picture) {
  weft_gl_view sizes;
  bool there = weft_solver_gl_view(picture->solver, WEFT_BUFFER_SELF_DISPATCH_ARGS, &sizes);
  if (!there || sizes.size == 0) return;
  glUseProgram(program);
  glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, sizes.buffer);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
  glDispatchComputeIndirect((GLintptr)(sizes.offset + WEFT_SELF_SIZE_PAIRS * sizeof(uvec4)));
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT |
                  GL_BUFFER_UPDATE_BARRIER_BIT);
}

/* Who touches a body. The first pass has other buffers in the same slots. */
static weft_result scatter_bodies(weft_gl *gl, const weft_render_views *v,
                                  const weft_picture *picture, weft_error *err) {
  const weft_params *params = weft_solver_params(picture->solver);
  if (params->body_count == 0) return WEFT_OK;
  weft_result result = bind_pairs(gl, picture, err);
  if (result) return result;
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  scatter_pairs(v->bodies_program, picture);
  return WEFT_OK;
}

static uint32_t tangled_table(const weft_picture *picture) {
  weft_gl_view table;
  if (!weft_solver_gl_view(picture->solver, WEFT_BUFFER_SELF_TRIANGLES, &table)) return 0;
  return (uint32_t)(table.size / sizeof(weft_self_triangle));
}

static weft_result bind_tangled(weft_gl *gl, const weft_picture *picture, weft_error *err) {
  glUniform1ui(WEFT_RENDER_LOCATION_TANGLED, tangled_table(picture));
  return weft_render_bind_solver(gl, WEFT_RENDER_SLOT_SELF_TRIANGLES, picture->solver,
                                 WEFT_BUFFER_SELF_TRIANGLES, err);
}

/* Over the triangles of self-collision. */
static void scatter_tangled(weft_gl *gl, const weft_render_views *v, const weft_picture *picture) {
  glUseProgram(v->tangled_program);
  weft_render_dispatch(gl, tangled_table(picture));
}

static weft_result bind_mode(weft_gl *gl, const weft_render_views *v, const weft_picture *picture,
                             weft_error *err) {
  switch (picture->mode) {
    case WEFT_VIEW_STRAIN:
    case WEFT_VIEW_COMPRESSION:
      return bind_constraints(gl, v, STRAIN_LIST, picture->solver, err);
    case WEFT_VIEW_BENDING:
      weft_render_bind(WEFT_RENDER_SLOT_TERMS, &v->terms);
      glUniform3uiv(WEFT_RENDER_LOCATION_BASES, 1, v->bases);
      return bind_constraints(gl, v, BENDING_LIST, picture->solver, err);
    case WEFT_VIEW_BEND_ANGLE:
      return bind_constraints(gl, v, BENDING_LIST, picture->solver, err);
    case WEFT_VIEW_VELOCITY:
      return weft_render_bind_solver(gl, WEFT_RENDER_SLOT_V, picture->solver, WEFT_BUFFER_V, err);
    case WEFT_VIEW_GAPS:
      return bind_pairs(gl, picture, err);
    case WEFT_VIEW_TANGLED:
      return bind_tangled(gl, picture, err);
    default:
      return bind_contacts(gl, v, picture, err);
  }
}

static void clear(const weft_gl_buffer *buffer) {
  const uint32_t zero = 0;
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
  glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

static void find_peak(weft_gl *gl, const weft_render_views *v) {
  clear(&v->peak);
  clear(&v->bins);
  glUseProgram(v->peak_program);
  weft_render_bind(WEFT_RENDER_SLOT_VALUES, &v->values);
  weft_render_bind(WEFT_RENDER_SLOT_PEAK, &v->peak);
  weft_render_bind(WEFT_RENDER_SLOT_BINS, &v->bins);
  weft_render_dispatch(gl, v->particle_count);
}

weft_result weft_views_update(weft_gl *gl, weft_render_views *v, const weft_picture *picture,
                              uint32_t particles, weft_error *err) {
  weft_result result = make_common(gl, v, particles, err);
  if (!result) result = make_mode(gl, v, picture, err);
  if (result || !v->programs[picture->mode]) return result;
  glUseProgram(v->programs[picture->mode]);
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, WEFT_RENDER_SLOT_X, picture->positions.buffer,
                    (GLintptr)picture->positions.offset, (GLsizeiptr)picture->positions.size);
  weft_render_bind(WEFT_RENDER_SLOT_VALUES, &v->values);
  result = bind_mode(gl, v, picture, err);
  if (result) return result;
  weft_render_dispatch(gl, particles);
  if (picture->mode == WEFT_VIEW_GAPS) scatter_pairs(v->pairs_program, picture);
  if (picture->mode == WEFT_VIEW_CONTACTS) result = scatter_bodies(gl, v, picture, err);
  if (picture->mode == WEFT_VIEW_TANGLED) scatter_tangled(gl, v, picture);
  if (styles[picture->mode].has_range) find_peak(gl, v);
  return result;
}

void weft_views_range(weft_gl *gl, const weft_render_views *v, const weft_picture *picture,
                      const weft_render_legend *legend) {
  const weft_view_style *style = &styles[picture->mode];
  (void)gl;
  if (!style->has_range) return;
  glUseProgram(v->range_program);
  weft_render_bind(WEFT_RENDER_SLOT_PEAK, &v->peak);
  weft_render_bind(WEFT_RENDER_SLOT_BINS, &v->bins);
  weft_render_bind(WEFT_RENDER_SLOT_RANGE, &v->range);
  weft_render_bind(WEFT_RENDER_SLOT_MARKS, &legend->marks);
  glUniform1ui(WEFT_RENDER_LOCATION_FIRST, legend->label_first);
  /* Of gaps all that there can be. */
  float given = picture->mode == WEFT_VIEW_GAPS ? style->max : picture->view_range;
  glUniform1f(WEFT_RENDER_LOCATION_GIVEN, given);
  glUniform1f(WEFT_RENDER_LOCATION_UNIT, style->unit);
  glUniform1f(WEFT_RENDER_LOCATION_NONE, style->when_none);
  glUniform1f(WEFT_RENDER_LOCATION_MAX, style->max);
  glUniform1f(WEFT_RENDER_LOCATION_USUAL, style->usual ? 1 : 0);
  glUniform4fv(WEFT_RENDER_LOCATION_LABELS, 1, legend->labels);
  glUniform1ui(WEFT_RENDER_LOCATION_PAINT, style->paint);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT |
                  GL_BUFFER_UPDATE_BARRIER_BIT);
}

void weft_views_destroy(weft_render_views *v) {
  for (int mode = 0; mode < WEFT_VIEW_MODE_COUNT; ++mode) glDeleteProgram(v->programs[mode]);
  glDeleteProgram(v->pairs_program);
  glDeleteProgram(v->bodies_program);
  glDeleteProgram(v->tangled_program);
  glDeleteProgram(v->peak_program);
  glDeleteProgram(v->range_program);
  weft_gl_buffer *buffers[] = {&v->values,   &v->peak,    &v->bins,       &v->range,
                               &v->poses,    &v->terms,   &v->offsets[0], &v->offsets[1],
                               &v->items[0], &v->items[1]};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; ++i) weft_gl_buffer_destroy(buffers[i]);
  *v = (weft_render_views){0};
}
