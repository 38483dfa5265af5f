/* lanes_patches.h: passes/self_patch.h in vectors: a lane is a particle, then a triangle of a
 * patch. A part of lanes_kernels.h. */

LANE float the_more(float a, float b) { return a > b ? a : b; }
LANE float largest(vec4 v) {
  return the_more(__builtin_fabsf(v.x), the_more(__builtin_fabsf(v.y), __builtin_fabsf(v.z)));
}

/* ---- particles of a patch ---- */

enum { ROOM = WEFT_SELF_POINTS + 16 };

/* At both ends of the way; a component is an array. */
typedef struct points {
  float from[3][ROOM], to[3][ROOM];
  v3 low, high, move_low, move_high; /* of all, in lanes */
  bool known;                        /* all are numbers */
} points;

/* Particles more, into the box of all. */
LANE void add_points(points *p, bool first, v3 from, v3 to, vf *sum) {
  v3 move = exact_flush3(sub(to, from));
  p->low = first ? from : self_less3(p->low, from);
  p->high = first ? from : self_more3(p->high, from);
  p->move_low = first ? move : self_less3(p->move_low, move);
  p->move_high = first ? move : self_more3(p->move_high, move);
  *sum = *sum + (absolute(from.x) + absolute(from.y)) + (absolute(from.z) + absolute(move.x)) +
         (absolute(move.y) + absolute(move.z));
}

LANE void load_points(const weft_self_run *run, const weft_self_table *table, points *p) {
  vf sum = all(0);
  p->low = p->high = p->move_low = p->move_high = every((vec4){0});
  for (uint32_t k = 0; k < table->count; k += WEFT_LANES) {
    v3 from = xyz(load_particles(run->x_prev, &table->at[k]));
    v3 to = xyz(load_particles(run->x, &table->at[k]));
    add_points(p, k == 0, from, to, &sum);
    store_split(&p->from[0][k], ROOM, from);
    store_split(&p->to[0][k], ROOM, to);
  }
  p->known = everywhere(sum < all(1.0e29f));
}

/* Which points the corners of some triangles are. */
LANE vi places_of(const uint8_t *from) {
#if WEFT_LANES == 16 && defined __AVX512F__
  return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
#elif WEFT_LANES == 8 && defined __AVX2__
  return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
  vi places;
  for (int k = 0; k < WEFT_LANES; ++k) places[k] = from[k];
  return places;
#endif
}

/* An array of up to 64 at these places: in registers where there are such. */
LANE vf pick(const float *array, uint32_t count, vi at) {
#if WEFT_LANES == 16 && defined __AVX512F__
  if (count <= 64) {
    __m512i where = (__m512i)at;
    __m512 low = _mm512_permutex2var_ps((__m512)load(array), where, (__m512)load(array + 16));
    if (count <= 32) return (vf)low;
    __m512 high = _mm512_permutex2var_ps((__m512)load(array + 32), where, (__m512)load(array + 48));
    return (vf)_mm512_mask_mov_ps(low, _mm512_test_epi32_mask(where, _mm512_set1_epi32(32)), high);
  }
#else
  (void)count;
#endif
  int32_t places[WEFT_LANES];
  float picked[WEFT_LANES];
  memcpy(places, &at, sizeof places);
  for (int k = 0; k < WEFT_LANES; ++k) picked[k] = array[places[k]];
  return load(picked);
}

LANE v3 pick_three(const float *array, uint32_t count, vi at) {
  return (v3){pick(array, count, at), pick(array + ROOM, count, at),
              pick(array + 2 * ROOM, count, at)};
}

/* ---- patches ---- */

typedef struct patch_axes {
  float first[3][WEFT_LANES], second[3][WEFT_LANES];
} patch_axes;

LANE v4 load_weights(const vec4 *weights, const uint32_t *at) {
  return load_particles(weights, at);
}

