/* Skinned glTF: an arm of two bones whose pose is known at any time, and what is broken in it. The
 * arithmetic here is angles and components of its own. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>

#include "gltf_made.h"

static const double pi = 3.14159265358979323846;

/* ---- where the arm has to be ---- */

/* p turned about z by an angle whose sine and cosine are given, and stretched by their length. */
static void turn(double sine, double cosine, double *p) {
  double x = cosine * p[0] - sine * p[1], y = sine * p[0] + cosine * p[1];
  p[0] = x, p[1] = y;
}

/* Turns in radians; shoulder, then elbow, about points 1 m apart; then the parent node. */
static void near_arm(const weft_vec3 *positions, double shoulder, double elbow) {
  for (int v = 0; v < ARM_VERTICES; ++v) {
    double upper[3], lower[3], p[3];
    memcpy(upper, arm_rest[v], sizeof upper);
    memcpy(lower, arm_rest[v], sizeof lower);
    lower[0] -= 1;
    turn(sin(elbow), cos(elbow), lower);
    lower[0] += 1;
    turn(sin(shoulder), cos(shoulder), upper);
    turn(sin(shoulder), cos(shoulder), lower);
    for (int k = 0; k < 3; ++k) p[k] = upper[k] + arm_elbow[v] * (lower[k] - upper[k]);
    near_point(positions[v], 2 * p[0], 2 * p[1] + 3, 2 * p[2], 2e-6);
  }
}

static const arm_keys turns = {"LINEAR", 3, {0, 0.5, 1.25}, {0, 30, -60}, {0, 120, 120}};

static double degrees_at(const arm_keys *keys, const double *degrees, double t) {
  uint32_t k = 0;
  while (k + 2 < keys->count && t > keys->times[k + 1]) ++k;
  double part = (t - keys->times[k]) / (keys->times[k + 1] - keys->times[k]);
  return degrees[k] + part * (degrees[k + 1] - degrees[k]);
}

static weft_motion *load_arm(gltf *g, const char *animation) {
  return load(&(weft_motion_desc){.motion = write_glb(g, "arm.glb"), .animation = animation});
}

/* ---- what is read ---- */

static void an_arm_bends_as_its_angles_say(void **state) {
  (void)state;
  static gltf g;
  make_arm(&g, &turns);
  weft_motion *motion = load_arm(&g, NULL);
  const weft_mesh *mesh = weft_motion_mesh(motion);
  const uint32_t triangles[6] = {0, 1, 3, 2, 3, 4};
  assert_int_equal(mesh->vertex_count, ARM_VERTICES);
  assert_int_equal(mesh->triangle_count, 2);
  assert_memory_equal(mesh->triangles, triangles, sizeof triangles);
  near_arm(mesh->positions, 0, 0);
  assert_true(fabs(weft_motion_duration(motion) - 1.25) < 1e-9);
  assert_int_equal(weft_motion_describe(motion).frame_count, 76);
  weft_vec3 p[ARM_VERTICES];
  for (double t = 0; t < 1.25; t += 0.0371) {
    at(motion, t, p);
    near_arm(p, degrees_at(&turns, turns.shoulder, t) * pi / 180,
             degrees_at(&turns, turns.elbow, t) * pi / 180);
  }
  at(motion, 99, p);
  near_arm(p, -60 * pi / 180, 120 * pi / 180);
  /* The hand, 1.03 m from the elbow that turns at 240 degrees a second on an arm that turns at 60.
   */
  weft_motion_info info = weft_motion_describe(motion);
  assert_int_equal(info.fastest_vertex, 2);
  assert_true(info.fastest_speed > 2 * 240 * pi / 180 && info.fastest_speed < 2 * 420 * pi / 180);
  weft_motion_free(motion);
}

/* The same arm with its nodes in the opposite order and its parent as a matrix, column by column.
 */
