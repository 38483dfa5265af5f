/* peer.h: the sheet that all programs here simulate, and the command line and report that they
 * share. A program gives how it makes, steps and reads its cloth. */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>

/* A square sheet of `size` by `size` particles of equal mass, 1 m a side, held out level with a
 * ripple of a millimetre, so that it folds by the scene and not by rounding. It lies
 * about the origin, where floats are finest: (x - old)/dt loses the part of gravity that rounding
 * of x takes. The corners of row 0 are pinned. Particle (row, column) is number row*size + column.
 */
enum { PEER_SUBSTEPS = 20, PEER_COLOURS = 10 };
#define PEER_DT (1.0 / 60 / PEER_SUBSTEPS) /* s, of a substep */
#define PEER_GRAVITY 9.81                  /* m/s^2, down y */

/* Hard distance constraints between (row, column) and (row + down, column + right): along threads,
 * on one diagonal, and on every second particle against bending. No two of a colour share a
 * particle. Each substep projects colour after colour, once. */
typedef struct peer_colour {
  int down, right, phase; /* phase 0 or 1: its rows or columns, taken by spans, are even or odd */
} peer_colour;
extern const peer_colour peer_colours[PEER_COLOURS];

/* Whether the colour has a constraint that begins at (row, column), and its length at rest, m. */
bool peer_has(const peer_colour *colour, int size, int row, int column);
float peer_rest(const peer_colour *colour, int size);
/* Constraints of the colour, and of all. */
int peer_count(const peer_colour *colour, int size);
int peer_count_all(int size);

/* Where particle (row, column) begins, m, and its inverse mass: 0 pinned, else 1. Hard constraints
 * move particles by ratios of masses alone. */
void peer_start(int size, int row, int column, float xyz[3]);
float peer_inverse_mass(int size, int row, int column);

/* What a program is given. */
typedef struct peer_task {
  int size, threads, frames;
  const char *positions; /* file to write, floats; NULL: none */
  const char *order;     /* file of constraints in the order of their projection, a line
                            "COLOUR A B" each; NULL: none. weft_links writes it, coloured reads it */
} peer_task;

typedef struct peer_program {
  const char *name;
  void *(*create)(const peer_task *task);           /* NULL: failed, and said why on stderr */
  bool (*step)(void *cloth);                        /* a frame; false: failed */
  bool (*read)(void *cloth, float (*positions)[3]); /* [size*size] m */
  void (*destroy)(void *cloth);
} peer_program;

/* Runs PROGRAM SIZE THREADS FRAMES [POSITIONS [ORDER]] and prints a line of JSON. What main
 * returns: 0 done, 1 failed, 2 usage. */
int peer_main(const peer_program *program, int argc, char **argv);

/* Memory, zeroed and aligned for vectors; ends the program where there is none. */
void *peer_alloc(unsigned long bytes);

#endif
