/* Meshes of a glTF file and what their vertices hang on. */
#include "gltf_rig.h"

/* ---- joints ---- */

static uint32_t add_joint(weft_skin *skin, uint32_t node, weft_affine bind) {
  weft_grow((void **)&skin->joints, &skin->joint_space, skin->joint_count + 1,
            sizeof *skin->joints);
  skin->joints[skin->joint_count] = (weft_joint){.node = node, .bind = bind};
  return (uint32_t)skin->joint_count++;
}

static weft_affine bind_of(const double *matrices, size_t index) {
  weft_affine a = weft_affine_identity();
  if (!matrices) return a;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 4; ++k) a.m[i][k] = matrices[16 * index + 4 * k + i];
  }
  return a;
}

/* The joints of a skin, one after the other. */
static weft_result add_joints(weft_gltf *g, uint64_t index, const weft_nodes *nodes,
                              weft_skin *skin) {
  const json_t *item = weft_gltf_item(g, "skins", index);
  const json_t *joints = json_object_get(item, "joints"),
               *accessor = json_object_get(item, "inverseBindMatrices");
  double *matrices = NULL;
  uint32_t matrix_count = 0;
  weft_result result = WEFT_OK;
  if (json_array_size(joints) == 0) {
    return weft_gltf_refuse(g, "skin %llu does not exist or has no joints",
                            (unsigned long long)index);
  }
  if (accessor) {
    uint64_t which = weft_gltf_whole(item, "inverseBindMatrices", WEFT_GLTF_NONE);
    result = weft_gltf_numbers(g, which, 16, "inverse bind matrices", &matrices, &matrix_count);
    if (result == WEFT_OK && matrix_count < json_array_size(joints)) {
      result = weft_gltf_refuse(g, "skin %llu has %zu joints and %u inverse bind matrices",
                                (unsigned long long)index, json_array_size(joints), matrix_count);
    }
  }
  for (size_t k = 0; k < json_array_size(joints) && result == WEFT_OK; ++k) {
    const json_t *value = json_array_get(joints, k);
    json_int_t node = json_is_integer(value) ? json_integer_value(value) : -1;
    if (node >= 0 && node < nodes->count) {
      add_joint(skin, (uint32_t)node, bind_of(matrices, k));
    } else {
      result = weft_gltf_refuse(g, "skin %llu: joint %zu is a node that does not exist",
                                (unsigned long long)index, k);
    }
  }
  weft_free(matrices);
  return result;
}

/* ---- holds ---- */

/* Where a primitive's vertices hang. */
typedef struct holder {
  uint32_t first_joint, joint_count;
  bool skinned;
} holder;

static void add_hold(weft_skin *skin, uint32_t joint, double weight) {
  weft_grow((void **)&skin->holds, &skin->hold_space, skin->hold_count + 1, sizeof *skin->holds);
  skin->holds[skin->hold_count++] = (weft_hold){joint, (float)weight};
}

/* JOINTS_0 and WEIGHTS_0, JOINTS_1 and WEIGHTS_1 and so on: four each. */
enum { MAX_SETS = 8 };
typedef struct influences {
  double *joints[MAX_SETS], *weights[MAX_SETS];
  uint32_t sets;
} influences;

static void free_influences(influences *in) {
  for (uint32_t s = 0; s < MAX_SETS; ++s) {
    weft_free(in->joints[s]);
    weft_free(in->weights[s]);
  }
}

static weft_result read_influences(weft_gltf *g, const json_t *attributes, uint32_t vertices,
                                   influences *in) {
  char joints[16], weights[16];
  for (; in->sets < MAX_SETS; ++in->sets) {
    uint32_t s = in->sets, joint_count, weight_count;
    snprintf(joints, sizeof joints, "JOINTS_%u", s);
    snprintf(weights, sizeof weights, "WEIGHTS_%u", s);
    if (!json_object_get(attributes, joints)) break;
    weft_result result = weft_gltf_numbers(g, weft_gltf_whole(attributes, joints, WEFT_GLTF_NONE),
                                           4, joints, &in->joints[s], &joint_count);
    if (result == WEFT_OK) {
      result = weft_gltf_numbers(g, weft_gltf_whole(attributes, weights, WEFT_GLTF_NONE), 4,
                                 weights, &in->weights[s], &weight_count);
    }
    if (result != WEFT_OK) return result;
    if (joint_count != vertices || weight_count != vertices) {
      return weft_gltf_refuse(g, "a skinned mesh has %u vertices, %u of %s and %u of %s", vertices,
                              joint_count, joints, weight_count, weights);
    }
  }
  return in->sets ? WEFT_OK : weft_gltf_refuse(g, "a skinned mesh has no JOINTS_0");
}

