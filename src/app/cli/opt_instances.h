/* opt_instances.h: --instances and --vary: many cloths of a scene, solved in the same passes. */
#ifndef WEFT_CLI_OPT_INSTANCES_H
#define WEFT_CLI_OPT_INSTANCES_H

#include "cli.h"

/* How many there are, at least 1. */
uint32_t weft_cli_instance_count(const weft_cli_options *options);
/* Reads NAME=A:B into the next of options->vary. */
weft_result weft_cli_read_vary(const char *text, weft_cli_options *options, weft_error *err);
/* What the v-th varied parameter is called, and its value in one instance, from 0: spread
 * geometrically over the instances, evenly when one end is 0. */
const char *weft_cli_varied_name(const weft_cli_options *options, uint32_t v);
double weft_cli_varied_value(const weft_cli_options *options, uint32_t v, uint32_t instance);
/* "3 instances, density 0.1 to 0.3" */
void weft_cli_describe_instances(const weft_cli_options *options, char *text, size_t size);

#endif
