/* cmd_inspect.h: the parts of weft inspect. */
#ifndef WEFT_APP_CMD_INSPECT_H
#define WEFT_APP_CMD_INSPECT_H

#include "report.h"

/* Prints what a model of particles and links is made of, and adds it to the report. */
void weft_inspect_particles(const weft_model *model, json_t *json);

#endif
