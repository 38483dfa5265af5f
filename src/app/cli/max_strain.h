/* max_strain.h: --max-strain, from the command line to what is said about it.
 *
 * p99 of strain is looked at where a command has the state on the host anyhow: simulate and render
 * every WEFT_WATCH_EVERY frames and wherever they write one, validate likewise, bench on
 * its way to the timed frames and after them, the demo twice a second. */
#ifndef WEFT_CLI_MAX_STRAIN_H
#define WEFT_CLI_MAX_STRAIN_H

#include "cli.h"
#include "watch.h"

/* What was chosen, in a line; a second one where the fabric itself is softer than that. Nothing
 * where no limit was asked for. */
/* One line where bending is not the fabric's. */
void weft_cli_bending_print(FILE *file, const weft_solver *solver);
void weft_cli_strain_print_choice(FILE *file, const weft_params *params,
                                  const weft_strain_choice *held);
/* What came of it, in a line, and a warning when it is more than was asked for. */
void weft_cli_strain_print_reached(FILE *file, const weft_params *params,
                                   const weft_strain_choice *held, const weft_strain_seen *strain);

#endif
