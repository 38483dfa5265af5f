/* gltf_mesh.c: a mesh with normals, texture coordinates and colours; for each object of the source
 * a node, for each of its materials a primitive. All share their vertices.
 *
 * A vertex of the mesh has one texture coordinate, so a vertex of the file that has several comes
 * several times: the first at its own number, the others behind all of them. Nodes bring the
 * file's unit and axis to metres and y up, which is what glTF means. */
#include "gltf_mesh.h"

#include <stdlib.h>
#include <weft/version.h>

#include "parts.h"
#include "polygon.h"
#include "vec3d.h"

enum { FLOAT = 5126, UNSIGNED_INT = 5125, VERTICES = 34962, INDICES = 34963 };
enum { MODE_POINTS = 0, MODE_LINES = 1, MODE_TRIANGLES = 4 };

typedef weft_gltf_mesh builder;

/* ---- numbers ---- */

static void add_uint(builder *b, uint32_t value) {
  unsigned char bytes[4];
  weft_export_word(value, bytes);
  weft_string_add_bytes(&b->bytes, bytes, sizeof bytes);
}

static void add_float(builder *b, float value) { add_uint(b, weft_export_bits(value)); }

static json_t *numbers(const double *values, int count) {
  json_t *list = json_array();
  for (int k = 0; k < count; ++k) json_array_append_new(list, json_real(values[k]));
  return list;
}

/* What was added since byte `from` as an accessor; its number. */
static json_int_t add_accessor(builder *b, size_t from, uint32_t count, int type, const char *shape,
                               int target) {
  json_t *view = json_pack("{s:i, s:I, s:I, s:i}", "buffer", 0, "byteOffset", (json_int_t)from,
                           "byteLength", (json_int_t)(b->bytes.count - from), "target", target);
  json_array_append_new(b->views, view);
  json_t *accessor =
      json_pack("{s:I, s:i, s:I, s:s}", "bufferView", (json_int_t)json_array_size(b->views) - 1,
                "componentType", type, "count", (json_int_t)count, "type", shape);
  json_array_append_new(b->accessors, accessor);
  return (json_int_t)json_array_size(b->accessors) - 1;
}

/* ---- vertices ---- */

/* Those of one vertex of the source are a list, the first being the vertex's own number. */
static void split_vertices(builder *b) {
  const weft_source *s = b->desc->source;
  const size_t max = (size_t)s->vertex_count + s->corner_count;
  uint32_t *next = weft_alloc(max, sizeof *next);
  b->of_corner = weft_alloc(s->corner_count, sizeof *b->of_corner);
  b->vertex = weft_alloc(max, sizeof *b->vertex);
  b->uv = weft_alloc(max, sizeof *b->uv);
  bool *taken = weft_alloc(s->vertex_count, sizeof *taken);
  for (b->count = 0; b->count < s->vertex_count; ++b->count) {
    b->vertex[b->count] = b->count;
    b->uv[b->count] = WEFT_SOURCE_NONE;
  }
  for (uint32_t c = 0; c < s->corner_count; ++c) {
    const uint32_t v = s->corners[c], uv = s->corner_uvs[c];
    uint32_t at = v;
    if (!taken[v]) b->uv[v] = uv;
    taken[v] = true;
    while (b->uv[at] != uv && next[at]) at = next[at];
    if (b->uv[at] != uv) {
      b->vertex[b->count] = v;
      b->uv[b->count] = uv;
      next[at] = b->count;
      at = b->count++;
    }
    b->of_corner[c] = at;
  }
  weft_free(next);
  weft_free(taken);
}

static json_int_t add_positions(builder *b, const weft_vec3 *placed) {
  const size_t from = b->bytes.count;
  weft_vec3 low, high;
  for (uint32_t k = 0; k < b->count; ++k) {
    const weft_vec3 p = placed[b->vertex[k]];
    add_float(b, p.x);
    add_float(b, p.y);
    add_float(b, p.z);
  }
  const json_int_t number = add_accessor(b, from, b->count, FLOAT, "VEC3", VERTICES);
  weft_v3_bounds(placed, b->desc->source->vertex_count, &low, &high);
  json_t *accessor = json_array_get(b->accessors, (size_t)number);
  const double min[3] = {(double)low.x, (double)low.y, (double)low.z};
  const double max[3] = {(double)high.x, (double)high.y, (double)high.z};
  json_object_set_new(accessor, "min", numbers(min, 3));
  json_object_set_new(accessor, "max", numbers(max, 3));
  return number;
}

/* Vertices that the map makes one have one normal. */
static uint32_t place_of(const weft_export_desc *d, uint32_t vertex) {
  const weft_mesh_map *map = d->map;
  if (!map || !map->vertices || map->vertices[vertex] == WEFT_NO_VERTEX) return vertex;
  return map->numbers[map->vertices[vertex]];
}

