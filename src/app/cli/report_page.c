/* report_page.c: pages of scripts/report.py. */
#include "report_page.h"

#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "json.h"
#include "outputs.h"
#include "python.h"

static weft_python_drawing page_at(const char *path, FILE *input) {
  static const char *const from_input[] = {"-", NULL};
  return (weft_python_drawing){
      .script = "report.py", .what = "page", .path = path, .arguments = from_input, .input = input};
}

weft_result weft_page_check(const weft_cli_options *options, const char *path, weft_error *err) {
  const char *python;
  const weft_result result = weft_cli_output_check(options, path, err);
  if (!path || result != WEFT_OK) return result;
  const weft_python_drawing page = page_at(path, NULL);
  return weft_python_find(&page, &python, err);
}

static weft_result draw(const char *python, const char *path, const json_t *data, weft_error *err) {
  FILE *input = tmpfile();
  if (!input || json_dumpf(data, input, JSON_COMPACT) != 0 || fflush(input) != 0) {
    if (input) fclose(input);
    return weft_fail(err, WEFT_ERROR_FILE,
                     "%s: the page could not be drawn: no temporary file could be written", path);
  }
  rewind(input);
  const weft_python_drawing page = page_at(path, input);
  const weft_result result = weft_python_draw(&page, python, err);
  fclose(input);
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
  const weft_python_drawing page = page_at(path, NULL);
  weft_result result = weft_python_find(&page, &python, err);
  if (result == WEFT_OK) result = draw(python, path, data, err);
  return result == WEFT_OK ? WEFT_OK : keep_data(path, data, kept, err);
}
