/* A program that uses the library: runs out of memory and goes on, hangs a sheet, lets it fall for
 * ten frames on the reference, with a GPU library expects the same bits from there, and reads what
 * another solver would need. With the kit it reads the file it is given. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <weft/weft.h>
#ifdef WITH_GL
#include <weft_gl/gl.h>
#endif
#ifdef WITH_KIT
#include <weft_kit/weft_kit.h>
#endif
#ifdef __has_feature /* clang says it so */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

static void must(weft_result result, const weft_error *err) {
  if (result == WEFT_OK) return;
  fprintf(stderr, "consumer: %s\n", err->message);
  exit(1);
}

static uint64_t fall(const weft_model *model, const weft_backend *backend) {
  weft_error err = {0};
  weft_solver *solver = NULL;
  uint64_t hash = 0;
  must(weft_solver_create(model, &(weft_params){.substeps = 4}, backend, &solver, &err), &err);
  for (int frame = 0; frame < 10; ++frame) must(weft_solver_step(solver, &err), &err);
  must(weft_solver_hash(solver, &hash, &err), &err);
  printf("%s: frame %" PRIu64 ", hash %016" PRIx64 "\n", weft_backend_name(backend),
         weft_solver_frame(solver), hash);
  weft_solver_destroy(solver);
  return hash;
}

/* What another solver would start from: every constraint once, in order, and the next frame. */
static int read_structure(const weft_model *model) {
  weft_error err = {0};
  weft_solver *solver = NULL;
  weft_structure s;
  weft_frame_input frame;
  must(weft_solver_create(model, &(weft_params){.plain = true, .substeps = 4}, weft_backend_ref(),
                          &solver, &err),
       &err);
  must(weft_solver_structure(solver, &s, &err), &err);
  weft_solver_frame_input(solver, &frame);
  uint32_t constraints = 0;
  for (uint32_t g = 0; g < s.group_count; ++g) constraints += s.groups[g].count;
  printf("%u constraints in %u batches, %u substeps\n", constraints, s.batch_count,
         frame.substep_count);
  int wrong = s.order_count != constraints || frame.substep_count != 4;
  weft_frame_input_free(&frame);
  weft_structure_free(&s);
  weft_solver_destroy(solver);
  return wrong;
}

#ifdef WITH_GL
static int compare_with_gl(const weft_model *model, uint64_t expected) {
  weft_error err = {0};
  weft_gl *gl = NULL;
  if (weft_gl_create_headless(NULL, &gl, &err)) {
    printf("no GPU here: %s\n", err.message);
    return 0;
  }
  const weft_backend *backend = NULL;
  must(weft_backend_gl(gl, &backend, &err), &err);
  int differs = fall(model, backend) != expected;
  weft_gl_destroy(gl);
  return differs;
}
#else
static int compare_with_gl(const weft_model *model, uint64_t expected) {
  (void)model, (void)expected;
  return 0;
}
#endif

/* ---- a limit on memory that the program survives ---- */

/* 200 MB of positions are not to be had within 64 MB. */
static int run_out_of_memory(void) {
#ifdef __SANITIZE_ADDRESS__ /* reserves more than any limit */
  return 0;
#else
  struct rlimit before = {0, 0}, tight = {64 << 20, 0};
  weft_mesh mesh = {0};
  weft_error err = {0};
  getrlimit(RLIMIT_AS, &before);
  tight.rlim_max = before.rlim_max;
  if (setrlimit(RLIMIT_AS, &tight) != 0) return 0;
  const weft_grid_desc large = {.rows = 4096, .columns = 4096};
  const weft_result result = weft_mesh_grid(&large, &mesh, &err);
  setrlimit(RLIMIT_AS, &before);
  printf("it goes on after: %s\n", err.message);
  return result != WEFT_ERROR_MEMORY || mesh.positions;
#endif
}

/* A format that the program weft reads: with it, and a sentence where it is not to be found. */
static int import(const char *path) {
#ifdef WITH_KIT
  weft_mesh mesh;
  weft_error err = {0};
  weft_mesh_set_reader("/nowhere/weft");
  if (weft_mesh_import(path, NULL, &mesh, &err) != WEFT_ERROR_FILE) return 1;
  printf("%s\n", err.message);
  if (!strstr(err.message, "/nowhere/weft")) return 1;
  weft_mesh_set_reader(NULL);
  must(weft_mesh_import(path, NULL, &mesh, &err), &err);
  printf("%u triangles\n", mesh.triangle_count);
  const int wrong = mesh.triangle_count != 2;
  weft_mesh_free(&mesh);
  return wrong;
#else
  (void)path;
  return 0;
#endif
}

int main(int argc, char **argv) {
  if (run_out_of_memory()) return 1;
  if (argc > 1 && import(argv[1])) return 1;
  weft_error err = {0};
  weft_mesh mesh = {0};
  weft_model *model = NULL;
  must(weft_mesh_grid(&(weft_grid_desc){.rows = 16, .columns = 16}, &mesh, &err), &err);
  const weft_pin corners = {.rule = WEFT_PIN_CORNERS};
  must(weft_model_create(&(weft_model_desc){.mesh = &mesh, .pins = &corners, .pin_count = 1},
                         &model, &err),
       &err);
  weft_mesh_free(&mesh);
  printf("weft %s, %u particles\n", WEFT_VERSION, weft_model_particle_count(model));
  int differs = compare_with_gl(model, fall(model, weft_backend_ref()));
  int wrong = read_structure(model);
  weft_model_destroy(model);
  return differs || wrong;
}
