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
