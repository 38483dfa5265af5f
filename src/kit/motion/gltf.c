/* Skinned and animated glTF as a source of motion. */
#include "gltf_rig.h"

typedef struct body {
  weft_nodes nodes;
  weft_skin skin;
  weft_animation animation;
  double scale;
} body;

static void free_body(void *self) {
  body *b = self;
  weft_nodes_free(&b->nodes);
  weft_skin_free(&b->skin);
  weft_animation_free(&b->animation);
  weft_free(b);
}

static void pose(void *self, double seconds, weft_vec3 *positions) {
  body *b = self;
  weft_animation_pose(&b->animation, seconds, &b->nodes);
  weft_nodes_place(&b->nodes);
  weft_skin_pose(&b->skin, &b->nodes, b->scale, positions);
}

static weft_result read_body(const weft_motion_desc *desc, body *b, weft_error *err) {
  weft_gltf g;
  weft_result result = weft_gltf_open(desc->motion, &g, err);
  if (result != WEFT_OK) return result;
  result = weft_nodes_read(&g, &b->nodes);
  if (result == WEFT_OK) {
    result = weft_animation_read(&g, &b->nodes, desc->animation, &b->animation);
  }
  if (result == WEFT_OK) result = weft_skin_read(&g, &b->nodes, &b->skin);
  weft_gltf_close(&g);
  return result;
}

/* What is not moved stays in the mesh as it was, and triangles go over to it. */
static void take_mesh(weft_skin *skin, weft_mesh *mesh) {
  mesh->vertex_count = skin->vertex_count;
  mesh->positions = weft_alloc(skin->vertex_count, sizeof *mesh->positions);
  mesh->triangle_count = skin->triangle_count;
  mesh->triangles = skin->triangles;
  skin->triangles = NULL;
}

weft_result weft_gltf_motion_open(const weft_motion_desc *desc, weft_mesh *mesh,
                                  weft_motion_source *source, weft_error *err) {
  body *b = weft_alloc(1, sizeof *b);
  b->scale = (double)desc->scale;
  weft_result result = read_body(desc, b, err);
  if (result == WEFT_OK) {
    result = weft_motion_measured_times(desc, b->animation.duration, source, err);
  }
  if (result != WEFT_OK) {
    free_body(b);
    return result;
  }
  take_mesh(&b->skin, mesh);
  source->kind = "glTF";
  source->self = b;
  source->free = free_body;
  source->pose = pose;
  return WEFT_OK;
}
