// A surface in the colours of its values. It is a little darker where it turns away, so that folds
// can still be seen; what faces the eye has just the colour of the legend.
#include "render/film.glsl"
#include "render/frame.glsl"
#include "render/range.glsl"

layout(location = WEFT_RENDER_LOCATION_PAINT) uniform uint paint;

in vec3 world;
in vec3 world_normal;
in vec2 value;
out vec4 colour;

vec3 touching() {
  bool collider = value.x > 0.5, particle = value.y > 0.5;
  if (collider) return linear_of_rgb(particle ? WEFT_RGB_BOTH : WEFT_RGB_COLLIDER);
  return linear_of_rgb(particle ? WEFT_RGB_PARTICLE : WEFT_RGB_PLAIN);
}

void main() {
  vec3 normal = normalize(world_normal);
  vec3 shown;
  if (paint == WEFT_PAINT_NORMALS) {
    vec3 s = 0.5 + 0.5 * normal; // as sRGB bytes
    shown = mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), s));
  } else if (paint == WEFT_PAINT_CONTACTS) {
    shown = touching();
  } else if (paint == WEFT_PAINT_GAPS && value.y > 0.5) {
    shown = linear_of_rgb(WEFT_RGB_CUT);
  } else if (paint == WEFT_PAINT_TANGLED) {
    shown = linear_of_rgb(value.x > 0.999 ? WEFT_RGB_CUT : WEFT_RGB_PLAIN);
  } else {
    shown = colour_of(value.x);
  }
  float facing = abs(dot(normal, normalize(frame.eye.xyz - world)));
  if (paint != WEFT_PAINT_NORMALS) shown *= mix(0.45, 1.0, facing);
  colour = vec4(before_film(shown), 1.0);
}
