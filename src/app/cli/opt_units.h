/* opt_units.h: in which unit a file of an unlikely size was most likely drawn. */
#ifndef WEFT_CLI_OPT_UNITS_H
#define WEFT_CLI_OPT_UNITS_H

#define WEFT_CLI_LEAST_SIZE 0.05 /* m from corner to corner, of what people make of cloth */

typedef struct weft_cli_unit {
  const char *name, *option; /* "centimetres", and what --unit calls them */
  double metres;
} weft_cli_unit;

/* The largest in which so many are at most 3 m, as a person or a garment is; NULL where that is too
 * small. */
const weft_cli_unit *weft_cli_likely_unit(double count);

#endif
