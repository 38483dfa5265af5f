/* case_bodies.c: friction of cloth on bodies made of triangles: a patch of cloth on a slope, on a
 * belt that runs and on a table that turns. */
#include <math.h>

#include "analytic.h"
#include "base.h"
#include "cases.h"

enum { SIDE = 5, SUBSTEPS = 20, SLID = 30, SETTLES = 6, BELT = 36, TABLE = 24, TRIANGLES = 12 };
static const double frame_dt = (double)(1.0f / 60.0f);
static const double degree = 3.14159265358979323846 / 180;
static const float thickness = 0.002f;

/* How a ground of triangles lies and goes: tilted about z, shifted along x, turned about y. */
typedef struct ground {
  double tilt, speed, turns; /* rad, m/s, rad/s */
  double hold, rub;
} ground;

static weft_vec3 placed(const ground *g, weft_vec3 p, double time) {
  double turn = g->turns * time, x = (double)p.x + g->speed * time, z = (double)p.z;
  double rx = x * cos(turn) + z * sin(turn), rz = z * cos(turn) - x * sin(turn);
  double y = (double)p.y;
  return weft_v3((float)(rx * cos(g->tilt) + y * sin(g->tilt)),
                 (float)(y * cos(g->tilt) - rx * sin(g->tilt)), (float)rz);
}

/* An uneven cut of a square into triangles, so that none of its edges runs along the motion. */
static weft_mesh flat_mesh(weft_physics_run *run) {
  weft_mesh mesh = {0};
  const weft_grid_desc grid = {.rows = TRIANGLES,
                               .columns = TRIANGLES,
                               .width = 9,
                               .height = 9,
                               .pattern = WEFT_GRID_ALTERNATING,
                               .plane = WEFT_PLANE_XZ};
  if (weft_mesh_grid(&grid, &mesh, &run->err) != WEFT_OK) return mesh;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    weft_vec3 *p = &mesh.positions[i];
    p->x += 0.13f * sinf(7.0f * p->z + 1);
    p->z += 0.11f * sinf(5.0f * p->x + 2);
  }
  return mesh;
}

typedef struct patch {
  double x, y, z, speed; /* of its middle particle */
} patch;

/* What is ridden: where the patch is laid down, frames before and after it is first looked at. */
typedef struct trip {
  double at;
  uint32_t settles, frames, substeps;
} trip;

/* A patch of cloth, 5 cm, that lies on the ground from the start on. Ways are from its first look.
 */
static patch ride(weft_physics_run *run, const ground *g, const trip *t) {
  weft_mesh body = flat_mesh(run), place = flat_mesh(run), cloth = {0};
  patch result = {0, 0, 0, 0};
  const weft_grid_desc grid = {.rows = SIDE,
                               .columns = SIDE,
                               .width = 0.05f,
                               .height = 0.05f,
                               .plane = WEFT_PLANE_XZ,
                               .centre = {(float)t->at, thickness, 0}};
  if (!weft_physics_ok(run) || weft_mesh_grid(&grid, &cloth, &run->err) != WEFT_OK) return result;
  for (uint32_t i = 0; i < cloth.vertex_count; ++i) {
    cloth.positions[i] = placed(&(ground){.tilt = g->tilt}, cloth.positions[i], 0);
  }
  for (uint32_t i = 0; i < body.vertex_count; ++i) {
    body.positions[i] = placed(g, place.positions[i], 0);
  }
  weft_model *model = NULL;
  weft_model_desc desc = {.mesh = &cloth, .material = weft_material_find("tablecloth")};
  if (weft_model_create(&desc, &model, &run->err) == WEFT_OK) {
    const weft_body under = {
        .mesh = &body, .friction_static = (float)g->hold, .friction_dynamic = (float)g->rub};
    weft_params params = {
        .substeps = t->substeps, .self_thickness = thickness, .bodies = &under, .body_count = 1};
    weft_vec3 *to = weft_alloc(body.vertex_count, sizeof *to);
    weft_rig rig;
    weft_rig_open(run, model, &params, &rig);
    uint32_t middle = SIDE * SIDE / 2;
    weft_vec3d start = weft_v3d(0, 0, 0);
    for (uint32_t f = 1; f <= t->settles + t->frames && weft_physics_ok(run); ++f) {
      for (uint32_t i = 0; i < body.vertex_count; ++i) {
        to[i] = placed(g, place.positions[i], f * frame_dt);
      }
      bool moves = g->speed > 0 || g->turns > 0;
      if (moves) weft_solver_move_body(rig.solver, 0, to, &run->err);
      weft_rig_step(&rig, 1);
      if (f != t->settles) continue;
      weft_rig_read(&rig);
      start = weft_rig_at(&rig, middle);
    }
    weft_rig_read(&rig);
    weft_vec3d x = weft_v3d_sub(weft_rig_at(&rig, middle), start);
    result = (patch){x.x, x.y, x.z, rig.v[3 * middle]};
    weft_rig_close(&rig);
    weft_free(to);
  }
  weft_model_destroy(model);
  weft_mesh_free(&cloth);
  weft_mesh_free(&body);
  weft_mesh_free(&place);
  return result;
}