/* `at` is the vertex among those of its primitive, `vertex` among all. */
static weft_result hold_vertex(const weft_gltf *g, const influences *in, const holder *h,
                               uint32_t at, uint32_t vertex, weft_skin *skin) {
  double sum = 0;
  for (uint32_t k = 0; k < 4 * in->sets; ++k) sum += in->weights[k / 4][4 * (size_t)at + k % 4];
  if (!(sum > 1e-6 && sum < 1e6)) {
    return weft_gltf_refuse(g, "vertex %u: its weights sum to %g", vertex, sum);
  }
  for (uint32_t k = 0; k < 4 * in->sets; ++k) {
    double weight = in->weights[k / 4][4 * (size_t)at + k % 4],
           joint = in->joints[k / 4][4 * (size_t)at + k % 4];
    if (weight == 0) continue;
    if (weight < 0) {
      return weft_gltf_refuse(g, "vertex %u: one of its weights is %g", vertex, weight);
    }
    if (!(joint >= 0 && joint < h->joint_count)) {
      return weft_gltf_refuse(g, "vertex %u hangs on joint %.0f, and its skin has %u", vertex,
                              joint, h->joint_count);
    }
    add_hold(skin, h->first_joint + (uint32_t)joint, weight / sum);
  }
  return WEFT_OK;
}

static weft_result hold_vertices(weft_gltf *g, const json_t *attributes, const holder *h,
                                 uint32_t first, weft_skin *skin) {
  uint32_t count = skin->vertex_count - first;
  influences in = {.sets = 0};
  weft_result result = h->skinned ? read_influences(g, attributes, count, &in) : WEFT_OK;
  for (uint32_t v = 0; v < count && result == WEFT_OK; ++v) {
    if (h->skinned) {
      result = hold_vertex(g, &in, h, v, first + v, skin);
    } else {
      add_hold(skin, h->first_joint, 1);
    }
    skin->first[first + v + 1] = skin->hold_count;
  }
  free_influences(&in);
  return result;
}

/* ---- vertices and triangles ---- */

static weft_result add_vertices(weft_gltf *g, const json_t *attributes, weft_skin *skin) {
  double *values;
  uint32_t count;
  weft_result result = weft_gltf_numbers(g, weft_gltf_whole(attributes, "POSITION", WEFT_GLTF_NONE),
                                         3, "positions", &values, &count);
  if (result == WEFT_OK && count > WEFT_MESH_MAX_VERTICES - skin->vertex_count) {
    result = weft_gltf_refuse(g, "more than %d vertices", WEFT_MESH_MAX_VERTICES);
  }
  if (result != WEFT_OK) {
    weft_free(values);
    return result;
  }
  size_t total = (size_t)skin->vertex_count + count;
  weft_grow((void **)&skin->rest, &skin->rest_space, total, sizeof *skin->rest);
  weft_grow((void **)&skin->first, &skin->first_space, total + 1, sizeof *skin->first);
  skin->first[skin->vertex_count] = skin->hold_count;
  for (uint32_t v = 0; v < count; ++v) {
    skin->rest[skin->vertex_count++] = weft_v3d_round(weft_v3d_at(values + 3 * (size_t)v));
  }
  weft_free(values);
  return WEFT_OK;
}

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/* Corner c of triangle t in a list of indices. */
static uint32_t corner_of(uint64_t mode, uint32_t t, uint32_t c) {
  if (mode == TRIANGLES) return 3 * t + c;
  if (mode == FAN) return c == 0 ? 0 : t + c;
  return t % 2 && c > 0 ? t + 3 - c : t + c; /* every second one of a strip is turned */
}

