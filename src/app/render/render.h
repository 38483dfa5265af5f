/* render.h: pictures of a cloth without a window, drawn from the solver's own position buffer.
 *
 * A picture is the mean of a few. Each has its own offset inside the pixel and stands for its own
 * part of the sun's disc and its own patches of sky, whose shadows are as blurred as they are wide:
 * so the parts of four join as well as those of many. Light is that of a computed sky and its sun,
 * the same for every number of samples and in quick pictures. */
#ifndef WEFT_RENDER_H
#define WEFT_RENDER_H

#include <weft/mesh.h>
#include <weft/solver.h>

#include "gl.h"
#include "solver_gl.h"

typedef struct weft_colour {
  float r, g, b; /* linear sRGB, 0..1 */
} weft_colour;

/* "#c81e3a", "c81e3a", or the name of a fabric of weft_material_find; WEFT_ERROR_ARGUMENT else. */
weft_result weft_colour_parse(const char *text, weft_colour *colour, weft_error *err);

typedef enum weft_weave {
  WEFT_WEAVE_PLAIN = 0, /* over one, under one */
  WEFT_WEAVE_TWILL,     /* over two, each row a step on: the diagonal of denim */
  WEFT_WEAVE_KNIT,      /* columns of loops */
} weft_weave;

typedef enum weft_print {
  WEFT_PRINT_NONE = 0,
  WEFT_PRINT_STRIPES, /* along the weft */
  WEFT_PRINT_CHECK,   /* stripes both ways, darkest where they cross */
  WEFT_PRINT_DOTS,
} weft_print;

/* What a fabric looks like. */
typedef struct weft_fabric_look {
  weft_colour front, back;
  weft_colour sheen;     /* colour and strength of the fuzz that glows at grazing angles */
  float sheen_roughness; /* 0..1 */
  float transmission;    /* part of the diffuse light that comes through, 0..1 */
  weft_weave weave;
  float yarn;      /* metres from yarn to yarn; 0 for none */
  float gloss;     /* part of light that is mirrored, square on; 0 for none */
  float roughness; /* of that mirror across the warp, 0..1; half as much along it */
  weft_print print;
  weft_colour ink;
  float repeat, inked; /* metres a repeat spans, and the part of it that is inked */
} weft_fabric_look;

/* The look of a fabric of weft_material_find, or of clothes that scenes wear, by its name; a
 * neutral one for unknown names and NULL. */
weft_fabric_look weft_fabric_look_of(const char *name);
/* Same cloth, other dye. */
void weft_fabric_dye(weft_fabric_look *look, weft_colour colour);

/* A camera on a sphere around what it looks at. */
typedef struct weft_camera {
  weft_vec3 target; /* metres */
  float yaw, pitch; /* radians: 0, 0 looks along -z; pitch lifts the camera above the horizon */
  float distance;   /* metres from target */
  float fov;        /* radians, vertical. Default 0.45 */
} weft_camera;

/* The camera from which a ball around `centre` just fills the shorter side of the picture. */
weft_camera weft_camera_around(weft_vec3 centre, float radius, float yaw, float pitch,
                               uint32_t width, uint32_t height);

typedef enum weft_view_mode {
  WEFT_VIEW_SHADED = 0,
  WEFT_VIEW_WIRE, /* shaded, with the mesh drawn over it */
  /* These show values of the solver, read in place; each has a legend in the picture. */
  WEFT_VIEW_STRAIN,      /* of the most stretched edge or link at each particle, percent */
  WEFT_VIEW_COMPRESSION, /* of the most compressed one, percent */
  WEFT_VIEW_COLOURS,     /* constraints as lines, each batch of the graph colouring its colour */
  WEFT_VIEW_BENDING,     /* energy of the bending constraints at each particle, mJ/m^2; mJ for
                            particles without triangles */
  WEFT_VIEW_BEND_ANGLE,  /* largest angle of a hinge at each particle away from rest, degrees */
  WEFT_VIEW_VELOCITY,    /* speed, m/s */
  WEFT_VIEW_CONTACTS,    /* particles that touch a collider or a body, or each other */
  WEFT_VIEW_GAPS,        /* smallest gap of the pairs of self-collision at each particle, by the
                            thickness; those whose motion was cut short */
  WEFT_VIEW_TANGLED,     /* triangles that intersect others at the start, and are not kept apart */
  WEFT_VIEW_NORMALS,     /* vertex normals as colours: red +x, green +y, blue +z */
  WEFT_VIEW_MODE_COUNT
} weft_view_mode;

