/* standstill.c: which free particles did not move in a frame although they had a displacement,
 * and why. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "solver.h"

/* Gravity or wind. */
static bool acts(const weft_params *p) {
  return weft_v3_length(p->gravity) > 0 || (p->air_density > 0 && weft_v3_length(p->wind) > 0);
}

/* ---- at the end of each frame ---- */

/* How often a contact step of the frame truncated a particle to 0. */
static bool any_stood(weft_solver *solver) {
  const uint32_t parts = weft_model_part_count(solver->model);
  uint32_t stood = 0;
  for (uint32_t p = 0; p < parts && !stood; ++p) {
    const uint64_t place = (uint64_t)p * WEFT_SELF_COUNTS + WEFT_SELF_AT_STOOD;
    weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, place, 1, &stood);
  }
  return stood;
}

/* Marks particles that the last contact step truncated to 0 and that have not moved all frame;
 * returns the number of free particles that have moved. */
static uint32_t mark_still(weft_solver *solver, bool *still) {
  const weft_model *model = solver->model;
  const uint32_t n = model->particle_count;
  uint32_t *shares = weft_alloc(2 * (size_t)n, sizeof *shares), moved = 0;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_FRACTIONS, 0, n, shares);
  solver->backend->unmoved(solver->instance, 0, n, still);
  for (uint32_t i = 0; i < n; ++i) {
    moved += !still[i] && model->inverse_masses[i] != 0;
    still[i] = still[i] && shares[2 * (size_t)i] == WEFT_SELF_STOOD;
  }
  weft_free(shares);
  return moved;
}

void weft_solver_forget_still(weft_solver *solver) {
  solver->still_count = 0;
  solver->still_since = 0;
  solver->still_all = false;
}

void weft_solver_see_still(weft_solver *solver) {
  const uint64_t before = solver->still_since;
  const bool all_before = solver->still_all;
  weft_solver_forget_still(solver);
  if (solver->buffer_counts[WEFT_BUFFER_SELF_COUNTS] == 0 || !acts(&solver->params)) return;
  if (!any_stood(solver)) return;
  const uint32_t n = solver->model->particle_count;
  bool *still = weft_alloc(n, sizeof *still);
  const uint32_t moved = mark_still(solver, still);
  for (uint32_t i = 0; i < n; ++i) solver->still_count += still[i];
  weft_free(still);
  if (solver->still_count == 0) return;
  solver->still_all = moved == 0;
  const bool goes_on = before && (all_before || !solver->still_all);
  solver->still_since = goes_on ? before : solver->frame;
}

/* ---- why ---- */

typedef struct pairs {
  uint32_t count;
  uvec4 *listed;
  weft_self_plane *planes;
  vec4 *x; /* of all particles, with those of bodies */
} pairs;

static uint32_t listed_pairs(weft_solver *solver) {
  const uint32_t parts = weft_model_part_count(solver->model);
  const uint64_t all = parts > 1 ? (uint64_t)parts * WEFT_SELF_COUNTS : 0;
  const uint64_t room = solver->buffer_counts[WEFT_BUFFER_SELF_PAIRS];
  uint32_t count = 0;
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, all + WEFT_SELF_AT_PAIRS, 1, &count);
  return count < room ? count : (uint32_t)room;
}

static pairs read_pairs(weft_solver *solver) {
  const uint64_t n = solver->buffer_counts[WEFT_BUFFER_X];
  pairs p = {.count = listed_pairs(solver)};
  p.listed = weft_alloc(p.count, sizeof *p.listed);
  p.planes = weft_alloc(p.count, sizeof *p.planes);
  p.x = weft_alloc((size_t)n, sizeof *p.x);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PAIRS, 0, p.count, p.listed);
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_PLANES, 0, p.count, p.planes);
  weft_solver_read_buffer(solver, WEFT_BUFFER_X, 0, n, p.x);
  return p;
}

static void free_pairs(pairs *p) {
  weft_free(p->listed);
  weft_free(p->planes);
  weft_free(p->x);
}

static void corners_of(const pairs *p, uint32_t k, uint32_t corners[4]) {
  const uvec4 c = weft_self_particles(p->listed[k]);
  corners[0] = c.x;
  corners[1] = c.y;
  corners[2] = c.z;
  corners[3] = c.w;
}

/* Distance of the two closest points, m. */
static double distance_of(const pairs *p, uint32_t k) {
  const vec4 w = p->planes[k].weights;
  const double weights[4] = {(double)w.x, (double)w.y, (double)w.z, (double)w.w};
  uint32_t c[4];
  corners_of(p, k, c);
  weft_vec3d sum = {0, 0, 0};
  for (uint32_t l = 0; l < 4; ++l) {
    const vec4 x = p->x[c[l]];
    sum = weft_v3d_add(sum,
                       weft_v3d_scale(weft_v3d((double)x.x, (double)x.y, (double)x.z), weights[l]));
  }
  return sqrt(weft_v3d_dot(sum, sum));
}

