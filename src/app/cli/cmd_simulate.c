/* weft simulate: run a scene or mesh, say what came out, write the cloth. */
#include <string.h>

#include "body_times.h"
#include "environment.h"
#include "inspect.h"
#include "interrupt.h"
#include "intersections_print.h"
#include "json.h"
#include "machine.h"
#include "max_strain.h"
#include "opt_attach.h"
#include "opt_instances.h"
#include "outputs.h"
#include "stillness.h"
#include "watch.h"

typedef struct simulate_options {
  weft_cli_outputs outputs;
  const char *format, *json;
  bool count_intersections;
} simulate_options;

static weft_result take_output(void *base, const char *text, weft_error *err) {
  simulate_options *own = base;
  return weft_cli_outputs_add(&own->outputs, text, err);
}

static const weft_option extra[] = {
    OPTION(CUSTOM, "output", "FILE",
           "write the cloth as .obj, .ply, .glb, .gltf, .pc2, .mdd or .usda\n"
           "Of a file it is that file with its vertices moved. .pc2, .mdd and .usda hold every\n"
           "frame from the start, 0, on; .obj, .ply, .glb and .gltf the last frame or, with one "
           "%0Nd in the name (frame-%04d.obj), every frame,\n"
           "numbered from 1. May be given several times; -: standard output, which then has\n"
           "nothing else. A run that stops (status 5) leaves the good frames. With --instances\n"
           "the number is that of the instance, a file each. Default: nothing is written",
           .letter = 'o', .common = true, .take = take_output),
    OPTION(COUNT, "first-frame", "N",
           "the number of the start in what is written, and the next is that of the frame after\n"
           "it: in numbered names, PC2, MDD (as a time) and USD. Default: 0",
           .offset = offsetof(simulate_options, outputs.first_frame),
           .given = offsetof(simulate_options, outputs.first_given), RANGE(0, 1e6)),
    OPTION(TEXT, "format", "ENDING",
           "of --output without an ending, and of standard output. Default: obj",
           .offset = offsetof(simulate_options, format)),
    OPTION(TEXT, "json", "FILE", "write the summary as JSON. Default: not written", .common = true,
           .offset = offsetof(simulate_options, json)),
    OPTION(FLAG, "count-intersections", NULL,
           "count after every frame where the cloth passes through itself and what it meets\n"
           "Exactly: pairs of triangles of the cloth, a body or a collider, and particles inside\n"
           "of bodies. Of --instances each is counted alone, and the sum is told",
           .common = true, .offset = offsetof(simulate_options, count_intersections)),
};

/* ---- the run ---- */

typedef struct run {
  const weft_cli_options *options;
  simulate_options *own;
  weft_cli_session session;
  weft_watch watch;
  weft_intersections_seen intersections; /* with --count-intersections */
  uint64_t frames;                       /* that the run came to */
  double stepping; /* seconds spent in steps, waiting for the GPU included where state was read */
  bool json_failed, cut; /* cut short by a signal */
} run;

static uint32_t instances_of(const run *r) { return weft_model_part_count(r->session.scene.model); }

/* What there is nothing of takes no line. */
static void print_bodies(const weft_intersections_seen *seen) {
  if (seen->with_bodies.triangle_pairs > 0) {
    printf("                 with bodies in %s\n", weft_intersections_text(&seen->with_bodies));
  }
  if (seen->bodies.body_inside > 0 || seen->bodies.body_held > 0) {
    printf("                 bodies: %s\n", weft_cli_body_text(&seen->bodies));
  }
}

