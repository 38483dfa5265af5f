/* single.c: all passes of a substep, and all substeps of a frame, in one dispatch.
 *
 * A small cloth leaves most of a GPU idle in every pass, and starting passes costs more than they
 * do. Here one work group runs them all from a table of steps, with its own barrier between two
 * (shaders/solver/single.comp). The shader is compiled for the list of passes: it declares only the
 * buffers and passes that are in it. */
#include <string.h>

#include "ranges.h"
#include "solver_gl_internal.h"

/* A step more or less is an iteration, and drivers cut off shaders that iterate too often without
 * a word (llvmpipe after 65,535 iterations of all its loops together): longer runs are several
 * dispatches. */
enum { MAX_LOOP_ITERATIONS = 60000 };

/* Seconds of a dispatch. Drivers reset a device that does not answer for a few of them, and until
 * it is through nothing else is drawn. */
static const double dispatch_time = 0.05;

/* Positions that fit the shared memory that GL 4.3 promises. */
enum { MAX_SHARED = 2048 };

/* What project_lines keeps of an edge in shared memory: seven numbers. */
enum { EDGE_BYTES = 7 * sizeof(float) };

/* A driver that runs on the processor works through the group with few lanes, one after the
 * other. */
static bool is_software(const weft_gl *gl) {
  return strstr(gl->renderer, "llvmpipe") || strstr(gl->renderer, "softpipe") ||
         strstr(gl->renderer, "SwiftShader");
}

static uint32_t group_for(const weft_gl *gl) {
  return is_software(gl) ? gl->desc.group_size / 4 : gl->desc.group_size * 4;
}

/* ---- which passes, which buffers ---- */

static bool is_known(const weft_pass *pass) {
  return weft_pass_infos[pass->kind].single != WEFT_SINGLE_NOT &&
         !(pass->variant & WEFT_VARIANT_JACOBI);
}

/* ---- the table of steps ---- */

typedef struct step_list {
  uint32_t parts; /* of a joined model: a work group each */
  weft_pass *items;
  size_t count, capacity;
  weft_gl_kinds used;
} step_list;

static void add_step(step_list *list, const weft_pass *pass) {
  weft_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items);
  weft_pass *step = &list->items[list->count++];
  *step = *pass;
  step->kind = weft_gl_step_number(pass->kind, pass->variant);
  step->count /= list->parts;
  if (list->count > 1 && step[-1].kind == step->kind)
    list->used.repeated[pass->kind][pass->variant] = true;
  weft_gl_use(&list->used, pass->kind, pass->variant);
}

static void add_levels(step_list *list, const weft_pass *small, const weft_contents *contents) {
  static const weft_pass_kind kinds_of[] = {
      [WEFT_LEVEL_RESTRICT] = WEFT_PASS_LEVEL_RESTRICT,
      [WEFT_LEVEL_PROJECT] = WEFT_PASS_LEVEL_PROJECT,
      [WEFT_LEVEL_PROLONG] = WEFT_PASS_LEVEL_PROLONG,
  };
  const weft_level_step *steps = contents->buffers[WEFT_BUFFER_LEVEL_STEPS].data;
  for (uint32_t k = small->first; k < small->first + small->steps; ++k) {
    const weft_pass pass = {
        .kind = kinds_of[steps[k].kind], .first = steps[k].first, .count = steps[k].count};
    add_step(list, &pass);
  }
}

/* ends[k]: steps of the first k passes. */
static void list_steps(const weft_pass *passes, size_t count, const weft_contents *contents,
                       step_list *list, uint32_t *ends) {
  for (size_t k = 0; k < count; ++k) {
    ends[k] = (uint32_t)list->count;
    if (passes[k].kind == WEFT_PASS_LEVEL_SMALL) {
      add_levels(list, &passes[k], contents);
    } else {
      add_step(list, &passes[k]);
    }
  }
  ends[count] = (uint32_t)list->count;
}

/* ---- teams, for lines ---- */

static bool has_lines(const step_list *list) { return list->used.used[WEFT_PASS_PROJECT_LINES][0]; }

