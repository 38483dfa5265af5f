/* python.h: what is drawn by scripts/ with matplotlib.
 *
 * The scripts are part of the program. They run under the user's Python, which needs matplotlib:
 * $WEFT_PYTHON when that is set, else `python3`, else /usr/bin/python3, where Debian's packages
 * are. */
#ifndef WEFT_CLI_PYTHON_H
#define WEFT_CLI_PYTHON_H

#include <stdio.h>
#include <weft/types.h>

enum {
  WEFT_PYTHON_ARGUMENTS = 16,
  WEFT_PYTHON_REFUSED = 3, /* the exit status of a script that cannot read what it was given */
};

typedef struct weft_python_drawing {
  const char *script;           /* in scripts/; with --check alone it looks for matplotlib */
  const char *what;             /* "page" */
  const char *path;             /* of what is drawn, which the script writes to standard output */
  const char *const *arguments; /* of the script, ends with NULL */
  FILE *input;                  /* NULL: nothing */
} weft_python_drawing;

/* A Python that can draw it: for before a long run. */
weft_result weft_python_find(const weft_python_drawing *drawing, const char **python,
                             weft_error *err);
/* WEFT_ERROR_FORMAT: the script refused what it was given, in its own sentence. */
weft_result weft_python_draw(const weft_python_drawing *drawing, const char *python,
                             weft_error *err);

#endif
