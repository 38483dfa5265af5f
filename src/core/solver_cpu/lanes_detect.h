/* lanes_detect.h: detection of self-collision in vectors: passes/self_find_triangles.h and
 * self_find_features.h, see self.h. A part of lanes_kernels.h. */

/* ---- triangles of two patches ---- */

/* The frame in which boxes hold all of their way, for a part: motion that all share is taken out. A
 * box from `low` on that begins more than `pad` behind another one's end is apart from it, and by
 * more than reach: pad is reach and what is rounded, 24 times by half an ulp of `most` at the
 * most. */
typedef struct frame {
  v3 move;
  float pad;
} frame;

LANE frame frame_of(const weft_self_run *run, uint32_t part, float reach) {
  const weft_self_node *root = &run->nodes[(size_t)(part + 1) * run->u->self_nodes - 1];
  float moves = the_more(largest(root->move_low), largest(root->move_high));
  float most = the_more(largest(root->low), largest(root->high)) + 4 * moves + reach;
  return (frame){scale(add(every(root->move_low), every(root->move_high)), all(0.5f)),
                 reach + most * 0x1p-18f};
}

/* What a box holds on its way, half of it added: see self_apart. */
LANE vf begin_of(vf low, vf move, vf with) {
  return low + less_of((move - with) * all(1.5f), all(0));
}
LANE vf end_of(vf high, vf move, vf with) {
  return high + more_of((move - with) * all(1.5f), all(0));
}

LANE void put_swept(weft_self_boxes *boxes, uint32_t k, self_box box, v3 move) {
  store(&boxes->swept[0][k], begin_of(box.low.x, box.move_low.x, move.x));
  store(&boxes->swept[1][k], begin_of(box.low.y, box.move_low.y, move.y));
  store(&boxes->swept[2][k], begin_of(box.low.z, box.move_low.z, move.z));
  store(&boxes->swept[3][k], end_of(box.high.x, box.move_high.x, move.x));
  store(&boxes->swept[4][k], end_of(box.high.y, box.move_high.y, move.y));
  store(&boxes->swept[5][k], end_of(box.high.z, box.move_high.z, move.z));
}

/* What all of them hold. */
LANE void put_whole(weft_self_boxes *boxes) {
  vf sides[16];
  float least[16];
  for (int side = 0; side < 16; ++side) sides[side] = all(0);
  for (int side = 0; side < 6; ++side) {
    vf sign = all(side < 3 ? 1 : -1);
    sides[side] = load(boxes->swept[side]) * sign;
    for (uint32_t k = WEFT_LANES; k < WEFT_SELF_PLACES; k += WEFT_LANES) {
      sides[side] = less_of(load(&boxes->swept[side][k]) * sign, sides[side]);
    }
  }
  for (uint32_t k = 0; k < 6; k += WEFT_LANES) store(&least[k], least_of_each(&sides[k]));
  for (int side = 0; side < 6; ++side) {
    boxes->whole[side] = side < 3 ? least[side] : -least[side];
  }
}

/* Lanes of particles, bytes from x, that may be held anywhere on their way. */
LANE vi held_anywhere(const weft_self_run *run, const uint32_t *rows) {
  vi held = NEVER;
  for (uint32_t l = 0; run->detection && l < WEFT_LANES; ++l) {
    held[l] = -(int32_t)(run->marks[rows[l] / sizeof(vec4)] != 0);
  }
  return held;
}

LANE vi held_corners(const weft_self_run *run, const weft_self_table *table, const uint8_t *from) {
  uint32_t rows[WEFT_LANES];
  if (!run->detection) return NEVER;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) rows[l] = table->at[from[l]];
  return held_anywhere(run, rows);
}

LANE void make_boxes(const weft_self_run *run, uint32_t patch, v3 move, weft_self_boxes *boxes) {
  const weft_self_table *table = &run->cache->tables[patch];
  points p;
  load_points(run, table, &p);
  for (uint32_t k = 0; k < WEFT_SELF_PLACES; k += WEFT_LANES) {
    self_corner c[3];
    for (int of = 0; of < 3; ++of) {
      vi at = places_of(&table->corners[of][k]);
      v3 from = pick_three(p.from[0], table->count, at);
      v3 to = pick_three(p.to[0], table->count, at);
      c[of] = self_corner_of(from, exact_flush3(sub(to, from)),
                             held_corners(run, table, &table->corners[of][k]));
    }
    self_box box = self_box_around(c[0], c[1], c[2]);
    uint32_t rows[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) rows[l] = (k + l) * (uint32_t)sizeof(weft_self_node);
    store_particles(&boxes->triangles->low, rows, box.low, all(0));
    store_particles(&boxes->triangles->high, rows, box.high, all(0));
    store_particles(&boxes->triangles->move_low, rows, box.move_low, all(0));
    store_particles(&boxes->triangles->move_high, rows, box.move_high, all(0));
    put_swept(boxes, k, box, move);
  }
  put_whole(boxes);
  boxes->patch = patch;
  boxes->stamp = run->stamp;
}

