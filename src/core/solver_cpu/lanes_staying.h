/* lanes_staying.h: passes in which every particle is alone, on positions, those before and
 * velocities that stay split from substep to substep. A lane is a particle. A part of
 * lanes_kernels.h. */

/* Every second particle of a range: neighbours in the split arrays. */
typedef struct row_of_parity {
  size_t place, count;
} row_of_parity;

/* From its first one on, or from its second. */
LANE row_of_parity every_second(const weft_halves *halves, size_t first, size_t count,
                                size_t skipped) {
  return (row_of_parity){weft_halves_place(halves, first + skipped), (count + 1 - skipped) / 2};
}

/* Who is not pinned, of the first n lanes. */
LANE vi movable(const weft_halves *halves, size_t place, uint32_t n) {
  const float *w = halves->x + place + 3 * halves->component;
  return (n == WEFT_LANES ? load(w) : load_first(w, n, 0)) != all(0);
}

/* What is the same for all, out of memory that stores could change. */
typedef struct substep_numbers {
  v3 gravity_step;
  vf keep, dt, inv_dt;
} substep_numbers;

LANE substep_numbers numbers_of_substep(const weft_uniforms *u) {
  return (substep_numbers){every(u->gravity_step), all(u->keep), all(u->dt), all(u->inv_dt)};
}

/* ---- predict ---- */

LANE void predict_component(float *x, const float *x_prev, float *v, uint32_t n, vi moves,
                            vf gravity, const substep_numbers *u) {
  vf p = load_of(x_prev, n);
  vf velocity = predicted_velocity(load_of(v, n), gravity, u->keep);
  store_of(v, n, kept_if(moves, velocity));
  store_of(x, n, choose(moves, predicted_position(p, velocity, u->dt), p));
}

LANE void predict_vector(const substep_numbers *u, const weft_halves *halves, size_t place,
                         uint32_t n) {
  vi moves = movable(halves, place, n);
  size_t y = halves->component, z = 2 * y;
  const float *x_prev = halves->x_prev + place;
  float *x = halves->x + place, *v = halves->v + place;
  predict_component(x, x_prev, v, n, moves, u->gravity_step.x, u);
  predict_component(x + y, x_prev + y, v + y, n, moves, u->gravity_step.y, u);
  predict_component(x + z, x_prev + z, v + z, n, moves, u->gravity_step.z, u);
}

static void predict_staying(const weft_uniforms *u, const weft_halves *given, size_t first,
                            size_t count) {
  const substep_numbers numbers = numbers_of_substep(u);
  const weft_halves own = *given, *halves = &own;
  for (size_t skipped = 0; skipped < 2; ++skipped) {
    row_of_parity row = every_second(halves, first, count, skipped);
    size_t k = 0;
    for (; k + WEFT_LANES <= row.count; k += WEFT_LANES) {
      predict_vector(&numbers, halves, row.place + k, WEFT_LANES);
    }
    if (k < row.count) predict_vector(&numbers, halves, row.place + k, (uint32_t)(row.count - k));
  }
}

/* ---- move_pins ---- */

/* Of so many pins; lanes past them do what the last one does. */
LANE void move_some_pins(const weft_uniforms *u, const weft_pin_path *pins, weft_way way,
                         const weft_halves *halves, size_t count) {
  uint32_t rows[WEFT_LANES], places[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    size_t pin = l < count ? l : count - 1;
    rows[l] = (uint32_t)(pin * sizeof *pins);
    places[l] = (uint32_t)weft_halves_place(halves, pins[pin].particle);
  }
  const vec4 *ends = (const vec4 *)(const void *)pins;
  v3 from = xyz(load_particles(ends, rows)), to = xyz(load_particles(ends + 1, rows));
  v3 start = gather_three(halves->x_prev, halves->component, places);
  v3 position = pin_on_its_way(from, to, all(way.begin), all(way.end), start, all(u->self_escape));
  scatter_split(halves->x, halves->component, places, position);
  scatter_split(halves->v, halves->component, places,
                pin_velocity(position, start, all(u->inv_dt)));
}

static void move_pins_staying(const weft_uniforms *u, const weft_pin_path *pins, weft_way way,
                              const weft_halves *halves, size_t count) {
  for (size_t k = 0; k < count; k += WEFT_LANES) {
    size_t left = count - k;
    move_some_pins(u, pins + k, way, halves, left < WEFT_LANES ? left : WEFT_LANES);
  }
}

static void move_pins_beside(const weft_uniforms *u, const weft_pin_path *pins, weft_way way,
                             const weft_halves *halves, size_t count, uint32_t parts,
                             uint32_t first) {
  size_t component = halves->component;
  uint32_t rows[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    rows[l] = (uint32_t)((l < parts ? l : parts - 1) * count * sizeof *pins);
  }
  for (size_t k = 0; k < count; ++k, ++pins) {
    size_t place = (size_t)(pins->particle - first) * WEFT_LANES;
    const vec4 *ends = (const vec4 *)(const void *)pins;
    v3 from = xyz(load_particles(ends, rows)), to = xyz(load_particles(ends + 1, rows));
    v3 start = load_three(halves->x_prev + place, component);
    v3 position =
        pin_on_its_way(from, to, all(way.begin), all(way.end), start, all(u->self_escape));
    store_split(halves->x + place, component, position);
    store_split(halves->v + place, component, pin_velocity(position, start, all(u->inv_dt)));
  }
}

/* ---- collide, update_velocity after it ---- */

LANE v3 load_three_of(const float *x, size_t component, uint32_t n) {
  return (v3){load_of(x, n), load_of(x + component, n), load_of(x + 2 * component, n)};
}

