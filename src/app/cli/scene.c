/* scene.c: from options to one scene. */
#include <stdio.h>
#include <string.h>
#include <weft_kit/layers.h>

#include "adjacency.h"
#include "cli.h"
#include "environment.h"
#include "idle.h"
#include "max_strain.h"
#include "opt_attach.h"
#include "opt_pins.h"
#include "opt_units.h"
#include "surface.h"
#include "vec3d.h"

static void apply_parameters(const weft_cli_options *o, weft_params *p) {
  const weft_vec3 g = o->params.gravity;
  if (weft_cli_gave(o, frame_dt)) p->frame_dt = o->params.frame_dt; /* its own rates follow */
  if (o->mueller2007) weft_params_mueller2007(p);
  if (weft_cli_gave(o, wind)) {
    weft_scene_blow(p, o->params.wind);
    if (p->air_density == 0) p->air_density = WEFT_AIR; /* still air is air */
  }
  for (uint32_t k = 0; k < WEFT_PARAM_COUNT; ++k) {
    if (o->given[k]) weft_param_copy(p, &o->params, k);
  }
  if (weft_cli_gave(o, contact_static)) p->contact_dynamic = p->contact_static;
  if (weft_cli_gave(o, gravity)) p->no_gravity = g.x == 0 && g.y == 0 && g.z == 0;
  if (weft_cli_gave(o, self_iterations)) p->no_self_pushes = p->self_iterations == 0;
  if (o->tangled == WEFT_CLI_TANGLED_REFUSE) p->tangled = WEFT_TANGLED_REFUSE;
}

/* What a scene does unless told otherwise yields to what it is told and does not go with it. */
static void yield(const weft_cli_options *o, weft_scene_instance *scene) {
  weft_params *p = &scene->params;
  const char *to = p->compensated                        ? "--compensated"
                   : p->schedule == WEFT_SCHEDULE_SINGLE ? "--schedule single"
                                                         : NULL;
  weft_error why = {0};
  if (!p->self_collision || weft_cli_gave(o, self_collision) || p->body_count > 0) return;
  if (to) snprintf(why.message, sizeof why.message, "it does not go with %s", to);
  /* A thickness that was asked for is no default, and is refused where it is too small. */
  const bool asked = weft_cli_gave(o, self_thickness);
  if (!to && (asked || weft_self_check(scene->model, p, &why) == WEFT_OK)) return;
  p->self_collision = false;
  weft_log(WEFT_LOG_WARNING, "self-collision is off: %s", why.message);
}

