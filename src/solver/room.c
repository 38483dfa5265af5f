/* room.c: what helps where lists of self-collision ran full. */
#include "solver.h"
#include "vec3d.h"

/* m; 0 without triangles. */
static double mean_edge(const weft_vec3 *positions, const uint32_t *triangles, uint32_t count) {
  double sum = 0;
  for (size_t c = 0; c < 3 * (size_t)count; ++c) {
    size_t next = c % 3 == 2 ? c - 2 : c + 1;
    sum += weft_v3_distance(positions[triangles[c]], positions[triangles[next]]);
  }
  return count > 0 ? sum / (3 * (double)count) : 0;
}

/* A thickness that was asked for, and the edges that it spans. */
typedef struct span {
  const char *option;
  double thickness, edge; /* m */
} span;

static void take_wider(span *widest, const char *option, float thickness, double edge) {
  const span s = {option, (double)thickness, edge};
  if (edge > 0 && s.thickness * widest->edge > widest->thickness * edge) *widest = s;
}

static span find_widest(const weft_solver *solver) {
  const weft_model *model = solver->model;
  const weft_params *p = &solver->params;
  const double cloth =
      mean_edge(weft_model_rest_positions(model), model->triangles, model->triangle_count);
  span widest = {"", 0, cloth};
  take_wider(&widest, "self-thickness", p->self_thickness, cloth);
  for (uint32_t b = 0; b < p->body_count; ++b) {
    const weft_body *body = &p->bodies[b];
    const bool own = body->thickness > 0;
    const weft_mesh *mesh = body->mesh;
    const double edge = mean_edge(mesh->positions, mesh->triangles, mesh->triangle_count);
    take_wider(&widest, own ? "body-thickness" : "self-thickness",
               own ? body->thickness : p->self_thickness, edge < cloth ? edge : cloth);
  }
  return widest;
}

void weft_tell_room(const weft_solver *solver, uint32_t steps) {
  enum { MOST = 64, WIDE = 2 }; /* pairs a particle; edges that a thickness may span */
  const uint32_t room = solver->params.self_room, more = 2 * room < MOST ? 2 * room : MOST;
  const bool joined = weft_model_part_count(solver->model) > 1;
  const span widest = find_widest(solver);
  const uint32_t made = weft_self_steps(&solver->params),
                 usual = weft_self_steps_unless_given(&solver->params);
  char thick[160] = "", few[80] = "", roomy[80] = "that is the most there is room for";
  if (widest.thickness > WIDE * widest.edge) {
    snprintf(thick, sizeof thick,
             "; a thickness of %.3g m spans %.3g edges of the mesh: make it less (--%s)",
             widest.thickness, widest.thickness / widest.edge, widest.option);
  }
  if (made < usual && made < solver->params.substeps) {
    snprintf(few, sizeof few, "; a contact step of %.3g ms is long: make more (--self-steps)",
             1e3 * (double)solver->params.frame_dt / made);
  }
  if (room < MOST) {
    snprintf(roomy, sizeof roomy, "give more room (--self-room %u, weft_params.self_room)", more);
  }
  weft_log(
      WEFT_LOG_WARNING,
      "in %u contact step%s of the last frame nothing %smoved: more than %u pair%s a particle%s%s; "
      "%s",
      steps, weft_plural(steps), joined ? "of an instance " : "", room, weft_plural(room), thick,
      few, roomy);
}
