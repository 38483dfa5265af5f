/* join.c: many models of one structure as one, for solving all of them in the same passes. */
#include <string.h>

#include "base.h"
#include "preprocess.h"

/* Constants of a constraint that must be equal in all models. */
static bool same_group(const weft_constraint_group *a, const weft_constraint_group *b) {
  if (a->type != b->type || a->role != b->role || a->sense != b->sense || a->count != b->count ||
      a->colour_count != b->colour_count || !a->source != !b->source) {
    return false;
  }
  size_t entries = (size_t)a->count * a->arity;
  return memcmp(a->colour_first, b->colour_first, (a->colour_count + 1) * sizeof(uint32_t)) == 0 &&
         (entries == 0 || memcmp(a->particles, b->particles, entries * sizeof(uint32_t)) == 0);
}

static bool same_structure(const weft_model *a, const weft_model *b) {
  if (a->particle_count != b->particle_count || a->triangle_count != b->triangle_count ||
      a->pinned_count != b->pinned_count || a->rider_count != b->rider_count ||
      a->link_count != b->link_count || a->group_count != b->group_count ||
      a->grid_rows != b->grid_rows || a->grid_columns != b->grid_columns ||
      a->radius != b->radius || !a->map.numbers != !b->map.numbers ||
      a->map.source_vertex_count != b->map.source_vertex_count) {
    return false;
  }
  for (uint32_t g = 0; g < a->group_count; ++g) {
    if (!same_group(&a->groups[g], &b->groups[g])) return false;
  }
  size_t corners = 3 * (size_t)a->triangle_count * sizeof *a->triangles;
  if (corners && memcmp(a->triangles, b->triangles, corners) != 0) return false;
  for (uint32_t i = 0; i < a->particle_count; ++i) {
    if ((a->inverse_masses[i] == 0) != (b->inverse_masses[i] == 0)) return false;
    if (weft_rides(a, i) != weft_rides(b, i)) return false;
  }
  return true;
}

/* Rows [first, first + count) of an array of every model, concatenated model by model. */
static void place(void *to, const void *from, size_t row, uint32_t first, uint32_t count,
                  uint32_t models, uint32_t model) {
  if (!to || count == 0) return;
  size_t at = ((size_t)first * models + (size_t)model * count) * row;
  memcpy((char *)to + at, (const char *)from + first * row, count * row);
}

static void shift(uint32_t *items, size_t count, uint32_t by) {
  for (size_t k = 0; k < count; ++k) items[k] += by;
}

static void allocate_group(const weft_constraint_group *one, uint32_t models,
                           weft_constraint_group *all) {
  size_t count = (size_t)one->count * models;
  *all = *one;
  all->count = (uint32_t)count;
  all->particles = weft_alloc(count * one->arity, sizeof *all->particles);
  all->rest = one->rest ? weft_alloc(count, sizeof *all->rest) : NULL;
  all->weights = one->weights ? weft_alloc(4 * count, sizeof *all->weights) : NULL;
  all->compliance = weft_alloc(count, sizeof *all->compliance);
  all->damping = weft_alloc(count, sizeof *all->damping);
  all->source = one->source ? weft_alloc(count, sizeof *all->source) : NULL;
  all->colour_first = weft_alloc(one->colour_count + 1, sizeof *all->colour_first);
  all->colour_sizes = weft_alloc(one->colour_count, sizeof *all->colour_sizes);
  for (uint32_t c = 0; c <= one->colour_count; ++c) {
    all->colour_first[c] = one->colour_first[c] * models;
    if (c < one->colour_count) all->colour_sizes[c] = one->colour_sizes[c] * models;
  }
}

