/* tables.c: from a model and parameters to the buffers both backends run on. Whatever is constant
 * for a time step is divided here, once, in double precision. Compiled twice, see
 * src/solver_f64/double.h: what `float` is here is double in the tables of the backend f64. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "exact.h"
#include "ranges.h"
#include "solver.h"

/* ---- constraints ---- */

/* theta of one constraint: 1 for Gauss-Seidel; in a Jacobi tail omega over the most tail
 * constraints at one of its movable particles. Scaling the multiplier (and not each particle's sum)
 * keeps momentum, and the multipliers stay true to the positions. */
static double relaxation_of(const weft_constraint_group *g, uint32_t i, const weft_model *model,
                            const weft_split *split, const uint32_t *valence, double omega) {
  if (i < split->tail_first) return 1;
  uint32_t most = 1;
  for (uint32_t r = 0; r < g->arity; ++r) {
    uint32_t p = g->particles[(size_t)i * g->arity + r];
    if (model->inverse_masses[p] > 0 && valence[p] > most) most = valence[p];
  }
  return omega / most;
}

static double denominator(const weft_constraint_group *g, uint32_t i, const weft_model *model) {
  double sum = 0;
  for (uint32_t r = 0; r < g->arity; ++r) {
    double w = model->inverse_masses[g->particles[(size_t)i * g->arity + r]];
    double k = g->weights ? g->weights[(size_t)i * g->arity + r] : 1;
    sum += w * k * k;
  }
  return sum;
}

typedef struct fill {
  const weft_model *model;
  const weft_constraint_group *group;
  const weft_split *split;
  const uint32_t *valence;
  double dt;
  double omega; /* of the Jacobi tail */
  double part;  /* of the error that one projection closes: PBD's k', 1 for XPBD */
  bool rigid;   /* PBD knows no compliance */
  void *rows;   /* [count] of the group's type */
  weft_xpbd *xpbd;
} fill;

/* Mueller et al. 2007, section 3.3: n projections that each leave (1-k') of the error leave (1-k)
 * of it together. */
static double part_of(const weft_constraint_group *g, const weft_params *params) {
  if (params->method != WEFT_METHOD_PBD) return 1;
  bool bending = g->role == WEFT_ROLE_BENDING;
  double k = (double)(bending ? params->pbd_bending : params->pbd_stretch);
  return 1 - pow(1 - k, 1.0 / params->iterations);
}

/* Past 1e25 alpha~ could leave the range of float in a product, and no float would feel the
 * constraint: it is switched off. */
static bool too_soft(const fill *f, uint32_t i) {
  return !f->rigid && (double)f->group->compliance[i] / (f->dt * f->dt) > 1e25;
}

/* alpha~ and gamma of constraint i. A gamma far above 1 and alpha~/sum lets nothing move along the
 * constraint; more of it moves no less, and times a length or the sum would leave the range of
 * float. */
static weft_xpbd xpbd_of(const fill *f, uint32_t i) {
  /* A hinge's sum is known only when it is projected: its gradients are 1/m and grow. */
  const double most = f->group->type == WEFT_CONSTRAINT_DIHEDRAL ? 1e10 : 1e30;
  double compliance = (double)f->group->compliance[i] / (f->dt * f->dt);
  double sum = denominator(f->group, i, f->model);
  double gamma = compliance * (double)f->group->damping[i] * f->dt;
  gamma = fmin(gamma, fmin(most, most / sum));
  if (f->rigid || too_soft(f, i)) return (weft_xpbd){0, 0};
  return (weft_xpbd){(float)compliance, (float)gamma};
}

static float inverse_denominator(const fill *f, uint32_t i, weft_xpbd xpbd) {
  double sum = denominator(f->group, i, f->model);
  if (!(sum > 0) || too_soft(f, i)) return 0;
  double theta = f->part * relaxation_of(f->group, i, f->model, f->split, f->valence, f->omega);
  double inverse = theta / ((1 + (double)xpbd.gamma) * sum + (double)xpbd.compliance);
  return inverse < (double)FLT_MIN ? 0.0f : (float)inverse; /* no float would feel it */
}

