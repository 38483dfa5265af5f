// The colour of what left the trail, fading with age.
#include "render/film.glsl"
#include "render/map.glsl"

in float age;
flat in uint rgb;
out vec4 colour;

void main() {
  float past = clamp(age, 0.0, 1.0);
  colour = vec4(before_film(linear_of_rgb(rgb)), 0.92 * (1.0 - past * past));
}