static void nodes_may_come_in_any_order_and_as_matrices(void **state) {
  (void)state;
  static gltf g;
  make_arm(&g, &turns);
  replace(&g, "\"nodes\":[0,1]", "\"nodes\":[3,2]");
  char *nodes = strstr(g.json, "\"nodes\":[{"), *meshes = strstr(g.json, "\"meshes\"");
  static char rest[sizeof g.json];
  snprintf(rest, sizeof rest, "%s", meshes);
  *nodes = 0;
  append(g.json, sizeof g.json,
         "\"nodes\":[{\"translation\":[1,0,0]},{\"children\":[0]},"
         "{\"children\":[1],\"matrix\":[0,0,-2,0, 0,2,0,0, 2,0,0,0, 0,3,0,1]},"
         "{\"mesh\":0,\"skin\":0}],%s",
         rest);
  replace(&g, "\"joints\":[2,3]", "\"joints\":[1,0]");
  replace(&g, "\"node\":2", "\"node\":1");
  replace(&g, "\"node\":3", "\"node\":0");
  weft_motion *motion = load_arm(&g, NULL);
  weft_vec3 p[ARM_VERTICES];
  at(motion, 0.5, p);
  for (int v = 0; v < ARM_VERTICES; ++v) { /* a quarter turn about y, taken back */
    p[v] = (weft_vec3){-p[v].z, p[v].y, p[v].x};
  }
  near_arm(p, 30 * pi / 180, 120 * pi / 180);
  weft_motion_free(motion);
}

/* Measured 7 times a second, and at the end. */
static void the_last_frame_is_at_the_end(void **state) {
  (void)state;
  static gltf g;
  make_arm(&g, &turns);
  weft_motion *motion =
      load(&(weft_motion_desc){.motion = write_glb(&g, "arm.glb"), .frames_per_second = 7});
  assert_int_equal(weft_motion_describe(motion).frame_count, 10);
  assert_true(fabs(weft_motion_frame_seconds(motion, 8) - 8.0 / 7) < 1e-12);
  assert_true(fabs(weft_motion_duration(motion) - 1.25) < 1e-12);
  weft_motion_free(motion);
}

static void steps_hold_until_the_next_key(void **state) {
  (void)state;
  static gltf g;
  arm_keys keys = turns;
  keys.interpolation = "STEP";
  make_arm(&g, &keys);
  weft_motion_desc desc = {.motion = write_glb(&g, "arm.glb")};
  refused(&desc, WEFT_ERROR_FORMAT, "jumps");
  desc.max_speed = 1e4;
  weft_motion *motion = load(&desc);
  weft_vec3 p[ARM_VERTICES];
  at(motion, 0.499, p);
  near_arm(p, 0, 0);
  at(motion, 0.5, p);
  near_arm(p, 30 * pi / 180, 120 * pi / 180);
  at(motion, 1.249, p);
  near_arm(p, 30 * pi / 180, 120 * pi / 180);
  weft_motion_free(motion);
}

/* Hermite's polynomials of z and w, then made a rotation. */
static double spline_angle(double from, double to, double span, double u) {
  double rate = pi / 8, a = from * pi / 360, b = to * pi / 360;
  double h0 = 2 * u * u * u - 3 * u * u + 1, h1 = u * u * u - 2 * u * u + u,
         h2 = 3 * u * u - 2 * u * u * u, h3 = u * u * u - u * u;
  double z = h0 * sin(a) + h1 * span * rate * cos(a) + h2 * sin(b) + h3 * span * rate * cos(b);
  double w = h0 * cos(a) + h1 * span * (-rate * sin(a) - 0.2) + h2 * cos(b) +
             h3 * span * (-rate * sin(b) + 0.1);
  return 2 * atan2(z, w);
}

static void splines_follow_hermite(void **state) {
  (void)state;
  static gltf g;
  arm_keys keys = turns;
  keys.interpolation = "CUBICSPLINE";
  make_arm(&g, &keys);
  weft_motion *motion = load_arm(&g, NULL);
  weft_vec3 p[ARM_VERTICES];
  for (double u = 0; u <= 1; u += 0.125) {
    at(motion, 0.5 + 0.75 * u, p);
    near_arm(p, spline_angle(30, -60, 0.75, u), spline_angle(120, 120, 0.75, u));
  }
  weft_motion_free(motion);
}

