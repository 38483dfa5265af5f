/* kernel_fills.c: made-up data for the plain passes, and which data each pass has. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

static void fill_predict(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  for (uint32_t i = 0; i < p.count; ++i) {
    p.x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    p.v[i] = weft_kernel_vector(rng, 0);
    p.x_prev[i] = weft_kernel_unwritten();
  }
}

static void fill_update_velocity(const weft_kernel_case *c, weft_rng *rng,
                                 weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  for (uint32_t i = 0; i < p.count; ++i) {
    p.x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    p.x_prev[i] = weft_kernel_nearby(rng, p.x[i]);
    p.v[i] = weft_kernel_vector(rng, 0);
  }
}

/* Of contact steps. */
static void fill_way(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  vec4 *from = weft_contents_set(contents, WEFT_BUFFER_SELF_STEP_START, p.count);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->self_extrapolate = 3;
  for (uint32_t i = 0; i < p.count; ++i) {
    p.x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    p.x_prev[i] = weft_kernel_nearby(rng, p.x[i]);
    from[i] = weft_kernel_nearby(rng, p.x[i]);
  }
}

static void fill_move_pins(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  weft_pin_path *pins = weft_contents_set(contents, WEFT_BUFFER_PINS, p.count);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->self_escape = c->pass.count % 2 ? 0 : 0.3f;
  for (uint32_t i = 0; i < p.count; ++i) {
    p.x[i] = weft_kernel_vector(rng, 0);
    p.x_prev[i] = p.x[i];
    p.v[i] = weft_kernel_unwritten();
    pins[i].from = weft_kernel_vector(rng, 0);
    pins[i].to = weft_kernel_vector(rng, 0);
    pins[i].particle = p.count - 1 - i; /* each particle once, not its own */
    if (i % 4 == 0) memcpy(&pins[i].from, &pins[i].to, 3 * sizeof(float)); /* no way to go */
  }
}

static void fill_move_bodies(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { CLOTH = 2 };
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  weft_body_path *paths = weft_contents_set(contents, WEFT_BUFFER_BODY_PATHS, p.count - CLOTH);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->self_escape = c->pass.count % 2 ? 0 : 0.3f;
  u->particle_count = CLOTH;
  for (uint32_t i = CLOTH; i < p.count; ++i) {
    weft_body_path *path = &paths[i - CLOTH];
    p.x[i] = weft_kernel_vector(rng, 0);
    p.x_prev[i] = weft_kernel_unwritten();
    const vec4 from = weft_kernel_vector(rng, 0), to = weft_kernel_vector(rng, 0);
    path->from = weft_v3(from.x, from.y, from.z);
    path->to = weft_v3(to.x, to.y, to.z);
    path->stays = i % 16 == 5;                                          /* some do */
    if (i % 4 == 0) path->from = path->to;                              /* no way to go */
    if (i % 4 == 1) path->from = weft_v3(p.x[i].x, p.x[i].y, p.x[i].z); /* not held back */
  }
}

/* Among the triangles are some without area. */
static void fill_ride(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { CORNERS = 4096 };
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, (uint64_t)CORNERS + n);
  vec4 *v = weft_contents_set(contents, WEFT_BUFFER_V, (uint64_t)CORNERS + n);
  weft_rider *riders = weft_contents_set(contents, WEFT_BUFFER_RIDERS, n);
  for (uint32_t i = 0; i < CORNERS + n; ++i) {
    x[i] = weft_kernel_vector(rng, i < CORNERS ? weft_kernel_inverse_mass(rng) : 0);
    v[i] = weft_kernel_vector(rng, 0);
    if (i < CORNERS && i % 8 == 1) x[i] = x[i - 1]; /* coincident */
    if (i < CORNERS && i % 8 == 3) x[i] = weft_kernel_nearby(rng, x[i - 1]);
  }
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t a = weft_rng_u32(rng) % (CORNERS - 2);
    riders[k].particles = (uvec4){CORNERS + k, a, a + 1, k % 4 ? a + 2 : a};
    riders[k].shares.x = weft_rng_float(rng, 0, 0.5f);
    riders[k].shares.y = k % 8 == 2 ? 0 : weft_rng_float(rng, 0, 0.5f);
    riders[k].offset = weft_kernel_small_vector(rng, 0.02f, 0);
  }
}

/* ---- air ---- */