static bool is_lines(const weft_pass *step) {
  weft_pass_kind kind = weft_gl_step_kind(step->kind);
  return kind == WEFT_PASS_PROJECT_LINES || kind == WEFT_PASS_PROJECT_BENDS;
}

static const weft_line_bundle *bundles_of(const weft_pass *step, const weft_contents *contents) {
  const weft_line_bundle *all = contents->buffers[WEFT_BUFFER_LINE_BUNDLES].data;
  return all + step->first;
}

static uint32_t longest_bundle(const weft_contents *contents) {
  const weft_buffer_contents *table = &contents->buffers[WEFT_BUFFER_LINE_BUNDLES];
  const weft_line_bundle *bundles = table->data;
  uint32_t max = 0;
  for (uint64_t k = 0; k < table->count; ++k) {
    if (bundles[k].count > max) max = bundles[k].count;
  }
  return max;
}

/* Bundles that one step has for a work group. */
static uint32_t most_bundles(const step_list *list) {
  uint32_t max = 0;
  for (size_t k = 0; k < list->count; ++k) {
    if (is_lines(&list->items[k]) && list->items[k].count > max) max = list->items[k].count;
  }
  return max;
}

/* A round number, so that solvers of some sizes share a program. */
static uint32_t room_for(uint64_t elements) {
  uint32_t room = 32;
  while (room < elements) room *= 2;
  return room;
}

/* Positions go to shared memory where they and the lines of one team fit; then as many teams as
 * find work and room there. */
static void share_memory(weft_gl_instance *self, const step_list *list,
                         const weft_contents *contents) {
  weft_gl_single *single = &self->single;
  uint64_t room = self->gl->limits.max_shared_bytes, particles = self->counts[WEFT_BUFFER_X];
  uint32_t lanes = is_software(self->gl) ? 8 : 32, bundles = most_bundles(list);
  single->teams = 1;
  single->team_room = has_lines(list) ? room_for(longest_bundle(contents)) : 0;
  uint64_t team = (uint64_t)single->team_room * EDGE_BYTES;
  if (single->parts == 1 && particles <= MAX_SHARED &&
      room_for(particles) * sizeof(vec4) + team <= room) {
    single->shared = room_for(particles);
    room -= single->shared * sizeof(vec4);
  }
  while (2 * team * single->teams <= room && single->teams < bundles &&
         single->group / (2 * single->teams) >= lanes) {
    single->teams *= 2;
  }
}

/* ---- how long it takes ---- */

/* The longest range of a buffer of offsets. */
static uint32_t longest(const weft_contents *contents, weft_buffer_id id) {
  const weft_buffer_contents *table = &contents->buffers[id];
  const uint32_t *offsets = table->data;
  uint32_t max = 0;
  for (uint64_t k = 0; k + 1 < table->count; ++k) {
    uint32_t length = offsets[k + 1] - offsets[k];
    if (length > max) max = length;
  }
  return max;
}

/* Iterations of the loops inside one element. */
static uint64_t iterations_inside(const weft_pass *step, const weft_contents *contents) {
  const weft_pass_info *info = &weft_pass_infos[weft_gl_step_kind(step->kind)];
  const weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  uint64_t iterations = info->iterations;
  if (info->iterations_of == WEFT_BUFFER_COUNT) return iterations;
  /* Past those colliders that miss, and a new start after each hit. */
  if (info->iterations_of == WEFT_BUFFER_COLLIDERS)
    return iterations + 3 * (uint64_t)u->collider_count;
  return iterations + longest(contents, info->iterations_of);
}

/* Of the loops of one team over a bundle; a loop tests once more than it iterates. */
static uint64_t line_iterations(const weft_gl_single *single, const weft_pass *step) {
  uint64_t members = single->group / single->teams, edges = single->team_room;
  uint64_t iterations = 4 * (edges / members + 2);
  for (uint32_t s = 1; s <= step->steps; ++s) iterations += 2 * ((edges >> s) / members + 3);
  return iterations;
}

