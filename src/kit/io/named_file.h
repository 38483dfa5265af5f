/* named_file.h: files that a file names. */
#ifndef WEFT_IO_NAMED_FILE_H
#define WEFT_IO_NAMED_FILE_H

typedef enum weft_named {
  WEFT_NAMED_FOUND = 0,
  WEFT_NAMED_MISSING,
  WEFT_NAMED_OUTSIDE, /* in another folder, by its name or by a link */
} weft_named;

/* The file that `file` names: beside it or below. A name is that of an address, so %20 is a blank,
 * unless only a file that is called so is there. *path is what to open, to be freed with weft_free,
 * NULL for a name that leads out. */
weft_named weft_find_beside(const char *file, const char *name, char **path);

#endif
