/* interrupt.c: the handler calls nothing but what POSIX lists as safe in one. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { CAUGHT_COUNT = sizeof caught / sizeof caught[0] };

/* A handler has no argument of its own: this is the variable it reads. */
static struct {
  volatile sig_atomic_t remembers, signo, child;
  const char *advice, *command, *left; /* left: what there is of a run that ends at once */
  pthread_t thread;                    /* that outputs belong to */
  pid_t process;
} state;

static void end_by(int signo) {
  signal(signo, SIG_DFL);
  raise(signo); /* waits until the handler returns */
}

static const char *name_of(int signo) {
  return signo == SIGINT ? "Ctrl-C" : signo == SIGTERM ? "SIGTERM" : "SIGHUP";
}

static void say_left(int signo) {
  char text[400];
  size_t used = 0;
  const char *const parts[] = {isatty(STDERR_FILENO) ? "\r\033[K" : "",
                               "weft ",
                               state.command,
                               ": cut short by ",
                               name_of(signo),
                               " ",
                               state.left,
                               "\n"};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
    const size_t length = strlen(parts[k]);
    if (length > sizeof text - used) return;
    memcpy(text + used, parts[k], length);
    used += length;
  }
  ssize_t written = write(STDERR_FILENO, text, used);
  (void)written;
}

static void end_at_once(int signo) {
  if (state.child) kill((pid_t)state.child, SIGKILL);
  weft_outputs_abandon();
  if (state.left && signo != SIGPIPE) say_left(signo);
  end_by(signo);
}

static void remember(int signo) {
  state.signo = signo;
  if (!isatty(STDERR_FILENO)) return;
  ssize_t written = write(STDERR_FILENO, state.advice, strlen(state.advice));
  (void)written;
}

static void on_signal(int signo) {
  const int before = errno;
  if (getpid() != state.process) { /* a child that has not become another program yet */
    end_by(signo);
  } else if (!pthread_equal(pthread_self(), state.thread)) {
    pthread_kill(state.thread, signo);
  } else if (signo == SIGPIPE || !state.remembers || state.signo) {
    end_at_once(signo);
  } else {
    remember(signo);
  }
  errno = before;
}

void weft_interrupt_install(void) {
  struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  state.thread = pthread_self();
  state.process = getpid();
  for (int k = 0; k < CAUGHT_COUNT; ++k) {
    sigaction(caught[k], NULL, &before);
    if (before.sa_handler != SIG_IGN) sigaction(caught[k], &action, NULL);
  }
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a write that fails, with EFBIG */
}

void weft_interrupt_prepare(const char *left) {
  state.command = weft_cli_command();
  state.left = left;
}

void weft_interrupt_open(const char *advice) {
  state.left = NULL;
  state.signo = 0;
  state.advice = advice;
  state.remembers = true;
}

void weft_interrupt_close(void) {
  state.left = NULL;
  state.remembers = false;
  state.child = 0;
}

int weft_interrupt_is_open(void) { return state.remembers; }

int weft_interrupted(void) { return state.signo; }

int weft_interrupt_tell(const char *what) {
  weft_error err = {.code = WEFT_OK};
  snprintf(err.message, sizeof err.message, "cut short by %s %s", name_of(state.signo), what);
  weft_cli_fail(&err);
  return 128 + state.signo; /* as a shell reports it: WEFT_EXIT_INTERRUPTED for SIGINT */
}

void weft_interrupt_guard(pid_t child) { state.child = child; }
