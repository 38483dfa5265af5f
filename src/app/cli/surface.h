/* surface.h: what a mesh is like as a surface. */
#ifndef WEFT_CLI_SURFACE_H
#define WEFT_CLI_SURFACE_H

#include "gaps.h"

/* Of a body. Vertices at equal positions count as one. */
typedef struct weft_cli_surface {
  weft_mesh_report report;
  bool closed;
  double volume; /* m^3, below 0 where the faces look inwards; of a closed surface */
} weft_cli_surface;
weft_cli_surface weft_cli_surface_of(const weft_mesh *mesh);

/* "100 pieces; 396 vertices of borders lie up to 0.083 mm off each other, as exporters round:
 * --weld 0.1 joins them into 1 piece", of what welding would heal; false, and nothing, where there
 * is nothing. */
bool weft_cli_gaps_text(const weft_mesh_gaps *gaps, char *text, size_t size);

#endif
