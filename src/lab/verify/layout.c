/* layout.c: what C believes of structs and slots against what the driver reports of every
 * compiled solver program. A struct edited on one side only, or a block bound to the wrong slot, is
 * named here before it moves a particle. */
#include <stdio.h>
#include <string.h>

#include "gl.h"
#include "program_text.h"
#include "verify_internal.h"

/* ---- what C believes ---- */

/* Scalars of a uniform block, a letter each, as in buffers.def. */
typedef struct uniform_block {
  const char *block, *scalars;
  uint32_t binding, size;
} uniform_block;

static const uniform_block *find_block(const char *name) {
  static uniform_block blocks[] = {
      {"Uniforms", NULL, WEFT_UNIFORM_BINDING, sizeof(weft_uniforms)},
      {"Pass", "uuuuuuuuuuuuuuuuuuuuuuuu", WEFT_PASS_BINDING, sizeof(weft_pass)},
      {"Substep", "u", WEFT_SUBSTEP_BINDING, sizeof(vec4)},
  };
  blocks[0].scalars = weft_buffer_infos[WEFT_BUFFER_UNIFORMS].scalars;
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
    if (strcmp(blocks[k].block, name) == 0) return &blocks[k];
  }
  return NULL;
}

/* Which scalar lies at an offset; 0: none begins there. */
static char scalar_at(const char *scalars, uint32_t offset) {
  uint32_t at = 0;
  for (; *scalars && at < offset; ++scalars) at += 4 * weft_scalar_words(*scalars);
  return at == offset ? *scalars : 0;
}

static GLenum type_of(char scalar) {
  switch (scalar) {
    case 'f':
      return GL_FLOAT;
    case 'u':
      return GL_UNSIGNED_INT;
    case 'T':
      return GL_FLOAT_VEC3;
    case 'W':
      return GL_UNSIGNED_INT_VEC3;
    case 'V':
      return GL_FLOAT_VEC4;
    default:
      return GL_UNSIGNED_INT_VEC4;
  }
}

/* ---- what the driver reports ---- */

typedef struct layout_check {
  GLuint program;
  weft_pass_kind kind;
  uint32_t variant;
  char name[96];
  weft_layout_findings *findings;
} layout_check;

static void complain_plain(layout_check *c, const char *sentence_end) {
  weft_layout_findings *f = c->findings;
  void *items = f->items;
  weft_grow(&items, &f->capacity, f->count + 1, sizeof *f->items);
  f->items = items;
  snprintf(f->items[f->count].text, sizeof f->items->text, "%s: %s", c->name, sentence_end);
  f->count++;
}

static void complain(layout_check *c, const char *what, const char *item, uint64_t is,
                     uint64_t should) {
  char sentence[220];
  snprintf(sentence, sizeof sentence, "%s of %s is %llu, C has %llu", what, item,
           (unsigned long long)is, (unsigned long long)should);
  complain_plain(c, sentence);
}

static GLint property(const layout_check *c, GLenum interface, GLuint index, GLenum name) {
  GLint value = -1;
  glGetProgramResourceiv(c->program, interface, index, 1, &name, 1, NULL, &value);
  return value;
}

static GLuint resources(const layout_check *c, GLenum interface) {
  GLint count = 0;
  glGetProgramInterfaceiv(c->program, interface, GL_ACTIVE_RESOURCES, &count);
  return (GLuint)count;
}

static void resource_name(const layout_check *c, GLenum interface, GLuint index, char *name,
                          GLsizei size) {
  name[0] = 0;
  glGetProgramResourceName(c->program, interface, index, size, NULL, name);
}

static void check(layout_check *c, const char *what, const char *item, int64_t is, int64_t should) {
  c->findings->checked++;
  if (is != should) complain(c, what, item, (uint64_t)is, (uint64_t)should);
}

/* stride: bytes of an element; 0 in a uniform block. */
static void check_variable(layout_check *c, GLenum interface, GLuint index, const char *scalars,
                           uint32_t stride, const char *block) {
  char name[128];
  resource_name(c, interface, index, name, sizeof name);
  GLint offset = property(c, interface, index, GL_OFFSET);
  char scalar = scalar_at(scalars, (uint32_t)offset);
  c->findings->checked++;
  if (!scalar) {
    char sentence[192];
    snprintf(sentence, sizeof sentence, "%s of block %s lies at byte %d, where C has nothing", name,
             block, offset);
    complain_plain(c, sentence);
    return;
  }
  check(c, "type", name, property(c, interface, index, GL_TYPE), type_of(scalar));
  if (interface == GL_BUFFER_VARIABLE) {
    GLint is = property(c, interface, index, GL_TOP_LEVEL_ARRAY_STRIDE);
    /* A block of an array of plain values has its stride as the array's own. */
    if (is == 0) is = property(c, interface, index, GL_ARRAY_STRIDE);
    check(c, "array stride", name, is, stride);
  }
}

