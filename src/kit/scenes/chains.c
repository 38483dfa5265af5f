/* chains.c: ropes, hair and threads: chains of links, with weaker links across two of them that
 * stand for bending. */
#include <math.h>

#include "particles.h"

static const double two_pi = 6.283185307179586;

/* What all links of a chain have in common. */
typedef struct chain_kind {
  weft_sense sense, bend_sense;
  float compliance, bend_compliance; /* m/N; no bending links when the latter is negative */
  float mass;                        /* kg of each particle */
  float radius;                      /* m, as drawn */
  uint32_t colour;
} chain_kind;

/* A particle at the end of a chain that ends at `last` (before it `before`, UINT32_MAX for none).
 */
static uint32_t lengthen(weft_system *system, const chain_kind *kind, uint32_t before,
                         uint32_t last, weft_vec3 place) {
  uint32_t next = weft_system_add(system, place, kind->mass, kind->radius, kind->colour);
  weft_system_link(system, last, next, kind->sense, kind->compliance);
  if (before == UINT32_MAX || kind->bend_compliance < 0) return next;
  weft_system_link(system, before, next, kind->bend_sense, kind->bend_compliance)->bending = true;
  return next;
}

/* ---- ropes ---- */

enum { LANES = 4 };
static const float rope_length = 2.4f, rope_weight = 0.35f; /* m, kg */
static const float rail_height = 1.4f, rail_left = -0.95f;  /* m */
static const float rail_far = 1.45f, rail_near = 0.75f;     /* of the other rail, m */
static const double closing_seconds = 1.2;

static double closed(double time) {
  double t = fmin(fmax(time / closing_seconds, 0), 1);
  return t * t * (3 - 2 * t);
}

/* The rail on the right and the ropes' ends on it come closer: ropes that were straight sag. */
static weft_result close_rail(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  double now = weft_solver_time(solver);
  if (now > closing_seconds) return WEFT_OK;
  weft_roots *roots = weft_scene_storage(s)->motion;
  double part = closed(now + (double)weft_solver_params(solver)->frame_dt);
  for (uint32_t k = 0; k < roots->count; ++k) {
    weft_vec3 p = roots->rest[roots->particles[k]];
    if (p.x > 0) p.x = (float)((double)p.x + part * (double)(rail_near - rail_far));
    roots->targets[k] = p;
  }
  return weft_scene_move_pins(s, solver, roots->particles, roots->targets, roots->count, err);
}

static void add_moving_bar(weft_scene_instance *s, weft_vec3 a, weft_vec3 b, float radius) {
  enum { KEYS = 37 };
  weft_collider_key *keys = weft_scene_keep(s, KEYS, sizeof *keys);
  for (int k = 0; k < KEYS; ++k) {
    double time = closing_seconds * k / (KEYS - 1);
    float dx = (float)closed(time) * (rail_near - rail_far);
    keys[k] = (weft_collider_key){
        .time = (float)time, .a = weft_v3(a.x + dx, a.y, a.z), .b = weft_v3(b.x + dx, b.y, b.z)};
  }
  weft_scene_add_capsule(s, a, b, radius);
  s->colliders[s->params.collider_count - 1].keys = keys;
  s->colliders[s->params.collider_count - 1].key_count = KEYS;
}

static void add_rails(weft_scene_instance *s, float half) {
  const float ends[] = {-half, half};
  weft_scene_add_capsule(s, weft_v3(rail_left, rail_height, -half),
                         weft_v3(rail_left, rail_height, half), 0.022f);
  add_moving_bar(s, weft_v3(rail_far, rail_height, -half), weft_v3(rail_far, rail_height, half),
                 0.022f);
  for (int k = 0; k < 2; ++k) {
    weft_scene_add_capsule(s, weft_v3(rail_left, 0.03f, ends[k]),
                           weft_v3(rail_left, rail_height, ends[k]), 0.022f);
    add_moving_bar(s, weft_v3(rail_far, 0.03f, ends[k]), weft_v3(rail_far, rail_height, ends[k]),
                   0.022f);
  }
}

/* Hard and compliant, each two-sided and acting only when stretched. */
static chain_kind rope_kind(uint32_t lane, uint32_t links) {
  bool soft = lane % 2 == 1, unilateral = lane / 2 == 1;
  /* A soft rope grows by about a tenth under its own weight, however many links it has. */
  float compliance = 0.1f * rope_length / (float)links / (9.81f * rope_weight);
  return (chain_kind){.sense = unilateral ? WEFT_SENSE_AT_MOST : WEFT_SENSE_EQUAL,
                      .bend_sense = unilateral ? WEFT_SENSE_AT_LEAST : WEFT_SENSE_EQUAL,
                      .compliance = soft ? compliance : 0,
                      .bend_compliance = 0.05f,
                      .mass = rope_weight / (float)links,
                      .radius = 0.012f,
                      .colour = weft_palette_colour(lane)};
}

