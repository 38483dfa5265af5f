/* self.c: what looks keep for each other. */
#include "self.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "lanes.h"
#include "ref.h"

bool weft_self_repeats(weft_pass_kind kind) {
  return kind == WEFT_PASS_SELF_COUNT || kind == WEFT_PASS_SELF_PUSH ||
         kind == WEFT_PASS_SELF_APPLY || kind == WEFT_PASS_SELF_LIMIT;
}

static void create_part(weft_self_cache *cache, uint32_t triangles, vec4 *seen) {
  *cache = (weft_self_cache){.triangles = triangles, .seen = seen};
  cache->groups = (triangles - 1) / WEFT_SELF_EIGHT + 1;
  cache->corners = weft_alloc(cache->groups, sizeof *cache->corners);
  cache->drift = weft_alloc(cache->groups, sizeof *cache->drift);
  cache->rounding = weft_alloc(cache->groups, sizeof *cache->rounding);
  cache->own = weft_alloc(cache->groups, sizeof *cache->own);
  cache->unseen = weft_alloc((size_t)cache->groups * WEFT_SELF_EIGHT, sizeof *cache->unseen);
  cache->most = weft_alloc((cache->groups - 1) / WEFT_SELF_BLOCK + 1, sizeof *cache->most);
}

static void free_rows(weft_self_cache *cache) {
  weft_free(cache->rows);
  weft_free(cache->entries);
  weft_free(cache->records);
  weft_free(cache->slacks);
}

/* Triangles of bodies can be much smaller than those of cloth: then many of their groups are about
 * one of cloth. */
static uint32_t room_for_bodies(const weft_self_cache *cache) {
  uint64_t bodies = cache->groups - cache->cloth_groups;
  uint64_t room = bodies * WEFT_SELF_BESIDE / (cache->cloth_groups ? cache->cloth_groups : 1);
  if (room < WEFT_SELF_ROW_LEAST) return WEFT_SELF_ROW_LEAST;
  return room < WEFT_SELF_ROW_MAX ? (uint32_t)room : WEFT_SELF_ROW_MAX;
}

static void create_rows(weft_self_cache *cache) {
  size_t count = (size_t)cache->cloth_groups * cache->sides, at = 0;
  uint32_t sides = cache->sides;
  cache->row_groups = cache->cloth_groups;
  cache->room[WEFT_SELF_CLOTH] = WEFT_SELF_ROW_LEAST;
  cache->room[WEFT_SELF_BODIES] = sides == WEFT_SELF_SIDES ? room_for_bodies(cache) : 0;
  size_t room = (size_t)cache->cloth_groups * (WEFT_SELF_ROW_LEAST + cache->room[WEFT_SELF_BODIES]);
  cache->rows = weft_alloc(count, sizeof *cache->rows);
  cache->entries = weft_alloc(room, sizeof *cache->entries);
  cache->records = weft_alloc(room * WEFT_SELF_KEPT, sizeof *cache->records);
  cache->slacks = weft_alloc(room * WEFT_SELF_KEPT, sizeof *cache->slacks);
  for (size_t k = 0; k < count; ++k) {
    uint32_t own = cache->room[k % sides];
    cache->rows[k] = (weft_self_row){.entries = cache->entries + at,
                                     .list = {.records = cache->records + at * WEFT_SELF_KEPT,
                                              .slacks = cache->slacks + at * WEFT_SELF_KEPT,
                                              .room = own * WEFT_SELF_KEPT,
                                              .scale = WEFT_SELF_SCALE}};
    at += own;
  }
}

/* Rows are empty, and as many as there is cloth: a step makes them anew only after what is cloth
 * was written. */
static void empty_rows(weft_self_cache *cache) {
  uint32_t sides = cache->cloth_groups * WEFT_SELF_EIGHT < cache->triangles ? WEFT_SELF_SIDES : 1;
  if (cache->row_groups != cache->cloth_groups || cache->sides != sides) {
    free_rows(cache);
    cache->sides = sides;
    create_rows(cache);
  }
  for (size_t k = 0; k < (size_t)cache->row_groups * sides; ++k) {
    cache->rows[k].margin = -1;
    cache->rows[k].part = 1;
  }
}

