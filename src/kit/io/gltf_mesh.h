/* gltf_mesh.h: a frame as glTF 2.0: JSON and the bytes that it speaks of. */
#ifndef WEFT_IO_GLTF_MESH_H
#define WEFT_IO_GLTF_MESH_H

#include <jansson.h>

#include "export_internal.h"

typedef struct weft_gltf_mesh {
  const weft_export_desc *desc;
  weft_string bytes; /* whole words */
  json_t *views, *accessors, *nodes, *meshes, *materials, *attributes;
  json_t *root;            /* of weft_gltf_mesh_json */
  weft_deferred *deferred; /* all of that is released */
  json_t *primitives;      /* of the latest mesh */
  uint32_t count;          /* vertices */
  uint32_t *of_corner;     /* [corner_count] of these */
  uint32_t *vertex, *uv;   /* [count] of the source */
} weft_gltf_mesh;

void weft_gltf_mesh_make(weft_gltf_mesh *mesh, const weft_export_desc *desc,
                         const weft_vec3 *placed);
/* All of it; buffer 0 has no place yet. */
json_t *weft_gltf_mesh_json(weft_gltf_mesh *mesh);
void weft_gltf_mesh_free(weft_gltf_mesh *mesh);

#endif
