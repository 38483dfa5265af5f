/* setup_make.c: from settings to a scene. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <weft_kit/fit.h>
#include <weft_kit/layers.h>

#include "inspect.h"
#include "mesh_internal.h"
#include "setup_internal.h"

static void apply_parameters(const weft_setup *o, weft_params *p) {
  const weft_vec3 g = o->params.gravity;
  if (weft_setup_gave(o, frame_dt)) p->frame_dt = o->params.frame_dt; /* its own rates follow */
  if (o->mueller2007) weft_params_mueller2007(p);
  if (weft_setup_gave(o, wind)) {
    weft_scene_blow(p, o->params.wind);
    if (p->air_density == 0) p->air_density = WEFT_AIR; /* still air is air */
  }
  for (uint32_t k = 0; k < o->param_key_count; ++k) {
    const bool blows = o->param_keys[k].row == WEFT_PARAM_wind;
    if (blows && p->air_density == 0) p->air_density = WEFT_AIR;
  }
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (o->given[k]) weft_param_copy(p, &o->params, k);
  }
  if (weft_setup_gave(o, contact_static) && !weft_setup_gave(o, contact_dynamic)) {
    p->contact_dynamic = p->contact_static;
  }
  if (weft_setup_gave(o, gravity)) p->no_gravity = g.x == 0 && g.y == 0 && g.z == 0;
  if (weft_setup_gave(o, self_iterations)) p->no_self_pushes = p->self_iterations == 0;
  if (o->tangled == WEFT_SETUP_TANGLED_REFUSE) p->tangled = WEFT_TANGLED_REFUSE;
}

/* What a scene does unless told otherwise yields to what it is told and does not go with it. */
static void yield(const weft_setup *o, weft_scene_instance *scene) {
  weft_params *p = &scene->params;
  const char *to = p->compensated                        ? "--compensated"
                   : p->schedule == WEFT_SCHEDULE_SINGLE ? "--schedule single"
                                                         : NULL;
  weft_error why = {0};
  if (!p->self_collision || weft_setup_gave(o, self_collision) || p->body_count > 0) return;
  if (to) snprintf(why.message, sizeof why.message, "it does not go with %s", to);
  /* A thickness that was asked for is no default, and is refused where it is too small. */
  const bool asked = weft_setup_gave(o, self_thickness);
  if (!to && (asked || weft_self_check(scene->model, p, &why) == WEFT_OK)) return;
  p->self_collision = false;
  weft_log(WEFT_LOG_WARNING, "self-collision is off: %s", why.message);
}

