/* weft_kit/untangle.h: starts without intersections, made of such that have some. */
#ifndef WEFT_KIT_UNTANGLE_H
#define WEFT_KIT_UNTANGLE_H

#include <weft/body.h>
#include <weft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_MAX_UNTANGLE_ITERATIONS = 100000 };

/* Cloth that passes through itself or through bodies, and how far it may go to come free.
 * Zero-initialise, set the model and what differs. */
typedef struct weft_untangle_desc {
  const weft_model *model; /* required: a cloth, not joined of others */
  const weft_vec3 *start;  /* [particle_count] metres. Default: the rest pose */
  const weft_body *bodies; /* [body_count]; they stay where their meshes are. Default: none */
  uint32_t body_count;     /* at most WEFT_MAX_BODIES */
  const int32_t *layers;   /* [particle_count]: of two layers the higher number belongs in front of
                              the lower one's surface, where its triangles are seen
                              counter-clockwise. Default: all in one layer, without an order */
  float thickness;         /* metres, up to 1: a particle moves by at most a quarter of it in an
                              iteration. Default 0.003, at most half the mean edge */
  uint32_t iterations;     /* at most WEFT_MAX_UNTANGLE_ITERATIONS. Default 4000 */
} weft_untangle_desc;

/* What became of it. */
typedef struct weft_untangled {
  uint64_t self_before, self_after;     /* pairs of triangles of the cloth that intersect */
  uint64_t body_before, body_after;     /* of a triangle of the cloth and one of a body */
  uint32_t inside_before, inside_after; /* free particles inside of closed bodies, or, within 5 cm,
                                           behind a layer that they belong in front of */
  uint32_t iterations;                  /* done */
  uint32_t moved; /* particles that are elsewhere than at the start; 0 after iterations where these
                     left more pairs than there were, or as many and more particles inside: then
                     positions are the start, and what is `after` is what was before */
  double largest_move;           /* metres */
  double strain_p99, strain_max; /* |length/length at the start - 1| over edges of the cloth */
  double gap; /* metres: least distance of what was moved from what it could meet; at most what was
                 aimed at */
} weft_untangled;

/* Moves particles until no two triangles of the cloth and none of the cloth and of a body
 * intersect, as weft counts them exactly, and what was moved lies a little apart; or until
 * iterations end. `positions`, [particle_count] metres, are then a start for weft_params.start.
 *
 * Where a contour cuts a smaller part off a piece, that part is brought back through what it came
 * through; elsewhere contours are made shorter (Volino and Magnenat-Thalmann 2006, "Resolving
 * surface collisions through intersection contour minimization"). What is inside of a closed body
 * comes out where its surface is nearest. Edges return to their lengths in between. Pinned
 * particles and bodies stay where they are. Only positions change; it is deterministic.
 *
 * What could not be parted within the iterations is left as in the best state that was seen, or at
 * the start where that is no better, and *report says so; `report` may be NULL. Errors:
 * WEFT_ERROR_ARGUMENT for a model without triangles or joined of several, a number out of range, a
 * body without triangles; WEFT_ERROR_NOT_FINITE for positions that are not finite. */
WEFT_API weft_result weft_untangle(const weft_untangle_desc *desc, weft_vec3 *positions,
                                   weft_untangled *report, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
