/* Sheets of equal rectangles are found whatever the order of their vertices, triangles and corners,
 * and become the very grid that they were; what is nearly one does not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
/* before cmocka */
#include "cmocka_all.h"
/* after cmocka */
#include <weft/mesh.h>

#include "base.h"
#include "map.h"

static weft_mesh grid(uint32_t rows, uint32_t columns, weft_grid_pattern pattern,
                      weft_plane plane) {
  weft_mesh mesh = {0};
  weft_grid_desc desc = {.rows = rows,
                         .columns = columns,
                         .width = 0.1f * (float)(columns - 1),
                         .height = 0.07f * (float)(rows - 1),
                         .pattern = pattern,
                         .plane = plane,
                         .centre = {0.3f, 1.1f, -0.2f}};
  assert_int_equal(weft_mesh_grid(&desc, &mesh, NULL), WEFT_OK);
  return mesh;
}

/* Bent a little across, as a sheet that is let go is. */
static void ripple(weft_mesh *mesh, weft_plane plane) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 *p = &mesh->positions[v];
    float by = 0.002f * sinf(5 * p->x + 3 * (plane == WEFT_PLANE_XY ? p->y : p->z));
    if (plane == WEFT_PLANE_XY) p->z += by;
    if (plane == WEFT_PLANE_XZ) p->y += by;
  }
}

static uint32_t *shuffled(uint32_t count, weft_rng *rng) {
  uint32_t *items = weft_alloc(count, sizeof *items);
  for (uint32_t i = 0; i < count; ++i) items[i] = i;
  for (uint32_t i = count - 1; i > 0; --i) {
    uint32_t k = weft_rng_u32(rng) % (i + 1), swap = items[i];
    items[i] = items[k];
    items[k] = swap;
  }
  return items;
}

/* As a file may have it: vertices and triangles in any order, corners turned. */
static weft_mesh as_file(const weft_mesh *from, uint64_t seed) {
  weft_rng rng = weft_rng_seed(seed);
  weft_mesh mesh = {.vertex_count = from->vertex_count, .triangle_count = from->triangle_count};
  uint32_t *place = shuffled(from->vertex_count, &rng);
  uint32_t *at = shuffled(from->triangle_count, &rng);
  mesh.positions = weft_alloc(from->vertex_count, sizeof *mesh.positions);
  mesh.triangles = weft_alloc(3 * (size_t)from->triangle_count, sizeof *mesh.triangles);
  for (uint32_t v = 0; v < from->vertex_count; ++v) mesh.positions[place[v]] = from->positions[v];
  for (uint32_t t = 0; t < from->triangle_count; ++t) {
    uint32_t first = weft_rng_u32(&rng) % 3;
    for (uint32_t c = 0; c < 3; ++c) {
      mesh.triangles[3 * at[t] + c] = place[from->triangles[3 * t + (first + c) % 3]];
    }
  }
  weft_free(place);
  weft_free(at);
  return mesh;
}

static void assert_same(const weft_mesh *a, const weft_mesh *b) {
  assert_int_equal(a->grid_rows, b->grid_rows);
  assert_int_equal(a->grid_columns, b->grid_columns);
  assert_int_equal(a->grid_pattern, b->grid_pattern);
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_memory_equal(a->positions, b->positions, a->vertex_count * sizeof *a->positions);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_memory_equal(a->triangles, b->triangles,
                      3 * (size_t)a->triangle_count * sizeof *a->triangles);
}

static uint32_t has_corner(const uint32_t *t, uint32_t v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

/* Every vertex and triangle says which one of the file it is. */
static void assert_mapped(const weft_mesh *found, const weft_mesh *file) {
  const weft_mesh_map *map = &found->map;
  assert_int_equal(map->source_vertex_count, file->vertex_count);
  assert_int_equal(map->source_face_count, file->triangle_count);
  for (uint32_t v = 0; v < found->vertex_count; ++v) {
    assert_int_equal(map->vertices[map->numbers[v]], v);
    assert_memory_equal(&found->positions[v], &file->positions[map->numbers[v]],
                        sizeof *file->positions);
  }
  for (uint32_t t = 0; t < found->triangle_count; ++t) {
    const uint32_t *of = file->triangles + 3 * (size_t)map->faces[t];
    for (uint32_t c = 0; c < 3; ++c) {
      assert_true(has_corner(of, map->numbers[found->triangles[3 * t + c]]));
    }
  }
}

static const uint32_t sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {2, 9},  {9, 2},
                                    {3, 3}, {6, 9}, {9, 8}, {8, 14}, {33, 17}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void a_sheet_becomes_the_grid_that_it_was(void **state) {
  (void)state;
  for (size_t k = 0; k < SIZES * (size_t)4; ++k) {
    const uint32_t *size = sizes[k / 4];
    const weft_plane plane = (weft_plane)(k % 2);
    weft_mesh wanted = grid(size[0], size[1], (weft_grid_pattern)(k / 2 % 2), plane);
    ripple(&wanted, plane);
    if (size[0] * size[1] == 4) wanted.grid_pattern = WEFT_GRID_SAME_DIAGONAL;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      weft_mesh file = as_file(&wanted, seed), mesh = as_file(&wanted, seed);
      assert_true(weft_mesh_find_grid(&mesh));
      assert_same(&mesh, &wanted);
      assert_mapped(&mesh, &file);
      assert_false(weft_mesh_find_grid(&mesh)); /* it is one */
      assert_same(&mesh, &wanted);
      weft_mesh_free(&mesh);
      weft_mesh_free(&file);
    }
    weft_mesh_free(&wanted);
  }
}

