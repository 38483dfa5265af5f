/* reader_internal.h: a file on its way from the importer library to standard output. */
#ifndef WEFT_READER_READER_INTERNAL_H
#define WEFT_READER_READER_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "foreign_pipe.h"
#include "mesh_internal.h"

struct aiScene;

/* The rest of an STL file of text. */
typedef struct weft_reader_solids {
  const char *at, *end;
} weft_reader_solids;

typedef struct weft_reader_job {
  const char *path;
  weft_reader_solids solids; /* all of the file; empty where it is no STL */
  unsigned seconds;          /* of a processor */
  uint64_t memory;           /* bytes */
} weft_reader_job;

/* All of the bytes, or the process ends with status 1. */
void weft_reader_send(int fd, const void *bytes, size_t count);
_Noreturn void weft_reader_send_reason(int fd, weft_foreign_end end, const char *reason);
/* A header and the text of all faces, at most about a quarter of `memory`; or why there is none. */
void weft_reader_send_scene(int fd, const struct aiScene *scene, const weft_reader_job *job);

/* The whole name of the next solid that begins with this word, within the text; false for none:
 * `solids` is then as it was. */
bool weft_reader_next_solid(weft_reader_solids *solids, const char *word, size_t word_length,
                            const char **name, size_t *length);

#endif
