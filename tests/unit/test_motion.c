/* Point caches and OBJ sequences that the test has written: read back exactly, between frames in
 * straight lines, and refused in a sentence where they are broken. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>

#include "motion_rig.h"

/* ---- a body of two triangles that moves ---- */

enum { POINTS = 5, FRAMES = 4 };

/* Vertex 4 is named by no triangle, and 1 and 3 lie at one place: both have to stay. */
static const char *const body_text =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 0 0\nv 2 2 2\nf 1 2 3\nf 4 1 3\n";

static weft_vec3 moved(uint32_t vertex, uint32_t frame) {
  static const weft_vec3 rest[POINTS] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 0}, {2, 2, 2}};
  float t = (float)frame * 0.1f;
  weft_vec3 p = rest[vertex];
  p.x += t * (float)vertex * 0.37f;
  p.y -= t * t;
  p.z += vertex == 2 && frame == 3 ? 0.5f : 0;
  return p;
}

static void put_frames(bytes *b, uint32_t count, bool big_endian) {
  for (uint32_t frame = 0; frame < count; ++frame) {
    for (uint32_t v = 0; v < POINTS; ++v) {
      weft_vec3 p = moved(v, frame);
      put_float(b, p.x, big_endian), put_float(b, p.y, big_endian), put_float(b, p.z, big_endian);
    }
  }
}

static void make_pc2(bytes *b, uint32_t version, uint32_t points, float rate, uint32_t samples) {
  memcpy(b->data, "POINTCACHE2", 12);
  b->count = 12;
  put_uint(b, version, false);
  put_uint(b, points, false);
  put_float(b, 17, false);
  put_float(b, rate, false);
  put_uint(b, samples, false);
  put_frames(b, FRAMES, false);
}

static const float mdd_times[FRAMES] = {2, 2.125f, 2.5f, 3};

static void make_mdd(bytes *b, bool big_endian) {
  b->count = 0;
  put_uint(b, FRAMES, big_endian);
  put_uint(b, POINTS, big_endian);
  for (int k = 0; k < FRAMES; ++k) put_float(b, mdd_times[k], big_endian);
  put_frames(b, FRAMES, big_endian);
}

static weft_motion_desc cache_desc(const char *name) {
  write_text(in_folder("body.obj"), body_text);
  return (weft_motion_desc){.mesh = in_folder("body.obj"), .motion = in_folder(name)};
}

/* Bit for bit at the frames, and with whatever was asked for before. */
static void has_frames(weft_motion *motion, const double *seconds) {
  static const uint32_t order[] = {0, 1, 2, 3, 0, 3, 2, 0, 1};
  assert_int_equal(weft_motion_describe(motion).frame_count, FRAMES);
  for (size_t k = 0; k < sizeof order / sizeof *order; ++k) {
    uint32_t frame = order[k];
    weft_vec3 p[POINTS];
    assert_true(fabs(weft_motion_frame_seconds(motion, frame) - seconds[frame]) < 1e-12);
    at(motion, weft_motion_frame_seconds(motion, frame), p);
    for (uint32_t v = 0; v < POINTS; ++v) {
      weft_vec3 wanted = moved(v, frame);
      assert_memory_equal(&p[v], &wanted, sizeof wanted);
    }
  }
}

static void is_between(weft_motion *motion, uint32_t frame, double part) {
  double a = weft_motion_frame_seconds(motion, frame),
         b = weft_motion_frame_seconds(motion, frame + 1);
  weft_vec3 p[POINTS];
  at(motion, a + part * (b - a), p);
  for (uint32_t v = 0; v < POINTS; ++v) {
    weft_vec3 from = moved(v, frame), to = moved(v, frame + 1);
    near_point(p[v], (1 - part) * (double)from.x + part * (double)to.x,
               (1 - part) * (double)from.y + part * (double)to.y,
               (1 - part) * (double)from.z + part * (double)to.z, 2e-7);
  }
}

