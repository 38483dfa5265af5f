/* frame.h: what a renderer tells its shaders, read by C and by GLSL (std140).
 *
 * Radiance is in arbitrary units that the tone curve of present.frag expects: white paper in the
 * open lies near 1. */
#ifndef WEFT_RENDER_FRAME_H
#define WEFT_RENDER_FRAME_H

#ifdef __STDC_VERSION__
#include <shared/weft_shared.h>
typedef struct mat4 {
  float m[16]; /* by columns */
} mat4;
#endif

#define WEFT_RENDER_FRAME_BINDING 1
#define WEFT_RENDER_MATERIAL_BINDING 2
#define WEFT_RENDER_UNIT_SUN 0
#define WEFT_RENDER_UNIT_SKY 1
#define WEFT_RENDER_UNIT_COLOUR 0

#define WEFT_RENDER_SLOT_X 0
#define WEFT_RENDER_SLOT_TRIANGLES 1
#define WEFT_RENDER_SLOT_CORNER_OFFSETS 2
#define WEFT_RENDER_SLOT_CORNER_ITEMS 3
#define WEFT_RENDER_SLOT_NORMALS 4
/* Gathering strands uses the first of them and two of its own. */
#define WEFT_RENDER_SLOT_STRANDS 1
#define WEFT_RENDER_SLOT_ENDS 2

/* Plain uniforms, by location. */
#define WEFT_RENDER_LOCATION_FIRST 0
#define WEFT_RENDER_LOCATION_COUNT 1
#define WEFT_RENDER_LOCATION_LIGHT 2 /* shadow pass: 0 the sun, 1 the sky */
#define WEFT_RENDER_LOCATION_A 3     /* solids: end of the axis, and radius */
#define WEFT_RENDER_LOCATION_B 4
#define WEFT_RENDER_LOCATION_BASIS 5
#define WEFT_RENDER_LOCATION_SCALE 6
#define WEFT_RENDER_LOCATION_HALF 7 /* solids: half size of a box */

#define WEFT_WEAVE_PLAIN_ID 0.0
#define WEFT_WEAVE_TWILL_ID 1.0
#define WEFT_WEAVE_KNIT_ID 2.0

/* One sample of a picture. */
struct weft_render_frame {
  mat4 view_projection;
  mat4 sun_matrix; /* world to shadow map: texture coordinates and depth in 0..1 */
  mat4 sky_matrix;
  vec4 eye;           /* xyz: m */
  vec4 sun;           /* xyz: towards this sample's point of the sun; w: m a shadow texel spans */
  vec4 sun_light;     /* rgb: irradiance across the beam; w: rings of shadow taps */
  vec4 sky;           /* xyz: towards this sample's patch of sky; w as above */
  vec4 sky_light;     /* rgb: radiance times solid angle; w: rings of taps, -1 when not sampled */
  vec4 ambient_above; /* rgb: radiance from all above, when the sky is not sampled; else 0 */
  vec4 ambient_below; /* rgb: radiance that comes up from the floor */
  vec4 floor_light;   /* rgb: 1 / mean irradiance of an open floor; w: height, m */
  vec4 centre;        /* xyz: of the picture; w: its radius, m */
  vec4 backdrop_above;
  vec4 backdrop_below;
  vec4 size; /* xy: pixels; zw: 1 / pixels */
};

/* A surface. */
struct weft_render_material {
  vec4 front; /* rgb: albedo; w: sheen roughness */
  vec4 back;  /* rgb: albedo; w: transmission */
  vec4 sheen; /* rgb; w: 0 */
  vec4 weave; /* x: m from yarn to yarn, 0 for none; y: WEFT_WEAVE_*_ID; z: strength; w: 0 */
};

#endif
