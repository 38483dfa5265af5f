/* case_gradient.c: every kind of constraint moves particles along its gradient, and turns with the
 * pose; the measuring is in gradients.c. */
#include <string.h>

#include "base.h"
#include "cases.h"
#include "gradients.h"

enum { SEED = 20 };

/* In floats a nearly flat hinge moves by 1e-4 m only, so that its rounding weighs more. */
static double allowed(const weft_physics_run *run, const char *name) {
  if (weft_physics_is_double(run)) return 1e-10;
  return strstr(name, "nearly flat") ? 0.05 : 1e-4;
}

static void claim_gradients(weft_physics_run *run, uint32_t count) {
  static const char why[] =
      "rounding of the moves: 1e-4 in floats, where a nearly flat hinge moves by 1e-4 m only 5 %; "
      "1e-10 in double, the differences' own";
  weft_gradient_error *errors = weft_alloc(count, sizeof *errors);
  if (weft_physics_ok(run)) weft_physics_gradient_errors(run->backend, SEED, errors, &run->err);
  for (uint32_t k = 0; k < count && weft_physics_ok(run); ++k) {
    const weft_gradient_error *e = &errors[k];
    weft_physics_expect(run, e->name, "", e->gradient, 0, allowed(run, e->name),
                        "the derivative of C(x), by central differences of fourth order in double: "
                        "max error over 200 poses, relative to the max gradient",
                        why);
  }
  for (uint32_t k = 0; k < count && weft_physics_ok(run); ++k) {
    const weft_gradient_error *e = &errors[k];
    if (strncmp(e->name, "contact", 7) == 0) continue; /* the shape takes the other half */
    const char *what = weft_physics_text("net, %s", e->name);
    weft_physics_expect(run, what, "", e->force > e->torque ? e->force : e->torque, 0,
                        allowed(run, e->name), "0: gradients add up to no force and no torque",
                        why);
  }
  weft_free(errors);
}

static void gradient(weft_physics_run *run) {
  uint32_t count = weft_physics_gradient_count();
  claim_gradients(run, count);
  for (uint32_t k = 0; k < count && weft_physics_ok(run); ++k) {
    double metres = 0;
    weft_physics_turned_error(run->backend, SEED, k, &metres, &run->err);
    weft_physics_expect(run, weft_physics_text("turned, %s", weft_physics_gradient_name(k)), "m",
                        metres, 0, weft_physics_is_double(run) ? 1e-12 : 1e-6,
                        "0: the correction in a turned and moved pose is the turned correction",
                        "rounding of positions of 1 to 2 m; 1e-12 in double");
  }
}

const weft_physics_case weft_case_gradient = {
    "gradient", "Every constraint moves along its gradient and is invariant under rigid motion",
    "Each kind of constraint is projected once in 200 random poses, with particles of unequal "
    "mass. "
    "From the moves its gradient is recovered and compared with the derivative of an energy "
    "written "
    "down independently; the same poses, turned and moved, must give turned moves.",
    gradient};
