/* Motions: chooses the source, looks at all of it once, and answers for any time. */
#include "motion_internal.h"

#include <float.h>

#include "files.h"
#include "place.h"
#include "sequence.h"
#include "vec3d.h"

struct weft_motion {
  char *path; /* as it is shown */
  weft_mesh mesh;
  weft_up up; /* of what the source gives */
  weft_motion_source source;
  weft_motion_info info;
  /* Two frames that were read; UINT32_MAX for none. */
  uint32_t kept[2];
  weft_vec3 *positions[2];
};

/* ---- descriptor ---- */

/* What of a descriptor a kind of motion has a use for. */
typedef struct kind {
  const char *ending, *name;
  weft_motion_open *open;
  bool takes_mesh, takes_rate, takes_animation;
} kind;

static const kind sequence = {NULL, "a sequence of OBJ files", weft_sequence_open, false, true,
                              false};
static const kind kinds[] = {
    {".pc2", "a PC2 cache", weft_pc2_open, true, true, false},
    {".mdd", "an MDD cache", weft_mdd_open, true, false, false},
    {".glb", "a glTF file", weft_gltf_motion_open, false, true, true},
    {".gltf", "a glTF file", weft_gltf_motion_open, false, true, true},
    {".json", "a file of keys", weft_keys_open, true, true, false},
};
static const kind keys = {NULL, "a list of keys", weft_keys_open, true, true, false};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

/* NULL for none. */
static const kind *kind_of(const char *path) {
  if (weft_is_key_text(path)) return &keys;
  if (weft_is_sequence(path)) return &sequence;
  for (size_t k = 0; k < KIND_COUNT; ++k) {
    if (weft_ends_with(path, kinds[k].ending)) return &kinds[k];
  }
  return NULL;
}

static weft_result check_range(const char *what, double value, double low, double high,
                               weft_error *err) {
  if (value >= low && value <= high) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s is %g; it must be %g to %g", what, value, low,
                   high);
}

static weft_result check_use(const weft_motion_desc *desc, const kind *k, weft_error *err) {
  const char *path = weft_motion_name(desc), *name = k->name;
  if (k->takes_mesh && !desc->mesh) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %s moves a mesh, and none is named", path,
                     name);
  }
  if (!k->takes_mesh && desc->mesh) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %s brings its mesh; %s has no place", path,
                     name, weft_shown_path(desc->mesh));
  }
  if (!k->takes_rate && desc->frames_per_second != 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "%s: %s has a time for each frame; it takes no "
                     "frames a second",
                     path, name);
  }
  if (!k->takes_animation && desc->animation) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: %s has no animations to choose from", path,
                     name);
  }
  return WEFT_OK;
}

static weft_result check_desc(weft_motion_desc *desc, const kind **k, weft_error *err) {
  *k = kind_of(desc->motion);
  if (!*k) {
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "%s: not a motion that weft reads: .pc2, .mdd, .glb, .gltf, .json or a name like "
        "body-%%04d.obj",
        weft_shown_path(desc->motion));
  }
  weft_result result = check_use(desc, *k, err);
  if (desc->frames_per_second == 0) desc->frames_per_second = 60;
  if (desc->scale == 0) desc->scale = 1;
  if (desc->max_speed == 0) desc->max_speed = WEFT_MOTION_MAX_SPEED;
  if (result == WEFT_OK) {
    result = check_range("frames a second", desc->frames_per_second, 1e-3, 1e5, err);
  }
  if (result == WEFT_OK) {
    result = check_range("scale", (double)desc->scale, (double)FLT_MIN, 1e9, err);
  }
  if (result == WEFT_OK && (unsigned)desc->up > WEFT_UP_Z) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "up %d does not exist", (int)desc->up);
  }
  if (result == WEFT_OK)
    result = check_range("maximum speed", desc->max_speed, DBL_MIN, DBL_MAX, err);
  return result;
}

/* ---- frames ---- */

static weft_result check_positions(const weft_motion *m, const char *when, double value,
                                   const weft_vec3 *positions, weft_error *err) {
  for (uint32_t v = 0; v < m->mesh.vertex_count; ++v) {
    weft_vec3 p = positions[v];
    if (fabsf(p.x) <= 1e9f && fabsf(p.y) <= 1e9f && fabsf(p.z) <= 1e9f) continue;
    return weft_fail(err, WEFT_ERROR_FORMAT, "%s: %s %g: vertex %u is not finite or beyond 1e9 m",
                     m->path, when, value, v);
  }
  return WEFT_OK;
}

static weft_result pose_at(const weft_motion *m, double seconds, weft_vec3 *positions,
                           weft_error *err) {
  m->source.pose(m->source.self, seconds, positions);
  weft_lift(m->up, positions, m->mesh.vertex_count);
  return check_positions(m, "at seconds", seconds, positions, err);
}

