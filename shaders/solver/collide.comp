// collide: push particles out of planes, spheres and capsules, one collider after the other, with
// Coulomb friction against the surface's own motion (Mueller et al. 2007; Macklin et al. 2014,
// "Unified particle physics", section 6.1).
#include "lib/pass.glsl"

layout(std430, binding = WEFT_SLOT_X) restrict buffer Positions { vec4 x[]; };
layout(std430, binding = WEFT_SLOT_X_PREV) restrict readonly buffer Previous { vec4 x_prev[]; };
layout(std430, binding = WEFT_SLOT_COLLIDERS) restrict readonly buffer Colliders {
  weft_collider_pose colliders[];
};

void main() {
  if (gl_GlobalInvocationID.x >= u_count) return;
  uint i = u_first + gl_GlobalInvocationID.x;
  vec4 start = x[i];
  if (start.w == 0.0) return;
  precise vec3 p = start.xyz;
  vec3 before = x_prev[i].xyz;
  for (uint k = 0u; k < u.collider_count; ++k) {
    weft_collider_pose shape = colliders[u_substep * u.collider_count + k];
    precise vec3 from = p - shape.a.xyz;
    precise vec3 carried = shape.move_a.xyz;
    precise vec3 n = shape.b.xyz;
    precise float depth;
    if (shape.shape == WEFT_SHAPE_PLANE) {
      precise float height = exact_dot(from, n);
      height = exact_flush(height);
      depth = shape.a.w - height;
    } else {
      if (shape.shape == WEFT_SHAPE_CAPSULE) {
        precise vec3 axis = shape.b.xyz - shape.a.xyz;
        axis = exact_flush3(axis);
        precise float axis2 = exact_dot(axis, axis);
        precise float along = exact_dot(axis, from);
        along = exact_flush(along);
        precise float inverse = exact_rcp(axis2);
        precise float t = along * inverse;
        t = axis2 > 0.0 ? t : 0.0;
        t = t > 0.0 ? t : 0.0;
        t = t < 1.0 ? t : 1.0;
        t = exact_flush(t);
        precise vec3 reach = axis * t;
        from = from - reach;
        precise vec3 turn = shape.move_b.xyz - shape.move_a.xyz;
        turn = turn * t;
        carried = carried + turn;
      }
      from = exact_flush3(from);
      precise float distance2 = exact_dot(from, from);
      precise float inverse_distance = exact_rsqrt(distance2);
      precise float away = distance2 * inverse_distance;
      depth = shape.a.w - away;
      n = from * inverse_distance;
      n = exact_flush3(n);
      // In the very centre no direction is right: leave the particle to the others.
      depth = distance2 > 0.0 ? depth : 0.0;
    }
    if (!(depth > 0.0)) continue;
    precise vec3 push = n * depth;
    p = p + push;
    precise vec3 slide = p - before;
    slide = slide - carried;
    precise float normal_part = exact_dot(slide, n);
    normal_part = exact_flush(normal_part);
    precise vec3 normal_slide = n * normal_part;
    slide = slide - normal_slide;
    slide = exact_flush3(slide);
    precise float slide2 = exact_dot(slide, slide);
    if (slide2 == 0.0) continue;
    precise float inverse_slide = exact_rsqrt(slide2);
    precise float slid = slide2 * inverse_slide;
    precise float grip = shape.move_a.w * depth;
    precise float rub = shape.move_b.w * depth;
    precise float part = rub * inverse_slide;
    part = part < 1.0 ? part : 1.0;
    part = slid <= grip ? 1.0 : part;
    precise vec3 held = slide * part;
    p = p - held;
  }
  p = exact_flush3(p);
  x[i] = vec4(p, start.w);
}
