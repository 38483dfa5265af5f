/* gltf_rig.h: what a glTF file moves, taken out of it: a tree of nodes, vertices that hang on some
 * of them, and the keys of animations. */
#ifndef WEFT_MOTION_GLTF_RIG_H
#define WEFT_MOTION_GLTF_RIG_H

#include "gltf_file.h"
#include "rotation.h"

/* ---- nodes ---- */

typedef struct weft_node {
  uint32_t parent; /* UINT32_MAX for none */
  double translation[3], scale[3];
  weft_quaternion rotation;
  bool has_matrix; /* then `local` is given, and nothing moves it */
  weft_affine local, global;
} weft_node;

typedef struct weft_nodes {
  weft_node *items;
  uint32_t *order; /* parents before their children */
  uint32_t count;
} weft_nodes;

weft_result weft_nodes_read(weft_gltf *gltf, weft_nodes *nodes);
void weft_nodes_place(weft_nodes *nodes); /* fills global */
void weft_nodes_free(weft_nodes *nodes);

/* ---- skin ---- */

/* A node that vertices hang on; they are brought into its space first. */
typedef struct weft_joint {
  uint32_t node;
  weft_affine bind;  /* the inverse bind matrix */
  weft_affine moved; /* global of the node times bind */
} weft_joint;

typedef struct weft_hold {
  uint32_t joint;
  float weight; /* those of a vertex sum to 1 */
} weft_hold;

/* Linear blend skinning. What is not skinned hangs on its node alone. */
typedef struct weft_skin {
  weft_vec3 *rest; /* [vertex_count] as stored */
  size_t *first;   /* [vertex_count + 1] into holds */
  weft_hold *holds;
  weft_joint *joints;
  uint32_t *triangles;
  uint32_t vertex_count, triangle_count;
  size_t joint_count, hold_count;
  size_t rest_space, first_space, hold_space, joint_space, triangle_space;
} weft_skin;

/* Of the meshes in the scene that the file begins with. */
weft_result weft_skin_read(weft_gltf *gltf, const weft_nodes *nodes, weft_skin *skin);
/* Of the nodes as they were placed last. */
void weft_skin_pose(weft_skin *skin, const weft_nodes *nodes, double scale, weft_vec3 *positions);
void weft_skin_free(weft_skin *skin);

/* ---- animation ---- */

typedef enum weft_channel_path { WEFT_TRANSLATION, WEFT_ROTATION, WEFT_SCALE } weft_channel_path;
typedef enum weft_interpolation { WEFT_LINEAR, WEFT_STEP, WEFT_CUBICSPLINE } weft_interpolation;

typedef struct weft_channel {
  uint32_t node;
  weft_channel_path path;
  weft_interpolation interpolation;
  uint32_t count;
  double *times;  /* [count] seconds, ascending */
  double *values; /* of each key 3 or 4; of a spline's tangent before, value, tangent after */
} weft_channel;

typedef struct weft_animation {
  weft_channel *channels;
  size_t count;
  double duration; /* seconds, of the last key */
} weft_animation;

/* The one of that name or number; NULL: the only one; all: all, where none of them moves what
 * another does. */
weft_result weft_animation_read(weft_gltf *gltf, const weft_nodes *nodes, const char *name,
                                weft_animation *animation);
void weft_animation_pose(const weft_animation *animation, double seconds, weft_nodes *nodes);
void weft_animation_free(weft_animation *animation);

#endif
