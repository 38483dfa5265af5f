/* weft_shared.h: the one definition of what host and shaders exchange, read by C and by GLSL.
 *
 * Structs hold 4-byte scalars, 16-byte vectors, and vectors of three that begin at a multiple of 16 bytes and have a scalar behind them,
 * so that C, std430 and (for weft_uniforms) std140 agree on every offset; the layout test compares with the driver. */
#ifndef WEFT_SHARED_H
#define WEFT_SHARED_H

#ifdef __STDC_VERSION__
#include <stdbool.h>
#include <stdint.h>
#include <weft/types.h>
#define WEFT_SHARED_FUNCTION static inline
typedef uint32_t uint;
typedef struct vec4 {
  float x, y, z, w;
} vec4;
typedef struct uvec4 {
  uint x, y, z, w;
} uvec4;
typedef struct weft_uvec3 {
  uint x, y, z;
} weft_uvec3;
#else
#define WEFT_SHARED_FUNCTION
#define weft_vec3 vec3
#define weft_uvec3 uvec3
#endif

/* Invocations per work group: 32, 64 or 128. */
#ifndef WEFT_GROUP_SIZE
#define WEFT_GROUP_SIZE 64
#endif

/* Bindings of the uniform blocks: what holds for a frame, the pass that runs, the substep it runs in. */
#define WEFT_UNIFORM_BINDING 0
#define WEFT_PASS_BINDING 1
#define WEFT_SUBSTEP_BINDING 2
#define WEFT_SINGLE_BINDING 3 /* the table of `single`, if it fits the block size that GL promises */
#define WEFT_SINGLE_UNIFORM_STEPS 170

/* Levels: what a step of level_small does; invocations of its one work group. */
#define WEFT_LEVEL_RESTRICT 0u
#define WEFT_LEVEL_PROJECT 1u
#define WEFT_LEVEL_PROLONG 2u
#define WEFT_LEVEL_GROUP 256
#define WEFT_NO_PARENT 0xffffffffu

/* Patches: invocations of the work group that sweeps one, and the most particles of one. patch_words holds a header for each patch, then their
 * ranges and lists of particles: see passes/patch.h. */
#define WEFT_PATCH_GROUP 256
#define WEFT_PATCH_PARTICLES 1024u
#define WEFT_PATCH_HEADER 4u
/* Steps of `single` that a frame can skip: moving pins where none moves, the grab where nothing is held. */
#define WEFT_GATE_PINS 1u
#define WEFT_GATE_GRAB 2u

/* What solver/take.comp takes: positions of a body, targets of pins; or it ends the paths of a frame. */
#define WEFT_TAKE_BODY 0u
#define WEFT_TAKE_PINS 1u
#define WEFT_TAKE_OVER 2u
/* Lines: invocations of a work group, the most edges in its memory, and 1 + 2^-18: the factor that keeps the system of a stiff line drawn straight
 * between two pins from being singular. */
#define WEFT_LINE_GROUP 256
#define WEFT_LINE_ROOM 1024
#define WEFT_LINE_FIRM 1.000003814697265625

/* When a distance constraint acts; the values of weft_sense. */
#define WEFT_ACTS_ALWAYS 0u
#define WEFT_ACTS_STRETCHED 1u
#define WEFT_ACTS_COMPRESSED 2u

/* An unused attachment of a particle. */
#define WEFT_NO_ANCHOR 0xffffffffu
/* The most particles that one grab holds: a work group's worth. An unused entry. */
#define WEFT_GRAB_ELEMENTS 64u
#define WEFT_GRAB_NONE 0xffffffffu
#define WEFT_SOFT_NONE 0xFFFFFFFFu /* in place of a particle: no soft pin */
/* A pick that hit nothing. */
#define WEFT_PICK_NONE 0xffffffffu
/* Contact between particles. Cells are counted from the origin; beyond the limit (a power of two, and the same as a float) all are in the
 * outermost one. A bucket with more than the most particles takes no part in contact: 27 buckets must stay below 60,000 iterations of a loop,
 * since drivers begin to cut loops off silently. The last is the most neighbours of a particle. */
