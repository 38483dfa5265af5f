/* levels_graph_edges.c: which coarser nodes of a mesh are neighbours, and how far apart they can
 * be.
 *
 * Neighbours are nodes whose regions touch: an edge of the finer level has its ends in both, where
 * a finer node belongs to the parent it hangs on most. The piece of cloth around each is laid flat,
 * two neighbouring pieces are put on top of each other by what they share, and the distance of the
 * means is read off.
 *
 * That is the furthest two means can be apart if one is the other, moved along the cloth. If they
 * are spread differently, folding can bring more of one to the far side than of the other. How far
 * is a matter of moving mass: no folding brings means further apart than it costs to carry one
 * distribution to the other (Kantorovich and Rubinstein 1958). About a pin, a single point, that is
 * the mean of the distances from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "level_chart.h"
#include "vec3d.h"

enum { NONE = UINT32_MAX, MAX_PINS = 48 };

/* More than this relative error, and pieces do not lie upon each other: a tube too thin for its
 * nodes closes, or cloth that cannot be laid flat. */
static const double torn = 0.1, rounding = 1e-6;

/* A coarser node in its chart. */
typedef struct mean {
  double at[2];
  double xx, xy, yy; /* m^2, spread of its particles about it */
} mean;

typedef struct pieces {
  const weft_level_nodes *finer;
  const weft_coarsening *coarsening;
  const weft_level_members *members;
  weft_level_nodes *coarser;
  weft_level_links links;
  uint32_t *owners;  /* [finer count] the coarser node that each belongs to, or NONE */
  uint32_t *offsets; /* [coarser count+1] nodes of charts */
  uint32_t *nodes;   /* of the finer level */
  double *at;
  weft_chart *charts;
  uint32_t *place; /* of each member in the chart of its node */
  mean *means;
} pieces;

/* ---- charts ---- */

/* The node that a finer one belongs to. */
static uint32_t owner_of(const weft_coarsening *c, uint32_t i) {
  size_t first = WEFT_LEVEL_PARENTS * (size_t)i, best = first;
  for (size_t k = first + 1; k < first + WEFT_LEVEL_PARENTS && c->parents[k] != NONE; ++k) {
    if (c->weights[k] > c->weights[best]) best = k;
  }
  return c->parents[best];
}

/* Finer nodes by the coarser ones they hang on. */
static void sort_hanging(const pieces *p, uint32_t **offsets, uint32_t **hanging) {
  const weft_coarsening *c = p->coarsening;
  size_t slots = WEFT_LEVEL_PARENTS * (size_t)p->finer->count;
  uint32_t *first = weft_alloc((size_t)c->count + 1, sizeof *first);
  for (size_t k = 0; k < slots; ++k) {
    if (c->parents[k] != NONE) first[c->parents[k] + 1]++;
  }
  for (uint32_t node = 0; node < c->count; ++node) first[node + 1] += first[node];
  uint32_t *next = weft_alloc(c->count, sizeof *next);
  memcpy(next, first, c->count * sizeof *next);
  *hanging = weft_alloc(first[c->count], sizeof **hanging);
  for (size_t k = 0; k < slots; ++k) {
    if (c->parents[k] == NONE) continue;
    (*hanging)[next[c->parents[k]]++] = (uint32_t)(k / WEFT_LEVEL_PARENTS);
  }
  *offsets = first;
  weft_free(next);
}

typedef struct chooser {
  pieces *p;
  uint32_t *seen; /* [finer count] the last node it was taken for, plus 1 */
  uint32_t count;
  size_t capacity;
} chooser;

static void take(chooser *c, uint32_t node, uint32_t i) {
  if (c->seen[i] == node + 1) return;
  c->seen[i] = node + 1;
  weft_grow((void **)&c->p->nodes, &c->capacity, (size_t)c->count + 1, sizeof *c->p->nodes);
  c->p->nodes[c->count++] = i;
}

static void take_around(chooser *c, uint32_t node, uint32_t i) {
  const weft_level_links *l = &c->p->links;
  take(c, node, i);
  for (uint32_t e = l->offsets[i]; e < l->offsets[i + 1]; ++e) take(c, node, l->ends[e]);
}

/* The seed first and what is around it, all that hangs on the node, and a rim around what belongs
 * to it, so that pieces that touch overlap. */
