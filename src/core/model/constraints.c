/* Constraints from edges, and compliances from fabric.
 *
 * Stretch. An edge of length l stands for a strip of cloth along it, of area A = (A0 + A1)/2 + ...:
 * on a grid the strip of an interior edge is one cell, l long and A/l wide, where A = A0 + A1 is
 * the area of the two triangles at the edge. A strip of membrane stiffness C pulls with
 * C*(A/l)*strain = C*A/l^2 * (change of length), so alpha = l^2/(C*A). On square cells this is 1/C
 * whatever the spacing; an edge at the border has one triangle, carries half a cell, and is twice
 * as compliant. Van Gelder ("Approximate simulation of elastic membranes by triangulated spring
 * meshes", 1998) derives the same form for springs on any triangulation, so meshes without warp and
 * weft use it with the mean of C11 and C22.
 *
 * Shear. A cell dx by dy sheared by gamma stores G*gamma^2*dx*dy/2. Its diagonals, l^2 = dx^2 +
 * dy^2, change by gamma*dx*dy/l each; two springs k store k*(gamma*dx*dy/l)^2 in all, hence k =
 * G*l^2/(2*dx*dy) and alpha = 2*(A0 + A1)/(G*l^2): 1/G on squares. A lone diagonal (no_shear)
 * carries twice that stiffness.
 *
 * Bending. B*kappa^2/2 per area with kappa = theta*|e|/(A0 + A1), spread over the area A0 + A1 (on
 * a grid, one cell per edge across the bend), is B*|e|^2*theta^2/(2*(A0 + A1)): dihedral alpha =
 * (A0 + A1)/(B*|e|^2); isometric, where |c| = |e|*theta near flat, alpha = (A0 + A1)/B. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base.h"
#include "grid_order.h"
#include "hinge.h"
#include "preprocess.h"
#include "ranges.h"
#include "vec3d.h"

/* Metres. The square of a shorter length would be nearly subnormal. */
static const float min_length = 1e-9f;

/* For slivers: an edge stands for at least this fraction of its squared length. */
static const double min_strip = 1e-6;

/* A bend of this angle stores the same energy in an across-edge spring as in a hinge. */
static const double across_angle = 0.78539816339744831;

/* A rest hinge bent further than this, 20 degrees, is a crease, which isometric bending would
 * flatten. Less is the roundness of a tube or a sleeve, which is cut from flat cloth and may
 * flatten. */
static const double crease_angle = 0.3490658503988659;

const char *const weft_bending_names[] = {"isometric", "dihedral", "across", "none", "mixed", NULL};

const char weft_bending_help[] =
    "isometric, dihedral, across, none, or mixed: dihedral where the rest pose is\n"
    "creased by more than 20 degrees, else isometric. Default: that of the scene; for\n"
    "a file isometric, and mixed where its rest pose is creased";

const weft_constraint_type weft_hinge_type = WEFT_CONSTRAINT_DIHEDRAL;

static bool has_grid(const weft_mesh *mesh) { return mesh->grid_rows > 0; }

/* ---- collecting ---- */
static void raw_begin(weft_raw_group *raw, const weft_preprocess_input *in, const char *name,
                      weft_constraint_type type, weft_role role, uint32_t capacity) {
  uint32_t arity = weft_constraint_infos[type].arity;
  *raw = (weft_raw_group){.capacity = capacity};
  raw->group = (weft_constraint_group){.name = name, .type = type, .role = role, .arity = arity};
  weft_constraint_group *g = &raw->group;
  g->particles = weft_alloc((size_t)capacity * arity, sizeof *g->particles);
  g->compliance = weft_alloc(capacity, sizeof *g->compliance);
  if (weft_constraint_infos[type].rest == WEFT_REST_WEIGHTS) {
    g->weights = weft_alloc((size_t)capacity * 4, sizeof *g->weights);
  } else {
    g->rest = weft_alloc(capacity, sizeof *g->rest);
  }
  if (has_grid(in->mesh)) raw->keys = weft_alloc(capacity, sizeof *raw->keys);
}

static float to_compliance(double alpha) { return alpha < (double)FLT_MIN ? 0.0f : (float)alpha; }