#define WEFT_GRID_BLOCK 64u
#define WEFT_GRID_TOP 0xFFFFFFFFu /* in place of an index: no level above */
#define WEFT_GRID_REACH 1048576.0
#define WEFT_GRID_MAX 2048u
#define WEFT_CONTACT_SLOTS 16u
#define WEFT_CONTACT_NONE 0xFFFFFFFFu    /* ends a list that is not full */
#define WEFT_CONTACT_CROWDED 0x80000000u /* a neighbouring bucket was overfull */

/* Self-collision. Children of a node of the tree; most nodes that a traversal visits, as drivers cut loops off silently at 65,535; detections and
 * rounds of truncation in a contact step; a step fraction of 1 as an integer, so that the minimum of many does not depend on their order; in place
 * of a step fraction: the particle was to move, and did not; metres as an integer, likewise for sums. */
#define WEFT_SELF_FAN 8u
#define WEFT_SELF_WALK 32768u
#define WEFT_SELF_DETECTIONS 4u
#define WEFT_SELF_ROUNDS 4u
#define WEFT_SELF_WHOLE 16777216u
#define WEFT_SELF_STOOD 0xffffffffu
#define WEFT_SELF_METRE 1073741824.0
/* Of a triangle: bits 0 to 2, corners that no earlier triangle owns; 3 to 5, edges likewise, each from the corner of that number to the next; it
 * intersects others in the first state; it is of a body. Two triangles that share one of the last two bits are no pair. */
#define WEFT_SELF_TANGLED 64u
#define WEFT_SELF_BODY 128u
#define WEFT_SELF_UNPARTED 192u
/* A padding slot without a triangle; from this bit on: the number of the connected piece. */
#define WEFT_SELF_EMPTY 256u
#define WEFT_SELF_PIECE 9u
/* Triangles of a patch. */
#define WEFT_SELF_PATCH 64u
/* The triangles around a particle: no fan, or more than WEFT_SELF_FAN_MOST; a closed fan; an open one at a border. A triangle of a fan is 4 *
 * triangle + which of its corners the particle is. */
#define WEFT_SELF_FAN_NONE 0u
#define WEFT_SELF_FAN_CLOSED 1u
#define WEFT_SELF_FAN_OPEN 2u
#define WEFT_SELF_FAN_MOST 16u
/* What a certificate needs: the least eigenvalue, rounding included; the largest norm of a gradient. */
#define WEFT_SELF_MONOTONE 0.15
/* What a pair is used for. */
#define WEFT_SELF_LIMITS 1u
#define WEFT_SELF_PUSHES 2u
#define WEFT_SELF_UNCERTAIN 4u
/* Layout of self_counts, for each instance of a joined model; after these, for all instances together, lengths of lists and the number of patches
 * to redetect. Flags: a list overflowed; a traversal was too long. */
#define WEFT_SELF_AT_CANDIDATES 0u /* of each detection */
#define WEFT_SELF_AT_PAIRS 4u
#define WEFT_SELF_AT_REDETECT 5u /* after each detection but the last */
#define WEFT_SELF_AT_FLAGS 8u
#define WEFT_SELF_AT_CHANGED 9u /* by each round of each detection */
#define WEFT_SELF_AT_PATCH_PAIRS 25u  /* pairs of patches, of each detection */
#define WEFT_SELF_AT_TRIANGLE_PAIRS 29u  /* pairs of triangles, of each detection */
#define WEFT_SELF_AT_UNCERTIFIED 33u  /* stars */
#define WEFT_SELF_AT_SUMS 34u   /* from here on: of a frame */
#define WEFT_SELF_AT_PAIR_SUM 34u
#define WEFT_SELF_AT_LIMITED 35u
#define WEFT_SELF_AT_UNCERTAIN 36u
#define WEFT_SELF_AT_DETECTIONS 37u
#define WEFT_SELF_AT_REJECTED_STEPS 38u
#define WEFT_SELF_AT_OVERFLOWS 39u
#define WEFT_SELF_AT_OVERRIDDEN 40u
#define WEFT_SELF_AT_CANDIDATE_SUM 41u
#define WEFT_SELF_AT_SHORT 42u /* flags of all detections but the last */
#define WEFT_SELF_AT_STOOD 43u
/* Rejected steps in a row: up to the last contact step, and with this one. */
#define WEFT_SELF_AT_REJECTED 44u
#define WEFT_SELF_AT_REJECTED_NOW 45u
#define WEFT_SELF_COUNTS 46u
#define WEFT_SELF_PATIENCE 4u /* up to so many rejected steps in a row leave velocities unchanged */
#define WEFT_SELF_OVERFLOW 1u
#define WEFT_SELF_LONG_WALK 2u
/* Dispatch arguments in self_dispatch_args: work groups in x, y and z, and in w the end of the elements. All but the first are of the current
 * detection, and 0 if it is idle. Invocations of a group; groups in a row, as many as GL promises; most levels of a tree. */
