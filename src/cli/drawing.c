/* drawing.c: cloth is drawn by its triangles; without any, particles are balls and links rods. */
#include "drawing.h"

#include <string.h>

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
  desc->strands = drawing->strands;
  desc->props = drawing->props;
  desc->prop_count = how->prop_count;
}

void weft_cli_drawing_free(weft_cli_drawing *drawing) {
  weft_free(drawing->strands);
  weft_free(drawing->props);
  *drawing = (weft_cli_drawing){0};
}

/* A scene's fabric is chosen for how it falls; this is the dye that suits it. */
static const struct {
  const char *scene, *fabric, *colour;
} dyes[] = {
    {"duel", "tablecloth", "#b4453f"},  {"hanging", "tablecloth", "#5b86a3"},
    {"drape", "tablecloth", "#a8484c"}, {"flag", "jacket", "#cf8f45"},
    {"curtain", "trousers", "#7d9180"}, {"skirt", "tablecloth", "#b5524b"},
    {"poncho", "ponte", "#50788a"},     {"pleats", "tablecloth", "#6d7f4f"},
};

weft_fabric_look weft_cli_look_of(const char *scene, const char *fabric,
                                  const weft_colour *colour) {
  const char *name = fabric ? fabric : "tablecloth", *own = NULL;
  for (size_t k = 0; k < sizeof dyes / sizeof dyes[0] && !fabric; ++k) {
    if (strcmp(dyes[k].scene, scene) != 0) continue;
    name = dyes[k].fabric;
    own = dyes[k].colour;
  }
  weft_fabric_look look = weft_fabric_look_of(name);
  weft_colour dye;
  if (colour) {
    weft_fabric_dye(&look, *colour);
  } else if (own && weft_colour_parse(own, &dye, NULL) == WEFT_OK) {
    weft_fabric_dye(&look, dye);
  }
  return look;
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
