/* lanes_air.h: wind on triangles, and what it does to particles. A part of lanes_kernels.h. */

/* Bytes from x of the corners of each triangle. */
LANE void corner_bytes(const weft_triangle *triangles, uint32_t at[3][WEFT_LANES]) {
  for (uint32_t k = 0; k < WEFT_LANES; ++k) {
    at[0][k] = triangles[k].a * (uint32_t)sizeof(vec4);
    at[1][k] = triangles[k].b * (uint32_t)sizeof(vec4);
    at[2][k] = triangles[k].c * (uint32_t)sizeof(vec4);
  }
}

static size_t aero_force(const weft_air *air, const weft_triangle *triangles, vec4 *forces,
                         size_t count) {
  const weft_uniforms *u = air->u;
  const v3 wind = every(air->wind);
  uint32_t row[WEFT_LANES];
  every_one(row);
  size_t done = 0;
  for (; done + WEFT_LANES <= count; done += WEFT_LANES) {
    v4 x[3];
    v3 v[3];
    uint32_t at[3][WEFT_LANES];
    corner_bytes(triangles + done, at);
    for (uint32_t corner = 0; corner < 3; ++corner) {
      x[corner] = load_particles(air->x, at[corner]);
      v[corner] = xyz(load_particles(air->v, at[corner]));
    }
    v3 force = air_force(x[0], x[1], x[2], v[0], v[1], v[2], wind, all(u->drag), all(u->skin),
                         all(u->third), all(u->dt));
    store_particles(forces + done, row, force, all(0));
  }
  return done;
}

/* Particles have lists of different lengths, so a particle is a vector of four here. */
static void aero_gather(const weft_air *air, const vec4 *forces, const uint32_t *offsets,
                        const uint32_t *items, size_t first, size_t count) {
  const vi vector = vector_part();
  for (size_t i = first; i < first + count; ++i) {
    quad force = {0};
    for (uint32_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      force = force + load_quad(forces + items[k], 0);
    }
    vf velocity = air_velocity(of_quad(load_quad(air->v + i, 0)), of_quad(force), all(air->x[i].w),
                               all(air->u->dt));
    store_quad(air->v + i, 0, first_quad(kept_if(vector, velocity)));
  }
}