#define WEFT_SELF_SIZE_PAIRS 0u
#define WEFT_SELF_SIZE_LIMITED 1u /* pairs that truncate */
#define WEFT_SELF_SIZE_CACHE 2u
#define WEFT_SELF_SIZE_CANDIDATES 3u
#define WEFT_SELF_SIZE_TRIANGLE_PAIRS 4u /* feature pairs of pairs of triangles */
#define WEFT_SELF_SIZE_PATCH_PAIRS 5u /* pairs of patches: a group each */
#define WEFT_SELF_SIZE_UNCERTIFIED 6u
#define WEFT_SELF_SIZE_ENTRIES 7u /* entries of self_dispatch_args */
#define WEFT_SELF_SIZE_PARTICLES 8u
#define WEFT_SELF_SIZE_PATCHES 9u /* a group each */
#define WEFT_SELF_SIZE_LEVELS 10u /* of the tree, from patches up to the root */
#define WEFT_SELF_SIZES 18u
/* Feature pairs of two triangles: a vertex of the first and the second, a vertex of the second and the first, edges; padded to 16. */
#define WEFT_SELF_FEATURES 16u
#define WEFT_SELF_GROUP 64u
#define WEFT_SELF_ROW 65535u

/* Elements summed by one invocation in a level of a summation tree. */
#define WEFT_FAN 64u
/* Of the trace of an inertia tensor: an axis with less than this fraction (2^-20) counts as having none. */
#define WEFT_MIN_INERTIA 9.5367431640625e-07

/* Drivers differ on subnormals, so small values become 0 first. Powers of two: the same number in C and GLSL.
 * 2^-40: components of velocities, and of positions once a substep.
 * 2^-60: components of every position written, and lengths before they are squared.
 * 2^-100: multipliers, before they are multiplied again. */
#define WEFT_SNAP 9.094947017729282e-13
#define WEFT_FLUSH 8.673617379884035e-19
#define WEFT_TRIM 7.888609052210118e-31
#define WEFT_SNAP_BITS 0x2b800000u
#define WEFT_FLUSH_BITS 0x21800000u
#define WEFT_TRIM_BITS 0x0d800000u
/* A direction is undefined below this fraction (2^-20) of the rest length; its square. */
#define WEFT_MIN_LENGTH_RATIO2 9.094947017729282e-13
/* 2^120: a larger denominator has no reciprocal in float, and its gradient is meaningless. */
#define WEFT_LARGEST 1.329227995784916e36

/* In which substeps a pass runs: all; the first of a frame; the first, the last of a contact step; all but the last. */
#define WEFT_WHEN_ALWAYS 0u
#define WEFT_WHEN_FRAME_BEGINS 1u
#define WEFT_WHEN_STEP_BEGINS 2u
#define WEFT_WHEN_STEP_ENDS 3u
#define WEFT_WHEN_STEP_GOES_ON 4u

/* A pass: its kind and its elements. A substep is a list of these; a shader gets the one that runs as a uniform block (std140). Fields that a kind
 * does not use are 0. */
