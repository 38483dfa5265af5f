/* self_rest.h: cloth at rest for tests of what is cooked for self-collision. */
#ifndef WEFT_TESTS_SELF_REST_H
#define WEFT_TESTS_SELF_REST_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "self_cook.h"

typedef struct rest {
  weft_vec3d *x;
  uint32_t *corners;
  uint32_t particles, triangles, cloth_particles, cloth_triangles;
  size_t room_x, room_corners;
} rest;

static inline uint32_t rest_particle(rest *r, weft_vec3d p) {
  weft_grow((void **)&r->x, &r->room_x, r->particles + 1, sizeof *r->x);
  r->x[r->particles] = weft_v3d((double)(float)p.x, (double)(float)p.y, (double)(float)p.z);
  return r->particles++;
}

static inline void rest_triangle(rest *r, uint32_t a, uint32_t b, uint32_t c) {
  weft_grow((void **)&r->corners, &r->room_corners, 3 * (r->triangles + 1), sizeof(uint32_t));
  uint32_t *at = r->corners + 3 * r->triangles++;
  at[0] = a;
  at[1] = b;
  at[2] = c;
}

/* Where a point of the flat sheet is at rest. */
typedef weft_vec3d rest_map(double u, double v, const double *numbers);
/* Whether a square is left out. */
typedef bool rest_hole(uint32_t column, uint32_t row);

/* Squares with diagonals in turn. `join`: the last column is the first. */
static inline void rest_sheet(rest *r, uint32_t columns, uint32_t rows, double edge, rest_map *map,
                              const double *numbers, rest_hole *hole, bool join) {
  uint32_t first = r->particles, width = join ? columns : columns + 1;
  for (uint32_t i = 0; i <= rows; ++i) {
    for (uint32_t k = 0; k < width; ++k) rest_particle(r, map(k * edge, i * edge, numbers));
  }
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t k = 0; k < columns; ++k) {
      if (hole && hole(k, i)) continue;
      uint32_t a = first + i * width + k, b = first + i * width + (k + 1) % width;
      uint32_t c = a + width, d = b + width;
      if ((i + k) % 2) {
        rest_triangle(r, a, b, c);
        rest_triangle(r, b, d, c);
      } else {
        rest_triangle(r, a, b, d);
        rest_triangle(r, a, d, c);
      }
    }
  }
}

static inline weft_self_surface rest_surface(rest *r) {
  if (r->cloth_triangles == 0) {
    r->cloth_particles = r->particles;
    r->cloth_triangles = r->triangles;
  }
  return (weft_self_surface){.particles = r->particles,
                             .triangles = r->triangles,
                             .cloth_particles = r->cloth_particles,
                             .cloth_triangles = r->cloth_triangles,
                             .positions = r->x,
                             .corners = r->corners,
                             .floor = 1.0 / (1 << 17)};
}

static inline void rest_free(rest *r) {
  weft_free(r->x);
  weft_free(r->corners);
  *r = (rest){0};
}

/* numbers: the height. */
static inline weft_vec3d rest_flat(double u, double v, const double *numbers) {
  return weft_v3d(u, numbers[0], v);
}

/* On a cylinder along v. numbers: its radius. */
static inline weft_vec3d rest_rolled(double u, double v, const double *numbers) {
  double angle = u / numbers[0];
  return weft_v3d(numbers[0] * sin(angle), numbers[0] * cos(angle), v);
}

/* Folded at u = numbers[0], both halves in one plane. */
static inline weft_vec3d rest_folded(double u, double v, const double *numbers) {
  return weft_v3d(u < numbers[0] ? u : 2 * numbers[0] - u, 0, v);
}

/* Flat, round a middle. numbers: its distance. */
static inline weft_vec3d rest_ring(double u, double v, const double *numbers) {
  double angle = u / numbers[0], radius = numbers[0] - v;
  return weft_v3d(radius * sin(angle), 0, numbers[0] - radius * cos(angle));
}

/* Waves both ways. numbers: amplitude and length. */
static inline weft_vec3d rest_wavy(double u, double v, const double *numbers) {
  double k = 6.283185307179586 / numbers[1];
  return weft_v3d(u, numbers[0] * sin(k * u) * cos(0.7 * k * v), v);
}

#endif
