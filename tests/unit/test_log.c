/* The log and progress: who hears what, on which thread, and that nobody is told who did not ask.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <unistd.h>
#include <weft/log.h>

#include "base.h"
#include "rig.h"

typedef struct heard {
  char lines[4][256];
  weft_log_level levels[4];
  uint32_t count;
  pthread_t thread;
} heard;

static void hear(weft_log_level level, const char *line, void *user) {
  heard *h = user;
  assert_true(h->count < 4);
  snprintf(h->lines[h->count], sizeof h->lines[0], "%s", line);
  h->levels[h->count++] = level;
  h->thread = pthread_self();
}

/* A sheet that cannot move is warned of. */
static void make_stuck_model(void) {
  const uint32_t all[4] = {0, 1, 2, 3};
  const weft_pin pin = {.rule = WEFT_PIN_LIST, .list = all, .list_count = 4};
  weft_model_destroy(rig_grid_model(&(weft_grid_desc){.rows = 2, .columns = 2},
                                    (weft_model_desc){.pins = &pin, .pin_count = 1}));
}

static void a_warning_reaches_who_listens_on_the_thread_that_called(void **state) {
  (void)state;
  heard h = {.count = 0};
  weft_log_set(hear, &h, WEFT_LOG_WARNING);
  make_stuck_model();
  assert_int_equal(h.count, 1);
  assert_int_equal(h.levels[0], WEFT_LOG_WARNING);
  assert_non_null(strstr(h.lines[0], "pinned"));
  assert_true(pthread_equal(h.thread, pthread_self()));
  weft_log_set(hear, &h, WEFT_LOG_ERROR); /* a warning is more than is wanted */
  make_stuck_model();
  assert_int_equal(h.count, 1);
}

static void levels_go_from_grave_to_talkative(void **state) {
  (void)state;
  for (int up_to = WEFT_LOG_ERROR; up_to <= WEFT_LOG_DEBUG; ++up_to) {
    heard h = {.count = 0};
    weft_log_set(hear, &h, (weft_log_level)up_to);
    for (int level = WEFT_LOG_ERROR; level <= WEFT_LOG_DEBUG; ++level) {
      weft_log((weft_log_level)level, "%d", level);
    }
    assert_int_equal(h.count, up_to + 1);
    for (uint32_t k = 0; k < h.count; ++k) assert_int_equal(h.levels[k], k);
  }
}

/* By default, and after NULL, not a byte leaves the process. */
static void nothing_is_printed(void **state) {
  (void)state;
  FILE *caught = tmpfile();
  assert_non_null(caught);
  fflush(NULL);
  const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
  dup2(fileno(caught), STDOUT_FILENO);
  dup2(fileno(caught), STDERR_FILENO);
  make_stuck_model();
  weft_log_set(NULL, NULL, WEFT_LOG_DEBUG);
  weft_progress_set(NULL, NULL);
  make_stuck_model();
  weft_progress("nothing", 1, 2);
  fflush(NULL);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close(out);
  close(err);
  assert_int_equal(fseek(caught, 0, SEEK_END), 0);
  assert_int_equal(ftell(caught), 0);
  fclose(caught);
}

typedef struct reached {
  char what[32];
  uint64_t done, total;
} reached;

static void follow(const char *what, uint64_t done, uint64_t total, void *user) {
  reached *r = user;
  snprintf(r->what, sizeof r->what, "%s", what);
  r->done = done;
  r->total = total;
}

static void progress_is_told_and_ends(void **state) {
  (void)state;
  reached r = {.done = 9};
  weft_progress_set(follow, &r);
  weft_progress("dressing", 3, 8);
  assert_string_equal(r.what, "dressing");
  assert_true(r.done == 3 && r.total == 8);
  weft_progress_end();
  assert_string_equal(r.what, "");
  assert_true(r.done == 0 && r.total == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_printed), /* first: nobody listens yet */
      cmocka_unit_test(a_warning_reaches_who_listens_on_the_thread_that_called),
      cmocka_unit_test(levels_go_from_grave_to_talkative),
      cmocka_unit_test(progress_is_told_and_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
