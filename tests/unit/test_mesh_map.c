#define _POSIX_C_SOURCE 200809L
/* From a file to a mesh and back: which vertex and face of the file each part of the mesh is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/model.h>
#include <weft_kit/import.h>

#include "base.h"
#include "cmocka_all.h"
#include "find_particle.h"

#define NONE WEFT_NO_VERTEX

static weft_mesh imported(const char *text, const weft_import_desc *desc) {
  char path[] = "/tmp/weft-test-map-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  weft_mesh mesh;
  weft_error err = {0};
  if (weft_mesh_import(path, desc, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  unlink(path);
  return mesh;
}

/* ends: of vertices and of faces, which have the numbers that follow. */
static void assert_map(const weft_mesh *mesh, uint32_t sources, const uint32_t *vertices,
                       const uint32_t *numbers, uint32_t faces, const uint32_t *face_of) {
  const weft_mesh_map *map = &mesh->map;
  assert_int_equal(map->source_vertex_count, sources);
  assert_int_equal(map->source_face_count, faces);
  for (uint32_t s = 0; s < sources; ++s) assert_int_equal(map->vertices[s], vertices[s]);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    assert_int_equal(weft_mesh_number(mesh, v), numbers[v]);
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    assert_int_equal(weft_mesh_face(mesh, t), face_of[t]);
  }
}

static void assert_mended(const weft_mesh *mesh, uint32_t welded, uint32_t dropped,
                          uint32_t turned) {
  assert_int_equal(mesh->map.mending.vertices_welded, welded);
  assert_int_equal(mesh->map.mending.faces_dropped, dropped);
  assert_int_equal(mesh->map.mending.faces_turned, turned);
}

/* Vertex 0 is of no face; 7 and 8 stand where 2 and 3 do, across a seam. */
#define SEAM                                               \
  "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\n" \
  "v 2 1 0\nv 1 0 0\nv 1 1 0\n"                            \
  "f 2 3 4 5\nf 8 6 7 9\n"

static void quads_across_a_seam(void **state) {
  (void)state;
  weft_mesh mesh = imported(SEAM, NULL);
  const uint32_t vertices[] = {NONE, 0, 1, 2, 3, 4, 5, 1, 2}, numbers[] = {1, 2, 3, 4, 5, 6},
                 faces[] = {0, 0, 1, 1};
  assert_int_equal(mesh.vertex_count, 6);
  assert_map(&mesh, 9, vertices, numbers, 2, faces);
  assert_mended(&mesh, 2, 0, 0);
  weft_mesh_free(&mesh);
  /* As the file has it: nothing is welded, and vertex 0 is there. */
  mesh = imported(SEAM, &(weft_import_desc){.keep_defects = true});
  const uint32_t own[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  assert_map(&mesh, 9, own, own, 2, faces);
  assert_mended(&mesh, 0, 0, 0);
  weft_mesh_free(&mesh);
}

/* Face 1 doubles face 0, 2 has no area, 3 is wound the other way, 4 has six corners. */
static void faces_that_are_dropped_and_turned(void **state) {
  (void)state;
  weft_mesh mesh = imported(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.4 1 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nv 4 1 0\n"
      "v 3 1 0\nv 2 1 0\nv 1 0.5 0\n"
      "f 1 2 3\nf 3 1 2\nf 3 4 5\nf 1 4 3\nf 6 7 8 9 10 11\n",
      NULL);
  const uint32_t vertices[] = {0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, NONE},
                 numbers[] = {0, 1, 2, 3, 5, 6, 7, 8, 9, 10}, faces[] = {0, 3, 4, 4, 4, 4};
  assert_int_equal(mesh.triangle_count, 6);
  assert_map(&mesh, 12, vertices, numbers, 5, faces);
  assert_mended(&mesh, 0, 2, 1);
  weft_mesh_free(&mesh);
}

static void groups_that_are_not_taken(void **state) {
  (void)state;
  weft_mesh mesh = imported("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng a\nf 1 2 3\ng b\nf 1 3 4\n",
                            &(weft_import_desc){.groups = "b"});
  const uint32_t vertices[] = {0, NONE, 1, 2}, numbers[] = {0, 2, 3}, faces[] = {1};
  assert_map(&mesh, 4, vertices, numbers, 2, faces);
  assert_mended(&mesh, 0, 0, 0);
  weft_mesh_free(&mesh);
}

/* Pins count as the file does: 8 is what 3 is, and 0 is nothing. */
static void pins_have_the_numbers_of_the_file(void **state) {
  (void)state;
  weft_mesh mesh = imported(SEAM, NULL);
  const uint32_t list[] = {8, 1}, none[] = {0}, beyond[] = {9};
  weft_pin pin = {.rule = WEFT_PIN_LIST, .list = list, .list_count = 2};
  weft_model_desc desc = {.mesh = &mesh, .pins = &pin, .pin_count = 1};
  weft_model *model = NULL;
  weft_error err = {0};
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_OK);
  for (uint32_t i = 0; i < 6; ++i) {
    assert_true((weft_model_inverse_masses(model)[i] == 0) == (i == 2 || i == 0));
  }
  assert_int_equal(weft_model_numbered(model, 8), 2);
  assert_int_equal(weft_model_number(model, 2), 3);
  assert_int_equal(weft_model_numbered(model, 0), NONE);
  assert_int_equal(weft_model_numbered(model, 9), NONE);
  uint32_t particle = 77;
  assert_int_equal(weft_model_find_particle(model, 9, &particle, &err), WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message, "particle 9 does not exist: there are 0 to 8");
  assert_int_equal(weft_model_find_particle(model, 0, &particle, &err), WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message,
                      "vertex 0 of the file is no particle: no face that cloth is made of has it; "
                      "1 is the first that is one");
  assert_int_equal(particle, 77);
  assert_int_equal(weft_model_find_particle(model, 8, &particle, &err), WEFT_OK);
  assert_int_equal(particle, 2);
  weft_model_destroy(model);
  pin.list_count = 1;
  pin.list = none;
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message, "pin list: vertex 0 is in no face that cloth is made of");
  pin.list = beyond;
  assert_int_equal(weft_model_create(&desc, &model, &err), WEFT_ERROR_ARGUMENT);
  assert_string_equal(err.message, "pin list: vertex 9 does not exist, the mesh has 9 vertices");
  weft_mesh_free(&mesh);
}