/* Every scalar of an element, each where C has it. */
static void check_variables(layout_check *c, GLenum interface, GLuint index, const char *scalars,
                            uint32_t stride, const char *block) {
  for (GLuint k = 0; k < resources(c, interface); ++k) {
    if (property(c, interface, k, GL_BLOCK_INDEX) == (GLint)index) {
      check_variable(c, interface, k, scalars, stride, block);
    }
  }
}

/* The index of a block's buffer among the pass's bindings, or -1. */
static int place_of(const layout_check *c, const char *block) {
  const weft_pass_info *info = &weft_pass_infos[c->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (!weft_binding_used(b, c->variant) || strncmp(block, "b_", 2) != 0) continue;
    if (strcmp(block + 2, weft_buffer_infos[b->buffer].name) == 0) return (int)k;
  }
  return -1;
}

static void check_storage_blocks(layout_check *c, const weft_gl_limits *limits) {
  const weft_gl_numbers numbers =
      weft_gl_numbers_of(c->kind, limits->max_storage_bindings, limits->max_texture_units);
  for (GLuint block = 0; block < resources(c, GL_SHADER_STORAGE_BLOCK); ++block) {
    char name[128];
    resource_name(c, GL_SHADER_STORAGE_BLOCK, block, name, sizeof name);
    int place = place_of(c, name);
    if (place < 0) {
      char sentence[192];
      snprintf(sentence, sizeof sentence, "the pass table binds nothing to block %s", name);
      complain_plain(c, sentence);
      continue;
    }
    const weft_buffer_info *buffer =
        &weft_buffer_infos[weft_pass_infos[c->kind].bindings[place].buffer];
    check(c, "binding", name, property(c, GL_SHADER_STORAGE_BLOCK, block, GL_BUFFER_BINDING),
          (GLint)numbers.slot[place]);
    check_variables(c, GL_BUFFER_VARIABLE, block, buffer->scalars, buffer->stride / buffer->each,
                    name);
  }
}

static void check_uniforms(layout_check *c) {
  for (GLuint k = 0; k < resources(c, GL_UNIFORM_BLOCK); ++k) {
    char name[128], sentence[192];
    resource_name(c, GL_UNIFORM_BLOCK, k, name, sizeof name);
    const uniform_block *wanted = find_block(name);
    if (!wanted) {
      snprintf(sentence, sizeof sentence, "C knows no uniform block %s", name);
      complain_plain(c, sentence);
      continue;
    }
    check(c, "binding", name, property(c, GL_UNIFORM_BLOCK, k, GL_BUFFER_BINDING), wanted->binding);
    /* Some drivers leave the padding behind the last member out. */
    GLint size = property(c, GL_UNIFORM_BLOCK, k, GL_BUFFER_DATA_SIZE);
    check(c, "size", name, (size + 15) / 16 * 16, wanted->size);
    check_variables(c, GL_UNIFORM, k, wanted->scalars, 0, name);
  }
}

static weft_result check_program(weft_gl *gl, layout_check *c, weft_error *err) {
  const weft_pass pass = {.kind = c->kind, .variant = c->variant};
  const weft_gl_pass_desc desc = {.kind = c->kind,
                                  .variant = c->variant,
                                  .group = 64,
                                  .types = WEFT_ALL_TYPES,
                                  .shapes = weft_gl_all_shapes(),
                                  .slots = gl->limits.max_storage_bindings,
                                  .units = gl->limits.max_texture_units};
  char defines[96], *made = weft_gl_pass_text(&desc);
  weft_pass_describe(&pass, c->name, sizeof c->name);
  weft_gl_pass_defines(&desc, defines, sizeof defines);
  weft_result result =
      weft_gl_compute_program(gl, "solver/pass.comp", defines, made, &c->program, err);
  weft_free(made);
  if (result != WEFT_OK) return result;
  check_storage_blocks(c, &gl->limits);
  check_uniforms(c);
  glDeleteProgram(c->program);
  return WEFT_OK;
}

weft_result weft_verify_layout(const weft_verify_request *request, weft_layout_findings *findings,
                               weft_error *err) {
  *findings = (weft_layout_findings){0};
  layout_check c = {.findings = findings};
  weft_result result = WEFT_OK;
  weft_gl_make_current(request->gl);
  for (int kind = 0; kind < WEFT_PASS_KIND_COUNT; ++kind) {
    for (uint32_t variant = 0; variant < WEFT_VARIANT_COUNT && result == WEFT_OK; ++variant) {
      if (variant & ~weft_pass_infos[kind].variants) continue;
      c.kind = (weft_pass_kind)kind;
      c.variant = variant;
      result = check_program(request->gl, &c, err);
      findings->programs++;
    }
  }
  return result;
}

void weft_layout_findings_free(weft_layout_findings *findings) {
  weft_free(findings->items);
  *findings = (weft_layout_findings){0};
}
