/* self_cook_fans.c: the triangles around each particle. */
#include "self_cook_internal.h"

#include "ranges.h"

/* A triangle at a particle, and its two other corners in order. */
typedef struct ray {
  uint32_t at, next, last;
} ray;

/* The triangle whose `next` is this particle; NONE if there is none, count if there are two. */
static uint32_t ray_from(const ray *rays, uint32_t count, uint32_t particle) {
  uint32_t found = WEFT_COOK_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    if (rays[i].next == particle) found = found == WEFT_COOK_NONE ? i : count;
  }
  return found;
}

static uint32_t ray_to(const ray *rays, uint32_t count, uint32_t particle) {
  uint32_t found = WEFT_COOK_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    if (rays[i].last == particle) found = found == WEFT_COOK_NONE ? i : count;
  }
  return found;
}

/* The first triangle of an open fan, and how many could be first; any triangle of a closed one. */
static uint32_t begin_of(const ray *rays, uint32_t count, uint32_t *begins) {
  uint32_t begin = 0;
  *begins = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (ray_to(rays, count, rays[i].next) != WEFT_COOK_NONE) continue;
    begin = i;
    ++*begins;
  }
  return begin;
}

/* Sorts the triangles into fan order; leaves them unsorted if they are no fan. */
static uint32_t order_fan(uint32_t *fan, const ray *rays, uint32_t count) {
  uint32_t begins, at = begin_of(rays, count, &begins), order[WEFT_SELF_FAN_MOST], n = 0;
  if (begins > 1) return WEFT_SELF_FAN_NONE;
  while (n < count) {
    order[n++] = rays[at].at;
    uint32_t follows = ray_from(rays, count, rays[at].last);
    if (follows == count || ray_to(rays, count, rays[at].last) == count) return WEFT_SELF_FAN_NONE;
    if (follows == WEFT_COOK_NONE || rays[follows].at == order[0]) break;
    at = follows;
  }
  if (n < count) return WEFT_SELF_FAN_NONE;
  for (uint32_t i = 0; i < count; ++i) fan[i] = order[i];
  return begins == 1 ? WEFT_SELF_FAN_OPEN : WEFT_SELF_FAN_CLOSED;
}

static uint32_t kind_of(const weft_cook *cook, uint32_t particle, uint32_t *fan, uint32_t count) {
  ray rays[WEFT_SELF_FAN_MOST];
  if (count == 0 || count > WEFT_SELF_FAN_MOST) return WEFT_SELF_FAN_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    const weft_uvec3 c = cook->out->triangles[fan[i] / 4].corners;
    const uint32_t corners[3] = {c.x, c.y, c.z}, k = fan[i] % 4;
    rays[i] = (ray){fan[i], corners[(k + 1) % 3], corners[(k + 2) % 3]};
    bool twice = rays[i].next == particle || rays[i].last == particle;
    if (twice || rays[i].next == rays[i].last) return WEFT_SELF_FAN_NONE;
  }
  uint32_t kind = order_fan(fan, rays, count);
  return kind == WEFT_SELF_FAN_CLOSED && count < 3 ? WEFT_SELF_FAN_NONE : kind;
}

static void order_range(void *context, uint32_t part, size_t first, size_t end) {
  const weft_cook *cook = context;
  weft_self_cooked *out = cook->out;
  (void)part;
  for (uint32_t i = (uint32_t)first; i < end; ++i) {
    uint32_t begin = cook->corner_first[i], count = cook->corner_first[i + 1] - begin;
    for (uint32_t k = begin; k < begin + count; ++k) out->fans[k] = cook->corners_at[k];
    uint32_t kind = kind_of(cook, i, out->fans + begin, count);
    uint32_t middle = kind == WEFT_SELF_FAN_OPEN ? (count + 1) / 2 : 0;
    out->stars[i] =
        (weft_self_star){.first = begin, .count = count, .kind = kind, .middle = middle};
  }
}

void weft_cook_stars(weft_cook *cook) {
  const weft_self_surface *s = cook->surface;
  weft_self_cooked *out = cook->out;
  out->fan_count = cook->corner_first[s->cloth_particles];
  out->stars = weft_alloc(s->particles, sizeof *out->stars);
  out->fans = weft_alloc(out->fan_count, sizeof *out->fans);
  weft_ranges_run(s->cloth_particles, weft_ranges_worth(s->cloth_particles), order_range, cook);
}
