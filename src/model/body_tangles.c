/* body_tangles.c: where cloth starts inside of a body, or passes through it. */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "intersections.h"
#include "preprocess.h"

/* Cloth and bodies as one mesh. */
typedef struct all_triangles {
  weft_vec3 *positions;
  uint32_t *triangles;
  uint32_t particle_count, triangle_count;
} all_triangles;

static all_triangles everything(const weft_model *model, const weft_bodies *p,
                                const weft_vec3 *start) {
  all_triangles all = {.particle_count = model->particle_count + p->particles,
                       .triangle_count = model->triangle_count + p->triangles};
  all.positions = weft_alloc(all.particle_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  memcpy(all.positions, start, model->particle_count * sizeof *all.positions);
  memcpy(all.triangles, model->triangles, 3 * (size_t)model->triangle_count * sizeof(uint32_t));
  size_t particle = model->particle_count, corner = 3 * (size_t)model->triangle_count;
  for (uint32_t b = 0; b < p->count; ++b) {
    const weft_mesh *mesh = p->items[b].mesh;
    memcpy(all.positions + particle, mesh->positions, mesh->vertex_count * sizeof(weft_vec3));
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      all.triangles[corner++] = mesh->triangles[c] + (uint32_t)particle;
    }
    particle += mesh->vertex_count;
  }
  return all;
}

/* The body of a triangle counted from the first of all bodies, and its number there. */
static uint32_t body_of(const weft_bodies *p, uint32_t *triangle) {
  uint32_t b = 0;
  for (; *triangle >= p->items[b].mesh->triangle_count; ++b) {
    *triangle -= p->items[b].mesh->triangle_count;
  }
  return b;
}

/* "3 and 7, 4 and 7 of body 1": triangles of the cloth and of bodies. */
static void name_pairs(const weft_model *model, const weft_bodies *p,
                       const weft_intersections *found, char *text, size_t size) {
  *text = 0;
  for (uint32_t k = 0; k < found->listed; ++k) {
    size_t at = strlen(text);
    uint32_t cloth = found->pairs[k][0], other = found->pairs[k][1] - model->triangle_count;
    uint32_t body = body_of(p, &other);
    if (model->map.faces) cloth = model->map.faces[cloth];
    other = weft_mesh_face(p->items[body].mesh, other);
    snprintf(text + at, size - at, "%s%u and %u", k ? ", " : "", cloth, other);
    at = strlen(text);
    if (p->count > 1) snprintf(text + at, size - at, " of body %u", body);
  }
}

static void tell(const weft_model *model, const weft_bodies *p, const weft_intersections *found) {
  char pairs[WEFT_INTERSECTIONS_LISTED * 48];
  name_pairs(model, p, found, pairs, sizeof pairs);
  weft_log(
      WEFT_LOG_WARNING,
      "the start pose is tangled with a body: %llu pair%s of a triangle of the cloth and one "
      "of a body intersect%s, %s%s (counted from 0); these are not parted from each other, all "
      "others stay apart",
      (unsigned long long)found->triangle_pairs, weft_plural(found->triangle_pairs),
      found->triangle_pairs == 1 ? "s" : "", found->listed < found->triangle_pairs ? "first " : "",
      pairs);
}

/* Cloth among itself somewhere else than in the rest pose. */
static void tell_own(const weft_model *model, const weft_intersections *found) {
  if (found->triangle_pairs == 0) return;
  char *sentence = weft_tangles_sentence(model, found);
  weft_log(WEFT_LOG_WARNING, "%s", sentence);
  weft_free(sentence);
}

uint8_t *weft_model_marks_with(const weft_model *model, const weft_bodies *p,
                               const weft_vec3 *start) {
  const weft_tangles *own = start ? NULL : weft_model_tangles(model);
  uint32_t cloth = model->triangle_count;
  uint8_t *marks = weft_alloc((size_t)cloth + p->triangles, 1);
  if (p->count > 0 || start) {
    all_triangles all = everything(model, p, start ? start : model->rest_positions);
    weft_intersections found[2];
    weft_error err;
    weft_result result =
        weft_count_intersections_with(all.positions, all.particle_count, all.triangles,
                                      all.triangle_count, cloth, marks, found, &err);
    WEFT_CHECK(result == WEFT_OK, "cloth and bodies have finite positions");
    if (start) tell_own(model, &found[0]);
    if (found[1].triangle_pairs > 0) tell(model, p, &found[1]);
    weft_free(all.positions);
    weft_free(all.triangles);
  }
  for (uint32_t t = 0; own && t < cloth; ++t) marks[t] |= own->marks[t];
  return marks;
}

/* ---- refused ---- */

/* "2 pairs of triangles of the cloth intersect, 3 and 7, 4 and 7": what, and which. */
static void count_and_name(const char *what, const weft_intersections *found, const char *pairs,
                           char *text, size_t size) {
  snprintf(text, size, "%llu pair%s of %s intersect%s, %s%s",
           (unsigned long long)found->triangle_pairs, weft_plural(found->triangle_pairs), what,
           found->triangle_pairs == 1 ? "s" : "",
           found->listed < found->triangle_pairs ? "first " : "", pairs);
}

static weft_result refuse(const weft_model *model, const weft_bodies *p,
                          const weft_intersections found[2], weft_error *err) {
  char pairs[WEFT_INTERSECTIONS_LISTED * 48], own[460] = "", with[460] = "";
  bool both = found[0].triangle_pairs > 0 && found[1].triangle_pairs > 0;
  if (found[0].triangle_pairs > 0) {
    weft_tangles_name(model, &found[0], pairs, sizeof pairs);
    count_and_name("triangles of the cloth", &found[0], pairs, own, sizeof own);
  }
  if (found[1].triangle_pairs > 0) {
    name_pairs(model, p, &found[1], pairs, sizeof pairs);
    count_and_name("a triangle of the cloth and one of a body", &found[1], pairs, with,
                   sizeof with);
  }
  return weft_fail(err, WEFT_ERROR_MESH,
                   "the start pose is tangled: %s%s%s (counted from 0); loosen them "
                   "(--tangled loosen, weft_loosen) or keep them (--tangled keep)",
                   own, both ? "; " : "", with);
}

static weft_result refuse_one(const weft_model *model, const weft_bodies *p, const weft_vec3 *start,
                              weft_error *err) {
  weft_intersections found[2];
  all_triangles all = everything(model, p, start ? start : model->rest_positions);
  weft_result result =
      weft_count_intersections_with(all.positions, all.particle_count, all.triangles,
                                    all.triangle_count, model->triangle_count, NULL, found, err);
  weft_free(all.positions);
  weft_free(all.triangles);
  if (result != WEFT_OK || found[0].triangle_pairs + found[1].triangle_pairs == 0) return result;
  return refuse(model, p, found, err);
}

weft_result weft_model_refuse_tangled(const weft_model *model, const weft_bodies *bodies,
                                      const weft_vec3 *start, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < weft_model_part_count(model) && result == WEFT_OK; ++k) {
    result = refuse_one(weft_model_part(model, k), bodies, start, err);
  }
  return result;
}
