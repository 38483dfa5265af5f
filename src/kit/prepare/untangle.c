/* untangle.c: weft_untangle: looks for crossings, moves what they want, until there are none. */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "mesh_internal.h"
#include "untangling.h"

enum {
  ITERATIONS = 4000,
  PATIENCE = 400, /* iterations without any progress */
  SWEEPS = 4,     /* of stretch in an iteration */
  YIELD = 20,     /* iterations without progress after which stretch is not resisted */
  TRIES = 4,
  MAX_LAYERS = 64,
};

/* ---- cloth and bodies ---- */

/* Six times the volume. */
static double volume_of(const weft_mesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = &mesh->triangles[3 * (size_t)t];
    weft_vec3d origin = weft_v3d_from(mesh->positions[0]), at[3];
    for (int k = 0; k < 3; ++k) {
      at[k] = weft_v3d_sub(weft_v3d_from(mesh->positions[c[k]]), origin);
    }
    sum += weft_v3d_dot(at[0], weft_v3d_cross(at[1], at[2]));
  }
  return sum;
}

static void add_bodies(loosening *l, const weft_untangle_desc *desc) {
  uint32_t particle = l->particles, triangle = l->triangles;
  for (uint32_t b = 0; b < desc->body_count; ++b) {
    const weft_mesh *mesh = desc->bodies[b].mesh;
    l->bodies[b].mesh = mesh;
    l->bodies[b].first = triangle;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
      l->corners[3 * (size_t)triangle + c] = mesh->triangles[c] + particle;
    }
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      l->x[particle + i] = weft_v3d_from(mesh->positions[i]);
      l->fixed[particle + i] = true;
    }
    particle += mesh->vertex_count;
    l->bodies[b].end = triangle += mesh->triangle_count;
  }
}

static void find_bodies(loosening *l) {
  for (uint32_t b = 0; b < l->body_count; ++b) {
    loosen_body *body = &l->bodies[b];
    body->shells = weft_shells_make(body->mesh);
    body->closed = weft_shells_triangles(body->shells) == body->mesh->triangle_count;
    if (!body->closed) continue;
    body->inward = volume_of(body->mesh) < 0;
    body->tree = weft_triangle_tree_create(l->x, l->corners, body->first, body->end);
  }
}

/* ---- pieces and layers ---- */

/* With nothing cut, regions are pieces. */
static void find_pieces(loosening *l) {
  weft_untangle_regions(l);
  memcpy(l->piece, l->region, l->particles * sizeof *l->piece);
  for (uint32_t i = 0; i < l->particles; ++i) {
    if (l->fixed[i]) l->held[l->piece[i]] = true;
  }
}

static int by_number(const void *left, const void *right) {
  const loosen_layer *a = left, *b = right;
  return a->number < b->number ? -1 : a->number > b->number;
}

static loosen_layer *layer_of(loosening *l, int32_t number) {
  for (uint32_t k = 0; k < l->layer_count; ++k) {
    if (l->layer[k].number == number) return &l->layer[k];
  }
  l->layer[l->layer_count] = (loosen_layer){.number = number};
  return &l->layer[l->layer_count++];
}

static void find_layers(loosening *l) {
  if (!l->layers) return;
  for (uint32_t t = 0; t < l->triangles; ++t) {
    ++layer_of(l, l->layers[l->corners[3 * (size_t)t]])->triangles;
  }
  qsort(l->layer, l->layer_count, sizeof *l->layer, by_number);
  for (uint32_t k = 0; k < l->layer_count; ++k) {
    loosen_layer *layer = &l->layer[k];
    layer->corners = weft_alloc(3 * (size_t)layer->triangles, sizeof *layer->corners);
    uint32_t count = 0;
    for (uint32_t t = 0; t < l->triangles; ++t) {
      const uint32_t *c = &l->corners[3 * (size_t)t];
      if (l->layers[c[0]] == layer->number) {
        memcpy(layer->corners + 3 * (size_t)count++, c, 3 * sizeof *c);
      }
    }
    layer->tree = weft_triangle_tree_create(l->x, layer->corners, 0, count);
  }
}