static weft_result add_corner(const weft_gltf *g, double index, uint32_t first, weft_skin *skin,
                              uint32_t *corner) {
  uint32_t count = skin->vertex_count - first;
  if (!(index >= 0 && index < count)) {
    return weft_gltf_refuse(g, "a triangle names vertex %.0f of a mesh of %u", index, count);
  }
  *corner = first + (uint32_t)index;
  return WEFT_OK;
}

static weft_result add_triangles(weft_gltf *g, const json_t *primitive, uint64_t mode,
                                 uint32_t first, weft_skin *skin) {
  double *indices = NULL;
  uint32_t count = skin->vertex_count - first;
  weft_result result = WEFT_OK;
  if (json_object_get(primitive, "indices")) {
    result = weft_gltf_numbers(g, weft_gltf_whole(primitive, "indices", WEFT_GLTF_NONE), 1,
                               "indices", &indices, &count);
  }
  uint32_t triangles = mode == TRIANGLES ? count / 3 : count < 3 ? 0 : count - 2;
  if (result == WEFT_OK && triangles > WEFT_MESH_MAX_TRIANGLES - skin->triangle_count) {
    result = weft_gltf_refuse(g, "more than %d triangles", WEFT_MESH_MAX_TRIANGLES);
  }
  if (result == WEFT_OK) {
    weft_grow((void **)&skin->triangles, &skin->triangle_space,
              3 * ((size_t)skin->triangle_count + triangles), sizeof *skin->triangles);
  }
  for (uint32_t t = 0; t < triangles && result == WEFT_OK; ++t) {
    uint32_t *corners = skin->triangles + 3 * (size_t)skin->triangle_count++;
    for (uint32_t c = 0; c < 3 && result == WEFT_OK; ++c) {
      uint32_t at = corner_of(mode, t, c);
      result = add_corner(g, indices ? indices[at] : at, first, skin, &corners[c]);
    }
  }
  weft_free(indices);
  return result;
}

/* Points and lines are left out. */
static weft_result add_primitive(weft_gltf *g, const json_t *primitive, const holder *h,
                                 weft_skin *skin) {
  const json_t *attributes = json_object_get(primitive, "attributes");
  uint64_t mode = weft_gltf_whole(primitive, "mode", TRIANGLES);
  if (mode < TRIANGLES) return WEFT_OK;
  if (mode > FAN) return weft_gltf_refuse(g, "a mesh is made of no known kind of triangles");
  uint32_t first = skin->vertex_count;
  weft_result result = add_vertices(g, attributes, skin);
  if (result == WEFT_OK) result = hold_vertices(g, attributes, h, first, skin);
  if (result == WEFT_OK) result = add_triangles(g, primitive, mode, first, skin);
  return result;
}

/* ---- meshes of the scene ---- */

static bool has_weights(const json_t *item) {
  const json_t *weights = json_object_get(item, "weights");
  for (size_t k = 0; k < json_array_size(weights); ++k) {
    if (json_number_value(json_array_get(weights, k)) != 0) return true;
  }
  return false;
}

/* Where the meshes of each skin find their joints; UINT32_MAX for a skin not met yet. */
static weft_result find_holder(weft_gltf *g, const json_t *node, uint32_t index,
                               const weft_nodes *nodes, uint32_t *first_joints, weft_skin *skin,
                               holder *h) {
  uint64_t which = weft_gltf_whole(node, "skin", 0);
  const json_t *item = weft_gltf_item(g, "skins", which);
  *h = (holder){.skinned = json_object_get(node, "skin") != NULL};
  if (!h->skinned) {
    h->first_joint = add_joint(skin, index, weft_affine_identity());
    h->joint_count = 1;
    return WEFT_OK;
  }
  if (!item) {
    return weft_gltf_refuse(g, "node %u: its skin does not exist", index);
  }
  if (first_joints[which] == UINT32_MAX) {
    first_joints[which] = (uint32_t)skin->joint_count;
    weft_result result = add_joints(g, which, nodes, skin);
    if (result != WEFT_OK) return result;
  }
  h->first_joint = first_joints[which];
  h->joint_count = (uint32_t)json_array_size(json_object_get(item, "joints"));
  return WEFT_OK;
}

