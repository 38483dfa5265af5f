/* quiet.c: self-collision where nothing is near anything.
 *
 * Of a detection that lists nothing, all passes after those that list pairs of patches do nothing,
 * and so do the pushes and the limit. But the host does not know what a detection lists, and a
 * dispatch for nobody costs nearly as much as a small one. So after a frame in which nothing was
 * listed it is taken for granted that nothing will be: only what looks is issued, and after each
 * detection a dispatch of one group (stop.comp) that asks whether the lists are empty. If they are
 * not it makes the groups of every later dispatch none, and the device stands still right behind
 * that detection. All dispatches take their groups from a buffer for that. When anything but a pass
 * is asked of the instance, the host looks whether the device stands; if so it issues what came
 * after that detection once more, all of it, and from then on every pass, until a frame has listed
 * nothing again.
 *
 * Bits are those of all passes: what is left out reads lists that are empty, and what it would
 * write is there already, since a frame with all passes came before. That is why the host's own
 * writes to what passes of self-collision write end it. */
#include <string.h>

#include "solver_gl_internal.h"

/* Frames with all passes before the host looks again whether anything is listed: each detection
 * waits for the device. */
enum { FRAMES_BETWEEN_LOOKS = 8 };

/* Levels of the tree with so few nodes are one dispatch together. */
enum { MOST_NODES = 1024, LEVEL_GROUP = 256, LEVEL_GROUP_ON_PROCESSORS = 32 };

/* Passes that are remembered until the host looks. */
enum { MOST_ISSUED = 1 << 15 };

typedef struct issued_pass {
  weft_pass pass;
  uint32_t substep;
} issued_pass;

/* Levels that stand together in the list of passes. */
typedef struct level_run {
  weft_pass steps[WEFT_SELF_SIZES];
  uint32_t count;
} level_run;

/* A uniform block has the steps of a run from its first on, and is bound in all its length. */
enum {
  BLOCK_BYTES = WEFT_SINGLE_UNIFORM_STEPS * sizeof(weft_pass),
  RUN_BYTES = (BLOCK_BYTES + 255) / 256 * 256
};
_Static_assert(BLOCK_BYTES <= 16384, "OpenGL promises uniform blocks of so many bytes");

struct weft_gl_quiet {
  bool on;       /* only what looks is issued */
  bool complete; /* the last pass of self-collision was that of the end of a substep */
  uint32_t parts;
  uint32_t frames, wait; /* with all passes since the last detection; so many are waited */
  weft_gl_buffer groups; /* uvec4 []: whether and where the device stands; groups of dispatches */
  uvec4 *entries;
  uint32_t entry_count;
  issued_pass *issued;
  uint32_t issued_count, issued_room;
  GLuint stop, levels;  /* programs */
  weft_gl_buffer steps; /* of level_runs */
  level_run *runs;
  uint32_t run_count;
  weft_buffer_id bound[WEFT_BUFFER_COUNT]; /* by `levels`, at slots 0, 1, ... */
  uint32_t bound_count;
};

/* ---- planning ---- */

static bool looks(const weft_pass *pass) {
  bool in_detection = pass->kind == WEFT_PASS_SELF_PATCH || pass->kind == WEFT_PASS_SELF_REFIT ||
                      pass->kind == WEFT_PASS_SELF_CERTIFY ||
                      pass->kind == WEFT_PASS_SELF_FIND_PATCHES;
  return in_detection && pass->detection == 0;
}

/* What is looked at are the ways of contact steps. */
static bool makes_way(const weft_pass *pass) {
  return pass->kind == WEFT_PASS_SELF_EXTRAPOLATE || pass->kind == WEFT_PASS_SELF_RESTORE ||
         pass->kind == WEFT_PASS_SELF_STEP_BEGIN || pass->kind == WEFT_PASS_SELF_STEP_END;
}

static bool is_issued(const weft_pass *pass) {
  return pass->count > 0 && (!weft_pass_is_self(pass->kind) || looks(pass) || makes_way(pass));
}

static uint32_t entry_of(const weft_gl_quiet *q, uint32_t groups) {
  for (uint32_t k = 1; k < q->entry_count; ++k) {
    if (q->entries[k].x == groups) return k;
  }
  return 0;
}

static void add_entry(weft_gl_quiet *q, uint32_t groups) {
  if (entry_of(q, groups)) return;
  q->entries[q->entry_count++] = (uvec4){groups, 1, 1, 0};
}