/* Joined models count the sources of their parts one after the other. */
static void joined_models(void **state) {
  (void)state;
  weft_mesh mesh = imported(SEAM, NULL);
  weft_model *one = NULL, *all = NULL;
  assert_int_equal(weft_model_create(&(weft_model_desc){.mesh = &mesh}, &one, NULL), WEFT_OK);
  const weft_model *two[] = {one, one};
  assert_int_equal(weft_model_join(two, 2, &all, NULL), WEFT_OK);
  weft_model_destroy(one);
  assert_int_equal(weft_model_number(all, 6 + 2), 9 + 3);
  assert_int_equal(weft_model_numbered(all, 9 + 8), 6 + 2);
  assert_int_equal(weft_model_numbered(all, 9 + 0), NONE);
  weft_model_destroy(all);
  weft_mesh_free(&mesh);
}

/* ---- layers ---- */

#define SQUARES "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 5 6 3\n"

enum { SIDE = 5 };

typedef struct sheet {
  bool turned, curved; /* quads from their other side and from another corner; not flat */
  int split;           /* a column whose vertices stand twice in the file; 0: none */
  bool soup;           /* each quad as two triangles with corners of their own */
  float bent;          /* y of the last column, for a sheet that leaves another */
} sheet;

static float height_of(const sheet *s, int row, int column) {
  return (s->curved ? 0.05f * (float)(row * column % 7) : 0) + (column == SIDE - 1 ? s->bent : 0);
}

static void put_vertex(weft_string *text, const sheet *s, int row, int column) {
  weft_string_add(text, "v %d %g %d\n", column, (double)height_of(s, row, column), row);
}

/* Adds a sheet of SIDE x SIDE vertices; *vertices counts those that are there. */
static void put_sheet(weft_string *text, const sheet *s, uint32_t *vertices) {
  const uint32_t first = *vertices + 1;
  for (int row = 0; !s->soup && row < SIDE; ++row) {
    for (int column = 0; column < SIDE; ++column) put_vertex(text, s, row, column);
  }
  for (int row = 0; s->split && row < SIDE; ++row) put_vertex(text, s, row, s->split);
  if (!s->soup) *vertices += SIDE * SIDE + (s->split ? SIDE : 0u);
  for (int row = 0; row + 1 < SIDE; ++row) {
    for (int column = 0; column + 1 < SIDE; ++column) {
      uint32_t q[4];
      for (int k = 0; k < 4; ++k) {
        const int r = row + (k == 1 || k == 2), c = column + (k > 1);
        if (s->soup) put_vertex(text, s, r, c);
        q[k] = s->soup                                           ? *vertices + (uint32_t)k + 1
               : s->split && c == s->split && column == s->split ? first + SIDE * SIDE + (uint32_t)r
                                                                 : first + (uint32_t)(r * SIDE + c);
      }
      if (s->soup) {
        put_vertex(text, s, row, column);
        put_vertex(text, s, row + 1, column + 1);
        weft_string_add(text, "f %u %u %u\nf %u %u %u\n", q[0], q[1], q[2], q[3] + 1, q[3] + 2,
                        q[3]);
        *vertices += 6;
      } else if (s->turned) {
        weft_string_add(text, "f %u %u %u %u\n", q[3], q[2], q[1], q[0]);
      } else {
        weft_string_add(text, "f %u %u %u %u\n", q[0], q[1], q[2], q[3]);
      }
    }
  }
}

