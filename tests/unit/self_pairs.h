/* self_pairs.h: pairs of features at random for the proof of self-collision, of all awkward kinds,
 * their motions, and what parts them: signs of n . (x_k - x_l) without any rounding, in integers.
 */
#ifndef WEFT_TESTS_SELF_PAIRS_H
#define WEFT_TESTS_SELF_PAIRS_H

/* ---- pairs ---- */

enum {
  GENERIC,
  SLIVER,        /* corners nearly on a line */
  PARALLEL,      /* edges nearly parallel; a vertex in the triangle's plane */
  NEAR,          /* 0.3 to 3 of the floor apart, or down to a millionth of it */
  NEAR_PARALLEL, /* the same, of edges nearly parallel; beside a triangle */
  FAR,           /* up to 1 km from the origin */
  COINCIDENT,    /* corners in one place */
  KINDS
};

typedef struct feature_pair {
  bool edges;
  int kind;
  float least; /* the floor */
  weft_vec3 x[4];
} feature_pair;

static weft_vec3d any_within(weft_rng *rng, double side) {
  return weft_v3d(side * (double)weft_rng_float(rng, -1, 1),
                  side * (double)weft_rng_float(rng, -1, 1),
                  side * (double)weft_rng_float(rng, -1, 1));
}

static weft_vec3d along_line(weft_vec3d from, weft_vec3d way, double part) {
  return weft_v3d_add(from, weft_v3d_scale(way, part));
}

