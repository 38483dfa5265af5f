/* refill.h: changes that keep the size of every table: their tables are filled anew where they are,
 * and the backend goes on with the same instance. What that takes is kept for later changes. */
#ifndef WEFT_SOLVER_REFILL_H
#define WEFT_SOLVER_REFILL_H

#include "inspect.h"
#include "lines.h"

struct weft_refill {
  weft_contents tables; /* those that were filled last */
  weft_lines lines;     /* of the model */
  bool has_lines;
  weft_pass_list passes; /* those of before the last change */
};

/* The solver takes other parameters, of which WEFT_REFILL_ tables depend. *done: false where other
 * tables are needed, and nothing has happened. */
weft_result weft_solver_refill(weft_solver *solver, const weft_params *wanted, uint32_t what,
                               bool *done, weft_error *err);
void weft_refill_free(weft_solver *solver);
/* Of a new solver: the counts of its tables, and what its list of passes is made of. */
void weft_refill_note(weft_solver *solver, const weft_contents *contents);

#endif
