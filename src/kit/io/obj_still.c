/* obj_still.c: OBJ, by the writers of meshes. */
#include <weft_kit/export.h>

#include "export_internal.h"

weft_result weft_obj_still(weft_export *cache, const weft_vec3 *placed, weft_error *err) {
  const weft_export_desc *d = &cache->desc;
  if (d->source->face_count > 0) {
    return weft_source_write_obj(d->path, d->source, d->map, placed, err);
  }
  return weft_mesh_export_lines(d->path, placed, d->source->vertex_count, d->links, d->link_count,
                                err);
}
