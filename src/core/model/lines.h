/* lines.h: the stretch constraints of a cloth as lines, each of which can be solved as a whole.
 *
 * A sweep over single edges carries a correction one edge further. Along a line of edges, in
 * which only neighbours share a particle, the linear system of all projections is tridiagonal
 * and can be solved directly, however long the line: line relaxation, of which one step along
 * rows and one along columns is the alternating direction method (Peaceman and Rachford 1955).
 * For the constraints of a rod this is Deul et al., "Direct position-based solver for stiff
 * rods" (2018). The threads of woven cloth are such lines; on other meshes edges are joined
 * where they continue straight. */
#ifndef WEFT_MODEL_LINES_H
#define WEFT_MODEL_LINES_H

#include "model.h"

enum { WEFT_LINE_MAX = 1024, WEFT_LINE_COLOURS = 64 };

/* Lines are sorted by colour; lines of a colour share no particle. An edge e of line l, offsets[l]
 * <= e < offsets[l+1], goes from particles[2e] to particles[2e+1], which is where the next begins.
 * No line meets a particle twice. */
typedef struct weft_lines {
  uint32_t line_count, edge_count, colour_count;
  uint32_t colour_first[WEFT_LINE_COLOURS + 1]; /* lines */
  uint32_t *offsets;                            /* [line_count+1] at most WEFT_LINE_MAX apart */
  uint32_t *particles;                          /* [2*edge_count] */
  uint32_t *groups;                             /* [edge_count] which group of the model */
  uint32_t *constraints;                        /* [edge_count] which constraint of that group */
} weft_lines;

/* Of undamped equalities of stretch: on a grid those along rows and columns, elsewhere those
 * between particles of which one can move. An edge that nothing continues is a line of its own.
 * The same model gives the same lines. */
void weft_lines_build(const weft_model *model, weft_lines *lines);
void weft_lines_free(weft_lines *lines);

#endif
