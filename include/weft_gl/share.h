/* weft_gl/share.h: a solver on the GPU and its caller share buffers: what is drawn, read or given
 * stays where it is.
 *
 * Every solver here runs on weft_backend_gl, WEFT_ERROR_ARGUMENT otherwise; weft_solver_view
 * (weft/solver.h) is for the others. Buffers of weft are the caller's to read, in the solver's
 * context or one that shares with it, never to write. Every function here that gives one makes what
 * was computed visible to whatever reads it afterwards in the same context: as vertices, indices,
 * textures, blocks, and by copies. Other contexts wait for a fence, and bind the buffer anew. */
#ifndef WEFT_GL_SHARE_H
#define WEFT_GL_SHARE_H

#include <weft_gl/gl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Elements in a buffer of OpenGL. */
typedef struct weft_gl_view {
  uint32_t buffer; /* its name */
  uint32_t stride; /* bytes from one element to the next */
  uint64_t offset; /* bytes in front of the first */
  uint64_t size;   /* bytes from there on. Not looked at in what the caller gives */
  uint32_t count;  /* elements */
} weft_gl_view;

/* ---- the state as it is ---- */

/* Particles by their index. */
typedef struct weft_gl_state {
  weft_gl_view positions;  /* float x, y, z: m from the origin; float: inverse mass, 1/kg */
  weft_gl_view velocities; /* float x, y, z: m/s; float: 0 */
  double origin[3];        /* m. It follows cloth that goes far: valid for this frame */
} weft_gl_state;

/* Names, offsets and strides are the same until the solver is destroyed or takes new tables
 * (weft/change.h). What is in the buffers changes with every call that changes the solver. */
WEFT_API weft_result weft_solver_gl_state(weft_solver *solver, weft_gl_state *state,
                                          weft_error *err);

/* ---- vertices to draw ---- */

/* What is drawn. Zero-initialise and set what differs. */
typedef struct weft_gl_drawing_desc {
  /* [vertex_count] the particle of each vertex: where texture coordinates have a seam, several
   * vertices are of one. Copied. Default NULL: each particle is a vertex. */
  const uint32_t *particles;
  uint32_t vertex_count;
  /* [3*triangle_count] of vertices, copied. Default NULL: the model's triangles, for vertices that
   * are the particles. */
  const uint32_t *triangles;
  uint32_t triangle_count;
} weft_gl_drawing_desc;

/* Vertices of a solver's cloth in a buffer of their own, positions and normals by turns: one vertex
 * array object and one glDrawElements draw them. Texture coordinates and the like are in buffers
 * of the caller's, by vertex. */
typedef struct weft_gl_drawing weft_gl_drawing;

/* Views of it; they are the same until it is destroyed, but for the origin. */
typedef struct weft_gl_vertices {
  weft_gl_view positions; /* float x, y, z: m from the origin */
  weft_gl_view normals;   /* float x, y, z: unit vectors; 0 where there are no triangles. The mean
                             of the normals of the triangles around, weighted by their areas */
  weft_gl_view indices;   /* uint32_t: three a triangle */
  double origin[3];       /* m: add it, by a matrix. Valid until the next update */
} weft_gl_vertices;

/* `desc` may be NULL. To be destroyed before the solver. WEFT_ERROR_ARGUMENT for a particle or a
 * vertex that does not exist, WEFT_ERROR_LIMIT where the driver has no memory for it. */
WEFT_API weft_result weft_gl_drawing_create(weft_solver *solver, const weft_gl_drawing_desc *desc,
                                            weft_gl_drawing **drawing, weft_error *err);
WEFT_API void weft_gl_drawing_destroy(weft_gl_drawing *drawing);
/* Makes the vertices those of the solver now: one pass on the GPU, which nothing waits for.
 * `vertices` may be NULL. */
WEFT_API weft_result weft_gl_drawing_update(weft_gl_drawing *drawing, weft_gl_vertices *vertices,
                                            weft_error *err);

/* ---- other contexts ---- */

/* A GLsync behind all that weft has issued, flushed, so that another context can wait for it with
 * glWaitSync or glClientWaitSync. The caller deletes it with glDeleteSync. */
WEFT_API weft_result weft_gl_fence(weft_gl *gl, void **sync, weft_error *err);

/* ---- reading without waiting ---- */

/* A ring of buffers on their way to the host. */
typedef struct weft_gl_readback weft_gl_readback;

/* How many frames can be under way, 1 to 8, and whether with velocities. A frame usually arrives
 * one or two frames later: three leave the GPU room. To be destroyed before the solver. */
WEFT_API weft_result weft_gl_readback_create(weft_solver *solver, uint32_t frames, bool velocities,
                                             weft_gl_readback **readback, weft_error *err);
WEFT_API void weft_gl_readback_destroy(weft_gl_readback *readback);
/* Sends the state of now. WEFT_ERROR_ARGUMENT while as many frames as there can be are under way.
 */
WEFT_API weft_result weft_gl_readback_begin(weft_gl_readback *readback, weft_error *err);
/* Whether the oldest frame has arrived. Never waits. */
WEFT_API bool weft_gl_readback_ready(weft_gl_readback *readback);
/* Takes the oldest frame, waiting for it if it has not arrived: positions, metres, and velocities,
 * m/s, [particle_count] each or NULL, the same bits as weft_solver_read would have given, and how
 * many frames the solver had done, or NULL. WEFT_ERROR_ARGUMENT where none is under way. */
WEFT_API weft_result weft_gl_readback_take(weft_gl_readback *readback, weft_vec3 *positions,
                                           weft_vec3 *velocities, uint64_t *frame, weft_error *err);

/* ---- what the caller has on the GPU ---- */

/* As weft_solver_move_pins, with targets, float x, y, z in metres, in a buffer of the caller's:
 * offset and stride are multiples of 4. `particles` is [targets->count], NULL: all that are pinned,
 * ascending. The targets are copied before the next call of OpenGL, and with the solver's origin at
 * 0 the bits are those of weft_solver_move_pins; elsewhere they may differ in the last one. Targets
 * are not looked at: one that is not finite makes the state so.
 *
 * They are read back, a few bytes a pin, where the host asks for them, as with the next
 * weft_solver_move_pins. */
WEFT_API weft_result weft_solver_gl_move_pins(weft_solver *solver, const uint32_t *particles,
                                              const weft_gl_view *targets, weft_error *err);
/* As weft_solver_move_body, with the positions of all vertices in a buffer, likewise. */
WEFT_API weft_result weft_solver_gl_move_body(weft_solver *solver, uint32_t body,
                                              const weft_gl_view *positions, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
