/* body_tangles.c: messages about cloth that starts inside a body, or intersects one. */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "preprocess.h"
#include "shells.h"
#include "start_check.h"

/* Cloth and bodies as one mesh. */
typedef struct all_triangles {
  weft_vec3 *positions;
  uint32_t *triangles;
  uint32_t particle_count, triangle_count;
} all_triangles;

static all_triangles everything(const weft_model *model, const weft_bodies *p,
                                const weft_vec3 *start) {
  all_triangles all = {.particle_count = model->particle_count + p->particles,
                       .triangle_count = weft_cloth_triangles(model) + p->triangles};
  all.positions = weft_alloc(all.particle_count, sizeof *all.positions);
  all.triangles = weft_alloc(3 * (size_t)all.triangle_count, sizeof *all.triangles);
  memcpy(all.positions, start, model->particle_count * sizeof *all.positions);
  size_t particle = model->particle_count, corner = 3 * (size_t)weft_cloth_triangles(model);
  memcpy(all.triangles, model->triangles, corner * sizeof(uint32_t));
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

/* Inside by their closed shells, whichever triangles intersect. */
static uint32_t count_inside(const weft_model *model, const weft_bodies *p, const weft_vec3 *x) {
  const uint32_t particles = model->particle_count;
  uint8_t *marks = weft_alloc(particles, 1);
  for (uint32_t b = 0; b < p->count; ++b) {
    const weft_mesh *mesh = p->items[b].mesh;
    weft_shells *shells = weft_shells_make(mesh);
    weft_shells_mark_inside(shells, mesh->positions, x, particles, marks);
    weft_shells_free(shells);
  }
  uint32_t inside = 0;
  for (uint32_t i = 0; i < particles; ++i) inside += marks[i] && !weft_rides(model, i);
  weft_free(marks);
  return inside;
}

weft_result weft_model_check_start(const weft_model *model, const weft_bodies *p,
                                   const weft_vec3 *start, uint8_t *marks, weft_start_check *look,
                                   weft_error *err) {
  const weft_vec3 *x = start ? start : model->rest_positions;
  all_triangles all = everything(model, p, x);
  weft_result result = weft_count_intersections_with(
      all.positions, all.particle_count, all.triangles, all.triangle_count,
      weft_cloth_triangles(model), marks, look->found, err);
  weft_free(all.positions);
  weft_free(all.triangles);
  look->inside = result == WEFT_OK ? count_inside(model, p, x) : 0;
  return result;
}

/* ---- warnings ---- */

/* "12 of 40 particles are", "all 40 particles of the cloth are": inside. */
static void count_words(const weft_model *model, uint32_t inside, char *text, size_t size) {
  if (inside == model->particle_count) {
    snprintf(text, size, "all %u particles of the cloth are", inside);
  } else {
    snprintf(text, size, "%u of %u particles %s", inside, model->particle_count,
             inside == 1 ? "is" : "are");
  }
}

/* If all particles are inside, the body is probably much larger, or elsewhere, than intended. */
static const char *remedy_for(const weft_model *model, uint32_t inside) {
  return inside == model->particle_count ? "one of the two may be in another unit (--body-unit, "
                                           "--unit), or stand elsewhere than "
                                           "it is meant to (--move)"
                                         : "--dress (weft_fit) brings cloth out";
}

static void tell_inside(const weft_model *model, uint32_t inside) {
  char count[80];
  count_words(model, inside, count, sizeof count);
  weft_log(WEFT_LOG_WARNING, "%s inside of a body at the start, and cannot come out of it: %s",
           count, remedy_for(model, inside));
}

static void tell_pairs(const weft_model *model, const weft_bodies *p,
                       const weft_start_check *look) {
  const weft_intersections *found = &look->found[1];
  char pairs[WEFT_INTERSECTIONS_LISTED * 48], count[80], inside[100] = "";
  weft_tangles_name(model, p, found, pairs, sizeof pairs);
  count_words(model, look->inside, count, sizeof count);
  if (look->inside > 0) snprintf(inside, sizeof inside, ", and %s inside", count);
  weft_log(
      WEFT_LOG_WARNING,
      "the start pose is tangled with a body: %llu pair%s of a triangle of the cloth and one "
      "of a body intersect%s, %s%s (counted from 0)%s; these are not parted from each other, all "
      "others stay apart; --dress (weft_fit) brings cloth out of bodies, and --tangled loosen "
      "(weft_untangle) parts what crosses a little",
      (unsigned long long)found->triangle_pairs, weft_plural(found->triangle_pairs),
      found->triangle_pairs == 1 ? "s" : "", found->listed < found->triangle_pairs ? "first " : "",
      pairs, inside);
}

/* The start has intersections of the cloth with itself that the rest pose has not. */
static void tell_own(const weft_model *model, const weft_intersections *found) {
  if (found->triangle_pairs == 0) return;
  char *sentence = weft_tangles_sentence(model, found);
  weft_log(WEFT_LOG_WARNING, "%s", sentence);
  weft_free(sentence);
}

static void tell(const weft_model *model, const weft_bodies *p, const weft_vec3 *start,
                 const weft_start_check *look) {
  if (start) tell_own(model, &look->found[0]);
  if (look->found[1].triangle_pairs > 0) {
    tell_pairs(model, p, look);
  } else if (look->inside > 0) {
    tell_inside(model, look->inside);
  }
}

uint8_t *weft_model_marks_with(const weft_model *model, const weft_bodies *p,
                               const weft_vec3 *start) {
  const weft_tangles *own = start ? NULL : weft_model_tangles(model);
  uint32_t cloth = weft_cloth_triangles(model);
  uint8_t *marks = weft_alloc((size_t)cloth + p->triangles, 1);
  if (p->count > 0 || start) {
    weft_start_check look;
    weft_error err;
    weft_result result = weft_model_check_start(model, p, start, marks, &look, &err);
    WEFT_CHECK(result == WEFT_OK, "cloth and bodies have finite positions");
    tell(model, p, start, &look);
  }
  for (uint32_t t = 0; own && t < cloth; ++t) marks[t] |= own->marks[t];
  return marks;
}

/* ---- errors ---- */

/* "2 pairs of triangles of the cloth intersect, 3 and 7, 4 and 7". */
static void count_and_name(const weft_model *model, const weft_bodies *p, const char *what,
                           const weft_intersections *found, char *text, size_t size) {
  char pairs[WEFT_INTERSECTIONS_LISTED * 48];
  weft_tangles_name(model, p, found, pairs, sizeof pairs);
  snprintf(text, size, "%llu pair%s of %s intersect%s, %s%s (counted from 0); ",
           (unsigned long long)found->triangle_pairs, weft_plural(found->triangle_pairs), what,
           found->triangle_pairs == 1 ? "s" : "",
           found->listed < found->triangle_pairs ? "first " : "", pairs);
}

static weft_result refuse(const weft_model *model, const weft_bodies *p,
                          const weft_start_check *look, weft_error *err) {
  char own[520] = "", with[520] = "", count[80], inside[280] = "";
  if (look->found[0].triangle_pairs > 0) {
    count_and_name(model, NULL, "triangles of the cloth", &look->found[0], own, sizeof own);
  }
  if (look->found[1].triangle_pairs > 0) {
    count_and_name(model, p, "a triangle of the cloth and one of a body", &look->found[1], with,
                   sizeof with);
  }
  if (look->inside > 0) {
    count_words(model, look->inside, count, sizeof count);
    snprintf(inside, sizeof inside, "%s inside of a body: %s; ", count,
             remedy_for(model, look->inside));
  }
  return weft_fail(err, WEFT_ERROR_MESH,
                   "the start pose is tangled: %s%s%sloosen them "
                   "(--tangled loosen, weft_untangle) or keep them (--tangled keep)",
                   own, with, inside);
}

static weft_result refuse_one(const weft_model *model, const weft_bodies *p, const weft_vec3 *start,
                              weft_error *err) {
  weft_start_check look;
  weft_result result = weft_model_check_start(model, p, start, NULL, &look, err);
  if (result != WEFT_OK) return result;
  if (look.found[0].triangle_pairs + look.found[1].triangle_pairs + look.inside == 0) {
    return WEFT_OK;
  }
  return refuse(model, p, &look, err);
}

weft_result weft_model_refuse_tangled(const weft_model *model, const weft_bodies *bodies,
                                      const weft_vec3 *start, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < weft_model_part_count(model) && result == WEFT_OK; ++k) {
    result = refuse_one(weft_model_part(model, k), bodies, start, err);
  }
  return result;
}
