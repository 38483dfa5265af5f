/* Writes every shader and permutation, includes pasted in, into a folder: "0007.comp" and a line
 * "0007.comp shaders/solver/predict.comp A=1" on stdout, for tools that know no includes. */
#include <stdio.h>

#include "base.h"
#include "gl.h"
#include "permutations.h"

static unsigned written;

static int write_one(const char *folder, const weft_embedded_file *file, const char *stage,
                     const char *defines) {
  weft_error err = {0};
  char *source = NULL;
  if (weft_gl_shader_source(NULL, file->path, defines, &source, &err)) {
    fprintf(stderr, "expand_shaders: %s\n", err.message);
    return 1;
  }
  char name[512];
  snprintf(name, sizeof name, "%s/%04u.%s", folder, written, stage);
  FILE *f = fopen(name, "w");
  int failed = !f || fputs(source, f) < 0;
  if (f && fclose(f)) failed = 1;
  weft_free(source);
  if (failed) {
    fprintf(stderr, "expand_shaders: %s cannot be written\n", name);
    return 1;
  }
  printf("%04u.%s shaders/%s %s\n", written++, stage, file->path, defines);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: expand_shaders FOLDER\n");
    return 2;
  }
  for (uint32_t i = 0; i < weft_embedded_shader_count; ++i) {
    const weft_embedded_file *file = &weft_embedded_shaders[i];
    const char *stage = shader_stage(file->path);
    char defines[256];
    for (unsigned p = 0; stage && shader_permutation(file->text, p, defines, sizeof defines); ++p) {
      if (write_one(argv[1], file, stage, defines)) return 1;
    }
  }
  return 0;
}