static void fill_distance(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const fill *f = context;
  const weft_constraint_group *g = f->group;
  weft_distance *out = f->rows;
  for (size_t i = first; i < end; ++i) {
    f->xpbd[i] = xpbd_of(f, (uint32_t)i);
    out[i] = (weft_distance){g->particles[2 * i], g->particles[2 * i + 1], g->rest[i],
                             inverse_denominator(f, (uint32_t)i, f->xpbd[i])};
  }
}

static void fill_isometric(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const fill *f = context;
  const weft_constraint_group *g = f->group;
  weft_isometric *out = f->rows;
  for (size_t i = first; i < end; ++i) {
    const uint32_t *p = &g->particles[4 * i];
    f->xpbd[i] = xpbd_of(f, (uint32_t)i);
    out[i].particles = (uvec4){p[0], p[1], p[2], p[3]};
    out[i].weights = (vec4){g->weights[4 * i], g->weights[4 * i + 1], g->weights[4 * i + 2],
                            inverse_denominator(f, (uint32_t)i, f->xpbd[i])};
  }
}

static void fill_dihedral(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const fill *f = context;
  const weft_constraint_group *g = f->group;
  weft_dihedral *out = f->rows;
  for (size_t k = first; k < end; ++k) {
    uint32_t i = (uint32_t)k;
    const uint32_t *p = &g->particles[4 * k];
    weft_xpbd xpbd = xpbd_of(f, i);
    double theta = f->part * relaxation_of(g, i, f->model, f->split, f->valence, f->omega);
    out[k].particles = (uvec4){p[0], p[1], p[2], p[3]};
    out[k].rest_angle = g->rest[k];
    out[k].compliance = xpbd.compliance;
    out[k].gamma = xpbd.gamma;
    bool movable = denominator(g, i, f->model) > 0;
    out[k].relaxation = movable && !too_soft(f, i) ? (float)theta : 0;
  }
}

/* How many of a group's tail constraints act on each particle. */
static void count_tail(const weft_model *model, const weft_constraint_group *g,
                       const weft_split *split, uint32_t *valence) {
  memset(valence, 0, model->particle_count * sizeof *valence);
  size_t end = (size_t)(split->tail_first + split->tail_count) * g->arity;
  for (size_t k = (size_t)split->tail_first * g->arity; k < end; ++k) ++valence[g->particles[k]];
}

static void fill_groups(const weft_model *model, const weft_params *params, weft_tables *tables) {
  uint64_t counts[WEFT_CONSTRAINT_TYPE_COUNT] = {0};
  for (uint32_t g = 0; g < model->group_count; ++g) {
    counts[model->groups[g].type] += model->groups[g].count;
  }
  uint64_t distances = counts[WEFT_CONSTRAINT_DISTANCE];
  uint64_t isometrics = counts[WEFT_CONSTRAINT_ISOMETRIC];
  uint64_t dihedrals = counts[WEFT_CONSTRAINT_DIHEDRAL];
  weft_distance *distance = weft_tables_set(tables, WEFT_BUFFER_DISTANCE, distances);
  weft_xpbd *distance_xpbd = weft_tables_set(tables, WEFT_BUFFER_DISTANCE_XPBD, distances);
  weft_tables_set(tables, WEFT_BUFFER_DISTANCE_LAMBDA, distances);
  weft_isometric *isometric = weft_tables_set(tables, WEFT_BUFFER_ISOMETRIC, isometrics);
  weft_xpbd *isometric_xpbd = weft_tables_set(tables, WEFT_BUFFER_ISOMETRIC_XPBD, isometrics);
  weft_tables_set(tables, WEFT_BUFFER_ISOMETRIC_LAMBDA, isometrics);
  weft_dihedral *dihedral = weft_tables_set(tables, WEFT_BUFFER_DIHEDRAL, dihedrals);
  weft_tables_set(tables, WEFT_BUFFER_DIHEDRAL_LAMBDA, dihedrals);

  uint32_t *valence = weft_alloc(model->particle_count, sizeof *valence);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    weft_split split = weft_group_split(model, g, params);
    count_tail(model, group, &split, valence);
    fill f = {.model = model,
              .group = group,
              .split = &split,
              .valence = valence,
              .dt = (double)params->frame_dt / params->substeps,
              .omega = (double)params->relaxation,
              .part = part_of(group, params),
              .rigid = params->method == WEFT_METHOD_PBD};
    uint32_t base = weft_group_base(model, g);
    weft_range_work *work = fill_distance;
    f.rows = distance + base;
    f.xpbd = distance_xpbd + base;
    if (group->type == WEFT_CONSTRAINT_ISOMETRIC) {
      work = fill_isometric;
      f.rows = isometric + base;
      f.xpbd = isometric_xpbd + base;
    } else if (group->type == WEFT_CONSTRAINT_DIHEDRAL) {
      work = fill_dihedral;
      f.rows = dihedral + base;
    }
    weft_ranges_run(group->count, weft_ranges_worth(group->count), work, &f);
  }
  weft_free(valence);
}

