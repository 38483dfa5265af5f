/* messages.c: sentences, the log and the progress bar on stderr; exit statuses. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* What stderr shows at the moment. */
static struct {
  const char *command;
  bool bar;
  double drawn; /* seconds, when the bar was drawn last */
} screen;

void weft_cli_set_command(const char *command) { screen.command = command; }

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
  }
  return WEFT_EXIT_DRIVER;
}

int weft_cli_fail(const weft_error *err) {
  print_sentence(err->message);
  return exit_status(err->code);
}

int weft_cli_fail_output(const weft_error *err) {
  print_sentence(err->message);
  return WEFT_EXIT_OUTPUT;
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

static void draw_bar(const char *what, uint64_t done, uint64_t total, const char *more) {
  enum { WIDTH = 32 };
  if (!isatty(STDERR_FILENO)) return;
  if (done >= total) {
    clear_bar();
    return;
  }
  double now = weft_clock_seconds();
  if (screen.bar && now - screen.drawn < 0.1) return;
  char bar[WIDTH + 1];
  int full = (int)(done * WIDTH / total);
  for (int k = 0; k < WIDTH; ++k) bar[k] = k < full ? '#' : '.';
  bar[WIDTH] = 0;
  fprintf(stderr, "\r%s [%s] %llu/%llu%s\033[K", what, bar, (unsigned long long)done,
          (unsigned long long)total, more);
  fflush(stderr);
  screen.bar = true;
  screen.drawn = now;
}

static void show_progress(const char *what, uint64_t done, uint64_t total, void *user) {
  (void)user;
  draw_bar(what, done, total, "");
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

void weft_cli_progress_timed(const char *what, uint64_t done, uint64_t total, double since) {
  double passed = weft_clock_seconds() - since, rate = passed > 0 ? (double)done / passed : 0;
  char more[80] = "";
  if (done > 0 && rate > 0) {
    double left = ceil((double)(total - done) / rate);
    int minutes = (int)fmin(left / 60, 1e6), seconds = (int)fmin(left - 60.0 * minutes, 59);
    snprintf(more, sizeof more, "  %.3g frames/s, %d:%02d left", rate, minutes, seconds);
  }
  draw_bar(what, done, total, more);
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
