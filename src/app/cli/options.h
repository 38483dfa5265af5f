/* options.h: a command line read by tables. */
#ifndef WEFT_CLI_OPTIONS_H
#define WEFT_CLI_OPTIONS_H

#include <stdio.h>

#include "values.h"

enum { WEFT_MAX_POSITIONALS = 8 };

typedef struct weft_positionals {
  const char *items[WEFT_MAX_POSITIONALS];
  const char *behind[WEFT_MAX_POSITIONALS]; /* of each the option just before it that takes a value
                                               as --name=value alone; NULL: none */
  uint32_t count;
} weft_positionals;

/* Reads argv[1..]. `--name value`, `--name=value`, `-o value`, `-ovalue`; `--` ends the options.
 * Reading stops at --help or -h; *help says whether "all" stood behind it. */
typedef enum weft_help { WEFT_HELP_NONE = 0, WEFT_HELP_COMMON, WEFT_HELP_ALL } weft_help;
weft_result weft_options_parse(const weft_option_set *sets, size_t set_count, int argc, char **argv,
                               weft_positionals *positionals, weft_help *help, weft_error *err);
/* The first of the words that are neither options nor their values that is `wanted`; 0: none. */
int weft_options_find(const weft_option_set *sets, size_t set_count, int argc, char **argv,
                      bool (*wanted)(const char *word));
/* What argv[at] asks of help, if anything. */
weft_help weft_help_asked(int argc, char **argv, int at);
/* All of them, set by set. */
void weft_options_print(FILE *file, const weft_option_set *sets, size_t set_count);
/* The common ones, a line each. */
void weft_options_print_common(FILE *file, const weft_option_set *sets, size_t set_count);
size_t weft_options_count(const weft_option_set *sets, size_t set_count);

#endif
