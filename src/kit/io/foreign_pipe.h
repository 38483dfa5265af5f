/* foreign_pipe.h: what `weft read-model FILE SECONDS BYTES` writes to its standard output: a
 * header, then what its `end` says. */
#ifndef WEFT_IO_FOREIGN_PIPE_H
#define WEFT_IO_FOREIGN_PIPE_H

#include <stdint.h>

#define WEFT_FOREIGN_COMMAND "read-model"

enum { WEFT_FOREIGN_MAGIC = 0x77656675 };

typedef enum weft_foreign_end {
  WEFT_FOREIGN_TEXT = 0, /* OBJ text follows; it is whole where the process ends with status 0 */
  WEFT_FOREIGN_REFUSED,  /* text_length bytes of reason follow, in weft's words */
  WEFT_FOREIGN_FAILED,   /* the same, in those of the importer library */
} weft_foreign_end;

typedef struct weft_foreign_header {
  uint32_t magic, end, text_length;
  uint32_t loses_skin, loses_animation, loses_alpha;
} weft_foreign_header;

#endif
