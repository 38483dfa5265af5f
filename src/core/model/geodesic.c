/* geodesic.c: a wavefront runs from all pinned particles at once, nearest first (wavefront.c),
 * or several do in parallel.
 *
 * A particle keeps labels of so many islands. Only if there are more do islands displace each
 * other's labels; up to that number each gives the same bits alone, so threads can share them. */
#include "geodesic.h"

#include <pthread.h>
#include <string.h>

#include "base.h"
#include "ranges.h"
#include "sets.h"
#include "wavefront.h"

enum { NONE = UINT32_MAX };

/* ---- links, for models without triangles ---- */

static void add_link(const weft_wavefront_links *links, uint32_t *next, uint32_t a, uint32_t b,
                     float length) {
  links->ends[next[a]] = b;
  links->lengths[next[a]++] = length;
  links->ends[next[b]] = a;
  links->lengths[next[b]++] = length;
}

/* A constraint that acts only when compressed holds no particle up. */
static bool holds(const weft_constraint_group *g) {
  return g->type == WEFT_CONSTRAINT_DISTANCE && g->sense != WEFT_SENSE_AT_LEAST;
}

static weft_wavefront_links find_links(const weft_model *model) {
  uint32_t n = model->particle_count;
  weft_wavefront_links links = {.offsets = weft_alloc((size_t)n + 1, sizeof *links.offsets)};
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (size_t k = 0; holds(group) && k < 2 * (size_t)group->count; ++k) {
      links.offsets[group->particles[k] + 1]++;
    }
  }
  for (uint32_t v = 0; v < n; ++v) links.offsets[v + 1] += links.offsets[v];
  links.ends = weft_alloc(links.offsets[n], sizeof *links.ends);
  links.lengths = weft_alloc(links.offsets[n], sizeof *links.lengths);
  uint32_t *next = weft_alloc(n, sizeof *next);
  memcpy(next, links.offsets, n * sizeof *next);
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    for (uint32_t i = 0; holds(group) && i < group->count; ++i) {
      const uint32_t *p = &group->particles[2 * (size_t)i];
      add_link(&links, next, p[0], p[1], group->rest[i]);
    }
  }
  weft_free(next);
  return links;
}

/* ---- islands of pins ---- */

static void join(const weft_model *model, uint32_t *island, uint32_t a, uint32_t b) {
  if (!weft_is_pin(model, b)) return;
  weft_set_join(island, a, b);
}

static void join_neighbours(const weft_model *model, const weft_wavefront_links *links,
                            uint32_t *island, uint32_t v) {
  if (links->offsets) {
    for (uint32_t i = links->offsets[v]; i < links->offsets[v + 1]; ++i) {
      join(model, island, v, links->ends[i]);
    }
    return;
  }
  for (uint32_t i = model->corner_offsets[v]; i < model->corner_offsets[v + 1]; ++i) {
    const uint32_t *t = model->triangles + model->corner_items[i] / 3 * (size_t)3;
    for (int k = 0; k < 3; ++k) join(model, island, v, t[k]);
  }
}

/* For each pinned particle the smallest index in its island, [particles]; undefined for others. */
static uint32_t *find_islands(const weft_model *model, const weft_wavefront_links *links,
                              uint32_t *count) {
  uint32_t n = model->particle_count, *island = weft_alloc(n, sizeof *island);
  for (uint32_t v = 0; v < n; ++v) {
    if (weft_is_pin(model, v)) island[v] = v;
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (weft_is_pin(model, v)) join_neighbours(model, links, island, v);
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (!weft_is_pin(model, v)) continue;
    island[v] = weft_set_root(island, v);
    if (island[v] == v) ++*count;
  }
  return island;
}

/* ---- wavefronts ---- */

typedef struct survey {
  const weft_model *model;
  const uint32_t *island;
  weft_geodesics *out;
  weft_wavefront_map map;
  uint32_t wavefront_count;
  weft_wavefront wavefronts[WEFT_MAX_LRA];
} survey;

/* How many wavefronts can run independently: at most one for each island. */
static uint32_t wavefronts_worth(const survey *s) {
  uint32_t islands = s->out->island_count, max = weft_ranges_worth(s->model->particle_count);
  if (islands == 0 || islands > WEFT_MAX_LRA) return 1;
  return max < islands ? max : islands;
}

/* Islands are distributed to wavefronts in the order of their first particles. */
static void add_pins(survey *s) {
  uint32_t islands = 0, first[WEFT_MAX_LRA];
  for (uint32_t v = 0; v < s->model->particle_count; ++v) {
    if (!weft_is_pin(s->model, v)) continue;
    uint32_t k = 0;
    if (s->wavefront_count > 1) {
      while (k < islands && first[k] != s->island[v]) ++k;
      if (k == islands) first[islands++] = v;
    }
    weft_wavefront_add(&s->wavefronts[k % s->wavefront_count], v);
  }
}

