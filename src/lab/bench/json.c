/* json.c: the parts of JSON that several commands write. */
#include "json.h"

#include <math.h>
#include <string.h>
#include <weft/version.h>

#include "build_info.h"
#include "gl.h"
#include "inspect.h"
#include "machine.h"
#include "output.h"

json_t *weft_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *weft_json_text(const char *text) {
  const size_t length = strlen(text), room = 4 * length + 8;
  char *shown = weft_alloc(room, 1);
  json_t *json = json_string(weft_printable(text, length, shown, room));
  weft_free(shown);
  return json;
}

json_t *weft_json_vec3(weft_vec3 v) {
  json_t *array = json_array();
  json_array_append_new(array, weft_json_real((double)v.x));
  json_array_append_new(array, weft_json_real((double)v.y));
  json_array_append_new(array, weft_json_real((double)v.z));
  return array;
}

json_t *weft_json_hash(uint64_t hash) {
  char text[24];
  snprintf(text, sizeof text, "0x%016llx", (unsigned long long)hash);
  return json_string(text);
}

json_t *weft_json_groups(const weft_model *model) {
  json_t *groups = json_array();
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) {
    weft_group_info info = weft_model_group(model, g);
    json_t *sizes = json_array();
    for (uint32_t c = 0; c < info.colour_count; ++c) {
      json_array_append_new(sizes, json_integer(info.colour_sizes[c]));
    }
    json_t *group = json_object();
    json_object_set_new(group, "name", json_string(info.name));
    json_object_set_new(group, "constraints", json_integer(info.constraint_count));
    json_object_set_new(group, "colours", json_integer(info.colour_count));
    json_object_set_new(group, "colours_lower_bound", json_integer(info.lower_bound));
    json_object_set_new(group, "colour_sizes", sizes);
    json_array_append_new(groups, group);
  }
  return groups;
}

static json_t *triple(const double *v) {
  json_t *array = json_array();
  for (int k = 0; k < 3; ++k) json_array_append_new(array, weft_json_real(v[k]));
  return array;
}

json_t *weft_json_metrics(const weft_metrics *m) {
  json_t *o = json_object();
  json_object_set_new(o, "strain_mean", weft_json_real(m->strain_mean));
  json_object_set_new(o, "strain_p99", weft_json_real(m->strain_p99));
  json_object_set_new(o, "strain_threads_p99", weft_json_real(m->strain_threads_p99));
  json_object_set_new(o, "strain_max", weft_json_real(m->strain_max));
  json_object_set_new(o, "self_steps", json_integer(m->self_steps));
  json_object_set_new(o, "self_candidates", json_integer(m->self_candidates));
  json_object_set_new(o, "self_pairs", json_integer(m->self_pairs));
  json_object_set_new(o, "self_limited", json_integer(m->self_limited));
  json_object_set_new(o, "self_uncertain", json_integer(m->self_uncertain));
  json_object_set_new(o, "self_looks", json_integer(m->self_detections));
  json_object_set_new(o, "self_pauses", json_integer(m->self_pauses));
  json_object_set_new(o, "self_overflows", json_integer(m->self_overflows));
  json_object_set_new(o, "self_driven", json_integer(m->self_driven));
  json_object_set_new(o, "self_tangled", json_integer(m->self_tangled));
  json_object_set_new(o, "body_inside", json_integer(m->body_inside));
  json_object_set_new(o, "body_held", json_integer(m->body_held));
  json_object_set_new(o, "body_held_most_m", weft_json_real(m->body_held_most));
  json_object_set_new(o, "residual_rms_m", weft_json_real(m->residual_rms));
  json_object_set_new(o, "kinetic_energy_J", weft_json_real(m->kinetic_energy));
  json_object_set_new(o, "potential_energy_J", weft_json_real(m->potential_energy));
  json_object_set_new(o, "elastic_energy_J", weft_json_real(m->elastic_energy));
  json_object_set_new(o, "momentum_kg_m_s", triple(m->momentum));
  json_object_set_new(o, "angular_momentum_kg_m2_s", triple(m->angular_momentum));
  json_object_set_new(o, "box_min_m", weft_json_vec3(m->box_min));
  json_object_set_new(o, "box_max_m", weft_json_vec3(m->box_max));
  json_object_set_new(o, "max_speed_m_s", weft_json_real(m->max_speed));
  json_object_set_new(o, "nonfinite", json_integer(m->nonfinite));
  return o;
}

