/* The scenes with a body of triangles: the hand and the figure are sound meshes, nothing passes
 * through anything in any frame, and each does what its name says. */
#include <math.h>

#include "base.h"
#include "rig_scene.h"
/* after cmocka */
#include "figure.h"
#include "intersections.h"
#include "vec3d.h"

static void open_scene(const char *name, uint32_t size, weft_scene_instance *scene,
                       weft_solver **solver) {
  *scene = rig_scene(name, size);
  *solver = rig_solver(scene->model, &scene->params, weft_backend_cpu(1));
}

static void close_scene(weft_scene_instance *scene, weft_solver *solver) {
  weft_solver_destroy(solver);
  weft_scene_free(scene);
}

/* Cloth, then its body. */
static weft_vec3 *positions_of(const weft_scene_instance *scene, weft_solver *solver) {
  uint32_t n = scene->mesh.vertex_count, m = scene->bodies[0].mesh->vertex_count;
  weft_vec3 *x = weft_alloc((size_t)n + m, sizeof *x);
  assert_int_equal(weft_solver_read(solver, x, NULL, NULL), WEFT_OK);
  assert_int_equal(weft_solver_read_body(solver, 0, x + n, NULL), WEFT_OK);
  return x;
}

static void expect_clear(const weft_scene_instance *scene, weft_solver *solver) {
  const weft_mesh *cloth = &scene->mesh, *body = scene->bodies[0].mesh;
  uint32_t corners = 3 * cloth->triangle_count, more = 3 * body->triangle_count;
  uint32_t *triangles = weft_alloc((size_t)corners + more, sizeof *triangles);
  weft_vec3 *x = positions_of(scene, solver);
  for (uint32_t k = 0; k < corners; ++k) triangles[k] = cloth->triangles[k];
  for (uint32_t k = 0; k < more; ++k) {
    triangles[corners + k] = body->triangles[k] + cloth->vertex_count;
  }
  weft_intersections found[2];
  assert_int_equal(
      weft_count_intersections_with(x, cloth->vertex_count + body->vertex_count, triangles,
                                    cloth->triangle_count + body->triangle_count,
                                    cloth->triangle_count, NULL, found, NULL),
      WEFT_OK);
  if (found[0].triangle_pairs || found[1].triangle_pairs) {
    fail_msg("%s, frame %d: %d pairs of the cloth, %d with the body", scene->name,
             (int)weft_solver_frame(solver), (int)found[0].triangle_pairs,
             (int)found[1].triangle_pairs);
  }
  weft_free(triangles);
  weft_free(x);
}

static void run_clear(weft_scene_instance *scene, weft_solver *solver, uint32_t frames) {
  expect_clear(scene, solver);
  for (uint32_t f = 0; f < frames; ++f) {
    rig_scene_step(scene, solver, 1);
    expect_clear(scene, solver);
  }
}

/* ---- handkerchief ---- */

static void the_hand_is_closed_and_hollow(void **state) {
  (void)state;
  weft_scene_instance scene = rig_scene("handkerchief", 8);
  const weft_mesh *hand = scene.bodies[0].mesh;
  weft_mesh_report r;
  weft_intersections found;
  weft_mesh_inspect(hand, &r);
  assert_int_equal(r.boundary_edges + r.nonmanifold_edges + r.flipped_edges, 0);
  assert_int_equal(r.components, 1);
  assert_int_equal((int)r.vertex_count - (int)r.edge_count + (int)r.triangle_count, 2);
  assert_int_equal(weft_count_intersections(hand->positions, hand->vertex_count, hand->triangles,
                                            hand->triangle_count, NULL, &found, NULL),
                   WEFT_OK);
  assert_int_equal(found.triangle_pairs, 0);
  /* Seen from above, the middle of the palm lies below the fingertips, the thumb and the wrist. */
  float palm = 0, tips = 0, thumb = 0;
  for (uint32_t v = 0; v < hand->vertex_count; ++v) {
    weft_vec3 p = hand->positions[v];
    if (fabsf(p.x) < 0.02f && fabsf(p.z - 0.02f) < 0.01f) palm = fmaxf(palm, p.y);
    if (p.z > 0.085f) tips = fmaxf(tips, p.y);
    if (p.x > 0.06f) thumb = fmaxf(thumb, p.y);
  }
  assert_true(palm > 0.28f && palm < 0.32f);
  assert_true(tips > palm + 0.05f && thumb > palm + 0.03f);
  weft_scene_free(&scene);
}

