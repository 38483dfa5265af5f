/* What is the same for every context: functions, version, limits, messages, description. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <weft/version.h>

#include "base.h"
#include "build_info.h"
#include "native.h"

weft_result weft_gl_desc_resolve(const weft_gl_desc *in, weft_gl_desc *out, weft_error *err) {
  *out = in ? *in : (weft_gl_desc){0};
  if (!out->group_size) out->group_size = 64;
  if (out->group_size != 32 && out->group_size != 64 && out->group_size != 128) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "group size %u is not 32, 64 or 128",
                     out->group_size);
  }
  if (!out->shader_dir) out->shader_dir = getenv("WEFT_SHADER_DIR");
  const char *minimum = getenv("WEFT_GL_MINIMUM_LIMITS");
  if (minimum && strcmp(minimum, "1") == 0) out->minimum_limits = true;
  const char *reads = getenv("WEFT_GL_READS");
  if (reads && out->reads == WEFT_GL_READS_AUTO) {
    if (strcmp(reads, "buffers") == 0) out->reads = WEFT_GL_READS_BUFFERS;
    if (strcmp(reads, "textures") == 0) out->reads = WEFT_GL_READS_TEXTURES;
  }
  if (out->shader_dir && !*out->shader_dir) out->shader_dir = NULL;
  if (out->shader_dir) out->shader_dir = weft_strdup(out->shader_dir); /* freed with the context */
  return WEFT_OK;
}

static const char *type_name(GLenum type) {
  switch (type) {
    case GL_DEBUG_TYPE_ERROR:
      return "error";
    case GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR:
      return "deprecated";
    case GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR:
      return "undefined behaviour";
    case GL_DEBUG_TYPE_PORTABILITY:
      return "portability";
    case GL_DEBUG_TYPE_PERFORMANCE:
      return "performance";
    default:
      return "note";
  }
}

static void GLAD_API_PTR on_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                    GLsizei length, const GLchar *message, const void *user) {
  (void)source, (void)length;
  weft_gl *gl = (weft_gl *)(uintptr_t)user;
  bool grave = type == GL_DEBUG_TYPE_ERROR || severity == GL_DEBUG_SEVERITY_HIGH ||
               severity == GL_DEBUG_SEVERITY_MEDIUM;
  if (grave) gl->message_count++;
  weft_log_level level = type == GL_DEBUG_TYPE_ERROR ? WEFT_LOG_ERROR
                         : grave                     ? WEFT_LOG_WARNING
                                                     : WEFT_LOG_DEBUG;
  size_t size = strcspn(message, "\n");
  weft_log(level, "OpenGL %s %u: %.*s", type_name(type), id, (int)size, message);
}

static void copy_string(char *to, size_t size, GLenum name) {
  const char *text = (const char *)glGetString(name);
  snprintf(to, size, "%s", text ? text : "unknown");
}

static uint32_t get_limit(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value > 0 ? (uint32_t)value : 0;
}