struct weft_pass {
  uint kind;            /* weft_pass_kind */
  uint variant;         /* WEFT_VARIANT_ bits */
  uint first;           /* element of the bound range that invocation 0 works on */
  uint count;           /* elements */
  uint first_iteration; /* projections: 1 where multipliers start at 0 */
  uint acts;            /* project_distance: WEFT_ACTS_ of the batch */
  uint group;           /* of constraints, for messages */
  uint batch;           /* for messages: the colour, sweep, dispatch or level that this pass is */
  uint delta_first;     /* Jacobi: slot of the first correction of element `first` */
  uint gather_first;    /* jacobi_apply: where the group's offsets begin */
  uint quad_first;      /* patch: number of pairs; multipliers and terms of quads follow those of pairs */
  uint steps;           /* level_small: steps to run from `first` on; project_lines: the most of a bundle */
  uint level_first;     /* trees: first element of this level */
  uint below_first;     /* trees: first element of the level below */
  uint above_first;     /* grid: first element of the level above, or WEFT_GRID_TOP */
  uint tree_elements;   /* global damping: elements of each of its two trees */
  uint detection;            /* self-collision: the detection, from 0 */
  uint round;           /* self-collision: the round of truncation */
  uint when;            /* WEFT_WHEN_: in which substeps it runs */
  uint substeps;        /* substeps of a frame, if the pass depends on longer steps */
  uint long_steps;      /* how many longer steps a frame has: contact steps, steps of the air */
  uint counted;         /* 1 + entry of self_dispatch_args with the number of elements, at most `count`; 0: there are `count` */
  uint unused_1;        /* padding */
  uint unused_2;
};

/* What `single` runs: the first steps of its table, over some substeps (the uniform block of a pass, std140). */
struct weft_single_run_args {
  uint steps;
  uint skip; /* WEFT_GATE_ bits of skipped steps */
  uint substeps;
  uint unused_1;
};

/* Parameters that hold for a whole frame (uniform block, std140). */
struct weft_uniforms {
  vec4 gravity_step; /* xyz: gravity * dt, m/s */
  float dt;          /* s, of a substep */
  float inv_dt;      /* 1/s */
  float keep;        /* factor of damping in a substep */
  float drag;        /* kg/m^3: half air density times drag coefficient */
  float skin;        /* kg/m^3: half air density times skin friction coefficient */
  float third;       /* 1/3 */
  uint collider_count;
  uint particle_count;
  float inv_total_mass; /* 1/kg, of all unpinned particles together */
  float global_damping; /* fraction of non-rigid motion lost per substep */
  /* Contact between particles; 0 when there is none. */
  float inverse_cell;       /* 1/m, inverse of a cell's edge */
  float contact_reach2;     /* m^2: squared search radius of neighbours */
  float contact_distance;   /* m: twice the radius */
  float contact_relaxation; /* omega */
  float contact_static;     /* mu_s */
  float contact_dynamic;    /* mu_k */
  uint grid_mask;           /* buckets - 1, a power of two less one */
  /* Self-collision; counts are those of one instance of a joined model. */
  uint self_triangles;
  uint self_candidates; /* capacity for candidate pairs and for contact pairs */
  uint self_pairs;
  uint self_nodes; /* of the tree */
  uint self_particles; /* with those of bodies, which begin at particle_count */
  uint self_parts;    /* instances; 1 if not joined */
  float self_static;  /* mu_s */
  float self_dynamic; /* mu_k */
  float self_escape;  /* m: fastest separation of a pair in a substep */
  uint self_top;      /* level of the root; patches are level 0 */
  uint self_patches;
  uint self_meets; /* capacity for pairs of patches and of triangles */
  uint self_close;
  float self_extrapolate;  /* most substeps of a contact step */
  float self_inv_dt; /* 1/s: contact steps a second */
  float self_beyond; /* times the repulsion distance: nearer pairs are listed; 1 if every substep detects */
  uint shape_first;  /* first particle of bodies inside shapes */
  uint poses_before; /* index of the colliders' poses at the start of the frame */
  uint self_cloth;   /* cloth particles among self_particles */
};

/* What changes from substep to substep. */
struct weft_substep {
  weft_vec3 wind; /* m/s */
  float way; /* fraction of the frame that pins have moved, 0..1 */
  float air_dt; /* s: how long the air acts from now on; 0 in the middle of its step */
  uint unused_1; /* padding */
  uint unused_2;
  uint unused_3;
};

/* The corners of a triangle; a correction of a position, m. */
struct weft_triangle {
  uint a;
  uint b;
  uint c;
};
struct weft_delta {
  float x;
  float y;
  float z;
};

