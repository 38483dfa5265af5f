/* formats.c: the one table of formats that are written. */
#include <string.h>
#include <strings.h>

#include "export_internal.h"

const weft_export_writer weft_export_writers[] = {
    {.format = {"OBJ", ".obj", false}, .own_file = true, .still = weft_obj_still},
    {.format = {"PC2", ".pc2", true},
     .begin = weft_pc2_begin,
     .frame = weft_pc2_frame,
     .finish = weft_pc2_finish,
     .find = weft_pc2_find,
     .take = weft_pc2_take},
    {.format = {"MDD", ".mdd", true},
     .begin = weft_mdd_begin,
     .frame = weft_mdd_frame,
     .finish = weft_mdd_finish,
     .find = weft_mdd_find,
     .take = weft_mdd_take},
    {.format = {"USDA", ".usda", true},
     .appends = true,
     .begin = weft_usda_begin,
     .frame = weft_usda_frame,
     .finish = weft_usda_finish,
     .free = weft_usda_free,
     .find = weft_usda_find,
     .take = weft_usda_take},
    {.format = {"PLY", ".ply", false}, .still = weft_ply_still},
    {.format = {"GLB", ".glb", false}, .still = weft_glb_still},
    {.format = {"glTF", ".gltf", false}, .still = weft_gltf_still},
    {.format = {NULL, NULL, false}},
};

const weft_export_format *weft_export_format_at(uint32_t index) {
  const size_t count = sizeof weft_export_writers / sizeof *weft_export_writers - 1;
  return index < count ? &weft_export_writers[index].format : NULL;
}

const weft_export_format *weft_export_format_of(const char *path) {
  if (!path) return NULL;
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (const weft_export_writer *w = weft_export_writers; dot && w->format.name; ++w) {
    if (strcasecmp(dot, w->format.ending) == 0) return &w->format;
  }
  return NULL;
}
