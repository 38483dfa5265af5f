/* validate_print.c: what verify found, as people and as JSON read it. */
#include "validate_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gl.h"
#include "intersections_print.h"
#include "json.h"
#include "machine.h"
#include "max_strain.h"

static json_t *hex_json(uint64_t value, int digits) {
  char text[32];
  snprintf(text, sizeof text, "%0*llx", digits, (unsigned long long)value);
  return json_string(text);
}

/* "0x3f800000 (1)" into one of a few turning buffers. */
static const char *bits_text(uint32_t bits) {
  static char texts[4][48];
  static unsigned turn;
  char *text = texts[turn++ % 4];
  float value;
  memcpy(&value, &bits, sizeof value);
  snprintf(text, sizeof texts[0], "0x%08x (%.9g)", bits, (double)value);
  return text;
}

static json_t *difference_json(const weft_difference *d) {
  json_t *json = json_pack("{s:I, s:I, s:I}", "compared", (json_int_t)d->compared, "differing",
                           (json_int_t)d->differing, "largest_ulps", (json_int_t)d->max_ulps);
  json_object_set_new(json, "largest", weft_json_real(d->max));
  if (d->differing == 0) return json;
  json_object_set_new(json, "element", json_integer((json_int_t)d->element));
  json_object_set_new(json, "component", json_integer(d->component));
  json_object_set_new(json, "ref", hex_json(d->ref_bits, 8));
  json_object_set_new(json, "gl", hex_json(d->other_bits, 8));
  return json;
}

/* ---- layout ---- */

void weft_print_layout(const weft_layout_findings *f) {
  printf("layout: offsets, strides, types and bindings of every solver program\n");
  for (size_t k = 0; k < f->count; ++k) printf("  DIFFERENT   %s\n", f->items[k].text);
  printf("  %u programs, %u values compared, %zu different: %s\n", f->programs, f->checked,
         f->count, f->count ? "DIFFERENT" : "EQUAL");
}

json_t *weft_layout_json(const weft_layout_findings *f) {
  json_t *findings = json_array();
  for (size_t k = 0; k < f->count; ++k) {
    json_array_append_new(findings, json_string(f->items[k].text));
  }
  return json_pack("{s:i, s:i, s:i, s:o}", "programs", (int)f->programs, "checked", (int)f->checked,
                   "different", (int)f->count, "findings", findings);
}

/* ---- kernels ---- */

static void print_different(const weft_kernel_finding *f, const char *other) {
  printf("\n    count %u: ", f->count);
  if (f->wrote_outside) printf("WROTE OUTSIDE buffer %s; ", f->buffer);
  if (f->left_unwritten) printf("LEFT UNWRITTEN part of buffer %s; ", f->buffer);
  const weft_difference *d = &f->difference;
  if (d->differing == 0) return;
  printf(
      "DIFFERENT in buffer %s, %llu of %llu components, first row %llu component %u: ref %s, %s %s",
      f->buffer, (unsigned long long)d->differing, (unsigned long long)d->compared,
      (unsigned long long)d->element, d->component, bits_text(d->ref_bits), other,
      bits_text(d->other_bits));
}

/* All counts of one pass, in a line if they are equal. Returns how many findings that are. */
static size_t print_pass(const weft_kernel_findings *all, size_t first, const char *other) {
  const weft_kernel_finding *f = &all->items[first];
  if (f->outcome == WEFT_KERNEL_UNTESTED) {
    printf("  %-52s has NO TEST\n", f->pass);
    return 1;
  }
  bool different = false;
  size_t k = first;
  printf("  %-52s", f->pass);
  for (; k < all->count; ++k) {
    const weft_kernel_finding *one = &all->items[k];
    if (strcmp(one->pass, f->pass) != 0 || one->large != f->large) break;
    if (one->outcome == WEFT_KERNEL_REFUSED) printf(" refused (%s)", one->refusal);
    if (one->outcome != WEFT_KERNEL_DIFFERENT) continue;
    print_different(one, other);
    different = true;
  }
  printf(different ? "\n" : " equal\n");
  return k - first;
}