/* Axes of some patches, each from its eight particles. */
LANE void find_axes(const weft_self_run *run, uint32_t patch, uint32_t count, patch_axes *axes) {
  uint32_t particles[8][WEFT_LANES], rows[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    uint32_t k = l < count ? l : 0;
    const weft_self_patch *of = &run->patches[patch + k];
    const uint32_t fixed[8] = {of->fixed_a.x, of->fixed_a.y, of->fixed_a.z, of->fixed_a.w,
                               of->fixed_b.x, of->fixed_b.y, of->fixed_b.z, of->fixed_b.w};
    for (int f = 0; f < 8; ++f) particles[f][l] = fixed[f] * (uint32_t)sizeof(vec4);
    rows[l] = k * (uint32_t)sizeof *of;
  }
  const weft_self_patch *of = &run->patches[patch];
  const v4 u[2] = {load_weights(&of->u_a, rows), load_weights(&of->u_b, rows)};
  const v4 v[2] = {load_weights(&of->v_a, rows), load_weights(&of->v_b, rows)};
  v3 origin = xyz(load_particles(run->x_prev, particles[0]));
  v3 first = {all(0), all(0), all(0)}, second = first;
  for (int f = 0; f < 8; ++f) {
    v3 from = exact_flush3(sub(xyz(load_particles(run->x_prev, particles[f])), origin));
    const vf us[4] = {u[f / 4].x, u[f / 4].y, u[f / 4].z, u[f / 4].w};
    const vf vs[4] = {v[f / 4].x, v[f / 4].y, v[f / 4].z, v[f / 4].w};
    first = self_weighed(first, from, us[f % 4]);
    second = self_weighed(second, from, vs[f % 4]);
  }
  store_split(axes->first[0], WEFT_LANES, self_unit(first));
  store_split(axes->second[0], WEFT_LANES, self_unit(second));
}

/* In lane k the least of all lanes of vector k. */
LANE vf least_of_each(const vf v[WEFT_LANES]) {
  vf least[WEFT_LANES / 4]; /* in lane k of quad q of number n: of quad q of vector 4 n + k */
  for (int n = 0; n < WEFT_LANES / 4; ++n) {
    v4 of = transposed(v[4 * n], v[4 * n + 1], v[4 * n + 2], v[4 * n + 3]);
    least[n] = less_of(less_of(of.x, of.y), less_of(of.z, of.w));
  }
#if WEFT_LANES == 16
  vf low = less_of(even_quads(least[0], least[1]), odd_quads(least[0], least[1]));
  vf high = less_of(even_quads(least[2], least[3]), odd_quads(least[2], least[3]));
  return less_of(even_quads(low, high), odd_quads(low, high));
#elif WEFT_LANES == 8
  vf firsts = SHUFFLE(least[0], least[1], 0, 1, 2, 3, 8, 9, 10, 11);
  return less_of(firsts, SHUFFLE(least[0], least[1], 4, 5, 6, 7, 12, 13, 14, 15));
#else
  return least[0];
#endif
}

/* Gradients of all triangles, at both ends; what is most has the other sign. */
LANE self_gradient find_gradients(const points *p, const weft_self_table *t, v3 a, v3 b) {
  self_gradient g = self_gradient_none();
#pragma GCC unroll 1
  for (uint32_t k = 0; k < WEFT_SELF_PLACES; k += WEFT_LANES) {
    vi at[3];
    for (int c = 0; c < 3; ++c) at[c] = places_of(&t->corners[c][k]);
    const v4 inverse = {load(&t->inverse[0][k]), load(&t->inverse[1][k]), load(&t->inverse[2][k]),
                        load(&t->inverse[3][k])};
    for (int end = 0; end < 2; ++end) {
      const float *array = end ? p->to[0] : p->from[0];
      v3 corner = pick_three(array, t->count, at[0]);
      v3 e1 = exact_flush3(sub(pick_three(array, t->count, at[1]), corner));
      v3 e2 = exact_flush3(sub(pick_three(array, t->count, at[2]), corner));
      g = self_gradient_join(g, self_gradient_of(e1, e2, inverse, a, b));
    }
  }
  g.most2 = -g.most2;
  return g;
}

/* The box of a patch: of its sixteen numbers the second four of each eight with the other sign, so
 * that each is the least of something. */