static void rests_outside(weft_motion *motion) {
  weft_vec3 p[POINTS], first = moved(2, 0), last = moved(2, FRAMES - 1);
  at(motion, -3, p);
  assert_memory_equal(&p[2], &first, sizeof first);
  at(motion, 1e6, p);
  assert_memory_equal(&p[2], &last, sizeof last);
  assert_int_equal(weft_motion_at(motion, (double)NAN, p, NULL), WEFT_ERROR_ARGUMENT);
}

/* ---- what is read ---- */

static void a_pc2_is_read_back_exactly(void **state) {
  (void)state;
  static bytes b;
  make_pc2(&b, 1, POINTS, 0.5f, FRAMES);
  write_bytes(in_folder("body.pc2"), b.data, b.count);
  weft_motion_desc desc = cache_desc("body.pc2");
  desc.frames_per_second = 25;
  weft_motion *motion = load(&desc);
  const weft_mesh *mesh = weft_motion_mesh(motion);
  assert_int_equal(mesh->vertex_count, POINTS);
  assert_int_equal(mesh->triangle_count, 2);
  const uint32_t triangles[6] = {0, 1, 2, 3, 0, 2};
  assert_memory_equal(mesh->triangles, triangles, sizeof triangles);
  has_frames(motion, (double[]){0, 0.02, 0.04, 0.06});
  for (uint32_t frame = 0; frame + 1 < FRAMES; ++frame) is_between(motion, frame, 0.3);
  rests_outside(motion);
  weft_motion_free(motion);
}

static void the_default_is_60_frames_a_second(void **state) {
  (void)state;
  static bytes b;
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  write_bytes(in_folder("body.pc2"), b.data, b.count);
  weft_motion_desc desc = cache_desc("body.pc2");
  weft_motion *motion = load(&desc);
  assert_true(fabs(weft_motion_duration(motion) - 3.0 / 60) < 1e-12);
  weft_motion_free(motion);
}

static void an_mdd_is_read_in_both_byte_orders(void **state) {
  (void)state;
  static bytes b;
  for (int big_endian = 0; big_endian < 2; ++big_endian) {
    make_mdd(&b, big_endian);
    write_bytes(in_folder("body.mdd"), b.data, b.count);
    weft_motion_desc desc = cache_desc("body.mdd");
    weft_motion *motion = load(&desc);
    has_frames(motion, (double[]){0, 0.125, 0.5, 1});
    is_between(motion, 1, 0.75);
    rests_outside(motion);
    weft_motion_free(motion);
  }
}

/* The vertex that is fastest is 4 at 0.1 * 4 * 0.37 m and 0.09 m * 0.09 m, but for the lift of 2.
 */
static void the_fastest_vertex_is_named(void **state) {
  (void)state;
  static bytes b;
  make_mdd(&b, true);
  write_bytes(in_folder("body.mdd"), b.data, b.count);
  weft_motion_desc desc = cache_desc("body.mdd");
  weft_motion *motion = load(&desc);
  weft_motion_info info = weft_motion_describe(motion);
  double first = hypot(0.1 * 4 * 0.37, 0.01) / 0.125; /* m/s */
  double lift = sqrt(0.5 * 0.5 + pow(0.1 * 2 * 0.37, 2) + pow(0.09 - 0.04, 2)) / 0.5;
  assert_true(first > lift);
  assert_int_equal(info.fastest_vertex, 4);
  assert_int_equal(info.fastest_frame, 0);
  assert_true(fabs(info.fastest_speed - first) < 1e-5);
  assert_true(fabs(info.fastest_step - first * 0.125) < 1e-6);
  assert_true(info.fastest_seconds == 0);
  near_point(info.box_min, 0, -0.09, 0, 1e-6);
  near_point(info.box_max, 2 + 0.3 * 4 * 0.37, 2, 2, 1e-6);
  weft_motion_free(motion);
}

static void scale_multiplies_mesh_and_frames(void **state) {
  (void)state;
  static bytes b;
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  write_bytes(in_folder("body.pc2"), b.data, b.count);
  weft_motion_desc desc = cache_desc("body.pc2");
  desc.scale = 0.25f;
  weft_motion *motion = load(&desc);
  weft_vec3 p[POINTS], wanted = moved(2, 3);
  assert_true(weft_motion_describe(motion).rest_distance == 0);
  at(motion, 1, p);
  near_point(p[2], 0.25 * (double)wanted.x, 0.25 * (double)wanted.y, 0.25 * (double)wanted.z, 1e-7);
  weft_motion_free(motion);
}

