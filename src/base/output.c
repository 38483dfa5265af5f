/* Files that appear whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
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

/* Those that are open. Outputs belong to one thread, the program's own. */
static weft_output *outputs;

static weft_output *enlist(FILE *file, const char *path, char *temporary) {
  weft_output *out = weft_alloc(1, sizeof *out);
  *out = (weft_output){file, weft_strdup(path), temporary, outputs};
  outputs = out;
  return out;
}

/* /dev/null, a pipe: nothing to lose there, and renaming over it would destroy it. */
static weft_result open_device(const char *path, weft_output **out, weft_error *err) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: %s", path, strerror(errno));
  }
  *out = enlist(file, path, NULL);
  return WEFT_OK;
}

weft_result weft_output_open(const char *path, weft_output **out, weft_error *err) {
  *out = NULL;
  struct stat info;
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: is a directory", path);
  }
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) return open_device(path, out, err);
  size_t length = strlen(path) + 32;
  char *temporary = weft_alloc(length, 1);
  snprintf(temporary, length, "%s.tmp.%ld", path, (long)getpid());
  /* O_EXCL: never follow a link that somebody left under that name. */
  int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST && unlink(temporary) == 0) {
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!file) {
    weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    free(temporary);
    return WEFT_ERROR_FILE;
  }
  *out = enlist(file, path, temporary);
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

static void release(weft_output *out) {
  weft_output **link = &outputs;
  while (*link != out) link = &(*link)->next;
  *link = out->next;
  free(out->path);
  free(out->temporary);
  free(out);
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