LANE void put_node(weft_self_node *node, const points *p) {
  const vf none = all(0);
  const vf of[16] = {p->low.x,        p->low.y,        p->low.z,        none, /* */
                     -p->high.x,      -p->high.y,      -p->high.z,      none,
                     p->move_low.x,   p->move_low.y,   p->move_low.z,   none,
                     -p->move_high.x, -p->move_high.y, -p->move_high.z, none};
  for (uint32_t k = 0; k < 16; k += WEFT_LANES) {
    vf sides = least_of_each(&of[k]);
    vu sign = {0};
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      if ((k + l) % 8 / 4 == 1 && l % 4 < 3) sign[l] = 0x80000000u;
    }
    store((float *)(void *)node + k, (vf)((vu)sides ^ sign));
  }
}

LANE weft_self_node *node_of(const weft_self_run *run, uint32_t patch) {
  uint32_t part = patch / run->u->self_patches, own = patch - part * run->u->self_patches;
  return &run->nodes[(size_t)part * run->u->self_nodes + own];
}

/* Of some patches side by side. */
LANE void put_shapes(weft_self_run *run, uint32_t patch, uint32_t count, const patch_axes *axes,
                     vf least, vf most) {
  weft_self_certificate shapes[WEFT_LANES];
  uint32_t rows[WEFT_LANES];
  float reach[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    rows[l] = l * (uint32_t)sizeof *shapes;
    reach[l] = run->patches[patch + (l < count ? l : 0)].reach;
  }
  store_particles(&shapes->first, rows, load_three(axes->first[0], WEFT_LANES), all(0));
  store_particles(&shapes->second, rows, load_three(axes->second[0], WEFT_LANES), all(0));
  store_particles((vec4 *)(void *)&shapes->least, rows, (v3){least, most, load(reach)}, all(0));
  memcpy(&run->shapes[patch], shapes, count * sizeof *shapes);
}

/* Asks for what is read of a patch: it comes from far away. */
LANE void fetch(const void *from, size_t bytes) {
  for (size_t k = 0; k < bytes; k += WEFT_CACHE_LINE) __builtin_prefetch((const char *)from + k);
}

LANE bool is_glanced_at(const weft_self_run *run, uint32_t patch) {
  if (!run->lazy) return false;
  const weft_self_before *before = &run->cache->before[patch];
  return before->known && !before->wait;
}

LANE void fetch_patch(const weft_self_run *run, uint32_t patch) {
  const weft_self_table *table = &run->cache->tables[patch];
  if (is_glanced_at(run, patch)) {
    fetch(table->at, WEFT_SELF_PLACES * sizeof *table->at);
    fetch(&run->cache->places[patch], sizeof(weft_self_places));
  } else {
    fetch(table, offsetof(weft_self_table, at) + WEFT_SELF_PLACES * sizeof *table->at);
  }
  __builtin_prefetch(&table->count);
}

/* ---- what earlier gradients prove of later ones ----
 *
 * Where nothing but certificates asks for the least eigenvalue and the norm of a patch, bounds do
 * as well: what self_proves makes of them is no more than what it makes of the numbers themselves,
 * since every rounded operation in it is monotone. So a patch keeps the positions y, the axes
 * B0 = (a b) and the numbers (least, most) of the last look at its gradients F0. Let A be any
 * linear map, here the turn from these axes to those of now, B. With u = x - A y of all particles,
 * at both ends and but for a shift of each, two of which are no more than w apart, edges are those
 * turned by A plus at most w each, so F = A F0 + E with |E| <= sqrt(2) w q, q the norm of a
 * triangle's inverse, and B^T F - B0^T F0 = (A^T B - B0)^T F0 + B^T E, whose norm is no more than
 * d = |A^T B - B0| most + 2 w q. The least eigenvalue, as self_gradient_of bounds it, falls by 1.01
 * d at the most: its gradient is half of a trace and of two numbers of which it takes 1.02 times
 * the length. Nothing is assumed of what happened since, and a written buffer needs no care. 2^-8
 * is more than what is rounded: products with inverses, whose condition is below 2^9, by 2^-24 of 4
 * times that each. */

/* Turns A of some patches, row by row, and |A^T B - B0|; negative where axes are no frame. */
typedef struct patch_turns {
  float of[9][WEFT_LANES], off[WEFT_LANES];
} patch_turns;

