/* Normals computed on the GPU against what geometry says they are. */
#include "cmocka_all.h"
#include "render_internal.h"
#include "render_test.h"
#include "vec3d.h"

/* A ball of radius 1 by latitude and longitude, without seam or repeated poles. */
static weft_mesh ball(uint32_t rings, uint32_t segments) {
  weft_mesh mesh = {.vertex_count = 2 + rings * segments, .triangle_count = 2 * segments * rings};
  mesh.positions = weft_alloc(mesh.vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(mesh.triangle_count, 3 * sizeof *mesh.triangles);
  uint32_t south = mesh.vertex_count - 1, *t = mesh.triangles;
  mesh.positions[0] = weft_v3(0, 1, 0);
  mesh.positions[south] = weft_v3(0, -1, 0);
  for (uint32_t r = 0; r < rings; ++r) {
    for (uint32_t s = 0; s < segments; ++s) {
      double polar = 3.14159265358979 * (r + 1) / (rings + 1),
             turn = 6.28318530717959 * s / segments;
      uint32_t here = 1 + r * segments + s, next = 1 + r * segments + (s + 1) % segments;
      mesh.positions[here] = weft_v3((float)(sin(polar) * sin(turn)), (float)cos(polar),
                                     (float)(sin(polar) * cos(turn)));
      uint32_t below = r + 1 < rings ? here + segments : south;
      /* up from this ring's edge to the ring above, and down from it to the one below */
      const uint32_t pair[] = {r ? next - segments : 0, here, next, here, below, next};
      for (int k = 0; k < 6; ++k) *t++ = pair[k];
    }
  }
  return mesh;
}

static vec4 *normals_of(stage *s) {
  stage_draw(s);
  vec4 *normals = weft_alloc(s->mesh.vertex_count, sizeof *normals);
  weft_gl_buffer_read(weft_renderer_normals(s->renderer), 0, s->mesh.vertex_count * sizeof *normals,
                      normals);
  return normals;
}

static void normals_of_a_ball_point_outwards(void **state) {
  (void)state;
  stage s;
  stage_open(&s, ball(63, 128), (weft_renderer_desc){.width = 8, .height = 8, .samples = 1});
  vec4 *normals = normals_of(&s);
  double worst = 0;
  for (uint32_t i = 0; i < s.mesh.vertex_count; ++i) {
    weft_vec3 normal = {normals[i].x, normals[i].y, normals[i].z};
    double cosine = weft_v3d_dot(weft_v3d_from(normal), weft_v3d_from(s.mesh.positions[i]));
    worst = fmax(worst, acos(fmin(cosine, 1)));
    assert_true(normals[i].w == 0);
  }
  assert_true(worst < 0.03); /* half an edge is 0.025 of the radius */
  weft_free(normals);
  stage_close(&s);
}

/* A fan of one large and one small triangle at a common vertex: the mean normal leans to the large
 * one in the ratio of the areas. */
static void large_triangles_weigh_more(void **state) {
  (void)state;
  static const weft_vec3 positions[] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 1}};
  static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
  weft_mesh mesh = {.vertex_count = 4, .triangle_count = 2};
  mesh.positions = weft_alloc(4, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(6, sizeof *mesh.triangles);
  memcpy(mesh.positions, positions, sizeof positions);
  memcpy(mesh.triangles, triangles, sizeof triangles);
  stage s;
  stage_open(&s, mesh, (weft_renderer_desc){.width = 8, .height = 8, .samples = 1});
  vec4 *n = normals_of(&s);
  double length = sqrt(9 * 9 + 3 * 3); /* 2*area: 9 along z, 3 along x */
  for (int i = 0; i < 3; i += 2) {
    assert_true(fabs(n[i].x - 3 / length) < 1e-6 && fabs(n[i].z - 9 / length) < 1e-6);
  }
  assert_true(fabs(n[1].z - 1) < 1e-6 && fabs(n[3].x - 1) < 1e-6);
  weft_free(n);
  stage_close(&s);
}

static void a_vertex_without_area_gets_some_normal(void **state) {
  (void)state;
  weft_mesh mesh = test_sheet(3, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0});
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) mesh.positions[i] = weft_v3(0, 0, 0);
  stage s;
  stage_open(&s, mesh, (weft_renderer_desc){.width = 8, .height = 8, .samples = 1});
  vec4 *n = normals_of(&s);
  for (uint32_t i = 0; i < s.mesh.vertex_count; ++i) assert_true(n[i].y == 1);
  weft_free(n);
  stage_close(&s);
}

/* Particle counts around the size of a work group. */
static void every_particle_gets_its_normal(void **state) {
  (void)state;
  const uint32_t sides[] = {2, 7, 8, 9, 33};
  for (int k = 0; k < 5; ++k) {
    stage s;
    stage_open(&s, test_sheet(sides[k], 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0}),
               (weft_renderer_desc){.width = 8, .height = 8, .samples = 1});
    vec4 *n = normals_of(&s);
    for (uint32_t i = 0; i < s.mesh.vertex_count; ++i) assert_true(fabs(n[i].z - 1) < 1e-6);
    assert_true(weft_gl_buffer_guards_intact(&s.positions));
    weft_free(n);
    stage_close(&s);
  }
}

/* The shader told to stop before the end of its buffers: the rows behind keep what was there. */
static void no_normal_is_written_past_the_count(void **state) {
  (void)state;
  const uint32_t counts[] = {0, 1, 63, 64, 65, 127};
  weft_mesh mesh = test_sheet(12, 1, WEFT_PLANE_XY, (weft_vec3){0, 0, 0});
  stage s;
  stage_open(&s, mesh, (weft_renderer_desc){.width = 8, .height = 8, .samples = 1});
  const weft_renderer_desc desc = {.particle_count = s.mesh.vertex_count,
                                   .triangle_count = s.mesh.triangle_count,
                                   .triangles = s.mesh.triangles,
                                   .rest_positions = s.mesh.positions};
  weft_render_cloth cloth = {0};
  assert_int_equal(weft_cloth_create(test_gl, &desc, &cloth, NULL), WEFT_OK);
  uint64_t bytes = s.mesh.vertex_count * sizeof(vec4);
  vec4 *rows = weft_alloc(s.mesh.vertex_count, sizeof *rows);
  for (int k = 0; k < 6; ++k) {
    for (uint32_t i = 0; i < s.mesh.vertex_count; ++i) rows[i] = (vec4){7, 7, 7, 7};
    weft_gl_buffer_write(&cloth.normals, 0, bytes, rows);
    cloth.particle_count = counts[k];
    weft_cloth_normals(test_gl, &cloth, &s.picture.positions);
    weft_gl_buffer_read(&cloth.normals, 0, bytes, rows);
    for (uint32_t i = 0; i < s.mesh.vertex_count; ++i) {
      if (i < counts[k] ? rows[i].w == 0 : rows[i].w == 7) continue;
      fail_msg("count %u: row %u is %s", counts[k], i, i < counts[k] ? "missing" : "overwritten");
    }
  }
  weft_free(rows);
  weft_cloth_destroy(&cloth);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normals_of_a_ball_point_outwards),
      cmocka_unit_test(large_triangles_weigh_more),
      cmocka_unit_test(a_vertex_without_area_gets_some_normal),
      cmocka_unit_test(every_particle_gets_its_normal),
      cmocka_unit_test(the_driver_had_nothing_to_complain_about),
      /* Last: it writes into a buffer that drivers remark is meant to stay as it is. */
      cmocka_unit_test(no_normal_is_written_past_the_count),
  };
  return RIG_RUN_ON_GL(tests, NULL, NULL);
}
