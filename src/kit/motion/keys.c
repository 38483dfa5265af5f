/* Keys that move a mesh as a rigid body; docs/motion.md has the format. */
#include <jansson.h>

#include "files.h"
#include "motion_internal.h"
#include "rotation.h"

typedef struct key {
  double translation[3];
  weft_quaternion rotation;
  bool about_axis; /* then rotation is `angle` about `axis` */
  bool unturned;   /* it says nothing of a turn */
  double axis[3], angle;
} key;

typedef struct path {
  key *items;
  double *times; /* seconds, ascending from 0 */
  double file_start;
  uint32_t count;
  double pivot[3];
  weft_vec3 *rest;
  uint32_t vertex_count;
} path;

static void free_keys(void *self) {
  path *p = self;
  weft_free(p->items);
  weft_free(p->times);
  weft_free(p->rest);
  weft_free(p);
}

/* ---- JSON ---- */

typedef struct reader {
  const char *path;
  double scale;
  weft_error *err;
} reader;

static weft_result refuse(const reader *r, size_t index, const char *what) {
  return weft_fail(r->err, WEFT_ERROR_FORMAT, "%s: key %zu: %s", r->path, index, what);
}

/* Names that are not of the format are refused: a key misspelt would rest. */
static weft_result check_names(const reader *r, json_t *object, const char *const *names) {
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value) {
    size_t k = 0;
    while (names[k] && strcmp(names[k], name) != 0) ++k;
    if (names[k]) continue;
    return weft_fail(r->err, WEFT_ERROR_FORMAT, "%s: \"%.40s\" means nothing in it", r->path, name);
  }
  return WEFT_OK;
}

/* False for anything but numbers of at most 1e9. */
static bool read_numbers(const json_t *value, size_t count, double *out) {
  bool good = count == 1 ? json_is_number(value) : json_array_size(value) == count;
  for (size_t k = 0; k < count && good; ++k) {
    const json_t *number = count == 1 ? value : json_array_get(value, k);
    good = json_is_number(number) && fabs(json_number_value(number)) <= 1e9;
    out[k] = json_number_value(number);
  }
  return good;
}

static weft_result read_rotation(const reader *r, const json_t *item, size_t index, key *k) {
  const json_t *rotation = json_object_get(item, "rotation"), *axis = json_object_get(item, "axis"),
               *angle = json_object_get(item, "angle");
  k->rotation = (weft_quaternion){{0, 0, 0, 1}};
  if (rotation && (axis || angle)) {
    return refuse(r, index, "it has a rotation, and an axis or an angle");
  }
  if (rotation) {
    if (read_numbers(rotation, 4, k->rotation.q) && weft_quaternion_normalize(&k->rotation)) {
      return WEFT_OK;
    }
    return refuse(r, index, "its rotation is no quaternion [x, y, z, w]");
  }
  k->unturned = !axis && !angle;
  if (k->unturned) return WEFT_OK;
  double length = 0, degrees;
  bool good = read_numbers(axis, 3, k->axis) && read_numbers(angle, 1, &degrees);
  if (good) length = weft_v3d_length(weft_v3d_at(k->axis));
  if (!(length > 1e-12)) {
    return refuse(r, index, "it turns by an axis [x, y, z] and an angle in degrees");
  }
  k->about_axis = true;
  k->angle = degrees * (3.14159265358979323846 / 180);
  for (int n = 0; n < 3; ++n) k->axis[n] /= length;
  return WEFT_OK;
}

static weft_quaternion about(const double *axis, double angle) {
  double s = sin(angle / 2);
  return (weft_quaternion){{s * axis[0], s * axis[1], s * axis[2], cos(angle / 2)}};
}

static weft_result read_key(const reader *r, json_t *item, size_t index, key *k, double *seconds) {
  static const char *const names[] = {"time", "translation", "rotation", "axis", "angle", NULL};
  if (!json_is_object(item)) return refuse(r, index, "it is no object");
  weft_result result = check_names(r, item, names);
  if (result != WEFT_OK) return result;
  if (!read_numbers(json_object_get(item, "time"), 1, seconds)) {
    return refuse(r, index, "it has no time in seconds");
  }
  const json_t *translation = json_object_get(item, "translation");
  if (translation && !read_numbers(translation, 3, k->translation)) {
    return refuse(r, index, "its translation is not [x, y, z]");
  }
  for (int n = 0; n < 3; ++n) k->translation[n] *= r->scale;
  result = read_rotation(r, item, index, k);
  if (k->about_axis) k->rotation = about(k->axis, k->angle);
  return result;
}

