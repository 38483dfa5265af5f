#define _POSIX_C_SOURCE 200809L
/* Meshes made by others: real garments against figures counted by another program, and a folder
 * of odd and broken files that must load or be refused in a sentence. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/mesh.h>
#include <weft_kit/export.h>
#include <weft_kit/import.h>

#include "base.h"
#include "cmocka_all.h"

/* Counts of the files as stored (SOURCES.md beside them), made by a separate script. */
typedef struct known_file {
  const char *name, *group;
  uint32_t vertices, triangles, components, boundary, nonmanifold, flipped, zero_area, duplicates;
  double smallest_angle; /* degrees, three digits; 0 where not stated */
} known_file;

static const known_file known_files[] = {
    {"garments/diffcloth_tshirt1900.obj", NULL, 1921, 3726, 1, 120, 0, 0, 0, 0, 13.8},
    {"garments/diffcloth_skirt2011.obj", NULL, 1074, 2011, 1, 137, 0, 0, 0, 0, 8.69},
    {"garments/makehuman_female_elegantsuit01.obj", NULL, 2205, 4192, 2, 220, 0, 20, 0, 0, 5.85},
    {"garments/makehuman_male_casualsuit04.obj", NULL, 1696, 3240, 2, 158, 0, 0, 0, 0, 5.42},
    {"garments/makehuman_male_worksuit01.obj", NULL, 3763, 6986, 6, 554, 0, 0, 0, 0, 2},
    {"garments/makehuman_fedora.obj", NULL, 634, 1244, 1, 22, 0, 0, 0, 0, 0.767},
    {"garments/dedo_apron_2_dense.obj", NULL, 1025, 1744, 1, 320, 12, 0, 128, 96, 3.53},
    {"cloth/cipc_tableCloth.obj", NULL, 14161, 27848, 1, 472, 0, 0, 0, 0, 21.9},
    {"cloth/cipc_square2K.obj", NULL, 1939, 3716, 1, 160, 0, 0, 0, 0, 19.3},
    {"cloth/cipc_skirt4K.obj", NULL, 4004, 7496, 1, 512, 0, 0, 0, 0, 1.41},
    {"bodies/makehuman_base.obj", NULL, 19158, 36972, 154, 784, 0, 0, 0, 0, 2.88},
    {"bodies/makehuman_base.obj", "body", 13380, 26756, 1, 0, 0, 0, 0, 0, 0},
    {"bodies/makehuman_base.obj", "helper-skirt", 720, 1368, 1, 72, 0, 0, 0, 0, 0},
    {"bodies/makehuman_base.obj", "helper-tights", 2674, 5300, 1, 50, 0, 0, 0, 0, 0},
    {"bodies/cipc_table.obj", NULL, 6712, 13420, 1, 0, 0, 0, 0, 0, 2.24},
    {"bodies/cipc_sphere1K.obj", NULL, 1239, 2474, 1, 0, 0, 0, 0, 0, 16.1},
    {"bodies/mujoco_spot.obj", NULL, 2930, 5856, 1, 0, 0, 0, 0, 0, 10.2},
};

static void skip_without_meshes(void) {
  struct stat info;
  if (stat(WEFT_MESH_DIR "/garments", &info) == 0) return;
  print_message("no meshes in %s\n", WEFT_MESH_DIR);
  skip();
}

/* Layers that lie on each other have vertices in one place, unless all of these were welded. */
static void assert_usable(const weft_mesh *mesh, bool layers, const char *name) {
  weft_mesh_report r;
  weft_mesh_inspect(mesh, &r);
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    if (mesh->triangles[c] >= mesh->vertex_count) fail_msg("%s: index out of range", name);
  }
  if (r.zero_area_triangles + r.duplicate_triangles + r.unused_vertices +
      (layers ? 0 : r.duplicate_positions)) {
    fail_msg("%s: defects left after import", name);
  }
}

