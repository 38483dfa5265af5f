/* lanes.h: passes several elements at a time, by the same kernels as everywhere.
 *
 * lanes_4.c, lanes_8.c and lanes_16.c compile lanes_kernels.h for as many floats in a vector, each
 * with the instructions of its machine. No two constraints of a batch share a particle, so they may
 * be read together and written together. */
#ifndef WEFT_CPU_LANES_H
#define WEFT_CPU_LANES_H

#include "backend.h"
#include "model.h"
#include "pushes.h"
#include "self.h"
#include "shapes.h"

enum { WEFT_LANES_MAX = 16 };

/* Rows of a cloth tend to be powers of two apart, and what is a multiple of 4096 bytes apart fights
 * for the same few places of a cache: so arrays begin some lines off. */
enum { WEFT_OFF_BEAT = 272 };

/* Between what two threads work on. A processor that goes through memory in order fetches to the
 * end of a page before it is asked to: lines of another thread too, which that one then has to
 * fetch back. */
enum { WEFT_APART = 1040 };

/* Positions of a regular cloth while its constraints are projected: an array for each component,
 * in it first the particles of even index, then the odd ones. On a grid neighbours in a
 * batch are one or two particles apart, so that in here they lie side by side and a vector of each
 * component is one load, where rows of x, y, z, w have to be transposed. Every thread's share of
 * the particles lies apart from the one before. */
typedef struct weft_halves {
  float *x, *x_prev, *v; /* the other two while they stay split, see staying.h */
  size_t half;           /* from an even particle to the odd one after it */
  size_t component;      /* from x to y, to z, to the inverse mass */
  size_t share;          /* particles, a multiple of 2 WEFT_LANES_MAX; 0: nothing is shared */
} weft_halves;

static inline size_t weft_halves_place(const weft_halves *halves, size_t particle) {
  size_t apart = halves->share ? particle / halves->share * WEFT_APART : 0;
  return particle / 2 + particle % 2 * halves->half + apart;
}

/* Of `count` particles from one of them on, those in its share. */
static inline size_t weft_halves_together(const weft_halves *halves, size_t first, size_t count) {
  size_t left = halves->share ? halves->share - first % halves->share : count;
  return left < count ? left : count;
}

/* What the passes of air read, and the velocities that one of them writes. */
typedef struct weft_air {
  const weft_uniforms *u;
  vec4 wind;
  float dt; /* s, of the step that begins */
  const vec4 *x;
  vec4 *v;
} weft_air;

/* Where the particles of packed elements lie. */
typedef enum weft_layout {
  WEFT_ROWS,       /* array of structures: a row of x, y, z, w each, gathered and transposed */
  WEFT_QUADS,      /* the same, of which each stays four lanes */
  WEFT_ABREAST,    /* rows that follow each other: first ends of edges, and second ends */
  WEFT_END_TO_END, /* rows that follow each other: both ends of an edge, then of the next */
  WEFT_PLACES,     /* structure of arrays, gathered */
  WEFT_UNIT,       /* structure of arrays, in unit-stride runs */
  WEFT_BESIDE,     /* structure of arrays of parts side by side, see crowd.h */
  WEFT_LAYOUTS
} weft_layout;

/* What is packed as work for vectors. */
typedef enum weft_packed_kernel {
  WEFT_PACKED_EDGES,  /* of a level */
  WEFT_PACKED_MEANS,  /* nodes go to the mean of their children */
  WEFT_PACKED_FOLLOW, /* particles or nodes follow their parents */
  WEFT_PACKED_LRA,
  WEFT_PACKED_LINES,
  WEFT_PACKED_BENDS, /* of lines */
  WEFT_PACKED_KERNELS
} weft_packed_kernel;

/* What packed elements read and write besides their words. Each kernel knows its own. */
typedef struct weft_packed_run {
  vec4 *x; /* rows: positions, or nodes of levels */
  const weft_halves *halves;
  uint32_t acts, variant; /* WEFT_ACTS_, WEFT_VARIANT_ */
  uint32_t shape; /* of each element: children or parents; of all: WEFT_CROWD_ bits, or whether
                     some nodes are fixed */
  bool reset;     /* multipliers count as 0 */
  vec4 *x_low;    /* of pairs, as x_prev_low */
  const vec4 *x_prev, *x_prev_low;
  void *multipliers;
  vec4 *level_x, *level_base;
  const vec4 *moves;        /* of nodes, as rows */
  const float *split_moves; /* and split */
  size_t moves_stride;      /* from one of their components to the next */
  float *lambda;            /* of lines */
  const vec4 *matrices;     /* of bends of lines */
  void *room; /* of one thread, from a cache line on: WEFT_LINE_ROOM times WEFT_LINE_ROW vectors */
} weft_packed_run;

