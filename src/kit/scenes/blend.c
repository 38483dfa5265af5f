/* blend.c: solids that flow into one another as one closed mesh.
 *
 * Marching tetrahedra (Doi and Koide 1991, "An efficient method of triangulating equi-valued
 * surfaces by using tetrahedral cells") over cubes of six tetrahedra each (Kuhn's cut) give a
 * surface that is closed and manifold whatever the field is. even.c then makes its triangles even.
 */
#include "blend.h"
#include "builders.h"

enum { MAX_POINTS = 1 << 24, MAX_SOLIDS = 4096, WAYS = 7 };

typedef struct lattice {
  weft_vec3d low;
  double step;
  uint32_t count[3];
  double *values;   /* of points */
  uint32_t *placed; /* [WAYS] a point: 1 + the vertex on the edge that leads from it, 0 for none */
} lattice;

static size_t point_at(const lattice *l, uint32_t x, uint32_t y, uint32_t z) {
  return ((size_t)z * l->count[1] + y) * l->count[0] + x;
}

/* ---- checks ---- */

static weft_result check_solid(const weft_blend_solid *s, uint32_t k, weft_error *err) {
  char name[64];
  snprintf(name, sizeof name, "radius of solid %u", k);
  weft_result result = weft_check_size(name, s->radius_a, err);
  if (!result) result = weft_check_size(name, s->radius_b, err);
  if (!result) result = weft_check_centre(s->a, err);
  if (!result) result = weft_check_centre(s->b, err);
  if (result) return result;
  if (!(s->blend >= 0 && s->blend <= 1e6f)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "blend of solid %u is %g m; it must lie within 1e6 m", k, (double)s->blend);
  }
  if (s->flatness == 0) return WEFT_OK;
  bool has_way = weft_v3_finite(s->flat) && weft_v3d_length(weft_v3d_from(s->flat)) > 0;
  if (s->flatness >= 0.1f && s->flatness <= 1 && has_way) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "solid %u is flattened to %g; 0.1 to 1, along a direction, is possible", k,
                   (double)s->flatness);
}

static weft_result check(const weft_blend_desc *d, weft_error *err) {
  if (d->solid_count == 0 || d->solid_count > MAX_SOLIDS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%u solids to blend; 1 to %d are possible",
                     d->solid_count, MAX_SOLIDS);
  }
  WEFT_NEED_ITEMS(d->solids, d->solid_count);
  weft_result result = weft_check_size("edge", d->edge, err);
  for (uint32_t k = 0; k < d->solid_count && !result; ++k) {
    result = check_solid(&d->solids[k], k, err);
  }
  return result;
}

/* ---- the field on a lattice ---- */

static weft_result lay_out(const weft_field *field, double edge, lattice *l, weft_error *err) {
  weft_vec3d low = field->parts[0].low, high = field->parts[0].high;
  for (uint32_t k = 1; k < field->part_count; ++k) {
    weft_vec3d a = field->parts[k].low, b = field->parts[k].high;
    low = weft_v3d(fmin(low.x, a.x), fmin(low.y, a.y), fmin(low.z, a.z));
    high = weft_v3d(fmax(high.x, b.x), fmax(high.y, b.y), fmax(high.z, b.z));
  }
  double sides[] = {high.x - low.x, high.y - low.y, high.z - low.z}, points = 1;
  for (int k = 0; k < 3; ++k) points *= sides[k] / edge + 5;
  if (points > MAX_POINTS) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "edges of %g m for solids that span %.3g x %.3g x %.3g m are too short", edge,
                     sides[0], sides[1], sides[2]);
  }
  for (int k = 0; k < 3; ++k) l->count[k] = (uint32_t)(sides[k] / edge) + 5;
  l->step = edge;
  /* Off the round numbers that flat and symmetric shapes have. */
  l->low = weft_v3d_sub(low, weft_v3d(1.51 * edge, 1.53 * edge, 1.57 * edge));
  size_t all = (size_t)l->count[0] * l->count[1] * l->count[2];
  l->values = weft_alloc(all, sizeof *l->values);
  l->placed = weft_alloc(WAYS * all, sizeof *l->placed);
  return WEFT_OK;
}

static weft_vec3d place_of(const lattice *l, uint32_t x, uint32_t y, uint32_t z) {
  return weft_v3d_add_scaled(l->low, l->step, weft_v3d(x, y, z));
}

static uint32_t first_after(double low, double from, double step) {
  return (uint32_t)fmax(ceil((from - low) / step), 0);
}

/* The points in a box: first and one after the last, an axis each. */
static void points_of(weft_vec3d from, weft_vec3d to, const lattice *l, uint32_t range[3][2]) {
  const double low[] = {from.x, from.y, from.z}, high[] = {to.x, to.y, to.z};
  const double origin[] = {l->low.x, l->low.y, l->low.z};
  for (int k = 0; k < 3; ++k) {
    range[k][0] = first_after(origin[k], low[k], l->step);
    range[k][1] = first_after(origin[k], high[k], l->step);
  }
}