static weft_result count_intersections(run *r, weft_error *err) {
  weft_result result = weft_intersections_look(&r->intersections, r->session.scene.model,
                                               weft_solver_params(r->session.solver),
                                               r->watch.good.x, r->watch.good.frame, err);
  if (result != WEFT_OK) return result;
  printf("  frame %-8llu intersects in %s\n", (unsigned long long)r->intersections.last_frame,
         weft_intersections_text(&r->intersections.last));
  result =
      weft_intersections_look_shapes(&r->intersections, r->session.solver, r->watch.good.x, err);
  if (result != WEFT_OK) return result;
  if (r->intersections.with_shapes.triangle_pairs > 0) {
    printf("                 with shapes in %s\n",
           weft_intersections_text(&r->intersections.with_shapes));
  }
  const weft_params *p = weft_solver_params(r->session.solver);
  if (!p->self_collision) return WEFT_OK;
  weft_intersections_look_contact(&r->intersections, r->session.solver);
  if (p->body_count == 0) return WEFT_OK;
  result =
      weft_intersections_look_inside(&r->intersections, r->session.solver, r->watch.good.x, err);
  if (result == WEFT_OK) print_bodies(&r->intersections);
  return result;
}

/* Reading back costs time, so the state is looked at when it is wanted or every tenth frame. */
static weft_result look(run *r, bool last, weft_error *err) {
  bool each = weft_cli_outputs_take_all(&r->own->outputs);
  bool count = r->own->count_intersections;
  double start = weft_clock_seconds();
  weft_result result = weft_watch_frame(&r->watch, last || each || count, err);
  r->stepping += weft_clock_seconds() - start;
  if (result == WEFT_OK && count) result = count_intersections(r, err);
  if (result != WEFT_OK || !each) return result;
  return weft_cli_outputs_frame(&r->own->outputs, &r->watch.good, r->watch.good.frame, err);
}

static weft_result step_all(run *r, weft_error *err) {
  uint32_t frames = r->options->frames;
  weft_result result = weft_cli_outputs_frame(&r->own->outputs, &r->watch.good, 0, err);
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    if (weft_interrupted()) {
      r->cut = true;
      break;
    }
    weft_progress("simulating", f, frames);
    double start = weft_clock_seconds();
    result = weft_scene_step(&r->session.scene, r->session.solver, err);
    r->stepping += weft_clock_seconds() - start;
    if (result == WEFT_OK) result = look(r, f + 1 == frames, err);
  }
  weft_progress_end();
  return result == WEFT_OK && r->cut ? weft_watch_frame(&r->watch, true, err) : result;
}

/* ---- the summary ---- */

/* What a file's mesh went through, if anything. */
static void print_mending(const weft_mending *m) {
  if (m->vertices_welded + m->faces_dropped + m->faces_turned > 0) {
    printf("  mended    %u vert%s welded, %u face%s dropped, %u turned\n", m->vertices_welded,
           m->vertices_welded == 1 ? "ex" : "ices", m->faces_dropped, weft_plural(m->faces_dropped),
           m->faces_turned);
  }
  if (m->vertices_parted > 0) {
    printf("  layers    %s vertices that lay on another piece start over it\n",
           weft_cli_grouped(m->vertices_parted));
  }
}

/* ", a grid of 128 x 128", as sheets are; empty for what is none. */
static const char *grid_text(const weft_mesh *mesh, char *text, size_t size) {
  *text = 0;
  if (mesh->grid_rows > 0) {
    snprintf(text, size, ", a grid of %u x %u", mesh->grid_rows, mesh->grid_columns);
  }
  return text;
}

/* What was asked for: a run that is cut short ends before. */
static double seconds_of(const run *r) {
  return r->options->frames * (double)weft_solver_params(r->session.solver)->frame_dt;
}

