/* param.c: the table of weft/params.def. */
#include "param.h"

#include <string.h>

#define WEFT_PARAM(name, otherwise, low, high, what, option, argument, help) \
  WEFT_PARAM_INNER(name, otherwise, low, high, what)
#define WEFT_PARAM_INNER(name, otherwise, low, high, what) \
  {#name, what, offsetof(weft_params, name), otherwise, low, high},
const weft_param_info weft_param_infos[WEFT_PARAM_COUNT] = {
#include <weft/params.def>
};
#undef WEFT_PARAM
#undef WEFT_PARAM_INNER

float weft_param_of(const weft_params *params, uint32_t index) {
  float value;
  memcpy(&value, (const char *)params + weft_param_infos[index].offset, sizeof value);
  return value;
}

void weft_param_set(weft_params *params, uint32_t index, float value) {
  memcpy((char *)params + weft_param_infos[index].offset, &value, sizeof value);
}
