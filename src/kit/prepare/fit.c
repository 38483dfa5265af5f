/* fit.c: bodies are eroded, then grow while the cloth is simulated. */
#include <weft_kit/fit.h>

#include <math.h>
#include <string.h>

#include "base.h"
#include "inset.h"
#include "inspect.h"
#include "start_check.h"

/* What the whole of it works on. */
typedef struct dressing {
  const weft_fit_desc *desc;
  weft_params params;       /* resolved, as the caller has them */
  weft_eroded *bodies;      /* [params.body_count] */
  uint32_t vertices;        /* of all bodies */
  weft_vec3 *shapes;        /* [vertices] where bodies are told to be */
  weft_vec3 *places;        /* [vertices] where they are */
  weft_fit_cloth cloth;     /* its positions are those below */
  weft_vec3 *positions;     /* [particles] the caller's */
  weft_model *free_model;   /* without pins; or NULL */
  weft_collider *colliders; /* that stand still */
  weft_body *eroded_bodies; /* [body_count] what the solver is made with */
  weft_mesh *eroded_meshes; /* [body_count] over `shapes` */
  weft_solver *solver;
} dressing;

enum { MOST_SECONDS = 100 };

/* ---- before ---- */

static weft_result check(const weft_fit_desc *desc, weft_error *err) {
  const weft_params *p = desc->params;
  if (weft_model_part_count(desc->model) > 1) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "joined models (several instances) are not dressed");
  }
  if (weft_model_triangle_count(desc->model) == 0 || p->body_count == 0 || !p->bodies) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "dressing needs cloth and a body to put it on");
  }
  const bool good = desc->seconds >= 0.01f && desc->seconds <= MOST_SECONDS;
  if (desc->seconds == 0 || good) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "bodies shall grow in %g s while cloth is dressed, allowed is 0.01 to %d",
                   (double)desc->seconds, MOST_SECONDS);
}

/* What solvers refuse is refused before anything is made of it. */
static weft_result try_bodies(const dressing *d, weft_error *err) {
  for (uint32_t b = 0; b < d->params.body_count; ++b) {
    const weft_mesh *mesh = d->params.bodies[b].mesh;
    weft_mesh_report report;
    if (!mesh || !mesh->positions || !mesh->triangles || mesh->triangle_count == 0) {
      return weft_fail(err, WEFT_ERROR_MESH, "body %u has no triangles", b);
    }
    weft_mesh_inspect(mesh, &report);
    if (report.edge_count > 0) continue;
    return weft_fail(err, WEFT_ERROR_MESH,
                     "a triangle of body %u names a vertex that does not exist", b);
  }
  return WEFT_OK;
}

static weft_result begin(dressing *d, weft_error *err) {
  const weft_model *model = d->desc->model;
  weft_result result = weft_params_resolve(d->desc->params, &d->params, err);
  if (result == WEFT_OK) result = try_bodies(d, err);
  if (result != WEFT_OK) return result;
  uint32_t count = d->params.body_count;
  d->cloth = (weft_fit_cloth){.positions = d->positions,
                              .triangles = weft_model_triangles(model),
                              .particle_count = weft_model_particle_count(model),
                              .triangle_count = weft_cloth_triangles(model),
                              .rides = model->rides};
  const weft_vec3 *start = d->params.start;
  memcpy(d->positions, start ? start : weft_model_rest_positions(model),
         d->cloth.particle_count * sizeof *d->positions);
  d->bodies = weft_alloc(count, sizeof *d->bodies);
  for (uint32_t b = 0; b < count && result == WEFT_OK; ++b) {
    const weft_body *body = &d->params.bodies[b];
    char number[32];
    snprintf(number, sizeof number, "body %u", b);
    result = weft_eroded_begin(body->mesh, body->name ? body->name : number, &d->bodies[b], err);
    d->vertices += d->params.bodies[b].mesh->vertex_count;
  }
  d->shapes = weft_alloc(d->vertices, sizeof *d->shapes);
  d->places = weft_alloc(d->vertices, sizeof *d->places);
  return result;
}

static void end(dressing *d) {
  weft_solver_destroy(d->solver);
  weft_model_destroy(d->free_model);
  for (uint32_t b = 0; b < d->params.body_count && d->bodies; ++b) weft_eroded_end(&d->bodies[b]);
  weft_free(d->bodies);
  weft_free(d->shapes);
  weft_free(d->places);
  weft_free(d->colliders);
  weft_free(d->eroded_bodies);
  weft_free(d->eroded_meshes);
}

/* ---- looks ---- */

