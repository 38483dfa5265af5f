/* setup_idle.c: what was given and cannot act. Nothing that a scene does unless told otherwise
 * counts. */
#include "levels.h"
#include "setup_internal.h"

weft_result weft_check_idle(const weft_idle_check *checks, size_t count, bool name_only,
                            weft_error *err) {
  for (size_t k = 0; k < count; ++k) {
    if (!checks[k].given || checks[k].acts) continue;
    weft_error idle;
    weft_fail(&idle, WEFT_ERROR_ARGUMENT, "--%s does nothing here: it needs %s", checks[k].name,
              checks[k].needs);
    if (!name_only) return weft_fail(err, idle.code, "%s", idle.message);
    weft_log(WEFT_LOG_WARNING, "%s", idle.message);
  }
  return WEFT_OK;
}

static bool bodies_rub(const weft_setup *o) {
  bool given = false;
  for (uint32_t b = 0; b < o->body_count; ++b) given = given || o->bodies[b].friction_given;
  return given;
}

static bool bodies_are_thick(const weft_setup *o) {
  bool given = false;
  for (uint32_t b = 0; b < o->body_count; ++b) given = given || o->bodies[b].thickness > 0;
  return given;
}

static weft_result check_stretch(const weft_setup *o, const weft_scene_instance *scene,
                                 weft_error *err) {
  const weft_params *p = &scene->params;
  const bool grid = weft_has_levels(scene->model), lra = p->lra > 0;
  const bool levels = p->multilevel > 0 && grid;
  const weft_idle_check checks[] = {
      {o->params.multilevel > 0, grid, "multilevel", "cloth that is a grid of rectangles"},
      {o->params.multilevel_sweeps, levels, "multilevel-sweeps", "--multilevel"},
      {o->params.multilevel_slack > 0, levels, "multilevel-slack", "--multilevel"},
      {o->params.lra_slack > 0, lra, "lra-slack", "--lra"},
      {o->params.pbd_stretch > 0, p->method == WEFT_METHOD_PBD, "pbd-stretch", "--method pbd"},
      {o->params.pbd_bending > 0, p->method == WEFT_METHOD_PBD, "pbd-bending", "--method pbd"},
      {o->params.relaxation > 0, p->mode != WEFT_MODE_GS, "relaxation", "--mode jacobi or hybrid"},
      {o->params.hybrid_min, p->mode == WEFT_MODE_HYBRID, "hybrid-min", "--mode hybrid"},
  };
  return WEFT_CHECK_IDLE(checks, o->many_scenes, err);
}

static weft_result check_contact(const weft_setup *o, const weft_scene_instance *scene,
                                 weft_error *err) {
  const weft_params *p = &scene->params;
  const bool colliders = p->collider_count > 0, grains = weft_model_radius(scene->model) > 0;
  const weft_idle_check checks[] = {
      {o->friction_given, colliders, "friction", "colliders (--ground, --collider)"},
      {o->params.thickness > 0, colliders, "thickness", "colliders (--ground, --collider)"},
      {o->params.collide_each_iteration, colliders, "collide-each-iteration",
       "colliders (--ground, --collider)"},
      {weft_setup_gave(o, contact_static), grains, "particle-friction",
       "particles that keep apart (sand)"},
      {o->params.contact_iterations, grains, "contact-iterations",
       "particles that keep apart (sand)"},
  };
  return WEFT_CHECK_IDLE(checks, o->many_scenes, err);
}

static weft_result check_self(const weft_setup *o, const weft_scene_instance *scene,
                              weft_error *err) {
  const weft_params *p = &scene->params;
  const bool apart = p->self_collision, pushes = apart && !p->no_self_pushes;
  static const char on[] = "--self-collision on";
  static const char pushing[] = "--self-collision on and --self-iterations";
  const weft_idle_check checks[] = {
      {weft_setup_gave(o, self_collision) && !o->params.self_collision, p->body_count == 0,
       "self-collision off", "a scene without bodies"},
      {weft_setup_gave(o, self_thickness), apart, "self-thickness", on},
      {weft_setup_gave(o, self_iterations), apart, "self-iterations", on},
      {o->params.self_room, apart, "self-room", on},
      {o->params.self_steps, apart, "self-steps", on},
      {o->tangled_given, apart, "tangled", on},
      {o->layer_count, apart && o->tangled == WEFT_SETUP_TANGLED_LOOSEN, "layer",
       "--tangled loosen and --self-collision on"},
      {weft_setup_gave(o, self_static), pushes, "self-static", pushing},
      {weft_setup_gave(o, self_dynamic), pushes, "self-dynamic", pushing},
      {bodies_rub(o), pushes, "body-friction", pushing},
      {bodies_are_thick(o), pushes, "body-thickness", pushing},
  };
  return WEFT_CHECK_IDLE(checks, o->many_scenes, err);
}

static weft_result check_air(const weft_setup *o, const weft_scene_instance *scene,
                             weft_error *err) {
  const weft_params *p = &scene->params;
  const bool cloth = weft_model_triangle_count(scene->model) > 0;
  const bool blows = cloth && weft_v3_length(p->wind) > 0 && p->air_density > 0;
  const weft_idle_check checks[] = {
      {weft_v3_length(o->params.wind) > 0, cloth, "wind", "cloth to blow on"},
      {weft_v3_length(o->params.wind) > 0, p->air_density > 0, "wind", "an --air-density above 0"},
      {o->params.air_density > 0, cloth, "air-density", "cloth to blow on"},
      {o->params.gust > 0, blows, "gust", "--wind and cloth to blow on"},
  };
  return WEFT_CHECK_IDLE(checks, o->many_scenes, err);
}

static weft_result check_file(const weft_setup *o, weft_error *err) {
  const weft_idle_check checks[] = {
      {o->attach_count > 0 || o->attach_off, o->mesh != NULL, "attach", "cloth from a file"},
  };
  return WEFT_CHECK_IDLE(checks, o->many_scenes, err);
}

weft_result weft_setup_check_idle(const weft_setup *options, const weft_scene_instance *scene,
                                  weft_error *err) {
  weft_result result = check_file(options, err);
  if (result == WEFT_OK) result = check_stretch(options, scene, err);
  if (result == WEFT_OK) result = check_contact(options, scene, err);
  if (result == WEFT_OK) result = check_self(options, scene, err);
  return result == WEFT_OK ? check_air(options, scene, err) : result;
}
