/* Animations of a glTF file: keys that move nodes. */
#include "files.h"
#include "gltf_rig.h"

/* ---- which one ---- */

static const char *name_of(const weft_gltf *g, size_t index) {
  return json_string_value(json_object_get(weft_gltf_item(g, "animations", index), "name"));
}

/* The unnamed by their numbers. */
static size_t put_name(const weft_gltf *g, size_t index, char *text, size_t size) {
  const char *name = name_of(g, index);
  return (size_t)(name ? snprintf(text, size, "%.40s", name) : snprintf(text, size, "%zu", index));
}

/* Those that there are, for a message. */
static void list_names(const weft_gltf *g, char *text, size_t size) {
  size_t count = weft_gltf_count(g, "animations"), used = 0;
  for (size_t k = 0; k < count; ++k) {
    if (used + 60 > size) {
      snprintf(text + used, size - used, " and %zu more", count - k);
      return;
    }
    if (k) used += (size_t)snprintf(text + used, size - used, ", ");
    used += put_name(g, k, text + used, size - used);
  }
}

static bool is_called(const weft_gltf *g, size_t index, const char *wanted) {
  char number[24];
  const char *name = name_of(g, index);
  snprintf(number, sizeof number, "%zu", index);
  return strcmp(name ? name : number, wanted) == 0;
}

/* From `first` to before `end`. One that is called all is meant by that name alone. */
static weft_result choose(const weft_gltf *g, const char *wanted, size_t *first, size_t *end) {
  size_t count = weft_gltf_count(g, "animations"), index = 0;
  if (count == 0) {
    return weft_fail(g->err, WEFT_ERROR_MESH, "%s: no animation in it", weft_shown_path(g->path));
  }
  while (wanted && index < count && !is_called(g, index, wanted)) ++index;
  const bool all = wanted && index == count && strcmp(wanted, "all") == 0;
  *first = all ? 0 : index;
  *end = all ? count : index + 1;
  if (all || (wanted ? index < count : count == 1)) return WEFT_OK;
  char names[400] = "";
  list_names(g, names, sizeof names);
  const char *path = weft_shown_path(g->path);
  return wanted
             ? weft_fail(g->err, WEFT_ERROR_ARGUMENT, "%s: no animation '%.80s'; it has %s", path,
                         wanted, names)
             : weft_fail(
                   g->err, WEFT_ERROR_ARGUMENT,
                   "%s: it has %zu animations; choose one of %s, or all, which plays them together",
                   path, count, names);
}

/* ---- channels ---- */

static bool find_word(const char *word, const char *const *words, int count, int *index) {
  for (*index = 0; word && *index < count; ++*index) {
    if (strcmp(word, words[*index]) == 0) return true;
  }
  return false;
}

static uint32_t width_of(const weft_channel *c) { return c->path == WEFT_ROTATION ? 4 : 3; }

/* The value of a key, between the tangents of a spline. */
static double *value_at(const weft_channel *c, uint32_t key) {
  uint32_t width = width_of(c);
  return c->interpolation == WEFT_CUBICSPLINE ? c->values + width * (3 * (size_t)key + 1)
                                              : c->values + width * (size_t)key;
}

static weft_result check_keys(const weft_gltf *g, size_t index, const weft_channel *c,
                              uint32_t value_count) {
  uint32_t each = c->interpolation == WEFT_CUBICSPLINE ? 3 : 1;
  if (value_count != (uint64_t)each * c->count) {
    return weft_gltf_refuse(g, "channel %zu has %u times and %u values; it needs %u for each time",
                            index, c->count, value_count, each);
  }
  for (uint32_t k = 0; k < c->count; ++k) {
    if (fabs(c->times[k]) <= 1e6 && (k == 0 || c->times[k] > c->times[k - 1])) continue;
    return weft_gltf_refuse(g, "channel %zu: key %u is at %g s; times ascend, up to 1e6 s", index,
                            k, c->times[k]);
  }
  for (size_t k = 0; k < (size_t)value_count * width_of(c); ++k) {
    if (fabs(c->values[k]) <= 1e12) continue;
    return weft_gltf_refuse(g, "channel %zu: key %zu is not finite", index, k / width_of(c) / each);
  }
  return WEFT_OK;
}

