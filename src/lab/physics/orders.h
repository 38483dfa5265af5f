/* orders.h: how the distance from theory falls with the substep, from 20 to 1,000 a frame. */
#ifndef WEFT_PHYSICS_ORDERS_H
#define WEFT_PHYSICS_ORDERS_H

#include "case.h"

enum { WEFT_ORDER_RUNS = 6 };
extern const double weft_order_counts[WEFT_ORDER_RUNS]; /* substeps per frame */

/* The same case in doubles; what fails there must be taken over with weft_order_join. */
weft_physics_run weft_order_in_doubles(const weft_physics_run *run);
void weft_order_join(weft_physics_run *run, const weft_physics_run *other);

/* Rows: at every count pairs of floats are as far from theory as doubles. */
void weft_order_claim_near(weft_physics_run *run, const char *name, const double *far,
                           const double *doubles);
/* A row: with twice the substeps the distance is half. */
void weft_order_claim_first(weft_physics_run *run, const char *name, const double *far);

/* Parameters of one of these runs. On the compute backend a frame is one dispatch: the same bits,
 * and no thousands of small ones to wait for. */
weft_params weft_order_params(const weft_physics_run *run, const weft_params *base, int k,
                              bool pairs);

/* Something that is simulated once for each count. `measure` gives its distance from theory. */
typedef double weft_order_measure(weft_physics_run *run, const weft_params *params,
                                  const void *user);
typedef struct weft_order {
  const char *name;
  weft_order_measure *measure;
  const void *user;
  weft_params params; /* substeps and what they are held in are filled in */
  const char *title;  /* of its plot */
  const char *axis;   /* "distance (m)" */
  bool near;          /* a row for each count: pairs of floats are as near as doubles */
  bool doubles_only;  /* the order is claimed in doubles alone */
  bool at_rest;       /* nothing is integrated: no order */
} weft_order;
/* The rows above, and a plot: pairs of floats or doubles, on the reference single floats as well.
 */
void weft_order_run(weft_physics_run *run, const weft_order *order);

#endif
