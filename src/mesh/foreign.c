/* Formats other than OBJ.
 *
 * The importer library parses dozens of formats in unchecked C++; broken files make it crash, run
 * for ever or ask for all memory. It therefore runs in a child process with limits on time and
 * memory, and sends plain arrays back through a pipe. Whatever happens to the child becomes one
 * sentence; whatever it sends is checked like any other input. */
#define _POSIX_C_SOURCE 200809L
#include "foreign.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static bool same_word(const char *a, const char *b) {
  while (*a && tolower((unsigned char)*a) == *b) ++a, ++b;
  return *a == *b;
}

static const char *extension_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && (!slash || dot > slash) ? dot + 1 : "";
}

static bool begins(const char *bytes, size_t length, const char *magic) {
  size_t n = strlen(magic);
  return length >= n && memcmp(bytes, magic, n) == 0;
}

bool weft_foreign_format(const char *path, const char *bytes, size_t length) {
  static const char *const known[] = {"ply", "off", "stl", "gltf", "glb",   "dae", "fbx",
                                      "3ds", "x3d", "lwo", "ac",   "blend", "3mf"};
  const char *extension = extension_of(path);
  if (same_word(extension, "obj")) return false;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (same_word(extension, known[i])) return true;
  }
  return begins(bytes, length, "ply\n") || begins(bytes, length, "ply\r") ||
         begins(bytes, length, "OFF\n") || begins(bytes, length, "OFF\r") ||
         begins(bytes, length, "glTF") || begins(bytes, length, "solid ");
}

#ifndef WEFT_HAVE_ASSIMP

const char *weft_mesh_importer(void) { return "none: only OBJ is read"; }

weft_result weft_foreign_read(const char *path, float scale, weft_mesh *mesh, weft_error *err) {
  (void)scale;
  *mesh = (weft_mesh){0};
  return weft_fail(err, WEFT_ERROR_FILE,
                   "%s: this build of weft reads OBJ only (it was built without assimp)",
                   weft_shown_path(path));
}

#else

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>

enum { SECONDS = 20, GRACE_SECONDS = 5, MEGABYTES = 2048 };

/* What the child sends first; then positions and triangles, or `text_length` bytes of reason. */
typedef struct header {
  uint32_t magic;
  uint32_t vertex_count, triangle_count;
  uint32_t text_length; /* 0 on success */
} header;

static const uint32_t magic = 0x77656674;

/* ---- the child ---- */

static void send_bytes(int fd, const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    ssize_t n = write(fd, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    at += n;
    count -= (size_t)n;
  }
}

static _Noreturn void send_reason(int fd, const char *reason) {
  size_t length = strlen(reason);
  header h = {magic, 0, 0, (uint32_t)(length < 300 ? length : 300)};
  send_bytes(fd, &h, sizeof h);
  send_bytes(fd, reason, h.text_length);
  _exit(0);
}

/* Address space used so far plus an allowance: the parent may have mapped a lot. Sanitizers
 * reserve terabytes and carry a limit of their own. */
static void limit_memory(void) {
#if !defined(__SANITIZE_ADDRESS__)
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)MEGABYTES * 1024 * 1024;
  struct rlimit limit = {bytes, bytes};
  if (pages > 0) setrlimit(RLIMIT_AS, &limit);
#endif
}

static void confine_child(void) {
  const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory();
  alarm(SECONDS);
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && null >= 0; ++fd) dup2(null, fd); /* the library prints */
}

static bool is_triangles(const struct aiMesh *part) {
  return part && part->mVertices && part->mFaces && part->mNumFaces > 0;
}

static void send_mesh(int fd, const struct aiScene *scene) {
  header h = {magic, 0, 0, 0};
  uint64_t vertices = 0, triangles = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    vertices += part->mNumVertices;
    for (unsigned f = 0; f < part->mNumFaces; ++f) triangles += part->mFaces[f].mNumIndices == 3;
  }
  if (vertices > WEFT_MESH_MAX_VERTICES || triangles > WEFT_MESH_MAX_TRIANGLES) {
    send_reason(fd, "too many vertices or triangles");
  }
  if (triangles == 0) send_reason(fd, "no triangles in it");
  h.vertex_count = (uint32_t)vertices;
  h.triangle_count = (uint32_t)triangles;
  send_bytes(fd, &h, sizeof h);
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    send_bytes(fd, part->mVertices, part->mNumVertices * sizeof *part->mVertices);
  }
  uint32_t base = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh *part = scene->mMeshes[m];
    if (!is_triangles(part)) continue;
    uint32_t *chunk = malloc((size_t)part->mNumFaces * 3 * sizeof *chunk), *at = chunk;
    if (!chunk) _exit(1);
    for (unsigned f = 0; f < part->mNumFaces; ++f) {
      if (part->mFaces[f].mNumIndices != 3) continue;
      for (int c = 0; c < 3; ++c) {
        uint32_t index = part->mFaces[f].mIndices[c];
        *at++ = index < part->mNumVertices ? base + index : UINT32_MAX;
      }
    }
    send_bytes(fd, chunk, (size_t)(at - chunk) * sizeof *chunk);
    free(chunk);
    base += part->mNumVertices;
  }
}

