/* gltf.c: the two files that glTF 2.0 comes in: binary (.glb), and JSON that holds the same bytes
 * as text (.gltf). */
#include <string.h>

#include "files.h"
#include "gltf_mesh.h"

/* A header, then two chunks, both of whole words: all numbers of the binary one are words. */
static void put_glb(FILE *file, const char *json, const weft_string *bytes) {
  const size_t length = strlen(json), padded = (length + 3) / 4 * 4;
  fwrite("glTF", 1, 4, file);
  weft_export_put_uint(file, 2);
  weft_export_put_uint(file, (uint32_t)(12 + 8 + padded + 8 + bytes->count));
  weft_export_put_uint(file, (uint32_t)padded);
  fwrite("JSON", 1, 4, file);
  fwrite(json, 1, length, file);
  for (size_t k = length; k < padded; ++k) fputc(' ', file);
  weft_export_put_uint(file, (uint32_t)bytes->count);
  fwrite("BIN\0", 1, 4, file);
  fwrite(bytes->bytes, 1, bytes->count, file);
}

weft_result weft_glb_still(weft_export *cache, const weft_vec3 *placed, weft_error *err) {
  weft_gltf_mesh mesh;
  weft_result result = WEFT_OK;
  weft_gltf_mesh_make(&mesh, &cache->desc, placed);
  if (mesh.bytes.count > UINT32_MAX - (1u << 24)) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: a GLB holds 4 GiB at most",
                       weft_shown_path(cache->desc.path));
  } else {
    const json_t *root = weft_gltf_mesh_json(&mesh);
    const size_t length = json_dumpb(root, NULL, 0, JSON_COMPACT);
    char *text = weft_alloc(length + 1, 1);
    json_dumpb(root, text, length, JSON_COMPACT);
    put_glb(weft_export_file(cache), text, &mesh.bytes);
    weft_free(text);
  }
  weft_gltf_mesh_free(&mesh);
  return result;
}

/* Base64 (RFC 4648). */
static json_t *uri_of(const weft_string *bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  weft_string uri = {0};
  weft_string_add(&uri, "data:application/octet-stream;base64,");
  for (size_t k = 0; k < bytes->count; k += 3) {
    const size_t left = bytes->count - k;
    uint32_t three = 0;
    for (size_t i = 0; i < 3; ++i) {
      three = three << 8 | (i < left ? (unsigned char)bytes->bytes[k + i] : 0);
    }
    const char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                          left > 1 ? digits[three >> 6 & 63] : '=',
                          left > 2 ? digits[three & 63] : '='};
    weft_string_add_bytes(&uri, four, sizeof four);
  }
  json_t *text = json_stringn(uri.bytes, uri.count);
  weft_string_free(&uri);
  return text;
}

weft_result weft_gltf_still(weft_export *cache, const weft_vec3 *placed, weft_error *err) {
  weft_gltf_mesh mesh;
  (void)err;
  weft_gltf_mesh_make(&mesh, &cache->desc, placed);
  json_t *uri = uri_of(&mesh.bytes), *root = weft_gltf_mesh_json(&mesh);
  json_object_set_new(json_array_get(json_object_get(root, "buffers"), 0), "uri", uri);
  json_dumpf(root, weft_export_file(cache), JSON_INDENT(1));
  weft_gltf_mesh_free(&mesh);
  return WEFT_OK;
}