static weft_result read_frame(const weft_motion *m, uint32_t frame, weft_vec3 *positions,
                              weft_error *err) {
  if (m->source.pose) return pose_at(m, m->source.times[frame], positions, err);
  weft_result result = m->source.frame(m->source.self, frame, positions, err);
  if (result != WEFT_OK) return result;
  weft_lift(m->up, positions, m->mesh.vertex_count);
  return check_positions(m, "frame", frame, positions, err);
}

/* The frame's positions in one of the two places; `other` stays where it is. */
static weft_result keep_frame(weft_motion *m, uint32_t frame, uint32_t other,
                              const weft_vec3 **positions, weft_error *err) {
  int place = m->kept[0] == frame ? 0 : m->kept[1] == frame ? 1 : m->kept[0] == other;
  *positions = m->positions[place];
  if (m->kept[place] == frame) return WEFT_OK;
  m->kept[place] = UINT32_MAX;
  weft_result result = read_frame(m, frame, m->positions[place], err);
  if (result == WEFT_OK) m->kept[place] = frame;
  return result;
}

static float mix(float a, float b, double part) {
  return (float)((double)a + part * ((double)b - (double)a));
}

static weft_result between_frames(weft_motion *m, double seconds, weft_vec3 *positions,
                                  weft_error *err) {
  const double *times = m->source.times;
  uint32_t lower = weft_motion_last_before(times, m->source.frame_count, seconds);
  uint32_t upper = lower + 1 < m->source.frame_count ? lower + 1 : lower;
  const weft_vec3 *a, *b;
  double part = upper > lower ? (seconds - times[lower]) / (times[upper] - times[lower]) : 0;
  if (!(part > 0)) upper = lower;
  weft_result result = keep_frame(m, lower, upper, &a, err);
  if (result == WEFT_OK) result = keep_frame(m, upper, lower, &b, err);
  if (result != WEFT_OK) return result;
  if (upper == lower) {
    memcpy(positions, a, m->mesh.vertex_count * sizeof *positions);
    return WEFT_OK;
  }
  for (uint32_t v = 0; v < m->mesh.vertex_count; ++v) {
    positions[v] =
        weft_v3(mix(a[v].x, b[v].x, part), mix(a[v].y, b[v].y, part), mix(a[v].z, b[v].z, part));
  }
  return WEFT_OK;
}

weft_result weft_motion_at(weft_motion *motion, double seconds, weft_vec3 *positions,
                           weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(motion);
  WEFT_NEED(positions);
  if (!isfinite(seconds)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: asked for the time %g", motion->path, seconds);
  }
  return motion->source.pose ? pose_at(motion, seconds, positions, err)
                             : between_frames(motion, seconds, positions, err);
}

/* ---- the first look ---- */

static void widen_box(weft_motion_info *info, const weft_vec3 *positions, uint32_t count) {
  for (uint32_t v = 0; v < count; ++v) {
    weft_vec3 p = positions[v], *low = &info->box_min, *high = &info->box_max;
    *low = weft_v3(fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z));
    *high = weft_v3(fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z));
  }
}

/* From frame - 1 to frame. */
static weft_result measure_step(weft_motion *m, uint32_t frame, const weft_vec3 *before,
                                const weft_vec3 *after, double max_speed, weft_error *err) {
  const double *times = m->source.times;
  double longest = 0;
  uint32_t vertex = 0;
  for (uint32_t v = 0; v < m->mesh.vertex_count; ++v) {
    double step = weft_v3_distance(before[v], after[v]);
    if (step > longest) longest = step, vertex = v;
  }
  double speed = longest / (times[frame] - times[frame - 1]);
  if (speed > m->info.fastest_speed) {
    m->info.fastest_speed = speed;
    m->info.fastest_vertex = vertex;
    m->info.fastest_frame = frame - 1;
    m->info.fastest_step = longest;
    m->info.fastest_seconds = times[frame - 1];
  }
  if (speed <= max_speed) return WEFT_OK;
  return weft_fail(
      err, WEFT_ERROR_FORMAT,
      "%s: vertex %u jumps %.3g m from frame %u to %u, which is %.3g m/s; at most %.3g", m->path,
      vertex, longest, frame - 1, frame, speed, max_speed);
}

static weft_result look_at_all(weft_motion *m, double max_speed, weft_error *err) {
  const double *times = m->source.times;
  weft_result result = WEFT_OK;
  m->info.box_min = m->info.box_max = m->mesh.positions[0];
  for (uint32_t k = 0; k < m->source.frame_count && result == WEFT_OK; ++k) {
    const weft_vec3 *before = NULL, *after;
    if (k > 0) result = keep_frame(m, k - 1, k, &before, err);
    if (result == WEFT_OK) result = keep_frame(m, k, k - 1, &after, err);
    if (result != WEFT_OK) break;
    widen_box(&m->info, after, m->mesh.vertex_count);
    if (k > 0 && times[k] > times[k - 1])
      result = measure_step(m, k, before, after, max_speed, err);
    weft_progress("looking at the motion", k + 1, m->source.frame_count);
  }
  weft_progress_end();
  return result;
}

/* ---- is it a cache of this mesh? ---- */

