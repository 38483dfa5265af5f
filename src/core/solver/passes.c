/* passes.c: the list of passes that makes a substep.
 *
 * The list is data: the reference walks it, the GPU dispatches it, validate steps through it. */
#include "solver.h"

weft_split weft_group_split(const weft_model *model, uint32_t group, const weft_params *params) {
  const weft_constraint_group *g = &model->groups[group];
  if (params->mode == WEFT_MODE_GS) return (weft_split){g->colour_count, g->count, 0};
  if (params->mode == WEFT_MODE_JACOBI) return (weft_split){0, 0, g->count};
  uint32_t min = params->hybrid_min;
  if (min == 0 && g->colour_count > 0) min = g->colour_sizes[0] / 16;
  uint32_t colours = 0;
  while (colours < g->colour_count && g->colour_sizes[colours] >= min) ++colours;
  uint32_t tail = g->colour_first[colours];
  return (weft_split){colours, tail, g->count - tail};
}

/* XPBD needs multipliers if there is more than one iteration, or damping. An inequality needs
 * them to know how far an iteration may take back earlier ones: clamped separately, each
 * iteration would leave what they overshot. */
bool weft_group_needs_lambda(const weft_constraint_group *g, const weft_params *params) {
  if (params->keep_multipliers) return true;
  if (params->iterations > 1 && g->sense != WEFT_SENSE_EQUAL) return true;
  if (params->method == WEFT_METHOD_PBD) return false;
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

bool weft_group_has_terms(const weft_constraint_group *g, const weft_params *params) {
  return weft_patches_active(params) || weft_group_needs_lambda(g, params);
}

/* The first element of each group in the buffer of its type. */
uint32_t weft_group_base(const weft_model *model, uint32_t group) {
  uint32_t base = 0;
  for (uint32_t k = 0; k < group; ++k) {
    if (model->groups[k].type == model->groups[group].type) base += model->groups[k].count;
  }
  return base;
}

/* Parameters of add_group for a group, the same in every iteration. */
typedef struct group_plan {
  weft_split split;
  uint32_t variant, base;
} group_plan;

/* left: how many constraints of each batch lines do not solve; NULL: all are swept. */
static void add_group(weft_pass_list *list, const weft_model *model, uint32_t group,
                      const group_plan *plan, bool first_iteration, const uint32_t *left) {
  const weft_constraint_group *g = &model->groups[group];
  weft_split split = plan->split;
  weft_pass_kind kind = weft_project_pass(g->type);
  uint32_t variant = plan->variant, base = plan->base;
  for (uint32_t c = 0; c < split.gs_colours; ++c) {
    if (left && left[c] == 0) continue;
    weft_pass *pass = weft_pass_add(list, kind, base + g->colour_first[c], g->colour_sizes[c]);
    pass->variant = variant;
    pass->first_iteration = first_iteration;
    pass->acts = (uint32_t)g->sense;
    pass->group = group;
    pass->batch = c;
  }
  bool tail_left = !left && split.tail_count > 0;
  for (uint32_t c = split.gs_colours; left && c < g->colour_count; ++c) {
    tail_left = tail_left || left[c] > 0;
  }
  if (!tail_left) return;
  weft_pass *tail = weft_pass_add(list, kind, base + split.tail_first, split.tail_count);
  tail->variant = variant | WEFT_VARIANT_JACOBI;
  tail->first_iteration = first_iteration;
  tail->acts = (uint32_t)g->sense;
  tail->group = group;
  tail->batch = split.gs_colours;
  weft_pass *apply = weft_pass_add(list, WEFT_PASS_JACOBI_APPLY, 0, model->particle_count);
  apply->gather_first = group * (model->particle_count + 1);
  apply->group = group;
}

/* Multipliers for all groups or for none; they change nothing in a group that needs none. */
static void add_patches(weft_pass_list *list, const weft_contents *contents, bool lambda,
                        bool first_iteration) {
  const weft_buffer_contents *table = &contents->buffers[WEFT_BUFFER_PATCH_DISPATCHES];
  const uint32_t *first = table->data;
  for (uint32_t d = 0; d + 1 < table->count; ++d) {
    weft_pass *pass = weft_pass_add(list, WEFT_PASS_PATCH, first[d], first[d + 1] - first[d]);
    pass->variant = lambda ? WEFT_VARIANT_LAMBDA : 0;
    pass->quad_first = (uint32_t)contents->buffers[WEFT_BUFFER_PATCH_PAIRS].count;
    pass->first_iteration = first_iteration;
    pass->batch = d;
  }
}

uint32_t weft_tree_elements(uint32_t items) {
  uint32_t elements = 0;
  do {
    items = (items - 1) / WEFT_FAN + 1;
    elements += items;
  } while (items > 1);
  return elements;
}

/* A tree over the particles: its leaves are the elements from `base` on, followed by each level
 * above. */
static void add_tree(weft_pass_list *list, weft_pass_kind leaves, weft_pass_kind level,
                     uint32_t particles, uint32_t base) {
  uint32_t elements = (particles - 1) / WEFT_FAN + 1;
  weft_pass_add(list, leaves, base, elements)->level_first = base;
  while (elements > 1) {
    uint32_t above = base + elements, count = (elements - 1) / WEFT_FAN + 1;
    weft_pass *next = weft_pass_add(list, level, above, count);
    next->below_first = base;
    next->level_first = above;
    base = above;
    elements = count;
  }
}

void weft_bound_passes(uint32_t particles, weft_pass_list *list) {
  list->count = 0;
  add_tree(list, WEFT_PASS_BOUND, WEFT_PASS_BOUND_JOIN, particles, 0);
}

void weft_pick_passes(uint32_t particles, weft_pass_list *list) {
  list->count = 0;
  add_tree(list, WEFT_PASS_PICK_NEAR, WEFT_PASS_PICK_BEST, particles, 0);
}

static void add_global_damping(weft_pass_list *list, uint32_t particles) {
  uint32_t elements = weft_tree_elements(particles);
  add_tree(list, WEFT_PASS_DAMP_LINEAR, WEFT_PASS_DAMP_SUM, particles, 0);
  add_tree(list, WEFT_PASS_DAMP_ANGULAR, WEFT_PASS_DAMP_SUM, particles, elements);
  weft_pass_add(list, WEFT_PASS_DAMP_RIGID, 2 * elements, 1)->tree_elements = elements;
  weft_pass_add(list, WEFT_PASS_DAMP_VELOCITY, 0, particles)->tree_elements = elements;
}

/* ---- contact between particles ---- */

bool weft_contact_active(const weft_model *model, const weft_params *params) {
  return params->particle_contact && model->radius > 0 && model->particle_count > 1;
}

weft_grid_plan weft_grid_plan_for(uint32_t particles) {
  weft_grid_plan plan = {.buckets = WEFT_GRID_BLOCK};
  while (plan.buckets < 2 * (uint64_t)particles) plan.buckets *= 2;
  uint64_t entries = plan.buckets;
  for (;;) {
    plan.first[plan.levels] = plan.entries;
    plan.blocks[plan.levels] = (entries + WEFT_GRID_BLOCK - 1) / WEFT_GRID_BLOCK;
    plan.entries += plan.blocks[plan.levels] * WEFT_GRID_BLOCK;
    entries = plan.blocks[plan.levels++];
    if (entries == 1) return plan;
  }
}

/* Prefix sum: sums of blocks, level by level up; then down again each entry becomes the sum of
 * all before it. */
static void add_scan(weft_pass_list *list, const weft_grid_plan *plan) {
  for (uint32_t level = 0; level + 1 < plan->levels; ++level) {
    weft_pass *sum = weft_pass_add(list, WEFT_PASS_GRID_SUM, 0, (uint32_t)plan->blocks[level]);
    sum->level_first = (uint32_t)plan->first[level];
    sum->above_first = (uint32_t)plan->first[level + 1];
    sum->batch = level;
  }
  for (uint32_t level = plan->levels; level-- > 0;) {
    bool top = level + 1 == plan->levels;
    weft_pass *scan = weft_pass_add(list, WEFT_PASS_GRID_SCAN, 0, (uint32_t)plan->blocks[level]);
    scan->level_first = (uint32_t)plan->first[level];
    scan->above_first = top ? WEFT_GRID_TOP : (uint32_t)plan->first[level + 1];
    scan->batch = level;
  }
}

static void add_contact(weft_pass_list *list, const weft_model *model, const weft_params *params) {
  if (!weft_contact_active(model, params)) return;
  uint32_t n = model->particle_count;
  weft_grid_plan plan = weft_grid_plan_for(n);
  weft_pass_add(list, WEFT_PASS_GRID_CLEAR, 0, (uint32_t)plan.buckets);
  weft_pass_add(list, WEFT_PASS_GRID_COUNT, 0, n);
  add_scan(list, &plan);
  weft_pass_add(list, WEFT_PASS_GRID_FILL, 0, n);
  weft_pass_add(list, WEFT_PASS_GRID_SORT, 0, n);
  weft_pass_add(list, WEFT_PASS_CONTACT_FIND, 0, n);
  for (uint32_t it = 0; it < params->contact_iterations; ++it) {
    weft_pass_add(list, WEFT_PASS_CONTACT_COUNT, 0, n)->batch = it;
    weft_pass_add(list, WEFT_PASS_CONTACT_PROJECT, 0, n)->batch = it;
    weft_pass_add(list, WEFT_PASS_CONTACT_APPLY, 0, n)->batch = it;
  }
}

/* ---- coarser levels ---- */

/* A level with more nodes than this deserves a dispatch of its own, with a thread for each node
 * of the level below; all coarser ones run inside one work group. */
enum { WEFT_LEVEL_SMALL_NODES = 4096 };

static weft_pass_kind step_pass(uint32_t kind) {
  switch (kind) {
    case WEFT_LEVEL_RESTRICT:
      return WEFT_PASS_LEVEL_RESTRICT;
    case WEFT_LEVEL_PROJECT:
      return WEFT_PASS_LEVEL_PROJECT;
    default:
      return WEFT_PASS_LEVEL_PROLONG;
  }
}

/* The steps of all levels in order; those of small levels, which are consecutive, as one pass. */
static void add_levels(weft_pass_list *list, const weft_contents *contents) {
  if (!contents) return;
  const weft_buffer_contents *table = &contents->buffers[WEFT_BUFFER_LEVEL_STEPS];
  if (table->count == 0) return;
  const weft_level_step *steps = table->data;
  uint32_t count = (uint32_t)table->count, nodes = steps[0].count;
  uint32_t particles = (uint32_t)contents->buffers[WEFT_BUFFER_LEVEL_PARENTS].count;
  weft_pass_add(list, WEFT_PASS_LEVEL_GATHER, 0, nodes)->batch = 1;
  uint32_t small = UINT32_MAX; /* the finest small level */
  for (uint32_t k = count; k-- > 0;) {
    bool restricts = steps[k].kind == WEFT_LEVEL_RESTRICT;
    if (restricts && steps[k].count <= WEFT_LEVEL_SMALL_NODES) small = steps[k].level;
  }
  for (uint32_t k = 1; k < count;) {
    uint32_t end = k;
    while (end < count && steps[end].level >= small) ++end;
    if (end > k) {
      weft_pass *pass = weft_pass_add(list, WEFT_PASS_LEVEL_SMALL, k, 1);
      pass->steps = end - k;
      pass->batch = small;
      k = end;
      continue;
    }
    weft_pass_add(list, step_pass(steps[k].kind), steps[k].first, steps[k].count)->batch =
        steps[k].level;
    ++k;
  }
  weft_pass_add(list, WEFT_PASS_LEVEL_SPREAD, 0, particles);
}

/* ---- lines ---- */

/* Batches of a group in WEFT_BUFFER_LINE_LEFT; NULL without lines. */
static const uint32_t *left_of_group(const weft_model *model, uint32_t group,
                                     const weft_contents *contents) {
  if (!contents || contents->buffers[WEFT_BUFFER_LINE_LEFT].count == 0) return NULL;
  const uint32_t *left = contents->buffers[WEFT_BUFFER_LINE_LEFT].data;
  for (uint32_t g = 0; g < group; ++g) left += model->groups[g].colour_count;
  return left;
}

/* Bundles colour by colour. Between two sweeps shapes are projected: what they moved across a
 * line afterwards would stay as strain. */
static void add_lines(weft_pass_list *list, const weft_params *params,
                      const weft_contents *contents, uint32_t particles) {
  if (!contents) return;
  const weft_buffer_contents *table = &contents->buffers[WEFT_BUFFER_LINE_COLOURS];
  const weft_line_colour *colours = table->data;
  const bool bends = contents->buffers[WEFT_BUFFER_LINE_BENDS].count > 0;
  for (uint32_t sweep = 0; sweep < params->line_sweeps; ++sweep) {
    if (sweep > 0 && table->count > 0 && params->collider_count > 0) {
      weft_pass_add(list, WEFT_PASS_COLLIDE, 0, particles);
    }
    for (uint32_t c = 0; c < table->count; ++c) {
      if (sweep == 0 && bends) {
        weft_pass *pass =
            weft_pass_add(list, WEFT_PASS_PROJECT_BENDS, colours[c].first, colours[c].count);
        pass->steps = colours[c].steps;
        pass->batch = c;
      }
      weft_pass *pass =
          weft_pass_add(list, WEFT_PASS_PROJECT_LINES, colours[c].first, colours[c].count);
      pass->first_iteration = sweep == 0;
      pass->steps = colours[c].steps;
      pass->batch = c;
    }
  }
}

static void use_pairs(weft_pass_list *list) {
  for (size_t k = 0; k < list->count; ++k) {
    list->items[k].variant |= weft_pass_infos[list->items[k].kind].variants & WEFT_VARIANT_PAIRS;
  }
}

/* After the particles of the cloth, a pass for each body. */
static void add_bodies(weft_pass_list *list, const weft_model *model, const weft_params *params) {
  uint32_t first = model->particle_count;
  for (uint32_t b = 0; b < params->body_count; ++b) {
    uint32_t count = params->bodies[b].mesh->vertex_count;
    weft_pass_add(list, WEFT_PASS_MOVE_BODIES, first, count)->batch = b;
    first += count;
  }
}

/* After those, one pass for all shape bodies. */
static void add_shapes(weft_pass_list *list, const weft_contents *contents) {
  if (!contents || contents->buffers[WEFT_BUFFER_SHAPE_PATHS].count == 0) return;
  const uint64_t count = contents->buffers[WEFT_BUFFER_SHAPE_PATHS].count;
  const uint64_t all = contents->buffers[WEFT_BUFFER_X].count;
  weft_pass_add(list, WEFT_PASS_MOVE_SHAPES, (uint32_t)(all - count), (uint32_t)count);
}

void weft_solver_pass_list(const weft_model *model, const weft_params *params,
                           const weft_contents *contents, weft_pass_list *list) {
  list->count = 0;
  uint32_t particles = model->particle_count;
  if (params->air_density > 0 && model->triangle_count > 0) {
    weft_air_time(weft_pass_add(list, WEFT_PASS_AERO_FORCE, 0, model->triangle_count), params);
    weft_air_time(weft_pass_add(list, WEFT_PASS_AERO_GATHER, 0, particles), params);
  }
  /* Gravity comes with the prediction: it is the same for all particles, so this damping does
   * not change it. */
  if (params->global_damping > 0 && weft_free_count(model) > 0) {
    add_global_damping(list, particles);
  }
  weft_pass_add(list, WEFT_PASS_PREDICT, 0, particles);
  if (model->pinned_count > 0) weft_pass_add(list, WEFT_PASS_MOVE_PINS, 0, model->pinned_count);
  add_bodies(list, model, params);
  add_shapes(list, contents);
  if (params->grab && weft_free_count(model) > 0) {
    weft_pass_add(list, WEFT_PASS_GRAB, 0, WEFT_GRAB_ELEMENTS);
  }
  bool self = contents && weft_self_active(model, params);
  if (self) weft_add_self_update_normals(list, params, contents);
  add_levels(list, contents);
  group_plan plans[WEFT_MAX_GROUPS];
  bool any_lambda = false, patches = contents && weft_patches_active(params);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    bool lambda = weft_group_needs_lambda(&model->groups[g], params);
    any_lambda = any_lambda || lambda;
    plans[g] = (group_plan){weft_group_split(model, g, params), lambda ? WEFT_VARIANT_LAMBDA : 0,
                            weft_group_base(model, g)};
  }
  for (uint32_t it = 0; it < params->iterations; ++it) {
    if (patches) add_patches(list, contents, any_lambda, it == 0);
    for (uint32_t g = 0; g < model->group_count && !patches; ++g) {
      add_group(list, model, g, &plans[g], it == 0, left_of_group(model, g, contents));
    }
    bool last = it + 1 == params->iterations;
    if (last) add_lines(list, params, contents, particles);
    if (last && weft_lra_active(model, params)) weft_pass_add(list, WEFT_PASS_LRA, 0, particles);
    if (last && params->soft_pins > 0) {
      weft_pass_add(list, WEFT_PASS_SOFT_PINS, 0, params->soft_pins);
    }
    if (last) add_contact(list, model, params);
    if (last && self) weft_add_self_repel(list, params, contents);
    if (params->collider_count > 0 && (last || params->collide_each_iteration)) {
      weft_pass_add(list, WEFT_PASS_COLLIDE, 0, particles);
    }
  }
  if (weft_contact_active(model, params)) weft_pass_add(list, WEFT_PASS_CONTACT_KEEP, 0, particles);
  if (self) weft_add_self_cache_store(list, params, contents);
  weft_pass_add(list, WEFT_PASS_UPDATE_VELOCITY, 0, particles);
  if (self) weft_add_self_truncate(list, params, contents);
  if (model->rider_count > 0) weft_pass_add(list, WEFT_PASS_RIDE, 0, model->rider_count);
  if (params->compensated) use_pairs(list);
}
