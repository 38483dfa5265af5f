/* lanes_air.h: wind on triangles, and what it does to particles. A part of lanes_kernels.h. */

/* ---- one of the corners of each triangle: `corner` is that of the first ---- */

/* Of every fourth triangle. */
LANE vf load_corner_row(const vec4 *rows, const uint32_t *corner) {
  uint32_t at[SIDE_BY_SIDE];
  for (uint32_t k = 0; k < SIDE_BY_SIDE; ++k) at[k] = corner[12 * k] * (uint32_t)sizeof(vec4);
  return load_quads(rows, at, 1);
}

LANE v4 load_corners(const vec4 *rows, const uint32_t *corner) {
  return transposed(load_corner_row(rows, corner), load_corner_row(rows, corner + 3),
                    load_corner_row(rows, corner + 6), load_corner_row(rows, corner + 9));
}

/* The sum over the three corners, while they are rows still. */
LANE vf sum_corner_rows(const vec4 *rows, const uint32_t *corner) {
  vf two = load_corner_row(rows, corner) + load_corner_row(rows, corner + 1);
  return two + load_corner_row(rows, corner + 2);
}

LANE v3 sum_corners(const vec4 *rows, const uint32_t *corner) {
  return xyz(transposed(sum_corner_rows(rows, corner), sum_corner_rows(rows, corner + 3),
                        sum_corner_rows(rows, corner + 6), sum_corner_rows(rows, corner + 9)));
}

/* ---- the passes ---- */

static size_t aero_force(const weft_air *air, const weft_triangle *triangles, vec4 *forces,
                         size_t count) {
  const weft_uniforms *u = air->u;
  const v3 wind = every(air->wind);
  uint32_t row[WEFT_LANES];
  every_one(row);
  size_t done = 0;
  for (; done + WEFT_LANES <= count; done += WEFT_LANES) {
    const uint32_t *corner = (const uint32_t *)(const void *)(triangles + done);
    v4 a = load_corners(air->x, corner), b = load_corners(air->x, corner + 1);
    v4 c = load_corners(air->x, corner + 2);
    v3 force = air_force(a, b, c, sum_corners(air->v, corner), wind, all(u->drag), all(u->skin),
                         all(u->third), all(air->dt));
    store_particles(forces + done, row, force, all(0));
  }
  return done;
}

LANE quad sum_of_forces(const vec4 *forces, const uint32_t *items, uint32_t begin, uint32_t end) {
  quad force = {0};
  for (uint32_t k = begin; k < end; ++k) force = force + load_quad(forces + items[k], 0);
  return force;
}

/* As many particles as a vector has quads. */
LANE void gather_side_by_side(const weft_air *air, const vec4 *forces, const uint32_t *offsets,
                              const uint32_t *items, size_t i) {
  vec4 sums[SIDE_BY_SIDE];
  uint32_t row[WEFT_LANES];
  every_one(row);
  for (size_t k = 0; k < SIDE_BY_SIDE; ++k) {
    store_quad(sums + k, 0, sum_of_forces(forces, items, offsets[i + k], offsets[i + k + 1]));
  }
  vf w = load(air->x + i);
  vf velocity =
      air_velocity(load(air->v + i), load_quads(sums, row, 1), SPREAD(w, 3), all(air->dt));
  store(air->v + i, kept_if(vector_part(), velocity));
}

/* Particles have lists of different lengths, so each is summed by itself. */
static void aero_gather(const weft_air *air, const vec4 *forces, const uint32_t *offsets,
                        const uint32_t *items, size_t first, size_t count) {
  size_t i = first, end = first + count;
  for (; i + SIDE_BY_SIDE <= end; i += SIDE_BY_SIDE) {
    gather_side_by_side(air, forces, offsets, items, i);
  }
  for (; i < end; ++i) {
    quad force = sum_of_forces(forces, items, offsets[i], offsets[i + 1]);
    vf velocity = air_velocity(of_quad(load_quad(air->v + i, 0)), of_quad(force), all(air->x[i].w),
                               all(air->dt));
    store_quad(air->v + i, 0, first_quad(kept_if(vector_part(), velocity)));
  }
}
