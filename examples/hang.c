/* hang.c: lets a sheet fall that two corners hold, for a second, and prints what became of it.
 *
 *   hang [FILE.obj]   and writes the sheet as it was, for other programs
 *
 * `weft simulate FILE.obj --pin corners --frames 60 --self-collision off --air-density 0` ends with
 * the same hash: equal hashes mean equal bits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>
#include <weft_kit/weft_kit.h>

/* Every function that can fail returns a result and leaves a sentence. */
static void check(weft_result result, const weft_error *err) {
  if (result == WEFT_OK) return;
  fprintf(stderr, "hang: %s\n", err->message);
  exit(EXIT_FAILURE);
}

/* weft prints nothing. What it would say goes to whoever asks for it. */
static void print_line(weft_log_level level, const char *line, void *user) {
  (void)level, (void)user;
  fprintf(stderr, "hang: %s\n", line);
}

int main(int argc, char **argv) {
  weft_error err = {0};
  weft_log_set(print_line, NULL, WEFT_LOG_WARNING);

  /* A square metre of 32 x 32 vertices, lying. What is zero is the default. */
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {.rows = 32, .columns = 32, .plane = WEFT_PLANE_XZ};
  check(weft_mesh_grid(&grid, &mesh, &err), &err);
  if (argc > 1) check(weft_mesh_export_obj(argv[1], &mesh, NULL, &err), &err);

  /* The model: masses, constraints and pins, for as many solvers as you like. */
  const weft_pin corners = {.rule = WEFT_PIN_CORNERS};
  const weft_model_desc desc = {.mesh = &mesh, .pins = &corners, .pin_count = 1};
  weft_model *model = NULL;
  check(weft_model_create(&desc, &model, &err), &err);

  /* As many substeps and sweeps as keep this cloth from stretching. */
  weft_params params = {0};
  weft_strain_choice choice;
  check(weft_params_choose_for_strain(model, 0, 0, &params, &choice, &err), &err);

  /* On all cores; weft_backend_gl (weft_gl/gl.h) is the GPU, with the same bits. */
  weft_solver *solver = NULL;
  check(weft_solver_create(model, &params, weft_backend_cpu(0), &solver, &err), &err);
  for (int frame = 0; frame < 60; ++frame) check(weft_solver_step(solver, &err), &err);

  weft_metrics metrics;
  uint64_t hash = 0;
  check(weft_solver_metrics(solver, &metrics, &err), &err);
  check(weft_solver_hash(solver, &hash, &err), &err);
  printf("hang: lowest %.3f m, strain p99 %.2f %%, at most %.2f m/s, hash %016" PRIx64 "\n",
         (double)metrics.box_min.y, 100 * metrics.strain_p99, metrics.max_speed, hash);

  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
  return EXIT_SUCCESS;
}