static void fill_aero_force(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { PARTICLES = 4096 };
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, PARTICLES);
  vec4 *v = weft_contents_set(contents, WEFT_BUFFER_V, PARTICLES);
  const weft_substep *substeps = contents->buffers[WEFT_BUFFER_SUBSTEPS].data;
  const weft_substep *now = &substeps[c->substep];
  const vec4 wind = {now->wind.x, now->wind.y, now->wind.z, 0};
  for (uint32_t i = 0; i < PARTICLES; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    v[i] = i % 32 == 0 ? wind : weft_kernel_vector(rng, 0); /* drifting with the air */
    if (i % 8 == 1) x[i] = x[i - 1];                        /* coincident */
    if (i % 8 == 3) x[i] = (vec4){x[i - 1].x * 2, x[i - 1].y * 2, x[i - 1].z * 2, 1};
  }
  uint32_t *triangles = weft_contents_set(contents, WEFT_BUFFER_TRIANGLES, n);
  vec4 *forces = weft_contents_set(contents, WEFT_BUFFER_FORCES, n);
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t a = weft_rng_u32(rng) % (PARTICLES - 3);
    bool near = i % 4 == 0; /* neighbours: among them coincident and collinear corners */
    triangles[3 * (size_t)i] = a;
    triangles[3 * (size_t)i + 1] = near ? a + 1 : weft_rng_u32(rng) % PARTICLES;
    triangles[3 * (size_t)i + 2] = near ? a + 2 : weft_rng_u32(rng) % PARTICLES;
    forces[i] = weft_kernel_unwritten();
  }
}

static void fill_aero_gather(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { TRIANGLES = 4096, MOST = 9 };
  weft_kernel_frame(rng, contents);
  weft_substep *substeps = contents->buffers[WEFT_BUFFER_SUBSTEPS].data;
  substeps[1].air_dt = 0; /* it does not act; counts with a part of a work group have the other */
  uint32_t n = weft_kernel_elements(c);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  vec4 *v = weft_contents_set(contents, WEFT_BUFFER_V, n);
  uint32_t *offsets = weft_contents_set(contents, WEFT_BUFFER_CORNER_OFFSETS, (uint64_t)n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    v[i] = weft_kernel_vector(rng, 0);
    offsets[i + 1] = offsets[i] + weft_rng_u32(rng) % MOST;
  }
  uint32_t *items = weft_contents_set(contents, WEFT_BUFFER_CORNER_ITEMS, offsets[n]);
  for (uint32_t k = 0; k < offsets[n]; ++k) items[k] = weft_rng_u32(rng) % TRIANGLES;
  vec4 *forces = weft_contents_set(contents, WEFT_BUFFER_FORCES, TRIANGLES);
  for (uint32_t t = 0; t < TRIANGLES; ++t) forces[t] = weft_kernel_vector(rng, 0);
}

/* ---- Jacobi gather ---- */

static void fill_jacobi_apply(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { SLOTS = 8192, MOST = 12 };
  weft_kernel_frame(rng, contents);
  uint32_t n = weft_kernel_elements(c), skipped = c->pass.gather_first;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  uint32_t *offsets =
      weft_contents_set(contents, WEFT_BUFFER_GATHER_OFFSETS, (uint64_t)skipped + n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    offsets[skipped + i + 1] = offsets[skipped + i] + weft_rng_u32(rng) % MOST;
  }
  uint32_t used = offsets[skipped + n];
  uint32_t *slots = weft_contents_set(contents, WEFT_BUFFER_GATHER_SLOTS, used);
  for (uint32_t k = 0; k < used; ++k) slots[k] = weft_rng_u32(rng) % SLOTS;
  float *delta = weft_contents_set(contents, WEFT_BUFFER_DELTA, SLOTS);
  for (uint32_t k = 0; k < 3 * SLOTS; ++k) delta[k] = 1e-3f * weft_kernel_component(rng);
}

/* ---- constraints ---- */

enum { SHARED = 4096, SPARSE_STEP = 64 };

typedef struct batch {
  const weft_kernel_case *c;
  uint32_t arity, constraints, particles;
} batch;

/* Whether a constraint of the sparse case moves anything. */
static bool is_active(const batch *b, uint32_t i) {
  return !b->c->sparse || i % SPARSE_STEP == 0 || i + 16 > b->constraints;
}

static uint32_t own_place(const batch *b, uint32_t i) {
  if (!b->c->sparse) return i;
  uint32_t tail = b->constraints - 15;
  return i >= tail ? b->constraints / SPARSE_STEP + 1 + (i - tail) : i / SPARSE_STEP;
}

static uint32_t particle(const batch *b, weft_rng *rng, uint32_t i, uint32_t role) {
  if (!is_active(b, i)) return weft_rng_u32(rng) % SHARED;
  return SHARED + own_place(b, i) * b->arity + role;
}

