/* find_grid.c: recognises a sheet of equal rectangles from its triangles, whatever their order.
 *
 * Two triangles that are one face of a file, or else meet along the longest side of both, are a
 * cell. Cells are walked row by row from a corner of the sheet. If each cell gets its own
 * lattice position and each position its own vertex, the sheet is a lattice. The model relies on
 * this for grids: colours of constraints on how cells are cut; lines and levels on rows and
 * columns; warp, weft and shear on threads that cross at right angles; the choice of substeps on
 * even spacing.
 *
 * Triangles have one winding, so rows and columns can run in four ways. Of the ways in which
 * cells are cut as weft_mesh_grid cuts them, the one whose columns run most along x is taken, so
 * that sheets of weft_mesh_grid are found as they were built. */
#include "builders.h"

#include "adjacency.h"
#include "map.h"
#include "vec3d.h"

enum { NONE = UINT32_MAX };

/* Largest deviation of a cell from the mean one: a fraction of its side, for cloth that ripples,
 * and the rounding of a coordinate written with six digits. */
static const double uneven = 5e-3, written = 1.5e-5;

/* Cell k has corners 4*k to 4*k + 3, counter-clockwise, and its diagonal runs from the first to
 * the third. Side s of it runs from corner s to the next. */
typedef struct cells {
  uint32_t count;
  uint32_t *corners;
  uint32_t *across;    /* [4*count] the adjacent side of another cell, 4*cell + side; NONE at a
                          border */
  uint32_t *triangles; /* [2*count] the triangle with the second corner, and that with the fourth */
  uint8_t *loose;      /* [count] one face of a file, whose diagonal is arbitrary */
} cells;

/* The lattice found so far: cell_at[row*(columns - 1) + column] = 4*cell + its corner at (row,
 * column). The following corners are at (row + 1, column), (row + 1, column + 1) and (row,
 * column + 1). */
typedef struct lattice {
  uint32_t rows, columns;
  uint32_t *vertex_at; /* [rows*columns] */
  uint32_t *cell_at;
} lattice;

/* ---- triangles to cells ---- */

/* The triangles across each side: others[3*triangle + corner] = 3*other + its corner; false
 * where a side has more than two triangles, or two with different windings. */
static bool find_others(const weft_mesh *mesh, uint32_t *others) {
  weft_edges edges;
  const uint32_t *t = mesh->triangles;
  weft_edges_build(mesh->vertex_count, t, mesh->triangle_count, &edges);
  bool well = true;
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) others[i] = NONE;
  for (uint32_t e = 0; e < edges.count && well; ++e) {
    const weft_edge *edge = &edges.items[e];
    well = edge->triangle_count <= 2 && !weft_edge_flipped(edge, t);
    if (!well || edge->triangle_count < 2) continue;
    uint32_t side[2];
    for (int k = 0; k < 2; ++k) {
      side[k] = 3 * edge->triangle[k];
      while (t[side[k] - side[k] % 3 + (side[k] + 2) % 3] != edge->opposite[k]) ++side[k];
    }
    others[side[0]] = side[1];
    others[side[1]] = side[0];
  }
  weft_edges_free(&edges);
  return well;
}

static double squared(const weft_mesh *mesh, uint32_t a, uint32_t b) {
  weft_vec3d d = weft_v3d_sub(weft_v3d_from(mesh->positions[a]), weft_v3d_from(mesh->positions[b]));
  return weft_v3d_dot(d, d);
}

/* The side that a triangle shares with the other one of its cell; NONE if there is none. */
static uint32_t find_cut(const weft_mesh *mesh, const uint32_t *others, uint32_t triangle,
                         bool *loose) {
  const uint32_t *v = mesh->triangles + 3 * (size_t)triangle, *faces = mesh->map.faces;
  uint32_t longest = 0, same = NONE, count = 0;
  double length[3];
  for (uint32_t k = 0; k < 3; ++k) {
    uint32_t other = others[3 * (size_t)triangle + k];
    length[k] = squared(mesh, v[k], v[(k + 1) % 3]);
    if (length[k] > length[longest]) longest = k;
    if (!faces || other == NONE || faces[other / 3] != faces[triangle]) continue;
    same = k;
    ++count;
  }
  *loose = count > 0;
  if (count > 1) return NONE;
  return 3 * triangle + (count ? same : longest);
}

