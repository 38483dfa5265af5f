/* left.h: what a solver leaves with a model and its copies with other pins, so that the next solver
 * of them need not make it again. */
#ifndef WEFT_MODEL_LEFT_H
#define WEFT_MODEL_LEFT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct weft_left {
  pthread_mutex_t lock; /* of all that follows; several threads may make solvers of a model */
  uint32_t holders;     /* models */
  void *data;           /* NULL: nothing is left */
  uint32_t users;       /* of the data, at this moment */
  void (*release)(void *data);
} weft_left;

/* There is to be one: another solver is made of one that runs, so it is worth its memory. */
void weft_left_want(weft_left **left);
weft_left *weft_left_share(weft_left *left); /* of another model as well; NULL stays NULL */
void weft_left_drop(weft_left *left);

#endif
