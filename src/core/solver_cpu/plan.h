/* plan.h: fused passes as work for a thread pool.
 *
 * What fixes the bits of fused passes is not the order of its passes but, at every particle, the
 * order of what touches it. So a plan cuts the cloth into partitions, one a member. What no other
 * member comes near in all the passes is a partition's core: it is cut into tiles that stay in the
 * cache, and all passes run on one tile before the next; an element goes to the latest tile in
 * which one of its particles was touched by an earlier pass ("skewed tiling", Wonnacott 2000). What
 * is left between cores, the rims, goes pass by pass, and waits for all partitions wherever one
 * goes on with what another has touched. */
#ifndef WEFT_CPU_PLAN_H
#define WEFT_CPU_PLAN_H

#include "crowd.h"
#include "lanes.h"
#include "memory.h"
#include "thread_pool.h"

/* Passes in a chain, at most. */
enum { WEFT_FUSED_MAX = 64 };

/* Of its row in passes.def; a Jacobi tail is no batch. */
weft_cpu_role weft_cpu_role_of(const weft_pass *pass);
/* Among levels, and on the ways between them and particles. */
bool weft_cpu_is_of_levels(weft_pass_kind kind);

typedef enum weft_cpu_kind {
  WEFT_CPU_RUN = 0, /* [first, first+count) of the pass's elements, counted from its own first */
  WEFT_CPU_STAYING, /* the same, where all stays split; collide takes update_velocity along */
  WEFT_CPU_SPLIT,   /* particles [first, first+count) into the split positions; no pass */
  WEFT_CPU_JOIN,    /* and back */
  WEFT_CPU_MOVES,   /* how far nodes [first, first+count) were moved, for the member's own use */
  WEFT_CPU_SPLIT_MOVES, /* the same, split, for all members */
  /* Packed: count blocks, strips or constraints in a layout; first: the shape of a
   * weft_packed_run. */
  WEFT_CPU_PROJECT,
  WEFT_CPU_PACKED,
  WEFT_CPU_EDGES = WEFT_CPU_PACKED + WEFT_PACKED_EDGES,
  WEFT_CPU_MEANS = WEFT_CPU_PACKED + WEFT_PACKED_MEANS,
  WEFT_CPU_FOLLOW = WEFT_CPU_PACKED + WEFT_PACKED_FOLLOW,
  WEFT_CPU_LRA = WEFT_CPU_PACKED + WEFT_PACKED_LRA,
  WEFT_CPU_LINES = WEFT_CPU_PACKED + WEFT_PACKED_LINES,
  WEFT_CPU_BENDS = WEFT_CPU_PACKED + WEFT_PACKED_BENDS
} weft_cpu_kind;

/* A work item: elements of one pass, run one after the other. */
typedef struct weft_cpu_item {
  weft_cpu_kind kind;
  weft_layout layout;
  bool fast;     /* takes project_fast */
  uint32_t pass; /* of the chain */
  uint32_t first, count;
  size_t at;                    /* words into those of its part */
  size_t sources, source_count; /* of constraints that are packed, among those of its part */
} weft_cpu_item;

/* What one member does between two barriers: items [first, first+count). */
typedef struct weft_cpu_part {
  size_t first, count;
  uint32_t *words; /* packed constraints, in the order they are used; from a cache line on */
  size_t word_count, word_capacity;
  void *room;        /* that words lie in */
  uint32_t *sources; /* elements of passes whose numbers are packed, where these are remembered */
  size_t source_count, source_capacity;
} weft_cpu_part;

/* Parts that may run at the same time, each after the same part of the phase before. */
typedef struct weft_cpu_phase {
  uint32_t first, count;
  uint32_t after; /* phases that must be done before any part of it begins */
} weft_cpu_phase;

typedef struct weft_cpu_plan {
  weft_pass passes[WEFT_FUSED_MAX];
  uint32_t pass_count;
  weft_cpu_item *items;
  size_t item_count, item_capacity;
  weft_cpu_part *parts;
  size_t part_count, part_capacity;
  weft_cpu_phase *phases;
  size_t phase_count, phase_capacity;
  uint32_t members;   /* that have anything to do */
  weft_job_pace pace; /* of running it */
  bool may_stay;      /* as in what it was built of */
  bool remembers;     /* so is that: it can be refreshed */
  bool crowd;         /* one phase, a part for each block of what stands side by side */
  bool stays;  /* all of it works on what stays split; while it is built, what comes next does */
  bool split;  /* while it is built: split positions are those of the passes so far */
  size_t room; /* words that its parts begin with room for */
} weft_cpu_plan;

