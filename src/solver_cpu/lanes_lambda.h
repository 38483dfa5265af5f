/* lanes_lambda.h: projections that keep multipliers, in vectors. A part of lanes_kernels.h. */

/* ---- project_distance ---- */

/* What the multiplier so far and damping add to the violation. */
LANE vf held_and_damped(vf violation, vf before, vf compliance, vf gamma, v3 n, v3 moved) {
  vf held = compliance * before;
  vf damped = dot(n, flush3(moved));
  damped = flush(damped);
  damped = gamma * damped;
  violation = violation + held;
  violation = violation + damped;
  return violation;
}

static void distance_lambda(vec4 *x, const vec4 *x_prev, float *lambda, const uint32_t *block,
                            size_t count, uint32_t sense, bool reset) {
  for (size_t k = 0; k < count; ++k, block += WEFT_DISTANCE_LAMBDA_WORDS * WEFT_LANES) {
    const uint32_t *a = block, *b = block + WEFT_LANES, *own = block + 6 * WEFT_LANES;
    fetch_ahead(block, WEFT_DISTANCE_LAMBDA_WORDS);
    v4 pa = load_particles(x, a), pb = load_particles(x, b);
    v3 difference = flush3(sub(xyz(pa), xyz(pb)));
    vf length2 = dot(difference, difference);
    vf rest_length = load(block + 2 * WEFT_LANES);
    vf shortest2 = rest_length * rest_length;
    shortest2 = shortest2 * (float)WEFT_MIN_LENGTH_RATIO2;
    vf inverse = rsqrt(length2);
    vf len = length2 * inverse;
    v3 n = scale(difference, inverse);
    vf violation = len - rest_length;
    vf before = reset ? all(0) : gather(lambda, own);
    v3 moved_a = sub(xyz(pa), xyz(load_particles(x_prev, a)));
    v3 moved_b = sub(xyz(pb), xyz(load_particles(x_prev, b)));
    violation = held_and_damped(violation, before, load(block + 4 * WEFT_LANES),
                                load(block + 5 * WEFT_LANES), n, sub(moved_a, moved_b));
    vf step = violation * load(block + 3 * WEFT_LANES);
    step = kept_if(length2 > shortest2, step);
    step = trim(step);
    vf after = trim(before - step);
    vi stops = {0};
    if (sense == WEFT_ACTS_STRETCHED) stops = after > all(0);
    if (sense == WEFT_ACTS_COMPRESSED) stops = after < all(0);
    step = choose(stops, before, step);
    after = kept_if(~stops, after);
    scatter(lambda, own, after);
    vi rests = step == all(0);
    vf step_a = pa.w * step;
    vf step_b = pb.w * step;
    v3 new_a = sub(xyz(pa), scale(n, step_a));
    v3 new_b = add(xyz(pb), scale(n, step_b));
    store_particles(x, a, choose3(rests, xyz(pa), flush3(new_a)), pa.w);
    store_particles(x, b, choose3(rests, xyz(pb), flush3(new_b)), pb.w);
  }
}

/* ---- project_isometric ---- */

LANE v3 weighted_sum(v3 p0, v3 p1, v3 p2, v3 p3, const uint32_t *weights) {
  v3 d0 = scale(sub(p0, p3), load(weights));
  v3 d1 = scale(sub(p1, p3), load(weights + WEFT_LANES));
  v3 d2 = scale(sub(p2, p3), load(weights + 2 * WEFT_LANES));
  v3 s = add(d0, d1);
  s = add(s, d2);
  return flush3(s);
}

static void isometric_lambda(vec4 *x, const vec4 *x_prev, vec4 *lambda, const uint32_t *q,
                             size_t count, bool reset) {
  for (size_t k = 0; k < count; ++k, q += WEFT_ISOMETRIC_LAMBDA_WORDS * WEFT_LANES) {
    const uint32_t *weights = q + 4 * WEFT_LANES, *own = q + 10 * WEFT_LANES;
    fetch_ahead(q, WEFT_ISOMETRIC_LAMBDA_WORDS);
    v4 p[4], then[4];
    for (int r = 0; r < 4; ++r) {
      p[r] = load_particles(x, q + r * WEFT_LANES);
      then[r] = load_particles(x_prev, q + r * WEFT_LANES);
    }
    v3 violation = weighted_sum(xyz(p[0]), xyz(p[1]), xyz(p[2]), xyz(p[3]), weights);
    v3 sum_then = weighted_sum(xyz(then[0]), xyz(then[1]), xyz(then[2]), xyz(then[3]), weights);
    const v3 none = {all(0), all(0), all(0)};
    v3 before = reset ? none : xyz(load_particles(lambda, own));
    v3 held = scale(before, load(q + 8 * WEFT_LANES));
    v3 damped = flush3(sub(violation, sum_then));
    damped = scale(damped, load(q + 9 * WEFT_LANES));
    violation = add(violation, held);
    violation = add(violation, damped);
    v3 step = trim3(scale(violation, load(q + 7 * WEFT_LANES)));
    store_particles(lambda, own, trim3(sub(before, step)), all(0));
    vf k0 = load(weights), k1 = load(weights + WEFT_LANES), k2 = load(weights + 2 * WEFT_LANES);
    vf k3 = k0 + k1;
    k3 = k3 + k2;
    k3 = -k3;
    store_particles(x, q, move_by(p[0], step, k0), p[0].w);
    store_particles(x, q + WEFT_LANES, move_by(p[1], step, k1), p[1].w);
    store_particles(x, q + 2 * WEFT_LANES, move_by(p[2], step, k2), p[2].w);
    store_particles(x, q + 3 * WEFT_LANES, move_by(p[3], step, k3), p[3].w);
  }
}
