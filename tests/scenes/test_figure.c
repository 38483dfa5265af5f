/* The figure: a closed mesh of a woman's size on her feet, within the capsules that cloth collides
 * with, and a walk that neither leaves the floor, nor runs, nor cuts the body. */
#include <weft/solver.h>

#include "base.h"
#include "cmocka_all.h"
#include "figure_internal.h"
#include "intersections.h"

static const double thickness = 0.004; /* of the cloth of garments, m */
static const double stride = 1.1, frame = 1 / 60.0;

static void it_is_one_closed_mesh_of_a_womans_size(void **state) {
  (void)state;
  weft_figure *figure = weft_figure_create();
  const weft_mesh *mesh = weft_figure_mesh(figure);
  weft_mesh_report r;
  weft_mesh_inspect(mesh, &r);
  assert_int_equal(r.boundary_edges + r.nonmanifold_edges + r.flipped_edges, 0);
  assert_int_equal(r.zero_area_triangles, 0);
  assert_int_equal(r.components, 1);
  assert_int_equal((int)r.vertex_count - (int)r.edge_count + (int)r.triangle_count, 2);
  assert_true(r.triangle_count > 10000 && r.triangle_count < 30000);
  assert_true(r.smallest_angle > 15);
  assert_true(fabs((double)r.box_max.y - 1.7) < 0.01);            /* stature */
  assert_true(fabs((double)r.box_min.y) < 0.005);                 /* on her feet */
  assert_true(fabs((double)(r.box_min.x + r.box_max.x)) < 0.002); /* alike on both sides */
  assert_true(r.area > 1.4 && r.area < 1.7);                      /* m^2 */
  weft_intersections found;
  assert_int_equal(weft_count_intersections(mesh->positions, mesh->vertex_count, mesh->triangles,
                                            mesh->triangle_count, NULL, &found, NULL),
                   WEFT_OK);
  assert_int_equal(found.triangle_pairs, 0);
  weft_figure_destroy(figure);
}

static void its_mesh_is_that_of_its_shape_in_every_bit(void **state) {
  (void)state;
  weft_figure *figure = weft_figure_create();
  const weft_mesh *mesh = weft_figure_mesh(figure);
  weft_mesh shape = {0};
  assert_int_equal(weft_figure_shape(&shape, NULL), WEFT_OK);
  assert_int_equal(mesh->vertex_count, shape.vertex_count);
  assert_int_equal(mesh->triangle_count, shape.triangle_count);
  assert_memory_equal(mesh->positions, shape.positions,
                      shape.vertex_count * sizeof *shape.positions);
  assert_memory_equal(mesh->triangles, shape.triangles,
                      3 * (size_t)shape.triangle_count * sizeof *shape.triangles);
  weft_mesh_free(&shape);
  weft_figure_destroy(figure);
}

/* ---- capsules ---- */

static double off_capsule(const weft_figure_capsule *c, weft_vec3d p) {
  weft_vec3d a = weft_v3d_from(c->a), along = weft_v3d_sub(weft_v3d_from(c->b), a);
  double t = weft_v3d_dot(weft_v3d_sub(p, a), along) / weft_v3d_dot(along, along);
  t = fmin(fmax(t, 0), 1);
  return weft_v3d_distance(p, weft_v3d_add_scaled(a, t, along)) - (double)c->radius;
}

/* Of a pose, how far out of the nearest capsule: at most, and on the mean. */
static void find_out(const weft_figure *figure, const weft_pose *pose, double *most, double *mean) {
  const weft_mesh *mesh = weft_figure_mesh(figure);
  weft_vec3 *x = weft_alloc(mesh->vertex_count, sizeof *x);
  weft_figure_capsule capsules[WEFT_MAX_COLLIDERS];
  uint32_t count = 0;
  weft_bone_frames frames;
  weft_pose_frames(pose, &frames);
  weft_figure_posed(figure, pose, NULL, x);
  for (; weft_figure_capsule_at(count, &capsules[count]); ++count) {
    weft_figure_capsule *c = &capsules[count];
    c->a = weft_pose_point(&frames, c->bone, c->a);
    c->b = weft_pose_point(&frames, c->bone, c->b);
  }
  *most = -1, *mean = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    double out = 1;
    for (uint32_t k = 0; k < count; ++k) {
      out = fmin(out, off_capsule(&capsules[k], weft_v3d_from(x[v])));
    }
    *most = fmax(*most, out);
    *mean += out / mesh->vertex_count;
  }
  weft_free(x);
}