static weft_still_reason reason_of_part(weft_solver *solver, uint32_t part) {
  uint32_t counts[WEFT_SELF_COUNTS];
  weft_solver_read_buffer(solver, WEFT_BUFFER_SELF_COUNTS, (uint64_t)part * WEFT_SELF_COUNTS,
                          WEFT_SELF_COUNTS, counts);
  return counts[WEFT_SELF_AT_FLAGS] ? WEFT_STILL_LIST : WEFT_STILL_CUT;
}

/* A reason for each particle that stands still, WEFT_STILL_NOT for others. */
static void find_reasons(weft_solver *solver, const pairs *p, const bool *still,
                         weft_still_reason *reasons) {
  const uint32_t n = solver->model->particle_count;
  const uint32_t parts = weft_model_part_count(solver->model), each = n / parts;
  for (uint32_t part = 0; part < parts; ++part) {
    const weft_still_reason all = reason_of_part(solver, part);
    for (uint32_t i = part * each; i < (part + 1) * each; ++i) {
      reasons[i] = still[i] ? all : WEFT_STILL_NOT;
    }
  }
  for (uint32_t k = 0; k < p->count; ++k) {
    uint32_t c[4];
    if (!(p->planes[k].use & WEFT_SELF_UNCERTAIN)) continue;
    corners_of(p, k, c);
    for (uint32_t l = 0; l < 4; ++l) {
      if (c[l] < n && reasons[c[l]] == WEFT_STILL_CUT) reasons[c[l]] = WEFT_STILL_UNCERTAIN;
    }
  }
}

/* Of two pairs at equal distance the one with lower numbers, so that the order of lists does not
 * matter. */
static bool is_nearer(double distance, const uint32_t c[4], const weft_standstill *than) {
  if (distance < than->distance || than->pair[0] == WEFT_NO_PARTICLE) return true;
  for (uint32_t l = 0; l < 4 && distance == than->distance; ++l) {
    if (c[l] != than->pair[l]) return c[l] < than->pair[l];
  }
  return false;
}

/* The nearest pair with a particle that stands still for the most frequent reason. A list that
 * overflowed holds any pairs. */
static void find_worst(const pairs *p, const weft_still_reason *reasons, uint32_t n,
                       weft_standstill *still) {
  if (still->reason == WEFT_STILL_LIST) return;
  for (uint32_t k = 0; k < p->count; ++k) {
    uint32_t c[4];
    const uint32_t use = p->planes[k].use;
    const bool holds =
        use & (still->reason == WEFT_STILL_UNCERTAIN ? WEFT_SELF_UNCERTAIN : WEFT_SELF_LIMITS);
    bool touches = false;
    corners_of(p, k, c);
    for (uint32_t l = 0; l < 4; ++l) touches |= c[l] < n && reasons[c[l]] == still->reason;
    if (!holds || !touches) continue;
    const double distance = distance_of(p, k);
    if (!is_nearer(distance, c, still)) continue;
    memcpy(still->pair, c, sizeof c);
    still->distance = distance;
    still->edges = weft_self_is_edges(p->listed[k]);
  }
}

static void tell_why(weft_solver *solver, weft_standstill *still) {
  const uint32_t n = solver->model->particle_count;
  bool *marks = weft_alloc(n, sizeof *marks);
  weft_still_reason *reasons = weft_alloc(n, sizeof *reasons);
  mark_still(solver, marks);
  pairs p = read_pairs(solver);
  find_reasons(solver, &p, marks, reasons);
  for (uint32_t i = 0; i < n; ++i) still->of_reason[reasons[i]]++;
  still->of_reason[WEFT_STILL_NOT] = 0;
  for (int r = 0; r < WEFT_STILL_REASONS; ++r) {
    if (still->of_reason[r] > still->of_reason[still->reason]) still->reason = (weft_still_reason)r;
  }
  find_worst(&p, reasons, n, still);
  free_pairs(&p);
  weft_free(reasons);
  weft_free(marks);
}

uint32_t weft_solver_still_count(const weft_solver *solver) { return solver->still_count; }

weft_result weft_solver_standstill(weft_solver *solver, weft_standstill *still, weft_error *err) {
  WEFT_NEED(solver);
  WEFT_GUARD_READ(solver, err);
  WEFT_NEED(still);
  const weft_model *model = solver->model;
  *still = (weft_standstill){.count = solver->still_count,
                             .free = model->particle_count - model->pinned_count,
                             .all = solver->still_all,
                             .since = solver->still_since};
  for (uint32_t l = 0; l < 4; ++l) still->pair[l] = WEFT_NO_PARTICLE;
  if (still->count == 0) return WEFT_OK;
  WEFT_ENTER(solver->backend);
  tell_why(solver, still);
  return solver->backend->check(solver->instance, "reading what stands still", err);
}