static weft_vec3d crossed(weft_vec3d a, weft_vec3d b) {
  return weft_v3d(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static weft_vec3d of_length_1(weft_vec3d v) {
  double length = sqrt(weft_v3d_dot(v, v));
  return length > 0 ? weft_v3d_scale(v, 1 / length) : weft_v3d(1, 0, 0);
}

/* The first feature at a distance from a point of the second: over its face, or across both. */
static void put_near(weft_rng *rng, bool edges, double apart, bool parallel, weft_vec3d x[4]) {
  double u = (double)weft_rng_float(rng, 0, 1), v = (double)weft_rng_float(rng, 0, 1) * (1 - u);
  weft_vec3d second = weft_v3d_sub(x[3], x[2]);
  if (edges) {
    weft_vec3d first = weft_v3d_sub(x[1], x[0]);
    if (parallel) first = weft_v3d_add(second, any_within(rng, u < 0.5 ? 1e-6 : 1e-3));
    weft_vec3d n = of_length_1(crossed(first, second));
    weft_vec3d at = along_line(along_line(x[2], second, u), n, apart);
    x[0] = along_line(at, first, -v);
    x[1] = along_line(at, first, 1 - v);
  } else {
    weft_vec3d ab = weft_v3d_sub(x[2], x[1]), ac = weft_v3d_sub(x[3], x[1]);
    weft_vec3d n = of_length_1(crossed(ab, ac));
    if (parallel) n = of_length_1(crossed(ab, n));
    x[0] = along_line(along_line(along_line(x[1], ab, u), ac, parallel ? 0 : v), n, apart);
  }
}

static double near_apart(weft_rng *rng, double least) {
  if (weft_rng_u32(rng) % 2) return least * (double)weft_rng_float(rng, 0.3f, 3);
  return least * pow(10, (double)weft_rng_float(rng, -6, 0));
}

static void shape_pair(weft_rng *rng, feature_pair *pair, weft_vec3d x[4]) {
  double tiny = 1e-7 * (double)weft_rng_float(rng, 0, 100);
  double part = (double)weft_rng_float(rng, 0, 1);
  switch (pair->kind) {
    case SLIVER:
      x[3] = weft_v3d_add(along_line(x[1], weft_v3d_sub(x[2], x[1]), part), any_within(rng, tiny));
      break;
    case PARALLEL:
      x[1] = weft_v3d_add(weft_v3d_add(x[0], weft_v3d_sub(x[3], x[2])), any_within(rng, tiny));
      break;
    case NEAR:
    case NEAR_PARALLEL:
      put_near(rng, pair->edges, near_apart(rng, (double)pair->least), pair->kind == NEAR_PARALLEL,
               x);
      break;
    case FAR:
      if (part < 0.5) put_near(rng, pair->edges, (double)pair->least * 8 * part, false, x);
      break;
    case COINCIDENT:
      x[weft_rng_u32(rng) % 4] = x[weft_rng_u32(rng) % 4];
      if (part < 0.3) x[weft_rng_u32(rng) % 4] = x[weft_rng_u32(rng) % 4];
      break;
    default:
      break;
  }
}

static feature_pair any_pair_of_features(weft_rng *rng) {
  feature_pair pair = {.edges = weft_rng_u32(rng) % 2 == 0,
                       .kind = (int)(weft_rng_u32(rng) % KINDS)};
  double scale = weft_rng_u32(rng) % 2 ? 1 : 4;
  double side = weft_rng_u32(rng) % 2 ? 0.02 : 0.002;
  pair.least = (float)(scale * 0x1p-17);
  weft_vec3d x[4];
  for (int k = 0; k < 4; ++k) x[k] = any_within(rng, side);
  shape_pair(rng, &pair, x);
  weft_vec3d place = any_within(rng, pair.kind == FAR ? 1000 : scale / 2);
  for (int k = 0; k < 4; ++k) {
    weft_vec3d at = weft_v3d_add(x[k], place);
    pair.x[k] = weft_v3((float)at.x, (float)at.y, (float)at.z);
  }
  return pair;
}

/* ---- motions ---- */

static const float shared_speeds[] = {0, 0.001f, 0.1f, 4}; /* m a substep */

/* Where the corners are to go: with a motion that all share, and nearer along the normal or
 * anywhere, by about the gap. */
static void any_ends(weft_rng *rng, const feature_pair *pair, self_normal n, weft_vec3 to[4]) {
  double own = (double)n.gap * (double)weft_rng_float(rng, 0.05f, 3);
  if (weft_rng_u32(rng) % 8 == 0) own = 0.01;
  weft_vec3d shared = any_within(rng, (double)shared_speeds[weft_rng_u32(rng) % 4]);
  for (int k = 0; k < 4; ++k) {
    bool first = k == 0 || (pair->edges && k == 1);
    double along = own * (double)weft_rng_float(rng, -0.5f, 1) * (first ? -1 : 1);
    weft_vec3d towards = weft_v3d((double)n.n.x, (double)n.n.y, (double)n.n.z);
    weft_vec3d move = weft_v3d_add(shared, weft_v3d_scale(towards, along));
    if (weft_rng_u32(rng) % 2) move = weft_v3d_add(move, any_within(rng, own));
    if (weft_rng_u32(rng) % 16 == 0) move = weft_v3d(0, 0, 0);
    to[k] = weft_v3((float)((double)pair->x[k].x + move.x), (float)((double)pair->x[k].y + move.y),
                    (float)((double)pair->x[k].z + move.z));
  }
}

/* As SELF_MOVE. */
static weft_vec3 move_of(weft_vec3 from, weft_vec3 to) {
  return exact_flush3(weft_v3_sub(to, from));
}

/* As self_advance. */
static weft_vec3 held_at(weft_vec3 from, weft_vec3 to, uint32_t share) {
  if (share == WEFT_SELF_WHOLE) return to;
  return share == 0 ? from : self_held(from, move_of(from, to), share);
}

/* A share that self_flag lets pass: any of a marked corner's, else the whole. */
static uint32_t any_share(weft_rng *rng, bool anywhere) {
  uint32_t missing = anywhere ? weft_rng_u32(rng) % (WEFT_SELF_WHOLE + 1) : 0;
  if (anywhere && weft_rng_u32(rng) % 4 == 0) missing = WEFT_SELF_WHOLE;
  return WEFT_SELF_WHOLE - missing;
}

typedef struct trial {
  weft_vec3 to[4], moves[4];
  bool anywhere[4];
} trial;

static trial any_trial(weft_rng *rng, const feature_pair *pair, self_normal n) {
  trial t;
  any_ends(rng, pair, n, t.to);
  for (int c = 0; c < 4; ++c) {
    t.moves[c] = move_of(pair->x[c], t.to[c]);
    t.anywhere[c] = weft_rng_u32(rng) % 3 == 0;
  }
  return t;
}

static bool is_marked(const trial *t) {
  return t->anywhere[0] || t->anywhere[1] || t->anywhere[2] || t->anywhere[3];
}

/* Where corners may end; all where they are to go if `whole`. */
static void any_held(weft_rng *rng, const feature_pair *pair, const trial *t, bool whole,
                     weft_vec3 ends[4]) {
  for (int c = 0; c < 4; ++c) {
    uint32_t share = any_share(rng, t->anywhere[c]);
    ends[c] = held_at(pair->x[c], t->to[c], whole ? WEFT_SELF_WHOLE : share);
  }
}

/* ---- signs without rounding ---- */

/* A float as an interval of integers of 2^-60: a point but for bits below that. */
typedef struct span {
  __int128 low, high;
} span;

static span span_of(float x) {
  double scaled = ldexp((double)x, 60);
  return (span){(__int128)floor(scaled), (__int128)ceil(scaled)};
}

static span span_between(float a, float b) {
  span x = span_of(a), y = span_of(b);
  return (span){x.low - y.high, x.high - y.low};
}

/* A lower bound of a product: below 2^121 for a component of a normal and a distance below 2. */
static __int128 least_product(span a, span b) {
  const __int128 all[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  __int128 least = all[0];
  for (int k = 1; k < 4; ++k) least = all[k] < least ? all[k] : least;
  return least;
}

/* Whether n . (a - b) > 0 without a doubt. */
static bool is_ahead(weft_vec3 n, weft_vec3 a, weft_vec3 b) {
  const __int128 sum = least_product(span_of(n.x), span_between(a.x, b.x)) +
                       least_product(span_of(n.y), span_between(a.y, b.y)) +
                       least_product(span_of(n.z), span_between(a.z, b.z));
  return sum > 0;
}

/* Whether all corners of the first feature are ahead of all of the second. */
static bool is_parted(bool edges, const weft_vec3 x[4], weft_vec3 n) {
  int second = edges ? 2 : 1;
  for (int k = 0; k < second; ++k) {
    for (int l = second; l < 4; ++l) {
      if (!is_ahead(n, x[k], x[l])) return false;
    }
  }
  return true;
}

#endif
