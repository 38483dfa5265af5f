/* options.c: the command line by tables. */
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base.h"

/* ---- strict readers ---- */

static bool is_digits(const char *text) {
  if (!*text) return false;
  for (; *text; ++text) {
    if (*text < '0' || *text > '9') return false;
  }
  return true;
}

/* False when the digits do not fit. */
static bool read_digits(const char *text, uint64_t *value) {
  uint64_t sum = 0;
  for (; *text; ++text) {
    uint64_t digit = (uint64_t)(*text - '0');
    if (sum > (UINT64_MAX - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  return true;
}

weft_result weft_read_count(const char *what, const char *text, uint32_t low, uint32_t high,
                            uint32_t *value, weft_error *err) {
  if (!is_digits(text)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is not a whole number", what, text);
  }
  uint64_t wide;
  if (!read_digits(text, &wide) || wide < low || wide > high) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %s is out of range, allowed is %u to %u", what,
                     text, low, high);
  }
  *value = (uint32_t)wide;
  return WEFT_OK;
}

static weft_result read_seed(const char *what, const char *text, uint64_t *value, weft_error *err) {
  if (is_digits(text) && read_digits(text, value)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is not a whole number below 2^64", what,
                   text);
}

/* Hexadecimal, "inf" and "nan" are no numbers here. */
static bool read_decimal(const char *begin, const char *end, double *value) {
  bool plain = end > begin;
  for (const char *c = begin; c < end; ++c) plain = plain && strchr("0123456789+-.eE", *c);
  return plain && weft_parse_double(begin, end, value) == end && isfinite(*value);
}

/* A number, or one over another: 1/24. */
static bool read_fraction(const char *begin, const char *end, double *value) {
  const char *over = memchr(begin, '/', (size_t)(end - begin));
  double below = 1;
  if (!read_decimal(begin, over ? over : end, value)) return false;
  if (over && !read_decimal(over + 1, end, &below)) return false;
  *value /= below;
  return isfinite(*value);
}

/* Reads one number that ends at `end`. */
static weft_result read_piece(const char *what, const char *begin, const char *end, double low,
                              double high, float *value, weft_error *err) {
  int length = (int)(end - begin);
  double wide = 0;
  if (!read_fraction(begin, end, &wide)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%.*s\" is not a number", what, length, begin);
  }
  /* A limit that is a float is not quite the decimal number that it is written as. */
  float near = (float)wide;
  if ((wide < low && near < (float)low) || (wide > high && near > (float)high)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %.*s is out of range, allowed is %g to %g",
                     what, length, begin, low, high);
  }
  *value = near;
  return WEFT_OK;
}

weft_result weft_read_number(const char *what, const char *text, double low, double high,
                             float *value, weft_error *err) {
  return read_piece(what, text, text + strlen(text), low, high, value, err);
}

weft_result weft_read_numbers(const char *what, const char *text, double low, double high,
                              uint32_t count, float *values, weft_error *err) {
  const char *at = text;
  for (uint32_t k = 0; k < count; ++k) {
    const char *end = strchr(at, ',');
    if ((end == NULL) != (k + 1 == count)) {
      return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is not %u numbers with commas between",
                       what, text, count);
    }
    if (!end) end = at + strlen(at);
    weft_result result = read_piece(what, at, end, low, high, &values[k], err);
    if (result != WEFT_OK) return result;
    at = end + 1;
  }
  return WEFT_OK;
}

/* ---- names ---- */

enum { LONGEST_NAME = 31 };

static size_t smallest(size_t a, size_t b, size_t c) {
  size_t min = a < b ? a : b;
  return min < c ? min : c;
}

/* Levenshtein's distance, row by row. */
static size_t edit_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST_NAME || nb > LONGEST_NAME) return LONGEST_NAME;
  size_t row[LONGEST_NAME + 1];
  for (size_t j = 0; j <= nb; ++j) row[j] = j;
  for (size_t i = 1; i <= na; ++i) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= nb; ++j) {
      size_t above = row[j];
      row[j] = smallest(above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1]));
      corner = above;
    }
  }
  return row[nb];
}

const char *weft_nearest_name(const char *text, const char *const *names, size_t count) {
  const char *best = NULL;
  size_t min = strlen(text) / 3 < 3 ? strlen(text) / 3 + 1 : 4; /* one slip in three letters */
  for (size_t k = 0; k < count; ++k) {
    size_t distance = edit_distance(text, names[k]);
    if (distance < min) {
      min = distance;
      best = names[k];
    }
  }
  return best;
}

/* ---- one option ---- */

static weft_result read_choice(const char *what, const char *const *choices, const char *text,
                               int *value, weft_error *err) {
  char list[256] = "";
  for (int k = 0; choices[k]; ++k) {
    if (strcmp(choices[k], text) == 0) {
      *value = k;
      return WEFT_OK;
    }
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", choices[k]);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: \"%s\" is none of %s", what, text, list);
}

static const char *const off_on[] = {"off", "on", NULL};

