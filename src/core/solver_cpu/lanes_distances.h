/* lanes_distances.h: distances by the fast path (lanes_fast.h), in rows and of parts side by side.
 * A part of lanes_kernels.h. */

/* A root is a chain of operations that wait for each other. So some vectors are measured first, of
 * which a processor can have several under way, and moved afterwards. Rows stay in registers
 * meanwhile, which are few; what is split is loaded twice. */
enum { AT_ONCE = 4, ROWS_AT_ONCE = 2 };

typedef struct measured_pairs {
  v4 a, b; /* of rows */
  v3 n;
  vf step;
} measured_pairs;

/* Returns lanes whose direction is a number. */
LANE vi measure_pairs(const constraints *c, size_t k, measured_pairs *m) {
  v4 a, b;
  if (c->layout == WEFT_ROWS) {
    a = m->a = load_corner(c, k, 0);
    b = m->b = load_corner(c, k, 1);
  } else {
    v3 pa = load_three(corner_place(c, k, 0), c->component);
    v3 pb = load_three(corner_place(c, k, 1), c->component);
    a = (v4){pa.x, pa.y, pa.z, all(0)};
    b = (v4){pb.x, pb.y, pb.z, all(0)};
  }
  fast_distance_pull pull = fast_distance_measure(corners_of(a, b, a, a), values_of(c, k), false,
                                                  no_history(), WEFT_ACTS_ALWAYS);
  m->n = pull.n;
  m->step = pull.step;
  return pull.n.x == pull.n.x;
}

/* Top bits where numbers of both particles are large. What two have in common can hide one that is
 * not a number. */
LANE vu are_large_all(v4 a, v4 b, v3 to_a, v3 to_b) {
  vu large = top_bit_if_large(common(a.x, b.x) & common(to_a.x, to_b.x));
  large &= top_bit_if_large(common(a.y, b.y) & common(to_a.y, to_b.y));
  return large & top_bit_if_large(common(a.z, b.z) & common(to_a.z, to_b.z));
}

/* False where numbers are too small, and nothing is written. */
LANE bool move_pairs(const constraints *c, size_t k, const measured_pairs *m) {
  v4 a = c->layout == WEFT_ROWS ? m->a : load_corner(c, k, 0);
  v4 b = c->layout == WEFT_ROWS ? m->b : load_corner(c, k, 1);
  const fast_distance_pull pull = {m->n, m->step, all(0)};
  projection to = fast_distance_moves(pull, a.w, b.w);
  v3 to_a = add(xyz(a), to.d0), to_b = add(xyz(b), to.d1);
  if (!all_have_top_bit(are_large_all(a, b, to_a, to_b))) return false;
  store_corner(c, k, 0, to_a, a.w);
  store_corner(c, k, 1, to_b, b.w);
  return true;
}

/* Of at most AT_ONCE vectors, how many it has done before one that needs the safe path. */
LANE uint32_t pairs_fast(const constraints *c, size_t first, uint32_t count) {
  measured_pairs m[AT_ONCE];
  vi is_number = ALWAYS;
#pragma GCC unroll 2
  for (uint32_t k = 0; k < count; ++k) is_number &= measure_pairs(c, first + k, &m[k]);
  if (!everywhere(is_number)) return 0;
#pragma GCC unroll 2
  for (uint32_t k = 0; k < count; ++k) {
    fetch_vector_ahead(c, first + k);
    if (!move_pairs(c, first + k, &m[k])) return k;
  }
  return count;
}

LANE void project_pairs(const weft_packed_run *run, const constraints *c, size_t first,
                        uint32_t count) {
  for (uint32_t k = pairs_fast(c, first, count); k < count; ++k) {
    project_vector(run, kind_distance, false, false, c, first + k);
  }
}

static void project_distance_fast(const weft_packed_run *run, const uint32_t *words, size_t count) {
  const constraints c = constraints_in(run, kind_distance, WEFT_ROWS, words);
  size_t k = 0;
  for (; k + ROWS_AT_ONCE <= count; k += ROWS_AT_ONCE) project_pairs(run, &c, k, ROWS_AT_ONCE);
  for (; k < count; ++k) project_pairs(run, &c, k, 1);
}

/* ---- parts side by side ---- */

/* At most AT_ONCE constraints by the fast path. */
typedef void project_some(const weft_packed_run *run, const constraints *c, size_t first,
                          uint32_t count);

LANE void project_beside(const weft_packed_run *run, row_kind kind, const constraints *c,
                         size_t count, project_some *some) {
  bool fast = run->shape & WEFT_CROWD_FAST_SAFE && run->acts == WEFT_ACTS_ALWAYS;
  size_t k = 0;
  for (; fast && k + AT_ONCE <= count; k += AT_ONCE) some(run, c, k, AT_ONCE);
  for (; fast && k < count; ++k) some(run, c, k, 1);
  for (; k < count; ++k) project_vector(run, kind, false, false, c, k);
}

#define PROJECT_BESIDE(name, some)                                                       \
  static void project_##name##_beside(const weft_packed_run *run, const uint32_t *words, \
                                      size_t count) {                                    \
    if (run->shape & WEFT_CROWD_SAME) {                                                  \
      const constraints c = constraints_beside(run, kind_##name, words, count, true);    \
      project_beside(run, kind_##name, &c, count, some);                                 \
    } else {                                                                             \
      const constraints c = constraints_beside(run, kind_##name, words, count, false);   \
      project_beside(run, kind_##name, &c, count, some);                                 \
    }                                                                                    \
  }

PROJECT_BESIDE(distance, project_pairs)
