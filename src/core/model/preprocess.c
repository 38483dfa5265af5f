/* Preprocesses a model: validates the input, computes masses, constraints and colours, validates
 * the result. */
#include "preprocess.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base.h"
#include "geodesic.h"
#include "left.h"
#include "map.h"
#include "ranges.h"
#include "vec3d.h"

/* Most triangles, so that particle lists of hinges still fit 32-bit counts. */
static const uint32_t max_triangles = 500000000;

/* Beyond this distance, in metres, floats are more than 6 cm apart: the unit must be wrong. */
static const float farthest = 1e6f;

/* ---- validation ---- */
static weft_result check_material(const weft_material *m, weft_error *err) {
  const struct {
    const char *name;
    float value;
  } stiffness[] = {{"warp stretch", m->stretch_warp},
                   {"weft stretch", m->stretch_weft},
                   {"shear", m->shear},
                   {"bending", m->bending}};
  const char *name = m->name ? m->name : "(unnamed)";
  if (!(m->area_density > 0 && m->area_density <= FLT_MAX)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "material %s: an area density of %g kg/m^2 is not a positive number", name,
                     (double)m->area_density);
  }
  for (size_t i = 0; i < sizeof stiffness / sizeof stiffness[0]; ++i) {
    if (stiffness[i].value >= 0) continue;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "material %s: a %s stiffness of %g is below 0", name,
                     stiffness[i].name, (double)stiffness[i].value);
  }
  if (!(m->damping_time >= 0 && m->damping_time <= FLT_MAX)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "material %s: a damping time of %g s is not a number from 0 up", name,
                     (double)m->damping_time);
  }
  return WEFT_OK;
}

static weft_result check_triangles(const weft_mesh *mesh, weft_error *err) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles + 3 * (size_t)t;
    for (int k = 0; k < 3; ++k) {
      if (v[k] < mesh->vertex_count) continue;
      return weft_fail(err, WEFT_ERROR_MESH,
                       "triangle %u names vertex %u, but the mesh has %u vertices", t, v[k],
                       mesh->vertex_count);
    }
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
      return weft_fail(err, WEFT_ERROR_MESH, "triangle %u names a vertex twice (%u %u %u)", t, v[0],
                       v[1], v[2]);
    }
  }
  return WEFT_OK;
}

static weft_result check_positions(const weft_mesh *mesh, weft_error *err) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 x = mesh->positions[i];
    if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) {
      return weft_fail(err, WEFT_ERROR_MESH,
                       "vertex %u has a position that is not finite (%g %g %g)",
                       weft_mesh_number(mesh, i), (double)x.x, (double)x.y, (double)x.z);
    }
    if (fmaxf(fabsf(x.x), fmaxf(fabsf(x.y), fabsf(x.z))) > farthest) {
      return weft_fail(
          err, WEFT_ERROR_MESH, "vertex %u lies at (%g %g %g), further than %g m from the origin",
          weft_mesh_number(mesh, i), (double)x.x, (double)x.y, (double)x.z, (double)farthest);
    }
  }
  return WEFT_OK;
}

static weft_result check_mesh(const weft_mesh *mesh, weft_error *err) {
  if (mesh->vertex_count == 0 || mesh->triangle_count == 0) {
    return weft_fail(err, WEFT_ERROR_MESH, "the mesh has no triangles (%u vertices)",
                     mesh->vertex_count);
  }
  if (mesh->triangle_count > max_triangles) {
    return weft_fail(err, WEFT_ERROR_MESH, "the mesh has %u triangles, more than %u",
                     mesh->triangle_count, max_triangles);
  }
  bool grid = mesh->grid_rows > 0 || mesh->grid_columns > 0;
  if (grid && (uint64_t)mesh->grid_rows * mesh->grid_columns != mesh->vertex_count) {
    return weft_fail(err, WEFT_ERROR_MESH,
                     "the mesh claims a grid of %u rows and %u columns, but has %u vertices",
                     mesh->grid_rows, mesh->grid_columns, mesh->vertex_count);
  }
  weft_result result = check_positions(mesh, err);
  return result == WEFT_OK ? check_triangles(mesh, err) : result;
}