LANE const weft_self_boxes *boxes_of(const weft_self_run *run, uint32_t patch, v3 move) {
  weft_self_boxes *of = &run->cache->boxes[(size_t)run->member * WEFT_SELF_KEPT_BOXES];
  weft_self_boxes *boxes = &of[patch % WEFT_SELF_KEPT_BOXES];
  if (boxes->patch != patch || boxes->stamp != run->stamp) make_boxes(run, patch, move, boxes);
  return boxes;
}

/* Bits of some triangles that do not lie beyond these sides, each of them given for all lanes.
 * Their own lie so far apart. */
LANE uint32_t near_sides(const float *from, size_t side, v3 low, v3 high) {
  const float *of[6] = {
      from, from + side, from + 2 * side, from + 3 * side, from + 4 * side, from + 5 * side};
#if WEFT_LANES == 16 && defined __AVX512F__
  enum { NOT_MORE = _CMP_NGT_UQ };
  __m512 x = _mm512_loadu_ps(of[0]), y = _mm512_loadu_ps(of[1]);
  __m512 z = _mm512_loadu_ps(of[2]), to_x = _mm512_loadu_ps(of[3]);
  __m512 to_y = _mm512_loadu_ps(of[4]), to_z = _mm512_loadu_ps(of[5]);
  __mmask16 in_x = _mm512_cmp_ps_mask(x, (__m512)high.x, NOT_MORE);
  __mmask16 in_y = _mm512_cmp_ps_mask(y, (__m512)high.y, NOT_MORE);
  __mmask16 in_z = _mm512_cmp_ps_mask(z, (__m512)high.z, NOT_MORE);
  in_x = _mm512_mask_cmp_ps_mask(in_x, (__m512)low.x, to_x, NOT_MORE);
  in_y = _mm512_mask_cmp_ps_mask(in_y, (__m512)low.y, to_y, NOT_MORE);
  in_z = _mm512_mask_cmp_ps_mask(in_z, (__m512)low.z, to_z, NOT_MORE);
  return (uint32_t)(in_x & in_y & in_z);
#else
  vi far = (load(of[0]) > high.x) | (low.x > load(of[3]));
  far |= (load(of[1]) > high.y) | (low.y > load(of[4]));
  far |= (load(of[2]) > high.z) | (low.z > load(of[5]));
  return signs(~far);
#endif
}

/* Of those of `asked`, which begin and end so. */
LANE uint64_t near_box(const weft_self_boxes *boxes, const float sides[6], float pad,
                       uint64_t asked) {
  v3 low = {all(sides[0] - pad), all(sides[1] - pad), all(sides[2] - pad)};
  v3 high = {all(sides[3] + pad), all(sides[4] + pad), all(sides[5] + pad)};
  uint64_t bits = 0;
  for (uint32_t k = 0; k < WEFT_SELF_PLACES; k += WEFT_LANES) {
    if (!(asked >> k & ((1u << WEFT_LANES) - 1))) continue;
    bits |= (uint64_t)near_sides(&boxes->swept[0][k], WEFT_SELF_PLACES, low, high) << k;
  }
  return bits & asked;
}

#if WEFT_LANES == 16 && defined __AVX512F__ && defined __BMI2__
/* The same of few among many: what is asked for stands side by side, bit k of what is found is that
 * of the k-th bit of `asked`. */
typedef struct few {
  uint64_t asked;
  uint32_t count;
  float swept[6][WEFT_SELF_PLACES + WEFT_LANES];
} few;

