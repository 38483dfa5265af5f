/* shape_mesh.c: shapes as triangles. Corners lie twice the repulsion distance below the surface
 * at which cloth vertices are held, so cloth that rests on its vertices touches no triangle. */
#include "shape_mesh.h"

#include <math.h>

#include "base.h"
#include "shape.h"
#include "vec3d.h"

static const double pi = 3.14159265358979323846;

enum { SECTORS = 5, MOST_ROWS = 16 };

double weft_shape_push(const weft_shape_use *use) {
  return fmax(use->thickness / 4, 8 * use->least);
}

/* Height of the corners above the surface. */
static double lift_of(const weft_shape_use *use) {
  return use->thickness - 2 * weft_shape_push(use);
}

double weft_shape_rise(const weft_shape_use *use) { return fmin(0, lift_of(use)); }

static void allocate(weft_shape_mesh *mesh, uint32_t points, uint32_t triangles) {
  mesh->points = weft_alloc(points, sizeof *mesh->points);
  mesh->triangles = weft_alloc(3 * (size_t)triangles, sizeof *mesh->triangles);
}

void weft_shape_mesh_free(weft_shape_mesh *mesh) {
  weft_free(mesh->points);
  weft_free(mesh->triangles);
  *mesh = (weft_shape_mesh){0};
}

static void add_point(weft_shape_mesh *mesh, double x, double y, double z, double along) {
  mesh->points[mesh->point_count++] = (vec4){(float)x, (float)y, (float)z, (float)along};
}

static void add_triangle(weft_shape_mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *to = &mesh->triangles[3 * (size_t)mesh->triangle_count++];
  to[0] = a, to[1] = b, to[2] = c;
}

/* ---- balls, and solids of revolution ----
 *
 * Row k from a pole has 5k corners. A row and the next one form 5 sectors of 2k - 1 triangles. */

static void add_row(weft_shape_mesh *mesh, uint32_t row, uint32_t rows, double pole, double radius,
                    double along) {
  const double polar = pi / 2 * row / rows, height = radius * cos(polar);
  const uint32_t corners = row ? SECTORS * row : 1;
  for (uint32_t k = 0; k < corners; ++k) {
    double turn = 2 * pi * k / corners;
    add_point(mesh, radius * sin(polar) * cos(turn), radius * sin(polar) * sin(turn),
              row == rows ? 0 : pole * height, along);
  }
}

/* Triangles between row - 1, whose corners begin at `inner`, and row; `over`: seen from the pole
 * above. */
static void join_cap(weft_shape_mesh *mesh, uint32_t row, uint32_t inner, uint32_t outer,
                     bool over) {
  const uint32_t in = row > 1 ? SECTORS * (row - 1) : 1, out = SECTORS * row;
  for (uint32_t s = 0; s < SECTORS; ++s) {
    for (uint32_t k = 0; k < row; ++k) {
      uint32_t a = outer + s * row + k, b = outer + (s * row + k + 1) % out;
      uint32_t c = inner + (s * (row - 1) + k) % in, d = inner + (s * (row - 1) + k + 1) % in;
      add_triangle(mesh, over ? a : b, over ? b : a, c);
      if (k + 1 < row) add_triangle(mesh, over ? c : d, b, over ? d : c);
    }
  }
}

static void join_belt(weft_shape_mesh *mesh, uint32_t rows, uint32_t above, uint32_t below) {
  const uint32_t corners = SECTORS * rows;
  for (uint32_t k = 0; k < corners; ++k) {
    uint32_t next = (k + 1) % corners;
    add_triangle(mesh, below + k, below + next, above + k);
    add_triangle(mesh, above + k, below + next, above + next);
  }
}

/* belts: rows along the axis, 0 for a ball. */
static void make_round(weft_shape_mesh *mesh, uint32_t rows, uint32_t belts, double radius) {
  const uint32_t cap = 1 + SECTORS * rows * (rows + 1) / 2, ring = SECTORS * rows;
  allocate(mesh, 2 * cap + belts * ring - ring, 2 * SECTORS * rows * rows + 2 * belts * ring);
  for (uint32_t row = 0; row <= rows; ++row) {
    uint32_t outer = mesh->point_count, inner = outer - (row > 1 ? SECTORS * (row - 1) : 1);
    add_row(mesh, row, rows, 1, radius, belts > 0);
    if (row) join_cap(mesh, row, inner, outer, true);
  }
  for (uint32_t belt = 1; belt <= belts; ++belt) {
    add_row(mesh, rows, rows, 1, radius, 1 - belt / (double)belts);
    join_belt(mesh, rows, mesh->point_count - 2 * ring, mesh->point_count - ring);
  }
  for (uint32_t row = rows; row-- > 0;) {
    uint32_t inner = mesh->point_count;
    add_row(mesh, row, rows, -1, radius, 0);
    join_cap(mesh, row + 1, inner, inner - SECTORS * (row + 1), false);
  }
}

