/* self_cook_kept.c: tables that stay with a model while solvers of it follow each other. Compiled
 * twice, see src/core/solver_f64/double.h: doubles are not kept. */
#include <string.h>

#include "base.h"
#include "left.h"
#include "model.h"
#include "self_cook.h"

typedef struct kept {
  weft_self_surface of; /* with copies of what it points to */
  weft_vec3 *positions;
  uint32_t *corners;
  weft_self_cooked cooked;
} kept;

static bool is_of(const kept *k, const weft_self_surface *s) {
  const weft_self_surface *of = &k->of;
  return of->particles == s->particles && of->triangles == s->triangles &&
         of->cloth_particles == s->cloth_particles && of->cloth_triangles == s->cloth_triangles &&
         !(of->floor < s->floor) && !(of->floor > s->floor) &&
         memcmp(k->positions, s->positions, s->particles * sizeof *k->positions) == 0 &&
         memcmp(k->corners, s->corners, 3 * (size_t)s->triangles * sizeof *k->corners) == 0;
}

static void release(void *data) {
  kept *k = data;
  weft_self_cooked_free(&k->cooked);
  weft_free(k->positions);
  weft_free(k->corners);
  weft_free(k);
}

static kept *keep(const weft_self_surface *s) {
  WEFT_KEEP_MEMORY();
  const size_t corners = 3 * (size_t)s->triangles;
  kept *k = weft_alloc(1, sizeof *k);
  k->of = *s;
  k->positions = weft_alloc(s->particles, sizeof *k->positions);
  k->corners = weft_alloc(corners, sizeof *k->corners);
  memcpy(k->positions, s->positions, s->particles * sizeof *k->positions);
  memcpy(k->corners, s->corners, corners * sizeof *k->corners);
  k->cooked = weft_self_cook(s);
  return k;
}

/* Those that are left, if they are of this surface. */
static const kept *find(weft_left *left, const weft_self_surface *surface) {
  pthread_mutex_lock(&left->lock);
  const kept *found = left->data && is_of(left->data, surface) ? left->data : NULL;
  if (found) ++left->users;
  pthread_mutex_unlock(&left->lock);
  return found;
}

/* Not while others are used. */
static bool leave(weft_left *left, kept *k) {
  pthread_mutex_lock(&left->lock);
  const bool can = left->users == 0;
  if (can && left->data) release(left->data);
  if (can) {
    left->data = k;
    left->release = release;
    left->users = 1;
  }
  pthread_mutex_unlock(&left->lock);
  return can;
}

const weft_self_cooked *weft_self_take_kept(const weft_model *model,
                                            const weft_self_surface *surface) {
  weft_left *left = model->left;
  if (!left || sizeof(float) == sizeof(double)) return NULL;
  const kept *found = find(left, surface);
  if (found) return &found->cooked;
  kept *made = keep(surface); /* without the lock: memory may run out */
  if (leave(left, made)) return &made->cooked;
  release(made);
  return NULL;
}

void weft_self_give_kept(const weft_model *model) {
  pthread_mutex_lock(&model->left->lock);
  --model->left->users;
  pthread_mutex_unlock(&model->left->lock);
}
