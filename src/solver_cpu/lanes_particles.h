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
