/* interrupt.c: the handler calls nothing but what POSIX lists as safe in one. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT_COUNT = sizeof caught / sizeof caught[0] };

/* A handler has no argument of its own: this is the variable it reads. */
static struct {
  volatile sig_atomic_t signo, child, guarded;
  const char *advice;
  struct sigaction before[CAUGHT_COUNT];
  char file[4096];
} state;

static void end_at_once(int signo) {
  if (state.child) kill((pid_t)state.child, SIGKILL);
  if (state.guarded) unlink(state.file);
  signal(signo, SIG_DFL);
  raise(signo); /* waits until the handler returns */
}

static void on_signal(int signo) {
  if (state.signo) {
    end_at_once(signo);
    return;
  }
  state.signo = signo;
  if (isatty(STDERR_FILENO)) {
    ssize_t written = write(STDERR_FILENO, state.advice, strlen(state.advice));
    (void)written;
  }
}

void weft_interrupt_open(const char *advice) {
  state.signo = 0;
  state.advice = advice;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int k = 0; k < CAUGHT_COUNT; ++k) {
    sigaction(caught[k], NULL, &state.before[k]);
    if (state.before[k].sa_handler != SIG_IGN) sigaction(caught[k], &action, NULL);
  }
}

void weft_interrupt_close(void) {
  for (int k = 0; k < CAUGHT_COUNT; ++k) sigaction(caught[k], &state.before[k], NULL);
  weft_interrupt_guard(0, NULL);
}

int weft_interrupted(void) { return state.signo; }

const char *weft_interrupt_name(int signo) {
  return signo == SIGINT ? "Ctrl-C" : signo == SIGTERM ? "SIGTERM" : "SIGHUP";
}

void weft_interrupt_guard(pid_t child, const char *file) {
  state.guarded = 0;
  state.child = 0;
  if (file && strlen(file) < sizeof state.file) {
    snprintf(state.file, sizeof state.file, "%s", file);
    state.guarded = 1;
  }
  state.child = child;
}
