/* intersections_seen.h: how often the cloth of a run passes through itself, counted in some of its
 * states. */
#ifndef WEFT_VERIFY_INTERSECTIONS_SEEN_H
#define WEFT_VERIFY_INTERSECTIONS_SEEN_H

#include "inspect.h"
#include "intersections.h"

typedef struct weft_intersections_seen {
  uint32_t samples;
  weft_intersections last; /* over all parts of a joined model, whose pairs are not listed */
  uint64_t last_frame;
  weft_intersections with_bodies; /* likewise, of cloth and bodies */
  uint64_t max_with_bodies;
  weft_intersections with_shapes; /* likewise, of cloth and what stands for colliders */
  uint64_t max_with_shapes;
  uint64_t max; /* triangle pairs */
  uint64_t max_frame;
  weft_metrics bodies; /* the fields body_, of the last state */
  uint32_t max_inside; /* particles inside bodies */
  uint64_t max_inside_frame;
  /* Of self-collision, over all frames that were looked at: sums, and the most pairs of a frame. */
  uint64_t pauses, overflows, most_pairs;
} weft_intersections_seen;

/* Counts in positions of a model with triangles, and of the bodies of `params` behind it. Each part
 * of a joined model is counted alone: parts lie in one place and know nothing of each other. */
weft_result weft_intersections_look(weft_intersections_seen *seen, const weft_model *model,
                                    const weft_params *params, const vec4 *x, uint64_t frame,
                                    weft_error *err);
/* Counts pairs of cloth, in positions of a solver's model, and its colliders where they are told to
 * be: planes, and triangles that stand for other shapes. */
weft_result weft_intersections_look_shapes(weft_intersections_seen *seen, weft_solver *solver,
                                           const vec4 *x, weft_error *err);
/* Counts what is inside of the bodies of a solver, in the state that it has; x: as above. */
weft_result weft_intersections_look_inside(weft_intersections_seen *seen, weft_solver *solver,
                                           const vec4 *x, weft_error *err);
/* Adds what self-collision did in the last frame of a solver that has it. */
void weft_intersections_look_contact(weft_intersections_seen *seen, weft_solver *solver);

#endif