static void print_settings(const run *r) {
  const weft_model *model = r->session.scene.model;
  const weft_params *p = weft_solver_params(r->session.solver);
  char driver[600], grid[60];
  const char *gl = weft_driver_name(r->session.gl, driver, sizeof driver);
  uint32_t triangles = weft_model_triangle_count(model), links = weft_model_link_count(model);
  uint32_t particles = weft_model_particle_count(model), colours = weft_model_colour_count(model);
  uint64_t constraints = weft_model_constraint_count(model);
  printf("%s: %s particle%s (%s pinned), %s %s%s%s, %s constraint%s in %u colour%s%s\n",
         weft_cli_shown(r->session.scene.name), weft_cli_grouped(particles), weft_plural(particles),
         weft_cli_grouped(weft_model_pinned_count(model)),
         weft_cli_grouped(links ? links : triangles), links ? "link" : "triangle",
         weft_plural(links ? links : triangles),
         grid_text(&r->session.scene.mesh, grid, sizeof grid), weft_cli_grouped(constraints),
         weft_plural(constraints), colours, weft_plural(colours),
         r->options->setup.mesh && !r->session.scene.ground ? ", no ground" : "");
  print_mending(&r->session.scene.mesh.map.mending);
  const char *attached = weft_cli_attached_text(r->options, &r->session.scene);
  if (attached) printf("  attached  %s\n", attached);
  printf("  backend   %s%s%s%s\n", weft_backend_name(r->session.backend), gl ? " (" : "",
         gl ? gl : "", gl ? ")" : "");
  printf(
      "  steps     %u frame%s of %.4g s (%.6g a second), %u substep%s, %u iteration%s, mode %s, "
      "schedule %s%s\n",
      r->options->frames, weft_plural(r->options->frames), (double)p->frame_dt,
      1 / (double)p->frame_dt, p->substeps, weft_plural(p->substeps), p->iterations,
      weft_plural(p->iterations), weft_mode_name(p->mode),
      weft_schedule_name(weft_solver_schedule(r->session.solver)),
      p->compensated ? ", compensated" : "");
  weft_cli_environment_print(stdout, r->session.solver);
  weft_cli_bodies_print(stdout, r->options, &r->session.scene, seconds_of(r));
  if (r->session.scene.loosened.iterations > 0) {
    printf("  loosened  %s\n", weft_cli_loosened_text(&r->session.scene.loosened));
  }
  if (r->session.scene.creases > 0) {
    printf("  creases   %s hinge%s bent by up to %.3g degrees at rest: kept by mixed bending\n",
           weft_cli_grouped(r->session.scene.creases), weft_plural(r->session.scene.creases),
           r->session.scene.sharpest * 57.29577951308232);
  }
  weft_cli_strain_print_choice(stdout, &r->session.scene.params, &r->session.scene.held);
  weft_cli_bending_print(stdout, r->session.solver);
}

/* Of the last frame. */
static void print_self(const weft_params *p, const weft_metrics *m) {
  if (!p->self_collision) return;
  double steps = m->self_steps;
  printf(
      "  self      %.0f pairs of %.0f candidates a contact step; in the last frame\n            "
      "%s\n",
      m->self_pairs / steps, m->self_candidates / steps, weft_cli_self_text(m));
  if (m->self_tangled) {
    printf("            %u triangle%s tangled at the start\n", m->self_tangled,
           weft_plural(m->self_tangled));
  }
  if (p->body_count > 0) printf("  bodies    %s\n", weft_cli_body_text(m));
}

static void print_written(const run *r) {
  char first[WEFT_LONGEST_PATH], last[WEFT_LONGEST_PATH];
  for (uint32_t k = 0; k < r->own->outputs.count; ++k) {
    const weft_cli_output *output = &r->own->outputs.items[k];
    if (output->failed) continue;
    const uint64_t count = instances_of(r) > 1 ? instances_of(r) : r->own->outputs.frame;
    const uint64_t before = instances_of(r) > 1 ? 0 : r->own->outputs.first_frame;
    weft_cli_output_name(output, before + 1, first, sizeof first);
    weft_cli_output_name(output, before + count, last, sizeof last);
    printf("  wrote     %s", strcmp(first, "-") ? first : "standard output");
    printf(output->pattern.numbered ? " to %s\n" : "\n", last);
  }
}

/* p99 says nothing of a torn sliver, so the edge that is worst is named. */
static void print_strain(const weft_model *model, const weft_metrics *m) {
  const uint32_t *edge = m->strain_max_edge;
  printf("  strain    mean %.3g %%, p99 %.3g %%, max %.3g %%", 100 * m->strain_mean,
         100 * m->strain_p99, 100 * m->strain_max);
  if (edge[0] != edge[1] && weft_model_part_count(model) == 1) {
    printf(" from vertex %u to %u", weft_model_number(model, edge[0]),
           weft_model_number(model, edge[1]));
  }
  printf("\n");
}

