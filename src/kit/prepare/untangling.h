/* untangling.h: what the files of weft_untangle share. */
#ifndef WEFT_PREPARE_UNTANGLING_H
#define WEFT_PREPARE_UNTANGLING_H

#include <weft_kit/untangle.h>

#include "adjacency.h"
#include "intersections.h"
#include "model.h"
#include "shells.h"
#include "triangle_tree.h"
#include "vec3d.h"

/* A body among all triangles. */
typedef struct loosen_body {
  const weft_mesh *mesh;
  uint32_t first, end; /* triangles */
  weft_shells *shells;
  bool closed;              /* all of it: it has an inside */
  bool inward;              /* its triangles face there */
  weft_triangle_tree *tree; /* of a closed one */
} loosen_body;

/* Particles of one layer. */
typedef struct loosen_layer {
  int32_t number;
  uint32_t *corners; /* of its triangles */
  uint32_t triangles;
  weft_triangle_tree *tree;
} loosen_layer;

/* Cloth, and bodies behind it. Positions are floats at all times, held in doubles. */
typedef struct loosening {
  uint32_t particles, all_particles, triangles, all_triangles;
  weft_vec3d *x, *start; /* [all_particles] */
  uint32_t *corners;     /* [3*all_triangles] */
  bool *fixed;           /* [all_particles] pinned, or a body's */
  weft_edges edges;      /* of all triangles, those of the cloth first */
  uint32_t cloth_edges;
  double *lengths; /* [cloth_edges] at the start */
  uint32_t *piece; /* [particles] which connected piece */
  uint32_t pieces;
  bool *held;       /* [pieces] has a pinned particle, or meets a body: not moved as a whole */
  double stiffness; /* 0 to 0.5 */
  double step;      /* m, most in an iteration */
  double apart;     /* m, aimed at */
  loosen_body *bodies;
  uint32_t body_count;
  const int32_t *layers; /* [particles] or NULL */
  loosen_layer *layer;   /* [layer_count] of triangles, ascending numbers */
  uint32_t layer_count;
  /* Of an iteration. */
  weft_vec3 *rounded; /* [all_particles] */
  weft_crossing *crossings;
  size_t crossing_count;
  uint32_t *region, *region_size; /* [particles] what is connected by edges that cross nothing */
  uint8_t *marks;                 /* [particles] inside of a body */
  bool *wrong;                    /* [particles] of regions: to be brought back */
  uint32_t inside;                /* particles inside of bodies, or behind layers */
  weft_vec3d *moves;              /* [particles] sum of wanted moves, each times its weight */
  double *weights;                /* [particles] */
} loosening;

/* The body of a triangle, NULL for the cloth. */
const loosen_body *weft_untangle_body_of(const loosening *l, uint32_t triangle);
/* Not of unit length; out of a closed body. */
weft_vec3d weft_untangle_normal(const loosening *l, uint32_t triangle);
/* Of unit length; zero where it has none. */
weft_vec3d weft_untangle_unit(weft_vec3d v);

/* A move wanted of particle i, of so much weight. */
void weft_untangle_want(loosening *l, uint32_t i, weft_vec3d move, double weight);
/* The particles [count] shall part by `by` along n: those of positive share along it, the others
 * against it. */
void weft_untangle_part(loosening *l, const uint32_t *particles, const double *shares, int count,
                        weft_vec3d n, double by);

/* Finds crossings, regions, and what moves they want. */
weft_result weft_untangle_look(loosening *l, weft_error *err);
void weft_untangle_regions(loosening *l);
void weft_untangle_crossings(loosening *l);
void weft_untangle_insides(loosening *l);
/* Edges back to their lengths, so many sweeps. */
void weft_untangle_stretch(loosening *l, int sweeps, double stiffness);
/* Once nothing intersects: parts what was moved, and takes out stretch, in moves so small that
 * nothing can meet. Returns the least distance. */
double weft_untangle_settle(loosening *l);

#endif