static weft_result add_distance(const weft_preprocess_input *in, weft_raw_group *raw, uint32_t a,
                                uint32_t b, double alpha, weft_error *err) {
  weft_constraint_group *g = &raw->group;
  float rest = (float)weft_v3_distance(in->mesh->positions[a], in->mesh->positions[b]);
  if (!(rest >= min_length)) {
    return weft_fail(err, WEFT_ERROR_MESH,
                     "%s between vertices %u and %u: a length of %g m cannot be simulated", g->name,
                     weft_mesh_number(in->mesh, a), weft_mesh_number(in->mesh, b), (double)rest);
  }
  if (!(alpha <= (double)FLT_MAX)) {
    return weft_fail(err, WEFT_ERROR_MESH,
                     "%s between vertices %u and %u: a compliance of %g m/N cannot be simulated",
                     g->name, weft_mesh_number(in->mesh, a), weft_mesh_number(in->mesh, b), alpha);
  }
  g->particles[2 * (size_t)g->count] = a;
  g->particles[2 * (size_t)g->count + 1] = b;
  g->rest[g->count] = rest;
  g->compliance[g->count++] = to_compliance(alpha);
  return WEFT_OK;
}

/* Of an edge with more than two triangles only the first two count. */
static double edge_area(const weft_preprocess_input *in, const weft_edge *edge) {
  double area = 0;
  for (int side = 0; side < 2; ++side) {
    if (edge->triangle[side] != UINT32_MAX) area += in->areas[edge->triangle[side]];
  }
  return area;
}

/* alpha of the strip along an edge; INFINITY where the material has no such stiffness. */
static double stretch_compliance(const weft_preprocess_input *in, const weft_edge *edge,
                                 bool shear_follows) {
  const weft_material *m = in->material;
  double length = weft_v3_distance(in->mesh->positions[edge->a], in->mesh->positions[edge->b]);
  double area = edge_area(in, edge), square = length * length;
  double strip = fmax(area, min_strip * square);
  weft_grid_direction direction =
      has_grid(in->mesh) ? weft_grid_direction_of(in->mesh, edge->a, edge->b) : WEFT_GRID_OTHER;
  switch (direction) {
    case WEFT_GRID_ALONG_COLUMNS:
      return square / ((double)m->stretch_warp * strip);
    case WEFT_GRID_ALONG_ROWS:
      return square / ((double)m->stretch_weft * strip);
    case WEFT_GRID_DIAGONAL:
      return (shear_follows ? 2.0 : 1.0) * strip / ((double)m->shear * square);
    case WEFT_GRID_OTHER:
      break;
  }
  double mean = ((double)m->stretch_warp + (double)m->stretch_weft) / 2;
  return square / (mean * strip);
}

/* ---- collection in ranges of edges ---- */

/* Output of a range of edges: constraints in its own range of the group's arrays, and what to
 * report of its hinges. */
typedef struct range_told {
  weft_raw_group raw;
  uint32_t skipped, creased;
  double sharpest;
  weft_result result;
  weft_error error;
} range_told;

typedef weft_result collect_edge(const weft_preprocess_input *in, const weft_edge *edge,
                                 range_told *to, weft_error *err);

typedef struct collecting {
  const weft_preprocess_input *in;
  collect_edge *collect;
  range_told ranges[WEFT_RANGES_MAX];
} collecting;

/* The group's arrays from constraint `first` on. */
static weft_raw_group stretch_of(const weft_raw_group *raw, size_t first) {
  weft_raw_group part = *raw;
  weft_constraint_group *g = &part.group;
  g->count = 0;
  g->particles += first * g->arity;
  g->compliance += first;
  if (g->weights) g->weights += 4 * first;
  if (g->rest) g->rest += first;
  if (part.keys) part.keys += first;
  return part;
}

static void collect_range(void *context, uint32_t part, size_t first, size_t end) {
  collecting *c = context;
  range_told *to = &c->ranges[part];
  for (size_t i = first; i < end && to->result == WEFT_OK; ++i) {
    to->result = c->collect(c->in, &c->in->edges->items[i], to, &to->error);
  }
}

static void move_down(void *items, size_t to, size_t from, size_t count, size_t size) {
  if (items && to != from)
    memmove((char *)items + to * size, (char *)items + from * size, count * size);
}