/* Of each vertex of the source, at its place: areas of the faces around it added up. */
static weft_vec3d *sum_normals(const builder *b, const weft_vec3 *placed) {
  const weft_source *s = b->desc->source;
  weft_vec3d *sums = weft_alloc(s->vertex_count, sizeof *sums);
  for (uint32_t f = 0; f < s->face_count; ++f) {
    const uint32_t first = s->face_first[f], end = s->face_first[f + 1];
    const weft_vec3d area = weft_polygon_normal(placed, s->corners + first, end - first);
    for (uint32_t c = first; c < end; ++c) {
      weft_vec3d *sum = &sums[place_of(b->desc, s->corners[c])];
      *sum = weft_v3d_add(*sum, area);
    }
  }
  return sums;
}

static json_int_t add_normals(builder *b, const weft_vec3 *placed) {
  const size_t from = b->bytes.count;
  weft_vec3d *sums = sum_normals(b, placed);
  for (uint32_t k = 0; k < b->count; ++k) {
    const weft_vec3d sum = sums[place_of(b->desc, b->vertex[k])];
    const double length = weft_v3d_length(sum);
    const weft_vec3d unit = length > 0 ? weft_v3d_scale(sum, 1 / length) : weft_v3d(0, 0, 1);
    add_float(b, (float)unit.x);
    add_float(b, (float)unit.y);
    add_float(b, (float)unit.z);
  }
  weft_free(sums);
  return add_accessor(b, from, b->count, FLOAT, "VEC3", VERTICES);
}

/* Their v counts downwards. */
static json_int_t add_uvs(builder *b) {
  const size_t from = b->bytes.count;
  for (uint32_t k = 0; k < b->count; ++k) {
    const bool none = b->uv[k] == WEFT_SOURCE_NONE;
    add_float(b, none ? 0 : b->desc->source->uvs[b->uv[k]][0]);
    add_float(b, none ? 0 : 1 - b->desc->source->uvs[b->uv[k]][1]);
  }
  return add_accessor(b, from, b->count, FLOAT, "VEC2", VERTICES);
}

/* As the file has them; white where a vertex has none. */
static json_int_t add_colours(builder *b) {
  const size_t from = b->bytes.count;
  for (uint32_t k = 0; k < b->count; ++k) {
    const float *colour = b->desc->source->colours[b->vertex[k]];
    for (int c = 0; c < 3; ++c) add_float(b, isnan(colour[c]) ? 1 : colour[c]);
  }
  return add_accessor(b, from, b->count, FLOAT, "VEC3", VERTICES);
}

/* ---- faces ---- */

/* Triangles of all faces, three corners each; *first [face_count + 1]. */
static uint32_t *cut_faces(const weft_source *s, uint32_t **first) {
  weft_cutter cutter;
  uint32_t *triangles = weft_alloc(3 * (size_t)s->corner_count, sizeof *triangles), count = 0;
  weft_vec3 *at = weft_alloc(s->corner_count, sizeof *at);
  uint32_t *local = weft_alloc(s->corner_count, sizeof *local);
  *first = weft_alloc((size_t)s->face_count + 1, sizeof **first);
  weft_cutter_start(&cutter);
  for (uint32_t f = 0; f < s->face_count; ++f) {
    const uint32_t begin = s->face_first[f], size = s->face_first[f + 1] - begin;
    uint32_t *out = triangles + 3 * (size_t)count;
    for (uint32_t c = 0; c < size; ++c) {
      at[c] = s->positions[s->corners[begin + c]];
      local[c] = c;
    }
    weft_polygon_cut(&cutter, at, local, size, out);
    for (uint32_t k = 0; k < 3 * (size - 2); ++k) out[k] += begin;
    (*first)[f] = count;
    count += size - 2;
  }
  (*first)[s->face_count] = count;
  weft_cutter_free(&cutter);
  weft_free(at);
  weft_free(local);
  return triangles;
}

/* JSON holds UTF-8 only. */
static json_t *text_of(const char *name) {
  json_t *text = json_string(name);
  return text ? text : json_string("?");
}

static json_t *node_of(const weft_export_desc *d, const char *name, size_t mesh) {
  static const double quarter_back[4] = {-0.70710678118654752, 0, 0, 0.70710678118654752};
  const double unit[3] = {(double)d->source->scale, (double)d->source->scale,
                          (double)d->source->scale};
  json_t *node = json_pack("{s:o, s:I}", "name", text_of(name), "mesh", (json_int_t)mesh);
  if (d->source->scale != 1) json_object_set_new(node, "scale", numbers(unit, 3));
  if (d->z_up) json_object_set_new(node, "rotation", numbers(quarter_back, 4));
  return node;
}

