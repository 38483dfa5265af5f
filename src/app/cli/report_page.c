/* report_page.c: Python as a child. The script is an argument, so nothing has to be found on disk;
 * JSON goes in and HTML comes out through files. */
#define _POSIX_C_SOURCE 200809L
#include "report_page.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base.h"
#include "embedded.h"
#include "json.h"
#include "output.h"
#include "outputs.h"

extern char **environ;

enum { NOT_STARTED = 256 }; /* beyond the exit statuses there are */

/* Runs the script with one argument; NULL: the stream of weft itself. Returns the exit status. */
static int run_script(const char *python, const char *argument, FILE *input, FILE *output,
                      FILE *messages) {
  const char *arguments[] = {python, "-c", weft_embedded_scripts[0].text, argument, NULL};
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
static const char *find_python(bool *started) {
  const char *own = getenv("WEFT_PYTHON");
  const char *const usual[] = {"python3", "/usr/bin/python3", NULL};
  const char *const given[] = {own, NULL}, *const *names = own && *own ? given : usual;
  FILE *messages = tmpfile();
  const char *found = NULL;
  *started = false;
  for (; messages && *names && !found; ++names) {
    int status = run_script(*names, "--check", NULL, NULL, messages);
    if (status != NOT_STARTED) *started = true;
    if (status == 0) found = *names;
  }
  if (messages) fclose(messages);
  return found;
}

static weft_result need_python(const char *path, const char **python, weft_error *err) {
  bool started;
  *python = find_python(&started);
  if (*python) return WEFT_OK;
  const char *own = getenv("WEFT_PYTHON");
  return weft_fail(
      err, WEFT_ERROR_FILE,
      "%s: a page is drawn by Python with matplotlib, and %s%s; install python3-matplotlib"
      " (Debian), or let WEFT_PYTHON name a Python that has it",
      path, own && *own ? own : "python3",
      started ? " has no matplotlib" : " could not be started");
}

weft_result weft_page_check(const weft_cli_options *options, const char *path, weft_error *err) {
  const char *python;
  weft_result result = weft_cli_output_check(options, path, err);
  return path && result == WEFT_OK ? need_python(path, &python, err) : result;
}

static weft_result draw(const char *python, const char *path, const json_t *data, weft_error *err) {
  weft_output *out;
  weft_result result = weft_output_open(path, &out, err);
  if (result != WEFT_OK) return result;
  FILE *input = tmpfile(), *messages = tmpfile();
  int status = NOT_STARTED;
  if (input && messages && json_dumpf(data, input, JSON_COMPACT) == 0 && fflush(input) == 0) {
    rewind(input);
    status = run_script(python, "-", input, weft_output_file(out), messages);
  }
  if (status == 0) {
    result = weft_output_close(out, err);
  } else {
    char why[400] = "no temporary file could be written";
    if (status != NOT_STARTED) read_message(messages, why, sizeof why);
    weft_output_abandon(out);
    result = weft_fail(err, WEFT_ERROR_FILE, "%s: the page could not be drawn: %s", path, why);
  }
  if (input) fclose(input);
  if (messages) fclose(messages);
  return result;
}

/* Adds to the sentence where the data are. */
static weft_result keep_data(const char *path, const json_t *data, const char *kept,
                             weft_error *err) {
  char *beside = weft_alloc(strlen(path) + 6, 1);
  strcat(strcpy(beside, path), ".json");
  weft_error why = *err, ignored;
  if (!kept &&
      weft_json_write(beside, json_incref((json_t *)(uintptr_t)data), &ignored) == WEFT_OK) {
    kept = beside;
  }
  if (kept) weft_fail(err, why.code, "%s; what was measured is in %s", why.message, kept);
  weft_free(beside);
  return why.code;
}

weft_result weft_page_draw(const char *path, const json_t *data, const char *kept,
                           weft_error *err) {
  const char *python;
  weft_result result = need_python(path, &python, err);
  if (result == WEFT_OK) result = draw(python, path, data, err);
  return result == WEFT_OK ? WEFT_OK : keep_data(path, data, kept, err);
}