static weft_scene_options scene_options(const weft_cli_options *o) {
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

/* m: of the edges of one triangle. */
static double border_of(const weft_mesh *mesh) {
  weft_edges edges;
  double sum = 0;
  weft_edges_build(mesh->vertex_count, mesh->triangles, mesh->triangle_count, &edges);
  for (uint32_t e = 0; e < edges.count; ++e) {
    const weft_edge *edge = &edges.items[e];
    if (edge->triangle_count != 1) continue;
    sum += weft_v3_distance(mesh->positions[edge->a], mesh->positions[edge->b]);
  }
  weft_edges_free(&edges);
  return sum;
}

/* A curtain may be 4 m wide. What goes around a body, as a hat does, is not: the border of a sheet
 * is at least twice as long as the sheet is from corner to corner, that of a hat is not. */
static bool is_too_large(const weft_mesh *mesh, double extent) {
  return extent > 5 || (extent > 3 && border_of(mesh) < 2 * extent);
}

/* Who says how large it is; NULL for nobody. */
static const char *sized_by(const weft_cli_options *o) {
  if (o->unit_given && o->scale_given) return "--unit and --scale make";
  return o->unit_given ? "--unit makes" : o->scale_given ? "--scale makes" : NULL;
}

static void tell_size(const weft_scene_instance *scene, double extent, const char *by,
                      const char *advice) {
  weft_log(WEFT_LOG_WARNING, "%s is %.3g m from corner to corner%s%s%s: %s", scene->name, extent,
           by ? ", as " : "", by ? by : "", by ? " it, the size of no cloth" : "", advice);
}

/* No cloth that people make: drawn in another unit, most likely. */
static void doubt_scale(const weft_cli_options *o, const weft_scene_instance *scene) {
  char advice[100];
  const char *by = sized_by(o);
  weft_vec3 low, high;
  weft_v3_bounds(scene->mesh.positions, scene->mesh.vertex_count, &low, &high);
  const double extent = (double)weft_v3_length(weft_v3_sub(high, low));
  const double in_file = extent / ((double)o->unit * (double)o->scale);
  const bool large = is_too_large(&scene->mesh, extent);
  const weft_cli_unit *unit = weft_cli_likely_unit(in_file);
  if (!large && extent >= WEFT_CLI_LEAST_SIZE) return;
  if (!unit) {
    snprintf(advice, sizeof advice, "--scale makes it %s", large ? "smaller" : "larger");
  } else {
    snprintf(advice, sizeof advice, "if it is in %s, --unit %s makes it %.3g m", unit->name,
             unit->option, in_file * unit->metres);
  }
  tell_size(scene, extent, by, advice);
}

/* What moves in the file stands still as cloth. */
static void tell_losses(const weft_scene_instance *scene) {
  const weft_mending *m = &scene->mesh.map.mending;
  if (!m->skin_lost && !m->animation_lost) return;
  weft_log(WEFT_LOG_WARNING,
           "%s: its %s left out: cloth starts as the vertices are stored (as a --body it moves)",
           scene->name,
           !m->animation_lost ? "skin is"
           : m->skin_lost     ? "skin and animation are"
                              : "animation is");
}

/* Before triangles of them are called tangled, which is where that comes from. */
static void doubt_borders(const weft_scene_instance *scene) {
  char text[300];
  if (scene->mesh.grid_rows > 0) return;
  const weft_mesh_gaps gaps = weft_mesh_find_gaps(&scene->mesh);
  if (weft_cli_gaps_text(&gaps, text, sizeof text)) {
    weft_log(WEFT_LOG_WARNING, "%s: %s", scene->name, text);
  }
}

void weft_cli_warn_mesh(const weft_cli_options *o, const weft_scene_instance *scene) {
  tell_losses(scene);
  const char *attached = weft_cli_attached_text(o, scene);
  if (attached) weft_log(WEFT_LOG_INFO, "%s: %s", scene->name, attached);
  doubt_borders(scene);
  doubt_scale(o, scene);
  if (o->up == WEFT_UP_Z && weft_cli_is_gltf(o->mesh)) {
    weft_log(WEFT_LOG_WARNING, "--up z: %s is y up by its format, and is turned all the same",
             scene->name);
  }
  weft_cli_warn_pins(o, scene);
}

/* Whether layers that lie in one place start apart: what keeps them so is on, and they are not
 * wanted as they are. */
static bool parts_layers(const weft_cli_options *o) {
  const weft_params *p = &o->params;
  const bool off = p->compensated || p->schedule == WEFT_SCHEDULE_SINGLE;
  const bool as_it_is = o->tangled_given && o->tangled != WEFT_CLI_TANGLED_LOOSEN;
  return (weft_cli_gave(o, self_collision) ? p->self_collision : !off) && !as_it_is;
}

static weft_result import_cloth(const weft_cli_options *o, weft_mesh *mesh, weft_error *err) {
  const weft_import_desc import = weft_cli_import_desc(o);
  weft_result result = weft_mesh_import(o->mesh, &import, mesh, err);
  if (result != WEFT_OK || !parts_layers(o)) return result;
  result = weft_mesh_separate_layers(mesh, o->params.self_thickness, err);
  if (result != WEFT_OK) weft_mesh_free(mesh);
  return result;
}

static weft_result import_scene(const weft_cli_options *o, weft_scene_instance *scene,
                                weft_error *err) {
  weft_mesh mesh = {0};
  weft_result result = import_cloth(o, &mesh, err);
  if (result != WEFT_OK) return result;
  if (!o->keep_order && !weft_mesh_find_grid(&mesh)) weft_mesh_order(&mesh);
  weft_scene_options options = scene_options(o);
  weft_pin pins[WEFT_CLI_MAX_PINS];
  options.pins = pins;
  bool *attached = NULL;
  result = weft_cli_find_pins(o, &mesh.map, pins, err);
  if (result == WEFT_OK) result = weft_cli_find_attached(o, &mesh, pins, &attached, err);
  if (result == WEFT_OK) {
    options.attached = attached;
    result = weft_scene_from_mesh(file_name(o->mesh), &mesh, &options, scene, err);
  }
  weft_free(attached);
  weft_cli_free_pins(o, pins);
  weft_mesh_free(&mesh); /* empty where the scene took it over */
  return name_file(o->mesh, result, err);
}

static weft_result set_beside(const weft_cli_options *o, weft_scene_instance *scene,
                              weft_error *err) {
  if (!o->beside_given) return WEFT_OK;
  scene->beside = (weft_beside)o->beside;
  if (!scene->beside || weft_model_triangle_count(scene->model) > 0) return WEFT_OK;
  weft_result result = weft_fail(err, WEFT_ERROR_ARGUMENT,
                                 "--beside plain is for cloth, and %s has none: its particles are "
                                 "swept plainly anyhow",
                                 scene->name);
  weft_scene_free(scene);
  return result;
}

weft_result weft_cli_make_one_scene(const weft_cli_options *options, const char *name,
                                    uint32_t size, weft_scene_instance *scene, weft_error *err) {
  *scene = (weft_scene_instance){0};
  weft_scene_options wanted = scene_options(options);
  wanted.size = size;
  weft_result result = name ? weft_scene_make(weft_scene_find(name), &wanted, scene, err)
                            : import_scene(options, scene, err);
  if (result != WEFT_OK) return result;
  apply_parameters(options, &scene->params);
  result = set_beside(options, scene, err);
  if (result == WEFT_OK) {
    result = weft_cli_add_bodies(options, scene, err);
    if (result == WEFT_OK) result = weft_cli_set_environment(options, scene, err);
    if (result != WEFT_OK) weft_scene_free(scene);
  }
  if (result != WEFT_OK) return result;
  yield(options, scene);
  result = weft_cli_hold_strain(options, scene, err);
  if (result == WEFT_OK) result = weft_cli_check_idle(options, scene, err);
  if (result == WEFT_OK) result = weft_cli_fit(options, scene, err);
  if (result == WEFT_OK) result = weft_cli_untangle(options, scene, err);
  if (result == WEFT_OK) result = weft_cli_bind_pins(options, scene, err);
  if (result == WEFT_OK) weft_cli_warn_start(options, scene);
  if (result != WEFT_OK) weft_scene_free(scene);
  return result;
}