static uint64_t iterations_of_step(const weft_gl_single *single, const weft_pass *step,
                                   const weft_contents *contents) {
  bool lines = is_lines(step);
  uint64_t at_once = lines ? single->teams : single->group;
  uint64_t rounds = (step->count + at_once - 1) / at_once;
  uint64_t inside = lines ? line_iterations(single, step) : iterations_inside(step, contents);
  return 1 + rounds * (2 + inside);
}

/* How often all loops of the program iterate in a substep, at most. Each kind of pass has a loop
 * over its steps, inside one that iterates no more often than the kind changes along the list.
 * Where lanes are masked instead of jumping, the loops of all kinds iterate once each time it does.
 */
static uint64_t iterations_of(const step_list *list, const weft_contents *contents,
                              const weft_gl_single *single) {
  uint64_t loops = has_lines(list) ? 9 : 1, iterations = 1;
  for (uint32_t kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    for (uint32_t v = 0; v < WEFT_VARIANT_COUNT; ++v) loops += list->used.used[kind][v] ? 4 : 0;
  }
  for (size_t k = 0; k < list->count; ++k) {
    const weft_pass *step = &list->items[k];
    iterations += iterations_of_step(single, step, contents);
    if (k == 0 || step->kind != step[-1].kind) iterations += loops;
  }
  return iterations;
}

static uint32_t blocks_before(const weft_gl_single *single) {
  return (single->uniform_steps ? 0u : 1u) + (single->packed ? 1u : 0u);
}

/* ---- whether it is the quicker one ---- */

/* Above so many particles of a cloth a GPU has work enough in every pass. */
enum { MAX_ON_GPU = MAX_SHARED };

/* What llvmpipe takes, in ns: for an element of a pass, for each shape that one of collide may
 * meet, for an edge of a line, to start a dispatch and wait for it. See docs/schedules.md. */
enum { ELEMENT_NS = 20, SHAPE_NS = 25, EDGE_NS = 100, DISPATCH_NS = 40000 };

static uint64_t work_of_lines(const weft_pass *step, uint32_t parts,
                              const weft_contents *contents) {
  const weft_line_bundle *bundles = bundles_of(step, contents);
  uint64_t edges = 0;
  for (uint32_t k = 0; k < step->count * parts; ++k) edges += bundles[k].count;
  return edges * EDGE_NS;
}

static uint64_t work_of(const step_list *list, const weft_contents *contents) {
  const weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  uint64_t ns = 0;
  for (size_t k = 0; k < list->count; ++k) {
    const weft_pass *step = &list->items[k];
    if (is_lines(step)) {
      ns += work_of_lines(step, list->parts, contents);
      continue;
    }
    uint64_t shapes = weft_gl_step_kind(step->kind) == WEFT_PASS_COLLIDE ? u->collider_count : 0;
    ns += (uint64_t)step->count * list->parts * (ELEMENT_NS + SHAPE_NS * shapes);
  }
  return ns;
}

/* There a work group runs on one processor, and a pass on all of them. */
static bool is_quicker_on_processors(const step_list *list, size_t passes,
                                     const weft_contents *contents) {
  uint64_t processors = weft_processors(), work = work_of(list, contents);
  uint64_t groups = list->parts < processors ? list->parts : processors;
  return work / groups <= passes * DISPATCH_NS + work / processors;
}

static bool is_quicker(const weft_gl_instance *self, const step_list *list, size_t passes,
                       const weft_contents *contents) {
  if (is_software(self->gl)) return is_quicker_on_processors(list, passes, contents);
  return self->counts[WEFT_BUFFER_X] <= (uint64_t)MAX_ON_GPU * list->parts;
}

/* ---- planning ---- */

/* Why passes cannot run in one dispatch; an empty sentence when they can. */
typedef struct obstacle {
  char why[160];
} obstacle;

static void find_unknown(const weft_pass *passes, size_t count, obstacle *o) {
  for (size_t k = 0; k < count && !*o->why; ++k) {
    if (is_known(&passes[k])) continue;
    if (weft_pass_is_self(passes[k].kind)) {
      snprintf(o->why, sizeof o->why, "it has no self-collision");
      return;
    }
    char name[64];
    weft_pass_describe(&passes[k], name, sizeof name);
    snprintf(o->why, sizeof o->why, "it has no pass %s", name);
  }
}

