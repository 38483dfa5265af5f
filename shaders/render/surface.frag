// Cloth and solids: diffuse light from either side, the glow of fuzz at grazing angles, and gloss.
// permutations: CLOTH; CLOTH QUICK; CLOTH WIRE; QUICK; TINT; TINT QUICK; BODY; BODY QUICK
//
// Sheen is the "Charlie" distribution of Estevez and Kulla 2017 ("Production friendly microfacet
// sheen BRDF") with the visibility term of Neubelt and Pettineo 2013; gloss the anisotropic distribution
// of Burley 2012, wide across yarns and narrow along them.
#include "render/shadow.glsl"
#include "render/sky.glsl"
#ifdef CLOTH
#include "render/weave.glsl"
#ifdef WIRE
#include "render/wire.glsl"
#else
#include "render/print.glsl"
#endif
#endif

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

vec3 warp = vec3(1.0, 0.0, 0.0); // where its yarns run

float gloss(vec3 normal, vec3 halfway, float n_l, float n_v, float n_h, float l_h) {
  vec2 rough = max(material.gloss.xy, 0.05);
  vec3 along = normalize(warp - normal * dot(warp, normal)), across = cross(normal, along);
  vec3 h = vec3(dot(halfway, across) / rough.x, dot(halfway, along) / rough.y, n_h);
  float d = dot(h, h), fresnel = pow(1.0 - l_h, 5.0);
  float distribution = 1.0 / (rough.x * rough.y * d * d); // times pi
  return mix(material.sheen.w, 1.0, fresnel) * distribution / (4.0 * max(mix(2.0 * n_l * n_v, n_l + n_v, rough.x), 0.2)) * 2.0;
}

// What comes back from light out of one direction, whose irradiance is given over pi.
vec3 reflected(vec3 albedo, vec3 normal, vec3 view, vec3 light) {
  float n_l = dot(normal, light);
  if (n_l <= 0.0) return albedo * (material.back.w * -n_l); // through the cloth
  vec3 halfway = normalize(light + view);
  float n_v = max(dot(normal, view), 0.0), n_h = clamp(dot(normal, halfway), 0.0, 1.0);
  vec3 glow = PI * material.sheen.rgb * sheen(n_l, n_v, n_h);
  for (float on = material.sheen.w; on > 0.0; on = 0.0) {
    glow += gloss(normal, halfway, n_l, n_v, n_h, clamp(dot(light, halfway), 0.0, 1.0));
  }
  return (albedo + glow) * n_l;
}

vec3 shade(vec3 albedo, vec3 normal, vec3 view) {
  vec3 sum = frame.sun_light.rgb * reflected(albedo, normal, view, frame.sun.xyz) * sun_reaches(world, normal);
  float open = 1.0 - sky_hidden(world, normal);
  vec3 from_ground = frame.bounce.rgb * (0.5 - 0.5 * normal.y);
  vec3 all_round = sky_light(normal) * open + from_ground;
  float facing = clamp(dot(normal, view), 0.0, 1.0), edge = 1.0 - facing;
  edge *= edge;
  edge *= edge;
  sum += all_round * (albedo + 0.5 * material.sheen.rgb * edge);
  for (float on = material.sheen.w; on > 0.0; on = 0.0) {
    vec3 mirrored = reflect(-view, normal);
    sum += (on + (1.0 - on) * 0.3 * edge) * open * (sky_light(mirrored) + frame.bounce.rgb * (0.5 - 0.5 * mirrored.y));
  }
  return sum;
}

#ifdef CLOTH
// Yarns are round: the normal leans by the slope of their brightness (Mikkelsen 2010).
vec3 bumped(vec3 normal, float height, float strength) {
  vec3 dx = dFdx(world), dy = dFdy(world), r1 = cross(dy, normal), r2 = cross(normal, dx);
  float size = dot(dx, r1);
  vec3 lean = sign(size) * (dFdx(height) * r1 + dFdy(height) * r2);
  vec3 leaning = abs(size) * normal - strength * lean;
  float far = length(leaning);
  return far > 0.0 ? leaning / far : normal;
}
#endif

void main() {
  vec3 view = normalize(frame.eye.xyz - world);
  vec3 normal = normalize(world_normal);
  vec3 albedo = gl_FrontFacing ? material.front.rgb : material.back.rgb;
  if (!gl_FrontFacing) normal = -normal;
#ifdef TINT
  albedo = tint;
#endif
#ifdef CLOTH
  vec3 dx = dFdx(rest_place), dy = dFdy(rest_place), planes = planes_of(dx, dy);
#ifdef WIRE
  albedo *= 1.0 - 0.85 * wire(rest_place);
#else
  vec3 steep = dx.x * dFdy(world) - dy.x * dFdx(world); // where x is the same in the rest pose
  warp = dot(steep, steep) > 0.0 ? normalize(steep) : warp;
  float yarns = weave(rest_place, dx, dy, planes);
  albedo = printed(albedo, gl_FrontFacing ? 1.0 : 0.4, rest_place, dx, dy, planes) * (1.0 + yarns);
#ifndef QUICK
  float yarn = material.weave.x * exp2(floor(material.weave.w));
  normal = bumped(normal, yarns * yarn, 0.35);
#endif
#endif
#endif
  colour = vec4(shade(albedo, normal, view), 1.0);
}
