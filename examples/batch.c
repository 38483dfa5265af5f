/* batch.c: eight curtains, each stiffer than the one before, in one solver.
 *
 * Models of one structure become one: a pass runs for all of them, so many small cloths cost little
 * more than one. They do not touch, and each moves as it would alone, bit for bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

enum { CLOTHS = 8, FRAMES = 30 };

static void check(weft_result result, const weft_error *err) {
  if (result == WEFT_OK) return;
  fprintf(stderr, "batch: %s\n", err->message);
  exit(EXIT_FAILURE);
}

/* Runs a model and gives its positions, to be freed. */
static weft_vec3 *run(const weft_model *model) {
  weft_error err = {0};
  weft_params params = weft_params_default();
  weft_params_plain(&params); /* a joined model has no sweeps over lines */
  weft_solver *solver = NULL;
  weft_vec3 *positions = malloc(weft_model_particle_count(model) * sizeof *positions);
  if (!positions) exit(EXIT_FAILURE);
  check(weft_solver_create(model, &params, weft_backend_cpu(0), &solver, &err), &err);
  for (int frame = 0; frame < FRAMES; ++frame) check(weft_solver_step(solver, &err), &err);
  check(weft_solver_read(solver, positions, NULL, &err), &err);
  weft_solver_destroy(solver);
  return positions;
}

int main(void) {
  weft_error err = {0};
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {.rows = 16, .columns = 16, .plane = WEFT_PLANE_XZ};
  check(weft_mesh_grid(&grid, &mesh, &err), &err);

  /* One mesh and one set of pins; what differs from cloth to cloth is the fabric. */
  weft_model *models[CLOTHS] = {0}, *all = NULL;
  const weft_pin side = {.rule = WEFT_PIN_LEFT};
  for (int k = 0; k < CLOTHS; ++k) {
    weft_material fabric = *weft_material_find("tablecloth");
    fabric.bending *= (float)(1 << (2 * k)); /* up to 16,384 times */
    const weft_model_desc desc = {
        .mesh = &mesh, .material = &fabric, .pins = &side, .pin_count = 1};
    check(weft_model_create(&desc, &models[k], &err), &err);
  }
  check(weft_model_join((const weft_model *const *)models, CLOTHS, &all, &err), &err);
  weft_vec3 *joined = run(all);

  /* Particle i of cloth k is particle k * count + i. */
  const uint32_t count = mesh.vertex_count;
  float lowest[CLOTHS];
  int same = 0;
  for (int k = 0; k < CLOTHS; ++k) {
    const weft_vec3 *cloth = joined + (size_t)k * count;
    lowest[k] = 0;
    for (uint32_t i = 0; i < count; ++i)
      lowest[k] = cloth[i].y < lowest[k] ? cloth[i].y : lowest[k];
    weft_vec3 *alone = run(models[k]);
    same += memcmp(alone, cloth, count * sizeof *alone) == 0;
    free(alone);
  }
  printf("batch: %d cloths, lowest %.3f m to %.3f m, %d as alone\n", CLOTHS, (double)lowest[0],
         (double)lowest[CLOTHS - 1], same);

  free(joined);
  weft_model_destroy(all);
  for (int k = 0; k < CLOTHS; ++k) weft_model_destroy(models[k]);
  weft_mesh_free(&mesh);
  return EXIT_SUCCESS;
}
