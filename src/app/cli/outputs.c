/* outputs.c: one frame for many files. */
#define _POSIX_C_SOURCE 200809L
#include "outputs.h"

#include <string.h>
#include <sys/stat.h>
#include <weft_kit/import.h>

#include "inputs.h"
#include "output.h"

/* ---- before the run ---- */

weft_result weft_cli_output_check(const weft_cli_options *options, const char *path,
                                  weft_error *err) {
  const weft_numbered plain = {0};
  if (!path) return WEFT_OK;
  if (strcmp(path, "-") == 0) weft_output_take_standard();
  weft_result result = weft_cli_protect_inputs(options, path, &plain, 0, 0, err);
  return result == WEFT_OK ? weft_output_check(path, err) : result;
}

bool weft_cli_outputs_have(const weft_cli_outputs *outputs, const char *path) {
  bool have = false;
  for (uint32_t k = 0; k < outputs->count; ++k) {
    have = have || strcmp(outputs->items[k].path, path) == 0;
  }
  return have;
}

weft_result weft_cli_outputs_add(weft_cli_outputs *outputs, const char *path, weft_error *err) {
  if (outputs->count == WEFT_CLI_MAX_OUTPUTS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--output: given more than %d times",
                     WEFT_CLI_MAX_OUTPUTS);
  }
  if (weft_cli_outputs_have(outputs, path)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--output: %s is given twice", path);
  }
  outputs->items[outputs->count++].path = path;
  return WEFT_OK;
}

static weft_result unknown_format(const char *option, const char *what, weft_error *err) {
  char list[200] = "";
  for (uint32_t k = 0; weft_export_format_at(k); ++k) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "",
             weft_export_format_at(k)->ending);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s: %.3000s: what is written ends with %s", option,
                   what, list);
}

static const char *name_of(const weft_cli_output *output) {
  const char *slash = strrchr(output->path, '/');
  return slash ? slash + 1 : output->path;
}

static bool has_ending(const weft_cli_output *output) { return strchr(name_of(output), '.'); }

static weft_result find_format(weft_cli_output *output, const char *format, weft_error *err) {
  char ending[16];
  snprintf(ending, sizeof ending, ".%.14s", format ? format : "obj");
  output->format = weft_export_format_of(has_ending(output) ? name_of(output) : ending);
  if (output->format) return WEFT_OK;
  return has_ending(output) ? unknown_format("output", output->path, err)
                            : unknown_format("format", format, err);
}

static weft_result check_pattern(weft_cli_output *output, uint32_t instances, weft_error *err) {
  if (!weft_numbered_read(output->path, &output->pattern)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--output: \"%.3000s\" may hold one place for the frame number, %%01d to "
                     "%%09d (for example frame-%%04d.obj), and no other %%",
                     output->path);
  }
  if (instances > 1 && !output->pattern.numbered) {
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "--output: \"%.3000s\" needs a place for the number of the instance (cloth-%%03d%s)",
        output->path, output->format->ending);
  }
  if (output->format->animated && strcmp(output->path, "-") == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--output: -: %s goes into a file, not a pipe",
                     output->format->name);
  }
  if (instances > 1 || !output->pattern.numbered || !output->format->animated) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--output: \"%.3000s\": one %s holds all frames: leave out the number",
                   output->path, output->format->name);
}

weft_cli_numbers weft_cli_outputs_numbers(const weft_cli_outputs *outputs,
                                          const weft_cli_options *options) {
  const uint64_t first = outputs->first_frame;
  if (options->instances > 1) return (weft_cli_numbers){1, options->instances};
  return (weft_cli_numbers){first + 1, first + options->frames};
}

static weft_result check_one(weft_cli_output *output, const char *format,
                             const weft_cli_options *options, weft_cli_numbers numbers,
                             bool *failed, weft_error *err) {
  char name[WEFT_LONGEST_PATH];
  weft_result result = find_format(output, format, err);
  if (result == WEFT_OK) result = check_pattern(output, options->instances, err);
  if (result == WEFT_OK) {
    result = weft_cli_protect_inputs(options, output->path, &output->pattern, numbers.first,
                                     numbers.last, err);
  }
  if (result != WEFT_OK) return result;
  weft_cli_output_name(output, numbers.first, name, sizeof name);
  result = weft_cli_output_check(options, name, err);
  *failed = result != WEFT_OK;
  return result;
}

