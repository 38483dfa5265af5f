/* kernel_contact.c: contents for the collide pass: shapes of every kind, still, moving,
 * turning and degenerate, and particles in centres, on faces, edges and corners, and on ways that
 * graze, enter and start exactly on a surface. */
#include <math.h>
#include <string.h>

#include "kernel_data.h"

enum { CLUSTER = 6, LONE = 7, COLLIDERS = CLUSTER + LONE };

static weft_collider_pose pose(weft_rng *rng, uint32_t shape, weft_vec3 a, weft_vec3 b,
                               float radius, float static_limit) {
  weft_collider_pose p = {0};
  p.a = exact_vec4(a, radius);
  p.b = exact_vec4(b, 0.5f * radius);
  p.move_a = weft_kernel_small_vector(rng, 1e-3f, static_limit);
  p.move_b = weft_kernel_small_vector(rng, 1e-3f, 0.7f * static_limit);
  p.axis_x = (vec4){1, 0, 0, 0.25f * radius * radius};
  p.axis_y = (vec4){0, 1, 0, 0};
  p.axis_z = (vec4){0, 0, 1, 0};
  p.turn_x = weft_kernel_small_vector(rng, 1e-2f, 0);
  p.turn_y = weft_kernel_small_vector(rng, 1e-2f, 0);
  p.turn_z = (vec4){(float)WEFT_FLUSH, 0, -(float)WEFT_FLUSH, 0};
  p.shape = shape;
  return p;
}

/* Where the random particles are: they meet several at once. */
static void fill_cluster(weft_rng *rng, weft_collider_pose *p) {
  p[0] = pose(rng, WEFT_COLLIDER_PLANE, weft_v3(0, -0.5f, 0), weft_v3(0, 1, 0), 0.001f, 0.5f);
  p[1] =
      pose(rng, WEFT_COLLIDER_SPHERE, weft_v3(0.25f, 0.125f, -0.5f), weft_v3(0, 0, 0), 0.4f, 0.3f);
  p[2] = pose(rng, WEFT_COLLIDER_CAPSULE, weft_v3(-0.5f, 0.25f, 0), weft_v3(0.5f, 0.5f, 0.25f),
              0.2f, 10);
  /* An axis without length, and one at the flush threshold. */
  p[3] = pose(rng, WEFT_COLLIDER_CAPSULE, weft_v3(0, 0.75f, 0), weft_v3(0, 0.75f, 0), 0.2f, 0.2f);
  p[4] =
      pose(rng, WEFT_COLLIDER_CAPSULE, weft_v3(0, 0, 0), weft_v3((float)WEFT_SNAP, 0, 0), 0.1f, 0);
  p[5] = pose(rng, WEFT_COLLIDER_BOX, weft_v3(-0.5f, -0.25f, 0.5f), weft_v3(0.25f, 0.125f, 0.25f),
              0.01f, 0.5f);
}

/* Each 4 m from the next, so that the particles set about one meet no other. Moves and turns are
 * those the solver would work out. */