static weft_result check_valence(const weft_mesh *mesh, const weft_edges *edges, weft_error *err) {
  uint32_t vertex_count = mesh->vertex_count;
  uint32_t *valence = weft_alloc(vertex_count, sizeof *valence);
  uint32_t worst = 0;
  for (uint32_t i = 0; i < edges->count; ++i) {
    valence[edges->items[i].a]++;
    valence[edges->items[i].b]++;
  }
  for (uint32_t v = 1; v < vertex_count; ++v) {
    if (valence[v] > valence[worst]) worst = v;
  }
  uint32_t max = valence[worst];
  weft_free(valence);
  if (max <= WEFT_MAX_VALENCE) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_MESH,
                   "vertex %u belongs to %u edges, more than %d: each would be solved on its own",
                   weft_mesh_number(mesh, worst), max, WEFT_MAX_VALENCE);
}

/* ---- particles ---- */
static weft_result copy_mesh(const weft_model_desc *desc, weft_model *model, weft_error *err) {
  const weft_mesh *mesh = desc->mesh;
  size_t corners = 3 * (size_t)mesh->triangle_count;
  model->particle_count = mesh->vertex_count;
  model->triangle_count = mesh->triangle_count;
  if (mesh->grid_pattern != WEFT_GRID_EQUILATERAL) {
    model->grid_rows = mesh->grid_rows;
    model->grid_columns = mesh->grid_columns;
  }
  model->rest_positions = weft_alloc(mesh->vertex_count, sizeof *model->rest_positions);
  model->triangles = weft_alloc(corners, sizeof *model->triangles);
  memcpy(model->rest_positions, mesh->positions, mesh->vertex_count * sizeof *mesh->positions);
  memcpy(model->triangles, mesh->triangles, corners * sizeof *mesh->triangles);
  model->map = weft_map_copy(&mesh->map, mesh->vertex_count, mesh->triangle_count);
  model->tangles = weft_alloc(1, sizeof *model->tangles);
  weft_result result = weft_attach_begin(desc->attached, model, err);
  if (result != WEFT_OK) return result;
  weft_corners_build(model->particle_count, model->triangles, model->triangle_count,
                     &model->corner_offsets, &model->corner_items);
  return weft_attach(model, err);
}

/* ---- masses ---- */
typedef struct weighing {
  weft_model *model;
  const weft_material *material;
  const bool *pinned;
  double *areas;                     /* [triangle_count] */
  double *carried;                   /* [particle_count] kg of attached pieces; NULL: none */
  uint32_t pins[WEFT_RANGES_MAX];    /* of each range of particles */
  uint32_t refused[WEFT_RANGES_MAX]; /* the first particle whose mass is out of range, or the end */
} weighing;

static void measure_triangles(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const weighing *w = context;
  const weft_vec3 *x = w->model->rest_positions;
  for (size_t t = first; t < end; ++t) {
    const uint32_t *v = w->model->triangles + 3 * t;
    w->areas[t] = weft_v3_triangle_area(x[v[0]], x[v[1]], x[v[2]]);
  }
}

/* Each triangle gives a third of its mass to each corner, in ascending order of triangles. */
static double mass_of(const weighing *w, size_t particle) {
  const weft_model *model = w->model;
  double area = 0;
  for (uint32_t i = model->corner_offsets[particle]; i < model->corner_offsets[particle + 1]; ++i) {
    area += w->areas[model->corner_items[i] / 3];
  }
  double mass = (double)w->material->area_density * (area / 3);
  return w->carried ? mass + w->carried[particle] : mass;
}

static bool possible_mass(double mass) {
  return mass >= (double)WEFT_MIN_MASS && mass <= (double)WEFT_MAX_MASS;
}

static void weigh_particles(void *context, uint32_t part, size_t first, size_t end) {
  weighing *w = context;
  weft_model *model = w->model;
  size_t i = first;
  for (; i < end; ++i) {
    if (weft_rides(model, (uint32_t)i)) continue; /* the cloth beneath carries its mass */
    double mass = mass_of(w, i);
    if (!possible_mass(mass)) break;
    model->masses[i] = (float)mass;
    model->inverse_masses[i] = w->pinned[i] ? 0.0f : (float)(1.0 / mass);
    if (w->pinned[i]) w->pins[part]++;
  }
  w->refused[part] = (uint32_t)i;
}

