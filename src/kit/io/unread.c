/* unread.c: formats that are written or used elsewhere, and that no mesh can be read of. */
#include "files.h"
#include "mesh_internal.h"
#include "obj.h"

static const struct {
  const char *ending, *magic, *reason; /* no magic: by its ending alone */
} formats[] = {
    {".usda", "#usda", "USD is written, and not read: OBJ, PLY and GLB are both"},
    {".usdc", "PXR-USDC", "USD is written, and not read: OBJ, PLY and GLB are both"},
    {".usd", NULL, "USD is written, and not read: OBJ, PLY and GLB are both"},
    {".usdz", NULL, "USD is written, and not read: OBJ, PLY and GLB are both"},
    {".pc2", "POINTCACHE2", "a point cache (PC2) moves the vertices of a mesh, and is none"},
    {".mdd", NULL, "a point cache (MDD) moves the vertices of a mesh, and is none"},
    {".abc", "Ogawa", "Alembic is not read"},
};

weft_result weft_mesh_refuse_unread(const char *path, const char *bytes, size_t length,
                                    weft_error *err) {
  for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k) {
    const char *magic = formats[k].magic;
    const bool begins = magic && weft_begins_with(bytes, length, magic);
    if (!begins && !weft_ends_with(path, formats[k].ending)) continue;
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %s", weft_shown_path(path), formats[k].reason);
  }
  return WEFT_OK;
}
