/* Shader text: embedded or from a folder, includes pasted in.
 *
 * An include is pasted the first time its file is named and never again, so that every file can
 * name what it needs. It is not a preprocessor: an include inside #if counts. Angle-bracket
 * includes are the C side's and vanish. */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

typedef struct text {
  char *bytes;
  size_t count, capacity;
} text;

static void append_bytes(text *t, const char *bytes, size_t count) {
  weft_grow((void **)&t->bytes, &t->capacity, t->count + count + 1, 1);
  memcpy(t->bytes + t->count, bytes, count);
  t->count += count;
  t->bytes[t->count] = '\0';
}

static void append(text *t, const char *s) { append_bytes(t, s, strlen(s)); }

static void append_line_directive(text *t, uint32_t line, uint32_t file) {
  char directive[64];
  snprintf(directive, sizeof directive, "#line %u %u\n", line, file);
  append(t, directive);
}

/* ---- files ---- */

static char *join(const char *folder, const char *path) {
  size_t size = strlen(folder) + strlen(path) + 2;
  char *joined = weft_alloc(size, 1);
  snprintf(joined, size, "%s/%s", folder, path);
  return joined;
}

static weft_result read_whole_file(const char *name, char **contents, weft_error *err) {
  FILE *f = fopen(name, "rb");
  if (!f) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot be opened: %s", name, strerror(errno));
  }
  text t = {0};
  char block[4096];
  size_t got;
  append(&t, "");
  while ((got = fread(block, 1, sizeof block, f)) > 0) append_bytes(&t, block, got);
  bool failed = ferror(f) != 0;
  fclose(f);
  if (failed) {
    weft_free(t.bytes);
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot be read: %s", name, strerror(errno));
  }
  *contents = t.bytes;
  return WEFT_OK;
}

static weft_result load_file(const char *shader_dir, const char *path, const char *name,
                             char **contents, weft_error *err) {
  if (shader_dir) return read_whole_file(name, contents, err);
  for (uint32_t i = 0; i < weft_embedded_shader_count; ++i) {
    if (!strcmp(weft_embedded_shaders[i].path, path)) {
      *contents = weft_strdup(weft_embedded_shaders[i].text);
      return WEFT_OK;
    }
  }
  return weft_fail(err, WEFT_ERROR_FILE, "%s: no such shader in this binary", name);
}

/* ---- includes ---- */

typedef struct expansion {
  weft_gl_source *source;
  const char *shader_dir;
  text out;
} expansion;

typedef enum line_kind { LINE_PLAIN, LINE_DROPPED, LINE_INCLUDE } line_kind;

static const char *skip_blanks(const char *p) {
  while (*p == ' ' || *p == '\t') ++p;
  return p;
}

/* The word after '#', when the line is a directive of that name. */
static const char *after_directive(const char *line, const char *name) {
  const char *p = skip_blanks(line);
  if (*p != '#') return NULL;
  p = skip_blanks(p + 1);
  size_t length = strlen(name);
  return strncmp(p, name, length) ? NULL : skip_blanks(p + length);
}

/* What to do with the line; for an include also its path. */
static line_kind classify(const char *line, size_t length, char *path, size_t size) {
  if (after_directive(line, "version")) return LINE_DROPPED; /* for editors; ours is in front */
  const char *p = after_directive(line, "include");
  if (!p) return LINE_PLAIN;
  if (*p != '"') return LINE_DROPPED;
  const char *end = memchr(p + 1, '"', (size_t)(line + length - p - 1));
  if (!end || (size_t)(end - p) > size) return LINE_PLAIN; /* the compiler will say so */
  snprintf(path, size, "%.*s", (int)(end - p - 1), p + 1);
  return LINE_INCLUDE;
}

static bool already_in(const weft_gl_source *source, const char *path) {
  for (uint32_t i = 0; i < source->file_count; ++i) {
    if (!strcmp(source->paths[i], path)) return true;
  }
  return false;
}

static weft_result expand_file(expansion *e, const char *path, weft_error *err);

static weft_result expand_text(expansion *e, const char *contents, uint32_t file, weft_error *err) {
  uint32_t number = 1;
  append_line_directive(&e->out, 1, file);
  for (const char *line = contents; *line; ++number) {
    size_t length = strcspn(line, "\n");
    char path[256];
    line_kind kind = classify(line, length, path, sizeof path);
    if (kind == LINE_PLAIN) append_bytes(&e->out, line, length);
    append(&e->out, "\n");
    if (kind == LINE_INCLUDE && !already_in(e->source, path)) {
      weft_error inner = {0};
      if (expand_file(e, path, &inner)) {
        return weft_fail(err, inner.code, "%.300s:%u: %.600s", e->source->names[file], number,
                         inner.message);
      }
      append_line_directive(&e->out, number + 1, file);
    }
    line += length + (line[length] == '\n');
  }
  return WEFT_OK;
}

