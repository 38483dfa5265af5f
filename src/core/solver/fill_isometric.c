/* fill_isometric.c: the numbers of a constraint of isometric bending. */
#include "fill.h"

vec4 weft_fill_isometric(const weft_fill *f, uint32_t i) {
  const weft_constraint_group *g = f->group;
  return (vec4){g->weights[4 * (size_t)i], g->weights[4 * (size_t)i + 1],
                g->weights[4 * (size_t)i + 2], weft_fill_factor(f, i)};
}
