/* lanes_collide.h: particles against rigid shapes. A part of lanes_kernels.h.
 *
 * Sixteen particles side by side in memory are a particle_block: the box around it says at once of
 * as many shapes as there are lanes which of them nobody in it can touch. The others are taken in
 * their order, as shaders/passes/collide.h does. */
#include <math.h>

enum { PARTICLE_BLOCK = 16 };

LANE shape_axis axis_of(const weft_shape_axis *axis) {
  return (shape_axis){{all(axis->axis.x), all(axis->axis.y), all(axis->axis.z)},
                      all(axis->axis2),
                      all(axis->inverse)};
}

/* Out of line: hardly ever called, and long. */
static __attribute__((noinline)) void look_out(const weft_shapes *shapes, uint32_t k,
                                               const v3 *before, const pair3 *p,
                                               query_frame *detection) {
  *detection = shape_query_frame(shapes->poses[k], axis_of(&shapes->axes[k]),
                                 axis_of(&shapes->axes_then[k]), *before, *p);
}

/* Whether it has moved anybody. may_sweep: somebody could be fast enough to be swept. w: inverse
 * masses. */
LANE bool meet(const weft_shapes *shapes, uint32_t k, bool may_sweep, bool pairs, vf w, pair3 *p,
               const pair3 *before) {
  query_frame detection = {*p, NEVER};
  if (may_sweep && shapes->swept[k]) look_out(shapes, k, &before->high, p, &detection);
  collision to =
      collided(shapes->poses[k], axis_of(&shapes->axes[k]), detection, pairs, *before, *p);
  vi touched = to.touched & ~(w == all(0));
  if (!any(touched)) return false;
  p->high = choose3(touched, to.x.high, p->high);
  if (pairs) p->low = choose3(touched, to.x.low, p->low);
  return true;
}

/* ---- a particle_block ---- */

typedef int32_t quad_bits __attribute__((vector_size(16)));

typedef struct particle_block {
  float centre[3], half[3]; /* m: of a box about all of them */
  float step;               /* m: nobody has come further, the sum of the components */
  float size;               /* m: how large coordinates are, likewise */
  bool tiny;                /* somebody has a coordinate that may have to be 0 */
} particle_block;

LANE vf larger(vf a, vf b) { return choose(a > b, a, b); }

/* The same of quads, from all quads of a vector. */
LANE quad min_quad(vf v) {
  quad part[SIDE_BY_SIDE], min;
  memcpy(part, &v, sizeof v);
  min = part[0];
  for (int k = 1; k < SIDE_BY_SIDE; ++k) {
    quad_bits less = part[k] < min;
    min = (quad)(((quad_bits)part[k] & less) | ((quad_bits)min & ~less));
  }
  return min;
}

/* A particle that is not a number is in no box: it touches nothing either. x_low: of pairs, whose
 * box has room for low parts; NULL where positions are single floats. */
LANE particle_block particle_block_of(const vec4 *x, const vec4 *x_prev, const vec4 *x_low,
                                      bool solid) {
  vf low = all(INFINITY), high = -low, min = all(1), step = all(0), room = all(0);
  for (int k = 0; k < PARTICLE_BLOCK; k += SIDE_BY_SIDE) {
    vf p = load(x + k);
    low = less_of(p, low);
    high = larger(p, high);
    min = less_of(absolute(p), min);
    if (solid) step = larger(absolute(p - load(x_prev + k)), step);
    if (x_low) room = larger(absolute(load(x_low + k)), room);
  }
  quad down = min_quad(low), up = -min_quad(-high), fastest = -min_quad(-step);
  quad widest = -min_quad(-room);
  particle_block h;
  quad centre = 0.5f * down + 0.5f * up;
  for (int k = 0; k < 3; ++k) {
    float above = up[k] - centre[k], below = centre[k] - down[k];
    h.centre[k] = centre[k];
    h.half[k] = above > below ? above : below;
    if (x_low) h.half[k] += widest[k];
  }
  h.step = fastest[0] + fastest[1] + fastest[2];
  h.size = fabsf(centre[0]) + fabsf(centre[1]) + fabsf(centre[2]);
  vi small = (min < all((float)WEFT_FLUSH)) & vector_part();
  h.tiny = any(small);
  return h;
}