static void choose_nodes(pieces *p) {
  const weft_coarsening *c = p->coarsening;
  uint32_t *offsets, *hanging;
  sort_hanging(p, &offsets, &hanging);
  chooser ch = {.p = p, .seen = weft_alloc(p->finer->count, sizeof *ch.seen)};
  p->offsets = weft_alloc((size_t)c->count + 1, sizeof *p->offsets);
  for (uint32_t node = 0; node < c->count; ++node) {
    take_around(&ch, node, c->seeds[node]);
    for (uint32_t k = offsets[node]; k < offsets[node + 1]; ++k) {
      if (p->owners[hanging[k]] == node) {
        take_around(&ch, node, hanging[k]);
      } else {
        take(&ch, node, hanging[k]);
      }
    }
    p->offsets[node + 1] = ch.count;
  }
  weft_free(ch.seen);
  weft_free(hanging);
  weft_free(offsets);
}

/* The mean and the spread of the particles under it; how those of a member lie about that is known
 * by size only. */
static mean mean_of(const pieces *p, const weft_chart *chart, uint32_t node) {
  const weft_level_members *m = p->members;
  mean out = {0};
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) {
    const double *at = chart->at + 2 * (size_t)p->place[e];
    out.at[0] += m->shares[e] * at[0];
    out.at[1] += m->shares[e] * at[1];
  }
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) {
    const double *at = chart->at + 2 * (size_t)p->place[e];
    double x = at[0] - out.at[0], y = at[1] - out.at[1];
    double own = 0.5 * p->finer->spread[m->finer[e]];
    out.xx += m->shares[e] * (x * x + own);
    out.xy += m->shares[e] * x * y;
    out.yy += m->shares[e] * (y * y + own);
  }
  return out;
}

static void lay_charts(pieces *p) {
  uint32_t count = p->coarsening->count;
  p->at = weft_alloc(2 * (size_t)p->offsets[count], sizeof *p->at);
  p->charts = weft_alloc(count, sizeof *p->charts);
  p->means = weft_alloc(count, sizeof *p->means);
  p->place = weft_alloc(p->members->offsets[count], sizeof *p->place);
  uint32_t *slot = weft_alloc(p->finer->count, sizeof *slot);
  weft_chart_maker maker;
  weft_chart_maker_begin(&maker, p->finer, &p->links);
  for (uint32_t node = 0; node < count; ++node) {
    weft_chart *chart = &p->charts[node];
    uint32_t first = p->offsets[node];
    *chart = (weft_chart){.count = p->offsets[node + 1] - first,
                          .nodes = p->nodes + first,
                          .at = p->at + 2 * (size_t)first};
    weft_chart_lay(&maker, chart);
    for (uint32_t k = 0; k < chart->count; ++k) slot[chart->nodes[k]] = k;
    for (uint32_t e = p->members->offsets[node]; e < p->members->offsets[node + 1]; ++e) {
      p->place[e] = slot[p->members->finer[e]];
    }
    p->means[node] = mean_of(p, chart, node);
    if (!(chart->error < INFINITY)) continue;
    p->coarser->spread[node] = p->means[node].xx + p->means[node].yy; /* on the flat cloth */
  }
  weft_chart_maker_end(&maker);
  weft_free(slot);
}

/* ---- one chart upon another ---- */

typedef struct fit {
  double cos, sin, mirror; /* of the second chart: y times mirror, then turned */
  double shift[2];
  double error; /* m, root mean square over what both hold */
} fit;

typedef struct shared {
  double count, a[2], b[2]; /* sums */
  double dot, cross, dot_mirrored, cross_mirrored, square;
} shared;

/* slot[node]: index of a finer node in the chart of a, plus 1. */
static void sum_shared(const weft_chart *a, const weft_chart *b, const uint32_t *slot, shared *s) {
  *s = (shared){0};
  for (int round = 0; round < 2; ++round) {
    for (uint32_t k = 0; k < b->count; ++k) {
      if (!slot[b->nodes[k]]) continue;
      const double *p = a->at + 2 * (size_t)(slot[b->nodes[k]] - 1), *q = b->at + 2 * (size_t)k;
      if (round == 0) {
        s->count += 1;
        for (int r = 0; r < 2; ++r) {
          s->a[r] += p[r];
          s->b[r] += q[r];
        }
        continue;
      }
      double px = p[0] - s->a[0], py = p[1] - s->a[1], qx = q[0] - s->b[0], qy = q[1] - s->b[1];
      s->dot += px * qx + py * qy;
      s->cross += qx * py - qy * px;
      s->dot_mirrored += px * qx - py * qy;
      s->cross_mirrored += qx * py + qy * px;
      s->square += px * px + py * py + qx * qx + qy * qy;
    }
    for (int r = 0; r < 2 && round == 0 && s->count > 0; ++r) {
      s->a[r] /= s->count;
      s->b[r] /= s->count;
    }
  }
}

