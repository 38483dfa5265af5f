/* contents_join.c: the contents of a joined model, made of those of its instances.
 *
 * Each instance's contents are what it would run on alone; here they only move to other indices.
 * The elements of one pass (a colour, a level, all particles) stay a range: those of the first
 * instance, of the second, and so on. So a pass of the joined model does what it does for each
 * instance alone, and nothing is rounded again. */
#include <string.h>

#include "exact.h"
#include "lines.h"
#include "solver.h"

/* Rows of one instance that one pass works on. */
typedef struct span {
  uint32_t first, count;
} span;

typedef struct joint {
  const weft_model *model;
  uint32_t parts;
  weft_contents *from; /* [instances] */
  weft_contents *to;
  span particles[2];   /* of the cloth; of bodies inside shapes */
  span *nodes, *edges; /* of levels, ascending */
  uint32_t node_spans, edge_spans;
} joint;

static const weft_buffer_contents *table_of(const joint *j, weft_buffer_id id) {
  return &j->from[0].buffers[id];
}

/* The joined index of an instance's element. */
static uint32_t moved(const joint *j, const span *spans, uint32_t count, uint32_t element,
                      uint32_t part) {
  for (uint32_t s = 0; s < count; ++s) {
    uint32_t inside = element - spans[s].first;
    if (inside < spans[s].count) {
      return spans[s].first * j->parts + part * spans[s].count + inside;
    }
  }
  return element;
}

static void interleave(const joint *j, weft_buffer_id id, const span *spans, uint32_t count) {
  const weft_buffer_contents *one = table_of(j, id);
  if (one->count == 0) return;
  char *elements = weft_contents_set(j->to, id, one->count * j->parts);
  size_t stride = one->stride;
  for (uint32_t s = 0; s < count; ++s) {
    for (uint32_t p = 0; p < j->parts; ++p) {
      const char *from = j->from[p].buffers[id].data;
      size_t at = (size_t)spans[s].first * j->parts + (size_t)p * spans[s].count;
      memcpy(elements + at * stride, from + spans[s].first * stride, spans[s].count * stride);
    }
  }
}

/* All elements of an instance stay together. */
static void follow(const joint *j, weft_buffer_id id) {
  span all = {0, (uint32_t)table_of(j, id)->count};
  interleave(j, id, &all, 1);
}

static void interleave_particles(const joint *j, weft_buffer_id id) {
  interleave(j, id, j->particles, 2);
}

static uint32_t particle_moved(const joint *j, uint32_t particle, uint32_t part) {
  return moved(j, j->particles, 2, particle, part);
}

/* One element for all instances. */
static void share(const joint *j, weft_buffer_id id) {
  const weft_buffer_contents *one = table_of(j, id);
  if (one->count == 0) return;
  memcpy(weft_contents_set(j->to, id, one->count), one->data, (size_t)(one->count * one->stride));
}

static void *elements_of(const joint *j, weft_buffer_id id, uint64_t *count) {
  *count = j->to->buffers[id].count;
  return j->to->buffers[id].data;
}

/* ---- constraints ---- */

/* The colours of all groups of a type, in the order of their buffer. */
static uint32_t colour_spans(const weft_model *part, weft_constraint_type type, span *spans) {
  uint32_t count = 0;
  for (uint32_t g = 0; g < part->group_count; ++g) {
    const weft_constraint_group *group = &part->groups[g];
    if (group->type != type) continue;
    for (uint32_t c = 0; c < group->colour_count; ++c) {
      span s = {weft_group_base(part, g) + group->colour_first[c], group->colour_sizes[c]};
      if (spans) spans[count] = s;
      ++count;
    }
  }
  return count;
}

/* The instance of each element of these spans. */
static uint32_t part_of(const joint *j, const span *spans, uint32_t count, uint32_t element) {
  for (uint32_t s = 0; s < count; ++s) {
    uint32_t inside = element - spans[s].first * j->parts;
    if (inside < spans[s].count * j->parts) return inside / spans[s].count;
  }
  return 0;
}

