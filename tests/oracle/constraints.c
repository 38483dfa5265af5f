/* constraints.c: position-based dynamics (Mueller et al. 2007) and its extended form (XPBD,
 * Macklin, Mueller and Chentanez 2016; "Small steps", Macklin et al. 2019).
 *
 * A constraint is a function C of the positions of a few particles that shall be 0. It moves them
 * along its gradients, by inverse mass:
 *
 *   dx_i = w_i grad_i C dlambda
 *   dlambda = (-C - a lambda - g sum_i grad_i C . (x_i - x_i')) / ((1 + g) sum_i w_i |grad_i C|^2 +
 * a)
 *
 * with x' the positions at the beginning of the substep, a = alpha/dt^2 for a compliance alpha and
 * g = a (dt^2 beta)/dt for a damping beta (XPBD, eq. 18 and 26). The multiplier lambda begins each
 * substep at 0 and adds up over the iterations. PBD is alpha = 0 with a stiffness k' in front. */
#include <stdlib.h>

#include "deviations.h"
#include "oracle.h"

/* ---- what is measured ---- */

typedef struct measured {
  double value;
  vec gradient[4];
} measured;

static bool measure_distance(const vec x[2], double rest, measured *m) {
  double separation = distance(x[0], x[1]);
  if (!(separation > MIN_LENGTH_RATIO * rest)) return false;
  m->value = separation - rest;
  m->gradient[0] = unit(sub(x[0], x[1]));
  m->gradient[1] = scale(-1, m->gradient[0]);
  return true;
}

/* One axis of the vector K0 x0 + .. + K3 x3, which is linear: its gradients are constant. */
static void measure_isometric(const vec x[4], const double k[4], vec axis, measured *m) {
  m->value = 0;
  for (int i = 0; i < 4; ++i) {
    m->value += k[i] * dot(x[i], axis);
    m->gradient[i] = scale(k[i], axis);
  }
}

/* The angle between two directions of length 1, 0 to pi, without the loss of digits that acos has
 * near 0 and pi (Kahan). */
static double angle_between(vec a, vec b) {
  return 2 * atan2(length(sub(a, b)), length(add(a, b)));
}

/* The two triangles x0 x2 x3 and x1 x3 x2 share the edge from x2 to x3. To turn a triangle about
 * the edge by an angle its opposite vertex must go height times that along the normal, so that is
 * where the angle grows fastest, by 1/height for each metre (Bridson et al. 2003; Grinspun et al.
 * 2003). A hinge feels neither translation nor rotation, so the vertices of the edge take the
 * opposite of both gradients, each divided as a beam divides a load between its ends. */
bool oracle_hinge(const vec x[4], double rest, double *value, vec gradients[4]) {
  vec edge = sub(x[3], x[2]), normals[2];
  double base = length(edge), foot[2], height[2];
  vec areas[2] = {cross(sub(x[2], x[0]), sub(x[3], x[0])), cross(sub(x[3], x[1]), sub(x[2], x[1]))};
  for (int side = 0; side < 2; ++side) {
    height[side] = length(areas[side]) / base;
    if (!(height[side] > MIN_HEIGHT_RATIO * base)) return false;
    normals[side] = unit(areas[side]);
    foot[side] = dot(sub(x[side], x[2]), edge) / (base * base); /* 0 at x2, 1 at x3 */
    gradients[side] = scale(-1 / height[side], normals[side]);
  }
  double angle = angle_between(normals[0], normals[1]);
  if (dot(cross(normals[0], normals[1]), edge) < 0) angle = -angle;
  *value = remainder(angle - rest, 2 * acos(-1.0));
  gradients[2] = gradients[3] = (vec){0, 0, 0};
  for (int side = 0; side < 2; ++side) {
    gradients[2] = along(gradients[2], foot[side] - 1, gradients[side]);
    gradients[3] = along(gradients[3], -foot[side], gradients[side]);
  }
  return true;
}

