/* Memory that runs out: outside of the library's functions the last resort hears of it with the
 * size, once, on the thread that asked, and without one the process ends with a sentence. Under a
 * limit the library answers an error, and goes on. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base.h"
#include "ranges.h"
#include "rig.h"

/* The sanitizer's own malloc shall fail like others do. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

/* More than any machine has, and less than what count times size may be. */
static const size_t too_much = SIZE_MAX / 4;
/* Times 8 it is 8. */
static const size_t wraps = SIZE_MAX / 8 + 2;

/* ---- a program that goes on ---- */

typedef struct program {
  jmp_buf back;
  size_t bytes;
  int calls;
  pthread_t thread;
} program;

static void leave(size_t bytes, void *context) {
  program *p = context;
  p->bytes = bytes;
  p->calls++;
  p->thread = pthread_self();
  longjmp(p->back, 1);
}

static void ask(int how) {
  void *items = NULL;
  size_t capacity = 0;
  switch (how) {
    case 0:
      weft_alloc(1, too_much);
      break;
    case 1:
      weft_alloc(wraps, 8);
      break;
    case 2:
      weft_alloc_lines(too_much / 8, 8);
      break;
    case 3:
      weft_alloc_lines(wraps, 8);
      break;
    case 4:
      weft_alloc_lines(1, SIZE_MAX - 8);
      break;
    case 5:
      items = weft_realloc(NULL, too_much / 4, 4);
      break;
    case 6:
      items = weft_realloc(NULL, wraps, 8);
      break;
    case 7:
      weft_grow(&items, &capacity, too_much, 16);
      break;
    case 8:
      weft_grow(&items, &capacity, SIZE_MAX, 1);
      break;
  }
  fail_msg("case %d got memory that no machine has", how);
}

static void the_handler_hears_the_size_and_may_leave(void **state) {
  (void)state;
  const size_t expected[] = {too_much,         SIZE_MAX, too_much / 8 * 8, SIZE_MAX, SIZE_MAX - 8,
                             too_much / 4 * 4, SIZE_MAX, SIZE_MAX,         SIZE_MAX};
  for (volatile int how = 0; how < 9; ++how) {
    program p = {.calls = 0};
    weft_memory_set_last_resort(leave, &p);
    if (setjmp(p.back) == 0) ask(how);
    if (p.bytes != expected[how]) {
      fail_msg("case %d: %zu bytes instead of %zu", how, p.bytes, expected[how]);
    }
    assert_int_equal(p.calls, 1);
  }
  weft_memory_set_last_resort(NULL, NULL);
}

/* ---- several threads ---- */

static atomic_int ended;

static void work_or_ask(void *context, uint32_t part, size_t first, size_t end) {
  (void)first, (void)end;
  const uint32_t *asks = context;
  for (int k = 0; asks[k] < WEFT_RANGES_MAX; ++k) {
    if (part == asks[k]) weft_alloc(1, too_much + part);
  }
  usleep(20000);
  ended++;
}

/* Whichever thread met it, the caller's is told, and when all the others have ended. */
static void threads_hand_it_to_the_caller(void **state) {
  (void)state;
  enum { PARTS = 4, NONE = WEFT_RANGES_MAX };
  const uint32_t asks[][3] = {{0, NONE}, {1, NONE}, {PARTS - 1, NONE}, {0, 2, NONE}};
  const int others[] = {3, 3, 3, 2};
  for (volatile int k = 0; k < 4; ++k) {
    program p = {.calls = 0};
    ended = 0;
    weft_memory_set_last_resort(leave, &p);
    if (setjmp(p.back) == 0) {
      weft_ranges_run(PARTS, PARTS, work_or_ask, (void *)(uintptr_t)asks[k]);
      fail_msg("case %d: nobody heard of it", k);
    }
    assert_int_equal(p.calls, 1);
    assert_true(pthread_equal(p.thread, pthread_self()));
    assert_true(p.bytes == too_much + asks[k][0]);
    assert_int_equal(ended, others[k]);
  }
  weft_memory_set_last_resort(NULL, NULL);
}

/* ---- a process that ends ---- */

static void returns(size_t bytes, void *context) {
  (void)bytes;
  (*(int *)context)++;
}