typedef struct axes_frame {
  v3 x, y, z;
  vi known;
} axes_frame;

LANE v3 root_unit(v3 v, vf length2) {
  vf inverse = all(1) / native_root(length2);
  return scale(v, inverse);
}

LANE axes_frame frame_along(v3 a, v3 b) {
  v3 normal = exact_cross(a, b);
  vf length2 = exact_dot(normal, normal);
  vi known = length2 > all(0.01f);
  v3 z = root_unit(normal, choose(known, length2, all(1)));
  return (axes_frame){a, exact_cross(z, a), z, known};
}

LANE void find_turns(const weft_self_before *before, uint32_t count, const patch_axes *axes,
                     patch_turns *turns) {
  float kept[6][WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    const weft_self_before *of = &before[l < count ? l : 0];
    for (int c = 0; c < 3; ++c) {
      kept[c][l] = of->first[c];
      kept[3 + c][l] = of->second[c];
    }
  }
  v3 a = load_three(axes->first[0], WEFT_LANES), b = load_three(axes->second[0], WEFT_LANES);
  v3 a0 = load_three(kept[0], WEFT_LANES), b0 = load_three(kept[3], WEFT_LANES);
  axes_frame now = frame_along(a, b), then = frame_along(a0, b0);
  v3 rows[3];
  const vf x[3] = {now.x.x, now.x.y, now.x.z}, y[3] = {now.y.x, now.y.y, now.y.z};
  const vf z[3] = {now.z.x, now.z.y, now.z.z};
  v3 off_a = neg(a0), off_b = neg(b0);
  const vf of_a[3] = {a.x, a.y, a.z}, of_b[3] = {b.x, b.y, b.z};
  for (int r = 0; r < 3; ++r) {
    rows[r] = add(add(scale(then.x, x[r]), scale(then.y, y[r])), scale(then.z, z[r]));
    store_split(turns->of[3 * r], WEFT_LANES, rows[r]);
    off_a = add(off_a, scale(rows[r], of_a[r]));
    off_b = add(off_b, scale(rows[r], of_b[r]));
  }
  vf off = native_root(exact_dot(off_a, off_a) + exact_dot(off_b, off_b));
  store(turns->off, choose(now.known & then.known, off, all(-1)));
}

/* How far particles are from where the turn of a patch takes what they were: lows and highs. */
typedef struct spread {
  v3 low, high;
} spread;

/* As load_points, but for the arrays, beside what was before. */
LANE void glance_at_points(const weft_self_run *run, const weft_self_table *table,
                           const weft_self_places *before, const patch_turns *turns, uint32_t l,
                           points *p, spread *s) {
  vf sum = all(0), of[9];
  s->low = s->high = p->low = p->high = p->move_low = p->move_high = every((vec4){0});
  for (int k = 0; k < 9; ++k) of[k] = all(turns->of[k][l]);
  v3 shift = {all(0), all(0), all(0)};
  for (uint32_t k = 0; k < table->count; k += WEFT_LANES) {
    v3 from = xyz(load_particles(run->x_prev, &table->at[k]));
    v3 to = xyz(load_particles(run->x, &table->at[k]));
    add_points(p, k == 0, from, to, &sum);
    if (!k) {
      v3 move = sub(to, from);
      shift = (v3){all(move.x[0]), all(move.y[0]), all(move.z[0])};
    }
    v3 y = load_three(&before->at[0][k], WEFT_SELF_PLACES);
    v3 turned = {of[0] * y.x + of[1] * y.y + of[2] * y.z, of[3] * y.x + of[4] * y.y + of[5] * y.z,
                 of[6] * y.x + of[7] * y.y + of[8] * y.z};
    v3 u = sub(from, turned), v = sub(sub(to, shift), turned);
    v3 low = self_less3(u, v), high = self_more3(u, v);
    s->low = k ? self_less3(s->low, low) : low;
    s->high = k ? self_more3(s->high, high) : high;
  }
  p->known = everywhere(sum < all(1.0e29f));
}

