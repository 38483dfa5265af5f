/* substep.c: the loop of a substep (Mueller et al. 2007, section 3.1; Macklin et al. 2019): outer
 * forces change velocities, velocities predict positions, constraints and contacts correct them,
 * and what came of it is the new velocity. */
#include <stdlib.h>

#include "deviations.h"
#include "oracle.h"

void *oracle_array(size_t count, size_t size) {
  void *array = calloc(count ? count : 1, size);
  if (!array) abort();
  return array;
}

oracle *oracle_create(const weft_structure *s, const weft_params *p) {
  oracle *o = oracle_array(1, sizeof *o);
  size_t n = s->particle_count, edges = s->line_count ? s->line_offsets[s->line_count] : 0;
  *o = (oracle){.s = s, .p = p, .dt = (double)p->frame_dt / p->substeps};
  o->x = oracle_array(n, sizeof *o->x);
  o->v = oracle_array(n, sizeof *o->v);
  o->before = oracle_array(n, sizeof *o->before);
  oracle_begin_constraints(o);
  o->line_multipliers = oracle_array(edges, sizeof *o->line_multipliers);
  oracle_begin_bends(o);
  o->means = oracle_array(s->node_count, sizeof *o->means);
  o->means_before = oracle_array(s->node_count, sizeof *o->means_before);
  if (!(s->contact_radius > 0)) return o;
  o->near = oracle_array(n * MAX_NEIGHBOURS, sizeof *o->near);
  o->memory = oracle_array(n * MAX_NEIGHBOURS, sizeof *o->memory);
  o->near_count = oracle_array(n, sizeof *o->near_count);
  o->memory_count = oracle_array(n, sizeof *o->memory_count);
  o->loads = oracle_array(n, sizeof *o->loads);
  return o;
}

void oracle_destroy(oracle *o) {
  oracle_end_constraints(o);
  void *const arrays[] = {
      o->x,      o->v,          o->before,       o->line_multipliers, o->means, o->near,
      o->memory, o->near_count, o->memory_count, o->means_before,     o->loads, o->bend_stiffness};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) free(arrays[k]);
  free(o);
}

/* ---- from velocities to positions ---- */

static void predict(oracle *o) {
  const vec g = {(double)o->p->gravity.x, (double)o->p->gravity.y, (double)o->p->gravity.z};
  double kept = exp(-(double)o->p->damping * o->dt);
  for (uint32_t i = 0; i < o->s->particle_count; ++i) {
    o->before[i] = o->x[i];
    o->v[i] = oracle_pinned(o, i) ? (vec){0, 0, 0} : scale(kept, along(o->v[i], o->dt, g));
    o->x[i] = along(o->x[i], o->dt, o->v[i]);
  }
}

static void move_pins(oracle *o, const weft_frame_input *frame, double fraction) {
  for (size_t k = 0; k < frame->pin_count; ++k) {
    vec from = from3(frame->pin_from + 3 * k), to = from3(frame->pin_to + 3 * k);
    o->x[frame->pins[k]] = mix(from, to, fraction);
    o->counts.pins_moved += distance(from, to) > 0;
  }
}

/* The spring k (target - x) - c v, at the end of the substep (implicit Euler) of the mass that is
 * held, if nothing else acted on it; not above the limit. */
static void grab(oracle *o, const weft_frame_input *frame, double fraction) {
  double mass = 0, dt = o->dt, k = frame->grab_stiffness, c = frame->grab_damping;
  for (uint32_t g = 0; g < frame->grab_count; ++g) {
    mass += 1 / o->s->inverse_masses[frame->grabbed[g]];
  }
  double softer = mass + dt * (c + dt * k);
  double stiffness = as_float(dt * k / softer), damping = as_float(dt * c / softer);
  double max = as_float(frame->grab_limit * (1 - GRAB_MARGIN) * dt / mass);
  for (size_t g = 0; g < frame->grab_count; ++g) {
    uint32_t i = frame->grabbed[g];
    vec target = mix(from3(frame->grab_from + 3 * g), from3(frame->grab_to + 3 * g), fraction);
    vec change = sub(scale(stiffness, sub(target, o->x[i])), scale(damping, o->v[i]));
    ++o->counts.grabbed;
    if (length(change) > max) {
      change = scale(max, unit(change));
      ++o->counts.grab_capped;
    }
    o->v[i] = add(o->v[i], change);
    o->x[i] = along(o->before[i], dt, o->v[i]);
  }
}

