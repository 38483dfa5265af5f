/* self.h: the look of self-collision on the backend cpu, with work kept from substep to substep.
 *
 * The passes find what they find everywhere; this finds the same with less work. Eight triangles in
 * a row are a group. Each group of cloth has a row of others of cloth behind it that it could meet
 * soon, and a row of those of bodies, which move against it in another way. When two groups are
 * compared, features that are close are kept in a list, each with its slack: how much the groups
 * may move against each other before it could be a candidate. The entry of the row has the slack of
 * all others. A look takes from slacks what has moved since the last look, tests the features of
 * the list whose slack does not last, and compares groups again where that of the entry does not. A
 * row is made anew when groups could meet that are not in it. Slacks come from the kernels' own
 * criteria, by how fast these can change.
 *
 * A joined model has a cache for each of its parts. Triangles, nodes and groups count from the
 * first of the part, particles from the first of all.
 */
#ifndef WEFT_CPU_SELF_H
#define WEFT_CPU_SELF_H

#include "backend.h"
#include "memory.h"
#include "pushes.h"

enum {
  WEFT_SELF_EIGHT = 8,      /* triangles: WEFT_SELF_FAN */
  WEFT_SELF_ROW_LEAST = 88, /* groups that every row has room for: of an odd count of lines */
  WEFT_SELF_ROW_MAX = 4096, /* that any row has; groups with more about them keep nothing */
  WEFT_SELF_BESIDE = 16,    /* rows of bodies have room for so many of cloth about one of a body */
  WEFT_SELF_KEPT = 6,       /* features that a row keeps at most, for each group of its room */
  WEFT_SELF_BLOCK = 8       /* groups that share a place in weft_self_cache.most */
};
#define WEFT_SELF_FULL UINT32_MAX

/* Features are worth keeping that could be candidates within so many looks, and within so much of
 * the usual margin. */
#define WEFT_SELF_LOOKS_KEPT 60.0f
#define WEFT_SELF_SCALE 0.7f

/* Slacks that are not known are below 0. */
#define WEFT_SELF_UNKNOWN (-0.5f)

/* A feature that is kept: the other group, and from the lowest bit on: which triangle of the own
 * group, which of the other, which of their pairs of features, and whether they are near each other
 * at rest. */
#define WEFT_SELF_RECORD(own, other, feature, near) \
  ((own) | (other) << 3 | (feature) << 6 | (near) << 10)
#define WEFT_SELF_RECORD_GROUP 11
#define WEFT_SELF_RECORD_GROUPS (1u << 21)

/* The group, and whether features are kept with it. */
#define WEFT_SELF_GROUP_OF(entry) ((entry).group & ~WEFT_SELF_KEEPS)
#define WEFT_SELF_KEEPS (1u << 31)

typedef struct weft_self_entry {
  uint32_t group;
  float slack; /* m, of features that are not kept */
} weft_self_entry;

/* What a row keeps. */
typedef struct weft_self_list {
  uint32_t *records;
  float *slacks;
  uint32_t count, room;
  float least; /* m: none has less slack */
  float spent; /* m: of all of it, but not taken from it yet */
  float scale; /* how much of the usual slack is worth keeping */
  bool full;
} weft_self_list;

typedef struct weft_self_row {
  weft_self_entry *entries;
  float margin;    /* m: others were farther away when it was made; below 0: it is not */
  float far;       /* m: since then its group and others can have come nearer by this */
  float part;      /* of the margin that it is asked for, so that it has room for what is found */
  uint32_t length; /* WEFT_SELF_FULL: too long */
  weft_self_list list;
} weft_self_row;

/* What a row is of. */
enum { WEFT_SELF_CLOTH, WEFT_SELF_BODIES, WEFT_SELF_SIDES };

/* How far the particles of a group have moved since the last look, component by component. */
typedef struct weft_self_drift {
  vec4 low;
  vec4 high;
} weft_self_drift;

/* The particles of a group, each once, by bytes from the first of all, and which of them are the
 * corners of its triangles. */
typedef struct weft_self_corners {
  uint32_t at[3 * WEFT_SELF_EIGHT];
  uint8_t of[3 * WEFT_SELF_EIGHT];
  uint32_t count, triangles;
} weft_self_corners;

