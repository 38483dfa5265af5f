/* structure.c: a solver as plain data, for independent solvers. It gathers the data of models,
 * line and level builders in the order of the pass list, and computes nothing. */
#include <string.h>
#include <weft/structure.h>

#include "geodesic.h"
#include "levels.h"
#include "lines.h"
#include "patches.h"
#include "solver.h"

_Static_assert(WEFT_LEVEL_PARENTS == 4 && WEFT_MAX_LRA == 4, "rows of four, as documented");

/* ---- copies ---- */

static double *widened(const float *values, size_t count) {
  if (!values) return NULL;
  double *out = weft_alloc(count, sizeof *out);
  for (size_t i = 0; i < count; ++i) out[i] = (double)values[i];
  return out;
}

static void *copied(const void *items, size_t count, size_t size) {
  void *copy = weft_alloc(count, size);
  if (count) memcpy(copy, items, count * size);
  return copy;
}

static void put3(double out[3], weft_vec3 v) {
  out[0] = (double)v.x;
  out[1] = (double)v.y;
  out[2] = (double)v.z;
}

/* ---- constraints ---- */

static weft_structure_group group_of(const weft_constraint_group *g) {
  static const weft_constraint_role roles[] = {
      [WEFT_ROLE_STRETCH] = WEFT_RESISTS_STRETCH,
      [WEFT_ROLE_SHEAR] = WEFT_RESISTS_SHEAR,
      [WEFT_ROLE_BENDING] = WEFT_RESISTS_BENDING,
  };
  return (weft_structure_group){
      .name = g->name,
      .kind = (weft_constraint_kind)g->type,
      .role = roles[g->role],
      .sense = g->sense,
      .arity = g->arity,
      .count = g->count,
      .particles = copied(g->particles, (size_t)g->count * g->arity, sizeof *g->particles),
      .rest = widened(g->rest, g->count),
      .weights = widened(g->weights, 4 * (size_t)g->count),
      .compliance = widened(g->compliance, g->count),
      .damping = widened(g->damping, g->count),
  };
}

static void fill_groups(const weft_model *model, weft_structure *s) {
  s->group_count = model->group_count;
  s->groups = weft_alloc(model->group_count, sizeof *s->groups);
  for (uint32_t g = 0; g < model->group_count; ++g) s->groups[g] = group_of(&model->groups[g]);
}

/* ---- the order of one iteration ---- */

typedef struct ordering {
  weft_structure *s;
  bool *on_line[WEFT_MAX_GROUPS]; /* [count] of each group; NULL where there are no lines */
  size_t capacity;
} ordering;

/* Constraints items[0..count) of a group, or first, first+1, ... when items is NULL. */
static void add_batch(ordering *o, uint32_t group, const uint32_t *items, uint32_t first,
                      uint32_t count, bool jacobi) {
  weft_structure *s = o->s;
  uint32_t begin = s->order_count;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t i = items ? items[k] : first + k;
    if (!o->on_line[group] || !o->on_line[group][i]) s->order[s->order_count++] = i;
  }
  if (s->order_count == begin) return;
  weft_grow((void **)&s->batches, &o->capacity, s->batch_count + 1, sizeof *s->batches);
  s->batches[s->batch_count++] =
      (weft_structure_batch){group, begin, s->order_count - begin, jacobi};
}

static void add_colours(ordering *o, const weft_solver *solver) {
  const weft_model *model = solver->model;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    weft_split split = weft_group_split(model, g, &solver->params);
    for (uint32_t c = 0; c < split.gs_colours; ++c) {
      add_batch(o, g, NULL, group->colour_first[c], group->colour_sizes[c], false);
    }
    add_batch(o, g, NULL, split.tail_first, split.tail_count, true);
  }
}

static void add_patches(ordering *o, const weft_model *model) {
  weft_patches patches;
  weft_patches_build(model, weft_patches_size(model), &patches);
  for (uint32_t k = 0; k < patches.patch_count; ++k) {
    const weft_patch *p = &patches.patches[k];
    for (uint32_t r = p->range_first; r < p->range_first + p->range_count; ++r) {
      const weft_patch_range *range = &patches.ranges[r];
      add_batch(o, range->group, patches.items + range->first, 0, range->count, false);
    }
  }
  weft_patches_free(&patches);
}

static void mark_lines(ordering *o) {
  const weft_structure *s = o->s;
  uint32_t edges = s->line_count ? s->line_offsets[s->line_count] : 0;
  for (uint32_t e = 0; e < edges; ++e) {
    uint32_t g = s->line_groups[e];
    if (!o->on_line[g]) o->on_line[g] = weft_alloc(s->groups[g].count, sizeof(bool));
    o->on_line[g][s->line_constraints[e]] = true;
  }
}