LANE void put_few(few *f, const weft_self_boxes *boxes, uint64_t asked) {
  f->asked = asked;
  f->count = 0;
  for (uint32_t k = 0; k < WEFT_SELF_PLACES; k += WEFT_LANES) {
    __mmask16 bits = (__mmask16)(asked >> k);
    if (!bits) continue;
    for (int side = 0; side < 6; ++side) {
      __m512 sides = _mm512_maskz_compress_ps(bits, _mm512_loadu_ps(&boxes->swept[side][k]));
      _mm512_storeu_ps(&f->swept[side][f->count], sides);
    }
    f->count += (uint32_t)__builtin_popcount(bits);
  }
}

LANE uint64_t near_few(const few *f, const float sides[6], float pad) {
  v3 low = {all(sides[0] - pad), all(sides[1] - pad), all(sides[2] - pad)};
  v3 high = {all(sides[3] + pad), all(sides[4] + pad), all(sides[5] + pad)};
  uint64_t bits = 0;
  for (uint32_t k = 0; k < f->count; k += WEFT_LANES) {
    bits |= (uint64_t)near_sides(&f->swept[0][k], sizeof f->swept[0] / sizeof(float), low, high)
            << k;
  }
  return _pdep_u64(bits, f->asked);
}
#else
typedef struct few {
  uint64_t asked;
  const weft_self_boxes *boxes;
} few;

LANE void put_few(few *f, const weft_self_boxes *boxes, uint64_t asked) {
  f->asked = asked;
  f->boxes = boxes;
}

LANE uint64_t near_few(const few *f, const float sides[6], float pad) {
  return near_box(f->boxes, sides, pad, f->asked);
}
#endif

/* What is less than 0, half of it added, of how far a box comes towards another: see self_apart. */
LANE quad nearer_by(quad move_low, quad move_high) {
  quad nearer = (move_low - move_high) * quad_all(1.5f);
  return (quad)((quad_bits)nearer & (nearer < quad_all(0)));
}

/* self_boxes_meet of two of them: most that are asked for do meet, so one by one is cheapest. */
LANE bool nodes_meet(const weft_self_node *a, const weft_self_node *b, float reach) {
  quad low_a = load_quad(&a->low, 0), high_a = load_quad(&a->high, 0);
  quad low_b = load_quad(&b->low, 0), high_b = load_quad(&b->high, 0);
  quad from_a = load_quad(&a->move_low, 0), to_a = load_quad(&a->move_high, 0);
  quad from_b = load_quad(&b->move_low, 0), to_b = load_quad(&b->move_high, 0);
  quad_bits apart = (low_a - high_b) + nearer_by(from_a, to_b) > quad_all(reach);
  apart |= (low_b - high_a) + nearer_by(from_b, to_a) > quad_all(reach);
  return !quad_any(apart);
}

enum { TWOS = 256 };

/* Of one part: triangles, or patches. */
typedef struct twos {
  uint32_t count, part;
  bool patches;
  weft_self_two found[TWOS];
} twos;

/* A part of the counts of all. */
LANE void go_to(weft_self_run *run, uint32_t part) {
  run->own = run->counts + (size_t)part * WEFT_SELF_COUNTS;
}

static void list_twos(weft_self_run *run, twos *t) {
  uint32_t slot, place = (t->patches ? WEFT_SELF_AT_PATCH_PAIRS : WEFT_SELF_AT_TRIANGLE_PAIRS) +
                         run->detection;
  uint32_t room = t->patches ? run->u->self_meets : run->u->self_close;
  go_to(run, t->part);
  uint32_t count = take_places(run, place, t->count, room, &slot);
  memcpy(t->patches ? &run->meets[slot] : &run->close[slot], t->found, count * sizeof *t->found);
  t->count = 0;
}

LANE void add_two(weft_self_run *run, twos *t, weft_self_two two) {
  if (t->count == TWOS) list_twos(run, t);
  t->found[t->count++] = two;
}

LANE bool has_corner(weft_uvec3 of, uint32_t particle) {
  return of.x == particle || of.y == particle || of.z == particle;
}

/* Of each point of the first of two patches: which triangles of the second it is a corner of; those
 * belong to its star, but in a redetection. */