static bool fit_charts(const shared *s, bool mirrored, fit *out) {
  double dot = mirrored ? s->dot_mirrored : s->dot;
  double cross = mirrored ? s->cross_mirrored : s->cross;
  double length = sqrt(dot * dot + cross * cross);
  if (!(s->count >= 2 && length > 0)) return false;
  *out = (fit){dot / length, cross / length, mirrored ? -1 : 1, {0, 0}, 0};
  double y = out->mirror * s->b[1];
  out->shift[0] = s->a[0] - (out->cos * s->b[0] - out->sin * y);
  out->shift[1] = s->a[1] - (out->sin * s->b[0] + out->cos * y);
  out->error = sqrt(fmax(0, s->square - 2 * length) / s->count);
  return true;
}

static mean moved(const fit *f, const mean *m) {
  double c = f->cos, s = f->sin, y = f->mirror * m->at[1], xy = f->mirror * m->xy;
  return (mean){{c * m->at[0] - s * y + f->shift[0], s * m->at[0] + c * y + f->shift[1]},
                c * c * m->xx - 2 * c * s * xy + s * s * m->yy,
                c * s * (m->xx - m->yy) + (c * c - s * s) * xy,
                s * s * m->xx + 2 * c * s * xy + c * c * m->yy};
}

/* m^2: the difference of the spreads across the line between two means. Along it mass is carried
 * one way only, at no extra cost. */
static double carrying(const mean *a, const mean *b) {
  double x = b->at[0] - a->at[0], y = b->at[1] - a->at[1], square = x * x + y * y;
  if (!(square > 0)) return 0;
  double across_a = (y * y * a->xx - 2 * x * y * a->xy + x * x * a->yy) / square;
  double across_b = (y * y * b->xx - 2 * x * y * b->xy + x * x * b->yy) / square;
  double difference = sqrt(fmax(0, across_a)) - sqrt(fmax(0, across_b));
  return difference * difference;
}

static double at_rest(const double *positions, uint32_t a, uint32_t b) {
  return weft_v3d_distance(weft_v3d_at(positions + 3 * (size_t)a),
                           weft_v3d_at(positions + 3 * (size_t)b));
}

/* Puts the chart of b upon that of a. Of two ways that fit equally, when what they share is a line,
 * the one that opens them. */
static bool overlay(const pieces *p, uint32_t a, uint32_t b, const uint32_t *slot, fit *out) {
  double found = -1;
  shared s;
  sum_shared(&p->charts[a], &p->charts[b], slot, &s);
  for (int mirrored = 0; mirrored < 2; ++mirrored) {
    fit f;
    if (!fit_charts(&s, mirrored, &f)) continue;
    mean other = moved(&f, &p->means[b]);
    double far = hypot(other.at[0] - p->means[a].at[0], other.at[1] - p->means[a].at[1]);
    double clear = 1e-3 * fmax(far, found);
    if (found >= 0 && f.error > out->error + clear) continue;
    if (found >= 0 && f.error > out->error - clear && far < found) continue;
    *out = f;
    found = far;
  }
  return found > 0 && out->error <= torn * found;
}

/* ---- pins ---- */

/* The pins of two charts, in the plane of one of them and where they are. */
typedef struct pins {
  double at[2 * MAX_PINS];
  uint32_t nodes[MAX_PINS];
  uint32_t count;
} pins;

static void gather_pins(const pieces *p, const weft_chart *chart, const fit *f, pins *out) {
  for (uint32_t k = 0; k < chart->count && out->count < MAX_PINS; ++k) {
    if (!p->finer->fixed[chart->nodes[k]]) continue;
    uint32_t known = 0;
    while (known < out->count && out->nodes[known] != chart->nodes[k]) ++known;
    if (known < out->count) continue;
    mean at = {{chart->at[2 * (size_t)k], chart->at[2 * (size_t)k + 1]}, 0, 0, 0};
    if (f) at = moved(f, &at);
    memcpy(out->at + 2 * (size_t)known, at.at, sizeof at.at);
    out->nodes[out->count++] = chart->nodes[k];
  }
}

