// Shadow maps with percentage-closer filtering (Reeves, Salesin, Preprocess 1987): a square of
// comparisons, each blended over four texels by the sampler.
//
// Where too few samples are averaged for the sky to be one of many lights, one blurred map from above
// tells how much of it is covered: a crude ambient occlusion that grounds what stands on the floor.
#include "render/frame.glsl"

layout(binding = WEFT_RENDER_UNIT_SUN) uniform sampler2DShadow sun_map;
layout(binding = WEFT_RENDER_UNIT_SKY) uniform sampler2DShadow sky_map;

const float COVERED = 0.3; // part of the sky that is seen from under a roof

float lit(sampler2DShadow map, mat4 matrix, vec3 place, int rings, float stride) {
  vec3 p = (matrix * vec4(place, 1.0)).xyz;
  p.z = min(p.z, 1.0); // behind all casters
  vec2 texel = stride / vec2(textureSize(map, 0));
  float sum = 0.0;
  for (int j = -rings; j <= rings; ++j) {
    for (int i = -rings; i <= rings; ++i) {
      sum += textureLod(map, vec3(p.xy + vec2(i, j) * texel, p.z), 0.0);
    }
  }
  float side = float(2 * rings + 1);
  return sum / (side * side);
}

// The surface is lifted along its lit side by what the filter reaches over, or it would shade
// itself.
vec3 lifted(vec3 place, vec3 normal, vec4 light, vec2 taps) {
  float along = dot(normal, light.xyz);
  float slope = sqrt(max(1.0 - along * along, 0.0));
  float reach = light.w * (taps.x * taps.y + 1.0);
  return place + reach * (slope * (along < 0.0 ? -normal : normal) + 0.5 * light.xyz);
}

float sun_reaches(vec3 place, vec3 normal) {
  return lit(sun_map, frame.sun_matrix, lifted(place, normal, frame.sun, frame.taps.xy),
             int(frame.taps.x), frame.taps.y);
}

float sky_reaches(vec3 place, vec3 normal) {
  return lit(sky_map, frame.sky_matrix, lifted(place, normal, frame.sky, frame.taps.zw),
             int(frame.taps.z), frame.taps.w);
}

bool sky_is_sampled() { return frame.sky_light.r > 0.0; }

// What is overhead hides little of the sky from a wall, and nothing of what a ceiling looks at.
float sky_seen(vec3 place, vec3 normal) {
  float reach = frame.sky.w * (frame.taps.z * frame.taps.w + 1.0);
  float open = lit(sky_map, frame.sky_matrix, place + reach * (normal + 0.5 * frame.sky.xyz),
                   int(frame.taps.z), frame.taps.w);
  float up = 0.5 + 0.5 * normal.y;
  return mix(1.0, mix(COVERED, 1.0, open), up * up);
}
