#define _POSIX_C_SOURCE 200809L
/* The vertices that are drawn of a file: one for each pair of particle and texture coordinate. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft_kit/source.h>

#include "base.h"
#include "cmocka_all.h"
#include "uvs.h"

typedef struct drawn {
  weft_source source;
  weft_mesh mesh;
  weft_source_vertices v;
} drawn;

static drawn read_drawn(const char *path, const weft_import_desc *desc) {
  drawn d;
  weft_error err = {0};
  if (weft_source_read(path, desc, &d.source, &err) != WEFT_OK ||
      weft_mesh_import(path, desc, &d.mesh, &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  weft_mesh_order(&d.mesh);
  if (weft_source_split(&d.source, &d.mesh, &d.v, &err) != WEFT_OK) fail_msg("%s", err.message);
  return d;
}

static void free_drawn(drawn *d) {
  weft_source_free(&d->source);
  weft_mesh_free(&d->mesh);
  weft_source_vertices_free(&d->v);
  assert_null(d->v.particles);
}

/* Each particle first, the triangles of the mesh, and no pair twice. */
static void assert_sound(const drawn *d, const char *name) {
  const weft_source_vertices *v = &d->v;
  uint32_t last = 0;
  assert_int_equal(v->triangle_count, d->mesh.triangle_count);
  for (uint32_t i = 0; i < d->mesh.vertex_count; ++i) assert_int_equal(v->particles[i], i);
  for (size_t c = 0; c < 3 * (size_t)v->triangle_count; ++c) {
    const uint32_t k = v->triangles[c];
    assert_in_range(k, 0, v->vertex_count - 1);
    if (v->particles[k] != d->mesh.triangles[c]) fail_msg("%s: corner %zu", name, c);
    last = k > last ? k : last;
  }
  if (v->vertex_count > d->mesh.vertex_count) assert_int_equal(last, v->vertex_count - 1);
  for (uint32_t k = 0; k < v->vertex_count; ++k) {
    for (uint32_t j = d->mesh.vertex_count; j < k; ++j) {
      const bool same =
          v->particles[j] == v->particles[k] && memcmp(v->uvs[j], v->uvs[k], sizeof v->uvs[k]) == 0;
      if (same) fail_msg("%s: vertices %u and %u are one", name, j, k);
    }
  }
}

/* ---- made by hand ---- */

static char path[] = "/tmp/weft-test-vertices-XXXXXX";

static int make_file(void **state) {
  (void)state;
  const int file = mkstemp(path);
  close(file);
  return file < 0;
}

static int remove_file(void **state) {
  (void)state;
  return unlink(path);
}

/* Two squares side by side; their shared edge is a seam at its lower end alone. The second square
 * has a corner without a coordinate, and names the equal coordinate of the upper end by another
 * number. */
static void a_seam_makes_a_particle_two_vertices(void **state) {
  (void)state;
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(
      "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\n"
      "vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.6 0\nvt 1 0\nvt 0.5 1\n"
      "f 1/1 2/2 5/3 4/4\nf 2/5 3/6 6 5/7\n",
      file);
  fclose(file);
  drawn d = read_drawn(path, NULL);
  assert_sound(&d, "squares");
  assert_int_equal(d.v.vertex_count, 7);
  const uint32_t seam = d.mesh.map.vertices[1], bare = d.mesh.map.vertices[5];
  assert_int_equal(d.v.particles[6], seam);
  assert_true(d.v.uvs[seam][0] == 0.5f && d.v.uvs[6][0] == 0.6f);
  assert_true(d.v.uvs[bare][0] == 0 && d.v.uvs[bare][1] == 0);
  for (size_t c = 0; c < 12; ++c) {
    const bool second = weft_mesh_face(&d.mesh, (uint32_t)(c / 3)) == 1;
    if (d.mesh.triangles[c] == seam) assert_int_equal(d.v.triangles[c], second ? 6 : seam);
  }
  weft_mesh other = {0};
  weft_source_vertices none;
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 2, .columns = 3}, &other, NULL),
                   WEFT_OK);
  assert_int_equal(weft_source_split(&d.source, &other, &none, NULL), WEFT_ERROR_ARGUMENT);
  assert_null(none.particles);
  weft_mesh_free(&other);
  free_drawn(&d);
}

