/* Poncho: rings that morph from the circle of the neck to the rectangle of the hem.
 *
 * Ring k is the curve at parameter t between the two, cut at the rays through the rectangle's
 * corners into four sides; each side gets evenly spaced vertices according to its length. The
 * spacing starts at that of the neck and changes by at most a sixth a ring, towards the constant
 * spacing that fills the sheet with the wanted number of rings. So triangles stay near
 * equilateral and the hem is as fine as the rest. */
#include "builders.h"

static const double pi = 3.141592653589793;
enum { SIDES = 4, SAMPLES = 128 };

typedef struct poncho_ring {
  double t;
  uint32_t first, count;
  uint32_t side_edges[SIDES];
} poncho_ring;

static weft_poncho_desc poncho_defaults(const weft_poncho_desc *desc) {
  weft_poncho_desc d = desc ? *desc : (weft_poncho_desc){0};
  if (d.width == 0) d.width = 1.2f;
  if (d.depth == 0) d.depth = 1.2f;
  if (d.neck_radius == 0) d.neck_radius = 0.12f;
  if (d.segments == 0) d.segments = 128;
  if (d.rings == 0) d.rings = 48;
  return d;
}

static weft_result poncho_check(const weft_poncho_desc *d, weft_error *err) {
  weft_result result = weft_check_size("poncho width", d->width, err);
  if (result == WEFT_OK) result = weft_check_size("poncho depth", d->depth, err);
  if (result == WEFT_OK) result = weft_check_size("poncho neck radius", d->neck_radius, err);
  if (result == WEFT_OK) result = weft_check_centre(d->centre, err);
  if (result != WEFT_OK) return result;
  if (d->neck_radius > 0.49f * fminf(d->width, d->depth)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "poncho neck radius %g m does not fit a sheet of %g x %g m",
                     (double)d->neck_radius, (double)d->width, (double)d->depth);
  }
  if (fmaxf(d->width, d->depth) > 16 * fminf(d->width, d->depth)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "poncho sheet of %g x %g m is too narrow; at most 16 to 1", (double)d->width,
                     (double)d->depth);
  }
  if (d->segments < 8 || d->segments % 4 != 0 || d->segments > WEFT_MESH_MAX_VERTICES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "poncho segments is %u; it must be a multiple of 4, at least 8", d->segments);
  }
  if (d->rings < 2 || d->rings > WEFT_MESH_MAX_VERTICES / 8) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "poncho rings is %u; it must be 2 or more, below %u",
                     d->rings, (unsigned)WEFT_MESH_MAX_VERTICES / 8);
  }
  return WEFT_OK;
}

/* Angle of the corner where side s begins; side 0 crosses +x, and angles grow towards -z. */
static double corner_angle(const weft_poncho_desc *d, uint32_t s) {
  double first = atan2(d->depth, d->width);
  const double angles[SIDES + 1] = {-first, first, pi - first, pi + first, 2 * pi - first};
  return angles[s];
}

static weft_vec3 curve_point(const weft_poncho_desc *d, double t, double angle) {
  double c = cos(angle), s = sin(angle);
  double to_x = 0.5 * d->width / fmax(fabs(c), 1e-12);
  double to_z = 0.5 * d->depth / fmax(fabs(s), 1e-12);
  double radius = (1 - t) * d->neck_radius + t * fmin(to_x, to_z);
  return weft_v3((float)(d->centre.x + radius * c), d->centre.y, (float)(d->centre.z - radius * s));
}

/* Accumulated length along side s of the curve at SAMPLES+1 angles. */
static double side_lengths(const weft_poncho_desc *d, double t, uint32_t s, double *lengths) {
  weft_poncho_desc at_origin = *d;
  at_origin.centre = weft_v3(0, 0, 0);
  double from = corner_angle(d, s), to = corner_angle(d, s + 1);
  weft_vec3 last = curve_point(&at_origin, t, from);
  lengths[0] = 0;
  for (int i = 1; i <= SAMPLES; ++i) {
    weft_vec3 p = curve_point(&at_origin, t, from + (to - from) * i / SAMPLES);
    lengths[i] = lengths[i - 1] + hypot((double)p.x - last.x, (double)p.z - last.z);
    last = p;
  }
  return lengths[SAMPLES];
}

/* Step k of the graded spacing that starts at `neck` and tends to `target`. */
static double graded(double neck, double target, uint32_t k) {
  double rate = target > neck ? 1.16 : 1 / 1.16;
  double step = k > 400 ? target : neck * pow(rate, k);
  return target > neck ? fmin(step, target) : fmax(step, target);
}

static double graded_sum(double neck, double target, uint32_t steps) {
  double sum = 0;
  for (uint32_t k = 0; k < steps; ++k) {
    double step = graded(neck, target, k);
    if (step == target) return sum + target * (steps - k);
    sum += step;
  }
  return sum;
}

