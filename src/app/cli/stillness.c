/* stillness.c: tells what stood still. */
#include "stillness.h"

enum { LINE = 600 };

/* "at most 12 of 867 free particles stood still, in frame 7". */
static void describe_most(const weft_still_seen *seen, char *text, size_t size) {
  snprintf(text, size, "at most %u of %u free particle%s stood still, in frame %llu",
           seen->most.count, seen->most.free, weft_plural(seen->most.free),
           (unsigned long long)seen->most_frame);
}

void weft_cli_still_print(FILE *file, const weft_model *model, const weft_still_seen *seen) {
  char text[LINE];
  if (seen->most.count == 0) return;
  if (seen->last.count > 0) {
    weft_still_describe(model, &seen->last, text, sizeof text);
    fprintf(file, "  still     %s\n", text);
  }
  if (seen->last.count >= seen->most.count) return;
  describe_most(seen, text, sizeof text);
  fprintf(file, "  %s%s\n", seen->last.count > 0 ? "          " : "still     ", text);
}

static const char *help_for(weft_still_reason reason) {
  switch (reason) {
    case WEFT_STILL_UNCERTAIN:
      return "--weld joins what is so near, and a larger --scale parts it";
    case WEFT_STILL_CUT:
      return "something leaves this cloth no room";
    case WEFT_STILL_LIST:
      return "less thickness or more substeps let it go";
    case WEFT_STILL_NOT:
    case WEFT_STILL_REASONS:
      break;
  }
  return "";
}

void weft_cli_warn_still(const weft_model *model, const weft_still_seen *seen) {
  char text[LINE];
  if (seen->most.count == 0) return;
  if (seen->last.count == 0) {
    describe_most(seen, text, sizeof text);
    weft_log(WEFT_LOG_WARNING, "%s %s, although they were to move; later they did", text,
             weft_still_reason_text(seen->most.reason));
    return;
  }
  weft_still_describe(model, &seen->last, text, sizeof text);
  weft_log(WEFT_LOG_WARNING, "%s%s: %s",
           seen->last.all ? "the cloth does not move, although something pulls it: " : "", text,
           help_for(seen->last.reason));
}

/* ---- JSON ---- */

/* Vertices with the file's numbers; those of bodies, which have none, null. */
static json_t *pair_json(const weft_model *model, const weft_standstill *s) {
  if (s->count == 0 || s->pair[0] == WEFT_NO_PARTICLE) return json_null();
  json_t *pair = json_array();
  for (uint32_t l = 0; l < 4; ++l) {
    const bool body = s->pair[l] >= weft_model_particle_count(model);
    json_array_append_new(
        pair, body ? json_null() : json_integer((json_int_t)weft_model_number(model, s->pair[l])));
  }
  return json_pack("{s:s, s:o, s:o}", "of", s->edges ? "edges" : "vertex and triangle", "vertices",
                   pair, "distance_m", weft_json_real(s->distance));
}

json_t *weft_cli_still_json(const weft_model *model, const weft_still_seen *seen) {
  const weft_standstill *s = &seen->last;
  if (seen->most.count == 0) return json_null();
  json_t *reasons = json_object();
  for (int r = WEFT_STILL_NOT + 1; r < WEFT_STILL_REASONS; ++r) {
    json_object_set_new(reasons, weft_still_reason_name((weft_still_reason)r),
                        json_integer(s->of_reason[r]));
  }
  return json_pack("{s:I, s:I, s:b, s:I, s:s, s:o, s:o, s:I, s:I, s:s}", "particles",
                   (json_int_t)s->count, "free", (json_int_t)seen->most.free, "all", s->all,
                   "since_frame", (json_int_t)s->since, "reason", weft_still_reason_name(s->reason),
                   "reasons", reasons, "pair", pair_json(model, s), "most",
                   (json_int_t)seen->most.count, "most_frame", (json_int_t)seen->most_frame,
                   "most_reason", weft_still_reason_name(seen->most.reason));
}
