/* intersections_seen.c: counting in the states of a run. */
#include "intersections_seen.h"

#include <string.h>

#include "base.h"

/* Cloth alone, or with bodies; found[1] is of these. */
static weft_result count_part(const weft_model *part, const weft_bodies *bodies, const vec4 *x,
                              weft_intersections found[2], weft_error *err) {
  uint32_t n = weft_model_particle_count(part) + bodies->particles;
  uint32_t cloth = weft_cloth_triangles(part), t = cloth + bodies->triangles;
  weft_vec3 *positions = weft_alloc(n, sizeof *positions);
  uint32_t *triangles = weft_alloc(3 * (size_t)t, sizeof *triangles);
  for (uint32_t i = 0; i < n; ++i) positions[i] = weft_v3(x[i].x, x[i].y, x[i].z);
  memcpy(triangles, weft_model_triangles(part), 3 * (size_t)cloth * sizeof *triangles);
  size_t corner = 3 * (size_t)cloth;
  uint32_t first = weft_model_particle_count(part);
  for (uint32_t b = 0; b < bodies->count; ++b) {
    const weft_mesh *mesh = bodies->items[b].mesh;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      triangles[corner++] = mesh->triangles[c] + first;
    }
    first += mesh->vertex_count;
  }
  weft_result result =
      weft_count_intersections_with(positions, n, triangles, t, cloth, NULL, found, err);
  weft_free(positions);
  weft_free(triangles);
  return result;
}

static void add(weft_intersections *sum, const weft_intersections *found) {
  sum->edge_triangle_pairs += found->edge_triangle_pairs;
  sum->triangle_pairs += found->triangle_pairs;
  sum->sharing_pairs += found->sharing_pairs;
  sum->triangles += found->triangles;
}

static weft_result count_parts(const weft_model *model, const vec4 *x, weft_intersections *sums,
                               weft_error *err) {
  *sums = (weft_intersections){0};
  for (uint32_t p = 0; p < weft_model_part_count(model); ++p) {
    const weft_model *part = weft_model_part(model, p);
    weft_intersections both[2], found;
    weft_result result = count_part(part, &(weft_bodies){0}, x, both, err);
    found = both[0];
    if (result != WEFT_OK) return result;
    add(sums, &found);
    x += weft_model_particle_count(part);
  }
  return WEFT_OK;
}

weft_result weft_intersections_look(weft_intersections_seen *seen, const weft_model *model,
                                    const weft_params *params, const vec4 *x, uint64_t frame,
                                    weft_error *err) {
  weft_intersections found[2] = {0};
  const weft_bodies bodies = weft_bodies_of(params);
  weft_result result = weft_model_part_count(model) == 1 ? count_part(model, &bodies, x, found, err)
                                                         : count_parts(model, x, found, err);
  if (result != WEFT_OK) return result;
  seen->last = found[0];
  seen->with_bodies = found[1];
  seen->last_frame = frame;
  if (found[1].triangle_pairs > seen->max_with_bodies) {
    seen->max_with_bodies = found[1].triangle_pairs;
  }
  if (seen->samples++ > 0 && found[0].triangle_pairs <= seen->max) return WEFT_OK;
  seen->max = found[0].triangle_pairs;
  seen->max_frame = frame;
  return WEFT_OK;
}

/* Cloth among itself is not asked for, and is looked at once more. */
static weft_result count_shapes(const weft_model *model, const weft_mesh *shapes,
                                const weft_vec3 *cloth, weft_intersections *with, weft_error *err) {
  const uint32_t n = weft_model_particle_count(model), t = weft_model_triangle_count(model);
  weft_vec3 *x = weft_alloc((size_t)n + shapes->vertex_count, sizeof *x);
  uint32_t *corners = weft_alloc(3 * ((size_t)t + shapes->triangle_count), sizeof *corners);
  memcpy(x, cloth, n * sizeof *x);
  memcpy(x + n, shapes->positions, shapes->vertex_count * sizeof *x);
  memcpy(corners, weft_model_triangles(model), 3 * (size_t)t * sizeof *corners);
  for (size_t c = 0; c < 3 * (size_t)shapes->triangle_count; ++c) {
    corners[3 * (size_t)t + c] = shapes->triangles[c] + n;
  }
  weft_intersections found[2];
  weft_result result = weft_count_intersections_with(
      x, n + shapes->vertex_count, corners, t + shapes->triangle_count, t, NULL, found, err);
  *with = found[1];
  weft_free(x);
  weft_free(corners);
  return result;
}

