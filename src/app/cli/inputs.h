/* inputs.h: what a run reads, which it does not write. */
#ifndef WEFT_CLI_INPUTS_H
#define WEFT_CLI_INPUTS_H

#include "cli.h"
#include "numbered.h"

/* Refuses to write a file that the options name to be read, be it by another name or by a link. Of
 * numbered files those from first to last are meant. */
weft_result weft_cli_protect_inputs(const weft_cli_options *options, const char *path,
                                    const weft_numbered *pattern, uint64_t first, uint64_t last,
                                    weft_error *err);

#endif
