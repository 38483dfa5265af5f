/* knot.c: a strip tied in an overhand knot, loosely and nowhere touching itself, is pulled tight by
 * its ends.
 *
 * Seen along z the strip follows the plane curve (t^3 - 3t, t^4 - 4t^2) of the trefoil of Shastri
 * 1992 ("Polynomial representations of knots"), which crosses itself three times; bends at both
 * ends lead to where it is pulled. The strip's width lies along z. Along z it goes to and fro, so
 * that it passes before and behind itself in turn. It is bent about z alone: it can be cut from
 * flat cloth, along a wavy line, and lines along it are all of one length. */
#include <math.h>

#include "scenes_internal.h"

static const double strip_width = 0.09; /* m */
/* Metres of one unit of the curve, which is drawn out along x so that its bends are as wide. */
static const double unit = 0.08, wider = 1.4;
/* Its parameter where the bends to the horizontal begin; their radius and the straight ends, m. */
static const double knot_end = 2.05, bend_radius = 0.12, straight_end = 0.2;
/* From middle line to middle line along z where the strip crosses itself, m. */
static const double crossing_gap = 0.11;
static const double height = 0.55; /* of the lowest bend above the ground, m */
static const double pull_seconds = 4;
/* What of the strip the knot keeps when it is tight, m. */
static const double tight_length = 0.5;

/* ---- the curve, as it is seen along z ---- */

enum { SAMPLES = 4096 };

typedef struct point {
  double x, y;
} point;

/* The middle line in many short pieces. */
typedef struct curve {
  point at[SAMPLES + 1];
  double along[SAMPLES + 1]; /* m, length up to here */
} curve;

static point within_knot(double t) {
  return (point){wider * unit * t * (t * t - 3), unit * t * t * (t * t - 4)};
}

/* The angle to the horizontal at the end of the knot. */
static double end_angle(void) {
  return atan2(4 * knot_end * (knot_end * knot_end - 2), wider * 3 * (knot_end * knot_end - 1));
}

/* Beyond the knot, so many metres on. */
static point after_knot(double way) {
  double angle = end_angle(), left = angle - fmin(way / bend_radius, angle);
  point p = within_knot(knot_end);
  p.x += bend_radius * (sin(angle) - sin(left)) + fmax(way - bend_radius * angle, 0);
  p.y += bend_radius * (cos(left) - cos(angle));
  return p;
}

static double after_length(void) { return bend_radius * end_angle() + straight_end; }

/* t from -1 to 1. The left half is the mirror image of the right one. */
static point curve_at(double t) {
  double s = fabs(t) * (knot_end + after_length() / unit);
  point p = s < knot_end ? within_knot(s) : after_knot(unit * (s - knot_end));
  if (t < 0) p.x = -p.x;
  return p;
}

static void sample(curve *c) {
  for (int k = 0; k <= SAMPLES; ++k) {
    c->at[k] = curve_at(2.0 * k / SAMPLES - 1);
    if (k > 0) {
      point a = c->at[k - 1], b = c->at[k];
      c->along[k] = c->along[k - 1] + hypot(b.x - a.x, b.y - a.y);
    }
  }
}

/* The piece that so much length falls into, and the part of it. */
static int piece_at(const curve *c, double along, double *part) {
  int low = 0, high = SAMPLES;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (c->along[middle] <= along)
      low = middle;
    else
      high = middle;
  }
  *part = (along - c->along[low]) / (c->along[high] - c->along[low]);
  return low;
}

/* ---- to and fro ---- */

/* The curve is at one place for the two values t of each crossing: sqrt(3) and -sqrt(3); those with
 * t^2 = 2 + sqrt(3) and 2 - sqrt(3) and unlike signs. In ascending order. */
static const double crossings[] = {-1.9318516525781366, -1.7320508075688772, -0.5176380902050415,
                                   0.5176380902050415,  1.7320508075688772,  1.9318516525781366};
enum { CROSSINGS = sizeof crossings / sizeof *crossings };

static double along_of(const curve *c, double t) {
  double k = 0.5 * SAMPLES * (1 + t / (knot_end + after_length() / unit));
  int low = (int)k;
  return c->along[low] + (k - low) * (c->along[low + 1] - c->along[low]);
}

/* Behind and before in turn, level where it crosses and at both ends. */
static double depth_at(const curve *c, double along) {
  double from = along_of(c, -knot_end) - bend_radius, z_from = 0;
  for (int k = 0; k <= CROSSINGS; ++k) {
    double to = k < CROSSINGS ? along_of(c, crossings[k]) : along_of(c, knot_end) + bend_radius;
    double z_to = k == CROSSINGS ? 0 : k % 2 ? crossing_gap / 2 : -crossing_gap / 2;
    if (along < to) {
      double part = fmax((along - from) / (to - from), 0);
      return z_from + (z_to - z_from) * part * part * (3 - 2 * part);
    }
    from = to;
    z_from = z_to;
  }
  return 0;
}

