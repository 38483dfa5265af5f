/* rows.c: bends packed as rows: as many as a vector has quads. Words of a row: the places of their
 * first particles, of their second ones and so on; then the four numbers of each, and by how much
 * each of its particles moves for a step of 1. A row that is not full repeats the last bend. */
#include <string.h>

#include "base.h"
#include "exact.h"
#include "plan.h"

#include <kernels/lang_c.h>
/* in that language */
#include <kernels/constraint_isometric.h>
#include <kernels/lang_c_end.h>

bool weft_plan_packs_quads(const weft_plan_desc *desc, const weft_pass *pass) {
  int type = weft_pass_constraint(pass->kind);
  return desc->lanes && type >= 0 && !pass->variant && desc->lanes->project_fast[type][WEFT_QUADS];
}

void weft_plan_put_bend(const vec4 *x, const uint32_t one[WEFT_PACKED_MAX], uint32_t *row,
                        uint32_t k, uint32_t side) {
  vec4 data;
  memcpy(&data, one + 4, sizeof data);
  const float weights[4] = {data.x, data.y, data.z, isometric_last_weight(data)};
  for (uint32_t r = 0; r < 4; ++r) {
    float share = isometric_share(x[one[r]].w, weights[r]);
    row[r * side + k] = one[r] * (uint32_t)sizeof(vec4);
    row[4 * (side + k) + r] = one[4 + r];
    memcpy(&row[4 * (2 * side + k) + r], &share, sizeof share);
  }
}

bool weft_plan_add_quads(weft_cpu_plan *plan, const weft_plan_desc *desc, uint32_t pass,
                         const uint32_t *elements, uint32_t count) {
  if (!weft_plan_are_fast_safe(desc->memory, &plan->passes[pass], elements, count)) return false;
  const vec4 *x = (const void *)desc->memory->payload[WEFT_BUFFER_X];
  uint32_t side = desc->lanes->lanes / 4, rows = (count + side - 1) / side;
  weft_cpu_item *item = weft_plan_add_packed(plan, WEFT_CPU_PROJECT, WEFT_QUADS, pass);
  item->count = rows;
  item->fast = true;
  uint32_t *row = weft_plan_add_words(plan, (size_t)rows * side * WEFT_ROW_WORDS);
  for (uint32_t k = 0; k < rows * side; ++k) {
    uint32_t one[WEFT_PACKED_MAX];
    weft_plan_pack(desc->memory, &plan->passes[pass], elements[k < count ? k : count - 1], one);
    weft_plan_put_bend(x, one, row, k % side, side);
    if (k < count) weft_plan_note(plan, elements, k);
    if (k % side == side - 1) row += (size_t)side * WEFT_ROW_WORDS;
  }
  return true;
}