/* ---- sequences ---- */

static void write_frame(uint32_t number, uint32_t frame, uint32_t vertices, const char *faces) {
  char name[64], text[1000];
  int n = 0;
  for (uint32_t v = 0; v < vertices; ++v) {
    weft_vec3 p = moved(v, frame);
    n += snprintf(text + n, sizeof text - (size_t)n, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y,
                  (double)p.z);
  }
  snprintf(text + n, sizeof text - (size_t)n, "%s", faces);
  snprintf(name, sizeof name, "walk-%04u.obj", number);
  write_text(in_folder(name), text);
}

static const char *const two_faces = "f 1 2 3\nf 4 1 3\n";

static void write_sequence(void) {
  for (uint32_t k = 0; k < FRAMES; ++k) write_frame(8 + k, k, POINTS, two_faces);
}

static void a_sequence_begins_and_ends_where_its_files_do(void **state) {
  (void)state;
  write_sequence();
  write_text(in_folder("walk-12.obj"), "no frame: too few digits");
  write_text(in_folder("walk-00013.obj"), "no frame: too many");
  write_text(in_folder("walk-0014.obj.bak"), "no frame: another ending");
  weft_motion_desc desc = {.motion = in_folder("walk-%04d.obj"), .frames_per_second = 10};
  weft_motion *motion = load(&desc);
  assert_int_equal(weft_motion_mesh(motion)->vertex_count, POINTS);
  has_frames(motion, (double[]){0, 0.1, 0.2, 0.3});
  is_between(motion, 2, 0.5);
  rests_outside(motion);
  weft_motion_free(motion);
}

static void a_sequence_that_is_broken_is_refused_by_its_file(void **state) {
  (void)state;
  weft_motion_desc desc = {.motion = in_folder("walk-%04d.obj")};
  write_sequence();
  write_frame(10, 2, POINTS - 1, two_faces);
  refused(&desc, WEFT_ERROR_FORMAT, "walk-0010.obj: it has 4 vertices, and the first frame has 5");
  write_frame(10, 2, POINTS, "f 1 2 3 4\n");
  refused(&desc, WEFT_ERROR_FORMAT, "walk-0010.obj: its faces are not those");
  write_frame(10, 2, POINTS, "f 1 2 3\nf 4 1 2\n");
  refused(&desc, WEFT_ERROR_FORMAT, "walk-0010.obj: its faces are not those");
  write_text(in_folder("walk-0010.obj"), "v 0 0 0\nv nan 0 0\n");
  refused(&desc, WEFT_ERROR_FORMAT, "walk-0010.obj:2: 'nan' is not a number");
  unlink(in_folder("walk-0010.obj"));
  refused(&desc, WEFT_ERROR_FILE, "walk-0010.obj is missing: the sequence goes on with");
  desc.motion = in_folder("run-%d.obj");
  refused(&desc, WEFT_ERROR_FILE, "no file has a name like this");
  desc.motion = "/no/such/folder/run-%d.obj";
  refused(&desc, WEFT_ERROR_FILE, "cannot read its folder");
  static const char *const patterns[] = {"a-%s.obj", "a-%4d.obj",      "a-%d-%d.obj", "a-%04u.obj",
                                         "%d/a.obj", "a-%012345d.obj", "a%",          "a%0"};
  for (size_t k = 0; k < sizeof patterns / sizeof *patterns; ++k) {
    desc.motion = patterns[k];
    refused(&desc, WEFT_ERROR_ARGUMENT, "written %d or %04d, once");
  }
  desc.motion = "a-%d.ply";
  refused(&desc, WEFT_ERROR_ARGUMENT, "are .obj");
}