/* Patches side by side whose gradients are looked at, or bounded. */
typedef struct patch_lanes {
  weft_self_run *run;
  uint32_t patch, count; /* the first, and how many */
  uint32_t unknown, bounded;
  patch_axes axes;
  patch_turns turns;
  vf least[WEFT_LANES], most[WEFT_LANES]; /* a patch each; most: squares, with the other sign */
  vf spread[6][WEFT_LANES];               /* a patch each; the last three with the other sign */
  float size[WEFT_LANES];
} patch_lanes;

LANE weft_self_before *before_of(const weft_self_run *run, uint32_t patch) {
  return run->lazy ? &run->cache->before[patch] : NULL;
}

/* Keeps where particles are, for later looks. */
LANE void keep_points(const weft_self_run *run, uint32_t patch, const points *p) {
  weft_self_before *before = &run->cache->before[patch];
  float(*at)[WEFT_SELF_PLACES] = run->cache->places[patch].at;
  before->known = before->steep > 0 && !before->wait;
  for (int c = 0; before->known && c < 3; ++c) memcpy(at[c], p->to[c], sizeof at[c]);
}

LANE self_gradient look_at_gradients(const weft_self_run *run, uint32_t patch, const points *p,
                                     v3 a, v3 b) {
  const weft_self_table *table = &run->cache->tables[patch];
  if (run->lazy) keep_points(run, patch, p);
  return find_gradients(p, table, a, b);
}

LANE v3 axis_in(const float of[3][WEFT_LANES], uint32_t l) {
  return (v3){all(of[0][l]), all(of[1][l]), all(of[2][l])};
}

LANE void look_at_lane(patch_lanes *p, uint32_t l) {
  points at;
  load_points(p->run, &p->run->cache->tables[p->patch + l], &at);
  p->unknown |= (uint32_t)!at.known << l;
  if (!at.known) return;
  put_node(node_of(p->run, p->patch + l), &at);
  if (p->run->patches[p->patch + l].body) return;
  self_gradient g = look_at_gradients(p->run, p->patch + l, &at, axis_in(p->axes.first, l),
                                      axis_in(p->axes.second, l));
  p->least[l] = g.least;
  p->most[l] = g.most2;
}

LANE void glance_at_lane(patch_lanes *p, uint32_t l, const weft_self_before *before) {
  points at;
  spread s;
  const weft_self_work *cache = p->run->cache;
  glance_at_points(p->run, &cache->tables[p->patch + l], &cache->places[p->patch + l], &p->turns, l,
                   &at, &s);
  p->unknown |= (uint32_t)!at.known << l;
  if (!at.known) return;
  weft_self_node *node = node_of(p->run, p->patch + l);
  put_node(node, &at);
  p->bounded |= 1u << l;
  const vf sides[6] = {s.low.x, s.low.y, s.low.z, -s.high.x, -s.high.y, -s.high.z};
  for (int side = 0; side < 6; ++side) p->spread[side][l] = sides[side];
  p->size[l] = the_more(largest(node->low), largest(node->high)) +
               the_more(largest(node->move_low), largest(node->move_high)) + before->size;
}

/* What is proved of those that were but glanced at. Returns bits of those of which it is enough to
 * be of use. */
LANE uint32_t bound_lanes(const patch_lanes *p, vf *least, vf *most) {
  float was[3][WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    uint32_t patch = p->patch + (l < p->count ? l : 0);
    was[0][l] = p->run->cache->before[patch].least;
    was[1][l] = p->run->cache->before[patch].most;
    was[2][l] = p->run->cache->before[patch].steep;
  }
  vf extent[3];
  for (int c = 0; c < 3; ++c) {
    extent[c] = -(least_of_each(p->spread[c]) + least_of_each(p->spread[3 + c]));
  }
  vf wide2 = extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2];
  vf wide = native_root(wide2) * all(1.0001f) + load(p->size) * all(0x1p-19f);
  vf bent = wide * load(was[2]), off = load(p->turns.off) + all(1e-6f);
  vf lost = (bent + bent + off * load(was[1])) * all(1.02f);
  *least = load(was[0]) - lost - all(0x1p-8f);
  *most = load(was[1]) * all(1.0001f) + bent * all(1.4143f) + all(0x1p-8f);
  return signs((*least > all(0.3f)) & (*most < all(3.9f))) & p->bounded;
}

