// A C++ program: every public header, and a sheet that falls.
#include <weft/log.h>
#include <weft/structure.h>
#include <weft/weft.h>

#include <cmath>
#include <cstdio>
#include <vector>
#ifdef WITH_GL
#include <weft_gl/gl.h>
#endif
#include <weft_kit/weft_kit.h>

int main() {
  weft_error err = {};
  weft_mesh mesh = {};
  weft_model *model = nullptr;
  weft_solver *solver = nullptr;
  weft_grid_desc grid = {};
  grid.rows = grid.columns = 8;
  weft_model_desc desc = {};
  desc.mesh = &mesh;
  weft_params params = weft_params_default();
  bool made = weft_mesh_grid(&grid, &mesh, &err) == WEFT_OK &&
              weft_model_create(&desc, &model, &err) == WEFT_OK &&
              weft_solver_create(model, &params, weft_backend_ref(), &solver, &err) == WEFT_OK &&
              weft_solver_step(solver, &err) == WEFT_OK;
  std::vector<weft_vec3> positions(weft_model_particle_count(model));
  made = made && weft_solver_read(solver, positions.data(), nullptr, &err) == WEFT_OK;
  if (!made) std::fprintf(stderr, "consumer_cpp: %s\n", err.message);
  // Free fall for a frame: half of g t^2, and a little more for whole steps.
  const float fallen = mesh.positions ? mesh.positions[0].y - positions[0].y : 0;
  std::printf("%u particles fell %.6f m\n", weft_model_particle_count(model), double(fallen));
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
  return made && std::fabs(fallen - 0.5f * 9.81f / 3600) < 0.0001f ? 0 : 1;
}