static _Noreturn void run_child(int fd, const char *path) {
  confine_child();
  struct aiPropertyStore *options = aiCreatePropertyStore();
  aiSetImportPropertyInteger(options, AI_CONFIG_PP_SBP_REMOVE,
                             aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  unsigned flags = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
  const struct aiScene *scene = aiImportFileExWithProperties(path, flags, NULL, options);
  if (!scene) send_reason(fd, aiGetErrorString());
  send_mesh(fd, scene);
  _exit(0);
}

/* ---- the parent ---- */

/* False when the child stopped early or the deadline passed. */
static bool receive(int fd, double deadline, void *bytes, size_t count) {
  char *at = bytes;
  while (count > 0) {
    double left = deadline - weft_clock_seconds();
    struct pollfd wait = {fd, POLLIN, 0};
    int ready = left <= 0 ? 0 : poll(&wait, 1, (int)(1000 * left) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t n = read(fd, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    count -= (size_t)n;
  }
  return true;
}

/* Fills reason and returns false, or fills the mesh. */
static bool receive_mesh(int fd, double deadline, weft_mesh *mesh, char *reason, size_t size) {
  header h;
  if (!receive(fd, deadline, &h, sizeof h) || h.magic != magic) return false;
  if (h.text_length > 0) {
    size_t length = h.text_length < size - 1 ? h.text_length : size - 1;
    if (!receive(fd, deadline, reason, length)) return false;
    reason[length] = 0;
    for (char *c = reason; *c; ++c) *c = *c >= ' ' && *c <= '~' ? *c : ' ';
    return false;
  }
  if (h.vertex_count > WEFT_MESH_MAX_VERTICES || h.triangle_count > WEFT_MESH_MAX_TRIANGLES) {
    return false;
  }
  mesh->vertex_count = h.vertex_count;
  mesh->triangle_count = h.triangle_count;
  mesh->positions = weft_alloc(h.vertex_count, sizeof *mesh->positions);
  mesh->triangles = weft_alloc(3 * (size_t)h.triangle_count, sizeof *mesh->triangles);
  return receive(fd, deadline, mesh->positions, h.vertex_count * sizeof *mesh->positions) &&
         receive(fd, deadline, mesh->triangles, (size_t)h.triangle_count * 3 * sizeof(uint32_t));
}

static void describe_end(int status, char *reason, size_t size) {
  if (reason[0]) return;
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL)) {
    snprintf(reason, size, "the importer did not finish within %d s", SECONDS);
  } else if (WIFSIGNALED(status)) {
    snprintf(reason, size, "the importer crashed on it (signal %d)", WTERMSIG(status));
  } else {
    snprintf(reason, size, "the importer failed on it");
  }
}

static weft_result check_mesh(const char *path, float scale, weft_mesh *mesh, weft_error *err) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    weft_vec3 p = mesh->positions[v] = weft_v3_scale(mesh->positions[v], scale);
    if (fabsf(p.x) <= 1e9f && fabsf(p.y) <= 1e9f && fabsf(p.z) <= 1e9f) continue;
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: vertex %u is not finite or beyond 1e9 m",
                     weft_shown_path(path), v);
  }
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    if (mesh->triangles[c] < mesh->vertex_count) continue;
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: triangle %zu names a vertex that does not exist",
                     weft_shown_path(path), c / 3);
  }
  return WEFT_OK;
}

weft_result weft_foreign_read(const char *path, float scale, weft_mesh *mesh, weft_error *err) {
  *mesh = (weft_mesh){0};
  int ends[2];
  if (pipe(ends) != 0) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot read: %s", weft_shown_path(path),
                     strerror(errno));
  }
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(ends[1], path);
  }
  close(ends[1]);
  char reason[320] = "";
  bool received = false;
  int status = 0;
  if (child < 0) {
    snprintf(reason, sizeof reason, "cannot start the importer: %s", strerror(errno));
  } else {
    double deadline = weft_clock_seconds() + SECONDS + GRACE_SECONDS;
    received = receive_mesh(ends[0], deadline, mesh, reason, sizeof reason);
    if (!received && weft_clock_seconds() >= deadline) kill(child, SIGKILL);
  }
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  weft_result result;
  if (received) {
    result = check_mesh(path, scale, mesh, err);
  } else {
    describe_end(status, reason, sizeof reason);
    result = weft_fail(err, WEFT_ERROR_FORMAT, "%s: %s", weft_shown_path(path), reason);
  }
  if (result != WEFT_OK) weft_mesh_free(mesh);
  return result;
}

const char *weft_mesh_importer(void) {
  static char text[48];
  snprintf(text, sizeof text, "assimp %u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(),
           aiGetVersionPatch());
  return text;
}

#endif
