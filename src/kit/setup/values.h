/* values.h: settings read by tables. A table's entries say where in a struct a value goes, so every
 * option is named, parsed, range-checked and documented in one place. */
#ifndef WEFT_VALUES_H
#define WEFT_VALUES_H

#include <weft/types.h>

typedef enum weft_option_kind {
  WEFT_OPTION_FLAG = 0, /* bool: set to true, takes no value */
  WEFT_OPTION_SWITCH,   /* bool: off or on */
  WEFT_OPTION_TEXT,     /* const char * */
  WEFT_OPTION_OPTIONAL, /* const char *, only as --name=value; "" without */
  WEFT_OPTION_COUNT,    /* uint32_t within low..high */
  WEFT_OPTION_SEED,     /* uint64_t */
  WEFT_OPTION_NUMBER,   /* float within low..high */
  WEFT_OPTION_VECTOR,   /* weft_vec3, written x,y,z; each component within low..high */
  WEFT_OPTION_CHOICE,   /* int: index into choices */
  WEFT_OPTION_CUSTOM,   /* whatever take() makes of it */
} weft_option_kind;

typedef struct weft_option {
  const char *name; /* without the dashes */
  const char *was;  /* what it was called once, to be refused with its name of now; NULL: nothing */
  char letter;      /* 'o' for -o, 0 for none */
  weft_option_kind kind;
  const char *argument; /* what the value is called in the help; NULL for flags */
  const char *help;     /* with unit and default; \n starts a further line */
  bool common;          /* most people's: --help alone lists it, by the first line of its help */
  size_t offset;        /* of the value in the set's struct */
  size_t given;         /* of a bool that becomes true when the option is given; 0 for none */
  double low, high;
  const char *const *choices; /* ends with NULL */
  weft_result (*take)(void *base, const char *text, weft_error *err);
} weft_option;

/* A row of a table: its kind, name, what its value is called, its help, and what else is said of
 * it. */
#define OPTION(kind_, name_, argument_, help_, ...) \
  { .name = name_, .kind = WEFT_OPTION_##kind_, .argument = argument_, .help = help_, __VA_ARGS__ }
#define RANGE(low_, high_) .low = low_, .high = high_

typedef weft_result weft_note(void *base, const char *option, const char *text, weft_error *err);

/* A table and the struct its offsets point into. Of two options of one name that of the earlier
 * set is meant. */
typedef struct weft_option_set {
  const char *title;
  const weft_option *options;
  size_t count;
  void *base;
  /* Told of each option that was given, after its value is taken, "" for a flag's; NULL: nobody. */
  weft_note *note;
} weft_option_set;

/* Takes the text of an option into the struct of its set; NULL for a flag. */
weft_result weft_option_take(const weft_option_set *set, const weft_option *option,
                             const char *text, weft_error *err);

/* The strict readers behind the kinds, for take() functions: the whole text or a sentence that
 * names `what`. Independent of the locale. A number may be a fraction, 1/24. */
weft_result weft_read_count(const char *what, const char *text, uint32_t low, uint32_t high,
                            uint32_t *value, weft_error *err);
weft_result weft_read_number(const char *what, const char *text, double low, double high,
                             float *value, weft_error *err);
/* count numbers separated by commas. */
weft_result weft_read_numbers(const char *what, const char *text, double low, double high,
                              uint32_t count, float *values, weft_error *err);
/* The name nearest to `text` by edit distance, or NULL when none is near. */
const char *weft_nearest_name(const char *text, const char *const *names, size_t count);

#endif
