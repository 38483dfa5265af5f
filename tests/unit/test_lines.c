/* Lines of stretch constraints: that they are lines, that they hold what they should, and that what
 * they do not hold stays with the sweep. */
#include "rig.h"

#include "lines.h"
#include "test_model_meshes.h"

static weft_model *preprocess(const weft_mesh *mesh, const weft_pin *pin) {
  weft_model_desc desc = {.mesh = mesh, .pins = pin, .pin_count = pin ? 1 : 0};
  return rig_preprocess(&desc);
}

/* Edges go on where the last one ended, no particle comes twice, no two lines of a colour meet,
 * every edge is the constraint it says it is, and none comes twice. */
static void check(const weft_model *model, const weft_lines *lines) {
  uint32_t *met = weft_alloc(model->particle_count, sizeof *met);
  uint32_t *colour_of = weft_alloc(model->particle_count, sizeof *colour_of);
  unsigned char *held = weft_alloc(model->groups[0].count, 1);
  assert_int_equal(lines->offsets[lines->line_count], lines->edge_count);
  assert_int_equal(lines->colour_first[lines->colour_count], lines->line_count);
  for (uint32_t c = 0; c < lines->colour_count; ++c) {
    for (uint32_t l = lines->colour_first[c]; l < lines->colour_first[c + 1]; ++l) {
      uint32_t begin = lines->offsets[l], end = lines->offsets[l + 1];
      assert_true(end > begin && end - begin <= WEFT_LINE_MAX);
      for (uint32_t e = begin; e < end; ++e) {
        uint32_t a = lines->particles[2 * e], b = lines->particles[2 * e + 1];
        if (e > begin) assert_int_equal(a, lines->particles[2 * e - 1]);
        const uint32_t *pair =
            &model->groups[lines->groups[e]].particles[2 * lines->constraints[e]];
        assert_true((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a));
        assert_int_equal(lines->groups[e], 0);
        assert_false(held[lines->constraints[e]]);
        held[lines->constraints[e]] = 1;
        if (e == begin) {
          assert_int_not_equal(met[a], l + 1);
          assert_int_not_equal(colour_of[a], c + 1);
          met[a] = l + 1;
          colour_of[a] = c + 1;
        }
        assert_int_not_equal(met[b], l + 1);
        assert_int_not_equal(colour_of[b], c + 1);
        met[b] = l + 1;
        colour_of[b] = c + 1;
      }
    }
  }
  weft_free(met);
  weft_free(colour_of);
  weft_free(held);
}

static void a_grid_has_a_line_for_each_thread(void **state) {
  (void)state;
  static const uint32_t sizes[][2] = {{2, 2}, {2, 9}, {9, 3}, {17, 17}, {20, 33}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    uint32_t rows = sizes[s][0], columns = sizes[s][1];
    weft_mesh mesh = test_grid(rows, columns, WEFT_GRID_ALTERNATING, 0.1f, 0.1f);
    weft_model *model = preprocess(&mesh, NULL);
    weft_lines lines;
    weft_lines_build(model, &lines);
    check(model, &lines);
    assert_int_equal(lines.line_count, rows + columns);
    assert_int_equal(lines.colour_count, 2);
    assert_int_equal(lines.edge_count, rows * (columns - 1) + columns * (rows - 1));
    weft_lines_free(&lines);
    weft_model_destroy(model);
    test_mesh_free(&mesh);
  }
}