/* Concatenated colour by colour, so that a colour of all models is again a range. */
static void join_group(const weft_model *const *models, uint32_t count, uint32_t group,
                       weft_constraint_group *all) {
  const weft_constraint_group *first = &models[0]->groups[group];
  allocate_group(first, count, all);
  for (uint32_t m = 0; m < count; ++m) {
    const weft_constraint_group *one = &models[m]->groups[group];
    for (uint32_t c = 0; c < one->colour_count; ++c) {
      uint32_t at = one->colour_first[c], rows = one->colour_sizes[c];
      place(all->particles, one->particles, one->arity * sizeof(uint32_t), at, rows, count, m);
      place(all->rest, one->rest, sizeof(float), at, rows, count, m);
      place(all->weights, one->weights, 4 * sizeof(float), at, rows, count, m);
      place(all->compliance, one->compliance, sizeof(float), at, rows, count, m);
      place(all->damping, one->damping, sizeof(float), at, rows, count, m);
      place(all->source, one->source, sizeof(uint32_t), at, rows, count, m);
      uint32_t begin = at * count + m * rows;
      shift(all->particles + (size_t)begin * one->arity, (size_t)rows * one->arity,
            m * models[m]->particle_count);
      if (all->source) shift(all->source + begin, rows, m * models[m]->link_count);
    }
  }
}

static void join_particles(const weft_model *const *models, uint32_t count, weft_model *all) {
  uint32_t n = models[0]->particle_count, triangles = models[0]->triangle_count;
  uint32_t corners = 3 * triangles;
  all->rest_positions = weft_alloc((size_t)n * count, sizeof *all->rest_positions);
  all->inverse_masses = weft_alloc((size_t)n * count, sizeof *all->inverse_masses);
  all->masses = weft_alloc((size_t)n * count, sizeof *all->masses);
  all->triangles = weft_alloc((size_t)corners * count, sizeof *all->triangles);
  all->corner_offsets = weft_alloc((size_t)n * count + 1, sizeof *all->corner_offsets);
  all->corner_items = weft_alloc((size_t)corners * count, sizeof *all->corner_items);
  for (uint32_t m = 0; m < count; ++m) {
    const weft_model *one = models[m];
    size_t at = (size_t)m * n, corner = (size_t)m * corners;
    place(all->rest_positions, one->rest_positions, sizeof(weft_vec3), 0, n, count, m);
    place(all->inverse_masses, one->inverse_masses, sizeof(float), 0, n, count, m);
    place(all->masses, one->masses, sizeof(float), 0, n, count, m);
    place(all->triangles, one->triangles, sizeof(uint32_t), 0, corners, count, m);
    place(all->corner_items, one->corner_items, sizeof(uint32_t), 0, corners, count, m);
    place(all->corner_offsets, one->corner_offsets, sizeof(uint32_t), 0, n, count, m);
    shift(all->triangles + corner, corners, m * n);
    shift(all->corner_items + corner, corners, m * corners);
    shift(all->corner_offsets + at, n, m * corners);
  }
  all->corner_offsets[(size_t)n * count] = corners * count;
}

/* Joined maps number vertices instance by instance, as particles are. Faces of files are known
 * to instances alone. */
static void join_maps(const weft_model *const *models, uint32_t count, weft_model *all) {
  uint32_t n = models[0]->particle_count, sources = models[0]->map.source_vertex_count;
  all->map = (weft_mesh_map){0};
  if (!models[0]->map.numbers) return;
  all->map.source_vertex_count = sources * count;
  all->map.numbers = weft_alloc((size_t)n * count, sizeof *all->map.numbers);
  all->map.vertices = weft_alloc((size_t)sources * count, sizeof *all->map.vertices);
  for (uint32_t m = 0; m < count; ++m) {
    const weft_mesh_map *one = &models[m]->map;
    for (uint32_t i = 0; i < n; ++i) {
      all->map.numbers[(size_t)m * n + i] = one->numbers[i] + m * sources;
    }
    for (uint32_t s = 0; s < sources; ++s) {
      const uint32_t v = one->vertices[s];
      all->map.vertices[(size_t)m * sources + s] = v == WEFT_NO_VERTEX ? v : v + m * n;
    }
  }
}

