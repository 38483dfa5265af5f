/* scene_keys.h: the keys of scene files as data. */
#ifndef WEFT_SETUP_SCENE_KEYS_H
#define WEFT_SETUP_SCENE_KEYS_H

#include <jansson.h>

#include "setup_internal.h"

typedef enum weft_section {
  WEFT_SECTION_ROOT = 0,
  WEFT_SECTION_CLOTH,
  WEFT_SECTION_PIN,
  WEFT_SECTION_PIN_KEY,
  WEFT_SECTION_BODY,
  WEFT_SECTION_COLLIDER,
  WEFT_SECTION_COLLIDER_KEY,
  WEFT_SECTION_PARAMETERS,
  WEFT_SECTION_KEY, /* what parameters are at a time */
  WEFT_SECTIONS
} weft_section;

/* What a value looks like. Of an option's text lists have commas between. */
typedef enum weft_form {
  WEFT_FORM_TEXT = 0,
  WEFT_FORM_PATH, /* relative to the file */
  WEFT_FORM_PATHS,
  WEFT_FORM_NUMBER,
  WEFT_FORM_WHOLE,        /* a number */
  WEFT_FORM_FLAG,         /* true: given; false: not */
  WEFT_FORM_SWITCH,       /* true or false: on or off */
  WEFT_FORM_OPTIONAL,     /* true: given without a value; false: not given; or a number */
  WEFT_FORM_WORD,         /* a text or a number */
  WEFT_FORM_NUMBERS,      /* a list; a number alone where `least` is 1 */
  WEFT_FORM_INDICES,      /* a list of whole numbers */
  WEFT_FORM_NAMES,        /* a text or a list of them, with commas between */
  WEFT_FORM_EACH_TEXT,    /* a text or a list of them, the option as often */
  WEFT_FORM_EACH_NUMBERS, /* a list of lists, the option as often */
  WEFT_FORM_MAP,          /* whole numbers by name, the option as often */
  WEFT_FORM_FABRIC,       /* a name, or an object with `name` and what is otherwise */
  WEFT_FORM_KEYS,         /* a list as docs/motion.md has it */
  WEFT_FORM_SECTION,      /* an object of keys */
  WEFT_FORM_SECTIONS,     /* a list of them */
} weft_form;

typedef struct weft_key {
  weft_section section;
  const char *name, *option, *prefix;
  weft_form form;
  uint32_t least, most;
  const char *words;
  weft_section of; /* of forms SECTION and SECTIONS */
} weft_key;

/* The k-th key of a section, those of parameters after its own; false past the last. */
bool weft_key_at(weft_section section, uint32_t k, weft_key *key);
bool weft_key_find(weft_section section, const char *name, weft_key *key);
/* The same of one that stands for an option and begins with its prefix, in any section; KEY and
 * what has no option of its own aside. */
bool weft_key_of_option(const char *option, const char *text, weft_key *key);

/* What a fabric is measured by. */
extern const char *const weft_fabric_measures[];

/* Adds a value as text; false where it is no UTF-8. */
bool weft_json_dump(const json_t *value, weft_string *text);
/* The same with a line for each member, begun at a depth of so many; plain lists take one. */
bool weft_json_write_lines(json_t *value, uint32_t depth, weft_string *text);
/* The line in which the value at a path begins, "pins[2].keys[0].time"; where there is none, that
 * of the last that there is on the way. The text must be JSON. */
int weft_json_line(const char *text, size_t length, const char *path);

#endif