static uint32_t storage_blocks(const weft_gl_kinds *used, const weft_gl_single *single) {
  uint32_t blocks = blocks_before(single);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (id == WEFT_BUFFER_UNIFORMS || !used->buffers[id]) continue;
    if (single->textured && weft_gl_is_read_only((weft_buffer_id)id)) continue;
    blocks += !(single->packed && weft_gl_is_fixed((weft_buffer_id)id));
  }
  return blocks;
}

/* Where buffer textures are quicker, and there are units enough for all contents. */
static bool wants_textures(const weft_gl *gl, const weft_gl_kinds *used) {
  uint32_t units = 0;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    units += used->buffers[id] && weft_gl_is_read_only((weft_buffer_id)id);
  }
  return gl->desc.reads == WEFT_GL_READS_TEXTURES && units <= gl->limits.max_texture_units;
}

/* Few enough blocks, if need be with the constant buffers in one. */
static void find_room(weft_gl_instance *self, const step_list *list, obstacle *o) {
  const weft_gl_limits *limits = &self->gl->limits;
  weft_gl_single *single = &self->single;
  uint32_t max = limits->max_storage_blocks;
  if (limits->max_storage_bindings < max) max = limits->max_storage_bindings;
  single->uniform_steps = list->count <= WEFT_SINGLE_UNIFORM_STEPS;
  single->textured = wants_textures(self->gl, &list->used);
  single->packed = false;
  single->packed = !single->textured && storage_blocks(&list->used, single) > max;
  uint32_t blocks = storage_blocks(&list->used, single);
  if (blocks > max) {
    snprintf(o->why, sizeof o->why,
             "it needs %u storage blocks for these passes, and this driver has %u", blocks, max);
  }
  if (single->parts > limits->max_groups[0]) {
    snprintf(o->why, sizeof o->why, "it needs %u work groups, and this driver has %u",
             single->parts, limits->max_groups[0]);
  }
  if (single->group > limits->max_invocations) {
    snprintf(o->why, sizeof o->why,
             "it needs %u invocations in a work group, and this driver has %u", single->group,
             limits->max_invocations);
  }
}

static void find_size(weft_gl_instance *self, const step_list *list, const weft_contents *contents,
                      obstacle *o) {
  uint64_t iterations = iterations_of(list, contents, &self->single), fixed = 0;
  uint64_t max = self->gl->limits.max_storage_block;
  bool fits = iterations <= MAX_LOOP_ITERATIONS;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (!list->used.buffers[id]) continue;
    uint64_t bytes = self->counts[id] * self->strides[id];
    if (weft_gl_is_fixed((weft_buffer_id)id)) fixed += bytes;
    fits = fits && self->counts[id] <= weft_gl_max_elements(self->gl, self->strides[id]);
  }
  if (!fits || (self->single.packed && fixed > max)) {
    snprintf(o->why, sizeof o->why, "the cloth is too large for one work group");
    return;
  }
  self->single.substeps_at_once = (uint32_t)(MAX_LOOP_ITERATIONS / iterations);
}

/* The constant buffers one after the other, as program_text.c declares them. */
static void pack(const weft_gl_kinds *used, const weft_contents *contents, bool vectors,
                 weft_string *bytes) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const weft_buffer_contents *table = &contents->buffers[id];
    if (!used->buffers[id] || !weft_gl_is_fixed((weft_buffer_id)id)) continue;
    if (weft_gl_element_has_vectors((weft_buffer_id)id) != vectors) continue;
    weft_string_add_bytes(bytes, table->data, (size_t)(table->count * table->stride));
  }
}

