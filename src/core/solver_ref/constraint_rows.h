/* constraint_rows.h: what the rows of constraints.def make of the texts of passes, in C. Each
 * function is a choice among rows; where a pass is for one of them alone, the choice is made when
 * it is compiled. */
#ifndef WEFT_REF_CONSTRAINT_ROWS_H
#define WEFT_REF_CONSTRAINT_ROWS_H

#include "model.h"
#include "pass_lang.h"
#include "ref.h"

#include <rows/constraint_kernels.h>

#include "constraint_choice.h"

/* ---- constraints ---- */

typedef struct constraint_element {
  uvec4 particles;
  vec4 data;
} constraint_element;

static inline constraint_element element_of_PAIR(weft_pair_element c) {
  return (constraint_element){{c.a, c.b, 0, 0}, {c.rest, c.factor, 0, 0}};
}
static inline constraint_element element_of_QUAD(weft_quad_element c) {
  return (constraint_element){c.particles, c.data};
}
static inline weft_vec3 multiplier_of_ONE(float value) { return weft_v3(value, 0, 0); }
static inline weft_vec3 multiplier_of_THREE(vec4 value) { return exact_xyz(value); }
static inline float to_multiplier_ONE(weft_vec3 value) { return value.x; }
static inline vec4 to_multiplier_THREE(weft_vec3 value) { return exact_vec4(value, 0); }
#define TERMS_XPBD(ID) m->ID##_XPBD[i]
#define TERMS_OWN(ID) \
  (weft_xpbd) { 0, 0 }

INLINED bool is_pair(uint type) { return arity_of(type) == 2; }

INLINED constraint_element constraint_at(const weft_ref *m, uint type, uint i) {
  switch (type) {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  case WEFT_CONSTRAINT_##ID:                                              \
    return element_of_##element(m->ID[i]);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  }
  return (constraint_element){0};
}

INLINED weft_vec3 multiplier_at(const weft_ref *m, uint type, uint i) {
  switch (type) {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  case WEFT_CONSTRAINT_##ID:                                              \
    return multiplier_of_##multiplier(m->ID##_LAMBDA[i]);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  }
  return weft_v3(0, 0, 0);
}

INLINED void set_multiplier(const weft_ref *m, uint type, uint i, weft_vec3 value) {
  switch (type) {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  case WEFT_CONSTRAINT_##ID:                                              \
    m->ID##_LAMBDA[i] = to_multiplier_##multiplier(value);                \
    break;
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  }
}

INLINED weft_xpbd terms_at(const weft_ref *m, uint type, uint i) {
  switch (type) {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  case WEFT_CONSTRAINT_##ID:                                              \
    return TERMS_##terms(ID);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  }
  return (weft_xpbd){0, 0};
}

#endif
