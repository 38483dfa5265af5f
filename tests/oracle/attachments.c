/* attachments.c: long-range attachments (Kim, Chentanez and Mueller-Fischer 2012): no particle is
 * further from a pinned one than the cloth between them is long. A particle outside of that sphere
 * goes to its nearest point; the nearest anchor is asked first. */
#include "deviations.h"
#include "oracle.h"

static void attach(oracle *o, uint32_t i) {
  double slack = (double)o->p->lra_slack;
  for (size_t k = 4 * (size_t)i; k < 4 * (size_t)i + 4; ++k) {
    if (o->s->anchors[k] == WEFT_NO_PARTICLE) return;
    vec anchor = o->x[o->s->anchors[k]];
    double reach = o->s->attachment_lengths[k] * (1 + slack) * (1 + LENGTH_ROUNDING);
    if (distance(o->x[i], anchor) <= reach) continue;
    o->x[i] = along(anchor, reach, unit(sub(o->x[i], anchor)));
    ++o->counts.attachments;
    o->counts.second_attachments += k % 4 > 0;
  }
}

void oracle_attach(oracle *o) {
  if (!o->s->anchors) return;
  for (uint32_t i = 0; i < o->s->particle_count; ++i) {
    if (!oracle_pinned(o, i)) attach(o, i);
  }
}
