/* bench_run.c: what `weft bench` runs through: scenes, sizes, schedules, modes, backends, a row
 * each; with --hold-strain a search for each size first, and a row for what it found. */
#include <stdlib.h>
#include <string.h>

#include "bench_hold.h"
#include "gl.h"
#include "instances.h"
#include "max_strain.h"
#include "report.h"
#include "team.h"

/* ---- names ---- */

int weft_bench_mode_named(const char *name) {
  for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
    if (strcmp(name, weft_mode_name((weft_mode)mode)) == 0) return mode;
  }
  return -1;
}

int weft_bench_schedule_named(const char *name) {
  for (int k = WEFT_SCHEDULE_AUTO; k <= WEFT_SCHEDULE_WHOLE; ++k) {
    if (strcmp(name, weft_schedule_name((weft_schedule)k)) == 0) return k;
  }
  return -1;
}

static bool named(const weft_bench_names *list, const char *name) {
  for (uint32_t k = 0; k < list->count; ++k) {
    if (strcmp(list->text[k], name) == 0) return true;
  }
  return false;
}

/* ---- a row ---- */

/* Everything beside scene, size, backend and mode that a row depends on. */
static void note_settings(const weft_bench_wish *wish, const weft_app_options *options,
                          const weft_params *p, const char *backend, weft_bench_row *row) {
  static const char *const methods[] = {"xpbd", "pbd"};
  int used = snprintf(row->settings, sizeof row->settings,
                      "%u x %u, dt %.6g, %s, %u frames, tethers %u, levels %u x %u", p->substeps,
                      p->iterations, (double)p->frame_dt, methods[p->method], wish->plan.frames,
                      p->tethers, p->levels, p->level_sweeps);
  char *end = row->settings + used;
  size_t room = sizeof row->settings - (size_t)used;
  if (wish->plan.lead) { /* files of before there was one have none */
    int more = snprintf(end, room, ", lead %u", wish->plan.lead);
    end += more;
    room -= (size_t)more;
  }
  if (p->line_sweeps) { /* files of before there were lines have none */
    int more = snprintf(end, room, ", lines %u", p->line_sweeps);
    end += more;
    room -= (size_t)more;
  }
  if (p->schedule != WEFT_SCHEDULE_AUTO) {
    int more = snprintf(end, room, ", schedule %s", weft_schedule_name(p->schedule));
    end += more;
    room -= (size_t)more;
  }
  if (weft_app_instance_count(options) > 1) {
    char instances[100];
    weft_app_describe_instances(options, instances, sizeof instances);
    int more = snprintf(end, room, ", %s", instances);
    end += more;
    room -= (size_t)more;
  }
  uint32_t threads = options->threads ? options->threads : weft_team_processors();
  const weft_gl *gl = wish->plan.gl;
  if (strcmp(backend, "cpu") == 0) snprintf(end, room, ", threads %u", threads);
  if (strcmp(backend, "gl") == 0 && gl) snprintf(end, room, ", group %u", gl->desc.group_size);
}

/* NULL without an error: that backend is not there. */
static weft_result find_backend(const char *name, const weft_app_options *options, weft_gl *gl,
                                const weft_backend **backend, weft_error *err) {
  *backend = NULL;
  if (strcmp(name, "ref") == 0) *backend = weft_backend_ref();
  if (strcmp(name, "f64") == 0) *backend = weft_backend_f64();
  if (strcmp(name, "cpu") == 0) *backend = weft_backend_cpu(options->threads);
  if (strcmp(name, "gl") == 0 && gl) return weft_backend_gl(gl, backend, err);
  return WEFT_OK;
}

static weft_bench_row *add_row(weft_bench_table *t) {
  void *rows = t->rows;
  weft_grow(&rows, &t->capacity, t->count + 1, sizeof *t->rows);
  t->rows = rows;
  return &t->rows[t->count];
}

/* On stderr: tables and JSON keep standard output for themselves. */
static void tell_strain(const weft_scene_instance *scene, weft_bench_row *row) {
  if (!(scene->held.target > 0)) return;
  row->max_strain = weft_app_strain_json(&scene->params, &scene->held, &row->seen);
  fprintf(stderr, "%s, size %u, %s\n", row->scene, row->size, row->backend);
  weft_app_strain_print_choice(stderr, &scene->params, &scene->held);
  weft_app_strain_print_reached(stderr, &scene->params, &scene->held, &row->seen);
}

