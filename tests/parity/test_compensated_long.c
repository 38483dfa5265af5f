/* Pairs of floats after 12,000 substeps: every bit of both parts of positions and velocities is the
 * same on the reference, on the backend cpu in vectors of any width and without, and on the GPU in
 * both schedules. */
#include "../physics/rig.h"
/* after rig.h */
#include "base.h"
#include "cpu.h"
#include "lanes_wide.h"
#include "solver_gl.h"

enum { SUBSTEPS = 1000, FRAMES = 12 };

/* ---- states ---- */

static const weft_buffer_id parts[] = {WEFT_BUFFER_X, WEFT_BUFFER_X_LOW, WEFT_BUFFER_V,
                                       WEFT_BUFFER_V_LOW};
static const char *const part_names[] = {"positions", "low parts of positions", "velocities",
                                         "low parts of velocities"};
enum { PARTS = 4 };

typedef struct both_parts {
  uint32_t count;
  vec4 *rows; /* [PARTS][count] */
} both_parts;

static both_parts state_after(const weft_model *model, const weft_params *params,
                              const weft_backend *backend) {
  weft_solver *solver = rig_solver(model, params, backend);
  both_parts s = {.count = model->particle_count};
  s.rows = weft_alloc((size_t)PARTS * s.count, sizeof *s.rows);
  rig_step(solver, FRAMES);
  for (uint32_t p = 0; p < PARTS; ++p) {
    weft_solver_read_buffer(solver, parts[p], 0, s.count, s.rows + (size_t)p * s.count);
  }
  weft_solver_destroy(solver);
  return s;
}

static void expect_same(const weft_model *model, const weft_params *params,
                        const weft_backend *backend, const both_parts *reference,
                        const char *where) {
  both_parts s = state_after(model, params, backend);
  for (uint32_t k = 0; k < PARTS * s.count; ++k) {
    const vec4 *a = &s.rows[k], *b = &reference->rows[k];
    if (memcmp(a, b, 3 * sizeof(float)) == 0) continue;
    fail_msg("%s: %s of particle %u are %a %a %a, the reference's %a %a %a", where,
             part_names[k / s.count], k % s.count, (double)a->x, (double)a->y, (double)a->z,
             (double)b->x, (double)b->y, (double)b->z);
  }
  weft_free(s.rows);
}

static uint32_t low_parts(const both_parts *s) {
  uint32_t there = 0;
  for (uint32_t i = 0; i < s->count; ++i) there += s->rows[s->count + i].y != 0;
  return there;
}

/* ---- everywhere ---- */

static void expect_on_cpu(const weft_model *model, const weft_params *params,
                          const both_parts *reference) {
  const weft_lanes *widths[] = {NULL, weft_lanes_usable(4), weft_lanes_usable(8),
                                weft_lanes_usable(16), lanes_wide()};
  for (uint32_t k = 0; k < sizeof widths / sizeof *widths; ++k) {
    if (k && !widths[k]) continue;
    /* One thread: several wait for each other after each of these short passes. */
    weft_cpu_desc desc = {.threads = 1,
                          .lanes = widths[k],
                          .plain = k == 0,
                          .no_split = k % 2 == 1,
                          .tile = k % 2 ? 50 : 0};
    weft_backend cpu = weft_cpu_backend_of(&desc);
    char where[200];
    snprintf(where, sizeof where, "cpu with %s", k ? widths[k]->name : "no vectors");
    expect_same(model, params, &cpu, reference, where);
  }
}

static void expect_everywhere(weft_model *model, weft_params params) {
  params.substeps = SUBSTEPS;
  params.compensated = true;
  both_parts reference = state_after(model, &params, weft_backend_ref());
  /* Else nothing of what is claimed would have been seen. */
  assert_true(low_parts(&reference) > reference.count / 2);
  expect_on_cpu(model, &params, &reference);
  if (rig_gl_context) {
    const weft_backend *gl = rig_backend_on(rig_gl_context);
    expect_same(model, &params, gl, &reference, "gl, a dispatch for each colour");
    params.schedule = WEFT_SCHEDULE_SINGLE;
    expect_same(model, &params, gl, &reference, "gl, a dispatch for a frame");
  }
  weft_free(reference.rows);
  weft_model_destroy(model);
}

/* ---- what runs ---- */

/* Side by side, so that vectors are full: pendulums of unequal lengths and masses. */
static void pendulums(void **state) {
  (void)state;
  enum { COUNT = 20, LINKS = 4, EACH = LINKS + 1 };
  weft_vec3 positions[COUNT * EACH];
  float masses[COUNT * EACH];
  weft_link links[COUNT * LINKS] = {{0}};
  for (uint32_t c = 0; c < COUNT; ++c) {
    double angle = 1.2 + 0.05 * c, length = 0.11 + 0.007 * c;
    for (uint32_t i = 0; i < EACH; ++i) {
      positions[c * EACH + i] = weft_v3((float)(i * length * sin(angle)),
                                        (float)(-(i * length) * cos(angle)), 0.3f * (float)c);
      masses[c * EACH + i] = i ? 0.5f + 0.25f * (float)((c + i) % 5) : 0;
      if (i == LINKS) break;
      links[c * LINKS + i] =
          (weft_link){.a = c * EACH + i, .b = c * EACH + i + 1, .rest_length = (float)length};
    }
  }
  expect_everywhere(rig_particles(&(weft_particles_desc){.particle_count = COUNT * EACH,
                                                         .positions = positions,
                                                         .masses = masses,
                                                         .links = links,
                                                         .link_count = COUNT * LINKS}),
                    (weft_params){0});
}

static void isometric_cloth(void **state) {
  (void)state;
  const weft_grid_desc grid = {.rows = 7, .columns = 9, .width = 0.4f, .height = 0.3f};
  expect_everywhere(rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS),
                    (weft_params){.damping = 0.5f});
}

static void dihedral_cloth(void **state) {
  (void)state;
  const weft_grid_desc grid = {
      .rows = 4, .columns = 5, .width = 0.3f, .height = 0.3f, .plane = WEFT_PLANE_XZ};
  expect_everywhere(rig_sheet(&grid, "denim", WEFT_BENDING_DIHEDRAL, false, WEFT_PIN_CORNERS),
                    (weft_params){.keep_multipliers = true});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulums),
      cmocka_unit_test(isometric_cloth),
      cmocka_unit_test(dihedral_cloth),
  };
  return cmocka_run_group_tests(tests, rig_open, rig_close);
}
