/* python.c: Python as a child. The script is an argument, so nothing has to be found on disk; what
 * goes in and comes out goes through files. */
#define _POSIX_C_SOURCE 200809L
#include "python.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base.h"
#include "embedded.h"
#include "output.h"

extern char **environ;

enum { NOT_STARTED = 256 }; /* beyond the exit statuses there are */

static const char *text_of(const char *script) {
  uint32_t k = 0;
  while (strcmp(weft_embedded_scripts[k].path, script) != 0) ++k;
  return weft_embedded_scripts[k].text;
}

/* Runs a script; NULL: the stream of weft itself. Returns the exit status. */
static int run_script(const char *python, const char *script, const char *const *given, FILE *input,
                      FILE *output, FILE *messages) {
  const char *arguments[WEFT_PYTHON_ARGUMENTS + 4] = {python, "-c", text_of(script)};
  for (size_t k = 0; given[k]; ++k) {
    WEFT_CHECK(k < WEFT_PYTHON_ARGUMENTS, "too many arguments for a script");
    arguments[3 + k] = given[k];
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (input) posix_spawn_file_actions_adddup2(&files, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(output ? output : messages), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(messages), STDERR_FILENO);
  pid_t child;
  int status = 0,
      failed = posix_spawnp(&child, python, &files, NULL, (char **)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) return NOT_STARTED;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_STARTED - 1;
}

/* The last line of what the script said. */
static void read_message(FILE *messages, char *text, size_t size) {
  char line[400];
  snprintf(text, size, "it said nothing");
  rewind(messages);
  while (fgets(line, sizeof line, messages)) {
    line[strcspn(line, "\n")] = 0;
    if (*line) snprintf(text, size, "%s", line);
  }
}

/* The first Python that has matplotlib; NULL without one. `started`: whether there is any. */
static const char *find_python(const char *script, bool *started) {
  const char *own = getenv("WEFT_PYTHON");
  const char *const usual[] = {"python3", "/usr/bin/python3", NULL}, *const check[] = {"--check",
                                                                                       NULL};
  const char *const given[] = {own, NULL}, *const *names = own && *own ? given : usual;
  FILE *messages = tmpfile();
  const char *found = NULL;
  *started = false;
  for (; messages && *names && !found; ++names) {
    int status = run_script(*names, script, check, NULL, NULL, messages);
    if (status != NOT_STARTED) *started = true;
    if (status == 0) found = *names;
  }
  if (messages) fclose(messages);
  return found;
}

weft_result weft_python_find(const weft_python_drawing *d, const char **python, weft_error *err) {
  bool started;
  *python = find_python(d->script, &started);
  if (*python) return WEFT_OK;
  const char *own = getenv("WEFT_PYTHON");
  return weft_fail(
      err, WEFT_ERROR_FILE,
      "%s: a %s is drawn by Python with matplotlib, and %s%s; install python3-matplotlib"
      " (Debian), or let WEFT_PYTHON name a Python that has it",
      d->path, d->what, own && *own ? own : "python3",
      started ? " has no matplotlib" : " could not be started");
}

weft_result weft_python_draw(const weft_python_drawing *d, const char *python, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(d->path, &out, err);
  if (result != WEFT_OK) return result;
  FILE *messages = tmpfile();
  int status = NOT_STARTED;
  if (messages) {
    status = run_script(python, d->script, d->arguments, d->input, weft_output_file(out), messages);
  }
  if (status == 0) {
    result = weft_output_close(out, err);
  } else {
    char why[400] = "no temporary file could be written";
    if (status != NOT_STARTED) read_message(messages, why, sizeof why);
    weft_output_abandon(out);
    const weft_result code = status == WEFT_PYTHON_REFUSED ? WEFT_ERROR_FORMAT : WEFT_ERROR_FILE;
    result = code == WEFT_ERROR_FORMAT
                 ? weft_fail(err, code, "%s", why)
                 : weft_fail(err, code, "%s: the %s could not be drawn: %s", d->path, d->what, why);
  }
  if (messages) fclose(messages);
  return result;
}