/* ---- however it lies ---- */

static void turn_over(weft_mesh *mesh) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    uint32_t *v = mesh->triangles + 3 * (size_t)t, swap = v[1];
    v[1] = v[2];
    v[2] = swap;
  }
}

/* The eight ways of a square, and seen from either side. */
static void put_so(weft_mesh *mesh, int how) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 *p = &mesh->positions[v], q = *p;
    if (how & 1) *p = weft_v3(-q.y, q.x, q.z);
    if (how & 2) *p = weft_v3(-p->x, -p->y, p->z);
    if (how & 4) *p = weft_v3(-p->x, p->y, p->z);
  }
  if (how & 8) turn_over(mesh);
}

/* 1: a runs along +x, 0: across. */
static int along_x(weft_vec3 a, weft_vec3 b) {
  weft_vec3 d = weft_v3_sub(b, a);
  return fabsf(d.x) < 1e-4f ? 0 : d.x > 0 ? 1 : -1;
}

static void whatever_its_order_it_lies_the_same_way(void **state) {
  (void)state;
  for (int k = 0; k < 64; ++k) {
    const weft_grid_pattern pattern = (weft_grid_pattern)(k / 16 % 2);
    weft_mesh from = grid(k < 32 ? 5 : 6, 8, pattern, WEFT_PLANE_XY);
    put_so(&from, k % 16);
    weft_mesh mesh = as_file(&from, 1), again = as_file(&from, 2);
    assert_true(weft_mesh_find_grid(&mesh));
    assert_true(weft_mesh_find_grid(&again));
    assert_same(&mesh, &again);
    weft_mesh cut = grid(mesh.grid_rows, mesh.grid_columns, pattern, WEFT_PLANE_XY);
    assert_memory_equal(mesh.triangles, cut.triangles,
                        3 * (size_t)cut.triangle_count * sizeof *cut.triangles);
    /* To the left only where no way of those that it is cut for runs to the right. */
    const int runs = along_x(mesh.positions[0], mesh.positions[mesh.grid_columns - 1]);
    assert_true(runs >= 0 || pattern == WEFT_GRID_ALTERNATING);
    weft_mesh_free(&cut);
    weft_mesh_free(&again);
    weft_mesh_free(&mesh);
    weft_mesh_free(&from);
  }
}

static float six_digits(float x) {
  char text[40];
  snprintf(text, sizeof text, "%.6g", (double)x);
  return strtof(text, NULL);
}

static void six_digits_are_enough(void **state) {
  (void)state;
  weft_mesh from = grid(101, 80, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XZ);
  for (uint32_t v = 0; v < from.vertex_count; ++v) { /* cells of 2.13 mm by 1.49, a metre away */
    weft_vec3 *p = &from.positions[v];
    *p = weft_v3(six_digits(1 + 0.0213f * p->x), six_digits(p->y), six_digits(1 + 0.0213f * p->z));
  }
  weft_mesh mesh = as_file(&from, 1);
  assert_true(weft_mesh_find_grid(&mesh));
  assert_same(&mesh, &from);
  weft_mesh_free(&mesh);
  weft_mesh_free(&from);
}

/* Quads of a file may have been cut along either diagonal. */
static void quads_are_cut_anew(void **state) {
  (void)state;
  weft_mesh wanted = grid(7, 10, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XZ);
  weft_mesh mesh = grid(7, 10, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XZ);
  weft_rng rng = weft_rng_seed(4);
  mesh.grid_rows = mesh.grid_columns = 0;
  weft_map_begin(&mesh);
  mesh.map.source_face_count = mesh.triangle_count / 2;
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) mesh.map.faces[t] = t / 2;
  for (uint32_t t = 0; t < mesh.triangle_count; t += 2) {
    uint32_t *v = mesh.triangles + 3 * (size_t)t; /* a c e, a e b */
    if (weft_rng_u32(&rng) % 2 == 0) continue;
    v[2] = v[5], v[3] = v[1]; /* a c b, c e b */
  }
  assert_true(weft_mesh_find_grid(&mesh));
  assert_same(&mesh, &wanted);
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) assert_int_equal(mesh.map.faces[t], t / 2);
  weft_mesh_free(&mesh);
  weft_mesh_free(&wanted);
}

