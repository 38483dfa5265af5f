/* figure.h: a standing woman of 1.70 m as one closed mesh, seven and a half heads high, and how she
 * moves: bones that turn about joints, and a skin that follows them. */
#ifndef WEFT_FIGURE_H
#define WEFT_FIGURE_H

#include <weft/mesh.h>

/* Left is +x, front +z. A right one follows its left one. */
typedef enum weft_bone {
  WEFT_BONE_PELVIS = 0,
  WEFT_BONE_CHEST, /* from the waist up, neck and head too */
  WEFT_BONE_THIGH,
  WEFT_BONE_RIGHT_THIGH,
  WEFT_BONE_SHIN,
  WEFT_BONE_RIGHT_SHIN,
  WEFT_BONE_FOOT,
  WEFT_BONE_RIGHT_FOOT,
  WEFT_BONE_ARM,
  WEFT_BONE_RIGHT_ARM,
  WEFT_BONE_FOREARM, /* and hand */
  WEFT_BONE_RIGHT_FOREARM,
  WEFT_BONE_COUNT
} weft_bone;

typedef struct weft_pose weft_pose;
/* How each bone is turned against the one that it hangs on; all zero is how the figure stands. */
struct weft_pose {
  float turn;                   /* radians about the vertical, of everything */
  float drop;                   /* metres, of everything */
  float swing[WEFT_BONE_COUNT]; /* radians: what is below the joint comes forward */
  float lean[WEFT_BONE_COUNT];  /* radians: what is below the joint comes to the left */
  float twist[WEFT_BONE_COUNT]; /* radians about the vertical */
};

/* A walk on the spot at 1.1 s a stride, eased in from standing over half a second. */
weft_pose weft_figure_walk(double time);

/* Where bones are in a pose: what x, y and z become, and where the origin goes. */
typedef struct weft_bone_frame {
  double axes[3][3], origin[3];
} weft_bone_frame;
typedef struct weft_bone_frames {
  weft_bone_frame of[WEFT_BONE_COUNT];
} weft_bone_frames;
void weft_pose_frames(const weft_pose *pose, weft_bone_frames *frames);
/* Where a point of a bone goes. */
weft_vec3 weft_pose_point(const weft_bone_frames *frames, weft_bone bone, weft_vec3 point);

/* ---- what stands for the figure in contact ---- */

/* Capsules in the skin, for what is quicker than its triangles. */
typedef struct weft_figure_capsule {
  weft_bone bone;
  weft_vec3 a, b;
  float radius;
} weft_figure_capsule;
/* The k-th; false past the last. */
bool weft_figure_capsule_at(uint32_t k, weft_figure_capsule *capsule);
/* How far a figure in this pose must come down for the lowest capsule to touch the ground. */
float weft_figure_drop(const weft_pose *pose);

/* ---- the skin ---- */

typedef struct weft_figure weft_figure;
weft_figure *weft_figure_create(void);
void weft_figure_destroy(weft_figure *figure);
const weft_mesh *weft_figure_mesh(const weft_figure *figure); /* standing */
/* positions: [vertex_count]. offsets, [WEFT_BONE_COUNT] m, move bones besides; NULL: none. */
void weft_figure_posed(const weft_figure *figure, const weft_pose *pose, const weft_vec3 *offsets,
                       weft_vec3 *positions);

#endif
