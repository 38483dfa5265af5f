/* validate_locate.c: the first pass, batch, particle and constraint at which the backends part.
 *
 * Each pass runs alone on both, and everything it may write is compared before the next. When that
 * finds nothing although the substep as a whole differed, the passes themselves are right and their
 * order on the device is not: then growing prefixes of the pass list run without a read in
 * between, and the pass that ends the shortest differing prefix is named. */
#include <stdio.h>
#include <string.h>

#include "find_nonfinite.h"
#include "validate.h"

/* ---- comparing what a pass wrote ---- */

static uint32_t stride_of(weft_buffer_id id) {
  weft_tables tables;
  weft_tables_init(&tables);
  return tables.buffers[id].stride;
}

static void compare_buffer(weft_pair *pair, weft_buffer_id id, weft_difference *difference) {
  uint64_t count = weft_solver_buffer_count(pair->ref, id);
  uint32_t stride = stride_of(id);
  void *ref = weft_alloc((size_t)count, stride), *gl = weft_alloc((size_t)count, stride);
  weft_solver_read_buffer(pair->ref, id, 0, count, ref);
  weft_solver_read_buffer(pair->gl, id, 0, count, gl);
  if (weft_buffer_unordered(id)) {
    weft_sort_words(ref, count);
    weft_sort_words(gl, count);
  }
  weft_compare_rows(ref, gl, 0, count, stride / 4, difference);
  weft_free(ref);
  weft_free(gl);
}

/* Delta slots beyond those a pass fills hold what an earlier pass left; both hold the same. */
static bool compare_written(weft_pair *pair, const weft_pass *pass, weft_place *place) {
  const weft_pass_info *info = &weft_pass_infos[pass->kind];
  for (uint32_t k = 0; k < info->binding_count; ++k) {
    const weft_binding *b = &info->bindings[k];
    if (!b->writes || !weft_binding_used(b, pass->variant)) continue;
    weft_difference difference = {0};
    compare_buffer(pair, b->buffer, &difference);
    if (difference.differing == 0) continue;
    place->found = true;
    place->pass = pass;
    place->buffer = b->buffer;
    place->difference = difference;
    return true;
  }
  return false;
}

/* ---- naming ---- */

static void name_constraint(const weft_model *model, uint32_t group, uint32_t index,
                            weft_place *place) {
  const weft_constraint_group *g = &model->groups[group];
  place->constraint = weft_group_base(model, group) + index;
  place->arity = g->arity;
  memcpy(place->particles, &g->particles[(size_t)index * g->arity], g->arity * sizeof(uint32_t));
}

/* The constraint of the batch that moves a particle. */
static void name_mover(const weft_model *model, uint32_t group, const weft_pass *pass,
                       weft_place *place) {
  const weft_constraint_group *g = &model->groups[group];
  uint32_t begin = pass->first - weft_group_base(model, group);
  for (uint32_t i = begin; i < begin + pass->count; ++i) {
    for (uint32_t r = 0; r < g->arity; ++r) {
      if (g->particles[(size_t)i * g->arity + r] == place->particle) {
        name_constraint(model, group, i, place);
        return;
      }
    }
  }
}

static void name_projection(const weft_model *model, uint32_t group, weft_place *place) {
  const weft_constraint_group *g = &model->groups[group];
  uint32_t base = weft_group_base(model, group);
  uint64_t row = place->difference.row;
  place->group = g->name;
  switch (place->buffer) {
    case WEFT_BUFFER_X:
      place->particle = (uint32_t)row;
      name_mover(model, group, place->pass, place);
      break;
    case WEFT_BUFFER_DELTA: {
      uint32_t index = place->pass->first - base + (uint32_t)(row / g->arity);
      if (index < g->count) {
        name_constraint(model, group, index, place);
        place->particle = place->particles[row % g->arity];
      }
      break;
    }
    default: /* multipliers: a row each */
      if (row >= base && row < (uint64_t)base + g->count) {
        name_constraint(model, group, (uint32_t)row - base, place);
        place->particle = place->particles[0];
      }
  }
}

static void name_place(const weft_model *model, weft_place *place) {
  place->particle = place->constraint = UINT32_MAX;
  uint32_t group = weft_pass_group(model, place->pass);
  if (group != UINT32_MAX) {
    name_projection(model, group, place);
  } else if (place->buffer == WEFT_BUFFER_FORCES) {
    place->particle = model->triangles[3 * place->difference.row];
  } else if (place->buffer != WEFT_BUFFER_GRID && place->buffer != WEFT_BUFFER_GRID_LOOSE &&
             place->buffer != WEFT_BUFFER_GRID_ITEMS) {
    place->particle = (uint32_t)place->difference.row;
  }
  if (place->particle != UINT32_MAX) place->particle = weft_model_number(model, place->particle);
  for (uint32_t r = 0; place->constraint != UINT32_MAX && r < place->arity; ++r) {
    place->particles[r] = weft_model_number(model, place->particles[r]);
  }
}

