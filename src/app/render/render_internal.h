/* render_internal.h: the pieces of a renderer, shared by the files of this room. */
#ifndef WEFT_RENDER_INTERNAL_H
#define WEFT_RENDER_INTERNAL_H

#include <render/frame.h>

#include "base.h"
#include "inspect.h"
#include "model.h"
#include "render.h"

typedef struct weft_render_frame weft_render_frame;
typedef struct weft_render_material weft_render_material;

typedef struct weft_render_range weft_render_range;
typedef struct weft_render_mark weft_render_mark;
typedef struct weft_render_segment weft_render_segment;

/* ---- detail.c: how many triangles round shapes need ---- */
enum { WEFT_DETAIL_LEVELS = 6 };
/* Meshes of the same shape in one buffer, the finest first. */
typedef struct weft_render_levels {
  uint32_t count;
  struct {
    uint32_t segments, first, indices; /* segments of a whole turn */
  } level[WEFT_DETAIL_LEVELS];
} weft_render_levels;
/* Pixels that a metre spans. */
typedef struct weft_render_detail {
  float pixels; /* a metre from the eye, or anywhere of a light; 0: not known, the finest level */
  bool light;
  weft_vec3 eye;
} weft_render_detail;
/* Around draws of closed shapes: where detail is counted, their backs are left out. */
void weft_detail_begin(const weft_render_detail *detail);
void weft_detail_end(const weft_render_detail *detail);
/* The coarsest level whose outline leaves a circle of radius `radius` by less than can be seen, as
 * near as it is to the eye. */
uint32_t weft_detail_level(const weft_render_levels *levels, const weft_render_detail *detail,
                           float radius, float away);

/* ---- targets.c: where pixels go ---- */
typedef struct weft_render_targets {
  uint32_t width, height, multisamples;
  bool quick;                                     /* as in weft_renderer_desc */
  GLuint sample_fbo, sample_colour, sample_depth; /* multisampled, RGBA16F */
  GLuint resolved_fbo, resolved;                  /* one sample picture, RGBA16F */
  GLuint sum_fbo, sum;                            /* of all, RGBA32F */
  GLuint final_fbo, final;                        /* RGBA8, sRGB-encoded by the shader */
  bool soft_edges;                                /* as in weft_renderer_desc; then final is made */
  GLuint hard_fbo, hard;                          /* of this */
  uint32_t patches;                               /* of sky, in a sample */
  uint32_t shadow_size[2];                        /* sun, sky */
  GLuint shadow_fbo, shadow[2];                   /* a layer for the sun, one for each patch */
  GLuint floor_fbo, floor;                        /* quick: what the floor sees of the sky */
} weft_render_targets;
weft_result weft_targets_create(weft_render_targets *targets, weft_error *err);
void weft_targets_destroy(weft_render_targets *targets);
/* Binds where a light's shadows go: 0 the sun, from 1 on the patches of sky. */
void weft_targets_shadow(const weft_render_targets *targets, uint32_t light);

/* ---- cloth.c: buffers of the cloth, and its normals ---- */
typedef struct weft_render_mesh {
  uint32_t triangle_count;
  float edge; /* mean length at rest, m */
  weft_gl_buffer triangles, corner_offsets, corner_items;
} weft_render_mesh;
typedef struct weft_render_cloth {
  uint32_t particle_count, triangle_count;
  weft_render_mesh all, few; /* few: of a grid, where it is fine enough */
  bool thin;                 /* few are drawn, where there are */
  bool cornered;             /* not now: the corners of all triangles have coordinates */
  weft_gl_buffer rest, normals;
  GLuint normals_program, vertex_array;
} weft_render_cloth;
/* What is drawn. */
const weft_render_mesh *weft_cloth_mesh(const weft_render_cloth *cloth);
weft_result weft_cloth_create(weft_gl *gl, const weft_renderer_desc *desc, weft_render_cloth *cloth,
                              weft_error *err);
