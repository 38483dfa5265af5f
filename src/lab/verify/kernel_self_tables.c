/* kernel_self_tables.c: what is known of the made-up triangles of self-collision at rest: patches,
 * some with gradients that certify them and some without, neighbours, hulls seen from axes that are
 * turned and bent, and fans of what triangles each particle has. */
#include <math.h>

#include "kernel_data.h"

enum { NEIGHBOURS = 3 };

/* ---- gradients ---- */

static weft_vec3 at(const weft_contents *contents, weft_buffer_id id, uint32_t particle) {
  const vec4 *x = contents->buffers[id].data;
  return weft_v3(x[particle].x, x[particle].y, x[particle].z);
}

static weft_vec3 from_to(const weft_contents *contents, uint32_t a, uint32_t b) {
  return weft_v3_sub(at(contents, WEFT_BUFFER_X_PREV, b), at(contents, WEFT_BUFFER_X_PREV, a));
}

static weft_vec3 unit(weft_vec3 v) {
  float length = weft_v3_length(v);
  return length > 0 ? weft_v3_scale(v, 1 / length) : weft_v3(1, 0, 0);
}

/* A plane of a triangle as it lies. */
static void find_axes(const weft_contents *contents, weft_uvec3 corners, weft_vec3 axes[2]) {
  weft_vec3 e = from_to(contents, corners.x, corners.y),
            f = from_to(contents, corners.x, corners.z);
  axes[0] = unit(e);
  weft_vec3 across = weft_v3_sub(f, weft_v3_scale(axes[0], weft_v3_dot(f, axes[0])));
  axes[1] = unit(across);
}

/* Of edges as they are seen along two axes: then the gradient there is the identity. */
static vec4 inverse_of(const weft_contents *contents, weft_uvec3 corners, const weft_vec3 axes[2],
                       weft_rng *rng) {
  weft_vec3 e = from_to(contents, corners.x, corners.y),
            f = from_to(contents, corners.x, corners.z);
  float e1 = weft_v3_dot(e, axes[0]), e2 = weft_v3_dot(e, axes[1]);
  float f1 = weft_v3_dot(f, axes[0]), f2 = weft_v3_dot(f, axes[1]), det = e1 * f2 - e2 * f1;
  if (fabsf(det) < 1e-8f) return weft_kernel_small_vector(rng, 30, 20);
  return (vec4){f2 / det, -e2 / det, -f1 / det, e1 / det};
}

/* A body is certified by nobody: it has no inverses. */
static void fill_inverses(const weft_kernel_tables *t, uint32_t patch, const weft_vec3 axes[2],
                          weft_rng *rng, weft_contents *contents) {
  bool body = patch % t->patches >= t->cloth_patches;
  weft_self_triangle *places = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  weft_self_triangle *first = &places[(size_t)patch * WEFT_SELF_PATCH];
  bool flat = patch % t->certified_each == 0 || patch % t->certified_each == 1;
  for (uint32_t k = 0; k < WEFT_SELF_PATCH; ++k) {
    if (first[k].flags & WEFT_SELF_EMPTY) {
      first[k] = first[0];
      first[k].flags = WEFT_SELF_EMPTY;
      continue;
    }
    if (body) continue;
    vec4 g = inverse_of(contents, first[k].corners, axes, rng);
    float by = flat ? weft_rng_float(rng, 0.97f, 1.03f) : weft_rng_float(rng, 0.1f, 1.5f);
    if (!flat && k % 7 == 3) by = -by;
    first[k].inverse = (vec4){by * g.x, by * g.y, g.z, g.w};
  }
}

/* ---- patches ---- */

/* The first three give the gradient, the others nothing or little. */
static void put_weights(weft_self_patch *patch, weft_uvec3 corners, vec4 g, const float turn[2],
                        weft_rng *rng) {
  const float u[3] = {0, g.x, g.y}, v[3] = {0, g.z, g.w};
  float uv[2][3];
  for (int k = 0; k < 3; ++k) {
    uv[0][k] = turn[0] * u[k] - turn[1] * v[k];
    uv[1][k] = turn[1] * u[k] + turn[0] * v[k];
  }
  patch->fixed_a = (uvec4){corners.x, corners.y, corners.z, corners.y};
  patch->fixed_b = (uvec4){corners.z, corners.x, corners.y, corners.z};
  patch->u_a = (vec4){weft_rng_float(rng, -9, 9), uv[0][1], uv[0][2], 0};
  patch->v_a = (vec4){weft_rng_float(rng, -9, 9), uv[1][1], uv[1][2], 0};
  patch->u_b = patch->v_b = (vec4){0, weft_rng_float(rng, -1, 1), 0, 0};
}

/* Of two in a row the second has the axes of the first one, turned: so they may prove something
 * for each other. Turns are those of patches of a part, one after the other. */
