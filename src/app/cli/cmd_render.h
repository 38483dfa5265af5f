/* cmd_render.h: weft render. */

#ifndef WEFT_CLI_CMD_RENDER_H
#define WEFT_CLI_CMD_RENDER_H

int weft_cmd_render(int argc, char **argv);

#endif
