// What is drawn beside the solid: clear where it faces the eye, dense at its rim. Only the front, so
// that nothing shines through itself.
#include "render/film.glsl"
#include "render/frame.glsl"

in vec3 world;
in vec3 world_normal;
in vec3 tint;
out vec4 colour;

void main() {
  float facing = dot(normalize(world_normal), normalize(frame.eye.xyz - world));
  if (facing <= 0.0) discard;
  float rim = 1.0 - facing;
  colour = vec4(before_film(tint), mix(0.35, 0.95, rim * rim));
}
