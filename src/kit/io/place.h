/* place.h: from the unit and axes of a file to metres with y up, to where a mesh begins, and back.
 */
#ifndef WEFT_IO_PLACE_H
#define WEFT_IO_PLACE_H

#include <weft/mesh.h>
#include <weft_kit/import.h>

#include "vec3d.h"

/* Three rows. */
typedef struct weft_turn {
  weft_vec3d x, y, z;
} weft_turn;

/* About x first, then y, then z; radians. What is a quarter turn to within rounding is one. */
weft_turn weft_turn_of(weft_vec3 radians);
weft_vec3d weft_turn_apply(const weft_turn *turn, weft_vec3d p);

/* Axes of a file to y up, and back: exact. */
weft_vec3d weft_lifted(weft_up up, weft_vec3d p);
weft_vec3d weft_lowered(weft_up up, weft_vec3d p);
void weft_lift(weft_up up, weft_vec3 *positions, uint32_t count);

/* Positions in metres and in the axes of the file become those of the mesh: up, turn, move. */
void weft_place(const weft_import_desc *desc, weft_vec3 *positions, uint32_t count);

#endif