static void prepare(loosening *l) {
  weft_edges_build(l->all_particles, l->corners, l->all_triangles, &l->edges);
  while (l->cloth_edges < l->edges.count && l->edges.items[l->cloth_edges].a < l->particles) {
    ++l->cloth_edges;
  }
  l->lengths = weft_alloc(l->cloth_edges, sizeof *l->lengths);
  for (uint32_t e = 0; e < l->cloth_edges; ++e) {
    const weft_edge *edge = &l->edges.items[e];
    l->lengths[e] = weft_v3d_distance(l->x[edge->a], l->x[edge->b]);
  }
  find_pieces(l);
  find_bodies(l);
  find_layers(l);
}

static void allocate(loosening *l) {
  l->x = weft_alloc(l->all_particles, sizeof *l->x);
  l->start = weft_alloc(l->all_particles, sizeof *l->start);
  l->rounded = weft_alloc(l->all_particles, sizeof *l->rounded);
  l->corners = weft_alloc(3 * (size_t)l->all_triangles, sizeof *l->corners);
  l->fixed = weft_alloc(l->all_particles, sizeof *l->fixed);
  l->piece = weft_alloc(l->particles, sizeof *l->piece);
  l->held = weft_alloc(l->particles, sizeof *l->held);
  l->region = weft_alloc(l->particles, sizeof *l->region);
  l->region_size = weft_alloc(l->particles, sizeof *l->region_size);
  l->marks = weft_alloc(l->particles, sizeof *l->marks);
  l->wrong = weft_alloc(l->particles, sizeof *l->wrong);
  l->moves = weft_alloc(l->all_particles, sizeof *l->moves);
  l->weights = weft_alloc(l->all_particles, sizeof *l->weights);
  l->bodies = weft_alloc(l->body_count, sizeof *l->bodies);
  l->layer = weft_alloc(MAX_LAYERS, sizeof *l->layer);
}

static void begin(loosening *l, const weft_untangle_desc *desc) {
  const weft_model *model = desc->model;
  *l = (loosening){.particles = model->particle_count,
                   .all_particles = model->particle_count,
                   .triangles = weft_cloth_triangles(model),
                   .all_triangles = weft_cloth_triangles(model),
                   .body_count = desc->body_count,
                   .layers = desc->layers};
  for (uint32_t b = 0; b < desc->body_count; ++b) {
    l->all_particles += desc->bodies[b].mesh->vertex_count;
    l->all_triangles += desc->bodies[b].mesh->triangle_count;
  }
  allocate(l);
  const weft_vec3 *start = desc->start ? desc->start : model->rest_positions;
  for (uint32_t i = 0; i < l->particles; ++i) {
    l->x[i] = weft_v3d_from(start[i]);
    l->fixed[i] = model->inverse_masses[i] == 0;
  }
  memcpy(l->corners, model->triangles, 3 * (size_t)l->triangles * sizeof *l->corners);
  add_bodies(l, desc);
  memcpy(l->start, l->x, l->all_particles * sizeof *l->start);
  prepare(l);
}

static void end(loosening *l) {
  for (uint32_t b = 0; b < l->body_count; ++b) {
    weft_triangle_tree_free(l->bodies[b].tree);
    weft_shells_free(l->bodies[b].shells);
  }
  for (uint32_t k = 0; k < l->layer_count; ++k) {
    weft_triangle_tree_free(l->layer[k].tree);
    weft_free(l->layer[k].corners);
  }
  void *all[] = {l->x,       l->start,  l->rounded,     l->corners, l->fixed,    l->piece,
                 l->held,    l->region, l->region_size, l->marks,   l->wrong,    l->moves,
                 l->weights, l->bodies, l->layer,       l->lengths, l->crossings};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) weft_free(all[k]);
  weft_edges_free(&l->edges);
}

