/* What a limit of strain chooses: more for less strain, finer cloth and stronger gravity, by the
 * law it states; and what strain along threads is. */
#include "base.h"
#include "rig.h"
/* after rig.h */
#include <weft/change.h>

#include "param.h"

static weft_model *sheet(uint32_t rows, const char *fabric, weft_pin_rule pins) {
  const weft_grid_desc grid = {.rows = rows, .columns = rows, .width = 1, .height = 1};
  return rig_sheet(&grid, fabric, WEFT_BENDING_ISOMETRIC, false, pins);
}

static weft_strain_choice hold(const weft_model *model, double target, unsigned kept,
                               weft_params *p) {
  weft_strain_choice choice;
  weft_error err = {0};
  if (weft_params_choose_for_strain(model, target, kept, p, &choice, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  assert_true(p->plain);
  return choice;
}

/* ---- the rule ---- */

/* As weft/solver.h has it. */
static uint32_t work_of(const weft_params *p) { return p->substeps * (1 + p->line_sweeps); }

static void check_monotone(const weft_model *model, unsigned kept) {
  weft_params before = {.substeps = 20, .iterations = 1, .multilevel = 3};
  double expected = INFINITY;
  hold(model, 0.5, kept, &before);
  for (double target = 0.4; target > 1e-5; target *= 0.83) {
    weft_params p = {.substeps = 20, .iterations = 1, .multilevel = 3};
    weft_strain_choice choice = hold(model, target, kept, &p);
    assert_true(work_of(&p) >= work_of(&before));
    assert_true(p.iterations >= before.iterations);
    assert_true(p.multilevel >= before.multilevel);
    assert_true(p.line_sweeps >= before.line_sweeps);
    assert_true(p.multilevel_sweeps >= before.multilevel_sweeps);
    assert_true(p.lra >= before.lra);
    assert_true(p.multilevel_slack <= before.multilevel_slack);
    assert_true(p.lra_slack <= before.lra_slack);
    assert_true(choice.expected <= expected);
    assert_true(choice.short_of == (choice.expected > target));
    before = p;
    expected = choice.expected;
  }
  if (!(kept & WEFT_KEEP_SUBSTEPS)) assert_int_equal(before.substeps, 200);
}

static void a_smaller_target_never_chooses_less(void **state) {
  (void)state;
  static const unsigned kept[] = {0, WEFT_KEEP_SUBSTEPS, WEFT_KEEP_MULTILEVEL,
                                  WEFT_KEEP_ITERATIONS | WEFT_KEEP_LRA, WEFT_KEEP_LINE_SWEEPS};
  static const char *const fabrics[] = {"tablecloth", "tshirt", "inextensible"};
  for (size_t f = 0; f < 3; ++f) {
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) {
      weft_model *hung = sheet(24, fabrics[f], WEFT_PIN_CORNERS);
      weft_model *loose = sheet(24, fabrics[f], WEFT_PIN_NONE);
      check_monotone(hung, kept[k]);
      check_monotone(loose, kept[k]);
      weft_model_destroy(hung);
      weft_model_destroy(loose);
    }
  }
}

/* Edges a frame, sqrt(g L) dt/h, of a sheet of 1 m. */
static double edges(uint32_t rows, double gravity) { return sqrt(gravity) / 60 * (rows - 1); }

static uint32_t least(double substeps) { return (uint32_t)ceil(substeps - 1e-6); }

/* So many substeps with one line sweep and with two: the setting that takes less work. */
static void check_lines(const weft_params *p, double one, double two) {
  const bool second = 3 * least(two) < 2 * least(one);
  assert_int_equal(p->line_sweeps, second ? 2 : 1);
  assert_in_range(p->substeps, least(second ? two : one) - 1, least(second ? two : one));
}

/* As weft/solver.h states it. Fabric that does not stretch, so that all of the target is for the
 * solver. */
static void substeps_follow_the_stated_law(void **state) {
  (void)state;
  const double target = 0.003, more = pow(0.009 / target, 0.4);
  static const uint32_t rows[] = {33, 65, 129, 257, 513};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_model *hung = sheet(rows[k], "inextensible", WEFT_PIN_CORNERS);
    weft_model *loose = sheet(rows[k], "inextensible", WEFT_PIN_NONE);
    weft_params swings = {0}, touches = {.self_collision = true, .touches_itself = true},
                falls = {0};
    weft_strain_choice choice = hold(hung, target, 0, &swings);
    hold(hung, target, 0, &touches);
    hold(loose, target, 0, &falls);
    weft_params apart = {.self_collision = true}; /* what swings is not charged for contact */
    hold(hung, target, 0, &apart);
    assert_int_equal(apart.substeps, swings.substeps);
    double e = edges(rows[k], 9.81);
    assert_true(fabs(choice.steps / (e / swings.substeps) - 1) < 0.01);
    assert_int_equal(swings.multilevel > 0, e > 4);
    assert_int_equal(falls.multilevel > 0, e > 4 && falls.line_sweeps == 1);
    double swing = e > 4 ? 2.2 * pow(e, 0.7) * more : e / cbrt((target - 0.0009) / 0.25);
    double touch = pow(e, 0.35) * more, twice = sqrt(e) * more;
    double swing_twice = 2 * sqrt(e) * pow(0.009 / (target - (e > 4 ? 0 : 0.0009)), 0.4);
    check_lines(&swings, fmax(10, swing), fmax(8, swing_twice));
    check_lines(&touches, fmax(20, 15 * touch), fmax(24, 7.5 * twice));
    check_lines(&falls, fmax(12, 20 * touch), fmax(16, 15 * twice));
    weft_model_destroy(hung);
    weft_model_destroy(loose);
  }
}

