/* kernel_self.c: contents for self-collision: a cloud of triangles near each other, slivers,
 * triangles in one plane or in one place, edges that are parallel, some far from the origin. What a
 * pass finds in the tree and the lists is made by the reference's passes before it. */
#include <string.h>

#include "kernel_data.h"

enum { LEAST = 24, ROOM = 400, JOINED = 3 };

/* The entry of self_sizes that says how many elements a counted pass has. */
enum { SIZE = 4 };

/* ---- what a case is of ---- */

/* Some are of a joined model. */
static uint32_t parts_of(const weft_kernel_case *c) {
  bool whole = c->pass.kind != WEFT_PASS_SELF_REFIT || c->pass.count % JOINED == 0;
  return !c->sparse && c->pass.count % 4 == 3 && whole ? JOINED : 1;
}

/* Triangles or particles of a part. */
static uint32_t of_a_part(const weft_kernel_case *c) {
  uint32_t n = (weft_kernel_elements(c) - 1) / parts_of(c) + 1;
  return n < LEAST ? LEAST : n;
}

/* In some a quarter of the particles and triangles, the last, are those of bodies. */
static uint32_t of_bodies(const weft_kernel_case *c) {
  return !c->sparse && c->pass.count % 4 != 3 && c->pass.count % 64 % 2 ? of_a_part(c) / 4 : 0;
}

/* Nodes of a tree over so many triangles; the root is the last. */
static uint32_t tree_nodes(uint32_t triangles) {
  uint32_t nodes = triangles;
  for (uint32_t count = triangles; count > 1; nodes += count) {
    count = (count - 1) / WEFT_SELF_FAN + 1;
  }
  return nodes;
}

/* Looks and rounds in turn; a level of the tree lies behind the one below. Odd counts stand in
 * self_sizes. */
void weft_kernel_self_case(weft_kernel_case *c) {
  weft_pass *pass = &c->pass;
  if (!weft_pass_is_self(pass->kind)) return;
  bool sizes = pass->kind == WEFT_PASS_SELF_SIZE;
  bool looks = pass->kind == WEFT_PASS_SELF_LEAF || pass->kind == WEFT_PASS_SELF_QUERY ||
               pass->kind == WEFT_PASS_SELF_PLANE || pass->kind == WEFT_PASS_SELF_LIMIT ||
               pass->kind == WEFT_PASS_SELF_CHECK || sizes;
  if (looks) pass->look = pass->count / 56 % WEFT_SELF_LOOKS;
  if (pass->kind == WEFT_PASS_SELF_LIMIT && pass->count == 64) pass->round = 1;
  if (pass->kind == WEFT_PASS_SELF_LIMIT && pass->count == 65) pass->round = WEFT_SELF_ROUNDS - 1;
  if (pass->kind == WEFT_PASS_SELF_QUERY && !c->sparse) {
    pass->level_first = tree_nodes(of_a_part(c)) - 1;
  }
  if (pass->kind == WEFT_PASS_SELF_REFIT) {
    uint32_t fan = c->sparse ? 1 : WEFT_SELF_FAN;
    pass->level_first = fan * (pass->count / parts_of(c)) + 1;
    pass->below_first = c->sparse ? 0 : 4;
    pass->first = pass->level_first;
  }
  if (weft_pass_infos[pass->kind].counted && pass->count % 2) pass->counted = 1 + SIZE;
  if (!sizes) return;
  pass->first = pass->counted = 0;
  if (pass->count > WEFT_SELF_SIZES) pass->count = WEFT_SELF_SIZES;
}

/* ---- the cloud ---- */

static void place_corner(weft_rng *rng, uint32_t i, vec4 *x) {
  switch (i % 12) {
    case 2: /* a sliver */
      x[i] = x[i - 1];
      x[i].z += 1e-5f;
      break;
    case 4: /* in one place */
      x[i] = x[i - 3];
      break;
    case 7: /* an edge parallel to one before */
      x[i].x = x[i - 1].x + x[i - 5].x - x[i - 6].x;
      x[i].y = x[i - 1].y + x[i - 5].y - x[i - 6].y;
      x[i].z = x[i - 1].z + x[i - 5].z - x[i - 6].z;
      break;
    case 9: /* in the plane of others, or by a bit beside */
      x[i].z = x[i - 3].z * weft_rng_float(rng, 1 - 3e-7f, 1 + 3e-7f);
      break;
    case 10:
      if (i % 60 == 10) x[i].x += 1e3f;
      break;
    default:
      break;
  }
}

