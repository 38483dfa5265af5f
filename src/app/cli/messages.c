/* messages.c: sentences, the log and the progress bar on stderr; exit statuses. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"

/* What stderr shows at the moment. */
static struct {
  const char *command;
  bool bar;
  double drawn, since; /* seconds, when the bar was drawn last and when it began */
  double told;         /* when a line said last how far it is; 0: no progress yet */
  uint64_t done, total;
} screen;

void weft_cli_set_command(const char *command) { screen.command = command; }

const char *weft_cli_command(void) { return screen.command ? screen.command : ""; }

/* Before other lines are printed. */
static void clear_bar(void) {
  if (!screen.bar) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  screen.bar = false;
}

static void log_line(weft_log_level level, const char *line, void *user) {
  static const char *const names[] = {"error", "warning", "info", "debug"};
  (void)user;
  clear_bar();
  fprintf(stderr, "weft: %s: %s\n", names[level], line);
}

/* ---- errors ---- */

static void print_sentence(const char *sentence) {
  clear_bar();
  fflush(stdout);
  if (screen.command) {
    fprintf(stderr, "weft %s: %s\n", screen.command, sentence);
  } else {
    fprintf(stderr, "weft: %s\n", sentence);
  }
}

static int exit_status(weft_result result) {
  switch (result) {
    case WEFT_OK:
      return WEFT_EXIT_OK;
    case WEFT_ERROR_ARGUMENT:
      return WEFT_EXIT_USAGE;
    case WEFT_ERROR_FILE:
    case WEFT_ERROR_FORMAT:
    case WEFT_ERROR_MESH:
      return WEFT_EXIT_INPUT;
    case WEFT_ERROR_NO_GL:
      return WEFT_EXIT_NO_GL;
    case WEFT_ERROR_GL:
    case WEFT_ERROR_LIMIT:
      return WEFT_EXIT_DRIVER;
    case WEFT_ERROR_NOT_FINITE:
      return WEFT_EXIT_NOT_FINITE;
    case WEFT_ERROR_TANGLED:
      return WEFT_EXIT_TANGLED;
    case WEFT_ERROR_MEMORY:
      return WEFT_EXIT_MEMORY;
  }
  return WEFT_EXIT_DRIVER;
}

int weft_cli_fail(const weft_error *err) {
  print_sentence(err->message);
  return exit_status(err->code);
}

int weft_cli_fail_output(const weft_error *err) {
  print_sentence(err->message);
  return err->code == WEFT_ERROR_ARGUMENT ? WEFT_EXIT_USAGE : WEFT_EXIT_OUTPUT;
}

_Noreturn void weft_cli_out_of_memory(size_t bytes, void *context) {
  char sentence[96] = "out of memory: more was wanted than can be addressed";
  (void)context;
  if (bytes != SIZE_MAX) {
    snprintf(sentence, sizeof sentence, "out of memory: %s more bytes could not be had",
             weft_cli_grouped(bytes));
  }
  print_sentence(sentence);
  weft_outputs_abandon();
  _exit(WEFT_EXIT_MEMORY); /* what else would run at the end may want memory too */
}

int weft_cli_usage(const char *format, ...) {
  weft_error err = {.code = WEFT_ERROR_ARGUMENT};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(err.message, sizeof err.message, format, arguments);
  va_end(arguments);
  return weft_cli_fail(&err);
}

/* ---- progress ---- */

/* "31 %", and from a second on how long the rest takes at this pace. */
static void describe_progress(uint64_t done, uint64_t total, double passed, char *text,
                              size_t size) {
  int used = snprintf(text, size, "%.0f %%", floor(100.0 * (double)done / (double)total));
  if (done == 0 || passed < 1) return;
  double left = ceil(passed * (double)(total - done) / (double)done);
  int minutes = (int)fmin(left / 60, 1e6), seconds = (int)fmin(left - 60.0 * minutes, 59);
  snprintf(text + used, size - (size_t)used, ", %d:%02d left", minutes, seconds);
}

