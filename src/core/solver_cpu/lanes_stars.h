/* lanes_stars.h: passes/self_certify_stars.h in vectors: a lane is a star. Closed fans and open
 * ones lie in vectors apart. A part of lanes_kernels.h. */

enum { RAYS = WEFT_SELF_FAN_MOST + 1 };

/* Stars of one kind. Their rays from the first to the last, which of a closed fan is the first
 * again: particles, bytes from x. */
typedef struct stars {
  uint32_t count, most; /* the most triangles that one has */
  uint32_t own[WEFT_LANES], rays[RAYS][WEFT_LANES];
  float floors[WEFT_LANES];
  vi triangles, middles;
} stars;

/* Rays at both ends of the way. */
typedef struct rays {
  v3 from[RAYS], to[RAYS];
} rays;

/* Of the lanes that have fewer rays the last one stands there again. */
LANE void load_rays(const weft_self_run *run, const stars *s, rays *r) {
  v3 from = xyz(load_particles(run->x_prev, s->own)), to = xyz(load_particles(run->x, s->own));
  for (uint32_t k = 0; k <= s->most; ++k) {
    r->from[k] = exact_flush3(sub(xyz(load_particles(run->x_prev, s->rays[k])), from));
    r->to[k] = exact_flush3(sub(xyz(load_particles(run->x, s->rays[k])), to));
  }
}

LANE v3 normal_of_star(const stars *s, const rays *r) {
  v3 n = {all(0), all(0), all(0)};
  for (uint32_t k = 1; k <= s->most; ++k) {
    v3 more = self_spanned(n, r->from[k - 1], r->from[k]);
    n = choose3(s->triangles >= (int32_t)k, more, n);
  }
  return self_unit(n);
}

/* Whether sectors have area and the rays pass the first one once. */
LANE vi closed_are_certified(const stars *s, const rays *r) {
  v3 n = normal_of_star(s, r);
  vf before = all(0), least = load(s->floors);
  vi certified = ALWAYS, winds = {0};
  for (uint32_t k = 1; k <= s->most; ++k) {
    vi counts = s->triangles >= (int32_t)k;
    certified &=
        ~counts | self_sector_is_high(n, r->from[k - 1], r->from[k], r->to[k - 1], r->to[k], least);
    vf side = self_area(n, r->from[0], r->from[k]);
    side = choose(s->triangles == (int32_t)k, all(0), side);
    winds -= counts & (before < all(0)) & (side >= all(0));
    before = side;
  }
  return certified & (winds == 1);
}

LANE v3 ray_of(const v3 *of, const stars *s, vi at) {
  v3 ray = of[0];
  for (uint32_t k = 1; k <= s->most; ++k) ray = choose3(at == (int32_t)k, of[k], ray);
  return ray;
}

/* Whether sectors have area, those to either side of the middle ray too, and there is a gap. */
LANE vi open_are_certified(const stars *s, const rays *r) {
  v3 n = normal_of_star(s, r);
  vf least = load(s->floors);
  v3 middle = ray_of(r->from, s, s->middles), there = ray_of(r->to, s, s->middles);
  vi certified = ALWAYS;
  for (uint32_t k = 1; k <= s->most; ++k) {
    vi counts = s->triangles >= (int32_t)k;
    v3 a = r->from[k - 1], b = r->from[k], c = r->to[k - 1], d = r->to[k];
    vi high = self_sector_is_high(n, a, b, c, d, least);
    vi first = s->middles > (int32_t)(k - 1), second = s->middles < (int32_t)k;
    if (any(first)) high &= ~first | self_sector_is_high(n, a, middle, c, there, least);
    if (any(second)) high &= ~second | self_sector_is_high(n, middle, b, there, d, least);
    certified &= ~counts | high;
  }
  v3 last = ray_of(r->from, s, s->triangles), last_there = ray_of(r->to, s, s->triangles);
  return certified & self_gap_is_open(n, last, r->from[0], last_there, r->to[0], least);
}

