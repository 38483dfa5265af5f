/* air.c: when the air acts, and how the wind blows.
 *
 * Air changes velocities slowly beside what constraints do: drag takes a part of a hundred or so in
 * a millisecond, and where a surface faces changes with how far it goes. So it is asked for in
 * steps of its own, of several substeps, each of which begins with all that the air does meanwhile.
 */
#include <math.h>

#include "inspect.h"
#include "solver.h"

/* m that the air goes past the cloth in a step; m/s that cloth itself is taken to move. */
static const double way = 0.005, cloth_speed = 4.8;

/* Substeps of a step, at most: so shorter substeps end where the equations do. */
static const double longest = 6;

static const double two_pi = 6.283185307179586;

weft_vec3 weft_wind_at(const weft_params *p, double time) {
  double turn = two_pi * time / (double)p->gust_period;
  double swing = 1 + (double)p->gust * (0.6 * sin(turn) + 0.4 * sin(2.3 * turn + 1));
  return weft_v3((float)((double)p->wind.x * swing), (float)((double)p->wind.y * swing),
                 (float)((double)p->wind.z * swing));
}

uint32_t weft_air_steps(const weft_params *p) {
  const weft_vec3d wind = weft_v3d_from(p->wind);
  double speed = cloth_speed + (1 + (double)p->gust) * weft_v3d_length(wind);
  double steps = fmax(round((double)p->frame_dt * speed / way), ceil(p->substeps / longest));
  /* Where some would be of one substep and some of two, each substep is one. */
  return 2 * steps <= p->substeps ? (uint32_t)steps : p->substeps;
}

void weft_air_time(weft_pass *pass, const weft_params *p) {
  pass->when = WEFT_WHEN_STEP_BEGINS;
  pass->substeps = p->substeps;
  pass->long_steps = weft_air_steps(p);
}

float weft_air_dt(const weft_params *p, uint32_t substep) {
  weft_pass air = {0};
  weft_air_time(&air, p);
  uint32_t end = substep + 1;
  if (!weft_pass_runs(&air, substep)) return 0;
  while (end < p->substeps && !weft_pass_runs(&air, end)) ++end;
  return (float)((double)p->frame_dt * (end - substep) / p->substeps);
}