/* ---- what cannot be ---- */

static void leave_out(weft_bench_table *t, const weft_bench_row *row, const weft_params *params,
                      weft_result result, const weft_error *why) {
  void *left = t->left;
  weft_grow(&left, &t->left_capacity, t->left_count + 1, sizeof *t->left);
  t->left = left;
  weft_bench_left *own = &t->left[t->left_count];
  snprintf(own->what, sizeof own->what, "%s %u, %s, %s, schedule %s", row->scene, row->size,
           row->backend, weft_mode_name(params->mode), weft_schedule_name(params->schedule));
  snprintf(own->why, sizeof own->why, "%.350s", why->message);
  if (t->left_count++ == 0) t->left_for = result;
}

static bool refused(weft_result result) {
  return result == WEFT_ERROR_LIMIT || result == WEFT_ERROR_ARGUMENT;
}

/* ---- one scene at one size ---- */

typedef struct subject {
  const weft_bench_wish *wish;
  const weft_app_options *options;
  weft_bench_table *table;
  weft_scene_instance scene;
  weft_bench_row common;
} subject;

static weft_result open_subject(subject *s, weft_error *err) {
  weft_bench_row *row = &s->common;
  row->host_before = weft_bench_resident_memory();
  weft_bench_reset_peak();
  double start = weft_clock_seconds();
  weft_result result = weft_app_make_scene_sized(s->options, row->scene, row->size, &s->scene, err);
  if (result != WEFT_OK) return result;
  row->scene_ms = 1e3 * (weft_clock_seconds() - start);
  row->cook_peak = weft_bench_peak_memory();
  row->particles = weft_model_particle_count(s->scene.model);
  return WEFT_OK;
}

/* The scene's parameters as they are, on one backend. */
static weft_result add_one(subject *s, const char *name, const weft_backend *backend,
                           weft_error *err) {
  weft_params params;
  weft_bench_row *row = add_row(s->table);
  *row = s->common;
  row->backend = name;
  weft_error why = {0};
  weft_result result = weft_params_resolve(&s->scene.params, &params, &why);
  if (result == WEFT_OK) {
    note_settings(s->wish, s->options, &params, name, row);
    result = weft_bench_measure(&s->wish->plan, &s->scene, backend, row, &why);
  }
  if (refused(result)) {
    leave_out(s->table, row, &s->scene.params, result, &why);
    return WEFT_OK;
  }
  if (result != WEFT_OK) return weft_fail(err, result, "%s", why.message);
  tell_strain(&s->scene, row);
  s->table->count++;
  return WEFT_OK;
}

/* Only a GPU runs `whole` otherwise than `colours`. */
static bool same_again(const weft_bench_wish *wish, const char *backend, weft_schedule schedule) {
  bool again = named(&wish->schedules, "colours") || named(&wish->schedules, "auto");
  return strcmp(backend, "gl") != 0 && schedule == WEFT_SCHEDULE_WHOLE && again;
}

static weft_result on_backends(subject *s, weft_error *err) {
  const weft_bench_names *names = &s->wish->backends;
  weft_result result = WEFT_OK;
  for (uint32_t b = 0; b < names->count && result == WEFT_OK; ++b) {
    const weft_backend *backend;
    if (same_again(s->wish, names->text[b], s->scene.params.schedule)) continue;
    result = find_backend(names->text[b], s->options, s->wish->plan.gl, &backend, err);
    if (result == WEFT_OK && backend) result = add_one(s, names->text[b], backend, err);
  }
  return result;
}

static weft_result in_modes(subject *s, weft_error *err) {
  const weft_bench_names *modes = &s->wish->modes;
  weft_result result = modes->count ? WEFT_OK : on_backends(s, err);
  for (uint32_t m = 0; m < modes->count && result == WEFT_OK; ++m) {
    s->scene.params.mode = (weft_mode)weft_bench_mode_named(modes->text[m]);
    result = on_backends(s, err);
  }
  return result;
}

