/* mannequin.c: a standing figure of 1.72 m, sizes of an adult (stature 1.72 m, waist 0.75 m round,
 * hip joints 0.9 m high). Arms are held out so that garments hang free of them. */
#include <math.h>

#include "scenes_internal.h"

weft_vec3 weft_turned(weft_vec3 p, double angle) {
  double c = cos(angle), s = sin(angle);
  return weft_v3((float)(c * (double)p.x + s * (double)p.z), p.y,
                 (float)(c * (double)p.z - s * (double)p.x));
}

typedef enum part_of { BODY, LEFT_THIGH, RIGHT_THIGH, LEFT_SHIN, RIGHT_SHIN } part_of;

typedef struct limb {
  part_of part;
  weft_vec3 a, b;
  float radius;
} limb;

static const float hip_height = 0.9f, knee_height = 0.48f;

static const limb limbs[] = {
    {BODY, {-0.035f, 0.94f, 0}, {0.035f, 0.94f, 0}, 0.115f}, /* pelvis */
    {BODY, {0, 0.99f, 0}, {0, 1.18f, 0}, 0.115f},            /* waist */
    {BODY, {-0.07f, 1.29f, 0}, {0.07f, 1.29f, 0}, 0.12f},    /* chest */
    {BODY, {0.02f, 1.42f, 0}, {0.165f, 1.39f, 0}, 0.06f},    /* shoulders */
    {BODY, {-0.02f, 1.42f, 0}, {-0.165f, 1.39f, 0}, 0.06f},
    {BODY, {0, 1.4f, 0}, {0, 1.52f, 0}, 0.05f},           /* neck */
    {BODY, {0, 1.6f, 0.01f}, {0, 1.62f, 0.01f}, 0.1f},    /* head */
    {BODY, {0.19f, 1.36f, 0}, {0.37f, 1.16f, 0}, 0.042f}, /* upper arms */
    {BODY, {-0.19f, 1.36f, 0}, {-0.37f, 1.16f, 0}, 0.042f},
    {BODY, {0.37f, 1.16f, 0}, {0.52f, 0.98f, 0.06f}, 0.034f}, /* forearms */
    {BODY, {-0.37f, 1.16f, 0}, {-0.52f, 0.98f, 0.06f}, 0.034f},
    {LEFT_THIGH, {0.085f, 0.9f, 0}, {0.085f, 0.48f, 0}, 0.07f},
    {RIGHT_THIGH, {-0.085f, 0.9f, 0}, {-0.085f, 0.48f, 0}, 0.07f},
    {LEFT_SHIN, {0.085f, 0.48f, 0}, {0.085f, 0.06f, 0}, 0.05f},
    {RIGHT_SHIN, {-0.085f, 0.48f, 0}, {-0.085f, 0.06f, 0}, 0.05f},
    {LEFT_SHIN, {0.085f, 0.045f, -0.015f}, {0.095f, 0.04f, 0.13f}, 0.04f}, /* feet */
    {RIGHT_SHIN, {-0.085f, 0.045f, -0.015f}, {-0.095f, 0.04f, 0.13f}, 0.04f},
};

/* Turned about an x axis at the given height, forward (+z) for positive angles. */
static weft_vec3 swung(weft_vec3 p, float height, float angle) {
  float below = height - p.y, c = cosf(angle), s = sinf(angle);
  return weft_v3(p.x, height - below * c + p.z * s, p.z * c + below * s);
}

static weft_vec3 posed(const limb *l, weft_vec3 p, const weft_stance *stance) {
  bool left = l->part == LEFT_THIGH || l->part == LEFT_SHIN;
  float swing = left ? stance->left_swing : stance->right_swing;
  if (l->part == LEFT_SHIN || l->part == RIGHT_SHIN) {
    /* The knee bends backwards, most while the leg is lifted forward. */
    p = swung(p, knee_height, swing > 0 ? -1.2f * swing : 0.5f * swing);
  }
  if (l->part != BODY) p = swung(p, hip_height, swing);
  p.y -= stance->drop;
  return weft_turned(p, (double)stance->turn);
}

float weft_stance_drop(const weft_stance *stance) {
  weft_stance level = *stance;
  level.drop = 0;
  float lowest = INFINITY;
  for (size_t k = 0; k < sizeof limbs / sizeof limbs[0]; ++k) {
    const limb *l = &limbs[k];
    lowest = fminf(lowest, fminf(posed(l, l->a, &level).y, posed(l, l->b, &level).y) - l->radius);
  }
  return lowest;
}

enum { KEYS_PER_SECOND = 30 };

static void add_keys(weft_scene_instance *scene, weft_collider *collider, const limb *l,
                     weft_stance (*stance)(double), double seconds) {
  uint32_t count = (uint32_t)(seconds * KEYS_PER_SECOND) + 1;
  weft_collider_key *keys = weft_scene_keep(scene, count, sizeof *keys);
  for (uint32_t k = 0; k < count; ++k) {
    weft_stance now = stance((double)k / KEYS_PER_SECOND);
    keys[k].time = (float)k / KEYS_PER_SECOND;
    keys[k].a = posed(l, l->a, &now);
    keys[k].b = posed(l, l->b, &now);
  }
  collider->keys = keys;
  collider->key_count = count;
}

void weft_scene_add_mannequin(weft_scene_instance *scene, weft_stance (*stance)(double time),
                              double seconds) {
  for (size_t k = 0; k < sizeof limbs / sizeof limbs[0]; ++k) {
    weft_collider *collider = weft_scene_add_collider(scene);
    collider->shape = WEFT_COLLIDER_CAPSULE;
    collider->a = limbs[k].a;
    collider->b = limbs[k].b;
    collider->radius = limbs[k].radius;
    if (stance) add_keys(scene, collider, &limbs[k], stance, seconds);
  }
}