/* Pairs of its triangles of which it is the shared corner with the lowest number. */
static void list_star(weft_self_run *run, uint32_t particle, twos *t) {
  const weft_self_star *star = &run->stars[particle];
  const uint32_t *fan = &run->fans[star->first];
  for (uint32_t k = 0; k < star->count; ++k) {
    const weft_self_triangle *first = &run->triangles[fan[k] >> 2];
    const weft_uvec3 own = first->corners;
    for (uint32_t l = k + 1; l < star->count; ++l) {
      const weft_self_triangle *second = &run->triangles[fan[l] >> 2];
      const weft_uvec3 to = second->corners;
      bool lower = (own.x < particle && has_corner(to, own.x)) ||
                   (own.y < particle && has_corner(to, own.y)) ||
                   (own.z < particle && has_corner(to, own.z));
      if (lower || first->flags & second->flags & WEFT_SELF_UNPARTED) continue;
      add_two(run, t, (weft_self_two){fan[k] >> 2, fan[l] >> 2});
    }
  }
}

/* Lists of those that are not certified. */
LANE void settle_stars(weft_self_run *run, stars *s, bool closed, twos *t) {
  if (!s->count) return;
  for (uint32_t l = 0; l < s->count; ++l) {
    uint32_t last = (uint32_t)s->triangles[l];
    for (uint32_t k = last + 1; k <= s->most; ++k) s->rays[k][l] = s->rays[last][l];
  }
  for (uint32_t l = s->count; l < WEFT_LANES; ++l) {
    s->own[l] = s->own[0];
    for (uint32_t k = 0; k <= s->most; ++k) s->rays[k][l] = s->rays[k][0];
    s->floors[l] = s->floors[0];
    s->triangles[l] = s->triangles[0];
    s->middles[l] = s->middles[0];
  }
  rays r;
  load_rays(run, s, &r);
  uint32_t failed = ~signs(closed ? closed_are_certified(s, &r) : open_are_certified(s, &r));
  for (failed &= (1u << s->count) - 1; failed; failed &= failed - 1) {
    list_star(run, s->own[__builtin_ctz(failed)] / (uint32_t)sizeof(vec4), t);
  }
  s->count = s->most = 0;
}

static void settle_closed(weft_self_run *run, stars *s, twos *t) { settle_stars(run, s, true, t); }
static void settle_open(weft_self_run *run, stars *s, twos *t) { settle_stars(run, s, false, t); }

LANE void add_star(const weft_self_run *run, uint32_t particle, stars *s) {
  const weft_self_star *star = &run->stars[particle];
  const uint32_t *from = &run->cache->rays[run->cache->first_ray[particle]];
  uint32_t l = s->count++;
  s->own[l] = particle * (uint32_t)sizeof(vec4);
  s->floors[l] = star->floor;
  s->triangles[l] = (int32_t)star->count;
  s->middles[l] = (int32_t)star->middle;
  if (s->most < star->count) s->most = star->count;
  for (uint32_t k = 0; k <= star->count; ++k) s->rays[k][l] = from[k];
}

/* Elements are places in the list of those that are asked. */
static void self_certify_stars(weft_self_run *run, uint32_t first, uint32_t count) {
  twos t = {.count = 0};
  stars closed = {.count = 0}, open = {.count = 0};
  for (uint32_t k = first; k < first + count; ++k) {
    uint32_t particle = run->asked[2 * (size_t)k + 1];
    uint32_t part = particle / run->u->self_cloth, kind = run->stars[particle].kind;
    if (part != t.part) {
      settle_closed(run, &closed, &t);
      settle_open(run, &open, &t);
      if (t.count) list_twos(run, &t);
      t.part = part;
    }
    run->asked[2 * (size_t)particle] = 0;
    if (kind == WEFT_SELF_FAN_NONE) {
      list_star(run, particle, &t);
      continue;
    }
    stars *s = kind == WEFT_SELF_FAN_CLOSED ? &closed : &open;
    add_star(run, particle, s);
    if (s->count < WEFT_LANES) continue;
    (kind == WEFT_SELF_FAN_CLOSED ? settle_closed : settle_open)(run, s, &t);
  }
  settle_closed(run, &closed, &t);
  settle_open(run, &open, &t);
  if (t.count) list_twos(run, &t);
}