/* Of pinned cloth: still air is as none, and what is not pinned gives way. */
static void wind_and_a_grab_take_more_as_stated(void **state) {
  (void)state;
  const double more = pow(0.009 / 0.01, 0.4);
  static const uint32_t rows[] = {33, 65, 129};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_model *hung = sheet(rows[k], "inextensible", WEFT_PIN_CORNERS);
    weft_model *loose = sheet(rows[k], "inextensible", WEFT_PIN_NONE);
    weft_params calm = {0}, still = {.air_density = 1.2f}, lull = {.wind = {0, 0, 14}};
    weft_params draught = {.air_density = 1.2f, .wind = {0, 0, 3}};
    weft_params storm = {.air_density = 1.2f, .wind = {0, 0, 14}, .gust = 0.5f};
    weft_params blown = storm, pulled = {.grab = true}, free_calm = {0};
    const double root = pow(rows[k] - 1, 0.25), part = 56 * more * root / 60;
    hold(hung, 0, 0, &calm);
    hold(hung, 0, 0, &still);
    hold(hung, 0, 0, &lull); /* of no air */
    hold(hung, 0, 0, &storm);
    hold(hung, 0, 0, &pulled);
    hold(loose, 0, 0, &blown);
    hold(loose, 0, 0, &free_calm);
    assert_true(still.substeps == calm.substeps && still.lra == 1 && lull.lra == 1);
    hold(hung, 0, 0, &draught); /* no faster than it falls, 3.13 m/s */
    assert_true(lull.substeps == calm.substeps && draught.lra == 1);
    check_lines(&storm, 21 * part, 21 * part);
    check_lines(&pulled, 25 * part, 25 * part);
    assert_true(storm.lra == 4 && pulled.lra == 4);
    assert_true(blown.substeps == free_calm.substeps && blown.lra == 0);
    weft_model_destroy(hung);
    weft_model_destroy(loose);
  }
}

/* From what runs on to a storm, to a pull, and back to still air, as docs/embedding.md has it: with
 * what solvers are made with that begin so. */
static void what_is_chosen_again_is_what_is_chosen_at_first(void **state) {
  (void)state;
  weft_model *model = sheet(24, "tablecloth", WEFT_PIN_CORNERS);
  const weft_params settings[] = {{.grab = false},
                                  {.air_density = 1.2f, .wind = {0, 0, 14}, .gust = 0.5f},
                                  {.grab = true},
                                  {.grab = false}};
  weft_solver *solver = NULL, *made = NULL;
  assert_int_equal(weft_solver_create(model, &settings[0], weft_backend_ref(), &solver, NULL),
                   WEFT_OK);
  for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k) {
    assert_int_equal(weft_solver_create(model, &settings[k], weft_backend_ref(), &made, NULL),
                     WEFT_OK);
    weft_params params = *weft_solver_params(solver);
    params.air_density = settings[k].air_density;
    params.wind = settings[k].wind;
    params.gust = settings[k].gust;
    params.grab = settings[k].grab;
    hold(model, 0, 0, &params);
    assert_int_equal(weft_solver_set_params(solver, &params, NULL), WEFT_OK);
    for (uint32_t row = 0; row < WEFT_PARAM_COUNT; ++row) {
      if (weft_param_same(weft_solver_params(solver), weft_solver_params(made), row)) continue;
      fail_msg("%zu: %s is %g", k, weft_param_infos[row].option,
               weft_param_of(weft_solver_params(solver), row, 0));
    }
    weft_solver_destroy(made);
  }
  weft_solver_destroy(solver);
  weft_model_destroy(model);
}

/* A pole that what is pinned hangs along counts for less than any other shape, and round shapes
 * for less than boxes where nothing is pinned. */