/* Positions, earlier positions, multipliers and correction slots of a batch. */
static batch fill_batch(const weft_kernel_case *c, weft_constraint_type type, weft_rng *rng,
                        weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  const weft_constraint_info *info = &weft_constraint_infos[type];
  weft_buffer_id lambda = weft_constraint_buffers_of[type].multipliers;
  batch b = {c, info->arity, weft_kernel_elements(c), 0};
  uint32_t own = c->sparse ? b.constraints / SPARSE_STEP + 32 : b.constraints;
  b.particles = SHARED + own * b.arity;
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, b.particles);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, b.particles);
  for (uint32_t i = 0; i < b.particles; ++i) {
    x[i] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    x_prev[i] = weft_kernel_nearby(rng, x[i]);
  }
  if (c->pass.variant & WEFT_VARIANT_LAMBDA) {
    float *l = weft_contents_set(contents, lambda, b.constraints);
    uint32_t width = contents->buffers[lambda].stride / 4;
    for (uint64_t k = 0; k < (uint64_t)b.constraints * width; ++k) {
      l[k] = c->pass.first_iteration ? exact_from_bits(WEFT_KERNEL_UNWRITTEN)
                                     : 1e-4f * weft_kernel_component(rng);
      if (!is_active(&b, (uint32_t)(k / width))) l[k] = 0; /* it never moved anything */
    }
  }
  if (c->pass.variant & WEFT_VARIANT_JACOBI) {
    uint64_t slots = c->pass.delta_first + (uint64_t)(c->pass.count + WEFT_KERNEL_PAD) * b.arity;
    void *delta = weft_contents_set(contents, WEFT_BUFFER_DELTA, slots);
    weft_kernel_fill_unwritten(delta, slots * contents->buffers[WEFT_BUFFER_DELTA].stride);
  }
  return b;
}

static void fill_xpbd(const weft_kernel_case *c, weft_buffer_id id, uint32_t count, weft_rng *rng,
                      weft_contents *contents) {
  if (!(c->pass.variant & WEFT_VARIANT_LAMBDA) || id == WEFT_BUFFER_COUNT) return;
  weft_xpbd *xpbd = weft_contents_set(contents, id, count);
  for (uint32_t i = 0; i < count; ++i) {
    xpbd[i].compliance = i % 4 == 0 ? 0 : weft_rng_float(rng, 0, 500);
    xpbd[i].gamma = i % 4 == 1 ? 0 : weft_rng_float(rng, 0, 2);
  }
}

static void copy_place(vec4 *to, const vec4 *from) { memcpy(to, from, 3 * sizeof(float)); }

static void place_pair(weft_pair_element *row, uint32_t i, vec4 *pa, vec4 *pb, weft_rng *rng) {
  switch (i % 16) {
    case 0: /* coincident */
      copy_place(pb, pa);
      break;
    case 1: /* a rest length that is nothing */
      row->rest = 0;
      break;
    case 2: /* at the shortest length that has a direction, on either side */
      copy_place(pb, pa);
      pb->x = pa->x + row->rest * weft_rng_float(rng, 0.5e-6f, 2e-6f);
      break;
    case 3: /* nothing can move */
      row->factor = 0;
      break;
    case 4: /* satisfied along an axis */
      *pa = (vec4){0, 0, 0, pa->w};
      *pb = (vec4){row->rest, 0, 0, pb->w};
      break;
    case 5: /* smallest state there is */
      *pa = (vec4){(float)WEFT_SNAP, 0, 0, pa->w};
      *pb = (vec4){0, (float)WEFT_SNAP, 0, pb->w};
      row->rest = 2 * (float)WEFT_SNAP;
      break;
    default:
      break;
  }
}

static void fill_pairs(const batch *b, weft_pair_element *rows, vec4 *x, weft_rng *rng) {
  for (uint32_t i = 0; i < b->constraints; ++i) {
    weft_pair_element *row = &rows[i];
    row->a = particle(b, rng, i, 0);
    row->b = particle(b, rng, i, 1);
    row->rest = weft_rng_float(rng, 0.001f, 1);
    float sum = x[row->a].w + x[row->b].w;
    row->factor = is_active(b, i) && sum > 0 ? 1 / sum : 0;
    if (is_active(b, i)) place_pair(row, i, &x[row->a], &x[row->b], rng);
  }
}

/* A hinge about the x axis, opened by an angle; x0 at one side, x1 turned against it. */
static void place_hinge(vec4 *p0, vec4 *p1, vec4 *p2, vec4 *p3, float angle, float size) {
  *p2 = (vec4){0, 0, 0, p2->w};
  *p3 = (vec4){size, 0, 0, p3->w};
  *p0 = (vec4){0.5f * size, size, 0, p0->w};
  *p1 = (vec4){0.5f * size, -size * cosf(angle), exact_snap(size * sinf(angle)), p1->w};
}

