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
#define WEFT_SINGLE_BINDING 3 /* the steps of `single`, when there are no more than GL promises room for */
#define WEFT_SINGLE_UNIFORM_STEPS 170

/* Levels: what a step of level_small does; invocations of its one work group. */
#define WEFT_LEVEL_RESTRICT 0u
#define WEFT_LEVEL_PROJECT 1u
#define WEFT_LEVEL_PROLONG 2u
#define WEFT_LEVEL_GROUP 256
#define WEFT_NO_PARENT 0xffffffffu

/* Patches: invocations of the work group that sweeps one, and the most particles that one has. A
 * header in patch_words for each patch, then their ranges and their lists of particles: see
 * passes/patch.h. */
#define WEFT_PATCH_GROUP 256
#define WEFT_PATCH_PARTICLES 1024u
#define WEFT_PATCH_HEADER 4u
/* Steps of `single` that are left out of a frame: pins do not move, nothing is grabbed. */
#define WEFT_GATE_PINS 1u
#define WEFT_GATE_GRAB 2u
/* Lines: invocations of a work group, the edges its memory has room for, and 1 + 2^-18: by so much
 * the system is kept from being singular, which a stiff line drawn straight between two pins is. */
#define WEFT_LINE_GROUP 256
#define WEFT_LINE_ROOM 1024
#define WEFT_LINE_FIRM 1.000003814697265625

/* When a distance constraint acts; the values of weft_sense. */
#define WEFT_ACTS_ALWAYS 0u
#define WEFT_ACTS_STRETCHED 1u
#define WEFT_ACTS_COMPRESSED 2u

/* An attachment a particle does not have. */
#define WEFT_NO_ANCHOR 0xffffffffu
/* Particles that one grab holds at most: a work group's worth. One that holds none. */
#define WEFT_GRAB_ELEMENTS 64u
#define WEFT_GRAB_NONE 0xffffffffu
/* A pick that hit nothing. */
#define WEFT_PICK_NONE 0xffffffffu
/* Contact between particles. Cells are counted from the origin; beyond the limit (a power of two,
 * and the same as a float) everything is in the outermost one. A bucket with more than the most
 * particles takes no part in contact: 27 buckets must stay below 60,000 iterations of a loop, where
 * drivers begin to cut loops off without a word. A particle has room for so many neighbours. */
#define WEFT_GRID_BLOCK 64u
#define WEFT_GRID_TOP 0xFFFFFFFFu /* instead of an index of the parents: there are none */
#define WEFT_GRID_REACH 1048576.0
#define WEFT_GRID_MAX 2048u
#define WEFT_CONTACT_SLOTS 16u
#define WEFT_CONTACT_NONE 0xFFFFFFFFu    /* ends a list that is not full */
#define WEFT_CONTACT_CROWDED 0x80000000u /* a bucket around was left out */

/* Self-collision. Children of a node of the tree; nodes that a walk visits at most: drivers cut loops off at 65,535
 * without a word; looks and rounds of the limit in a substep; all of a motion, as an integer, so that the least of many
 * shares does not depend on their order; in place of a share: the particle was to move, and did not; metres as an integer, likewise
 * for sums. */
#define WEFT_SELF_FAN 8u
#define WEFT_SELF_WALK 32768u
#define WEFT_SELF_DETECTIONS 4u
#define WEFT_SELF_ROUNDS 4u
#define WEFT_SELF_WHOLE 16777216u
#define WEFT_SELF_STOOD 0xffffffffu
#define WEFT_SELF_METRE 1073741824.0
/* Of a triangle: bits 0 to 2, its corners that no earlier triangle has; 3 to 5, its edges, each from the corner of that
 * number to the next; it crosses others in the first state; it is a body's. Two that share one of the last bits are not
 * parted. */
#define WEFT_SELF_TANGLED 64u
#define WEFT_SELF_BODY 128u
#define WEFT_SELF_UNPARTED 192u
/* A place without a triangle; from this bit on: the number of the piece. */
#define WEFT_SELF_EMPTY 256u
#define WEFT_SELF_PIECE 9u
/* Triangles of a patch. */
#define WEFT_SELF_PATCH 64u
/* The triangles around a particle: no fan, or more than WEFT_SELF_FAN_MOST; one that is closed; one that is open at a border. A triangle of a
 * fan is 4 * triangle + which of its corners the particle is. */