LANE void put_around(const weft_self_run *run, weft_self_two two, uint64_t *around) {
  const weft_self_table *own = &run->cache->tables[two.first];
  const weft_self_table *other = &run->cache->tables[two.second];
  memset(around, 0, own->count * sizeof *around);
  if (run->detection) return;
  if (two.first == two.second) {
    memcpy(around, own->around, own->count * sizeof *around);
    return;
  }
  const weft_self_patch *patch = &run->patches[two.first];
  const weft_self_adjacent *beside = &run->beside[patch->beside_first], *end;
  for (end = beside + patch->beside_count; beside < end; ++beside) {
    if (beside->second != two.second) continue;
    const weft_self_common *common = &run->cache->common[beside->particles];
    for (uint32_t k = 0; k < beside->particle_count; ++k) {
      around[common[k].first] = other->around[common[k].second];
    }
  }
}

/* Which triangles of the second are not compared with one of the first. */
LANE uint64_t left_out(const weft_self_table *own, uint32_t k, const uint64_t *around,
                       const weft_self_table *other) {
  uint64_t out = around[own->corners[0][k]] | around[own->corners[1][k]] |
                 around[own->corners[2][k]] | other->empty;
  out |= other->tangled & (0 - (own->tangled >> k & 1));
  return out | (other->body & (0 - (own->body >> k & 1)));
}

/* Triangles of which a motion was cut in the last detection; in the first detection all. */
LANE uint64_t marked_of(const weft_self_run *run, const weft_self_table *table) {
  uint64_t marked = run->detection ? 0 : ~(uint64_t)0;
  for (uint32_t k = 0; run->detection && k < table->count; ++k) {
    if (run->marks[table->at[k] / sizeof(vec4)] == run->detection) marked |= table->around[k];
  }
  return marked;
}

LANE void compare_patches(weft_self_run *run, weft_self_two two, twos *t) {
  float reach = run->patches[two.first].reach;
  frame f = frame_of(run, t->part, reach);
  const weft_self_boxes *own = boxes_of(run, two.first, f.move);
  const weft_self_boxes *other = boxes_of(run, two.second, f.move);
  weft_self_boxes kept;
  if (own != other && own->patch != two.first) { /* both lie at one place */
    make_boxes(run, two.first, f.move, &kept);
    own = &kept;
  }
  const weft_self_table *firsts = &run->cache->tables[two.first];
  const weft_self_table *seconds = &run->cache->tables[two.second];
  uint64_t around[WEFT_SELF_POINTS], asked = ~(uint64_t)0, open = ~firsts->empty;
  const uint64_t marked = marked_of(run, firsts), others = marked_of(run, seconds);
  put_around(run, two, around);
  if (!others) open &= marked;
  if (own != other) {
    open = near_box(own, other->whole, f.pad, open);
    asked = near_box(other, own->whole, f.pad, asked);
    if (!asked) return;
  }
  few beside;
  put_few(&beside, other, own != other ? asked : 0);
  /* First all boxes, without a branch that nobody can foresee; then those that are near some. */
  uint64_t near[WEFT_SELF_PLACES];
  uint32_t of[WEFT_SELF_PLACES], count = 0;
  for (; open; open &= open - 1) {
    uint32_t k = (uint32_t)__builtin_ctzll(open);
    const float sides[6] = {own->swept[0][k], own->swept[1][k], own->swept[2][k],
                            own->swept[3][k], own->swept[4][k], own->swept[5][k]};
    if (own == other) asked = k == 63 ? 0 : ~(uint64_t)0 << (k + 1);
    uint64_t hits =
        own == other ? near_box(other, sides, f.pad, asked) : near_few(&beside, sides, f.pad);
    near[count] = hits & ~left_out(firsts, k, around, seconds);
    if (!(marked >> k & 1)) near[count] &= others;
    of[count] = k;
    count += near[count] != 0;
  }
  for (uint32_t n = 0; n < count; ++n) {
    uint32_t k = of[n];
    for (uint64_t hits = near[n]; hits; hits &= hits - 1) {
      uint32_t l = (uint32_t)__builtin_ctzll(hits);
      if (!nodes_meet(&own->triangles[k], &other->triangles[l], reach)) continue;
      add_two(run, t,
              (weft_self_two){two.first * WEFT_SELF_PLACES + k, two.second * WEFT_SELF_PLACES + l});
    }
  }
}

static void self_find_triangles(weft_self_run *run, uint32_t first, uint32_t count) {
  twos t = {.count = 0};
  for (uint32_t k = first; k < first + count; ++k) {
    uint32_t part = run->meets[k].first / run->u->self_patches;
    if (part != t.part && t.count) list_twos(run, &t);
    t.part = part;
    compare_patches(run, run->meets[k], &t);
  }
  if (t.count) list_twos(run, &t);
}