/* The means of the members' distances: from the pin, and each from the pin nearest to where it
 * comes when all are moved as the mean is to the pin; in that case the mean can stand off from
 * where those pins have theirs, and no further. All of a row of pins hold what hangs on it. */
static double length_to_pin(const pieces *p, uint32_t node, uint32_t pin, const fit *f,
                            const pins *near) {
  const weft_level_members *m = p->members;
  const weft_chart *chart = &p->charts[node];
  const double *x0 = p->means[pin].at, *rest = p->finer->positions;
  mean centre = moved(f, &p->means[node]);
  double from_one = 0, from_row = 0;
  weft_vec3d row = {0, 0, 0};
  for (uint32_t e = m->offsets[node]; e < m->offsets[node + 1]; ++e) {
    uint32_t k = p->place[e];
    mean at = {{chart->at[2 * (size_t)k], chart->at[2 * (size_t)k + 1]}, 0, 0, 0};
    at = moved(f, &at);
    double x = at.at[0] - x0[0], y = at.at[1] - x0[1], own = p->finer->spread[m->finer[e]];
    from_one += m->shares[e] * sqrt(x * x + y * y + own);
    x = at.at[0] - centre.at[0] + x0[0];
    y = at.at[1] - centre.at[1] + x0[1];
    uint32_t best = 0;
    double nearest = INFINITY;
    for (uint32_t n = 0; n < near->count; ++n) {
      double far = hypot(near->at[2 * (size_t)n] - x, near->at[2 * (size_t)n + 1] - y);
      if (far < nearest) {
        nearest = far;
        best = n;
      }
    }
    from_row += m->shares[e] * hypot(near->at[2 * (size_t)best] - at.at[0],
                                     near->at[2 * (size_t)best + 1] - at.at[1]);
    row = weft_v3d_add_scaled(row, m->shares[e], weft_v3d_at(rest + 3 * (size_t)near->nodes[best]));
  }
  weft_vec3d at_pin = weft_v3d_at(rest + 3 * (size_t)p->coarsening->seeds[pin]);
  return fmin(from_one, from_row + weft_v3d_distance(row, at_pin));
}

/* ---- lengths ---- */

static fit turned_back(const fit *f) {
  double x = f->cos * f->shift[0] + f->sin * f->shift[1];
  double y = f->mirror * (f->cos * f->shift[1] - f->sin * f->shift[0]);
  return (fit){f->cos, -f->mirror * f->sin, f->mirror, {-x, -y}, f->error};
}

/* How far apart two means are on the flat cloth, and can be. The rest pose is without stretch, so
 * never less than there. Means that nearly are of the same particles have nothing to say. */
static bool measure(const pieces *p, uint32_t a, uint32_t b, const uint32_t *slot, double *distance,
                    double *length) {
  const weft_level_nodes *coarser = p->coarser;
  const weft_chart *ca = &p->charts[a], *cb = &p->charts[b];
  double error = fmax(ca->error, cb->error);
  fit f;
  if (!(error < INFINITY) || !overlay(p, a, b, slot, &f)) return false;
  mean other = moved(&f, &p->means[b]);
  const mean *own = &p->means[a];
  double x = other.at[0] - own->at[0], y = other.at[1] - own->at[1],
         rest = at_rest(coarser->positions, a, b);
  *distance = fmax(sqrt(x * x + y * y), rest);
  bool pinned = coarser->fixed[a] || coarser->fixed[b];
  double spread = 0.5 * (own->xx + own->yy + other.xx + other.yy);
  if (!pinned && *distance * *distance < 0.4 * spread) return false;
  *length = sqrt(*distance * *distance + carrying(own, &other));
  if (pinned) {
    bool first = coarser->fixed[a];
    fit back = turned_back(&f);
    pins near = {.count = 0};
    gather_pins(p, first ? ca : cb, NULL, &near);
    gather_pins(p, first ? cb : ca, first ? &f : &back, &near);
    *length = length_to_pin(p, first ? b : a, first ? a : b, first ? &f : &back, &near);
    *length = fmax(*length, *distance);
  }
  error = fmax(error, f.error / *distance);
  if (error > rounding) *length *= 1 + 0.5 * error;
  return true;
}