/* A constraint of two particles, and one of three or four; its kernel says what the numbers mean. */
struct weft_pair_element {
  uint a;
  uint b;
  float rest;
  float factor;
};
struct weft_quad_element {
  uvec4 particles;
  vec4 data;
};

/* XPBD terms of a constraint; read only where multipliers are kept. */
struct weft_xpbd {
  float compliance; /* alpha~ = alpha / dt^2 */
  float gamma;      /* alpha~ beta dt: Macklin 2016, eq. 26 */
};

/* Constraints of a patch: particles as indices into the patch, 16 bits each, the first one lowest. The rest of a quad is a vec4. */
struct weft_patch_pair {
  uint ab;
  float rest;
  float factor;
};
struct weft_patch_quad {
  uint p01;
  uint p23;
};

/* Two nodes of a level, |x_a - x_b| <= rest_length. */
struct weft_level_edge {
  uint a;
  uint b;
  float rest_length;     /* m */
  float inv_denominator; /* kg: 1 / (w_a + w_b); 0 when nothing can move */
};

/* The pose of a shape at the end of a substep, and the motion of its surface in it. */
struct weft_collider_pose {
  vec4 a;      /* xyz; w: radius + cloth thickness (plane, box: thickness) */
  vec4 b;      /* xyz: normal, other end or half size; w: m: longer displacements are swept */
  vec4 move_a; /* xyz: m moved in this substep; w: mu_s */
  vec4 move_b; /* xyz; w: mu_k */
  vec4 axis_x; /* xyz: unit axes of its own, the last one a capsule's axis; w: sweep length squared */
  vec4 axis_y;
  vec4 axis_z;
  vec4 turn_x; /* xyz: rows of I - R0 R1^T: the displacement by rotation of a point now at p - a */
  vec4 turn_y;
  vec4 turn_z;
  uint shape;
  uint unused_1;
  uint unused_2;
  uint unused_3;
};

/* An element of the summation trees of global damping. */
struct weft_motion {
  vec4 a; /* first tree: sum m x; second: angular momentum about the centre; result: centre of mass
           */
  vec4 b; /* first tree: sum m v; second: diagonal of the inertia tensor; result: its velocity */
  vec4
      c; /* second tree: products of inertia 01, 02, 12 (negative sums); result: angular velocity */
};

/* A neighbour of a particle, and the slide that friction remembers since they touched, clamped to its limit: what makes friction static. */
struct weft_neighbour {
  float slide_x; /* m */
  float slide_y;
  float slide_z;
  uint other;
};

/* A triangle of self-collision, or a padding slot (WEFT_SELF_EMPTY) that repeats the first triangle of its patch. */
struct weft_self_triangle {
  weft_uvec3 corners;
  uint flags; /* WEFT_SELF_ bits */
  vec4 inverse;  /* 1/m, G, the inverse of its rest edges from the first corner, in the plane of its patch. The columns of its gradient are (x1 -
                    x0) inverse.x + (x2 - x0) inverse.y and (x1 - x0) inverse.z + (x2 - x0) inverse.w */
};

/* Constants of a particle in self-collision, of the cloth or of a body. */
struct weft_self_vertex {
  weft_vec3 rest;  /* m; unused for bodies */
  float thickness; /* m: repulsion distance of cloth against cloth, or of its body */
  float floor;     /* m: epsilon of its instance */
  float reach;     /* m: reach of its instance, see weft_self_part */
  float unused_1;
  float unused_2;
};

/* Friction coefficients of a body's vertex. */
struct weft_self_friction {
  float at_rest; /* mu_s */
  float sliding; /* mu_k */
};

/* Settings of an instance of a joined model; other models are one instance. */
struct weft_self_part {
  float reach;   /* m: largest thickness plus a margin: nearer pairs are listed */
  float longest; /* m: length of shortened displacements */
};

/* A patch: WEFT_SELF_PATCH consecutive slots for triangles. Eight of its particles, the first of which is the origin, with weights that give its
 * mean gradient. */
struct weft_self_patch {
  uvec4 fixed_a;
  uvec4 fixed_b;
  vec4 u_a; /* 1/m: along the first axis of its plane */
  vec4 u_b;
  vec4 v_a; /* along the second */
  vec4 v_b;
  uint beside_first; /* range of self_adjacent: pairs with this patch first */
  uint beside_count;
  uint body;   /* 1: of a body */
  float reach; /* m: features that come nearer are listed */
};