/* ---- what is corrected ---- */

/* One constraint while it is projected. */
typedef struct projection {
  const weft_structure_group *group;
  const uint32_t *particles;
  double compliance, damping; /* alpha and beta */
  double relaxation;
  vec *moved; /* where corrections go: the positions, or the sum of a Jacobi batch */
  bool jacobi;
} projection;

/* The force of an inequality keeps its sign: see deviations.h. */
static double clamp_multiplier(oracle *o, weft_sense sense, double before, double after) {
  bool against =
      (sense == WEFT_SENSE_AT_MOST && after > 0) || (sense == WEFT_SENSE_AT_LEAST && after < 0);
  if (!against) return after;
  ++o->counts.clamped;
  o->counts.undone += before != 0;
  return 0;
}

static void count_projection(oracle *o, const projection *c, double held, double damped) {
  o->counts.distances += c->group->kind == WEFT_KIND_DISTANCE;
  o->counts.isometrics += c->group->kind == WEFT_KIND_ISOMETRIC;
  o->counts.twists += c->group->kind == WEFT_KIND_ISOMETRIC && o->s->lines_bend;
  o->counts.hinges += c->group->kind == WEFT_KIND_DIHEDRAL;
  o->counts.jacobi += c->jacobi;
  o->counts.accumulated += held != 0;
  o->counts.damped += damped != 0;
}

static void correct(oracle *o, const projection *c, const measured *m, double *multiplier) {
  const double *w = o->s->inverse_masses;
  double weight = 0, drift = 0;
  for (uint32_t i = 0; i < c->group->arity; ++i) {
    uint32_t p = c->particles[i];
    weight += w[p] * dot(m->gradient[i], m->gradient[i]);
    drift += dot(m->gradient[i], sub(o->x[p], o->before[p]));
  }
  if (weight == 0) return;
  double a = c->compliance / (o->dt * o->dt);
  double g = a * (o->dt * o->dt * c->damping) / o->dt;
  double change = (-m->value - a * *multiplier - g * drift) / ((1 + g) * weight + a);
  double after = *multiplier + c->relaxation * change;
  after = clamp_multiplier(o, c->group->sense, *multiplier, after);
  change = after - *multiplier;
  if (change != 0) count_projection(o, c, a * *multiplier, g * drift);
  *multiplier = after;
  for (uint32_t i = 0; i < c->group->arity; ++i) {
    uint32_t p = c->particles[i];
    c->moved[p] = along(c->moved[p], w[p] * change, m->gradient[i]);
  }
}

static void project(oracle *o, uint32_t group, uint32_t i, projection *c) {
  const weft_structure_group *g = c->group;
  double *multiplier = o->multipliers[group];
  measured m;
  vec x[4];
  for (uint32_t k = 0; k < g->arity; ++k) x[k] = o->x[c->particles[k]];
  switch (g->kind) {
    case WEFT_KIND_DISTANCE:
      if (measure_distance(x, g->rest[i], &m)) correct(o, c, &m, &multiplier[i]);
      break;
    case WEFT_KIND_ISOMETRIC: {
      const vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (size_t k = 0; k < 3; ++k) {
        measure_isometric(x, g->weights + 4 * (size_t)i, axes[k], &m);
        correct(o, c, &m, &multiplier[3 * (size_t)i + k]);
      }
      break;
    }
    case WEFT_KIND_DIHEDRAL:
      if (oracle_hinge(x, g->rest[i], &m.value, m.gradient)) correct(o, c, &m, &multiplier[i]);
      break;
  }
}

/* ---- batches ---- */

/* Of n projections that each close the part k' of an error together close k (Mueller et al. 2007,
 * section 3.3). */