/* Hinges over edges of lines that solve bending. */
static void mark_hinges(ordering *o, const weft_model *model) {
  for (uint32_t g = 0; g < model->group_count && o->s->lines_bend; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    if (group->role != WEFT_ROLE_BENDING) continue;
    o->on_line[g] = weft_alloc(group->count, sizeof(bool));
    for (uint32_t i = 0; i < group->count; ++i) {
      const uint32_t *edge = &group->particles[4 * (size_t)i];
      o->on_line[g][i] = weft_along_thread(model, edge[0], edge[1]);
    }
  }
}

static void fill_order(const weft_solver *solver, weft_structure *s) {
  ordering o = {.s = s};
  size_t total = 0;
  for (uint32_t g = 0; g < s->group_count; ++g) total += s->groups[g].count;
  s->order = weft_alloc(total, sizeof *s->order);
  mark_lines(&o);
  mark_hinges(&o, solver->model);
  if (weft_patches_active(&solver->params)) {
    add_patches(&o, solver->model);
  } else {
    add_colours(&o, solver);
  }
  for (uint32_t g = 0; g < s->group_count; ++g) weft_free(o.on_line[g]);
}

/* ---- lines, attachments, levels: the structure owns what their builders allocated ---- */

static void fill_lines(const weft_solver *solver, weft_structure *s) {
  if (solver->params.line_sweeps == 0 || solver->model->triangle_count == 0) return;
  weft_lines lines;
  weft_lines_build(solver->model, &lines);
  s->line_count = lines.line_count;
  s->line_colour_count = lines.colour_count;
  s->line_colour_first =
      copied(lines.colour_first, lines.colour_count + 1u, sizeof *lines.colour_first);
  s->line_offsets = lines.offsets;
  s->line_particles = lines.particles;
  s->line_groups = lines.groups;
  s->line_constraints = lines.constraints;
  s->lines_bend = weft_solver_buffer_count(solver, WEFT_BUFFER_LINE_BENDS) > 0;
}

static void fill_attachments(const weft_solver *solver, weft_structure *s) {
  if (!weft_lra_active(solver->model, &solver->params)) return;
  weft_geodesics g;
  weft_geodesics_build(solver->model, &g);
  s->anchors = g.anchors;
  s->attachment_lengths = g.lengths;
  for (size_t k = 0; k < 4 * (size_t)s->particle_count; ++k) {
    if (k % 4 >= solver->params.lra) s->anchors[k] = WEFT_NO_PARTICLE;
    if (s->anchors[k] == WEFT_NO_PARTICLE) s->attachment_lengths[k] = 0;
  }
}

static weft_structure_level level_of(const weft_level *l) {
  return (weft_structure_level){
      .node_first = l->node_first,
      .node_count = l->node_count,
      .edge_first = l->edge_first,
      .edge_count = l->edge_count,
      .colour_count = l->colour_count,
      .colour_first = copied(l->colour_first, l->colour_count + 1u, sizeof *l->colour_first),
  };
}

static void fill_levels(const weft_solver *solver, weft_structure *s) {
  if (solver->params.multilevel == 0) return;
  weft_levels levels;
  weft_levels_build(solver->model, solver->params.multilevel, &levels);
  s->level_count = levels.level_count;
  s->levels = weft_alloc(levels.level_count, sizeof *s->levels);
  for (uint32_t l = 0; l < levels.level_count; ++l) s->levels[l] = level_of(&levels.level[l]);
  s->node_count = levels.node_count;
  s->node_inverse_masses = levels.inverse_masses;
  s->child_offsets = levels.child_offsets;
  s->children = levels.children;
  s->child_shares = levels.shares;
  s->parents = levels.parents;
  s->parent_weights = levels.weights;
  s->level_edges = levels.edges;
  s->level_lengths = levels.lengths;
  s->multilevel_slack = (double)solver->params.multilevel_slack;
  if (!(s->multilevel_slack > 0))
    s->multilevel_slack = weft_levels_own_slack(solver->model, &solver->params);
  weft_free(levels.positions);
}

/* ---- the whole ---- */

