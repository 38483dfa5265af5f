// Prints: stripes, checks and dots by the rest pose, in metres, or a picture by the mesh's own coordinates.
// All are filtered over what a pixel covers.
#include "render/frame.glsl"

layout(binding = WEFT_RENDER_UNIT_PRINT) uniform sampler2D picture;
layout(binding = WEFT_RENDER_UNIT_CORNERS) uniform samplerBuffer corners;

// Inked where the fraction of x is below a part: its mean over a footprint.
float inked_until(float x, float part) { return floor(x) * part + min(fract(x), part); }
float stripes(float x, float footprint, float part) {
  float wide = max(footprint, 1e-4);
  return (inked_until(x + 0.5 * wide, part) - inked_until(x - 0.5 * wide, part)) / wide;
}

float dots(vec2 q, float footprint, float part) {
  float row = floor(q.y), wide = max(footprint, 1e-4);
  vec2 f = vec2(fract(q.x + 0.5 * mod(row, 2.0)), q.y - row) - 0.5;
  float dot_there = clamp(0.5 + (0.5 * part - length(f)) / wide, 0.0, 1.0);
  return mix(dot_there, 0.785 * part * part, smoothstep(0.25, 0.8, footprint));
}

// Strength of the ink.
float inked(vec2 p, vec2 footprint) {
  vec2 q = p / material.print.x, f = footprint / material.print.x;
  float part = material.print.y;
  if (material.ink.w == WEFT_PRINT_STRIPES_ID) return stripes(q.y, f.y, part);
  if (material.ink.w == WEFT_PRINT_CHECK_ID) return 0.5 * (stripes(q.x, f.x, part) + stripes(q.y, f.y, part));
  return dots(q, max(f.x, f.y), part);
}

// through: of a picture, how much of it is seen on this side.
vec3 printed(vec3 albedo, float through, vec3 rest, vec3 dx, vec3 dy, vec3 w) {
  vec2 p = w.x > max(w.y, w.z) ? rest.zy : w.y > w.z ? rest.xz : rest.xy;
  vec2 px = w.x > max(w.y, w.z) ? dx.zy : w.y > w.z ? dx.xz : dx.xy;
  vec2 py = w.x > max(w.y, w.z) ? dy.zy : w.y > w.z ? dy.xz : dy.xy;
  float kind = material.ink.w, pictured = material.print.z;
  for (; kind > 0.0; kind = 0.0) albedo = mix(albedo, material.ink.rgb, inked(p, abs(px) + abs(py)));
  for (; pictured > 0.0; pictured = 0.0) {
    vec4 u = texelFetch(corners, 2 * gl_PrimitiveID), v = texelFetch(corners, 2 * gl_PrimitiveID + 1);
    vec2 at = vec2(dot(u, vec4(rest, 1.0)), dot(v, vec4(rest, 1.0)));
    vec2 atx = vec2(dot(u.xyz, dx), dot(v.xyz, dx)), aty = vec2(dot(u.xyz, dy), dot(v.xyz, dy));
    vec4 shown = textureGrad(picture, vec2(at.x, 1.0 - at.y), atx * vec2(1.0, -1.0), aty * vec2(1.0, -1.0));
    albedo = mix(albedo, shown.rgb, through * shown.a);
  }
  return albedo;
}