/* "shaded", "wire", "strain", "compression", "colours", "bending", "bend-angle", "velocity",
 * "contacts", "gaps", "tangled", "normals". */
const char *weft_view_name(weft_view_mode mode);
/* WEFT_ERROR_ARGUMENT, with all names, for any other text. */
weft_result weft_view_parse(const char *text, weft_view_mode *mode, weft_error *err);

/* The batches of a model, counted through its groups in their order: what `one_batch` shows. */
uint32_t weft_view_batch_count(const weft_model *model);

enum {
  WEFT_MAX_PICTURE_SIDE = 16384,
  WEFT_MAX_PICTURE_PIXELS = 33554432, /* 8K: about 2 GB of GPU memory while drawing */
  WEFT_MAX_RENDER_SAMPLES = 4096,
};

/* A ball at a particle, or a round rod with round ends between two. */
#define WEFT_STRAND_DYE 0xff000000u /* the colour of the picture's look */
typedef struct weft_strand {
  uint32_t a, b;   /* particles; twice the same: a ball */
  float radius;    /* metres */
  uint32_t colour; /* 0xRRGGBB, or WEFT_STRAND_DYE */
} weft_strand;

/* A picture to print on cloth: RGBA, 8 bits, sRGB, rows from top to bottom. */
typedef struct weft_texture {
  uint32_t width, height;
  uint8_t *pixels; /* [4*width*height]; freed with weft_free */
} weft_texture;
/* WEFT_ERROR_FILE for what cannot be read; WEFT_ERROR_FORMAT for what is no PNG. */
weft_result weft_texture_read_png(const char *path, weft_texture *texture, weft_error *err);

/* A rod that stands still and is no collider: a wire, a rail. */
typedef struct weft_prop {
  weft_vec3 a, b;
  float radius;
  uint32_t colour;
} weft_prop;

/* Zero-initialise; 0 means the default where one is named. */
typedef struct weft_renderer_desc {
  uint32_t width, height; /* pixels. Default 1280 x 720 */
  uint32_t samples;       /* pictures averaged. Default 64 */
  uint32_t multisamples;  /* within each: 1, 2, 4 or 8. Default 4; less when the driver has less */
  uint32_t shadow_size;   /* texels along the sun's shadow map; the sky's has half. Default 2048;
                             quick: 1024 */
  bool thin;              /* quick: a grid of 128 rows or more is drawn with every second, third ...
                             row and column: about 64 */
  bool soft_edges;        /* blends stairs at edges, after drawing: cheaper than multisamples */
  bool quick; /* for drivers that draw on processors: one sample, round shapes of as many triangles
                 as can be seen, smaller shadow maps and a simpler filter. It looks almost the same
               */
  /* The cloth; copied. */
  uint32_t particle_count, triangle_count;
  const uint32_t *triangles;        /* [3*triangle_count] */
  uint32_t grid_rows, grid_columns; /* of a mesh of rectangles; 0: it is none */
  const weft_vec3 *rest_positions;  /* [particle_count]: where the weave lies */
  const weft_strand *strands; /* [strand_count]: what is drawn of particles without triangles */
  uint32_t strand_count;
  const weft_prop *props;
  uint32_t prop_count;
  const weft_body *bodies; /* [body_count] whose vertices are behind the particles of the cloth */
  uint32_t body_count;
  const weft_mesh *figure;     /* closed, drawn in place of colliders; copied. NULL: none */
  const weft_texture *texture; /* printed on the cloth by corner_uvs; NULL: nothing */
  const float *corner_uvs;     /* [6*triangle_count] u, v of each corner, v upwards */
} weft_renderer_desc;

/* ---- what is drawn beside a scene; made once, outlives renderers, of the same context ---- */

/* Where a particle has been. */
typedef struct weft_trail {
  uint32_t particle;
  float radius;    /* m, half the width of its newest end */
  uint32_t colour; /* 0xRRGGBB */
  uint32_t unused;
} weft_trail;

/* The last `points` recorded positions of some particles, kept on the GPU. */
typedef struct weft_trails weft_trails;
weft_result weft_trails_create(weft_gl *gl, const weft_trail *trails, uint32_t count,
                               uint32_t points, weft_trails **out, weft_error *err);
void weft_trails_destroy(weft_trails *trails); /* NULL is allowed */
/* Positions as in weft_picture. Waits for nothing. */
void weft_trails_record(weft_trails *trails, const weft_gl_view *positions, weft_vec3 origin);
void weft_trails_forget(weft_trails *trails);
/* The recorded points of a trail, oldest first, at most `points`; their number. A read-back, for
 * tests.
 */