static void its_skin_lies_within_what_cloth_collides_with(void **state) {
  (void)state;
  weft_figure *figure = weft_figure_create();
  double most, mean;
  find_out(figure, &(weft_pose){0}, &most, &mean);
  print_message("%.2f mm out of the capsules at most, %.2f on the mean\n", 1e3 * most, 1e3 * mean);
  assert_true(most < thickness);
  assert_true(mean < 0 && mean > -0.006); /* and not far within */
  weft_figure_destroy(figure);
}

/* ---- walk ---- */

static void walk_to(const weft_figure *figure, double time, weft_vec3 *positions) {
  const weft_pose pose = weft_figure_walk(time);
  weft_figure_posed(figure, &pose, NULL, positions);
}

static void no_limb_cuts_another_or_the_trunk(void **state) {
  (void)state;
  weft_figure *figure = weft_figure_create();
  const weft_mesh *mesh = weft_figure_mesh(figure);
  weft_vec3 *x = weft_alloc(mesh->vertex_count, sizeof *x);
  for (double t = 0; t < 0.5 + stride; t += 2 * frame) {
    weft_intersections found;
    walk_to(figure, t, x);
    assert_int_equal(weft_count_intersections(x, mesh->vertex_count, mesh->triangles,
                                              mesh->triangle_count, NULL, &found, NULL),
                     WEFT_OK);
    if (found.triangle_pairs) fail_msg("%u triangles cut at %.3f s", found.triangles, t);
  }
  weft_free(x);
  weft_figure_destroy(figure);
}

static void it_walks_on_the_floor_no_faster_than_it_may(void **state) {
  (void)state;
  weft_figure *figure = weft_figure_create();
  const weft_mesh *mesh = weft_figure_mesh(figure);
  weft_vec3 *x = weft_alloc(mesh->vertex_count, sizeof *x);
  weft_vec3 *last = weft_alloc(mesh->vertex_count, sizeof *last);
  double fastest = 0, furthest = 0;
  walk_to(figure, 0, last);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    assert_true(weft_v3_distance(last[v], mesh->positions[v]) < 0.002); /* eased in from standing */
  }
  for (int f = 1; f < 120; ++f) {
    double lowest = 1;
    walk_to(figure, f * frame, x);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
      fastest = fmax(fastest, weft_v3_distance(x[v], last[v]) / frame);
      furthest = fmax(furthest, weft_v3_distance(x[v], mesh->positions[v]));
      lowest = fmin(lowest, (double)x[v].y);
      last[v] = x[v];
    }
    assert_true(lowest > -0.002 && lowest < 0.01);
  }
  print_message("fastest %.2f m/s, furthest %.2f m\n", fastest, furthest);
  assert_true(fastest > 1.5 && fastest < 5);
  assert_true(furthest > 0.3); /* it does walk */
  walk_to(figure, 1, x);
  walk_to(figure, 1 + stride, last);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    assert_true(weft_v3_distance(x[v], last[v]) < 1e-5); /* a cycle */
  }
  weft_free(x);
  weft_free(last);
  weft_figure_destroy(figure);
}

/* ---- bones ---- */

static void left_and_right_are_mirrored(void **state) {
  (void)state;
  weft_figure *figure = weft_figure_create();
  const weft_mesh *mesh = weft_figure_mesh(figure);
  weft_vec3 *x = weft_alloc(mesh->vertex_count, sizeof *x);
  double forward[2] = {0, 0};
  for (int right = 0; right < 2; ++right) {
    weft_pose pose = {0};
    pose.swing[WEFT_BONE_THIGH + right] = 0.5f;
    weft_figure_posed(figure, &pose, NULL, x);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
      weft_vec3 rest = mesh->positions[v];
      double moved = weft_v3_distance(x[v], rest);
      bool side = right ? rest.x < 0 : rest.x > 0;
      if (rest.y > 1.1f || (rest.y < 0.7f && !side)) assert_true(moved < 1e-6);
      if (rest.y < 0.7f && side) forward[right] = fmax(forward[right], (double)(x[v].z - rest.z));
    }
  }
  assert_true(forward[0] > 0.4 && fabs(forward[0] - forward[1]) < 0.005);
  weft_free(x);
  weft_figure_destroy(figure);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_one_closed_mesh_of_a_womans_size),
      cmocka_unit_test(its_mesh_is_that_of_its_shape_in_every_bit),
      cmocka_unit_test(its_skin_lies_within_what_cloth_collides_with),
      cmocka_unit_test(no_limb_cuts_another_or_the_trunk),
      cmocka_unit_test(it_walks_on_the_floor_no_faster_than_it_may),
      cmocka_unit_test(left_and_right_are_mirrored),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
