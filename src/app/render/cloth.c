/* The cloth on the GPU: what never changes, and the normals, remade for every picture. */
#include <string.h>

#include "adjacency.h"
#include "render_internal.h"

weft_result weft_render_upload(weft_gl *gl, const char *label, uint64_t bytes, const void *data,
                               weft_gl_buffer *buffer, weft_error *err) {
  if (bytes > gl->limits.max_storage_block) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "the %s buffer of this picture needs %.1f MiB in one storage block, and this "
                     "driver allows %.1f MiB: use fewer particles",
                     label, (double)bytes / 1048576.0,
                     (double)gl->limits.max_storage_block / 1048576.0);
  }
  return weft_gl_buffer_create(gl, label, bytes, 0, GL_STATIC_DRAW, data, buffer, err);
}

static weft_result upload_rest(weft_gl *gl, const weft_renderer_desc *desc, weft_gl_buffer *buffer,
                               weft_error *err) {
  vec4 *rows = weft_alloc(desc->particle_count, sizeof *rows);
  for (uint32_t i = 0; i < desc->particle_count; ++i) {
    weft_vec3 p = desc->rest_positions[i];
    rows[i] = (vec4){p.x, p.y, p.z, 0};
  }
  uint64_t bytes = (uint64_t)desc->particle_count * sizeof *rows;
  weft_result result = weft_render_upload(gl, "render rest pose", bytes, rows, buffer, err);
  weft_free(rows);
  return result;
}

static weft_result upload_corners(weft_gl *gl, const weft_renderer_desc *desc,
                                  weft_render_mesh *mesh, weft_error *err) {
  uint32_t *offsets, *items;
  weft_corners_build(desc->particle_count, desc->triangles, desc->triangle_count, &offsets, &items);
  uint64_t offset_bytes = ((uint64_t)desc->particle_count + 1) * sizeof *offsets;
  uint64_t item_bytes = 3 * (uint64_t)desc->triangle_count * sizeof *items;
  weft_result result = weft_render_upload(gl, "render corner offsets", offset_bytes, offsets,
                                          &mesh->corner_offsets, err);
  if (!result) {
    result =
        weft_render_upload(gl, "render corner items", item_bytes, items, &mesh->corner_items, err);
  }
  weft_free(offsets);
  weft_free(items);
  return result;
}

static float mean_edge(const weft_renderer_desc *desc) {
  double sum = 0;
  for (size_t i = 0; i < 3 * (size_t)desc->triangle_count; ++i) {
    weft_vec3 a = desc->rest_positions[desc->triangles[i]];
    weft_vec3 b = desc->rest_positions[desc->triangles[i % 3 == 2 ? i - 2 : i + 1]];
    sum += (double)weft_v3_length(weft_v3_sub(a, b));
  }
  return desc->triangle_count ? (float)(sum / (3.0 * desc->triangle_count)) : 0;
}

static weft_result upload_mesh(weft_gl *gl, const weft_renderer_desc *desc, weft_render_mesh *mesh,
                               weft_error *err) {
  mesh->triangle_count = desc->triangle_count;
  mesh->edge = mean_edge(desc);
  uint64_t bytes = 3 * (uint64_t)desc->triangle_count * sizeof(uint32_t);
  weft_result result =
      weft_render_upload(gl, "render triangles", bytes, desc->triangles, &mesh->triangles, err);
  return result ? result : upload_corners(gl, desc, mesh, err);
}

static void free_mesh(weft_render_mesh *mesh) {
  weft_gl_buffer_destroy(&mesh->triangles);
  weft_gl_buffer_destroy(&mesh->corner_offsets);
  weft_gl_buffer_destroy(&mesh->corner_items);
}

/* ---- fewer triangles of a grid ---- */

enum { FEW = 64 }; /* rows or columns */

/* From one row or column that is drawn to the next. */
static uint32_t stride_of(const weft_renderer_desc *d) {
  uint64_t quads = (uint64_t)(d->grid_rows - 1) * (d->grid_columns - 1);
  uint32_t side = d->grid_rows < d->grid_columns ? d->grid_rows : d->grid_columns;
  if (!d->quick || side < 2 || 2 * quads != d->triangle_count) return 1;
  return side < 2 * FEW ? 1 : side / FEW;
}

