/* passes.c: what each pass binds, and the list of passes that makes a substep.
 *
 * The list is data: the reference walks it, the GPU dispatches it, validate steps through it. */
#include <stdio.h>

#include "solver.h"

#define X_READ_WRITE \
  { WEFT_BUFFER_X, WEFT_SLOT_X, false, true }
#define X_READ \
  { WEFT_BUFFER_X, WEFT_SLOT_X, false, false }
#define X_PREV_READ \
  { WEFT_BUFFER_X_PREV, WEFT_SLOT_X_PREV, false, false }
#define DELTA_WRITE \
  { WEFT_BUFFER_DELTA, WEFT_SLOT_DELTA, false, true }
#define SUBSTEPS_READ \
  { WEFT_BUFFER_SUBSTEPS, WEFT_SLOT_SUBSTEPS, false, false }

/* Passes over particles stream their own arrays; those that reach other elements do not. */
const weft_pass_info weft_pass_infos[WEFT_PASS_KIND_COUNT] = {
    [WEFT_PASS_AERO_FORCE] = {"aero_force",
                              0,
                              0,
                              5,
                              {X_READ,
                               {WEFT_BUFFER_V, WEFT_SLOT_V, false, false},
                               {WEFT_BUFFER_TRIANGLES, WEFT_SLOT_TRIANGLES, true, false},
                               {WEFT_BUFFER_FORCES, WEFT_SLOT_FORCES, true, true},
                               SUBSTEPS_READ}},
    [WEFT_PASS_AERO_GATHER] = {"aero_gather",
                               0,
                               0,
                               5,
                               {X_READ,
                                {WEFT_BUFFER_V, WEFT_SLOT_V, false, true},
                                {WEFT_BUFFER_FORCES, WEFT_SLOT_FORCES, false, false},
                                {WEFT_BUFFER_CORNER_OFFSETS, WEFT_SLOT_CORNER_OFFSETS, false,
                                 false},
                                {WEFT_BUFFER_CORNER_ITEMS, WEFT_SLOT_CORNER_ITEMS, false, false}}},
    [WEFT_PASS_PREDICT] = {"predict",
                           0,
                           0,
                           3,
                           {{WEFT_BUFFER_X, WEFT_SLOT_X, true, true},
                            {WEFT_BUFFER_X_PREV, WEFT_SLOT_X_PREV, true, true},
                            {WEFT_BUFFER_V, WEFT_SLOT_V, true, true}}},
    [WEFT_PASS_MOVE_PINS] = {"move_pins",
                             0,
                             0,
                             5,
                             {X_READ_WRITE,
                              X_PREV_READ,
                              {WEFT_BUFFER_V, WEFT_SLOT_V, false, true},
                              {WEFT_BUFFER_PINS, WEFT_SLOT_PINS, true, false},
                              SUBSTEPS_READ}},
    [WEFT_PASS_PROJECT_DISTANCE] = {"project_distance",
                                    WEFT_VARIANT_JACOBI | WEFT_VARIANT_LAMBDA,
                                    2,
                                    6,
                                    {X_READ_WRITE,
                                     X_PREV_READ,
                                     {WEFT_BUFFER_DISTANCE, WEFT_SLOT_CONSTRAINTS, true, false},
                                     {WEFT_BUFFER_DISTANCE_XPBD, WEFT_SLOT_XPBD, true, false},
                                     {WEFT_BUFFER_DISTANCE_LAMBDA, WEFT_SLOT_LAMBDA, true, true},
                                     DELTA_WRITE}},
    [WEFT_PASS_PROJECT_ISOMETRIC] = {"project_isometric",
                                     WEFT_VARIANT_JACOBI | WEFT_VARIANT_LAMBDA,
                                     4,
                                     6,
                                     {X_READ_WRITE,
                                      X_PREV_READ,
                                      {WEFT_BUFFER_ISOMETRIC, WEFT_SLOT_CONSTRAINTS, true, false},
                                      {WEFT_BUFFER_ISOMETRIC_XPBD, WEFT_SLOT_XPBD, true, false},
                                      {WEFT_BUFFER_ISOMETRIC_LAMBDA, WEFT_SLOT_LAMBDA, true, true},
                                      DELTA_WRITE}},
    [WEFT_PASS_PROJECT_DIHEDRAL] = {"project_dihedral",
                                    WEFT_VARIANT_JACOBI | WEFT_VARIANT_LAMBDA,
                                    4,
                                    5,
                                    {X_READ_WRITE,
                                     X_PREV_READ,
                                     {WEFT_BUFFER_DIHEDRAL, WEFT_SLOT_CONSTRAINTS, true, false},
                                     {WEFT_BUFFER_DIHEDRAL_LAMBDA, WEFT_SLOT_LAMBDA, true, true},
                                     DELTA_WRITE}},
    [WEFT_PASS_JACOBI_APPLY] = {"jacobi_apply",
                                0,
                                0,
                                4,
                                {X_READ_WRITE,
                                 {WEFT_BUFFER_GATHER_OFFSETS, WEFT_SLOT_GATHER_OFFSETS, false,
                                  false},
                                 {WEFT_BUFFER_GATHER_SLOTS, WEFT_SLOT_GATHER_SLOTS, false, false},
                                 {WEFT_BUFFER_DELTA, WEFT_SLOT_DELTA, false, false}}},
    [WEFT_PASS_COLLIDE] = {"collide",
                           0,
                           0,
                           3,
                           {{WEFT_BUFFER_X, WEFT_SLOT_X, true, true},
                            {WEFT_BUFFER_X_PREV, WEFT_SLOT_X_PREV, true, false},
                            {WEFT_BUFFER_COLLIDERS, WEFT_SLOT_COLLIDERS, false, false}}},
    [WEFT_PASS_UPDATE_VELOCITY] = {"update_velocity",
                                   0,
                                   0,
                                   3,
                                   {{WEFT_BUFFER_X, WEFT_SLOT_X, true, false},
                                    {WEFT_BUFFER_X_PREV, WEFT_SLOT_X_PREV, true, false},
                                    {WEFT_BUFFER_V, WEFT_SLOT_V, true, true}}},
};