/* A mesh on a node; what follows goes into it. */
static void begin_node(builder *b, const char *name) {
  json_t *mesh = json_pack("{s:o, s:[]}", "name", text_of(name), "primitives");
  json_array_append_new(b->nodes, node_of(b->desc, name, json_array_size(b->meshes)));
  b->primitives = json_object_get(mesh, "primitives");
  json_array_append_new(b->meshes, mesh);
}

static void add_primitive(builder *b, json_t *attributes, json_int_t indices, int mode,
                          json_int_t material) {
  json_t *primitive =
      json_pack("{s:O, s:I, s:i}", "attributes", attributes, "indices", indices, "mode", mode);
  if (material >= 0) json_object_set_new(primitive, "material", json_integer(material));
  json_array_append_new(b->primitives, primitive);
}

static json_int_t add_material(builder *b, const char *name) {
  json_t *material = json_pack("{s:b}", "doubleSided", 1);
  if (name) json_object_set_new(material, "name", text_of(name));
  json_array_append_new(b->materials, material);
  return (json_int_t)json_array_size(b->materials) - 1;
}

/* A face in the order in which faces are written: parts as the file begins them. */
typedef struct face_of {
  uint32_t object, material; /* the first face of each */
  uint32_t face;
} face_of;

static int by_part(const void *x, const void *y) {
  const face_of *a = x, *b = y;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->material != b->material) return a->material < b->material ? -1 : 1;
  return a->face < b->face ? -1 : a->face > b->face;
}

/* Of each face, the first that goes by the same name. */
static uint32_t *first_faces(const weft_parts *parts, uint32_t face_count) {
  uint32_t *first = weft_alloc((size_t)parts->count + 1, sizeof *first);
  uint32_t *of_face = weft_alloc(face_count, sizeof *of_face);
  for (uint32_t p = 0; p <= parts->count; ++p) first[p] = UINT32_MAX;
  for (uint32_t f = 0; f < face_count; ++f) {
    const bool none = parts->of_face[f] == WEFT_PART_NONE;
    uint32_t *own = &first[none ? parts->count : parts->of_face[f]];
    if (*own == UINT32_MAX) *own = f;
    of_face[f] = *own;
  }
  weft_free(first);
  return of_face;
}

static face_of *sort_faces(const weft_source *s, const weft_parts *objects,
                           const weft_parts *materials) {
  uint32_t *object = first_faces(objects, s->face_count);
  uint32_t *material = first_faces(materials, s->face_count);
  face_of *sorted = weft_alloc(s->face_count, sizeof *sorted);
  for (uint32_t f = 0; f < s->face_count; ++f) {
    sorted[f] = (face_of){.object = object[f], .material = material[f], .face = f};
  }
  qsort(sorted, s->face_count, sizeof *sorted, by_part);
  weft_free(object);
  weft_free(material);
  return sorted;
}

static const char *name_of(const weft_parts *parts, uint32_t face) {
  const uint32_t part = parts->of_face[face];
  return part == WEFT_PART_NONE ? NULL : parts->names[part];
}

/* Of a part that begins with this face; each once. */
static json_int_t material_of(builder *b, const weft_parts *materials, uint32_t face,
                              json_int_t *numbers) {
  const uint32_t part = materials->of_face[face];
  json_int_t *number = &numbers[part == WEFT_PART_NONE ? materials->count : part];
  if (*number < 0) *number = add_material(b, name_of(materials, face));
  return *number;
}

/* Faces of one object and one material, from sorted[k] on; where the next begin. */
static uint32_t add_part(builder *b, json_t *attributes, const face_of *sorted, uint32_t k,
                         const uint32_t *triangles, const uint32_t *first, json_int_t material) {
  const size_t from = b->bytes.count;
  const face_of *begin = &sorted[k];
  for (; k < b->desc->source->face_count && sorted[k].object == begin->object &&
         sorted[k].material == begin->material;
       ++k) {
    const uint32_t f = sorted[k].face;
    for (size_t c = 3 * (size_t)first[f]; c < 3 * (size_t)first[f + 1]; ++c) {
      add_uint(b, b->of_corner[triangles[c]]);
    }
  }
  const uint32_t count = (uint32_t)((b->bytes.count - from) / 4);
  const json_int_t indices = add_accessor(b, from, count, UNSIGNED_INT, "SCALAR", INDICES);
  add_primitive(b, attributes, indices, MODE_TRIANGLES, material);
  return k;
}