typedef void weft_packed_loop(const weft_packed_run *run, const uint32_t *words, size_t count);

/* Particles from one of them on; low parts where positions and velocities are pairs. */
typedef struct weft_pair_state {
  vec4 *x, *x_prev, *v, *x_low, *x_prev_low, *v_low;
} weft_pair_state;

/* What the passes of self-collision read and write. `own` and `cloth` are those of one part of a
 * joined model. */
typedef struct weft_self_run {
  weft_self_work *cache;
  const weft_uniforms *u;
  vec4 *x;
  const vec4 *x_prev;
  const weft_self_vertex *vertices, *cloth; /* one of the part's cloth */
  const weft_self_friction *friction;       /* of vertices of bodies */
  const weft_self_part *parts;
  const weft_self_triangle *triangles;
  const weft_self_patch *patches;
  weft_self_certificate *shapes;
  weft_self_node *nodes;
  const weft_self_star *stars;
  const uint32_t *fans;
  uint32_t *asked;
  const weft_self_adjacent *beside;
  const weft_self_hull *hulls;
  const uint32_t *shared;
  weft_self_two *meets;
  weft_self_two *close;
  const uint32_t *marks;
  uvec4 *candidates, *pairs;
  weft_self_plane *planes;
  uint32_t *counts;    /* of each part, and of all together */
  uint32_t *own, *all; /* of these: the part's; those of all, the same where nothing is joined */
  bool bodies;         /* particles from u->particle_count on are of bodies */
  bool closed;         /* a part of several has too short a list: its pairs do not push */
  uint32_t *pushes;
  weft_self_cached *kept;
  uint32_t *kept_count;
  const uint32_t *heads, *next;
  weft_pushes *packed;
  uint32_t detection;
  bool lazy;       /* bounds do in place of gradients, see lanes_patches.h */
  uint32_t stamp;  /* of this detection, for what is kept of it */
  uint32_t member; /* of the pool, who runs this */
  /* The reference's pass over some elements. */
  void (*reference)(const void *context, uint32_t first, uint32_t count);
  const void *context;
} weft_self_run;

/* What the passes of contact between particles read and write. */
typedef struct weft_contact_run {
  const weft_uniforms *u;
  const vec4 *x, *x_prev;
  const uint32_t *grid, *items; /* grid_items */
  weft_neighbour *contacts, *kept;
  uint32_t *found, *load;
  weft_delta *delta;
} weft_contact_run;

/* Parts of a frame's path at which a substep begins and ends. */
typedef struct weft_way {
  float begin, end;
} weft_way;