/* How far a group comes against the reference particle, or the farthest of some: since the last
 * look, and in this substep. */
typedef struct weft_self_most {
  float drift, move;
} weft_self_most;

typedef struct weft_self_cache {
  uint32_t triangles, groups;
  uint32_t cloth_triangles,
      cloth_groups; /* behind them are those of bodies alone, which look for nobody */
  uint32_t still;   /* looks in a row in which no body moved */
  vec4 *seen;       /* particles where the last look saw them; all parts have the same array */
  weft_self_corners *corners; /* of each group */
  weft_self_drift *drift;
  weft_self_most *own;            /* of each group */
  float *rounding;                /* of each group: the most of its triangles' */
  float *unseen;                  /* of each triangle: low.w of its node */
  weft_self_most *most;           /* of each WEFT_SELF_BLOCK groups */
  weft_self_row *rows;            /* of groups of cloth: `sides` each */
  uint32_t sides;                 /* WEFT_SELF_SIDES, or WEFT_SELF_CLOTH alone: 1 */
  uint32_t row_groups;            /* groups that there are rows for */
  uint32_t room[WEFT_SELF_SIDES]; /* of their rows */
  weft_self_entry *entries;       /* of all rows */
  uint32_t *records;
  float *slacks;
  float usual;   /* margin of slow cloth */
  uint32_t next; /* group that nobody has taken yet */
  bool whole;    /* no motion is cut: all shares are whole, all marks 0 */
} weft_self_cache;

typedef struct weft_self_caches {
  weft_self_cache *of; /* a part each */
  uint32_t parts;
  vec4 *seen;
  weft_pushes pushes;
  bool constants; /* unseen and usual are up to date */
  bool ready;     /* drift, most and next are of this look */
} weft_self_caches;

/* Whether a chain may have this pass more than once. */
bool weft_self_repeats(weft_pass_kind kind);
void weft_self_cache_create(weft_self_caches *caches, const weft_memory *memory, uint32_t members);
void weft_self_cache_free(weft_self_caches *caches);
/* Somebody wrote a buffer. */
void weft_self_cache_wrote(weft_self_caches *caches, weft_buffer_id id);
/* Before the passes of a look run, in a substep in which bodies move or not. */
void weft_self_cache_begin(weft_self_caches *caches, const weft_memory *memory, bool moves);
/* Elements [first, first+count) of a pass, counted from its own first. */
typedef struct weft_self_range {
  const weft_memory *memory;
  const weft_pass *pass;
  uint32_t substep, first, count;
  uint32_t all;    /* elements of the pass */
  uint32_t member; /* of the pool, who runs this */
} weft_self_range;

/* Those for groups of triangles, and for pairs. */
struct weft_lanes;
typedef struct weft_self_lanes {
  const struct weft_lanes *groups, *pairs;
} weft_self_lanes;

/* False: it is no pass of self-collision, or the reference has to run it. */
bool weft_self_cache_run(weft_self_caches *caches, weft_self_lanes by,
                         const weft_self_range *range);
/* Boxes and drifts of bodies that stood still in the last two looks are those that they had. */
static inline bool weft_self_bodies_rest(const weft_self_cache *cache) { return cache->still > 2; }
/* Groups that a look has to see, and those whose boxes it makes, in whole blocks. */
static inline uint32_t weft_self_groups_seen(const weft_self_cache *cache) {
  return weft_self_bodies_rest(cache) ? cache->cloth_groups : cache->groups;
}
static inline uint32_t weft_self_blocks_seen(const weft_self_cache *cache) {
  uint32_t blocks = (weft_self_groups_seen(cache) + WEFT_SELF_BLOCK - 1) / WEFT_SELF_BLOCK;
  return blocks * WEFT_SELF_BLOCK;
}
/* The row of a group of cloth. */
static inline weft_self_row *weft_self_row_of(const weft_self_cache *cache, uint32_t group,
                                              uint32_t side) {
  return &cache->rows[(size_t)group * cache->sides + side];
}
/* Of all groups of cloth, or of bodies. */
weft_self_most weft_self_cache_most(const weft_self_cache *cache, uint32_t side);

#endif
