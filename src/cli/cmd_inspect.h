/* cmd_inspect.h: the parts of weft inspect. */
#ifndef WEFT_CLI_CMD_INSPECT_H
#define WEFT_CLI_CMD_INSPECT_H

#include "json.h"

/* Prints what a model of particles and links is made of, and adds it to the report. */
void weft_inspect_particles(const weft_model *model, json_t *json);

#endif
