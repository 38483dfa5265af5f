/* room.c: capacities of the lists of self-collision, their growth after an overflow, and what to
 * do where they cannot grow. */
#include "room.h"

#include <math.h>

#include "base.h"
#include "solver.h"
#include "vec3d.h"

/* ---- capacities ---- */

/* The block size that every driver binds whole, and the widest element of a list. */
enum { BLOCK = 1 << 27, WIDEST = sizeof(weft_self_plane) };

/* Particles of bodies count like those of the cloth, up to twice as many as these; most of a
 * larger body is far from the cloth. */
static uint64_t particles_with_room(const weft_model *model, const weft_params *params) {
  const uint64_t cloth = model->particle_count, bodies = weft_bodies_of(params).particles;
  return cloth + (bodies < 2 * cloth ? bodies : 2 * cloth);
}

uint64_t weft_self_meets(uint32_t patches, uint32_t self_room) {
  const uint64_t all = (uint64_t)patches * (patches + 1) / 2;
  const uint64_t most = 1024 + 2 * (uint64_t)self_room * patches;
  return all < most ? all : most;
}

weft_self_room weft_self_room_of(const weft_model *model, const weft_params *params,
                                 uint32_t patches) {
  const uint64_t pairs = params->self_room * particles_with_room(model, params);
  return (weft_self_room){.meets = weft_self_meets(patches, params->self_room),
                          .close = 4 * pairs,
                          .candidates = 4 * pairs,
                          .pairs = pairs,
                          .kept = weft_self_pushes(params) ? pairs : 1,
                          .parts = 1};
}

uint64_t weft_self_room_count(const weft_self_room *room, weft_buffer_id id) {
  switch (id) {
    case WEFT_BUFFER_SELF_PATCH_PAIRS:
      return room->meets * room->parts;
    case WEFT_BUFFER_SELF_TRIANGLE_PAIRS:
      return room->close * room->parts;
    case WEFT_BUFFER_SELF_CANDIDATES:
      return room->candidates * room->parts;
    case WEFT_BUFFER_SELF_PAIRS:
    case WEFT_BUFFER_SELF_PLANES:
      return room->pairs * room->parts;
    case WEFT_BUFFER_SELF_CACHE:
    case WEFT_BUFFER_SELF_CACHE_NEXT:
      return room->kept * room->parts;
    default:
      return 0;
  }
}

uint32_t weft_self_room_at_first(const weft_model *model, const weft_params *params) {
  const uint64_t parts = weft_model_part_count(model);
  const uint64_t most =
      BLOCK / WIDEST / (parts * particles_with_room(weft_model_part(model, 0), params));
  return most > params->self_room ? params->self_room : most > 0 ? (uint32_t)most : 1;
}

/* ---- growing ---- */

static bool is_short(weft_solver *solver) {
  const uint32_t parts = weft_model_part_count(solver->model);
  uint32_t flags = 0;
  for (uint32_t p = 0; p < parts; ++p) {
    uint32_t counts[WEFT_SELF_COUNTS];
    weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, (uint64_t)p * WEFT_SELF_COUNTS,
                            WEFT_SELF_COUNTS, counts);
    flags |= counts[WEFT_SELF_AT_SHORT] | counts[WEFT_SELF_AT_FLAGS];
  }
  return flags & WEFT_SELF_OVERFLOW;
}

/* An error for capacities beyond any backend or memory; it says how many of the `particles`
 * would fit. */
static weft_result check_memory(const weft_self_room *room, uint32_t a_particle, uint32_t particles,
                                weft_error *err) {
  uint64_t bytes = 0;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    bytes += weft_self_room_count(room, (weft_buffer_id)id) * weft_buffer_infos[id].stride;
  }
  if (room->pairs * room->parts > WEFT_SELF_MOST_PAIRS) {
    return weft_fail(err, WEFT_ERROR_LIMIT,
                     "self-collision needs room for %u pairs a particle, and has no more than %u "
                     "pairs in all: less thickness, more substeps or at most %.0f particles",
                     a_particle, (unsigned)WEFT_SELF_MOST_PAIRS,
                     floor((double)particles * WEFT_SELF_MOST_PAIRS / (double)room->pairs));
  }
  if (bytes <= weft_memory_size()) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_LIMIT,
                   "self-collision needs room for %u pairs a particle, %.1f GiB, and this machine "
                   "has %.1f GiB: less thickness, more substeps or at most %.0f particles",
                   a_particle, (double)bytes / (1 << 30), (double)weft_memory_size() / (1 << 30),
                   floor((double)particles * (double)weft_memory_size() / (double)bytes));
}

