/* opt_units.c: units in which meshes are drawn. */
#include "opt_units.h"

#include <stddef.h>

const weft_cli_unit *weft_cli_likely_unit(double count) {
  static const weft_cli_unit units[] = {{"metres", "m", 1},
                                        {"decimetres", "dm", 0.1},
                                        {"centimetres", "cm", 0.01},
                                        {"inches", "in", 0.0254},
                                        {"millimetres", "mm", 0.001}};
  for (size_t k = 0; k < sizeof units / sizeof *units; ++k) {
    const double size = count * units[k].metres;
    if (size <= 3) return size < WEFT_CLI_LEAST_SIZE ? NULL : &units[k];
  }
  return NULL;
}
