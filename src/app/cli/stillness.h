/* stillness.h: free particles that stood still although they were to move. */
#ifndef WEFT_CLI_STILLNESS_H
#define WEFT_CLI_STILLNESS_H

#include "cli.h"
#include "json.h"
#include "still_seen.h"

/* Lines of a summary; none where none stood still. */
void weft_cli_still_print(FILE *file, const weft_model *model, const weft_still_seen *seen);
/* The same as a warning, and what lets them go. */
void weft_cli_warn_still(const weft_model *model, const weft_still_seen *seen);
/* Null where none stood still. */
json_t *weft_cli_still_json(const weft_model *model, const weft_still_seen *seen);

#endif
