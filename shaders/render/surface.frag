// Cloth and solids: diffuse light from either side, and the glow of fuzz at grazing angles.
// permutations: WIRE; TINT; QUICK; TINT QUICK
//
// Sheen is the "Charlie" distribution of Estevez and Kulla 2017 ("Production friendly microfacet
// sheen BRDF") with the visibility term of Neubelt and Pettineo 2013.
#include "render/shadow.glsl"
#include "render/weave.glsl"

in vec3 world;
in vec3 world_normal;
in vec3 rest_place;
#ifdef TINT
in vec3 tint;
#endif
out vec4 colour;

const float PI = 3.14159265;

float sheen(float n_l, float n_v, float n_h) {
  float inverse_roughness = 1.0 / material.front.w;
  float sine = sqrt(max(1.0 - n_h * n_h, 0.0));
  float distribution = (2.0 + inverse_roughness) * pow(sine, inverse_roughness) / (2.0 * PI);
  return distribution / (4.0 * max(n_l + n_v - n_l * n_v, 0.05));
}

// What comes back from light out of one direction.
vec3 reflected(vec3 albedo, vec3 normal, vec3 view, vec3 light) {
  float n_l = dot(normal, light);
  if (n_l <= 0.0) return albedo * (material.back.w * -n_l / PI); // through the cloth
  vec3 halfway = normalize(light + view);
  float n_v = max(dot(normal, view), 0.0);
  vec3 glow = material.sheen.rgb * sheen(n_l, n_v, clamp(dot(normal, halfway), 0.0, 1.0));
  return (albedo / PI + glow) * n_l;
}

vec3 shade(vec3 albedo, vec3 normal, vec3 view) {
  vec3 sun = reflected(albedo, normal, view, frame.sun.xyz);
  vec3 sum = frame.sun_light.rgb * sun * sun_reaches(world, normal);
  vec3 above = frame.ambient_above.rgb;
  if (sky_is_sampled()) {
    vec3 sky = reflected(albedo, normal, view, frame.sky.xyz);
    sum += frame.sky_light.rgb * sky * sky_reaches(world, normal);
  } else {
    above *= sky_seen(world, normal);
  }
  float up = 0.5 + 0.5 * normal.y;
  float edge = pow(1.0 - clamp(dot(normal, view), 0.0, 1.0), 4.0);
  vec3 all_round = mix(frame.ambient_below.rgb, above, up);
  return sum + all_round * (albedo + 0.5 * material.sheen.rgb * edge);
}

void main() {
#ifdef WIRE
  colour = vec4(material.front.rgb * 0.06, 1.0);
#else
  vec3 view = normalize(frame.eye.xyz - world);
  vec3 normal = normalize(world_normal);
  vec3 albedo = gl_FrontFacing ? material.front.rgb : material.back.rgb;
  if (!gl_FrontFacing) normal = -normal;
#ifdef TINT
  albedo = tint;
#else
  albedo *= 1.0 + weave(rest_place);
#endif
  colour = vec4(shade(albedo, normal, view), 1.0);
#endif
}
