/* orders.c: runs of many short substeps, in pairs of floats, in doubles and in single floats. */
#include "orders.h"

const double weft_order_counts[WEFT_ORDER_RUNS] = {20, 50, 100, 200, 400, 1000};

weft_physics_run weft_order_in_doubles(const weft_physics_run *run) {
  weft_physics_run other = *run;
  other.backend = weft_backend_f64();
  other.place = WEFT_PHYSICS_F64;
  return other;
}

void weft_order_join(weft_physics_run *run, const weft_physics_run *other) {
  if (weft_physics_ok(run) && !weft_physics_ok(other)) run->err = other->err;
}

/* ---- claims ---- */

void weft_order_claim_near(weft_physics_run *run, const char *name, const double *far,
                           const double *doubles) {
  for (int k = 0; k < WEFT_ORDER_RUNS; ++k) {
    weft_physics_expect(
        run, weft_physics_text("%s, %.0f substeps", name, weft_order_counts[k]), "m", far[k],
        doubles[k], 1e-6, "the same substeps in double precision",
        "rounding of 48 bits is lost among nanometres; positions are read as single floats");
  }
}

void weft_order_claim_first(weft_physics_run *run, const char *name, const double *far) {
  weft_physics_expect(run, weft_physics_text("%s, order", name), "",
                      -weft_physics_slope(WEFT_ORDER_RUNS - 2, weft_order_counts + 2, far + 2), 1,
                      0.1, "the method is of first order: slope over 100 to 1,000 substeps",
                      "what the next order adds at 100 substeps");
}

/* ---- what is simulated once for each count ---- */

weft_params weft_order_params(const weft_physics_run *run, const weft_params *base, int k,
                              bool pairs) {
  weft_params params = *base;
  params.substeps = (uint32_t)weft_order_counts[k];
  params.compensated = pairs;
  if (run->place == WEFT_PHYSICS_GL) params.schedule = WEFT_SCHEDULE_SINGLE;
  return params;
}

static void measure(weft_physics_run *run, const weft_order *order, bool pairs, double *far) {
  for (int k = 0; k < WEFT_ORDER_RUNS; ++k) {
    weft_params params = weft_order_params(run, &order->params, k, pairs);
    far[k] = order->measure(run, &params, order->user);
  }
}

static void draw(weft_physics_run *run, const weft_order *order, const char *kind,
                 const double *far) {
  uint32_t plot = weft_physics_plot(run, &(weft_physics_axes){order->title, "substeps per frame",
                                                              order->axis, true, true, false});
  weft_physics_curve(run, plot, kind, WEFT_ORDER_RUNS, weft_order_counts, far);
  if (order->at_rest) return;
  double first[WEFT_ORDER_RUNS];
  for (int k = 0; k < WEFT_ORDER_RUNS; ++k) {
    first[k] = far[0] * weft_order_counts[0] / weft_order_counts[k];
  }
  weft_physics_theory(run, plot, "slope -1", WEFT_ORDER_RUNS, weft_order_counts, first);
}

static void run_singles(weft_physics_run *run, const weft_order *order) {
  double far[WEFT_ORDER_RUNS];
  measure(run, order, false, far);
  draw(run, order, "single floats", far);
  if (!order->near) return;
  weft_physics_note(run, weft_physics_text("%s, 1000 substeps, single floats", order->name), "m",
                    far[WEFT_ORDER_RUNS - 1], "no claim: what pairs are for");
}

void weft_order_run(weft_physics_run *run, const weft_order *order) {
  bool wide = weft_physics_is_double(run);
  double here[WEFT_ORDER_RUNS], doubles[WEFT_ORDER_RUNS];
  measure(run, order, true, here);
  draw(run, order, wide ? "doubles" : "pairs of floats", here);
  if (order->near && !wide) {
    weft_physics_run f64 = weft_order_in_doubles(run);
    measure(&f64, order, false, doubles);
    weft_order_join(run, &f64);
    weft_order_claim_near(run, order->name, here, doubles);
  }
  if (!order->at_rest && (!order->doubles_only || wide))
    weft_order_claim_first(run, order->name, here);
  if (run->place == WEFT_PHYSICS_REF) run_singles(run, order);
}