static weft_result read_list(const reader *r, const json_t *list, path *out) {
  weft_result result = WEFT_OK;
  for (uint32_t k = 0; k < out->count && result == WEFT_OK; ++k) {
    result = read_key(r, json_array_get(list, k), k, &out->items[k], &out->times[k]);
    if (result != WEFT_OK || k == 0 || out->times[k] > out->times[k - 1]) continue;
    result = refuse(r, k, "its time is not after that of the key before");
  }
  out->file_start = out->times[0];
  for (uint32_t k = 0; k < out->count; ++k) out->times[k] -= out->file_start;
  return result;
}

static weft_result read_keys(const reader *r, json_t *root, path *out) {
  static const char *const names[] = {"pivot", "keys", NULL};
  const json_t *list = json_object_get(root, "keys"), *pivot = json_object_get(root, "pivot");
  out->count = (uint32_t)json_array_size(list);
  out->items = weft_alloc(out->count, sizeof *out->items);
  out->times = weft_alloc(out->count, sizeof *out->times);
  if (out->count == 0) {
    return weft_fail(r->err, WEFT_ERROR_FORMAT, "%s: no \"keys\" in it, or none in the list",
                     r->path);
  }
  weft_result result = check_names(r, root, names);
  if (result == WEFT_OK && pivot && !read_numbers(pivot, 3, out->pivot)) {
    result = weft_fail(r->err, WEFT_ERROR_FORMAT, "%s: its pivot is not [x, y, z]", r->path);
  }
  for (int n = 0; n < 3; ++n) out->pivot[n] *= r->scale;
  return result == WEFT_OK ? read_list(r, list, out) : result;
}

/* ---- posing ---- */

/* Two keys about one axis, or about its opposite, turn by the difference of their angles, be it
 * several times around: from *from to *to about *axis. No turn is one by 0 about any axis. */
static bool turn_about_one_axis(const key *a, const key *b, const double **axis, double *from,
                                double *to) {
  const key *turned = a->about_axis ? a : b;
  if (!turned->about_axis || !(a->about_axis || a->unturned) || !(b->about_axis || b->unturned)) {
    return false;
  }
  *axis = turned->axis;
  *from = a->unturned ? 0 : a->angle;
  *to = b->unturned ? 0 : b->angle;
  if (a->unturned || b->unturned) return true;
  double along = weft_v3d_dot(weft_v3d_at(a->axis), weft_v3d_at(b->axis));
  if (along < 0) *to = -*to;
  return !(fabs(along) < 1 - 1e-12);
}

static weft_quaternion turn_between(const key *a, const key *b, double part) {
  const double *axis;
  double from, to;
  if (!turn_about_one_axis(a, b, &axis, &from, &to)) {
    return weft_quaternion_slerp(a->rotation, b->rotation, part);
  }
  return about(axis, from + part * (to - from));
}

static weft_affine place_at(const path *p, double seconds) {
  uint32_t k = weft_motion_last_before(p->times, p->count, seconds);
  const key *a = &p->items[k], *b = k + 1 < p->count ? a + 1 : a;
  double part = b > a ? fmax(0, (seconds - p->times[k]) / (p->times[k + 1] - p->times[k])) : 0;
  double shift[3];
  for (int n = 0; n < 3; ++n) {
    shift[n] = a->translation[n] + part * (b->translation[n] - a->translation[n]) + p->pivot[n];
  }
  weft_quaternion turn = part > 0 ? turn_between(a, b, part) : a->rotation;
  return weft_affine_from(shift, turn, (const double[]){1, 1, 1});
}

static void pose(void *self, double seconds, weft_vec3 *positions) {
  const path *p = self;
  weft_affine place = place_at(p, seconds);
  weft_vec3d pivot = weft_v3d_at(p->pivot);
  for (uint32_t v = 0; v < p->vertex_count; ++v) {
    weft_vec3d arm = weft_v3d_sub(weft_v3d_from(p->rest[v]), pivot);
    positions[v] = weft_v3d_round(weft_affine_point(&place, arm));
  }
}

/* ---- how fast it turns ---- */

static const double half_turn = 3.14159265358979323846;

/* rad */
static double angle_between(const key *a, const key *b) {
  const double *axis;
  double from, to, cosine = 0;
  if (turn_about_one_axis(a, b, &axis, &from, &to)) return fabs(to - from);
  for (int k = 0; k < 4; ++k) cosine += a->rotation.q[k] * b->rotation.q[k];
  return 2 * acos(fmin(1, fabs(cosine)));
}