/* ---- what is none ---- */

static void refuse(weft_mesh *mesh) {
  mesh->grid_rows = mesh->grid_columns = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    weft_mesh file = as_file(mesh, seed), same = as_file(mesh, seed);
    assert_false(weft_mesh_find_grid(&file));
    assert_same(&file, &same);
    assert_null(file.map.numbers);
    weft_mesh_free(&file);
    weft_mesh_free(&same);
  }
  weft_mesh_free(mesh);
}

static void a_diagonal_the_other_way(void **state) {
  (void)state;
  for (int pattern = 0; pattern < 2; ++pattern) {
    for (uint32_t cell = 0; cell < 35; ++cell) {
      weft_mesh mesh = grid(6, 8, (weft_grid_pattern)pattern, WEFT_PLANE_XY);
      uint32_t *v = mesh.triangles + 6 * (size_t)cell;
      if (v[2] == v[4]) { /* a c e, a e b */
        v[2] = v[5], v[3] = v[1];
      } else { /* a c b, c e b */
        v[5] = v[2], v[2] = v[4], v[3] = v[0], v[4] = v[2];
      }
      refuse(&mesh);
    }
  }
}

/* All of them are cut in turn, but from no corner of the sheet. */
static void a_union_jack_that_begins_elsewhere(void **state) {
  (void)state;
  weft_mesh mesh = grid(7, 9, WEFT_GRID_ALTERNATING, WEFT_PLANE_XY);
  for (uint32_t cell = 0; cell < 48; ++cell) {
    uint32_t *v = mesh.triangles + 6 * (size_t)cell;
    if (v[2] == v[4]) {
      v[2] = v[5], v[3] = v[1];
    } else {
      v[5] = v[2], v[2] = v[4], v[3] = v[0], v[4] = v[2];
    }
  }
  refuse(&mesh);
}

static void a_vertex_that_is_moved(void **state) {
  (void)state;
  for (uint32_t v = 0; v < 48; ++v) {
    for (int way = 0; way < 4; ++way) {
      weft_mesh mesh = grid(6, 8, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
      const float by = way % 2 ? 0.01f : -0.01f;
      if (way < 2) mesh.positions[v].x += by * 0.1f;
      if (way >= 2) mesh.positions[v].y += by * 0.07f;
      refuse(&mesh);
    }
  }
}

static void cells_that_are_no_equal_rectangles(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k) {
    weft_mesh mesh =
        grid(6, 8, k == 0 ? WEFT_GRID_EQUILATERAL : WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
      weft_vec3 *p = &mesh.positions[v];
      if (k == 1) p->x += 0.05f * p->y;           /* slanted */
      if (k == 2 && p->y < 1.1f) p->y -= 0.0035f; /* one row is wider by 5 % */
    }
    refuse(&mesh);
  }
}

