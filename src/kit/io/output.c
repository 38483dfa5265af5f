/* Files that appear whole or not at all. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

struct weft_output {
  FILE *file;
  char *path;
  char *place;     /* the file that takes its name: the one that links at `path` lead to */
  char *temporary; /* NULL for a device or pipe, which is written as it is */
  bool kept;       /* the temporary one stays */
  bool waits;      /* a pipe that was opened to see whether it can be, for who opens it next */
  weft_output *next;
  weft_deferred *deferred; /* it is abandoned */
};

/* Those that are open. Outputs belong to one thread, the program's own; a handler of signals on
 * that thread finds the list whole at any moment, and in it every temporary file that there is. */
static weft_output *volatile outputs;

static void abandon(void *out);

/* Before there is a file, which would be forgotten if memory ran out here. */
static weft_output *enlist(const char *path, char *place, char *temporary) {
  weft_output *out = weft_alloc(1, sizeof *out);
  *out = (weft_output){.path = weft_strdup(path), .place = place, .temporary = temporary};
  out->deferred = weft_defer(abandon, out);
  out->next = outputs;
  atomic_signal_fence(memory_order_seq_cst);
  outputs = out;
  return out;
}

static void release(weft_output *out) {
  weft_defer_end(out->deferred);
  if (outputs == out) {
    outputs = out->next;
  } else {
    weft_output *before = outputs;
    while (before->next != out) before = before->next;
    before->next = out->next;
  }
  atomic_signal_fence(memory_order_seq_cst);
  weft_free(out->path);
  weft_free(out->place);
  weft_free(out->temporary);
  weft_free(out);
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
  weft_output *made = enlist("standard output", NULL, NULL);
  const int fd = fcntl(standard_output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  made->file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!made->file) {
    cannot_write("standard output", err);
    if (fd >= 0) close(fd);
    release(made);
    return WEFT_ERROR_FILE;
  }
  *out = made;
  return WEFT_OK;
}

static weft_output *find_waiting(const char *path) {
  weft_output *out = outputs;
  while (out && !(out->waits && strcmp(out->path, path) == 0)) out = out->next;
  return out;
}

/* /dev/null, a pipe: nothing to lose there, and renaming over it would destroy it. */
static weft_result open_device(const char *path, weft_output **out, weft_error *err) {
  *out = find_waiting(path);
  if (*out) {
    (*out)->waits = false;
    return WEFT_OK;
  }
  weft_output *made = enlist(path, NULL, NULL);
  made->file = fopen(path, "wb");
  if (!made->file) {
    cannot_write(path, err);
    release(made);
    return WEFT_ERROR_FILE;
  }
  *out = made;
  return WEFT_OK;
}

/* What a link that leads nowhere yet would make. NULL where it leads in a circle. */
static char *follow_links(const char *path) {
  enum { MOST_LINKS = 40, LONGEST = 4096 };
  char target[LONGEST], *place = weft_strdup(path);
  for (int k = 0; k < MOST_LINKS; ++k) {
    const ssize_t length = readlink(place, target, sizeof target);
    if (length < 0) return place;
    const char *slash = target[0] == '/' ? NULL : strrchr(place, '/');
    weft_string next = {0};
    if (slash) weft_string_add_bytes(&next, place, (size_t)(slash + 1 - place));
    weft_string_add_bytes(&next, target, (size_t)length);
    weft_free(place);
    place = next.bytes;
  }
  weft_free(place);
  errno = ELOOP;
  return NULL;
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

/* Owner and mode of the file whose place it takes, as if that were written anew. A group that
 * cannot be kept gets nothing. */
static void keep_mode(FILE *file, const struct stat *older) {
  const int fd = fileno(file);
  const bool kept =
      fchown(fd, older->st_uid, older->st_gid) == 0 || fchown(fd, (uid_t)-1, older->st_gid) == 0;
  fchmod(fd, older->st_mode & (kept ? 0777 : 0707));
}

static weft_result open_file(const char *path, const struct stat *older, weft_output **out,
                             weft_error *err) {
  char *place = follow_links(path);
  if (!place || (older && access(place, W_OK) != 0)) {
    weft_free(place);
    return cannot_write(path, err);
  }
  size_t length = strlen(place) + 32;
  char *temporary = weft_alloc(length, 1);
  snprintf(temporary, length, "%s.tmp.%ld", place, (long)getpid());
  weft_output *made = enlist(path, place, temporary);
  made->file = open_temporary(temporary);
  if (!made->file) {
    cannot_write(path, err);
    release(made);
    return WEFT_ERROR_FILE;
  }
  if (older) keep_mode(made->file, older);
  *out = made;
  return WEFT_OK;
}

weft_result weft_output_open(const char *path, weft_output **out, weft_error *err) {
  *out = NULL;
  struct stat older;
  if (strcmp(path, "-") == 0) return open_standard(out, err);
  const bool exists = stat(path, &older) == 0;
  if (exists && S_ISDIR(older.st_mode)) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write: is a directory", path);
  }
  if (exists && !S_ISREG(older.st_mode)) return open_device(path, out, err);
  return open_file(path, exists ? &older : NULL, out, err);
}

