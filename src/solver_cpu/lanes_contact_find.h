/* lanes_contact_find.h: contact_find in vectors: all that lies in the 27 cells around a particle is
 * written into one row and tested a vector at a time, in the order of passes/contact_find.h. A part
 * of lanes_kernels.h. */

/* Cells in whole vectors; particles that are copied of a cell without asking how many there are. */
enum { CELLS = 27, CELL_LANES = (CELLS + WEFT_LANES - 1) / WEFT_LANES * WEFT_LANES, CELL_COPY = 4 };

/* Particles that wait to be tested, and which cell each was found in. */
typedef struct waiting_row {
  uint32_t count;
  uint32_t others[CELLS * CELL_COPY + WEFT_LANES];
  uint32_t cells[CELLS * CELL_COPY + WEFT_LANES];
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
  uint32_t rows[WEFT_LANES];
  vu others = load_words(s->row.others + at);
  store(rows, (vf)(others * (uint32_t)sizeof(vec4)));
  v3 q = xyz(load_particles(s->run->x, rows));
  vf distance2 = particle_gap_between(s->p, q, UNI(u->contact_distance)).distance2;
  vi near = (distance2 <= UNI(u->contact_reach2)) & (vi)(others != vu_all(s->i));
  if (!any(near)) return 0;
  grid_place cell = grid_cell(q, UNI(u->inverse_cell));
  return signs(near & grid_is_around(s->home, load_words(s->row.cells + at), cell));
}

LANE void test_waiting(contact_search *s) {
  weft_neighbour *list = s->run->contacts + (size_t)s->i * WEFT_CONTACT_SLOTS;
  store(s->row.others + s->row.count, (vf)vu_all(s->i)); /* none is its own neighbour */
  for (uint32_t at = 0; at < s->row.count; at += WEFT_LANES) {
    for (uint32_t lanes = neighbours_in(s, at); lanes; lanes &= lanes - 1) {
      uint32_t j = s->row.others[at + (uint32_t)__builtin_ctz(lanes)];
      if (s->found < WEFT_CONTACT_SLOTS) list[s->found] = recalled(s, j);
      ++s->found;
    }
  }
  s->row.count = 0;
}

/* ---- cells ---- */

LANE uint32_t bucket_begin(const weft_contact_run *run, uint32_t bucket) {
  return bucket ? run->grid[bucket - 1] : 0;
}

LANE bool is_crowded(const weft_contact_run *run, uint32_t bucket) {
  return run->grid[bucket] - bucket_begin(run, bucket) > WEFT_GRID_MAX;
}

/* Of a bucket that holds more than are copied at once, or is the last. */
static void add_one_by_one(contact_search *s, uint32_t k, uint32_t begin, uint32_t end) {
  for (; begin < end; ++begin) {
    s->row.others[s->row.count] = s->run->items[begin];
    s->row.cells[s->row.count++] = k;
    if (s->row.count == CELLS * CELL_COPY) test_waiting(s);
  }
  test_waiting(s);
}

LANE void add_bucket(contact_search *s, uint32_t k, uint32_t bucket) {
  const weft_contact_run *run = s->run;
  uint32_t begin = bucket_begin(run, bucket), end = run->grid[bucket];
  if (end - begin > WEFT_GRID_MAX) {
    s->crowded = WEFT_CONTACT_CROWDED;
  } else if (end - begin > CELL_COPY || begin + CELL_COPY > run->u->particle_count) {
    add_one_by_one(s, k, begin, end);
  } else {
    const uint32_t cells[CELL_COPY] = {k, k, k, k};
    memcpy(s->row.others + s->row.count, run->items + begin, sizeof cells);
    memcpy(s->row.cells + s->row.count, cells, sizeof cells);
    s->row.count += end - begin;
  }
}

LANE void find_around(contact_search *s) {
  uint32_t buckets[CELL_LANES];
  vu buckets_less_1 = vu_all(s->run->u->grid_mask), number = words_from(0);
  for (uint32_t k = 0; k < CELL_LANES; k += WEFT_LANES) {
    store(buckets + k, (vf)grid_bucket(grid_around(s->home, number + k), buckets_less_1));
  }
  for (uint32_t k = 0; k < CELLS; ++k) add_bucket(s, k, buckets[k]);
  test_waiting(s);
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