static void add_faces(builder *b, json_t *attributes) {
  const weft_source *s = b->desc->source;
  weft_parts objects = weft_parts_of(s, WEFT_SOURCE_OBJECT);
  weft_parts materials = weft_parts_of(s, WEFT_SOURCE_MATERIAL);
  json_int_t *numbers = weft_alloc((size_t)materials.count + 1, sizeof *numbers);
  for (uint32_t p = 0; p <= materials.count; ++p) numbers[p] = -1;
  face_of *sorted = sort_faces(s, &objects, &materials);
  uint32_t *first, *triangles = cut_faces(s, &first);
  for (uint32_t k = 0; k < s->face_count;) {
    const uint32_t face = sorted[k].face;
    if (k == 0 || sorted[k].object != sorted[k - 1].object) {
      const char *name = name_of(&objects, face);
      begin_node(b, name ? name : "cloth");
    }
    k = add_part(b, attributes, sorted, k, triangles, first,
                 material_of(b, &materials, face, numbers));
  }
  weft_free(triangles);
  weft_free(first);
  weft_free(sorted);
  weft_free(numbers);
  weft_parts_free(&objects);
  weft_parts_free(&materials);
}

/* Lines, and points for the particles that no line has. */
static void add_particles(builder *b, json_t *attributes) {
  const weft_export_desc *d = b->desc;
  bool *joined = weft_alloc(b->count, sizeof *joined);
  begin_node(b, "cloth");
  size_t from = b->bytes.count;
  for (size_t k = 0; k < 2 * (size_t)d->link_count; ++k) {
    joined[d->links[k]] = true;
    add_uint(b, d->links[k]);
  }
  if (d->link_count > 0) {
    add_primitive(b, attributes,
                  add_accessor(b, from, 2 * d->link_count, UNSIGNED_INT, "SCALAR", INDICES),
                  MODE_LINES, -1);
  }
  from = b->bytes.count;
  for (uint32_t v = 0; v < b->count; ++v) {
    if (!joined[v]) add_uint(b, v);
  }
  const uint32_t points = (uint32_t)((b->bytes.count - from) / 4);
  if (points > 0) {
    add_primitive(b, attributes, add_accessor(b, from, points, UNSIGNED_INT, "SCALAR", INDICES),
                  MODE_POINTS, -1);
  }
  weft_free(joined);
}

/* ---- the whole ---- */

static void add_mesh(builder *b, const weft_vec3 *placed) {
  const weft_source *s = b->desc->source;
  json_t *attributes = b->attributes;
  split_vertices(b);
  json_object_set_new(attributes, "POSITION", json_integer(add_positions(b, placed)));
  if (s->face_count > 0) {
    json_object_set_new(attributes, "NORMAL", json_integer(add_normals(b, placed)));
  }
  if (s->uv_count > 0) json_object_set_new(attributes, "TEXCOORD_0", json_integer(add_uvs(b)));
  if (s->colours) json_object_set_new(attributes, "COLOR_0", json_integer(add_colours(b)));
  if (s->face_count > 0) {
    add_faces(b, attributes);
  } else {
    add_particles(b, attributes);
  }
}

static void release_json(void *what) {
  const weft_gltf_mesh *b = what;
  json_decref(b->views);
  json_decref(b->accessors);
  json_decref(b->nodes);
  json_decref(b->meshes);
  json_decref(b->materials);
  json_decref(b->attributes);
  json_decref(b->root);
}

void weft_gltf_mesh_make(weft_gltf_mesh *b, const weft_export_desc *desc, const weft_vec3 *placed) {
  *b = (weft_gltf_mesh){.desc = desc};
  b->deferred = weft_defer(release_json, b);
  b->views = json_array();
  b->accessors = json_array();
  b->nodes = json_array();
  b->meshes = json_array();
  b->materials = json_array();
  b->attributes = json_object();
  add_mesh(b, placed);
}

static json_t *roots_of(const weft_gltf_mesh *b) {
  json_t *roots = json_array();
  for (size_t k = 0; k < json_array_size(b->nodes); ++k) {
    json_array_append_new(roots, json_integer((json_int_t)k));
  }
  return roots;
}

json_t *weft_gltf_mesh_json(weft_gltf_mesh *b) {
  json_t *root = b->root = json_object();
  json_object_set_new(root, "asset",
                      json_pack("{s:s, s:s}", "version", "2.0", "generator", "weft " WEFT_VERSION));
  json_object_set_new(root, "scene", json_integer(0));
  json_object_set_new(root, "scenes", json_pack("[{s:o}]", "nodes", roots_of(b)));
  json_object_set(root, "nodes", b->nodes);
  json_object_set(root, "accessors", b->accessors);
  json_object_set(root, "bufferViews", b->views);
  if (json_array_size(b->materials) > 0) json_object_set(root, "materials", b->materials);
  json_object_set(root, "meshes", b->meshes);
  json_object_set_new(root, "buffers",
                      json_pack("[{s:I}]", "byteLength", (json_int_t)b->bytes.count));
  return root;
}

void weft_gltf_mesh_free(weft_gltf_mesh *b) {
  weft_string_free(&b->bytes);
  weft_free(b->of_corner);
  weft_free(b->vertex);
  weft_free(b->uv);
  weft_defer_end(b->deferred);
  release_json(b);
}