static weft_result pack_contents(weft_gl_instance *self, const weft_gl_kinds *used,
                                 const weft_contents *contents, weft_error *err) {
  weft_string bytes = {0};
  pack(used, contents, true, &bytes);
  pack(used, contents, false, &bytes);
  self->shared->counts.buffers_created++;
  weft_result result =
      weft_gl_buffer_create(self->gl, "weft single constants", bytes.count, 0, GL_STATIC_DRAW,
                            bytes.bytes, &self->single.contents, err);
  weft_string_free(&bytes);
  return result;
}

/* Blocks and textures in the order of their slots and units. */
static void list_bound(weft_gl_single *single, const weft_gl_places *places) {
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (places->of[id].block) single->bound[single->bound_count++] = (weft_buffer_id)id;
    if (places->of[id].textured) single->units[single->unit_count++] = (weft_buffer_id)id;
  }
}

static weft_result make(weft_gl_instance *self, const step_list *list,
                        const weft_contents *contents, weft_error *err) {
  weft_gl_single *single = &self->single;
  weft_gl_single_desc desc = {.used = &list->used,
                              .counts = self->counts,
                              .group = single->group,
                              .teams = single->teams,
                              .team_room = single->team_room,
                              .shapes = self->shapes ? self->shapes : weft_gl_all_shapes(),
                              .shared_elements = single->shared,
                              .uniform_steps = single->uniform_steps,
                              .packed = single->packed,
                              .textured = single->textured};
  weft_gl_places places;
  char *text = weft_gl_single_text(&desc, &places);
  list_bound(single, &places);
  weft_result result = weft_gl_find_program(self->gl, "solver/single.comp", "WEFT_SINGLE=1", text,
                                            &single->program, err);
  if (result == WEFT_OK && single->packed) result = pack_contents(self, &list->used, contents, err);
  if (result != WEFT_OK) return result;
  /* A uniform block is bound in all its length. */
  size_t length = single->uniform_steps ? WEFT_SINGLE_UNIFORM_STEPS : list->count;
  weft_pass *steps = weft_alloc(length, sizeof *steps);
  memcpy(steps, list->items, list->count * sizeof *steps);
  self->shared->counts.buffers_created++;
  result = weft_gl_buffer_create(self->gl, "weft single steps", length * sizeof *steps, 0,
                                 GL_STATIC_DRAW, steps, &single->steps, err);
  weft_free(steps);
  return result;
}

static weft_result plan(weft_gl_instance *self, weft_schedule asked, const weft_pass *passes,
                        size_t count, const weft_contents *contents, obstacle *o, weft_error *err) {
  find_unknown(passes, count, o);
  if (*o->why) return WEFT_OK;
  self->single.parts = contents->parts ? contents->parts : 1;
  step_list list = {.parts = self->single.parts};
  self->single.group = group_for(self->gl);
  self->single.ends = weft_alloc(count + 1, sizeof *self->single.ends);
  list_steps(passes, count, contents, &list, self->single.ends);
  if (asked == WEFT_SCHEDULE_AUTO && !is_quicker(self, &list, count, contents)) {
    snprintf(o->why, sizeof o->why, "a dispatch for each pass is quicker");
  }
  share_memory(self, &list, contents);
  if (!*o->why) find_room(self, &list, o);
  if (!*o->why) find_size(self, &list, contents, o);
  weft_result result = *o->why ? WEFT_OK : make(self, &list, contents, err);
  weft_free(list.items);
  return result;
}

weft_result weft_gl_plan_single(void *instance, weft_schedule asked, const weft_pass *passes,
                                size_t count, const weft_contents *contents, bool *single,
                                weft_error *err) {
  weft_gl_instance *self = instance;
  *single = false;
  if (asked != WEFT_SCHEDULE_SINGLE && asked != WEFT_SCHEDULE_AUTO) return WEFT_OK;
  obstacle o = {""};
  weft_result result = plan(self, asked, passes, count, contents, &o, err);
  *single = result == WEFT_OK && !*o.why;
  if (result != WEFT_OK || !*o.why) return result;
  if (asked == WEFT_SCHEDULE_SINGLE) {
    return weft_fail(err, WEFT_ERROR_LIMIT, "schedule single cannot run this: %s; use auto", o.why);
  }
  weft_log(WEFT_LOG_DEBUG, "schedule colours instead of single: %s", o.why);
  return WEFT_OK;
}

