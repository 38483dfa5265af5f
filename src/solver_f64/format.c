/* format.c: the elements of every buffer, scalar by scalar, for the way from floats to doubles and
 * back. */
#include <string.h>

#include "base.h"
#include "f64.h"

#define VEC4 "ffff"
#define UVEC4 "uuuu"
#define FOUR_CONTACTS "fffufffufffufffu"
#define CONTACTS FOUR_CONTACTS FOUR_CONTACTS FOUR_CONTACTS FOUR_CONTACTS
#define POSE VEC4 VEC4 VEC4 VEC4 VEC4 VEC4 VEC4 VEC4 VEC4 VEC4 "uuuu"

/* buffer, its element of floats, the scalars of that */
#define FORMATS(ROW)                                               \
  ROW(UNIFORMS, weft_uniforms, VEC4 "ffffffuuffffffffufuu")        \
  ROW(X, vec4, VEC4)                                               \
  ROW(X_PREV, vec4, VEC4)                                          \
  ROW(V, vec4, VEC4)                                               \
  ROW(DISTANCE, weft_distance, "uuff")                             \
  ROW(DISTANCE_XPBD, weft_xpbd, "ff")                              \
  ROW(DISTANCE_LAMBDA, float, "f")                                 \
  ROW(ISOMETRIC, weft_isometric, UVEC4 VEC4)                       \
  ROW(ISOMETRIC_XPBD, weft_xpbd, "ff")                             \
  ROW(ISOMETRIC_LAMBDA, vec4, VEC4)                                \
  ROW(DIHEDRAL, weft_dihedral, UVEC4 "ffff")                       \
  ROW(DIHEDRAL_LAMBDA, float, "f")                                 \
  ROW(DELTA, float[3], "fff")                                      \
  ROW(GATHER_OFFSETS, uint32_t, "u")                               \
  ROW(GATHER_SLOTS, uint32_t, "u")                                 \
  ROW(TRIANGLES, uint32_t[3], "uuu")                               \
  ROW(FORCES, vec4, VEC4)                                          \
  ROW(CORNER_OFFSETS, uint32_t, "u")                               \
  ROW(CORNER_ITEMS, uint32_t, "u")                                 \
  ROW(SUBSTEPS, weft_substep, VEC4)                                \
  ROW(COLLIDERS, weft_collider_pose, POSE)                         \
  ROW(PINS, weft_pin_path, VEC4 VEC4 "uuuu")                       \
  ROW(MOTION, weft_motion, VEC4 VEC4 VEC4)                         \
  ROW(TETHERS, weft_tether, UVEC4 VEC4)                            \
  ROW(LEVEL_X, vec4, VEC4)                                         \
  ROW(LEVEL_BASE, vec4, VEC4)                                      \
  ROW(LEVEL_EDGES, weft_distance, "uuff")                          \
  ROW(LEVEL_OFFSETS, uint32_t, "u")                                \
  ROW(LEVEL_CHILDREN, weft_level_child, "uf")                      \
  ROW(LEVEL_PARENTS, weft_level_parents, UVEC4 VEC4)               \
  ROW(LEVEL_NODE_PARENTS, weft_level_parents, UVEC4 VEC4)          \
  ROW(LEVEL_STEPS, weft_level_step, "uuuu")                        \
  ROW(LINE_EDGES, weft_line_edge, "uuff")                          \
  ROW(LINE_BUNDLES, weft_line_bundle, "uuuu")                      \
  ROW(LINE_LAMBDA, float, "f")                                     \
  ROW(LINE_LEFT, uint32_t, "u")                                    \
  ROW(GRID, uint32_t, "u")                                         \
  ROW(GRID_LOOSE, uint32_t, "u")                                   \
  ROW(GRID_ITEMS, uint32_t, "u")                                   \
  ROW(CONTACTS, weft_neighbour[WEFT_CONTACT_SLOTS], CONTACTS)      \
  ROW(CONTACTS_KEPT, weft_neighbour[WEFT_CONTACT_SLOTS], CONTACTS) \
  ROW(CONTACT_FOUND, uint32_t, "u")                                \
  ROW(CONTACT_LOAD, uint32_t, "u")                                 \
  ROW(CONTACT_DELTA, float[3], "fff")                              \
  ROW(GRAB, weft_grab, VEC4 VEC4 "fffu")                           \
  ROW(PICK_RAY, weft_pick_ray, VEC4 VEC4)                          \
  ROW(PICK, weft_pick, "ffuu")                                     \
  ROW(PATCH_WORDS, uint32_t, "u")                                  \
  ROW(PATCH_DISTANCE, weft_patch_distance, "uff")                  \
  ROW(PATCH_QUAD, weft_patch_quad, "uu")                           \
  ROW(PATCH_WEIGHTS, vec4, VEC4)                                   \
  ROW(PATCH_XPBD, weft_xpbd, "ff")                                 \
  ROW(PATCH_LAMBDA, float, "f")                                    \
  ROW(PATCH_DISPATCHES, uint32_t, "u")                             \
  ROW(PATCH_SOURCES, uint32_t, "u")

