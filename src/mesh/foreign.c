/* Formats other than OBJ.
 *
 * The importer library parses dozens of formats in unchecked C++; broken files make it crash, run
 * for ever or ask for all memory. It therefore runs in a child process with limits on time and
 * memory, and sends plain arrays back through a pipe. Whatever happens to the child becomes one
 * sentence; whatever it sends is checked like any other input. Time and memory grow with the size
 * of the file, so that a small one that claims to be large is soon given up. */
#define _POSIX_C_SOURCE 200809L
#include "foreign.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foreign_pipe.h"

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

void weft_foreign_look_free(weft_foreign_look *look) {
  weft_free(look->uvs);
  weft_free(look->colours);
  weft_free(look->parts);
  *look = (weft_foreign_look){0};
}

#ifndef WEFT_HAVE_ASSIMP

const char *weft_mesh_importer(void) { return "none: only OBJ is read"; }

static weft_result cannot_read(const char *path, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FILE,
                   "%s: this build of weft reads OBJ only (it was built without assimp)",
                   weft_shown_path(path));
}

weft_result weft_foreign_read(const char *path, const char *groups, float scale, weft_mesh *mesh,
                              weft_foreign_look *look, weft_error *err) {
  if (look) *look = (weft_foreign_look){0};
  (void)groups;
  (void)scale;
  *mesh = (weft_mesh){0};
  return cannot_read(path, err);
}

weft_result weft_foreign_groups(const char *path, weft_mesh_group **groups, uint32_t *count,
                                weft_error *err) {
  *groups = NULL;
  *count = 0;
  return cannot_read(path, err);
}

#else

#include <assimp/version.h>

/* ---- what came through the pipe ---- */

typedef struct answer {
  weft_foreign_header header;
  weft_foreign_name *names;
  weft_foreign_look look;
  char reason[420];
} answer;

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

static bool receive_mesh(int fd, double deadline, const weft_foreign_header *h, weft_mesh *mesh) {
  if (h->vertex_count > WEFT_MESH_MAX_VERTICES || h->triangle_count > WEFT_MESH_MAX_TRIANGLES) {
    return false;
  }
  mesh->vertex_count = h->vertex_count;
  mesh->triangle_count = h->triangle_count;
  mesh->positions = weft_alloc(h->vertex_count, sizeof *mesh->positions);
  mesh->triangles = weft_alloc(3 * (size_t)h->triangle_count, sizeof *mesh->triangles);
  return receive(fd, deadline, mesh->positions, h->vertex_count * sizeof *mesh->positions) &&
         receive(fd, deadline, mesh->triangles, (size_t)h->triangle_count * 3 * sizeof(uint32_t));
}

static bool receive_parts(int fd, double deadline, const weft_foreign_header *h,
                          weft_foreign_look *look) {
  uint64_t faces = 0;
  look->part_count = h->part_count;
  if (h->part_count > WEFT_FOREIGN_NAMES) return false;
  look->parts = weft_alloc(h->part_count, sizeof *look->parts);
  if (!receive(fd, deadline, look->parts, h->part_count * sizeof *look->parts)) return false;
  for (uint32_t k = 0; k < h->part_count; ++k) {
    look->parts[k].name[WEFT_FOREIGN_LONGEST_NAME - 1] = 0;
    faces += look->parts[k].face_count;
  }
  return h->part_count == 0 || faces == h->triangle_count;
}

static bool receive_look(int fd, double deadline, const weft_foreign_header *h,
                         weft_foreign_look *look) {
  const size_t count = h->vertex_count;
  if (h->has_uvs) {
    look->uvs = weft_alloc(count, sizeof *look->uvs);
    if (!receive(fd, deadline, look->uvs, count * sizeof *look->uvs)) return false;
  }
  if (h->has_colours) {
    look->colours = weft_alloc(count, sizeof *look->colours);
    if (!receive(fd, deadline, look->colours, count * sizeof *look->colours)) return false;
  }
  return receive_parts(fd, deadline, h, look);
}

static bool receive_names(int fd, double deadline, answer *a) {
  const uint32_t count = a->header.name_count;
  if (count > WEFT_FOREIGN_NAMES) return false;
  a->names = weft_alloc(count, sizeof *a->names);
  if (!receive(fd, deadline, a->names, count * sizeof *a->names)) return false;
  for (uint32_t k = 0; k < count; ++k) a->names[k].name[WEFT_FOREIGN_LONGEST_NAME - 1] = 0;
  return true;
}

static bool receive_reason(int fd, double deadline, answer *a) {
  char said[401] = "";
  const size_t length = a->header.text_length;
  if (length >= sizeof said || !receive(fd, deadline, said, length)) return false;
  if (a->header.end == WEFT_FOREIGN_REFUSED) {
    snprintf(a->reason, sizeof a->reason, "%s", said);
  } else {
    weft_foreign_words(said, a->reason, sizeof a->reason);
  }
  return true;
}