/* ---- features of two triangles ---- */

enum { FEATURES = 128, LISTED = 256 };

/* Vertices and triangles, or two edges: with room for those of a vector more. */
typedef struct features {
  uint32_t count;
  uint32_t p[4][FEATURES + WEFT_LANES]; /* particles, bytes from x */
  uint32_t same[FEATURES + WEFT_LANES];
} features;

typedef struct search {
  weft_self_run *run;
  uint32_t part;
  features kinds[2]; /* vertices, edges */
  uvec4 listed[LISTED];
  uint32_t listed_count;
} search;

LANE void list_all(search *s) {
  weft_self_run *run = s->run;
  go_to(run, s->part);
  uint32_t slot, count = take_places(run, WEFT_SELF_AT_CANDIDATES + run->detection, s->listed_count,
                                     run->u->self_candidates, &slot);
  memcpy(&run->candidates[slot], s->listed, count * sizeof *s->listed);
  s->listed_count = 0;
}

/* Of a vertex and a triangle, or of two edges. */
LANE void feature_boxes(const self_corner c[4], bool edges, self_box *a, self_box *b) {
  if (edges) {
    *a = self_box_join(self_box_of(c[0]), self_box_of(c[1]));
    *b = self_box_join(self_box_of(c[2]), self_box_of(c[3]));
  } else {
    *a = self_box_of(c[0]);
    *b = self_box_join(self_box_join(self_box_of(c[1]), self_box_of(c[2])), self_box_of(c[3]));
  }
}

LANE self_corner corner_at(const weft_self_run *run, const uint32_t *rows) {
  v3 before = xyz(load_particles(run->x_prev, rows));
  v3 now = xyz(load_particles(run->x, rows));
  return self_corner_of(before, exact_flush3(sub(now, before)), held_anywhere(run, rows));
}

/* Bits of a vector of features, from number k on, that are candidates. */
LANE uint32_t candidates_of(const weft_self_run *run, const features *f, uint32_t k, bool edges,
                            vf reach) {
  self_corner c[4];
  for (int i = 0; i < 4; ++i) c[i] = corner_at(run, &f->p[i][k]);
  self_box a, b;
  feature_boxes(c, edges, &a, &b);
  vi listed = self_boxes_meet(a, b, reach);
  if (any(listed)) {
    listed &= ~(edges ? self_edges_parted(c[0], c[1], c[2], c[3], reach)
                      : self_vertex_parted(c[0], c[1], c[2], c[3], reach));
  }
  return signs(listed);
}

LANE void list_features(search *s, const features *f, uint32_t k, bool edges, uint32_t bits) {
  enum { ROW = sizeof(vec4) };
  for (; bits; bits &= bits - 1) {
    uint32_t l = k + (uint32_t)__builtin_ctz(bits);
    if (s->listed_count == LISTED) list_all(s);
    s->listed[s->listed_count++] = weft_self_listed(
        (uvec4){f->p[0][l] / ROW, f->p[1][l] / ROW, f->p[2][l] / ROW, f->p[3][l] / ROW}, edges,
        f->same[l]);
  }
}

/* Lists those that are candidates; the last of a vector that is not full stands there again. */
static void settle_features(search *s, bool edges, uint32_t count) {
  features *f = &s->kinds[edges];
  const weft_self_run *run = s->run;
  vf reach = all(run->parts[s->part].reach);
  for (uint32_t k = count; k % WEFT_LANES; ++k) {
    for (int c = 0; c < 4; ++c) f->p[c][k] = f->p[c][k - 1];
  }
  for (uint32_t k = 0; k < count; k += WEFT_LANES) {
    uint32_t left = count - k;
    uint32_t valid = left < WEFT_LANES ? (1u << left) - 1 : (1u << WEFT_LANES) - 1;
    list_features(s, f, k, edges, candidates_of(run, f, k, edges, reach) & valid);
  }
  f->count -= count;
}

/* Those behind whole vectors come to the front. */
static void settle_vectors(search *s, bool edges) {
  features *f = &s->kinds[edges];
  uint32_t whole = f->count / WEFT_LANES * WEFT_LANES;
  settle_features(s, edges, whole);
  for (int c = 0; c < 4; ++c) store(f->p[c], load(&f->p[c][whole]));
  store(f->same, load(&f->same[whole]));
}