#define WEFT_SELF_FAN_NONE 0u
#define WEFT_SELF_FAN_CLOSED 1u
#define WEFT_SELF_FAN_OPEN 2u
#define WEFT_SELF_FAN_MOST 16u
/* What a certificate needs: the least eigenvalue, with what it may be rounded by; the most that a gradient may be. */
#define WEFT_SELF_MONOTONE 0.15
/* What a pair is good for. */
#define WEFT_SELF_LIMITS 1u
#define WEFT_SELF_PUSHES 2u
#define WEFT_SELF_UNCERTAIN 4u
/* Where self_counts has what, of each part of a joined model, and after these of all parts together how long lists are and how
 * many redetected there are. Flags: a list was too short; a walk was too long. */
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
/* Pauses in a row: up to the last substep, and with this one. */
#define WEFT_SELF_AT_REJECTED 44u
#define WEFT_SELF_AT_REJECTED_NOW 45u
#define WEFT_SELF_COUNTS 46u
#define WEFT_SELF_PATIENCE 4u /* so many pauses in a row take no velocity */
#define WEFT_SELF_OVERFLOW 1u
#define WEFT_SELF_LONG_WALK 2u
/* Where self_sizes has how many elements a pass has: work groups in x, y and z, and in w where its elements end. Of the detection
 * that is under way, all but the first: 0 where it is idle. Invocations of a group; groups side by side, GL promises so many,
 * before the next row of them begins; the most levels of a tree. */
#define WEFT_SELF_SIZE_PAIRS 0u
#define WEFT_SELF_SIZE_LIMITED 1u /* pairs that limit motions */
#define WEFT_SELF_SIZE_CACHE 2u
#define WEFT_SELF_SIZE_CANDIDATES 3u
#define WEFT_SELF_SIZE_TRIANGLE_PAIRS 4u /* features of pairs of triangles */
#define WEFT_SELF_SIZE_PATCH_PAIRS 5u /* pairs of patches: a group each */
#define WEFT_SELF_SIZE_UNCERTIFIED 6u
#define WEFT_SELF_SIZE_ENTRIES 7u /* of self_sizes */
#define WEFT_SELF_SIZE_PARTICLES 8u
#define WEFT_SELF_SIZE_PATCHES 9u /* a group each */
#define WEFT_SELF_SIZE_LEVELS 10u /* of the tree, from patches up to the root */
#define WEFT_SELF_SIZES 18u
/* Pairs of features of two triangles: a vertex of one and the other, of the other and the one, edges; in a row of 16. */
#define WEFT_SELF_FEATURES 16u
#define WEFT_SELF_GROUP 64u
#define WEFT_SELF_ROW 65535u

/* Elements summed by one invocation in a level of a summation tree. */
#define WEFT_FAN 64u
/* Of a body's inertia (its trace): what is below this part (2^-20) counts as a line or a point. */
#define WEFT_MIN_INERTIA 9.5367431640625e-07

/* Where subnormals could arise drivers differ, so small values become 0 first. Powers of two: the
 * same number in C and GLSL.
 * 2^-40: components of velocities, and of positions once a substep.
 * 2^-60: components of every position written, and lengths before they are squared.
 * 2^-100: multipliers, before they are multiplied again. */
#define WEFT_SNAP 9.094947017729282e-13
#define WEFT_FLUSH 8.673617379884035e-19
#define WEFT_TRIM 7.888609052210118e-31
#define WEFT_SNAP_BITS 0x2b800000u
#define WEFT_FLUSH_BITS 0x21800000u
#define WEFT_TRIM_BITS 0x0d800000u
/* A direction is undefined below this part (2^-20) of the rest length; its square. */
#define WEFT_MIN_LENGTH_RATIO2 9.094947017729282e-13
/* 2^120: a denominator past this has no reciprocal in float, and no gradient that means anything.
 */
#define WEFT_LARGEST 1.329227995784916e36

/* In which substeps a pass runs: in all; the first of a frame; the first, the last of a contact step; all but the last. */
#define WEFT_WHEN_ALWAYS 0u
#define WEFT_WHEN_FRAME_BEGINS 1u
#define WEFT_WHEN_STEP_BEGINS 2u
#define WEFT_WHEN_STEP_ENDS 3u
#define WEFT_WHEN_STEP_GOES_ON 4u

