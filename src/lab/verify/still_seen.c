/* still_seen.c: what stood still over a run, and how it is told. */
#include "still_seen.h"

#include <stdio.h>

weft_result weft_still_sample(weft_still_seen *seen, weft_solver *solver, bool now,
                              weft_error *err) {
  const uint32_t count = weft_solver_still_count(solver);
  seen->last = (weft_standstill){.count = count};
  if (count == 0 || (!now && count <= seen->most.count)) return WEFT_OK;
  const weft_result result = weft_solver_standstill(solver, &seen->last, err);
  if (result != WEFT_OK || count <= seen->most.count) return result;
  seen->most = seen->last;
  seen->most_frame = weft_solver_frame(solver);
  return WEFT_OK;
}

/* ---- words ---- */

const char *weft_still_reason_name(weft_still_reason reason) {
  switch (reason) {
    case WEFT_STILL_UNCERTAIN:
      return "uncertain";
    case WEFT_STILL_CUT:
      return "cut";
    case WEFT_STILL_LIST:
      return "list";
    case WEFT_STILL_NOT:
    case WEFT_STILL_REASONS:
      break;
  }
  return "none";
}

const char *weft_still_reason_text(weft_still_reason reason) {
  switch (reason) {
    case WEFT_STILL_UNCERTAIN:
      return "in pairs too near to be told apart";
    case WEFT_STILL_CUT:
      return "with motions cut to nothing";
    case WEFT_STILL_LIST:
      return "as there were more pairs than are looked at";
    case WEFT_STILL_NOT:
    case WEFT_STILL_REASONS:
      break;
  }
  return "";
}

/* "7", or "b3" for vertex 3 of all bodies. */
static void name_corner(const weft_model *model, uint32_t particle, char *text, size_t size) {
  const uint32_t n = weft_model_particle_count(model);
  const bool body = particle >= n;
  snprintf(text, size, "%s%u", body ? "body " : "",
           body ? particle - n : weft_model_number(model, particle));
}

static void describe_pair(const weft_model *model, const weft_standstill *s, char *text,
                          size_t size) {
  char c[4][24];
  if (s->pair[0] == WEFT_NO_PARTICLE) return;
  for (uint32_t l = 0; l < 4; ++l) name_corner(model, s->pair[l], c[l], sizeof c[l]);
  if (s->edges) {
    snprintf(text, size, ", the nearest edges %s-%s and %s-%s, %.3g m", c[0], c[1], c[2], c[3],
             s->distance);
  } else {
    snprintf(text, size, ", the nearest vertex %s and triangle %s-%s-%s, %.3g m", c[0], c[1], c[2],
             c[3], s->distance);
  }
}

void weft_still_describe(const weft_model *model, const weft_standstill *s, char *text,
                         size_t size) {
  char pair[160] = "";
  size_t used =
      (size_t)snprintf(text, size, "%u of %u free particle%s stand still since frame %llu",
                       s->count, s->free, s->free == 1 ? "" : "s", (unsigned long long)s->since);
  const char *before = " (";
  for (int r = 0; r < WEFT_STILL_REASONS && used < size; ++r) {
    if (!s->of_reason[r]) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%u %s", before, s->of_reason[r],
                             weft_still_reason_text((weft_still_reason)r));
    before = ", ";
  }
  describe_pair(model, s, pair, sizeof pair);
  if (used < size) snprintf(text + used, size - used, "%s)", pair);
}