/* Stores the lanes of these bits side by side, and what lies behind them is anything. */
LANE void store_packed(uint32_t *to, uint32_t bits, vu v) {
#if WEFT_LANES == 16 && defined __AVX512F__
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v));
#else
  for (; bits; bits &= bits - 1) *to++ = v[__builtin_ctz(bits)];
#endif
}

/* Features of pairs of triangles, a pair a lane: those of these bits. */
LANE void add_features(search *s, bool edges, uint32_t bits, const vu p[4], vu same) {
  features *f = &s->kinds[edges];
  if (!bits) return;
  for (int c = 0; c < 4; ++c) store_packed(&f->p[c][f->count], bits, p[c]);
  store_packed(&f->same[f->count], bits, same);
  f->count += (uint32_t)__builtin_popcount(bits);
  if (f->count >= FEATURES) settle_vectors(s, edges);
}

/* Triangles, one a lane: where their corners are, bytes from x, the first once more behind the
 * last; the bits of lanes that own a vertex, then an edge; which piece they are of. */
typedef struct corner_lanes {
  vu at[4];
  uint32_t owns[6];
  vu piece;
} corner_lanes;

LANE corner_lanes corners_of_triangles(const weft_self_run *run, const uint32_t *rows) {
  v4 row = load_particles((const vec4 *)(const void *)run->triangles, rows);
  vu bits = (vu)row.w;
  corner_lanes c;
  c.at[0] = (vu)row.x * (uint32_t)sizeof(vec4);
  c.at[1] = (vu)row.y * (uint32_t)sizeof(vec4);
  c.at[2] = (vu)row.z * (uint32_t)sizeof(vec4);
  c.at[3] = c.at[0];
  for (uint32_t k = 0; k < 6; ++k) c.owns[k] = signs((vi)(bits << (31 - k)));
  c.piece = bits >> WEFT_SELF_PIECE;
  return c;
}

/* ---- what parts features whatever their corners do ---- */

/* Two triangles: corners from one of them, middles, and from there corners or half of an edge; the
 * square of how far features have to be apart. */
typedef struct two_triangles {
  v3 corners[2][3], middles[2], out[2][3], edges[2][3], halves[2][3];
  vf needed2;
} two_triangles;

/* Corners come towards each other by twice what one moves beside another at the most, half of it
 * added, and by twice what one moves where some may be held on their way; 2^-14 of all numbers is
 * far more than what is rounded, here and where candidates are found. What is no number is never
 * apart. */
LANE void find_two(const weft_self_run *run, const corner_lanes *a, const corner_lanes *b,
                   float reach, two_triangles *t) {
  v3 from = every((vec4){0}), with = from;
  vf sum2 = all(0), move2 = all(0);
  for (int k = 0; k < 6; ++k) {
    uint32_t rows[WEFT_LANES];
    store(rows, (vf)(k < 3 ? a : b)->at[k % 3]);
    v3 x = xyz(load_particles(run->x_prev, rows));
    v3 move = sub(xyz(load_particles(run->x, rows)), x);
    if (k == 0) from = x;
    if (k == 0 && !run->detection) with = move;
    v3 at = t->corners[k / 3][k % 3] = sub(x, from), beside = sub(move, with);
    sum2 = sum2 + exact_dot(at, at) + exact_dot(move, move);
    move2 = more_of(exact_dot(beside, beside), move2);
  }
  vf needed = native_root(move2) * all(3) + all(reach + 1e-9f);
  needed = needed + native_root(sum2) * all(0x1p-14f);
  t->needed2 = choose(sum2 < all(1e14f), needed * needed, all(__builtin_inff()));
  for (int side = 0; side < 2; ++side) {
    const v3 *c = t->corners[side];
    t->middles[side] = scale(add(add(c[0], c[1]), c[2]), all(1.0f / 3));
    for (int k = 0; k < 3; ++k) {
      t->out[side][k] = sub(c[k], t->middles[side]);
      t->edges[side][k] = scale(add(c[k], c[(k + 1) % 3]), all(0.5f));
      t->halves[side][k] = scale(sub(c[k], c[(k + 1) % 3]), all(0.5f));
    }
  }
}

/* Lanes in which features whose middles are n apart, and which reach so far along n in its lengths,
 * are not known to be apart. */
LANE uint32_t too_near(const two_triangles *t, v3 n, vf reach) {
  vf length2 = exact_dot(n, n), gap = length2 - reach;
  return ~signs(gap * absolute(gap) > length2 * t->needed2);
}