static void shapes_count_by_what_they_are(void **state) {
  (void)state;
  weft_model *hung = sheet(129, "inextensible", WEFT_PIN_TOP);
  weft_model *loose = sheet(129, "inextensible", WEFT_PIN_NONE);
  const double target = 0.003, more = pow(0.009 / target, 0.4), e = edges(129, 9.81);
  const double touch = pow(e, 0.35) * more, twice = sqrt(e) * more;
  weft_vec3 left, right;
  weft_mesh mesh;
  assert_int_equal(
      weft_mesh_grid(&(weft_grid_desc){.rows = 129, .columns = 129, .width = 1, .height = 1}, &mesh,
                     NULL),
      WEFT_OK);
  left = mesh.positions[0];
  right = mesh.positions[128];
  weft_mesh_free(&mesh);
  weft_collider pole = {.shape = WEFT_COLLIDER_CAPSULE,
                        .a = left,
                        .b = right,
                        .radius = 0.01f,
                        .offset = {0, 0, 0.03f}};
  const weft_collider_key still[2] = {{.a = left, .b = right}, {.time = 1, .a = left, .b = right}};
  weft_collider moving = pole, far = pole;
  moving.keys = still;
  moving.key_count = 2;
  far.offset.z = 0.1f;
  const weft_collider ball = {.shape = WEFT_COLLIDER_SPHERE, .radius = 0.1f};
  const weft_collider box = {.shape = WEFT_COLLIDER_BOX, .half_size = {0.1f, 0.1f, 0.1f}};
  const weft_collider shapes[] = {pole, moving, far, ball, box};
  weft_params flies = {.air_density = 1.2f, .wind = {9, 0, 0}, .colliders = &pole};
  weft_params hangs = {.colliders = &pole};
  flies.collider_count = hangs.collider_count = 1;
  hold(hung, target, 0, &flies);
  hold(hung, target, 0, &hangs);
  assert_true(flies.substeps == hangs.substeps && flies.lra == 1);
  for (int k = 0; k < 5; ++k) {
    weft_params held = {.colliders = &shapes[k], .collider_count = 1}, falls = held;
    hold(hung, target, 0, &held);
    hold(loose, target, 0, &falls);
    if (k == 0) {
      check_lines(&held, 5.7 * pow(e, 0.62) * more, fmax(8, 3 * twice));
    } else {
      check_lines(&held, 15 * touch, 7.5 * twice);
    }
    check_lines(&falls, (k < 4 ? 15 : 20) * touch, (k < 4 ? 5.6 : 8.2) * twice);
  }
  weft_model_destroy(hung);
  weft_model_destroy(loose);
}

/* With target 0: a hundredth above the fabric's own stretch, which levels and attachments leave to
 * it. Where lines cannot run nothing is changed, and models of particles are let be. */
static void the_default_leaves_the_fabric_its_stretch(void **state) {
  (void)state;
  weft_model *model = sheet(65, "tshirt", WEFT_PIN_CORNERS);
  weft_params p = {0}, jacobi = {.mode = WEFT_MODE_JACOBI}, pbd = {.method = WEFT_METHOD_PBD},
              without = {.line_sweeps = 0};
  weft_strain_choice choice = hold(model, 0, 0, &p);
  assert_true(choice.by_default && !choice.stiffer && !choice.short_of);
  assert_true(fabs(choice.target - choice.own - 0.01) < 1e-9);
  assert_true(choice.own > 0.05);
  assert_true(fabs((double)p.lra_slack - choice.own) < 1e-6);
  assert_int_equal(p.line_sweeps, 1);
  assert_int_equal(p.lra, 1);
  assert_int_equal(p.multilevel, 0);
  assert_int_equal(p.substeps, least(edges(65, 9.81) / cbrt((0.01 - 0.0009) / 0.25)));
  assert_true(hold(model, 0, 0, &jacobi).by_default && jacobi.line_sweeps == 1);
  assert_true(hold(model, 0, 0, &pbd).target == 0 && pbd.lra == 0);
  assert_true(hold(model, 0, WEFT_KEEP_LINE_SWEEPS, &without).target == 0 && without.lra == 0);
  weft_model_destroy(model);
}

static void lines_take_fewer_substeps_than_levels(void **state) {
  (void)state;
  weft_model *model = sheet(65, "inextensible", WEFT_PIN_CORNERS);
  weft_params lines = {0}, levels = {0};
  hold(model, 0.01, 0, &lines);
  hold(model, 0.01, WEFT_KEEP_LINE_SWEEPS, &levels);
  assert_true(3 * lines.substeps < levels.substeps);
  weft_model_destroy(model);
}

