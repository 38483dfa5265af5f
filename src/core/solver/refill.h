/* refill.h: changes that keep the size of every table: their tables are filled anew where they are,
 * and the backend goes on with the same instance. What that takes is kept for later changes. */
#ifndef WEFT_SOLVER_REFILL_H
#define WEFT_SOLVER_REFILL_H

#include "inspect.h"
#include "lines.h"

/* Host buffers of pins that are swapped with those of the solver. */
typedef struct weft_refill_pins {
  weft_vec3d *from, *to;
  uint32_t *particles;
  weft_pin_path *paths;
  uint32_t room;
} weft_refill_pins;

struct weft_refill {
  weft_contents tables; /* those that were filled last */
  weft_lines lines;
  const weft_model *lines_of; /* NULL: there are none */
  weft_pass_list passes;      /* those of before the last change */
  weft_refill_pins pins;
};

/* The solver takes other parameters, and another model or its own, of which WEFT_REFILL_ tables
 * depend. *done: false where other tables are needed, and nothing has happened. */
weft_result weft_solver_refill(weft_solver *solver, const weft_model *model,
                               const weft_params *wanted, uint32_t what, bool *done,
                               weft_error *err);
/* What of the tables depends on how two models differ; 0: more than can be filled anew. */
uint32_t weft_refill_of_models(const weft_solver *solver, const weft_model *model);
/* After that the solver has masses and pins of its model. */
void weft_refill_take_model(weft_solver *solver);
/* Room for so many pins of another model. */
void weft_refill_lengthen_pins(weft_solver *solver, uint32_t pins);
void weft_refill_free_pins(weft_refill_pins *pins);
void weft_refill_free(weft_solver *solver);
/* Of a new solver: the counts of its tables, and what its list of passes is made of. */
void weft_refill_note(weft_solver *solver, const weft_contents *contents);

#endif
