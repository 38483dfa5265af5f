/* idle.h: options that cannot act are refused by name. */
#ifndef WEFT_CLI_IDLE_H
#define WEFT_CLI_IDLE_H

#include "cli.h"

/* What the command line alone tells. WEFT_ERROR_ARGUMENT with a sentence. */
weft_result weft_cli_check_options(const weft_cli_spec *spec, const weft_cli_options *options,
                                   weft_error *err);
#endif
