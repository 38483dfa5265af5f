/* video.c: ffmpeg as a child, without a shell. */
#define _POSIX_C_SOURCE 200809L
#include "video.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"
#include "output.h"

extern char **environ;

struct weft_video {
  char *path;
  weft_output *output; /* ffmpeg writes to its temporary name */
  FILE *messages;      /* what ffmpeg says; a file, so that it never waits for a reader */
  struct sigaction sigpipe;
  pid_t child;
  int pipe; /* -1: closed */
};

weft_video_format weft_video_format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".mp4") == 0) return WEFT_VIDEO_MP4;
  if (dot && strcasecmp(dot, ".webm") == 0) return WEFT_VIDEO_WEBM;
  if (dot && strcasecmp(dot, ".gif") == 0) return WEFT_VIDEO_GIF;
  return WEFT_VIDEO_NONE;
}

/* ---- the command line ---- */

enum { MAX_ARGUMENTS = 64 };

typedef struct arguments {
  const char *items[MAX_ARGUMENTS];
  size_t count;
} arguments;

static void add(arguments *a, const char *const *items) {
  for (; *items; ++items) {
    WEFT_CHECK(a->count + 1 < MAX_ARGUMENTS, "too many arguments for ffmpeg");
    a->items[a->count++] = *items;
  }
}

#define ADD(a, ...) add(a, (const char *const[]){__VA_ARGS__, NULL})

/* sRGB bytes go into the BT.709 colours that players assume for video, and the file says so. */
static void add_colours(arguments *a) {
  ADD(a, "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-colorspace",
      "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv");
}

/* One palette for all pictures compresses best, but all wait in memory until it is known. */
static void add_palette(arguments *a, const weft_video_desc *d) {
  enum { MAX_WAITING_PIXELS = 1 << 28 };
  bool few = (uint64_t)d->width * d->height * d->count <= MAX_WAITING_PIXELS;
  ADD(a, "-filter_complex",
      few ? "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=bayer:"
            "bayer_scale=4:diff_mode=rectangle"
          : "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:"
            "bayer_scale=4");
}

static void add_codec(arguments *a, const weft_video_desc *d) {
  switch (d->format) {
    case WEFT_VIDEO_MP4:
      add_colours(a);
      ADD(a, "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart", "-f",
          "mp4");
      break;
    case WEFT_VIDEO_WEBM:
      add_colours(a);
      ADD(a, "-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4",
          "-row-mt", "1", "-f", "webm");
      break;
    case WEFT_VIDEO_GIF:
      add_palette(a, d);
      ADD(a, "-loop", "0", "-f", "gif");
      break;
    case WEFT_VIDEO_NONE:
      break;
  }
}

/* ---- life ---- */

static pid_t spawn(const arguments *a, int input, FILE *messages, int *why) {
  pid_t child = 0;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, fileno(messages), STDERR_FILENO);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigdefault(&how, &signals);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  *why = posix_spawnp(&child, a->items[0], &files, &how, (char **)(uintptr_t)a->items, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return *why ? 0 : child;
}

static weft_result start(weft_video *v, const weft_video_desc *d, weft_error *err) {
  char size[32], rate[32], *target = weft_alloc(strlen(weft_output_writes_to(v->output)) + 6, 1);
  snprintf(size, sizeof size, "%ux%u", d->width, d->height);
  snprintf(rate, sizeof rate, "%.6g", d->fps);
  strcat(strcpy(target, "file:"), weft_output_writes_to(v->output)); /* never an option or URL */
  arguments a = {0};
  ADD(&a, "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo",
      "-pix_fmt", "rgb24", "-video_size", size, "-framerate", rate, "-i", "pipe:0");
  add_codec(&a, d);
  ADD(&a, target);
  int ends[2], why = 0;
  if (pipe(ends) != 0) {
    weft_free(target);
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot make a pipe: %s", v->path, strerror(errno));
  }
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  v->pipe = ends[1];
  v->child = spawn(&a, ends[0], v->messages, &why);
  close(ends[0]);
  weft_free(target);
  if (v->child) return WEFT_OK;
  if (why == ENOENT) {
    return weft_fail(err, WEFT_ERROR_FILE,
                     "%s: a video needs ffmpeg, and there is none in PATH; install it, or write "
                     "numbered pictures with -o NAME-%%04d.png",
                     v->path);
  }
  return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot start ffmpeg: %s", v->path, strerror(why));
}

