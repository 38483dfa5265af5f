/* geodesic.h: the distance of every particle from the pins, measured along the cloth.
 *
 * These are the lengths of long-range attachments (Kim, Chentanez and Mueller-Fischer 2012).
 * Connected pins form an island. For its nearest islands every particle gets the nearest pinned
 * particle and the length of the shortest path to it over the rest pose. */
#ifndef WEFT_MODEL_GEODESIC_H
#define WEFT_MODEL_GEODESIC_H

#include "model.h"

enum { WEFT_MAX_LRA = 4 };

typedef struct weft_geodesics weft_geodesics;
struct weft_geodesics {
  uint32_t particle_count;
  uint32_t island_count; /* connected components of pinned particles */
  uint32_t *anchors;     /* [4*particles] nearest first, one an island; UINT32_MAX past the last,
                            and for pinned particles */
  double *lengths;       /* [4*particles] metres, never below the straight distance at rest */
};

/* Over the triangles of the model, or over the rest lengths of its distance constraints if it
 * has no triangles. The same model gives the same bits. */
void weft_geodesics_build(const weft_model *model, weft_geodesics *geodesics);
void weft_geodesics_free(weft_geodesics *geodesics);

/* Those of a model that is not joined, which belong to it: found when first asked for, since a
 * solver may be made often of a model, and this is most of what it takes. */
const weft_geodesics *weft_model_geodesics(const weft_model *model);

#endif
