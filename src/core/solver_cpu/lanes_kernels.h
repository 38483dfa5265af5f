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
#include "lanes_strips.h"
/* after it */
#include "lanes_blocks.h"
/* after it */
#include "lanes_crowd.h"
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
  [WEFT_CONSTRAINT_##ID] = {project_##name##_blocks, keep_##name##_blocks},
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
        },
    .project_pairs =
        {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  [WEFT_CONSTRAINT_##ID] = {project_##name##_pairs, keep_##name##_pairs},
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
        },
    .project_tame = {[WEFT_CONSTRAINT_DISTANCE] = project_distance_tame,
                     [WEFT_CONSTRAINT_DIHEDRAL] = project_dihedral_tame},
    .project_rows = {[WEFT_CONSTRAINT_ISOMETRIC] = project_isometric_rows},
    .project_split =
        {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  [WEFT_CONSTRAINT_##ID] = project_##name##_split,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
        },
    .project_strips = {[WEFT_CONSTRAINT_DISTANCE] = project_distance_strips,
                       [WEFT_CONSTRAINT_ISOMETRIC] = project_isometric_strips},
    .project_crowd = {[WEFT_CONSTRAINT_DISTANCE] = project_distance_crowd,
                      [WEFT_CONSTRAINT_ISOMETRIC] = project_isometric_crowd,
                      [WEFT_CONSTRAINT_DIHEDRAL] = project_dihedral_crowd},
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
    .level_edges = level_edges,
    .level_edges_in_rows = level_edges_in_rows,
    .level_means = level_means,
    .level_moves = level_moves,
    .level_moves_split = level_moves_split,
    .level_mean_strip = level_mean_strip,
    .level_follow_strip = level_follow_strip,
    .level_follow_remainder = level_follow_remainder,
    .level_follow = level_follow_blocks,
    .level_mean_remainder = level_mean_remainder,
    .lra = lra,
    .split_lra = split_lra,
    .lines = lines,
    .bends = bends,
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