/* A pass: which one, and over what. The list of these is what a substep is; a shader gets the one that runs as a
 * uniform block (std140). What a kind does not use is 0. */
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
  uint quad_first;      /* patch: multipliers and terms of quads come after so many of pairs */
  uint steps;           /* level_small: steps to run from `first` on; project_lines: the most that a bundle has */
  uint level_first;     /* trees of sums: element at which this level begins */
  uint below_first;     /* trees of sums: at which the level below does */
  uint above_first;     /* grid: at which the level above does, or WEFT_GRID_TOP */
  uint tree_elements;   /* global damping: elements of each of its two trees */
  uint detection;            /* self-collision: of this substep */
  uint round;           /* self-collision: of the limit */
  uint when;            /* WEFT_WHEN_: in which substeps it runs */
  uint substeps;        /* of a frame, where that is not all of them, */
  uint long_steps;      /* and how many longer steps these make: contact steps, steps of the air */
  uint counted;         /* 1 + where self_sizes says how many elements there are, at most `count`; 0: there are `count` */
  uint unused_1;        /* a whole number of vectors */
  uint unused_2;
};

/* What `single` runs: the first steps of its table, in some substeps (the uniform block of a pass, std140). */
struct weft_single_run_args {
  uint steps;
  uint skip; /* WEFT_GATE_ bits of the steps that are left out */
  uint substeps;
  uint unused_1;
};

/* Parameters that hold for a whole frame (uniform block, std140). */
struct weft_uniforms {
  vec4 gravity_step; /* xyz: gravity * dt, m/s */
  float dt;          /* s, of a substep */
  float inv_dt;      /* 1/s */
  float keep;        /* part of the velocity that damping leaves per substep */
  float drag;        /* kg/m^3: half air density times drag coefficient */
  float skin;        /* kg/m^3: half air density times skin friction coefficient */
  float third;       /* 1/3 */
  uint collider_count;
  uint particle_count;
  float inv_total_mass; /* 1/kg, of all that is not pinned */
  float global_damping; /* part of the motion that is not rigid lost per substep */
  /* Contact between particles; 0 when there is none. */
  float inverse_cell;       /* 1/m, of an edge of the grid */
  float contact_reach2;     /* m^2: neighbours are looked for within the root of this */
  float contact_distance;   /* m: twice the radius */
  float contact_relaxation; /* omega */
  float contact_static;     /* mu_s */
  float contact_dynamic;    /* mu_k */
  uint grid_mask;           /* buckets - 1, a power of two less one */
  /* Self-collision; counts are those of one part of a joined model. */
  uint self_triangles;
  uint self_candidates; /* room for candidates and for pairs */
  uint self_pairs;
  uint self_nodes; /* of the tree */
  uint self_particles; /* those of bodies included, which are from particle_count on */
  uint self_parts;    /* 1 where nothing is joined */
  float self_static;  /* mu_s */
  float self_dynamic; /* mu_k */
  float self_escape;  /* m: two that are too close part by at most so much in a substep */
  uint self_top;      /* level of the root, patches being 0 */
  uint self_patches;
  uint self_meets; /* room for pairs of patches and of triangles */
  uint self_close;
  float self_extrapolate;  /* substeps that a contact step has at most */
  float self_inv_dt; /* 1/s, of a contact step */
  float self_beyond; /* times the distance at which a pair pushes: what is nearer is listed; 1 where each substep looks */
  uint shape_first;  /* the first particle of a body that stands for a shape */
  uint poses_before; /* poses of the colliders as a frame begins stand behind so many */
  uint self_cloth;   /* of self_particles those of the cloth */
};