static void fill_patch(const weft_kernel_tables *t, uint32_t patch, float turn[2], weft_rng *rng,
                       weft_contents *contents) {
  const weft_self_triangle *places = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  weft_self_patch *own =
      &((weft_self_patch *)contents->buffers[WEFT_BUFFER_SELF_PATCHES].data)[patch];
  const weft_self_part *parts = contents->buffers[WEFT_BUFFER_SELF_PARTS].data;
  bool second = patch % t->patches % 2 == 1;
  float angle = second ? weft_rng_float(rng, -3, 3) : 0;
  turn[0] = cosf(angle);
  turn[1] = sinf(angle);
  weft_uvec3 corners = places[(size_t)(patch - second) * WEFT_SELF_PATCH].corners;
  weft_vec3 axes[2], turned[2];
  find_axes(contents, corners, axes);
  for (int k = 0; k < 2; ++k) {
    weft_vec3 other = weft_v3_scale(axes[1 - k], k ? turn[1] : -turn[1]);
    turned[k] = weft_v3_add(weft_v3_scale(axes[k], turn[0]), other);
  }
  put_weights(own, corners, inverse_of(contents, corners, axes, rng), turn, rng);
  own->body = patch % t->patches >= t->cloth_patches;
  own->reach = parts[patch / t->patches].reach;
  fill_inverses(t, patch, turned, rng, contents);
}

/* ---- neighbours ---- */

typedef struct tables_end {
  uint32_t beside, hulls, shared;
} tables_end;

/* Few are bent so much that nothing is proved. */
static weft_self_hull any_hull(const weft_kernel_tables *t, uint32_t reference, const float *turns,
                               weft_rng *rng) {
  uint32_t part = reference / t->patches * t->patches;
  uint32_t of = weft_rng_u32(rng) % 12 ? reference : part + weft_rng_u32(rng) % t->cloth_patches;
  uint32_t twin = (reference - part) ^ 1;
  if (weft_rng_u32(rng) % 3 == 0 && twin < t->cloth_patches) of = part + twin;
  const float *to = &turns[2 * (size_t)of], *from = &turns[2 * (size_t)reference];
  float c = to[0] * from[0] + to[1] * from[1], s = to[1] * from[0] - to[0] * from[1];
  float off = weft_rng_u32(rng) % 4 ? 0 : weft_rng_float(rng, -0.5f, 0.5f);
  float bend = weft_rng_u32(rng) % 3 ? 0 : weft_rng_float(rng, 0, 0.5f);
  float angle = atan2f(s, c) + off;
  return (weft_self_hull){of, cosf(angle), sinf(angle), bend};
}

static uint32_t put_hulls(const weft_kernel_tables *t, uint32_t reference, const float *turns,
                          tables_end *end, weft_rng *rng, weft_contents *contents) {
  weft_self_hull *hulls = contents->buffers[WEFT_BUFFER_SELF_HULLS].data;
  uint32_t count = weft_rng_u32(rng) % (NEIGHBOURS + 1);
  for (uint32_t k = 0; k < count; ++k) hulls[end->hulls++] = any_hull(t, reference, turns, rng);
  return count;
}

/* Of a patch with itself all of its particles are asked; of two, some of both. */
static uint32_t put_shared(uint32_t first, uint32_t second, tables_end *end, weft_rng *rng,
                           weft_contents *contents) {
  const weft_self_triangle *places = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  uint32_t *shared = contents->buffers[WEFT_BUFFER_SELF_SHARED].data, begin = end->shared;
  uint32_t end_at = first == second ? WEFT_SELF_PATCH : weft_rng_u32(rng) % 2;
  for (uint32_t k = 0; k < end_at; ++k) {
    const weft_self_triangle *t = &places[(size_t)second * WEFT_SELF_PATCH + k];
    const weft_uvec3 c = t->corners;
    if (t->flags & WEFT_SELF_EMPTY) break;
    shared[end->shared++] = c.x;
    shared[end->shared++] = c.y;
    shared[end->shared++] = c.z;
  }
  return end->shared - begin;
}

static void put_beside(const weft_kernel_tables *t, uint32_t first, uint32_t second,
                       const float *turns, tables_end *end, weft_rng *rng,
                       weft_contents *contents) {
  weft_self_adjacent *beside = contents->buffers[WEFT_BUFFER_SELF_ADJACENT].data;
  weft_self_adjacent *own = &beside[end->beside++];
  *own = (weft_self_adjacent){
      .first = first, .second = second, .hulls = end->hulls, .particles = end->shared};
  own->from_first = put_hulls(t, first, turns, end, rng, contents);
  own->from_second = first == second ? 0 : put_hulls(t, second, turns, end, rng, contents);
  own->particle_count = put_shared(first, second, end, rng, contents);
}

static void fill_beside(const weft_kernel_tables *t, const float *turns, weft_rng *rng,
                        weft_contents *contents) {
  weft_self_patch *patches = contents->buffers[WEFT_BUFFER_SELF_PATCHES].data;
  tables_end end = {0};
  for (uint32_t p = 0; p < t->patches * t->parts; ++p) {
    uint32_t part = p / t->patches * t->patches, own = p - part;
    patches[p].beside_first = end.beside;
    if (own >= t->cloth_patches) continue;
    for (uint32_t k = 0; k < NEIGHBOURS; ++k) {
      uint32_t second = own + (k < 2 ? k : 2 + weft_rng_u32(rng) % 3);
      if (second < t->cloth_patches) put_beside(t, p, part + second, turns, &end, rng, contents);
    }
    patches[p].beside_count = end.beside - patches[p].beside_first;
  }
  uint32_t least = t->elements > end.beside ? t->elements : end.beside;
  contents->buffers[WEFT_BUFFER_SELF_ADJACENT].count = least;
}

