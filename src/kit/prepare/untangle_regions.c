/* untangle_regions.c: what hangs together by edges that cross nothing, and what is inside of
 * bodies.
 */
#include <string.h>

#include "base.h"
#include "sets.h"
#include "untangling.h"

/* Crossings are sorted by edge, as edges are. */
void weft_untangle_regions(loosening *l) {
  for (uint32_t i = 0; i < l->particles; ++i) {
    l->region[i] = i;
    l->region_size[i] = 0;
    l->wrong[i] = false;
  }
  size_t next = 0;
  for (uint32_t e = 0; e < l->cloth_edges; ++e) {
    const weft_edge *edge = &l->edges.items[e];
    bool cut = false;
    while (next < l->crossing_count && l->crossings[next].edge[0] == edge->a &&
           l->crossings[next].edge[1] == edge->b) {
      ++next;
      cut = true;
    }
    if (!cut) weft_set_join(l->region, edge->a, edge->b);
  }
  for (uint32_t i = 0; i < l->particles; ++i) {
    l->region[i] = weft_set_root(l->region, i);
    ++l->region_size[l->region[i]];
  }
}

/* ---- inside of closed bodies ---- */

/* Out where the surface is nearest. */
static void bring_out(loosening *l, uint32_t i, const weft_triangle_tree *tree) {
  weft_nearest found;
  if (!weft_triangle_tree_nearest(tree, l->x[i], INFINITY, &found)) return;
  weft_vec3d way = weft_v3d_sub(found.at, l->x[i]);
  double depth = weft_v3d_length(way);
  weft_vec3d n = depth > 1e-9 ? weft_v3d_scale(way, 1 / depth)
                              : weft_untangle_unit(weft_untangle_normal(l, found.triangle));
  weft_untangle_want(l, i, weft_v3d_scale(n, depth + l->apart), 1);
}

static void out_of(loosening *l, const loosen_body *body) {
  memset(l->marks, 0, l->particles);
  weft_shells_mark_inside(body->shells, body->mesh->positions, l->rounded, l->particles, l->marks);
  for (uint32_t i = 0; i < l->particles; ++i) {
    if (!l->marks[i] || l->fixed[i]) continue;
    ++l->inside;
    bring_out(l, i, body->tree);
  }
}

/* ---- behind layers ---- */

static const double farthest = 0.05; /* m */

/* Behind the inner part of a surface, not beside its rim. */
static bool behind(const loosening *l, const loosen_layer *layer, uint32_t i, weft_nearest *found) {
  if (!weft_triangle_tree_nearest(layer->tree, l->x[i], farthest, found)) return false;
  const uint32_t *c = &layer->corners[3 * (size_t)found->triangle];
  weft_vec3d n =
      weft_v3d_cross(weft_v3d_sub(l->x[c[1]], l->x[c[0]]), weft_v3d_sub(l->x[c[2]], l->x[c[0]]));
  weft_vec3d off = weft_v3d_sub(l->x[i], found->at);
  double height = weft_v3d_dot(n, off), length = weft_v3d_length(n) * weft_v3d_length(off);
  return height < -0.7 * length;
}

static void before(loosening *l, const loosen_layer *layer) {
  weft_triangle_tree_fit(layer->tree);
  for (uint32_t i = 0; i < l->particles; ++i) {
    weft_nearest found;
    if (l->layers[i] <= layer->number || !behind(l, layer, i, &found)) continue;
    ++l->inside;
    const uint32_t *c = &layer->corners[3 * (size_t)found.triangle];
    const uint32_t particles[4] = {i, c[0], c[1], c[2]};
    const double shares[4] = {1, -found.weights[0], -found.weights[1], -found.weights[2]};
    weft_vec3d way = weft_v3d_sub(found.at, l->x[i]);
    weft_untangle_part(l, particles, shares, 4, weft_untangle_unit(way),
                       weft_v3d_length(way) + l->apart);
  }
}

void weft_untangle_insides(loosening *l) {
  l->inside = 0;
  for (uint32_t b = 0; b < l->body_count; ++b) {
    if (l->bodies[b].closed) out_of(l, &l->bodies[b]);
  }
  for (uint32_t k = 0; k + 1 < l->layer_count; ++k) before(l, &l->layer[k]);
}