/* They cannot run elsewhere: a solver that is made of the choice says so. */
static void lines_are_left_out_where_they_cannot_run(void **state) {
  (void)state;
  weft_model *model = sheet(24, "tablecloth", WEFT_PIN_CORNERS);
  const weft_params modes[] = {{.mode = WEFT_MODE_JACOBI},
                               {.mode = WEFT_MODE_HYBRID},
                               {.method = WEFT_METHOD_PBD},
                               {.schedule = WEFT_SCHEDULE_SINGLE},
                               {.mode = WEFT_MODE_GS}};
  for (size_t k = 0; k < sizeof modes / sizeof *modes; ++k) {
    weft_params p = modes[k];
    hold(model, 0.01, 0, &p);
    assert_int_equal(p.line_sweeps, k != 2);
    assert_int_equal(p.multilevel > 0, k == 2);
    weft_solver *solver = NULL;
    weft_error err = {0};
    if (weft_solver_create(model, &p, weft_backend_ref(), &solver, &err) != WEFT_OK) {
      fail_msg("%s", err.message);
    }
    weft_solver_destroy(solver);
  }
  weft_model_destroy(model);
}

static void what_is_kept_stays(void **state) {
  (void)state;
  weft_model *model = sheet(32, "tshirt", WEFT_PIN_CORNERS);
  const weft_params given = {.substeps = 7,
                             .iterations = 3,
                             .multilevel = 2,
                             .multilevel_sweeps = 5,
                             .multilevel_slack = 0.125f,
                             .line_sweeps = 3,
                             .lra = 0,
                             .lra_slack = 0.0625f};
  weft_params p = given;
  hold(model, 1e-4, 255, &p);
  assert_int_equal(p.substeps, 7);
  assert_int_equal(p.iterations, 3);
  assert_int_equal(p.multilevel, 2);
  assert_int_equal(p.multilevel_sweeps, 5);
  assert_int_equal(p.line_sweeps, 3);
  assert_true(p.multilevel_slack == 0.125f);
  assert_int_equal(p.lra, 0);
  assert_true(p.lra_slack == 0.0625f);
  for (unsigned bit = 1; bit < 256; bit *= 2) {
    weft_params one = given;
    one.lra_slack = 0;
    hold(model, 1e-4, 255 & ~bit, &one);
    assert_int_equal(one.substeps != 7, bit == WEFT_KEEP_SUBSTEPS);
    assert_int_equal(one.iterations != 3, bit == WEFT_KEEP_ITERATIONS);
    assert_int_equal(one.multilevel != 2, bit == WEFT_KEEP_MULTILEVEL);
    assert_int_equal(one.multilevel_sweeps != 5, bit == WEFT_KEEP_MULTILEVEL_SWEEPS);
    assert_int_equal(one.multilevel_slack != 0.125f, bit == WEFT_KEEP_MULTILEVEL_SLACK);
    assert_int_equal(one.line_sweeps != 3, bit == WEFT_KEEP_LINE_SWEEPS);
    assert_int_equal(one.lra != 0, bit == WEFT_KEEP_LRA);
    assert_int_equal(one.lra_slack != 0, bit == WEFT_KEEP_LRA_SLACK);
  }
  weft_model_destroy(model);
}

static void lra_need_something_pinned(void **state) {
  (void)state;
  weft_model *hung = sheet(16, "tablecloth", WEFT_PIN_TOP);
  weft_model *loose = sheet(16, "tablecloth", WEFT_PIN_NONE);
  weft_params p = {0}, q = {0}, own = {.lra = 3, .lra_slack = 0.5f}, again = own;
  hold(hung, 0.01, 0, &p);
  hold(loose, 0.01, 0, &q);
  hold(hung, 0.01, WEFT_KEEP_LRA | WEFT_KEEP_LRA_SLACK, &own);
  hold(hung, 0.01, 0, &again);
  assert_int_equal(p.lra, 1);
  assert_int_equal(q.lra, 0);
  assert_true(own.lra == 3 && own.lra_slack == 0.5f);
  assert_true(again.lra == p.lra && again.lra_slack == p.lra_slack);
  weft_model_destroy(hung);
  weft_model_destroy(loose);
}

/* A sheet of 1 m that is not taken for a grid; if `uneven`, every second edge across is a
 * nineteenth of its neighbours. */
static weft_model *off_the_grid(const char *fabric, weft_pin_rule pins, bool uneven) {
  weft_mesh mesh;
  weft_grid_desc desc = {.rows = 33, .columns = 33};
  assert_int_equal(weft_mesh_grid(&desc, &mesh, NULL), WEFT_OK);
  mesh.grid_rows = mesh.grid_columns = 0;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    if (uneven && i % 33 % 2) mesh.positions[i].x += 0.9f / 32;
  }
  const weft_pin pin = {.rule = pins};
  weft_model *model = rig_preprocess(&(weft_model_desc){
      .mesh = &mesh, .pins = &pin, .pin_count = 1, .material = weft_material_find(fabric)});
  weft_mesh_free(&mesh);
  return model;
}

