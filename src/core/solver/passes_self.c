/* passes_self.c: the passes of self-collision in a substep: detection of contact pairs,
 * repulsion, and detections with truncation at the end of a contact step. */
#include "solver.h"

/* pass.detection, and pass.when. */
typedef struct self_detection {
  uint32_t detection, when;
} self_detection;

static weft_pass *add_detection_pass(weft_pass_list *list, weft_pass_kind kind,
                                     const self_detection *detection, uint32_t first,
                                     uint32_t count) {
  weft_pass *pass = weft_pass_add(list, kind, first, count);
  pass->detection = detection->detection;
  pass->when = detection->when;
  pass->batch = detection->detection;
  return pass;
}

/* A pass of a redetection, which is idle in most contact steps: its entry of self_dispatch_args
 * is 0 then. */
static void count_redetected(weft_pass *pass, uint32_t size) {
  if (pass->detection) pass->counted = 1 + size;
}

/* Turns counters into dispatch arguments: entries [first, end). */
static weft_pass *add_sizes(weft_pass_list *list, const self_detection *detection, uint32_t first,
                            uint32_t end) {
  return add_detection_pass(list, WEFT_PASS_SELF_DISPATCH_ARGS, detection, first, end - first);
}

/* In a joined model a pass covers all instances, but a tree is that of one. */
static uint32_t parts_of(const weft_contents *contents) {
  return contents->parts ? contents->parts : 1;
}

/* The dispatch arguments that the next pass of a detection needs. */
static void add_size(weft_pass_list *list, const self_detection *detection, uint32_t first,
                     uint32_t end) {
  count_redetected(add_sizes(list, detection, first, end), WEFT_SELF_SIZE_ENTRIES);
}

static uint32_t count_of(const weft_contents *contents, weft_buffer_id id) {
  return (uint32_t)contents->buffers[id].count;
}

/* Boxes and certificates of patches, then boxes of nodes level by level. Returns the root's
 * level. */
static uint32_t add_patches(weft_pass_list *list, const weft_contents *contents,
                            const self_detection *detection) {
  uint32_t patches = count_of(contents, WEFT_BUFFER_SELF_PATCHES), parts = parts_of(contents);
  uint32_t begin = 0, size = WEFT_SELF_SIZE_LEVELS;
  count_redetected(add_detection_pass(list, WEFT_PASS_SELF_PATCH, detection, 0, patches),
                   WEFT_SELF_SIZE_PATCHES);
  for (uint32_t count = patches / parts; count > 1;) {
    uint32_t above = begin + count;
    count = (count - 1) / WEFT_SELF_FAN + 1;
    weft_pass *pass =
        add_detection_pass(list, WEFT_PASS_SELF_REFIT, detection, above, count * parts);
    pass->below_first = begin;
    pass->level_first = above;
    count_redetected(pass, ++size);
    begin = above;
  }
  return begin;
}

