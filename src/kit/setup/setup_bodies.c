/* setup_bodies.c: --body and what stands behind it, and the meshes and motions of them. */
#include <string.h>

#include "sequence.h"
#include "setup_internal.h"

/* ---- bodies: what is said of one stands behind it ---- */

weft_result weft_setup_add_body(weft_setup *options, const char *file, weft_error *err) {
  if (options->body_count == WEFT_MAX_BODIES) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body: more than %d of them", WEFT_MAX_BODIES);
  }
  options->bodies[options->body_count++] =
      (weft_setup_body){.file = file, .friction = {0.4f, 0.3f}, .scale = 1, .up = -1};
  return WEFT_OK;
}

static weft_result take_body(void *base, const char *text, weft_error *err) {
  return weft_setup_add_body(base, text, err);
}

static weft_result last_body(weft_setup *options, const char *option, weft_setup_body **body,
                             weft_error *err) {
  if (options->body_count == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s: stands behind the --body that it is of",
                     option);
  }
  *body = &options->bodies[options->body_count - 1];
  return WEFT_OK;
}

/* A second one is of another body, whose --body was forgotten. */
static weft_result take_text(void *base, const char *option, const char **of, const char *text,
                             weft_error *err) {
  const weft_setup *options = base;
  if (*of) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "%s %.1000s: %.1000s has one already, %.1000s",
                     option, text, options->bodies[options->body_count - 1].file, *of);
  }
  *of = text;
  return WEFT_OK;
}

static weft_result take_body_motion(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-motion", &body, err);
  return result == WEFT_OK ? take_text(base, "--body-motion", &body->motion, text, err) : result;
}

static weft_result take_body_animation(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-animation", &body, err);
  if (result != WEFT_OK) return result;
  return take_text(base, "--body-animation", &body->animation, text, err);
}

static weft_result take_body_fps(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-fps", &body, err);
  if (result != WEFT_OK) return result;
  return weft_read_number("--body-fps", text, 1e-3, 1e5, &body->fps, err);
}

static weft_result take_body_group(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-group", &body, err);
  return result == WEFT_OK ? take_text(base, "--body-group", &body->group, text, err) : result;
}

static weft_result take_body_scale(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-scale", &body, err);
  if (result != WEFT_OK) return result;
  return weft_read_number("--body-scale", text, 1e-6, 1e6, &body->scale, err);
}

static weft_result take_body_unit(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-unit", &body, err);
  return result == WEFT_OK ? weft_setup_read_unit("--body-unit", text, &body->unit, err) : result;
}

static weft_result take_body_up(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-up", &body, err);
  if (result != WEFT_OK) return result;
  for (int k = 0; weft_setup_ups[k]; ++k) {
    if (strcmp(weft_setup_ups[k], text) != 0) continue;
    body->up = k;
    return WEFT_OK;
  }
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-up: \"%s\" is none of y, z", text);
}

static weft_result take_body_thickness(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-thickness", &body, err);
  if (result != WEFT_OK) return result;
  return weft_read_number("--body-thickness", text, 1e-6, 1, &body->thickness, err);
}

static weft_result take_body_friction(void *base, const char *text, weft_error *err) {
  weft_setup_body *body = NULL;
  weft_result result = last_body(base, "--body-friction", &body, err);
  if (result != WEFT_OK) return result;
  body->friction_given = true;
  return weft_setup_read_friction("--body-friction", text, body->friction, err);
}

#define AT(field) .offset = offsetof(weft_setup, field)

