/* inside.h: the pieces of a renderer, shared by the files of this room. */
#ifndef WEFT_RENDER_INSIDE_H
#define WEFT_RENDER_INSIDE_H

#include <render/frame.h>

#include "base.h"
#include "render.h"

typedef struct weft_render_frame weft_render_frame;
typedef struct weft_render_material weft_render_material;

/* ---- targets.c: where pixels go ---- */
typedef struct weft_render_targets {
  uint32_t width, height, multisamples;
  GLuint sample_fbo, sample_colour, sample_depth; /* multisampled, RGBA16F */
  GLuint resolved_fbo, resolved;                  /* one sample picture, RGBA16F */
  GLuint sum_fbo, sum;                            /* of all, RGBA32F */
  GLuint final_fbo, final;                        /* RGBA8, sRGB-encoded by the shader */
  uint32_t shadow_size[2];                        /* sun, sky */
  GLuint shadow_fbo[2], shadow[2];
} weft_render_targets;
weft_result weft_targets_create(weft_render_targets *targets, weft_error *err);
void weft_targets_destroy(weft_render_targets *targets);

/* ---- cloth.c: buffers of the cloth, and its normals ---- */
typedef struct weft_render_cloth {
  uint32_t particle_count, triangle_count;
  weft_gl_buffer rest, triangles, corner_offsets, corner_items, normals;
  GLuint normals_program, vertex_array;
} weft_render_cloth;
weft_result weft_cloth_create(weft_gl *gl, const weft_renderer_desc *desc, weft_render_cloth *cloth,
                              weft_error *err);
void weft_cloth_destroy(weft_render_cloth *cloth);
void weft_cloth_normals(weft_gl *gl, weft_render_cloth *cloth, const weft_gl_view *positions);
void weft_cloth_draw(const weft_render_cloth *cloth, const weft_gl_view *positions);
/* A buffer that fits one storage block of the driver, or a sentence. */
weft_result weft_render_upload(weft_gl *gl, const char *label, uint64_t bytes, const void *data,
                               weft_gl_buffer *buffer, weft_error *err);

/* ---- strands.c: balls and rods ---- */
typedef struct weft_render_round {
  weft_gl_buffer vertices, indices;
  uint32_t index_count;
  GLuint vertex_array;
} weft_render_round;
typedef struct weft_render_strands {
  /* Instances: balls, rods that move, rods that stand. */
  uint32_t ball_count, rod_count, moving_count;
  weft_gl_buffer rows, ends;
  weft_render_round ball, rod;
  GLuint gather;
} weft_render_strands;
weft_result weft_strands_create(weft_gl *gl, const weft_renderer_desc *desc,
                                weft_render_strands *strands, weft_error *err);
void weft_strands_destroy(weft_render_strands *strands);
void weft_strands_gather(weft_gl *gl, const weft_render_strands *strands,
                         const weft_gl_view *positions);
void weft_strands_draw(const weft_render_strands *strands);

/* ---- solids.c: colliders ---- */
typedef struct weft_render_solids {
  weft_gl_buffer vertices, indices;
  GLuint vertex_array;
} weft_render_solids;
weft_result weft_solids_create(weft_gl *gl, weft_render_solids *solids, weft_error *err);
void weft_solids_destroy(weft_render_solids *solids);
void weft_solids_draw(const weft_render_solids *solids, const weft_picture *picture);

/* ---- frame.c: camera, lights and samples ---- */
/* The `index`-th of `samples` pictures. */
void weft_frame_fill(const weft_picture *picture, const weft_render_targets *targets,
                     uint32_t index, uint32_t samples, weft_render_frame *frame);
void weft_material_of(const weft_fabric_look *look, weft_render_material *material);

#endif