static void fill_positions(const weft_kernel_case *c, uint32_t n, weft_rng *rng,
                           weft_contents *contents) {
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, n);
  vec4 *rest = weft_contents_set(contents, WEFT_BUFFER_SELF_REST, n + parts_of(c));
  float side = c->pass.count % 2 ? 0.02f : 0.08f;
  vec4 *v = weft_contents_set(contents, WEFT_BUFFER_V, n);
  for (uint32_t i = 0; i < n; ++i) {
    v[i] = weft_kernel_vector(rng, 0);
    x_prev[i] = weft_kernel_small_vector(rng, side, weft_kernel_inverse_mass(rng));
    float w = x_prev[i].w;
    if (i >= 12) place_corner(rng, i, x_prev);
    x_prev[i].w = w;
  }
  uint32_t cloth = n - of_bodies(c);
  for (uint32_t i = 0; i < n; ++i) {
    /* Two dozen together. */
    uint32_t place = i < cloth ? i : i - cloth;
    x_prev[i].x += 0.3f * (float)(place / 24 % 7);
    x_prev[i].y += 0.3f * (float)(place / 168);
    if (i >= cloth) x_prev[i].w = 0;
    vec4 move = weft_kernel_small_vector(rng, i % 5 == 0 ? 0.02f : 0.002f, 0);
    x[i] = x_prev[i];
    if (i % 7) x[i] = (vec4){x[i].x + move.x, x[i].y + move.y, x[i].z + move.z, x[i].w};
    rest[i] = weft_kernel_small_vector(rng, 0.05f, 4e-4f);
    if (i >= cloth) rest[i] = (vec4){0.6f, i % 2 ? 0.2f : 0.5f, 0.0021f, 4e-4f};
  }
  for (uint32_t p = 0; p < parts_of(c); ++p) {
    float thickness = 0.003f / (float)(1 + p);
    rest[n + p] = (vec4){thickness, 1.5e-5f * (float)(1 + p), 0.9f * thickness, 0};
  }
}

static void fill_triangles(uint32_t t, uint32_t n, uint32_t parts, weft_rng *rng,
                           weft_contents *contents) {
  weft_self_triangle *triangles =
      weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLES, (uint64_t)t * parts);
  for (uint32_t k = 0; k < t * parts; ++k) {
    uint32_t part = k / t * n, a = 3 * (k % t) % n;
    uint32_t b = (a + 1) % n, d = (a + 2 + (k % 4 == 3 ? 3 : 0)) % n;
    triangles[k].corners = (uvec4){part + a, part + b, part + d, weft_rng_u32(rng) % 8 ? 63 : 127};
    triangles[k].rest = weft_kernel_small_vector(rng, k % 3 ? 1 : 0.02f, 0.01f);
  }
}

/* Corners of the last triangles are those of bodies alone, of the others none. Some are of scenes
 * of their own. */
static void make_bodies(uint32_t t, uint32_t n, uint32_t bodies, weft_rng *rng,
                        weft_contents *contents) {
  weft_self_triangle *triangles = contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].data;
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  uint32_t cloth = n - bodies;
  weft_kernel_lone lone = weft_kernel_lone_of(cloth, bodies);
  lone.body_triangle_first = t - t / 4;
  u->particle_count = cloth;
  for (uint32_t k = 0; k < t && bodies > 0; ++k) {
    bool body = k >= lone.body_triangle_first;
    uvec4 *c = &triangles[k].corners;
    uint32_t first = body ? cloth : 0, count = body ? lone.body_first - cloth : lone.cloth_first;
    uint32_t a = c->x % count;
    *c = (uvec4){first + a, first + (a + 1) % count, first + (a + 2) % count, c->w};
    if (body) c->w |= WEFT_SELF_BODY;
    if (body) triangles[k].rest.x = 1e15f;
  }
  weft_kernel_self_lone(&lone, rng, contents);
}

