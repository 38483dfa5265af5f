// vertices: what is drawn, a vertex an invocation: where its particle is, and the mean of the normals of the triangles
// around that, weighted by area. A particle's corners are the two other particles of each triangle, in their order.
#include "solver/blocks.glsl"
#include "kernels/vertex_normal.h"

layout(local_size_x = 64) in;
layout(std430, binding = 0) restrict readonly buffer Positions { vec4 x[]; };
layout(std430, binding = 1) restrict readonly buffer Corners { uint corners[]; }; // count + 1 offsets, then pairs
layout(std430, binding = 2) restrict readonly buffer Particles { uint particles[]; };
layout(std430, binding = 3) restrict writeonly buffer Vertices { float vertices[]; };

void main() {
  uint k = gl_GlobalInvocationID.x;
  if (k >= u_pass.count) return;
  uint particle = particles[k];
  vec3 here = x[particle].xyz;
  vec3 sum = vec3(0.0);
  for (uint c = corners[particle]; c < corners[particle + 1u]; c += 2u)
    sum = vertex_normal_with(sum, here, x[corners[c]].xyz, x[corners[c + 1u]].xyz);
  vec3 normal = vertex_normal_of(sum);
  vertices[6u * k] = here.x;
  vertices[6u * k + 1u] = here.y;
  vertices[6u * k + 2u] = here.z;
  vertices[6u * k + 3u] = normal.x;
  vertices[6u * k + 4u] = normal.y;
  vertices[6u * k + 5u] = normal.z;
}
