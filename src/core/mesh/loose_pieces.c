/* loose_pieces.c: finds small unconnected pieces that lie on the cloth: buttons, zips, patches. */
#include "mesh_internal.h"
#include "triangle_tree.h"
#include "vec3d.h"

/* Fraction of the whole area: a larger piece is cloth of its own. */
static const double small_part = 0.02;

/* Largest mean distance of a piece's vertices from the cloth: half of the piece's extent, within
 * these bounds in edges of the cloth. */
static const double least_edges = 0.5, most_edges = 2;

typedef struct piece {
  weft_vec3 low, high;
  double area; /* m^2 */
  double off;  /* m: summed distance of its vertices */
  uint32_t count;
} piece;

typedef struct pieces {
  const weft_mesh *mesh;
  uint32_t *root; /* [vertex_count] the lowest vertex of the piece of each */
  piece *items;   /* [vertex_count] at these */
  double area;
} pieces;

static pieces open_pieces(const weft_mesh *mesh) {
  pieces p = {.mesh = mesh,
              .root = weft_mesh_pieces(mesh),
              .items = weft_alloc(mesh->vertex_count, sizeof *p.items)};
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    piece *own = &p.items[p.root[v]];
    const weft_vec3 x = mesh->positions[v];
    if (own->count++ == 0) own->low = own->high = x;
    own->low = weft_v3(fminf(own->low.x, x.x), fminf(own->low.y, x.y), fminf(own->low.z, x.z));
    own->high = weft_v3(fmaxf(own->high.x, x.x), fmaxf(own->high.y, x.y), fmaxf(own->high.z, x.z));
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = mesh->triangles + 3 * (size_t)t;
    const double area =
        weft_v3_triangle_area(mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]]);
    p.items[p.root[c[0]]].area += area;
    p.area += area;
  }
  return p;
}

static bool is_small(const pieces *p, uint32_t vertex) {
  return p->items[p->root[vertex]].area < small_part * p->area;
}

/* Triangles of pieces that are not small, and the mean of their edges. */
static uint32_t take_cloth(const pieces *p, uint32_t *corners, double *edge) {
  const weft_mesh *mesh = p->mesh;
  uint32_t count = 0;
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *c = mesh->triangles + 3 * (size_t)t;
    if (is_small(p, c[0])) continue;
    memcpy(corners + 3 * (size_t)count++, c, 3 * sizeof *c);
    for (int k = 0; k < 3; ++k) {
      sum += weft_v3_distance(mesh->positions[c[k]], mesh->positions[c[(k + 1) % 3]]);
    }
  }
  *edge = count ? sum / (3.0 * count) : 0;
  return count;
}

static double reach_of(const piece *p, double edge) {
  const double half = 0.5 * weft_v3_distance(p->low, p->high);
  return fmin(fmax(half, least_edges * edge), most_edges * edge);
}

/* Sums up distances of vertices of small pieces from the cloth; infinite beyond the search
 * radius. */
static void measure(pieces *p, const uint32_t *corners, uint32_t count, double edge) {
  const weft_mesh *mesh = p->mesh;
  weft_vec3d *x = weft_alloc(mesh->vertex_count, sizeof *x);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) x[v] = weft_v3d_from(mesh->positions[v]);
  weft_triangle_tree *tree = weft_triangle_tree_create(x, corners, 0, count);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    piece *own = &p->items[p->root[v]];
    weft_nearest near;
    if (!is_small(p, v) || own->off == (double)INFINITY) continue;
    const double within = own->count * reach_of(own, edge);
    own->off += weft_triangle_tree_nearest(tree, x[v], within, &near) ? near.distance : INFINITY;
  }
  weft_triangle_tree_free(tree);
  weft_free(x);
}

uint32_t weft_mesh_find_attached(const weft_mesh *mesh, bool *attached) {
  WEFT_GUARD_OR(0);
  if (!mesh || !attached || !weft_mesh_is_whole(mesh)) return 0;
  memset(attached, 0, mesh->vertex_count * sizeof *attached);
  if (mesh->triangle_count == 0 || weft_check_indices(mesh, NULL) != WEFT_OK) return 0;
  pieces p = open_pieces(mesh);
  uint32_t *corners = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *corners), found = 0;
  double edge;
  const uint32_t cloth = take_cloth(&p, corners, &edge);
  if (cloth > 0 && cloth < mesh->triangle_count) {
    measure(&p, corners, cloth, edge);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
      const piece *own = &p.items[p.root[v]];
      attached[v] = is_small(&p, v) && own->off <= own->count * reach_of(own, edge);
      found += attached[v] && p.root[v] == v;
    }
  }
  weft_free(corners);
  weft_free(p.root);
  weft_free(p.items);
  return found;
}