void weft_print_kernels(const weft_kernel_findings *f, const char *other) {
  printf("kernel: each pass alone, counts");
  for (int k = 0; k < WEFT_KERNEL_COUNTS; ++k) printf(" %u", weft_kernel_counts[k]);
  printf(", seed %llu\n", (unsigned long long)f->seed);
  bool large = false;
  for (size_t k = 0; k < f->count; k += print_pass(f, k, other)) {
    if (f->items[k].large && !large) {
      printf("kernel: %s elements, one past %u groups of %u\n", weft_cli_grouped(f->large_count),
             f->large_count / f->large_group, f->large_group);
    }
    large = f->items[k].large;
  }
  printf("  %u case%s, %u different, %u refused by the driver's limits: %s\n", f->cases,
         weft_plural(f->cases), f->different, f->refused,
         f->different ? "DIFFERENT" : "EQUAL in every bit");
}

static json_t *kernel_json(const weft_kernel_finding *f) {
  bool different = f->outcome == WEFT_KERNEL_DIFFERENT;
  json_t *row = json_pack("{s:s, s:I, s:b}", "pass", f->pass, "count", (json_int_t)f->count,
                          "equal", !different);
  if (!different) return row;
  json_object_set_new(row, "buffer", json_string(f->buffer));
  json_object_set_new(row, "guard_broken", json_boolean(f->wrote_outside));
  json_object_set_new(row, "unwritten", json_boolean(f->left_unwritten));
  if (f->difference.differing) {
    json_object_set_new(row, "difference", difference_json(&f->difference));
  }
  return row;
}

json_t *weft_kernels_json(const weft_kernel_findings *f) {
  json_t *rows = json_array();
  for (size_t k = 0; k < f->count; ++k) {
    bool compared =
        f->items[k].outcome == WEFT_KERNEL_EQUAL || f->items[k].outcome == WEFT_KERNEL_DIFFERENT;
    if (compared) json_array_append_new(rows, kernel_json(&f->items[k]));
  }
  return json_pack("{s:I, s:i, s:i, s:i, s:o}", "seed", (json_int_t)f->seed, "cases", (int)f->cases,
                   "different", (int)f->different, "refused", (int)f->refused, "rows", rows);
}

/* ---- where two backends part ---- */

static void print_divergence(const weft_trajectory_findings *f, const char *other) {
  const weft_divergence *d = &f->divergence;
  printf("  first       frame %u, substep %u\n", f->frame, f->substep);
  if (!d->found) {
    printf(
        "  pass        not found: the difference did not come back when the substep ran again\n");
    return;
  }
  printf("  pass        %s", d->pass);
  if (*d->group) printf(", batch %u of group %s", d->batch, d->group);
  printf("\n");
  if (d->race) {
    printf(
        "              run alone, every pass agrees: %s runs this pass before an earlier one is "
        "done\n",
        strcmp(other, "gl") ? other : "the device");
  }
  printf("  buffer      %s, row %llu, component %u; %llu of %llu components differ\n", d->buffer,
         (unsigned long long)d->difference.element, d->difference.component,
         (unsigned long long)d->difference.differing, (unsigned long long)d->difference.compared);
  if (d->particle != UINT32_MAX) printf("  particle    %u\n", d->particle);
  if (d->constraint != UINT32_MAX) {
    printf("  constraint  %u, between particles", d->constraint);
    for (uint32_t r = 0; r < d->arity; ++r) printf(" %u", d->particles[r]);
    printf("\n");
  }
  printf("  ref         %s\n  %-11s %s\n", bits_text(d->difference.ref_bits), other,
         bits_text(d->difference.other_bits));
}

static void set_constraint(json_t *json, const weft_divergence *d) {
  if (d->constraint == UINT32_MAX) return;
  json_t *particles = json_array();
  for (uint32_t r = 0; r < d->arity; ++r) {
    json_array_append_new(particles, json_integer(d->particles[r]));
  }
  json_object_set_new(json, "constraint", json_integer(d->constraint));
  json_object_set_new(json, "particles", particles);
}