/* ---- a slope ---- */

static void claim_slope(weft_physics_run *run, double angle, double hold, double rub) {
  const ground g = {.tilt = angle, .hold = hold, .rub = rub};
  const double time = SLID * frame_dt;
  const bool sticks = tan(angle) <= hold;
  patch p = ride(run, &g, &(trip){0, sticks ? SETTLES : 0, SLID, SUBSTEPS});
  double way = p.x * cos(angle) - p.y * sin(angle), expected = 0;
  if (!sticks) {
    expected = 0.5 * WEFT_PHYSICS_G * (sin(angle) - rub * cos(angle)) * time * time;
  }
  weft_physics_expect(
      run, weft_physics_text("slope of %.1f deg, mu %g/%g", angle / degree, hold, rub), "m", way,
      expected, expected > 0 ? 0.04 * expected : 1e-5,
      "Coulomb: stays for tan(angle) <= mu_s, else slides by g(sin - mu_k cos) t^2/2 in half a "
      "second",
      "4 %: what is slower than 2 cm/s is held by mu_s, so sliding begins late; a patch that is "
      "kept a "
      "thickness off touches with a few pairs at a time; what stays is "
      "looked at a tenth of a second after it is laid down, and may creep by a part of its "
      "thickness");
}

/* What mu_s holds and mu_k would not stays for as many substeps as one likes. */
static void claim_still(weft_physics_run *run, uint32_t substeps) {
  const ground g = {.tilt = 26.6 * degree, .hold = 0.6, .rub = 0.2};
  patch p = ride(run, &g, &(trip){0, SETTLES, SLID, substeps});
  weft_physics_expect(run,
                      weft_physics_text("slope of 26.6 deg, mu 0.6/0.2, %u substeps", substeps),
                      "m", p.x * cos(g.tilt) - p.y * sin(g.tilt), 0, 0.0001,
                      "Coulomb: stays for tan(angle) <= mu_s, however short a substep is",
                      "a tenth of a millimetre in half a second: it may creep by a part of its "
                      "thickness");
}

/* ---- a belt ---- */

static void claim_belt(weft_physics_run *run) {
  const double mu = 0.25, speed = 1, time = BELT * frame_dt;
  const ground g = {.speed = speed, .hold = mu, .rub = mu};
  patch p = ride(run, &g, &(trip){0, 0, BELT, SUBSTEPS});
  double until = speed / (mu * WEFT_PHYSICS_G);
  double expected = 0.5 * speed * until + speed * (time - until);
  weft_physics_expect(run, "belt: distance in 0.6 s", "m", p.x, expected, 0.02 * expected,
                      "mu g t^2/2 until V/(mu g) = 0.41 s, then V t", "2 %, as on the slope");
  weft_physics_expect(run, "belt: speed after 0.6 s", "m/s", p.speed, speed, 0.02 * speed,
                      "goes along", "2 %, as on the slope");
}

/* ---- a table that turns ---- */

static const double table_mu = 0.5;

static void claim_table(weft_physics_run *run) {
  const double omega = 3, rim = 0.3;
  const ground g = {.turns = omega, .hold = table_mu, .rub = table_mu};
  double z[4] = {rim, 0, 0, 0};
  weft_ode_solve(weft_turntable_slope, &(weft_turntable){omega, table_mu}, 4, 0, TABLE * frame_dt,
                 1e-12, z);
  patch p = ride(run, &g, &(trip){rim, 0, TABLE, 2 * SUBSTEPS});
  double way = hypot(z[0] - rim, z[1]);
  weft_physics_expect(run, "turntable: distance from theory after 0.4 s", "m",
                      hypot(p.x - z[0], p.z - z[1]), 0, 0.02 * way,
                      "Newton's equation with friction mu g against the slip",
                      "2 % of the way, as on the slope; the patch is 5 cm wide");
}

static void on_bodies(weft_physics_run *run) {
  const double mu = 0.5, critical = atan(mu);
  claim_slope(run, critical - degree, mu, mu);
  claim_slope(run, critical - 8 * degree, mu, mu);
  claim_slope(run, critical + 0.2, mu, mu);
  claim_slope(run, critical + 0.5, mu, mu);
  claim_slope(run, atan(0.5), 0.6, 0.2);
  claim_slope(run, atan(0.8), 0.6, 0.2);
  for (uint32_t substeps = 20; substeps <= 160; substeps *= 2) {
    if (substeps != 40 && run->place == WEFT_PHYSICS_GL) continue; /* one is enough there */
    claim_still(run, substeps);
  }
  claim_belt(run);
  claim_table(run);
}

const weft_physics_case weft_case_bodies = {
    "bodies", "Friction of cloth on bodies of triangles is that on shapes",
    "A patch of cloth, 5 cm, lies on a mesh of triangles that is tilted, runs or turns. It stays "
    "or slides as a block does on a plane, goes along with a belt, and is dragged by a turntable.",
    on_bodies};
