#include "setup_internal.h"
bool weft_is_scene_file(const char *path) { return weft_ends_with(path, ".weft.json"); }
weft_result weft_setup_read(weft_setup *s, const char *p, weft_error *err) {
  (void)s;
  (void)p;
  (void)err;
  return WEFT_OK;
}
weft_result weft_setup_locate(const weft_setup *setup, weft_result result, weft_error *err) {
  (void)setup;
  (void)err;
  return result;
}