/* So many vertices, triangles and pieces are left of two sheets. */
static void assert_sheets(const sheet *a, const sheet *b, weft_weld weld, uint32_t vertices,
                          uint32_t triangles, uint32_t pieces) {
  weft_string text = {0};
  uint32_t count = 0;
  put_sheet(&text, a, &count);
  if (b) put_sheet(&text, b, &count);
  weft_mesh mesh = imported(text.bytes, &(weft_import_desc){.weld = weld});
  weft_mesh_report report;
  weft_mesh_inspect(&mesh, &report);
  assert_int_equal(mesh.vertex_count, vertices);
  assert_int_equal(mesh.triangle_count, triangles);
  assert_int_equal(report.components, pieces);
  weft_mesh_free(&mesh);
  weft_string_free(&text);
}

static void layers_that_coincide_stay_two(void **state) {
  (void)state;
  enum { N = SIDE * SIDE, T = 2 * (SIDE - 1) * (SIDE - 1) };
  const sheet flat = {0}, lining = {.turned = true}, bowl = {.curved = true},
              in_bowl = {.curved = true, .turned = true}, split = {.split = 2},
              other = {.split = 3, .turned = true}, soup = {.soup = true},
              bowl_soup = {.curved = true, .soup = true};
  const sheet *const sheets[][2] = {
      {&flat, &flat},  {&flat, &lining}, {&bowl, &bowl}, {&bowl, &in_bowl}, {&split, &split},
      {&split, &flat}, {&split, &other}, {&soup, &flat}, {&soup, &soup},    {&bowl_soup, &bowl}};
  for (size_t k = 0; k < sizeof sheets / sizeof *sheets; ++k) {
    print_message("sheets %zu\n", k);
    assert_sheets(sheets[k][0], NULL, WEFT_WELD_SEAMS, N, T, 1);
    assert_sheets(sheets[k][0], sheets[k][1], WEFT_WELD_SEAMS, 2 * N, 2 * T, 2);
  }
  assert_sheets(&flat, &flat, WEFT_WELD_ALL, N, T, 1);
  assert_sheets(&split, NULL, WEFT_WELD_NONE, N + SIDE, T, 2);
}

/* Panels that meet at an edge are sewn, one more in another direction as well: to a rim and inside
 * of a sheet. */
