/* lanes_split.h: rows into split positions and back. A part of lanes_kernels.h. */

static void split_one(const weft_halves *halves, float *to, const vec4 *x, size_t i) {
  float *place = to + weft_halves_place(halves, i);
  place[0] = x[i].x;
  place[halves->component] = x[i].y;
  place[2 * halves->component] = x[i].z;
}

static void split_with_mass(const weft_halves *halves, float *to, float *w, const vec4 *x,
                            size_t i) {
  split_one(halves, to, x, i);
  if (w) w[weft_halves_place(halves, i)] = x[i].w;
}

static void join_one(const weft_halves *halves, const float *from, const float *w, vec4 *to,
                     size_t i) {
  size_t at = weft_halves_place(halves, i);
  to[i].x = from[at];
  to[i].y = from[at + halves->component];
  to[i].z = from[at + 2 * halves->component];
  to[i].w = w ? w[at] : 0;
}

/* Bytes from one particle of a parity to the next. */
LANE void every_other(uint32_t at[WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) at[k] = 2 * k * (uint32_t)sizeof(vec4);
}

/* w: of the split ones, NULL where there is no fourth component. Vectors begin where they lie in
 * one share. */
LANE void split_range(const weft_halves *halves, float *to, float *w, const vec4 *from,
                      size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_other(at);
  size_t i = first, end = first + count;
  for (; i < end && i % (2 * WEFT_LANES); ++i) split_with_mass(halves, to, w, from, i);
  for (; i + 2 * WEFT_LANES <= end; i += 2 * WEFT_LANES) {
    for (size_t k = i; k < i + 2; ++k) {
      v4 p = load_particles(from + k, at);
      size_t place = weft_halves_place(halves, k);
      store_split(to + place, halves->component, xyz(p));
      if (w) store(w + place, p.w);
    }
  }
  for (; i < end; ++i) split_with_mass(halves, to, w, from, i);
}

static void split_particles(const weft_halves *halves, const vec4 *x, size_t first, size_t count) {
  split_range(halves, halves->x, halves->x + 3 * halves->component, x, first, count);
}

static void split_three(const weft_halves *halves, float *to, const vec4 *from, size_t first,
                        size_t count) {
  split_range(halves, to, NULL, from, first, count);
}

static void join_particles(const weft_halves *halves, const float *from, const float *w, vec4 *to,
                           size_t first, size_t count) {
  uint32_t at[WEFT_LANES];
  every_other(at);
  size_t i = first, end = first + count;
  for (; i < end && i % (2 * WEFT_LANES); ++i) join_one(halves, from, w, to, i);
  for (; i + 2 * WEFT_LANES <= end; i += 2 * WEFT_LANES) {
    for (size_t k = i; k < i + 2; ++k) {
      size_t place = weft_halves_place(halves, k);
      v3 p = load_three(from + place, halves->component);
      store_particles(to + k, at, p, w ? load(w + place) : all(0));
    }
  }
  for (; i < end; ++i) join_one(halves, from, w, to, i);
}