/* From 150 to -150 degrees it is 60 degrees over the back, though the quaternions are on other
 * sides. */
static void turns_take_the_shorter_way(void **state) {
  (void)state;
  static gltf g;
  const arm_keys keys = {"LINEAR", 2, {0, 1}, {150, -150}, {0, 0}};
  make_arm(&g, &keys);
  weft_motion *motion = load_arm(&g, NULL);
  weft_vec3 p[ARM_VERTICES];
  at(motion, 0.25, p);
  near_arm(p, 165 * pi / 180, 0);
  weft_motion_free(motion);
}

static void an_animation_is_chosen_by_name_or_number(void **state) {
  (void)state;
  static gltf g;
  make_arm(&g, &turns);
  replace(&g, "\"animations\":[", "\"animations\":[{\"channels\":[],\"samplers\":[]},");
  weft_motion_desc desc = {.motion = write_glb(&g, "arm.glb")};
  refused(&desc, WEFT_ERROR_ARGUMENT, "it has 2 animations; choose one of 0, bend");
  desc.animation = "walk";
  refused(&desc, WEFT_ERROR_ARGUMENT, "no animation 'walk'; it has 0, bend");
  weft_motion *motion;
  weft_vec3 p[ARM_VERTICES];
  const char *const same[] = {"bend", "all"}; /* the other one moves nothing */
  for (int k = 0; k < 2; ++k) {
    desc.animation = same[k];
    motion = load(&desc);
    at(motion, 0.5, p);
    near_arm(p, 30 * pi / 180, 120 * pi / 180);
    weft_motion_free(motion);
  }
  desc.animation = "0";
  motion = load(&desc);
  assert_true(weft_motion_duration(motion) == 0);
  assert_int_equal(weft_motion_describe(motion).frame_count, 1);
  at(motion, 0.5, p);
  near_arm(p, 0, 0);
  weft_motion_free(motion);
}

/* Vertex 1 of the mesh is moved by a list beside the accessor. */
static void sparse_positions_are_put_in(void **state) {
  (void)state;
  static gltf g;
  make_arm(&g, &turns);
  size_t first = g.data.count;
  put_uint(&g.data, 0, false); /* an unsigned short, padded */
  g.data.data[first] = 1;
  put_float(&g.data, 0.75f, false), put_float(&g.data, 0, false), put_float(&g.data, 1, false);
  char more[400];
  snprintf(more, sizeof more,
           "\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":8,"
           "\"componentType\":5123},\"values\":{\"bufferView\":9}}}");
  replace(&g, "\"type\":\"VEC3\"}", more);
  snprintf(more, sizeof more,
           "},{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":2},{\"buffer\":0,\"byteOffset\":%zu,"
           "\"byteLength\":12}],\"accessors\"",
           first, first + 4);
  replace(&g, "}],\"accessors\"", more);
  snprintf(more, sizeof more, "\"buffers\":[{\"byteLength\":%zu}]", g.data.count);
  char old[100];
  snprintf(old, sizeof old, "\"buffers\":[{\"byteLength\":%zu}]", first);
  replace(&g, old, more);
  weft_motion *motion = load_arm(&g, NULL);
  near_point(weft_motion_mesh(motion)->positions[1], 1.5, 3, 2, 1e-6);
  near_point(weft_motion_mesh(motion)->positions[0], 1, 3, 0, 1e-6);
  weft_motion_free(motion);
}

