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
    snprintf(demo->title + used, sizeof demo->title - (size_t)used, ", %s triangles", triangles);
  }
}

static void show_compliance(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const weft_material *fabric = &demo->session.scene.fabric;
  b->choice.compliance[0] = 2 / (fabric->stretch_warp + fabric->stretch_weft);
  b->choice.compliance[1] = 1 / fabric->shear;
  b->choice.compliance[2] = 1 / fabric->bending;
}

void weft_demo_show_settings(weft_demo *demo) {
  weft_demo_ui *b = &demo->ui;
  const weft_demo_session *session = &demo->session;
  const weft_scene *scene = weft_scene_at(session->choice.scene);
  b->choice = session->choice;
  b->choice.size = session->scene.size;
  b->params = weft_demo_session_params(session);
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
  show_title(demo);
}