static json_t *divergence_json(const weft_trajectory_findings *f) {
  const weft_divergence *d = &f->divergence;
  json_t *json = json_object();
  if (d->found) {
    json_object_set_new(json, "pass", json_string(d->pass));
    json_object_set_new(json, "race", json_boolean(d->race));
    json_object_set_new(json, "buffer", json_string(d->buffer));
    json_object_set_new(json, "difference", difference_json(&d->difference));
    if (*d->group) {
      json_object_set_new(json, "group", json_string(d->group));
      json_object_set_new(json, "batch", json_integer(d->batch));
    }
    if (d->particle != UINT32_MAX) {
      json_object_set_new(json, "particle", json_integer(d->particle));
    }
    set_constraint(json, d);
  }
  json_object_set_new(json, "frame", json_integer(f->frame));
  json_object_set_new(json, "substep", json_integer(f->substep));
  return json;
}

/* ---- substep and trajectory ---- */

static void print_scene(const weft_trajectory_findings *f, const char *level) {
  const weft_params *p = &f->params;
  printf("%s: %s, mode %s, schedule %s\n", level, f->scene, weft_mode_name(p->mode),
         weft_schedule_name(f->schedule));
  printf("  compared    %s particles, %s constraints, %u substep%s a frame, %u iteration%s\n",
         weft_cli_grouped(f->particles), weft_cli_grouped(f->constraints), p->substeps,
         weft_plural(p->substeps), p->iterations, weft_plural(p->iterations));
  if (f->parts > 1) printf("  instances   %u, together\n", f->parts);
  weft_cli_strain_print_choice(stdout, p, &f->held);
}

static json_t *scene_json(const weft_trajectory_findings *f) {
  json_t *json = json_object();
  if (!*f->scene) return json;
  json_object_set_new(json, "instances", json_integer(f->parts));
  json_object_set_new(json, "scene", json_string(f->scene));
  json_object_set_new(json, "mode", json_string(weft_mode_name(f->params.mode)));
  json_object_set_new(json, "schedule", json_string(weft_schedule_name(f->schedule)));
  json_object_set_new(json, "particles", json_integer(f->particles));
  json_object_set_new(json, "constraints", json_integer((json_int_t)f->constraints));
  json_object_set_new(json, "substeps_per_frame", json_integer(f->params.substeps));
  json_object_set_new(json, "iterations", json_integer(f->params.iterations));
  return json;
}

void weft_print_substep(const weft_trajectory_findings *f, const char *other) {
  if (!*f->scene) return;
  print_scene(f, "substep");
  if (f->passes_compared == 0) return;
  printf("  passes      %u of one substep after %u frame%s\n", f->passes_compared, f->frame,
         weft_plural(f->frame));
  if (f->differs) print_divergence(f, other);
  printf("  %s\n", f->differs ? "DIFFERENT" : "EQUAL in every bit");
}

json_t *weft_substep_json(const weft_trajectory_findings *f) {
  json_t *json = scene_json(f);
  if (f->passes_compared == 0) return json;
  json_object_set_new(json, "passes_compared", json_integer(f->passes_compared));
  json_object_set_new(json, "equal", json_boolean(!f->differs));
  if (f->differs) json_object_set_new(json, "first_difference", divergence_json(f));
  return json;
}

static void print_end(const weft_end_state *end) {
  const weft_metrics *m = &end->metrics;
  printf("  %-11s residual %.3e m rms, strain mean %.4f%% p99 %.4f%% max %.4f%%, hash %016llx\n",
         end->backend, m->residual_rms, 100 * m->strain_mean, 100 * m->strain_p99,
         100 * m->strain_max, (unsigned long long)end->hash);
}

/* Named for what it is: a software driver is no GPU. */
static void print_equal(const weft_trajectory_findings *f, const weft_gl *gl) {
  char driver[260], name[320] = "cpu";
  uint64_t values = f->positions.compared + f->velocities.compared;
  if (gl) {
    bool software = weft_gl_is_software(gl);
    weft_driver_short_name(gl, driver, sizeof driver);
    snprintf(name, sizeof name, software ? "%s%s" : "GPU (%s%s)", driver,
             software ? " (OpenGL on the processor)" : "");
  }
  printf("  EQUAL in every bit: %s = reference in all %s values\n", name, weft_cli_grouped(values));
}