typedef struct weft_lanes {
  const char *name;
  uint32_t lanes;
  /* By layout; NULL where nothing is packed so. Of constraints that are all fast_safe (fast_safe.c)
   * and act always, those in project_fast. */
  weft_packed_loop *project[WEFT_CONSTRAINT_TYPE_COUNT][WEFT_LAYOUTS];
  weft_packed_loop *project_fast[WEFT_CONSTRAINT_TYPE_COUNT][WEFT_LAYOUTS];
  weft_packed_loop *packed[WEFT_PACKED_KERNELS][WEFT_LAYOUTS];
  /* Particles [first, first+count) into the split positions; three components into other split
   * ones; and back, w: what the fourth becomes, NULL for 0. */
  void (*split)(const weft_halves *halves, const vec4 *x, size_t first, size_t count);
  void (*split_three)(const weft_halves *halves, float *to, const vec4 *from, size_t first,
                      size_t count);
  void (*join)(const weft_halves *halves, const float *from, const float *w, vec4 *to, size_t first,
               size_t count);
  /* Passes over particles [first, first+count) where all stays split. predict finds positions where
   * those before are, and leaves them there. settle is collide, then
   * update_velocity: without shapes or uniforms only the other. */
  void (*predict_staying)(const weft_uniforms *u, const weft_halves *halves, size_t first,
                          size_t count);
  void (*settle_staying)(const weft_uniforms *u, const weft_shapes *shapes,
                         const weft_halves *halves, size_t first, size_t count);
  /* Pins on their paths, where all stays split. */
  void (*move_pins_staying)(const weft_uniforms *u, const weft_pin_path *pins, weft_way way,
                            const weft_halves *halves, size_t count);
  /* The same of parts side by side, the last one for the lanes past `parts` too: each has its pins
   * one after the other, whose particles count from `first`. */
  void (*move_pins_beside)(const weft_uniforms *u, const weft_pin_path *pins, weft_way way,
                           const weft_halves *halves, size_t count, uint32_t parts, uint32_t first);
  /* Return how many they have done: whole vectors from the first on. */
  size_t (*predict_pairs)(const weft_uniforms *u, const weft_pair_state *state, size_t count);
  size_t (*update_velocity_pairs)(const weft_uniforms *u, const weft_pair_state *state,
                                  size_t count);
  size_t (*predict)(const weft_uniforms *u, vec4 *x, vec4 *x_prev, vec4 *v, size_t count);
  size_t (*update_velocity)(const weft_uniforms *u, const vec4 *x, const vec4 *x_prev, vec4 *v,
                            size_t count);
  size_t (*move_bodies)(const weft_uniforms *u, const weft_body_path *paths, weft_way way, vec4 *x,
                        vec4 *x_prev, size_t count);
  /* All of them; of a substep: poses of its colliders, and of these as it begins. */
  void (*move_shapes)(const weft_uniforms *u, const weft_shape_path *paths,
                      const weft_collider_pose *now, const weft_collider_pose *then, weft_way way,
                      vec4 *x, vec4 *x_prev, size_t count);
  /* Particles against the shapes of a substep; x_prev: where they began it. */
  void (*collide)(const weft_shapes *shapes, const weft_pair_state *state, size_t count);
  /* The same of pairs. Returns how many it has done: whole blocks of particles from the first on.
   */
  size_t (*collide_pairs)(const weft_shapes *shapes, const weft_pair_state *state, size_t count);
  /* Forces and triangles from the first on. Returns how many it has done, whole vectors. */
  size_t (*aero_force)(const weft_air *air, const weft_triangle *triangles, vec4 *forces,
                       size_t count);
  /* Particles [first, first+count), whose triangles are items[offsets[i] .. offsets[i+1]]. */
  void (*aero_gather)(const weft_air *air, const vec4 *forces, const uint32_t *offsets,
                      const uint32_t *items, size_t first, size_t count);
  /* How far nodes are from their bases: as rows, and split. */
  void (*level_moves)(const vec4 *level_x, const vec4 *level_base, vec4 *moves, size_t count);
  void (*level_moves_split)(const vec4 *level_x, const vec4 *level_base, float *moves,
                            size_t stride, size_t first, size_t count);
  /* Particles [first, first+count): the neighbours of each; how many of them touch it; what it
   * takes of their pushes; what friction remembers. Return how many they have done from the first
   * on: whole vectors, and all of them where they find neighbours. */
  uint32_t (*contact_find)(const weft_contact_run *run, uint32_t first, uint32_t count);
  uint32_t (*contact_count)(const weft_contact_run *run, uint32_t first, uint32_t count);
  uint32_t (*contact_project)(const weft_contact_run *run, uint32_t first, uint32_t count);
  uint32_t (*contact_keep)(const weft_contact_run *run, uint32_t first, uint32_t count);
  /* Of self-collision (self.h). Boxes and certificates of patches; pairs of them that are
   * neighbours, and that are not; stars; triangles of two patches that are close; features of two
   * triangles that are candidates. */
  void (*self_patch)(weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_certify)(weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_find_patches)(weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_certify_stars)(weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_find_triangles)(weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_find_features)(weft_self_run *run, uint32_t first, uint32_t count);
  /* Planes of candidates; those that are to push, anew; pairs that push each particle; their
   * corrections; what friction remembers of them. Particles that are pushed: returns how many it
   * has done. */
  void (*self_planes)(const weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_update_normals)(const weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_weigh)(const weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_repel)(const weft_self_run *run, uint32_t first, uint32_t count);
  void (*self_cache_store)(const weft_self_run *run, uint32_t first, uint32_t count);
  uint32_t (*self_apply)(const weft_self_run *run, uint32_t first, uint32_t count);
} weft_lanes;

/* Words of packed elements, each of which has places and numbers.
 *
 * WEFT_ROWS, WEFT_PLACES: blocks of one element a lane: a vector for each place (bytes from the
 * first row, or places), then for each number. A block that is not full repeats its last element.
 * Constraints that keep multipliers have, behind their numbers, compliance and gamma if these have
 * a table of their own, and where the multiplier is: the constraint, or bytes where it has three.
 * WEFT_UNIT: strips. The head, up to whole cache lines: how many vectors, lanes of the last one,
 * whether all are fast_safe, whether numbers are narrow, the least of each number, and the places
 * of the first element; then numbers, vector by vector. Narrow ones are 16 bits that are added to
 * the bits of the least.
 * WEFT_BESIDE: places of all elements, up to whole lines, then their numbers, a vector each or one
 * for all lanes.
 * WEFT_QUADS: see rows.c; WEFT_ABREAST, WEFT_END_TO_END: see edge_rows.c.
 *
 * Constraints have their particles as places. Nodes with children: the node, the children; the
 * shares of all children but the first. Followers: the particle, its parents; their weights. */
