/* units.h: in which unit a file that comes out too large was most likely drawn. */
#ifndef WEFT_CLI_UNITS_H
#define WEFT_CLI_UNITS_H

/* One that is smaller than a metre. */
typedef struct weft_cli_unit {
  const char *name, *option; /* "centimetres", and what --unit calls them */
  double metres;
} weft_cli_unit;

/* The largest in which so many are at most 3 m, as a person or a garment is; NULL for none. */
const weft_cli_unit *weft_cli_likely_unit(double count);

#endif