static void fill_lone(uint32_t substep, weft_collider_pose *p) {
  const float thin = 0.0005f;
  const weft_collider_key keys[LONE][2] = {
      {{0, {4, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {1, {4, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
      {{0, {8, 0, 0}, {0, 0, 0}, {0.3f, 0.2f, 0.5f}}, {1, {8, 5, 0}, {0, 0, 0}, {30, 0.2f, -40}}},
      {{0, {12, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {1, {12, 20, 0}, {0, 0, 0}, {0, 0, 0}}},
      {{0, {16, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {1, {16, 0, 0}, {0, 0, 0}, {0, 1e-15f, 0}}},
      {{0, {20, -0.5f, 0}, {20, 0.5f, 0}, {0, 0, 0}},
       {1, {19, -0.5f, 3}, {21, 0.5f, 0}, {0, 90, 0}}},
      {{0, {24, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {1, {24, 0, 7}, {0, 0, 0}, {0, 0, 200}}},
      {{0, {-3, 0, 0}, {0.6f, 0.8f, 0}, {0, 0, 0}}, {1, {-3, 0, 0}, {0.6f, 0.8f, 0}, {6, 8, 0}}},
  };
  const weft_collider shapes[LONE] = {
      {.shape = WEFT_COLLIDER_BOX, .half_size = {0.5f, 0.25f, 1}, .friction_static = 0.5f},
      {.shape = WEFT_COLLIDER_BOX, .half_size = {0.25f, 0.5f, 0.125f}, .friction_static = 1},
      {.shape = WEFT_COLLIDER_BOX, .half_size = {1, thin, 1}, .friction_dynamic = 0.3f},
      {.shape = WEFT_COLLIDER_BOX, .half_size = {1e-6f, 1e-6f, 1e-6f}},
      {.shape = WEFT_COLLIDER_CAPSULE, .radius = thin, .friction_static = 0.4f},
      {.shape = WEFT_COLLIDER_SPHERE, .radius = thin, .friction_static = 0.9f},
      {.shape = WEFT_COLLIDER_PLANE, .friction_static = 0.9f, .friction_dynamic = 0.8f},
  };
  for (uint32_t k = 0; k < LONE; ++k) {
    weft_collider c = shapes[k];
    c.keys = keys[k];
    c.key_count = 2;
    double now = 0.01 * (substep + 1);
    p[k] = weft_collider_pose_at(&c, now - 1.0 / 1200, now, k % 2 ? 0.002f : 0);
  }
}

/* A point of the shape's own frame: 0, on or at the edge of the surface, with or without thickness,
 * or outside, along each axis. */
static weft_vec3 place(const weft_collider_pose *p, weft_rng *rng) {
  const bool box = p->shape == WEFT_COLLIDER_BOX;
  const float half[3] = {box ? p->b.x : 0, box ? p->b.y : 0, box ? p->b.z : 0};
  const vec4 axes[3] = {p->axis_x, p->axis_y, p->axis_z};
  weft_vec3 x = exact_xyz(p->a);
  if (p->shape == WEFT_COLLIDER_CAPSULE && weft_rng_u32(rng) % 2) x = exact_xyz(p->b);
  for (int k = 0; k < 3; ++k) {
    float sign = weft_rng_u32(rng) % 2 ? 1.0f : -1.0f;
    const float steps[] = {0,
                           0,
                           half[k],
                           half[k] + p->a.w,
                           2 * (half[k] + p->a.w),
                           0.5f * half[k],
                           weft_rng_float(rng, 0, 0.25f),
                           weft_rng_float(rng, 0, 1)};
    float step = sign * steps[weft_rng_u32(rng) % (sizeof steps / sizeof *steps)];
    x = weft_v3_add(x, weft_v3_scale(exact_xyz(axes[k]), step));
  }
  return exact_snap3(x);
}

/* A particle near a lone shape: slow, still, or on its way from one such place to another, which
 * runs through centres, along faces and edges, through corners and past them. */
static void place_near(const weft_collider_pose *p, weft_rng *rng, vec4 *x, vec4 *x_prev) {
  *x = exact_vec4(place(p, rng), x->w);
  weft_vec3 start = place(p, rng);
  switch (weft_rng_u32(rng) % 4) {
    case 0:
      *x_prev = weft_kernel_nearby(rng, *x);
      break;
    case 1: /* carried along with the shape: no move in its frame */
      *x_prev = exact_vec4(exact_snap3(weft_v3_sub(exact_xyz(*x), exact_xyz(p->move_a))), x->w);
      break;
    default:
      *x_prev = exact_vec4(start, x->w);
      break;
  }
}

/* Of three substeps, and as the frame begins. */
static const weft_collider_pose *fill_poses(weft_rng *rng, weft_contents *contents) {
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->collider_count = COLLIDERS;
  u->poses_before = 3 * COLLIDERS;
  weft_collider_pose *poses = weft_contents_set(contents, WEFT_BUFFER_COLLIDERS, 4 * COLLIDERS);
  for (uint32_t s = 0; s < 4; ++s) {
    fill_cluster(rng, poses + s * COLLIDERS);
    fill_lone(s, poses + s * COLLIDERS + CLUSTER);
  }
  return poses;
}

void weft_kernel_move_shapes(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  enum { OTHERS = 2 }; /* particles of cloth and bodies */
  weft_kernel_particles p = weft_kernel_fill_particles(c, rng, contents);
  weft_shape_path *paths = weft_contents_set(contents, WEFT_BUFFER_SHAPE_PATHS, p.count - OTHERS);
  weft_uniforms *u = contents->buffers[WEFT_BUFFER_UNIFORMS].data;
  u->self_escape = c->pass.count % 4 == 1 ? 0 : 0.3f; /* in substep 0 as well */
  u->shape_first = OTHERS;
  fill_poses(rng, contents);
  for (uint32_t i = OTHERS; i < p.count; ++i) {
    weft_shape_path *path = &paths[i - OTHERS];
    p.x[i] = weft_kernel_vector(rng, 0);
    p.x_prev[i] = weft_kernel_unwritten();
    path->from = weft_kernel_vector(rng, weft_rng_float(rng, 0, 1));
    path->to = i % 4 ? path->from : weft_kernel_vector(rng, weft_rng_float(rng, 0, 1));
    path->collider = i / 8 % COLLIDERS;
    path->stays = i / 8 % 16 == 5; /* all of a shape */
  }
}

void weft_kernel_collide(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  const weft_collider_pose *now = fill_poses(rng, contents) + c->substep * COLLIDERS;
  uint32_t n = weft_kernel_elements(c);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, n);
  vec4 *x_prev = weft_contents_set(contents, WEFT_BUFFER_X_PREV, n);
  for (uint32_t i = 0; i < n; ++i) {
    if (i >= n - WEFT_KERNEL_PAD) { /* inside a ball: a pass that works on it moves it */
      x[i] = x_prev[i] = (vec4){now[1].a.x + 0.1f, now[1].a.y, now[1].a.z, 1};
      continue;
    }
    float w = weft_kernel_inverse_mass(rng);
    x[i] = weft_kernel_vector(rng, w);
    x_prev[i] = weft_kernel_nearby(rng, x[i]);
    if (i % 8 == 0) x_prev[i] = x[i]; /* one that has not slid */
    if (i % 8 == 1) x_prev[i] = weft_kernel_vector(rng, w);
    if (i % 2 == 0) continue;
    if (i % 8 != 1) place_near(&now[i / 8 % COLLIDERS], rng, &x[i], &x_prev[i]);
  }
}
