/* ply_properties.h: what the header of a PLY file says of colours, and of what is not read. */
#ifndef WEFT_IO_PLY_PROPERTIES_H
#define WEFT_IO_PLY_PROPERTIES_H

#include <stddef.h>

typedef struct weft_ply_properties {
  float colour_one; /* as in weft_source */
  char lost[160];   /* properties of vertices and faces, and other elements; commas between */
} weft_ply_properties;

/* Of a file in another format: nothing. */
weft_ply_properties weft_ply_read_properties(const char *bytes, size_t length);

#endif
