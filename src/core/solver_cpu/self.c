/* self.c: which passes of self-collision run in vectors, and the tables they read. */
#include "self.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "lanes.h"
#include "ref.h"

bool weft_self_repeats(weft_pass_kind kind) {
  return kind == WEFT_PASS_SELF_WEIGH || kind == WEFT_PASS_SELF_REPEL ||
         kind == WEFT_PASS_SELF_APPLY || kind == WEFT_PASS_SELF_TRUNCATE;
}

/* ---- tables of patches ---- */

static uint8_t add_point(weft_self_table *table, uint32_t particle) {
  uint32_t bytes = particle * (uint32_t)sizeof(vec4), k = 0;
  while (k < table->count && table->at[k] != bytes) ++k;
  if (k == table->count) table->at[table->count++] = bytes;
  return (uint8_t)k;
}

static void note_triangle(weft_self_table *table, uint32_t k, uint32_t bits) {
  uint64_t bit = (uint64_t)1 << k;
  if (bits & WEFT_SELF_EMPTY) {
    table->empty |= bit;
    return;
  }
  if (bits & WEFT_SELF_TANGLED) table->tangled |= bit;
  if (bits & WEFT_SELF_BODY) table->body |= bit;
  for (uint32_t c = 0; c < 3; ++c) table->around[table->corners[c][k]] |= bit;
}

/* The most that a triangle's inverse makes of a vector, a little more; infinite for a sliver. */
static double steepness(const weft_self_triangle *t) {
  double a = (double)t->inverse.x, b = (double)t->inverse.y;
  double c = (double)t->inverse.z, d = (double)t->inverse.w;
  double along = hypot(a + d, b - c), across = hypot(a - d, b + c);
  double most = 0.5 * (along + across), least = 0.5 * fabs(along - across);
  return least * 512 > most ? most * (1 + 1e-6) : HUGE_VAL;
}

static float steepest(const weft_self_table *table, const weft_self_triangle *triangles) {
  double most = 0;
  for (uint32_t k = 0; k < WEFT_SELF_PLACES; ++k) {
    if (triangles[k].flags & WEFT_SELF_EMPTY) continue;
    most = fmax(most, steepness(&triangles[k]));
  }
  return table->count <= WEFT_SELF_PLACES && most < 1e30 ? (float)most : 0;
}

static void make_table(weft_self_table *table, const weft_self_triangle *triangles) {
  table->count = 0;
  table->empty = table->tangled = table->body = 0;
  memset(table->around, 0, sizeof table->around);
  for (uint32_t k = 0; k < WEFT_SELF_PLACES; ++k) {
    const weft_self_triangle *t = &triangles[k];
    const uint32_t corners[3] = {t->corners.x, t->corners.y, t->corners.z};
    for (uint32_t c = 0; c < 3; ++c) table->corners[c][k] = add_point(table, corners[c]);
    note_triangle(table, k, t->flags);
    table->inverse[0][k] = t->inverse.x;
    table->inverse[1][k] = t->inverse.y;
    table->inverse[2][k] = t->inverse.z;
    table->inverse[3][k] = t->inverse.w;
  }
  for (uint32_t k = table->count; k < table->count + 16; ++k) table->at[k] = table->at[0];
}

/* ---- rays of stars ---- */

static uint32_t corner_of(const weft_self_triangle *triangles, uint32_t fan, uint32_t by) {
  const weft_uvec3 *corners = &triangles[fan >> 2].corners;
  const uint32_t three[3] = {corners->x, corners->y, corners->z};
  return three[((fan & 3) + by) % 3];
}

/* Rays of a fan: one more than triangles; the last of a closed one is the first again. Returns how
 * many; those of others are not needed. */
static uint32_t put_rays(const weft_memory *memory, const weft_self_star *star, uint32_t *rays) {
  const weft_self_triangle *triangles = (const void *)memory->payload[WEFT_BUFFER_SELF_TRIANGLES];
  const uint32_t *fans = (const void *)memory->payload[WEFT_BUFFER_SELF_FANS];
  if (star->kind == WEFT_SELF_FAN_NONE) return 0;
  for (uint32_t k = 0; rays && k <= star->count; ++k) {
    uint32_t by = k < star->count ? 1 : 2, fan = fans[star->first + k - (by - 1)];
    rays[k] = corner_of(triangles, fan, by) * (uint32_t)sizeof(vec4);
  }
  return star->count + 1;
}

