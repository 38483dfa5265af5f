/* The tree of a glTF file's nodes. */
#include "gltf_rig.h"

static weft_result read_matrix(const weft_gltf *g, const json_t *item, uint32_t index,
                               weft_node *node) {
  double m[16]; /* column after column */
  if (!weft_gltf_fixed(item, "matrix", 16, m)) {
    return weft_gltf_refuse(g, "node %u: its matrix is not 16 finite numbers", index);
  }
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 4; ++k) node->local.m[i][k] = m[4 * k + i];
  }
  node->has_matrix = true;
  return WEFT_OK;
}

static weft_result read_node(const weft_gltf *g, uint32_t index, weft_node *node) {
  const json_t *item = weft_gltf_item(g, "nodes", index);
  *node = (weft_node){UINT32_MAX, {0}, {1, 1, 1}, {{0, 0, 0, 1}}, false, {{{0}}}, {{{0}}}};
  if (json_object_get(item, "matrix")) return read_matrix(g, item, index, node);
  if (!weft_gltf_fixed(item, "translation", 3, node->translation) ||
      !weft_gltf_fixed(item, "scale", 3, node->scale) ||
      !weft_gltf_fixed(item, "rotation", 4, node->rotation.q) ||
      !weft_quaternion_normalize(&node->rotation)) {
    return weft_gltf_refuse(g, "node %u: its translation, rotation or scale is broken", index);
  }
  return WEFT_OK;
}

static weft_result read_children(const weft_gltf *g, uint32_t index, weft_nodes *nodes) {
  const json_t *children = json_object_get(weft_gltf_item(g, "nodes", index), "children");
  for (size_t k = 0; k < json_array_size(children); ++k) {
    const json_t *value = json_array_get(children, k);
    json_int_t child = json_is_integer(value) ? json_integer_value(value) : -1;
    if (child < 0 || child >= nodes->count) {
      return weft_gltf_refuse(g, "node %u has a child that does not exist", index);
    }
    if (nodes->items[child].parent != UINT32_MAX) {
      return weft_gltf_refuse(g, "node %lld has two parents", (long long)child);
    }
    nodes->items[child].parent = index;
  }
  return WEFT_OK;
}

/* Along the parents of each node up to one that has its place. */
static weft_result sort(const weft_gltf *g, weft_nodes *nodes) {
  uint32_t *way = weft_alloc(nodes->count, sizeof *way), placed = 0;
  uint8_t *seen = weft_alloc(nodes->count, 1); /* 1: on the way, 2: placed */
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < nodes->count && result == WEFT_OK; ++k) {
    uint32_t length = 0, at = k;
    for (; at != UINT32_MAX && seen[at] == 0; at = nodes->items[at].parent) {
      seen[at] = 1;
      way[length++] = at;
    }
    if (at != UINT32_MAX && seen[at] == 1) {
      result = weft_gltf_refuse(g, "node %u is its own ancestor", at);
    }
    while (length > 0) {
      seen[way[--length]] = 2;
      nodes->order[placed++] = way[length];
    }
  }
  weft_free(way);
  weft_free(seen);
  return result;
}

weft_result weft_nodes_read(weft_gltf *gltf, weft_nodes *nodes) {
  *nodes = (weft_nodes){.count = (uint32_t)weft_gltf_count(gltf, "nodes")};
  nodes->items = weft_alloc(nodes->count, sizeof *nodes->items);
  nodes->order = weft_alloc(nodes->count, sizeof *nodes->order);
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < nodes->count && result == WEFT_OK; ++k) {
    result = read_node(gltf, k, &nodes->items[k]);
  }
  for (uint32_t k = 0; k < nodes->count && result == WEFT_OK; ++k) {
    result = read_children(gltf, k, nodes);
  }
  return result == WEFT_OK ? sort(gltf, nodes) : result;
}

void weft_nodes_place(weft_nodes *nodes) {
  for (uint32_t k = 0; k < nodes->count; ++k) {
    weft_node *node = &nodes->items[nodes->order[k]];
    if (!node->has_matrix) {
      node->local = weft_affine_from(node->translation, node->rotation, node->scale);
    }
    node->global = node->parent == UINT32_MAX
                       ? node->local
                       : weft_affine_after(&nodes->items[node->parent].global, &node->local);
  }
}

void weft_nodes_free(weft_nodes *nodes) {
  weft_free(nodes->items);
  weft_free(nodes->order);
  *nodes = (weft_nodes){0};
}
