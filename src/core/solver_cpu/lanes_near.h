/* lanes_near.h: passes/self_certify.h in vectors: a lane is a pair of patches that are neighbours.
 * A part of lanes_kernels.h. */

enum { ASKED = 256 };

/* What is found: particles whose stars are asked, and pairs of patches, of one part. */
typedef struct asking {
  weft_self_run *run;
  uint32_t part, count;
  uint32_t particles[ASKED];
  twos meets;
} asking;

static void list_asked(asking *a) {
  uint32_t slot;
  go_to(a->run, a->part);
  uint32_t count = take_places(a->run, WEFT_SELF_AT_UNCERTIFIED, a->count, UINT32_MAX, &slot);
  for (uint32_t k = 0; k < count; ++k) a->run->asked[2 * (size_t)(slot + k) + 1] = a->particles[k];
  a->count = 0;
}

/* Each particle is asked once, whoever asks. */
LANE void ask_for(asking *a, uint32_t particle) {
  uint32_t *asked = &a->run->asked[2 * (size_t)particle];
  if (__atomic_load_n(asked, __ATOMIC_RELAXED)) return;
  bool alone = a->run->cache->members == 1;
  if (!alone && __atomic_exchange_n(asked, 1, __ATOMIC_RELAXED)) return;
  if (alone) *asked = 1;
  if (a->count == ASKED) list_asked(a);
  a->particles[a->count++] = particle;
}

/* Pairs side by side. */
typedef struct beside_lanes {
  const weft_self_adjacent *of[WEFT_LANES];
} beside_lanes;

/* Where patches are in shapes and where they are in nodes: bytes. */
LANE void rows_of(const weft_self_run *run, const beside_lanes *n, bool second,
                  uint32_t shapes[WEFT_LANES], uint32_t nodes[WEFT_LANES]) {
  uint32_t above = run->u->self_nodes - run->u->self_patches;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    uint32_t patch = second ? n->of[l]->second : n->of[l]->first;
    shapes[l] = patch * (uint32_t)sizeof(weft_self_certificate);
    nodes[l] = (patch + patch / run->u->self_patches * above) * (uint32_t)sizeof(weft_self_node);
  }
}

/* Entries of hulls: where those of a lane begin, and how many there are. */
LANE uint32_t entries_of(const beside_lanes *n, bool second, vi *begins, vi *counts) {
  uint32_t most = 0;
  for (uint32_t l = 0; l < WEFT_LANES; ++l) {
    const weft_self_adjacent *of = n->of[l];
    uint32_t count = second ? of->from_second : of->from_first;
    (*counts)[l] = (int32_t)count;
    (*begins)[l] = count ? (int32_t)(of->hulls + (second ? of->from_first : 0)) : 0;
    if (most < count) most = count;
  }
  return most;
}

LANE v4 load_rows(const float *first, const uint32_t *rows) {
  return load_particles((const vec4 *)(const void *)first, rows);
}

/* Whether all that lies over their hulls, seen from one of both, proves enough. */
LANE vi are_monotone(const weft_self_run *run, const beside_lanes *n, bool second) {
  const weft_self_certificate *shapes = run->shapes;
  uint32_t rows[WEFT_LANES], unused[WEFT_LANES];
  rows_of(run, n, second, rows, unused);
  v3 a = xyz(load_particles(&shapes->first, rows)), b = xyz(load_particles(&shapes->second, rows));
  vi begins, counts;
  uint32_t most = entries_of(n, second, &begins, &counts);
  vi certified = counts > 0;
  for (uint32_t k = 0; k < most && any(certified); ++k) {
    vi number = (vi)choose(counts > (int32_t)k, (vf)(begins + (int32_t)k), (vf)begins);
    store(rows, (vf)(number * (int32_t)sizeof(weft_self_hull)));
    v4 hull = load_particles((const vec4 *)(const void *)run->hulls, rows);
    store(rows, (vf)((vi)hull.x * (int32_t)sizeof(weft_self_certificate)));
    v3 first = xyz(load_particles(&shapes->first, rows));
    v3 other = xyz(load_particles(&shapes->second, rows));
    v4 shape = load_rows(&shapes->least, rows);
    certified &=
        self_is_monotone(self_proves(shape.x, shape.y, first, other, a, b, hull.y, hull.z, hull.w));
  }
  return certified;
}

/* Looks at all gradients over the hulls of a pair that bounds do not certify. Returns whether there
 * were any. */