static void shift_four(uvec4 *v, uint32_t by) {
  v->x += by;
  v->y += by;
  v->z += by;
  v->w += by;
}

/* Particle indices of an element of a constraint table; those beyond its arity are never read. */
static void shift_element(weft_constraint_type type, void *elements, uint64_t element,
                          uint32_t by) {
  if (weft_constraint_infos[type].pair) {
    ((weft_pair_element *)elements)[element].a += by;
    ((weft_pair_element *)elements)[element].b += by;
  } else {
    shift_four(&((weft_quad_element *)elements)[element].particles, by);
  }
}

static void join_constraints(const joint *j, weft_constraint_type type) {
  const weft_model *part = j->model->parts[0];
  weft_constraint_buffers of = weft_constraint_buffers_of[type];
  uint32_t count = colour_spans(part, type, NULL);
  span *spans = weft_alloc(count, sizeof *spans);
  colour_spans(part, type, spans);
  interleave(j, of.elements, spans, count);
  if (of.terms != WEFT_BUFFER_COUNT) interleave(j, of.terms, spans, count);
  interleave(j, of.multipliers, spans, count);
  uint64_t elements = 0;
  void *data = elements_of(j, of.elements, &elements);
  for (uint32_t s = 0; s < count; ++s) {
    uint64_t first = (uint64_t)spans[s].first * j->parts;
    for (uint64_t k = 0; k < (uint64_t)spans[s].count * j->parts; ++k) {
      shift_element(type, data, first + k, (uint32_t)(k / spans[s].count) * part->particle_count);
    }
  }
  weft_free(spans);
}

/* ---- particles and triangles ---- */

static void join_air(const joint *j) {
  uint32_t particles = j->model->parts[0]->particle_count;
  uint32_t triangles = (uint32_t)table_of(j, WEFT_BUFFER_TRIANGLES)->count;
  if (triangles == 0) return;
  follow(j, WEFT_BUFFER_TRIANGLES);
  follow(j, WEFT_BUFFER_FORCES);
  follow(j, WEFT_BUFFER_CORNER_ITEMS);
  uint32_t *corners = j->to->buffers[WEFT_BUFFER_TRIANGLES].data;
  uint32_t *items = j->to->buffers[WEFT_BUFFER_CORNER_ITEMS].data;
  uint32_t *offsets =
      weft_contents_set(j->to, WEFT_BUFFER_CORNER_OFFSETS, (uint64_t)particles * j->parts + 1);
  for (uint32_t p = 0; p < j->parts; ++p) {
    size_t first = 3 * (size_t)p * triangles;
    const uint32_t *own = j->from[p].buffers[WEFT_BUFFER_CORNER_OFFSETS].data;
    for (size_t k = first; k < first + 3 * (size_t)triangles; ++k) {
      corners[k] += p * particles;
      items[k] += p * triangles;
    }
    for (uint32_t i = 0; i <= particles; ++i) {
      offsets[(size_t)p * particles + i] = own[i] + 3 * p * triangles;
    }
  }
}

static uint32_t shifted(uint32_t index, uint32_t none, uint32_t by) {
  return index == none ? none : index + by;
}

static void join_lra(const joint *j) {
  uint32_t particles = j->model->parts[0]->particle_count;
  follow(j, WEFT_BUFFER_LRA);
  uint64_t count = 0;
  weft_lra *elements = elements_of(j, WEFT_BUFFER_LRA, &count);
  for (uint64_t k = 0; k < count; ++k) {
    uint32_t by = (uint32_t)(k / particles) * particles;
    uvec4 *a = &elements[k].anchors;
    *a = (uvec4){shifted(a->x, WEFT_NO_ANCHOR, by), shifted(a->y, WEFT_NO_ANCHOR, by),
                 shifted(a->z, WEFT_NO_ANCHOR, by), shifted(a->w, WEFT_NO_ANCHOR, by)};
  }
}