static void join_riders(const weft_model *const *models, uint32_t count, weft_model *all) {
  uint32_t n = models[0]->particle_count, riders = models[0]->rider_count;
  all->rider_triangles = 0; /* after the other triangles of each instance */
  if (riders == 0) return;
  all->rider_count = riders * count;
  all->riders = weft_alloc((size_t)riders * count, sizeof *all->riders);
  all->rides = weft_alloc((size_t)n * count, sizeof *all->rides);
  for (uint32_t m = 0; m < count; ++m) {
    place(all->rides, models[m]->rides, sizeof(bool), 0, n, count, m);
    place(all->riders, models[m]->riders, sizeof *all->riders, 0, riders, count, m);
    for (weft_model_rider *r = all->riders + (size_t)m * riders, *end = r + riders; r < end; ++r) {
      r->particle += m * n;
      shift(r->corners, 3, m * n);
    }
  }
}

static void join_links(const weft_model *const *models, uint32_t count, weft_model *all) {
  uint32_t links = models[0]->link_count;
  all->links = links ? weft_alloc((size_t)links * count, sizeof *all->links) : NULL;
  for (uint32_t m = 0; m < count && links; ++m) {
    weft_link *to = all->links + (size_t)m * links;
    memcpy(to, models[m]->links, links * sizeof *to);
    for (uint32_t k = 0; k < links; ++k) {
      to[k].a += m * models[m]->particle_count;
      to[k].b += m * models[m]->particle_count;
    }
  }
}

static weft_result check(const weft_model *const *models, uint32_t count, weft_error *err) {
  for (uint32_t m = 0; m < count; ++m) {
    if (models[m]->part_count) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "model %u of %u is joined of others itself", m,
                       count);
    }
    if (!same_structure(models[0], models[m])) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT,
                       "model %u of %u differs from the first in more than masses, lengths and "
                       "compliances, so they cannot be solved together",
                       m, count);
    }
  }
  uint64_t rows = models[0]->particle_count;
  for (uint32_t g = 0; g < models[0]->group_count; ++g) {
    uint64_t entries = (uint64_t)models[0]->groups[g].count * models[0]->groups[g].arity;
    if (entries > rows) rows = entries;
  }
  if (rows * count <= UINT32_MAX / 4) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_LIMIT, "%u models of %u particles are more than fit together",
                   count, models[0]->particle_count);
}

weft_result weft_model_join(const weft_model *const *models, uint32_t count, weft_model **model,
                            weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(model);
  *model = NULL;
  WEFT_NEED(models);
  for (uint32_t m = 0; m < count; ++m) WEFT_NEED(models[m]);
  if (count == 0) return weft_fail(err, WEFT_ERROR_ARGUMENT, "no model is joined of none");
  weft_result result = check(models, count, err);
  if (result != WEFT_OK) return result;
  weft_model *all = weft_alloc(1, sizeof *all);
  *all = *models[0];
  all->owned = (weft_owned){0};
  all->free_inverse_masses = NULL;
  all->tangles = NULL;
  all->geodesics = NULL;
  all->left = NULL;
  all->particle_count *= count;
  all->triangle_count *= count;
  all->pinned_count *= count;
  all->link_count *= count;
  all->grid_rows *= count;
  join_particles(models, count, all);
  join_maps(models, count, all);
  join_riders(models, count, all);
  join_links(models, count, all);
  for (uint32_t g = 0; g < all->group_count; ++g) {
    join_group(models, count, g, &all->groups[g]);
  }
  all->part_count = count;
  all->parts = weft_alloc(count, sizeof *all->parts);
  for (uint32_t m = 0; m < count; ++m) {
    all->parts[m] = weft_model_copy(models[m]);
    weft_tangles *tangles = all->parts[m]->tangles;
    if (!tangles) continue;
    tangles->told = false;
    tangles->part = m;
    tangles->part_of = count;
  }
  weft_owned_begin(&all->owned);
  *model = all;
  return WEFT_OK;
}

uint32_t weft_model_part_count(const weft_model *model) {
  if (!model) return 0;
  return model->part_count ? model->part_count : 1;
}

const weft_model *weft_model_part(const weft_model *model, uint32_t index) {
  if (index >= weft_model_part_count(model)) return NULL;
  return model->part_count ? model->parts[index] : model;
}