/* The plain sweep in small steps, as weft/solver.h states it. */
static void other_meshes_take_small_steps(void **state) {
  (void)state;
  weft_model *hung = off_the_grid("inextensible", WEFT_PIN_TOP, false);
  weft_model *loose = off_the_grid("inextensible", WEFT_PIN_NONE, false);
  weft_params p = {.self_collision = true}, falls = {0}, tight = {0};
  weft_strain_choice choice = hold(hung, 0, 0, &p);
  assert_true(p.line_sweeps == 0 && p.multilevel == 0 && p.lra == 1 && p.iterations == 1);
  assert_true(!choice.short_of && choice.needed == 0 && choice.in_the_way == 0);
  double e = choice.steps * p.substeps;
  assert_in_range(p.substeps, least(30 * e), least(30 * e) + 2);
  weft_params blown = {.self_collision = true, .air_density = 1.2f, .wind = {0, 0, 4}};
  hold(hung, 0, 0, &blown);
  assert_in_range(blown.substeps, least(30 * e * (1 + 4 / sqrt(9.81))),
                  least(30 * e * (1 + 4 / sqrt(9.81))) + 2);
  assert_int_equal(blown.lra, 4);
  hold(loose, 0, 0, &falls);
  assert_in_range(falls.substeps, least(80 * sqrt(e)), least(80 * sqrt(e)) + 2);
  /* More than are chosen would do. */
  choice = hold(hung, 8e-4, WEFT_KEEP_ITERATIONS, &tight);
  assert_true(choice.short_of && tight.substeps == 400 && choice.needed > 400);
  tight.substeps = choice.needed;
  choice = hold(hung, 8e-4, WEFT_KEEP_ITERATIONS | WEFT_KEEP_SUBSTEPS, &tight);
  assert_true(!choice.short_of);
  weft_model_destroy(hung);
  weft_model_destroy(loose);
}

/* By the mean edge over 1.06 of the harmonic mean: of 32 edges across half are 1.9/32, half 0.1/32;
 * of 32 down all are 1/32; diagonals are as long as both make them. */
static void uneven_meshes_take_more_and_name_their_short_edges(void **state) {
  (void)state;
  double sum = 0, inverse = 0;
  for (int wide = 0; wide < 2; ++wide) {
    double across = (wide ? 1.9 : 0.1) / 32, diagonal = hypot(across, 1.0 / 32);
    double lengths[3] = {across, 1.0 / 32, diagonal}, counts[3] = {16 * 33, 32 * 16.5, 16 * 32};
    for (int k = 0; k < 3; ++k) {
      sum += counts[k] * lengths[k];
      inverse += counts[k] / lengths[k];
    }
  }
  double edges = 32 * 33 * 2 + 32 * 32, u = sum * inverse / (edges * edges) / 1.06;
  weft_model *uneven = off_the_grid("inextensible", WEFT_PIN_TOP, true);
  weft_params p = {0}, given = {0};
  weft_strain_choice choice = hold(uneven, 0.2, 0, &given);
  double e = choice.steps * given.substeps;
  assert_in_range(given.substeps, least(1.5 * e * pow(u, 3.5)) - 1,
                  least(1.5 * e * pow(u, 3.5)) + 2);
  choice = hold(uneven, 0, 0, &p);
  assert_true(choice.short_of && p.substeps == 400 && choice.needed > 400);
  assert_true(choice.in_the_way > 0 && choice.in_the_way <= 16 * 33);
  assert_true(fabs(choice.length - 0.1 / 32) < 1e-6 || choice.in_the_way == 16 * 33);
  assert_int_equal(choice.shortest[0] / 33, choice.shortest[1] / 33);
  assert_int_equal(abs((int)choice.shortest[0] - (int)choice.shortest[1]), 1);
  weft_model_destroy(uneven);
}

/* The solver may leave a quarter of the root of its stretch by own weight. */
static void soft_fabric_takes_fewer_steps_off_the_grid(void **state) {
  (void)state;
  weft_model *stiff = off_the_grid("inextensible", WEFT_PIN_TOP, false);
  weft_model *soft = off_the_grid("denim", WEFT_PIN_TOP, false);
  weft_params p = {0}, q = {0}, given = {0};
  hold(stiff, 0, 0, &p);
  weft_strain_choice choice = hold(soft, 0, 0, &q);
  double room = 0.25 * sqrt(choice.own);
  assert_true(room > 0.011 && fabs(choice.target - choice.own - room) < 1e-9);
  assert_in_range(q.substeps, floor(p.substeps * 0.01 / room) - 1, ceil(p.substeps * 0.01 / room));
  hold(soft, 0.01, 0, &given);
  assert_true(given.substeps > p.substeps); /* of a limit that is given slack takes a quarter */
  weft_model_destroy(stiff);
  weft_model_destroy(soft);
}

