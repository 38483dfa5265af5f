/* kernel_self.c: contents for self-collision: a cloud of triangles near each other, slivers,
 * triangles in one plane or in one place, edges that are parallel, some far from the origin. What a
 * pass finds in the tree and the lists is made by the reference's passes before it. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

enum { LEAST = 24, ROOM = 400, JOINED = 3 };

/* In the case of so many elements the list that a pass writes is too short. */
enum { OVERRUN = 64 };

/* The entry of self_sizes that says how many elements a counted pass has. */
enum { SIZE = 4 };

/* Particles that lie together, and triangles that they have. */
enum { CELL = 24 };

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

/* In some a quarter of the particles and triangles of a part, the last, are those of bodies. */
static uint32_t of_bodies(const weft_kernel_case *c) {
  const uint32_t count = c->pass.count;
  bool some = parts_of(c) > 1 ? count % 128 == 127 : count % 4 != 3 && count % 64 % 2;
  return !c->sparse && some ? of_a_part(c) / 4 : 0;
}

static uint32_t of_cloth(const weft_kernel_case *c) { return of_a_part(c) - of_bodies(c); }

/* Where a particle of a part is: the cloth of all parts comes first. */
static uint32_t particle_at(const weft_kernel_case *c, uint32_t part, uint32_t particle) {
  const uint32_t cloth = of_cloth(c);
  if (particle < cloth) return part * cloth + particle;
  return parts_of(c) * cloth + part * of_bodies(c) + particle - cloth;
}

static bool is_one_of(const weft_kernel_case *c, const weft_pass_kind *kinds, size_t count) {
  bool found = false;
  for (size_t k = 0; k < count; ++k) found = found || c->pass.kind == kinds[k];
  return found;
}
#define IS_ONE_OF(c, ...)                             \
  is_one_of(c, (const weft_pass_kind[]){__VA_ARGS__}, \
            sizeof((const weft_pass_kind[]){__VA_ARGS__}) / sizeof(weft_pass_kind))

/* Patches of a part: of a few triangles each, or of one where they are the elements. */
static uint32_t patches_of(const weft_kernel_case *c) {
  uint32_t n = of_a_part(c);
  if (c->pass.kind == WEFT_PASS_SELF_REFIT) return WEFT_SELF_FAN * n;
  if (IS_ONE_OF(c, WEFT_PASS_SELF_PATCH, WEFT_PASS_SELF_FIND_PATCHES)) return n;
  if (IS_ONE_OF(c, WEFT_PASS_SELF_CERTIFY, WEFT_PASS_SELF_FIND_TRIANGLES)) return n / 2 + 2;
  return n / 8 + 2;
}

static uint32_t triangles_in(const weft_kernel_case *c, uint32_t patch) {
  bool full = c->pass.kind == WEFT_PASS_SELF_PATCH && c->pass.detection == 0 && patch % 3 == 0;
  if (full) return 1 + 7 * patch % WEFT_SELF_PATCH;
  if (IS_ONE_OF(c, WEFT_PASS_SELF_PATCH, WEFT_PASS_SELF_FIND_PATCHES, WEFT_PASS_SELF_REFIT)) {
    return 1 + patch % 2;
  }
  if (IS_ONE_OF(c, WEFT_PASS_SELF_CERTIFY, WEFT_PASS_SELF_FIND_TRIANGLES)) return 1 + patch % 4;
  return 5 + patch % 7;
}

static uint32_t patches_of_cloth(const weft_kernel_case *c) {
  return of_bodies(c) ? patches_of(c) - patches_of(c) / 4 : patches_of(c);
}

/* Nodes of a tree over so many patches; the root is the last. */
static uint32_t tree_nodes(uint32_t patches) {
  uint32_t nodes = patches;
  for (uint32_t count = patches; count > 1; nodes += count) {
    count = (count - 1) / WEFT_SELF_FAN + 1;
  }
  return nodes;
}

/* Looks and rounds in turn; a level of the tree lies behind the one below. Odd counts stand in
 * self_sizes. */