json_t *weft_json_build(const weft_gl *gl) {
  char driver[600];
  json_t *o = json_object();
  json_object_set_new(o, "version", json_string(WEFT_VERSION));
  json_object_set_new(o, "commit", json_string(weft_build.commit));
  json_object_set_new(o, "compiler", json_string(weft_build.compiler));
  json_object_set_new(o, "flags", json_string(weft_build.flags));
  json_object_set_new(o, "build_type", json_string(weft_build.type));
  json_object_set_new(o, "processor", json_string(weft_processor_name()));
  const char *name = weft_driver_name(gl, driver, sizeof driver);
  json_object_set_new(o, "driver", name ? json_string(name) : json_null());
  return o;
}

json_t *weft_json_stop(const weft_stop *stop) {
  json_t *o = json_object();
  json_object_set_new(o, "frame", json_integer((json_int_t)stop->frame));
  json_object_set_new(o, "substep", json_integer(stop->substep));
  json_object_set_new(o, "pass", json_string(stop->pass));
  if (*stop->group) {
    json_object_set_new(o, "group", json_string(stop->group));
    json_object_set_new(o, "batch", json_integer(stop->batch));
  }
  if (stop->particle != UINT32_MAX) {
    json_object_set_new(o, "particle", json_integer(stop->particle));
  }
  return o;
}

/* ---- parameters ---- */

static json_t *parameter_json(const weft_params *p, uint32_t k) {
  const weft_param_info *info = &weft_param_infos[k];
  const double v = weft_param_of(p, k, 0);
  switch (info->kind) {
    case WEFT_KIND_COUNT:
      return json_integer((json_int_t)v);
    case WEFT_KIND_FLAG:
      return json_boolean(v != 0);
    case WEFT_KIND_CHOICE:
      return json_string(info->choices[(uint32_t)v]);
    case WEFT_KIND_VEC3:
      return json_pack("[o, o, o]", weft_json_real(v), weft_json_real(weft_param_of(p, k, 1)),
                       weft_json_real(weft_param_of(p, k, 2)));
    case WEFT_KIND_REAL:
      break;
  }
  return weft_json_real(v);
}

json_t *weft_json_parameters(const weft_params *p) {
  json_t *o = json_object();
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    json_object_set_new(o, weft_param_infos[k].name, parameter_json(p, k));
  }
  return o;
}

static int to_file(const char *buffer, size_t size, void *file) {
  return fwrite(buffer, 1, size, file) == size ? 0 : -1;
}

weft_result weft_json_write(const char *path, json_t *json, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result == WEFT_OK) {
    /* The stream remembers a failed write; weft_output_close reports it. */
    json_dump_callback(json, to_file, weft_output_file(out), JSON_INDENT(2));
    fputc('\n', weft_output_file(out));
    result = weft_output_close(out, err);
  }
  json_decref(json);
  return result;
}

/* ---- strain ---- */

static json_t *chosen_json(const weft_params *p) {
  static const uint32_t chosen[] = {WEFT_PARAM_substeps,    WEFT_PARAM_iterations,
                                    WEFT_PARAM_multilevel,  WEFT_PARAM_multilevel_sweeps,
                                    WEFT_PARAM_line_sweeps, WEFT_PARAM_multilevel_slack,
                                    WEFT_PARAM_lra,         WEFT_PARAM_lra_slack};
  json_t *o = json_object();
  for (size_t k = 0; k < sizeof chosen / sizeof *chosen; ++k) {
    json_object_set_new(o, weft_param_infos[chosen[k]].name, parameter_json(p, chosen[k]));
  }
  return o;
}

json_t *weft_json_strain(const weft_params *params, const weft_strain_choice *held,
                         const weft_strain_seen *seen) {
  if (!(held->target > 0)) return json_null();
  json_t *o = json_object(), *kept = json_array();
  for (uint32_t k = 0; weft_kept_name(held->kept, k); ++k) {
    json_array_append_new(kept, json_string(weft_kept_name(held->kept, k)));
  }
  json_object_set_new(o, "by_default", json_boolean(held->by_default));
  json_object_set_new(o, "target", weft_json_real(held->target));
  json_object_set_new(o, "reached", seen->samples ? weft_json_real(seen->max) : json_null());
  json_object_set_new(o, "reached_frame", json_integer((json_int_t)seen->max_frame));
  json_object_set_new(o, "last", seen->samples ? weft_json_real(seen->last) : json_null());
  json_object_set_new(o, "looks", json_integer(seen->samples));
  json_object_set_new(o, "held",
                      held->by_default ? json_null() : json_boolean(weft_strain_held(held, seen)));
  json_object_set_new(o, "chosen", chosen_json(params));
  json_object_set_new(o, "as_given", kept);
  json_object_set_new(o, "expected", weft_json_real(held->expected));
  json_object_set_new(o, "own_weight", weft_json_real(held->own));
  json_object_set_new(o, "stiffer_than_fabric", json_boolean(held->stiffer));
  return o;
}
