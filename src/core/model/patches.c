/* patches.h explains what patches are. */
#include "patches.h"

#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "clusters.h"
#include "sets.h"

/* Attempts with clusters; the rest goes colour by colour. */
enum { CLUSTERINGS = 8 };

typedef struct builder {
  const weft_model *model;
  uint32_t max;
  /* Constraints that are in no patch yet, by group, ascending; and the patch each has just got. */
  uint32_t *left_group, *left, *given;
  uint32_t left_count;
  uint32_t *cluster; /* [particles] */
  uint32_t *place;   /* [particles] 1 + index in the patch that `stamp` names */
  uint32_t *stamp;   /* [particles] 1 + patch */
  weft_patches *out;
  size_t dispatch_capacity, patch_capacity, range_capacity, particle_capacity;
} builder;

static const uint32_t *roles_of(const builder *b, uint32_t k, uint32_t *arity) {
  const weft_constraint_group *g = &b->model->groups[b->left_group[k]];
  *arity = g->arity;
  return g->particles + (size_t)b->left[k] * g->arity;
}

/* ---- from clusters to patches ---- */

/* Assigns each constraint that lies in one cluster to it; `stretch`: only stretch constraints,
 * unless all constraints lie in clusters. */
static void give_clusters(builder *b, bool stretch) {
  bool all = true;
  for (uint32_t k = 0; k < b->left_count; ++k) {
    uint32_t arity;
    const uint32_t *p = roles_of(b, k, &arity);
    uint32_t cluster = b->cluster[p[0]];
    for (uint32_t r = 1; r < arity; ++r) {
      if (b->cluster[p[r]] != cluster) cluster = WEFT_NO_CLUSTER;
    }
    b->given[k] = cluster;
    all = all && cluster != WEFT_NO_CLUSTER;
  }
  for (uint32_t k = 0; k < b->left_count && stretch && !all; ++k) {
    bool of_stretch = b->model->groups[b->left_group[k]].role == WEFT_ROLE_STRETCH;
    if (!of_stretch) b->given[k] = WEFT_NO_CLUSTER;
  }
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void add_particle(builder *b, uint32_t particle) {
  weft_patches *out = b->out;
  if (b->stamp[particle] == out->patch_count) return;
  b->stamp[particle] = out->patch_count;
  weft_grow((void **)&out->particles, &b->particle_capacity, out->particle_count + 1u,
            sizeof *out->particles);
  out->particles[out->particle_count++] = particle;
}

static void list_particles(builder *b, weft_patch *patch, const uint32_t *members, uint32_t count) {
  weft_patches *out = b->out;
  patch->particle_first = out->particle_count;
  for (uint32_t m = 0; m < count; ++m) {
    uint32_t arity;
    const uint32_t *p = roles_of(b, members[m], &arity);
    for (uint32_t r = 0; r < arity; ++r) add_particle(b, p[r]);
  }
  uint32_t *list = out->particles + patch->particle_first;
  patch->particle_count = out->particle_count - patch->particle_first;
  WEFT_CHECK(patch->particle_count <= b->max, "a patch fits its limit");
  qsort(list, patch->particle_count, sizeof *list, compare);
  for (uint32_t k = 0; k < patch->particle_count; ++k) b->place[list[k]] = k;
}

static uint32_t colour_of(const weft_constraint_group *g, uint32_t i) {
  uint32_t c = 0;
  while (i >= g->colour_first[c + 1]) ++c;
  return c;
}

/* A group's colours are valid in the patch too, and its constraints come sorted by them. */
static void list_ranges(builder *b, weft_patch *patch, const uint32_t *members, uint32_t count) {
  weft_patches *out = b->out;
  patch->range_first = out->range_count;
  uint32_t end = 0; /* that have the colour of the open range */
  for (uint32_t m = 0; m < count; ++m) {
    uint32_t group = b->left_group[members[m]], i = b->left[members[m]], arity;
    const weft_constraint_group *g = &b->model->groups[group];
    bool first = out->range_count == patch->range_first;
    if (first || out->ranges[out->range_count - 1].group != group || i >= end) {
      weft_grow((void **)&out->ranges, &b->range_capacity, out->range_count + 1u,
                sizeof *out->ranges);
      out->ranges[out->range_count++] =
          (weft_patch_range){group, out->item_count, 0, out->local_count};
      end = g->colour_first[colour_of(g, i) + 1];
    }
    out->ranges[out->range_count - 1].count++;
    out->items[out->item_count++] = i;
    const uint32_t *p = roles_of(b, members[m], &arity);
    for (uint32_t r = 0; r < arity; ++r) {
      out->locals[out->local_count++] = (uint16_t)b->place[p[r]];
    }
  }
  patch->range_count = out->range_count - patch->range_first;
}

static void add_patch(builder *b, const uint32_t *members, uint32_t count) {
  weft_patches *out = b->out;
  weft_grow((void **)&out->patches, &b->patch_capacity, out->patch_count + 1u,
            sizeof *out->patches);
  weft_patch *patch = &out->patches[out->patch_count++];
  list_particles(b, patch, members, count);
  list_ranges(b, patch, members, count);
}

/* Removes constraints that have got a patch from the rest. */
static void drop_given(builder *b) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < b->left_count; ++k) {
    if (b->given[k] != WEFT_NO_CLUSTER) continue;
    b->left_group[kept] = b->left_group[k];
    b->left[kept++] = b->left[k];
  }
  b->left_count = kept;
}

