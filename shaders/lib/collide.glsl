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

vec3 collided(weft_collider_pose shape, vec3 before, vec3 from) {
  precise vec3 p = from;
  weft_lookout look = weft_lookout(p, false);
  if (!contact_is(shape, WEFT_SHAPE_PLANE)) look = contact_lookout(shape, before, p);
  weft_contact met = contact_find(shape, look.at, p);
  if (!(met.depth > 0.0)) return p;
  precise vec3 push = met.n * met.depth;
  p = p + push;
  precise vec3 slide = contact_slide(shape, look, before, p);
  precise vec3 held = held_by_friction(shape, met, slide);
  p = p - held;
  return p;
}

// Most shapes leave a particle where it is, and to know that takes a small part of the text. A driver that
// masks lanes instead of branching would run all of it for each shape, were it not outside the loop over them.
void pass_collide(uint i, uint substep) {
  vec4 at = x_at(i);
  if (at.w == 0.0) return;
  precise vec3 p = at.xyz;
  vec3 before = x_prev_at(i).xyz;
  uint next = substep * u.collider_count;
  uint end = next + u.collider_count;
  while (next < end) {
    bool misses = true;
    do {
      weft_collider_pose shape = collider_at(next);
      misses = !contact_is_far(shape, before, p) && !(contact_at(shape, p).depth > 0.0);
      next += misses ? 1u : 0u;
    } while (misses && next < end);
    if (next < end) {
      p = collided(collider_at(next), before, p);
      ++next;
    }
  }
  p = exact_flush3(p);
  x[i] = vec4(p, at.w);
}
