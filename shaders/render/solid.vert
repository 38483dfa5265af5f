// Colliders: one mesh of unit normals that open up between the ends of an axis is every sphere (ends
// together) and every capsule; flattened, it is a disc. A box is six faces of corners.
// permutations: SHADOW; QUICK
#include "render/frame.glsl"

layout(location = 0) in vec4 shape; // xyz: unit normal, y along the axis; w: 0 at end a, 1 at b

layout(location = 1) in vec4 corner; // of a box: +-1, elsewhere 0

layout(location = WEFT_RENDER_LOCATION_A) uniform vec4 end_a; // w: radius
layout(location = WEFT_RENDER_LOCATION_B) uniform vec4 end_b; // w: flattening along the axis
layout(location = WEFT_RENDER_LOCATION_BASIS) uniform mat3 basis;
layout(location = WEFT_RENDER_LOCATION_HALF) uniform vec3 half_size;

vec3 place_of() {
  vec3 open = vec3(shape.x, shape.y * end_b.w, shape.z);
  vec3 out_of = open * end_a.w + corner.xyz * half_size;
  return mix(end_a.xyz, end_b.xyz, shape.w) + basis * out_of;
}

#ifdef SHADOW
layout(location = WEFT_RENDER_LOCATION_LIGHT) uniform uint light;

mat4 light_matrix(uint k) { return k == 0u ? frame.sun_matrix : frame.sky_matrix[k - 1u]; }

void main() {
  // As far behind the cloth for the light as for the eye.
  vec3 towards = light == 0u ? frame.sun.xyz : frame.sky[light - 1u].xyz;
  vec4 place = vec4(place_of() - frame.eye.w * towards, 1.0);
  vec4 p = light_matrix(light) * place;
  gl_Position = vec4(p.xyz * 2.0 - 1.0, 1.0);
}
#else
#ifdef QUICK
invariant gl_Position; // drawn twice
#endif
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
