/* rows.h: the parameters on the panel, a row each; where they are, and how they are moved. What a
 * row says when it is pointed at is the help of its option of the command line. */
#ifndef WEFT_DEMO_ROWS_H
#define WEFT_DEMO_ROWS_H

#include <stddef.h>
#include <weft/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_demo_part {
  WEFT_DEMO_AIR = 0, /* and what else acts from outside */
  WEFT_DEMO_STRETCH, /* what holds cloth against it */
  WEFT_DEMO_SOLVER,
  WEFT_DEMO_SELF,
  WEFT_DEMO_PART_COUNT
} weft_demo_part;

typedef enum weft_demo_row_kind {
  WEFT_DEMO_NUMBER = 0, /* float */
  WEFT_DEMO_COUNT,      /* uint32_t */
  WEFT_DEMO_FLAG,       /* bool */
  WEFT_DEMO_CHOICE,     /* enum */
  WEFT_DEMO_VECTOR,     /* weft_vec3 */
} weft_demo_row_kind;

typedef struct weft_demo_row {
  weft_demo_part part;
  weft_demo_row_kind kind;
  const char *label, *unit, *option;
  size_t offset;              /* in weft_params */
  float low, high;            /* of its slider; what is typed may go beyond */
  const char *const *choices; /* ends with NULL */
  bool only_contact;          /* where particles keep each other away */
} weft_demo_row;

/* The index-th row, NULL past the last. */
const weft_demo_row *weft_demo_row_at(uint32_t index);
/* Copies its value. */
void weft_demo_row_copy(const weft_demo_row *row, weft_params *to, const weft_params *from);
/* In `params` what was the one scene's own becomes the other's; what differed stays. */
void weft_demo_rows_carry(weft_params *params, const weft_params *from, const weft_params *to);
bool weft_demo_row_same(const weft_demo_row *row, const weft_params *a, const weft_params *b);

#ifdef __cplusplus
}
#endif

#endif
