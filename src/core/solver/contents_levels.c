/* contents_levels.c: coarser levels as buffers, and the steps from the finest to the coarsest
 * and back. Made with the solver, as attachments are, since levels depend on parameters. */
#include <float.h>
#include <math.h>

#include "exact.h"
#include "levels.h"
#include "solver.h"

/* Drivers cut long shader loops off silently (llvmpipe after 65,535 iterations). */
enum { WEFT_MAX_CHILDREN = 60000 };

_Static_assert((int)WEFT_ALL_LEVELS == (int)WEFT_MAX_LEVELS, "as many as can be built");

/* A factor of a length as short as 2^-60 m must not make the product subnormal. */
static float part(double value) { return value < WEFT_FLUSH ? 0.0f : (float)value; }

/* The index of a particle or node as an element of levels->parents. */
static uint32_t index_of(const weft_levels *levels, uint32_t element) {
  return element < levels->particle_count ? element : element - levels->particle_count;
}

static void fill_nodes(const weft_levels *levels, weft_contents *contents) {
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_LEVEL_X, levels->node_count);
  vec4 *base = weft_contents_set(contents, WEFT_BUFFER_LEVEL_BASE, levels->node_count);
  uint32_t *offsets =
      weft_contents_set(contents, WEFT_BUFFER_LEVEL_OFFSETS, levels->node_count + 1ull);
  for (uint32_t i = 0; i < levels->node_count; ++i) {
    const double *p = levels->positions + 3 * (size_t)i;
    weft_vec3 at;
    at.x = (float)p[0];
    at.y = (float)p[1];
    at.z = (float)p[2];
    double w = fmin(levels->inverse_masses[i], (double)FLT_MAX);
    x[i] = base[i] = exact_vec4(exact_snap3(at), w < (double)FLT_MIN ? 0.0f : (float)w);
    offsets[i] = levels->child_offsets[i];
  }
  uint32_t count = offsets[levels->node_count] = levels->child_offsets[levels->node_count];
  weft_level_child *children = weft_contents_set(contents, WEFT_BUFFER_LEVEL_CHILDREN, count);
  for (uint32_t k = 0; k < count; ++k) {
    children[k] =
        (weft_level_child){index_of(levels, levels->children[k]), part(levels->shares[k])};
  }
}

static void fill_parents(const weft_levels *levels, weft_contents *contents) {
  weft_level_parents *of_particles =
      weft_contents_set(contents, WEFT_BUFFER_LEVEL_PARENTS, levels->particle_count);
  weft_level_parents *of_nodes =
      weft_contents_set(contents, WEFT_BUFFER_LEVEL_NODE_PARENTS, levels->node_count);
  for (uint32_t element = 0; element < levels->particle_count + levels->node_count; ++element) {
    bool particle = element < levels->particle_count;
    weft_level_parents *out =
        particle ? &of_particles[element] : &of_nodes[index_of(levels, element)];
    const uint32_t *nodes = levels->parents + 4 * (size_t)element;
    const double *w = levels->weights + 4 * (size_t)element;
    out->nodes = (uvec4){nodes[0], nodes[1], nodes[2], nodes[3]};
    out->weights = (vec4){part(w[0]), part(w[1]), part(w[2]), part(w[3])};
  }
}

static void fill_edges(const weft_levels *levels, double slack, weft_contents *contents) {
  weft_level_edge *edges = weft_contents_set(contents, WEFT_BUFFER_LEVEL_EDGES, levels->edge_count);
  for (uint32_t k = 0; k < levels->edge_count; ++k) {
    uint32_t a = levels->edges[2 * (size_t)k], b = levels->edges[2 * (size_t)k + 1];
    double sum = levels->inverse_masses[a] + levels->inverse_masses[b];
    double inverse = sum > 0 ? 1 / sum : 0;
    /* Longer by a few units in the last place: rounding alone must not pull. */
    double length = levels->lengths[k] * (1 + slack) * (1 + 5e-7);
    edges[k] =
        (weft_level_edge){a, b, (float)length, inverse < (double)FLT_MIN ? 0.0f : (float)inverse};
  }
}

/* ---- steps ---- */

typedef struct steps {
  weft_level_step *items; /* NULL: only count */
  uint32_t count;
} steps;

static void add(steps *s, uint32_t kind, uint32_t first, uint32_t count, uint32_t level) {
  if (s->items) s->items[s->count] = (weft_level_step){kind, first, count, level};
  ++s->count;
}

static void list_steps(const weft_levels *levels, uint32_t sweeps, steps *s) {
  for (uint32_t l = 0; l < levels->level_count; ++l) {
    const weft_level *level = &levels->level[l];
    add(s, WEFT_LEVEL_RESTRICT, level->node_first, level->node_count, l + 1);
  }
  for (uint32_t l = levels->level_count; l-- > 0;) {
    const weft_level *level = &levels->level[l];
    for (uint32_t sweep = 0; sweep < sweeps; ++sweep) {
      for (uint32_t c = 0; c < level->colour_count; ++c) {
        uint32_t first = level->colour_first[c];
        add(s, WEFT_LEVEL_PROJECT, level->edge_first + first, level->colour_first[c + 1] - first,
            l + 1);
      }
    }
    if (l == 0) break;
    const weft_level *finer = &levels->level[l - 1];
    add(s, WEFT_LEVEL_PROLONG, finer->node_first, finer->node_count, l);
  }
}

static void fill_steps(const weft_levels *levels, uint32_t sweeps, weft_contents *contents) {
  steps s = {0};
  list_steps(levels, sweeps, &s);
  s.items = weft_contents_set(contents, WEFT_BUFFER_LEVEL_STEPS, s.count);
  s.count = 0;
  list_steps(levels, sweeps, &s);
}

static weft_result check_children(const weft_levels *levels, weft_error *err) {
  for (uint32_t i = 0; i < levels->node_count; ++i) {
    uint32_t count = levels->child_offsets[i + 1] - levels->child_offsets[i];
    if (count <= WEFT_MAX_CHILDREN) continue;
    return weft_fail(err, WEFT_ERROR_LIMIT, "a node of the levels has %u members, at most %d fit",
                     count, WEFT_MAX_CHILDREN);
  }
  return WEFT_OK;
}

weft_result weft_levels_fill(const weft_model *model, const weft_params *params,
                             weft_contents *contents, weft_error *err) {
  if (params->multilevel == 0) return WEFT_OK;
  weft_levels levels;
  weft_levels_build(model, params->multilevel, &levels);
  weft_result result = check_children(&levels, err);
  if (result == WEFT_OK && levels.level_count > 0) {
    double slack = (double)params->multilevel_slack;
    if (!(slack > 0)) slack = weft_levels_own_slack(model, params);
    fill_nodes(&levels, contents);
    fill_parents(&levels, contents);
    fill_edges(&levels, slack, contents);
    fill_steps(&levels, params->multilevel_sweeps, contents);
  }
  weft_levels_free(&levels);
  return result;
}