/* One dispatch of the patches in `given`, numbers below `count`; none if nothing was assigned. */
static void add_dispatch(builder *b, uint32_t count) {
  weft_patches *out = b->out;
  uint32_t *begin = weft_alloc(count + 1ull, sizeof *begin);
  for (uint32_t k = 0; k < b->left_count; ++k) {
    if (b->given[k] != WEFT_NO_CLUSTER) ++begin[b->given[k] + 1];
  }
  for (uint32_t c = 0; c < count; ++c) begin[c + 1] += begin[c];
  uint32_t total = begin[count];
  uint32_t *members = weft_alloc(total, sizeof *members);
  uint32_t *next = weft_alloc(count, sizeof *next);
  memcpy(next, begin, count * sizeof *next);
  for (uint32_t k = 0; k < b->left_count; ++k) {
    if (b->given[k] != WEFT_NO_CLUSTER) members[next[b->given[k]]++] = k;
  }
  for (uint32_t c = 0; c < count; ++c) {
    if (begin[c] < begin[c + 1]) add_patch(b, members + begin[c], begin[c + 1] - begin[c]);
  }
  weft_free(begin);
  weft_free(members);
  weft_free(next);
  if (total == 0) return;
  drop_given(b);
  weft_grow((void **)&out->dispatch_first, &b->dispatch_capacity, out->dispatch_count + 2u,
            sizeof *out->dispatch_first);
  out->dispatch_first[++out->dispatch_count] = out->patch_count;
}

/* ---- clusters of grids ---- */

/* The longest edge of equal tiles, at most that of a square of `most` particles. */
static uint32_t tile_edge(uint32_t length, uint32_t max) {
  uint32_t edge = 1;
  while ((edge + 1) * (edge + 1) <= max) ++edge;
  uint32_t pieces = (length - 1) / edge + 1;
  return (length - 1) / pieces + 1;
}

/* Tiles in rows and columns; when shifted, the first ones are half as long. */
static uint32_t cut_tiles(builder *b, bool shifted) {
  uint32_t rows = b->model->grid_rows, columns = b->model->grid_columns;
  uint32_t high = tile_edge(rows, b->max), wide = tile_edge(columns, b->max);
  uint32_t down = shifted ? high / 2 : 0, right = shifted ? wide / 2 : 0;
  uint32_t across = (columns + right - 1) / wide + 1;
  for (uint32_t i = 0; i < b->model->particle_count; ++i) {
    b->cluster[i] = (i / columns + down) / high * across + (i % columns + right) / wide;
  }
  return ((rows + down - 1) / high + 1) * across;
}

