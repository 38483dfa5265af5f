/* need.c: what a model and a solver will take. Bytes of an element are those of the structs; shares
 * of what depends on the mesh (patches, nodes, what is only there while something is made) are the
 * largest that were measured, and unit/test_need.c holds them. */
#include "solver.h"

/* Besides all arrays: the solver itself, blocks of memory, uniforms, what has a fixed size. */
enum { OF_A_MODEL = 1 << 13, OF_A_SOLVER = 3 << 13 };

/* ---- the model ---- */

static uint64_t bends_of(const weft_model_desc *desc, const weft_desc_counts *c) {
  return desc->bending == WEFT_BENDING_NONE ? 0 : c->hinges;
}
static bool bends_by_pairs(const weft_model_desc *desc) {
  return desc->bending == WEFT_BENDING_ACROSS;
}

/* Bending in quads is by weights, by angles, or some of both. */
static bool has_angles(const weft_model_desc *desc) {
  return desc->bending != WEFT_BENDING_ISOMETRIC && desc->bending != WEFT_BENDING_MIXED;
}

static uint64_t pairs_of(const weft_model_desc *desc, const weft_desc_counts *c) {
  const weft_mesh *m = desc->mesh;
  const uint64_t cells = c->grid ? (uint64_t)(m->grid_rows - 1) * (m->grid_columns - 1) : 0;
  return c->edges + (desc->no_shear ? 0 : cells) + (bends_by_pairs(desc) ? bends_of(desc, c) : 0);
}
static uint64_t quads_of(const weft_model_desc *desc, const weft_desc_counts *c) {
  return bends_by_pairs(desc) ? 0 : bends_of(desc, c);
}

static uint64_t of_model(const weft_model_desc *desc, const weft_desc_counts *c) {
  enum { PARTICLE = 24, TRIANGLE = 24, PAIR = 20, QUAD = 24, WEIGHTS = 16, RIDER = 90 };
  const weft_mesh_map *map = &desc->mesh->map;
  const uint64_t quads = quads_of(desc, c), n = c->particles;
  uint64_t bytes = OF_A_MODEL + PARTICLE * n + TRIANGLE * c->triangles + PAIR * pairs_of(desc, c);
  bytes += quads * (has_angles(desc) ? QUAD + 4 : QUAD + WEIGHTS);
  if (map->numbers) bytes += 4 * (map->source_vertex_count + n + c->triangles);
  if (desc->attached) bytes += RIDER * n;
  return bytes;
}

/* More than that, while it is made. */
static uint64_t of_making_a_model(const weft_desc_counts *c) { return OF_A_MODEL + 72 * c->edges; }

/* ---- the solver ---- */

/* The finest mesh that a collider gets. */
enum { SHAPE_PARTICLES = 2562, SHAPE_TRIANGLES = 5120 };

static void add_bodies(const weft_params *p, weft_need *need) {
  const weft_bodies bodies = weft_bodies_of(p);
  need->particles += bodies.particles;
  need->triangles += bodies.triangles;
  if (!p->self_collision) return;
  need->particles += (uint64_t)SHAPE_PARTICLES * p->collider_count;
  need->triangles += (uint64_t)SHAPE_TRIANGLES * p->collider_count;
}

/* Copies of meshes, ways, paths. */
static uint64_t of_bodies(const weft_need *need, const weft_desc_counts *c) {
  return 160 * (need->particles - c->particles) + 48 * (need->triangles - c->triangles);
}

static void add_constraints(const weft_model_desc *desc, weft_need *need) {
  enum { PAIR = 16 + 8 + 4, WEIGHED = 32 + 8 + 16, ANGLE = 32 + 4 };
  const uint64_t quads = need->quads, pairs = need->pairs;
  need->buffers += PAIR * pairs;
  need->buffers += quads * (has_angles(desc) ? ANGLE : WEIGHED);
  if (need->params->mode != WEFT_MODE_GS) {
    const uint64_t slots = 2 * pairs + 4 * quads;
    need->buffers += 12 * slots + 4 * slots + 12 * need->particles;
  }
  if (!weft_patches_active(need->params)) return;
  need->buffers += 16 * need->particles;
  need->making += (need->grid ? 28 : 44) * (pairs + quads);
}

static void add_features(const weft_model_desc *desc, const weft_desc_counts *c, weft_need *need) {
  const weft_params *p = need->params;
  const uint64_t n = c->particles;
  if (p->compensated) need->buffers += 48 * n;
  if (p->air_density > 0) need->buffers += 40 * c->triangles + 4 * n;
  if (p->lra > 0 && c->pins > 0) {
    need->buffers += 32 * n;
    need->host += 48 * n; /* distances from pins, which the model keeps */
    need->making += 272 * n;
  }
  if (p->multilevel > 0) {
    need->buffers += c->grid ? 96 * n : 0;
    need->making += c->grid ? 192 * n : 48 * n;
  }
  if (p->line_sweeps > 0) {
    need->buffers += 24 * c->edges;
    need->making += 216 * n;
  }
  if (desc->attached) need->buffers += 48 * n;
}

/* Of triangles in clusters of up to 64, about one in 47 where pieces are small. */
static uint64_t patches_of(uint64_t triangles) { return triangles / 32 + 64; }

