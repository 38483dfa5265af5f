/* Welding: merges vertices at one position, so that texture seams do not split the cloth.
 *
 * A hash grid whose cells are at least as wide as the distance; candidates are the first
 * occurrences in the 27 cells around a vertex, of which the lowest number wins, so the result
 * depends on the order of the vertices alone. With distance 0 a cell is one exact position. */

#include "map.h"
#include "mesh_internal.h"

typedef struct weld_table {
  uint32_t *heads; /* vertex + 1, 0 for none */
  uint32_t *next;  /* chain in a slot */
  size_t slots;
  double width; /* of a cell; 0 for exact positions */
} weld_table;

typedef struct weld_cell {
  int64_t x, y, z;
} weld_cell;

static int64_t exact_key(float value) {
  float positive_zero = value + 0.0f;
  int32_t bits;
  memcpy(&bits, &positive_zero, sizeof bits);
  return bits;
}

static int64_t cell_key(float value, double width) {
  double cell = floor((double)value / width);
  return (int64_t)fmin(fmax(cell, -4e18), 4e18);
}

static weld_cell cell_of(weft_vec3 p, double width) {
  if (width > 0) {
    return (weld_cell){cell_key(p.x, width), cell_key(p.y, width), cell_key(p.z, width)};
  }
  return (weld_cell){exact_key(p.x), exact_key(p.y), exact_key(p.z)};
}

static size_t slot_of(const weld_table *table, weld_cell cell) {
  uint64_t hash = (uint64_t)cell.x * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 32 ^ (uint64_t)cell.y) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ hash >> 29 ^ (uint64_t)cell.z) * UINT64_C(0x94d049bb133111eb);
  return (size_t)(hash ^ hash >> 31) & (table->slots - 1);
}

static bool close_enough(weft_vec3 a, weft_vec3 b, float distance) {
  if (distance <= 0) return a.x == b.x && a.y == b.y && a.z == b.z;
  double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
  return x * x + y * y + z * z <= (double)distance * distance;
}

/* Lowest kept vertex close to p in one cell, or `best` when none is lower. */
static uint32_t search_cell(const weld_table *table, const weft_vec3 *positions, weft_vec3 p,
                            weld_cell cell, float distance, uint32_t best) {
  for (uint32_t v = table->heads[slot_of(table, cell)]; v != 0; v = table->next[v - 1]) {
    if (v - 1 < best && close_enough(positions[v - 1], p, distance)) best = v - 1;
  }
  return best;
}

static uint32_t search(const weld_table *table, const weft_vec3 *positions, weft_vec3 p,
                       float distance) {
  weld_cell c = cell_of(p, table->width);
  if (distance <= 0) return search_cell(table, positions, p, c, distance, UINT32_MAX);
  uint32_t best = UINT32_MAX;
  for (int n = 0; n < 27; ++n) {
    weld_cell near = {c.x + n % 3 - 1, c.y + n / 3 % 3 - 1, c.z + n / 9 - 1};
    best = search_cell(table, positions, p, near, distance, best);
  }
  return best;
}

/* Far from the origin, cells narrower than float spacing would overflow their indices. */
static double cell_width(const weft_vec3 *positions, uint32_t count, float distance) {
  if (distance <= 0) return 0;
  float farthest = 0;
  for (uint32_t v = 0; v < count; ++v) {
    weft_vec3 p = positions[v];
    farthest = fmaxf(farthest, fmaxf(fabsf(p.x), fmaxf(fabsf(p.y), fabsf(p.z))));
  }
  return fmax((double)distance, 1e-8 * (double)farthest);
}

uint32_t weft_weld_map(const weft_vec3 *positions, uint32_t count, float distance, uint32_t *kept) {
  weld_table table = {.slots = 16, .width = cell_width(positions, count, distance)};
  while (table.slots < 2 * (size_t)count) table.slots *= 2;
  table.heads = weft_alloc(table.slots, sizeof *table.heads);
  table.next = weft_alloc(count, sizeof *table.next);
  uint32_t unique = 0;
  for (uint32_t v = 0; v < count; ++v) {
    uint32_t found = search(&table, positions, positions[v], distance);
    kept[v] = found == UINT32_MAX ? v : found;
    if (kept[v] != v) continue;
    size_t slot = slot_of(&table, cell_of(positions[v], table.width));
    table.next[v] = table.heads[slot];
    table.heads[slot] = v + 1;
    ++unique;
  }
  weft_free(table.heads);
  weft_free(table.next);
  return unique;
}

void weft_mesh_weld_to(weft_mesh *mesh, uint32_t *kept) {
  uint32_t count = 0; /* kept[v] <= v, so new numbers can be assigned in the same loop */
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (kept[v] == v) {
      mesh->positions[count] = mesh->positions[v];
      kept[v] = count++;
    } else {
      kept[v] = kept[kept[v]];
    }
  }
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    mesh->triangles[c] = kept[mesh->triangles[c]];
  }
  weft_map_vertices(&mesh->map, kept, mesh->vertex_count, count);
  mesh->map.mending.vertices_welded += mesh->vertex_count - count;
  if (count < mesh->vertex_count) mesh->grid_rows = mesh->grid_columns = 0;
  mesh->vertex_count = count;
}

void weft_mesh_weld(weft_mesh *mesh, float distance) {
  uint32_t *kept = weft_alloc(mesh->vertex_count, sizeof *kept);
  uint32_t unique = weft_weld_map(mesh->positions, mesh->vertex_count, distance, kept);
  if (unique < mesh->vertex_count) weft_mesh_weld_to(mesh, kept);
  weft_free(kept);
}

/* In the map a dropped vertex has the number of its heir, so vertices that stay are numbered
 * first. */
static void map_heirs(weft_mesh *mesh, uint32_t *number, const uint32_t *heirs, uint32_t count) {
  weft_mesh_map *map = &mesh->map;
  for (uint32_t s = 0; heirs && s < map->source_vertex_count; ++s) {
    uint32_t v = map->vertices[s];
    if (v != WEFT_NO_VERTEX && number[v] == WEFT_NO_VERTEX) map->vertices[s] = heirs[v];
  }
  weft_map_vertices(map, number, mesh->vertex_count, count);
}

void weft_mesh_drop_unused(weft_mesh *mesh, const uint32_t *heirs) {
  uint32_t *number = weft_alloc(mesh->vertex_count, sizeof *number);
  size_t corners = 3 * (size_t)mesh->triangle_count;
  for (size_t c = 0; c < corners; ++c) number[mesh->triangles[c]] = 1;
  uint32_t count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (number[v]) mesh->positions[count] = mesh->positions[v];
    number[v] = number[v] ? count++ : WEFT_NO_VERTEX;
  }
  if (count < mesh->vertex_count) {
    for (size_t c = 0; c < corners; ++c) mesh->triangles[c] = number[mesh->triangles[c]];
    map_heirs(mesh, number, heirs, count);
    mesh->grid_rows = mesh->grid_columns = 0;
    mesh->vertex_count = count;
  }
  weft_free(number);
}