static void join_riders(const joint *j) {
  uint32_t particles = j->model->parts[0]->particle_count;
  uint32_t riders = j->model->parts[0]->rider_count;
  follow(j, WEFT_BUFFER_RIDERS);
  uint64_t count = 0;
  weft_rider *elements = elements_of(j, WEFT_BUFFER_RIDERS, &count);
  for (uint64_t k = 0; k < count; ++k) {
    shift_four(&elements[k].particles, (uint32_t)(k / riders) * particles);
  }
}

/* ---- levels ---- */

static uint32_t node_moved(const joint *j, uint32_t node, uint32_t part) {
  if (node == WEFT_NO_PARENT) return node;
  return moved(j, j->nodes, j->node_spans, node, part);
}

/* An instance's steps name every level once as nodes, and each of its colours once a sweep. */
static void find_spans(joint *j) {
  const weft_buffer_contents *table = table_of(j, WEFT_BUFFER_LEVEL_STEPS);
  const weft_level_step *steps = table->data;
  j->nodes = weft_alloc((size_t)table->count, sizeof *j->nodes);
  j->edges = weft_alloc((size_t)table->count, sizeof *j->edges);
  for (uint64_t k = 0; k < table->count; ++k) {
    span s = {steps[k].first, steps[k].count};
    if (steps[k].kind == WEFT_LEVEL_RESTRICT) j->nodes[j->node_spans++] = s;
    if (steps[k].kind == WEFT_LEVEL_PROJECT) j->edges[j->edge_spans++] = s;
  }
}

static void join_steps(const joint *j) {
  share(j, WEFT_BUFFER_LEVEL_STEPS);
  uint64_t count = 0;
  weft_level_step *steps = elements_of(j, WEFT_BUFFER_LEVEL_STEPS, &count);
  for (uint64_t k = 0; k < count; ++k) {
    steps[k].first *= j->parts;
    steps[k].count *= j->parts;
  }
}

static void join_parents(const joint *j) {
  follow(j, WEFT_BUFFER_LEVEL_PARENTS);
  interleave(j, WEFT_BUFFER_LEVEL_NODE_PARENTS, j->nodes, j->node_spans);
  static const weft_buffer_id ids[] = {WEFT_BUFFER_LEVEL_PARENTS, WEFT_BUFFER_LEVEL_NODE_PARENTS};
  uint32_t particles = j->model->parts[0]->particle_count;
  for (int b = 0; b < 2; ++b) {
    uint64_t count = 0;
    weft_level_parents *elements = elements_of(j, ids[b], &count);
    for (uint64_t k = 0; k < count; ++k) {
      uint32_t element = (uint32_t)k;
      uint32_t p = b == 0 ? element / particles : part_of(j, j->nodes, j->node_spans, element);
      uvec4 *n = &elements[k].nodes;
      *n = (uvec4){node_moved(j, n->x, p), node_moved(j, n->y, p), node_moved(j, n->z, p),
                   node_moved(j, n->w, p)};
    }
  }
}

/* Children of the finest level are particles, those of other levels nodes. */
static void join_children(const joint *j) {
  uint32_t particles = j->model->parts[0]->particle_count;
  uint64_t nodes = table_of(j, WEFT_BUFFER_LEVEL_X)->count;
  uint64_t count = table_of(j, WEFT_BUFFER_LEVEL_CHILDREN)->count;
  uint32_t *offsets = weft_contents_set(j->to, WEFT_BUFFER_LEVEL_OFFSETS, nodes * j->parts + 1);
  weft_level_child *children =
      weft_contents_set(j->to, WEFT_BUFFER_LEVEL_CHILDREN, count * j->parts);
  uint32_t at = 0, element = 0;
  for (uint32_t s = 0; s < j->node_spans; ++s) {
    for (uint32_t k = 0; k < j->nodes[s].count * j->parts; ++k) {
      uint32_t p = k / j->nodes[s].count, own = j->nodes[s].first + k % j->nodes[s].count;
      const uint32_t *begin = j->from[p].buffers[WEFT_BUFFER_LEVEL_OFFSETS].data;
      const weft_level_child *of = j->from[p].buffers[WEFT_BUFFER_LEVEL_CHILDREN].data;
      offsets[element++] = at;
      for (uint32_t c = begin[own]; c < begin[own + 1]; ++c) {
        uint32_t child = of[c].node;
        child = s == 0 ? child + p * particles : node_moved(j, child, p);
        children[at++] = (weft_level_child){child, of[c].share};
      }
    }
  }
  offsets[element] = at;
}

