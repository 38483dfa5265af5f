/* opt_bodies.c: the meshes and motions of --body. */
#include <string.h>
#include <strings.h>

#include "body_times.h"
#include "cli.h"
#include "opt_units.h"
#include "sequence.h"
#include "surface.h"

bool weft_cli_is_gltf(const char *file) {
  return weft_ends_with(file, ".glb") || weft_ends_with(file, ".gltf");
}

static bool brings_motion(const char *file) {
  return weft_is_sequence(file) || weft_cli_is_gltf(file);
}

void weft_cli_body_follow(const weft_cli_options *options, weft_cli_body *body) {
  const bool own = weft_cli_is_gltf(body->file);
  if (body->up == WEFT_UP_Z && own) {
    weft_log(WEFT_LOG_WARNING, "--body-up z: %s is y up by its format, and is turned all the same",
             body->file);
  }
  if (body->unit == 0) body->unit = own ? 1 : options->unit;
  if (body->up < 0) body->up = own ? WEFT_UP_Y : options->up;
  const char *said_by;
  body->rate = weft_cli_body_rate(options, body, &said_by);
}

/* What is said of a motion that has no place for it, so as to name the option. */
static weft_result check_motion(const weft_cli_body *body, const char *motion, weft_error *err) {
  if (body->group) {
    return weft_fail(
        err, WEFT_ERROR_ARGUMENT,
        "--body-group: %s moves, and a motion is of all of its file: save the part that is "
        "meant as a file of its own",
        body->file);
  }
  if (body->fps > 0 && !weft_is_sequence(motion) && !weft_ends_with(motion, ".pc2")) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-fps: %s has times of its own", motion);
  }
  if (body->animation && !weft_cli_is_gltf(motion)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--body-animation: %s is no glTF file with animations to choose from", motion);
  }
  if (!body->motion || !weft_is_sequence(body->file)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-motion %s: %s brings its own motion",
                   body->motion, body->file);
}

/* What a still body has no place for. */
static weft_result check_still(const weft_cli_body *body, weft_error *err) {
  if (!body->animation && !(body->fps > 0)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-%s: %s stands still",
                   body->animation ? "animation" : "fps", body->file);
}

static weft_result load_motion(const weft_cli_body *body, weft_scene_body *source,
                               weft_error *err) {
  weft_motion_desc desc = {.motion = body->motion ? body->motion : body->file,
                           .mesh = body->motion ? body->file : NULL,
                           .animation = body->animation,
                           .frames_per_second = body->rate,
                           .scale = body->scale * body->unit,
                           .up = (weft_up)body->up};
  weft_result result = check_motion(body, desc.motion, err);
  weft_error why = {0};
  if (result != WEFT_OK) return result;
  result = weft_motion_load(&desc, &source->motion, &why);
  if (result == WEFT_OK) return result;
  const bool choice = result == WEFT_ERROR_ARGUMENT && weft_cli_is_gltf(desc.motion);
  return weft_fail(err, result, "%s%.1000s", choice ? "--body-animation: " : "", why.message);
}

static weft_result load_mesh(const weft_cli_body *body, weft_scene_body *source, weft_error *err) {
  const weft_import_desc import = {
      .groups = body->group, .scale = body->scale * body->unit, .up = (weft_up)body->up};
  return weft_mesh_import(body->file, &import, &source->mesh, err);
}

/* Of a glTF whether it has no animation. */
static bool stands_still(const weft_cli_body *body, weft_scene_body *source, weft_error *why) {
  if (body->motion || !weft_cli_is_gltf(body->file)) return false;
  if (load_mesh(body, source, why) == WEFT_OK && !source->mesh.map.mending.animation_lost) {
    return true;
  }
  weft_mesh_free(&source->mesh);
  return false;
}

/* What is wrong with a file is for the reader of motions to say, unless that there is none. */
static weft_result load_moving(const weft_cli_body *body, weft_scene_body *source,
                               weft_error *err) {
  weft_error why = {.code = WEFT_OK};
  if (stands_still(body, source, &why)) {
    if (check_still(body, err) == WEFT_OK) return WEFT_OK;
    weft_mesh_free(&source->mesh);
    return err->code;
  }
  weft_result result = load_motion(body, source, err);
  if (result != WEFT_ERROR_MESH || why.code == WEFT_OK) return result;
  return weft_fail(err, why.code, "%s", why.message);
}

/* The end of a long name says more than its beginning. */
static void name_source(const char *file, weft_scene_body *source) {
  const char *slash = strrchr(file, '/'), *name = slash && slash[1] ? slash + 1 : file;
  size_t length = strlen(name), most = sizeof source->name - 1;
  snprintf(source->name, sizeof source->name, "%s", length > most ? name + length - most : name);
}

weft_result weft_cli_load_body(const weft_cli_body *body, weft_scene_body *source,
                               weft_error *err) {
  name_source(body->file, source);
  if (body->motion || brings_motion(body->file)) {
    return load_moving(body, source, err);
  }
  weft_result result = check_still(body, err);
  return result == WEFT_OK ? load_mesh(body, source, err) : result;
}