static weft_result expand_file(expansion *e, const char *path, weft_error *err) {
  uint32_t file = e->source->file_count;
  if (file == WEFT_MAX_SHADER_FILES) {
    return weft_fail(err, WEFT_ERROR_LIMIT, "%s: more than %d files in one shader", path,
                     WEFT_MAX_SHADER_FILES);
  }
  char *name = join(e->shader_dir ? e->shader_dir : "shaders", path);
  char *contents = NULL;
  weft_result result = load_file(e->shader_dir, path, name, &contents, err);
  if (result) {
    weft_free(name);
    return result;
  }
  e->source->paths[file] = weft_strdup(path);
  e->source->names[file] = name;
  e->source->file_count++;
  result = expand_text(e, contents, file, err);
  weft_free(contents);
  return result;
}

/* "A=1 B" becomes "#define A 1", "#define B". */
static void append_defines(text *out, const char *defines) {
  for (const char *p = defines ? skip_blanks(defines) : ""; *p;) {
    size_t length = strcspn(p, " ");
    size_t name = strcspn(p, " =");
    append(out, "#define ");
    append_bytes(out, p, name);
    append(out, " ");
    if (name < length) append_bytes(out, p + name + 1, length - name - 1);
    append(out, "\n");
    p = skip_blanks(p + length);
  }
}

weft_result weft_gl_source_expand(const char *shader_dir, const char *path, const char *defines,
                                  weft_gl_source *source, weft_error *err) {
  *source = (weft_gl_source){0};
  expansion e = {source, shader_dir, {0}};
  append(&e.out, "#version 430 core\n");
  append_defines(&e.out, defines);
  weft_result result = expand_file(&e, path, err);
  source->text = e.out.bytes;
  if (result) weft_gl_source_free(source);
  return result;
}

void weft_gl_source_free(weft_gl_source *source) {
  for (uint32_t i = 0; i < source->file_count; ++i) {
    weft_free(source->paths[i]);
    weft_free(source->names[i]);
  }
  weft_free(source->text);
  *source = (weft_gl_source){0};
}

weft_result weft_gl_shader_source(const char *shader_dir, const char *path, const char *defines,
                                  char **text_out, weft_error *err) {
  weft_gl_source source;
  weft_result result = weft_gl_source_expand(shader_dir, path, defines, &source, err);
  if (result) return result;
  *text_out = source.text;
  source.text = NULL;
  weft_gl_source_free(&source);
  return WEFT_OK;
}

/* ---- messages ---- */

/* Drivers write "0:12(5): error: x" (Mesa), "0(12) : error C0000: x" (NVIDIA), "ERROR: 0:12: x"
 * (AMD, Intel, glslang): file number, line number, and then the rest. */
static const char *read_place(const char *p, unsigned long *file, unsigned long *line) {
  if (!strncmp(p, "ERROR: ", 7)) p += 7;
  char *end;
  *file = strtoul(p, &end, 10);
  if (end == p || (*end != ':' && *end != '(')) return NULL;
  p = end + 1;
  *line = strtoul(p, &end, 10);
  if (end == p) return NULL;
  if (*end == '(') end = strchr(end, ')') ? strchr(end, ')') : end; /* Mesa's column */
  while (*end && strchr("): ", *end)) ++end;
  return end;
}

static bool is_error(const char *line, size_t length) {
  for (size_t i = 0; i + 5 <= length; ++i) {
    if (!strncmp(line + i, "error", 5) || !strncmp(line + i, "ERROR", 5)) return true;
  }
  return false;
}

void weft_gl_source_explain(const weft_gl_source *source, const char *log, char *line,
                            size_t size) {
  const char *first = NULL;
  uint32_t more = 0;
  for (const char *p = log; *p;) {
    size_t length = strcspn(p, "\n");
    unsigned long file, number;
    if (is_error(p, length) && (!first || read_place(p, &file, &number))) {
      if (!first) {
        first = p;
      } else {
        ++more;
      }
    }
    p += length + (p[length] == '\n');
  }
  if (!first) first = *log ? log : "the driver gave no reason";
  char others[48] = "";
  if (more) snprintf(others, sizeof others, " (and %u more)", more);
  unsigned long file, number;
  const char *rest = read_place(first, &file, &number);
  if (rest && file < source->file_count) {
    snprintf(line, size, "%s:%lu: %.*s%s", source->names[file], number, (int)strcspn(rest, "\n"),
             rest, others);
  } else {
    const char *name = source->file_count ? source->names[0] : "shader";
    snprintf(line, size, "%s: %.*s%s", name, (int)strcspn(first, "\n"), first, others);
  }
}