static void join_levels(joint *j) {
  if (table_of(j, WEFT_BUFFER_LEVEL_STEPS)->count == 0) return;
  find_spans(j);
  interleave(j, WEFT_BUFFER_LEVEL_X, j->nodes, j->node_spans);
  interleave(j, WEFT_BUFFER_LEVEL_BASE, j->nodes, j->node_spans);
  interleave(j, WEFT_BUFFER_LEVEL_EDGES, j->edges, j->edge_spans);
  uint64_t count = 0;
  weft_level_edge *edges = elements_of(j, WEFT_BUFFER_LEVEL_EDGES, &count);
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t p = part_of(j, j->edges, j->edge_spans, k);
    edges[k].a = node_moved(j, edges[k].a, p);
    edges[k].b = node_moved(j, edges[k].b, p);
  }
  join_parents(j);
  join_children(j);
  join_steps(j);
  weft_free(j->nodes);
  weft_free(j->edges);
}

/* ---- lines ---- */

static bool have_equal(const joint *j, weft_buffer_id id) {
  const weft_buffer_contents *one = table_of(j, id);
  for (uint32_t p = 1; p < j->parts; ++p) {
    const weft_buffer_contents *other = &j->from[p].buffers[id];
    if (other->count != one->count) return false;
    if (memcmp(other->data, one->data, (size_t)(one->count * one->stride)) != 0) return false;
  }
  return true;
}

/* Instances with equal bends share their matrices. */
static void join_tables(const joint *j, const span *spans, uint32_t colours) {
  uint32_t own = (uint32_t)table_of(j, WEFT_BUFFER_LINE_BENDS)->count;
  if (own == 0) return;
  interleave(j, WEFT_BUFFER_LINE_TABLES, spans, colours);
  follow(j, WEFT_BUFFER_LINE_SCALES);
  if (have_equal(j, WEFT_BUFFER_LINE_BENDS)) {
    share(j, WEFT_BUFFER_LINE_BENDS);
    return;
  }
  follow(j, WEFT_BUFFER_LINE_BENDS);
  uint64_t count = 0;
  uint32_t *tables = elements_of(j, WEFT_BUFFER_LINE_TABLES, &count);
  for (uint32_t k = 0; k < count; ++k) tables[k] += part_of(j, spans, colours, k) * own;
}

/* Edges of an instance stay together, and bundles hold their range; within a colour its bundles
 * follow those of the previous instances. */
static void join_lines(const joint *j) {
  uint32_t particles = j->model->parts[0]->particle_count;
  uint32_t own = (uint32_t)table_of(j, WEFT_BUFFER_LINE_EDGES)->count;
  if (own == 0) return;
  follow(j, WEFT_BUFFER_LINE_EDGES);
  follow(j, WEFT_BUFFER_LINE_LAMBDA);
  uint64_t edges = 0, left = 0, count = 0;
  weft_line_edge *edge = elements_of(j, WEFT_BUFFER_LINE_EDGES, &edges);
  for (uint32_t k = 0; k < edges; ++k) {
    edge[k].a += k / own * particles;
    edge[k].b += k / own * particles;
  }
  share(j, WEFT_BUFFER_LINE_COLOURS);
  weft_line_colour *colours = elements_of(j, WEFT_BUFFER_LINE_COLOURS, &count);
  span spans[WEFT_LINE_COLOURS];
  for (uint32_t c = 0; c < count; ++c) {
    spans[c] = (span){colours[c].first, colours[c].count};
    colours[c].first *= j->parts;
    colours[c].count *= j->parts;
  }
  interleave(j, WEFT_BUFFER_LINE_BUNDLES, spans, (uint32_t)count);
  uint64_t all = 0;
  weft_line_bundle *bundles = elements_of(j, WEFT_BUFFER_LINE_BUNDLES, &all);
  for (uint32_t k = 0; k < all; ++k)
    bundles[k].first += part_of(j, spans, (uint32_t)count, k) * own;
  join_tables(j, spans, (uint32_t)count);
  share(j, WEFT_BUFFER_LINE_LEFT);
  uint32_t *constraints = elements_of(j, WEFT_BUFFER_LINE_LEFT, &left);
  for (uint64_t k = 0; k < left; ++k) constraints[k] *= j->parts;
}

