/* cases.h: every case there is; cases.c puts them in order. */
#ifndef WEFT_PHYSICS_CASES_H
#define WEFT_PHYSICS_CASES_H

#include "case.h"

extern const weft_physics_case weft_case_fall;
extern const weft_physics_case weft_case_air;
extern const weft_physics_case weft_case_bead;
extern const weft_physics_case weft_case_pendulum;
extern const weft_physics_case weft_case_steps;
extern const weft_physics_case weft_case_energy;
extern const weft_physics_case weft_case_spring, weft_case_stiffness;
extern const weft_physics_case weft_case_chain;
extern const weft_physics_case weft_case_pair, weft_case_rope, weft_case_catenary;
extern const weft_physics_case weft_case_clamp;
extern const weft_physics_case weft_case_bend, weft_case_damped;
extern const weft_physics_case weft_case_gradient;
extern const weft_physics_case weft_case_momentum;
extern const weft_physics_case weft_case_slope, weft_case_carry, weft_case_place, weft_case_bodies,
    weft_case_bullet;
extern const weft_physics_case weft_case_layers, weft_case_sheets, weft_case_clash, weft_case_pause;
extern const weft_physics_case weft_case_lra;
extern const weft_physics_case weft_case_levels;
extern const weft_physics_case weft_case_lines;
extern const weft_physics_case weft_case_sand;
extern const weft_physics_case weft_case_mueller;
extern const weft_physics_case weft_case_strain, weft_case_rigid;
extern const weft_physics_case weft_case_cantilever, weft_case_drape;

#endif
