/* intersections_seen.c: counting in the states of a run. */
#include "intersections_seen.h"

#include "base.h"

static weft_result count_part(const weft_model *part, const vec4 *x, weft_intersections *found,
                              weft_error *err) {
  uint32_t n = weft_model_particle_count(part);
  weft_vec3 *positions = weft_alloc(n, sizeof *positions);
  for (uint32_t i = 0; i < n; ++i) positions[i] = weft_v3(x[i].x, x[i].y, x[i].z);
  weft_result result = weft_count_intersections(positions, n, weft_model_triangles(part),
                                                weft_model_triangle_count(part), NULL, found, err);
  weft_free(positions);
  return result;
}

static weft_result count_parts(const weft_model *model, const vec4 *x, weft_intersections *sums,
                               weft_error *err) {
  *sums = (weft_intersections){0};
  for (uint32_t p = 0; p < weft_model_part_count(model); ++p) {
    const weft_model *part = weft_model_part(model, p);
    weft_intersections found;
    weft_result result = count_part(part, x, &found, err);
    if (result != WEFT_OK) return result;
    sums->edge_triangle_pairs += found.edge_triangle_pairs;
    sums->triangle_pairs += found.triangle_pairs;
    sums->sharing_pairs += found.sharing_pairs;
    sums->triangles += found.triangles;
    x += weft_model_particle_count(part);
  }
  return WEFT_OK;
}

weft_result weft_intersections_look(weft_intersections_seen *seen, const weft_model *model,
                                    const vec4 *x, uint64_t frame, weft_error *err) {
  weft_intersections found;
  weft_result result = weft_model_part_count(model) == 1 ? count_part(model, x, &found, err)
                                                         : count_parts(model, x, &found, err);
  if (result != WEFT_OK) return result;
  seen->last = found;
  seen->last_frame = frame;
  if (seen->samples++ > 0 && found.triangle_pairs <= seen->max) return WEFT_OK;
  seen->max = found.triangle_pairs;
  seen->max_frame = frame;
  return WEFT_OK;
}