/* A pair of patches tested by certificate: neighbours, those that share a particle, and each patch with itself. */
struct weft_self_adjacent {
  uint first; /* patches; first <= second */
  uint second;
  uint hulls;       /* range of self_hulls: first entry; */
  uint from_first;  /* entries with the first patch as reference, 0 if that proves nothing; */
  uint from_second; /* then entries with the second */
  uint particles; /* range of self_shared, particles of both: first; */
  uint particle_count; /* number */
  uint unused_1;
};

/* A patch with triangles over the convex hull of a pair, seen from the reference: z = Q w, Q = (c -s; s c), maps the axes of the reference to its
 * own. */
struct weft_self_hull {
  uint of;
  float turn_c;
  float turn_s;
  float bend; /* j: relative deviation of the change of planes from Q */
};

/* The triangles around a particle, in order if they are one fan. */
struct weft_self_star {
  uint first; /* first entry of self_fans */
  uint count;
  uint kind;   /* WEFT_SELF_FAN_ */
  uint middle; /* of an open fan: the middle ray, counted from the first border */
  float floor; /* m: epsilon, below which rounding counts */
  uint unused_1;
  uint unused_2;
  uint unused_3;
};

/* Bounds of a patch in a contact step: the axes of its mean gradient at the start; over its triangles and both ends, the least eigenvalue of the
 * symmetric part of the gradients along these axes, and the largest norm of a gradient. */
struct weft_self_certificate {
  vec4 first; /* w: 0 */
  vec4 second;
  float least;
  float most;
  float reach; /* m: reach, of weft_self_patch */
  uint marked; /* 1: one of its particles is detected again */
};

/* A pair: of patches whose triangles are to be compared; of triangles whose features are. */
struct weft_self_two {
  uint first;
  uint second;
};

/* A node of the tree: bounds of positions at the start of the substep, and of displacements in it. */
struct weft_self_node {
  vec4 low; /* m */
  vec4 high;
  vec4 move_low;
  vec4 move_high;
};

/* The separating plane of a pair: every point of its first feature is farther along `normal` than every point of the second. */
struct weft_self_plane {
  weft_vec3 normal;
  float gap;       /* m: gap along the normal, a lower bound of the distance; below 0: there is no usable normal */
  vec4 weights;    /* weights of the closest points, negative for the second feature */
  weft_vec3 slide; /* m: remembered slide of the first past the second */
  float escape;    /* m: most that they may separate in this substep */
  float distance;  /* m: repulsion distance */
  uint use;        /* WEFT_SELF_ bits */
  float reach;     /* m: largest correction of a particle, reach of the instance */
  float floor;     /* m: epsilon of the instance */
};

/* A pair that touched at the end of a substep, with its slide and escape. */
struct weft_self_cached {
  uvec4 pair;
  weft_vec3 slide;
  float escape;
};

/* A pinned particle and its path. */
struct weft_pin_path {
  vec4 from;
  vec4 to;
  uint particle; /* not the bits of a float: most indices would be subnormals, which may be flushed */
  uint unused_1;
  uint unused_2;
  uint unused_3;
};

/* A vertex of a body and its path. */
struct weft_body_path {
  weft_vec3 from;
  float unused_1;
  weft_vec3 to;
  float stays; /* not 0: it is at rest */
};

/* A particle of an attached piece, and the triangle that it is fastened to. */
struct weft_rider {
  uvec4 particles; /* itself, then the corners */
  vec4 shares;     /* x, y: barycentric, of the second and the third corner */
  vec4 offset;     /* xyz: m, from that point: along the first edge, perpendicular to it, along the normal */
};

/* A vertex of a body inside a shape, in the shape's frame: xyz along its own axes, relative to the point at fraction w of its axis. */
struct weft_shape_path {
  vec4 from;
  vec4 to;
  uint collider;
  uint stays; /* not 0 if it is at rest */
  uint unused_1;
  uint unused_2;
};