/* The last row or column is drawn whatever the stride. */
static uint32_t along(uint32_t step, uint32_t stride, uint32_t count) {
  return step * stride < count - 1 ? step * stride : count - 1;
}

static weft_result upload_few(weft_gl *gl, const weft_renderer_desc *desc, uint32_t stride,
                              weft_render_mesh *mesh, weft_error *err) {
  uint32_t rows = (desc->grid_rows - 2) / stride + 1, columns = desc->grid_columns;
  uint32_t wide = (columns - 2) / stride + 1;
  uint32_t *triangles = weft_alloc(6 * (size_t)rows, wide * sizeof *triangles), *t = triangles;
  for (uint32_t r = 0; r < rows; ++r) {
    uint32_t upper = along(r, stride, desc->grid_rows) * columns;
    uint32_t lower = along(r + 1, stride, desc->grid_rows) * columns;
    for (uint32_t c = 0; c < wide; ++c, t += 6) {
      uint32_t left = along(c, stride, columns), right = along(c + 1, stride, columns);
      t[0] = t[3] = upper + left;
      t[1] = lower + left;
      t[2] = t[4] = lower + right;
      t[5] = upper + right;
    }
  }
  weft_renderer_desc few = *desc;
  few.triangles = triangles;
  few.triangle_count = 2 * rows * wide;
  weft_result result = upload_mesh(gl, &few, mesh, err);
  weft_free(triangles);
  return result;
}

const weft_render_mesh *weft_cloth_mesh(const weft_render_cloth *cloth) {
  return cloth->thin && !cloth->cornered && cloth->few.triangle_count > 0 ? &cloth->few
                                                                          : &cloth->all;
}

/* ---- life ---- */

static void attribute(GLuint index) {
  glEnableVertexAttribArray(index);
  glVertexAttribFormat(index, index == 2 ? 3 : 4, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribBinding(index, index);
}

static void make_vertex_array(weft_render_cloth *cloth) {
  glGenVertexArrays(1, &cloth->vertex_array);
  glBindVertexArray(cloth->vertex_array);
  glObjectLabel(GL_VERTEX_ARRAY, cloth->vertex_array, -1, "render cloth");
  for (GLuint i = 0; i < 3; ++i) attribute(i);
  glVertexAttribFormat(3, 2, GL_FLOAT, GL_FALSE, 0); /* enabled where there are values */
  glVertexAttribBinding(3, 3);
  glBindVertexBuffer(1, cloth->normals.name, 0, sizeof(vec4));
  glBindVertexBuffer(2, cloth->rest.name, 0, sizeof(vec4));
  glBindVertexArray(0);
}

weft_result weft_cloth_create(weft_gl *gl, const weft_renderer_desc *desc, weft_render_cloth *cloth,
                              weft_error *err) {
  cloth->particle_count = desc->particle_count;
  cloth->triangle_count = desc->triangle_count;
  cloth->thin = desc->thin;
  uint32_t stride = stride_of(desc);
  uint64_t normal_bytes = (uint64_t)desc->particle_count * sizeof(vec4);
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result = upload_rest(gl, desc, &cloth->rest, err);
  if (!result) result = upload_mesh(gl, desc, &cloth->all, err);
  if (!result && stride > 1) result = upload_few(gl, desc, stride, &cloth->few, err);
  if (!result)
    result = weft_render_upload(gl, "render normals", normal_bytes, NULL, &cloth->normals, err);
  if (!result) {
    result = weft_gl_compute_program(gl, "render/normals.comp", group_size, NULL,
                                     &cloth->normals_program, err);
  }
  if (!result) make_vertex_array(cloth);
  return result;
}

weft_result weft_bodies_create(weft_gl *gl, const weft_renderer_desc *desc,
                               weft_render_bodies *bodies, weft_error *err) {
  uint32_t particles = desc->particle_count, triangles = 0, first = desc->particle_count;
  if (desc->body_count == 0) return WEFT_OK;
  for (uint32_t b = 0; b < desc->body_count; ++b) {
    particles += desc->bodies[b].mesh->vertex_count;
    triangles += desc->bodies[b].mesh->triangle_count;
    bodies->first[b + 1] = triangles;
  }
  bodies->count = desc->body_count;
  weft_vec3 *rest = weft_alloc(particles, sizeof *rest);
  uint32_t *corners = weft_alloc(3 * (size_t)triangles, sizeof *corners), *next = corners;
  for (uint32_t b = 0; b < desc->body_count; ++b) {
    const weft_mesh *mesh = desc->bodies[b].mesh;
    memcpy(rest + first, mesh->positions, mesh->vertex_count * sizeof *rest);
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      *next++ = first + mesh->triangles[c];
    }
    first += mesh->vertex_count;
  }
  const weft_renderer_desc all = {.particle_count = particles,
                                  .triangle_count = triangles,
                                  .triangles = corners,
                                  .rest_positions = rest};
  weft_result result = weft_cloth_create(gl, &all, &bodies->cloth, err);
  weft_free(rest);
  weft_free(corners);
  return result;
}

