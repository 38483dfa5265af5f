/* Reads glTF 2.0: container, JSON, buffers. */
#include "gltf_file.h"

#include "files.h"
#include "named_file.h"

enum { MAX_JSON = 64 << 20, MAX_NUMBERS = 1 << 27 };
static const unsigned max_bytes = 1u << 31;

weft_result weft_gltf_refuse(const weft_gltf *gltf, const char *format, ...) {
  char reason[600];
  va_list list;
  va_start(list, format);
  vsnprintf(reason, sizeof reason, format, list);
  va_end(list);
  return weft_fail(gltf->err, WEFT_ERROR_FORMAT, "%s: %s", weft_shown_path(gltf->path), reason);
}

/* ---- JSON ---- */

json_t *weft_gltf_item(const weft_gltf *gltf, const char *list, uint64_t index) {
  return json_array_get(json_object_get(gltf->root, list), (size_t)index);
}

size_t weft_gltf_count(const weft_gltf *gltf, const char *list) {
  return json_array_size(json_object_get(gltf->root, list));
}

uint64_t weft_gltf_whole(const json_t *object, const char *key, uint64_t fallback) {
  const json_t *value = json_object_get(object, key);
  if (!value) return fallback;
  json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
  return number >= 0 && number < INT64_C(1) << 53 ? (uint64_t)number : WEFT_GLTF_NONE;
}

bool weft_gltf_fixed(const json_t *object, const char *key, size_t count, double *values) {
  const json_t *array = json_object_get(object, key);
  if (!array) return true;
  if (json_array_size(array) != count) return false;
  for (size_t k = 0; k < count; ++k) {
    const json_t *value = json_array_get(array, k);
    if (!json_is_number(value) || !(fabs(json_number_value(value)) <= 1e12)) return false;
    values[k] = json_number_value(value);
  }
  return true;
}

static weft_result parse_json(weft_gltf *g, const char *text, size_t length) {
  json_error_t error;
  if (length > MAX_JSON) {
    return weft_gltf_refuse(g, "%zu bytes of JSON; at most %d: put its data into a .glb", length,
                            MAX_JSON);
  }
  g->root = json_loadb(text, length, 0, &error);
  if (!g->root) return weft_gltf_refuse(g, "line %d of its JSON: %s", error.line, error.text);
  const char *version =
      json_string_value(json_object_get(json_object_get(g->root, "asset"), "version"));
  if (!version || strncmp(version, "2.", 2) != 0) {
    return weft_gltf_refuse(g, "glTF of version %.20s; 2.0 is read", version ? version : "unknown");
  }
  return WEFT_OK;
}

/* ---- container ---- */

static uint32_t get_uint(const void *bytes) {
  const unsigned char *b = bytes;
  return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | (uint32_t)b[0];
}

/* JSON first, then perhaps binary data; other kinds of chunks are passed over. */
static weft_result read_glb(weft_gltf *g, weft_gltf_buffer *binary) {
  static const uint32_t json_chunk = 0x4e4f534a, binary_chunk = 0x004e4942;
  if (get_uint(g->bytes + 4) != 2) {
    return weft_gltf_refuse(g, "GLB of version %u; 2 is read", get_uint(g->bytes + 4));
  }
  for (size_t at = 12; g->length - at >= 8;) {
    size_t size = get_uint(g->bytes + at);
    uint32_t type = get_uint(g->bytes + at + 4);
    at += 8;
    if (size > g->length - at) {
      return weft_gltf_refuse(g,
                              "a chunk at byte %zu has %zu bytes, and %zu are left: it was cut "
                              "short",
                              at - 8, size, g->length - at);
    }
    if (type == json_chunk && !g->root) {
      weft_result result = parse_json(g, g->bytes + at, size);
      if (result != WEFT_OK) return result;
    } else if (type == binary_chunk && !binary->bytes) {
      *binary = (weft_gltf_buffer){(const unsigned char *)g->bytes + at, size, NULL};
    }
    at += size;
  }
  return g->root ? WEFT_OK : weft_gltf_refuse(g, "no chunk of JSON in it");
}

/* ---- buffers ---- */

static int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static weft_result decode_base64(const weft_gltf *g, size_t index, const char *text,
                                 weft_gltf_buffer *buffer) {
  size_t length = strlen(text);
  unsigned char *out = weft_alloc(length / 4 * 3 + 3, 1);
  buffer->bytes = buffer->owned = out;
  uint32_t bits = 0;
  int have = 0;
  while (length > 0 && text[length - 1] == '=') --length;
  for (size_t k = 0; k < length; ++k) {
    int digit = digit_of(text[k]);
    if (digit < 0) return weft_gltf_refuse(g, "buffer %zu: character %zu is not base64", index, k);
    bits = bits << 6 | (uint32_t)digit;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out[buffer->length++] = (unsigned char)(bits >> have);
  }
  return WEFT_OK;
}

