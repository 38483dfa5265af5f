// The edges of triangles, about a pixel wide, paler where they would be denser than pixels.
#include "render/frame.glsl"

layout(binding = WEFT_RENDER_UNIT_CORNERS) uniform samplerBuffer corners;

const float HALF_WIDTH = 0.6; // pixels

float wire(vec3 rest) {
  vec3 dx = dFdx(rest), dy = dFdy(rest);
  vec4 a = texelFetch(corners, 2 * gl_PrimitiveID), b = texelFetch(corners, 2 * gl_PrimitiveID + 1);
  vec3 part = vec3(dot(a, vec4(rest, 1.0)), dot(b, vec4(rest, 1.0)), 0.0); // of each corner, 0 at the edge across
  vec3 partx = vec3(dot(a.xyz, dx), dot(b.xyz, dx), 0.0), party = vec3(dot(a.xyz, dy), dot(b.xyz, dy), 0.0);
  part.z = 1.0 - part.x - part.y;
  partx.z = -partx.x - partx.y;
  party.z = -party.x - party.y;
  vec3 slope = max(sqrt(partx * partx + party * party), 1e-9);
  vec3 away = part / slope; // pixels
  float height = min(1.0 / slope.x, min(1.0 / slope.y, 1.0 / slope.z)); // of the flattest side, pixels
  float nearest = min(away.x, min(away.y, away.z));
  float line = clamp(HALF_WIDTH + 0.5 - nearest, 0.0, 1.0);
  float mean = min(3.0 * HALF_WIDTH / height, 0.6);
  return mix(0.5 * mean, line, smoothstep(1.5, 5.0, height));
}