/* ---- running ---- */

static void bind_buffer(weft_gl_instance *self, GLenum target, uint32_t slot,
                        const weft_gl_buffer *buffer) {
  weft_gl_set_range(self->shared, target, slot,
                    &(weft_gl_range){buffer->name, 0, (GLsizeiptr)buffer->size});
}

static void bind_all(weft_gl_instance *self) {
  const weft_gl_single *single = &self->single;
  weft_gl_bind_uniforms(self);
  uint32_t slot = 0;
  if (single->uniform_steps) {
    bind_buffer(self, GL_UNIFORM_BUFFER, WEFT_SINGLE_BINDING, &single->steps);
  } else {
    bind_buffer(self, GL_SHADER_STORAGE_BUFFER, slot++, &single->steps);
  }
  if (single->packed) bind_buffer(self, GL_SHADER_STORAGE_BUFFER, slot++, &single->contents);
  for (uint32_t unit = 0; unit < single->unit_count; ++unit) {
    weft_gl_set_texture(self->shared, unit, self->textures[single->units[unit]], false);
  }
  for (uint32_t k = 0; k < single->bound_count; ++k) {
    weft_gl_bind_single(self, single->bound[k], slot++);
  }
}

static void dispatch(weft_gl_instance *self, const weft_single_run *run, uint32_t done,
                     uint32_t count) {
  uint32_t skip = (run->pins_rest ? WEFT_GATE_PINS : 0) | (run->grab_empty ? WEFT_GATE_GRAB : 0);
  weft_gl_bind_substep(self, run->substep + done);
  weft_gl_bind_run(self,
                   &(weft_single_run_args){
                       .steps = self->single.ends[run->passes], .skip = skip, .substeps = count});
  weft_gl_dispatch(self->shared, self->single.parts);
  bool textured = self->gl->desc.reads == WEFT_GL_READS_TEXTURES;
  weft_gl_barrier(self->shared,
                  GL_SHADER_STORAGE_BARRIER_BIT | (textured ? GL_TEXTURE_FETCH_BARRIER_BIT : 0u));
}

/* One substep, waited for: the quickest of the first says how many fit a dispatch. With the very
 * first some drivers compile. */
static void dispatch_timed(weft_gl_instance *self, const weft_single_run *run, uint32_t done) {
  weft_gl_single *single = &self->single;
  glFinish();
  double start = weft_clock_seconds();
  dispatch(self, run, done, 1);
  glFinish();
  double seconds = weft_clock_seconds() - start;
  if (single->timed == 0 || seconds < single->seconds) single->seconds = seconds;
  if (++single->timed < WEFT_GL_TIMED_SUBSTEPS) return;
  double fit = single->seconds > 0 ? dispatch_time / single->seconds : UINT32_MAX;
  if (fit < single->substeps_at_once) single->substeps_at_once = fit > 1 ? (uint32_t)fit : 1;
  weft_log(WEFT_LOG_DEBUG, "a substep in one dispatch takes %.3g ms: up to %u at once",
           1000 * single->seconds, single->substeps_at_once);
}

void weft_gl_run_single(void *instance, const weft_single_run *run) {
  weft_gl_instance *self = instance;
  weft_gl_make_current(self->gl);
  weft_gl_set_program(self->shared, self->single.program);
  bind_all(self);
  for (uint32_t done = 0; done < run->count;) {
    uint32_t count = run->count - done;
    if (self->single.timed < WEFT_GL_TIMED_SUBSTEPS) {
      count = 1;
      dispatch_timed(self, run, done);
    } else {
      if (count > self->single.substeps_at_once) count = self->single.substeps_at_once;
      dispatch(self, run, done, count);
    }
    done += count;
  }
}

void weft_gl_single_free(weft_gl_instance *self) {
  weft_gl_buffer_destroy(&self->single.steps);
  weft_gl_buffer_destroy(&self->single.contents);
  weft_free(self->single.ends);
}
