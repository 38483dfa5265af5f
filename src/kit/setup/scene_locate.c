/* scene_locate.c: what shows once a scene is made, said with the place in its file. */
#include <string.h>

#include "scene_keys.h"

/* Past the name of the option of a setting, and past its text, if a sentence begins so. */
static size_t begins_with(const char *message, const weft_given *given, bool with_text) {
  const size_t name = strlen(given->option), text = strlen(given->text);
  const size_t dashes = strncmp(message, "--", 2) == 0 ? 2 : 0;
  const char *kind = strchr(given->text, ':'); /* "list" of "pin list: vertex 9 ..." */
  const size_t head = kind ? (size_t)(kind - given->text) : text;
  size_t at = dashes + name;
  if (!dashes && text > 2 && strncmp(message, given->text, text) == 0) return SIZE_MAX;
  if (strncmp(message + dashes, given->option, name) != 0 || !strchr(" :", message[at])) return 0;
  at += strspn(message + at, " :");
  if (!with_text) return dashes ? at : 0;
  if (strncmp(message + at, given->text, text) == 0) {
    at += text;
    return at + strspn(message + at, " :");
  }
  return !dashes && strncmp(message + at, given->text, head) == 0 ? at : 0;
}

/* The setting that a sentence is about, the last of them, and where the rest of it begins. */
static const weft_given *meant_by(const weft_setup *setup, const char *message, size_t *begin) {
  for (int with_text = 1; with_text >= 0; --with_text) {
    for (size_t k = setup->said_count; k-- > 0;) {
      *begin = begins_with(message, &setup->said[k], with_text);
      if (*begin == 0) continue;
      if (*begin == SIZE_MAX) *begin = 0;
      return &setup->said[k];
    }
  }
  return NULL;
}

weft_result weft_setup_locate(const weft_setup *setup, weft_result result, weft_error *err) {
  if (!setup->file || !err || result == WEFT_OK) return result;
  const weft_error why = *err;
  bool alone = true;
  size_t begin;
  const weft_given *given = meant_by(setup, why.message, &begin);
  for (size_t k = 0; k < setup->said_count; ++k) alone = alone && setup->said[k].key;
  const bool option = strncmp(why.message, "--", 2) == 0; /* refused before it was noted */
  if (given ? !given->key : !alone || option) return result;
  if (result == WEFT_ERROR_ARGUMENT) result = WEFT_ERROR_FORMAT;
  if (!given) return weft_fail(err, result, "%s: %.900s", setup->file, why.message);
  const int line = weft_json_line(setup->source, strlen(setup->source), given->key);
  return weft_fail(err, result, "%s:%d: %s: %.900s", setup->file, line, given->key,
                   why.message + begin);
}
