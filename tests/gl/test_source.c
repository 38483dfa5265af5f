/* Shader text: includes once, lines that map back, folders that override what is embedded. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "gl.h"
#include "rig_gl.h"
#include "source.h"

static char folder[] = "/tmp/weft-shaders-XXXXXX";
static const char *const files[] = {"a.comp", "b.glsl", "c.glsl", "lost.comp", "loop.glsl"};

static void put(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void fill_folder(void) {
  put("c.glsl", "#include <stdint.h>\nconst uint C = 3u;\n");
  put("b.glsl", "#include \"c.glsl\"\nconst uint B = C + 1u;\n");
  put("a.comp",
      "#version 100\n"
      "#include \"b.glsl\"\n"
      "  #  include \"c.glsl\"\n"
      "layout(local_size_x = 1) in;\n"
      "layout(std430, binding = 0) buffer Out { uint result[]; };\n"
      "void main() { result[0] = B * 10u + VALUE; }");
  put("lost.comp", "\n\n#include \"nowhere.glsl\"\n");
  put("loop.glsl", "#include \"loop.glsl\"\nconst uint L = 1u;\n");
}

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  fill_folder();
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  return rmdir(folder);
}

static uint32_t count(const char *text, const char *part) {
  uint32_t n = 0;
  for (const char *p = strstr(text, part); p; p = strstr(p + 1, part)) ++n;
  return n;
}

static void an_include_is_pasted_once_wherever_it_is_named(void **state) {
  (void)state;
  weft_error err = {0};
  char *text = NULL;
  if (weft_gl_shader_source(folder, "a.comp", "VALUE=5u FLAG", NULL, &text, &err)) {
    fail_msg("%s", err.message);
  }
  assert_int_equal(count(text, "const uint C"), 1);
  assert_int_equal(count(text, "const uint B"), 1);
  assert_int_equal(count(text, "#version"), 1);
  assert_int_equal(strncmp(text, "#version 430 core\n", 18), 0);
  assert_non_null(strstr(text, "#define VALUE 5u\n"));
  assert_non_null(strstr(text, "#define FLAG"));
  assert_null(strstr(text, "#include"));
  assert_null(strstr(text, "# include"));
  assert_true(strstr(text, "const uint C") < strstr(text, "const uint B"));
  weft_free(text);
}

static void a_file_that_includes_itself_ends(void **state) {
  (void)state;
  char *text = NULL;
  assert_int_equal(weft_gl_shader_source(folder, "loop.glsl", NULL, NULL, &text, NULL), WEFT_OK);
  assert_int_equal(count(text, "const uint L"), 1);
  weft_free(text);
}

static void expanded_text_runs_with_its_defines(void **state) {
  (void)state;
  weft_error err = {0};
  GLuint program = 0;
  test_gl->desc.shader_dir = folder;
  weft_result result = weft_gl_compute_program(test_gl, "a.comp", "VALUE=5u", NULL, &program, &err);
  test_gl->desc.shader_dir = NULL;
  if (result) fail_msg("%s", err.message);
  weft_gl_buffer out;
  assert_int_equal(weft_gl_buffer_create(test_gl, "out", 4, 0, GL_DYNAMIC_COPY, NULL, &out, NULL),
                   WEFT_OK);
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, out.name);
  glDispatchCompute(1, 1, 1);
  uint32_t got = 0;
  weft_gl_buffer_read(&out, 0, 4, &got);
  assert_int_equal(got, 45); /* B = 4, VALUE = 5 */
  weft_gl_buffer_destroy(&out);
  glDeleteProgram(program);
}

static void refused(const char *path, const char *defines, const char *place) {
  weft_error err = {0};
  GLuint program = 1;
  test_gl->desc.shader_dir = folder;
  weft_result result = weft_gl_compute_program(test_gl, path, defines, NULL, &program, &err);
  test_gl->desc.shader_dir = NULL;
  assert_int_not_equal(result, WEFT_OK);
  assert_int_equal(program, 0);
  assert_null(strchr(err.message, '\n'));
  char wanted[300];
  snprintf(wanted, sizeof wanted, "%s/%s", folder, place);
  if (!strstr(err.message, wanted)) fail_msg("\"%s\" lacks \"%s\"", err.message, wanted);
}