static void add_part(const weft_field_part *part, const lattice *l, double *values) {
  uint32_t range[3][2];
  points_of(part->low, part->high, l, range);
  weft_vec3d unused;
  for (uint32_t z = range[2][0]; z < range[2][1]; ++z) {
    for (uint32_t y = range[1][0]; y < range[1][1]; ++y) {
      double *row = values + point_at(l, 0, y, z);
      for (uint32_t x = range[0][0]; x < range[0][1]; ++x) {
        double value = weft_field_part_at(part, place_of(l, x, y, z), &unused);
        row[x] = weft_field_join(row[x], value, part->blend, NULL, NULL);
      }
    }
  }
}

/* The less of all values and those of a limb and the trunk together, in the box of the limb. */
static void merge_limb(const weft_field_limb *limb, const lattice *l, const double *trunk,
                       const double *values) {
  uint32_t range[3][2];
  points_of(limb->low, limb->high, l, range);
  for (uint32_t z = range[2][0]; z < range[2][1]; ++z) {
    for (uint32_t y = range[1][0]; y < range[1][1]; ++y) {
      size_t row = point_at(l, 0, y, z);
      for (size_t k = row + range[0][0]; k < row + range[0][1]; ++k) {
        double both = weft_field_join(trunk[k], values[k], limb->blend, NULL, NULL);
        l->values[k] = fmin(l->values[k], both);
      }
    }
  }
}

static void clear(double *values, size_t count) {
  for (size_t k = 0; k < count; ++k) values[k] = WEFT_FIELD_FAR;
}

static void add_limbs(const weft_field *field, const lattice *l) {
  size_t count = (size_t)l->count[0] * l->count[1] * l->count[2];
  double *trunk = weft_alloc(count, sizeof *trunk), *values = weft_alloc(count, sizeof *values);
  for (uint32_t k = 0; k < field->limb_count; ++k) {
    const weft_field_limb *limb = &field->limbs[k];
    double *into = k == 0 ? trunk : values;
    clear(into, count);
    for (uint32_t p = limb->first; p < limb->end; ++p) add_part(&field->parts[p], l, into);
    if (k == 0) {
      memcpy(l->values, trunk, count * sizeof *trunk);
    } else {
      merge_limb(limb, l, trunk, values);
    }
  }
  weft_free(trunk);
  weft_free(values);
}

/* ---- its surface ---- */

/* A corner of a cube is three bits, one an axis. */
typedef struct cube {
  lattice *lattice;
  weft_surface *surface;
  uint32_t at[3];
} cube;

static size_t corner_point(const cube *c, unsigned corner) {
  return point_at(c->lattice, c->at[0] + (corner & 1), c->at[1] + (corner >> 1 & 1),
                  c->at[2] + (corner >> 2));
}

static uint32_t new_vertex(weft_surface *s, weft_vec3d place) {
  weft_grow((void **)&s->positions, &s->vertex_capacity, (size_t)s->vertex_count + 1,
            sizeof *s->positions);
  s->positions[s->vertex_count] = place;
  return s->vertex_count++;
}

/* The vertex on an edge between two corners, of which one has all the bits of the other. */
static uint32_t vertex_on(const cube *c, unsigned a, unsigned b) {
  unsigned low = a & b, high = a | b;
  size_t from = corner_point(c, low), to = corner_point(c, high);
  uint32_t *placed = &c->lattice->placed[WAYS * from + (low ^ high) - 1];
  if (*placed == 0) {
    double f = c->lattice->values[from], g = c->lattice->values[to];
    double part = fmin(fmax(f / (f - g), 0.05), 0.95);
    weft_vec3d p = place_of(c->lattice, c->at[0] + (low & 1), c->at[1] + (low >> 1 & 1),
                            c->at[2] + (low >> 2));
    unsigned way = low ^ high;
    weft_vec3d along = weft_v3d(way & 1, way >> 1 & 1, way >> 2);
    *placed = 1 + new_vertex(c->surface, weft_v3d_add_scaled(p, part * c->lattice->step, along));
  }
  return *placed - 1;
}

static void add_triangle(weft_surface *s, uint32_t a, uint32_t b, uint32_t c) {
  size_t at = 3 * (size_t)s->triangle_count;
  weft_grow((void **)&s->corners, &s->triangle_capacity, at + 3, sizeof *s->corners);
  s->corners[at] = a;
  s->corners[at + 1] = b;
  s->corners[at + 2] = c;
  ++s->triangle_count;
}