/* ---- self-collision ---- */

/* The capacity of a list is the sum of those of the instances. */
static void join_room(const joint *j, weft_buffer_id id) {
  weft_contents_set(j->to, id, table_of(j, id)->count * j->parts);
}

/* Tables of an instance, and which of their fields are indices into other tables. */
static uint32_t follow_table(const joint *j, weft_buffer_id id) {
  uint32_t each = (uint32_t)table_of(j, id)->count;
  follow(j, id);
  return each;
}

static void move_four(const joint *j, uvec4 *p, uint32_t part) {
  *p = (uvec4){particle_moved(j, p->x, part), particle_moved(j, p->y, part),
               particle_moved(j, p->z, part), particle_moved(j, p->w, part)};
}

static void join_certificates(const joint *j, uint32_t triangles) {
  uint32_t patches = follow_table(j, WEFT_BUFFER_SELF_PATCHES);
  uint32_t beside = follow_table(j, WEFT_BUFFER_SELF_ADJACENT);
  uint32_t hulls = follow_table(j, WEFT_BUFFER_SELF_HULLS);
  uint32_t shared = follow_table(j, WEFT_BUFFER_SELF_SHARED);
  uint32_t fans = follow_table(j, WEFT_BUFFER_SELF_FANS);
  weft_self_patch *patch = j->to->buffers[WEFT_BUFFER_SELF_PATCHES].data;
  weft_self_adjacent *pair = j->to->buffers[WEFT_BUFFER_SELF_ADJACENT].data;
  weft_self_hull *hull = j->to->buffers[WEFT_BUFFER_SELF_HULLS].data;
  interleave_particles(j, WEFT_BUFFER_SELF_STARS);
  uint64_t stars = 0;
  weft_self_star *star = elements_of(j, WEFT_BUFFER_SELF_STARS, &stars);
  uint32_t *particle = j->to->buffers[WEFT_BUFFER_SELF_SHARED].data;
  uint32_t *fan = j->to->buffers[WEFT_BUFFER_SELF_FANS].data;
  for (uint32_t k = 0; k < patches * j->parts; ++k) {
    patch[k].beside_first += k / patches * beside;
    move_four(j, &patch[k].fixed_a, k / patches);
    move_four(j, &patch[k].fixed_b, k / patches);
  }
  for (uint32_t k = 0; k < beside * j->parts; ++k) {
    uint32_t part = k / beside;
    pair[k].first += part * patches;
    pair[k].second += part * patches;
    pair[k].hulls += part * hulls;
    pair[k].particles += part * shared;
  }
  for (uint32_t k = 0; k < hulls * j->parts; ++k) hull[k].of += k / hulls * patches;
  for (uint32_t k = 0; k < shared * j->parts; ++k) {
    particle[k] = particle_moved(j, particle[k], k / shared);
  }
  for (uint32_t k = 0; k < stars; ++k) star[k].first += part_of(j, j->particles, 2, k) * fans;
  for (uint32_t k = 0; k < fans * j->parts; ++k) fan[k] += 4 * (k / fans * triangles);
}

/* Lists, counters and dispatch arguments are common to all instances; every other table has a
 * range for each. */
