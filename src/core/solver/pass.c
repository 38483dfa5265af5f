/* pass.c: kinds of passes: bindings, names, and the constraints that a pass projects. */
#include <stdio.h>

#include "solver.h"

enum { NONE = 0, LAMBDA = WEFT_VARIANT_LAMBDA, JACOBI = WEFT_VARIANT_JACOBI };
enum { PAIRS = WEFT_VARIANT_PAIRS, LAMBDA_PAIRS = LAMBDA | PAIRS };
enum { LAMBDA_JACOBI_PAIRS = LAMBDA | JACOBI | PAIRS };
enum { R = 1, W = 2, RW = 3 };
enum { TEXTURES = 1, BUFFERS = 0 };

#define WEFT_BUFFER_NONE WEFT_BUFFER_COUNT
#define BINDING(buffer, streamed, access, reach, needs)                                       \
  {                                                                                           \
    WEFT_BUFFER_##buffer, streamed, ((access)&R) != 0, ((access)&W) != 0, WEFT_REACH_##reach, \
        needs                                                                                 \
  }
#define ANY(buffer, access, reach) BINDING(buffer, false, access, reach, 0)
#define ANY_IF(variant, buffer, access, reach) BINDING(buffer, false, access, reach, variant)
#define OWN(buffer, access) BINDING(buffer, true, access, OWN, 0)
#define OWN_IF(variant, buffer, access) BINDING(buffer, true, access, OWN, variant)
#define WEFT_BIND_XPBD(ID) OWN_IF(LAMBDA, ID##_XPBD, R),
#define WEFT_BIND_OWN(ID)
#define SINGLE(iterations, per) WEFT_SINGLE_ITSELF, iterations, WEFT_BUFFER_##per, false
#define STEPS WEFT_SINGLE_STEPS, 0, WEFT_BUFFER_NONE, false
#define TEAMS WEFT_SINGLE_TEAMS, 0, WEFT_BUFFER_NONE, false
#define SEPARATE WEFT_SINGLE_NOT, 0, WEFT_BUFFER_NONE, false
#define COUNTED WEFT_SINGLE_NOT, 0, WEFT_BUFFER_NONE, true

const weft_pass_info weft_pass_infos[WEFT_PASS_KIND_COUNT] = {
#define WEFT_PASS(ID, name, variants, group, cpu, single, reads, ...) \
  {#name,                                                             \
   variants,                                                          \
   group,                                                             \
   WEFT_CPU_##cpu,                                                    \
   single,                                                            \
   reads,                                                             \
   sizeof((weft_binding[]){__VA_ARGS__}) / sizeof(weft_binding),      \
   {__VA_ARGS__}},
#include "passes.def"
#undef WEFT_PASS
};

static const weft_pass_kind projections[WEFT_CONSTRAINT_TYPE_COUNT] = {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) WEFT_PASS_PROJECT_##ID,
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
};

weft_pass_kind weft_project_pass(weft_constraint_type type) { return projections[type]; }

int weft_pass_constraint(uint32_t kind) {
  for (int type = 0; type < WEFT_CONSTRAINT_TYPE_COUNT; ++type) {
    if (projections[type] == kind) return type;
  }
  return -1;
}

uint32_t weft_pass_arity(uint32_t kind) {
  int type = weft_pass_constraint(kind);
  return type < 0 ? 0 : weft_constraint_infos[type].arity;
}

void weft_pass_describe(const weft_pass *pass, char *text, size_t size) {
  static const char *const variants[WEFT_VARIANT_COUNT] = {
      "",         " (jacobi)",        " (lambda)",        " (jacobi, lambda)",
      " (pairs)", " (jacobi, pairs)", " (lambda, pairs)", " (jacobi, lambda, pairs)"};
  snprintf(text, size, "%s%s", weft_pass_infos[pass->kind].name, variants[pass->variant]);
}

const char *weft_timed_name(int kind) {
  return kind == WEFT_PASS_SINGLE ? "single" : weft_pass_infos[kind].name;
}

weft_pass *weft_pass_add(weft_pass_list *list, weft_pass_kind kind, uint32_t first,
                         uint32_t count) {
  weft_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items);
  weft_pass *pass = &list->items[list->count++];
  *pass = (weft_pass){.kind = kind, .first = first, .count = count};
  return pass;
}