static weft_result in_schedules(subject *s, weft_error *err) {
  const weft_bench_names *schedules = &s->wish->schedules;
  weft_result result = schedules->count ? WEFT_OK : in_modes(s, err);
  for (uint32_t k = 0; k < schedules->count && result == WEFT_OK; ++k) {
    s->scene.params.schedule = (weft_schedule)weft_bench_schedule_named(schedules->text[k]);
    result = in_modes(s, err);
  }
  return result;
}

/* ---- the cheapest that holds strain ---- */

static weft_hold *add_hold(subject *s, const weft_hold *search, const char *backend) {
  weft_bench_table *t = s->table;
  void *holds = t->holds;
  weft_grow(&holds, &t->hold_capacity, t->hold_count + 1, sizeof *t->holds);
  t->holds = holds;
  weft_hold *hold = &t->holds[t->hold_count++];
  *hold = *search;
  hold->backend = backend;
  return hold;
}

/* Searches where it is quickest: the bits of the state are the same on ref, cpu and gl. */
static const weft_backend *search_place(const char *backend) {
  return strcmp(backend, "f64") == 0 ? weft_backend_f64() : weft_backend_cpu(1);
}

static weft_result hold_on(subject *s, const char *name, weft_hold *search, weft_error *err) {
  const weft_backend *backend, *place = search_place(name);
  weft_result result = find_backend(name, s->options, s->wish->plan.gl, &backend, err);
  if (result != WEFT_OK || !backend) return result;
  const char *before = search->searched_on;
  if (!before || strcmp(before, weft_backend_name(place)) != 0) {
    result = weft_hold_search(s->wish, &s->scene, place, search, err);
    if (result != WEFT_OK) return result;
  }
  weft_hold *hold = add_hold(s, search, name);
  result = weft_hold_time(s->wish, &s->scene, backend, hold, err);
  if (result != WEFT_OK || hold->best < 0) return result;
  weft_params given = s->scene.params;
  s->scene.params = hold->tries[hold->best].params;
  result = add_one(s, name, backend, err);
  s->scene.params = given;
  return result;
}

static weft_result hold_strain(subject *s, weft_error *err) {
  const weft_bench_names *names = &s->wish->backends;
  weft_hold *search = weft_alloc(1, sizeof *search);
  weft_hold_begin(s->wish, s->options, &s->common, &s->scene, search);
  weft_result result = WEFT_OK;
  for (uint32_t b = 0; b < names->count && result == WEFT_OK; ++b) {
    result = hold_on(s, names->text[b], search, err);
  }
  weft_free(search);
  return result;
}

/* ---- all ---- */

static weft_result run_size(const weft_bench_wish *wish, const weft_app_options *options,
                            const char *scene, const char *size, weft_bench_table *t,
                            weft_error *err) {
  subject s = {.wish = wish, .options = options, .table = t};
  s.common.size = (uint32_t)strtoul(size, NULL, 10);
  snprintf(s.common.scene, sizeof s.common.scene, "%s", scene);
  weft_result result = open_subject(&s, err);
  if (result != WEFT_OK) return result;
  result = wish->hold.target > 0 ? hold_strain(&s, err) : in_schedules(&s, err);
  weft_scene_free(&s.scene);
  return result;
}

weft_result weft_bench_run(const weft_bench_wish *wish, const weft_app_options *options,
                           weft_bench_table *table, weft_error *err) {
  weft_result result = WEFT_OK;
  table->load = weft_bench_load();
  table->processors = weft_team_processors();
  for (uint32_t s = 0; s < wish->scenes.count; ++s) {
    for (uint32_t k = 0; k < wish->sizes.count && result == WEFT_OK; ++k) {
      result = run_size(wish, options, wish->scenes.text[s], wish->sizes.text[k], table, err);
    }
  }
  bool nothing = table->count == 0 && table->left_count > 0;
  if (result != WEFT_OK || !nothing) return result;
  return weft_fail(err, table->left_for, "%s: %s", table->left[0].what, table->left[0].why);
}

bool weft_bench_not_held(const weft_bench_table *table) {
  for (size_t k = 0; k < table->hold_count; ++k) {
    if (table->holds[k].best < 0) return true;
  }
  return false;
}

void weft_bench_table_free(weft_bench_table *table) {
  for (size_t k = 0; k < table->count; ++k) json_decref(table->rows[k].max_strain);
  free(table->rows);
  free(table->left);
  free(table->holds);
}
