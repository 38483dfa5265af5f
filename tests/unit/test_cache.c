#define _POSIX_C_SOURCE 200809L
/* What is written frame by frame is read back by weft's own readers, and what a header says is held
 * against the length of the file. */
#include <dirent.h>
#include <strings.h>
#include <sys/stat.h>
#include <weft/cache.h>

#include "motion_rig.h"

/* ---- a quad and a triangle in centimetres, with a vertex of no face ---- */

enum { POINTS = 6, FRAMES = 5 };

static const char *const cloth_text =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0.5 0\nv 7 7 7\nf 1 2 3 4\nf 2 5 3\n";

static weft_source read_cloth(float scale) {
  write_text(in_folder("cloth.obj"), cloth_text);
  weft_source source;
  weft_import_desc desc = {.scale = scale};
  assert_int_equal(weft_source_read(in_folder("cloth.obj"), &desc, &source, NULL), WEFT_OK);
  return source;
}

/* Values whose last bits a rounding would lose. */
static weft_vec3 moved(const weft_source *source, uint32_t vertex, uint32_t frame) {
  weft_vec3 p = source->positions[vertex];
  p.x += 0.1f * (float)frame + 1e-7f * (float)vertex;
  p.y *= 1 + (float)frame / 3;
  p.z = frame == 2 ? -0.0f : (float)frame * 1.0000001f / 7;
  return p;
}

static weft_cache *begin(const weft_cache_desc *desc) {
  weft_cache *cache;
  weft_error err = {0};
  if (weft_cache_open(desc, &cache, &err) != WEFT_OK) fail_msg("%s", err.message);
  return cache;
}

static void put_frames(weft_cache *cache, const weft_source *source, uint32_t count) {
  for (uint32_t frame = 0; frame < count; ++frame) {
    weft_vec3 placed[POINTS];
    for (uint32_t v = 0; v < POINTS; ++v) placed[v] = moved(source, v, frame);
    assert_int_equal(weft_cache_frame(cache, placed, NULL), WEFT_OK);
  }
}

static void close_well(weft_cache *cache) {
  weft_error err = {0};
  if (weft_cache_close(cache, &err) != WEFT_OK) fail_msg("%s", err.message);
}

static uint32_t files_in_folder(void) {
  DIR *all = opendir(folder);
  uint32_t count = 0;
  while (readdir(all)) ++count;
  closedir(all);
  return count - 2;
}

/* ---- point caches ---- */

static void has_frames(const char *name, uint32_t count, double interval) {
  weft_motion_desc desc = {
      .mesh = in_folder("cloth.obj"),
      .motion = in_folder(name),
      .frames_per_second = strcasecmp(strchr(name, '.'), ".mdd") == 0 ? 0 : 1 / interval,
      .max_speed = 1e9};
  weft_source source = read_cloth(1);
  weft_motion *motion = load(&desc);
  assert_int_equal(weft_motion_describe(motion).frame_count, count);
  for (uint32_t frame = 0; frame < count; ++frame) {
    weft_vec3 found[POINTS];
    const double seconds = weft_motion_frame_seconds(motion, frame);
    assert_true(fabs(seconds - frame * interval) < 1e-7);
    at(motion, seconds, found);
    for (uint32_t v = 0; v < POINTS; ++v) {
      weft_vec3 wanted = moved(&source, v, frame);
      assert_memory_equal(&found[v], &wanted, sizeof wanted);
    }
  }
  weft_motion_free(motion);
  weft_source_free(&source);
}

static void point_caches_are_read_back_to_the_bit(void **state) {
  (void)state;
  static const char *const names[] = {"cloth.pc2", "cloth.MDD", "cloth.mdd"};
  weft_source source = read_cloth(1);
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    weft_cache_desc desc = {.path = in_folder(names[k]),
                            .source = &source,
                            .frame_seconds = 0.04,
                            .frame_count = FRAMES};
    weft_cache *cache = begin(&desc);
    put_frames(cache, &source, FRAMES);
    close_well(cache);
    has_frames(names[k], FRAMES, 0.04);
  }
  weft_source_free(&source);
}

/* As many frames in the header and the file as came, and not as were announced. */
static void a_run_that_stops_early_leaves_whole_caches(void **state) {
  (void)state;
  static const char *const names[] = {"short.pc2", "short.mdd"};
  weft_source source = read_cloth(1);
  for (size_t k = 0; k < 2; ++k) {
    for (uint32_t came = 1; came <= FRAMES; ++came) {
      weft_cache_desc desc = {.path = in_folder(names[k]), .source = &source, .frame_count = 30000};
      weft_cache *cache = begin(&desc);
      put_frames(cache, &source, came);
      close_well(cache);
      struct stat info;
      assert_int_equal(stat(in_folder(names[k]), &info), 0);
      assert_int_equal(info.st_size, (k == 0 ? 32u : 8u + 4u * came) + 12u * POINTS * came);
      has_frames(names[k], came, 1.0 / 60);
    }
  }
  weft_source_free(&source);
}

/* ---- files appear whole or not at all ---- */

