/* fill_dihedral.c: the numbers of a dihedral constraint. */
#include "fill.h"

vec4 weft_fill_dihedral(const weft_fill *f, uint32_t i) {
  const weft_xpbd terms = weft_fill_terms(f, i);
  return (vec4){f->group->rest[i], terms.compliance, terms.gamma, weft_fill_theta(f, i)};
}
