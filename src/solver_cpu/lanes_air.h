/* lanes_air.h: wind on triangles, and what it does to particles. A part of lanes_kernels.h. */

/* Bytes from x of the corners of each triangle. */
LANE void corners(const weft_triangle *triangles, uint32_t at[3][WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    at[0][k] = triangles[k].a * (uint32_t)sizeof(vec4);
    at[1][k] = triangles[k].b * (uint32_t)sizeof(vec4);
    at[2][k] = triangles[k].c * (uint32_t)sizeof(vec4);
  }
}

LANE vf capped(vf force, vf most, vi movable) {
  return choose(movable & (force > most), most, force);
}

LANE v3 force_on(const weft_uniforms *u, v3 wind, const v4 x[3], const v3 v[3]) {
  v3 e1 = flush3(sub(xyz(x[1]), xyz(x[0])));
  v3 e2 = flush3(sub(xyz(x[2]), xyz(x[0])));
  v3 normal = flush3(cross(e1, e2));
  vf normal2 = dot(normal, normal);
  vf inverse = rsqrt(normal2);
  vf area = normal2 * inverse;
  area = area * 0.5f;
  normal = flush3(scale(normal, inverse));
  v3 mean = add(add(v[0], v[1]), v[2]);
  mean = scale(mean, all(u->third));
  v3 relative = flush3(sub(wind, mean));
  vf across = dot(normal, relative);
  across = flush(across);
  v3 pressed = scale(normal, across);
  v3 along = flush3(sub(relative, pressed));
  vf along2 = dot(along, along);
  vf along_speed = along2 * rsqrt(along2);
  along_speed = kept_if(~(along2 == all(0)), along_speed);
  vf push = u->drag * absolute(across);
  push = push * area;
  vf pull = u->skin * along_speed;
  pull = pull * area;
  vf lightness = x[0].w + x[1].w;
  lightness = lightness + x[2].w;
  lightness = lightness * u->dt;
  vf most = rcp(lightness);
  vi movable = lightness > all(0);
  v3 force = scale(pressed, capped(push, most, movable));
  v3 rub = scale(along, capped(pull, most, movable));
  force = flush3(scale(add(force, rub), all(u->third)));
  vi faces = ~(normal2 == all(0));
  return (v3){kept_if(faces, force.x), kept_if(faces, force.y), kept_if(faces, force.z)};
}

static size_t aero_force(const weft_air *air, const weft_triangle *triangles, vec4 *forces,
                         size_t count) {
  const v3 wind = {all(air->wind.x), all(air->wind.y), all(air->wind.z)};
  uint32_t row[WEFT_LANES];
  for (uint32_t k = 0; k < WEFT_LANES; ++k) row[k] = k * (uint32_t)sizeof(vec4);
  size_t done = 0;
  for (; done + WEFT_LANES <= count; done += WEFT_LANES) {
    v4 x[3];
    v3 v[3];
    uint32_t at[3][WEFT_LANES];
    corners(triangles + done, at);
    for (uint32_t corner = 0; corner < 3; ++corner) {
      x[corner] = load_particles(air->x, at[corner]);
      v[corner] = xyz(load_particles(air->v, at[corner]));
    }
    store_particles(forces + done, row, force_on(air->u, wind, x, v), all(0));
  }
  return done;
}

/* Particles have lists of different lengths, so a particle is a vector of four here. */
static void aero_gather(const weft_air *air, const vec4 *forces, const uint32_t *offsets,
                        const uint32_t *items, size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    quad force = {0};
    for (uint32_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      force = force + load_quad(forces + items[k], 0);
    }
    float scale_by = air->x[i].w * air->u->dt;
    quad change = force * scale_by;
    quad velocity = load_quad(air->v + i, 0) + change;
    typedef int32_t bits __attribute__((vector_size(16)));
    bits magnitude = (bits)velocity & 0x7fffffff;
    bits small = (quad)magnitude < (float)WEFT_SNAP;
    const bits vector = {-1, -1, -1, 0};
    velocity = (quad)((bits)velocity & ~small & vector);
    store_quad(air->v + i, 0, velocity);
  }
}