static void a_sequence_that_changes_while_used_is_refused(void **state) {
  (void)state;
  write_sequence();
  weft_motion_desc desc = {.motion = in_folder("walk-%04d.obj"), .frames_per_second = 10};
  weft_motion *motion = load(&desc);
  unlink(in_folder("walk-0008.obj"));
  weft_vec3 p[POINTS];
  weft_error err = {0};
  assert_int_equal(weft_motion_at(motion, 0, p, &err), WEFT_ERROR_FILE);
  assert_non_null(strstr(err.message, "walk-0008.obj"));
  write_sequence();
  has_frames(motion, (double[]){0, 0.1, 0.2, 0.3});
  weft_motion_free(motion);
}

/* ---- broken caches ---- */

static void refuse_bytes(const char *name, const bytes *b, const char *words) {
  write_bytes(in_folder(name), b->data, b->count);
  weft_motion_desc desc = cache_desc(name);
  refused(&desc, WEFT_ERROR_FORMAT, words);
}

static void overwrite(bytes *b, size_t offset, uint32_t value, bool big_endian) {
  size_t count = b->count;
  b->count = offset;
  put_uint(b, value, big_endian);
  b->count = count;
}

static void a_pc2_that_is_broken_is_refused(void **state) {
  (void)state;
  static bytes b;
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  b.count = 31;
  refuse_bytes("body.pc2", &b, "31 bytes; the header of a PC2 alone has 32");
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  b.count -= 1;
  refuse_bytes("body.pc2", &b, "take 272 bytes, and the file has 271; it was cut short");
  b.count += 2;
  refuse_bytes("body.pc2", &b, "is longer than its header says");
  make_pc2(&b, 2, POINTS, 1, FRAMES);
  refuse_bytes("body.pc2", &b, "PC2 of version 2; version 1 is read");
  make_pc2(&b, 1, 0xffffffff, 1, 0xffffffff);
  refuse_bytes("body.pc2", &b, "counts 4294967295 points and 4294967295 frames");
  make_pc2(&b, 1, 0, 1, FRAMES);
  refuse_bytes("body.pc2", &b, "counts 0 points");
  make_pc2(&b, 1, POINTS - 1, 1, POINTS); /* as many bytes */
  refuse_bytes("body.pc2", &b, "4 points, and");
  make_pc2(&b, 1, POINTS, (float)NAN, FRAMES);
  refuse_bytes("body.pc2", &b, "nan frames a sample");
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  overwrite(&b, 32 + 12 * (2 * POINTS + 3) + 4, 0x7fc00000, false); /* NaN: frame 2, vertex 3 */
  refuse_bytes("body.pc2", &b, "frame 2: vertex 3 is not finite");
  overwrite(&b, 32 + 12 * (2 * POINTS + 3) + 4, 0x7f800000, false); /* infinite */
  refuse_bytes("body.pc2", &b, "frame 2: vertex 3 is not finite");
  overwrite(&b, 32 + 12 * (2 * POINTS + 3) + 4, 0x42c80000, false); /* 100 m */
  refuse_bytes("body.pc2", &b, "vertex 3 jumps 100 m from frame 1 to 2");
  b.data[0] = 'Q';
  refuse_bytes("body.pc2", &b, "does not begin with POINTCACHE2");
}

static void an_mdd_that_is_broken_is_refused(void **state) {
  (void)state;
  static bytes b;
  make_mdd(&b, true);
  b.count = 7;
  refuse_bytes("body.mdd", &b, "7 bytes; the header of an MDD alone has 8");
  make_mdd(&b, true);
  b.count -= 12;
  refuse_bytes("body.mdd", &b, "counts 5 points and 4 frames, which take 264 bytes");
  make_mdd(&b, true);
  overwrite(&b, 0, 0x40000000, true);
  refuse_bytes("body.mdd", &b, "counts 5 points and 1073741824 frames");
  make_mdd(&b, true);
  overwrite(&b, 8 + 4, 0x40000000, true); /* 2 s, as the frame before */
  refuse_bytes("body.mdd", &b, "frame 1 is at 2 s (byte 12); times are finite and ascend");
  overwrite(&b, 8 + 4, 0x7fc00000, true);
  refuse_bytes("body.mdd", &b, "frame 1 is at nan s");
}