/* Candidate pairs: of patches, of triangles, of features. A redetection uses no certificates. */
static void add_detection(weft_pass_list *list, const weft_contents *contents,
                          const self_detection *detection) {
  const uint32_t meets = WEFT_SELF_SIZE_PATCH_PAIRS, close = WEFT_SELF_SIZE_TRIANGLE_PAIRS;
  const uint32_t listed = WEFT_SELF_SIZE_CANDIDATES, paired = WEFT_SELF_SIZE_PAIRS;
  uint32_t top = add_patches(list, contents, detection);
  uint32_t beside = count_of(contents, WEFT_BUFFER_SELF_ADJACENT);
  uint32_t patches = count_of(contents, WEFT_BUFFER_SELF_PATCHES);
  if (!detection->detection) add_detection_pass(list, WEFT_PASS_SELF_CERTIFY, detection, 0, beside);
  weft_pass *far = add_detection_pass(list, WEFT_PASS_SELF_FIND_PATCHES, detection, 0, patches);
  far->level_first = top;
  count_redetected(far, WEFT_SELF_SIZE_LEVELS);
  add_size(list, detection, meets, meets + 2);
  if (!detection->detection) {
    uint32_t stars = count_of(contents, WEFT_BUFFER_SELF_UNCERTIFIED);
    add_detection_pass(list, WEFT_PASS_SELF_CERTIFY_STARS, detection, 0, stars)->counted =
        1 + WEFT_SELF_SIZE_UNCERTIFIED;
  }
  uint32_t most = count_of(contents, WEFT_BUFFER_SELF_PATCH_PAIRS);
  add_detection_pass(list, WEFT_PASS_SELF_FIND_TRIANGLES, detection, 0, most)->counted = 1 + meets;
  add_size(list, detection, close, close + 1);
  uint32_t features = WEFT_SELF_FEATURES * count_of(contents, WEFT_BUFFER_SELF_TRIANGLE_PAIRS);
  add_detection_pass(list, WEFT_PASS_SELF_FIND_FEATURES, detection, 0, features)->counted =
      1 + close;
  add_size(list, detection, listed, listed + 1);
  uint32_t candidates = count_of(contents, WEFT_BUFFER_SELF_CANDIDATES);
  add_detection_pass(list, WEFT_PASS_SELF_SEPARATE, detection, 0, candidates)->counted = 1 + listed;
  add_size(list, detection, paired, paired + 3);
}

/* Entries of self_dispatch_args, one for each level of the tree. */
static uint32_t self_sizes(const weft_contents *contents) {
  uint64_t count = contents->buffers[WEFT_BUFFER_SELF_PATCHES].count / parts_of(contents);
  uint32_t levels = 1;
  for (; count > 1; ++levels) count = (count - 1) / WEFT_SELF_FAN + 1;
  return WEFT_SELF_SIZE_LEVELS + levels;
}

static weft_pass *add_pair_pass(weft_pass_list *list, weft_pass_kind kind,
                                const weft_contents *contents) {
  uint32_t pairs = (uint32_t)contents->buffers[WEFT_BUFFER_SELF_PAIRS].count;
  weft_pass *pass = weft_pass_add(list, kind, 0, pairs);
  pass->counted = 1 + WEFT_SELF_SIZE_PAIRS;
  return pass;
}

bool weft_self_active(const weft_model *model, const weft_params *params) {
  return params->self_collision && model->triangle_count > 0;
}

bool weft_self_pushes(const weft_params *params) { return params->self_iterations > 0; }

/* Enough contact steps that fast motion is not damped and that entangled cloth does not tighten
 * between two. */
enum { A_SECOND = 1200, LONGEST = 4 /* substeps */ };

uint32_t weft_self_steps_unless_given(const weft_params *params) {
  uint32_t least = (params->substeps + LONGEST - 1) / LONGEST;
  float steps = A_SECOND * params->frame_dt + 0.5f;
  return steps < (float)least              ? least
         : steps < (float)params->substeps ? (uint32_t)steps
                                           : params->substeps;
}

uint32_t weft_self_steps(const weft_params *params) {
  uint32_t steps = params->self_steps;
  if (steps == 0) return weft_self_steps_unless_given(params);
  return steps < params->substeps ? steps : params->substeps;
}

bool weft_self_steps_are_long(const weft_params *params) {
  return weft_self_steps(params) < params->substeps;
}

/* If a detection serves several substeps, pairs are listed up to this factor of the repulsion
 * distance. Resting cloth slightly exceeds that distance now and then, and a pair that is not
 * listed has no friction. */
double weft_self_beyond(const weft_params *params) {
  return weft_self_steps_are_long(params) ? 1 + 1.0 / 64 : 1;
}