static void join_self(const joint *j) {
  uint64_t triangles = table_of(j, WEFT_BUFFER_SELF_TRIANGLES)->count;
  if (triangles == 0) return;
  follow(j, WEFT_BUFFER_SELF_TRIANGLES);
  weft_self_triangle *to = j->to->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  for (uint64_t k = 0; k < triangles * j->parts; ++k) {
    const uint32_t part = (uint32_t)(k / triangles);
    to[k].corners.x = particle_moved(j, to[k].corners.x, part);
    to[k].corners.y = particle_moved(j, to[k].corners.y, part);
    to[k].corners.z = particle_moved(j, to[k].corners.z, part);
  }
  join_certificates(j, (uint32_t)triangles);
  interleave_particles(j, WEFT_BUFFER_SELF_VERTICES);
  follow(j, WEFT_BUFFER_SELF_FRICTION);
  follow(j, WEFT_BUFFER_SELF_PARTS);
  follow(j, WEFT_BUFFER_SELF_NODES);
  follow(j, WEFT_BUFFER_SELF_CERTIFICATES);
  interleave_particles(j, WEFT_BUFFER_SELF_UNCERTIFIED);
  interleave_particles(j, WEFT_BUFFER_SELF_STEP_START);
  interleave_particles(j, WEFT_BUFFER_SELF_FRACTIONS);
  interleave_particles(j, WEFT_BUFFER_SELF_DIRTY);
  interleave_particles(j, WEFT_BUFFER_SELF_CORRECTIONS);
  interleave_particles(j, WEFT_BUFFER_SELF_CACHE_HEADS);
  static const weft_buffer_id lists[] = {
      WEFT_BUFFER_SELF_CANDIDATES,    WEFT_BUFFER_SELF_PAIRS,      WEFT_BUFFER_SELF_PLANES,
      WEFT_BUFFER_SELF_CACHE,         WEFT_BUFFER_SELF_CACHE_NEXT, WEFT_BUFFER_SELF_PATCH_PAIRS,
      WEFT_BUFFER_SELF_TRIANGLE_PAIRS};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) join_room(j, lists[k]);
  share(j, WEFT_BUFFER_SELF_CACHE_COUNT);
  share(j, WEFT_BUFFER_SELF_DISPATCH_ARGS);
  uint64_t counts = (uint64_t)WEFT_SELF_COUNTS * (j->parts > 1 ? j->parts + 1 : 1);
  weft_contents_set(j->to, WEFT_BUFFER_SELF_COUNTS, counts);
  weft_uniforms *u = j->to->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->self_parts = j->parts;
}

static weft_result check_self(const joint *j, weft_error *err) {
  const uint64_t pairs = table_of(j, WEFT_BUFFER_SELF_PAIRS)->count;
  const uint64_t nodes = table_of(j, WEFT_BUFFER_SELF_NODES)->count;
  if (pairs * j->parts <= WEFT_SELF_MOST_PAIRS && nodes * j->parts <= UINT32_MAX) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_LIMIT,
                   "self-collision of %u parts of %u particles has no room: at most %u pairs in "
                   "all, so give less a particle (weft_params.self_room) or join fewer",
                   j->parts, j->model->parts[0]->particle_count, (unsigned)WEFT_SELF_MOST_PAIRS);
}

/* ---- all ---- */

