/* contents_patches.c: the contents of the patch schedule, made of those of the constraints: the
 * same numbers, sorted by patch and with particles as indices into the patch. The others stay,
 * since pictures and messages use them. */
#include "exact.h"
#include "patches.h"
#include "solver.h"

typedef struct fill {
  const weft_model *model;
  const weft_patches *patches;
  weft_contents *contents;
  uint32_t *words;
  weft_patch_pair *pairs;
  weft_patch_quad *quads;
  vec4 *data;        /* [quads] */
  weft_xpbd *terms;  /* of pairs, then of quads; NULL where no multipliers are kept */
  uint32_t *sources; /* NULL where multipliers are not kept */
  uint32_t pair_count, quad_count;
} fill;

static uint32_t packed(const uint16_t *p, uint32_t first, uint32_t arity) {
  return (first < arity ? p[first] : 0u) | (first + 1 < arity ? (uint32_t)p[first + 1] << 16 : 0u);
}

/* Appends a constraint of a type's table to its patch. */
static void fill_one(fill *f, weft_constraint_type type, uint32_t element, const uint16_t *p) {
  const weft_constraint_info *info = &weft_constraint_infos[type];
  weft_constraint_buffers of = weft_constraint_buffers_of[type];
  const void *elements = f->contents->buffers[of.elements].data;
  uint64_t terms = 0; /* destination of its patches' elements */
  if (info->pair) {
    const weft_pair_element *c = (const weft_pair_element *)elements + element;
    if (f->sources)
      f->sources[f->pair_count] = type == WEFT_CONSTRAINT_DISTANCE ? element : UINT32_MAX;
    terms = f->pair_count;
    f->pairs[f->pair_count++] = (weft_patch_pair){packed(p, 0, 2), c->rest, c->factor};
  } else {
    const weft_quad_element *c = (const weft_quad_element *)elements + element;
    terms = f->contents->buffers[WEFT_BUFFER_PATCH_PAIRS].count + f->quad_count;
    f->data[f->quad_count] = c->data;
    f->quads[f->quad_count++] =
        (weft_patch_quad){packed(p, 0, info->arity), packed(p, 2, info->arity)};
  }
  if (f->terms && info->terms)
    f->terms[terms] = ((const weft_xpbd *)f->contents->buffers[of.terms].data)[element];
}

/* The two words of a range, whose constraints are consecutive in their table. */
static void fill_range(fill *f, const weft_patch_range *r, uint32_t *words) {
  const weft_constraint_group *g = &f->model->groups[r->group];
  uint32_t base = weft_group_base(f->model, r->group);
  words[0] = weft_constraint_infos[g->type].pair ? f->pair_count : f->quad_count;
  words[1] = r->count | (uint32_t)g->type << 16 | (uint32_t)g->sense << 20;
  for (uint32_t k = 0; k < r->count; ++k) {
    const uint16_t *places = f->patches->locals + r->locals + (size_t)k * g->arity;
    fill_one(f, g->type, base + f->patches->items[r->first + k], places);
  }
}

static void fill_patches(fill *f) {
  const weft_patches *all = f->patches;
  uint32_t ranges = WEFT_PATCH_HEADER * all->patch_count, particles = ranges + 2 * all->range_count;
  for (uint32_t k = 0; k < all->patch_count; ++k) {
    const weft_patch *p = &all->patches[k];
    uint32_t *header = f->words + WEFT_PATCH_HEADER * (size_t)k;
    header[0] = particles + p->particle_first;
    header[1] = p->particle_count;
    header[2] = ranges + 2 * p->range_first;
    header[3] = p->range_count;
    for (uint32_t r = p->range_first; r < p->range_first + p->range_count; ++r) {
      fill_range(f, &all->ranges[r], f->words + ranges + 2 * (size_t)r);
    }
  }
  for (uint32_t k = 0; k < all->particle_count; ++k) f->words[particles + k] = all->particles[k];
}

/* Tables that only the passes over colours need. */
static void drop(weft_contents *contents, weft_buffer_id id) {
  weft_free(contents->buffers[id].data);
  contents->buffers[id].data = NULL;
  contents->buffers[id].count = 0;
}

static bool any_lambda(const weft_model *model, const weft_params *params) {
  for (uint32_t g = 0; g < model->group_count; ++g) {
    if (weft_group_needs_lambda(&model->groups[g], params)) return true;
  }
  return false;
}

/* Constraints of all types: the pairs, or the others. */
static uint64_t count_elements(const weft_contents *contents, bool pairs) {
  uint64_t count = 0;
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (weft_constraint_infos[type].pair == pairs)
      count += contents->buffers[weft_constraint_buffers_of[type].elements].count;
  }
  return count;
}

void weft_patches_fill(const weft_model *model, const weft_params *params,
                       weft_contents *contents) {
  if (!weft_patches_active(params)) return;
  weft_patches patches;
  weft_patches_build(model, weft_patches_size(model), &patches);
  uint64_t pairs = count_elements(contents, true), quads = count_elements(contents, false);
  uint64_t words = WEFT_PATCH_HEADER * (uint64_t)patches.patch_count +
                   2 * (uint64_t)patches.range_count + patches.particle_count;
  bool lambda = any_lambda(model, params);
  fill f = {
      .model = model,
      .patches = &patches,
      .contents = contents,
      .words = weft_contents_set(contents, WEFT_BUFFER_PATCH_WORDS, words),
      .pairs = weft_contents_set(contents, WEFT_BUFFER_PATCH_PAIRS, pairs),
      .quads = weft_contents_set(contents, WEFT_BUFFER_PATCH_QUADS, quads),
      .data = weft_contents_set(contents, WEFT_BUFFER_PATCH_DATA, quads),
  };
  if (lambda) {
    f.terms = weft_contents_set(contents, WEFT_BUFFER_PATCH_XPBD, pairs + quads);
    weft_contents_set(contents, WEFT_BUFFER_PATCH_LAMBDA, pairs + 3 * quads);
  }
  if (params->keep_multipliers)
    f.sources = weft_contents_set(contents, WEFT_BUFFER_PATCH_SOURCES, pairs);
  fill_patches(&f);
  uint32_t *first =
      weft_contents_set(contents, WEFT_BUFFER_PATCH_DISPATCHES, patches.dispatch_count + 1ull);
  for (uint32_t d = 0; d <= patches.dispatch_count; ++d) first[d] = patches.dispatch_first[d];
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    weft_constraint_buffers of = weft_constraint_buffers_of[type];
    if (of.terms != WEFT_BUFFER_COUNT) drop(contents, of.terms);
    drop(contents, of.multipliers);
  }
  weft_patches_free(&patches);
}
