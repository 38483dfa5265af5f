// aero_force.glsl: one element of the pass aero_force. Included after the buffers it works on.

void pass_aero_force(uint i, uint substep) {
  uvec3 corners = triangle_at(i);
  vec4 a = x_at(corners.x);
  vec4 b = x_at(corners.y);
  vec4 c = x_at(corners.z);
  precise vec3 e1 = b.xyz - a.xyz;
  precise vec3 e2 = c.xyz - a.xyz;
  e1 = exact_flush3(e1);
  e2 = exact_flush3(e2);
  precise vec3 normal = exact_cross(e1, e2);
  normal = exact_flush3(normal);
  precise float normal2 = exact_dot(normal, normal);
  if (normal2 == 0.0) {
    forces[i] = vec4(0.0);
    return;
  }
  precise float inverse = exact_rsqrt(normal2);
  precise float area = normal2 * inverse;
  area = area * 0.5;
  normal = normal * inverse;
  normal = exact_flush3(normal);
  precise vec3 mean = v_at(corners.x).xyz + v_at(corners.y).xyz;
  mean = mean + v_at(corners.z).xyz;
  mean = mean * u.third;
  precise vec3 relative = substep_at(substep).wind.xyz - mean;
  relative = exact_flush3(relative);
  precise float across = exact_dot(normal, relative);
  across = exact_flush(across);
  precise vec3 pressed = normal * across;
  precise vec3 along = relative - pressed;
  along = exact_flush3(along);
  precise float along2 = exact_dot(along, along);
  precise float along_inverse = exact_rsqrt(along2);
  precise float along_speed = along2 * along_inverse;
  along_speed = along2 == 0.0 ? 0.0 : along_speed;
  precise float push = u.drag * abs(across);
  push = push * area;
  precise float pull = u.skin * along_speed;
  pull = pull * area;
  precise float lightness = a.w + b.w;
  lightness = lightness + c.w;
  lightness = lightness * u.dt;
  precise float most = exact_rcp(lightness);
  bool movable = lightness > 0.0;
  push = movable && push > most ? most : push;
  pull = movable && pull > most ? most : pull;
  precise vec3 force = pressed * push;
  precise vec3 rub = along * pull;
  force = force + rub;
  force = force * u.third;
  force = exact_flush3(force);
  forces[i] = vec4(force, 0.0);
}