/* The same file with its buffer beside it, and inside it as text. */
static void buffers_may_stand_elsewhere(void **state) {
  (void)state;
  static gltf g;
  static char text[20000];
  weft_vec3 p[ARM_VERTICES];
  for (int inside = 0; inside < 2; ++inside) {
    make_arm(&g, &turns);
    if (inside) {
      static const char digits[] =
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      snprintf(text, sizeof text, "\"buffers\":[{\"uri\":\"data:application/octet-stream;base64,");
      for (size_t k = 0; k < g.data.count; k += 3) {
        const unsigned char *b = g.data.data + k; /* zeros follow */
        append(text, sizeof text, "%c%c%c%c", digits[b[0] >> 2],
               digits[(b[0] & 3) << 4 | b[1] >> 4], digits[(b[1] & 15) << 2 | b[2] >> 6],
               digits[b[2] & 63]);
      }
      append(text, sizeof text, "\",");
    } else {
      write_bytes(in_folder("an arm.bin"), g.data.data, g.data.count);
      snprintf(text, sizeof text, "\"buffers\":[{\"uri\":\"an%%20arm.bin\",");
    }
    replace(&g, "\"buffers\":[{", text);
    write_text(in_folder("arm.gltf"), g.json);
    weft_motion *motion = load(&(weft_motion_desc){.motion = in_folder("arm.gltf")});
    at(motion, 0.5, p);
    near_arm(p, 30 * pi / 180, 120 * pi / 180);
    weft_motion_free(motion);
  }
}

/* A mesh without a skin hangs on its node: here on the elbow, as four triangles of a strip. */
static void what_has_no_skin_moves_with_its_node(void **state) {
  (void)state;
  static gltf g;
  make_arm(&g, &turns);
  replace(&g, "{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]}", "{}");
  replace(&g, "{\"translation\":[1,0,0]}", "{\"translation\":[1,0,0],\"mesh\":0}");
  replace(&g, "\"indices\":3}", "\"indices\":3,\"mode\":5}");
  weft_motion *motion = load_arm(&g, NULL);
  const uint32_t strip[12] = {0, 1, 3, 1, 2, 3, 3, 2, 3, 2, 4, 3};
  assert_int_equal(weft_motion_mesh(motion)->triangle_count, 4);
  assert_memory_equal(weft_motion_mesh(motion)->triangles, strip, sizeof strip);
  weft_vec3 p[ARM_VERTICES];
  at(motion, 0.5, p);
  double q[3] = {2, 0, 0.25};
  turn(sin(120 * pi / 180), cos(120 * pi / 180), q);
  q[0] += 1;
  turn(sin(30 * pi / 180), cos(30 * pi / 180), q);
  near_point(p[2], 2 * q[0], 2 * q[1] + 3, 2 * q[2], 2e-6);
  weft_motion_free(motion);
}

/* Adds an accessor to a file that make_arm has made, in place of one that the JSON names. */
static void put_accessor(gltf *g, const char *name, uint32_t instead_of, uint32_t component,
                         const char *type, uint32_t width, const double *values) {
  static char start[sizeof g->json];
  char old[64], new[64];
  uint32_t accessor = add_accessor(g, type, width, component, true, ARM_VERTICES, values);
  memcpy(start, g->json, sizeof start);
  *strstr(start, "\"bufferViews\"") = 0;
  g->json[0] = 0;
  append(g->json, sizeof g->json,
         "%s\"bufferViews\":[%s],\"accessors\":[%s],\"buffers\":[{\"byteLength\":%zu}]}", start,
         g->views, g->accessors, g->data.count);
  snprintf(old, sizeof old, "\"%s\":%u", name, instead_of);
  snprintf(new, sizeof new, "\"%s\":%u", name, accessor);
  replace(g, old, new);
}