static void a_grid_has_its_own_coordinates_and_no_seam(void **state) {
  (void)state;
  drawn d = {0};
  assert_int_equal(weft_mesh_grid(&(weft_grid_desc){.rows = 5, .columns = 4}, &d.mesh, NULL),
                   WEFT_OK);
  assert_int_equal(weft_source_from_mesh(&d.mesh, &d.source, NULL), WEFT_OK);
  assert_int_equal(weft_source_split(&d.source, &d.mesh, &d.v, NULL), WEFT_OK);
  assert_sound(&d, "grid");
  assert_int_equal(d.v.vertex_count, 20);
  for (uint32_t k = 0; k < 20; ++k) {
    assert_float_equal(d.v.uvs[k][0], (float)(k % 4) / 3, 1e-6f);
    assert_float_equal(d.v.uvs[k][1], 1 - (float)(k / 4) / 4, 1e-6f);
  }
  free_drawn(&d);
}

/* ---- made by others ---- */

/* How many pairs of position and coordinate their faces have, counted by a separate script: the
 * first two have no seam, the third a coordinate for each corner. The last has several names for
 * one place. */
static const struct {
  const char *name;
  float scale;
  uint32_t pairs; /* 0: welded, so fewer */
} files[] = {{"garments/diffcloth_skirt2011.obj", 1, 1074},
             {"garments/makehuman_fedora.obj", 0.1f, 696},
             {"garments/diffcloth_tshirt1900.obj", 1, 8177},
             {"garments/makehuman_female_elegantsuit01.obj", 0.1f, 2424},
             {"garments/makehuman_male_casualsuit04.obj", 0.1f, 1852},
             {"garments/makehuman_male_worksuit01.obj", 0.1f, 3962},
             {"bodies/makehuman_base.obj", 0.1f, 21833},
             {"garments/dedo_apron_2_dense.obj", 1, 0}};

/* Against coordinates that are found by where corners are. */
static void assert_coordinates(const drawn *d, const char *file, const weft_import_desc *desc) {
  float *uvs = NULL;
  weft_error err = {0};
  if (weft_obj_uvs(file, desc, d->mesh.positions, d->mesh.triangles, d->mesh.triangle_count, &uvs,
                   &err) != WEFT_OK) {
    fail_msg("%s", err.message);
  }
  uint32_t wrong = 0;
  for (size_t c = 0; c < 3 * (size_t)d->v.triangle_count; ++c) {
    const float *uv = d->v.uvs[d->v.triangles[c]];
    wrong += uv[0] != uvs[2 * c] || uv[1] != uvs[2 * c + 1];
  }
  if (wrong) fail_msg("%s: %u coordinates are others", file, wrong);
  weft_free(uvs);
}

static void garments_keep_the_coordinates_of_their_corners(void **state) {
  (void)state;
  struct stat info;
  if (stat(WEFT_MESH_DIR "/garments", &info) != 0) {
    print_message("no meshes in %s\n", WEFT_MESH_DIR);
    skip();
  }
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
    char file[1000];
    snprintf(file, sizeof file, "%s/%s", WEFT_MESH_DIR, files[k].name);
    const weft_import_desc desc = {.scale = files[k].scale};
    drawn d = read_drawn(file, &desc);
    assert_sound(&d, files[k].name);
    assert_coordinates(&d, file, &desc);
    if (files[k].pairs) assert_int_equal(d.v.vertex_count, files[k].pairs);
    free_drawn(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_seam_makes_a_particle_two_vertices),
      cmocka_unit_test(a_grid_has_its_own_coordinates_and_no_seam),
      cmocka_unit_test(garments_keep_the_coordinates_of_their_corners),
  };
  return cmocka_run_group_tests(tests, make_file, remove_file);
}
