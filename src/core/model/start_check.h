/* start_check.h: how cloth lies to itself and to bodies where it begins, and how messages call
 * that.
 */
#ifndef WEFT_MODEL_START_CHECK_H
#define WEFT_MODEL_START_CHECK_H

#include "intersections.h"
#include "model.h"

/* Triangles that intersect, as the faces of their files, counted from 0. */
typedef struct weft_face_pair {
  uint32_t cloth, other; /* the other one of the cloth too, or of a body */
  uint32_t body;
} weft_face_pair;
/* The first pairs, each once; returns how many. found->pairs are triangles of the cloth and, behind
 * these, of the bodies, NULL where there are none. */
uint32_t weft_tangles_faces(const weft_model *model, const weft_bodies *bodies,
                            const weft_intersections *found,
                            weft_face_pair pairs[WEFT_INTERSECTIONS_LISTED]);
/* As "3 and 7, 4 and 7 of body 1". `bodies` are NULL where `found` is of the cloth alone. */
void weft_tangles_name(const weft_model *model, const weft_bodies *bodies,
                       const weft_intersections *found, char *text, size_t size);

/* How cloth and bodies lie to each other where they begin. */
typedef struct weft_start_check {
  weft_intersections found[2]; /* cloth and cloth, cloth and bodies */
  uint32_t inside;             /* particles inside of closed bodies */
} weft_start_check;
/* `start`: where the particles are, NULL for the rest pose. `marks`, [the cloth's triangles, then
 * the bodies'], become 1 for those that intersect another, else 0; NULL is allowed. Bodies among
 * themselves do not count. WEFT_ERROR_NOT_FINITE for positions that are not. */
weft_result weft_model_check_start(const weft_model *model, const weft_bodies *bodies,
                                   const weft_vec3 *start, uint8_t *marks, weft_start_check *look,
                                   weft_error *err);

#endif
