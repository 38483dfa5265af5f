/* steps_lines.c: a rope that swings and a chain that hangs between two points, in shorter and
 * shorter substeps. */
#include "steps_lines.h"

#include <math.h>

#include "analytic.h"
#include "orders.h"

static const double frame_dt = (double)(1.0f / 60.0f);

/* ---- a rope, let go straight and aslant ---- */

enum { ROPE = 16, SWINGS = 30 };
static const double rope_link = 1.0 / ROPE, rope_angle = 0.6; /* m, rad */

typedef struct rope_path {
  double x[SWINGS + 1][ROPE], y[SWINGS + 1][ROPE];
} rope_path;

/* While it is taut a rope is a chain of rods. */
static void solve_rope(rope_path *path) {
  weft_pendulum p = {.links = ROPE, .g = WEFT_PHYSICS_G};
  for (int i = 0; i < ROPE; ++i) {
    p.mass[i] = rope_link;
    p.length[i] = rope_link;
    p.angle[i] = rope_angle;
  }
  for (int f = 0; f <= SWINGS; ++f) {
    if (f) weft_pendulum_advance(&p, frame_dt, 1e-10);
    weft_pendulum_positions(&p, path->x[f], path->y[f]);
  }
}

static weft_model *make_rope(weft_physics_run *run, const rope_path *path) {
  weft_vec3 positions[ROPE + 1] = {{0}};
  float masses[ROPE + 1] = {0};
  weft_link links[ROPE];
  for (uint32_t i = 0; i < ROPE; ++i) {
    positions[i + 1] = weft_v3((float)path->x[0][i], (float)path->y[0][i], 0);
    masses[i + 1] = (float)rope_link;
    links[i] = (weft_link){
        .a = i, .b = i + 1, .rest_length = (float)rope_link, .sense = WEFT_SENSE_AT_MOST};
  }
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = ROPE + 1,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = ROPE});
}

static double swing_rope(weft_physics_run *run, const weft_params *params, const void *user) {
  const rope_path *path = user;
  weft_model *model = make_rope(run, path);
  weft_rig rig;
  double max = 0;
  weft_rig_open(run, model, params, &rig);
  for (int f = 1; f <= SWINGS && weft_physics_ok(run); ++f) {
    weft_rig_step(&rig, 1);
    weft_rig_read(&rig);
    for (uint32_t i = 0; i < ROPE; ++i) {
      weft_vec3d at = weft_rig_at(&rig, i + 1);
      max = fmax(max, hypot(at.x - path->x[f][i], at.y - path->y[f][i]));
    }
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return max;
}

/* ---- a catenary, laid out as it hangs ---- */

enum { CHAIN = 16, RESTS = 60 };
static const double chain_length = 1.25; /* m, over a span of 1 m */

typedef struct chain_pose {
  double x[CHAIN + 1], y[CHAIN + 1];
} chain_pose;

static weft_model *make_catenary(weft_physics_run *run, const chain_pose *pose) {
  weft_vec3 positions[CHAIN + 1];
  float masses[CHAIN + 1] = {0};
  weft_link links[CHAIN];
  for (uint32_t i = 0; i <= CHAIN; ++i) {
    positions[i] = weft_v3((float)pose->x[i], (float)pose->y[i], 0);
    if (i && i < CHAIN) masses[i] = 0.05f;
    if (i == CHAIN) break;
    links[i] = (weft_link){.a = i, .b = i + 1, .rest_length = (float)(chain_length / CHAIN)};
  }
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = CHAIN + 1,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = CHAIN});
}

static double hang_catenary(weft_physics_run *run, const weft_params *params, const void *user) {
  const chain_pose *pose = user;
  weft_model *model = make_catenary(run, pose);
  weft_rig rig;
  double max = 0;
  weft_rig_open(run, model, params, &rig);
  weft_rig_step(&rig, RESTS);
  weft_rig_read(&rig);
  for (uint32_t i = 0; i <= CHAIN && weft_physics_ok(run); ++i) {
    weft_vec3d at = weft_rig_at(&rig, i);
    max = fmax(max, hypot(at.x - pose->x[i], at.y - pose->y[i]));
  }
  weft_rig_close(&rig);
  weft_model_destroy(model);
  return max;
}

void weft_steps_of_lines(weft_physics_run *run) {
  static rope_path path;
  chain_pose pose;
  solve_rope(&path);
  weft_chain_sag(1, chain_length, CHAIN, pose.x, pose.y);
  const weft_order rope = {.name = "rope",
                           .measure = swing_rope,
                           .user = &path,
                           .title = "Max distance from theory in 0.5 s: rope of 16 links",
                           .axis = "distance (m)",
                           .near = true};
  const weft_order catenary = {.name = "catenary",
                               .measure = hang_catenary,
                               .user = &pose,
                               .params = {.damping = 8},
                               .title = "Max distance from statics after 1 s: catenary of 16 links",
                               .axis = "distance (m)",
                               .near = true,
                               .at_rest = true};
  weft_order_run(run, &rope);
  weft_order_run(run, &catenary);
}
