/* weft_kit/fit.h: garments that start partly inside of bodies, or through them, brought outside.
 */
#ifndef WEFT_KIT_FIT_H
#define WEFT_KIT_FIT_H

#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialise; model, params and backend are required. */
typedef struct weft_fit_desc {
  const weft_model *model;   /* a cloth, not a joined one */
  const weft_params *params; /* with bodies, closed ones; where the cloth begins is params.start */
  const weft_backend *backend; /* all but weft_backend_f64 come to the same bits */
  float seconds;  /* simulated, in which bodies grow from their eroded to their true shape, 0.01 to
                     100. Default 1 */
  bool hold_pins; /* pinned particles stay where they are. Default false: they are free to make
                     way, and pinned again in what is made of the result */
} weft_fit_desc;

/* How cloth and bodies lie to each other. */
typedef struct weft_fit_state {
  uint32_t inside;      /* particles inside of a body */
  uint64_t with_bodies; /* pairs of a triangle of the cloth and one of a body that intersect */
  uint64_t with_itself; /* pairs of triangles of the cloth that intersect */
  double strain_p99;    /* of the metrics: against the rest lengths of the model */
} weft_fit_state;

/* What came of it. */
typedef struct weft_fit_report {
  weft_fit_state before, after;
  double eroded;   /* m: how far the vertex of a body that went furthest was moved inwards */
  uint32_t frames; /* that were simulated; 0 where nothing was to be done */
  uint32_t held;   /* vertices of bodies that cloth without room kept from their true place */
} weft_fit_report;

/* Brings cloth outside of its bodies. Each body is made smaller, towards its own middle, where
 * cloth is inside, until it neither meets nor holds any of it; then it grows back while the cloth
 * is simulated, without gravity, wind, or friction and with strong damping. Cloth passes no surface
 * on the way (weft/body.h), so what is outside of the small body is outside of the true one at the
 * end. Moving colliders stand still as at time 0. Triangles that intersect others of the cloth may
 * do so afterwards.
 *
 * positions, [particle_count] metres, are for weft_params.start: no particle is inside of a body
 * and no triangle intersects one of a body. Where that is so from the beginning they are those that
 * the cloth begins with. *report may be NULL.
 *
 * WEFT_ERROR_TANGLED, with what is left and the first pairs of triangles, where the cloth does not
 * come clear within four times as many seconds, and where it does not fit: it is clear, and
 * strain_p99 is above 1, which no fabric takes. *report is filled then, and positions are as far as
 * it came. WEFT_ERROR_MESH for a body that is open or broken; WEFT_ERROR_ARGUMENT without bodies,
 * for seconds out of range, joined models, and what solvers refuse. */
WEFT_API weft_result weft_fit(const weft_fit_desc *desc, weft_vec3 *positions,
                              weft_fit_report *report, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