static void fill_riders(const weft_model *model, weft_structure *s) {
  const size_t n = s->rider_count = model->rider_count;
  s->riders = weft_alloc(n, sizeof *s->riders);
  s->rider_corners = weft_alloc(3 * n, sizeof *s->rider_corners);
  s->rider_weights = weft_alloc(3 * n, sizeof *s->rider_weights);
  s->rider_offsets = weft_alloc(3 * n, sizeof *s->rider_offsets);
  for (size_t k = 0; k < n; ++k) {
    const weft_model_rider *r = &model->riders[k];
    const double offset[3] = {r->offset.x, r->offset.y, r->offset.z};
    s->riders[k] = r->particle;
    memcpy(s->rider_corners + 3 * k, r->corners, sizeof r->corners);
    memcpy(s->rider_weights + 3 * k, r->weights, sizeof r->weights);
    memcpy(s->rider_offsets + 3 * k, offset, sizeof offset);
  }
}

weft_result weft_solver_structure(const weft_solver *solver, weft_structure *structure,
                                  weft_error *err) {
  WEFT_NEED(structure);
  weft_structure *s = structure;
  *s = (weft_structure){0};
  WEFT_GUARD_FILL(structure, err);
  WEFT_NEED(solver);
  const weft_model *model = solver->model;
  if (model->part_count > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a joined model has a structure for each of its parts: ask a solver of one");
  }
  s->particle_count = model->particle_count;
  s->inverse_masses = widened(model->inverse_masses, model->particle_count);
  if (weft_contact_active(model, &solver->params)) s->contact_radius = (double)model->radius;
  s->triangle_count = model->triangle_count;
  s->triangles =
      copied(model->triangles, 3 * (size_t)model->triangle_count, sizeof *model->triangles);
  fill_riders(model, s);
  fill_groups(model, s);
  fill_lines(solver, s);
  fill_order(solver, s);
  fill_attachments(solver, s);
  fill_levels(solver, s);
  return WEFT_OK;
}

void weft_structure_free(weft_structure *s) {
  if (!s) return;
  for (uint32_t g = 0; g < s->group_count; ++g) {
    weft_free(s->groups[g].particles);
    weft_free(s->groups[g].rest);
    weft_free(s->groups[g].weights);
    weft_free(s->groups[g].compliance);
    weft_free(s->groups[g].damping);
  }
  for (uint32_t l = 0; l < s->level_count; ++l) weft_free(s->levels[l].colour_first);
  void *const arrays[] = {
      s->inverse_masses, s->triangles,     s->groups,           s->batches,
      s->order,          s->anchors,       s->line_offsets,     s->line_colour_first,
      s->line_particles, s->line_groups,   s->line_constraints, s->attachment_lengths,
      s->levels,         s->child_offsets, s->children,         s->node_inverse_masses,
      s->child_shares,   s->parents,       s->parent_weights,   s->level_edges,
      s->level_lengths,  s->riders,        s->rider_corners,    s->rider_weights,
      s->rider_offsets,
  };
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) weft_free(arrays[k]);
  *s = (weft_structure){0};
}

/* ---- a frame ---- */

static void put_point(double out[3], weft_vec3d origin, weft_vec3 p) {
  const weft_vec3d there = weft_v3d_add(origin, weft_v3d_from(p));
  out[0] = there.x;
  out[1] = there.y;
  out[2] = there.z;
}

static void put_pose(const weft_placement *p, int end, weft_vec3d origin, bool axis,
                     weft_collider_motion *out) {
  put_point(out->a[end], origin, p->a);
  put_point(out->b[end], axis ? origin : weft_v3d(0, 0, 0), p->b);
  out->rotation[end][0] = p->rotation.x;
  out->rotation[end][1] = p->rotation.y;
  out->rotation[end][2] = p->rotation.z;
}

static void fill_substep(const weft_solver *solver, uint32_t k, weft_frame_input *in) {
  weft_substep substep = weft_solver_substep(solver, k);
  put3(in->substeps[k].wind, substep.wind);
  in->substeps[k].air_time = (double)substep.air_dt;
  in->substeps[k].fraction = (double)substep.way;
  for (uint32_t c = 0; c < in->collider_count; ++c) {
    weft_collider_motion *motion = &in->colliders[(size_t)k * in->collider_count + c];
    weft_collider_step step = weft_solver_collider_step(solver, c, k);
    const weft_collider *collider = &solver->params.colliders[c];
    const bool axis = weft_shape_infos[collider->shape].axis;
    weft_placement before, now;
    weft_collider_places(collider, &step, &before, &now);
    put_pose(&before, 0, step.origin, axis, motion);
    put_pose(&now, 1, step.origin, axis, motion);
  }
}