/* Such bodies stop cloth as any other, from either side; they are seldom meant. */
static void warn_of(const weft_cli_body *body, const weft_scene_body *source) {
  const weft_cli_surface s = weft_cli_surface_of(weft_scene_body_mesh(source));
  const weft_mesh_report *r = &s.report;
  if (r->nonmanifold_edges > 0) {
    weft_log(WEFT_LOG_WARNING, "--body: %s has %u edge%s of more than two triangles", body->file,
             r->nonmanifold_edges, weft_plural(r->nonmanifold_edges));
  }
  if (r->boundary_edges > 0) {
    weft_log(
        WEFT_LOG_WARNING,
        "--body: %s is open, %u edge%s of one triangle: an open part has no inside, so nothing "
        "counts as inside of it",
        body->file, r->boundary_edges, weft_plural(r->boundary_edges));
  }
  if (r->flipped_edges > 0) {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s has %u edge%s whose triangles face apart: such a part has no inside, so "
             "nothing "
             "counts as inside of it",
             body->file, r->flipped_edges, weft_plural(r->flipped_edges));
  }
  if (s.closed && s.volume < 0) {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is inside out: its faces look inwards (cloth keeps off either side)",
             body->file);
  }
}

/* ---- sizes ---- */

/* m: of the box around it, from corner to corner. */
static double extent_of(const weft_vec3 *positions, uint32_t count) {
  weft_vec3 low, high;
  weft_v3_bounds(positions, count, &low, &high);
  return (double)weft_v3_length(weft_v3_sub(high, low));
}

static void doubt_large(const weft_cli_body *body, double extent) {
  const double numbers = extent / (double)body->unit;
  const weft_cli_unit *unit = weft_cli_likely_unit(numbers);
  if (unit && unit->metres < (double)body->unit) {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is %.3g m from corner to corner: if it is in %s, --body-unit %s makes it "
             "%.3g m",
             body->file, extent, unit->name, unit->option, numbers * unit->metres);
  } else {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is %.3g m from corner to corner: --body-scale makes it smaller",
             body->file, extent);
  }
}

static void doubt_small(const weft_cli_body *body, double extent, double in_metres) {
  if (body->unit < 1) {
    weft_log(
        WEFT_LOG_WARNING,
        "--body: %s is %.3g m from corner to corner: if it is in metres, --body-unit m makes it "
        "%.3g m",
        body->file, extent, in_metres);
  } else {
    weft_log(WEFT_LOG_WARNING,
             "--body: %s is %.3g m from corner to corner: --body-scale makes it larger", body->file,
             extent);
  }
}

/* Much larger than a room; smaller than a button; or smaller than a hand and little beside the
 * cloth, where in metres it would be a thing that cloth is put on. */
static void doubt_size(const weft_cli_body *body, const weft_scene_body *source,
                       const weft_scene_instance *scene) {
  enum { LARGE = 20 };
  const double button = 0.02, hand = 0.25, person = 5;
  const weft_mesh *mesh = weft_scene_body_mesh(source);
  const double extent = extent_of(mesh->positions, mesh->vertex_count);
  const double cloth =
      extent_of(weft_model_rest_positions(scene->model), weft_model_particle_count(scene->model));
  const double in_metres = extent / (double)body->unit;
  const bool little = extent < hand && extent < cloth / 4 && body->unit < 1 && in_metres < person;
  if (extent > LARGE) {
    doubt_large(body, extent);
  } else if (extent < button || little) {
    doubt_small(body, extent, in_metres);
  }
}

weft_result weft_cli_bind_pins(const weft_cli_options *options, weft_scene_instance *scene,
                               weft_error *err) {
  const char *number = options->pin_to_body;
  if (!number) return WEFT_OK;
  uint32_t body = WEFT_NEAREST_BODY;
  weft_error why = {0};
  if (*number) {
    weft_result read = weft_read_count("--pin-to-body", number, 0, WEFT_MAX_BODIES - 1, &body, err);
    if (read != WEFT_OK) return read;
  }
  weft_result result = weft_scene_bind_pins(scene, body, &why);
  if (result == WEFT_OK) return result;
  return weft_fail(err, result, "--pin-to-body: %.900s", why.message);
}

/* What keeps cloth off a body is self-collision, on which there are conditions. */
static weft_result check_scene(const weft_cli_options *options, const weft_scene_instance *scene,
                               weft_error *err) {
  if (weft_model_triangle_count(scene->model) == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body: %s has no cloth for it to push",
                     scene->name);
  }
  if (weft_cli_gave(options, self_collision) && !options->params.self_collision) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--self-collision off: what keeps cloth off a --body is self-collision");
  }
  if (!scene->params.compensated) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--compensated on: it does not go with self-collision, which keeps cloth off a "
                   "--body");
}

static weft_result add_body(const weft_cli_body *body, weft_scene_instance *scene,
                            weft_error *err) {
  const weft_body like = {.friction_static = body->friction[0],
                          .friction_dynamic = body->friction[1],
                          .thickness = body->thickness};
  weft_scene_body source = {0};
  weft_error why = {0};
  weft_result result = weft_cli_load_body(body, &source, err);
  if (result != WEFT_OK) return result;
  warn_of(body, &source);
  doubt_size(body, &source, scene);
  result = weft_scene_add_body(scene, &source, &like, &why);
  if (result == WEFT_OK) return result;
  return weft_fail(err, result, "--body: %.400s: %.500s", body->file, why.message);
}

weft_result weft_cli_add_bodies(const weft_cli_options *options, weft_scene_instance *scene,
                                weft_error *err) {
  if (options->body_count == 0) return WEFT_OK;
  weft_result result = check_scene(options, scene, err);
  for (uint32_t b = 0; b < options->body_count && result == WEFT_OK; ++b) {
    weft_cli_body followed = options->bodies[b], *body = &followed;
    weft_cli_body_follow(options, body);
    result = add_body(body, scene, err);
  }
  return result;
}
