/* Disc, ring and tube: vertex rings whose size follows their circumference. */
#include "builders.h"

static const double two_pi = 6.283185307179586;

/* Evenly spaced points about the y axis, counter-clockwise seen from +y. */
static void put_circle(weft_vec3 *out, uint32_t count, double phase, double radius,
                       weft_vec3 centre, double drop) {
  for (uint32_t i = 0; i < count; ++i) {
    double angle = two_pi * (i + phase) / count;
    out[i] = weft_v3((float)(centre.x + radius * cos(angle)), (float)(centre.y - drop),
                     (float)(centre.z - radius * sin(angle)));
  }
}

static weft_ring whole_ring(uint32_t first, uint32_t count, uint32_t phase) {
  return (weft_ring){first, count, 0, count, phase};
}

static weft_disc_desc disc_defaults(const weft_disc_desc *desc) {
  weft_disc_desc d = desc ? *desc : (weft_disc_desc){0};
  if (d.radius == 0) d.radius = 0.5f;
  if (d.rings == 0) d.rings = 32;
  return d;
}

static weft_result disc_check(const weft_disc_desc *d, weft_error *err) {
  weft_result result = weft_check_size("disc radius", d->radius, err);
  if (result == WEFT_OK && d->inner_radius != 0) {
    result = weft_check_size("disc inner radius", d->inner_radius, err);
  }
  if (result == WEFT_OK) result = weft_check_centre(d->centre, err);
  if (result != WEFT_OK) return result;
  if (d->inner_radius > 0.999f * d->radius) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "disc inner radius %g m leaves no cloth within the radius %g m",
                     (double)d->inner_radius, (double)d->radius);
  }
  if (d->rings > WEFT_MESH_MAX_VERTICES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "a disc of %u rings is too large", d->rings);
  }
  return WEFT_OK;
}

static double disc_radius(const weft_disc_desc *d, uint32_t ring) {
  return d->inner_radius + ((double)d->radius - d->inner_radius) * ring / d->rings;
}

/* Six more vertices a ring give the hexagonal disc, with six edges at every inner vertex; around
 * a hole the number is circumference over ring spacing. */
static uint64_t disc_ring_count(const weft_disc_desc *d, uint32_t ring) {
  if (d->inner_radius == 0) return ring == 0 ? 1 : 6 * (uint64_t)ring;
  double spacing = ((double)d->radius - d->inner_radius) / d->rings;
  double count = two_pi * disc_radius(d, ring) / spacing;
  return count < 6 ? 6 : (uint64_t)(count + 0.5);
}

static void disc_fill(const weft_disc_desc *d, weft_mesh *mesh) {
  uint32_t first = 0, count = (uint32_t)disc_ring_count(d, 0), at = 0;
  put_circle(mesh->positions, count, 0, disc_radius(d, 0), d->centre, 0);
  for (uint32_t ring = 1; ring <= d->rings; ++ring) {
    uint32_t next = first + count, next_count = (uint32_t)disc_ring_count(d, ring);
    put_circle(mesh->positions + next, next_count, 0, disc_radius(d, ring), d->centre, 0);
    weft_ring inner = whole_ring(first, count, 0);
    if (count == 1) inner.edges = 0;
    at = weft_mesh_stitch(mesh, at, inner, whole_ring(next, next_count, 0));
    first = next;
    count = next_count;
  }
}

weft_result weft_mesh_disc(const weft_disc_desc *desc, weft_mesh *mesh, weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_GUARD_FILL(mesh, err);
  weft_disc_desc d = disc_defaults(desc);
  weft_result result = disc_check(&d, err);
  if (result != WEFT_OK) return result;
  uint64_t vertices = disc_ring_count(&d, 0), triangles = 0;
  for (uint32_t ring = 1; ring <= d.rings && vertices <= WEFT_MESH_MAX_VERTICES; ++ring) {
    uint64_t inner = disc_ring_count(&d, ring - 1), outer = disc_ring_count(&d, ring);
    vertices += outer;
    triangles += outer + (inner == 1 ? 0 : inner);
  }
  result = weft_mesh_reserve(mesh, vertices, triangles, err);
  if (result == WEFT_OK) disc_fill(&d, mesh);
  return result;
}

static weft_tube_desc tube_defaults(const weft_tube_desc *desc) {
  weft_tube_desc d = desc ? *desc : (weft_tube_desc){0};
  if (d.top_radius == 0) d.top_radius = 0.14f;
  if (d.bottom_radius == 0) d.bottom_radius = 0.42f;
  if (d.height == 0) d.height = 0.55f;
  if (d.rings == 0) d.rings = 48;
  if (d.segments == 0) d.segments = 128;
  return d;
}

static weft_result tube_check(const weft_tube_desc *d, weft_error *err) {
  if (d->rings < 2 || d->segments < 3) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "a tube of %u rings and %u segments is none; it needs 2 and 3", d->rings,
                     d->segments);
  }
  weft_result result = weft_check_size("tube top radius", d->top_radius, err);
  if (result == WEFT_OK) result = weft_check_size("tube bottom radius", d->bottom_radius, err);
  if (result == WEFT_OK) result = weft_check_size("tube height", d->height, err);
  if (result == WEFT_OK) result = weft_check_centre(d->centre_top, err);
  return result;
}

/* Every second ring is rotated by half a segment, so that the cloth has no handedness. */
weft_result weft_mesh_tube(const weft_tube_desc *desc, weft_mesh *mesh, weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_GUARD_FILL(mesh, err);
  weft_tube_desc d = tube_defaults(desc);
  weft_result result = tube_check(&d, err);
  if (result != WEFT_OK) return result;
  uint64_t vertices = (uint64_t)d.rings * d.segments;
  uint64_t bands = (uint64_t)(d.rings - 1) * d.segments;
  uint64_t triangles = bands > WEFT_MESH_MAX_TRIANGLES ? bands : 2 * bands;
  result = weft_mesh_reserve(mesh, vertices, triangles, err);
  if (result != WEFT_OK) return result;
  uint32_t at = 0;
  for (uint32_t ring = 0; ring < d.rings; ++ring) {
    double t = (double)ring / (d.rings - 1);
    put_circle(mesh->positions + (size_t)ring * d.segments, d.segments, ring % 2 ? 0.5 : 0,
               d.top_radius + t * ((double)d.bottom_radius - d.top_radius), d.centre_top,
               t * d.height);
    if (ring == 0) continue;
    weft_ring upper = whole_ring((ring - 1) * d.segments, d.segments, (ring - 1) % 2);
    weft_ring lower = whole_ring(ring * d.segments, d.segments, ring % 2);
    at = weft_mesh_stitch(mesh, at, upper, lower);
  }
  return WEFT_OK;
}
