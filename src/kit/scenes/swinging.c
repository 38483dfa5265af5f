/* swinging.c: beads on wires and pendulums: the systems with a theory. */
#include <math.h>

#include "particles.h"

static const double pi = 3.14159265358979;

/* Steps of this method take energy out of a swing, in proportion to the step: with so many a frame
 * a bead keeps nearly all of it over a few seconds. */
enum { SUBSTEPS = 100 };

/* ---- beads ---- */

enum { WIRES_IN_A_ROW = 5, WIRE_PIECES = 64 };

static const float wire_clearance = 0.1f; /* of the lowest point above the floor, m */
static const float wire_gap = 0.12f;      /* between neighbouring wires, m */

typedef struct bead {
  float mass, radius; /* kg; of its wire, m */
  weft_vec3 centre;
} bead;

static weft_vec3 on_circle(weft_vec3 centre, float radius, double from_bottom) {
  return weft_v3(centre.x + radius * (float)sin(from_bottom),
                 centre.y - radius * (float)cos(from_bottom), centre.z);
}

static void add_wire(weft_scene_instance *s, const bead *b) {
  const uint32_t steel = 0x8c8f94;
  for (int k = 0; k < WIRE_PIECES; ++k) {
    double from = 2 * pi * k / WIRE_PIECES, to = 2 * pi * (k + 1) / WIRE_PIECES;
    weft_scene_add_prop(s, on_circle(b->centre, b->radius, from),
                        on_circle(b->centre, b->radius, to), 0.004f, steel);
  }
  weft_vec3 bottom = on_circle(b->centre, b->radius, 0);
  weft_scene_add_prop(s, weft_v3(bottom.x, 0, bottom.z), bottom, 0.006f, steel);
}

/* Wires in rows beside each other, every row behind the one before; fills the width of a row. */
static bead bead_at(const weft_scene_options *o, uint32_t k, float *right) {
  static const float masses[] = {0.1f, 0.8f, 0.3f, 1.6f, 0.2f};
  static const float radii[] = {0.12f, 0.18f, 0.24f, 0.16f, 0.21f};
  uint32_t place = k % WIRES_IN_A_ROW;
  bead b = {.mass = weft_listed(o->masses, o->mass_count, k, masses[place]),
            .radius = weft_listed(o->lengths, o->length_count, k, radii[place])};
  if (place == 0) *right = 0;
  b.centre =
      weft_v3(*right + b.radius, wire_clearance + b.radius, -0.35f * (float)(k / WIRES_IN_A_ROW));
  *right += 2 * b.radius + wire_gap;
  return b;
}

weft_result weft_make_bead(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  weft_system system = {0};
  double angle = o->angle_set ? (double)o->angle : 120 * pi / 180;
  float right = 0, widest = 0, tallest = 0;
  for (uint32_t k = 0; k < o->size; ++k) {
    bead b = bead_at(o, k, &right);
    widest = fmaxf(widest, right - wire_gap);
    tallest = fmaxf(tallest, b.centre.y + b.radius);
    uint32_t centre = weft_system_add(&system, b.centre, 0, 0, 0);
    uint32_t free = weft_system_add(&system, on_circle(b.centre, b.radius, angle), b.mass,
                                    0.03f * cbrtf(b.mass / 0.3f), weft_palette_colour(k));
    weft_system_link(&system, centre, free, WEFT_SENSE_EQUAL, 0)->rest_length = b.radius;
    add_wire(s, &b);
  }
  s->params.substeps = SUBSTEPS;
  s->params.compensated = true;
  s->swings = true;
  s->ground = true;
  float deep = 0.35f * (float)((o->size - 1) / WIRES_IN_A_ROW);
  weft_vec3 middle = weft_v3(widest / 2, tallest / 2, -deep / 2);
  s->still = (weft_scene_still){26, 1.04f, middle};
  weft_scene_look(s, middle, fmaxf(0.35f * widest, 0.7f * tallest) + 0.4f * deep, 0.25f, 0.15f);
  return weft_system_preprocess(&system, 0.03f, 0, s, err);
}

/* ---- pendulums ---- */

static const float pendulum_length = 0.9f; /* of all links unless lengths are given, m */
static const float pendulum_gap = 0.16f;   /* between one and the next, m */
static const double apart = 0.5;           /* degrees between one and the next at the start */

static float pendulum_reach(const weft_scene_options *o, uint32_t links) {
  float sum = 0;
  for (uint32_t k = 0; k < links; ++k) {
    sum += weft_listed(o->lengths, o->length_count, k, pendulum_length / (float)links);
  }
  return sum;
}

static void add_pendulum(const weft_scene_options *o, uint32_t links, weft_vec3 pivot, double angle,
                         uint32_t colour, weft_system *system) {
  uint32_t last = weft_system_add(system, pivot, 0, 0.012f, 0x55585c);
  double x = (double)pivot.x, y = (double)pivot.y;
  float size = links <= 8 ? 0.034f : 0.034f * sqrtf(8 / (float)links);
  for (uint32_t k = 0; k < links; ++k) {
    float length = weft_listed(o->lengths, o->length_count, k, pendulum_length / (float)links);
    float mass = weft_listed(o->masses, o->mass_count, k, 1);
    x += (double)length * sin(angle);
    y -= (double)length * cos(angle);
    uint32_t bob = weft_system_add(system, weft_v3((float)x, (float)y, pivot.z), mass,
                                   size * cbrtf(mass), colour);
    weft_system_link(system, last, bob, WEFT_SENSE_EQUAL, 0)->rest_length = length;
    last = bob;
  }
}

/* Several, each let go half a degree higher than the one before: alike at first, then not. */
weft_result weft_make_pendulum(const weft_scene_options *o, weft_scene_instance *s,
                               weft_error *err) {
  uint32_t links = o->links ? o->links : 3;
  weft_result result = weft_check_system_size("pendulum", (uint64_t)o->size * (links + 1u), err);
  if (result != WEFT_OK) return result;
  weft_system system = {0};
  float reach = pendulum_reach(o, links), height = reach + 0.12f;
  float deep = pendulum_gap * (float)(o->size - 1);
  double angle = o->angle_set ? (double)o->angle : 120 * pi / 180;
  for (uint32_t k = 0; k < o->size; ++k) {
    weft_vec3 pivot = weft_v3(0, height, deep / 2 - pendulum_gap * (float)k);
    add_pendulum(o, links, pivot, angle + k * apart * pi / 180, weft_palette_colour(k), &system);
  }
  weft_scene_add_prop(s, weft_v3(0, height, deep / 2 + 0.1f), weft_v3(0, height, -deep / 2 - 0.1f),
                      0.01f, 0x55585c);
  for (int side = -1; side <= 1; side += 2) {
    float z = (float)side * (deep / 2 + 0.1f);
    weft_scene_add_prop(s, weft_v3(-0.3f * height, 0, z), weft_v3(0, height, z), 0.01f, 0x55585c);
    weft_scene_add_prop(s, weft_v3(0.3f * height, 0, z), weft_v3(0, height, z), 0.01f, 0x55585c);
  }
  s->params.substeps = SUBSTEPS;
  s->params.compensated = true;
  s->swings = true;
  s->ground = true;
  s->still.frame = 64;
  weft_scene_look(s, weft_v3(0, 0.7f * height, 0), 0.8f * height + 0.3f * deep, 0.5f, 0.12f);
  return weft_system_preprocess(&system, 0.03f, 0.007f, s, err);
}
