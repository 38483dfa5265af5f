/* cases.c: the table, in the order of docs and report: from one particle to cloth. */
#include "cases.h"

#include <stddef.h>

static const struct {
  const weft_physics_case *subject;
  double cost; /* its time beside the others', about; only the time left is told from it */
} cases[] = {
    {&weft_case_fall, 1},         // case_fall.c
    {&weft_case_air, 4},          // case_air.c
    {&weft_case_bead, 1},         // case_bead.c
    {&weft_case_pendulum, 12},    // case_pendulum.c
    {&weft_case_steps, 30},       // case_steps.c
    {&weft_case_energy, 41},      // case_energy.c
    {&weft_case_pair, 1},         // case_rope.c
    {&weft_case_spring, 3},       // case_spring.c
    {&weft_case_stiffness, 1},    // case_spring.c
    {&weft_case_chain, 1},        // case_chain.c
    {&weft_case_rope, 2},         // case_rope.c
    {&weft_case_clamp, 2},        // case_clamp.c
    {&weft_case_catenary, 1},     // case_rope.c
    {&weft_case_bend, 1},         // case_bend.c
    {&weft_case_damped, 2},       // case_damped.c
    {&weft_case_gradient, 10},    // case_gradient.c
    {&weft_case_rigid, 1},        // case_sheet.c
    {&weft_case_momentum, 6},     // case_momentum.c
    {&weft_case_mueller, 1},      // case_mueller.c
    {&weft_case_strain, 23},      // case_strain.c
    {&weft_case_lra, 6},          // case_lra.c
    {&weft_case_levels, 10},      // case_levels.c
    {&weft_case_lines, 14},       // case_lines.c
    {&weft_case_slope, 1},        // case_slope.c
    {&weft_case_carry, 4},        // case_carry.c
    {&weft_case_place, 12},       // case_place.c
    {&weft_case_bodies, 16},      // case_bodies.c
    {&weft_case_layers, 10},      // case_layers.c
    {&weft_case_sheets, 9},       // case_sheets.c
    {&weft_case_clash, 4},        // case_clash.c
    {&weft_case_pause, 1},        // case_clash.c
    {&weft_case_bullet, 1},       // case_bullet.c
    {&weft_case_sand, 24},        // case_sand.c
    {&weft_case_cantilever, 45},  // case_drape.c
    {&weft_case_drape, 100},      // case_drape.c
};

const weft_physics_case *weft_physics_at(uint32_t index) {
  return index < sizeof cases / sizeof *cases ? cases[index].subject : NULL;
}

double weft_physics_cost(const weft_physics_case *subject) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    if (cases[k].subject == subject) return cases[k].cost;
  }
  return 0;
}