/* ---- an iteration ---- */

static void round_all(loosening *l) {
  for (uint32_t i = 0; i < l->all_particles; ++i) {
    l->rounded[i] = weft_v3d_round(l->x[i]);
    l->x[i] = weft_v3d_from(l->rounded[i]);
  }
}

weft_result weft_untangle_look(loosening *l, weft_error *err) {
  round_all(l);
  weft_free(l->crossings);
  weft_result result =
      weft_list_crossings(l->rounded, l->all_particles, l->corners, l->all_triangles, l->triangles,
                          &l->crossings, &l->crossing_count, err);
  if (result != WEFT_OK) return result;
  weft_untangle_regions(l);
  memset(l->moves, 0, l->all_particles * sizeof *l->moves);
  memset(l->weights, 0, l->all_particles * sizeof *l->weights);
  weft_untangle_crossings(l);
  weft_untangle_insides(l);
  return WEFT_OK;
}

/* Sums of wanted moves by region, and by piece of the regions that are wrong. */
typedef struct spread {
  weft_vec3d *of_region, *of_piece; /* [particles] */
  double *counts;                   /* [particles] */
  uint32_t *wrong, *all;            /* [particles] particles of pieces */
} spread;

static void sum_up(const loosening *l, spread *s) {
  for (uint32_t i = 0; i < l->particles; ++i) {
    if (l->weights[i] == 0) continue;
    uint32_t r = l->region[i];
    s->of_region[r] = weft_v3d_add_scaled(s->of_region[r], 1 / l->weights[i], l->moves[i]);
    s->counts[r] += 1;
  }
  for (uint32_t i = 0; i < l->particles; ++i) {
    uint32_t r = l->region[i], p = l->piece[i];
    ++s->all[p];
    if (!l->wrong[r] || s->counts[r] == 0) continue;
    ++s->wrong[p];
    s->of_piece[p] = weft_v3d_add_scaled(s->of_piece[p], 1 / s->counts[r], s->of_region[r]);
  }
}

/* The rest of a part that comes back goes with its rim; a piece of which much is wrong goes as a
 * whole. */
static void carry(loosening *l) {
  spread s = {.of_region = weft_alloc(l->particles, sizeof *s.of_region),
              .of_piece = weft_alloc(l->particles, sizeof *s.of_piece),
              .counts = weft_alloc(l->particles, sizeof *s.counts),
              .wrong = weft_alloc(l->particles, sizeof *s.wrong),
              .all = weft_alloc(l->particles, sizeof *s.all)};
  sum_up(l, &s);
  for (uint32_t i = 0; i < l->particles; ++i) {
    uint32_t r = l->region[i], p = l->piece[i];
    if (l->weights[i] > 0 || l->fixed[i]) continue;
    if (l->wrong[r] && s.counts[r] > 0) {
      weft_untangle_want(l, i, weft_v3d_scale(s.of_region[r], 1 / s.counts[r]), 1);
    } else if (!l->held[p] && 8 * s.wrong[p] > s.all[p]) {
      weft_untangle_want(l, i, weft_v3d_scale(s.of_piece[p], 1.0 / s.wrong[p]), 1);
    }
  }
  void *all[] = {s.of_region, s.of_piece, s.counts, s.wrong, s.all};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) weft_free(all[k]);
}

static void move(loosening *l) {
  carry(l);
  for (uint32_t i = 0; i < l->particles; ++i) {
    if (l->weights[i] > 0) {
      l->x[i] = weft_v3d_add_scaled(l->x[i], 1 / l->weights[i], l->moves[i]);
    }
  }
  weft_untangle_stretch(l, SWEEPS, l->stiffness);
}

/* What is left to do: it shrinks even while a large part is drawn out row by row. */
static uint64_t left_of(const loosening *l) {
  uint64_t left = l->crossing_count + l->inside;
  for (uint32_t i = 0; i < l->particles; ++i) left += l->wrong[l->region[i]];
  return left;
}