void weft_self_cache_free(weft_self_caches *caches) {
  for (uint32_t p = 0; p < caches->parts; ++p) {
    weft_self_cache *cache = &caches->of[p];
    weft_free(cache->corners);
    weft_free(cache->drift);
    weft_free(cache->rounding);
    weft_free(cache->own);
    weft_free(cache->unseen);
    weft_free(cache->most);
    free_rows(cache);
  }
  weft_pushes_free(&caches->pushes);
  weft_free(caches->of);
  weft_free(caches->seen);
  *caches = (weft_self_caches){0};
}

void weft_self_cache_wrote(weft_self_caches *caches, weft_buffer_id id) {
  caches->ready = false;
  weft_pushes_wrote(&caches->pushes);
  for (uint32_t p = 0; p < caches->parts; ++p) {
    caches->of[p].whole = false;
    if (id != WEFT_BUFFER_SUBSTEPS && id != WEFT_BUFFER_COLLIDERS) caches->of[p].still = 0;
  }
  if (weft_buffer_infos[id].use == WEFT_USE_CONSTANT || id == WEFT_BUFFER_UNIFORMS) {
    caches->constants = false;
  }
}

/* Behind the particles. */
static vec4 distances_of(const weft_memory *memory, uint32_t part) {
  const weft_uniforms *u = (const void *)memory->payload[WEFT_BUFFER_UNIFORMS];
  const vec4 *rest = (const void *)memory->payload[WEFT_BUFFER_SELF_REST];
  uint64_t at = (uint64_t)u->self_particles * u->self_parts + part;
  return at < memory->bytes[WEFT_BUFFER_SELF_REST] / sizeof *rest ? rest[at] : (vec4){0};
}

static uint8_t keep_corner(weft_self_corners *corners, uint32_t particle) {
  uint32_t bytes = particle * (uint32_t)sizeof(vec4), k = 0;
  while (k < corners->count && corners->at[k] != bytes) ++k;
  if (k == corners->count) corners->at[corners->count++] = bytes;
  return (uint8_t)k;
}

static void keep_corners(weft_self_cache *cache, const weft_self_triangle *triangles) {
  for (uint32_t g = 0; g < cache->groups; ++g) {
    weft_self_corners *corners = &cache->corners[g];
    *corners = (weft_self_corners){0};
    for (uint32_t t = g * WEFT_SELF_EIGHT; t < cache->triangles; ++t) {
      if (corners->triangles == WEFT_SELF_EIGHT) break;
      uvec4 c = triangles[t].corners;
      uint8_t *of = &corners->of[3 * corners->triangles++];
      of[0] = keep_corner(corners, c.x);
      of[1] = keep_corner(corners, c.y);
      of[2] = keep_corner(corners, c.z);
    }
  }
}

/* The reaches of triangles, and for the margin a third of the mean of how large they are. */
static void keep_constants(weft_self_cache *cache, const weft_memory *memory, uint32_t part) {
  const weft_self_triangle *triangles = (const void *)memory->payload[WEFT_BUFFER_SELF_TRIANGLES];
  const vec4 *rest = (const void *)memory->payload[WEFT_BUFFER_SELF_REST];
  float least = distances_of(memory, part).y;
  double sum = 0;
  triangles += (size_t)part * cache->triangles;
  cache->cloth_triangles = 0;
  for (uint32_t t = 0; t < cache->triangles; ++t) {
    uvec4 c = triangles[t].corners;
    float reach = fmaxf(rest[c.x].w, fmaxf(rest[c.y].w, rest[c.z].w));
    cache->unseen[t] = reach + least;
    if (c.w & WEFT_SELF_BODY) continue;
    sum += (double)triangles[t].rest.w;
    ++cache->cloth_triangles;
  }
  /* Lanes past the last triangle stand for it. */
  for (uint32_t t = cache->triangles; t < cache->groups * WEFT_SELF_EIGHT; ++t) {
    cache->unseen[t] = cache->unseen[cache->triangles - 1];
  }
  cache->cloth_groups = (cache->cloth_triangles + WEFT_SELF_EIGHT - 1) / WEFT_SELF_EIGHT;
  cache->still = 0;
  cache->usual = (float)(0.5 * sum / (cache->cloth_triangles ? cache->cloth_triangles : 1));
  keep_corners(cache, triangles);
  empty_rows(cache);
}

static void keep_all_constants(weft_self_caches *caches, const weft_memory *memory) {
  for (uint32_t p = 0; p < caches->parts; ++p) keep_constants(&caches->of[p], memory, p);
  caches->constants = true;
}

