/* level_graph.c: neighbours of nodes, and planes through them. */
#include "level_graph.h"

#include <math.h>
#include <string.h>

#include "base.h"

void weft_level_links_build(const weft_level_nodes *nodes, weft_level_links *links) {
  size_t ends = 2 * (size_t)nodes->edge_count;
  links->offsets = weft_alloc((size_t)nodes->count + 1, sizeof *links->offsets);
  links->ends = weft_alloc(ends, sizeof *links->ends);
  links->lengths = weft_alloc(ends, sizeof *links->lengths);
  for (size_t k = 0; k < ends; ++k) links->offsets[nodes->edges[k] + 1]++;
  for (uint32_t i = 0; i < nodes->count; ++i) links->offsets[i + 1] += links->offsets[i];
  uint32_t *next = weft_alloc(nodes->count, sizeof *next);
  if (nodes->count) memcpy(next, links->offsets, nodes->count * sizeof *next);
  for (size_t k = 0; k < ends; ++k) {
    uint32_t at = next[nodes->edges[k]]++;
    links->ends[at] = nodes->edges[k ^ 1];
    links->lengths[at] = nodes->distances ? nodes->distances[k / 2] : nodes->lengths[k / 2];
  }
  weft_free(next);
}

void weft_level_links_free(weft_level_links *links) {
  weft_free(links->offsets);
  weft_free(links->ends);
  weft_free(links->lengths);
  *links = (weft_level_links){0};
}

/* One rotation of Jacobi's method: makes a[p][q] zero. */
static void rotate(double a[3][3], double v[3][3], int p, int q) {
  if (a[p][q] == 0) return;
  double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  int r = 3 - p - q;
  double arp = a[r][p], arq = a[r][q], apq = a[p][q];
  a[p][p] -= t * apq;
  a[q][q] += t * apq;
  a[p][q] = a[q][p] = 0;
  a[r][p] = a[p][r] = c * arp - s * arq;
  a[r][q] = a[q][r] = s * arp + c * arq;
  for (int k = 0; k < 3; ++k) {
    double vp = v[p][k], vq = v[q][k];
    v[p][k] = c * vp - s * vq;
    v[q][k] = s * vp + c * vq;
  }
}

void weft_add_moments(weft_vec3d d, double n, double m[6]) {
  m[0] += d.x * d.x / n;
  m[1] += d.x * d.y / n;
  m[2] += d.x * d.z / n;
  m[3] += d.y * d.y / n;
  m[4] += d.y * d.z / n;
  m[5] += d.z * d.z / n;
}

double weft_best_plane(const double m[6], weft_vec3d plane[2]) {
  double a[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double small = 1e-20 * (m[0] + m[3] + m[5]);
  for (int sweep = 0; sweep < 12; ++sweep) {
    if (!(fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) > small)) break;
    rotate(a, v, 0, 1);
    rotate(a, v, 0, 2);
    rotate(a, v, 1, 2);
  }
  int min = a[0][0] < a[1][1] ? 0 : 1;
  if (a[2][2] < a[min][min]) min = 2;
  for (int k = 0, n = 0; k < 3; ++k) {
    if (k != min) plane[n++] = weft_v3d_at(v[k]);
  }
  return a[min][min];
}
