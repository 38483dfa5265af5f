/* What a solver takes on the device, said before it is made: buffers of OpenGL, and what the host
 * keeps beside them. See unit/test_need.c. */
#include "failing_memory.h"
#include "gl.h"
#include "rig.h"
#include "rig_gl.h"

static void compare(const char *what, uint64_t said, uint64_t found) {
  print_message("%s: %llu said, %llu measured\n", what, (unsigned long long)said,
                (unsigned long long)found);
  if (said < found) fail_msg("%s: less than it takes", what);
  if (2 * said > 3 * found) fail_msg("%s: too much", what);
}

static void judge(const weft_backend *backend, weft_params params) {
  weft_mesh mesh = rig_grid(&(weft_grid_desc){.rows = 60, .columns = 60});
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  const weft_model_desc desc = {.mesh = &mesh, .pins = &pin, .pin_count = 1};
  weft_memory_need need;
  weft_model *model;
  weft_solver *solver;
  uint64_t host, device, buffers = 0;
  assert_int_equal(weft_memory_estimate(&desc, &params, backend, &need, NULL), WEFT_OK);
  failing_arm(0);
  const size_t before = failing_memory.bytes;
  assert_int_equal(weft_model_create(&desc, &model, NULL), WEFT_OK);
  assert_int_equal(weft_solver_create(model, &params, backend, &solver, NULL), WEFT_OK);
  rig_step(solver, 1);
  assert_int_equal(weft_solver_memory(solver, &host, &device, NULL), WEFT_OK);
  compare("host", need.solver, host);
  compare("device", need.device, device);
  compare("peak", need.peak, failing_memory.most - before);
  /* All that is a buffer to OpenGL. */
  for (GLuint name = 1; name < 1000; ++name) {
    GLint64 size = 0;
    if (!glIsBuffer(name)) continue;
    glBindBuffer(GL_COPY_READ_BUFFER, name);
    glGetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    buffers += (uint64_t)size;
  }
  compare("buffers of the context", need.device, buffers);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
}

static void the_device_takes_what_is_said(void **state) {
  (void)state;
  weft_gl *gl = NULL;
  assert_int_equal(weft_gl_create_headless(NULL, &gl, NULL), WEFT_OK);
  const weft_backend *backend = rig_backend_on(gl);
  judge(backend, (weft_params){.plain = true, .substeps = 4, .schedule = WEFT_SCHEDULE_COLOURS});
  judge(backend, (weft_params){.plain = true, .substeps = 4, .self_collision = true});
  weft_gl_destroy(gl);
}

int main(void) {
  rig_open_test_gl(); /* or skips them all */
  rig_close_test_gl(0);
  const struct CMUnitTest tests[] = {failing_test(the_device_takes_what_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
