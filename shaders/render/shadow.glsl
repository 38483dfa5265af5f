// Shadow maps with percentage-closer filtering (Reeves, Salesin, Cook 1987): a square of
// comparisons, each blended over four texels by the sampler.
#include "render/frame.glsl"

layout(binding = WEFT_RENDER_UNIT_SUN) uniform sampler2DShadow sun_map;
layout(binding = WEFT_RENDER_UNIT_SKY) uniform sampler2DShadow sky_map;

float lit(sampler2DShadow map, mat4 matrix, vec3 place, int rings) {
  vec3 p = (matrix * vec4(place, 1.0)).xyz;
  p.z = min(p.z, 1.0); // behind all casters
  vec2 texel = 1.0 / vec2(textureSize(map, 0));
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
vec3 lifted(vec3 place, vec3 normal, vec4 light, float rings) {
  float along = dot(normal, light.xyz);
  float slope = sqrt(max(1.0 - along * along, 0.0));
  float reach = light.w * (rings + 1.0);
  return place + reach * (slope * (along < 0.0 ? -normal : normal) + 0.5 * light.xyz);
}

float sun_reaches(vec3 place, vec3 normal) {
  return lit(sun_map, frame.sun_matrix, lifted(place, normal, frame.sun, frame.sun_light.w),
             int(frame.sun_light.w));
}

float sky_reaches(vec3 place, vec3 normal) {
  return lit(sky_map, frame.sky_matrix, lifted(place, normal, frame.sky, frame.sky_light.w),
             int(frame.sky_light.w));
}