void weft_self_cache_create(weft_self_caches *caches, const weft_memory *memory, uint32_t members) {
  const weft_uniforms *u = (const void *)memory->payload[WEFT_BUFFER_UNIFORMS];
  *caches = (weft_self_caches){.parts = u->self_parts > 1 ? u->self_parts : 1};
  caches->of = weft_alloc(caches->parts, sizeof *caches->of);
  uint64_t triangles = memory->bytes[WEFT_BUFFER_SELF_TRIANGLES] / sizeof(weft_self_triangle);
  if (!triangles) return;
  weft_pushes_create(&caches->pushes, memory, members);
  caches->seen = weft_alloc(memory->bytes[WEFT_BUFFER_X] / sizeof(vec4), sizeof *caches->seen);
  for (uint32_t p = 0; p < caches->parts; ++p) {
    create_part(&caches->of[p], (uint32_t)(triangles / caches->parts), caches->seen);
  }
  keep_all_constants(caches, memory);
}

void weft_self_cache_begin(weft_self_caches *caches, const weft_memory *memory, bool moves) {
  if (!caches->constants) keep_all_constants(caches, memory);
  for (uint32_t p = 0; p < caches->parts; ++p) {
    caches->of[p].next = 0;
    caches->of[p].still = moves ? 0 : caches->of[p].still + 1;
  }
  caches->ready = true;
}

/* A block of both counts for both. */
weft_self_most weft_self_cache_most(const weft_self_cache *cache, uint32_t side) {
  bool bodies = side == WEFT_SELF_BODIES;
  uint32_t first = bodies ? cache->cloth_groups / WEFT_SELF_BLOCK : 0;
  uint32_t end = ((bodies ? cache->groups : cache->cloth_groups) - 1) / WEFT_SELF_BLOCK + 1;
  weft_self_most most = {0, 0};
  for (uint32_t k = first; k < end; ++k) {
    most.drift = fmaxf(most.drift, cache->most[k].drift);
    most.move = fmaxf(most.move, cache->most[k].move);
  }
  return most;
}

/* ---- passes ---- */

static void run_reference(const void *context, uint32_t first, uint32_t count) {
  const weft_self_range *range = context;
  weft_pass pass = *range->pass;
  pass.first = first;
  pass.count = count;
  weft_ref_run(range->memory->payload, &pass, range->substep);
}

static uint32_t *counts_of(const weft_self_range *range, uint32_t part) {
  uint32_t *counts = (void *)range->memory->payload[WEFT_BUFFER_SELF_COUNTS];
  return counts + (size_t)part * WEFT_SELF_COUNTS;
}

static weft_self_run run_of(weft_self_caches *caches, const weft_self_range *range, uint32_t part) {
  unsigned char *const *at = range->memory->payload;
  const weft_uniforms *u = (const void *)at[WEFT_BUFFER_UNIFORMS];
  weft_self_cache *cache = &caches->of[part];
  vec4 distances = distances_of(range->memory, part);
  size_t triangle = (size_t)part * cache->triangles, node = (size_t)part * u->self_nodes;
  return (weft_self_run){
      .cache = cache,
      .u = u,
      .x = (void *)at[WEFT_BUFFER_X],
      .x_prev = (const void *)at[WEFT_BUFFER_X_PREV],
      .rest = (const void *)at[WEFT_BUFFER_SELF_REST],
      .triangles =
          (const weft_self_triangle *)(const void *)at[WEFT_BUFFER_SELF_TRIANGLES] + triangle,
      .first_triangle = (uint32_t)triangle,
      .first_particle = part * u->self_particles,
      .cloth_particles = caches->parts > 1 ? u->self_particles : u->particle_count,
      .nodes = (weft_self_node *)(void *)at[WEFT_BUFFER_SELF_NODES] + node,
      .marks = (const void *)at[WEFT_BUFFER_SELF_MARKS],
      .candidates = (void *)at[WEFT_BUFFER_SELF_CANDIDATES],
      .pairs = (void *)at[WEFT_BUFFER_SELF_PAIRS],
      .planes = (void *)at[WEFT_BUFFER_SELF_PLANES],
      .counts = counts_of(range, 0),
      .own = counts_of(range, part),
      .all = counts_of(range, caches->parts > 1 ? caches->parts : 0),
      .thickness = distances.x,
      .least = distances.y,
      .on_cloth = distances.z,
      .bodies = u->self_particles * u->self_parts > u->particle_count,
      .pushes = (void *)at[WEFT_BUFFER_SELF_PUSHES],
      .kept = (void *)at[WEFT_BUFFER_SELF_KEPT],
      .kept_count = (void *)at[WEFT_BUFFER_SELF_KEPT_COUNT],
      .heads = (const void *)at[WEFT_BUFFER_SELF_HEADS],
      .next = (const void *)at[WEFT_BUFFER_SELF_NEXT],
      .look = range->pass->look,
      .packed = &caches->pushes,
      .member = range->member,
      .reference = run_reference,
      .context = range};
}

