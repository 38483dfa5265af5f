/* environment_print.c: what acts on the cloth in a run: gravity, air, damping; friction and
 * thickness of what it meets. All of it, whoever chose it. */
#include <string.h>

#include "environment.h"
#include "json.h"

/* ---- in lines ---- */

static void print_vector(FILE *file, weft_vec3 v) {
  fprintf(file, "%g,%g,%g", (double)v.x, (double)v.y, (double)v.z);
}

static void print_forces(FILE *file, const weft_params *p, bool cloth) {
  fprintf(file, "  world     gravity ");
  print_vector(file, p->gravity);
  fprintf(file, " m/s^2");
  if (cloth && p->air_density > 0) {
    fprintf(file, ", air of %g kg/m^3", (double)p->air_density);
    if (weft_v3_length(p->wind) > 0) {
      fprintf(file, " that blows by ");
      print_vector(file, p->wind);
      fprintf(file, " m/s");
    }
  } else if (cloth) {
    fprintf(file, ", no air");
  }
  fprintf(file, ", damping %g/s", (double)p->damping);
  if (p->global_damping > 0) fprintf(file, ", global damping %g/s", (double)p->global_damping);
  fprintf(file, "\n");
}

enum { LIST = 200 };

/* "0.4/0.3", or each of several pairs that differ. */
static void list_friction(char *list, float at_rest, float sliding) {
  char pair[40];
  snprintf(pair, sizeof pair, "%g/%g", (double)at_rest, (double)sliding);
  const size_t used = strlen(list);
  if (strstr(list, pair)) return;
  snprintf(list + used, LIST - used, "%s%s", used ? ", " : "", pair);
}

static void print_meeting(FILE *file, const char *what, double thickness, const char *friction) {
  fprintf(file, "%s kept %g m off, friction %s", what, thickness, friction);
}

static void print_contact(FILE *file, const weft_params *p, double self_thickness) {
  char colliders[LIST] = "", bodies[LIST] = "", cloth[LIST] = "";
  for (uint32_t c = 0; c < p->collider_count; ++c) {
    list_friction(colliders, p->colliders[c].friction_static, p->colliders[c].friction_dynamic);
  }
  double nearest = INFINITY;
  for (uint32_t b = 0; b < p->body_count; ++b) {
    const double own = (double)p->bodies[b].thickness;
    list_friction(bodies, p->bodies[b].friction_static, p->bodies[b].friction_dynamic);
    nearest = fmin(nearest, own > 0 ? own : self_thickness);
  }
  list_friction(cloth, p->self_static, p->self_dynamic);
  if (p->collider_count == 0 && !p->self_collision) return;
  fprintf(file, "  contact   ");
  if (p->collider_count > 0) {
    print_meeting(file, "colliders", (double)p->thickness, colliders);
    if (p->self_collision) fprintf(file, "; ");
  }
  if (p->body_count > 0) {
    print_meeting(file, "bodies", nearest, bodies);
    fprintf(file, "; ");
  }
  if (p->self_collision) print_meeting(file, "cloth", self_thickness, cloth);
  fprintf(file, "\n");
}

void weft_cli_environment_print(FILE *file, weft_solver *solver) {
  const weft_params *p = weft_solver_params(solver);
  print_forces(file, p, weft_model_triangle_count(weft_solver_model(solver)) > 0);
  print_contact(file, p, weft_solver_self_thickness(solver));
}

/* ---- as JSON ---- */

static json_t *pair_json(float at_rest, float sliding) {
  return json_pack("[o, o]", weft_json_real((double)at_rest), weft_json_real((double)sliding));
}

json_t *weft_cli_environment_json(weft_solver *solver) {
  const weft_params *p = weft_solver_params(solver);
  json_t *o = weft_json_parameters(p), *colliders = json_array(), *bodies = json_array();
  for (uint32_t c = 0; c < p->collider_count; ++c) {
    json_array_append_new(
        colliders, pair_json(p->colliders[c].friction_static, p->colliders[c].friction_dynamic));
  }
  for (uint32_t b = 0; b < p->body_count; ++b) {
    json_array_append_new(bodies,
                          pair_json(p->bodies[b].friction_static, p->bodies[b].friction_dynamic));
  }
  json_object_set_new(o, "friction_of_colliders", colliders);
  json_object_set_new(o, "friction_of_bodies", bodies);
  json_object_set_new(
      o, "self_thickness_kept",
      p->self_collision ? weft_json_real(weft_solver_self_thickness(solver)) : json_null());
  return o;
}
