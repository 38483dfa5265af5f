/* constraint_choice.h: which constraint's function is meant, from the rows of constraints.def, in
 * the language of kernels. Where the type is known, the choice is made when it is compiled. */
#ifndef WEFT_REF_CONSTRAINT_CHOICE_H
#define WEFT_REF_CONSTRAINT_CHOICE_H

INLINED uint arity_of(uint type) {
  switch (type) {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  case WEFT_CONSTRAINT_##ID:                                              \
    return arity;
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  }
  return 0;
}
INLINED projection project_constraint(uint type, corners p, real4 data, bool keeps, history past,
                                      uint acts) {
  switch (type) {
#define WEFT_CONSTRAINT(ID, name, arity, element, multiplier, terms, ...) \
  case WEFT_CONSTRAINT_##ID:                                              \
    return project_##name(p, data, keeps, past, acts);
#include <weft/constraints.def>
#undef WEFT_CONSTRAINT
  }
  return (projection){.moves = NEVER};
}

#endif