static void panels_that_meet_are_sewn(void **state) {
  (void)state;
#define RIM "v 0 0 0\nv 0 0 1\nv 0 0 2\nv 1 0 0\nv 1 0 1\nv 1 0 2\nf 1 2 5 4\nf 2 3 6 5\n"
#define OUT_OF(d) "v 0 0 0\nv 0 0 1\nv 0 0 2\nv " d " 0\nv " d " 1\nv " d " 2\n"
  const struct {
    const char *text;
    uint32_t vertices, pieces;
  } cases[] = {
      {RIM OUT_OF("-1 0") "f 7 8 11 10\nf 8 9 12 11\n", 9, 1},
      {RIM OUT_OF("-1 0") "f 8 7 10 11\nf 8 9 12 11\n", 9, 1}, /* one wound the other way */
      {RIM OUT_OF("0 1") "f 7 8 11 10\nf 8 9 12 11\n", 9, 1},
      {RIM OUT_OF("-1 0") OUT_OF("0 1") "f 7 8 11 10\nf 8 9 12 11\nf 13 14 17 16\nf 14 15 18 17\n",
       12, 1},
      {RIM "v -1 0 0\nv -1 0 1\nv -1 0 2\nf 1 2 8 7\nf 2 3 9 8\n" OUT_OF(
           "0 1") "f 10 11 14 13\nf 11 12 15 14\n",
       12, 1},
      /* Within the plane of the sheet, over one of its sides: a layer. */
      {RIM "v -1 0 0\nv -1 0 1\nv -1 0 2\nf 1 2 8 7\nf 2 3 9 8\n" OUT_OF(
           "0.5 0") "f 10 11 14 13\nf 11 12 15 14\n",
       15, 2},
      /* Two that are sewn by faces without area, as designers of patterns do, though they lie on
       * one another. */
      {RIM OUT_OF("1 0") "f 7 8 11 10\nf 8 9 12 11\nf 1 2 8 7\nf 2 3 9 8\n", 9, 1},
      /* Two that cross in an edge inside of both: they stay two. */
      {RIM "v -1 0 0\nv -1 0 1\nv -1 0 2\nf 1 2 8 7\nf 2 3 9 8\n" OUT_OF(
           "0 1") "v 0 -1 0\nv 0 -1 1\nv 0 -1 2\n"
                  "f 10 11 14 13\nf 11 12 15 14\nf 10 11 17 16\nf 11 12 18 17\n",
       18, 2},
      /* Two that touch in a vertex alone. */
      {RIM "v 0 0 2\nv 0 0 3\nv -1 0 3\nv -1 0 4\nv 0 0 4\nf 7 8 9\nf 8 11 10 9\n", 11, 2},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    weft_mesh mesh = imported(cases[k].text, NULL);
    weft_mesh_report report;
    weft_mesh_inspect(&mesh, &report);
    print_message("panels %zu\n", k);
    assert_int_equal(mesh.vertex_count, cases[k].vertices);
    assert_int_equal(report.components, cases[k].pieces);
    weft_mesh_free(&mesh);
  }
}

/* A face that is written twice, with vertices of its own, is dropped. Where no face of a place
 * hangs on anything, each is a layer, unless all is welded. */
static void a_single_face_on_another_is_no_layer(void **state) {
  (void)state;
  weft_mesh mesh = imported(SQUARES "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 10 9 8 7\n", NULL);
  const uint32_t vertices[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3}, numbers[] = {0, 1, 2, 3, 4, 5},
                 faces[] = {0, 0, 1, 1};
  assert_int_equal(mesh.vertex_count, 6);
  assert_map(&mesh, 10, vertices, numbers, 3, faces);
  assert_mended(&mesh, 4, 1, 0);
  weft_mesh_free(&mesh);
  const char *three =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 0 0\nv 1 1 0\n"
      "f 1 2 3\nf 4 5 6\nf 8 7 9\n";
  mesh = imported(three, NULL);
  assert_int_equal(mesh.vertex_count, 9);
  assert_int_equal(mesh.triangle_count, 3);
  assert_mended(&mesh, 0, 0, 0);
  weft_mesh_free(&mesh);
  mesh = imported(three, &(weft_import_desc){.weld = WEFT_WELD_ALL});
  assert_int_equal(mesh.vertex_count, 3);
  assert_int_equal(mesh.triangle_count, 1);
  assert_mended(&mesh, 6, 2, 0);
  weft_mesh_free(&mesh);
}

/* Strips three quads wide with a half turn, closed by naming their first vertices again. However
 * such a one is wound, a seam of flipped edges stays. */
typedef enum one_sided {
  AS_WIDE,       /* all around */
  ONE_TURNED,    /* a face is given from its other side */
  WITH_A_NARROW, /* one quad wide about the seam: any other seam is longer */
} one_sided;

static size_t write_one_sided(char *text, size_t size, one_sided kind) {
  enum { N = 12, ROWS = 4 };
  size_t at = 0;
  for (int k = 0; k < N; ++k) {
    double u = 6.283185307179586 * k / N;
    for (int row = 0; row < ROWS; ++row) {
      double side = 0.2 * (row - 1.5), r = 1 + side * cos(u / 2);
      at += (size_t)snprintf(text + at, size - at, "v %.6f %.6f %.6f\n", r * cos(u),
                             side * sin(u / 2), r * sin(u));
    }
  }
  for (int k = 0; k < N; ++k) {
    for (int row = 0; row + 1 < ROWS; ++row) {
      if (kind == WITH_A_NARROW && (k < 3 || k > N - 4) && row != 1) continue;
      bool last = k + 1 == N, over = kind == ONE_TURNED && k == 4 && row == 1;
      int a = ROWS * k + row + 1, c = last ? ROWS - row - 1 : a + ROWS + 1,
          d = last ? ROWS - row : a + ROWS;
      at += (size_t)snprintf(text + at, size - at, "f %d %d %d %d\n", over ? d : a,
                             over ? c : a + 1, over ? a + 1 : c, over ? a : d);
    }
  }
  return at;
}

