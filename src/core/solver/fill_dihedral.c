/* fill_dihedral.c: the numbers of a dihedral constraint. */
#include "fill.h"

vec4 weft_fill_dihedral(const weft_fill *f, uint32_t i, weft_xpbd terms) {
  bool moves = weft_fill_weight(f, i) > 0 && !weft_fill_too_soft(f, i);
  return (vec4){f->group->rest[i], terms.compliance, terms.gamma,
                moves ? (float)weft_fill_theta(f, i) : 0};
}
