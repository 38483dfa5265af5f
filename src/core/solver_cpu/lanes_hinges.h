/* lanes_hinges.h: dihedral angles off the grid, and of parts side by side, without care for small
 * numbers (lanes_fast.h). A part of lanes_kernels.h.
 *
 * Positions of 2^-26 and more differ by 0 or by 2^-49 and more. Where squares of normals are at
 * least 2^-80, and components of unit normals 0 or at least 2^-18, those of normals are 0 or at
 * least 2^-59; so are those of the cross product of unit normals, which are differences of
 * multiples of 2^-59. So flush has nothing to do. What is 0 may then have the other sign, which
 * moves nobody. The sine is flushed and the step trimmed as everywhere. A number that is none, or
 * too large, comes out with an exponent past all bounds. */

/* ---- whether flush has nothing to do ---- */

/* 0, or at least 2^-18, of which the exponent is 109. Twice the bits have no sign. */
LANE vi is_zero_or_large(vf a) { return (vu)a + (vu)a - 1 >= (vu){0} + (2 * (109u << 23) - 1); }

LANE vi are_zero_or_large(v3 u) {
  return is_zero_or_large(u.x) & is_zero_or_large(u.y) & is_zero_or_large(u.z);
}

LANE vu common3(v3 a) { return common(a.x, a.y) & (vu)a.z; }

/* Squares of normals from 2^-80 on, which is an exponent of 47. */
LANE bool normals_are_large(const fast_hinge *h) {
  vu squares = common(h->n1_2, h->n2_2) + (81u << 23);
  vu units = (common3(h->u1) & common3(h->u2)) + (19u << 23);
  if (all_have_top_bit(squares & units)) return true;
  return everywhere((vi)(squares + squares) & are_zero_or_large(h->u1) & are_zero_or_large(h->u2));
}

LANE vu are_large(v3 p) {
  return top_bit_if_large((vu)p.x) & top_bit_if_large((vu)p.y) & top_bit_if_large((vu)p.z);
}

/* ---- the projection ---- */

/* A vector of hinges, measured. An angle is a chain of operations that wait for each other, so that
 * of several vectors is taken after all of them are measured. */
typedef struct measured_hinges {
  v4 p[4];
  v3 gradients[4];
  vf sine, cosine, sum;
  vi defined;
  bool large;
} measured_hinges;

LANE void measure_hinges(const v4 p[4], measured_hinges *m) {
  for (uint32_t r = 0; r < 4; ++r) m->p[r] = p[r];
  const corners at = corners_in(p);
  const fast_hinge h = fast_dihedral_measure(at);
  m->gradients[0] = h.g0;
  m->gradients[1] = h.g1;
  m->gradients[2] = h.g2;
  m->gradients[3] = h.g3;
  m->sine = h.sine;
  m->cosine = h.cosine;
  m->defined = h.defined;
  m->sum = fast_dihedral_sum(h, at);
  m->large = normals_are_large(&h);
}

/* Where they move to; false where care is needed. */
LANE bool move_hinges(const measured_hinges *m, vf excess, v4 data, v3 to[4]) {
  const fast_hinge h = {.defined = m->defined};
  vf step = fast_dihedral_step(h, excess, m->sum, data);
  vu large = ~(vu){0};
  for (uint32_t r = 0; r < 4; ++r) {
    to[r] = add(xyz(m->p[r]), fast_dihedral_move(m->gradients[r], step, m->p[r].w));
    large &= are_large(xyz(m->p[r])) & are_large(to[r]);
  }
  return m->large && all_have_top_bit(large);
}

LANE vf excess_of(const measured_hinges *m, vf rest) {
  const fast_hinge h = {.sine = m->sine, .cosine = m->cosine};
  return fast_dihedral_excess(h, rest);
}

LANE void project_hinges(const weft_projection_run *run, const uint32_t *block, uint32_t count) {
  enum { WORDS = 8 * WEFT_LANES, NUMBERS = 4 * WEFT_LANES };
  measured_hinges m[AT_ONCE];
  vf excess[AT_ONCE];
  for (uint32_t k = 0; k < count; ++k) {
    v4 p[4];
    fetch_ahead(block + k * WORDS, 8);
    for (uint32_t r = 0; r < 4; ++r) {
      p[r] = load_particles(run->x, block + k * WORDS + r * WEFT_LANES);
    }
    measure_hinges(p, &m[k]);
  }
  for (uint32_t k = 0; k < count; ++k)
    excess[k] = excess_of(&m[k], load(block + k * WORDS + NUMBERS));
  for (uint32_t k = 0; k < count; ++k, block += WORDS) {
    v3 to[4];
    if (!move_hinges(&m[k], excess[k], numbers_of(block + NUMBERS, false), to)) {
      project_block(run, kind_dihedral, false, false, block);
      continue;
    }
    for (uint32_t r = 0; r < 4; ++r) {
      store_particles(run->x, block + r * WEFT_LANES, to[r], m[k].p[r].w);
    }
  }
}

static void project_dihedral_tame(const weft_projection_run *run, const uint32_t *block,
                                  size_t count) {
  for (; count >= AT_ONCE; count -= AT_ONCE) {
    project_hinges(run, block, AT_ONCE);
    block += (size_t)AT_ONCE * 8 * WEFT_LANES;
  }
  for (; count; --count, block += (size_t)8 * WEFT_LANES) project_hinges(run, block, 1);
}

/* ---- the same of parts side by side ---- */

LANE void crowd_hinges(const crowd_words *w, size_t first, size_t count) {
  size_t component = w->halves->component;
  measured_hinges m[AT_ONCE];
  vf excess[AT_ONCE];
  for (size_t k = 0; k < count; ++k) {
    v4 p[4];
    for (uint32_t r = 0; r < 4; ++r) p[r] = load_split(crowd_particle(w, first + k, r), component);
    measure_hinges(p, &m[k]);
  }
  for (size_t k = 0; k < count; ++k) excess[k] = excess_of(&m[k], crowd_number(w, first + k, 0));
  for (size_t k = 0; k < count; ++k) {
    v3 to[4];
    if (!move_hinges(&m[k], excess[k], crowd_numbers(w, first + k), to)) {
      crowd_with_care(w, kind_dihedral, first + k, WEFT_ACTS_ALWAYS);
      continue;
    }
    for (uint32_t r = 0; r < 4; ++r) {
      store_split(crowd_particle(w, first + k, r), component, to[r]);
    }
  }
}

PROJECT_CROWD(dihedral, crowd_hinges)