static void draw_bar(const char *what, uint64_t done, uint64_t total, double now) {
  enum { WIDTH = 32 };
  char bar[WIDTH + 1], text[48];
  if (screen.bar && now - screen.drawn < 0.1) return;
  int full = (int)(done * WIDTH / total);
  for (int k = 0; k < WIDTH; ++k) bar[k] = k < full ? '#' : '.';
  bar[WIDTH] = 0;
  describe_progress(done, total, now - screen.since, text, sizeof text);
  fprintf(stderr, "\r%s [%s] %s\033[K", what, bar, text);
  fflush(stderr);
  screen.bar = true;
  screen.drawn = now;
}

/* Whoever reads a log wants to know that the command lives, and no more. */
static void tell_progress(const char *what, uint64_t done, uint64_t total, double now) {
  char text[48];
  if (screen.told == 0) screen.told = now;
  if (now - screen.told < 10) return;
  describe_progress(done, total, now - screen.since, text, sizeof text);
  fprintf(stderr, "weft: so far: %s, %s\n", what, text);
  screen.told = now;
}

/* A bar that goes on where another of its length was hidden keeps its time. */
static void show_progress(const char *what, uint64_t done, uint64_t total, void *user) {
  (void)user;
  if (done >= total) {
    clear_bar();
    return;
  }
  const double now = weft_clock_seconds();
  if (done == 0 || done < screen.done || total != screen.total) screen.since = now;
  screen.done = done;
  screen.total = total;
  if (isatty(STDERR_FILENO)) {
    draw_bar(what, done, total, now);
  } else {
    tell_progress(what, done, total, now);
  }
}

void weft_cli_duration(double seconds, char *text, size_t size) {
  if (seconds < 59.5) {
    snprintf(text, size, "%.0f s", seconds);
  } else if (seconds < 3570) {
    snprintf(text, size, "%.0f min", seconds / 60);
  } else {
    snprintf(text, size, "%.1f h", seconds / 3600);
  }
}

void weft_cli_log_level(weft_log_level level) {
  weft_log_set(log_line, NULL, level);
  weft_progress_set(show_progress, NULL);
}

/* ---- words for reports ---- */

const char *weft_cli_grouped(uint64_t value) {
  static char buffers[8][32];
  static unsigned turn;
  char *out = buffers[turn++ % 8];
  weft_group_digits(out, value);
  return out;
}

const char *weft_cli_shown(const char *name) {
  static char buffers[4][400];
  static unsigned turn;
  return weft_printable(name, strlen(name), buffers[turn++ % 4], sizeof buffers[0]);
}

const char *weft_cli_self_text(const weft_metrics *m) {
  static char text[240];
  snprintf(text, sizeof text,
           "%u motion%s cut, %u pair%s uncertain, %u pin%s or vertices of bodies held back, %u "
           "redetection%s, "
           "%u contact step%s paused, %u for want of room",
           m->self_limited, weft_plural(m->self_limited), m->self_uncertain,
           weft_plural(m->self_uncertain), m->self_driven, weft_plural(m->self_driven),
           m->self_detections, weft_plural(m->self_detections), m->self_pauses,
           weft_plural(m->self_pauses), m->self_overflows);
  return text;
}

const char *weft_cli_body_text(const weft_metrics *m) {
  static char text[160];
  int at = snprintf(text, sizeof text, "%u particle%s inside, ", m->body_inside,
                    weft_plural(m->body_inside));
  if (m->body_held == 0) {
    snprintf(text + at, sizeof text - (size_t)at, "all where they were told to be");
  } else {
    snprintf(text + at, sizeof text - (size_t)at,
             "%u of their vertices held back, by %.3g mm at most", m->body_held,
             1e3 * m->body_held_most);
  }
  return text;
}