static weft_result store(const weft_option_set *set, const weft_option *option, const char *text,
                         weft_error *err) {
  char what[48];
  snprintf(what, sizeof what, "--%s", option->name);
  void *place = (char *)set->base + option->offset;
  float three[3] = {0, 0, 0};
  int on = 0;
  weft_result result = WEFT_OK;
  switch (option->kind) {
    case WEFT_OPTION_FLAG:
      *(bool *)place = true;
      break;
    case WEFT_OPTION_SWITCH:
      result = read_choice(what, off_on, text, &on, err);
      if (result == WEFT_OK) *(bool *)place = on;
      break;
    case WEFT_OPTION_TEXT:
    case WEFT_OPTION_OPTIONAL:
      *(const char **)place = text;
      break;
    case WEFT_OPTION_COUNT:
      result =
          weft_read_count(what, text, (uint32_t)option->low, (uint32_t)option->high, place, err);
      break;
    case WEFT_OPTION_SEED:
      result = read_seed(what, text, place, err);
      break;
    case WEFT_OPTION_NUMBER:
      result = weft_read_number(what, text, option->low, option->high, place, err);
      break;
    case WEFT_OPTION_VECTOR:
      result = weft_read_numbers(what, text, option->low, option->high, 3, three, err);
      if (result == WEFT_OK) *(weft_vec3 *)place = weft_v3(three[0], three[1], three[2]);
      break;
    case WEFT_OPTION_CHOICE:
      result = read_choice(what, option->choices, text, place, err);
      break;
    case WEFT_OPTION_CUSTOM:
      result = option->take(set->base, text, err);
      break;
  }
  if (result == WEFT_OK && option->given) *((bool *)set->base + option->given) = true;
  if (result != WEFT_OK || !set->note) return result;
  return set->note(set->base, option->name, text ? text : "", err);
}

/* ---- the whole line ---- */

typedef struct reader {
  const weft_option_set *sets;
  size_t set_count;
  int argc, at;
  char **argv;
  const char *open; /* the option that was just read, had it taken a value; NULL: none */
} reader;

static const weft_option *find(const reader *r, const char *name, size_t length, char letter,
                               const weft_option_set **set) {
  for (size_t s = 0; s < r->set_count; ++s) {
    for (size_t k = 0; k < r->sets[s].count; ++k) {
      const weft_option *option = &r->sets[s].options[k];
      bool same = name ? strlen(option->name) == length && !strncmp(option->name, name, length)
                       : letter && option->letter == letter;
      if (!same) continue;
      *set = &r->sets[s];
      return option;
    }
  }
  return NULL;
}

/* The option that a word of other programs means; NULL: none. */
static const char *renamed(const reader *r, const char *name) {
  for (size_t s = 0; s < r->set_count; ++s) {
    for (size_t k = 0; k < r->sets[s].count; ++k) {
      const weft_option *option = &r->sets[s].options[k];
      if (option->was && strcmp(option->was, name) == 0) return option->name;
    }
  }
  return NULL;
}

static const char *nearest_option(const reader *r, const char *name) {
  const char **names = weft_alloc(weft_options_count(r->sets, r->set_count), sizeof *names);
  size_t count = 0;
  for (size_t s = 0; s < r->set_count; ++s) {
    for (size_t k = 0; k < r->sets[s].count; ++k) names[count++] = r->sets[s].options[k].name;
  }
  const char *near = weft_nearest_name(name, names, count);
  weft_free(names);
  return near;
}

static weft_result unknown(const reader *r, const char *argument, weft_error *err) {
  char name[LONGEST_NAME + 1];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(argument + strspn(argument, "-"), "="),
           argument + strspn(argument, "-"));
  const char *known = renamed(r, name);
  if (known)
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "there is no --%s: it is --%s", name, known);
  const char *near = nearest_option(r, name);
  if (near) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "unknown option %s, did you mean --%s?", argument,
                     near);
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "unknown option %s, see weft %s --help", argument,
                   r->argv[0]);
}

/* The value of an option: what follows in the same argument, or the next one. */
static weft_result take_value(reader *r, const weft_option *option, const char *attached,
                              const char **value, weft_error *err) {
  *value = attached;
  if (option->kind == WEFT_OPTION_FLAG) {
    if (!attached) return WEFT_OK;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s takes no value", option->name);
  }
  if (attached) return WEFT_OK;
  if (option->kind == WEFT_OPTION_OPTIONAL) {
    *value = "";
    r->open = option->name;
    return WEFT_OK;
  }
  if (r->at + 1 >= r->argc || strncmp(r->argv[r->at + 1], "--", 2) == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s needs a value (%s)", option->name,
                     option->argument);
  }
  *value = r->argv[++r->at];
  return WEFT_OK;
}