/* rad, up to a time, of all turns whichever way they go. `turned` is up to each key. */
static double turned_until(const path *p, const double *turned, double seconds) {
  uint32_t k = weft_motion_last_before(p->times, p->count, seconds);
  if (k + 1 == p->count) return turned[k];
  double part = fmax(0, (seconds - p->times[k]) / (p->times[k + 1] - p->times[k]));
  return turned[k] + part * (turned[k + 1] - turned[k]);
}

/* rad, the most in any frame of so many seconds, and when it begins. The rate changes at keys
 * alone, so one of them begins or ends that frame. */
static double most_in_a_frame(const path *p, double frame, double *begin) {
  double *turned = weft_alloc(p->count, sizeof *turned), most = 0;
  for (uint32_t k = 1; k < p->count; ++k) {
    turned[k] = turned[k - 1] + angle_between(&p->items[k - 1], &p->items[k]);
  }
  for (uint32_t k = 0; k < 2 * p->count; ++k) {
    double from = k % 2 ? p->times[k / 2] : fmax(0, p->times[k / 2] - frame);
    double by = turned_until(p, turned, from + frame) - turned_until(p, turned, from);
    if (by > most * (1 + 1e-9)) most = by, *begin = from;
  }
  weft_free(turned);
  return most;
}

/* By more than half a turn a frame a wheel seems to turn the other way, or to stand. */
static weft_result check_turns(const weft_motion_desc *desc, const path *p, weft_error *err) {
  double begin = 0, frame = 1 / desc->frames_per_second, by = most_in_a_frame(p, frame, &begin);
  if (by <= half_turn * (1 + 1e-6)) return WEFT_OK;
  weft_error why;
  weft_fail(&why, WEFT_ERROR_FORMAT,
            "%s: from %.4g s on it turns by %.4g degrees in a frame of 1/%.4g s, %.3g times around "
            "in a second; above 180 it would seem to turn more slowly or the other way",
            weft_motion_name(desc), begin, by / half_turn * 180, desc->frames_per_second,
            by / (2 * half_turn * frame));
  if (desc->max_speed <= WEFT_MOTION_MAX_SPEED) return weft_fail(err, why.code, "%s", why.message);
  weft_log(WEFT_LOG_WARNING, "%s", why.message);
  return WEFT_OK;
}

/* ---- the file ---- */

static void release_json(void *root) { json_decref(*(json_t **)root); }

/* A file, or the text of one. */
static weft_result load(const char *motion, char **bytes, size_t *length, weft_error *err) {
  if (!weft_is_key_text(motion)) return weft_mesh_load(motion, bytes, length, err);
  *length = strlen(motion);
  *bytes = weft_strdup(motion);
  return WEFT_OK;
}

static weft_result read_file(const weft_motion_desc *desc, path *out, weft_error *err) {
  enum { LONGEST = 64 << 20 };
  const reader r = {weft_motion_name(desc), (double)desc->scale, err};
  char *bytes;
  size_t length;
  json_error_t error;
  weft_result result = load(desc->motion, &bytes, &length, err);
  if (result != WEFT_OK) return result;
  if (length > LONGEST) {
    weft_free(bytes);
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %zu bytes of keys; at most %d", r.path, length,
                     LONGEST);
  }
  const size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of UTF-8 */
  json_t *root = NULL;
  weft_deferred *deferred = weft_defer(release_json, &root);
  root = json_loadb(bytes + mark, length - mark, JSON_REJECT_DUPLICATES, &error);
  weft_free(bytes);
  if (!root) {
    weft_defer_end(deferred);
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s:%d: %s", r.path, error.line, error.text);
  }
  result = read_keys(&r, root, out);
  weft_defer_end(deferred);
  json_decref(root);
  return result;
}

weft_result weft_keys_open(const weft_motion_desc *desc, weft_mesh *mesh,
                           weft_motion_source *source, weft_error *err) {
  path *p = weft_alloc(1, sizeof *p);
  weft_result result = read_file(desc, p, err);
  if (result == WEFT_OK) {
    result = weft_motion_measured_times(desc, p->times[p->count - 1], source, err);
  }
  if (result == WEFT_OK) result = check_turns(desc, p, err);
  if (result != WEFT_OK) {
    free_keys(p);
    return result;
  }
  p->vertex_count = mesh->vertex_count;
  p->rest = weft_alloc(mesh->vertex_count, sizeof *p->rest);
  memcpy(p->rest, mesh->positions, mesh->vertex_count * sizeof *p->rest);
  source->kind = "rigid keys";
  source->file_start = p->file_start;
  source->self = p;
  source->free = free_keys;
  source->pose = pose;
  return WEFT_OK;
}
