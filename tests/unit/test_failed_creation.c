/* A solver that cannot be made leaves nothing behind, whichever step of making it fails. Blocks are
 * counted: the linker puts the functions below before the C library's (--wrap in CMakeLists.txt).
 */
#include "base.h"
#include "rig.h"
/* after rig.h */
#include "geodesic.h"

/* ---- blocks that were given and not taken back ---- */

static long blocks, given; /* live; ever given */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *p);

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  void *p = __real_calloc(count, size);
  blocks += p != NULL;
  given += p != NULL;
  return p;
}
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes) {
  void *p = __real_realloc(old, bytes);
  blocks += !old && p;
  given += p != NULL;
  return p;
}
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  void *p = __real_aligned_alloc(alignment, bytes);
  blocks += p != NULL;
  given += p != NULL;
  return p;
}
void __wrap_free(void *p);
void __wrap_free(void *p) {
  blocks -= p != NULL;
  __real_free(p);
}

/* ---- the reference, with one step of creation that fails ---- */

typedef enum step { TABLES, CREATE, PLAN, NOTHING } step;

static struct {
  step fails;
  int created, destroyed;
  long given_then; /* when it failed */
} seen;

static weft_result fail_now(const char *sentence, weft_error *err) {
  seen.given_then = given;
  return weft_fail(err, WEFT_ERROR_LIMIT, "%s", sentence);
}

static weft_result make_contents(const weft_model *model, const weft_params *params,
                                 weft_contents *contents, weft_error *err) {
  if (seen.fails == TABLES) return fail_now("no tables", err);
  return weft_solver_contents(model, params, contents, err);
}

static weft_result create(const weft_backend *backend, weft_contents *contents, uint32_t guard,
                          void **instance, weft_error *err) {
  (void)backend;
  if (seen.fails == CREATE) return fail_now("no instance", err);
  seen.created++;
  return weft_backend_ref()->create(weft_backend_ref(), contents, guard, instance, err);
}

static void destroy(void *instance) {
  seen.destroyed++;
  weft_backend_ref()->destroy(instance);
}

static weft_result plan(void *instance, weft_schedule asked, const weft_pass *passes, size_t count,
                        const weft_contents *contents, bool *single, weft_error *err) {
  (void)instance, (void)asked, (void)passes, (void)count, (void)contents, (void)single;
  return seen.fails == PLAN ? fail_now("no plan", err) : WEFT_OK;
}

static weft_result attempt(const weft_model *model, step fails, weft_solver **solver,
                           weft_error *err) {
  static const weft_collider_key keys[2] = {{.time = 0}, {.time = 1}};
  static const weft_collider ball = {
      .shape = WEFT_COLLIDER_SPHERE, .radius = 0.1f, .keys = keys, .key_count = 2};
  const weft_params params = {
      .plain = true, .multilevel = 2, .lra = 1, .colliders = &ball, .collider_count = 1};
  weft_backend backend = *weft_backend_ref();
  backend.contents = make_contents;
  backend.create = create;
  backend.destroy = destroy;
  backend.plan_single = plan;
  memset(&seen, 0, sizeof seen);
  seen.fails = fails;
  weft_result result = weft_solver_create(model, &params, &backend, solver, err);
  if (result != WEFT_OK) return result;
  weft_solver_destroy(*solver);
  *solver = NULL;
  return WEFT_OK;
}

static void what_was_made_before_a_failure_is_given_back(void **state) {
  (void)state;
  static const char *const sentences[] = {"no tables", "no instance", "no plan", ""};
  weft_grid_desc grid = {.rows = 12, .columns = 12};
  weft_model *model = rig_sheet(&grid, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
  weft_model_geodesics(model); /* which stay with it */
  for (int fails = TABLES; fails <= NOTHING; ++fails) {
    long before = blocks;
    weft_solver *solver = (weft_solver *)&seen;
    weft_error err = {0};
    weft_result wanted = fails == NOTHING ? WEFT_OK : WEFT_ERROR_LIMIT;
    assert_int_equal(attempt(model, (step)fails, &solver, &err), wanted);
    assert_null(solver);
    assert_string_equal(err.message, sentences[fails]);
    assert_int_equal(blocks, before);
    if (fails != NOTHING) assert_int_equal(given, seen.given_then); /* it left at once */
    assert_int_equal(seen.created, fails > CREATE);
    assert_int_equal(seen.destroyed, seen.created);
  }
  weft_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_made_before_a_failure_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
