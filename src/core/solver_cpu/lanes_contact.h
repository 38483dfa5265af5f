/* lanes_contact.h: contact between particles in vectors: passes/contact_count.h, contact_project.h
 * and contact_keep.h for as many particles as there are lanes, the k-th neighbour of each at a
 * time. So a lane adds up in the order of its list. A part of lanes_kernels.h. */

/* Particles i, i+1, ... in lanes. */
typedef struct grains {
  uint32_t i;
  uint32_t rows[WEFT_LANES];  /* bytes of particles from that of i */
  uint32_t lists[WEFT_LANES]; /* bytes of neighbours from the first of i */
  vu numbers;
  vu listed; /* neighbours of each */
  v4 p;
  v3 moved; /* in this substep */
} grains;

/* Their k-th neighbours; particles that have none are their own. */
typedef struct neighbours {
  vi there;
  vu others;
  uint32_t rows[WEFT_LANES];
  v3 slide; /* that friction remembers */
  v4 q;
  particle_gap gap;
} neighbours;

LANE vu vu_all(uint32_t s) { return s - (vu){0}; }

LANE vu load_words(const uint32_t *from) { return (vu)load(from); }

LANE vu choose_words(vi which, vu yes, vu no) { return (vu)choose(which, (vf)yes, (vf)no); }

LANE vu words_from(uint32_t first) {
  vu words = {0};
  for (uint32_t l = 0; l < WEFT_LANES; ++l) words[l] = first + l;
  return words;
}

LANE grains grains_from(const weft_contact_run *run, uint32_t i) {
  grains g = {.i = i, .numbers = words_from(i)};
  every_one(g.rows);
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    g.lists[l] = l * WEFT_CONTACT_SLOTS * (uint32_t)sizeof(weft_neighbour);
  }
  g.listed = load_words(run->found + i) & ~WEFT_CONTACT_CROWDED;
  g.p = load_particles(run->x + i, g.rows);
  g.moved = sub(xyz(g.p), xyz(load_particles(run->x_prev + i, g.rows)));
  return g;
}

/* False where no list is so long. */
LANE bool neighbours_at(const weft_contact_run *run, const grains *g, uint32_t k, neighbours *n) {
  n->there = (vi)(g->listed > vu_all(k));
  if (k == WEFT_CONTACT_SLOTS || !any(n->there)) return false;
  const weft_neighbour *lists = run->contacts + (size_t)g->i * WEFT_CONTACT_SLOTS + k;
  v4 rows = load_particles((const vec4 *)(const void *)lists, g->lists);
  n->slide = xyz(rows);
  n->others = choose_words(n->there, (vu)rows.w, g->numbers);
  store(n->rows, (vf)(n->others * (uint32_t)sizeof(vec4)));
  n->q = load_particles(run->x, n->rows);
  n->gap = particle_gap_between(xyz(g->p), xyz(n->q), UNI(run->u->contact_distance));
  n->there &= n->gap.depth > all(0);
  return true;
}

LANE v3 normal_of(const grains *g, const neighbours *n) {
  return particle_contact_normal(n->gap, (vi)(g->numbers < n->others));
}

LANE v3 slide_along(const weft_contact_run *run, const grains *g, const neighbours *n, v3 normal) {
  v3 other_moved = sub(xyz(n->q), xyz(load_particles(run->x_prev, n->rows)));
  return particle_contact_slide(g->moved, other_moved, n->slide, normal);
}

#define EACH_OF_GRAINS(i) for (uint32_t i = first; i + WEFT_LANES <= first + count; i += WEFT_LANES)

static uint32_t contact_count(const weft_contact_run *run, uint32_t first, uint32_t count) {
  EACH_OF_GRAINS(i) {
    grains g = grains_from(run, i);
    neighbours n;
    vu load = {0};
    for (uint32_t k = 0; neighbours_at(run, &g, k, &n); ++k) load -= (vu)n.there;
    store(run->load + i, kept_if(g.p.w != all(0), (vf)load));
  }
  return count / WEFT_LANES * WEFT_LANES;
}

/* ---- pushes ---- */

LANE v3 push_by(const weft_contact_run *run, const grains *g, const neighbours *n, vu load) {
  const weft_uniforms *u = run->u;
  v3 normal = normal_of(g, n);
  v3 slide = slide_along(run, g, n, normal);
  vu others;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) others[l] = run->load[n->others[l]];
  vu contacts = choose_words((vi)(load > others), load, others);
  v3 push = particle_contact_correction(slide, normal, n->gap.depth, g->p.w, n->q.w, REAL(contacts),
                                        UNI(u->contact_relaxation), UNI(u->contact_static),
                                        UNI(u->contact_dynamic));
  return (v3){kept_if(n->there, push.x), kept_if(n->there, push.y), kept_if(n->there, push.z)};
}

/* Lanes as rows, in the order of lanes. */
LANE void store_rows(vec4 rows[WEFT_LANES], v3 v, vf w) {
  uint32_t at[WEFT_LANES];
  every_one(at);
  store_particles(rows, at, v, w);
}

static uint32_t contact_project(const weft_contact_run *run, uint32_t first, uint32_t count) {
  EACH_OF_GRAINS(i) {
    grains g = grains_from(run, i);
    neighbours n;
    v3 sum = every((vec4){0});
    vu load = load_words(run->load + i);
    vi moves = g.p.w != all(0);
    for (uint32_t k = 0; neighbours_at(run, &g, k, &n); ++k) {
      n.there &= moves;
      if (any(n.there)) sum = add(sum, push_by(run, &g, &n, load));
    }
    vec4 rows[WEFT_LANES];
    store_rows(rows, exact_flush3(sum), all(0));
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      run->delta[i + l] = (weft_delta){rows[l].x, rows[l].y, rows[l].z};
    }
  }
  return count / WEFT_LANES * WEFT_LANES;
}

/* ---- what friction remembers ---- */

/* Those that touch, behind those that are kept already. */
LANE void keep_those(weft_neighbour *lists, uint32_t kept[WEFT_LANES], const neighbours *n,
                     v3 held) {
  vec4 rows[WEFT_LANES];
  store_rows(rows, held, (vf)n->others);
  for (uint32_t lanes = signs(n->there); lanes; lanes &= lanes - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(lanes);
    memcpy(&lists[l * WEFT_CONTACT_SLOTS + kept[l]++], &rows[l], sizeof *rows);
  }
}

LANE void end_lists(weft_neighbour *lists, const uint32_t kept[WEFT_LANES]) {
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    const weft_neighbour none = {.other = WEFT_CONTACT_NONE};
    if (kept[l] < WEFT_CONTACT_SLOTS) lists[l * WEFT_CONTACT_SLOTS + kept[l]] = none;
  }
}

static uint32_t contact_keep(const weft_contact_run *run, uint32_t first, uint32_t count) {
  const weft_uniforms *u = run->u;
  EACH_OF_GRAINS(i) {
    grains g = grains_from(run, i);
    neighbours n;
    weft_neighbour *lists = run->kept + (size_t)i * WEFT_CONTACT_SLOTS;
    uint32_t kept[WEFT_LANES] = {0};
    for (uint32_t k = 0; neighbours_at(run, &g, k, &n); ++k) {
      if (!any(n.there)) continue;
      v3 slide = slide_along(run, &g, &n, normal_of(&g, &n));
      v3 held = friction_held(slide, n.gap.depth, UNI(u->contact_static), UNI(u->contact_dynamic));
      keep_those(lists, kept, &n, exact_flush3(held));
    }
    end_lists(lists, kept);
  }
  return count / WEFT_LANES * WEFT_LANES;
}
