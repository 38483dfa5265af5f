/* drawing.c: vertices of a solver's cloth as an engine draws them; see
 * shaders/solver/vertices.comp.
 */
#include <string.h>

#include "solver_gl_internal.h"

enum { GROUP = 64, VERTEX_BYTES = 6 * sizeof(float) };

struct weft_gl_drawing {
  weft_solver *solver;
  GLuint program; /* the context's */
  weft_gl_buffer corners, particles, vertices, indices;
  uint32_t vertex_count, index_count;
};

/* ---- tables ---- */

static weft_result check(const weft_model *model, const weft_gl_drawing_desc *desc,
                         weft_error *err) {
  const uint32_t particles = model->particle_count;
  if (!desc->particles && desc->vertex_count && desc->vertex_count != particles) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "%u vertices without `particles`: the model has %u particles",
                     desc->vertex_count, particles);
  }
  if (desc->particles && (!desc->triangles || desc->vertex_count == 0)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "vertices that are not the particles want triangles of their own");
  }
  const uint32_t vertices = desc->particles ? desc->vertex_count : particles;
  for (uint32_t v = 0; v < vertices && desc->particles; ++v) {
    if (desc->particles[v] < particles) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "vertex %u is of particle %u, there are %u", v,
                     desc->particles[v], particles);
  }
  for (size_t c = 0; c < 3 * (size_t)desc->triangle_count && desc->triangles; ++c) {
    if (desc->triangles[c] < vertices) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "triangle %zu names vertex %u, there are %u", c / 3,
                     desc->triangles[c], vertices);
  }
  return WEFT_OK;
}

/* Offsets, and at each two particles a triangle: the next and the one after it. */
static uint32_t *corners_of(const weft_model *model, size_t *words) {
  const uint32_t n = model->particle_count;
  const size_t corners = 3 * (size_t)model->triangle_count;
  *words = n + 1 + 2 * corners;
  uint32_t *table = weft_alloc(*words, sizeof *table);
  uint32_t *filled = weft_alloc(n, sizeof *filled);
  for (size_t c = 0; c < corners; ++c) table[model->triangles[c] + 1] += 2;
  table[0] = n + 1;
  for (uint32_t i = 0; i < n; ++i) table[i + 1] += table[i];
  for (size_t c = 0; c < corners; ++c) {
    const uint32_t *t = &model->triangles[c / 3 * 3], particle = model->triangles[c];
    uint32_t *pair = table + table[particle] + filled[particle];
    pair[0] = t[(c + 1) % 3];
    pair[1] = t[(c + 2) % 3];
    filled[particle] += 2;
  }
  weft_free(filled);
  return table;
}

static uint32_t *identity(uint32_t count) {
  uint32_t *all = weft_alloc(count, sizeof *all);
  for (uint32_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

/* ---- life ---- */

static weft_result make_buffer(weft_gl *gl, const char *label, size_t words, const void *data,
                               weft_gl_buffer *buffer, weft_error *err) {
  const uint64_t bytes = (uint64_t)words * sizeof(uint32_t);
  if (bytes > gl->limits.max_storage_block) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "%s need %.1f MiB in one storage block, and this driver allows %.1f MiB",
                     label, (double)bytes / 1048576,
                     (double)gl->limits.max_storage_block / 1048576);
  }
  return weft_gl_buffer_create(gl, label, bytes, 0, data ? GL_STATIC_DRAW : GL_DYNAMIC_COPY, data,
                               buffer, err);
}

static weft_result make_tables(weft_gl_drawing *drawing, weft_gl *gl,
                               const weft_gl_drawing_desc *desc, weft_error *err) {
  const weft_model *model = drawing->solver->model;
  size_t words = 0;
  uint32_t *corners = corners_of(model, &words);
  uint32_t *all = desc->particles ? NULL : identity(drawing->vertex_count);
  weft_result result =
      make_buffer(gl, "corners of drawn particles", words, corners, &drawing->corners, err);
  if (result == WEFT_OK)
    result = make_buffer(gl, "particles of drawn vertices", drawing->vertex_count,
                         desc->particles ? desc->particles : all, &drawing->particles, err);
  if (result == WEFT_OK)
    result = make_buffer(gl, "drawn vertices", 6 * (size_t)drawing->vertex_count, NULL,
                         &drawing->vertices, err);
  if (result == WEFT_OK)
    result =
        make_buffer(gl, "drawn triangles", drawing->index_count,
                    desc->triangles ? desc->triangles : model->triangles, &drawing->indices, err);
  weft_free(corners);
  weft_free(all);
  return result;
}

static void release(void *drawing) { weft_gl_drawing_destroy(drawing); }