/* The flat grid, as long as the curve, laid along it. */
static void tie(const curve *c, weft_mesh *mesh) {
  double length = c->along[SAMPLES], low = INFINITY;
  for (int k = 0; k <= SAMPLES; ++k) low = fmin(low, c->at[k].y);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    weft_vec3 *p = &mesh->positions[i];
    double along = fmin(fmax((double)p->x + length / 2, 0), length), part;
    int k = piece_at(c, along, &part);
    point a = c->at[k], b = c->at[k + 1];
    double z = (double)p->y + depth_at(c, along);
    *p = weft_v3((float)(a.x + part * (b.x - a.x)),
                 (float)(height - low + a.y + part * (b.y - a.y)), (float)z);
  }
}

/* ---- the pull ---- */

typedef struct pull {
  uint32_t count;
  const uint32_t *ends;
  const weft_vec3 *rest;
  weft_vec3 *targets;
  double distance; /* m, of each end */
} pull;

static weft_result pull_ends(weft_scene_instance *s, weft_solver *solver, weft_error *err) {
  pull *p = weft_scene_storage(s)->motion;
  double dt = (double)weft_solver_params(solver)->frame_dt;
  double t = fmin((weft_solver_time(solver) + dt) / pull_seconds, 1);
  double way = p->distance * t * t * (3 - 2 * t);
  for (uint32_t k = 0; k < p->count; ++k) {
    weft_vec3 x = p->rest[p->ends[k]];
    p->targets[k] = weft_v3((float)((double)x.x + (x.x < 0 ? -way : way)), x.y, x.z);
  }
  return weft_scene_move_pins(s, solver, p->ends, p->targets, p->count, err);
}

static void grip_ends(weft_scene_instance *s, const curve *c) {
  pull *p = weft_scene_keep(s, 1, sizeof *p);
  p->count = weft_scene_pinned(s, &p->ends);
  p->rest = weft_model_rest_positions(s->model);
  p->targets = weft_scene_keep(s, p->count, sizeof *p->targets);
  double apart = c->at[SAMPLES].x - c->at[0].x;
  p->distance = (c->along[SAMPLES] - tight_length - apart) / 2;
  weft_scene_storage(s)->motion = p;
  s->animate = pull_ends;
}

static weft_result preprocess(weft_scene_instance *s, const weft_scene_options *o,
                              weft_error *err) {
  uint32_t rows = s->mesh.grid_rows, columns = s->mesh.grid_columns;
  uint32_t *ends = weft_scene_keep(s, 2 * (size_t)rows, sizeof *ends);
  for (uint32_t r = 0; r < rows; ++r) {
    ends[2 * r] = r * columns;
    ends[2 * r + 1] = r * columns + columns - 1;
  }
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = ends, .list_count = 2 * rows};
  return weft_scene_preprocess(
      s, o, &(weft_scene_defaults){"tablecloth", WEFT_BENDING_ISOMETRIC, &pin, 1}, err);
}

weft_result weft_make_knot(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  curve *c = weft_scene_keep(s, 1, sizeof *c);
  sample(c);
  double length = c->along[SAMPLES], rows = o->size * sqrt(strip_width / length);
  weft_grid_desc grid = {.rows = (uint32_t)fmax(round(rows), 3),
                         .columns = (uint32_t)lround(o->size / rows * o->size),
                         .width = (float)length,
                         .height = (float)strip_width,
                         .pattern = o->pattern,
                         .plane = WEFT_PLANE_XY};
  weft_result result = weft_mesh_grid(&grid, &s->mesh, err);
  if (result != WEFT_OK) return result;
  tie(c, &s->mesh);
  s->params.touches_itself = true;
  s->params.substeps = 20;
  s->params.thickness = 0.003f;
  s->params.damping = 0.5f;
  /* Its loop falls, and hundreds of edges hang from each other where it is caught. */
  s->least_substeps = (uint32_t)lround(70 * pow(o->size / 48.0, 0.35));
  weft_scene_keep_apart(s);
  weft_scene_add_ground(s, 0);
  s->still = (weft_scene_still){70, 2.4f, {0, 0.27f, 0}};
  weft_scene_look(s, weft_v3(0, 0.55f, 0), 0.85f, 0.35f, 0.2f);
  result = preprocess(s, o, err);
  if (result == WEFT_OK && o->pin_count == 0) grip_ends(s, c);
  return result;
}
