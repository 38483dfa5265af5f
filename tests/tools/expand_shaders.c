/* Writes every program, includes pasted in, into a folder: "0007.comp" and a line "0007.comp
 * shaders/solver/pass.comp WEFT_PASS=predict" on stdout, for tools that know no includes. */
#include <stdio.h>
#include <stdlib.h>

#include "programs.h"

static const char *folder;
static unsigned written;

static void write_one(const char *path, const char *defines, const char *made, void *context) {
  (void)context;
  weft_error err = {0};
  char *source = NULL;
  if (weft_gl_shader_source(NULL, path, defines, made, &source, &err)) {
    fprintf(stderr, "expand_shaders: %s\n", err.message);
    exit(1);
  }
  char name[512];
  snprintf(name, sizeof name, "%s/%04u.%s", folder, written, shader_stage(path));
  FILE *f = fopen(name, "w");
  int failed = !f || fputs(source, f) < 0;
  if (f && fclose(f)) failed = 1;
  weft_free(source);
  if (failed) {
    fprintf(stderr, "expand_shaders: %s cannot be written\n", name);
    exit(1);
  }
  printf("%04u.%s shaders/%s %s\n", written++, shader_stage(path), path, defines);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: expand_shaders FOLDER\n");
    return 2;
  }
  folder = argv[1];
  visit_programs(write_one, NULL);
  return 0;
}
