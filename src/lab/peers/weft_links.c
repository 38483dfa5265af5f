/* weft_links.c: weft on exactly the constraints of the other programs, as a system of particles and
 * links, so without knowing that they are a grid. weft colours the list itself and so projects in
 * another order, which it writes where a file is named, for coloured to follow. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/structure.h>
#include <weft/weft.h>

#include "peer.h"

typedef struct cloth {
  weft_model *model;
  weft_solver *solver;
  weft_error err;
} cloth;

static void list_colour(const peer_colour *colour, int size, weft_link *links, uint32_t *count) {
  for (int i = 0; i < size * size; ++i) {
    if (!peer_has(colour, size, i / size, i % size)) continue;
    links[(*count)++] = (weft_link){.a = (uint32_t)i,
                                    .b = (uint32_t)(i + colour->down * size + colour->right),
                                    .rest_length = peer_rest(colour, size)};
  }
}

static weft_result create_model(cloth *c, int size) {
  uint32_t particles = (uint32_t)(size * size), count = 0;
  weft_link *links = peer_alloc((unsigned long)peer_count_all(size) * sizeof *links);
  weft_vec3 *positions = peer_alloc(particles * sizeof *positions);
  float *masses = peer_alloc(particles * sizeof *masses);
  for (int k = 0; k < PEER_COLOURS; ++k) list_colour(&peer_colours[k], size, links, &count);
  for (uint32_t i = 0; i < particles; ++i) {
    int row = (int)i / size, column = (int)i % size;
    float xyz[3];
    peer_start(size, row, column, xyz);
    positions[i] = (weft_vec3){xyz[0], xyz[1], xyz[2]};
    masses[i] = peer_inverse_mass(size, row, column);
  }
  weft_particles_desc desc = {.particle_count = particles,
                              .positions = positions,
                              .masses = masses,
                              .links = links,
                              .link_count = count};
  weft_result result = weft_model_create_particles(&desc, &c->model, &c->err);
  free(links);
  free(positions);
  free(masses);
  return result;
}

static void destroy(void *cloth_) {
  cloth *c = cloth_;
  weft_solver_destroy(c->solver);
  weft_model_destroy(c->model);
  free(c);
}

static bool said(cloth *c, weft_result result) {
  if (result != WEFT_OK) fprintf(stderr, "%s\n", c->err.message);
  return result == WEFT_OK;
}

static bool print_order(const weft_structure *s, FILE *file) {
  for (uint32_t k = 0; k < s->batch_count; ++k) {
    const weft_structure_batch *batch = &s->batches[k];
    for (uint32_t i = 0; i < batch->count; ++i) {
      const uint32_t *p = s->groups[batch->group].particles + 2 * s->order[batch->first + i];
      if (fprintf(file, "%u %u %u\n", k, p[0], p[1]) < 0) return false;
    }
  }
  return true;
}

static bool write_order(cloth *c, const char *path) {
  weft_structure structure;
  if (!said(c, weft_solver_structure(c->solver, &structure, &c->err))) return false;
  FILE *file = fopen(path, "w");
  bool done = file && print_order(&structure, file);
  if (file && fclose(file) != 0) done = false;
  if (!done) fprintf(stderr, "%s could not be written\n", path);
  weft_structure_free(&structure);
  return done;
}

static bool create_solver(cloth *c, int threads) {
  weft_params params = weft_params_default();
  weft_params_plain(&params);
  params.substeps = PEER_SUBSTEPS;
  params.gravity = (weft_vec3){0, -(float)PEER_GRAVITY, 0};
  const weft_backend *backend = weft_backend_cpu((uint32_t)threads);
  return said(c, weft_solver_create(c->model, &params, backend, &c->solver, &c->err));
}

static void *create(const peer_task *task) {
  cloth *c = peer_alloc(sizeof *c);
  if (said(c, create_model(c, task->size)) && create_solver(c, task->threads) &&
      (!task->order || write_order(c, task->order)))
    return c;
  destroy(c);
  return NULL;
}

static bool step(void *cloth_) {
  cloth *c = cloth_;
  return said(c, weft_solver_step(c->solver, &c->err));
}

static bool read(void *cloth_, float (*positions)[3]) {
  cloth *c = cloth_;
  uint32_t count = weft_model_particle_count(c->model);
  weft_vec3 *x = peer_alloc(count * sizeof *x);
  bool done = said(c, weft_solver_read(c->solver, x, NULL, &c->err));
  for (uint32_t i = 0; i < count; ++i) {
    positions[i][0] = x[i].x;
    positions[i][1] = x[i].y;
    positions[i][2] = x[i].z;
  }
  free(x);
  return done;
}

int main(int argc, char **argv) {
  return peer_main(&(peer_program){"weft_links", create, step, read, destroy}, argc, argv);
}