void weft_kernel_self_case(weft_kernel_case *c) {
  weft_pass *pass = &c->pass;
  if (!weft_pass_is_self(pass->kind)) return;
  bool sizes = pass->kind == WEFT_PASS_SELF_DISPATCH_ARGS;
  bool lists = IS_ONE_OF(c, WEFT_PASS_SELF_FIND_PATCHES, WEFT_PASS_SELF_FIND_TRIANGLES,
                         WEFT_PASS_SELF_FIND_FEATURES);
  bool looks = lists || sizes ||
               IS_ONE_OF(c, WEFT_PASS_SELF_PATCH, WEFT_PASS_SELF_SEPARATE, WEFT_PASS_SELF_TRUNCATE,
                         WEFT_PASS_SELF_FLAG);
  /* What the last one adds is SELF_SHORTEN. The largest counts are of the first, which is never
   * idle. */
  if (looks) pass->detection = pass->count / 56 % (WEFT_SELF_DETECTIONS - 1);
  if (pass->kind == WEFT_PASS_SELF_SHORTEN) pass->detection = WEFT_SELF_DETECTIONS - 1;
  if (lists && pass->count == OVERRUN) pass->detection = 0;
  if (pass->kind == WEFT_PASS_SELF_TRUNCATE && pass->count == 64) pass->round = 1;
  if (pass->kind == WEFT_PASS_SELF_TRUNCATE && pass->count == 65)
    pass->round = WEFT_SELF_ROUNDS - 1;
  if (pass->kind == WEFT_PASS_SELF_FIND_PATCHES && !c->sparse) {
    pass->level_first = tree_nodes(patches_of(c)) - 1;
  }
  if (pass->kind == WEFT_PASS_SELF_REFIT) {
    uint32_t fan = c->sparse ? 1 : WEFT_SELF_FAN;
    pass->level_first = fan * (pass->count / parts_of(c)) + 1;
    /* The last node has fewer of the level below; those of joined models, where it counts how many
     * nodes a part has, are full. */
    pass->below_first = c->sparse ? 0 : parts_of(c) > 1 ? 1 : 4;
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

/* Every second two dozen have a fan of triangles: closed or open, some wind twice, some are folded.
 * The first of them is in its middle. */
static uint32_t rays_of(uint32_t block) { return 3 + block / 2 % (WEFT_SELF_FAN_MOST - 2); }
static bool has_fan(uint32_t block) { return block % 2 == 1; }
static bool is_closed(uint32_t block) { return block % 4 == 1; }

static void place_ray(weft_rng *rng, uint32_t block, uint32_t ray, float side, vec4 *x) {
  float whole = is_closed(block) ? block % 16 == 5 ? 12.566371f : 6.2831853f : 5.5f;
  if (block % 16 == 3) whole = 2.6f;
  if (block % 16 == 7) whole = 6.26f; /* borders that nearly meet */
  float off = block % 16 == 7 ? 0.01f : 0.05f;
  float angle = whole * (float)ray / (float)rays_of(block) + weft_rng_float(rng, -off, off);
  float far = side * weft_rng_float(rng, 0.4f, 0.9f), up = side * weft_rng_float(rng, -0.1f, 0.1f);
  const float at[3] = {far * cosf(angle), far * sinf(angle), block % 10 == 9 ? 9 * up : up};
  x->x = at[block % 3];
  x->y = at[(block + 1) % 3];
  x->z = at[(block + 2) % 3];
}

/* Of a part, m. */
static float reach_of(uint32_t part) { return 0.003f / (float)(1 + part); }

static void fill_positions(const weft_kernel_case *c, uint32_t n, weft_rng *rng,
                           weft_contents *contents) {
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, n);
  weft_self_vertex *vertices = weft_contents_set(contents, WEFT_BUFFER_SELF_VERTICES, n);
  float side = c->pass.count % 2 ? 0.02f : 0.08f;
  uint32_t cloth = of_cloth(c) * parts_of(c);
  vec4 *v = weft_contents_set(contents, WEFT_BUFFER_V, n);
  for (uint32_t i = 0; i < n; ++i) {
    v[i] = weft_kernel_vector(rng, 0);
    x_prev[i] = weft_kernel_small_vector(rng, side, weft_kernel_inverse_mass(rng));
    float w = x_prev[i].w;
    uint32_t block = i % of_cloth(c) / CELL, ray = i % of_cloth(c) % CELL;
    if (i < cloth && has_fan(block) && ray == 0) x_prev[i] = (vec4){0, 0, 0, 0};
    if (i < cloth && has_fan(block) && ray && ray <= rays_of(block) + 1) {
      place_ray(rng, block, ray - 1, side, &x_prev[i]);
    } else if (i >= 12 && (i >= cloth || !has_fan(block))) {
      place_corner(rng, i, x_prev);
    }
    x_prev[i].w = w;
  }
  for (uint32_t i = 0; i < n; ++i) {
    /* Two dozen together. */
    uint32_t place = i < cloth ? i % of_cloth(c) : (i - cloth) % of_bodies(c);
    x_prev[i].x += 0.3f * (float)(place / CELL % 7);
    x_prev[i].y += 0.3f * (float)(place / (7 * CELL));
    if (i >= cloth) x_prev[i].w = 0;
    vec4 move = weft_kernel_small_vector(rng, i % 5 == 0 ? 0.02f : 0.002f, 0);
    x[i] = x_prev[i];
    if (i % 7) x[i] = (vec4){x[i].x + move.x, x[i].y + move.y, x[i].z + move.z, x[i].w};
    const vec4 rest = weft_kernel_small_vector(rng, i / CELL % 3 ? 0.05f : 0.002f, 0);
    const uint32_t part = i < cloth ? i / of_cloth(c) : (i - cloth) / of_bodies(c);
    vertices[i] = (weft_self_vertex){.rest = {rest.x, rest.y, rest.z},
                                     .thickness = i < cloth ? 0.9f * reach_of(part) : 0.0021f,
                                     .floor = 1.5e-5f * (float)(1 + part),
                                     .reach = reach_of(part)};
  }
}

static void fill_settings(const weft_kernel_case *c, weft_contents *contents) {
  const uint32_t parts = parts_of(c), cloth = parts * of_cloth(c), bodies = parts * of_bodies(c);
  weft_self_friction *friction =
      weft_contents_set(contents, WEFT_BUFFER_SELF_FRICTION, bodies ? bodies : 1);
  for (uint32_t k = 0; k < bodies; ++k) {
    friction[k] = (weft_self_friction){0.6f, (cloth + k) % 2 ? 0.2f : 0.5f};
  }
  weft_self_part *settings = weft_contents_set(contents, WEFT_BUFFER_SELF_PARTS, parts);
  for (uint32_t p = 0; p < parts; ++p) settings[p].reach = reach_of(p);
}

/* Corners of a triangle of so many particles. */
static weft_uvec3 corners_of(uint32_t k, uint32_t count) {
  uint32_t cells = count / CELL, block = cells ? k / CELL % cells : 0, j = k % CELL;
  if (cells == 0) return (weft_uvec3){3 * k % count, (3 * k + 1) % count, (3 * k + 2) % count};
  uint32_t from = CELL * block, rays = rays_of(block), a = 3 * j % CELL;
  uint32_t three[3] = {a, a + 1, (a + 2 + (k % 4 == 3 ? 3 : 0)) % CELL};
  if (has_fan(block) && j < rays) {
    three[0] = 0;
    three[1] = 1 + j;
    three[2] = is_closed(block) ? 1 + (j + 1) % rays : 2 + j;
  } else if (has_fan(block)) {
    three[0] = CELL - 6 + j % 4;
    three[1] = three[0] + 1;
    three[2] = j % 5 ? three[0] + 2 : rays + 2;
    if (three[2] == three[0] || three[2] == three[1]) three[2] = CELL - 1;
  }
  return (weft_uvec3){from + three[j % 3], from + three[(j + 1) % 3], from + three[(j + 2) % 3]};
}

/* Bodies have particles and triangles of their own; scenes by themselves take the last ones. */
static weft_kernel_lone lone_of(const weft_kernel_case *c) {
  weft_kernel_lone lone = weft_kernel_lone_of(of_cloth(c), of_bodies(c));
  for (uint32_t p = 0; p < patches_of_cloth(c); ++p) {
    lone.body_triangle_first += triangles_in(c, p);
  }
  return lone;
}

static weft_self_triangle triangle_of(const weft_kernel_case *c, const weft_kernel_lone *lone,
                                      uint32_t k, bool body) {
  uint32_t cloth = of_cloth(c);
  if (!body) {
    return (weft_self_triangle){corners_of(k, of_bodies(c) ? lone->cloth_first : cloth),
                                .flags = 0};
  }
  weft_uvec3 corners = corners_of(k - lone->body_triangle_first, lone->body_first - cloth);
  return (weft_self_triangle){{corners.x + cloth, corners.y + cloth, corners.z + cloth},
                              .flags = WEFT_SELF_BODY};
}

/* Returns where the triangles of the first part are. */
static uint32_t *fill_triangles(const weft_kernel_case *c, const weft_kernel_lone *lone,
                                weft_rng *rng, weft_contents *contents) {
  uint32_t patches = patches_of(c), cloth = patches_of_cloth(c), parts = parts_of(c), k = 0;
  weft_self_triangle *triangles = weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLES,
                                                    (uint64_t)patches * parts * WEFT_SELF_PATCH);
  uint32_t *places = weft_alloc((size_t)patches * WEFT_SELF_PATCH, sizeof *places);
  for (uint32_t p = 0; p < patches * parts; ++p) {
    uint32_t own = p % patches, part = p / patches;
    if (own == 0) k = 0;
    for (uint32_t t = 0; t < WEFT_SELF_PATCH; ++t) {
      weft_self_triangle *to = &triangles[(size_t)p * WEFT_SELF_PATCH + t];
      to->flags = WEFT_SELF_EMPTY;
      if (t >= triangles_in(c, own)) continue;
      const weft_self_triangle own_triangle = triangle_of(c, lone, k, own >= cloth);
      const weft_uvec3 three = own_triangle.corners;
      uint32_t piece = k / CELL % 5, tangled = weft_rng_u32(rng) % 8 ? 0 : WEFT_SELF_TANGLED;
      to->corners = (weft_uvec3){particle_at(c, part, three.x), particle_at(c, part, three.y),
                                 particle_at(c, part, three.z)};
      to->flags = own_triangle.flags | 63 | tangled | piece << WEFT_SELF_PIECE;
      if (p < patches) places[k] = p * WEFT_SELF_PATCH + t;
      ++k;
    }
  }
  return places;
}

