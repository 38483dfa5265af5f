/* hung.c: a bead and pendulums that several cases let go. */
#include "hung.h"

#include <string.h>

const weft_hung weft_hung_systems[WEFT_HUNG_SYSTEMS] = {
    {"bead", 1, {0.25}, {0.25}, {2}},
    {"1 link", 1, {1}, {1}, {1.5}},
    {"2 links", 2, {1, 0.5}, {0.5, 0.5}, {1.9, 2.4}},
    {"3 links", 3, {0.5, 1, 0.25}, {0.5, 0.25, 0.25}, {1.6, 2, 1.2}},
    {"8 links",
     8,
     {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125},
     {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125},
     {1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2}},
};

weft_pendulum weft_hung_start(const weft_hung *system) {
  weft_pendulum p = {.links = system->links, .g = WEFT_PHYSICS_G};
  memcpy(p.mass, system->mass, sizeof system->mass);
  memcpy(p.length, system->length, sizeof system->length);
  memcpy(p.angle, system->angle, sizeof system->angle);
  return p;
}

weft_model *weft_hung_model(weft_physics_run *run, const weft_hung *systems, uint32_t count) {
  enum { MOST = WEFT_HUNG_SYSTEMS * (WEFT_HUNG_LINKS + 1) };
  weft_vec3 positions[MOST] = {{0}};
  float masses[MOST] = {0};
  weft_link links[MOST] = {{0}};
  uint32_t particles = 0, link = 0;
  for (uint32_t s = 0; s < count; ++s) {
    weft_pendulum p = weft_hung_start(&systems[s]);
    double x[WEFT_HUNG_LINKS], y[WEFT_HUNG_LINKS];
    weft_pendulum_positions(&p, x, y);
    positions[particles++] = weft_v3(0, 0, (float)s);
    for (uint32_t i = 0; i < p.links; ++i, ++particles) {
      positions[particles] = weft_v3((float)x[i], (float)y[i], (float)s);
      masses[particles] = (float)p.mass[i];
      links[link++] =
          (weft_link){.a = particles - 1, .b = particles, .rest_length = (float)p.length[i]};
    }
  }
  return weft_physics_particles(run, &(weft_particles_desc){.particle_count = particles,
                                                            .positions = positions,
                                                            .masses = masses,
                                                            .links = links,
                                                            .link_count = link});
}
