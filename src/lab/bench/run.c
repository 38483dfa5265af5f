/* run.c: what `weft bench` runs through: scenes, sizes, schedules, modes, backends, a row each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_internal.h"
#include "gl.h"
#include "machine.h"
#include "thread_pool.h"

static bool named(const weft_bench_names *list, const char *name) {
  for (uint32_t k = 0; k < list->count; ++k) {
    if (strcmp(list->text[k], name) == 0) return true;
  }
  return false;
}

/* ---- a row ---- */

static void add_setting(weft_bench_row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_setting(weft_bench_row *row, const char *format, ...) {
  size_t used = strlen(row->settings);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(row->settings + used, sizeof row->settings - used, format, arguments);
  va_end(arguments);
}

/* What is asked of the whole run and a row depends on; what scenes set is among its parameters. */
static void note_settings(const weft_bench_request *request, const weft_params *p,
                          const char *backend, weft_bench_row *row) {
  const weft_bench_plan *plan = &request->plan;
  add_setting(row, "%u x %u, dt %.6g, %s, %u frames, attachments %u, levels %u x %u", p->substeps,
              p->iterations, (double)p->frame_dt,
              weft_param_infos[WEFT_PARAM_method].choices[p->method], plan->frames, p->lra,
              p->multilevel, p->multilevel_sweeps);
  if (plan->warm_up_frames) add_setting(row, ", warmup %u", plan->warm_up_frames);
  if (p->line_sweeps) add_setting(row, ", lines %u", p->line_sweeps);
  if (p->schedule != WEFT_SCHEDULE_AUTO) {
    add_setting(row, ", schedule %s", weft_schedule_name(p->schedule));
  }
  if (p->compensated) add_setting(row, ", compensated");
  if (*request->more_settings) add_setting(row, ", %s", request->more_settings);
  uint32_t threads = plan->threads ? plan->threads : weft_thread_pool_processors();
  if (strcmp(backend, "cpu") == 0) add_setting(row, ", threads %u", threads);
  if (strcmp(backend, "gl") == 0 && plan->gl) {
    add_setting(row, ", group %u", plan->gl->desc.group_size);
  }
}

weft_result weft_bench_find_backend(const char *name, const weft_bench_plan *plan,
                                    const weft_backend **backend, weft_error *err) {
  *backend = NULL;
  if (strcmp(name, "ref") == 0) *backend = weft_backend_ref();
  if (strcmp(name, "f64") == 0) *backend = weft_backend_f64();
  if (strcmp(name, "cpu") == 0) *backend = weft_backend_cpu(plan->threads);
  if (strcmp(name, "gl") == 0 && plan->gl) return weft_backend_gl(plan->gl, backend, err);
  return WEFT_OK;
}

static weft_bench_row *add_row(weft_bench_table *t) {
  void *rows = t->rows;
  weft_grow(&rows, &t->capacity, t->count + 1, sizeof *t->rows);
  t->rows = rows;
  return &t->rows[t->count];
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

typedef struct input {
  const weft_bench_request *request;
  weft_bench_table *table;
  weft_scene_instance scene;
  weft_bench_row common;
} input;

static weft_result open_input(input *s, weft_error *err) {
  weft_bench_row *row = &s->common;
  row->host_before = weft_resident_memory();
  weft_reset_peak_memory();
  double start = weft_clock_seconds();
  weft_result result =
      s->request->make_scene(s->request->user, row->scene, row->size, &s->scene, err);
  if (result != WEFT_OK) return result;
  row->scene_ms = 1e3 * (weft_clock_seconds() - start);
  row->preprocess_peak = weft_peak_memory();
  row->particles = weft_model_particle_count(s->scene.model);
  if (s->request->mesh) row->size = (uint32_t)lround(sqrt((double)row->particles));
  result = weft_bench_go_on(&s->request->plan, err);
  if (result != WEFT_OK) weft_scene_free(&s->scene);
  return result;
}

/* The scene's parameters as they are, on one backend. */
static weft_result add_one(input *s, const char *name, const weft_backend *backend,
                           weft_error *err) {
  weft_params params;
  weft_bench_row *row = add_row(s->table);
  *row = s->common;
  row->backend = name;
  weft_bench_progress_next(s->request, row->scene, row->size, name);
  weft_error why = {0};
  weft_result result = weft_params_resolve(&s->scene.params, &params, &why);
  if (result == WEFT_OK) {
    note_settings(s->request, &params, name, row);
    row->params = params;
    result = weft_bench_measure(&s->request->plan, &s->scene, backend, row, &why);
  }
  if (refused(result)) {
    leave_out(s->table, row, &s->scene.params, result, &why);
    return WEFT_OK;
  }
  if (result != WEFT_OK) return weft_fail(err, result, "%s", why.message);
  s->table->count++;
  if (s->request->plan.kept) s->request->plan.kept();
  return WEFT_OK;
}

/* Only a GPU runs `single` otherwise than `colours`. */
static bool same_again(const weft_bench_request *request, const char *backend,
                       weft_schedule schedule) {
  bool again = named(&request->schedules, "colours") || named(&request->schedules, "auto");
  return strcmp(backend, "gl") != 0 && schedule == WEFT_SCHEDULE_SINGLE && again;
}

static weft_result on_backends(input *s, weft_error *err) {
  const weft_bench_names *names = &s->request->backends;
  weft_result result = WEFT_OK;
  for (uint32_t b = 0; b < names->count && result == WEFT_OK; ++b) {
    const weft_backend *backend;
    if (same_again(s->request, names->text[b], s->scene.params.schedule)) continue;
    result = weft_bench_find_backend(names->text[b], &s->request->plan, &backend, err);
    if (result == WEFT_OK && backend) result = add_one(s, names->text[b], backend, err);
  }
  return result;
}

static weft_result in_modes(input *s, weft_error *err) {
  const weft_bench_names *modes = &s->request->modes;
  weft_result result = modes->count ? WEFT_OK : on_backends(s, err);
  for (uint32_t m = 0; m < modes->count && result == WEFT_OK; ++m) {
    s->scene.params.mode = (weft_mode)weft_param_choice(WEFT_PARAM_mode, modes->text[m]);
    result = on_backends(s, err);
  }
  return result;
}

static weft_result in_schedules(input *s, weft_error *err) {
  const weft_bench_names *schedules = &s->request->schedules;
  weft_result result = schedules->count ? WEFT_OK : in_modes(s, err);
  for (uint32_t k = 0; k < schedules->count && result == WEFT_OK; ++k) {
    s->scene.params.schedule =
        (weft_schedule)weft_param_choice(WEFT_PARAM_schedule, schedules->text[k]);
    result = in_modes(s, err);
  }
  return result;
}

/* ---- all ---- */

static weft_result run_size(const weft_bench_request *request, const char *scene, const char *size,
                            weft_bench_table *t, weft_error *err) {
  input s = {.request = request, .table = t};
  s.common.size = (uint32_t)strtoul(size, NULL, 10);
  snprintf(s.common.scene, sizeof s.common.scene, "%s", scene);
  weft_result result = open_input(&s, err);
  if (result != WEFT_OK) return result;
  result = in_schedules(&s, err);
  weft_scene_free(&s.scene);
  return result;
}

weft_result weft_bench_run(const weft_bench_request *asked, weft_bench_table *table,
                           weft_error *err) {
  weft_result result = WEFT_OK;
  weft_bench_progress progress;
  weft_bench_request own = *asked, *request = &own;
  own.plan.progress = &progress;
  weft_bench_progress_begin(request, &progress);
  table->around = request->around;
  table->load = weft_machine_load();
  table->processors = weft_thread_pool_processors();
  for (uint32_t s = 0; s < request->scenes.count; ++s) {
    for (uint32_t k = 0; k < request->sizes.count && result == WEFT_OK; ++k) {
      result = run_size(request, request->scenes.text[s], request->sizes.text[k], table, err);
    }
  }
  weft_progress_end();
  table->cut = result == WEFT_BENCH_STOPPED;
  if (table->cut) return WEFT_OK;
  bool nothing = table->count == 0 && table->left_count > 0;
  if (result != WEFT_OK || !nothing) return result;
  return weft_fail(err, table->left_for, "%s: %s", table->left[0].what, table->left[0].why);
}

void weft_bench_table_free(weft_bench_table *table) {
  weft_free(table->rows);
  weft_free(table->left);
}
