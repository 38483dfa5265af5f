/* Accessors of glTF: numbers of any component type, in a view of a buffer, some perhaps replaced
 * (sparse). */
#include "gltf_file.h"

typedef struct span {
  const unsigned char *bytes;
  uint64_t stride; /* bytes from one element to the next */
} span;

typedef struct element {
  uint32_t type; /* GL's name of the component type */
  uint32_t size; /* bytes of a component */
  uint32_t components;
  bool normalized;
} element;

/* 0 for what is no component type. */
static uint32_t size_of(uint64_t type) {
  switch (type) {
    case 5120:
      return 1;
    case 5121:
      return 1;
    case 5122:
      return 2;
    case 5123:
      return 2;
    case 5125:
      return 4;
    case 5126:
      return 4;
    default:
      return 0;
  }
}

static double get_number(const unsigned char *b, const element *e) {
  uint32_t bits = 0;
  float real;
  for (uint32_t k = 0; k < e->size; ++k) bits |= (uint32_t)b[k] << 8 * k;
  switch (e->type) {
    case 5120:
      return e->normalized ? fmax((int8_t)bits / 127.0, -1) : (int8_t)bits;
    case 5121:
      return e->normalized ? bits / 255.0 : bits;
    case 5122:
      return e->normalized ? fmax((int16_t)bits / 32767.0, -1) : (int16_t)bits;
    case 5123:
      return e->normalized ? bits / 65535.0 : bits;
    case 5125:
      return bits;
    default:
      memcpy(&real, &bits, sizeof real);
      return (double)real;
  }
}

/* `count` elements of `size` bytes in a view: none of the sums can overflow, all being below 2^53.
 */
static weft_result find_span(const weft_gltf *g, const char *what, uint64_t view_index,
                             uint64_t offset, uint64_t count, uint64_t size, span *out) {
  const json_t *view = weft_gltf_item(g, "bufferViews", view_index);
  uint64_t buffer = weft_gltf_whole(view, "buffer", WEFT_GLTF_NONE),
           first = weft_gltf_whole(view, "byteOffset", 0),
           length = weft_gltf_whole(view, "byteLength", WEFT_GLTF_NONE),
           stride = weft_gltf_whole(view, "byteStride", size);
  if (!view || buffer >= g->buffer_count || first == WEFT_GLTF_NONE || length == WEFT_GLTF_NONE ||
      first + length > g->buffers[buffer].length) {
    return weft_gltf_refuse(g, "%s: buffer view %llu is missing, or ends behind its buffer", what,
                            (unsigned long long)view_index);
  }
  if (stride < size || stride > 65536) {
    return weft_gltf_refuse(
        g, "%s: buffer view %llu has a stride of %llu bytes for elements of %llu", what,
        (unsigned long long)view_index, (unsigned long long)stride, (unsigned long long)size);
  }
  uint64_t end = count ? (count - 1) * stride + size : 0;
  if (offset == WEFT_GLTF_NONE || offset > length || end > length - offset) {
    return weft_gltf_refuse(g, "%s: %llu elements end behind buffer view %llu of %llu bytes", what,
                            (unsigned long long)count, (unsigned long long)view_index,
                            (unsigned long long)length);
  }
  *out = (span){g->buffers[buffer].bytes + first + offset, stride};
  return WEFT_OK;
}

static void read_element(const unsigned char *bytes, const element *e, double *values) {
  for (uint32_t k = 0; k < e->components; ++k) values[k] = get_number(bytes + k * e->size, e);
}

