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

void weft_self_cache_create(weft_self_cache *cache, const weft_memory *memory) {
  *cache = (weft_self_cache){.margin = -1};
  cache->triangles =
      (uint32_t)(memory->bytes[WEFT_BUFFER_SELF_TRIANGLES] / sizeof(weft_self_triangle));
  if (!cache->triangles) return;
  cache->groups = (cache->triangles - 1) / WEFT_SELF_EIGHT + 1;
  size_t particles = memory->bytes[WEFT_BUFFER_X] / sizeof(vec4);
  cache->seen = weft_alloc(particles, sizeof *cache->seen);
  cache->drift = weft_alloc(cache->groups, sizeof *cache->drift);
  cache->far = weft_alloc(cache->groups, sizeof *cache->far);
  cache->unseen = weft_alloc((size_t)cache->groups * WEFT_SELF_EIGHT, sizeof *cache->unseen);
  cache->most = weft_alloc((cache->groups - 1) / WEFT_SELF_BLOCK + 1, sizeof *cache->most);
  cache->rows = weft_alloc((size_t)cache->groups * WEFT_SELF_ROW_MAX, sizeof *cache->rows);
  cache->lengths = weft_alloc(cache->groups, sizeof *cache->lengths);
  cache->kept = weft_alloc((size_t)cache->groups * WEFT_SELF_KEPT, sizeof *cache->kept);
  cache->kept_counts = weft_alloc(cache->groups, sizeof *cache->kept_counts);
}

void weft_self_cache_free(weft_self_cache *cache) {
  weft_free(cache->seen);
  weft_free(cache->drift);
  weft_free(cache->far);
  weft_free(cache->unseen);
  weft_free(cache->most);
  weft_free(cache->rows);
  weft_free(cache->lengths);
  weft_free(cache->kept);
  weft_free(cache->kept_counts);
  *cache = (weft_self_cache){0};
}

void weft_self_cache_wrote(weft_self_cache *cache, weft_buffer_id id) {
  cache->ready = false;
  cache->whole = false;
  if (weft_buffer_infos[id].use == WEFT_USE_CONSTANT || id == WEFT_BUFFER_UNIFORMS) {
    cache->constants = false;
  }
}

/* The reaches of triangles, and for the margin a third of the mean of how large they are. */
static void keep_constants(weft_self_cache *cache, const weft_memory *memory) {
  const weft_self_triangle *triangles = (const void *)memory->payload[WEFT_BUFFER_SELF_TRIANGLES];
  const vec4 *rest = (const void *)memory->payload[WEFT_BUFFER_SELF_REST];
  const weft_uniforms *u = (const void *)memory->payload[WEFT_BUFFER_UNIFORMS];
  double sum = 0;
  for (uint32_t t = 0; t < cache->triangles; ++t) {
    uvec4 c = triangles[t].corners;
    float reach = fmaxf(rest[c.x].w, fmaxf(rest[c.y].w, rest[c.z].w));
    cache->unseen[t] = reach + u->self_floor;
    sum += (double)triangles[t].rest.w;
  }
  /* Lanes past the last triangle stand for it. */
  for (uint32_t t = cache->triangles; t < cache->groups * WEFT_SELF_EIGHT; ++t) {
    cache->unseen[t] = cache->unseen[cache->triangles - 1];
  }
  cache->usual = (float)(0.5 * sum / cache->triangles);
  cache->margin = -1;
  cache->constants = true;
}

void weft_self_cache_begin(weft_self_cache *cache, const weft_memory *memory) {
  if (cache->looked) {
    bool will_do;
    float margin = weft_self_cache_margin(cache, &will_do);
    if (!will_do) cache->margin = margin; /* the last look has made rows with it */
  }
  cache->looked = false;
  if (!cache->constants) keep_constants(cache, memory);
  cache->next = 0;
  cache->ready = true;
}

float weft_self_cache_margin(const weft_self_cache *cache, bool *will_do) {
  float drift = 0, move = 0;
  for (uint32_t k = 0; k <= (cache->groups - 1) / WEFT_SELF_BLOCK; ++k) {
    drift = fmaxf(drift, cache->most[k].drift);
    move = fmaxf(move, cache->most[k].move);
  }
  /* Both groups of a pair move, and come by half as much again as they are to. */
  *will_do = cache->margin >= 0 && 2 * drift + 3 * move <= 0.99f * cache->margin;
  return cache->usual + 4 * move;
}

/* ---- passes ---- */

static void run_reference(const void *context, uint32_t first, uint32_t count) {
  const weft_self_part *part = context;
  weft_pass pass = *part->pass;
  pass.first = first;
  pass.count = count;
  weft_ref_run(part->memory->payload, &pass, part->substep);
}