/* As many points, but those of something else: a corner is metres away from its neighbours. */
static void a_cache_of_another_mesh_is_refused(void **state) {
  (void)state;
  static bytes b;
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  for (size_t frame = 0; frame < FRAMES; ++frame) {
    overwrite(&b, 32 + 12 * POINTS * frame, 0x41200000, false); /* vertex 0: x = 10 m */
  }
  refuse_bytes("body.pc2", &b, "frame 0 makes the edges of");
}

/* The body stands 10 m to the side: said, not refused. */
static void a_cache_that_starts_elsewhere_is_measured(void **state) {
  (void)state;
  static bytes b;
  make_pc2(&b, 1, POINTS, 1, FRAMES);
  write_bytes(in_folder("body.pc2"), b.data, b.count);
  write_text(in_folder("far.obj"),
             "v 10 0 0\nv 11 0 0\nv 11 1 0\nv 11 0 0\nv 12 2 2\nf 1 2 3\nf 4 1 3\n");
  weft_motion_desc desc = {.mesh = in_folder("far.obj"), .motion = in_folder("body.pc2")};
  weft_motion *motion = load(&desc);
  assert_true(fabs(weft_motion_describe(motion).rest_distance - 10) < 1e-6);
  weft_vec3 wanted = moved(1, 0);
  assert_memory_equal(&weft_motion_mesh(motion)->positions[1], &wanted, sizeof wanted);
  weft_motion_free(motion);
}

/* ---- descriptors ---- */

static void what_has_no_use_is_refused(void **state) {
  (void)state;
  static bytes b;
  make_mdd(&b, true);
  write_bytes(in_folder("body.mdd"), b.data, b.count);
  write_sequence();
  weft_motion_desc desc = cache_desc("body.mdd");
  desc.frames_per_second = 30;
  refused(&desc, WEFT_ERROR_ARGUMENT, "a time for each frame");
  desc.frames_per_second = 0, desc.animation = "walk";
  refused(&desc, WEFT_ERROR_ARGUMENT, "no animations to choose from");
  desc.animation = NULL, desc.mesh = NULL;
  refused(&desc, WEFT_ERROR_ARGUMENT, "moves a mesh, and none is named");
  desc = (weft_motion_desc){.motion = in_folder("walk-%04d.obj"), .mesh = in_folder("body.obj")};
  refused(&desc, WEFT_ERROR_ARGUMENT, "brings its mesh");
  desc.mesh = NULL, desc.frames_per_second = (double)NAN;
  refused(&desc, WEFT_ERROR_ARGUMENT, "frames a second");
  desc.frames_per_second = 0, desc.scale = -1;
  refused(&desc, WEFT_ERROR_ARGUMENT, "scale");
  desc.scale = 0, desc.max_speed = -1;
  refused(&desc, WEFT_ERROR_ARGUMENT, "maximum speed");
  desc.max_speed = 1;
  refused(&desc, WEFT_ERROR_FORMAT, "at most 1");
  desc.max_speed = 0, desc.motion = "walk.fbx";
  refused(&desc, WEFT_ERROR_ARGUMENT, "walk.fbx: not a motion that weft reads");
  desc = cache_desc("absent.pc2");
  refused(&desc, WEFT_ERROR_FILE, "absent.pc2: cannot read");
  desc.mesh = in_folder("absent.obj");
  refused(&desc, WEFT_ERROR_FILE, "absent.obj: cannot read");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pc2_is_read_back_exactly),
      cmocka_unit_test(the_default_is_60_frames_a_second),
      cmocka_unit_test(an_mdd_is_read_in_both_byte_orders),
      cmocka_unit_test(the_fastest_vertex_is_named),
      cmocka_unit_test(scale_multiplies_mesh_and_frames),
      cmocka_unit_test(a_sequence_begins_and_ends_where_its_files_do),
      cmocka_unit_test(a_sequence_that_is_broken_is_refused_by_its_file),
      cmocka_unit_test(a_sequence_that_changes_while_used_is_refused),
      cmocka_unit_test(a_pc2_that_is_broken_is_refused),
      cmocka_unit_test(an_mdd_that_is_broken_is_refused),
      cmocka_unit_test(a_cache_of_another_mesh_is_refused),
      cmocka_unit_test(a_cache_that_starts_elsewhere_is_measured),
      cmocka_unit_test(what_has_no_use_is_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
