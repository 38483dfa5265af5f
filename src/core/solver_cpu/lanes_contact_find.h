/* lanes_contact_find.h: contact_find in vectors: all that lies in the 27 cells around a particle is
 * written into one row and tested a vector at a time, in the order of passes/contact_find.h. A part
 * of lanes_kernels.h. */

/* Cells in whole vectors; particles that are copied of a cell without asking how many there are. */
enum { CELLS = 27, CELL_LANES = (CELLS + WEFT_LANES - 1) / WEFT_LANES * WEFT_LANES, CELL_COPY = 8 };

/* Particles that wait to be tested, and which cell each was found in. */
typedef struct waiting_row {
  uint32_t others[CELLS * CELL_COPY + WEFT_LANES];
  uint32_t cells[CELLS * CELL_COPY + WEFT_LANES];
  uint32_t rows[CELLS * CELL_COPY + WEFT_LANES]; /* bytes from x */
} waiting_row;

typedef struct contact_search {
  const weft_contact_run *run;
  uint32_t i;
  v3 p;
  grid_place home;
  const weft_neighbour *kept;                 /* list of the particle */
  uint32_t slots;                             /* bits of these that have a neighbour */
  vu others[WEFT_CONTACT_SLOTS / WEFT_LANES]; /* which */
  uint32_t found, crowded;
  waiting_row row;
} contact_search;

/* ---- what friction remembers ---- */

LANE void read_kept(contact_search *s, const weft_contact_run *run) {
  enum { VECTORS = WEFT_CONTACT_SLOTS / WEFT_LANES };
  uint32_t at[WEFT_LANES], ends = 0;
  every_one(at);
  s->kept = run->kept + (size_t)s->i * WEFT_CONTACT_SLOTS;
  for (uint32_t v = 0; v < VECTORS; ++v) {
    const weft_neighbour *slots = s->kept + v * WEFT_LANES;
    s->others[v] = (vu)load_particles((const vec4 *)(const void *)slots, at).w;
    ends |= signs((vi)(s->others[v] == vu_all(WEFT_CONTACT_NONE))) << v * WEFT_LANES;
  }
  s->slots = ends ? (ends & -ends) - 1 : (1u << WEFT_CONTACT_SLOTS) - 1;
}

LANE weft_neighbour recalled(const contact_search *s, uint32_t j) {
  const weft_neighbour unknown = {.other = j};
  uint32_t slots = 0;
  for (uint32_t v = 0; v < WEFT_CONTACT_SLOTS / WEFT_LANES; ++v) {
    slots |= signs((vi)(s->others[v] == vu_all(j))) << v * WEFT_LANES;
  }
  slots &= s->slots;
  return *(slots ? &s->kept[__builtin_ctz(slots)] : &unknown);
}

/* ---- tests ---- */

/* Bits of those of a vector of the row that are neighbours. */
LANE uint32_t neighbours_in(const contact_search *s, uint32_t at) {
  const weft_uniforms *u = s->run->u;
  v3 q = xyz(load_particles(s->run->x, s->row.rows + at));
  vf distance2 = particle_gap_between(s->p, q, UNI(u->contact_distance)).distance2;
  vi near =
      (distance2 <= UNI(u->contact_reach2)) & (vi)(load_words(s->row.others + at) != vu_all(s->i));
  if (!any(near)) return 0;
  grid_place cell = grid_cell(q, UNI(u->inverse_cell));
  return signs(near & grid_is_around(s->home, load_words(s->row.cells + at), cell));
}

/* None is its own neighbour: with it the last vector is filled. */
LANE void fill_row(contact_search *s, uint32_t waiting) {
  store(s->row.others + waiting, (vf)vu_all(s->i));
  for (uint32_t at = 0; at < waiting; at += WEFT_LANES) {
    store(s->row.rows + at, (vf)(load_words(s->row.others + at) * (uint32_t)sizeof(vec4)));
  }
}

LANE void test_row(contact_search *s, uint32_t waiting) {
  weft_neighbour *list = s->run->contacts + (size_t)s->i * WEFT_CONTACT_SLOTS;
  uint32_t found = s->found;
  fill_row(s, waiting);
  for (uint32_t at = 0; at < waiting; at += WEFT_LANES) {
    for (uint32_t lanes = neighbours_in(s, at); lanes; lanes &= lanes - 1) {
      uint32_t j = s->row.others[at + (uint32_t)__builtin_ctz(lanes)];
      if (found < WEFT_CONTACT_SLOTS) list[found] = recalled(s, j);
      ++found;
    }
  }
  s->found = found;
}

/* ---- cells ---- */

LANE uint32_t bucket_begin(const weft_contact_run *run, uint32_t bucket) {
  return bucket ? run->grid[bucket - 1] : 0;
}

LANE bool is_crowded(const weft_contact_run *run, uint32_t bucket) {
  return run->grid[bucket] - bucket_begin(run, bucket) > WEFT_GRID_MAX;
}

/* Of a bucket that holds more than are copied at once, or is the last. */
static __attribute__((noinline)) void test_one_by_one(contact_search *s, uint32_t k, uint32_t begin,
                                                      uint32_t end, uint32_t waiting) {
  for (; begin < end; ++begin) {
    s->row.others[waiting] = s->run->items[begin];
    s->row.cells[waiting++] = k;
    if (waiting < CELLS * CELL_COPY) continue;
    test_row(s, waiting);
    waiting = 0;
  }
  test_row(s, waiting);
}

/* Returns how many wait then. */
LANE uint32_t add_bucket(contact_search *s, uint32_t k, uint32_t bucket, uint32_t waiting) {
  const weft_contact_run *run = s->run;
  uint32_t begin = bucket_begin(run, bucket), end = run->grid[bucket];
  if (end - begin > WEFT_GRID_MAX) {
    s->crowded = WEFT_CONTACT_CROWDED;
    return waiting;
  }
  if (end - begin > CELL_COPY || begin + CELL_COPY > run->u->particle_count) {
    test_one_by_one(s, k, begin, end, waiting);
    return 0;
  }
  const uint32_t cells[CELL_COPY] = {k, k, k, k, k, k, k, k};
  memcpy(s->row.others + waiting, run->items + begin, sizeof cells);
  memcpy(s->row.cells + waiting, cells, sizeof cells);
  return waiting + (end - begin);
}

LANE void find_around(contact_search *s) {
  uint32_t buckets[CELL_LANES], waiting = 0;
  vu last_bucket = vu_all(s->run->u->grid_mask), number = words_from(0);
  for (uint32_t k = 0; k < CELL_LANES; k += WEFT_LANES) {
    store(buckets + k, (vf)grid_bucket(grid_around(s->home, number + k), last_bucket));
  }
  for (uint32_t k = 0; k < CELLS; ++k) waiting = add_bucket(s, k, buckets[k], waiting);
  test_row(s, waiting);
}

static uint32_t contact_find(const weft_contact_run *run, uint32_t first, uint32_t count) {
  contact_search s = {.run = run};
  for (uint32_t i = first; i < first + count; ++i) {
    s.i = i;
    s.p = every(run->x[i]);
    s.home = grid_cell(s.p, UNI(run->u->inverse_cell));
    s.found = s.crowded = 0;
    read_kept(&s, run);
    find_around(&s);
    /* A particle of an overfull bucket is found by none, so it must find none. */
    uint32_t own = grid_bucket(s.home, vu_all(run->u->grid_mask))[0];
    if (is_crowded(run, own)) s.found = 0;
    run->found[i] = s.found | s.crowded;
  }
  return count;
}