static void normalized_integers_are_parts(void **state) {
  (void)state;
  static gltf g;
  double weights[4 * ARM_VERTICES] = {0}, positions[3 * ARM_VERTICES] = {0};
  for (int v = 0; v < ARM_VERTICES; ++v) {
    weights[4 * v] = 255 * (1 - arm_elbow[v]), weights[4 * v + 1] = 255 * arm_elbow[v];
  }
  make_arm(&g, &turns);
  put_accessor(&g, "WEIGHTS_0", 2, 5121, "VEC4", 4, weights);
  weft_motion *motion = load_arm(&g, NULL);
  weft_vec3 p[ARM_VERTICES];
  at(motion, 0.5, p);
  double upper[2] = {1.5, 0.1}, lower[2] = {0.5, 0.1}, part = 63.0 / (63 + 191);
  turn(sin(120 * pi / 180), cos(120 * pi / 180), lower);
  lower[0] += 1;
  turn(0.5, sqrt(0.75), upper);
  turn(0.5, sqrt(0.75), lower);
  near_point(p[3], 2 * (upper[0] + part * (lower[0] - upper[0])),
             3 + 2 * (upper[1] + part * (lower[1] - upper[1])), 0, 2e-6);
  weft_motion_free(motion);
  static const struct {
    uint32_t component;
    double bits, value;
  } corners[] = {{5120, 129, -1},    {5120, 127, 1},    {5121, 51, 0.2},
                 {5122, 0x8001, -1}, {5122, 0x7fff, 1}, {5123, 13107, 0.2}};
  for (size_t k = 0; k < sizeof corners / sizeof *corners; ++k) {
    make_arm(&g, &turns);
    positions[4] = corners[k].bits;
    put_accessor(&g, "POSITION", 0, corners[k].component, "VEC3", 3, positions);
    motion = load_arm(&g, NULL);
    near_point(weft_motion_mesh(motion)->positions[1], 0, 3 + 2 * corners[k].value, 0, 1e-6);
    weft_motion_free(motion);
  }
}

/* ---- what is broken ---- */

typedef struct fault {
  const char *words, *others, *sentence;
} fault;