/* ---- fans ---- */

static uint32_t corner(const weft_self_triangle *t, uint32_t fan, uint32_t by) {
  weft_uvec3 c = t[fan >> 2].corners;
  uint32_t k = ((fan & 3) + by) % 3;
  return k == 0 ? c.x : k == 1 ? c.y : c.z;
}

/* Triangles in the order in which each begins where the last one ends. */
static uint32_t order_fan(const weft_self_triangle *t, uint32_t *fan, uint32_t count) {
  uint32_t start = 0;
  for (uint32_t k = 0; k < count; ++k) {
    bool inside = false;
    for (uint32_t l = 0; l < count; ++l)
      inside = inside || corner(t, fan[l], 2) == corner(t, fan[k], 1);
    if (!inside) start = k;
  }
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t found = k ? count : start;
    for (uint32_t l = k; l < count && k; ++l) {
      if (corner(t, fan[l], 1) == corner(t, fan[k - 1], 2)) found = l;
    }
    if (found == count) return WEFT_SELF_FAN_NONE;
    uint32_t swapped = fan[k];
    fan[k] = fan[found];
    fan[found] = swapped;
  }
  if (count == 0 || count > WEFT_SELF_FAN_MOST) return WEFT_SELF_FAN_NONE;
  bool closed = corner(t, fan[count - 1], 2) == corner(t, fan[0], 1);
  return closed ? count < 3 ? WEFT_SELF_FAN_NONE : WEFT_SELF_FAN_CLOSED : WEFT_SELF_FAN_OPEN;
}

static void fill_stars(const weft_kernel_tables *t, weft_rng *rng, weft_contents *contents) {
  const weft_self_triangle *places = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  const weft_self_vertex *vertices = contents->buffers[WEFT_BUFFER_SELF_VERTICES].data;
  uint32_t n = t->particles * t->parts, end = t->patches * t->parts * WEFT_SELF_PATCH, first = 0;
  weft_self_star *stars = weft_contents_set(contents, WEFT_BUFFER_SELF_STARS, n);
  uint32_t *fans = weft_contents_set(contents, WEFT_BUFFER_SELF_FANS, 3 * (uint64_t)end);
  for (uint32_t k = 0; k < end; ++k) {
    const weft_uvec3 c = places[k].corners;
    if (places[k].flags & (WEFT_SELF_EMPTY | WEFT_SELF_BODY)) continue;
    stars[c.x].count++;
    stars[c.y].count++;
    stars[c.z].count++;
  }
  for (uint32_t i = 0; i < n; first += stars[i++].count) stars[i].first = first;
  for (uint32_t i = 0; i < n; ++i) stars[i].count = 0;
  for (uint32_t k = 0; k < end; ++k) {
    const weft_uvec3 c = places[k].corners;
    if (places[k].flags & (WEFT_SELF_EMPTY | WEFT_SELF_BODY)) continue;
    fans[stars[c.x].first + stars[c.x].count++] = 4 * k;
    fans[stars[c.y].first + stars[c.y].count++] = 4 * k + 1;
    fans[stars[c.z].first + stars[c.z].count++] = 4 * k + 2;
  }
  for (uint32_t i = 0; i < n; ++i) {
    stars[i].kind = order_fan(places, fans + stars[i].first, stars[i].count);
    if (stars[i].kind == WEFT_SELF_FAN_OPEN) {
      uint32_t any = weft_rng_u32(rng) % (stars[i].count + 1);
      stars[i].middle = i % 3 ? (stars[i].count + 1) / 2 : any;
    }
    stars[i].floor = vertices[i].floor;
  }
}

void weft_kernel_self_tables(const weft_kernel_tables *t, weft_rng *rng, weft_contents *contents) {
  uint32_t all = t->patches * t->parts, pairs = NEIGHBOURS * all;
  weft_contents_set(contents, WEFT_BUFFER_SELF_PATCHES, all);
  weft_contents_set(contents, WEFT_BUFFER_SELF_ADJACENT, pairs + t->elements);
  weft_contents_set(contents, WEFT_BUFFER_SELF_HULLS, 2 * (uint64_t)NEIGHBOURS * pairs);
  weft_contents_set(contents, WEFT_BUFFER_SELF_SHARED,
                    (uint64_t)all * 3 * (WEFT_SELF_PATCH + NEIGHBOURS));
  float *turns = weft_alloc(2 * (size_t)all, sizeof *turns);
  for (uint32_t p = 0; p < all; ++p) fill_patch(t, p, &turns[2 * (size_t)p], rng, contents);
  fill_beside(t, turns, rng, contents);
  fill_stars(t, rng, contents);
  weft_free(turns);
}