LANE void store_three_of(float *x, size_t component, uint32_t n, v3 p) {
  store_of(x, n, p.x);
  store_of(x + component, n, p.y);
  store_of(x + 2 * component, n, p.z);
}

/* Nobody is swept by a plane. What does not move is not written: attachments of another thread's
 * particles read pins meanwhile. */
LANE void collide_planes(const weft_shapes *shapes, const weft_halves *halves, size_t place,
                         uint32_t n, vi moves) {
  float *x = halves->x + place;
  pair3 p = pair3_single(load_three_of(x, halves->component, n)), before = p;
  before.high = load_three_of(halves->x_prev + place, halves->component, n);
  for (uint32_t k = 0; k < shapes->count; ++k) {
    meet(shapes, k, false, false, kept_if(moves, all(1)), &p, &before);
  }
  v3 kept = {exact_flush(p.high.x), exact_flush(p.high.y), exact_flush(p.high.z)};
  if (everywhere(moves)) {
    store_three_of(x, halves->component, WEFT_LANES, kept);
  } else {
    store_split_where(x, halves->component, kept, moves);
  }
}

LANE void update_component(const float *x, const float *x_prev, float *v, uint32_t n, vi moves,
                           const substep_numbers *u) {
  vf before = load_of(v, n);
  vf velocity = updated_velocity(load_of(x, n), load_of(x_prev, n), before, u->dt, u->inv_dt);
  store_of(v, n, choose(moves, velocity, before));
}

/* Of planes alone. */
LANE void settle_vector(const substep_numbers *u, const weft_shapes *planes,
                        const weft_halves *halves, size_t place, uint32_t n) {
  vi moves = movable(halves, place, n);
  if (planes) collide_planes(planes, halves, place, n, moves);
  if (!u) return;
  size_t y = halves->component, z = 2 * y;
  const float *x = halves->x + place, *x_prev = halves->x_prev + place;
  float *v = halves->v + place;
  update_component(x, x_prev, v, n, moves, u);
  update_component(x + y, x_prev + y, v + y, n, moves, u);
  update_component(x + z, x_prev + z, v + z, n, moves, u);
}

LANE void settle_row(const substep_numbers *u, const weft_shapes *planes, const weft_halves *halves,
                     row_of_parity row) {
  size_t k = 0;
  for (; k + WEFT_LANES <= row.count; k += WEFT_LANES) {
    settle_vector(u, planes, halves, row.place + k, WEFT_LANES);
  }
  if (k < row.count) {
    settle_vector(u, planes, halves, row.place + k, (uint32_t)(row.count - k));
  }
}

/* ---- other shapes: blocks of particles as in lanes_collide.h, all of one parity ---- */

/* Into rows; of n particles the last one once more for each that is missing. */
LANE void block_to_rows(const float *from, const float *w, size_t component, uint32_t n, vec4 *to) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  for (uint32_t k = 0; n == PARTICLE_BLOCK && k < PARTICLE_BLOCK; k += WEFT_LANES) {
    store_particles(to + k, at, load_three(from + k, component), load(w + k));
  }
  for (uint32_t k = 0; n < PARTICLE_BLOCK && k < PARTICLE_BLOCK; ++k) {
    size_t i = k < n ? k : n - 1;
    to[k] = (vec4){from[i], from[i + component], from[i + 2 * component], w[i]};
  }
}

LANE void block_from_rows(const vec4 *from, size_t component, uint32_t n, float *to) {
  for (uint32_t k = 0; k < n; ++k) {
    if (from[k].w == 0) continue;
    to[k] = from[k].x;
    to[k + component] = from[k].y;
    to[k + 2 * component] = from[k].z;
  }
}

LANE void collide_block(const weft_shapes *shapes, const weft_halves *halves, size_t place,
                        uint32_t n) {
  vec4 x[PARTICLE_BLOCK], x_prev[PARTICLE_BLOCK];
  float *from = halves->x + place, *w = from + 3 * halves->component;
  block_to_rows(from, w, halves->component, n, x);
  block_to_rows(halves->x_prev + place, w, halves->component, n, x_prev);
  collide_singles(shapes, &(weft_pair_state){.x = x, .x_prev = x_prev});
  block_from_rows(x, halves->component, n, from);
}

LANE void collide_row(const weft_shapes *shapes, const weft_halves *halves, row_of_parity row) {
  for (size_t k = 0; k < row.count; k += PARTICLE_BLOCK) {
    size_t left = row.count - k;
    collide_block(shapes, halves, row.place + k,
                  left < PARTICLE_BLOCK ? (uint32_t)left : PARTICLE_BLOCK);
  }
}

/* Inlined for what there is. */
LANE void settle_rows(const substep_numbers *u, const weft_shapes *shapes, bool planes,
                      const weft_halves *halves, size_t first, size_t count) {
  for (size_t skipped = 0; skipped < 2; ++skipped) {
    row_of_parity row = every_second(halves, first, count, skipped);
    if (shapes && !planes) collide_row(shapes, halves, row);
    if (u || planes) settle_row(u, planes ? shapes : NULL, halves, row);
  }
}

static void settle_staying(const weft_uniforms *u, const weft_shapes *shapes,
                           const weft_halves *given, size_t first, size_t count) {
  const weft_halves halves = *given;
  if (!u) {
    settle_rows(NULL, shapes, !shapes->solid, &halves, first, count);
    return;
  }
  const substep_numbers numbers = numbers_of_substep(u);
  if (shapes && !shapes->solid) {
    settle_rows(&numbers, shapes, true, &halves, first, count);
  } else {
    settle_rows(&numbers, shapes, false, &halves, first, count);
  }
}