static void add_rope(weft_system *system, uint32_t lane, uint32_t links, float z) {
  chain_kind kind = rope_kind(lane, links);
  uint32_t before = UINT32_MAX, last = weft_system_add(system, weft_v3(rail_left, rail_height, z),
                                                       0, kind.radius, kind.colour);
  for (uint32_t k = 1; k <= links; ++k) {
    float x = k == links ? rail_far : rail_left + rope_length * (float)k / (float)links;
    uint32_t next = lengthen(system, &kind, before, last, weft_v3(x, rail_height, z));
    before = last;
    last = next;
  }
  system->masses[last] = 0;
}

weft_result weft_make_rope(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t links = o->links ? o->links : o->size;
  weft_result result = weft_check_system_size("rope", 2 * LANES * (links + 1ull), err);
  if (result != WEFT_OK) return result;
  weft_system system = {0};
  for (uint32_t lane = 0; lane < LANES; ++lane) {
    add_rope(&system, lane, links, 0.54f - 0.14f * (float)lane);
  }
  for (uint32_t lane = 0; lane < LANES; ++lane) {
    add_rope(&system, lane, links, -0.32f - 0.06f * (float)lane);
  }
  s->params.substeps = 30;
  s->params.compensated = true;
  s->params.thickness = 0.012f;
  s->params.damping = 0.6f;
  weft_scene_add_ground(s, 0);
  add_rails(s, 0.7f);
  weft_scene_add_sphere(s, weft_v3(-0.1f, 0.62f, -0.41f), 0.38f);
  s->colliders[s->params.collider_count - 1].friction_static = 1;
  s->colliders[s->params.collider_count - 1].friction_dynamic = 0.8f;
  s->still = (weft_scene_still){200, 1.12f, {-0.02f, 0.72f, 0}};
  weft_scene_look(s, weft_v3(-0.05f, 0.75f, 0), 1.12f, 0.42f, 0.2f);
  result = weft_system_preprocess(&system, 0.012f, 0.012f, s, err);
  if (result != WEFT_OK) return result;
  weft_scene_roots(s);
  s->animate = close_rail;
  return WEFT_OK;
}

/* ---- threads ---- */

static const float threads_width = 1.7f, threads_top = 1.9f, threads_length = 1.7f;

static void add_thread(weft_system *system, uint32_t links, float x, float length,
                       uint32_t colour) {
  const chain_kind kind = {.sense = WEFT_SENSE_EQUAL,
                           .bend_compliance = -1,
                           .mass = 0.02f / (float)links,
                           .radius = 0.007f,
                           .colour = colour};
  uint32_t last = weft_system_add(system, weft_v3(x, threads_top, 0), 0, kind.radius, colour);
  for (uint32_t k = 1; k <= links; ++k) {
    weft_vec3 place = weft_v3(x, threads_top - length * (float)k / (float)links, 0);
    last = lengthen(system, &kind, UINT32_MAX, last, place);
  }
}

static void add_ball(weft_scene_instance *s) {
  weft_collider_key *keys = weft_scene_keep(s, 2, sizeof *keys);
  keys[0] = (weft_collider_key){.time = 0.3f, .a = {0.1f, 0.75f, -1.1f}};
  keys[1] = (weft_collider_key){.time = 3.3f, .a = {0.1f, 0.75f, 1.4f}};
  weft_scene_add_sphere(s, keys[0].a, 0.28f);
  s->colliders[s->params.collider_count - 1].keys = keys;
  s->colliders[s->params.collider_count - 1].key_count = 2;
}

weft_result weft_make_threads(const weft_scene_options *o, weft_scene_instance *s,
                              weft_error *err) {
  uint32_t links = o->links ? o->links : 24;
  weft_result result = weft_check_system_size("threads", o->size * (links + 1ull), err);
  if (result != WEFT_OK) return result;
  weft_system system = {0};
  weft_rng rng = weft_rng_seed(o->seed);
  for (uint32_t k = 0; k < o->size; ++k) {
    float x = threads_width * ((float)k / (float)(o->size - 1) - 0.5f);
    float length = threads_length * weft_rng_float(&rng, 0.93f, 1);
    add_thread(&system, links, x, length, weft_palette_colour(k * 5 / o->size));
  }
  s->params.substeps = 20;
  s->params.compensated = true;
  s->params.thickness = 0.007f;
  s->params.damping = 0.4f;
  weft_scene_add_ground(s, 0);
  add_ball(s);
  weft_scene_add_prop(s, weft_v3(-0.95f, threads_top, 0), weft_v3(0.95f, threads_top, 0), 0.016f,
                      0x55585c);
  for (int side = -1; side <= 1; side += 2) {
    weft_scene_add_prop(s, weft_v3(0.95f * (float)side, 0, 0),
                        weft_v3(0.95f * (float)side, threads_top, 0), 0.016f, 0x55585c);
  }
  s->still = (weft_scene_still){108, 1.12f, {0, 0.92f, 0}};
  weft_scene_look(s, weft_v3(0, 0.95f, 0), 1.15f, 0.5f, 0.14f);
  return weft_system_preprocess(&system, 0.007f, 0.007f, s, err);
}

/* ---- fur ---- */

