// Colliders: one mesh of unit normals that open up between the ends of an axis is every sphere (ends
// together) and every capsule; flattened, it is a disc.
// permutations: SHADOW
#include "render/frame.glsl"

layout(location = 0) in vec4 shape; // xyz: unit normal, y along the axis; w: 0 at end a, 1 at b

layout(location = WEFT_RENDER_LOCATION_A) uniform vec4 end_a; // w: radius
layout(location = WEFT_RENDER_LOCATION_B) uniform vec4 end_b; // w: flattening along the axis
layout(location = WEFT_RENDER_LOCATION_BASIS) uniform mat3 basis;

vec3 place_of() {
  vec3 open = vec3(shape.x, shape.y * end_b.w, shape.z);
  return mix(end_a.xyz, end_b.xyz, shape.w) + basis * open * end_a.w;
}

#ifdef SHADOW
layout(location = WEFT_RENDER_LOCATION_LIGHT) uniform uint light;

void main() {
  vec4 place = vec4(place_of(), 1.0);
  vec4 p = light == 0u ? frame.sun_matrix * place : frame.sky_matrix * place;
  gl_Position = vec4(p.xyz * 2.0 - 1.0, 1.0);
}
#else
out vec3 world;
out vec3 world_normal;
out vec3 rest_place;

void main() {
  world = place_of();
  world_normal = basis * normalize(vec3(shape.x * end_b.w, shape.y, shape.z * end_b.w));
  rest_place = world;
  gl_Position = frame.view_projection * vec4(world, 1.0);
}
#endif
