/* param.c: the table of weft/params.def. */
#include "param.h"

#include <string.h>

#define WEFT_PARAM(kind_, type, name_, otherwise_, low_, high_, ...) \
  {.name = #name_,                                                   \
   .kind = WEFT_KIND_##kind_,                                        \
   .offset = offsetof(weft_params, name_),                           \
   .otherwise = (double)(otherwise_),                                \
   .low = (double)(low_),                                            \
   .high = (double)(high_),                                          \
   .what = __VA_ARGS__},
const weft_param_info weft_param_infos[WEFT_PARAM_COUNT] = {
#include <weft/params.def>
};

static const size_t sizes[] = {[WEFT_KIND_REAL] = sizeof(float),
                               [WEFT_KIND_COUNT] = sizeof(uint32_t),
                               [WEFT_KIND_CHOICE] = sizeof(weft_mode),
                               [WEFT_KIND_FLAG] = sizeof(bool),
                               [WEFT_KIND_VEC3] = sizeof(weft_vec3)};

void weft_param_copy(weft_params *to, const weft_params *from, uint32_t index) {
  const weft_param_info *p = &weft_param_infos[index];
  memcpy((char *)to + p->offset, (const char *)from + p->offset, sizes[p->kind]);
}

bool weft_param_same(const weft_params *a, const weft_params *b, uint32_t index) {
  const weft_param_info *p = &weft_param_infos[index];
  return memcmp((const char *)a + p->offset, (const char *)b + p->offset, sizes[p->kind]) == 0;
}

double weft_param_of(const weft_params *params, uint32_t index, uint32_t component) {
  const weft_param_info *p = &weft_param_infos[index];
  const void *at = (const char *)params + p->offset;
  if (p->kind == WEFT_KIND_FLAG) return *(const bool *)at;
  if (p->kind == WEFT_KIND_REAL || p->kind == WEFT_KIND_VEC3) {
    return (double)((const float *)at)[component];
  }
  return *(const uint32_t *)at;
}

void weft_param_complete(weft_params *params, uint32_t index) {
  const weft_param_info *p = &weft_param_infos[index];
  const bool vector = p->kind == WEFT_KIND_VEC3;
  void *at = (char *)params + p->offset;
  for (uint32_t c = 0; c < (vector ? 3 : 1); ++c) {
    if (weft_param_of(params, index, c) != 0) return; /* NaN is refused later */
  }
  if (p->kind == WEFT_KIND_COUNT) *(uint32_t *)at = (uint32_t)p->otherwise;
  if (p->kind == WEFT_KIND_REAL) *(float *)at = (float)p->otherwise;
  if (vector) *(weft_vec3 *)at = (weft_vec3){0, (float)p->otherwise, 0};
}

int weft_param_choice(uint32_t index, const char *name) {
  const char *const *choices = weft_param_infos[index].choices;
  for (int k = 0; choices[k]; ++k) {
    if (strcmp(name, choices[k]) == 0) return k;
  }
  return -1;
}
