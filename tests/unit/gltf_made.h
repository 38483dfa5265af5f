/* gltf_made.h: a glTF file made by a test: an arm of two bones along x, from the origin over the
 * elbow at 1 to the hand at 2, moved by a shoulder and an elbow that turn about z. */
#ifndef WEFT_TESTS_GLTF_MADE_H
#define WEFT_TESTS_GLTF_MADE_H

#include "motion_rig.h"

typedef struct gltf {
  bytes data; /* the buffer */
  char views[4000], accessors[4000], json[16000];
  uint32_t accessor_count;
} gltf;

__attribute__((format(printf, 3, 4))) static inline void append(char *text, size_t size,
                                                                const char *format, ...) {
  va_list list;
  va_start(list, format);
  size_t used = strlen(text);
  assert_true(vsnprintf(text + used, size - used, format, list) < (int)(size - used));
  va_end(list);
}

/* Component types: 5120 and 5121 bytes, 5122 and 5123 shorts, 5126 float. Numbers from an array of
 * doubles, those of integers as their bits; returns the accessor. */
static inline uint32_t add_accessor(gltf *g, const char *type, uint32_t width, uint32_t component,
                                    bool normalized, uint32_t count, const double *values) {
  while (g->data.count % 4) g->data.data[g->data.count++] = 0;
  size_t first = g->data.count;
  for (uint32_t k = 0; k < count * width; ++k) {
    if (component == 5126) put_float(&g->data, (float)values[k], false);
    if (component == 5122 || component == 5123) {
      g->data.data[g->data.count++] = (unsigned char)((uint32_t)values[k] & 255);
      g->data.data[g->data.count++] = (unsigned char)((uint32_t)values[k] >> 8);
    }
    if (component <= 5121) g->data.data[g->data.count++] = (unsigned char)values[k];
  }
  append(g->views, sizeof g->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
         g->accessor_count ? "," : "", first, g->data.count - first);
  append(g->accessors, sizeof g->accessors,
         "%s{\"bufferView\":%u,\"componentType\":%u,\"count\":%u,\"type\":\"%s\"%s}",
         g->accessor_count ? "," : "", g->accessor_count, component, count, type,
         normalized ? ",\"normalized\":true" : "");
  return g->accessor_count++;
}

enum { ARM_VERTICES = 5 };

/* Along the arm; 3 is the blend of both bones, 4 hangs on the elbow with a weight of a half in the
 * file, which counts as a whole one. */
static const double arm_rest[ARM_VERTICES][3] = {
    {0.5, 0, 0}, {0.5, 0.1, 0}, {2, 0, 0.25}, {1.5, 0.1, 0}, {1.25, -0.2, 0}};
/* Part of the elbow's bone. */
static const double arm_elbow[ARM_VERTICES] = {0, 0, 1, 0.25, 1};

/* Keys of the turns about z, in degrees. */
typedef struct arm_keys {
  const char *interpolation; /* of both */
  uint32_t count;
  double times[4], shoulder[4], elbow[4];
} arm_keys;

static inline uint32_t add_turns(gltf *g, const arm_keys *keys, const double *degrees) {
  double values[4 * 3 * 4] = {0};
  bool spline = strcmp(keys->interpolation, "CUBICSPLINE") == 0;
  for (uint32_t k = 0; k < keys->count; ++k) {
    double half = degrees[k] * acos(-1) / 360, *v = values + (spline ? 12 * k + 4 : 4 * k);
    v[2] = sin(half), v[3] = cos(half);
    if (!spline) continue;
    /* Tangents: of the turn's rate, pi/4 a second, and a bit of a stretch. */
    double rate = acos(-1) / 8;
    v[-2] = rate * cos(half), v[-1] = -rate * sin(half) + 0.1;
    v[6] = rate * cos(half), v[7] = -rate * sin(half) - 0.2;
  }
  return add_accessor(g, "VEC4", 4, 5126, false, keys->count * (spline ? 3 : 1), values);
}

/* Fills g->json. Nodes: 0 the mesh, 1 a parent that scales by 2 and shifts by (0, 3, 0), 2 the
 * shoulder, 3 the elbow. */
