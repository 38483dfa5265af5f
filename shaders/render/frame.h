/* frame.h: the parameters of a renderer's shaders, read by C and by GLSL (std140).
 *
 * Radiance is in the units that the tone curve of present.frag expects: white paper in the open lies
 * near 1. */
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
#define WEFT_RENDER_RANGE_BINDING 3
#define WEFT_RENDER_UNIT_SUN 0
#define WEFT_RENDER_UNIT_SKY 1
#define WEFT_RENDER_UNIT_FLOOR 2 /* quick pictures: what the floor sees of the sky */
#define WEFT_RENDER_UNIT_PRINT 3 /* a picture on the cloth */
#define WEFT_RENDER_UNIT_CORNERS 4 /* by triangle: what turns a rest position into a coordinate */
#define WEFT_RENDER_UNIT_COLOUR 0
#define WEFT_RENDER_SKY_MAPS 8 /* at most in one sample */

#define WEFT_RENDER_SLOT_X 0
#define WEFT_RENDER_SLOT_TRIANGLES 1
#define WEFT_RENDER_SLOT_CORNER_OFFSETS 2
#define WEFT_RENDER_SLOT_CORNER_ITEMS 3
#define WEFT_RENDER_SLOT_NORMALS 4
/* Gathering strands uses the first of them and two of its own. */
#define WEFT_RENDER_SLOT_STRANDS 1
#define WEFT_RENDER_SLOT_ENDS 2
/* Values of view modes: what they are made of and where they go. */
#define WEFT_RENDER_SLOT_VALUES 1
#define WEFT_RENDER_SLOT_OFFSETS 2
#define WEFT_RENDER_SLOT_ITEMS 3
#define WEFT_RENDER_SLOT_LENGTHS 4
#define WEFT_RENDER_SLOT_SUMS 5
#define WEFT_RENDER_SLOT_ANGLES 6
#define WEFT_RENDER_SLOT_TERMS 7
#define WEFT_RENDER_SLOT_V 2
#define WEFT_RENDER_SLOT_POSES 2
#define WEFT_RENDER_SLOT_CONTACTS 3
#define WEFT_RENDER_SLOT_CONTACT_FOUND 4
#define WEFT_RENDER_SLOT_SELF_PAIRS 2
#define WEFT_RENDER_SLOT_SELF_PLANES 3
#define WEFT_RENDER_SLOT_SELF_FRACTIONS 4
#define WEFT_RENDER_SLOT_SELF_COUNTS 5
#define WEFT_RENDER_SLOT_SELF_TRIANGLES 2
#define WEFT_RENDER_SLOT_PEAK 2
#define WEFT_RENDER_SLOT_BINS 5
#define WEFT_RENDER_SLOT_RANGE 3
#define WEFT_RENDER_SLOT_MARKS 4
#define WEFT_RENDER_SLOT_INSTANCES 5
#define WEFT_RENDER_SLOT_STRAND_VALUES 6
#define WEFT_RENDER_SLOT_SEGMENTS 1
#define WEFT_RENDER_SLOT_TRAILS 1
#define WEFT_RENDER_SLOT_RING 2
#define WEFT_RENDER_SLOT_RIBBONS 1
#define WEFT_RENDER_SLOT_PINS 1