/* ---- the Jacobi gather: slot (i - tail_first)*arity + role, ascending per particle ---- */

/* Drivers cut long shader loops off without a word (llvmpipe after 65,535 turns). */
enum { WEFT_MAX_GATHER = 60000 };

static weft_result too_many(uint32_t particle, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_LIMIT, "particle %u has more than %d constraints or triangles",
                   particle, WEFT_MAX_GATHER);
}

static weft_result check_corners(const weft_model *model, weft_error *err) {
  for (uint32_t p = 0; p < model->particle_count; ++p) {
    if (model->corner_offsets[p + 1] - model->corner_offsets[p] > WEFT_MAX_GATHER) {
      return too_many(p, err);
    }
  }
  return WEFT_OK;
}

static weft_result fill_gather(const weft_model *model, const weft_params *params,
                               weft_tables *tables, weft_error *err) {
  uint64_t slots = 0, most_slots = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    weft_split split = weft_group_split(model, g, params);
    uint64_t n = (uint64_t)split.tail_count * model->groups[g].arity;
    slots += n;
    if (n > most_slots) most_slots = n;
  }
  uint64_t rows = slots ? (uint64_t)model->group_count * (model->particle_count + 1ull) : 0;
  if (slots > UINT32_MAX / 3 || rows > UINT32_MAX) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "the Jacobi gather of %u particles needs more than 2^32 entries; use mode gs",
                     model->particle_count);
  }
  weft_tables_set(tables, WEFT_BUFFER_DELTA, most_slots);
  uint32_t *offsets = weft_tables_set(tables, WEFT_BUFFER_GATHER_OFFSETS, rows);
  uint32_t *items = weft_tables_set(tables, WEFT_BUFFER_GATHER_SLOTS, slots);
  if (slots == 0) return WEFT_OK;
  uint32_t begin = 0;
  uint32_t *next = weft_alloc(model->particle_count, sizeof *next);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    weft_split split = weft_group_split(model, g, params);
    uint32_t *row = offsets + (size_t)g * (model->particle_count + 1);
    count_tail(model, group, &split, next);
    for (uint32_t p = 0; p < model->particle_count; ++p) {
      if (next[p] > WEFT_MAX_GATHER) {
        weft_free(next);
        return too_many(p, err);
      }
      row[p] = begin;
      begin += next[p];
      next[p] = row[p];
    }
    row[model->particle_count] = begin;
    uint32_t tail_slots = split.tail_count * group->arity;
    const uint32_t *particles = group->particles + (size_t)split.tail_first * group->arity;
    for (uint32_t slot = 0; slot < tail_slots; ++slot) items[next[particles[slot]]++] = slot;
  }
  weft_free(next);
  return WEFT_OK;
}

/* ---- particles, triangles, uniforms ---- */

static void fill_particles(const weft_model *model, weft_tables *tables) {
  uint32_t n = model->particle_count;
  vec4 *x = weft_tables_set(tables, WEFT_BUFFER_X, n);
  vec4 *x_prev = weft_tables_set(tables, WEFT_BUFFER_X_PREV, n);
  weft_tables_set(tables, WEFT_BUFFER_V, n);
  for (uint32_t i = 0; i < n; ++i) {
    weft_vec3 p =
        weft_v3(model->rest_positions[i].x, model->rest_positions[i].y, model->rest_positions[i].z);
    x[i] = exact_vec4(exact_snap3(p), model->inverse_masses[i]);
    x_prev[i] = x[i];
  }
}