static weft_result refuse_mass(const weighing *w, uint32_t i, weft_error *err) {
  if (w->model->corner_offsets[i] == w->model->corner_offsets[i + 1]) {
    return weft_fail(err, WEFT_ERROR_MESH, "vertex %u belongs to no triangle and has no mass",
                     weft_model_number(w->model, i));
  }
  return weft_fail(err, WEFT_ERROR_MESH, "vertex %u has a mass of %g kg, allowed is %g to %g",
                   weft_model_number(w->model, i), mass_of(w, i), (double)WEFT_MIN_MASS,
                   (double)WEFT_MAX_MASS);
}

static weft_result weigh(weft_model *model, const weft_material *material, const bool *pinned,
                         double *areas, weft_error *err) {
  weighing w = {.model = model, .material = material, .pinned = pinned, .areas = areas};
  uint32_t n = model->particle_count, parts = weft_ranges_worth(n);
  model->masses = weft_alloc(n, sizeof *model->masses);
  model->inverse_masses = weft_alloc(n, sizeof *model->inverse_masses);
  weft_ranges_run(model->triangle_count, weft_ranges_worth(model->triangle_count),
                  measure_triangles, &w);
  w.carried = weft_attach_masses(model, (double)material->area_density, areas);
  weft_ranges_run(n, parts, weigh_particles, &w);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < parts && result == WEFT_OK; ++k) {
    if (w.refused[k] < weft_range_first(n, parts, k + 1))
      result = refuse_mass(&w, w.refused[k], err);
    model->pinned_count += w.pins[k];
  }
  weft_free(w.carried);
  if (result == WEFT_OK && weft_free_count(model) == 0) {
    weft_log(WEFT_LOG_WARNING, "every particle is pinned: the cloth cannot move");
  }
  return result;
}

static weft_result pin_and_weigh(const weft_model_desc *desc, const weft_material *material,
                                 weft_model *model, double *areas, weft_error *err) {
  bool *pinned = weft_alloc(model->particle_count, sizeof *pinned);
  weft_result result =
      weft_pins_select(desc->mesh, desc->pins, desc->pin_count, model->rides, pinned, err);
  if (result == WEFT_OK) result = weigh(model, material, pinned, areas, err);
  weft_free(pinned);
  return result;
}

/* ---- constraints ---- */
static weft_result add_bending(const weft_preprocess_input *in, weft_model *model,
                               weft_error *err) {
  weft_raw_group raw = {0};
  weft_result result = weft_collect_bending(in, &raw, err);
  if (result == WEFT_OK) weft_group_finish(&raw, in->material->damping_time, model);
  weft_group_free(&raw.group); /* what an error left behind */
  weft_free(raw.keys);
  return result;
}

static weft_result bend(const weft_preprocess_input *in, weft_model *model, weft_error *err) {
  weft_bending_part parts[2];
  uint32_t count = weft_bending_parts(in->bending, parts);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < count && result == WEFT_OK; ++k) {
    weft_preprocess_input part = *in;
    part.bending = parts[k].bending;
    part.hinges = parts[k].hinges;
    result = add_bending(&part, model, err);
  }
  return result;
}

static weft_result constrain(const weft_model_desc *desc, const weft_preprocess_input *in,
                             weft_model *model, weft_error *err) {
  const weft_mesh *mesh = desc->mesh;
  float damping = in->material->damping_time;
  bool shear =
      mesh->grid_rows > 0 && mesh->grid_pattern != WEFT_GRID_EQUILATERAL && !desc->no_shear;
  weft_raw_group raw = {0};
  weft_result result = weft_collect_stretch(in, shear, &raw, err);
  if (result == WEFT_OK) weft_group_finish(&raw, damping, model);
  if (result == WEFT_OK && shear) {
    result = weft_collect_shear(in, &raw, err);
    if (result == WEFT_OK) weft_group_finish(&raw, damping, model);
  }
  weft_group_free(&raw.group); /* what an error left behind */
  weft_free(raw.keys);
  return result == WEFT_OK ? bend(in, model, err) : result;
}

