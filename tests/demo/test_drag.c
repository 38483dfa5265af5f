/* A collider dragged in the window: met where it is seen, moved no faster than a hand, drawn where
 * the solver has it, part of what is validated, and back in its place after a reset. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo_host.h"
/* after cmocka */
#include "orbit.h"
#include "ray_cast.h"
#include "solver.h"
#include "vec3d.h"

/* ---- rays ---- */

/* How far outside the shape a point is, at a guess that is never too large. */
static double outside(const weft_collider *c, weft_vec3d p) {
  weft_vec3d a = weft_v3d_from(c->a), d = weft_v3d_sub(p, a);
  if (c->shape == WEFT_COLLIDER_BOX) { /* turned by `rotation` about y */
    double s = sin((double)c->rotation.y), k = cos((double)c->rotation.y);
    double x = fabs(k * d.x - s * d.z) - (double)c->half_size.x;
    double z = fabs(s * d.x + k * d.z) - (double)c->half_size.z;
    double y = fabs(d.y) - (double)c->half_size.y;
    return fmax(x, fmax(y, z));
  }
  weft_vec3d axis = {0, 0, 0};
  if (c->shape == WEFT_COLLIDER_CAPSULE) axis = weft_v3d_sub(weft_v3d_from(c->b), a);
  double length2 = weft_v3d_dot(axis, axis);
  double t = length2 > 0 ? fmin(fmax(weft_v3d_dot(d, axis) / length2, 0), 1) : 0;
  return weft_v3d_length(weft_v3d_add_scaled(d, -t, axis)) - (double)c->radius;
}

/* Walks along the ray by what is certainly free. */
static double marched(const weft_collider *c, const weft_ray *ray) {
  weft_vec3d d = weft_v3d_from(ray->direction);
  double size = weft_v3d_length(d);
  for (double t = 0; t < 20;) {
    double free = outside(c, weft_v3d_add_scaled(weft_v3d_from(ray->origin), t / size, d));
    if (free < 1e-6) return t;
    t += free;
  }
  return -1;
}

static float dice(void) { return (float)rand() / (float)RAND_MAX * 2 - 1; }

static void rays_meet_shapes_where_a_march_along_them_does(void **state) {
  (void)state;
  srand(7);
  int met = 0, all = 0;
  for (int k = 0; k < 3000; ++k) {
    weft_collider c = {.shape = (weft_collider_shape)(1 + k % 3),
                       .a = {dice(), dice(), dice()},
                       .b = {dice(), dice(), dice()},
                       .rotation = {0, 3 * dice(), 0},
                       .radius = 0.2f + 0.15f * dice(),
                       .half_size = {0.3f + 0.2f * dice(), 0.4f, 0.3f + 0.2f * dice()}};
    weft_ray ray = {.origin = {4 * dice(), 4 * dice(), 5}};
    ray.direction = (weft_vec3){c.a.x + 0.7f * dice() - ray.origin.x,
                                c.a.y + 0.7f * dice() - ray.origin.y, c.a.z - ray.origin.z};
    if (c.shape == WEFT_COLLIDER_CAPSULE) c.radius *= 1.5f;
    double wanted = marched(&c, &ray), found = (double)weft_demo_ray_cast(&c, 0, &ray);
    bool grazing = false; /* rounding may decide */
    for (int s = -1; s <= 1; s += 2) {
      weft_collider other = c;
      other.radius *= 1 + 1e-3f * (float)s;
      other.half_size.x *= 1 + 1e-3f * (float)s;
      other.half_size.y *= 1 + 1e-3f * (float)s;
      other.half_size.z *= 1 + 1e-3f * (float)s;
      grazing |= (marched(&other, &ray) < 0) != (wanted < 0);
    }
    if (grazing) continue;
    all++;
    met += wanted >= 0;
    if ((wanted < 0) != (found < 0) || (wanted >= 0 && fabs(wanted - found) > 2e-4)) {
      fail_msg("shape %d, ray %d: met at %.6g, found %.6g", (int)c.shape, k, wanted, found);
    }
  }
  assert_in_range(met, all / 5, all - all / 5);
  weft_collider plane = {.shape = WEFT_COLLIDER_PLANE, .b = {0, 1, 0}};
  weft_ray down = {.origin = {0, 1, 0}, .direction = {0, -1, 0}};
  assert_true(weft_demo_ray_cast(&plane, 0, &down) < 0);
}

/* ---- dragging ---- */

static weft_demo_shape collider(uint32_t index) {
  return (weft_demo_shape){WEFT_DEMO_COLLIDER, index};
}

