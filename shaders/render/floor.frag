// The floor shows the backdrop, darkened by the part of the light that does not reach it.
// permutations: QUICK
#include "render/backdrop.glsl"
#include "render/shadow.glsl"

in vec3 world;
out vec4 colour;

void main() {
  const vec3 up = vec3(0.0, 1.0, 0.0);
  vec3 light = frame.sun_light.rgb * frame.sun.y * sun_reaches(world, up);
  if (sky_is_sampled()) {
    light += frame.sky_light.rgb * frame.sky.y * sky_reaches(world, up);
  } else {
    light += 3.14159265 * frame.ambient_above.rgb * sky_seen(world, up);
  }
  colour = vec4(backdrop(gl_FragCoord.xy) * light * frame.floor_light.rgb, 1.0);
}
