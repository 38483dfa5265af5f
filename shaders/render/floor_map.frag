// What the floor sees of the sky, for quick pictures: from above every texel of the sky's map is a patch that
// hides what a level piece of its size hides of a level floor, h^2 dA / (pi r^4). Rings of reads, each
// twice as far out as the last.
#include "render/frame.glsl"

layout(binding = WEFT_RENDER_UNIT_SKY) uniform sampler2DArray sky_map;
out vec4 colour;

const float RINGS = 6.0, AROUND = 8.0;
const float MOST = 0.85;

void main() {
  vec2 middle = gl_FragCoord.xy * frame.floor.z;
  mat4 from_above = frame.sky_matrix[0];
  float per_metre = length(vec3(from_above[0][0], from_above[1][0], from_above[2][0]));
  float deep = length(vec3(from_above[0][2], from_above[1][2], from_above[2][2]));
  float ground = (from_above * vec4(frame.centre.x, frame.ground.w, frame.centre.z, 1.0)).z;
  float inner = 0.0, outer = 1.5 * frame.sky[0].w, hidden = 0.0; // m
  for (float ring = 0.0; ring < RINGS; ring += 1.0) {
    float area = 3.14159265 * (outer * outer - inner * inner) / AROUND;
    float away = ring == 0.0 ? 0.7 * outer : 0.5 * (inner + outer);
    for (float k = 0.0; k < AROUND; k += 1.0) {
      float angle = 6.2831853 * (k + 0.5 * mod(ring, 2.0)) / AROUND;
      vec2 at = middle + away * per_metre * vec2(cos(angle), sin(angle));
      float h = max(ground - textureLod(sky_map, vec3(at, 0.0), 0.0).r, 0.0) / deep;
      float flat2 = ring == 0.0 ? 0.0 : away * away, r2 = flat2 + h * h;
      hidden += h > 0.0 ? area * h * h / (3.14159265 * r2 * r2 + AROUND * area * h * h) : 0.0;
    }
    inner = outer;
    outer *= 1.8;
  }
  colour = vec4(MOST * (1.0 - exp(-1.3 * hidden)), 0.0, 0.0, 1.0);
}