static const fault faults[] = {
    {"\"version\":\"2.0\"", "\"version\":\"1.0\"", "glTF of version 1.0; 2.0 is read"},
    {"\"scene\":0", "\"scene\":0,", "line 1 of its JSON"},
    {"\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scene\":0",
     "it needs the extension KHR_draco_mesh_compression"},
    {"\"nodes\":[0,1]", "\"nodes\":[0,9]", "its scene names a node that does not exist"},
    {"\"nodes\":[0,1]", "\"nodes\":[1]", "no triangles in it"},
    {"\"children\":[3]", "\"children\":[8]", "node 2 has a child that does not exist"},
    {"\"children\":[3]", "\"children\":[3,3]", "node 3 has two parents"},
    {"{\"children\":[3]}", "{\"children\":[3,1]}", "is its own ancestor"},
    {"\"scale\":[2,2,2]", "\"scale\":[2,2]",
     "node 1: its translation, rotation or scale is broken"},
    {"\"scale\":[2,2,2]", "\"rotation\":[0,0,0,0]", "node 1: its translation, rotation or scale"},
    {"\"scale\":[2,2,2]", "\"matrix\":[1]", "node 1: its matrix is not 16"},
    {"\"mesh\":0", "\"mesh\":1", "node 0: its mesh does not exist"},
    {"\"skin\":0", "\"skin\":3", "node 0: its skin does not exist"},
    {"\"POSITION\":0", "\"POSITION\":77", "positions: its accessor does not exist"},
    {"\"POSITION\":0", "\"POSITION\":-1", "positions: its accessor does not exist"},
    {"\"POSITION\":0", "\"POSITION\":2", "positions: accessor 2 is VEC4"},
    {"\"JOINTS_0\":1,", "", "a skinned mesh has no JOINTS_0"},
    {"\"WEIGHTS_0\":2", "\"WEIGHTS_9\":2", "WEIGHTS_0: its accessor does not exist"},
    {"\"joints\":[2,3]", "\"joints\":[2]", "hangs on joint 1, and its skin has 1"},
    {"\"joints\":[2,3]", "\"joints\":[2,4]", "joint 1 is a node that does not exist"},
    {"\"joints\":[2,3]", "\"joints\":[2,3,0]", "has 3 joints and 2 inverse bind matrices"},
    {"\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"",
     "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"", "a skinned mesh has 4 vertices, 5 of"},
    {"\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"",
     "\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"",
     "positions: 6 elements end behind buffer view 0 of 60 bytes"},
    {"\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"",
     "\"componentType\":5126,\"count\":4000000000000,\"type\":\"VEC3\"",
     "positions: 4000000000000 elements are none or too many"},
    {"\"bufferView\":0,\"componentType\":5126,\"count\":5",
     "\"componentType\":5126,\"count\":9000000",
     "positions: 9000000 elements without a buffer view in a file of"},
    {"\"byteOffset\":0,\"byteLength\":60", "\"byteOffset\":0,\"byteLength\":60000",
     "buffer view 0 is missing, or ends behind its buffer"},
    {"\"byteOffset\":0,\"byteLength\":60", "\"byteOffset\":0,\"byteLength\":60,\"byteStride\":4",
     "has a stride of 4 bytes for elements of 12"},
    {"\"buffers\":[{\"byteLength\":", "\"buffers\":[{\"byteLength\":9", "is said to have 9"},
    {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"data:text/plain,hello\",", "is not base64"},
    {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"data:;base64,a?b\",", "character 1 is not base64"},
    {"\"interpolation\":\"LINEAR\"", "\"interpolation\":\"MAGIC\"", "interpolates in no known way"},
    {"\"interpolation\":\"LINEAR\"", "\"interpolation\":\"CUBICSPLINE\"",
     "channel 0 has 3 times and 3 values; it needs 3 for each time"},
    {"\"path\":\"rotation\"", "\"path\":\"weights\"",
     "moves morph targets, which weft does not read"},
    {"\"path\":\"rotation\"", "\"path\":\"colour\"", "channel 0 moves 'colour' of a node"},
    {"\"path\":\"rotation\"", "\"path\":\"scale\"", "values of keys: accessor 6 is VEC4"},
    {"{\"sampler\":1,\"target\":{\"node\":3", "{\"sampler\":1,\"target\":{\"node\":33",
     "channel 1 moves a node that does not exist"},
    {"\"sampler\":1", "\"sampler\":2", "channel 1: its sampler is missing"},
    {"\"meshes\":[{", "\"meshes\":[{\"weights\":[0,0.5],", "its mesh has morph targets"},
};

static void broken_files_are_refused_in_a_sentence(void **state) {
  (void)state;
  static gltf g;
  for (size_t k = 0; k < sizeof faults / sizeof *faults; ++k) {
    make_arm(&g, &turns);
    replace(&g, faults[k].words, faults[k].others);
    weft_motion_desc desc = {.motion = write_glb(&g, "arm.glb")};
    refused(&desc, WEFT_ERROR_FORMAT, faults[k].sentence);
  }
  make_arm(&g, &turns);
  replace(&g, "\"animations\"", "\"amusements\"");
  weft_motion_desc still = {.motion = write_glb(&g, "arm.glb")};
  refused(&still, WEFT_ERROR_MESH, "no animation in it");
}

/* Bytes of the buffer: where views begin is where add_accessor put them, one after the other. */
static void broken_numbers_are_refused_in_a_sentence(void **state) {
  (void)state;
  static gltf g;
  const size_t joints = 60, weights = 80, indices = 160, times = 172 + 128;
  static const float nan_float = (float)NAN;
  weft_motion_desc desc = {.motion = in_folder("arm.glb")};
  make_arm(&g, &turns);
  memcpy(g.data.data + 12 + 4, &nan_float, 4);
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "vertex 1 is not finite");
  make_arm(&g, &turns);
  g.data.data[joints + 4 * 2 + 1] = 60;
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "vertex 2 hangs on joint 60, and its skin has 2");
  make_arm(&g, &turns);
  memset(g.data.data + weights + 16 * 2, 0, 16);
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "vertex 2: its weights sum to 0");
  memcpy(g.data.data + weights + 16 * 2, &nan_float, 4);
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "vertex 2: its weights sum to nan");
  make_arm(&g, &turns);
  g.data.data[indices + 2] = 5;
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "a triangle names vertex 5 of a mesh of 5");
  make_arm(&g, &turns);
  memset(g.data.data + times + 4, 0, 4);
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "channel 0: key 1 is at 0 s; times ascend");
  make_arm(&g, &turns);
  memset(g.data.data + times + 12, 0, 16);
  write_glb(&g, "arm.glb");
  refused(&desc, WEFT_ERROR_FORMAT, "channel 0: key 0 is no rotation");
}