/* ---- who touches whom ---- */

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The nodes b > a that touch a, ascending; some of them several times. */
static void find_touching(const pieces *p, uint32_t **offsets, uint32_t **others) {
  const weft_level_nodes *finer = p->finer;
  uint32_t count = p->coarsening->count, *first = weft_alloc((size_t)count + 1, sizeof *first);
  const uint32_t *owners = p->owners;
  uint32_t *low = weft_alloc(finer->edge_count, sizeof *low);
  for (size_t e = 0; e < finer->edge_count; ++e) {
    uint32_t a = owners[finer->edges[2 * e]], b = owners[finer->edges[2 * e + 1]];
    low[e] = a == b || a == NONE || b == NONE ? NONE : a < b ? a : b;
    if (low[e] != NONE) first[low[e] + 1]++;
  }
  for (uint32_t k = 0; k < count; ++k) first[k + 1] += first[k];
  uint32_t *next = weft_alloc(count, sizeof *next);
  memcpy(next, first, count * sizeof *next);
  *others = weft_alloc(first[count], sizeof **others);
  for (size_t e = 0; e < finer->edge_count; ++e) {
    if (low[e] == NONE) continue;
    uint32_t a = owners[finer->edges[2 * e]], b = owners[finer->edges[2 * e + 1]];
    (*others)[next[low[e]]++] = a < b ? b : a;
  }
  for (uint32_t k = 0; k < count; ++k) {
    qsort(*others + first[k], first[k + 1] - first[k], sizeof **others, ascending);
  }
  *offsets = first;
  weft_free(next);
  weft_free(low);
}

static void add_edges(pieces *p, const uint32_t *offsets, const uint32_t *others) {
  weft_level_nodes *coarser = p->coarser;
  uint32_t count = p->coarsening->count;
  coarser->edges = weft_alloc(2 * (size_t)offsets[count], sizeof *coarser->edges);
  coarser->lengths = weft_alloc(offsets[count], sizeof *coarser->lengths);
  coarser->distances = weft_alloc(offsets[count], sizeof *coarser->distances);
  uint32_t *slot = weft_alloc(p->finer->count, sizeof *slot);
  for (uint32_t a = 0; a < count; ++a) {
    const weft_chart *chart = &p->charts[a];
    for (uint32_t k = 0; k < chart->count; ++k) slot[chart->nodes[k]] = k + 1;
    for (uint32_t k = offsets[a]; k < offsets[a + 1]; ++k) {
      uint32_t b = others[k];
      if ((k > offsets[a] && others[k - 1] == b) || (coarser->fixed[a] && coarser->fixed[b])) {
        continue;
      }
      double *length = &coarser->lengths[coarser->edge_count];
      if (!measure(p, a, b, slot, &coarser->distances[coarser->edge_count], length)) continue;
      coarser->edges[2 * (size_t)coarser->edge_count] = a;
      coarser->edges[2 * (size_t)coarser->edge_count++ + 1] = b;
    }
    for (uint32_t k = 0; k < chart->count; ++k) slot[chart->nodes[k]] = 0;
  }
  weft_free(slot);
}

void weft_graph_edges(const weft_level_nodes *finer, const weft_coarsening *coarsening,
                      const weft_level_members *members, weft_level_nodes *coarser) {
  pieces p = {.finer = finer, .coarsening = coarsening, .members = members, .coarser = coarser};
  weft_level_links_build(finer, &p.links);
  p.owners = weft_alloc(finer->count, sizeof *p.owners);
  for (uint32_t i = 0; i < finer->count; ++i) p.owners[i] = owner_of(coarsening, i);
  choose_nodes(&p);
  lay_charts(&p);
  uint32_t *offsets, *others;
  find_touching(&p, &offsets, &others);
  add_edges(&p, offsets, others);
  weft_free(offsets);
  weft_free(others);
  weft_level_links_free(&p.links);
  weft_free(p.owners);
  weft_free(p.offsets);
  weft_free(p.nodes);
  weft_free(p.at);
  weft_free(p.charts);
  weft_free(p.place);
  weft_free(p.means);
}