void weft_cloth_destroy(weft_render_cloth *cloth);
void weft_cloth_normals(weft_gl *gl, weft_render_cloth *cloth, const weft_gl_view *positions);
void weft_cloth_draw(const weft_render_cloth *cloth, const weft_gl_view *positions);
/* As weft_cloth_draw, with a value (vec2) at each vertex. */
void weft_cloth_draw_values(const weft_render_cloth *cloth, const weft_gl_view *positions,
                            const weft_gl_buffer *values);
/* All bodies of a scene as one more cloth, counted as the solver counts; without any it is empty.
 */
typedef struct weft_render_bodies {
  weft_render_cloth cloth;
  uint32_t count;
  uint32_t first[WEFT_MAX_BODIES + 1]; /* triangle of each */
} weft_render_bodies;
weft_result weft_bodies_create(weft_gl *gl, const weft_renderer_desc *desc,
                               weft_render_bodies *bodies, weft_error *err);
/* But for those that the picture hides. */
void weft_bodies_draw(const weft_render_bodies *bodies, const weft_picture *picture);
/* A buffer that fits one storage block of the driver, or a sentence. */
weft_result weft_render_upload(weft_gl *gl, const char *label, uint64_t bytes, const void *data,
                               weft_gl_buffer *buffer, weft_error *err);

/* ---- corners.c: coordinates that are linear on each triangle, and need not agree where two meet
 * ---- */
typedef struct weft_render_corners {
  weft_gl_buffer rows;
  GLuint texture; /* of a buffer */
} weft_render_corners;
/* coordinates: [6*triangle_count], two for each corner; NULL: the part of the first two corners. */
weft_result weft_corners_create(weft_gl *gl, const weft_render_cloth *cloth,
                                const float *coordinates, weft_render_corners *corners,
                                weft_error *err);
void weft_corners_destroy(weft_render_corners *corners);
/* A picture on the GPU, with smaller ones for the distance. */
weft_result weft_texture_upload(weft_gl *gl, const weft_texture *texture, GLuint *name,
                                weft_error *err);

/* ---- views.c: values of particles, computed from the solver's buffers ---- */
typedef struct weft_render_views {
  const weft_model *model; /* whose lists these are */
  uint32_t particle_count;
  weft_gl_buffer values; /* vec2 [particle_count] */
  weft_gl_buffer peak, bins, range, poses;
  weft_gl_buffer offsets[2], items[2]; /* strain, bending */
  weft_gl_buffer terms;                /* of bending energy, as the shader has them */
  uint32_t bases[WEFT_SEEN_UNSEEN];
  GLuint programs[WEFT_VIEW_MODE_COUNT], pairs_program, bodies_program, tangled_program;
  GLuint peak_program, range_program;
} weft_render_views;
/* What the legend of a mode says, and how its values become colours. */
typedef struct weft_view_style {
  const char *title, *note;
  uint32_t paint;  /* WEFT_PAINT_ */
  float unit;      /* shown per computed */
  float when_none; /* shown range when all values are 0 */
  float max;       /* no automatic range goes past it */
  bool has_range;
  bool usual; /* its range is by the 99th percentile */
} weft_view_style;
const weft_view_style *weft_view_style_of(weft_view_mode mode); /* NULL: nothing to explain */
/* Makes what the mode needs if it is not there yet, and computes the values of this picture. */
weft_result weft_views_update(weft_gl *gl, weft_render_views *views, const weft_picture *picture,
                              uint32_t particle_count, weft_error *err);
/* The lists of edges and links at each particle, and the solver's table of them. */
weft_result weft_views_bind_strain(weft_gl *gl, const weft_render_views *views,
                                   const weft_picture *picture, weft_error *err);
void weft_views_destroy(weft_render_views *views);
/* Whether the model has anything that the mode measures. */
bool weft_view_measures(const weft_model *model, weft_view_mode mode);
/* A program over all particles (or rows), in as many dispatches as the driver wants. */
void weft_render_dispatch(weft_gl *gl, uint32_t count);
void weft_render_bind(GLuint slot, const weft_gl_buffer *buffer);
/* For the program in use, which adds the origin to them. */
void weft_render_bind_positions(const weft_gl_view *positions, weft_vec3 origin);
/* A solver's buffer at a slot; something empty when it has none. WEFT_ERROR_LIMIT when the driver
 * cannot bind all of it at once. */