typedef struct weft_plan_desc {
  const weft_memory *memory;
  const weft_lanes *lanes;   /* NULL: nothing is packed */
  const weft_halves *halves; /* NULL: positions are never split */
  uint32_t members;
  bool exactly;   /* all of them, even where fewer would be faster */
  bool narrow;    /* strips may be narrow, however small the cloth is */
  uint32_t tile;  /* particles of a tile; 0: no tiles */
  bool may_stay;  /* it may work on positions and velocities that stay split, see staying.h */
  bool remembers; /* which constraints are packed where, for weft_plan_refresh */
  const weft_crowd *crowd; /* whose parts stand side by side, where the passes can; NULL: none */
  uint32_t block;          /* of the crowd, while that is planned */
} weft_plan_desc;

/* Those of the cloth; nothing that is planned knows of bodies. */
static inline uint32_t weft_plan_cloth(const weft_plan_desc *desc) {
  uint64_t all = desc->memory->bytes[WEFT_BUFFER_X] / sizeof(vec4);
  return (uint32_t)(all - desc->memory->bytes[WEFT_BUFFER_BODY_PATHS] / sizeof(weft_body_path) -
                    desc->memory->bytes[WEFT_BUFFER_SHAPE_PATHS] / sizeof(weft_shape_path));
}

void weft_plan_build(const weft_plan_desc *desc, const weft_pass *passes, uint32_t count,
                     weft_cpu_plan *plan);
void weft_plan_free(weft_cpu_plan *plan);
/* Whether the plan is for these passes. */
bool weft_plan_fits(const weft_cpu_plan *plan, const weft_pass *passes, uint32_t count,
                    bool may_stay);

/* Packs the numbers of constraints and the compliances of lines anew, which have changed in their
 * tables; nothing else has. False: the plan does not hold any longer. */
bool weft_plan_refresh(weft_cpu_plan *plan, const weft_plan_desc *desc);

/* Whether pass k is a collide that the next one, update_velocity, is run together with. */
static inline bool weft_plan_settles(const weft_pass *passes, uint32_t count, uint32_t k) {
  return passes[k].kind == WEFT_PASS_COLLIDE && k + 1 < count &&
         passes[k + 1].kind == WEFT_PASS_UPDATE_VELOCITY;
}

/* ---- for the files of the planner ---- */
weft_cpu_phase *weft_plan_add_phase(weft_cpu_plan *plan);
weft_cpu_part *weft_plan_add_part(weft_cpu_plan *plan);
/* Of a phase: how many there are; elements and words of all, about. */
typedef struct weft_plan_parts {
  uint32_t count;
  uint64_t elements, words;
} weft_plan_parts;
/* A phase whose parts are filled at the same time, where threads can be had and there are so many
 * elements that it is worth it. fill() adds the items of part `part` to a plan that holds nothing
 * else. */
typedef void weft_plan_fill(void *context, weft_cpu_plan *plan, uint32_t part);
void weft_plan_add_parts(weft_cpu_plan *plan, const weft_plan_parts *parts, weft_plan_fill *fill,
                         void *context);
/* Adds items for elements of a pass, which are ascending: packed, or as runs of neighbours. */
void weft_plan_add_elements(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                            const uint32_t *elements, uint32_t count);
/* Whether the batches among passes [first, end) run along split positions nearly everywhere. */
bool weft_plan_runs_along(const weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                          uint32_t end);
/* As weft_plan_add_elements, for constraints on split positions. */
void weft_plan_add_strips(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          const uint32_t *elements, uint32_t count);
/* Elements to be packed, all of one shape. */
typedef struct weft_plan_elements {
  weft_cpu_kind kind;
  uint32_t pass, shape;
  uint32_t places, values, count;
  uint32_t *words;         /* [count] places, then numbers of each */
  const uint32_t *sources; /* [count] elements of the pass. NULL: their numbers do not change */
  bool *safe_only;         /* [count] not fast_safe; NULL: none */
  bool narrow;             /* strips may be */
} weft_plan_elements;
/* An item for some of them as blocks. */
weft_cpu_item *weft_plan_add_blocks(weft_cpu_plan *plan, const weft_plan_desc *desc,
                                    const weft_plan_elements *e, weft_layout layout,
                                    const uint32_t *which, uint32_t count);
/* Items for all of them on split positions: strips, and blocks of what lies in none. */
void weft_plan_add_vectors(weft_cpu_plan *plan, const weft_plan_desc *desc,
                           const weft_plan_elements *e);
/* One item of a kind for numbers [first, first+count). */
void weft_plan_add_run(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass, uint32_t first,
                       uint32_t count);
/* Items of a kind for ascending numbers, as runs of neighbours. */
void weft_plan_add_runs(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass,
                        const uint32_t *numbers, uint32_t count);
/* Words of a packed constraint; 0 when the pass has no vector version. */
uint32_t weft_plan_packed_words(const weft_plan_desc *desc, const weft_pass *pass);
/* One constraint into one lane of a block, particles as they are. */
void weft_plan_pack(const weft_memory *memory, const weft_pass *pass, uint32_t element,
                    uint32_t words[WEFT_PACKED_MAX]);
/* Whether rows.c packs constraints of this pass; then adds an item for the elements, or nothing and
 * returns false where not all of them are fast_safe. */
