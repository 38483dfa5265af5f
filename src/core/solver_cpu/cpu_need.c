/* cpu_need.c: what an instance takes: buffers, copies of the state, plans, and what threads have of
 * their own. Shares of plans are the largest that were measured; see solver/need.c. */
#include "cpu_need.h"

#include "lanes.h"
#include "pushes.h"
#include "self.h"

/* Whatever the cloth; of each share that threads take; of lines, of each thread. */
enum {
  FIXED = 192 << 10,
  OF_A_SHARE = 96 << 10,
  IN_A_SHARE = 970,
  OF_SHAPES = 32 << 10,
  OF_LINES = 1 << 20
};

static uint64_t power_from(uint64_t count) {
  uint64_t size = 64;
  while (size < count) size *= 2;
  return size;
}

static uint64_t of_self(const weft_need *need, uint64_t members) {
  const uint64_t lanes = need->room + 3 * members * WEFT_LANES_MAX;
  const uint64_t kept = need->params->self_iterations > 0 ? need->room : 1;
  uint64_t bytes = lanes * WEFT_PUSH_WORDS * sizeof(float) + 8 * power_from(2 * kept);
  bytes += (members - 1) * 4 * sizeof(float) * need->particles;
  bytes += need->patches *
           (sizeof(weft_self_table) + sizeof(weft_self_before) + sizeof(weft_self_places));
  bytes += members * (WEFT_SELF_KEPT_BOXES * sizeof(weft_self_boxes) + 96 * need->patches);
  return bytes + 40 * need->particles + 8 * need->triangles;
}

/* Plans are made in the first frame, by one thread of larger parts than by several. On grids most
 * constraints stand side by side, and a word says where several are. */
static void add_plans(weft_need *need, uint64_t shares) {
  enum { BESIDE = 15, PAIR = 38, QUAD = 34, ANGLE = 42 };
  const bool beside = need->grid && !need->params->compensated;
  const uint64_t pairs = need->pairs, quads = need->quads;
  need->host += pairs * (beside ? BESIDE : PAIR);
  need->host += quads * (need->angles ? ANGLE : beside ? BESIDE : QUAD);
  need->first_frame += (need->grid ? 45 : 52) * (pairs + quads) / (shares > 1 ? 2 : 1);
  if (need->params->lra > 0) need->host += 12 * need->particles;
}

void weft_cpu_need(uint32_t members, weft_need *need) {
  const weft_params *p = need->params;
  const uint64_t n = need->particles, most = n / IN_A_SHARE;
  need->host += need->buffers + need->saved + FIXED + 50 * n;
  if (p->collider_count > 0) need->host += members * (uint64_t)OF_SHAPES;
  const uint64_t shares = most < 1 ? 1 : most < members ? most : members;
  need->host += (shares - 1) * OF_A_SHARE;
  if (p->schedule != WEFT_SCHEDULE_PATCHES && p->mode == WEFT_MODE_GS) add_plans(need, shares);
  if (p->line_sweeps > 0) {
    need->host += members * (uint64_t)OF_LINES;
    if (!need->grid)
      need->host += 40 * n + (660 * n < OF_LINES * 5 / 4 ? 620 * n : OF_LINES * 5 / 4);
  }
  if (p->multilevel > 0 && need->grid) need->host += (6 * members + 44) * n + (64 << 10);
  if (need->patches) need->host += of_self(need, members);
}
