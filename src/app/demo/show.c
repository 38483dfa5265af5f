/* show.c: what runs, as the panel shows it. */
#include <string.h>

#include "demo_internal.h"

static void show_title(weft_demo *demo) {
  const weft_model *model = demo->session.scene.model;
  char particles[32], triangles[32];
  weft_group_digits(particles, weft_model_particle_count(model));
  weft_group_digits(triangles, weft_model_triangle_count(model));
  int used = snprintf(demo->title, sizeof demo->title, "%.200s: %s particles",
                      demo->session.scene.name, particles);
  if (weft_model_triangle_count(model)) {
    used += snprintf(demo->title + used, sizeof demo->title - (size_t)used, ", %s triangles",
                     triangles);
  }
  uint32_t bodies = demo->session.scene.params.body_count;
  if (bodies > 0) {
    snprintf(demo->title + used, sizeof demo->title - (size_t)used, ", %u bod%s", bodies,
             bodies == 1 ? "y" : "ies");
  }
}

static void show_compliance(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const weft_material *fabric = &demo->session.scene.fabric;
  b->choice.compliance[0] = 2 / (fabric->stretch_warp + fabric->stretch_weft);
  b->choice.compliance[1] = 1 / fabric->shear;
  b->choice.compliance[2] = 1 / fabric->bending;
}

/* What is hidden stays so while bodies are the same. */
static void show_bodies(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const weft_demo_session *session = &demo->session;
  b->body_count = session->scene.params.body_count;
  for (uint32_t k = 0; k < b->body_count; ++k) {
    const weft_body *body = &session->scene.bodies[k];
    b->bodies[k] = (weft_demo_body){.name = session->scene.body_sources[k].name,
                                    .friction_static = body->friction_static,
                                    .friction_dynamic = body->friction_dynamic,
                                    .thickness = body->thickness,
                                    .hidden = session->hidden >> k & 1};
  }
}

void weft_demo_show_settings(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const weft_demo_session *session = &demo->session;
  const weft_scene *scene = weft_scene_at(session->choice.scene);
  b->choice = session->choice;
  b->choice.size = session->scene.size;
  b->params = weft_demo_session_params(session);
  demo->on_panel = b->params;
  demo->tunings = session->tunings;
  b->edited = false;
  b->strain_limit = session->scene.held.target;
  b->max_strain = weft_demo_shown_limit(session);
  b->takes_cloth = !scene || (scene->uses & WEFT_SCENE_CLOTH);
  b->takes_size = scene != NULL;
  b->takes_air = weft_model_triangle_count(session->scene.model) > 0;
  b->wind_now = weft_demo_wind_preset(&b->params);
  b->strain_now = weft_demo_strain_preset(demo);
  show_compliance(demo);
  b->takes_contact = b->params.particle_contact;
  b->has_colliders = session->scene.params.collider_count > 0;
  if (b->has_colliders) {
    b->friction_static = session->scene.colliders[0].friction_static;
    b->friction_dynamic = session->scene.colliders[0].friction_dynamic;
  }
  show_bodies(demo);
  show_title(demo);
}
