/* shape.h: the rows of shapes.def in C. */
#ifndef WEFT_SOLVER_SHAPE_H
#define WEFT_SOLVER_SHAPE_H

#include <weft/solver.h>

/* How large a shape is, and what point b of a collider is for. */
typedef enum weft_shape_size {
  WEFT_SHAPE_ENDLESS, /* b is a normal */
  WEFT_SHAPE_RADIUS,
  WEFT_SHAPE_HALF, /* half_size along its own axes */
} weft_shape_size;

typedef struct weft_shape_info {
  const char *name;
  const char *form; /* how options write it: its name, a colon, its numbers */
  bool swept;
  bool axis; /* from a to b */
  weft_shape_size size;
  bool bounded; /* the backend cpu has bounds of it */
} weft_shape_info;

#define WEFT_SHAPE(ID, ...) +1
enum {
  WEFT_SHAPE_COUNT =
#include "shapes.def"
};
#undef WEFT_SHAPE

/* By weft_collider_shape. */
extern const weft_shape_info weft_shape_infos[WEFT_SHAPE_COUNT];

/* Of the option that adds a shape to a scene. */
extern const char weft_collider_help[];

#endif