/* Bend k of a row of so many: see rows.c. */
void weft_plan_put_bend(const vec4 *x, const uint32_t one[WEFT_PACKED_MAX], uint32_t *row,
                        uint32_t k, uint32_t side);
bool weft_plan_packs_quads(const weft_plan_desc *desc, const weft_pass *pass);
bool weft_plan_add_quads(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                         const uint32_t *elements, uint32_t count);
/* Whether a constraint of this type, of these particles and numbers may take the fast path: see
 * lanes_fast.h. */
bool weft_plan_fast_safe(int type, const vec4 *x, const uint32_t *particles,
                         const uint32_t *values);
/* The same of elements of a pass. */
bool weft_plan_are_fast_safe(const weft_memory *memory, const weft_pass *pass,
                             const uint32_t *elements, uint32_t count);
weft_cpu_item *weft_plan_add_item(weft_cpu_plan *plan, weft_cpu_kind kind, uint32_t pass);
weft_cpu_item *weft_plan_add_packed(weft_cpu_plan *plan, weft_cpu_kind kind, weft_layout layout,
                                    uint32_t pass);
/* A constraint whose numbers are packed next; NULL sources: none. */
void weft_plan_note(weft_cpu_plan *plan, const uint32_t *sources, uint32_t which);
/* Up to the next cache line: items begin there, so that what is a vector in them lies in one. */
void weft_plan_fill_line(weft_cpu_plan *plan);
/* Room for so many words more in the last part. */
uint32_t *weft_plan_add_words(weft_cpu_plan *plan, size_t count);
/* A phase in which all positions are split, one in which they are joined, and one in which the
 * moves of the finest level are split. */
void weft_plan_add_split(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass);
void weft_plan_add_join(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass);
void weft_plan_add_split_moves(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass);
/* level_spread on split positions. */
void weft_plan_add_split_followers(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                   const uint32_t *elements, uint32_t count);
/* Whether levels.c packs the elements of this pass; then adds items for its elements [begin, end).
 */
bool weft_plan_packs_levels(const weft_plan_desc *desc, const weft_pass *pass);
void weft_plan_add_levels(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                          uint32_t begin, uint32_t end);
/* Items for those of some edges of a level between free nodes that follow each other in memory.
 * Returns how many are left, in front. */
uint32_t weft_plan_add_edge_rows(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                                 uint32_t *edges, uint32_t count);
/* Attachments of particles [begin, end). */
void weft_plan_add_lra(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                       uint32_t begin, uint32_t end);
/* On split positions, of particles that are ascending. */
void weft_plan_add_split_lra(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                             const uint32_t *particles, uint32_t count);
/* Whether lines.c packs the bundles of this pass; then adds an item for bundles [begin, end) of it.
 */
bool weft_plan_packs_lines(const weft_plan_desc *desc, const weft_pass *pass);
void weft_plan_add_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                         uint32_t begin, uint32_t end);
/* Edges of all bundles of a pass. */
uint32_t weft_plan_line_edges(const weft_memory *memory, const weft_pass *pass);
/* Where the particles of a partition begin, one a member: with a share of the split positions if
 * there are as many. */
uint32_t weft_plan_partition(const weft_plan_desc *desc, uint32_t partition);
/* Where a particle is that a lane works on: among split positions, or in the block of a crowd. */
static inline uint32_t weft_plan_place(const weft_plan_desc *desc, uint32_t particle,
                                       uint32_t lane) {
  if (desc->crowd) return weft_crowd_place(desc->crowd, particle, lane);
  return (uint32_t)weft_halves_place(desc->halves, particle);
}
/* Edges of lines, from those of the first part of a block on. */
const weft_line_edge *weft_plan_edges(const weft_plan_desc *desc);
uint32_t weft_plan_first_edge(const weft_crowd *crowd, const weft_memory *memory, uint32_t block);
/* Whether all of these passes can go over parts side by side; and that plan of them. */
bool weft_plan_can_crowd(const weft_crowd *crowd, const weft_lanes *lanes, const weft_pass *passes,
                         uint32_t count);
void weft_plan_add_crowd(weft_cpu_plan *plan, const weft_plan_desc *desc);
/* Attachments of a particle of each part of a block. */
void weft_plan_add_crowd_lra(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass);
/* A bundle of each part of a block, whose edges are counted from the block's first. */
void weft_plan_add_crowd_lines(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                               const weft_line_bundle *bundles);
/* Adds a phase for a pass, cut into a range a member. */
void weft_plan_add_pass(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass);
uint32_t weft_plan_partition_of(const weft_plan_desc *desc, uint32_t particle);
/* Tiles passes [first, end) of the chain; false when that makes no sense, and nothing is added. */
bool weft_plan_add_tiles(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t first,
                         uint32_t end);
/* The particles of an element, and how many. */
uint32_t weft_plan_particles(const weft_memory *memory, const weft_pass *pass, uint32_t element,
                             uint32_t particles[4]);

#endif
