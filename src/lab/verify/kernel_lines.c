/* kernel_lines.c: inputs for project_lines and project_bends: lines of one edge and of a thousand,
 * several in a bundle, straight and crumpled, with edges of no length and particles that nothing
 * moves. */
#include "kernel_data.h"

enum { FEW = 2000 }; /* bundles, past which most of them are empty */

void weft_kernel_lines_case(weft_kernel_case *c) {
  bool bends = c->pass.kind == WEFT_PASS_PROJECT_BENDS;
  if (c->pass.kind != WEFT_PASS_PROJECT_LINES && !bends) return;
  c->pass.first_iteration = c->pass.count % 2;
  while (1u << c->pass.steps < WEFT_LINE_ROOM) ++c->pass.steps;
}

/* The edges of a bundle: a few, all there is room for, or none. */
static uint32_t size_of_bundle(const weft_kernel_case *c, uint32_t i, uint32_t elements,
                               weft_rng *rng) {
  uint32_t every = elements / FEW + 1;
  if (i % every != 0) return 0;
  if (c->sparse) return 1 + weft_rng_u32(rng) % 3;
  if (i == WEFT_KERNEL_FIRST) return WEFT_LINE_ROOM;
  if (i % 64 == 5) return 200 + weft_rng_u32(rng) % 800;
  return weft_rng_u32(rng) % 40;
}

/* Where the particle after `from` is. */
static vec4 next_particle(vec4 from, weft_rng *rng) {
  vec4 x = weft_kernel_small_vector(rng, 0.02f, weft_kernel_inverse_mass(rng));
  uint32_t kind = weft_rng_u32(rng) % 32;
  if (kind == 0) return weft_kernel_vector(rng, x.w); /* far off */
  if (kind == 1) x.x = x.y = x.z = 0;                 /* in the same place */
  if (kind < 12) x.y = x.z = 0;                       /* straight on, or back */
  x.x = exact_snap(from.x + x.x);
  x.y = exact_snap(from.y + x.y);
  x.z = exact_snap(from.z + x.z);
  return x;
}

static float awkward_compliance(weft_rng *rng) {
  switch (weft_rng_u32(rng) % 4) {
    case 0:
      return 0;
    case 1:
      return weft_rng_float(rng, 1e4f, 1e30f);
    default:
      return weft_rng_float(rng, 1e-9f, 2);
  }
}

/* Fills a bundle with lines of up to `longest` edges; returns the particles used. */
static uint32_t fill_bundle(weft_line_bundle *bundle, uint32_t longest, uint32_t particle, vec4 *x,
                            weft_line_edge *edges, weft_rng *rng) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < bundle->count; ++k, ++particle) {
    if (left == 0) {
      left = 1 + weft_rng_u32(rng) % longest;
      if (k == 0) left = longest;
      if (k > 0) ++particle;
      x[particle] = weft_kernel_vector(rng, weft_kernel_inverse_mass(rng));
    }
    x[particle + 1] = next_particle(x[particle], rng);
    edges[bundle->first + k] = (weft_line_edge){
        particle, particle + 1, weft_rng_float(rng, 1e-6f, 0.03f), awkward_compliance(rng)};
    --left;
  }
  return particle + 1;
}

void weft_kernel_lines(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_frame(rng, contents);
  uint32_t elements = weft_kernel_elements(c), total = 0;
  weft_line_bundle *bundles = weft_contents_set(contents, WEFT_BUFFER_LINE_BUNDLES, elements);
  for (uint32_t i = 0; i < elements; ++i) {
    bundles[i].first = total;
    bundles[i].scale = i % 2 ? 1.0f / 1024 : 1.0f / 512;
    total += bundles[i].count = size_of_bundle(c, i, elements, rng);
  }
  weft_line_edge *edges = weft_contents_set(contents, WEFT_BUFFER_LINE_EDGES, total);
  float *lambda = weft_contents_set(contents, WEFT_BUFFER_LINE_LAMBDA, total);
  vec4 *x = weft_contents_set(contents, WEFT_BUFFER_X, 2 * (uint64_t)total + elements);
  for (uint32_t k = 0; k < total; ++k) {
    lambda[k] = k % 7 == 0 ? 0 : weft_rng_float(rng, -1e-3f, 1e-3f);
  }
  uint32_t particle = 0;
  for (uint32_t i = 0; i < elements; ++i) {
    if (bundles[i].count == 0) continue;
    uint32_t longest = 1 + weft_rng_u32(rng) % bundles[i].count;
    if (i == WEFT_KERNEL_FIRST) longest = bundles[i].count;
    while (1u << bundles[i].steps < longest) ++bundles[i].steps;
    particle = fill_bundle(&bundles[i], longest, particle, x, edges, rng);
  }
}

/* Matrices of any kind: what they should be for these lines matters to nobody here. */
void weft_kernel_bends(const weft_kernel_case *c, weft_rng *rng, weft_contents *contents) {
  weft_kernel_lines(c, rng, contents);
  const weft_line_bundle *bundles = contents->buffers[WEFT_BUFFER_LINE_BUNDLES].data;
  uint64_t count = contents->buffers[WEFT_BUFFER_LINE_BUNDLES].count, matrices = 1;
  uint64_t edges = contents->buffers[WEFT_BUFFER_LINE_EDGES].count;
  uint32_t *tables = weft_contents_set(contents, WEFT_BUFFER_LINE_TABLES, count);
  float *scales = weft_contents_set(contents, WEFT_BUFFER_LINE_SCALES, edges);
  for (uint64_t k = 0; k < count; ++k) {
    tables[k] = (uint32_t)matrices;
    matrices += 5 * ((bundles[k].count + 1ull) / 2);
  }
  for (uint64_t k = 0; k < edges; ++k) scales[k] = weft_rng_float(rng, 1e-4f, 2);
  vec4 *to = weft_contents_set(contents, WEFT_BUFFER_LINE_BENDS, matrices);
  for (uint64_t k = 0; k < matrices; ++k) {
    to[k] = weft_kernel_small_vector(rng, 1, weft_rng_float(rng, -1, 1));
    if (weft_rng_u32(rng) % 16 == 0) to[k] = (vec4){0, 0, 0, 0}; /* where a line ends */
  }
}