const weft_option weft_setup_body_options[WEFT_SETUP_BODY_OPTIONS] = {
    OPTION(CUSTOM, "body", "FILE",
           "a mesh that pushes the cloth, still or moving. May be given several times\n"
           "Read as --mesh is; turns self-collision on. Bodies that move: an animated glTF file "
           "(.glb, .gltf), a name\n"
           "like body-%04d.obj for a file a frame, or --body-motion",
           .common = true, .take = take_body),
    OPTION(CUSTOM, "body-motion", "FILE",
           "how the --body before it moves: a point cache (.pc2, .mdd) or rigid keys (.json)\n"
           "Default: it stands still",
           .common = true, .take = take_body_motion),
    OPTION(CUSTOM, "body-fps", "N",
           "frames a second of the --body before it, of PC2 and OBJ files, which do not say.\n"
           "Default: those of --fps or --dt, else 60",
           .take = take_body_fps),
    OPTION(CUSTOM, "body-animation", "NAME",
           "of several in the glTF file of the --body before it, those without a name by their\n"
           "numbers from 0; or all, together, where they move different nodes",
           .take = take_body_animation),
    OPTION(CUSTOM, "body-group", "NAMES",
           "only these groups or objects of the --body before it, which stands still: a motion is\n"
           "of all of its file. Default: all",
           .take = take_body_group),
    OPTION(CUSTOM, "body-scale", "FACTOR",
           "makes the --body before it so many times as large, beside its unit. Default: 1",
           .take = take_body_scale),
    OPTION(CUSTOM, "body-unit", "UNIT",
           "of the --body before it, as --unit. Default: that of --unit; m for glTF",
           .take = take_body_unit),
    OPTION(CUSTOM, "body-up", "AXIS",
           "of the --body before it, as --up. Default: that of --up; y for glTF",
           .take = take_body_up),
    OPTION(CUSTOM, "body-friction", "S[,K]",
           "of cloth on the --body before it, at rest and sliding. Default: 0.4,0.3",
           .take = take_body_friction),
    OPTION(CUSTOM, "body-thickness", "METRES",
           "how far cloth keeps away from the --body before it. Default: that of\n"
           "--self-thickness",
           .take = take_body_thickness),
    OPTION(OPTIONAL, "pin-to-body", "N",
           "pinned particles go with the body that each is nearest to at the start, or all with\n"
           "body N, counted from 0. Default: they stay, or go as the scene has it",
           AT(pin_to_body)),
    OPTION(OPTIONAL, "dress", "SECONDS",
           "cloth that starts partly inside of bodies or through them begins outside: bodies are\n"
           "made smaller and grow back in so many simulated seconds. Default: it starts as it\n"
           "is; without seconds 1",
           AT(dress)),
};

/* ---- when they move ---- */

const char weft_setup_rate_guess[] = "default";

/* What moves a body of the options; its own file where that brings the motion. */
static const char *motion_of(const weft_setup_body *body) {
  return body->motion ? body->motion : body->file;
}

double weft_setup_body_rate(const weft_setup *options, const weft_setup_body *body,
                            const char **said_by) {
  const char *motion = motion_of(body);
  *said_by = "file";
  if (!weft_is_sequence(motion) && !weft_ends_with(motion, ".pc2")) return 0;
  *said_by = "--body-fps";
  if (body->fps > 0) return (double)body->fps;
  *said_by = options->fps > 0 ? "--fps" : "--dt";
  if (weft_setup_gave(options, frame_dt)) return 1 / (double)options->params.frame_dt;
  *said_by = weft_setup_rate_guess;
  return 60;
}

/* ---- reading ---- */

bool weft_setup_is_gltf(const char *file) {
  return weft_ends_with(file, ".glb") || weft_ends_with(file, ".gltf");
}

static bool brings_motion(const char *file) {
  return weft_is_sequence(file) || weft_setup_is_gltf(file);
}

void weft_setup_body_follow(const weft_setup *options, weft_setup_body *body) {
  const bool own = weft_setup_is_gltf(body->file);
  if (body->up == WEFT_UP_Z && own) {
    weft_log(WEFT_LOG_WARNING, "--body-up z: %s is y up by its format, and is turned all the same",
             body->file);
  }
  if (body->unit == 0) body->unit = own ? 1 : options->unit;
  if (body->up < 0) body->up = own ? WEFT_UP_Y : options->up;
  const char *said_by;
  body->rate = weft_setup_body_rate(options, body, &said_by);
}

/* What is said of a motion that has no place for it, so as to name the option. */
static weft_result check_motion(const weft_setup_body *body, const char *motion, weft_error *err) {
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
  if (body->animation && !weft_setup_is_gltf(motion)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--body-animation: %s is no glTF file with animations to choose from", motion);
  }
  if (!body->motion || !weft_is_sequence(body->file)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-motion %s: %s brings its own motion",
                   body->motion, body->file);
}

/* What a still body has no place for. */
static weft_result check_still(const weft_setup_body *body, weft_error *err) {
  if (!body->animation && !(body->fps > 0)) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body-%s: %s stands still",
                   body->animation ? "animation" : "fps", body->file);
}

static weft_result load_motion(const weft_setup_body *body, weft_scene_body *source,
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
  const bool choice = result == WEFT_ERROR_ARGUMENT && weft_setup_is_gltf(desc.motion);
  return weft_fail(err, result, "%s%.1000s", choice ? "--body-animation: " : "", why.message);
}