static void make_rays(weft_self_work *cache, const weft_memory *memory) {
  const weft_self_star *stars = (const void *)memory->payload[WEFT_BUFFER_SELF_STARS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < cache->stars; ++i) {
    cache->first_ray[i] = count;
    count += put_rays(memory, &stars[i], NULL);
  }
  weft_free(cache->rays);
  cache->rays = weft_alloc(count + 1, sizeof *cache->rays);
  for (uint32_t i = 0; i < cache->stars; ++i) {
    put_rays(memory, &stars[i], &cache->rays[cache->first_ray[i]]);
  }
}

/* ---- tables ---- */

static uint8_t point_of(const weft_self_table *table, uint32_t particle) {
  uint32_t bytes = particle * (uint32_t)sizeof(vec4), k = 0;
  while (k + 1 < table->count && table->at[k] != bytes) ++k;
  return (uint8_t)k;
}

static void make_common(weft_self_work *cache, const weft_memory *memory) {
  const weft_self_adjacent *beside = (const void *)memory->payload[WEFT_BUFFER_SELF_ADJACENT];
  const uint32_t *shared = (const void *)memory->payload[WEFT_BUFFER_SELF_SHARED];
  for (const weft_self_adjacent *b = beside; b < beside + cache->neighbours; ++b) {
    for (uint32_t k = b->particles; k < b->particles + b->particle_count; ++k) {
      cache->common[k] = (weft_self_common){point_of(&cache->tables[b->first], shared[k]),
                                            point_of(&cache->tables[b->second], shared[k])};
    }
  }
}

static void make_order(weft_self_work *cache, const weft_memory *memory) {
  const weft_self_adjacent *beside = (const void *)memory->payload[WEFT_BUFFER_SELF_ADJACENT];
  uint32_t done = 0;
  for (uint32_t hulls = 0; done < cache->neighbours; ++hulls) {
    for (uint32_t k = 0; k < cache->neighbours; ++k) {
      if (beside[k].from_first == hulls) cache->order[done++] = k;
    }
  }
}

static void make_trees(weft_self_work *cache, const weft_uniforms *u) {
  cache->tree_stride = ((size_t)u->self_nodes * cache->parts + 31) / 16 * 16 + WEFT_OFF_BEAT;
  cache->trees = weft_alloc(cache->members, sizeof *cache->trees);
  for (uint32_t m = 0; m < cache->members; ++m) {
    cache->trees[m].boxes = weft_alloc(12 * cache->tree_stride, sizeof(float));
  }
}

static void make_tables(weft_self_work *cache, const weft_memory *memory) {
  const weft_self_triangle *triangles = (const void *)memory->payload[WEFT_BUFFER_SELF_TRIANGLES];
  for (uint32_t p = 0; p < cache->patches; ++p) {
    const weft_self_triangle *own = &triangles[(size_t)p * WEFT_SELF_PLACES];
    make_table(&cache->tables[p], own);
    cache->before[p] = (weft_self_before){.steep = steepest(&cache->tables[p], own)};
  }
  make_rays(cache, memory);
  make_order(cache, memory);
  make_common(cache, memory);
  cache->made = true;
}

void weft_self_work_create(weft_self_work *cache, const weft_memory *memory, uint32_t members) {
  const weft_uniforms *u = (const void *)memory->payload[WEFT_BUFFER_UNIFORMS];
  *cache = (weft_self_work){.parts = u->self_parts > 1 ? u->self_parts : 1, .members = members};
  cache->patches = u->self_patches * cache->parts;
  if (!cache->patches) return;
  weft_pushes_create(&cache->pushes, memory, members);
  cache->tables = weft_alloc_lines(cache->patches, sizeof *cache->tables);
  cache->before = weft_alloc(cache->patches, sizeof *cache->before);
  cache->places = weft_alloc_lines(cache->patches, sizeof *cache->places);
  cache->boxes = weft_alloc((size_t)members * WEFT_SELF_KEPT_BOXES, sizeof *cache->boxes);
  cache->whole = weft_alloc(cache->parts, sizeof *cache->whole);
  cache->stars = (uint32_t)(memory->bytes[WEFT_BUFFER_SELF_STARS] / sizeof(weft_self_star));
  cache->first_ray = weft_alloc(cache->stars, sizeof *cache->first_ray);
  cache->neighbours =
      (uint32_t)(memory->bytes[WEFT_BUFFER_SELF_ADJACENT] / sizeof(weft_self_adjacent));
  cache->order = weft_alloc(cache->neighbours, sizeof *cache->order);
  size_t shared = memory->bytes[WEFT_BUFFER_SELF_SHARED] / sizeof(uint32_t);
  cache->common = weft_alloc(shared, sizeof *cache->common);
  make_trees(cache, u);
  make_tables(cache, memory);
}