static void shape(dressing *d, double grown) {
  weft_vec3 *to = d->shapes;
  for (uint32_t b = 0; b < d->params.body_count; ++b) {
    weft_eroded_at(&d->bodies[b], grown, to);
    to += d->bodies[b].mesh->vertex_count;
  }
}

/* Of the cloth against the true bodies. */
static weft_fit_look look(dressing *d, weft_fit_state *state) {
  weft_fit_look found;
  shape(d, 1);
  weft_fit_look_at(&d->cloth, d->bodies, d->params.body_count, d->shapes, NULL, NULL, &found);
  weft_metrics m = {0};
  weft_measure_strain(d->desc->model, d->positions, &m);
  *state = (weft_fit_state){.inside = found.inside,
                            .with_bodies = found.with_bodies.triangle_pairs,
                            .with_itself = found.own.triangle_pairs,
                            .strain_p99 = m.strain_p99};
  return found;
}

static bool is_clear(const weft_fit_state *s) { return s->inside == 0 && s->with_bodies == 0; }

static double eroded_by(const dressing *d) {
  double furthest = 0;
  for (uint32_t b = 0; b < d->params.body_count; ++b) {
    for (uint32_t v = 0; v < d->bodies[b].mesh->vertex_count; ++v) {
      double way = weft_v3d_length(d->bodies[b].ways[v]) * d->bodies[b].parts[v];
      furthest = fmax(furthest, way);
    }
  }
  return furthest;
}

/* ---- the solver ---- */

static void still_colliders(dressing *d, weft_params *p) {
  d->colliders = weft_alloc(p->collider_count, sizeof *d->colliders);
  for (uint32_t c = 0; c < p->collider_count; ++c) {
    weft_collider *still = &d->colliders[c];
    *still = p->colliders[c];
    if (still->key_count == 0) continue;
    still->a = still->keys[0].a;
    still->b = still->keys[0].b;
    still->rotation = still->keys[0].rotation;
    still->keys = NULL;
    still->key_count = 0;
  }
  p->colliders = d->colliders;
}

/* m: how far cloth keeps away from cloth and bodies meanwhile, at most: in folds of a body that are
 * narrower than twice as much it would be pushed to and fro. */

static const float thin = 0.001f;

static float thinner(float thickness) { return thickness > 0 ? fminf(thin, thickness) : thin; }

static void erode_bodies(dressing *d, weft_params *p) {
  weft_vec3 *at = d->shapes;
  d->eroded_bodies = weft_alloc(p->body_count, sizeof *d->eroded_bodies);
  d->eroded_meshes = weft_alloc(p->body_count, sizeof *d->eroded_meshes);
  shape(d, 0);
  for (uint32_t b = 0; b < p->body_count; ++b) {
    d->eroded_meshes[b] = *p->bodies[b].mesh;
    d->eroded_meshes[b].positions = at;
    at += d->eroded_meshes[b].vertex_count;
    d->eroded_bodies[b] = p->bodies[b];
    d->eroded_bodies[b].mesh = &d->eroded_meshes[b];
    d->eroded_bodies[b].thickness = thinner(d->eroded_bodies[b].thickness);
    d->eroded_bodies[b].friction_static = d->eroded_bodies[b].friction_dynamic = 0;
  }
  p->bodies = d->eroded_bodies;
}

/* Velocities decay to a third in a frame of 1/60 s. */
static const float damping = 60;

/* Nothing is fast, and what stretches has time. */
static const uint32_t substeps = 10;

static weft_result make_solver(dressing *d, weft_error *err) {
  weft_params p = d->params;
  const weft_model *model = d->desc->model;
  p.no_gravity = true;
  p.gravity = p.wind = weft_v3(0, 0, 0);
  p.air_density = 0;
  p.damping = fmaxf(p.damping, damping);
  p.self_static = p.self_dynamic = 0;
  p.plain = true;
  p.substeps = substeps;
  p.self_collision = true;
  p.tangled = WEFT_TANGLED_KEEP;
  p.self_thickness = thinner(p.self_thickness);
  still_colliders(d, &p);
  erode_bodies(d, &p);
  if (!d->desc->hold_pins && weft_model_pinned_count(model) > 0) {
    uint32_t count = 0, *pinned = weft_alloc(weft_model_pinned_count(model), sizeof *pinned);
    for (uint32_t i = 0; i < d->cloth.particle_count; ++i) {
      if (weft_is_pin(model, i)) pinned[count++] = i;
    }
    weft_result result = weft_model_with_pins(model, pinned, count, false, &d->free_model, err);
    weft_free(pinned);
    if (result != WEFT_OK) return result;
    model = d->free_model;
    p.lra = 0;
  }
  return weft_solver_create(model, &p, d->desc->backend, &d->solver, err);
}

/* ---- growing ---- */