/* Moves the constraints of a range that begins at `first` up to the ones collected before. */
static void append(weft_raw_group *raw, const weft_raw_group *part, size_t first) {
  weft_constraint_group *g = &raw->group;
  size_t to = g->count, count = part->group.count;
  move_down(g->particles, to, first, count, g->arity * sizeof *g->particles);
  move_down(g->compliance, to, first, count, sizeof *g->compliance);
  move_down(g->weights, to, first, count, 4 * sizeof *g->weights);
  move_down(g->rest, to, first, count, sizeof *g->rest);
  move_down(raw->keys, to, first, count, sizeof *raw->keys);
  g->count += part->group.count;
}

/* Processes all edges as if in order: of several errors the first one counts. `all` accumulates
 * reports; may be NULL. */
static weft_result collect(const weft_preprocess_input *in, collect_edge *one, weft_raw_group *raw,
                           range_told *all, weft_error *err) {
  collecting c = {.in = in, .collect = one};
  uint32_t parts = weft_ranges_worth(in->edges->count);
  for (uint32_t k = 0; k < parts; ++k) {
    c.ranges[k].raw = stretch_of(raw, weft_range_first(in->edges->count, parts, k));
  }
  weft_ranges_run(in->edges->count, parts, collect_range, &c);
  for (uint32_t k = 0; k < parts; ++k) {
    const range_told *told = &c.ranges[k];
    if (told->result != WEFT_OK) return weft_fail(err, told->result, "%s", told->error.message);
    append(raw, &told->raw, weft_range_first(in->edges->count, parts, k));
    if (!all) continue;
    all->skipped += told->skipped;
    all->creased += told->creased;
    all->sharpest = fmax(all->sharpest, told->sharpest);
  }
  return WEFT_OK;
}

/* ---- stretch and shear ---- */
static weft_result stretch_edge(const weft_preprocess_input *in, const weft_edge *e,
                                bool shear_follows, weft_raw_group *raw, weft_error *err) {
  double alpha = stretch_compliance(in, e, shear_follows);
  if (isinf(alpha)) return WEFT_OK;
  if (raw->keys) raw->keys[raw->group.count] = weft_grid_pair_key(in->mesh, e->a, e->b);
  return add_distance(in, raw, e->a, e->b, alpha, err);
}

static weft_result stretch_alone(const weft_preprocess_input *in, const weft_edge *edge,
                                 range_told *to, weft_error *err) {
  return stretch_edge(in, edge, false, &to->raw, err);
}
static weft_result stretch_and_shear(const weft_preprocess_input *in, const weft_edge *edge,
                                     range_told *to, weft_error *err) {
  return stretch_edge(in, edge, true, &to->raw, err);
}

weft_result weft_collect_stretch(const weft_preprocess_input *in, bool shear_follows,
                                 weft_raw_group *raw, weft_error *err) {
  raw_begin(raw, in, "stretch", WEFT_CONSTRAINT_DISTANCE, WEFT_ROLE_STRETCH, in->edges->count);
  raw->simple_graph = true;
  return collect(in, shear_follows ? stretch_and_shear : stretch_alone, raw, NULL, err);
}

/* The other diagonal of a quad joins the vertices opposite its diagonal edge. */
static weft_result shear_edge(const weft_preprocess_input *in, const weft_edge *e, range_told *to,
                              weft_error *err) {
  weft_raw_group *raw = &to->raw;
  if (e->triangle_count != 2 || e->opposite[0] == e->opposite[1]) return WEFT_OK;
  if (weft_grid_direction_of(in->mesh, e->a, e->b) != WEFT_GRID_DIAGONAL) return WEFT_OK;
  uint32_t a = e->opposite[0] < e->opposite[1] ? e->opposite[0] : e->opposite[1];
  uint32_t b = e->opposite[0] < e->opposite[1] ? e->opposite[1] : e->opposite[0];
  double length = weft_v3_distance(in->mesh->positions[a], in->mesh->positions[b]);
  double alpha = 2 * edge_area(in, e) / ((double)in->material->shear * length * length);
  raw->keys[raw->group.count] = weft_grid_pair_key(in->mesh, a, b);
  return add_distance(in, raw, a, b, alpha, err);
}

weft_result weft_collect_shear(const weft_preprocess_input *in, weft_raw_group *raw,
                               weft_error *err) {
  raw_begin(raw, in, "shear", WEFT_CONSTRAINT_DISTANCE, WEFT_ROLE_SHEAR, in->edges->count);
  return in->material->shear == 0.0f ? WEFT_OK : collect(in, shear_edge, raw, NULL, err);
}