static void it_goes_to_where_it_is_wanted_at_a_bounded_speed(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_session(&host, "drape", &session);
  float way;
  weft_camera camera = camera_of(&session);
  weft_vec3 low = {0, 0.2f, 0}; /* seen under the edge of the cloth */
  weft_vec3 eye = weft_demo_ray(&camera, 120, 100, 240, 200).origin;
  weft_ray ray = {.origin = eye, .direction = {low.x - eye.x, low.y - eye.y, low.z - eye.z}};
  weft_demo_shape shape = cast(&session, &ray, &way);
  assert_int_equal(shape.kind, WEFT_DEMO_COLLIDER);
  uint32_t ball = shape.index;
  assert_int_equal(weft_solver_params(session.solver)->colliders[ball].shape, WEFT_COLLIDER_SPHERE);
  weft_demo_session_drag(&session, shape);
  weft_demo_session_drag_to(&session, weft_v3(0.12f, 0, 0));
  const float at[] = {0.05f, 0.10f, 0.12f, 0.12f};
  for (int f = 0; f < 4; ++f) {
    step(&session, 1);
    assert_true(fabsf(offset_of(&session, ball).x - at[f]) < 1e-6f);
  }
  weft_demo_session_drag_to(&session, weft_v3(0, 0, 300));
  weft_metrics metrics;
  for (int f = 0; f < 60; ++f) {
    step(&session, 1);
    assert_int_equal(weft_solver_metrics(session.solver, &metrics, NULL), WEFT_OK);
    assert_int_equal(metrics.nonfinite, 0);
    /* Thrown at 3 m/s and fallen for a second. */
    if (metrics.max_speed > 3 + 9.81 + 1) fail_msg("cloth flies at %.3g m/s", metrics.max_speed);
  }
  weft_demo_session_let_go(&session);
  float there = offset_of(&session, ball).z;
  step(&session, 2);
  assert_true(offset_of(&session, ball).z == there);
  assert_int_equal(weft_demo_session_reset(&session, NULL), WEFT_OK);
  assert_true(offset_of(&session, ball).z == 0 && offset_of(&session, ball).x == 0);
  weft_demo_session_close(&session);
}

/* Through the frames at which states are kept, and with another collider taken on the way. */
static void what_was_dragged_is_replayed_bit_for_bit(void **state) {
  (void)state;
  static const char *const scenes[] = {"drape", "tumble"};
  for (int k = 0; k < 2; ++k) {
    weft_demo_host host;
    weft_demo_session session;
    open_session(&host, scenes[k], &session);
    uint32_t last = weft_solver_params(session.solver)->collider_count - 1, f = 0;
    step(&session, 20);
    for (; f < 23; ++f) {
      if (f == 3) weft_demo_session_drag(&session, collider(last));
      if (f == 14) weft_demo_session_let_go(&session);
      if (f == 18) weft_demo_session_drag(&session, collider(last > 1 ? last - 1 : last));
      if (f >= 3) {
        weft_demo_session_drag_to(&session, weft_v3(0.02f * (float)f, 0.3f, -0.01f * (float)f));
      }
      step(&session, 1);
      if (f % 5 == 2) expect_equal(&session, scenes[k]);
    }
    weft_demo_session_close(&session);
  }
}

/* ---- what is seen ---- */

/* As if the scene had put it there. */
static void it_is_drawn_where_the_solver_has_it(void **state) {
  (void)state;
  weft_demo_host host;
  weft_demo_session session;
  open_session(&host, "drape", &session);
  uint32_t ball = weft_solver_params(session.solver)->collider_count - 1;
  weft_image before = draw(&session);
  weft_demo_session_drag(&session, collider(ball));
  weft_demo_session_drag_to(&session, weft_v3(0.04f, -0.02f, 0.02f));
  step(&session, 1);
  weft_image dragged = draw(&session);
  weft_collider *put = &session.solver->colliders[ball];
  put->a = weft_v3(put->a.x + put->offset.x, put->a.y + put->offset.y, put->a.z + put->offset.z);
  put->offset = weft_v3(0, 0, 0);
  weft_image as_if = draw(&session);
  put->a = session.scene.colliders[ball].a;
  weft_image home = draw(&session); /* cloth of now, ball of then */
  size_t bytes = (size_t)3 * before.width * before.height;
  assert_memory_equal(dragged.pixels, as_if.pixels, bytes);
  assert_true(differing(&dragged, &home) > 300);
  weft_free(before.pixels);
  weft_free(dragged.pixels);
  weft_free(as_if.pixels);
  weft_free(home.pixels);
  weft_demo_session_close(&session);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_meet_shapes_where_a_march_along_them_does),
      cmocka_unit_test(it_goes_to_where_it_is_wanted_at_a_bounded_speed),
      cmocka_unit_test(what_was_dragged_is_replayed_bit_for_bit),
      cmocka_unit_test(it_is_drawn_where_the_solver_has_it),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
