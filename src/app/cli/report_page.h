/* report_page.h: pages of HTML, drawn by scripts/report.py from the JSON of bench and of validate
 * --physics, by Python (python.h). */
#ifndef WEFT_CLI_REPORT_PAGE_H
#define WEFT_CLI_REPORT_PAGE_H

#include <jansson.h>

#include "cli.h"

/* Whether a page can be drawn and written there, over nothing that the options name to be read: for
 * before a long run. NULL: none is wanted. */
weft_result weft_page_check(const weft_cli_options *options, const char *path, weft_error *err);

/* Draws `data` and writes the page. When that fails, data that no file has (`kept`, NULL: none) are
 * written beside the page, and the sentence names the file. */
weft_result weft_page_draw(const char *path, const json_t *data, const char *kept, weft_error *err);

#endif
