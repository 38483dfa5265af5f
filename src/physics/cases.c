/* cases.c: the table, in the order of docs and report: from one particle to cloth. */
#include "cases.h"

#include <stddef.h>

static const weft_physics_case *const cases[] = {
    &weft_case_strain,
    &weft_case_rigid,
};

const weft_physics_case *weft_physics_at(uint32_t index) {
  return index < sizeof cases / sizeof *cases ? cases[index] : NULL;
}