/* Of a patch whose gradients were looked at. */
LANE void keep_numbers(weft_self_before *before, const weft_self_certificate *shape,
                       const weft_self_node *node) {
  memcpy(before->first, &shape->first, sizeof before->first);
  memcpy(before->second, &shape->second, sizeof before->second);
  before->least = shape->least;
  before->most = shape->most;
  before->size = 2 * (the_more(largest(node->low), largest(node->high)) +
                      the_more(largest(node->move_low), largest(node->move_high)));
  if (!(before->least > 0.35f)) before->known = false;
}

LANE void settle_lanes(patch_lanes *p) {
  vf least = all(0), most = all(0);
  uint32_t bounded = 0;
  if (p->bounded) {
    bounded = bound_lanes(p, &least, &most);
    for (uint32_t again = p->bounded & ~bounded; again; again &= again - 1) {
      look_at_lane(p, (uint32_t)__builtin_ctz(again));
    }
  }
  vi kept = lanes_of(bounded);
  least = choose(kept, least, least_of_each(p->least));
  most = choose(kept, most, self_root(-least_of_each(p->most)));
  put_shapes(p->run, p->patch, p->count, &p->axes, least, most);
  for (uint32_t l = 0; p->run->lazy && l < p->count; ++l) {
    weft_self_before *before = before_of(p->run, p->patch + l);
    before->exact = !(bounded >> l & 1);
    if (!before->exact) continue;
    keep_numbers(before, &p->run->shapes[p->patch + l], node_of(p->run, p->patch + l));
  }
}

/* Returns bits of those that are left to the reference: not all of their particles are numbers. */
static uint32_t look_at_patches(weft_self_run *run, uint32_t patch, uint32_t count) {
  patch_lanes p;
  p.run = run;
  p.patch = patch;
  p.count = count;
  p.unknown = p.bounded = 0;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    p.least[l] = p.most[l] = all(0); /* of a body, too */
    for (int side = 0; side < 6; ++side) p.spread[side][l] = all(0);
    p.size[l] = 0;
  }
  find_axes(run, patch, count, &p.axes);
  if (run->lazy) find_turns(before_of(run, patch), count, &p.axes, &p.turns);
  for (uint32_t l = 0; l < count; ++l) {
    weft_self_before *before = before_of(run, patch + l);
    bool glance = is_glanced_at(run, patch + l) && p.turns.off[l] >= 0;
    if (patch + l + 1 < run->cache->patches) fetch_patch(run, patch + l + 1);
    if (before && before->wait) --before->wait;
    if (glance) {
      glance_at_lane(&p, l, before);
    } else {
      look_at_lane(&p, l);
    }
  }
  settle_lanes(&p);
  return p.unknown;
}

/* Looks at gradients that were but bounded. */
static void look_again(weft_self_run *run, uint32_t patch) {
  weft_self_certificate *shape = &run->shapes[patch];
  weft_self_before *before = &run->cache->before[patch];
  if (before->exact) return;
  before->exact = true;
  points at;
  load_points(run, &run->cache->tables[patch], &at);
  self_gradient g = look_at_gradients(run, patch, &at, every(shape->first), every(shape->second));
  vf both[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) both[l] = all(0);
  both[0] = g.least;
  both[1] = g.most2;
  vf least = least_of_each(both);
  shape->least = least[0];
  shape->most = self_root(-least)[1];
  keep_numbers(before, shape, node_of(run, patch));
}

static void self_patch(weft_self_run *run, uint32_t first, uint32_t count) {
  for (uint32_t k = first; k < first + count; k += WEFT_LANES) {
    uint32_t left = first + count - k, block = left < WEFT_LANES ? left : WEFT_LANES;
    uint32_t unknown = look_at_patches(run, k, block);
    for (; unknown; unknown &= unknown - 1) {
      uint32_t patch = k + (uint32_t)__builtin_ctz(unknown);
      run->reference(run->context, patch, 1);
      if (run->lazy) run->cache->before[patch].known = false;
    }
  }
}
