/* tangles.c: self-intersections of the start. Counted exactly, and only once a solver with
 * self-collision is made, since that costs a second or two for half a million triangles. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "flat_grid.h"
#include "preprocess.h"
#include "start_check.h"

/* Several threads may read a model, which is immutable to them; this lock guards the result
 * stored in it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

char *weft_tangles_sentence(const weft_model *model, const weft_intersections *found) {
  enum { LONGEST = 380 + WEFT_INTERSECTIONS_LISTED * 32 };
  char pairs[WEFT_INTERSECTIONS_LISTED * 32], *sentence = weft_alloc(LONGEST, 1);
  weft_tangles_name(model, NULL, found, pairs, sizeof pairs);
  snprintf(
      sentence, LONGEST,
      "the start pose is tangled: %llu pair%s of triangles intersect%s, %s%s (counted from 0); "
      "self-collision does not part these %u triangles from each other, all others stay apart; "
      "--tangled loosen (weft_untangle) parts them",
      (unsigned long long)found->triangle_pairs, weft_plural(found->triangle_pairs),
      found->triangle_pairs == 1 ? "s" : "", found->listed < found->triangle_pairs ? "first " : "",
      pairs, found->triangles);
  return sentence;
}

static void tell(weft_tangles *tangles) {
  if (tangles->told || !tangles->sentence) return;
  tangles->told = true;
  if (tangles->part_of) {
    weft_log(WEFT_LOG_WARNING, "instance %u of %u: %s", tangles->part + 1, tangles->part_of,
             tangles->sentence);
  } else {
    weft_log(WEFT_LOG_WARNING, "%s", tangles->sentence);
  }
}

/* Known without a test of pairs. */
static bool is_apart(const weft_model *model) {
  uint32_t rows = model->grid_rows, columns = model->grid_columns;
  if (rows < 2 || columns < 2) return false;
  return model->triangle_count == 2 * (rows - 1) * (columns - 1) &&
         weft_grid_lies_flat(model->rest_positions, rows, columns);
}

static void find(const weft_model *model, weft_tangles *tangles) {
  WEFT_KEEP_MEMORY();
  weft_intersections found = {0};
  uint8_t *marks = weft_alloc(model->triangle_count, sizeof *marks);
  if (!is_apart(model)) {
    weft_error err;
    weft_result result =
        weft_count_intersections(model->rest_positions, model->particle_count, model->triangles,
                                 weft_cloth_triangles(model), marks, &found, &err);
    WEFT_CHECK(result == WEFT_OK, "a model has finite positions and triangles of its particles");
  }
  if (found.triangle_pairs > 0) tangles->sentence = weft_tangles_sentence(model, &found);
  tangles->triangles = found.triangles;
  tangles->marks = marks;
}

static void unlock(void *held) { pthread_mutex_unlock(held); }

/* Until it is ended, or memory runs out. */
static weft_deferred *hold(void) {
  weft_deferred *held = weft_defer(unlock, &lock);
  pthread_mutex_lock(&lock);
  return held;
}

static void let_go(weft_deferred *held) {
  weft_defer_end(held);
  unlock(&lock);
}

const weft_tangles *weft_model_tangles(const weft_model *model) {
  weft_deferred *held = hold();
  if (!model->tangles->marks) find(model, model->tangles);
  tell(model->tangles);
  let_go(held);
  return model->tangles;
}

weft_tangles *weft_tangles_copy(const weft_model *from) {
  if (!from->tangles) return NULL;
  weft_tangles *copy = weft_alloc(1, sizeof *copy);
  weft_deferred *held = hold();
  *copy = *from->tangles;
  if (copy->marks) {
    copy->marks = weft_alloc(from->triangle_count, sizeof *copy->marks);
    memcpy(copy->marks, from->tangles->marks, from->triangle_count * sizeof *copy->marks);
  }
  if (copy->sentence) {
    size_t length = strlen(from->tangles->sentence) + 1;
    copy->sentence = weft_alloc(length, 1);
    memcpy(copy->sentence, from->tangles->sentence, length);
  }
  let_go(held);
  return copy;
}

void weft_tangles_free(weft_tangles *tangles) {
  if (tangles) weft_free(tangles->marks);
  if (tangles) weft_free(tangles->sentence);
  weft_free(tangles);
}
