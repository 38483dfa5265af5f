/* detail.c: a choice among meshes of a round shape. Where processors draw, a triangle that nobody
 * can see costs as much as sixteen pixels. */
#include <math.h>

#include "render_internal.h"

/* Pixels between a circle and the polygon inside of it. Of many small ones more is allowed, and of
 * shadows, which are blurred over more. */
static const float seen = 0.35f, seen_of_small = 0.6f, seen_in_shadow = 1, small = 10;

uint32_t weft_detail_level(const weft_render_levels *levels, const weft_render_detail *detail,
                           float radius, float away) {
  if (!(detail->pixels > 0)) return 0;
  float pixels = radius * detail->pixels / (detail->light ? 1 : fmaxf(away, 1e-3f));
  float allowed = detail->light ? seen_in_shadow : pixels < small ? seen_of_small : seen;
  float segments = 3.14159265f * sqrtf(pixels / (2 * allowed));
  uint32_t level = levels->count - 1;
  while (level > 0 && (float)levels->level[level].segments < segments) level--;
  return level;
}

void weft_detail_begin(const weft_render_detail *detail) {
  if (detail->pixels > 0) glEnable(GL_CULL_FACE);
}

void weft_detail_end(const weft_render_detail *detail) {
  if (detail->pixels > 0) glDisable(GL_CULL_FACE);
}
