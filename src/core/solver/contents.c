/* contents.c: from a model and parameters to the initial contents of all buffers. Whatever is
 * constant for a time step is divided here, once, in double precision. Compiled twice, see
 * src/core/solver_f64/double.h: `float` means double in the contents of the backend f64. */
#include <math.h>
#include <string.h>

#include "exact.h"
#include "fill.h"

/* ---- particles, triangles, uniforms ---- */

static weft_vec3 entered(weft_vec3d there, weft_vec3d origin) {
  const weft_vec3d p = weft_v3d_sub(there, origin);
  return exact_snap3(weft_v3((float)p.x, (float)p.y, (float)p.z));
}

static void fill_particles(const weft_model *model, const weft_params *params, weft_vec3d origin,
                           weft_contents *contents) {
  uint32_t n = model->particle_count;
  uint64_t all = (uint64_t)n + weft_bodies_of(params).particles;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, all);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, all);
  weft_contents_set(contents, WEFT_BUFFER_V, all);
  uint32_t pairs = params->compensated ? n : 0;
  weft_contents_set(contents, WEFT_BUFFER_X_LOW, pairs);
  weft_contents_set(contents, WEFT_BUFFER_X_PREV_LOW, pairs);
  weft_contents_set(contents, WEFT_BUFFER_V_LOW, pairs);
  for (uint32_t i = 0; i < n; ++i) {
    const weft_vec3d there =
        weft_v3d((double)WEFT_START(model, params)[i].x, (double)WEFT_START(model, params)[i].y,
                 (double)WEFT_START(model, params)[i].z);
    x[i] = exact_vec4(entered(there, origin), model->inverse_masses[i]);
    x_prev[i] = x[i];
  }
  uint32_t of_shapes = 0;
  for (uint32_t b = params->body_count - params->shape_bodies; b < params->body_count; ++b) {
    of_shapes += params->bodies[b].mesh->vertex_count;
  }
  weft_contents_set(contents, WEFT_BUFFER_BODY_PATHS, all - n - of_shapes);
  weft_contents_set(contents, WEFT_BUFFER_SHAPE_PATHS, of_shapes);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->shape_first = (uint32_t)(all - of_shapes);
  for (uint32_t b = 0; b < params->body_count; ++b) {
    const weft_mesh *mesh = params->bodies[b].mesh;
    /* Bodies inside shapes are relative to the origin already. */
    const bool shape = b + params->shape_bodies >= params->body_count;
    const weft_vec3d from = shape ? weft_v3d(0, 0, 0) : origin;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i, ++n) {
      const weft_vec3d there = weft_v3d((double)mesh->positions[i].x, (double)mesh->positions[i].y,
                                        (double)mesh->positions[i].z);
      x[n] = x_prev[n] = exact_vec4(entered(there, from), 0);
    }
  }
}

static void fill_riders(const weft_model *model, weft_contents *contents) {
  weft_rider *to = weft_contents_set(contents, WEFT_BUFFER_RIDERS, model->rider_count);
  for (uint32_t k = 0; k < model->rider_count; ++k) {
    const weft_model_rider *from = &model->riders[k];
    to[k].particles = (uvec4){from->particle, from->corners[0], from->corners[1], from->corners[2]};
    to[k].shares.x = exact_flush((float)from->weights[1]);
    to[k].shares.y = exact_flush((float)from->weights[2]);
    to[k].offset.x = exact_flush((float)from->offset.x);
    to[k].offset.y = exact_flush((float)from->offset.y);
    to[k].offset.z = exact_flush((float)from->offset.z);
  }
}

/* Poses come with every frame, for each substep and for its beginning; the kinds of shapes come
 * now, because a backend may compile for them. */
void weft_colliders_fill(const weft_params *params, weft_contents *contents) {
  uint64_t count = ((uint64_t)params->substeps + 1) * params->collider_count;
  weft_collider_pose *poses = weft_contents_set(contents, WEFT_BUFFER_COLLIDERS, count);
  for (uint64_t i = 0; i < count; ++i) {
    poses[i].shape = (uint32_t)params->colliders[i % params->collider_count].shape;
  }
}

static void fill_air(const weft_model *model, const weft_params *params, weft_contents *contents) {
  if (!(params->air_density > 0) || model->triangle_count == 0) return;
  uint32_t n = model->triangle_count;
  weft_triangle *triangles = weft_contents_set(contents, WEFT_BUFFER_TRIANGLES, n);
  memcpy(triangles, model->triangles, n * sizeof *triangles);
  weft_contents_set(contents, WEFT_BUFFER_FORCES, n);
  uint64_t entries = (uint64_t)model->particle_count + 1;
  uint32_t *offsets = weft_contents_set(contents, WEFT_BUFFER_CORNER_OFFSETS, entries);
  memcpy(offsets, model->corner_offsets, (size_t)entries * sizeof *offsets);
  uint32_t *items = weft_contents_set(contents, WEFT_BUFFER_CORNER_ITEMS, 3 * (uint64_t)n);
  for (size_t k = 0; k < 3 * (size_t)n; ++k) items[k] = model->corner_items[k] / 3;
}

weft_result weft_part_contents(const weft_model *model, const weft_params *params,
                               weft_vec3d origin, weft_contents *contents, weft_error *err) {
  weft_contents_init(contents);
  weft_uniforms_fill(model, params, contents);
  if (params->global_damping > 0) {
    weft_contents_set(contents, WEFT_BUFFER_MOTION,
                      2 * (uint64_t)weft_tree_elements(model->particle_count) + 1);
  }
  fill_particles(model, params, origin, contents);
  fill_riders(model, contents);
  weft_fill_groups(model, params, contents);
  fill_air(model, params, contents);
  weft_contents_set(contents, WEFT_BUFFER_SUBSTEPS, params->substeps);
  weft_colliders_fill(params, contents);
  weft_contents_set(contents, WEFT_BUFFER_PINS, model->pinned_count);
  weft_soft_pin *soft = weft_contents_set(contents, WEFT_BUFFER_SOFT_PINS, params->soft_pins);
  for (uint32_t k = 0; k < params->soft_pins; ++k) soft[k].particle = WEFT_SOFT_NONE;
  weft_contents_set(contents, WEFT_BUFFER_GRAB, params->grab ? WEFT_GRAB_ELEMENTS : 0);
  weft_contents_set(contents, WEFT_BUFFER_BOUNDS, weft_tree_elements(model->particle_count));
  weft_contents_set(contents, WEFT_BUFFER_SHIFT_BY, 1);
  weft_contents_set(contents, WEFT_BUFFER_PICK_RAY, 1);
  weft_contents_set(contents, WEFT_BUFFER_PICK, weft_tree_elements(model->particle_count));
  weft_lra_fill(model, params, contents);
  weft_result result = weft_levels_fill(model, params, contents, err);
  if (result == WEFT_OK) result = weft_lines_fill(model, params, contents, err);
  if (result == WEFT_OK) weft_patches_fill(model, params, contents);
  if (result == WEFT_OK) result = weft_fill_check_corners(model, err);
  if (result == WEFT_OK) result = weft_fill_gather(model, params, contents, err);
  if (result == WEFT_OK) result = weft_contact_fill(model, params, contents, err);
  if (result == WEFT_OK) result = weft_self_fill(model, params, origin, contents, err);
  if (result == WEFT_OK) weft_uniforms_change(params, contents->buffers[WEFT_BUFFER_UNIFORMS].data);
  if (result != WEFT_OK) weft_contents_free(contents);
  return result;
}
