/* bodies.c: the meshes and motions of --body. */
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "surface.h"

bool weft_cli_is_gltf(const char *file) {
  const char *dot = strrchr(file, '.');
  return dot && (!strcasecmp(dot, ".glb") || !strcasecmp(dot, ".gltf"));
}

static bool brings_motion(const char *file) { return strchr(file, '%') || weft_cli_is_gltf(file); }

void weft_cli_body_follow(const weft_cli_options *options, weft_cli_body *body) {
  const bool own = weft_cli_is_gltf(body->file);
  if (body->up == WEFT_UP_Z && own) {
    weft_log(WEFT_LOG_WARNING, "--body-up z: %s is y up by its format, and is turned all the same",
             body->file);
  }
  if (body->unit == 0) body->unit = own ? 1 : options->unit;
  if (body->up < 0) body->up = own ? WEFT_UP_Y : options->up;
}

static weft_result load_motion(const weft_cli_body *body, weft_scene_body *source,
                               weft_error *err) {
  if (body->group) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--body-group: %s moves, and a motion is of all vertices", body->file);
  }
  weft_motion_desc desc = {.motion = body->motion ? body->motion : body->file,
                           .mesh = body->motion ? body->file : NULL,
                           .scale = body->scale * body->unit,
                           .up = (weft_up)body->up};
  return weft_motion_load(&desc, &source->motion, err);
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
  if (stands_still(body, source, &why)) return WEFT_OK;
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
  return load_mesh(body, source, err);
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

weft_result weft_cli_add_bodies(const weft_cli_options *options, weft_scene_instance *scene,
                                weft_error *err) {
  weft_result result = WEFT_OK;
  if (options->body_count > 0 && options->self_given && !options->self_collision) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--self-collision off: what keeps cloth off a --body is self-collision");
  }
  for (uint32_t b = 0; b < options->body_count && result == WEFT_OK; ++b) {
    weft_cli_body followed = options->bodies[b], *body = &followed;
    weft_cli_body_follow(options, body);
    const weft_body like = {.friction_static = body->friction[0],
                            .friction_dynamic = body->friction[1],
                            .thickness = body->thickness};
    weft_scene_body source = {0};
    result = weft_cli_load_body(body, &source, err);
    if (result != WEFT_OK) break;
    warn_of(body, &source);
    result = weft_scene_add_body(scene, &source, &like, err);
  }
  return result;
}