static void fill_rooms(uint32_t t, uint32_t of_part, uint32_t parts, weft_contents *contents) {
  uint32_t n = of_part * parts;
  uint32_t top = 0;
  for (uint32_t count = t; count > 1; ++top) count = (count - 1) / WEFT_SELF_FAN + 1;
  weft_contents_set(contents, WEFT_BUFFER_SELF_NODES,
                    (uint64_t)tree_nodes(t) * parts + WEFT_KERNEL_PAD);
  weft_contents_set(contents, WEFT_BUFFER_SELF_SHARES, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_MARKS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PUSHES, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CANDIDATES, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PAIRS, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PLANES, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS,
                    WEFT_SELF_COUNTS * (uint64_t)(parts > 1 ? parts + 1 : 1));
  weft_contents_set(contents, WEFT_BUFFER_SELF_KEPT, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_KEPT_COUNT, 1);
  weft_contents_set(contents, WEFT_BUFFER_SELF_HEADS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_NEXT, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_SIZES, WEFT_SELF_SIZES + WEFT_KERNEL_PAD);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->particle_count = n;
  u->self_triangles = t;
  u->self_top = top;
  u->self_candidates = u->self_pairs = ROOM * of_part;
  u->self_nodes = tree_nodes(t);
  u->self_particles = of_part;
  u->self_parts = parts;
  contents->parts = parts;
  u->self_static = 0.4f;
  u->self_dynamic = 0.3f;
  u->self_escape = 0.0017f;
}

/* ---- what earlier passes leave ---- */

static bool is_end(const weft_pass *pass, const weft_pass *end) {
  bool same = pass->kind == end->kind && pass->look == end->look && pass->round == end->round;
  return same && !pass->in_first;
}

static void run_until(weft_instance *instance, const weft_pass_list *list, const weft_pass *end) {
  for (size_t k = 0; k < list->count && !is_end(&list->items[k], end); ++k) {
    if (weft_pass_is_self(list->items[k].kind)) weft_instance_run(instance, &list->items[k], 0);
  }
}

/* Of a second substep, so that pairs have touched before. */
static void run_up_to(const weft_pass *end, uint32_t t, uint32_t n, weft_contents *contents) {
  weft_pass_list list = {0};
  weft_model model = {.particle_count = n, .triangle_count = t};
  weft_params params = {
      .self_collision = true, .self_static = 0.4f, .self_iterations = 1, .iterations = 1};
  weft_solver_pass_list(&model, &params, contents, &list);
  weft_instance *instance = NULL;
  weft_instance_create(weft_backend_ref(), contents, 0, &instance, NULL);
  run_until(instance, &list, &(weft_pass){.kind = WEFT_PASS_SELF_BEGIN});
  run_until(instance, &list, end);
  for (int id = WEFT_BUFFER_X; id < WEFT_BUFFER_COUNT; ++id) {
    weft_buffer_contents *table = &contents->buffers[id];
    if (table->count && weft_buffer_infos[id].use != WEFT_USE_CONSTANT) {
      weft_instance_read(instance, (weft_buffer_id)id, table->count, table->data);
    }
  }
  weft_instance_destroy(instance);
  weft_free(list.items);
}

/* Millions of elements: nothing is listed, and a tree of one triangle is walked. */
static void fill_sparsely(const weft_kernel_case *c, weft_contents *contents) {
  uint32_t n = weft_kernel_elements(c);
  for (int id = WEFT_BUFFER_SELF_TRIANGLES; id <= WEFT_BUFFER_SELF_PLANES; ++id) {
    contents->buffers[id].count = n;
  }
  for (int id = WEFT_BUFFER_SELF_KEPT; id <= WEFT_BUFFER_SELF_NEXT; ++id) {
    contents->buffers[id].count = n;
  }
  if (c->pass.kind == WEFT_PASS_SELF_REFIT) {
    contents->buffers[WEFT_BUFFER_SELF_NODES].count = c->pass.first + c->pass.count;
  }
  contents->buffers[WEFT_BUFFER_X].count = contents->buffers[WEFT_BUFFER_X_PREV].count = n;
  contents->buffers[WEFT_BUFFER_V].count = n;
  weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  weft_contents_set(contents, WEFT_BUFFER_SELF_SIZES, WEFT_SELF_SIZES + WEFT_KERNEL_PAD);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->particle_count = 0; /* its distances are no particle's */
  u->self_triangles = 1;
  u->self_top = 0;
}

/* A pass that is counted has as many elements as this says. */
static void fill_sizes(const weft_kernel_case *c, weft_contents *contents) {
  uvec4 *sizes = contents->buffers[WEFT_BUFFER_SELF_SIZES].data;
  uint32_t groups = (c->pass.count + WEFT_SELF_GROUP - 1) / WEFT_SELF_GROUP;
  if (c->pass.counted) sizes[SIZE] = (uvec4){groups, 1, 1, c->pass.first + c->pass.count};
}

/* A round goes on where the one before has cut something. In some there are pairs that may not
 * limit, though they would; in one nothing has strayed, so that the look is idle, though whole
 * motions would be cut. */