static weft_result read_option(reader *r, const char *argument, weft_error *err) {
  const weft_option *option;
  const weft_option_set *set = NULL;
  const char *attached = NULL;
  if (argument[1] == '-') {
    size_t length = strcspn(argument + 2, "=");
    option = find(r, argument + 2, length, 0, &set);
    if (argument[2 + length] == '=') attached = argument + 3 + length;
  } else {
    option = find(r, NULL, 0, argument[1], &set);
    if (option && argument[2]) attached = argument + 2;
  }
  if (!option) return unknown(r, argument, err);
  const char *value;
  weft_result result = take_value(r, option, attached, &value, err);
  return result == WEFT_OK ? store(set, option, value, err) : result;
}

weft_help weft_help_asked(int argc, char **argv, int at) {
  static const char *const alone[] = {"--help", "-h"};
  if (strcmp(argv[at], "--help=all") == 0) return WEFT_HELP_ALL;
  for (size_t k = 0; k < sizeof alone / sizeof *alone; ++k) {
    if (strcmp(argv[at], alone[k]) != 0) continue;
    return at + 1 < argc && strcmp(argv[at + 1], "all") == 0 ? WEFT_HELP_ALL : WEFT_HELP_COMMON;
  }
  return WEFT_HELP_NONE;
}

weft_result weft_options_parse(const weft_option_set *sets, size_t set_count, int argc, char **argv,
                               weft_positionals *positionals, weft_help *help, weft_error *err) {
  reader r = {sets, set_count, argc, 1, argv, NULL};
  bool options_ended = false;
  *positionals = (weft_positionals){0};
  *help = WEFT_HELP_NONE;
  for (; r.at < argc; ++r.at) {
    const char *argument = argv[r.at];
    if (options_ended || argument[0] != '-' || argument[1] == 0) {
      if (positionals->count == WEFT_MAX_POSITIONALS) {
        return weft_fail(err, WEFT_ERROR_ARGUMENT, "too many arguments at \"%s\"", argument);
      }
      positionals->behind[positionals->count] = r.open;
      positionals->items[positionals->count++] = argument;
      r.open = NULL;
    } else if (strcmp(argument, "--") == 0) {
      options_ended = true;
    } else if ((*help = weft_help_asked(argc, argv, r.at)) != WEFT_HELP_NONE) {
      return WEFT_OK;
    } else {
      r.open = NULL;
      weft_result result = read_option(&r, argument, err);
      if (result != WEFT_OK) return result;
    }
  }
  return WEFT_OK;
}

/* ---- help ---- */

enum { HELP_COLUMN = 30 };

static void print_help_lines(FILE *file, const char *help, bool all) {
  for (const char *line = help; *line && (all || line == help);) {
    int length = (int)strcspn(line, "\n");
    fprintf(file, "%*s%.*s\n", line == help ? 0 : HELP_COLUMN, "", length, line);
    line += length;
    if (*line) ++line;
  }
}

static void print_option(FILE *file, const weft_option *option, bool all) {
  char left[96];
  char dash[8] = "    ";
  if (option->letter) snprintf(dash, sizeof dash, "-%c, ", option->letter);
  const bool attached = option->kind == WEFT_OPTION_OPTIONAL;
  snprintf(left, sizeof left, "  %s--%s%s%s%s", dash, option->name,
           !option->argument ? ""
           : attached        ? "[="
                             : " ",
           option->argument ? option->argument : "", attached ? "]" : "");
  fprintf(file, "%s", left);
  if (strlen(left) >= HELP_COLUMN) {
    fprintf(file, "\n%*s", HELP_COLUMN, "");
  } else {
    fprintf(file, "%*s", (int)(HELP_COLUMN - strlen(left)), "");
  }
  print_help_lines(file, option->help, all);
}

/* An option of an earlier set, which is the one that is read. */
static bool is_hidden(const weft_option_set *sets, size_t set, const weft_option *option) {
  for (size_t s = 0; s < set; ++s) {
    for (size_t k = 0; k < sets[s].count; ++k) {
      if (strcmp(sets[s].options[k].name, option->name) == 0) return true;
    }
  }
  return false;
}

void weft_options_print(FILE *file, const weft_option_set *sets, size_t set_count) {
  for (size_t s = 0; s < set_count; ++s) {
    if (sets[s].count == 0) continue;
    fprintf(file, "\n%s:\n", sets[s].title);
    for (size_t k = 0; k < sets[s].count; ++k) {
      const weft_option *option = &sets[s].options[k];
      if (!is_hidden(sets, s, option)) print_option(file, option, true);
    }
  }
}

void weft_options_print_common(FILE *file, const weft_option_set *sets, size_t set_count) {
  fprintf(file, "\nOptions:\n");
  for (size_t s = 0; s < set_count; ++s) {
    for (size_t k = 0; k < sets[s].count; ++k) {
      const weft_option *option = &sets[s].options[k];
      if (option->common && !is_hidden(sets, s, option)) print_option(file, option, false);
    }
  }
}

size_t weft_options_count(const weft_option_set *sets, size_t set_count) {
  size_t count = 0;
  for (size_t s = 0; s < set_count; ++s) count += sets[s].count;
  return count;
}