weft_result weft_render_bind_solver(weft_gl *gl, GLuint slot, const weft_solver *solver,
                                    weft_buffer_id id, weft_error *err);

/* ---- segments.c: constraints as lines in the colours of their batches ---- */
typedef struct weft_render_batch {
  const char *group;
  weft_role role;
  uint32_t colour, first, count, constraints; /* segments */
  uint32_t rgb;
} weft_render_batch;
typedef struct weft_render_segments {
  const weft_model *model;
  uint32_t batch_count, count;
  weft_render_batch *batches;
  weft_gl_buffer rows, ends;
  float edge; /* mean length at rest, m */
  GLuint gather, program, vertex_array;
} weft_render_segments;
weft_result weft_segments_update(weft_gl *gl, weft_render_segments *segments,
                                 const weft_picture *picture, weft_error *err);
void weft_segments_destroy(weft_render_segments *segments);
void weft_segments_draw(const weft_render_segments *segments, const weft_picture *picture,
                        float radius);
/* Whether a picture shows a batch. */
bool weft_segments_shown(const weft_render_segments *segments, const weft_picture *picture,
                         uint32_t batch);

/* ---- pins.c: marks at particles ---- */
typedef struct weft_render_pins {
  uint32_t *rows, *wanted; /* [capacity]: on the GPU; of this picture */
  uint32_t count, capacity, shown;
  const weft_model *model; /* whose room this is */
  float room;              /* m that a mark may span */
  weft_gl_buffer list, places;
  GLuint gather, program, vertex_array;
} weft_render_pins;
weft_result weft_pins_update(weft_gl *gl, weft_render_pins *pins, const weft_picture *picture,
                             weft_error *err);
void weft_pins_destroy(weft_render_pins *pins);
void weft_pins_draw(const weft_render_pins *pins, const weft_picture *picture, uint32_t height);

/* ---- legend.c: what the colours mean, inside of the picture ---- */
bool weft_legend_wanted(const weft_picture *picture);
enum { WEFT_LEGEND_MARKS = 1024 };
typedef struct weft_render_legend {
  uint32_t count, label_first; /* marks; numbers of the bar, filled in by view_range.comp */
  float width, height;         /* units */
  float labels[4];
  weft_gl_buffer marks;
  GLuint program, font, vertex_array;
} weft_render_legend;
weft_result weft_legend_update(weft_gl *gl, weft_render_legend *legend, const weft_picture *picture,
                               const weft_render_segments *segments, weft_error *err);
void weft_legend_destroy(weft_render_legend *legend);
/* Into the frame buffer that is bound, whose viewport is as large. */
void weft_legend_draw(const weft_render_legend *legend, uint32_t width, uint32_t height,
                      const weft_render_views *views);
/* The range of the values, and with it the numbers of the legend. */
void weft_views_range(weft_gl *gl, const weft_render_views *views, const weft_picture *picture,
                      const weft_render_legend *legend);

/* What a renderer has of its last picture in a view mode, for tests. */
const weft_gl_buffer *weft_renderer_values(const weft_renderer *renderer);
const weft_render_segments *weft_renderer_segments(const weft_renderer *renderer);
const weft_render_legend *weft_renderer_legend(const weft_renderer *renderer);

/* ---- strands.c: balls and rods ---- */
typedef struct weft_render_round {
  weft_gl_buffer vertices, indices;
  weft_render_levels levels;
  GLuint vertex_array;
} weft_render_round;
typedef struct weft_render_strands {
  /* Instances: balls, rods that move, rods that stand. */
  uint32_t ball_count, rod_count, moving_count;
  weft_gl_buffer rows, ends;
  weft_gl_buffer values; /* of view modes, vec4 an instance; made when first wanted */
  float largest;         /* radius of a moving one, m */
  float largest_ball, largest_rod, largest_prop;
  weft_render_round ball, rod;
  GLuint gather, gather_values[3]; /* any value; strain and compression of links */
} weft_render_strands;
weft_result weft_strands_create(weft_gl *gl, const weft_renderer_desc *desc,
                                weft_render_strands *strands, weft_error *err);
