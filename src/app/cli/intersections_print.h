/* intersections_print.h: counts of self-intersections, as people and as JSON read them. */
#ifndef WEFT_CLI_INTERSECTIONS_PRINT_H
#define WEFT_CLI_INTERSECTIONS_PRINT_H

#include <jansson.h>

#include "intersections_seen.h"

/* "4 pairs of triangles (1 share a vertex), 5 of edge and triangle" into one buffer. */
const char *weft_intersections_text(const weft_intersections *found);

json_t *weft_json_intersections(const weft_intersections *found);
/* Of a run: the last state counted, and the most. */
json_t *weft_json_intersections_seen(const weft_intersections_seen *seen);

#endif