weft_result weft_cli_outputs_check(weft_cli_outputs *outputs, const char *format,
                                   const weft_cli_options *options, weft_error *err) {
  weft_result result = WEFT_OK;
  bool used = false;
  for (uint32_t k = 0; k < outputs->count; ++k) used |= !has_ending(&outputs->items[k]);
  if (format && !used) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--format does nothing here: it needs an --output without an ending");
  }
  const weft_cli_numbers numbers = weft_cli_outputs_numbers(outputs, options);
  bool counts = false;
  for (uint32_t k = 0; k < outputs->count && result == WEFT_OK; ++k) {
    weft_cli_output *output = &outputs->items[k];
    result = check_one(output, format, options, numbers, &outputs->failed, err);
    if (result != WEFT_OK) break;
    counts |= output->format->animated || (output->pattern.numbered && options->instances <= 1);
  }
  if (result != WEFT_OK || counts || !outputs->first_given) return result;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--first-frame does nothing here: it needs an --output of frames "
                   "(x-%%04d.obj, x.pc2, x.mdd, x.usda)");
}

void weft_cli_output_name(const weft_cli_output *output, uint64_t number, char *name, size_t size) {
  weft_numbered_name(output->path, &output->pattern, number, name, size);
}

/* ---- what the files show ---- */

/* Bending links hold a rope's shape and are no lines of it. */
static void list_links(weft_cli_outputs *o, const weft_model *part) {
  const weft_link *links = weft_model_links(part);
  const uint32_t count = weft_model_link_count(part);
  o->links = weft_alloc(2 * (size_t)count, sizeof *o->links);
  for (uint32_t k = 0; k < count; ++k) {
    if (links[k].bending) continue;
    o->links[2 * (size_t)o->desc.link_count] = links[k].a;
    o->links[2 * (size_t)o->desc.link_count++ + 1] = links[k].b;
  }
  o->desc.links = o->links;
}

/* What no output has. */
static void tell_left_out(const weft_source *s, const char *file) {
  const bool others = s->properties_lost[0] != 0;
  if (!s->alpha_lost && !others) return;
  weft_log(WEFT_LOG_WARNING, "%s: left out of what is written: %s%s%s", file,
           s->alpha_lost ? "alpha of its colours" : "", s->alpha_lost && others ? ", " : "",
           s->properties_lost);
}

static weft_result make_source(weft_cli_outputs *o, const weft_cli_options *options,
                               const weft_scene_instance *scene, weft_error *err) {
  const weft_model *part = weft_model_part(scene->model, 0); /* all have its structure */
  o->particles = weft_model_particle_count(part);
  o->from_file = options->setup.mesh != NULL;
  if (o->from_file) {
    const weft_import_desc import = weft_setup_import_desc(&options->setup);
    weft_result result = weft_source_read(options->setup.mesh, &import, &o->source, err);
    if (result == WEFT_OK) tell_left_out(&o->source, options->setup.mesh);
    return result;
  }
  if (weft_model_triangle_count(part) > 0) {
    return weft_source_from_mesh(&scene->mesh, &o->source, err);
  }
  o->source = (weft_source){.vertex_count = o->particles, .scale = 1};
  list_links(o, part);
  return WEFT_OK;
}

static bool falls_along_z(const weft_params *p) {
  const float y = p->gravity.y < 0 ? -p->gravity.y : p->gravity.y;
  return !p->no_gravity && p->gravity.z < 0 && -p->gravity.z > y;
}

/* What is said of a file comes first, by option or by its format; else up is where nothing falls
 * to. */
static bool is_z_up(const weft_cli_outputs *o, const weft_cli_options *options,
                    const weft_params *p) {
  if (o->from_file && options->setup.up_given) return options->setup.up == WEFT_UP_Z;
  if (o->from_file && weft_setup_is_gltf(options->setup.mesh)) return false;
  if (!falls_along_z(p)) return false;
  weft_log(WEFT_LOG_INFO, "z points up in what is written, since --gravity pulls along -z");
  return true;
}

static weft_result open_caches(weft_cli_outputs *o, weft_cli_output *output, weft_error *err) {
  output->caches = weft_alloc(o->instances, sizeof *output->caches);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < o->instances && result == WEFT_OK; ++k) {
    char name[WEFT_LONGEST_PATH];
    weft_cli_output_name(output, k + 1ull, name, sizeof name);
    weft_export_desc desc = o->desc;
    desc.path = name;
    desc.format = output->format;
    result = weft_export_open(&desc, &output->caches[k], err);
  }
  o->failed = result == WEFT_ERROR_FILE;
  return result;
}

