/* self.h: the detection of self-collision on the backend cpu: the passes of a substep's first
 * detection in vectors, over tables of each patch that are made once.
 *
 * A joined model has all of its patches in one table; a patch belongs to one part. */
#ifndef WEFT_CPU_SELF_H
#define WEFT_CPU_SELF_H

#include "backend.h"
#include "base.h"
#include "memory.h"
#include "pushes.h"

enum {
  WEFT_SELF_PLACES = WEFT_SELF_PATCH,
  WEFT_SELF_POINTS = 3 * WEFT_SELF_PATCH /* particles that a patch has at most */
};

/* The particles of a patch, each once, and which of them are the corners of its triangles. What is
 * read in every substep comes first, on boundaries of 64 bytes. */
typedef struct weft_self_table {
  float inverse[4][WEFT_SELF_PLACES];
  uint8_t corners[3][WEFT_SELF_PLACES];
  uint32_t at[WEFT_SELF_POINTS + 16]; /* bytes from x; behind the last the first again */
  uint32_t count;
  /* Bits of triangles: places without one; those with the bits of these names; of each particle,
   * those that it is a corner of. */
  uint64_t empty, tangled, body;
  uint64_t around[WEFT_SELF_POINTS];
  uint64_t unused[4]; /* whole lines */
} weft_self_table;
_Static_assert(sizeof(weft_self_table) % WEFT_CACHE_LINE == 0, "tables fill lines");

/* A patch as it was when its gradients were last looked at: see lanes_patches.h. */
typedef struct weft_self_before {
  float first[3], second[3]; /* its axes */
  float least, most;         /* of self_shapes */
  float size;                /* m: of all coordinates */
  /* The most that a triangle's inverse makes of a vector; 0 where that says nothing of later
   * gradients: particles are many, a triangle is a sliver. */
  float steep;
  bool known;   /* all this is, and where its particles were */
  bool exact;   /* what stands in self_shapes is no bound */
  uint8_t wait; /* looks without a bound to come: here it proves too little */
} weft_self_before;

/* Its particles at the end of their way, component by component. */
typedef struct weft_self_places {
  float at[3][WEFT_SELF_PLACES];
} weft_self_places;

/* A particle that two patches have: which of their particles it is. */
typedef struct weft_self_common {
  uint8_t first, second;
} weft_self_common;

/* Boxes of the triangles of a patch: at the start beside how far they move; what they hold on their
 * way, component by component; what all of them hold. */
typedef struct weft_self_boxes {
  weft_self_node triangles[WEFT_SELF_PLACES];
  float swept[6][WEFT_SELF_PLACES];
  float whole[6];
  uint32_t patch, stamp; /* of which these are */
} weft_self_boxes;

/* What a member of the pool has made of boxes: those of a patch are at its number modulo this. */
enum { WEFT_SELF_KEPT_BOXES = 512 };

/* Boxes of the nodes of all trees, component by component, as a member of the pool has them. */
typedef struct weft_self_tree {
  float *boxes;
  uint32_t stamp;
} weft_self_tree;

typedef struct weft_self_work {
  uint32_t patches, parts, members;
  weft_self_table *tables;
  uint32_t *rays;      /* of all stars that are fans, from the first to the last: bytes from x */
  uint32_t *first_ray; /* of each particle: where its rays begin */
  uint32_t stars;
  weft_self_before *before; /* of each patch */
  weft_self_places *places;
  weft_self_common *common; /* of self_shared */
  uint32_t *order;          /* of pairs of neighbours: those with equally many hulls are together */
  uint32_t neighbours;
  weft_self_tree *trees;  /* [members] */
  size_t tree_stride;     /* from one component to the next */
  weft_self_boxes *boxes; /* [members][WEFT_SELF_KEPT_BOXES] */
  uint32_t substeps;      /* so far */
  bool *whole;            /* of each part: no motion is cut: all shares are whole, all marks 0 */
  weft_pushes pushes;
  bool made;  /* the tables are */
  bool ready; /* nothing was written since the substep began */
  bool lazy;  /* nobody but certificates asks for gradients */
} weft_self_work;

/* As SELF_PART, of a joined model. */
static inline uint32_t weft_self_part_of(const weft_uniforms *u, uint32_t particle) {
  if (particle < u->particle_count) return particle / u->self_cloth;
  return (particle - u->particle_count) / (u->self_particles - u->self_cloth);
}

/* Whether a chain may have this pass more than once. */
bool weft_self_repeats(weft_pass_kind kind);
void weft_self_work_create(weft_self_work *cache, const weft_memory *memory, uint32_t members);
void weft_self_work_free(weft_self_work *cache);
/* Somebody wrote a buffer. */
void weft_self_work_wrote(weft_self_work *cache, weft_buffer_id id);
/* Before the passes of a substep run; lazy: those of all certificates are among them. */
void weft_self_work_begin(weft_self_work *cache, const weft_memory *memory, bool lazy);
/* Elements [first, first+count) of a pass, counted from its own first. */
typedef struct weft_self_range {
  const weft_memory *memory;
  const weft_pass *pass;
  uint32_t substep, first, count;
  uint32_t all;    /* elements of the pass */
  uint32_t member; /* of the pool, who runs this */
} weft_self_range;

/* False: it is no pass of self-collision, or the reference has to run it. */
struct weft_lanes;
bool weft_self_work_run(weft_self_work *cache, const struct weft_lanes *lanes,
                        const weft_self_range *range);

#endif