/* Until nothing intersects, or nothing gets better; then l->x is the best that was seen. */
static weft_result iterate(loosening *l, uint32_t most, weft_untangled *report, weft_error *err) {
  uint64_t fewest = UINT64_MAX, least = UINT64_MAX;
  uint32_t since = 0;
  weft_vec3d *best = weft_alloc(l->all_particles, sizeof *best);
  weft_result result;
  while ((result = weft_untangle_look(l, err)) == WEFT_OK) {
    uint64_t now = l->crossing_count + l->inside, left = left_of(l);
    if (report->iterations == 0) report->inside_before = l->inside;
    since = left < least ? 0 : since + 1;
    l->stiffness = since < YIELD ? 0.5 * (1 - (double)since / YIELD) : 0;
    least = left < least ? left : least;
    if (now < fewest) {
      fewest = now;
      report->inside_after = l->inside;
      memcpy(best, l->x, l->all_particles * sizeof *best);
    }
    if (now == 0 || report->iterations == most || since == PATIENCE) break;
    ++report->iterations;
    move(l);
  }
  memcpy(l->x, best, l->all_particles * sizeof *best);
  weft_free(best);
  return result;
}

/* ---- the report ---- */

static weft_result count(loosening *l, uint64_t *self, uint64_t *body, weft_error *err) {
  weft_intersections found[2];
  round_all(l);
  weft_result result = weft_count_intersections_with(
      l->rounded, l->all_particles, l->corners, l->all_triangles, l->triangles, NULL, found, err);
  *self = found[0].triangle_pairs;
  *body = found[1].triangle_pairs;
  return result;
}

static int by_size(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

static void measure(const loosening *l, weft_untangled *report) {
  for (uint32_t i = 0; i < l->particles; ++i) {
    double way = weft_v3d_distance(l->x[i], l->start[i]);
    report->moved += way > 0;
    report->largest_move = fmax(report->largest_move, way);
  }
  double *strains = weft_alloc(l->cloth_edges, sizeof *strains);
  for (uint32_t e = 0; e < l->cloth_edges; ++e) {
    const weft_edge *edge = &l->edges.items[e];
    double length = weft_v3d_distance(l->x[edge->a], l->x[edge->b]);
    strains[e] = l->lengths[e] > 0 ? fabs(length / l->lengths[e] - 1) : 0;
  }
  qsort(strains, l->cloth_edges, sizeof *strains, by_size);
  if (l->cloth_edges > 0) {
    report->strain_p99 = strains[(size_t)(0.99 * (l->cloth_edges - 1))];
    report->strain_max = strains[l->cloth_edges - 1];
  }
  weft_free(strains);
}

/* ---- from outside ---- */

static weft_result check_bodies(const weft_untangle_desc *desc, weft_error *err) {
  if (desc->body_count > WEFT_MAX_BODIES || (desc->body_count > 0 && !desc->bodies)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u bodies, at most %d are allowed",
                     desc->body_count, WEFT_MAX_BODIES);
  }
  for (uint32_t b = 0; b < desc->body_count; ++b) {
    const weft_mesh *mesh = desc->bodies[b].mesh;
    if (!mesh || mesh->triangle_count == 0 || !weft_mesh_is_whole(mesh)) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "body %u has no triangles", b);
    }
    if (weft_check_indices(mesh, err) != WEFT_OK) return WEFT_ERROR_MESH;
  }
  return WEFT_OK;
}

static weft_result check_layers(const weft_untangle_desc *desc, weft_error *err) {
  int32_t seen[MAX_LAYERS];
  int count = 0;
  for (uint32_t i = 0; desc->layers && i < desc->model->particle_count; ++i) {
    int k = 0;
    while (k < count && seen[k] != desc->layers[i]) ++k;
    if (k < count) continue;
    if (count == MAX_LAYERS) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "more than %d layers", MAX_LAYERS);
    }
    seen[count++] = desc->layers[i];
  }
  return WEFT_OK;
}

