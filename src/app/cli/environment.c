/* environment.c: what stands around the cloth by option, as it was given, and doubts about it. */
#include "environment.h"

#include <string.h>

#include "collider_depth.h"
#include "inspect.h"

char **weft_cli_around(const weft_cli_options *options) {
  const weft_setup *setup = &options->setup;
  char **around = weft_alloc(setup->said_count + 1, sizeof *around);
  size_t count = 0;
  for (size_t k = 0; k < setup->said_count; ++k) {
    const weft_given *given = &setup->said[k];
    weft_string text = {0};
    if (!given->around) continue;
    weft_string_add(&text, "%s%s%s", given->option, *given->text ? " " : "", given->text);
    around[count++] = text.bytes;
  }
  return around;
}

void weft_cli_free_around(char **around) {
  for (char **one = around; *one; ++one) weft_free(*one);
  weft_free(around);
}

/* m: what nobody sees. */
static const float unseen = 0.002f;

void weft_cli_warn_start(const weft_cli_options *o, const weft_scene_instance *scene) {
  const bool placed =
      o->setup.ground == WEFT_GROUND_AT || o->setup.collider_count > 0 || o->setup.shift_count > 0;
  if (!o->setup.mesh && !placed) return;
  const weft_params *p = &scene->params;
  const weft_vec3 *x = p->start ? p->start : weft_model_rest_positions(scene->model);
  const uint32_t particles = weft_model_particle_count(scene->model);
  uint32_t inside = 0, worst = 0;
  float deepest = unseen;
  for (uint32_t i = 0; i < particles; ++i) {
    if (weft_model_inverse_masses(scene->model)[i] == 0) continue; /* pinned, or attached */
    bool in = false;
    for (uint32_t c = 0; c < p->collider_count; ++c) {
      const float depth = weft_collider_depth(&p->colliders[c], 0, 0, x[i]);
      in = in || depth > unseen;
      if (!(depth > deepest)) continue;
      deepest = depth;
      worst = c;
    }
    inside += in;
  }
  if (inside == 0) return;
  weft_log(WEFT_LOG_WARNING,
           "%s: %u particle%s inside of colliders at the start, up to %.2g m deep in collider %u "
           "(a %s), %s: put it elsewhere (--ground, --collider, --move)",
           scene->name, inside, inside == 1 ? " is" : "s are", (double)deepest, worst,
           weft_shape_infos[p->colliders[worst].shape].name,
           p->self_collision ? "which throws cloth out where that does not take it through itself"
                             : "which throws cloth out");
}
