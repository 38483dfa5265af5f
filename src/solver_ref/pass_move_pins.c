/* move_pins: twin of shaders/solver/move_pins.comp. */
#include "ref.h"

void weft_pass_move_pins(const weft_ref *ref, const weft_dispatch *d) {
  const weft_uniforms *u = ref->uniforms;
  for (uint32_t g = 0; g < d->pass.count; ++g) {
    weft_pin_path path = ref->pins[d->pass.first + g];
    uint32_t i = path.particle;
    float t = ref->substeps[d->substep].wind.w;
    weft_vec3 way = weft_v3_sub(exact_xyz(path.to), exact_xyz(path.from));
    way = weft_v3_scale(way, t);
    weft_vec3 position = weft_v3_add(exact_xyz(path.from), way);
    position = exact_snap3(position);
    position.x = t == 1.0f ? path.to.x : position.x;
    position.y = t == 1.0f ? path.to.y : position.y;
    position.z = t == 1.0f ? path.to.z : position.z;
    weft_vec3 velocity = weft_v3_sub(position, exact_xyz(ref->x_prev[i]));
    velocity = weft_v3_scale(velocity, u->inv_dt);
    velocity = exact_snap3(velocity);
    ref->x[i] = exact_vec4(position, ref->x[i].w);
    ref->v[i] = exact_vec4(velocity, 0.0f);
  }
}
