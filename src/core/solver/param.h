/* param.h: the rows of weft/params.def in C. */
#ifndef WEFT_SOLVER_PARAM_H
#define WEFT_SOLVER_PARAM_H

#include <stddef.h>
#include <weft/solver.h>

typedef struct weft_param_info {
  const char *name, *what;
  size_t offset; /* in weft_params */
  float otherwise, low, high;
} weft_param_info;

#define WEFT_PARAM(name, ...) WEFT_PARAM_##name,
#define WEFT_PARAM_INNER(name, ...) WEFT_PARAM_##name,
enum {
#include <weft/params.def>
  WEFT_PARAM_COUNT
};
#undef WEFT_PARAM
#undef WEFT_PARAM_INNER

extern const weft_param_info weft_param_infos[WEFT_PARAM_COUNT];

float weft_param_of(const weft_params *params, uint32_t index);
void weft_param_set(weft_params *params, uint32_t index, float value);

#endif
