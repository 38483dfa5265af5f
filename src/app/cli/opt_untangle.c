/* opt_untangle.c: what is said of --tangled loosen. */
#include <stdio.h>

#include "cli.h"

/* "96 pairs of triangles with a body and 2 particles inside" */
static void describe(uint64_t self, uint64_t body, uint32_t inside, char *text, size_t size) {
  const struct {
    unsigned long long count;
    const char *one, *many;
  } parts[] = {{self, "pair of triangles of the cloth", "pairs of triangles of the cloth"},
               {body, "pair with a body", "pairs with a body"},
               {inside, "particle inside", "particles inside"}};
  int used = 0;
  *text = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
    if (parts[k].count == 0 || used < 0 || (size_t)used >= size) continue;
    used += snprintf(text + used, size - (size_t)used, "%s%llu %s", used ? ", " : "",
                     parts[k].count, parts[k].count == 1 ? parts[k].one : parts[k].many);
  }
  if (used == 0) snprintf(text, size, "nothing");
}

const char *weft_cli_loosened_text(const weft_untangled *r) {
  static char text[600];
  char before[160], after[160];
  describe(r->self_before, r->body_before, r->inside_before, before, sizeof before);
  describe(r->self_after, r->body_after, r->inside_after, after, sizeof after);
  snprintf(text, sizeof text,
           "%s at the start; %s left after %u iteration%s, %u particles moved by %.3g mm at most, "
           "strain p99 %.2g %%, max %.2g %%",
           before, after, r->iterations, weft_plural(r->iterations), r->moved,
           1e3 * r->largest_move, 100 * r->strain_p99, 100 * r->strain_max);
  return text;
}

/* What is left, the solver names with pairs and remedies; here only that nothing was done. */
void weft_cli_tell_loosened(const weft_scene_instance *scene) {
  const weft_untangled *r = &scene->loosened;
  if (r->iterations > 0) weft_log(WEFT_LOG_INFO, "loosened: %s", weft_cli_loosened_text(r));
  if (r->iterations == 0 || r->moved > 0) return;
  weft_log(WEFT_LOG_WARNING,
           "--tangled loosen: the cloth begins as it is: %u iteration%s of loosening left it worse "
           "tangled than before; --dress brings cloth out of closed bodies",
           r->iterations, weft_plural(r->iterations));
}
