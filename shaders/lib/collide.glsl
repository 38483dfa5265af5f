// collide.glsl: one element of the pass collide. Included after the buffers it works on.

// What friction takes back of a slide across the surface: all of it up to mu_s times the push out,
// past that mu_k times the push.
vec3 held_by_friction(weft_collider_pose shape, weft_contact met, vec3 slide) {
  precise float normal_part = exact_dot(slide, met.n);
  normal_part = exact_flush(normal_part);
  precise vec3 normal_slide = met.n * normal_part;
  precise vec3 across = slide - normal_slide;
  across = exact_flush3(across);
  precise float slide2 = exact_dot(across, across);
  if (slide2 == 0.0) return vec3(0.0);
  precise float inverse_slide = exact_rsqrt(slide2);
  precise float slid = slide2 * inverse_slide;
  precise float grip = shape.move_a.w * met.depth;
  precise float rub = shape.move_b.w * met.depth;
  precise float part = rub * inverse_slide;
  part = part < 1.0 ? part : 1.0;
  part = slid <= grip ? 1.0 : part;
  precise vec3 held = across * part;
  return held;
}

void pass_collide(uint i, uint substep) {
  vec4 at = x_at(i);
  if (at.w == 0.0) return;
  precise vec3 p = at.xyz;
  vec3 before = x_prev_at(i).xyz;
  for (uint k = 0u; k < u.collider_count; ++k) {
    weft_collider_pose shape = collider_at(substep * u.collider_count + k);
    weft_lookout look = weft_lookout(p, false);
    if (!contact_is(shape, WEFT_SHAPE_PLANE)) look = contact_lookout(shape, before, p);
    weft_contact met = contact_find(shape, look.at, p);
    if (!(met.depth > 0.0)) continue;
    precise vec3 push = met.n * met.depth;
    p = p + push;
    precise vec3 slide = contact_slide(shape, look, before, p);
    precise vec3 held = held_by_friction(shape, met, slide);
    p = p - held;
  }
  p = exact_flush3(p);
  x[i] = vec4(p, at.w);
}