static void join(joint *j, const weft_params *params) {
  share(j, WEFT_BUFFER_UNIFORMS);
  weft_uniforms *u = j->to->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->particle_count = u->shape_first = j->model->particle_count;
  const uint32_t cloth = j->model->parts[0]->particle_count;
  j->particles[0] = (span){0, cloth};
  j->particles[1] = (span){cloth, (uint32_t)table_of(j, WEFT_BUFFER_X)->count - cloth};
  interleave_particles(j, WEFT_BUFFER_X);
  interleave_particles(j, WEFT_BUFFER_X_PREV);
  interleave_particles(j, WEFT_BUFFER_V);
  follow(j, WEFT_BUFFER_X_LOW);
  follow(j, WEFT_BUFFER_X_PREV_LOW);
  follow(j, WEFT_BUFFER_V_LOW);
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    join_constraints(j, (weft_constraint_type)type);
  }
  join_riders(j);
  join_air(j);
  join_lra(j);
  join_levels(j);
  join_lines(j);
  join_self(j);
  share(j, WEFT_BUFFER_SUBSTEPS);
  share(j, WEFT_BUFFER_COLLIDERS);
  follow(j, WEFT_BUFFER_PINS);
  weft_contents_set(j->to, WEFT_BUFFER_BODY_PATHS, 0);
  follow(j, WEFT_BUFFER_SHAPE_PATHS);
  weft_contents_set(j->to, WEFT_BUFFER_SOFT_PINS, 0);
  weft_contents_set(j->to, WEFT_BUFFER_GRAB, params->grab ? WEFT_GRAB_ELEMENTS : 0);
  weft_contents_set(j->to, WEFT_BUFFER_BOUNDS, weft_tree_elements(j->model->particle_count));
  weft_contents_set(j->to, WEFT_BUFFER_SHIFT_BY, 1);
  weft_contents_set(j->to, WEFT_BUFFER_PICK_RAY, 1);
  weft_contents_set(j->to, WEFT_BUFFER_PICK, weft_tree_elements(j->model->particle_count));
  j->to->parts = j->parts;
}

/* The passes of an instance must be those of the first; a compliance of 0 in one of them may
 * need no multipliers, or masses may give other levels. */
static bool same_passes(const joint *j, const weft_params *params, uint32_t part) {
  weft_pass_list a = {0}, b = {0};
  weft_solver_pass_list(j->model->parts[0], params, &j->from[0], &a);
  weft_solver_pass_list(j->model->parts[part], params, &j->from[part], &b);
  bool same = a.count == b.count;
  for (size_t k = 0; k < a.count && same; ++k) {
    same = memcmp(&a.items[k], &b.items[k], sizeof *a.items) == 0;
  }
  for (int id = 0; id < WEFT_BUFFER_COUNT && same; ++id) {
    same = j->from[0].buffers[id].count == j->from[part].buffers[id].count;
  }
  const weft_buffer_contents *steps = &j->from[0].buffers[WEFT_BUFFER_LEVEL_STEPS];
  size_t bytes = same ? (size_t)(steps->count * steps->stride) : 0;
  const void *other = j->from[part].buffers[WEFT_BUFFER_LEVEL_STEPS].data;
  if (bytes) same = memcmp(steps->data, other, bytes) == 0;
  weft_free(a.items);
  weft_free(b.items);
  return same;
}

/* ---- tables of self-collision that differ in length ---- */

/* Patches depend on the rest pose, so their number may differ between instances. All tables get
 * the length of the longest, plus one empty patch. */
typedef struct self_lengths {
  uint64_t patches, beside, hulls, shared;
  bool differ;
} self_lengths;

static void take_length(const joint *j, weft_buffer_id id, uint64_t *most, bool *differ) {
  for (uint32_t p = 0; p < j->parts; ++p) {
    uint64_t count = j->from[p].buffers[id].count;
    *differ = *differ || count != j->from[0].buffers[id].count;
    *most = count > *most ? count : *most;
  }
}

static void lengthen(weft_contents *contents, weft_buffer_id id, uint64_t count) {
  weft_buffer_contents old = contents->buffers[id];
  contents->buffers[id].data = NULL;
  unsigned char *to = weft_contents_set(contents, id, count);
  memcpy(to, old.data, (size_t)(old.count < count ? old.count : count) * old.stride);
  if (!old.kept) weft_free(old.data);
  contents->buffers[id].kept = false;
}

