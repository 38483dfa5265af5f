/* sand.c: a tall loose column of grains that is let go and falls into a heap.
 *
 * How steep a heap gets depends on friction only where the grains have no order: packed in layers,
 * spheres that do not turn stand as a tower. So the column is loose and every grain is moved
 * somewhere within its room. */
#include <math.h>

#include "scenes_internal.h"

static const float column_height = 1.1f; /* m, about, at every size */
static const double slenderness = 4;     /* levels over grains across */
static const float room = 3.1f;          /* radii from grain to grain in a level */
static const float level_height = 2.8f;  /* radii */
static const float quartz = 2650;        /* kg/m^3 */

/* Grains in a circle on a square lattice that shifts and is shaken from level to level. */
static void place(uint32_t count, float radius, uint64_t seed, weft_vec3 *x) {
  weft_rng rng = weft_rng_seed(seed);
  double across = cbrt(4 * (double)count / (3.14159265 * slenderness));
  float reach = (float)fmax(across / 2, 0.75);
  int32_t half = (int32_t)reach + 1;
  uint32_t n = 0;
  for (uint32_t level = 0; n < count; ++level) {
    float shift = 0.37f * (float)(level % 3);
    for (int32_t k = 0; k < (2 * half + 1) * (2 * half + 1) && n < count; ++k) {
      float a = (float)(k % (2 * half + 1) - half), b = (float)(k / (2 * half + 1) - half);
      if (a * a + b * b > reach * reach) continue;
      float shake = 0.5f * (room - 2.02f), lift = 0.5f * (level_height - 2.02f);
      float up = 1.05f + lift + level_height * (float)level;
      x[n++] = weft_v3(radius * (room * (a + shift) + weft_rng_float(&rng, -shake, shake)),
                       radius * (up + weft_rng_float(&rng, -lift, lift)),
                       radius * (room * (b + shift) + weft_rng_float(&rng, -shake, shake)));
    }
  }
}

static weft_result preprocess(uint32_t count, float radius, uint64_t seed, weft_scene_instance *s,
                              weft_error *err) {
  weft_vec3 *x = weft_alloc(count, sizeof *x);
  float *masses = weft_alloc(count, sizeof *masses);
  place(count, radius, seed, x);
  for (uint32_t i = 0; i < count; ++i) {
    masses[i] = quartz * 4.18879f * radius * radius * radius;
  }
  weft_particles_desc desc = {
      .particle_count = count, .positions = x, .masses = masses, .radius = radius};
  weft_result result = weft_model_create_particles(&desc, &s->model, err);
  weft_free(x);
  weft_free(masses);
  return result;
}

weft_result weft_make_sand(const weft_scene_options *o, weft_scene_instance *s, weft_error *err) {
  uint32_t count = o->size * o->size;
  double across = cbrt(4 * (double)count / (3.14159265 * slenderness));
  float radius = column_height / (level_height * (float)(slenderness * across));
  weft_collider *floor = weft_scene_add_ground(s, 0);
  if (floor) floor->friction_static = floor->friction_dynamic = 1;
  s->params.substeps = 20;
  s->params.thickness = radius;
  s->params.particle_contact = true;
  s->params.contact_static = s->params.contact_dynamic = 0.5f;
  s->still = (weft_scene_still){150, 1.5f, {0, 0.1f, 0}};
  weft_scene_look(s, weft_v3(0, 0.12f, 0), 0.45f, 0.6f, 0.3f);
  return preprocess(count, radius, o->seed, s, err);
}
