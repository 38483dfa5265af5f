/* cmd_validate.h: `weft validate`; declared in app.h with its siblings. */
#ifndef WEFT_APP_CMD_VALIDATE_H
#define WEFT_APP_CMD_VALIDATE_H

int weft_cmd_validate(int argc, char **argv);

#endif