/* How many vertices of bodies are not where they are told to be. */
static weft_result count_held(dressing *d, uint32_t *held, weft_error *err) {
  weft_vec3 *place = d->places, *to = d->shapes;
  *held = 0;
  for (uint32_t b = 0; b < d->params.body_count; ++b) {
    weft_result result = weft_solver_read_body(d->solver, b, place, err);
    if (result != WEFT_OK) return result;
    for (uint32_t i = 0; i < d->bodies[b].mesh->vertex_count; ++i, ++place, ++to) {
      *held += weft_v3_distance(*place, *to) > 1e-6;
    }
  }
  return WEFT_OK;
}

/* m: around a vertex that is held back, and by how much more than it lacks. */
static const double nudged = 0.05, spare = 5e-5;

/* Cloth around vertices that are held back goes the way that they would go: all layers by one
 * displacement that is even over centimetres. */
static void nudge(const dressing *d, double part, const weft_vec3 *from, weft_vec3 *x) {
  memcpy(x, from, d->cloth.particle_count * sizeof *x);
  for (uint32_t v = 0; v < d->vertices; ++v) {
    weft_vec3d place = weft_v3d_from(d->places[v]), to = weft_v3d_from(d->shapes[v]);
    weft_vec3d lack = weft_v3d_sub(to, place);
    double length = weft_v3d_length(lack);
    if (!(length > 1e-6)) continue;
    lack = weft_v3d_scale(lack, part * (length + spare) / length);
    for (uint32_t i = 0; i < d->cloth.particle_count; ++i) {
      if (d->desc->hold_pins && weft_model_inverse_masses(d->desc->model)[i] == 0) continue;
      double near = weft_v3d_distance(weft_v3d_from(from[i]), place) / nudged;
      if (near >= 1) continue;
      double weight = (1 - near * near) * (1 - near * near);
      x[i] = weft_v3d_round(weft_v3d_add_scaled(weft_v3d_from(x[i]), weight, lack));
    }
  }
}

/* Whether that does: the exact count judges. */
static bool nudge_clear(dressing *d, weft_fit_report *report, weft_fit_look *left) {
  enum { TRIES = 8 };
  uint32_t n = d->cloth.particle_count;
  weft_vec3 *from = weft_alloc(n, sizeof *from);
  uint64_t own = report->after.with_itself;
  bool clear = false;
  memcpy(from, d->positions, n * sizeof *from);
  for (int k = 0; k < TRIES && !clear; ++k) {
    nudge(d, 1 + 0.5 * k, from, d->positions);
    *left = look(d, &report->after);
    clear = is_clear(&report->after) && report->after.with_itself <= own;
  }
  if (clear) report->held = 0;
  if (!clear) {
    memcpy(d->positions, from, n * sizeof *from);
    *left = look(d, &report->after);
  }
  weft_free(from);
  return clear;
}

static weft_result step(dressing *d, double grown, weft_error *err) {
  shape(d, grown);
  const weft_vec3 *to = d->shapes;
  weft_result result = WEFT_OK;
  for (uint32_t b = 0; b < d->params.body_count && result == WEFT_OK; ++b) {
    result = weft_solver_move_body(d->solver, b, to, err);
    to += d->bodies[b].mesh->vertex_count;
  }
  return result == WEFT_OK ? weft_solver_step(d->solver, err) : result;
}

enum { WAIT = 12 }; /* frames for what cloth holds back to come after, before cloth is nudged */

static double seconds_of(const dressing *d) {
  return d->desc->seconds > 0 ? (double)d->desc->seconds : 1;
}

/* In seconds four times those asked for. Ends sooner where all is clear. */
static weft_result grow(dressing *d, weft_fit_report *report, weft_fit_look *left,
                        weft_error *err) {
  double each = (double)d->params.frame_dt / seconds_of(d), grown = 0;
  uint32_t frames = (uint32_t)ceil(4 / each), waited = 0;
  weft_result result = WEFT_OK;
  for (uint32_t f = 0; f < frames && result == WEFT_OK; ++f) {
    weft_progress("dressing", f, frames);
    grown = fmin(1, grown + each);
    result = step(d, grown, err);
    if (result == WEFT_OK) result = count_held(d, &report->held, err);
    report->frames = f + 1;
    waited = grown < 1 ? 0 : waited + 1;
    bool there = grown >= 1 && (report->held == 0 || waited == WAIT), last = f + 1 == frames;
    if (result != WEFT_OK || !(there || last)) continue;
    result = weft_solver_read(d->solver, d->positions, NULL, err);
    if (result == WEFT_OK) *left = look(d, &report->after);
    if (result != WEFT_OK) break;
    if (grown >= 1 && report->held > 0 && nudge_clear(d, report, left)) break;
    if (is_clear(&report->after) && report->held == 0) break;
  }
  weft_progress_end();
  return result;
}

