/* weft_kit/motion.h: bodies that move as a file says: where each vertex of a mesh is at any time.
 *
 * Nothing here knows the solver. A motion keeps two frames in memory, whatever the length of its
 * file, and reads the others again when they are needed. */
#ifndef WEFT_KIT_MOTION_H
#define WEFT_KIT_MOTION_H

#include <weft/types.h>
#include <weft_kit/import.h>

#ifdef __cplusplus
extern "C" {
#endif

/* m/s: a body that is faster jumps, unless a descriptor says otherwise. */
#define WEFT_MOTION_MAX_SPEED 100

/* What to read. Everything zero or NULL but `motion` is fine. */
typedef struct weft_motion_desc {
  /* Where the motion stands. Its name says what it is:
   * - body-%04d.obj: an OBJ file a frame, unless a file is called just so. The numbers on disk give
   *   the first and the last; none between them may be missing. All have the vertices and faces of
   *   the first;
   * - .pc2: a point cache of version 1, for `mesh`;
   * - .mdd: a point cache of either byte order, for `mesh`;
   * - .glb, .gltf: glTF 2.0 whose nodes and skins are animated;
   * - .json: keys that move `mesh` as a rigid body, see docs/motion.md. The text of such a file,
   *   which begins with {, may stand here instead.
   * Needed. */
  const char *motion;
  /* The mesh that a cache or keys move, any file that weft_mesh_import reads. NULL for OBJ files
   * and glTF, which bring their own. */
  const char *mesh;
  /* Which animation of a glTF file, by name or, where it has none, by its number from 0; "all" for
   * all of them together, where no two move the same of a node and none is called so. Default: the
   * only one; of several one has to be named. */
  const char *animation;
  /* Of a PC2 cache and of OBJ files, which do not say. glTF and keys have times of their own: their
   * speeds are measured so often. 0.001 to 100,000. Default 60; MDD files have a time for each
   * frame and take none. */
  double frames_per_second;
  float scale; /* multiplies positions into metres (0.01 for centimetres), above 0 to 1e9. Default 1
                */
  weft_up up;  /* the axis of the files that points up, pivots and keys included. Default y */
  /* m/s: faster than this no vertex may be from one frame to the next, or the motion is refused as
   * one that jumps. Keys that turn by more than half a turn in such a frame, and so seem slower
   * than they are, are refused as well, or with a larger limit named in a warning. Default
   * WEFT_MOTION_MAX_SPEED. */
  double max_speed;
} weft_motion_desc;

typedef struct weft_motion weft_motion;

/* Reads all of the motion once, so that what is wrong with it is said here.
 *
 * WEFT_ERROR_FILE for a file that cannot be read or is missing from a sequence; WEFT_ERROR_FORMAT,
 * with file and frame, line or byte, for broken contents: another number of vertices, positions
 * that are not finite or beyond 1e9 m, a header that does not fit the length of its file, a cache
 * whose first frame tears the mesh, a vertex faster than max_speed, keys that turn too fast to be
 * told, joints that do not exist, weights that sum to 0; WEFT_ERROR_MESH for a glTF file without
 * animations. WEFT_ERROR_ARGUMENT for a member out of range or one that the kind of motion has no
 * use for, for an animation that is not in the file, and for all of several that move the same. */
WEFT_API weft_result weft_motion_load(const weft_motion_desc *desc, weft_motion **motion,
                                      weft_error *err);
WEFT_API void weft_motion_free(weft_motion *motion);

/* The mesh as it is at time 0, its vertices numbered as in the file: not welded, not reordered,
 * unused ones kept. Of several meshes in a glTF file those of the scene one after the other, in the
 * order of its nodes. Lives as long as the motion. */
WEFT_API const weft_mesh *weft_motion_mesh(const weft_motion *motion);

/* Where the vertices are: positions is [vertex_count of the mesh], metres. Between frames they move
 * in straight lines, in glTF and by keys as these say. Before the first frame, which is at time 0,
 * and after the last they rest. One thread at a time for each motion.
 *
 * WEFT_ERROR_ARGUMENT for seconds that are not finite; the errors of weft_motion_load where the
 * file has changed since. */
WEFT_API weft_result weft_motion_at(weft_motion *motion, double seconds, weft_vec3 *positions,
                                    weft_error *err);

/* What a motion is like. */
typedef struct weft_motion_info {
  const char *kind;     /* "OBJ files", "PC2 cache", "MDD cache", "glTF" or "rigid keys" */
  uint32_t frame_count; /* at least 1; of glTF and keys as often as it was measured */
  double duration;      /* seconds, of the last frame */
  /* What the file itself says of its first frame, which is at time 0: its number (PC2, OBJ files)
   * or its time in seconds (MDD, keys). glTF keeps its own times: 0. */
  double file_start;
  double file_step; /* of a PC2 its frames from a sample to the next; 1 for others */
  /* Between two frames, of the vertex that is fastest. All 0 for a motion that stands still. */
  double fastest_speed;    /* m/s */
  uint32_t fastest_vertex; /* of the mesh */
  uint32_t fastest_frame;  /* moves so from this frame, counted from 0, to the next */
  double fastest_step;     /* metres from the one to the other */
  double fastest_seconds;  /* when it begins */
  /* How far the vertex that is farthest is at time 0 from where the file of the mesh has it,
   * metres. 0 where the mesh comes with the motion. */
  double rest_distance;
  weft_vec3 box_min, box_max; /* metres, the box around all frames */
} weft_motion_info;
/* All zero for NULL. */
WEFT_API weft_motion_info weft_motion_describe(const weft_motion *motion);

/* Seconds from 0 of the time of a frame. 0 for a frame that does not exist. */
WEFT_API double weft_motion_frame_seconds(const weft_motion *motion, uint32_t frame);
WEFT_API double weft_motion_duration(const weft_motion *motion);

#ifdef __cplusplus
}
#endif

#endif