static weft_result look_at_shapes(const weft_solver *solver, uint32_t part, const vec4 *x,
                                  weft_intersections *found, weft_error *err) {
  const weft_model *model = weft_model_part(weft_solver_model(solver), part);
  const uint32_t n = weft_model_particle_count(model);
  weft_vec3 *cloth = weft_alloc(n, sizeof *cloth);
  for (uint32_t i = 0; i < n; ++i) cloth[i] = weft_v3(x[i].x, x[i].y, x[i].z);
  weft_mesh shapes = weft_solver_posed_shapes(solver, part, cloth);
  const weft_result result = count_shapes(model, &shapes, cloth, found, err);
  weft_mesh_free(&shapes);
  weft_free(cloth);
  return result;
}

weft_result weft_intersections_look_shapes(weft_intersections_seen *seen, weft_solver *solver,
                                           const vec4 *x, weft_error *err) {
  const weft_model *model = weft_solver_model(solver);
  weft_result result = WEFT_OK;
  if (weft_solver_params(solver)->collider_count == 0) return WEFT_OK;
  seen->with_shapes = (weft_intersections){0};
  for (uint32_t p = 0; p < weft_model_part_count(model) && result == WEFT_OK; ++p) {
    weft_intersections found = {0};
    result = look_at_shapes(solver, p, x, &found, err);
    add(&seen->with_shapes, &found);
    x += weft_model_particle_count(weft_model_part(model, p));
  }
  if (seen->with_shapes.triangle_pairs > seen->max_with_shapes) {
    seen->max_with_shapes = seen->with_shapes.triangle_pairs;
  }
  return result;
}

weft_result weft_intersections_look_inside(weft_intersections_seen *seen, weft_solver *solver,
                                           const vec4 *x, weft_error *err) {
  uint32_t n = weft_model_particle_count(weft_solver_model(solver));
  weft_vec3 *positions = weft_alloc(n, sizeof *positions);
  for (uint32_t i = 0; i < n; ++i) positions[i] = weft_v3(x[i].x, x[i].y, x[i].z);
  weft_result result = weft_solver_measure_bodies(solver, positions, &seen->bodies, err);
  weft_free(positions);
  bool less = seen->max_inside_frame > 0 && seen->bodies.body_inside <= seen->max_inside;
  if (result != WEFT_OK || less) return result;
  seen->max_inside = seen->bodies.body_inside;
  seen->max_inside_frame = weft_solver_frame(solver);
  return WEFT_OK;
}

/* Not of weft_solver_metrics, which would warn of every frame that had no room. */
void weft_intersections_look_contact(weft_intersections_seen *seen, weft_solver *solver) {
  const uint32_t parts = weft_model_part_count(weft_solver_model(solver));
  uint32_t *counts = weft_alloc((size_t)parts * WEFT_SELF_COUNTS, sizeof *counts);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, 0, (uint64_t)parts * WEFT_SELF_COUNTS,
                          counts);
  uint64_t pairs = 0;
  for (uint32_t p = 0; p < parts; ++p) {
    const uint32_t *of_part = &counts[(size_t)p * WEFT_SELF_COUNTS];
    pairs += of_part[WEFT_SELF_AT_PAIR_SUM];
    seen->pauses += of_part[WEFT_SELF_AT_REJECTED_STEPS];
    seen->overflows += of_part[WEFT_SELF_AT_OVERFLOWS];
  }
  if (pairs > seen->most_pairs) seen->most_pairs = pairs;
  weft_free(counts);
}
