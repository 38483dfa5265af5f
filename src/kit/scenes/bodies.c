/* bodies.c: triangle meshes that stand in a scene or move through it. */
#include <math.h>
#include <string.h>

#include "scenes_internal.h"

void weft_scene_free_body(weft_scene_body *source) {
  weft_mesh_free(&source->mesh);
  weft_motion_free(source->motion);
  weft_free(source->positions);
  weft_figure_destroy(source->figure);
  *source = (weft_scene_body){0};
}

void weft_scene_free_bodies(weft_scene_instance *scene) {
  for (uint32_t b = 0; b < scene->params.body_count && scene->body_sources; ++b) {
    weft_scene_free_body(&scene->body_sources[b]);
  }
  weft_free(scene->bodies);
  weft_free(scene->body_sources);
}

const weft_mesh *weft_scene_body_mesh(const weft_scene_body *source) {
  if (source->figure) return weft_figure_mesh(source->figure);
  return source->motion ? weft_motion_mesh(source->motion) : &source->mesh;
}

bool weft_scene_body_moves(const weft_scene_body *source) { return source->motion || source->pose; }

typedef struct bounds {
  weft_vec3 low, high;
} bounds;

static bounds bounds_of(const weft_scene_body *source) {
  if (source->motion) {
    weft_motion_info info = weft_motion_describe(source->motion);
    return (bounds){info.box_min, info.box_max};
  }
  const weft_mesh *mesh = weft_scene_body_mesh(source);
  bounds b = {mesh->positions[0], mesh->positions[0]};
  for (uint32_t i = 1; i < mesh->vertex_count; ++i) {
    weft_vec3 p = mesh->positions[i];
    b.low = weft_v3(fminf(b.low.x, p.x), fminf(b.low.y, p.y), fminf(b.low.z, p.z));
    b.high = weft_v3(fmaxf(b.high.x, p.x), fmaxf(b.high.y, p.y), fmaxf(b.high.z, p.z));
  }
  return b;
}

void weft_scene_take_in(weft_scene_instance *scene, weft_vec3 low, weft_vec3 high) {
  weft_vec3 centre = weft_v3_scale(weft_v3_add(low, high), 0.5f);
  float radius = 0.5f * weft_v3_length(weft_v3_sub(high, low));
  weft_vec3 way = weft_v3_sub(centre, scene->view_centre);
  float apart = weft_v3_length(way), reach = apart + radius, own = scene->view_radius;
  if (reach > own && apart + own > radius) {
    float whole = 0.5f * (reach + own);
    scene->view_centre = weft_v3_add(scene->view_centre,
                                     weft_v3_scale(way, (whole - own) / (apart > 0 ? apart : 1)));
    scene->view_radius = whole;
  } else if (reach > own) {
    scene->view_centre = centre;
    scene->view_radius = radius;
  }
}

weft_result weft_scene_add_body(weft_scene_instance *scene, weft_scene_body *source,
                                const weft_body *like, weft_error *err) {
  const weft_mesh *mesh = weft_scene_body_mesh(source);
  uint32_t b = scene->params.body_count;
  const char *what = mesh->triangle_count == 0 ? "a body needs triangles"
                     : b == WEFT_MAX_BODIES    ? "a scene has at most 64 bodies"
                                               : NULL;
  if (what) {
    weft_scene_free_body(source);
    return weft_fail(err, WEFT_ERROR_MESH, "%s", what);
  }
  if (!scene->bodies) {
    scene->bodies = weft_alloc(WEFT_MAX_BODIES, sizeof *scene->bodies);
    scene->body_sources = weft_alloc(WEFT_MAX_BODIES, sizeof *scene->body_sources);
  }
  source->positions = weft_alloc(mesh->vertex_count, sizeof *source->positions);
  scene->body_sources[b] = *source;
  *source = (weft_scene_body){0};
  scene->bodies[b] = *like;
  scene->bodies[b].mesh = weft_scene_body_mesh(&scene->body_sources[b]);
  if (*scene->body_sources[b].name) scene->bodies[b].name = scene->body_sources[b].name;
  scene->params.bodies = scene->bodies;
  scene->params.body_count = b + 1;
  scene->params.self_collision = true;
  const bounds box = bounds_of(&scene->body_sources[b]);
  weft_scene_take_in(scene, box.low, box.high);
  weft_scene_lower_ground(scene, box.low.y);
  return WEFT_OK;
}

/* Where the solver takes it by the end of the next frame. */
static weft_result move_body(const weft_scene_instance *scene, weft_solver *solver, uint32_t b,
                             weft_error *err) {
  const weft_scene_body *source = &scene->body_sources[b];
  const weft_mesh *mesh = weft_scene_body_mesh(source);
  double end = weft_solver_time(solver) + (double)weft_solver_params(solver)->frame_dt;
  weft_vec3 *positions = source->positions;
  weft_result result = WEFT_OK;
  if (source->pose) {
    weft_pose pose = source->pose(end);
    weft_figure_posed(source->figure, &pose, NULL, positions);
  } else if (source->motion) {
    result = weft_motion_at(source->motion, end, positions, err);
  } else {
    memcpy(positions, mesh->positions, mesh->vertex_count * sizeof *positions);
  }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    positions[i] = weft_v3_add(positions[i], source->offset);
  }
  if (result == WEFT_OK) result = weft_solver_move_body(solver, b, positions, err);
  if (result == WEFT_OK) result = weft_scene_move_bound(scene, solver, b, positions, err);
  return result;
}

weft_result weft_scene_shift_body(weft_scene_instance *scene, weft_solver *solver, uint32_t body,
                                  weft_vec3 offset, weft_error *err) {
  scene->body_sources[body].offset = offset;
  if (weft_scene_body_moves(&scene->body_sources[body])) return WEFT_OK;
  return move_body(scene, solver, body, err);
}

weft_result weft_scene_move_bodies(const weft_scene_instance *scene, weft_solver *solver,
                                   weft_error *err) {
  weft_result result = WEFT_OK;
  for (uint32_t b = 0; b < scene->params.body_count && result == WEFT_OK; ++b) {
    if (weft_scene_body_moves(&scene->body_sources[b])) result = move_body(scene, solver, b, err);
  }
  return result;
}
