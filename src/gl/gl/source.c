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

typedef struct expansion {
  weft_gl_source *source;
  const char *shader_dir;
  const char *made; /* what the include "made.glsl" stands for; NULL: nothing */
  weft_string out;
} expansion;

/* ---- files ---- */

static char *join(const char *folder, const char *path) {
  size_t size = strlen(folder) + strlen(path) + 2;
  char *joined = weft_alloc(size, 1);
  snprintf(joined, size, "%s/%s", folder, path);
  return joined;
}

static void close_file(void *file) {
  if (*(FILE **)file) fclose(*(FILE **)file);
}

static weft_result read_whole_file(const char *name, char **contents, weft_error *err) {
  FILE *f = NULL;
  weft_deferred *deferred = weft_defer(close_file, &f);
  f = fopen(name, "rb");
  if (!f) {
    weft_defer_end(deferred);
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot be opened: %s", name, strerror(errno));
  }
  weft_string t = {0};
  char block[4096];
  size_t got;
  weft_string_add_bytes(&t, "", 0);
  while ((got = fread(block, 1, sizeof block, f)) > 0) weft_string_add_bytes(&t, block, got);
  weft_defer_end(deferred);
  bool failed = ferror(f) != 0;
  fclose(f);
  if (failed) {
    weft_free(t.bytes);
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot be read: %s", name, strerror(errno));
  }
  *contents = t.bytes;
  return WEFT_OK;
}

static weft_result load_file(const expansion *e, const char *path, const char *name,
                             char **contents, weft_error *err) {
  if (e->made && !strcmp(path, "made.glsl")) {
    *contents = weft_strdup(e->made);
    return WEFT_OK;
  }
  if (e->shader_dir) return read_whole_file(name, contents, err);
  for (uint32_t i = 0; i < weft_embedded_shader_count; ++i) {
    if (!strcmp(weft_embedded_shaders[i].path, path)) {
      *contents = weft_strdup(weft_embedded_shaders[i].text);
      return WEFT_OK;
    }
  }
  return weft_fail(err, WEFT_ERROR_FILE, "%s: no such shader in this binary", name);
}

/* ---- includes ---- */

/* One whole line, and where it stands. */
static void append_line(expansion *e, const char *line, size_t length, weft_gl_line from) {
  weft_gl_source *source = e->source;
  weft_string_add_bytes(&e->out, line, length);
  weft_string_add_bytes(&e->out, "\n", 1);
  weft_grow((void **)&source->lines, &source->line_capacity, source->line_count + 1,
            sizeof source->lines[0]);
  source->lines[source->line_count++] = from;
}

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
  weft_gl_line from = {file, 1};
  for (const char *line = contents; *line; ++from.number) {
    size_t length = strcspn(line, "\n");
    char path[256];
    line_kind kind = classify(line, length, path, sizeof path);
    append_line(e, line, kind == LINE_PLAIN ? length : 0, from);
    if (kind == LINE_INCLUDE && !already_in(e->source, path)) {
      weft_error inner = {0};
      if (expand_file(e, path, &inner)) {
        return weft_fail(err, inner.code, "%.300s:%u: %.600s", e->source->names[file], from.number,
                         inner.message);
      }
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
  weft_result result = load_file(e, path, name, &contents, err);
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
static void append_defines(expansion *e, const char *defines) {
  for (const char *p = defines ? skip_blanks(defines) : ""; *p;) {
    size_t length = strcspn(p, " ");
    size_t name = strcspn(p, " =");
    weft_string line = {0};
    weft_string_add(&line, "#define %.*s ", (int)name, p);
    if (name < length) weft_string_add_bytes(&line, p + name + 1, length - name - 1);
    append_line(e, line.bytes, line.count, (weft_gl_line){0, 0});
    weft_string_free(&line);
    p = skip_blanks(p + length);
  }
}

weft_result weft_gl_source_expand(const char *shader_dir, const char *path, const char *defines,
                                  const char *made, weft_gl_source *source, weft_error *err) {
  *source = (weft_gl_source){0};
  expansion e = {source, shader_dir, made, {0}};
  const char *version = "#version 430 core";
  append_line(&e, version, strlen(version), (weft_gl_line){0, 0});
  append_defines(&e, defines);
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
  weft_free(source->lines);
  weft_free(source->text);
  *source = (weft_gl_source){0};
}

weft_result weft_gl_shader_source(const char *shader_dir, const char *path, const char *defines,
                                  const char *made, char **text_out, weft_error *err) {
  weft_gl_source source;
  weft_result result = weft_gl_source_expand(shader_dir, path, defines, made, &source, err);
  if (result) return result;
  *text_out = source.text;
  source.text = NULL;
  weft_gl_source_free(&source);
  return WEFT_OK;
}

/* ---- messages ---- */

/* Drivers write "0:12(5): error: x" (Mesa), "0(12) : error C0000: x" (NVIDIA), "ERROR: 0:12: x"
 * (AMD, Intel, glslang): a file number that means nothing here, the line, and then the rest. */
static const char *read_place(const char *p, unsigned long *line) {
  if (!strncmp(p, "ERROR: ", 7)) p += 7;
  char *end;
  strtoul(p, &end, 10);
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

/* The first line of the log that is an error, and how many more there are. */
static const char *first_error(const char *log, uint32_t *more) {
  const char *first = NULL;
  *more = 0;
  for (const char *p = log; *p;) {
    size_t length = strcspn(p, "\n");
    unsigned long number;
    if (is_error(p, length)) {
      if (!first) {
        first = p;
      } else if (read_place(p, &number)) {
        ++*more;
      }
    }
    p += length + (p[length] == '\n');
  }
  return first ? first : *log ? log : "the driver gave no reason";
}

void weft_gl_source_explain(const weft_gl_source *source, const char *log, char *line,
                            size_t size) {
  uint32_t more;
  const char *first = first_error(log, &more);
  char others[48] = "";
  if (more) snprintf(others, sizeof others, " (and %u more)", more);
  unsigned long number = 0;
  const char *rest = read_place(first, &number);
  if (rest && number >= 1 && number <= source->line_count) {
    weft_gl_line from = source->lines[number - 1];
    snprintf(line, size, "%s:%u: %.*s%s", source->names[from.file], from.number,
             (int)strcspn(rest, "\n"), rest, others);
  } else {
    snprintf(line, size, "%s: %.*s%s", source->names[0], (int)strcspn(first, "\n"), first, others);
  }
}