static vec as_floats(vec v) { return (vec){as_float(v.x), as_float(v.y), as_float(v.z)}; }

/* Springs k (place - x) - c (v - v of the place), at the end of the substep of the particle alone,
 * from where all other constraints have left it. */
static void hold_softly(oracle *o, const weft_frame_input *frame, double fraction) {
  for (size_t k = 0; k < frame->soft_count; ++k) {
    const uint32_t i = frame->soft[k];
    const vec from = from3(frame->soft_from + 3 * k), to = from3(frame->soft_to + 3 * k);
    const vec place = mix(from, to, fraction);
    const vec goes = as_floats(scale(1.0 / frame->substep_count, sub(to, from)));
    const double m = 1 / o->s->inverse_masses[i], dt = o->dt;
    const double pull = dt * dt * frame->soft_stiffness[k], brake = dt * frame->soft_damping[k];
    const vec relative = sub(sub(o->x[i], o->before[i]), goes);
    const vec change = sub(scale(as_float(pull / (m + pull + brake)), sub(place, o->x[i])),
                           scale(as_float(brake / (m + pull + brake)), relative));
    o->x[i] = add(o->x[i], change);
    ++o->counts.held_softly;
  }
}

/* ---- and back ---- */

static void update_velocities(oracle *o) {
  for (uint32_t i = 0; i < o->s->particle_count; ++i) {
    o->v[i] = scale(1 / o->dt, sub(o->x[i], o->before[i]));
  }
}

/* Attached particles stand where the frames of their triangles have them. */
static void ride(oracle *o) {
  for (size_t k = 0; k < o->s->rider_count; ++k) {
    const uint32_t *c = o->s->rider_corners + 3 * k, i = o->s->riders[k];
    const double *w = o->s->rider_weights + 3 * k;
    const vec offset = from3(o->s->rider_offsets + 3 * k);
    const vec first = sub(o->x[c[1]], o->x[c[0]]), second = sub(o->x[c[2]], o->x[c[0]]);
    const vec up = unit(cross(first, second)), forward = unit(first), side = cross(up, forward);
    o->x[i] = o->v[i] = (vec){0, 0, 0};
    for (int r = 0; r < 3; ++r) {
      o->x[i] = along(o->x[i], w[r], o->x[c[r]]);
      o->v[i] = along(o->v[i], w[r], o->v[c[r]]);
    }
    o->x[i] = along(along(along(o->x[i], offset.x, forward), offset.y, side), offset.z, up);
    ++o->counts.ridden;
  }
}

void oracle_substep(oracle *o, const weft_frame_input *frame, uint32_t substep) {
  const weft_substep_input *in = &frame->substeps[substep];
  const weft_collider_motion *motions = frame->colliders + (size_t)substep * frame->collider_count;
  bool contact = o->s->contact_radius > 0;
  oracle_blow(o, from3(in->wind), in->air_time);
  oracle_damp(o);
  predict(o);
  move_pins(o, frame, in->fraction);
  grab(o, frame, in->fraction);
  oracle_levels(o);
  oracle_forget_multipliers(o);
  for (uint32_t iteration = 1; iteration <= o->p->iterations; ++iteration) {
    oracle_sweep(o);
    if (iteration < o->p->iterations) {
      if (o->p->collide_each_iteration) oracle_collide(o, motions);
      continue;
    }
    oracle_lines(o, motions);
    oracle_attach(o);
    hold_softly(o, frame, in->fraction);
    if (contact) oracle_find_neighbours(o);
    for (uint32_t k = 0; contact && k < o->p->contact_iterations; ++k) oracle_part_particles(o);
    oracle_collide(o, motions);
  }
  if (contact) oracle_remember_slides(o);
  update_velocities(o);
  ride(o);
}