static void an_older_file_stays_until_the_new_one_is_whole(void **state) {
  (void)state;
  weft_source source = read_cloth(1);
  const char *path = in_folder("old.pc2");
  for (int ending = 0; ending < 2; ++ending) { /* given up, and closed without a frame */
    write_text(path, "what was there");
    const uint32_t files = files_in_folder();
    weft_cache_desc desc = {.path = path, .source = &source, .frame_count = FRAMES};
    weft_cache *cache = begin(&desc);
    assert_int_equal(files_in_folder(), files + 1);
    if (ending == 0) {
      put_frames(cache, &source, 2);
      weft_cache_abandon(cache);
    } else {
      assert_int_equal(weft_cache_close(cache, NULL), WEFT_ERROR_ARGUMENT);
    }
    assert_int_equal(files_in_folder(), files);
    char text[20] = "";
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(text, 1, sizeof text, file), 14);
    fclose(file);
    assert_string_equal(text, "what was there");
  }
  weft_source_free(&source);
}

/* ---- refusals ---- */

static void refuses(const weft_cache_desc *desc, weft_result code, const char *words) {
  weft_cache *cache = (weft_cache *)&code;
  weft_error err = {0};
  assert_int_equal(weft_cache_open(desc, &cache, &err), code);
  assert_null(cache);
  if (!strstr(err.message, words)) fail_msg("\"%s\" lacks \"%s\"", err.message, words);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  weft_source source = read_cloth(1);
  weft_cache_desc desc = {.path = in_folder("x.pc2"), .source = &source, .frame_count = 2};
  weft_cache_desc other = desc;
  other.path = in_folder("x.stl");
  refuses(&other, WEFT_ERROR_ARGUMENT, "x.stl: its ending is of no format");
  other.path = "/no/such/folder/x.pc2";
  refuses(&other, WEFT_ERROR_FILE, "/no/such/folder/x.pc2: cannot write");
  other = desc;
  other.frame_seconds = (double)NAN;
  refuses(&other, WEFT_ERROR_ARGUMENT, "frames of nan s");
  other = desc;
  other.path = "-";
  other.format = weft_cache_format_of("x.pc2");
  refuses(&other, WEFT_ERROR_ARGUMENT, "standard output: PC2");
  const uint32_t links[2] = {0, 6};
  other = desc;
  other.links = links;
  other.link_count = 1;
  refuses(&other, WEFT_ERROR_ARGUMENT, "names vertex 6, and there are 6");
  other.links = NULL;
  refuses(&other, WEFT_ERROR_ARGUMENT, "links");
  weft_source_free(&source);
}

static void frames_that_make_no_sense_are_refused(void **state) {
  (void)state;
  weft_source source = read_cloth(1);
  weft_cache_desc desc = {.path = in_folder("y.pc2"), .source = &source, .frame_count = 2};
  weft_vec3 placed[POINTS] = {{0, 0, 0}};
  weft_cache *cache = begin(&desc);
  weft_error err = {0};
  placed[3].y = NAN;
  assert_int_equal(weft_cache_frame(cache, placed, &err), WEFT_ERROR_NOT_FINITE);
  assert_non_null(strstr(err.message, "vertex 3 is not finite"));
  put_frames(cache, &source, 2);
  placed[3].y = 0;
  assert_int_equal(weft_cache_frame(cache, placed, &err), WEFT_ERROR_ARGUMENT);
  assert_non_null(strstr(err.message, "more than the 2 frames"));
  assert_int_equal(weft_cache_frame(cache, NULL, &err), WEFT_ERROR_ARGUMENT);
  close_well(cache);
  desc.path = in_folder("cloth.obj");
  has_frames("y.pc2", 2, 1.0 / 60);
  assert_int_equal(weft_cache_open(NULL, &cache, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_cache_open(&desc, NULL, NULL), WEFT_ERROR_ARGUMENT);
  assert_int_equal(weft_cache_close(NULL, NULL), WEFT_ERROR_ARGUMENT);
  weft_cache_abandon(NULL);
  weft_source_free(&source);
}

static void a_full_disk_is_told_at_once(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0) skip();
  weft_source source = read_cloth(1);
  weft_cache_desc desc = {.path = "/dev/full", .source = &source, .frame_count = 100000};
  desc.format = weft_cache_format_of(".mdd");
  weft_cache *cache;
  weft_error err = {0};
  weft_result result = weft_cache_open(&desc, &cache, &err);
  weft_vec3 placed[POINTS] = {{0, 0, 0}};
  for (uint32_t k = 0; k < 1000 && result == WEFT_OK; ++k) {
    result = weft_cache_frame(cache, placed, &err);
  }
  assert_int_equal(result, WEFT_ERROR_FILE);
  if (!strstr(err.message, "/dev/full: cannot write: No space left")) fail_msg("%s", err.message);
  weft_cache_abandon(cache);
  weft_source_free(&source);
}

static void formats_are_found_by_their_endings(void **state) {
  (void)state;
  for (uint32_t k = 0; weft_cache_format_at(k); ++k) {
    const weft_cache_format *format = weft_cache_format_at(k);
    char name[40];
    snprintf(name, sizeof name, "a.b/c%s", format->ending);
    assert_ptr_equal(weft_cache_format_of(name), format);
  }
  assert_ptr_equal(weft_cache_format_of("x.PC2"), weft_cache_format_of("y.pc2"));
  assert_null(weft_cache_format_of("a.pc2/b"));
  assert_null(weft_cache_format_of("pc2"));
  assert_null(weft_cache_format_of(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(point_caches_are_read_back_to_the_bit),
      cmocka_unit_test(a_run_that_stops_early_leaves_whole_caches),
      cmocka_unit_test(an_older_file_stays_until_the_new_one_is_whole),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(frames_that_make_no_sense_are_refused),
      cmocka_unit_test(a_full_disk_is_told_at_once),
      cmocka_unit_test(formats_are_found_by_their_endings),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
