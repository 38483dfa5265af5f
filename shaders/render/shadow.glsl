// Shadow maps with percentage-closer filtering (Reeves, Salesin, Preprocess 1987): a square of
// comparisons, each blended over four texels by the sampler.
//
// Where too few samples are averaged for the sky to be one of many lights, one blurred map from above
// tells how much of it is covered: a crude ambient occlusion that grounds what stands on the floor.
#include "render/frame.glsl"

#ifdef QUICK
layout(binding = WEFT_RENDER_UNIT_SUN) uniform sampler2D sun_map;
layout(binding = WEFT_RENDER_UNIT_SKY) uniform sampler2D sky_map;
#else
layout(binding = WEFT_RENDER_UNIT_SUN) uniform sampler2DShadow sun_map;
layout(binding = WEFT_RENDER_UNIT_SKY) uniform sampler2DShadow sky_map;
#endif

const float COVERED = 0.3; // part of the sky that is seen from under a roof

#ifdef QUICK
// For processors, where a blended comparison costs as much as many plain reads: a square of three
// texels that moves smoothly over four by four. Their maps have half as many texels along a side, so
// shadows are as soft as those of the other.
float lit(sampler2D map, mat4 matrix, vec3 place, int rings, float stride) {
  vec3 p = (matrix * vec4(place, 1.0)).xyz;
  vec4 z = vec4(min(p.z, 1.0)); // behind all casters
  vec2 size = vec2(textureSize(map, 0)), at = p.xy * size - 0.5, cell = floor(at), part = at - cell;
  // Four texels each, from the upper left on: w z x y from left to right and from below.
  vec4 corners = vec4(cell, cell + 2.0) / size.xyxy;
  vec4 below = step(z, textureGather(map, corners.xy)), below_right = step(z, textureGather(map, corners.zy));
  vec4 above = step(z, textureGather(map, corners.xw)), above_right = step(z, textureGather(map, corners.zw));
  vec4 across = vec4(1.0 - part.x, 1.0, 1.0, part.x);
  float sum = (1.0 - part.y) * dot(across, vec4(below.wz, below_right.wz)) +
              dot(across, vec4(below.xy, below_right.xy)) + dot(across, vec4(above.wz, above_right.wz)) +
              part.y * dot(across, vec4(above.xy, above_right.xy));
  bool inside = all(equal(p.xy, clamp(p.xy, 0.0, 1.0)));
  return inside ? sum / 9.0 : 1.0;
}
#else
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
#endif

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
