/* programs.h: every program there is: shader files with the permutations that their comment "//
 * permutations: A=1; A=1 B=2" names, and those of the solver that the host makes from the
 * registries. */
#ifndef WEFT_TESTS_PROGRAMS_H
#define WEFT_TESTS_PROGRAMS_H

#include <string.h>

#include "base.h"
#include "gl.h"
#include "program_text.h"

typedef void see_program(const char *path, const char *defines, const char *made, void *context);
typedef struct program_visit {
  see_program *see;
  void *context;
} program_visit;

/* "comp", "vert" or "frag"; NULL for files that are only included. */
static inline const char *shader_stage(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot) return NULL;
  if (!strcmp(dot, ".comp") || !strcmp(dot, ".vert") || !strcmp(dot, ".frag")) return dot + 1;
  return NULL;
}

/* The index-th set of defines (0 is the empty one); false past the last. */
static inline bool shader_permutation(const char *text, unsigned index, char *defines,
                                      size_t size) {
  defines[0] = '\0';
  if (index == 0) return true;
  const char *mark = "// permutations:";
  for (const char *p = strstr(text, mark); p; p = strstr(p, mark)) {
    p += strlen(mark);
    while (*p && *p != '\n') {
      p += strspn(p, " ;");
      size_t length = strcspn(p, ";\n");
      if (length && --index == 0) {
        snprintf(defines, size, "%.*s", (int)length, p);
        return true;
      }
      p += length;
    }
  }
  return false;
}

/* A skeleton is nothing without what the host makes. */
static inline bool is_skeleton(const char *path) {
  return !strcmp(path, "solver/pass.comp") || !strcmp(path, "solver/single.comp");
}

static inline void visit_files(program_visit v) {
  weft_string shapes = {0};
  weft_gl_text_shapes(&shapes, weft_gl_all_shapes());
  for (uint32_t i = 0; i < weft_embedded_shader_count; ++i) {
    const weft_embedded_file *file = &weft_embedded_shaders[i];
    char defines[256];
    if (!shader_stage(file->path) || is_skeleton(file->path)) continue;
    for (unsigned p = 0; shader_permutation(file->text, p, defines, sizeof defines); ++p) {
      v.see(file->path, defines, shapes.bytes, v.context);
    }
  }
  weft_string_free(&shapes);
}

static inline void visit_pass(program_visit v, weft_gl_pass_desc desc) {
  char defines[96], *made = weft_gl_pass_text(&desc);
  weft_gl_pass_defines(&desc, defines, sizeof defines);
  v.see("solver/pass.comp", defines, made, v.context);
  weft_free(made);
}

/* With all types and shapes, and with each alone. */
static inline void visit_pass_kinds(program_visit v, weft_gl_pass_desc desc) {
  visit_pass(v, desc);
  for (uint32_t bit = 0; bit < 32; ++bit) {
    weft_gl_pass_desc one = desc;
    one.types = desc.types & 1u << bit;
    one.shapes = desc.shapes & 1u << bit;
    if (desc.kind == WEFT_PASS_PATCH && one.types) visit_pass(v, one);
    if (desc.kind == WEFT_PASS_COLLIDE && one.shapes) visit_pass(v, one);
  }
}

static inline void visit_passes(program_visit v) {
  for (uint32_t kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT; ++variant) {
      if (variant & ~weft_pass_infos[kind].variants) continue;
      weft_gl_pass_desc desc = {.kind = (weft_pass_kind)kind,
                                .variant = variant,
                                .group = 64,
                                .types = WEFT_ALL_TYPES,
                                .shapes = weft_gl_all_shapes()};
      visit_pass_kinds(v, desc);
      desc.textured = true;
      visit_pass_kinds(v, desc);
    }
  }
}

static inline void visit_single(program_visit v, const weft_gl_kinds *used, const char *defines) {
  uint64_t counts[WEFT_BUFFER_COUNT];
  for (int id = 0; id < WEFT_BUFFER_COUNT; ++id) counts[id] = 7;
  static const uint32_t ways[] = {0, 1 | 2, 4, 2 | 8, 1 | 4}; /* never packed and texels */
  for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
    uint32_t way = ways[k];
    weft_gl_single_desc desc = {.used = used,
                                .counts = counts,
                                .group = 64,
                                .shapes = weft_gl_all_shapes(),
                                .shared_elements = way & 1 ? 2048 : 0,
                                .uniform_steps = way & 2,
                                .packed = way & 4,
                                .textured = way & 8};
    weft_gl_places places;
    char *made = weft_gl_single_text(&desc, &places);
    v.see("solver/single.comp", defines, made, v.context);
    weft_free(made);
  }
}

/* All passes that one dispatch can run, and each with the prediction, which every list has. */
static inline void visit_singles(program_visit v) {
  weft_gl_kinds *all = weft_alloc(1, sizeof *all), *one = weft_alloc(1, sizeof *one);
  for (uint32_t kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    const weft_pass_info *info = &weft_pass_infos[kind];
    if (info->single != WEFT_SINGLE_ITSELF) continue;
    uint32_t lambda = info->variants & WEFT_VARIANT_LAMBDA;
    weft_gl_use(all, (weft_pass_kind)kind, 0);
    weft_gl_use(all, (weft_pass_kind)kind, lambda);
    *one = (weft_gl_kinds){0};
    weft_gl_use(one, WEFT_PASS_PREDICT, 0);
    weft_gl_use(one, (weft_pass_kind)kind, lambda);
    char defines[64];
    snprintf(defines, sizeof defines, "WEFT_SINGLE=1 WEFT_OF=%s", info->name);
    visit_single(v, one, defines);
  }
  visit_single(v, all, "WEFT_SINGLE=1 WEFT_OF=all");
  weft_free(all);
  weft_free(one);
}

static inline void visit_programs(see_program *see, void *context) {
  program_visit v = {see, context};
  visit_files(v);
  visit_passes(v);
  visit_singles(v);
}

#endif
