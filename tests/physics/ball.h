/* ball.h: a closed body of triangles. */
#ifndef WEFT_TESTS_PHYSICS_BALL_H
#define WEFT_TESTS_PHYSICS_BALL_H

#include <math.h>
#include <weft/mesh.h>

#include "base.h"
#include "vec3.h"

/* A ball of rings and segments, its poles on the y axis. */
static inline weft_mesh ball(uint32_t rings, uint32_t segments, float radius, weft_vec3 centre) {
  weft_mesh mesh = {.vertex_count = 2 + (rings - 1) * segments,
                    .triangle_count = 2 * (rings - 1) * segments};
  mesh.positions = weft_alloc(mesh.vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(3 * (size_t)mesh.triangle_count, sizeof *mesh.triangles);
  const double pi = 3.14159265358979;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    uint32_t ring = i == 0 ? 0 : (i - 1) / segments + 1;
    double along = 2 * pi * ((i + segments - 1) % segments + 0.37) / segments;
    double down = pi * ring / rings;
    mesh.positions[i] =
        weft_v3((float)(sin(down) * cos(along)), (float)cos(down), (float)(sin(down) * sin(along)));
    mesh.positions[i] = weft_v3_add(weft_v3_scale(mesh.positions[i], radius), centre);
  }
  uint32_t last = mesh.vertex_count - 1, *t = mesh.triangles;
  for (uint32_t s = 0; s < segments; ++s) {
    uint32_t next = (s + 1) % segments;
    for (uint32_t r = 0; r < rings; ++r) {
      uint32_t above = r == 0 ? 0 : 1 + (r - 1) * segments, below = 1 + r * segments;
      if (r > 0) *t++ = above + s, *t++ = above + next, *t++ = r + 1 == rings ? last : below + s;
      if (r == 0) *t++ = 0, *t++ = below + next, *t++ = below + s;
      if (r > 0 && r + 1 < rings) *t++ = above + next, *t++ = below + next, *t++ = below + s;
    }
  }
  return mesh;
}

#endif