static bool look_over_hulls(weft_self_run *run, const weft_self_adjacent *of) {
  const weft_self_hull *hull = &run->hulls[of->hulls];
  bool looked = false;
  for (uint32_t k = 0; k < of->from_first + of->from_second; ++k) {
    if (run->cache->before[hull[k].of].exact) continue;
    look_again(run, hull[k].of);
    looked = true;
  }
  return looked;
}

/* Of those that are not certified, bounds will not do in the next detections either. */
static void wait_for_hulls(weft_self_run *run, const weft_self_adjacent *of) {
  enum { LOOKS = 8 };
  const weft_self_hull *hull = &run->hulls[of->hulls];
  for (uint32_t k = 0; k < of->from_first + of->from_second; ++k) {
    run->cache->before[hull[k].of].wait = LOOKS;
  }
}

LANE vi are_certified(const weft_self_run *run, const beside_lanes *n) {
  vi certified = are_monotone(run, n, false);
  if (!everywhere(certified)) certified |= are_monotone(run, n, true);
  return certified;
}

/* Where bounds do not, by gradients. */
static uint32_t certify(weft_self_run *run, const beside_lanes *n) {
  uint32_t open = ~signs(are_certified(run, n)) & ((1u << WEFT_LANES) - 1);
  if (!open || !run->lazy) return ~open;
  bool looked = false;
  for (uint32_t left = open; left; left &= left - 1) {
    looked |= look_over_hulls(run, n->of[__builtin_ctz(left)]);
  }
  if (looked) open = ~signs(are_certified(run, n)) & ((1u << WEFT_LANES) - 1);
  for (uint32_t left = open; looked && left; left &= left - 1) {
    wait_for_hulls(run, n->of[__builtin_ctz(left)]);
  }
  return ~open;
}

LANE self_box load_boxes(const weft_self_node *nodes, const uint32_t *rows) {
  return (self_box){xyz(load_particles(&nodes->low, rows)), xyz(load_particles(&nodes->high, rows)),
                    xyz(load_particles(&nodes->move_low, rows)),
                    xyz(load_particles(&nodes->move_high, rows))};
}

/* Whether their boxes meet; one does its own. */
LANE vi neighbours_meet(const weft_self_run *run, const beside_lanes *n) {
  uint32_t shapes[WEFT_LANES], nodes[WEFT_LANES];
  rows_of(run, n, true, shapes, nodes);
  self_box second = load_boxes(run->nodes, nodes);
  rows_of(run, n, false, shapes, nodes);
  self_box first = load_boxes(run->nodes, nodes);
  return self_boxes_meet(first, second, load_rows(&run->shapes->least, shapes).z);
}

LANE void settle_part_of(asking *a, uint32_t part) {
  if (a->part == part) return;
  if (a->count) list_asked(a);
  if (a->meets.count) list_twos(a->run, &a->meets);
  a->part = a->meets.part = part;
}

static void list_neighbours(asking *a, const weft_self_adjacent *of, bool meet) {
  settle_part_of(a, of->first / a->run->u->self_patches);
  const uint32_t *shared = &a->run->shared[of->particles];
  for (uint32_t k = 0; k < of->particle_count; ++k) ask_for(a, shared[k]);
  if (!meet && of->first != of->second) return;
  add_two(a->run, &a->meets, (weft_self_two){of->first, of->second});
}

/* Elements are places in the order of pairs. */
static void self_certify(weft_self_run *run, uint32_t first, uint32_t count) {
  asking a = {.run = run, .meets = {.patches = true}};
  const uint32_t *order = run->cache->order;
  for (uint32_t k = first; k < first + count; k += WEFT_LANES) {
    uint32_t left = first + count - k, valid = left < WEFT_LANES ? left : WEFT_LANES;
    beside_lanes n;
    for (uint32_t l = 0; l < WEFT_LANES; ++l) {
      n.of[l] = &run->beside[order[k + (l < valid ? l : 0)]];
    }
    uint32_t open = ~certify(run, &n) & ((1u << valid) - 1);
    if (!open) continue;
    uint32_t meet = signs(neighbours_meet(run, &n));
    for (; open; open &= open - 1) {
      uint32_t l = (uint32_t)__builtin_ctz(open);
      list_neighbours(&a, n.of[l], meet >> l & 1);
    }
  }
  if (a.count) list_asked(&a);
  if (a.meets.count) list_twos(run, &a.meets);
}