static void cells_free(cells *c) {
  weft_free(c->corners);
  weft_free(c->across);
  weft_free(c->triangles);
  weft_free(c->loose);
}

/* Maps sides of triangles to sides of cells: of[side]; NONE for a diagonal. */
static void join_cells(const uint32_t *others, const uint32_t *of, uint32_t sides, cells *c) {
  for (uint32_t s = 0; s < sides; ++s) {
    if (of[s] != NONE) c->across[of[s]] = others[s] == NONE ? NONE : of[others[s]];
  }
}

static uint32_t next_side(uint32_t side, uint32_t by) { return side - side % 3 + (side + by) % 3; }

static bool find_cells(const weft_mesh *mesh, const uint32_t *others, cells *c) {
  uint32_t sides = 3 * mesh->triangle_count;
  uint32_t *of = weft_alloc(sides, sizeof *of);
  bool loose, also, well = true;
  for (uint32_t t = 0; t < mesh->triangle_count && well; ++t) {
    uint32_t cut = find_cut(mesh, others, t, &loose), other = cut == NONE ? NONE : others[cut];
    well = other != NONE && find_cut(mesh, others, other / 3, &also) == other && loose == also;
    if (!well || other < cut) continue;
    const uint32_t k = c->count++;
    const uint32_t ring[4] = {next_side(other, 1), next_side(other, 2), next_side(cut, 1),
                              next_side(cut, 2)};
    of[cut] = of[other] = NONE;
    for (uint32_t s = 0; s < 4; ++s) {
      c->corners[4 * (size_t)k + s] = mesh->triangles[ring[s]];
      of[ring[s]] = 4 * k + s;
    }
    c->triangles[2 * (size_t)k] = other / 3;
    c->triangles[2 * (size_t)k + 1] = t;
    c->loose[k] = loose;
  }
  if (well) join_cells(others, of, sides, c);
  weft_free(of);
  return well;
}

static bool take_cells(const weft_mesh *mesh, cells *c) {
  size_t most = mesh->triangle_count / 2;
  uint32_t *others = weft_alloc(3 * (size_t)mesh->triangle_count, sizeof *others);
  *c = (cells){.corners = weft_alloc(4 * most, sizeof *c->corners),
               .across = weft_alloc(4 * most, sizeof *c->across),
               .triangles = weft_alloc(2 * most, sizeof *c->triangles),
               .loose = weft_alloc(most, 1)};
  bool well = find_others(mesh, others) && find_cells(mesh, others, c);
  weft_free(others);
  return well;
}

/* ---- cells to a lattice ---- */

static uint32_t turned(uint32_t cell, uint32_t by) { return cell - cell % 4 + (cell + by) % 4; }

/* The cell to the right (side 2) or below (side 1), as its first corner at the upper left; NONE:
 * none. */
static uint32_t beside(const cells *c, uint32_t cell, uint32_t side) {
  uint32_t other = c->across[turned(cell, side)];
  return other == NONE ? NONE : turned(other, side == 2 ? 0 : 1);
}

/* A cell with a vertex that no other cell has, as that corner; NONE: there is none. */
static uint32_t find_corner(const cells *c, uint32_t vertex_count) {
  uint8_t *met = weft_alloc(vertex_count, 1);
  uint32_t corner = NONE;
  for (size_t i = 0; i < 4 * (size_t)c->count; ++i) {
    if (met[c->corners[i]] < 2) ++met[c->corners[i]];
  }
  for (uint32_t i = 0; i < 4 * c->count && corner == NONE; ++i) {
    if (met[c->corners[i]] == 1) corner = i;
  }
  weft_free(met);
  return corner;
}

