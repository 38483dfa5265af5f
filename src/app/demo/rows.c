/* rows.c: the table. */
#include "rows.h"

#include <string.h>

static const char *const modes[] = {"Gauss-Seidel", "Jacobi", "hybrid", NULL};
static const char *const methods[] = {"XPBD", "PBD", NULL};
static const char *const schedules[] = {"auto", "colours", "patches", "single", NULL};

#define NUMBER(part, member, label, unit, option, low, high)                                     \
  {                                                                                              \
    WEFT_DEMO_##part, WEFT_DEMO_NUMBER, label, unit, option, offsetof(weft_params, member), low, \
        high, NULL, false                                                                        \
  }
#define COUNT(part, member, label, option, low, high)                                         \
  {                                                                                           \
    WEFT_DEMO_##part, WEFT_DEMO_COUNT, label, "", option, offsetof(weft_params, member), low, \
        high, NULL, false                                                                     \
  }
#define CHOICE(part, member, label, option, choices)                                            \
  {                                                                                             \
    WEFT_DEMO_##part, WEFT_DEMO_CHOICE, label, "", option, offsetof(weft_params, member), 0, 0, \
        choices, false                                                                          \
  }
#define FLAG(part, member, label, option)                                                     \
  {                                                                                           \
    WEFT_DEMO_##part, WEFT_DEMO_FLAG, label, "", option, offsetof(weft_params, member), 0, 1, \
        NULL, false                                                                           \
  }
#define VECTOR(part, member, label, unit, option, reach)                                    \
  {                                                                                         \
    WEFT_DEMO_##part, WEFT_DEMO_VECTOR, label, unit, option, offsetof(weft_params, member), \
        -(reach), reach, NULL, false                                                        \
  }

static const weft_demo_row rows[] = {
    VECTOR(AIR, wind, "wind", "m/s", "wind", 20),
    NUMBER(AIR, gust, "gusts", "", "gust", 0, 1),
    NUMBER(AIR, air_density, "air", "kg/m\xc2\xb3", "air-density", 0, 5),
    VECTOR(AIR, gravity, "gravity", "m/s\xc2\xb2", "gravity", 20),
    NUMBER(AIR, damping, "damping", "/s", "damping", 0, 10),
    NUMBER(AIR, global_damping, "global damping", "/s", "global-damping", 0, 10),
    NUMBER(AIR, thickness, "thickness", "m", "thickness", 0, 0.05f),
    {WEFT_DEMO_AIR, WEFT_DEMO_NUMBER, "grain friction", "", "particle-friction",
     offsetof(weft_params, contact_static), 0, 2, NULL, true},

    COUNT(STRETCH, substeps, "substeps", "substeps", 1, 100),
    COUNT(STRETCH, iterations, "iterations", "iterations", 1, 50),
    COUNT(STRETCH, line_sweeps, "line sweeps", "line-sweeps", 0, 16),
    COUNT(STRETCH, lra, "attachments", "lra", 0, WEFT_MAX_ATTACHMENTS),
    NUMBER(STRETCH, lra_slack, "their slack", "", "lra-slack", 0, 0.2f),
    COUNT(STRETCH, multilevel, "levels", "multilevel", 0, WEFT_ALL_LEVELS),
    COUNT(STRETCH, multilevel_sweeps, "their sweeps", "multilevel-sweeps", 1, 20),
    NUMBER(STRETCH, multilevel_slack, "their slack", "", "multilevel-slack", 0, 0.2f),

    CHOICE(SOLVER, mode, "mode", "mode", modes),
    CHOICE(SOLVER, method, "method", "method", methods),
    CHOICE(SOLVER, schedule, "schedule", "schedule", schedules),
    FLAG(SOLVER, compensated, "compensated", "compensated"),
    NUMBER(SOLVER, pbd_stretch, "PBD stretch", "", "pbd-stretch", 0, 1),
    NUMBER(SOLVER, pbd_bending, "PBD bending", "", "pbd-bending", 0, 1),
    NUMBER(SOLVER, relaxation, "relaxation", "", "relaxation", 0.01f, 1.333f),
    COUNT(SOLVER, hybrid_min, "least colour", "hybrid-min", 0, 1000),
    FLAG(SOLVER, collide_each_iteration, "collide each time", "collide-each-iteration"),
    {WEFT_DEMO_SOLVER, WEFT_DEMO_COUNT, "contact sweeps", "", "contact-iterations",
     offsetof(weft_params, contact_iterations), 1, 50, NULL, true},

    FLAG(SELF, self_collision, "self-collision", "self-collision"),
    NUMBER(SELF, self_thickness, "thickness", "m", "self-thickness", 0, 0.02f),
    NUMBER(SELF, self_static, "static friction", "", "self-static", 0, 2),
    NUMBER(SELF, self_dynamic, "sliding friction", "", "self-dynamic", 0, 2),
    COUNT(SELF, self_steps, "contact steps", "self-steps", 0, 100),
    COUNT(SELF, self_iterations, "pushes", "self-iterations", 1, 16),
};

static const size_t sizes[] = {[WEFT_DEMO_NUMBER] = sizeof(float),
                               [WEFT_DEMO_COUNT] = sizeof(uint32_t),
                               [WEFT_DEMO_FLAG] = sizeof(bool),
                               [WEFT_DEMO_CHOICE] = sizeof(weft_mode),
                               [WEFT_DEMO_VECTOR] = sizeof(weft_vec3)};

const weft_demo_row *weft_demo_row_at(uint32_t index) {
  return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

void weft_demo_row_copy(const weft_demo_row *row, weft_params *to, const weft_params *from) {
  memcpy((char *)to + row->offset, (const char *)from + row->offset, sizes[row->kind]);
}

bool weft_demo_row_same(const weft_demo_row *row, const weft_params *a, const weft_params *b) {
  return memcmp((const char *)a + row->offset, (const char *)b + row->offset, sizes[row->kind]) ==
         0;
}

void weft_demo_rows_carry(weft_params *params, const weft_params *from, const weft_params *to) {
  weft_params carried = *to;
  for (uint32_t k = 0; weft_demo_row_at(k); ++k) {
    const weft_demo_row *row = weft_demo_row_at(k);
    if (!weft_demo_row_same(row, params, from)) weft_demo_row_copy(row, &carried, params);
  }
  *params = carried;
}