static bool receive_answer(int fd, double deadline, answer *a, weft_mesh *mesh) {
  weft_foreign_header *h = &a->header;
  if (!receive(fd, deadline, h, sizeof *h) || h->magic != WEFT_FOREIGN_MAGIC) return false;
  if (h->end == WEFT_FOREIGN_MESH) {
    return receive_mesh(fd, deadline, h, mesh) && receive_look(fd, deadline, h, &a->look);
  }
  if (h->end == WEFT_FOREIGN_LIST || h->end == WEFT_FOREIGN_NAMED) {
    return receive_names(fd, deadline, a);
  }
  return receive_reason(fd, deadline, a);
}

/* ---- the child's life ---- */

static void describe_end(int status, unsigned seconds, char *reason, size_t size) {
  const int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (by == SIGXCPU || by == SIGKILL) {
    snprintf(reason, size, "assimp could not read it: it took more than %u s", seconds);
  } else if (by) {
    snprintf(reason, size, "assimp could not read it: it crashed (signal %d)", by);
  } else {
    snprintf(reason, size, "assimp could not read it: it ended without a word");
  }
}

static weft_result cannot_start(const char *path, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot start the importer: %s", weft_shown_path(path),
                   strerror(errno));
}

/* A file of its size may take so much. */
static void set_limits(weft_foreign_wish *wish) {
  struct stat info = {0};
  const uint64_t bytes = stat(wish->path, &info) == 0 ? (uint64_t)info.st_size : 0;
  const uint64_t mebibytes = bytes >> 20;
  wish->seconds = (unsigned)(mebibytes < 60 ? 3 + mebibytes : 63);
  wish->memory = (UINT64_C(512) << 20) + 64 * bytes;
}

/* WEFT_OK where an answer came, whatever it says. */
static weft_result ask(weft_foreign_wish *wish, answer *a, weft_mesh *mesh, weft_error *err) {
  int ends[2];
  set_limits(wish);
  if (pipe(ends) != 0) return cannot_start(wish->path, err);
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    weft_foreign_run_child(ends[1], wish);
  }
  close(ends[1]);
  /* Time of a processor is what counts; beside much else that takes longer. */
  const double deadline = weft_clock_seconds() + 20 + 4 * wish->seconds;
  const bool received = child > 0 && receive_answer(ends[0], deadline, a, mesh);
  if (child > 0 && !received && weft_clock_seconds() >= deadline) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0) return cannot_start(wish->path, err);
  if (!received) describe_end(status, wish->seconds, a->reason, sizeof a->reason);
  if (!a->reason[0]) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %s", weft_shown_path(wish->path), a->reason);
}

/* ---- what becomes of it ---- */

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

static weft_result unknown_group(const char *path, const char *groups, const answer *a,
                                 weft_error *err) {
  weft_string known = {0};
  for (uint32_t k = 0; k < a->header.name_count && known.count < 300; ++k) {
    weft_string_add(&known, "%s%.80s", k ? ", " : "", a->names[k].name);
  }
  weft_result result =
      weft_fail(err, WEFT_ERROR_ARGUMENT,
                "%s: '%.80s' is no node, mesh or material of it with faces; it has %s",
                weft_shown_path(path), groups, known.count ? known.bytes : "none");
  weft_string_free(&known);
  return result;
}

weft_result weft_foreign_read(const char *path, const char *groups, float scale, weft_mesh *mesh,
                              weft_foreign_look *look, weft_error *err) {
  answer a = {.names = NULL};
  weft_foreign_wish wish = {.path = path, .groups = groups, .look = look != NULL};
  *mesh = (weft_mesh){0};
  if (look) *look = (weft_foreign_look){0};
  weft_result result = ask(&wish, &a, mesh, err);
  if (result == WEFT_OK && a.names) {
    result = unknown_group(path, groups, &a, err);
  } else if (result == WEFT_OK) {
    result = check_mesh(path, scale, mesh, err);
  }
  weft_free(a.names);
  if (result != WEFT_OK) {
    weft_foreign_look_free(&a.look);
    weft_mesh_free(mesh);
    return result;
  }
  if (look) {
    *look = a.look;
  } else {
    weft_foreign_look_free(&a.look);
  }
  mesh->map.mending.skin_lost = a.header.loses_skin != 0;
  mesh->map.mending.animation_lost = a.header.loses_animation != 0;
  return WEFT_OK;
}

weft_result weft_foreign_groups(const char *path, weft_mesh_group **groups, uint32_t *count,
                                weft_error *err) {
  answer a = {.names = NULL};
  weft_foreign_wish wish = {.path = path, .list = true};
  weft_mesh none = {0};
  weft_result result = ask(&wish, &a, &none, err);
  weft_mesh_free(&none);
  *count = result == WEFT_OK ? a.header.name_count : 0;
  *groups = weft_alloc(*count, sizeof **groups);
  for (uint32_t k = 0; k < *count; ++k) {
    (*groups)[k].name = weft_strdup(a.names[k].name);
    (*groups)[k].face_count = a.names[k].face_count;
  }
  weft_free(a.names);
  return result;
}

const char *weft_mesh_importer(void) {
  static char text[48];
  snprintf(text, sizeof text, "assimp %u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(),
           aiGetVersionPatch());
  return text;
}

#endif
