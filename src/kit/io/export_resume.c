/* export_resume.c: frames that an earlier run wrote become the first ones of a file. */
#define _POSIX_C_SOURCE 200809L
#include "export_resume.h"

#include "export_internal.h"

weft_result weft_export_hold(weft_export *cache, weft_error *err) {
  if (!cache->output) return WEFT_OK;
  weft_output_keep(cache->output);
  return weft_output_sync(cache->output, err);
}

static bool take_all(weft_export *cache, FILE *older, uint32_t frames, weft_vec3 *placed,
                     const weft_vec3 *last) {
  const size_t bytes = cache->desc.source->vertex_count * sizeof *placed;
  if (!cache->writer->find(cache, older)) return false;
  for (uint32_t k = 0; k < frames; ++k) {
    if (!cache->writer->take(cache, older, placed)) return false;
    if (weft_export_frame(cache, placed, NULL) != WEFT_OK) return false;
  }
  return memcmp(placed, last, bytes) == 0;
}

bool weft_export_take(weft_export *cache, const char *path, uint32_t frames,
                      const weft_vec3 *last) {
  FILE *older = cache->writer->find ? fopen(path, "rbe") : NULL;
  const off_t start = older ? ftello(weft_export_file(cache)) : -1;
  if (!older) return false;
  weft_vec3 *placed = weft_alloc(cache->desc.source->vertex_count, sizeof *placed);
  const bool taken = take_all(cache, older, frames, placed, last);
  weft_free(placed);
  fclose(older);
  if (taken || cache->frames == 0) return taken;
  cache->frames = 0;
  return weft_output_cut(cache->output, (uint64_t)start) && false;
}
