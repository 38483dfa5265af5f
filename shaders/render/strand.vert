// A ball or a rod: unit normals that open up between two ends.
// permutations: SHADOW; TINT; VIEW
#include "render/frame.glsl"

layout(location = 0) in vec4 shape; // xyz: unit normal, y along the axis; w: 0 at end a, 1 at b
layout(location = 1) in vec4 end_a; // w: radius
layout(location = 2) in vec4 end_b;
layout(location = 3) in uvec4 strand; // w: 0x1RRGGBB, or 0 for the dye
#ifdef VIEW
layout(location = 4) in vec4 end_values;
#endif

mat3 basis_of(vec3 axis) {
  float size = length(axis);
  vec3 y = size > 1e-6 * end_a.w ? axis / size : vec3(0.0, 1.0, 0.0);
  vec3 other = abs(y.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
  vec3 x = normalize(cross(y, other));
  return mat3(x, y, cross(x, y));
}

#ifdef SHADOW
layout(location = WEFT_RENDER_LOCATION_LIGHT) uniform uint light;

mat4 light_matrix(uint k) { return k == 0u ? frame.sun_matrix : frame.sky_matrix[k - 1u]; }

void main() {
  vec3 normal = basis_of(end_b.xyz - end_a.xyz) * shape.xyz;
  vec4 place = vec4(mix(end_a.xyz, end_b.xyz, shape.w) + normal * end_a.w, 1.0);
  vec4 p = light_matrix(light) * place;
  gl_Position = vec4(p.xyz * 2.0 - 1.0, 1.0);
}
#else
out vec3 world;
out vec3 world_normal;
#ifdef VIEW
out vec2 value;
#else
out vec3 rest_place;
#endif
#ifdef TINT
out vec3 tint;

vec3 linear(uint rgb) {
  vec3 s = vec3(float(rgb >> 16u & 255u), float(rgb >> 8u & 255u), float(rgb & 255u)) / 255.0;
  return mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), s));
}
#endif

void main() {
  world_normal = basis_of(end_b.xyz - end_a.xyz) * shape.xyz;
  world = mix(end_a.xyz, end_b.xyz, shape.w) + world_normal * end_a.w;
#ifdef VIEW
  value = mix(end_values.xy, end_values.zw, shape.w);
#else
  rest_place = vec3(0.0); // nothing woven
#endif
#ifdef TINT
  tint = strand.w == 0u ? material.front.rgb : linear(strand.w & 0xffffffu);
#endif
  gl_Position = frame.view_projection * vec4(world, 1.0);
}
#endif