/* A particle that is pulled to a moving point by a damped spring of bounded force. All factors are already multiplied by the substep and divided
 * by the mass. */
struct weft_grab {
  vec4 from;   /* xyz: m, the point at the start of the frame */
  vec4 to;     /* xyz: m, at its end */
  float stiffness;     /* 1/s: velocity per metre of distance */
  float damping;       /* fraction of the velocity lost */
  float impulse_limit; /* m/s: the largest change of velocity */
  uint particle;
};

/* A particle that is held softly at a moving point: kernels/soft_pin.h. */
struct weft_soft_pin {
  vec4 from;   /* xyz: m, the point at the start of the frame */
  vec4 to;     /* xyz: m, at its end */
  vec4 step;   /* xyz: m, its motion in a substep */
  float pull;  /* fraction of the way to the point */
  float brake; /* fraction of the motion relative to the point */
  uint particle;
  uint unused_1;
};

/* A ray that picks particles within radius + slope * (distance along it). */
struct weft_pick_ray {
  vec4 origin;    /* xyz: m; w: radius, m */
  vec4 direction; /* xyz: of length 1; w: slope */
};

/* The box around particles. */
struct weft_bounds {
  vec4 low, high; /* m */
};

/* The particle picked so far. */
struct weft_pick {
  float along;   /* m from the ray's origin */
  float offset2; /* m^2: distance from the ray, squared */
  uint particle; /* WEFT_PICK_NONE: none */
  uint unused_1;
};

/* A particle or finer node with its weight in a node's mean: X = sum share x, shares summing to 1. */
struct weft_level_child {
  uint node; /* a particle on the first level */
  float share;
};

/* The parents of a particle or node: x += sum weight * (correction of the parent). */
struct weft_level_parents {
  uvec4 nodes; /* WEFT_NO_PARENT past the last */
  vec4 weights;
};

/* A pass over a range of nodes or edges of the levels. */
struct weft_level_step {
  uint kind; /* WEFT_LEVEL_ */
  uint first;
  uint count;
  uint level; /* 1 is the finest of the coarse ones */
};

/* An edge of a line, |x_a - x_b| = rest_length; the next one begins at b. */
struct weft_line_edge {
  uint a;
  uint b;
  float rest_length; /* m */
  float compliance;  /* alpha~ times the scale of its bundle */
};

/* Lines that a work group solves together. */
struct weft_line_bundle {
  uint first; /* edge */
  uint count; /* at most WEFT_LINE_ROOM */
  uint steps; /* of cyclic reduction: 2^steps is at least the edges of its longest line */
  float scale; /* a power of two: scaled inverse masses are at most 1 */
};

/* Bundles that share no particle. */
struct weft_line_colour {
  uint first;
  uint count;
  uint steps; /* the most edges of a bundle */
};

/* |x - x_anchor| <= length for up to four pinned particles, nearest first. */
struct weft_lra {
  uvec4 anchors; /* particles; WEFT_NO_ANCHOR past the last */
  vec4 lengths;  /* m */
};

/* ---- pairs of self-collision in lists: four particles, and two flag bits that only these functions access ---- */

/* A pair of a vertex and a triangle, or, with `edges`, of two edges; `same`: both features are of one connected piece. */
WEFT_SHARED_FUNCTION uvec4 weft_self_listed(uvec4 particles, bool edges, bool same) {
  uvec4 listed = particles;
  if (edges) listed.x = listed.x | 0x80000000u;
  if (same) listed.y = listed.y | 0x80000000u;
  return listed;
}
WEFT_SHARED_FUNCTION bool weft_self_is_edges(uvec4 listed) { return (listed.x & 0x80000000u) != 0u; }
WEFT_SHARED_FUNCTION bool weft_self_is_same(uvec4 listed) { return (listed.y & 0x80000000u) != 0u; }
/* Its first particle; all of them. */
WEFT_SHARED_FUNCTION uint weft_self_first(uvec4 listed) { return listed.x & 0x7fffffffu; }
WEFT_SHARED_FUNCTION uvec4 weft_self_particles(uvec4 listed) {
  uvec4 particles = listed;
  particles.x = listed.x & 0x7fffffffu;
  particles.y = listed.y & 0x7fffffffu;
  return particles;
}

#endif
