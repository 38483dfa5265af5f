/* The cloth on the GPU: what never changes, and the normals, remade for every picture. */
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
                                  weft_render_cloth *cloth, weft_error *err) {
  uint32_t *offsets, *items;
  weft_corners_build(desc->particle_count, desc->triangles, desc->triangle_count, &offsets, &items);
  uint64_t offset_bytes = ((uint64_t)desc->particle_count + 1) * sizeof *offsets;
  uint64_t item_bytes = 3 * (uint64_t)desc->triangle_count * sizeof *items;
  weft_result result = weft_render_upload(gl, "render corner offsets", offset_bytes, offsets,
                                          &cloth->corner_offsets, err);
  if (!result) {
    result =
        weft_render_upload(gl, "render corner items", item_bytes, items, &cloth->corner_items, err);
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
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, cloth->triangles.name);
  glBindVertexArray(0);
}

weft_result weft_cloth_create(weft_gl *gl, const weft_renderer_desc *desc, weft_render_cloth *cloth,
                              weft_error *err) {
  cloth->particle_count = desc->particle_count;
  cloth->triangle_count = desc->triangle_count;
  cloth->edge = mean_edge(desc);
  uint64_t triangle_bytes = 3 * (uint64_t)desc->triangle_count * sizeof(uint32_t);
  uint64_t normal_bytes = (uint64_t)desc->particle_count * sizeof(vec4);
  char group_size[48];
  snprintf(group_size, sizeof group_size, "WEFT_GROUP_SIZE=%u", gl->desc.group_size);
  weft_result result = upload_rest(gl, desc, &cloth->rest, err);
  if (!result) {
    result = weft_render_upload(gl, "render triangles", triangle_bytes, desc->triangles,
                                &cloth->triangles, err);
  }
  if (!result) result = upload_corners(gl, desc, cloth, err);
  if (!result)
    result = weft_render_upload(gl, "render normals", normal_bytes, NULL, &cloth->normals, err);
  if (!result) {
    result = weft_gl_compute_program(gl, "render/normals.comp", group_size, NULL,
                                     &cloth->normals_program, err);
  }
  if (!result) make_vertex_array(cloth);
  return result;
}

void weft_cloth_destroy(weft_render_cloth *cloth) {
  glDeleteVertexArrays(1, &cloth->vertex_array);
  glDeleteProgram(cloth->normals_program);
  weft_gl_buffer_destroy(&cloth->rest);
  weft_gl_buffer_destroy(&cloth->triangles);
  weft_gl_buffer_destroy(&cloth->corner_offsets);
  weft_gl_buffer_destroy(&cloth->corner_items);
  weft_gl_buffer_destroy(&cloth->normals);
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
  bind(WEFT_RENDER_SLOT_TRIANGLES, &cloth->triangles);
  bind(WEFT_RENDER_SLOT_CORNER_OFFSETS, &cloth->corner_offsets);
  bind(WEFT_RENDER_SLOT_CORNER_ITEMS, &cloth->corner_items);
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

void weft_cloth_draw(const weft_render_cloth *cloth, const weft_gl_view *positions) {
  if (cloth->triangle_count == 0) return;
  glBindVertexArray(cloth->vertex_array);
  glBindVertexBuffer(0, positions->buffer, (GLintptr)positions->offset, sizeof(vec4));
  glDrawElements(GL_TRIANGLES, (GLsizei)(3 * cloth->triangle_count), GL_UNSIGNED_INT, NULL);
}
