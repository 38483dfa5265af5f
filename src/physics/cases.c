/* cases.c: the table, in the order of docs and report: from one particle to cloth. */
#include "cases.h"

#include <stddef.h>

static const weft_physics_case *const cases[] = {
    &weft_case_fall,        // case_fall.c
    &weft_case_air,         // case_air.c
    &weft_case_bead,        // case_bead.c
    &weft_case_pendulum,    // case_pendulum.c
    &weft_case_steps,       // case_steps.c
    &weft_case_energy,      // case_energy.c
    &weft_case_pair,        // case_rope.c
    &weft_case_spring,      // case_spring.c
    &weft_case_stiffness,   // case_spring.c
    &weft_case_chain,       // case_chain.c
    &weft_case_rope,        // case_rope.c
    &weft_case_clamp,       // case_clamp.c
    &weft_case_catenary,    // case_rope.c
    &weft_case_bend,        // case_bend.c
    &weft_case_damped,      // case_damped.c
    &weft_case_gradient,    // case_gradient.c
    &weft_case_rigid,       // case_sheet.c
    &weft_case_momentum,    // case_momentum.c
    &weft_case_mueller,     // case_mueller.c
    &weft_case_strain,      // case_strain.c
    &weft_case_lra,         // case_lra.c
    &weft_case_levels,      // case_levels.c
    &weft_case_lines,       // case_lines.c
    &weft_case_slope,       // case_slope.c
    &weft_case_carry,       // case_carry.c
    &weft_case_bullet,      // case_bullet.c
    &weft_case_sand,        // case_sand.c
    &weft_case_cantilever,  // case_drape.c
    &weft_case_drape,       // case_drape.c
};

const weft_physics_case *weft_physics_at(uint32_t index) {
  return index < sizeof cases / sizeof *cases ? cases[index] : NULL;
}