/* Even permutations of four: those that begin with each corner, and with each pair. */
static const uint8_t firsts[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
static const uint8_t pairs[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                    {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};

static void cut_off(const cube *c, const unsigned *v, int corner, bool inside) {
  const uint8_t *p = firsts[corner];
  uint32_t e[3];
  for (int k = 0; k < 3; ++k) e[k] = vertex_on(c, v[p[0]], v[p[k + 1]]);
  add_triangle(c->surface, e[0], e[inside ? 1 : 2], e[inside ? 2 : 1]);
}

static void cut_through(const cube *c, const unsigned *v, unsigned inside) {
  for (int k = 0; k < 6; ++k) {
    const uint8_t *p = pairs[k];
    if (inside != (1u << p[0] | 1u << p[1])) continue;
    uint32_t a = vertex_on(c, v[p[0]], v[p[2]]), b = vertex_on(c, v[p[0]], v[p[3]]);
    uint32_t d = vertex_on(c, v[p[1]], v[p[3]]), e = vertex_on(c, v[p[1]], v[p[2]]);
    add_triangle(c->surface, a, b, d);
    add_triangle(c->surface, a, d, e);
  }
}

/* v: its corners, turning right-handed. */
static void cut_tetrahedron(const cube *c, const unsigned *v) {
  unsigned inside = 0, count = 0;
  for (unsigned k = 0; k < 4; ++k) {
    unsigned in = c->lattice->values[corner_point(c, v[k])] < 0;
    inside |= in << k;
    count += in;
  }
  for (int k = 0; k < 4; ++k) {
    bool in = inside >> k & 1;
    if ((count == 1 && in) || (count == 3 && !in)) cut_off(c, v, k, in);
  }
  if (count == 2) cut_through(c, v, inside);
}

static void cut_cube(const cube *c) {
  static const uint8_t steps[6][3] = {{1, 2, 4}, {2, 4, 1}, {4, 1, 2},
                                      {1, 4, 2}, {4, 2, 1}, {2, 1, 4}};
  unsigned inside = 0;
  for (unsigned k = 0; k < 8; ++k) inside += c->lattice->values[corner_point(c, k)] < 0;
  if (inside == 0 || inside == 8) return;
  for (int k = 0; k < 6; ++k) {
    unsigned first = steps[k][0], second = first | steps[k][1];
    const unsigned right[] = {0, first, second, 7}, left[] = {0, second, first, 7};
    cut_tetrahedron(c, k < 3 ? right : left);
  }
}

static void march(lattice *l, weft_surface *surface) {
  cube c = {l, surface, {0, 0, 0}};
  for (c.at[2] = 0; c.at[2] + 1 < l->count[2]; ++c.at[2]) {
    for (c.at[1] = 0; c.at[1] + 1 < l->count[1]; ++c.at[1]) {
      for (c.at[0] = 0; c.at[0] + 1 < l->count[0]; ++c.at[0]) cut_cube(&c);
    }
  }
}

/* ---- the whole ---- */

static weft_result finish(const weft_surface *s, weft_mesh *mesh, weft_error *err) {
  uint32_t triangles = 0;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    triangles += s->corners[3 * (size_t)t] != WEFT_SURFACE_NONE;
  }
  weft_result result = weft_mesh_reserve(mesh, s->vertex_count, triangles, err);
  if (result) return result;
  for (uint32_t v = 0; v < s->vertex_count; ++v) {
    mesh->positions[v] = weft_v3d_round(s->positions[v]);
  }
  uint32_t *out = mesh->triangles;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    const uint32_t *corners = s->corners + 3 * (size_t)t;
    if (corners[0] == WEFT_SURFACE_NONE) continue;
    for (int k = 0; k < 3; ++k) *out++ = corners[k];
  }
  weft_mesh_drop_unused(mesh, NULL);
  return WEFT_OK;
}

static weft_result surface_of(const weft_field *field, double edge, weft_surface *surface,
                              weft_error *err) {
  lattice l = {0};
  weft_result result = lay_out(field, edge, &l, err);
  if (!result) {
    add_limbs(field, &l);
    march(&l, surface);
  }
  weft_free(l.values);
  weft_free(l.placed);
  if (!result && surface->triangle_count == 0) {
    result =
        weft_fail(err, WEFT_ERROR_ARGUMENT, "edges of %g m are too long to find the solids", edge);
  }
  return result;
}

weft_result weft_mesh_blend(const weft_blend_desc *desc, weft_mesh *mesh, weft_error *err) {
  WEFT_NEED(mesh);
  *mesh = (weft_mesh){0};
  WEFT_NEED(desc);
  weft_result result = check(desc, err);
  if (result) return result;
  weft_field field;
  weft_field_make(desc->solids, desc->solid_count, 2 * (double)desc->edge, &field);
  weft_surface surface = {0};
  result = surface_of(&field, (double)desc->edge, &surface, err);
  if (!result) {
    weft_surface_even(&surface, &field, (double)desc->edge);
    result = finish(&surface, mesh, err);
  }
  weft_free(surface.positions);
  weft_free(surface.corners);
  weft_free(surface.twins);
  weft_field_free(&field);
  return result;
}
