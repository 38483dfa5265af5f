/* stillness.c: whether cloth that should move did not. */
#include "stillness.h"

#include <string.h>

#include "inspect.h"

/* m: what nobody sees. */
static const float unseen = 0.001f;

static bool acts(const weft_params *p) {
  return (!p->no_gravity && weft_v3_length(p->gravity) > 0) ||
         (p->air_density > 0 && weft_v3_length(p->wind) > 0);
}

void weft_cli_still_begin(weft_cli_stillness *still, const weft_model *model,
                          const weft_kept_state *state) {
  const uint32_t count = weft_model_particle_count(model);
  still->start = weft_alloc(count, sizeof *still->start);
  memcpy(still->start, state->x, count * sizeof *still->start);
  still->origin = state->origin;
}

void weft_cli_still_end(weft_cli_stillness *still) {
  weft_free(still->start);
  still->start = NULL;
}

static bool has_moved(const weft_cli_stillness *still, const weft_model *model,
                      const weft_kept_state *state) {
  const weft_vec3 shift = weft_v3d_round(weft_v3d_sub(state->origin, still->origin));
  const vec4 *x = state->x;
  for (uint32_t i = 0; i < weft_model_particle_count(model); ++i) {
    const vec4 *from = &still->start[i];
    const weft_vec3 way = {x[i].x - from->x, x[i].y - from->y, x[i].z - from->z};
    if (weft_v3_length(weft_v3_add(way, shift)) > unseen) return true;
  }
  return false;
}

/* Why self-collision keeps cloth where it is, and what lets it go. */
static void tell_pauses(const weft_model *model, const weft_metrics *m) {
  const uint32_t steps = m->self_steps * weft_model_part_count(model);
  weft_log(
      WEFT_LOG_WARNING,
      "the cloth did not move: self-collision paused %u of the %u contact steps of the last frame, "
      "since %s: %s",
      m->self_pauses, steps,
      m->self_overflows > 0 ? "there were more pairs than it looks at"
                            : "what pushes the cloth, from colliders that it starts in or "
                              "otherwise, would take it through itself",
      m->self_overflows > 0 ? "less thickness or more substeps let it go"
                            : "start it outside (--ground, --collider, --move), or take "
                              "--self-collision off");
}

/* The last frame's pauses stand for all. */
void weft_cli_warn_still(const weft_cli_stillness *still, const weft_model *model,
                         const weft_params *p, const weft_metrics *m,
                         const weft_kept_state *state) {
  if (2 * m->self_pauses < m->self_steps || !acts(p) || has_moved(still, model, state)) return;
  tell_pauses(model, m);
}
