/* patches.h: the order in which constraints are swept under the patch schedule.
 *
 * Particles are clustered in two ways, such that the seams of one clustering lie inside the
 * clusters of the other: tiles and tiles shifted by half their size on grids, on other meshes as
 * in clusters.h. The constraints inside a cluster form a patch, which one work group sweeps in
 * shared memory; patches of a clustering share no particle, so one dispatch runs all of them.
 * Four dispatches make a sweep: stretch inside the first clusters; the rest inside the second;
 * the rest of that inside the first; and what crosses seams of both forms small islands, packed
 * into patches of their own. So stretch comes before shear and bending nearly everywhere, as
 * with colours. If it came after them along seams only, strain would differ there, and the seams
 * would be visible. */
#ifndef WEFT_MODEL_PATCHES_H
#define WEFT_MODEL_PATCHES_H

#include "model.h"

/* Most particles of a patch: their positions, and earlier ones where multipliers need them, fit
 * the 32 KiB of shared memory that GL 4.3 guarantees. */
enum { WEFT_PATCH_MAX = 1024 };

/* Constraints of one group and colour: they share no particle. */
typedef struct weft_patch_range {
  uint32_t group;
  uint32_t first, count; /* in items */
  uint32_t locals;       /* first in locals, arity for each item */
} weft_patch_range;

typedef struct weft_patch {
  uint32_t particle_first, particle_count;
  uint32_t range_first, range_count; /* in order: barriers lie between */
} weft_patch;

typedef struct weft_patches {
  uint32_t *dispatch_first; /* [dispatch_count+1] patches */
  weft_patch *patches;
  weft_patch_range *ranges;
  uint32_t *particles; /* of each patch ascending */
  uint32_t *items;     /* constraints, counted in their groups; each once */
  uint16_t *locals;    /* indices into the patch's list of particles */
  uint32_t dispatch_count, patch_count, range_count, particle_count, item_count, local_count;
} weft_patches;

/* How large patches are by default: the more particles, the larger, so that there are some hundred
 * patches where possible. A function of the model alone. */
uint32_t weft_patches_size(const weft_model *model);

/* most: particles of a patch, at most WEFT_PATCH_MAX and at least 16. */
void weft_patches_build(const weft_model *model, uint32_t max, weft_patches *patches);
void weft_patches_free(weft_patches *patches);

/* Checks what solvers rely on: every constraint once; no particle in two patches of a dispatch,
 * nor in two constraints of a range; indices that refer to the constraint's own particles. */
weft_result weft_patches_validate(const weft_model *model, const weft_patches *patches,
                                  weft_error *err);

#endif