static void place_quad(uint32_t which, vec4 *p0, vec4 *p1, vec4 *p2, vec4 *p3) {
  static const float angles[] = {0, 3.1415927f, 1e-4f, 3.1414f, 1.5707964f, -1.5707964f};
  switch (which) {
    case 6: /* an opposite vertex on the edge */
      place_hinge(p0, p1, p2, p3, 0.5f, 1);
      *p0 = (vec4){0.25f, 0, 0, p0->w};
      break;
    case 7: /* an edge without length */
      copy_place(p3, p2);
      break;
    case 8: /* all in one place */
      copy_place(p1, p0);
      copy_place(p2, p0);
      copy_place(p3, p0);
      break;
    case 9:
      place_hinge(p0, p1, p2, p3, 0.5f, 1e-6f);
      break;
    case 10:
      place_hinge(p0, p1, p2, p3, 2.5f, 1e4f);
      break;
    case 11: /* folded shut: x1 on x0 */
      copy_place(p1, p0);
      break;
    case 12: /* a flat square */
      *p0 = (vec4){0, 0, 0, p0->w};
      *p1 = (vec4){0.01f, 0.01f, 0, p1->w};
      *p2 = (vec4){0.01f, 0, 0, p2->w};
      *p3 = (vec4){0, 0.01f, 0, p3->w};
      break;
    default:
      if (which < 6) place_hinge(p0, p1, p2, p3, angles[which], 0.05f);
  }
}

static void fill_quads(const batch *b, const weft_constraint_info *info, weft_quad_element *rows,
                       vec4 *x, weft_rng *rng) {
  for (uint32_t i = 0; i < b->constraints; ++i) {
    weft_quad_element *row = &rows[i];
    uint32_t p[4] = {0};
    for (uint32_t role = 0; role < b->arity; ++role) p[role] = particle(b, rng, i, role);
    row->particles = (uvec4){p[0], p[1], p[2], p[3]};
    row->data = weft_kernel_numbers(info, i, rng);
    if (!is_active(b, i)) {
      row->data.w = 0;
    } else if (b->arity == 4) {
      place_quad(i % 24, &x[p[0]], &x[p[1]], &x[p[2]], &x[p[3]]);
    } else if (i % 24 < 8) { /* a line, or a point */
      copy_place(&x[p[1]], &x[p[0]]);
      if (i % 2) copy_place(&x[p[2]], &x[p[0]]);
    }
  }
}

static void fill_constraints(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_constraint_type type = (weft_constraint_type)weft_pass_constraint(c->pass.kind);
  batch b = fill_batch(c, type, rng, contents);
  weft_constraint_buffers of = weft_constraint_buffers_of[type];
  fill_xpbd(c, of.terms, b.constraints, rng, contents);
  vec4 *x = contents->buffers[WEFT_BUFFER_X].data;
  void *rows = weft_contents_set(contents, of.elements, b.constraints);
  if (weft_constraint_infos[type].pair) {
    fill_pairs(&b, rows, x, rng);
  } else {
    fill_quads(&b, &weft_constraint_infos[type], rows, x, rng);
  }
}