LANE uint32_t near_vertex(const two_triangles *t, int of, int k) {
  const v3 *out = t->out[!of];
  v3 n = sub(t->corners[of][k], t->middles[!of]);
  vf most = more_of(exact_dot(n, out[0]), exact_dot(n, out[1]));
  return too_near(t, n, more_of(exact_dot(n, out[2]), most));
}

LANE uint32_t near_edges(const two_triangles *t, int k, int l) {
  v3 n = sub(t->edges[0][k], t->edges[1][l]);
  vf first = absolute(exact_dot(n, t->halves[0][k]));
  return too_near(t, n, first + absolute(exact_dot(n, t->halves[1][l])));
}

/* Pairs of triangles of one part, the first `valid` of a vector. */
static void add_pairs(search *s, const weft_self_two *two, uint32_t count) {
  uint32_t rows[2][WEFT_LANES], valid = (1u << count) - 1;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    rows[0][l] = two[l < count ? l : 0].first * (uint32_t)sizeof(weft_self_triangle);
    rows[1][l] = two[l < count ? l : 0].second * (uint32_t)sizeof(weft_self_triangle);
  }
  const corner_lanes a = corners_of_triangles(s->run, rows[0]),
                     b = corners_of_triangles(s->run, rows[1]);
  vu same = (vu)(a.piece == b.piece);
  uint32_t equal[4][4]; /* corners; the first once more behind the last */
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) equal[k][l] = signs(a.at[k] == b.at[l]);
    equal[k][3] = equal[k][0];
  }
  for (int l = 0; l < 4; ++l) equal[3][l] = equal[0][l];
  two_triangles t;
  find_two(s->run, &a, &b, s->run->parts[s->part].reach, &t);
  for (int k = 0; k < 3; ++k) {
    uint32_t of_a = a.owns[k] & ~(equal[k][0] | equal[k][1] | equal[k][2]);
    uint32_t of_b = b.owns[k] & ~(equal[0][k] | equal[1][k] | equal[2][k]);
    add_features(s, false, of_a & valid & near_vertex(&t, 0, k),
                 (const vu[4]){a.at[k], b.at[0], b.at[1], b.at[2]}, same);
    add_features(s, false, of_b & valid & near_vertex(&t, 1, k),
                 (const vu[4]){b.at[k], a.at[0], a.at[1], a.at[2]}, same);
  }
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      uint32_t share = equal[k][l] | equal[k][l + 1] | equal[k + 1][l] | equal[k + 1][l + 1];
      add_features(s, true, a.owns[3 + k] & b.owns[3 + l] & ~share & valid & near_edges(&t, k, l),
                   (const vu[4]){a.at[k], a.at[k + 1], b.at[l], b.at[l + 1]}, same);
    }
  }
}

/* Of so many, those in front that are of this part, as the first is. */
LANE uint32_t pairs_of_part(const weft_self_run *run, const weft_self_two *two, uint32_t part,
                            uint32_t count) {
  uint32_t some = run->cache->parts == 1 ? count : 1;
  while (some < count && two[some].first / run->u->self_triangles == part) ++some;
  return some;
}

static void settle_part(search *s) {
  settle_features(s, false, s->kinds[0].count);
  settle_features(s, true, s->kinds[1].count);
  if (s->listed_count) list_all(s);
}

/* Elements are WEFT_SELF_FEATURES to two triangles; two are those of whom the first of these is
 * theirs. */
static void self_find_features(weft_self_run *run, uint32_t first, uint32_t count) {
  uint32_t begin = (first + WEFT_SELF_FEATURES - 1) / WEFT_SELF_FEATURES;
  uint32_t end = (first + count + WEFT_SELF_FEATURES - 1) / WEFT_SELF_FEATURES;
  search s;
  s.run = run;
  s.part = 0;
  s.kinds[0].count = s.kinds[1].count = s.listed_count = 0;
  for (uint32_t k = begin, some; k < end; k += some) {
    some = end - k < WEFT_LANES ? end - k : WEFT_LANES;
    uint32_t part = run->close[k].first / run->u->self_triangles;
    if (part != s.part) settle_part(&s);
    s.part = part;
    some = pairs_of_part(run, &run->close[k], part, some);
    add_pairs(&s, &run->close[k], some);
  }
  settle_part(&s);
}
