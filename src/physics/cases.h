/* cases.h: every case there is; cases.c puts them in order. */
#ifndef WEFT_PHYSICS_CASES_H
#define WEFT_PHYSICS_CASES_H

#include "case.h"

extern const weft_physics_case weft_case_strain, weft_case_rigid; /* case_sheet.c */

#endif