/* What a child of this process says on stderr before it ends; returns how it ended. */
static int last_words(weft_out_of_memory handler, void *context, char *text, size_t size) {
  int ends[2], status = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    weft_memory_set_last_resort(handler, context);
    weft_alloc(1, too_much);
    _exit(0);
  }
  close(ends[1]);
  ssize_t length = read(ends[0], text, size - 1);
  text[length > 0 ? length : 0] = 0;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void without_a_handler_or_after_it_the_process_ends_with_a_sentence(void **state) {
  (void)state;
  int calls = 0;
  for (int k = 0; k < 2; ++k) {
    char text[400], wanted[100];
    int status = last_words(k ? returns : NULL, &calls, text, sizeof text);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    char digits[32];
    weft_group_digits(digits, too_much);
    snprintf(wanted, sizeof wanted, "weft: out of memory: %s more bytes could not be had\n",
             digits);
    if (!strstr(text, wanted)) fail_msg("it said \"%s\"", text);
  }
}

/* ---- the library under a limit ---- */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static size_t address_space(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu", &pages) != 1) fail_msg("/proc/self/statm cannot be read");
  fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static weft_result make_and_step(const weft_grid_desc *grid, const weft_params *params,
                                 weft_error *err) {
  const weft_pin pin = {.rule = WEFT_PIN_CORNERS};
  weft_mesh mesh;
  weft_model *model = NULL;
  weft_solver *solver = NULL;
  weft_result result = weft_mesh_grid(grid, &mesh, err);
  const weft_model_desc desc = {.mesh = &mesh, .pins = &pin, .pin_count = 1};
  if (result == WEFT_OK) result = weft_model_create(&desc, &model, err);
  if (result == WEFT_OK) {
    result = weft_solver_create(model, params, weft_backend_cpu(2), &solver, err);
  }
  if (result == WEFT_OK) result = weft_solver_step(solver, err);
  weft_solver_destroy(solver);
  weft_model_destroy(model);
  weft_mesh_free(&mesh);
  return result;
}

/* A solver of 100,000 particles, wherever memory ends: a little further each time. */
static void a_program_goes_on_after_any_call_that_ran_out(void **state) {
  (void)state;
#ifdef SANITIZED
  skip(); /* the sanitizer reserves more than any limit */
#endif
  const weft_grid_desc large = {.rows = 320, .columns = 320}, small = {.rows = 8, .columns = 8};
  const weft_params params = {.multilevel = 8, .line_sweeps = 1, .lra = 2};
  uint64_t sound = 0;
  for (size_t megabytes = 1; megabytes < 400; megabytes += 8 + megabytes / 4) {
    struct rlimit before;
    weft_error err = {0};
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit tight = {address_space() + (megabytes << 20), before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    const weft_result result = make_and_step(&large, &params, &err);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    if (result != WEFT_OK) {
      print_message("%zu MB: %s\n", megabytes, err.message);
      assert_int_equal(result, WEFT_ERROR_MEMORY);
    }
    assert_true(megabytes > 1 || result == WEFT_ERROR_MEMORY);
    weft_model *model =
        rig_sheet(&small, "tshirt", WEFT_BENDING_ISOMETRIC, false, WEFT_PIN_CORNERS);
    uint64_t hash = rig_hash_after(model, &params, weft_backend_cpu(2), 3);
    if (sound == 0) sound = hash;
    assert_true(hash == sound);
    weft_model_destroy(model);
  }
}

/* Memory that was in use before comes back as zeros, in arrays that end and begin on pages, inside
 * of them, and above and below the size from which pages are given back. */
static void lines_are_zero_whatever_was_there(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 4095, 1 << 16, (1 << 20) - 1, (1 << 20) + 4096, (3 << 20) + 1};
  for (size_t k = 0; k < 6 * sizeof sizes / sizeof *sizes; ++k) {
    size_t bytes = sizes[k % (sizeof sizes / sizeof *sizes)] + k * 64;
    unsigned char *before = weft_alloc_lines(bytes, 1);
    memset(before, 0xff, bytes);
    weft_free(before);
    unsigned char *p = weft_alloc_lines(bytes, 1);
    assert_int_equal((uintptr_t)p % WEFT_CACHE_LINE, 0);
    for (size_t i = 0; i < bytes; ++i) {
      if (p[i]) fail_msg("byte %zu of %zu is %u", i, bytes, p[i]);
    }
    weft_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_zero_whatever_was_there),
      cmocka_unit_test(the_handler_hears_the_size_and_may_leave),
      cmocka_unit_test(threads_hand_it_to_the_caller),
      cmocka_unit_test(without_a_handler_or_after_it_the_process_ends_with_a_sentence),
      cmocka_unit_test(a_program_goes_on_after_any_call_that_ran_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
