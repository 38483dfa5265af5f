/* contents_lines.c: lines of stretch constraints as buffers, packed into bundles that a work group
 * solves. Made with the solver, as levels are, since it depends on parameters. */
#include <float.h>
#include <math.h>

#include "exact.h"
#include "fill.h"
#include "lines.h"

_Static_assert((int)WEFT_LINE_MAX == (int)WEFT_LINE_ROOM, "a line fits a work group's memory");

/* A bundle fills the invocations of a work group, or holds one longer line. */
enum { WEFT_BUNDLE = WEFT_LINE_GROUP };

/* The power of two at or above the largest inverse mass, clamped so that its reciprocal is a
 * float. */
static double scale_of(const weft_model *model) {
  double max = 0;
  for (uint32_t i = 0; i < model->particle_count; ++i) {
    max = fmax(max, (double)model->inverse_masses[i]);
  }
  int exponent = 0;
  if (max > 0) frexp(max, &exponent);
  return ldexp(1, -(int)fmin(fmax(exponent, -100), 100));
}

static double compliance_of(const weft_model *model, const weft_lines *lines, uint32_t e,
                            double dt) {
  return (double)model->groups[lines->groups[e]].compliance[lines->constraints[e]] / (dt * dt);
}

/* Removes the constraint from the sweep over single constraints, since its line solves it. */
static void take_out(const weft_model *model, const weft_lines *lines, uint32_t e,
                     weft_contents *contents) {
  weft_pair_element *elements = contents->buffers[WEFT_BUFFER_DISTANCE].data;
  elements[weft_group_base(model, lines->groups[e]) + lines->constraints[e]].factor = 0;
}

static void fill_edges(const weft_model *model, const weft_params *params, const weft_lines *lines,
                       weft_contents *contents) {
  weft_line_edge *edges = weft_contents_set(contents, WEFT_BUFFER_LINE_EDGES, lines->edge_count);
  weft_contents_set(contents, WEFT_BUFFER_LINE_LAMBDA, lines->edge_count);
  double dt = (double)params->frame_dt / params->substeps, scale = scale_of(model);
  for (uint32_t e = 0; e < lines->edge_count; ++e) {
    const uint32_t *pair = &lines->particles[2 * (size_t)e];
    /* So soft that it has no effect, but still in the range of float. */
    double compliance = fmin(compliance_of(model, lines, e, dt) * scale, 1e30);
    edges[e].a = pair[0];
    edges[e].b = pair[1];
    edges[e].rest_length = model->groups[lines->groups[e]].rest[lines->constraints[e]];
    edges[e].compliance = compliance < WEFT_FLUSH ? 0 : (float)compliance;
    take_out(model, lines, e, contents);
  }
}

/* Jacobi corrections are divided by the number that act on a particle. Where lines solve some
 * constraints of a group, only the rest count. */
static void fill_tails(const weft_model *model, const weft_params *params, const weft_lines *lines,
                       weft_contents *contents) {
  if (params->mode == WEFT_MODE_GS) return;
  for (uint32_t g = 0; g < model->group_count; ++g) {
    uint32_t count = 0;
    bool *taken = weft_alloc(model->groups[g].count, sizeof *taken);
    for (uint32_t e = 0; e < lines->edge_count; ++e) {
      if (lines->groups[e] != g) continue;
      taken[lines->constraints[e]] = true;
      ++count;
    }
    if (count > 0) weft_fill_group(model, params, g, taken, contents);
    weft_free(taken);
  }
}

static uint32_t steps_for(uint32_t length) {
  uint32_t steps = 0;
  while (1u << steps < length) ++steps;
  return steps;
}

/* The number of bundles; unless `out` is NULL, writes them and their colours. Lines of a colour
 * come longest first. */
static uint32_t bundle_lines(const weft_lines *lines, float scale, weft_line_bundle *out,
                             weft_line_colour *colours) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < lines->colour_count; ++c) {
    if (out) colours[c].first = count;
    for (uint32_t l = lines->colour_first[c]; l < lines->colour_first[c + 1];) {
      uint32_t first = lines->offsets[l], end = lines->offsets[l + 1];
      weft_line_bundle bundle = {first, 0, steps_for(end - first), scale};
      for (++l; l < lines->colour_first[c + 1]; ++l) {
        if (lines->offsets[l + 1] - first > WEFT_BUNDLE) break;
        end = lines->offsets[l + 1];
      }
      bundle.count = end - first;
      ++count;
      if (!out) continue;
      out[count - 1] = bundle;
      colours[c].count = count - colours[c].first;
      if (bundle.steps > colours[c].steps) colours[c].steps = bundle.steps;
    }
  }
  return count;
}

/* For each batch of distance groups, in order: how many constraints are left for the sweep. */
static void fill_batches(const weft_model *model, const weft_lines *lines,
                         weft_contents *contents) {
  uint32_t total = 0;
  for (uint32_t g = 0; g < model->group_count; ++g) total += model->groups[g].colour_count;
  uint32_t *left = weft_contents_set(contents, WEFT_BUFFER_LINE_LEFT, total);
  uint32_t base[WEFT_MAX_GROUPS + 1] = {0};
  for (uint32_t g = 0; g < model->group_count; ++g) {
    const weft_constraint_group *group = &model->groups[g];
    base[g + 1] = base[g] + group->colour_count;
    for (uint32_t c = 0; c < group->colour_count; ++c) left[base[g] + c] = group->colour_sizes[c];
  }
  for (uint32_t e = 0; e < lines->edge_count; ++e) {
    const weft_constraint_group *group = &model->groups[lines->groups[e]];
    uint32_t c = 0;
    while (group->colour_first[c + 1] <= lines->constraints[e]) ++c;
    --left[base[lines->groups[e]] + c];
  }
}

weft_result weft_lines_fill(const weft_model *model, const weft_params *params,
                            weft_contents *contents, weft_error *err) {
  if (params->line_sweeps == 0 || model->triangle_count == 0) return WEFT_OK;
  if (params->method != WEFT_METHOD_XPBD) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "line sweeps solve compliant constraints: they need method xpbd");
  }
  weft_lines lines;
  weft_lines_build(model, &lines);
  weft_lines_fill_with(model, params, &lines, contents);
  weft_lines_free(&lines);
  return WEFT_OK;
}

void weft_lines_fill_with(const weft_model *model, const weft_params *params,
                          const weft_lines *lines, weft_contents *contents) {
  fill_tails(model, params, lines, contents);
  fill_edges(model, params, lines, contents);
  float scale = (float)scale_of(model);
  uint32_t count = bundle_lines(lines, scale, NULL, NULL);
  weft_line_bundle *bundles = weft_contents_set(contents, WEFT_BUFFER_LINE_BUNDLES, count);
  weft_line_colour *colours =
      weft_contents_set(contents, WEFT_BUFFER_LINE_COLOURS, lines->colour_count);
  bundle_lines(lines, scale, bundles, colours);
  fill_batches(model, lines, contents);
  weft_bends_fill(model, params, lines, contents);
}