uint32_t weft_trails_read(const weft_trails *trails, uint32_t trail, weft_vec3 *positions);

/* The strands of a renderer once more, translucent, where the host says: theory beside the run. */
typedef struct weft_ghost weft_ghost;
/* Of desc only particle_count and strands count; copied. */
weft_result weft_ghost_create(weft_gl *gl, const weft_renderer_desc *desc, weft_ghost **out,
                              weft_error *err);
void weft_ghost_destroy(weft_ghost *ghost); /* NULL is allowed */
/* [particle_count], m. */
void weft_ghost_place(weft_ghost *ghost, const weft_vec3 *positions);

/* What to draw; zero-initialise. */
typedef struct weft_picture {
  weft_gl_view positions; /* vec4 [particle_count] in a GL buffer; read in place */
  weft_vec3 origin;       /* m: what these are counted from, weft_solver_origin. Default 0 */
  weft_fabric_look look;
  weft_camera camera;
  weft_vec3 centre;         /* shadows are cast by and onto what is within `radius` of it */
  float radius;             /* metres; required */
  float sun_yaw, sun_pitch; /* radians, where the sun stands, as for the camera */
  bool sun_set;             /* false: over the camera's left shoulder */
  weft_view_mode mode;
  /* Required by the modes from strain to tangled: whose tables are read, on the GPU and without
   * writing. It must be of the renderer's cloth and own `positions`. */
  const weft_solver *solver;
  float view_range; /* largest value of the legend, in its unit. Default: by this picture */
  bool one_batch;   /* colours: only `batch`, instead of all that hold lengths */
  uint32_t batch;   /* below weft_view_batch_count */
  bool no_legend;
  const weft_trails *trails; /* NULL: none */
  const weft_ghost *ghost;   /* NULL: none; else a legend says which is which */
  double ghost_distance;     /* m from the solid ones, for that legend; negative: not known */
  bool pins;                 /* a mark at each pinned particle; requires `solver` */
  bool one_particle;         /* a ring around `particle`; requires `solver` */
  uint32_t particle;
  const weft_collider *colliders; /* tilted planes as discs */
  uint32_t collider_count;
  uint64_t hidden;                   /* a bit for each collider that is not drawn */
  uint64_t hidden_bodies;            /* and for each body */
  const weft_vec3 *figure_positions; /* [vertex_count of the body] m; NULL: it is not drawn */
  double time;                       /* seconds: where moving colliders are */
  bool ground;                       /* tiles, into the haze of the horizon */
  float ground_height;               /* metres */
} weft_picture;

typedef struct weft_renderer weft_renderer;

weft_result weft_renderer_create(weft_gl *gl, const weft_renderer_desc *desc,
                                 weft_renderer **renderer, weft_error *err);
void weft_renderer_destroy(weft_renderer *renderer); /* NULL is allowed */
/* Pictures of another size and kind from now on: width, height, multisamples, soft_edges and thin
 * of `desc`. Compiles nothing; after a failure the renderer is as it was. */
weft_result weft_renderer_resize(weft_renderer *renderer, const weft_renderer_desc *desc,
                                 weft_error *err);

/* Draws the picture into the renderer's own frame buffer, which holds sRGB-encoded bytes. */
weft_result weft_renderer_draw(weft_renderer *renderer, const weft_picture *picture,
                               weft_error *err);

/* The frame buffer of the last picture (top row last, as GL has it), for showing in a window. */
GLuint weft_renderer_framebuffer(const weft_renderer *renderer);

/* The legend of the last picture, which was drawn without, into a window that shows it from `left`
 * on: in letters of the window's size, whatever the picture's. */
void weft_renderer_draw_legend(const weft_renderer *renderer, const weft_picture *picture, int left,
                               int width, int height);

/* The vertex normals of the last picture: vec4 [particle_count], w 0. */
const weft_gl_buffer *weft_renderer_normals(const weft_renderer *renderer);

/* Rows from top to bottom, RGB, 8 bits, sRGB. */
typedef struct weft_image {
  uint32_t width, height;
  uint8_t *pixels; /* [3*width*height]; freed with weft_free */
} weft_image;
weft_result weft_renderer_read(weft_renderer *renderer, weft_image *image, weft_error *err);

/* Writes a PNG under a temporary name and renames it when all of it is on disk. */
weft_result weft_image_write_png(const weft_image *image, const char *path, weft_error *err);

/* Where a collider is at a time, as the solver has it. Planes: b is the unit normal. */
void weft_collider_at(const weft_collider *collider, double time, weft_vec3 *a, weft_vec3 *b);

#endif
