/* foreign.c: formats other than OBJ.
 *
 * The importer library parses dozens of formats in unchecked C++; broken files make it crash, run
 * for ever or ask for all memory. So the program weft does that, in a process of its own with
 * limits on time and memory, and sends OBJ text back through a pipe. Whatever happens to that
 * process becomes one sentence; whatever it sends is checked like any other input. Time and memory
 * grow with the size of the file, so that a small one that claims to be large is soon given up. */
#define _POSIX_C_SOURCE 200809L
#include "foreign.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft_kit/import.h>

#include "files.h"
#include "foreign_pipe.h"

extern char **environ;

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

/* ---- the program ---- */

static char program[4096];

void weft_mesh_set_reader(const char *path) {
  snprintf(program, sizeof program, "%s", path ? path : "");
}

static const char *reader(void) {
  const char *said = getenv("WEFT_PROGRAM");
  if (program[0]) return program;
  return said && said[0] ? said : "weft";
}

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

/* ---- the life of the process ---- */

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

/* What a file of its size may take. */
typedef struct limits {
  unsigned seconds; /* of a processor */
  uint64_t memory;  /* bytes */
} limits;

static limits limits_of(const char *path) {
  struct stat info = {0};
  const uint64_t bytes = stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
  const uint64_t mebibytes = bytes >> 20;
  return (limits){.seconds = (unsigned)(mebibytes < 60 ? 3 + mebibytes : 63),
                  .memory = (UINT64_C(512) << 20) + 64 * bytes};
}

/* An error number, 0 for none. The child's standard output is `out`, its other streams nothing. */
static int start(char *file, limits most, int out, pid_t *child) {
  char seconds[16], memory[24], name[] = "weft", command[] = WEFT_FOREIGN_COMMAND;
  char *arguments[] = {name, command, file, seconds, memory, NULL};
  posix_spawn_file_actions_t streams;
  snprintf(seconds, sizeof seconds, "%u", most.seconds);
  snprintf(memory, sizeof memory, "%" PRIu64, most.memory);
  int failed = posix_spawn_file_actions_init(&streams);
  if (!failed) {
    failed = posix_spawn_file_actions_adddup2(&streams, out, STDOUT_FILENO);
    if (!failed) failed = posix_spawn_file_actions_addopen(&streams, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(&streams, 2, "/dev/null", O_WRONLY, 0);
    if (!failed) failed = posix_spawnp(child, reader(), &streams, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&streams);
  }
  return failed;
}

static weft_result cannot_start(const char *path, int why, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FILE,
                   "%s: formats other than OBJ are read by the program weft, and \"%s\" cannot be "
                   "started: %s (say where it is with WEFT_PROGRAM)",
                   weft_shown_path(path), reader(), strerror(why));
}

typedef struct child {
  pid_t process; /* -1 before it is started */
  int fd;        /* what it writes is read there */
  weft_deferred *deferred;
} child;

/* False where the child did not end well. */
static bool follow(const child *c, unsigned seconds, answer *a) {
  /* Time of a processor is what counts; beside much else that takes longer. */
  const double deadline = weft_clock_seconds() + 20 + 4 * seconds;
  const bool received = receive_answer(c->fd, deadline, a);
  weft_defer_end(c->deferred);
  if (!received && weft_clock_seconds() >= deadline) kill(c->process, SIGKILL);
  close(c->fd); /* a child that still writes ends */
  int status = 0;
  while (waitpid(c->process, &status, 0) < 0 && errno == EINTR) continue;
  if (received && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  describe_end(status, seconds, a->reason, sizeof a->reason);
  return false;
}

/* Whose answer nobody waits for. */
static void give_up(void *what) {
  const child *c = what;
  if (c->process < 0) return;
  kill(c->process, SIGKILL);
  close(c->fd);
  while (waitpid(c->process, NULL, 0) < 0 && errno == EINTR) continue;
}

/* 0, or why it cannot be started. */
static int begin(char *file, limits most, child *c) {
  int ends[2];
  pid_t process;
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  const int failed = start(file, most, ends[1], &process);
  close(ends[1]);
  if (failed) {
    close(ends[0]);
    return failed;
  }
  c->process = process;
  c->fd = ends[0];
  return 0;
}

static weft_result ask(const char *path, answer *a, weft_error *err) {
  const limits most = limits_of(path);
  char *file = weft_strdup(path);
  child c = {.process = -1};
  c.deferred = weft_defer(give_up, &c);
  const int failed = begin(file, most, &c);
  weft_free(file);
  if (failed) weft_defer_end(c.deferred);
  if (failed) return cannot_start(path, failed, err);
  if (follow(&c, most.seconds, a) && !a->reason[0]) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %s", weft_shown_path(path), a->reason);
}

weft_result weft_foreign_read(const char *path, weft_foreign_text *text, weft_error *err) {
  answer a = {.reason = ""};
  weft_result result = ask(path, &a, err);
  if (result != WEFT_OK) weft_string_free(&a.text);
  *text = (weft_foreign_text){.obj = a.text,
                              .loses_skin = a.header.loses_skin != 0,
                              .loses_animation = a.header.loses_animation != 0,
                              .loses_alpha = a.header.loses_alpha != 0};
  return result;
}
