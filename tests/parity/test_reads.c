/* Rows read from buffer textures are the rows in the storage blocks: the same bits as the reference
 * from either, whatever the passes, also where buffers are bound in windows; and a program of
 * collide that knows only some shapes does with those what the general one does. */
#include "../physics/rig.h"
/* after rig.h */
#include "gl.h"
#include "solver_gl.h"

static const weft_collider shapes[] = {
    {.shape = WEFT_COLLIDER_PLANE, .a = {0, -0.1f, 0}, .b = {0, 1, 0}, .friction_static = 0.3f},
    {.shape = WEFT_COLLIDER_SPHERE, .a = {0.2f, -0.1f, 0.3f}, .radius = 0.2f},
    {.shape = WEFT_COLLIDER_CAPSULE,
     .a = {-0.4f, -0.1f, 0},
     .b = {0.4f, -0.1f, 0},
     .radius = 0.1f,
     .friction_static = 0.4f},
    {.shape = WEFT_COLLIDER_BOX, .a = {-0.2f, -0.1f, 0.3f}, .half_size = {0.1f, 0.1f, 0.1f}},
};

/* Everything at once: air, damping of both kinds, multipliers, attachments, levels, all shapes. */
static weft_params full_params(weft_mode mode) {
  return (weft_params){.mode = mode,
                       .iterations = 2,
                       .substeps = 6,
                       .air_density = 1.2f,
                       .wind = {0, 0, 4},
                       .global_damping = 0.5f,
                       .lra = 2,
                       .multilevel = 2,
                       .colliders = shapes,
                       .collider_count = 4};
}

static weft_model *damped_sheet(weft_bending bending) {
  weft_grid_desc grid = {.rows = 20, .columns = 20, .plane = WEFT_PLANE_XZ};
  weft_material material = *weft_material_find("tshirt");
  material.damping_time = 0.01f;
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  return rig_grid_model(
      &grid,
      (weft_model_desc){.material = &material, .bending = bending, .pins = &pin, .pin_count = 1});
}

static void texels_and_blocks_give_the_bits_of_the_reference(void **state) {
  (void)state;
  static const weft_bending bendings[] = {WEFT_BENDING_ISOMETRIC, WEFT_BENDING_DIHEDRAL};
  for (int reads = WEFT_GL_READS_BUFFERS; reads <= WEFT_GL_READS_TEXTURES; ++reads) {
    weft_gl *gl = rig_context(&(weft_gl_desc){.debug = true, .reads = (weft_gl_reads)reads});
    assert_int_equal(gl->desc.reads, reads);
    for (int k = 0; k < 2; ++k) {
      weft_model *model = damped_sheet(bendings[k]);
      for (int mode = WEFT_MODE_GS; mode <= WEFT_MODE_HYBRID; ++mode) {
        weft_params params = full_params((weft_mode)mode);
        uint64_t ref = rig_hash_after(model, &params, weft_backend_ref(), 10);
        assert_true(rig_hash_after(model, &params, rig_backend_on(gl), 10) == ref);
      }
      weft_model_destroy(model);
    }
    assert_int_equal(weft_gl_message_count(gl), 0);
    weft_gl_destroy(gl);
  }
}

/* A block so small that constraints, velocities and positions of passes by particle come in
 * windows, other ones for other passes. */
static void windows_of_texels_give_the_bits_of_the_reference(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.reads = WEFT_GL_READS_TEXTURES});
  weft_grid_desc grid = {.rows = 64, .columns = 64};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  gl->limits.max_storage_block = 64 * 64 * 16; /* positions just fit, tables do not */
  weft_params params = {.substeps = 4, .colliders = shapes, .collider_count = 4};
  uint64_t ref = rig_hash_after(model, &params, weft_backend_ref(), 2);
  assert_true(rig_hash_after(model, &params, rig_backend_on(gl), 2) == ref);
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

static void more_rows_than_texels_are_refused_in_a_sentence(void **state) {
  (void)state;
  weft_gl *gl = rig_context(&(weft_gl_desc){.reads = WEFT_GL_READS_TEXTURES});
  weft_grid_desc grid = {.rows = 64, .columns = 64};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_NONE, true, WEFT_PIN_CORNERS);
  gl->limits.max_texels = 4000;
  weft_solver *solver = NULL;
  weft_error err = {0};
  assert_int_equal(weft_solver_create(model, &(weft_params){0}, rig_backend_on(gl), &solver, &err),
                   WEFT_ERROR_LIMIT);
  assert_non_null(strstr(err.message, "allows"));
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

/* Each shape alone, and two of them: programs that know no other. */
static void a_program_for_some_shapes_does_what_the_general_one_does(void **state) {
  (void)state;
  weft_gl *gl = rig_context(NULL);
  weft_grid_desc grid = {.rows = 24, .columns = 24, .plane = WEFT_PLANE_XZ};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_NONE);
  weft_params params = {.substeps = 6};
  uint64_t unheld = rig_hash_after(model, &params, weft_backend_ref(), 20);
  for (uint32_t first = 0; first < 4; ++first) {
    for (uint32_t count = 1; count <= 2 && first + count <= 4; ++count) {
      params.colliders = shapes + first;
      params.collider_count = count;
      uint64_t ref = rig_hash_after(model, &params, weft_backend_ref(), 20);
      assert_true(ref != unheld);
      assert_true(rig_hash_after(model, &params, rig_backend_on(gl), 20) == ref);
    }
  }
  weft_model_destroy(model);
  weft_gl_destroy(gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texels_and_blocks_give_the_bits_of_the_reference),
      cmocka_unit_test(windows_of_texels_give_the_bits_of_the_reference),
      cmocka_unit_test(more_rows_than_texels_are_refused_in_a_sentence),
      cmocka_unit_test(a_program_for_some_shapes_does_what_the_general_one_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