static void assert_known(const known_file *k) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", WEFT_MESH_DIR, k->name);
  weft_import_desc d = {.groups = k->group, .keep_defects = true};
  weft_mesh mesh;
  weft_error err = {0};
  if (weft_mesh_import(path, &d, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  weft_mesh_report r;
  weft_mesh_inspect(&mesh, &r);
  weft_mesh_free(&mesh);
  bool angle = k->smallest_angle == 0 ||
               fabs((double)r.smallest_angle - k->smallest_angle) < 0.006 * k->smallest_angle;
  bool equal = r.vertex_count == k->vertices && r.triangle_count == k->triangles &&
               r.components == k->components && r.boundary_edges == k->boundary &&
               r.nonmanifold_edges == k->nonmanifold && r.flipped_edges == k->flipped &&
               r.zero_area_triangles == k->zero_area && r.duplicate_positions == k->duplicates;
  if (!equal || !angle) fail_msg("%s %s: counts differ", k->name, k->group ? k->group : "");
  d.keep_defects = false;
  if (weft_mesh_import(path, &d, &mesh, &err) != WEFT_OK) fail_msg("%s", err.message);
  assert_usable(&mesh, false, k->name);
  weft_mesh_inspect(&mesh, &r);
  assert_int_equal(mesh.vertex_count, k->vertices - k->duplicates);
  assert_int_equal(mesh.triangle_count, k->triangles - k->zero_area);
  assert_int_equal(r.flipped_edges, 0);
  weft_mesh_free(&mesh);
}

static void real_meshes_count_as_another_program_did(void **state) {
  (void)state;
  skip_without_meshes();
  for (size_t i = 0; i < sizeof known_files / sizeof *known_files; ++i)
    assert_known(known_files + i);
}

static void groups_of_the_body_are_listed(void **state) {
  (void)state;
  skip_without_meshes();
  weft_mesh_group *groups;
  uint32_t count, faces = 0, skirt = 0;
  const char *path = WEFT_MESH_DIR "/bodies/makehuman_base.obj";
  assert_int_equal(weft_mesh_groups(path, &groups, &count, NULL), WEFT_OK);
  for (uint32_t i = 0; i < count; ++i) {
    faces += groups[i].face_count;
    if (strcmp(groups[i].name, "helper-skirt") == 0) skirt = groups[i].face_count;
  }
  assert_int_equal(faces, 18486);
  assert_int_equal(skirt, 1368 / 2); /* quads */
  weft_mesh_groups_free(groups, count);
}

static uint32_t loaded_count, refused_count;

static void try_file(const char *path, const char *name) {
  for (int how = 0; how < 3; ++how) {
    const bool keep = how == 1;
    weft_mesh mesh;
    weft_error err = {0};
    weft_import_desc d = {.keep_defects = keep, .weld = how == 2 ? WEFT_WELD_ALL : WEFT_WELD_SEAMS};
    double begin = weft_clock_seconds();
    weft_result result = weft_mesh_import(path, &d, &mesh, &err);
    if (weft_clock_seconds() - begin > 30) fail_msg("%s: took too long", path);
    if (result == WEFT_OK) {
      ++loaded_count;
      if (!keep) assert_usable(&mesh, d.weld == WEFT_WELD_SEAMS, path);
      weft_mesh_report report;
      weft_mesh_inspect(&mesh, &report); /* asserts that indices are in range */
      weft_mesh_free(&mesh);
    } else {
      ++refused_count;
      const char *at = strstr(err.message, name);
      if (!at || at[strlen(name)] != ':' || strlen(at + strlen(name)) < 8) {
        fail_msg("no sentence about %s: %s", name, err.message);
      }
    }
    weft_mesh_group *groups;
    uint32_t count;
    if (weft_mesh_groups(path, &groups, &count, &err) == WEFT_OK) {
      weft_mesh_groups_free(groups, count);
    }
  }
}

static void try_folder(const char *folder) {
  DIR *dir = opendir(folder);
  if (!dir) return;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    char path[2000];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stat(path, &info) != 0) continue;
    if (S_ISDIR(info.st_mode)) {
      try_folder(path);
    } else {
      try_file(path, entry->d_name);
    }
  }
  closedir(dir);
}

static void hostile_files_load_or_are_refused_in_a_sentence(void **state) {
  (void)state;
  skip_without_meshes();
  try_folder(WEFT_MESH_DIR "/hostile");
  print_message("%u loads, %u refusals\n", loaded_count, refused_count);
  assert_true(loaded_count > 0 && refused_count > 0);
}

/* 20 MB of text; the figure is printed, the bound only catches quadratic behaviour. */
static void a_large_file_loads_quickly(void **state) {
  (void)state;
  weft_mesh mesh, again;
  char path[] = "/tmp/weft-test-large-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  weft_grid_desc d = {.rows = 520, .columns = 520, .pattern = WEFT_GRID_EQUILATERAL};
  assert_int_equal(weft_mesh_grid(&d, &mesh, NULL), WEFT_OK);
  double begin = weft_clock_seconds();
  assert_int_equal(weft_mesh_export_obj(path, &mesh, NULL, NULL), WEFT_OK);
  double written = weft_clock_seconds();
  weft_error err = {0};
  if (weft_mesh_import(path, NULL, &again, &err) != WEFT_OK) fail_msg("%s", err.message);
  double read = weft_clock_seconds();
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  unlink(path);
  print_message("%.1f MB: written in %.2f s, read in %.2f s\n", (double)info.st_size * 1e-6,
                written - begin, read - written);
  assert_true(read - begin < 30);
  assert_int_equal(again.vertex_count, mesh.vertex_count);
  assert_memory_equal(again.positions, mesh.positions, 12 * (size_t)mesh.vertex_count);
  assert_memory_equal(again.triangles, mesh.triangles, 12 * (size_t)mesh.triangle_count);
  weft_mesh_free(&mesh);
  weft_mesh_free(&again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_meshes_count_as_another_program_did),
      cmocka_unit_test(groups_of_the_body_are_listed),
      cmocka_unit_test(hostile_files_load_or_are_refused_in_a_sentence),
      cmocka_unit_test(a_large_file_loads_quickly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