/* Passes over the contact cache. */
static void add_kept_pass(weft_pass_list *list, weft_pass_kind kind,
                          const weft_contents *contents) {
  uint32_t kept = (uint32_t)contents->buffers[WEFT_BUFFER_SELF_CACHE].count;
  weft_pass_add(list, kind, 0, kept)->counted = 1 + WEFT_SELF_SIZE_CACHE;
}

/* The list whose elements a pass works on; WEFT_BUFFER_COUNT: none. */
static weft_buffer_id list_of(weft_pass_kind kind) {
  switch (kind) {
    case WEFT_PASS_SELF_FIND_TRIANGLES:
      return WEFT_BUFFER_SELF_PATCH_PAIRS;
    case WEFT_PASS_SELF_FIND_FEATURES:
      return WEFT_BUFFER_SELF_TRIANGLE_PAIRS;
    case WEFT_PASS_SELF_SEPARATE:
      return WEFT_BUFFER_SELF_CANDIDATES;
    case WEFT_PASS_SELF_CACHE_LOAD:
    case WEFT_PASS_SELF_CACHE_CLEAR:
      return WEFT_BUFFER_SELF_CACHE;
    case WEFT_PASS_SELF_UPDATE_NORMALS:
    case WEFT_PASS_SELF_WEIGH:
    case WEFT_PASS_SELF_REPEL:
    case WEFT_PASS_SELF_CACHE_STORE:
    case WEFT_PASS_SELF_TRUNCATE:
    case WEFT_PASS_SELF_ACCEPT:
      return WEFT_BUFFER_SELF_PAIRS;
    default:
      return WEFT_BUFFER_COUNT;
  }
}

void weft_self_lengthen_passes(weft_pass_list *list, const uint64_t counts[WEFT_BUFFER_COUNT]) {
  for (size_t k = 0; k < list->count; ++k) {
    weft_pass *pass = &list->items[k];
    const weft_buffer_id id = list_of(pass->kind);
    if (id == WEFT_BUFFER_COUNT) continue;
    pass->count = (uint32_t)counts[id];
    if (pass->kind == WEFT_PASS_SELF_FIND_FEATURES) pass->count *= WEFT_SELF_FEATURES;
  }
}

/* A pass over all particles, including those of bodies. */
static void add_particles(weft_pass_list *list, weft_pass_kind kind, uint32_t when,
                          const weft_contents *contents) {
  weft_pass_add(list, kind, 0, count_of(contents, WEFT_BUFFER_X))->when = when;
}

/* Contact pairs of the first contact step of a frame, from its first substep, extrapolated.
 * Later steps use those of the last detection. The reset also clears the frame's counters, so it
 * runs without repulsion too. */
static void add_first_detection(weft_pass_list *list, const weft_params *params,
                                const weft_contents *contents) {
  const self_detection first = {0, WEFT_WHEN_FRAME_BEGINS};
  bool ahead = weft_self_steps_are_long(params);
  add_detection_pass(list, WEFT_PASS_SELF_RESET, &first, 0, count_of(contents, WEFT_BUFFER_X));
  if (params->self_iterations == 0) return;
  if (ahead) add_particles(list, WEFT_PASS_SELF_EXTRAPOLATE, first.when, contents);
  add_detection(list, contents, &first);
  if (ahead) add_particles(list, WEFT_PASS_SELF_RESTORE, first.when, contents);
}

/* Tells weft_pass_runs where contact steps begin and end. */
static void name_steps(weft_pass_list *list, size_t from, const weft_params *params) {
  for (size_t k = from; k < list->count; ++k) {
    list->items[k].substeps = params->substeps;
    list->items[k].long_steps = weft_self_steps(params);
  }
}

