/* shape.c: the properties of a shape of collider besides its arithmetic. */
#include "shape.h"

enum {
  UNSWEPT = false,
  SWEPT = true,
  ROUND = false,
  AXIS = true,
  UNBOUNDED = false,
  BOUNDED = true
};

/* Numbers in options, by size and axis. */
#define FORM_ENDLESS_ROUND "nx,ny,nz,d"
#define FORM_RADIUS_ROUND "x,y,z,r"
#define FORM_RADIUS_AXIS "x,y,z,x,y,z,r"
#define FORM_HALF_ROUND "x0,y0,z0,x1,y1,z1"
#define FORM(name, size, axis) #name ":" FORM_##size##_##axis

const char weft_collider_help[] =
    "a shape that keeps cloth out, as sphere:0,1,0,0.5, beside those of the scene\n"
#define WEFT_SHAPE(ID, name, swept, axis, size, cpu) FORM(name, size, axis) "\n"
#include "shapes.def"
#undef WEFT_SHAPE
    "Metres, y up; r is a radius; a box has two corners; a plane leaves n.x > d free. May be "
    "given\n"
    "several times";

const weft_shape_info weft_shape_infos[WEFT_SHAPE_COUNT] = {
#define WEFT_SHAPE(ID, name, swept, axis, size, cpu) \
  [WEFT_COLLIDER_##ID] = {#name, FORM(name, size, axis), swept, axis, WEFT_SHAPE_##size, cpu},
#include "shapes.def"
#undef WEFT_SHAPE
};

/* Fails to compile where an enumerator of weft_collider_shape has no row. */
__attribute__((unused)) static bool has_row(weft_collider_shape shape) {
  switch (shape) {
#define WEFT_SHAPE(ID, ...) \
  case WEFT_COLLIDER_##ID:  \
    return true;
#include "shapes.def"
#undef WEFT_SHAPE
  }
  return false;
}
