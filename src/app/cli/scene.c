/* scene.c: from options to one scene, and doubts about it. */
#include <stdio.h>
#include <string.h>

#include "adjacency.h"
#include "cli.h"
#include "environment.h"
#include "opt_attach.h"
#include "opt_units.h"
#include "surface.h"

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
  if (o->setup.unit_given && o->setup.scale_given) return "--unit and --scale make";
  return o->setup.unit_given ? "--unit makes" : o->setup.scale_given ? "--scale makes" : NULL;
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
  const double in_file = extent / ((double)o->setup.unit * (double)o->setup.scale);
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

/* What hangs by a few vertices is pulled into a spike; two corners were asked for. */
static void warn_pins(const weft_cli_options *o, const weft_scene_instance *scene) {
  const uint32_t count = weft_model_pinned_count(scene->model);
  bool area = o->setup.pin_count == 0 && count != 2;
  for (uint32_t k = 0; k < o->setup.pin_count; ++k) {
    const weft_pin_rule rule = o->setup.pins[k].rule;
    area = area || rule == WEFT_PIN_TOP || rule == WEFT_PIN_LEFT || rule == WEFT_PIN_BOX ||
           o->setup.pin_names[k].text;
  }
  if (!area || count >= 4 || weft_model_particle_count(scene->model) < 16) return;
  weft_log(WEFT_LOG_WARNING,
           "%s is held by %u vert%s alone: --pin box:x0,y0,z0,x1,y1,z1 can hold more of it",
           scene->name, count, count == 1 ? "ex" : "ices");
}

void weft_cli_warn_mesh(const weft_cli_options *o, const weft_scene_instance *scene) {
  tell_losses(scene);
  const char *attached = weft_cli_attached_text(o, scene);
  if (attached) weft_log(WEFT_LOG_INFO, "%s: %s", scene->name, attached);
  doubt_borders(scene);
  doubt_scale(o, scene);
  if (o->setup.up == WEFT_UP_Z && weft_setup_is_gltf(o->setup.mesh)) {
    weft_log(WEFT_LOG_WARNING, "--up z: %s is y up by its format, and is turned all the same",
             scene->name);
  }
  warn_pins(o, scene);
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
  weft_result result = weft_setup_make(&options->setup, name, size, scene, err);
  if (result == WEFT_OK) result = set_beside(options, scene, err);
  if (result != WEFT_OK) return weft_setup_locate(&options->setup, result, err);
  weft_cli_warn_bodies(options, scene);
  weft_cli_tell_fit(scene);
  weft_cli_tell_loosened(scene);
  weft_cli_warn_start(options, scene);
  return WEFT_OK;
}
