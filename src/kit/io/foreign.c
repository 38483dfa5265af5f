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

#include "files.h"
#include "foreign_pipe.h"

static bool same_word(const char *a, const char *b) {
  while (*a && tolower((unsigned char)*a) == *b) ++a, ++b;
  return *a == *b;
}

static const char *extension_of(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && (!slash || dot > slash) ? dot + 1 : "";
}

typedef struct format {
  const char *extension;
  bool splits; /* the importer gives every corner a vertex of its own */
} format;

static const format formats[] = {{"ply", false}, {"off", false}, {"stl", false}, {"gltf", false},
                                 {"glb", false}, {"dae", true},  {"fbx", true},  {"3ds", true},
                                 {"x3d", true},  {"lwo", true},  {"ac", true},   {"blend", true},
                                 {"3mf", true}};

static const format *format_of(const char *path) {
  const char *extension = extension_of(path);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    if (same_word(extension, formats[i].extension)) return &formats[i];
  }
  return NULL;
}

bool weft_foreign_splits(const char *path) {
  const format *of = format_of(path);
  return of && of->splits;
}

bool weft_foreign_format(const char *path, const char *bytes, size_t length) {
  if (same_word(extension_of(path), "obj")) return false;
  return format_of(path) || weft_begins_with(bytes, length, "ply\n") ||
         weft_begins_with(bytes, length, "ply\r") || weft_begins_with(bytes, length, "OFF\n") ||
         weft_begins_with(bytes, length, "OFF\r") || weft_begins_with(bytes, length, "glTF") ||
         weft_begins_with(bytes, length, "solid ");
}

#ifndef WEFT_HAVE_ASSIMP

const char *weft_mesh_importer(void) { return "none: only OBJ is read"; }

weft_result weft_foreign_read(const char *path, const char *bytes, size_t length,
                              weft_foreign_text *text, weft_error *err) {
  *text = (weft_foreign_text){0};
  (void)bytes;
  (void)length;
  return weft_fail(err, WEFT_ERROR_FILE,
                   "%s: this build of weft reads OBJ only (it was built without assimp)",
                   weft_shown_path(path));
}

#else

#include <assimp/version.h>

/* ---- what came through the pipe ---- */

typedef struct answer {
  weft_foreign_header header;
  weft_string text;
  char reason[420];
} answer;

/* As read; -1 where the deadline passed. */
static ssize_t receive_some(int fd, double deadline, void *bytes, size_t count) {
  for (;;) {
    double left = deadline - weft_clock_seconds();
    struct pollfd wait = {fd, POLLIN, 0};
    int ready = left <= 0 ? 0 : poll(&wait, 1, (int)(1000 * left) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return -1;
    ssize_t n = read(fd, bytes, count);
    if (n < 0 && errno == EINTR) continue;
    return n;
  }
}

/* False when the child stopped early or the deadline passed. */
static bool receive(int fd, double deadline, void *bytes, size_t count) {
  char *at = bytes;
  while (count > 0) {
    ssize_t n = receive_some(fd, deadline, at, count);
    if (n <= 0) return false;
    at += n;
    count -= (size_t)n;
  }
  return true;
}

/* To the end of the pipe. */
static bool receive_text(int fd, double deadline, weft_string *text) {
  enum { PIECE = 1 << 16 };
  char *piece = weft_alloc(PIECE, 1);
  ssize_t n = 1;
  while (n > 0 && text->count < INT32_MAX) {
    n = receive_some(fd, deadline, piece, PIECE);
    if (n > 0) weft_string_add_bytes(text, piece, (size_t)n);
  }
  weft_free(piece);
  return n == 0;
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

static bool receive_answer(int fd, double deadline, answer *a) {
  const weft_foreign_header *h = &a->header;
  if (!receive(fd, deadline, &a->header, sizeof a->header) || h->magic != WEFT_FOREIGN_MAGIC) {
    return false;
  }
  return h->end == WEFT_FOREIGN_TEXT ? receive_text(fd, deadline, &a->text)
                                     : receive_reason(fd, deadline, a);
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

static weft_result ask(weft_foreign_wish *wish, answer *a, weft_error *err) {
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
  bool received = child > 0 && receive_answer(ends[0], deadline, a);
  if (child > 0 && !received && weft_clock_seconds() >= deadline) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0) return cannot_start(wish->path, err);
  received = received && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!received) describe_end(status, wish->seconds, a->reason, sizeof a->reason);
  if (!a->reason[0]) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %s", weft_shown_path(wish->path), a->reason);
}

weft_result weft_foreign_read(const char *path, const char *bytes, size_t length,
                              weft_foreign_text *text, weft_error *err) {
  answer a = {.reason = ""};
  weft_foreign_wish wish = {.path = path};
  if (same_word(extension_of(path), "stl")) {
    wish.solids = (weft_foreign_solids){bytes, bytes + length};
  }
  weft_result result = ask(&wish, &a, err);
  if (result != WEFT_OK) weft_string_free(&a.text);
  *text = (weft_foreign_text){.obj = a.text,
                              .loses_skin = a.header.loses_skin != 0,
                              .loses_animation = a.header.loses_animation != 0,
                              .loses_alpha = a.header.loses_alpha != 0};
  return result;
}

const char *weft_mesh_importer(void) {
  static char text[48];
  snprintf(text, sizeof text, "assimp %u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(),
           aiGetVersionPatch());
  return text;
}

#endif
