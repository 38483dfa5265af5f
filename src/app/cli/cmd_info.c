/* weft info: what a bug report needs. */
#include <stdlib.h>
#include <string.h>
#include <weft/version.h>

#if __has_include(<png.h>)
#include <png.h>

#include "build_info.h"
#include "cli.h"
#include "json.h"
#include "machine.h"
#include "reader.h"

#endif

static void print_build(void) {
  printf("weft %s\n", WEFT_VERSION);
  printf("  commit: %s\n", weft_build.commit);
  printf("  compiler: %s\n", weft_build.compiler);
  printf("  flags: %s\n", weft_build.flags);
  printf("  build type: %s\n", weft_build.type);
  printf("  processor: %s\n", weft_processor_name());
}

static void print_libraries(void) {
  printf("\nLibraries\n");
  printf("  importer: %s\n", weft_reader_importer());
  printf("  jansson: %s\n", JANSSON_VERSION);
#ifdef PNG_LIBPNG_VER_STRING
  printf("  libpng: %s\n", PNG_LIBPNG_VER_STRING);
#endif
}

/* The driver's lines; the build's own have been printed already. */
static void print_lines(const char *lines) {
  while (*lines) {
    int length = (int)strcspn(lines, "\n");
    bool said = strncmp(lines, "weft:", 5) == 0 || strncmp(lines, "compiler:", 9) == 0;
    if (!said) printf("  %.*s\n", length, lines);
    lines += length;
    if (*lines) ++lines;
  }
}

static int print_gl(const weft_cli_options *options) {
  weft_error err = {0};
  weft_gl *gl = NULL;
  char *devices = weft_gl_list_devices();
  printf("\nEGL devices%s\n", devices && *devices
                                  ? " (--device, WEFT_EGL_DEVICE: a number or a part of the name)"
                                  : ": none");
  print_lines(devices ? devices : "");
  weft_free(devices);
  printf("\nOpenGL\n");
  if (weft_cli_make_gl(options, &gl, &err) != WEFT_OK) {
    printf("  not usable: %s\n", err.message);
    return WEFT_EXIT_OK;
  }
  char *text = weft_gl_describe(gl);
  print_lines(text ? text : "");
  weft_free(text);
  weft_gl_probe probe;
  weft_result result = weft_gl_run_probe(gl, &probe, &err);
  if (result == WEFT_OK) {
    printf("  probe: %s\n", probe.verdict);
  } else {
    printf("  probe: did not run: %s\n", err.message);
  }
  weft_gl_destroy(gl);
  return result == WEFT_OK ? WEFT_EXIT_OK : WEFT_EXIT_DRIVER;
}

static void print_backends(void) {
  printf("\nBackends\n");
  printf("  gl    compute shaders\n");
  printf("  cpu   the same passes on all processors, in vectors, bit for bit\n");
  printf("  ref   the same passes in C, one after the other, bit for bit\n");
  printf("  f64   the passes of ref in double precision\n");
}

static void print_scenes(void) {
  printf("\nScenes\n");
  for (uint32_t k = 0; weft_scene_at(k); ++k) {
    const weft_scene *s = weft_scene_at(k);
    printf("  %-13s %s (default size %u)\n", s->name, s->summary, s->default_size);
  }
}

static void print_fabrics(void) {
  printf("\nFabrics       kg/m^2  warp N/m  weft N/m  shear N/m  bending uN m\n");
  for (uint32_t k = 0; weft_material_at(k); ++k) {
    const weft_material *m = weft_material_at(k);
    printf("  %-12s %6.3f  %8.0f  %8.0f  %9.0f  %12.1f\n", m->name, (double)m->area_density,
           (double)m->stretch_warp, (double)m->stretch_weft, (double)m->shear,
           1e6 * (double)m->bending);
  }
}

int weft_cmd_info(int argc, char **argv) {
  weft_cli_options options;
  const weft_cli_spec spec = {
      .command = "info",
      .arguments = "[options]",
      .summary =
          "Prints version, build, OpenGL driver with its limits and the verdict of the "
          "exactness\nprobe, library versions, backends, scenes and fabrics. Paste it into bug "
          "reports.",
      .tables = WEFT_CLI_GL,
  };
  int status;
  if (!weft_cli_parse(&spec, argc, argv, &options, &status)) return status;
  print_build();
  print_libraries();
  status = print_gl(&options);
  print_backends();
  print_scenes();
  print_fabrics();
  weft_cli_options_free(&options);
  return status;
}
