/* fill_distance.c: the numbers of a distance constraint. */
#include "fill.h"

vec4 weft_fill_distance(const weft_fill *f, uint32_t i, weft_xpbd terms) {
  return (vec4){f->group->rest[i], weft_fill_factor(f, i, terms), 0, 0};
}
