/* weft_kit/layers.h: layers of cloth that a file has in one place, apart. */
#ifndef WEFT_KIT_LAYERS_H
#define WEFT_KIT_LAYERS_H

#include <weft/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts layers that lie in one place, such as a lining that is a copy of its cloth, over each other,
 * so that self-collision can keep them apart. A piece that hangs together and has a triangle whose
 * corners are in the places of vertices of an earlier piece moves as a whole, along its normals, by
 * `distance` for each piece that lies beneath it: 16 of them at most. Pieces that face opposite
 * ways go to opposite sides. mending.vertices_parted counts what moved. Where nothing lies on
 * anything nothing changes, and what lies on its own piece stays. `distance`: metres, 0 to 1; 0
 * asks for what self-collision keeps by default, 0.003 and at most half the mean edge.
 * WEFT_ERROR_ARGUMENT for another distance, WEFT_ERROR_MESH for a triangle that names a vertex that
 * is not there. */
WEFT_API weft_result weft_mesh_separate_layers(weft_mesh *mesh, float distance, weft_error *err);

#ifdef __cplusplus
}
#endif

#endif
