/* lanes_particles.h: passes in which every particle is alone. A part of lanes_kernels.h. */

/* ---- particles side by side: a quad of lanes is a particle ---- */

enum { SIDE_BY_SIDE = WEFT_LANES / 4 };

/* Ones in x, y and z of each quad, zeros in w. */
LANE vi vector_part(void) {
  const quad one = {1, 1, 1, 0};
  vf ones;
  for (int k = 0; k < SIDE_BY_SIDE; ++k) memcpy((char *)&ones + 16 * k, &one, sizeof one);
  return ones > all(0);
}

LANE vf in_each_quad(vec4 v) {
  vf all_of_it;
  for (int k = 0; k < SIDE_BY_SIDE; ++k) memcpy((char *)&all_of_it + 16 * k, &v, sizeof v);
  return all_of_it;
}

static size_t predict(const weft_uniforms *u, vec4 *x, vec4 *x_prev, vec4 *v, size_t count) {
  const vi vector = vector_part();
  const vf gravity_step = in_each_quad(u->gravity_step), keep = all(u->keep), dt = all(u->dt);
  size_t k = 0;
  for (; k + SIDE_BY_SIDE <= count; k += SIDE_BY_SIDE) {
    vf p = load(x + k);
    store(x_prev + k, p);
    vi moves = SPREAD(p, 3) != all(0);
    moves = moves & vector;
    vf velocity = load(v + k);
    velocity = velocity + gravity_step;
    velocity = velocity * keep;
    velocity = snap(velocity);
    vf step = velocity * dt;
    vf predicted = p + step;
    predicted = snap(predicted);
    store(v + k, kept_if(moves, velocity));
    store(x + k, choose(moves, predicted, p));
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
    vf step = before * dt;
    vf predicted = load(x_prev + k) + step;
    predicted = snap(predicted);
    vf correction = p - predicted;
    correction = correction * inv_dt;
    vf velocity = before + correction;
    velocity = snap(velocity);
    velocity = kept_if(vector, velocity);
    store(v + k, choose(moves, velocity, before));
  }
  return k;
}
