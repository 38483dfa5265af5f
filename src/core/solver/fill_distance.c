/* fill_distance.c: the numbers of a distance constraint. */
#include "fill.h"

vec4 weft_fill_distance(const weft_fill *f, uint32_t i) {
  return (vec4){f->group->rest[i], weft_fill_factor(f, i), 0, 0};
}