/* Also fills the triangles' areas, [triangle_count]. */
static weft_result preprocess_with(const weft_model_desc *desc, const weft_material *material,
                                   double *areas, weft_model *model, weft_error *err) {
  double start = weft_clock_seconds();
  weft_result result = copy_mesh(desc, model, err);
  if (result == WEFT_OK) result = pin_and_weigh(desc, material, model, areas, err);
  if (result != WEFT_OK) return result;
  double weighed = weft_clock_seconds();
  weft_edges edges = {0};
  weft_edges_build(model->particle_count, model->triangles, weft_cloth_triangles(model), &edges);
  result = check_valence(desc->mesh, &edges, err);
  double found = weft_clock_seconds();
  weft_preprocess_input in = {.mesh = desc->mesh,
                              .material = material,
                              .edges = &edges,
                              .areas = areas,
                              .bending = desc->bending};
  if (result == WEFT_OK) result = constrain(desc, &in, model, err);
  weft_edges_free(&edges);
  if (result != WEFT_OK) return result;
  double constrained = weft_clock_seconds();
  result = weft_model_validate(model, err);
  weft_log(
      WEFT_LOG_DEBUG,
      "preprocessed %u particles: masses %.3f s, edges %.3f s, constraints %.3f s, check %.3f s",
      model->particle_count, weighed - start, found - weighed, constrained - found,
      weft_clock_seconds() - constrained);
  return result;
}

static weft_result preprocess(const weft_model_desc *desc, const weft_material *material,
                              weft_model *model, weft_error *err) {
  double *areas = weft_alloc(desc->mesh->triangle_count, sizeof *areas);
  weft_result result = preprocess_with(desc, material, areas, model, err);
  weft_free(areas);
  return result;
}

weft_result weft_model_create(const weft_model_desc *desc, weft_model **model, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(model);
  *model = NULL;
  WEFT_NEED(desc);
  WEFT_NEED(desc->mesh);
  WEFT_NEED_ITEMS(desc->mesh->positions, desc->mesh->vertex_count);
  WEFT_NEED_ITEMS(desc->mesh->triangles, desc->mesh->triangle_count);
  WEFT_NEED_ITEMS(desc->pins, desc->pin_count);
  const weft_material *material =
      desc->material ? desc->material : weft_material_find("tablecloth");
  if ((unsigned)desc->bending > WEFT_BENDING_MIXED) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "bending %d does not exist", (int)desc->bending);
  }
  weft_result result = check_material(material, err);
  if (result == WEFT_OK) result = check_mesh(desc->mesh, err);
  if (result != WEFT_OK) return result;
  weft_model *preprocessed = weft_model_alloc();
  result = preprocess(desc, material, preprocessed, err);
  if (result == WEFT_OK) {
    weft_owned_begin(&preprocessed->owned);
    *model = preprocessed;
  } else {
    weft_model_destroy(preprocessed);
  }
  return result;
}

weft_model *weft_model_alloc(void) {
  weft_model *model = weft_alloc(1, sizeof *model);
  model->geodesics = weft_alloc(1, sizeof *model->geodesics);
  return model;
}

void weft_model_destroy(weft_model *model) {
  if (!model) return;
  if (model->geodesics) weft_geodesics_free(model->geodesics);
  weft_free(model->geodesics);
  weft_left_drop(model->left);
  for (uint32_t i = 0; i < model->group_count; ++i) weft_group_free(&model->groups[i]);
  weft_map_free(&model->map);
  weft_tangles_free(model->tangles);
  weft_free(model->rest_positions);
  weft_free(model->inverse_masses);
  weft_free(model->masses);
  weft_free(model->free_inverse_masses);
  for (uint32_t p = 0; p < model->part_count; ++p) weft_model_destroy(model->parts[p]);
  weft_free(model->parts);
  weft_free(model->triangles);
  weft_free(model->corner_offsets);
  weft_free(model->corner_items);
  weft_free(model->riders);
  weft_free(model->rides);
  weft_free(model->links);
  weft_owned_end(&model->owned);
  weft_free(model);
}
