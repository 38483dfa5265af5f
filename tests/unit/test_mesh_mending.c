/* Mending never makes a mesh worse: over every file of the folder of meshes made by others. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdlib.h>
#include <weft_kit/import.h>

#include "cmocka_all.h"
#include "mesh_internal.h"

static uint32_t looked_at;

/* As the file has it, but one vertex in one place: seams of texture are no edges of cloth. */
static bool read_as_it_is(const char *path, weft_mesh *mesh) {
  const weft_import_desc as_it_is = {.keep_defects = true};
  if (weft_mesh_import(path, &as_it_is, mesh, NULL) != WEFT_OK) return false;
  weft_mesh_weld(mesh, 0);
  return true;
}

static void expect_no_worse(const char *path, const char *how, const weft_mesh_report *before,
                            const weft_mesh *mesh) {
  weft_mesh_report after;
  weft_mesh_inspect(mesh, &after);
  if (after.flipped_edges > before->flipped_edges ||
      after.nonmanifold_edges > before->nonmanifold_edges || after.zero_area_triangles > 0 ||
      after.duplicate_triangles > 0 || after.unused_vertices > 0) {
    fail_msg(
        "%s, %s: flipped edges %u, then %u; of more than two triangles %u, then %u; left: %u "
        "without area, %u repeated, %u vertices unused",
        path, how, before->flipped_edges, after.flipped_edges, before->nonmanifold_edges,
        after.nonmanifold_edges, after.zero_area_triangles, after.duplicate_triangles,
        after.unused_vertices);
  }
}

static void look_at(const char *path) {
  weft_mesh raw = {0}, mended = {0};
  weft_mesh_report before;
  if (!read_as_it_is(path, &raw)) return;
  weft_mesh_inspect(&raw, &before);
  const weft_weld welds[] = {WEFT_WELD_SEAMS, WEFT_WELD_ALL};
  const char *const names[] = {"seams welded", "all welded"};
  for (int k = 0; k < 2; ++k) {
    const weft_import_desc desc = {.weld = welds[k]};
    if (weft_mesh_import(path, &desc, &mended, NULL) != WEFT_OK) continue;
    expect_no_worse(path, names[k], &before, &mended);
    weft_mesh_free(&mended);
    ++looked_at;
  }
  weft_mesh_free(&raw);
}

static int visit(const char *path, const struct stat *info, int kind, struct FTW *at) {
  enum { LARGE = 8 << 20 };
  (void)at;
  if (kind == FTW_F && info->st_size < LARGE) look_at(path);
  return 0;
}

static void every_file_of_others(void **state) {
  (void)state;
  const char *folder = getenv("WEFT_MESH_DIR");
  if (!folder || nftw(folder, visit, 16, FTW_PHYS) != 0) {
    print_message("no meshes by others in %s\n", folder ? folder : "WEFT_MESH_DIR");
    skip();
  }
  print_message("%u times a mesh was mended\n", looked_at);
  assert_true(looked_at > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_of_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