/* rho g L/C of the softer threads, Wang et al. 2011: 0.187*9.81*1/33. */
static void own_weight_is_that_of_the_fabric(void **state) {
  (void)state;
  static const struct {
    const char *fabric;
    double strain;
  } rows[] = {{"tshirt", 0.187 * 9.81 / 33},
              {"denim", 0.324 * 9.81 / 411},
              {"tablecloth", 0.128 * 9.81 / 4004},
              {"inextensible", 0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_model *model = sheet(33, rows[k].fabric, WEFT_PIN_TOP);
    weft_params p = {0};
    weft_strain_choice choice = hold(model, 0.01, 0, &p);
    assert_true(fabs(choice.own - rows[k].strain) < 1e-5);
    assert_true(choice.stiffer == (rows[k].strain > 0.01));
    assert_true(fabs((double)p.multilevel_slack - fmin(rows[k].strain, 0.0025)) < 1e-5);
    weft_model_destroy(model);
  }
}

static void what_cannot_be_held_is_refused(void **state) {
  (void)state;
  weft_model *model = sheet(8, "tablecloth", WEFT_PIN_TOP), *beads = NULL;
  static const double targets[] = {-0.01, 1e-6, 0.51, NAN, INFINITY};
  weft_params p = {.substeps = 3};
  weft_strain_choice choice;
  weft_error err = {0};
  for (size_t k = 0; k < sizeof targets / sizeof *targets; ++k) {
    weft_result result = weft_params_choose_for_strain(model, targets[k], 0, &p, &choice, &err);
    assert_int_equal(result, WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(err.message, "max strain is"));
  }
  const weft_vec3 x[2] = {{0, 0, 0}, {0, 1, 0}};
  const float masses[2] = {1, 1};
  const weft_particles_desc desc = {.particle_count = 2, .positions = x, .masses = masses};
  assert_int_equal(weft_model_create_particles(&desc, &beads, &err), WEFT_OK);
  assert_int_equal(weft_params_choose_for_strain(beads, 0.01, 0, &p, &choice, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "no triangle"));
  assert_true(hold(beads, 0, 0, &p).target == 0);
  assert_int_equal(p.substeps, 3);
  weft_model_destroy(model);
  weft_model_destroy(beads);
}

/* ---- what solvers choose themselves ---- */

/* What a solver of these parameters runs with. */
static weft_params made_of(const weft_model *model, const weft_params *params) {
  weft_solver *solver = NULL;
  weft_error err = {0};
  if (weft_solver_create(model, params, weft_backend_ref(), &solver, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  weft_params p = *weft_solver_params(solver);
  weft_solver_destroy(solver);
  assert_true(p.plain);
  return p;
}

static void expect_same(const weft_params *a, const weft_params *b) {
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    const bool room = k == WEFT_PARAM_self_room; /* which a solver knows alone */
    if (!room && !weft_param_same(a, b, k)) fail_msg("%s", weft_param_infos[k].name);
  }
}

static void a_solver_holds_cloth_unless_it_is_plain(void **state) {
  (void)state;
  weft_model *model = sheet(65, "tablecloth", WEFT_PIN_CORNERS);
  const weft_params complete = weft_params_default(), nothing = {0}, firm = {.max_strain = 0.002};
  weft_params held = {0}, firmer = {0}, plain = {0}, p;
  hold(model, 0, 0, &held);
  hold(model, 0.002, 0, &firmer);
  weft_params_plain(&plain);
  p = made_of(model, NULL);
  expect_same(&p, &held);
  p = made_of(model, &nothing);
  expect_same(&p, &held);
  p = made_of(model, &complete);
  expect_same(&p, &held);
  p = made_of(model, &held); /* what is resolved is not chosen again */
  expect_same(&p, &held);
  p = made_of(model, &firm);
  expect_same(&p, &firmer);
  assert_true(work_of(&firmer) > work_of(&held) && held.line_sweeps > 0 && held.lra == 1);
  p = made_of(model, &plain);
  assert_true(p.substeps == 20 && p.iterations == 1 && !p.line_sweeps && !p.lra && !p.multilevel);
  weft_model_destroy(model);
}

static void what_is_given_to_a_solver_stays(void **state) {
  (void)state;
  weft_model *model = sheet(65, "tablecloth", WEFT_PIN_CORNERS);
  weft_params lines = weft_params_default(), p = made_of(model, &(weft_params){.substeps = 7});
  assert_true(p.substeps == 7 && p.line_sweeps == 1 && p.lra == 1);
  p = made_of(model, &(weft_params){.lra = 3, .line_sweeps = 2});
  assert_true(p.lra == 3 && p.line_sweeps == 2 && p.substeps > 0);
  lines.line_sweeps = 2;
  p = made_of(model, &lines);
  assert_true(p.line_sweeps == 2 && p.lra == 1);
  weft_params tight = weft_params_default(); /* whose one iteration nobody gave */
  tight.method = WEFT_METHOD_PBD;
  tight.max_strain = 1e-5;
  assert_true(made_of(model, &tight).iterations > 1);
  p = made_of(model, &(weft_params){.max_strain = 0.002, .keep = WEFT_KEEP_LRA});
  assert_true(p.lra == 0 && p.line_sweeps > 0);
  p = made_of(model, &(weft_params){.keep = WEFT_KEEP_LINE_SWEEPS});
  assert_true(p.line_sweeps == 0 && p.lra == 0 && p.substeps == 20);
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &(weft_params){.plain = true, .max_strain = 0.01},
                                      weft_backend_ref(), &solver, &err),
                   WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "plain"));
  weft_model_destroy(model);
}