/* Those of a range that are of one part, which has `each` of them: the part, and elements counted
 * from its first. */
typedef struct slice {
  uint32_t part, first, end;
} slice;

/* The first slice of elements [first, end) of all parts. */
static slice slice_of(const weft_self_caches *caches, uint32_t each, uint32_t first, uint32_t end) {
  if (caches->parts == 1) return (slice){0, first, end};
  uint32_t part = first / each, begin = part * each;
  return (slice){part, first - begin, end - begin < each ? end - begin : each};
}

/* Whether a pass over particles has nothing to do but what its first element does for all: nothing
 * pushes, or no motion is cut. */
static bool is_for_first_alone(const weft_self_caches *caches, const weft_self_range *range,
                               uint32_t part) {
  const uint32_t *counts = counts_of(range, part);
  const weft_pass *pass = range->pass;
  if (pass->kind == WEFT_PASS_SELF_BEGIN) return caches->of[part].whole;
  if (!caches->ready) return false;
  bool closed = counts[WEFT_SELF_AT_FLAGS] != 0;
  if (pass->kind == WEFT_PASS_SELF_APPLY) return closed || counts[WEFT_SELF_AT_PAIRS] == 0;
  return !closed && counts[WEFT_SELF_AT_CHANGED] == 0;
}

/* Whether sums of a member are not in self_pushes. */
static void note_apart(weft_pushes *pushes, bool apart) {
  __atomic_store_n(&pushes->apart, apart, __ATOMIC_RELAXED); /* the same by all members */
}

static void run_particles(weft_self_caches *caches, const weft_lanes *lanes,
                          const weft_self_range *range, uint32_t first, uint32_t end) {
  const weft_uniforms *u = (const void *)range->memory->payload[WEFT_BUFFER_UNIFORMS];
  while (first < end) {
    slice s = slice_of(caches, u->self_particles, first, end);
    bool alone = is_for_first_alone(caches, range, s.part);
    if (range->pass->kind == WEFT_PASS_SELF_BEGIN && first == 0)
      weft_pushes_forget(&caches->pushes);
    if (range->pass->kind == WEFT_PASS_SELF_HOLD && s.first == 0) caches->of[s.part].whole = alone;
    uint32_t count = alone ? s.first == 0 : s.end - s.first, done = 0;
    if (range->pass->kind == WEFT_PASS_SELF_APPLY && count) {
      const weft_self_run run = run_of(caches, range, s.part);
      done = lanes->self_apply(&run, first, count);
    }
    if (range->pass->kind == WEFT_PASS_SELF_APPLY) note_apart(&caches->pushes, false);
    if (count > done) run_reference(range, first + done, count - done);
    first += s.end - s.first;
  }
}

/* Groups share places by blocks, so a block is whole: that of whoever has its first triangle. */
static void run_leaves(weft_self_caches *caches, const weft_lanes *lanes,
                       const weft_self_range *range, uint32_t first, uint32_t end) {
  enum { BLOCK = WEFT_SELF_EIGHT * WEFT_SELF_BLOCK };
  while (first < end) {
    uint32_t triangles = caches->of[0].triangles;
    slice s = slice_of(caches, triangles, first, end);
    uint32_t begin = (s.first + BLOCK - 1) / BLOCK * BLOCK;
    uint32_t stop = (s.end + BLOCK - 1) / BLOCK * BLOCK;
    if (stop > triangles) stop = triangles;
    const weft_self_run run = run_of(caches, range, s.part);
    if (begin < stop) lanes->self_leaf(&run, begin, stop - begin);
    first += s.end - s.first;
  }
}

/* Nodes of a level, so many in a tree, that bodies at rest alone are in: from which on. */
static uint32_t nodes_seen(const weft_self_cache *cache, uint32_t each) {
  if (!weft_self_bodies_rest(cache)) return each;
  uint32_t count = cache->triangles, seen = weft_self_blocks_seen(cache) * WEFT_SELF_EIGHT;
  while (count > each) {
    count = (count - 1) / WEFT_SELF_FAN + 1;
    seen = (seen - 1) / WEFT_SELF_FAN + 1;
  }
  return seen < each ? seen : each;
}