static weft_result add_mesh(weft_gltf *g, uint32_t index, const weft_nodes *nodes,
                            uint32_t *first_joints, weft_skin *skin) {
  const json_t *node = weft_gltf_item(g, "nodes", index);
  if (!json_object_get(node, "mesh")) return WEFT_OK;
  const json_t *mesh = weft_gltf_item(g, "meshes", weft_gltf_whole(node, "mesh", WEFT_GLTF_NONE));
  const json_t *primitives = json_object_get(mesh, "primitives");
  if (!mesh) return weft_gltf_refuse(g, "node %u: its mesh does not exist", index);
  if (has_weights(mesh) || has_weights(node)) {
    return weft_gltf_refuse(g, "node %u: its mesh has morph targets, which weft does not read",
                            index);
  }
  holder h;
  weft_result result = find_holder(g, node, index, nodes, first_joints, skin, &h);
  for (size_t k = 0; k < json_array_size(primitives) && result == WEFT_OK; ++k) {
    result = add_primitive(g, json_array_get(primitives, k), &h, skin);
  }
  return result;
}

/* Marks the nodes of the scene: its own and all below them. Without scenes: all. */
static weft_result mark_scene(weft_gltf *g, const weft_nodes *nodes, uint8_t *marks) {
  const json_t *scene = weft_gltf_item(g, "scenes", weft_gltf_whole(g->root, "scene", 0));
  if (!scene) {
    memset(marks, 1, nodes->count);
    return WEFT_OK;
  }
  const json_t *roots = json_object_get(scene, "nodes");
  for (size_t k = 0; k < json_array_size(roots); ++k) {
    const json_t *value = json_array_get(roots, k);
    json_int_t node = json_is_integer(value) ? json_integer_value(value) : -1;
    if (node < 0 || node >= nodes->count) {
      return weft_gltf_refuse(g, "its scene names a node that does not exist");
    }
    marks[node] = 1;
  }
  for (uint32_t k = 0; k < nodes->count; ++k) {
    uint32_t node = nodes->order[k], parent = nodes->items[node].parent;
    if (parent != UINT32_MAX) marks[node] |= marks[parent];
  }
  return WEFT_OK;
}

weft_result weft_skin_read(weft_gltf *gltf, const weft_nodes *nodes, weft_skin *skin) {
  *skin = (weft_skin){0};
  size_t skins = weft_gltf_count(gltf, "skins");
  uint8_t *marks = weft_alloc(nodes->count, 1);
  uint32_t *first_joints = weft_alloc(skins, sizeof *first_joints);
  for (size_t k = 0; k < skins; ++k) first_joints[k] = UINT32_MAX;
  weft_result result = mark_scene(gltf, nodes, marks);
  for (uint32_t k = 0; k < nodes->count && result == WEFT_OK; ++k) {
    if (marks[k]) result = add_mesh(gltf, k, nodes, first_joints, skin);
  }
  weft_free(marks);
  weft_free(first_joints);
  if (result == WEFT_OK && skin->triangle_count == 0) {
    return weft_gltf_refuse(gltf, "no triangles in it");
  }
  return result;
}

void weft_skin_free(weft_skin *skin) {
  weft_free(skin->rest);
  weft_free(skin->first);
  weft_free(skin->holds);
  weft_free(skin->joints);
  weft_free(skin->triangles);
  *skin = (weft_skin){0};
}

/* ---- posing ---- */

void weft_skin_pose(weft_skin *skin, const weft_nodes *nodes, double scale, weft_vec3 *positions) {
  for (size_t j = 0; j < skin->joint_count; ++j) {
    weft_joint *joint = &skin->joints[j];
    joint->moved = weft_affine_after(&nodes->items[joint->node].global, &joint->bind);
  }
  for (uint32_t v = 0; v < skin->vertex_count; ++v) {
    weft_vec3d rest = weft_v3d_from(skin->rest[v]), sum = {0, 0, 0};
    for (size_t h = skin->first[v]; h < skin->first[v + 1]; ++h) {
      weft_vec3d moved = weft_affine_point(&skin->joints[skin->holds[h].joint].moved, rest);
      sum = weft_v3d_add_scaled(sum, (double)skin->holds[h].weight, moved);
    }
    positions[v] = weft_v3d_round(weft_v3d_scale(sum, scale));
  }
}