/* Plain uniforms, by location. */
#define WEFT_RENDER_LOCATION_FIRST 0
#define WEFT_RENDER_LOCATION_COUNT 1
#define WEFT_RENDER_LOCATION_LIGHT 2 /* shadow pass: 0 the sun, from 1 on the sky */
#define WEFT_RENDER_LOCATION_A 3     /* solids: end of the axis, and radius */
#define WEFT_RENDER_LOCATION_B 4
#define WEFT_RENDER_LOCATION_BASIS 5
#define WEFT_RENDER_LOCATION_SCALE 6
#define WEFT_RENDER_LOCATION_HALF 7 /* solids: half size of a box */
#define WEFT_RENDER_LOCATION_ORIGIN 9 /* what the solver counts its positions from */
/* View modes. */
#define WEFT_RENDER_LOCATION_PAINT 8    /* WEFT_PAINT_ */
#define WEFT_RENDER_LOCATION_MARGIN 2   /* contacts: m that still count as touching */
#define WEFT_RENDER_LOCATION_DISTANCE 3 /* m at which two particles touch, 0 for never */
#define WEFT_RENDER_LOCATION_POSES 4    /* how many */
#define WEFT_RENDER_LOCATION_TANGLED 2  /* tangled: triangles of self-collision, 0 where it is off */
#define WEFT_RENDER_LOCATION_BASES 2    /* energy: where the terms of each type begin */
#define WEFT_RENDER_LOCATION_GIVEN 2    /* range: the largest value shown, 0 for automatic */
#define WEFT_RENDER_LOCATION_UNIT 3     /* shown per computed */
#define WEFT_RENDER_LOCATION_NONE 4     /* shown when all values are 0 */
#define WEFT_RENDER_LOCATION_MAX 6     /* shown at most */
#define WEFT_RENDER_LOCATION_USUAL 7   /* 1: to the 99th percentile, not the largest */
#define WEFT_RENDER_LOCATION_LABELS 5   /* x, y, width, height of the row of numbers */
#define WEFT_RENDER_LOCATION_SCREEN 2   /* legend: left, top and pixels per unit; pixels of the */
#define WEFT_RENDER_LOCATION_SIZE 3     /* picture */
#define WEFT_RENDER_LOCATION_WIDTH 2    /* segments: half of it, m; part left out at an end, lift */
#define WEFT_RENDER_LOCATION_PIN 2      /* pins: half size of one and of the ring, pixels; metres */
                                        /* that one spans at most; strength of the colour */

#define WEFT_RENDER_LOCATION_ROW 2      /* trails: first entry of the ring's row to write */
#define WEFT_RENDER_LOCATION_RING 2     /* trails, rows, newest row, rows that are filled */

/* How a value becomes a colour. */
#define WEFT_PAINT_SEQUENTIAL 0u
#define WEFT_PAINT_PULLED 1u /* from near white to red */
#define WEFT_PAINT_CONTACTS 2u
#define WEFT_PAINT_NORMALS 3u
#define WEFT_PAINT_ROOT 4u /* sequential; even steps of the root */
#define WEFT_PAINT_GAPS 5u /* sequential; what was cut and what is 1 have colours of their own */
#define WEFT_PAINT_PUSHED 6u /* from near white to blue */
#define WEFT_PAINT_TANGLED 7u /* what is 1 at all corners */
#define WEFT_NO_VALUE -1e30 /* of a particle that has nothing to measure, and of a prop */

/* Values are counted by the upper bits of a float: 32 bins an octave. */
#define WEFT_VIEW_BIN_SHIFT 18
#define WEFT_VIEW_BINS 8192u

/* Lists of constraints at a particle: an index below two bits of sense (strain) or of how it is
 * measured (column `view` of constraints.def). */
#define WEFT_ITEM_SHIFT 30u
#define WEFT_ITEM_INDEX 0x3fffffffu
#define WEFT_ITEM_LENGTH 0u
#define WEFT_ITEM_SUM 1u
#define WEFT_ITEM_ANGLE 2u

/* sRGB of what has no gradient. */
#define WEFT_RGB_PLAIN 0xb4b8bfu
#define WEFT_RGB_COLLIDER 0xe8702au
#define WEFT_RGB_PARTICLE 0x2f7fe0u
#define WEFT_RGB_BOTH 0x8e2a9cu
#define WEFT_RGB_CUT 0xe0301eu
#define WEFT_RGB_GHOST 0x14181eu

/* Marks at particles. The ring is the one around the picked particle. */
#define WEFT_RGB_PIN 0xffffffu
#define WEFT_RGB_RING 0xffb02au
#define WEFT_RGB_RIM 0x20242cu
#define WEFT_PIN_PICKED 0x80000000u /* over the particle's index */