weft_kernel_fill *const weft_kernel_fills[WEFT_PASS_KIND_COUNT] = {
    [WEFT_PASS_AERO_FORCE] = fill_aero_force,
    [WEFT_PASS_AERO_GATHER] = fill_aero_gather,
    [WEFT_PASS_DAMP_LINEAR] = weft_kernel_damp,
    [WEFT_PASS_DAMP_SUM] = weft_kernel_damp,
    [WEFT_PASS_DAMP_ANGULAR] = weft_kernel_damp,
    [WEFT_PASS_DAMP_RIGID] = weft_kernel_damp,
    [WEFT_PASS_DAMP_VELOCITY] = weft_kernel_damp,
    [WEFT_PASS_PREDICT] = fill_predict,
    [WEFT_PASS_MOVE_PINS] = fill_move_pins,
    [WEFT_PASS_MOVE_BODIES] = fill_move_bodies,
    [WEFT_PASS_MOVE_SHAPES] = weft_kernel_move_shapes,
    [WEFT_PASS_RIDE] = fill_ride,
    [WEFT_PASS_GRAB] = weft_kernel_grab,
    [WEFT_PASS_LEVEL_GATHER] = weft_kernel_level_mean,
    [WEFT_PASS_LEVEL_RESTRICT] = weft_kernel_level_mean,
    [WEFT_PASS_LEVEL_SMALL] = weft_kernel_level_small,
    [WEFT_PASS_LEVEL_PROJECT] = weft_kernel_level_project,
    [WEFT_PASS_LEVEL_PROLONG] = weft_kernel_level_follow,
    [WEFT_PASS_LEVEL_SPREAD] = weft_kernel_level_follow,
#define WEFT_CONSTRAINT(ID, ...) [WEFT_PASS_PROJECT_##ID] = fill_constraints,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
    [WEFT_PASS_PATCH] = weft_kernel_patch,
    [WEFT_PASS_PROJECT_BENDS] = weft_kernel_bends,
    [WEFT_PASS_PROJECT_LINES] = weft_kernel_lines,
    [WEFT_PASS_JACOBI_APPLY] = fill_jacobi_apply,
    [WEFT_PASS_GRID_CLEAR] = weft_kernel_grid_clear,
    [WEFT_PASS_GRID_COUNT] = weft_kernel_grid,
    [WEFT_PASS_GRID_SUM] = weft_kernel_grid_tree,
    [WEFT_PASS_GRID_SCAN] = weft_kernel_grid_tree,
    [WEFT_PASS_GRID_FILL] = weft_kernel_grid,
    [WEFT_PASS_GRID_SORT] = weft_kernel_grid,
    [WEFT_PASS_CONTACT_FIND] = weft_kernel_contact_find,
    [WEFT_PASS_CONTACT_COUNT] = weft_kernel_contact_list,
    [WEFT_PASS_CONTACT_PROJECT] = weft_kernel_contact_list,
    [WEFT_PASS_CONTACT_APPLY] = weft_kernel_contact_apply,
    [WEFT_PASS_CONTACT_KEEP] = weft_kernel_contact_list,
    [WEFT_PASS_SELF_EXTRAPOLATE] = fill_way,
    [WEFT_PASS_SELF_RESTORE] = fill_way,
    [WEFT_PASS_SELF_STEP_BEGIN] = fill_way,
    [WEFT_PASS_SELF_STEP_END] = fill_way,
    [WEFT_PASS_SELF_CACHE_LOAD] = weft_kernel_self,
    [WEFT_PASS_SELF_UPDATE_NORMALS] = weft_kernel_self,
    [WEFT_PASS_SELF_CACHE_CLEAR] = weft_kernel_self,
    [WEFT_PASS_SELF_CACHE_STORE] = weft_kernel_self,
    [WEFT_PASS_SELF_WEIGH] = weft_kernel_self,
    [WEFT_PASS_SELF_REPEL] = weft_kernel_self,
    [WEFT_PASS_SELF_APPLY] = weft_kernel_self,
    [WEFT_PASS_SELF_RESET] = weft_kernel_self,
    [WEFT_PASS_SELF_PATCH] = weft_kernel_self,
    [WEFT_PASS_SELF_CERTIFY] = weft_kernel_self,
    [WEFT_PASS_SELF_FIND_PATCHES] = weft_kernel_self,
    [WEFT_PASS_SELF_CERTIFY_STARS] = weft_kernel_self,
    [WEFT_PASS_SELF_FIND_TRIANGLES] = weft_kernel_self,
    [WEFT_PASS_SELF_FIND_FEATURES] = weft_kernel_self,
    [WEFT_PASS_SELF_REFIT] = weft_kernel_self,
    [WEFT_PASS_SELF_SEPARATE] = weft_kernel_self,
    [WEFT_PASS_SELF_DISPATCH_ARGS] = weft_kernel_self,
    [WEFT_PASS_SELF_TRUNCATE] = weft_kernel_self,
    [WEFT_PASS_SELF_FLAG] = weft_kernel_self,
    [WEFT_PASS_SELF_SHORTEN] = weft_kernel_self,
    [WEFT_PASS_SELF_ACCEPT] = weft_kernel_self,
    [WEFT_PASS_SELF_ADVANCE] = weft_kernel_self,
    [WEFT_PASS_COLLIDE] = weft_kernel_collide,
    [WEFT_PASS_LRA] = weft_kernel_fill_lra,
    [WEFT_PASS_UPDATE_VELOCITY] = fill_update_velocity,
    [WEFT_PASS_BOUND] = weft_kernel_bound,
    [WEFT_PASS_BOUND_JOIN] = weft_kernel_bound_join,
    [WEFT_PASS_SHIFT] = weft_kernel_shift,
    [WEFT_PASS_PICK_NEAR] = weft_kernel_pick_near,
    [WEFT_PASS_PICK_BEST] = weft_kernel_pick_best,
    [WEFT_PASS_SOFT_PINS] = weft_kernel_soft_pins,
};
