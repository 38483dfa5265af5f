/* cmd_validate.h: `weft validate`; declared in cli.h with its siblings. */
#ifndef WEFT_CLI_CMD_VALIDATE_H
#define WEFT_CLI_CMD_VALIDATE_H

#include <stdbool.h>

int weft_cmd_validate(int argc, char **argv);
/* `weft validate --physics`, which reads a command line of its own. */
bool weft_cmd_physics_wanted(int argc, char **argv);
int weft_cmd_physics(int argc, char **argv);

#endif