static void long_threads_come_in_pieces(void **state) {
  (void)state;
  weft_mesh mesh = test_grid(2, 2500, WEFT_GRID_SAME_DIAGONAL, 0.01f, 0.01f);
  weft_model *model = preprocess(&mesh, NULL);
  weft_lines lines;
  weft_lines_build(model, &lines);
  check(model, &lines);
  assert_int_equal(lines.edge_count, 2 * 2499 + 2500);
  assert_int_equal(lines.line_count, 2 * 3 + 2500);
  weft_lines_free(&lines);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

/* A tube of quads: hoops are rings, which are cut in two. */
static weft_mesh tube(uint32_t rings, uint32_t around) {
  weft_mesh m = {.vertex_count = rings * around};
  m.positions = weft_alloc(m.vertex_count, sizeof *m.positions);
  m.triangles = weft_alloc((size_t)6 * (rings - 1) * around, sizeof *m.triangles);
  for (uint32_t r = 0; r < rings; ++r) {
    for (uint32_t k = 0; k < around; ++k) {
      double angle = 6.283185307179586 * k / around;
      m.positions[r * around + k] = weft_v3((float)cos(angle), -0.2f * (float)r, (float)sin(angle));
      if (r + 1 == rings) continue;
      uint32_t a = r * around + k, b = r * around + (k + 1) % around;
      put_triangle(&m, a, b, b + around);
      put_triangle(&m, a, b + around, a + around);
    }
  }
  return m;
}

static void every_edge_of_a_tube_is_on_a_line(void **state) {
  (void)state;
  weft_mesh mesh = tube(12, 40);
  weft_model *model = preprocess(&mesh, NULL);
  weft_lines lines;
  weft_lines_build(model, &lines);
  check(model, &lines);
  assert_int_equal(lines.edge_count, model->groups[0].count);
  uint32_t shortest = UINT32_MAX, hoops = 0;
  for (uint32_t l = 0; l < lines.line_count; ++l) {
    uint32_t e = lines.offsets[l], length = lines.offsets[l + 1] - e;
    bool hoop = lines.particles[2 * e] / 40 == lines.particles[2 * e + 1] / 40;
    if (!hoop) continue;
    ++hoops;
    shortest = length < shortest ? length : shortest;
  }
  assert_int_equal(hoops, 2 * 12);
  assert_int_equal(shortest, 20);
  weft_lines_free(&lines);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

static uint32_t edges_on_lines(bool grid) {
  weft_mesh mesh = test_grid(6, 6, WEFT_GRID_SAME_DIAGONAL, 0.1f, 0.1f);
  if (!grid) mesh.grid_rows = mesh.grid_columns = 0;
  const weft_pin top = {.rule = WEFT_PIN_TOP};
  weft_model *model = preprocess(&mesh, &top);
  weft_constraint_group *stretch = &model->groups[0];
  uint32_t damped = 0;
  while (!weft_along_thread(model, stretch->particles[2 * damped],
                            stretch->particles[2 * damped + 1]) ||
         model->inverse_masses[stretch->particles[2 * damped]] == 0) {
    ++damped;
  }
  stretch->damping[damped] = 1;
  weft_lines lines;
  weft_lines_build(model, &lines);
  check(model, &lines);
  uint32_t count = lines.edge_count;
  weft_lines_free(&lines);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
  return count;
}

/* Bends of a grid reach over edges between pins, so these are on its lines. */
static void damped_edges_stay_out_and_those_between_pins_off_the_grid(void **state) {
  (void)state;
  assert_int_equal(edges_on_lines(true), 5 * 6 + 6 * 5 - 1);
  assert_int_equal(edges_on_lines(false), 5 * 5 + 6 * 5 + 5 * 5 - 1);
}

/* What a line solves no sweep projects again, and batches that are nothing but that are not run. */
static void the_sweep_leaves_out_what_lines_solve(void **state) {
  (void)state;
  weft_mesh mesh = test_grid(16, 16, WEFT_GRID_ALTERNATING, 0.05f, 0.05f);
  weft_model *model = preprocess(&mesh, NULL);
  weft_params params;
  weft_error err = {0};
  weft_contents contents;
  assert_int_equal(
      weft_params_resolve(&(weft_params){.plain = true, .line_sweeps = 3}, &params, &err), WEFT_OK);
  assert_int_equal(weft_solver_contents(model, &params, &contents, &err), WEFT_OK);
  const weft_pair_element *d = contents.buffers[WEFT_BUFFER_DISTANCE].data;
  uint32_t out = 0, kept = 0;
  for (uint64_t i = 0; i < contents.buffers[WEFT_BUFFER_DISTANCE].count; ++i) {
    bool thread = weft_along_thread(model, d[i].a, d[i].b);
    assert_true(thread == (d[i].factor == 0));
    out += thread;
    kept += !thread;
  }
  assert_int_equal(out, 2 * 16 * 15);
  weft_pass_list list = {0};
  weft_solver_pass_list(model, &params, &contents, &list);
  uint64_t swept = 0, lines = 0, last = 0;
  for (size_t k = 0; k < list.count; ++k) {
    if (list.items[k].kind == WEFT_PASS_PROJECT_DISTANCE) {
      uint64_t here = 0;
      for (uint32_t i = 0; i < list.items[k].count; ++i) {
        here += d[list.items[k].first + i].factor > 0;
      }
      assert_true(here > 0);
      swept += here;
    }
    if (list.items[k].kind == WEFT_PASS_PROJECT_ISOMETRIC) last = k;
    if (list.items[k].kind != WEFT_PASS_PROJECT_LINES) continue;
    ++lines;
    assert_true(k > last);
    assert_int_equal(list.items[k].first_iteration, lines <= 2);
  }
  assert_int_equal(swept, kept);
  assert_int_equal(lines, 3 * 2);
  weft_free(list.items);
  weft_contents_free(&contents);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

static void lines_want_compliance(void **state) {
  (void)state;
  weft_mesh mesh = test_grid(5, 5, WEFT_GRID_ALTERNATING, 0.05f, 0.05f);
  weft_model *model = preprocess(&mesh, NULL);
  weft_solver *solver = NULL;
  weft_error err = {0};
  weft_params pbd = {.line_sweeps = 1, .method = WEFT_METHOD_PBD};
  weft_params many = {.line_sweeps = WEFT_MAX_ITERATIONS + 1};
  assert_int_equal(weft_solver_create(model, &pbd, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "xpbd"));
  assert_int_equal(weft_solver_create(model, &many, weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_ARGUMENT);
  weft_model_destroy(model);
  test_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grid_has_a_line_for_each_thread),
      cmocka_unit_test(long_threads_come_in_pieces),
      cmocka_unit_test(every_edge_of_a_tube_is_on_a_line),
      cmocka_unit_test(damped_edges_stay_out_and_those_between_pins_off_the_grid),
      cmocka_unit_test(the_sweep_leaves_out_what_lines_solve),
      cmocka_unit_test(lines_want_compliance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
