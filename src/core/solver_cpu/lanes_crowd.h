/* lanes_crowd.h: projections where a lane is a part of a joined model (crowd.h): the particles of a
 * constraint are vectors as they lie. A part of lanes_kernels.h. */

/* Constraints of a batch: places of their particles, up to whole lines; then their numbers, a
 * vector each, or one for all lanes. */
typedef struct crowd_words {
  const weft_halves *halves;
  const uint32_t *places, *values;
  uint32_t each; /* places and numbers of one */
  bool same;
} crowd_words;

LANE crowd_words crowd_words_of(const weft_halves *halves, const uint32_t *words, size_t count,
                                uint32_t each, bool same) {
  size_t line = WEFT_CACHE_LINE / sizeof *words;
  const uint32_t *values = words + (count * each + line - 1) / line * line;
  return (crowd_words){halves, words, values, each, same};
}

LANE float *crowd_particle(const crowd_words *w, size_t constraint, uint32_t k) {
  return w->halves->x + w->places[constraint * w->each + k];
}

LANE vf crowd_number(const crowd_words *w, size_t constraint, uint32_t k) {
  const uint32_t *at = w->values + (constraint * w->each + k) * (w->same ? 1 : WEFT_LANES);
  if (!w->same) return load(at);
  float one;
  memcpy(&one, at, sizeof one);
  return all(one);
}

LANE v4 crowd_numbers(const crowd_words *w, size_t constraint) {
  v4 data = {crowd_number(w, constraint, 0), crowd_number(w, constraint, 1), all(0), all(0)};
  if (w->each == 2) return data;
  data.z = crowd_number(w, constraint, 2);
  data.w = crowd_number(w, constraint, 3);
  return data;
}

LANE void crowd_with_care(const crowd_words *w, row_kind kind, size_t constraint, uint32_t acts) {
  size_t component = w->halves->component;
  v4 p[4];
  for (uint32_t r = 0; r < 4; ++r) {
    p[r] = r < kind.arity ? load_split(crowd_particle(w, constraint, r), component) : p[0];
  }
  projection to = project_constraint(kind.type, corners_in(p), crowd_numbers(w, constraint), false,
                                     no_history(), acts);
  const v3 d[4] = {to.d0, to.d1, to.d2, to.d3};
  for (uint32_t r = 0; r < kind.arity; ++r) {
    store_split(crowd_particle(w, constraint, r), component, moved_if(to.moves, p[r], d[r]));
  }
}

/* ---- distances ---- */

/* At most AT_ONCE from one on: no two share a particle. Those that need care get it. */
LANE void crowd_distances(const crowd_words *w, size_t first, size_t count) {
  size_t component = w->halves->component;
  fast_distance_pull pull[AT_ONCE];
  for (size_t k = 0; k < count; ++k) {
    v3 pa = load_three(crowd_particle(w, first + k, 0), component);
    v3 pb = load_three(crowd_particle(w, first + k, 1), component);
    const v4 a = {pa.x, pa.y, pa.z, all(0)}, b = {pb.x, pb.y, pb.z, all(0)};
    pull[k] = fast_distance_measure(corners_of(a, b, a, a), crowd_numbers(w, first + k), false,
                                    no_history(), WEFT_ACTS_ALWAYS);
  }
  for (size_t k = 0; k < count; ++k) {
    float *a = crowd_particle(w, first + k, 0), *b = crowd_particle(w, first + k, 1);
    vf n = pull[k].n.x;
    if (everywhere(n == n) && move_fast(a, b, component, pull[k].n, pull[k].step)) continue;
    crowd_with_care(w, kind_distance, first + k, WEFT_ACTS_ALWAYS);
  }
}

/* ---- bends ---- */

LANE void crowd_bends(const crowd_words *w, size_t first, size_t count) {
  for (size_t k = first; k < first + count; ++k) {
    float *q[4];
    for (uint32_t r = 0; r < 4; ++r) q[r] = crowd_particle(w, k, r);
    project_bend(q, w->halves->component, crowd_numbers(w, k), true, WEFT_LANES);
  }
}

/* ---- all ---- */

/* `some`: what projects at most AT_ONCE without care. */
#define PROJECT_CROWD(name, some)                                                                  \
  LANE void project_##name##_words(const crowd_words *w, size_t count, bool fast, uint32_t acts) { \
    size_t k = 0;                                                                                  \
    for (; fast && k + AT_ONCE <= count; k += AT_ONCE) some(w, k, AT_ONCE);                        \
    for (; fast && k < count; ++k) some(w, k, 1);                                                  \
    for (; k < count; ++k) crowd_with_care(w, kind_##name, k, acts);                               \
  }                                                                                                \
  static void project_##name##_crowd(const weft_halves *given, const uint32_t *words,              \
                                     size_t count, uint32_t how, uint32_t acts) {                  \
    const weft_halves halves = *given;                                                             \
    const uint32_t each = kind_##name.pair ? 2 : 4;                                                \
    bool fast = how & WEFT_CROWD_FAST_SAFE && acts == WEFT_ACTS_ALWAYS;                            \
    if (how & WEFT_CROWD_SAME) {                                                                   \
      const crowd_words w = crowd_words_of(&halves, words, count, each, true);                     \
      project_##name##_words(&w, count, fast, acts);                                               \
    } else {                                                                                       \
      const crowd_words w = crowd_words_of(&halves, words, count, each, false);                    \
      project_##name##_words(&w, count, fast, acts);                                               \
    }                                                                                              \
  }
PROJECT_CROWD(distance, crowd_distances)
PROJECT_CROWD(isometric, crowd_bends)