static weft_result load_beside(const weft_gltf *g, size_t index, const char *name,
                               weft_gltf_buffer *buffer) {
  char *path, *bytes = NULL;
  weft_result result;
  if (weft_find_beside(g->path, name, &path) == WEFT_NAMED_OUTSIDE) {
    result = weft_gltf_refuse(g, "buffer %zu is \"%.80s\", which is not in the folder of the file",
                              index, name);
  } else {
    result = weft_mesh_load(path, &bytes, &buffer->length, g->err);
  }
  weft_free(path);
  buffer->bytes = (const unsigned char *)bytes;
  buffer->owned = bytes;
  return result;
}

static weft_result load_buffer(const weft_gltf *g, size_t index, const char *uri,
                               weft_gltf_buffer *buffer) {
  if (strncmp(uri, "data:", 5) == 0) {
    const char *data = strstr(uri, ";base64,");
    if (!data) return weft_gltf_refuse(g, "buffer %zu: its data is not base64", index);
    return decode_base64(g, index, data + 8, buffer);
  }
  return load_beside(g, index, uri, buffer);
}

static weft_result load_buffers(weft_gltf *g, const weft_gltf_buffer *binary) {
  size_t count = weft_gltf_count(g, "buffers");
  g->byte_count = g->length;
  g->buffers = weft_alloc(count, sizeof *g->buffers);
  g->buffer_count = count;
  for (size_t k = 0; k < count; ++k) {
    const json_t *item = weft_gltf_item(g, "buffers", k);
    const char *uri = json_string_value(json_object_get(item, "uri"));
    uint64_t length = weft_gltf_whole(item, "byteLength", WEFT_GLTF_NONE);
    weft_result result = WEFT_OK;
    if (uri) {
      result = load_buffer(g, k, uri, &g->buffers[k]);
    } else if (k == 0) {
      g->buffers[k] = *binary;
    }
    if (result != WEFT_OK) return result;
    if (length > g->buffers[k].length) {
      return weft_gltf_refuse(g, "buffer %zu is said to have %llu bytes, and has %zu", k,
                              (unsigned long long)length, g->buffers[k].length);
    }
    g->byte_count += uri ? g->buffers[k].length : 0;
    if (g->byte_count > max_bytes) return weft_gltf_refuse(g, "more than %u bytes", max_bytes);
    g->buffers[k].length = (size_t)length;
  }
  return WEFT_OK;
}

/* ---- the whole ---- */

/* Whether positions and animations mean the same without knowing the extension. */
static bool is_harmless(const char *extension) {
  return strcmp(extension, "KHR_mesh_quantization") == 0 ||
         strncmp(extension, "KHR_materials_", 14) == 0 ||
         strncmp(extension, "KHR_texture_", 12) == 0 || strncmp(extension, "EXT_texture_", 12) == 0;
}

static weft_result check_extensions(const weft_gltf *g) {
  size_t count = weft_gltf_count(g, "extensionsRequired");
  for (size_t k = 0; k < count; ++k) {
    const char *name = json_string_value(weft_gltf_item(g, "extensionsRequired", k));
    if (name && is_harmless(name)) continue;
    return weft_gltf_refuse(g, "it needs the extension %.60s, which weft does not read",
                            name ? name : "of no name");
  }
  return WEFT_OK;
}

static void release_json(void *gltf) { json_decref(((weft_gltf *)gltf)->root); }

weft_result weft_gltf_open(const char *path, weft_gltf *gltf, weft_error *err) {
  *gltf = (weft_gltf){.path = path, .budget = MAX_NUMBERS, .err = err};
  gltf->deferred = weft_defer(release_json, gltf);
  weft_gltf_buffer binary = {0};
  weft_result result = weft_mesh_load(path, &gltf->bytes, &gltf->length, err);
  if (result == WEFT_OK) {
    bool glb = gltf->length >= 12 && memcmp(gltf->bytes, "glTF", 4) == 0;
    result = glb ? read_glb(gltf, &binary) : parse_json(gltf, gltf->bytes, gltf->length);
  }
  if (result == WEFT_OK) result = check_extensions(gltf);
  if (result == WEFT_OK) result = load_buffers(gltf, &binary);
  if (result != WEFT_OK) weft_gltf_close(gltf);
  return result;
}

void weft_gltf_close(weft_gltf *gltf) {
  for (size_t k = 0; k < gltf->buffer_count; ++k) weft_free(gltf->buffers[k].owned);
  weft_free(gltf->buffers);
  weft_defer_end(gltf->deferred);
  release_json(gltf);
  weft_free(gltf->bytes);
  *gltf = (weft_gltf){0};
}