static weft_vec3d point_at(const weft_shape_mesh *mesh, uint32_t corner) {
  const vec4 p = mesh->points[corner];
  return weft_v3d((double)p.x, (double)p.y, (double)p.z);
}

/* Inradius of the triangulated unit ball. */
static double depth_of(uint32_t rows) {
  weft_shape_mesh ball = {0};
  make_round(&ball, rows, 0, 1);
  double least = cos(pi / (SECTORS * rows)); /* of a solid of revolution */
  for (size_t t = 0; t < ball.triangle_count; ++t) {
    const uint32_t *c = &ball.triangles[3 * t];
    weft_vec3d a = point_at(&ball, c[0]);
    weft_vec3d n = weft_v3d_cross(weft_v3d_sub(point_at(&ball, c[1]), a),
                                  weft_v3d_sub(point_at(&ball, c[2]), a));
    least = fmin(least, fabs(weft_v3d_dot(n, a)) / weft_v3d_length(n));
  }
  weft_shape_mesh_free(&ball);
  return least;
}

/* How deep a cloth face can reach below a ball at whose surface its corners are held. */
static double dip_of(double radius, double edge) {
  double reach = edge / sqrt(3); /* circumradius of a face */
  return reach < radius ? radius - sqrt(radius * radius - reach * reach) : radius;
}

static bool round_mesh(const weft_collider *shape, const weft_shape_use *use, double length,
                       weft_shape_mesh *mesh) {
  const double push = weft_shape_push(use), lift = lift_of(use), given = (double)shape->radius;
  double radius = given + lift;
  if (radius < 4 * push) return false;
  double inner = fmin(given, radius);
  if (dip_of(radius + 2 * push, use->edge) > push) {
    inner -= fmax(0.00025, given / 200); /* cloth faces rest on the triangles */
  } else {
    radius = 0.9 * inner; /* cloth rests on its corners; the triangles only keep it from passing
                             through */
    inner = 0.9 * radius;
  }
  uint32_t rows = 2;
  while (rows < MOST_ROWS && radius * depth_of(rows) < inner) ++rows;
  double side = 2 * pi * radius / (SECTORS * rows);
  bool axis = weft_shape_infos[shape->shape].axis && (length > 0 || shape->key_count > 0);
  make_round(mesh, rows, axis ? (uint32_t)fmin(32, fmax(1, round(length / (2 * side)))) : 0,
             radius);
  return true;
}

/* ---- boxes ---- */

static bool box_mesh(const weft_collider *shape, const weft_shape_use *use, weft_shape_mesh *mesh) {
  static const uint32_t corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const double lift = weft_shape_rise(use);
  const weft_vec3d h =
      weft_v3d((double)shape->half_size.x + lift, (double)shape->half_size.y + lift,
               (double)shape->half_size.z + lift);
  if (fmin(h.x, fmin(h.y, h.z)) < 4 * weft_shape_push(use)) return false;
  allocate(mesh, 8, 12);
  for (uint32_t k = 0; k < 8; ++k) {
    add_point(mesh, k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z, 0);
  }
  for (uint32_t t = 0; t < 12; ++t) add_triangle(mesh, corners[t][0], corners[t][1], corners[t][2]);
  return true;
}

/* Length of its axis at the start, m. */
static double length_of(const weft_collider *shape) {
  const bool keyed = shape->key_count > 0;
  return weft_v3_distance(keyed ? shape->keys[0].a : shape->a, keyed ? shape->keys[0].b : shape->b);
}

bool weft_shape_mesh_make(const weft_collider *shape, const weft_shape_use *use,
                          weft_shape_mesh *mesh) {
  *mesh = (weft_shape_mesh){0};
  switch (weft_shape_infos[shape->shape].size) {
    case WEFT_SHAPE_ENDLESS:
      return false;
    case WEFT_SHAPE_RADIUS:
      return round_mesh(shape, use, length_of(shape), mesh);
    case WEFT_SHAPE_HALF:
      return box_mesh(shape, use, mesh);
  }
  return false;
}