static weft_scene_options scene_options(const weft_setup *o) {
  return (weft_scene_options){
      .size = o->size,
      .pattern = (weft_grid_pattern)o->pattern,
      .no_shear = o->no_shear,
      .material = o->fabric,
      .compliance = o->compliance_given ? o->compliance : NULL,
      .bending = (weft_bending)o->bending,
      .bending_set = o->bending_given,
      .pins = o->pins,
      .pin_count = o->pin_count,
      .seed = o->seed,
      .links = o->links,
      .masses = o->masses,
      .mass_count = o->mass_count,
      .lengths = o->lengths,
      .length_count = o->length_count,
      .angle = o->angle * 0.017453292f,
      .angle_set = o->angle_given,
      .turns = o->turns,
      .drawn = o->drawn,
      .layers = o->layers,
      .mannequin = (weft_mannequin)o->mannequin,
      .ground = o->ground,
      .ground_height = o->ground_height,
      .plain = true, /* until the parameters are there */
  };
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

/* A sentence about a mesh names its file. */
static weft_result name_file(const char *path, weft_result result, weft_error *err) {
  weft_error why = *err;
  if (result != WEFT_ERROR_MESH || strstr(why.message, file_name(path))) return result;
  return weft_fail(err, result, "%s: %.900s", path, why.message);
}

/* Whether layers that lie in one place start apart: what keeps them so is on, and they are not
 * wanted as they are. */
static bool parts_layers(const weft_setup *o) {
  const weft_params *p = &o->params;
  const bool off = p->compensated || p->schedule == WEFT_SCHEDULE_SINGLE;
  const bool as_it_is = o->tangled_given && o->tangled != WEFT_SETUP_TANGLED_LOOSEN;
  return (weft_setup_gave(o, self_collision) ? p->self_collision : !off) && !as_it_is;
}

static weft_result import_cloth(const weft_setup *o, weft_mesh *mesh, weft_error *err) {
  const weft_import_desc import = weft_setup_import_desc(o);
  weft_result result = weft_mesh_import(o->mesh, &import, mesh, err);
  if (result != WEFT_OK || !parts_layers(o)) return result;
  result = weft_mesh_separate_layers(mesh, o->params.self_thickness, err);
  if (result != WEFT_OK) weft_mesh_free(mesh);
  return result;
}

static weft_result import_scene(const weft_setup *o, weft_scene_instance *scene, weft_error *err) {
  weft_mesh mesh = {0};
  weft_result result = import_cloth(o, &mesh, err);
  if (result != WEFT_OK) return result;
  if (!o->keep_order && !weft_mesh_find_grid(&mesh)) weft_mesh_order(&mesh);
  weft_scene_options options = scene_options(o);
  weft_pin pins[WEFT_SETUP_MAX_PINS];
  options.pins = pins;
  bool *attached = NULL;
  result = weft_setup_find_pins(o, &mesh.map, pins, err);
  if (result == WEFT_OK) result = weft_setup_find_attached(o, &mesh, pins, &attached, err);
  if (result == WEFT_OK) {
    options.attached = attached;
    result = weft_scene_from_mesh(file_name(o->mesh), &mesh, &options, scene, err);
  }
  weft_free(attached);
  weft_setup_free_pins(o, pins);
  weft_mesh_free(&mesh); /* empty where the scene took it over */
  return name_file(o->mesh, result, err);
}

/* ---- how far it may stretch ---- */

/* What of it was given: WEFT_KEEP_ bits. */
static unsigned strain_kept(const weft_setup *o) {
  unsigned kept = 0;
  if (weft_setup_gave(o, substeps) || o->mueller2007) kept |= WEFT_KEEP_SUBSTEPS;
  if (weft_setup_gave(o, iterations) || o->mueller2007) kept |= WEFT_KEEP_ITERATIONS;
  if (weft_setup_gave(o, multilevel)) kept |= WEFT_KEEP_MULTILEVEL;
  if (weft_setup_gave(o, multilevel_sweeps)) kept |= WEFT_KEEP_MULTILEVEL_SWEEPS;
  if (o->params.multilevel_slack > 0) kept |= WEFT_KEEP_MULTILEVEL_SLACK;
  if (weft_setup_gave(o, lra)) kept |= WEFT_KEEP_LRA;
  if (weft_setup_gave(o, lra_slack)) kept |= WEFT_KEEP_LRA_SLACK;
  if (weft_setup_gave(o, line_sweeps)) kept |= WEFT_KEEP_LINE_SWEEPS;
  return kept;
}

/* What is done by default yields to what it does not go with. */
static void say_plain(const weft_setup *options, const weft_scene_instance *scene) {
  const weft_params *p = &scene->params;
  bool cloth = weft_model_triangle_count(scene->model) > 0;
  if (p->method == WEFT_METHOD_XPBD || !cloth || weft_setup_gave(options, line_sweeps)) return;
  weft_log(WEFT_LOG_WARNING,
           "the sweep is plain and cloth may stretch: lines go with --method xpbd alone");
}

weft_result weft_setup_hold(const weft_setup *options, weft_scene_instance *scene,
                            weft_error *err) {
  weft_error why = {0};
  if (options->plain && options->max_strain > 0) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--plain leaves out what --max-strain chooses: give one");
  }
  scene->params.plain = options->plain;
  if (options->plain) return WEFT_OK;
  weft_result result = weft_scene_hold(scene, scene->model, options->max_strain,
                                       strain_kept(options), &scene->params, &scene->held, &why);
  if (result == WEFT_OK && !(scene->held.target > 0)) say_plain(options, scene);
  if (result == WEFT_OK) return WEFT_OK;
  return weft_fail(err, result, "%s%s: %.900s", options->max_strain > 0 ? "--max-strain for " : "",
                   scene->name, why.message);
}

/* ---- where it starts ---- */

static weft_result fit(const weft_setup *o, weft_scene_instance *scene, weft_error *err) {
  if (!o->dress) return WEFT_OK;
  weft_fit_desc desc = {.model = scene->model,
                        .params = &scene->params,
                        .backend = o->dresses ? o->dresses : weft_backend_cpu(0),
                        .hold_pins = scene->animate != NULL};
  weft_result result = WEFT_OK;
  if (*o->dress) result = weft_read_number("--dress", o->dress, 0.01, 100, &desc.seconds, err);
  if (result == WEFT_OK && scene->params.body_count == 0) {
    result = weft_fail(err, WEFT_ERROR_ARGUMENT, "--dress: needs a --body to put the cloth on");
  }
  if (result != WEFT_OK) return result;
  weft_vec3 *start = weft_scene_start_room(scene);
  const double begun = weft_clock_seconds();
  result = weft_fit(&desc, start, &scene->fitted, err);
  if (result != WEFT_OK) return result;
  scene->fitted_in = weft_clock_seconds() - begun;
  if (scene->fitted.frames > 0) scene->params.start = start;
  return WEFT_OK;
}