/* Writes the corners of a cell to their lattice positions; false if another vertex is there. */
static bool put_cell(const cells *c, lattice *l, uint32_t row, uint32_t column, uint32_t cell) {
  const uint32_t at = row * l->columns + column;
  const uint32_t places[4] = {at, at + l->columns, at + l->columns + 1, at + 1};
  l->cell_at[row * (l->columns - 1) + column] = cell;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t vertex = c->corners[turned(cell, k)];
    if (l->vertex_at[places[k]] == NONE) l->vertex_at[places[k]] = vertex;
    if (l->vertex_at[places[k]] != vertex) return false;
  }
  return true;
}

static bool walk_row(const cells *c, lattice *l, uint32_t row, uint32_t cell) {
  for (uint32_t column = 0; column + 1 < l->columns; ++column) {
    if (cell == NONE || !put_cell(c, l, row, column, cell)) return false;
    cell = beside(c, cell, 2);
  }
  return true;
}

static bool each_once(const lattice *l, uint32_t vertex_count) {
  uint8_t *met = weft_alloc(vertex_count, 1);
  bool once = true;
  for (uint32_t i = 0; i < vertex_count && once; ++i) {
    once = l->vertex_at[i] != NONE && !met[l->vertex_at[i]];
    if (once) met[l->vertex_at[i]] = 1;
  }
  weft_free(met);
  return once;
}

/* There are as many positions as vertices, and as many cells; so if all fit, nothing lies beyond
 * a border. */
static bool walk(const cells *c, uint32_t vertex_count, lattice *l) {
  uint32_t first = find_corner(c, vertex_count), length = 0;
  if (first == NONE) return false;
  for (uint32_t cell = first; cell != NONE && length < c->count; cell = beside(c, cell, 2)) {
    ++length;
  }
  *l = (lattice){.columns = length + 1, .rows = vertex_count / (length + 1)};
  if ((uint64_t)l->rows * l->columns != vertex_count) return false;
  if ((uint64_t)(l->rows - 1) * length != c->count) return false;
  l->vertex_at = weft_alloc(vertex_count, sizeof *l->vertex_at);
  l->cell_at = weft_alloc(c->count, sizeof *l->cell_at);
  for (uint32_t i = 0; i < vertex_count; ++i) l->vertex_at[i] = NONE;
  for (uint32_t row = 0; row + 1 < l->rows; ++row, first = beside(c, first, 1)) {
    if (!walk_row(c, l, row, first)) return false;
  }
  return each_once(l, vertex_count);
}

/* ---- equal rectangles ---- */

/* Largest coordinate. */
static double reach_of(const weft_mesh *mesh) {
  double most = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const weft_vec3 p = mesh->positions[i];
    most = fmax(most, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))));
  }
  return most;
}

static double apart(const weft_mesh *mesh, const cells *c, uint32_t cell, uint32_t a, uint32_t b) {
  return sqrt(squared(mesh, c->corners[turned(cell, a)], c->corners[turned(cell, b)]));
}

static bool is_even(const weft_mesh *mesh, const cells *c, const lattice *l) {
  double down = 0, along = 0, lost = written * reach_of(mesh);
  for (uint32_t i = 0; i < c->count; ++i) {
    down += apart(mesh, c, l->cell_at[i], 0, 1) + apart(mesh, c, l->cell_at[i], 2, 3);
    along += apart(mesh, c, l->cell_at[i], 1, 2) + apart(mesh, c, l->cell_at[i], 3, 0);
  }
  down /= 2.0 * c->count;
  along /= 2.0 * c->count;
  const double across = hypot(down, along);
  const struct {
    uint32_t a, b;
    double wanted;
  } lengths[6] = {{0, 1, down},  {2, 3, down},   {1, 2, along},
                  {3, 0, along}, {0, 2, across}, {1, 3, across}};
  for (uint32_t i = 0; i < c->count; ++i) {
    for (int k = 0; k < 6; ++k) {
      const double length = apart(mesh, c, l->cell_at[i], lengths[k].a, lengths[k].b);
      if (!(fabs(length - lengths[k].wanted) <= uneven * lengths[k].wanted + lost)) return false;
    }
  }
  return true;
}