static void fill_pins(const weft_solver *solver, weft_frame_input *in) {
  if (!solver->pins_moving) return;
  in->pin_count = solver->pinned_count;
  in->pins = copied(solver->pin_particles, in->pin_count, sizeof *in->pins);
  in->pin_from = weft_alloc(3 * (size_t)in->pin_count, sizeof *in->pin_from);
  in->pin_to = weft_alloc(3 * (size_t)in->pin_count, sizeof *in->pin_to);
  for (size_t k = 0; k < in->pin_count; ++k) {
    put_point(in->pin_from + 3 * k, solver->origin,
              weft_origin_enter(solver->origin, solver->pin_from[k]));
    put_point(in->pin_to + 3 * k, solver->origin,
              weft_origin_enter(solver->origin, solver->pin_to[k]));
  }
}

static void fill_soft(const weft_solver *solver, weft_frame_input *in) {
  const uint32_t count = in->soft_count = solver->soft.count;
  if (count == 0) return;
  in->soft = weft_alloc(count, sizeof *in->soft);
  in->soft_from = weft_alloc(3 * (size_t)count, sizeof *in->soft_from);
  in->soft_to = weft_alloc(3 * (size_t)count, sizeof *in->soft_to);
  in->soft_stiffness = weft_alloc(count, sizeof *in->soft_stiffness);
  in->soft_damping = weft_alloc(count, sizeof *in->soft_damping);
  for (uint32_t k = 0; k < count; ++k) {
    const weft_soft *soft = &solver->soft.items[k];
    const weft_soft_spring spring = weft_soft_spring_of(solver, soft);
    in->soft[k] = soft->particle;
    put_point(in->soft_from + 3 * (size_t)k, solver->origin,
              weft_origin_enter(solver->origin, soft->from));
    put_point(in->soft_to + 3 * (size_t)k, solver->origin,
              weft_origin_enter(solver->origin, soft->to));
    in->soft_stiffness[k] = spring.stiffness;
    in->soft_damping[k] = spring.damping;
  }
}

static void fill_grab(weft_solver *solver, weft_frame_input *in) {
  const weft_grab_state *grab = &solver->grab;
  if (grab->count == 0) return;
  in->grab_count = grab->count;
  in->grabbed = copied(grab->particles, grab->count, sizeof *in->grabbed);
  in->grab_from = weft_alloc(3 * (size_t)grab->count, sizeof *in->grab_from);
  in->grab_to = weft_alloc(3 * (size_t)grab->count, sizeof *in->grab_to);
  for (uint32_t k = 0; k < grab->count; ++k) {
    weft_grab element = weft_grab_element(solver, k);
    put_point(in->grab_from + 3 * (size_t)k, solver->origin,
              weft_v3(element.from.x, element.from.y, element.from.z));
    put_point(in->grab_to + 3 * (size_t)k, solver->origin,
              weft_v3(element.to.x, element.to.y, element.to.z));
  }
  weft_grab_force f = weft_grab_force_of(solver);
  in->grab_stiffness = f.stiffness;
  in->grab_damping = f.damping;
  in->grab_limit = f.limit;
}

void weft_solver_frame_input(weft_solver *solver, weft_frame_input *in) {
  if (!in) return;
  *in = (weft_frame_input){0};
  WEFT_GUARD_FILL_ONLY(in);
  if (!solver) return;
  const weft_backend *entered = NULL;
  if (weft_enter(solver->backend, &entered, NULL) != WEFT_OK) return;
  weft_origin_follow(solver); /* rounded as in the frame */
  weft_solver_settle_given(solver);
  weft_leave(&entered);
  uint32_t substeps = solver->params.substeps, colliders = solver->params.collider_count;
  *in = (weft_frame_input){.substep_count = substeps, .collider_count = colliders};
  in->substeps = weft_alloc(substeps, sizeof *in->substeps);
  in->colliders = weft_alloc((size_t)substeps * colliders, sizeof *in->colliders);
  for (uint32_t k = 0; k < substeps; ++k) fill_substep(solver, k, in);
  fill_pins(solver, in);
  fill_soft(solver, in);
  fill_grab(solver, in);
}

void weft_frame_input_free(weft_frame_input *in) {
  if (!in) return;
  weft_free(in->substeps);
  weft_free(in->colliders);
  weft_free(in->pins);
  weft_free(in->pin_from);
  weft_free(in->pin_to);
  weft_free(in->soft);
  weft_free(in->soft_from);
  weft_free(in->soft_to);
  weft_free(in->soft_stiffness);
  weft_free(in->soft_damping);
  weft_free(in->grabbed);
  weft_free(in->grab_from);
  weft_free(in->grab_to);
  *in = (weft_frame_input){0};
}