/* Lines are for XPBD and for cloth. */
static void nothing_is_chosen_where_lines_cannot_run(void **state) {
  (void)state;
  weft_model *model = sheet(24, "tablecloth", WEFT_PIN_CORNERS), *beads = NULL;
  const weft_vec3 x[2] = {{0, 0, 0}, {0, 1, 0}};
  const float masses[2] = {1, 1};
  const weft_particles_desc desc = {.particle_count = 2, .positions = x, .masses = masses};
  assert_int_equal(weft_model_create_particles(&desc, &beads, NULL), WEFT_OK);
  weft_params p = made_of(beads, NULL), book = {0};
  assert_true(p.substeps == 20 && p.line_sweeps == 0 && p.lra == 0);
  p = made_of(model, &(weft_params){.method = WEFT_METHOD_PBD});
  assert_true(p.substeps == 20 && p.line_sweeps == 0 && p.lra == 0);
  weft_params_mueller2007(&book);
  assert_true(book.plain);
  p = made_of(model, &book);
  assert_true(p.substeps == 1 && p.iterations == 10 && p.line_sweeps == 0 && p.lra == 0);
  weft_model_destroy(model);
  weft_model_destroy(beads);
}

/* However far apart they lie. */
static void joined_cloths_are_held_as_one_of_them(void **state) {
  (void)state;
  weft_mesh mesh = {0};
  weft_model *parts[2], *joined = NULL;
  const weft_pin pin = {.rule = WEFT_PIN_TOP};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 65, .columns = 65}, &mesh, NULL),
                   WEFT_OK);
  for (int k = 0; k < 2; ++k) {
    parts[k] = rig_preprocess(&(weft_model_desc){.mesh = &mesh, .pins = &pin, .pin_count = 1});
    for (uint32_t i = 0; i < mesh.vertex_count; ++i) mesh.positions[i].x += 4;
  }
  weft_mesh_free(&mesh);
  assert_int_equal(weft_model_join((const weft_model *const *)parts, 2, &joined, NULL), WEFT_OK);
  const weft_params alone = made_of(parts[0], NULL), both = made_of(joined, NULL);
  assert_true(alone.line_sweeps > 0 && alone.multilevel_slack == both.multilevel_slack);
  expect_same(&both, &alone);
  weft_model_destroy(parts[0]);
  weft_model_destroy(parts[1]);
  weft_model_destroy(joined);
}

/* ---- the measure ---- */

static void measure(const weft_model *model, const weft_vec3 *x, weft_metrics *m) {
  weft_vec3 *v = weft_alloc(weft_model_particle_count(model), sizeof *v);
  weft_params p;
  assert_int_equal(weft_params_resolve(&(weft_params){0}, &p, NULL), WEFT_OK);
  weft_measure(model, &p, (weft_vec3d){0, 0, 0}, x, v, m);
  weft_free(v);
}

/* A trellis pushed over by 30 degrees: threads keep their length, one diagonal becomes the longer
 * side of rhombs, sqrt(3/2) of what it was, or the shorter, sqrt(1/2). */
