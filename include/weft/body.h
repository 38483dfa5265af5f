/* weft/body.h: bodies: triangle meshes that push cloth, standing still or moving. */
#ifndef WEFT_BODY_H
#define WEFT_BODY_H

#include <weft/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_MAX_BODIES = 64 };

/* A body is made of triangles that cloth cannot pass, from either side: cloth that starts free of
 * it stays free of it, under the same certificate as cloth beside cloth (docs/method.md). Open
 * meshes will do. Its own triangles may cross each other, and bodies may cross each other.
 *
 * A body goes where it is told. Where cloth has no room to make way (between an arm and the chest)
 * it holds back those vertices of the body that would go through it; they come after as soon as
 * there is room. */
typedef struct weft_body {
  const weft_mesh *mesh;  /* required; metres. Solvers copy it. Its grid fields are not used */
  float friction_static;  /* mu_s against cloth, 0 to 1000. Default 0: frictionless */
  float friction_dynamic; /* mu_k, 0 to 1000; at most mu_s is physical. Default 0 */
  const char *name; /* for messages; solvers copy it. Default: "body 2" by its number, from 0 */
  float thickness;  /* m: how far cloth keeps away from it, at most 1. Default: as cloth from cloth,
                       weft_params.self_thickness */
} weft_body;

#ifdef __cplusplus
}
#endif

#endif