/* ---- clusters of other meshes ---- */

/* The graph of the remaining constraints: each joins its first particle with its others. */
static void build_graph(const builder *b, uint32_t **offsets, uint32_t **neighbours) {
  uint32_t n = b->model->particle_count;
  uint32_t *first = weft_alloc(n + 1ull, sizeof *first);
  for (uint32_t k = 0; k < b->left_count; ++k) {
    uint32_t arity;
    const uint32_t *p = roles_of(b, k, &arity);
    first[p[0] + 1] += arity - 1;
    for (uint32_t r = 1; r < arity; ++r) ++first[p[r] + 1];
  }
  for (uint32_t i = 0; i < n; ++i) first[i + 1] += first[i];
  uint32_t *next = weft_alloc(n, sizeof *next), *others = weft_alloc(first[n], sizeof *others);
  memcpy(next, first, n * sizeof *next);
  for (uint32_t k = 0; k < b->left_count; ++k) {
    uint32_t arity;
    const uint32_t *p = roles_of(b, k, &arity);
    for (uint32_t r = 1; r < arity; ++r) {
      others[next[p[0]]++] = p[r];
      others[next[p[r]]++] = p[0];
    }
  }
  weft_free(next);
  *offsets = first;
  *neighbours = others;
}

static uint32_t cut_clusters(builder *b) {
  uint32_t *offsets, *neighbours;
  build_graph(b, &offsets, &neighbours);
  weft_cluster_graph graph = {b->model->particle_count, offsets, neighbours};
  uint32_t count = weft_clusters_build(&graph, b->max, b->cluster);
  weft_free(offsets);
  weft_free(neighbours);
  return count;
}

/* ---- islands: components connected by the remaining constraints ---- */

/* Packs islands into clusters (b->cluster); returns how many there are, 0 if an island is too
 * large for a patch. A pack holds a quarter of the most, since there are few and work groups
 * would idle. */
static uint32_t pack_islands(builder *b) {
  uint32_t n = b->model->particle_count, count = 0, room = 0, max = b->max / 4;
  uint32_t *parent = weft_sets(n), *size = weft_alloc(n, sizeof *size);
  for (uint32_t i = 0; i < n; ++i) size[i] = 1;
  bool fit = true;
  for (uint32_t k = 0; k < b->left_count; ++k) {
    uint32_t arity;
    const uint32_t *p = roles_of(b, k, &arity);
    for (uint32_t r = 1; r < arity; ++r) {
      uint32_t u = weft_set_root(parent, p[0]), v = weft_set_root(parent, p[r]);
      if (u == v) continue;
      uint32_t low = u < v ? u : v, high = u < v ? v : u;
      parent[high] = low;
      size[low] += size[high];
      fit = fit && size[low] <= b->max;
    }
  }
  /* The root of an island is its lowest particle, so packs follow the order of particles. */
  for (uint32_t i = 0; i < n && fit; ++i) {
    uint32_t root = weft_set_root(parent, i);
    if (root == i && size[i] > 1) {
      if (count == 0 || size[i] > room) {
        ++count;
        room = size[i] > max ? size[i] : max;
      }
      room -= size[i];
      b->cluster[i] = count - 1;
    } else {
      b->cluster[i] = root == i ? WEFT_NO_CLUSTER : b->cluster[root];
    }
  }
  weft_free(parent);
  weft_free(size);
  return fit ? count : 0;
}

/* ---- the last resort: colours ---- */

/* Constraints of the first remaining colour; they share no particle, so any number of them makes
 * a patch. */
static uint32_t give_colour(builder *b) {
  const weft_constraint_group *g = &b->model->groups[b->left_group[0]];
  uint32_t end = g->colour_first[colour_of(g, b->left[0]) + 1], fit = b->max / g->arity, count = 0;
  for (uint32_t k = 0; k < b->left_count; ++k) {
    bool of_colour = b->left_group[k] == b->left_group[0] && b->left[k] < end;
    b->given[k] = of_colour ? count++ / fit : WEFT_NO_CLUSTER;
  }
  return (count - 1) / fit + 1;
}

