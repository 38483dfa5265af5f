/* collide: twin of shaders/solver/collide.comp. */
#include "ref.h"

void weft_pass_collide(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->u;
  for (uint32_t g = 0; g < d->count; ++g) {
    uint32_t i = d->first + g;
    vec4 start = ref->x[i];
    if (start.w == 0.0f) continue;
    weft_vec3 p = exact_xyz(start);
    weft_vec3 before = exact_xyz(ref->x_prev[i]);
    for (uint32_t k = 0; k < u->collider_count; ++k) {
      weft_collider_pose shape = ref->colliders[d->substep * u->collider_count + k];
      weft_vec3 from = weft_v3_sub(p, exact_xyz(shape.a));
      weft_vec3 carried = exact_xyz(shape.move_a);
      weft_vec3 n = exact_xyz(shape.b);
      float depth;
      if (shape.shape == WEFT_SHAPE_PLANE) {
        float height = exact_dot(from, n);
        height = exact_flush(height);
        depth = shape.a.w - height;
      } else {
        if (shape.shape == WEFT_SHAPE_CAPSULE) {
          weft_vec3 axis = weft_v3_sub(exact_xyz(shape.b), exact_xyz(shape.a));
          axis = exact_flush3(axis);
          float axis2 = exact_dot(axis, axis);
          float along = exact_dot(axis, from);
          along = exact_flush(along);
          float inverse = exact_rcp(axis2);
          float t = along * inverse;
          t = axis2 > 0.0f ? t : 0.0f;
          t = t > 0.0f ? t : 0.0f;
          t = t < 1.0f ? t : 1.0f;
          t = exact_flush(t);
          weft_vec3 reach = weft_v3_scale(axis, t);
          from = weft_v3_sub(from, reach);
          weft_vec3 turn = weft_v3_sub(exact_xyz(shape.move_b), exact_xyz(shape.move_a));
          turn = weft_v3_scale(turn, t);
          carried = weft_v3_add(carried, turn);
        }
        from = exact_flush3(from);
        float distance2 = exact_dot(from, from);
        float inverse_distance = exact_rsqrt(distance2);
        float away = distance2 * inverse_distance;
        depth = shape.a.w - away;
        n = weft_v3_scale(from, inverse_distance);
        n = exact_flush3(n);
        depth = distance2 > 0.0f ? depth : 0.0f;
      }
      if (!(depth > 0.0f)) continue;
      weft_vec3 push = weft_v3_scale(n, depth);
      p = weft_v3_add(p, push);
      weft_vec3 slide = weft_v3_sub(p, before);
      slide = weft_v3_sub(slide, carried);
      float normal_part = exact_dot(slide, n);
      normal_part = exact_flush(normal_part);
      weft_vec3 normal_slide = weft_v3_scale(n, normal_part);
      slide = weft_v3_sub(slide, normal_slide);
      slide = exact_flush3(slide);
      float slide2 = exact_dot(slide, slide);
      if (slide2 == 0.0f) continue;
      float inverse_slide = exact_rsqrt(slide2);
      float slid = slide2 * inverse_slide;
      float grip = shape.move_a.w * depth;
      float rub = shape.move_b.w * depth;
      float part = rub * inverse_slide;
      part = part < 1.0f ? part : 1.0f;
      part = slid <= grip ? 1.0f : part;
      weft_vec3 held = weft_v3_scale(slide, part);
      p = weft_v3_sub(p, held);
    }
    p = exact_flush3(p);
    ref->x[i] = exact_vec4(p, start.w);
  }
}