/* Of all frames. */
static void print_contact(const run *r, const weft_metrics *m) {
  const weft_params *p = weft_solver_params(r->session.solver);
  const weft_intersections_seen *seen = &r->intersections;
  if (!p->self_collision) return;
  printf(
      "            %.0f pairs a contact step at most, %llu contact step%s paused, %llu for want of "
      "room\n",
      (double)seen->most_pairs / m->self_steps, (unsigned long long)seen->pauses,
      weft_plural(seen->pauses), (unsigned long long)seen->overflows);
}

static void print_result(const run *r, const weft_metrics *m, uint64_t hash) {
  printf("  time      %.3g ms per frame\n", 1e3 * r->stepping / (double)r->watch.good.frame);
  print_strain(r->session.scene.model, m);
  if (m->strain_p99 > 0.1 && !(r->session.scene.held.target > 0)) {
    printf("            (large: if the fabric is not that soft, try --substeps %u)\n",
           2 * weft_solver_params(r->session.solver)->substeps);
  }
  weft_cli_strain_print_reached(stdout, &r->session.scene.params, &r->session.scene.held,
                                &r->watch.strain);
  print_self(weft_solver_params(r->session.solver), m);
  weft_cli_still_print(stdout, r->session.scene.model, &r->watch.still);
  if (r->intersections.samples > 0) {
    printf("  intersects in %s at most (frame %llu)\n", weft_cli_grouped(r->intersections.max),
           (unsigned long long)r->intersections.max_frame);
    print_contact(r, m);
    if (weft_solver_params(r->session.solver)->collider_count > 0) {
      printf("            with shapes in %s at most\n",
             weft_cli_grouped(r->intersections.max_with_shapes));
    }
    if (weft_solver_params(r->session.solver)->body_count > 0) {
      printf("            with bodies in %s at most\n",
             weft_cli_grouped(r->intersections.max_with_bodies));
      printf("            %u particle%s inside bodies at most (frame %llu)\n",
             r->intersections.max_inside, weft_plural(r->intersections.max_inside),
             (unsigned long long)r->intersections.max_inside_frame);
    }
  }
  printf("  energy    kinetic %.4g J, potential %.4g J, elastic %.4g J\n", m->kinetic_energy,
         m->potential_energy, m->elastic_energy);
  printf("  speed     at most %.3g m/s\n", m->max_speed);
  printf("  box       (%.3g, %.3g, %.3g) to (%.3g, %.3g, %.3g) m\n", (double)m->box_min.x,
         (double)m->box_min.y, (double)m->box_min.z, (double)m->box_max.x, (double)m->box_max.y,
         (double)m->box_max.z);
  printf("  hash      %016llx\n", (unsigned long long)hash);
  print_written(r);
}

/* Null where nothing is strained, and of several instances. */
static json_t *edge_json(const weft_model *model, const weft_metrics *m) {
  const uint32_t *edge = m->strain_max_edge;
  if (edge[0] == edge[1] || weft_model_part_count(model) > 1) return json_null();
  return json_pack("[I, I]", (json_int_t)weft_model_number(model, edge[0]),
                   (json_int_t)weft_model_number(model, edge[1]));
}

static json_t *lag_json(const weft_lag_seen *lag) {
  if (lag->looks == 0) return json_null();
  return json_pack("{s:I, s:I, s:o, s:I, s:I}", "body", (json_int_t)lag->body, "vertices",
                   (json_int_t)lag->vertices, "most_m", weft_json_real(lag->most), "frame",
                   (json_int_t)lag->frame, "looks", (json_int_t)lag->looks);
}

