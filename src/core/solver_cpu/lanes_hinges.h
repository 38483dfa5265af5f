/* lanes_hinges.h: dihedral angles in rows, and of parts side by side, by the fast path
 * (lanes_fast.h). A part of lanes_kernels.h.
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

/* Where they move to; false where numbers are too small. */
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

/* At most AT_ONCE vectors. */
LANE void project_hinges(const weft_packed_run *run, const constraints *c, size_t first,
                         uint32_t count) {
  measured_hinges m[AT_ONCE];
  vf excess[AT_ONCE];
  for (uint32_t k = 0; k < count; ++k) {
    v4 p[4];
    fetch_vector_ahead(c, first + k);
    for (uint32_t r = 0; r < 4; ++r) p[r] = load_corner(c, first + k, r);
    measure_hinges(p, &m[k]);
  }
  for (uint32_t k = 0; k < count; ++k) excess[k] = excess_of(&m[k], value_at(c, first + k, 0));
  for (uint32_t k = 0; k < count; ++k) {
    v3 to[4];
    if (!move_hinges(&m[k], excess[k], values_of(c, first + k), to)) {
      project_vector(run, kind_dihedral, false, false, c, first + k);
      continue;
    }
    for (uint32_t r = 0; r < 4; ++r) store_corner(c, first + k, r, to[r], m[k].p[r].w);
  }
}

static void project_dihedral_fast(const weft_packed_run *run, const uint32_t *words, size_t count) {
  const constraints c = constraints_in(run, kind_dihedral, WEFT_ROWS, words);
  size_t k = 0;
  for (; k + AT_ONCE <= count; k += AT_ONCE) project_hinges(run, &c, k, AT_ONCE);
  for (; k < count; ++k) project_hinges(run, &c, k, 1);
}
PROJECT_BESIDE(dihedral, project_hinges)