/* Splines keep their lengths: their tangents belong to them. */
static weft_result check_rotations(const weft_gltf *g, size_t index, weft_channel *c) {
  for (uint32_t k = 0; k < c->count && c->path == WEFT_ROTATION; ++k) {
    weft_quaternion q;
    memcpy(q.q, value_at(c, k), sizeof q.q);
    if (!weft_quaternion_normalize(&q)) {
      return weft_gltf_refuse(g, "channel %zu: key %u is no rotation", index, k);
    }
    if (c->interpolation != WEFT_CUBICSPLINE) memcpy(value_at(c, k), q.q, sizeof q.q);
  }
  return WEFT_OK;
}

static weft_result read_sampler(weft_gltf *g, size_t index, const json_t *sampler,
                                weft_channel *c) {
  static const char *const kinds[] = {"LINEAR", "STEP", "CUBICSPLINE"};
  const json_t *kind = json_object_get(sampler, "interpolation");
  int which = WEFT_LINEAR;
  if (!sampler || (kind && !find_word(json_string_value(kind), kinds, 3, &which))) {
    return weft_gltf_refuse(
        g, "channel %zu: its sampler is missing, or interpolates in no known way", index);
  }
  c->interpolation = (weft_interpolation)which;
  uint32_t values;
  weft_result result = weft_gltf_numbers(g, weft_gltf_whole(sampler, "input", WEFT_GLTF_NONE), 1,
                                         "times of keys", &c->times, &c->count);
  if (result == WEFT_OK) {
    result = weft_gltf_numbers(g, weft_gltf_whole(sampler, "output", WEFT_GLTF_NONE), width_of(c),
                               "values of keys", &c->values, &values);
  }
  if (result == WEFT_OK) result = check_keys(g, index, c, values);
  return result == WEFT_OK ? check_rotations(g, index, c) : result;
}

/* A channel without a node moves nothing. */
static weft_result read_channel(weft_gltf *g, const json_t *item, size_t index,
                                const weft_nodes *nodes, weft_animation *animation) {
  static const char *const paths[] = {"translation", "rotation", "scale"};
  const json_t *channel = json_array_get(json_object_get(item, "channels"), index),
               *target = json_object_get(channel, "target");
  if (!json_object_get(target, "node")) return WEFT_OK;
  uint64_t node = weft_gltf_whole(target, "node", WEFT_GLTF_NONE);
  const char *path = json_string_value(json_object_get(target, "path"));
  int which;
  if (node >= nodes->count) {
    return weft_gltf_refuse(g, "channel %zu moves a node that does not exist", index);
  }
  if (path && strcmp(path, "weights") == 0) {
    return weft_gltf_refuse(g, "channel %zu moves morph targets, which weft does not read", index);
  }
  if (!find_word(path, paths, 3, &which)) {
    return weft_gltf_refuse(g, "channel %zu moves '%.40s' of a node", index,
                            path ? path : "nothing");
  }
  if (nodes->items[node].has_matrix) {
    return weft_gltf_refuse(g, "channel %zu moves node %llu, which has a matrix", index,
                            (unsigned long long)node);
  }
  weft_channel *c = &animation->channels[animation->count++];
  *c = (weft_channel){.node = (uint32_t)node, .path = (weft_channel_path)which};
  const json_t *samplers = json_object_get(item, "samplers");
  uint64_t sampler = weft_gltf_whole(channel, "sampler", WEFT_GLTF_NONE);
  weft_result result = read_sampler(g, index, json_array_get(samplers, (size_t)sampler), c);
  if (result == WEFT_OK) animation->duration = fmax(animation->duration, c->times[c->count - 1]);
  return result;
}

/* ---- several at once ---- */

static size_t count_channels(const weft_gltf *g, size_t index) {
  return json_array_size(json_object_get(weft_gltf_item(g, "animations", index), "channels"));
}

/* Channels from `first` on are of animation `index`. `movers` has of each node and path the number
 * of the animation that moves it, from 1. */
static weft_result check_movers(const weft_gltf *g, const weft_animation *animation, size_t first,
                                size_t index, uint32_t *movers) {
  enum { PATHS = WEFT_SCALE + 1 };
  char names[2][48];
  for (size_t k = first; k < animation->count; ++k) {
    const weft_channel *c = &animation->channels[k];
    uint32_t *mover = &movers[PATHS * (size_t)c->node + c->path];
    const size_t both[2] = {*mover ? *mover - 1 : index, index};
    *mover = (uint32_t)index + 1;
    if (both[0] == index) continue;
    for (int n = 0; n < 2; ++n) put_name(g, both[n], names[n], sizeof names[n]);
    return weft_fail(g->err, WEFT_ERROR_ARGUMENT,
                     "%s: its animations %s and %s both move node %u; choose one of them",
                     weft_shown_path(g->path), names[0], names[1], c->node);
  }
  return WEFT_OK;
}