/* Whether each pass is one dispatch. */
static bool list_entries(weft_gl_instance *self, const weft_pass *passes, size_t count) {
  weft_gl_quiet *q = self->quiet;
  q->entries = weft_alloc(count + 2, sizeof *q->entries);
  q->entry_count = 1;
  add_entry(q, 1);
  for (size_t k = 0; k < count; ++k) {
    if (!is_issued(&passes[k])) continue;
    uint32_t groups = weft_gl_groups_of(self, &passes[k]);
    if (!groups) return false;
    add_entry(q, groups);
  }
  return true;
}

static bool is_small_level(const weft_pass *pass) {
  return pass->kind == WEFT_PASS_SELF_REFIT && looks(pass) && pass->count <= MOST_NODES;
}

static void list_runs(weft_gl_quiet *q, const weft_pass *passes, size_t count) {
  q->runs = weft_alloc(count, sizeof *q->runs);
  for (size_t k = 0; k < count; ++k) {
    if (!is_small_level(&passes[k])) continue;
    if (k == 0 || !is_small_level(&passes[k - 1])) q->run_count++;
    level_run *run = &q->runs[q->run_count - 1];
    run->steps[run->count++] = passes[k];
  }
}

static weft_result make_levels(weft_gl_instance *self, weft_error *err) {
  weft_gl_quiet *q = self->quiet;
  weft_gl_kinds *used = weft_alloc(1, sizeof *used);
  weft_gl_use(used, WEFT_PASS_SELF_REFIT, 0);
  used->repeated[WEFT_PASS_SELF_REFIT][0] = true;
  weft_gl_single_desc desc = {
      .used = used,
      .counts = self->counts,
      .group = weft_gl_is_software(self->gl) ? LEVEL_GROUP_ON_PROCESSORS : LEVEL_GROUP,
      .teams = 1,
      .uniform_steps = true};
  weft_gl_places places;
  char *text = weft_gl_single_text(&desc, &places);
  weft_free(used);
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    if (places.of[id].block) q->bound[q->bound_count++] = (weft_buffer_id)id;
  }
  weft_result result =
      weft_gl_find_program(self->gl, "solver/single.comp", "WEFT_SINGLE=1", text, &q->levels, err);
  unsigned char *bytes = weft_alloc(q->run_count, RUN_BYTES);
  for (uint32_t r = 0; r < q->run_count; ++r) {
    weft_pass *steps = (void *)(bytes + (size_t)r * RUN_BYTES);
    for (uint32_t s = 0; s < q->runs[r].count; ++s) {
      steps[s] = q->runs[r].steps[s];
      steps[s].kind = weft_gl_step_number(WEFT_PASS_SELF_REFIT, 0);
    }
  }
  if (result == WEFT_OK) {
    result = weft_gl_buffer_create(self->gl, "weft levels", (uint64_t)q->run_count * RUN_BYTES, 0,
                                   GL_STATIC_DRAW, bytes, &q->steps, err);
    self->shared->counts.buffers_created++;
  }
  weft_free(bytes);
  return result;
}

static weft_result make(weft_gl_instance *self, weft_error *err) {
  weft_gl_quiet *q = self->quiet;
  weft_result result =
      weft_gl_find_program(self->gl, "solver/stop.comp", NULL, weft_strdup(""), &q->stop, err);
  if (result == WEFT_OK && q->run_count) result = make_levels(self, err);
  if (result != WEFT_OK) return result;
  self->shared->counts.buffers_created++;
  return weft_gl_buffer_create(self->gl, "weft groups", q->entry_count * sizeof *q->entries, 0,
                               GL_DYNAMIC_COPY, q->entries, &q->groups, err);
}

static weft_result plan(weft_gl_instance *self, const weft_pass *passes, size_t count,
                        uint32_t parts, uint64_t substeps, weft_error *err) {
  if (self->counts[WEFT_BUFFER_SELF_COUNTS] == 0) return WEFT_OK;
  weft_gl_quiet *q = self->quiet = weft_alloc(1, sizeof *q);
  q->parts = parts;
  q->wait = 1;
  if (!list_entries(self, passes, count)) {
    weft_gl_quiet_free(self);
    return WEFT_OK;
  }
  list_runs(q, passes, count);
  uint64_t issued = (uint64_t)count * substeps;
  q->issued_room = (uint32_t)(issued < MOST_ISSUED ? issued : MOST_ISSUED);
  q->issued = weft_alloc(q->issued_room, sizeof *q->issued);
  weft_result result = make(self, err);
  weft_gl_forget(self->shared);
  return result;
}