/* Shapes of a block as bits: whom somebody may touch, and in whose frame somebody may be swept.
 *
 * Let w point from the nearest point of the segment (a plane: its point a) to the centre of the
 * box, d along the normal of the plane that parts the two: w itself, a plane's own. No point of the
 * box is nearer to the segment than (d.w - |d|.half) / |d|, and none is touched where that is more
 * than `reach`: a capsule's surface is its radius away from the segment, a box's corners are its
 * half diagonal away from its centre. It does not matter whether rounding has the reference take
 * another point of the segment, which is only further away; here a wrong one can be nearer by what
 * the slack allows for. Comparisons with what is not a number leave a shape in. */
typedef struct near_some {
  uint32_t touch, sweep;
} near_some;

LANE near_some near_shapes(const float *block, const particle_block *h) {
#define FIELD(f) load(block + (f)*WEFT_LANES)
#define FIELD3(f) ((v3){FIELD(f), FIELD((f) + 1), FIELD((f) + 2)})
  const v3 half = {all(h->half[0]), all(h->half[1]), all(h->half[2])};
  const v3 centre = {all(h->centre[0]), all(h->centre[1]), all(h->centre[2])};
  v3 from = sub(centre, FIELD3(WEFT_BOUND_A)), axis = FIELD3(WEFT_BOUND_AXIS);
  vf t = exact_dot(axis, from) * FIELD(WEFT_BOUND_INVERSE);
  t = kept_if(t > all(0), t);
  t = less_of(t, all(1));
  v3 w = sub(from, scale(axis, t));
  v3 d = choose3((vi)FIELD(WEFT_BOUND_PLANE), FIELD3(WEFT_BOUND_NORMAL), w);
  v3 side = {absolute(d.x), absolute(d.y), absolute(d.z)};
  vf apart = exact_dot(d, w) - exact_dot(side, half);
  vf farthest = absolute(from.x) + absolute(from.y) + absolute(from.z);
  farthest = farthest + (h->half[0] + h->half[1] + h->half[2]);
  vf reach = FIELD(WEFT_BOUND_REACH) + farthest * WEFT_BOUND_SLACK;
  vi beyond = (apart > all(0)) & (apart * apart > reach * reach * exact_dot(d, d));
  vf move = FIELD(WEFT_BOUND_MOVE) + h->step;
  vf way = move + FIELD(WEFT_BOUND_TURN) * (farthest + move);
  way = way + (farthest + h->size) * (WEFT_BOUND_SLACK / 16);
  vi slow = way < FIELD(WEFT_BOUND_LIMIT);
  return (near_some){signs(~(beyond & slow)), signs(~slow)};
#undef FIELD3
#undef FIELD
}

/* What the reference does to who touches nothing, where positions are single floats. */
LANE void keep_normal(vec4 *x) {
  const vi vector = vector_part();
  for (int k = 0; k < PARTICLE_BLOCK; k += SIDE_BY_SIDE) {
    vf p = load(x + k);
    vi moves = (SPREAD(p, 3) != all(0)) & vector;
    store(x + k, choose(moves, exact_flush(p), p));
  }
}

/* Of particles; low parts where positions are pairs. */
LANE pair3 load_positions(bool pairs, const vec4 *x, const vec4 *low, int first,
                          const uint32_t *at) {
  pair3 p = pair3_single(xyz(load_particles(x + first, at)));
  if (pairs) p.low = xyz(load_particles(low + first, at));
  return p;
}

/* The shapes of a block in their order, as far as they are near. What is pushed may come near to
 * others, or leave them. s: of its first particle. */