static inline void make_arm(gltf *g, const arm_keys *keys) {
  memset(g, 0, sizeof *g);
  double joints[4 * ARM_VERTICES], weights[4 * ARM_VERTICES] = {0};
  for (uint32_t v = 0; v < ARM_VERTICES; ++v) {
    /* What has no weight may name any joint. */
    joints[4 * v] = 0, joints[4 * v + 1] = 1, joints[4 * v + 2] = joints[4 * v + 3] = 77;
    weights[4 * v] = 1 - arm_elbow[v], weights[4 * v + 1] = v == 4 ? 0.5 : arm_elbow[v];
  }
  const double indices[6] = {0, 1, 3, 2, 3, 4};
  const double bind[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                           1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1};
  add_accessor(g, "VEC3", 3, 5126, false, ARM_VERTICES, arm_rest[0]);
  add_accessor(g, "VEC4", 4, 5121, false, ARM_VERTICES, joints);
  add_accessor(g, "VEC4", 4, 5126, false, ARM_VERTICES, weights);
  add_accessor(g, "SCALAR", 1, 5123, false, 6, indices);
  add_accessor(g, "MAT4", 16, 5126, false, 2, bind);
  add_accessor(g, "SCALAR", 1, 5126, false, keys->count, keys->times);
  uint32_t shoulder = add_turns(g, keys, keys->shoulder), elbow = add_turns(g, keys, keys->elbow);
  append(g->json, sizeof g->json,
         "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
         "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]},"
         "{\"children\":[2],\"scale\":[2,2,2],\"translation\":[0,3,0]},"
         "{\"children\":[3]},{\"translation\":[1,0,0]}],"
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
         "\"WEIGHTS_0\":2},\"indices\":3}]}],"
         "\"skins\":[{\"joints\":[2,3],\"inverseBindMatrices\":4}],"
         "\"animations\":[{\"name\":\"bend\",\"channels\":["
         "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}},"
         "{\"sampler\":1,\"target\":{\"node\":3,\"path\":\"rotation\"}}],\"samplers\":["
         "{\"input\":5,\"output\":%u,\"interpolation\":\"%s\"},"
         "{\"input\":5,\"output\":%u,\"interpolation\":\"%s\"}]}],"
         "\"bufferViews\":[%s],\"accessors\":[%s],\"buffers\":[{\"byteLength\":%zu}]}",
         shoulder, keys->interpolation, elbow, keys->interpolation, g->views, g->accessors,
         g->data.count);
}

/* Every occurrence of words in the JSON by others. */
static inline void replace(gltf *g, const char *words, const char *others) {
  static char out[sizeof g->json];
  char *at = g->json, *found;
  out[0] = 0;
  assert_non_null(strstr(at, words));
  for (; (found = strstr(at, words)); at = found + strlen(words)) {
    append(out, sizeof out, "%.*s%s", (int)(found - at), at, others);
  }
  append(out, sizeof out, "%s", at);
  memcpy(g->json, out, sizeof out);
}

static inline const char *write_glb(gltf *g, const char *name) {
  static bytes b;
  size_t text = strlen(g->json), padded = (text + 3) / 4 * 4;
  while (g->data.count % 4) g->data.data[g->data.count++] = 0;
  b.count = 0;
  put_uint(&b, 0x46546c67, false);
  put_uint(&b, 2, false);
  put_uint(&b, (uint32_t)(12 + 8 + padded + 8 + g->data.count), false);
  put_uint(&b, (uint32_t)padded, false);
  put_uint(&b, 0x4e4f534a, false);
  memset(b.data + b.count, ' ', padded);
  memcpy(b.data + b.count, g->json, text);
  b.count += padded;
  put_uint(&b, (uint32_t)g->data.count, false);
  put_uint(&b, 0x004e4942, false);
  memcpy(b.data + b.count, g->data.data, g->data.count);
  b.count += g->data.count;
  const char *path = in_folder(name);
  write_bytes(path, b.data, b.count);
  return path;
}

#endif