enum {
  WEFT_EDGE_WORDS = 4, /* of pairs of nodes: two places, two numbers */
  WEFT_PACKED_MAX = 11,
  WEFT_ROW_WORDS = 12, /* of each constraint of WEFT_QUADS: places, numbers, shares */
  WEFT_STRIP_VECTORS = 0,
  WEFT_STRIP_LAST,
  WEFT_STRIP_FAST_SAFE,
  WEFT_STRIP_NARROW,
  WEFT_STRIP_BASES,
  WEFT_STRIP_PLACES = WEFT_STRIP_BASES + 4
};

/* Words of the head of a strip whose elements have so many places. */
static inline uint32_t weft_strip_head(uint32_t places) {
  return (WEFT_STRIP_PLACES + places + 15) / 16 * 16;
}

enum { WEFT_EDGES_HEAD = 16 };

/* Of constraints of parts side by side: numbers are those of all lanes; all are fast_safe. */
enum { WEFT_CROWD_SAME = 1, WEFT_CROWD_FAST_SAFE = 2 };

/* Attachments of neighbouring particles. The head: the first particle, how many attachments the
 * longest list has, for each of these places the anchor of all lanes or WEFT_OWN_ANCHORS, and how
 * many lanes count; then for each place the lengths, infinite past the end of a list, and before
 * them each lane's anchor where the head has none. Particles and anchors are bytes from x, or
 * places in split positions. */
enum { WEFT_LRA_HEAD = 8, WEFT_LRA_COUNT = 1, WEFT_LRA_ANCHORS = 2, WEFT_LRA_FILLED = 6 };
#define WEFT_OWN_ANCHORS UINT32_MAX
/* On split positions those of all lanes may be neighbours: the first of them, and this bit. */
#define WEFT_ANCHORS_IN_A_ROW (1u << 31)

/* Vectors in the room for each edge: an equation, a direction, and two slots of up to four. */
enum { WEFT_LINE_ROW = 4 + 3 + 2 * 4 };

/* Bundles of lines. Words of a block, each part up to whole lines: the head; WEFT_LINES_LANES words
 * of each lane; of edges, whether a line ends there; then what the head says where it begins. Bends
 * have no numbers of edges. In a ragged block a lane may end before the last edge, and lines of the
 * lanes anywhere: past the end of a line in any of them all have a slot more. */
enum {
  WEFT_LINES_HEAD = 16,
  WEFT_LINES_EDGES = 0,
  WEFT_LINES_STEPS, /* of reduction, at least 1 */
  WEFT_LINES_SLOTS, /* particles, line by line, each with both ends */
  WEFT_LINES_LIE,   /* how slots do */
  WEFT_LINES_WORDS, /* of the block */
  WEFT_LINES_TABLE, /* of bends: where their matrices begin */
  /* where words begin: */
  WEFT_LINES_PLACES,  /* across: of the first lane's slots */
  WEFT_LINES_WEIGHTS, /* vectors: of slots; behind them rest length and compliance of edges */
  WEFT_LINES_GO_ON,   /* ragged: masks of lanes whose line goes on behind an edge */
  WEFT_LINES_AT,      /* apart and in rows: places of all slots, or bytes from the first row */
  /* the least that a lane has: */
  WEFT_LINES_MIN_EDGES,
  WEFT_LINES_MIN_STEPS,
  WEFT_LINES_MIN_SLOTS
};
/* Rows of words of the lanes: the first edge; along: bytes to the first two slots. */
enum {
  WEFT_LINES_FIRST = 0,
  WEFT_LINES_STARTS = 1,
  WEFT_LINES_LANE_EDGES = 3,
  WEFT_LINES_LANE_STEPS,
  WEFT_LINES_LANE_SLOTS,
  WEFT_LINES_LANES
};
/* Each lane along the split arrays, side by side in them, or anywhere in them; ragged ones
 * anywhere in them, or in rows. */
enum {
  WEFT_LINES_ALONG,
  WEFT_LINES_ACROSS,
  WEFT_LINES_APART,
  WEFT_LINES_RAGGED,
  WEFT_LINES_RAGGED_ROWS
};

/* NULL where the compiler cannot make it for this kind of processor. */
const weft_lanes *weft_lanes_4(void);
const weft_lanes *weft_lanes_8(void);
const weft_lanes *weft_lanes_16(void);

/* So many lanes, or NULL where this processor or this build has no such vectors. */
const weft_lanes *weft_lanes_usable(uint32_t lanes);
/* The widest that this processor runs. */
const weft_lanes *weft_lanes_best(void);

#endif
