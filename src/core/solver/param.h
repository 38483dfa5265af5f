/* param.h: the rows of weft/params.def as data. */
#ifndef WEFT_SOLVER_PARAM_H
#define WEFT_SOLVER_PARAM_H

#include <stddef.h>
#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_param_kind {
  WEFT_KIND_REAL = 0, /* float */
  WEFT_KIND_COUNT,    /* uint32_t */
  WEFT_KIND_CHOICE,   /* an enum */
  WEFT_KIND_FLAG,     /* bool */
  WEFT_KIND_VEC3,     /* weft_vec3 */
} weft_param_kind;

/* The section of the demo's panel. */
typedef enum weft_panel_part {
  WEFT_PANEL_NONE = 0,
  WEFT_PANEL_AIR,     /* and other external forces */
  WEFT_PANEL_STRETCH, /* mechanisms against it */
  WEFT_PANEL_SOLVER,
  WEFT_PANEL_SELF,
} weft_panel_part;

/* Tables that depend on a parameter and keep their sizes: refill.c. */
enum {
  WEFT_REFILL_PASSES = 1,      /* the list of passes */
  WEFT_REFILL_CONSTRAINTS = 2, /* elements, terms, lines */
  WEFT_REFILL_ATTACHMENTS = 4,
  WEFT_REFILL_DISTANCES = 8, /* that self-collision keeps */
};

typedef struct weft_param_info {
  const char *name;
  weft_param_kind kind;
  size_t offset;               /* in weft_params */
  double otherwise, low, high; /* float value; of a vector y, its other components being 0 */
  const char *what;
  const char *option, *argument, *help; /* NULL: none */
  bool common;                          /* as of weft_option */
  bool at_once;     /* a solver takes another value without new tables: change.c */
  uint32_t refills; /* what of the tables it has is filled anew: WEFT_REFILL_; 0: other tables */
  const char *choices[6], *shown[6]; /* end with NULL; shown: on the panel, if otherwise */
  struct {
    weft_panel_part part;
    const char *label, *unit;
    float low, high; /* of the slider; typed values may exceed it */
  } panel;
} weft_param_info;

/* WEFT_PARAM_substeps and so on: indices into the table. */
enum {
#define WEFT_PARAM(kind, type, name, ...) WEFT_PARAM_##name,
#include <weft/params.def>
  WEFT_PARAM_COUNT
};

extern const weft_param_info weft_param_infos[WEFT_PARAM_COUNT];

void weft_param_copy(weft_params *to, const weft_params *from, uint32_t index);
bool weft_param_same(const weft_params *a, const weft_params *b, uint32_t index);
/* Its value; of a vector a component, 0 to 2, else component 0. */
double weft_param_of(const weft_params *params, uint32_t index, uint32_t component);
/* If all its components are 0 it becomes its default. */
void weft_param_complete(weft_params *params, uint32_t index);
/* The index of the choice with this name, -1: none. */
int weft_param_choice(uint32_t index, const char *name);

#ifdef __cplusplus
}
#endif

#endif