#define FORMAT(id, element, format) [WEFT_BUFFER_##id] = format,
#define ONE(id, element, format) +1
#define SAME_SIZE(id, element, format)                      \
  _Static_assert(sizeof(format) - 1 == sizeof(element) / 4, \
                 #id ": the format does not have the scalars of " #element);

static const char *const formats[] = {FORMATS(FORMAT)};
enum { FORMAT_COUNT = 0 FORMATS(ONE) };
_Static_assert((int)FORMAT_COUNT == (int)WEFT_BUFFER_COUNT,
               "a buffer has no row in FORMATS: say which of its scalars are floats");
FORMATS(SAME_SIZE)

const char *weft_f64_format(weft_buffer_id id) { return formats[id]; }

static size_t aligned(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

uint32_t weft_f64_stride(const char *format) {
  size_t bytes = 0;
  for (const char *c = format; *c; ++c) {
    size_t size = *c == 'f' ? sizeof(double) : sizeof(uint32_t);
    bytes = aligned(bytes, size) + size;
  }
  return (uint32_t)aligned(bytes, strchr(format, 'f') ? sizeof(double) : sizeof(uint32_t));
}

/* One element; which way is a constant in each caller. */
static inline void convert(const char *format, unsigned char *floats, unsigned char *doubles,
                           bool widen) {
  size_t at = 0;
  for (size_t k = 0; format[k]; ++k) {
    unsigned char *narrow = floats + 4 * k;
    at = format[k] == 'f' ? aligned(at, sizeof(double)) : at;
    unsigned char *wide = doubles + at;
    if (format[k] == 'u') {
      memcpy(widen ? wide : narrow, widen ? narrow : wide, sizeof(uint32_t));
      at += sizeof(uint32_t);
      continue;
    }
    float single;
    double twice;
    if (widen) {
      memcpy(&single, narrow, sizeof single);
      twice = (double)single;
      memcpy(wide, &twice, sizeof twice);
    } else {
      memcpy(&twice, wide, sizeof twice);
      single = (float)twice;
      memcpy(narrow, &single, sizeof single);
    }
    at += sizeof(double);
  }
}

void weft_f64_widen(const char *format, const void *floats, void *doubles, uint64_t count) {
  size_t narrow = 4 * strlen(format), wide = weft_f64_stride(format);
  for (uint64_t i = 0; i < count; ++i) {
    convert(format, (unsigned char *)(uintptr_t)floats + i * narrow,
            (unsigned char *)doubles + i * wide, true);
  }
}

void weft_f64_narrow(const char *format, const void *doubles, void *floats, uint64_t count) {
  size_t narrow = 4 * strlen(format), wide = weft_f64_stride(format);
  for (uint64_t i = 0; i < count; ++i) {
    convert(format, (unsigned char *)floats + i * narrow,
            (unsigned char *)(uintptr_t)doubles + i * wide, false);
  }
}
