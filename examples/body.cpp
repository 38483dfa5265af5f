// body.cpp: a cloth falls on a box that then shakes and turns; cloth never passes its triangles.
//
// The body is any triangle mesh, a skinned character for instance: before each frame the program
// says where its vertices shall be at the end of it.
#include <weft/weft.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct destroy {
  void operator()(weft_model *model) const { weft_model_destroy(model); }
  void operator()(weft_solver *solver) const { weft_solver_destroy(solver); }
};
using model_ptr = std::unique_ptr<weft_model, destroy>;
using solver_ptr = std::unique_ptr<weft_solver, destroy>;

void check(weft_result result, const weft_error &err) {
  if (result != WEFT_OK) throw std::runtime_error(err.message);
}

// A box of 0.4 x 0.3 x 0.4 m about the origin, seen from outside counter-clockwise.
std::vector<weft_vec3> corners = {
    {-0.2f, -0.15f, -0.2f}, {0.2f, -0.15f, -0.2f}, {0.2f, 0.15f, -0.2f}, {-0.2f, 0.15f, -0.2f},
    {-0.2f, -0.15f, 0.2f},  {0.2f, -0.15f, 0.2f},  {0.2f, 0.15f, 0.2f},  {-0.2f, 0.15f, 0.2f}};
std::vector<uint32_t> sides = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                               2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};

// Where the corners are at a time: still for half a second, then up and down, and turning.
std::vector<weft_vec3> body_at(double seconds) {
  const double moving = std::fmax(0, seconds - 0.5);
  const double turn = 1.5 * moving, rise = 0.1 * std::sin(6 * moving);
  std::vector<weft_vec3> moved = corners;
  for (weft_vec3 &p : moved) {
    const double x = p.x, z = p.z;
    p.x = float(std::cos(turn) * x + std::sin(turn) * z);
    p.y += float(rise);
    p.z = float(std::cos(turn) * z - std::sin(turn) * x);
  }
  return moved;
}

void run() {
  weft_error err = {};

  weft_mesh mesh = {};
  weft_grid_desc grid = {};
  grid.rows = grid.columns = 24;
  grid.plane = WEFT_PLANE_XZ;
  grid.centre = {0, 0.2f, 0};
  check(weft_mesh_grid(&grid, &mesh, &err), err);
  const std::unique_ptr<weft_mesh, void (*)(weft_mesh *)> owned(&mesh, weft_mesh_free);

  weft_model_desc desc = {};
  desc.mesh = &mesh;
  weft_model *made = nullptr;
  check(weft_model_create(&desc, &made, &err), err);
  const model_ptr model(made);

  // A mesh over arrays of one's own; the solver copies it.
  weft_mesh box = {};
  box.vertex_count = uint32_t(corners.size());
  box.triangle_count = uint32_t(sides.size() / 3);
  box.positions = corners.data();
  box.triangles = sides.data();
  weft_body body = {};
  body.mesh = &box;
  body.name = "box";
  body.friction_static = 0.6f;
  body.friction_dynamic = 0.5f;

  weft_params params = {};
  params.bodies = &body;
  params.body_count = 1;
  weft_strain_choice choice;
  check(weft_params_choose_for_strain(model.get(), 0, 0, &params, &choice, &err), err);
  weft_solver *started = nullptr;
  check(weft_solver_create(model.get(), &params, weft_backend_cpu(0), &started, &err), err);
  const solver_ptr solver(started);

  const int frames = 120;
  for (int frame = 1; frame <= frames; ++frame) {
    check(weft_solver_move_body(solver.get(), 0, body_at(frame / 60.0).data(), &err), err);
    check(weft_solver_step(solver.get(), &err), err);
  }

  weft_metrics metrics;
  uint64_t hash = 0;
  check(weft_solver_metrics(solver.get(), &metrics, &err), err);
  check(weft_solver_hash(solver.get(), &hash, &err), err);
  std::printf(
      "body: %d frames, top %.3f m, %u particles inside, strain p99 %.2f %%, hash %016" PRIx64 "\n",
      frames, double(metrics.box_max.y), metrics.body_inside, 100 * metrics.strain_p99, hash);
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "body: %s\n", error.what());
    return 1;
  }
  return 0;
}