static void holes_and_gaps(void **state) {
  (void)state;
  for (uint32_t t = 0; t < 70; ++t) { /* a triangle is missing, and its cell with it */
    weft_mesh mesh = grid(6, 8, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
    uint32_t *last = mesh.triangles + 3 * (size_t)--mesh.triangle_count;
    memcpy(mesh.triangles + 3 * (size_t)t, last, 3 * sizeof *last);
    refuse(&mesh);
    mesh = grid(6, 8, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
    last = mesh.triangles + 3 * (size_t)(mesh.triangle_count -= 2);
    memmove(mesh.triangles + 6 * (size_t)(t / 2), last, 6 * sizeof *last);
    refuse(&mesh);
  }
  /* Three by three cells less one in the corner have as many vertices and cells as two by four. */
  weft_mesh mesh = grid(4, 4, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
  mesh.vertex_count -= 1;
  mesh.triangle_count -= 2;
  refuse(&mesh);
}

/* A ring of six cells has as many vertices and triangles as a sheet of 3 by 4. */
static weft_mesh ring(bool twisted) {
  enum { N = 6 };
  weft_mesh mesh = {.vertex_count = 2 * N, .triangle_count = 2 * N};
  mesh.positions = weft_alloc(2 * N, sizeof *mesh.positions);
  mesh.triangles = weft_alloc((size_t)6 * N, sizeof *mesh.triangles);
  for (uint32_t k = 0; k < N; ++k) {
    const float at = 6.2831853f * (float)k / N, half = twisted ? at / 2 : 0;
    for (uint32_t s = 0; s < 2; ++s) {
      const float by = s ? 0.5f : -0.5f, r = 1 + by * sinf(half);
      mesh.positions[2 * k + s] = weft_v3(r * cosf(at), by * cosf(half), r * sinf(at));
    }
    const bool over = twisted && k + 1 == N;
    const uint32_t a = 2 * k, c = a + 1, b = (a + 2) % (2 * N) + over, e = (a + 3) % (2 * N) - over;
    const uint32_t t[6] = {a, c, e, a, e, b};
    memcpy(mesh.triangles + 6 * (size_t)k, t, sizeof t);
  }
  return mesh;
}

static void rings(void **state) {
  (void)state;
  weft_mesh tube = ring(false), moebius = ring(true), long_tube = {0};
  refuse(&tube);
  refuse(&moebius);
  assert_int_equal(weft_mesh_tube(&(weft_tube_desc){.rings = 9, .segments = 20}, &long_tube, NULL),
                   WEFT_OK);
  refuse(&long_tube);
}

/* Rolled up until two corners are one vertex, with another one that no triangle has. */
static void a_sheet_that_meets_itself(void **state) {
  (void)state;
  for (int closed = 0; closed < 2; ++closed) {
    enum { ROWS = 5, COLUMNS = 12 };
    weft_mesh mesh = grid(ROWS, COLUMNS, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
      const float at = 6.2831853f * (float)(v % COLUMNS % (COLUMNS - 1)) / (COLUMNS - 1);
      mesh.positions[v] = weft_v3(0.2f * cosf(at), mesh.positions[v].y, 0.2f * sinf(at));
    }
    for (size_t c = 0; closed && c < 3 * (size_t)mesh.triangle_count; ++c) {
      if (mesh.triangles[c] == COLUMNS - 1) mesh.triangles[c] = 0;
    }
    if (closed) {
      refuse(&mesh);
      continue;
    }
    weft_mesh file = as_file(&mesh, 1); /* they lie in one place, but are two */
    assert_true(weft_mesh_find_grid(&file));
    weft_mesh_free(&file);
    weft_mesh_free(&mesh);
  }
}

static void several_pieces_and_others(void **state) {
  (void)state;
  /* Two sheets of 3 by 3 and two vertices that no triangle has: 4 by 5 by number, less cells. */
  weft_mesh one = grid(3, 3, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY), two = {0}, disc = {0};
  two.vertex_count = 18;
  two.triangle_count = 16;
  two.positions = weft_alloc(18, sizeof *two.positions);
  two.triangles = weft_alloc(48, sizeof *two.triangles);
  for (uint32_t v = 0; v < 18; ++v) {
    two.positions[v] = one.positions[v % 9];
    two.positions[v].z += v < 9 ? 0 : 1;
  }
  for (uint32_t c = 0; c < 48; ++c) two.triangles[c] = one.triangles[c % 24] + (c < 24 ? 0 : 9);
  refuse(&two);
  weft_mesh_free(&one);
  assert_int_equal(weft_mesh_disc(NULL, &disc, NULL), WEFT_OK);
  refuse(&disc);
  /* One triangle shows its back. */
  weft_mesh turned = grid(6, 8, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
  const uint32_t first = turned.triangles[0];
  turned.triangles[0] = turned.triangles[1];
  turned.triangles[1] = first;
  refuse(&turned);
  weft_mesh broken = grid(6, 8, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
  broken.grid_rows = broken.grid_columns = 0;
  broken.triangles[7] = 48;
  assert_false(weft_mesh_find_grid(&broken));
  weft_mesh_free(&broken);
  weft_mesh nowhere = grid(6, 8, WEFT_GRID_SAME_DIAGONAL, WEFT_PLANE_XY);
  nowhere.positions[9].x = NAN;
  nowhere.grid_rows = nowhere.grid_columns = 0;
  assert_false(weft_mesh_find_grid(&nowhere));
  weft_mesh_free(&nowhere);
  weft_mesh empty = {0};
  assert_false(weft_mesh_find_grid(&empty));
  assert_false(weft_mesh_find_grid(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sheet_becomes_the_grid_that_it_was),
      cmocka_unit_test(whatever_its_order_it_lies_the_same_way),
      cmocka_unit_test(six_digits_are_enough),
      cmocka_unit_test(quads_are_cut_anew),
      cmocka_unit_test(a_diagonal_the_other_way),
      cmocka_unit_test(a_union_jack_that_begins_elsewhere),
      cmocka_unit_test(a_vertex_that_is_moved),
      cmocka_unit_test(cells_that_are_no_equal_rectangles),
      cmocka_unit_test(holes_and_gaps),
      cmocka_unit_test(rings),
      cmocka_unit_test(a_sheet_that_meets_itself),
      cmocka_unit_test(several_pieces_and_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