/* What a legend is made of. */
#define WEFT_MARK_NONE 0u
#define WEFT_MARK_PANEL 1u
#define WEFT_MARK_FLAT 2u
#define WEFT_MARK_BAR 3u
#define WEFT_MARK_GLYPH 4u
#define WEFT_GLYPH_COLUMNS 5 /* as text.h has them, in the order of ASCII from the blank on */
#define WEFT_GLYPH_ROWS 9
#define WEFT_GLYPH_ZERO 16u
#define WEFT_GLYPH_POINT 14u
#define WEFT_GLYPH_MINUS 13u
#define WEFT_GLYPH_E 69u
#define WEFT_LEGEND_LABELS 5u     /* numbers under a bar */
#define WEFT_LEGEND_LABEL_SIZE 10u /* glyphs of one */

#define WEFT_WEAVE_PLAIN_ID 0.0
#define WEFT_WEAVE_TWILL_ID 1.0
#define WEFT_WEAVE_KNIT_ID 2.0

#define WEFT_PRINT_NONE_ID 0.0
#define WEFT_PRINT_STRIPES_ID 1.0
#define WEFT_PRINT_CHECK_ID 2.0
#define WEFT_PRINT_DOTS_ID 3.0

/* One sample of a picture. Light is in units in which white paper on open ground, level, is about 1:
 * irradiance is given divided by pi. */
struct weft_render_frame {
  mat4 view_projection;
  mat4 sun_matrix; /* world to shadow map: texture coordinates and depth in 0..1 */
  mat4 sky_matrix[WEFT_RENDER_SKY_MAPS];
  vec4 eye;       /* xyz: m; w: lift of the cloth before solids, m */
  vec4 sun;       /* xyz: towards this sample's part of the sun; w: m a shadow texel spans */
  vec4 sun_light; /* rgb: irradiance across the beam; w: tangent of half the part's width */
  vec4 sky[WEFT_RENDER_SKY_MAPS]; /* xyz: towards patches of sky; w: m a texel spans */
  vec4 sky_shape;    /* patches; tangent of half the width of one */
  vec4 sky_light[9]; /* rgb: irradiance by the direction of a surface, in spherical harmonics */
  vec4 bounce;       /* rgb: radiance that comes up from the ground */
  vec4 taps;         /* of the sun: reads for what is in the way, and for how much; of a patch */
  vec4 ground;       /* rgb: albedo; w: height, m */
  vec4 floor;        /* x: m from joint to joint; y: m over which it fades; z: of the quick map */
  vec4 centre;       /* xyz: of the picture; w: its radius, m */
  vec4 zenith;       /* rgb: radiance of the sky; w: number of the sample, for its noise */
  vec4 horizon;
  vec4 glow;       /* rgb: around the sun */
  vec4 ray[3];     /* xyz: from the eye to the lower left corner; from there to the right; up */
  vec4 true_sun;   /* xyz: its middle */
  vec4 size;       /* xy: pixels; zw: 1 / pixels */
  vec4 origin;     /* xyz: what the solver counts its positions from */
};

/* Values from low to high have colours. */
struct weft_render_range {
  float low;
  float high;
  uint paint;
  float unused_1;
};

/* A rectangle of a legend. Units of its font's dots, y down from the panel's upper left corner. */
struct weft_render_mark {
  vec4 box;   /* left, top, width, height */
  uvec4 what; /* WEFT_MARK_; 0xRRGGBB or glyph */
};

/* A line of a constraint, between two of its particles. */
struct weft_render_segment {
  uint from; /* particles */
  uint to;
  uint unused;
  uint rgb; /* 0xRRGGBB */
};

/* A surface. */
struct weft_render_material {
  vec4 front; /* rgb: albedo; w: sheen roughness */
  vec4 back;  /* rgb: albedo; w: transmission */
  vec4 sheen; /* rgb; w: of gloss, what is reflected square on */
  vec4 weave; /* x: m from yarn to yarn, 0 for none; y: WEFT_WEAVE_*_ID; z: strength;
                 w: log2 of how much thicker yarns are drawn */
  vec4 ink;   /* rgb: of the print; w: WEFT_PRINT_*_ID */
  vec4 print; /* x: m a repeat spans; y: part of it that is inked; z: 1 with a picture; w: 0 */
  vec4 gloss; /* roughness across the warp, along it */
};

#endif