/* ---- what is left ---- */

static weft_result not_clear(const dressing *d, const weft_fit_report *report,
                             const weft_fit_look *left, const char *why, const char *advice,
                             weft_error *err) {
  const weft_intersections *found = &left->with_bodies;
  char pairs[WEFT_INTERSECTIONS_LISTED * 48];
  const weft_bodies bodies = weft_bodies_of(d->desc->params);
  weft_tangles_name(d->desc->model, &bodies, found, pairs, sizeof pairs);
  const bool one = found->triangle_pairs == 1;
  return weft_fail(err, WEFT_ERROR_TANGLED,
                   "the cloth cannot be dressed: %s; %u particle%s inside of a body, and %llu "
                   "pair%s of a triangle of the cloth and one of a body intersect%s%s%s%s%s",
                   why, report->after.inside, report->after.inside == 1 ? " is" : "s are",
                   (unsigned long long)found->triangle_pairs, one ? "" : "s", one ? "s" : "",
                   found->listed > 0 ? ": " : "", pairs,
                   found->listed > 0 ? " (counted from 0)" : "", advice);
}

/* After bodies grew. */
static weft_result not_in_time(const dressing *d, const weft_fit_report *report,
                               const weft_fit_look *left, weft_error *err) {
  char why[120], advice[120] = "";
  const double more = 2 * seconds_of(d);
  snprintf(why, sizeof why, "after %u frames it holds %u vert%s of bodies back", report->frames,
           report->held, report->held == 1 ? "ex" : "ices");
  if (more <= MOST_SECONDS) {
    snprintf(advice, sizeof advice, "; slower growth may help: --dress=%g (weft_fit_desc.seconds)",
             more);
  }
  return not_clear(d, report, left, why, advice, err);
}

/* No fabric becomes twice as long. An edge cannot be shorter by more than its length, so more than
 * that is never folds. */
static const double most_strain = 1;

static weft_result check_fit(const weft_fit_report *report, weft_error *err) {
  const double strain = report->after.strain_p99;
  if (!(strain > most_strain)) return WEFT_OK;
  return weft_fail(
      err, WEFT_ERROR_TANGLED,
      "the cloth does not fit: around the body it is stretched by %.0f %% (99 %% of its "
      "edges by less), and no fabric takes more than %.0f %%; it needs a larger size (--scale, "
      "--unit) or a smaller body (--body-scale, --body-unit)",
      100 * strain, 100 * most_strain);
}

static weft_result dress(dressing *d, weft_fit_report *report, weft_error *err) {
  weft_result result = begin(d, err);
  if (result != WEFT_OK) return result;
  weft_fit_look left = look(d, &report->before);
  report->after = report->before;
  if (is_clear(&report->before)) return WEFT_OK;
  if (!weft_inset(&d->cloth, d->bodies, d->params.body_count, &left)) {
    return not_clear(d, report, &left, "it passes through the very middle of a body", "", err);
  }
  report->eroded = eroded_by(d);
  result = make_solver(d, err);
  if (result == WEFT_OK) result = grow(d, report, &left, err);
  if (result != WEFT_OK) return result;
  if (is_clear(&report->after) && report->held == 0) return check_fit(report, err);
  return not_in_time(d, report, &left, err);
}

static void destroy_solver(void *what) { weft_solver_destroy(((dressing *)what)->solver); }

weft_result weft_fit(const weft_fit_desc *desc, weft_vec3 *positions, weft_fit_report *report,
                     weft_error *err) {
  WEFT_NEED(desc);
  WEFT_NEED(desc->model);
  WEFT_NEED(desc->params);
  WEFT_NEED(desc->backend);
  WEFT_NEED(positions);
  WEFT_GUARD(err);
  weft_fit_report made = {0};
  if (report) *report = made;
  weft_result result = check(desc, err);
  if (result != WEFT_OK) return result;
  const uint32_t count = weft_model_particle_count(desc->model);
  dressing d = {.desc = desc, .positions = weft_alloc(count, sizeof *positions)};
  weft_deferred *solver = weft_defer(destroy_solver, &d);
  memcpy(d.positions, positions, count * sizeof *positions);
  result = dress(&d, &made, err);
  weft_defer_end(solver);
  if (result != WEFT_ERROR_MEMORY) {
    weft_model_place_riders(desc->model, d.positions);
    memcpy(positions, d.positions, count * sizeof *positions);
    if (report) *report = made;
  }
  weft_free(d.positions);
  end(&d);
  return result;
}
