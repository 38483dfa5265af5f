/* theory.h: what is shown beside the scenes that swing: trails of the last links, and the motion
 * that theory predicts, as a ghost. For the window and for weft render. */
#ifndef WEFT_CLI_THEORY_H
#define WEFT_CLI_THEORY_H

#include "cli.h"
#include "render.h"
#include "swing.h"

typedef struct weft_cli_theory weft_cli_theory;

/* *theory is NULL for scenes that do not swing. The solver stands at the rest pose. */
weft_result weft_cli_theory_open(const weft_scene_instance *scene, weft_solver *solver, weft_gl *gl,
                                 weft_cli_theory **theory, weft_error *err);
void weft_cli_theory_close(weft_cli_theory *theory); /* NULL is allowed, here and below */

/* After every frame. */
void weft_cli_theory_step(weft_cli_theory *theory, weft_solver *solver);
/* The state was changed from outside, or the parameters were: theory goes on from the state that
 * the solver has now, or stops, with a line in the log, where it has nothing to say. */
void weft_cli_theory_restart(weft_cli_theory *theory, weft_solver *solver, bool forget_trails);
/* How far weft is from theory, m; negative where there is none. Reads positions back. */
double weft_cli_theory_measure(weft_cli_theory *theory, weft_solver *solver);
/* What of it a picture shows, with the distance measured last. */
void weft_cli_theory_show(const weft_cli_theory *theory, bool trails, bool analytic,
                          weft_picture *picture);

#endif