static json_t *to_json(const run *r, const weft_metrics *m, uint64_t hash) {
  const weft_model *model = r->session.scene.model;
  const weft_params *p = weft_solver_params(r->session.solver);
  json_t *o = json_object();
  json_object_set_new(o, "scene", weft_json_text(r->session.scene.name));
  json_object_set_new(o, "backend", json_string(weft_backend_name(r->session.backend)));
  json_object_set_new(o, "build", weft_json_build(r->session.gl));
  json_object_set_new(o, "particles", json_integer(weft_model_particle_count(model)));
  json_object_set_new(o, "pinned", json_integer(weft_model_pinned_count(model)));
  json_object_set_new(o, "attached", json_integer(weft_model_attached_count(model)));
  json_object_set_new(o, "triangles", json_integer(weft_model_triangle_count(model)));
  json_object_set_new(o, "links", json_integer(weft_model_link_count(model)));
  json_object_set_new(o, "creases", json_integer(r->session.scene.creases));
  json_object_set_new(o, "groups", weft_json_groups(model));
  json_object_set_new(o, "frames", json_integer((json_int_t)r->watch.good.frame));
  json_object_set_new(o, "cut_short", json_boolean(r->cut));
  json_object_set_new(o, "frame_dt_s", weft_json_real((double)p->frame_dt));
  json_object_set_new(o, "substeps", json_integer(p->substeps));
  json_object_set_new(o, "iterations", json_integer(p->iterations));
  json_object_set_new(o, "mode", json_string(weft_mode_name(p->mode)));
  const char *schedule = weft_schedule_name(weft_solver_schedule(r->session.solver));
  json_object_set_new(o, "schedule", json_string(schedule));
  json_object_set_new(o, "compensated", json_boolean(p->compensated));
  json_object_set_new(o, "parameters", weft_cli_environment_json(r->session.solver));
  json_object_set_new(o, "seed", json_integer((json_int_t)r->options->setup.seed));
  json_object_set_new(o, "ms_per_frame",
                      weft_json_real(1e3 * r->stepping / (double)r->watch.good.frame));
  json_object_set_new(o, "metrics", weft_json_metrics(m));
  json_object_set_new(o, "strain_max_edge", edge_json(model, m));
  json_object_set_new(
      o, "max_strain",
      weft_json_strain(&r->session.scene.params, &r->session.scene.held, &r->watch.strain));
  json_object_set_new(
      o, "intersections",
      r->own->count_intersections ? weft_json_intersections_seen(&r->intersections) : json_null());
  json_object_set_new(o, "bodies", weft_cli_bodies_json(r->options, &r->session.scene));
  json_object_set_new(o, "body_lag", lag_json(&r->watch.lag));
  json_object_set_new(o, "standstill", weft_cli_still_json(model, &r->watch.still));
  json_object_set_new(o, "hash", weft_json_hash(hash));
  return o;
}

static weft_result measure(run *r, weft_metrics *metrics, uint64_t *hash, weft_error *err) {
  weft_result result = weft_solver_metrics(r->session.solver, metrics, err);
  return result == WEFT_OK ? weft_solver_hash(r->session.solver, hash, err) : result;
}

/* ---- instances ---- */

enum { MAX_PRINTED = 64 };

typedef struct instance_result {
  weft_metrics metrics;
  uint64_t hash;
} instance_result;

static weft_vec3 vector(vec4 v) { return weft_v3(v.x, v.y, v.z); }

/* From what was kept of the last frame. */
static void measure_instance(const run *r, uint32_t instance, weft_metrics *metrics) {
  const weft_model *part = weft_model_part(r->session.scene.model, instance);
  const uint32_t n = weft_model_particle_count(part);
  const vec4 *x = r->watch.good.x + (size_t)instance * n,
             *v = r->watch.good.v + (size_t)instance * n;
  weft_vec3 *state = weft_alloc(2 * (size_t)n, sizeof *state);
  for (uint32_t i = 0; i < n; ++i) {
    state[i] = vector(x[i]);
    state[n + i] = vector(v[i]);
  }
  weft_measure(part, weft_solver_params(r->session.solver), r->watch.good.origin, state, state + n,
               metrics);
  weft_free(state);
}