static weft_result check(const weft_untangle_desc *desc, weft_error *err) {
  const weft_model *model = desc->model;
  if (model->triangle_count == 0 || model->part_count > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "only a cloth that is not joined can be loosened");
  }
  if (!(desc->thickness >= 0 && desc->thickness <= 1)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "thickness (m) is %g, allowed is 0 to 1",
                     (double)desc->thickness);
  }
  if (desc->iterations > WEFT_MAX_UNTANGLE_ITERATIONS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u iterations, at most %d are allowed",
                     desc->iterations, WEFT_MAX_UNTANGLE_ITERATIONS);
  }
  weft_result result = check_bodies(desc, err);
  return result == WEFT_OK ? check_layers(desc, err) : result;
}

static double thickness_of(const loosening *l, const weft_untangle_desc *desc) {
  if (desc->thickness > 0) return (double)desc->thickness;
  double sum = 0;
  for (uint32_t e = 0; e < l->cloth_edges; ++e) sum += l->lengths[e];
  return fmin(0.003, 0.5 * sum / l->cloth_edges);
}

/* What comes free by less than floats tell apart may meet again when it settles. */
static weft_result try_once(loosening *l, uint32_t most, weft_untangled *report, weft_error *err) {
  uint32_t before = report->iterations;
  weft_result result = iterate(l, most, report, err);
  if (result == WEFT_OK) result = count(l, &report->self_after, &report->body_after, err);
  if (result != WEFT_OK || report->iterations == before) return result;
  if (report->self_after + report->body_after > 0) return WEFT_OK;
  report->gap = weft_untangle_settle(l);
  result = count(l, &report->self_after, &report->body_after, err);
  if (report->self_after + report->body_after > 0) report->gap = 0;
  return result;
}

static bool is_worse(const weft_untangled *r) {
  const uint64_t before = r->self_before + r->body_before, after = r->self_after + r->body_after;
  return after != before ? after > before : r->inside_after > r->inside_before;
}

/* What cuts through more than it did would be held so for good. */
static void undo(loosening *l, weft_untangled *report) {
  memcpy(l->x, l->start, l->all_particles * sizeof *l->x);
  round_all(l);
  report->self_after = report->self_before;
  report->body_after = report->body_before;
  report->inside_after = report->inside_before;
  report->gap = 0;
}

static weft_result run(loosening *l, const weft_untangle_desc *desc, weft_untangled *report,
                       weft_error *err) {
  double thickness = thickness_of(l, desc);
  l->step = thickness / 4;
  l->apart = thickness / 8;
  weft_result result = count(l, &report->self_before, &report->body_before, err);
  if (result != WEFT_OK) return result;
  uint32_t most = desc->iterations ? desc->iterations : ITERATIONS;
  for (int k = 0; k < TRIES && result == WEFT_OK; ++k) {
    result = try_once(l, most, report, err);
    if (report->gap > 0 || report->iterations == most) break;
  }
  if (result == WEFT_OK && is_worse(report)) undo(l, report);
  if (result == WEFT_OK) measure(l, report);
  return result;
}

weft_result weft_untangle(const weft_untangle_desc *desc, weft_vec3 *positions,
                          weft_untangled *report, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(desc);
  WEFT_NEED(desc->model);
  WEFT_NEED(positions);
  weft_untangled own = {0};
  if (report) *report = own;
  weft_result result = check(desc, err);
  if (result != WEFT_OK) return result;
  loosening l;
  begin(&l, desc);
  result = run(&l, desc, &own, err);
  if (result == WEFT_OK) {
    memcpy(positions, l.rounded, l.particles * sizeof *positions);
    weft_model_place_riders(desc->model, positions);
  }
  end(&l);
  if (result == WEFT_OK && report) *report = own;
  return result;
}
