/* surface.h: what a mesh is like as the surface of a body. */
#ifndef WEFT_CLI_SURFACE_H
#define WEFT_CLI_SURFACE_H

#include <weft/mesh.h>

/* Vertices at equal positions count as one. */
typedef struct weft_cli_surface {
  weft_mesh_report report;
  bool closed;
  double volume; /* m^3, below 0 where the faces look inwards; of a closed surface */
} weft_cli_surface;
weft_cli_surface weft_cli_surface_of(const weft_mesh *mesh);

#endif
