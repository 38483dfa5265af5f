/* lanes_staying.h: passes in which every particle is alone, on positions, those before and
 * velocities that stay split from substep to substep. A lane is a particle. A part of
 * lanes_kernels.h. */

/* Particles of a range whose index is even, or odd: neighbours in the split arrays. */
typedef struct row_of_parity {
  size_t place, count;
} row_of_parity;

LANE row_of_parity every_second(const weft_halves *halves, size_t first, size_t count,
                                size_t parity) {
  size_t skipped = (first ^ parity) & 1;
  return (row_of_parity){weft_halves_place(halves, first + skipped), (count + 1 - skipped) / 2};
}

/* Who is not pinned, of the first n lanes. */
LANE vi movable(const weft_halves *halves, size_t place, uint32_t n) {
  const float *w = halves->x + place + 3 * halves->component;
  return (n == WEFT_LANES ? load(w) : load_first(w, n, 0)) != all(0);
}

/* ---- predict ---- */

LANE void predict_component(float *x, float *x_prev, float *v, uint32_t n, vi moves, vf gravity,
                            const weft_uniforms *u) {
  vf p = load_of(x, n);
  vf velocity = predicted_velocity(load_of(v, n), gravity, all(u->keep));
  store_of(x_prev, n, p);
  store_of(v, n, kept_if(moves, velocity));
  store_of(x, n, choose(moves, predicted_position(p, velocity, all(u->dt)), p));
}

LANE void predict_vector(const weft_uniforms *u, const weft_halves *halves, size_t place,
                         uint32_t n) {
  const float gravity[3] = {u->gravity_step.x, u->gravity_step.y, u->gravity_step.z};
  vi moves = movable(halves, place, n);
  for (size_t c = 0; c < 3; ++c) {
    size_t at = place + c * halves->component;
    predict_component(halves->x + at, halves->x_prev + at, halves->v + at, n, moves,
                      all(gravity[c]), u);
  }
}

static void predict_staying(const weft_uniforms *u, const weft_halves *halves, size_t first,
                            size_t count) {
  for (size_t parity = 0; parity < 2; ++parity) {
    row_of_parity row = every_second(halves, first, count, parity);
    size_t k = 0;
    for (; k + WEFT_LANES <= row.count; k += WEFT_LANES) {
      predict_vector(u, halves, row.place + k, WEFT_LANES);
    }
    if (k < row.count) predict_vector(u, halves, row.place + k, (uint32_t)(row.count - k));
  }
}

/* ---- collide: blocks of particles as in lanes_collide.h, of one parity ---- */

/* Into rows and back; n of them, the last one once more for each that is missing. */
LANE void block_to_rows(const weft_halves *halves, size_t place, uint32_t n, vec4 *x,
                        vec4 *x_prev) {
  size_t component = halves->component;
  for (uint32_t k = 0; k < PARTICLE_BLOCK; ++k) {
    const float *p = halves->x + place + (k < n ? k : n - 1);
    const float *before = halves->x_prev + place + (k < n ? k : n - 1);
    x[k] = (vec4){p[0], p[component], p[2 * component], p[3 * component]};
    x_prev[k] = (vec4){before[0], before[component], before[2 * component], p[3 * component]};
  }
}

LANE void block_from_rows(const weft_halves *halves, size_t place, uint32_t n, const vec4 *x) {
  size_t component = halves->component;
  for (uint32_t k = 0; k < n; ++k) {
    float *p = halves->x + place + k;
    p[0] = x[k].x;
    p[component] = x[k].y;
    p[2 * component] = x[k].z;
  }
}

/* Out of line: hardly ever called where all shapes are planes. */
static __attribute__((noinline)) void collide_in_rows(const weft_shapes *shapes,
                                                      const weft_halves *halves, size_t place,
                                                      uint32_t n) {
  vec4 x[PARTICLE_BLOCK], x_prev[PARTICLE_BLOCK];
  block_to_rows(halves, place, n, x, x_prev);
  collide_singles(shapes, &(weft_pair_state){.x = x, .x_prev = x_prev});
  block_from_rows(halves, place, n, x);
}

LANE bool vector_is_clear(const weft_shapes *shapes, const weft_halves *halves, size_t place) {
  v3 p = load_three(halves->x + place, halves->component);
  return !any(meets_planes(shapes, false, pair3_single(p)));
}

LANE void keep_vector_normal(const weft_halves *halves, size_t place) {
  vi moves = movable(halves, place, WEFT_LANES);
  v3 p = load_three(halves->x + place, halves->component);
  v3 kept = {exact_flush(p.x), exact_flush(p.y), exact_flush(p.z)};
  store_split(halves->x + place, halves->component, choose3(moves, kept, p));
}

LANE void collide_block(const weft_shapes *shapes, const weft_halves *halves, size_t place,
                        uint32_t n) {
  bool clear = !shapes->solid && n == PARTICLE_BLOCK;
  for (size_t k = 0; clear && k < PARTICLE_BLOCK; k += WEFT_LANES) {
    clear = vector_is_clear(shapes, halves, place + k);
  }
  if (!clear) {
    collide_in_rows(shapes, halves, place, n);
    return;
  }
  for (size_t k = 0; k < PARTICLE_BLOCK; k += WEFT_LANES) keep_vector_normal(halves, place + k);
}

/* ---- update_velocity, after it ---- */

LANE void update_vector(const weft_uniforms *u, const weft_halves *halves, size_t place,
                        uint32_t n) {
  vi moves = movable(halves, place, n);
  for (size_t c = 0; c < 3; ++c) {
    size_t at = place + c * halves->component;
    vf before = load_of(halves->v + at, n);
    vf velocity = updated_velocity(load_of(halves->x + at, n), load_of(halves->x_prev + at, n),
                                   before, all(u->dt), all(u->inv_dt));
    store_of(halves->v + at, n, choose(moves, velocity, before));
  }
}

LANE void update_block(const weft_uniforms *u, const weft_halves *halves, size_t place,
                       uint32_t n) {
  uint32_t k = 0;
  for (; k + WEFT_LANES <= n; k += WEFT_LANES) update_vector(u, halves, place + k, WEFT_LANES);
  if (k < n) update_vector(u, halves, place + k, n - k);
}

static void settle_staying(const weft_uniforms *u, const weft_shapes *shapes,
                           const weft_halves *halves, size_t first, size_t count) {
  for (size_t parity = 0; parity < 2; ++parity) {
    row_of_parity row = every_second(halves, first, count, parity);
    for (size_t k = 0; k < row.count; k += PARTICLE_BLOCK) {
      size_t left = row.count - k;
      uint32_t n = left < PARTICLE_BLOCK ? (uint32_t)left : PARTICLE_BLOCK;
      if (shapes) collide_block(shapes, halves, row.place + k, n);
      if (u) update_block(u, halves, row.place + k, n);
    }
  }
}