static void add_self(const weft_desc_counts *c, weft_need *need) {
  enum { PARTICLE = 112, TRIANGLE = 110, PATCH = 16, OF_THE_MODEL = 1 };
  const weft_params *p = need->params;
  if (!p->self_collision || c->triangles == 0) return;
  const weft_model cloth = {.particle_count = (uint32_t)c->particles,
                            .triangle_count = (uint32_t)c->triangles};
  weft_params wanted = *p;
  wanted.self_room = weft_self_room_at_first(&cloth, p);
  need->patches = patches_of(need->triangles);
  weft_self_room room = weft_self_room_of(&cloth, &wanted, (uint32_t)need->patches);
  const uint64_t shapes = need->particles - c->particles - weft_bodies_of(p).particles;
  room.pairs += shapes * wanted.self_room;
  room.close = room.candidates = 4 * room.pairs;
  room.kept = weft_self_pushes(p) ? room.pairs : 1;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    need->lists += weft_self_room_count(&room, (weft_buffer_id)id) * weft_buffer_infos[id].stride;
  }
  need->buffers += need->lists;
  need->room = room.pairs;
  need->buffers += PARTICLE * need->particles + TRIANGLE * need->triangles + PATCH * need->patches;
  need->saved += 32 * need->particles + 32 * room.kept;
  need->host += OF_THE_MODEL * c->triangles;
}

static void ask_backend(const weft_backend *backend, weft_need *need) {
  if (backend->need) {
    backend->need(backend, need);
  } else {
    need->host += need->buffers + need->saved;
  }
}

static weft_need of_solver(const weft_model_desc *desc, const weft_desc_counts *c,
                           const weft_params *params, const weft_backend *backend) {
  enum { PARTICLE = 48, SUMS = 2, STAGED = 16, PIN = 150, SUBSTEP = 64, POSE = 400 };
  weft_need need = {.params = params,
                    .particles = c->particles,
                    .triangles = c->triangles,
                    .pairs = pairs_of(desc, c),
                    .quads = quads_of(desc, c),
                    .grid = c->grid,
                    .angles = has_angles(desc)};
  add_bodies(params, &need);
  need.buffers = (PARTICLE + SUMS) * need.particles;
  need.buffers += (uint64_t)params->substeps * (SUBSTEP + POSE * (uint64_t)params->collider_count);
  add_constraints(desc, &need);
  add_features(desc, c, &need);
  add_self(c, &need);
  ask_backend(backend, &need);
  need.host += OF_A_SOLVER + STAGED * need.particles + of_bodies(&need, c);
  need.host += params->substeps * (SUBSTEP + POSE * (uint64_t)params->collider_count);
  if (params->start) need.host += 12 * c->particles;
  need.host += PIN * c->pins;
  return need;
}

/* What is chosen follows from the model; here it is all that may be. */
static void choose_most(const weft_desc_counts *c, weft_params *p) {
  enum { SUBSTEPS = 200 };
  if (p->plain || c->triangles == 0) return;
  if (p->substeps == 0) p->substeps = SUBSTEPS;
  if (p->lra == 0) p->lra = WEFT_MAX_ATTACHMENTS;
  if (c->grid && p->line_sweeps == 0) p->line_sweeps = 1;
  if (c->grid && p->multilevel == 0) p->multilevel = WEFT_ALL_LEVELS;
}

/* ---- public ---- */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

weft_result weft_memory_estimate(const weft_model_desc *desc, const weft_params *params,
                                 const weft_backend *backend, weft_memory_need *need,
                                 weft_error *err) {
  WEFT_NEED(desc);
  WEFT_NEED(desc->mesh);
  WEFT_NEED(need);
  WEFT_GUARD(err);
  const weft_mesh *mesh = desc->mesh;
  WEFT_NEED_ITEMS(mesh->positions, mesh->vertex_count);
  WEFT_NEED_ITEMS(mesh->triangles, mesh->triangle_count);
  WEFT_NEED_ITEMS(desc->pins, desc->pin_count);
  weft_desc_counts c;
  weft_params p;
  weft_result result = weft_count_desc(desc, &c, err);
  if (result == WEFT_OK) result = weft_params_resolve(params, &p, err);
  if (result != WEFT_OK) return result;
  choose_most(&c, &p);
  if (p.substeps == 0) p.substeps = 20;
  const uint64_t model = of_model(desc, &c);
  *need = (weft_memory_need){.model = model, .peak = model + of_making_a_model(&c)};
  if (!backend) return WEFT_OK;
  const weft_need solver = of_solver(desc, &c, &p, backend);
  need->solver = solver.host;
  need->device = solver.device;
  need->peak = larger(need->peak, model + solver.host + solver.making);
  need->peak = larger(need->peak, model + solver.host + solver.first_frame);
  return WEFT_OK;
}

uint64_t weft_model_memory(const weft_model *model) {
  return model ? weft_owned_bytes(&model->owned) : 0;
}

weft_result weft_solver_memory(weft_solver *solver, uint64_t *host, uint64_t *device,
                               weft_error *err) {
  WEFT_NEED(solver);
  WEFT_NEED(host);
  WEFT_GUARD_READ(solver, err);
  const weft_backend *backend = solver->backend;
  *host = weft_owned_bytes(&solver->owned);
  if (device) *device = backend->device_bytes ? backend->device_bytes(solver->instance) : 0;
  return WEFT_OK;
}