/* ---- all together ---- */

static void collect(builder *b, uint32_t constraints) {
  b->left = weft_alloc(constraints, sizeof *b->left);
  b->left_group = weft_alloc(constraints, sizeof *b->left_group);
  b->given = weft_alloc(constraints, sizeof *b->given);
  for (uint32_t g = 0; g < b->model->group_count; ++g) {
    for (uint32_t i = 0; i < b->model->groups[g].count; ++i) {
      b->left_group[b->left_count] = g;
      b->left[b->left_count++] = i;
    }
  }
}

static void sweep_grid(builder *b) {
  for (int k = 0; k < 3 && b->left_count > 0; ++k) {
    uint32_t count = cut_tiles(b, k == 1);
    give_clusters(b, k == 0);
    add_dispatch(b, count);
  }
}

static void sweep_mesh(builder *b) {
  uint32_t n = b->model->particle_count, *offsets, *neighbours;
  build_graph(b, &offsets, &neighbours);
  weft_cluster_graph graph = {n, offsets, neighbours};
  uint32_t *first = weft_alloc(n, sizeof *first);
  uint32_t count = weft_clusters_build(&graph, b->max, b->cluster);
  memcpy(first, b->cluster, n * sizeof *first);
  give_clusters(b, true);
  add_dispatch(b, count);
  uint32_t shifted = weft_clusters_shift(&graph, b->max, b->cluster);
  give_clusters(b, false);
  add_dispatch(b, shifted);
  memcpy(b->cluster, first, n * sizeof *first);
  give_clusters(b, false);
  add_dispatch(b, count);
  weft_free(first);
  weft_free(offsets);
  weft_free(neighbours);
}

static void sweep_rest(builder *b) {
  for (int k = 0; k < CLUSTERINGS && b->left_count > 0; ++k) {
    uint32_t count = pack_islands(b);
    if (count == 0) count = cut_clusters(b);
    give_clusters(b, false);
    add_dispatch(b, count);
  }
  while (b->left_count > 0) {
    uint32_t count = give_colour(b);
    add_dispatch(b, count);
  }
}

uint32_t weft_patches_size(const weft_model *model) {
  uint32_t size = 256;
  while (size < WEFT_PATCH_MAX && model->particle_count / 128 > size) size *= 2;
  return size;
}

void weft_patches_build(const weft_model *model, uint32_t max, weft_patches *patches) {
  WEFT_CHECK(max >= 16 && max <= WEFT_PATCH_MAX, "a patch has 16 to 1024 particles");
  uint32_t n = model->particle_count, constraints = 0, locals = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    constraints += model->groups[g].count;
    locals += model->groups[g].count * model->groups[g].arity;
  }
  *patches = (weft_patches){.items = weft_alloc(constraints, sizeof *patches->items),
                            .locals = weft_alloc(locals, sizeof *patches->locals),
                            .dispatch_first = weft_alloc(1, sizeof *patches->dispatch_first)};
  builder b = {.model = model,
               .max = max,
               .cluster = weft_alloc(n, sizeof *b.cluster),
               .place = weft_alloc(n, sizeof *b.place),
               .stamp = weft_alloc(n, sizeof *b.stamp),
               .out = patches,
               .dispatch_capacity = 1};
  collect(&b, constraints);
  if (model->grid_rows > 1 && model->grid_columns > 1) {
    sweep_grid(&b);
  } else {
    sweep_mesh(&b);
  }
  sweep_rest(&b);
  weft_free(b.cluster);
  weft_free(b.place);
  weft_free(b.stamp);
  weft_free(b.left);
  weft_free(b.left_group);
  weft_free(b.given);
}

void weft_patches_free(weft_patches *patches) {
  weft_free(patches->dispatch_first);
  weft_free(patches->patches);
  weft_free(patches->ranges);
  weft_free(patches->particles);
  weft_free(patches->items);
  weft_free(patches->locals);
  *patches = (weft_patches){0};
}

/* ---- the validator ---- */