/* Poses come with every frame; what shapes there are, a backend may want to know before. */
static void fill_colliders(const weft_params *params, weft_tables *tables) {
  uint64_t count = (uint64_t)params->substeps * params->collider_count;
  weft_collider_pose *poses = weft_tables_set(tables, WEFT_BUFFER_COLLIDERS, count);
  for (uint64_t i = 0; i < count; ++i) {
    poses[i].shape = weft_shape_id(params->colliders[i % params->collider_count].shape);
  }
}

static void fill_air(const weft_model *model, const weft_params *params, weft_tables *tables) {
  if (!(params->air_density > 0) || model->triangle_count == 0) return;
  uint32_t n = model->triangle_count;
  weft_triangle *triangles = weft_tables_set(tables, WEFT_BUFFER_TRIANGLES, n);
  memcpy(triangles, model->triangles, n * sizeof *triangles);
  weft_tables_set(tables, WEFT_BUFFER_FORCES, n);
  uint64_t rows = (uint64_t)model->particle_count + 1;
  uint32_t *offsets = weft_tables_set(tables, WEFT_BUFFER_CORNER_OFFSETS, rows);
  memcpy(offsets, model->corner_offsets, (size_t)rows * sizeof *offsets);
  uint32_t *items = weft_tables_set(tables, WEFT_BUFFER_CORNER_ITEMS, 3 * (uint64_t)n);
  for (size_t k = 0; k < 3 * (size_t)n; ++k) items[k] = model->corner_items[k] / 3;
}

static double inverse_total_mass(const weft_model *model) {
  double sum = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    if (model->inverse_masses[i] > 0) sum += 1 / (double)model->inverse_masses[i];
  }
  return sum > 0 ? 1 / sum : 0;
}

static void fill_uniforms(const weft_model *model, const weft_params *params, weft_tables *tables) {
  weft_uniforms *u = weft_tables_set(tables, WEFT_BUFFER_UNIFORMS, 1);
  double dt = (double)params->frame_dt / params->substeps;
  u->gravity_step.x = (float)((double)params->gravity.x * dt);
  u->gravity_step.y = (float)((double)params->gravity.y * dt);
  u->gravity_step.z = (float)((double)params->gravity.z * dt);
  u->dt = (float)dt;
  u->inv_dt = (float)(1 / dt);
  u->keep = (float)exp(-(double)params->damping * dt);
  u->drag = (float)(0.5 * (double)params->air_density * (double)params->drag);
  u->skin = (float)(0.5 * (double)params->air_density * (double)params->skin_friction);
  u->third = (float)(1.0 / 3);
  u->collider_count = params->collider_count;
  u->particle_count = model->particle_count;
  u->inv_total_mass = (float)inverse_total_mass(model);
  u->global_damping = (float)-expm1(-(double)params->global_damping * dt);
}

weft_result weft_part_tables(const weft_model *model, const weft_params *params,
                             weft_tables *tables, weft_error *err) {
  weft_tables_init(tables);
  fill_uniforms(model, params, tables);
  if (params->global_damping > 0) {
    weft_tables_set(tables, WEFT_BUFFER_MOTION,
                    2 * (uint64_t)weft_tree_rows(model->particle_count) + 1);
  }
  fill_particles(model, tables);
  fill_groups(model, params, tables);
  fill_air(model, params, tables);
  weft_tables_set(tables, WEFT_BUFFER_SUBSTEPS, params->substeps);
  fill_colliders(params, tables);
  weft_tables_set(tables, WEFT_BUFFER_PINS, model->pinned_count);
  weft_tables_set(tables, WEFT_BUFFER_GRAB, params->grab ? WEFT_GRAB_ROWS : 0);
  weft_tables_set(tables, WEFT_BUFFER_PICK_RAY, 1);
  weft_tables_set(tables, WEFT_BUFFER_PICK, weft_tree_rows(model->particle_count));
  weft_tethers_fill(model, params, tables);
  weft_result result = weft_levels_fill(model, params, tables, err);
  if (result == WEFT_OK) result = weft_lines_fill(model, params, tables, err);
  if (result == WEFT_OK) weft_patches_fill(model, params, tables);
  if (result == WEFT_OK) result = check_corners(model, err);
  if (result == WEFT_OK) result = fill_gather(model, params, tables, err);
  if (result == WEFT_OK) result = weft_contact_fill(model, params, tables, err);
  if (result != WEFT_OK) weft_tables_free(tables);
  return result;
}