static void shear_is_no_strain_of_threads(void **state) {
  (void)state;
  weft_model *model = sheet(20, "tablecloth", WEFT_PIN_NONE);
  uint32_t n = weft_model_particle_count(model);
  const weft_vec3 *rest = weft_model_rest_positions(model);
  weft_vec3 *x = weft_alloc(n, sizeof *x);
  weft_vec3 down = weft_v3_sub(rest[20], rest[0]), along = weft_v3_sub(rest[1], rest[0]);
  float s = weft_v3_length(down) / weft_v3_length(along);
  for (uint32_t i = 0; i < n; ++i) {
    float row = (float)(i / 20), column = (float)(i % 20);
    weft_vec3 lean = weft_v3_add(weft_v3_scale(down, 0.8660254f), weft_v3_scale(along, 0.5f * s));
    x[i] = weft_v3_add(weft_v3_scale(lean, row), weft_v3_scale(along, column));
  }
  weft_metrics m;
  measure(model, x, &m);
  assert_true(m.strain_threads_p99 < 1e-5);
  bool longer = fabs(m.strain_p99 - (sqrt(1.5) - 1)) < 1e-4;
  bool shorter = fabs(m.strain_p99 - (1 - sqrt(0.5))) < 1e-4;
  assert_true(longer || shorter);
  weft_free(x);
  weft_model_destroy(model);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The percentile by sorting, over pairs counted from the grid itself. */
static double sorted_p99(const weft_vec3 *rest, const weft_vec3 *x, uint32_t side) {
  double *s = weft_alloc(2ull * side * side, sizeof *s);
  size_t count = 0;
  for (uint32_t i = 0; i < side * side; ++i) {
    for (uint32_t k = 0; k < 2; ++k) {
      uint32_t j = k == 0 ? i + 1 : i + side;
      if ((k == 0 && j % side == 0) || j >= side * side) continue;
      double from = (double)weft_v3_length(weft_v3_sub(rest[i], rest[j]));
      double to = (double)weft_v3_length(weft_v3_sub(x[i], x[j]));
      s[count++] = fabs(to / from - 1);
    }
  }
  qsort(s, count, sizeof *s, ascending);
  double p99 = s[(size_t)(0.99 * (double)(count - 1) + 0.5)];
  weft_free(s);
  return p99;
}

static void percentiles_are_those_of_a_sorted_list(void **state) {
  (void)state;
  weft_rng rng = weft_rng_seed(5);
  static const uint32_t sides[] = {2, 3, 10, 41};
  for (size_t k = 0; k < sizeof sides / sizeof *sides; ++k) {
    weft_model *model = sheet(sides[k], "tablecloth", WEFT_PIN_NONE);
    uint32_t n = weft_model_particle_count(model);
    const weft_vec3 *rest = weft_model_rest_positions(model);
    weft_vec3 *x = weft_alloc(n, sizeof *x);
    float shake = 0.3f / (float)sides[k];
    for (uint32_t i = 0; i < n; ++i) {
      x[i] = weft_v3_add(
          rest[i], weft_v3(weft_rng_float(&rng, -shake, shake), weft_rng_float(&rng, -shake, shake),
                           weft_rng_float(&rng, -shake, shake)));
    }
    weft_metrics m;
    measure(model, x, &m);
    assert_true(fabs(m.strain_threads_p99 - sorted_p99(rest, x, sides[k])) < 1e-5);
    weft_free(x);
    weft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_smaller_target_never_chooses_less),
      cmocka_unit_test(substeps_follow_the_stated_law),
      cmocka_unit_test(wind_and_a_grab_take_more_as_stated),
      cmocka_unit_test(shapes_count_by_what_they_are),
      cmocka_unit_test(the_default_leaves_the_fabric_its_stretch),
      cmocka_unit_test(lines_take_fewer_substeps_than_levels),
      cmocka_unit_test(lines_are_left_out_where_they_cannot_run),
      cmocka_unit_test(what_is_kept_stays),
      cmocka_unit_test(what_is_chosen_again_is_what_is_chosen_at_first),
      cmocka_unit_test(lra_need_something_pinned),
      cmocka_unit_test(other_meshes_take_small_steps),
      cmocka_unit_test(uneven_meshes_take_more_and_name_their_short_edges),
      cmocka_unit_test(soft_fabric_takes_fewer_steps_off_the_grid),
      cmocka_unit_test(own_weight_is_that_of_the_fabric),
      cmocka_unit_test(what_cannot_be_held_is_refused),
      cmocka_unit_test(a_solver_holds_cloth_unless_it_is_plain),
      cmocka_unit_test(what_is_given_to_a_solver_stays),
      cmocka_unit_test(nothing_is_chosen_where_lines_cannot_run),
      cmocka_unit_test(joined_cloths_are_held_as_one_of_them),
      cmocka_unit_test(shear_is_no_strain_of_threads),
      cmocka_unit_test(percentiles_are_those_of_a_sorted_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
