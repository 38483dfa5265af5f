/* figure_internal.h: what shape and motion of the figure share. */
#ifndef WEFT_FIGURE_INTERNAL_H
#define WEFT_FIGURE_INTERNAL_H

#include "figure.h"
#include "vec3d.h"

typedef struct weft_joint {
  weft_bone bone, parent;
  weft_vec3 place; /* m, standing */
} weft_joint;
extern const weft_joint weft_joints[WEFT_BONE_COUNT / 2 + 1];

static inline bool weft_bone_is_right(weft_bone bone) {
  return bone >= WEFT_BONE_THIGH && bone % 2 == 1;
}
static inline const weft_joint *weft_joint_of(weft_bone bone) {
  return &weft_joints[bone < WEFT_BONE_THIGH ? bone
                                             : WEFT_BONE_THIGH + (bone - WEFT_BONE_THIGH) / 2];
}
/* Of a right one the right one; the pelvis is its own. */
static inline weft_bone weft_bone_parent(weft_bone bone) {
  weft_bone parent = weft_joint_of(bone)->parent;
  return parent < WEFT_BONE_THIGH ? parent : (weft_bone)(parent + weft_bone_is_right(bone));
}

enum { WEFT_FIGURE_BONES = 4 };
typedef struct weft_figure_weights {
  uint32_t count;
  uint8_t bones[WEFT_FIGURE_BONES];
  double weights[WEFT_FIGURE_BONES]; /* they add up to one */
} weft_figure_weights;

/* ---- shape ---- */

/* As one closed mesh. */
weft_result weft_figure_shape(weft_mesh *mesh, weft_error *err);
/* away: [WEFT_BONE_COUNT] m, of a point from the skin of each bone. */
void weft_figure_distances(weft_vec3 point, double *away);

/* That mesh as the build made it: cmake/write_figure.c. */
typedef struct weft_figure_mesh_data {
  uint32_t vertex_count, triangle_count;
  const weft_vec3 *positions;
  const uint16_t *corners;
} weft_figure_mesh_data;
extern const weft_figure_mesh_data weft_figure_made;

struct weft_figure {
  weft_mesh mesh;
  weft_figure_weights *weights; /* [vertex_count] */
};

#endif