static weft_result read_one(weft_gltf *g, const weft_nodes *nodes, size_t index, uint32_t *movers,
                            weft_animation *animation) {
  const json_t *item = weft_gltf_item(g, "animations", index);
  const size_t first = animation->count, count = count_channels(g, index);
  weft_result result = WEFT_OK;
  for (size_t k = 0; k < count && result == WEFT_OK; ++k) {
    result = read_channel(g, item, k, nodes, animation);
  }
  return result == WEFT_OK ? check_movers(g, animation, first, index, movers) : result;
}

weft_result weft_animation_read(weft_gltf *gltf, const weft_nodes *nodes, const char *name,
                                weft_animation *animation) {
  *animation = (weft_animation){0};
  size_t first, end, count = 0;
  weft_result result = choose(gltf, name, &first, &end);
  if (result != WEFT_OK) return result;
  for (size_t k = first; k < end; ++k) count += count_channels(gltf, k);
  animation->channels = weft_alloc(count, sizeof *animation->channels);
  uint32_t *movers = weft_alloc(3 * (size_t)nodes->count, sizeof *movers);
  for (size_t k = first; k < end && result == WEFT_OK; ++k) {
    result = read_one(gltf, nodes, k, movers, animation);
  }
  weft_free(movers);
  return result;
}

void weft_animation_free(weft_animation *animation) {
  for (size_t k = 0; k < animation->count; ++k) {
    weft_free(animation->channels[k].times);
    weft_free(animation->channels[k].values);
  }
  weft_free(animation->channels);
  *animation = (weft_animation){0};
}

/* ---- posing ---- */

/* glTF 2.0, appendix C.5: Hermite, tangents for a second. */
static void spline(const weft_channel *c, uint32_t key, double t, double *out) {
  double span = c->times[key + 1] - c->times[key], t2 = t * t, t3 = t2 * t;
  uint32_t width = width_of(c);
  const double *a = value_at(c, key), *b = value_at(c, key + 1), *leave = a + width,
               *arrive = b - width;
  for (uint32_t k = 0; k < width; ++k) {
    out[k] = (2 * t3 - 3 * t2 + 1) * a[k] + span * (t3 - 2 * t2 + t) * leave[k] +
             (3 * t2 - 2 * t3) * b[k] + span * (t3 - t2) * arrive[k];
  }
}

static void between(const weft_channel *c, uint32_t key, double t, double *out) {
  const double *a = value_at(c, key), *b = value_at(c, key + 1);
  weft_quaternion from, to;
  if (c->interpolation == WEFT_CUBICSPLINE) {
    spline(c, key, t, out);
  } else if (c->interpolation == WEFT_STEP) {
    memcpy(out, a, width_of(c) * sizeof *out);
  } else if (c->path == WEFT_ROTATION) {
    memcpy(from.q, a, sizeof from.q);
    memcpy(to.q, b, sizeof to.q);
    from = weft_quaternion_slerp(from, to, t);
    memcpy(out, from.q, sizeof from.q);
  } else {
    for (int k = 0; k < 3; ++k) out[k] = a[k] + t * (b[k] - a[k]);
  }
}

static void pose_channel(const weft_channel *c, double seconds, weft_node *node) {
  double value[4] = {0};
  uint32_t key = weft_motion_last_before(c->times, c->count, seconds);
  if (key + 1 < c->count && seconds > c->times[key]) {
    between(c, key, (seconds - c->times[key]) / (c->times[key + 1] - c->times[key]), value);
  } else {
    memcpy(value, value_at(c, key), width_of(c) * sizeof *value);
  }
  weft_quaternion q;
  switch (c->path) {
    case WEFT_TRANSLATION:
      memcpy(node->translation, value, sizeof node->translation);
      break;
    case WEFT_SCALE:
      memcpy(node->scale, value, sizeof node->scale);
      break;
    case WEFT_ROTATION:
      memcpy(q.q, value, sizeof q.q);
      if (weft_quaternion_normalize(&q)) node->rotation = q;
      break;
  }
}

void weft_animation_pose(const weft_animation *animation, double seconds, weft_nodes *nodes) {
  for (size_t k = 0; k < animation->count; ++k) {
    const weft_channel *c = &animation->channels[k];
    pose_channel(c, seconds, &nodes->items[c->node]);
  }
}
