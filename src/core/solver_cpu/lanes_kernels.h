/* lanes_kernels.h: the passes in vectors of WEFT_LANES floats. Included by one source for each
 * width, after that has set WEFT_LANES and WEFT_LANES_NAME. What they compute is in
 * shaders/kernels/, compiled here for vectors; these files bring elements into lanes and back, and
 * have the fast paths that pay. */
#include "lanes.h"
#include "lanes_vector.h"
#include "model.h"
/* after them */
#include "lang_lanes.h"
/* in that language */
#include "lanes_project.h"
/* after it */
#include "lanes_fast.h"
/* after it */
#include "lanes_distances.h"
/* after it */
#include "lanes_isometric.h"
/* after them */
#include "lanes_split.h"
#include "lanes_strips.h"
/* after it */
#include "lanes_hinges.h"
/* after them */
#include "lanes_air.h"
#include "lanes_collide.h"
/* after it */
#include "lanes_staying.h"
/* after them */
#include "lanes_attachments.h"
#include "lanes_contact.h"
#include "lanes_contact_find.h"
#include "lanes_levels.h"
#include "lanes_lines.h"
/* after it */
#include "lanes_bends.h"
#include "lanes_particles.h"
#include "lanes_planes.h"
/* after it */
#include "lanes_push.h"
/* after it */
#include "lanes_patches.h"
/* after it */
#include "lanes_detect.h"
/* after it */
#include "lanes_near.h"
#include "lanes_stars.h"
/* after them */
#include "lanes_far.h"

static const weft_lanes lanes_table = {
    .name = WEFT_LANES_NAME,
    .lanes = WEFT_LANES,
    .project =
        {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  [WEFT_CONSTRAINT_##ID][WEFT_ROWS] = project_##name##_rows,              \
  [WEFT_CONSTRAINT_##ID][WEFT_PLACES] = project_##name##_places,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
            [WEFT_CONSTRAINT_DISTANCE][WEFT_UNIT] = project_distance_unit,
            [WEFT_CONSTRAINT_DISTANCE][WEFT_BESIDE] = project_distance_beside,
            [WEFT_CONSTRAINT_ISOMETRIC][WEFT_UNIT] = project_isometric_unit,
            [WEFT_CONSTRAINT_ISOMETRIC][WEFT_BESIDE] = project_isometric_beside,
            [WEFT_CONSTRAINT_DIHEDRAL][WEFT_BESIDE] = project_dihedral_beside,
        },
    .project_fast = {[WEFT_CONSTRAINT_DISTANCE][WEFT_ROWS] = project_distance_fast,
                     [WEFT_CONSTRAINT_DIHEDRAL][WEFT_ROWS] = project_dihedral_fast,
                     [WEFT_CONSTRAINT_ISOMETRIC][WEFT_QUADS] = project_isometric_quads},
    .packed =
        {
            [WEFT_PACKED_EDGES] = {[WEFT_ROWS] = edges_rows,
                                   [WEFT_ABREAST] = edges_abreast,
                                   [WEFT_END_TO_END] = edges_end_to_end},
            [WEFT_PACKED_MEANS] =
                {[WEFT_ROWS] = means_rows, [WEFT_PLACES] = means_places, [WEFT_UNIT] = means_unit},
            [WEFT_PACKED_FOLLOW] = {[WEFT_ROWS] = follow_rows,
                                    [WEFT_PLACES] = follow_places,
                                    [WEFT_UNIT] = follow_unit},
            [WEFT_PACKED_LRA] = {[WEFT_ROWS] = lra_rows, [WEFT_UNIT] = lra_unit},
            [WEFT_PACKED_LINES] = {[WEFT_ROWS] = lines, [WEFT_UNIT] = lines},
            [WEFT_PACKED_BENDS] = {[WEFT_UNIT] = bends},
        },
    .split = split_particles,
    .split_three = split_three,
    .join = join_particles,
    .predict_staying = predict_staying,
    .settle_staying = settle_staying,
    .move_pins_staying = move_pins_staying,
    .move_pins_beside = move_pins_beside,
    .predict_pairs = predict_pairs,
    .update_velocity_pairs = update_velocity_pairs,
    .collide_pairs = collide_pairs,
    .predict = predict,
    .update_velocity = update_velocity,
    .move_bodies = move_bodies,
    .move_shapes = move_shapes,
    .collide = collide,
    .aero_force = aero_force,
    .aero_gather = aero_gather,
    .level_moves = level_moves,
    .level_moves_split = level_moves_split,
    .self_patch = self_patch,
    .self_certify = self_certify,
    .self_find_patches = self_find_patches,
    .self_certify_stars = self_certify_stars,
    .self_find_triangles = self_find_triangles,
    .self_find_features = self_find_features,
    .contact_find = contact_find,
    .contact_count = contact_count,
    .contact_project = contact_project,
    .contact_keep = contact_keep,
    .self_planes = self_planes,
    .self_update_normals = self_update_normals,
    .self_weigh = self_weigh,
    .self_repel = self_repel,
    .self_cache_store = self_cache_store,
    .self_apply = self_apply,
};