static void a_container_that_was_cut_is_refused(void **state) {
  (void)state;
  static gltf g;
  static char whole[1 << 16];
  make_arm(&g, &turns);
  const char *path = write_glb(&g, "arm.glb");
  FILE *file = fopen(path, "rb");
  size_t size = fread(whole, 1, sizeof whole, file);
  fclose(file);
  weft_motion_desc desc = {.motion = path};
  for (size_t length = 0; length < size; length += length < 40 ? 1 : 97) {
    write_bytes(path, whole, length);
    refused(&desc, WEFT_ERROR_FORMAT, "arm.glb: ");
  }
  whole[4] = 1;
  write_bytes(path, whole, size);
  refused(&desc, WEFT_ERROR_FORMAT, "GLB of version 1; 2 is read");
}

/* ---- the walking body made by others ---- */

static void glb_and_pc2_of_the_walking_body_agree(void **state) {
  (void)state;
  const char *const base = WEFT_MESH_DIR "/animated/makehuman_walk";
  char glb[500], pc2[500], obj[500];
  struct stat info;
  snprintf(glb, sizeof glb, "%s.glb", base);
  snprintf(pc2, sizeof pc2, "%s.pc2", base);
  snprintf(obj, sizeof obj, "%s_rest.obj", base);
  if (stat(glb, &info) != 0) {
    print_message("no walking body in %s\n", WEFT_MESH_DIR);
    skip();
  }
  weft_motion *skinned = load(&(weft_motion_desc){.motion = glb}),
              *cached = load(&(weft_motion_desc){.motion = pc2, .mesh = obj});
  uint32_t count = weft_motion_mesh(cached)->vertex_count;
  assert_int_equal(count, 13380);
  assert_int_equal(weft_motion_mesh(skinned)->vertex_count, count);
  assert_int_equal(weft_motion_describe(cached).frame_count, 100);
  weft_vec3 *p = calloc(count, sizeof *p), *q = calloc(count, sizeof *q);
  double worst = 0;
  for (uint32_t frame = 0; frame < 100; ++frame) {
    double seconds = weft_motion_frame_seconds(cached, frame);
    at(skinned, seconds, p);
    at(cached, seconds, q);
    for (uint32_t v = 0; v < count; ++v) {
      worst = fmax(worst, hypot(hypot((double)(p[v].x - q[v].x), (double)(p[v].y - q[v].y)),
                                (double)(p[v].z - q[v].z)));
    }
  }
  print_message("the walking body: glb and PC2 are at most %.2g m apart\n", worst);
  assert_true(worst < 1e-6); /* wanted: 1e-4 */
  assert_true(fabs(weft_motion_describe(cached).fastest_speed - 3.8) < 0.05);
  assert_true(fabs(weft_motion_describe(skinned).fastest_speed - 3.8) < 0.05);
  assert_true(weft_motion_describe(cached).rest_distance < 2e-7);
  free(p);
  free(q);
  weft_motion_free(skinned);
  weft_motion_free(cached);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arm_bends_as_its_angles_say),
      cmocka_unit_test(nodes_may_come_in_any_order_and_as_matrices),
      cmocka_unit_test(the_last_frame_is_at_the_end),
      cmocka_unit_test(steps_hold_until_the_next_key),
      cmocka_unit_test(splines_follow_hermite),
      cmocka_unit_test(turns_take_the_shorter_way),
      cmocka_unit_test(an_animation_is_chosen_by_name_or_number),
      cmocka_unit_test(sparse_positions_are_put_in),
      cmocka_unit_test(buffers_may_stand_elsewhere),
      cmocka_unit_test(what_has_no_skin_moves_with_its_node),
      cmocka_unit_test(normalized_integers_are_parts),
      cmocka_unit_test(broken_files_are_refused_in_a_sentence),
      cmocka_unit_test(broken_numbers_are_refused_in_a_sentence),
      cmocka_unit_test(a_container_that_was_cut_is_refused),
      cmocka_unit_test(glb_and_pc2_of_the_walking_body_agree),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