LANE void meet_block(const weft_shapes *shapes, uint32_t first, bool pairs,
                     const weft_pair_state *s, particle_block *h) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  const float *block = shapes->bounds + (size_t)first * WEFT_BOUND_FIELDS;
  uint32_t rest = shapes->count - first;
  uint32_t left = rest < WEFT_LANES ? (1u << rest) - 1 : (uint32_t)((1ull << WEFT_LANES) - 1);
  near_some near = near_shapes(block, h);
  while (left & near.touch) {
    uint32_t k = (uint32_t)__builtin_ctz(left & near.touch);
    left &= ~1u << k;
    bool met = false;
    for (int v = 0; v < PARTICLE_BLOCK; v += WEFT_LANES) {
      vf w = load_particles(s->x + v, at).w;
      pair3 p = load_positions(pairs, s->x, s->x_low, v, at);
      pair3 before = load_positions(pairs, s->x_prev, s->x_prev_low, v, at);
      if (!meet(shapes, first + k, near.sweep >> k & 1, pairs, w, &p, &before)) continue;
      store_particles(s->x + v, at, p.high, w);
      if (pairs) store_particles(s->x_low + v, at, p.low, all(0));
      met = true;
    }
    if (!met) continue;
    *h = particle_block_of(s->x, s->x_prev, pairs ? s->x_low : NULL, shapes->solid);
    near = near_shapes(block, h);
  }
}

/* Of planes, which are few, this is quicker found without a box: nobody is swept by them. */
LANE bool clear_of_planes(const weft_shapes *shapes, bool pairs, const weft_pair_state *s) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  vi met = {0};
  for (int v = 0; v < PARTICLE_BLOCK; v += WEFT_LANES) {
    pair3 p = load_positions(pairs, s->x, s->x_low, v, at);
    for (uint32_t k = 0; k < shapes->count; ++k) {
      met =
          met | (shape_meets(shapes->poses[k], axis_of(&shapes->axes[k]), pairs, p).depth > all(0));
    }
  }
  return !any(met);
}

LANE void collide_particle_block(const weft_shapes *shapes, bool pairs, const weft_pair_state *s) {
  if (!shapes->solid && clear_of_planes(shapes, pairs, s)) {
    if (!pairs) keep_normal(s->x);
    return;
  }
  particle_block h = particle_block_of(s->x, s->x_prev, pairs ? s->x_low : NULL, shapes->solid);
  for (uint32_t first = 0; first < shapes->count; first += WEFT_LANES) {
    meet_block(shapes, first, pairs, s, &h);
  }
  if (!pairs && h.tiny) keep_normal(s->x);
}

/* Out of line: called at two places. */
static __attribute__((noinline)) void collide_singles(const weft_shapes *shapes,
                                                      const weft_pair_state *s) {
  collide_particle_block(shapes, false, s);
}

static void collide(const weft_shapes *shapes, const weft_pair_state *s, size_t count) {
  size_t k = 0;
  for (; k + PARTICLE_BLOCK <= count; k += PARTICLE_BLOCK) {
    collide_singles(shapes, &(weft_pair_state){.x = s->x + k, .x_prev = s->x_prev + k});
  }
  if (k == count) return;
  /* The last few, and the last of all once more for each that is missing. */
  vec4 p[PARTICLE_BLOCK], before[PARTICLE_BLOCK];
  for (size_t i = 0; i < PARTICLE_BLOCK; ++i) {
    p[i] = s->x[k + i < count ? k + i : count - 1];
    before[i] = s->x_prev[k + i < count ? k + i : count - 1];
  }
  collide_singles(shapes, &(weft_pair_state){.x = p, .x_prev = before});
  memcpy(s->x + k, p, (count - k) * sizeof *p);
}

static size_t collide_pairs(const weft_shapes *shapes, const weft_pair_state *s, size_t count) {
  size_t k = 0;
  for (; k + PARTICLE_BLOCK <= count; k += PARTICLE_BLOCK) {
    const weft_pair_state block = {.x = s->x + k,
                                   .x_prev = s->x_prev + k,
                                   .x_low = s->x_low + k,
                                   .x_prev_low = s->x_prev_low + k};
    collide_particle_block(shapes, true, &block);
  }
  return k;
}
