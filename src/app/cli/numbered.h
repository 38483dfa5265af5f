/* numbered.h: output names: their ending, and one place for the frame number, frame-%04d.obj. */
#ifndef WEFT_CLI_NUMBERED_H
#define WEFT_CLI_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEFT_LONGEST_PATH = 4096 };

typedef struct weft_numbered {
  bool numbered; /* false: a plain name */
  int prefix, digits;
  const char *suffix;
} weft_numbered;

/* Whether a name has one of these endings, in either case, or none at all; NULL ends the list. */
bool weft_name_ends(const char *path, const char *const *endings);

/* False for a name with another % than one %01d to %09d. */
bool weft_numbered_read(const char *text, weft_numbered *pattern);
void weft_numbered_name(const char *text, const weft_numbered *pattern, uint64_t frame, char *name,
                        size_t size);

#endif