/* Padding lists nothing: patches without triangles, and pairs of an empty patch. */
static void lengthen_self(weft_contents *c, const self_lengths *to, uint32_t self_room) {
  uint32_t patch = (uint32_t)c->buffers[WEFT_BUFFER_SELF_PATCHES].count;
  uint64_t beside = c->buffers[WEFT_BUFFER_SELF_ADJACENT].count;
  lengthen(c, WEFT_BUFFER_SELF_PATCHES, to->patches);
  lengthen(c, WEFT_BUFFER_SELF_TRIANGLES, to->patches * WEFT_SELF_PATCH);
  lengthen(c, WEFT_BUFFER_SELF_ADJACENT, to->beside);
  lengthen(c, WEFT_BUFFER_SELF_HULLS, to->hulls);
  lengthen(c, WEFT_BUFFER_SELF_SHARED, to->shared);
  weft_self_patch *patches = c->buffers[WEFT_BUFFER_SELF_PATCHES].data;
  weft_self_triangle *triangles = c->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  weft_self_adjacent *pairs = c->buffers[WEFT_BUFFER_SELF_ADJACENT].data;
  uint32_t last = (uint32_t)to->patches - 1, particle = triangles[0].corners.x;
  for (; patch <= last; ++patch) {
    patches[patch] = (weft_self_patch){.body = 1, .reach = patches[0].reach};
    patches[patch].fixed_a = (uvec4){particle, particle, particle, particle};
    patches[patch].fixed_b = patches[patch].fixed_a;
    for (uint32_t k = 0; k < WEFT_SELF_PATCH; ++k) {
      weft_self_triangle *t = &triangles[WEFT_SELF_PATCH * patch + k];
      t->corners = triangles[0].corners;
      t->flags = WEFT_SELF_EMPTY | WEFT_SELF_UNPARTED;
    }
  }
  for (; beside < to->beside; ++beside) {
    pairs[beside] = (weft_self_adjacent){.first = last, .second = last};
  }
  weft_self_size_tree(c, last + 1, self_room);
}

static void even_self(joint *j, uint32_t self_room) {
  self_lengths most = {0};
  take_length(j, WEFT_BUFFER_SELF_PATCHES, &most.patches, &most.differ);
  take_length(j, WEFT_BUFFER_SELF_ADJACENT, &most.beside, &most.differ);
  take_length(j, WEFT_BUFFER_SELF_HULLS, &most.hulls, &most.differ);
  take_length(j, WEFT_BUFFER_SELF_SHARED, &most.shared, &most.differ);
  if (!most.differ) return;
  ++most.patches;
  for (uint32_t p = 0; p < j->parts; ++p) lengthen_self(&j->from[p], &most, self_room);
}

static weft_result join_contents(const weft_model *model, const weft_params *params,
                                 weft_vec3d origin, weft_contents *contents, weft_error *err) {
  weft_contents_init(contents);
  joint j = {.model = model, .parts = model->part_count, .to = contents};
  j.from = weft_alloc(j.parts, sizeof *j.from);
  weft_result result = WEFT_OK;
  uint32_t made = 0;
  while (made < j.parts && result == WEFT_OK) {
    weft_params own = *params;
    if (params->shape_bodies) own.bodies += (size_t)made * params->shape_bodies;
    result = weft_part_contents(model->parts[made], &own, origin, &j.from[made], err);
    if (result != WEFT_OK) break;
    if (made == 0 && (result = check_self(&j, err)) != WEFT_OK) {
      weft_contents_free(&j.from[0]);
      break;
    }
    ++made;
  }
  if (result == WEFT_OK) even_self(&j, params->self_room);
  for (uint32_t part = 1; part < j.parts && result == WEFT_OK; ++part) {
    if (same_passes(&j, params, part)) continue;
    result = weft_fail(
        err, WEFT_ERROR_ARGUMENT, "part %u of a joined model needs other passes than the first: %s",
        part, "a compliance is 0 in one of them and not in the other, or levels or lines differ");
  }
  if (result == WEFT_OK) join(&j, params);
  for (uint32_t p = 0; p < made; ++p) weft_contents_free(&j.from[p]);
  weft_free(j.from);
  if (result != WEFT_OK) weft_contents_free(contents);
  return result;
}

weft_result weft_solver_contents(const weft_model *model, const weft_params *params,
                                 weft_contents *contents, weft_error *err) {
  const weft_vec3d origin = weft_origin_at_start(model, params);
  return model->part_count ? join_contents(model, params, origin, contents, err)
                           : weft_part_contents(model, params, origin, contents, err);
}