void weft_strands_destroy(weft_render_strands *strands);
void weft_strands_gather(weft_gl *gl, const weft_render_strands *strands,
                         const weft_gl_view *positions, weft_vec3 origin);
/* Instances of all sizes have the detail of the largest, in the foreground of the picture. */
void weft_strands_draw(const weft_render_strands *strands, const weft_picture *picture,
                       const weft_render_detail *detail);
/* Props only. */
void weft_strands_draw_standing(const weft_render_strands *strands, const weft_picture *picture,
                                const weft_render_detail *detail);
/* The values of both ends of each, before a draw with VIEW. */
weft_result weft_strands_values(weft_gl *gl, weft_render_strands *strands,
                                const weft_render_views *views, const weft_picture *picture,
                                weft_error *err);

/* ---- trails.c, ghost.c: what is drawn beside ---- */
void weft_trails_string(const weft_trails *trails); /* for the pictures that follow */
void weft_trails_draw(const weft_trails *trails);
void weft_ghost_gather(const weft_ghost *ghost);
void weft_ghost_draw(const weft_ghost *ghost, const weft_picture *picture,
                     const weft_render_detail *detail);

/* ---- solids.c: colliders ---- */
typedef struct weft_render_solids {
  weft_gl_buffer vertices, indices;
  weft_render_levels levels;
  GLuint vertex_array;
} weft_render_solids;
weft_result weft_solids_create(weft_gl *gl, weft_render_solids *solids, weft_error *err);
void weft_solids_destroy(weft_render_solids *solids);
void weft_solids_draw(const weft_render_solids *solids, const weft_picture *picture,
                      const weft_render_detail *detail);

/* ---- body.c: a closed mesh in place of colliders ---- */
typedef struct weft_render_figure {
  uint32_t vertex_count, triangle_count;
  uint32_t *triangles;
  weft_vec3 *positions;          /* as last drawn */
  uint32_t few_first, few_count; /* indices that do for quick pictures */
  weft_gl_buffer vertices, indices;
  GLuint vertex_array;
} weft_render_figure;
weft_result weft_render_figure_create(weft_gl *gl, const weft_mesh *mesh, weft_render_figure *body,
                                      weft_error *err);
void weft_render_figure_destroy(weft_render_figure *body);
/* Where it is in the picture. */
void weft_render_figure_place(weft_render_figure *body, const weft_picture *picture);
/* With the programs of solids. */
void weft_render_figure_draw(const weft_render_figure *body, const weft_picture *picture,
                             const weft_render_detail *detail);

/* ---- frame.c: camera, lights and samples ---- */
/* Texels along a side of the floor's map in quick pictures. */
enum { WEFT_RENDER_FLOOR_SIZE = 48 };
/* How many patches of sky each of so many samples stands for; quick: one map from above. */
uint32_t weft_frame_patches(const weft_render_targets *targets, uint32_t samples);
/* The `index`-th of `samples` pictures of a cloth with edges of a mean length at rest, m. */
void weft_frame_fill(const weft_picture *picture, const weft_render_targets *targets,
                     uint32_t index, uint32_t samples, float cloth_edge, weft_render_frame *frame);
/* Detail for the picture, and for a shadow map. */
weft_render_detail weft_frame_detail(const weft_picture *picture,
                                     const weft_render_targets *targets);
weft_render_detail weft_frame_light_detail(const weft_picture *picture,
                                           const weft_render_targets *targets, uint32_t light);
/* log2 of how much thicker than they are the yarns of a picture are drawn, to be seen at all. */
float weft_weave_level(const weft_picture *picture, uint32_t height);
void weft_material_of(const weft_fabric_look *look, float weave_level,
                      weft_render_material *material);

#endif