void weft_pass_describe(const weft_pass *pass, char *text, size_t size) {
  const char *jacobi = pass->variant & WEFT_VARIANT_JACOBI ? " (jacobi)" : "";
  const char *lambda = pass->variant & WEFT_VARIANT_LAMBDA ? " (lambda)" : "";
  snprintf(text, size, "%s%s%s", weft_pass_infos[pass->kind].name, jacobi, lambda);
}

static weft_pass *add(weft_pass_list *list, weft_pass_kind kind, uint32_t first, uint32_t count) {
  weft_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items);
  weft_pass *pass = &list->items[list->count++];
  *pass = (weft_pass){.kind = kind, .first = first, .count = count};
  return pass;
}

weft_pass_kind weft_project_pass(weft_constraint_type type) {
  switch (type) {
    case WEFT_CONSTRAINT_ISOMETRIC:
      return WEFT_PASS_PROJECT_ISOMETRIC;
    case WEFT_CONSTRAINT_DIHEDRAL:
      return WEFT_PASS_PROJECT_DIHEDRAL;
    default:
      return WEFT_PASS_PROJECT_DISTANCE;
  }
}

weft_split weft_group_split(const weft_model *model, uint32_t group, const weft_params *params) {
  const weft_constraint_group *g = &model->groups[group];
  if (params->mode == WEFT_MODE_GS) return (weft_split){g->colour_count, g->count, 0};
  if (params->mode == WEFT_MODE_JACOBI) return (weft_split){0, 0, g->count};
  uint32_t least = params->hybrid_min;
  if (least == 0 && g->colour_count > 0) least = g->colour_sizes[0] / 16;
  uint32_t colours = 0;
  while (colours < g->colour_count && g->colour_sizes[colours] >= least) ++colours;
  uint32_t tail = g->colour_first[colours];
  return (weft_split){colours, tail, g->count - tail};
}

/* XPBD needs its multipliers when there is more than one iteration, its damping when there is any.
 */
static bool group_needs_lambda(const weft_constraint_group *g, const weft_params *params) {
  if (params->iterations > 1) {
    for (uint32_t i = 0; i < g->count; ++i) {
      if (g->compliance[i] > 0) return true;
    }
  }
  for (uint32_t i = 0; i < g->count; ++i) {
    if (g->damping[i] > 0) return true;
  }
  return false;
}

/* Where each group begins in the buffer of its type. */
uint32_t weft_group_base(const weft_model *model, uint32_t group) {
  uint32_t base = 0;
  for (uint32_t k = 0; k < group; ++k) {
    if (model->groups[k].type == model->groups[group].type) base += model->groups[k].count;
  }
  return base;
}

static void add_group(weft_pass_list *list, const weft_model *model, uint32_t group,
                      const weft_params *params, uint32_t reset) {
  const weft_constraint_group *g = &model->groups[group];
  weft_split split = weft_group_split(model, group, params);
  weft_pass_kind kind = weft_project_pass(g->type);
  uint32_t variant = group_needs_lambda(g, params) ? WEFT_VARIANT_LAMBDA : 0;
  uint32_t base = weft_group_base(model, group);
  for (uint32_t c = 0; c < split.gs_colours; ++c) {
    weft_pass *pass = add(list, kind, base + g->colour_first[c], g->colour_sizes[c]);
    pass->variant = variant;
    pass->reset = reset;
    pass->batch = c;
  }
  if (split.tail_count == 0) return;
  weft_pass *tail = add(list, kind, base + split.tail_first, split.tail_count);
  tail->variant = variant | WEFT_VARIANT_JACOBI;
  tail->reset = reset;
  tail->batch = split.gs_colours;
  weft_pass *apply = add(list, WEFT_PASS_JACOBI_APPLY, 0, model->particle_count);
  apply->offset = group * (model->particle_count + 1);
  apply->batch = group;
}

void weft_solver_pass_list(const weft_model *model, const weft_params *params,
                           weft_pass_list *list) {
  list->count = 0;
  uint32_t particles = model->particle_count;
  if (params->air_density > 0) {
    add(list, WEFT_PASS_AERO_FORCE, 0, model->triangle_count);
    add(list, WEFT_PASS_AERO_GATHER, 0, particles);
  }
  add(list, WEFT_PASS_PREDICT, 0, particles);
  if (model->pinned_count > 0) add(list, WEFT_PASS_MOVE_PINS, 0, model->pinned_count);
  for (uint32_t it = 0; it < params->iterations; ++it) {
    for (uint32_t g = 0; g < model->group_count; ++g) add_group(list, model, g, params, it == 0);
  }
  if (params->collider_count > 0) add(list, WEFT_PASS_COLLIDE, 0, particles);
  add(list, WEFT_PASS_UPDATE_VELOCITY, 0, particles);
}