void weft_cloth_destroy(weft_render_cloth *cloth) {
  glDeleteVertexArrays(1, &cloth->vertex_array);
  glDeleteProgram(cloth->normals_program);
  weft_gl_buffer_destroy(&cloth->rest);
  weft_gl_buffer_destroy(&cloth->normals);
  free_mesh(&cloth->all);
  free_mesh(&cloth->few);
  *cloth = (weft_render_cloth){0};
}

static void bind(GLuint slot, const weft_gl_buffer *buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, slot, buffer->name);
}

void weft_cloth_normals(weft_gl *gl, weft_render_cloth *cloth, const weft_gl_view *positions) {
  uint64_t max = (uint64_t)gl->limits.max_groups[0] * gl->desc.group_size;
  if (cloth->triangle_count == 0) return;
  glUseProgram(cloth->normals_program);
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, WEFT_RENDER_SLOT_X, positions->buffer,
                    (GLintptr)positions->offset, (GLsizeiptr)positions->size);
  const weft_render_mesh *mesh = weft_cloth_mesh(cloth);
  bind(WEFT_RENDER_SLOT_TRIANGLES, &mesh->triangles);
  bind(WEFT_RENDER_SLOT_CORNER_OFFSETS, &mesh->corner_offsets);
  bind(WEFT_RENDER_SLOT_CORNER_ITEMS, &mesh->corner_items);
  bind(WEFT_RENDER_SLOT_NORMALS, &cloth->normals);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  for (uint64_t first = 0; first < cloth->particle_count; first += max) {
    uint64_t count = cloth->particle_count - first;
    if (count > max) count = max;
    glUniform1ui(WEFT_RENDER_LOCATION_FIRST, (GLuint)first);
    glUniform1ui(WEFT_RENDER_LOCATION_COUNT, (GLuint)count);
    glDispatchCompute((GLuint)((count + gl->desc.group_size - 1) / gl->desc.group_size), 1, 1);
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void weft_cloth_draw_values(const weft_render_cloth *cloth, const weft_gl_view *positions,
                            const weft_gl_buffer *values) {
  if (cloth->triangle_count == 0) return;
  glBindVertexArray(cloth->vertex_array);
  glBindVertexBuffer(3, values->name, 0, 2 * sizeof(float));
  glEnableVertexAttribArray(3);
  weft_cloth_draw(cloth, positions);
  glDisableVertexAttribArray(3);
}

static void draw_range(const weft_render_cloth *cloth, const weft_gl_view *positions,
                       uint32_t first, uint32_t end) {
  if (first == end) return;
  glBindVertexArray(cloth->vertex_array);
  glBindVertexBuffer(0, positions->buffer, (GLintptr)positions->offset, sizeof(vec4));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, weft_cloth_mesh(cloth)->triangles.name);
  uintptr_t from = 3 * (uintptr_t)first * sizeof(uint32_t);
  glDrawElements(GL_TRIANGLES, (GLsizei)(3 * (end - first)), GL_UNSIGNED_INT, (const void *)from);
}

void weft_cloth_draw(const weft_render_cloth *cloth, const weft_gl_view *positions) {
  draw_range(cloth, positions, 0, weft_cloth_mesh(cloth)->triangle_count);
}

void weft_bodies_draw(const weft_render_bodies *bodies, const weft_picture *picture) {
  for (uint32_t b = 0, end; b < bodies->count; b = end) { /* as few calls as there are gaps */
    for (end = b + 1; end < bodies->count && !(picture->hidden_bodies >> end & 1);) ++end;
    bool hidden = picture->hidden_bodies >> b & 1;
    uint32_t first = bodies->first[b + hidden];
    draw_range(&bodies->cloth, &picture->positions, first, bodies->first[end]);
  }
}
