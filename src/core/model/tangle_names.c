/* tangle_names.c: names of intersecting triangles in messages. */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "preprocess.h"
#include "start_check.h"

/* The body of a triangle numbered among those of all bodies, and its number there. */
static uint32_t body_of(const weft_bodies *p, uint32_t *triangle) {
  uint32_t b = 0;
  for (; *triangle >= p->items[b].mesh->triangle_count; ++b) {
    *triangle -= p->items[b].mesh->triangle_count;
  }
  return b;
}

static uint32_t face_of(const weft_model *model, uint32_t triangle) {
  return model->map.faces ? model->map.faces[triangle] : triangle;
}

static weft_face_pair name_of(const weft_model *model, const weft_bodies *bodies,
                              const uint32_t pair[2]) {
  weft_face_pair n = {.cloth = face_of(model, pair[0])};
  if (pair[1] < weft_cloth_triangles(model)) {
    n.other = face_of(model, pair[1]);
    return n;
  }
  uint32_t triangle = pair[1] - weft_cloth_triangles(model);
  n.body = body_of(bodies, &triangle);
  n.other = weft_mesh_face(bodies->items[n.body].mesh, triangle);
  return n;
}

/* Two polygons can intersect in several of their triangles. */
static bool is_among(const weft_face_pair *pairs, uint32_t count, weft_face_pair pair) {
  for (uint32_t k = 0; k < count; ++k) {
    if (memcmp(&pairs[k], &pair, sizeof pair) == 0) return true;
  }
  return false;
}

uint32_t weft_tangles_faces(const weft_model *model, const weft_bodies *bodies,
                            const weft_intersections *found,
                            weft_face_pair pairs[WEFT_INTERSECTIONS_LISTED]) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < found->listed; ++k) {
    const weft_face_pair pair = name_of(model, bodies, found->pairs[k]);
    if (!is_among(pairs, count, pair)) pairs[count++] = pair;
  }
  return count;
}

void weft_tangles_name(const weft_model *model, const weft_bodies *bodies,
                       const weft_intersections *found, char *text, size_t size) {
  weft_face_pair pairs[WEFT_INTERSECTIONS_LISTED];
  const uint32_t count = weft_tangles_faces(model, bodies, found, pairs);
  const bool several = bodies && bodies->count > 1;
  *text = 0;
  for (uint32_t k = 0; k < count; ++k) {
    size_t at = strlen(text);
    snprintf(text + at, size - at, "%s%u and %u", k ? ", " : "", pairs[k].cloth, pairs[k].other);
    at = strlen(text);
    if (several) snprintf(text + at, size - at, " of body %u", pairs[k].body);
  }
}