weft_result weft_cli_outputs_open(weft_cli_outputs *outputs, const weft_cli_options *options,
                                  const weft_cli_session *session, weft_error *err) {
  const weft_params *params = weft_solver_params(session->solver);
  if (outputs->count == 0) return WEFT_OK;
  outputs->instances = weft_model_part_count(session->scene.model);
  weft_result result = make_source(outputs, options, &session->scene, err);
  if (result != WEFT_OK) return result;
  outputs->desc.source = &outputs->source;
  outputs->desc.map = outputs->from_file ? &session->scene.mesh.map : NULL;
  outputs->desc.frame_seconds = (double)params->frame_dt;
  outputs->desc.frame_count = options->frames + 1;
  outputs->desc.first_frame = outputs->first_frame;
  outputs->desc.z_up = is_z_up(outputs, options, params);
  outputs->positions = weft_alloc(outputs->particles, sizeof *outputs->positions);
  outputs->placed = weft_alloc(outputs->source.vertex_count, sizeof *outputs->placed);
  for (uint32_t k = 0; k < outputs->count && result == WEFT_OK; ++k) {
    weft_cli_output *output = &outputs->items[k];
    if (output->format->animated) result = open_caches(outputs, output, err);
  }
  return result;
}

/* ---- what one frame is ---- */

/* Of one instance, as the file has its vertices. */
static weft_result place(weft_cli_outputs *o, const weft_kept_state *state, uint32_t instance,
                         const weft_vec3 **placed, weft_error *err) {
  const vec4 *from = state->x + (size_t)instance * o->particles;
  for (uint32_t i = 0; i < o->particles; ++i) {
    const weft_vec3d x = {(double)from[i].x, (double)from[i].y, (double)from[i].z};
    o->positions[i] = weft_v3d_round(weft_v3d_add(state->origin, x));
  }
  *placed = o->from_file ? o->placed : o->positions;
  if (!o->from_file) return WEFT_OK;
  return weft_source_place(&o->source, o->desc.map, o->positions, o->placed, err);
}

static weft_result write_still(weft_cli_outputs *o, const weft_cli_output *output,
                               const weft_vec3 *placed, uint64_t number, weft_error *err) {
  char name[WEFT_LONGEST_PATH];
  weft_cli_output_name(output, number, name, sizeof name);
  weft_export_desc desc = o->desc;
  desc.path = name;
  desc.format = output->format;
  weft_export *still;
  weft_result result = weft_export_open(&desc, &still, err);
  if (result != WEFT_OK) return result;
  result = weft_export_frame(still, placed, err);
  if (result == WEFT_OK) return weft_export_close(still, err);
  weft_export_abandon(still);
  return result;
}

static bool takes_all(const weft_cli_outputs *o, const weft_cli_output *output) {
  return output->caches || (output->pattern.numbered && o->instances == 1);
}

bool weft_cli_outputs_take_all(const weft_cli_outputs *outputs) {
  bool any = false;
  for (uint32_t k = 0; k < outputs->count; ++k) any = any || takes_all(outputs, &outputs->items[k]);
  return any;
}

/* ---- what cannot be written ---- */

static bool is_open(const weft_cli_outputs *o, const weft_cli_output *output) {
  bool open = !output->caches && !output->failed;
  for (uint32_t k = 0; output->caches && k < o->instances; ++k) open = open || output->caches[k];
  return open;
}

/* Others are not lost with it. Where there are none the error is the run's. */
static weft_result give_up(weft_cli_outputs *o, const weft_error *why, weft_error *err) {
  bool others = false;
  for (uint32_t k = 0; k < o->count; ++k) others = others || is_open(o, &o->items[k]);
  o->failures++;
  o->failed = true;
  if (!others) return weft_fail(err, why->code, "%s", why->message);
  weft_log(WEFT_LOG_ERROR, "%s; the other outputs go on", why->message);
  return WEFT_OK;
}

static weft_result close_cache(weft_cli_outputs *o, weft_cli_output *output, uint32_t instance,
                               weft_error *err) {
  weft_error why = {.code = WEFT_OK};
  weft_export *cache = output->caches[instance];
  output->caches[instance] = NULL;
  if (!cache || weft_export_close(cache, &why) == WEFT_OK) return WEFT_OK;
  output->failed = true;
  return give_up(o, &why, err);
}

/* ---- frames ---- */

static weft_result write_cached(weft_cli_outputs *o, weft_cli_output *output, uint32_t instance,
                                const weft_vec3 *placed, weft_error *err) {
  weft_export *cache = output->caches[instance];
  weft_result result = cache ? weft_export_frame(cache, placed, err) : WEFT_OK;
  return result == WEFT_ERROR_FILE ? close_cache(o, output, instance, err) : result;
}