weft_result weft_solver_give_room(weft_solver *solver, uint32_t self_room, weft_error *err) {
  if (solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS] == 0) return WEFT_OK;
  const uint32_t parts = weft_model_part_count(solver->model);
  const weft_model *part = parts > 1 ? solver->model->parts[0] : solver->model;
  const uint32_t patches = (uint32_t)(solver->buffer_counts[WEFT_BUFFER_SELF_PATCHES] / parts);
  weft_params wanted = weft_solver_with_shapes(solver);
  wanted.self_room = self_room;
  weft_self_room room = weft_self_room_of(part, &wanted, patches);
  room.parts = parts;
  weft_result result = check_memory(&room, self_room, solver->model->particle_count, err);
  if (result == WEFT_OK) result = solver->backend->resize(solver->instance, &room, err);
  if (result != WEFT_OK) return result;
  weft_room_tell(&room, &solver->uniforms);
  solver->params.self_room = self_room;
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) {
    const uint64_t count = weft_self_room_count(&room, (weft_buffer_id)id);
    if (count) solver->buffer_counts[id] = count;
  }
  weft_self_lengthen_passes(&solver->passes, solver->buffer_counts);
  weft_log(WEFT_LOG_DEBUG, "self-collision has room for %u pairs a particle from frame %llu on",
           self_room, (unsigned long long)solver->frame + 1);
  return WEFT_OK;
}

weft_result weft_solver_again(weft_solver *solver, bool *again, weft_error *err) {
  *again = false;
  if (solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS] == 0) return WEFT_OK;
  const uint32_t most = WEFT_SELF_MOST_ROOM, room = solver->params.self_room;
  if (room >= most || !is_short(solver)) return WEFT_OK;
  const weft_result result = weft_solver_give_room(solver, room < most / 2 ? 2 * room : most, err);
  solver->backend->restore(solver->instance);
  *again = result == WEFT_OK;
  return result;
}

/* ---- where lists cannot grow ---- */

/* Mean edge, m; 0 without triangles. */
static double mean_edge(const weft_vec3 *positions, const uint32_t *triangles, uint32_t count) {
  double sum = 0;
  for (size_t c = 0; c < 3 * (size_t)count; ++c) {
    size_t next = c % 3 == 2 ? c - 2 : c + 1;
    sum += weft_v3_distance(positions[triangles[c]], positions[triangles[next]]);
  }
  return count > 0 ? sum / (3 * (double)count) : 0;
}

/* A thickness that was asked for, and how many edges it spans. */
typedef struct span {
  const char *option;
  double thickness, edge; /* m */
} span;

static void take_wider(span *widest, const char *option, float thickness, double edge) {
  const span s = {option, (double)thickness, edge};
  if (edge > 0 && s.thickness * widest->edge > widest->thickness * edge) *widest = s;
}

static span find_widest(const weft_solver *solver) {
  const weft_model *model = solver->model;
  const weft_params *p = &solver->params;
  const double cloth =
      mean_edge(weft_model_rest_positions(model), model->triangles, model->triangle_count);
  span widest = {"", 0, cloth};
  take_wider(&widest, "self-thickness", p->self_thickness, cloth);
  for (uint32_t b = 0; b < p->body_count; ++b) {
    const weft_body *body = &p->bodies[b];
    const bool own = body->thickness > 0;
    const weft_mesh *mesh = body->mesh;
    const double edge = mean_edge(mesh->positions, mesh->triangles, mesh->triangle_count);
    take_wider(&widest, own ? "body-thickness" : "self-thickness",
               own ? body->thickness : p->self_thickness, edge < cloth ? edge : cloth);
  }
  return widest;
}

void weft_tell_room(const weft_solver *solver, uint32_t steps) {
  enum { WIDE = 2 }; /* edges that a thickness may span */
  const bool joined = weft_model_part_count(solver->model) > 1;
  const span widest = find_widest(solver);
  const uint32_t made = weft_self_steps(&solver->params),
                 usual = weft_self_steps_unless_given(&solver->params);
  char thick[160] = "", few[80] = "";
  if (widest.thickness > WIDE * widest.edge) {
    snprintf(thick, sizeof thick,
             "; a thickness of %.3g m spans %.3g edges of the mesh: make it less (--%s)",
             widest.thickness, widest.thickness / widest.edge, widest.option);
  }
  if (made < usual && made < solver->params.substeps) {
    snprintf(few, sizeof few, "; a contact step of %.3g ms is long: make more (--self-steps)",
             1e3 * (double)solver->params.frame_dt / made);
  }
  weft_log(WEFT_LOG_WARNING,
           "in %u contact step%s of the last frame nothing %smoved: more than %u pairs a particle, "
           "which "
           "is the most that is looked at%s%s",
           steps, weft_plural(steps), joined ? "of an instance " : "",
           (unsigned)WEFT_SELF_MOST_ROOM, thick, few);
}