weft_result weft_video_open(const weft_video_desc *desc, weft_video **video, weft_error *err) {
  *video = NULL;
  struct stat info;
  if (stat(desc->path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return weft_fail(err, WEFT_ERROR_FILE, "%s: cannot write a video to a device or pipe",
                     desc->path);
  }
  weft_video *v = weft_alloc(1, sizeof *v);
  *v = (weft_video){.path = weft_strdup(desc->path), .pipe = -1, .messages = tmpfile()};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, &v->sigpipe); /* a dead ffmpeg is an error of write */
  weft_result result = WEFT_OK;
  if (!v->messages) {
    result = weft_fail(err, WEFT_ERROR_FILE, "%s: cannot make a temporary file: %s", v->path,
                       strerror(errno));
  } else {
    fcntl(fileno(v->messages), F_SETFD, FD_CLOEXEC);
    result = weft_output_open(desc->path, &v->output, err);
  }
  if (result == WEFT_OK) result = start(v, desc, err);
  if (result != WEFT_OK) {
    weft_video_abandon(v);
    return result;
  }
  weft_interrupt_guard(v->child);
  *video = v;
  return WEFT_OK;
}

/* ---- the end ---- */

static void close_pipe(weft_video *v) {
  if (v->pipe >= 0) close(v->pipe);
  v->pipe = -1;
}

/* The child's exit status, or -1. Unguarded while it is still ours: its number may be another's as
 * soon as it has been waited for. */
static int wait_for(weft_video *v) {
  int status = 0;
  siginfo_t info;
  if (!v->child) return -1;
  while (waitid(P_PID, (id_t)v->child, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  weft_interrupt_guard(0);
  waitpid(v->child, &status, 0);
  v->child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The last line ffmpeg wrote, but not its summing up. */
static void last_message(weft_video *v, char *text, size_t size) {
  char line[400];
  snprintf(text, size, "it gave no reason");
  rewind(v->messages);
  while (fgets(line, sizeof line, v->messages)) {
    line[strcspn(line, "\r\n")] = 0;
    if (line[0] && strcmp(line, "Conversion failed!") != 0) snprintf(text, size, "%.200s", line);
  }
}

static weft_result ffmpeg_failed(weft_video *v, weft_error *err) {
  char said[256];
  last_message(v, said, sizeof said);
  return weft_fail(err, WEFT_ERROR_FILE, "%s: ffmpeg failed: %s", v->path, said);
}

static void release(weft_video *v) {
  weft_interrupt_guard(0);
  sigaction(SIGPIPE, &v->sigpipe, NULL);
  if (v->messages) fclose(v->messages);
  weft_free(v->path);
  weft_free(v);
}

weft_result weft_video_write(weft_video *v, const weft_image *image, weft_error *err) {
  const uint8_t *at = image->pixels;
  size_t left = (size_t)3 * image->width * image->height;
  while (left > 0) {
    ssize_t written = write(v->pipe, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      close_pipe(v);
      wait_for(v); /* all it says is then there */
      return ffmpeg_failed(v, err);
    }
    at += written;
    left -= (size_t)written;
  }
  return WEFT_OK;
}

weft_result weft_video_close(weft_video *v, weft_error *err) {
  close_pipe(v);
  struct stat info;
  weft_result result = WEFT_OK;
  if (wait_for(v) != 0 || stat(weft_output_writes_to(v->output), &info) != 0 || info.st_size == 0) {
    result = ffmpeg_failed(v, err);
    weft_output_abandon(v->output);
  } else {
    result = weft_output_close(v->output, err);
  }
  release(v);
  return result;
}

void weft_video_abandon(weft_video *v) {
  if (!v) return;
  close_pipe(v);
  if (v->child) kill(v->child, SIGKILL);
  wait_for(v);
  weft_output_abandon(v->output);
  release(v);
}