/* The name of one of several frames says which it is. */
static weft_result write_numbered(weft_cli_outputs *o, weft_cli_output *output, uint32_t instance,
                                  const weft_vec3 *placed, uint64_t frame, weft_error *err) {
  weft_error why = {.code = WEFT_OK};
  if (output->failed && o->instances == 1) return WEFT_OK;
  const uint64_t number = o->instances > 1 ? instance + 1ull : o->first_frame + frame;
  weft_result result = write_still(o, output, placed, number, &why);
  if (result == WEFT_OK) output->last = number;
  if (result == WEFT_OK) return WEFT_OK;
  if (result != WEFT_ERROR_FILE) return weft_fail(err, result, "%s", why.message);
  output->failed = true;
  weft_error named = {.code = result};
  snprintf(named.message, sizeof named.message, "%.900s (frame %llu)", why.message,
           (unsigned long long)frame);
  return give_up(o, &named, err);
}

/* Stills are numbered from the frame after the start, 1: the start is one only where it is all that
 * was good. */
static weft_result write_one(weft_cli_outputs *o, weft_cli_output *output, uint32_t instance,
                             const weft_vec3 *placed, uint64_t frame, bool last, weft_error *err) {
  const bool now = takes_all(o, output) && (output->caches || frame > 0) ? !last : last;
  if (!now) return WEFT_OK;
  return output->caches ? write_cached(o, output, instance, placed, err)
                        : write_numbered(o, output, instance, placed, frame, err);
}

static weft_result write_all(weft_cli_outputs *o, const weft_kept_state *state, uint64_t frame,
                             bool last, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t i = 0; i < o->instances && o->count > 0 && result == WEFT_OK; ++i) {
    const weft_vec3 *placed;
    result = place(o, state, i, &placed, err);
    for (uint32_t k = 0; k < o->count && result == WEFT_OK; ++k) {
      result = write_one(o, &o->items[k], i, placed, frame, last, err);
      o->failed = o->failed || result != WEFT_OK;
    }
  }
  o->frame = frame;
  return result;
}

weft_result weft_cli_outputs_frame(weft_cli_outputs *outputs, const weft_kept_state *state,
                                   uint64_t frame, weft_error *err) {
  return weft_cli_outputs_take_all(outputs) ? write_all(outputs, state, frame, false, err)
                                            : WEFT_OK;
}

static weft_result close_caches(weft_cli_outputs *o, weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < o->count; ++k) {
    for (uint32_t i = 0; o->items[k].caches && i < o->instances; ++i) {
      weft_result closed = close_cache(o, &o->items[k], i, err);
      if (closed != WEFT_OK) result = closed;
    }
  }
  return result;
}

static bool is_there(const weft_cli_output *output, uint64_t number, char *name, size_t size) {
  struct stat info;
  weft_cli_output_name(output, number, name, size);
  return stat(name, &info) == 0 && S_ISREG(info.st_mode);
}

/* Who reads numbered files reads on to the last that follows. */
static void tell_older(const weft_cli_output *output) {
  char first[WEFT_LONGEST_PATH], next[WEFT_LONGEST_PATH], last[WEFT_LONGEST_PATH];
  uint64_t end = output->last + 1;
  if (output->caches || !output->pattern.numbered) return;
  if (!is_there(output, end, first, sizeof first)) return;
  while (is_there(output, end, next, sizeof next)) memcpy(last, next, sizeof last), ++end;
  weft_log(WEFT_LOG_WARNING,
           "%s%s%s stood there before and is not of this run: what reads the numbered files reads "
           "it as well; delete it",
           first, end - output->last > 2 ? " to " : "", end - output->last > 2 ? last : "");
}

weft_result weft_cli_outputs_close(weft_cli_outputs *outputs, const weft_kept_state *state,
                                   uint64_t frame, weft_error *err) {
  weft_result result = write_all(outputs, state, frame, true, err);
  if (result == WEFT_OK) result = close_caches(outputs, err);
  for (uint32_t k = 0; k < outputs->count; ++k) tell_older(&outputs->items[k]);
  if (result != WEFT_OK || outputs->failures == 0) return result;
  return weft_fail(err, WEFT_ERROR_FILE, "%u of %u outputs %s not written whole: see above",
                   outputs->failures, outputs->count, outputs->failures == 1 ? "was" : "were");
}

void weft_cli_outputs_free(weft_cli_outputs *outputs) {
  for (uint32_t k = 0; k < outputs->count; ++k) {
    weft_export **caches = outputs->items[k].caches;
    for (uint32_t i = 0; caches && i < outputs->instances; ++i) weft_export_abandon(caches[i]);
    weft_free(caches);
  }
  weft_source_free(&outputs->source);
  weft_free(outputs->links);
  weft_free(outputs->positions);
  weft_free(outputs->placed);
  *outputs = (weft_cli_outputs){0};
}