/* As weft_solver_metrics and weft_solver_hash would say of a run of this one alone. */
static weft_result measure_instances(run *r, instance_result *results, weft_error *err) {
  uint32_t parts = instances_of(r);
  uint32_t n = weft_model_particle_count(r->session.scene.model) / parts;
  size_t all = (size_t)n * parts;
  weft_vec3 *x = weft_alloc(2 * all, sizeof *x), *own = weft_alloc(2 * (size_t)n, sizeof *own);
  weft_result result = weft_solver_read(r->session.solver, x, x + all, err);
  for (uint32_t p = 0; p < parts && result == WEFT_OK; ++p) {
    memcpy(own, x + (size_t)p * n, n * sizeof *own);
    memcpy(own + n, x + all + (size_t)p * n, n * sizeof *own);
    measure_instance(r, p, &results[p].metrics);
    results[p].hash = weft_hash_bytes(WEFT_HASH_SEED, own, 2 * (size_t)n * sizeof *own);
  }
  weft_free(x);
  weft_free(own);
  return result;
}

static void print_instances(const run *r, const instance_result *results) {
  const weft_cli_options *o = r->options;
  printf("  instances %u\n  %8s", instances_of(r), "number");
  for (uint32_t v = 0; v < o->vary_count; ++v) printf("  %18s", weft_cli_varied_name(o, v));
  printf("  %11s %11s %11s  %s\n", "strain mean", "p99", "max", "hash");
  for (uint32_t p = 0; p < instances_of(r) && p < MAX_PRINTED; ++p) {
    const weft_metrics *m = &results[p].metrics;
    printf("  %8u", p + 1);
    for (uint32_t v = 0; v < o->vary_count; ++v) {
      printf("  %18.9g", weft_cli_varied_value(o, v, p));
    }
    printf("  %9.3g %% %9.3g %% %9.3g %%  %016llx\n", 100 * m->strain_mean, 100 * m->strain_p99,
           100 * m->strain_max, (unsigned long long)results[p].hash);
  }
  if (instances_of(r) > MAX_PRINTED) printf("            ... all of them with --json\n");
}

static json_t *instances_json(const run *r, const instance_result *results) {
  json_t *rows = json_array();
  for (uint32_t p = 0; p < instances_of(r); ++p) {
    json_t *row = json_object(), *varied = json_object();
    for (uint32_t v = 0; v < r->options->vary_count; ++v) {
      json_object_set_new(varied, weft_cli_varied_name(r->options, v),
                          weft_json_real(weft_cli_varied_value(r->options, v, p)));
    }
    json_object_set_new(row, "instance", json_integer(p + 1));
    json_object_set_new(row, "varied", varied);
    json_object_set_new(row, "metrics", weft_json_metrics(&results[p].metrics));
    json_object_set_new(row, "hash", weft_json_hash(results[p].hash));
    json_array_append_new(rows, row);
  }
  return rows;
}

static weft_result write_json(run *r, json_t *json, weft_error *err) {
  weft_result result = weft_json_write(r->own->json, json, err);
  r->json_failed = result != WEFT_OK;
  return result;
}

/* Cloth is never passed, so a body that comes too quick for it stays behind; the cloth looks right,
 * and whoever draws the body where it was told to be sees it come through. */
static void warn_of_lag(const run *r) {
  const weft_lag_seen *lag = &r->watch.lag;
  const weft_params *p = weft_solver_params(r->session.solver);
  if (lag->looks == 0) return;
  const char *name = p->bodies[lag->body].name;
  weft_log(
      WEFT_LOG_WARNING,
      "cloth held back %u vert%s of body %u (%s) by up to %.3g mm (frame %llu): it had no room "
      "to make way, or no time; more substeps (--substeps %u) or a slower motion give it time",
      lag->vertices, lag->vertices == 1 ? "ex" : "ices", lag->body, name ? name : "no name",
      1e3 * lag->most, (unsigned long long)lag->frame, 2 * p->substeps);
}

static weft_result summarise(run *r, weft_error *err) {
  weft_metrics metrics;
  uint64_t hash = 0;
  weft_result result = measure(r, &metrics, &hash, err);
  if (result != WEFT_OK) return result;
  print_result(r, &metrics, hash);
  warn_of_lag(r);
  weft_cli_warn_still(r->session.scene.model, &r->watch.still);
  instance_result *instances = weft_alloc(instances_of(r), sizeof *instances);
  if (instances_of(r) > 1) result = measure_instances(r, instances, err);
  if (result == WEFT_OK && instances_of(r) > 1) print_instances(r, instances);
  if (result == WEFT_OK && r->own->json) {
    json_t *json = to_json(r, &metrics, hash);
    if (instances_of(r) > 1) {
      json_object_set_new(json, "instances", instances_json(r, instances));
    }
    result = write_json(r, json, err);
  }
  weft_free(instances);
  return result;
}