/* ---- bending ---- */
/* The edge's vertices in the order in which the triangle of opposite[0] has them, so that the
 * sign of the rest angle refers to the front of the cloth. */
static void orient(const weft_mesh *mesh, const weft_edge *e, uint32_t edge[2]) {
  const uint32_t *v = mesh->triangles + 3 * (size_t)e->triangle[0];
  bool forward = (v[0] == e->a && v[1] == e->b) || (v[1] == e->a && v[2] == e->b) ||
                 (v[2] == e->a && v[0] == e->b);
  edge[0] = forward ? e->a : e->b;
  edge[1] = forward ? e->b : e->a;
}

static void put4(weft_constraint_group *g, const uint32_t first[2], const uint32_t second[2]) {
  uint32_t *p = g->particles + 4 * (size_t)g->count;
  p[0] = first[0];
  p[1] = first[1];
  p[2] = second[0];
  p[3] = second[1];
}

static void add_isometric(weft_constraint_group *g, const uint32_t edge[2],
                          const uint32_t opposite[2], const weft_hinge_shape *shape, double B) {
  put4(g, edge, opposite);
  weft_hinge_round_weights(shape->weights, g->weights + 4 * (size_t)g->count);
  g->compliance[g->count++] = to_compliance((shape->area[0] + shape->area[1]) / B);
}

static void add_dihedral(weft_constraint_group *g, const uint32_t edge[2],
                         const uint32_t opposite[2], const weft_hinge_shape *shape, double B) {
  put4(g, opposite, edge);
  double alpha = (shape->area[0] + shape->area[1]) / (B * shape->length * shape->length);
  g->rest[g->count] = (float)shape->angle;
  g->compliance[g->count++] = to_compliance(alpha);
}

/* Near flat, the distance d between the opposite vertices changes with the square of the bend, so
 * no linear spring matches a hinge there. This one stores the hinge's energy at a bend of 45
 * degrees: k*(d_flat - d_bent)^2 = B*|e|^2*angle^2/(A0 + A1). It is softer below, stiffer above. */
static double across_compliance(const weft_mesh *mesh, const uint32_t edge[2],
                                const uint32_t opposite[2], const weft_hinge_shape *shape,
                                double B) {
  weft_vec3d e = weft_v3d_sub(weft_v3d_from(mesh->positions[edge[1]]),
                              weft_v3d_from(mesh->positions[edge[0]]));
  weft_vec3d o = weft_v3d_sub(weft_v3d_from(mesh->positions[opposite[1]]),
                              weft_v3d_from(mesh->positions[opposite[0]]));
  double along = weft_v3d_dot(o, e) / shape->length;
  double h0 = 2 * shape->area[0] / shape->length, h1 = 2 * shape->area[1] / shape->length;
  double flat = sqrt(along * along + (h0 + h1) * (h0 + h1));
  double bent = sqrt(along * along + h0 * h0 + h1 * h1 + 2 * h0 * h1 * cos(across_angle));
  double change = (flat - bent) / (shape->length * across_angle);
  return change * change * (shape->area[0] + shape->area[1]) / B;
}

static const char *bending_name(weft_bending bending) {
  if (bending == WEFT_BENDING_DIHEDRAL) return "bend dihedral";
  return bending == WEFT_BENDING_ACROSS ? "bend across" : "bend isometric";
}

static weft_constraint_type bending_type(weft_bending bending) {
  if (bending == WEFT_BENDING_DIHEDRAL) return WEFT_CONSTRAINT_DIHEDRAL;
  return bending == WEFT_BENDING_ACROSS ? WEFT_CONSTRAINT_DISTANCE : WEFT_CONSTRAINT_ISOMETRIC;
}

static weft_result add_hinge(const weft_preprocess_input *in, weft_raw_group *raw,
                             const uint32_t edge[2], const uint32_t opposite[2],
                             const weft_hinge_shape *shape, weft_error *err) {
  const weft_mesh *mesh = in->mesh;
  double B = (double)in->material->bending;
  bool across = in->bending == WEFT_BENDING_ACROSS;
  if (raw->keys) {
    raw->keys[raw->group.count] = across ? weft_grid_pair_key(mesh, opposite[0], opposite[1])
                                         : weft_grid_hinge_key(mesh, edge, opposite);
  }
  if (across) {
    double alpha = across_compliance(mesh, edge, opposite, shape, B);
    return add_distance(in, raw, opposite[0], opposite[1], alpha, err);
  }
  if (in->bending == WEFT_BENDING_DIHEDRAL) {
    add_dihedral(&raw->group, edge, opposite, shape, B);
  } else {
    add_isometric(&raw->group, edge, opposite, shape, B);
  }
  return WEFT_OK;
}

