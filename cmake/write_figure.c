/* Writes the mesh of the figure as C. It is the same for every machine, since making it takes
 * + - * / and roots of doubles alone; numbers are written with all their bits. */
#include <stdio.h>
#include <stdlib.h>

#include "figure_internal.h"

static void write_mesh(FILE *f, const weft_mesh *mesh) {
  fprintf(f, "/* Written by cmake/write_figure.c. */\n#include \"figure_internal.h\"\n");
  fprintf(f, "static const weft_vec3 positions[] = {\n");
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 p = mesh->positions[v];
    fprintf(f, "{%af, %af, %af},\n", (double)p.x, (double)p.y, (double)p.z);
  }
  fprintf(f, "};\nstatic const uint16_t corners[] = {\n");
  for (size_t k = 0; k < 3 * (size_t)mesh->triangle_count; ++k) {
    fprintf(f, "%u,%s", mesh->triangles[k], k % 12 == 11 ? "\n" : "");
  }
  fprintf(f, "};\nconst weft_figure_mesh_data weft_figure_made = {%u, %u, positions, corners};\n",
          mesh->vertex_count, mesh->triangle_count);
}

static int fail(const char *why) {
  fprintf(stderr, "the mesh of the figure: %s\n", why);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  weft_mesh mesh = {0};
  weft_error err = {0};
  if (argc != 2) return fail("one argument is wanted, the file to write");
  if (weft_figure_shape(&mesh, &err) != WEFT_OK) return fail(err.message);
  if (mesh.vertex_count > UINT16_MAX) return fail("its vertices cannot be counted in 16 bits");
  FILE *f = fopen(argv[1], "w");
  if (!f) return fail("its file cannot be written");
  write_mesh(f, &mesh);
  bool written = !ferror(f);
  written = fclose(f) == 0 && written;
  weft_mesh_free(&mesh);
  return written ? EXIT_SUCCESS : fail("its file cannot be written");
}