void weft_print_trajectory(const weft_trajectory_findings *f, uint32_t frames, const char *other,
                           const weft_gl *gl) {
  if (!*f->scene) return;
  print_scene(f, "trajectory");
  if (!f->ended) return;
  uint64_t differing = f->positions.differing + f->velocities.differing;
  printf("  frames      %u, %s substep%s compared\n", frames,
         weft_cli_grouped(f->substeps_compared), weft_plural(f->substeps_compared));
  printf("  differing   %s of %s components of positions and velocities\n",
         weft_cli_grouped(differing),
         weft_cli_grouped(f->positions.compared + f->velocities.compared));
  printf("  largest     %.3g m (%llu ulp%s) in positions, %.3g m/s (%llu ulp%s) in velocities\n",
         f->positions.max, (unsigned long long)f->positions.max_ulps,
         weft_plural(f->positions.max_ulps), f->velocities.max,
         (unsigned long long)f->velocities.max_ulps, weft_plural(f->velocities.max_ulps));
  if (f->differs) print_divergence(f, other);
  for (int k = 0; k < 2; ++k) print_end(&f->ends[k]);
  if (f->intersections.samples > 0) {
    printf("  intersects  in %s at the end\n", weft_intersections_text(&f->intersections.last));
  }
  if (f->params.body_count > 0) {
    printf("  bodies      %s at the end\n", weft_cli_body_text(&f->ends[0].metrics));
  }
  weft_cli_strain_print_reached(stdout, &f->params, &f->held, &f->strain);
  if (!f->differs && differing == 0) {
    print_equal(f, gl);
  } else {
    printf("  %s\n", f->differs ? "DIFFERENT" : "within bounds; this driver is not exact");
  }
}

static json_t *end_json(const weft_end_state *end) {
  const weft_metrics *m = &end->metrics;
  return json_pack("{s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:o}", "residual_rms", m->residual_rms,
                   "strain_mean", m->strain_mean, "strain_p99", m->strain_p99, "strain_max",
                   m->strain_max, "nonfinite", (int)m->nonfinite, "body_inside",
                   (int)m->body_inside, "body_held", (int)m->body_held, "hash",
                   hex_json(end->hash, 16));
}

json_t *weft_trajectory_json(const weft_trajectory_findings *f, uint32_t frames) {
  json_t *json = scene_json(f);
  if (f->stop.found) json_object_set_new(json, "stopped", weft_json_stop(&f->stop));
  if (!f->ended) return json;
  json_object_set_new(json, "frames", json_integer(frames));
  json_object_set_new(json, "substeps_compared", json_integer((json_int_t)f->substeps_compared));
  json_object_set_new(json, "positions", difference_json(&f->positions));
  json_object_set_new(json, "velocities", difference_json(&f->velocities));
  json_object_set_new(json, "equal", json_boolean(!f->differs));
  if (f->differs) json_object_set_new(json, "first_difference", divergence_json(f));
  for (int k = 0; k < 2; ++k) json_object_set_new(json, f->ends[k].backend, end_json(&f->ends[k]));
  if (f->intersections.samples > 0) {
    json_object_set_new(json, "intersections", weft_json_intersections(&f->intersections.last));
  }
  json_object_set_new(json, "max_strain", weft_json_strain(&f->params, &f->held, &f->strain));
  return json;
}

/* ---- repeat ---- */

void weft_print_repeat(const weft_repeat_findings *f, uint32_t frames) {
  printf("repeat: state hashes after %u frame%s\n", frames, weft_plural(frames));
  for (uint32_t k = 0; k < f->count; ++k) {
    printf("  %-17s %016llx%s\n", f->runs[k].name, (unsigned long long)f->runs[k].hash,
           f->runs[k].hash == f->runs[0].hash ? "" : "  DIFFERENT");
  }
  if (f->count < WEFT_REPEAT_RUNS) return;
  printf("  %s\n", f->different ? "DIFFERENT" : "EQUAL: one hash for all");
}

json_t *weft_repeat_json(const weft_repeat_findings *f) {
  json_t *rows = json_array();
  for (uint32_t k = 0; k < f->count; ++k) {
    json_array_append_new(rows, json_pack("{s:s, s:o, s:b}", "run", f->runs[k].name, "hash",
                                          hex_json(f->runs[k].hash, 16), "equal",
                                          f->runs[k].hash == f->runs[0].hash));
  }
  return rows;
}