/* ---- orientation of rows and columns ---- */

/* Quarter turns of the lattice, counter-clockwise: a turn moves the corner (rows - 1, 0) to (0,
 * 0). */
typedef struct way {
  uint32_t turns, rows, columns;
} way;

static way way_of(const lattice *l, uint32_t turns) {
  return turns % 2 ? (way){turns, l->columns, l->rows} : (way){turns, l->rows, l->columns};
}

/* The index of (row, column) before the lattice was turned. */
static void unturn(uint32_t turns, uint32_t rows, uint32_t columns, uint32_t *row,
                   uint32_t *column) {
  const uint32_t r = *row, c = *column;
  *row = turns == 0 ? r : turns == 1 ? rows - 1 - c : turns == 2 ? rows - 1 - r : c;
  *column = turns == 0 ? c : turns == 1 ? r : turns == 2 ? columns - 1 - c : columns - 1 - r;
}

static uint32_t vertex_of(const lattice *l, way w, uint32_t row, uint32_t column) {
  unturn(w.turns, l->rows, l->columns, &row, &column);
  return l->vertex_at[row * l->columns + column];
}

static uint32_t cell_of(const lattice *l, way w, uint32_t row, uint32_t column) {
  unturn(w.turns, l->rows - 1, l->columns - 1, &row, &column);
  return turned(l->cell_at[row * (l->columns - 1) + column], w.turns);
}

static bool is_cut_so(const cells *c, const lattice *l, way w, weft_grid_pattern pattern) {
  for (uint32_t row = 0; row + 1 < w.rows; ++row) {
    for (uint32_t column = 0; column + 1 < w.columns; ++column) {
      const uint32_t cell = cell_of(l, w, row, column);
      const bool first = cell % 2 == 0;
      if (first != weft_grid_cut_from_first(pattern, row, column) && !c->loose[cell / 4]) {
        return false;
      }
    }
  }
  return true;
}

/* Directions of columns, then of rows, in thousandths of their length, so that nearly equal ones
 * compare equal. */
typedef struct bearing {
  long long by[6];
} bearing;

static weft_vec3d corner_sum(const weft_mesh *mesh, uint32_t a, uint32_t b) {
  return weft_v3d_add(weft_v3d_from(mesh->positions[a]), weft_v3d_from(mesh->positions[b]));
}

static bearing bearing_of(const weft_mesh *mesh, const lattice *l, way w) {
  const uint32_t corner[4] = {vertex_of(l, w, 0, 0), vertex_of(l, w, w.rows - 1, 0),
                              vertex_of(l, w, w.rows - 1, w.columns - 1),
                              vertex_of(l, w, 0, w.columns - 1)};
  bearing b;
  for (uint32_t k = 0; k < 2; ++k) { /* from left to right, from above to below */
    weft_vec3d d = weft_v3d_sub(corner_sum(mesh, corner[2], corner[k ? 1 : 3]),
                                corner_sum(mesh, corner[0], corner[k ? 3 : 1]));
    const double length = sqrt(weft_v3d_dot(d, d)), scale = length > 0 ? 1000 / length : 0;
    b.by[3 * k] = llround(d.x * scale);
    b.by[3 * k + 1] = -llround(d.y * scale);
    b.by[3 * k + 2] = llround(d.z * scale);
  }
  return b;
}

static bool is_before(const bearing *a, const bearing *b) {
  int k = 0;
  while (k < 5 && a->by[k] == b->by[k]) ++k;
  return a->by[k] > b->by[k];
}

static bool choose_way(const weft_mesh *mesh, const cells *c, const lattice *l,
                       weft_grid_pattern pattern, way *chosen) {
  bool found = false;
  bearing best = {{0}};
  for (uint32_t turns = 0; turns < 4; ++turns) {
    const way w = way_of(l, turns);
    const bearing b = bearing_of(mesh, l, w);
    if (found && !is_before(&b, &best)) continue;
    if (!is_cut_so(c, l, w, pattern)) continue;
    *chosen = w;
    best = b;
    found = true;
  }
  return found;
}

