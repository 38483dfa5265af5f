/* levels.h: coarser and coarser copies of a cloth, which are projected first against stretch.
 *
 * A sweep over constraints carries a correction one edge further, so the finer a mesh, the more
 * it stretches. Mueller ("Hierarchical Position Based Dynamics", 2008) projects coarse levels
 * first. Here a node of a level is not one particle but a weighted mean of the nodes below it,
 *
 *     X_c = sum_i m_i w_ic x_i / M_c,   M_c = sum_i m_i w_ic,   sum_c w_ic = 1
 *
 * and a correction D_c of it moves each of them by w_ic D_c. Then two corrections of equal
 * momentum along X_a - X_b are a projection of a constraint on particles like any other, of
 * gradient m_i w_ia / M_a, and conserve linear and angular momentum. Single particles as nodes
 * would not (and they overshoot: strain grows).
 *
 * Two nodes that are D apart on the flat cloth can come nearer when it folds, but never further
 * apart while it does not stretch: a mean of points moves no further than the points do. So
 * coarse constraints act only when stretched, and leave folds alone.
 *
 * Pinned particles are in no mean; they are fixed nodes of their own on every level where an
 * edge needs them. */
#ifndef WEFT_MODEL_LEVELS_H
#define WEFT_MODEL_LEVELS_H

#include "model.h"

enum { WEFT_MAX_LEVELS = 24, WEFT_LEVEL_PARENTS = 4, WEFT_LEVEL_COLOURS = 64 };

typedef struct weft_level {
  uint32_t node_first, node_count; /* node numbers run over all levels, coarsest last */
  uint32_t edge_first, edge_count; /* edges likewise, sorted by colour */
  uint32_t colour_count;
  uint32_t colour_first[WEFT_LEVEL_COLOURS + 1]; /* from edge_first */
} weft_level;

/* Rows are numbered finest first: particle i is row i, node k of all levels is row
 * particle_count + k. */
typedef struct weft_levels {
  uint32_t particle_count, level_count, node_count, edge_count;
  weft_level level[WEFT_MAX_LEVELS]; /* level[0] is the finest of the coarse ones */
  double *inverse_masses;            /* [node_count] 1/kg, 0 for fixed nodes */
  double *positions;                 /* [3*node_count] m, at rest */
  uint32_t *parents; /* [4*(particle_count+node_count)] nodes of the level above; UINT32_MAX past
                        the last; of fixed rows and of the coarsest level none */
  double *weights;   /* the same shape: w, in (0, 1] */
  uint32_t *child_offsets; /* [node_count+1] */
  uint32_t *children;      /* rows, ascending */
  double *shares;          /* of each child: m w / M, summing to 1; a fixed node has one child */
  uint32_t *edges;         /* [2*edge_count] nodes */
  double *lengths;         /* [edge_count] m: largest distance of the two on unstretched cloth */
} weft_levels;

/* At most `most` levels; fewer where a level would have no edges or hardly fewer nodes than the one
 * below. None at all where weft_has_levels says so. The same model gives the same bits. */
bool weft_has_levels(const weft_model *model);
void weft_levels_build(const weft_model *model, uint32_t max, weft_levels *levels);
void weft_levels_free(weft_levels *levels);

/* ---- construction ---- */

/* A level from which the next one is made. */
typedef struct weft_level_nodes {
  uint32_t count;
  uint32_t rows, columns; /* node (row, column) is row*columns + column; extra fixed nodes follow */
  uint32_t *row_at, *column_at; /* [rows], [columns] their rows and columns in the mesh's grid */
  double *masses;               /* [count] kg, 0 for fixed nodes */
  bool *fixed;                  /* [count] */
  double *positions;            /* [3*count] at rest */
  double *flat;                 /* [2*count] m along rows and columns, as if unrolled */
  double *spread;               /* [count] m^2: variance of a node's particles about their mean */
  uint32_t *particles;          /* [count] the particle of a fixed node, or the seed of the seed */
  uint32_t edge_count;
  uint32_t *edges; /* [2*edge_count] neighbours in the cloth, each pair once; none of particles */
  double *lengths; /* [edge_count] m along the cloth */
} weft_level_nodes;

/* The coarser nodes, and the parents of each finer node. */
typedef struct weft_coarsening {
  uint32_t count;
  uint32_t rows, columns; /* as in weft_levels */
  uint32_t *row_at, *column_at;
  uint32_t *seeds;   /* [count] the finer node at which a coarse one is; fixed if that is */
  uint32_t *parents; /* [4*finer count] UINT32_MAX past the last */
  double *weights;   /* [4*finer count] above 0, sum 1 per finer node; the seed of a node has
                        that node as a parent. Pins that hold no node may have no parents */
} weft_coarsening;

/* The children of each coarser node. */
typedef struct weft_level_members {
  uint32_t *offsets; /* [coarser count+1] */
  uint32_t *finer;   /* ascending */
  double *shares;    /* sum 1 per coarser node; fixed finer nodes have none, except that a fixed
                        coarser node is its seed */
} weft_level_members;

/* Every second row and column. False when the lattice is too small for it. */
bool weft_coarsen_lattice(const weft_level_nodes *finer, weft_coarsening *out);
/* The same along rows and columns: lengths that unrolled means are apart. */
void weft_lattice_edges(const weft_level_nodes *finer, const weft_coarsening *coarsening,
                        const weft_level_members *members, weft_level_nodes *coarser);

/* Pins that are no nodes but hold nodes: see levels_anchors.c. Appends to all but the first. */
void weft_anchor_nodes(const weft_level_nodes *finer, weft_coarsening *coarsening,
                       weft_level_members *members, weft_level_nodes *coarser);

/* Frees what weft_coarsen_ functions made. */
void weft_coarsening_free(weft_coarsening *coarsening);

#endif
