/* tables_patches.c: the tables of the patch schedule, made of those of the constraints: the same
 * numbers, sorted by patch and with particles counted within it. They stand beside the others,
 * which pictures and messages go by. */
#include "exact.h"
#include "patches.h"
#include "solver.h"

typedef struct fill {
  const weft_model *model;
  const weft_patches *patches;
  weft_tables *tables;
  uint32_t *words;
  weft_patch_distance *distances;
  weft_patch_quad *quads;
  vec4 *weights;
  weft_xpbd *xpbd;
  uint32_t *sources; /* NULL where nobody asks for multipliers */
  uint32_t distance_count, quad_count;
} fill;

static uint32_t pair(uint32_t first, uint32_t second) { return first | second << 16; }

static void fill_distance(fill *f, uint32_t row, const uint16_t *p) {
  const weft_distance *all = f->tables->buffers[WEFT_BUFFER_DISTANCE].data;
  const weft_xpbd *xpbd = f->tables->buffers[WEFT_BUFFER_DISTANCE_XPBD].data;
  uint32_t at = f->distance_count++;
  f->distances[at] =
      (weft_patch_distance){pair(p[0], p[1]), all[row].rest_length, all[row].inv_denominator};
  if (f->xpbd) f->xpbd[at] = xpbd[row];
  if (f->sources) f->sources[at] = row;
}

static void fill_quad(fill *f, weft_constraint_type type, uint32_t row, const uint16_t *p) {
  uint32_t at = f->quad_count++;
  f->quads[at] = (weft_patch_quad){pair(p[0], p[1]), pair(p[2], p[3])};
  if (type == WEFT_CONSTRAINT_ISOMETRIC) {
    const weft_isometric *c = f->tables->buffers[WEFT_BUFFER_ISOMETRIC].data;
    const weft_xpbd *xpbd = f->tables->buffers[WEFT_BUFFER_ISOMETRIC_XPBD].data;
    f->weights[at] = c[row].weights;
    uint64_t distances = f->tables->buffers[WEFT_BUFFER_PATCH_DISTANCE].count;
    if (f->xpbd) f->xpbd[distances + at] = xpbd[row];
  } else {
    const weft_dihedral *c = f->tables->buffers[WEFT_BUFFER_DIHEDRAL].data;
    f->weights[at] = (vec4){c[row].rest_angle, c[row].compliance, c[row].gamma, c[row].relaxation};
  }
}

/* The two words of a range; its constraints follow each other in their table. */
static void fill_range(fill *f, const weft_patch_range *r, uint32_t *words) {
  static const uint32_t kinds[WEFT_CONSTRAINT_TYPE_COUNT] = {
      [WEFT_CONSTRAINT_DISTANCE] = WEFT_PATCH_DISTANCE,
      [WEFT_CONSTRAINT_ISOMETRIC] = WEFT_PATCH_ISOMETRIC,
      [WEFT_CONSTRAINT_DIHEDRAL] = WEFT_PATCH_DIHEDRAL,
  };
  const weft_constraint_group *g = &f->model->groups[r->group];
  uint32_t base = weft_group_base(f->model, r->group);
  bool distance = g->type == WEFT_CONSTRAINT_DISTANCE;
  words[0] = distance ? f->distance_count : f->quad_count;
  words[1] = r->count | kinds[g->type] << 16 | (uint32_t)g->sense << 20;
  for (uint32_t k = 0; k < r->count; ++k) {
    uint32_t row = base + f->patches->items[r->first + k];
    const uint16_t *places = f->patches->locals + r->locals + (size_t)k * g->arity;
    if (distance) {
      fill_distance(f, row, places);
    } else {
      fill_quad(f, g->type, row, places);
    }
  }
}

static void fill_patches(fill *f) {
  const weft_patches *all = f->patches;
  uint32_t ranges = WEFT_PATCH_ROW * all->patch_count, particles = ranges + 2 * all->range_count;
  for (uint32_t k = 0; k < all->patch_count; ++k) {
    const weft_patch *p = &all->patches[k];
    uint32_t *row = f->words + WEFT_PATCH_ROW * (size_t)k;
    row[0] = particles + p->particle_first;
    row[1] = p->particle_count;
    row[2] = ranges + 2 * p->range_first;
    row[3] = p->range_count;
    for (uint32_t r = p->range_first; r < p->range_first + p->range_count; ++r) {
      fill_range(f, &all->ranges[r], f->words + ranges + 2 * (size_t)r);
    }
  }
  for (uint32_t k = 0; k < all->particle_count; ++k) f->words[particles + k] = all->particles[k];
}

/* What only the passes over colours need. */
static void drop(weft_tables *tables, weft_buffer_id id) {
  weft_free(tables->buffers[id].data);
  tables->buffers[id].data = NULL;
  tables->buffers[id].count = 0;
}

static bool any_lambda(const weft_model *model, const weft_params *params) {
  for (uint32_t g = 0; g < model->group_count; ++g) {
    if (weft_group_needs_lambda(&model->groups[g], params)) return true;
  }
  return false;
}

void weft_patches_fill(const weft_model *model, const weft_params *params, weft_tables *tables) {
  if (!weft_patches_active(params)) return;
  weft_patches patches;
  weft_patches_build(model, weft_patches_size(model), &patches);
  uint64_t distances = tables->buffers[WEFT_BUFFER_DISTANCE].count;
  uint64_t quads =
      tables->buffers[WEFT_BUFFER_ISOMETRIC].count + tables->buffers[WEFT_BUFFER_DIHEDRAL].count;
  uint64_t words = WEFT_PATCH_ROW * (uint64_t)patches.patch_count +
                   2 * (uint64_t)patches.range_count + patches.particle_count;
  bool lambda = any_lambda(model, params);
  fill f = {
      .model = model,
      .patches = &patches,
      .tables = tables,
      .words = weft_tables_set(tables, WEFT_BUFFER_PATCH_WORDS, words),
      .distances = weft_tables_set(tables, WEFT_BUFFER_PATCH_DISTANCE, distances),
      .quads = weft_tables_set(tables, WEFT_BUFFER_PATCH_QUAD, quads),
      .weights = weft_tables_set(tables, WEFT_BUFFER_PATCH_WEIGHTS, quads),
  };
  if (lambda) {
    f.xpbd = weft_tables_set(tables, WEFT_BUFFER_PATCH_XPBD, distances + quads);
    weft_tables_set(tables, WEFT_BUFFER_PATCH_LAMBDA, distances + 3 * quads);
  }
  if (params->keep_multipliers) {
    f.sources = weft_tables_set(tables, WEFT_BUFFER_PATCH_SOURCES, distances);
  }
  fill_patches(&f);
  uint32_t *first =
      weft_tables_set(tables, WEFT_BUFFER_PATCH_DISPATCHES, patches.dispatch_count + 1ull);
  for (uint32_t d = 0; d <= patches.dispatch_count; ++d) first[d] = patches.dispatch_first[d];
  drop(tables, WEFT_BUFFER_DISTANCE_XPBD);
  drop(tables, WEFT_BUFFER_DISTANCE_LAMBDA);
  drop(tables, WEFT_BUFFER_ISOMETRIC_XPBD);
  drop(tables, WEFT_BUFFER_ISOMETRIC_LAMBDA);
  drop(tables, WEFT_BUFFER_DIHEDRAL_LAMBDA);
  weft_patches_free(&patches);
}