void weft_add_self_update_normals(weft_pass_list *list, const weft_params *params,
                                  const weft_contents *contents) {
  size_t from = list->count;
  bool pushes = weft_self_pushes(params);
  add_first_detection(list, params, contents);
  if (weft_self_steps_are_long(params)) {
    add_particles(list, WEFT_PASS_SELF_STEP_BEGIN, WEFT_WHEN_STEP_BEGINS, contents);
  }
  if (pushes) add_kept_pass(list, WEFT_PASS_SELF_CACHE_LOAD, contents);
  if (pushes) add_pair_pass(list, WEFT_PASS_SELF_UPDATE_NORMALS, contents);
  if (pushes) add_kept_pass(list, WEFT_PASS_SELF_CACHE_CLEAR, contents);
  name_steps(list, from, params);
}

void weft_add_self_repel(weft_pass_list *list, const weft_params *params,
                         const weft_contents *contents) {
  /* Repulsion does not move bodies. */
  uint64_t bodies = contents->buffers[WEFT_BUFFER_BODY_PATHS].count +
                    contents->buffers[WEFT_BUFFER_SHAPE_PATHS].count;
  uint32_t particles = (uint32_t)(contents->buffers[WEFT_BUFFER_X].count - bodies);
  for (uint32_t it = 0; it < params->self_iterations; ++it) {
    add_pair_pass(list, WEFT_PASS_SELF_WEIGH, contents)->batch = it;
    add_pair_pass(list, WEFT_PASS_SELF_REPEL, contents)->batch = it;
    weft_pass_add(list, WEFT_PASS_SELF_APPLY, 0, particles)->batch = it;
  }
}

void weft_add_self_cache_store(weft_pass_list *list, const weft_params *params,
                               const weft_contents *contents) {
  if (!weft_self_pushes(params)) return;
  size_t from = list->count;
  add_pair_pass(list, WEFT_PASS_SELF_CACHE_STORE, contents);
  if (weft_self_steps_are_long(params)) {
    const self_detection none = {0, WEFT_WHEN_STEP_GOES_ON};
    add_sizes(list, &none, WEFT_SELF_SIZE_CACHE, WEFT_SELF_SIZE_CACHE + 1);
  }
  name_steps(list, from, params);
}

void weft_add_self_truncate(weft_pass_list *list, const weft_params *params,
                            const weft_contents *contents) {
  uint32_t particles = count_of(contents, WEFT_BUFFER_X);
  /* If each substep is a contact step, its last passes run in every substep. */
  const uint32_t when = weft_self_steps_are_long(params) ? WEFT_WHEN_STEP_ENDS : WEFT_WHEN_ALWAYS;
  size_t from = list->count;
  if (when) add_particles(list, WEFT_PASS_SELF_STEP_END, when, contents);
  add_particles(list, WEFT_PASS_SELF_RESET, when, contents);
  for (uint32_t k = 0; k < WEFT_SELF_DETECTIONS; ++k) {
    const self_detection detection = {k, when}, next = {k + 1, when};
    add_detection(list, contents, &detection);
    for (uint32_t round = 0; round < WEFT_SELF_ROUNDS; ++round) {
      weft_pass *pass = add_pair_pass(list, WEFT_PASS_SELF_TRUNCATE, contents);
      pass->counted = 1 + WEFT_SELF_SIZE_LIMITED;
      pass->detection = k;
      pass->round = round;
      pass->batch = k;
      pass->when = when;
    }
    if (next.detection == WEFT_SELF_DETECTIONS) break;
    count_redetected(add_detection_pass(list, WEFT_PASS_SELF_FLAG, &detection, 0, particles),
                     WEFT_SELF_SIZE_PARTICLES);
    add_sizes(list, &next, 0, self_sizes(contents));
    if (next.detection < WEFT_SELF_DETECTIONS - 1) continue;
    count_redetected(add_detection_pass(list, WEFT_PASS_SELF_SHORTEN, &next, 0, particles),
                     WEFT_SELF_SIZE_PARTICLES);
  }
  add_pair_pass(list, WEFT_PASS_SELF_ACCEPT, contents)->when = when;
  add_particles(list, WEFT_PASS_SELF_ADVANCE, when, contents);
  name_steps(list, from, params);
}
