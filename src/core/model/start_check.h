/* start_check.h: intersections of cloth with itself and with bodies at the start, and their
 * names in messages. */
#ifndef WEFT_MODEL_START_CHECK_H
#define WEFT_MODEL_START_CHECK_H

#include "intersections.h"
#include "model.h"

/* Triangles that intersect, as numbers of faces in their files, counted from 0. */
typedef struct weft_face_pair {
  uint32_t cloth, other; /* whether the other triangle is of the cloth too, or of a body */
  uint32_t body;
} weft_face_pair;
/* The first pairs, each once; returns how many. found->pairs are triangles of the cloth and,
 * after these, of the bodies, which may be NULL. */
uint32_t weft_tangles_faces(const weft_model *model, const weft_bodies *bodies,
                            const weft_intersections *found,
                            weft_face_pair pairs[WEFT_INTERSECTIONS_LISTED]);
/* As "3 and 7, 4 and 7 of body 1". `bodies` are NULL where `found` is of the cloth alone. */
void weft_tangles_name(const weft_model *model, const weft_bodies *bodies,
                       const weft_intersections *found, char *text, size_t size);

/* Intersections of cloth and bodies at the start. */
typedef struct weft_start_check {
  weft_intersections found[2]; /* cloth and cloth, cloth and bodies */
  uint32_t inside;             /* particles inside of closed bodies */
} weft_start_check;
/* `start`: particle positions, NULL for the rest pose. `marks`, [the cloth's triangles, then the
 * bodies'], become 1 for those that intersect another, else 0; may be NULL. Bodies among
 * themselves do not count. WEFT_ERROR_NOT_FINITE for positions that are not finite. */
weft_result weft_model_check_start(const weft_model *model, const weft_bodies *bodies,
                                   const weft_vec3 *start, uint8_t *marks, weft_start_check *look,
                                   weft_error *err);

#endif