static void release_model(void *scene) {
  weft_model_destroy(((weft_scene_instance *)scene)->model);
}

/* The one of a built-in scene, with the way that it goes there. */
static weft_result borrow(const char *name, weft_scene_body *source, weft_error *err) {
  const weft_scene *scene = weft_scene_find(name);
  weft_scene_instance lender = {0};
  weft_scene_options options = {.plain = true};
  if (!scene) return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body: there is no scene %.60s", name);
  if (scene->uses & WEFT_SCENE_MANNEQUIN) options.mannequin = WEFT_MANNEQUIN_MESH;
  weft_deferred *deferred = weft_defer(release_model, &lender);
  weft_result result = weft_scene_make(scene, &options, &lender, err);
  weft_defer_end(deferred);
  if (result != WEFT_OK) return result;
  if (lender.params.body_count > 0) {
    *source = lender.body_sources[0];
    weft_free(source->positions); /* of the scene it was in */
    source->positions = NULL;
    lender.body_sources[0] = (weft_scene_body){0};
  } else {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--body: the scene %.60s has no body", name);
  }
  weft_scene_free(&lender);
  return result;
}

static weft_result load_mesh(const weft_setup_body *body, weft_scene_body *source,
                             weft_error *err) {
  const weft_import_desc import = {
      .groups = body->group, .scale = body->scale * body->unit, .up = (weft_up)body->up};
  return weft_mesh_import(body->file, &import, &source->mesh, err);
}

/* Of a glTF whether it has no animation. */
static bool stands_still(const weft_setup_body *body, weft_scene_body *source, weft_error *why) {
  if (body->motion || !weft_setup_is_gltf(body->file)) return false;
  if (load_mesh(body, source, why) == WEFT_OK && !source->mesh.map.mending.animation_lost) {
    return true;
  }
  weft_mesh_free(&source->mesh);
  return false;
}

/* What is wrong with a file is for the reader of motions to say, unless that there is none. */
static weft_result load_moving(const weft_setup_body *body, weft_scene_body *source,
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

weft_result weft_setup_load_body(const weft_setup_body *body, weft_scene_body *source,
                                 weft_error *err) {
  if (strncmp(body->file, "scene:", 6) == 0) {
    weft_result result = check_still(body, err);
    if (result == WEFT_OK) result = borrow(body->file + 6, source, err);
    return result;
  }
  name_source(body->file, source);
  if (body->motion || brings_motion(body->file)) {
    return load_moving(body, source, err);
  }
  weft_result result = check_still(body, err);
  return result == WEFT_OK ? load_mesh(body, source, err) : result;
}

weft_result weft_setup_bind_pins(const weft_setup *options, weft_scene_instance *scene,
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
static weft_result check_scene(const weft_setup *options, const weft_scene_instance *scene,
                               weft_error *err) {
  if (weft_model_triangle_count(scene->model) == 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--body: %s has no cloth for it to push",
                     scene->name);
  }
  if (weft_setup_gave(options, self_collision) && !options->params.self_collision) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--self-collision off: what keeps cloth off a --body is self-collision");
  }
  if (!scene->params.compensated) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT,
                   "--compensated on: it does not go with self-collision, which keeps cloth off a "
                   "--body");
}

static weft_result add_body(const weft_setup_body *body, weft_scene_instance *scene,
                            weft_error *err) {
  const weft_body like = {.friction_static = body->friction[0],
                          .friction_dynamic = body->friction[1],
                          .thickness = body->thickness};
  weft_scene_body source = {0};
  weft_error why = {0};
  weft_result result = weft_setup_load_body(body, &source, err);
  if (result != WEFT_OK) return result;
  result = weft_scene_add_body(scene, &source, &like, &why);
  if (result == WEFT_OK) return result;
  return weft_fail(err, result, "--body: %.400s: %.500s", body->file, why.message);
}

weft_result weft_setup_add_bodies(const weft_setup *options, weft_scene_instance *scene,
                                  weft_error *err) {
  if (options->body_count == 0) return WEFT_OK;
  weft_result result = check_scene(options, scene, err);
  for (uint32_t b = 0; b < options->body_count && result == WEFT_OK; ++b) {
    weft_setup_body followed = options->bodies[b], *body = &followed;
    weft_setup_body_follow(options, body);
    result = add_body(body, scene, err);
  }
  return result;
}