char *weft_output_place(const char *path) {
  char *followed = follow_links(path), *place = followed ? followed : weft_strdup(path);
  char *slash = strrchr(place, '/');
  weft_string folder = {0}, whole = {0};
  if (slash) weft_string_add_bytes(&folder, place, (size_t)(slash + 1 - place));
  char real[PATH_MAX];
  if (realpath(slash ? folder.bytes : ".", real)) {
    const char *between = strcmp(real, "/") == 0 ? "" : "/";
    weft_string_add(&whole, "%s%s%s", real, between, slash ? slash + 1 : place);
    weft_free(place);
    place = whole.bytes;
  }
  weft_string_free(&folder);
  return place;
}

/* Who reads a pipe has read it when it is closed. */
static bool is_pipe(const weft_output *out) {
  struct stat info;
  return !out->temporary && fstat(fileno(out->file), &info) == 0 && S_ISFIFO(info.st_mode);
}

weft_result weft_output_check(const char *path, weft_error *err) {
  weft_output *out;
  if (!path) return WEFT_OK;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  if (strcmp(path, "-") != 0 && is_pipe(out)) {
    out->waits = true;
  } else {
    weft_output_abandon(out);
  }
  return WEFT_OK;
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
  if (!failed && out->temporary && rename(out->temporary, out->place) != 0) {
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

/* What the old stream still holds goes behind those bytes, and away with the rest. */
bool weft_output_cut(weft_output *out, uint64_t bytes) {
  const int fd = fcntl(fileno(out->file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  FILE *fresh = fd < 0 ? NULL : fdopen(fd, "r+b");
  if (!fresh) {
    if (fd >= 0) close(fd);
    return false;
  }
  fclose(out->file);
  out->file = fresh;
  return ftruncate(fd, (off_t)bytes) == 0 && fseeko(fresh, (off_t)bytes, SEEK_SET) == 0;
}

void weft_output_abandon(weft_output *out) {
  if (!out) return;
  if (out->file) fclose(out->file);
  if (out->temporary && !out->kept) unlink(out->temporary);
  release(out);
}

/* Its memory goes with that of the scope. */
static void abandon(void *what) {
  weft_output *out = what;
  out->deferred = NULL;
  weft_output_abandon(out);
}

void weft_outputs_abandon(void) {
  for (weft_output *out = outputs; out; out = out->next) {
    if (out->temporary && !out->kept) unlink(out->temporary);
  }
}

/* ---- what is needed to go on ---- */

weft_result weft_output_sync(weft_output *out, weft_error *err) {
  const bool synced = fflush(out->file) == 0 && (!out->temporary || fsync(fileno(out->file)) == 0);
  return synced ? WEFT_OK : cannot_write(out->path, err);
}

void weft_output_keep(weft_output *out) { out->kept = true; }

bool weft_output_kept(const weft_output *out) { return out->kept; }

/* "a.pc2.tmp.aside" and such, of where links lead to. */
static char *beside(const char *path, const char *ending) {
  char *place = follow_links(path);
  weft_string name = {0};
  weft_string_add(&name, "%s.tmp.%s", place ? place : path, ending);
  weft_free(place);
  return name.bytes;
}

void weft_output_set_aside(const char *path, uint64_t process) {
  char number[24];
  snprintf(number, sizeof number, "%llu", (unsigned long long)process);
  char *left = beside(path, number), *aside = beside(path, "aside");
  (void)rename(left, aside); /* it may have left nothing */
  weft_free(left);
  weft_free(aside);
}

char *weft_output_aside(const char *path) {
  char *aside = beside(path, "aside");
  if (access(aside, R_OK) == 0) return aside;
  weft_free(aside);
  return NULL;
}

void weft_output_forget_aside(const char *path) {
  char *aside = beside(path, "aside");
  unlink(aside);
  weft_free(aside);
}