/* ---- searching ---- */

static void run(weft_solver *solver, const weft_pass *pass, uint32_t substep) {
  if (weft_solver_pass_active(solver, pass)) solver->backend->run(solver->instance, pass, substep);
}

static void search_step_by_step(weft_pair *pair, uint32_t substep, weft_place *place) {
  weft_pair_restore(pair);
  for (size_t k = 0; k < pair->ref->passes.count && !place->found; ++k) {
    const weft_pass *pass = &pair->ref->passes.items[k];
    if (!weft_solver_pass_active(pair->ref, pass)) continue;
    run(pair->ref, pass, substep);
    run(pair->gl, pass, substep);
    place->passes_compared++;
    compare_written(pair, pass, place);
  }
}

static void search_prefixes(weft_pair *pair, uint32_t substep, weft_place *place) {
  enum { TRIES = 4 };
  for (size_t end = 1; end <= pair->ref->passes.count && !place->found; ++end) {
    for (int attempt = 0; attempt < TRIES && !place->found; ++attempt) {
      weft_pair_restore(pair);
      weft_solver_run_passes(pair->gl, end, substep);
      weft_solver_run_passes(pair->ref, end, substep);
      place->race = compare_written(pair, &pair->ref->passes.items[end - 1], place);
    }
  }
}

void weft_pair_locate(weft_pair *pair, uint32_t substep, weft_place *place) {
  *place = (weft_place){0};
  search_step_by_step(pair, substep, place);
  if (place->found) name_place(pair->scene.model, place);
}

void weft_pair_locate_race(weft_pair *pair, uint32_t substep, weft_place *place) {
  search_prefixes(pair, substep, place);
  if (place->found) name_place(pair->scene.model, place);
}

/* ---- saying it ---- */

static const char *buffer_name(weft_buffer_id id) {
  weft_tables tables;
  weft_tables_init(&tables);
  return tables.buffers[id].name;
}

void weft_place_print(const weft_place *place, const char *other) {
  char pass[64];
  weft_pass_describe(place->pass, pass, sizeof pass);
  printf("  pass        %s", pass);
  if (place->group) printf(", batch %u of group %s", place->pass->batch, place->group);
  printf("\n");
  if (place->race) {
    printf(
        "              run alone, every pass agrees: %s runs this pass before an earlier one is "
        "done\n",
        strcmp(other, "gl") ? other : "the device");
  }
  const weft_difference *d = &place->difference;
  printf("  buffer      %s, row %llu, component %u; %llu of %llu components differ\n",
         buffer_name(place->buffer), (unsigned long long)d->row, d->component,
         (unsigned long long)d->differing, (unsigned long long)d->compared);
  if (place->particle != UINT32_MAX) printf("  particle    %u\n", place->particle);
  if (place->constraint != UINT32_MAX) {
    printf("  constraint  %u, between particles", place->constraint);
    for (uint32_t r = 0; r < place->arity; ++r) printf(" %u", place->particles[r]);
    printf("\n");
  }
  printf("  ref         %s\n  %-11s %s\n", weft_bits_text(d->ref_bits), other,
         weft_bits_text(d->gl_bits));
}

json_t *weft_place_json(const weft_place *place) {
  char pass[64];
  weft_pass_describe(place->pass, pass, sizeof pass);
  json_t *json =
      json_pack("{s:s, s:b, s:s, s:o}", "pass", pass, "race", place->race, "buffer",
                buffer_name(place->buffer), "difference", weft_difference_json(&place->difference));
  if (place->group) {
    json_object_set_new(json, "group", json_string(place->group));
    json_object_set_new(json, "batch", json_integer(place->pass->batch));
  }
  if (place->particle != UINT32_MAX) {
    json_object_set_new(json, "particle", json_integer(place->particle));
  }
  if (place->constraint != UINT32_MAX) {
    json_t *particles = json_array();
    for (uint32_t r = 0; r < place->arity; ++r) {
      json_array_append_new(particles, json_integer(place->particles[r]));
    }
    json_object_set_new(json, "constraint", json_integer(place->constraint));
    json_object_set_new(json, "particles", particles);
  }
  return json;
}
