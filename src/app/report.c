/* report.c: results as text and JSON. */
#include "report.h"

#include <math.h>
#include <string.h>
#include <weft/version.h>

#include "build_info.h"
#include "gl.h"

json_t *weft_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

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

const char *weft_driver_name(const weft_gl *gl, char *text, size_t size) {
  if (!gl) return NULL;
  snprintf(text, size, "%s, %s", gl->renderer, gl->version);
  return text;
}

json_t *weft_json_build(weft_gl *gl) {
  char driver[600];
  json_t *o = json_object();
  json_object_set_new(o, "version", json_string(WEFT_VERSION));
  json_object_set_new(o, "commit", json_string(weft_build.commit));
  json_object_set_new(o, "compiler", json_string(weft_build.compiler));
  json_object_set_new(o, "flags", json_string(weft_build.flags));
  json_object_set_new(o, "build_type", json_string(weft_build.type));
  json_object_set_new(o, "processor", json_string(weft_app_processor()));
  const char *name = weft_driver_name(gl, driver, sizeof driver);
  json_object_set_new(o, "driver", name ? json_string(name) : json_null());
  return o;
}

json_t *weft_stop_json(const weft_stop *stop) {
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

static int to_file(const char *buffer, size_t size, void *file) {
  return fwrite(buffer, 1, size, file) == size ? 0 : -1;
}

weft_result weft_json_write(const char *path, json_t *json, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result == WEFT_OK) {
    /* A failed write is remembered by the stream and told by weft_output_close. */
    json_dump_callback(json, to_file, weft_output_file(out), JSON_INDENT(2));
    fputc('\n', weft_output_file(out));
    result = weft_output_close(out, err);
  }
  json_decref(json);
  return result;
}

/* ---- text ---- */

static void print_sizes(const weft_group_info *info) {
  enum { MOST = 12 };
  for (uint32_t c = 0; c < info->colour_count && c < MOST; ++c) {
    printf("%s%u", c ? " " : "", info->colour_sizes[c]);
  }
  if (info->colour_count > MOST) {
    printf(" ... %u", info->colour_sizes[info->colour_count - 1]);
  }
}

void weft_print_groups(const weft_model *model) {
  printf("  %-16s %11s  %7s  %11s  %s\n", "constraints", "count", "colours", "lower bound",
         "constraints of each colour");
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) {
    weft_group_info info = weft_model_group(model, g);
    printf("  %-16s %11s  %7u  %11u  ", info.name, weft_app_grouped(info.constraint_count),
           info.colour_count, info.lower_bound);
    print_sizes(&info);
    printf("\n");
  }
}

uint64_t weft_constraint_count(const weft_model *model) {
  uint64_t sum = 0;
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) {
    sum += weft_model_group(model, g).constraint_count;
  }
  return sum;
}

uint32_t weft_colour_count(const weft_model *model) {
  uint32_t sum = 0;
  for (uint32_t g = 0; g < weft_model_group_count(model); ++g) {
    sum += weft_model_group(model, g).colour_count;
  }
  return sum;
}