static double total_edges(const weft_mesh *mesh, const weft_vec3 *positions) {
  double sum = 0;
  for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
    size_t next = c % 3 == 2 ? c - 2 : c + 1;
    sum += weft_v3_distance(positions[mesh->triangles[c]], positions[mesh->triangles[next]]);
  }
  return sum;
}

/* A body may start anywhere, and bend; that all of its edges become several times as long tells
 * that vertices do not belong to it. */
static weft_result compare_with_rest(weft_motion *m, const char *mesh_path, weft_error *err) {
  enum { TORN = 3, FAR = 1 };
  const weft_vec3 *first;
  weft_result result = keep_frame(m, 0, 0, &first, err);
  if (result != WEFT_OK) return result;
  for (uint32_t v = 0; v < m->mesh.vertex_count; ++v) {
    m->info.rest_distance =
        fmax(m->info.rest_distance, weft_v3_distance(first[v], m->mesh.positions[v]));
  }
  double rest = total_edges(&m->mesh, m->mesh.positions), posed = total_edges(&m->mesh, first);
  if (posed > TORN * rest || TORN * posed < rest) {
    return weft_fail(
        err, WEFT_ERROR_FORMAT,
        "%s: frame 0 makes the edges of %s %.3g times as long: a cache of another mesh, "
        "of another order of vertices, or of another scale",
        m->path, mesh_path, posed / rest);
  }
  if (m->info.rest_distance > FAR && !m->source.pose) {
    weft_log(WEFT_LOG_WARNING, "%s: frame 0 is %.3g m away from %s", m->path, m->info.rest_distance,
             mesh_path);
  }
  return WEFT_OK;
}

/* ---- load ---- */

static weft_result import_mesh(const weft_motion_desc *desc, weft_mesh *mesh, weft_error *err) {
  const weft_import_desc import = {.scale = desc->scale, .keep_defects = true};
  return weft_mesh_import(desc->mesh, &import, mesh, err);
}

static weft_result open_source(const weft_motion_desc *desc, const kind *k, weft_motion *m,
                               weft_error *err) {
  weft_result result = desc->mesh ? import_mesh(desc, &m->mesh, err) : WEFT_OK;
  if (result != WEFT_OK) return result;
  result = k->open(desc, &m->mesh, &m->source, err);
  m->up = desc->up;
  if (result == WEFT_OK) weft_lift(m->up, m->mesh.positions, m->mesh.vertex_count);
  return result;
}

static weft_result look(weft_motion *m, const weft_motion_desc *desc, weft_error *err) {
  m->info.kind = m->source.kind;
  m->info.frame_count = m->source.frame_count;
  m->info.duration = m->source.times[m->source.frame_count - 1];
  m->info.file_start = m->source.file_start;
  m->info.file_step = m->source.file_step > 0 ? m->source.file_step : 1;
  for (int place = 0; place < 2; ++place) {
    m->kept[place] = UINT32_MAX;
    m->positions[place] = weft_alloc(m->mesh.vertex_count, sizeof(weft_vec3));
  }
  weft_result result =
      desc->mesh ? compare_with_rest(m, weft_shown_path(desc->mesh), err) : WEFT_OK;
  if (result == WEFT_OK) result = weft_motion_at(m, 0, m->mesh.positions, err);
  return result == WEFT_OK ? look_at_all(m, desc->max_speed, err) : result;
}

weft_result weft_motion_load(const weft_motion_desc *desc, weft_motion **motion, weft_error *err) {
  WEFT_GUARD(err);
  WEFT_NEED(motion);
  *motion = NULL;
  WEFT_NEED(desc);
  WEFT_NEED(desc->motion);
  weft_motion_desc d = *desc;
  const kind *k;
  weft_result result = check_desc(&d, &k, err);
  if (result != WEFT_OK) return result;
  weft_motion *m = weft_alloc(1, sizeof *m);
  m->path = weft_strdup(weft_motion_name(&d));
  result = open_source(&d, k, m, err);
  if (result == WEFT_OK) result = look(m, &d, err);
  if (result == WEFT_OK) {
    *motion = m;
  } else {
    weft_motion_free(m);
  }
  return result;
}

void weft_motion_free(weft_motion *motion) {
  if (!motion) return;
  if (motion->source.free) motion->source.free(motion->source.self);
  weft_free(motion->source.times);
  weft_mesh_free(&motion->mesh);
  for (int place = 0; place < 2; ++place) weft_free(motion->positions[place]);
  weft_free(motion->path);
  weft_free(motion);
}

/* ---- what it is like ---- */

const weft_mesh *weft_motion_mesh(const weft_motion *motion) {
  return motion ? &motion->mesh : NULL;
}

weft_motion_info weft_motion_describe(const weft_motion *motion) {
  return motion ? motion->info : (weft_motion_info){0};
}

double weft_motion_frame_seconds(const weft_motion *motion, uint32_t frame) {
  return motion && frame < motion->info.frame_count ? motion->source.times[frame] : 0;
}

double weft_motion_duration(const weft_motion *motion) {
  return motion ? motion->info.duration : 0;
}