static weft_gl_limits driver_limits(void) {
  weft_gl_limits limits = {0};
  GLint64 block = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
  limits.max_storage_block = block > 0 ? (uint64_t)block : 0;
  limits.max_storage_blocks = get_limit(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
  limits.max_storage_bindings = get_limit(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
  limits.storage_alignment = get_limit(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
  if (!limits.storage_alignment) limits.storage_alignment = 1;
  for (GLuint i = 0; i < 3; ++i) {
    GLint groups = 0;
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &groups);
    limits.max_groups[i] = groups > 0 ? (uint32_t)groups : 0;
  }
  limits.max_invocations = get_limit(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
  limits.max_shared_bytes = get_limit(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
  limits.max_texels = get_limit(GL_MAX_TEXTURE_BUFFER_SIZE);
  limits.max_texture_units = get_limit(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS);
  limits.max_uniform_block = get_limit(GL_MAX_UNIFORM_BLOCK_SIZE);
  return limits;
}

/* Table 23.60 ff. of the GL 4.3 core specification; the block size is 2^24 there. */
static const weft_gl_limits promised_limits = {
    .max_storage_block = 1u << 24,
    .max_storage_blocks = 8,
    .max_storage_bindings = 8,
    .storage_alignment = 256,
    .max_groups = {65535, 65535, 65535},
    .max_invocations = 1024,
    .max_shared_bytes = 32768,
    .max_texels = 65536,
    .max_texture_units = 16,
    .max_uniform_block = 16384,
};

static void start_messages(weft_gl *gl) {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS); /* the log names what is being called */
  glDebugMessageCallback(on_message, gl);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
}

weft_result weft_gl_take(weft_gl *gl, const weft_gl_desc *desc, weft_gl_functions functions,
                         weft_error *err) {
  gl->desc = *desc;
  int version = gladLoadGLUserPtr(functions.load, functions.user);
  if (!version || !glGetString) {
    return weft_fail(err, WEFT_ERROR_NO_GL, "there is no context, or its functions are not found");
  }
  copy_string(gl->vendor, sizeof gl->vendor, GL_VENDOR);
  copy_string(gl->renderer, sizeof gl->renderer, GL_RENDERER);
  copy_string(gl->version, sizeof gl->version, GL_VERSION);
  copy_string(gl->glsl, sizeof gl->glsl, GL_SHADING_LANGUAGE_VERSION);
  if (!GLAD_GL_VERSION_4_3) {
    return weft_fail(err, WEFT_ERROR_NO_GL, "it has OpenGL %d.%d, and 4.3 is needed (%.200s)",
                     GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version), gl->renderer);
  }
  if (gl->desc.reads == WEFT_GL_READS_AUTO) {
    bool processor = !desc->minimum_limits && strstr(gl->renderer, "llvmpipe") != NULL;
    gl->desc.reads = processor ? WEFT_GL_READS_TEXTURES : WEFT_GL_READS_BUFFERS;
  }
  gl->limits = desc->minimum_limits ? promised_limits : driver_limits();
  if (desc->debug) start_messages(gl);
  /* As many threads as the driver likes; some have none before they are told. */
  const bool own = gl->platform != WEFT_GL_ADOPTED;
  if (own && GLAD_GL_KHR_parallel_shader_compile) glMaxShaderCompilerThreadsKHR(UINT32_MAX);
  return WEFT_OK;
}

bool weft_gl_is_software(const weft_gl *gl) {
  static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader", "Software",
                                      "Basic Render"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    if (strstr(gl->renderer, names[k])) return true;
  }
  return false;
}

void weft_gl_make_current(weft_gl *gl) {
  weft_gl_native *native = gl->native;
  native->make_current(native);
}

weft_result weft_gl_enter(weft_gl *gl, weft_error *err) {
  weft_gl_native *native = gl->native;
  if (gl->depth++) return WEFT_OK;
  if (native->enter(native)) {
    weft_gl_keep(gl);
    return WEFT_OK;
  }
  gl->depth = 0;
  return weft_fail(err, WEFT_ERROR_GL, "%s",
                   gl->kept ? "no OpenGL context is current: the one that was adopted, or one that "
                              "shares with it, must be"
                            : "the context cannot be made current: another thread may have it");
}

void weft_gl_leave(weft_gl *gl) {
  weft_gl_native *native = gl->native;
  if (--gl->depth) return;
  weft_gl_give_back(gl);
  native->leave(native);
}

void weft_gl_leave_at(weft_gl **gl) { weft_gl_leave(*gl); }

void weft_gl_destroy(weft_gl *gl) {
  if (!gl) return;
  if (weft_gl_enter(gl, NULL) == WEFT_OK) {
    if (gl->solver_release) gl->solver_release(gl);
    if (gl->desc.debug) glDebugMessageCallback(NULL, NULL);
    weft_gl_leave(gl);
  }
  weft_gl_native *native = gl->native;
  native->release(native);
  weft_free((void *)(uintptr_t)gl->desc.shader_dir);
  weft_free(gl->kept);
  weft_free(gl);
}

uint32_t weft_gl_message_count(const weft_gl *gl) { return gl ? gl->message_count : 0; }

static const char *platform_name(weft_gl_platform platform) {
  switch (platform) {
    case WEFT_GL_EGL_DEVICE:
      return "EGL device";
    case WEFT_GL_EGL_SURFACELESS:
      return "EGL surfaceless";
    case WEFT_GL_ADOPTED:
      return "the caller's context";
    default:
      return "GLFW window";
  }
}

static void describe_limits(weft_string *f, const weft_gl *gl) {
  const weft_gl_limits *l = &gl->limits;
  weft_string_add(f, "limits: %s\n",
                  gl->desc.minimum_limits ? "what OpenGL 4.3 promises" : "the driver's");
  weft_string_add(f, "storage block: %llu bytes\n", (unsigned long long)l->max_storage_block);
  weft_string_add(f, "storage blocks per compute shader: %u\n", l->max_storage_blocks);
  weft_string_add(f, "storage bindings: %u\n", l->max_storage_bindings);
  weft_string_add(f, "storage offset alignment: %u bytes\n", l->storage_alignment);
  weft_string_add(f, "work groups: %u x %u x %u\n", l->max_groups[0], l->max_groups[1],
                  l->max_groups[2]);
  weft_string_add(f, "invocations per group: %u\n", l->max_invocations);
  weft_string_add(f, "shared memory: %u bytes\n", l->max_shared_bytes);
  weft_string_add(f, "texels of a buffer texture: %u\n", l->max_texels);
  weft_string_add(f, "texture units: %u\n", l->max_texture_units);
  weft_string_add(f, "uniform block: %u bytes\n", l->max_uniform_block);
}

char *weft_gl_describe(weft_gl *gl) {
  if (!gl) return NULL;
  WEFT_GUARD_OR(NULL);
  weft_string text = {0}, *f = &text;
  weft_string_add(f, "weft: %s, commit %s\n", WEFT_VERSION, weft_build.commit);
  weft_string_add(f, "compiler: %s (%s: %s)\n", weft_build.compiler, weft_build.type,
                  weft_build.flags);
  weft_string_add(f, "vendor: %s\nrenderer: %s\n", gl->vendor, gl->renderer);
  weft_string_add(f, "OpenGL: %s\nGLSL: %s\n", gl->version, gl->glsl);
  weft_string_add(f, "platform: %s%s%s\n", platform_name(gl->platform), *gl->egl_device ? ", " : "",
                  gl->egl_device);
  weft_string_add(f, "debug context: %s\n", gl->desc.debug ? "yes" : "no");
  weft_string_add(f, "elements are read from: %s\n",
                  gl->desc.reads == WEFT_GL_READS_TEXTURES ? "buffer textures" : "storage blocks");
  weft_string_add(f, "shaders: %s\n", gl->desc.shader_dir ? gl->desc.shader_dir : "embedded");
  describe_limits(f, gl);
  return text.bytes;
}