/* What changes from substep to substep. */
struct weft_substep {
  weft_vec3 wind; /* m/s */
  float way; /* how far pins are on their path through the frame, 0..1 */
  float air_dt; /* s: how long the air acts from here on; 0 where it has done so before */
  uint unused_1; /* a whole number of vectors */
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

/* A constraint of two particles, and one of three or four; what the numbers are, its kernel says. */
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

/* Constraints of a patch: the same with particles counted within it, 16 bits each, the first one
 * below. The rest of a quad is a vec4. */
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

/* A shape at the end of a substep, and how its surface moved in it. */
struct weft_collider_pose {
  vec4 a;      /* xyz; w: radius + cloth thickness (plane, box: thickness) */
  vec4 b;      /* xyz: normal, other end or half size; w: sweep, m: a longer step is swept */
  vec4 move_a; /* xyz: m moved in this substep; w: mu_s */
  vec4 move_b; /* xyz; w: mu_k */
  vec4 axis_x; /* xyz: its own axes, of length 1, the last one of a capsule along that; w: sweep squared */
  vec4 axis_y;
  vec4 axis_z;
  vec4 turn_x; /* xyz: rows of I - R0 R1^T: what turning moves a point that now lies at p - a */
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

/* A neighbour of a particle, and how far the two have slid past each other since they touched, as
 * far as friction has not let go: what makes friction static. */
struct weft_neighbour {
  float slide_x; /* m */
  float slide_y;
  float slide_z;
  uint other;
};

/* A triangle of self-collision, or a place without one (WEFT_SELF_EMPTY), which repeats the first of its patch. */
struct weft_self_triangle {
  weft_uvec3 corners;
  uint flags; /* WEFT_SELF_ bits */
  vec4 inverse;  /* 1/m, G, the inverse of the edges from its first corner at rest, in the plane of its patch: the columns of its gradient are
                    (x1 - x0) inverse.x + (x2 - x0) inverse.y and (x1 - x0) inverse.z + (x2 - x0) inverse.w */
};

/* What self-collision knows of a particle, of the cloth or of a body. */
struct weft_self_vertex {
  weft_vec3 rest;  /* m; of a body nobody asks */
  float thickness; /* m, at which it pushes: of cloth on cloth, or of its body */
  float floor;     /* m, of its part: distances below are not told from 0 */
  float reach;     /* m, of its part: see weft_self_part */
  float unused_1;
  float unused_2;
};

/* What a vertex of a body rubs with. */
struct weft_self_friction {
  float at_rest; /* mu_s */
  float sliding; /* mu_k */
};

/* A part of a joined model; what is not joined is one. */
struct weft_self_part {
  float reach;   /* m, its most thickness and a little: those that come nearer are listed */
  float longest; /* m, the longest motion of a step that is shortened */
};

/* A patch: WEFT_SELF_PATCH places of triangles in a row. Eight of its particles, the first of which is the origin, with the weights that
 * give its gradient from these alone. */
struct weft_self_patch {
  uvec4 fixed_a;
  uvec4 fixed_b;
  vec4 u_a; /* 1/m: along the first axis of its plane */
  vec4 u_b;
  vec4 v_a; /* along the second */
  vec4 v_b;
  uint beside_first; /* self_beside: the pairs of which this patch is the first */
  uint beside_count;
  uint body;   /* 1: of a body */
  float reach; /* m: those that come nearer are listed */
};

/* A pair of patches that are looked at by certificate: neighbours, those that share a corner, and each patch with itself. */
struct weft_self_adjacent {
  uint first; /* patches; first <= second */
  uint second;
  uint hulls;       /* self_hulls: where its entries begin, */
  uint from_first;  /* so many with the first patch as reference, none where that proves nothing; */
  uint from_second; /* behind them so many with the second */
  uint particles; /* self_shared: those that both have, */
  uint particle_count; /* so many */
  uint unused_1;
};

/* A patch with triangles over the convex hull of a pair, seen from the reference: z = Q w, Q = (c -s; s c), leads from the axes of the
 * reference to its own. */
struct weft_self_hull {
  uint of;
  float turn_c;
  float turn_s;
  float bend; /* j: what change of planes differs from Q by, relative */
};

/* The triangles around a particle, in order where they are one fan. */
struct weft_self_star {
  uint first; /* self_fans */
  uint count;
  uint kind;   /* WEFT_SELF_FAN_ */
  uint middle; /* of an open fan: the ray in its middle, counted from the first border */
  float floor; /* m: distances below are not told from 0 */
  uint unused_1;
  uint unused_2;
  uint unused_3;
};

/* What a patch does in a substep: the axes of its gradient at the start, over all of its triangles and both ends the least eigenvalue of the
 * symmetric part of their gradients along these axes, and the most that a gradient is. */
struct weft_self_certificate {
  vec4 first; /* w: 0 */
  vec4 second;
  float least;
  float most;
  float reach; /* m: of weft_self_patch */
  uint marked; /* 1: a redetection is for one of its particles */
};

/* Two: patches whose triangles are to be compared; triangles whose features are. */
struct weft_self_two {
  uint first;
  uint second;
};

/* A node of the tree: positions at the start of the substep, and how far they are to move in it. */
struct weft_self_node {
  vec4 low; /* m */
  vec4 high;
  vec4 move_low;
  vec4 move_high;
};

/* What parts a pair: every point of its first feature is farther along `normal` than every point of the second. */
struct weft_self_plane {
  weft_vec3 normal;
  float gap;       /* m, between them along the normal, a lower bound of their distance; below 0: there is no good normal */
  vec4 weights;    /* of the closest points: those of the second feature below 0 */
  weft_vec3 slide; /* m, of the first past the second before this substep, as far as friction has not let go */
  float escape;    /* m, the most that they part by in it */
  float distance;  /* m, at which they begin to push */
  uint use;        /* WEFT_SELF_ bits */
  float reach;     /* m, of the part that the pair is of: no push moves a particle farther */
  float floor;     /* m, of this part: distances below are not told from 0 */
};

/* A pair that touched at the end of a substep, and its slide and escape then. */
struct weft_self_cached {
  uvec4 pair;
  weft_vec3 slide;
  float escape;
};

/* A pinned particle on its way. */
struct weft_pin_path {
  vec4 from;
  vec4 to;
  uint particle; /* not as a float's bits: most indices would be subnormals, which may be flushed */
  uint unused_1;
  uint unused_2;
  uint unused_3;
};

/* A vertex of a body on its way. */
struct weft_body_path {
  weft_vec3 from;
  float unused_1;
  weft_vec3 to;
  float stays; /* not 0: it stays where it is */
};

/* A particle of an attached piece, and the triangle that it is fastened to. */
struct weft_rider {
  uvec4 particles; /* itself, then the corners */
  vec4 shares;     /* x, y: barycentric, of the second and the third corner */
  vec4 offset;     /* xyz: m, from that point: along the first edge, square to it, along the normal */
};

/* A vertex of a body that stands for a shape, seen from there: xyz along its own axes from the point that is w of the way along the axis. */
struct weft_shape_path {
  vec4 from;
  vec4 to;
  uint collider;
  uint stays; /* not 0 where it stays where it is */
  uint unused_1;
  uint unused_2;
};

/* A particle that is pulled to a moving point by a damped spring of bounded force. Everything is
 * already multiplied by the substep and divided by the mass. */
struct weft_grab {
  vec4 from;   /* xyz: m, the point at the start of the frame */
  vec4 to;     /* xyz: m, at its end */
  float stiffness;     /* 1/s: velocity for a metre off the point */
  float damping;       /* part of the velocity lost */
  float impulse_limit; /* m/s: the largest change of velocity */
  uint particle;
};

/* A ray that looks for particles: those within radius + slope * (distance along it). */
struct weft_pick_ray {
  vec4 origin;    /* xyz: m; w: radius, m */
  vec4 direction; /* xyz: of length 1; w: slope */
};

/* The box around particles. */
struct weft_bounds {
  vec4 low, high; /* m */
};

/* The particle found so far. */
struct weft_pick {
  float along;   /* m from the ray's origin */
  float offset2; /* m^2: distance from the ray, squared */
  uint particle; /* WEFT_PICK_NONE: none */
  uint unused_1;
};

/* A particle or finer node in the mean that is a node: X = sum share x, shares summing to 1. */
struct weft_level_child {
  uint node; /* a particle on the first level */
  float share;
};

/* What a particle or node follows: x += sum weight * (how far the parent was moved). */
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
  uint steps; /* of reduction: 2^steps is no less than the edges of its longest line */
  float scale; /* a power of two: inverse masses times this are at most 1 */
};

/* Bundles that share no particle. */
struct weft_line_colour {
  uint first;
  uint count;
  uint steps; /* the most that one of them has */
};

/* |x - x_anchor| <= length for up to four pinned particles, nearest first. */
struct weft_lra {
  uvec4 anchors; /* particles; WEFT_NO_ANCHOR past the last */
  vec4 lengths;  /* m */
};

/* ---- pairs of self-collision, as lists have them: four particles, and two bits that nobody but these functions sees ---- */

/* Of a vertex and a triangle, or, with `edges`, of two edges; `same`: both features are of one piece of cloth. */
WEFT_SHARED_FUNCTION uvec4 weft_self_listed(uvec4 particles, bool edges, bool same) {
  uvec4 listed = particles;
  if (edges) listed.x = listed.x | 0x80000000u;
  if (same) listed.y = listed.y | 0x80000000u;
  return listed;
}
WEFT_SHARED_FUNCTION bool weft_self_is_edges(uvec4 listed) { return (listed.x & 0x80000000u) != 0u; }
WEFT_SHARED_FUNCTION bool weft_self_is_same(uvec4 listed) { return (listed.y & 0x80000000u) != 0u; }
/* The first of its particles; all of them. */
WEFT_SHARED_FUNCTION uint weft_self_first(uvec4 listed) { return listed.x & 0x7fffffffu; }
WEFT_SHARED_FUNCTION uvec4 weft_self_particles(uvec4 listed) {
  uvec4 particles = listed;
  particles.x = listed.x & 0x7fffffffu;
  particles.y = listed.y & 0x7fffffffu;
  return particles;
}

#endif