weft_result weft_gl_quiet_plan(weft_gl_instance *self, const weft_pass *passes, size_t count,
                               const weft_contents *contents, weft_error *err) {
  return plan(self, passes, count, contents->parts ? contents->parts : 1,
              contents->buffers[WEFT_BUFFER_SUBSTEPS].count, err);
}

weft_result weft_gl_quiet_plan_again(weft_gl_instance *self, const weft_pass *passes, size_t count,
                                     uint64_t substeps, weft_error *err) {
  weft_gl_quiet *before = self->quiet;
  if (!before) return WEFT_OK;
  self->quiet = NULL;
  const weft_result result = plan(self, passes, count, before->parts, substeps, err);
  weft_gl_quiet *now = self->quiet;
  if (result == WEFT_OK && now) {
    now->on = before->on;
    now->complete = before->complete;
    now->frames = before->frames;
    now->wait = before->wait;
  }
  self->quiet = result == WEFT_OK ? before : now;
  weft_gl_quiet_free(self);
  self->quiet = result == WEFT_OK ? now : before;
  return result;
}

void weft_gl_quiet_free(weft_gl_instance *self) {
  weft_gl_quiet *q = self->quiet;
  if (!q) return;
  weft_gl_buffer_destroy(&q->groups);
  weft_gl_buffer_destroy(&q->steps);
  weft_free(q->entries);
  weft_free(q->runs);
  weft_free(q->issued);
  weft_free(q);
  self->quiet = NULL;
}

/* ---- what the device found ---- */

static void end(weft_gl_quiet *q) {
  q->on = false;
  q->frames = 0;
  q->wait = FRAMES_BETWEEN_LOOKS;
}

/* Behind the look at which the device stands. */
static void go_on(weft_gl_instance *self, uint32_t from) {
  weft_gl_quiet *q = self->quiet;
  weft_gl_buffer_write(&q->groups, 0, q->groups.size, q->entries);
  self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
  for (uint32_t k = from; k < q->issued_count; ++k) {
    weft_gl_run_pass(self, &q->issued[k].pass, q->issued[k].substep);
  }
}

void weft_gl_quiet_end(weft_gl_instance *self) {
  if (self->quiet) end(self->quiet);
}

static void see(weft_gl_instance *self) {
  weft_gl_quiet *q = self->quiet;
  uvec4 stands;
  weft_gl_buffer_read(&q->groups, 0, sizeof stands, &stands);
  self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
  if (stands.x) end(q);
  if (stands.x) go_on(self, stands.y);
  q->issued_count = 0;
}

void weft_gl_quiet_settle(weft_gl_instance *self) {
  weft_gl_quiet *q = self->quiet;
  if (!q || !q->on || q->issued_count == 0) return;
  see(self);
  /* Amid a substep lists may be begun. */
  if (!q->complete) end(q);
}

/* ---- issuing ---- */

static void issue(weft_gl_instance *self, uint32_t groups) {
  const weft_gl_quiet *q = self->quiet;
  uint32_t entry = entry_of(q, groups);
  WEFT_CHECK(entry, "a pass that is not in the list");
  weft_gl_dispatch_from(self->shared, q->groups.name, q->groups.guard + entry * sizeof *q->entries);
}

static void issue_levels(weft_gl_instance *self, const level_run *run, uint32_t substep) {
  const weft_gl_quiet *q = self->quiet;
  weft_gl_set_program(self->shared, q->levels);
  weft_gl_bind_uniforms(self);
  weft_gl_bind_substep(self, substep);
  weft_gl_bind_run(self, &(weft_single_run_args){.steps = run->count, .substeps = 1});
  weft_gl_set_range(
      self->shared, GL_UNIFORM_BUFFER, WEFT_SINGLE_BINDING,
      &(weft_gl_range){q->steps.name, (GLintptr)(run - q->runs) * RUN_BYTES, BLOCK_BYTES});
  for (uint32_t k = 0; k < q->bound_count; ++k) weft_gl_bind_single(self, q->bound[k], k);
  issue(self, 1);
  weft_gl_make_visible(self, false);
}

static void issue_stop(weft_gl_instance *self) {
  const weft_gl_quiet *q = self->quiet;
  weft_gl_set_program(self->shared, q->stop);
  weft_gl_bind_pass(
      self, &(weft_pass){.first = q->issued_count, .count = q->entry_count, .steps = q->parts});
  weft_gl_bind_single(self, WEFT_BUFFER_SELF_COUNTS, 0);
  weft_gl_set_range(
      self->shared, GL_SHADER_STORAGE_BUFFER, 1,
      &(weft_gl_range){q->groups.name, (GLintptr)q->groups.guard, (GLsizeiptr)q->groups.size});
  weft_gl_dispatch(self->shared, 1);
  weft_gl_make_visible(self, true);
}

