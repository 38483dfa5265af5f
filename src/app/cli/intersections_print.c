/* intersections_print.c */
#include "intersections_print.h"

#include <stdio.h>

#include "cli.h"

const char *weft_intersections_text(const weft_intersections *found) {
  static char text[160];
  snprintf(text, sizeof text, "%s pair%s of triangles (%s share a vertex), %s of edge and triangle",
           weft_cli_grouped(found->triangle_pairs), weft_plural(found->triangle_pairs),
           weft_cli_grouped(found->sharing_pairs), weft_cli_grouped(found->edge_triangle_pairs));
  return text;
}

json_t *weft_json_intersections(const weft_intersections *found) {
  return json_pack("{s:I, s:I, s:I, s:I}", "triangle_pairs", (json_int_t)found->triangle_pairs,
                   "sharing_pairs", (json_int_t)found->sharing_pairs, "edge_triangle_pairs",
                   (json_int_t)found->edge_triangle_pairs, "triangles",
                   (json_int_t)found->triangles);
}

json_t *weft_json_intersections_seen(const weft_intersections_seen *seen) {
  return json_pack("{s:I, s:o, s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
                   "frames_counted", (json_int_t)seen->samples, "last",
                   weft_json_intersections(&seen->last), "last_frame", (json_int_t)seen->last_frame,
                   "with_bodies", weft_json_intersections(&seen->with_bodies), "with_shapes",
                   weft_json_intersections(&seen->with_shapes), "max_triangle_pairs",
                   (json_int_t)seen->max, "max_with_bodies", (json_int_t)seen->max_with_bodies,
                   "max_with_shapes", (json_int_t)seen->max_with_shapes, "max_frame",
                   (json_int_t)seen->max_frame, "inside", (json_int_t)seen->bodies.body_inside,
                   "max_inside", (json_int_t)seen->max_inside, "max_inside_frame",
                   (json_int_t)seen->max_inside_frame, "most_pairs", (json_int_t)seen->most_pairs,
                   "pauses", (json_int_t)seen->pauses, "overflows", (json_int_t)seen->overflows);
}
