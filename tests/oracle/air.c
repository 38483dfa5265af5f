/* air.c: drag on triangles in moving air: pressure along the normal, friction along the surface,
 * both with the square of the speed. */
#include <stdlib.h>

#include "oracle.h"

static double drag_force(oracle *o, double coefficient, double area, double speed, double max) {
  double per_speed = 0.5 * (double)o->p->air_density * coefficient * area * speed; /* kg/s */
  if (per_speed > max) ++o->counts.drag_capped;
  return fmin(per_speed, max);
}

/* Explicit drag would throw a light triangle in a storm back faster than it came; it is cut to what
 * makes up for the whole relative velocity in the time that it acts, if its particles alone bore
 * it. */
static double max_drag(const oracle *o, const uint32_t *t, double time) {
  const double *w = o->s->inverse_masses;
  double lightness = w[t[0]] + w[t[1]] + w[t[2]];
  return lightness > 0 ? 1 / (lightness * time) : INFINITY;
}

static vec force_on(oracle *o, const uint32_t *t, vec wind, double time) {
  vec square = cross(sub(o->x[t[1]], o->x[t[0]]), sub(o->x[t[2]], o->x[t[0]]));
  double area = length(square) / 2, max = max_drag(o, t, time);
  if (area == 0) return (vec){0, 0, 0};
  vec velocity = scale(1.0 / 3, add(o->v[t[0]], add(o->v[t[1]], o->v[t[2]])));
  vec relative = sub(wind, velocity), n = unit(square);
  vec normal = scale(dot(relative, n), n), in_plane = tangential(relative, n);
  double drag = drag_force(o, (double)o->p->drag, area, length(normal), max);
  double skin = drag_force(o, (double)o->p->skin_friction, area, length(in_plane), max);
  o->counts.blown += length(relative) > 0;
  return add(scale(drag, normal), scale(skin, in_plane));
}

void oracle_blow(oracle *o, vec wind, double time) {
  const weft_structure *s = o->s;
  if (!(o->p->air_density > 0 && time > 0)) return;
  vec *forces = oracle_array(s->particle_count, sizeof *forces);
  for (size_t t = 0; t < s->triangle_count; ++t) {
    vec force = force_on(o, s->triangles + 3 * t, wind, time);
    for (size_t k = 3 * t; k < 3 * t + 3; ++k) {
      forces[s->triangles[k]] = along(forces[s->triangles[k]], 1.0 / 3, force);
    }
  }
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    o->v[i] = along(o->v[i], s->inverse_masses[i] * time, forces[i]);
  }
  free(forces);
}
