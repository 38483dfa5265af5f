/* Files that appear whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"

struct weft_output {
  FILE *file;
  char *path;
  char *temporary; /* NULL for a device or pipe, which is written as it is */
  weft_output *next;
};

/* Those that are open. Outputs belong to one thread, the program's own; a handler of signals on
 * that thread finds the list whole at any moment, and in it every temporary file that there is. */
static weft_output *volatile outputs;

static weft_output *enlist(FILE *file, const char *path, char *temporary) {
  weft_output *out = weft_alloc(1, sizeof *out);
  *out = (weft_output){file, weft_strdup(path), temporary, outputs};
  atomic_signal_fence(memory_order_seq_cst);
  outputs = out;
  return out;
}

static void release(weft_output *out) {
  if (outputs == out) {
    outputs = out->next;
  } else {
    weft_output *before = outputs;
    while (before->next != out) before = before->next;
    before->next = out->next;
  }
  atomic_signal_fence(memory_order_seq_cst);
  free(out->path);
  free(out->temporary);
  free(out);
}

/* ---- opening ---- */

static weft_result cannot_write(const char *path, weft_error *err) {
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: %s", path, strerror(errno));
}

/* Where "-" goes. */
static int standard_output = STDOUT_FILENO;

void weft_output_take_standard(void) {
  if (standard_output != STDOUT_FILENO) return;
  fflush(stdout);
  const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;
  standard_output = kept;
}

static weft_result open_standard(weft_output **out, weft_error *err) {
  const int fd = fcntl(standard_output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!file) {
    cannot_write("standard output", err);
    if (fd >= 0) close(fd);
    return WEFT_ERROR_FILE;
  }
  *out = enlist(file, "standard output", NULL);
  return WEFT_OK;
}

/* /dev/null, a pipe: nothing to lose there, and renaming over it would destroy it. */
static weft_result open_device(const char *path, weft_output **out, weft_error *err) {
  FILE *file = fopen(path, "wb");
  if (!file) return cannot_write(path, err);
  *out = enlist(file, path, NULL);
  return WEFT_OK;
}

/* O_EXCL: never follows a link that somebody left under that name. */
static FILE *open_temporary(const char *name) {
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  int fd = open(name, flags, 0666);
  if (fd < 0 && errno == EEXIST && unlink(name) == 0) fd = open(name, flags, 0666);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w+b");
  if (!file && fd >= 0) close(fd);
  return file;
}

weft_result weft_output_open(const char *path, weft_output **out, weft_error *err) {
  *out = NULL;
  struct stat info;
  if (strcmp(path, "-") == 0) return open_standard(out, err);
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: is a directory", path);
  }
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) return open_device(path, out, err);
  size_t length = strlen(path) + 32;
  char *temporary = weft_alloc(length, 1);
  snprintf(temporary, length, "%s.tmp.%ld", path, (long)getpid());
  weft_output *made = enlist(NULL, path, temporary); /* before there is a file to be forgotten */
  made->file = open_temporary(temporary);
  if (!made->file) {
    cannot_write(path, err);
    release(made);
    return WEFT_ERROR_FILE;
  }
  *out = made;
  return WEFT_OK;
}

weft_result weft_output_check(const char *path, weft_error *err) {
  weft_output *out;
  if (!path) return WEFT_OK;
  weft_result result = weft_output_open(path, &out, err);
  if (result == WEFT_OK) weft_output_abandon(out);
  return result;
}

FILE *weft_output_file(weft_output *out) { return out->file; }

const char *weft_output_writes_to(const weft_output *out) {
  return out->temporary ? out->temporary : out->path;
}

weft_result weft_output_close(weft_output *out, weft_error *err) {
  bool failed = fflush(out->file) != 0 || ferror(out->file) != 0;
  int why = errno;
  if (fclose(out->file) != 0 && !failed) {
    failed = true;
    why = errno;
  }
  if (!failed && out->temporary && rename(out->temporary, out->path) != 0) {
    failed = true;
    why = errno;
  }
  weft_result result = WEFT_OK;
  if (failed) {
    if (out->temporary) unlink(out->temporary);
    result = weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: %s", out->path, strerror(why));
  }
  release(out);
  return result;
}

void weft_output_abandon(weft_output *out) {
  if (!out) return;
  fclose(out->file);
  if (out->temporary) unlink(out->temporary);
  release(out);
}

void weft_outputs_abandon(void) {
  for (weft_output *out = outputs; out; out = out->next) {
    if (out->temporary) unlink(out->temporary);
  }
}