static const float ball_radius = 0.3f, hair_length = 0.2f, hair_root = 0.008f; /* m */
static const weft_vec3 ball_centre = {0, 0.62f, 0};
static const double fur_seconds = 30;

typedef struct pose {
  double shift, turn; /* m along x, radians about y */
} pose;

/* At rest for a third of a second, then to and fro, turning all the while. */
static pose ball_pose(double time) {
  double t = fmin(time, fur_seconds) - 0.33;
  if (t <= 0) return (pose){0, 0};
  double ease = fmin(t, 1) * fmin(t, 1) * (3 - 2 * fmin(t, 1));
  return (pose){0.22 * ease * sin(two_pi * t / 1.7), 1.6 * ease * sin(two_pi * t / 3.4)};
}

static weft_vec3 posed(weft_vec3 p, const pose *now) {
  weft_vec3 turned = weft_turned(weft_v3_sub(p, ball_centre), now->turn);
  turned.x += (float)now->shift;
  return weft_v3_add(turned, ball_centre);
}

static weft_result carry_roots(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  double dt = (double)weft_solver_params(solver)->frame_dt;
  pose now = ball_pose(weft_solver_time(solver) + dt);
  weft_roots *roots = weft_scene_storage(s)->motion;
  for (uint32_t k = 0; k < roots->count; ++k) {
    roots->targets[k] = posed(roots->rest[roots->particles[k]], &now);
  }
  return weft_scene_move_pins(s, solver, roots->particles, roots->targets, roots->count, err);
}

static void add_moving_ball(weft_scene_instance *s) {
  enum { PER_SECOND = 60 };
  uint32_t count = (uint32_t)(fur_seconds * PER_SECOND) + 1;
  weft_collider_key *keys = weft_scene_keep(s, count, sizeof *keys);
  for (uint32_t k = 0; k < count; ++k) {
    pose now = ball_pose((double)k / PER_SECOND);
    keys[k].time = (float)k / PER_SECOND;
    keys[k].a = posed(ball_centre, &now);
  }
  weft_scene_add_sphere(s, ball_centre, ball_radius);
  s->colliders[s->params.collider_count - 1].keys = keys;
  s->colliders[s->params.collider_count - 1].key_count = count;
}

/* The k-th of n directions of the golden spiral: evenly spread over the sphere. */
static weft_vec3 spread(uint32_t k, uint32_t n) {
  double y = 1 - (2.0 * k + 1) / n, r = sqrt(1 - y * y), turn = k * 2.399963229728653;
  return weft_v3((float)(r * cos(turn)), (float)y, (float)(r * sin(turn)));
}

/* The two lowest particles are pinned: they give the hair its direction at the skin. Further out
 * links give way when pushed together, and those across two keep the hair from folding. */
static void add_hair(weft_system *system, uint32_t links, weft_vec3 out, weft_rng *rng) {
  static const uint32_t browns[] = {0x8a5a34, 0x9a6a3e, 0x7a4d2c, 0xa5794a};
  const chain_kind kind = {.sense = WEFT_SENSE_AT_MOST,
                           .bend_sense = WEFT_SENSE_AT_LEAST,
                           .bend_compliance = 6,
                           .mass = 2e-4f / (float)links,
                           .colour = browns[weft_rng_u32(rng) % 4]};
  float length = hair_length * weft_rng_float(rng, 0.8f, 1.1f);
  uint32_t before = UINT32_MAX, last = 0;
  for (uint32_t k = 0; k <= links; ++k) {
    float along = ball_radius + 0.004f;
    if (k > 0) along += hair_root;
    if (k > 1) along += length * (float)(k - 1) / (float)(links - 1);
    weft_vec3 place = weft_v3_add(ball_centre, weft_v3_scale(out, along));
    uint32_t next = k == 0 ? weft_system_add(system, place, 0, 0, kind.colour)
                           : lengthen(system, &kind, before, last, place);
    if (k == 1) system->masses[next] = 0;
    before = k ? last : UINT32_MAX;
    last = next;
  }
}

weft_result weft_make_fur(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t links = o->links ? o->links : 8, hairs = o->size * o->size;
  weft_result result = weft_check_system_size("fur", hairs * (links + 1ull), err);
  if (result != WEFT_OK) return result;
  weft_system system = {0};
  weft_rng rng = weft_rng_seed(o->seed);
  for (uint32_t k = 0; k < hairs; ++k) add_hair(&system, links, spread(k, hairs), &rng);
  s->params.substeps = 15;
  s->params.compensated = true;
  s->params.thickness = 0.003f;
  s->params.damping = 2;
  weft_scene_add_ground(s, 0);
  add_moving_ball(s);
  s->still = (weft_scene_still){80, 1.3f, {0.03f, 0.56f, 0}};
  weft_scene_look(s, weft_v3(0, 0.52f, 0), 0.62f, 0.3f, 0.16f);
  result = weft_system_preprocess(&system, 0.003f, 0.002f, s, err);
  if (result != WEFT_OK) return result;
  weft_scene_roots(s);
  s->animate = carry_roots;
  return WEFT_OK;
}
