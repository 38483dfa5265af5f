// The sky: paler towards the horizon, bright around the sun; and what it sheds on a surface.
#include "render/frame.glsl"

vec3 sky_of(vec3 towards) {
  float low = 1.0 - max(towards.y, 0.0);
  float near = 0.5 + 0.5 * dot(towards, frame.true_sun.xyz);
  near *= near;
  near *= near;
  low *= low;
  return mix(frame.zenith.rgb, frame.horizon.rgb, low * low) + frame.glow.rgb * (near * near);
}

// What lies behind everything: below the horizon, ground in haze.
vec3 backdrop(vec2 fragment) {
  vec2 p = fragment * frame.size.zw;
  vec3 towards = normalize(frame.ray[0].xyz + p.x * frame.ray[1].xyz + p.y * frame.ray[2].xyz);
  towards.y = max(towards.y, 0.0);
  return sky_of(towards);
}

// Irradiance over pi (Ramamoorthi and Hanrahan 2001).
vec3 sky_light(vec3 n) {
  vec3 sum = frame.sky_light[0].rgb + frame.sky_light[1].rgb * n.y + frame.sky_light[2].rgb * n.z + frame.sky_light[3].rgb * n.x + frame.sky_light[4].rgb * (n.x * n.y) +
             frame.sky_light[5].rgb * (n.y * n.z) + frame.sky_light[6].rgb * (3.0 * n.z * n.z - 1.0) + frame.sky_light[7].rgb * (n.x * n.z) +
             frame.sky_light[8].rgb * (n.x * n.x - n.y * n.y);
  return max(sum, 0.0);
}
