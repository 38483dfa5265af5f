/* parts.h: which faces of a source go by one name. */
#ifndef WEFT_IO_PARTS_H
#define WEFT_IO_PARTS_H

#include <weft_kit/source.h>

#define WEFT_PART_NONE UINT32_MAX

typedef struct weft_parts {
  uint32_t count;
  const char **names;    /* [count], ascending, each once */
  uint32_t *face_counts; /* [count] */
  uint32_t *of_face;     /* [face_count] or WEFT_PART_NONE */
} weft_parts;

/* By what lines of one word say; one that says nothing ends a part. Names last as long as the
 * source. */
weft_parts weft_parts_of(const weft_source *source, weft_source_word word);
void weft_parts_free(weft_parts *parts);

#endif
