// Ground: large tiles, which tell how large things are, into the haze of the horizon.
// permutations: QUICK
#include "render/shadow.glsl"
#include "render/sky.glsl"

#ifdef QUICK
layout(binding = WEFT_RENDER_UNIT_FLOOR) uniform sampler2D floor_map;
#endif

in vec3 world;
out vec4 colour;

const float JOINT = 0.012; // part of a tile

// Part of a pixel's footprint that lies in a joint.
float joint(float at, float footprint) {
  float from = abs(fract(at + 0.5) - 0.5), half_pixel = 0.5 * max(footprint, 1e-6);
  return clamp((0.5 * JOINT + half_pixel - from) / (2.0 * half_pixel), 0.0, 1.0) *
         min(1.0, JOINT / (2.0 * half_pixel));
}

float tile_shade(vec2 tile) { return fract(sin(dot(tile, vec2(12.9898, 78.233))) * 43758.547) - 0.5; }

vec3 tiled(vec2 at) {
  vec2 footprint = fwidth(at);
  float clear = 1.0 - smoothstep(0.1, 0.4, max(footprint.x, footprint.y));
  float line = max(joint(at.x, footprint.x), joint(at.y, footprint.y));
  return frame.ground.rgb * (1.0 - clear * (0.30 * line - 0.05 * (1.0 - line) * tile_shade(floor(at))));
}

void main() {
  const vec3 up = vec3(0.0, 1.0, 0.0);
#ifdef QUICK
  vec2 place = (frame.sky_matrix[0] * vec4(world, 1.0)).xy;
  float hidden = textureLod(floor_map, place, 0.0).r;
#else
  float hidden = sky_hidden(world, up);
#endif
  vec3 light = frame.sun_light.rgb * max(frame.true_sun.y, 0.0) * sun_reaches(world, up);
  light += sky_light(up) * (1.0 - hidden);
  vec3 haze = backdrop(gl_FragCoord.xy);
  float beyond = max(distance(world, frame.eye.xyz) - distance(frame.centre.xyz, frame.eye.xyz), 0.0);
  float clear = exp2(-beyond * beyond / (frame.floor.y * frame.floor.y));
  clear *= 1.0 - smoothstep(0.6, 1.0, distance(world.xz, frame.centre.xz) / (12.0 * frame.centre.w));
  colour = vec4(mix(haze, tiled(world.xz / frame.floor.x) * light, clear), 1.0);
}