/* "; a.obj and b.pc2 hold the last good frame, 7", of what is written. */
static void tell_saved(const run *r, unsigned long long frame, char *text, size_t size) {
  const uint32_t count = r->own->outputs.count;
  size_t used = 0;
  for (uint32_t k = 0; k < count && used < size; ++k) {
    char name[WEFT_LONGEST_PATH];
    weft_cli_output_name(&r->own->outputs.items[k], r->own->outputs.first_frame + frame, name,
                         sizeof name);
    used += (size_t)snprintf(text + used, size - used, "%s%s",
                             k == 0           ? "; "
                             : k + 1 == count ? " and "
                                              : ", ",
                             name);
  }
  if (count == 0 || used >= size) return;
  snprintf(text + used, size - used, " hold%s the last good frame, %llu", count == 1 ? "s" : "",
           frame);
}

/* What can be saved of a run that was stopped: the good frames, and a summary of the last one. The
 * sentence says which frame that is. */
static weft_result save_stopped(run *r, weft_error *err) {
  weft_error why = *err;
  const uint64_t frame = r->watch.good.frame;
  char saved[4200] = "";
  weft_result result = weft_cli_outputs_close(&r->own->outputs, &r->watch.good, frame, err);
  if (result == WEFT_OK) tell_saved(r, frame, saved, sizeof saved);
  if (result == WEFT_OK && r->own->json) {
    weft_metrics metrics;
    uint64_t hash = 0;
    result = measure(r, &metrics, &hash, err);
    if (result != WEFT_OK) return result;
    json_t *json = to_json(r, &metrics, hash);
    json_object_set_new(json, "error", json_string(why.message));
    if (r->watch.stop.found) {
      json_object_set_new(json, "stopped", weft_json_stop(&r->watch.stop));
    }
    result = write_json(r, json, err);
  }
  if (result != WEFT_OK) return result;
  return weft_fail(err, why.code, "%s%s", why.message, saved);
}

/* What was simulated is summed up whether or not all of it could be written. */
static weft_result close_run(run *r, weft_error *err) {
  weft_cli_outputs *outputs = &r->own->outputs;
  weft_result result = weft_cli_outputs_close(outputs, &r->watch.good, r->watch.good.frame, err);
  if (result != WEFT_OK && outputs->failures == 0) return result;
  weft_error why = {.code = WEFT_OK};
  weft_result summed = summarise(r, result == WEFT_OK ? err : &why);
  return result == WEFT_OK ? summed : result;
}

static weft_result run_session(run *r, weft_error *err) {
  weft_result result = weft_watch_open(&r->session.scene, r->session.solver, &r->watch, err);
  if (result != WEFT_OK) return result;
  print_settings(r);
  fflush(stdout);
  weft_cli_bodies_warn(r->options, &r->session.scene, seconds_of(r));
  result = weft_cli_outputs_open(&r->own->outputs, r->options, &r->session, err);
  if (result != WEFT_OK) return result;
  weft_interrupt_open("\r\033[Kfinishing the frame in progress; Ctrl-C again stops at once\n");
  result = step_all(r, err);
  if (r->cut && r->watch.good.frame == 0) return result; /* nothing to write or sum up */
  const bool writes = !r->own->outputs.failed || r->own->outputs.failures > 0;
  if (result == WEFT_ERROR_NOT_FINITE && writes) return save_stopped(r, err);
  if (result != WEFT_OK) return result;
  return close_run(r, err);
}

static void describe_nothing(const run *r, char *what, size_t size) {
  snprintf(what, size, "before frame 1 of %u; nothing was written", r->options->frames);
}

