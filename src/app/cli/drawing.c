/* drawing.c: cloth is drawn by its triangles; without any, particles are balls and links rods. */
#include "drawing.h"

#include <string.h>
#include <weft_kit/import.h>

#include "uvs.h"

static uint32_t colour_at(const weft_scene_drawing *how, uint32_t particle) {
  return how->colours ? how->colours[particle] : WEFT_STRAND_DYE;
}

static uint32_t add_balls(const weft_scene_instance *scene, weft_strand *strands) {
  const weft_scene_drawing *how = &scene->drawing;
  uint32_t count = 0;
  for (uint32_t i = 0; i < weft_model_particle_count(scene->model); ++i) {
    float radius = how->radii ? how->radii[i] : weft_model_radius(scene->model);
    if (radius > 0) strands[count++] = (weft_strand){i, i, radius, colour_at(how, i)};
  }
  return count;
}

static uint32_t add_rods(const weft_scene_instance *scene, weft_strand *strands) {
  const weft_scene_drawing *how = &scene->drawing;
  const weft_link *links = weft_model_links(scene->model);
  uint32_t count = 0;
  for (uint32_t k = 0; k < weft_model_link_count(scene->model); ++k) {
    if (links[k].bending || !(how->link_radius > 0)) continue;
    strands[count++] =
        (weft_strand){links[k].a, links[k].b, how->link_radius, colour_at(how, links[k].b)};
  }
  return count;
}

void weft_cli_drawing_of(const weft_scene_instance *scene, weft_renderer_desc *desc,
                         weft_cli_drawing *drawing) {
  const weft_model *model = scene->model;
  const weft_scene_drawing *how = &scene->drawing;
  desc->particle_count = weft_model_particle_count(model);
  desc->triangle_count = weft_model_triangle_count(model);
  desc->triangles = weft_model_triangles(model);
  desc->grid_rows = scene->mesh.grid_rows;
  desc->grid_columns = scene->mesh.grid_columns;
  desc->rest_positions = weft_model_rest_positions(model);
  desc->bodies = scene->params.bodies;
  desc->body_count = scene->params.body_count;
  size_t max = (size_t)desc->particle_count + weft_model_link_count(model);
  *drawing = (weft_cli_drawing){.strands = weft_alloc(max, sizeof *drawing->strands),
                                .props = weft_alloc(how->prop_count, sizeof *drawing->props)};
  if (desc->triangle_count == 0) {
    desc->strand_count = add_balls(scene, drawing->strands);
    desc->strand_count += add_rods(scene, drawing->strands + desc->strand_count);
  }
  for (uint32_t k = 0; k < how->prop_count; ++k) {
    const weft_scene_prop *p = &how->props[k];
    drawing->props[k] = (weft_prop){p->a, p->b, p->radius, p->colour};
  }
  desc->figure = weft_scene_figure_mesh(scene);
  desc->strands = drawing->strands;
  desc->props = drawing->props;
  desc->prop_count = how->prop_count;
}

static weft_result find_uvs(const weft_cli_options *o, const weft_scene_instance *scene,
                            const weft_renderer_desc *desc, float **uvs, weft_error *err) {
  if (o->instances > 1) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT, "--texture goes with a single instance");
  }
  *uvs = o->setup.mesh ? NULL : weft_grid_uvs(&scene->mesh); /* a file has its own */
  if (*uvs) return WEFT_OK;
  if (!o->setup.mesh) {
    return weft_fail(err, WEFT_ERROR_ARGUMENT,
                     "--texture: %s has no texture coordinates; sheets (hanging, drape, flag, "
                     "curtain, tumble) and files that have them do",
                     scene->name);
  }
  weft_error why = {0};
  const weft_import_desc import = weft_setup_import_desc(&o->setup);
  weft_result result = weft_obj_uvs(o->setup.mesh, &import, desc->rest_positions, desc->triangles,
                                    desc->triangle_count, uvs, &why);
  return result ? weft_fail(err, WEFT_ERROR_ARGUMENT, "--texture: %s", why.message) : WEFT_OK;
}

weft_result weft_cli_texture_of(const weft_cli_options *options, const weft_scene_instance *scene,
                                weft_renderer_desc *desc, weft_cli_drawing *drawing,
                                weft_error *err) {
  if (!options->texture) return WEFT_OK;
  weft_result result = find_uvs(options, scene, desc, &drawing->uvs, err);
  if (!result) result = weft_texture_read_png(options->texture, &drawing->texture, err);
  if (result) return result;
  desc->texture = &drawing->texture;
  desc->corner_uvs = drawing->uvs;
  return WEFT_OK;
}

void weft_cli_drawing_free(weft_cli_drawing *drawing) {
  weft_free(drawing->strands);
  weft_free(drawing->props);
  weft_free(drawing->texture.pixels);
  weft_free(drawing->uvs);
  *drawing = (weft_cli_drawing){0};
}

/* A scene's fabric is chosen for how it falls; this is how it looks. */
static const struct {
  const char *scene, *look;
} clothes[] = {
    {"duel", "crepe"},    {"hanging", "satin"},     {"drape", "checked"}, {"flag", "silk"},
    {"curtain", "linen"}, {"skirt", "crepe"},       {"poncho", "wool"},   {"pleats", "flannel"},
    {"tumble", "dotted"}, {"wring", "towel"},       {"heap", "jeans"},    {"stack", "felt"},
    {"knot", "ribbon"},   {"handkerchief", "silk"}, {"walk", "flannel"},
};

weft_fabric_look weft_cli_look_of(const char *scene, const char *fabric,
                                  const weft_colour *colour) {
  const char *name = fabric ? fabric : "tablecloth";
  for (size_t k = 0; k < sizeof clothes / sizeof clothes[0] && !fabric; ++k) {
    if (strcmp(clothes[k].scene, scene) == 0) name = clothes[k].look;
  }
  weft_fabric_look look = weft_fabric_look_of(name);
  if (colour) weft_fabric_dye(&look, *colour);
  return look;
}

void weft_cli_figure_of(const weft_scene_instance *scene, weft_picture *picture) {
  picture->figure_positions = weft_scene_figure_at(scene, picture->colliders, picture->time);
  picture->hidden = weft_scene_figure_hides(scene);
}

void weft_cli_ground_of(const weft_scene_instance *scene, weft_picture *picture) {
  const weft_params *params = &scene->params;
  picture->ground = scene->ground;
  for (uint32_t k = 0; k < params->collider_count; ++k) {
    weft_vec3 point, normal;
    weft_collider_at(&params->colliders[k], picture->time, &point, &normal);
    if (params->colliders[k].shape != WEFT_COLLIDER_PLANE || normal.y < 0.999f) continue;
    picture->ground_height = point.y;
  }
}