static void leave_limit_traps(const weft_kernel_case *c, uint32_t n, weft_contents *contents) {
  weft_self_plane *planes = contents->buffers[WEFT_BUFFER_SELF_PLANES].data;
  uint32_t *shares = contents->buffers[WEFT_BUFFER_SELF_SHARES].data;
  uint32_t *counts = contents->buffers[WEFT_BUFFER_SELF_COUNTS].data;
  uint32_t end = c->pass.first + c->pass.count, look = c->pass.look, round = c->pass.round;
  bool idle = c->pass.count == 63;
  planes[end].use = WEFT_SELF_LIMITS | WEFT_SELF_UNCERTAIN;
  for (uint32_t k = c->pass.first; k < end; k += 5) planes[k].use &= ~WEFT_SELF_LIMITS;
  for (uint32_t p = 0; p < parts_of(c); ++p) {
    uint32_t *own = counts + p * WEFT_SELF_COUNTS;
    if (round) own[WEFT_SELF_AT_CHANGED + WEFT_SELF_ROUNDS * look + round - 1] = 1;
    if (look) own[WEFT_SELF_AT_STRAGGLERS + look - 1] = !idle;
  }
  for (uint32_t k = 0; k < 2 * n && idle; ++k) shares[k] = WEFT_SELF_WHOLE;
}

/* Where the pass has nothing to do it would show if it did. */
static void leave_traps(const weft_kernel_case *c, weft_rng *rng, uint32_t n,
                        weft_contents *contents) {
  weft_self_plane *planes = contents->buffers[WEFT_BUFFER_SELF_PLANES].data;
  uint32_t *shares = contents->buffers[WEFT_BUFFER_SELF_SHARES].data;
  weft_self_plane *past = &planes[c->pass.first + c->pass.count];
  if (c->pass.kind == WEFT_PASS_SELF_AIM) past->normal.w = 7;
  if (c->pass.kind == WEFT_PASS_SELF_AIM) past->use |= WEFT_SELF_PUSHES;
  if (c->pass.kind == WEFT_PASS_SELF_KEEP) { /* touches, however far it is */
    past->normal = (vec4){0, 0, 0, 1};
    past->use |= WEFT_SELF_PUSHES;
  }
  if (c->pass.kind == WEFT_PASS_SELF_LIMIT) leave_limit_traps(c, n, contents);
  if (c->pass.kind == WEFT_PASS_SELF_BEGIN) {
    for (uint32_t k = 0; k < 2 * n; ++k) shares[k] = weft_rng_u32(rng) % WEFT_SELF_WHOLE;
  }
}

/* A chain for each: which of two comes first in a chain depends on the order of threads. The list
 * is longer than the pass, or shorter. */
static void untie_chains(const weft_kernel_case *c, uint32_t n, weft_contents *contents) {
  bool enters = c->pass.kind == WEFT_PASS_SELF_ENTER;
  if (!enters && c->pass.kind != WEFT_PASS_SELF_LEAVE) return;
  weft_self_kept *kept = contents->buffers[WEFT_BUFFER_SELF_KEPT].data;
  uint32_t *heads = contents->buffers[WEFT_BUFFER_SELF_HEADS].data;
  uint32_t *count = contents->buffers[WEFT_BUFFER_SELF_KEPT_COUNT].data;
  for (uint32_t k = 0; k < n; ++k) {
    kept[k].pair.x = (n - 1 - k) | (k % 2 ? WEFT_SELF_EDGES : 0);
    heads[k] = enters ? 0 : k + 1;
  }
  uint32_t end = c->pass.first + c->pass.count;
  *count = c->pass.count == 64 ? end - 5 : end + 1;
}

void weft_kernel_self(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  if (c->sparse) {
    fill_sparsely(c, contents);
    fill_sizes(c, contents);
    return;
  }
  uint32_t of_part = of_a_part(c), parts = parts_of(c), n = of_part * parts, t = of_part;
  if (c->pass.kind == WEFT_PASS_SELF_REFIT) t = WEFT_SELF_FAN * of_part;
  fill_positions(c, n, rng, contents);
  fill_triangles(t, of_part, parts, rng, contents);
  fill_rooms(t, of_part, parts, contents);
  if (parts == 1) make_bodies(t, n, of_bodies(c), rng, contents);
  run_up_to(&c->pass, t * parts, n, contents);
  untie_chains(c, n, contents);
  fill_sizes(c, contents);
  leave_traps(c, rng, n, contents);
}