static bool is_taken(const weft_preprocess_input *in, const weft_hinge_shape *shape) {
  if (in->hinges == WEFT_HINGES_ALL) return true;
  return (fabs(shape->angle) <= crease_angle) == (in->hinges == WEFT_HINGES_FLAT);
}

static void tell_hinges(weft_bending bending, uint32_t skipped, uint32_t creased, double sharpest) {
  if (skipped > 0) {
    weft_log(WEFT_LOG_WARNING, "%u hinge%s at triangles without area: no resistance to bending",
             skipped, weft_plural(skipped));
  }
  if (creased > 0 && bending == WEFT_BENDING_ISOMETRIC) {
    weft_log(WEFT_LOG_WARNING,
             "the rest pose is creased at %u hinge%s (up to %.1f degrees), and isometric bending "
             "flattens creases: mixed bending keeps them",
             creased, weft_plural(creased), sharpest * 57.29577951308232);
  }
}

static weft_result bend_edge(const weft_preprocess_input *in, const weft_edge *e, range_told *to,
                             weft_error *err) {
  if (e->triangle_count != 2) return WEFT_OK;
  uint32_t edge[2];
  weft_hinge_shape shape;
  orient(in->mesh, e, edge);
  weft_hinge_measure(in->mesh->positions, edge, e->opposite, &shape);
  if (shape.degenerate) {
    ++to->skipped;
    return WEFT_OK;
  }
  if (!is_taken(in, &shape)) return WEFT_OK;
  if (fabs(shape.angle) > crease_angle) ++to->creased;
  to->sharpest = fmax(to->sharpest, fabs(shape.angle));
  return add_hinge(in, &to->raw, edge, e->opposite, &shape, err);
}

static bool corners_exist(const weft_mesh *mesh) {
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    if (mesh->triangles[c] >= mesh->vertex_count) return false;
  }
  return true;
}

uint32_t weft_mesh_creases(const weft_mesh *mesh, double *sharpest) {
  WEFT_GUARD_OR(0);
  uint32_t count = 0;
  double most = 0;
  if (sharpest) *sharpest = 0;
  if (!mesh || !mesh->positions || !mesh->triangles || !corners_exist(mesh)) return 0;
  weft_edges edges;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  for (uint32_t e = 0; e < edges.count; ++e) {
    uint32_t edge[2];
    weft_hinge_shape shape;
    if (edges.items[e].triangle_count != 2) continue;
    orient(mesh, &edges.items[e], edge);
    weft_hinge_measure(mesh->positions, edge, edges.items[e].opposite, &shape);
    if (shape.degenerate) continue;
    count += fabs(shape.angle) > crease_angle;
    most = fmax(most, fabs(shape.angle));
  }
  if (sharpest) *sharpest = most;
  weft_edges_free(&edges);
  return count;
}

weft_result weft_collect_bending(const weft_preprocess_input *in, weft_raw_group *raw,
                                 weft_error *err) {
  raw_begin(raw, in, bending_name(in->bending), bending_type(in->bending), WEFT_ROLE_BENDING,
            in->edges->count);
  if (in->material->bending == 0.0f) return WEFT_OK;
  range_told all = {0};
  weft_result result = collect(in, bend_edge, raw, &all, err);
  if (result != WEFT_OK) return result;
  if (in->hinges == WEFT_HINGES_FOLDED) all.skipped = 0; /* the flat group has reported already */
  tell_hinges(in->bending, all.skipped, all.creased, all.sharpest);
  return WEFT_OK;
}

uint32_t weft_bending_parts(weft_bending bending, weft_bending_part parts[2]) {
  parts[0] = (weft_bending_part){bending, WEFT_HINGES_ALL};
  if (bending == WEFT_BENDING_NONE) return 0;
  if (bending != WEFT_BENDING_MIXED) return 1;
  parts[0] = (weft_bending_part){WEFT_BENDING_ISOMETRIC, WEFT_HINGES_FLAT};
  parts[1] = (weft_bending_part){WEFT_BENDING_DIHEDRAL, WEFT_HINGES_FOLDED};
  return 2;
}