static void errors_name_the_file_and_line_they_stand_in(void **state) {
  (void)state;
  weft_log_set(NULL, NULL, WEFT_LOG_ERROR); /* the driver repeats them as messages */
  refused("a.comp", NULL, "a.comp:6: ");    /* VALUE is unknown */
  put("b.glsl", "#include \"c.glsl\"\n\n\nconst uint B = nonsense;\n");
  refused("a.comp", "VALUE=1u", "b.glsl:4: ");
  put("c.glsl", "\n%\n");
  refused("a.comp", "VALUE=1u", "c.glsl:2");
  fill_folder();
  refused("lost.comp", NULL, "lost.comp:3: ");
  refused("missing.comp", NULL, "missing.comp: cannot be opened");
  weft_log_set(print_log, NULL, WEFT_LOG_WARNING);
}

/* The same error as three families of drivers word it. Text line 3 is line 12 of lib.glsl. */
static void every_drivers_way_to_name_a_place_is_understood(void **state) {
  (void)state;
  weft_gl_line lines[] = {{0, 0}, {0, 1}, {1, 12}};
  weft_gl_source source = {
      .names = {"main.comp", "lib.glsl"}, .file_count = 2, .lines = lines, .line_count = 3};
  const struct {
    const char *log, *line;
  } cases[] = {
      {"0:3(5): error: no such thing\n", "lib.glsl:12: error: no such thing"},
      {"0(3) : error C1008: undefined variable\n", "lib.glsl:12: error C1008: undefined variable"},
      {"ERROR: 0:3: 'x' : undeclared\nERROR: 0:1: again\n",
       "lib.glsl:12: 'x' : undeclared (and 1 more)"},
      {"0:2(1): warning: hm\n0:2(1): error: bad\n", "main.comp:1: error: bad"},
      {"internal error\n", "main.comp: internal error"},
      {"", "main.comp: the driver gave no reason"},
      {"0:77(1): error: far\n", "main.comp: 0:77(1): error: far"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char line[200];
    weft_gl_source_explain(&source, cases[i].log, line, sizeof line);
    assert_string_equal(line, cases[i].line);
  }
}

static void embedded_files_are_the_ones_in_the_tree(void **state) {
  (void)state;
  assert_true(weft_embedded_shader_count > 0);
  for (uint32_t i = 0; i < weft_embedded_shader_count; ++i) {
    char path[512];
    snprintf(path, sizeof path, WEFT_SOURCE_DIR "/shaders/%s", weft_embedded_shaders[i].path);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s is embedded but gone", path);
    size_t length = strlen(weft_embedded_shaders[i].text);
    char *text = weft_alloc(length + 2, 1);
    assert_int_equal(fread(text, 1, length + 1, f), length);
    assert_string_equal(text, weft_embedded_shaders[i].text);
    weft_free(text);
    fclose(f);
  }
}

static void the_environment_names_a_shader_folder(void **state) {
  (void)state;
  weft_gl *other = NULL;
  GLuint program = 0;
  setenv("WEFT_SHADER_DIR", folder, 1);
  assert_int_equal(weft_gl_create_headless(NULL, &other, NULL), WEFT_OK);
  unsetenv("WEFT_SHADER_DIR");
  weft_gl_make_current(other);
  assert_int_equal(weft_gl_compute_program(other, "a.comp", "VALUE=0u", NULL, &program, NULL),
                   WEFT_OK);
  glDeleteProgram(program);
  weft_gl_destroy(other);
  weft_gl_make_current(test_gl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_include_is_pasted_once_wherever_it_is_named),
      cmocka_unit_test(a_file_that_includes_itself_ends),
      cmocka_unit_test(expanded_text_runs_with_its_defines),
      cmocka_unit_test(errors_name_the_file_and_line_they_stand_in),
      cmocka_unit_test(every_drivers_way_to_name_a_place_is_understood),
      cmocka_unit_test(embedded_files_are_the_ones_in_the_tree),
      cmocka_unit_test(the_environment_names_a_shader_folder),
  };
  return RIG_RUN_ON_GL(tests, make_folder, remove_folder);
}