void weft_self_work_free(weft_self_work *cache) {
  weft_pushes_free(&cache->pushes);
  weft_free(cache->tables);
  weft_free(cache->before);
  weft_free(cache->places);
  weft_free(cache->rays);
  weft_free(cache->first_ray);
  weft_free(cache->order);
  weft_free(cache->common);
  for (uint32_t m = 0; cache->trees && m < cache->members; ++m) weft_free(cache->trees[m].boxes);
  weft_free(cache->trees);
  weft_free(cache->boxes);
  weft_free(cache->whole);
  *cache = (weft_self_work){0};
}

void weft_self_work_wrote(weft_self_work *cache, weft_buffer_id id) {
  cache->ready = false;
  weft_pushes_wrote(&cache->pushes);
  for (uint32_t p = 0; cache->whole && p < cache->parts; ++p) cache->whole[p] = false;
  bool cooked = id == WEFT_BUFFER_SELF_TRIANGLES || id == WEFT_BUFFER_SELF_STARS ||
                id == WEFT_BUFFER_SELF_FANS || id == WEFT_BUFFER_SELF_ADJACENT ||
                id == WEFT_BUFFER_SELF_SHARED;
  if (cooked) cache->made = false;
}

void weft_self_work_begin(weft_self_work *cache, const weft_memory *memory, bool lazy) {
  if (!cache->made) make_tables(cache, memory);
  cache->ready = true;
  cache->lazy = lazy && cache->members == 1; /* who asks for gradients looks at them himself */
  ++cache->substeps;
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

static weft_self_run run_of(weft_self_work *cache, const weft_self_range *range) {
  enum { LOOKS = WEFT_SELF_DETECTIONS + 1 /* of a contact step, and what looks ahead */ };
  const bool ahead = range->pass->when == WEFT_WHEN_FRAME_BEGINS;
  unsigned char *const *at = range->memory->payload;
  const weft_uniforms *u = (const void *)at[WEFT_BUFFER_UNIFORMS];
  return (weft_self_run){
      .cache = cache,
      .u = u,
      .x = (void *)at[WEFT_BUFFER_X],
      .x_prev = (const void *)at[WEFT_BUFFER_X_PREV],
      .vertices = (const void *)at[WEFT_BUFFER_SELF_VERTICES],
      .cloth = (const void *)at[WEFT_BUFFER_SELF_VERTICES],
      .friction = (const void *)at[WEFT_BUFFER_SELF_FRICTION],
      .parts = (const void *)at[WEFT_BUFFER_SELF_PARTS],
      .triangles = (const void *)at[WEFT_BUFFER_SELF_TRIANGLES],
      .patches = (const void *)at[WEFT_BUFFER_SELF_PATCHES],
      .shapes = (void *)at[WEFT_BUFFER_SELF_CERTIFICATES],
      .nodes = (void *)at[WEFT_BUFFER_SELF_NODES],
      .beside = (const void *)at[WEFT_BUFFER_SELF_ADJACENT],
      .hulls = (const void *)at[WEFT_BUFFER_SELF_HULLS],
      .shared = (const void *)at[WEFT_BUFFER_SELF_SHARED],
      .stars = (const void *)at[WEFT_BUFFER_SELF_STARS],
      .fans = (const void *)at[WEFT_BUFFER_SELF_FANS],
      .asked = (void *)at[WEFT_BUFFER_SELF_UNCERTIFIED],
      .meets = (void *)at[WEFT_BUFFER_SELF_PATCH_PAIRS],
      .close = (void *)at[WEFT_BUFFER_SELF_TRIANGLE_PAIRS],
      .marks = (const void *)at[WEFT_BUFFER_SELF_DIRTY],
      .candidates = (void *)at[WEFT_BUFFER_SELF_CANDIDATES],
      .pairs = (void *)at[WEFT_BUFFER_SELF_PAIRS],
      .planes = (void *)at[WEFT_BUFFER_SELF_PLANES],
      .counts = counts_of(range, 0),
      .own = counts_of(range, 0),
      .all = counts_of(range, cache->parts > 1 ? cache->parts : 0),
      .bodies = u->self_particles * u->self_parts > u->particle_count,
      .pushes = (void *)at[WEFT_BUFFER_SELF_CORRECTIONS],
      .kept = (void *)at[WEFT_BUFFER_SELF_CACHE],
      .kept_count = (void *)at[WEFT_BUFFER_SELF_CACHE_COUNT],
      .heads = (const void *)at[WEFT_BUFFER_SELF_CACHE_HEADS],
      .next = (const void *)at[WEFT_BUFFER_SELF_CACHE_NEXT],
      .packed = &cache->pushes,
      .member = range->member,
      .detection = range->pass->detection,
      .lazy = cache->lazy,
      .stamp = LOOKS * cache->substeps + (ahead ? WEFT_SELF_DETECTIONS : range->pass->detection),
      .reference = run_reference,
      .context = range};
}

/* Those of a range that are of one part. */
typedef struct slice {
  uint32_t part, end;
  bool begins; /* with the particle that does what is done once */
} slice;

/* The first slice of particles [first, end) of all parts. */
static slice slice_of(const weft_self_work *cache, const weft_uniforms *u, uint32_t first,
                      uint32_t end) {
  if (cache->parts == 1) return (slice){0, end, first == 0};
  const bool body = first >= u->particle_count;
  const uint32_t part = weft_self_part_of(u, first);
  const uint32_t each = body ? u->self_particles - u->self_cloth : u->self_cloth;
  const uint32_t last = (body ? u->particle_count : 0) + (part + 1) * each;
  return (slice){part, end < last ? end : last, first == part * u->self_cloth};
}

/* Whether a pass over particles has nothing to do but what its first element does for all: nothing
 * pushes, or no motion is cut. */
static bool is_for_first_alone(const weft_self_work *cache, const weft_self_range *range,
                               uint32_t part) {
  const uint32_t *counts = counts_of(range, part);
  const weft_pass *pass = range->pass;
  if (pass->kind == WEFT_PASS_SELF_RESET) return cache->whole[part];
  if (!cache->ready) return false;
  bool closed = counts[WEFT_SELF_AT_FLAGS] != 0;
  if (pass->kind == WEFT_PASS_SELF_APPLY) return closed || counts[WEFT_SELF_AT_PAIRS] == 0;
  return !closed && counts[WEFT_SELF_AT_CHANGED] == 0;
}

/* Whether sums of a member are not in self_pushes. */
static void note_apart(weft_pushes *pushes, bool apart) {
  __atomic_store_n(&pushes->apart, apart, __ATOMIC_RELAXED); /* the same by all members */
}

static void run_particles(weft_self_work *cache, const weft_lanes *lanes,
                          const weft_self_range *range, uint32_t first, uint32_t end) {
  const weft_uniforms *u = (const void *)range->memory->payload[WEFT_BUFFER_UNIFORMS];
  while (first < end) {
    const slice s = slice_of(cache, u, first, end);
    bool alone = is_for_first_alone(cache, range, s.part);
    if (range->pass->kind == WEFT_PASS_SELF_RESET && first == 0) weft_pushes_forget(&cache->pushes);
    if (range->pass->kind == WEFT_PASS_SELF_ADVANCE && s.begins) cache->whole[s.part] = alone;
    uint32_t count = alone ? s.begins : s.end - first, done = 0;
    if (range->pass->kind == WEFT_PASS_SELF_APPLY && count) {
      const weft_self_run run = run_of(cache, range);
      done = lanes->self_apply(&run, first, count);
    }
    if (range->pass->kind == WEFT_PASS_SELF_APPLY) note_apart(&cache->pushes, false);
    if (count > done) run_reference(range, first + done, count - done);
    first = s.end;
  }
}

/* Whether nothing pushes; of several parts, some of which may push: run->closed. */
static bool all_closed(const weft_self_work *cache, const weft_self_range *range,
                       weft_self_run *run) {
  if (cache->parts == 1) return run->own[WEFT_SELF_AT_FLAGS] != 0;
  for (uint32_t p = 0; p < cache->parts && !run->closed; ++p) {
    run->closed = counts_of(range, p)[WEFT_SELF_AT_FLAGS] != 0;
  }
  return false;
}

static void run_pushes(weft_self_work *cache, const weft_lanes *lanes, const weft_self_range *range,
                       uint32_t first) {
  weft_self_run run = run_of(cache, range);
  if (all_closed(cache, range, &run)) return;
  uint32_t kind = range->pass->kind;
  if (kind == WEFT_PASS_SELF_WEIGH && cache->pushes.members > 1) note_apart(&cache->pushes, true);
  (kind == WEFT_PASS_SELF_UPDATE_NORMALS ? lanes->self_update_normals
   : kind == WEFT_PASS_SELF_WEIGH        ? lanes->self_weigh
   : kind == WEFT_PASS_SELF_REPEL        ? lanes->self_repel
                                         : lanes->self_cache_store)(&run, first, range->count);
}

static bool has_marks(const weft_self_run *run, uint32_t patch) {
  const weft_self_table *table = &run->cache->tables[patch];
  for (uint32_t k = 0; k < table->count; ++k) {
    if (run->marks[table->at[k] / sizeof(vec4)] == run->detection) return true;
  }
  return false;
}

/* Only patches of which a motion was cut in the last detection have other boxes than in that. */
static void redetect_patches(const weft_self_run *run, uint32_t first, uint32_t count) {
  for (uint32_t k = first; k < first + count; ++k) {
    const uint32_t *own = run->counts + (size_t)(k / run->u->self_patches) * WEFT_SELF_COUNTS;
    if (own[WEFT_SELF_AT_REDETECT + run->detection - 1] == 0 || own[WEFT_SELF_AT_FLAGS]) continue;
    run->shapes[k].marked = 0;
    if (has_marks(run, k)) run->reference(run->context, k, 1);
  }
}

/* A redetection walks from few patches, as the reference does. */
static bool run_redetection(weft_self_run *run, const weft_lanes *lanes,
                            const weft_self_range *range, uint32_t first) {
  const weft_pass *pass = range->pass;
  if (pass->kind == WEFT_PASS_SELF_FIND_PATCHES) return false;
  if (pass->kind == WEFT_PASS_SELF_PATCH) redetect_patches(run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_FIND_TRIANGLES)
    lanes->self_find_triangles(run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_FIND_FEATURES)
    lanes->self_find_features(run, first, range->count);
  return true;
}

/* A look over particles that are no numbers is the reference's. */
static bool run_detection(weft_self_work *cache, const weft_lanes *lanes,
                          const weft_self_range *range, uint32_t first) {
  const weft_pass *pass = range->pass;
  if (!cache->ready) return false;
  weft_self_run run = run_of(cache, range);
  if (pass->detection) return run_redetection(&run, lanes, range, first);
  /* It is not said that a walk is too long where none can be. */
  if (pass->kind == WEFT_PASS_SELF_FIND_PATCHES && run.u->self_nodes > WEFT_SELF_WALK) return false;
  if (pass->kind == WEFT_PASS_SELF_PATCH) lanes->self_patch(&run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_CERTIFY) lanes->self_certify(&run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_FIND_PATCHES)
    lanes->self_find_patches(&run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_CERTIFY_STARS)
    lanes->self_certify_stars(&run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_FIND_TRIANGLES)
    lanes->self_find_triangles(&run, first, range->count);
  if (pass->kind == WEFT_PASS_SELF_FIND_FEATURES)
    lanes->self_find_features(&run, first, range->count);
  return true;
}

bool weft_self_work_run(weft_self_work *cache, const weft_lanes *lanes,
                        const weft_self_range *range) {
  const weft_pass *pass = range->pass;
  uint32_t first = pass->first + range->first, end = first + range->count;
  switch (pass->kind) {
    case WEFT_PASS_SELF_RESET:
    case WEFT_PASS_SELF_APPLY:
    case WEFT_PASS_SELF_FLAG:
    case WEFT_PASS_SELF_ADVANCE:
      run_particles(cache, lanes, range, first, end);
      return true;
    case WEFT_PASS_SELF_PATCH:
    case WEFT_PASS_SELF_CERTIFY:
    case WEFT_PASS_SELF_FIND_PATCHES:
    case WEFT_PASS_SELF_CERTIFY_STARS:
    case WEFT_PASS_SELF_FIND_TRIANGLES:
    case WEFT_PASS_SELF_FIND_FEATURES:
      return run_detection(cache, lanes, range, first);
    case WEFT_PASS_SELF_SEPARATE: {
      const weft_self_run run = run_of(cache, range);
      lanes->self_planes(&run, first, range->count);
      return true;
    }
    case WEFT_PASS_SELF_CACHE_LOAD:
      weft_pushes_enter(&cache->pushes, range->memory, first, range->count, range->all);
      return true;
    case WEFT_PASS_SELF_CACHE_CLEAR:
      return weft_pushes_leave(&cache->pushes, range->memory, first, range->count, range->all);
    case WEFT_PASS_SELF_UPDATE_NORMALS:
    case WEFT_PASS_SELF_WEIGH:
    case WEFT_PASS_SELF_REPEL:
    case WEFT_PASS_SELF_CACHE_STORE:
      run_pushes(cache, lanes, range, first);
      return true;
    default:
      return false;
  }
}
