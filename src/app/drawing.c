/* drawing.c: cloth is drawn by its triangles; without any, particles are balls and links rods. */
#include "drawing.h"

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

void weft_app_drawing_of(const weft_scene_instance *scene, weft_renderer_desc *desc,
                         weft_app_drawing *drawing) {
  const weft_model *model = scene->model;
  const weft_scene_drawing *how = &scene->drawing;
  desc->particle_count = weft_model_particle_count(model);
  desc->triangle_count = weft_model_triangle_count(model);
  desc->triangles = weft_model_triangles(model);
  desc->rest_positions = weft_model_rest_positions(model);
  size_t most = (size_t)desc->particle_count + weft_model_link_count(model);
  *drawing = (weft_app_drawing){.strands = weft_alloc(most, sizeof *drawing->strands),
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

void weft_app_drawing_free(weft_app_drawing *drawing) {
  weft_free(drawing->strands);
  weft_free(drawing->props);
  *drawing = (weft_app_drawing){0};
}