typedef struct checker {
  const weft_model *model;
  const weft_patches *patches;
  uint32_t *patch_of; /* [particles] 1 + patch that had it last */
  uint32_t *range_of; /* [particles] 1 + range that had it last */
  bool *done[WEFT_MAX_GROUPS];
  weft_error *err;
} checker;

static weft_result broken(const checker *c, uint32_t patch, const char *reason) {
  return weft_fail(c->err, WEFT_ERROR_MESH, "patch %u of the patch schedule: %s", patch, reason);
}

static weft_result check_range(checker *c, uint32_t patch, uint32_t range) {
  const weft_patches *all = c->patches;
  const weft_patch *p = &all->patches[patch];
  const weft_patch_range *r = &all->ranges[range];
  if (r->group >= c->model->group_count) return broken(c, patch, "a group that does not exist");
  const weft_constraint_group *g = &c->model->groups[r->group];
  for (uint32_t k = 0; k < r->count; ++k) {
    uint32_t i = all->items[r->first + k];
    if (i >= g->count) return broken(c, patch, "a constraint that does not exist");
    if (c->done[r->group][i]) return broken(c, patch, "a constraint that was swept already");
    c->done[r->group][i] = true;
    for (uint32_t role = 0; role < g->arity; ++role) {
      uint32_t local = all->locals[r->locals + k * g->arity + role];
      uint32_t particle = g->particles[(size_t)i * g->arity + role];
      bool own = local < p->particle_count && all->particles[p->particle_first + local] == particle;
      if (!own) return broken(c, patch, "a place that is not the constraint's particle");
      if (c->range_of[particle] == range + 1) {
        return broken(c, patch, "two constraints of a range share a particle");
      }
      c->range_of[particle] = range + 1;
    }
  }
  return WEFT_OK;
}

static weft_result check_patch(checker *c, uint32_t patch, uint32_t dispatch_first) {
  const weft_patch *p = &c->patches->patches[patch];
  if (p->particle_count > WEFT_PATCH_MAX) return broken(c, patch, "too many particles");
  for (uint32_t k = 0; k < p->particle_count; ++k) {
    uint32_t particle = c->patches->particles[p->particle_first + k];
    if (particle >= c->model->particle_count) {
      return broken(c, patch, "a particle that does not exist");
    }
    if (c->patch_of[particle] > dispatch_first) {
      return broken(c, patch, "a particle of another patch of its dispatch");
    }
    c->patch_of[particle] = patch + 1;
  }
  weft_result result = WEFT_OK;
  for (uint32_t r = 0; r < p->range_count && result == WEFT_OK; ++r) {
    result = check_range(c, patch, p->range_first + r);
  }
  return result;
}

weft_result weft_patches_validate(const weft_model *model, const weft_patches *patches,
                                  weft_error *err) {
  uint32_t n = model->particle_count;
  checker c = {.model = model,
               .patches = patches,
               .patch_of = weft_alloc(n, sizeof *c.patch_of),
               .range_of = weft_alloc(n, sizeof *c.range_of),
               .err = err};
  for (uint32_t g = 0; g < model->group_count; ++g) {
    c.done[g] = weft_alloc(model->groups[g].count, sizeof **c.done);
  }
  weft_result result = WEFT_OK;
  for (uint32_t d = 0; d < patches->dispatch_count && result == WEFT_OK; ++d) {
    uint32_t first = patches->dispatch_first[d], end = patches->dispatch_first[d + 1];
    for (uint32_t k = first; k < end && result == WEFT_OK; ++k) result = check_patch(&c, k, first);
  }
  for (uint32_t g = 0; g < model->group_count; ++g) {
    for (uint32_t i = 0; i < model->groups[g].count && result == WEFT_OK; ++i) {
      if (!c.done[g][i]) {
        result = weft_fail(err, WEFT_ERROR_MESH, "%s constraint %u is in no patch",
                           model->groups[g].name, i);
      }
    }
    weft_free(c.done[g]);
  }
  weft_free(c.patch_of);
  weft_free(c.range_of);
  return result;
}