static void a_one_sided_strip_is_not_made_worse(void **state) {
  (void)state;
  const uint32_t flipped[] = {[AS_WIDE] = 3, [ONE_TURNED] = 7, [WITH_A_NARROW] = 1};
  for (one_sided kind = AS_WIDE; kind <= WITH_A_NARROW; ++kind) {
    char text[8000];
    assert_true(write_one_sided(text, sizeof text, kind) < sizeof text);
    weft_mesh mesh = imported(text, &(weft_import_desc){.keep_defects = true});
    weft_mesh_report before, after;
    weft_mesh_inspect(&mesh, &before);
    assert_int_equal(weft_mesh_repair(&mesh, NULL, NULL), WEFT_OK);
    weft_mesh_inspect(&mesh, &after);
    print_message("flipped edges: %u, %u after\n", before.flipped_edges, after.flipped_edges);
    assert_int_equal(before.flipped_edges, flipped[kind]);
    assert_true(after.flipped_edges <= before.flipped_edges);
    if (kind == WITH_A_NARROW) assert_mended(&mesh, 0, 0, 0);
    weft_mesh_free(&mesh);
  }
}

/* A sheet of quads whose vertices are strewn over the file, some of them twice; ordered, the map
 * still leads back. */
static void an_ordered_mesh_leads_back(void **state) {
  (void)state;
  enum { N = 140, STEP = 7919 };
  const size_t most = 4000000;
  char *text = weft_alloc(most, 1);
  size_t at = 0;
  uint32_t *place = weft_alloc(N * N, sizeof *place), *who = weft_alloc(N * N, sizeof *who);
  for (uint32_t i = 0; i < N * N; ++i) {
    place[i] = i * STEP % (N * N);
    who[place[i]] = i;
  }
  for (uint32_t k = 0; k < N * N; ++k) {
    at += (size_t)snprintf(text + at, most - at, "v %u 0 %u\n", who[k] % N, who[k] / N);
  }
  for (uint32_t r = 0; r + 1 < N; ++r) {
    for (uint32_t c = 0; c + 1 < N; ++c) {
      uint32_t a = r * N + c;
      at += (size_t)snprintf(text + at, most - at, "f %u %u %u %u\n", place[a] + 1,
                             place[a + N] + 1, place[a + N + 1] + 1, place[a + 1] + 1);
    }
  }
  weft_mesh file = imported(text, &(weft_import_desc){.keep_defects = true}),
            mesh = imported(text, NULL);
  assert_true(weft_mesh_order(&mesh));
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    uint32_t s = weft_mesh_number(&mesh, v);
    assert_int_equal(mesh.map.vertices[s], v);
    assert_memory_equal(&mesh.positions[v], &file.positions[s], sizeof(weft_vec3));
  }
  /* The corners of a triangle are corners of its face: two triangles of the file. */
  for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
    const uint32_t *quad = file.triangles + 6 * (size_t)weft_mesh_face(&mesh, t);
    for (size_t c = 0; c < 3; ++c) {
      uint32_t s = weft_mesh_number(&mesh, mesh.triangles[3 * (size_t)t + c]), met = 0;
      for (int k = 0; k < 6; ++k) met += quad[k] == s;
      assert_true(met > 0);
    }
  }
  /* And it can still be mended. */
  assert_int_equal(weft_mesh_repair(&mesh, NULL, NULL), WEFT_OK);
  assert_int_equal(mesh.vertex_count, N * N);
  weft_mesh_free(&file);
  weft_mesh_free(&mesh);
  weft_free(place);
  weft_free(who);
  weft_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quads_across_a_seam),
      cmocka_unit_test(faces_that_are_dropped_and_turned),
      cmocka_unit_test(groups_that_are_not_taken),
      cmocka_unit_test(pins_have_the_numbers_of_the_file),
      cmocka_unit_test(joined_models),
      cmocka_unit_test(layers_that_coincide_stay_two),
      cmocka_unit_test(panels_that_meet_are_sewn),
      cmocka_unit_test(a_single_face_on_another_is_no_layer),
      cmocka_unit_test(a_one_sided_strip_is_not_made_worse),
      cmocka_unit_test(an_ordered_mesh_leads_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