/* ---- the mesh as a grid ---- */

static void take_triangles(weft_mesh *mesh, const cells *c, const lattice *l, way w) {
  uint32_t *from = weft_alloc(mesh->triangle_count, sizeof *from), *out = from;
  for (uint32_t row = 0; row + 1 < w.rows; ++row) {
    for (uint32_t column = 0; column + 1 < w.columns; ++column, out += 2) {
      const uint32_t cell = cell_of(l, w, row, column), *pair = c->triangles + cell / 4 * (size_t)2;
      const bool swap = cell % 4 > 1; /* the first triangle of a grid's cell has the corner below
                                         or the first */
      out[0] = pair[swap];
      out[1] = pair[!swap];
    }
  }
  weft_map_triangles(&mesh->map, from, mesh->triangle_count);
  weft_free(from);
}

static void take(weft_mesh *taken, const cells *c, const lattice *l, way w,
                 weft_grid_pattern pattern) {
  weft_mesh copy = weft_mesh_copy(taken), *mesh = &copy;
  uint32_t *numbers = weft_alloc(mesh->vertex_count, sizeof *numbers);
  for (uint32_t row = 0; row < w.rows; ++row) {
    for (uint32_t column = 0; column < w.columns; ++column) {
      numbers[row * w.columns + column] = vertex_of(l, w, row, column);
    }
  }
  weft_map_begin(mesh);
  take_triangles(mesh, c, l, w);
  weft_mesh_renumber(mesh, numbers);
  weft_free(numbers);
  weft_grid_cut(w.rows, w.columns, pattern, mesh->triangles);
  mesh->grid_rows = w.rows;
  mesh->grid_columns = w.columns;
  mesh->grid_pattern = pattern;
  weft_mesh_swap(taken, mesh);
  weft_mesh_free(mesh);
}

/* A sheet of R by C vertices has (R - 1)*(C - 1) cells; with R*C, that gives R + C and their
 * difference. Few other meshes have such numbers, which rules most out at once. */
static bool could_be(const weft_mesh *mesh) {
  const uint64_t n = mesh->vertex_count, quads = mesh->triangle_count / 2, sum = n + 1 - quads;
  if (n < 4 || mesh->triangle_count % 2 || quads == 0 || quads >= n || sum * sum < 4 * n) {
    return false;
  }
  const uint64_t square = sum * sum - 4 * n, root = (uint64_t)llround(sqrt((double)square));
  return root * root == square && (sum + root) % 2 == 0;
}

static bool find(weft_mesh *mesh) {
  cells c = {0};
  lattice l = {0};
  way w = {0};
  bool found = take_cells(mesh, &c) && walk(&c, mesh->vertex_count, &l) && is_even(mesh, &c, &l);
  bool same = found && choose_way(mesh, &c, &l, WEFT_GRID_SAME_DIAGONAL, &w);
  found = found && (same || choose_way(mesh, &c, &l, WEFT_GRID_ALTERNATING, &w));
  if (found) take(mesh, &c, &l, w, same ? WEFT_GRID_SAME_DIAGONAL : WEFT_GRID_ALTERNATING);
  cells_free(&c);
  weft_free(l.vertex_at);
  weft_free(l.cell_at);
  return found;
}

bool weft_mesh_find_grid(weft_mesh *mesh) {
  WEFT_GUARD_OR(false);
  if (!mesh || !weft_mesh_is_whole(mesh) || mesh->grid_rows > 0) return false;
  if (!could_be(mesh) || weft_check_indices(mesh, NULL) != WEFT_OK) return false;
  double start = weft_clock_seconds();
  bool found = find(mesh);
  weft_log(WEFT_LOG_DEBUG, "%s, %.3f s", found ? "the mesh is a grid" : "the mesh is no grid",
           weft_clock_seconds() - start);
  return found;
}
