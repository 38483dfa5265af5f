/* pleats.c: a sunray-pleated skirt. Ridges and valleys run along straight lines through one apex,
 * so every panel between two of them is flat and every crease has the same angle from waist to hem:
 * the rest shape is folded, and bending has to keep it so. */
#include <math.h>

#include "scenes_internal.h"

static const double two_pi = 6.283185307179586;

static const double waist_radius = 0.159, hem_radius = 0.256; /* mean of ridge and valley, m */
static const double waist_height = 1.04, length = 0.46;       /* m */
static const double crease = 1.3962634; /* of the fold between panels: 80 degrees */

enum { MAX_PLEATS = 30 };

/* A pleat is two panels of so many columns. */
typedef struct pleating {
  uint32_t pleats, columns, rows, around;
} pleating;

static pleating pleating_of(uint32_t size) {
  pleating p = {0};
  uint32_t wanted = (5 * size + 1) / 3;
  p.pleats = wanted / 4 < 3 ? 3 : wanted / 4 > MAX_PLEATS ? MAX_PLEATS : wanted / 4;
  p.columns = (wanted + p.pleats) / (2 * p.pleats);
  if (p.columns == 0) p.columns = 1;
  p.around = 2 * p.columns * p.pleats;
  p.rows = (size * size + p.around / 2) / p.around;
  if (p.rows < 3) p.rows = 3;
  return p;
}

/* The part of the mean radius by which ridges stand out and valleys in, for the crease angle: with
 * half a pleat spanning the angle a, the panel runs from (1-e) at 0 to (1+e) at a; its normal turns
 * by the crease angle at each fold, in the horizontal section. */
static double standing_out(const pleating *p) {
  double half = two_pi / (2 * p->pleats), low = 0, high = 0.9;
  for (int k = 0; k < 50; ++k) {
    double e = (low + high) / 2;
    /* The panel's direction against the tangent at its ridge. */
    double dx = (1 + e) * cos(half) - (1 - e), dy = (1 + e) * sin(half);
    double at_valley = atan2(dx, dy), at_ridge = at_valley + half;
    if (at_valley + at_ridge < crease) {
      low = e;
    } else {
      high = e;
    }
  }
  return low;
}

static void place(const pleating *p, weft_mesh *mesh) {
  double out = standing_out(p), half = two_pi / (2 * p->pleats);
  for (uint32_t row = 0; row < p->rows; ++row) {
    double down = (double)row / (p->rows - 1);
    double radius = waist_radius + down * (hem_radius - waist_radius);
    for (uint32_t k = 0; k < p->around; ++k) {
      uint32_t panel = k / p->columns;
      double along = (double)(k % p->columns) / p->columns;
      double from = panel % 2 ? 1 + out : 1 - out, to = panel % 2 ? 1 - out : 1 + out;
      double a0 = half * panel, a1 = half * (panel + 1);
      double x = (1 - along) * from * sin(a0) + along * to * sin(a1);
      double z = (1 - along) * from * cos(a0) + along * to * cos(a1);
      mesh->positions[(size_t)row * p->around + k] =
          weft_v3((float)(radius * x), (float)(waist_height - down * length), (float)(radius * z));
    }
  }
}

/* Diagonals alternate, so that the cloth has no handedness. */
static void cut(const pleating *p, weft_mesh *mesh) {
  uint32_t *t = mesh->triangles;
  for (uint32_t row = 0; row + 1 < p->rows; ++row) {
    for (uint32_t k = 0; k < p->around; ++k, t += 6) {
      uint32_t a = row * p->around + k, b = row * p->around + (k + 1) % p->around;
      uint32_t c = a + p->around, d = b + p->around;
      bool first = (row + k) % 2 == 0;
      t[0] = a, t[1] = c, t[2] = first ? d : b;
      t[3] = first ? a : b, t[4] = first ? d : c, t[5] = first ? b : d;
    }
  }
}

static void fold(uint32_t size, weft_mesh *mesh) {
  pleating p = pleating_of(size);
  mesh->vertex_count = p.rows * p.around;
  mesh->triangle_count = 2 * (p.rows - 1) * p.around;
  mesh->positions = weft_alloc(mesh->vertex_count, sizeof *mesh->positions);
  mesh->triangles = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *mesh->triangles);
  place(&p, mesh);
  cut(&p, mesh);
}

weft_result weft_make_pleats(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  fold(o->size, &s->mesh);
  s->params.substeps = 20;
  s->params.thickness = 0.004f;
  s->params.damping = 0.5f;
  weft_scene_keep_apart(s);
  weft_scene_add_ground(s, 0);
  weft_result result = weft_scene_add_mannequin(s, o->mannequin, NULL, 0, err);
  if (result != WEFT_OK) return result;
  s->still = (weft_scene_still){60, 1.6f, {0, 0.74f, 0}};
  weft_scene_look(s, weft_v3(0, 0.85f, 0), 0.98f, 0.55f, 0.12f);
  const weft_pin pin = {.rule = WEFT_PIN_TOP};
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"trousers", WEFT_BENDING_MIXED, &pin, 1}, err);
}
