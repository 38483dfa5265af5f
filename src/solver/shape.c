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

const weft_shape_info weft_shape_infos[WEFT_SHAPE_COUNT] = {
#define WEFT_SHAPE(ID, name, swept, axis, size, cpu) \
  [WEFT_COLLIDER_##ID] = {#name, swept, axis, WEFT_SHAPE_##size, cpu},
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
