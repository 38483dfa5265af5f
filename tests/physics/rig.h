/* rig.h: what the physics tests share: every test body runs on both backends, and small systems
 * (one particle, a pair, a chain, a hinge) are models made by hand, so that they go through the
 * same tables, passes and solver as a garment. */
#ifndef WEFT_TESTS_PHYSICS_RIG_H
#define WEFT_TESTS_PHYSICS_RIG_H

#include "../rig.h"
#include "../rig_gl.h"
/* after rig_gl.h */
#include "geodesic.h"

/* ---- backends ---- */

typedef enum rig_place { RIG_REF, RIG_GL } rig_place;

static weft_gl *rig_gl_context;
__attribute__((unused)) static rig_place rig_places[2] = {RIG_REF, RIG_GL};

static inline int rig_open(void **state) {
  (void)state;
  weft_error err = {0};
  if (weft_gl_create_headless(&(weft_gl_desc){0}, &rig_gl_context, &err) != WEFT_OK) {
    print_message("no GL, its half of the tests is skipped: %s\n", err.message);
    rig_gl_context = NULL;
    return 0;
  }
  weft_gl_make_current(rig_gl_context);
  return 0;
}

static inline int rig_close(void **state) {
  (void)state;
  if (rig_gl_context) weft_gl_destroy(rig_gl_context);
  rig_gl_context = NULL;
  return 0;
}

/* The backend of this run of the test; skips the test when there is none. */
static inline const weft_backend *rig_backend(void **state) {
  if (*(const rig_place *)*state == RIG_REF) return weft_backend_ref();
  if (!rig_gl_context) skip();
  return rig_backend_on(rig_gl_context);
}

#define RIG_BOTH(test)                                   \
  {#test " on ref", test, NULL, NULL, &rig_places[0]}, { \
#test " on gl", test, NULL, NULL, &rig_places[1]     \
  }

/* ---- models made by hand ---- */

/* Particles only. Masses in kg; 0 pins. */
static inline weft_model *rig_model(uint32_t count, const weft_vec3 *positions,
                                    const float *masses) {
  weft_model *model = calloc(1, sizeof *model);
  model->geodesics = calloc(1, sizeof *model->geodesics);
  model->particle_count = count;
  model->rest_positions = calloc(count, sizeof *model->rest_positions);
  model->inverse_masses = calloc(count, sizeof *model->inverse_masses);
  model->masses = calloc(count, sizeof *model->masses);
  model->corner_offsets = calloc((size_t)count + 1, sizeof *model->corner_offsets);
  memcpy(model->rest_positions, positions, count * sizeof *positions);
  for (uint32_t i = 0; i < count; ++i) {
    model->masses[i] = masses[i];
    model->inverse_masses[i] = masses[i] > 0 ? 1 / masses[i] : 0;
    if (!(masses[i] > 0)) model->pinned_count++;
  }
  return model;
}

/* A group of `count` constraints, all of one colour: particles must be disjoint. */
static inline weft_constraint_group *rig_group(weft_model *model, weft_constraint_type type,
                                               uint32_t count, const uint32_t *particles) {
  weft_constraint_group *g = &model->groups[model->group_count++];
  uint32_t arity = type == WEFT_CONSTRAINT_DISTANCE ? 2 : 4;
  *g = (weft_constraint_group){.name = "stretch", .type = type, .arity = arity, .count = count};
  g->particles = calloc((size_t)count * arity, sizeof *g->particles);
  memcpy(g->particles, particles, (size_t)count * arity * sizeof *particles);
  g->rest = calloc(count, sizeof *g->rest);
  g->weights = type == WEFT_CONSTRAINT_ISOMETRIC ? calloc(4 * (size_t)count, sizeof(float)) : NULL;
  g->compliance = calloc(count, sizeof *g->compliance);
  g->damping = calloc(count, sizeof *g->damping);
  g->colour_count = 1;
  g->colour_first = calloc((size_t)count + 1, sizeof *g->colour_first);
  g->colour_sizes = calloc((size_t)count + 1, sizeof *g->colour_sizes);
  g->colour_first[1] = g->colour_sizes[0] = count;
  return g;
}

static inline void rig_model_free(weft_model *model) {
  weft_geodesics_free(model->geodesics);
  free(model->geodesics);
  for (uint32_t k = 0; k < model->group_count; ++k) {
    weft_constraint_group *g = &model->groups[k];
    free(g->particles);
    free(g->rest);
    free(g->weights);
    free(g->compliance);
    free(g->damping);
    free(g->colour_first);
    free(g->colour_sizes);
  }
  free(model->rest_positions);
  free(model->inverse_masses);
  free(model->masses);
  free(model->corner_offsets);
  free(model);
}

/* A chain hanging from particle 0 (pinned) straight down: links of a length and compliance between
 * particles of a mass. Even links are the first colour, odd ones the second. */
static inline weft_model *rig_chain(uint32_t links, float length, float mass, float compliance) {
  weft_vec3 *positions = calloc((size_t)links + 1, sizeof *positions);
  float *masses = calloc((size_t)links + 1, sizeof *masses);
  uint32_t *pairs = calloc(2 * (size_t)links, sizeof *pairs);
  for (uint32_t i = 0; i <= links; ++i) {
    positions[i].y = -length * (float)i;
    masses[i] = i ? mass : 0;
  }
  uint32_t even = (links + 1) / 2;
  for (uint32_t i = 0; i < links; ++i) {
    uint32_t place = i % 2 == 0 ? i / 2 : even + i / 2;
    pairs[2 * place] = i;
    pairs[2 * place + 1] = i + 1;
  }
  weft_model *model = rig_model(links + 1, positions, masses);
  weft_constraint_group *g = rig_group(model, WEFT_CONSTRAINT_DISTANCE, links, pairs);
  for (uint32_t i = 0; i < links; ++i) {
    g->rest[i] = length;
    g->compliance[i] = compliance;
  }
  if (links > 1) {
    g->colour_count = 2;
    g->colour_first[1] = g->colour_sizes[0] = even;
    g->colour_first[2] = links;
    g->colour_sizes[1] = links - even;
  }
  free(positions);
  free(masses);
  free(pairs);
  return model;
}

#endif