static double part_of(const weft_params *p, const weft_structure_group *g) {
  if (p->method != WEFT_METHOD_PBD) return 1;
  bool bending = g->role == WEFT_RESISTS_BENDING;
  double k = (double)(bending ? p->pbd_bending : p->pbd_stretch);
  return 1 - pow(1 - k, 1.0 / p->iterations);
}

static void sweep_batch(oracle *o, const weft_structure_batch *b) {
  const weft_structure_group *g = &o->s->groups[b->group];
  bool rigid = o->p->method == WEFT_METHOD_PBD;
  projection c = {.group = g, .jacobi = b->jacobi, .moved = b->jacobi ? o->corrections : o->x};
  for (uint32_t k = b->first; k < b->first + b->count; ++k) {
    uint32_t i = o->s->order[k];
    c.particles = g->particles + (size_t)i * g->arity;
    c.compliance = rigid ? 0 : oracle_twist(o, g, i) * g->compliance[i];
    c.damping = rigid ? 0 : g->damping[i];
    c.relaxation = o->relaxation[k] * part_of(o->p, g);
    project(o, b->group, i, &c);
  }
  if (!b->jacobi) return;
  for (uint32_t p = 0; p < o->s->particle_count; ++p) {
    o->x[p] = add(o->x[p], o->corrections[p]);
    o->corrections[p] = (vec){0, 0, 0};
  }
}

void oracle_sweep(oracle *o) {
  for (uint32_t k = 0; k < o->s->batch_count; ++k) sweep_batch(o, &o->s->batches[k]);
}

/* ---- what belongs to them ---- */

/* omega/n in a Jacobi batch: see deviations.h. */
static void relax_batch(oracle *o, const weft_structure_batch *b, uint32_t *shared) {
  const weft_structure_group *g = &o->s->groups[b->group];
  const uint32_t *order = o->s->order + b->first;
  for (uint32_t k = 0; k < b->count * g->arity; ++k) {
    ++shared[g->particles[(size_t)order[k / g->arity] * g->arity + k % g->arity]];
  }
  for (uint32_t k = 0; k < b->count; ++k) {
    uint32_t max = 1;
    for (uint32_t r = 0; r < g->arity; ++r) {
      uint32_t p = g->particles[(size_t)order[k] * g->arity + r];
      if (!oracle_pinned(o, p) && shared[p] > max) max = shared[p];
    }
    o->relaxation[b->first + k] = (double)o->p->relaxation / max;
  }
}

static size_t multiplier_count(const weft_structure_group *g) {
  return (size_t)g->count * (g->kind == WEFT_KIND_ISOMETRIC ? 3 : 1);
}

void oracle_begin_constraints(oracle *o) {
  const weft_structure *s = o->s;
  o->multipliers = oracle_array(s->group_count, sizeof *o->multipliers);
  for (uint32_t g = 0; g < s->group_count; ++g) {
    o->multipliers[g] = oracle_array(multiplier_count(&s->groups[g]), sizeof(double));
  }
  o->corrections = oracle_array(s->particle_count, sizeof *o->corrections);
  o->relaxation = oracle_array(s->order_count, sizeof *o->relaxation);
  for (uint32_t k = 0; k < s->order_count; ++k) o->relaxation[k] = 1;
  for (uint32_t k = 0; k < s->batch_count; ++k) {
    if (!s->batches[k].jacobi) continue;
    uint32_t *shared = oracle_array(s->particle_count, sizeof *shared);
    relax_batch(o, &s->batches[k], shared);
    free(shared);
  }
}

void oracle_end_constraints(oracle *o) {
  for (uint32_t g = 0; g < o->s->group_count; ++g) free(o->multipliers[g]);
  free(o->multipliers);
  free(o->corrections);
  free(o->relaxation);
}

void oracle_forget_multipliers(oracle *o) {
  for (uint32_t g = 0; g < o->s->group_count; ++g) {
    for (size_t k = 0; k < multiplier_count(&o->s->groups[g]); ++k) o->multipliers[g][k] = 0;
  }
}
