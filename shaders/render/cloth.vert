// Cloth and bodies, straight from the solver's positions.
// permutations: SHADOW; VIEW; QUICK; BODY; BODY SHADOW; BODY QUICK
#include "render/frame.glsl"

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 rest;
#ifdef VIEW
layout(location = 3) in vec2 particle_value;
#endif

#ifdef SHADOW
layout(location = WEFT_RENDER_LOCATION_LIGHT) uniform uint light;

mat4 light_matrix(uint k) { return k == 0u ? frame.sun_matrix : frame.sky_matrix[k - 1u]; }

void main() {
  vec4 place = vec4(position.xyz + frame.origin.xyz, 1.0);
#ifdef BODY
  // As far behind the cloth for the light as for the eye.
  vec3 towards = light == 0u ? frame.sun.xyz : frame.sky[light - 1u].xyz;
  place.xyz -= frame.eye.w * towards;
#endif
  vec4 p = light_matrix(light) * place;
  gl_Position = vec4(p.xyz * 2.0 - 1.0, 1.0);
}
#else
#ifdef QUICK
invariant gl_Position; // drawn twice
#endif
out vec3 world;
out vec3 world_normal;
#ifdef VIEW
out vec2 value;
#else
out vec3 rest_place;
#endif

void main() {
  world = position.xyz + frame.origin.xyz;
  world_normal = normal.xyz;
#ifdef VIEW
  value = particle_value;
#else
  rest_place = rest.xyz;
#endif
  gl_Position = frame.view_projection * vec4(world, 1.0);
#ifndef BODY
  // Between its particles a coarse cloth cuts through whatever is rounder than it: it is judged to be
  // nearer, and drawn where it is.
  vec4 nearer = frame.view_projection *
                vec4(world + frame.eye.w * normalize(frame.eye.xyz - world), 1.0);
  gl_Position.z = nearer.z / nearer.w * gl_Position.w;
#endif
}
#endif
