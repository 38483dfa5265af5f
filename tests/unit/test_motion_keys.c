/* Rigid motion by keys, against quaternions and turns computed here. */
#define _POSIX_C_SOURCE 200809L
#include "motion_rig.h"

enum { POINTS = 4 };
static const double pi = 3.14159265358979323846;
static const double rest[POINTS][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const char *const body_text = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\nf 1 3 4\n";

static weft_motion_desc keys_desc(const char *text) {
  write_text(in_folder("body.obj"), body_text);
  write_text(in_folder("keys.json"), text);
  return (weft_motion_desc){.mesh = in_folder("body.obj"), .motion = in_folder("keys.json")};
}

/* ---- quaternions as products, w first ---- */

typedef struct quat {
  double w, x, y, z;
} quat;

static quat times(quat a, quat b) {
  return (quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static quat inverse(quat a) { return (quat){a.w, -a.x, -a.y, -a.z}; }

/* The power of a unit quaternion: its angle times `part`. */
static quat power(quat a, double part) {
  double s = sqrt(a.x * a.x + a.y * a.y + a.z * a.z), half = part * atan2(s, a.w);
  double k = s > 0 ? sin(half) / s : 0;
  return (quat){cos(half), k * a.x, k * a.y, k * a.z};
}

/* From a to b: a (a^-1 b)^part. */
static quat between(quat a, quat b, double part) {
  quat change = times(inverse(a), b);
  if (change.w < 0) change = (quat){-change.w, -change.x, -change.y, -change.z};
  return times(a, power(change, part));
}

static void near_turned(const weft_vec3 *positions, quat q, const double *pivot,
                        const double *shift) {
  for (int v = 0; v < POINTS; ++v) {
    quat p = {0, rest[v][0] - pivot[0], rest[v][1] - pivot[1], rest[v][2] - pivot[2]};
    p = times(times(q, p), inverse(q));
    near_point(positions[v], p.x + pivot[0] + shift[0], p.y + pivot[1] + shift[1],
               p.z + pivot[2] + shift[2], 1e-6);
  }
}

/* ---- what is read ---- */

static void turns_between_quaternions_are_slerps(void **state) {
  (void)state;
  weft_motion_desc desc = keys_desc(
      "{\"pivot\": [0.5, 0, -1], \"keys\": ["
      "{\"time\": 3, \"rotation\": [0, 0, 0, 2]},"
      "{\"time\": 4, \"rotation\": [0.5, 0.5, -0.5, 0.5], \"translation\": [1, 2, 3]},"
      "{\"time\": 4.5, \"rotation\": [-0.1, 0.7, 0.1, -0.7], \"translation\": [1, 0, 3]}]}");
  weft_motion *motion = load(&desc);
  const double pivot[3] = {0.5, 0, -1};
  const quat keys[3] = {{1, 0, 0, 0}, {0.5, 0.5, 0.5, -0.5}, {-0.7, -0.1, 0.7, 0.1}};
  weft_vec3 p[POINTS];
  assert_true(weft_motion_duration(motion) == 1.5);
  for (double part = 0; part <= 1; part += 0.125) {
    at(motion, part, p);
    near_turned(p, between(keys[0], keys[1], part), pivot,
                (const double[]){part, 2 * part, 3 * part});
    at(motion, 1 + 0.5 * part, p);
    near_turned(p, between(keys[1], keys[2], part), pivot, (const double[]){1, 2 - 2 * part, 3});
  }
  weft_motion_free(motion);
}

/* A turntable: one axis, twice around in a second, which no quaternion could tell. */
static void turns_about_one_axis_go_all_the_way_round(void **state) {
  (void)state;
  weft_motion_desc desc = keys_desc(
      "{\"keys\": [{\"time\": 0, \"axis\": [0, 2, 0], \"angle\": 30},"
      "{\"time\": 1, \"axis\": [0, -1, 0], \"angle\": -750}]}");
  weft_motion *motion = load(&desc);
  weft_vec3 p[POINTS];
  for (double t = 0; t <= 1; t += 0.0625) {
    double half = (30 + 720 * t) * pi / 360;
    at(motion, t, p);
    near_turned(p, (quat){cos(half), 0, sin(half), 0}, (const double[]){0, 0, 0},
                (const double[]){0, 0, 0});
  }
  /* Vertex 3 is 3 m from the axis. Measured along the chord of a sixtieth. */
  weft_motion_info info = weft_motion_describe(motion);
  double chord = 2 * 3 * sin(4 * pi / 120) * 60;
  assert_int_equal(info.fastest_vertex, 3);
  assert_true(fabs(info.fastest_speed - chord) < 1e-3);
  weft_motion_free(motion);
}

/* A key that says nothing of a turn is at 0 about the axis of its neighbour: once around, and back.
 */
static void no_turn_is_about_any_axis(void **state) {
  (void)state;
  weft_motion_desc desc = keys_desc(
      "{\"keys\": [{\"time\": 0}, {\"time\": 1, \"axis\": [0, 0, 3], \"angle\": 360}, {\"time\": "
      "3}]}");
  weft_motion *motion = load(&desc);
  weft_vec3 p[POINTS];
  for (double t = 0; t <= 3; t += 0.125) {
    double half = (t < 1 ? t : (3 - t) / 2) * pi;
    at(motion, t, p);
    near_turned(p, (quat){cos(half), 0, 0, sin(half)}, (const double[]){0, 0, 0},
                (const double[]){0, 0, 0});
  }
  weft_motion_free(motion);
}

static void one_key_stands_still(void **state) {
  (void)state;
  weft_motion_desc desc = keys_desc("{\"keys\": [{\"time\": 7, \"translation\": [0, 0.5, 0]}]}");
  desc.scale = 2;
  weft_motion *motion = load(&desc);
  weft_vec3 p[POINTS];
  at(motion, 1, p);
  near_point(p[1], 2, 1, 0, 1e-7);
  assert_int_equal(weft_motion_describe(motion).frame_count, 1);
  assert_true(weft_motion_describe(motion).fastest_speed == 0);
  assert_true(fabs(weft_motion_describe(motion).rest_distance - 1) < 1e-6);
  weft_motion_free(motion);
}

/* ---- what is broken ---- */

static void broken_keys_are_refused_in_a_sentence(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } faults[] = {
      {"", "keys.json:"},
      {"{\"keys\": [", "keys.json:1: "},
      {"[]", "no \"keys\" in it"},
      {"{\"keys\": []}", "no \"keys\" in it"},
      {"{\"keys\": [3]}", "key 0: it is no object"},
      {"{\"keys\": [{}]}", "key 0: it has no time"},
      {"{\"keys\": [{\"time\": 0, \"turn\": 3}]}", "\"turn\" means nothing"},
      {"{\"keys\": [{\"time\": 0}], \"a\\nb\": 3}", "\"a\\x0ab\" means nothing"},
      {"{\"keys\": [{\"time\": 0, \"time\": 1}]}", "keys.json:1: "},
      {"{\"keys\": [{\"time\": 1}, {\"time\": 1}]}", "key 1: its time is not after"},
      {"{\"keys\": [{\"time\": 0, \"translation\": [0, 1]}]}", "key 0: its translation is not"},
      {"{\"keys\": [{\"time\": 0, \"translation\": [0, 1, 1e300]}]}", "key 0: its translation"},
      {"{\"keys\": [{\"time\": 0, \"rotation\": [0, 0, 0, 0]}]}", "key 0: its rotation is no"},
      {"{\"keys\": [{\"time\": 0, \"rotation\": [0, 0, 1]}]}", "key 0: its rotation is no"},
      {"{\"keys\": [{\"time\": 0, \"axis\": [0, 0, 1]}]}", "key 0: it turns by an axis"},
      {"{\"keys\": [{\"time\": 0, \"axis\": [0, 0, 0], \"angle\": 3}]}", "key 0: it turns by"},
      {"{\"keys\": [{\"time\": 0, \"angle\": 3, \"rotation\": [0, 0, 0, 1]}]}",
       "key 0: it has a rotation, and"},
      {"{\"pivot\": 3, \"keys\": [{\"time\": 0}]}", "its pivot is not"},
      {"{\"keys\": [{\"time\": 0}, {\"time\": 1e9}]}", "60000000001 frames; at most 1000000"},
      {"{\"keys\": [{\"time\": 0}, {\"time\": 0.01, \"translation\": [2, 0, 0]}]}",
       "jumps 2 m from frame 0 to 1"},
  };
  for (size_t k = 0; k < sizeof faults / sizeof *faults; ++k) {
    weft_motion_desc desc = keys_desc(faults[k].text);
    refused(&desc, WEFT_ERROR_FORMAT, faults[k].sentence);
  }
}

/* Sixty times around in a second each frame shows the same pose; thirty times is the most that can
 * be told, by few keys and by many, and there and back counts as well. */
static void turns_too_fast_to_be_seen_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence; /* NULL: fine */
  } rows[] = {
      {"{\"keys\": [{\"time\": 2, \"axis\": [0, 0, 1], \"angle\": 0},"
       "{\"time\": 3, \"axis\": [0, 0, 1], \"angle\": 0},"
       "{\"time\": 4, \"axis\": [0, 0, -1], \"angle\": 21600}]}",
       "keys.json: from 1 s on it turns by 360 degrees in a frame of 1/60 s, 60 times around in a"},
      {"{\"keys\": [{\"time\": 0, \"axis\": [0, 0, 1], \"angle\": 0},"
       "{\"time\": 1, \"axis\": [0, 0, 1], \"angle\": 10900}]}",
       "turns by 181.7 degrees"},
      {"{\"keys\": [{\"time\": 0, \"axis\": [0, 0, 1], \"angle\": 0},"
       "{\"time\": 0.25, \"axis\": [0, 0, 1], \"angle\": 2700}]}",
       NULL},
      {"{\"keys\": [{\"time\": 0}, {\"time\": 0.001, \"rotation\": [0, 0, 1, 0]}, {\"time\": 2, "
       "\"rotation\": [0, 0, 1, 0]}]}",
       NULL},
      {"{\"keys\": [{\"time\": 0}, {\"time\": 0.005, \"rotation\": [0, 0, 1, 1]},"
       "{\"time\": 0.01, \"rotation\": [0, 0, 1, 0]}, {\"time\": 0.015, \"rotation\": [0, 0, 1, "
       "-1]}]}",
       "turns by 270 degrees"},
      {"{\"keys\": [{\"time\": 0}, {\"time\": 0.005, \"rotation\": [0, 0, 1, 0]},"
       "{\"time\": 0.01, \"rotation\": [0, 0, 1, 0]}, {\"time\": 0.015}]}",
       "turns by 360 degrees"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    weft_motion_desc desc = keys_desc(rows[k].text);
    desc.max_speed = WEFT_MOTION_MAX_SPEED;
    desc.scale = 0.01f; /* so small that it is slow */
    if (rows[k].sentence) {
      refused(&desc, WEFT_ERROR_FORMAT, rows[k].sentence);
    } else {
      weft_motion_free(load(&desc));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_between_quaternions_are_slerps),
      cmocka_unit_test(turns_about_one_axis_go_all_the_way_round),
      cmocka_unit_test(no_turn_is_about_any_axis),
      cmocka_unit_test(one_key_stands_still),
      cmocka_unit_test(broken_keys_are_refused_in_a_sentence),
      cmocka_unit_test(turns_too_fast_to_be_seen_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