static weft_result untangle(const weft_setup *o, weft_scene_instance *scene, weft_error *err) {
  if (o->tangled != WEFT_SETUP_TANGLED_LOOSEN || !scene->params.self_collision) return WEFT_OK;
  if (o->several) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--tangled loosen: not for several --instances, which begin in the rest pose");
  }
  int32_t *layers;
  weft_result result = weft_setup_find_layers(o, scene, &layers, err);
  if (result != WEFT_OK) return result;
  result = weft_scene_untangle(scene, layers, err);
  weft_free(layers);
  return result;
}

/* ---- what goes together ---- */

/* One that was given and is about files alone, or NULL. --unit and --up are of bodies too. */
static const char *option_of_files(const weft_setup *o) {
  const bool bodies = o->body_count > 0;
  const struct {
    bool given;
    const char *name;
  } options[] = {{o->group, "group"},
                 {o->scale_given, "scale"},
                 {o->unit_given && !bodies, "unit"},
                 {o->up_given && !bodies, "up"},
                 {o->turn_given, "turn"},
                 {o->move_given, "move"},
                 {o->weld_given, "weld"},
                 {o->keep_order, "keep-order"}};
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k) {
    if (options[k].given) return options[k].name;
  }
  return NULL;
}

weft_result weft_setup_check_subject(const weft_setup *setup, weft_error *err) {
  if (setup->mesh) {
    if (!setup->size_given) return WEFT_OK;
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--size is for built-in scenes, %s is a file",
                     setup->mesh);
  }
  if (weft_setup_named_pin(setup)) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--pin %s: is for files, %s is a built-in scene",
                     weft_setup_named_pin(setup), setup->scene);
  }
  const char *idle = option_of_files(setup);
  if (!idle) return WEFT_OK;
  return weft_fail(err, WEFT_ERROR_ARGUMENT, "--%s is for files, %s is a built-in scene", idle,
                   setup->scene);
}

/* ---- all of it ---- */

/* Of all that blows during the run: what is chosen against stretch must hold then, too. */
static weft_vec3 strongest_wind(const weft_setup *o, weft_vec3 wind) {
  for (uint32_t k = 0; k < o->param_key_count; ++k) {
    const double *v = o->param_keys[k].value;
    const weft_vec3 blows = weft_v3((float)v[0], (float)v[1], (float)v[2]);
    const bool stronger = weft_v3_length(blows) > weft_v3_length(wind);
    if (o->param_keys[k].row == WEFT_PARAM_wind && stronger) wind = blows;
  }
  return wind;
}

static weft_result finish(const weft_setup *o, weft_scene_instance *scene, weft_error *err) {
  apply_parameters(o, &scene->params);
  weft_result result = weft_setup_add_bodies(o, scene, err);
  if (result == WEFT_OK) result = weft_setup_set_environment(o, scene, err);
  if (result != WEFT_OK) return result;
  yield(o, scene);
  const weft_vec3 wind = scene->params.wind;
  scene->params.wind = strongest_wind(o, wind);
  result = weft_setup_hold(o, scene, err);
  scene->params.wind = wind;
  if (result == WEFT_OK) result = weft_setup_check_idle(o, scene, err);
  if (result == WEFT_OK) result = fit(o, scene, err);
  if (result == WEFT_OK) result = untangle(o, scene, err);
  if (result == WEFT_OK) result = weft_setup_bind_pins(o, scene, err);
  return result == WEFT_OK ? weft_setup_add_keys(o, scene, err) : result;
}

weft_result weft_setup_make(const weft_setup *setup, const char *name, uint32_t size,
                            weft_scene_instance *scene, weft_error *err) {
  *scene = (weft_scene_instance){0};
  weft_scene_options wanted = scene_options(setup);
  wanted.size = size;
  weft_result result = name ? weft_scene_make(weft_scene_find(name), &wanted, scene, err)
                            : import_scene(setup, scene, err);
  if (result != WEFT_OK) return result;
  result = finish(setup, scene, err);
  if (result != WEFT_OK) weft_scene_free(scene);
  return result;
}
