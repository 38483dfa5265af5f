// Stairs at edges become slopes: along an edge, neighbours are blended (after Lottes 2009, "FXAA").
#include "render/frame.h"

layout(binding = WEFT_RENDER_UNIT_COLOUR) uniform sampler2D picture;
out vec4 colour;

const float LEAST = 0.04; // contrast that is an edge
const float REACH = 6.0;  // pixels along it

float bright(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }

float bright_at(ivec2 p, ivec2 last) { return bright(texelFetch(picture, clamp(p, ivec2(0), last), 0).rgb); }

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy), size = textureSize(picture, 0), last = size - 1;
  vec3 here = texelFetch(picture, p, 0).rgb;
  float middle = bright(here);
  vec4 corner = vec4(bright_at(p + ivec2(-1, -1), last), bright_at(p + ivec2(1, -1), last),
                     bright_at(p + ivec2(-1, 1), last), bright_at(p + ivec2(1, 1), last));
  float low = min(min(corner.x, corner.y), min(corner.z, corner.w));
  float high = max(max(corner.x, corner.y), max(corner.z, corner.w));
  bool edge = max(high, middle) - min(low, middle) > LEAST;
  // A loop, since a software driver skips those, and walks through both sides of a condition.
  for (; edge; edge = false) {
    vec2 along = vec2(corner.z + corner.w - corner.x - corner.y, corner.x + corner.z - corner.y - corner.w);
    float least = max(dot(corner, vec4(0.25 * 0.125)), 1.0 / 128.0);
    along = clamp(along / (min(abs(along.x), abs(along.y)) + least), -REACH, REACH) / vec2(size);
    vec2 at = gl_FragCoord.xy / vec2(size);
    vec3 near = 0.5 * (textureLod(picture, at - along / 6.0, 0.0).rgb +
                       textureLod(picture, at + along / 6.0, 0.0).rgb);
    vec3 far = 0.5 * near + 0.25 * (textureLod(picture, at - 0.5 * along, 0.0).rgb +
                                    textureLod(picture, at + 0.5 * along, 0.0).rgb);
    float reached = bright(far);
    here = reached < min(low, middle) || reached > max(high, middle) ? near : far;
  }
  colour = vec4(here, 1.0);
}