static void run_refit(weft_self_caches *caches, const weft_lanes *lanes,
                      const weft_self_range *range, uint32_t first, uint32_t end) {
  const weft_pass *pass = range->pass;
  uint32_t each = (pass->level_first - pass->below_first - 1) / WEFT_SELF_FAN + 1;
  while (first < end) {
    slice s = slice_of(caches, each, first, end);
    const weft_self_run run = run_of(caches, range, s.part);
    uint32_t stop = nodes_seen(&caches->of[s.part], each);
    if (stop > s.end) stop = s.end;
    if (s.first < stop) {
      lanes->self_refit(&run, pass, pass->level_first + s.first, stop - s.first);
    }
    first += s.end - s.first;
  }
}

/* Members begin with different parts, and go on with those that others have not finished. */
static void run_query(weft_self_caches *caches, const weft_lanes *lanes,
                      const weft_self_range *range) {
  uint32_t start = caches->parts > 1 ? range->first / caches->of[0].triangles : 0;
  for (uint32_t k = 0; k < caches->parts; ++k) {
    const weft_self_run run = run_of(caches, range, (start + k) % caches->parts);
    lanes->self_query(&run);
  }
}

/* Whether nothing pushes; of several parts, some of which may push: run->closed. */
static bool all_closed(const weft_self_caches *caches, const weft_self_range *range,
                       weft_self_run *run) {
  if (caches->parts == 1) return run->own[WEFT_SELF_AT_FLAGS] != 0;
  for (uint32_t p = 0; p < caches->parts && !run->closed; ++p) {
    run->closed = counts_of(range, p)[WEFT_SELF_AT_FLAGS] != 0;
  }
  return false;
}

static void run_pushes(weft_self_caches *caches, const weft_lanes *lanes,
                       const weft_self_range *range, uint32_t first) {
  weft_self_run run = run_of(caches, range, 0);
  if (all_closed(caches, range, &run)) return;
  uint32_t kind = range->pass->kind;
  if (kind == WEFT_PASS_SELF_COUNT && caches->pushes.members > 1) note_apart(&caches->pushes, true);
  (kind == WEFT_PASS_SELF_AIM     ? lanes->self_aim
   : kind == WEFT_PASS_SELF_COUNT ? lanes->self_count
   : kind == WEFT_PASS_SELF_PUSH  ? lanes->self_push
                                  : lanes->self_keep)(&run, first, range->count);
}

bool weft_self_cache_run(weft_self_caches *caches, weft_self_lanes by,
                         const weft_self_range *range) {
  const weft_pass *pass = range->pass;
  const weft_lanes *lanes = by.groups;
  uint32_t first = pass->first + range->first, end = first + range->count;
  switch (pass->kind) {
    case WEFT_PASS_SELF_BEGIN:
    case WEFT_PASS_SELF_APPLY:
    case WEFT_PASS_SELF_CHECK:
    case WEFT_PASS_SELF_HOLD:
      run_particles(caches, by.pairs, range, first, end);
      return true;
    case WEFT_PASS_SELF_LEAF: /* a further look is the reference's */
      if (pass->look || pass->first) return false;
      run_leaves(caches, lanes, range, first, end);
      return true;
    case WEFT_PASS_SELF_REFIT: {
      run_refit(caches, lanes, range, first - pass->level_first, end - pass->level_first);
      return true;
    }
    case WEFT_PASS_SELF_QUERY:
      if (pass->look || !caches->ready || caches->of[0].groups < 2) return false;
      run_query(caches, lanes, range);
      return true;
    case WEFT_PASS_SELF_PLANE: {
      const weft_self_run run = run_of(caches, range, 0);
      by.pairs->self_planes(&run, first, range->count);
      return true;
    }
    case WEFT_PASS_SELF_ENTER:
      weft_pushes_enter(&caches->pushes, range->memory, first, range->count, range->all);
      return true;
    case WEFT_PASS_SELF_LEAVE:
      return weft_pushes_leave(&caches->pushes, range->memory, first, range->count, range->all);
    case WEFT_PASS_SELF_AIM:
    case WEFT_PASS_SELF_COUNT:
    case WEFT_PASS_SELF_PUSH:
    case WEFT_PASS_SELF_KEEP:
      run_pushes(caches, by.pairs, range, first);
      return true;
    default:
      return false;
  }
}
