// How much of the sun and of the sky reaches a place, by shadow maps.
//
// A sample of a picture stands for a part of the sun's disc and for some patches of sky. Shadows of such a part
// are as blurred as it is wide and what casts them far away (Fernando 2005, "Percentage-closer soft
// shadows"), so that the parts of few samples join to whole penumbras. Reads are turned from pixel to
// pixel (Jimenez 2014, interleaved gradient noise).
#include "render/frame.glsl"

layout(binding = WEFT_RENDER_UNIT_SUN) uniform sampler2DArray sun_map;
layout(binding = WEFT_RENDER_UNIT_SKY) uniform sampler2DArray sky_map;

// The surface is lifted along its lit side, or it would shade itself.
vec3 lifted(vec3 place, vec3 normal, vec4 light, float reach) {
  float along = dot(normal, light.xyz);
  float slope = sqrt(max(1.0 - along * along, 0.0));
  return place + reach * light.w * (slope * (along < 0.0 ? -normal : normal) + 0.5 * light.xyz);
}

#ifdef QUICK
// For processors: a square of three texels that moves smoothly over four by four, by gathers.
float lit(sampler2DArray map, mat4 matrix, vec3 place) {
  vec3 p = (matrix * vec4(place, 1.0)).xyz;
  vec4 z = vec4(min(p.z, 1.0)); // behind all casters
  vec2 size = vec2(textureSize(map, 0).xy), at = p.xy * size - 0.5, cell = floor(at), part = at - cell;
  // Four texels each, from the upper left on: w z x y from left to right and from below.
  vec4 corners = vec4(cell, cell + 2.0) / size.xyxy;
  vec4 below = step(z, textureGather(map, vec3(corners.xy, 0.0)));
  vec4 below_right = step(z, textureGather(map, vec3(corners.zy, 0.0)));
  vec4 above = step(z, textureGather(map, vec3(corners.xw, 0.0)));
  vec4 above_right = step(z, textureGather(map, vec3(corners.zw, 0.0)));
  vec4 across = vec4(1.0 - part.x, 1.0, 1.0, part.x);
  float sum = (1.0 - part.y) * dot(across, vec4(below.wz, below_right.wz)) +
              dot(across, vec4(below.xy, below_right.xy)) + dot(across, vec4(above.wz, above_right.wz)) +
              part.y * dot(across, vec4(above.xy, above_right.xy));
  bool inside = all(equal(p.xy, clamp(p.xy, 0.0, 1.0)));
  return inside ? sum / 9.0 : 1.0;
}

float sun_reaches(vec3 place, vec3 normal) {
  return lit(sun_map, frame.sun_matrix, lifted(place, normal, frame.sun, 1.75));
}

// One map from above, and crudely: what is overhead hides most of the sky from what looks up, little
// from a wall, and nothing of what a ceiling looks at.
const float COVERED = 0.55; // part that a roof hides
float sky_hidden(vec3 place, vec3 normal) {
  float open = lit(sky_map, frame.sky_matrix[0], place + 1.5 * frame.sky[0].w * (normal + 0.5 * frame.sky[0].xyz));
  float up = 0.5 + 0.5 * normal.y;
  return COVERED * (1.0 - open) * up;
}
#else
float noise() {
  vec2 pixel = gl_FragCoord.xy + 5.588238 * frame.zenith.w; // as another picture for every sample
  return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

// The k-th of so many reads, on a disc, from the middle out (Vogel 1979).
vec2 on_disc(float part, float k, float turn) {
  float angle = 2.3999632 * k + 6.2831853 * turn;
  return part * vec2(cos(angle), sin(angle));
}

// place: lifted. spread: tangent of half the width of the light.
float reaches(sampler2DArray map, float layer, mat4 matrix, vec4 light, float spread, vec2 taps, float turn,
              vec3 place, vec3 normal) {
  vec3 p = (matrix * vec4(place, 1.0)).xyz;
  if (any(notEqual(p.xy, clamp(p.xy, 0.0, 1.0)))) return 1.0;
  // The plane of the surface, as depth over the map: what lies in it is not in the way.
  vec3 across = vec3(matrix[0][0], matrix[1][0], matrix[2][0]);
  vec3 upwards = vec3(matrix[0][1], matrix[1][1], matrix[2][1]);
  vec3 away = vec3(matrix[0][2], matrix[1][2], matrix[2][2]);
  float per_metre = length(across), deep = length(away);
  float along = dot(normal, light.xyz);
  along = along < 0.0 ? min(along, -0.2) : max(along, 0.2);
  vec2 slope = vec2(dot(normal, across), dot(normal, upwards)) * deep / (along * per_metre * per_metre);
  float found = 0.0, sum = 0.0, count = taps.x;
  for (float k = 0.0; k < count; k += 1.0) {
    float part = (k + turn) / count;
    vec2 o = on_disc(spread * part * part + per_metre * light.w, k, turn);
    float before = p.z + dot(slope, o) - textureLod(map, vec3(p.xy + o, layer), 0.0).r;
    sum += max(before, 0.0);
    found += step(0.0, before);
  }
  if (found == 0.0) return 1.0;
  // As wide as the light is, seen from what is in the way; a texel and a half at least.
  float radius = max(spread * sum / (found * deep), 1.5 * light.w) * per_metre, open = 0.0;
  count = taps.y;
  for (float k = 0.0; k < count; k += 1.0) {
    vec2 o = on_disc(radius * sqrt((k + 0.5) / count), k, turn);
    open += step(p.z + dot(slope, o), textureLod(map, vec3(p.xy + o, layer), 0.0).r);
  }
  return open / count;
}

float sun_reaches(vec3 place, vec3 normal) {
  return reaches(sun_map, 0.0, frame.sun_matrix, frame.sun, frame.sun_light.w, frame.taps.xy, noise(),
                 lifted(place, normal, frame.sun, 1.75), normal);
}

// Over all samples it is the part of the sky's light that does not arrive; of one sample alone it may
// be more than all.
float sky_hidden(vec3 place, vec3 normal) {
  float turn = noise(), sum = 0.0;
  for (float m = 0.0; m < frame.sky_shape.x; m += 1.0) {
    vec4 sky = frame.sky[int(m)];
    float facing = dot(normal, sky.xyz);
    turn = fract(turn + 0.618034);
    if (facing <= 0.02) continue;
    vec3 from = lifted(place, normal, sky, 2.0);
    sum += facing * (1.0 - reaches(sky_map, m, frame.sky_matrix[int(m)], sky, frame.sky_shape.y, frame.taps.zw,
                                   turn, from, normal));
  }
  return 2.0 * sum / (frame.sky_shape.x * max(0.5 + 0.5 * normal.y, 0.15));
}
#endif