static void run_wavefronts(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  survey *s = context;
  for (size_t k = first; k < end; ++k) weft_wavefront_run(&s->wavefronts[k]);
}

/* ---- the nearest sources ---- */

/* Inserts a source into a row sorted by distance, in which an island appears once. */
static void keep(const uint32_t *island, const weft_label *l, uint32_t *anchors, double *lengths) {
  uint32_t at = 0;
  while (at < WEFT_MAX_LRA && anchors[at] != NONE &&
         (lengths[at] < l->distance || (lengths[at] == l->distance && anchors[at] < l->source))) {
    if (island[anchors[at]] == l->island) return;
    ++at;
  }
  if (at == WEFT_MAX_LRA) return;
  uint32_t end = at; /* the entry to replace: an old one of this island, the first free, the last */
  while (end + 1 < WEFT_MAX_LRA && anchors[end] != NONE && island[anchors[end]] != l->island) {
    ++end;
  }
  for (; end > at; --end) {
    anchors[end] = anchors[end - 1];
    lengths[end] = lengths[end - 1];
  }
  anchors[at] = l->source;
  lengths[at] = l->distance;
}

static void collect(void *context, uint32_t part, size_t first, size_t end) {
  (void)part;
  const survey *s = context;
  for (size_t c = first; c < end; ++c) {
    size_t v = s->map.cells[c].particle;
    uint32_t *anchors = &s->out->anchors[WEFT_MAX_LRA * v];
    double *lengths = &s->out->lengths[WEFT_MAX_LRA * v];
    for (int k = 0; k < WEFT_MAX_LRA; ++k) anchors[k] = NONE;
    for (uint32_t k = 0; s->model->inverse_masses[v] != 0 && k < s->wavefront_count; ++k) {
      uint32_t count;
      const weft_label *labels = weft_wavefront_labels(&s->wavefronts[k], (uint32_t)c, &count);
      for (uint32_t i = 0; i < count; ++i) {
        if (labels[i].settled) keep(s->island, &labels[i], anchors, lengths);
      }
    }
  }
}

static void run(survey *s) {
  uint32_t n = s->model->particle_count;
  s->wavefront_count = wavefronts_worth(s);
  for (uint32_t k = 0; k < s->wavefront_count; ++k) {
    weft_wavefront_init(&s->wavefronts[k], &s->map, n, s->island);
  }
  add_pins(s);
  weft_ranges_run(s->wavefront_count, s->wavefront_count, run_wavefronts, s);
  weft_ranges_run(n, weft_ranges_worth(n), collect, s);
  for (uint32_t k = 0; k < s->wavefront_count; ++k) weft_wavefront_free(&s->wavefronts[k]);
}

void weft_geodesics_build(const weft_model *model, weft_geodesics *out) {
  double start = weft_clock_seconds();
  size_t n = model->particle_count;
  weft_wavefront_links links = {0};
  if (model->triangle_count == 0) links = find_links(model);
  *out = (weft_geodesics){.particle_count = model->particle_count};
  uint32_t *island = find_islands(model, &links, &out->island_count);
  out->anchors = weft_alloc(WEFT_MAX_LRA * n, sizeof *out->anchors);
  out->lengths = weft_alloc(WEFT_MAX_LRA * n, sizeof *out->lengths);
  survey s = {.model = model, .island = island, .out = out};
  weft_wavefront_map_build(model, &links, &s.map);
  double mapped = weft_clock_seconds();
  run(&s);
  weft_wavefront_map_free(&s.map);
  weft_log(WEFT_LOG_DEBUG,
           "distances of %zu particles from %u islands of pins: map %.3f s, %u fronts %.3f s", n,
           out->island_count, mapped - start, s.wavefront_count, weft_clock_seconds() - mapped);
  weft_free(island);
  weft_free(links.offsets);
  weft_free(links.ends);
  weft_free(links.lengths);
}

/* Several threads may read a model; this lock guards what is stored in it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const weft_geodesics *weft_model_geodesics(const weft_model *model) {
  pthread_mutex_lock(&lock);
  const bool known = model->geodesics->anchors != NULL;
  pthread_mutex_unlock(&lock);
  if (known) return model->geodesics;
  weft_geodesics found; /* without the lock: memory may run out */
  WEFT_KEEP_MEMORY();
  weft_geodesics_build(model, &found);
  pthread_mutex_lock(&lock);
  const bool first = model->geodesics->anchors == NULL;
  if (first) *model->geodesics = found;
  pthread_mutex_unlock(&lock);
  if (!first) weft_geodesics_free(&found);
  return model->geodesics;
}

void weft_geodesics_free(weft_geodesics *geodesics) {
  weft_free(geodesics->anchors);
  weft_free(geodesics->lengths);
  *geodesics = (weft_geodesics){0};
}
