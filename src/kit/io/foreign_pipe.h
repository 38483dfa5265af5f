/* foreign_pipe.h: what goes from the child that runs the importer library to its parent. */
#ifndef WEFT_IO_FOREIGN_PIPE_H
#define WEFT_IO_FOREIGN_PIPE_H

#include "mesh_internal.h"

struct aiScene;

/* The rest of an STL file of text. */
typedef struct weft_foreign_solids {
  const char *at, *end;
} weft_foreign_solids;

typedef struct weft_foreign_wish {
  const char *path;
  weft_foreign_solids solids; /* all of the file; empty where it is no STL */
  unsigned seconds;           /* of a processor */
  uint64_t memory;            /* bytes */
} weft_foreign_wish;

enum { WEFT_FOREIGN_MAGIC = 0x77656674 };

typedef enum weft_foreign_end {
  WEFT_FOREIGN_TEXT = 0, /* OBJ text follows; it is whole where the child ends with status 0 */
  WEFT_FOREIGN_REFUSED,  /* text_length bytes of reason follow, in weft's words */
  WEFT_FOREIGN_FAILED,   /* the same, in the library's */
} weft_foreign_end;

/* Comes first; then what `end` says. */
typedef struct weft_foreign_header {
  uint32_t magic, end, text_length;
  uint32_t loses_skin, loses_animation, loses_alpha;
} weft_foreign_header;

/* Reads the file and writes what comes of it to `fd`. */
_Noreturn void weft_foreign_run_child(int fd, const weft_foreign_wish *wish);

/* ---- in the child ---- */

/* All of them, or the child ends with status 1. */
void weft_foreign_send(int fd, const void *bytes, size_t count);
_Noreturn void weft_foreign_send_reason(int fd, weft_foreign_end end, const char *reason);
/* A header and the text of all faces, at most about a quarter of `memory`; or why there is none. */
void weft_foreign_send_scene(int fd, const struct aiScene *scene, const weft_foreign_wish *wish);

/* The whole name of the next solid that begins with this word, within the text; false for none:
 * `solids` is then as it was. */
bool weft_foreign_next_solid(weft_foreign_solids *solids, const char *word, size_t word_length,
                             const char **name, size_t *length);

#endif
