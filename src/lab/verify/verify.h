/* verify.h: whether a backend computes what the reference computes, as data.
 *
 * Every level compares the reference with another backend bit by bit; they differ in how much runs
 * between two comparisons: nothing (layout), one pass over made-up data (kernels), the passes of
 * one substep, every substep of many frames (trajectory), whole runs (repeat). Nothing is printed:
 * each function fills in findings. It returns an error only for what kept it from comparing, with
 * what was found until then; what differs is no error but a finding. */
#ifndef WEFT_VERIFY_H
#define WEFT_VERIFY_H

#include <weft_gl/gl.h>

#include "inspect.h"
#include "intersections_seen.h"
#include "scenes.h"
#include "watch.h"

typedef struct weft_verify_request {
  /* Makes the scene that is compared; each level makes its own and frees it. */
  weft_result (*make_scene)(void *user, weft_scene_instance *scene, weft_error *err);
  void *user;
  const weft_backend *backend; /* compared with the reference; repeat opens its own */
  weft_gl *gl;                 /* the backend's context; NULL for a backend without */
  bool exact;                  /* whether the driver keeps to IEEE (weft_gl_probe.exact): else a
                                  trajectory may leave the reference by BOUND_ULPS a substep */
  weft_gl_desc gl_desc;        /* of contexts that levels open by themselves */
  uint32_t frames;             /* of a trajectory and a run; before the substep */
  uint64_t seed;               /* of made-up data */
  const char *pass;            /* the only one of the level kernel; NULL: all */
} weft_verify_request;

/* What two arrays of 32-bit words hold differently. */
typedef struct weft_difference {
  uint64_t compared, differing; /* words */
  double max;                   /* in the unit of the buffer; infinite when one is not a number */
  uint64_t max_ulps;
  /* The first that differs. */
  uint64_t element;
  uint32_t component;
  uint32_t ref_bits, other_bits;
} weft_difference;

/* ---- layout: structs and slots of C against what the driver reports of every program ---- */

typedef struct weft_layout_finding {
  char text[320]; /* one sentence: program, value, what the driver has and what C has */
} weft_layout_finding;

typedef struct weft_layout_findings {
  uint32_t programs, checked; /* values */
  weft_layout_finding *items; /* what differs */
  size_t count, capacity;
} weft_layout_findings;

weft_result weft_verify_layout(const weft_verify_request *request, weft_layout_findings *findings,
                               weft_error *err);
void weft_layout_findings_free(weft_layout_findings *findings);

/* ---- kernels: every pass and variant alone, over made-up data of several counts ---- */

typedef enum weft_kernel_outcome {
  WEFT_KERNEL_EQUAL = 0,
  WEFT_KERNEL_DIFFERENT,
  WEFT_KERNEL_REFUSED,  /* by the driver's limits: `refusal` */
  WEFT_KERNEL_UNTESTED, /* there are no data for this pass */
} weft_kernel_outcome;

typedef struct weft_kernel_finding {
  char pass[96];  /* "project_distance (jacobi, lambda) (first iteration)" */
  uint32_t count; /* elements */
  bool large;     /* of the run with one element more than fits the promised number of groups */
  weft_kernel_outcome outcome;
  /* DIFFERENT: what is wrong, and in which buffer first. */
  const char *buffer;
  bool wrote_outside;  /* a guard word around the buffer changed */
  bool left_unwritten; /* part of what the pass owes has not been written */
  weft_difference difference;
  char refusal[300];
} weft_kernel_finding;

typedef struct weft_kernel_findings {
  uint64_t seed;
  uint32_t cases, different, refused;
  uint32_t large_count, large_group; /* elements and invocations of the large run; 0: not made */
  weft_kernel_finding *items;        /* every case, in order */
  size_t count, capacity;
} weft_kernel_findings;

/* The counts of the first run. */
enum { WEFT_KERNEL_COUNTS = 7 };
extern const uint32_t weft_kernel_counts[WEFT_KERNEL_COUNTS];

weft_result weft_verify_kernels(const weft_verify_request *request, weft_kernel_findings *findings,
                                weft_error *err);
void weft_kernel_findings_free(weft_kernel_findings *findings);

/* ---- substep and trajectory: a scene on both, side by side ---- */

/* Where two backends first differ. */
typedef struct weft_divergence {
  bool found;
  bool race; /* passes run one by one agree: only the order of passes on the device can be wrong */
  char pass[64];      /* weft_pass_describe */
  char group[32];     /* of constraints; "": the pass serves none */
  uint32_t batch;     /* within the group */
  const char *buffer; /* the first that differs */
  weft_difference difference;
  uint32_t particle;   /* its number in files and messages; UINT32_MAX: none */
  uint32_t constraint; /* within its type's buffer; UINT32_MAX: none */
  uint32_t arity;
  uint32_t particles[WEFT_MAX_ARITY]; /* of the constraint, by number */
} weft_divergence;

/* A backend's state at the end. */
typedef struct weft_end_state {
  const char *backend;
  weft_metrics metrics;
  uint64_t hash;
} weft_end_state;

typedef struct weft_trajectory_findings {
  /* What ran; filled in first. `scene` is "" before. */
  char scene[128];
  weft_params params;     /* resolved, without colliders */
  weft_schedule schedule; /* of the compared backend */
  uint32_t particles, parts;
  uint64_t constraints;
  weft_strain_choice held; /* target 0: no limit of strain was asked for */
  /* What came of it. */
  uint32_t passes_compared;              /* weft_verify_substep */
  uint64_t substeps_compared;            /* weft_verify_trajectory */
  weft_difference positions, velocities; /* weft_verify_trajectory: over all substeps */
  bool differs;
  uint32_t frame, substep;    /* where it first did, both from 0 */
  weft_divergence divergence; /* not found: it did not come back when the substep ran again */
  weft_stop stop;             /* found: both became infinite or NaN, alike, which proves nothing */
  weft_strain_seen strain;
  bool ended; /* what follows is filled in */
  weft_intersections_seen
      intersections;      /* of the reference's last state; of none without triangles */
  weft_end_state ends[2]; /* the reference, the other */
} weft_trajectory_findings;

/* One substep after request->frames frames of the reference, pass by pass. */
weft_result weft_verify_substep(const weft_verify_request *request,
                                weft_trajectory_findings *findings, weft_error *err);
/* Positions and velocities after every substep, up to the first that differs. */
weft_result weft_verify_trajectory(const weft_verify_request *request,
                                   weft_trajectory_findings *findings, weft_error *err);

/* ---- repeat: the hash of a whole run, again and again, in other groups and on other threads ----
 */

enum { WEFT_REPEAT_RUNS = 9 }; /* the reference and eight on the GPU */

typedef struct weft_repeat_findings {
  struct {
    const char *name; /* "ref", "group size 32", "LP_NUM_THREADS=2" ... */
    uint64_t hash;
  } runs[WEFT_REPEAT_RUNS];
  uint32_t count, different; /* from the first run, which is the reference's */
} weft_repeat_findings;

/* Each run on the GPU is a child process with a context of its own: there must be none yet. */
weft_result weft_verify_repeat(const weft_verify_request *request, weft_repeat_findings *findings,
                               weft_error *err);

#endif