static void fill_rooms(const weft_kernel_tables *tables, weft_contents *contents) {
  uint32_t patches = tables->patches, of_part = tables->particles, parts = tables->parts;
  uint32_t n = of_part * parts;
  uint32_t top = 0;
  for (uint32_t count = patches; count > 1; ++top) count = (count - 1) / WEFT_SELF_FAN + 1;
  weft_contents_set(contents, WEFT_BUFFER_SELF_NODES,
                    (uint64_t)tree_nodes(patches) * parts + WEFT_KERNEL_PAD);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CERTIFICATES, (uint64_t)patches * parts);
  weft_contents_set(contents, WEFT_BUFFER_SELF_UNCERTIFIED, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PATCH_PAIRS, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_TRIANGLE_PAIRS, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_FRACTIONS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_DIRTY, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CORRECTIONS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CANDIDATES, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PAIRS, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_PLANES, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS,
                    WEFT_SELF_COUNTS * (uint64_t)(parts > 1 ? parts + 1 : 1));
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE_COUNT, 1);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE_HEADS, n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_CACHE_NEXT, ROOM * (uint64_t)n);
  weft_contents_set(contents, WEFT_BUFFER_SELF_DISPATCH_ARGS, WEFT_SELF_SIZES + WEFT_KERNEL_PAD);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->particle_count = tables->cloth_particles * parts;
  u->self_triangles = patches * WEFT_SELF_PATCH;
  u->self_patches = patches;
  u->self_top = top;
  u->self_candidates = u->self_pairs = u->self_meets = u->self_close = ROOM * of_part;
  u->self_nodes = tree_nodes(patches);
  u->self_particles = of_part;
  u->self_cloth = tables->cloth_particles;
  u->self_parts = parts;
  contents->parts = parts;
  u->self_static = 0.4f;
  u->self_dynamic = 0.3f;
  u->self_escape = 0.0017f;
  u->self_extrapolate = 4;
  u->self_inv_dt = 1200;
  u->self_beyond = of_part % 2 ? 1.015625f : 1;
}