/* Whether a pass over particles has nothing to do but what its first element does for all: nothing
 * pushes, or no motion is cut. */
static bool is_for_first_alone(weft_self_cache *cache, const uint32_t *counts,
                               const weft_pass *pass) {
  if (pass->kind == WEFT_PASS_SELF_BEGIN) return cache->whole;
  if (!cache->ready) return false;
  bool closed = counts[WEFT_SELF_AT_FLAGS] != 0;
  if (pass->kind == WEFT_PASS_SELF_APPLY) return closed || counts[WEFT_SELF_AT_PAIRS] == 0;
  return !closed && counts[WEFT_SELF_AT_CHANGED] == 0;
}

static bool run_particles(weft_self_cache *cache, const weft_self_part *part) {
  const uint32_t *counts = (const void *)part->memory->payload[WEFT_BUFFER_SELF_COUNTS];
  bool alone = is_for_first_alone(cache, counts, part->pass);
  if (part->pass->kind == WEFT_PASS_SELF_HOLD && part->first == 0) cache->whole = alone;
  if (alone && part->first == 0) run_reference(part, 0, 1);
  return alone;
}

static weft_self_run run_of(weft_self_cache *cache, const weft_self_part *part) {
  unsigned char *const *at = part->memory->payload;
  return (weft_self_run){.cache = cache,
                         .u = (const void *)at[WEFT_BUFFER_UNIFORMS],
                         .x = (const void *)at[WEFT_BUFFER_X],
                         .x_prev = (const void *)at[WEFT_BUFFER_X_PREV],
                         .rest = (const void *)at[WEFT_BUFFER_SELF_REST],
                         .triangles = (const void *)at[WEFT_BUFFER_SELF_TRIANGLES],
                         .nodes = (void *)at[WEFT_BUFFER_SELF_NODES],
                         .marks = (const void *)at[WEFT_BUFFER_SELF_MARKS],
                         .candidates = (void *)at[WEFT_BUFFER_SELF_CANDIDATES],
                         .pairs = (void *)at[WEFT_BUFFER_SELF_PAIRS],
                         .planes = (void *)at[WEFT_BUFFER_SELF_PLANES],
                         .counts = (void *)at[WEFT_BUFFER_SELF_COUNTS],
                         .pushes = (void *)at[WEFT_BUFFER_SELF_PUSHES],
                         .kept = (void *)at[WEFT_BUFFER_SELF_KEPT],
                         .kept_count = (void *)at[WEFT_BUFFER_SELF_KEPT_COUNT],
                         .heads = (const void *)at[WEFT_BUFFER_SELF_HEADS],
                         .next = (const void *)at[WEFT_BUFFER_SELF_NEXT],
                         .look = part->pass->look,
                         .alone = part->alone,
                         .reference = run_reference,
                         .context = part};
}

bool weft_self_cache_run(weft_self_cache *cache, const weft_lanes *lanes,
                         const weft_self_part *part) {
  const weft_pass *pass = part->pass;
  const weft_self_run run = run_of(cache, part);
  uint32_t first = pass->first + part->first, count = part->count;
  bool closed = run.counts[WEFT_SELF_AT_FLAGS] != 0; /* then nothing pushes */
  switch (pass->kind) {
    case WEFT_PASS_SELF_BEGIN:
    case WEFT_PASS_SELF_APPLY:
    case WEFT_PASS_SELF_CHECK:
    case WEFT_PASS_SELF_HOLD:
      return run_particles(cache, part);
    case WEFT_PASS_SELF_LEAF: /* a further look is the reference's */
      if (pass->look || pass->first || first % (WEFT_SELF_EIGHT * WEFT_SELF_BLOCK)) return false;
      if (count) lanes->self_leaf(&run, first, count);
      return true;
    case WEFT_PASS_SELF_REFIT:
      lanes->self_refit(&run, pass, first, count);
      return true;
    case WEFT_PASS_SELF_QUERY:
      if (pass->look || !cache->ready || cache->groups < 2) return false;
      lanes->self_query(&run);
      if (part->first == 0) cache->looked = true;
      return true;
    case WEFT_PASS_SELF_PLANE:
      lanes->self_planes(&run, first, count);
      return true;
    case WEFT_PASS_SELF_AIM:
      if (!closed) lanes->self_aim(&run, first, count);
      return true;
    case WEFT_PASS_SELF_COUNT:
      if (!closed) lanes->self_count(&run, first, count);
      return true;
    case WEFT_PASS_SELF_PUSH:
      if (!closed) lanes->self_push(&run, first, count);
      return true;
    case WEFT_PASS_SELF_KEEP:
      if (!closed) lanes->self_keep(&run, first, count);
      return true;
    default:
      return false;
  }
}
