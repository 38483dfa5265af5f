/* foreign_pipe.h: what goes from the child that runs the importer library to its parent. */
#ifndef WEFT_MESH_FOREIGN_PIPE_H
#define WEFT_MESH_FOREIGN_PIPE_H

#include "mesh_internal.h"

typedef struct weft_foreign_wish {
  const char *path, *groups; /* groups as in weft_import_desc */
  bool list;                 /* names instead of a mesh */
  bool look;                 /* with a mesh: texture coordinates, colours and materials */
  unsigned seconds;          /* of a processor */
  uint64_t memory;           /* bytes */
} weft_foreign_wish;

enum {
  WEFT_FOREIGN_MAGIC = 0x77656674,
  WEFT_FOREIGN_LONGEST_NAME = 200,
  WEFT_FOREIGN_NAMES = 4096
};

typedef enum weft_foreign_end {
  WEFT_FOREIGN_MESH = 0,
  WEFT_FOREIGN_NAMED, /* groups follow, weft_foreign_name each: those that there are */
  WEFT_FOREIGN_LIST,
  WEFT_FOREIGN_REFUSED, /* text_length bytes of reason follow, in weft's words */
  WEFT_FOREIGN_FAILED,  /* the same, in the library's */
} weft_foreign_end;

/* Comes first; then what `end` says: names, a reason, or positions and triangles. Behind those come
 * what `has_` says, two or three floats a vertex, and part_count materials as weft_foreign_name:
 * each is of so many of the triangles, in their order. */
typedef struct weft_foreign_header {
  uint32_t magic, end;
  uint32_t vertex_count, triangle_count, name_count, text_length;
  uint32_t loses_skin, loses_animation;
  uint32_t has_uvs, has_colours, part_count;
} weft_foreign_header;

typedef struct weft_foreign_name {
  char name[WEFT_FOREIGN_LONGEST_NAME];
  uint32_t face_count;
} weft_foreign_name;

/* Reads the file and writes what comes of it to `fd`. */
_Noreturn void weft_foreign_run_child(int fd, const weft_foreign_wish *wish);

#endif