static weft_result make(weft_solver *solver, weft_gl_instance *self,
                        const weft_gl_drawing_desc *desc, weft_gl_drawing **out, weft_error *err) {
  weft_gl_drawing *drawing = weft_alloc(1, sizeof *drawing);
  *drawing = (weft_gl_drawing){.solver = solver};
  weft_deferred *deferred = weft_defer(release, drawing);
  drawing->vertex_count = desc->particles ? desc->vertex_count : solver->model->particle_count;
  drawing->index_count =
      3 * (desc->triangles ? desc->triangle_count : solver->model->triangle_count);
  weft_result result = weft_gl_find_program(self->gl, "solver/vertices.comp", NULL, weft_strdup(""),
                                            &drawing->program, err);
  if (result == WEFT_OK) result = weft_gl_end_programs(self->gl, err);
  if (result == WEFT_OK) result = make_tables(drawing, self->gl, desc, err);
  weft_defer_end(deferred);
  if (result == WEFT_OK) {
    *out = drawing;
  } else {
    weft_gl_drawing_destroy(drawing);
  }
  return result;
}

weft_result weft_gl_drawing_create(weft_solver *solver, const weft_gl_drawing_desc *desc,
                                   weft_gl_drawing **out, weft_error *err) {
  static const weft_gl_drawing_desc none = {0};
  WEFT_NEED(out);
  *out = NULL;
  WEFT_NEED(solver);
  weft_gl_instance *self = weft_gl_instance_of(solver, err);
  const weft_result result =
      self ? check(solver->model, desc ? desc : &none, err) : WEFT_ERROR_ARGUMENT;
  if (result != WEFT_OK) return result;
  WEFT_ENTER(solver->backend);
  WEFT_GUARD_READ(solver, err);
  weft_gl_take_over(self);
  return make(solver, self, desc ? desc : &none, out, err);
}

void weft_gl_drawing_destroy(weft_gl_drawing *drawing) {
  if (!drawing) return;
  const weft_backend *entered = NULL;
  if (weft_enter(drawing->solver->backend, &entered, NULL) == WEFT_OK) {
    weft_gl_buffer_destroy(&drawing->corners);
    weft_gl_buffer_destroy(&drawing->particles);
    weft_gl_buffer_destroy(&drawing->vertices);
    weft_gl_buffer_destroy(&drawing->indices);
    weft_leave(&entered);
  }
  weft_free(drawing);
}

/* ---- use ---- */

static void bind(weft_gl_instance *self, uint32_t slot, const weft_gl_buffer *buffer) {
  weft_gl_set_range(
      self->shared, GL_SHADER_STORAGE_BUFFER, slot,
      &(weft_gl_range){buffer->name, 0, (GLsizeiptr)(buffer->size ? buffer->size : 16)});
}

static void tell(const weft_gl_drawing *drawing, weft_gl_vertices *vertices) {
  const weft_gl_view each = {.buffer = drawing->vertices.name,
                             .stride = VERTEX_BYTES,
                             .size = drawing->vertices.size,
                             .count = drawing->vertex_count};
  vertices->positions = vertices->normals = each;
  vertices->normals.offset = 3 * sizeof(float);
  vertices->normals.size -= 3 * sizeof(float);
  vertices->indices = (weft_gl_view){.buffer = drawing->indices.name,
                                     .stride = sizeof(uint32_t),
                                     .size = drawing->indices.size,
                                     .count = drawing->index_count};
  weft_gl_tell_origin(drawing->solver, vertices->origin);
}

weft_result weft_gl_drawing_update(weft_gl_drawing *drawing, weft_gl_vertices *vertices,
                                   weft_error *err) {
  if (vertices) *vertices = (weft_gl_vertices){.origin = {0}};
  WEFT_NEED(drawing);
  weft_gl_instance *self = weft_gl_instance_of(drawing->solver, err);
  if (!self) return WEFT_ERROR_ARGUMENT;
  WEFT_ENTER(drawing->solver->backend);
  WEFT_GUARD_CHANGE(&drawing->solver->owned, err);
  weft_gl_take_over(self);
  const weft_pass pass = {.count = drawing->vertex_count};
  weft_gl_set_program(self->shared, drawing->program);
  weft_gl_bind_pass(self, &pass);
  weft_gl_bind_single(self, WEFT_BUFFER_X, 0);
  bind(self, 1, &drawing->corners);
  bind(self, 2, &drawing->particles);
  bind(self, 3, &drawing->vertices);
  weft_gl_dispatch(self->shared, (drawing->vertex_count + GROUP - 1) / GROUP);
  weft_gl_barrier(self->shared, GL_ALL_BARRIER_BITS);
  weft_gl_forget(self->shared);
  if (vertices) tell(drawing, vertices);
  return WEFT_OK;
}