static int cut_short(const run *r) {
  char what[200];
  if (r->frames == 0) {
    describe_nothing(r, what, sizeof what);
  } else {
    snprintf(what, sizeof what, "after frame %llu of %u; what was simulated until then is kept",
             (unsigned long long)r->frames, r->options->frames);
  }
  return weft_interrupt_tell(what);
}

static int simulate(run *r) {
  weft_error err = {0};
  char before[80];
  describe_nothing(r, before, sizeof before);
  weft_interrupt_prepare(before);
  weft_result result = weft_cli_session_open(r->options, false, &r->session, &err);
  if (result != WEFT_OK) {
    weft_interrupt_close();
    return weft_cli_fail(&err);
  }
  if (r->own->count_intersections && weft_model_triangle_count(r->session.scene.model) == 0) {
    weft_cli_session_close(&r->session);
    weft_interrupt_close();
    return weft_cli_usage(
        "--count-intersections: %s has no triangles",
        r->options->setup.scene ? r->options->setup.scene : r->options->setup.mesh);
  }
  result = run_session(r, &err);
  weft_interrupt_close();
  r->frames = r->watch.good.frame;
  const bool still = r->watch.still.last.all;
  bool writing = r->own->outputs.failed || r->json_failed;
  weft_cli_outputs_free(&r->own->outputs);
  weft_watch_close(&r->watch);
  weft_cli_session_close(&r->session);
  if (result == WEFT_OK) return r->cut ? cut_short(r) : still ? WEFT_EXIT_STILL : WEFT_EXIT_OK;
  return writing ? weft_cli_fail_output(&err) : weft_cli_fail(&err);
}

/* Outputs are tried before anything is simulated. */
static int check_and_simulate(run *r) {
  weft_cli_outputs *outputs = &r->own->outputs;
  weft_error err = {0};
  if (r->own->json && weft_cli_outputs_have(outputs, r->own->json)) {
    return weft_cli_usage("--json: %s is written by --output", r->own->json);
  }
  if (weft_cli_outputs_check(outputs, r->own->format, r->options, &err) != WEFT_OK) {
    return outputs->failed ? weft_cli_fail_output(&err) : weft_cli_fail(&err);
  }
  if (weft_cli_outputs_apart(outputs, r->own->json, r->options, &err) != WEFT_OK) {
    return weft_cli_fail(&err);
  }
  if (weft_cli_output_check(r->options, r->own->json, &err) != WEFT_OK) {
    return weft_cli_fail_output(&err);
  }
  return simulate(r);
}

int weft_cmd_simulate(int argc, char **argv) {
  simulate_options own = {0};
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "simulate",
      .arguments = "SCENE|FILE [options]",
      .summary =
          "Simulates a built-in scene or a mesh and prints size, time, strain, energies and "
          "the\nhash of the final state. Equal hashes mean equal bits.",
      .notes =
          "The state is looked at every 10th frame and whenever it is written. A simulation "
          "that\nbecame infinite or NaN stops with status 5 and names the first frame, substep, "
          "pass and\nparticle; frames written before stay, and the last good one is written.\n"
          "Ctrl-C finishes the frame in progress and all files (status 130, 143 for SIGTERM,\n"
          "129 for SIGHUP); a second Ctrl-C, and one before the first frame, stops at once and\n"
          "leaves nothing.",
      .tables = WEFT_CLI_SCENE | WEFT_CLI_FRAMES | WEFT_CLI_SIMULATION | WEFT_CLI_INSTANCES |
                WEFT_CLI_BACKEND | WEFT_CLI_THREADS | WEFT_CLI_GL,
      .default_frames = 120,
      .extra = extra,
      .extra_count = sizeof extra / sizeof extra[0],
      .extra_base = &own,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  const bool chosen = own.outputs.count > 0; /* else where the scene file says */
  run r = {.options = &options, .own = &own};
  weft_error err = {0};
  for (uint32_t k = 0; k < options.setup.output_count && err.code == WEFT_OK && !chosen; ++k) {
    weft_cli_outputs_add(&own.outputs, options.setup.outputs[k], &err);
  }
  status = err.code == WEFT_OK ? check_and_simulate(&r) : weft_cli_fail(&err);
  weft_cli_options_free(&options);
  return status;
}
