/* lanes_particles.h: passes in which every particle is alone, components side by side. A part of
 * lanes_kernels.h. */

static size_t predict(const weft_uniforms *u, vec4 *x, vec4 *x_prev, vec4 *v, size_t count) {
  const vi vector = vector_part();
  const vf gravity_step = in_each_quad(u->gravity_step), keep = all(u->keep), dt = all(u->dt);
  size_t k = 0;
  for (; k + SIDE_BY_SIDE <= count; k += SIDE_BY_SIDE) {
    vf p = load(x + k);
    store(x_prev + k, p);
    vi moves = SPREAD(p, 3) != all(0);
    moves = moves & vector;
    vf velocity = predicted_velocity(load(v + k), gravity_step, keep);
    store(v + k, kept_if(moves, velocity));
    store(x + k, choose(moves, predicted_position(p, velocity, dt), p));
  }
  return k;
}

static size_t update_velocity(const weft_uniforms *u, const vec4 *x, const vec4 *x_prev, vec4 *v,
                              size_t count) {
  const vi vector = vector_part();
  const vf dt = all(u->dt), inv_dt = all(u->inv_dt);
  size_t k = 0;
  for (; k + SIDE_BY_SIDE <= count; k += SIDE_BY_SIDE) {
    vf p = load(x + k), before = load(v + k);
    vi moves = SPREAD(p, 3) != all(0);
    vf velocity = updated_velocity(p, load(x_prev + k), before, dt, inv_dt);
    store(v + k, choose(moves, kept_if(vector, velocity), before));
  }
  return k;
}

/* Vertices of bodies in a substep that begins and ends at these parts of the frame's path. */
static size_t move_bodies(const weft_uniforms *u, const weft_body_path *paths, weft_way way,
                          vec4 *x, vec4 *x_prev, size_t count) {
  const vec4 *ends = (const vec4 *)(const void *)paths;
  uint32_t rows[WEFT_LANES], both[WEFT_LANES];
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    rows[l] = l * (uint32_t)sizeof *x;
    both[l] = l * (uint32_t)sizeof *paths;
  }
  size_t k = 0;
  for (; k + WEFT_LANES <= count; k += WEFT_LANES) {
    v4 from = load_particles(ends + 2 * k, both), to = load_particles(ends + 2 * k + 1, both);
    v4 start = load_particles(x + k, rows);
    v3 position = pin_on_its_way(xyz(from), xyz(to), all(way.begin), all(way.end), xyz(start),
                                 all(u->self_escape));
    position = choose3(to.w != all(0), xyz(start), position);
    store_particles(x_prev + k, rows, xyz(start), start.w);
    store_particles(x + k, rows, position, all(0));
  }
  return k;
}

/* Vertices of one shape, side by side; lanes past the last one do what that does. */
LANE void move_shape(const weft_uniforms *u, const weft_shape_path *paths,
                     const weft_collider_pose *now, const weft_collider_pose *then, weft_way way,
                     vec4 *x, vec4 *x_prev, size_t count) {
  const vec4 *ends = (const vec4 *)(const void *)paths;
  for (size_t k = 0; k < count; k += WEFT_LANES) {
    uint32_t rows[WEFT_LANES], three[WEFT_LANES];
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      const uint32_t i = (uint32_t)(k + l < count ? k + l : count - 1);
      rows[l] = i * (uint32_t)sizeof *x;
      three[l] = i * (uint32_t)sizeof *paths;
    }
    v4 from = load_particles(ends, three), to = load_particles(ends + 1, three);
    v4 start = load_particles(x, rows);
    v3 came_from = shape_point(*then, from, to, all(way.begin));
    v3 position = shape_point(*now, from, to, all(way.end));
    position = pin_after(position, xyz(start), v3_sub(position, came_from), all(u->self_escape));
    if (paths->stays) position = xyz(start);
    store_particles(x_prev, rows, xyz(start), start.w);
    store_particles(x, rows, position, all(0));
  }
}

static void move_shapes(const weft_uniforms *u, const weft_shape_path *paths,
                        const weft_collider_pose *now, const weft_collider_pose *then, weft_way way,
                        vec4 *x, vec4 *x_prev, size_t count) {
  for (size_t k = 0, end; k < count; k = end) {
    const uint32_t collider = paths[k].collider;
    for (end = k + 1; end < count && paths[end].collider == collider; ++end) continue;
    move_shape(u, paths + k, now + collider, then + collider, way, x + k, x_prev + k, end - k);
  }
}

/* ---- the same of pairs ---- */

LANE pair load_pair(const vec4 *high, const vec4 *low) { return pair_of(load(high), load(low)); }

static size_t predict_pairs(const weft_uniforms *u, const weft_pair_state *s, size_t count) {
  const vi vector = vector_part();
  const vf gravity_step = in_each_quad(u->gravity_step), keep = all(u->keep), dt = all(u->dt);
  size_t k = 0;
  for (; k + SIDE_BY_SIDE <= count; k += SIDE_BY_SIDE) {
    pair p = load_pair(s->x + k, s->x_low + k);
    store(s->x_prev + k, p.high);
    store(s->x_prev_low + k, p.low);
    vi moves = SPREAD(p.high, 3) != all(0);
    moves = moves & vector;
    pair velocity = predicted_velocity_pair(load_pair(s->v + k, s->v_low + k), gravity_step, keep);
    pair to = predicted_position_pair(p, velocity, dt);
    store(s->v + k, kept_if(moves, velocity.high));
    store(s->v_low + k, kept_if(moves, velocity.low));
    store(s->x + k, choose(moves, to.high, p.high));
    store(s->x_low + k, choose(moves, to.low, p.low));
  }
  return k;
}

static size_t update_velocity_pairs(const weft_uniforms *u, const weft_pair_state *s,
                                    size_t count) {
  const vi vector = vector_part();
  const vf dt = all(u->dt), inv_dt = all(u->inv_dt);
  size_t k = 0;
  for (; k + SIDE_BY_SIDE <= count; k += SIDE_BY_SIDE) {
    pair p = load_pair(s->x + k, s->x_low + k), before = load_pair(s->v + k, s->v_low + k);
    vi moves = SPREAD(p.high, 3) != all(0);
    pair velocity =
        updated_velocity_pair(p, load_pair(s->x_prev + k, s->x_prev_low + k), before, dt, inv_dt);
    store(s->v + k, choose(moves, kept_if(vector, velocity.high), before.high));
    store(s->v_low + k, choose(moves, kept_if(vector, velocity.low), before.low));
  }
  return k;
}
