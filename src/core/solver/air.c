/* air.c: when the air acts, and how the wind blows.
 *
 * Air changes velocities slowly compared with constraints: drag takes about a hundredth in a
 * millisecond, and the direction that a surface faces changes with its displacement. So its
 * forces are evaluated in steps of several substeps, and their whole impulse acts at the
 * beginning of a step. */
#include <math.h>

#include "inspect.h"
#include "solver.h"

/* Largest displacement of the air past the cloth in a step, m; assumed speed of the cloth, m/s. */
static const double way = 0.005, cloth_speed = 4.8;

/* Most substeps of a step, so that the limit of short substeps is the continuous equation. */
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
  /* If some steps had one substep and some two, each substep is a step. */
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