/* ---- what earlier passes leave ---- */

static bool is_end(const weft_pass *pass, const weft_pass *end) {
  bool same =
      pass->kind == end->kind && pass->detection == end->detection && pass->round == end->round;
  return same && pass->when != WEFT_WHEN_FRAME_BEGINS;
}

static void run_until(weft_instance *instance, const weft_pass_list *list, const weft_pass *end) {
  for (size_t k = 0; k < list->count && !is_end(&list->items[k], end); ++k) {
    if (weft_pass_is_self(list->items[k].kind)) weft_instance_run(instance, &list->items[k], 0);
  }
}

/* Of a second substep, so that pairs have touched before. */
static void run_up_to(const weft_kernel_case *c, uint32_t n, weft_contents *contents) {
  const weft_pass *end = &c->pass;
  bool looks = IS_ONE_OF(c, WEFT_PASS_SELF_PATCH, WEFT_PASS_SELF_REFIT, WEFT_PASS_SELF_CERTIFY,
                         WEFT_PASS_SELF_FIND_PATCHES, WEFT_PASS_SELF_CERTIFY_STARS,
                         WEFT_PASS_SELF_FIND_TRIANGLES, WEFT_PASS_SELF_FIND_FEATURES);
  weft_pass_list list = {0};
  weft_model model = {.particle_count = n, .triangle_count = n};
  weft_params params = {.self_collision = true,
                        .self_static = 0.4f,
                        .self_iterations = looks ? 0 : 1,
                        .iterations = 1};
  weft_solver_pass_list(&model, &params, contents, &list);
  weft_instance *instance = NULL;
  weft_instance_create(weft_backend_ref(), contents, 0, &instance, NULL);
  run_until(instance, &list, &(weft_pass){.kind = WEFT_PASS_SELF_RESET});
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

/* Millions of elements: nothing is listed, and a tree of one patch is walked. */
static void fill_sparsely(const weft_kernel_case *c, weft_contents *contents) {
  uint32_t n = weft_kernel_elements(c);
  const weft_pass_info *info = &weft_pass_infos[c->pass.kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    contents->buffers[info->bindings[k].buffer].count = n;
  }
  if (c->pass.kind == WEFT_PASS_SELF_PATCH) {
    contents->buffers[WEFT_BUFFER_SELF_TRIANGLES].count = (uint64_t)n * WEFT_SELF_PATCH;
  }
  if (c->pass.kind == WEFT_PASS_SELF_REFIT) {
    contents->buffers[WEFT_BUFFER_SELF_NODES].count = c->pass.first + c->pass.count;
  }
  weft_contents_set(contents, WEFT_BUFFER_SELF_COUNTS, WEFT_SELF_COUNTS);
  weft_contents_set(contents, WEFT_BUFFER_SELF_DISPATCH_ARGS, WEFT_SELF_SIZES + WEFT_KERNEL_PAD);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->particle_count = 0; /* all are of bodies */
  u->self_triangles = WEFT_SELF_PATCH;
  u->self_patches = 1;
  u->self_top = 0;
}

/* A pass that is counted has as many elements as this says. */
static void fill_sizes(const weft_kernel_case *c, weft_contents *contents) {
  uvec4 *sizes = contents->buffers[WEFT_BUFFER_SELF_DISPATCH_ARGS].data;
  uint32_t each = weft_pass_infos[c->pass.kind].group ? 1 : WEFT_SELF_GROUP;
  uint32_t groups = (c->pass.count + each - 1) / each;
  if (c->pass.counted) sizes[SIZE] = (uvec4){groups, 1, 1, c->pass.first + c->pass.count};
}

/* A round goes on where the one before has cut something. In some there are pairs that may not
 * limit, though they would; in one nothing has strayed, so that the detection is idle, though whole
 * motions would be cut. */
static void leave_limit_traps(const weft_kernel_case *c, uint32_t n, weft_contents *contents) {
  weft_self_plane *planes = contents->buffers[WEFT_BUFFER_SELF_PLANES].data;
  uint32_t *shares = contents->buffers[WEFT_BUFFER_SELF_FRACTIONS].data;
  uint32_t *counts = contents->buffers[WEFT_BUFFER_SELF_COUNTS].data;
  uint32_t end = c->pass.first + c->pass.count, detection = c->pass.detection,
           round = c->pass.round;
  bool idle = c->pass.count == 63;
  planes[end].use = WEFT_SELF_LIMITS | WEFT_SELF_UNCERTAIN;
  for (uint32_t k = c->pass.first; k < end; k += 5) planes[k].use &= ~WEFT_SELF_LIMITS;
  for (uint32_t p = 0; p < parts_of(c); ++p) {
    uint32_t *own = counts + p * WEFT_SELF_COUNTS;
    if (round) own[WEFT_SELF_AT_CHANGED + WEFT_SELF_ROUNDS * detection + round - 1] = 1;
    if (detection) own[WEFT_SELF_AT_REDETECT + detection - 1] = !idle;
  }
  for (uint32_t k = 0; k < 2 * n && idle; ++k) shares[k] = WEFT_SELF_WHOLE;
}

/* A list has no more room for what the pass finds. */
static void leave_no_room(const weft_kernel_case *c, weft_contents *contents) {
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  if (c->pass.count != OVERRUN) return;
  if (IS_ONE_OF(c, WEFT_PASS_SELF_CERTIFY, WEFT_PASS_SELF_FIND_PATCHES)) u->self_meets = 3;
  if (IS_ONE_OF(c, WEFT_PASS_SELF_CERTIFY_STARS, WEFT_PASS_SELF_FIND_TRIANGLES)) u->self_close = 3;
  if (c->pass.kind == WEFT_PASS_SELF_FIND_FEATURES) u->self_candidates = 3;
}

/* Where the pass has nothing to do it would show if it did. */
static void leave_traps(const weft_kernel_case *c, weft_rng *rng, uint32_t n,
                        weft_contents *contents) {
  weft_self_plane *planes = contents->buffers[WEFT_BUFFER_SELF_PLANES].data;
  uint32_t *shares = contents->buffers[WEFT_BUFFER_SELF_FRACTIONS].data;
  weft_self_plane *past = &planes[c->pass.first + c->pass.count];
  if (c->pass.kind == WEFT_PASS_SELF_UPDATE_NORMALS) past->gap = 7;
  if (c->pass.kind == WEFT_PASS_SELF_UPDATE_NORMALS) {
    past->use |= WEFT_SELF_PUSHES;
    /* Far off beside how near they are, and not certified. */
    for (weft_self_plane *p = planes + c->pass.first; p < past; p += 7) p->floor = 1;
  }
  if (IS_ONE_OF(c, WEFT_PASS_SELF_CACHE_STORE,
                WEFT_PASS_SELF_WEIGH)) { /* touches, however far it is */
    past->normal = (weft_vec3){0, 0, 0};
    past->gap = 1;
    past->use |= WEFT_SELF_PUSHES;
  }
  if (c->pass.kind == WEFT_PASS_SELF_FIND_TRIANGLES) { /* motions of some were cut */
    uint32_t *marks = contents->buffers[WEFT_BUFFER_SELF_DIRTY].data;
    for (uint32_t k = 0; k < n; ++k) marks[k] = weft_rng_u32(rng) % 8 ? 0 : c->pass.detection;
  }
  if (c->pass.kind == WEFT_PASS_SELF_TRUNCATE) leave_limit_traps(c, n, contents);
  bool begins = c->pass.kind == WEFT_PASS_SELF_RESET,
       holds = c->pass.kind == WEFT_PASS_SELF_ADVANCE;
  uint32_t *counts = contents->buffers[WEFT_BUFFER_SELF_COUNTS].data;
  for (uint32_t p = 0; p < parts_of(c) && (begins || holds);
       ++p) { /* some pause for want of room, in a row or not */
    uint32_t *own = counts + p * WEFT_SELF_COUNTS;
    own[WEFT_SELF_AT_REJECTED] = (c->pass.count + p) / 2 % 2;
    own[WEFT_SELF_AT_FLAGS] = (c->pass.count + 2 * p) % 3 == 2 ? WEFT_SELF_OVERFLOW : 0;
  }
  if (c->pass.kind == WEFT_PASS_SELF_SHORTEN) { /* most move by more than that, one part by less */
    weft_self_part *settings = contents->buffers[WEFT_BUFFER_SELF_PARTS].data;
    for (uint32_t p = 0; p < parts_of(c); ++p) {
      settings[p].longest = p == 1 ? 1 : 5e-3f;
      counts[p * WEFT_SELF_COUNTS + WEFT_SELF_AT_REDETECT + WEFT_SELF_DETECTIONS - 2] =
          (c->pass.count + p) % 3 != 2;
    }
  }
  if (begins) {
    for (uint32_t k = 0; k < 2 * n; ++k) shares[k] = weft_rng_u32(rng) % WEFT_SELF_WHOLE;
  }
}

static bool is_lone(const weft_kernel_lone *lone, uint32_t cloth, uvec4 pair) {
  uint32_t first = weft_self_first(pair), last = pair.w;
  return (first >= lone->cloth_first && first < cloth) || first >= lone->body_first ||
         (last >= lone->cloth_first && last < cloth) || last >= lone->body_first;
}

/* Far patches are listed after those that are near, and a pass may have fewer elements than that.
 */
static void bring_lone_forward(const weft_kernel_case *c, const weft_kernel_lone *lone,
                               weft_contents *contents) {
  uvec4 *candidates = contents->buffers[WEFT_BUFFER_SELF_CANDIDATES].data;
  uvec4 *pairs = contents->buffers[WEFT_BUFFER_SELF_PAIRS].data;
  weft_self_plane *planes = contents->buffers[WEFT_BUFFER_SELF_PLANES].data;
  const uint32_t *counts = contents->buffers[WEFT_BUFFER_SELF_COUNTS].data;
  uint32_t cloth = of_cloth(c), front = c->pass.first;
  for (uint32_t k = front; k < counts[WEFT_SELF_AT_CANDIDATES + c->pass.detection]; ++k) {
    uvec4 found = candidates[k];
    if (!is_lone(lone, cloth, found)) continue;
    candidates[k] = candidates[front];
    candidates[front++] = found;
  }
  front = c->pass.first;
  for (uint32_t k = front; k < counts[WEFT_SELF_AT_PAIRS]; ++k) {
    uvec4 found = pairs[k];
    weft_self_plane plane = planes[k];
    if (!is_lone(lone, cloth, found)) continue;
    pairs[k] = pairs[front];
    planes[k] = planes[front];
    pairs[front] = found;
    planes[front++] = plane;
  }
}

/* A chain for each: which of two comes first in a chain depends on the order of threads. The list
 * is longer than the pass, or shorter. */
static void untie_chains(const weft_kernel_case *c, uint32_t n, weft_contents *contents) {
  bool enters = c->pass.kind == WEFT_PASS_SELF_CACHE_LOAD;
  if (!enters && c->pass.kind != WEFT_PASS_SELF_CACHE_CLEAR) return;
  weft_self_cached *kept = contents->buffers[WEFT_BUFFER_SELF_CACHE].data;
  uint32_t *heads = contents->buffers[WEFT_BUFFER_SELF_CACHE_HEADS].data;
  uint32_t *count = contents->buffers[WEFT_BUFFER_SELF_CACHE_COUNT].data;
  for (uint32_t k = 0; k < n; ++k) {
    kept[k].pair.x = n - 1 - k;
    kept[k].pair = weft_self_listed(kept[k].pair, k % 2, false);
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
  uint32_t of_part = of_a_part(c), parts = parts_of(c), n = of_part * parts;
  weft_kernel_lone lone = lone_of(c);
  const weft_kernel_tables tables = {
      .parts = parts,
      .particles = of_part,
      .cloth_particles = of_cloth(c),
      .patches = patches_of(c),
      .cloth_patches = patches_of_cloth(c),
      .certified_each = c->pass.kind == WEFT_PASS_SELF_CERTIFY_STARS ? 8 : 3,
      .elements = c->pass.kind == WEFT_PASS_SELF_CERTIFY ? weft_kernel_elements(c) : 1};
  fill_positions(c, n, rng, contents);
  fill_settings(c, contents);
  uint32_t *places = fill_triangles(c, &lone, rng, contents);
  fill_rooms(&tables, contents);
  if (parts == 1) {
    lone.places = places;
    weft_kernel_self_lone(&lone, rng, contents);
  }
  weft_free(places);
  weft_kernel_self_tables(&tables, rng, contents);
  run_up_to(c, n, contents);
  if (of_bodies(c) && parts == 1) bring_lone_forward(c, &lone, contents);
  untie_chains(c, n, contents);
  fill_sizes(c, contents);
  leave_no_room(c, contents);
  leave_traps(c, rng, n, contents);
}