/* The run of levels that a pass is of. */
static const level_run *run_of(const weft_gl_quiet *q, const weft_pass *pass, uint32_t *step) {
  for (uint32_t r = 0; pass->kind == WEFT_PASS_SELF_REFIT && r < q->run_count; ++r) {
    for (*step = 0; *step < q->runs[r].count; ++*step) {
      if (!memcmp(&q->runs[r].steps[*step], pass, sizeof *pass)) return &q->runs[r];
    }
  }
  return NULL;
}

static void issue_quietly(weft_gl_instance *self, const weft_pass *pass, uint32_t substep) {
  uint32_t step = 0;
  const level_run *run = run_of(self->quiet, pass, &step);
  if (run) {
    if (step == 0) issue_levels(self, run, substep);
    return;
  }
  weft_gl_prepare_pass(self, pass, substep);
  issue(self, weft_gl_groups_of(self, pass));
  weft_gl_make_visible(self, false);
  if (pass->kind == WEFT_PASS_SELF_FIND_PATCHES) issue_stop(self);
}

static void note(weft_gl_quiet *q, const weft_pass *pass) {
  if (!weft_pass_is_self(pass->kind)) return;
  q->complete = pass->kind == WEFT_PASS_SELF_ADVANCE;
}

/* No pass of a substep, so none of those that were planned. */
static bool is_beside(weft_pass_kind kind) {
  return kind == WEFT_PASS_PICK_NEAR || kind == WEFT_PASS_PICK_BEST || kind == WEFT_PASS_BOUND ||
         kind == WEFT_PASS_BOUND_JOIN || kind == WEFT_PASS_SHIFT;
}

bool weft_gl_quiet_run(weft_gl_instance *self, const weft_pass *pass, uint32_t substep) {
  weft_gl_quiet *q = self->quiet;
  if (is_beside(pass->kind)) {
    weft_gl_quiet_settle(self);
    return false;
  }
  if (q && q->issued_count == q->issued_room) see(self);
  if (q) note(q, pass);
  if (!q || !q->on) return false;
  q->issued[q->issued_count++] = (issued_pass){*pass, substep};
  if (is_issued(pass) && weft_pass_runs(pass, substep)) issue_quietly(self, pass, substep);
  return true;
}

/* ---- between frames ---- */

static bool all_zero(const void *data, uint64_t bytes) {
  const unsigned char *at = data;
  for (uint64_t k = 0; k < bytes; ++k) {
    if (at[k]) return false;
  }
  return true;
}

static bool is_zero(weft_gl_instance *self, weft_buffer_id id) {
  uint32_t piece[256];
  uint64_t bytes = self->counts[id] * self->strides[id];
  for (uint64_t done = 0; done < bytes; done += sizeof piece) {
    uint64_t size = bytes - done < sizeof piece ? bytes - done : sizeof piece;
    weft_gl_buffer_read(&self->buffers[id], done, size, piece);
    self->shared->counts.calls += WEFT_GL_CALLS_OF_A_COPY;
    if (!all_zero(piece, size)) return false;
  }
  return true;
}

/* With every frame the host gives its substeps. */
static void begin_frame(weft_gl_instance *self) {
  weft_gl_quiet *q = self->quiet;
  if (q->on || !q->complete || ++q->frames < q->wait) return;
  end(q);
  q->on = is_zero(self, WEFT_BUFFER_SELF_COUNTS) && is_zero(self, WEFT_BUFFER_SELF_CACHE_COUNT);
}

/* But counts and what is kept from substep to substep. */
static bool is_scratch(weft_buffer_id id) {
  const weft_buffer_info *info = &weft_buffer_infos[id];
  return info->use == WEFT_USE_SCRATCH && strncmp(info->name, "self_", 5) == 0 &&
         id != WEFT_BUFFER_SELF_COUNTS;
}

void weft_gl_quiet_written(weft_gl_instance *self, weft_buffer_id id, const void *data,
                           uint64_t bytes) {
  weft_gl_quiet *q = self->quiet;
  if (!q) return;
  if (id == WEFT_BUFFER_SUBSTEPS) begin_frame(self);
  bool counts = id == WEFT_BUFFER_SELF_COUNTS || id == WEFT_BUFFER_SELF_CACHE_COUNT;
  if (!is_scratch(id) && !(counts && !all_zero(data, bytes))) return;
  if (q->on) end(q);
  q->complete = false;
}
