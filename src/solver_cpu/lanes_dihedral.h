/* lanes_dihedral.h: project_dihedral in vectors. A part of lanes_kernels.h. */

LANE v3 neg(v3 a) { return (v3){-a.x, -a.y, -a.z}; }

LANE v3 cross(v3 a, v3 b) {
  v3 l = {a.y * b.z, a.z * b.x, a.x * b.y};
  v3 r = {a.z * b.y, a.x * b.z, a.y * b.x};
  return sub(l, r);
}

LANE vf atan2_of(vf y, vf x) {
  vf ax = absolute(x), ay = absolute(y);
  vi steep = ay > ax;
  vf high = choose(steep, ay, ax);
  vf low = choose(steep, ax, ay);
  vf cut = high * 0.414213567972183227539f;
  vi wide = low > cut;
  vf sum = low + high;
  vf difference = low - high;
  vf numerator = choose(wide, difference, low);
  vf denominator = choose(wide, sum, high);
  vf t = numerator * rcp(denominator);
  t = flush(t);
  vf z = t * t;
  vf p = 0.0805374458432197570801f * z;
  p = p - 0.138776853680610656738f;
  p = p * z;
  p = p + 0.199777111411094665527f;
  p = p * z;
  p = p - 0.333329498767852783203f;
  p = p * z;
  p = p * t;
  p = p + t;
  vf shifted = p + 0.785398185253143310547f;
  vf angle = choose(wide, shifted, p);
  vf complement = 1.57079637050628662109f - angle;
  angle = choose(steep, complement, angle);
  vf supplement = 3.14159274101257324219f - angle;
  angle = choose(x < all(0), supplement, angle);
  return choose(y < all(0), -angle, angle);
}

/* The angle between two triangles, and how it changes with their particles. */
typedef struct fold {
  vf angle;
  v3 g[4];
  vi defined;
} fold;

LANE fold fold_of(const v4 p[4]) {
  v3 e = flush3(sub(xyz(p[3]), xyz(p[2])));
  v3 a2 = flush3(sub(xyz(p[2]), xyz(p[0])));
  v3 a3 = flush3(sub(xyz(p[3]), xyz(p[0])));
  v3 b2 = flush3(sub(xyz(p[2]), xyz(p[1])));
  v3 b3 = flush3(sub(xyz(p[3]), xyz(p[1])));
  v3 n1 = flush3(cross(a2, a3));
  v3 n2 = flush3(cross(b3, b2));
  vf e_2 = dot(e, e), n1_2 = dot(n1, n1), n2_2 = dot(n2, n2);
  vf least = e_2 * e_2;
  least = least * (float)WEFT_MIN_LENGTH_RATIO2;
  least = least * (float)WEFT_MIN_LENGTH_RATIO2;
  fold f = {.defined = (n1_2 > least) & (n2_2 > least) & (e_2 > all(0))};
  vf e_inverse = rsqrt(e_2);
  vf e_length = e_2 * e_inverse;
  v3 e_unit = scale(e, e_inverse);
  v3 u1 = flush3(scale(n1, rsqrt(n1_2)));
  v3 u2 = flush3(scale(n2, rsqrt(n2_2)));
  v3 turned = flush3(cross(u1, u2));
  vf sine = flush(dot(turned, e_unit));
  vf cosine = flush(dot(u1, u2));
  f.angle = atan2_of(sine, cosine);
  v3 m1 = scale(n1, rcp(n1_2));
  v3 m2 = scale(n2, rcp(n2_2));
  f.g[0] = scale(m1, -e_length);
  f.g[1] = scale(m2, -e_length);
  f.g[2] = add(scale(m1, dot(a3, e_unit)), scale(m2, dot(b3, e_unit)));
  f.g[3] = neg(add(scale(m1, dot(a2, e_unit)), scale(m2, dot(b2, e_unit))));
  return f;
}

LANE vf damped_fold(const vec4 *x_prev, const uint32_t *q, const v4 p[4], const fold *f) {
  vf damped = all(0);
  for (int r = 0; r < 4; ++r) {
    v3 moved = flush3(sub(xyz(p[r]), xyz(load_particles(x_prev, q + r * WEFT_LANES))));
    vf part = dot(f->g[r], moved);
    damped = r ? damped + part : part;
  }
  return flush(damped);
}

/* lambda: NULL where there are no multipliers. */
LANE void project_folds(vec4 *x, const vec4 *x_prev, float *lambda, const uint32_t *q, bool reset) {
  const uint32_t *values = q + 4 * WEFT_LANES, *own = q + 8 * WEFT_LANES;
  vf rest_angle = load(values), compliance = load(values + WEFT_LANES);
  vf gamma = load(values + 2 * WEFT_LANES), relaxation = load(values + 3 * WEFT_LANES);
  v4 p[4];
  for (int r = 0; r < 4; ++r) p[r] = load_particles(x, q + r * WEFT_LANES);
  fold f = fold_of(p);
  vf violation = f.angle - rest_angle;
  vf lower = violation - 6.28318548202514648438f;
  vf higher = violation + 6.28318548202514648438f;
  violation = choose(violation > all(3.14159274101257324219f), lower, violation);
  violation = choose(violation < all(-3.14159274101257324219f), higher, violation);
  vf sum = dot(f.g[0], f.g[0]) * p[0].w;
  for (int r = 1; r < 4; ++r) sum = sum + dot(f.g[r], f.g[r]) * p[r].w;
  vf before = all(0);
  if (lambda) {
    if (!reset) before = gather(lambda, own);
    vf held = compliance * before;
    vf damped = damped_fold(x_prev, q, p, &f) * gamma;
    violation = violation + held;
    violation = violation + damped;
    sum = sum + sum * gamma;
  }
  vi defined = f.defined & (sum > all((float)WEFT_TRIM)) & (sum < all((float)WEFT_LARGEST));
  sum = sum + compliance;
  vf step = violation * rcp(sum);
  step = step * relaxation;
  step = trim(kept_if(defined, step));
  if (lambda) scatter(lambda, own, trim(before - step));
  vi rests = step == all(0);
  for (int r = 0; r < 4; ++r) {
    v3 to = flush3(sub(xyz(p[r]), scale(f.g[r], step * p[r].w)));
    store_particles(x, q + r * WEFT_LANES, choose3(rests, xyz(p[r]), to), p[r].w);
  }
}

static void dihedral(vec4 *x, const uint32_t *q, size_t count) {
  for (size_t k = 0; k < count; ++k, q += WEFT_DIHEDRAL_WORDS * WEFT_LANES) {
    fetch_ahead(q, WEFT_DIHEDRAL_WORDS);
    project_folds(x, NULL, NULL, q, false);
  }
}

static void dihedral_lambda(vec4 *x, const vec4 *x_prev, float *lambda, const uint32_t *q,
                            size_t count, bool reset) {
  for (size_t k = 0; k < count; ++k, q += WEFT_DIHEDRAL_LAMBDA_WORDS * WEFT_LANES) {
    fetch_ahead(q, WEFT_DIHEDRAL_LAMBDA_WORDS);
    project_folds(x, x_prev, lambda, q, reset);
  }
}