/* Elements that stand elsewhere, with their numbers. */
static weft_result replace_some(const weft_gltf *g, const char *what, const json_t *sparse,
                                const element *e, uint64_t count, double *values) {
  const json_t *indices = json_object_get(sparse, "indices"),
               *other = json_object_get(sparse, "values");
  uint64_t some = weft_gltf_whole(sparse, "count", WEFT_GLTF_NONE);
  uint64_t type = weft_gltf_whole(indices, "componentType", 0);
  element number = {(uint32_t)type, size_of(type), 1, false};
  if (some > count || number.size == 0 || type == 5126) {
    return weft_gltf_refuse(g, "%s: its sparse part is broken", what);
  }
  span at, from;
  weft_result result = find_span(g, what, weft_gltf_whole(indices, "bufferView", WEFT_GLTF_NONE),
                                 weft_gltf_whole(indices, "byteOffset", 0), some, number.size, &at);
  if (result == WEFT_OK) {
    result = find_span(g, what, weft_gltf_whole(other, "bufferView", WEFT_GLTF_NONE),
                       weft_gltf_whole(other, "byteOffset", 0), some,
                       (uint64_t)e->size * e->components, &from);
  }
  for (uint64_t k = 0; k < some && result == WEFT_OK; ++k) {
    double index = get_number(at.bytes + k * at.stride, &number);
    if (!(index >= 0 && index < (double)count)) {
      return weft_gltf_refuse(g, "%s: its sparse part names element %.0f of %llu", what, index,
                              (unsigned long long)count);
    }
    read_element(from.bytes + k * from.stride, e, values + (size_t)index * e->components);
  }
  return result;
}

/* ---- an accessor ---- */

static uint32_t components_of(const char *type) {
  static const struct {
    const char *name;
    uint32_t components;
  } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  for (size_t k = 0; type && k < sizeof types / sizeof *types; ++k) {
    if (strcmp(type, types[k].name) == 0) return types[k].components;
  }
  return 0;
}

static weft_result read_accessor(weft_gltf *g, const json_t *accessor, const char *what,
                                 const element *e, uint64_t count, double *values) {
  uint64_t view = weft_gltf_whole(accessor, "bufferView", WEFT_GLTF_NONE);
  const json_t *sparse = json_object_get(accessor, "sparse");
  weft_result result = WEFT_OK;
  if (json_object_get(accessor, "bufferView")) {
    span from;
    result = find_span(g, what, view, weft_gltf_whole(accessor, "byteOffset", 0), count,
                       (uint64_t)e->size * e->components, &from);
    for (uint64_t k = 0; k < count && result == WEFT_OK; ++k) {
      read_element(from.bytes + k * from.stride, e, values + (size_t)k * e->components);
    }
  }
  if (result == WEFT_OK && sparse) result = replace_some(g, what, sparse, e, count, values);
  return result;
}

/* Before anything is allocated. An accessor without a view is zeros, which are believed in as far
 * as the rest of the file is as long. */
static weft_result check_length(weft_gltf *g, const json_t *accessor, const char *what,
                                const element *e, uint64_t count) {
  if (count == 0 || count > g->budget / e->components) {
    return weft_gltf_refuse(g, "%s: %llu elements are none or too many", what,
                            (unsigned long long)count);
  }
  g->budget -= count * e->components;
  if (!json_object_get(accessor, "bufferView")) {
    if (count <= g->byte_count) return WEFT_OK;
    return weft_gltf_refuse(g, "%s: %llu elements without a buffer view in a file of %llu bytes",
                            what, (unsigned long long)count, (unsigned long long)g->byte_count);
  }
  span ignored;
  return find_span(g, what, weft_gltf_whole(accessor, "bufferView", WEFT_GLTF_NONE),
                   weft_gltf_whole(accessor, "byteOffset", 0), count,
                   (uint64_t)e->size * e->components, &ignored);
}

weft_result weft_gltf_numbers(weft_gltf *gltf, uint64_t index, uint32_t components,
                              const char *what, double **values, uint32_t *count) {
  *values = NULL;
  *count = 0;
  const json_t *accessor = weft_gltf_item(gltf, "accessors", index);
  if (!accessor) return weft_gltf_refuse(gltf, "%s: its accessor does not exist", what);
  uint64_t type = weft_gltf_whole(accessor, "componentType", 0),
           length = weft_gltf_whole(accessor, "count", 0);
  element e = {(uint32_t)type, size_of(type), components,
               json_is_true(json_object_get(accessor, "normalized"))};
  const char *shape = json_string_value(json_object_get(accessor, "type"));
  if (e.size == 0 || components_of(shape) != components) {
    return weft_gltf_refuse(gltf, "%s: accessor %llu is %.8s of component type %llu", what,
                            (unsigned long long)index, shape ? shape : "nothing",
                            (unsigned long long)type);
  }
  weft_result result = check_length(gltf, accessor, what, &e, length);
  if (result != WEFT_OK) return result;
  *values = weft_alloc((size_t)length * components, sizeof **values);
  *count = (uint32_t)length;
  return read_accessor(gltf, accessor, what, &e, length, *values);
}
