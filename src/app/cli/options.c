/* options.c: the command line by tables. */
#include "options.h"

#include <string.h>

#include "base.h"

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
  char name[32];
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
  return result == WEFT_OK ? weft_option_take(set, option, value, err) : result;
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

int weft_options_find(const weft_option_set *sets, size_t set_count, int argc, char **argv,
                      bool (*wanted)(const char *word)) {
  reader r = {sets, set_count, argc, 1, argv, NULL};
  for (; r.at < argc; ++r.at) {
    const char *word = argv[r.at], *value;
    const weft_option_set *set;
    if (word[0] != '-' || word[1] == 0) {
      if (wanted(word)) return r.at;
      continue;
    }
    if (strcmp(word, "--") == 0) continue;
    const bool whole = word[1] == '-';
    const weft_option *option =
        whole ? find(&r, word + 2, strlen(word + 2), 0, &set) : find(&r, NULL, 0, word[1], &set);
    if (!option || (!whole && word[2])) continue;
    if (take_value(&r, option, NULL, &value, NULL) != WEFT_OK) return 0;
  }
  return 0;
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