/* The target spacing for which the graded steps add up to `length`. */
static double target_step(double neck, double length, uint32_t steps) {
  double low = 1e-3 * length / steps, high = length;
  for (int i = 0; i < 60; ++i) {
    double middle = 0.5 * (low + high);
    if (graded_sum(neck, middle, steps) < length) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Neck vertices are evenly spaced, and assigned to the four sides by angle. */
static void neck_edges(const weft_poncho_desc *d, uint32_t *side_edges) {
  double share = (corner_angle(d, 1) - corner_angle(d, 0)) / (2 * pi);
  double half = d->segments / 2;
  double edges = fmin(fmax(floor(share * d->segments + 0.5), 1), half - 1);
  side_edges[0] = side_edges[2] = (uint32_t)edges;
  side_edges[1] = side_edges[3] = (uint32_t)(half - edges);
}

/* Fills rings[]; returns the number of vertices, or more than the limit when there are too many. */
static uint64_t plan_rings(const weft_poncho_desc *d, poncho_ring *rings) {
  double lengths[SAMPLES + 1];
  double side = 0.25 * (d->width + d->depth) - d->neck_radius;
  double corner = 0.5 * hypot(d->width, d->depth) - d->neck_radius;
  double length = 0.5 * (side + corner);
  double neck_spacing = 2 * pi * d->neck_radius / d->segments;
  double to_step = 0.8660254037844386; /* height of an equilateral triangle */
  double target = target_step(to_step * neck_spacing, length, d->rings - 1);
  double total = graded_sum(to_step * neck_spacing, target, d->rings - 1), walked = 0;
  uint64_t first = 0;
  for (uint32_t k = 0; k < d->rings && first <= WEFT_MESH_MAX_VERTICES; ++k) {
    double step = graded(to_step * neck_spacing, target, k);
    double t = k + 1 == d->rings ? 1 : fmin(walked / total, 1);
    uint64_t count = 0;
    poncho_ring *ring = rings + k;
    if (k == 0) neck_edges(d, ring->side_edges);
    for (uint32_t s = 0; s < SIDES; ++s) {
      double edges = side_lengths(d, t, s, lengths) * to_step / step;
      edges = fmin(fmax(floor(edges + 0.5), 2), WEFT_MESH_MAX_VERTICES);
      if (k > 0) ring->side_edges[s] = (uint32_t)edges;
      count += ring->side_edges[s];
    }
    ring->t = t;
    ring->first = (uint32_t)first;
    ring->count = (uint32_t)count;
    first += count;
    walked += step;
  }
  return first;
}

static void put_ring(const weft_poncho_desc *d, const poncho_ring *ring, weft_vec3 *out) {
  double lengths[SAMPLES + 1];
  for (uint32_t s = 0; s < SIDES; ++s) {
    double total = side_lengths(d, ring->t, s, lengths);
    double from = corner_angle(d, s), to = corner_angle(d, s + 1);
    int sample = 0;
    for (uint32_t i = 0; i < ring->side_edges[s]; ++i) {
      double want = total * i / ring->side_edges[s];
      while (sample + 1 < SAMPLES && lengths[sample + 1] <= want) ++sample;
      double part = (want - lengths[sample]) / (lengths[sample + 1] - lengths[sample]);
      *out++ = curve_point(d, ring->t, from + (to - from) * (sample + part) / SAMPLES);
    }
  }
}

static uint32_t stitch_sides(weft_mesh *mesh, uint32_t at, const poncho_ring *inner,
                             const poncho_ring *outer) {
  uint32_t inner_at = 0, outer_at = 0;
  for (uint32_t s = 0; s < SIDES; ++s) {
    weft_ring a = {inner->first, inner->count, inner_at, inner->side_edges[s], 0};
    weft_ring b = {outer->first, outer->count, outer_at, outer->side_edges[s], 0};
    at = weft_mesh_stitch(mesh, at, a, b);
    inner_at += inner->side_edges[s];
    outer_at += outer->side_edges[s];
  }
  return at;
}

weft_result weft_mesh_poncho(const weft_poncho_desc *desc, weft_mesh *mesh, weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_GUARD_FILL(mesh, err);
  weft_poncho_desc d = poncho_defaults(desc);
  weft_result result = poncho_check(&d, err);
  if (result != WEFT_OK) return result;
  poncho_ring *rings = weft_alloc(d.rings, sizeof *rings);
  uint64_t vertices = plan_rings(&d, rings);
  /* Every ring but the first and last borders two bands. */
  uint64_t triangles = 2 * vertices - rings[0].count - rings[d.rings - 1].count;
  result = weft_mesh_reserve(mesh, vertices, triangles, err);
  uint32_t at = 0;
  for (uint32_t k = 0; k < d.rings && result == WEFT_OK; ++k) {
    put_ring(&d, rings + k, mesh->positions + rings[k].first);
    if (k > 0) at = stitch_sides(mesh, at, rings + k - 1, rings + k);
  }
  weft_free(rings);
  return result;
}
