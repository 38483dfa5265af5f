/* rest.h: meshes and structures for checks of what weft prepares, and a mesh's edges found by
 * sorting: nothing of the code that is checked. */
#ifndef ORACLE_REST_H
#define ORACLE_REST_H

#include "cmocka_all.h"
/* after cmocka */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/structure.h>
#include <weft_kit/import.h>

#include "vector.h"

/* A mesh that is preprocessed, and what the solver of it works on. */
typedef struct rest_case {
  const char *name;
  weft_mesh mesh;
  weft_material fabric;
  weft_model *model;
  weft_solver *solver;
  weft_structure s;
} rest_case;

static inline vec at(const rest_case *c, uint32_t i) {
  weft_vec3 p = c->mesh.positions[i];
  return (vec){(double)p.x, (double)p.y, (double)p.z};
}

static inline void near(double value, double expected, double part, const char *what) {
  if (fabs(value - expected) <= part * fabs(expected)) return;
  fail_msg("%s is %.9g, expected %.9g (1 + %.1g)", what, value, expected, part);
}

/* Takes the mesh over. */
static inline rest_case rest_open(const char *name, weft_mesh mesh, weft_model_desc desc,
                                  weft_params params) {
  rest_case c = {.name = name, .mesh = mesh};
  weft_error err = {0};
  c.fabric = *(desc.material ? desc.material : weft_material_find("tablecloth"));
  params.plain = true;
  desc.mesh = &c.mesh;
  desc.material = &c.fabric;
  if (weft_model_create(&desc, &c.model, &err) != WEFT_OK ||
      weft_solver_create(c.model, &params, weft_backend_f64(), &c.solver, &err) != WEFT_OK ||
      weft_solver_structure(c.solver, &c.s, &err) != WEFT_OK) {
    fail_msg("%s: %s", name, err.message);
  }
  return c;
}

static inline void rest_close(rest_case *c) {
  weft_structure_free(&c->s);
  weft_solver_destroy(c->solver);
  weft_model_destroy(c->model);
  weft_mesh_free(&c->mesh);
}

static inline weft_mesh grid_mesh(uint32_t rows, uint32_t columns, weft_grid_pattern pattern) {
  weft_mesh mesh = {0};
  const weft_grid_desc desc = {.rows = rows,
                               .columns = columns,
                               .width = 0.03f * (float)(columns - 1),
                               .height = 0.04f * (float)(rows - 1),
                               .pattern = pattern};
  assert_int_equal(weft_mesh_grid(&desc, &mesh, NULL), WEFT_OK);
  return mesh;
}

static inline weft_mesh tube_mesh(void) {
  weft_mesh mesh = {0};
  const weft_tube_desc desc = {.rings = 11, .segments = 20};
  assert_int_equal(weft_mesh_tube(&desc, &mesh, NULL), WEFT_OK);
  return mesh;
}

static inline weft_mesh poncho_mesh(void) {
  weft_mesh mesh = {0};
  const weft_poncho_desc desc = {.segments = 24, .rings = 7};
  assert_int_equal(weft_mesh_poncho(&desc, &mesh, NULL), WEFT_OK);
  return mesh;
}

/* False, with a message, where there are no meshes of others. */
static inline bool garment_mesh(const char *file, weft_mesh *mesh) {
  char path[512];
  weft_error err = {0};
  snprintf(path, sizeof path, "%s/garments/%s", WEFT_MESH_DIR, file);
  *mesh = (weft_mesh){0};
  if (weft_mesh_import(path, &(weft_import_desc){0}, mesh, &err) == WEFT_OK) return true;
  print_message("no garment: %s\n", err.message);
  return false;
}

/* ---- edges of a mesh ---- */

typedef struct rest_edge {
  uint32_t a, b;        /* a below b */
  uint32_t opposite[2]; /* in the order of the triangles */
  bool forward;         /* the first triangle runs through it from a to b */
  uint32_t triangles;
  double area; /* m^2 of its first two triangles */
} rest_edge;

typedef struct rest_edges {
  rest_edge *items; /* sorted by (a, b) */
  uint32_t count;
} rest_edges;

static inline double area_of(const rest_case *c, const uint32_t *t) {
  double u = distance(at(c, t[0]), at(c, t[1])), v = distance(at(c, t[1]), at(c, t[2]));
  double w = distance(at(c, t[2]), at(c, t[0])), s = (u + v + w) / 2;
  return sqrt(fmax(0, s * (s - u) * (s - v) * (s - w))); /* Heron */
}

static inline int by_ends(const void *p, const void *q) {
  const rest_edge *e = p, *f = q;
  if (e->a != f->a) return e->a < f->a ? -1 : 1;
  return e->b < f->b ? -1 : e->b > f->b;
}

static inline rest_edge *find_edge(const rest_edges *edges, uint32_t p, uint32_t q) {
  const rest_edge key = {.a = p < q ? p : q, .b = p < q ? q : p};
  return bsearch(&key, edges->items, edges->count, sizeof key, by_ends);
}

static inline rest_edges edges_of(const rest_case *c) {
  rest_edges edges = {.items = calloc(3 * (size_t)c->mesh.triangle_count, sizeof *edges.items)};
  for (uint32_t k = 0; k < 3 * c->mesh.triangle_count; ++k) {
    const uint32_t *t = c->mesh.triangles + 3 * (size_t)(k / 3);
    uint32_t p = t[k % 3], q = t[(k + 1) % 3];
    edges.items[k] = (rest_edge){.a = p < q ? p : q, .b = p < q ? q : p};
  }
  qsort(edges.items, 3 * (size_t)c->mesh.triangle_count, sizeof *edges.items, by_ends);
  for (uint32_t k = 0; k < 3 * c->mesh.triangle_count; ++k) {
    if (k > 0 && by_ends(&edges.items[k], &edges.items[edges.count - 1]) == 0) continue;
    edges.items[edges.count++] = edges.items[k];
  }
  for (uint32_t k = 0; k < 3 * c->mesh.triangle_count; ++k) {
    const uint32_t *t = c->mesh.triangles + 3 * (size_t)(k / 3);
    rest_edge *e = find_edge(&edges, t[k % 3], t[(k + 1) % 3]);
    if (e->triangles == 0) e->forward = t[k % 3] == e->a;
    if (e->triangles < 2) {
      e->opposite[e->triangles] = t[(k + 2) % 3];
      e->area += area_of(c, t);
    }
    ++e->triangles;
  }
  return edges;
}

/* The only group of a role and kind, or NULL. */
static inline const weft_structure_group *group_of(const rest_case *c, weft_constraint_role role,
                                                   weft_constraint_kind kind) {
  for (uint32_t g = 0; g < c->s.group_count; ++g) {
    if (c->s.groups[g].role == role && c->s.groups[g].kind == kind) return &c->s.groups[g];
  }
  return NULL;
}

#endif