static void the_handkerchief_comes_to_lie_on_the_hand(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  weft_metrics m;
  open_scene("handkerchief", 20, &scene, &solver);
  run_clear(&scene, solver, 90);
  assert_int_equal(weft_solver_metrics(solver, &m, NULL), WEFT_OK);
  assert_true(m.box_min.y > 0.15f && m.box_max.y < 0.40f); /* not on the ground, not in the air */
  assert_true(m.box_min.y < 0.28f);                        /* it hangs over */
  assert_true(m.max_speed < 1);
  close_scene(&scene, solver);
}

/* ---- walk ---- */

static uint32_t nearest_of(const weft_vec3 *x, uint32_t count, weft_vec3 p) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; ++i) {
    if (weft_v3_distance(x[i], p) < weft_v3_distance(x[best], p)) best = i;
  }
  return best;
}

/* Each pin has gone about as far as the vertex of the skin that it began nearest to. */
static void expect_waist_goes_along(const weft_scene_instance *scene, weft_solver *solver,
                                    double *farthest) {
  const weft_mesh *skin = scene->bodies[0].mesh;
  const weft_vec3 *rest = weft_model_rest_positions(scene->model);
  uint32_t n = scene->mesh.vertex_count;
  weft_vec3 *x = positions_of(scene, solver);
  for (uint32_t i = 0; i < n; ++i) {
    if (weft_model_inverse_masses(scene->model)[i] > 0) continue;
    uint32_t v = nearest_of(skin->positions, skin->vertex_count, rest[i]);
    weft_vec3 way = weft_v3_sub(x[i], rest[i]), of_skin = weft_v3_sub(x[n + v], skin->positions[v]);
    assert_true(weft_v3_length(weft_v3_sub(way, of_skin)) < 0.004f);
    *farthest = fmax(*farthest, (double)weft_v3_length(way));
  }
  weft_free(x);
}

static void the_waist_goes_with_the_hips_and_legs_stay_under_the_skirt(void **state) {
  (void)state;
  weft_scene_instance scene;
  weft_solver *solver;
  double farthest = 0;
  open_scene("walk", 20, &scene, &solver);
  const weft_mesh *skin = scene.bodies[0].mesh;
  assert_true(weft_scene_body_moves(&scene.body_sources[0]));
  for (int stride = 0; stride < 10; ++stride) {
    run_clear(&scene, solver, 10);
    expect_waist_goes_along(&scene, solver, &farthest);
  }
  assert_true(farthest > 0.01 && farthest < 0.1); /* hips turn, sway and sink */
  /* Feet go further than that, and no vertex was held back. */
  weft_vec3 *x = positions_of(&scene, solver);
  weft_vec3 *wanted = weft_alloc(skin->vertex_count, sizeof *wanted);
  const weft_pose pose = weft_figure_walk(weft_solver_time(solver));
  weft_figure_posed(scene.body_sources[0].figure, &pose, NULL, wanted);
  double gone = 0, off = 0;
  for (uint32_t v = 0; v < skin->vertex_count; ++v) {
    gone = fmax(gone, weft_v3_distance(wanted[v], skin->positions[v]));
    off = fmax(off, weft_v3_distance(x[scene.mesh.vertex_count + v], wanted[v]));
  }
  assert_true(gone > 0.2 && off < 1e-5);
  weft_free(wanted);
  weft_free(x);
  close_scene(&scene, solver);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hand_is_closed_and_hollow),
      cmocka_unit_test(the_handkerchief_comes_to_lie_on_the_hand),
      cmocka_unit_test(the_waist_goes_with_the_hips_and_legs_stay_under_the_skirt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
